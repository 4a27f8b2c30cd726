#include "dom/changes.h"

#include "../with_cmocka.h"

#include "base/strbuf.h"
#include "failing_malloc.h"
#include "random.h"

static em_slice apply(em_slice text, em_splices list, em_arena *arena)
{
    EM_AUTO(em_strbuf) out = {0};
    size_t at = 0;
    for (size_t i = 0; i < list.count; i++) {
        assert_true(list.items[i].offset >= at);
        em_strbuf_add(&out, em_slice_sub(text, at, list.items[i].offset));
        em_strbuf_add(&out, list.items[i].insert);
        at = list.items[i].offset + list.items[i].length;
    }
    em_strbuf_add(&out, em_slice_from(text, at));
    return em_slice_make(em_strbuf_finish(&out, arena), out.len);
}

/* Random splices over a text of this length, sorted and disjoint. */
static em_splices random_step(random_state *chance, size_t length, em_arena *arena)
{
    static const char *const inserts[] = {"", "x", "yz", "\xC3\xBC", "abc"};
    em_splice *items = em_alloc_array(arena, 4, sizeof *items);
    size_t count = 0, at = 0;
    while (count < 4 && random_below(chance, 3) > 0) {
        at += random_below(chance, length - at + 1);
        size_t rest = length - at, cut = random_below(chance, rest < 4 ? rest + 1 : 4);
        items[count++] = (em_splice){at, cut, em_slice_of(RANDOM_OF(chance, inserts))};
        at += cut;
        if (at == length)
            break;
        at++;
    }
    return (em_splices){items, count};
}

/* Composing is the same as one after the other; an offset that was not touched is found again. */
static void composing_is_applying_in_turn(void **state)
{
    (void)state;
    random_state chance = {4711};
    em_slice original = EM_LIT("The quick br\xC3\xB6wn fox\njumps over it.");
    for (int round = 0; round < 2000; round++) {
        EM_AUTO(em_arena) arena = {0};
        em_changes changes = {.original = original};
        em_slice now = original;
        for (int step = 0; step < 5; step++) {
            em_splices splices = random_step(&chance, now.len, &arena);
            assert_int_equal(em_changes_add(&changes, splices, &arena), EM_OK);
            now = apply(now, splices, &arena);
            em_slice composed = apply(original, changes.splices, &arena);
            assert_true(em_slice_eq(composed, now));
            em_origins origins = {.changes = &changes};
            for (size_t i = 0; i <= now.len; i++) {
                size_t origin = em_changes_origin(&changes, i);
                assert_int_equal(em_origins_at(&origins, i), origin);
                assert_true(origin <= original.len);
                assert_true(i == 0 || origin >= em_changes_origin(&changes, i - 1));
            }
        }
        em_splices trimmed;
        assert_int_equal(em_changes_trim(&changes, &arena, &trimmed), EM_OK);
        assert_true(em_slice_eq(apply(original, trimmed, &arena), now));
        for (size_t i = 0; i < trimmed.count; i++)
            assert_true(trimmed.items[i].length > 0 || trimmed.items[i].insert.len > 0);
    }
}

static void offsets_move_with_their_bytes(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    const em_splice items[] = {
        {2, 0, EM_LIT("xyz")}, {4, 2, EM_LIT("q")}, {8, 3, {0}}, {11, 1, EM_LIT("ab")}};
    static const struct {
        size_t at, before, behind;
    } cases[] = {{0, 0, 0}, {2, 2, 5},   {3, 6, 6},   {4, 7, 7},    {5, 7, 8},
                 {6, 8, 8}, {8, 10, 10}, {9, 10, 10}, {11, 10, 10}, {12, 12, 12}};
    em_shift shift;
    assert_int_equal(em_shift_init(&shift, (em_splices){items, 4}, &arena), EM_OK);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(em_shift_map(&shift, cases[i].at, false), cases[i].before);
        assert_int_equal(em_shift_map(&shift, cases[i].at, true), cases[i].behind);
    }
    for (size_t start = 0; start < 14; start++)
        for (size_t end = start; end < 14; end++) {
            em_shift part = em_shift_part(&shift, start, end);
            for (size_t at = start; at <= end; at++)
                for (int behind = 0; behind < 2; behind++)
                    assert_int_equal(em_shift_map(&part, at, behind),
                                     em_shift_map(&shift, at, behind));
        }
}

/* What a splice brings of the bytes beyond ASCII that it replaces is no longer in its insert. */
static void runs_that_stay_are_not_written(void **state)
{
    (void)state;
    static const struct {
        const char *old, *insert, *inserts; /* those that are left, parted by '|' */
    } cases[] = {
        {"\xE9 k", "\xE9", "|"},
        {"k \xE9", "k \xE9 z", " z|"},
        {"\xE9 a \xE8 b \xE7", "\xE9 \xE8 \xE7", "||"},
        {"a \xE9", "b \xE9 c", "b| c|"},
        {"a \xE9", "b \xE8", "b \xE8|"},
        {"\xE9\xE8 \xE9 k", "\xE9", "||"}, /* the one that stands alone */
        {"ab", "cd", "cd|"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_strbuf) inserts = {0};
        em_slice old = em_slice_of(cases[i].old), insert = em_slice_of(cases[i].insert);
        const em_splice whole = {0, old.len, insert};
        em_splices finer;
        assert_int_equal(em_splices_keep_runs(old, (em_splices){&whole, 1}, &arena, &finer), EM_OK);
        assert_true(em_slice_eq(apply(old, finer, &arena), insert));
        for (size_t k = 0; k < finer.count; k++) {
            em_strbuf_add(&inserts, finer.items[k].insert);
            em_strbuf_putc(&inserts, '|');
        }
        assert_string_equal(em_strbuf_finish(&inserts, &arena), cases[i].inserts);
    }
}

static void memory_may_run_out(void **state)
{
    (void)state;
    const em_splice first = {1, 1, EM_LIT("xx")}, second = {2, 1, EM_LIT("yy")};
    em_status status = EM_E_NOMEM;
    for (long granted = 0; status != EM_OK; granted++) {
        EM_AUTO(em_arena) arena = {0};
        em_changes changes = {.original = EM_LIT("abc")};
        em_splices trimmed;
        em_shift shift;
        mallocs_left = granted;
        status = em_changes_add(&changes, (em_splices){&first, 1}, &arena);
        if (status == EM_OK)
            status = em_changes_add(&changes, (em_splices){&second, 1}, &arena);
        if (status == EM_OK)
            status = em_changes_trim(&changes, &arena, &trimmed);
        if (status == EM_OK)
            status = em_shift_init(&shift, trimmed, &arena);
        if (status == EM_OK)
            status = em_splices_keep_runs(changes.original, trimmed, &arena, &trimmed);
        mallocs_left = -1;
        assert_true(status == EM_OK || status == EM_E_NOMEM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(composing_is_applying_in_turn),
        cmocka_unit_test(offsets_move_with_their_bytes),
        cmocka_unit_test(runs_that_stay_are_not_written),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "draft/sweep.h"

#include "check_texts.h"
#include "failing_malloc.h"

#include <stdlib.h>

static void begin(em_sweep *sweep, em_draft *draft, const char *body, size_t start)
{
    assert_int_equal(em_draft_init(draft, em_slice_of(body), start), EM_OK);
    assert_int_equal(em_sweep_init(sweep, draft), EM_OK);
}

static void replace(em_sweep *sweep, const char *needle, const char *insert, size_t places)
{
    assert_int_equal(em_sweep_find(sweep, em_slice_of(needle), SIZE_MAX), EM_OK);
    assert_int_equal(sweep->place_count, places);
    assert_int_equal(em_sweep_replace(sweep, em_slice_of(insert)), EM_OK);
}

static void check_origin(const em_sweep *sweep, size_t start, size_t end, size_t was_start,
                         size_t was_end, bool inserted)
{
    bool begins_inserted;
    em_span origin = em_sweep_origin(sweep, (em_span){start, end}, &begins_inserted);
    assert_int_equal(origin.start, was_start);
    assert_int_equal(origin.end, was_end);
    assert_int_equal(begins_inserted, inserted);
}

static void each_op_sees_what_those_before_it_left(void **state)
{
    (void)state;
    EM_AUTO(em_draft) draft;
    EM_AUTO(em_sweep) sweep;
    begin(&sweep, &draft,
          "\xEF\xBB\xBF"
          "one two one",
          3);
    check_bytes("text", em_sweep_text(&sweep), EM_LIT("one two one"));
    replace(&sweep, "one", "1", 2);
    check_bytes("shorter", em_sweep_text(&sweep), EM_LIT("1 two 1"));
    replace(&sweep, "1", "a one", 2);
    check_bytes("longer", em_sweep_text(&sweep), EM_LIT("a one two a one"));
    replace(&sweep, " ", "", 4);
    check_bytes("without", em_sweep_text(&sweep), EM_LIT("aonetwoaone"));
    replace(&sweep, "zero", "0", 0);
    check_bytes("the same", em_sweep_text(&sweep), EM_LIT("aonetwoaone"));
}

static void what_stands_at_too_many_places_is_not_looked_for_further(void **state)
{
    (void)state;
    EM_AUTO(em_draft) draft;
    EM_AUTO(em_sweep) sweep;
    begin(&sweep, &draft, "a a a a", 0);
    for (size_t most = 0; most < 6; most++) {
        assert_int_equal(em_sweep_find(&sweep, EM_LIT("a"), most), EM_OK);
        assert_int_equal(sweep.place_count, most < 4 ? most + 1 : 4);
    }
}

static void places_are_told_in_the_original(void **state)
{
    (void)state;
    EM_AUTO(em_draft) draft;
    EM_AUTO(em_sweep) sweep;
    begin(&sweep, &draft,
          "\xEF\xBB\xBF"
          "ab ab ab",
          3);
    replace(&sweep, "ab", "word", 3);
    check_origin(&sweep, 0, 4, 3, 3, true);
    check_origin(&sweep, 4, 5, 5, 6, false); /* the first blank */
    check_origin(&sweep, 5, 9, 6, 6, true);
    check_origin(&sweep, 4, 10, 5, 9, false); /* from one blank to the other */
    check_origin(&sweep, 14, 14, 11, 11, false);
    replace(&sweep, " word", "", 2);
    check_bytes("text", em_sweep_text(&sweep), EM_LIT("word"));
    check_origin(&sweep, 4, 4, 11, 11, false);
}

static void the_draft_goes_on_from_there(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_draft) draft;
    EM_AUTO(em_sweep) sweep;
    em_splices splices;
    begin(&sweep, &draft, "a,b,c", 0);
    replace(&sweep, ",", " - ", 2);
    replace(&sweep, "- b", "+", 1);
    assert_int_equal(em_sweep_to_draft(&sweep, &arena, &draft), EM_OK);
    em_splice more = {0, 1, EM_LIT("A")};
    assert_int_equal(em_draft_apply(&draft, (em_splices){&more, 1}), EM_OK);
    assert_int_equal(em_draft_splices(&draft, &arena, &splices), EM_OK);
    assert_int_equal(splices.count, 1);
    assert_int_equal(splices.items[0].length, 4); /* a,b, */
    check_bytes("insert", splices.items[0].insert, EM_LIT("A + - "));
}

/* ---- Beside a draft -------------------------------------------------------------------------- */

static unsigned chance(unsigned bound)
{
    static unsigned seed = 20261128;
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 16) % bound;
}

static em_slice some_text(char *room, size_t least, size_t most)
{
    size_t length = least + chance((unsigned)(most - least + 1));
    for (size_t i = 0; i < length; i++)
        room[i] = "aab b\n"[chance(6)];
    return em_slice_make(room, length);
}

static void replace_in_draft(em_draft *draft, em_slice needle, em_slice insert, em_arena *arena)
{
    em_found found = {.most = SIZE_MAX};
    assert_int_equal(em_draft_find_in(draft, (em_span){0, draft->length}, needle, arena, &found),
                     EM_OK);
    em_splice *splices = em_alloc_array(arena, found.total, sizeof *splices);
    for (size_t i = 0; i < found.total; i++)
        splices[i] = (em_splice){found.spans.items[i].start, needle.len, insert};
    assert_int_equal(em_draft_apply(draft, (em_splices){splices, found.total}), EM_OK);
}

static void check_as_draft(const em_sweep *sweep, em_draft *draft, em_arena *arena)
{
    em_slice text;
    em_splices wanted, made;
    EM_AUTO(em_draft) back;
    assert_int_equal(em_draft_text(draft, arena, &text), EM_OK);
    check_bytes("text", em_sweep_text(sweep), text);
    for (size_t i = 0; i <= text.len; i++) {
        bool inserted, is;
        em_span wanted_origin = em_draft_origin(draft, (em_span){i, i}, &inserted);
        em_span origin = em_sweep_origin(sweep, (em_span){i, i}, &is);
        assert_int_equal(is, inserted);
        assert_int_equal(origin.start, wanted_origin.start);
    }
    assert_int_equal(em_draft_init(&back, draft->body, draft->start), EM_OK);
    assert_int_equal(em_sweep_to_draft(sweep, arena, &back), EM_OK);
    assert_int_equal(em_draft_splices(draft, arena, &wanted), EM_OK);
    assert_int_equal(em_draft_splices(&back, arena, &made), EM_OK);
    assert_int_equal(made.count, wanted.count);
    for (size_t i = 0; i < made.count; i++) {
        assert_int_equal(made.items[i].offset, wanted.items[i].offset);
        assert_int_equal(made.items[i].length, wanted.items[i].length);
        check_bytes("insert", made.items[i].insert, wanted.items[i].insert);
    }
}

static void it_is_what_a_draft_is(void **state)
{
    (void)state;
    for (int round = 0; round < 3000; round++) {
        char body[64], needle[8], insert[8];
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        EM_AUTO(em_sweep) sweep = {0};
        bool begun = false;
        assert_int_equal(em_draft_init(&draft, some_text(body, 0, sizeof body), 0), EM_OK);
        for (int op = 0; op < 6; op++) {
            em_slice find = some_text(needle, 1, 3), put = some_text(insert, 0, 4);
            assert_int_equal(em_arena_keep(&arena, &put), EM_OK);
            replace_in_draft(&draft, find, put, &arena);
            if (begun) {
                assert_int_equal(em_sweep_find(&sweep, find, SIZE_MAX), EM_OK);
                assert_int_equal(em_sweep_replace(&sweep, put), EM_OK);
            } else {
                assert_int_equal(em_sweep_init(&sweep, &draft), EM_OK);
                begun = true;
            }
            check_as_draft(&sweep, &draft, &arena);
        }
    }
}

/* What failed can be done once there is memory, or dropped. */
static void want_of_memory_changes_nothing(void **state)
{
    (void)state;
    bool failed = true;
    for (long left = 0; failed; left++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        EM_AUTO(em_sweep) sweep;
        assert_int_equal(em_draft_init(&draft, EM_LIT("one two one"), 0), EM_OK);
        mallocs_left = left;
        failed = em_sweep_init(&sweep, &draft) != EM_OK ||
                 em_sweep_find(&sweep, EM_LIT("one"), 2) != EM_OK ||
                 em_sweep_replace(&sweep, EM_LIT("three")) != EM_OK;
        mallocs_left = -1;
        if (!failed)
            check_bytes("text", em_sweep_text(&sweep), EM_LIT("three two three"));
        else if (sweep.text)
            check_bytes("text", em_sweep_text(&sweep), EM_LIT("one two one"));
        mallocs_left = left;
        bool is_lost = em_sweep_to_draft(&sweep, &arena, &draft) != EM_OK;
        mallocs_left = -1;
        failed |= is_lost;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_op_sees_what_those_before_it_left),
        cmocka_unit_test(what_stands_at_too_many_places_is_not_looked_for_further),
        cmocka_unit_test(places_are_told_in_the_original),
        cmocka_unit_test(the_draft_goes_on_from_there),
        cmocka_unit_test(it_is_what_a_draft_is),
        cmocka_unit_test(want_of_memory_changes_nothing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

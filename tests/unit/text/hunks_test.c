#include "text/hunks.h"

#include <stdio.h>

#include <malloc.h>

#include "../with_cmocka.h"
#include "apply.h"
#include "failing_malloc.h"
#include "random.h"

/* ---- Lines --------------------------------------------------------------------------------- */

static void test_lines(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t at, start, end;
    } cases[] = {
        {"", 0, 0, 0},           {"ab", 1, 0, 2},       {"a\nb\n", 0, 0, 2}, {"a\nb\n", 1, 0, 2},
        {"a\nb\n", 2, 2, 4},     {"a\nb\n", 4, 4, 4},   {"a\r\nb", 1, 0, 3}, {"a\r\nb", 2, 0, 3},
        {"a\r\nb", 3, 3, 4},     {"a\rb\r", 1, 0, 2},   {"a\rb\r", 2, 2, 4}, {"a\rb\r", 4, 4, 4},
        {"a\n\r\n\nb", 2, 2, 4}, {"a\n\r\rb", 2, 2, 3}, {"\n\n", 1, 1, 2},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_lined text = {.bytes = em_slice_of(cases[i].text)};
        assert_int_equal(em_line_start(&text, cases[i].at), cases[i].start);
        assert_int_equal(em_line_end(&text, cases[i].at), cases[i].end);
        assert_true(em_is_line_start(&text, cases[i].start));
    }
    /* U+0A0A, LF: the bytes 0A that are no newline end no line. */
    em_lined wide = {EM_LIT("\x0a\x0a\x0a\0z\0"), {"\n\0", 2}};
    assert_int_equal(em_line_end(&wide, 0), 4);
    assert_int_equal(em_line_start(&wide, 5), 4);
    /* CR, and CRLF, in UTF-16 */
    em_lined marks = {EM_LIT("a\0\r\0b\0\r\0\n\0"), {"\n\0", 2}};
    assert_int_equal(em_line_end(&marks, 0), 4);
    assert_int_equal(em_line_end(&marks, 4), 10);
    assert_int_equal(em_line_start(&marks, 9), 4);
    em_lined turned = {EM_LIT("\0a\0\r\0b"), {"\0\n", 2}};
    assert_int_equal(em_line_end(&turned, 0), 4);
}

/* The next line begins at the next start of one, in units of every width, also behind a BOM and in
 * texts that are cut within a unit. */
static void test_lines_of_random_texts(void **state)
{
    (void)state;
    static const em_slice newlines[] = {
        {NULL, 0}, {"\n", 1}, {"\n\0", 2}, {"\0\n", 2}, {"\n\0\0\0", 4}, {"\0\0\0\n", 4},
    };
    static const char starts[] = "\xEF\xBB\xBF\xFF\xFE\0\0\xFE\xFF";
    random_state r = {21};
    for (size_t round = 0; round < 20000; round++) {
        char bytes[300];
        size_t length = random_below(&r, round % 10 ? 24 : sizeof bytes);
        size_t kinds = 4 + (round % 3) * 60;
        for (size_t i = 0; i < length; i++) {
            size_t kind = random_below(&r, kinds);
            bytes[i] = kind < 4 ? "\n\r\0\n"[kind] : 'a';
        }
        if (length > 9 && round % 2)
            memcpy(bytes, starts + random_below(&r, 6), 4);
        em_lined text = {{bytes, length}, newlines[random_below(&r, COUNT_OF(newlines))]};
        assert_true(em_is_line_start(&text, 0));
        for (size_t at = 0; at < length; at++) {
            size_t end = at + 1;
            while (end < length && !em_is_line_start(&text, end))
                end++;
            assert_int_equal(em_line_end(&text, at), end);
        }
    }
}

/* ---- Hunks --------------------------------------------------------------------------------- */

/* The hunks as splices over the old text. */
static em_splices splices_of(const em_line_hunks *hunks, em_slice new, em_arena *arena)
{
    em_splice *items = em_alloc_array(arena, hunks->count, sizeof *items);
    assert_non_null(items);
    for (size_t i = 0; i < hunks->count; i++) {
        const em_line_hunk *hunk = &hunks->items[i];
        items[i] = (em_splice){hunk->old_start, hunk->old_end - hunk->old_start,
                               em_slice_sub(new, hunk->new_start, hunk->new_end)};
    }
    return (em_splices){items, hunks->count};
}

/* Is it a line that is ended in one text only? */
static bool is_of_ending(const em_lined *old, const em_lined *new, const em_line_hunk *hunk)
{
    return em_is_like_line(old, em_slice_sub(old->bytes, hunk->old_start, hunk->old_end),
                           em_slice_sub(new->bytes, hunk->new_start, hunk->new_end));
}

static em_line_hunks find(const char *old, const char *new, bool backward, em_arena *arena)
{
    em_line_hunks hunks;
    em_lined old_text = {.bytes = em_slice_of(old)}, new_text = {.bytes = em_slice_of(new)};
    assert_int_equal(
        em_line_hunks_find(old_text.bytes, new_text.bytes, (em_slice){0}, backward, arena, &hunks),
        EM_OK);
    for (size_t i = 0; i < hunks.count; i++) {
        const em_line_hunk *hunk = &hunks.items[i];
        assert_true(em_is_line_start(&old_text, hunk->old_start) || hunk->old_start == strlen(old));
        assert_true(em_is_line_start(&new_text, hunk->new_start) || hunk->new_start == strlen(new));
        assert_true(hunk->old_start < hunk->old_end || hunk->new_start < hunk->new_end);
        if (i > 0)
            assert_true(hunk->old_start > hunk[-1].old_end ||
                        is_of_ending(&old_text, &new_text, hunk) ||
                        is_of_ending(&old_text, &new_text, hunk - 1));
    }
    assert_string_equal(lay_in(old_text.bytes, splices_of(&hunks, new_text.bytes, arena), arena),
                        new);
    return hunks;
}

static void test_hunks_by_table(void **state)
{
    (void)state;
    static const struct {
        const char *old, *new;
        size_t count;
        em_line_hunk first;
    } cases[] = {
        {"", "", 0, {0}},
        {"a\n", "a\n", 0, {0}},
        {"", "a\n", 1, {0, 0, 0, 2}},
        {"a\n", "", 1, {0, 2, 0, 0}},
        {"a\nb\nc\n", "a\nB\nc\n", 1, {2, 4, 2, 4}},
        {"a\nb\nc\n", "a\nc\n", 1, {2, 4, 2, 2}},
        {"a\nb", "a\nb\n", 1, {2, 3, 2, 4}},
        {"a\nb\nc\nd\ne\n", "a\nB\nc\nD\ne\n", 2, {2, 4, 2, 4}},
        {"a\rb\rc\r", "a\rB\rc\r", 1, {2, 4, 2, 4}},
        {"a\r\nb\r\n", "a\r\nb\n", 1, {3, 6, 3, 5}},
        {"a\r\nb", "a\rb", 1, {0, 3, 0, 2}},
        {"a\nb\n", "b\na\nb", 2, {0, 0, 0, 2}},
        {"b\n", "a\nb", 2, {0, 0, 0, 2}},
        {"b", "b\na\n", 2, {0, 1, 0, 2}},
        {"a\nb\nc\n1\n", "c\na\nb\n1\n", 2, {0, 0, 0, 2}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_line_hunks hunks = find(cases[i].old, cases[i].new, false, &arena);
        assert_int_equal(hunks.count, cases[i].count);
        if (hunks.count > 0 && i + 1 < COUNT_OF(cases))
            assert_memory_equal(&hunks.items[0], &cases[i].first, sizeof cases[i].first);
    }
}

/* Where two ways to tell the difference are as short, the two directions find both. */
static void test_both_directions(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_line_hunks forward = find("x\nx\n", "x\nx\nx\n", false, &arena);
    em_line_hunks backward = find("x\nx\n", "x\nx\nx\n", true, &arena);
    assert_int_equal(forward.items[0].old_start, 4);
    assert_int_equal(backward.items[0].old_start, 0);
}

static char *random_text(random_state *r, char *out)
{
    static const char *const lines[] = {"a\n", "b\n", "\n", "c\r\n", "d\r", "e"};
    *out = '\0';
    for (size_t i = random_below(r, 12); i > 0; i--)
        strcat(out, RANDOM_OF(r, lines));
    return out;
}

static void test_random_texts(void **state)
{
    (void)state;
    random_state r = {7};
    for (int i = 0; i < 3000; i++) {
        EM_AUTO(em_arena) arena = {0};
        char old[64], new[64];
        random_text(&r, old);
        random_text(&r, new);
        find(old, new, false, &arena);
        find(old, new, true, &arena);
    }
}

static char *numbers(em_arena *arena, size_t count, size_t step)
{
    char *text = em_alloc(arena, count * 8 + 1), *at = text;
    assert_non_null(text);
    for (size_t i = 0; i < count; i++)
        at += sprintf(at, "%zu\n", i * step);
    return text;
}

/* Very much that differs is one hunk. */
static void test_bounds(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    assert_true(find(numbers(&arena, 400, 2), numbers(&arena, 400, 3), false, &arena).count > 1);
    assert_int_equal(find(numbers(&arena, 2000, 2), numbers(&arena, 2000, 3), false, &arena).count,
                     1);
    assert_int_equal(
        find(numbers(&arena, 60000, 2), numbers(&arena, 60000, 3), false, &arena).count, 1);
}

/* ---- Splices ------------------------------------------------------------------------------- */

static void test_refining(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice body = EM_LIT("head\n1\n2\n3\n4\n5\ntail\n");
    em_splice all[] = {{0, 4, EM_LIT("HEAD")}, {5, 10, EM_LIT("1\nzwei\n3\n4\nV\n")}};
    em_splices out;
    assert_int_equal(em_splices_refine(body, (em_splices){all, 2}, (em_slice){0}, &arena, &out),
                     EM_OK);
    assert_int_equal(out.count, 3);
    assert_int_equal(out.items[1].offset, 7);
    assert_int_equal(out.items[1].length, 2);
    assert_true(em_slice_is(out.items[1].insert, "zwei\n"));
    assert_string_equal(lay_in(body, out, &arena), "HEAD\n1\nzwei\n3\n4\nV\ntail\n");
    em_splice open = {0, 4, EM_LIT("a\nx\nb")};
    assert_int_equal(
        em_splices_refine(EM_LIT("a\nb\n"), (em_splices){&open, 1}, (em_slice){0}, &arena, &out),
        EM_OK);
    assert_int_equal(out.count, 1);
    assert_int_equal(out.items[0].offset, 2);
    assert_true(em_slice_is(out.items[0].insert, "x\nb"));
}

static size_t bytes_in_use(void)
{
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
}

/* What is compared is forgotten with each splice: there may be very many of them. */
static void test_refining_many(void **state)
{
    (void)state;
    enum { COUNT = 4000 };
    EM_AUTO(em_arena) arena = {0};
    static char body[2 * COUNT];
    em_splice *all = em_alloc_array(&arena, COUNT, sizeof *all);
    for (size_t i = 0; i < COUNT; i++) {
        memcpy(body + 2 * i, "a\n", 2);
        all[i] = (em_splice){2 * i, 2, EM_LIT("b\nc\n")};
    }
    em_splices out;
    size_t before = bytes_in_use();
    assert_int_equal(em_splices_refine(em_slice_make(body, sizeof body), (em_splices){all, COUNT},
                                       (em_slice){0}, &arena, &out),
                     EM_OK);
    assert_int_equal(out.count, COUNT);
    assert_true(bytes_in_use() - before < COUNT * (size_t)1024);
}

/* Splices as splices of whole lines. */
static void test_widening(void **state)
{
    (void)state;
    static const struct {
        const char *body;
        struct {
            size_t at, length;
            const char *insert;
        } splices[2];
        size_t count;
        const char *want; /* offset+length, what comes, and so on */
    } cases[] = {
        {"a\nb\n", {{2, 1, "B"}}, 1, "2+2 B\n"},
        {"a\nb\n", {{2, 0, "n\n"}}, 1, "2+0 n\n"},
        {"a\nb\n", {{2, 0, "n"}}, 1, "2+2 nb\n"},
        {"a\nb\n", {{0, 2, ""}}, 1, "0+2 "},
        {"a\nb\n", {{1, 2, ""}}, 1, "0+4 a\n"},
        {"a\nb\n", {{1, 1, ""}}, 1, "0+4 ab\n"},
        {"    c\n", {{4, 0, "b\n    "}}, 1, "0+6     b\n    c\n"},
        {"a\nb", {{3, 0, "\nc"}}, 1, "2+1 b\nc"},
        {"a\n", {{2, 0, "b"}}, 1, "2+0 b"},
        {"ab\nc\n", {{0, 1, "A"}, {1, 1, "B"}}, 2, "0+3 AB\n"},
        {"a b\nc\n", {{0, 1, "A"}, {4, 1, "C"}}, 2, "0+4 A b\n4+2 C\n"},
        {"a\nb\nc\n", {{1, 1, ""}, {3, 1, ""}}, 2, "0+6 abc\n"},
        {"a\r\nb\r\n", {{3, 1, "B"}}, 1, "3+3 B\r\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_splice items[2];
        em_splices out, splices = {items, cases[i].count};
        char text[100] = "", *end = text;
        for (size_t j = 0; j < cases[i].count; j++)
            items[j] = (em_splice){cases[i].splices[j].at, cases[i].splices[j].length,
                                   em_slice_of(cases[i].splices[j].insert)};
        assert_int_equal(
            em_splices_widen(em_slice_of(cases[i].body), splices, (em_slice){0}, &arena, &out),
            EM_OK);
        for (size_t j = 0; j < out.count; j++)
            end += sprintf(end, "%zu+%zu %.*s", out.items[j].offset, out.items[j].length,
                           (int)out.items[j].insert.len, out.items[j].insert.ptr);
        assert_string_equal(text, cases[i].want);
    }
}

static void test_memory_may_end(void **state)
{
    (void)state;
    static char old[40000], new[40000];
    for (size_t i = 0; i < sizeof old - 1; i++) {
        old[i] = i % 2 ? '\n' : (char)('a' + i % 7);
        new[i] = i % 2 ? '\n' : i % 500 ? old[i] : '!';
    }
    em_splice all = {0, sizeof old - 1, em_slice_of(new)};
    for (long left = 0;; left++) {
        EM_AUTO(em_arena) arena = {0};
        em_splices out;
        mallocs_left = left;
        em_status status =
            em_splices_refine(em_slice_of(old), (em_splices){&all, 1}, (em_slice){0}, &arena, &out);
        bool enough = mallocs_left > 0;
        mallocs_left = -1;
        assert_true(status == EM_OK || status == EM_E_NOMEM);
        if (enough)
            break;
        assert_true(left < 100);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_lines),          cmocka_unit_test(test_lines_of_random_texts),
        cmocka_unit_test(test_hunks_by_table), cmocka_unit_test(test_both_directions),
        cmocka_unit_test(test_random_texts),   cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_refining),       cmocka_unit_test(test_refining_many),
        cmocka_unit_test(test_widening),       cmocka_unit_test(test_memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "text/carry.h"

#include "base/clock.h"
#include "base/strbuf.h"

#include <stdio.h>

#include "../with_cmocka.h"
#include "apply.h"
#include "failing_malloc.h"
#include "random.h"

static em_carry carry_of(const char *base, const char *current, em_arena *arena)
{
    em_carry carry;
    assert_int_equal(
        em_carry_init(&carry, em_slice_of(base), em_slice_of(current), (em_slice){0}, arena),
        EM_OK);
    return carry;
}

/* `find` in the base is replaced by `insert`; `want` NULL: it cannot be carried over. */
static void test_carrying_by_table(void **state)
{
    (void)state;
    static const struct {
        const char *what, *base, *current, *find, *insert, *want;
    } cases[] = {
        {"nothing changed", "a\nb\n", "a\nb\n", "b", "B", "a\nB\n"},
        {"lines before", "a\nb\n", "0\n1\na\nb\n", "b", "B", "0\n1\na\nB\n"},
        {"lines behind", "a\nb\n", "a\nb\nc\n", "a", "A", "A\nb\nc\n"},
        {"the line next to it", "x = 1\ny = 2\n", "x = 1\ny = 3\n", "x = 1", "x = 5",
         "x = 5\ny = 3\n"},
        {"lines around it", "a\nb\nc\n", "A\nb\nC\n", "b", "B", "A\nB\nC\n"},
        {"the line itself", "a\nb c\nd\n", "a\nb C\nd\n", "b", "B", NULL},
        {"one of the lines", "a\nb\nc\nd\n", "a\nb\nC\nd\n", "b\nc", "x", NULL},
        {"the line is gone", "a\nb\nc\n", "a\nc\n", "b", "B", NULL},
        {"torn apart", "a\nb\nc\nd\n", "a\nb\nnew\nc\nd\n", "b\nc", "x", NULL},
        {"its line end", "a\nb", "a\nb\n", "b", "B", NULL},
        {"a like line was added", "a\n}\n", "a\n}\nb\n}\n", "}", "X", NULL},
        {"like lines on both sides", "x\nx\nx\n", "x\nx\nx\nx\n", "x\nx\nx", "y", NULL},
        {"a like line went", "1\n}\n2\n}\n3\n", "1\n}\n3\n", "2", "X", NULL},
        {"a like line further away", "a\n}\nb\n}\nc\n", "new\na\n}\nb\n}\nc\n", "b", "B",
         "new\na\n}\nB\n}\nc\n"},
        {"alone, and not once", "a\nx\nb\nx\nc\n", "A\nx\nB\nx\nc\n", "x\nb", "X", NULL},
        {"alone, but once", "a\nx\nb\n", "A\nx\nB\n", "x", "X", "A\nX\nB\n"},
        {"the whole text", "a\nb\n", "a\nB\n", "a\nb\n", "", NULL},
        {"it is there above", "a\nb\n", "N\na\nb\n", "a", "N\na", NULL},
        {"it is there below", "a\nb\nc\n", "a\nb\nN\nC\n", "b", "b\nN", NULL},
        {"some of it is there", "a\nb\nc\n", "a\nN\nb\nc\n", "b", "N\nM\nb", NULL},
        {"a brace of it is there", "a\nb\n", "}\na\nb\n", "a", "N\n}\na", NULL},
        {"something else with a brace is there", "a\nb\n", "M\n}\na\nb\n", "a", "N\n}\na",
         "M\n}\nN\n}\na\nb\n"},
        {"nothing but a brace is there", "a\nb\n", "}\na\nb\n", "a", "}\na", NULL},
        {"it is there elsewhere", "a\nb\nc\n", "N\na\nb\nc\n", "b", "N\nb", "N\na\nN\nb\nc\n"},
        {"one of like lines", "a\nl\nl\nb\n", "a\nl\nb\n", "l\n", "", NULL},
        {"one of like lines, beside another line", "a\nl\nl\nb\n", "a\nl\nl\nB\n", "l\n", "",
         "a\nl\nB\n"},
        {"lines whose like beside them went", "x\nq\na\na\nb\n", "x\nq\na\nb\n", "q\na\n", "",
         NULL},
        {"... before them", "x\na\na\nq\nb\n", "x\na\nq\nb\n", "a\nq\n", "", NULL},
        {"... came", "x\nq\na\nb\n", "x\nq\na\na\nb\n", "q\na\n", "", "x\na\nb\n"},
        {"all of them", "a\nl\nl\nb\n", "a\nl\nb\n", "l\nl\n", "", NULL},
        {"a line that is left open", "a\nb\nc\n", "0\na\nb\nc\n", "b\n", "B", "0\na\nBc\n"},
        {"... and another line behind", "a\nb\nc\n", "a\nb\nnew\nc\n", "b\n", "B", NULL},
        {"... of which the next is gone", "a\nb\nc\nd\n", "a\nb\nd\n", "b\n", "B", NULL},
        {"... of which the next has changed", "a\nb\nc\n", "a\nb\nC\n", "b\n", "B", NULL},
        {"... of which nothing is brought", "a\nb\nc\n", "a\nb\nnew\nc\n", "\nb\n", "", NULL},
        {"the last line is left open", "a\nb\n", "0\na\nb\n", "b\n", "B", "0\na\nB"},
        {"... and is not the last any more", "a\nb\n", "a\nb\nnew\n", "b\n", "B", NULL},
        {"... which has moved, but not alone", "a\nb\n", "b\na\n", "b\n", "B", NULL},
        {"the last line is ended", "a\nb", "0\na\nb", "b", "B\n", "0\na\nB\n"},
        {"... and is not the last any more, too", "a\nb", "a\nb\nnew\n", "b", "B\n", NULL},
        {"lines that stay ended", "a\nb\nc\n", "a\nb\nnew\n", "b\n", "B\n", "a\nB\nnew\n"},
        {"CRLF that is left open", "a\r\nb\r\n", "a\r\nb\r\nnew\r\n", "b\r\n", "B", NULL},
        {"half of a CRLF", "a\nb\r\nc\n", "a\nb\r\nnew\n", "\r", "", "a\nb\nnew\n"},
        {"CR", "a\rb\r", "0\ra\rb\r", "b", "B", "0\ra\rB\r"},
        /* A last line that has lost its ending, or has none yet, is still the like of others. */
        {"the line, or its like that lost its ending", "a\nb\n", "b\na\nb", "b", "B", NULL},
        {"... of which it is plain", "a\nb\nc\n", "a\nb\nc\nb", "a\nb", "B", "B\nc\nb"},
        {"... with CRLF", "a\r\nb\r\n", "b\r\na\r\nb", "b", "B", NULL},
        {"... with CR", "a\rb\r", "b\ra\rb", "b", "B", NULL},
        {"... with lines around it", "one\ntwo\n", "zero\ntwo\none\ntwo", "two", "X", NULL},
        {"two of them", "a\nb\n", "a\nb\nc\na\nb", "a\nb", "X", NULL},
        {"the last line went, or the one before", "a\nb\nb", "a\nb\n", "b\n", "B\n", NULL},
        {"... and the one above that is changed, too", "a\nb\nb", "a\nb\n", "a\nb\n", "x\n", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_carry carry = carry_of(cases[i].base, cases[i].current, &arena);
        em_carry_conflict conflict;
        em_splice splice = {(size_t)(strstr(cases[i].base, cases[i].find) - cases[i].base),
                            strlen(cases[i].find), em_slice_of(cases[i].insert)};
        em_splices out;
        em_status status =
            em_carry_splices(&carry, (em_splices){&splice, 1}, &arena, &out, &conflict);
        if ((status == EM_OK) != (cases[i].want != NULL))
            fail_msg("%s: %d", cases[i].what, (int)status);
        if (cases[i].want)
            assert_string_equal(lay_in(em_slice_of(cases[i].current), out, &arena), cases[i].want);
    }
}

/* What is inserted between two lines needs both of them, next to each other. */
static void test_insertions(void **state)
{
    (void)state;
    static const struct {
        const char *base, *current;
        size_t at;
        long want; /* -1: it cannot be carried over */
    } cases[] = {
        {"a\nb\nc\n", "0\na\nb\nc\n", 2, 4},
        {"a\nb\nc\n", "0\na\nb\nc\n", 0, -1},
        {"a\nb\nc\n", "a\nb\nc\nd\n", 6, -1},
        {"a\nb\nc\n", "a\nnew\nb\nc\n", 2, -1},
        {"a\nb\nc\n", "a\nB\nc\n", 2, -1},
        {"a\nb\nc\n", "A\nb\nc\n", 2, -1},
        {"a\nb\nc\n", "A\nb\nc\n", 6, 6},
        {"a\nb\nc\n", "0\na\nb\nc\n", 3, 5},  /* within a line */
        {"a\nb\nc\n", "a\nb\nb\nc\n", 2, -1}, /* like one of its lines: between them, or not? */
        {"a\nb\nc\n", "a\na\nb\nc\n", 2, -1},
        {"a\nb\nc\n", "a\nb\nc\nc\n", 2, 2},
        {"", "", 0, 0},
        {"", "a\n", 0, -1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_carry carry = carry_of(cases[i].base, cases[i].current, &arena);
        em_carry_conflict conflict;
        size_t to = 0;
        bool can = em_carry_stretch(&carry, cases[i].at, cases[i].at, &to, &conflict);
        assert_int_equal(can ? (long)to : -1, cases[i].want);
    }
}

/* Lines that are put next to their like, or to what they begin or end with, could be anywhere
 * beside it. */
static void test_lines_next_to_their_like(void **state)
{
    (void)state;
    static const struct {
        const char *base, *current;
        size_t at;
        const char *lines;
        long want; /* -1: it cannot be carried over */
    } cases[] = {
        {"a\nl\nb\n", "a\nl\nb\nc\n", 2, "l\n", 2},
        {"a\nl\nb\n", "a\nl\nl\nb\n", 2, "l\n", -1},
        {"a\nl\nb\n", "a\nl\nl\nb\n", 4, "l\n", -1},
        {"a\nl\nb\n", "a\nl\nB\n", 2, "l\n", -1},
        {"a\nx\ny\nb\n", "a\nx\ny\nx\ny\nb\n", 2, "x\ny\n", -1},
        {"a\nx\ny\nb\n", "0\na\nx\ny\nb\n", 2, "x\ny\n", 4},
        {"a\n}\nb\n", "a\n}\nn\n}\nb\n", 2, "}\nn\n", -1},
        {"b\n", "a\nb\n", 0, "a\n", -1},
        {"a\n", "a\nb", 2, "b", -1},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_carry carry = carry_of(cases[i].base, cases[i].current, &arena);
        em_carry_conflict conflict;
        em_splice splice = {cases[i].at, 0, em_slice_of(cases[i].lines)};
        size_t to = 0;
        bool can = em_carry_splice(&carry, &splice, &to, &conflict);
        if ((can ? (long)to : -1) != cases[i].want)
            fail_msg("%zu: %d %zu", i, (int)can, to);
    }
}

static em_slice part(const char *text, size_t start, size_t end)
{
    return em_slice_sub(em_slice_of(text), start, end);
}

/* A conflict tells both texts. */
static void test_conflicts(void **state)
{
    (void)state;
    static const struct {
        const char *base, *current;
        size_t start, end;
        const char *was, *is;
        bool ambiguous;
    } cases[] = {
        {"a\nb\nc\n", "0\na\nB\nc\n", 2, 3, "b\n", "B\n", false},
        {"0\na\nb\nc\n", "a\nb\nC\n", 4, 7, "b\nc\n", "b\nC\n", false},
        {"a\nb\nc\nd\n", "a\nB\nc\nd\n", 2, 6, "b\nc\n", "B\nc\n", false},
        {"a\nb\nc\nd\n", "a\nd\n", 4, 5, "b\nc\n", "", false},
        {"a\n}\n", "a\n}\nb\n}\n", 2, 3, "}\n", "}\n", true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_carry carry = carry_of(cases[i].base, cases[i].current, &arena);
        em_carry_conflict conflict;
        size_t to;
        assert_false(em_carry_stretch(&carry, cases[i].start, cases[i].end, &to, &conflict));
        em_slice was = part(cases[i].base, conflict.base_start, conflict.base_end);
        em_slice is = part(cases[i].current, conflict.current_start, conflict.current_end);
        assert_true(em_slice_is(was, cases[i].was));
        assert_true(em_slice_is(is, cases[i].is));
        assert_int_equal(conflict.ambiguous, cases[i].ambiguous);
    }
}

/* Lines that are all different, changed by others here and there: a line that they left is found,
 * and no other. */
static void test_random_changes(void **state)
{
    (void)state;
    random_state r = {11};
    size_t found = 0;
    for (int round = 0; round < 3000; round++) {
        EM_AUTO(em_arena) arena = {0};
        enum { LINES = 12 };
        char base[200] = "", current[400] = "";
        long at[LINES]; /* of each line in `current`; -1: it is gone */
        size_t fresh = 0;
        for (size_t i = 0; i < LINES; i++) {
            sprintf(base + strlen(base), "%zu\n", i);
            size_t what = random_below(&r, 10);
            if (what == 0)
                sprintf(current + strlen(current), "new %zu\n", fresh++);
            at[i] = what == 1 ? -1 : (long)strlen(current);
            if (what != 1)
                sprintf(current + strlen(current), "%zu\n", i);
        }
        em_carry carry = carry_of(base, current, &arena);
        for (size_t i = 0, start = 0; i < LINES; i++) {
            size_t length = strcspn(base + start, "\n"), to = 0;
            em_carry_conflict conflict;
            bool can = em_carry_stretch(&carry, start, start + length, &to, &conflict);
            assert_int_equal(can, at[i] >= 0);
            assert_true(!can || (long)to == at[i]);
            found += can;
            start += length + 1;
        }
    }
    assert_true(found > 10000);
}

/* Lines of few sorts, all of them ended. */
static size_t random_lines(random_state *r, char text[64])
{
    size_t count = 1 + random_below(r, 5);
    for (size_t i = 0; i < count; i++)
        sprintf(text + 2 * i, "%c\n", (int)('a' + random_below(r, 3)));
    return 2 * count;
}

/* What becomes of the text by the splice; NULL where it cannot be carried over. */
static const char *carried(const char *base, const char *current, em_splice splice, em_arena *arena)
{
    em_carry carry = carry_of(base, current, arena);
    em_carry_conflict conflict;
    em_splices out;
    return em_carry_splices(&carry, (em_splices){&splice, 1}, arena, &out, &conflict) == EM_OK
               ? lay_in(em_slice_of(current), out, arena)
               : NULL;
}

static bool stand_once(const char *text, const char *lines)
{
    const char *first = strstr(text, lines);
    return first && !strstr(first + 1, lines);
}

/* Where the last line of a text lacks its ending, nothing is done that would not be done otherwise,
 * but to lines that stand there once. */
static void test_left_open(void **state)
{
    (void)state;
    random_state r = {5};
    size_t found = 0;
    for (int round = 0; round < 20000; round++) {
        EM_AUTO(em_arena) arena = {0};
        char base[64], current[64], lines[64];
        size_t count = random_lines(&r, base) / 2, length = random_lines(&r, current);
        size_t first = random_below(&r, count), last = first + 1 + random_below(&r, count - first);
        em_splice splice = {2 * first, 2 * (last - first), EM_LIT("X\n")};
        const char *ended = carried(base, current, splice, &arena);
        sprintf(lines, "%.*s", (int)splice.length, base + splice.offset);
        bool are_once = stand_once(base, lines) && stand_once(current, lines);
        if (last == count || random_below(&r, 2))
            current[length - 1] = '\0';
        else
            base[2 * count - 1] = '\0';
        const char *open = carried(base, current, splice, &arena);
        if (open && !(ended ? strncmp(open, ended, strlen(open)) == 0 : are_once))
            fail_msg("%s of %s in %s: %s", lines, base, current, open);
        found += open != NULL;
    }
    assert_true(found > 1000);
    assert_true(found > 1000);
}

/* In runs of like lines hunks can be moved far; that is found out once for all stretches. */
static void test_many_stretches_among_many_hunks(void **state)
{
    (void)state;
    enum { RUNS = 200, LIKE = 200, STRETCHES = 20000 };
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) base = {0}, current = {0};
    for (size_t run = 0; run < RUNS; run++) {
        em_strbuf_printf(&base, "run %zu\n", run);
        em_strbuf_printf(&current, "run %zu\nlike\n", run);
        for (size_t i = 0; i < LIKE; i++) {
            em_strbuf_puts(&base, "like\n");
            em_strbuf_puts(&current, "like\n");
        }
    }
    em_carry carry =
        carry_of(em_strbuf_finish(&base, &arena), em_strbuf_finish(&current, &arena), &arena);
    assert_int_equal(carry.forward.hunks.count, RUNS);
    int64_t start = em_monotonic_ms();
    for (size_t i = 0; i < STRETCHES; i++) {
        size_t to = 1;
        em_carry_conflict conflict;
        assert_true(em_carry_stretch(&carry, 0, 4, &to, &conflict));
        assert_int_equal(to, 0);
    }
    assert_true(em_monotonic_ms() - start < 20 * 1000); /* it would be minutes */
}

static void test_memory_may_end(void **state)
{
    (void)state;
    for (long left = 0;; left++) {
        EM_AUTO(em_arena) arena = {0};
        em_carry carry;
        mallocs_left = left;
        em_status status =
            em_carry_init(&carry, EM_LIT("a\nb\n"), EM_LIT("a\nc\n"), (em_slice){0}, &arena);
        bool enough = status == EM_OK;
        mallocs_left = -1;
        assert_true(enough || status == EM_E_NOMEM);
        if (enough)
            break;
        assert_true(left < 20);
    }
    EM_AUTO(em_arena) arena = {0}, none = {0};
    em_carry carry = carry_of("a\n", "a\n", &arena);
    em_splice splice = {0, 1, EM_LIT("b")};
    em_splices out;
    em_carry_conflict conflict;
    mallocs_left = 0;
    em_status status = em_carry_splices(&carry, (em_splices){&splice, 1}, &none, &out, &conflict);
    mallocs_left = -1;
    assert_int_equal(status, EM_E_NOMEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_carrying_by_table),
        cmocka_unit_test(test_insertions),
        cmocka_unit_test(test_lines_next_to_their_like),
        cmocka_unit_test(test_conflicts),
        cmocka_unit_test(test_random_changes),
        cmocka_unit_test(test_left_open),
        cmocka_unit_test(test_many_stretches_among_many_hunks),
        cmocka_unit_test(test_memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

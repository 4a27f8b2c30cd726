#include "remarks/doubled.h"

#include "check_texts.h"
#include "failing_malloc.h"

#define FIRST "the first line of it\n"
#define SECOND "the second line of it\n"
#define THIRD "the third line of it\n"

/* Each edit replaces what stands once in the text, from left to right. */
typedef struct edit {
    const char *find, *insert;
} edit;

typedef struct texts {
    em_arena arena;
    em_text text;
    em_lines lines;
} texts;

static void texts_open(texts *t, em_slice bytes)
{
    *t = (texts){0};
    assert_int_equal(em_text_open(bytes, NULL, &t->arena, &t->text, NULL), EM_OK);
    assert_int_equal(em_lines_init(&t->text, &t->arena, &t->lines), EM_OK);
}

static void texts_drop(texts *t)
{
    em_arena_drop(&t->arena);
}

static em_splice splice_of(em_slice text, const edit *e)
{
    const char *found = memmem(text.ptr, text.len, e->find, strlen(e->find));
    assert_non_null(found);
    em_splice whole = {.offset = (size_t)(found - text.ptr),
                       .length = strlen(e->find),
                       .insert = em_slice_of(e->insert)};
    return em_splice_trim(text, whole);
}

/* The lines that an edit doubles: "behind 2-3", "before 1-1", or "". */
static void told(texts *t, em_splices splices, size_t index, char *out, size_t size)
{
    em_doubled doubled;
    assert_int_equal(em_doubled_by(&t->lines, splices, index, &t->arena, &doubled), EM_OK);
    *out = '\0';
    if (doubled.there.start < doubled.there.end)
        snprintf(out, size, "%s %zu-%zu", doubled.follow ? "behind" : "before",
                 em_lines_at(&t->lines, doubled.there.start),
                 em_lines_at(&t->lines, doubled.there.end - 1));
}

static void lines_that_stand_beside_what_an_edit_brings(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        edit edits[2]; /* the first one counts */
        const char *told;
    } cases[] = {
        /* The new text ends with what follows it, or begins with what precedes it. */
        {"a\n" SECOND, {{"a\n", "a\n" SECOND}}, "behind 2-2"},
        {"a\n" SECOND, {{"a", "b\nthe second line of it"}}, "behind 2-2"},
        {"a\n" SECOND "\n" THIRD "z\n", {{"a\n", "b\n" SECOND "\n" THIRD}}, "behind 2-4"},
        {FIRST "b\n", {{"b\n", FIRST "c\n"}}, "before 1-1"},
        {"x\n" FIRST "\nb", {{"b", "the first line of it\n\nc"}}, "before 2-3"},
        {"a b\r\nthe second line of it\r\n", {{"b\r\n", "c\r\n" SECOND}}, "behind 2-2"},
        {"a\nthe second line of it", {{"a\n", "a\n" SECOND}}, "behind 2-2"},
        {"a\n" SECOND "z", {{"a", "b\nthe second line of it\nz"}}, "behind 2-3"},
        {"a b\r\nthe second line of it\r\n", {{"b", "c\r\nthe second line of it"}}, "behind 2-2"},
        {"\xEF\xBB\xBF" FIRST "b", {{"b", FIRST "c"}}, "before 1-1"},
        /* also where the line at its end is one that stays. */
        {"a\n  }\n" SECOND "  }\n", {{"a\n  }\n", "b\n" SECOND "  }\n"}}, "behind 3-4"},
        {"a\n  }\n\n" SECOND "  }\n", {{"a\n  }\n", "b\n\n" SECOND "  }\n"}}, "behind 3-5"},
        {"  {\n" FIRST "\n  {\na\n", {{"  {\na\n", "  {\n" FIRST "\nb\n"}}, "before 1-3"},
        /* What it leaves as it is does not count, */
        {FIRST SECOND, {{FIRST, "b\n" FIRST}}, ""},
        {FIRST "x\n" FIRST, {{"x\n", "x\ny\n"}}, ""},
        {"x\n" FIRST FIRST, {{"x\n" FIRST, "y\nz\n" FIRST}}, ""},
        /* nor does what says little, */
        {"a\n    }\n}\n", {{"a\n", "a\n    }\n}\n"}}, ""},
        {"a\n\n\n", {{"a\n", "a\n\n\n"}}, ""},
        /* nor what is there several times in any case, */
        {FIRST "the first line of it", {{FIRST "the first line of it", FIRST FIRST "end\n"}}, ""},
        {"a\n" SECOND SECOND, {{"a\n", "a\n" SECOND}}, ""},
        {FIRST FIRST "b\n", {{"b\n", FIRST "b\n"}}, ""},
        /* nor parts of lines, */
        {"a\nand the second line of it\n", {{"a\n", "a\nthe second line of it\n"}}, ""},
        {"a " SECOND, {{"a", "the second line of it a"}}, ""},
        {"see the first line of it\nb\n", {{"b\n", FIRST "c\n"}}, ""},
        /* nor what another edit changes. */
        {"a\n" SECOND, {{"a\n", "a\n" SECOND}, {"second", "last"}}, ""},
        {"a\n" SECOND "b\n", {{"a\n", "a\n" SECOND}, {"b", "c"}}, "behind 2-2"},
        {"a\nthe second line of it and\n",
         {{"a\n", "a\nthe second line of it\n"}, {" and", " or"}},
         ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        texts t;
        char found[64];
        texts_open(&t, em_slice_of(cases[i].text));
        em_splice splices[2];
        size_t count = 0;
        for (; count < 2 && cases[i].edits[count].find; count++)
            splices[count] = splice_of(t.text.body, &cases[i].edits[count]);
        told(&t, (em_splices){splices, count}, 0, found, sizeof found);
        if (strcmp(found, cases[i].told) != 0)
            fail_msg("case %zu: \"%s\", not \"%s\"", i, found, cases[i].told);
        texts_drop(&t);
    }
}

/* The line before may be the one that the edit before brought something to. */
static void the_second_edit_counts_as_well(void **state)
{
    (void)state;
    texts t;
    char found[64];
    texts_open(&t, EM_LIT("a\n" SECOND "b\n" THIRD));
    const edit edits[] = {{"a", "A"}, {"b\n", "b\n" THIRD}};
    em_splice splices[] = {splice_of(t.text.body, &edits[0]), splice_of(t.text.body, &edits[1])};
    told(&t, (em_splices){splices, 2}, 0, found, sizeof found);
    assert_string_equal(found, "");
    told(&t, (em_splices){splices, 2}, 1, found, sizeof found);
    assert_string_equal(found, "behind 4-4");
    texts_drop(&t);
}

/* `count` bytes and, if they are to be, a line ending behind them. */
static em_slice long_line(size_t count, const char *behind, em_arena *arena)
{
    char *bytes = em_alloc(arena, count + strlen(behind) + 1);
    assert_non_null(bytes);
    memset(bytes, 'x', count);
    memcpy(bytes + count, behind, strlen(behind));
    return em_slice_make(bytes, count + strlen(behind));
}

/* Neither the lines of a page that has few nor all of a rewrite are looked at. */
static void what_is_long_is_passed_by(void **state)
{
    (void)state;
    static const struct {
        size_t line, added;
        const char *told;
    } cases[] = {{100, 0, "behind 2-2"}, {5000, 0, ""}, {100, 70000, ""}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        texts t;
        char found[64];
        EM_AUTO(em_arena) arena = {0};
        em_slice added = long_line(cases[i].added, "\n" SECOND, &arena);
        texts_open(&t, long_line(cases[i].line, "!\n" SECOND, &arena));
        em_splice splice = {.offset = cases[i].line, .length = 2, .insert = added};
        told(&t, (em_splices){&splice, 1}, 0, found, sizeof found);
        assert_string_equal(found, cases[i].told);
        texts_drop(&t);
    }
}

static void memory_may_end(void **state)
{
    (void)state;
    texts t;
    em_doubled doubled;
    texts_open(&t, EM_LIT("a\n" SECOND));
    const edit e = {"a\n", "a\n" SECOND};
    em_splice splice = splice_of(t.text.body, &e);
    em_status status = EM_E_NOMEM;
    for (long left = 0; status != EM_OK; left++) {
        EM_AUTO(em_arena) scratch = {0};
        mallocs_left = left;
        status = em_doubled_by(&t.lines, (em_splices){&splice, 1}, 0, &scratch, &doubled);
        mallocs_left = -1;
        assert_true(status == EM_OK ? left > 0 : status == EM_E_NOMEM);
    }
    texts_drop(&t);
}

/* So many lines and the same ones once more: of a longer rewrite it is not asked. */
static void of_many_lines_it_is_not_told_whether_they_come_twice(void **state)
{
    (void)state;
    for (size_t half = 128; half <= 129; half++) {
        texts t;
        em_brought_twice twice;
        EM_AUTO(em_arena) arena = {0};
        enum { LINE = sizeof "0000 words of it" };
        char *bytes = em_alloc(&arena, 2 * half * LINE + 1);
        assert_non_null(bytes);
        for (size_t i = 0; i < 2 * half; i++)
            snprintf(bytes + i * LINE, LINE + 1, "%04zu words of it\n", i % half);
        texts_open(&t, EM_LIT("a\nb\n"));
        em_splice splice = {.offset = 2, .insert = em_slice_make(bytes, 2 * half * LINE)};
        em_op op = {.insert = em_slice_make(bytes, half * LINE)};
        assert_int_equal(
            em_brought_twice_by(&t.lines, (em_splices){&splice, 1}, 0, &op, 1, &arena, &twice),
            EM_OK);
        assert_int_equal(twice.count, half == 128 ? half : 0);
        assert_int_equal(twice.line, half == 128 ? 2 : 0);
        texts_drop(&t);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_that_stand_beside_what_an_edit_brings),
        cmocka_unit_test(the_second_edit_counts_as_well),
        cmocka_unit_test(what_is_long_is_passed_by),
        cmocka_unit_test(memory_may_end),
        cmocka_unit_test(of_many_lines_it_is_not_told_whether_they_come_twice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

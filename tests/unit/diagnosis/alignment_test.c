#include "diagnosis/alignment.h"

#include "aligned.h"
#include "base/strbuf.h"

#define THREE "first(alpha);\nsecond(beta);\nthird(gamma);\n"

static const struct {
    const char *what, *text, *find;
    size_t sent, seen;  /* the line that is known to be there, in both */
    const char *became; /* a letter for each: Stayed, Renamed, Became, Went, Came */
    em_weight weight;
} cases[] = {
    {"all of it is there", THREE, THREE, 1, 1, "SSS", {0, 0, 0, 0}},
    {"written otherwise",
     "  first( alpha );\n\nsecond(beta);\nthird(gamma);\n",
     THREE,
     1,
     2,
     "SSS",
     {0, 0, 0, 0}},
    {"a word is another",
     "first(alpha);\nsecond(beta);\nthird(delta);\n",
     THREE,
     1,
     1,
     "SSR",
     {2, 1, 1, 0}},
    {"above", "first(delta);\nsecond(beta);\nthird(gamma);\n", THREE, 1, 1, "RSS", {2, 1, 1, 0}},
    {"the same word in two lines",
     "first(omega);\nsecond(beta);\nthird(omega);\n",
     "first(alpha);\nsecond(beta);\nthird(alpha);\n",
     1,
     1,
     "RSR",
     {2, 2, 2, 0}},
    {"two words",
     "first(omega);\nsecond(beta);\nthird(delta);\n",
     THREE,
     1,
     1,
     "RSR",
     {4, 2, 2, 0}},
    {"a number",
     "first(2);\nsecond(beta);\n",
     "first(1);\nsecond(beta);\n",
     1,
     1,
     "RS",
     {0, 1, 1, 1}},
    {"another line", "first(alpha);\nx = 4\nthird(gamma);\n", THREE, 0, 0, "SBS", {2, 1, 5, 0}},
    {"a line less", "first(alpha);\nsecond(beta);\n", THREE, 1, 1, "SSW", {2, 1, 5, 0}},
    {"above", "second(beta);\nthird(gamma);\n", THREE, 1, 0, "WSS", {2, 1, 5, 0}},
    {"a line more",
     "first(alpha);\nsecond(beta);\nx = 4\nthird(gamma);\n",
     THREE,
     1,
     1,
     "SSCS",
     {1, 1, 3, 0}},
    {"above",
     "first(alpha);\nx = 4\nsecond(beta);\nthird(gamma);\n",
     THREE,
     1,
     2,
     "SCSS",
     {1, 1, 3, 0}},
    {"two lines more",
     "zero();\nfirst(alpha);\nsecond(beta);\nx = 4\nthird(gamma);\n",
     "zero();\nfirst(alpha);\nthird(gamma);\n",
     2,
     4,
     "SSCCS",
     {2, 2, 8, 0}},
    {"a comment is no line more",
     "first(alpha);\nsecond(beta);\n// why\nthird(gamma);\n",
     THREE,
     1,
     1,
     "SSCS",
     {1, 0, 3, 0}},
    {"nor is one behind a line",
     "first(alpha); // why\nsecond(beta);\nthird(gamma);\n",
     THREE,
     1,
     1,
     "SSS",
     {0, 0, 0, 0}},
    {"what is beyond does not count",
     "x = 4\nfirst(alpha);\nsecond(beta);\nthird(gamma);\ny = 5\n",
     THREE,
     1,
     2,
     "SSS",
     {0, 0, 0, 0}},
};

static const char letters[] = {
    [EM_STAYED] = 'S', [EM_RENAMED] = 'R', [EM_BECAME] = 'B', [EM_WENT] = 'W', [EM_CAME] = 'C'};

static void check_fates(const char *what, const em_alignment *c, const em_fates *fates,
                        const char *became)
{
    size_t sent = 0;
    char got[20] = {0};
    assert_in_range(fates->count, 1, sizeof got - 1);
    for (size_t i = 0; i < fates->count; i++) {
        const em_line_fate *f = &fates->items[i];
        got[i] = letters[f->what];
        check_size(what, f->seen == NULL, f->what == EM_WENT);
        check_size(what, f->sent, f->what == EM_CAME ? EM_NPOS : sent);
        sent += f->what != EM_CAME;
        if (f->what == EM_STAYED)
            assert_true(em_tokened_line_same_code(&c->find, f->sent, f->seen, f->line));
    }
    check_bytes(what, em_slice_of(got), em_slice_of(became));
    check_size(what, sent, c->find.count);
}

static void each_line_has_its_fate(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_alignment c;
        em_surroundings around;
        em_fates fates;
        em_weight weight;
        em_line_change range = {.first = cases[i].sent, .end = cases[i].sent + 1};
        assert_int_equal(align(cases[i].text, cases[i].find, "", &arena, &c), EM_OK);
        em_span span = lines_at(c.text, cases[i].seen, cases[i].seen + 1);
        assert_int_equal(em_fates_of(&c, &range, span, &around, &fates), EM_OK);
        check_fates(cases[i].what, &c, &fates, cases[i].became);
        assert_int_equal(em_weigh_changes(&c, &range, span, &weight), EM_OK);
        check_size(cases[i].what, weight.changes, cases[i].weight.changes);
        check_size(cases[i].what, weight.lines, cases[i].weight.lines);
        check_size(cases[i].what, weight.tokens, cases[i].weight.tokens);
        check_size(cases[i].what, weight.numbers, cases[i].weight.numbers);
    }
}

static void a_file_may_end_long_before(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) find = {0};
    em_alignment c;
    em_surroundings around;
    em_fates fates;
    em_weight weight;
    em_line_change range = {.first = 0, .end = 1};
    for (size_t i = 0; i < 2 * BAND; i++)
        em_strbuf_printf(&find, "line %zu\n", i);
    const char *lines = em_strbuf_finish(&find, &arena);
    assert_non_null(lines);
    assert_int_equal(align("line 0\n", lines, "", &arena, &c), EM_OK);
    assert_int_equal(em_fates_of(&c, &range, lines_at(c.text, 0, 1), &around, &fates), EM_OK);
    assert_int_equal(fates.count, 2 * BAND);
    for (size_t i = 1; i < fates.count; i++) {
        assert_int_equal(fates.items[i].what, EM_WENT);
        assert_int_equal(fates.items[i].sent, i);
    }
    assert_int_equal(em_weigh_changes(&c, &range, lines_at(c.text, 0, 1), &weight), EM_OK);
    assert_int_equal(weight.changes, EM_CHANGE * (2 * BAND - 1));
    assert_int_equal(weight.lines, 2 * BAND - 1);
    assert_int_equal(weight.tokens, 2 * (2 * BAND - 1));
}

static void new_lines_are_of_one_of_their_neighbours(void **state)
{
    (void)state;
    static const struct {
        const char *insert;
        em_neighbour neighbour;
    } inserts[] = {
        {"a b\nnew one\nc d\n", EM_EITHER},      {"a b\nnew one\n\nc d\n", EM_UPPER},
        {"a b\n\nnew one\nc d\n", EM_LOWER},     {"a b\n\nnew one\n\nc d\n", EM_EITHER},
        {"a b\n\n\nnew one\n\nc d\n", EM_LOWER},
    };
    for (size_t i = 0; i < COUNT_OF(inserts); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_alignment c;
        em_line_change of = {.first = 1, .end = 1, .first_new = 1, .end_new = 2};
        assert_int_equal(align("", "a b\nc d\n", inserts[i].insert, &arena, &c), EM_OK);
        check_size(inserts[i].insert, em_neighbour_of(&c, &of), inserts[i].neighbour);
    }
}

static void fewer_tokens_in_no_more_lines_are_finer(void **state)
{
    (void)state;
    em_weight weight = {.changes = 4, .lines = 2, .tokens = 5};
    assert_true(em_weight_is_finer((em_weight){9, 2, 4, 0}, weight));
    assert_true(em_weight_is_finer((em_weight){9, 1, 4, 0}, weight));
    assert_false(em_weight_is_finer((em_weight){0, 3, 4, 0}, weight));
    assert_false(em_weight_is_finer((em_weight){0, 2, 5, 0}, weight));
}

static void a_deadline_that_passed_is_told(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_deadline deadline = {.at = 1, .passed = true};
    em_alignment c;
    em_surroundings around;
    em_fates fates;
    em_weight weight;
    em_line_change range = {.first = 1, .end = 2};
    assert_int_equal(align(THREE, THREE, "", &arena, &c), EM_OK);
    c.deadline = &deadline;
    em_span span = lines_at(c.text, 1, 2);
    assert_int_equal(em_fates_of(&c, &range, span, &around, &fates), EM_E_TIMEOUT);
    assert_int_equal(em_weigh_changes(&c, &range, span, &weight), EM_E_TIMEOUT);
}

static em_status run(em_arena *arena, const void *context)
{
    em_alignment c;
    em_surroundings around;
    em_fates fates;
    em_weight weight;
    em_line_change range = {.first = 1, .end = 2};
    (void)context;
    EM_TRY(align(THREE, THREE, "", arena, &c));
    em_span span = lines_at(c.text, 1, 2);
    EM_TRY(em_fates_of(&c, &range, span, &around, &fates));
    return em_weigh_changes(&c, &range, span, &weight);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce("three lines", run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_line_has_its_fate),
        cmocka_unit_test(a_file_may_end_long_before),
        cmocka_unit_test(new_lines_are_of_one_of_their_neighbours),
        cmocka_unit_test(fewer_tokens_in_no_more_lines_are_finer),
        cmocka_unit_test(a_deadline_that_passed_is_told),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

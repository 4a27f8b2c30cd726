#include "diagnosis/diagnose.h"

#include "match/tiers.h"
#include "scarce_arena.h"

/* One question about all of a text. */
typedef struct asked {
    em_text text;
    em_lines lines;
    em_draft draft;
    em_occurrences in;
    em_located located;
    em_diagnosis diagnosis;
} asked;

static void asked_drop(asked *a)
{
    em_draft_drop(&a->draft);
}

static em_status ask(asked *a, const char *text, em_slice find, em_slice insert, size_t expect,
                     em_deadline *deadline, em_arena *arena)
{
    em_slice body = em_slice_of(text);
    *a = (asked){.in = {.text = body, .arena = arena}};
    EM_TRY(em_text_open(body, NULL, arena, &a->text, NULL));
    EM_TRY(em_lines_init(&a->text, arena, &a->lines));
    EM_TRY(em_tiers_locate(&a->in, find, insert, EM_TIER_FUZZY, NULL, arena, &a->located));
    EM_TRY(em_draft_init(&a->draft, body, 0));
    em_question question = {.draft = &a->draft,
                            .lines = &a->lines,
                            .text = body,
                            .part = {0, body.len},
                            .within = {0, body.len},
                            .in = &a->in,
                            .find = find,
                            .insert = insert,
                            .expect = expect,
                            .located = &a->located,
                            .deadline = deadline};
    return em_diagnose(&question, arena, &a->diagnosis);
}

#define CODE "begin(alpha);\n    middle_line(beta, gamma);\nend(delta);\n"

static const struct {
    const char *what, *text, *find, *insert;
    em_miss miss;
    size_t line;                           /* of the first place; 0: there is none */
    const char *right_find, *right_insert; /* NULL: nobody knows */
} cases[] = {
    {"indentation", CODE, "  middle_line(beta, gamma);\n", "  middle_line(beta, omega);\n",
     EM_MISS_INDENTATION, 2, "    middle_line(beta, gamma);\n", "    middle_line(beta, omega);\n"},
    {"a tab for spaces", CODE, "\tmiddle_line(beta, gamma);\n", "\tmiddle_line(beta, omega);\n",
     EM_MISS_TABS, 2, "    middle_line(beta, gamma);\n", "    middle_line(beta, omega);\n"},
    {"blanks", CODE, "middle_line( beta, gamma);", "middle_line( beta, omega);", EM_MISS_BLANKS, 2,
     "middle_line(beta, gamma);", "middle_line(beta, omega);"},
    {"quotes", "say(\"alpha, beta, gamma\");\n", "say('alpha, beta, gamma');\n",
     "say('omega, beta, gamma');\n", EM_MISS_QUOTES, 1, "say(\"alpha, beta, gamma\");\n",
     "say(\"omega, beta, gamma\");\n"},
    {"case", CODE, "Middle_Line(beta, gamma);", "Middle_Line(beta, omega);", EM_MISS_CASE, 2,
     "middle_line(beta, gamma);", "middle_line(beta, omega);"},
    {"case of many letters", CODE, "MIDDLE_LINE(beta, gamma);", "MIDDLE_LINE(beta, omega);",
     EM_MISS_CASE, 2, "middle_line(beta, gamma);", "middle_line(beta, omega);"},
    {"a slip", CODE, "midlde_line(beta, gamma);", "midlde_line(beta, omega);", EM_MISS_TYPO, 2,
     "middle_line(beta, gamma);", "middle_line(beta, omega);"},
    {"numbered lines", CODE, "1 | begin(alpha);\n2 |     middle_line(beta, gamma);\n",
     "1 | begin(alpha);\n2 |     middle_line(beta, omega);\n", EM_MISS_LINE_NUMBERS, 1,
     "begin(alpha);\n    middle_line(beta, gamma);\n",
     "begin(alpha);\n    middle_line(beta, omega);\n"},
    {"numbered lines, some of which lost theirs", CODE,
     "1|begin(alpha);\n2|    middle_line(beta, gamma);\n",
     "1|begin(alpha);\nif (x)\n    middle_line(beta, gamma);\n", EM_MISS_LINE_NUMBERS, 1, NULL,
     NULL},
    {"such lines of another file", CODE, "1|begin(alpha);\n2|    middle_line(delta, gamma);\n",
     "1|begin(alpha);\nif (x)\n    middle_line(delta, gamma);\n", EM_MISS_STALE, 1, NULL, NULL},
    {"a break for its escape", "print(\"alpha\\nbeta gamma\");\n",
     "print(\"alpha\nbeta gamma\");\n", "print(\"alpha\nbeta omega\");\n", EM_MISS_UNESCAPED, 1,
     "print(\"alpha\\nbeta gamma\");\n", "print(\"alpha\\nbeta omega\");\n"},
    {"one of two, and a replacement that lacks it", "x\nprint(\"alpha\\nbeta\\n\", gamma);\n",
     "print(\"alpha\nbeta\n\", gamma);\n", "show(\"alpha\nbeta\", omega);\n", EM_MISS_UNESCAPED, 2,
     NULL, NULL},
    {"signs of a patch", CODE, "-    middle_line(beta, gamma);", "+    middle_line(beta, omega);",
     EM_MISS_PATCH, 2, "    middle_line(beta, gamma);", "    middle_line(beta, omega);"},
    {"lines of a patch that only come", CODE, "     middle_line(beta, gamma);\n end(delta);\n",
     "     middle_line(beta, gamma);\n+    more(omega);\n end(delta);\n", EM_MISS_PATCH, 2,
     "    middle_line(beta, gamma);\nend(delta);\n",
     "    middle_line(beta, gamma);\n    more(omega);\nend(delta);\n"},
    {"lines of a patch that only go", CODE,
     "@@ -2,2 +2 @@\n-    middle_line(beta, gamma);\n end(delta);", " end(delta);", EM_MISS_PATCH,
     2, "    middle_line(beta, gamma);\nend(delta);", "end(delta);"},
    {"such signs, and half a line", CODE, "-beta, gamma);", "+beta, omega);", EM_MISS_UNKNOWN, 2,
     NULL, NULL},
    {"a JSON string", "x\n  foo(\"1\");\n  bar(2);\n", "\"foo(\\\"1\\\");\\nbar(2);\"",
     "\"foo(\\\"3\\\");\\nbar(2);\"", EM_MISS_ESCAPES, 2, "foo(\"1\");\n  bar(2);",
     "foo(\"3\");\n  bar(2);"},
    {"with half of one for it", "x\nfoo(\"1\");\n", "\"foo(\\\"1\\\");\"", "\"foo(\\\"3\\\");",
     EM_MISS_ESCAPES, 2, NULL, NULL},
    {"line breaks as escapes beside one of the file's own", "x\n  foo(\"1\\n\");\n  bar(2);\n",
     "foo(\"1\\n\");\\n  bar(2);", "foo(\"3\\n\");\\n  bar(2);", EM_MISS_ESCAPES, 2,
     "foo(\"1\\n\");\n  bar(2);", "foo(\"3\\n\");\n  bar(2);"},
    {"beside one that may be, in the replacement", CODE,
     "begin(alpha);\\n    middle_line(beta, gamma);",
     "begin(alpha \\times 2);\\n    middle_line(beta, gamma);", EM_MISS_ESCAPES, 1, NULL, NULL},
    {"in a fence", "x\n  foo(\"1\\n\");\n  bar(2);\n", "```c\\n  foo(\"1\\n\");\\n  bar(2);\\n```",
     "```c\\n  foo(\"3\\n\");\\n  bar(2);\\n```", EM_MISS_ESCAPES, 2, "  foo(\"1\\n\");\n  bar(2);",
     "  foo(\"3\\n\");\n  bar(2);"},
    {"behind numbers", "x\n  foo(\"1\\n\");\n  bar(2);\n", "2|  foo(\"1\\n\");\\n3|  bar(2);",
     "2|  foo(\"3\\n\");\\n3|  bar(2);", EM_MISS_ESCAPES, 2, "  foo(\"1\\n\");\n  bar(2);",
     "  foo(\"3\\n\");\n  bar(2);"},
    {"... and a tab that may be none", "x\n  foo(\"1\\n\");\n  bar(2);\n",
     "2|  foo(\"1\\n\");\\n3|  bar(2);", "\\times foo;\\n  bar(2);", EM_MISS_ESCAPES, 2, NULL,
     NULL},
    {"... which the file has at half a line", "x = foo(\"1\\n\");\n  bar(2);\n",
     "2| foo(\"1\\n\");\\n3|  bar(2);", "2| foo(\"3\\n\");\\n3|  bar(2);", EM_MISS_UNKNOWN, 1, NULL,
     NULL},
    {"a line break for a blank", "x\nfoo(\"1\\n\"); bar(2);\n", "foo(\"1\\n\");\\nbar(2);",
     "foo(\"3\\n\");\\nbar(2);", EM_MISS_UNKNOWN, 2, NULL, NULL},
    {"a middle that is left out, before an end that stands twice",
     "begin(alpha, beta) {\n  a;\n}\nb {\n}\n", "begin(alpha, beta) {\n  // ...\n}\n",
     "begin(alpha, omega) {\n  // ...\n}\n", EM_MISS_ELIDED, 1, "begin(alpha, beta) {\n",
     "begin(alpha, omega) {\n"},
    {"lines that the replacement does not leave out, too", CODE,
     "begin(alpha);\n...\nend(delta);\n", "begin(alpha);\nend(delta);\n", EM_MISS_ELIDED, 1, NULL,
     NULL},
    {"lines between what stands nowhere", CODE, "begin(gamma);\n...\nend(delta);\n",
     "end(delta);\n", EM_MISS_STALE, 3, NULL, NULL},
    {"another word beside the change", CODE,
     "begin(omega);\n    middle_line(beta, gamma);\nend(delta);\n",
     "begin(omega);\n    middle_line(beta, new);\nend(delta);\n", EM_MISS_STALE, 1,
     "    middle_line(beta, gamma);", "    middle_line(beta, new);"},
    {"a line without its last sign", CODE, "end(delta)\n", "end(omega)\n", EM_MISS_CUT, 3, NULL,
     NULL},
    {"a telling one", CODE, "    middle_line(beta, gamma)\n", "    middle_line(beta, omega)\n",
     EM_MISS_TYPO, 2, "    middle_line(beta, gamma);\n", "    middle_line(beta, omega);\n"},
    {"a slip in a line that is nearly twice as long, and not half like it",
     "x\n  some_y = configuration.value_of_it + other(1);\n", "configuration.valeu_of_it", "other",
     EM_MISS_TYPO, 2, "configuration.value_of_it", "other"},
    {"another form of a word in several lines",
     "def collect(rows):\n    results = []\n    for row in rows:\n        results.append(row)\n",
     "def collect(rows):\n    result = []\n    for row in rows:\n        results.append(row)\n",
     "def collect(rows):\n    results = list()\n    for row in rows:\n        "
     "results.append(row)\n",
     EM_MISS_TYPO, 1,
     "def collect(rows):\n    results = []\n    for row in rows:\n        results.append(row)\n",
     "def collect(rows):\n    results = list()\n    for row in rows:\n        "
     "results.append(row)\n"},
    {"one that stands elsewhere in another case", "For example:\nit is\nfor example\nso\n",
     "For example\n", "", EM_MISS_CUT, 1, NULL, NULL},
    {"a line that goes on", "a = 1; // one\nb = 2;\n", "a = 1;\n", "a = 3;\n", EM_MISS_CUT, 1, NULL,
     NULL},
    {"a line that begins before", "x\n/* c */ go();\ny\n", "\ngo();\n", "\nrun();\n", EM_MISS_CUT,
     2, NULL, NULL},
    {"a line that begins before, as the replacement does", "x\n[gem]: alpha  beta\n",
     "gem]: alpha beta", "[gem]: alpha gamma", EM_MISS_CUT, 2, "[gem]: alpha  beta",
     "[gem]: alpha  gamma"},
    {"nothing like it", CODE, "wholly_different = 12345\n", "x = 4\n", EM_MISS_UNKNOWN, 0, NULL,
     NULL},
};

static void a_miss_says_what_to_send(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(asked) a;
        assert_int_equal(ask(&a, cases[i].text, em_slice_of(cases[i].find),
                             em_slice_of(cases[i].insert), 1, NULL, &arena),
                         EM_OK);
        const em_diagnosis *d = &a.diagnosis;
        check_bytes(cases[i].what, em_slice_of(em_miss_name(d->miss)),
                    em_slice_of(em_miss_name(cases[i].miss)));
        check_size(cases[i].what, d->has_correction, cases[i].right_find != NULL);
        if (d->has_correction) {
            check_bytes(cases[i].what, d->correction.find, em_slice_of(cases[i].right_find));
            check_bytes(cases[i].what, d->correction.insert, em_slice_of(cases[i].right_insert));
        }
        check_size(cases[i].what, d->near_count > 0, cases[i].line > 0);
        if (d->near_count > 0)
            check_size(cases[i].what, d->near[0].line, cases[i].line);
        assert_false(d->timed_out);
        assert_true(d->near_count <= EM_MOST_NEAR);
    }
}

/* That the line ends is right, and what it ends with is not. */
static void a_cut_line_is_told_by_what_it_lacks(void **state)
{
    (void)state;
    static const struct {
        const char *text, *find;
        const char *expected, *found; /* of the first difference */
        const char *to_copy;
    } rows[] = {
        {"f(x);\ng(y);\n", "f(x)\n", "f(x)", "f(x);", "f(x);\n"},
        {"f(x);\r\ng(y);\r\n", "f(x)\n", "f(x)", "f(x);", "f(x);\r\n"},
        {"a = 1; // one\nb = 2;\n", "a = 1;\n", "1;", "1; // one", "a = 1; // one\n"},
        {"x\n/* c */ go();\ny\n", "\ngo();\n", "go();", "/* c */ go();", "\n/* c */ go();\n"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(asked) a;
        assert_int_equal(
            ask(&a, rows[i].text, em_slice_of(rows[i].find), EM_LIT("new\n"), 1, NULL, &arena),
            EM_OK);
        assert_true(a.diagnosis.near_count > 0);
        const em_near *near = &a.diagnosis.near[0];
        assert_int_equal(near->differences.count, 1);
        check_bytes(rows[i].find, near->differences.items[0].expected,
                    em_slice_of(rows[i].expected));
        check_bytes(rows[i].find, near->differences.items[0].found, em_slice_of(rows[i].found));
        check_bytes(rows[i].find, near->to_copy, em_slice_of(rows[i].to_copy));
    }
}

static void places_come_by_falling_similarity(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(asked) a;
    assert_int_equal(ask(&a,
                         "middle_line(beta, omega, 4);\nother();\n"
                         "middle_line(beta, gamma, 5);\nother();\n"
                         "middle_lane(beta, kappa, 4);\n",
                         EM_LIT("middle_line(beta, gamma, 4);\n"), EM_LIT("x = 4\n"), 1, NULL,
                         &arena),
                     EM_OK);
    assert_true(a.diagnosis.near_count >= 2);
    for (size_t i = 0; i < a.diagnosis.near_count; i++) {
        const em_near *near = &a.diagnosis.near[i];
        assert_true(near->similarity > 0 && near->similarity <= 1);
        assert_true(i == 0 || near->piece_similarity <= near[-1].piece_similarity);
        assert_int_equal(near->line, near->end_line);
        assert_true(near->stands);
        assert_false(near->inserted);
        assert_true(near->differences.count > 0);
    }
    check_bytes("the best", a.diagnosis.near[0].content, EM_LIT("middle_line(beta, gamma, 5);"));
}

static void several_places_are_a_miss_of_their_own(void **state)
{
    (void)state;
    for (size_t expect = 1; expect <= 2; expect++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(asked) a;
        assert_int_equal(ask(&a, "    middle_line(beta);\nother();\n    middle_line(beta);\n",
                             EM_LIT("  middle_line(beta);\n"), EM_LIT("  middle_line(gamma);\n"),
                             expect, NULL, &arena),
                         EM_OK);
        assert_int_equal(a.diagnosis.miss,
                         expect == 1 ? EM_MISS_SEVERAL_PLACES : EM_MISS_INDENTATION);
        assert_int_equal(a.diagnosis.has_correction, expect == 2);
    }
}

static void a_nul_stands_nowhere(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(asked) a;
    assert_int_equal(
        ask(&a, CODE, EM_LIT("middle_line(beta,\0gamma);\n"), EM_LIT("x = 4\n"), 1, NULL, &arena),
        EM_OK);
    assert_int_equal(a.diagnosis.miss, EM_MISS_NUL);
    assert_false(a.diagnosis.has_correction);
}

static void running_out_of_time_is_no_failure(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(asked) a;
    em_deadline deadline = {.at = 1, .passed = true};
    assert_int_equal(ask(&a, CODE, EM_LIT("wholly_different = 12345\n"), EM_LIT("x = 4\n"), 1,
                         &deadline, &arena),
                     EM_OK);
    assert_true(a.diagnosis.timed_out);
    assert_false(a.diagnosis.has_correction);
}

static em_status run(em_arena *arena, const void *context)
{
    EM_AUTO(asked) a;
    size_t index = *(const size_t *)context;
    return ask(&a, cases[index].text, em_slice_of(cases[index].find),
               em_slice_of(cases[index].insert), 1, NULL, arena);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    static const size_t indexes[] = {0, 4, 8, 9, 10, 12};
    for (size_t i = 0; i < COUNT_OF(indexes); i++)
        check_scarce(cases[indexes[i]].what, run, &indexes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_miss_says_what_to_send),
        cmocka_unit_test(a_cut_line_is_told_by_what_it_lacks),
        cmocka_unit_test(places_come_by_falling_similarity),
        cmocka_unit_test(several_places_are_a_miss_of_their_own),
        cmocka_unit_test(a_nul_stands_nowhere),
        cmocka_unit_test(running_out_of_time_is_no_failure),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "diagnosis/other_place.h"

#include "aligned.h"

enum { NONE = -1 };

#define TWO(first, second)                                                                         \
    "f() {\n    " first "\n    return x;\n}\n\ng() {\n    " second "\n    return x;\n}\n"

static const struct {
    const char *what, *text, *find;
    size_t sent, seen; /* the line that is known to be there, in both */
    int line;          /* of the search text that is elsewhere; NONE: none is */
    size_t at;         /* that line in the text */
} cases[] = {
    {"a return of another function", TWO("first_line(alpha);", "second_line(beta);"),
     "    second_line(beta);\n    return x;\n", 1, 2, 0, 6},
    {"that of this one", TWO("first_line(alpha);", "second_line(beta);"),
     "    second_line(beta);\n    return x;\n", 1, 7, NONE, 0},
    {"a comment and blanks aside", TWO("first_line(alpha);", "second_line( beta );  // why"),
     "second_line(beta);\nreturn x;\n", 1, 2, 0, 6},
    {"a line that is gone", TWO("first_line(alpha);", "second_line(beta);"),
     "    third_line(gamma);\n    return x;\n", 1, 2, NONE, 0},
    {"a line that is there twice",
     TWO("first_line(alpha);", "second_line(beta);\n    second_line(beta);"),
     "    second_line(beta);\n    return x;\n", 1, 2, NONE, 0},
    {"a line that says nothing", TWO("first_line(alpha);", "});"), "    });\n    return x;\n", 1, 2,
     NONE, 0},
    {"more of it is here, but as much has changed", TWO("alpha_beta_gamma(delta, epsilon);", "b c"),
     "    alpha_beta_gamma(delta, epsilon);\n    b c\n    return x;\n", 2, 2, 1, 6},
    {"the most telling of two", TWO("first_line(alpha);", "b c\n    second_line(beta);"),
     "    b c\n    second_line(beta);\n    return x;\n", 2, 2, 1, 7},
    {"more of it is here, and less has changed",
     "f() {\n    alpha_beta_gamma(delta, epsilon);\n    return x;\n}\n\ng() {\n    b c\n}\n",
     "    alpha_beta_gamma(delta, epsilon);\n    b c\n    return x;\n", 2, 2, NONE, 0},
};

static em_status find_other(size_t index, em_deadline *deadline, em_arena *arena, em_alignment *c,
                            em_other_place *other)
{
    em_surroundings around;
    em_fates fates;
    em_line_change range = {.first = cases[index].sent, .end = cases[index].sent + 1};
    EM_TRY(align(cases[index].text, cases[index].find, "", arena, c));
    em_span span = lines_at(c->text, cases[index].seen, cases[index].seen + 1);
    EM_TRY(em_fates_of(c, &range, span, &around, &fates));
    c->deadline = deadline;
    return em_find_other_place(c, &range, span, &fates, other);
}

static void a_line_that_is_elsewhere_tells_the_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_alignment c;
        em_other_place other;
        assert_int_equal(find_other(i, NULL, &arena, &c, &other), EM_OK);
        check_size(cases[i].what, other.line,
                   cases[i].line == NONE ? EM_NPOS : (size_t)cases[i].line);
        if (cases[i].line == NONE)
            continue;
        em_span want = lines_at(c.text, cases[i].at, cases[i].at + 1);
        check_size(cases[i].what, other.span.start, want.start);
        check_size(cases[i].what, other.span.end, want.end);
    }
}

static void a_deadline_that_passed_is_told(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_deadline deadline = {.at = 1, .passed = true};
    em_alignment c;
    em_other_place other;
    assert_int_equal(find_other(0, &deadline, &arena, &c, &other), EM_E_TIMEOUT);
}

static em_status run(em_arena *arena, const void *context)
{
    em_alignment c;
    em_other_place other;
    (void)context;
    return find_other(0, NULL, arena, &c, &other);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce(cases[0].what, run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_line_that_is_elsewhere_tells_the_place),
        cmocka_unit_test(a_deadline_that_passed_is_told),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

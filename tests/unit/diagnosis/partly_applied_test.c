#include "diagnosis/partly_applied.h"

#include "aligned.h"

#define FIRST "first(alpha);\n"
#define SECOND "second(beta);\n"
#define THIRD "third(gamma);\n"
#define NEW "check(alpha);\n"

static const struct {
    const char *what, *text, *find, *insert;
    em_line_change of;
    size_t sent, seen; /* the line that is known to be there, in both */
    bool sound;
    const char *mended; /* NULL: it is not known */
    bool is_meant_elsewhere;
} cases[] = {
    {"the context has changed",
     "first(omega);\n" SECOND THIRD,
     FIRST SECOND THIRD,
     FIRST "second(delta);\n" THIRD,
     {1, 2, 1, 2},
     1,
     1,
     true,
     NULL,
     false},
    {"a new line is there already",
     FIRST NEW SECOND THIRD,
     FIRST SECOND THIRD,
     FIRST NEW "second(delta);\n" THIRD,
     {1, 2, 1, 3},
     1,
     2,
     false,
     FIRST NEW SECOND THIRD,
     false},
    {"below the line that changes",
     FIRST SECOND NEW THIRD,
     FIRST SECOND THIRD,
     FIRST "second(delta);\n" NEW THIRD,
     {1, 2, 1, 3},
     1,
     1,
     false,
     FIRST SECOND NEW THIRD,
     false},
    {"where nothing else changes",
     FIRST NEW SECOND THIRD,
     FIRST SECOND THIRD,
     FIRST NEW SECOND THIRD,
     {1, 1, 1, 2},
     1,
     2,
     false,
     FIRST NEW SECOND THIRD,
     false},
    {"one like it is there",
     FIRST "check(omega);\n" SECOND THIRD,
     FIRST SECOND THIRD,
     FIRST NEW "second(delta);\n" THIRD,
     {1, 2, 1, 3},
     1,
     2,
     false,
     NULL,
     false},
    {"another one is there",
     FIRST "x = 4\n" SECOND THIRD,
     FIRST SECOND THIRD,
     FIRST NEW "second(delta);\n" THIRD,
     {1, 2, 1, 3},
     1,
     2,
     true,
     NULL,
     false},
    {"it is further up",
     NEW FIRST SECOND THIRD,
     FIRST SECOND THIRD,
     FIRST NEW "second(delta);\n" THIRD,
     {1, 2, 1, 3},
     1,
     2,
     true,
     NULL,
     false},
    {"a line that goes has gone",
     FIRST SECOND THIRD,
     FIRST SECOND SECOND THIRD,
     FIRST SECOND THIRD,
     {1, 2, 1, 1},
     1,
     1,
     false,
     FIRST SECOND THIRD,
     false},
    {"a line is twice there",
     FIRST SECOND SECOND THIRD,
     FIRST SECOND SECOND THIRD,
     FIRST SECOND THIRD,
     {1, 2, 1, 1},
     1,
     1,
     true,
     NULL,
     false},
    {"the sign of the line above",
     "x = [\n  one_item\n]\n",
     "x = [\n  one_item,\n]\n",
     "x = [\n  one_item,\n  two_item\n]\n",
     {2, 2, 2, 3},
     2,
     2,
     false,
     "x = [\n  one_item\n]\n",
     false},
    {"and not that of the new last line",
     "x = [\n  one_item\n]\n",
     "x = [\n  one_item,\n]\n",
     "x = [\n  one_item,\n  two_item,\n]\n",
     {2, 2, 2, 3},
     2,
     2,
     false,
     NULL,
     false},
    {"a sign for another",
     "x = {\n  one_item;\n}\n",
     "x = {\n  one_item,\n}\n",
     "x = {\n  one_item,\n  two_item;\n}\n",
     {2, 2, 2, 3},
     2,
     2,
     false,
     "x = {\n  one_item;\n}\n",
     false},
    {"one of two lines has gone, and the other one moves",
     FIRST SECOND THIRD,
     FIRST SECOND SECOND THIRD,
     FIRST "  second(beta);\n" SECOND THIRD,
     {1, 2, 1, 2},
     1,
     1,
     false,
     NULL,
     false},
    {"a new line stands above the search text",
     NEW SECOND "third(omega);\n",
     SECOND THIRD,
     NEW SECOND THIRD,
     {0, 0, 0, 1},
     0,
     1,
     false,
     NULL,
     false},
    {"it stands apart",
     FIRST SECOND THIRD NEW "fourth(delta);\n",
     FIRST SECOND THIRD "fourth(delta);\n",
     FIRST NEW "second(delta);\n" THIRD "fourth(delta);\n",
     {1, 2, 1, 3},
     1,
     1,
     false,
     NULL,
     false},
    {"new lines whose neighbour is no longer there",
     FIRST "\nx = 4\n",
     FIRST "\n" SECOND,
     FIRST "\n" NEW SECOND,
     {1, 1, 1, 2},
     0,
     0,
     false,
     NULL,
     false},
    {"new lines whose neighbour is there",
     "x = 4\n\n" SECOND,
     FIRST "\n" SECOND,
     FIRST "\n" NEW SECOND,
     {1, 1, 1, 2},
     1,
     2,
     true,
     NULL,
     false},
    {"another place is meant",
     "f() {\n    first_line(alpha);\n    return x;\n}\ng() {\n    second_line(beta);\n    return "
     "x;\n}\n",
     "    second_line(beta);\n    return x;\n",
     "    second_line(beta);\n    return y;\n",
     {1, 2, 1, 2},
     1,
     2,
     false,
     NULL,
     true},
};

static em_status outcome_of(size_t index, em_deadline *deadline, em_arena *arena,
                            em_change_outcome *outcome)
{
    em_alignment c;
    em_line_change range = {.first = cases[index].sent, .end = cases[index].sent + 1};
    EM_TRY(align(cases[index].text, cases[index].find, cases[index].insert, arena, &c));
    c.deadline = deadline;
    em_span lines = lines_at(c.text, cases[index].seen, cases[index].seen + 1);
    return em_change_outcome_of(&c, &cases[index].of, &range, lines, outcome);
}

static void what_is_there_already_is_seen(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_change_outcome outcome;
        assert_int_equal(outcome_of(i, NULL, &arena, &outcome), EM_OK);
        check_size(cases[i].what, outcome.sound, cases[i].sound);
        check_bytes(cases[i].what, outcome.mended,
                    em_slice_of(cases[i].mended ? cases[i].mended : ""));
        check_size(cases[i].what, outcome.other_place.line != EM_NPOS, cases[i].is_meant_elsewhere);
    }
}

static void a_deadline_that_passed_is_told(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_deadline deadline = {.at = 1, .passed = true};
    em_change_outcome outcome;
    assert_int_equal(outcome_of(0, &deadline, &arena, &outcome), EM_E_TIMEOUT);
}

static em_status run(em_arena *arena, const void *context)
{
    em_change_outcome outcome;
    (void)context;
    return outcome_of(1, NULL, arena, &outcome);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce(cases[1].what, run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_there_already_is_seen),
        cmocka_unit_test(a_deadline_that_passed_is_told),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "laying/misplaced.h"

#include "placed.h"

#define BY_FOUR                                                                                    \
    {                                                                                              \
        .spaces = {' ', 4, false}, .told = true                                                    \
    }

static const struct {
    const char *what, *text, *find, *insert;
    em_indent_habit habit;
    bool misplaced;
} cases[] = {
    {"one that is a blank beside a step", "if r:\n    if b:\n        w\n        j\n    s\n",
     "j\n     s", "         if e:\n             j\n     s", BY_FOUR, true},
    {"the file's are no steps", "x:\n   a\n    b\n", "a\n    b", "    n:\n        a\n    b",
     BY_FOUR, false},
    {"steps are not known",
     "x:\n    a\n    b\n",
     "a\n     b",
     "     n:\n         a\n     b",
     {.spaces = {' ', 4, false}, .told = false},
     false},
    {"two steps behind a line that came bare", "x:\n    y:\n        a\n", "y:\n    a",
     "y:\n        n:\n            a", BY_FOUR, true},
    {"aligned behind it", "x:\n    y(a,\n      b)\n", "y(a,\n  b)",
     "foo(a,\n            b,\n    c)", BY_FOUR, false},
    {"a list behind it", "x:\n    y = [\n      b]\n", "y = [\n  b]",
     "z = [\n            b,\n    c]", BY_FOUR, false},
    {"one step", "x:\n    y:\n        a\n", "y:\n    a", "y:\n    n:\n        a", BY_FOUR, false},
    {"a block that is less deep than what is in it", "d:\n    a\n    b\n", "        b",
     "    if x:\n        b", BY_FOUR, true},
    {"as deep", "d:\n    a\n    b\n", "        b", "        if x:\n            b", BY_FOUR, false},
    {"it goes on with one above", "d:\n    a\n    b\n", "        b", "    else:\n        b",
     BY_FOUR, false},
    {"a label", "d {\n    a  x\n}\n", "    a x", "private:\n    a x", BY_FOUR, false},
    {"the end of the block", "d:\n    a  x\n", "    a x", "    a x\ne:\n    y", BY_FOUR, false},
    {"the column of a patch", "a b\nc  d\n", "a b\nc d", " a b\n n\n c d", {.told = false}, true},
    {"one line alone", "a  b\n", "a b", " a b\n n", {.told = false}, false},
    {"and another that does not move",
     "a b\nc  d\ne\n",
     "a b\nc d\ne",
     " a b\n c d\n n\ne",
     {.told = false},
     false},
    {"and a new one without it",
     "a b\nc  d\n",
     "a b\nc d",
     " a b\n c d\nn",
     {.told = false},
     false},
    {"a blank is a step",
     "a b\nc  d\n",
     "a b\nc d",
     " a b\n c d",
     {.spaces = {' ', 1, false}, .told = true},
     false},
    {"new lines a blank beside the steps that they came in", "f {\n    t\n        a\n    b\n}\n",
     "         a\n     b\n", "        n\n        m\n", BY_FOUR, true},
    {"behind a line that lost its indentation", "f {\n    a;\n    b;\n}\n", "a;\nb;\n",
     "a;\nb;\n    n;\n", BY_FOUR, true},
    {"behind one that ends in a remark", "f {\n    a;\n    b; /* c */\n}\n", "a;\nb; /* c */\n",
     "a;\nb; /* c */\n    n;\n", BY_FOUR, true},
    {"behind one that opens a block", "f {\n    a;\n    b {\n    }\n}\n", "a;\nb {\n",
     "a;\nb {\n    n;\n", BY_FOUR, false},
    {"behind one that goes on", "f {\n    a;\n    b(c,\n      d);\n}\n", "a;\nb(c,\n",
     "a;\nb(c,\n    n,\n", BY_FOUR, false},
    {"behind an item", "f:\n    a\n    - b: 1\n", "a\n- b: 1\n", "a\n- b: 1\n    n\n", BY_FOUR,
     false},
    {"as deep as it was sent to be", "f {\n    a;\n    b;\n}\n", "  a;\n  b;\n",
     "  a;\n  b;\n      n;\n", BY_FOUR, false},
    {"before a line that lost its indentation", "f {\n    a;\n    b;\n}\n", "a;\nb;\n",
     "    n;\n    m;\na;\nb;\n", BY_FOUR, true},
    {"before one that ends a block", "f {\n    {\n    }\n    b;\n}\n", "}\nb;\n", "    n;\n}\nb;\n",
     BY_FOUR, false},
    {"no deeper than the end of its block", "f {\n    if {\n        a;\n    }\n}\n",
     "    if {\n        a;\n  }\n", "    if {\n        a;\n    n;\n  }\n", BY_FOUR, true},
    {"or as deep as what goes on behind it", "f:\n    if b:\n        a\n    else:\n        c\n",
     "    if b:\n        a\n  else:\n", "    if b:\n        a\n    n\n  else:\n", BY_FOUR, true},
    {"but for the last line of a comment", "f {\n    /* a\n     * b\n     */\n}\n",
     "    /* a\n     * b\n    */\n", "    /* a\n     * b\n     * n\n    */\n", BY_FOUR, false},
    {"where it was sent as deep", "f {\n    if {\n        a;\n    }\n}\n",
     "    if {\n        a;\n  }\n", "    if {\n        a;\n  n:\n  }\n", BY_FOUR, false},
    {"two steps deeper than what opens its block",
     "f {\n    g {\n        /* k */\n        b;\n        if o {\n            m {\n                "
     "n;\n",
     "        /* k */\n        b;\n        if o {\n        m {\n            n;\n",
     "        /* k */\n        if r {\n            b;\n        }\n        if o {\n        m {\n    "
     "        n;\n",
     BY_FOUR, true},
    {"tabs for a file whose steps are taken for narrower ones",
     "f:\n    a:\n        b\n    c\n",
     "f:\n\ta:\n\t\tb\n",
     "f:\n\td:\n\t\te\n\ta:\n\t\tb\n",
     {.spaces = {' ', 2, false}, .told = true},
     false},
    {"tabs", "d:\n\ta\n\tb\n", "\t\tb", "\tif x:\n\t\tb", {.tabs = true}, true},
};

static void nobody_puts_lines_there(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice text = em_slice_of(cases[i].text);
        em_tolerant_place place;
        em_laid laid;
        bool unused;
        assert_int_equal(
            place_of(cases[i].what, cases[i].text, cases[i].find, cases[i].insert, &arena, &place),
            EM_OK);
        assert_int_equal(em_transplant_difference(text, &place, EM_EOL_LF, &arena, &laid, &unused),
                         EM_OK);
        if (em_has_misplaced_line(text, &place, &laid, cases[i].habit) != cases[i].misplaced)
            fail_msg("%s", cases[i].what);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(nobody_puts_lines_there),
    };
    return cmocka_run_group_tests_name("misplaced", tests, NULL, NULL);
}

#include "laying/slipped.h"

#include "placed.h"

#define FILE_OF(lines) "f() {\n" lines "}\n"
#define SAME "the same"

static const struct {
    const char *what, *text, *find, *insert;
    const char *wanted_find, *wanted_insert; /* SAME: as it was */
    bool clear;
} cases[] = {
    /* a blank or so */
    {"of the search text alone", FILE_OF("    a();\n    b();\n"), "    a();\n     b();\n",
     "    if (p) {\n        a();\n        b();\n    }\n", "    a();\n    b();\n", SAME, true},
    {"less deep", FILE_OF("    a();\n    b();\n"), "    a();\n   b();\n",
     "    if (p) {\n        a();\n        b();\n    }\n", "    a();\n    b();\n", SAME, true},
    {"of both", FILE_OF("    a();\n    b();\n"), "    a();\n     b();\n",
     "    if (p) {\n        a();\n         b();\n    }\n", "    a();\n    b();\n",
     "    if (p) {\n        a();\n        b();\n    }\n", true},
    {"a new line below goes with it", FILE_OF("    a();\n    b();\n"), "    a();\n     b();\n",
     "    a();\n     b();\n     c();\n", "    a();\n    b();\n", "    a();\n    b();\n    c();\n",
     true},
    {"a new line above", FILE_OF("    a();\n    b();\n"), "    a();\n     b();\n",
     "    a();\n     c();\n     b();\n", "    a();\n    b();\n", "    a();\n    c();\n    b();\n",
     true},
    {"a new block", FILE_OF("    a();\n    b();\n"), "    a();\n     b();\n",
     "    a();\n     b();\n     if (p) {\n         c();\n     }\n", "    a();\n    b();\n",
     "    a();\n    b();\n    if (p) {\n        c();\n    }\n", true},
    {"a new line at a right depth does not", FILE_OF("    a();\n    b();\n"),
     "    a();\n     b();\n", "    a();\n     b();\n    c();\n", "    a();\n    b();\n",
     "    a();\n    b();\n    c();\n", true},
    {"all lines by the same blank, as those of a diff", FILE_OF("    a();\n    b();\n"),
     "     a();\n     b();\n", "     a();\n     c();\n     b();\n", "    a();\n    b();\n",
     "    a();\n    c();\n    b();\n", true},
    {"and new lines that are aligned below one", FILE_OF("    a();\n    b();\n"),
     "     a();\n     b();\n",
     "     a();\n     c(d,\n       e);\n     g(h,\n        i);\n     b();\n",
     "    a();\n    b();\n", "    a();\n    c(d,\n      e);\n    g(h,\n       i);\n    b();\n",
     true},
    {"or below a line that stays", FILE_OF("    a(one,\n      two,\n      six);\n"),
     "     a(one,\n       two,\n       six);\n",
     "     a(one,\n       two,\n       three,\n       six);\n",
     "    a(one,\n      two,\n      six);\n", "    a(one,\n      two,\n      three,\n      six);\n",
     true},
    {"but not those at a right depth", FILE_OF("    a();\n    b();\n"), "     a();\n     b();\n",
     "     a();\n    c();\n     b();\n", "    a();\n    b();\n", "    a();\n    c();\n    b();\n",
     true},
    {"nor where that is the width of the caller's steps", FILE_OF("  a();\n  b();\n"),
     "   a();\n   b();\n", "   a();\n   if (p) {\n      b();\n   }\n", SAME, SAME, true},
    {"or the file's are wider by it", FILE_OF("    a();\n    b();\n"), "   a();\n   b();\n",
     "   a();\n   if (p) {\n      b();\n   }\n", SAME, SAME, true},
    {"nor where one line is as deep as in the file, of all that are in such steps",
     "f() {\n  if (p) {\n    if (q) {\n      a();\n    }\n  }\n}\n",
     "if (p) {\n   if (q) {\n      a();\n   }\n}\n", "if (q) {\n   a();\n}\n", SAME, SAME, true},
    {"or what stays comes into one of them", "if (p) {\n    a();\n}\nb();\n", "   a();\n}\nb();\n",
     "   a();\n}\nif (q) {\n   b();\n}\n", SAME, SAME, true},
    {"but where the replacement has the file's steps", FILE_OF("  a();\n  b();\n"),
     "   a();\n   b();\n", "   a();\n   if (p) {\n     b();\n   }\n", "  a();\n  b();\n",
     "  a();\n  if (p) {\n    b();\n  }\n", true},
    {"or a line in no such steps", FILE_OF("    a();\n    b();\n"), "     a();\n     b();\n",
     "     a();\n     if (p) {\n          c();\n      d();\n     }\n     b();\n",
     "    a();\n    b();\n", "    a();\n    if (p) {\n         c();\n     d();\n    }\n    b();\n",
     true},
    {"what is steps from a cut line does not go with it", FILE_OF("    a();\n    b();\n"),
     "   a();\n    b();\n", "   a();\n    b(c,\n       d);\n", "    a();\n    b();\n",
     "    a();\n    b(c,\n       d);\n", true},
    {"all lines at other depths", FILE_OF("    a();\n    b();\n"), "  a();\n  b();\n",
     "  a();\n  c();\n", SAME, SAME, true},
    {"no line", FILE_OF("    a();\n    b();\n"), "    a();\n    b();\n", "    a();\n     b();\n",
     SAME, SAME, true},
    {"a search text that begins bare", FILE_OF("    a();\n    b();\n"), "a();\n    b();\n",
     "a();\n    c();\n", SAME, SAME, true},
    /* whole steps */
    {"behind a new line that opens a block", FILE_OF("    a();\n    b();\n    c();\n"),
     "    a();\n    b();\n        c();\n",
     "    a();\n    b();\n    if (p) {\n        c();\n    }\n", "    a();\n    b();\n    c();\n",
     SAME, true},
    {"and deeper than that in the replacement", FILE_OF("    a();\n    b();\n    c();\n"),
     "    a();\n    b();\n        c();\n",
     "    a();\n    b();\n    if (p) {\n            c();\n    }\n",
     "    a();\n    b();\n    c();\n", "    a();\n    b();\n    if (p) {\n        c();\n    }\n",
     true},
    {"behind a line that stays", FILE_OF("    a();\n    b();\n    c();\n"),
     "    a();\n    b();\n        c();\n",
     "    if (p) {\n        a();\n        b();\n            c();\n    }\n",
     "    a();\n    b();\n    c();\n",
     "    if (p) {\n        a();\n        b();\n        c();\n    }\n", true},
    {"which the replacement has as the file", FILE_OF("    a();\n    b();\n    c();\n"),
     "    a();\n    b();\n        c();\n",
     "    if (p) {\n        a();\n        b();\n        c();\n    }\n",
     "    a();\n    b();\n    c();\n", SAME, true},
    {"behind a new block that is over", FILE_OF("    a();\n    b();\n    c();\n"),
     "    a();\n    b();\n        c();\n",
     "    a();\n    b();\n    if (p) {\n        d();\n    }\n    c();\n",
     "    a();\n    b();\n    c();\n", SAME, true},
    {"of a line without its indentation", FILE_OF("    a();\n    b();\n    c();\n"),
     "    a();\n    b();\nc();\n",
     "    a();\n    b();\n    if (p) {\n        if (q) {\n            d();\n        }\n    }\n    "
     "c();\n",
     "    a();\n    b();\n    c();\n", SAME, true},
    {"and in the wrong depth of the search text", FILE_OF("    a();\n    b();\n    c();\n"),
     "    a();\n    b();\n        c();\n",
     "    a();\n    b();\n    if (p) {\n        d();\n    }\n        c();\n",
     "    a();\n    b();\n    c();\n",
     "    a();\n    b();\n    if (p) {\n        d();\n    }\n    c();\n", true},
    {"behind a new block that nothing ends", FILE_OF("    a()\n    b()\n    c()\n"),
     "    a()\n    b()\n        c()\n", "    a()\n    b()\n    if p:\n        d()\n    c()\n",
     "    a()\n    b()\n    c()\n", SAME, true},
    {"but most lines are to be right", FILE_OF("    a();\n    b();\n"), "    a();\n        b();\n",
     "    a();\n    if (p) {\n        b();\n    }\n", SAME, SAME, true},
    {"all lines are a blank too deep, also one that goes",
     FILE_OF("  a => sub {\n    b(1);\n  },\n  c => 1,\n"), "     b(1);\n   },\n",
     "     b(1);\n   d(2);\n", "    b(1);\n  },\n", "    b(1);\n  d(2);\n", true},
    {"for which a block comes", FILE_OF("    a();\n"), " f() {\n     a();\n }\n",
     " f() {\n     if (p) {\n         b();\n     }\n }\n", "f() {\n    a();\n}\n",
     "f() {\n    if (p) {\n        b();\n    }\n}\n", true},
    {"or they lack one", FILE_OF("    if (p) {\n        a();\n    }\n"),
     "   if (p) {\n       a();\n   }\n",
     "   if (p) {\n       if (q) {\n           b();\n       }\n   }\n",
     "    if (p) {\n        a();\n    }\n",
     "    if (p) {\n        if (q) {\n            b();\n        }\n    }\n", true},
    {"behind lines that are aligned", "f(one,\n  two) {\n    a();\n}\n",
     " f(one,\n   two) {\n     a();\n",
     " f(one,\n   two) {\n     if (p) {\n         b();\n     }\n", "f(one,\n  two) {\n    a();\n",
     "f(one,\n  two) {\n    if (p) {\n        b();\n    }\n", true},
    {"one that was aligned comes a step deeper than its statement",
     FILE_OF("    a(one,\n      two);\n    b();\n"), "     a(one,\n       two);\n     b();\n",
     "     a(one,\n         two);\n     b();\n", "    a(one,\n      two);\n    b();\n",
     "    a(one,\n        two);\n    b();\n", true},
    {"as has the first, which came bare and comes into a block", FILE_OF("    a();\n    b();\n"),
     "a();\n     b();\n", "if (p) {\n         a();\n         b();\n     }\n", "a();\n    b();\n",
     "if (p) {\n        a();\n        b();\n    }\n", true},
    {"or is bare in the file", "a();\nb();\n", "a();\n b();\n",
     "if (p) {\n     a();\n     b();\n }\n", "a();\nb();\n", "if (p) {\n    a();\n    b();\n}\n",
     true},
    /* tabs and spaces */
    {"a tab for spaces", FILE_OF("    a();\n    b();\n    c();\n"), "    a();\n\tb();\n    c();\n",
     "    a();\n\tb();\n    d();\n", "    a();\n    b();\n    c();\n",
     "    a();\n    b();\n    d();\n", true},
    {"deeper in the replacement", FILE_OF("    a();\n    b();\n    c();\n"),
     "    a();\n\tb();\n    c();\n", "    a();\n    if (p) {\n\t\tb();\n    }\n    c();\n",
     "    a();\n    b();\n    c();\n", "    a();\n    if (p) {\n        b();\n    }\n    c();\n",
     true},
    {"spaces for a tab", FILE_OF("\ta();\n\tb();\n\tc();\n"), "\ta();\n    b();\n\tc();\n",
     "\ta();\n    b();\n    d();\n\tc();\n", "\ta();\n\tb();\n\tc();\n",
     "\ta();\n\tb();\n\td();\n\tc();\n", true},
    {"and in a new block behind it", FILE_OF("\ta();\n\tb();\n\tc();\n"),
     "\ta();\n        b();\n\tc();\n",
     "\ta();\n        b();\n        if (p) {\n                d(e,\n                  f);\n"
     "        }\n\tc();\n",
     "\ta();\n\tb();\n\tc();\n", "\ta();\n\tb();\n\tif (p) {\n\t\td(e,\n\t\t  f);\n\t}\n\tc();\n",
     true},
    {"with a tab behind them", FILE_OF("\ta();\n\tb();\n\tc();\n"),
     "\ta();\n        b();\n\tc();\n", "\ta();\n        b();\n        \td();\n\tc();\n",
     "\ta();\n\tb();\n\tc();\n", "\ta();\n\tb();\n\t\td();\n\tc();\n", true},
    {"below a comment whose lines are right", "/*\n * f\n */\nf()\n{\n\ta();\n\tb();\n}\n",
     "/*\n * f\n */\nf()\n{\n        a();\n        b();\n}\n",
     "/*\n * f\n */\nf()\n{\n        a();\n        if (p)\n                b();\n        else\n"
     "                c();\n}\n",
     "/*\n * f\n */\nf()\n{\n\ta();\n\tb();\n}\n",
     "/*\n * f\n */\nf()\n{\n\ta();\n\tif (p)\n\t\tb();\n\telse\n\t\tc();\n}\n", true},
    {"tabs for spaces in a new block", FILE_OF("    a();\n    b();\n    c();\n"),
     "    a();\n\tb();\n    c();\n", "    a();\n\tb();\n\tif (p)\n\t\td(e,\n\t\t  f);\n    c();\n",
     "    a();\n    b();\n    c();\n",
     "    a();\n    b();\n    if (p)\n        d(e,\n          f);\n    c();\n", true},
    {"but not where lines differ on what a tab is", FILE_OF("\ta();\n\tb();\n\tc();\n\td();\n"),
     "\ta();\n    b();\n        c();\n\td();\n",
     "\ta();\n    b();\n        c();\n                e();\n\td();\n",
     "\ta();\n\tb();\n\tc();\n\td();\n", "\ta();\n\tb();\n\tc();\n                e();\n\td();\n",
     true},
    /* nobody knows */
    {"no indentation in both, in a new block", FILE_OF("    a();\n    b();\n    c();\n"),
     "    a();\n    b();\nc();\n", "    a();\n    if (p) {\n        b();\nc();\n    }\n", SAME,
     SAME, false},
    {"no indentation in both, where nothing moves", FILE_OF("    a();\n    b();\n    c();\n"),
     "    a();\n    b();\nc();\n", "    a();\n    d();\nc();\n", "    a();\n    b();\n    c();\n",
     "    a();\n    d();\n    c();\n", true},
    {"below one that slipped out of a block, as deep as what ends that",
     FILE_OF("    for x:\n        if p:\n            a()\n        else:\n            b()\n"),
     "    for x:\n        if p:\n        a()\n        else:\n",
     "    for x:\n        if p:\n        a()\n        c()\n        else:\n", SAME, SAME, false},
    {"or as deep as what stands behind it", FILE_OF("    if p:\n        a()\n    b()\n    d()\n"),
     "    if p:\n    a()\n    b()\n", "    if p:\n    a()\n    c()\n    b()\n", SAME, SAME, false},
    {"though not for a line that goes", FILE_OF("    if p:\n        a()\n    b()\n    d()\n"),
     "    if p:\n    a()\n    b()\n    d()\n", "    if p:\n    a()\n    c()\n    d()\n",
     "    if p:\n        a()\n    b()\n    d()\n", "    if p:\n        a()\n    c()\n    d()\n",
     true},
    {"above one that slipped out, behind what opens the block",
     FILE_OF("    if (p) {\n        a();\n    }\n    b();\n"),
     "    if (p) {\n    a();\n    }\n    b();\n",
     "    if (p) {\n    c();\n    a();\n    }\n    b();\n", SAME, SAME, false},
    {"but behind a line that opens none", FILE_OF("    b();\n    a(c,\n        d);\n    e();\n"),
     "    b();\n    a(c,\n    d);\n    e();\n", "    b();\n    f();\n    a(c,\n    d);\n    e();\n",
     "    b();\n    a(c,\n        d);\n    e();\n",
     "    b();\n    f();\n    a(c,\n        d);\n    e();\n", true},
    {"it may come out of the block, too",
     FILE_OF("    if (p) {\n        a();\n        b();\n        c();\n    }\n"),
     "    if (p) {\n        a();\n        b();\n            c();\n    }\n",
     "    a();\n    b();\n        c();\n", SAME, SAME, false},
    /* where the lines that slipped begin */
    {"a new line above the first, too deep for the one above it",
     FILE_OF("    a();\n    b();\n    c();\n    d();\n"), "    a();\n    b();\n        c();\n",
     "    a();\n    b();\n        e();\n        c();\n", "    a();\n    b();\n    c();\n",
     "    a();\n    b();\n    e();\n    c();\n", true},
    {"the second of two new lines", FILE_OF("    a();\n    b();\n    c();\n    d();\n"),
     "    a();\n    b();\n        c();\n",
     "    a();\n    b();\n    f();\n        e();\n        c();\n", "    a();\n    b();\n    c();\n",
     "    a();\n    b();\n    f();\n    e();\n    c();\n", true},
    {"but not behind a new one that may hold it",
     FILE_OF("    a();\n    b();\n    c();\n    d();\n"), "    a();\n    b();\n        c();\n",
     "    a();\n    b();\n    &.f\n        e();\n        c();\n", "    a();\n    b();\n    c();\n",
     "    a();\n    b();\n    &.f\n        e();\n    c();\n", true},
    {"nor behind one that holds the line which slipped",
     FILE_OF("    def a!\n      b\n      c\n    end\n"),
     "    def a!\n        b\n      c\n    end\n",
     "    def a!\n      e\n        b\n      c\n    end\n",
     "    def a!\n      b\n      c\n    end\n", "    def a!\n      e\n      b\n      c\n    end\n",
     true},
    {"a new line not deep enough", FILE_OF("    a()\n    b()\n    c()\n    d()\n"),
     "    a()\n    b()\nc()\n", "    a()\n    b()\ne()\nc()\n", "    a()\n    b()\n    c()\n",
     "    a()\n    b()\n    e()\n    c()\n", true},
    {"two of them", FILE_OF("    a()\n    b()\n    c()\n    d()\n"), "    a()\n    b()\nc()\n",
     "    a()\n    b()\ne()\nf()\nc()\n", "    a()\n    b()\n    c()\n",
     "    a()\n    b()\n    e()\n    f()\n    c()\n", true},
    {"a line that changes, and slipped by blanks", FILE_OF("    a(1);\n    b(2);\n    c();\n"),
     "    a(1);\n    b(2);\n       c();\n", "    a(1);\n       b(3);\n       c();\n",
     "    a(1);\n    b(2);\n    c();\n", "    a(1);\n    b(3);\n    c();\n", true},
    {"by a step", FILE_OF("    if (p) {\n        a(1);\n        b(2);\n        c();\n    }\n"),
     "    if (p) {\n        a(1);\n        b(2);\n            c();\n    }\n",
     "    if (p) {\n        a(1);\n            b(3);\n            c();\n    }\n", SAME, SAME,
     false},
    {"it may have moved below a new line",
     FILE_OF("    if (p) {\n        a(1);\n        b(2);\n        c();\n    }\n"),
     "    if (p) {\n        a(1);\n        b(2);\n            c();\n    }\n",
     "    if (p) {\n        a(1);\n        if (q)\n            b(3);\n            c();\n    }\n",
     "    if (p) {\n        a(1);\n        b(2);\n        c();\n    }\n", SAME, true},
    {"a new block as deep as the line that it is put around",
     FILE_OF("    a();\n    b();\n    c();\n    d();\n"), "    a();\n    b();\n        c();\n",
     "    a();\n    b();\n        if (p) {\n            c();\n        }\n", SAME, SAME, false},
    {"but not for the line that had it in its block",
     FILE_OF("    if (p) {\n        a();\n    }\n    b();\n"),
     "    if (p) {\n    a();\n    }\n    b();\n",
     "    while (q) {\n        a();\n    }\n    b();\n",
     "    if (p) {\n        a();\n    }\n    b();\n", SAME, true},
    {"a line that slipped as the one before it stays behind the block that this comes into",
     FILE_OF("    z();\n    y();\n    x();\n    w();\n    a();\n    b();\n    c();\n"),
     "    z();\n    y();\n    x();\n    w();\n        a();\n        b();\n",
     "    z();\n    y();\n    x();\n    w();\n    if (p) {\n        a();\n    }\n        b();\n",
     "    z();\n    y();\n    x();\n    w();\n    a();\n    b();\n",
     "    z();\n    y();\n    x();\n    w();\n    if (p) {\n        a();\n    }\n    b();\n", true},
};

static em_status mend(size_t index, em_arena *arena, em_tolerant_place *place, bool *clear)
{
    EM_TRY(place_of(cases[index].what, cases[index].text, cases[index].find, cases[index].insert,
                    arena, place));
    return em_mend_slipped_lines(em_slice_of(cases[index].text), arena, place, clear);
}

static void lines_that_slipped_are_mended(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tolerant_place place;
        bool clear;
        assert_int_equal(mend(i, &arena, &place, &clear), EM_OK);
        check_size(cases[i].what, clear, cases[i].clear);
        if (!clear)
            continue;
        bool find_stays = strcmp(cases[i].wanted_find, SAME) == 0,
             insert_stays = strcmp(cases[i].wanted_insert, SAME) == 0;
        check_bytes(cases[i].what, place.find,
                    em_slice_of(find_stays ? cases[i].find : cases[i].wanted_find));
        check_bytes(cases[i].what, place.insert,
                    em_slice_of(insert_stays ? cases[i].insert : cases[i].wanted_insert));
        check_tokens(cases[i].what, em_slice_of(cases[i].text), &place);
    }
}

static em_status run(em_arena *arena, const void *context)
{
    em_tolerant_place place;
    bool clear;
    return mend(*(const size_t *)context, arena, &place, &clear);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_scarce(cases[i].what, run, &i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_that_slipped_are_mended),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

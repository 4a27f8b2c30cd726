#include "diagnosis/unescaped.h"

#include "scarce_arena.h"

static const struct {
    const char *what, *text, *find, *insert;
    const char *wanted_find, *wanted_insert; /* NULL: there is none; the last: it is not clear */
} cases[] = {
    {"a break in a string", "f() {\n    print(\"a\\n\");\n}\n", "    print(\"a\n\");\n",
     "    print(\"b\n\");\n", "    print(\"a\\n\");\n", "    print(\"b\\n\");\n"},
    {"in a file of CRLFs", "f() {\r\n    print(\"a\\n\");\r\n    x();\r\n}\r\n",
     "f() {\n    print(\"a\n\");\n", "f() {\n    print(\"b\n\");\n",
     "f() {\n    print(\"a\\n\");\n", "f() {\n    print(\"b\\n\");\n"},
    {"two of them", "print(\"a\\n b\\n\");\n", "print(\"a\n b\n\");\n", "print(\"a\n c\n\");\n",
     "print(\"a\\n b\\n\");\n", "print(\"a\\n c\\n\");\n"},
    {"a tab", "re = \"[ \\t]+\"\n", "re = \"[ \t]+\"", "re = \"[ \t]*\"", "re = \"[ \\t]+\"",
     "re = \"[ \\t]*\""},
    {"what is beside it changes on both sides", "s = split(v, \"\\n\")\n", "split(v, \"\n\")",
     "splitN(v, \"\n\", 2)", "split(v, \"\\n\")", "splitN(v, \"\\n\", 2)"},
    {"a line more, like it", "print(\"a\\n\");\n", "print(\"a\n\");\n",
     "print(\"a\n\");\nprint(\"b\n\");\n", "print(\"a\\n\");\n",
     "print(\"a\\n\");\nprint(\"b\\n\");\n"},
    {"a line more, of code", "print(\"a\\n\");\n", "print(\"a\n\");\n", "print(\"a\n\");\nx();\n",
     "print(\"a\\n\");\n", "print(\"a\\n\");\nx();\n"},
    {"it goes", "print(\"a\\n\");\n", "print(\"a\n\");", "print(\"a\");", "print(\"a\\n\");",
     "print(\"a\");"},
    {"the second place has it", "a(\"x\", \"z\\n\");\na(\"x\", \"y\\n\");\n", "a(\"x\", \"y\n\");",
     "a(\"x\", \"w\n\");", "a(\"x\", \"y\\n\");", "a(\"x\", \"w\\n\");"},
    {"nobody knows which of the new ones is one", "print(\"a\\n\");\n", "print(\"a\n\");\n",
     "show(\"b\n\", 1);\nx();\n", "print(\"a\\n\");\n", NULL},
    {"nor where it has fewer", "print(\"a\\nb\\n\", x);\n", "print(\"a\nb\n\", x);",
     "show(\"a\nb\", y);", "print(\"a\\nb\\n\", x);", NULL},
    {"the replacement has the escape, and a line more", "w(1) + \"\\n\")\n", "w(1) + \"\n\")\n",
     "v(2),\nw(1) + \"\\n\")\n", "w(1) + \"\\n\")\n", "v(2),\nw(1) + \"\\n\")\n"},
    {"the line with it goes", "print(\"a\\n\");\nx();\n", "print(\"a\n\");\nx();\n", "x();\n",
     "print(\"a\\n\");\nx();\n", "x();\n"},
    {"what is behind it is something else", "print(\"a b\\n\", z);\n", "print(\"a b\n\", x);", "y",
     NULL, NULL},
    {"what is before it is something else", "show(\"a\\n\", x, y);\n", "print(\"a\n\", x, y);", "y",
     NULL, NULL},
    {"it stands there as it is", "a\nb\n", "a\nb", "a\nc", NULL, NULL},
    {"something else is there", "print(\"a\\r\");\n", "print(\"a\n\");", "print(\"b\n\");", NULL,
     NULL},
    {"there is nothing else in it", "\\n\\n", "\n\n", "\n", NULL, NULL},
};

static void texts_get_the_escapes_of_the_file(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_near_miss mended;
        bool is, clear;
        assert_int_equal(em_unescaped_of(em_slice_of(cases[i].text), em_slice_of(cases[i].find),
                                         em_slice_of(cases[i].insert), &arena, &mended, &is,
                                         &clear),
                         EM_OK);
        check_size(cases[i].what, is, cases[i].wanted_find != NULL);
        check_size(cases[i].what, clear, cases[i].wanted_insert != NULL);
        if (is)
            check_bytes(cases[i].what, mended.find, em_slice_of(cases[i].wanted_find));
        if (!clear)
            continue;
        check_bytes(cases[i].what, mended.insert, em_slice_of(cases[i].wanted_insert));
    }
}

static em_status run(em_arena *arena, const void *context)
{
    em_near_miss mended;
    bool is, clear;
    (void)context;
    return em_unescaped_of(em_slice_of(cases[0].text), em_slice_of(cases[0].find),
                           em_slice_of(cases[0].insert), arena, &mended, &is, &clear);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce("a break in a string", run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_get_the_escapes_of_the_file),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

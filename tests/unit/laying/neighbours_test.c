#include "laying/neighbours.h"

#include "placed.h"

static const struct {
    const char *what, *text, *find, *insert;
    bool doubles;
} cases[] = {
    {"the line above", "class Device(Base):\n  a()\n", "  a( )\n", "class Device(Base):\n  b()\n",
     true},
    {"... behind an empty line", "class Device(Base):\n\n  a()\n", "  a( )\n",
     "class Device(Base):\n  b()\n", true},
    {"... where the place begins with that line's end", "class Device(Base):\n  a()\n",
     "\n  a( )\n", "\nclass Device(Base):\n  b()\n", true},
    {"... at another depth", "  class Device(Base):\n    a()\n", "    a( )\n",
     "class Device(Base):\n  b()\n", false},
    {"... which stands there twice", "run_the_test(1);\nrun_the_test(1);\na()\n", "a( )\n",
     "run_the_test(1);\nb()\n", false},
    {"no more lines", "    \"active flag\",\n    \"closed\",\n", "    \"closed\" ,\n",
     "    \"active flag\",\n", false},
    {"a new block in one with the same end", "namespace a {\nvoid f(int x);\n}\n",
     "void f(int  x);\n", "void f(int x);\nvoid g()\n{\n}\n", false},
    {"... of a tag", "<blockquote>\na b\n</blockquote>\n", "a  b\n",
     "a b\n<blockquote>\nc\n</blockquote>\n", false},
    {"... of words", "{% block one %}\na b\n{% endblock %}\n", "a  b\n",
     "a b\n{% block two %}\n{% endblock %}\n", false},
    {"a line that closes and opens", "if (a) {\n  b( );\n} else {\n", "  b();\n",
     "  c();\n} else {\n", true},
    {"the line below", "  a()\n  return total(x);\n", "  a( )\n", "  b()\n  return total(x);\n",
     true},
    {"... in a file of CRLFs", "  a()\r\n  return total(x);\r\n", "  a( )\n",
     "  b()\r\n  return total(x);\r\n", true},
    {"... without an ending", "  a()\n  return total(x);", "  a( )", "  b()\n  return total(x);",
     true},
    {"a bracket at the same depth", "if (x) {\n  a()\n}\n", "  a( )\n", "  b()\n}\n", true},
    {"... behind an empty line", "if (x) {\n  a()\n\n}\n", "  a( )\n", "  b()\n}\n\n", true},
    {"... above", "{\n  a()\n", "  a( )\n", "{\n  b()\n", true},
    {"... at another depth", "  a()\n}\n", "  a( )\n", "  if (x) {\n    b()\n  }\n", false},
    {"one of the place", "run_the_test(1);\nrun_the_test(1); a()\n", "run_the_test( 1); a()\n",
     "run_the_test(1);\nb()\n", true},
    {"... which stood twice", "run_the_test(1);\nrun_the_test(1);\na()\nc()\n",
     "run_the_test(1);\na( )\n", "run_the_test(1);\nb()\n", false},
    {"another line", "class Device(Base):\n  a()\n", "  a( )\n", "class Other(Base):\n  b()\n",
     false},
    {"within a line", "x = class Device(Base) a() y\n", "a( )", "b()", false},
    {"nothing beside it", "  a()\n", "  a( )\n", "class Device(Base):\n  b()\n", false},
    {"nothing comes", "class Device(Base):\n  a()\n", "  a( )\n", "", false},
};

static void lines_that_stand_beside_the_place(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tolerant_place place;
        assert_int_equal(
            place_of(cases[i].what, cases[i].text, cases[i].find, cases[i].insert, &arena, &place),
            EM_OK);
        check_size(
            cases[i].what,
            em_doubles_neighbour(em_slice_of(cases[i].text), &place, em_slice_of(cases[i].insert)),
            cases[i].doubles);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_that_stand_beside_the_place),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

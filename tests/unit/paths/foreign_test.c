#include "paths/foreign.h"

#include "scratch.h"

#include <string.h>

/* How each is written here, and what it is. */
static void test_paths(void **state)
{
    static const struct {
        const char *path, *here;
        bool is_url, has_backslashes_alone, begins_elsewhere;
    } rows[] = {
        {"src/main.c", "src/main.c", false, false, false},
        {"src\\main.c", "src/main.c", false, true, false},
        {"src\\a/b", "src\\a/b", false, false, false},
        {"C:\\src\\main.c", "/src/main.c", false, true, true},
        {"c:/src/main.c", "/src/main.c", false, false, true},
        {"c:main.c", "c:main.c", false, false, false},
        {"~/main.c", "~/main.c", false, false, true},
        {"~", "~", false, false, false},
        {"file:///a%20b", "/a b", true, false, true},
        {"FILE://LocalHost/a", "/a", true, false, true},
        {"file:///C:/a", "/a", true, false, true},
        {"file:///a%2", "/a%2", true, false, true},
        {"file:///a%00b%zz", "/a%00b%zz", true, false, true},
        {"file://elsewhere/a", "file://elsewhere/a", false, false, true},
        {"src/caf\\303\\211.c", "src/caf\xc3\x89.c", false, false, false},
        {"src/caf\\303.c", "src/caf\\303.c", false, false, false}, /* that is no text */
        {"https://elsewhere/a", "https://elsewhere/a", false, false, false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(em_arena) arena = {0};
        assert_string_equal(em_foreign_written_here(rows[i].path, &arena), rows[i].here);
        assert_int_equal(em_foreign_is_url(rows[i].path), rows[i].is_url);
        assert_int_equal(em_foreign_has_backslashes_alone(rows[i].path),
                         rows[i].has_backslashes_alone);
        assert_int_equal(em_foreign_begins_elsewhere(rows[i].path), rows[i].begins_elsewhere);
    }
}

static void test_bare(void **state)
{
    static const struct {
        const char *path, *bare;
    } rows[] = {
        {"a b", "a b"},
        {" a\n", "a"},
        {"\"a\"", "a"},
        {" 'a b' ", "a b"},
        {"`a`", "a"},
        {"\"a'", "\"a'"},
        {"\"\"", "\"\""},
        {"", ""},
        {"[a.c](src/a.c)", "src/a.c"},
        {"`[a.c](a.c)`", "a.c"},
        {"[id]/(x)", "[id]/(x)"},
        {"[a](b)[c](d)", "[a](b)[c](d)"},
        {"[a]()", "[a]()"},
        {"x[a](b)", "x[a](b)"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        em_slice bare = em_foreign_bare(em_slice_of(rows[i].path));
        assert_true(em_slice_is(bare, rows[i].bare));
    }
}

static void test_other_readings(void **state)
{
    static const struct {
        const char *path, *reading;
    } rows[] = {
        {"src/a%C3%A4.py", "src/a\xc3\xa4.py"},
        {"my%20file.c", "my file.c"},
        {"a%C3.py", "a%C3.py"}, /* that is no text */
        {"a%0Ab%00", "a%0Ab%00"},
        {"100%", "100%"},
        {"@src/a.c", "src/a.c"},
        {"@a%20b", "a b"},
        {"https://elsewhere/a%20b", "https://elsewhere/a%20b"},
        {"@", "@"},
        {"@/a.c", "@/a.c"},
        {"a@b", "a@b"},
        {"src/a.c:12", "src/a.c"},
        {"src/a.c:12:5", "src/a.c"},
        {"src/a.c:12-20", "src/a.c"},
        {"src/a.c#L12", "src/a.c"},
        {"@src/a%20b.c#L12-L20", "src/a b.c"},
        {"a-12", "a-12"},
        {"a12", "a12"},
        {"a#12", "a#12"},
        {"a:b", "a:b"},
        {"a:", "a:"},
        {":12", ":12"},
        {"12", "12"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(em_arena) arena = {0};
        assert_string_equal(em_foreign_other_reading(rows[i].path, &arena), rows[i].reading);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_paths),
        cmocka_unit_test(test_bare),
        cmocka_unit_test(test_other_readings),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

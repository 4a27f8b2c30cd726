#include "edit/pattern_slashes.h"

#include "scarce_arena.h"

static void a_pattern_loses_its_slashes(void **state)
{
    (void)state;
    static const struct {
        const char *pattern, *bare; /* empty: it has none */
    } cases[] = {
        {"/a\\.b/", "a\\.b"},
        {"/a\\.b/g", "a\\.b"},
        {"/^a$/gm", "^a$"},
        {"/a/i", "(?i)a"},
        {"/a/sxu", "(?s)(?x)a"},
        {"/a\\/b/", "a\\/b"},
        {"/[/]/", "[/]"},
        {"/[^\\]/]b/", "[^\\]/]b"},
        {"/a/b/", ""},
        {"/a/b", ""},
        {"/usr/local/", ""},
        {"/a/z", ""},
        {"a/", ""},
        {"/a", ""},
        {"//", ""},
        {"/", ""},
        {"", ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice bare;
        assert_int_equal(em_pattern_without_slashes(em_slice_of(cases[i].pattern), &arena, &bare),
                         EM_OK);
        check_bytes(cases[i].pattern, bare, em_slice_of(cases[i].bare));
    }
}

static em_status take_off(em_arena *arena, const void *unused)
{
    em_slice bare;
    (void)unused;
    return em_pattern_without_slashes(EM_LIT("/a\\.b/i"), arena, &bare);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce("a pattern", take_off, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_pattern_loses_its_slashes),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "paths/spelling.h"

#include "scratch.h"

#include <string.h>

#define E_ACUTE "\xc3\xa9"      /* composed */
#define E_AND_ACUTE "e\xcc\x81" /* decomposed */

static void test_what_is_folded(void **state)
{
    static const struct {
        const char *text, *want;
    } rows[] = {
        {"", ""},
        {"Secret.TXT", "secret.txt"},
        {"CAF\xc3\x89", "caf" E_AND_ACUTE},
        {"caf" E_ACUTE, "caf" E_AND_ACUTE},
        {"stra\xc3\x9f"
         "e",
         "strasse"},
        {"a\xe2\x80\x8b\xc2\xad\xef\xbb\xbf"
         "b",
         "ab"},
        {"A\xff"
         "B",
         "a\xff"
         "b"},
        {"/CAF\xc3\x89//A\xff\xc3\x89/CAF\xc3\x89/",
         "/caf" E_AND_ACUTE "//a\xff\xc3\x89/caf" E_AND_ACUTE "/"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(em_arena) arena = {0};
        assert_string_equal(em_spelling_fold(rows[i].text, &arena), rows[i].want);
    }
}

static void test_other_forms(void **state)
{
    static const struct {
        const char *name;
        bool composed;
        const char *want; /* NULL: it is written so already */
    } rows[] = {
        {E_ACUTE, true, NULL},      {E_ACUTE, false, E_AND_ACUTE}, {E_AND_ACUTE, true, E_ACUTE},
        {E_AND_ACUTE, false, NULL}, {"abc", true, NULL},           {"abc", false, NULL},
        {"\xff", true, NULL},       {"\xff", false, NULL},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(em_arena) arena = {0};
        const char *other;
        assert_int_equal(em_spelling_other(rows[i].name, rows[i].composed, &arena, &other), EM_OK);
        assert_int_equal(other != NULL, rows[i].want != NULL);
        if (other)
            assert_string_equal(other, rows[i].want);
    }
}

static void test_memory_may_end(void **state)
{
    (void)state;
    bool ended = true;
    for (long at = 1; ended; at++) {
        EM_AUTO(em_arena) arena = {0};
        const char *other;
        memory_ends_at(at);
        const char *folded = em_spelling_fold("A/\xff/B", &arena);
        em_status status = em_spelling_other(E_ACUTE, false, &arena, &other);
        ended = memory_ended();
        memory_ends_at(0);
        assert_true(ended || (folded && status == EM_OK));
        assert_true(folded || ended);
        assert_true(status == EM_OK || status == EM_E_NOMEM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_folded),
        cmocka_unit_test(test_other_forms),
        cmocka_unit_test(test_memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

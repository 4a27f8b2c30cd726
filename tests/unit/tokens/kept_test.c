#include "tokens/kept.h"

#include "check_texts.h"
#include "failing_malloc.h"

static const struct {
    const char *what, *third, *a, *b;
    size_t only_a, only_b;
} pairs[] = {
    {"nothing", "", "a", "b", 0, 0},
    {"words", "a b", "a b", "a c", 2, 0},
    {"another order", "a b c", "b c a b", "x", 2, 0},
    {"CRLFs for LFs", "a;\r\nb", "a;\nb", "a; b", 1, 0},
    {"CRs for LFs", "a;\rb", "a;\nb", "a; b", 1, 0},
    {"LFs for CRLFs", "a;\n\nb", "a;\r\n\r\nb", "a;\r\nb", 1, 0},
    {"an escape is none", "a;\r\nb", "a;\\nb", "a;\nb", 0, 2},
};

static void pairs_of_tokens_are_counted(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_kept kept;
        assert_int_equal(em_kept_pairs(em_slice_of(pairs[i].third), em_slice_of(pairs[i].a),
                                       em_slice_of(pairs[i].b), &arena, &kept),
                         EM_OK);
        check_size(pairs[i].what, kept.only_a, pairs[i].only_a);
        check_size(pairs[i].what, kept.only_b, pairs[i].only_b);
    }
}

static void memory_may_run_out(void **state)
{
    (void)state;
    em_status status = EM_E_NOMEM;
    for (long left = 0; status == EM_E_NOMEM && left < 100; left++) {
        EM_AUTO(em_arena) arena = {0};
        em_kept kept;
        mallocs_left = left;
        status = em_kept_pairs(EM_LIT("a\r\nb"), EM_LIT("a\rb"), EM_LIT("a b"), &arena, &kept);
        mallocs_left = -1;
    }
    assert_int_equal(status, EM_OK);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(pairs_of_tokens_are_counted),
                                       cmocka_unit_test(memory_may_run_out)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

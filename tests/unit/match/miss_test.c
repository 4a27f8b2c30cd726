#include "match/miss.h"

#include "match/tier.h"

#include "check_texts.h"

static void each_miss_has_a_word(void **state)
{
    (void)state;
    for (int miss = EM_MISS_UNKNOWN; miss <= EM_MISS_NUL; miss++) {
        const char *name = em_miss_name((em_miss)miss);
        assert_non_null(name);
        assert_true(name[0] != '\0' && strspn(name, "abcdefghijklmnopqrstuvwxyz_") == strlen(name));
    }
    assert_string_equal(em_miss_name(EM_MISS_UNKNOWN), "not_found");
    assert_string_equal(em_miss_name(EM_MISS_TABS), "tabs_for_spaces");
    assert_string_equal(em_miss_name(EM_MISS_STALE), "stale_text");
    assert_string_equal(em_miss_name(EM_MISS_NUL), "nul");
}

/* But for escapes in both directions, for how lines end or that the last one does not, and for
 * changes of one place and of several. */
static void each_has_a_word_of_its_own(void **state)
{
    (void)state;
    for (int miss = EM_MISS_UNKNOWN; miss <= EM_MISS_NUL; miss++)
        for (int other = EM_MISS_UNKNOWN; other < miss; other++)
            assert_int_equal(strcmp(em_miss_name((em_miss)miss), em_miss_name((em_miss)other)) == 0,
                             (miss == EM_MISS_UNESCAPED && other == EM_MISS_ESCAPES) ||
                                 (miss == EM_MISS_LAST_BREAK && other == EM_MISS_LINE_ENDINGS) ||
                                 (miss == EM_MISS_CHANGES && other == EM_MISS_CHANGE));
}

static void each_tier_has_a_name(void **state)
{
    (void)state;
    assert_string_equal(em_tier_name(EM_TIER_EXACT), "exact");
    assert_string_equal(em_tier_name(EM_TIER_WHITESPACE), "whitespace");
    assert_string_equal(em_tier_name(EM_TIER_TOKEN), "token");
    assert_string_equal(em_tier_name(EM_TIER_FUZZY), "fuzzy");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_miss_has_a_word),
        cmocka_unit_test(each_has_a_word_of_its_own),
        cmocka_unit_test(each_tier_has_a_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

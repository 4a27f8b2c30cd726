#include "../dialects/memory.h"

#include "http/cause.h"

#include <string.h>

static em_observed failed(em_status status, em_cause cause)
{
    return (em_observed){.status = status, .cause = cause, .path = "a"};
}

static void check_cause(const em_mcp_called *called, const char *want)
{
    const char *got = em_http_cause(called);
    if (want ? !got || strcmp(got, want) != 0 : got != NULL)
        fail_msg("%s, not %s", got ? got : "none", want ? want : "none");
}

static void a_call_that_was_done_has_none(void **state)
{
    (void)state;
    em_observed file = failed(EM_E_NO_MATCH, EM_CAUSE_NOT_FOUND); /* of a partial success */
    check_cause(&(em_mcp_called){.tool = "x"}, NULL);
    check_cause(&(em_mcp_called){.files = &file, .file_count = 1}, NULL);
    check_cause(&(em_mcp_called){.is_error = true, .is_asked = true}, NULL);
}

static void refusals_have_a_word(void **state)
{
    (void)state;
    static const struct {
        em_status status;
        em_cause cause;
        const char *want;
    } cases[] = {
        {EM_E_NO_MATCH, EM_CAUSE_ALREADY_APPLIED, "already_applied"},
        {EM_E_NO_MATCH, EM_CAUSE_NONE, "not_found"},
        {EM_E_OUTSIDE, EM_CAUSE_NONE, "outside"},
        {EM_E_NOT_FOUND, EM_CAUSE_NONE, "no_such_file"},
        {EM_E_INTERNAL, EM_CAUSE_NONE, "internal"},
        {EM_E_DENIED, EM_CAUSE_REFUSED, "refused"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_observed files[] = {failed(EM_OK, EM_CAUSE_NONE),
                               failed(cases[i].status, cases[i].cause)};
        check_cause(&(em_mcp_called){.is_error = true, .files = files, .file_count = 2},
                    cases[i].want);
    }
    em_observed nothing = {.status = EM_E_NOT_FOUND};
    check_cause(&(em_mcp_called){.is_error = true, .files = &nothing, .file_count = 1},
                "no_such_edit");
    em_observed fine = failed(EM_OK, EM_CAUSE_NONE);
    check_cause(&(em_mcp_called){.is_error = true, .files = &fine, .file_count = 1}, "other");
}

static void calls_that_came_to_no_file(void **state)
{
    (void)state;
    check_cause(&(em_mcp_called){.is_error = true}, "arguments");
    check_cause(&(em_mcp_called){.code = EM_RPC_INVALID_PARAMS, .is_unknown = true},
                "unknown_tool");
    check_cause(&(em_mcp_called){.code = EM_RPC_INVALID_PARAMS}, "arguments");
    check_cause(&(em_mcp_called){.code = EM_RPC_INTERNAL_ERROR}, "internal");
    check_cause(&(em_mcp_called){.is_error = true, .verdict = EM_VERDICT_NO}, "refused");
    check_cause(&(em_mcp_called){.is_error = true, .verdict = EM_VERDICT_LATE}, "unanswered");
    check_cause(&(em_mcp_called){.is_error = true, .verdict = EM_VERDICT_GONE}, "cancelled");
    check_cause(&(em_mcp_called){.is_error = true, .cancelled = true}, "cancelled");
}

static void the_loosest_tier_counts(void **state)
{
    (void)state;
    static const em_tier tiers[] = {EM_TIER_EXACT, EM_TIER_TOKEN, EM_TIER_WHITESPACE};
    em_observed files[] = {{.tiers = tiers, .tier_count = 1}, {.tiers = tiers, .tier_count = 3}};
    assert_int_equal(em_http_tier(&(em_mcp_called){.files = files, .file_count = 2}),
                     EM_TIER_TOKEN);
    assert_int_equal(em_http_tier(&(em_mcp_called){.files = files, .file_count = 1}),
                     EM_TIER_EXACT);
    assert_int_equal(em_http_tier(&(em_mcp_called){.file_count = 0}), EM_TIER_EXACT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_call_that_was_done_has_none),
        cmocka_unit_test(refusals_have_a_word),
        cmocka_unit_test(calls_that_came_to_no_file),
        cmocka_unit_test(the_loosest_tier_counts),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

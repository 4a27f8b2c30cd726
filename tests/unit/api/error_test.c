#include "api.h"

#include "api/handles.h"

static void the_version_is_that_of_the_header(void **state)
{
    char version[32];
    (void)state;
    snprintf(version, sizeof version, "%d.%d.%d", EMEND_VERSION_MAJOR, EMEND_VERSION_MINOR,
             EMEND_VERSION_PATCH);
    assert_string_equal(emend_version(), version);
}

static void every_status_has_a_word_of_its_own(void **state)
{
    (void)state;
    for (int i = EMEND_OK; i <= EMEND_E_INTERNAL; i++) {
        const char *name = emend_status_name((emend_status)i);
        assert_true(name[0] != '\0');
        assert_string_not_equal(name, "unknown");
        for (int j = EMEND_OK; j < i; j++)
            assert_string_not_equal(name, emend_status_name((emend_status)j));
    }
    assert_string_equal(emend_status_name(EMEND_E_NO_MATCH), "no_match");
    assert_string_equal(emend_status_name((emend_status)(EMEND_E_INTERNAL + 1)), "unknown");
    assert_string_equal(emend_status_name((emend_status)-1), "unknown");
}

static void an_error_comes_over_whole(void **state)
{
    em_error error = EM_ERROR_INIT;
    emend_error err;
    (void)state;
    error.edit = 3;
    em_fail_cause(&error, EM_E_COUNT, EM_CAUSE_AMBIGUOUS, "twice");
    error.sys = 5;
    assert_int_equal(em_api_fail(EM_E_COUNT, &error, &err), EMEND_E_COUNT);
    assert_int_equal(err.code, EMEND_E_COUNT);
    assert_string_equal(err.cause, "ambiguous");
    assert_int_equal(err.system, 5);
    assert_int_equal(err.edit, 3);
    assert_int_equal(err.other_edit, EMEND_NO_EDIT);
    assert_string_equal(err.detail, "twice");
    assert_int_equal(em_api_fail(EM_E_COUNT, &error, NULL), EMEND_E_COUNT);
}

/* Memory that runs out tells nothing, and is no success. */
static void an_untold_failure_is_one(void **state)
{
    em_error error = EM_ERROR_INIT;
    emend_error err;
    (void)state;
    assert_int_equal(em_api_fail(EM_E_NOMEM, &error, &err), EMEND_E_NOMEM);
    assert_int_equal(err.code, EMEND_E_NOMEM);
    assert_string_equal(err.detail, "out of memory");
}

static void a_refusal_has_no_edit_at_fault(void **state)
{
    emend_error err;
    (void)state;
    assert_int_equal(em_api_refuse(EMEND_E_INVALID, "no", &err), EMEND_E_INVALID);
    assert_int_equal(err.edit, EMEND_NO_EDIT);
    assert_string_equal(err.detail, "no");
    assert_string_equal(err.cause, "");
}

static void nothing_may_be_given_back(void **state)
{
    (void)state;
    emend_free(NULL);
    emend_text_free(NULL);
    emend_plan_free(NULL);
    emend_file_close(NULL);
    emend_session_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_version_is_that_of_the_header),
        cmocka_unit_test(every_status_has_a_word_of_its_own),
        cmocka_unit_test(an_error_comes_over_whole),
        cmocka_unit_test(an_untold_failure_is_one),
        cmocka_unit_test(a_refusal_has_no_edit_at_fault),
        cmocka_unit_test(nothing_may_be_given_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "base/status.h"

#include "base/utf8.h"

#include <errno.h>

#include "../with_cmocka.h"

static void failing_fills_the_error(void **state)
{
    (void)state;
    em_error err = EM_ERROR_INIT;
    err.edit = 3;
    assert_int_equal(em_fail(&err, EM_E_COUNT, "%d of %s", 2, "three"), EM_E_COUNT);
    assert_int_equal(err.code, EM_E_COUNT);
    assert_int_equal(err.cause, EM_CAUSE_NONE);
    assert_int_equal(err.edit, 3); /* stays */
    assert_string_equal(err.detail, "2 of three");

    assert_int_equal(em_fail_cause(&err, EM_E_INVALID, EM_CAUSE_NUL, "x"), EM_E_INVALID);
    assert_int_equal(err.code, EM_E_INVALID);
    assert_int_equal(err.cause, EM_CAUSE_NUL);
    assert_int_equal(err.sys, 0);
    assert_string_equal(err.detail, "x");

    assert_int_equal(em_fail_sys(&err, ENOSPC, "fsync"), EM_E_IO);
    assert_int_equal(err.sys, ENOSPC);
    assert_int_equal(err.cause, EM_CAUSE_NONE);
    assert_string_equal(err.detail, "fsync: No space left on device");
}

static void nobody_has_to_take_the_error(void **state)
{
    (void)state;
    assert_int_equal(em_fail(NULL, EM_E_COUNT, "x"), EM_E_COUNT);
    assert_int_equal(em_fail_cause(NULL, EM_E_INVALID, EM_CAUSE_NUL, "x"), EM_E_INVALID);
    assert_int_equal(em_fail_sys(NULL, EACCES, "open"), EM_E_PERMISSION);
}

/* Whatever stands at the edge, the detail is whole characters. */
static void a_detail_is_cut_between_characters(void **state)
{
    (void)state;
    em_error err = EM_ERROR_INIT;
    em_fail(&err, EM_E_IO, "a\xC3\xA4z");
    em_error_cut(&err, 99);
    assert_string_equal(err.detail, "a\xC3\xA4z");
    em_error_cut(&err, 2);
    assert_string_equal(err.detail, "a");
    em_error_cut(&err, 0);
    assert_string_equal(err.detail, "");
}

static void a_long_detail_is_cut_between_characters(void **state)
{
    (void)state;
    char text[EM_DETAIL_SIZE * 2];
    for (size_t lead = 0; lead < 8; lead++) {
        em_error err = EM_ERROR_INIT;
        memset(text, 'x', sizeof text);
        text[EM_DETAIL_SIZE] = '\0';
        for (size_t i = lead; i + 4 < EM_DETAIL_SIZE; i += 4)
            memcpy(text + i, "\xF0\x9F\x98\x80", 4);
        em_fail(&err, EM_E_IO, "%s", text);
        em_slice detail = em_slice_of(err.detail);
        assert_int_equal(em_utf8_invalid_at(detail), EM_NPOS);
        assert_in_range(detail.len, EM_DETAIL_SIZE - 4, EM_DETAIL_SIZE - 1);
    }
}

static void errnos(void **state)
{
    (void)state;
    static const struct {
        int sys;
        em_status status;
    } cases[] = {
        {0, EM_OK},
        {ENOENT, EM_E_NOT_FOUND},
        {ENOTDIR, EM_E_NOT_FOUND},
        {EEXIST, EM_E_EXISTS},
        {EXDEV, EM_E_OUTSIDE},
        {EACCES, EM_E_PERMISSION},
        {EPERM, EM_E_PERMISSION},
        {EROFS, EM_E_PERMISSION},
        {EISDIR, EM_E_IS_FOLDER},
        {ELOOP, EM_E_PATH},
        {ENAMETOOLONG, EM_E_PATH},
        {ENOMEM, EM_E_NOMEM},
        {ETIMEDOUT, EM_E_TIMEOUT},
        {EIO, EM_E_IO},
        {ENOSPC, EM_E_IO},
        {EDQUOT, EM_E_IO},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_int_equal(em_status_of_errno(cases[i].sys), cases[i].status);
}

static void every_cause_has_a_word_of_its_own(void **state)
{
    (void)state;
    assert_string_equal(em_cause_name(EM_CAUSE_NONE), "");
    assert_string_equal(em_cause_name(EM_CAUSE_ALREADY_APPLIED), "already_applied");
    em_cause last = EM_CAUSE_STATE_DIR;
    while (em_cause_name(last + 1)[0]) /* the compiler sees to it that each has one */
        last++;
    for (em_cause a = EM_CAUSE_NOT_FOUND; a <= last; a++)
        for (em_cause b = EM_CAUSE_NONE; b < a; b++)
            assert_string_not_equal(em_cause_name(a), em_cause_name(b));
}

static em_status tries(em_status first, int *reached)
{
    EM_TRY(first);
    *reached = 1;
    return EM_E_COUNT;
}

static void try_returns_what_failed(void **state)
{
    (void)state;
    int reached = 0;
    assert_int_equal(tries(EM_E_IO, &reached), EM_E_IO);
    assert_int_equal(reached, 0);
    assert_int_equal(tries(EM_OK, &reached), EM_E_COUNT);
    assert_int_equal(reached, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(failing_fills_the_error),
        cmocka_unit_test(nobody_has_to_take_the_error),
        cmocka_unit_test(a_detail_is_cut_between_characters),
        cmocka_unit_test(a_long_detail_is_cut_between_characters),
        cmocka_unit_test(errnos),
        cmocka_unit_test(every_cause_has_a_word_of_its_own),
        cmocka_unit_test(try_returns_what_failed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "scratch.h"
#include "workspace/content_store.h"
#include "workspace/ws.h"

#include <fcntl.h>
#include <sys/stat.h>

static void a_root_that_is_not_there_opens_no_session(void **state)
{
    (void)state;
    const char *roots[] = {"/tmp/emend-there-is-no-such-folder"};
    em_session_options options = {.workspace = {.roots = roots, .root_count = 1}};
    em_session *session = NULL;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_session_new(&options, &session, &err), EM_E_NOT_FOUND);
    assert_null(session);
    assert_non_null(strstr(err.detail, roots[0]));
}

static void a_client_is_copied(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    em_session_options options = {.client = "first"};
    scratch_open(&s, &options);
    char name[] = "second";
    assert_int_equal(em_session_set_client(s.session, name), EM_OK);
    name[0] = 'X';
    assert_int_equal(em_session_set_client(s.session, NULL), EM_OK);
}

static void freeing_nothing_is_nothing(void **state)
{
    (void)state;
    em_session_free(NULL);
}

static void starting_makes_no_state(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    assert_int_not_equal(access(s.state, F_OK), 0);
    assert_string_equal(em_ws_root(em_session_workspace(s.session), 0), s.root);
}

/* A content that nobody has asked for since 1970. */
static void closing_forgets_what_is_due(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    em_content content = {.old = EM_LIT("old")};
    em_hash hash = em_hash_of(content.old);
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 0}};
    char path[300];
    scratch_open(&s, NULL);
    em_workspace *ws = em_session_workspace(s.session);
    assert_int_equal(em_content_store_keep(ws, hash, &content), EM_OK);
    snprintf(path, sizeof path, "%s/contents/%s", s.state, hash.hex);
    assert_int_equal(utimensat(AT_FDCWD, path, times, 0), 0);
    ws->tidy_due = true;
    em_session_free(s.session);
    s.session = NULL;
    assert_int_not_equal(access(path, F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_root_that_is_not_there_opens_no_session),
        cmocka_unit_test(a_client_is_copied),
        cmocka_unit_test(freeing_nothing_is_nothing),
        cmocka_unit_test(starting_makes_no_state),
        cmocka_unit_test(closing_forgets_what_is_due),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

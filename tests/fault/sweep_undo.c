/* sweep_undo.c: an undo of two files where the system fails, or the process is killed, at every
 * call. Either all is undone, and the history says so, or nothing is, and it can be undone still.
 * After a kill the folders that were made for one of them have gone with it, with a grace period
 * and without one, and no person is asked.
 *
 *     sweep_undo [--quick]     --quick: at every tenth call
 */
#include "../unit/session/scratch.h"

#include "fault_sys.h"
#include "session/undo.h"
#include "workspace/recover.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static long stride = 1;
static long met; /* calls at which something happened, and all was right afterwards */

static const char made[] = "d/e/b.txt"; /* with its folders, by the call */
static const char before[] = "1\n2\n3\n", after[] = "1\ntwo\n3\n";

static void edit(scratch *s)
{
    em_op ops[] = {
        {.kind = EM_OP_REPLACE, .find = EM_LIT("2"), .insert = EM_LIT("two"), .expect = 1},
        {.kind = EM_OP_REWRITE, .insert = EM_LIT("new\n")}};
    em_edit_request requests[] = {
        {.path = "a.txt", .ops = &ops[0], .op_count = 1, .tool = "edit"},
        {.path = made, .ops = &ops[1], .op_count = 1, .tool = "edit", .existence = EM_MAY_EXIST}};
    em_outcome outcomes[2];
    em_several result;
    assert_int_equal(em_run_edits(s->session, requests, 2, &s->arena, outcomes, &result), EM_OK);
    for (size_t i = 0; i < 2; i++)
        em_outcome_drop(s->session, &outcomes[i]);
}

/* A call of two files, and another session in which it is to be undone, through `sys`. */
static void scene_open(scratch *s, const em_sys *sys)
{
    em_error err = EM_ERROR_INIT;
    scratch_open(s, NULL);
    scratch_write(s, "a.txt", em_slice_of(before));
    edit(s);
    em_session_free(s->session);
    s->options.workspace.sys = sys;
    assert_int_equal(em_session_new(&s->options, &s->session, &err), EM_OK);
}

static em_status undo(scratch *s)
{
    EM_AUTO(em_arena) arena = {0};
    em_undo_request request = {.what = EM_UNDO, .tool = "undo", .want_diff = true};
    em_undo_outcome outcome;
    em_status status = em_run_undo(s->session, &request, &arena, &outcome);
    if (status != EM_OK)
        assert_int_equal(outcome.error.code, status);
    return status;
}

static bool is_there(scratch *s, const char *path, const char *text)
{
    em_slice bytes = scratch_read(s, path);
    return bytes.ptr && em_slice_is(bytes, text);
}

/* All or nothing; and with a healthy system the other of the two can be had. */
static void check_scene(scratch *s, bool must_be_undone, bool must_be_whole, long at)
{
    em_error err = EM_ERROR_INIT;
    em_recovery recovery;
    em_recover_options all = {.all = false};
    em_session_free(s->session);
    s->options.workspace.sys = NULL;
    assert_int_equal(em_session_new(&s->options, &s->session, &err), EM_OK);
    em_workspace *ws = em_session_workspace(s->session);
    assert_int_equal(em_recover(ws, &all, &s->arena, &recovery, &err), EM_OK);
    bool undone = is_there(s, "a.txt", before);
    if (is_there(s, "a.txt", after) != !undone || is_there(s, made, "new\n") != !undone ||
        (must_be_undone && !undone))
        fail_msg("call %ld: neither the one nor the other", at);
    char folder[200];
    scratch_path(s, "d", folder);
    if (must_be_whole && undone && access(folder, F_OK) == 0)
        fail_msg("call %ld: a folder that was made is left", at);
    EM_AUTO(em_arena) arena = {0};
    assert_int_equal(em_recover(ws, &all, &arena, &recovery, &err), EM_OK);
    if (must_be_whole && recovery.count > 0)
        fail_msg("call %ld: something waits for a person", at);

    em_undo_request request = {.what = undone ? EM_REDO : EM_UNDO, .tool = "x"};
    em_undo_outcome outcome;
    if (em_run_undo(s->session, &request, &s->arena, &outcome) != EM_OK)
        fail_msg("call %ld: %s", at, outcome.error.detail);
    assert_true(is_there(s, "a.txt", undone ? after : before));
    assert_int_equal(is_there(s, made, "new\n"), undone);
}

static void an_error_at_every_call(void **state)
{
    (void)state;
    long done = 0;
    for (long at = 1;; at += stride) {
        EM_AUTO(scratch) s;
        fault_sys faulty;
        fault_sys_init(&faulty, &em_sys_native);
        scene_open(&s, &faulty.sys);
        faulty.calls = 0;
        faulty.fault = (fault){.kind = FAULT_ERROR, .at = at, .error = EIO};
        em_status status = undo(&s);
        bool hit = faulty.hit;
        faulty.fault = (fault){.kind = FAULT_NONE};
        if (status == EM_OK)
            assert_true(is_there(&s, "a.txt", before));
        check_scene(&s, status == EM_OK, false, at);
        fault_sys_drop(&faulty);
        if (!hit)
            break;
        done++;
    }
    assert_true(done * stride > 200);
    met += done;
}

static void die(void *unused)
{
    (void)unused;
    kill(getpid(), SIGKILL);
}

/* The sessions of parent and child are not the same process: the child opens its own. */
static bool is_killed(scratch *s, long at)
{
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        fault_sys faulty;
        em_error err = EM_ERROR_INIT;
        fault_sys_init(&faulty, &em_sys_native);
        s->options.workspace.sys = &faulty.sys;
        if (em_session_new(&s->options, &s->session, &err) != EM_OK)
            _exit(1);
        faulty.calls = 0;
        faulty.fault = (fault){.kind = FAULT_HOOK, .at = at, .hook = die};
        _exit(undo(s) == EM_OK ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFSIGNALED(status) || WEXITSTATUS(status) == 0);
    return WIFSIGNALED(status);
}

static void kill_at_every_call(long grace_ms)
{
    long done = 0;
    for (long at = 1;; at += stride) {
        EM_AUTO(scratch) s;
        scene_open(&s, NULL);
        s.options.workspace.grace_ms = grace_ms;
        bool killed = is_killed(&s, at);
        check_scene(&s, !killed, true, at);
        if (!killed)
            break;
        done++;
    }
    assert_true(done * stride > 200);
    met += done;
}

static void a_kill_at_every_call(void **state)
{
    (void)state;
    kill_at_every_call(0);
}

static void a_kill_at_every_call_of_a_server(void **state)
{
    (void)state;
    kill_at_every_call(60000);
}

int main(int argc, char **argv)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_error_at_every_call),
        cmocka_unit_test(a_kill_at_every_call),
        cmocka_unit_test(a_kill_at_every_call_of_a_server),
    };
    if (argc > 1 && strcmp(argv[1], "--quick") == 0)
        stride = 10;
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    printf("sweep undo: %ld met over 1 scenario, %ld as documented\n", met, met);
    return failed;
}

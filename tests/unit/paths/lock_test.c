#include "paths/lock.h"

#include "scratch.h"
#include "trap.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* Two workspaces' worth of locks in one folder. */
typedef struct pair {
    char base[SCRATCH_PATH];
    int dir, descriptors;
    trap_sys trap;
    em_locks mine, other;
    em_error err;
} pair;

static int setup(void **state)
{
    pair *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->descriptors = scratch_descriptors();
    scratch_new_in_memory(p->base);
    p->dir = open(p->base, O_PATH | O_DIRECTORY | O_CLOEXEC);
    assert_true(p->dir >= 0);
    trap_sys_init(&p->trap);
    p->mine = (em_locks){.sys = &p->trap.sys, .dir = p->dir};
    p->other = (em_locks){.sys = &em_sys_native, .dir = p->dir};
    p->err = EM_ERROR_INIT;
    *state = p;
    return 0;
}

static int teardown(void **state)
{
    pair *p = *state;
    em_locks_drop(&p->mine);
    em_locks_drop(&p->other);
    close(p->dir);
    scratch_drop(p->base);
    assert_int_equal(scratch_descriptors(), p->descriptors);
    free(p);
    return 0;
}

static void test_slots(void **state)
{
    (void)state;
    bool seen[EM_LOCK_SLOTS] = {false};
    int distinct = 0;
    for (int i = 0; i < 4000; i++) {
        char name[16];
        snprintf(name, sizeof name, "file%d", i);
        unsigned slot = em_lock_slot(7, name);
        assert_true(slot < EM_LOCK_SLOTS);
        distinct += !seen[slot];
        seen[slot] = true;
    }
    assert_true(distinct > 900);
    assert_int_equal(em_lock_slot(7, "a/b"), em_lock_slot(7, "a/b"));
    assert_true(em_lock_slot(7, "a") != em_lock_slot(8, "a"));
}

static void test_one_at_a_time(void **state)
{
    pair *p = *state;
    char holder[64];
    check_status("mine", em_lock_take(&p->mine, 5, 0, &p->err), EM_OK);
    check_status("other", em_lock_take(&p->other, 5, 0, &p->err), EM_E_TIMEOUT);
    snprintf(holder, sizeof holder, "process %ld on ", (long)getpid());
    assert_non_null(strstr(p->err.detail, holder));
    check_status("another slot", em_lock_take(&p->other, 6, 0, &p->err), EM_OK);
    em_lock_release(&p->mine, 5);
    check_status("free again", em_lock_take(&p->other, 5, 0, &p->err), EM_OK);
    assert_true(scratch_has(p->base, "slots")); /* never removed */
}

/* Two files of one workspace may have the same slot. */
static void test_sharing(void **state)
{
    pair *p = *state;
    check_status("first", em_lock_take(&p->mine, 5, 0, &p->err), EM_OK);
    check_status("second", em_lock_take(&p->mine, 5, 0, &p->err), EM_OK);
    em_lock_release(&p->mine, 5);
    check_status("still held", em_lock_take(&p->other, 5, 0, &p->err), EM_E_TIMEOUT);
    em_lock_release(&p->mine, 5);
    check_status("free", em_lock_take(&p->other, 5, 0, &p->err), EM_OK);
    em_lock_release(&p->mine, 5); /* of what is not held: nothing */
    em_lock_release(&p->mine, 77);
}

/* However many, they need one descriptor, and each is given back on its own. */
static void test_many(void **state)
{
    pair *p = *state;
    for (unsigned slot = 0; slot < EM_LOCK_SLOTS; slot++)
        check_status("take", em_lock_take(&p->mine, slot, 0, &p->err), EM_OK);
    assert_int_equal(scratch_descriptors(), p->descriptors + 2); /* with the folder's */
    em_lock_release(&p->mine, 500);
    check_status("free", em_lock_take(&p->other, 500, 0, &p->err), EM_OK);
    check_status("below", em_lock_take(&p->other, 499, 0, &p->err), EM_E_TIMEOUT);
    check_status("above", em_lock_take(&p->other, 501, 0, &p->err), EM_E_TIMEOUT);
}

static void test_a_release_that_fails(void **state)
{
    pair *p = *state;
    check_status("first", em_lock_take(&p->mine, 5, 0, &p->err), EM_OK);
    check_status("second", em_lock_take(&p->mine, 6, 0, &p->err), EM_OK);
    trap_set(&p->trap, (struct trap){.call = "lock", .about = "", .error = ENOLCK});
    em_lock_release(&p->mine, 5);
    check_status("still held", em_lock_take(&p->other, 5, 0, &p->err), EM_E_TIMEOUT);
    em_lock_release(&p->mine, 6);
    check_status("free with the last", em_lock_take(&p->other, 5, 0, &p->err), EM_OK);
}

static void release_it(void *locks)
{
    em_lock_release(locks, 5);
}

static void test_waiting(void **state)
{
    pair *p = *state;
    check_status("other", em_lock_take(&p->other, 5, 0, &p->err), EM_OK);
    trap *sleeps = trap_set(
        &p->trap,
        (struct trap){
            .call = "sleep", .about = "", .skip = 2, .hook = release_it, .context = &p->other});
    check_status("in the end", em_lock_take(&p->mine, 5, 5000, &p->err), EM_OK);
    assert_int_equal(sleeps->seen, 3);
}

static void test_waiting_in_vain(void **state)
{
    pair *p = *state;
    check_status("other", em_lock_take(&p->other, 5, 0, &p->err), EM_OK);
    check_status("too long", em_lock_take(&p->mine, 5, 10, &p->err), EM_E_TIMEOUT);
}

/* Its place in the file is there, since one behind it has been written. */
static void test_a_holder_without_a_name(void **state)
{
    pair *p = *state;
    check_status("another slot", em_lock_take(&p->other, 6, 0, &p->err), EM_OK);
    trap_set(&p->trap, (struct trap){.call = "lock", .about = "", .error = EAGAIN});
    check_status("held", em_lock_take(&p->mine, 5, 0, &p->err), EM_E_TIMEOUT);
    assert_non_null(strstr(p->err.detail, "the file is locked by another process"));
}

static void cancel_it(void *cancelled)
{
    *(bool *)cancelled = true;
}

static bool is_cancelled(void *cancelled)
{
    return *(bool *)cancelled;
}

/* Who is not waited for any more does not wait, and does not get the lock; one that is free needs
 * no waiting. */
static void check_waiting_ends(pair *p, em_cancel cancel, const char *why)
{
    bool cancelled = false;
    cancel.context = &cancelled;
    p->mine.cancel = &cancel;
    check_status("other", em_lock_take(&p->other, 5, 0, &p->err), EM_OK);
    trap *sleeps = trap_set(
        &p->trap,
        (struct trap){
            .call = "sleep", .about = "", .skip = 2, .hook = cancel_it, .context = &cancelled});
    check_status("cancelled", em_lock_take(&p->mine, 5, 5000, &p->err), EM_E_TIMEOUT);
    assert_non_null(strstr(p->err.detail, why));
    assert_int_equal(sleeps->seen, 3);
    em_lock_release(&p->other, 5);
    check_status("not held", em_lock_take(&p->other, 5, 0, &p->err), EM_OK);
    check_status("free", em_lock_take(&p->mine, 6, 5000, &p->err), EM_OK);
    p->mine.cancel = NULL;
}

static void test_cancelled_while_waiting(void **state)
{
    check_waiting_ends(*state, (em_cancel){.is_cancelled = is_cancelled},
                       "it was cancelled while it waited");
}

static void test_ended_while_waiting(void **state)
{
    check_waiting_ends(*state, (em_cancel){.is_ending = is_cancelled},
                       ", and emend was told to end while this waited for it");
}

/* Some systems say so in this way. */
static void test_held_by_another_error(void **state)
{
    pair *p = *state;
    trap *held =
        trap_set(&p->trap, (struct trap){.call = "lock", .about = "", .times = 2, .error = EACCES});
    check_status("in the end", em_lock_take(&p->mine, 5, 5000, &p->err), EM_OK);
    assert_int_equal(held->caught, 2);
}

/* A process that dies leaves nothing locked. */
static void test_dying(void **state)
{
    pair *p = *state;
    int ready[2];
    char byte;
    assert_int_equal(pipe(ready), 0);
    pid_t child = fork();
    if (child == 0) {
        if (em_lock_take(&p->other, 5, 0, &p->err) != EM_OK || write(ready[1], "x", 1) != 1)
            _exit(1);
        pause();
    }
    assert_int_equal(read(ready[0], &byte, 1), 1);
    check_status("held", em_lock_take(&p->mine, 5, 0, &p->err), EM_E_TIMEOUT);
    kill(child, SIGKILL);
    assert_int_equal(waitpid(child, NULL, 0), child);
    check_status("free", em_lock_take(&p->mine, 5, 0, &p->err), EM_OK);
    close(ready[0]);
    close(ready[1]);
}

/* A process that was forked while something was locked, and goes on, holds nothing. */
static void test_a_fork_meanwhile(void **state)
{
    pair *p = *state;
    int over[2];
    char byte;
    assert_int_equal(pipe(over), 0);
    check_status("slot", em_lock_take(&p->mine, 5, 0, &p->err), EM_OK);
    check_status("row", em_lock_row_own(&p->mine, 7, &p->err), EM_OK);
    pid_t child = fork();
    if (child == 0) {
        close(over[1]);
        _exit(read(over[0], &byte, 1) == 0 ? 0 : 1);
    }
    em_lock_release(&p->mine, 5);
    em_lock_row_release(&p->mine, 7);
    check_status("free", em_lock_take(&p->other, 5, 0, &p->err), EM_OK);
    check_status("free", em_lock_row_own(&p->other, 7, &p->err), EM_OK);
    close(over[1]);
    assert_int_equal(waitpid(child, NULL, 0), child);
    close(over[0]);
}

static void test_failing_calls(void **state)
{
    pair *p = *state;
    static const struct {
        const char *call;
        int error;
        em_status want;
    } cases[] = {
        {"open", EACCES, EM_E_PERMISSION}, {"open", ENOENT, EM_E_IO}, {"lock", ENOLCK, EM_E_IO},
        {"write", ENOSPC, EM_E_IO},        {"lock", EIO, EM_E_IO},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        p->trap.count = 0;
        trap_set(&p->trap,
                 (struct trap){.call = cases[i].call, .about = "", .error = cases[i].error});
        check_status(cases[i].call, em_lock_take(&p->mine, 5, 0, &p->err), cases[i].want);
        check_status("not held", em_lock_take(&p->other, 5, 0, &p->err), EM_OK);
        em_lock_release(&p->other, 5);
    }
}

static void test_the_folder_is_gone(void **state)
{
    pair *p = *state;
    assert_int_equal(rmdir(p->base), 0);
    check_status("take", em_lock_take(&p->mine, 5, 0, &p->err), EM_E_IO);
    assert_non_null(strstr(p->err.detail, "was removed since emend was started: start it again"));
    assert_int_equal(mkdir(p->base, 0700), 0);
}

static void test_failing_while_waiting(void **state)
{
    pair *p = *state;
    check_status("other", em_lock_take(&p->other, 5, 0, &p->err), EM_OK);
    trap_set(&p->trap, (struct trap){.call = "clock", .about = "monotonic", .error = EINVAL});
    check_status("clock", em_lock_take(&p->mine, 5, 10, &p->err), EM_E_IO);
    trap_set(&p->trap, (struct trap){.call = "read", .about = "slots", .error = EIO});
    check_status("read", em_lock_take(&p->mine, 5, 0, &p->err), EM_E_TIMEOUT);
    assert_non_null(strstr(p->err.detail, "another process"));
}

static void test_memory_may_end(void **state)
{
    pair *p = *state;
    memory_ends_at(1);
    em_status status = em_lock_take(&p->mine, 5, 0, &p->err);
    memory_ends_at(0);
    check_status("take", status, EM_E_NOMEM);
}

/* ---- Rows ---------------------------------------------------------------------------------- */

static bool is_owned(pair *p, em_locks *by, int64_t row)
{
    bool owned;
    check_status("look", em_lock_row_is_owned(by, row, &owned, &p->err), EM_OK);
    return owned;
}

/* Seen by everybody, from the first to the last. */
static void test_rows(void **state)
{
    pair *p = *state;
    assert_false(is_owned(p, &p->other, 7)); /* there is not even a file */
    check_status("one", em_lock_row_own(&p->mine, 7, &p->err), EM_OK);
    check_status("next", em_lock_row_own(&p->mine, 8, &p->err), EM_OK);
    assert_true(is_owned(p, &p->mine, 7) && is_owned(p, &p->other, 7) && is_owned(p, &p->mine, 8));
    assert_false(is_owned(p, &p->other, 6) || is_owned(p, &p->other, 9));
    check_status("taken", em_lock_row_own(&p->other, 7, &p->err), EM_E_IO);
    em_lock_row_release(&p->mine, 7);
    assert_false(is_owned(p, &p->other, 7));
    assert_true(is_owned(p, &p->other, 8));
    em_lock_row_release(&p->mine, 8);
    assert_false(is_owned(p, &p->other, 8));
    check_status("again", em_lock_row_own(&p->other, 7, &p->err), EM_OK);
    em_locks_drop(&p->other);
    assert_false(is_owned(p, &p->mine, 7));
}

static void test_rows_fail(void **state)
{
    pair *p = *state;
    bool owned;
    trap_set(&p->trap, (trap){.call = "open", .about = "slots", .error = EACCES});
    check_status("open", em_lock_row_own(&p->mine, 7, &p->err), EM_E_PERMISSION);
    trap_set(&p->trap, (trap){.call = "lock", .about = "slots", .error = ENOLCK});
    check_status("lock", em_lock_row_own(&p->mine, 7, &p->err), EM_E_IO);
    check_status("own", em_lock_row_own(&p->mine, 7, &p->err), EM_OK);
    trap_sys_init(&p->trap);
    trap_set(&p->trap, (trap){.call = "lock", .about = "slots", .error = ENOLCK});
    check_status("next", em_lock_row_own(&p->mine, 8, &p->err), EM_E_IO);
    assert_true(is_owned(p, &p->other, 7));
    trap_set(&p->trap, (trap){.call = "open", .about = "slots", .error = EIO});
    check_status("look", em_lock_row_is_owned(&p->mine, 7, &owned, &p->err), EM_E_IO);
    trap_sys_init(&p->trap);
    trap_set(&p->trap, (trap){.call = "locked", .about = "slots", .error = ENOLCK});
    check_status("ask", em_lock_row_is_owned(&p->mine, 7, &owned, &p->err), EM_E_IO);
    assert_false(owned);
}

/* Where it is that there is no room, or that nothing may be written: not where the file is. */
static void test_the_place_is_told(void **state)
{
    pair *p = *state;
    static const trap_case cases[] = {
        {"open", "slots", 0, EROFS, EM_E_PERMISSION},
        {"write", "slots", 0, ENOSPC, EM_E_IO},
        {"open", "slots", 0, EISDIR, EM_E_IO},
    };
    p->mine.folder = "/the/state";
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        p->err = EM_ERROR_INIT;
        trap_set_case(&p->trap, &cases[i]);
        check_status(cases[i].call, em_lock_take(&p->mine, 1, 0, &p->err), cases[i].want);
        assert_non_null(strstr(p->err.detail, "(in the state directory /the/state)"));
        assert_int_equal(p->err.cause, EM_CAUSE_STATE_DIR);
    }
    p->err = EM_ERROR_INIT;
    trap_set(&p->trap, (trap){.call = "write", .about = "slots", .error = EIO});
    check_status("another error", em_lock_take(&p->mine, 1, 0, &p->err), EM_E_IO);
    assert_null(strstr(p->err.detail, "state directory"));
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_slots),
        TEST(test_rows),
        TEST(test_rows_fail),
        TEST(test_the_place_is_told),
        TEST(test_one_at_a_time),
        TEST(test_sharing),
        TEST(test_waiting),
        TEST(test_waiting_in_vain),
        TEST(test_a_holder_without_a_name),
        TEST(test_cancelled_while_waiting),
        TEST(test_ended_while_waiting),
        TEST(test_held_by_another_error),
        TEST(test_dying),
        TEST(test_a_fork_meanwhile),
        TEST(test_failing_calls),
        TEST(test_the_folder_is_gone),
        TEST(test_failing_while_waiting),
        TEST(test_memory_may_end),
        TEST(test_many),
        TEST(test_a_release_that_fails),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

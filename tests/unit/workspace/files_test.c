#include "several.h"

#include "system/names.h"
#include "workspace/opening.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { MOST = 4 };

/* Open files of the bench; the first failure's error is in b->err. */
static em_status open_files(bench *b, em_wanted wanted[static MOST], const char *const *paths,
                            unsigned flags, em_intent intent)
{
    size_t count = 0;
    b->err = EM_ERROR_INIT;
    for (; paths[count]; count++)
        wanted[count] = (em_wanted){.path = paths[count], .flags = flags};
    em_status status = em_ws_open_files(bench_open(b), wanted, count, intent);
    for (size_t i = 0; i < count && status != EM_OK; i++) {
        if (wanted[i].status == EM_OK)
            continue;
        b->err = wanted[i].error;
        break;
    }
    return status;
}

static void close_files(bench *b, em_wanted wanted[static MOST], size_t count)
{
    for (size_t i = 0; i < count; i++)
        em_file_close(b->ws, &wanted[i].file);
}

static void test_they_are_read(void **state)
{
    bench *b = *state;
    em_wanted w[MOST];
    int before;
    scratch_folder(b->root, "below");
    scratch_put(b->root, "below/b.txt", "b\n");
    static const char *const paths[] = {"a.txt", "below/b.txt", "new/c.txt", NULL};
    static const em_intent intents[] = {EM_TO_CHANGE, EM_TO_PREVIEW, EM_TO_READ};
    for (size_t i = 0; i < COUNT_OF(intents); i++) {
        bench_open(b);
        check_status("ready", em_ws_ready(b->ws, &b->err), EM_OK);
        before = scratch_descriptors();
        check_status("open", open_files(b, w, paths, EM_MAY_BE_MISSING, intents[i]), EM_OK);
        assert_true(em_slice_is(w[0].file.bytes, "one two three\n"));
        assert_true(em_slice_is(w[1].file.bytes, "b\n"));
        assert_string_equal(w[1].file.rel, "below/b.txt");
        assert_false(w[2].file.exists);
        /* The lock file, and what the history opened. */
        assert_true(scratch_descriptors() <= before + 2);
        assert_int_equal(b->ws->locks.first != NULL, intents[i] == EM_TO_CHANGE);
        close_files(b, w, 3);
        assert_null(b->ws->locks.first);
    }
    check_status("none", em_ws_open_files(b->ws, w, 0, EM_TO_CHANGE), EM_OK);
}

static void test_whatever_is_wrong_is_told(void **state)
{
    bench *b = *state;
    em_wanted w[MOST];
    static const char *const paths[] = {"none.txt", "a.txt", "..", NULL};
    check_status("open", open_files(b, w, paths, 0, EM_TO_CHANGE), EM_E_NOT_FOUND);
    assert_int_equal(w[0].status, EM_E_NOT_FOUND);
    assert_int_equal(w[1].status, EM_OK);
    assert_int_equal(w[2].status, EM_E_OUTSIDE);
    assert_null(b->ws->locks.first);
    w[0] = (em_wanted){.path = "a.txt", .max_size = 3};
    check_status("size", em_ws_open_files(b->ws, w, 1, EM_TO_READ), EM_E_TOO_LARGE);
}

/* Files that are to be made: none where another needs a folder. */
static void test_a_file_that_would_be_a_folder(void **state)
{
    bench *b = *state;
    em_wanted w[MOST];
    static const struct {
        const char *paths[MOST];
        int culprit; /* -1: none */
    } cases[] = {{{"n", "n/a"}, 1},         {{"n/a", "n"}, 0},
                 {{"n", "n!", "n/a/b"}, 2}, {{"d/n/a", "d/n.x", "d/n"}, 0},
                 {{"n", "na", "m/n"}, -1},  {{"n/a", "n/b", "n/ab"}, -1}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bool fine = cases[i].culprit < 0;
        check_status(cases[i].paths[0],
                     open_files(b, w, cases[i].paths, EM_MAY_BE_MISSING, EM_TO_CHANGE),
                     fine ? EM_OK : EM_E_INVALID);
        if (fine) {
            close_files(b, w, 3);
            continue;
        }
        check_detail(b, "is in the same call, as a file");
        assert_int_equal(w[cases[i].culprit].status, EM_E_INVALID);
        assert_int_equal(w[cases[i].culprit].same_as, EM_NPOS);
        assert_null(b->ws->locks.first);
    }
}

/* ---- Locks --------------------------------------------------------------------------------- */

/* Two roots, one in the other: their files are the same. */
static void test_nested_roots(void **state)
{
    bench *b = *state;
    em_wanted w[MOST];
    char below[SCRATCH_PATH], path[SCRATCH_PATH + 16];
    scratch_folder(b->root, "below");
    scratch_put(b->root, "below/b.txt", "b\n");
    strcpy(below, scratch_path(b->root, "below"));
    snprintf(path, sizeof path, "%s/b.txt", below);
    const char *twice[] = {"below/b.txt", path, NULL};
    b->roots[1] = below;
    b->options.root_count = 2;
    check_status("twice", open_files(b, w, twice, 0, EM_TO_CHANGE), EM_E_INVALID);
    assert_int_equal(w[1].same_as, 0);
}

static void hold(bench *b, const char *path, em_file *file)
{
    check_status("hold", em_ws_open_file(b->ws, path, EM_TO_CHANGE, 0, 0, file, &b->err), EM_OK);
}

static void test_a_lock_that_is_held(void **state)
{
    bench *b = *state;
    em_wanted w[MOST];
    em_workspace *other;
    em_file held;
    scratch_put(b->root, "b.txt", "b\n");
    static const char *const paths[] = {"a.txt", "b.txt", NULL};
    b->options.lock_timeout_ms = 0;
    bench_open(b);
    other = b->ws;
    hold(b, "b.txt", &held);
    b->ws = NULL;
    check_status("held", open_files(b, w, paths, 0, EM_TO_CHANGE), EM_E_TIMEOUT);
    assert_int_equal(w[0].status, EM_OK);
    assert_int_equal(w[1].status, EM_E_TIMEOUT);
    assert_null(b->ws->locks.first);
    em_file_close(other, &held);
    em_ws_free(other);
}

/* Processes that want the same files in opposite orders, again and again: all get them. */
static void test_no_deadlock(void **state)
{
    bench *b = *state;
    enum { ROUNDS = 60 };
    scratch_put(b->root, "b.txt", "b\n");
    scratch_put(b->root, "c.txt", "c\n");
    b->options.lock_timeout_ms = 20000;
    bench_open(b);
    check_status("ready", em_ws_ready(b->ws, &b->err), EM_OK);
    bench_close(b);
    pid_t children[3];
    for (int child = 0; child < 3; child++) {
        children[child] = fork();
        assert_true(children[child] >= 0);
        if (children[child] > 0)
            continue;
        static const char *const orders[3][4] = {{"a.txt", "b.txt", "c.txt", NULL},
                                                 {"c.txt", "b.txt", "a.txt", NULL},
                                                 {"b.txt", "a.txt", "c.txt", NULL}};
        for (int i = 0; i < ROUNDS; i++) {
            em_wanted w[MOST];
            if (open_files(b, w, orders[child], 0, EM_TO_CHANGE) != EM_OK)
                _exit(1);
            close_files(b, w, 3);
        }
        bench_close(b);
        _exit(0);
    }
    for (int child = 0; child < 3; child++) {
        int status;
        assert_int_equal(waitpid(children[child], &status, 0), children[child]);
        assert_int_equal(status, 0);
    }
}

/* ---- Somebody else ------------------------------------------------------------------------- */

static void replace_link(void *context)
{
    bench *b = context;
    assert_int_equal(unlink(scratch_path(b->root, "link")), 0);
    scratch_link(b->root, "link", "b.txt");
}

static void replace_file(void *context)
{
    bench *b = context;
    scratch_put(b->root, "saved", "saved\n");
    assert_int_equal(rename(scratch_path(b->root, "saved"), scratch_path(b->root, "a.txt")), 0);
}

/* What was found before the locks were there is looked at again. */
static void test_changed_while_waiting(void **state)
{
    bench *b = *state;
    em_wanted w[MOST];
    scratch_put(b->root, "b.txt", "b\n");
    scratch_put(b->root, "c.txt", "c\n");
    scratch_link(b->root, "link", "a.txt");
    static const char *const paths[] = {"c.txt", "link", NULL};
    trap_set(&b->trap,
             (trap){.call = "lock", .about = "locks/", .hook = replace_file, .context = b});
    check_status("saved", open_files(b, w, paths, 0, EM_TO_CHANGE), EM_OK);
    assert_true(em_slice_is(w[1].file.bytes, "saved\n"));
    close_files(b, w, 2);
    bench_disarm(b);
    trap_set(&b->trap,
             (trap){.call = "lock", .about = "locks/", .hook = replace_link, .context = b});
    check_status("another", open_files(b, w, paths, 0, EM_TO_CHANGE), EM_OK);
    assert_string_equal(w[1].file.rel, "b.txt");
    close_files(b, w, 2);
}

static void swap_links(void *context)
{
    bench *b = context;
    static int times;
    assert_int_equal(unlink(scratch_path(b->root, "link")), 0);
    scratch_link(b->root, "link", ++times % 2 ? "b.txt" : "a.txt");
}

static void test_changed_all_the_time(void **state)
{
    bench *b = *state;
    em_wanted w[MOST];
    scratch_put(b->root, "b.txt", "b\n");
    scratch_put(b->root, "c.txt", "c\n");
    scratch_link(b->root, "link", "a.txt");
    static const char *const paths[] = {"c.txt", "link", NULL};
    bench_open(b);
    check_status("ready", em_ws_ready(b->ws, &b->err), EM_OK);
    trap_set(
        &b->trap,
        (trap){.call = "write", .about = "locks/", .times = -1, .hook = swap_links, .context = b});
    em_status status = open_files(b, w, paths, 0, EM_TO_CHANGE);
    if (status == EM_OK) /* both writes of a round may swap it back */
        close_files(b, w, 2);
    else
        check_status("all the time", status, EM_E_CONFLICT);
    assert_null(b->ws->locks.first);
}

static const several_part two_edits[] = {
    {.path = "a.txt", .old = "two", .new = "2"},
    {.path = "b.txt", .old = "five", .new = "5"},
    {.path = NULL},
};

/* A transaction that another process leaves while this workspace is open is ended first; by a call
 * that then holds no lock. */
static void test_a_transaction_that_was_left(void **state)
{
    bench *b = *state;
    em_wanted w[MOST];
    em_file file;
    static const char *const paths[] = {"c.txt", "b.txt", NULL};
    for (int many = 0; many <= 1; many++) {
        scratch_put(b->root, "a.txt", "one two three\n");
        scratch_put(b->root, "b.txt", "four five six\n");
        scratch_put(b->root, "c.txt", "c\n");
        bench_open(b);
        check_status("ready", em_ws_ready(b->ws, &b->err), EM_OK);
        em_workspace *ws = b->ws;
        b->ws = NULL;
        several_die(b, two_edits, (trap){.call = "exchange", .about = "b.txt"});
        b->ws = ws;
        assert_int_equal(several_journals(b), 1);
        if (many) {
            check_status("open", open_files(b, w, paths, 0, EM_TO_CHANGE), EM_OK);
            assert_true(em_slice_is(w[1].file.bytes, "four five six\n"));
            close_files(b, w, 2);
        } else {
            check_status(
                "open", em_ws_open_file(b->ws, "a.txt", EM_TO_CHANGE, 0, 0, &file, &b->err), EM_OK);
            assert_true(em_slice_is(file.bytes, "one two three\n"));
            em_file_close(b->ws, &file);
        }
        check_settled(b);
        bench_close(b);
    }
}

/* A single change that was left, of one of them. */
static void test_a_change_that_was_left(void **state)
{
    bench *b = *state;
    em_wanted w[MOST];
    static const char *const paths[] = {"b.txt", "a.txt", NULL};
    scratch_put(b->root, "b.txt", "b\n");
    bench_open(b);
    check_status("ready", em_ws_ready(b->ws, &b->err), EM_OK);
    em_workspace *ws = b->ws;
    b->ws = NULL;
    bench_die(b, "a.txt", "two", "2", (trap){.call = "unlink", .about = ".emend-"});
    b->ws = ws;
    check_status("open", open_files(b, w, paths, 0, EM_TO_CHANGE), EM_OK);
    assert_true(em_slice_is(w[1].file.bytes, "one 2 three\n"));
    close_files(b, w, 2);
    check_clean(b);
}

/* ---- Failures ------------------------------------------------------------------------------ */

static void test_failing_calls(void **state)
{
    bench *b = *state;
    em_wanted w[MOST];
    static const char *const paths[] = {"b.txt", "a.txt", NULL};
    scratch_put(b->root, "b.txt", "b\n");
    static const struct {
        const char *call, *about;
        em_status want;
    } cases[] = {
        {"stat", "root/a.txt", EM_E_IO}, {"read", "a.txt", EM_E_IO},
        {"lock", "locks", EM_E_IO},      {"filesystem", "a.txt", EM_E_IO},
        {"open", "history.db", EM_E_IO},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bench_close(b);
        bench_disarm(b);
        trap *set = trap_set(&b->trap,
                             (trap){.call = cases[i].call, .about = cases[i].about, .error = EIO});
        em_status status = open_files(b, w, paths, 0, EM_TO_CHANGE);
        if (set->caught == 0) { /* no history yet */
            close_files(b, w, 2);
            continue;
        }
        check_status(cases[i].call, status, cases[i].want);
        assert_null(b->ws->locks.first);
    }
}

static void test_memory_may_end(void **state)
{
    bench *b = *state;
    em_wanted w[MOST];
    static const char *const paths[] = {"b.txt", "a.txt", NULL};
    scratch_put(b->root, "b.txt", "b\n");
    bench_open(b);
    check_status("ready", em_ws_ready(b->ws, &b->err), EM_OK);
    bool more = true;
    for (long at = 1; more; at++) {
        memory_ends_at(at);
        em_status status = open_files(b, w, paths, 0, EM_TO_CHANGE);
        more = memory_ended();
        memory_ends_at(0);
        check_status("in the end", status, more ? EM_E_NOMEM : EM_OK);
        if (status == EM_OK)
            close_files(b, w, 2);
        assert_null(b->ws->locks.first);
    }
}

/* ---- Files without descriptors ------------------------------------------------------------- */

static void test_the_folder_is_found_again(void **state)
{
    bench *b = *state;
    em_wanted w[MOST];
    scratch_folder(b->root, "below");
    scratch_put(b->root, "below/b.txt", "b\n");
    static const char *const paths[] = {"a.txt", "below/b.txt", NULL};
    check_status("open", open_files(b, w, paths, 0, EM_TO_CHANGE), EM_OK);
    for (size_t i = 0; i < 2; i++) {
        check_status("folder", em_file_unpark(b->ws, &w[i].file, &b->err), EM_OK);
        em_file_park(b->ws, &w[i].file);
        check_status("content", em_file_unpark_content(b->ws, &w[i].file, &b->err), EM_OK);
        em_file_park(b->ws, &w[i].file);
    }
    replace_file(b);
    check_status("replaced", em_file_unpark_content(b->ws, &w[0].file, &b->err), EM_E_CONFLICT);
    check_detail(b, "was replaced");
    em_file_park(b->ws, &w[0].file);
    assert_int_equal(unlink(scratch_path(b->root, "a.txt")), 0);
    check_status("removed", em_file_unpark_content(b->ws, &w[0].file, &b->err), EM_E_CONFLICT);
    check_detail(b, "was removed");
    em_file_park(b->ws, &w[0].file);
    static const struct {
        const char *call, *about;
    } failing[] = {{"open", "=below"},
                   {"stat", "$/below"},
                   {"open", "=b.txt"},
                   {"stat", "$/below/b.txt"},
                   {"open", "/proc/self"}};
    for (size_t i = 0; i < COUNT_OF(failing); i++) {
        bench_disarm(b);
        trap_set(&b->trap,
                 (trap){.call = failing[i].call, .about = failing[i].about, .error = EIO});
        check_status(failing[i].about, em_file_unpark_content(b->ws, &w[1].file, &b->err), EM_E_IO);
        em_file_park(b->ws, &w[1].file);
    }
    bench_disarm(b);
    assert_int_equal(rename(scratch_path(b->root, "below"), scratch_path(b->root, "away")), 0);
    check_status("gone", em_file_unpark(b->ws, &w[1].file, &b->err), EM_E_CONFLICT);
    scratch_folder(b->root, "below");
    check_status("another", em_file_unpark(b->ws, &w[1].file, &b->err), EM_E_CONFLICT);
    check_detail(b, "moved or replaced");
    close_files(b, w, 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_they_are_read),
        BENCH_TEST(test_whatever_is_wrong_is_told),
        BENCH_TEST(test_a_file_that_would_be_a_folder),
        BENCH_TEST(test_nested_roots),
        BENCH_TEST(test_a_lock_that_is_held),
        BENCH_TEST(test_no_deadlock),
        BENCH_TEST(test_changed_while_waiting),
        BENCH_TEST(test_changed_all_the_time),
        BENCH_TEST(test_a_transaction_that_was_left),
        BENCH_TEST(test_a_change_that_was_left),
        BENCH_TEST(test_failing_calls),
        BENCH_TEST(test_memory_may_end),
        BENCH_TEST(test_the_folder_is_found_again),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

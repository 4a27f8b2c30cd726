#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

static void test_opening_and_closing(void **state)
{
    bench *b = *state;
    static const char *const deny[] = {"x"}, *const allow[] = {"y", "z"};
    scratch_folder(b->base, "second");
    b->roots[1] = scratch_path(b->base, "second");
    b->options.root_count = 2;
    b->options.deny = deny;
    b->options.deny_count = 1;
    b->options.allow = allow;
    b->options.allow_count = 2;
    bench_open(b);
    assert_int_equal(em_ws_root_count(b->ws), 2);
    assert_string_equal(em_ws_root(b->ws, 0), b->root);
    assert_string_equal(em_ws_root(b->ws, 1), scratch_path(b->base, "second"));
    em_ws_free(NULL);
}

/* What the options point to may go once it is open. */
static void test_options_are_copied(void **state)
{
    bench *b = *state;
    char glob[] = "secret", folder[SCRATCH_PATH];
    const char *deny[] = {glob};
    strcpy(folder, b->state);
    b->options.state_dir = folder;
    b->options.deny = deny;
    b->options.deny_count = 1;
    bench_open(b);
    memset(glob, 'x', sizeof glob - 1);
    memset(folder, 'x', 3);
    deny[0] = NULL;
    em_file file;
    check_status("rule",
                 em_ws_open_file(b->ws, "secret", EM_TO_READ, EM_MAY_BE_MISSING, 0, &file, &b->err),
                 EM_E_DENIED);
    check_status("change", bench_change(b, "a.txt", "two", "2"), EM_OK);
    assert_true(scratch_has(b->state, "locks"));
}

static void test_the_system_by_default(void **state)
{
    bench *b = *state;
    b->options.sys = NULL;
    check_status("change", bench_change(b, "a.txt", "two", "2"), EM_OK);
    check_text(b, "a.txt", "one 2 three\n");
}

static void test_a_root_that_cannot_be(void **state)
{
    bench *b = *state;
    em_workspace *ws;
    b->roots[0] = "/nonexistent/folder";
    check_status("open", em_ws_open(&b->options, &ws, &b->err), EM_E_NOT_FOUND);
    assert_null(ws);
}

/* Where nobody named a state directory and the usual one cannot be used, the first answer says so.
 */
static void test_the_warning_of_the_state_directory(void **state)
{
    bench *b = *state;
    static const char *const names[] = {"HOME", "XDG_STATE_HOME", "TMPDIR"};
    char *saved[COUNT_OF(names)];
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const char *value = getenv(names[i]);
        saved[i] = value ? strdup(value) : NULL;
        assert_int_equal(unsetenv(names[i]), 0);
    }
    setenv("TMPDIR", b->base, 1);
    b->options.state_dir = NULL;
    em_status first = bench_change(b, "a.txt", "two", "2");
    bool warned = bench_warned(b, "--state-dir");
    em_status second = bench_change(b, "a.txt", "2", "two");
    bool warned_again = bench_warned(b, "--state-dir");
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        if (saved[i])
            setenv(names[i], saved[i], 1);
        else
            unsetenv(names[i]);
        free(saved[i]);
    }
    check_status("first", first, EM_OK);
    check_status("second", second, EM_OK);
    assert_true(warned);
    assert_false(warned_again);
}

/* What is prepared can be told by descriptors; what could not be had stays so, in the words of when
 * it was tried. */
static void test_what_is_prepared(void **state)
{
    bench *b = *state;
    bench_open(b);
    assert_true(em_ws_root_fd(b->ws, 0) >= 0);
    em_ws_prepare(b->ws, false);
    assert_int_equal(em_ws_state_fd(b->ws), -1);
    assert_false(scratch_has(b->base, "state"));
    em_ws_prepare(b->ws, true);
    assert_true(em_ws_state_fd(b->ws) >= 0);
    assert_true(scratch_has(b->base, "state"));
    check_status("change", bench_change(b, "a.txt", "two", "2"), EM_OK);
}

static void test_what_could_not_be_prepared(void **state)
{
    bench *b = *state;
    scratch_put(b->base, "state", "no folder");
    bench_open(b);
    em_ws_prepare(b->ws, true);
    unlink(b->state);
    em_status refused = bench_change(b, "a.txt", "two", "2");
    check_status("as it was then", refused, EM_E_IO);
    assert_non_null(strstr(b->err.detail, "Not a directory"));
    check_status("again", bench_change(b, "a.txt", "two", "2"), EM_E_IO);
    bench_close(b);
    check_status("not prepared", bench_change(b, "a.txt", "two", "2"), EM_OK);
}

/* A state directory that is named where no folder can be resolved is no error before it is needed.
 */
static void test_a_state_directory_that_cannot_be_resolved(void **state)
{
    bench *b = *state;
    static const char *const names[] = {"relative/to/here", "/nonexistent/../x", "a\nb/../../.."};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        em_workspace *ws;
        b->options.state_dir = names[i];
        check_status(names[i], em_ws_open(&b->options, &ws, &b->err), EM_OK);
        em_ws_free(ws);
    }
    trap_set(&b->trap, (trap){.call = "cwd", .about = "", .error = ENOENT});
    em_workspace *ws;
    b->options.state_dir = "relative";
    check_status("no current folder", em_ws_open(&b->options, &ws, &b->err), EM_OK);
    em_ws_free(ws);
}

static size_t bytes_in_use(void)
{
#ifdef __GLIBC__
    struct mallinfo2 info = mallinfo2();
    return info.uordblks + info.hblkhd;
#else
    return 0;
#endif
}

/* A notice is told once, with the next change, and takes no memory from then on. */
static void test_notices_are_forgotten_when_told(void **state)
{
    bench *b = *state;
    static const char *const words[] = {"two", "2"};
    char text[4000];
    size_t before = 0;
    memset(text, 'x', sizeof text - 1);
    text[sizeof text - 1] = '\0';
    bench_open(b);
    for (size_t i = 0; i < 400; i++) {
        if (i == 10)
            before = bytes_in_use();
        em_ws_notice(b->ws, "notice %zu %s", i, text);
        check_status("change", bench_change(b, "a.txt", words[i % 2], words[(i + 1) % 2]), EM_OK);
        assert_int_equal(b->report.warnings.count, 1);
        assert_int_equal(strtoul(b->report.warnings.items[0] + strlen("notice "), NULL, 10), i);
        em_arena_drop(&b->arena);
    }
    assert_true(bytes_in_use() < before + 390 * sizeof text);
    check_status("change", bench_change(b, "a.txt", "two", "2"), EM_OK);
    assert_int_equal(b->report.warnings.count, 0);
}

static void test_memory_may_end(void **state)
{
    bench *b = *state;
    static const char *const deny[] = {"x"};
    b->options.deny = b->options.allow = deny;
    b->options.deny_count = b->options.allow_count = 1;
    for (long at = 1;; at++) {
        memory_ends_at(at);
        em_status status = em_ws_open(&b->options, &b->ws, &b->err);
        bool ended = memory_ended();
        memory_ends_at(0);
        check_status("open", status, ended ? EM_E_NOMEM : EM_OK);
        if (!ended)
            break;
        assert_true(at < 50);
    }
    char long_text[9000];
    memset(long_text, 'x', sizeof long_text - 1);
    long_text[sizeof long_text - 1] = '\0';
    memory_ends_at(1);
    em_ws_notice(b->ws, "%s", long_text);
    memory_ends_at(0);
    assert_int_equal(b->ws->notices.count, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_opening_and_closing),
        BENCH_TEST(test_options_are_copied),
        BENCH_TEST(test_the_system_by_default),
        BENCH_TEST(test_a_root_that_cannot_be),
        BENCH_TEST(test_the_warning_of_the_state_directory),
        BENCH_TEST(test_what_is_prepared),
        BENCH_TEST(test_what_could_not_be_prepared),
        BENCH_TEST(test_a_state_directory_that_cannot_be_resolved),
        BENCH_TEST(test_notices_are_forgotten_when_told),
        BENCH_TEST(test_memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

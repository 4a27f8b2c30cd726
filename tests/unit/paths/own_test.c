#include "bench.h"

#include "paths/own.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const variables[] = {"XDG_STATE_HOME", "HOME", "TMPDIR"};
static char *saved[COUNT_OF(variables)];

static void environment(const char *name, const char *value)
{
    assert_int_equal(value ? setenv(name, value, 1) : unsetenv(name), 0);
}

/* The root is the home too; the state directory that is named lies elsewhere. */
static int setup(void **state)
{
    for (size_t i = 0; i < COUNT_OF(variables); i++) {
        const char *value = getenv(variables[i]);
        saved[i] = value ? strdup(value) : NULL;
        environment(variables[i], NULL);
    }
    int result = bench_setup(state);
    bench *b = *state;
    environment("HOME", b->root);
    return result;
}

static int teardown(void **state)
{
    for (size_t i = 0; i < COUNT_OF(variables); i++) {
        environment(variables[i], saved[i]);
        free(saved[i]);
    }
    return bench_teardown(state);
}

static em_status try_open(bench *b, const char *path, em_intent intent, unsigned flags)
{
    em_file file;
    b->err = EM_ERROR_INIT;
    em_status status = em_ws_open_file(bench_open(b), path, intent, flags, 0, &file, &b->err);
    em_file_close(b->ws, &file);
    return status;
}

static void check_refused(bench *b, const char *path)
{
    check_status(path, try_open(b, path, EM_TO_READ, 0), EM_E_DENIED);
    check_detail(b, "emend's own state directory");
    check_status(path, try_open(b, path, EM_TO_PREVIEW, EM_MAY_BE_MISSING), EM_E_DENIED);
    check_status(path, try_open(b, path, EM_TO_CHANGE, EM_MAY_BE_MISSING), EM_E_DENIED);
}

static void check_open(bench *b, const char *path)
{
    check_status(path, try_open(b, path, EM_TO_CHANGE, EM_MAY_BE_MISSING), EM_OK);
}

/* `folder` below the root, with all above it. */
static void make_folders(bench *b, const char *folder)
{
    char way[SCRATCH_PATH];
    for (size_t i = 1; i <= strlen(folder); i++) {
        if (folder[i] != '/' && folder[i] != '\0')
            continue;
        snprintf(way, sizeof way, "%.*s", (int)i, folder);
        if (!scratch_has(b->root, way))
            scratch_folder(b->root, way);
    }
}

/* ---- Which --------------------------------------------------------------------------------- */

/* Every place where one may be by default, also beside one that is named. */
static void test_the_usual_places(void **state)
{
    bench *b = *state;
    char tmp[64], named[SCRATCH_PATH + 8];
    snprintf(tmp, sizeof tmp, "t/emend-%lu/new", (unsigned long)geteuid());
    snprintf(named, sizeof named, "%s/named", b->root);
    environment("XDG_STATE_HOME", scratch_path(b->root, "x"));
    environment("TMPDIR", scratch_path(b->root, "t"));
    b->options.state_dir = named;
    check_refused(b, "x/emend/new");
    check_refused(b, ".local/state/emend/new");
    check_refused(b, tmp);
    check_refused(b, "named/new");
    check_open(b, "x/other/new");
    check_open(b, ".local/state/new");
    check_open(b, "t/new");
    check_open(b, "named.txt");
}

static void test_each_place_once(void **state)
{
    bench *b = *state;
    const char *places[EM_STATE_PLACES];
    size_t count;
    environment("TMPDIR", "/tmp");
    environment("XDG_STATE_HOME", "relative");
    check_status("usual", em_state_places(&em_sys_native, NULL, &b->arena, places, &count), EM_OK);
    assert_int_equal(count, 2);
    assert_string_equal(places[0], scratch_path(b->root, ".local/state/emend"));
    assert_int_equal(strncmp(places[1], "/tmp/emend-", 11), 0);
    check_status("named", em_state_places(&em_sys_native, places[1], &b->arena, places, &count),
                 EM_OK);
    assert_int_equal(count, 2);
    trap_set(&b->trap, (trap){.call = "cwd", .about = "", .error = ENOENT});
    check_status("no current folder",
                 em_state_places(&b->trap.sys, "named", &b->arena, places, &count), EM_OK);
    assert_int_equal(count, 2);
}

/* Where none lies in a root nothing is looked at when a file is opened. */
static void test_elsewhere(void **state)
{
    bench *b = *state;
    environment("HOME", b->base);
    bench_open(b);
    assert_int_equal(b->ws->owns.count, 0);
    check_open(b, ".local/state/emend/new");
}

/* The root is the very folder, or lies on another way to it. */
static void test_the_root_itself(void **state)
{
    bench *b = *state;
    environment("HOME", NULL);
    b->options.state_dir = b->root;
    check_status("the root", try_open(b, "a.txt", EM_TO_READ, 0), EM_E_DENIED);
    bench_close(b);
    b->options.state_dir = b->state;
    b->roots[0] = "/";
    char path[SCRATCH_PATH + 16];
    snprintf(path, sizeof path, "%s/new", b->state);
    check_status("in /", try_open(b, path, EM_TO_READ, 0), EM_E_DENIED);
}

/* ---- How it is known ----------------------------------------------------------------------- */

static void test_before_it_is_there(void **state)
{
    bench *b = *state;
    static const char *const names[] = {
        ".local/state/emend",         ".local/state/emend/history.db", ".local/state/emend/a/b/c",
        ".LOCAL/State/eMend/new",     ".local/state/emend/\xff",       ".local/state/EMEND/\xff",
        ".local/state/em\u200Bend/x", "new/../.local/state/emend/new"};
    environment("HOME", scratch_path(b->root, "./")); /* however it is spelled */
    for (size_t i = 0; i + 1 < COUNT_OF(names); i++)
        check_refused(b, names[i]);
    scratch_folder(b->root, "new");
    check_refused(b, names[COUNT_OF(names) - 1]);
    check_open(b, ".local/state/emend.txt");
    check_open(b, ".local/state");
    assert_false(scratch_has(b->root, ".local"));
}

/* Made later, by somebody else, and reached by ways that do not name it. */
static void test_by_what_it_is(void **state)
{
    bench *b = *state;
    environment("XDG_STATE_HOME", scratch_path(b->root, "x"));
    check_open(b, "y/emend/contents/1");
    make_folders(b, "y/emend/contents");
    scratch_put(b->root, "y/emend/contents/1", "SECRET\n");
    check_open(b, "y/emend/contents/1");
    scratch_link(b->root, "x", "y");
    check_refused(b, "y/emend/contents/1");
    check_refused(b, "y/emend/contents/none");
    check_refused(b, "y/emend/none/none");
    check_refused(b, "x/emend/contents/1");
    check_refused(b, "y/emend");
    check_open(b, "y/none");
    check_open(b, "a.txt");
}

/* A way that only passes through it tells nothing of what is there. */
static void test_passing_through(void **state)
{
    bench *b = *state;
    make_folders(b, ".local/state/emend/contents");
    check_refused(b, ".local/state/emend/contents/../../x");
    check_refused(b, ".local/state/emend/none/../../x");
    check_open(b, ".local/state/../x");
}

/* Nothing of it is hinted at: neither a name that is like the one that is missing. */
static void test_a_name_that_is_alike(void **state)
{
    bench *b = *state;
    environment("XDG_STATE_HOME", scratch_path(b->root, "\u00E9")); /* composed */
    make_folders(b, "\u00E9/emend");
    scratch_put(b->root, "\u00E9/emend/1", "x");
    check_status("decomposed", try_open(b, "e\u0301/emend/1", EM_TO_READ, 0), EM_E_DENIED);
}

/* A home through a link, and one in nested roots. */
static void test_links_and_nested_roots(void **state)
{
    bench *b = *state;
    char inner[SCRATCH_PATH + 8];
    scratch_link(b->base, "link", "root/sub");
    make_folders(b, "sub");
    snprintf(inner, sizeof inner, "%s/sub", b->root);
    environment("HOME", scratch_path(b->base, "link"));
    b->roots[1] = inner;
    b->options.root_count = 2;
    check_refused(b, "sub/.local/state/emend/new");
    bench_close(b);
    environment("HOME", inner);
    check_refused(b, scratch_path(inner, ".local/state/emend/new"));
    check_refused(b, "sub/.local/state/emend/new");
}

/* ---- What cannot be looked at -------------------------------------------------------------- */

/* By its name then. */
static void test_a_home_that_cannot_be_searched(void **state)
{
    bench *b = *state;
    static const char *const calls[] = {"stat", "open"};
    make_folders(b, ".local/state/emend");
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        bench_close(b);
        trap *failed =
            trap_set(&b->trap, (trap){.call = calls[i], .about = "", .times = -1, .error = EACCES});
        em_owns owns;
        em_roots roots;
        check_status("roots", em_roots_open(&em_sys_native, b->options.roots, 1, &roots, &b->err),
                     EM_OK);
        check_status("find", em_own_find(&b->trap.sys, &roots, NULL, NULL, &b->arena, &owns),
                     EM_OK);
        em_roots_close(&em_sys_native, &roots);
        assert_true(failed->caught > 0);
        assert_int_equal(owns.count, 1);
        bench_disarm(b);
        b->err = EM_ERROR_INIT;
        check_status(calls[i],
                     em_own_check_name(&owns, scratch_path(b->root, ".local/state/emend/x"),
                                       &b->arena, &b->err),
                     EM_E_DENIED);
    }
}

static void test_a_home_that_is_no_path(void **state)
{
    bench *b = *state;
    char *home = malloc(8192);
    assert_non_null(home);
    for (size_t length = 4050; length < 8192; length += 4) {
        memset(home, '/', length);
        for (size_t i = 1; i < length; i += 2)
            home[i] = '.';
        home[length - (length % 2 ? 0 : 1)] = '\0';
        environment("HOME", home);
        bench_close(b);
        check_open(b, "a.txt");
        if (length > 4120)
            length += 1000;
    }
    free(home);
}

/* What goes wrong when a file is opened is told: it might be one that is nobody's. */
static void test_failing(void **state)
{
    bench *b = *state;
    static const struct {
        const char *about;
        int error, skip;
        em_status want;
    } cases[] = {
        {".local/state/emend", EIO, 0, EM_E_IO},
        {".local/state/emend", ENOMEM, 0, EM_E_NOMEM},
        {".local/state/emend", EACCES, 0, EM_OK}, /* who may not see it may not open it */
        {"..", EIO, 0, EM_E_IO},
        {"$/root", EIO, 0, EM_E_IO},
    };
    make_folders(b, ".local/state/emend");
    make_folders(b, "sub");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bench_open(b);
        trap *failed = trap_set(&b->trap, (trap){.call = "stat",
                                                 .about = cases[i].about,
                                                 .skip = cases[i].skip,
                                                 .error = cases[i].error});
        check_status(cases[i].about, try_open(b, "sub/new", EM_TO_READ, EM_MAY_BE_MISSING),
                     cases[i].want);
        assert_int_equal(failed->caught, 1);
        bench_disarm(b);
    }
}

static void test_memory_may_end(void **state)
{
    bench *b = *state;
    static const char *const names[] = {".local/state/emend/x", ".LOCAL/state/emend/x"};
    environment("XDG_STATE_HOME", scratch_path(b->root, "x"));
    b->options.state_dir = b->root;
    for (long at = 1;; at++) {
        memory_ends_at(at);
        em_status status = em_ws_open(&b->options, &b->ws, &b->err);
        bool ended = memory_ended();
        memory_ends_at(0);
        check_status("open", status, ended ? EM_E_NOMEM : EM_OK);
        if (!ended)
            break;
        assert_true(at < 200);
    }
    bench_close(b);
    b->options.state_dir = b->state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        for (long at = 1;; at++) {
            bench_open(b);
            memory_ends_at(at);
            em_status status = try_open(b, names[i], EM_TO_READ, 0);
            bool ended = memory_ended();
            memory_ends_at(0);
            check_status(names[i], status, ended ? EM_E_NOMEM : EM_E_DENIED);
            if (!ended)
                break;
            assert_true(at < 200);
        }
    }
}

/* ---- The file of tokens --------------------------------------------------------------------- */

static void check_secret(bench *b, const char *path)
{
    static const em_intent intents[] = {EM_TO_READ, EM_TO_PREVIEW, EM_TO_CHANGE};
    for (size_t i = 0; i < COUNT_OF(intents); i++) {
        check_status(path, try_open(b, path, intents[i], EM_MAY_BE_MISSING), EM_E_DENIED);
        check_detail(b, "it holds the tokens of this server");
    }
}

/* By its name, in any letters, by other names of the file, and whatever file is put there; also
 * where it is gone. */
static void test_the_tokens(void **state)
{
    bench *b = *state;
    b->options.secret = scratch_path(b->root, "tokens");
    scratch_put(b->root, "tokens", "secret");
    assert_int_equal(link(b->options.secret, scratch_path(b->root, "hard")), 0);
    scratch_link(b->root, "soft", "tokens");
    bench_open(b);
    check_secret(b, "tokens");
    check_secret(b, "TOKENS");
    check_secret(b, "hard");
    check_secret(b, "soft");
    scratch_put(b->root, "new", "other");
    assert_int_equal(rename(scratch_path(b->root, "new"), scratch_path(b->root, "tokens")), 0);
    assert_int_equal(link(scratch_path(b->root, "tokens"), scratch_path(b->root, "again")), 0);
    check_secret(b, "tokens");
    check_secret(b, "again");
    check_secret(b, "hard");
    unlink(scratch_path(b->root, "tokens"));
    check_secret(b, "tokens");
    check_secret(b, "soft");
    assert_int_equal(rename(scratch_path(b->root, "hard"), scratch_path(b->root, "kept~")), 0);
    check_secret(b, "kept~");
    check_open(b, "tokens.txt");
    check_open(b, "a.txt");
}

/* Named by a link from elsewhere, or relative to the current folder. */
static void test_the_tokens_behind_a_link(void **state)
{
    bench *b = *state;
    char here[SCRATCH_PATH];
    scratch_put(b->root, "real", "secret");
    scratch_link(b->base, "tokens", scratch_path(b->root, "real"));
    b->options.secret = scratch_path(b->base, "tokens");
    bench_open(b);
    check_secret(b, "real");
    assert_int_equal(rename(scratch_path(b->root, "real"), scratch_path(b->root, "was")), 0);
    check_secret(b, "real");
    check_secret(b, "was");
    bench_close(b);

    scratch_put(b->root, "real", "secret");
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(b->root), 0);
    b->options.secret = "real";
    bench_open(b);
    assert_int_equal(chdir(here), 0);
    check_secret(b, "real");
}

#define OWN_TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        OWN_TEST(test_the_tokens),
        OWN_TEST(test_the_tokens_behind_a_link),
        OWN_TEST(test_the_usual_places),
        OWN_TEST(test_each_place_once),
        OWN_TEST(test_elsewhere),
        OWN_TEST(test_the_root_itself),
        OWN_TEST(test_before_it_is_there),
        OWN_TEST(test_by_what_it_is),
        OWN_TEST(test_passing_through),
        OWN_TEST(test_a_name_that_is_alike),
        OWN_TEST(test_links_and_nested_roots),
        OWN_TEST(test_a_home_that_cannot_be_searched),
        OWN_TEST(test_a_home_that_is_no_path),
        OWN_TEST(test_failing),
        OWN_TEST(test_memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

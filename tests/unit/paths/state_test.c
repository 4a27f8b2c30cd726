#include "paths/state.h"

#include "scratch.h"
#include "trap.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* BASE/root is the root of a workspace, BASE/home and BASE/tmp are what the environment says. */
typedef struct place {
    char base[SCRATCH_PATH];
    char *saved[3]; /* the environment of before */
    trap_sys trap;
    em_roots roots;
    em_state_options options;
    em_state state;
    em_error err;
    int descriptors;
} place;

static const char *const variables[] = {"XDG_STATE_HOME", "HOME", "TMPDIR"};

static void environment(const char *name, const char *value)
{
    assert_int_equal(value ? setenv(name, value, 1) : unsetenv(name), 0);
}

static int setup(void **state)
{
    place *p = calloc(1, sizeof *p);
    assert_non_null(p);
    p->descriptors = scratch_descriptors();
    scratch_new_in_memory(p->base);
    scratch_folder(p->base, "root");
    scratch_folder(p->base, "home");
    scratch_folder(p->base, "tmp");
    for (size_t i = 0; i < COUNT_OF(variables); i++) {
        const char *value = getenv(variables[i]);
        p->saved[i] = value ? strdup(value) : NULL;
    }
    environment("XDG_STATE_HOME", NULL);
    environment("HOME", scratch_path(p->base, "home"));
    environment("TMPDIR", scratch_path(p->base, "tmp"));
    trap_sys_init(&p->trap);
    p->err = EM_ERROR_INIT;
    const char *root = scratch_path(p->base, "root");
    check_status("roots", em_roots_open(&em_sys_native, &root, 1, &p->roots, &p->err), EM_OK);
    p->options = (em_state_options){.roots = &p->roots, .make = true};
    em_state_init(&p->state);
    *state = p;
    return 0;
}

static int teardown(void **state)
{
    place *p = *state;
    em_state_close(&p->state);
    em_roots_close(&em_sys_native, &p->roots);
    for (size_t i = 0; i < COUNT_OF(variables); i++) {
        environment(variables[i], p->saved[i]);
        free(p->saved[i]);
    }
    scratch_drop(p->base);
    assert_int_equal(scratch_descriptors(), p->descriptors);
    free(p);
    return 0;
}

static em_status state_open(place *p)
{
    em_state_close(&p->state);
    p->err = EM_ERROR_INIT;
    return em_state_open(&p->trap.sys, &p->options, &p->state, &p->err);
}

/* It is BASE/`name`, and only its user can use it. */
static void check_path(const place *p, const char *name)
{
    struct stat st;
    assert_string_equal(p->state.path, scratch_path(p->base, name));
    assert_int_equal(stat(p->state.path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0700);
    assert_true(scratch_has(p->state.path, "locks"));
}

static const char *fallback_name(void)
{
    static char name[64];
    snprintf(name, sizeof name, "tmp/emend-%lu", (unsigned long)geteuid());
    return name;
}

static void test_the_one_that_was_named(void **state)
{
    place *p = *state;
    p->options.named = scratch_path(p->base, "some/where/state");
    check_status("open", state_open(p), EM_OK);
    check_path(p, "some/where/state");
    assert_null(p->state.warning);
    check_status("again", state_open(p), EM_OK);
}

static void test_named_by_a_relative_path(void **state)
{
    place *p = *state;
    char here[1024];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(p->base), 0);
    p->options.named = "below/state";
    em_status status = state_open(p);
    assert_int_equal(chdir(here), 0);
    check_status("open", status, EM_OK);
    check_path(p, "below/state");
}

static void test_from_the_environment(void **state)
{
    place *p = *state;
    check_status("home", state_open(p), EM_OK);
    check_path(p, "home/.local/state/emend");
    environment("XDG_STATE_HOME", scratch_path(p->base, "xdg"));
    check_status("xdg", state_open(p), EM_OK);
    check_path(p, "xdg/emend");
    environment("XDG_STATE_HOME", "relative"); /* is to be ignored, says the standard */
    check_status("relative", state_open(p), EM_OK);
    check_path(p, "home/.local/state/emend");
    assert_null(p->state.warning);
}

static void test_falling_back(void **state)
{
    place *p = *state;
    environment("HOME", NULL);
    check_status("no home", state_open(p), EM_OK);
    check_path(p, fallback_name());
    assert_non_null(strstr(p->state.warning, "--state-dir"));

    environment("HOME", scratch_path(p->base, "file"));
    scratch_put(p->base, "file", "");
    check_status("a home that is no folder", state_open(p), EM_OK);
    check_path(p, fallback_name());
}

static void test_falling_back_without_tmpdir(void **state)
{
    place *p = *state;
    environment("HOME", NULL);
    environment("TMPDIR", "relative");
    trap *opened =
        trap_set(&p->trap, (struct trap){.call = "open", .about = "/tmp/emend-", .error = EACCES});
    check_status("open", state_open(p), EM_E_PERMISSION);
    assert_int_equal(opened->caught, 1);
}

/* A root that holds the state directory would let requests edit it. */
static void test_never_inside_a_root(void **state)
{
    place *p = *state;
    environment("XDG_STATE_HOME", scratch_path(p->base, "root"));
    check_status("the next one", state_open(p), EM_OK);
    check_path(p, "home/.local/state/emend");
    assert_null(p->state.warning);

    environment("HOME", scratch_path(p->base, "root"));
    check_status("open", state_open(p), EM_OK);
    check_path(p, fallback_name());
    assert_non_null(strstr(p->state.warning, "inside the root"));
    assert_string_equal(strstr(p->state.warning, ": name another one"),
                        ": name another one (--state-dir), or a smaller root (--root)");
    assert_false(scratch_has(p->base, "root/.local"));

    environment("TMPDIR", scratch_path(p->base, "root"));
    check_status("nowhere else", state_open(p), EM_E_PERMISSION);
    assert_int_equal(scratch_count(scratch_path(p->base, "root")), 0);

    scratch_folder(p->base, "root/sub");
    p->options.named = scratch_path(p->base, "root/sub/state");
    check_status("unless it was named", state_open(p), EM_OK);
    check_path(p, "root/sub/state");
}

static void test_one_that_was_outside_once(void **state)
{
    place *p = *state;
    check_status("open", state_open(p), EM_OK);
    const char *root = scratch_path(p->base, "home");
    em_roots_close(&em_sys_native, &p->roots);
    check_status("roots", em_roots_open(&em_sys_native, &root, 1, &p->roots, &p->err), EM_OK);
    check_status("again", state_open(p), EM_OK);
    check_path(p, fallback_name());
}

static void test_others_may_not_write(void **state)
{
    place *p = *state;
    p->options.named = scratch_path(p->base, "open");
    scratch_folder(p->base, "open");
    assert_int_equal(chmod(p->options.named, 0777), 0);
    check_status("open", state_open(p), EM_E_PERMISSION);
    assert_non_null(strstr(p->err.detail, "777"));
    assert_int_equal(chmod(p->options.named, 0755), 0);
    check_status("only read", state_open(p), EM_OK);
}

/* Somebody may have made /tmp/emend-UID before us. */
static void test_planted(void **state)
{
    place *p = *state;
    environment("HOME", NULL);
    scratch_link(p->base, fallback_name(), scratch_path(p->base, "home"));
    assert_int_not_equal(state_open(p), EM_OK);
    assert_int_equal(scratch_count(scratch_path(p->base, "home")), 0);
}

static void test_of_another_user(void **state)
{
    place *p = *state;
    if (geteuid() != 0)
        skip();
    p->options.named = scratch_path(p->base, "theirs");
    scratch_folder(p->base, "theirs");
    assert_int_equal(chown(p->options.named, 1234, 1234), 0);
    check_status("named", state_open(p), EM_E_PERMISSION);
    assert_non_null(strstr(p->err.detail, "another user"));
    assert_int_equal(p->err.cause, EM_CAUSE_STATE_DIR);

    /* root with the HOME of a user makes nothing there */
    p->options.named = NULL;
    assert_int_equal(chown(scratch_path(p->base, "home"), 1234, 1234), 0);
    check_status("home", state_open(p), EM_OK);
    check_path(p, fallback_name());
    assert_int_equal(scratch_count(scratch_path(p->base, "home")), 0);
}

static void test_not_made(void **state)
{
    place *p = *state;
    p->options.make = false;
    check_status("none", state_open(p), EM_E_NOT_FOUND);
    assert_int_equal(scratch_count(scratch_path(p->base, "home")), 0);
    p->options.make = true;
    check_status("made", state_open(p), EM_OK);
    p->options.make = false;
    check_status("there", state_open(p), EM_OK);
    check_path(p, "home/.local/state/emend");
}

static void test_names_that_cannot_be(void **state)
{
    place *p = *state;
    char *longest = malloc(5000);
    assert_non_null(longest);
    memset(longest, 'x', 4999);
    longest[0] = '/';
    longest[4999] = '\0';
    p->options.named = "";
    check_status("empty", state_open(p), EM_E_INVALID);
    scratch_put(p->base, "file", "");
    const char *const nowhere[] = {longest, scratch_path(p->base, "file"),
                                   scratch_path(p->base, "file/state"), "/proc/none/state"};
    for (size_t i = 0; i < COUNT_OF(nowhere); i++) {
        p->options.named = nowhere[i];
        check_status(nowhere[i], state_open(p), EM_E_IO);
        assert_int_equal(p->err.cause, EM_CAUSE_STATE_DIR);
    }
    free(longest);
}

static void test_boot(void **state)
{
    place *p = *state;
    char want[64] = "";
    FILE *file = fopen("/proc/sys/kernel/random/boot_id", "re");
    assert_non_null(file);
    assert_non_null(fgets(want, sizeof want, file));
    fclose(file);
    want[strcspn(want, "\n")] = '\0';
    check_status("open", state_open(p), EM_OK);
    assert_string_equal(p->state.boot, want);

    trap_set(&p->trap, (struct trap){.call = "open", .about = "boot_id", .error = ENOENT});
    check_status("without", state_open(p), EM_OK);
    assert_string_equal(p->state.boot, "");
    trap_set(&p->trap, (struct trap){.call = "read", .about = "boot_id", .error = EIO});
    check_status("unreadable", state_open(p), EM_OK);
    assert_string_equal(p->state.boot, "");
}

static void test_folders_in_it(void **state)
{
    place *p = *state;
    int dir;
    check_status("open", state_open(p), EM_OK);
    check_status("made", em_state_folder(&p->state, "copies", true, &dir, &p->err), EM_OK);
    close(dir);
    check_status("there", em_state_folder(&p->state, "copies", true, &dir, &p->err), EM_OK);
    close(dir);
    scratch_put(p->state.path, "file", "");
    check_status("a file", em_state_folder(&p->state, "file", true, &dir, &p->err), EM_E_IO);
}

/* The folder that could not be made is named, and not the one that is there. */
static void test_a_folder_in_it_cannot_be_made(void **state)
{
    place *p = *state;
    const char *path = scratch_path(p->base, "home");
    p->options.named = path;
    trap_set(&p->trap, (struct trap){.call = "mkdir", .about = "locks", .error = EACCES});
    assert_int_equal(state_open(p), EM_E_PERMISSION);
    assert_int_equal(strncmp(p->err.detail, "mkdir ", 6), 0);
    assert_non_null(strstr(p->err.detail, "home/locks: Permission denied"));
}

/* Each call may fail: then either there is another place, or the error says so and nothing is
 * open. */
static void test_every_call_may_fail(void **state)
{
    place *p = *state;
    static const struct {
        const char *call, *about;
        int skip, error;
        bool named;
        em_status want;
    } cases[] = {
        {"cwd", "", 0, ENOENT, true, EM_E_IO},
        {"open", "/", 0, EMFILE, true, EM_E_IO},
        {"open", "/", 1, EMFILE, true, EM_E_IO},
        {"open", "locks", 0, EIO, true, EM_E_IO},
        {"mkdir", "locks", 0, ENOSPC, true, EM_E_IO},
        {"mkdir", "deep", 0, EROFS, true, EM_E_PERMISSION},
        {"open", "deep", 2, EIO, true, EM_E_IO},
        {"open", "deep", 2, EACCES, true, EM_E_PERMISSION},
        {"sync", "", 0, EIO, true, EM_E_IO},
        {"open", ".", 0, EMFILE, true, EM_E_IO},
        {"stat", "", 0, EIO, true, EM_E_IO},
        {"stat", "", 0, EIO, false, EM_OK},
        {"stat", "", 1, EIO, false, EM_OK},
        {"stat", "", 2, EIO, false, EM_OK},
        {"stat", "", 3, EIO, false, EM_OK},
        {"open", "..", 0, EIO, false, EM_OK},
        {"open", "..", 1, EIO, false, EM_OK},
        {"stat", "", 0, ENOMEM, true, EM_E_NOMEM},
    };
    char here[1024];
    assert_non_null(getcwd(here, sizeof here));
    assert_int_equal(chdir(p->base), 0);
    p->options.sync = true;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        scratch_drop(scratch_path(p->base, "deep"));
        scratch_drop(scratch_path(p->base, "home/.local"));
        p->options.named = cases[i].named ? "deep/state" : NULL;
        p->trap.count = 0;
        trap *caught = trap_set(&p->trap, (struct trap){.call = cases[i].call,
                                                        .about = cases[i].about,
                                                        .skip = cases[i].skip,
                                                        .error = cases[i].error});
        em_status status = state_open(p);
        if (status != cases[i].want || caught->caught != 1)
            fail_msg("case %zu: %s %s: status %d, caught %d", i, cases[i].call, cases[i].about,
                     (int)status, caught->caught);
        if (status == EM_OK)
            assert_non_null(p->state.warning);
        if (status == EM_E_PERMISSION)
            assert_int_equal(p->err.cause, EM_CAUSE_STATE_DIR);
    }
    assert_int_equal(chdir(here), 0);
}

/* As a home that is part of a read-only image: another place is taken. Without one, and to read
 * only, what is there will do. */
static void test_one_that_is_read_only(void **state)
{
    place *p = *state;
    static const int closed[] = {EROFS, EACCES};
    static const char own[] = "home/.local/state/emend";
    for (size_t i = 0; i < COUNT_OF(closed); i++) {
        scratch_drop(scratch_path(p->base, fallback_name()));
        p->options = (em_state_options){.roots = &p->roots, .make = true};
        p->trap.count = 0;
        check_status("make it", state_open(p), EM_OK);
        check_path(p, own);

        struct trap is_closed = {.call = "access", .about = own, .times = -1, .error = closed[i]};
        trap_set(&p->trap, is_closed);
        p->options.make = false;
        check_status("to read", state_open(p), EM_OK);
        check_path(p, own);
        p->options.make = true;
        check_status("another", state_open(p), EM_OK);
        check_path(p, fallback_name());
        assert_non_null(strstr(p->state.warning, "nothing can be written"));
        p->options.make = false;
        check_status("the same, to read", state_open(p), EM_OK);
        check_path(p, fallback_name());

        p->options.named = scratch_path(p->base, own);
        check_status("named, to read", state_open(p), EM_OK);
        p->options.make = true;
        check_status("named", state_open(p), EM_E_PERMISSION);
        assert_int_equal(p->err.cause, EM_CAUSE_STATE_DIR);
        assert_int_equal(p->err.sys, closed[i]);
    }
    p->trap.count = 0;
    p->options.named = NULL;
    trap_set(&p->trap, (struct trap){.call = "access", .about = own, .times = -1, .error = ENOSYS});
    check_status("that cannot be told", state_open(p), EM_OK);
    check_path(p, own);
}

static void test_memory_may_end(void **state)
{
    place *p = *state;
    environment("HOME", NULL);
    for (long at = 1;; at++) {
        memory_ends_at(at);
        em_status status = state_open(p);
        bool ended = memory_ended();
        memory_ends_at(0);
        check_status("memory", status, ended ? EM_E_NOMEM : EM_OK);
        if (!ended)
            break;
        assert_true(at < 100);
    }
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_the_one_that_was_named),
        TEST(test_named_by_a_relative_path),
        TEST(test_from_the_environment),
        TEST(test_falling_back),
        TEST(test_falling_back_without_tmpdir),
        TEST(test_never_inside_a_root),
        TEST(test_one_that_was_outside_once),
        TEST(test_others_may_not_write),
        TEST(test_planted),
        TEST(test_of_another_user),
        TEST(test_not_made),
        TEST(test_names_that_cannot_be),
        TEST(test_boot),
        TEST(test_folders_in_it),
        TEST(test_a_folder_in_it_cannot_be_made),
        TEST(test_every_call_may_fail),
        TEST(test_one_that_is_read_only),
        TEST(test_memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

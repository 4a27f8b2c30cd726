#include "bench.h"

#include "system/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

static em_status file_open(bench *b, const char *path, em_intent intent, unsigned flags,
                           em_file *file)
{
    b->err = EM_ERROR_INIT;
    return em_ws_open_file(bench_open(b), path, intent, flags, 0, file, &b->err);
}

/* Open and close; the status. */
static em_status try_open(bench *b, const char *path, em_intent intent, unsigned flags)
{
    em_file file;
    em_status status = file_open(b, path, intent, flags, &file);
    em_file_close(b->ws, &file);
    return status;
}

/* ---- Reading ------------------------------------------------------------------------------- */

static void test_what_is_read(void **state)
{
    bench *b = *state;
    em_file file;
    scratch_folder(b->root, "sub");
    scratch_put(b->root, "sub/b.txt", "content");
    scratch_link(b->root, "link", "sub/b.txt");
    static const char *const paths[] = {"sub/b.txt", "link", "./sub/../sub/b.txt"};
    for (size_t i = 0; i < COUNT_OF(paths); i++) {
        check_status(paths[i], file_open(b, paths[i], EM_TO_READ, 0, &file), EM_OK);
        assert_true(file.exists);
        assert_string_equal(file.rel, "sub/b.txt");
        assert_string_equal(file.root, b->root);
        assert_string_equal(file.path, scratch_path(b->root, "sub/b.txt"));
        assert_true(em_slice_is(file.bytes, "content"));
        assert_string_equal(file.hash.hex, em_hash_of(EM_LIT("content")).hex);
        assert_int_equal(file.stat.size, 7);
        em_file_close(b->ws, &file);
        em_file_close(b->ws, &file); /* of a closed one: nothing */
    }
}

static void test_an_empty_file(void **state)
{
    bench *b = *state;
    em_file file;
    scratch_put(b->root, "empty", "");
    check_status("empty", file_open(b, "empty", EM_TO_READ, 0, &file), EM_OK);
    assert_int_equal(file.bytes.len, 0);
    assert_true(file.exists);
    em_file_close(b->ws, &file);
}

static void test_missing_files(void **state)
{
    bench *b = *state;
    em_file file;
    check_status("refused", try_open(b, "none", EM_TO_READ, 0), EM_E_NOT_FOUND);
    check_detail(b, "none");
    check_status("refused below", try_open(b, "x/none", EM_TO_CHANGE, 0), EM_E_NOT_FOUND);
    for (int intent = EM_TO_READ; intent <= EM_TO_CHANGE; intent++) {
        check_status("allowed",
                     file_open(b, "x/y/none", (em_intent)intent, EM_MAY_BE_MISSING, &file), EM_OK);
        assert_false(file.exists);
        assert_string_equal(file.rel, "x/y/none");
        assert_int_equal(file.bytes.len, 0);
        em_file_close(b->ws, &file);
    }
    assert_false(scratch_has(b->root, "x"));
    scratch_link(b->root, "dangling", "nowhere");
    check_status("dangling", try_open(b, "dangling", EM_TO_READ, EM_MAY_BE_MISSING),
                 EM_E_NOT_FOUND);
}

/* One in another normal form of Unicode is named, unless a rule hides it. */
static void test_a_twin_is_told(void **state)
{
    bench *b = *state;
    static const char composed[] = "sub/caf\xc3\xa9/a", decomposed[] = "sub/cafe\xcc\x81/a";
    static const char *const deny[] = {"sub/cafe*"};
    scratch_folder(b->root, "sub");
    scratch_folder(b->root, "sub/caf\xc3\xa9");
    scratch_put(b->root, composed, "x");
    check_status("decomposed", try_open(b, decomposed, EM_TO_READ, 0), EM_E_NOT_FOUND);
    assert_int_equal(b->err.cause, EM_CAUSE_TWIN_NAME);
    assert_string_equal(b->err.detail, "sub/caf\xc3\xa9");
    check_status("composed", try_open(b, composed, EM_TO_READ, 0), EM_OK);
    check_status("made", try_open(b, decomposed, EM_TO_READ, EM_MAY_BE_MISSING), EM_OK);

    scratch_put(b->root, "e\xcc\x81", "x");
    check_status("composed", try_open(b, "\xc3\xa9", EM_TO_READ, 0), EM_E_NOT_FOUND);
    assert_string_equal(b->err.detail, "e\xcc\x81");
    check_status("no such", try_open(b, "\xc3\xa8", EM_TO_READ, 0), EM_E_NOT_FOUND);
    assert_int_equal(b->err.cause, EM_CAUSE_NONE);
    check_status("no text", try_open(b, "\xff", EM_TO_READ, 0), EM_E_NOT_FOUND);
    assert_int_equal(b->err.cause, EM_CAUSE_NONE);

    bench_close(b);
    b->options.deny = deny;
    b->options.deny_count = 1;
    check_status("hidden", try_open(b, decomposed, EM_TO_READ, 0), EM_E_DENIED);
}

/* A large file, which is read into large pages. */
static void test_a_large_file(void **state)
{
    bench *b = *state;
    em_file file;
    size_t size = 5 << 20;
    char *text = malloc(size + 1);
    assert_non_null(text);
    memset(text, 'x', size);
    text[size] = '\0';
    scratch_put(b->root, "large", text);
    check_status("large", file_open(b, "large", EM_TO_READ, 0, &file), EM_OK);
    assert_int_equal(file.bytes.len, size);
    assert_memory_equal(file.bytes.ptr, text, size);
    em_file_close(b->ws, &file);
    free(text);
}

static void test_sizes(void **state)
{
    bench *b = *state;
    em_file file;
    bench_open(b);
    check_status("at the limit", em_ws_open_file(b->ws, "a.txt", EM_TO_READ, 0, 14, &file, &b->err),
                 EM_OK);
    em_file_close(b->ws, &file);
    check_status("beyond", em_ws_open_file(b->ws, "a.txt", EM_TO_READ, 0, 13, &file, &b->err),
                 EM_E_TOO_LARGE);
    check_detail(b, "14 bytes");
}

/* ---- Kinds --------------------------------------------------------------------------------- */

static void test_odd_files(void **state)
{
    bench *b = *state;
    struct sockaddr_un address = {.sun_family = AF_UNIX};
    snprintf(address.sun_path, sizeof address.sun_path, "%s", scratch_path(b->root, "socket"));
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0);
    assert_int_equal(bind(fd, (struct sockaddr *)&address, sizeof address), 0);
    close(fd);
    scratch_folder(b->root, "folder");
    assert_int_equal(mkfifo(scratch_path(b->root, "fifo"), 0600), 0);
    trap *opened =
        trap_set(&b->trap, (trap){.call = "open", .about = "/proc/self/fd", .times = -1});
    static const struct {
        const char *name;
        em_status want;
    } cases[] = {{"folder", EM_E_IS_FOLDER},
                 {".", EM_E_IS_FOLDER},
                 {"fifo", EM_E_NOT_REGULAR},
                 {"socket", EM_E_NOT_REGULAR}};
    for (int intent = EM_TO_READ; intent <= EM_TO_CHANGE; intent++) {
        for (size_t i = 0; i < COUNT_OF(cases); i++)
            check_status(cases[i].name,
                         try_open(b, cases[i].name, (em_intent)intent, EM_MAY_BE_MISSING),
                         cases[i].want);
        check_status("a folder that is not there, as a name for a file",
                     try_open(b, "none/", (em_intent)intent, EM_MAY_BE_MISSING), EM_E_IS_FOLDER);
        check_status("a folder that is not there", try_open(b, "none/", (em_intent)intent, 0),
                     EM_E_NOT_FOUND);
    }
    assert_int_equal(opened->caught, 0); /* none of them was opened for reading */
}

/* Files that the kernel makes up have no size and no content of their own. */
static void test_files_of_the_kernel(void **state)
{
    bench *b = *state;
    b->roots[0] = "/proc";
    b->roots[1] = "/dev";
    b->options.root_count = 2;
    trap *opened =
        trap_set(&b->trap, (trap){.call = "open", .about = "/proc/self/fd", .times = -1});
    check_status("proc", try_open(b, "version", EM_TO_READ, 0), EM_E_NOT_REGULAR);
    check_detail(b, "kernel");
    check_status("a device", try_open(b, "/dev/null", EM_TO_READ, 0), EM_E_NOT_REGULAR);
    assert_int_equal(opened->caught, 0);
}

/* ---- What happens meanwhile ---------------------------------------------------------------- */

static void grow(void *context)
{
    bench *b = context;
    FILE *file = fopen(scratch_path(b->root, "a.txt"), "ae");
    assert_non_null(file);
    fputs("more\n", file);
    fclose(file);
}

static void shrink(void *context)
{
    bench *b = context;
    scratch_put(b->root, "a.txt", "one");
}

static void touch(void *context)
{
    bench *b = context;
    const struct timespec times[2] = {{.tv_sec = 1}, {.tv_sec = 1}};
    assert_int_equal(utimensat(AT_FDCWD, scratch_path(b->root, "a.txt"), times, 0), 0);
}

static void change_mode(void *context)
{
    bench *b = context;
    assert_int_equal(chmod(scratch_path(b->root, "a.txt"), 0600), 0);
}

static void replace(void *context)
{
    bench *b = context;
    scratch_put(b->root, "other", "replaced\n");
    assert_int_equal(rename(scratch_path(b->root, "other"), scratch_path(b->root, "a.txt")), 0);
}

static void test_changed_while_it_was_read(void **state)
{
    bench *b = *state;
    void (*const hooks[])(void *) = {grow, shrink, touch};
    for (size_t i = 0; i < COUNT_OF(hooks); i++) {
        scratch_put(b->root, "a.txt", "one two three\n");
        bench_disarm(b);
        trap_set(&b->trap,
                 (trap){.call = "read", .about = "a.txt", .hook = hooks[i], .context = b});
        check_status("changed", try_open(b, "a.txt", EM_TO_READ, 0), EM_E_CONFLICT);
        assert_int_equal(b->err.cause, EM_CAUSE_CHANGED);
    }
    bench_disarm(b);
    usleep(10000); /* ctime has the resolution of a tick */
    trap_set(&b->trap, (trap){.call = "read", .about = "a.txt", .hook = change_mode, .context = b});
    check_status("its mode", try_open(b, "a.txt", EM_TO_READ, 0), EM_E_CONFLICT);
}

/* Who reads has the old content whole, or the new one. */
static void test_replaced_while_it_was_read(void **state)
{
    bench *b = *state;
    em_file file;
    usleep(10000); /* ctime has the resolution of a tick */
    trap_set(&b->trap, (trap){.call = "read", .about = "a.txt", .hook = replace, .context = b});
    check_status("read", file_open(b, "a.txt", EM_TO_READ, 0, &file), EM_OK);
    assert_true(em_slice_is(file.bytes, "one two three\n"));
    em_file_close(b->ws, &file);
    check_text(b, "a.txt", "replaced\n");
}

/* Too large only when it is opened: the limit is kept nevertheless. */
static void test_grown_before_it_was_read(void **state)
{
    bench *b = *state;
    em_file file;
    trap_set(&b->trap,
             (trap){.call = "open", .about = "/proc/self/fd", .hook = grow, .context = b});
    check_status("grown",
                 em_ws_open_file(bench_open(b), "a.txt", EM_TO_READ, 0, 14, &file, &b->err),
                 EM_E_TOO_LARGE);
}

/* Who waits for the lock reads what is there then. */
static void test_replaced_while_it_was_locked(void **state)
{
    bench *b = *state;
    em_file file;
    trap_set(&b->trap, (trap){.call = "lock", .about = "locks/", .hook = replace, .context = b});
    check_status("open", file_open(b, "a.txt", EM_TO_CHANGE, 0, &file), EM_OK);
    assert_true(em_slice_is(file.bytes, "replaced\n"));
    em_file_close(b->ws, &file);
}

static void make_it(void *context)
{
    bench *b = context;
    scratch_put(b->root, "new", "theirs");
}

static void test_made_while_it_was_locked(void **state)
{
    bench *b = *state;
    em_file file;
    trap_set(&b->trap, (trap){.call = "lock", .about = "locks/", .hook = make_it, .context = b});
    check_status("open", file_open(b, "new", EM_TO_CHANGE, EM_MAY_BE_MISSING, &file), EM_OK);
    assert_true(file.exists);
    em_file_close(b->ws, &file);
}

static void test_replaced_all_the_time(void **state)
{
    bench *b = *state;
    check_status("ready", try_open(b, "a.txt", EM_TO_CHANGE, 0), EM_OK);
    trap *locks = trap_set(
        &b->trap,
        (trap){.call = "lock", .about = "locks/", .times = -1, .hook = replace, .context = b});
    check_status("open", try_open(b, "a.txt", EM_TO_CHANGE, 0), EM_E_CONFLICT);
    assert_int_equal(locks->caught, 2 * 32); /* taken, and given back */
    assert_null(b->ws->locks.first);
}

/* ---- Rules --------------------------------------------------------------------------------- */

static void test_rules_come_first(void **state)
{
    bench *b = *state;
    static const char *const deny[] = {"secret*"};
    b->options.deny = deny;
    b->options.deny_count = 1;
    scratch_put(b->root, "secret", "x");
    check_status("there", try_open(b, "secret", EM_TO_READ, 0), EM_E_DENIED);
    char said[EM_DETAIL_SIZE];
    strcpy(said, b->err.detail);
    unlink(scratch_path(b->root, "secret"));
    check_status("not there", try_open(b, "secret", EM_TO_READ, 0), EM_E_DENIED);
    assert_string_equal(said, b->err.detail); /* which does not tell */
    scratch_folder(b->root, "secrets");
    check_status("a folder", try_open(b, "secrets", EM_TO_READ, 0), EM_E_DENIED);
}

/* What is below a denied name is refused whether or not the name is a folder. */
static void test_rules_tell_nothing_of_what_is_below(void **state)
{
    bench *b = *state;
    static const char *const deny[] = {"secret"};
    b->options.deny = deny;
    b->options.deny_count = 1;
    check_status("not there", try_open(b, "secret/x", EM_TO_READ, 0), EM_E_DENIED);
    scratch_put(b->root, "secret", "x");
    check_status("a file", try_open(b, "secret/x", EM_TO_READ, 0), EM_E_DENIED);
}

/* What "folder/.." leads to is asked of the folder too: else it would tell that it is there. */
static void test_rules_hold_on_the_way(void **state)
{
    bench *b = *state;
    static const char *const deny[] = {"secret/"};
    b->options.deny = deny;
    b->options.deny_count = 1;
    check_status("not there", try_open(b, "secret/../a.txt", EM_TO_READ, 0), EM_E_DENIED);
    scratch_folder(b->root, "secret");
    scratch_folder(b->root, "open");
    check_status("there", try_open(b, "secret/../a.txt", EM_TO_READ, 0), EM_E_DENIED);
    check_status("twice", try_open(b, "open/../secret/../a.txt", EM_TO_READ, 0), EM_E_DENIED);
    check_status("itself", try_open(b, "secret", EM_TO_READ, 0), EM_E_DENIED);
    check_status("another", try_open(b, "open/../a.txt", EM_TO_READ, 0), EM_OK);
}

/* --allow names files: a folder on the way need not be among them. */
static void test_what_is_allowed_is_the_file(void **state)
{
    bench *b = *state;
    static const char *const allow[] = {"*.txt"};
    b->options.allow = allow;
    b->options.allow_count = 1;
    scratch_folder(b->root, "open");
    check_status("allowed", try_open(b, "open/../a.txt", EM_TO_READ, 0), EM_OK);
}

static void test_the_state_directory_is_nobodys(void **state)
{
    bench *b = *state;
    static const char *const names[] = {"kept/history.db", "kept", "kept/locks/1", "kept/none"};
    static const char *const ways[] = {"kept", "link/kept"};
    char path[SCRATCH_PATH + 16];
    scratch_link(b->base, "link", "root");
    for (size_t way = 0; way < COUNT_OF(ways); way++) {
        snprintf(path, sizeof path, "%s/%s", way ? b->base : b->root, ways[way]);
        bench_close(b);
        b->options.state_dir = path;
        for (size_t i = 0; i < COUNT_OF(names); i++) {
            check_status(names[i], try_open(b, names[i], EM_TO_READ, 0), EM_E_DENIED);
            check_detail(b, "emend's own state directory");
            check_status(names[i], try_open(b, names[i], EM_TO_CHANGE, EM_MAY_BE_MISSING),
                         EM_E_DENIED);
        }
        check_status("another", try_open(b, "a.txt", EM_TO_CHANGE, 0), EM_OK);
        check_status("a like name", try_open(b, "kept.txt", EM_TO_CHANGE, EM_MAY_BE_MISSING),
                     EM_OK);
    }
}

/* A file in nested roots has a path in each: a rule about either holds however it is named. */
static void test_rules_hold_in_every_root(void **state)
{
    bench *b = *state;
    static const char *const deny[] = {"sub/secret"};
    char inner[SCRATCH_PATH + 8], name[SCRATCH_PATH + 16];
    scratch_folder(b->root, "sub");
    scratch_put(b->root, "sub/secret", "x");
    scratch_put(b->root, "sub/open", "x");
    snprintf(inner, sizeof inner, "%s/sub", b->root);
    b->roots[1] = inner;
    b->options.root_count = 2;
    b->options.deny = deny;
    b->options.deny_count = 1;
    snprintf(name, sizeof name, "%s/secret", inner);
    check_status("by the inner root", try_open(b, name, EM_TO_CHANGE, 0), EM_E_DENIED);
    check_status("by the outer root", try_open(b, "sub/secret", EM_TO_CHANGE, 0), EM_E_DENIED);
    snprintf(name, sizeof name, "%s/open", inner);
    check_status("another file", try_open(b, name, EM_TO_CHANGE, 0), EM_OK);
}

static void test_read_only(void **state)
{
    bench *b = *state;
    b->options.read_only = true;
    check_status("read", try_open(b, "a.txt", EM_TO_READ, 0), EM_OK);
    check_status("preview", try_open(b, "a.txt", EM_TO_PREVIEW, 0), EM_E_DENIED);
    check_status("change", try_open(b, "a.txt", EM_TO_CHANGE, 0), EM_E_DENIED);
    assert_false(scratch_has(b->base, "state"));
}

/* ---- Intents and locks --------------------------------------------------------------------- */

static void test_only_changes_touch_the_state(void **state)
{
    bench *b = *state;
    check_status("read", try_open(b, "a.txt", EM_TO_READ, 0), EM_OK);
    check_status("preview", try_open(b, "a.txt", EM_TO_PREVIEW, 0), EM_OK);
    check_status("refused", try_open(b, "none", EM_TO_CHANGE, 0), EM_E_NOT_FOUND);
    assert_false(scratch_has(b->base, "state"));
    check_status("change", try_open(b, "a.txt", EM_TO_CHANGE, 0), EM_OK);
    assert_true(scratch_has(b->base, "state"));
    assert_false(scratch_has(b->state, EM_HISTORY_NAME)); /* nothing to record yet */
}

static void test_the_lock_is_held(void **state)
{
    bench *b = *state;
    em_workspace *other;
    em_file mine, theirs;
    scratch_link(b->root, "link", "a.txt");
    check_status("other", em_ws_open(&b->options, &other, &b->err), EM_OK);
    check_status("mine", file_open(b, "a.txt", EM_TO_CHANGE, 0, &mine), EM_OK);
    check_status("theirs", em_ws_open_file(other, "link", EM_TO_CHANGE, 0, 0, &theirs, &b->err),
                 EM_E_TIMEOUT);
    check_detail(b, "process");
    check_status("reading", em_ws_open_file(other, "link", EM_TO_READ, 0, 0, &theirs, &b->err),
                 EM_OK);
    em_file_close(other, &theirs);
    em_file_close(b->ws, &mine);
    check_status("now", em_ws_open_file(other, "link", EM_TO_CHANGE, 0, 0, &theirs, &b->err),
                 EM_OK);
    em_file_close(other, &theirs);
    em_ws_free(other);
}

/* The lock of a file in folders that are to be made is the same for all who want to make it. */
static void test_the_lock_of_a_missing_file(void **state)
{
    bench *b = *state;
    em_workspace *other;
    em_file mine, theirs;
    check_status("other", em_ws_open(&b->options, &other, &b->err), EM_OK);
    check_status("mine", file_open(b, "x/y/new", EM_TO_CHANGE, EM_MAY_BE_MISSING, &mine), EM_OK);
    check_status(
        "theirs",
        em_ws_open_file(other, "x/y/new", EM_TO_CHANGE, EM_MAY_BE_MISSING, 0, &theirs, &b->err),
        EM_E_TIMEOUT);
    em_file_close(b->ws, &mine);
    em_ws_free(other);
}

/* ---- Failures ------------------------------------------------------------------------------ */

static void test_calls_that_fail(void **state)
{
    bench *b = *state;
    static const trap_case cases[] = {
        {"open", "/proc/self/fd", 0, EMFILE, EM_E_IO},
        {"open", "/proc/self/fd", 0, EACCES, EM_E_PERMISSION},
        {"read", "a.txt", 0, EIO, EM_E_IO},
        {"read", "a.txt", 1, EIO, EM_E_IO},
        {"filesystem", "a.txt", 0, EIO, EM_E_IO},
        {"stat", "a.txt", 1, EIO, EM_E_IO},
        {"stat", "a.txt", 2, EIO, EM_E_IO},
        {"stat", "a.txt", 3, EIO, EM_E_IO},
        {"stat", "root", 1, EIO, EM_E_IO},
        {"access", "a.txt", 0, EIO, EM_E_IO},
        {"lock", "locks", 0, ENOLCK, EM_E_IO},
    };
    check_status("works", try_open(b, "a.txt", EM_TO_CHANGE, 0), EM_OK);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bench_disarm(b);
        trap *caught = trap_set_case(&b->trap, &cases[i]);
        check_case(b, &cases[i], caught, try_open(b, "a.txt", EM_TO_CHANGE, 0));
        assert_null(b->ws->locks.first);
    }
    bench_disarm(b);
    trap_set(&b->trap, (trap){.call = "open", .about = "/proc/self/fd", .error = ENOENT});
    trap_set(&b->trap, (trap){.call = "access", .about = "=/proc/self/fd", .error = ENOENT});
    check_status("no /proc", try_open(b, "a.txt", EM_TO_READ, 0), EM_E_IO);
    check_detail(b, "/proc is not mounted");
}

/* As where a file system is another machine's, or another program's: what has no name any more is
 * gone, though its inode seems to be held. Then it is looked for anew, under its name. */
static void test_what_was_found_is_gone(void **state)
{
    bench *b = *state;
    static const int errors[] = {ENOENT, ESTALE};
    for (size_t i = 0; i < COUNT_OF(errors); i++) {
        for (int intent = EM_TO_READ; intent <= EM_TO_CHANGE; intent++) {
            bench_disarm(b);
            trap_set(
                &b->trap,
                (trap){.call = "open", .about = "/proc/self/fd", .error = errors[i], .times = 3});
            check_status("found anew", try_open(b, "a.txt", (em_intent)intent, 0), EM_OK);
        }
        bench_disarm(b);
        trap_set(&b->trap,
                 (trap){.call = "open", .about = "/proc/self/fd", .error = errors[i], .times = -1});
        check_status("for ever", try_open(b, "a.txt", EM_TO_CHANGE, 0), EM_E_CONFLICT);
        assert_int_equal(b->err.cause, EM_CAUSE_CHANGED);
        check_detail(b, "was replaced before it could be read");
        assert_null(b->ws->locks.first);
    }
}

/* As a file server has it for a client that keeps what it writes to itself. */
static void test_another_program_has_a_lease(void **state)
{
    bench *b = *state;
    trap_set(&b->trap, (trap){.call = "open", .about = "/proc/self/fd", .error = EAGAIN});
    check_status("with a lease", try_open(b, "a.txt", EM_TO_CHANGE, 0), EM_E_TIMEOUT);
    check_detail(b, "another program has a lease on");
    check_status("later", try_open(b, "a.txt", EM_TO_CHANGE, 0), EM_OK);
}

static void test_the_state_directory_fails(void **state)
{
    bench *b = *state;
    trap_set(&b->trap, (trap){.call = "mkdir", .about = "state", .error = ENOSPC});
    check_status("no room", try_open(b, "a.txt", EM_TO_CHANGE, 0), EM_E_IO);
    check_status("again", try_open(b, "a.txt", EM_TO_CHANGE, 0), EM_OK);
}

/* That there is no memory for a large file is told of the file; the next one may be smaller. */
static void test_no_memory_for_a_large_file(void **state)
{
    bench *b = *state;
    char path[SCRATCH_PATH + 8];
    snprintf(path, sizeof path, "%s/large", b->root);
    scratch_put(b->root, "large", "x");
    assert_int_equal(truncate(path, 5 << 20), 0);
    bool told = false;
    for (long at = 1; !told && at < 100; at++) {
        em_file file;
        bench_close(b);
        bench_open(b);
        memory_ends_at(at);
        em_status status = em_ws_open_file(b->ws, "large", EM_TO_READ, 0, 0, &file, &b->err);
        memory_ends_at(0);
        told = status == EM_E_TOO_LARGE;
        em_file_close(b->ws, &file);
    }
    assert_true(told);
    check_detail(b, "more than there is memory for");
}

static void memory_for(bench *b, const char *path, em_intent intent)
{
    for (long at = 1;; at++) {
        em_file file;
        bench_close(b);
        bench_open(b);
        memory_ends_at(at);
        em_status status =
            em_ws_open_file(b->ws, path, intent, EM_MAY_BE_MISSING, 0, &file, &b->err);
        bool ended = memory_ended();
        memory_ends_at(0);
        check_status("memory", status, ended ? EM_E_NOMEM : EM_OK);
        em_file_close(b->ws, &file);
        if (!ended)
            break;
        assert_true(at < 200);
    }
}

static void test_memory_may_end(void **state)
{
    bench *b = *state;
    size_t size = 50000; /* a file that needs room of its own */
    char *text = malloc(size + 1);
    assert_non_null(text);
    memset(text, 'x', size);
    text[size] = '\0';
    scratch_put(b->root, "large", text);
    free(text);
    memory_for(b, "large", EM_TO_READ);
    memory_for(b, "large", EM_TO_CHANGE);
    memory_for(b, "folder/folder/none", EM_TO_CHANGE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_what_is_read),
        BENCH_TEST(test_an_empty_file),
        BENCH_TEST(test_missing_files),
        BENCH_TEST(test_a_large_file),
        BENCH_TEST(test_sizes),
        BENCH_TEST(test_odd_files),
        BENCH_TEST(test_files_of_the_kernel),
        BENCH_TEST(test_changed_while_it_was_read),
        BENCH_TEST(test_replaced_while_it_was_read),
        BENCH_TEST(test_grown_before_it_was_read),
        BENCH_TEST(test_replaced_while_it_was_locked),
        BENCH_TEST(test_made_while_it_was_locked),
        BENCH_TEST(test_replaced_all_the_time),
        BENCH_TEST(test_rules_come_first),
        BENCH_TEST(test_rules_tell_nothing_of_what_is_below),
        BENCH_TEST(test_rules_hold_on_the_way),
        BENCH_TEST(test_what_is_allowed_is_the_file),
        BENCH_TEST(test_the_state_directory_is_nobodys),
        BENCH_TEST(test_a_twin_is_told),
        BENCH_TEST(test_rules_hold_in_every_root),
        BENCH_TEST(test_read_only),
        BENCH_TEST(test_only_changes_touch_the_state),
        BENCH_TEST(test_the_lock_is_held),
        BENCH_TEST(test_the_lock_of_a_missing_file),
        BENCH_TEST(test_calls_that_fail),
        BENCH_TEST(test_what_was_found_is_gone),
        BENCH_TEST(test_another_program_has_a_lease),
        BENCH_TEST(test_the_state_directory_fails),
        BENCH_TEST(test_no_memory_for_a_large_file),
        BENCH_TEST(test_memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

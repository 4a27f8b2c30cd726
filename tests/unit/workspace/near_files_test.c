#include "workspace/near_files.h"

#include "bench.h"

#include "base/strbuf.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* What is near `path`, one after the other with blanks between, and behind it "!" where the first
 * is clearly meant, "+" where there are more. In the arena. */
static const char *near(bench *b, const char *path)
{
    em_near_files found;
    EM_AUTO(em_strbuf) out = {0};
    check_status(path, em_ws_near_files(bench_open(b), path, &b->arena, &found), EM_OK);
    assert_true(found.count <= EM_NEAR_FILES_MOST);
    for (size_t i = 0; i < found.count; i++)
        em_strbuf_printf(&out, "%s%s", i > 0 ? " " : "", found.paths[i]);
    em_strbuf_puts(&out, found.is_clear ? "!" : "");
    em_strbuf_puts(&out, found.more ? "+" : "");
    return em_arena_string(&b->arena, em_strbuf_slice(&out));
}

/* Folders are made on the way. */
static void put(bench *b, const char *path)
{
    char folder[SCRATCH_PATH];
    for (const char *slash = strchr(path, '/'); slash; slash = strchr(slash + 1, '/')) {
        snprintf(folder, sizeof folder, "%.*s", (int)(slash - path), path);
        if (!scratch_has(b->root, folder))
            scratch_folder(b->root, folder);
    }
    scratch_put(b->root, path, "x");
}

typedef struct near_case {
    const char *wanted, *near;
} near_case;

static void check_cases(bench *b, const near_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        const char *got = near(b, cases[i].wanted);
        if (strcmp(got, cases[i].near) != 0)
            fail_msg("%s: got \"%s\", want \"%s\"", cases[i].wanted, got, cases[i].near);
    }
}

static void test_slips_in_the_name(void **state)
{
    bench *b = *state;
    static const char *const files[] = {"src/Main.c",   "src/list.c",          "src/lint.c",
                                        "src/.profile", "src/caf\xc3\x89.txt", "src/util.ts",
                                        "Makefile"};
    static const near_case cases[] = {
        {"src/main.c", "src/Main.c!"},
        {"src/MAIN.C", "src/Main.c!"},
        {"makefile", "Makefile!"},
        {"src/cafe\xcc\x81.txt", "src/caf\xc3\x89.txt!"},  /* other letters, another normal form */
        {"src/Ma\xe2\x80\x8bin.c", "src/Main.c!"},         /* a space that has no width */
        {"src/caf\\303\\211.txt", "src/caf\xc3\x89.txt!"}, /* as git writes it */
        {"\"a/src/caf\\303\\211.txt\"", "src/caf\xc3\x89.txt!"},
        {"src/caf\\303.txt", ""},                      /* is no text so */
        {"src/caf%C3%89.txt", "src/caf\xc3\x89.txt!"}, /* as in a URL, */
        {"@src/caf%C3%89.txt", "src/caf\xc3\x89.txt!"},
        {"[caf](src/caf\xc3\x89.txt)", "src/caf\xc3\x89.txt!"}, /* in a link, */
        {"@src/caf\xc3\x89.txt", "src/caf\xc3\x89.txt!"},       /* and where it is mentioned */
        {"src/mian.c", "src/Main.c"},
        {"src/lisp.c", "src/list.c src/lint.c"},
        {"src/utl.ts", "src/util.ts"},
        {"src/util.js", "src/util.ts"},
        {"src/util", "src/util.ts"},
        {"src/.profil", "src/.profile"},
        {"src/.config", ""},
        {"src/nothing-like-it.rs", ""},
        {"src/x", ""},
        {"./src/../src/main.c", "src/Main.c!"},
        {"nowhere/", ""},
        {"", ""},
        {"/", ""},
    };
    for (size_t i = 0; i < COUNT_OF(files); i++)
        put(b, files[i]);
    check_cases(b, cases, COUNT_OF(cases));
}

/* Those beside it, and those in it, but for a temporary file of our own. */
static void test_a_folder(void **state)
{
    bench *b = *state;
    static const char *const files[] = {
        "src/parser/a.c",   "src/parser/b.c",
        "src/parser/c/d.c", "src/parser.test",
        "src/parsers",      "lib/one.c",
        "deep/er/x",        "other/lib/two.c",
        "docs/.hidden",     "lib/.emend-000102abcdefff000000000000000000"};
    static const near_case cases[] = {
        {"src/parser", "src/parsers src/parser.test src/parser/a.c src/parser/b.c"},
        {"src/parser/", "src/parsers src/parser.test src/parser/a.c src/parser/b.c"},
        {"src/parser/c", "src/parser/c/d.c"},
        {"lib", "lib/one.c"},
        {"lib/../lib/.", "lib/one.c"},
        {"docs", "docs/.hidden"},
        {"deep", ""},
        {".", "a.txt"},
    };
    for (size_t i = 0; i < COUNT_OF(files); i++)
        put(b, files[i]);
    check_cases(b, cases, COUNT_OF(cases));
}

static void test_other_folders(void **state)
{
    bench *b = *state;
    static const char *const files[] = {
        "lib/a/one.c", "lib/b/two.c",     "src/b/two.c",       "src/parse/lex.c",
        "lex.c",       "src/parse/lek.c", "tests/parse/lex.c", "tests/src/parse/lexi.c"};
    static const near_case cases[] = {
        {"one.c", "lib/a/one.c!"},
        {"a/ONE.c", "lib/a/one.c!"},
        {"nowhere/at/all/one.c", "lib/a/one.c!"},
        {"two.c", "lib/b/two.c src/b/two.c"},
        {"b/two.c", "lib/b/two.c src/b/two.c"},
        {"source/b/two.c", "lib/b/two.c src/b/two.c"},
        {"SRC/B/two.c", "src/b/two.c lib/b/two.c"},
        {"project/src/b/two.c", "src/b/two.c lib/b/two.c!"}, /* all of it is in the path */
        {"project/src//b/two.c", "src/b/two.c lib/b/two.c"},
        {"../src/b/two.c", "src/b/two.c lib/b/two.c!"},
        {"src/lex.c", "lex.c src/parse/lex.c tests/parse/lex.c"},
        {"lib/parse/lex.c", "src/parse/lex.c tests/parse/lex.c lex.c"},
        {"src/parse/leg.c", "src/parse/lek.c src/parse/lex.c"},
        {"lib/a/one.c/more", ""}, /* it is no folder */
        {"a.txt/one.c", "lib/a/one.c!"},
        {"lib\\a\\one.c", "lib/a/one.c!"}, /* as Windows writes paths */
        {"src\\b\\two.c", "src/b/two.c lib/b/two.c!"},
        {"src/b\\two.c", ""},
        {"tests/src/b/two.c", "src/b/two.c lib/b/two.c!"},
        {"tests/src/parse/lex.c", "src/parse/lex.c tests/parse/lex.c lex.c tests/src/parse/lexi.c"},
    };
    for (size_t i = 0; i < COUNT_OF(files); i++)
        put(b, files[i]);
    check_cases(b, cases, COUNT_OF(cases));
}

/* A path outside of the roots, too, and as it was written: absolute. */
static void test_absolute_paths(void **state)
{
    bench *b = *state;
    char wanted[2 * SCRATCH_PATH];
    put(b, "src/one.c");
    snprintf(wanted, sizeof wanted, "%s!", scratch_path(b->root, "src/one.c"));
    assert_string_equal(near(b, scratch_path(b->root, "src/ONE.c")), wanted);
    assert_string_equal(near(b, scratch_path(b->root, "one.c")), wanted);
    assert_string_equal(near(b, "/nowhere/src/one.c"), wanted);
    assert_string_equal(near(b, "/nowhere/src/two.c"), "");
    assert_string_equal(near(b, "C:\\nowhere\\src\\one.c"), wanted);
}

static void test_urls_blanks_and_quotes(void **state)
{
    bench *b = *state;
    static const near_case cases[] = {
        {"src/a b.c ", "src/a b.c!"},
        {"\n src/a b.c\t\r\n", "src/a b.c!"},
        {" ", ""},
        {"\"src/a b.c\"", "src/a b.c!"},
        {" `src/a b.c` ", "src/a b.c!"},
        {"'file:///nowhere/src/a%20b.c'", "src/a b.c!"},
        {"\"src/a b.c'", ""},
        {"\"", ""},
        {"file:///nowhere/src/a%20b.c", "src/a b.c!"},
        {"FILE://localhost/nowhere/src/%61%20b%2Ec", "src/a b.c!"},
        {"file:///C:/nowhere/src/a%20b.c", "src/a b.c!"},
        {"file:///src/100%.c", "src/100%.c!"},
        {"file:///src/100%zz%00", ""},
        {"https:///nowhere/src/a%20b.c", ""},
    };
    put(b, "src/a b.c");
    put(b, "src/100%.c");
    check_cases(b, cases, COUNT_OF(cases));
    char url[2 * SCRATCH_PATH];
    snprintf(url, sizeof url, "file://%s", scratch_path(b->root, "src/a%20b.c"));
    assert_string_equal(near(b, url), "src/a b.c!");
}

static void test_several_roots(void **state)
{
    bench *b = *state;
    char other[SCRATCH_PATH], wanted[2 * SCRATCH_PATH];
    strcpy(other, scratch_path(b->base, "other"));
    scratch_folder(b->base, "other");
    scratch_put(other, "two.c", "x");
    put(b, "inner/one.c");
    b->roots[1] = other;
    b->options.root_count = 2;
    snprintf(wanted, sizeof wanted, "%s!", scratch_path(other, "two.c"));
    assert_string_equal(near(b, "two.c"), wanted);
    assert_string_equal(near(b, "one.c"), "inner/one.c!");

    bench_close(b); /* a root in a root: its files are found twice, and told once */
    strcpy(other, scratch_path(b->root, "inner"));
    assert_string_equal(near(b, "one.c"), "inner/one.c!");
}

/* Where all that there is is the root, rules hold as elsewhere, and paths are told as elsewhere. */
static void test_the_top_as_a_root(void **state)
{
    bench *b = *state;
    char secret[SCRATCH_PATH], wanted[SCRATCH_PATH];
    char denied[64], asked[64], there[64], near_it[64]; /* no other file of the machine has these */
    const char *const forms[] = {secret, secret + 1};
    const char *const *deny = forms;
    snprintf(denied, sizeof denied, "secret/denied_to_%ld.c", (long)getpid());
    snprintf(asked, sizeof asked, "secret/DENIED_to_%ld.c", (long)getpid());
    snprintf(there, sizeof there, "open/there_for_%ld.c", (long)getpid());
    snprintf(near_it, sizeof near_it, "open/There_for_%ld.c", (long)getpid());
    put(b, denied);
    put(b, there);
    strcpy(secret, scratch_path(b->root, "secret"));
    b->roots[0] = "/";
    b->options.deny_count = 1;
    for (; deny < forms + COUNT_OF(forms); deny++) {
        em_file file;
        b->options.deny = deny;
        bench_open(b);
        check_status(
            *deny,
            em_ws_open_file(b->ws, scratch_path(b->root, denied), EM_TO_READ, 0, 0, &file, &b->err),
            EM_E_DENIED);
        assert_string_equal(near(b, scratch_path(b->root, asked)), "");
        snprintf(wanted, sizeof wanted, "%s!", scratch_path(b->root, there));
        assert_string_equal(near(b, scratch_path(b->root, near_it)), wanted);
        bench_close(b);
    }
}

static void test_what_is_not_told(void **state)
{
    bench *b = *state;
    static const char *const files[] = {
        "secret/key.pem",    "open/key.pem.bak", ".git/one.c", "node_modules/x/one.c",
        "src/.hidden/one.c", "src/two.c",        "src/two.c2"};
    static const char *const deny[] = {"secret", "two.c"};
    for (size_t i = 0; i < COUNT_OF(files); i++)
        put(b, files[i]);
    assert_string_equal(near(b, "key.pem"), "secret/key.pem!");
    assert_string_equal(near(b, "one.c"), "");
    assert_string_equal(near(b, "src/.hidden/ONE.c"), "src/.hidden/one.c!"); /* the path is there */
    bench_close(b);
    b->options.deny = deny;
    b->options.deny_count = COUNT_OF(deny);
    assert_string_equal(near(b, "key.pem"), "");
    assert_string_equal(near(b, "secret/KEY.pem"), "");
    assert_string_equal(near(b, "src/twos.c"), "src/two.c2");
}

static void test_links_are_not_followed(void **state)
{
    bench *b = *state;
    put(b, "src/one.c");
    scratch_link(b->root, "again", "src");
    scratch_link(b->root, "src/two.c", "one.c");
    scratch_link(b->root, "up", "..");
    assert_string_equal(near(b, "one.c"), "src/one.c!");
    assert_string_equal(near(b, "two.c"), "");
    assert_string_equal(near(b, "again/ONE.c"), "src/one.c!"); /* the given path may lead by one */
}

static void test_the_state_directory(void **state)
{
    bench *b = *state;
    strcpy(b->state, scratch_path(b->root, "state"));
    scratch_folder(b->root, "state");
    scratch_put(b->state, "one.c", "x");
    b->options.state_dir = b->state;
    assert_string_equal(near(b, "one.c"), "");
    assert_string_equal(near(b, "state/ONE.c"), "");
}

static void test_more_than_are_told(void **state)
{
    bench *b = *state;
    char name[32];
    for (int i = 0; i < 2 * EM_NEAR_FILES_MOST; i++) {
        snprintf(name, sizeof name, "%c/one.c", 'z' - i);
        put(b, name);
    }
    assert_string_equal(near(b, "one.c"), "q/one.c r/one.c s/one.c t/one.c u/one.c+");
    assert_string_equal(near(b, "x/ONE.c"), "x/one.c q/one.c r/one.c s/one.c t/one.c!+");
}

/* Where the walk ends early, what it found may not be the only one. */
static void test_too_many_folders(void **state)
{
    bench *b = *state;
    char name[32];
    put(b, "a/one.c");
    assert_string_equal(near(b, "one.c"), "a/one.c!");
    for (int i = 0; i < 1300; i++) {
        snprintf(name, sizeof name, "folder%d", i);
        scratch_folder(b->root, name);
    }
    assert_string_equal(near(b, "a/ONE.c"), "a/one.c!"); /* its folder is the first */
    const char *found = near(b, "one.c");
    assert_true(!*found || strcmp(found, "a/one.c") == 0);
}

static ssize_t (*native_list)(void *, int, void *, size_t);

static ssize_t list_without_kinds(void *context, int fd, void *out, size_t size)
{
    ssize_t got = native_list(context, fd, out, size);
    for (ssize_t at = 0; at < got;) {
        struct dirent64 *entry = (void *)((char *)out + at);
        entry->d_type = DT_UNKNOWN;
        at += entry->d_reclen;
    }
    return got;
}

static void test_a_listing_that_tells_no_kinds(void **state)
{
    bench *b = *state;
    put(b, "src/one.c");
    scratch_link(b->root, "src/two.c", "one.c");
    native_list = b->trap.sys.list;
    b->trap.sys.list = list_without_kinds;
    assert_string_equal(near(b, "one.c"), "src/one.c!");
    assert_string_equal(near(b, "two.c"), "");
}

static void wait_long(void *unused)
{
    (void)unused;
    sleep(1);
}

/* Where looking takes its time, what was found by then is told, and nothing is clear. */
static void test_a_folder_that_is_far_away(void **state)
{
    bench *b = *state;
    em_near_files found;
    put(b, "a/one.c");
    put(b, "a/b/two.c");
    bench_open(b);
    trap_set(&b->trap, (trap){.call = "list", .about = "$/a", .hook = wait_long});
    check_status("late", em_ws_near_files(b->ws, "one.c", &b->arena, &found), EM_OK);
    assert_int_equal(found.count, 1);
    assert_true(found.is_late && !found.is_clear);
    check_status("in time", em_ws_near_files(b->ws, "one.c", &b->arena, &found), EM_OK);
    assert_true(found.is_clear && !found.is_late);
}

/* What cannot be looked at has nothing near. */
static void test_failing_calls(void **state)
{
    bench *b = *state;
    static const struct {
        const char *call, *about;
        int skip, error;
        const char *near;
    } cases[] = {
        {"list", "", 0, EIO, ""},        {"list", "src", 0, EIO, ""},
        {"open", "=src", 0, EACCES, ""}, {"open", "=src", 0, EMFILE, ""},
        {"stat", "$/src", 0, EIO, ""},   {"list", "other", 0, EIO, "src/one.c!"},
    };
    put(b, "src/one.c");
    put(b, "other/two.c");
    bench_open(b);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bench_disarm(b);
        trap *set = trap_set(&b->trap, (trap){.call = cases[i].call,
                                              .about = cases[i].about,
                                              .skip = cases[i].skip,
                                              .times = -1,
                                              .error = cases[i].error});
        const char *got = near(b, "one.c");
        if (strcmp(got, cases[i].near) != 0 || set->caught == 0)
            fail_msg("%s %s: got \"%s\"", cases[i].call, cases[i].about, got);
    }
}

/* Of one that is to be made. */
static void test_a_path_as_others_write_it(void **state)
{
    bench *b = *state;
    static const struct {
        const char *path;
        bool is;
        const char *meant;
    } cases[] = {
        {"src\\new.c", true, "src/new.c"},
        {"src\\one.c", true, "src/one.c"},
        {"src\\", true, NULL},
        {"C:\\nowhere\\new.c", true, NULL},
        {"C:/nowhere/new.c", true, NULL},
        {"C:/Users\\new.c", true, NULL},
        {"C:new.c", false, NULL},
        {"~/new.c", true, NULL},
        {"~new/new.c", false, NULL},
        {"D:/new.c", false, NULL},                 /* a folder that is there */
        {"dev-disk\\x2dlabel.mount", false, NULL}, /* a name that there are on Linux */
        {"no\\new.c", false, NULL},
        {"src/a\\b", false, NULL},
        {"src", false, NULL},
        {"file:///nowhere/new.c", true, NULL},
        {"file://other/new.c", true, NULL},
        {"file:", false, NULL},
    };
    put(b, "src/one.c");
    put(b, "D:/one.c");
    bench_open(b);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bool is;
        em_near_files meant;
        check_status(cases[i].path,
                     em_ws_is_foreign_path(b->ws, cases[i].path, &b->arena, &is, &meant), EM_OK);
        assert_int_equal(is, cases[i].is);
        assert_int_equal(meant.count, cases[i].meant != NULL);
        if (cases[i].meant)
            assert_string_equal(meant.paths[0], cases[i].meant);
    }
    char inside[2 * SCRATCH_PATH];
    snprintf(inside, sizeof inside, "C:%s", scratch_path(b->root, "src/new.c"));
    for (char *at = inside; (at = strchr(at, '/'));)
        *at = '\\';
    bool is;
    em_near_files meant;
    check_status(inside, em_ws_is_foreign_path(b->ws, inside, &b->arena, &is, &meant), EM_OK);
    assert_string_equal(meant.paths[0], scratch_path(b->root, "src/new.c"));
    snprintf(inside, sizeof inside, "C:%s", scratch_path(b->root, "src/new.c"));
    check_status(inside, em_ws_is_foreign_path(b->ws, inside, &b->arena, &is, &meant), EM_OK);
    assert_string_equal(meant.paths[0], scratch_path(b->root, "src/new.c"));
}

static em_status near_or_foreign(bench *b, const char *path, em_arena *arena)
{
    bool is;
    em_near_files found;
    em_status status = em_ws_near_files(b->ws, path, arena, &found);
    return status == EM_OK ? em_ws_is_foreign_path(b->ws, path, arena, &is, &found) : status;
}

static void test_memory_may_end(void **state)
{
    bench *b = *state;
    static const char *const wanted[] = {"src/mian.c", "cafe\xcc\x81.c", "x/one.c", "x\\one.c",
                                         "file:///x/one%2Ec "};
    put(b, "src/main.c");
    put(b, "lib/CAF\xc3\x89.c");
    put(b, "lib/one.c");
    for (size_t i = 0; i < COUNT_OF(wanted); i++) {
        bench_open(b);
        for (long at = 1;; at++) {
            EM_AUTO(em_arena) arena = {0};
            memory_ends_at(at);
            em_status status = near_or_foreign(b, wanted[i], &arena);
            bool ended = memory_ended();
            memory_ends_at(0);
            check_status(wanted[i], status, ended ? EM_E_NOMEM : EM_OK);
            if (!ended)
                break;
            assert_true(at < 1000);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_slips_in_the_name),
        BENCH_TEST(test_a_folder),
        BENCH_TEST(test_other_folders),
        BENCH_TEST(test_absolute_paths),
        BENCH_TEST(test_urls_blanks_and_quotes),
        BENCH_TEST(test_a_path_as_others_write_it),
        BENCH_TEST(test_several_roots),
        BENCH_TEST(test_the_top_as_a_root),
        BENCH_TEST(test_what_is_not_told),
        BENCH_TEST(test_links_are_not_followed),
        BENCH_TEST(test_the_state_directory),
        BENCH_TEST(test_more_than_are_told),
        BENCH_TEST(test_too_many_folders),
        BENCH_TEST(test_a_listing_that_tells_no_kinds),
        BENCH_TEST(test_a_folder_that_is_far_away),
        BENCH_TEST(test_failing_calls),
        BENCH_TEST(test_memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

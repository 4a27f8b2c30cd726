#include "paths/rules.h"

#include "paths/globs.h"

#include "scratch.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- Globs ----------------------------------------------------------------------------------- */

static const struct {
    const char *glob, *path;
    bool want;
} globs[] = {
    /* names at any depth, and folders with all in them */
    {"a", "a", true},
    {"a", "x/a", true},
    {"a", "a/x", true},
    {"a", "x/a/y/z", true},
    {"a", "ab", false},
    {"a", "ba/x", false},
    {"a", "A", false},
    {"", "a", false},
    /* one star, one character */
    {"*.txt", "a.txt", true},
    {"*.txt", "x/y/a.txt", true},
    {"*.txt", "a.txt/b", true},
    {"*.txt", ".txt", true},
    {"*.txt", "a.txtx", false},
    {"*", "a", true},
    {"a*", "a", true},
    {"a*b", "a/b", false},
    {"*a*b*", "xaxbx", true},
    {"*a*b*", "xbxax", false},
    {"a?c", "abc", true},
    {"a?c", "a/c", false},
    {"a?c", "ac", false},
    {"a?c",
     "a\xc3\xa9"
     "c",
     true},
    {"a?c",
     "a\xff"
     "c",
     true},
    {"*??", "\xe2\x82\xac", false}, /* one character, three bytes */
    {"*?", "\xe2\x82\xac", true},
    /* with a slash: only from the root */
    {"a/b", "a/b", true},
    {"a/b", "a/b/c", true},
    {"a/b", "x/a/b", false},
    {"/a", "a", true},
    {"/a", "a/b", true},
    {"/a", "x/a", false},
    {"./a", "a", true},
    {"./a", "x/a", false},
    {".//./a", "a", true},
    {"a/*", "a/b", true},
    {"a/*", "a/b/c", true}, /* a/b is a folder that it names */
    {"a/*", "a", false},
    {"a/*.c", "a/b/x.c", false},
    {"*/b", "a/b", true},
    {"*/b", "a/c/b", false},
    {"*/x*y", "ab/xzy", true},
    {"*/x*y", "ab/c/xy", false},
    {"a*/b", "axx/b", true},
    {"a*/b", "axx/y/b", false},
    /* folders only */
    {"a/", "a/x", true},
    {"a/", "y/a/x", true},
    {"a/", "a", false},
    {"a//", "a", false},
    {"/a/", "a/x", true},
    {"/a/", "y/a/x", false},
    /* the root */
    {".", "a", true},
    {"./", "a/b", true},
    {"/", "a", true},
    /* two stars */
    {"**", "a/b/c", true},
    {"a/**", "a/b/c", true},
    {"a/**", "a", false},
    {"a/**", "ab/c", false},
    {"**/a", "a", true},
    {"**/a", "x/y/a", true},
    {"**/a", "x/ya", false},
    {"a/**/b", "a/b", true},
    {"a/**/b", "a/x/y/b", true},
    {"a/**/b", "a/xb", false},
    {"a/**/b", "x/a/b", false},
    {"/a**b", "a/x/b", true},
    {"/a**b", "ab", true},
    {"/a***b", "a/x/b", true},
    {"a**b", "a/x/b", false}, /* a name has no slash */
    {"a**b", "x/axxb", true},
    {"x/a**", "x/a/b", true},
    {"**/*.c", "a/b/x.c", true},
    {"**/*.c", "x.c", true},
    {"**/*.c", "x.h", false},
    {"**/a/**/b", "x/a/a/y/b", true},
    {"**/a*/b", "ax/c/ay/b", true},
    {"**x*/y", "ax/bx/y", true},
    /* sets */
    {"[abc]", "b", true},
    {"[abc]", "d", false},
    {"[a-c]x", "bx", true},
    {"[a-c]x", "dx", false},
    {"[!a-c]", "d", true},
    {"[^a-c]", "b", false},
    {"a[!x]b", "a/b", false},
    {"a[/]b", "a/b", false},
    {"[]a]", "]", true},
    {"[]a]", "a", true},
    {"[!]a]", "]", false},
    {"[a-]", "-", true},
    {"[\\]]", "]", true},
    {"[a\\-c]", "b", false},
    {"[\xc3\xa9-\xc3\xab]", "\xc3\xaa", true},
    {"*[0-9]", "x/file7", true},
    {"*[0-9]", "7x", false},
    {"[abc", "[abc", true}, /* no end: itself */
    {"[abc", "a", false},
    {"[", "[", true},
    {"[a\\", "[a\\", true},
    /* escaped */
    {"\\*", "*", true},
    {"\\*", "a", false},
    {"\\[a]", "[a]", true},
    {"a\\?", "a?", true},
    {"a\\?", "ab", false},
    {"a\\", "a\\", true},
};

static void test_globs_by_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(globs); i++) {
        if (em_glob_match(globs[i].glob, globs[i].path) != globs[i].want)
            fail_msg("%s over %s", globs[i].glob, globs[i].path);
    }
}

/* The definition, tried out in every way; only stars and plain bytes. */
static bool matches_by_definition(const char *glob, const char *path, bool folder_start)
{
    if (glob[0] == '\0')
        return path[0] == '\0';
    if (glob[0] != '*')
        return glob[0] == path[0] && matches_by_definition(glob + 1, path + 1, glob[0] == '/');
    size_t stars = strspn(glob, "*");
    const char *rest = glob + stars;
    if (stars > 1 && folder_start && rest[0] == '/') {
        for (const char *p = path;; p++) {
            if ((p == path || p[-1] == '/') && matches_by_definition(rest + 1, p, true))
                return true;
            if (*p == '\0')
                return false;
        }
    }
    for (const char *p = path;; p++) {
        if (matches_by_definition(rest, p, false))
            return true;
        if (*p == '\0' || (stars == 1 && *p == '/'))
            return false;
    }
}

static bool rule_by_definition(const char *glob, const char *path)
{
    char folder[32];
    for (size_t end = 1; end <= strlen(path); end++) {
        if (path[end] != '/' && path[end] != '\0')
            continue;
        snprintf(folder, sizeof folder, "%.*s", (int)end, path);
        if (matches_by_definition(glob, folder, true))
            return true;
    }
    return false;
}

/* Globs and paths of few letters in great number: every way of giving stars more is needed there.
 */
static void test_globs_against_the_definition(void **state)
{
    static const char letters[] = "ab/**/";
    unsigned seed = 1;
    int matched = 0;
    (void)state;
    for (int round = 0; round < 60000; round++) {
        char glob[16] = "a/", path[16] = "";
        size_t glob_size = 2, path_size = 0;
        seed = seed * 1103515245 + 12345;
        for (unsigned bits = seed >> 8; glob_size < 9 && bits > 0; bits /= 6)
            glob[glob_size++] = letters[bits % 6];
        seed = seed * 1103515245 + 12345;
        for (unsigned bits = seed >> 8; path_size < 10 && bits > 0; bits /= 3) {
            char next = letters[bits % 3];
            if (next != '/' || (path_size > 0 && path[path_size - 1] != '/'))
                path[path_size++] = next;
        }
        if (round % 2) /* without the fixed beginning, but still with a slash */
            memmove(glob, glob + 1, glob_size), glob[0] = '*';
        while (glob[strlen(glob) - 1] == '/') /* "folders only" is another rule */
            glob[strlen(glob) - 1] = '\0';
        if (!strchr(glob, '/') || path_size == 0 || path[path_size - 1] == '/')
            continue;
        bool want = rule_by_definition(glob, path);
        matched += want;
        if (em_glob_match(glob, path) != want)
            fail_msg("%s over %s should be %d", glob, path, want);
    }
    assert_true(matched > 1000);
}

/* Many stars cost no more than a look at each place for each of them. */
static void test_globs_take_no_time(void **state)
{
    enum { LENGTH = 4000 };
    char *glob = calloc(1, LENGTH + 2), *path = calloc(1, LENGTH + 1);
    (void)state;
    assert_non_null(glob);
    assert_non_null(path);
    memset(path, 'a', LENGTH);
    for (size_t i = 0; i < 100; i++)
        memcpy(glob + 2 * i, "*a", 2);
    strcat(glob, "b");
    assert_false(em_glob_match(glob, path));
    free(glob);
    free(path);
}

/* ---- Rules ----------------------------------------------------------------------------------- */

typedef struct rule_case {
    const char *deny, *allow, *rel;
    bool read_only;
    const char *read, *write; /* the refusal's detail; NULL where there is none */
} rule_case;

#define GIT ".git is protected, unless --allow names it (and --allow '**' the rest)"
#define NOT_ALLOWED "not among what --allow names"

static const rule_case rules[] = {
    {NULL, NULL, "a/b", false, NULL, NULL},
    {NULL, NULL, ".", false, NULL, NULL},
    {NULL, NULL, "a", true, NULL, "refused by --read-only"},
    /* --deny */
    {"*.key", NULL, "a/b.key", false, "refused by --deny *.key", "refused by --deny *.key"},
    {"*.key", NULL, "a/b", false, NULL, NULL},
    {"secret", NULL, "a/secret/b", false, "refused by --deny secret", "refused by --deny secret"},
    /* in other letters, as some file systems find it */
    {"Secret", NULL, "a/sECRET", false, "refused by --deny Secret", "refused by --deny Secret"},
    {"s\xc3\xa9", NULL, "se\xcc\x81/b", false, "refused by --deny s\xc3\xa9",
     "refused by --deny s\xc3\xa9"},
    {"*.KEY", NULL,
     "a.k\xe2\x80\x8b"
     "ey",
     false, "refused by --deny *.KEY", "refused by --deny *.KEY"},
    {"A\xff", NULL, "a\xff", false, "refused by --deny A\xff", "refused by --deny A\xff"},
    {"a\xff", NULL, "a\xfe", false, NULL, NULL},
    {"s\xc3\xa9", NULL, "\xff/S\xc3\x89", false, "refused by --deny s\xc3\xa9",
     "refused by --deny s\xc3\xa9"},
    {NULL, "src", "SRC/a", false, NOT_ALLOWED, NOT_ALLOWED}, /* but not for what is allowed */
    /* --allow, and what wins */
    {NULL, "src", "src/a", false, NULL, NULL},
    {NULL, "src", "a", false, NOT_ALLOWED, NOT_ALLOWED},
    {NULL, "src", "src/a", true, NULL, "refused by --read-only"},
    {"*.key", "src", "src/a.key", false, "refused by --deny *.key", "refused by --deny *.key"},
    {".git", ".git", ".git/config", false, "refused by --deny .git", "refused by --deny .git"},
    /* .git */
    {NULL, NULL, ".git", false, NULL, GIT},
    {NULL, NULL, ".git/config", false, NULL, GIT},
    {NULL, NULL, "a/.git/hooks/x", false, NULL, GIT},
    {NULL, NULL, "a/.gIt/config", false, NULL, GIT},
    {NULL, NULL, ".GIT", false, NULL, GIT},
    {NULL, NULL, ".git./config", false, NULL, GIT},
    {NULL, NULL, ".git . /config", false, NULL, GIT},
    {NULL, NULL, "GIT~1/config", false, NULL, GIT},
    {NULL, NULL,
     ".g\xe2\x80\x8c"
     "it/config",
     false, NULL, GIT},
    {NULL, NULL,
     "\xff/.g\xe2\x80\x8c"
     "it/config",
     false, NULL, GIT},
    {NULL, NULL, ".git::$INDEX_ALLOCATION/config", false, NULL, GIT},
    {NULL, NULL, "x:.git", false, NULL, NULL},
    {NULL, NULL, ".gitignore", false, NULL, NULL},
    {NULL, NULL, ".github/x", false, NULL, NULL},
    {NULL, NULL, "a.git/x", false, NULL, NULL},
    {NULL, NULL, "git/x", false, NULL, NULL},
    {NULL, NULL, "git~12", false, NULL, NULL},
    {NULL, NULL, "...", false, NULL, NULL},
    {NULL, "**", ".git/config", false, NULL, GIT},
    {NULL, "*", ".git/config", false, NULL, GIT},
    {NULL, ".", ".git/config", false, NULL, GIT},
    {NULL, ".git", ".git/config", false, NULL, NULL},
    {NULL, ".git/config", ".git/config", false, NULL, NULL},
    {NULL, ".git/config", ".git/hooks/x", false, NOT_ALLOWED, NOT_ALLOWED},
    {NULL, "**/.git/**", "a/.git/config", false, NULL, NULL},
    {NULL, ".git/config", ".git/config", true, NULL, "refused by --read-only"},
};

static void check_rule(const rule_case *c, bool write, const char *want)
{
    em_error err = EM_ERROR_INIT;
    em_rules r = {.deny = &c->deny,
                  .deny_count = c->deny != NULL,
                  .allow = &c->allow,
                  .allow_count = c->allow != NULL,
                  .read_only = c->read_only};
    em_status status = want ? EM_E_DENIED : EM_OK;
    EM_AUTO(em_arena) arena = {0};
    check_status(c->rel, em_rules_check(&r, &(em_rule_path){.rel = c->rel}, write, &arena, &err),
                 status);
    assert_string_equal(err.detail, want ? want : "");
    check_status(c->rel, em_rules_check(&r, &(em_rule_path){.rel = c->rel}, write, &arena, NULL),
                 status);
}

static void test_rules_by_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rules); i++) {
        check_rule(&rules[i], false, rules[i].read);
        check_rule(&rules[i], true, rules[i].write);
    }
}

static void test_every_glob_counts(void **state)
{
    const char *deny[] = {"x", "y"}, *allow[] = {"a", "b", ".git"};
    em_rules r = {.deny = deny, .deny_count = 2, .allow = allow, .allow_count = 3};
    EM_AUTO(em_arena) arena = {0};
    (void)state;
    check_status("a", em_rules_check(&r, &(em_rule_path){.rel = "a/1"}, true, &arena, NULL), EM_OK);
    check_status("b", em_rules_check(&r, &(em_rule_path){.rel = "b/1"}, true, &arena, NULL), EM_OK);
    check_status("b", em_rules_check(&r, &(em_rule_path){.rel = "b/.git"}, true, &arena, NULL),
                 EM_OK);
    check_status("c", em_rules_check(&r, &(em_rule_path){.rel = "c"}, true, &arena, NULL),
                 EM_E_DENIED);
    check_status("y", em_rules_check(&r, &(em_rule_path){.rel = "a/y"}, true, &arena, NULL),
                 EM_E_DENIED);
}

static void test_git_can_be_allowed_beside_all_else(void **state)
{
    const char *allow[] = {".git/config", "**"};
    em_rules r = {.allow = allow, .allow_count = 2};
    EM_AUTO(em_arena) arena = {0};
    (void)state;
    check_status("config",
                 em_rules_check(&r, &(em_rule_path){.rel = ".git/config"}, true, &arena, NULL),
                 EM_OK);
    check_status("a", em_rules_check(&r, &(em_rule_path){.rel = "a"}, true, &arena, NULL), EM_OK);
    check_status("x", em_rules_check(&r, &(em_rule_path){.rel = ".git/x"}, true, &arena, NULL),
                 EM_E_DENIED);
}

static void test_folders_are_denied_as_folders(void **state)
{
    const char *deny[] = {"secret/"};
    em_rules r = {.deny = deny, .deny_count = 1};
    EM_AUTO(em_arena) arena = {0};
    (void)state;
    check_status("a folder",
                 em_rules_check_denied(&r, &(em_rule_path){.rel = "secret/."}, &arena, NULL),
                 EM_E_DENIED);
    check_status("a file",
                 em_rules_check_denied(&r, &(em_rule_path){.rel = "secret"}, &arena, NULL), EM_OK);
}

static void test_a_glob_may_begin_with_the_root(void **state)
{
    static const struct {
        const char *glob, *rel;
        bool denied;
    } cases[] = {
        {"/w/d/sec", "sec/k", true},
        {"/w/d/sec/**", "sec/k", true},
        {"/w/d/sec", "a/sec", false},
        {"/link/sec", "sec/k", true},
        {"/w/d", "a", true},
        {"/w/d/", "a", true},
        {"/w/d2/sec", "sec/k", false},
        {"/w", "a", false},
        {"/w/d/w/d", "w/d", true},
        {"/sec", "sec/k", true},
        {"/link/*.env", "b.env", true},
        {"/link/*.env", "a/b.env", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_rules denies = {.deny = &cases[i].glob, .deny_count = 1};
        em_rules allows = {.allow = &cases[i].glob, .allow_count = 1};
        em_rule_path path = {.rel = cases[i].rel, .roots = {"/w/d", "/link"}};
        check_status(cases[i].glob, em_rules_check(&denies, &path, false, &arena, NULL),
                     cases[i].denied ? EM_E_DENIED : EM_OK);
        check_status(cases[i].glob, em_rules_check(&allows, &path, false, &arena, NULL),
                     cases[i].denied ? EM_OK : EM_E_DENIED);
    }
}

static void test_globs_that_mean_nothing_are_refused(void **state)
{
    static const struct {
        const char *glob;
        em_status status;
    } cases[] = {{"", EM_E_INVALID},
                 {"{a,b}", EM_E_INVALID},
                 {"x/*.{c,h}", EM_E_INVALID},
                 {"\\{a,b}", EM_OK},
                 {"{a}", EM_OK},
                 {"a,{b}", EM_OK},
                 {"{a,b", EM_OK},
                 {"a}", EM_OK},
                 {"\\", EM_E_INVALID},
                 {"a\\", EM_E_INVALID},
                 {"\\\\", EM_OK},
                 {"secr[ets", EM_E_INVALID},
                 {"secr\\[ets", EM_OK},
                 {"[]", EM_E_INVALID},
                 {"[z-a]", EM_E_INVALID},
                 {"[a-z]", EM_OK},
                 {"[a-]", EM_OK},
                 {"[]a]", EM_OK},
                 {"[[:alpha:]]", EM_E_INVALID},
                 {"[[:]", EM_OK},
                 {"[[a]", EM_OK},
                 {"a[/]b", EM_E_INVALID},
                 {"a[!/]b", EM_OK},
                 {"a[/b]", EM_OK},
                 {"!secrets", EM_E_INVALID},
                 {"\\!secrets", EM_OK},
                 {"a!", EM_OK},
                 {"~", EM_E_INVALID},
                 {"~/x", EM_E_INVALID},
                 {"~$*", EM_OK},
                 {"./~/x", EM_OK},
                 {"..", EM_E_INVALID},
                 {"../d/x", EM_E_INVALID},
                 {"a/*/../s", EM_E_INVALID},
                 {"/w/../x", EM_E_INVALID},
                 {"..a/b..", EM_OK},
                 {"...", EM_OK}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_error err = EM_ERROR_INIT;
        em_rules denies = {.deny = &cases[i].glob, .deny_count = 1};
        em_rules allows = {.allow = &cases[i].glob, .allow_count = 1};
        check_status(cases[i].glob, em_rules_check_globs(&denies, &err), cases[i].status);
        check_status(cases[i].glob, em_rules_check_globs(&allows, NULL), cases[i].status);
        assert_int_equal(err.code, cases[i].status);
    }
}

static void test_globs_are_made_plain(void **state)
{
    static const struct {
        const char *glob, *plain;
    } cases[] = {{"secrets//key", "secrets/key"},
                 {"a/./b", "a/b"},
                 {"a/././/b", "a/b"},
                 {"//a", "/a"},
                 {"/./a", "/a"},
                 {".//./a", "./a"},
                 {"a//", "a/"},
                 {"a/.", "a/"},
                 {".", "."},
                 {"./", "./"},
                 {"/", "/"},
                 {"", ""},
                 {"a/.b/c.", "a/.b/c."},
                 {"**//*.c", "**/*.c"},
                 {"[a//b]/[/./]", "[a//b]/[/./]"},
                 {"\\[a//b", "\\[a/b"},
                 {"a\\//b", "a\\/b"},
                 {"[\\]//]//b", "[\\]//]/b"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        const char *glob = cases[i].glob;
        check_status(glob, em_glob_tidy(&arena, &glob), EM_OK);
        assert_string_equal(glob, cases[i].plain);
    }
}

static void test_globs_beside_the_roots(void **state)
{
    static const struct {
        const char *glob;
        em_status status;
    } cases[] = {{"/w/d/x", EM_OK},        {"/w/d", EM_OK},         {"/v/x", EM_OK},
                 {"/link/e/x", EM_OK},     {"/w", EM_E_INVALID},    {"/w/", EM_E_INVALID},
                 {"/w/*", EM_E_INVALID},   {"/w/d2", EM_E_INVALID}, {"/w/else/x", EM_E_INVALID},
                 {"/link", EM_E_INVALID},  {"./w/else/x", EM_OK},   {"w/else/x", EM_OK},
                 {"/config/*.key", EM_OK}, {"/*", EM_OK},           {"/", EM_OK},
                 {"/wd", EM_OK},           {"/**/x", EM_OK}};
    static const em_rule_path roots[] = {{.roots = {"/w/d", "/link/e"}}, {.roots = {"/v", NULL}}};
    static const em_rule_path with_top[] = {{.roots = {"/w/d", NULL}}, {.roots = {"/", "/"}}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_error err = EM_ERROR_INIT;
        em_rules denies = {.deny = &cases[i].glob, .deny_count = 1};
        em_rules allows = {.allow = &cases[i].glob, .allow_count = 1};
        check_status(cases[i].glob, em_rules_check_places(&denies, roots, COUNT_OF(roots), &err),
                     cases[i].status);
        check_status(cases[i].glob, em_rules_check_places(&allows, roots, COUNT_OF(roots), NULL),
                     cases[i].status);
        check_status(cases[i].glob,
                     em_rules_check_places(&denies, with_top, COUNT_OF(with_top), NULL), EM_OK);
    }
}

static void test_memory_may_end(void **state)
{
    const char *deny[] = {"x"}, *allow[] = {"a", ".git"};
    em_rules r = {.deny = deny, .deny_count = 1, .allow = allow, .allow_count = 2};
    bool ended = true;
    (void)state;
    for (long at = 1; ended; at++) {
        em_arena arena = {0};
        memory_ends_at(at);
        em_status status =
            em_rules_check(&r, &(em_rule_path){.rel = ".git/config"}, true, &arena, NULL);
        ended = memory_ended();
        memory_ends_at(0);
        check_status("memory", status, ended ? EM_E_NOMEM : EM_OK);
        em_arena_drop(&arena);
        assert_true(at < 50);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_globs_by_table),
        cmocka_unit_test(test_globs_against_the_definition),
        cmocka_unit_test(test_globs_take_no_time),
        cmocka_unit_test(test_rules_by_table),
        cmocka_unit_test(test_every_glob_counts),
        cmocka_unit_test(test_git_can_be_allowed_beside_all_else),
        cmocka_unit_test(test_folders_are_denied_as_folders),
        cmocka_unit_test(test_a_glob_may_begin_with_the_root),
        cmocka_unit_test(test_globs_that_mean_nothing_are_refused),
        cmocka_unit_test(test_globs_are_made_plain),
        cmocka_unit_test(test_globs_beside_the_roots),
        cmocka_unit_test(test_memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "past/versions.h"

#include "bench.h"
#include "history/inverse.h"
#include "workspace/content_store.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

/* As a session has them; of the test that runs. */
static em_kept_versions kept_versions;

/* Change the file from one content to another, as a session does. */
static void change(bench *b, const char *path, const char *from, const char *to)
{
    em_file file;
    em_splice whole = {0, strlen(from), em_slice_of(to)};
    em_change what = {.splices = {&whole, 1}, .origin = {.tool = "tool"}};
    em_commit_report report;
    bench_open(b);
    unsigned flags = from[0] ? 0 : EM_MAY_BE_MISSING;
    check_status("open", em_ws_open_file(b->ws, path, EM_TO_CHANGE, flags, 0, &file, &b->err),
                 EM_OK);
    assert_true(em_slice_is(file.bytes, from));
    check_status("commit", em_ws_commit(b->ws, &file, &what, &b->arena, &report, &b->err), EM_OK);
    em_version_was_made(b->ws, &kept_versions, &file, what.splices, report.hash);
    em_file_close(b->ws, &file);
}

static em_status find(bench *b, const char *path, const char *content, em_arena *arena)
{
    em_file file;
    em_slice bytes;
    bench_open(b);
    check_status("open",
                 em_ws_open_file(b->ws, path, EM_TO_READ, EM_MAY_BE_MISSING, 0, &file, &b->err),
                 EM_OK);
    if (!file.exists)
        file.path = scratch_path(b->root, path);
    em_status status =
        em_version_find(b->ws, &file, em_hash_of(em_slice_of(content)), arena, &bytes, &b->err);
    if (status == EM_OK)
        assert_true(em_slice_is(bytes, content));
    em_file_close(b->ws, &file);
    return status;
}

static void check_found(bench *b, const char *path, const char *content, bool found)
{
    em_status status = find(b, path, content, &b->arena);
    if (status != (found ? EM_OK : EM_E_NOT_FOUND))
        fail_msg("%s: %d", content, (int)status);
}

/* Forget all contents that are kept. */
static void forget_contents(bench *b)
{
    em_forgotten forgotten = {0};
    check_status("forget", em_content_store_forget(b->ws, 0, 1, &forgotten, &b->err), EM_OK);
}

static void test_from_the_file(void **state)
{
    bench *b = *state;
    kept_versions = (em_kept_versions){0};
    check_found(b, "a.txt", "one two three\n", true);
    check_found(b, "a.txt", "never\n", false);
    check_detail(b, "not kept");
}

/* Back through what was done, from what the file holds. */
static void test_back(void **state)
{
    bench *b = *state;
    kept_versions = (em_kept_versions){0};
    change(b, "a.txt", "one two three\n", "one 2 three\n");
    change(b, "a.txt", "one 2 three\n", "one 2 3\n");
    change(b, "a.txt", "one 2 3\n", "1 2 3\n");
    forget_contents(b);
    check_found(b, "a.txt", "one two three\n", true);
    check_found(b, "a.txt", "one 2 three\n", true);
    check_found(b, "a.txt", "one 2 3\n", true);
    check_found(b, "a.txt", "1 2 3\n", true);
    scratch_put(b->root, "a.txt", "somebody's\n");
    check_found(b, "a.txt", "one 2 3\n", false);
}

/* Forth from what was kept, whatever the file is now. */
static void test_forth(void **state)
{
    bench *b = *state;
    kept_versions = (em_kept_versions){0};
    em_content content = {.old = EM_LIT("one two three\n")};
    change(b, "a.txt", "one two three\n", "one 2 three\n");
    change(b, "a.txt", "one 2 three\n", "1 2 three\n");
    forget_contents(b);
    em_content_store_keep(b->ws, em_hash_of(content.old), &content);
    scratch_put(b->root, "a.txt", "somebody's\n");
    check_found(b, "a.txt", "1 2 three\n", true);
    check_found(b, "a.txt", "one 2 three\n", true);
    assert_int_equal(unlink(scratch_path(b->root, "a.txt")), 0);
    check_found(b, "a.txt", "1 2 three\n", true);
}

/* What was changed to and fro does not lead in circles. */
static void test_circles(void **state)
{
    bench *b = *state;
    kept_versions = (em_kept_versions){0};
    for (int i = 0; i < 4; i++) {
        change(b, "a.txt", "one two three\n", "1\n");
        change(b, "a.txt", "1\n", "one two three\n");
    }
    forget_contents(b);
    check_found(b, "a.txt", "1\n", true);
    check_found(b, "a.txt", "2\n", false);
}

/* A damaged step leads nowhere. */
static void test_damage(void **state)
{
    bench *b = *state;
    kept_versions = (em_kept_versions){0};
    change(b, "a.txt", "one two three\n", "one 2 three\n");
    change(b, "a.txt", "one 2 three\n", "one 2 3\n");
    forget_contents(b);
    static const char *const damages[] = {
        "UPDATE inverses SET plan = x'01010004024141' WHERE id = 2", /* fits, and is wrong */
        "UPDATE inverses SET plan = x'0101ff01010141' WHERE id = 2", /* does not fit */
        "UPDATE inverses SET plan = x'77' WHERE id = 2",
        "DELETE FROM inverses WHERE id = 2",
        "DELETE FROM commits WHERE id = 2",
    };
    for (size_t i = 0; i < COUNT_OF(damages); i++) {
        bench_sql(b, damages[i]);
        check_found(b, "a.txt", "one 2 three\n", false);
    }
}

/* A file that was made has no version before. */
static void test_creation(void **state)
{
    bench *b = *state;
    kept_versions = (em_kept_versions){0};
    change(b, "new", "", "new\n");
    change(b, "new", "new\n", "newer\n");
    forget_contents(b);
    check_found(b, "new", "new\n", true);
    check_found(b, "new", "", false);
}

static int kept(bench *b)
{
    const char *folder = scratch_path(b->state, "contents");
    return scratch_has(b->state, "contents") ? scratch_count(folder) : 0;
}

/* A content is kept when it is first met, and then again only after many changes. */
static void test_how_much_is_kept(void **state)
{
    bench *b = *state;
    kept_versions = (em_kept_versions){0};
    char from[32] = "one two three\n", to[32];
    for (int i = 0; i < 31; i++) {
        snprintf(to, sizeof to, "%d\n", i);
        change(b, "a.txt", from, to);
        strcpy(from, to);
    }
    assert_int_equal(kept(b), 1);
    for (int i = 31; i < 64; i++) {
        snprintf(to, sizeof to, "%d\n", i);
        change(b, "a.txt", from, to);
        strcpy(from, to);
    }
    assert_int_equal(kept(b), 2);
    scratch_put(b->root, "a.txt", "somebody's\n");
    check_found(b, "a.txt", "0\n", true);
    check_found(b, "a.txt", "40\n", true);
    check_found(b, "a.txt", "63\n", true);

    em_file file;
    check_status("open", em_ws_open_file(b->ws, "a.txt", EM_TO_READ, 0, 0, &file, &b->err), EM_OK);
    check_status("read", em_version_was_read(b->ws, &kept_versions, &file), EM_OK);
    check_status("read again", em_version_was_read(b->ws, &kept_versions, &file), EM_OK);
    em_file_close(b->ws, &file);
    assert_int_equal(kept(b), 3);
    change(b, "a.txt", "somebody's\n", "mine\n");
    assert_int_equal(kept(b), 3);
}

/* What is too long for the history is kept itself. */
static void test_long_changes(void **state)
{
    bench *b = *state;
    kept_versions = (em_kept_versions){0};
    static char longer[EM_NEW_MOST + 2];
    memset(longer, 'x', sizeof longer - 1);
    change(b, "a.txt", "one two three\n", "1\n");
    change(b, "a.txt", "1\n", longer);
    assert_int_equal(kept(b), 2);
    scratch_put(b->root, "a.txt", "somebody's\n");
    check_found(b, "a.txt", longer, true);
}

static void test_failing(void **state)
{
    bench *b = *state;
    kept_versions = (em_kept_versions){0};
    change(b, "a.txt", "one two three\n", "one 2 three\n");
    change(b, "a.txt", "one 2 three\n", "one 2 3\n");
    forget_contents(b);
    bench_close(b);
    for (int skip = 0;; skip++) {
        EM_AUTO(em_arena) arena = {0};
        bench_disarm(b);
        trap *caught = trap_set(
            &b->trap, (trap){.call = "read", .about = EM_HISTORY_NAME, .skip = skip, .error = EIO});
        em_status status = find(b, "a.txt", "one 2 three\n", &arena);
        bool failed = caught->caught > 0;
        bench_disarm(b);
        check_status("find", status, failed ? EM_E_IO : EM_OK);
        bench_close(b);
        if (!failed)
            break;
        assert_true(skip < 100);
    }
    em_file file;
    em_slice bytes;
    bench_open(b);
    check_status("open", em_ws_open_file(b->ws, "a.txt", EM_TO_READ, 0, 0, &file, &b->err), EM_OK);
    em_hash hash = em_hash_of(EM_LIT("one two three\n"));
    check_status("warm", em_version_find(b->ws, &file, hash, &b->arena, &bytes, &b->err), EM_OK);
    em_status status = EM_E_NOMEM;
    for (long at = 1; status == EM_E_NOMEM; at++) {
        EM_AUTO(em_arena) arena = {0};
        memory_ends_at(at);
        status = em_version_find(b->ws, &file, hash, &arena, &bytes, &b->err);
        memory_ends_at(0);
        assert_true(at < 200);
    }
    check_status("at last", status, EM_OK);
    em_file_close(b->ws, &file);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_from_the_file),    BENCH_TEST(test_back),         BENCH_TEST(test_forth),
        BENCH_TEST(test_circles),          BENCH_TEST(test_damage),       BENCH_TEST(test_creation),
        BENCH_TEST(test_how_much_is_kept), BENCH_TEST(test_long_changes), BENCH_TEST(test_failing),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

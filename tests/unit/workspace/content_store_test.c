#include "workspace/content_store.h"

#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static em_content content_of(em_slice bytes)
{
    return (em_content){.old = bytes};
}

static em_hash keep(bench *b, em_slice bytes)
{
    em_content content = content_of(bytes);
    em_hash hash = em_hash_of(bytes);
    check_status("keep", em_content_store_keep(bench_open(b), hash, &content), EM_OK);
    return hash;
}

static bool is_kept(bench *b, em_hash hash)
{
    em_slice bytes;
    bool found;
    check_status("find", em_content_store_find(b->ws, hash, &b->arena, &bytes, &found), EM_OK);
    if (found)
        assert_true(em_hash_eq(em_hash_of(bytes), hash));
    return found;
}

static const char *name_of(bench *b, em_hash hash)
{
    return em_arena_format(&b->arena, "%s/contents/%s", b->state, hash.hex);
}

static struct stat stat_of(const char *path)
{
    struct stat result;
    assert_int_equal(stat(path, &result), 0);
    return result;
}

static void test_what_is_kept_is_found(void **state)
{
    bench *b = *state;
    em_splice splice = {1, 1, EM_LIT("BB")};
    em_content content = {.old = EM_LIT("abc"), .splices = {&splice, 1}};
    em_hash hash = em_hash_of(EM_LIT("aBBc")), empty = keep(b, (em_slice){0});
    check_status("keep", em_content_store_keep(b->ws, hash, &content), EM_OK);
    assert_true(is_kept(b, hash));
    assert_true(is_kept(b, empty));
    assert_false(is_kept(b, em_hash_of(EM_LIT("never"))));
    assert_int_equal(stat_of(name_of(b, hash)).st_mode & 07777, 0600);
    assert_int_equal(stat_of(scratch_path(b->state, "contents")).st_mode & 07777, 0700);
}

/* Without a state directory nothing is found, and none is made for that. */
static void test_nothing_is_made_by_looking(void **state)
{
    bench *b = *state;
    em_forgotten forgotten = {0};
    bench_open(b);
    assert_false(is_kept(b, em_hash_of(EM_LIT("x"))));
    check_status("forget", em_content_store_forget(b->ws, 1, 1, &forgotten, &b->err), EM_OK);
    assert_false(scratch_has(b->base, "state"));
}

static void test_what_is_not_kept(void **state)
{
    bench *b = *state;
    static char large[EM_STORED_CONTENT_MOST + 1];
    assert_false(is_kept(b, keep(b, em_slice_make(large, sizeof large))));
    assert_true(is_kept(b, keep(b, em_slice_make(large, sizeof large - 1))));
    bench_close(b);
    b->options.no_history = true;
    assert_false(is_kept(b, keep(b, EM_LIT("one"))));
    bench_close(b);
    b->options.no_history = false;
    b->options.read_only = true;
    assert_false(is_kept(b, keep(b, EM_LIT("two"))));
}

/* What is in the place of a content and is not it is none. */
static void test_damage(void **state)
{
    bench *b = *state;
    em_hash hash = keep(b, EM_LIT("content"));
    scratch_put(scratch_path(b->state, "contents"), hash.hex, "contenx");
    assert_false(is_kept(b, hash));
    scratch_put(scratch_path(b->state, "contents"), hash.hex, "con");
    assert_false(is_kept(b, hash));
    keep(b, EM_LIT("content")); /* torn: it is written again */
    assert_true(is_kept(b, hash));
    assert_int_equal(unlink(name_of(b, hash)), 0);
    scratch_link(scratch_path(b->state, "contents"), hash.hex, "/etc/passwd");
    assert_false(is_kept(b, hash));
    keep(b, EM_LIT("content"));
    assert_int_equal(unlink(name_of(b, hash)), 0);
    assert_int_equal(mkdir(name_of(b, hash), 0700), 0);
    assert_false(is_kept(b, hash));
    assert_int_equal(rmdir(name_of(b, hash)), 0);
    assert_int_equal(mkfifo(name_of(b, hash), 0600), 0);
    assert_false(is_kept(b, hash));
    static const char *const none[] = {"", "short", "../../../../../../../../etc/pass"};
    for (size_t i = 0; i < COUNT_OF(none); i++) {
        em_hash odd = {""};
        snprintf(odd.hex, sizeof odd.hex, "%s", none[i]);
        assert_false(is_kept(b, odd));
    }
}

static void make_older(bench *b, em_hash hash, int days)
{
    struct stat now = stat_of(name_of(b, hash));
    struct timespec times[2] = {now.st_atim, now.st_mtim};
    times[1].tv_sec -= days * 24L * 3600;
    assert_int_equal(utimensat(AT_FDCWD, name_of(b, hash), times, 0), 0);
}

/* What is used again is not forgotten so soon. */
static void test_what_is_kept_again_is_new(void **state)
{
    bench *b = *state;
    em_hash hash = keep(b, EM_LIT("content"));
    ino_t inode = stat_of(name_of(b, hash)).st_ino;
    time_t first = stat_of(name_of(b, hash)).st_mtim.tv_sec;
    make_older(b, hash, 2);
    keep(b, EM_LIT("content"));
    assert_true(stat_of(name_of(b, hash)).st_mtim.tv_sec >= first);
    assert_int_equal(stat_of(name_of(b, hash)).st_ino, inode);
}

static void test_forgetting(void **state)
{
    bench *b = *state;
    em_hash old = keep(b, EM_LIT("old content")), middle = keep(b, EM_LIT("middle")),
            new = keep(b, EM_LIT("new"));
    make_older(b, old, 8);
    make_older(b, middle, 3);
    scratch_put(scratch_path(b->state, "contents"), "other", "not ours");
    em_forgotten forgotten = {0};
    check_status("nothing", em_content_store_forget(b->ws, 0, 0, &forgotten, &b->err), EM_OK);
    assert_int_equal(forgotten.bytes, 0);
    check_status("age",
                 em_content_store_forget(b->ws, 7LL * 24 * 3600 * 1000, 0, &forgotten, &b->err),
                 EM_OK);
    assert_int_equal(forgotten.bytes, 11);
    assert_false(is_kept(b, old));
    assert_true(is_kept(b, middle));
    check_status("room for two", em_content_store_forget(b->ws, 0, 8192, &forgotten, &b->err),
                 EM_OK);
    assert_true(is_kept(b, middle));
    check_status("size", em_content_store_forget(b->ws, 0, 8191, &forgotten, &b->err), EM_OK);
    assert_int_equal(forgotten.bytes, 17);
    assert_false(is_kept(b, middle));
    assert_true(is_kept(b, new));
    assert_true(scratch_has(scratch_path(b->state, "contents"), "other"));
}

/* Where nothing is ever changed, too. */
static void test_that_much_asks_for_tidying(void **state)
{
    bench *b = *state;
    for (int i = 0; i == 0 || !b->ws->tidy_due; i++) {
        char text[16];
        keep(b, em_slice_make(text, (size_t)snprintf(text, sizeof text, "%d", i)));
        assert_true(i < 10000);
    }
}

/* What fails is not kept, and says nothing. */
static void test_every_call_may_fail(void **state)
{
    bench *b = *state;
    static const char *const calls[] = {"open", "write", "stat", "mkdir", "read", "clock"};
    bench_open(b);
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        for (int skip = 0; skip < 20; skip++) {
            char text[32];
            bench_disarm(b);
            trap_set(&b->trap, (trap){.call = calls[i], .about = "", .skip = skip, .error = EIO});
            int length = snprintf(text, sizeof text, "%s %d", calls[i], skip);
            em_hash hash = keep(b, em_slice_make(text, (size_t)length));
            is_kept(b, hash);
            bench_disarm(b);
            if (scratch_has(b->base, "state") && i > 0 && skip > 10)
                assert_true(is_kept(b, hash));
            bench_close(b);
            bench_open(b);
        }
    }
    assert_true(is_kept(b, keep(b, EM_LIT("at last"))));
    static const char *const listing[] = {"open", "list", "clock", "stat", "unlink"};
    for (size_t i = 0; i < COUNT_OF(listing); i++) {
        em_forgotten forgotten = {0};
        bench_disarm(b);
        trap *caught = trap_set(
            &b->trap,
            (trap){.call = listing[i], .about = i == 0 ? "=." : "", .times = -1, .error = EIO});
        em_status status = em_content_store_forget(b->ws, 0, 1, &forgotten, &b->err);
        assert_true(caught->caught > 0);
        bench_disarm(b);
        check_status(listing[i], status, i < 3 ? EM_E_IO : EM_OK);
        assert_int_equal(forgotten.bytes, 0);
    }
}

static void test_memory_may_end(void **state)
{
    bench *b = *state;
    em_content content = content_of(EM_LIT("content"));
    em_hash hash = em_hash_of(EM_LIT("content"));
    em_status status = EM_E_NOMEM;
    for (long at = 1; status == EM_E_NOMEM; at++) {
        bench_close(b);
        bench_open(b);
        memory_ends_at(at);
        status = em_content_store_keep(b->ws, hash, &content);
        memory_ends_at(0);
        assert_true(at < 50);
    }
    check_status("keep", status, EM_OK);
    EM_AUTO(em_arena) arena = {0};
    em_slice bytes;
    bool found;
    em_forgotten forgotten = {0};
    memory_ends_at(1);
    em_status finding = em_content_store_find(b->ws, hash, &arena, &bytes, &found);
    em_status forgetting = em_content_store_forget(b->ws, 0, 1, &forgotten, &b->err);
    memory_ends_at(0);
    check_status("find", finding, EM_E_NOMEM);
    check_status("forget", forgetting, EM_E_NOMEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_what_is_kept_is_found),
        BENCH_TEST(test_nothing_is_made_by_looking),
        BENCH_TEST(test_what_is_not_kept),
        BENCH_TEST(test_damage),
        BENCH_TEST(test_what_is_kept_again_is_new),
        BENCH_TEST(test_forgetting),
        BENCH_TEST(test_that_much_asks_for_tidying),
        BENCH_TEST(test_every_call_may_fail),
        BENCH_TEST(test_memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

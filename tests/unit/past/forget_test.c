#include "past/forget.h"

#include "bench.h"
#include "past/checkpoints.h"
#include "past/past_calls.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

enum { DAY_MS = 24 * 3600 * 1000 };

/* Changes of different ages, in days; the newest is of today. */
static void fill(bench *b, const int *ages, size_t count)
{
    char sql[200];
    for (size_t i = 0; i < count; i++) {
        check_status("change", bench_change(b, "a.txt", i % 2 ? "2" : "two", i % 2 ? "two" : "2"),
                     EM_OK);
        snprintf(sql, sizeof sql,
                 "UPDATE commits SET time = time - %d * 86400000, call = 'call %d'"
                 " WHERE id = %d",
                 ages[i], (int)i, (int)i + 1);
        bench_sql(b, sql);
    }
}

static em_forgotten forget(bench *b, em_limits limits, size_t most, bool shrink)
{
    em_forgotten forgotten;
    check_status("forget", em_past_forget(b->ws, limits, most, shrink, &forgotten, &b->err), EM_OK);
    return forgotten;
}

static int rows(bench *b)
{
    return bench_rows(b, EM_ROW_DONE);
}

static void test_age(void **state)
{
    bench *b = *state;
    em_checkpoints marks;
    fill(b, (int[]){40, 30, 20, 10, 0}, 5);
    assert_int_equal(forget(b, (em_limits){0}, 0, false).rows, 0);
    assert_int_equal(forget(b, (em_limits){.age_ms = 25LL * DAY_MS}, 0, false).rows, 2);
    assert_int_equal(rows(b), 3);
    check_status("mark", em_past_mark(b->ws, "a", &b->err), EM_OK);
    check_status("mark", em_past_mark(b->ws, "b", &b->err), EM_OK);
    bench_sql(
        b, "UPDATE checkpoints SET time = 1, id = name = 'b'; UPDATE checkpoints SET id = id + 1");
    check_status("marks", em_past_marks(b->ws, &b->arena, &marks, &b->err), EM_OK);
    assert_int_equal(marks.count, 2);
    assert_false(marks.items[0].is_whole); /* after the row 1 */
    assert_true(marks.items[1].is_whole);  /* after the row 2 */
    assert_int_equal(forget(b, (em_limits){.age_ms = 25LL * DAY_MS}, 0, false).rows, 0);
}

/* What is too new to be settled stays, with all of its call, and is counted. */
static void test_what_has_to_wait(void **state)
{
    bench *b = *state;
    fill(b, (int[]){40, 0, 0, 40, 0}, 5);
    bench_sql(b, "UPDATE commits SET state = 3, temp = NULL WHERE id IN (2, 4);"
                 "UPDATE commits SET state = 0 WHERE id = 5;"
                 "UPDATE commits SET call = 'two files' WHERE id IN (2, 3)");
    em_forgotten by_age = forget(b, (em_limits){.age_ms = 25LL * DAY_MS}, 0, true);
    assert_int_equal(by_age.rows, 2);
    assert_int_equal(by_age.waiting, 0);
    em_forgotten by_size = forget(b, (em_limits){.bytes = 1}, 0, true);
    assert_int_equal(by_size.rows, 0);
    assert_int_equal(by_size.waiting, 2);
    assert_int_equal(forget(b, (em_limits){.bytes = 1}, 0, false).waiting, 0);
    assert_int_equal(rows(b), 3);
}

static void test_read_only(void **state)
{
    bench *b = *state;
    em_forgotten forgotten;
    em_recovery recovery = {0};
    em_recover_options options = {0};
    fill(b, (int[]){40}, 1);
    bench_close(b);
    b->options.read_only = true;
    bench_open(b);
    const em_limits limits = {.age_ms = DAY_MS};
    check_status("forget", em_past_forget(b->ws, limits, 0, true, &forgotten, &b->err),
                 EM_E_DENIED);
    check_detail(b, "--read-only");
    check_status("limits", em_past_set_limits(b->ws, limits, &b->err), EM_E_DENIED);
    check_status("mark", em_past_mark(b->ws, "name", &b->err), EM_E_DENIED);
    check_status("recover", em_recover(b->ws, &options, &b->arena, &recovery, &b->err),
                 EM_E_DENIED);
    assert_int_equal(rows(b), 1);
}

/* Without a history there is nothing to forget, and none is made. */
static void test_nothing(void **state)
{
    bench *b = *state;
    bench_open(b);
    assert_int_equal(forget(b, (em_limits){.age_ms = 1}, 0, true).rows, 0);
    assert_false(scratch_has(b->base, "state"));
}

/* What is not finished stays, and so do all files of a call of which one is not. */
static void test_what_stays(void **state)
{
    bench *b = *state;
    fill(b, (int[]){40, 40, 40, 40, 40}, 5);
    bench_sql(b, "UPDATE commits SET state = 3, temp = NULL;"
                 "UPDATE commits SET state = 0 WHERE id = 2;"
                 "UPDATE commits SET call = 'two files' WHERE id IN (3, 5);"
                 "UPDATE commits SET state = 1, temp = 'x' WHERE id = 5;"
                 "INSERT INTO undone VALUES('call 1', 'call 0', 1, 1);"
                 "INSERT INTO undone VALUES('call 1', 'call 3', 1, 5)");
    assert_int_equal(forget(b, (em_limits){.age_ms = DAY_MS}, 0, false).rows, 2);
    assert_int_equal(rows(b), 3);
    em_row row = {.id = 3};
    row.token = bench_row(b).token;
    em_slice plan;
    check_status("plan", em_history_inverse(b->ws->history, &row, &b->arena, &plan, &b->err),
                 EM_OK);
    assert_true(plan.len > 0);
    row.id = 1;
    check_status("plan", em_history_inverse(b->ws->history, &row, &b->arena, &plan, &b->err),
                 EM_OK);
    assert_int_equal(plan.len, 0);
    em_fate fate;
    check_status("fate", em_past_fate(b->ws, "call 1", INT64_MAX, &b->arena, &fate, &b->err),
                 EM_OK);
    assert_int_equal(fate.id, 5);
}

/* A change of a moment ago has just been removed its old name: it stays until that is on the disk.
 */
static void test_a_moment_ago(void **state)
{
    bench *b = *state;
    fill(b, (int[]){0}, 1);
    assert_int_equal(forget(b, (em_limits){.bytes = 1}, 0, false).rows, 0);
    bench_sql(b, "UPDATE commits SET time = time - 121000");
    assert_int_equal(forget(b, (em_limits){.bytes = 1}, 0, false).rows, 1);
}

/* The same where no name was left to be removed: a file was made, or a clock was set back. */
static void test_finished_at_once(void **state)
{
    bench *b = *state;
    fill(b, (int[]){0, 40, 0, 40}, 4);
    bench_sql(b, "UPDATE commits SET state = 3, temp = NULL, time = time - 5000;"
                 "UPDATE commits SET call = NULL WHERE id = 1;"
                 "UPDATE commits SET call = 'two files' WHERE id > 2");
    em_forgotten by_size = forget(b, (em_limits){.bytes = 1}, 0, true);
    assert_int_equal(by_size.rows, 1);
    assert_int_equal(by_size.waiting, 3);
    em_forgotten by_age = forget(b, (em_limits){.age_ms = 1}, 0, true);
    assert_int_equal(by_age.rows, 0);
    assert_int_equal(by_age.waiting, 3);
    bench_sql(b, "UPDATE commits SET time = time - 121000 WHERE id = 1;"
                 "UPDATE commits SET time = time + 86400000 WHERE id > 2");
    assert_int_equal(forget(b, (em_limits){.bytes = 1}, 0, true).rows, 3);
}

static long size_of(bench *b, const char *name)
{
    struct stat stat_of;
    assert_int_equal(stat(scratch_path(b->state, name), &stat_of), 0);
    return (long)stat_of.st_size;
}

static long size_of_database(bench *b)
{
    return size_of(b, EM_HISTORY_NAME);
}

/* Many rows, with long plans. */
static void fill_much(bench *b, int count)
{
    char sql[400];
    fill(b, (int[]){1}, 1);
    snprintf(sql, sizeof sql,
             "UPDATE commits SET state = 3, temp = NULL;"
             "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < %d)"
             " INSERT INTO inverses SELECT i, zeroblob(2000) FROM n",
             count);
    bench_sql(b, sql);
    snprintf(sql, sizeof sql,
             "CREATE TEMP TABLE n AS WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM "
             "n WHERE i < %d) SELECT i FROM n;"
             "CREATE TEMP TABLE c AS SELECT * FROM commits, n; UPDATE c SET id = i, call = i;"
             "ALTER TABLE c DROP COLUMN i; INSERT INTO commits SELECT * FROM c",
             count);
    bench_sql(b, sql);
}

/* No more of them than have to: not all that are looked at together. */
static void test_no_more_than_needed(void **state)
{
    bench *b = *state;
    fill_much(b, 450);
    bench_sql(b, "PRAGMA wal_checkpoint(TRUNCATE)");
    uint64_t limit = (uint64_t)size_of_database(b) * 9 / 10;
    em_forgotten forgotten = forget(b, (em_limits){.bytes = limit}, 0, false);
    assert_in_range(forgotten.rows, 30, 80);
    assert_int_equal(forget(b, (em_limits){.bytes = limit}, 0, true).rows, 0);
}

/* The oldest go until the rest is small enough; the room goes back to the system if asked. */
static void test_size(void **state)
{
    bench *b = *state;
    fill_much(b, 3000);
    bench_sql(b, "PRAGMA wal_checkpoint(TRUNCATE)");
    long before = size_of_database(b);
    em_forgotten forgotten = forget(b, (em_limits){.bytes = 2 << 20}, 0, false);
    assert_true(forgotten.rows >= 1000 && forgotten.rows < 3000);
    assert_int_equal(rows(b), 3000 - (int)forgotten.rows);
    assert_int_equal(forgotten.bytes, 0);
    assert_int_equal(bench_row(b).id, 3000);
    forgotten = forget(b, (em_limits){.bytes = 2 << 20}, 0, true);
    assert_int_equal(forgotten.rows, 0);
    assert_true(size_of_database(b) <= 3 << 20);
    assert_true(forgotten.bytes > 1 << 20);
    assert_int_equal(forgotten.bytes, before - size_of_database(b));
    assert_int_equal(size_of(b, EM_HISTORY_NAME "-wal"), 0);
    assert_int_equal(forget(b, (em_limits){.bytes = 2 << 20}, 0, true).bytes, 0);
}

/* A step at a time, for who must not wait. */
static void test_little_at_a_time(void **state)
{
    bench *b = *state;
    fill_much(b, 3000);
    em_limits limits = {.age_ms = 1000};
    assert_int_equal(forget(b, limits, 1, false).rows, 500);
    assert_int_equal(forget(b, limits, 501, false).rows, 1000);
    assert_int_equal(rows(b), 1500);
}

/* However many rows a call has, it goes whole, and others go behind one that cannot. */
static void test_large_calls(void **state)
{
    bench *b = *state;
    const em_limits limits = {.age_ms = 1000};
    fill_much(b, 2000);
    bench_sql(b, "UPDATE commits SET call = 'waits' WHERE id <= 600;"
                 "UPDATE commits SET call = 'goes' WHERE id BETWEEN 601 AND 1700 AND id % 2;"
                 "UPDATE commits SET state = 1, temp = 'x' WHERE id = 3");
    assert_int_equal(forget(b, limits, 0, false).rows, 1400);
    assert_int_equal(rows(b), 600);
    bench_sql(b, "UPDATE commits SET state = 3, temp = NULL WHERE id = 3");
    assert_int_equal(forget(b, limits, 1, false).rows, 600);
    assert_int_equal(rows(b), 0);
}

/* What was made while a clock was ahead goes with what came after it. */
static void test_rows_of_the_future(void **state)
{
    bench *b = *state;
    fill_much(b, 900);
    bench_sql(b, "UPDATE commits SET time = time + 400 * 86400000 WHERE id <= 700;"
                 "UPDATE commits SET time = time - 40 * 86400000 WHERE id BETWEEN 701 AND 800");
    assert_int_equal(forget(b, (em_limits){.age_ms = 45LL * DAY_MS}, 0, false).rows, 0);
    assert_int_equal(forget(b, (em_limits){.age_ms = 39LL * DAY_MS}, 0, false).rows, 800);
    assert_int_equal(rows(b), 100);
}

/* ---- By itself ----------------------------------------------------------------------------- */

static void test_limits(void **state)
{
    bench *b = *state;
    em_limits limits;
    bench_open(b);
    check_status("set", em_past_set_limits(b->ws, (em_limits){5, 7}, &b->err), EM_OK);
    check_status("get", em_past_limits(b->ws, &limits, &b->err), EM_OK);
    assert_int_equal(limits.age_ms, 5);
    assert_int_equal(limits.bytes, 7);
    check_status("none", em_past_set_limits(b->ws, (em_limits){0, 0}, &b->err), EM_OK);
    check_status("get", em_past_limits(b->ws, &limits, &b->err), EM_OK);
    assert_int_equal(limits.age_ms, 0);
    assert_int_equal(limits.bytes, 0);
}

/* Now and then, after changes; never by who has made none. */
static void test_tidying(void **state)
{
    bench *b = *state;
    em_past_tidy(bench_open(b));
    fill(b, (int[]){1000, 1000}, 2);
    em_past_tidy(b->ws);
    assert_int_equal(rows(b), 2);
    bench_sql(b, "UPDATE sqlite_sequence SET seq = 511");
    check_status("change", bench_change(b, "a.txt", "two", "2"), EM_OK);
    assert_true(b->ws->tidy_due);
    em_past_tidy(b->ws);
    assert_false(b->ws->tidy_due);
    assert_int_equal(rows(b), 1);
    bench_sql(b,
              "UPDATE sqlite_sequence SET seq = 1023; UPDATE commits SET time = 0, call = 'old'");
    check_status("change", bench_change(b, "a.txt", "2", "two"), EM_OK);
    em_past_tidy(b->ws);
    assert_int_equal(rows(b), 1);
}

static bool is_kept(bench *b, em_hash hash)
{
    em_slice bytes;
    bool found;
    check_status("find", em_content_store_find(b->ws, hash, &b->arena, &bytes, &found), EM_OK);
    return found;
}

static void test_tidying_contents(void **state)
{
    bench *b = *state;
    em_content old = {.old = EM_LIT("old")}, new = {.old = EM_LIT("new")};
    em_hash old_hash = em_hash_of(old.old), new_hash = em_hash_of(new.old);
    struct timespec times[2] = {{.tv_nsec = UTIME_OMIT}, {.tv_sec = 0}};
    check_status("keep", em_content_store_keep(bench_open(b), old_hash, &old), EM_OK);
    check_status("keep", em_content_store_keep(b->ws, new_hash, &new), EM_OK);
    const char *name = scratch_path(scratch_path(b->state, "contents"), old_hash.hex);
    assert_int_equal(utimensat(AT_FDCWD, name, times, 0), 0);
    em_past_tidy(b->ws);
    assert_true(is_kept(b, old_hash));
    b->ws->tidy_due = true;
    em_past_tidy(b->ws);
    assert_false(is_kept(b, old_hash));
    assert_true(is_kept(b, new_hash));
}

/* ---- Failing ------------------------------------------------------------------------------- */

/* Whatever fails, what is left is whole calls. */
static void test_every_call_may_fail(void **state)
{
    bench *b = *state;
    static const char *const calls[] = {"read", "write", "lock", "truncate", "clock"};
    fill_much(b, 520);
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        for (int skip = 0; skip < 2000; skip += 1 + skip / 2) {
            em_forgotten forgotten;
            bench_disarm(b);
            trap *caught = trap_set(&b->trap, (trap){.call = calls[i],
                                                     .about = i == 4 ? "" : EM_HISTORY_NAME,
                                                     .skip = skip,
                                                     .error = EIO});
            em_status status =
                em_past_forget(b->ws, (em_limits){.age_ms = 1000}, 0, false, &forgotten, &b->err);
            bool failed = caught->caught > 0;
            bench_disarm(b);
            assert_true(status == EM_OK || (failed && status == EM_E_IO));
            assert_true(rows(b) == 520 || rows(b) == 20 || rows(b) == 0);
        }
    }
    forget(b, (em_limits){.age_ms = 1000}, 0, true);
    assert_int_equal(rows(b), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_age),
        BENCH_TEST(test_nothing),
        BENCH_TEST(test_what_has_to_wait),
        BENCH_TEST(test_read_only),
        BENCH_TEST(test_what_stays),
        BENCH_TEST(test_a_moment_ago),
        BENCH_TEST(test_finished_at_once),
        BENCH_TEST(test_size),
        BENCH_TEST(test_no_more_than_needed),
        BENCH_TEST(test_little_at_a_time),
        BENCH_TEST(test_large_calls),
        BENCH_TEST(test_rows_of_the_future),
        BENCH_TEST(test_limits),
        BENCH_TEST(test_tidying),
        BENCH_TEST(test_tidying_contents),
        BENCH_TEST(test_every_call_may_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "history/database.h"

#include "bench.h"

#include <errno.h>
#include <linux/magic.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { FRAME = 24 + EM_DATABASE_PAGE, LOG_HEAD = 32 };
#define LOG EM_HISTORY_NAME "-wal"
#define JOURNAL EM_HISTORY_NAME "-journal"
#define MEMORY EM_HISTORY_NAME "-shm"

static em_history_options options_of(const bench *b, em_sync sync)
{
    return (em_history_options){.folder = b->state, .sync = sync, .timeout_ms = 20};
}

static em_history *must_open(bench *b, const em_sys *sys, em_sync sync)
{
    em_history *history;
    em_history_options options = options_of(b, sync);
    if (!scratch_has(b->base, "state"))
        scratch_folder(b->base, "state");
    if (em_history_open(sys, &options, &history, &b->err) != EM_OK)
        fail_msg("%s", b->err.detail);
    return history;
}

static em_row row_of(size_t plan)
{
    static const char zeros[64 << 10];
    return (em_row){.token = 1,
                    .root = "/",
                    .path = "p",
                    .boot = "boot",
                    .inverse = em_slice_make(zeros, plan),
                    .old_hash = em_hash_of(EM_LIT("1")),
                    .new_hash = em_hash_of(EM_LIT("2"))};
}

static em_row must_add(bench *b, em_history *history, size_t plan)
{
    em_row row = row_of(plan);
    check_status("add", em_history_add(history, &row, false, &b->err), EM_OK);
    return row;
}

static void check_mode(em_history *history, const char *want)
{
    sqlite3_stmt *stmt;
    assert_int_equal(sqlite3_prepare_v2(history->db, "PRAGMA journal_mode", -1, &stmt, NULL),
                     SQLITE_OK);
    assert_int_equal(sqlite3_step(stmt), SQLITE_ROW);
    assert_string_equal((const char *)sqlite3_column_text(stmt, 0), want);
    sqlite3_finalize(stmt);
}

static long size_of(const bench *b, const char *name)
{
    struct stat st;
    return stat(scratch_path(b->state, name), &st) == 0 ? (long)st.st_size : -1;
}

static int rows_of(bench *b, em_history *history)
{
    int64_t count;
    check_status("count", em_sql_number(history, "SELECT count(*) FROM commits", &count, &b->err),
                 EM_OK);
    return (int)count;
}

/* ---- Which journal --------------------------------------------------------------------------- */

static int on_nfs(void *context, int fd, uint64_t *magic)
{
    (void)context, (void)fd;
    *magic = NFS_SUPER_MAGIC;
    return 0;
}

static int on_something(void *context, int fd, uint64_t *magic)
{
    (void)context, (void)fd;
    *magic = 0x0BD00BD0; /* Lustre, which nobody here knows */
    return 0;
}

static void test_a_log_only_where_memory_is_shared(void **state)
{
    bench *b = *state;
    em_sys nfs = em_sys_native, something = em_sys_native;
    nfs.filesystem = on_nfs;
    something.filesystem = on_something;
    static const char *const modes[] = {"wal", "persist", "wal", "persist", "persist", "wal"};
    const em_sys *systems[] = {&em_sys_native, &nfs, &em_sys_native,
                               &something,     &nfs, &em_sys_native};
    for (size_t i = 0; i < COUNT_OF(systems); i++) {
        em_history *history = must_open(b, systems[i], EM_SYNC_FULL);
        bool log = strcmp(modes[i], "wal") == 0;
        check_mode(history, modes[i]);
        assert_int_equal(scratch_has(b->state, LOG), log);
        assert_int_equal(rows_of(b, history), i);
        must_add(b, history, 10);
        assert_int_equal(scratch_has(b->state, JOURNAL), !log);
        em_history *other = must_open(b, systems[i], EM_SYNC_OFF);
        assert_int_equal(rows_of(b, other), i + 1);
        em_history_close(other);
        em_history_close(history);
    }
}

/* Without a log everybody else is kept out until it is synced, so nothing is left for later. */
static void test_settling_without_a_log(void **state)
{
    bench *b = *state;
    b->trap.sys.filesystem = on_nfs;
    em_history *history = must_open(b, &b->trap.sys, EM_SYNC_FULL);
    em_row row = must_add(b, history, 0);
    trap *syncs = trap_set(&b->trap, (trap){.call = "sync", .about = "", .times = -1});
    check_status("settle", em_history_settle(history, &row, false, &b->err), EM_OK);
    assert_true(syncs->caught > 2);
    assert_false(em_history_is_unsynced(history));
    check_status("sync", em_database_sync_log(history, &b->err), EM_OK);
    em_history_close(history);
}

static void die(void *context)
{
    (void)context;
    _exit(9);
}

/* A process dies in a transaction with a rollback journal, as every emend before this one had. */
static void test_a_hot_journal_of_before(void **state)
{
    bench *b = *state;
    em_sys nfs = em_sys_native;
    nfs.filesystem = on_nfs;
    em_history *history = must_open(b, &nfs, EM_SYNC_FULL);
    must_add(b, history, 20000);
    em_history_close(history);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        b->trap.sys.filesystem = on_nfs;
        history = must_open(b, &b->trap.sys, EM_SYNC_FULL);
        trap_set(&b->trap, (trap){.call = "sync", .about = "$/" EM_HISTORY_NAME, .hook = die});
        must_add(b, history, 20000);
        _exit(1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(WEXITSTATUS(status), 9);
    assert_true(size_of(b, JOURNAL) > 4096);
    history = must_open(b, &em_sys_native, EM_SYNC_FULL);
    check_mode(history, "wal");
    assert_int_equal(rows_of(b, history), 1);
    int64_t ok;
    check_status("check",
                 em_sql_number(history,
                               "SELECT count(*) FROM pragma_integrity_check"
                               " WHERE integrity_check = 'ok'",
                               &ok, &b->err),
                 EM_OK);
    assert_int_equal(ok, 1);
    assert_false(scratch_has(b->state, JOURNAL));
    em_history_close(history);
}

/* Two that make it at the same time, or change its journal. */
static void test_opened_by_many_at_once(void **state)
{
    bench *b = *state;
    enum { MANY = 6 };
    pid_t children[MANY];
    em_history_options options = options_of(b, EM_SYNC_OFF);
    options.timeout_ms = 5000;
    scratch_folder(b->base, "state");
    for (int i = 0; i < MANY; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0) {
            em_history *history;
            em_row row = row_of(10);
            bool done = em_history_open(&em_sys_native, &options, &history, &b->err) == EM_OK &&
                        em_history_add(history, &row, false, &b->err) == EM_OK;
            em_history_close(history);
            _exit(done ? 0 : 1);
        }
    }
    for (int i = 0; i < MANY; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    em_history *history = must_open(b, &em_sys_native, EM_SYNC_OFF);
    assert_int_equal(rows_of(b, history), MANY);
    em_history_close(history);
}

static void test_the_file_system_cannot_be_asked(void **state)
{
    static const char *const calls[] = {"filesystem", "open"};
    bench *b = *state;
    scratch_folder(b->base, "state");
    em_history_options options = options_of(b, EM_SYNC_OFF);
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        em_history *history;
        trap_set(&b->trap, (trap){.call = calls[i], .about = "", .error = EIO});
        check_status(calls[i], em_history_open(&b->trap.sys, &options, &history, &b->err), EM_E_IO);
        check_detail(b, "Input/output");
        bench_disarm(b);
    }
}

/* ---- Syncs ----------------------------------------------------------------------------------- */

/* What became of a change is made durable later, with the next one, or at the end. */
static void test_settling(void **state)
{
    bench *b = *state;
    em_history *history = must_open(b, &b->trap.sys, EM_SYNC_FULL);
    em_row row = must_add(b, history, 0), gone = must_add(b, history, 0);
    trap *syncs = trap_set(&b->trap, (trap){.call = "sync", .about = "", .times = -1});
    assert_false(em_history_is_unsynced(history));
    row.state = EM_ROW_DONE;
    check_status("settle", em_history_settle(history, &row, false, &b->err), EM_OK);
    check_status("settle", em_history_settle(history, &gone, true, &b->err), EM_OK);
    assert_int_equal(syncs->caught, 0);
    assert_int_equal(rows_of(b, history), 1);
    assert_true(em_history_is_unsynced(history));
    check_status("sync", em_history_sync(history, &b->err), EM_OK);
    check_status("sync", em_history_sync(history, &b->err), EM_OK);
    assert_int_equal(syncs->caught, 1);

    check_status("settle", em_history_settle(history, &row, false, &b->err), EM_OK);
    must_add(b, history, 0);
    assert_int_equal(syncs->caught, 2);
    assert_false(em_history_is_unsynced(history));

    check_status("settle", em_history_settle(history, &row, false, &b->err), EM_OK);
    em_history_close(history);
    assert_int_equal(syncs->caught, 3);
    assert_false(em_history_is_unsynced(NULL));
}

static void test_settling_unsynced(void **state)
{
    static const em_sync settings[] = {EM_SYNC_DATA, EM_SYNC_OFF};
    bench *b = *state;
    for (size_t i = 0; i < COUNT_OF(settings); i++) {
        em_history *history = must_open(b, &b->trap.sys, settings[i]);
        em_row row = must_add(b, history, 0);
        bench_disarm(b);
        trap *syncs = trap_set(&b->trap, (trap){.call = "sync", .about = "", .times = -1});
        check_status("settle", em_history_settle(history, &row, false, &b->err), EM_OK);
        assert_false(em_history_is_unsynced(history));
        em_history_close(history);
        assert_int_equal(syncs->caught, 0);
    }
}

static void test_a_sync_that_fails(void **state)
{
    bench *b = *state;
    em_history *history = must_open(b, &b->trap.sys, EM_SYNC_FULL);
    em_row row = must_add(b, history, 0);
    check_status("settle", em_history_settle(history, &row, false, &b->err), EM_OK);
    trap_set(&b->trap, (trap){.call = "sync", .about = LOG, .error = EIO});
    check_status("sync", em_history_sync(history, &b->err), EM_E_IO);
    check_detail(b, "Input/output");
    em_history_close(history);
}

/* It is told without the words of SQL. */
static void test_a_write_that_fails(void **state)
{
    bench *b = *state;
    em_history *history = must_open(b, &b->trap.sys, EM_SYNC_FULL);
    em_row row = row_of(0);
    trap_set(&b->trap, (trap){.call = "write", .about = LOG, .error = EFBIG});
    check_status("add", em_history_add(history, &row, false, &b->err), EM_E_IO);
    assert_string_equal(b->err.detail, "the history cannot be written: File too large");

    /* Where there is no room is told: it need not be where the file is. */
    char want[SCRATCH_PATH + 128];
    trap_set(&b->trap, (trap){.call = "write", .about = LOG, .error = ENOSPC});
    check_status("no room", em_history_add(history, &row, false, &b->err), EM_E_IO);
    snprintf(want, sizeof want,
             "the history cannot be written: No space left on device (in the state directory %s)",
             b->state);
    assert_string_equal(b->err.detail, want);
    assert_int_equal(b->err.cause, EM_CAUSE_STATE_DIR);
    em_history_close(history);
}

/* ---- The size of the log --------------------------------------------------------------------- */

static void test_the_log_does_not_grow(void **state)
{
    static const em_sync settings[] = {EM_SYNC_OFF, EM_SYNC_DATA};
    bench *b = *state;
    for (size_t i = 0; i < COUNT_OF(settings); i++) {
        em_history *history = must_open(b, &em_sys_native, settings[i]);
        long most = 0;
        for (int n = 0; n < 400; n++) {
            must_add(b, history, 10);
            long size = size_of(b, LOG);
            most = size > most ? size : most;
        }
        assert_true(most > LOG_HEAD + EM_DATABASE_LOG_MOST * 9L / 10 * FRAME);
        assert_true(most < LOG_HEAD + (EM_DATABASE_LOG_MOST + 20L) * FRAME);
        int rows = rows_of(b, history);
        for (; history->log_pages <= EM_DATABASE_LOG_LEFT; rows++)
            must_add(b, history, 10);
        em_history_close(history);
        assert_int_equal(size_of(b, LOG), 0);
        history = must_open(b, &em_sys_native, settings[i]);
        assert_int_equal(rows_of(b, history), rows);
        em_history_close(history);
    }
}

/* A short one is left for the next, and a large one is given back. */
static void test_the_log_that_is_left(void **state)
{
    bench *b = *state;
    em_history *history = must_open(b, &em_sys_native, EM_SYNC_OFF);
    must_add(b, history, 10);
    em_history_close(history);
    assert_true(size_of(b, LOG) > 0);
    history = must_open(b, &em_sys_native, EM_SYNC_OFF);
    assert_int_equal(rows_of(b, history), 1);
    for (int i = 0; i < 10; i++)
        must_add(b, history, 64 << 10);
    em_database_give_back(history);
    assert_int_equal(size_of(b, LOG), 0);
    assert_int_equal(rows_of(b, history), 11);
    em_history_close(history);
}

/* Somebody still reads what the log has: it goes over another time, and nobody waits. */
static void test_a_reader_in_the_way(void **state)
{
    bench *b = *state;
    em_history *history = must_open(b, &b->trap.sys, EM_SYNC_OFF);
    em_history *reader = must_open(b, &em_sys_native, EM_SYNC_OFF);
    check_status("begin", em_database_run(reader, "BEGIN; SELECT * FROM commits", &b->err), EM_OK);
    trap *sleeps = trap_set(&b->trap, (trap){.call = "sleep", .about = "", .times = -1});
    for (int n = 0; n < 200; n++)
        must_add(b, history, 10);
    assert_true(size_of(b, LOG) > EM_DATABASE_LOG_LEFT * (long)FRAME);
    em_history_close(history);
    assert_true(size_of(b, LOG) > EM_DATABASE_LOG_LEFT * (long)FRAME);
    assert_int_equal(sleeps->caught, 0);
    check_status("end", em_database_run(reader, "COMMIT", &b->err), EM_OK);
    assert_int_equal(rows_of(b, reader), 200);
    em_history_close(reader);
}

/* ---- Waiting --------------------------------------------------------------------------------- */

static void let_go(void *context)
{
    em_history *other = context;
    em_database_run(other, "COMMIT", NULL);
}

/* The other is as good as one of another process, since it does not ask for its turn. */
static void test_waiting_for_another_process(void **state)
{
    bench *b = *state;
    em_history *history = must_open(b, &b->trap.sys, EM_SYNC_OFF);
    em_history *other = must_open(b, &em_sys_native, EM_SYNC_OFF);
    em_row row = row_of(10);
    check_status("begin", em_database_run(other, "BEGIN IMMEDIATE", &b->err), EM_OK);
    trap *sleeps = trap_set(&b->trap, (trap){.call = "sleep", .about = "", .times = -1});
    check_status("busy", em_history_add(history, &row, false, &b->err), EM_E_TIMEOUT);
    assert_int_equal(sleeps->caught, 20 + 8); /* milliseconds, and the first ones */
    bench_disarm(b);
    sleeps =
        trap_set(&b->trap,
                 (trap){.call = "sleep", .about = "", .skip = 3, .hook = let_go, .context = other});
    check_status("free", em_history_add(history, &row, false, &b->err), EM_OK);
    assert_true(sleeps->caught == 1);
    em_history_close(history);
    em_history_close(other);
}

static void test_waiting_for_the_turn(void **state)
{
    bench *b = *state;
    em_history *history = must_open(b, &b->trap.sys, EM_SYNC_OFF);
    em_history *other = must_open(b, &em_sys_native, EM_SYNC_OFF);
    em_row row = row_of(10);
    check_status("begin", em_history_begin(other, &b->err), EM_OK);
    trap *sleeps = trap_set(&b->trap, (trap){.call = "sleep", .about = "", .times = -1});
    check_status("busy", em_history_add(history, &row, false, &b->err), EM_E_TIMEOUT);
    check_detail(b, "in use by others");
    assert_int_equal(rows_of(b, history), 0); /* reading waits for nobody */
    check_status("end", em_history_end(other, EM_OK, &b->err), EM_OK);
    check_status("free", em_history_add(history, &row, false, &b->err), EM_OK);
    check_status("begin", em_history_begin(other, &b->err), EM_OK);
    em_history_close(other); /* within its turn */
    check_status("free", em_history_add(history, &row, false, &b->err), EM_OK);
    assert_int_equal(sleeps->caught, 0);
    em_history_close(history);
}

/* ---- Reading only ---------------------------------------------------------------------------- */

static int open_reading(void *context, int dir, const char *path, int flags, mode_t mode,
                        int resolve)
{
    if (flags & (O_RDWR | O_WRONLY | O_CREAT))
        return -EROFS;
    return em_sys_native.open(context, dir, path, flags, mode, resolve);
}

static void test_where_nothing_may_be_written(void **state)
{
    bench *b = *state;
    em_sys reading = em_sys_native, nfs = em_sys_native;
    reading.open = open_reading;
    nfs.filesystem = on_nfs;
    const em_sys *systems[] = {&em_sys_native, &nfs};
    for (size_t i = 0; i < COUNT_OF(systems); i++) {
        em_history *history = must_open(b, systems[i], EM_SYNC_FULL);
        em_row row = must_add(b, history, 10);
        em_history_close(history);
        history = must_open(b, &reading, EM_SYNC_FULL);
        assert_int_equal(rows_of(b, history), i + 1);
        check_status("mark", em_history_mark(history, &row, &b->err), EM_E_IO);
        em_history_close(history);
    }
}

/* The first reason counts: that it is missing is no news, since it would be made. */
static void test_where_none_may_be_made(void **state)
{
    bench *b = *state;
    em_sys reading = em_sys_native;
    reading.open = open_reading;
    scratch_folder(b->base, "state");
    em_history_options options = options_of(b, EM_SYNC_FULL);
    em_history *history;
    check_status("open", em_history_open(&reading, &options, &history, &b->err), EM_E_PERMISSION);
    check_detail(b, "Read-only file system");
}

/* Who runs it can name another state directory, and is told to. */
static void test_one_of_a_newer_emend(void **state)
{
    bench *b = *state;
    em_history *history = must_open(b, &em_sys_native, EM_SYNC_OFF);
    assert_int_equal(sqlite3_exec(history->db, "PRAGMA user_version=99", NULL, NULL, NULL),
                     SQLITE_OK);
    em_history_close(history);
    em_history_options options = options_of(b, EM_SYNC_OFF);
    check_status("open", em_history_open(&em_sys_native, &options, &history, &b->err), EM_E_IO);
    check_detail(b, "was made by a newer emend (version 99 of its form, ");
    check_detail(b, b->state);
    assert_int_equal(b->err.cause, EM_CAUSE_STATE_DIR);
}

/* ---- The name -------------------------------------------------------------------------------- */

static void put_away(const bench *b, const char *name)
{
    char from[SCRATCH_PATH], to[SCRATCH_PATH];
    snprintf(from, sizeof from, "%s", scratch_path(b->state, name));
    snprintf(to, sizeof to, "%s", scratch_path(b->base, name));
    assert_int_equal(rename(from, to), 0);
}

static void check_lost(bench *b, em_history *history)
{
    b->err = EM_ERROR_INIT;
    check_status("lost", em_history_check_name(history, &b->err), EM_E_IO);
    assert_string_equal(b->err.detail, "the history was moved or removed since emend was started: "
                                       "start it again");
}

/* With a log SQLite itself would not notice. */
static void test_what_lost_its_name(void **state)
{
    bench *b = *state;
    em_sys nfs = em_sys_native;
    nfs.filesystem = on_nfs;
    const em_sys *systems[] = {&em_sys_native, &nfs};
    for (size_t i = 0; i < COUNT_OF(systems); i++) {
        em_history *history = must_open(b, systems[i], EM_SYNC_OFF);
        must_add(b, history, 0);
        check_status("there", em_history_check_name(history, &b->err), EM_OK);
        put_away(b, EM_HISTORY_NAME);
        check_lost(b, history);
        scratch_put(b->state, EM_HISTORY_NAME, "");
        check_lost(b, history);
        put_away(b, EM_HISTORY_NAME);
        em_history_close(history);
        put_away(b, i == 0 ? LOG : JOURNAL);
    }
}

/* Who comes then makes others, and knows neither what goes to the old ones nor that they are
 * locked. What was in the log alone is gone with it. */
static void test_files_beside_it_lost_their_names(void **state)
{
    bench *b = *state;
    for (int with_log = 0; with_log < 2; with_log++) {
        em_history *history = must_open(b, &em_sys_native, EM_SYNC_OFF);
        must_add(b, history, 0);
        int there = rows_of(b, history);
        check_status("there", em_history_check_name(history, &b->err), EM_OK);
        put_away(b, with_log ? LOG : MEMORY);
        check_lost(b, history);
        if (with_log)
            put_away(b, MEMORY);
        em_history *other = must_open(b, &em_sys_native, EM_SYNC_OFF);
        must_add(b, other, 1);
        int since = rows_of(b, other);
        assert_int_equal(since, with_log ? 1 : there + 1); /* the log alone had the others */
        em_database_give_back(history);
        em_history_close(history);
        assert_int_equal(rows_of(b, other), since);
        check_status("of the other", em_history_check_name(other, &b->err), EM_OK);
        em_history_close(other);
    }
}

/* The shared memory tells whoever comes of a log that is longer than the one that is there. */
static void test_the_log_alone_lost_its_name(void **state)
{
    bench *b = *state;
    em_history *history = must_open(b, &em_sys_native, EM_SYNC_OFF), *other = NULL;
    em_history_options options = options_of(b, EM_SYNC_OFF);
    must_add(b, history, 0);
    put_away(b, LOG);
    check_status("open", em_history_open(&em_sys_native, &options, &other, &b->err), EM_E_IO);
    check_detail(b, "was removed or cut while an emend uses it: end each one that runs");
    em_history_close(history);
}

static void test_the_folder_lost_its_name(void **state)
{
    bench *b = *state;
    em_history *history = must_open(b, &em_sys_native, EM_SYNC_OFF);
    assert_int_equal(rename(b->state, scratch_path(b->base, "aside")), 0);
    check_lost(b, history);
    em_history_close(history);
}

/* Where it cannot be looked at that is told, and nothing else. */
static void test_the_name_cannot_be_looked_at(void **state)
{
    static const trap_case cases[] = {
        {"stat", "$/" EM_HISTORY_NAME, 0, EIO, EM_E_IO},
        {"stat", EM_HISTORY_NAME, 1, EIO, EM_E_IO},
    };
    bench *b = *state;
    em_history *history = must_open(b, &b->trap.sys, EM_SYNC_OFF);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        trap *caught = trap_set_case(&b->trap, &cases[i]);
        check_case(b, &cases[i], caught, em_history_check_name(history, &b->err));
        assert_string_equal(b->err.detail, "the history cannot be used: Input/output error");
        bench_disarm(b);
    }
    em_history_close(history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_a_log_only_where_memory_is_shared),
        BENCH_TEST(test_settling_without_a_log),
        BENCH_TEST(test_a_hot_journal_of_before),
        BENCH_TEST(test_opened_by_many_at_once),
        BENCH_TEST(test_the_file_system_cannot_be_asked),
        BENCH_TEST(test_settling),
        BENCH_TEST(test_settling_unsynced),
        BENCH_TEST(test_a_sync_that_fails),
        BENCH_TEST(test_a_write_that_fails),
        BENCH_TEST(test_the_log_does_not_grow),
        BENCH_TEST(test_the_log_that_is_left),
        BENCH_TEST(test_a_reader_in_the_way),
        BENCH_TEST(test_waiting_for_another_process),
        BENCH_TEST(test_waiting_for_the_turn),
        BENCH_TEST(test_where_nothing_may_be_written),
        BENCH_TEST(test_where_none_may_be_made),
        BENCH_TEST(test_one_of_a_newer_emend),
        BENCH_TEST(test_what_lost_its_name),
        BENCH_TEST(test_the_log_alone_lost_its_name),
        BENCH_TEST(test_files_beside_it_lost_their_names),
        BENCH_TEST(test_the_folder_lost_its_name),
        BENCH_TEST(test_the_name_cannot_be_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

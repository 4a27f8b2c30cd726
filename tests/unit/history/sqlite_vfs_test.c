#include "history/sqlite_vfs.h"

#include "faulty.h"

#include <errno.h>
#include <limits.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

typedef struct bench {
    faulty in;
    char path[SCRATCH_PATH], journal[SCRATCH_PATH];
    em_sqlite_vfs *vfs;   /* over the faulty table */
    em_sqlite_vfs *sound; /* over the native one */
} bench;

static int setup(void **state)
{
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    faulty_open(&b->in, scratch_new_in_memory);
    strcpy(b->path, scratch_path(b->in.folder, "db"));
    strcpy(b->journal, scratch_path(b->in.folder, "db-journal"));
    check_status("vfs", em_sqlite_vfs_new(&b->in.table.sys, true, &b->vfs), EM_OK);
    check_status("vfs", em_sqlite_vfs_new(&em_sys_native, true, &b->sound), EM_OK);
    *state = b;
    return 0;
}

static int teardown(void **state)
{
    bench *b = *state;
    em_sqlite_vfs_free(b->vfs);
    em_sqlite_vfs_free(b->sound);
    faulty_close(&b->in);
    free(b);
    return 0;
}

/* ---- SQL ------------------------------------------------------------------------------------- */

static int open_db(const em_sqlite_vfs *vfs, const char *path, sqlite3 **db)
{
    return sqlite3_open_v2(path, db, SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE,
                           em_sqlite_vfs_name(vfs));
}

static int run(sqlite3 *db, const char *sql)
{
    return sqlite3_exec(db, sql, NULL, NULL, NULL);
}

static void must_run(sqlite3 *db, const char *sql)
{
    if (run(db, sql) != SQLITE_OK)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
}

static sqlite3 *must_open(const em_sqlite_vfs *vfs, const char *path)
{
    sqlite3 *db;
    assert_int_equal(open_db(vfs, path, &db), SQLITE_OK);
    must_run(db, "PRAGMA temp_store = MEMORY");
    return db;
}

static void must_close(sqlite3 *db)
{
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

/* The first column of the first row as text. */
static void check_value(sqlite3 *db, const char *sql, const char *want)
{
    sqlite3_stmt *statement;
    int code = sqlite3_prepare_v2(db, sql, -1, &statement, NULL);
    if (code != SQLITE_OK || sqlite3_step(statement) != SQLITE_ROW)
        fail_msg("%s: %s", sql, sqlite3_errmsg(db));
    assert_string_equal((const char *)sqlite3_column_text(statement, 0), want);
    sqlite3_finalize(statement);
}

/* Rows that fill some pages, all at the same step; a step changes them all in one transaction, with
 * so small a cache that pages are written before the commit. */
static const char make_rows[] =
    "PRAGMA page_size = 1024;"
    "CREATE TABLE t (id INTEGER PRIMARY KEY, step INTEGER, pad BLOB);"
    "WITH n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 12)"
    "INSERT INTO t SELECT i, 0, zeroblob(500) FROM n";
static const char next_step[] =
    "PRAGMA cache_size = 4; BEGIN IMMEDIATE;"
    "UPDATE t SET step = step + 1, pad = CAST(printf('%0*d', 500 + 300 * (id % 2), id) AS BLOB);"
    "COMMIT";

static void make_db(bench *b)
{
    sqlite3 *db = must_open(b->sound, b->path);
    must_run(db, make_rows);
    must_close(db);
}

/* It gets a write-ahead log. */
static void set_log(bench *b)
{
    sqlite3 *db = must_open(b->sound, b->path);
    check_value(db, "PRAGMA journal_mode = WAL", "wal");
    must_close(db);
}

static int open_reading(void *context, int dir, const char *path, int flags, mode_t mode,
                        int resolve)
{
    if (flags & (O_RDWR | O_WRONLY | O_CREAT))
        return -EROFS;
    return em_sys_native.open(context, dir, path, flags, mode, resolve);
}

/* Does the journal ask for a rollback? One that was never synced begins with zeros. */
static bool journal_is_hot(const bench *b)
{
    char first = 0;
    int fd = open(b->journal, O_RDONLY | O_CLOEXEC);
    bool hot = fd >= 0 && read(fd, &first, 1) == 1 && first != 0;
    if (fd >= 0)
        close(fd);
    return hot;
}

/* The database is whole, and settled; the step that all rows are at. */
static int step_of(const bench *b)
{
    sqlite3 *db = must_open(b->sound, b->path);
    sqlite3_stmt *statement;
    check_value(db, "PRAGMA integrity_check", "ok");
    check_value(db, "SELECT count(DISTINCT step) || ' ' || count(*) FROM t", "1 12");
    assert_int_equal(sqlite3_prepare_v2(db, "SELECT step FROM t", -1, &statement, NULL), SQLITE_OK);
    assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
    int step = sqlite3_column_int(statement, 0);
    sqlite3_finalize(statement);
    must_close(db);
    assert_false(journal_is_hot(b));
    return step;
}

/* ---- Plain use ------------------------------------------------------------------------------- */

static void test_a_database_is_kept(void **state)
{
    bench *b = *state;
    sqlite3 *db = must_open(b->vfs, b->path);
    check_value(db, "PRAGMA journal_mode", "delete");
    must_run(db, make_rows);
    must_run(db, next_step);
    must_run(db, "BEGIN; UPDATE t SET step = 7; DELETE FROM t WHERE id > 3; ROLLBACK");
    must_run(db, "BEGIN; UPDATE t SET step = 8 WHERE id = 1; SAVEPOINT s; UPDATE t SET step = 9;"
                 "ROLLBACK TO s; UPDATE t SET step = 1 WHERE id = 1; COMMIT");
    must_close(db);
    assert_int_equal(step_of(b), 1);

    struct stat st;
    assert_int_equal(stat(b->path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
}

static void test_all_that_needs_room_stays_in_memory(void **state)
{
    bench *b = *state;
    make_db(b);
    sqlite3 *db = must_open(b->vfs, b->path);
    must_run(db, "PRAGMA cache_size = 4; BEGIN; SAVEPOINT s;"
                 "WITH n (i) AS (VALUES (100) UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
                 "INSERT INTO t SELECT i, 0, randomblob(500) FROM n; ROLLBACK TO s; COMMIT;"
                 "CREATE INDEX sorted ON t (pad, step); VACUUM");
    must_run(db, "PRAGMA temp_store = FILE; CREATE TEMP TABLE x (a);");
    assert_int_equal(run(db,
                         "PRAGMA temp.cache_size = 1;"
                         "WITH n (i) AS (VALUES (1) UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
                         "INSERT INTO x SELECT randomblob(500) FROM n"),
                     SQLITE_CANTOPEN);
    must_close(db);
    assert_int_equal(step_of(b), 0);
}

static void test_journals_that_stay(void **state)
{
    static const char *const modes[] = {"truncate", "persist", "delete"};
    bench *b = *state;
    make_db(b);
    for (size_t i = 0; i < COUNT_OF(modes); i++) {
        char sql[64];
        sqlite3 *db = must_open(b->vfs, b->path);
        snprintf(sql, sizeof sql, "PRAGMA journal_mode = %s", modes[i]);
        check_value(db, sql, modes[i]);
        must_run(db, next_step);
        must_close(db);
        unlink(b->journal); /* which is settled, and says nothing any more */
        assert_int_equal(step_of(b), i + 1);
    }
}

/* Where memory cannot be shared there is no write-ahead log, unless the database is had alone. */
static void test_write_ahead_logs_need_shared_memory(void **state)
{
    bench *b = *state;
    em_sqlite_vfs *alone;
    make_db(b);
    check_status("vfs", em_sqlite_vfs_new(&b->in.table.sys, false, &alone), EM_OK);
    sqlite3 *db = must_open(alone, b->path);
    check_value(db, "PRAGMA journal_mode = WAL", "delete");
    must_close(db);
    set_log(b);
    db = must_open(alone, b->path);
    assert_int_equal(run(db, "SELECT * FROM t"), SQLITE_CANTOPEN);
    must_close(db);
    db = must_open(alone, b->path);
    must_run(db, "PRAGMA locking_mode = EXCLUSIVE");
    check_value(db, "PRAGMA journal_mode = PERSIST", "persist");
    must_close(db);
    em_sqlite_vfs_free(alone);
    assert_int_equal(step_of(b), 0);
}

/* SQLite's own file methods and these meet at the same database. */
static void test_with_sqlites_own(void **state)
{
    bench *b = *state;
    sqlite3 *own;
    make_db(b);
    set_log(b);
    sqlite3 *db = must_open(b->vfs, b->path);
    must_run(db, next_step);
    assert_int_equal(sqlite3_open(b->path, &own), SQLITE_OK);
    check_value(own, "SELECT max(step) FROM t", "1");
    must_run(own, next_step);
    check_value(db, "SELECT max(step) FROM t", "2");
    must_run(own, "BEGIN IMMEDIATE");
    assert_int_equal(run(db, "BEGIN IMMEDIATE"), SQLITE_BUSY);
    must_run(own, "COMMIT");
    must_run(db, "BEGIN IMMEDIATE");
    assert_int_equal(run(own, "BEGIN IMMEDIATE"), SQLITE_BUSY);
    must_close(own); /* it is not the last one */
    must_run(db, "COMMIT");
    must_run(db, next_step);
    must_close(db);
    assert_int_equal(step_of(b), 3);
}

/* A log of a process that died is read again, whatever the shared memory holds. */
static void test_shared_memory_of_the_dead(void **state)
{
    bench *b = *state;
    char garbage[64 << 10];
    make_db(b);
    set_log(b);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        sqlite3 *db;
        bool done = open_db(b->sound, b->path, &db) == SQLITE_OK && run(db, next_step) == SQLITE_OK;
        _exit(done ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    memset(garbage, 'g', sizeof garbage - 1);
    garbage[sizeof garbage - 1] = '\0';
    scratch_put(b->in.folder, "db-shm", garbage);
    assert_int_equal(step_of(b), 1);
}

/* Where nothing may be written, and nobody does, the log is read by each for itself. */
static void test_a_log_that_can_only_be_read(void **state)
{
    bench *b = *state;
    em_sys reading = em_sys_native;
    em_sqlite_vfs *reader;
    reading.open = open_reading;
    check_status("vfs", em_sqlite_vfs_new(&reading, true, &reader), EM_OK);
    make_db(b);
    set_log(b);
    sqlite3 *writer = must_open(b->sound, b->path);
    must_run(writer, next_step);
    sqlite3 *db = must_open(reader, b->path); /* beside a writer: with its shared memory */
    check_value(db, "SELECT max(step) FROM t", "1");
    must_run(writer, next_step);
    check_value(db, "SELECT max(step) FROM t", "2");
    assert_int_equal(run(db, next_step), SQLITE_READONLY);
    must_close(db);
    sqlite3_db_config(writer, SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1, NULL);
    must_close(writer);
    for (int i = 0; i < 2; i++) {
        db = must_open(reader, b->path);
        check_value(db, "SELECT max(step) FROM t", "2");
        must_close(db);
        unlink(scratch_path(b->in.folder, "db-shm")); /* it is not needed either */
    }
    em_sqlite_vfs_free(reader);
    assert_int_equal(step_of(b), 2);
}

static void test_several_at_once(void **state)
{
    bench *b = *state;
    em_sqlite_vfs *third;
    check_status("third", em_sqlite_vfs_new(&em_sys_native, true, &third), EM_OK);
    assert_string_not_equal(em_sqlite_vfs_name(third), em_sqlite_vfs_name(b->vfs));
    assert_string_not_equal(em_sqlite_vfs_name(third), em_sqlite_vfs_name(b->sound));
    sqlite3 *one = must_open(b->vfs, b->path), *other = must_open(third, b->path);
    must_run(one, "CREATE TABLE x (a); INSERT INTO x VALUES (1)");
    check_value(other, "SELECT a FROM x", "1");
    must_close(one);
    must_close(other);
    char name[64];
    snprintf(name, sizeof name, "%s", em_sqlite_vfs_name(third));
    em_sqlite_vfs_free(third);
    assert_null(sqlite3_vfs_find(name));
    assert_non_null(sqlite3_vfs_find(em_sqlite_vfs_name(b->sound)));
    em_sqlite_vfs_free(NULL);
}

static void *no_memory(int size)
{
    (void)size;
    return NULL;
}

static void test_memory_may_end(void **state)
{
    em_sqlite_vfs *vfs;
    sqlite3_mem_methods sound, broken;
    (void)state;
    memory_ends_at(1);
    em_status status = em_sqlite_vfs_new(&em_sys_native, true, &vfs);
    memory_ends_at(0);
    check_status("ours", status, EM_E_NOMEM);
    assert_null(vfs);

    assert_int_equal(sqlite3_shutdown(), SQLITE_OK);
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &sound), SQLITE_OK);
    broken = sound;
    broken.xMalloc = no_memory;
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_MALLOC, &broken), SQLITE_OK);
    check_status("SQLite's", em_sqlite_vfs_new(&em_sys_native, true, &vfs), EM_E_NOMEM);
    assert_null(vfs);
    assert_int_equal(sqlite3_config(SQLITE_CONFIG_MALLOC, &sound), SQLITE_OK);
    assert_int_equal(sqlite3_initialize(), SQLITE_OK);
}

/* ---- Locks ----------------------------------------------------------------------------------- */

/* What a second connection of the same process, and a third of another VFS, may do meanwhile. */
static void test_connections_exclude_each_other(void **state)
{
    static const struct {
        const char *holder;
        int reads, writes, finds_reserved;
    } cases[] = {
        {"BEGIN; SELECT * FROM t", SQLITE_OK, SQLITE_OK, 0},
        {"BEGIN IMMEDIATE", SQLITE_OK, SQLITE_BUSY, 1},
        {"BEGIN EXCLUSIVE", SQLITE_BUSY, SQLITE_BUSY, 1},
        {"BEGIN; UPDATE t SET step = 1", SQLITE_OK, SQLITE_BUSY, 1},
    };
    bench *b = *state;
    make_db(b);
    const em_sqlite_vfs *others[] = {b->vfs, b->sound};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (size_t j = 0; j < COUNT_OF(others); j++) {
            sqlite3 *holder = must_open(b->vfs, b->path), *other = must_open(others[j], b->path);
            sqlite3_file *file;
            int reserved = -1;
            check_value(other, "SELECT count(*) FROM t", "12");
            must_run(holder, cases[i].holder);
            assert_int_equal(run(other, "SELECT * FROM t"), cases[i].reads);
            assert_int_equal(run(other, "BEGIN IMMEDIATE"), cases[i].writes);
            sqlite3_exec(other, "ROLLBACK", NULL, NULL, NULL);
            sqlite3_file_control(other, "main", SQLITE_FCNTL_FILE_POINTER, &file);
            assert_int_equal(file->pMethods->xCheckReservedLock(file, &reserved), SQLITE_OK);
            assert_int_equal(reserved, cases[i].finds_reserved);
            must_run(holder, "ROLLBACK");
            must_run(other, "BEGIN IMMEDIATE; ROLLBACK");
            must_close(holder);
            must_close(other);
        }
    }
}

/* A writer that waits for readers lets no new ones in, and goes on once they are gone. */
static void test_a_waiting_writer_keeps_readers_out(void **state)
{
    bench *b = *state;
    make_db(b);
    sqlite3 *writer = must_open(b->vfs, b->path), *reader = must_open(b->vfs, b->path);
    sqlite3 *late = must_open(b->vfs, b->path);
    must_run(reader, "BEGIN; SELECT * FROM t");
    must_run(writer, "BEGIN; UPDATE t SET step = 1");
    assert_int_equal(run(writer, "COMMIT"), SQLITE_BUSY);
    assert_int_equal(run(late, "SELECT * FROM t"), SQLITE_BUSY);
    must_run(reader, "SELECT * FROM t; COMMIT");
    must_run(writer, "COMMIT");
    check_value(late, "SELECT max(step) FROM t", "1");
    must_close(writer);
    must_close(reader);
    must_close(late);
    assert_int_equal(step_of(b), 1);
}

enum { PROCESSES = 2, INCREMENTS = 200 };

static _Noreturn void increment(const char *path)
{
    em_sqlite_vfs *vfs;
    sqlite3 *db;
    bool works = em_sqlite_vfs_new(&em_sys_native, true, &vfs) == EM_OK;
    works = works && open_db(vfs, path, &db) == SQLITE_OK;
    works = works && sqlite3_busy_timeout(db, 20000) == SQLITE_OK;
    works = works && run(db, "PRAGMA synchronous = OFF") == SQLITE_OK;
    for (int i = 0; works && i < INCREMENTS; i++)
        works = run(db, "BEGIN IMMEDIATE; UPDATE x SET a = a + 1; COMMIT") == SQLITE_OK;
    _exit(works ? 0 : 1);
}

static void test_no_update_is_lost(void **state)
{
    bench *b = *state;
    pid_t children[PROCESSES];
    sqlite3 *db = must_open(b->sound, b->path);
    must_run(db, "CREATE TABLE x (a); INSERT INTO x VALUES (0)");
    must_close(db);
    for (int i = 0; i < PROCESSES; i++) {
        children[i] = fork();
        assert_true(children[i] >= 0);
        if (children[i] == 0)
            increment(b->path);
    }
    for (int i = 0; i < PROCESSES; i++) {
        int status;
        assert_int_equal(waitpid(children[i], &status, 0), children[i]);
        assert_int_equal(status, 0);
    }
    db = must_open(b->sound, b->path);
    check_value(db, "SELECT a FROM x", "400");
    must_close(db);
}

/* ---- Faults ---------------------------------------------------------------------------------- */

/* Open, take the next step, close; whether the step was reported as done. */
static bool take_step(const bench *b)
{
    sqlite3 *db;
    bool done = open_db(b->vfs, b->path, &db) == SQLITE_OK && run(db, next_step) == SQLITE_OK;
    sqlite3_close(db);
    return done;
}

/* Every call in turn fails. What was reported as done is done; what was not is there wholly or not
 * at all. */
static void let_every_call_fail(bench *b)
{
    static const int errors[] = {EIO, ENOSPC};
    for (size_t i = 0; i < COUNT_OF(errors); i++) {
        int refusals = 0;
        for (long at = 1;; at++) {
            int before = step_of(b), descriptors = scratch_descriptors();
            faulty_strike(&b->in, FAULT_ERROR, at, errors[i]);
            bool done = take_step(b);
            if (!b->in.table.hit)
                break;
            if (!done)
                assert_int_equal(em_sqlite_vfs_errno(b->vfs), errors[i]);
            refusals += !done;
            assert_int_equal(scratch_descriptors(), descriptors);
            int after = step_of(b);
            if (after != before + 1 && (done || after != before))
                fail_msg("%s failed: step %d, then %d", b->in.table.hit_what, before, after);
        }
        assert_true(refusals > 30);
    }
}

static void test_every_call_may_fail(void **state)
{
    bench *b = *state;
    make_db(b);
    let_every_call_fail(b);
}

static void test_every_call_may_fail_with_a_log(void **state)
{
    bench *b = *state;
    make_db(b);
    set_log(b);
    let_every_call_fail(b);
}

static void test_signals_and_short_transfers_do_no_harm(void **state)
{
    bench *b = *state;
    make_db(b);
    b->in.table.stutters = true;
    b->in.table.transfer = 100;
    assert_true(take_step(b));
    assert_int_equal(step_of(b), 1);
}

static void die(void *context)
{
    (void)context;
    _exit(9);
}

/* The process ends at every call in turn. The next one to open the database finds the step taken or
 * not, and taken if it was reported. */
static int let_every_call_be_the_last(bench *b)
{
    int hot = 0, status = 0;
    for (long at = 1; status == 0 || WEXITSTATUS(status) == 9; at++) {
        int before = step_of(b), told[2];
        char byte = 0;
        faulty_strike(&b->in, FAULT_HOOK, at, 0);
        b->in.table.fault.hook = die;
        assert_int_equal(pipe2(told, O_CLOEXEC), 0);
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            if (take_step(b))
                (void)!write(told[1], "d", 1);
            _exit(b->in.table.hit ? 1 : 2);
        }
        close(told[1]);
        assert_int_equal(waitpid(child, &status, 0), child);
        bool done = read(told[0], &byte, 1) == 1;
        close(told[0]);
        hot += journal_is_hot(b);
        int after = step_of(b);
        assert_true(after == before + 1 || (!done && after == before));
    }
    assert_int_equal(WEXITSTATUS(status), 2); /* the last one went through */
    return hot;
}

static void test_every_call_may_be_the_last(void **state)
{
    bench *b = *state;
    make_db(b);
    assert_true(let_every_call_be_the_last(b) > 20);
}

static void test_every_call_may_be_the_last_with_a_log(void **state)
{
    bench *b = *state;
    make_db(b);
    set_log(b);
    assert_int_equal(let_every_call_be_the_last(b), 0);
}

/* A journal that cannot be looked for may be hot. */
static void test_a_journal_that_cannot_be_seen(void **state)
{
    bench *b = *state;
    make_db(b);
    sqlite3 *db = must_open(b->vfs, b->path);
    int refusals = 0;
    for (long at = 1; at <= 12; at++) {
        must_run(db, "PRAGMA cache_size = 0"); /* let go of what was read */
        faulty_strike(&b->in, FAULT_ERROR, at, EIO);
        int code = run(db, "SELECT * FROM t");
        if (!b->in.table.hit)
            break;
        if (b->in.table.hit_call == FAULT_ON_stat && strstr(b->in.table.hit_what, "db-journal")) {
            assert_int_equal(sqlite3_extended_errcode(db), SQLITE_IOERR_ACCESS);
            assert_int_equal(code, SQLITE_IOERR);
            assert_int_equal(sqlite3_system_errno(db), EIO);
            refusals++;
        }
    }
    assert_int_equal(refusals, 1);
    must_close(db);
}

/* ---- Methods --------------------------------------------------------------------------------- */

static sqlite3_vfs *methods(const bench *b)
{
    return sqlite3_vfs_find(em_sqlite_vfs_name(b->vfs));
}

static sqlite3_file *must_open_file(const bench *b, const char *path, int flags)
{
    sqlite3_file *file = malloc((size_t)methods(b)->szOsFile);
    assert_non_null(file);
    assert_int_equal(methods(b)->xOpen(methods(b), path, file, flags, NULL), SQLITE_OK);
    return file;
}

static void close_file(sqlite3_file *file)
{
    assert_int_equal(file->pMethods->xClose(file), SQLITE_OK);
    free(file);
}

enum { WRITABLE = SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE };

static void test_open_by_table(void **state)
{
    static const struct {
        const char *name;
        int flags, error; /* of the first call; 0: none */
        int want, granted;
    } cases[] = {
        {"file", WRITABLE, 0, SQLITE_OK, WRITABLE},
        {"file", SQLITE_OPEN_READWRITE, 0, SQLITE_OK, SQLITE_OPEN_READWRITE},
        {"none", SQLITE_OPEN_READWRITE, 0, SQLITE_CANTOPEN, 0},
        {"file", WRITABLE | SQLITE_OPEN_EXCLUSIVE, 0, SQLITE_CANTOPEN, 0},
        {"new", WRITABLE | SQLITE_OPEN_EXCLUSIVE, 0, SQLITE_OK, WRITABLE | SQLITE_OPEN_EXCLUSIVE},
        {"link", SQLITE_OPEN_READWRITE, 0, SQLITE_CANTOPEN, 0},
        {"file", SQLITE_OPEN_READONLY, 0, SQLITE_OK, SQLITE_OPEN_READONLY},
        /* what may not be written is opened to be read */
        {"file", WRITABLE, EACCES, SQLITE_OK, SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_READONLY},
        {"file", WRITABLE, EROFS, SQLITE_OK, SQLITE_OPEN_MAIN_DB | SQLITE_OPEN_READONLY},
        {"none", WRITABLE, EROFS, SQLITE_CANTOPEN, 0},
        {"file", SQLITE_OPEN_READONLY, EACCES, SQLITE_CANTOPEN, 0},
        {"file", WRITABLE, EMFILE, SQLITE_CANTOPEN, 0},
    };
    bench *b = *state;
    scratch_put(b->in.folder, "file", "x");
    scratch_link(b->in.folder, "link", "file");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        sqlite3_file *file = malloc((size_t)methods(b)->szOsFile);
        int granted = 0;
        faulty_strike(&b->in, cases[i].error ? FAULT_ERROR : FAULT_NONE, 1, cases[i].error);
        int code = methods(b)->xOpen(methods(b), scratch_path(b->in.folder, cases[i].name), file,
                                     cases[i].flags, &granted);
        if (code != cases[i].want || granted != cases[i].granted)
            fail_msg("case %zu: %d, granted %d", i, code, granted);
        if (code == SQLITE_OK) {
            close_file(file);
        } else {
            assert_null(file->pMethods);
            free(file);
        }
    }
    sqlite3_file nameless;
    assert_int_equal(methods(b)->xOpen(methods(b), NULL, &nameless, WRITABLE, NULL),
                     SQLITE_CANTOPEN);
    assert_null(nameless.pMethods);
}

static void test_reading_past_the_end(void **state)
{
    bench *b = *state;
    char out[8];
    sqlite3_int64 size;
    scratch_put(b->in.folder, "file", "abc");
    sqlite3_file *file = must_open_file(b, scratch_path(b->in.folder, "file"), WRITABLE);
    memset(out, 'x', sizeof out);
    assert_int_equal(file->pMethods->xRead(file, out, 4, 1), SQLITE_IOERR_SHORT_READ);
    assert_memory_equal(out, "bc\0\0xxxx", 8);
    assert_int_equal(file->pMethods->xRead(file, out, 4, 9), SQLITE_IOERR_SHORT_READ);
    assert_memory_equal(out, "\0\0\0\0xxxx", 8);
    assert_int_equal(file->pMethods->xWrite(file, "def", 3, 5), SQLITE_OK);
    assert_int_equal(file->pMethods->xRead(file, out, 8, 0), SQLITE_OK);
    assert_memory_equal(out, "abc\0\0def", 8);
    assert_int_equal(file->pMethods->xTruncate(file, 2), SQLITE_OK);
    assert_int_equal(file->pMethods->xFileSize(file, &size), SQLITE_OK);
    assert_int_equal(size, 2);
    close_file(file);
}

/* Each method of an open file says in its own words that the call beneath it failed. */
static void test_methods_of_files_that_fail(void **state)
{
    enum { EMPTY_JOURNAL = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE };
    bench *b = *state;
    char out[4];
    sqlite3_int64 size;
    int answer;
    sqlite3_file *file = must_open_file(b, scratch_path(b->in.folder, "j"), EMPTY_JOURNAL);
    const sqlite3_io_methods *m = file->pMethods;
    assert_int_equal(m->xWrite(file, "abcd", 4, 0), SQLITE_OK);
#define FAILS(error, call, code)                                                                   \
    do {                                                                                           \
        faulty_strike(&b->in, FAULT_ERROR, 1, error);                                              \
        assert_int_equal(call, code);                                                              \
        assert_int_equal(em_sqlite_vfs_errno(b->vfs), error);                                      \
        char unused[1];                                                                            \
        assert_int_equal(methods(b)->xGetLastError(methods(b), 1, unused), error);                 \
    } while (0)
    FAILS(EIO, m->xRead(file, out, 4, 0), SQLITE_IOERR_READ);
    FAILS(EFBIG, m->xWrite(file, "x", 1, 0), SQLITE_IOERR_WRITE);
    FAILS(ENOSPC, m->xWrite(file, "x", 1, 0), SQLITE_FULL);
    FAILS(EDQUOT, m->xWrite(file, "x", 1, 0), SQLITE_FULL);
    FAILS(EIO, m->xTruncate(file, 0), SQLITE_IOERR_TRUNCATE);
    FAILS(EIO, m->xFileSize(file, &size), SQLITE_IOERR_FSTAT);
    FAILS(EIO, m->xSync(file, SQLITE_SYNC_NORMAL), SQLITE_IOERR_FSYNC);
    FAILS(EIO, m->xSync(file, SQLITE_SYNC_FULL | SQLITE_SYNC_DATAONLY), SQLITE_IOERR_FSYNC);
    FAILS(ENOLCK, m->xCheckReservedLock(file, &answer), SQLITE_IOERR_CHECKRESERVEDLOCK);

    FAILS(ENOLCK, m->xLock(file, SQLITE_LOCK_SHARED), SQLITE_IOERR_LOCK);
    assert_int_equal(m->xLock(file, SQLITE_LOCK_SHARED), SQLITE_OK);
    FAILS(ENOLCK, m->xLock(file, SQLITE_LOCK_RESERVED), SQLITE_IOERR_LOCK);
    assert_int_equal(m->xLock(file, SQLITE_LOCK_RESERVED), SQLITE_OK);
    assert_int_equal(m->xCheckReservedLock(file, &answer), SQLITE_OK);
    assert_int_equal(answer, 1);
    FAILS(ENOLCK, m->xLock(file, SQLITE_LOCK_EXCLUSIVE), SQLITE_IOERR_LOCK);
    assert_int_equal(m->xLock(file, SQLITE_LOCK_EXCLUSIVE), SQLITE_OK);
    assert_int_equal(m->xLock(file, SQLITE_LOCK_SHARED), SQLITE_OK); /* has more already */
    FAILS(ENOLCK, m->xUnlock(file, SQLITE_LOCK_SHARED), SQLITE_IOERR_RDLOCK);
    faulty_strike(&b->in, FAULT_ERROR, 2, ENOLCK);
    assert_int_equal(m->xUnlock(file, SQLITE_LOCK_SHARED), SQLITE_IOERR_UNLOCK);
    FAILS(ENOLCK, m->xUnlock(file, SQLITE_LOCK_NONE), SQLITE_IOERR_UNLOCK);
    assert_int_equal(m->xUnlock(file, SQLITE_LOCK_NONE), SQLITE_OK);
    assert_int_equal(m->xUnlock(file, SQLITE_LOCK_SHARED), SQLITE_OK); /* has less already */

    /* the pending byte that stays locked keeps others out, so it must be told */
    faulty_strike(&b->in, FAULT_ERROR, 3, ENOLCK);
    assert_int_equal(m->xLock(file, SQLITE_LOCK_SHARED), SQLITE_IOERR_UNLOCK);
    assert_int_equal(m->xUnlock(file, SQLITE_LOCK_NONE), SQLITE_OK);
    faulty_strike(&b->in, FAULT_ERROR, 2, ENOLCK);
    assert_int_equal(m->xLock(file, SQLITE_LOCK_SHARED), SQLITE_IOERR_LOCK);

    faulty_strike(&b->in, FAULT_ERROR, 1, EIO);
    assert_int_equal(m->xClose(file), SQLITE_IOERR_CLOSE);
    free(file);
    file = must_open_file(b, scratch_path(b->in.folder, "j"), EMPTY_JOURNAL);
    faulty_strike(&b->in, FAULT_ERROR, 1, EINTR); /* closed all the same */
    close_file(file);
#undef FAILS
}

static int synced_folders, synced_files;

static int counting_sync(void *context, int fd, bool data_only)
{
    struct stat st;
    assert_int_equal(fstat(fd, &st), 0);
    S_ISDIR(st.st_mode) ? synced_folders++ : synced_files++;
    return em_sys_native.sync(context, fd, data_only);
}

static void check_syncs(int folders, int files)
{
    assert_int_equal(synced_folders, folders);
    assert_int_equal(synced_files, files);
    synced_folders = synced_files = 0;
}

/* Who wanted to write, found readers and gave up lets new readers in again. */
static void test_giving_up_an_exclusive_lock(void **state)
{
    bench *b = *state;
    sqlite3_file *files[3];
    for (size_t i = 0; i < COUNT_OF(files); i++)
        files[i] = must_open_file(b, b->path, WRITABLE);
    const sqlite3_io_methods *m = files[0]->pMethods;
    assert_int_equal(m->xLock(files[0], SQLITE_LOCK_SHARED), SQLITE_OK);
    assert_int_equal(m->xLock(files[1], SQLITE_LOCK_SHARED), SQLITE_OK);
    assert_int_equal(m->xLock(files[0], SQLITE_LOCK_EXCLUSIVE), SQLITE_BUSY);
    assert_int_equal(m->xLock(files[2], SQLITE_LOCK_SHARED), SQLITE_BUSY);
    assert_int_equal(m->xUnlock(files[0], SQLITE_LOCK_SHARED), SQLITE_OK);
    assert_int_equal(m->xLock(files[2], SQLITE_LOCK_SHARED), SQLITE_OK);
    for (size_t i = 0; i < COUNT_OF(files); i++)
        close_file(files[i]);
}

/* The name of a new journal is durable before anything rests on it, and so is its removal. */
static void test_folders_are_synced(void **state)
{
    enum { JOURNAL = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_READWRITE };
    bench *b = *state;
    em_sys sys = em_sys_native;
    em_sqlite_vfs *vfs;
    sys.sync = counting_sync;
    check_status("vfs", em_sqlite_vfs_new(&sys, true, &vfs), EM_OK);
    sqlite3_vfs *m = sqlite3_vfs_find(em_sqlite_vfs_name(vfs));
    sqlite3_file *file = malloc((size_t)m->szOsFile);
    synced_folders = synced_files = 0;

    assert_int_equal(m->xOpen(m, b->journal, file, JOURNAL | SQLITE_OPEN_CREATE, NULL), SQLITE_OK);
    assert_int_equal(file->pMethods->xSync(file, SQLITE_SYNC_NORMAL), SQLITE_OK);
    check_syncs(1, 1);
    assert_int_equal(file->pMethods->xSync(file, SQLITE_SYNC_NORMAL), SQLITE_OK);
    check_syncs(0, 1);
    file->pMethods->xClose(file);
    assert_int_equal(m->xOpen(m, b->journal, file, JOURNAL, NULL), SQLITE_OK);
    assert_int_equal(file->pMethods->xSync(file, SQLITE_SYNC_NORMAL), SQLITE_OK);
    check_syncs(0, 1);
    file->pMethods->xClose(file);
    for (int i = 0; i < 2; i++) { /* a journal that persists: once, until it is another */
        assert_int_equal(m->xOpen(m, b->journal, file, JOURNAL | SQLITE_OPEN_CREATE, NULL),
                         SQLITE_OK);
        assert_int_equal(file->pMethods->xSync(file, SQLITE_SYNC_NORMAL), SQLITE_OK);
        check_syncs(i, 1);
        file->pMethods->xClose(file);
        assert_int_equal(m->xDelete(m, b->journal, 1), SQLITE_OK);
        check_syncs(1, 0);
    }
    assert_int_equal(m->xOpen(m, b->path, file, WRITABLE, NULL), SQLITE_OK);
    assert_int_equal(file->pMethods->xSync(file, SQLITE_SYNC_NORMAL), SQLITE_OK);
    check_syncs(0, 1);
    file->pMethods->xClose(file);
    assert_int_equal(m->xDelete(m, b->path, 0), SQLITE_OK);
    check_syncs(0, 0);
    free(file);
    em_sqlite_vfs_free(vfs);
}

static void test_folders_that_cannot_be_synced(void **state)
{
    enum { NEW_JOURNAL = SQLITE_OPEN_MAIN_JOURNAL | SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE };
    bench *b = *state;
    sqlite3_file *file = must_open_file(b, b->journal, NEW_JOURNAL);
    for (long at = 2; at <= 4;
         at++) { /* the stat of the journal, the folder's opening, its fsync */
        faulty_strike(&b->in, FAULT_ERROR, at, EIO);
        assert_int_equal(file->pMethods->xSync(file, SQLITE_SYNC_NORMAL), SQLITE_IOERR_DIR_FSYNC);
    }
    long calls = b->in.table.calls;
    assert_int_equal(file->pMethods->xSync(file, SQLITE_SYNC_NORMAL), SQLITE_OK);
    assert_int_equal(b->in.table.calls - calls, 5); /* it is still owed, and made up for */
    close_file(file);

    faulty_strike(&b->in, FAULT_ERROR, 1, EIO);
    assert_int_equal(methods(b)->xDelete(methods(b), b->journal, 1), SQLITE_IOERR_DELETE);
    faulty_strike(&b->in, FAULT_ERROR, 3, EIO);
    assert_int_equal(methods(b)->xDelete(methods(b), b->journal, 1), SQLITE_IOERR_DIR_FSYNC);
    faulty_strike(&b->in, FAULT_NONE, 0, 0);
    assert_int_equal(methods(b)->xDelete(methods(b), b->journal, 1), SQLITE_IOERR_DELETE_NOENT);
    assert_int_equal(methods(b)->xDelete(methods(b), "/emend-none", 1), SQLITE_IOERR_DELETE_NOENT);
}

/* "/db" lies in "/". */
static void test_the_folder_of_a_file_at_the_top(void **state)
{
    bench *b = *state;
    if (geteuid() != 0 || access("/emend-test-db", F_OK) == 0)
        skip();
    sqlite3_file *file = must_open_file(b, "/emend-test-db", WRITABLE);
    close_file(file);
    assert_int_equal(methods(b)->xDelete(methods(b), "/emend-test-db", 1), SQLITE_OK);
}

static void test_access_by_table(void **state)
{
    static const struct {
        const char *name;
        int question, error, code, answer;
    } cases[] = {
        {"full", SQLITE_ACCESS_EXISTS, 0, SQLITE_OK, 1},
        {"empty", SQLITE_ACCESS_EXISTS, 0, SQLITE_OK, 0},
        {"folder", SQLITE_ACCESS_EXISTS, 0, SQLITE_OK, 1},
        {"dangling", SQLITE_ACCESS_EXISTS, 0, SQLITE_OK, 1},
        {"none", SQLITE_ACCESS_EXISTS, 0, SQLITE_OK, 0},
        {"full", SQLITE_ACCESS_EXISTS, EIO, SQLITE_IOERR_ACCESS, 0},
        {"full", SQLITE_ACCESS_EXISTS, EACCES, SQLITE_IOERR_ACCESS, 0},
        {"full", SQLITE_ACCESS_READWRITE, 0, SQLITE_OK, 1},
        {"none", SQLITE_ACCESS_READWRITE, 0, SQLITE_OK, 0},
        {"full", SQLITE_ACCESS_READWRITE, EACCES, SQLITE_OK, 0},
        {"full", SQLITE_ACCESS_READWRITE, EROFS, SQLITE_OK, 0},
        {"full", SQLITE_ACCESS_READWRITE, EIO, SQLITE_IOERR_ACCESS, 0},
    };
    bench *b = *state;
    scratch_put(b->in.folder, "full", "x");
    scratch_put(b->in.folder, "empty", "");
    scratch_folder(b->in.folder, "folder");
    scratch_link(b->in.folder, "dangling", "none");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int answer = -1;
        faulty_strike(&b->in, cases[i].error ? FAULT_ERROR : FAULT_NONE, 1, cases[i].error);
        int code = methods(b)->xAccess(methods(b), scratch_path(b->in.folder, cases[i].name),
                                       cases[i].question, &answer);
        if (code != cases[i].code || answer != cases[i].answer)
            fail_msg("case %zu: %d, answer %d", i, code, answer);
    }
}

static void test_full_paths(void **state)
{
    bench *b = *state;
    char out[PATH_MAX], here[PATH_MAX], want[PATH_MAX + 8];
    sqlite3_vfs *m = methods(b);
    assert_int_equal(m->xFullPathname(m, "/a/b", sizeof out, out), SQLITE_OK);
    assert_string_equal(out, "/a/b");
    snprintf(want, sizeof want, "%s/x/db", getcwd(here, sizeof here));
    assert_int_equal(m->xFullPathname(m, "x/db", sizeof out, out), SQLITE_OK);
    assert_string_equal(out, want);
    assert_int_equal(m->xFullPathname(m, "/a/b", 4, out), SQLITE_CANTOPEN_FULLPATH);
    assert_int_equal(em_sqlite_vfs_errno(b->vfs), ENAMETOOLONG);
    faulty_strike(&b->in, FAULT_ERROR, 1, ENOENT);
    assert_int_equal(m->xFullPathname(m, "db", sizeof out, out), SQLITE_CANTOPEN_FULLPATH);
    assert_int_equal(em_sqlite_vfs_errno(b->vfs), ENOENT);
}

static void test_machine(void **state)
{
    bench *b = *state;
    sqlite3_vfs *m = methods(b);
    char one[16] = "", other[16] = "";
    sqlite3_int64 now, unix_now = 0;
    assert_int_equal(m->xRandomness(m, sizeof one, one), sizeof one);
    assert_int_equal(m->xRandomness(m, sizeof other, other), sizeof other);
    assert_memory_not_equal(one, other, sizeof one);
    faulty_strike(&b->in, FAULT_ERROR, 1, ENOSYS);
    assert_int_equal(m->xRandomness(m, sizeof one, one), 0);
    assert_int_equal(em_sqlite_vfs_errno(b->vfs), ENOSYS);

    assert_int_equal(m->xCurrentTimeInt64(m, &now), SQLITE_OK);
    unix_now = (sqlite3_int64)time(NULL);
    assert_true(llabs(now / 1000 - 210866760000 - unix_now) < 5); /* by SQLite's own epoch */
    faulty_strike(&b->in, FAULT_ERROR, 1, EINVAL);
    assert_int_equal(m->xCurrentTimeInt64(m, &now), SQLITE_ERROR);

    assert_int_equal(m->xSleep(m, 1500), 1500);
    assert_int_equal(b->in.table.slept, 1500000);
}

static void test_what_sqlite_asks_of_a_file(void **state)
{
    bench *b = *state;
    int moved = -1;
    scratch_put(b->in.folder, "file", "x");
    scratch_put(b->in.folder, "other", "x");
    char path[SCRATCH_PATH];
    strcpy(path, scratch_path(b->in.folder, "file"));
    sqlite3_file *file = must_open_file(b, path, WRITABLE);
    const sqlite3_io_methods *m = file->pMethods;
    assert_int_equal(m->xSectorSize(file), 4096);
    assert_int_equal(m->xDeviceCharacteristics(file), SQLITE_IOCAP_POWERSAFE_OVERWRITE);
    assert_int_equal(m->xFileControl(file, SQLITE_FCNTL_LOCKSTATE, &moved), SQLITE_NOTFOUND);
    assert_int_equal(m->xFileControl(file, SQLITE_FCNTL_HAS_MOVED, &moved), SQLITE_OK);
    assert_int_equal(moved, 0);
    for (long at = 1; at <= 2; at++) {
        faulty_strike(&b->in, FAULT_ERROR, at, EIO);
        assert_int_equal(m->xFileControl(file, SQLITE_FCNTL_HAS_MOVED, &moved), SQLITE_IOERR_FSTAT);
        assert_int_equal(moved, 1);
    }
    assert_int_equal(rename(scratch_path(b->in.folder, "other"), path), 0);
    assert_int_equal(m->xFileControl(file, SQLITE_FCNTL_HAS_MOVED, &moved), SQLITE_OK);
    assert_int_equal(moved, 1);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(m->xFileControl(file, SQLITE_FCNTL_HAS_MOVED, &moved), SQLITE_OK);
    assert_int_equal(moved, 1);
    close_file(file);
}

/* A database that somebody removed is not written into the void. */
static void test_a_database_that_was_moved(void **state)
{
    bench *b = *state;
    make_db(b);
    sqlite3 *db = must_open(b->vfs, b->path);
    check_value(db, "SELECT count(*) FROM t", "12");
    assert_int_equal(rename(b->path, scratch_path(b->in.folder, "elsewhere")), 0);
    assert_int_equal(run(db, next_step), SQLITE_READONLY);
    assert_int_equal(sqlite3_extended_errcode(db), SQLITE_READONLY_DBMOVED);
    must_close(db);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_a_database_is_kept),
        TEST(test_all_that_needs_room_stays_in_memory),
        TEST(test_journals_that_stay),
        TEST(test_write_ahead_logs_need_shared_memory),
        TEST(test_with_sqlites_own),
        TEST(test_shared_memory_of_the_dead),
        TEST(test_a_log_that_can_only_be_read),
        TEST(test_several_at_once),
        cmocka_unit_test(test_memory_may_end),
        TEST(test_connections_exclude_each_other),
        TEST(test_a_waiting_writer_keeps_readers_out),
        TEST(test_no_update_is_lost),
        TEST(test_every_call_may_fail),
        TEST(test_every_call_may_fail_with_a_log),
        TEST(test_signals_and_short_transfers_do_no_harm),
        TEST(test_every_call_may_be_the_last),
        TEST(test_every_call_may_be_the_last_with_a_log),
        TEST(test_a_journal_that_cannot_be_seen),
        TEST(test_open_by_table),
        TEST(test_reading_past_the_end),
        TEST(test_methods_of_files_that_fail),
        TEST(test_giving_up_an_exclusive_lock),
        TEST(test_folders_are_synced),
        TEST(test_folders_that_cannot_be_synced),
        TEST(test_the_folder_of_a_file_at_the_top),
        TEST(test_access_by_table),
        TEST(test_full_paths),
        TEST(test_machine),
        TEST(test_what_sqlite_asks_of_a_file),
        TEST(test_a_database_that_was_moved),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

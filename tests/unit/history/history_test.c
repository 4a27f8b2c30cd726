#include "history/history.h"

#include "bench.h"
#include "history/database.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* A bench whose state directory is there, and a history in it. */
typedef struct book {
    bench *b;
    em_history *history;
} book;

static em_history_options options_of(const bench *b, em_sync sync)
{
    return (em_history_options){.folder = b->state, .sync = sync, .timeout_ms = 20};
}

static em_history *history_open(bench *b, em_sync sync)
{
    em_history *history;
    em_history_options options = options_of(b, sync);
    if (!scratch_has(b->base, "state"))
        scratch_folder(b->base, "state");
    check_status("open", em_history_open(&b->trap.sys, &options, &history, &b->err), EM_OK);
    return history;
}

static em_row row_full(void)
{
    return (em_row){
        .token = 0xFEDCBA9876543210u,
        .kind = EM_ROW_CREATE,
        .forget = true,
        .root = "/root",
        .path = "a/b/\xff.txt",
        .dir_dev = 1,
        .dir_ino = 0xFFFFFFFFFFFFFFFFu,
        .old_ino = 3,
        .new_ino = 4,
        .temp = ".emend-00000000000000000000000000000000",
        .backup = "x.bak",
        .folders = "a/b",
        .kept = "kept",
        .old_hash = em_hash_of(EM_LIT("old")),
        .new_hash = em_hash_of(EM_LIT("new")),
        .old_size = 3,
        .new_size = 5,
        .inverse = EM_LIT("\1\0inverse"),
        .boot = "boot",
        .origin = {.tool = "tool",
                   .client = "client",
                   .session = "session",
                   .call = "call",
                   .role = EM_ROLE_REDO},
        .time_ms = 1234567890123,
        .notes = EM_NOTE_HARD_LINK,
        .mode = 0100640,
        .txn = "1-00000000000000ff",
    };
}

static em_row row_small(const char *boot, em_row_state state)
{
    return (em_row){.token = 1,
                    .state = state,
                    .root = "/",
                    .path = "p",
                    .boot = boot,
                    .old_hash = em_hash_of(EM_LIT("1")),
                    .new_hash = em_hash_of(EM_LIT("2"))};
}

static int64_t add(em_history *history, em_row row)
{
    em_error err = EM_ERROR_INIT;
    check_status("add", em_history_add(history, &row, false, &err), EM_OK);
    assert_true(row.id > 0);
    return row.id;
}

static em_row reread(bench *b, em_history *history, int64_t id, uint64_t token)
{
    em_row row = {.id = id, .token = token};
    check_status("reread", em_history_reread(history, &row, &b->arena, &b->err), EM_OK);
    return row;
}

static void check_string(const char *have, const char *want)
{
    if (want)
        assert_string_equal(have, want);
    else
        assert_null(have);
}

static void check_row(const em_row *have, const em_row *want)
{
    assert_int_equal(have->token, want->token);
    assert_int_equal(have->state, want->state);
    assert_int_equal(have->kind, want->kind);
    assert_int_equal(have->forget, want->forget);
    assert_int_equal(have->dir_dev, want->dir_dev);
    assert_int_equal(have->dir_ino, want->dir_ino);
    assert_int_equal(have->old_ino, want->old_ino);
    assert_int_equal(have->new_ino, want->new_ino);
    assert_int_equal(have->old_size, want->old_size);
    assert_int_equal(have->new_size, want->new_size);
    assert_int_equal(have->time_ms, want->time_ms);
    assert_int_equal(have->notes, want->notes);
    assert_int_equal(have->mode, want->mode);
    assert_int_equal(have->origin.role, want->origin.role);
    check_string(have->root, want->root);
    check_string(have->path, want->path);
    check_string(have->txn, want->txn);
    check_string(have->temp, want->temp);
    check_string(have->backup, want->backup);
    check_string(have->folders, want->folders);
    check_string(have->kept, want->kept);
    check_string(have->boot, want->boot);
    check_string(have->old_hash.hex, want->old_hash.hex);
    check_string(have->new_hash.hex, want->new_hash.hex);
    check_string(have->origin.tool, want->origin.tool);
    check_string(have->origin.client, want->origin.client);
    check_string(have->origin.session, want->origin.session);
    check_string(have->origin.call, want->origin.call);
}

/* ---- Rows ---------------------------------------------------------------------------------- */

static void test_what_is_written_is_read(void **state)
{
    bench *b = *state;
    em_history *history = history_open(b, EM_SYNC_OFF);
    em_row rows[] = {row_full(), row_small("", EM_ROW_PENDING)};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        em_slice inverse;
        check_status("add", em_history_add(history, &rows[i], false, &b->err), EM_OK);
        em_row have = reread(b, history, rows[i].id, rows[i].token);
        check_row(&have, &rows[i]);
        check_status("inverse", em_history_inverse(history, &rows[i], &b->arena, &inverse, &b->err),
                     EM_OK);
        assert_true(em_slice_eq(inverse, rows[i].inverse));
    }
    assert_true(rows[1].id > rows[0].id);
    assert_int_equal(reread(b, history, rows[0].id, 99).id, 0); /* another token */
    assert_int_equal(reread(b, history, 99, 1).id, 0);
    em_history_close(history);
}

static void test_marking(void **state)
{
    bench *b = *state;
    em_history *history = history_open(b, EM_SYNC_OFF);
    em_row row = row_full();
    check_status("add", em_history_add(history, &row, false, &b->err), EM_OK);
    row.state = EM_ROW_DONE;
    row.temp = NULL;
    row.backup = "other.bak";
    row.kept = NULL;
    row.new_ino = 77;
    row.notes = EM_NOTE_OWNER;
    check_status("mark", em_history_mark(history, &row, &b->err), EM_OK);
    em_row have = reread(b, history, row.id, row.token);
    check_row(&have, &row);
    em_row other = row;
    other.token++;
    other.state = EM_ROW_PENDING;
    check_status("another token", em_history_mark(history, &other, &b->err), EM_OK);
    assert_int_equal(reread(b, history, row.id, row.token).state, EM_ROW_DONE);
    em_history_close(history);
}

/* An id is never used again, not even that of the newest row. */
static void test_dropping(void **state)
{
    bench *b = *state;
    em_history *history = history_open(b, EM_SYNC_OFF);
    em_row row = row_full();
    em_slice inverse;
    check_status("add", em_history_add(history, &row, false, &b->err), EM_OK);
    check_status("drop", em_history_drop(history, &row, &b->err), EM_OK);
    assert_int_equal(reread(b, history, row.id, row.token).id, 0);
    check_status("inverse", em_history_inverse(history, &row, &b->arena, &inverse, &b->err), EM_OK);
    assert_int_equal(inverse.len, 0);
    assert_true(add(history, row_small("", EM_ROW_PENDING)) > row.id);
    em_history_close(history);
}

static void check_rows(bench *b, em_history *history, em_row_state most, const char *boot,
                       const int64_t *want, size_t count)
{
    em_rows rows;
    check_status("rows", em_history_open_rows(history, most, boot, &b->arena, &rows, &b->err),
                 EM_OK);
    assert_int_equal(rows.count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(rows.items[i].id, want[i]);
}

static void test_open_rows(void **state)
{
    bench *b = *state;
    em_history *history = history_open(b, EM_SYNC_OFF);
    int64_t id[6];
    check_rows(b, history, EM_ROW_GRACE, "m", id, 0);
    id[0] = add(history, row_small("m", EM_ROW_GRACE));
    id[1] = add(history, row_small("m", EM_ROW_PENDING));
    add(history, row_small("m", EM_ROW_NAMED));
    add(history, row_small("m", EM_ROW_DONE));
    id[2] = add(history, row_small("a", EM_ROW_NAMED)); /* of other boots */
    id[3] = add(history, row_small("z", EM_ROW_NAMED));
    id[4] = add(history, row_small("z", EM_ROW_PENDING));
    check_rows(b, history, EM_ROW_GRACE, "m", id, 5);
    check_rows(b, history, EM_ROW_GRACE, NULL, (int64_t[]){id[0], id[1], id[4]}, 3);
    check_rows(b, history, EM_ROW_PENDING, NULL, (int64_t[]){id[1], id[4]}, 2);
    em_history_close(history);
}

static void test_was_built_on(void **state)
{
    bench *b = *state;
    em_history *history = history_open(b, EM_SYNC_OFF);
    em_row first = row_small("", EM_ROW_PENDING), next = first;
    bool was;
    first.id = add(history, first);
    check_status("not yet", em_history_was_built_on(history, &first, &was, &b->err), EM_OK);
    assert_false(was);
    next.old_hash = first.new_hash;
    next.path = "another";
    add(history, next);
    check_status("another file", em_history_was_built_on(history, &first, &was, &b->err), EM_OK);
    assert_false(was);
    next.path = first.path;
    add(history, next);
    check_status("now", em_history_was_built_on(history, &first, &was, &b->err), EM_OK);
    assert_true(was);
    em_history_close(history);
}

/* Names that were removed long ago need not be looked for in the next boot. */
static void test_names_are_forgotten(void **state)
{
    bench *b = *state;
    em_history *history = history_open(b, EM_SYNC_OFF);
    em_row row = row_full();
    int64_t id[3];
    row.state = EM_ROW_NAMED;
    id[0] = add(history, row);
    row.boot = "another";
    id[1] = add(history, row);
    row.boot = "boot";
    row.time_ms += 100000;
    id[2] = add(history, row);
    row.time_ms += 100000;
    add(history, row);
    em_row old = reread(b, history, id[0], row.token);
    assert_int_equal(old.state, EM_ROW_DONE);
    assert_null(old.temp);
    assert_int_equal(reread(b, history, id[1], row.token).state, EM_ROW_NAMED);
    assert_int_equal(reread(b, history, id[2], row.token).state, EM_ROW_NAMED);
    em_history_close(history);
}

/* What is done for each change does not grow with what was done before it. */
static void test_a_long_history(void **state)
{
    bench *b = *state;
    em_history *history = history_open(b, EM_SYNC_OFF);
    em_row row = row_full();
    em_rows rows;
    add(history, row);
    em_history_close(history);
    bench_sql(b,
              "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 20000)"
              " INSERT INTO commits SELECT i + 1, token, 2, kind, forget, root, path, dir_dev,"
              " dir_ino, old_ino, new_ino, temp, backup, folders, kept, old_hash, new_hash,"
              " old_size, new_size, boot, tool, client, session, call, time, notes, txn, role, mode"
              " FROM commits, n WHERE commits.id = 1");
    history = history_open(b, EM_SYNC_OFF);
    trap *reads = trap_set(&b->trap, (trap){.call = "read", .about = "history.db", .times = -1});
    row.id = 0;
    check_status("add", em_history_add(history, &row, false, &b->err), EM_OK);
    check_status("mark", em_history_mark(history, &row, &b->err), EM_OK);
    check_status("open rows",
                 em_history_open_rows(history, EM_ROW_GRACE, row.boot, &b->arena, &rows, &b->err),
                 EM_OK);
    bool was;
    check_status("built on", em_history_was_built_on(history, &row, &was, &b->err), EM_OK);
    assert_true(reads->caught < 60);
    em_history_close(history);
}

static void test_transactions(void **state)
{
    bench *b = *state;
    em_history *history = history_open(b, EM_SYNC_OFF);
    em_row row = row_full();
    check_status("add", em_history_add(history, &row, false, &b->err), EM_OK);
    check_status("begin", em_history_begin(history, &b->err), EM_OK);
    check_status("drop", em_history_drop(history, &row, &b->err), EM_OK);
    check_status("rollback", em_history_end(history, EM_E_IO, &b->err), EM_E_IO);
    assert_int_equal(reread(b, history, row.id, row.token).id, row.id);
    check_status("begin", em_history_begin(history, &b->err), EM_OK);
    check_status("drop", em_history_drop(history, &row, &b->err), EM_OK);
    check_status("commit", em_history_end(history, EM_OK, &b->err), EM_OK);
    assert_int_equal(reread(b, history, row.id, row.token).id, 0);
    em_history_close(history);
}

/* How many calls the call is about, and with which row. */
static size_t count_undone(em_history *history, const char *call, int64_t row)
{
    em_sql sql = {0};
    bool any;
    assert_int_equal(em_sql_init(&sql, history, -1,
                                 "SELECT COUNT(*) FROM undone WHERE call = ? AND id = ?", NULL),
                     EM_OK);
    em_sql_bind_text(&sql, call);
    em_sql_bind_int(&sql, row);
    assert_int_equal(em_sql_step(&sql, &any), EM_OK);
    assert_true(any);
    size_t count = (size_t)em_sql_int(&sql);
    em_sql_stop(&sql);
    return count;
}

/* A rewind of thousands of calls may have as many files, and each has a row: what it undoes is
 * written once, with the first of them. */
static void test_a_call_that_undoes_thousands(void **state)
{
    enum { CALLS = 6000, MOST_S = 10 };
    bench *b = *state;
    static em_base bases[CALLS];
    static char names[CALLS][16];
    em_history *history = history_open(b, EM_SYNC_OFF);
    em_row row = row_small("b", EM_ROW_DONE);
    for (int i = 0; i < CALLS; i++) {
        snprintf(names[i], sizeof names[i], "call-%d", i);
        bases[i] = (em_base){.call = names[i], .role = EM_ROLE_UNDO};
    }
    row.origin = (em_origin){.call = "rewind", .bases = bases, .base_count = CALLS};
    clock_t start = clock();
    check_status("begin", em_history_begin(history, &b->err), EM_OK);
    int64_t first = add(history, row);
    for (int i = 1; i < CALLS; i++)
        add(history, row);
    row.origin.call = "another";
    int64_t other = add(history, row);
    check_status("commit", em_history_end(history, EM_OK, &b->err), EM_OK);
    assert_true((clock() - start) / CLOCKS_PER_SEC < MOST_S);
    assert_int_equal(count_undone(history, "rewind", first), CALLS);
    assert_int_equal(count_undone(history, "another", other), CALLS);

    row.origin.call = "in vain";
    check_status("begin", em_history_begin(history, &b->err), EM_OK);
    add(history, row);
    check_status("rollback", em_history_end(history, EM_E_IO, &b->err), EM_E_IO);
    check_status("begin", em_history_begin(history, &b->err), EM_OK);
    other = add(history, row);
    check_status("commit", em_history_end(history, EM_OK, &b->err), EM_OK);
    assert_int_equal(count_undone(history, "in vain", other), CALLS);
    em_history_close(history);
}

static void test_ids_are_shown(void **state)
{
    (void)state;
    char id[64];
    em_row row = {.id = INT64_MAX, .token = 0xAB};
    em_row_show_id(&row, id);
    assert_string_equal(id, "9223372036854775807-00000000000000ab");
}

/* ---- The database -------------------------------------------------------------------------- */

static int syncs_of_add(bench *b, em_sync sync, bool durable)
{
    em_history *history = history_open(b, sync);
    em_row row = row_full();
    add(history, row); /* the first one makes the journal durable */
    bench_disarm(b);
    trap *synced = trap_set(&b->trap, (trap){.call = "sync", .about = "", .times = -1});
    check_status("add", em_history_add(history, &row, durable, &b->err), EM_OK);
    em_history_close(history);
    return synced->caught;
}

/* A row is durable when it must be, and costs nothing when it need not. */
static void test_syncing(void **state)
{
    bench *b = *state;
    assert_int_equal(syncs_of_add(b, EM_SYNC_OFF, false), 0);
    assert_int_equal(syncs_of_add(b, EM_SYNC_DATA, false), 0);
    assert_int_equal(syncs_of_add(b, EM_SYNC_FULL, false), 1);
    assert_int_equal(syncs_of_add(b, EM_SYNC_OFF, true), 2); /* the first one: the log's name too */
    assert_int_equal(syncs_of_add(b, EM_SYNC_DATA, true), 2);
    assert_int_equal(syncs_of_add(b, EM_SYNC_OFF, false), 0);
}

static void test_two_users(void **state)
{
    bench *b = *state;
    em_history *one = history_open(b, EM_SYNC_OFF), *two = history_open(b, EM_SYNC_OFF);
    em_row row = row_full();
    int64_t id = add(one, row);
    assert_true(add(two, row) > id);
    assert_int_equal(reread(b, one, id, row.token).id, id);

    check_status("begin", em_history_begin(one, &b->err), EM_OK);
    check_status("busy", em_history_add(two, &row, false, &b->err), EM_E_TIMEOUT);
    check_detail(b, "in use by others");
    assert_int_equal(row.id, 0);
    check_status("end", em_history_end(one, EM_OK, &b->err), EM_OK);
    check_status("free", em_history_add(two, &row, false, &b->err), EM_OK);
    em_history_close(one);
    em_history_close(two);
}

static void test_a_newer_version(void **state)
{
    bench *b = *state;
    em_history *history = history_open(b, EM_SYNC_OFF);
    em_history_options options = options_of(b, EM_SYNC_OFF);
    em_history_close(history);
    bench_sql(b, "PRAGMA user_version = 99");
    check_status("newer", em_history_open(&em_sys_native, &options, &history, &b->err), EM_E_IO);
    check_detail(b, "newer");
    assert_null(history);
}

/* A database as the first version made it. */
static void make_first_version(bench *b)
{
    bench_sql(b, "ALTER TABLE commits DROP COLUMN txn; ALTER TABLE commits DROP COLUMN role;"
                 "ALTER TABLE commits DROP COLUMN mode; DROP TABLE undone; DROP TABLE checkpoints;"
                 "DROP TABLE settings; DROP INDEX commits_call; PRAGMA user_version = 1");
}

/* What an earlier version made is completed. */
static void test_an_older_version(void **state)
{
    bench *b = *state;
    em_history *history = history_open(b, EM_SYNC_OFF);
    em_row row = row_full();
    row.txn = NULL;
    row.mode = 0;
    row.origin.role = EM_ROLE_EDIT;
    row.id = add(history, row);
    em_history_close(history);
    make_first_version(b);
    history = history_open(b, EM_SYNC_OFF);
    em_row have = reread(b, history, row.id, row.token);
    check_row(&have, &row);
    have.txn = "1-0";
    have.id = 0;
    add(history, have);
    em_history_close(history);
}

static void test_a_damaged_file(void **state)
{
    bench *b = *state;
    em_history *history;
    em_history_options options = options_of(b, EM_SYNC_OFF);
    scratch_folder(b->base, "state");
    scratch_put(b->state, EM_HISTORY_NAME,
                "this is no database, and long enough to be seen as none");
    check_status("damaged", em_history_open(&em_sys_native, &options, &history, &b->err), EM_E_IO);
    check_detail(b, "damaged");
    check_detail(b, EM_HISTORY_NAME);
}

static void test_a_folder_that_cannot_be_used(void **state)
{
    bench *b = *state;
    em_history *history;
    em_history_options options = options_of(b, EM_SYNC_OFF);
    check_status("missing", em_history_open(&em_sys_native, &options, &history, &b->err), EM_E_IO);
    scratch_folder(b->base, "state");
    trap_set(&b->trap,
             (trap){.call = "open", .about = EM_HISTORY_NAME, .times = -1, .error = EACCES});
    check_status("forbidden", em_history_open(&b->trap.sys, &options, &history, &b->err),
                 EM_E_PERMISSION);
}

/* Whatever call of SQLite fails: the row is there, or it is not and the error says so. */
static void test_every_call_may_fail(void **state)
{
    bench *b = *state;
    static const char *const calls[] = {"open", "read", "write",   "sync",
                                        "lock", "stat", "truncate"};
    em_history *history = history_open(b, EM_SYNC_FULL);
    em_row row = row_full();
    add(history, row);
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        for (int skip = 0;; skip++) {
            row.id = 0;
            bench_disarm(b);
            trap *caught = trap_set(
                &b->trap,
                (trap){.call = calls[i], .about = "history.db", .skip = skip, .error = EIO});
            int before = bench_rows(b, EM_ROW_DONE);
            em_status status = em_history_add(history, &row, false, &b->err);
            bool failed = caught->caught > 0;
            bench_disarm(b);
            assert_int_equal(bench_rows(b, EM_ROW_DONE), before + (status == EM_OK));
            assert_int_equal(row.id != 0, status == EM_OK);
            if (!failed)
                break;
            assert_true(skip < 100);
        }
    }
    em_history_close(history);
}

static void test_opening_may_fail(void **state)
{
    bench *b = *state;
    static const char *const calls[] = {"open", "read", "write", "lock", "stat"};
    scratch_folder(b->base, "state");
    em_history_options options = options_of(b, EM_SYNC_OFF);
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        for (int skip = 0;; skip++) {
            em_history *history;
            scratch_drop(b->state);
            scratch_folder(b->base, "state");
            bench_disarm(b);
            trap *caught = trap_set(
                &b->trap,
                (trap){.call = calls[i], .about = "history.db", .skip = skip, .error = EIO});
            em_status status = em_history_open(&b->trap.sys, &options, &history, &b->err);
            bench_disarm(b);
            em_history_close(history);
            check_status("again", em_history_open(&b->trap.sys, &options, &history, &b->err),
                         EM_OK);
            add(history, row_full());
            em_history_close(history);
            if (!caught->seen || (status == EM_OK && caught->seen <= skip))
                break;
            assert_true(skip < 100);
        }
    }
}

static void test_memory_may_end(void **state)
{
    bench *b = *state;
    em_history *history = history_open(b, EM_SYNC_OFF);
    em_row row = row_full();
    row.id = add(history, row);
    for (int i = 0; i < 3; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_rows rows;
        em_slice inverse;
        em_row again = row;
        memory_ends_at(1);
        em_status status =
            i == 0   ? em_history_open_rows(history, EM_ROW_GRACE, NULL, &arena, &rows, &b->err)
            : i == 1 ? em_history_reread(history, &again, &arena, &b->err)
                     : em_history_inverse(history, &row, &arena, &inverse, &b->err);
        memory_ends_at(0);
        check_status("read", status, EM_E_NOMEM);
    }
    em_history_close(history);
    em_history_options options = options_of(b, EM_SYNC_OFF);
    for (long at = 1;; at++) {
        memory_ends_at(at);
        em_status status = em_history_open(&em_sys_native, &options, &history, &b->err);
        bool ended = memory_ended();
        memory_ends_at(0);
        check_status("open", status, ended ? EM_E_NOMEM : EM_OK);
        if (!ended)
            break;
        assert_true(at < 20);
    }
    em_history_close(history);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_what_is_written_is_read),
        BENCH_TEST(test_marking),
        BENCH_TEST(test_dropping),
        BENCH_TEST(test_open_rows),
        BENCH_TEST(test_was_built_on),
        BENCH_TEST(test_names_are_forgotten),
        BENCH_TEST(test_a_long_history),
        BENCH_TEST(test_transactions),
        BENCH_TEST(test_a_call_that_undoes_thousands),
        BENCH_TEST(test_ids_are_shown),
        BENCH_TEST(test_syncing),
        BENCH_TEST(test_two_users),
        BENCH_TEST(test_a_newer_version),
        BENCH_TEST(test_an_older_version),
        BENCH_TEST(test_a_damaged_file),
        BENCH_TEST(test_a_folder_that_cannot_be_used),
        BENCH_TEST(test_every_call_may_fail),
        BENCH_TEST(test_opening_may_fail),
        BENCH_TEST(test_memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

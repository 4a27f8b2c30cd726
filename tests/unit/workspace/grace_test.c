#include "workspace/grace.h"

#include "base/thread.h"
#include "bench.h"

#include <errno.h>
#include <semaphore.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static const char old_text[] = "one two three\n";

/* Make a change and keep the old file. */
static void change(bench *b)
{
    b->options.grace_ms = 60000;
    check_status("change", bench_change(b, "a.txt", "two", "2"), EM_OK);
    assert_int_equal(b->ws->kept_count, 1);
    assert_int_equal(bench_strays(b, "."), 1);
}

static em_warnings settle(bench *b, bool now)
{
    em_warnings warnings = {0};
    check_status("end grace", em_ws_end_grace(b->ws, now, &b->arena, &warnings), EM_OK);
    return warnings;
}

/* What a program does that has had the file open all the time. */
static void write_late(bench *b)
{
    scratch_put(b->root, bench_stray(b, "."), "late\n");
}

static void check_late_is_kept(bench *b)
{
    const char *stray = bench_stray(b, ".");
    assert_non_null(stray);
    check_text(b, stray, "late\n");
    check_text(b, "a.txt", "one 2 three\n");
    em_row row = bench_row(b);
    assert_int_equal(row.state, EM_ROW_DONE);
    assert_string_equal(row.kept, stray);
    assert_null(row.temp);
    assert_true(row.notes & EM_NOTE_FOREIGN_KEPT);
}

/* ---- Keeping and settling ------------------------------------------------------------------ */

static void test_kept_and_settled(void **state)
{
    bench *b = *state;
    change(b);
    check_text(b, "a.txt", "one 2 three\n");
    check_text(b, bench_stray(b, "."), old_text);
    assert_int_equal(bench_row(b).state, EM_ROW_GRACE);
    assert_true(b->report.edit_id[0] != '\0');

    assert_int_equal(settle(b, false).count, 0);
    assert_int_equal(bench_strays(b, "."), 1); /* not yet */
    assert_int_equal(settle(b, true).count, 0);
    check_clean(b);
    assert_int_equal(bench_row(b).state, EM_ROW_NAMED);
    settle(b, true); /* nothing left */
}

/* A folder is about to go: those in it are looked at, and others stay. */
static void test_settled_below_a_folder(void **state)
{
    bench *b = *state;
    em_warnings warnings = {0};
    scratch_folder(b->root, "d");
    scratch_folder(b->root, "dd");
    static const char *const names[] = {"d/b", "a.txt", "dd/c"};
    b->options.grace_ms = 60000;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        scratch_put(b->root, names[i], "one two three\n");
        check_status("change", bench_change(b, names[i], "two", "2"), EM_OK);
    }
    check_status(
        "end grace",
        em_ws_end_grace_below(b->ws, scratch_path(b->root, "d"), NULL, &b->arena, &warnings),
        EM_OK);
    assert_int_equal(bench_strays(b, "d"), 0);
    assert_int_equal(bench_strays(b, "dd") + bench_strays(b, "."), 2);
    assert_int_equal(b->ws->kept_count, 2);
    settle(b, true);
    assert_int_equal(bench_strays(b, "dd") + bench_strays(b, "."), 0);
}

/* The old file of a hard link that was broken lives on under its other names: it does not wait, and
 * what is written to it by those is theirs and none that came late. */
static void test_hard_links_do_not_wait(void **state)
{
    bench *b = *state;
    static const char *const names[] = {"b", "c"};
    b->options.grace_ms = 60000;
    for (size_t i = 0; i < COUNT_OF(names); i++)
        assert_int_equal(link(scratch_path(b->root, "a.txt"), scratch_path(b->root, names[i])), 0);
    check_status("a.txt", bench_change(b, "a.txt", "two", "2"), EM_OK);
    assert_true(bench_warned(b, "other 2 names"));
    assert_int_equal(bench_strays(b, "."), 0);
    check_status("b", bench_change(b, "b", "two", "2"), EM_OK);
    assert_true(bench_warned(b, "other name keeps"));
    check_status("c", bench_change(b, "c", "two", "2"), EM_OK);
    assert_false(bench_warned(b, "hard link"));
    assert_false(bench_row(b).notes & EM_NOTE_HARD_LINK);
    assert_int_equal(bench_strays(b, "."), 1);
    settle(b, true);
    check_clean(b);
}

static void test_settled_when_due(void **state)
{
    bench *b = *state;
    b->options.grace_ms = 5;
    assert_int_equal(em_ws_due_ms(bench_open(b)), -1);
    check_status("change", bench_change(b, "a.txt", "two", "2"), EM_OK);
    assert_true(em_ws_due_ms(b->ws) <= 5);
    usleep(10000);
    assert_int_equal(em_ws_due_ms(b->ws), 0);
    settle(b, false);
    check_clean(b);
    assert_int_equal(em_ws_due_ms(b->ws), -1);
}

static void test_settled_when_closed(void **state)
{
    bench *b = *state;
    change(b);
    bench_close(b);
    check_clean(b);
    assert_int_equal(bench_row(b).state, EM_ROW_NAMED);
}

static void test_a_late_write(void **state)
{
    bench *b = *state;
    change(b);
    write_late(b);
    em_warnings warnings = settle(b, true);
    assert_int_equal(warnings.count, 1);
    assert_non_null(strstr(warnings.items[0], bench_stray(b, ".")));
    check_late_is_kept(b);
    assert_int_equal(settle(b, true).count, 0);
}

static void test_a_late_write_when_closed(void **state)
{
    bench *b = *state;
    change(b);
    write_late(b);
    bench_close(b);
    check_late_is_kept(b);
}

static void test_no_grace(void **state)
{
    bench *b = *state;
    check_status("change", bench_change(b, "a.txt", "two", "2"), EM_OK);
    assert_null(b->ws->kept);
    b->options.grace_ms = 60000;
    bench_close(b);
    check_status("create", bench_change(b, "new", NULL, "x"), EM_OK);
    assert_null(b->ws->kept);
    check_status("backup", bench_backup_change(b, "a.txt", "2", "two"), EM_OK);
    assert_null(b->ws->kept);
    check_clean(b);
}

/* Each holds a descriptor: beyond some of them the oldest go before their time. */
static void test_many(void **state)
{
    bench *b = *state;
    b->options.grace_ms = 60000;
    scratch_put(b->root, "n", "0");
    for (int i = 0; i < 100; i++) {
        char was[16], now[16];
        snprintf(was, sizeof was, "%d", i);
        snprintf(now, sizeof now, "%d", i + 1);
        check_status("change", bench_change(b, "n", was, now), EM_OK);
        assert_true(b->ws->kept_count <= 64);
        assert_int_equal(bench_strays(b, "."), b->ws->kept_count);
    }
    bench_close(b);
    check_clean(b);
}

/* There is room again before the next change has to make some, if there is time for that. */
static void test_room_is_made_when_due(void **state)
{
    bench *b = *state;
    b->options.grace_ms = 60000;
    for (int i = 0; i < 64; i++) {
        assert_int_not_equal(em_ws_due_ms(bench_open(b)), 0);
        check_status("change", bench_change(b, "a.txt", i % 2 ? "2" : "two", i % 2 ? "two" : "2"),
                     EM_OK);
    }
    assert_int_equal(b->ws->kept_count, 64);
    assert_int_equal(em_ws_due_ms(b->ws), 0);
    settle(b, false);
    assert_int_equal(b->ws->kept_count, 32);
    assert_true(em_ws_due_ms(b->ws) > 0);
}

/* What others of the process keep, too, is no more than their share of its descriptors. */
static void test_others_keep_all(void **state)
{
    bench *b = *state, *other;
    void *others = NULL;
    struct rlimit was, few;
    change(b);
    settle(b, true);
    bench_setup(&others);
    other = others;
    other->options.grace_ms = 60000;
    check_status("change", bench_change(other, "a.txt", "two", "2"), EM_OK);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &was), 0);
    few = (struct rlimit){48, was.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    while (other->ws->kept_count < 11)
        check_status("change",
                     bench_change(other, "a.txt", other->ws->kept_count % 2 ? "2" : "two",
                                  other->ws->kept_count % 2 ? "two" : "2"),
                     EM_OK);
    check_status("one more", bench_change(b, "a.txt", "2", "two"), EM_OK);
    assert_int_equal(b->ws->kept_count, 1);
    check_status("and one", bench_change(b, "a.txt", "two", "2"), EM_OK);
    assert_int_equal(b->ws->kept_count, 1);
    few.rlim_cur = 40; /* ten, of which the other one has eleven */
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    check_status("none", bench_change(b, "a.txt", "2", "two"), EM_OK);
    assert_int_equal(b->ws->kept_count, 0);
    assert_int_equal(bench_strays(b, "."), 0);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &was), 0);
    bench_teardown(&others);
}

/* Found out when making room: it is told with that answer. */
static void test_a_late_write_among_many(void **state)
{
    bench *b = *state;
    change(b);
    write_late(b);
    bool warned = false;
    for (int i = 0; i < 64; i++) {
        check_status("change", bench_change(b, "a.txt", i % 2 ? "two" : "2", i % 2 ? "2" : "two"),
                     EM_OK);
        warned = warned || bench_warned(b, "late") || bench_warned(b, "wrote to it afterwards");
    }
    assert_true(warned);
}

static void test_without_history(void **state)
{
    bench *b = *state;
    b->options.no_history = true;
    b->options.sync = EM_SYNC_FULL;
    change(b);
    assert_int_equal(bench_rows(b, EM_ROW_GRACE), 1);
    settle(b, true);
    check_clean(b);
    assert_int_equal(bench_rows(b, EM_ROW_DONE), 0);
}

/* ---- Others, while its owner lives ---------------------------------------------------------- */

static em_recovery recover_by(bench *b, em_workspace *ws, em_keep keep)
{
    em_recovery found = {0};
    em_recover_options options = {.keep = keep};
    check_status("recover", em_recover(ws, &options, &b->arena, &found, &b->err), EM_OK);
    return found;
}

/* Neither the recovery before a change of another nor `emend recover` ends it, with a choice or
 * without, be its folder in place or not. */
static void test_others_leave_it(void **state)
{
    bench *b = *state;
    em_workspace *other;
    em_recovery listed = {0};
    change(b);
    check_status("other", em_ws_open(&b->options, &other, &b->err), EM_OK);
    check_status("before a change", em_ws_ready(other, &b->err), EM_OK);
    assert_int_equal(bench_strays(b, "."), 1);
    check_status("list", em_recover_list(other, false, &b->arena, &listed, &b->err), EM_OK);
    assert_int_equal(listed.count, 1);
    assert_int_equal(listed.items[0].end, EM_LEFT_IN_GRACE);
    assert_non_null(strstr(listed.items[0].stray, bench_stray(b, ".")));
    for (em_keep keep = EM_KEEP_ASK; keep <= EM_KEEP_STRAY; keep++) {
        em_recovery found = recover_by(b, other, keep);
        assert_int_equal(found.count, 1);
        assert_int_equal(found.items[0].end, EM_LEFT_IN_GRACE);
    }
    assert_int_equal(recover_by(b, b->ws, EM_KEEP_ASK).items[0].end, EM_LEFT_IN_GRACE);
    write_late(b);
    assert_int_equal(settle(b, true).count, 1);
    check_late_is_kept(b);
    assert_int_equal(recover_by(b, other, EM_KEEP_ASK).count, 0);
    em_ws_free(other);
}

/* Also where the history could not be told that the change is made. */
static void test_others_leave_what_seems_pending(void **state)
{
    bench *b = *state;
    em_workspace *other;
    change(b);
    bench_sql(b, "UPDATE commits SET state = 0");
    check_status("other", em_ws_open(&b->options, &other, &b->err), EM_OK);
    check_status("before a change", em_ws_ready(other, &b->err), EM_OK);
    assert_int_equal(bench_strays(b, "."), 1);
    em_ws_free(other);
    settle(b, true);
    check_clean(b);
}

static void test_others_leave_it_in_a_folder_that_was_moved(void **state)
{
    bench *b = *state;
    em_workspace *other;
    b->options.grace_ms = 60000;
    assert_int_equal(mkdir(scratch_path(b->root, "d"), 0700), 0);
    scratch_put(b->root, "d/f", "two");
    check_status("change", bench_change(b, "d/f", "two", "2"), EM_OK);
    assert_int_equal(rename(scratch_path(b->root, "d"), scratch_path(b->root, "e")), 0);
    check_status("other", em_ws_open(&b->options, &other, &b->err), EM_OK);
    em_recovery found = recover_by(b, other, EM_KEEP_TARGET);
    assert_int_equal(found.items[0].end, EM_LEFT_IN_GRACE);
    assert_int_equal(bench_rows(b, EM_ROW_GRACE), 1);
    em_ws_free(other);
    settle(b, true);
    assert_int_equal(bench_strays(b, "e"), 0);
}

/* Several at once, of which some are over: the rest is still its owner's. */
static void test_others_leave_the_rest(void **state)
{
    bench *b = *state;
    em_workspace *other;
    b->options.grace_ms = 1500; /* longer than all that follows takes */
    scratch_put(b->root, "n", "0");
    check_status("first", bench_change(b, "n", "0", "1"), EM_OK);
    usleep(1600000);
    check_status("second", bench_change(b, "n", "1", "2"), EM_OK);
    settle(b, false);
    assert_int_equal(bench_strays(b, "."), 1);
    check_status("other", em_ws_open(&b->options, &other, &b->err), EM_OK);
    check_status("before a change", em_ws_ready(other, &b->err), EM_OK);
    assert_int_equal(bench_strays(b, "."), 1);
    em_ws_free(other);
}

/* Where the row cannot be owned the old file is kept all the same. */
static void test_the_lock_fails(void **state)
{
    bench *b = *state;
    b->options.grace_ms = 60000;
    trap_set(&b->trap,
             (trap){.call = "lock", .about = "slots", .skip = 1, .times = 1, .error = ENOLCK});
    check_status("change", bench_change(b, "a.txt", "two", "2"), EM_OK);
    assert_int_equal(b->ws->kept_count, 1);
    settle(b, true);
    check_clean(b);
}

/* ---- Failures ------------------------------------------------------------------------------ */

/* What cannot be looked at, or recorded, recovery finds. */
static void test_settling_fails(void **state)
{
    bench *b = *state;
    static const struct {
        const char *call, *about;
    } cases[] = {{"open", ".emend-"},
                 {"read", ".emend-"},
                 {"unlink", ".emend-"},
                 {"write", "history.db"},
                 {"lock", "history.db"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        scratch_put(b->root, "a.txt", old_text);
        change(b);
        trap_set(&b->trap, (trap){.call = cases[i].call, .about = cases[i].about, .error = EIO});
        settle(b, true);
        bench_close(b);
        bench_disarm(b);
        assert_int_equal(bench_rows(b, EM_ROW_GRACE), 1);
        check_status("recovery", bench_change(b, "b", NULL, "x"), EM_OK);
        check_clean(b);
        unlink(scratch_path(b->root, "b"));
        bench_close(b);
    }
}

static void test_the_clock_fails(void **state)
{
    bench *b = *state;
    b->options.grace_ms = 60000;
    trap_set(&b->trap, (trap){.call = "clock", .about = "monotonic", .error = EIO});
    check_status("change", bench_change(b, "a.txt", "two", "2"), EM_OK);
    assert_null(b->ws->kept); /* gone at once */
    check_clean(b);

    check_status("kept", bench_change(b, "a.txt", "2", "two"), EM_OK);
    trap_set(&b->trap, (trap){.call = "clock", .about = "monotonic", .error = EIO});
    assert_int_equal(em_ws_due_ms(b->ws), 0);
    trap_set(&b->trap, (trap){.call = "clock", .about = "monotonic", .error = EIO});
    settle(b, false);
    check_clean(b);
}

/* Somebody has removed it: nothing is left to be done. */
static void test_an_old_file_that_is_gone(void **state)
{
    bench *b = *state;
    change(b);
    unlink(scratch_path(b->root, bench_stray(b, ".")));
    assert_int_equal(settle(b, true).count, 0);
    check_clean(b);
}

static void test_memory_may_end(void **state)
{
    bench *b = *state;
    char name[200] = "a-name-that-needs-room-";
    b->options.grace_ms = 60000;
    memset(name + strlen(name), 'x', 150);
    scratch_put(b->root, name, "two");
    bench_open(b);
    for (long at = 1; at < 60; at++) {
        em_file file;
        em_splice splice = {0, 3, EM_LIT("two")};
        em_change what = {.splices = {&splice, 1}};
        EM_AUTO(em_arena) arena = {0};
        check_status("open", em_ws_open_file(b->ws, name, EM_TO_CHANGE, 0, 0, &file, &b->err),
                     EM_OK);
        memory_ends_at(at);
        em_status status = em_ws_commit(b->ws, &file, &what, &arena, &b->report, &b->err);
        memory_ends_at(0);
        em_file_close(b->ws, &file);
        assert_true(status == EM_OK || status == EM_E_NOMEM);
        assert_int_equal(bench_strays(b, "."), b->ws->kept_count);
    }
    settle(b, true);

    check_status("change", bench_change(b, name, "two", "2"), EM_OK);
    write_late(b);
    EM_AUTO(em_arena) arena = {0};
    em_warnings warnings = {0};
    memory_ends_at(1);
    em_status status = em_ws_end_grace(b->ws, true, &arena, &warnings);
    memory_ends_at(0);
    check_status("end grace", status, EM_E_NOMEM);
    assert_int_equal(bench_row(b).state, EM_ROW_DONE); /* only the telling failed */
}

/* ---- A process that dies in the grace period ----------------------------------------------- */

static void die_in_grace(bench *b)
{
    b->options.grace_ms = 60000;
    bench_die(b, "a.txt", "two", "2", (trap){.call = "open", .about = ".emend-"});
}

static void test_recovery(void **state)
{
    bench *b = *state;
    die_in_grace(b); /* it stops when it wants to settle */
    assert_int_equal(bench_row(b).state, EM_ROW_GRACE);
    check_status("recovery", bench_change(b, "b", NULL, "x"), EM_OK);
    check_clean(b);
    check_text(b, "a.txt", "one 2 three\n");
}

static void test_recovery_of_a_late_write(void **state)
{
    bench *b = *state;
    die_in_grace(b);
    write_late(b);
    check_status("recovery", bench_change(b, "b", NULL, "x"), EM_OK);
    assert_true(bench_warned(b, bench_stray(b, ".")));
    assert_int_equal(bench_strays(b, "."), 1);
    bench_sql(b, "DELETE FROM commits WHERE path = 'b'");
    check_late_is_kept(b);
}

/* ---- When the history is synced -------------------------------------------------------------- */

static trap *count_syncs(bench *b, int error)
{
    return trap_set(&b->trap,
                    (trap){.call = "sync", .about = "history.db-wal", .times = -1, .error = error});
}

static em_warnings sync_history(bench *b)
{
    em_warnings warnings = {0};
    check_status("sync", em_ws_sync(b->ws, &b->arena, &warnings), EM_OK);
    return warnings;
}

/* Soon after the answer, unless the next change has done it. */
static void test_the_history_is_synced_soon(void **state)
{
    bench *b = *state;
    b->options.sync = EM_SYNC_FULL;
    check_status("change", bench_change(b, "a.txt", "two", "2"), EM_OK);
    trap *syncs = count_syncs(b, 0);
    long due = em_ws_due_ms(b->ws);
    assert_true(due >= 0 && due <= 5);
    assert_int_equal(syncs->caught, 0);
    assert_int_equal(sync_history(b).count, 0);
    assert_int_equal(syncs->caught, 1);
    assert_int_equal(em_ws_due_ms(b->ws), -1);
    sync_history(b);
    assert_int_equal(syncs->caught, 1);

    check_status("change", bench_change(b, "a.txt", "2", "two"), EM_OK);
    check_status("change", bench_change(b, "a.txt", "two", "2"), EM_OK);
    assert_int_equal(syncs->caught, 3); /* their rows, before their names */
    bench_close(b);
    assert_int_equal(syncs->caught, 4);
}

static void test_nothing_is_synced_otherwise(void **state)
{
    static const em_sync settings[] = {EM_SYNC_DATA, EM_SYNC_OFF};
    bench *b = *state;
    for (size_t i = 0; i < COUNT_OF(settings); i++) {
        bench_close(b);
        b->options.sync = settings[i];
        bench_disarm(b);
        check_status("change", bench_change(b, "a.txt", "two", "2"), EM_OK);
        trap *syncs = count_syncs(b, 0); /* the head of a new log has been */
        check_status("change", bench_change(b, "a.txt", "2", "two"), EM_OK);
        assert_int_equal(em_ws_due_ms(b->ws), -1);
        bench_close(b);
        assert_int_equal(syncs->caught, 0);
    }
}

/* As long as the old file is kept it proves the change; before it goes the history is synced. */
static void test_the_history_is_synced_before_the_old_file_goes(void **state)
{
    bench *b = *state;
    b->options.sync = EM_SYNC_FULL;
    change(b);
    trap *syncs = count_syncs(b, 0);
    trap *removed = trap_set(&b->trap, (trap){.call = "unlink", .about = ".emend-", .error = EIO});
    assert_true(em_ws_due_ms(b->ws) > 5);
    settle(b, false);
    assert_int_equal(syncs->caught, 0);
    settle(b, true);
    assert_int_equal(removed->caught, 1);
    assert_int_equal(syncs->caught, 1);
}

static void test_a_history_that_cannot_be_synced(void **state)
{
    bench *b = *state;
    b->options.sync = EM_SYNC_FULL;
    check_status("change", bench_change(b, "a.txt", "two", "2"), EM_OK);
    count_syncs(b, EIO);
    em_warnings warnings = sync_history(b);
    assert_int_equal(warnings.count, 1);
    assert_non_null(strstr(warnings.items[0], "could not be synced"));
    bench_disarm(b);
    check_status("change", bench_change(b, "a.txt", "2", "two"), EM_OK);
}

/* It is told when it is settled, and if there is no memory for that, then that is; the old file
 * goes in any case. */
static void test_settling_without_sync(void **state)
{
    bench *b = *state;
    b->options.sync = EM_SYNC_FULL;
    for (int no_memory = 0; no_memory < 2; no_memory++) {
        em_warnings warnings = {0};
        EM_AUTO(em_arena) arena = {0};
        scratch_put(b->root, "a.txt", old_text);
        change(b);
        trap *syncs =
            trap_set(&b->trap, (trap){.call = "sync", .about = "history.db-wal", .error = EIO});
        memory_ends_at(no_memory);
        em_status status = em_ws_end_grace(b->ws, true, &arena, &warnings);
        memory_ends_at(0);
        check_status("end grace", status, no_memory ? EM_E_NOMEM : EM_OK);
        assert_int_equal(syncs->caught, 1);
        assert_int_equal(warnings.count, !no_memory);
        if (!no_memory)
            assert_non_null(strstr(warnings.items[0], "could not be synced"));
        assert_int_equal(b->ws->kept_count, 0);
        assert_int_equal(bench_row(b).state, EM_ROW_NAMED);
        check_clean(b);
        bench_disarm(b);
    }
}

/* The same where a folder is about to go. */
static void test_settling_below_without_sync(void **state)
{
    bench *b = *state;
    em_warnings warnings = {0};
    EM_AUTO(em_arena) arena = {0};
    b->options.sync = EM_SYNC_FULL;
    change(b);
    trap_set(&b->trap, (trap){.call = "sync", .about = "history.db-wal", .error = EIO});
    memory_ends_at(1);
    em_status status = em_ws_end_grace_below(b->ws, b->root, NULL, &arena, &warnings);
    memory_ends_at(0);
    check_status("end grace", status, EM_E_NOMEM);
    assert_int_equal(b->ws->kept_count, 0);
    check_clean(b);
}

/* What is due first counts: here an old file, before the row of a later change. It goes with that
 * row synced. */
static void test_an_old_file_that_is_due_first(void **state)
{
    bench *b = *state;
    b->options.sync = EM_SYNC_FULL;
    b->options.grace_ms = 1;
    check_status("change", bench_change(b, "a.txt", "two", "2"), EM_OK);
    check_status("create", bench_change(b, "new", NULL, "x"), EM_OK);
    assert_int_equal(b->ws->kept_count, 1);
    assert_true(b->ws->sync_due_ms > 0);
    b->ws->sync_due_ms += 60000; /* however slow we are */
    assert_true(em_ws_due_ms(b->ws) <= 1);
    while (em_ws_due_ms(b->ws) > 0)
        usleep(1000);
    assert_int_equal(settle(b, false).count, 0);
    assert_false(em_history_is_unsynced(b->ws->history));
    check_clean(b);
    assert_int_equal(em_ws_due_ms(b->ws), -1);
}

static void test_no_clock_to_sync_by(void **state)
{
    bench *b = *state;
    b->options.sync = EM_SYNC_FULL;
    bench_open(b);
    trap_set(&b->trap, (trap){.call = "clock", .about = "monotonic", .times = -1, .error = EINVAL});
    check_status("change", bench_change(b, "a.txt", "two", "2"), EM_OK);
    assert_int_equal(em_ws_due_ms(b->ws), 0);
    assert_int_equal(sync_history(b).count, 0);
    assert_int_equal(em_ws_due_ms(b->ws), -1);
}

/* Rows that are not to be kept go with the old file, whatever is synced. */
static void test_syncs_without_history(void **state)
{
    bench *b = *state;
    static const em_sync syncs[] = {EM_SYNC_OFF, EM_SYNC_FULL};
    b->options.no_history = true;
    for (size_t i = 0; i < COUNT_OF(syncs); i++) {
        bench_disarm(b);
        b->options.sync = syncs[i];
        scratch_put(b->root, "a.txt", old_text);
        change(b);
        trap *synced = trap_set(&b->trap, (trap){.call = "sync", .about = "root", .times = -1});
        assert_int_equal(settle(b, true).count, 0);
        assert_int_equal(synced->caught > 0, syncs[i] == EM_SYNC_FULL);
        check_clean(b);
        assert_int_equal(bench_rows(b, EM_ROW_DONE), 0);
        bench_close(b);
    }
}

/* Memory for telling of the first ends: the second is looked at all the same. */
static void test_memory_for_telling_ends(void **state)
{
    bench *b = *state;
    em_warnings warnings = {0};
    scratch_put(b->root, "b.txt", old_text);
    change(b);
    write_late(b);
    check_status("change", bench_change(b, "b.txt", "two", "2"), EM_OK);
    scratch_put(b->root, bench_row(b).temp, "late\n");
    memory_ends_at(1);
    em_status status = em_ws_end_grace(b->ws, true, &b->arena, &warnings);
    memory_ends_at(0);
    check_status("end grace", status, EM_E_NOMEM);
    assert_int_equal(bench_rows(b, EM_ROW_GRACE), 0);
    assert_int_equal(bench_strays(b, "."), 2); /* both are kept */
}

/* ---- Large ones ----------------------------------------------------------------------------- */

/* That is what another thread is worth. */
enum { LARGE = 3 << 20 };

static void put_large(bench *b)
{
    char *text = malloc(LARGE + 1);
    assert_non_null(text);
    memset(text, 'x', LARGE);
    memcpy(text, old_text, sizeof old_text - 1);
    text[LARGE - 1] = '\n';
    text[LARGE] = '\0';
    scratch_put(b->root, "a.txt", text);
    free(text);
}

static void change_large(bench *b)
{
    put_large(b);
    b->options.grace_ms = 1;
    check_status("change", bench_change(b, "a.txt", "two", "2"), EM_OK);
    assert_int_equal(b->ws->kept_count, 1);
}

/* As a server does until nothing is kept. */
static em_warnings settle_all(bench *b)
{
    em_warnings warnings = {0};
    for (long due; (due = em_ws_due_ms(b->ws)) >= 0;) {
        assert_in_range(due, 0, 10);
        usleep((unsigned)due * 1000);
        check_status("end grace", em_ws_end_grace(b->ws, false, &b->arena, &warnings), EM_OK);
    }
    assert_int_equal(b->ws->kept_count, 0);
    return warnings;
}

static sem_t may_go_on;

static void wait_to_go_on(void *context)
{
    (void)context;
    while (sem_wait(&may_go_on) != 0)
        continue;
}

/* Another thread looks at it, while changes are made; one that is due later stays, too. */
static void test_a_large_one_is_not_waited_for(void **state)
{
    bench *b = *state;
    cpu_set_t others;
    change_large(b);
    sem_init(&may_go_on, 0, em_other_processors(&others) ? 0 : 1);
    trap *removed =
        trap_set(&b->trap, (trap){.call = "unlink", .about = ".emend-", .hook = wait_to_go_on});
    usleep(2000);
    assert_int_equal(em_ws_due_ms(b->ws), 0);
    settle(b, false);
    if (em_other_processors(&others)) {
        assert_in_range(em_ws_due_ms(b->ws), 1, 10);
        scratch_put(b->root, "b.txt", old_text);
        check_status("change", bench_change(b, "b.txt", "two", "2"), EM_OK);
        usleep(2000);
        settle(b, false);
        assert_int_equal(b->ws->kept_count, 2);
        sem_post(&may_go_on);
    }
    assert_int_equal(settle_all(b).count, 0);
    assert_int_equal(removed->caught, 1);
    assert_int_equal(bench_rows(b, EM_ROW_GRACE), 0);
    check_clean(b);
    sem_destroy(&may_go_on);
}

static void open_large(bench *b, em_intent intent)
{
    em_file file;
    check_status(
        "open", em_ws_open_file(b->ws, "a.txt", intent, EM_MAY_BE_LARGE, 0, &file, &b->err), EM_OK);
    assert_true(file.is_large);
    em_file_close(b->ws, &file);
}

static void *let_go_on(void *unused)
{
    (void)unused;
    usleep(20000);
    sem_post(&may_go_on);
    return NULL;
}

/* Who is about to write much waits for it, and nobody else. What was found is recorded in its turn.
 */
static void test_a_large_one_is_awaited(void **state)
{
    bench *b = *state;
    cpu_set_t others;
    pthread_t thread;
    b->options.large.from = 1 << 20;
    change_large(b);
    sem_init(&may_go_on, 0, em_other_processors(&others) ? 0 : 1);
    trap *removed =
        trap_set(&b->trap, (trap){.call = "unlink", .about = ".emend-", .hook = wait_to_go_on});
    usleep(2000);
    settle(b, false);
    open_large(b, EM_TO_PREVIEW);
    assert_int_equal(pthread_create(&thread, NULL, let_go_on, NULL), 0);
    open_large(b, EM_TO_CHANGE);
    assert_int_equal(bench_strays(b, "."), 0);
    assert_int_equal(removed->caught, 1);
    assert_int_equal(settle_all(b).count, 0);
    assert_int_equal(bench_row(b).state, EM_ROW_NAMED);
    pthread_join(thread, NULL);
    sem_destroy(&may_go_on);
}

static void test_a_late_write_to_a_large_one(void **state)
{
    bench *b = *state;
    change_large(b);
    write_late(b);
    em_warnings warnings = settle_all(b);
    assert_int_equal(warnings.count, 1);
    assert_non_null(strstr(warnings.items[0], bench_stray(b, ".")));
    assert_int_equal(bench_row(b).state, EM_ROW_DONE);
    check_text(b, bench_stray(b, "."), "late\n");
}

/* Who closes waits for the other thread. */
static void test_a_large_one_when_closed(void **state)
{
    bench *b = *state;
    change_large(b);
    usleep(2000);
    settle(b, false);
    bench_close(b);
    check_clean(b);
    assert_int_equal(bench_row(b).state, EM_ROW_NAMED);
}

static void test_settling_a_large_one_fails(void **state)
{
    bench *b = *state;
    change_large(b);
    trap *looked = trap_set(&b->trap, (trap){.call = "unlink", .about = ".emend-", .error = EIO});
    assert_int_equal(settle_all(b).count, 0);
    assert_int_equal(looked->caught, 1);
    assert_int_equal(bench_rows(b, EM_ROW_GRACE), 1); /* recovery does it */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_a_large_one_is_not_waited_for),
        BENCH_TEST(test_a_large_one_is_awaited),
        BENCH_TEST(test_a_late_write_to_a_large_one),
        BENCH_TEST(test_a_large_one_when_closed),
        BENCH_TEST(test_settling_a_large_one_fails),
        BENCH_TEST(test_kept_and_settled),
        BENCH_TEST(test_settled_below_a_folder),
        BENCH_TEST(test_hard_links_do_not_wait),
        BENCH_TEST(test_settled_when_due),
        BENCH_TEST(test_settled_when_closed),
        BENCH_TEST(test_a_late_write),
        BENCH_TEST(test_a_late_write_when_closed),
        BENCH_TEST(test_no_grace),
        BENCH_TEST(test_others_leave_it),
        BENCH_TEST(test_others_leave_what_seems_pending),
        BENCH_TEST(test_others_leave_it_in_a_folder_that_was_moved),
        BENCH_TEST(test_others_leave_the_rest),
        BENCH_TEST(test_the_lock_fails),
        BENCH_TEST(test_many),
        BENCH_TEST(test_room_is_made_when_due),
        BENCH_TEST(test_others_keep_all),
        BENCH_TEST(test_a_late_write_among_many),
        BENCH_TEST(test_without_history),
        BENCH_TEST(test_settling_fails),
        BENCH_TEST(test_the_clock_fails),
        BENCH_TEST(test_an_old_file_that_is_gone),
        BENCH_TEST(test_memory_may_end),
        BENCH_TEST(test_recovery),
        BENCH_TEST(test_recovery_of_a_late_write),
        BENCH_TEST(test_the_history_is_synced_soon),
        BENCH_TEST(test_nothing_is_synced_otherwise),
        BENCH_TEST(test_the_history_is_synced_before_the_old_file_goes),
        BENCH_TEST(test_a_history_that_cannot_be_synced),
        BENCH_TEST(test_settling_without_sync),
        BENCH_TEST(test_settling_below_without_sync),
        BENCH_TEST(test_an_old_file_that_is_due_first),
        BENCH_TEST(test_no_clock_to_sync_by),
        BENCH_TEST(test_syncs_without_history),
        BENCH_TEST(test_memory_for_telling_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

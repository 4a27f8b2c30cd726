#include "workspace/recover_txn.h"

#include "several.h"
#include "unit/sanitized.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const several_part two_edits[] = {
    {.path = "a.txt", .old = "two", .new = "2"},
    {.path = "below/b.txt", .old = "five", .new = "5"},
    {.path = NULL},
};

static const trap before_second = {.call = "exchange", .about = "b.txt"};
static const trap after_commit = {.call = "unlink", .about = ".emend-"};

/* Two files whose change a process has left: `where` it died. */
static void leave(bench *b, trap where)
{
    if (!scratch_has(b->root, "below"))
        scratch_folder(b->root, "below");
    scratch_put(b->root, "a.txt", "one two three\n");
    scratch_put(b->root, "below/b.txt", "four five six\n");
    several_die(b, two_edits, where);
    assert_int_equal(several_journals(b), 1);
}

static void check_files(bench *b, const char *a, const char *below)
{
    check_text(b, "a.txt", a);
    check_text(b, "below/b.txt", below);
}

static void check_old(bench *b)
{
    check_files(b, "one two three\n", "four five six\n");
    check_settled(b);
}

static void check_new(bench *b)
{
    check_files(b, "one 2 three\n", "four 5 six\n");
    check_settled(b);
}

static em_recovery recover(bench *b, em_recover_options options)
{
    em_recovery recovery;
    check_status("recover", em_recover(bench_open(b), &options, &b->arena, &recovery, &b->err),
                 EM_OK);
    return recovery;
}

static em_recovery recover_all(bench *b)
{
    return recover(b, (em_recover_options){0});
}

static void check_ends(const em_recovery *recovery, size_t count, em_recovery_end end)
{
    assert_int_equal(recovery->count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(recovery->items[i].end, end);
}

static em_status opened(bench *b, const char *path, em_intent intent)
{
    em_file file;
    b->err = EM_ERROR_INIT;
    em_status status = em_ws_open_file(bench_open(b), path, intent, 0, 0, &file, &b->err);
    em_file_close(b->ws, &file);
    return status;
}

static em_status preview(bench *b, const char *path)
{
    return opened(b, path, EM_TO_PREVIEW);
}

/* The only journal: its path. */
static const char *journal_path(bench *b)
{
    DIR *dir = opendir(scratch_path(b->state, "journal"));
    const char *path = NULL;
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.')
            path = em_arena_format(&b->arena, "%s/journal/%s", b->state, entry->d_name);
    closedir(dir);
    return path;
}

/* ---- As it should go ----------------------------------------------------------------------- */

static void test_both_ways(void **state)
{
    bench *b = *state;
    leave(b, before_second);
    em_recovery recovery = recover_all(b);
    check_ends(&recovery, 2, EM_RECOVERED_UNDONE);
    assert_string_equal(recovery.items[0].txn, recovery.items[1].txn);
    assert_string_equal(recovery.items[0].client, "client");
    check_old(b);
    leave(b, after_commit);
    recovery = recover_all(b);
    check_ends(&recovery, 2, EM_RECOVERED_DONE);
    check_new(b);
    recovery = recover_all(b);
    assert_int_equal(recovery.count, 0);
}

/* The next change settles it, and says so. */
static void test_before_a_change(void **state)
{
    bench *b = *state;
    leave(b, before_second);
    check_status("change", bench_change(b, "c.txt", NULL, "c\n"), EM_OK);
    assert_true(bench_warned(b, "A change of 2 files that was interrupted earlier was undone"));
    check_old(b);
    unlink(scratch_path(b->root, "c.txt"));
    leave(b, after_commit);
    check_status("change", bench_change(b, "c.txt", NULL, "c\n"), EM_OK);
    assert_true(bench_warned(b, "A change of 2 files that was interrupted earlier was completed"));
    check_new(b);
}

static void test_it_is_listed(void **state)
{
    bench *b = *state;
    em_recovery waiting;
    leave(b, before_second);
    for (int with_history = 1; with_history >= 0; with_history--) {
        if (!with_history)
            assert_int_equal(unlink(scratch_path(b->state, EM_HISTORY_NAME)), 0);
        check_status("list", em_recover_list(bench_open(b), false, &b->arena, &waiting, &b->err),
                     EM_OK);
        check_ends(&waiting, 2, EM_RECOVERY_NOT_TRIED);
        assert_non_null(waiting.items[0].txn);
        bench_close(b);
    }
}

/* By its name, or the name or number of one of its rows. */
static void test_it_is_named(void **state)
{
    bench *b = *state;
    for (int how = 0; how < 3; how++) {
        em_recovery waiting, recovery;
        em_recover_options options = {0};
        leave(b, before_second);
        check_status("list", em_recover_list(bench_open(b), false, &b->arena, &waiting, &b->err),
                     EM_OK);
        const em_recovered *first = &waiting.items[0];
        options.id = how == 0   ? first->txn
                     : how == 1 ? first->id
                                : em_arena_format(&b->arena, "%ld", strtol(first->id, NULL, 10));
        recovery = recover(b, options);
        check_ends(&recovery, 2, EM_RECOVERED_UNDONE);
        check_old(b);
        em_recover_options other = {.id = "0000000000000000"};
        check_status("another", em_recover(b->ws, &other, &b->arena, &recovery, &b->err),
                     EM_E_NOT_FOUND);
        bench_close(b);
    }
}

/* The history was lost, or moved away: the journal alone says enough. */
static void test_without_a_history(void **state)
{
    bench *b = *state;
    leave(b, before_second);
    assert_int_equal(unlink(scratch_path(b->state, EM_HISTORY_NAME)), 0);
    em_recovery recovery = recover_all(b);
    check_ends(&recovery, 2, EM_RECOVERED_UNDONE);
    check_files(b, "one two three\n", "four five six\n");
    assert_int_equal(bench_strays(b, "."), 0);
    leave(b, after_commit);
    assert_int_equal(unlink(scratch_path(b->state, EM_HISTORY_NAME)), 0);
    check_status("change", bench_change(b, "c.txt", NULL, "c\n"), EM_OK);
    check_new(b);
}

/* An old journal that has come back, from a backup or with the power, undoes nothing that the
 * history has as made. */
static void test_an_old_journal(void **state)
{
    bench *b = *state;
    leave(b, before_second);
    const char *journal = journal_path(b), *kept = scratch_path(b->base, "kept");
    assert_int_equal(rename(journal, kept), 0);
    bench_sql(b, "UPDATE commits SET state = 2");
    assert_int_equal(rename(kept, journal), 0);
    em_recovery recovery = recover_all(b);
    assert_int_equal(recovery.count, 0);
    check_files(b, "one 2 three\n", "four five six\n"); /* as they were left */
    assert_int_equal(several_journals(b), 0);
}

/* Rows without a journal: their process died before anything was exchanged. */
static void test_no_journal_yet(void **state)
{
    bench *b = *state;
    scratch_folder(b->root, "below");
    scratch_put(b->root, "below/b.txt", "four five six\n");
    scratch_put(b->root, "gone.txt", "gone\n");
    const several_part parts[] = {
        {.path = "a.txt", .old = "two", .new = "2"},
        {.path = "below/b.txt", .old = "five", .new = "5"},
        {.path = "gone.txt", .old = ""},
        {.path = "new/c.txt", .new = "c\n"},
        {.path = NULL},
    };
    several_die(b, parts, (trap){.call = "link", .about = ".prepared"});
    assert_int_equal(bench_strays(b, "."), 2); /* of a.txt, and of new/c.txt */
    em_recovery recovery = recover_all(b);
    check_ends(&recovery, 4, EM_RECOVERED_UNDONE);
    check_old(b);
    check_text(b, "gone.txt", "gone\n");
    assert_false(scratch_has(b->root, "new"));
}

/* Where syncs are left out, a power cut may take the journal alone. Then each file is made whole by
 * itself, and nothing is lost. */
static void test_the_journal_was_lost(void **state)
{
    bench *b = *state;
    scratch_folder(b->root, "below");
    scratch_put(b->root, "below/b.txt", "four five six\n");
    scratch_put(b->root, "gone.txt", "gone\n");
    const several_part parts[] = {
        {.path = "a.txt", .old = "two", .new = "2"},
        {.path = "gone.txt", .old = ""},
        {.path = "below/b.txt", .old = "five", .new = "5"},
        {.path = NULL},
    };
    several_die(b, parts, before_second);
    assert_int_equal(unlink(journal_path(b)), 0);
    em_recovery recovery = recover_all(b);
    assert_int_equal(recovery.count, 3);
    check_files(b, "one 2 three\n", "four five six\n");
    check_text(b, "gone.txt", "gone\n");
    check_settled(b);
}

/* A journal that was begun, and its process died. */
static void test_never_written(void **state)
{
    bench *b = *state;
    leave(b, before_second);
    recover_all(b);
    bench_close(b);
    const char *folder = em_arena_format(&b->arena, "%s/journal", b->state);
    scratch_put(folder, "0123456789abcdef.writing", "emend jour");
    check_status("change", bench_change(b, "c.txt", NULL, "c\n"), EM_OK);
    assert_int_equal(several_journals(b), 0);
    scratch_put(folder, "0123456789abcdef.writing", "");
    recover_all(b);
    assert_int_equal(several_journals(b), 0);
}

/* ---- What stands in the way ---------------------------------------------------------------- */

static void test_it_is_at_work(void **state)
{
    bench *b = *state;
    em_file held;
    leave(b, before_second);
    b->options.lock_timeout_ms = 0;
    em_workspace *other = bench_open(b);
    const char *path = journal_path(b), *kept = scratch_path(b->base, "kept");
    assert_int_equal(rename(path, kept), 0); /* or this would end it */
    bench_sql(b, "UPDATE commits SET state = 3");
    check_status("hold", em_ws_open_file(other, "below/b.txt", EM_TO_CHANGE, 0, 0, &held, &b->err),
                 EM_OK);
    assert_int_equal(rename(kept, path), 0);
    bench_sql(b, "UPDATE commits SET state = 0");
    b->ws = NULL;
    em_recovery recovery = recover_all(b);
    check_ends(&recovery, 2, EM_LEFT_HELD);
    check_status("its file", bench_change(b, "a.txt", "2", "x"), EM_E_TIMEOUT);
    check_status("another", bench_change(b, "c.txt", NULL, "c\n"), EM_OK);
    assert_null(b->ws->locks.first);
    em_file_close(other, &held);
    em_ws_free(other);
    check_status("its file", bench_change(b, "a.txt", "two", "zwei"), EM_OK);
    check_files(b, "one zwei three\n", "four five six\n");
    check_settled(b);
}

static unsigned slot_of(const char *folder, const char *name)
{
    struct stat st;
    assert_int_equal(stat(folder, &st), 0);
    return em_lock_slot(st.st_ino, name);
}

/* A server ends only what lies inside its roots, and not a part of it. */
static void test_outside_the_roots(void **state)
{
    bench *b = *state;
    char below[SCRATCH_PATH];
    leave(b, before_second);
    strcpy(below, scratch_path(b->root, "below"));
    b->roots[0] = below;
    em_recovery recovery = recover_all(b);
    assert_int_equal(recovery.count, 0);
    check_status("its file", bench_change(b, "b.txt", "five", "x"), EM_E_UNSETTLED);
    check_detail(b, "emend recover --all");
    check_status("a dry run", preview(b, "b.txt"), EM_E_UNSETTLED);
    check_detail(b, "emend recover --all");
    unsigned slot = slot_of(below, "b.txt");
    check_status("hold", em_lock_take(&b->ws->locks, slot, 0, &b->err), EM_OK);
    check_status("it is at work", preview(b, "b.txt"), EM_OK);
    em_lock_release(&b->ws->locks, slot);
    check_status("another", bench_change(b, "c.txt", NULL, "c\n"), EM_OK);
    recovery = recover(b, (em_recover_options){.all = true});
    check_ends(&recovery, 2, EM_RECOVERED_UNDONE);
    b->roots[0] = b->root;
    bench_close(b);
    check_old(b);
}

static void test_out_of_reach(void **state)
{
    bench *b = *state;
    leave(b, before_second);
    char away[SCRATCH_PATH], below[SCRATCH_PATH];
    strcpy(below, scratch_path(b->root, "below"));
    strcpy(away, scratch_path(b->base, "away"));
    assert_int_equal(rename(below, away), 0);
    em_recovery recovery = recover_all(b);
    assert_int_equal(recovery.count, 2);
    assert_int_equal(recovery.items[0].end, EM_RECOVERED_UNDONE);
    assert_int_equal(recovery.items[1].end, EM_LEFT_UNREACHABLE);
    check_text(b, "a.txt", "one two three\n");
    check_status("the other", bench_change(b, "a.txt", "two", "zwei"), EM_OK);
    assert_int_equal(rename(away, below), 0);
    recovery = recover_all(b);
    check_ends(&recovery, 1, EM_RECOVERED_UNDONE);
    check_files(b, "one zwei three\n", "four five six\n");
    check_settled(b);
    /* Or it never comes back. */
    leave(b, before_second);
    assert_int_equal(rename(below, away), 0);
    recover_all(b);
    recovery = recover_all(b);
    const char *id = recovery.items[0].id;
    scratch_link(b->root, "below", away); /* what it left is in sight, but by no way of ours */
    recovery = recover(b, (em_recover_options){.id = id, .keep = EM_KEEP_TARGET});
    check_ends(&recovery, 1, EM_LEFT_UNREACHABLE);
    assert_non_null(strstr(recovery.items[0].detail, "a link"));
    unlink(below);
    recovery = recover(b, (em_recover_options){.id = id, .keep = EM_KEEP_TARGET});
    check_ends(&recovery, 1, EM_RECOVERED_FORGOTTEN);
    assert_int_equal(several_journals(b), 0);
    assert_int_equal(bench_rows(b, EM_ROW_PENDING), 0);
}

/* Its folder is not there, or another is, and that cannot be searched: nothing is concluded. Nor is
 * there another content to choose. */
static void test_out_of_sight(void **state)
{
    bench *b = *state;
    for (int copied = 0; copied < 2; copied++) {
        leave(b, before_second);
        recover_all(b);
        leave(b, before_second);
        const char *temp = em_arena_string(&b->arena, em_slice_of(bench_stray(b, "below")));
        scratch_drop(scratch_path(b->root, "below"));
        if (copied)
            scratch_folder(b->root, "below");
        trap_set(&b->trap, (trap){.call = "stat", .about = temp, .times = -1, .error = EIO});
        em_recovery recovery = recover(b, (em_recover_options){.keep = EM_KEEP_TARGET});
        assert_int_equal(recovery.items[recovery.count - 1].end, EM_LEFT_UNREADABLE);
        bench_disarm(b);
        recovery = recover(b, (em_recover_options){.keep = EM_KEEP_STRAY});
        check_ends(&recovery, 1, EM_LEFT_UNREACHABLE);
        recovery = recover(b, (em_recover_options){.keep = EM_KEEP_TARGET});
        check_ends(&recovery, 1, EM_RECOVERED_FORGOTTEN);
        assert_int_equal(several_journals(b), 0);
    }
}

/* It was made; where its folder is by now does not change that. */
static void test_made_and_out_of_reach(void **state)
{
    bench *b = *state;
    leave(b, after_commit);
    scratch_drop(scratch_path(b->root, "below"));
    em_recovery recovery = recover_all(b);
    assert_int_equal(recovery.items[1].end, EM_LEFT_UNREACHABLE);
    recovery = recover(b, (em_recover_options){.keep = EM_KEEP_TARGET});
    check_ends(&recovery, 1, EM_RECOVERED_DONE);
    assert_int_equal(several_journals(b), 0);
    assert_int_equal(bench_rows(b, EM_ROW_PENDING), 0);
    assert_int_equal(bench_rows(b, EM_ROW_DONE), 2);
}

/* The call that is undone made folders for its file: they go with it, if it was the last to do so,
 * and in this boot: what came since is not its own. */
static void test_folders_of_what_is_undone(void **state)
{
    bench *b = *state;
    static const several_part removal[] = {{.path = "d/e/x.txt", .old = "x"}, {.path = NULL}};
    static const trap before_end = {.call = "unlink", .about = ".committed"};
    static const struct {
        const trap *where;
        const char *boot, *sql;
        bool goes;
    } cases[] = {
        {&after_commit, NULL, "SELECT 1", true},
        {&after_commit, "another", "SELECT 1", true},
        {&before_end, NULL, "SELECT 1", true},
        {&before_end, "another", "SELECT 1", false},
        {&after_commit, NULL, "UPDATE commits SET path = 'd/e/y.txt' WHERE kind = 1", false},
        {&after_commit, NULL, "UPDATE commits SET role = 0", false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bench_disarm(b);
        check_status("make", bench_change(b, "d/e/x.txt", NULL, "x"), EM_OK);
        several_die(b, removal, *cases[i].where);
        bench_disarm(b);
        bench_sql(b, "UPDATE commits SET call = 'made' WHERE kind = 1");
        bench_sql(b, "UPDATE commits SET call = 'gone', role = 1 WHERE kind = 3");
        bench_sql(b, "INSERT OR REPLACE INTO undone VALUES('made', 'gone', 1, 2)");
        bench_sql(b, cases[i].sql);
        check_status("ready", em_ws_state(bench_open(b), true, &b->err), EM_OK);
        if (cases[i].boot)
            snprintf(b->ws->state.boot, sizeof b->ws->state.boot, "%s", cases[i].boot);
        recover_all(b);
        if (scratch_has(b->root, "d") != !cases[i].goes)
            fail_msg("case %zu", i);
        bench_close(b);
        bench_sql(b, "DELETE FROM commits");
        if (!cases[i].goes)
            scratch_drop(scratch_path(b->root, "d"));
    }
}

/* A copy is in the place of a folder: it is gone into when a person says so. */
static void test_a_copy_of_a_folder(void **state)
{
    bench *b = *state;
    char away[SCRATCH_PATH], below[SCRATCH_PATH];
    b->options.sync = EM_SYNC_FULL;
    leave(b, before_second);
    strcpy(below, scratch_path(b->root, "below"));
    strcpy(away, scratch_path(b->base, "away"));
    const char *temp = em_arena_string(&b->arena, em_slice_of(bench_stray(b, "below")));
    assert_int_equal(rename(below, away), 0);
    scratch_folder(b->root, "below");
    scratch_put(b->root, "below/b.txt", "theirs\n");
    scratch_put(b->root, em_arena_format(&b->arena, "below/%s", temp), "others\n");
    em_recovery recovery = recover_all(b);
    assert_int_equal(recovery.items[0].end, EM_RECOVERED_UNDONE);
    assert_int_equal(recovery.items[1].end, EM_LEFT_UNREACHABLE);
    assert_true(recovery.items[1].in_other);
    recovery = recover(b, (em_recover_options){.id = recovery.items[1].id, .keep = EM_KEEP_TARGET});
    check_ends(&recovery, 1, EM_RECOVERED_UNDONE);
    check_files(b, "one two three\n", "theirs\n");
    check_settled(b);
}

/* A late write to the old file is kept, and told. */
static void test_somebody_wrote_to_the_old_file(void **state)
{
    bench *b = *state;
    leave(b, after_commit);
    const char *stray = bench_stray(b, ".");
    scratch_put(b->root, stray, "late\n");
    em_recovery recovery = recover_all(b);
    assert_int_equal(recovery.count, 2);
    assert_int_equal(recovery.items[0].end, EM_RECOVERED_KEPT);
    assert_non_null(strstr(recovery.items[0].stray, stray));
    check_files(b, "one 2 three\n", "four 5 six\n");
    check_text(b, stray, "late\n");
    assert_int_equal(several_journals(b), 0);
    assert_int_equal(bench_rows(b, EM_ROW_GRACE), 0);
    unlink(scratch_path(b->root, stray));
    leave(b, after_commit);
    scratch_put(b->root, bench_stray(b, "."), "late\n");
    bench_close(b);
    check_status("change", bench_change(b, "c.txt", NULL, "c\n"), EM_OK);
    assert_true(bench_warned(b, "wrote to it afterwards; that content is kept as"));
}

/* ---- Journals that cannot be read ---------------------------------------------------------- */

static void test_damaged(void **state)
{
    bench *b = *state;
    em_recovery waiting;
    leave(b, before_second);
    const char *path = journal_path(b);
    FILE *file = fopen(path, "r+e");
    assert_true(file && fputs("nonsense", file) >= 0 && fclose(file) == 0);
    em_recovery recovery = recover_all(b);
    check_ends(&recovery, 2, EM_LEFT_DAMAGED);
    assert_non_null(strstr(recovery.items[0].detail, "damaged"));
    assert_non_null(recovery.items[0].txn);
    check_status("a dry run", preview(b, "a.txt"), EM_E_UNSETTLED);
    check_detail(b, "damaged");
    check_status("one of another", preview(b, "beside.txt"), EM_E_NOT_FOUND);
    check_status("its file", bench_change(b, "a.txt", "2", "x"), EM_E_UNSETTLED);
    check_detail(b, "damaged");
    check_status("another", bench_change(b, "c.txt", NULL, "c\n"), EM_OK);
    check_status("list", em_recover_list(b->ws, false, &b->arena, &waiting, &b->err), EM_OK);
    check_ends(&waiting, 2, EM_RECOVERY_NOT_TRIED);
    /* A person says that what is there stays: then each file is made whole by itself. */
    recovery =
        recover(b, (em_recover_options){.id = recovery.items[0].txn, .keep = EM_KEEP_TARGET});
    assert_int_equal(recovery.count, 2);
    check_files(b, "one 2 three\n", "four five six\n");
    check_clean(b);
    assert_int_equal(several_journals(b), 1); /* kept as .damaged */
    check_status("its file", bench_change(b, "a.txt", "2", "x"), EM_OK);
}

/* And nothing tells what it is about: then it may be any file. */
static void test_damaged_and_unknown(void **state)
{
    bench *b = *state;
    em_recovery waiting;
    leave(b, before_second);
    scratch_put(scratch_path(b->state, "journal"), strrchr(journal_path(b), '/') + 1, "x");
    assert_int_equal(unlink(scratch_path(b->state, EM_HISTORY_NAME)), 0);
    check_status("any file", bench_change(b, "c.txt", NULL, "c\n"), EM_E_UNSETTLED);
    check_detail(b, "cut off");
    check_status("a dry run", preview(b, "a.txt"), EM_E_UNSETTLED);
    check_detail(b, "cut off");
    check_status("list", em_recover_list(b->ws, false, &b->arena, &waiting, &b->err), EM_OK);
    check_ends(&waiting, 1, EM_LEFT_DAMAGED);
    em_recovery recovery = recover_all(b);
    check_ends(&recovery, 1, EM_LEFT_DAMAGED);
    assert_string_equal(recovery.items[0].path, "");
    recover(b, (em_recover_options){.id = recovery.items[0].txn, .keep = EM_KEEP_TARGET});
    check_status("any file", bench_change(b, "c.txt", NULL, "c\n"), EM_OK);
}

/* ---- Failures ------------------------------------------------------------------------------ */

/* Whatever fails, the next recovery ends it. */
static void test_failing_calls(void **state)
{
    bench *b = *state;
    static const struct {
        const char *call, *about;
        int skip;
    } cases[] = {
        {"open", "=journal", 0},    {"list", "", 0},          {"stat", ".committed", 0},
        {"open", ".prepared", 0},   {"stat", ".prepared", 1}, {"open", "=below/", 0},
        {"stat", "$/below", 0},     {"exchange", "a.txt", 0}, {"unlink", ".emend-", 0},
        {"unlink", ".prepared", 0}, {"sync", "root", 0},      {"sync", "$/below", 0},
        {"sync", "$/journal", 0},   {"lock", "locks", 0},     {"open", "history.db", 0},
        {"stat", "root", 0},        {"open", ".emend-", 0},
    };
    b->options.sync = EM_SYNC_FULL;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_recovery recovery;
        em_recover_options options = {0};
        bench_disarm(b);
        leave(b, before_second);
        bench_open(b);
        trap *set = trap_set(&b->trap, (trap){.call = cases[i].call,
                                              .about = cases[i].about,
                                              .skip = cases[i].skip,
                                              .error = EIO});
        em_status status = em_recover(b->ws, &options, &b->arena, &recovery, &b->err);
        assert_true(status == EM_OK || status == EM_E_IO);
        if (set->caught == 0)
            fail_msg("%s %s was not called", cases[i].call, cases[i].about);
        bench_disarm(b);
        recover_all(b);
        check_old(b);
        assert_int_equal(bench_rows(b, EM_ROW_DONE), 0);
    }
}

/* Where each call is interrupted as well, one request in five is enough; and with the sanitizers,
 * for which each dead process is a large one, one in five of those that they try elsewhere. */
static long memory_stride(const bench *b)
{
    return CASE_STRIDE * CASE_STRIDE * (b->trap.stutters ? 5 : 1);
}

static void test_memory_may_end(void **state)
{
    bench *b = *state;
    static const trap *const wheres[] = {&before_second, &after_commit};
    for (size_t i = 0; i < COUNT_OF(wheres); i++) {
        bool more = true;
        for (long at = 1; more; at += memory_stride(b)) {
            EM_AUTO(em_arena) arena = {0};
            em_recovery recovery;
            em_recover_options options = {0};
            leave(b, *wheres[i]);
            bench_open(b);
            memory_ends_at(at);
            em_status status = em_recover(b->ws, &options, &arena, &recovery, &b->err);
            more = memory_ended();
            memory_ends_at(0);
            assert_true(status == EM_OK || status == EM_E_NOMEM);
            recover_all(b);
            if (wheres[i] == &before_second)
                check_old(b);
            else
                check_new(b);
        }
    }
}

/* ---- What few meet ------------------------------------------------------------------------- */

/* Where the journal lies, and where it is put meanwhile. */
typedef struct hidden {
    bench *bench;
    const char *path, *away;
} hidden;

static hidden journal_hidden(bench *b)
{
    hidden h = {b, journal_path(b), em_arena_format(&b->arena, "%s/away", b->base)};
    return h;
}

static void hide(void *context)
{
    const hidden *h = context;
    assert_int_equal(rename(h->path, h->away), 0);
}

static void show(void *context)
{
    const hidden *h = context;
    assert_int_equal(rename(h->away, h->path), 0);
}

/* Its journal comes when one of its rows was found that nothing spoke for: then that is left alone
 * for now. */
static void test_its_journal_comes(void **state)
{
    bench *b = *state;
    leave(b, before_second);
    hidden h = journal_hidden(b);
    hide(&h);
    bench_open(b);
    trap_set(&b->trap, (trap){.call = "lock", .about = "locks/", .hook = show, .context = &h});
    em_recovery recovery = recover_all(b);
    check_ends(&recovery, 1, EM_LEFT_HELD);
    check_files(b, "one 2 three\n", "four five six\n"); /* as they were left */
    recovery = recover_all(b);
    check_ends(&recovery, 2, EM_RECOVERED_UNDONE);
    check_old(b);
}

/* It goes between finding and reading it, or before all locks are there: then its rows speak for
 * themselves. */
static void test_its_journal_goes(void **state)
{
    bench *b = *state;
    static const struct {
        const char *call, *about;
    } cases[] = {{"lock", "locks/"}, {"open", ".prepared"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        leave(b, before_second);
        hidden h = journal_hidden(b);
        bench_open(b);
        trap *set = trap_set(
            &b->trap,
            (trap){.call = cases[i].call, .about = cases[i].about, .hook = hide, .context = &h});
        em_recovery recovery = recover_all(b);
        assert_int_equal(set->caught, 1);
        assert_int_equal(recovery.count, 2);
        check_files(b, "one 2 three\n", "four five six\n"); /* each is whole */
        check_settled(b);
        bench_disarm(b);
        bench_close(b);
    }
}

/* Its files lie in two roots, or in the first of two. */
static void test_two_roots(void **state)
{
    bench *b = *state;
    leave(b, before_second);
    b->roots[1] = b->base;
    b->options.root_count = 2;
    em_recovery recovery = recover_all(b);
    check_ends(&recovery, 2, EM_RECOVERED_UNDONE);
    check_old(b);
}

static void damage_all(bench *b)
{
    const char *folder = em_arena_format(&b->arena, "%s/journal", b->state);
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        if (entry->d_name[0] != '.')
            scratch_put(folder, entry->d_name, "x");
    closedir(dir);
}

/* Two damaged journals, a change of one file, and a row that is none: each is told by its own. */
static void test_several_wrecks(void **state)
{
    bench *b = *state;
    const several_part others[] = {{.path = "d.txt", .old = "d", .new = "D"},
                                   {.path = "e.txt", .old = "e", .new = "E"},
                                   {.path = NULL}};
    scratch_put(b->root, "c.txt", "one two three\n");
    scratch_put(b->root, "d.txt", "d\n");
    scratch_put(b->root, "e.txt", "e\n");
    leave(b, before_second);
    damage_all(b);
    several_die(b, others, (trap){.call = "exchange", .about = "e.txt"});
    damage_all(b);
    bench_disarm(b);
    bench_die(b, "c.txt", "two", "2", (trap){.call = "exchange", .about = "c.txt"});
    bench_disarm(b);
    bench_sql(b, "UPDATE commits SET path = '../x' WHERE id = 1");

    /* Of one of them the history knows nothing any more. */
    bench_sql(b, "DELETE FROM commits WHERE path = 'd.txt' OR path = 'e.txt'");

    em_recovery told;
    check_status("list", em_recover_list(bench_open(b), false, &b->arena, &told, &b->err), EM_OK);
    assert_int_equal(told.count, 3); /* a row of the first, the other journal, c.txt */
    em_recover_options nobody = {.id = "no such change"};
    check_status("nobody", em_recover(b->ws, &nobody, &b->arena, &told, &b->err), EM_E_NOT_FOUND);
    check_status("another file", bench_change(b, "f.txt", NULL, "f\n"), EM_E_UNSETTLED);

    /* The id of the one file's change names no transaction. */
    em_recovery waiting;
    check_status("list", em_recover_list(bench_open(b), false, &b->arena, &waiting, &b->err),
                 EM_OK);
    assert_true(waiting.count > 0);
    const char *id = NULL;
    for (size_t i = 0; i < waiting.count; i++)
        if (!waiting.items[i].txn)
            id = waiting.items[i].id;
    assert_non_null(id);
    em_recovery one = recover(b, (em_recover_options){.id = id});
    check_ends(&one, 1, EM_RECOVERED_UNDONE);
    check_text(b, "c.txt", "one two three\n");

    em_recovery all = recover_all(b);
    size_t damaged = 0;
    for (size_t i = 0; i < all.count; i++)
        damaged += all.items[i].end == EM_LEFT_DAMAGED;
    assert_int_equal(damaged, 2); /* the row that makes sense, and the other journal */
    assert_int_equal(all.count, 3);
    check_files(b, "one 2 three\n", "four five six\n");
    check_text(b, "d.txt", "D\n");
    check_status("list", em_recover_list(b->ws, false, &b->arena, &waiting, &b->err), EM_OK);

    /* Memory may end while that is told. */
    bool ended = true;
    for (long at = 1; ended; at++) {
        EM_AUTO(em_arena) arena = {0};
        em_recover_options options = {0};
        memory_ends_at(at);
        em_status status = em_recover(b->ws, &options, &arena, &all, &b->err);
        ended = memory_ended();
        memory_ends_at(0);
        check_status("recover", status, ended ? EM_E_NOMEM : EM_OK);
    }
}

/* The history was lost, and its numbers were given anew: its rows are others. */
static void test_other_rows_with_the_same_numbers(void **state)
{
    bench *b = *state;
    leave(b, before_second);
    bench_sql(b, "UPDATE commits SET token = token + 1, client = 'another'");
    em_recovery recovery = recover_all(b);
    assert_true(recovery.count >= 2);
    assert_string_not_equal(recovery.items[0].client ? recovery.items[0].client : "", "another");
    check_files(b, "one two three\n", "four five six\n");
}

/* Listing what only journals know: whatever fails is told, and nothing is touched. */
static void test_listing_fails(void **state)
{
    bench *b = *state;
    static const struct {
        const char *call, *about;
    } cases[] = {{"open", "=journal"},
                 {"list", "journal"},
                 {"stat", ".committed"},
                 {"stat", "$.prepared"},
                 {"stat", "locks"}};
    leave(b, before_second);
    for (int with_history = 1; with_history >= 0; with_history--) {
        em_recovery waiting;
        bool ended = true;
        if (!with_history)
            assert_int_equal(unlink(scratch_path(b->state, EM_HISTORY_NAME)), 0);
        for (size_t i = 0; i < COUNT_OF(cases); i++) {
            bench_close(b);
            bench_disarm(b);
            trap *set = trap_set(
                &b->trap, (trap){.call = cases[i].call, .about = cases[i].about, .error = EIO});
            em_status status = em_recover_list(bench_open(b), false, &b->arena, &waiting, &b->err);
            bool read_instead = strcmp(cases[i].about, "$.prepared") == 0;
            if (set->caught > 0 && !read_instead)
                check_status(cases[i].call, status, EM_E_IO);
            else
                check_status(cases[i].call, status, EM_OK);
            if (set->caught > 0 && read_instead)
                check_ends(&waiting, 1, EM_LEFT_DAMAGED);
        }
        bench_disarm(b);
        for (long at = 1; ended; at++) {
            EM_AUTO(em_arena) arena = {0};
            bench_close(b);
            bench_open(b);
            memory_ends_at(at);
            em_status status = em_recover_list(b->ws, false, &arena, &waiting, &b->err);
            ended = memory_ended();
            memory_ends_at(0);
            check_status("list", status, ended ? EM_E_NOMEM : EM_OK);
            if (!ended)
                check_ends(&waiting, 2, EM_RECOVERY_NOT_TRIED);
        }
        bench_close(b);
    }
    recover_all(b);
    check_files(b, "one two three\n", "four five six\n");
}

/* One of its files cannot be read before a change: others go on, and its files are refused. */
static void test_it_is_left_before_a_change(void **state)
{
    bench *b = *state;
    leave(b, before_second);
    trap_set(&b->trap, (trap){.call = "read", .about = ".emend-", .times = -1, .error = EIO});
    check_status("another", bench_change(b, "c.txt", NULL, "c\n"), EM_OK);
    check_status("its file", bench_change(b, "a.txt", "2", "x"), EM_E_UNSETTLED);
    check_detail(b, "Input/output error");
    bench_disarm(b);
    recover_all(b);
    check_old(b);
}

/* A dry run is refused where a change would be, because a person has to choose; it is not where the
 * change would only finish what is there, or take it back. Nothing is done either way. */
static void test_a_dry_run_beside_a_journal(void **state)
{
    bench *b = *state;
    static const struct {
        const trap *where;
        const char *a;
        em_status want;
    } cases[] = {
        {&before_second, "one 2 three\n", EM_OK},
        {&before_second, "one two three\n", EM_OK}, /* somebody put it back */
        {&before_second, "theirs\n", EM_E_UNSETTLED},
        {&after_commit, "theirs\n", EM_OK},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        leave(b, *cases[i].where);
        scratch_put(b->root, "a.txt", cases[i].a);
        const char *stray = bench_stray(b, ".");
        const char *was = bench_text(b, stray);
        check_status("dry run", preview(b, "a.txt"), cases[i].want);
        if (cases[i].want != EM_OK)
            check_detail(b, stray);
        check_status("the other", preview(b, "below/b.txt"), EM_OK);
        check_text(b, "a.txt", cases[i].a);
        check_text(b, stray, was);
        assert_int_equal(several_journals(b), 1);
        check_status("a change", opened(b, "a.txt", EM_TO_CHANGE), cases[i].want);
        recover(b, (em_recover_options){.keep = EM_KEEP_TARGET});
        check_settled(b);
        bench_close(b);
    }
}

static void test_a_dry_run_beside_a_journal_fails(void **state)
{
    bench *b = *state;
    static const trap_case cases[] = {{"open", "=journal", 0, EIO, EM_E_IO},
                                      {"list", "", 0, EIO, EM_E_IO},
                                      {"list", "", 1, EIO, EM_E_IO},
                                      {"stat", ".committed", 1, EIO, EM_E_IO},
                                      {"open", ".prepared", 1, EIO, EM_E_UNSETTLED},
                                      {"open", ".emend-", 0, EIO, EM_E_IO},
                                      {"open", "=a.txt", 1, EIO, EM_E_IO}};
    leave(b, before_second);
    scratch_put(b->root, "a.txt", "theirs\n");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bench_open(b);
        trap *caught = trap_set_case(&b->trap, &cases[i]);
        check_case(b, &cases[i], caught, preview(b, "a.txt"));
        bench_close(b);
        bench_disarm(b);
    }
    bool ended = true;
    for (long at = 1; ended; at++) {
        em_file file;
        bench_open(b);
        memory_ends_at(at);
        em_status status = em_ws_open_file(b->ws, "a.txt", EM_TO_PREVIEW, 0, 0, &file, &b->err);
        ended = memory_ended();
        memory_ends_at(0);
        assert_true(status == EM_E_UNSETTLED || (ended && status == EM_E_NOMEM));
        bench_close(b);
    }
    check_files(b, "theirs\n", "four five six\n");
}

/* It was left when this process had looked already: found when one of its files is wanted. */
static void leave_late(bench *b, trap where)
{
    bench_close(b);
    bench_open(b);
    check_status("ready", em_ws_ready(b->ws, &b->err), EM_OK);
    em_workspace *mine = b->ws;
    b->ws = NULL;
    leave(b, where);
    b->ws = mine;
}

static void test_a_later_death(void **state)
{
    bench *b = *state;
    check_status("ready", bench_change(b, "first", NULL, "x\n"), EM_OK);
    leave_late(b, after_commit);
    check_status("its file", bench_change(b, "a.txt", "2", "zwei"), EM_OK);
    assert_true(bench_warned(b, "completed"));
    check_files(b, "one zwei three\n", "four 5 six\n");
    check_settled(b);
    leave_late(b, before_second);
    check_status("its file", bench_change(b, "a.txt", "two", "zwei"), EM_OK);
    assert_true(bench_warned(b, "undone"));
    check_files(b, "one zwei three\n", "four five six\n");
    check_settled(b);
}

/* A person has to choose about one of its files: the others are changed. */
static void test_one_waits_at_a_later_death(void **state)
{
    bench *b = *state;
    check_status("ready", bench_change(b, "first", NULL, "x\n"), EM_OK);
    leave_late(b, before_second);
    scratch_put(b->root, "a.txt", "theirs\n");
    check_status("the other", bench_change(b, "below/b.txt", "five", "5"), EM_OK);
    assert_true(bench_warned(b, "needs a decision"));
    check_status("its file", bench_change(b, "a.txt", "theirs", "x"), EM_E_UNSETTLED);
    check_files(b, "theirs\n", "four 5 six\n");
    recover(b, (em_recover_options){.keep = EM_KEEP_STRAY});
    check_files(b, "one two three\n", "four 5 six\n");
    check_settled(b);
}

/* The folder of one of its files is gone. */
static void test_one_is_out_of_reach_at_a_later_death(void **state)
{
    bench *b = *state;
    char away[SCRATCH_PATH], below[SCRATCH_PATH];
    strcpy(below, scratch_path(b->root, "below"));
    strcpy(away, scratch_path(b->base, "away"));
    check_status("ready", bench_change(b, "first", NULL, "x\n"), EM_OK);
    leave_late(b, before_second);
    assert_int_equal(rename(below, away), 0);
    check_status("the other", bench_change(b, "a.txt", "two", "zwei"), EM_OK);
    assert_int_equal(several_journals(b), 1);
    assert_int_equal(rename(away, below), 0);
    check_status("its file", bench_change(b, "below/b.txt", "five", "fuenf"), EM_OK);
    check_files(b, "one zwei three\n", "four fuenf six\n");
    check_settled(b);
}

/* Whatever fails then, its file is refused or changed, and nothing is lost. */
static void check_later(bench *b, em_status status)
{
    bench_close(b);
    bench_disarm(b);
    recover_all(b);
    if (status == EM_OK)
        check_files(b, "one zwei three\n", "four five six\n");
    else
        check_old(b);
    check_settled(b);
}

static void test_failing_at_a_later_death(void **state)
{
    bench *b = *state;
    static const struct {
        const char *call, *about;
    } cases[] = {{"open", "=journal"}, {"stat", ".committed"}, {"stat", ".prepared"}};
    check_status("ready", bench_change(b, "first", NULL, "x\n"), EM_OK);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bool more = true;
        for (int skip = 0; more; skip++) {
            leave_late(b, before_second);
            trap *set = trap_set(
                &b->trap,
                (trap){.call = cases[i].call, .about = cases[i].about, .skip = skip, .error = EIO});
            em_status status = bench_change(b, "a.txt", "two", "zwei");
            more = set->caught > 0;
            check_later(b, status);
        }
    }
}

static void journals_away(void *context)
{
    const bench *b = context;
    const char *folder = scratch_path(b->state, "journal");
    assert_int_equal(rename(folder, scratch_path(b->state, "journal-away")), 0);
}

/* All journals go away before the one could be opened that speaks for the file. */
static void test_the_journals_go_away(void **state)
{
    bench *b = *state;
    check_status("ready", bench_change(b, "first", NULL, "x\n"), EM_OK);
    leave_late(b, before_second);
    trap_set(
        &b->trap,
        (trap){
            .call = "open", .about = "=journal", .skip = 1, .hook = journals_away, .context = b});
    check_status("its file", bench_change(b, "a.txt", "one", "eins"), EM_OK);
    check_text(b, "a.txt", "eins 2 three\n"); /* made whole by itself */
}

static void test_memory_may_end_before_a_change(void **state)
{
    bench *b = *state;
    check_status("ready", bench_change(b, "first", NULL, "x\n"), EM_OK);
    for (int late = 0; late < 2; late++) {
        bool ended = true;
        for (long at = 1; ended; at += memory_stride(b)) {
            em_file file;
            if (late)
                leave_late(b, before_second);
            else
                leave(b, before_second);
            bench_open(b);
            memory_ends_at(at);
            em_status status = em_ws_open_file(b->ws, "a.txt", EM_TO_CHANGE, 0, 0, &file, &b->err);
            ended = memory_ended();
            memory_ends_at(0);
            if (status == EM_OK)
                em_file_close(b->ws, &file);
            else
                assert_true(ended && (status == EM_E_NOMEM || status == EM_E_UNSETTLED));
            check_later(b, EM_E_NOMEM);
        }
    }
}

/* A journal that was begun stays where its rows do, and where nobody can tell. */
static void test_never_written_but_recorded(void **state)
{
    bench *b = *state;
    char away[SCRATCH_PATH], below[SCRATCH_PATH];
    leave(b, before_second);
    strcpy(below, scratch_path(b->root, "below"));
    strcpy(away, scratch_path(b->base, "away"));
    const char *path = journal_path(b);
    const char *writing =
        em_arena_format(&b->arena, "%.*s.writing", (int)(strrchr(path, '.') - path), path);
    assert_int_equal(rename(path, writing), 0);
    assert_int_equal(rename(below, away), 0);
    recover_all(b);
    assert_int_equal(several_journals(b), 1);
    assert_int_equal(rename(away, below), 0);
    recover_all(b);
    assert_int_equal(several_journals(b), 0);
    check_text(b, "below/b.txt", "four five six\n");
}

static void test_never_written_fails(void **state)
{
    bench *b = *state;
    static const struct {
        const char *call, *about;
    } cases[] = {{"stat", "0123456789abcdef"},
                 {"list", "journal"},
                 {"open", "=."},
                 {"unlink", "0123456789abcdef"},
                 {"lock", "history.db"}};
    check_status("ready", bench_change(b, "first", NULL, "x\n"), EM_OK);
    check_status("ready", several_change(b, two_edits, &(several){0}), EM_E_NOT_FOUND);
    leave(b, before_second);
    recover_all(b);
    const char *folder = em_arena_format(&b->arena, "%s/journal", b->state);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bool more = true;
        for (int skip = 0; more && skip < 100; skip++) {
            bench_close(b);
            bench_disarm(b);
            scratch_put(folder, "0123456789abcdef.writing", "emend jour");
            bench_open(b);
            trap *set = trap_set(
                &b->trap,
                (trap){.call = cases[i].call, .about = cases[i].about, .skip = skip, .error = EIO});
            bench_change(b, "c.txt", NULL, "c\n");
            more = set->caught > 0;
            bench_close(b);
            bench_disarm(b);
            unlink(scratch_path(b->root, "c.txt"));
            recover_all(b);
            assert_int_equal(several_journals(b), 0);
        }
    }
    bench_close(b);
    scratch_put(folder, "0123456789abcdef.writing", "emend jour");
    assert_int_equal(unlink(scratch_path(b->state, EM_HISTORY_NAME)), 0);
    check_status("no history", bench_change(b, "c.txt", NULL, "c\n"), EM_OK);
    assert_int_equal(several_journals(b), 0);
}

/* Somebody else has the history, for longer than is waited, from any moment on. */
static void test_the_history_is_in_use(void **state)
{
    bench *b = *state;
    bool more = true;
    b->options.lock_timeout_ms = 0;
    for (int skip = 0; more; skip++) {
        em_recovery recovery;
        em_recover_options options = {0};
        bench_disarm(b);
        leave(b, before_second);
        bench_open(b);
        trap *set = trap_set(
            &b->trap,
            (trap){
                .call = "lock", .about = "history.db", .skip = skip, .times = -1, .error = EAGAIN});
        trap_set(&b->trap, (trap){.call = "sleep", .about = "", .times = -1, .error = EINVAL});
        em_status status = em_recover(b->ws, &options, &b->arena, &recovery, &b->err);
        assert_true(status == EM_OK || status == EM_E_TIMEOUT);
        more = set->caught > 0;
        bench_close(b);
        bench_disarm(b);
        recover_all(b);
        check_old(b);
    }
}

/* Rows whose journal is gone: whether it is cannot be told for a moment. */
static void test_whether_it_has_a_journal(void **state)
{
    bench *b = *state;
    bool more = true;
    for (int skip = 0; more; skip++) {
        em_recovery recovery;
        em_recover_options options = {0};
        leave(b, before_second);
        assert_int_equal(unlink(journal_path(b)), 0);
        bench_open(b);
        trap *set = trap_set(
            &b->trap, (trap){.call = "stat", .about = ".committed", .skip = skip, .error = EIO});
        em_status status = em_recover(b->ws, &options, &b->arena, &recovery, &b->err);
        check_status("recover", status, EM_OK);
        more = set->caught > 0;
        bench_close(b);
        bench_disarm(b);
        recover_all(b);
        check_files(b, "one 2 three\n", "four five six\n"); /* each is whole */
        check_settled(b);
    }
}

/* After the commit: the sync that makes it last fails, or the history does. */
static void test_finishing_fails(void **state)
{
    bench *b = *state;
    static const struct {
        const char *call, *about;
    } cases[] = {{"sync", "$/journal"}, {"lock", "history.db"}, {"write", "history.db"}};
    b->options.sync = EM_SYNC_FULL;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bool more = true;
        for (int skip = 0; more; skip++) {
            em_recovery recovery;
            em_recover_options options = {0};
            leave(b, after_commit);
            bench_open(b);
            trap *set = trap_set(
                &b->trap,
                (trap){.call = cases[i].call, .about = cases[i].about, .skip = skip, .error = EIO});
            em_status status = em_recover(b->ws, &options, &b->arena, &recovery, &b->err);
            assert_true(status == EM_OK || status == EM_E_IO);
            more = set->caught > 0;
            bench_close(b);
            bench_disarm(b);
            recover_all(b);
            check_new(b);
        }
    }
}

/* Rows that are not to be kept go with their journal. */
static void test_without_keeping_history(void **state)
{
    bench *b = *state;
    b->options.no_history = true;
    b->options.sync = EM_SYNC_FULL;
    leave(b, after_commit);
    em_recovery recovery = recover_all(b);
    check_ends(&recovery, 2, EM_RECOVERED_DONE);
    check_new(b);
    assert_int_equal(bench_rows(b, EM_ROW_DONE), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_both_ways),
        BENCH_TEST(test_before_a_change),
        BENCH_TEST(test_it_is_listed),
        BENCH_TEST(test_it_is_named),
        BENCH_TEST(test_without_a_history),
        BENCH_TEST(test_an_old_journal),
        BENCH_TEST(test_no_journal_yet),
        BENCH_TEST(test_the_journal_was_lost),
        BENCH_TEST(test_never_written),
        BENCH_TEST(test_it_is_at_work),
        BENCH_TEST(test_outside_the_roots),
        BENCH_TEST(test_out_of_reach),
        BENCH_TEST(test_out_of_sight),
        BENCH_TEST(test_made_and_out_of_reach),
        BENCH_TEST(test_folders_of_what_is_undone),
        BENCH_TEST(test_a_copy_of_a_folder),
        BENCH_TEST(test_somebody_wrote_to_the_old_file),
        BENCH_TEST(test_damaged),
        BENCH_TEST(test_damaged_and_unknown),
        BENCH_TEST(test_failing_calls),
        BENCH_TEST(test_memory_may_end),
        BENCH_TEST(test_its_journal_comes),
        BENCH_TEST(test_its_journal_goes),
        BENCH_TEST(test_two_roots),
        BENCH_TEST(test_several_wrecks),
        BENCH_TEST(test_other_rows_with_the_same_numbers),
        BENCH_TEST(test_listing_fails),
        BENCH_TEST(test_it_is_left_before_a_change),
        BENCH_TEST(test_a_dry_run_beside_a_journal),
        BENCH_TEST(test_a_dry_run_beside_a_journal_fails),
        BENCH_TEST(test_a_later_death),
        BENCH_TEST(test_one_waits_at_a_later_death),
        BENCH_TEST(test_one_is_out_of_reach_at_a_later_death),
        BENCH_TEST(test_failing_at_a_later_death),
        BENCH_TEST(test_the_journals_go_away),
        BENCH_TEST(test_memory_may_end_before_a_change),
        BENCH_TEST(test_never_written_but_recorded),
        BENCH_TEST(test_never_written_fails),
        BENCH_TEST(test_the_history_is_in_use),
        BENCH_TEST(test_whether_it_has_a_journal),
        BENCH_TEST(test_finishing_fails),
        BENCH_TEST(test_without_keeping_history),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

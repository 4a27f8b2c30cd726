#include "workspace/recover_txn.h"

#include "several.h"

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
    recovery = recover(b, (em_recover_options){.id = recovery.items[0].id, .keep = EM_KEEP_TARGET});
    check_ends(&recovery, 1, EM_RECOVERED_UNDONE);
    assert_int_equal(several_journals(b), 0);
    assert_int_equal(bench_rows(b, EM_ROW_PENDING), 0);
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

static void test_memory_may_end(void **state)
{
    bench *b = *state;
    static const trap *const wheres[] = {&before_second, &after_commit};
    for (size_t i = 0; i < COUNT_OF(wheres); i++) {
        bool more = true;
        for (long at = 1; more; at++) {
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
        BENCH_TEST(test_somebody_wrote_to_the_old_file),
        BENCH_TEST(test_damaged),
        BENCH_TEST(test_damaged_and_unknown),
        BENCH_TEST(test_failing_calls),
        BENCH_TEST(test_memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

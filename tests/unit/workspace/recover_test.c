#include "workspace/recover.h"

#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char old_text[] = "one two three\n", new_text[] = "one 2 three\n";

/* A process that died between the exchange and the end, having changed `path`. */
static void die(bench *b, const char *path)
{
    bench_disarm(b);
    bench_die(b, path, "two", "2", (trap){.call = "unlink", .about = ".emend-"});
    bench_disarm(b);
}

static em_recovery recover(bench *b, em_recover_options options, em_status want)
{
    em_recovery recovery;
    b->err = EM_ERROR_INIT;
    check_status("recover", em_recover(bench_open(b), &options, &b->arena, &recovery, &b->err),
                 want);
    return recovery;
}

static em_recovery list(bench *b, bool all)
{
    em_recovery recovery;
    check_status("list", em_recover_list(bench_open(b), all, &b->arena, &recovery, &b->err), EM_OK);
    return recovery;
}

/* A second workspace of the same state directory, with this folder as its root. */
static void move_to(bench *b, const char *root)
{
    bench_close(b);
    b->roots[0] = root;
}

static em_status preview(bench *b, const char *path)
{
    em_file file;
    em_status status = em_ws_open_file(bench_open(b), path, EM_TO_PREVIEW, 0, 0, &file, &b->err);
    em_file_close(b->ws, &file);
    return status;
}

/* ---- Listing ------------------------------------------------------------------------------- */

static void test_nothing_to_list(void **state)
{
    bench *b = *state;
    assert_int_equal(list(b, true).count, 0);
    assert_int_equal(recover(b, (em_recover_options){0}, EM_OK).count, 0);
    assert_false(scratch_has(b->base, "state"));
    check_status("ready", bench_change(b, "a.txt", "one", "one"), EM_OK);
    assert_int_equal(list(b, true).count, 0);
    bench_close(b);
    unlink(scratch_path(b->state, EM_HISTORY_NAME));
    assert_int_equal(list(b, true).count, 0);
}

static void test_listing(void **state)
{
    bench *b = *state;
    die(b, "a.txt");
    em_recovery found = list(b, false);
    assert_int_equal(found.count, 1);
    const em_recovered *item = &found.items[0];
    assert_string_equal(item->path, scratch_path(b->root, "a.txt"));
    assert_string_equal(item->stray, scratch_path(b->root, bench_stray(b, ".")));
    assert_string_equal(item->tool, "tool");
    assert_string_equal(item->client, "client");
    assert_int_equal(item->end, EM_RECOVERY_NOT_TRIED);
    assert_true(strncmp(item->id, "1-", 2) == 0);
    assert_int_equal(bench_strays(b, "."), 1); /* nothing was done */
}

/* ---- Recovering ---------------------------------------------------------------------------- */

static void test_recovering(void **state)
{
    bench *b = *state;
    die(b, "a.txt");
    em_recovery found = recover(b, (em_recover_options){0}, EM_OK);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.items[0].end, EM_RECOVERED_DONE);
    assert_string_equal(found.items[0].detail, "");
    check_text(b, "a.txt", new_text);
    check_clean(b);
    assert_int_equal(recover(b, (em_recover_options){0}, EM_OK).count, 0);
}

static void test_by_id(void **state)
{
    bench *b = *state;
    char number[32];
    scratch_put(b->root, "b.txt", old_text);
    die(b, "a.txt");
    em_recovery found = list(b, false);
    const char *id = found.items[0].id;
    snprintf(number, sizeof number, "%.*s", (int)strcspn(id, "-"), id);
    recover(b, (em_recover_options){.id = "99"}, EM_E_NOT_FOUND);
    check_detail(b, "99");
    recover(b, (em_recover_options){.id = "1-0000000000000000"}, EM_E_NOT_FOUND);
    assert_int_equal(recover(b, (em_recover_options){.id = number}, EM_OK).count, 1);
    check_clean(b);
    recover(b, (em_recover_options){.id = id}, EM_E_NOT_FOUND); /* it is done */
}

/* ---- Before a change ----------------------------------------------------------------------- */

static void test_before_the_first_change(void **state)
{
    bench *b = *state;
    scratch_put(b->root, "b.txt", old_text);
    die(b, "a.txt");
    em_file file;
    bench_open(b);
    check_status("reading", em_ws_open_file(b->ws, "a.txt", EM_TO_READ, 0, 0, &file, &b->err),
                 EM_OK);
    em_file_close(b->ws, &file);
    assert_int_equal(bench_strays(b, "."), 1); /* does not recover */
    check_status("another file", bench_change(b, "b.txt", "two", "2"), EM_OK);
    assert_true(bench_warned(b, "completed"));
    check_clean(b);
    check_status("the next", bench_change(b, "b.txt", "2", "two"), EM_OK);
    assert_false(bench_warned(b, "completed"));
}

static void test_undone_before_a_change(void **state)
{
    bench *b = *state;
    bench_die(b, "a.txt", "two", "2", (trap){.call = "exchange", .about = ""});
    bench_disarm(b);
    check_status("change", bench_change(b, "a.txt", "three", "3"), EM_OK);
    assert_true(bench_warned(b, "undone"));
    check_text(b, "a.txt", "one two 3\n");
    check_clean(b);
}

/* Its process died after ours had looked: it is recovered when its file is wanted. */
static void test_a_later_death(void **state)
{
    bench *b = *state;
    em_workspace *mine;
    check_status("ready", bench_change(b, "a.txt", "one", "one"), EM_OK);
    mine = b->ws;
    b->ws = NULL;
    scratch_put(b->root, "b.txt", old_text);
    die(b, "a.txt");
    b->ws = mine;
    check_status("another file", bench_change(b, "b.txt", "two", "2"), EM_OK);
    assert_int_equal(bench_strays(b, "."), 1);
    check_status("its file", bench_change(b, "a.txt", "2", "TWO"), EM_OK);
    check_text(b, "a.txt", "one TWO three\n");
    check_clean(b);
}

static void test_left_to_a_person(void **state)
{
    bench *b = *state;
    die(b, "a.txt");
    scratch_put(b->root, bench_stray(b, "."), "foreign");
    scratch_put(b->root, "a.txt", "theirs");
    scratch_put(b->root, "b.txt", old_text);
    check_status("another file", bench_change(b, "b.txt", "two", "2"), EM_OK);
    assert_true(bench_warned(b, "decision"));
    for (int i = 0; i < 2; i++) {
        check_status("its file", bench_change(b, "a.txt", "theirs", "x"), EM_E_UNSETTLED);
        check_detail(b, "emend recover");
        check_detail(b, bench_stray(b, "."));
    }
    assert_null(b->ws->locks.first);
    assert_int_equal(recover(b, (em_recover_options){.keep = EM_KEEP_STRAY}, EM_OK).items[0].end,
                     EM_RECOVERED_UNDONE);
    check_status("now", bench_change(b, "a.txt", "foreign", "x"), EM_OK);
    check_clean(b);
}

/* Two folders of different file systems, which have the same inode number. */
static struct {
    int (*stat)(void *context, int dir, const char *path, int flags, em_stat *out);
    uint64_t dev, ino, other_ino;
} twins;

static int stat_of_twins(void *context, int dir, const char *path, int flags, em_stat *out)
{
    int result = twins.stat(context, dir, path, flags, out);
    if (result == 0 && out->ino == twins.other_ino) {
        out->ino = twins.ino;
        out->dev = twins.dev + 1;
    }
    return result;
}

static void twins_make(bench *b, const char *other)
{
    struct stat st;
    twins.stat = b->trap.sys.stat;
    assert_int_equal(stat(b->root, &st), 0);
    twins.dev = st.st_dev;
    twins.ino = st.st_ino;
    assert_int_equal(stat(scratch_path(b->root, other), &st), 0);
    twins.other_ino = st.st_ino;
    b->trap.sys.stat = stat_of_twins;
}

static void test_left_on_another_file_system(void **state)
{
    bench *b = *state;
    scratch_folder(b->root, "mount");
    scratch_put(b->root, "mount/a.txt", old_text);
    die(b, "a.txt");
    scratch_put(b->root, bench_stray(b, "."), "foreign");
    scratch_put(b->root, "a.txt", "theirs");
    twins_make(b, "mount");
    check_status("dry run", preview(b, "mount/a.txt"), EM_OK);
    check_status("change", bench_change(b, "mount/a.txt", "two", "2"), EM_OK);
    check_status("its file", bench_change(b, "a.txt", "theirs", "x"), EM_E_UNSETTLED);
}

static void test_that_cannot_be_read(void **state)
{
    bench *b = *state;
    die(b, "a.txt");
    trap_set(&b->trap, (trap){.call = "read", .about = ".emend-", .times = -1, .error = EIO});
    check_status("its file", bench_change(b, "a.txt", "2", "x"), EM_E_UNSETTLED);
    check_detail(b, "Input/output error");
    em_recovery found = recover(b, (em_recover_options){0}, EM_OK);
    assert_int_equal(found.items[0].end, EM_LEFT_UNREADABLE);
    assert_non_null(strstr(found.items[0].detail, "Input/output error"));
    bench_disarm(b);
    check_status("again", bench_change(b, "a.txt", "2", "x"), EM_OK);
    check_clean(b);
}

/* ---- Locks --------------------------------------------------------------------------------- */

/* Whose lock is held lives. */
static void test_a_living_owner(void **state)
{
    bench *b = *state;
    em_workspace *other;
    em_file file;
    check_status("other", em_ws_open(&b->options, &other, &b->err), EM_OK);
    check_status("held", em_ws_open_file(other, "a.txt", EM_TO_CHANGE, 0, 0, &file, &b->err),
                 EM_OK);
    struct stat st;
    assert_int_equal(stat(b->root, &st), 0);
    /* One in 1,024 other names has the same slot. */
    bool shares = em_lock_slot(st.st_ino, "a.txt") == em_lock_slot(st.st_ino, "b.txt");
    const char *another = shares ? "c.txt" : "b.txt";
    check_status("ready", bench_change(b, another, NULL, old_text), EM_OK);
    bench_sql(b, "UPDATE commits SET state = 0, kind = 0, path = 'a.txt',"
                 " temp = '.emend-0123456789abcdef0123456789abcdef'");
    scratch_put(b->root, ".emend-0123456789abcdef0123456789abcdef", "x");
    em_recovery found = recover(b, (em_recover_options){0}, EM_OK);
    assert_int_equal(found.items[0].end, EM_LEFT_HELD);
    assert_int_equal(bench_strays(b, "."), 1);
    check_status("another file", bench_change(b, another, "two", "2"), EM_OK);
    em_file_close(other, &file);
    em_ws_free(other);
}

static void end_it(void *context)
{
    bench *b = context;
    bench_sql(b, "UPDATE commits SET state = 3, temp = NULL WHERE id = 1");
    unlink(scratch_path(b->root, bench_stray(b, ".")));
}

/* Ended by somebody else between our first look and the lock. */
static void test_ended_meanwhile(void **state)
{
    bench *b = *state;
    die(b, "a.txt");
    trap_set(&b->trap, (trap){.call = "lock", .about = "locks/", .hook = end_it, .context = b});
    em_recovery found = recover(b, (em_recover_options){0}, EM_OK);
    assert_int_equal(found.items[0].end, EM_RECOVERED_DONE);
    assert_int_equal(bench_row(b).state, EM_ROW_DONE);
}

static void name_it(void *context)
{
    bench *b = context;
    bench_sql(b, "UPDATE commits SET state = 2 WHERE id = 1");
    unlink(scratch_path(b->root, bench_stray(b, ".")));
}

/* Then nobody was interrupted, and nothing is told. */
static void check_end_before_a_change(bench *b, void (*end)(void *))
{
    scratch_put(b->root, "b.txt", old_text);
    die(b, "a.txt");
    trap_set(&b->trap, (trap){.call = "lock", .about = "locks/", .hook = end, .context = b});
    check_status("another file", bench_change(b, "b.txt", "two", "2"), EM_OK);
    assert_false(bench_warned(b, "interrupted"));
}

static void test_ended_before_a_change(void **state)
{
    check_end_before_a_change(*state, end_it);
}

static void test_named_before_a_change(void **state)
{
    check_end_before_a_change(*state, name_it);
}

/* ---- Roots --------------------------------------------------------------------------------- */

static void test_other_roots(void **state)
{
    bench *b = *state;
    scratch_folder(b->base, "second");
    die(b, "a.txt");
    move_to(b, scratch_path(b->base, "second"));
    check_status("a change there", bench_change(b, "x", NULL, "y"), EM_OK);
    assert_int_equal(list(b, false).count, 0);
    assert_int_equal(recover(b, (em_recover_options){0}, EM_OK).count, 0);
    recover(b, (em_recover_options){.id = "1"}, EM_E_NOT_FOUND);
    assert_int_equal(bench_strays(b, "."), 1);
    assert_int_equal(list(b, true).count, 1);
    em_recovery found = recover(b, (em_recover_options){.all = true}, EM_OK);
    assert_int_equal(found.items[0].end, EM_RECOVERED_DONE);
    check_clean(b);
}

/* The same file is reached from a root above, and from one below. */
static void test_nested_roots(void **state)
{
    bench *b = *state;
    scratch_folder(b->root, "sub");
    scratch_put(b->root, "sub/b.txt", old_text);
    die(b, "sub/b.txt");
    move_to(b, scratch_path(b->root, "sub"));
    assert_int_equal(recover(b, (em_recover_options){0}, EM_OK).count, 1);
    assert_int_equal(bench_strays(b, "sub"), 0);

    move_to(b, scratch_path(b->root, "sub"));
    bench_die(b, "b.txt", "2", "two", (trap){.call = "unlink", .about = ".emend-"});
    bench_disarm(b);
    move_to(b, "/");
    assert_int_equal(recover(b, (em_recover_options){0}, EM_OK).count, 1);
    assert_int_equal(bench_strays(b, "sub"), 0);
}

/* ---- Folders ------------------------------------------------------------------------------- */

static void die_in_folder(bench *b)
{
    scratch_folder(b->root, "sub");
    scratch_put(b->root, "sub/b.txt", old_text);
    die(b, "sub/b.txt");
}

/* One change is left, because its folder cannot be reached. */
static em_recovered check_out_of_reach(bench *b, em_keep keep, const char *why)
{
    em_recovery found = recover(b, (em_recover_options){.keep = keep}, EM_OK);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.items[0].end, EM_LEFT_UNREACHABLE);
    if (!strstr(found.items[0].detail, why))
        fail_msg("%s", found.items[0].detail);
    return found.items[0];
}

static void test_a_folder_that_is_gone(void **state)
{
    bench *b = *state;
    die_in_folder(b);
    assert_int_equal(rename(scratch_path(b->root, "sub"), scratch_path(b->base, "moved")), 0);
    for (int i = 0; i < 3; i++) {
        if (i == 1)
            scratch_folder(b->root, "sub"); /* another one */
        if (i == 2) {
            rmdir(scratch_path(b->root, "sub"));
            scratch_link(b->root, "sub", "../moved"); /* not the way to it */
        }
        em_recovery found = recover(b, (em_recover_options){0}, EM_OK);
        assert_int_equal(found.items[0].end, EM_LEFT_UNREACHABLE);
    }
    check_status("others go on", bench_change(b, "a.txt", "two", "2"), EM_OK);
    /* What it left is in sight: it is not forgotten. */
    check_out_of_reach(b, EM_KEEP_TARGET, "a link is in the place");
    unlink(scratch_path(b->root, "sub"));
    check_out_of_reach(b, EM_KEEP_STRAY, "is gone, or was moved");
    scratch_folder(b->root, "sub");
    check_out_of_reach(b, EM_KEEP_STRAY, "what it left is not in it");
    assert_int_equal(recover(b, (em_recover_options){.keep = EM_KEEP_TARGET}, EM_OK).items[0].end,
                     EM_RECOVERED_FORGOTTEN);
    assert_int_equal(bench_rows(b, EM_ROW_GRACE), 0);
}

/* Its row says that it was made: so it is, whatever became of its folder. */
static void test_a_made_change_is_not_forgotten(void **state)
{
    bench *b = *state;
    die_in_folder(b);
    scratch_drop(scratch_path(b->root, "sub"));
    bench_sql(b, "UPDATE commits SET state = 1");
    check_out_of_reach(b, EM_KEEP_ASK, "is gone, or was moved");
    assert_int_equal(recover(b, (em_recover_options){.keep = EM_KEEP_TARGET}, EM_OK).items[0].end,
                     EM_RECOVERED_DONE);
    assert_int_equal(bench_row(b).state, EM_ROW_DONE);
}

/* One that was to be kept out of the history does not come into it so. */
static void test_a_made_change_without_history(void **state)
{
    bench *b = *state;
    b->options.no_history = true;
    die_in_folder(b);
    scratch_drop(scratch_path(b->root, "sub"));
    bench_sql(b, "UPDATE commits SET state = 1");
    check_out_of_reach(b, EM_KEEP_ASK, "is gone, or was moved");
    assert_int_equal(recover(b, (em_recover_options){.keep = EM_KEEP_TARGET}, EM_OK).items[0].end,
                     EM_RECOVERED_DONE);
    assert_int_equal(bench_rows(b, EM_ROW_DONE), 0);
}

/* A copy is in the place of the folder: it is gone into when a person says so, and not before. */
static void test_a_copy_of_the_folder(void **state)
{
    bench *b = *state;
    static const struct {
        const char *target, *stray;
        em_keep keep;
        em_recovery_end end;
        const char *want;
    } cases[] = {{"theirs", "foreign", EM_KEEP_TARGET, EM_RECOVERED_UNDONE, "theirs"},
                 {"theirs", "foreign", EM_KEEP_STRAY, EM_RECOVERED_UNDONE, "foreign"},
                 {new_text, old_text, EM_KEEP_TARGET, EM_RECOVERED_DONE, new_text}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        die_in_folder(b);
        const char *temp = em_arena_string(&b->arena, em_slice_of(bench_stray(b, "sub")));
        assert_int_equal(rename(scratch_path(b->root, "sub"), scratch_path(b->base, "moved")), 0);
        scratch_folder(b->root, "sub");
        scratch_put(b->root, "sub/b.txt", cases[i].target);
        scratch_put(b->root, em_arena_format(&b->arena, "sub/%s", temp), cases[i].stray);
        for (int again = 0; again < 2; again++)
            assert_true(check_out_of_reach(b, EM_KEEP_ASK, "another folder").in_other);
        check_text(b, "sub/b.txt", cases[i].target);
        em_recovery found = recover(b, (em_recover_options){.keep = cases[i].keep}, EM_OK);
        assert_int_equal(found.items[0].end, cases[i].end);
        check_text(b, "sub/b.txt", cases[i].want);
        assert_int_equal(bench_strays(b, "sub"), 0);
        assert_int_equal(bench_rows(b, EM_ROW_GRACE), 0);
        bench_close(b);
        scratch_drop(scratch_path(b->base, "moved"));
        scratch_drop(scratch_path(b->root, "sub"));
    }
}

/* Memory may end while it is found out why a folder cannot be reached, and while it is forgotten.
 */
static void test_no_memory_without_the_folder(void **state)
{
    bench *b = *state;
    static const em_keep keeps[] = {EM_KEEP_ASK, EM_KEEP_TARGET};
    static const em_recovery_end want[] = {EM_LEFT_UNREACHABLE, EM_RECOVERED_FORGOTTEN};
    die_in_folder(b);
    scratch_drop(scratch_path(b->root, "sub"));
    for (size_t i = 0; i < COUNT_OF(keeps); i++) {
        bool ended = true;
        for (long at = 1; ended; at++) {
            EM_AUTO(em_arena) arena = {0};
            em_recovery recovery;
            em_recover_options options = {.keep = keeps[i]};
            bench_close(b);
            bench_open(b);
            memory_ends_at(at);
            em_status status = em_recover(b->ws, &options, &arena, &recovery, &b->err);
            ended = memory_ended();
            memory_ends_at(0);
            check_status("recover", status, ended ? EM_E_NOMEM : EM_OK);
            for (size_t k = 0; k < recovery.count && !ended; k++)
                assert_int_equal(recovery.items[k].end, want[i]);
        }
    }
}

/* Why it cannot be reached is told as far as that can be seen. */
static void test_a_reason_that_cannot_be_seen(void **state)
{
    bench *b = *state;
    static const trap unseen[] = {
        {.call = "stat", .about = ".emend-", .times = -1, .error = EIO},
        {.call = "open", .about = "sub", .skip = 1, .times = -1, .error = EIO},
    };
    die_in_folder(b);
    scratch_drop(scratch_path(b->root, "sub"));
    for (size_t i = 0; i < COUNT_OF(unseen); i++) {
        bench_disarm(b);
        trap_set(&b->trap, unseen[i]);
        check_out_of_reach(b, EM_KEEP_ASK, "is gone, or was moved");
    }
}

/* What cannot be looked at is not concluded from. */
static void test_another_folder_that_cannot_be_searched(void **state)
{
    bench *b = *state;
    static const em_recovery_end want[] = {EM_LEFT_UNREADABLE, EM_RECOVERED_FORGOTTEN};
    for (int copied = 0; copied < 2; copied++) {
        die_in_folder(b);
        scratch_drop(scratch_path(b->root, "sub"));
        if (copied)
            scratch_folder(b->root, "sub");
        for (size_t i = 0; i < COUNT_OF(want); i++) {
            bench_disarm(b);
            if (i == 0)
                trap_set(&b->trap,
                         (trap){.call = "stat", .about = ".emend-", .times = -1, .error = EIO});
            em_recovery found = recover(b, (em_recover_options){.keep = EM_KEEP_TARGET}, EM_OK);
            assert_int_equal(found.items[0].end, want[i]);
        }
        bench_close(b);
        scratch_drop(scratch_path(b->root, "sub"));
    }
}

/* Whether its owner lives cannot be told: it is not forgotten, nor is it listed as if that were
 * known. */
static void test_an_owner_that_cannot_be_asked_for(void **state)
{
    bench *b = *state;
    em_recovery recovery;
    die_in_folder(b);
    scratch_drop(scratch_path(b->root, "sub"));
    trap_set(&b->trap, (trap){.call = "locked", .about = "slots", .times = 2, .error = EIO});
    em_recovery found = recover(b, (em_recover_options){.keep = EM_KEEP_TARGET}, EM_OK);
    assert_int_equal(found.items[0].end, EM_LEFT_UNREADABLE);
    assert_non_null(strstr(found.items[0].detail, "Input/output error"));
    assert_int_equal(bench_rows(b, EM_ROW_PENDING), 1);
    check_status("list", em_recover_list(b->ws, true, &b->arena, &recovery, &b->err), EM_E_IO);
    found = recover(b, (em_recover_options){.keep = EM_KEEP_TARGET}, EM_OK);
    assert_int_equal(found.items[0].end, EM_RECOVERED_FORGOTTEN);
}

static void test_a_folder_that_comes_back(void **state)
{
    bench *b = *state;
    die_in_folder(b);
    assert_int_equal(rename(scratch_path(b->root, "sub"), scratch_path(b->base, "moved")), 0);
    recover(b, (em_recover_options){0}, EM_OK);
    assert_int_equal(rename(scratch_path(b->base, "moved"), scratch_path(b->root, "sub")), 0);
    /* device numbers are given anew in each boot */
    bench_sql(b, "UPDATE commits SET dir_dev = dir_dev + 1");
    assert_int_equal(recover(b, (em_recover_options){0}, EM_OK).items[0].end, EM_LEFT_UNREACHABLE);
    bench_sql(b, "UPDATE commits SET boot = 'another'");
    assert_int_equal(recover(b, (em_recover_options){0}, EM_OK).items[0].end, EM_RECOVERED_DONE);
    assert_int_equal(bench_strays(b, "sub"), 0);
}

/* A change that was made long ago, in a folder that is gone: nobody need look for its name. */
static void test_a_made_change_in_a_folder_that_is_gone(void **state)
{
    bench *b = *state;
    scratch_folder(b->root, "sub");
    scratch_put(b->root, "sub/b.txt", old_text);
    check_status("change", bench_change(b, "sub/b.txt", "two", "2"), EM_OK);
    bench_close(b);
    scratch_drop(scratch_path(b->root, "sub"));
    bench_sql(b, "UPDATE commits SET boot = 'another'");
    assert_int_equal(recover(b, (em_recover_options){0}, EM_OK).count, 0);
    em_row row = bench_row(b);
    assert_int_equal(row.state, EM_ROW_DONE);
    assert_null(row.temp);
}

/* ---- Rows that cannot be ------------------------------------------------------------------- */

static void test_planted_rows(void **state)
{
    bench *b = *state;
    static const char *const changes[] = {
        "temp = '../outside/file'", "temp = 'a.txt'",       "temp = NULL",
        "backup = '../outside'",    "backup = '..'",        "backup = ''",
        "folders = '../outside'",   "folders = '/outside'", "root = 'relative'",
    };
    scratch_put(b->base, "file", "x");
    for (size_t i = 0; i < COUNT_OF(changes); i++) {
        char sql[200];
        scratch_put(b->root, "a.txt", old_text);
        die(b, "a.txt");
        snprintf(sql, sizeof sql, "UPDATE commits SET %s", changes[i]);
        bench_sql(b, sql);
        em_recovery found = recover(b, (em_recover_options){.all = true}, EM_OK);
        if (found.count > 0 && found.items[0].end != EM_LEFT_UNREADABLE)
            fail_msg("%s: ended as %d", changes[i], (int)found.items[0].end);
        assert_int_equal(list(b, true).count, 0);
        assert_int_equal(bench_strays(b, "."), 1);
        check_status("others go on", bench_change(b, "c.txt", NULL, "x"), EM_OK);
        recover(b, (em_recover_options){.all = true, .keep = EM_KEEP_TARGET}, EM_OK);
        assert_int_equal(bench_rows(b, EM_ROW_GRACE), 0);
        bench_close(b);
        bench_sql(b, "DELETE FROM commits");
        unlink(scratch_path(b->root, "c.txt"));
        unlink(scratch_path(b->root, bench_stray(b, ".")));
    }
}

static void damage(void *context)
{
    bench_sql(context, "UPDATE commits SET temp = 'a.txt'");
}

static void test_a_row_that_changes(void **state)
{
    bench *b = *state;
    die(b, "a.txt");
    trap_set(&b->trap, (trap){.call = "lock", .about = "locks/", .hook = damage, .context = b});
    assert_int_equal(recover(b, (em_recover_options){0}, EM_OK).items[0].end, EM_LEFT_UNREADABLE);
}

/* ---- Failures ------------------------------------------------------------------------------ */

static void test_the_history_fails(void **state)
{
    bench *b = *state;
    die(b, "a.txt");
    static const struct {
        const char *call, *about;
        int error;
        em_status want;
    } cases[] = {{"stat", "=history.db", EIO, EM_E_IO},
                 {"open", "/history.db", EACCES, EM_E_PERMISSION},
                 {"read", "/history.db", EIO, EM_E_IO}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bench_close(b);
        bench_disarm(b);
        trap_set(&b->trap, (trap){.call = cases[i].call,
                                  .about = cases[i].about,
                                  .times = -1,
                                  .error = cases[i].error});
        check_status(cases[i].call, bench_change(b, "a.txt", "2", "x"), cases[i].want);
        bench_close(b);
        em_recovery recovery;
        assert_int_equal(em_recover_list(bench_open(b), true, &b->arena, &recovery, &b->err),
                         cases[i].want);
    }
    bench_disarm(b);
    check_status("again", bench_change(b, "a.txt", "2", "x"), EM_OK);
    check_clean(b);
}

/* A failure after our first look: found when a file is wanted. */
static void test_the_history_fails_later(void **state)
{
    bench *b = *state;
    check_status("ready", bench_change(b, "a.txt", "two", "2"), EM_OK);
    trap_set(&b->trap, (trap){.call = "lock", .about = "history.db", .times = -1, .error = EIO});
    check_status("change", bench_change(b, "a.txt", "2", "x"), EM_E_IO);
    check_text(b, "a.txt", new_text);
}

static void test_the_state_directory_fails(void **state)
{
    bench *b = *state;
    em_recovery recovery;
    scratch_put(b->base, "state", "a file");
    em_file file;
    assert_int_equal(em_recover_list(bench_open(b), true, &b->arena, &recovery, &b->err), EM_E_IO);
    recover(b, (em_recover_options){0}, EM_E_IO);
    for (int untold = 0; untold < 2; untold++) {
        em_error *err = untold ? NULL : &b->err;
        check_status("dry run",
                     em_ws_open_file(bench_open(b), "a.txt", EM_TO_PREVIEW, 0, 0, &file, err),
                     EM_E_IO);
        check_detail(b, b->state);
        bench_close(b);
    }
}

static void test_memory_may_end(void **state)
{
    bench *b = *state;
    die(b, "a.txt");
    scratch_put(b->root, bench_stray(b, "."), "foreign");
    scratch_put(b->root, "a.txt", "theirs");
    for (int i = 0; i < 4; i++) {
        for (long at = 1;; at++) {
            EM_AUTO(em_arena) arena = {0};
            em_recovery recovery;
            em_file file;
            bench_close(b);
            bench_open(b);
            memory_ends_at(at);
            em_status status =
                i == 0   ? em_recover(b->ws, &(em_recover_options){.all = true}, &arena, &recovery,
                                      &b->err)
                : i == 1 ? em_recover_list(b->ws, true, &arena, &recovery, &b->err)
                         : em_ws_open_file(b->ws, "a.txt", i == 2 ? EM_TO_CHANGE : EM_TO_PREVIEW, 0,
                                           0, &file, &b->err);
            bool ended = memory_ended();
            memory_ends_at(0);
            if (!ended) {
                check_status("in the end", status, i >= 2 ? EM_E_UNSETTLED : EM_OK);
                break;
            }
            assert_true(status == EM_E_NOMEM || (i >= 2 && status == EM_E_UNSETTLED));
            assert_true(at < 200);
        }
    }
}

/* ---- What few meet ------------------------------------------------------------------------- */

/* A change that was made, of an earlier boot, and lost with the power: it is undone, and nobody is
 * told that something was interrupted. */
static void test_a_made_change_that_was_lost(void **state)
{
    bench *b = *state;
    check_status("change", bench_change(b, "a.txt", "two", "2"), EM_OK);
    bench_close(b);
    bench_sql(b, "UPDATE commits SET boot = 'another'");
    scratch_put(b->root, bench_row(b).temp, new_text);
    scratch_put(b->root, "a.txt", old_text);
    check_status("another file", bench_change(b, "c.txt", NULL, "c\n"), EM_OK);
    assert_false(bench_warned(b, "interrupted"));
    check_text(b, "a.txt", old_text);
    check_clean(b);
}

/* Two rows wait for a person about the same file: the first is told. */
static void test_two_rows_of_one_file(void **state)
{
    bench *b = *state;
    die(b, "a.txt");
    scratch_put(b->root, bench_stray(b, "."), "foreign");
    scratch_put(b->root, "a.txt", "theirs");
    bench_sql(b, "CREATE TABLE again AS SELECT * FROM commits; UPDATE again SET id = id + 1;"
                 " INSERT INTO commits SELECT * FROM again; DROP TABLE again");
    assert_int_equal(bench_rows(b, EM_ROW_PENDING), 2);
    check_status("its file", bench_change(b, "a.txt", "theirs", "x"), EM_E_UNSETTLED);
    check_detail(b, bench_stray(b, "."));
    recover(b, (em_recover_options){.keep = EM_KEEP_STRAY}, EM_OK);
    check_text(b, "a.txt", "foreign");
    check_clean(b);
}

/* What cannot be told for want of memory is no answer. */
static void test_no_memory_for_the_reason(void **state)
{
    bench *b = *state;
    bool ended = true;
    die(b, "a.txt");
    trap_set(&b->trap, (trap){.call = "read", .about = ".emend-", .times = -1, .error = EIO});
    for (long at = 1; ended; at++) {
        EM_AUTO(em_arena) arena = {0};
        em_recovery recovery;
        em_recover_options options = {0};
        bench_close(b);
        bench_open(b);
        memory_ends_at(at);
        em_status status = em_recover(b->ws, &options, &arena, &recovery, &b->err);
        ended = memory_ended();
        memory_ends_at(0);
        check_status("recover", status, ended ? EM_E_NOMEM : EM_OK);
    }
}

/* The root has another path by now: the row's is not in it, and the change goes on. */
static void test_a_root_that_was_renamed(void **state)
{
    bench *b = *state;
    char moved[SCRATCH_PATH];
    die(b, "a.txt");
    strcpy(moved, scratch_path(b->base, "moved"));
    bench_close(b);
    assert_int_equal(rename(b->root, moved), 0);
    b->roots[0] = moved;
    check_status("dry run", preview(b, "a.txt"), EM_OK);
    check_status("its file", bench_change(b, "a.txt", "2", "x"), EM_OK);
    bench_close(b);
    b->roots[0] = b->root;
    assert_int_equal(rename(moved, b->root), 0);
    check_text(b, "a.txt", "one x three\n");
    assert_int_equal(bench_strays(b, "."), 1);
    recover(b, (em_recover_options){0}, EM_OK);
    check_text(b, "a.txt", "one x three\n");
    check_clean(b);
}

/* Another folder has the name of the row's: what is in it is another file. */
static void test_another_folder_by_that_name(void **state)
{
    bench *b = *state;
    die_in_folder(b);
    assert_int_equal(rename(scratch_path(b->root, "sub"), scratch_path(b->base, "moved")), 0);
    scratch_folder(b->root, "sub");
    scratch_put(b->root, "sub/b.txt", old_text);
    check_status("dry run", preview(b, "sub/b.txt"), EM_OK);
    check_status("change", bench_change(b, "sub/b.txt", "two", "zwei"), EM_OK);
    check_text(b, "sub/b.txt", "one zwei three\n");
    assert_int_equal(bench_rows(b, EM_ROW_PENDING), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_nothing_to_list),
        BENCH_TEST(test_listing),
        BENCH_TEST(test_recovering),
        BENCH_TEST(test_by_id),
        BENCH_TEST(test_before_the_first_change),
        BENCH_TEST(test_undone_before_a_change),
        BENCH_TEST(test_a_later_death),
        BENCH_TEST(test_left_to_a_person),
        BENCH_TEST(test_left_on_another_file_system),
        BENCH_TEST(test_that_cannot_be_read),
        BENCH_TEST(test_a_living_owner),
        BENCH_TEST(test_ended_meanwhile),
        BENCH_TEST(test_ended_before_a_change),
        BENCH_TEST(test_named_before_a_change),
        BENCH_TEST(test_other_roots),
        BENCH_TEST(test_nested_roots),
        BENCH_TEST(test_a_folder_that_is_gone),
        BENCH_TEST(test_a_made_change_is_not_forgotten),
        BENCH_TEST(test_a_made_change_without_history),
        BENCH_TEST(test_a_copy_of_the_folder),
        BENCH_TEST(test_another_folder_that_cannot_be_searched),
        BENCH_TEST(test_no_memory_without_the_folder),
        BENCH_TEST(test_a_reason_that_cannot_be_seen),
        BENCH_TEST(test_an_owner_that_cannot_be_asked_for),
        BENCH_TEST(test_a_folder_that_comes_back),
        BENCH_TEST(test_a_made_change_in_a_folder_that_is_gone),
        BENCH_TEST(test_planted_rows),
        BENCH_TEST(test_a_row_that_changes),
        BENCH_TEST(test_the_history_fails),
        BENCH_TEST(test_the_history_fails_later),
        BENCH_TEST(test_the_state_directory_fails),
        BENCH_TEST(test_memory_may_end),
        BENCH_TEST(test_a_made_change_that_was_lost),
        BENCH_TEST(test_two_rows_of_one_file),
        BENCH_TEST(test_no_memory_for_the_reason),
        BENCH_TEST(test_a_root_that_was_renamed),
        BENCH_TEST(test_another_folder_by_that_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "workspace/repair.h"

#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* ---- The table ----------------------------------------------------------------------------- */

enum { NEW_INODE = 7, OLD_INODE = 8, OTHER_INODE = 9 };

/* What a name holds: '-' nothing, 'o' old, 'n' new, 'x' something else, 'X' something else in our
 * inode, 'd' no regular file. */
static em_look look_of(char kind)
{
    em_look look = {.exists = kind != '-', .regular = kind != '-' && kind != 'd'};
    look.hash = em_hash_of(kind == 'o'   ? EM_LIT("old")
                           : kind == 'n' ? EM_LIT("new")
                                         : EM_LIT("else"));
    look.stat.ino = kind == 'o' ? OLD_INODE : kind == 'n' || kind == 'X' ? NEW_INODE : OTHER_INODE;
    return look;
}

static void test_judging(void **state)
{
    (void)state;
    static const struct {
        char stray, target;
        bool other_boot, unsynced, incomplete;
        em_repair_verdict want;
    } cases[] = {
        {'-', 'n', 0, 0, 0, EM_VERDICT_MADE},
        {'-', 'o', 0, 0, 0, EM_VERDICT_NOT_MADE},
        {'-', 'x', 0, 0, 0, EM_VERDICT_NOT_MADE},
        {'-', '-', 0, 0, 0, EM_VERDICT_NOT_MADE},
        {'n', 'o', 0, 0, 0, EM_VERDICT_UNDO},
        {'n', 'x', 0, 0, 0, EM_VERDICT_UNDO},
        {'n', '-', 0, 0, 0, EM_VERDICT_UNDO},
        {'n', 'n', 0, 0, 0, EM_VERDICT_UNDO},
        {'o', 'n', 0, 0, 0, EM_VERDICT_FINISH},
        {'o', 'x', 0, 0, 0, EM_VERDICT_FINISH},
        {'o', '-', 0, 0, 0, EM_VERDICT_FINISH},
        {'o', 'd', 0, 0, 0, EM_VERDICT_FINISH},
        {'x', 'n', 0, 0, 0, EM_VERDICT_PUT_BACK},
        {'d', 'n', 0, 0, 0, EM_VERDICT_PUT_BACK},
        {'x', 'x', 0, 0, 0, EM_VERDICT_TO_PERSON},
        {'x', 'o', 0, 0, 0, EM_VERDICT_TO_PERSON},
        {'x', '-', 0, 0, 0, EM_VERDICT_TO_PERSON},
        {'X', 'o', 0, 0, 0, EM_VERDICT_TO_PERSON},
        /* after a power cut our own content may be torn */
        {'X', 'o', 1, 0, 0, EM_VERDICT_UNDO},
        {'x', 'o', 1, 0, 0, EM_VERDICT_TO_PERSON},
        {'o', 'X', 1, 1, 0, EM_VERDICT_TO_PERSON},
        {'o', 'X', 1, 0, 0, EM_VERDICT_FINISH},
        {'o', 'X', 0, 1, 0, EM_VERDICT_FINISH},
        {'o', 'x', 1, 1, 0, EM_VERDICT_FINISH},
        {'o', 'n', 1, 1, 0, EM_VERDICT_FINISH},
        {'o', '-', 1, 1, 0, EM_VERDICT_FINISH},
        /* still being written when the process died */
        {'x', 'o', 0, 0, 1, EM_VERDICT_UNDO},
        {'x', 'x', 0, 0, 1, EM_VERDICT_UNDO},
        {'-', 'o', 0, 0, 1, EM_VERDICT_NOT_MADE},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_row row = {.old_hash = em_hash_of(EM_LIT("old")),
                      .new_hash = em_hash_of(EM_LIT("new")),
                      .new_ino = cases[i].incomplete ? 0 : NEW_INODE,
                      .boot = "this",
                      .notes = cases[i].unsynced ? EM_NOTE_UNSYNCED : 0};
        em_look target = look_of(cases[i].target), stray = look_of(cases[i].stray);
        em_repair_verdict got =
            em_repair_judge(&row, cases[i].other_boot ? "other" : "this", &target, &stray);
        if (got != cases[i].want)
            fail_msg("stray %c, target %c, case %zu: %d, expected %d", cases[i].stray,
                     cases[i].target, i, (int)got, (int)cases[i].want);
    }
}

/* ---- On disk ------------------------------------------------------------------------------- */

static const char temp_name[] = ".emend-0123456789abcdef0123456789abcdef";

/* Write a row as a process that died would have left it. */
static em_row plant(bench *b, em_row row)
{
    em_history *history;
    struct stat st;
    if (!scratch_has(b->base, "state"))
        scratch_folder(b->base, "state");
    em_history_options options = {.folder = b->state, .sync = EM_SYNC_OFF, .timeout_ms = 1000};
    assert_int_equal(stat(b->root, &st), 0);
    row.token = 1;
    row.root = b->root;
    row.path = row.path ? row.path : "a.txt";
    row.dir_dev = st.st_dev;
    row.dir_ino = st.st_ino;
    row.temp = row.state == EM_ROW_DONE ? NULL : temp_name;
    row.old_hash = em_hash_of(EM_LIT("old"));
    row.new_hash = em_hash_of(EM_LIT("new"));
    row.boot = row.boot ? row.boot : "another boot";
    check_status("history", em_history_open(&em_sys_native, &options, &history, &b->err), EM_OK);
    check_status("add", em_history_add(history, &row, false, &b->err), EM_OK);
    em_history_close(history);
    return row;
}

static void put(bench *b, const char *name, const char *text)
{
    unlink(scratch_path(b->root, name));
    if (text)
        scratch_put(b->root, name, text);
}

static em_recovery_end recover(bench *b, em_keep keep)
{
    em_recovery recovery;
    em_recover_options options = {.keep = keep};
    check_status("recover", em_recover(bench_open(b), &options, &b->arena, &recovery, &b->err),
                 EM_OK);
    return recovery.count > 0 ? recovery.items[0].end : EM_RECOVERY_NOT_TRIED;
}

static void check_name(bench *b, const char *name, const char *want, size_t i)
{
    const char *have = bench_text(b, name);
    if (!have != !want || (have && strcmp(have, want) != 0))
        fail_msg("case %zu: %s holds %s, not %s", i, name, have ? have : "nothing",
                 want ? want : "nothing");
}

/* Stray and target before, target after, how it ended, whether there is a commit then. */
static void test_edits(void **state)
{
    bench *b = *state;
    static const struct {
        em_row_state state;
        const char *stray, *target, *stray_after, *target_after;
        em_recovery_end end;
        bool made, reported;
    } cases[] = {
        {EM_ROW_PENDING, NULL, "new", NULL, "new", EM_RECOVERED_DONE, true, true},
        {EM_ROW_PENDING, NULL, "old", NULL, "old", EM_RECOVERED_UNDONE, false, true},
        {EM_ROW_PENDING, "new", "old", NULL, "old", EM_RECOVERED_UNDONE, false, true},
        {EM_ROW_PENDING, "new", "x", NULL, "x", EM_RECOVERED_UNDONE, false, true},
        {EM_ROW_PENDING, "old", "new", NULL, "new", EM_RECOVERED_DONE, true, true},
        {EM_ROW_PENDING, "old", "x", NULL, "x", EM_RECOVERED_DONE, true, true},
        {EM_ROW_PENDING, "x", "new", NULL, "x", EM_RECOVERED_UNDONE, false, true},
        {EM_ROW_PENDING, "x", "y", "x", "y", EM_LEFT_TO_PERSON, false, true},
        {EM_ROW_PENDING, "x", NULL, "x", NULL, EM_LEFT_TO_PERSON, false, true},
        {EM_ROW_GRACE, "old", "new", NULL, "new", EM_RECOVERED_DONE, true, true},
        {EM_ROW_GRACE, NULL, "x", NULL, "x", EM_RECOVERED_DONE, true, true},
        {EM_ROW_GRACE, "late", "new", "late", "new", EM_RECOVERED_KEPT, true, true},
        {EM_ROW_NAMED, NULL, "new", NULL, "new", EM_RECOVERED_DONE, true, false},
        {EM_ROW_NAMED, "old", "new", NULL, "new", EM_RECOVERED_DONE, true, false},
        {EM_ROW_NAMED, "x", "new", "x", "new", EM_RECOVERED_KEPT, true, true},
        /* the exchange itself was lost with the power */
        {EM_ROW_NAMED, "new", "old", NULL, "old", EM_RECOVERED_UNDONE, false, true},
        /* back came only the name, and of the new content: somebody had copied it */
        {EM_ROW_NAMED, "new", "new", "new", "new", EM_RECOVERED_KEPT, true, true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        put(b, "a.txt", cases[i].target);
        put(b, temp_name, cases[i].stray);
        plant(b, (em_row){.state = cases[i].state, .new_ino = NEW_INODE});
        em_recovery_end end = recover(b, EM_KEEP_ASK);
        if (end != (cases[i].reported ? cases[i].end : EM_RECOVERY_NOT_TRIED))
            fail_msg("case %zu: ended as %d", i, (int)end);
        check_name(b, "a.txt", cases[i].target_after, i);
        check_name(b, temp_name, cases[i].stray_after, i);
        em_row row = bench_row(b);
        bool pending = cases[i].end == EM_LEFT_TO_PERSON;
        assert_int_equal(row.id != 0, cases[i].made || pending);
        if (cases[i].made)
            assert_true(row.state >= EM_ROW_NAMED);
        if (cases[i].end == EM_RECOVERED_KEPT)
            assert_string_equal(row.kept, temp_name);
        if (cases[i].state == EM_ROW_NAMED && cases[i].made)
            assert_null(row.temp);
        bench_close(b);
        bench_sql(b, "DELETE FROM commits");
    }
}

/* Rows that are not to be kept are dropped in the end. */
static void test_without_history(void **state)
{
    bench *b = *state;
    static const char *const strays[] = {"old", NULL};
    b->options.sync = EM_SYNC_FULL;
    for (size_t i = 0; i < COUNT_OF(strays); i++) {
        put(b, "a.txt", "new");
        put(b, temp_name, strays[i]);
        plant(b, (em_row){.forget = true, .new_ino = NEW_INODE});
        assert_int_equal(recover(b, EM_KEEP_ASK), EM_RECOVERED_DONE);
        check_clean(b);
        assert_int_equal(bench_rows(b, EM_ROW_DONE), 0);
        bench_close(b);
    }
}

/* All was done, and a later change has been made since: it started from what this one left. */
static void test_built_on(void **state)
{
    bench *b = *state;
    put(b, "a.txt", "newer");
    plant(b, (em_row){.new_ino = NEW_INODE});
    em_row later = plant(b, (em_row){.state = EM_ROW_DONE});
    char sql[200];
    snprintf(sql, sizeof sql, "UPDATE commits SET old_hash = new_hash WHERE id = %d",
             (int)later.id);
    bench_sql(b, sql);
    assert_int_equal(recover(b, EM_KEEP_ASK), EM_RECOVERED_DONE);
    assert_int_equal(bench_rows(b, EM_ROW_DONE), 2);
}

static void test_a_person_chooses(void **state)
{
    bench *b = *state;
    static const struct {
        em_keep keep;
        const char *text;
    } cases[] = {{EM_KEEP_TARGET, "y"}, {EM_KEEP_STRAY, "x"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        put(b, "a.txt", "y");
        put(b, temp_name, "x");
        plant(b, (em_row){.new_ino = NEW_INODE});
        assert_int_equal(recover(b, EM_KEEP_ASK), EM_LEFT_TO_PERSON);
        assert_int_equal(recover(b, cases[i].keep), EM_RECOVERED_UNDONE);
        check_name(b, "a.txt", cases[i].text, i);
        check_clean(b);
        bench_close(b);
    }
}

static em_status preview(bench *b)
{
    em_file file;
    em_status status = em_ws_open_file(bench_open(b), "a.txt", EM_TO_PREVIEW, 0, 0, &file, &b->err);
    em_file_close(b->ws, &file);
    return status;
}

/* A dry run is refused what a change would be, and leaves all as it was. */
static void test_a_dry_run_sees_what_is_left(void **state)
{
    bench *b = *state;
    static const struct {
        em_row row;
        const char *stray, *target;
        em_status want;
    } cases[] = {
        {{.new_ino = NEW_INODE}, "x", "y", EM_E_UNSETTLED},
        {{.new_ino = NEW_INODE}, "x", "new", EM_OK},
        {{.new_ino = NEW_INODE}, "old", "new", EM_OK},
        {{.new_ino = NEW_INODE, .state = EM_ROW_GRACE}, "x", "y", EM_OK},
        {{.new_ino = NEW_INODE, .path = "b.txt"}, "x", "y", EM_OK},
        {{.new_ino = NEW_INODE, .backup = "../bak"}, "x", "y", EM_OK}, /* damaged: not looked at */
        {{.kind = EM_ROW_REMOVE}, "x", "y", EM_E_UNSETTLED},
        {{.kind = EM_ROW_REMOVE}, "old", "old", EM_OK},
        {{.kind = EM_ROW_CREATE}, "x", "y", EM_OK},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        put(b, "a.txt", cases[i].target);
        put(b, temp_name, cases[i].stray);
        plant(b, cases[i].row);
        check_status("dry run", preview(b), cases[i].want);
        if (cases[i].want == EM_E_UNSETTLED)
            check_detail(b, temp_name);
        check_name(b, "a.txt", cases[i].target, i);
        check_name(b, temp_name, cases[i].stray, i);
        bench_close(b);
        bench_sql(b, "DELETE FROM commits");
    }
}

/* Whose lock is held is at work, and not left to anybody. */
static void test_a_dry_run_beside_an_owner(void **state)
{
    bench *b = *state;
    em_workspace *other;
    em_file file;
    plant(b, (em_row){.new_ino = NEW_INODE, .state = EM_ROW_DONE});
    check_status("other", em_ws_open(&b->options, &other, &b->err), EM_OK);
    check_status("held", em_ws_open_file(other, "a.txt", EM_TO_CHANGE, 0, 0, &file, &b->err),
                 EM_OK);
    put(b, "a.txt", "y");
    put(b, temp_name, "x");
    plant(b, (em_row){.new_ino = NEW_INODE});
    check_status("dry run", preview(b), EM_OK);
    em_file_close(other, &file);
    em_ws_free(other);
    check_status("dry run", preview(b), EM_E_UNSETTLED);
}

/* Nor is what a process keeps for late writes, whatever its row says. */
static void test_a_dry_run_beside_what_is_kept(void **state)
{
    bench *b = *state;
    em_workspace *other;
    em_row row = plant(b, (em_row){.new_ino = NEW_INODE});
    put(b, "a.txt", "y");
    put(b, temp_name, "x");
    check_status("other", em_ws_open(&b->options, &other, &b->err), EM_OK);
    check_status("ready", em_ws_state(other, true, &b->err), EM_OK);
    check_status("kept", em_lock_row_own(&other->locks, row.id, &b->err), EM_OK);
    check_status("dry run", preview(b), EM_OK);
    em_lock_row_release(&other->locks, row.id);
    check_status("dry run", preview(b), EM_E_UNSETTLED);
    em_ws_free(other);
}

/* A row that waits for a person, in a workspace that is open, with a file of locks. */
static void plant_left(bench *b)
{
    unsigned slot = em_lock_slot(1, "x");
    bench_disarm(b);
    put(b, "a.txt", "y");
    put(b, temp_name, "x");
    plant(b, (em_row){.new_ino = NEW_INODE});
    bench_open(b);
    check_status("ready", em_ws_state(b->ws, true, &b->err), EM_OK);
    check_status("lock", em_lock_take(&b->ws->locks, slot, 0, &b->err), EM_OK);
    em_lock_release(&b->ws->locks, slot);
}

/* Whatever fails, it is refused; and nothing was done. */
static void test_a_dry_run_whose_calls_fail(void **state)
{
    bench *b = *state;
    static const char *const calls[] = {"open", "stat", "read", "access", "lock", "locked"};
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        bool more = true;
        for (int skip = 0; more; skip++) {
            plant_left(b);
            trap *caught = trap_set(
                &b->trap, (trap){.call = calls[i], .about = "", .skip = skip, .error = EIO});
            em_status status = preview(b);
            if (status != EM_E_UNSETTLED && status != EM_E_IO)
                fail_msg("%s, %d passed: %d", calls[i], skip, (int)status);
            more = caught->caught > 0;
            assert_true(more || status == EM_E_UNSETTLED);
            check_name(b, "a.txt", "y", i);
            check_name(b, temp_name, "x", i);
            bench_close(b);
            bench_sql(b, "DELETE FROM commits");
        }
    }
}

static void drop_rows(void *context)
{
    bench_sql(context, "DELETE FROM commits");
}

static void finish_rows(void *context)
{
    bench_sql(context, "UPDATE commits SET state = 2");
}

/* Ended by somebody else after it was found, and before it is looked at. */
static void test_a_dry_run_beside_a_recovery(void **state)
{
    bench *b = *state;
    static void (*const ends[])(void *) = {drop_rows, finish_rows};
    for (size_t i = 0; i < COUNT_OF(ends); i++) {
        plant_left(b);
        trap *caught = trap_set(
            &b->trap, (trap){.call = "locked", .about = "slots", .hook = ends[i], .context = b});
        check_status("dry run", preview(b), EM_OK);
        assert_int_equal(caught->caught, 1);
        bench_close(b);
    }
}

/* A foreign save comes in while another is put back. */
static void save_in_place(void *context)
{
    bench *b = context;
    scratch_put(b->root, "a.txt", "z");
}

static void test_putting_back_is_disturbed(void **state)
{
    bench *b = *state;
    struct stat st;
    put(b, "a.txt", "new");
    put(b, temp_name, "x");
    assert_int_equal(stat(scratch_path(b->root, "a.txt"), &st), 0);
    plant(b, (em_row){.new_ino = st.st_ino});
    trap_set(&b->trap,
             (trap){.call = "exchange", .about = "", .hook = save_in_place, .context = b});
    assert_int_equal(recover(b, EM_KEEP_ASK), EM_LEFT_TO_PERSON);
    check_text(b, "a.txt", "z");
    check_text(b, temp_name, "x");
}

/* ---- Backups ------------------------------------------------------------------------------- */

static void test_backups(void **state)
{
    bench *b = *state;
    static const struct {
        em_row_state state;
        const char *stray, *target, *backup; /* of before */
        const char *backup_after;
    } cases[] = {
        {EM_ROW_PENDING, "old", "new", NULL, "old"},
        {EM_ROW_GRACE, "old", "new", NULL, "old"},
        {EM_ROW_GRACE, NULL, "new", "old", "old"},
        {EM_ROW_NAMED, "old", "new", NULL, "old"},
        {EM_ROW_PENDING, "new", "old", "old", NULL},
        {EM_ROW_PENDING, "new", "old", "theirs", "theirs"},
        {EM_ROW_PENDING, NULL, "old", "old", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        put(b, "a.txt", cases[i].target);
        put(b, temp_name, cases[i].stray);
        put(b, "a.txt.bak", cases[i].backup);
        plant(b, (em_row){.state = cases[i].state, .new_ino = NEW_INODE, .backup = "a.txt.bak"});
        recover(b, EM_KEEP_ASK);
        check_name(b, "a.txt.bak", cases[i].backup_after, i);
        check_name(b, "a.txt", cases[i].target, i);
        check_clean(b);
        bench_close(b);
        bench_sql(b, "DELETE FROM commits");
    }
}

/* ---- Creates ------------------------------------------------------------------------------- */

static void test_creates(void **state)
{
    bench *b = *state;
    static const struct {
        const char *made;   /* folders */
        const char *target; /* content of x/y/n */
        em_recovery_end end;
        bool folder_after;
    } cases[] = {
        {"x/y", "new", EM_RECOVERED_DONE, true},   {"x/y", "theirs", EM_RECOVERED_UNDONE, true},
        {"x/y", NULL, EM_RECOVERED_UNDONE, false}, {"x", NULL, EM_RECOVERED_UNDONE, false},
        {NULL, NULL, EM_RECOVERED_UNDONE, false},
    };
    b->options.sync = EM_SYNC_FULL;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        if (cases[i].made)
            scratch_folder(b->root, "x");
        if (cases[i].made && cases[i].made[1])
            scratch_folder(b->root, "x/y");
        if (cases[i].target)
            scratch_put(b->root, "x/y/n", cases[i].target);
        put(b, temp_name, i % 2 ? "half" : NULL);
        plant(b, (em_row){.kind = EM_ROW_CREATE, .path = "x/y/n", .folders = "x/y"});
        assert_int_equal(recover(b, EM_KEEP_ASK), cases[i].end);
        assert_int_equal(scratch_has(b->root, "x"), cases[i].folder_after);
        check_clean(b);
        bench_close(b);
        scratch_drop(scratch_path(b->root, "x"));
        bench_sql(b, "DELETE FROM commits");
    }
}

/* Somebody has put a link, or a file, where a folder was to be: it is not followed. */
static void test_creates_in_odd_places(void **state)
{
    bench *b = *state;
    scratch_folder(b->base, "outside");
    scratch_put(b->base, "outside/n", "new");
    for (int i = 0; i < 2; i++) {
        if (i == 0)
            scratch_link(b->root, "x", "../outside");
        else
            scratch_put(b->root, "x", "file");
        plant(b, (em_row){.kind = EM_ROW_CREATE, .path = "x/n", .folders = "x"});
        assert_int_equal(recover(b, EM_KEEP_ASK), EM_RECOVERED_UNDONE);
        assert_true(scratch_has(b->root, "x"));
        assert_true(scratch_has(b->base, "outside/n"));
        unlink(scratch_path(b->root, "x"));
        bench_close(b);
    }
}

/* ---- Failures ------------------------------------------------------------------------------ */

/* Whatever call fails: the row stays, and doing it again ends well. */
static void test_every_call_may_fail(void **state)
{
    bench *b = *state;
    static const struct {
        em_row row;
        const char *stray, *target, *target_after;
        em_keep keep;
    } cases[] = {
        {{.new_ino = NEW_INODE}, "new", "old", "old", EM_KEEP_ASK},
        {{.new_ino = NEW_INODE}, "old", "new", "new", EM_KEEP_ASK},
        {{.new_ino = NEW_INODE, .backup = "bak"}, "old", "new", "new", EM_KEEP_ASK},
        {{.new_ino = NEW_INODE}, "x", "new", "x", EM_KEEP_ASK},
        {{.new_ino = NEW_INODE}, "x", "y", "x", EM_KEEP_STRAY},
        {{.new_ino = NEW_INODE}, "x", "y", "y", EM_KEEP_TARGET},
        {{.new_ino = NEW_INODE, .backup = "bak"}, NULL, "old", "old", EM_KEEP_ASK},
        {{.new_ino = NEW_INODE}, NULL, "new", "new", EM_KEEP_ASK},
        {{.state = EM_ROW_GRACE}, "old", "new", "new", EM_KEEP_ASK},
        {{.state = EM_ROW_NAMED}, "old", "new", "new", EM_KEEP_ASK},
        {{.kind = EM_ROW_CREATE, .path = "x/a.txt", .folders = "x"},
         "new",
         "new",
         "new",
         EM_KEEP_ASK},
        {{.new_ino = NEW_INODE, .forget = true}, "old", "new", "new", EM_KEEP_ASK},
        {{.kind = EM_ROW_REMOVE}, "old", "old", "old", EM_KEEP_ASK},
        {{.new_ino = NEW_INODE, .backup = "bak"}, "new", "old", "old", EM_KEEP_ASK},
        {{.state = EM_ROW_GRACE, .backup = "bak"}, "old", "new", "new", EM_KEEP_ASK},
    };
    static const char *const calls[] = {"open",     "stat",    "read", "unlink",
                                        "exchange", "replace", "move", "sync"};
    b->options.sync = EM_SYNC_FULL;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (size_t k = 0; k < COUNT_OF(calls); k++) {
            for (int skip = 0; skip < 40; skip++) {
                EM_AUTO(em_arena) arena = {0};
                em_recovery recovery;
                em_recover_options options = {.keep = cases[i].keep};
                bench_close(b);
                bench_disarm(b);
                put(b, "a.txt", cases[i].target);
                put(b, temp_name, cases[i].stray);
                put(b, "bak", NULL);
                plant(b, cases[i].row);
                bench_open(b);
                check_status("ready", em_ws_state(b->ws, true, &b->err), EM_OK);
                check_status("ready", em_ws_need_history(b->ws, &b->err), EM_OK);
                trap *caught =
                    trap_set(&b->trap,
                             (trap){.call = calls[k], .about = "root", .skip = skip, .error = EIO});
                trap *names = trap_set(
                    &b->trap,
                    (trap){.call = calls[k], .about = ".emend-", .skip = skip, .error = EIO});
                em_status status = em_recover(b->ws, &options, &arena, &recovery, &b->err);
                assert_true(status == EM_OK || status == EM_E_IO);
                bool hit = caught->caught + names->caught > 0;
                bench_disarm(b);
                check_status("again", em_recover(b->ws, &options, &arena, &recovery, &b->err),
                             EM_OK);
                check_name(b, "a.txt", cases[i].target_after, i);
                check_clean(b);
                bench_sql(b, "DELETE FROM commits");
                if (!hit)
                    break;
            }
        }
    }
}

/* A removal without its journal, and somebody has made the file again. */
static void test_a_removal_that_was_made_again(void **state)
{
    bench *b = *state;
    put(b, "a.txt", "theirs");
    put(b, temp_name, "old");
    plant(b, (em_row){.kind = EM_ROW_REMOVE});
    assert_int_equal(recover(b, EM_KEEP_ASK), EM_LEFT_TO_PERSON);
    assert_int_equal(bench_rows(b, EM_ROW_PENDING), 1);
    assert_int_equal(recover(b, EM_KEEP_TARGET), EM_RECOVERED_UNDONE);
    check_text(b, "a.txt", "theirs");
    check_clean(b);
}

/* Nothing is concluded from what the history cannot say. */
static void test_the_history_fails(void **state)
{
    bench *b = *state;
    bool more = true;
    for (int skip = 0; more; skip++) {
        em_recovery recovery;
        em_recover_options options = {0};
        put(b, "a.txt", "newer");
        plant(b, (em_row){.new_ino = NEW_INODE});
        bench_open(b);
        trap *set = trap_set(
            &b->trap, (trap){.call = "lock", .about = "history.db", .skip = skip, .error = EIO});
        em_status status = em_recover(b->ws, &options, &b->arena, &recovery, &b->err);
        assert_true(status == EM_OK || status == EM_E_IO);
        more = set->caught > 0;
        bench_close(b);
        bench_disarm(b);
        recover(b, EM_KEEP_ASK);
        check_text(b, "a.txt", "newer");
        check_clean(b);
        bench_close(b);
        bench_sql(b, "DELETE FROM commits");
    }
}

/* As long as the row cannot say that the change is made, the old content stays where it is. */
static void test_a_row_that_cannot_be_marked(void **state)
{
    bench *b = *state;
    static const char *const backups[] = {NULL, "bak"};
    for (size_t i = 0; i < COUNT_OF(backups); i++) {
        put(b, "a.txt", "new");
        put(b, temp_name, "old");
        plant(b, (em_row){.new_ino = NEW_INODE, .backup = backups[i]});
        bench_sql(b, "CREATE TRIGGER stays BEFORE UPDATE ON commits WHEN new.state = 1"
                     " BEGIN SELECT RAISE(ABORT, 'stays'); END");
        assert_int_equal(recover(b, EM_KEEP_ASK), EM_LEFT_UNREADABLE);
        check_text(b, "a.txt", "new");
        check_text(b, temp_name, "old");
        assert_false(scratch_has(b->root, "bak"));
        bench_close(b);
        assert_int_equal(bench_row(b).state, EM_ROW_PENDING);

        bench_sql(b, "DROP TRIGGER stays");
        assert_int_equal(recover(b, EM_KEEP_ASK), EM_RECOVERED_DONE);
        check_text(b, "a.txt", "new");
        check_name(b, "bak", backups[i] ? "old" : NULL, i);
        assert_int_equal(bench_row(b).state, EM_ROW_NAMED);
        check_clean(b);
        bench_close(b);
        bench_sql(b, "DELETE FROM commits");
    }
}

/* As long as the backup cannot be looked at, the row that knows of it stays. */
static void test_a_backup_that_cannot_be_looked_at(void **state)
{
    bench *b = *state;
    static const char *const strays[] = {"new", NULL};
    for (size_t i = 0; i < COUNT_OF(strays); i++) {
        put(b, "a.txt", "old");
        put(b, temp_name, strays[i]);
        put(b, "bak", "old");
        plant(b, (em_row){.new_ino = NEW_INODE, .backup = "bak"});
        bench_open(b);
        trap_set(&b->trap, (trap){.call = "open", .about = "=bak", .error = EIO});
        assert_int_equal(recover(b, EM_KEEP_ASK), EM_LEFT_UNREADABLE);
        assert_int_equal(recover(b, EM_KEEP_ASK), EM_RECOVERED_UNDONE);
        assert_false(scratch_has(b->root, "bak"));
        check_clean(b);
        bench_close(b);
        bench_disarm(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_judging),
        BENCH_TEST(test_edits),
        BENCH_TEST(test_without_history),
        BENCH_TEST(test_built_on),
        BENCH_TEST(test_a_person_chooses),
        BENCH_TEST(test_a_dry_run_sees_what_is_left),
        BENCH_TEST(test_a_dry_run_beside_an_owner),
        BENCH_TEST(test_a_dry_run_beside_what_is_kept),
        BENCH_TEST(test_a_dry_run_beside_a_recovery),
        BENCH_TEST(test_a_dry_run_whose_calls_fail),
        BENCH_TEST(test_putting_back_is_disturbed),
        BENCH_TEST(test_backups),
        BENCH_TEST(test_creates),
        BENCH_TEST(test_creates_in_odd_places),
        BENCH_TEST(test_every_call_may_fail),
        BENCH_TEST(test_a_removal_that_was_made_again),
        BENCH_TEST(test_the_history_fails),
        BENCH_TEST(test_a_row_that_cannot_be_marked),
        BENCH_TEST(test_a_backup_that_cannot_be_looked_at),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

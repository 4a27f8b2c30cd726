#include "several.h"

#include "history/inverse.h"
#include "workspace/content_store.h"
#include "workspace/recorded.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static const several_part two_edits[] = {
    {.path = "a.txt", .old = "two", .new = "2"},
    {.path = "b.txt", .old = "five", .new = "5"},
    {.path = NULL},
};

static void two_files(bench *b)
{
    scratch_put(b->root, "b.txt", "four five six\n");
}

/* The same where the second file is in a folder of its own. */
static const several_part in_two_folders[] = {
    {.path = "a.txt", .old = "two", .new = "2"},
    {.path = "in/b.txt", .old = "five", .new = "5"},
    {.path = NULL},
};

static void file_in_folder(bench *b)
{
    assert_int_equal(mkdir(scratch_path(b->root, "in"), 0755), 0);
    scratch_put(b->root, "in/b.txt", "four five six\n");
}

static void check_old(bench *b)
{
    check_text(b, "a.txt", "one two three\n");
    check_text(b, "b.txt", "four five six\n");
}

static void check_new(bench *b)
{
    check_text(b, "a.txt", "one 2 three\n");
    check_text(b, "b.txt", "four 5 six\n");
}

static void test_two_files(void **state)
{
    bench *b = *state;
    several done;
    two_files(b);
    check_status("change", several_change(b, two_edits, &done), EM_OK);
    check_new(b);
    check_settled(b);
    assert_int_equal(bench_rows(b, EM_ROW_DONE), 2);
    for (size_t i = 0; i < 2; i++) {
        assert_true(done.parts[i].report.edit_id[0] != '\0');
        assert_int_equal(done.parts[i].report.warnings.count, 0);
        assert_true(done.parts[i].report.mtime.tv_sec > 0);
    }
    assert_string_equal(done.parts[1].report.hash.hex, em_hash_of(EM_LIT("four 5 six\n")).hex);
    em_row row = bench_row(b);
    assert_int_equal(row.state, EM_ROW_NAMED);
    assert_string_equal(row.path, "b.txt");
    assert_int_equal(strlen(row.txn), 16);
}

static bool always(void *context)
{
    (void)context;
    return true;
}

static void test_a_call_that_was_cancelled(void **state)
{
    bench *b = *state;
    several done;
    two_files(b);
    em_ws_set_cancel(bench_open(b), (em_cancel){.is_cancelled = always});
    check_status("change", several_change(b, two_edits, &done), EM_E_TIMEOUT);
    check_old(b);
    check_settled(b);
    assert_int_equal(bench_rows(b, EM_ROW_DONE), 0);
}

/* Making, changing, removing and moving in one go. */
static void test_all_kinds(void **state)
{
    bench *b = *state;
    several done;
    two_files(b);
    scratch_put(b->root, "gone.txt", "to be removed\n");
    scratch_put(b->root, "from.txt", "to be moved\n");
    assert_int_equal(chmod(scratch_path(b->root, "from.txt"), 0750), 0);
    const several_part parts[] = {
        {.path = "a.txt", .old = "two", .new = "2"},
        {.path = "new/deep/c.txt", .new = "made\n"},
        {.path = "new/d.txt", .new = "made too\n"},
        {.path = "gone.txt", .old = ""},
        {.path = "from.txt", .old = ""},
        {.path = "to.txt", .new = "to be moved\n", .like = "from.txt"},
        {.path = NULL},
    };
    struct stat st;
    check_status("change", several_change(b, parts, &done), EM_OK);
    check_text(b, "a.txt", "one 2 three\n");
    check_text(b, "new/deep/c.txt", "made\n");
    check_text(b, "new/d.txt", "made too\n");
    assert_false(scratch_has(b->root, "gone.txt"));
    assert_false(scratch_has(b->root, "from.txt"));
    check_text(b, "to.txt", "to be moved\n");
    assert_int_equal(stat(scratch_path(b->root, "to.txt"), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0750);
    assert_int_equal(bench_strays(b, "new"), 0);
    assert_int_equal(bench_strays(b, "new/deep"), 0);
    check_settled(b);
    assert_string_equal(done.parts[3].report.hash.hex, "");
    assert_int_equal(done.parts[3].report.size, 0);
}

/* One file alone goes the way of any other change; nothing at all is done at once. */
static void test_few(void **state)
{
    bench *b = *state;
    several done;
    const several_part none[] = {{.path = NULL}};
    const several_part edit[] = {{.path = "a.txt", .old = "two", .new = "2"}, {.path = NULL}};
    const several_part make[] = {{.path = "c.txt", .new = "made\n"}, {.path = NULL}};
    const several_part remove[] = {{.path = "c.txt", .old = ""}, {.path = NULL}};
    check_status("none", several_change(b, none, &done), EM_OK);
    check_status("edit", several_change(b, edit, &done), EM_OK);
    assert_null(bench_row(b).txn);
    check_status("make", several_change(b, make, &done), EM_OK);
    check_text(b, "c.txt", "made\n");
    check_status("remove", several_change(b, remove, &done), EM_OK);
    assert_false(scratch_has(b->root, "c.txt"));
    assert_int_equal(bench_row(b).kind, EM_ROW_REMOVE);
    check_settled(b);
}

/* What is recorded of a removal leads back to the whole content. */
static void test_a_removal_has_a_way_back(void **state)
{
    bench *b = *state;
    several done;
    em_slice plan;
    em_inverse back;
    const several_part remove[] = {{.path = "a.txt", .old = ""}, {.path = NULL}};
    check_status("remove", several_change(b, remove, &done), EM_OK);
    em_row row = bench_row(b);
    check_status("way back", em_history_inverse(b->ws->history, &row, &b->arena, &plan, &b->err),
                 EM_OK);
    check_status("decode", em_inverse_decode(plan, &b->arena, &back), EM_OK);
    assert_int_equal(back.count, 1);
    assert_true(em_slice_is(back.places[0].old_bytes, "one two three\n"));
}

static void test_backups(void **state)
{
    bench *b = *state;
    several done;
    two_files(b);
    const several_part parts[] = {
        {.path = "a.txt", .old = "two", .new = "2", .backup = true},
        {.path = "b.txt", .old = "five", .new = "5", .backup = true},
        {.path = NULL},
    };
    check_status("change", several_change(b, parts, &done), EM_OK);
    check_new(b);
    check_text(b, "a.txt.bak", "one two three\n");
    check_text(b, "b.txt.bak", "four five six\n");
    assert_string_equal(done.parts[1].report.backup_path, "b.txt.bak");
    check_settled(b);
}

static void test_grace(void **state)
{
    bench *b = *state;
    several done;
    two_files(b);
    b->options.grace_ms = 60000;
    check_status("change", several_change(b, two_edits, &done), EM_OK);
    check_new(b);
    assert_int_equal(bench_strays(b, "."), 2);
    assert_int_equal(several_journals(b), 0);
    bench_close(b);
    check_settled(b);
}

static void test_no_history(void **state)
{
    bench *b = *state;
    several done;
    two_files(b);
    b->options.no_history = true;
    b->options.sync = EM_SYNC_FULL;
    check_status("change", several_change(b, two_edits, &done), EM_OK);
    check_new(b);
    check_settled(b);
    assert_int_equal(bench_rows(b, EM_ROW_DONE), 0);
    assert_string_equal(done.parts[0].report.edit_id, "");
}

static void test_what_cannot_be_opened(void **state)
{
    bench *b = *state;
    several done;
    two_files(b);
    const several_part parts[] = {
        {.path = "a.txt", .old = "two", .new = "2"},
        {.path = "missing.txt", .old = "x", .new = "y"},
        {.path = "../out.txt", .old = "x", .new = "y"},
        {.path = NULL},
    };
    check_status("change", several_change(b, parts, &done), EM_E_NOT_FOUND);
    assert_int_equal(done.wanted[0].status, EM_OK);
    assert_int_equal(done.wanted[1].status, EM_E_NOT_FOUND);
    assert_int_equal(done.wanted[2].status, EM_E_OUTSIDE);
    check_old(b);
    check_settled(b);
}

static void test_the_same_file_twice(void **state)
{
    bench *b = *state;
    several done;
    scratch_link(b->root, "link.txt", "a.txt");
    assert_int_equal(link(scratch_path(b->root, "a.txt"), scratch_path(b->root, "hard.txt")), 0);
    static const char *const names[] = {"a.txt", "link.txt", "hard.txt", "./a.txt"};
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        const several_part parts[] = {
            {.path = "new.txt", .new = "x"},
            {.path = "a.txt", .old = "two", .new = "2"},
            {.path = names[i], .old = "one", .new = "1"},
            {.path = NULL},
        };
        check_status(names[i], several_change(b, parts, &done), EM_E_INVALID);
        check_detail(b, "it is the same file as a.txt");
        assert_int_equal(done.culprit, 2);
        assert_int_equal(done.wanted[2].same_as, 1);
    }
    const several_part made[] = {
        {.path = "n/x", .new = "1"}, {.path = "n/../n/x", .new = "2"}, {.path = NULL}};
    check_status("missing", several_change(b, made, &done), EM_E_NOT_FOUND); /* n is not there */
    const several_part made_twice[] = {
        {.path = "n/x", .new = "1"}, {.path = "./n//x", .new = "2"}, {.path = NULL}};
    check_status("missing", several_change(b, made_twice, &done), EM_E_INVALID);
    check_settled(b);
}

/* ---- Failures and conflicts ----------------------------------------------------------------- */

typedef struct meddling {
    bench *bench;
    const char *name, *text; /* saved by rename; text NULL: removed */
} meddling;

static void meddle(void *context)
{
    const meddling *m = context;
    const char *path = scratch_path(m->bench->root, m->name);
    if (!m->text) {
        assert_int_equal(unlink(path), 0);
        return;
    }
    scratch_put(m->bench->root, "saved", m->text);
    assert_int_equal(rename(scratch_path(m->bench->root, "saved"), path), 0);
}

/* Wherever something fails before the commit point, nothing is changed and nothing left. */
static void test_failing_calls(void **state)
{
    bench *b = *state;
    several done;
    static const struct {
        const char *call, *about;
        int skip, error;
        em_status want;
        size_t culprit; /* 9: none */
    } cases[] = {
        {"random", "", 1, EAGAIN, EM_E_IO, 1},
        {"open", "O_TMPFILE", 1, ENOSPC, EM_E_IO, 1},
        {"write", "root", 1, ENOSPC, EM_E_IO, 1},
        {"sync", "root", 1, EIO, EM_E_IO, 1},
        {"link", ".emend-", 1, EDQUOT, EM_E_IO, 1},
        {"mkdir", "=journal", 0, EACCES, EM_E_PERMISSION, 9},
        {"open", "=journal", 1, EIO, EM_E_IO, 9},
        {"write", "/journal/", 0, ENOSPC, EM_E_IO, 9},
        {"sync", "/journal/", 0, EIO, EM_E_IO, 9},
        {"link", ".prepared", 0, ENOSPC, EM_E_IO, 9},
        {"exchange", "b.txt", 0, EIO, EM_E_IO, 1},
        {"exchange", "b.txt", 0, EINVAL, EM_E_IO, 1},
        {"exchange", "b.txt", 0, ENOENT, EM_E_CONFLICT, 1},
        {"replace", ".committed", 0, EIO, EM_E_IO, 9},
    };
    b->options.sync = EM_SYNC_FULL;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bench_disarm(b);
        bench_close(b);
        two_files(b);
        trap *set = trap_set(&b->trap, (trap){.call = cases[i].call,
                                              .about = cases[i].about,
                                              .skip = cases[i].skip,
                                              .error = cases[i].error});
        check_status(cases[i].about, several_change(b, two_edits, &done), cases[i].want);
        assert_int_equal(set->caught, 1);
        assert_int_equal(done.culprit, cases[i].culprit == 9 ? 2 : cases[i].culprit);
        check_old(b);
        check_settled(b);
        assert_int_equal(bench_rows(b, EM_ROW_DONE), 0);
    }
}

/* Who sent edits can send them one by one; who takes a call back cannot. */
static void test_without_exchange(void **state)
{
    bench *b = *state;
    several done;
    static const struct {
        em_role role;
        const char *instead;
    } cases[] = {{EM_ROLE_EDIT, "send them one by one"},
                 {EM_ROLE_UNDO, "edit them one by one instead"},
                 {EM_ROLE_REDO, "edit them one by one instead"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        const several_part parts[] = {
            {.path = "a.txt", .old = "two", .new = "2", .role = cases[i].role},
            {.path = "b.txt", .old = "five", .new = "5", .role = cases[i].role},
            {.path = NULL},
        };
        bench_disarm(b);
        two_files(b);
        trap_set(&b->trap, (trap){.call = "exchange", .about = "", .error = EINVAL});
        check_status(cases[i].instead, several_change(b, parts, &done), EM_E_IO);
        check_detail(b, cases[i].instead);
        check_old(b);
        check_settled(b);
    }
}

/* The same where nothing is synced, and what there is no room for is known only at close. */
static void test_no_room_without_sync(void **state)
{
    bench *b = *state;
    several done;
    static const struct {
        const char *about;
        int skip;
        size_t culprit;
    } cases[] = {{"root", 1, 1}, {"/journal/", 0, 2}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bench_disarm(b);
        two_files(b);
        trap *set = trap_set(&b->trap, (trap){.call = "flush",
                                              .about = cases[i].about,
                                              .skip = cases[i].skip,
                                              .error = EDQUOT});
        check_status(cases[i].about, several_change(b, two_edits, &done), EM_E_IO);
        assert_int_equal(set->caught, 1);
        assert_int_equal(done.culprit, cases[i].culprit);
        check_old(b);
        check_settled(b);
        assert_int_equal(bench_rows(b, EM_ROW_DONE), 0);
    }
}

/* The rows of all files are written once more where contents that are kept in case can go. */
static void test_no_room_for_rows(void **state)
{
    static const struct {
        int error;
        bool keeps;
        em_status want;
    } rows[] = {{ENOSPC, false, EM_E_IO}, {EIO, true, EM_E_IO}, {ENOSPC, true, EM_OK}};
    bench *b = *state;
    em_content kept = {.old = EM_LIT("kept in case")};
    several done;
    two_files(b);
    check_status("ready", em_ws_ready(bench_open(b), &b->err), EM_OK);
    check_status("ready", em_ws_need_history(b->ws, &b->err), EM_OK);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        bench_disarm(b);
        if (rows[i].keeps)
            check_status("keep", em_content_store_keep(b->ws, em_hash_of(kept.old), &kept), EM_OK);
        trap_set(&b->trap, (trap){.call = "write", .about = "-wal", .error = rows[i].error});
        check_status("change", several_change(b, two_edits, &done), rows[i].want);
        if (rows[i].want == EM_OK)
            check_new(b);
        else
            check_old(b);
        check_settled(b);
    }
}

static void test_no_room_for_rows_and_nobody_reads_the_error(void **state)
{
    bench *b = *state;
    em_error *const none = NULL;
    em_wanted wanted[] = {{.path = "a.txt"}, {.path = "b.txt"}};
    em_splice splices[] = {{4, 3, EM_LIT("2")}, {5, 4, EM_LIT("5")}};
    em_change changes[] = {{.splices = {&splices[0], 1}}, {.splices = {&splices[1], 1}}};
    em_part parts[] = {{.file = &wanted[0].file, .change = &changes[0]},
                       {.file = &wanted[1].file, .change = &changes[1]}};
    size_t culprit;
    two_files(b);
    check_status("open", em_ws_open_files(bench_open(b), wanted, 2, EM_TO_CHANGE), EM_OK);
    check_status("ready", em_ws_need_history(b->ws, &b->err), EM_OK);
    trap_set(&b->trap, (trap){.call = "write", .about = "-wal", .error = ENOSPC});
    check_status("change", em_ws_commit_all(b->ws, parts, 2, &b->arena, &culprit, none), EM_E_IO);
    em_file_close(b->ws, &wanted[0].file);
    em_file_close(b->ws, &wanted[1].file);
    check_old(b);
    check_settled(b);
}

/* A part is named where one is at fault, and none where all is well or the fault is nobody's. */
static void test_who_is_at_fault(void **state)
{
    bench *b = *state;
    several done;
    em_wanted wanted[] = {{.path = "a.txt"}, {.path = "b.txt"}};
    em_part parts[2];
    size_t culprit = 9;
    const em_splice splice = {4, 3, EM_LIT("2")};
    const em_change change = {.splices = {&splice, 1}};
    two_files(b);
    check_status("two", several_change(b, two_edits, &done), EM_OK);
    assert_int_equal(done.culprit, 2);

    const several_part edit[] = {{.path = "a.txt", .old = "2", .new = "two"}, {.path = NULL}};
    check_status("one", several_change(b, edit, &done), EM_OK);
    assert_int_equal(done.culprit, 1);

    two_files(b);
    const several_part fails[] = {{.path = "a.txt", .old = "two", .new = "2"}, {.path = NULL}};
    trap_set(&b->trap, (trap){.call = "exchange", .about = "", .error = EIO});
    check_status("one fails", several_change(b, fails, &done), EM_E_IO);
    assert_int_equal(done.culprit, 0);

    check_status("open", em_ws_open_files(b->ws, wanted, 2, EM_TO_CHANGE), EM_OK);
    for (size_t i = 0; i < 2; i++)
        parts[i] = (em_part){.file = &wanted[i].file, .change = &change};
    memory_ends_at(1);
    em_status status = em_ws_commit_all(b->ws, parts, 2, &b->arena, &culprit, &b->err);
    memory_ends_at(0);
    for (size_t i = 0; i < 2; i++)
        em_file_close(b->ws, &wanted[i].file);
    check_status("no memory", status, EM_E_NOMEM);
    assert_int_equal(culprit, 2);
    check_old(b);
    check_settled(b);
}

static void remove_stray(void *context)
{
    bench *b = context;
    const char *stray = bench_stray(b, ".");
    assert_non_null(stray);
    assert_int_equal(unlink(scratch_path(b->root, stray)), 0);
}

/* Somebody removes what came out, before it is looked at, and the change goes on; or later, and the
 * file stays as it was made: that is told, and the history has it, so that it can be undone. */
static void test_an_old_content_that_is_removed(void **state)
{
    bench *b = *state;
    several done;
    two_files(b);
    file_in_folder(b);
    trap_set(&b->trap,
             (trap){.call = "exchange", .about = "a.txt", .after = remove_stray, .context = b});
    check_status("at once", several_change(b, in_two_folders, &done), EM_OK);
    assert_int_equal(done.parts[0].report.warnings.count, 1);
    assert_non_null(strstr(done.parts[0].report.warnings.items[0], "removed the old content"));
    check_text(b, "a.txt", "one 2 three\n");
    check_text(b, "in/b.txt", "four 5 six\n");
    check_settled(b);

    bench_disarm(b);
    scratch_put(b->root, "a.txt", "one two three\n");
    scratch_put(b->root, "in/b.txt", "four five six\n");
    long made = bench_rows(b, EM_ROW_NAMED);
    trap_set(&b->trap, (trap){.call = "exchange",
                              .about = "b.txt",
                              .error = EIO,
                              .hook = remove_stray,
                              .context = b});
    check_status("later", several_change(b, in_two_folders, &done), EM_E_UNKNOWN);
    check_detail(b, "a.txt is changed all the same");
    check_text(b, "a.txt", "one 2 three\n");
    check_text(b, "in/b.txt", "four five six\n");
    assert_int_equal(bench_rows(b, EM_ROW_NAMED), made + 1);
    assert_int_equal(bench_rows(b, EM_ROW_PENDING), 0);
}

static void write_to_stray(void *context)
{
    bench *b = context;
    const char *stray = bench_stray(b, "in");
    assert_non_null(stray);
    char path[SCRATCH_PATH];
    snprintf(path, sizeof path, "in/%s", stray);
    scratch_put(b->root, path, "foreign\n");
}

/* Somebody writes into the new content under its temporary name: a person says what becomes of
 * it. */
static void test_others_write_to_a_temporary_file(void **state)
{
    bench *b = *state;
    several done;
    file_in_folder(b);
    trap_set(&b->trap,
             (trap){.call = "exchange", .about = "a.txt", .hook = write_to_stray, .context = b});
    check_status("change", several_change(b, in_two_folders, &done), EM_E_UNKNOWN);
    check_detail(b, "another program wrote to the temporary file .emend-");
    check_detail(b, "in/b.txt` removes that");
    check_text(b, "a.txt", "one two three\n");
    check_text(b, "in/b.txt", "four five six\n");
    char path[SCRATCH_PATH];
    snprintf(path, sizeof path, "in/%s", bench_stray(b, "in"));
    check_text(b, path, "foreign\n");
}

/* Where a file was to be made, it is theirs, and nothing of it is ours. */
static void test_others_write_to_what_is_to_be_made(void **state)
{
    bench *b = *state;
    several done;
    const several_part parts[] = {
        {.path = "a.txt", .old = "two", .new = "2"},
        {.path = "in/c.txt", .new = "made\n"},
        {.path = NULL},
    };
    assert_int_equal(mkdir(scratch_path(b->root, "in"), 0755), 0);
    trap_set(&b->trap,
             (trap){.call = "exchange", .about = "a.txt", .hook = write_to_stray, .context = b});
    check_status("change", several_change(b, parts, &done), EM_E_IO);
    check_text(b, "a.txt", "one two three\n");
    check_text(b, "in/c.txt", "foreign\n"); /* as if it had been saved there */
    check_settled(b);
}

static void write_after(void *context)
{
    bench *b = context;
    scratch_put(b->root, "a.txt", "later\n");
}

static void test_others_write_to_a_new_content(void **state)
{
    bench *b = *state;
    several done;
    two_files(b);
    trap_set(&b->trap,
             (trap){.call = "exchange", .about = "a.txt", .after = write_after, .context = b});
    check_status("change", several_change(b, two_edits, &done), EM_OK);
    check_text(b, "a.txt", "later\n");
    assert_int_equal(done.parts[0].report.warnings.count, 1);
    assert_non_null(strstr(done.parts[0].report.warnings.items[0], "Another program wrote"));
    check_settled(b);
}

static void set_attribute(void *context)
{
    const bench *b = context;
    assert_int_equal(setxattr(scratch_path(b->root, "b.txt"), "user.one", "2", 1, 0), 0);
}

static void test_an_attribute_undoes_all(void **state)
{
    bench *b = *state;
    several done;
    char value[8];
    if (!bench_has_attributes(b))
        skip();
    two_files(b);
    trap_set(&b->trap,
             (trap){.call = "exchange", .about = "b.txt", .hook = set_attribute, .context = b});
    check_status("change", several_change(b, two_edits, &done), EM_E_CONFLICT);
    check_old(b);
    assert_int_equal(getxattr(scratch_path(b->root, "b.txt"), "user.one", value, sizeof value), 1);
    check_settled(b);
    static const char *const calls[] = {"open", "listxattr"};
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        bench_disarm(b);
        /* The name alone is opened before its content. */
        trap *caught = trap_set(
            &b->trap, (trap){.call = calls[i], .about = ".emend-", .skip = i == 0, .error = EIO});
        check_status(calls[i], several_change(b, two_edits, &done), EM_E_IO);
        assert_int_equal(caught->caught, 1);
        check_old(b);
        check_settled(b);
    }
}

static void save_secretly(void *context)
{
    const bench *b = context;
    struct stat st;
    const char *path = scratch_path(b->root, "b.txt");
    assert_int_equal(stat(path, &st), 0);
    scratch_put(b->root, "b.txt", "FOUR five six\n");
    path = scratch_path(b->root, "b.txt");
    assert_int_equal(utimensat(AT_FDCWD, path, (struct timespec[2]){st.st_atim, st.st_mtim}, 0), 0);
}

/* Only the hash of what came out can tell. */
static void test_changed_secretly_undoes_all(void **state)
{
    bench *b = *state;
    several done;
    two_files(b);
    trap_set(&b->trap,
             (trap){.call = "exchange", .about = "b.txt", .hook = save_secretly, .context = b});
    check_status("change", several_change(b, two_edits, &done), EM_E_CONFLICT);
    check_text(b, "a.txt", "one two three\n");
    check_text(b, "b.txt", "FOUR five six\n");
    check_settled(b);
}

static void link_it(void *context)
{
    const bench *b = context;
    char other[SCRATCH_PATH];
    snprintf(other, sizeof other, "%s", scratch_path(b->root, "other"));
    assert_int_equal(link(scratch_path(b->root, "b.txt"), other), 0);
}

static void test_a_new_hard_link_is_told(void **state)
{
    bench *b = *state;
    several done;
    two_files(b);
    trap_set(&b->trap, (trap){.call = "exchange", .about = "b.txt", .hook = link_it, .context = b});
    check_status("change", several_change(b, two_edits, &done), EM_OK);
    assert_int_equal(done.parts[1].report.warnings.count, 1);
    assert_non_null(strstr(done.parts[1].report.warnings.items[0], "hard link was broken"));
    check_settled(b);
}

static void make_private(void *context)
{
    const bench *b = context;
    assert_int_equal(chmod(scratch_path(b->root, "b.txt"), 0600), 0);
}

/* Nor is what somebody made private in the very moment open again. */
static void test_made_private_undoes_all(void **state)
{
    bench *b = *state;
    several done;
    struct stat st;
    two_files(b);
    const several_part parts[] = {
        {.path = "a.txt", .old = "two", .new = "2"},
        {.path = "b.txt", .old = "five", .new = "5"},
        {.path = NULL},
    };
    trap_set(&b->trap,
             (trap){.call = "exchange", .about = "b.txt", .hook = make_private, .context = b});
    check_status("conflict", several_change(b, parts, &done), EM_E_CONFLICT);
    check_detail(b, "in the moment of the change");
    check_old(b);
    assert_int_equal(stat(scratch_path(b->root, "b.txt"), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    check_settled(b);
}

/* A foreign save of the last file, in the very moment: all are as they were, and it is in place. */
static void test_a_conflict_undoes_all(void **state)
{
    bench *b = *state;
    several done;
    two_files(b);
    scratch_put(b->root, "gone.txt", "to be removed\n");
    const several_part parts[] = {
        {.path = "a.txt", .old = "two", .new = "2"},
        {.path = "new/c.txt", .new = "made\n"},
        {.path = "gone.txt", .old = ""},
        {.path = "b.txt", .old = "five", .new = "5"},
        {.path = NULL},
    };
    meddling m = {b, "b.txt", "theirs\n"};
    trap_set(&b->trap, (trap){.call = "exchange", .about = "b.txt", .hook = meddle, .context = &m});
    check_status("conflict", several_change(b, parts, &done), EM_E_CONFLICT);
    check_detail(b, "in the moment of the change");
    assert_int_equal(done.culprit, 3);
    check_text(b, "a.txt", "one two three\n");
    check_text(b, "b.txt", "theirs\n");
    check_text(b, "gone.txt", "to be removed\n");
    assert_false(scratch_has(b->root, "new"));
    check_settled(b);
    assert_int_equal(bench_rows(b, EM_ROW_DONE), 0);
}

/* Each kind, met by somebody before it is done: a conflict, and theirs stays. */
static void test_conflicts(void **state)
{
    bench *b = *state;
    several done;
    static const struct {
        const char *what, *name, *text; /* what somebody does */
        const char *call, *about;       /* just before this */
        em_status want;
    } cases[] = {
        {"edited file saved", "b.txt", "theirs\n", "exchange", "a.txt", EM_E_CONFLICT},
        {"edited file removed", "b.txt", NULL, "exchange", "a.txt", EM_E_CONFLICT},
        {"file to be removed saved", "gone.txt", "theirs\n", "replace", "gone.txt", EM_E_CONFLICT},
        {"file to be removed is gone", "gone.txt", NULL, "replace", "gone.txt", EM_E_CONFLICT},
        {"file to be made is there", "made.txt", "theirs\n", "move", "made.txt", EM_E_EXISTS},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bench_disarm(b);
        two_files(b);
        scratch_put(b->root, "gone.txt", "to be removed\n");
        const several_part parts[] = {
            {.path = "a.txt", .old = "two", .new = "2"},
            {.path = "b.txt", .old = "five", .new = "5"},
            {.path = "gone.txt", .old = ""},
            {.path = "made.txt", .new = "ours\n"},
            {.path = NULL},
        };
        meddling m = {b, cases[i].name, cases[i].text};
        trap *set = trap_set(
            &b->trap,
            (trap){.call = cases[i].call, .about = cases[i].about, .hook = meddle, .context = &m});
        check_status(cases[i].what, several_change(b, parts, &done), cases[i].want);
        assert_int_equal(set->caught, 1);
        check_text(b, "a.txt", "one two three\n");
        if (cases[i].text)
            check_text(b, cases[i].name, cases[i].text);
        else
            assert_false(scratch_has(b->root, cases[i].name));
        check_settled(b);
        unlink(scratch_path(b->root, "made.txt"));
    }
}

/* Somebody edits the first file when it is exchanged already, and then the second fails. Theirs
 * stays, the old content is kept, and a person chooses. */
static void test_changed_since(void **state)
{
    bench *b = *state;
    several done;
    em_recovery recovery;
    two_files(b);
    for (int keep = EM_KEEP_TARGET; keep <= EM_KEEP_STRAY; keep++) {
        meddling m = {b, "a.txt", "theirs\n"};
        scratch_put(b->root, "a.txt", "one two three\n");
        bench_disarm(b);
        trap_set(
            &b->trap,
            (trap){
                .call = "exchange", .about = "b.txt", .hook = meddle, .context = &m, .error = EIO});
        check_status("unsettled", several_change(b, two_edits, &done), EM_E_UNKNOWN);
        check_detail(b, "emend recover");
        check_detail(b, "that somebody else has changed since");
        check_text(b, "a.txt", "theirs\n");
        check_text(b, "b.txt", "four five six\n");
        assert_int_equal(bench_strays(b, "."), 1);
        check_text(b, bench_stray(b, "."), "one two three\n");
        check_status("the other file", bench_change(b, "b.txt", "five", "5"), EM_OK);
        check_status("back", bench_change(b, "b.txt", "5", "five"), EM_OK);
        check_status("refused", bench_change(b, "a.txt", "theirs", "x"), EM_E_UNSETTLED);
        em_recover_options options = {0};
        check_status("asked", em_recover(b->ws, &options, &b->arena, &recovery, &b->err), EM_OK);
        assert_int_equal(recovery.count, 1);
        assert_int_equal(recovery.items[0].end, EM_LEFT_TO_PERSON);
        assert_non_null(recovery.items[0].txn);
        assert_non_null(strstr(recovery.items[0].stray, ".emend-"));
        options = (em_recover_options){.id = recovery.items[0].id, .keep = (em_keep)keep};
        check_status("chosen", em_recover(b->ws, &options, &b->arena, &recovery, &b->err), EM_OK);
        assert_int_equal(recovery.items[0].end, EM_RECOVERED_UNDONE);
        check_text(b, "a.txt", keep == EM_KEEP_TARGET ? "theirs\n" : "one two three\n");
        check_settled(b);
    }
}

/* The same, where nobody reads the error, and where the outcome is unknown. */
static void test_nobody_reads_the_error(void **state)
{
    bench *b = *state;
    em_error *const none = NULL;
    for (int unknown = 0; unknown < 2; unknown++) {
        em_wanted wanted[] = {{.path = "a.txt"}, {.path = "b.txt"}};
        em_splice splices[] = {{4, 3, EM_LIT("2")}, {5, 4, EM_LIT("5")}};
        em_change changes[] = {{.splices = {&splices[0], 1}}, {.splices = {&splices[1], 1}}};
        em_part parts[] = {{.file = &wanted[0].file, .change = &changes[0]},
                           {.file = &wanted[1].file, .change = &changes[1]}};
        size_t culprit;
        meddling m = {b, "a.txt", "theirs\n"};
        two_files(b);
        bench_disarm(b);
        b->options.sync = EM_SYNC_FULL;
        check_status("open", em_ws_open_files(bench_open(b), wanted, 2, EM_TO_CHANGE), EM_OK);
        if (unknown)
            trap_set(&b->trap,
                     (trap){.call = "sync", .about = "$/journal", .skip = 1, .error = EIO});
        else
            trap_set(&b->trap, (trap){.call = "exchange",
                                      .about = "b.txt",
                                      .hook = meddle,
                                      .context = &m,
                                      .error = EIO});
        check_status("unsettled", em_ws_commit_all(b->ws, parts, 2, &b->arena, &culprit, none),
                     EM_E_UNKNOWN);
        em_file_close(b->ws, &wanted[0].file);
        em_file_close(b->ws, &wanted[1].file);
        assert_int_equal(several_journals(b), 1);
        bench_close(b);
        bench_disarm(b);
        em_recovery recovery;
        em_recover_options options = {.keep = EM_KEEP_STRAY};
        check_status("recover", em_recover(bench_open(b), &options, &b->arena, &recovery, &b->err),
                     EM_OK);
        if (unknown)
            check_new(b);
        else
            check_old(b);
        check_settled(b);
        bench_close(b);
    }
}

/* What makes no sense for a part, or cannot be done for one of several. */
static void test_parts_that_are_refused(void **state)
{
    bench *b = *state;
    several done;
    two_files(b);
    scratch_folder(b->root, "closed");
    scratch_put(b->root, "closed/c.txt", "seven\n");
    const several_part removing[] = {
        {.path = "a.txt", .old = "two", .new = "2"}, {.path = "missing.txt"}, {.path = NULL}};
    check_status("not there", several_change(b, removing, &done), EM_E_CONFLICT);
    check_detail(b, "there is no file");
    const several_part in_place[] = {{.path = "a.txt", .old = "two", .new = "2"},
                                     {.path = "closed/c.txt", .old = "seven", .new = "7"},
                                     {.path = NULL}};
    bench_close(b);
    b->options.in_place = true;
    trap_set(&b->trap, (trap){.call = "access", .about = "$/closed", .times = -1, .error = EACCES});
    check_status("in place", several_change(b, in_place, &done), EM_E_PERMISSION);
    check_detail(b, "can only be written in place");
    check_old(b);
    check_settled(b);
}

/* A file that was opened to be read is no file to be changed. */
static void test_a_part_that_was_opened_to_be_read(void **state)
{
    bench *b = *state;
    em_file file;
    em_splice splice = {4, 3, EM_LIT("2")};
    em_change change = {.splices = {&splice, 1}};
    size_t culprit;
    check_status("open", em_ws_open_file(bench_open(b), "a.txt", EM_TO_READ, 0, 0, &file, &b->err),
                 EM_OK);
    em_part part = {.file = &file, .change = &change, .remove = true};
    check_status("commit", em_ws_commit_all(b->ws, &part, 1, &b->arena, &culprit, &b->err),
                 EM_E_INTERNAL);
    em_file_close(b->ws, &file);
}

/* A hard link is told; a backup of a file that is made is none. */
static void test_links_and_new_files(void **state)
{
    bench *b = *state;
    several done;
    two_files(b);
    assert_int_equal(link(scratch_path(b->root, "a.txt"), scratch_path(b->base, "other")), 0);
    const several_part parts[] = {{.path = "a.txt", .old = "two", .new = "2"},
                                  {.path = "new.txt", .new = "made\n", .backup = true},
                                  {.path = NULL}};
    check_status("change", several_change(b, parts, &done), EM_OK);
    assert_int_equal(done.parts[0].report.warnings.count, 1);
    assert_non_null(strstr(done.parts[0].report.warnings.items[0], "hard link"));
    assert_null(done.parts[1].report.backup_path);
    check_settled(b);
}

static void copy_up(void *context)
{
    bench_copy_up(context, "a.txt", "one two three\n");
}

/* What an overlay makes of a file of several names is no conflict. */
static void test_an_overlay_copies_up(void **state)
{
    bench *b = *state;
    several done;
    two_files(b);
    assert_int_equal(link(scratch_path(b->root, "a.txt"), scratch_path(b->base, "other")), 0);
    trap_set(&b->trap, (trap){.call = "exchange", .about = "a.txt", .hook = copy_up, .context = b});
    check_status("change", several_change(b, two_edits, &done), EM_OK);
    check_new(b);
    check_settled(b);
}

/* One part alone that takes another file's mode is a transaction of one. */
static void test_one_that_is_like_another(void **state)
{
    bench *b = *state;
    em_wanted wanted[] = {{.path = "a.txt"}, {.path = "new.txt", .flags = EM_MAY_BE_MISSING}};
    em_splice splice = {.insert = EM_LIT("made\n")};
    em_change change = {.splices = {&splice, 1}};
    size_t culprit;
    struct stat st;
    assert_int_equal(chmod(scratch_path(b->root, "a.txt"), 0750), 0);
    check_status("open", em_ws_open_files(bench_open(b), wanted, 2, EM_TO_CHANGE), EM_OK);
    em_part part = {.file = &wanted[1].file, .change = &change, .like = &wanted[0].file};
    check_status("commit", em_ws_commit_all(b->ws, &part, 1, &b->arena, &culprit, &b->err), EM_OK);
    em_file_close(b->ws, &wanted[0].file);
    em_file_close(b->ws, &wanted[1].file);
    assert_int_equal(stat(scratch_path(b->root, "new.txt"), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0750);
    check_settled(b);
}

/* The folder of the one part cannot be opened again. */
static void test_one_whose_folder_is_lost(void **state)
{
    bench *b = *state;
    several done;
    scratch_folder(b->root, "below");
    scratch_put(b->root, "below/c.txt", "seven\n");
    const several_part parts[] = {{.path = "below/c.txt", .old = "seven", .new = "7"},
                                  {.path = NULL}};
    for (int skip = 0;; skip++) {
        bench_disarm(b);
        trap *set = trap_set(
            &b->trap, (trap){.call = "open", .about = "below", .skip = skip, .error = EMFILE});
        em_status status = several_change(b, parts, &done);
        if (set->caught == 0)
            break;
        if (status == EM_OK)
            check_status("back", bench_change(b, "below/c.txt", "7", "seven"), EM_OK);
        check_text(b, "below/c.txt", "seven\n");
        check_settled(b);
    }
    check_text(b, "below/c.txt", "7\n");
}

static void remove_all_strays(void *context)
{
    bench *b = context;
    while (bench_strays(b, ".") > 0)
        unlink(scratch_path(b->root, bench_stray(b, ".")));
}

/* What came out is gone before it could be looked at. */
static void test_what_came_out_is_gone(void **state)
{
    bench *b = *state;
    several done;
    const several_part parts[] = {{.path = "a.txt", .old = ""}, {.path = NULL}};
    trap_set(&b->trap,
             (trap){.call = "replace", .about = "a.txt", .after = remove_all_strays, .context = b});
    check_status("remove", several_change(b, parts, &done), EM_E_CONFLICT);
    check_settled(b);
}

/* What cannot be looked at before it is removed is not removed. */
static void test_a_removal_that_cannot_look(void **state)
{
    bench *b = *state;
    several done;
    const several_part parts[] = {{.path = "a.txt", .old = ""}, {.path = NULL}};
    for (int skip = 0;; skip++) {
        bench_disarm(b);
        trap *set = trap_set(&b->trap,
                             (trap){.call = "stat", .about = "=a.txt", .skip = skip, .error = EIO});
        em_status status = several_change(b, parts, &done);
        if (set->caught == 0)
            break;
        check_status("remove", status, EM_E_IO);
        check_text(b, "a.txt", "one two three\n");
        check_settled(b);
    }
    assert_false(scratch_has(b->root, "a.txt"));
}

/* Without history the old files are kept as long, and nothing need be synced for it. */
static void test_grace_without_history(void **state)
{
    bench *b = *state;
    several done;
    two_files(b);
    b->options.no_history = true;
    b->options.grace_ms = 60000;
    check_status("change", several_change(b, two_edits, &done), EM_OK);
    assert_int_equal(bench_strays(b, "."), 2);
    assert_int_equal(bench_rows(b, EM_ROW_GRACE), 2); /* until they are settled */
    bench_close(b);
    check_settled(b);
    assert_int_equal(bench_rows(b, EM_ROW_DONE), 0);
}

/* Whatever the history fails with before anything is exchanged: nothing is changed, nothing left.
 */
static void test_the_history_fails(void **state)
{
    bench *b = *state;
    static const char *const calls[] = {"write", "lock"};
    two_files(b);
    check_status("ready", bench_change(b, "first", NULL, "x\n"), EM_OK);
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        for (int skip = 0; skip < 12; skip++) {
            several done;
            bench_disarm(b);
            two_files(b);
            scratch_put(b->root, "a.txt", "one two three\n");
            bench_open(b);
            trap_set(&b->trap,
                     (trap){.call = calls[i], .about = "history.db", .skip = skip, .error = EIO});
            em_status status = several_change(b, two_edits, &done);
            bench_disarm(b);
            bench_close(b);
            check_status("recovers", bench_change(b, "first", "x", "x"), EM_OK);
            if (status == EM_OK)
                check_new(b);
            else
                check_old(b);
            check_settled(b);
        }
    }
}

/* And where the rows of a change that failed cannot be dropped, recovery drops them. */
static void test_rows_that_cannot_be_dropped(void **state)
{
    bench *b = *state;
    two_files(b);
    check_status("ready", bench_change(b, "first", NULL, "x\n"), EM_OK);
    bool more = true;
    for (int skip = -1; more; skip++) {
        several done;
        trap *set = NULL;
        bench_disarm(b);
        bench_open(b);
        if (skip < 0)
            bench_sql(b, "CREATE TRIGGER stays BEFORE DELETE ON commits"
                         " BEGIN SELECT RAISE(ABORT, 'stays'); END");
        else
            set = trap_set(&b->trap, (trap){.call = "lock",
                                            .about = "history.db",
                                            .skip = skip,
                                            .times = -1,
                                            .error = EIO});
        trap_set(&b->trap, (trap){.call = "write", .about = "root", .error = ENOSPC});
        assert_int_not_equal(several_change(b, two_edits, &done), EM_OK);
        check_old(b);
        more = !set || set->caught > 0;
        bench_disarm(b);
        bench_close(b);
        if (skip < 0)
            bench_sql(b, "DROP TRIGGER stays");
        check_status("recovers", bench_change(b, "first", "x", "x"), EM_OK);
        check_old(b);
        check_settled(b);
    }
}

/* What cannot be taken back for a moment is taken back later. */
static void test_taking_back_fails(void **state)
{
    bench *b = *state;
    several done;
    two_files(b);
    trap_set(&b->trap, (trap){.call = "exchange", .about = "b.txt", .error = EIO});
    trap_set(&b->trap, (trap){.call = "exchange", .about = "a.txt", .skip = 1, .error = EIO});
    check_status("unsettled", several_change(b, two_edits, &done), EM_E_UNKNOWN);
    check_detail(b, "not all of it could be taken back");
    check_text(b, "a.txt", "one 2 three\n");
    assert_int_equal(several_journals(b), 1);
    check_status("next", bench_change(b, "a.txt", "two", "zwei"), EM_OK); /* recovers first */
    assert_true(bench_warned(b, "interrupted earlier was undone"));
    check_text(b, "a.txt", "one zwei three\n");
    check_text(b, "b.txt", "four five six\n");
    check_settled(b);
}

/* The sync at the commit point fails: nobody knows, until recovery has looked. */
static void test_unknown_outcome(void **state)
{
    bench *b = *state;
    several done;
    em_recovery recovery;
    em_recover_options options = {0};
    two_files(b);
    b->options.sync = EM_SYNC_FULL;
    trap_set(&b->trap, (trap){.call = "sync", .about = "$/journal", .skip = 1, .error = EIO});
    check_status("unknown", several_change(b, two_edits, &done), EM_E_UNKNOWN);
    check_detail(b, "whether the files are changed is known when `emend recover` has run");
    assert_int_equal(bench_strays(b, "."), 2);
    check_status("recover", em_recover(b->ws, &options, &b->arena, &recovery, &b->err), EM_OK);
    assert_int_equal(recovery.count, 2);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(recovery.items[i].end, EM_RECOVERED_DONE);
        assert_string_equal(recovery.items[i].tool, "tool");
    }
    check_new(b);
    check_settled(b);
    assert_int_equal(bench_rows(b, EM_ROW_DONE), 2);
}

typedef struct setting {
    bench *bench;
    trap trap;
} setting;

static void set_trap(void *context)
{
    const setting *s = context;
    trap_set(&s->bench->trap, s->trap);
}

/* After the commit point nothing fails any more. */
static void test_failing_after_commit(void **state)
{
    bench *b = *state;
    several done;
    static const struct {
        const char *call, *about, *warning;
    } cases[] = {
        {"unlink", ".emend-", "The old content is still there as"},
        {"write", "history.db", "the history still has them as pending"},
        {"unlink", ".committed", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        trap late = {.call = cases[i].call, .about = cases[i].about, .error = EIO};
        setting set = {b, late};
        bench_disarm(b);
        bench_close(b);
        two_files(b);
        scratch_put(b->root, "a.txt", "one two three\n");
        trap_set(
            &b->trap,
            (trap){.call = "replace", .about = ".committed", .hook = set_trap, .context = &set});
        check_status(cases[i].about, several_change(b, two_edits, &done), EM_OK);
        check_new(b);
        if (cases[i].warning)
            assert_non_null(strstr(done.parts[0].report.warnings.items[0], cases[i].warning));
        assert_int_equal(several_journals(b), 1);
        bench_disarm(b);
        bench_close(b);
        check_status("next", bench_change(b, "a.txt", "2", "zwei"), EM_OK);
        check_settled(b);
    }
}

static void check_made_but_pending(bench *b)
{
    check_new(b);
    assert_int_equal(bench_strays(b, "."), 0);
    assert_int_equal(several_journals(b), 1);
    assert_int_equal(bench_rows(b, EM_ROW_PENDING), 2);
}

/* The history refuses one row when the changes are made: it has none of them as made, and the
 * journal speaks for all until it takes them. */
static void test_rows_that_cannot_be_settled(void **state)
{
    bench *b = *state;
    static const char *const refused[] = {"a.txt", "b.txt"};
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        several done;
        em_recovery recovery;
        em_recover_options options = {0};
        bench_disarm(b);
        two_files(b);
        scratch_put(b->root, "a.txt", "one two three\n");
        check_status("ready", em_ws_ready(bench_open(b), &b->err), EM_OK);
        check_status("ready", em_ws_need_history(b->ws, &b->err), EM_OK);
        bench_sql(b, em_arena_format(&b->arena,
                                     "CREATE TRIGGER stays BEFORE UPDATE ON commits"
                                     " WHEN old.path = '%s'"
                                     " BEGIN SELECT RAISE(ABORT, 'stays'); END",
                                     refused[i]));
        check_status(refused[i], several_change(b, two_edits, &done), EM_OK);
        assert_int_equal(done.parts[0].report.warnings.count, 1);
        assert_non_null(strstr(done.parts[0].report.warnings.items[0],
                               "the history still has them as pending"));
        assert_int_equal(done.parts[1].report.warnings.count, 0);
        check_made_but_pending(b);
        check_status("left", em_recover(b->ws, &options, &b->arena, &recovery, &b->err), EM_OK);
        assert_int_equal(recovery.count, 2);
        for (size_t k = 0; k < recovery.count; k++) {
            assert_int_equal(recovery.items[k].end, EM_LEFT_UNREADABLE);
            assert_non_null(strstr(recovery.items[k].detail, "constraint failed"));
        }
        check_made_but_pending(b);
        check_status("refused", bench_change(b, "a.txt", "2", "zwei"), EM_E_UNSETTLED);
        check_made_but_pending(b);

        bench_sql(b, "DROP TRIGGER stays");
        check_status("recover", em_recover(b->ws, &options, &b->arena, &recovery, &b->err), EM_OK);
        assert_int_equal(recovery.count, 2);
        for (size_t k = 0; k < recovery.count; k++)
            assert_int_equal(recovery.items[k].end, EM_RECOVERED_DONE);
        check_new(b);
        check_settled(b);
        assert_int_equal(bench_rows(b, EM_ROW_DONE), 2);
        bench_close(b);
        bench_sql(b, "DELETE FROM commits");
    }
}

/* A large file is read again before anything is recorded: what it cannot be opened for then, it is
 * refused for, and nothing is changed or left. */
static void test_a_large_file_that_cannot_be_opened_again(void **state)
{
    bench *b = *state;
    static const struct {
        const char *text; /* what somebody saves there; NULL: it goes */
        int error;        /* or this fails */
        em_status want;
        const char *detail;
    } cases[] = {{NULL, 0, EM_E_CONFLICT, "was removed"},
                 {"theirs\n", 0, EM_E_CONFLICT, "was replaced"},
                 {NULL, EIO, EM_E_IO, "Input/output error"}};
    b->options.large = (em_large_limits){.from = 4};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_wanted wanted[] = {{.path = "a.txt"}, {.path = "b.txt", .flags = EM_MAY_BE_LARGE}};
        em_splice splices[] = {{4, 3, EM_LIT("2")}, {5, 4, EM_LIT("5")}};
        em_change changes[] = {{.splices = {&splices[0], 1}}, {.splices = {&splices[1], 1}}};
        em_part parts[] = {{.file = &wanted[0].file, .change = &changes[0]},
                           {.file = &wanted[1].file, .change = &changes[1]}};
        meddling m = {b, "b.txt", cases[i].text};
        size_t culprit;
        two_files(b);
        bench_disarm(b);
        b->err = EM_ERROR_INIT;
        check_status("open", em_ws_open_files(bench_open(b), wanted, 2, EM_TO_CHANGE), EM_OK);
        assert_true(wanted[1].file.is_large);
        trap *set = trap_set(&b->trap, (trap){.call = "open",
                                              .about = "=b.txt",
                                              .hook = cases[i].error ? NULL : meddle,
                                              .context = &m,
                                              .error = cases[i].error});
        check_status(cases[i].detail,
                     em_ws_commit_all(b->ws, parts, 2, &b->arena, &culprit, &b->err),
                     cases[i].want);
        check_detail(b, cases[i].detail);
        assert_int_equal(set->caught, 1);
        assert_int_equal(culprit, 1);
        em_file_close(b->ws, &wanted[0].file);
        em_file_close(b->ws, &wanted[1].file);
        check_text(b, "a.txt", "one two three\n");
        if (cases[i].error || cases[i].text)
            check_text(b, "b.txt", cases[i].error ? "four five six\n" : cases[i].text);
        else
            assert_false(scratch_has(b->root, "b.txt"));
        check_settled(b);
        assert_int_equal(bench_rows(b, EM_ROW_DONE), 0);
    }
}

/* ---- Killed --------------------------------------------------------------------------------- */

static void test_killed(void **state)
{
    bench *b = *state;
    static const struct {
        const char *call, *about;
        int skip;
        bool made;
    } cases[] = {
        {"open", "O_TMPFILE", 1, false},     {"link", ".prepared", 0, false},
        {"exchange", "a.txt", 0, false},     {"exchange", "b.txt", 0, false},
        {"replace", ".committed", 0, false}, {"unlink", ".emend-", 0, true},
        {"unlink", ".emend-", 1, true},      {"unlink", ".committed", 0, true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        scratch_put(b->root, "a.txt", "one two three\n");
        two_files(b);
        several_die(b, two_edits,
                    (trap){.call = cases[i].call, .about = cases[i].about, .skip = cases[i].skip});
        check_status("next", bench_change(b, "other.txt", NULL, "other\n"), EM_OK);
        if (cases[i].made)
            check_new(b);
        else
            check_old(b);
        check_settled(b);
        unlink(scratch_path(b->root, "other.txt"));
    }
}

/* ---- Many ----------------------------------------------------------------------------------- */

enum { MANY = 300, FEW_DESCRIPTORS = 24 };

static void test_many_files_few_descriptors(void **state)
{
    bench *b = *state;
    several done;
    several_part *parts = em_alloc_array(&b->arena, MANY + 1, sizeof *parts);
    struct rlimit old, few = {FEW_DESCRIPTORS, FEW_DESCRIPTORS};
    for (int i = 0; i < MANY; i++) {
        parts[i] = (several_part){
            .path = em_arena_format(&b->arena, "f%d", i), .old = i % 3 ? "x" : NULL, .new = "y"};
        if (i % 3)
            scratch_put(b->root, parts[i].path, "x");
    }
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &old), 0);
    few.rlim_max = old.rlim_max;
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    check_status("change", several_change(b, parts, &done), EM_OK);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &old), 0);
    for (int i = 0; i < MANY; i++)
        check_text(b, parts[i].path, "y");
    check_settled(b);
}

/* No old name of it is to be forgotten. */
static void test_what_is_made_is_finished_at_once(void **state)
{
    bench *b = *state;
    several done;
    static const several_part parts[] = {
        {.path = "n/1", .new = "1"}, {.path = "n/2", .new = "2"}, {0}};
    check_status("made", several_change(b, parts, &done), EM_OK);
    assert_int_equal(bench_rows(b, EM_ROW_NAMED), 0);
    assert_int_equal(bench_rows(b, EM_ROW_DONE), 2);
}

/* An undo that is killed as soon as it is done has left no folder behind. */
static void test_folders_that_were_made_go_with_the_file(void **state)
{
    bench *b = *state;
    em_base base = {"call", EM_ROLE_UNDO};
    em_change undo = {
        .origin = {.call = "undo", .role = EM_ROLE_UNDO, .bases = &base, .base_count = 1}};
    em_wanted wanted = {.path = "d/e/f.txt"};
    size_t culprit;
    check_status("create", bench_change(b, "d/e/f.txt", NULL, "new"), EM_OK);
    check_status("open", em_ws_open_files(b->ws, &wanted, 1, EM_TO_CHANGE), EM_OK);
    em_part part = {.file = &wanted.file, .change = &undo, .remove = true};
    check_status("remove", em_ws_commit_all(b->ws, &part, 1, &b->arena, &culprit, &b->err), EM_OK);
    em_file_close(b->ws, &wanted.file);
    assert_false(scratch_has(b->root, "d"));
    check_settled(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_two_files),
        BENCH_TEST(test_all_kinds),
        BENCH_TEST(test_a_call_that_was_cancelled),
        BENCH_TEST(test_few),
        BENCH_TEST(test_a_removal_has_a_way_back),
        BENCH_TEST(test_backups),
        BENCH_TEST(test_grace),
        BENCH_TEST(test_no_history),
        BENCH_TEST(test_what_cannot_be_opened),
        BENCH_TEST(test_the_same_file_twice),
        BENCH_TEST(test_failing_calls),
        BENCH_TEST(test_who_is_at_fault),
        BENCH_TEST(test_without_exchange),
        BENCH_TEST(test_no_room_without_sync),
        BENCH_TEST(test_no_room_for_rows),
        BENCH_TEST(test_no_room_for_rows_and_nobody_reads_the_error),
        BENCH_TEST(test_an_old_content_that_is_removed),
        BENCH_TEST(test_made_private_undoes_all),
        BENCH_TEST(test_others_write_to_a_temporary_file),
        BENCH_TEST(test_others_write_to_what_is_to_be_made),
        BENCH_TEST(test_others_write_to_a_new_content),
        BENCH_TEST(test_an_attribute_undoes_all),
        BENCH_TEST(test_changed_secretly_undoes_all),
        BENCH_TEST(test_a_new_hard_link_is_told),
        BENCH_TEST(test_a_conflict_undoes_all),
        BENCH_TEST(test_conflicts),
        BENCH_TEST(test_changed_since),
        BENCH_TEST(test_nobody_reads_the_error),
        BENCH_TEST(test_parts_that_are_refused),
        BENCH_TEST(test_a_part_that_was_opened_to_be_read),
        BENCH_TEST(test_links_and_new_files),
        BENCH_TEST(test_an_overlay_copies_up),
        BENCH_TEST(test_one_that_is_like_another),
        BENCH_TEST(test_one_whose_folder_is_lost),
        BENCH_TEST(test_what_came_out_is_gone),
        BENCH_TEST(test_a_removal_that_cannot_look),
        BENCH_TEST(test_grace_without_history),
        BENCH_TEST(test_the_history_fails),
        BENCH_TEST(test_rows_that_cannot_be_dropped),
        BENCH_TEST(test_taking_back_fails),
        BENCH_TEST(test_unknown_outcome),
        BENCH_TEST(test_failing_after_commit),
        BENCH_TEST(test_rows_that_cannot_be_settled),
        BENCH_TEST(test_a_large_file_that_cannot_be_opened_again),
        BENCH_TEST(test_killed),
        BENCH_TEST(test_many_files_few_descriptors),
        BENCH_TEST(test_folders_that_were_made_go_with_the_file),
        BENCH_TEST(test_what_is_made_is_finished_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

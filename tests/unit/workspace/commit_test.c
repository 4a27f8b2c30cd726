#include "bench.h"
#include "workspace/content_store.h"
#include "workspace/flight.h"

#include "history/inverse.h"
#include "system/names.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/xattr.h>
#include <unistd.h>

static const char old_text[] = "one two three\n", new_text[] = "one 2 three\n";

static em_status change(bench *b)
{
    return bench_change(b, "a.txt", "two", "2");
}

/* Nothing happened, and nothing is left. */
static void check_unchanged(bench *b)
{
    check_text(b, "a.txt", old_text);
    check_clean(b);
    assert_int_equal(bench_rows(b, EM_ROW_DONE), 0);
}

/* ---- What a change leaves ------------------------------------------------------------------ */

static void test_a_change(void **state)
{
    bench *b = *state;
    char id[64];
    check_status("change", change(b), EM_OK);
    check_text(b, "a.txt", new_text);
    check_clean(b);
    assert_string_equal(b->report.hash.hex, em_hash_of(EM_LIT("one 2 three\n")).hex);
    assert_int_equal(b->report.size, strlen(new_text));
    assert_int_equal(b->report.warnings.count, 0);
    assert_null(b->report.backup_path);

    em_row row = bench_row(b);
    em_row_show_id(&row, id);
    assert_string_equal(b->report.edit_id, id);
    assert_int_equal(row.state, EM_ROW_NAMED);
    assert_int_equal(row.kind, EM_ROW_EDIT);
    assert_string_equal(row.root, b->root);
    assert_string_equal(row.path, "a.txt");
    assert_string_equal(row.old_hash.hex, em_hash_of(EM_LIT("one two three\n")).hex);
    assert_string_equal(row.new_hash.hex, b->report.hash.hex);
    assert_string_equal(row.origin.tool, "tool");
    assert_string_equal(row.origin.call, "call");
    assert_true(em_is_temp_name(row.temp));
    assert_true(row.time_ms > 1600000000000);
    assert_int_equal(row.notes, EM_NOTE_UNSYNCED);
}

static bool is_asked(void *asked)
{
    return ++*(int *)asked > 1;
}

/* It is asked before the first change of a call, and then not any more: what is begun is ended. */
static void test_a_call_that_may_be_cancelled(void **state)
{
    bench *b = *state;
    int asked = 0;
    em_ws_set_cancel(bench_open(b), (em_cancel){.is_cancelled = is_asked, .context = &asked});
    check_status("wanted", change(b), EM_OK);
    check_status("begun", bench_change(b, "a.txt", "2", "two"), EM_OK);
    assert_int_equal(asked, 1);
    em_ws_may_stop(b->ws);
    check_status("cancelled between two changes", change(b), EM_E_TIMEOUT);
    assert_int_equal(asked, 2);
    em_ws_set_cancel(b->ws, (em_cancel){.is_cancelled = is_asked, .context = &asked});
    check_status("cancelled", change(b), EM_E_TIMEOUT);
    check_detail(b, "the call was cancelled before this was changed");
    check_text(b, "a.txt", old_text);
    check_clean(b);
    em_ws_set_cancel(b->ws, (em_cancel){0});
    check_status("the next call", change(b), EM_OK);
}

static bool always(void *context)
{
    (void)context;
    return true;
}

static em_status record_unchanged(bench *b)
{
    em_file file;
    const em_origin origin = {.tool = "tool", .call = "call"};
    check_status(
        "open", em_ws_open_file(bench_open(b), "a.txt", EM_TO_CHANGE, 0, 0, &file, &b->err), EM_OK);
    em_status status = em_ws_record_unchanged(b->ws, &file, &origin, &b->arena, &b->err);
    em_file_close(b->ws, &file);
    return status;
}

/* A call that nothing comes of has its row, or none. */
static void test_a_call_without_a_change(void **state)
{
    bench *b = *state;
    em_ws_set_cancel(bench_open(b), (em_cancel){.is_cancelled = always});
    check_status("cancelled", record_unchanged(b), EM_E_TIMEOUT);
    em_ws_set_cancel(b->ws, (em_cancel){0});
    check_status("recorded", record_unchanged(b), EM_OK);
    em_row row = bench_row(b);
    assert_int_equal(row.state, EM_ROW_DONE);
    assert_true(em_row_changes_nothing(&row));
    trap *written =
        trap_set(&b->trap, (trap){.call = "write", .about = "history.db-wal", .error = EIO});
    check_status("not recorded", record_unchanged(b), EM_E_IO);
    assert_int_equal(written->caught, 1);
    trap *asked = trap_set(&b->trap, (trap){.call = "random", .about = "", .error = EIO});
    check_status("without a number", record_unchanged(b), EM_E_IO);
    assert_int_equal(asked->caught, 1);
    assert_int_equal(bench_row(b).id, row.id);
}

static void test_memory_for_a_call_without_a_change(void **state)
{
    bench *b = *state;
    em_file file;
    em_status status = EM_E_NOMEM;
    const em_origin origin = {.tool = "tool", .call = "call"};
    check_status(
        "open", em_ws_open_file(bench_open(b), "a.txt", EM_TO_CHANGE, 0, 0, &file, &b->err), EM_OK);
    for (long left = 1; status == EM_E_NOMEM; left++) {
        memory_ends_at(left);
        status = em_ws_record_unchanged(b->ws, &file, &origin, &b->arena, &b->err);
        memory_ends_at(0);
    }
    check_status("recorded", status, EM_OK);
    em_file_close(b->ws, &file);
    assert_int_equal(bench_rows(b, EM_ROW_DONE), 1);
}

/* The row holds the way back. */
static void test_the_way_back(void **state)
{
    bench *b = *state;
    em_slice code;
    em_inverse back;
    check_status("change", change(b), EM_OK);
    em_row row = bench_row(b);
    check_status("inverse", em_history_inverse(b->ws->history, &row, &b->arena, &code, &b->err),
                 EM_OK);
    check_status("decode", em_inverse_decode(code, &b->arena, &back), EM_OK);
    assert_int_equal(back.count, 1);
    assert_int_equal(back.places[0].new_at, 4);
    assert_int_equal(back.places[0].new_length, 1);
    assert_true(em_slice_is(back.places[0].old_bytes, "two"));
}

static void test_many_changes(void **state)
{
    bench *b = *state;
    scratch_put(b->root, "n", "0");
    for (int i = 0; i < 50; i++) {
        char was[16], now[16];
        snprintf(was, sizeof was, "%d", i);
        snprintf(now, sizeof now, "%d", i + 1);
        check_status("change", bench_change(b, "n", was, now), EM_OK);
    }
    check_text(b, "n", "50");
    check_clean(b);
    assert_int_equal(bench_rows(b, EM_ROW_DONE), 50);
}

static void test_attributes_stay(void **state)
{
    bench *b = *state;
    const char *path = scratch_path(b->root, "a.txt");
    struct stat st;
    char value[8];
    bool attributes = bench_has_attributes(b);
    assert_int_equal(chmod(path, 0751), 0);
    if (attributes)
        assert_int_equal(setxattr(path, "user.one", "1", 1, 0), 0);
    check_status("change", change(b), EM_OK);
    assert_int_equal(stat(path, &st), 0);
    assert_int_equal(st.st_mode & 07777, 0751);
    if (attributes)
        assert_int_equal(getxattr(path, "user.one", value, sizeof value), 1);
}

static void test_a_link_stays_a_link(void **state)
{
    bench *b = *state;
    struct stat st;
    scratch_folder(b->root, "sub");
    scratch_put(b->root, "sub/b.txt", "two");
    scratch_link(b->root, "link", "sub/b.txt");
    check_status("change", bench_change(b, "link", "two", "2"), EM_OK);
    assert_int_equal(lstat(scratch_path(b->root, "link"), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    check_text(b, "sub/b.txt", "2");
    assert_string_equal(bench_row(b).path, "sub/b.txt");
}

static void test_a_hard_link_is_broken(void **state)
{
    bench *b = *state;
    assert_int_equal(link(scratch_path(b->root, "a.txt"), scratch_path(b->base, "other")), 0);
    check_status("change", change(b), EM_OK);
    assert_true(bench_warned(b, "the file's other name keeps the old content"));
    check_text(b, "a.txt", new_text);
    check_text(b, "../other", old_text);
    assert_true(bench_row(b).notes & EM_NOTE_HARD_LINK);
}

static void test_other_names_are_counted(void **state)
{
    bench *b = *state;
    assert_int_equal(link(scratch_path(b->root, "a.txt"), scratch_path(b->base, "other")), 0);
    assert_int_equal(link(scratch_path(b->root, "a.txt"), scratch_path(b->base, "third")), 0);
    check_status("change", change(b), EM_OK);
    assert_true(bench_warned(b, "the file's other 2 names keep the old content"));
}

static void test_without_history(void **state)
{
    bench *b = *state;
    b->options.no_history = true;
    check_status("change", change(b), EM_OK);
    assert_string_equal(b->report.edit_id, "");
    check_text(b, "a.txt", new_text);
    check_clean(b);
    assert_int_equal(bench_rows(b, EM_ROW_DONE), 0);
}

static void test_lost_security_attributes(void **state)
{
    bench *b = *state;
    if (geteuid() != 0 || setxattr(scratch_path(b->root, "a.txt"), "trusted.one", "1", 1, 0) != 0)
        skip();
    trap_set(&b->trap, (trap){.call = "setxattr", .about = "trusted.", .error = EPERM});
    check_status("change", change(b), EM_OK);
    assert_true(bench_warned(b, "security attributes"));
}

/* ---- Requests that make no sense ----------------------------------------------------------- */

static em_status commit(bench *b, em_file *file, em_splices splices)
{
    em_change what = {.splices = splices};
    b->err = EM_ERROR_INIT;
    return em_ws_commit(b->ws, file, &what, &b->arena, &b->report, &b->err);
}

static void test_files_that_cannot_be_committed(void **state)
{
    bench *b = *state;
    em_file file;
    const em_splice two = {4, 3, EM_LIT("2")}, beyond = {4, 30, EM_LIT("2")};
    bench_open(b);
    check_status("read", em_ws_open_file(b->ws, "a.txt", EM_TO_READ, 0, 0, &file, &b->err), EM_OK);
    check_status("not for a change", commit(b, &file, (em_splices){&two, 1}), EM_E_INTERNAL);
    em_file_close(b->ws, &file);

    check_status("open", em_ws_open_file(b->ws, "a.txt", EM_TO_CHANGE, 0, 0, &file, &b->err),
                 EM_OK);
    check_status("beyond its end", commit(b, &file, (em_splices){&beyond, 1}), EM_E_INTERNAL);
    check_status("once", commit(b, &file, (em_splices){&two, 1}), EM_OK);
    check_status("twice", commit(b, &file, (em_splices){&two, 1}), EM_E_INTERNAL);
    em_file_close(b->ws, &file);
}

static void test_sizes(void **state)
{
    bench *b = *state;
    static const struct {
        uint64_t most;
        const char *insert;
        em_status want;
    } cases[] = {{16, "12", EM_OK}, {17, "12", EM_E_TOO_LARGE}, {18, "", EM_OK}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_file file;
        em_splice splice = {.insert = em_slice_of(cases[i].insert)};
        bench_open(b);
        check_status(
            "open", em_ws_open_file(b->ws, "a.txt", EM_TO_CHANGE, 0, cases[i].most, &file, &b->err),
            EM_OK);
        check_status("commit", commit(b, &file, (em_splices){&splice, 1}), cases[i].want);
        em_file_close(b->ws, &file);
    }
}

/* Of two files open for the same path, the second to commit has read what is no more. */
static void test_a_file_opened_twice(void **state)
{
    bench *b = *state;
    em_file first, second;
    const em_splice splice = {4, 3, EM_LIT("2")};
    bench_open(b);
    check_status("first", em_ws_open_file(b->ws, "a.txt", EM_TO_CHANGE, 0, 0, &first, &b->err),
                 EM_OK);
    check_status("second", em_ws_open_file(b->ws, "a.txt", EM_TO_CHANGE, 0, 0, &second, &b->err),
                 EM_OK);
    check_status("commit", commit(b, &first, (em_splices){&splice, 1}), EM_OK);
    check_status("conflict", commit(b, &second, (em_splices){&splice, 1}), EM_E_CONFLICT);
    em_file_close(b->ws, &first);
    em_file_close(b->ws, &second);
    check_text(b, "a.txt", new_text);
}

/* ---- Somebody else ------------------------------------------------------------------------- */

static void save_by_rename(void *context)
{
    bench *b = context;
    scratch_put(b->root, "editor", "foreign\n");
    assert_int_equal(rename(scratch_path(b->root, "editor"), scratch_path(b->root, "a.txt")), 0);
}

static void copy_up(void *context)
{
    bench_copy_up(context, "a.txt", old_text);
}

static void copy_other_bytes_up(void *context)
{
    bench_copy_up(context, "a.txt", "one 222 three\n");
}

static void save_in_place(void *context)
{
    bench *b = context;
    scratch_put(b->root, "a.txt", "foreign\n");
}

/* The same size, and the time set back: only the content tells. */
static void save_secretly(void *context)
{
    bench *b = context;
    const char *path = scratch_path(b->root, "a.txt");
    struct stat st;
    assert_int_equal(stat(path, &st), 0);
    scratch_put(b->root, "a.txt", "ONE TWO THREE\n");
    assert_int_equal(utimensat(AT_FDCWD, path, (struct timespec[2]){st.st_atim, st.st_mtim}, 0), 0);
}

static void remove_it(void *context)
{
    bench *b = context;
    assert_int_equal(unlink(scratch_path(b->root, "a.txt")), 0);
}

static void make_folder(void *context)
{
    bench *b = context;
    remove_it(b);
    scratch_folder(b->root, "a.txt");
}

static void make_link(void *context)
{
    bench *b = context;
    remove_it(b);
    scratch_link(b->root, "a.txt", "elsewhere");
}

static const struct {
    const char *what;
    void (*hook)(void *);
    const char *content; /* afterwards; NULL: no file */
} foreign[] = {
    {"a save by rename", save_by_rename, "foreign\n"},
    {"a save in place", save_in_place, "foreign\n"},
    {"a removal", remove_it, NULL},
};

/* One with several names is another file afterwards, and no conflict while it has the same bytes.
 */
static void test_an_overlay_copies_up(void **state)
{
    bench *b = *state;
    assert_int_equal(link(scratch_path(b->root, "a.txt"), scratch_path(b->base, "other")), 0);
    trap_set(&b->trap, (trap){.call = "exchange", .about = "", .hook = copy_up, .context = b});
    check_status("change", change(b), EM_OK);
    check_text(b, "a.txt", new_text);
    check_clean(b);

    bench_disarm(b);
    scratch_put(b->root, "a.txt", old_text);
    unlink(scratch_path(b->base, "other"));
    assert_int_equal(link(scratch_path(b->root, "a.txt"), scratch_path(b->base, "other")), 0);
    trap_set(&b->trap,
             (trap){.call = "exchange", .about = "", .hook = copy_other_bytes_up, .context = b});
    check_status("other bytes", change(b), EM_E_CONFLICT);
    check_text(b, "a.txt", "one 222 three\n");
    check_clean(b);
}

/* The copy cannot be read: whatever it has, it is kept. */
static void test_what_was_copied_up_cannot_be_looked_at(void **state)
{
    bench *b = *state;
    bool reached = false;
    for (int skip = 0, caught = 1; caught > 0; skip++) {
        bench_disarm(b);
        scratch_put(b->root, "a.txt", old_text);
        assert_int_equal(link(scratch_path(b->root, "a.txt"), scratch_path(b->base, "other")), 0);
        const trap *exchange = trap_set(
            &b->trap, (trap){.call = "exchange", .about = "", .hook = copy_up, .context = b});
        const trap *open = trap_set(
            &b->trap, (trap){.call = "open", .about = ".emend-", .skip = skip, .error = EIO});
        em_status status = change(b);
        caught = open->caught;
        reached |= caught > 0 && exchange->caught > 0 && status == EM_E_IO;
        check_text(b, "a.txt", status == EM_OK ? new_text : old_text);
        unlink(scratch_path(b->base, "other"));
    }
    assert_true(reached);
}

static void check_conflict(bench *b, size_t i, const char *when)
{
    if (change(b) != EM_E_CONFLICT)
        fail_msg("%s, %s: no conflict", foreign[i].what, when);
    assert_int_equal(b->err.cause, EM_CAUSE_CHANGED);
    if (foreign[i].content)
        check_text(b, "a.txt", foreign[i].content);
    else
        assert_false(scratch_has(b->root, "a.txt"));
    check_clean(b);
    assert_int_equal(bench_rows(b, EM_ROW_DONE), 0);
}

static void test_changed_before_the_stamp_is_checked(void **state)
{
    bench *b = *state;
    for (size_t i = 0; i < COUNT_OF(foreign); i++) {
        bench_disarm(b);
        scratch_put(b->root, "a.txt", old_text);
        usleep(5000); /* the ctime has the resolution of a tick */
        trap_set(&b->trap,
                 (trap){.call = "link", .about = "", .hook = foreign[i].hook, .context = b});
        check_conflict(b, i, "before the stamp");
    }
}

static void test_changed_after_the_stamp_is_checked(void **state)
{
    bench *b = *state;
    for (size_t i = 0; i < COUNT_OF(foreign); i++) {
        bench_disarm(b);
        scratch_put(b->root, "a.txt", old_text);
        trap_set(&b->trap,
                 (trap){.call = "exchange", .about = "", .hook = foreign[i].hook, .context = b});
        check_conflict(b, i, "after the stamp");
    }
}

static void set_attribute(void *context)
{
    bench *b = context;
    assert_int_equal(setxattr(scratch_path(b->root, "a.txt"), "user.one", "2", 1, 0), 0);
}

static void remove_attribute(void *context)
{
    bench *b = context;
    assert_int_equal(removexattr(scratch_path(b->root, "a.txt"), "user.one"), 0);
}

/* Neither mode nor content tell, nor the ctime, which the exchange sets. */
static void test_an_attribute_is_set_after_the_stamp_is_checked(void **state)
{
    bench *b = *state;
    char value[8];
    void (*const hooks[])(void *) = {set_attribute, remove_attribute};
    if (!bench_has_attributes(b))
        skip();
    for (size_t i = 0; i < COUNT_OF(hooks); i++) {
        bench_disarm(b);
        assert_int_equal(setxattr(scratch_path(b->root, "a.txt"), "user.one", "1", 1, 0), 0);
        trap_set(&b->trap, (trap){.call = "exchange", .about = "", .hook = hooks[i], .context = b});
        check_status("change", change(b), EM_E_CONFLICT);
        check_text(b, "a.txt", old_text);
        ssize_t size = getxattr(scratch_path(b->root, "a.txt"), "user.one", value, sizeof value);
        assert_int_equal(size, i == 0 ? 1 : -1);
        check_clean(b);
    }
    bench_disarm(b);
    check_status("again", change(b), EM_OK);
}

static void test_attributes_that_cannot_be_looked_at_again(void **state)
{
    static const char *const calls[] = {"listxattr", "getxattr"};
    bench *b = *state;
    if (!bench_has_attributes(b))
        skip();
    assert_int_equal(setxattr(scratch_path(b->root, "a.txt"), "user.one", "1", 1, 0), 0);
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        bench_disarm(b);
        trap *caught =
            trap_set(&b->trap, (trap){.call = calls[i], .about = ".emend-", .error = EIO});
        check_status(calls[i], change(b), EM_E_IO);
        assert_int_equal(caught->caught, 1);
        check_unchanged(b);
    }
}

static void link_it(void *context)
{
    bench *b = context;
    char other[SCRATCH_PATH];
    snprintf(other, sizeof other, "%s", scratch_path(b->root, "other"));
    assert_int_equal(link(scratch_path(b->root, "a.txt"), other), 0);
}

static void test_a_hard_link_that_is_made_after_the_stamp_is_checked(void **state)
{
    bench *b = *state;
    trap_set(&b->trap, (trap){.call = "exchange", .about = "", .hook = link_it, .context = b});
    check_status("change", change(b), EM_OK);
    assert_true(bench_warned(b, "the file's other name keeps the old content"));
    assert_true(bench_row(b).notes & EM_NOTE_HARD_LINK);
    check_text(b, "a.txt", new_text);
    check_text(b, "other", old_text);
    check_clean(b);
}

static void make_private(void *context)
{
    bench *b = context;
    assert_int_equal(chmod(scratch_path(b->root, "a.txt"), 0600), 0);
}

/* Our file has the mode that the old one had: what was made private would be open again. */
static void test_made_private_after_the_stamp_is_checked(void **state)
{
    bench *b = *state;
    struct stat st;
    trap_set(&b->trap, (trap){.call = "exchange", .about = "", .hook = make_private, .context = b});
    check_status("change", change(b), EM_E_CONFLICT);
    check_text(b, "a.txt", old_text);
    assert_int_equal(stat(scratch_path(b->root, "a.txt"), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    check_clean(b);
    assert_int_equal(bench_rows(b, EM_ROW_DONE), 0);
}

/* ---- What others do to the new content ------------------------------------------------------ */

static void put_in_stray(bench *b, const char *text)
{
    char name[EM_TEMP_SIZE];
    const char *stray = bench_stray(b, ".");
    assert_non_null(stray);
    snprintf(name, sizeof name, "%s", stray);
    FILE *file = fopen(scratch_path(b->root, name), "r+");
    assert_non_null(file);
    assert_true(fputs(text, file) >= 0);
    assert_int_equal(fclose(file), 0);
}

static void write_into_stray(void *context)
{
    put_in_stray(context, "ONE 2 THREE\n");
}

static void touch_stray(void *context)
{
    put_in_stray(context, new_text);
}

static void save_over_stray(void *context)
{
    bench *b = context;
    scratch_put(b->root, "saved", "foreign\n");
    char name[EM_TEMP_SIZE];
    snprintf(name, sizeof name, "%s", bench_stray(b, "."));
    char saved[SCRATCH_PATH];
    snprintf(saved, sizeof saved, "%s", scratch_path(b->root, "saved"));
    assert_int_equal(rename(saved, scratch_path(b->root, name)), 0);
}

/* What somebody writes there is neither taken for ours nor lost, and stands in nobody's way. */
static void test_others_write_to_the_temporary_file(void **state)
{
    static const struct {
        void (*hook)(void *);
        const char *written;
    } rows[] = {{write_into_stray, "ONE 2 THREE\n"}, {save_over_stray, "foreign\n"}};
    bench *b = *state;
    for (size_t i = 0; i < 2 * COUNT_OF(rows); i++) {
        bench_disarm(b);
        scratch_put(b->root, "a.txt", old_text);
        trap_set(&b->trap,
                 (trap){.call = "link", .about = "", .after = rows[i / 2].hook, .context = b});
        if (i % 2 == 1) /* it would not be found out later either */
            trap_set(&b->trap, (trap){.call = "exchange", .about = "", .error = EINVAL});
        check_status("written to", change(b), EM_E_IO);
        check_detail(b, "another program wrote to the temporary file .emend-");
        check_detail(b, "what it wrote is left there");
        check_text(b, "a.txt", old_text);
        const char *stray = bench_stray(b, ".");
        assert_non_null(stray);
        check_text(b, stray, rows[i / 2].written);
        assert_int_equal(bench_rows(b, EM_ROW_PENDING), 0);
        assert_int_equal(unlink(scratch_path(b->root, bench_stray(b, "."))), 0);
        bench_disarm(b);
        check_status("again", change(b), EM_OK);
    }
}

/* Times alone prove nothing. */
static void test_others_touch_the_temporary_file(void **state)
{
    bench *b = *state;
    trap_set(&b->trap, (trap){.call = "link", .about = "", .after = touch_stray, .context = b});
    check_status("touched", change(b), EM_OK);
    check_text(b, "a.txt", new_text);
    assert_int_equal(b->report.warnings.count, 0);
    check_clean(b);
}

/* After the last look the change is made, and told with what became of it. */
static void test_others_write_to_the_new_content(void **state)
{
    bench *b = *state;
    trap_set(&b->trap,
             (trap){.call = "exchange", .about = "", .hook = write_into_stray, .context = b});
    check_status("at the exchange", change(b), EM_OK);
    check_text(b, "a.txt", "ONE 2 THREE\n");
    assert_true(bench_warned(b, "what it holds now is not what this change wrote"));
    check_clean(b);
    bench_disarm(b);
    scratch_put(b->root, "a.txt", old_text);
    trap_set(&b->trap, (trap){.call = "exchange", .about = "", .hook = touch_stray, .context = b});
    check_status("touched", change(b), EM_OK);
    assert_int_equal(b->report.warnings.count, 0);
}

/* Where it cannot be looked at, nothing is changed. */
static void test_the_temporary_file_cannot_be_looked_at(void **state)
{
    static const char *const calls[] = {"stat", "open"};
    bench *b = *state;
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        bench_disarm(b);
        trap_set(&b->trap, (trap){.call = "link", .about = "", .after = touch_stray, .context = b});
        trap *caught =
            trap_set(&b->trap, (trap){.call = calls[i], .about = ".emend-", .error = EIO});
        check_status(calls[i], change(b), EM_E_IO);
        assert_int_equal(caught->caught, 1);
        check_unchanged(b);
    }
}

static void drop_stray(void *context)
{
    bench *b = context;
    assert_int_equal(unlink(scratch_path(b->root, bench_stray(b, "."))), 0);
}

static void test_the_temporary_file_goes_while_it_is_looked_at(void **state)
{
    bench *b = *state;
    trap_set(&b->trap, (trap){.call = "link", .about = "", .after = touch_stray, .context = b});
    trap_set(&b->trap,
             (trap){.call = "open", .about = ".emend-", .hook = drop_stray, .context = b});
    check_status("gone", change(b), EM_E_IO);
    check_detail(b, "another program removed the temporary file");
    check_unchanged(b);
    bench_disarm(b);
    trap_set(&b->trap, (trap){.call = "link", .about = "", .after = drop_stray, .context = b});
    check_status("gone before", change(b), EM_E_IO);
    check_detail(b, "another program removed the temporary file");
    check_unchanged(b);
}

static void remove_target(void *context)
{
    bench *b = context;
    assert_int_equal(unlink(scratch_path(b->root, "a.txt")), 0);
}

static void touch_target(bench *b, trap then)
{
    scratch_put(b->root, "a.txt", new_text);
    trap_set(&b->trap, then);
}

static void touch_and_lose_target(void *context)
{
    touch_target(context, (trap){.call = "open", .about = "=a.txt", .error = EIO});
}

static void touch_and_remove_target(void *context)
{
    touch_target(
        context,
        (trap){.call = "open", .about = "=a.txt", .hook = remove_target, .context = context});
}

/* The change is made: whoever removes the file after it, or where it cannot be looked at. */
static void test_the_new_content_cannot_be_looked_at(void **state)
{
    void (*const hooks[])(void *) = {remove_target, touch_and_lose_target, touch_and_remove_target};
    bench *b = *state;
    for (size_t i = 0; i < COUNT_OF(hooks); i++) {
        bench_disarm(b);
        scratch_put(b->root, "a.txt", old_text);
        trap_set(&b->trap,
                 (trap){.call = "exchange", .about = "", .after = hooks[i], .context = b});
        check_status("changed", change(b), EM_OK);
        assert_int_equal(b->report.warnings.count, 0);
        check_clean(b);
    }
}

/* Only the hash of what came out can tell. */
static void test_changed_secretly(void **state)
{
    bench *b = *state;
    trap_set(&b->trap,
             (trap){.call = "exchange", .about = "", .hook = save_secretly, .context = b});
    check_status("change", change(b), EM_E_CONFLICT);
    check_text(b, "a.txt", "ONE TWO THREE\n");
    check_clean(b);
}

static void write_into_it(void *context)
{
    bench *b = context;
    FILE *file = fopen(scratch_path(b->root, "a.txt"), "r+");
    assert_non_null(file);
    assert_int_equal(fputc('O', file), 'O');
    assert_int_equal(fclose(file), 0);
}

/* What came out of a large file is hashed from both ends. */
static void test_a_file_that_is_hashed_in_two_halves(void **state)
{
    enum { SIZE = 8 << 20 };
    bench *b = *state;
    struct stat was, st;
    char *text = test_malloc(SIZE + 1);
    memset(text, '.', SIZE);
    memcpy(text, old_text, strlen(old_text));
    text[SIZE] = '\0';
    assert_true(em_halfway_pays(SIZE));
    scratch_put(b->root, "a.txt", text);
    check_status("change", change(b), EM_OK);
    scratch_put(b->root, "a.txt", text);
    trap_set(&b->trap,
             (trap){.call = "exchange", .about = "", .hook = write_into_it, .context = b});
    check_status("changed", change(b), EM_E_CONFLICT);
    check_clean(b);
    bench_disarm(b);
    scratch_put(b->root, "a.txt", text);
    assert_int_equal(stat(scratch_path(b->root, "a.txt"), &was), 0);
    trap *read = trap_set(&b->trap, (trap){.call = "read", .about = ".emend-", .error = EIO});
    check_status("cannot be read", change(b), EM_E_IO);
    assert_int_equal(read->caught, 1);
    assert_int_equal(stat(scratch_path(b->root, "a.txt"), &st), 0);
    assert_int_equal(st.st_ino, was.st_ino);
    check_clean(b);
    test_free(text);
}

static void test_turned_into_something_else(void **state)
{
    bench *b = *state;
    struct stat st;
    trap_set(&b->trap, (trap){.call = "exchange", .about = "", .hook = make_folder, .context = b});
    check_status("a folder", change(b), EM_E_CONFLICT);
    assert_int_equal(lstat(scratch_path(b->root, "a.txt"), &st), 0);
    assert_true(S_ISDIR(st.st_mode));
    check_clean(b);

    assert_int_equal(rmdir(scratch_path(b->root, "a.txt")), 0);
    scratch_put(b->root, "a.txt", old_text);
    bench_disarm(b);
    trap_set(&b->trap, (trap){.call = "exchange", .about = "", .hook = make_link, .context = b});
    check_status("a link", change(b), EM_E_CONFLICT);
    assert_int_equal(lstat(scratch_path(b->root, "a.txt"), &st), 0);
    assert_true(S_ISLNK(st.st_mode));
    check_clean(b);
}

/* As `git clean` does, or a program that mirrors the folder. */
static void remove_stray(void *context)
{
    bench *b = context;
    const char *stray = bench_stray(b, ".");
    assert_non_null(stray);
    assert_int_equal(unlink(scratch_path(b->root, stray)), 0);
}

static void remove_both(void *context)
{
    remove_stray(context);
    remove_it(context);
}

static void remove_stray_and_save(void *context)
{
    remove_stray(context);
    save_by_rename(context);
}

/* Before it could replace the file: that is as it was, and has not changed. */
static void test_the_new_content_is_removed(void **state)
{
    bench *b = *state;
    static const char *const calls[] = {"exchange", "replace"};
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        bench_disarm(b);
        if (i > 0)
            trap_set(&b->trap,
                     (trap){.call = "exchange", .about = "", .times = -1, .error = EINVAL});
        trap_set(&b->trap,
                 (trap){.call = calls[i], .about = "", .hook = remove_stray, .context = b});
        check_status(calls[i], change(b), EM_E_IO);
        check_detail(b, "another program removed the temporary file .emend-");
        check_text(b, "a.txt", old_text);
        check_clean(b);
        assert_int_equal(bench_rows(b, EM_ROW_DONE), 0);
    }
    bench_disarm(b);
    trap_set(&b->trap, (trap){.call = "exchange", .about = "", .hook = remove_both, .context = b});
    check_status("both", change(b), EM_E_CONFLICT);
    check_detail(b, "was removed since it was read");
    check_clean(b);
}

/* Before it could be looked at: the change is made, and a failure would not be true. */
static void test_the_old_content_is_removed(void **state)
{
    bench *b = *state;
    trap_set(&b->trap,
             (trap){.call = "exchange", .about = "", .after = remove_stray, .context = b});
    check_status("change", change(b), EM_OK);
    check_text(b, "a.txt", new_text);
    assert_true(bench_warned(b, "removed the old content"));
    check_clean(b);

    bench_disarm(b);
    scratch_put(b->root, "a.txt", old_text);
    trap_set(&b->trap, (trap){.call = "exchange", .about = "", .after = remove_both, .context = b});
    check_status("both", change(b), EM_E_CONFLICT);
    check_detail(b, "was removed in the moment of the change");
    assert_false(scratch_has(b->root, "a.txt"));
    check_clean(b);

    bench_disarm(b);
    scratch_put(b->root, "a.txt", old_text);
    trap_set(&b->trap, (trap){
                           .call = "exchange",
                           .about = "",
                           .after = remove_stray_and_save,
                           .context = b,
                       });
    check_status("saved", change(b), EM_E_CONFLICT);
    check_text(b, "a.txt", "foreign\n");
    check_clean(b);
}

/* What the names stand for cannot be told: the file has one content or the other, and an answer
 * that is no failure is true. */
static void test_what_is_left_cannot_be_looked_at(void **state)
{
    bench *b = *state;
    static const char *const names[] = {".emend-", "a.txt"};
    for (size_t i = 0; i < COUNT_OF(names) * 2; i++) {
        int caught = 1;
        for (int skip = 0; caught > 0; skip++) {
            bench_disarm(b);
            scratch_put(b->root, "a.txt", old_text);
            trap removal = {.call = "exchange", .about = "", .context = b};
            if (i % 2 == 0)
                removal.hook = remove_stray;
            else
                removal.after = remove_stray;
            const trap *removed = trap_set(&b->trap, removal);
            const trap *look =
                trap_set(&b->trap,
                         (trap){.call = "stat", .about = names[i / 2], .skip = skip, .error = EIO});
            em_status status = change(b);
            caught = look->caught;
            bool made = removed->caught > 0 && i % 2 == 1;
            check_text(b, "a.txt", made ? new_text : old_text);
            if (!made)
                assert_int_not_equal(status, EM_OK);
        }
    }
}

/* Saved again when we put back what came out: the newest is what stays. */
static void test_changed_twice(void **state)
{
    bench *b = *state;
    trap_set(
        &b->trap,
        (trap){.call = "exchange", .about = "", .times = 2, .hook = save_by_rename, .context = b});
    check_status("change", change(b), EM_E_CONFLICT);
    check_text(b, "a.txt", "foreign\n");
    check_clean(b);
}

static void test_written_into_our_file(void **state)
{
    bench *b = *state;
    trap_set(&b->trap,
             (trap){.call = "exchange", .about = "", .hook = save_by_rename, .context = b});
    trap_set(&b->trap, (trap){.call = "exchange",
                              .about = "",
                              .skip = 0, /* the first is caught above */
                              .hook = save_in_place,
                              .context = b});
    check_status("change", change(b), EM_E_CONFLICT);
    check_text(b, "a.txt", "foreign\n");
    const char *stray = bench_stray(b, ".");
    assert_non_null(stray);
    check_text(b, stray, "foreign\n"); /* the first save, which the second did not replace */
    check_detail(b, stray);
    assert_int_equal(bench_rows(b, EM_ROW_PENDING), 1);
}

/* ---- The folder ---------------------------------------------------------------------------- */

static void move_folder(void *context)
{
    bench *b = context;
    assert_int_equal(rename(scratch_path(b->root, "sub"), scratch_path(b->base, "moved")), 0);
}

static void replace_folder(void *context)
{
    bench *b = context;
    move_folder(b);
    scratch_folder(b->root, "sub");
    scratch_put(b->root, "sub/b.txt", "two");
}

static void link_folder(void *context)
{
    bench *b = context;
    move_folder(b);
    scratch_link(b->root, "sub", "../moved");
}

static void test_a_folder_that_is_moved(void **state)
{
    bench *b = *state;
    void (*const hooks[])(void *) = {move_folder, replace_folder, link_folder};
    for (size_t i = 0; i < COUNT_OF(hooks); i++) {
        bench_disarm(b);
        scratch_folder(b->root, "sub");
        scratch_put(b->root, "sub/b.txt", "two");
        trap_set(&b->trap, (trap){.call = "link", .about = "", .after = hooks[i], .context = b});
        check_status("moved", bench_change(b, "sub/b.txt", "two", "2"), EM_E_CONFLICT);
        check_detail(b, "folder");
        check_text(b, "../moved/b.txt", "two");
        assert_int_equal(bench_strays(b, "../moved"), 0);
        assert_int_equal(bench_rows(b, EM_ROW_DONE), 0);
        scratch_drop(scratch_path(b->base, "moved"));
        unlink(scratch_path(b->root, "sub"));
        scratch_drop(scratch_path(b->root, "sub"));
    }
}

/* Landlock refuses what is outside of the roots. */
static void test_a_folder_that_is_moved_out_of_reach(void **state)
{
    static const struct {
        const char *call, *about;
    } cases[] = {{"open", "/proc/self/fd/"}, {"open", "O_TMPFILE"}, {"link", ""}, {"exchange", ""}};
    bench *b = *state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bench_disarm(b);
        scratch_folder(b->root, "sub");
        scratch_put(b->root, "sub/b.txt", "two");
        trap *refused = trap_set(&b->trap, (trap){.call = cases[i].call,
                                                  .about = cases[i].about,
                                                  .hook = move_folder,
                                                  .context = b,
                                                  .error = EACCES});
        check_status(cases[i].call, bench_change(b, "sub/b.txt", "two", "2"), EM_E_CONFLICT);
        assert_int_equal(refused->caught, 1);
        assert_int_equal(b->err.cause, EM_CAUSE_CHANGED);
        check_detail(b, "its folder was moved or replaced");
        check_text(b, "../moved/b.txt", "two");
        scratch_drop(scratch_path(b->base, "moved"));
    }
}

static void lose_folder(void *context)
{
    trap_set(context, (trap){.call = "open", .about = "=.", .error = EIO});
}

/* Where it is, a refusal stays one. */
static void test_a_folder_that_refuses(void **state)
{
    bench *b = *state;
    trap_set(&b->trap, (trap){.call = "link", .about = "", .error = EACCES});
    check_status("there", change(b), EM_E_PERMISSION);
    bench_disarm(b);
    trap_set(&b->trap, (trap){.call = "link",
                              .about = "",
                              .error = EACCES,
                              .hook = lose_folder,
                              .context = &b->trap});
    check_status("who knows", change(b), EM_E_PERMISSION);
    check_unchanged(b);
}

/* Who changes nothing asks, too, whether the file is where it was. */
static void test_a_folder_that_is_moved_while_nothing_changes(void **state)
{
    bench *b = *state;
    em_file file;
    scratch_folder(b->root, "sub");
    scratch_put(b->root, "sub/b.txt", "two");
    bench_open(b);
    check_status("open", em_ws_open_file(b->ws, "sub/b.txt", EM_TO_CHANGE, 0, 0, &file, &b->err),
                 EM_OK);
    check_status("there", em_ws_check_unchanged(b->ws, &file, &b->err), EM_OK);
    move_folder(b);
    check_status("moved", em_ws_check_unchanged(b->ws, &file, &b->err), EM_E_CONFLICT);
    em_file_close(b->ws, &file);
}

static void test_a_folder_that_cannot_be_looked_at(void **state)
{
    bench *b = *state;
    scratch_folder(b->root, "sub");
    scratch_put(b->root, "sub/b.txt", "two");
    check_status("ready", change(b), EM_OK);
    static const struct {
        const char *call, *about;
        int skip;
    } cases[] = {{"open", "sub", 1}, {"stat", "root/sub", 3}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bench_disarm(b);
        trap *caught = trap_set(&b->trap, (trap){.call = cases[i].call,
                                                 .about = cases[i].about,
                                                 .skip = cases[i].skip,
                                                 .error = EIO});
        check_status("fails", bench_change(b, "sub/b.txt", "two", "2"), EM_E_IO);
        assert_int_equal(caught->caught, 1);
        assert_int_equal(bench_strays(b, "sub"), 0);
    }
}

/* ---- Calls that fail ----------------------------------------------------------------------- */

/* Before the exchange, and at it: nothing has changed, and nothing is left. */
static void test_failures_that_refuse(void **state)
{
    bench *b = *state;
    static const trap_case cases[] = {
        {"random", "", 0, EIO, EM_E_IO},
        {"clock", "realtime", 0, EINVAL, EM_E_IO},
        {"open", "O_TMPFILE", 0, ENOSPC, EM_E_IO},
        {"open", "O_TMPFILE", 0, ENOENT, EM_E_CONFLICT},
        {"write", "root", 0, ENOSPC, EM_E_IO},
        {"write", "root", 0, EDQUOT, EM_E_IO},
        {"chmod", "root", 0, EIO, EM_E_IO},
        {"sync", "root", 0, EIO, EM_E_IO},
        {"write", "history.db", 0, ENOSPC, EM_E_IO},
        {"link", "", 0, EMLINK, EM_E_IO},
        {"link", "", 0, EEXIST, EM_E_IO},
        {"link", "", 0, EXDEV, EM_E_IO},
        {"link", "", 0, ENOENT, EM_E_CONFLICT},
        {"stat", "a.txt", 4, EIO, EM_E_IO},
        {"exchange", "", 0, EIO, EM_E_IO},
        {"exchange", "", 0, EACCES, EM_E_PERMISSION},
        {"exchange", "", 0, ENOENT, EM_E_CONFLICT},
        {"stat", ".emend-", 0, EIO, EM_E_IO},
        {"read", "root", 2, EIO, EM_E_IO},
    };
    b->options.sync = EM_SYNC_DATA;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        scratch_put(b->root, "a.txt", old_text);
        assert_int_equal(chmod(scratch_path(b->root, "a.txt"), 0640), 0);
        bench_disarm(b);
        trap *caught = trap_set_case(&b->trap, &cases[i]);
        em_status status = change(b);
        check_case(b, &cases[i], caught, status);
        assert_int_equal(b->err.code, status);
        check_unchanged(b);
    }
}

/* Where nothing is synced, a network file system may say only at close that there is no room. */
static void test_no_room_without_sync(void **state)
{
    bench *b = *state;
    static const trap_case cases[] = {
        {"flush", "root", 0, EDQUOT, EM_E_IO},
        {"flush", "root", 0, ENOSPC, EM_E_IO},
        {"flush", "root", 0, EIO, EM_E_IO},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        bench_disarm(b);
        trap *caught = trap_set_case(&b->trap, &cases[i]);
        check_case(b, &cases[i], caught, change(b));
        check_unchanged(b);
    }
    bench_close(b);
    bench_disarm(b);
    b->options.sync = EM_SYNC_DATA;
    trap *flushed = trap_set(&b->trap, (trap){.call = "flush", .about = ""});
    check_status("synced", change(b), EM_OK);
    assert_int_equal(flushed->seen, 0);
}

static void exchange_names(void *context)
{
    bench *b = context;
    const char *stray = bench_stray(b, ".");
    int dir = open(b->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    assert_int_equal(renameat2(dir, stray, dir, "a.txt", RENAME_EXCHANGE), 0);
    close(dir);
}

static void exchange_and_remove(void *context)
{
    exchange_names(context);
    remove_stray(context);
}

/* An error does not prove that nothing was done. */
static void test_an_exchange_that_only_seems_to_fail(void **state)
{
    bench *b = *state;
    static const int errors[] = {EINTR, EIO};
    for (size_t i = 0; i < 2 * COUNT_OF(errors); i++) {
        scratch_put(b->root, "a.txt", old_text);
        bench_disarm(b);
        trap_set(&b->trap, (trap){.call = "exchange",
                                  .about = "",
                                  .error = errors[i / 2],
                                  .hook = i % 2 == 0 ? exchange_names : exchange_and_remove,
                                  .context = b});
        check_status("change", change(b), EM_OK);
        check_text(b, "a.txt", new_text);
        check_clean(b);
    }
}

static void test_an_exchange_that_is_interrupted(void **state)
{
    bench *b = *state;
    trap_set(&b->trap, (trap){.call = "exchange", .about = "", .times = 3, .error = EINTR});
    check_status("change", change(b), EM_OK);
    bench_disarm(b);
    scratch_put(b->root, "a.txt", old_text);
    trap_set(&b->trap, (trap){.call = "exchange", .about = "", .times = -1, .error = EINTR});
    check_status("for ever", change(b), EM_E_IO);
    check_text(b, "a.txt", old_text);
    check_clean(b);
}

static void test_failures_that_are_warnings(void **state)
{
    bench *b = *state;
    static const struct {
        const char *call, *about;
        int skip;
        const char *warning;
    } cases[] = {
        {"sync", "root", 1, "not durable"},
        {"open", "=.", 2, "not durable"},
    };
    b->options.sync = EM_SYNC_FULL;
    check_status("ready", bench_change(b, "a.txt", "one", "one"), EM_OK);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        scratch_put(b->root, "a.txt", old_text);
        bench_disarm(b);
        trap_set(&b->trap, (trap){.call = cases[i].call,
                                  .about = cases[i].about,
                                  .skip = cases[i].skip,
                                  .error = EIO});
        check_status("change", change(b), EM_OK);
        if (!bench_warned(b, cases[i].warning))
            fail_msg("%s %s: no warning", cases[i].call, cases[i].about);
        check_text(b, "a.txt", new_text);
        check_clean(b);
        assert_true(bench_row(b).notes & EM_NOTE_NOT_DURABLE);
    }
}

/* The old file that cannot be unlinked is left to the next change of the file. */
static void test_an_old_file_that_stays(void **state)
{
    bench *b = *state;
    trap_set(&b->trap, (trap){.call = "unlink", .about = ".emend-", .error = EIO});
    check_status("change", change(b), EM_OK);
    assert_true(bench_warned(b, "still there as .emend-"));
    check_text(b, "a.txt", new_text);
    assert_int_equal(bench_strays(b, "."), 1);
    assert_int_equal(bench_rows(b, EM_ROW_PENDING), 1);
    check_status("next", bench_change(b, "a.txt", "2", "two"), EM_OK);
    check_clean(b);
    assert_int_equal(bench_rows(b, EM_ROW_DONE), 2);
}

static void fail_the_history(void *context)
{
    bench *b = context;
    trap_set(&b->trap, (trap){.call = "write", .about = "history.db", .times = -1, .error = EIO});
}

static void test_a_row_that_cannot_be_marked(void **state)
{
    bench *b = *state;
    trap_set(&b->trap,
             (trap){.call = "unlink", .about = ".emend-", .after = fail_the_history, .context = b});
    check_status("change", change(b), EM_OK);
    assert_true(bench_warned(b, "pending"));
    check_text(b, "a.txt", new_text);
    assert_int_equal(bench_rows(b, EM_ROW_PENDING), 1);
    bench_disarm(b);
    check_status("next", bench_change(b, "a.txt", "2", "two"), EM_OK);
    check_clean(b);
}

/* ---- Taking back that fails ---------------------------------------------------------------- */

/* Why nothing was changed is told, and beside it what is left. */
static void test_a_stray_that_cannot_be_removed(void **state)
{
    bench *b = *state;
    static const char *const calls[] = {"unlink", "stat"};
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        bench_disarm(b);
        trap_set(&b->trap,
                 (trap){.call = "link", .about = "", .after = save_by_rename, .context = b});
        trap_set(&b->trap, (trap){.call = calls[i], /* the first stat is before the exchange */
                                  .about = ".emend-",
                                  .skip = strcmp(calls[i], "stat") == 0,
                                  .error = EIO});
        scratch_put(b->root, "a.txt", old_text);
        usleep(5000);
        check_status("change", change(b), EM_E_CONFLICT);
        assert_int_equal(b->err.code, EM_E_CONFLICT);
        check_detail(b, "was changed since it was read; the temporary file .emend-");
        check_detail(b, calls[i]);
        check_text(b, "a.txt", "foreign\n");
        assert_int_equal(bench_rows(b, EM_ROW_PENDING), 1);
        assert_int_equal(bench_strays(b, "."), 1);
        bench_disarm(b);
        check_status("next", bench_change(b, "a.txt", "foreign", "x"), EM_OK);
        check_clean(b);
    }
}

static void test_a_row_that_cannot_be_dropped(void **state)
{
    bench *b = *state;
    check_status("ready", bench_change(b, "a.txt", "one", "one"), EM_OK);
    trap_set(
        &b->trap,
        (trap){
            .call = "exchange", .about = "", .error = EIO, .hook = fail_the_history, .context = b});
    check_status("change", change(b), EM_E_IO);
    check_detail(b, "row is left pending");
    check_text(b, "a.txt", old_text);
    assert_int_equal(bench_strays(b, "."), 0);
    bench_disarm(b);
    check_status("next", change(b), EM_OK);
    check_clean(b);
}

static void test_an_exchange_that_cannot_be_undone(void **state)
{
    bench *b = *state;
    trap_set(&b->trap,
             (trap){.call = "exchange", .about = "", .hook = save_by_rename, .context = b});
    trap_set(&b->trap, (trap){.call = "exchange", .about = "", .error = EIO});
    check_status("change", change(b), EM_E_CONFLICT);
    check_text(b, "a.txt", new_text);
    const char *stray = bench_stray(b, ".");
    assert_non_null(stray);
    check_text(b, stray, "foreign\n");
    check_detail(b, stray);
    bench_disarm(b);
    check_status("next", bench_change(b, "a.txt", "foreign", "x"), EM_OK); /* put back by now */
    check_clean(b);
}

/* ---- Weaker systems ------------------------------------------------------------------------ */

static void test_without_exchange(void **state)
{
    bench *b = *state;
    static const int errors[] = {EINVAL, ENOSYS, EOPNOTSUPP};
    for (size_t i = 0; i < COUNT_OF(errors); i++) {
        bench_disarm(b);
        scratch_put(b->root, "a.txt", old_text);
        trap_set(&b->trap,
                 (trap){.call = "exchange", .about = "", .times = -1, .error = errors[i]});
        check_status("change", change(b), EM_OK);
        assert_true(bench_warned(b, "cannot exchange"));
        check_text(b, "a.txt", new_text);
        check_clean(b);
        assert_true(bench_row(b).notes & EM_NOTE_NO_EXCHANGE);
    }
    scratch_put(b->root, "a.txt", old_text);
    trap_set(&b->trap, (trap){.call = "replace", .about = "", .error = EIO});
    check_status("fails", change(b), EM_E_IO);
    check_text(b, "a.txt", old_text);
    check_clean(b);
}

static void no_unnamed_files(bench *b)
{
    bench_disarm(b);
    trap_set(&b->trap,
             (trap){.call = "open", .about = "O_TMPFILE", .times = -1, .error = EOPNOTSUPP});
}

static void test_without_unnamed_files(void **state)
{
    bench *b = *state;
    no_unnamed_files(b);
    check_status("change", change(b), EM_OK);
    check_text(b, "a.txt", new_text);
    check_clean(b);
    assert_true(bench_row(b).new_ino != 0);
}

static void test_failures_without_unnamed_files(void **state)
{
    bench *b = *state;
    static const trap_case cases[] = {
        {"open", ".emend-", 0, EACCES, EM_E_PERMISSION},
        {"open", ".emend-", 0, EEXIST, EM_E_IO},
        {"stat", ".emend-", 0, EIO, EM_E_IO},
        {"write", ".emend-", 0, ENOSPC, EM_E_IO},
        {"flush", ".emend-", 0, EDQUOT, EM_E_IO},
        {"write", "history.db", 0, ENOSPC, EM_E_IO},
        {"exchange", "", 0, EIO, EM_E_IO},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        no_unnamed_files(b);
        trap *caught = trap_set_case(&b->trap, &cases[i]);
        check_case(b, &cases[i], caught, change(b));
        check_unchanged(b);
    }
}

/* ---- Signals and memory -------------------------------------------------------------------- */

static void test_interrupted_calls(void **state)
{
    bench *b = *state;
    static const char *const calls[] = {"open",   "read", "write",  "sync",   "lock", "link",
                                        "unlink", "stat", "random", "access", "chmod"};
    b->options.sync = EM_SYNC_FULL;
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        bench_close(b);
        bench_disarm(b);
        scratch_put(b->root, "a.txt", old_text);
        trap_set(&b->trap, (trap){.call = calls[i], .about = "", .error = EINTR});
        check_status(calls[i], change(b), EM_OK);
        check_text(b, "a.txt", new_text);
        check_clean(b);
    }
}

static void test_memory_may_end(void **state)
{
    bench *b = *state;
    static const char *const names[] = {"a.txt", "sub/b.txt"};
    scratch_folder(b->root, "sub");
    for (size_t i = 0; i < 2; i++) {
        for (long at = 1;; at++) {
            scratch_put(b->root, names[i], old_text);
            bench_close(b);
            bench_open(b);
            em_file file;
            em_splice splice = {4, 3, EM_LIT("2")};
            em_change what = {.splices = {&splice, 1}, .backup = i == 1};
            EM_AUTO(em_arena) arena = {0};
            check_status("open",
                         em_ws_open_file(b->ws, names[i], EM_TO_CHANGE, 0, 0, &file, &b->err),
                         EM_OK);
            memory_ends_at(at);
            em_status status = em_ws_commit(b->ws, &file, &what, &arena, &b->report, &b->err);
            bool ended = memory_ended();
            memory_ends_at(0);
            em_file_close(b->ws, &file);
            check_text(b, names[i], status == EM_OK ? new_text : old_text);
            if (status != EM_OK)
                check_status("memory", status, EM_E_NOMEM);
            check_clean(b);
            unlink(scratch_path(b->root, "sub/b.txt.bak")); /* or its name is looked for longer */
            if (!ended)
                break;
            assert_true(at < 300);
        }
    }
}

/* ---- What few meet ------------------------------------------------------------------------- */

static em_status change_untold(bench *b)
{
    em_file file;
    em_splice splice = {4, 3, EM_LIT("2")};
    em_change what = {.splices = {&splice, 1}};
    EM_TRY(em_ws_open_file(bench_open(b), "a.txt", EM_TO_CHANGE, 0, 0, &file, &b->err));
    em_status status = em_ws_commit(b->ws, &file, &what, &b->arena, &b->report, NULL);
    em_file_close(b->ws, &file);
    return status;
}

/* Who wants to know no more than whether it was done. */
static void test_nobody_reads_the_error(void **state)
{
    bench *b = *state;
    trap_set(&b->trap, (trap){.call = "exchange", .about = "", .error = EIO});
    trap_set(&b->trap, (trap){.call = "unlink", .about = ".emend-", .times = -1, .error = EIO});
    check_status("change", change_untold(b), EM_E_IO);
    check_text(b, "a.txt", old_text);
    bench_disarm(b);
    trap_set(&b->trap, (trap){.call = "write", .about = "/root/", .error = ENOSPC});
    check_status("no room", change_untold(b), EM_E_IO);
    check_text(b, "a.txt", old_text);
    trap_set(&b->trap, (trap){.call = "link", .about = "", .error = EACCES});
    check_status("refused", change_untold(b), EM_E_PERMISSION);
    check_text(b, "a.txt", old_text);
    check_status("again", change_untold(b), EM_OK);
    check_text(b, "a.txt", new_text);
    check_clean(b);
}

static void test_the_owner_is_lost(void **state)
{
    bench *b = *state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(chown(scratch_path(b->root, "a.txt"), 1234, 4321), 0);
    b->options.allow_owner_change = true;
    trap_set(&b->trap, (trap){.call = "chown", .about = "", .error = EPERM});
    check_status("change", change(b), EM_OK);
    assert_true(bench_warned(b, "owner or the group"));
    assert_false(bench_warned(b, "permissions"));
    assert_true(bench_row(b).notes & EM_NOTE_OWNER);
}

static void lose_sight(void *context)
{
    trap_set(context, (trap){.call = "stat", .about = "(deleted)", .error = EIO});
}

/* Where nobody can look which permissions are left, that is not told; what is lost is. */
static void test_the_owner_is_lost_and_out_of_sight(void **state)
{
    bench *b = *state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(chown(scratch_path(b->root, "a.txt"), 1234, 4321), 0);
    assert_int_equal(chmod(scratch_path(b->root, "a.txt"), 0664), 0);
    b->options.allow_owner_change = true;
    trap_set(&b->trap, (trap){.call = "chown", .about = "", .times = -1, .error = EPERM});
    trap_set(&b->trap,
             (trap){.call = "chmod", .about = "", .hook = lose_sight, .context = &b->trap});
    check_status("change", change(b), EM_OK);
    assert_int_equal(b->trap.traps[2].caught, 1);
    assert_true(bench_warned(b, "The owner or the group of the file could not be kept"));
    assert_false(bench_warned(b, "permissions"));
    check_text(b, "a.txt", new_text);
    check_clean(b);
}

/* What only the group might do nobody may then: others are in the group that the file gets. */
static void test_the_group_is_lost_and_what_it_may_do(void **state)
{
    bench *b = *state;
    if (geteuid() != 0)
        skip();
    assert_int_equal(chown(scratch_path(b->root, "a.txt"), 1234, 4321), 0);
    assert_int_equal(chmod(scratch_path(b->root, "a.txt"), 0660), 0);
    b->options.allow_owner_change = true;
    trap_set(&b->trap, (trap){.call = "chown", .about = "", .times = -1, .error = EPERM});
    check_status("change", change(b), EM_OK);
    assert_true(bench_warned(b, "not all of its permissions: they are 0600 and were 0660"));
}

static void test_the_mode_of_a_new_file(void **state)
{
    bench *b = *state;
    static const struct {
        int error;
        em_status want;
    } cases[] = {{EPERM, EM_E_PERMISSION}, {EINTR, EM_OK}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_file file;
        em_splice splice = {.insert = EM_LIT("text")};
        em_change what = {.splices = {&splice, 1}, .mode = 0640};
        struct stat st;
        bench_disarm(b);
        trap_set(&b->trap, (trap){.call = "chmod", .about = "", .error = cases[i].error});
        check_status("open",
                     em_ws_open_file(bench_open(b), "new", EM_TO_CHANGE, EM_MAY_BE_MISSING, 0,
                                     &file, &b->err),
                     EM_OK);
        check_status("change", em_ws_commit(b->ws, &file, &what, &b->arena, &b->report, &b->err),
                     cases[i].want);
        em_file_close(b->ws, &file);
        assert_int_equal(scratch_has(b->root, "new"), cases[i].want == EM_OK);
        if (cases[i].want == EM_OK) {
            assert_int_equal(stat(scratch_path(b->root, "new"), &st), 0);
            assert_int_equal(st.st_mode & 07777, 0640);
        }
        check_clean(b);
    }
}

/* What an exchange may fail with that no answer about a file could mean. */
static void test_errors_that_would_mislead(void **state)
{
    bench *b = *state;
    static const int errors[] = {EISDIR, EXDEV, EEXIST};
    for (size_t i = 0; i < COUNT_OF(errors); i++) {
        bench_disarm(b);
        trap_set(&b->trap, (trap){.call = "exchange", .about = "", .error = errors[i]});
        check_status("change", change(b), EM_E_IO);
        assert_int_equal(b->err.code, EM_E_IO);
        check_unchanged(b);
    }
}

/* Nobody would find what is recorded, nor recover what was begun. */
static void test_the_history_was_moved(void **state)
{
    bench *b = *state;
    check_status("before", change(b), EM_OK);
    scratch_put(b->root, "a.txt", "one two three\n");
    assert_int_equal(
        rename(scratch_path(b->state, EM_HISTORY_NAME), scratch_path(b->base, "moved")), 0);
    for (int i = 0; i < 2; i++) {
        check_status("after", change(b), EM_E_IO);
        check_detail(b, "the history was moved or removed since emend was started");
        check_text(b, "a.txt", "one two three\n");
        assert_int_equal(bench_strays(b, "."), 0);
    }
    assert_false(scratch_has(b->state, EM_HISTORY_NAME));
}

/* The way back of so large a change is not recorded. */
static void test_a_change_that_cannot_be_undone(void **state)
{
    bench *b = *state;
    em_file file;
    em_splice splice = {.length = (size_t)257 << 20};
    em_change what = {.splices = {&splice, 1}};
    check_status(
        "open", em_ws_open_file(bench_open(b), "a.txt", EM_TO_CHANGE, 0, 0, &file, &b->err), EM_OK);
    em_flight f = {.ws = b->ws,
                   .file = &file,
                   .at = file.state,
                   .change = &what,
                   .content = {.old = file.bytes, .splices = what.splices},
                   .arena = &b->arena,
                   .report = &b->report,
                   .err = &b->err};
    b->report = (em_commit_report){0};
    check_status("prepare", em_flight_prepare(&f), EM_OK);
    assert_true(bench_warned(b, "too large to be undone"));
    assert_int_equal(f.row.inverse.len, 0);
    em_file_close(b->ws, &file);
}

/* ---- A full disk ----------------------------------------------------------------------------- */

/* Old files that wait to be closed are what fills it. */
static void who_lacks_room_writes_again_when_old_files_are_closed(void **state)
{
    bench *b = *state;
    em_closer *closer = em_closer_new(&em_sys_native);
    assert_non_null(closer);
    bench_open(b);
    em_ws_close_later(b->ws, closer);
    static const int errors[] = {EDQUOT, ENOSPC};
    for (size_t i = 0; i < COUNT_OF(errors); i++) {
        int old = open("/dev/null", O_RDONLY | O_CLOEXEC);
        assert_true(em_closer_take(closer, old, EM_CLOSER_MOST));
        scratch_put(b->root, "a.txt", old_text);
        bench_disarm(b);
        trap *full =
            trap_set(&b->trap, (trap){.call = "write", .about = "root", .error = errors[i]});
        assert_int_equal(bench_change(b, "a.txt", "two", "2"), EM_OK);
        assert_int_equal(full->caught, 1);
        assert_int_equal(b->err.code, EM_OK);
        check_text(b, "a.txt", "one 2 three\n");
    }
    /* The next time nothing waits. */
    trap_set(&b->trap, (trap){.call = "write", .about = "root", .error = EDQUOT});
    assert_int_equal(bench_change(b, "a.txt", "one", "1"), EM_E_IO);
    assert_int_equal(b->err.sys, EDQUOT);
    check_text(b, "a.txt", "one 2 three\n");
    em_closer_free(closer);
}

static em_hash keep_something(bench *b)
{
    em_content content = {.old = EM_LIT("kept in case")};
    em_hash hash = em_hash_of(content.old);
    check_status("keep", em_content_store_keep(bench_open(b), hash, &content), EM_OK);
    return hash;
}

static bool is_kept(bench *b, em_hash hash)
{
    em_slice bytes;
    bool found;
    check_status("find", em_content_store_find(b->ws, hash, &b->arena, &bytes, &found), EM_OK);
    return found;
}

/* What is only kept in case is in nobody's way. */
static void who_cannot_record_for_want_of_room_gives_up_what_is_kept(void **state)
{
    static const struct {
        int error, times;
        bool keeps, gives_up;
        em_status want;
    } rows[] = {
        {ENOSPC, 1, true, true, EM_OK},    {EDQUOT, 1, true, true, EM_OK},
        {ENOSPC, 1, false, true, EM_E_IO}, {ENOSPC, -1, true, true, EM_E_IO},
        {EIO, 1, true, false, EM_E_IO},
    };
    bench *b = *state;
    check_status("first", bench_change(b, "a.txt", "one", "one"), EM_OK);
    for (size_t i = 0; i < 2 * COUNT_OF(rows); i++) {
        bool told = i % 2 == 0;
        em_hash hash = em_hash_of(EM_LIT(""));
        scratch_put(b->root, "a.txt", old_text);
        if (rows[i / 2].keeps)
            hash = keep_something(b);
        trap_set(&b->trap, (trap){.call = "write",
                                  .about = "-wal",
                                  .times = rows[i / 2].times,
                                  .error = rows[i / 2].error});
        b->err = EM_ERROR_INIT;
        em_status status = told ? change(b) : change_untold(b);
        check_status("change", status, rows[i / 2].want);
        assert_int_equal(b->err.sys, status == EM_OK || !told ? 0 : rows[i / 2].error);
        bench_disarm(b);
        check_text(b, "a.txt", status == EM_OK ? new_text : old_text);
        assert_int_equal(is_kept(b, hash), !rows[i / 2].gives_up);
        check_clean(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_a_change),
        BENCH_TEST(test_a_call_that_may_be_cancelled),
        BENCH_TEST(test_a_call_without_a_change),
        BENCH_TEST(test_memory_for_a_call_without_a_change),
        BENCH_TEST(test_the_way_back),
        BENCH_TEST(test_many_changes),
        BENCH_TEST(test_attributes_stay),
        BENCH_TEST(test_a_link_stays_a_link),
        BENCH_TEST(test_a_hard_link_is_broken),
        BENCH_TEST(test_an_overlay_copies_up),
        BENCH_TEST(test_what_was_copied_up_cannot_be_looked_at),
        BENCH_TEST(test_other_names_are_counted),
        BENCH_TEST(test_without_history),
        BENCH_TEST(test_lost_security_attributes),
        BENCH_TEST(test_files_that_cannot_be_committed),
        BENCH_TEST(test_sizes),
        BENCH_TEST(test_a_file_opened_twice),
        BENCH_TEST(test_changed_before_the_stamp_is_checked),
        BENCH_TEST(test_changed_after_the_stamp_is_checked),
        BENCH_TEST(test_made_private_after_the_stamp_is_checked),
        BENCH_TEST(test_an_attribute_is_set_after_the_stamp_is_checked),
        BENCH_TEST(test_attributes_that_cannot_be_looked_at_again),
        BENCH_TEST(test_a_hard_link_that_is_made_after_the_stamp_is_checked),
        BENCH_TEST(test_others_write_to_the_temporary_file),
        BENCH_TEST(test_others_touch_the_temporary_file),
        BENCH_TEST(test_others_write_to_the_new_content),
        BENCH_TEST(test_the_temporary_file_cannot_be_looked_at),
        BENCH_TEST(test_the_temporary_file_goes_while_it_is_looked_at),
        BENCH_TEST(test_the_new_content_cannot_be_looked_at),
        BENCH_TEST(test_a_folder_that_is_moved_out_of_reach),
        BENCH_TEST(test_a_folder_that_refuses),
        BENCH_TEST(test_changed_secretly),
        BENCH_TEST(test_a_file_that_is_hashed_in_two_halves),
        BENCH_TEST(test_turned_into_something_else),
        BENCH_TEST(test_the_new_content_is_removed),
        BENCH_TEST(test_the_old_content_is_removed),
        BENCH_TEST(test_what_is_left_cannot_be_looked_at),
        BENCH_TEST(test_changed_twice),
        BENCH_TEST(test_written_into_our_file),
        BENCH_TEST(test_a_folder_that_is_moved),
        BENCH_TEST(test_a_folder_that_is_moved_while_nothing_changes),
        BENCH_TEST(test_a_folder_that_cannot_be_looked_at),
        BENCH_TEST(test_failures_that_refuse),
        BENCH_TEST(test_no_room_without_sync),
        BENCH_TEST(test_an_exchange_that_only_seems_to_fail),
        BENCH_TEST(test_an_exchange_that_is_interrupted),
        BENCH_TEST(test_failures_that_are_warnings),
        BENCH_TEST(test_an_old_file_that_stays),
        BENCH_TEST(test_a_row_that_cannot_be_marked),
        BENCH_TEST(test_a_stray_that_cannot_be_removed),
        BENCH_TEST(test_a_row_that_cannot_be_dropped),
        BENCH_TEST(test_an_exchange_that_cannot_be_undone),
        BENCH_TEST(test_without_exchange),
        BENCH_TEST(test_without_unnamed_files),
        BENCH_TEST(test_failures_without_unnamed_files),
        BENCH_TEST(test_interrupted_calls),
        BENCH_TEST(test_memory_may_end),
        BENCH_TEST(test_nobody_reads_the_error),
        BENCH_TEST(test_the_owner_is_lost),
        BENCH_TEST(test_the_owner_is_lost_and_out_of_sight),
        BENCH_TEST(test_the_group_is_lost_and_what_it_may_do),
        BENCH_TEST(test_the_mode_of_a_new_file),
        BENCH_TEST(test_errors_that_would_mislead),
        BENCH_TEST(test_the_history_was_moved),
        BENCH_TEST(test_a_change_that_cannot_be_undone),
        BENCH_TEST(who_lacks_room_writes_again_when_old_files_are_closed),
        BENCH_TEST(who_cannot_record_for_want_of_room_gives_up_what_is_kept),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "workspace/copies.h"

#include "bench.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char old_text[] = "one two three\n";

/* The folder may not be written, says the system. */
static void close_folder(bench *b)
{
    bench_disarm(b);
    b->options.in_place = true;
    trap_set(&b->trap, (trap){.call = "access", .about = "$/root", .times = -1, .error = EACCES});
}

static em_status change(bench *b, const char *old, const char *new)
{
    return bench_change(b, "a.txt", old, new);
}

static uint64_t inode(const bench *b)
{
    struct stat st;
    assert_int_equal(stat(scratch_path(b->root, "a.txt"), &st), 0);
    return st.st_ino;
}

static void check_unchanged(bench *b)
{
    check_text(b, "a.txt", old_text);
    check_clean(b);
}

/* ---- Changes ------------------------------------------------------------------------------- */

static void test_sizes(void **state)
{
    bench *b = *state;
    static const struct {
        const char *old, *new, *text;
    } cases[] = {
        {"two", "2", "one 2 three\n"},
        {"two", "TWO", "one TWO three\n"},
        {"two", "twenty-two", "one twenty-two three\n"},
        {"one two three\n", "", ""},
        {"\n", "\nfour\n", "one two three\nfour\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        scratch_put(b->root, "a.txt", old_text);
        uint64_t was = inode(b);
        bench_close(b);
        close_folder(b);
        check_status("change", change(b, cases[i].old, cases[i].new), EM_OK);
        check_text(b, "a.txt", cases[i].text);
        assert_int_equal(inode(b), was);
        assert_true(bench_warned(b, "in place"));
        check_clean(b);
        em_row row = bench_row(b);
        assert_int_equal(row.kind, EM_ROW_IN_PLACE);
        assert_int_equal(row.state, EM_ROW_DONE);
    }
}

/* Only what has changed is written, and what follows it. */
static void test_what_is_written(void **state)
{
    bench *b = *state;
    close_folder(b);
    trap *writes = trap_set(&b->trap, (trap){.call = "write", .about = "a.txt", .times = -1});
    check_status("change", change(b, "three", "3"), EM_OK);
    assert_int_equal(writes->caught, 1);
    check_text(b, "a.txt", "one two 3\n");
}

/* The copies and the row are durable before the file is touched, whatever --sync says. */
static void test_syncing(void **state)
{
    bench *b = *state;
    close_folder(b);
    trap *copies = trap_set(&b->trap, (trap){.call = "sync", .about = "copies", .times = -1});
    trap *rows = trap_set(&b->trap, (trap){.call = "sync", .about = "history.db", .times = -1});
    trap *files = trap_set(&b->trap, (trap){.call = "sync", .about = "a.txt", .times = -1});
    check_status("change", change(b, "two", "2"), EM_OK);
    assert_int_equal(copies->caught, 2);
    assert_true(rows->caught > 0);
    assert_int_equal(files->caught, 1);
}

static void test_hard_links_stay(void **state)
{
    bench *b = *state;
    assert_int_equal(link(scratch_path(b->root, "a.txt"), scratch_path(b->base, "other")), 0);
    em_file file;
    close_folder(b);
    check_status("preview",
                 em_ws_open_file(bench_open(b), "a.txt", EM_TO_PREVIEW, 0, 0, &file, &b->err),
                 EM_OK);
    assert_int_equal(em_ws_names_left(&file), 0);
    em_file_close(b->ws, &file);
    check_status("change", change(b, "two", "2"), EM_OK);
    assert_false(bench_warned(b, "hard link"));
    check_text(b, "../other", "one 2 three\n");
}

static void test_a_backup(void **state)
{
    bench *b = *state;
    close_folder(b);
    check_status("change", bench_backup_change(b, "a.txt", "two", "2"), EM_OK);
    check_text(b, "a.txt", "one 2 three\n");
    check_text(b, "a.txt.bak", old_text);
    assert_string_equal(b->report.backup_path, "a.txt.bak");
    check_clean(b);

    scratch_put(b->root, "a.txt", old_text);
    close_folder(b);
    trap_set(&b->trap, (trap){.call = "write", .about = "a.txt", .error = EIO});
    check_status("taken back", bench_backup_change(b, "a.txt", "two", "2"), EM_E_IO);
    assert_false(scratch_has(b->root, "a.txt.bak1"));
    check_unchanged(b);
}

static trap *trap_folder_syncs(bench *b, int error)
{
    close_folder(b);
    b->options.sync = EM_SYNC_FULL;
    return trap_set(&b->trap,
                    (trap){.call = "sync", .about = "$/root", .times = -1, .error = error});
}

/* The name of a backup lasts when the change does, and is gone for good before the row is. */
static void test_a_backup_is_synced(void **state)
{
    bench *b = *state;
    trap *syncs = trap_folder_syncs(b, 0);
    check_status("change", bench_backup_change(b, "a.txt", "two", "2"), EM_OK);
    assert_int_equal(syncs->caught, 1);
    assert_int_equal(b->report.warnings.count, 1);
    bench_close(b);

    syncs = trap_folder_syncs(b, 0);
    trap_set(&b->trap, (trap){.call = "write", .about = "a.txt", .error = EIO});
    check_status("taken back", bench_backup_change(b, "a.txt", "2", "two"), EM_E_IO);
    assert_int_equal(syncs->caught, 2);
    bench_close(b);

    trap_folder_syncs(b, EIO);
    check_status("not synced", bench_backup_change(b, "a.txt", "2", "two"), EM_OK);
    assert_true(bench_warned(b, "The backup is not durable"));
    check_text(b, "a.txt.bak1", "one 2 three\n");
    check_clean(b);
}

static int closed_folder(bench *b)
{
    b->options.in_place = true;
    return bench_change(b, "closed/file", "x", "y") == EM_OK ? 0 : 1;
}

static void test_for_real(void **state)
{
    bench *b = *state;
    scratch_folder(b->root, "closed");
    scratch_put(b->root, "closed/file", "x");
    assert_int_equal(chmod(scratch_path(b->root, "closed/file"), 0666), 0);
    assert_int_equal(chmod(scratch_path(b->root, "closed"), 0555), 0);
    int result = bench_as_nobody(b, closed_folder);
    chmod(scratch_path(b->root, "closed"), 0755);
    assert_int_equal(result, 0);
    check_text(b, "closed/file", "y");
}

/* ---- Failures ------------------------------------------------------------------------------ */

static void test_failures_that_refuse(void **state)
{
    bench *b = *state;
    static const trap_case cases[] = {
        {"open", "/proc/self/fd", 1, EACCES, EM_E_PERMISSION},
        {"write", "history.db", 0, ENOSPC, EM_E_IO},
        {"open", "copies", 0, EIO, EM_E_IO},
        {"open", "=copies", 0, EMFILE, EM_E_IO},
        {"write", "copies", 0, ENOSPC, EM_E_IO},
        {"write", "copies", 1, ENOSPC, EM_E_IO},
        {"sync", "copies", 0, EIO, EM_E_IO},
        {"sync", "copies", 1, EIO, EM_E_IO},
        {"open", ".emend-", 0, EACCES, EM_E_PERMISSION},
        {"write", "a.txt", 0, ENOSPC, EM_E_IO},
        {"truncate", "a.txt", 0, EIO, EM_E_IO},
        {"sync", "a.txt", 0, EIO, EM_E_IO},
        {"stat", "a.txt", 4, EIO, EM_E_IO},
        {"stat", "a.txt", 5, EIO, EM_E_IO},
        {"read", "a.txt", 2, EIO, EM_E_IO},
    };
    close_folder(b);
    check_status("ready", change(b, "two", "two"), EM_OK);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        close_folder(b);
        trap *caught = trap_set_case(&b->trap, &cases[i]);
        check_case(b, &cases[i], caught, change(b, "two", "2"));
        check_unchanged(b);
        assert_int_equal(bench_rows(b, EM_ROW_DONE), 1);
    }
}

static void test_a_copy_that_stays(void **state)
{
    bench *b = *state;
    close_folder(b);
    trap_set(&b->trap, (trap){.call = "unlink", .about = ".emend-", .error = EIO});
    check_status("change", change(b, "two", "2"), EM_OK);
    assert_true(bench_warned(b, "copy"));
    assert_int_equal(bench_rows(b, EM_ROW_PENDING), 1);
    bench_disarm(b);
    check_status("next", change(b, "2", "two"), EM_OK);
    check_clean(b);
}

/* The old content cannot be written again either: recovery does it. */
static void test_restoring_fails(void **state)
{
    bench *b = *state;
    static const struct {
        const char *call;
        int times;
    } cases[] = {{"write", 2}, {"truncate", 2}, {"sync", 2}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        scratch_put(b->root, "a.txt", old_text);
        bench_close(b);
        close_folder(b);
        trap_set(
            &b->trap,
            (trap){.call = cases[i].call, .about = "a.txt", .times = cases[i].times, .error = EIO});
        check_status(cases[i].call, change(b, "two", "2"), EM_E_IO);
        check_detail(b, "emend recover");
        assert_int_equal(bench_rows(b, EM_ROW_PENDING), 1);
        bench_close(b);
        bench_disarm(b);
        b->options.in_place = false;
        check_status("next", change(b, "three", "three"), EM_OK);
        check_clean(b);
    }
}

static void test_a_copy_that_cannot_be_removed(void **state)
{
    bench *b = *state;
    close_folder(b);
    trap_set(&b->trap, (trap){.call = "write", .about = "a.txt", .error = EIO});
    trap_set(&b->trap, (trap){.call = "unlink", .about = ".emend-", .error = EIO});
    check_status("change", change(b, "two", "2"), EM_E_IO);
    check_text(b, "a.txt", old_text);
    assert_int_equal(bench_rows(b, EM_ROW_PENDING), 1);
    bench_disarm(b);
    check_status("next", change(b, "two", "2"), EM_OK);
    check_clean(b);
}

/* ---- Somebody else ------------------------------------------------------------------------- */

static void save_by_rename(void *context)
{
    bench *b = context;
    scratch_put(b->root, "editor", "foreign\n");
    assert_int_equal(rename(scratch_path(b->root, "editor"), scratch_path(b->root, "a.txt")), 0);
}

static void remove_it(void *context)
{
    bench *b = context;
    unlink(scratch_path(b->root, "a.txt"));
}

static void save_in_place(void *context)
{
    bench *b = context;
    scratch_put(b->root, "a.txt", "foreign\n");
}

static void test_replaced_meanwhile(void **state)
{
    bench *b = *state;
    void (*const hooks[])(void *) = {save_by_rename, remove_it};
    for (size_t i = 0; i < COUNT_OF(hooks); i++) {
        static const char *const when[] = {"copies", "a.txt"};
        for (size_t k = 0; k < COUNT_OF(when); k++) {
            scratch_put(b->root, "a.txt", old_text);
            close_folder(b);
            trap_set(&b->trap,
                     (trap){.call = "write", .about = when[k], .hook = hooks[i], .context = b});
            check_status("change", change(b, "two", "2"), EM_E_CONFLICT);
            if (i == 0)
                check_text(b, "a.txt", "foreign\n");
            else
                assert_false(scratch_has(b->root, "a.txt"));
            check_clean(b);
        }
    }
}

static void test_written_before_the_stamp(void **state)
{
    bench *b = *state;
    close_folder(b);
    usleep(5000);
    trap_set(&b->trap,
             (trap){.call = "write", .about = "copies", .hook = save_in_place, .context = b});
    check_status("change", change(b, "two", "2"), EM_E_CONFLICT);
    check_text(b, "a.txt", "foreign\n");
    check_clean(b);
}

/* Both have written, and nobody knows what belongs in the file: nothing is thrown away. */
static void test_written_meanwhile(void **state)
{
    bench *b = *state;
    close_folder(b);
    trap_set(&b->trap,
             (trap){.call = "sync", .about = "a.txt", .hook = save_in_place, .context = b});
    check_status("change", change(b, "two", "2"), EM_E_CONFLICT);
    check_text(b, "a.txt", "foreign\n");
    check_detail(b, "copies/.emend-");
    assert_int_equal(bench_rows(b, EM_ROW_PENDING), 1);
    bench_disarm(b);
    check_status("next", change(b, "foreign", "x"), EM_E_UNSETTLED);
    check_detail(b, "emend recover");
    check_text(b, "a.txt", "foreign\n");
}

static void save_in_place_and_fail(void *context)
{
    static const trap fails[] = {
        {.call = "stat", .about = "a.txt", .skip = 1, .error = EIO},
        {.call = "open", .about = ".emend-", .error = EIO},
        {.call = "read", .about = "copies", .error = EIO},
    };
    static size_t next;
    bench *b = context;
    scratch_put(b->root, "a.txt", "FOREIGN TEXT\n"); /* as long as ours: it must be read */
    trap_set(&b->trap, fails[next++ % COUNT_OF(fails)]);
}

/* As long as it may be somebody's work, it is not touched. */
static void test_looking_for_others_fails(void **state)
{
    bench *b = *state;
    for (int i = 0; i < 3; i++) {
        em_recovery recovery;
        scratch_put(b->root, "a.txt", old_text);
        close_folder(b);
        trap_set(
            &b->trap,
            (trap){.call = "sync", .about = "a.txt", .hook = save_in_place_and_fail, .context = b});
        check_status("change", change(b, "two", "2"), EM_E_IO);
        check_text(b, "a.txt", "FOREIGN TEXT\n");
        assert_int_equal(bench_rows(b, EM_ROW_PENDING), 1);
        bench_disarm(b);
        check_status("recover",
                     em_recover(b->ws, &(em_recover_options){.keep = EM_KEEP_STRAY}, &b->arena,
                                &recovery, &b->err),
                     EM_OK);
        check_unchanged(b);
    }
}

/* ---- Recovery ------------------------------------------------------------------------------ */

static void die(bench *b, const char *new, trap where)
{
    scratch_put(b->root, "a.txt", old_text);
    close_folder(b);
    bench_die(b, "a.txt", "two", new, where);
    bench_disarm(b);
    b->options.in_place = false;
}

static void test_killed(void **state)
{
    bench *b = *state;
    static const struct {
        const char *call, *about, *new;
        int after;
        const char *text;
    } cases[] = {
        {"write", "copies", "2", 0, "one two three\n"},
        {"write", "copies", "2", 1, "one two three\n"},
        {"write", "a.txt", "2", 0, "one two three\n"},
        {"write", "a.txt", "2", 1, "one two three\n"}, /* longer by what is to be cut off */
        {"truncate", "a.txt", "2", 1, "one 2 three\n"},
        {"write", "a.txt", "twenty-two", 1, "one twenty-two three\n"},
        {"unlink", ".emend-", "2", 1, "one 2 three\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        die(b, cases[i].new,
            (trap){.call = cases[i].call, .about = cases[i].about, .error = cases[i].after});
        check_status("recovery", change(b, "three", "three"), EM_OK);
        const char *text = bench_text(b, "a.txt");
        if (strcmp(text, cases[i].text) != 0)
            fail_msg("case %zu: %s", i, text);
        check_clean(b);
    }
}

static void test_killed_with_a_backup(void **state)
{
    bench *b = *state;
    die(b, "2 backup", (trap){.call = "write", .about = "a.txt"});
    check_status("recovery", change(b, "three", "three"), EM_OK);
    check_text(b, "a.txt", old_text);
    assert_false(scratch_has(b->root, "a.txt.bak"));
    check_clean(b);
    bench_close(b);

    die(b, "2 backup", (trap){.call = "write", .about = "a.txt", .error = 1});
    check_status("recovery", change(b, "three", "three"), EM_OK);
    check_text(b, "a.txt", "one 2 backup three\n");
    check_text(b, "a.txt.bak", old_text);
    check_clean(b);
}

static void test_a_removed_backup_is_synced(void **state)
{
    bench *b = *state;
    em_recovery recovery;
    em_recover_options all = {0};
    die(b, "2 backup", (trap){.call = "write", .about = "a.txt"});
    trap *syncs = trap_folder_syncs(b, EIO);
    bench_open(b);
    check_status("not synced", em_recover(b->ws, &all, &b->arena, &recovery, &b->err), EM_OK);
    assert_int_equal(recovery.items[0].end, EM_LEFT_UNREADABLE);
    syncs->error = 0;
    check_status("again", em_recover(b->ws, &all, &b->arena, &recovery, &b->err), EM_OK);
    assert_int_equal(recovery.items[0].end, EM_RECOVERED_UNDONE);
    assert_int_equal(syncs->caught, 2);
    assert_false(scratch_has(b->root, "a.txt.bak"));
    check_clean(b);
}

/* The backup cannot be made, or not be looked at when the change is undone: nothing is concluded.
 */
static void test_a_backup_fails(void **state)
{
    bench *b = *state;
    close_folder(b);
    trap_set(&b->trap, (trap){.call = "link", .about = ".bak", .error = EACCES});
    check_status("refused", bench_backup_change(b, "a.txt", "two", "2"), EM_E_PERMISSION);
    check_text(b, "a.txt", old_text);
    bench_disarm(b);
    bench_close(b);

    em_recovery recovery;
    em_recover_options all = {0};
    die(b, "2 backup", (trap){.call = "write", .about = "a.txt"});
    bench_disarm(b);
    bench_open(b);
    trap_set(&b->trap, (trap){.call = "open", .about = "a.txt.bak", .error = EIO});
    check_status("unread", em_recover(b->ws, &all, &b->arena, &recovery, &b->err), EM_OK);
    assert_int_equal(recovery.items[0].end, EM_LEFT_UNREADABLE);
    check_status("again", em_recover(b->ws, &all, &b->arena, &recovery, &b->err), EM_OK);
    assert_int_equal(recovery.items[0].end, EM_RECOVERED_UNDONE);
    check_text(b, "a.txt", old_text);
    check_clean(b);
}

/* Only part of the new content was written. */
static void test_half_written(void **state)
{
    bench *b = *state;
    die(b, "twenty-two", (trap){.call = "write", .about = "a.txt"});
    scratch_put(b->root, "a.txt", "one twenthree\n");
    check_status("recovery", change(b, "three", "three"), EM_OK);
    check_text(b, "a.txt", old_text);
    check_clean(b);

    die(b, "twenty-two", (trap){.call = "write", .about = "a.txt"});
    int fd = open(scratch_path(b->root, "a.txt"), O_WRONLY | O_CLOEXEC);
    assert_int_equal(ftruncate(fd, 18), 0); /* grown, and not yet written */
    close(fd);
    check_status("recovery", change(b, "three", "three"), EM_OK);
    check_text(b, "a.txt", old_text);
}

static void check_copy_is_told(const bench *b)
{
    check_detail(b, "its other content is copies/.emend-");
    check_detail(b, " of the state directory");
}

/* Somebody has worked on it since: it is theirs, until a person says otherwise. */
static void test_changed_after_the_kill(void **state)
{
    bench *b = *state;
    static const em_keep keeps[] = {EM_KEEP_TARGET, EM_KEEP_STRAY};
    for (size_t i = 0; i < COUNT_OF(keeps); i++) {
        em_recovery recovery;
        die(b, "2", (trap){.call = "write", .about = "a.txt"});
        scratch_put(b->root, "a.txt", "theirs\n");
        em_file file;
        check_status("dry run",
                     em_ws_open_file(bench_open(b), "a.txt", EM_TO_PREVIEW, 0, 0, &file, &b->err),
                     EM_E_UNSETTLED);
        check_copy_is_told(b);
        check_status("next", change(b, "theirs", "x"), EM_E_UNSETTLED);
        check_copy_is_told(b);
        check_status("ask",
                     em_recover(b->ws, &(em_recover_options){0}, &b->arena, &recovery, &b->err),
                     EM_OK);
        assert_int_equal(recovery.items[0].end, EM_LEFT_TO_PERSON);
        assert_non_null(strstr(recovery.items[0].stray, "/copies/.emend-"));
        check_status("chosen",
                     em_recover(b->ws, &(em_recover_options){.keep = keeps[i]}, &b->arena,
                                &recovery, &b->err),
                     EM_OK);
        assert_int_equal(recovery.items[0].end, EM_RECOVERED_UNDONE);
        check_text(b, "a.txt", i == 0 ? "theirs\n" : old_text);
        check_clean(b);
        bench_close(b);
    }
}

/* Whatever fails, a dry run is refused, and leaves all as it was. */
static void test_a_dry_run_after_the_kill_fails(void **state)
{
    bench *b = *state;
    static const trap_case cases[] = {{"open", "=copies", 0, EIO, EM_E_IO},
                                      {"open", ".emend-", 0, EIO, EM_E_IO},
                                      {"read", "copies", 0, EIO, EM_E_IO},
                                      {"open", "=a.txt", 1, EIO, EM_E_IO}};
    die(b, "2", (trap){.call = "write", .about = "a.txt"});
    scratch_put(b->root, "a.txt", "theirs\n");
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_file file;
        bench_open(b);
        trap *caught = trap_set_case(&b->trap, &cases[i]);
        check_case(b, &cases[i], caught,
                   em_ws_open_file(b->ws, "a.txt", EM_TO_PREVIEW, 0, 0, &file, &b->err));
        bench_close(b);
        bench_disarm(b);
        check_text(b, "a.txt", "theirs\n");
        assert_int_equal(scratch_count(scratch_path(b->state, "copies")), 1);
    }
}

/* It has grown beyond both contents, be it by zeros, as of a part that is not yet written, or is no
 * file any more: only a person can tell. */
static void test_odd_after_the_kill(void **state)
{
    bench *b = *state;
    em_recovery recovery;
    for (int odd = 0; odd < 3; odd++) {
        bench_disarm(b);
        die(b, "2", (trap){.call = "write", .about = "a.txt"});
        if (odd == 0) {
            scratch_put(b->root, "a.txt", "one two three\nand much more than there was\n");
        } else if (odd == 1) {
            assert_int_equal(truncate(scratch_path(b->root, "a.txt"), sizeof old_text), 0);
        } else {
            unlink(scratch_path(b->root, "a.txt"));
            scratch_folder(b->root, "a.txt");
        }
        check_status(
            "ask",
            em_recover(bench_open(b), &(em_recover_options){0}, &b->arena, &recovery, &b->err),
            EM_OK);
        assert_int_equal(recovery.items[0].end, EM_LEFT_TO_PERSON);
        check_status("chosen",
                     em_recover(b->ws, &(em_recover_options){.keep = EM_KEEP_TARGET}, &b->arena,
                                &recovery, &b->err),
                     EM_OK);
        bench_close(b);
    }
    rmdir(scratch_path(b->root, "a.txt"));
}

/* Another file has the name by now. */
static void test_replaced_after_the_kill(void **state)
{
    bench *b = *state;
    die(b, "TWO", (trap){.call = "write", .about = "a.txt"});
    scratch_put(b->root, "editor", "one TWO thrEE\n");
    assert_int_equal(rename(scratch_path(b->root, "editor"), scratch_path(b->root, "a.txt")), 0);
    check_status("next", change(b, "TWO", "x"), EM_E_UNSETTLED);
    check_text(b, "a.txt", "one TWO thrEE\n");
}

/* Nothing can have been written over before the copy was complete. */
static void test_an_incomplete_copy(void **state)
{
    bench *b = *state;
    for (int i = 0; i < 3; i++) {
        die(b, "2", (trap){.call = "write", .about = "a.txt"});
        const char *copies = scratch_path(b->state, "copies");
        em_row row = bench_row(b);
        if (i == 0)
            scratch_put(copies, row.temp, "one t");
        else if (i == 1)
            scratch_put(copies, row.temp, "ONE two three\none 2 three\n");
        else
            scratch_put(copies, row.temp, "one two three\none 3 three\n");
        scratch_put(b->root, "a.txt", "theirs\n");
        check_status("next", change(b, "theirs", "x"), EM_OK);
        check_text(b, "a.txt", "x\n");
        check_clean(b);
        bench_close(b);
    }
}

static void test_recovery_fails(void **state)
{
    bench *b = *state;
    static const struct {
        const char *call, *about;
        int skip;
    } cases[] = {
        {"open", "=a.txt", 0},    {"open", ".emend-", 0}, {"open", "=copies", 0},
        {"open", "=a.txt", 1},    {"read", "copies", 0},  {"read", "copies", 1},
        {"read", "copies", 2},    {"read", "a.txt", 2},   {"open", "=a.txt", 2},
        {"read", "copies", 3},    {"read", "copies", 4},  {"write", "a.txt", 0},
        {"truncate", "a.txt", 0}, {"sync", "a.txt", 0},   {"open", "=a.txt", 3},
        {"unlink", ".emend-", 0},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_recovery recovery;
        die(b, "twenty-two", (trap){.call = "write", .about = "a.txt"});
        scratch_put(b->root, "a.txt", "one twenthree\n");
        trap *caught = trap_set(&b->trap, (trap){.call = cases[i].call,
                                                 .about = cases[i].about,
                                                 .skip = cases[i].skip,
                                                 .error = EIO});
        bench_open(b);
        check_status("recover",
                     em_recover(b->ws, &(em_recover_options){0}, &arena, &recovery, &b->err),
                     EM_OK);
        if (recovery.count != 1 || recovery.items[0].end != EM_LEFT_UNREADABLE ||
            caught->caught != 1)
            fail_msg("case %zu: %s %s: %d", i, cases[i].call, cases[i].about, caught->caught);
        bench_disarm(b);
        check_status("again",
                     em_recover(b->ws, &(em_recover_options){0}, &arena, &recovery, &b->err),
                     EM_OK);
        assert_int_equal(recovery.items[0].end, EM_RECOVERED_UNDONE);
        check_unchanged(b);
        bench_close(b);
    }
}

/* Large contents go through a window. */
static void test_large_files(void **state)
{
    bench *b = *state;
    enum { SIZE = 300000 };
    char *text = malloc(SIZE + 1);
    assert_non_null(text);
    memset(text, 'x', SIZE);
    memcpy(text + 100, "two", 3);
    text[SIZE] = '\0';
    scratch_put(b->root, "a.txt", text);
    close_folder(b);
    bench_die(b, "a.txt", "two", "2", (trap){.call = "write", .about = "a.txt", .error = 1});
    bench_disarm(b);
    check_status("recovery", bench_change(b, "b.txt", NULL, ""), EM_OK);
    em_file file;
    check_status("read", em_ws_open_file(b->ws, "a.txt", EM_TO_READ, 0, 0, &file, &b->err), EM_OK);
    assert_int_equal(file.bytes.len, SIZE);
    assert_memory_equal(file.bytes.ptr, text, SIZE);
    em_file_close(b->ws, &file);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_sizes),
        BENCH_TEST(test_what_is_written),
        BENCH_TEST(test_syncing),
        BENCH_TEST(test_hard_links_stay),
        BENCH_TEST(test_a_backup),
        BENCH_TEST(test_a_backup_is_synced),
        BENCH_TEST(test_for_real),
        BENCH_TEST(test_failures_that_refuse),
        BENCH_TEST(test_a_copy_that_stays),
        BENCH_TEST(test_restoring_fails),
        BENCH_TEST(test_a_copy_that_cannot_be_removed),
        BENCH_TEST(test_replaced_meanwhile),
        BENCH_TEST(test_written_before_the_stamp),
        BENCH_TEST(test_written_meanwhile),
        BENCH_TEST(test_looking_for_others_fails),
        BENCH_TEST(test_killed),
        BENCH_TEST(test_killed_with_a_backup),
        BENCH_TEST(test_a_removed_backup_is_synced),
        BENCH_TEST(test_a_backup_fails),
        BENCH_TEST(test_half_written),
        BENCH_TEST(test_changed_after_the_kill),
        BENCH_TEST(test_a_dry_run_after_the_kill_fails),
        BENCH_TEST(test_odd_after_the_kill),
        BENCH_TEST(test_replaced_after_the_kill),
        BENCH_TEST(test_an_incomplete_copy),
        BENCH_TEST(test_recovery_fails),
        BENCH_TEST(test_large_files),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

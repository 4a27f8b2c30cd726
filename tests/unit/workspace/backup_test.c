#include "workspace/backup.h"

#include "bench.h"

#include "workspace/opening.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const char old_text[] = "one two three\n", new_text[] = "one 2 three\n";

static em_status change(bench *b)
{
    return bench_backup_change(b, "a.txt", "two", "2");
}

static uint64_t inode(const bench *b, const char *name)
{
    struct stat st;
    assert_int_equal(stat(scratch_path(b->root, name), &st), 0);
    return st.st_ino;
}

/* ---- The name ------------------------------------------------------------------------------ */

/* The old file itself becomes the backup. */
static void test_a_backup(void **state)
{
    bench *b = *state;
    uint64_t was = inode(b, "a.txt");
    check_status("change", change(b), EM_OK);
    check_text(b, "a.txt", new_text);
    check_text(b, "a.txt.bak", old_text);
    assert_int_equal(inode(b, "a.txt.bak"), was);
    assert_string_equal(b->report.backup_path, "a.txt.bak");
    assert_string_equal(bench_row(b).backup, "a.txt.bak");
    check_clean(b);
}

static void test_the_next_name(void **state)
{
    bench *b = *state;
    scratch_folder(b->root, "sub");
    scratch_put(b->root, "sub/b", "0");
    for (int i = 0; i < 4; i++) {
        static const char *const names[] = {"sub/b.bak", "sub/b.bak1", "sub/b.bak2", "sub/b.bak3"};
        char was[2] = {(char)('0' + i), 0}, now[2] = {(char)('1' + i), 0};
        check_status("change", bench_backup_change(b, "sub/b", was, now), EM_OK);
        assert_string_equal(b->report.backup_path, names[i]);
        check_text(b, names[i], was);
    }
}

/* A dangling link is a name too. */
static void test_a_name_that_is_a_link(void **state)
{
    bench *b = *state;
    scratch_link(b->root, "a.txt.bak", "nowhere");
    check_status("change", change(b), EM_OK);
    assert_string_equal(b->report.backup_path, "a.txt.bak1");
}

static void test_names_that_cannot_be(void **state)
{
    bench *b = *state;
    char longest[256];
    memset(longest, 'x', 255);
    longest[255] = '\0';
    scratch_put(b->root, longest, "two");
    check_status("too long", bench_backup_change(b, longest, "two", "2"), EM_E_PATH);
    check_text(b, longest, "two");

    static const char *const allow[] = {"*.txt"};
    bench_close(b);
    b->options.allow = allow;
    b->options.allow_count = 1;
    check_status("not allowed", change(b), EM_E_DENIED);
    check_detail(b, "its backup a.txt.bak is not among what --allow names; without a backup");
    check_text(b, "a.txt", old_text);
    bench_close(b);
    b->options.allow_count = 0;
    trap_set(&b->trap, (trap){.call = "stat", .about = ".bak", .error = EIO});
    check_status("unknown", change(b), EM_E_IO);
    check_clean(b);
}

/* Would there be a name? The folder of a file that waits among others is opened again. */
static void test_asking_for_a_name(void **state)
{
    bench *b = *state;
    em_file file;
    const em_change what = {.backup = true};
    check_status("open",
                 em_ws_open_file(bench_open(b), "a.txt", EM_TO_PREVIEW, 0, 0, &file, &b->err),
                 EM_OK);
    em_file_park(b->ws, &file);
    check_status("asked", em_ws_check_change(b->ws, &file, &what, &b->err), EM_OK);
    trap_set(&b->trap, (trap){.call = "open", .about = "", .error = EMFILE});
    check_status("no folder", em_ws_check_change(b->ws, &file, &what, &b->err), EM_E_IO);
    em_file_close(b->ws, &file);
    check_clean(b);
}

static void test_a_new_file_has_no_backup(void **state)
{
    bench *b = *state;
    check_status("create", bench_backup_change(b, "new", NULL, "text"), EM_OK);
    assert_null(b->report.backup_path);
    assert_false(scratch_has(b->root, "new.bak"));
}

/* ---- After an exchange --------------------------------------------------------------------- */

static void take_the_name(void *context)
{
    bench *b = context;
    scratch_put(b->root, "a.txt.bak", "theirs");
}

static void test_a_name_that_is_taken_meanwhile(void **state)
{
    bench *b = *state;
    static const char *const calls[] = {"move", "link"};
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        bench_disarm(b);
        scratch_put(b->root, "a.txt", old_text);
        if (i == 1)
            trap_set(&b->trap,
                     (trap){.call = "exchange", .about = "", .times = -1, .error = EINVAL});
        trap_set(&b->trap,
                 (trap){.call = calls[i], .about = ".bak", .hook = take_the_name, .context = b});
        check_status("change", change(b), EM_OK);
        check_text(b, "a.txt.bak", "theirs");
        check_text(b, "a.txt.bak1", old_text);
        assert_string_equal(b->report.backup_path, "a.txt.bak1");
        assert_string_equal(bench_row(b).backup, "a.txt.bak1");
        check_clean(b);
        unlink(scratch_path(b->root, "a.txt.bak"));
        unlink(scratch_path(b->root, "a.txt.bak1"));
    }
}

static void test_a_move_that_fails(void **state)
{
    bench *b = *state;
    trap_set(&b->trap, (trap){.call = "move", .about = ".bak", .error = EIO});
    check_status("refused", change(b), EM_E_IO);
    check_text(b, "a.txt", old_text);
    assert_false(scratch_has(b->root, "a.txt.bak"));
    check_clean(b);

    bench_disarm(b);
    trap_set(&b->trap,
             (trap){.call = "move", .about = ".bak", .hook = take_the_name, .context = b});
    trap_set(&b->trap, (trap){.call = "stat", .about = ".bak1", .error = EIO});
    check_status("no other name", change(b), EM_E_IO);
    check_text(b, "a.txt", old_text);
    check_clean(b);
}

static void move_it(void *context)
{
    bench *b = context;
    const char *stray = bench_stray(b, ".");
    assert_int_equal(rename(scratch_path(b->root, stray), scratch_path(b->root, "a.txt.bak")), 0);
}

static void test_a_move_that_only_seems_to_fail(void **state)
{
    bench *b = *state;
    trap_set(&b->trap,
             (trap){.call = "move", .about = ".bak", .hook = move_it, .context = b, .error = EIO});
    check_status("change", change(b), EM_OK);
    check_text(b, "a.txt.bak", old_text);
    check_clean(b);
}

/* ---- A file with other names --------------------------------------------------------------- */

static void link_it(bench *b)
{
    bench_disarm(b);
    scratch_put(b->root, "a.txt", old_text);
    unlink(scratch_path(b->root, "other"));
    unlink(scratch_path(b->root, "a.txt.bak"));
    assert_int_equal(link(scratch_path(b->root, "a.txt"), scratch_path(b->root, "other")), 0);
}

/* What is written by the other name does not go to the backup. */
static void check_apart(bench *b)
{
    assert_int_not_equal(inode(b, "a.txt.bak"), inode(b, "other"));
    check_text(b, "other", old_text);
    check_text(b, "a.txt.bak", old_text);
    check_clean(b);
}

static void test_a_hard_link_is_copied(void **state)
{
    bench *b = *state;
    for (int exchanged = 0; exchanged < 2; exchanged++) {
        link_it(b);
        assert_int_equal(chmod(scratch_path(b->root, "a.txt"), 0640), 0);
        if (!exchanged)
            trap_set(&b->trap,
                     (trap){.call = "exchange", .about = "", .times = -1, .error = EINVAL});
        check_status("change", change(b), EM_OK);
        check_text(b, "a.txt", new_text);
        check_apart(b);
        struct stat st;
        assert_int_equal(stat(scratch_path(b->root, "a.txt.bak"), &st), 0);
        assert_int_equal(st.st_mode & 07777, 0640);
    }
}

static void write_by_the_other_name(void *context)
{
    bench *b = context;
    int fd = open(scratch_path(b->root, "other"), O_WRONLY | O_APPEND | O_CLOEXEC);
    assert_int_equal(write(fd, "more", 4), 4);
    close(fd);
}

static void test_a_hard_link_that_is_written_to(void **state)
{
    bench *b = *state;
    link_it(b);
    trap_set(&b->trap, (trap){.call = "open",
                              .about = "O_TMPFILE",
                              .skip = 1,
                              .hook = write_by_the_other_name,
                              .context = b});
    check_status("change", change(b), EM_E_CONFLICT);
    check_text(b, "a.txt", "one two three\nmore");
    assert_int_equal(inode(b, "a.txt"), inode(b, "other"));
    assert_false(scratch_has(b->root, "a.txt.bak"));
    check_clean(b);
}

/* As long as it is copied it goes on growing: the copy has an end. */
static void test_a_hard_link_that_grows(void **state)
{
    bench *b = *state;
    link_it(b);
    trap_set(&b->trap, (trap){.call = "write",
                              .about = "root",
                              .skip = 1,
                              .times = -1,
                              .hook = write_by_the_other_name,
                              .context = b});
    check_status("change", change(b), EM_E_CONFLICT);
    assert_int_equal(inode(b, "a.txt"), inode(b, "other"));
    assert_false(scratch_has(b->root, "a.txt.bak"));
    check_clean(b);
}

static void give_it_the_name(void *context)
{
    bench *b = context;
    assert_int_equal(link(scratch_path(b->root, "other"), scratch_path(b->root, "a.txt.bak")), 0);
}

/* A link to the old file, under the name of the backup, is not the backup. */
static void test_a_hard_link_whose_backup_is_one(void **state)
{
    bench *b = *state;
    link_it(b);
    trap_set(&b->trap,
             (trap){.call = "exchange", .about = "", .hook = give_it_the_name, .context = b});
    check_status("change", change(b), EM_OK);
    check_text(b, "a.txt.bak1", old_text);
    assert_int_equal(inode(b, "a.txt.bak"), inode(b, "other"));
    assert_int_not_equal(inode(b, "a.txt.bak1"), inode(b, "other"));
    unlink(scratch_path(b->root, "a.txt.bak1"));
    check_clean(b);
}

/* Where the system has no unnamed files, the copy goes with its name. */
static void test_copying_a_hard_link_under_its_name_fails(void **state)
{
    bench *b = *state;
    link_it(b);
    trap_set(&b->trap,
             (trap){.call = "open", .about = "O_TMPFILE", .times = -1, .error = EOPNOTSUPP});
    trap_set(&b->trap, (trap){.call = "write", .about = ".bak", .error = ENOSPC});
    check_status("change", change(b), EM_E_IO);
    check_text(b, "a.txt", old_text);
    assert_false(scratch_has(b->root, "a.txt.bak"));
    check_clean(b);
}

static void test_copying_a_hard_link_fails(void **state)
{
    bench *b = *state;
    static const trap traps[] = {
        {.call = "open", .about = "O_TMPFILE", .skip = 1, .error = EIO},
        {.call = "open", .about = "=a.txt.bak", .error = EIO},
        {.call = "open", .about = ".emend-", .error = EIO},
        {.call = "write", .about = "root", .skip = 1, .error = ENOSPC},
        {.call = "read", .about = "a.txt", .skip = 1, .error = EIO},
        {.call = "link", .about = ".bak", .error = EIO},
        {.call = "unlink", .about = ".emend-", .error = EIO},
    };
    for (size_t i = 0; i < COUNT_OF(traps); i++) {
        link_it(b);
        const trap *caught = trap_set(&b->trap, traps[i]);
        check_status(traps[i].call, change(b), EM_E_IO);
        assert_int_equal(caught->caught, 1);
        check_text(b, "a.txt", old_text);
        assert_int_equal(inode(b, "a.txt"), inode(b, "other"));
        assert_false(scratch_has(b->root, "a.txt.bak"));
        check_clean(b);
    }
}

/* ---- Beforehand ---------------------------------------------------------------------------- */

static void no_exchange(bench *b)
{
    bench_disarm(b);
    scratch_put(b->root, "a.txt", old_text);
    unlink(scratch_path(b->root, "a.txt.bak"));
    trap_set(&b->trap, (trap){.call = "exchange", .about = "", .times = -1, .error = EINVAL});
}

static void test_linked(void **state)
{
    bench *b = *state;
    no_exchange(b);
    uint64_t was = inode(b, "a.txt");
    check_status("change", change(b), EM_OK);
    check_text(b, "a.txt", new_text);
    check_text(b, "a.txt.bak", old_text);
    assert_int_equal(inode(b, "a.txt.bak"), was);

    no_exchange(b);
    trap_set(&b->trap, (trap){.call = "replace", .about = "", .error = EIO});
    check_status("taken back", change(b), EM_E_IO);
    check_text(b, "a.txt", old_text);
    assert_false(scratch_has(b->root, "a.txt.bak"));
    check_clean(b);

    no_exchange(b);
    trap_set(&b->trap, (trap){.call = "link", .about = ".bak", .error = ENOSPC});
    check_status("not linked", change(b), EM_E_IO);
    check_text(b, "a.txt", old_text);
    check_clean(b);
}

/* Where a file cannot have two names it is copied. */
static void test_copied(void **state)
{
    bench *b = *state;
    static const int errors[] = {EPERM, EMLINK, EOPNOTSUPP};
    b->options.sync = EM_SYNC_DATA;
    for (size_t i = 0; i < COUNT_OF(errors); i++) {
        no_exchange(b);
        uint64_t was = inode(b, "a.txt");
        trap_set(&b->trap, (trap){.call = "link", .about = ".bak", .error = errors[i]});
        check_status("change", change(b), EM_OK);
        check_text(b, "a.txt", new_text);
        check_text(b, "a.txt.bak", old_text);
        assert_int_not_equal(inode(b, "a.txt.bak"), was);
        check_clean(b);
    }
}

static void test_copying_fails(void **state)
{
    bench *b = *state;
    static const struct {
        const char *call, *about;
        int skip;
    } cases[] = {
        {"open", "O_TMPFILE", 1}, {"write", "root", 1}, {"sync", "root", 1},
        {"listxattr", "root", 1}, {"link", ".bak", 1},
    };
    b->options.sync = EM_SYNC_DATA;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        no_exchange(b);
        trap_set(&b->trap, (trap){.call = "link", .about = ".bak", .error = EPERM});
        trap *caught = trap_set(
            &b->trap,
            (trap){.call = cases[i].call,
                   .about = cases[i].about,
                   .skip = cases[i].call[1] == 'i' && cases[i].about[0] == '.' ? 0 : cases[i].skip,
                   .error = EIO});
        check_status(cases[i].call, change(b), EM_E_IO);
        assert_int_equal(caught->caught, 1);
        check_text(b, "a.txt", old_text);
        assert_false(scratch_has(b->root, "a.txt.bak"));
        check_clean(b);
    }
}

/* The same where nothing is synced. */
static void test_no_room_for_a_copy(void **state)
{
    bench *b = *state;
    no_exchange(b);
    trap_set(&b->trap, (trap){.call = "link", .about = ".bak", .error = EPERM});
    trap *caught =
        trap_set(&b->trap, (trap){.call = "flush", .about = "root", .skip = 1, .error = EDQUOT});
    check_status("change", change(b), EM_E_IO);
    assert_int_equal(caught->caught, 1);
    check_text(b, "a.txt", old_text);
    assert_false(scratch_has(b->root, "a.txt.bak"));
    check_clean(b);
}

static void test_copied_under_its_name(void **state)
{
    bench *b = *state;
    no_exchange(b);
    trap_set(&b->trap, (trap){.call = "link", .about = ".bak", .error = EPERM});
    trap_set(&b->trap,
             (trap){.call = "open", .about = "O_TMPFILE", .times = -1, .error = EOPNOTSUPP});
    check_status("change", change(b), EM_OK);
    check_text(b, "a.txt.bak", old_text);
    check_clean(b);

    no_exchange(b);
    trap_set(&b->trap, (trap){.call = "link", .about = ".bak", .error = EPERM});
    trap_set(&b->trap,
             (trap){.call = "open", .about = "O_TMPFILE", .times = -1, .error = EOPNOTSUPP});
    trap_set(&b->trap, (trap){.call = "write", .about = ".bak", .error = ENOSPC});
    check_status("no room", change(b), EM_E_IO);
    assert_false(scratch_has(b->root, "a.txt.bak"));
    check_clean(b);
}

static void test_a_copy_whose_name_is_taken(void **state)
{
    bench *b = *state;
    no_exchange(b);
    trap_set(&b->trap, (trap){.call = "link", .about = ".bak", .error = EPERM});
    trap_set(&b->trap,
             (trap){.call = "link", .about = ".bak", .hook = take_the_name, .context = b});
    check_status("change", change(b), EM_OK);
    check_text(b, "a.txt.bak", "theirs");
    check_text(b, "a.txt.bak1", old_text);
}

static void test_a_copy_under_a_name_that_is_taken(void **state)
{
    bench *b = *state;
    no_exchange(b);
    trap_set(&b->trap, (trap){.call = "link", .about = ".bak", .error = EPERM});
    trap_set(&b->trap,
             (trap){.call = "open", .about = "O_TMPFILE", .times = -1, .error = EOPNOTSUPP});
    trap_set(&b->trap,
             (trap){.call = "open", .about = "=a.txt.bak", .hook = take_the_name, .context = b});
    check_status("change", change(b), EM_OK);
    check_text(b, "a.txt.bak", "theirs");
    check_text(b, "a.txt.bak1", old_text);
    assert_string_equal(b->report.backup_path, "a.txt.bak1");
    assert_string_equal(bench_row(b).backup, "a.txt.bak1");
    check_clean(b);
}

/* ---- Taking back --------------------------------------------------------------------------- */

static void replace_the_backup(void *context)
{
    bench *b = context;
    scratch_put(b->root, "saved", "theirs");
    assert_int_equal(rename(scratch_path(b->root, "saved"), scratch_path(b->root, "a.txt.bak")), 0);
}

/* What somebody has saved under the name of the backup is not taken back with the change. */
static void test_a_backup_that_is_replaced_stays(void **state)
{
    bench *b = *state;
    for (int copied = 0; copied < 2; copied++) {
        no_exchange(b);
        if (copied)
            trap_set(&b->trap, (trap){.call = "link", .about = ".bak", .error = EPERM});
        trap_set(&b->trap, (trap){.call = "replace",
                                  .about = "",
                                  .hook = replace_the_backup,
                                  .context = b,
                                  .error = EIO});
        check_status("change", change(b), EM_E_IO);
        check_text(b, "a.txt", old_text);
        check_text(b, "a.txt.bak", "theirs");
        check_clean(b);
    }
}

static void remove_the_backup(void *context)
{
    bench *b = context;
    assert_int_equal(unlink(scratch_path(b->root, "a.txt.bak")), 0);
}

static void test_a_backup_that_is_gone(void **state)
{
    bench *b = *state;
    no_exchange(b);
    trap_set(
        &b->trap,
        (trap){
            .call = "replace", .about = "", .hook = remove_the_backup, .context = b, .error = EIO});
    check_status("change", change(b), EM_E_IO);
    check_text(b, "a.txt", old_text);
    check_clean(b);
}

static void look_at_nothing(void *context)
{
    bench *b = context;
    replace_the_backup(b);
    trap_set(&b->trap, (trap){.call = "stat", .about = "=a.txt", .error = EIO});
}

/* What has the name of the backup is not known to be ours then. */
static void test_a_target_that_cannot_be_looked_at(void **state)
{
    bench *b = *state;
    no_exchange(b);
    trap_set(
        &b->trap,
        (trap){
            .call = "replace", .about = "", .hook = look_at_nothing, .context = b, .error = EIO});
    check_status("change", change(b), EM_E_IO);
    check_text(b, "a.txt", old_text);
    check_text(b, "a.txt.bak", "theirs");
    check_clean(b);
}

static void save_the_target(void *context)
{
    bench *b = context;
    scratch_put(b->root, "saved", "foreign");
    assert_int_equal(rename(scratch_path(b->root, "saved"), scratch_path(b->root, "a.txt")), 0);
}

/* A save in the moment of the link has two names then; one is enough. */
static void test_a_backup_of_a_foreign_save(void **state)
{
    bench *b = *state;
    no_exchange(b);
    trap_set(&b->trap,
             (trap){.call = "link", .about = ".bak", .hook = save_the_target, .context = b});
    trap_set(&b->trap, (trap){.call = "replace", .about = "", .error = EIO});
    check_status("change", change(b), EM_E_IO);
    check_text(b, "a.txt", "foreign");
    assert_false(scratch_has(b->root, "a.txt.bak"));
    check_clean(b);
}

static void remove_stray(void *context)
{
    bench *b = context;
    const char *stray = bench_stray(b, ".");
    assert_non_null(stray);
    assert_int_equal(unlink(scratch_path(b->root, stray)), 0);
}

/* What was to become the backup is removed by somebody: the change is made, and that is told. */
static void test_what_was_to_be_the_backup_is_removed(void **state)
{
    bench *b = *state;
    trap_set(&b->trap,
             (trap){.call = "exchange", .about = "", .after = remove_stray, .context = b});
    check_status("change", change(b), EM_OK);
    check_text(b, "a.txt", new_text);
    assert_false(scratch_has(b->root, "a.txt.bak"));
    assert_null(b->report.backup_path);
    assert_true(bench_warned(b, "there is no backup"));
    check_clean(b);
}

static void test_a_backup_that_cannot_be_taken_back(void **state)
{
    bench *b = *state;
    static const char *const calls[] = {"stat", "unlink"};
    for (size_t i = 0; i < COUNT_OF(calls); i++) {
        no_exchange(b);
        trap_set(&b->trap, (trap){.call = "replace", .about = "", .error = EIO});
        trap_set(
            &b->trap,
            (trap){.call = calls[i], .about = ".bak", .skip = i == 0 ? 1 : 0, .error = EACCES});
        check_status("change", change(b), EM_E_IO);
        check_text(b, "a.txt", old_text);
        check_text(b, "a.txt.bak", old_text);
        check_detail(b, "the backup a.txt.bak is left");
        check_clean(b);
    }
    no_exchange(b);
    trap_set(&b->trap, (trap){.call = "link", .about = ".bak", .error = EPERM});
    trap_set(&b->trap,
             (trap){.call = "open", .about = "O_TMPFILE", .times = -1, .error = EOPNOTSUPP});
    trap_set(&b->trap, (trap){.call = "stat", .about = "$.bak", .error = EIO});
    check_status("not looked at", change(b), EM_E_IO);
    assert_false(scratch_has(b->root, "a.txt.bak"));
    check_clean(b);
}

/* ---- Recovery ------------------------------------------------------------------------------ */

static void recover(bench *b)
{
    bench_disarm(b);
    check_status("recovery", bench_change(b, "a.txt", "three", "three"), EM_OK);
    check_clean(b);
}

static void test_killed_with_a_backup(void **state)
{
    bench *b = *state;
    bench_die(b, "a.txt", "two", "2 backup", (trap){.call = "move", .about = ".bak"});
    recover(b);
    check_text(b, "a.txt", "one 2 backup three\n");
    check_text(b, "a.txt.bak", old_text);
}

/* The copy is there, and recovery makes no other one. */
static void test_killed_after_a_copy(void **state)
{
    bench *b = *state;
    link_it(b);
    bench_die(b, "a.txt", "two", "2 backup", (trap){.call = "unlink", .about = ".emend-"});
    check_text(b, "a.txt.bak", old_text);
    recover(b);
    check_text(b, "a.txt", "one 2 backup three\n");
    check_apart(b);
    assert_false(scratch_has(b->root, "a.txt.bak1"));
}

static void test_killed_after_the_link(void **state)
{
    bench *b = *state;
    no_exchange(b);
    bench_die(b, "a.txt", "two", "2 backup", (trap){.call = "replace", .about = ""});
    assert_true(scratch_has(b->root, "a.txt.bak"));
    recover(b);
    check_text(b, "a.txt", old_text);
    assert_false(scratch_has(b->root, "a.txt.bak"));
}

/* What somebody else has put under the name of the backup stays. */
static void test_undoing_spares_others(void **state)
{
    bench *b = *state;
    em_row row = {.backup = "a.txt.bak", .old_hash = em_hash_of(EM_LIT("one two three\n"))};
    em_look target;
    int dir = open(b->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    scratch_put(b->root, "a.txt.bak", "theirs");
    check_status(
        "look", em_look_at((em_entry){&em_sys_native, dir, "a.txt", "a"}, &target, &b->err), EM_OK);
    check_status("undo", em_backup_undo(&em_sys_native, dir, &target, &row, &b->err), EM_OK);
    check_text(b, "a.txt.bak", "theirs");
    trap_set(&b->trap, (trap){.call = "open", .about = ".bak", .error = EIO});
    check_status("fails", em_backup_undo(&b->trap.sys, dir, &target, &row, &b->err), EM_E_IO);
    row.backup = NULL;
    check_status("none", em_backup_undo(&em_sys_native, dir, &target, &row, &b->err), EM_OK);
    close(dir);
}

/* ---- What few meet ------------------------------------------------------------------------- */

/* Who wants to know no more than whether it was done. */
static void test_nobody_reads_the_error(void **state)
{
    bench *b = *state;
    em_file file;
    em_splice splice = {4, 3, EM_LIT("2")};
    em_change what = {.splices = {&splice, 1}, .backup = true};
    no_exchange(b);
    trap_set(&b->trap, (trap){.call = "link", .about = ".bak", .error = EPERM});
    trap_set(&b->trap,
             (trap){.call = "open", .about = "O_TMPFILE", .times = -1, .error = EOPNOTSUPP});
    trap_set(&b->trap, (trap){.call = "open", .about = "=a.txt.bak", .error = EIO});
    check_status(
        "open", em_ws_open_file(bench_open(b), "a.txt", EM_TO_CHANGE, 0, 0, &file, &b->err), EM_OK);
    check_status("change", em_ws_commit(b->ws, &file, &what, &b->arena, &b->report, NULL), EM_E_IO);
    em_file_close(b->ws, &file);
    check_text(b, "a.txt", old_text);
    assert_false(scratch_has(b->root, "a.txt.bak"));
    check_clean(b);
}

static void test_too_many_backups(void **state)
{
    bench *b = *state;
    char name[32] = "a.txt.bak";
    for (int i = 1; i <= 10000; i++) {
        int fd = open(scratch_path(b->root, name), O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
        assert_true(fd >= 0);
        close(fd);
        snprintf(name, sizeof name, "a.txt.bak%d", i);
    }
    check_status("change", change(b), EM_E_IO);
    check_detail(b, "too many backups");
    check_text(b, "a.txt", old_text);
}

/* The name is taken meanwhile, and whether the next one is free cannot be seen. */
static void test_no_other_name(void **state)
{
    bench *b = *state;
    for (int copied = 0; copied < 2; copied++) {
        bench_disarm(b);
        trap_set(&b->trap, (trap){.call = "exchange", .about = "", .error = EINVAL});
        if (copied)
            trap_set(&b->trap, (trap){.call = "link", .about = ".bak", .error = EPERM});
        trap_set(&b->trap,
                 (trap){.call = "link", .about = ".bak", .hook = take_the_name, .context = b});
        trap_set(&b->trap, (trap){.call = "stat", .about = ".bak1", .error = EIO});
        check_status("change", change(b), EM_E_IO);
        check_text(b, "a.txt", old_text);
        check_text(b, "a.txt.bak", "theirs");
        unlink(scratch_path(b->root, "a.txt.bak"));
    }
}

static void test_a_copy_that_cannot_be_made(void **state)
{
    bench *b = *state;
    trap_set(&b->trap, (trap){.call = "exchange", .about = "", .error = EINVAL});
    trap_set(&b->trap, (trap){.call = "link", .about = ".bak", .error = EPERM});
    trap_set(&b->trap, (trap){.call = "open", .about = "O_TMPFILE", .times = -1, .error = EINVAL});
    trap_set(&b->trap, (trap){.call = "open", .about = "a.txt.bak", .error = ENOSPC});
    check_status("change", change(b), EM_E_IO);
    check_text(b, "a.txt", old_text);
    assert_false(scratch_has(b->root, "a.txt.bak"));
}

/* Undone after a kill: a backup that is the only old content stays. */
static void test_a_backup_that_is_needed_stays(void **state)
{
    bench *b = *state;
    em_look target = {.exists = true, .regular = true, .hash = em_hash_of(EM_LIT("theirs"))};
    em_row row = {.backup = "a.txt.bak", .old_hash = em_hash_of(em_slice_of(old_text))};
    int dir = open(b->root, O_PATH | O_DIRECTORY | O_CLOEXEC);
    scratch_put(b->root, "a.txt.bak", old_text);
    check_status("theirs", em_backup_undo(&em_sys_native, dir, &target, &row, &b->err), EM_OK);
    assert_true(scratch_has(b->root, "a.txt.bak"));
    target.hash = row.old_hash;
    check_status("old", em_backup_undo(&em_sys_native, dir, &target, &row, &b->err), EM_OK);
    assert_false(scratch_has(b->root, "a.txt.bak"));
    close(dir);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_a_backup),
        BENCH_TEST(test_the_next_name),
        BENCH_TEST(test_a_name_that_is_a_link),
        BENCH_TEST(test_names_that_cannot_be),
        BENCH_TEST(test_asking_for_a_name),
        BENCH_TEST(test_a_new_file_has_no_backup),
        BENCH_TEST(test_a_name_that_is_taken_meanwhile),
        BENCH_TEST(test_a_move_that_fails),
        BENCH_TEST(test_a_move_that_only_seems_to_fail),
        BENCH_TEST(test_a_hard_link_is_copied),
        BENCH_TEST(test_a_hard_link_that_is_written_to),
        BENCH_TEST(test_a_hard_link_that_grows),
        BENCH_TEST(test_a_hard_link_whose_backup_is_one),
        BENCH_TEST(test_copying_a_hard_link_under_its_name_fails),
        BENCH_TEST(test_copying_a_hard_link_fails),
        BENCH_TEST(test_a_backup_that_is_gone),
        BENCH_TEST(test_a_target_that_cannot_be_looked_at),
        BENCH_TEST(test_nobody_reads_the_error),
        BENCH_TEST(test_killed_after_a_copy),
        BENCH_TEST(test_linked),
        BENCH_TEST(test_copied),
        BENCH_TEST(test_copying_fails),
        BENCH_TEST(test_no_room_for_a_copy),
        BENCH_TEST(test_copied_under_its_name),
        BENCH_TEST(test_a_copy_whose_name_is_taken),
        BENCH_TEST(test_a_copy_under_a_name_that_is_taken),
        BENCH_TEST(test_a_backup_that_is_replaced_stays),
        BENCH_TEST(test_a_backup_of_a_foreign_save),
        BENCH_TEST(test_what_was_to_be_the_backup_is_removed),
        BENCH_TEST(test_a_backup_that_cannot_be_taken_back),
        BENCH_TEST(test_killed_with_a_backup),
        BENCH_TEST(test_killed_after_the_link),
        BENCH_TEST(test_undoing_spares_others),
        BENCH_TEST(test_too_many_backups),
        BENCH_TEST(test_no_other_name),
        BENCH_TEST(test_a_copy_that_cannot_be_made),
        BENCH_TEST(test_a_backup_that_is_needed_stays),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

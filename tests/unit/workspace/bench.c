#include "bench.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

enum { DIED = 42, NOBODY = 65534 };

/* ---- Setting up ---------------------------------------------------------------------------- */

int bench_setup(void **state)
{
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->descriptors = scratch_descriptors();
    scratch_new_in_memory(b->base);
    scratch_folder(b->base, "root");
    strcpy(b->root, scratch_path(b->base, "root"));
    strcpy(b->state, scratch_path(b->base, "state"));
    scratch_put(b->root, "a.txt", "one two three\n");
    trap_sys_init(&b->trap);
    b->roots[0] = b->root;
    b->options = (em_ws_options){.roots = b->roots,
                                 .root_count = 1,
                                 .state_dir = b->state,
                                 .sync = EM_SYNC_OFF,
                                 .lock_timeout_ms = 50,
                                 .sys = &b->trap.sys};
    b->err = EM_ERROR_INIT;
    *state = b;
    return 0;
}

int bench_teardown(void **state)
{
    bench *b = *state;
    bench_close(b);
    em_arena_drop(&b->arena);
    scratch_drop(b->base);
    assert_int_equal(scratch_descriptors(), b->descriptors);
    free(b);
    return 0;
}

em_workspace *bench_open(bench *b)
{
    if (!b->ws)
        check_status("open", em_ws_open(&b->options, &b->ws, &b->err), EM_OK);
    return b->ws;
}

void bench_close(bench *b)
{
    em_ws_free(b->ws);
    b->ws = NULL;
}

void bench_disarm(bench *b)
{
    b->trap.count = 0;
}

/* ---- Changing ------------------------------------------------------------------------------ */

static em_status change(bench *b, const char *path, const char *old, const char *new, bool backup)
{
    em_file file;
    em_splice splice = {.insert = em_slice_of(new)};
    b->err = EM_ERROR_INIT;
    b->report = (em_commit_report){0};
    bench_open(b);
    EM_TRY(
        em_ws_open_file(b->ws, path, EM_TO_CHANGE, old ? 0 : EM_MAY_BE_MISSING, 0, &file, &b->err));
    assert_int_equal(file.exists, old != NULL);
    if (old && old[0]) {
        const char *at = memmem(file.bytes.ptr, file.bytes.len, old, strlen(old));
        assert_non_null(at);
        splice.offset = (size_t)(at - file.bytes.ptr);
        splice.length = strlen(old);
    }
    em_change what = {
        .splices = {.items = &splice, .count = 1},
        .origin = {.tool = "tool", .client = "client", .session = "session", .call = "call"},
        .backup = backup};
    em_status status = em_ws_commit(b->ws, &file, &what, &b->arena, &b->report, &b->err);
    em_file_close(b->ws, &file);
    return status;
}

em_status bench_change(bench *b, const char *path, const char *old, const char *new)
{
    return change(b, path, old, new, false);
}

em_status bench_backup_change(bench *b, const char *path, const char *old, const char *new)
{
    return change(b, path, old, new, true);
}

static void die(void *unused)
{
    (void)unused;
    _exit(DIED);
}

void bench_die(bench *b, const char *path, const char *old, const char *new, trap where)
{
    bench_close(b);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (where.error) /* dies after the call, which a failure stands for */
            where.error = 0, where.after = die;
        else
            where.hook = die;
        trap_set(&b->trap, where);
        change(b, path, old, new, strstr(new, "backup") != NULL);
        bench_close(b);
        _exit(0);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    assert_int_equal(WEXITSTATUS(status), DIED);
}

/* ---- Looking ------------------------------------------------------------------------------- */

const char *bench_text(bench *b, const char *path)
{
    FILE *file = fopen(scratch_path(b->root, path), "re");
    if (!file)
        return NULL;
    char *text = em_alloc(&b->arena, 1 << 16);
    assert_non_null(text);
    fread(text, 1, (1 << 16) - 1, file);
    fclose(file);
    return text;
}

void check_text(bench *b, const char *path, const char *want)
{
    const char *have = bench_text(b, path);
    assert_non_null(have);
    assert_string_equal(have, want);
}

const char *bench_stray(bench *b, const char *folder)
{
    const char *found = NULL;
    DIR *dir = opendir(scratch_path(b->root, folder));
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));) {
        if (strncmp(entry->d_name, ".emend-", 7) == 0)
            found = em_arena_string(&b->arena, em_slice_of(entry->d_name));
    }
    closedir(dir);
    return found;
}

void bench_copy_up(bench *b, const char *path, const char *content)
{
    struct stat was;
    assert_int_equal(stat(scratch_path(b->root, path), &was), 0);
    scratch_put(b->root, "copy", content);
    assert_int_equal(chmod(scratch_path(b->root, "copy"), was.st_mode & 07777), 0);
    const struct timespec times[] = {was.st_atim, was.st_mtim};
    assert_int_equal(utimensat(AT_FDCWD, scratch_path(b->root, "copy"), times, 0), 0);
    assert_int_equal(rename(scratch_path(b->root, "copy"), scratch_path(b->root, path)), 0);
}

int bench_strays(bench *b, const char *folder)
{
    int count = 0;
    DIR *dir = opendir(scratch_path(b->root, folder));
    assert_non_null(dir);
    for (struct dirent *entry; (entry = readdir(dir));)
        count += strncmp(entry->d_name, ".emend-", 7) == 0;
    closedir(dir);
    return count;
}

static em_history *history_open(bench *b)
{
    em_history *history;
    em_history_options options = {.folder = b->state, .sync = EM_SYNC_OFF, .timeout_ms = 1000};
    check_status("history", em_history_open(&em_sys_native, &options, &history, &b->err), EM_OK);
    return history;
}

/* A query that gives one number; -1 where there is no history. */
static int64_t number(bench *b, const char *sql)
{
    sqlite3 *db;
    sqlite3_stmt *stmt;
    int64_t value = -1;
    if (!scratch_has(b->state, EM_HISTORY_NAME))
        return -1;
    assert_int_equal(sqlite3_open(scratch_path(b->state, EM_HISTORY_NAME), &db), SQLITE_OK);
    if (sqlite3_prepare_v2(db, sql, -1, &stmt, NULL) == SQLITE_OK &&
        sqlite3_step(stmt) == SQLITE_ROW)
        value = sqlite3_column_int64(stmt, 0);
    sqlite3_finalize(stmt);
    sqlite3_close(db);
    return value;
}

em_row bench_row(bench *b)
{
    em_row row = {.id = number(b, "SELECT max(id) FROM commits")};
    if (row.id <= 0)
        return (em_row){0};
    row.token = (uint64_t)number(b, "SELECT token FROM commits ORDER BY id DESC LIMIT 1");
    em_history *history = history_open(b);
    check_status("row", em_history_reread(history, &row, &b->arena, &b->err), EM_OK);
    em_history_close(history);
    return row;
}

int bench_rows(bench *b, em_row_state most)
{
    char sql[80];
    snprintf(sql, sizeof sql, "SELECT count(*) FROM commits WHERE state <= %d", (int)most);
    int64_t count = number(b, sql);
    return count < 0 ? 0 : (int)count;
}

void bench_sql(bench *b, const char *sql)
{
    sqlite3 *db;
    assert_int_equal(sqlite3_open(scratch_path(b->state, EM_HISTORY_NAME), &db), SQLITE_OK);
    assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
    sqlite3_close(db);
}

void check_clean(bench *b)
{
    assert_int_equal(bench_strays(b, "."), 0);
    assert_int_equal(bench_rows(b, EM_ROW_GRACE), 0);
    if (scratch_has(b->state, "copies"))
        assert_int_equal(scratch_count(scratch_path(b->state, "copies")), 0);
}

bool bench_warned(const bench *b, const char *words)
{
    for (size_t i = 0; i < b->report.warnings.count; i++) {
        if (strstr(b->report.warnings.items[i], words))
            return true;
    }
    return false;
}

void check_detail(const bench *b, const char *words)
{
    if (!strstr(b->err.detail, words))
        fail_msg("\"%s\" does not say \"%s\"", b->err.detail, words);
}

void check_case(const bench *b, const trap_case *set, const trap *caught, em_status got)
{
    if (got != set->want || caught->caught != 1)
        fail_msg("%s %s, %d passed, %s: status %d, expected %d, caught %d: %s", set->call,
                 set->about, set->skip, strerror(set->error), (int)got, (int)set->want,
                 caught->caught, b->err.detail);
}

/* ---- Another user, and what the file system can -------------------------------------------- */

int bench_as_nobody(bench *b, int (*task)(bench *))
{
    bench_close(b);
    if (geteuid() == 0)
        assert_int_equal(chown(b->base, NOBODY, NOBODY), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        if (geteuid() == 0 &&
            (setresgid(NOBODY, NOBODY, NOBODY) != 0 || setresuid(NOBODY, NOBODY, NOBODY) != 0))
            _exit(100);
        int result = task(b);
        bench_close(b);
        _exit(result);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    return WEXITSTATUS(status);
}

bool bench_has_attributes(const bench *b)
{
    return setxattr(b->root, "user.probe", "1", 1, 0) == 0;
}

bool bench_has_acls(const bench *b)
{
    char value[256];
    ssize_t size = getxattr(b->root, "system.posix_acl_access", value, sizeof value);
    return size >= 0 || errno == ENODATA;
}

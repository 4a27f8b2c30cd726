/* history_fuzz.c: a history that was damaged on the disk.
 *
 * The state directory is that of a process which was killed within a change, so that there is
 * something to recover. The input says which bytes differ: three bytes for each, where (of 48 KiB
 * of the database, then of 16 KiB of its log) and what. Whatever SQLite makes of that, recovery and
 * a further change end with a status; what lies outside of the root stays as it is, and in the root
 * no file holds anything but what it held or what was to come.
 */
#include "fuzz.h"

#include "system/names.h"
#include "workspace/recover.h"

#include <errno.h>
#include <ftw.h>
#include <sqlite3.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

const em_slice em_fuzz_seeds[] = {
    SEED("\0\0\0"),                   /* the magic number */
    SEED("\0\x10\xff"),               /* the page size */
    SEED("\x10\0\x0d\x10\1\0"),       /* the head of a page */
    SEED("\x1f\xf0\x41\x1f\xf1\x42"), /* in its last row */
    SEED("\0\x1c\0\0\x1d\0\0\x1e\0"), /* the number of pages */
    SEED("\0\x60\x09"),               /* who made it */
    SEED("\0\x3c\xba"),               /* a version below zero */
    SEED("\xc0\0\0"),                 /* the magic number of the log */
    SEED("\xc0\x10\1"),               /* what all of its pages repeat */
    SEED("\xc0\x24\xff"),             /* the size of the database, with a commit */
    SEED("\xd0\x50\1"),               /* in its second page */
    {NULL, 0},
};
const em_slice em_fuzz_words[] = {SEED("\0"), SEED("\xff"), SEED("\x10"), SEED("\x1f"), {NULL, 0}};

enum { LONGEST_PATH = 128, IN_LOG = 48 << 10 };
#define OLD "old content\n"
#define NEW "new content\n"
#define BESIDE "not to be touched\n"

static char base[] = "/tmp/emend-history-XXXXXX";
static char root[LONGEST_PATH], state_dir[LONGEST_PATH];
/* A file as it was left. */
typedef struct left {
    const char *name;
    char *bytes;
    size_t size;
} left;
static left database = {.name = "history.db"}, journal = {.name = "history.db-wal"};
static char stray[EM_TEMP_SIZE]; /* the temporary name that was left */

static int remove_one(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info, (void)kind;
    return where->level > 0 ? remove(path) : 0;
}

static void empty(const char *folder)
{
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
}

static void clean_up(void)
{
    empty(base);
    rmdir(base);
    free(database.bytes);
    free(journal.bytes);
}

static void put(const char *folder, const char *name, const char *bytes, size_t size)
{
    char path[2 * LONGEST_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    HOLDS(file && fwrite(bytes, 1, size, file) == size && fclose(file) == 0);
}

/* What a file holds, cut to the buffer; false where there is none. */
static bool get(const char *folder, const char *name, char out[static 64])
{
    char path[2 * LONGEST_PATH];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    out[fread(out, 1, 63, file)] = '\0';
    fclose(file);
    return true;
}

/* ---- A process that dies --------------------------------------------------------------------- */

static em_workspace *open_workspace(const em_sys *sys)
{
    em_workspace *ws = NULL;
    em_error err = EM_ERROR_INIT;
    const char *roots[] = {root};
    em_ws_options options = {.roots = roots,
                             .root_count = 1,
                             .state_dir = state_dir,
                             .sync = EM_SYNC_OFF,
                             .lock_timeout_ms = 100,
                             .sys = sys};
    HOLDS(em_ws_open(&options, &ws, &err) == EM_OK);
    return ws;
}

static em_status change(em_workspace *ws, em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    em_file file;
    em_commit_report report;
    EM_TRY(em_ws_open_file(ws, "a.txt", EM_TO_CHANGE, 0, 0, &file, err));
    em_splice splice = {.length = file.bytes.len, .insert = EM_LIT(NEW)};
    em_change change = {.splices = {&splice, 1}, .origin = {.tool = "fuzz"}};
    em_status status = em_ws_commit(ws, &file, &change, &arena, &report, err);
    em_file_close(ws, &file);
    return status;
}

static int die(void *context, int dir, const char *path, int flags)
{
    if (em_is_temp_name(path))
        _exit(0);
    return em_sys_native.unlink(context, dir, path, flags);
}

/* With the names exchanged, and the old content still there. */
static void leave_a_wreck(void)
{
    pid_t child = fork();
    HOLDS(child >= 0);
    if (child == 0) {
        em_sys dying = em_sys_native;
        em_error err = EM_ERROR_INIT;
        dying.unlink = die;
        change(open_workspace(&dying), &err);
        _exit(1);
    }
    int status;
    HOLDS(waitpid(child, &status, 0) == child && WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

static int find_stray(const char *path, const struct stat *info, int kind, struct FTW *where)
{
    (void)info, (void)kind;
    if (em_is_temp_name(path + where->base))
        snprintf(stray, sizeof stray, "%s", path + where->base);
    return 0;
}

static void read_left(left *file)
{
    char path[2 * LONGEST_PATH];
    snprintf(path, sizeof path, "%s/%s", state_dir, file->name);
    FILE *in = fopen(path, "rb");
    HOLDS(in && fseek(in, 0, SEEK_END) == 0);
    file->size = (size_t)ftell(in);
    rewind(in);
    file->bytes = malloc(file->size);
    HOLDS(file->bytes && file->size > 0 && fread(file->bytes, 1, file->size, in) == file->size);
    fclose(in);
}

/* A change that is in the database itself, where SQLite puts it when the last one closes it. */
static void make_history(void)
{
    em_error err = EM_ERROR_INIT;
    char path[2 * LONGEST_PATH];
    sqlite3 *db;
    put(root, "a.txt", BESIDE, strlen(BESIDE));
    em_workspace *ws = open_workspace(NULL);
    HOLDS(change(ws, &err) == EM_OK);
    em_ws_free(ws);
    snprintf(path, sizeof path, "%s/%s", state_dir, database.name);
    HOLDS(sqlite3_open(path, &db) == SQLITE_OK);
    HOLDS(sqlite3_exec(db, "PRAGMA wal_checkpoint(TRUNCATE)", NULL, NULL, NULL) == SQLITE_OK);
    HOLDS(sqlite3_close(db) == SQLITE_OK);
}

static void build(void)
{
    if (database.bytes)
        return;
    HOLDS(mkdtemp(base));
    atexit(clean_up);
    snprintf(root, sizeof root, "%s/root", base);
    snprintf(state_dir, sizeof state_dir, "%s/state", base);
    HOLDS(mkdir(root, 0700) == 0);
    make_history();
    put(root, "a.txt", OLD, strlen(OLD));
    leave_a_wreck();
    HOLDS(nftw(root, find_stray, 16, FTW_PHYS) == 0 && stray[0]);
    read_left(&database);
    read_left(&journal);
}

/* ---- The harness ----------------------------------------------------------------------------- */

/* The world as the process left it, but for the bytes that the input names. */
static void put_damaged(const left *file, const uint8_t *data, size_t size)
{
    char *bytes = malloc(file->size);
    HOLDS(bytes);
    memcpy(bytes, file->bytes, file->size);
    for (size_t i = 0; i + 3 <= size; i += 3) {
        size_t at = (size_t)data[i] << 8 | data[i + 1];
        bool in_log = at >= IN_LOG;
        if (in_log == (file == &journal))
            bytes[(in_log ? at - IN_LOG : at) % file->size] = (char)data[i + 2];
    }
    put(state_dir, file->name, bytes, file->size);
    free(bytes);
}

static void damage(const uint8_t *data, size_t size)
{
    empty(root);
    put(root, "a.txt", NEW, strlen(NEW));
    put(root, stray, OLD, strlen(OLD));
    put(root, "beside.txt", BESIDE, strlen(BESIDE));
    put(base, "canary.txt", BESIDE, strlen(BESIDE));
    put_damaged(&database, data, size);
    put_damaged(&journal, data, size);
}

static bool is_known(const char *content)
{
    return strcmp(content, OLD) == 0 || strcmp(content, NEW) == 0;
}

static void check_world(void)
{
    char content[64];
    HOLDS(get(base, "canary.txt", content) && strcmp(content, BESIDE) == 0);
    HOLDS(get(root, "beside.txt", content) && strcmp(content, BESIDE) == 0);
    if (get(root, "a.txt", content))
        HOLDS(is_known(content));
    if (get(root, stray, content))
        HOLDS(is_known(content));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    EM_AUTO(em_arena) arena = {0};
    em_recovery found = {0};
    em_error err = EM_ERROR_INIT;
    em_recover_options options = {.all = size % 2 == 0};
    build();
    damage(data, size);
    em_workspace *ws = open_workspace(NULL);
    em_recover_list(ws, true, &arena, &found, &err);
    em_recover(ws, &options, &arena, &found, &err);
    check_world();
    change(ws, &err);
    check_world();
    em_ws_free(ws);
    return 0;
}

/* windows.c: somebody does something just before each system call of a change, one run for each
 * call.
 *
 *   windows target    puts a link to a file outside in the place of the file
 *   windows parent    exchanges the file's folder for a link to a folder outside
 *   windows folder    moves the file's folder out of the root
 *   windows names     has put a link to a file outside where our temporary file will have its name
 *   windows secret    looks who could read what only its owner may read
 *
 * What lies outside must stay as it is, and no temporary name may be left. Exit status 0 when it
 * did.
 */
#include "fault/fault_sys.h"
#include "fault/world.h"

#include "workspace/recover.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { SOON = 6 }; /* calls between the last look at the folder and the exchange */

#define OLD "a word that is HERE\n"
#define NEW "a word that is THERE\n"

typedef struct run {
    world w;
    char file[WORLD_PATH], folder[WORLD_PATH], outside[WORLD_PATH], other[WORLD_PATH];
    fault_sys f;
    em_status status;
    em_error err;
    bool happened; /* what was to be done could be done */
    long leaks;    /* of the secret */
    long at;       /* before which call */
    long looked; /* the last call that looks where the folder is, before the names are exchanged */
} run;

typedef struct window {
    const char *name;
    void (*prepare)(run *r);
    void (*happen)(void *context);
    /* NULL when the world is as it may be. */
    const char *(*judge)(const run *r);
    const char *found; /* what a case that is counted apart is */
} window;

/* ---- What happens --------------------------------------------------------------------------- */

static void must(int result, const char *what)
{
    if (result != 0)
        world_fail(what);
}

static void prepare_file(run *r)
{
    world_path(r->w.root, "below", r->folder);
    world_path(r->w.root, "below/a.txt", r->file);
    world_path(r->w.canary, "a.txt", r->outside);
    world_path(r->w.root, "other", r->other);
    must(mkdir(r->folder, 0755), r->folder);
    world_put(r->w.root, "below/a.txt", EM_LIT(OLD), 0600);
    world_put(r->w.canary, "a.txt", EM_LIT(OLD), 0644);
}

static void put_link(void *context)
{
    run *r = context;
    char link[WORLD_PATH];
    world_path(r->w.root, "a link", link);
    r->happened = symlink(r->outside, link) == 0 && rename(link, r->file) == 0;
}

static void prepare_folder_link(run *r)
{
    prepare_file(r);
    must(symlink(r->w.canary, r->other), r->other);
}

static void exchange_folder(void *context)
{
    run *r = context;
    r->happened = renameat2(AT_FDCWD, r->folder, AT_FDCWD, r->other, RENAME_EXCHANGE) == 0;
}

static void move_folder(void *context)
{
    run *r = context;
    char moved[WORLD_PATH];
    world_path(r->w.canary, "moved", moved);
    r->happened = rename(r->folder, moved) == 0;
}

static void nothing(void *context)
{
    (void)context;
}

/* All random numbers are the same, so the temporary name is known. */
static int no_chance(void *context, void *out, size_t size)
{
    (void)context;
    memset(out, 0, size);
    return (int)size;
}

static void prepare_temporary_name(run *r)
{
    char name[WORLD_PATH];
    prepare_file(r);
    world_path(r->folder, ".emend-00000000000000000000000000000000", name);
    must(symlink(r->outside, name), name);
}

/* ---- Who can read the secret ----------------------------------------------------------------- */

static bool holds_secret(int fd)
{
    char bytes[4096];
    ssize_t got = pread(fd, bytes, sizeof bytes, 0);
    return got > 0 && memmem(bytes, (size_t)got, "a word that is", 14) != NULL;
}

static void look_at(run *r, int dir, const char *name)
{
    struct stat st;
    int fd = openat(dir, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC);
    if (fd < 0)
        return;
    if (fstat(fd, &st) == 0 && S_ISREG(st.st_mode) && (st.st_mode & 077) && holds_secret(fd)) {
        printf("  %s can be read by others: mode %03o\n", name, st.st_mode & 0777);
        r->leaks++;
    }
    close(fd);
}

static void look_into(run *r, const char *path)
{
    DIR *folder = opendir(path);
    if (!folder)
        return;
    for (struct dirent *entry; (entry = readdir(folder)) != NULL;)
        if (entry->d_type != DT_DIR)
            look_at(r, dirfd(folder), entry->d_name);
    closedir(folder);
}

/* Also what has no name: the descriptors of this process. */
static void look_everywhere(void *context)
{
    run *r = context;
    r->happened = true;
    look_into(r, r->folder);
    look_into(r, r->w.root);
    look_into(r, r->w.state);
    look_into(r, "/proc/self/fd");
}

/* What was there before is not counted: only the secret has the words, but for the canary. */
static void prepare_secret(run *r)
{
    prepare_file(r);
    must(unlink(r->outside), r->outside);
}

/* ---- What must hold -------------------------------------------------------------------------- */

static bool has_content(const char *path, const char *content)
{
    char bytes[256] = "";
    FILE *file = fopen(path, "r");
    if (!file)
        return false;
    bytes[fread(bytes, 1, sizeof bytes - 1, file)] = '\0';
    fclose(file);
    return strcmp(bytes, content) == 0;
}

static bool has_strays(const char *folder)
{
    world_list all = world_list_of(folder);
    bool found = false;
    for (size_t i = 0; i < all.count; i++)
        found = found || (strstr(all.items[i].path, ".emend-") &&
                          !strstr(all.items[i].path, ".emend-00000000"));
    world_list_drop(&all);
    return found;
}

static const char *judge_outside(const run *r)
{
    struct stat st;
    if (!has_content(r->outside, OLD) || stat(r->outside, &st) != 0 || st.st_nlink != 1)
        return "the file outside was changed";
    return has_strays(r->w.tree) ? "a temporary name is left" : NULL;
}

static const char *judge_link(const run *r)
{
    struct stat st;
    const char *wrong = judge_outside(r);
    if (!wrong && r->happened && (lstat(r->file, &st) != 0 || !S_ISLNK(st.st_mode)))
        wrong = "the link that somebody put there is gone";
    return wrong;
}

static const char *judge_exchanged(const run *r)
{
    char moved[WORLD_PATH];
    const char *wrong = judge_outside(r);
    world_path(r->other, "a.txt", moved);
    if (!wrong && r->happened && !has_content(moved, OLD) && !has_content(moved, NEW))
        wrong = "the file is torn";
    return wrong;
}

static const char *judge_moved(const run *r)
{
    char moved[WORLD_PATH];
    const char *wrong = judge_outside(r);
    world_path(r->w.canary, "moved/a.txt", moved);
    if (wrong || !r->happened || has_content(moved, OLD))
        return wrong;
    if (!has_content(moved, NEW))
        return "the file is torn";
    if (r->at <= r->looked)
        return "it was changed outside, although it could have been seen that it is there";
    return r->status == EM_OK ? NULL : "it was changed, and the answer says that it was not";
}

static const char *judge_secret(const run *r)
{
    struct stat st;
    if (stat(r->file, &st) != 0 || (st.st_mode & 0777) != 0600)
        return "the file's mode is another";
    return r->leaks > 0 ? "a secret could be read" : NULL;
}

/* Found the name taken, it is refused, and what has the name stays. */
static const char *judge_name(const run *r)
{
    const char *wrong = judge_outside(r);
    bool changed = has_content(r->file, NEW);
    if (!wrong && (r->status == EM_OK) != changed)
        wrong = "the answer is not what happened";
    return wrong;
}

static const window windows[] = {
    {"target", prepare_file, put_link, judge_link, NULL},
    {"parent", prepare_folder_link, exchange_folder, judge_exchanged, NULL},
    {"folder", prepare_file, move_folder, judge_moved,
     "it was moved between the last look and the exchange, and changed where it was then"},
    {"names", prepare_temporary_name, nothing, judge_name, NULL},
    {"secret", prepare_secret, look_everywhere, judge_secret, NULL},
};

/* ---- A run ----------------------------------------------------------------------------------- */

static em_status change(run *r, em_workspace *ws)
{
    EM_AUTO(em_arena) arena = {0};
    em_file file;
    em_commit_report report;
    EM_TRY(em_ws_open_file(ws, "below/a.txt", EM_TO_CHANGE, 0, 0, &file, &r->err));
    em_splice splice = {.length = file.bytes.len, .insert = EM_LIT(NEW)};
    em_change change = {.splices = {&splice, 1}, .origin = {.tool = "windows"}};
    em_status status = em_ws_commit(ws, &file, &change, &arena, &report, &r->err);
    em_file_close(ws, &file);
    return status;
}

static void change_once(run *r, const window *w, long at)
{
    em_workspace *ws;
    const char *roots[] = {r->w.root};
    em_ws_options options = {.roots = roots,
                             .root_count = 1,
                             .state_dir = r->w.state,
                             .sync = EM_SYNC_OFF,
                             .sys = &r->f.sys};
    world_reset(&r->w);
    w->prepare(r);
    r->err = EM_ERROR_INIT;
    r->at = at;
    r->happened = false;
    r->leaks = 0;
    fault_sys_init(&r->f, &em_sys_native);
    r->f.describes = at == 0;
    if (w->happen == nothing)
        r->f.sys.random = no_chance;
    r->f.fault = (fault){.kind = FAULT_HOOK, .at = at, .hook = w->happen, .context = r};
    r->status = em_ws_open(&options, &ws, &r->err);
    if (r->status == EM_OK) {
        r->status = change(r, ws);
        em_ws_free(ws);
    }
}

/* Of a change with which nothing happened; 0 where nobody looks shortly before the exchange. */
static long last_look(const fault_sys *f)
{
    long last = 0;
    for (long n = 1; n <= f->calls; n++) {
        const fault_trace *call = &f->trace[n - 1];
        if (call->call == FAULT_ON_rename)
            return n - last <= SOON ? last : 0;
        if (call->call == FAULT_ON_open && strcmp(call->what, "open below") == 0)
            last = n;
    }
    return 0;
}

/* Was the file, moved out of the root, changed there? */
static bool changed_elsewhere(const run *r)
{
    char moved[WORLD_PATH];
    world_path(r->w.canary, "moved/a.txt", moved);
    return has_content(moved, NEW);
}

static int sweep(run *r, const window *w)
{
    long wrong = 0, elsewhere = 0, total, conflicts = 0;
    change_once(r, w, 0);
    total = r->f.calls;
    r->looked = last_look(&r->f);
    fault_sys_drop(&r->f);
    for (long at = 1; at <= total; at++) {
        change_once(r, w, at);
        const char *problem = w->judge(r);
        if (problem && wrong++ < 10)
            printf("before call %ld (%s): %s; answered %d: %s\n", at, r->f.hit_what, problem,
                   (int)r->status, r->err.detail);
        elsewhere += w->found && r->happened && changed_elsewhere(r);
        conflicts += r->status != EM_OK;
        fault_sys_drop(&r->f);
    }
    printf("windows %s: %ld calls, %ld refused, %ld wrong", w->name, total, conflicts, wrong);
    /* After the change there is nothing to be found out: so many are the window of it and after. */
    if (w->found)
        printf("; in %ld cases %s, or after", elsewhere, w->found);
    putchar('\n');
    return wrong > 0 || total < 50 || (w->found && r->looked == 0);
}

int main(int argc, char **argv)
{
    static run r;
    int status = 2;
    world_open(&r.w, NULL);
    for (size_t i = 0; i < sizeof windows / sizeof *windows; i++)
        if (argc == 2 && strcmp(argv[1], windows[i].name) == 0)
            status = sweep(&r, &windows[i]);
    world_close(&r.w);
    return status;
}

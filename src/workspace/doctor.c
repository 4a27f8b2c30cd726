/* doctor.c: the system's features, each tried out on the spot.
 *
 * A list of small examinations; each writes down what it found, in one fact or a few. An error of
 * the system is what is looked for here, so it is never an error of this file.
 */
#include "workspace/doctor.h"

#include "system/file_system.h"
#include "system/sys_io.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

enum { BLOCK = 4096, PROBE_MODE = 0600, NAME_SIZE = 32 };

typedef struct doctor {
    const em_sys *sys;
    em_arena *arena;
    em_facts *facts;
    bool has_proc;       /* /proc is mounted */
    bool has_state;      /* there is a state directory ... */
    uint64_t state_dev;  /* ... on this file system ... */
    bool state_exchange; /* ... which can exchange names */
} doctor;

/* What a feature is good for, and what becomes of emend without it. */
typedef struct feature {
    const char *name, *with, *without;
} feature;

/* ---- Writing facts down ---------------------------------------------------------------------- */

static em_status note(doctor *d, em_fact fact)
{
    em_facts *facts = d->facts;
    if (!fact.value || em_arena_grow(d->arena, (void **)&facts->items, facts->count, &facts->room,
                                     sizeof *facts->items) != EM_OK)
        return EM_E_NOMEM;
    facts->items[facts->count++] = fact;
    return EM_OK;
}

/* What says nothing of a feature: there was no room, or no descriptor, to try it with. */
static bool is_of_the_moment(ssize_t result)
{
    return result == -ENOSPC || result == -EDQUOT || result == -ENOMEM || result == -EMFILE ||
           result == -ENFILE || result == -EIO;
}

static em_status note_unknown(doctor *d, const char *folder, feature f, ssize_t result)
{
    return note(
        d, (em_fact){
               .folder = folder,
               .name = f.name,
               .value = em_arena_format(d->arena, "cannot be told (%s)", strerror((int)-result)),
               .meaning = "this could not be tried: look again when there is room for it",
           });
}

/* A feature that was tried, and what the call returned. */
static em_status note_tried(doctor *d, const char *folder, feature f, ssize_t result)
{
    bool ok = result >= 0;
    if (is_of_the_moment(result))
        return note_unknown(d, folder, f, result);
    return note(
        d, (em_fact){
               .folder = folder,
               .name = f.name,
               .ok = ok,
               .value = ok ? "yes" : em_arena_format(d->arena, "no (%s)", strerror((int)-result)),
               .meaning = ok ? f.with : f.without,
           });
}

/* A feature that could not be tried: nothing is known against it. */
static em_status note_untried(doctor *d, const char *folder, feature f)
{
    return note(
        d,
        (em_fact){
            .folder = folder, .name = f.name, .ok = true, .value = "not tried", .meaning = f.with});
}

/* ---- The machine ----------------------------------------------------------------------------- */

static em_status examine_kernel(doctor *d)
{
    char release[128] = "";
    int result = EM_SYS_RETRY(d->sys, release, release, sizeof release);
    return note(
        d, (em_fact){
               .name = "kernel",
               .ok = result >= 0,
               .value = em_arena_format(d->arena, "%s", result < 0 ? strerror(-result) : release),
               .meaning = "",
           });
}

/* Down and up again is what openat2 alone can check; what stands in for it refuses (sys.h). */
static em_status examine_openat2(doctor *d)
{
    static const feature openat2 = {
        .name = "openat2",
        .with = "a path is resolved in one step where no link is in the way",
        .without = "a path is resolved folder by folder: as safe, and slower",
    };
    int top = EM_SYS_RETRY(d->sys, open, AT_FDCWD, "/", O_PATH | O_DIRECTORY, 0, 0);
    if (top < 0)
        return note_tried(d, NULL, openat2, top);
    int fd = EM_SYS_RETRY(d->sys, open, top, "dev/..", O_PATH | O_DIRECTORY, 0, EM_RESOLVE_BENEATH);
    EM_SYS(d->sys, close, top);
    if (fd >= 0)
        EM_SYS(d->sys, close, fd);
    if (fd == -ENOENT)
        return note_untried(d, NULL, openat2);
    if (fd == -EAGAIN) /* it is there, and somebody else has renamed a folder meanwhile */
        fd = 0;
    return note_tried(d, NULL, openat2, fd == -EXDEV ? -ENOSYS : fd);
}

static em_status examine_proc(doctor *d)
{
    static const feature proc = {
        .name = "/proc",
        .with = "files are opened, and new ones get their names, through it",
        .without = "nothing can be read or edited: files are opened, and new ones get their names, "
                   "through it",
    };
    int result = EM_SYS_RETRY(d->sys, access, AT_FDCWD, "/proc/self/fd", F_OK, 0);
    d->has_proc = result >= 0;
    return note_tried(d, NULL, proc, result);
}

static em_status examine_sqlite(doctor *d)
{
    return note(d, (em_fact){
                       .name = "SQLite",
                       .ok = true,
                       .value = em_arena_format(d->arena, "%s", sqlite3_libversion()),
                       .meaning = "keeps the history",
                   });
}

/* ---- File systems ---------------------------------------------------------------------------- */

static em_status examine_file_system(doctor *d, const char *folder, int dir,
                                     const em_file_system **fs)
{
    uint64_t magic = 0;
    int result = EM_SYS_RETRY(d->sys, filesystem, dir, &magic);
    *fs = result < 0 ? NULL : em_file_system_of(magic);
    em_fact fact = {.folder = folder, .name = "file system", .ok = result >= 0, .meaning = ""};
    if (result < 0)
        fact.value = em_arena_format(d->arena, "%s", strerror(-result));
    else if (*fs)
        fact.value = (*fs)->name;
    else
        fact.value = em_arena_format(d->arena, "0x%llx", (unsigned long long)magic);
    if (*fs && (*fs)->remote)
        fact.meaning = "what is promised here rests on the server, its locks and its cache";
    return note(d, fact);
}

/* ---- Files without a name -------------------------------------------------------------------- */

static const feature statx_feature = {
    .name = "statx",
    .with = "a file's identity is known, and whether it is locked by chattr",
    .without = "nothing in this folder can be edited",
};
static const feature unnamed_files = {
    .name = "unnamed temporary files",
    .with = "a change that is cut short before it is done leaves nothing behind",
    .without =
        "new content is written to a file with a name of its own; one that is left behind by "
        "a kill stays until `emend recover`",
};
static const feature refused_files = {
    .name = "unnamed temporary files",
    .with = "",
    .without = "no file can be made or replaced in this very folder",
};
static const feature attributes = {
    .name = "extended attributes",
    .with = "attributes and access control lists are kept",
    .without = "there are none to be kept",
};
static const feature kernel_copies = {
    .name = "copies inside the kernel",
    .with = "the kernel can copy stretches from file to file",
    .without = "what is copied passes through memory",
};
static const feature shared_blocks = {
    .name = "shared blocks",
    .with = "files can share the stretches that they have in common",
    .without = "files cannot share the stretches that they have in common",
};

static int open_unnamed(const em_sys *sys, int dir)
{
    return EM_SYS_RETRY(sys, open, dir, ".", O_TMPFILE | O_RDWR, PROBE_MODE, 0);
}

/* Give the file a block that can be copied. */
static ssize_t fill(const em_sys *sys, int fd)
{
    static const char block[BLOCK];
    struct iovec piece = {.iov_base = (void *)(uintptr_t)block, .iov_len = sizeof block};
    em_error err = EM_ERROR_INIT;
    return em_io_write_all((em_io_file){sys, fd, ""}, &piece, 1, 0, &err) == EM_OK ? 0 : -err.sys;
}

static em_status examine_pair(doctor *d, const char *folder, int one, int other)
{
    const em_sys *sys = d->sys;
    ssize_t attribute = EM_SYS_RETRY(sys, setxattr, one, "user.emend", "1", 1);
    ssize_t filled = fill(sys, one), copied = filled, cloned = filled;
    if (filled >= 0) {
        copied = EM_SYS_RETRY(sys, copy, one, 0, other, 0, BLOCK);
        cloned = EM_SYS_RETRY(sys, clone, one, other);
    }
    EM_TRY(note_tried(d, folder, attributes, attribute));
    EM_TRY(note_tried(d, folder, kernel_copies, copied));
    return note_tried(d, folder, shared_blocks, cloned);
}

/* Two of them could be opened, or not; what they are good for is to get a name later. */
static em_status note_unnamed(doctor *d, const char *folder, int result)
{
    bool refused = result == -EACCES || result == -EPERM || result == -EROFS;
    if (result < 0 || d->has_proc)
        return note_tried(d, folder, refused ? refused_files : unnamed_files, result);
    return note(d, (em_fact){
                       .folder = folder,
                       .name = unnamed_files.name,
                       .value = "cannot be told (no /proc)",
                       .meaning = "whether they can be given names could not be tried without it",
                   });
}

static em_status examine_unnamed(doctor *d, const char *folder, int dir)
{
    int one = open_unnamed(d->sys, dir);
    int other = one < 0 ? one : open_unnamed(d->sys, dir);
    em_status status = note_unnamed(d, folder, other);
    if (status == EM_OK && other >= 0)
        status = examine_pair(d, folder, one, other);
    if (one >= 0)
        EM_SYS(d->sys, close, one);
    if (other >= 0)
        EM_SYS(d->sys, close, other);
    return status;
}

/* ---- Files with a name, in the state directory ----------------------------------------------- */

static const feature exchange = {
    .name = "exchange of names",
    .with = "what another program saves at the very moment of a change is never lost",
    .without = "what another program saves between the last check and the rename is lost",
};
static const feature locks = {
    .name = "open file description locks",
    .with = "two emend processes on one file wait for each other",
    .without = "nothing can be edited: changes could not be kept apart",
};

static int make_probe(const em_sys *sys, int dir, const char *name)
{
    return EM_SYS_RETRY(sys, open, dir, name, O_RDWR | O_CREAT | O_EXCL | O_NOFOLLOW, PROBE_MODE,
                        0);
}

/* Does a lock through one description keep another out? */
static int try_lock(const em_sys *sys, int one, int dir, const char *name)
{
    int again = EM_SYS_RETRY(sys, open, dir, name, O_RDWR | O_NOFOLLOW, 0, 0);
    if (again < 0)
        return again;
    int result = EM_SYS_RETRY(sys, lock, one, F_WRLCK, 0, 1);
    if (result >= 0)
        result = EM_SYS_RETRY(sys, locked, again, F_WRLCK, 0, 1);
    EM_SYS(sys, close, again);
    return result == 0 ? -ENOLCK : result; /* taken, and nobody takes notice */
}

static void drop_probe(const em_sys *sys, int dir, const char *name, int fd)
{
    if (fd < 0)
        return;
    EM_SYS(sys, close, fd);
    EM_SYS_RETRY(sys, unlink, dir, name, 0);
}

/* Two files that have names for a moment. */
static em_status examine_named(doctor *d, const char *folder, int dir)
{
    uint64_t tags[2];
    char name[NAME_SIZE], name2[NAME_SIZE];
    em_error err = EM_ERROR_INIT;
    if (em_io_random(d->sys, tags, sizeof tags, &err) != EM_OK)
        return note_tried(d, folder, locks, -err.sys);
    snprintf(name, sizeof name, "doctor-%016llx", (unsigned long long)tags[0]);
    snprintf(name2, sizeof name2, "doctor-%016llx", (unsigned long long)tags[1]);

    int one = make_probe(d->sys, dir, name);
    int other = one < 0 ? one : make_probe(d->sys, dir, name2);
    int locked = one < 0 ? one : try_lock(d->sys, one, dir, name);
    int exchanged = other;
    if (other >= 0)
        exchanged = EM_SYS_RETRY(d->sys, rename, dir, name, dir, name2, RENAME_EXCHANGE);
    drop_probe(d->sys, dir, name, one);
    drop_probe(d->sys, dir, name2, other);

    d->state_exchange = exchanged >= 0;
    EM_TRY(note_tried(d, folder, locks, locked));
    return note_tried(d, folder, exchange, exchanged);
}

/* In a root nothing may get a name, so this is known only from elsewhere. */
static em_status note_exchange(doctor *d, const char *root, const em_stat *stat,
                               const em_file_system *fs)
{
    em_fact fact = {.folder = root, .name = exchange.name, .ok = true, .meaning = exchange.with};
    if (d->has_state && stat->dev == d->state_dev) {
        fact.ok = d->state_exchange;
        fact.value = fact.ok ? "yes (as in the state directory)" : "no (as in the state directory)";
        fact.meaning = fact.ok ? exchange.with : exchange.without;
    } else if (fs && fs->exchanges) {
        fact.value = em_arena_format(d->arena, "yes (known of %s)", fs->name);
    } else {
        return note_untried(d, root, exchange);
    }
    return note(d, fact);
}

/* ---- Folders --------------------------------------------------------------------------------- */

/* What is the same for roots and the state directory. */
static em_status examine_folder(doctor *d, const char *folder, int dir, em_stat *stat,
                                const em_file_system **fs)
{
    int result = EM_SYS_RETRY(d->sys, stat, dir, "", AT_EMPTY_PATH, stat);
    EM_TRY(examine_file_system(d, folder, dir, fs));
    EM_TRY(note_tried(d, folder, statx_feature, result));
    return examine_unnamed(d, folder, dir);
}

static em_status examine_state(doctor *d, const char *folder, int dir)
{
    em_stat stat = {0};
    const em_file_system *fs;
    EM_TRY(examine_folder(d, folder, dir, &stat, &fs));
    EM_TRY(examine_named(d, folder, dir));
    d->has_state = true;
    d->state_dev = stat.dev;
    return EM_OK;
}

static em_status examine_root(doctor *d, const char *folder, int dir)
{
    em_stat stat = {0};
    const em_file_system *fs;
    EM_TRY(examine_folder(d, folder, dir, &stat, &fs));
    return note_exchange(d, folder, &stat, fs);
}

static em_status visit(doctor *d, const char *folder,
                       em_status (*examine)(doctor *d, const char *folder, int dir))
{
    static const feature reachable = {
        .name = "folder", .with = "", .without = "nothing can be edited here"};
    int dir = EM_SYS_RETRY(d->sys, open, AT_FDCWD, folder, O_PATH | O_DIRECTORY, 0, 0);
    if (dir < 0)
        return note_tried(d, folder, reachable, dir);
    em_status status = examine(d, folder, dir);
    EM_SYS(d->sys, close, dir);
    return status;
}

em_status em_doctor(const em_sys *sys, const char *const *roots, size_t root_count,
                    const char *state_dir, em_arena *arena, em_facts *facts)
{
    doctor d = {.sys = sys, .arena = arena, .facts = facts};
    *facts = (em_facts){0};
    EM_TRY(examine_kernel(&d));
    EM_TRY(examine_openat2(&d));
    EM_TRY(examine_proc(&d));
    EM_TRY(examine_sqlite(&d));
    if (state_dir)
        EM_TRY(visit(&d, state_dir, examine_state));
    for (size_t i = 0; i < root_count; i++)
        EM_TRY(visit(&d, roots[i], examine_root));
    return EM_OK;
}

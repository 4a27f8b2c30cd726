/* file.c: a file is found, judged, locked and read.
 *
 *  (1) What a path names is judged by a descriptor that does no I/O, and what is read is the inode
 *      of that descriptor: a FIFO, a device or a file of the kernel's own (/proc, /sys, known by
 *      their file system) is never opened.
 *  (2) A rule is asked before it is told whether the file exists.
 *  (3) With a lock, the name still leads to the file that was judged; if it was replaced while we
 *      waited, everything is done again.
 *  (4) That a file may not be written is kept until something is to be: what is wrong with the
 *      request, or with the text, is told before it.
 *  (5) The content and the stat belong together: it did not change while it was read. Without a
 *      lock its name may have gone to another file meanwhile: then that was done afterwards. Who
 *      reads a large file (large.c) sees to all that itself.
 */
#include "base/pages.h"
#include "paths/spelling.h"
#include "system/names.h"
#include "system/sys_io.h"
#include "workspace/grace.h"
#include "workspace/large.h"
#include "workspace/opening.h"
#include "workspace/recover.h"
#include "workspace/speculation.h"

#include <errno.h>
#include <inttypes.h>
#include <linux/magic.h>
#include <stdlib.h>
#include <unistd.h>

enum {
    ATTEMPTS = 32,   /* a file that is replaced as often while we wait is left alone */
    LARGE = 4 << 20, /* bytes: there may be no memory for so much */
};

/* ---- Judging ------------------------------------------------------------------------------- */

/* Magic numbers that linux/magic.h lacks in some versions. */
enum { CONFIGFS = 0x62656570, BPF_FS = (int)0xcafe4a11 };

static bool is_of_the_kernel(uint64_t magic)
{
    static const uint32_t own[] = {PROC_SUPER_MAGIC,    SYSFS_MAGIC,      DEBUGFS_MAGIC,
                                   TRACEFS_MAGIC,       SECURITYFS_MAGIC, CGROUP_SUPER_MAGIC,
                                   CGROUP2_SUPER_MAGIC, SELINUX_MAGIC,    CONFIGFS,
                                   (uint32_t)BPF_FS,    EFIVARFS_MAGIC,   PSTOREFS_MAGIC};
    for (size_t i = 0; i < sizeof own / sizeof own[0]; i++) {
        if (magic == own[i])
            return true;
    }
    return false;
}

static em_status check_kind(const em_opening *o)
{
    const em_resolved *place = &o->state->place;
    uint64_t magic;
    if (S_ISDIR(place->stat.mode))
        return em_fail(o->err, EM_E_IS_FOLDER, "%s is a folder", place->path);
    if (!S_ISREG(place->stat.mode))
        return em_fail(o->err, EM_E_NOT_REGULAR, "%s is no regular file", place->path);
    int result = EM_SYS_RETRY(o->ws->sys, filesystem, place->file, &magic);
    if (result < 0)
        return em_io_fail(o->err, result, "statfs", place->path);
    if (is_of_the_kernel(magic))
        return em_fail(o->err, EM_E_NOT_REGULAR, "%s is a file of the kernel's own", place->path);
    return EM_OK;
}

static em_status check_size(const em_opening *o, uint64_t size)
{
    uint64_t most = o->state->max_size;
    if (most > 0 && size > most)
        return em_fail(o->err, EM_E_TOO_LARGE,
                       "it has %" PRIu64 " bytes; at most %" PRIu64 " are taken", size, most);
    if (size > PTRDIFF_MAX)
        return EM_E_NOMEM;
    return EM_OK;
}

/* What a change would be refused for. That is told when there is one: em_ws_check_change(). */
static em_status check_access(const em_opening *o)
{
    em_file_state *state = o->state;
    em_resolved *place = &state->place;
    bool preview = state->intent == EM_TO_PREVIEW;
    state->refusal = EM_ERROR_INIT;
    int result = EM_SYS_RETRY(o->ws->sys, stat, place->dir, "", AT_EMPTY_PATH, &state->folder);
    if (result < 0)
        return em_io_fail(o->err, result, "stat the folder of", place->path);
    em_status status =
        em_access_check(o->ws, place, &state->folder, preview || o->ws->options.in_place,
                        &state->in_place, &state->refusal);
    if (status == EM_OK || status == EM_E_PERMISSION)
        return EM_OK;
    if (o->err)
        *o->err = state->refusal;
    return status;
}

static em_status check_folder(const em_opening *o, const char *rel)
{
    return em_ws_check_folder(o->ws, o->state->place.root, rel, &o->state->arena, o->err);
}

/* Asked before anything else is told: a refusal by rule says nothing of what there is. */
static em_status check_rules(const em_opening *o)
{
    const em_resolved *place = &o->state->place;
    bool writes = o->state->intent != EM_TO_READ;
    for (size_t i = 0; i < place->left_count; i++)
        EM_TRY(check_folder(o, place->left[i]));
    if (place->rel && place->file >= 0 && S_ISDIR(place->stat.mode))
        EM_TRY(check_folder(o, place->rel));
    if (!place->rel)
        return EM_OK;
    return em_ws_check_rules(o->ws, place->root, place->rel, writes, &o->state->arena, o->err);
}

/* What is emend's own is known by what it is, too. */
static em_status check_own(const em_opening *o)
{
    const em_resolved *place = &o->state->place;
    if (place->file >= 0)
        EM_TRY(em_own_check_file(o->ws->sys, &o->ws->owns, &place->stat, o->err));
    return em_own_check_folder(o->ws->sys, &o->ws->owns, place->root, place->dir, place->path,
                               o->err);
}

/* Where the file is below place.dir: the missing folders and the name. */
static em_status rest_make(em_file_state *state)
{
    const char *rest = NULL;
    for (size_t i = 0; i < state->place.missing_count; i++) {
        const char *folder = state->place.missing[i];
        rest = rest ? em_arena_format(&state->arena, "%s/%s", rest, folder) : folder;
        if (!rest)
            return EM_E_NOMEM;
    }
    const char *name = state->place.name;
    state->rest = rest ? em_arena_format(&state->arena, "%s/%s", rest, name) : name;
    return state->rest ? EM_OK : EM_E_NOMEM;
}

/* Is the name that is missing there in another normal form? *twin is its path below the root; NULL
 * when it is not, or a rule hides it. */
static em_status find_twin(const em_opening *o, bool composed, const char **twin)
{
    const em_resolved *place = &o->state->place;
    em_arena *arena = &o->state->arena;
    const char *name = place->missing_count > 0 ? place->missing[0] : place->name, *other;
    em_stat stat;
    *twin = NULL;
    EM_TRY(em_spelling_other(name, composed, arena, &other));
    if (!other || EM_SYS_RETRY(o->ws->sys, stat, place->dir, other, AT_SYMLINK_NOFOLLOW, &stat) < 0)
        return EM_OK;
    EM_TRY(rest_make(o->state));
    int before = (int)(strlen(place->rel) - strlen(o->state->rest));
    const char *rel = em_arena_format(arena, "%.*s%s", before, place->rel, other);
    if (!rel)
        return EM_E_NOMEM;
    em_status status = em_ws_check_rules(o->ws, place->root, rel, false, arena, NULL);
    if (status == EM_OK)
        *twin = rel;
    return status == EM_E_NOMEM ? status : EM_OK;
}

static em_status fail_missing(const em_opening *o)
{
    const char *twin;
    EM_TRY(find_twin(o, true, &twin));
    if (!twin)
        EM_TRY(find_twin(o, false, &twin));
    if (twin)
        return em_fail_cause(o->err, EM_E_NOT_FOUND, EM_CAUSE_TWIN_NAME, "%s", twin);
    return em_fail(o->err, EM_E_NOT_FOUND, "there is no file %s", o->state->place.path);
}

/* "new/": of a file that is to be made that is a wrong name, and of any other it is missing. */
static em_status fail_missing_folder(const em_opening *o)
{
    em_status status = o->flags & EM_MAY_BE_MISSING ? EM_E_IS_FOLDER : EM_E_NOT_FOUND;
    em_fail(o->err, status, "%s names a folder, and nothing is there", o->path);
    if (o->err)
        o->err->sys = ENOENT;
    return status;
}

/* What a change would be refused for before it begins, but for the lock. */
static em_status foresee(const em_opening *o)
{
    if (o->ws->no_state.code != EM_OK) {
        if (o->err)
            *o->err = o->ws->no_state;
        return o->ws->no_state.code;
    }
    EM_TRY(rest_make(o->state));
    return em_recover_foresee(o->ws, o->state, o->err);
}

/* Does what was found, or not, say anything? Not where another folder has the root's name. */
static em_status check_root(const em_opening *o, em_status found)
{
    const em_resolved *place = &o->state->place;
    bool is_there = found == EM_OK && place->file >= 0;
    bool to_make = found == EM_OK && place->file < 0 && o->flags & EM_MAY_BE_MISSING;
    if (!place->root || (is_there && o->path[0] != '/'))
        return EM_OK;
    em_error why = EM_ERROR_INIT;
    em_status status = em_root_check(o->ws->sys, place->root, o->path, to_make, &why);
    if (status != EM_OK && o->err)
        *o->err = why;
    return status;
}

em_status em_opening_find(const em_opening *o)
{
    em_file_state *state = o->state;
    bool writes = state->intent != EM_TO_READ;
    em_status found = em_root_resolve(o->ws->sys, &o->ws->roots, o->path, true, &state->arena,
                                      &state->place, o->err);
    EM_TRY(check_rules(o));
    if (found != EM_OK)
        EM_TRY(check_root(o, found));
    if (found == EM_E_IS_FOLDER)
        return fail_missing_folder(o);
    EM_TRY(found);
    EM_TRY(check_own(o));
    EM_TRY(check_root(o, EM_OK));
    if (state->place.file < 0 && !(o->flags & EM_MAY_BE_MISSING))
        return fail_missing(o);
    if (state->place.file >= 0) {
        EM_TRY(check_kind(o));
        EM_TRY(check_size(o, state->place.stat.size));
    }
    if (writes)
        EM_TRY(check_access(o));
    return state->intent == EM_TO_PREVIEW ? foresee(o) : EM_OK;
}

/* ---- Locking ------------------------------------------------------------------------------- */

em_status em_opening_find_slot(const em_opening *o)
{
    em_file_state *state = o->state;
    EM_TRY(rest_make(state));
    state->slot = em_lock_slot(state->folder.ino, state->rest);
    return EM_OK;
}

static em_status lock(const em_opening *o)
{
    em_file_state *state = o->state;
    EM_TRY(em_opening_find_slot(o));
    EM_TRY(em_lock_take(&o->ws->locks, state->slot, o->ws->options.lock_timeout_ms, o->err));
    state->locked = true;
    return EM_OK;
}

/* Does the name still lead to what was judged before the lock was there? */
static em_status is_unchanged(const em_opening *o, bool *unchanged)
{
    const em_resolved *place = &o->state->place;
    const char *name = place->missing_count > 0 ? place->missing[0] : place->name;
    em_stat now;
    int result = EM_SYS_RETRY(o->ws->sys, stat, place->dir, name, AT_SYMLINK_NOFOLLOW, &now);
    if (result < 0 && result != -ENOENT)
        return em_io_fail(o->err, result, "stat", place->path);
    if (place->file < 0)
        *unchanged = result == -ENOENT;
    else
        *unchanged = result == 0 && em_stat_same_inode(&now, &place->stat);
    return EM_OK;
}

static void let_go(const em_opening *o)
{
    em_file_park(o->ws, o->file);
    if (o->state->locked)
        em_lock_release(&o->ws->locks, o->state->slot);
    o->state->locked = false;
}

/* Lock what was found; again->changed when it may be another by now: because recovery did
 * something, or because somebody replaced it while we waited. */
static em_status lock_found(const em_opening *o, em_recover_again *again)
{
    bool unchanged = true;
    *again = (em_recover_again){.changed = !o->ws->recovered};
    if (again->changed)
        return em_ws_ready(o->ws, o->err);
    EM_TRY(lock(o));
    EM_TRY(em_recover_file(o->ws, o->state, again, o->err));
    if (!again->changed) {
        EM_TRY(is_unchanged(o, &unchanged));
        again->changed = !unchanged;
    }
    return EM_OK;
}

static em_status find_and_lock(const em_opening *o)
{
    for (int i = 0; i < ATTEMPTS; i++) {
        em_recover_again again;
        EM_TRY(em_opening_find(o));
        EM_TRY(lock_found(o, &again));
        if (!again.changed && !again.txn[0])
            return EM_OK;
        let_go(o);
        if (again.txn[0])
            EM_TRY(em_recover_txn(o->ws, &again, o->err));
    }
    return em_fail_cause(o->err, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                         "%s is replaced all the time by somebody else", o->path);
}

/* ---- Reading ------------------------------------------------------------------------------- */

/* A file system of another machine or program (NFS, FUSE) may forget what is found as soon as it
 * has no name any more, and what is found does not hold it there. */
static bool is_forgotten(const em_opening *o)
{
    int result = o->state->fd;
    return result == -ESTALE || (result == -ENOENT && em_has_proc(o->ws->sys));
}

static em_status reopen(const em_opening *o)
{
    em_file_state *state = o->state;
    state->fd = em_reopen(o->ws->sys, state->place.file, O_RDONLY | O_NONBLOCK);
    state->is_gone = is_forgotten(o);
    if (state->is_gone)
        return em_fail_cause(o->err, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                             "%s was replaced before it could be read", state->place.path);
    if (state->fd == -ENOENT)
        return em_fail(o->err, EM_E_IO, "cannot open %s: /proc is not mounted", state->place.path);
    if (state->fd == -EAGAIN) /* which the kernel asks for now; who waits for that may wait long */
        return em_fail(o->err, EM_E_TIMEOUT,
                       "another program has a lease on %s, and was asked to give it back",
                       state->place.path);
    if (state->fd == -EACCES && state->locked && em_file_has_moved(o->ws, o->file, o->err))
        return EM_E_CONFLICT;
    return state->fd < 0 ? em_io_fail(o->err, state->fd, "open", state->place.path) : EM_OK;
}

static em_status stat_open(const em_opening *o, em_stat *stat)
{
    int result = EM_SYS_RETRY(o->ws->sys, stat, o->state->fd, "", AT_EMPTY_PATH, stat);
    return result < 0 ? em_io_fail(o->err, result, "stat", o->state->place.path) : EM_OK;
}

/* There is no memory for so much. Where that is little, memory is short for anything, and the error
 * does not blame the file. */
static em_status no_room(const em_opening *o, uint64_t size)
{
    if (size < LARGE && size <= em_ws_large_limits(o->ws).from)
        return EM_E_NOMEM;
    em_fail(o->err, EM_E_TOO_LARGE, "it has %" PRIu64 " bytes: more than there is memory for",
            size);
    if (o->err)
        o->err->sys = ENOMEM;
    return EM_E_TOO_LARGE;
}

/* Of one that is worth it, how the hash stands in the middle is kept. */
static em_status hash_held(em_file *file)
{
    EM_AUTO(em_hasher) hasher = {0};
    em_halfway *halfway = &file->state->halfway;
    size_t middle = file->bytes.len / 2;
    if (!em_halfway_pays(file->size) || halfway->hasher.state) {
        file->hash = em_hash_of(file->bytes);
        return EM_OK;
    }
    EM_TRY(em_hasher_start(&hasher));
    em_hasher_add(&hasher, em_slice_sub(file->bytes, 0, middle));
    EM_TRY(em_halfway_keep(halfway, &hasher, middle));
    em_hasher_add(&hasher, em_slice_from(file->bytes, middle));
    file->hash = em_hasher_end(&hasher);
    return EM_OK;
}

bool em_opening_is_same(const em_file_state *state, const em_stat *was, const em_stat *now)
{
    return state->locked ? em_stat_unchanged(was, now) : em_stat_same_but_for_names(was, now);
}

em_status em_opening_read_whole(const em_opening *o, const em_stat *stat)
{
    em_file *file = o->file;
    uint64_t most = em_ws_large_limits(o->ws).whole;
    char *bytes = stat->size <= most ? em_alloc_large(&o->state->arena, (size_t)stat->size) : NULL;
    if (!bytes)
        return no_room(o, stat->size);
    em_status status = em_io_read_all((em_io_file){o->ws->sys, o->state->fd, file->path}, bytes,
                                      (size_t)stat->size, o->err);
    if (status == EM_E_CONFLICT && o->err)
        o->err->cause = EM_CAUSE_CHANGED;
    EM_TRY(status);
    EM_TRY(stat_open(o, &file->stat));
    if (!em_opening_is_same(o->state, stat, &file->stat))
        return em_fail_cause(o->err, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                             "%s was changed while it was read", file->path);
    file->bytes = em_slice_make(bytes, (size_t)stat->size);
    file->size = stat->size;
    return hash_held(file);
}

static bool is_large(const em_opening *o, uint64_t size)
{
    em_large_limits limits = em_ws_large_limits(o->ws);
    bool is = ((o->flags & EM_MAY_BE_LARGE) && size > limits.from) ||
              ((o->flags & EM_RATHER_LARGE) && size > limits.quick);
    return is && !o->state->in_place;
}

static em_status read_found(const em_opening *o)
{
    em_stat stat;
    EM_TRY(reopen(o));
    EM_TRY(stat_open(o, &stat));
    EM_TRY(check_size(o, stat.size));
    o->file->is_large = is_large(o, stat.size);
    if (!o->file->is_large)
        return em_opening_read_whole(o, &stat);
    if (o->state->intent == EM_TO_CHANGE)
        em_grace_await(o->ws);
    o->file->stat = stat;
    o->file->size = stat.size;
    return EM_OK;
}

em_status em_opening_read(const em_opening *o)
{
    em_file *file = o->file;
    const em_resolved *place = &o->state->place;
    file->path = place->path;
    file->rel = place->rel;
    file->root = place->root->path;
    file->exists = place->file >= 0;
    if (file->exists)
        return read_found(o);
    file->hash = em_hash_of(file->bytes);
    return EM_OK;
}

/* ---- Without descriptors ------------------------------------------------------------------- */

void em_file_park(const em_workspace *ws, const em_file *file)
{
    em_file_state *state = file->state;
    bool is_open = state->fd >= 0, may_wait = is_open && state->spent;
    if (is_open && !(may_wait && em_closer_take(ws->closer, state->fd, file->stat.size)))
        EM_SYS(ws->sys, close, state->fd);
    state->fd = -1;
    em_resolved_close(ws->sys, &state->place);
}

static em_status moved(const em_file *file, em_error *err)
{
    return em_fail_cause(err, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                         "%s is no longer there: its folder was moved or replaced", file->path);
}

/* The way to the folder, below the root; NULL: the root is the folder. */
static em_status way_to_folder(const em_file *file, em_arena *arena, char **way)
{
    size_t length = strlen(file->rel) - strlen(file->state->rest);
    *way = length > 0 ? em_arena_string(arena, em_slice_make(file->rel, length - 1)) : NULL;
    return length > 0 && !*way ? EM_E_NOMEM : EM_OK;
}

em_status em_file_open_folder(const em_workspace *ws, const em_file *file, int *fd, em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    char *way;
    em_stat now;
    EM_TRY(way_to_folder(file, &arena, &way));
    *fd = EM_SYS_RETRY(ws->sys, open, file->state->place.root->fd, way ? way : ".",
                       O_PATH | O_DIRECTORY, 0,
                       EM_RESOLVE_BENEATH | EM_RESOLVE_NO_SYMLINKS | EM_RESOLVE_NO_MAGIC);
    if (*fd == -ENOENT || *fd == -ENOTDIR || *fd == -ELOOP || *fd == -EXDEV)
        return moved(file, err);
    if (*fd < 0)
        return em_io_fail(err, *fd, "open the folder of", file->path);
    int result = EM_SYS_RETRY(ws->sys, stat, *fd, "", AT_EMPTY_PATH, &now);
    if (result == 0 && em_stat_same_inode(&now, &file->state->folder))
        return EM_OK;
    EM_SYS(ws->sys, close, *fd);
    return result < 0 ? em_io_fail(err, result, "stat the folder of", file->path)
                      : moved(file, err);
}

bool em_file_has_moved(const em_workspace *ws, const em_file *file, em_error *err)
{
    int fd;
    em_status status = em_file_open_folder(ws, file, &fd, err);
    if (status == EM_OK)
        EM_SYS(ws->sys, close, fd);
    return status == EM_E_CONFLICT;
}

em_status em_file_unpark(const em_workspace *ws, const em_file *file, em_error *err)
{
    int fd;
    EM_TRY(em_file_open_folder(ws, file, &fd, err));
    file->state->place.dir = fd;
    return EM_OK;
}

em_status em_file_unpark_content(const em_workspace *ws, const em_file *file, em_error *err)
{
    em_file_state *state = file->state;
    em_stat now;
    EM_TRY(em_file_unpark(ws, file, err));
    int fd =
        EM_SYS_RETRY(ws->sys, open, state->place.dir, state->place.name, O_PATH | O_NOFOLLOW, 0, 0);
    if (fd == -ENOENT)
        return em_fail_cause(err, EM_E_CONFLICT, EM_CAUSE_CHANGED, "%s was removed", file->path);
    if (fd < 0)
        return em_io_fail(err, fd, "open", file->path);
    state->place.file = fd;
    int result = EM_SYS_RETRY(ws->sys, stat, fd, "", AT_EMPTY_PATH, &now);
    if (result < 0)
        return em_io_fail(err, result, "stat", file->path);
    if (!em_stat_same_inode(&now, &file->stat))
        return em_fail_cause(err, EM_E_CONFLICT, EM_CAUSE_CHANGED, "%s was replaced", file->path);
    state->fd = em_reopen(ws->sys, fd, O_RDONLY | O_NONBLOCK);
    return state->fd < 0 ? em_io_fail(err, state->fd, "open", file->path) : EM_OK;
}

/* ---- The face ------------------------------------------------------------------------------ */

em_status em_opening_begin(em_opening *o, em_intent intent, uint64_t max_size)
{
    o->state = malloc(sizeof *o->state);
    *o->file = (em_file){.state = o->state};
    if (!o->state)
        return EM_E_NOMEM;
    *o->state = (em_file_state){
        .intent = intent, .place = {.dir = -1, .file = -1}, .fd = -1, .max_size = max_size};
    return EM_OK;
}

static em_status open_once(const em_opening *o)
{
    if (o->state->intent == EM_TO_CHANGE)
        EM_TRY(find_and_lock(o));
    else
        EM_TRY(em_opening_find(o));
    return em_opening_read(o);
}

static em_status open_steps(const em_opening *o)
{
    em_status status = open_once(o);
    for (int i = 1; i < ATTEMPTS && o->state->is_gone; i++) {
        let_go(o);
        o->state->is_gone = false;
        status = open_once(o);
    }
    return status;
}

em_status em_ws_open_file(em_workspace *ws, const char *path, em_intent intent, unsigned flags,
                          uint64_t max_size, em_file *file, em_error *err)
{
    em_opening o = {.ws = ws, .file = file, .path = path, .flags = flags, .err = err};
    EM_TRY(em_opening_begin(&o, intent, max_size));
    em_status status = open_steps(&o);
    if (status != EM_OK)
        em_file_close(ws, file);
    return status;
}

/* Was something found that is just no file to be opened? */
static bool is_found(em_status status, const em_resolved *place)
{
    bool found = status == EM_OK || status == EM_E_IS_FOLDER || status == EM_E_NOT_REGULAR;
    return found && place->file >= 0;
}

em_status em_ws_names_of(em_workspace *ws, const char *path, em_arena *arena, const char **absolute,
                         const char **rel)
{
    em_file file;
    em_opening o = {.ws = ws, .file = &file, .path = path};
    *absolute = *rel = NULL;
    EM_TRY(em_opening_begin(&o, EM_TO_READ, 0));
    em_status status = em_opening_find(&o);
    if (is_found(status, &o.state->place)) {
        *absolute = em_arena_string(arena, em_slice_of(o.state->place.path));
        *rel = em_arena_string(arena, em_slice_of(o.state->place.rel));
        if (!*absolute || !*rel)
            status = EM_E_NOMEM;
    }
    em_file_close(ws, &file);
    return status == EM_E_NOMEM ? status : EM_OK;
}

void em_file_close(em_workspace *ws, em_file *file)
{
    em_file_state *state = file->state;
    if (!state)
        return;
    em_speculation_drop(state);
    em_halfway_drop(&state->halfway);
    em_file_park(ws, file);
    if (state->locked)
        em_lock_release(&ws->locks, state->slot);
    em_arena_drop(&state->arena);
    free(state);
    *file = (em_file){0};
}

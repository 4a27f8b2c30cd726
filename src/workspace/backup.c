/* backup.c: the backup of a file, chosen, made and taken back.
 *
 * A commit begins with em_backup_choose and ends with one of three: em_backup_keep where the names
 * were exchanged, em_backup_link before a rename, em_backup_copy before a file is written over. A
 * file that has other names is always copied: who writes to it by one of those would write to the
 * backup, too.
 */
#include "workspace/backup.h"

#include "system/hash.h"
#include "system/sys_io.h"
#include "workspace/opening.h"
#include "workspace/stage.h"

#include <limits.h>
#include <stdio.h> /* RENAME_ */

enum {
    MOST = 10000, /* backups of one file */
    WINDOW = 64 << 10,
};

/* A backup, or what is to become one: its name says in errors which file is meant. */
static em_entry backup_entry(const em_sys *sys, int dir, const char *name)
{
    return (em_entry){sys, dir, name, name};
}

static bool has_other_names(const em_stat *stat)
{
    return stat->nlink > 1;
}

/* ---- Names --------------------------------------------------------------------------------- */

/* Is `name` that of the file that the path leads to, or of a folder on the way? */
static bool is_in_path(const char *name, const char *path)
{
    size_t length = strlen(name);
    for (const char *at = strstr(path, name); at; at = strstr(at + 1, name))
        if ((at == path || at[-1] == '/') && (at[length] == '\0' || at[length] == '/'))
            return true;
    return false;
}

/* Whatever the folders of the paths are: a number more does no harm. */
static bool is_in_some(const char *name, em_paths paths)
{
    for (size_t i = 0; i < paths.count; i++)
        if (is_in_path(name, paths.items[i]))
            return true;
    return false;
}

/* The first name for a backup of `name` that is free in `dir`, and in none of the paths. */
static em_status name_find(const em_sys *sys, int dir, const char *name, em_paths paths,
                           em_arena *arena, const char **out, em_error *err)
{
    for (int i = 0; i < MOST; i++) {
        em_stat stat;
        char *backup = i == 0 ? em_arena_format(arena, "%s.bak", name)
                              : em_arena_format(arena, "%s.bak%d", name, i);
        if (!backup)
            return EM_E_NOMEM;
        if (strlen(backup) > NAME_MAX)
            return em_fail(err, EM_E_PATH, "the name of a backup of %s would be too long", name);
        if (is_in_some(backup, paths))
            continue;
        int result = EM_SYS_RETRY(sys, stat, dir, backup, AT_SYMLINK_NOFOLLOW, &stat);
        *out = backup;
        if (result == -ENOENT)
            return EM_OK;
        if (result < 0)
            return em_io_fail(err, result, "stat", backup);
    }
    return em_fail(err, EM_E_IO, "there are too many backups of %s", name);
}

/* The name for a backup of the file, whose folder is `dir`, if the rules allow to write it. */
static em_status name_choose(em_workspace *ws, const em_file *file, const em_change *change,
                             int dir, em_arena *arena, const char **out, em_error *err)
{
    const em_resolved *place = &file->state->place;
    em_error why = EM_ERROR_INIT;
    EM_TRY(name_find(ws->sys, dir, place->name, change->same_call, arena, out, err));
    const char *rel = em_name_beside(arena, file->rel, *out);
    if (!rel)
        return EM_E_NOMEM;
    em_status status = em_ws_check_rules(ws, place->root, rel, true, arena, &why);
    if (status != EM_E_DENIED)
        return status;
    return em_fail(err, status, "its backup %s is %s; without a backup it can be changed", *out,
                   why.detail);
}

em_status em_backup_choose(em_flight *f)
{
    return name_choose(f->ws, f->file, f->change, f->at->place.dir, f->arena, &f->row.backup,
                       f->err);
}

em_status em_backup_check(em_workspace *ws, const em_file *file, const em_change *change,
                          em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    const char *name;
    int held = file->state->place.dir, dir = held;
    if (held < 0)
        EM_TRY(em_file_open_folder(ws, file, &dir, err));
    em_status status = name_choose(ws, file, change, dir, &arena, &name, err);
    if (held < 0)
        EM_SYS(ws->sys, close, dir);
    return status;
}

/* ---- Making one ---------------------------------------------------------------------------- */

typedef struct making {
    em_workspace *ws;
    int dir;
    const char *name;   /* of the file */
    em_paths same_call; /* none where the change is made by now */
    em_row *row;
    em_arena *arena;
    em_error *err;
    em_stat copy; /* ino 0 before it is looked at */
    bool copied;  /* the backup's name stands for it */
} making;

static making making_of(em_flight *f)
{
    return (making){.ws = f->ws,
                    .dir = f->at->place.dir,
                    .name = f->at->place.name,
                    .same_call = f->change->same_call,
                    .row = &f->row,
                    .arena = f->arena,
                    .err = f->err};
}

/* The chosen name was taken meanwhile: another one, and the row knows it before it is used. */
static em_status choose_again(const making *m, em_error *err)
{
    EM_TRY(name_find(m->ws->sys, m->dir, m->name, m->same_call, m->arena, &m->row->backup, err));
    return em_history_mark(m->ws->history, m->row, err);
}

/* ---- A copy -------------------------------------------------------------------------------- */

/* A file for the copy: without a name, or m->copied where the system has no such files. */
static em_status copy_make(making *m, int *fd)
{
    const em_sys *sys = m->ws->sys;
    EM_TRY(em_stage_unnamed(sys, m->dir, 0600, m->row->backup, fd, m->err));
    while (*fd < 0) {
        em_error why = EM_ERROR_INIT; /* of a name that was taken nothing is told */
        const char *name = m->row->backup;
        em_status status = em_stage_named(backup_entry(sys, m->dir, name), 0600, fd, &why);
        m->copied = status == EM_OK;
        if (status == EM_E_EXISTS)
            status = choose_again(m, &why);
        if (status != EM_OK && m->err)
            *m->err = why;
        EM_TRY(status);
    }
    return EM_OK;
}

/* All that `from` holds, which must be the old content, into `to`. */
static em_status copy_bytes(const making *m, int from, em_io_file to)
{
    EM_AUTO(em_hasher) hasher = {0};
    char window[WINDOW];
    off_t at = 0;
    ssize_t got;
    EM_TRY(em_hasher_start(&hasher));
    while ((got = EM_SYS_RETRY(m->ws->sys, read, from, window, sizeof window, at)) > 0) {
        struct iovec piece = {.iov_base = window, .iov_len = (size_t)got};
        em_hasher_add(&hasher, em_slice_make(window, (size_t)got));
        EM_TRY(em_io_write_all(to, &piece, 1, at, m->err));
        at += got;
        if (at > (off_t)m->row->old_size) /* it grows, perhaps for ever */
            break;
    }
    if (got < 0)
        return em_io_fail(m->err, got, "read", m->name);
    return em_hash_eq(em_hasher_end(&hasher), m->row->old_hash)
               ? EM_OK
               : em_fail(m->err, EM_E_CONFLICT, "%s was changed while its backup was made",
                         m->name);
}

/* The old content, complete, with its attributes, in `fd`. */
static em_status copy_write(making *m, int from, const em_stat *stat, int fd)
{
    em_io_file to = {m->ws->sys, fd, m->row->backup};
    em_attribute_losses losses;
    int result = EM_SYS_RETRY(to.sys, stat, fd, "", AT_EMPTY_PATH, &m->copy);
    if (result < 0)
        return em_io_fail(m->err, result, "stat", to.path);
    EM_TRY(copy_bytes(m, from, to));
    EM_TRY(em_stage_attributes(to, from, stat, true, &losses, m->err));
    return em_io_finish(to, m->ws->options.sync != EM_SYNC_OFF, m->err);
}

static em_status copy_give_name(making *m, int fd)
{
    int result;
    for (;;) {
        result = em_name_give(m->ws->sys, fd, m->dir, m->row->backup);
        if (result != -EEXIST)
            break;
        EM_TRY(choose_again(m, m->err));
    }
    m->copied = result == 0;
    return result < 0 ? em_io_fail(m->err, result, "link", m->row->backup) : EM_OK;
}

/* `from`, whose stat is `stat`, holds the old content. */
static em_status copy(making *m, int from, const em_stat *stat)
{
    int fd;
    EM_TRY(copy_make(m, &fd));
    em_status status = copy_write(m, from, stat, fd);
    if (status == EM_OK && !m->copied)
        status = copy_give_name(m, fd);
    EM_SYS(m->ws->sys, close, fd);
    return status;
}

/* ---- After an exchange --------------------------------------------------------------------- */

/* An error does not prove that nothing happened. */
static bool is_moved(const em_sys *sys, int dir, const em_row *row)
{
    em_stat stat;
    return EM_SYS_RETRY(sys, stat, dir, row->temp, AT_SYMLINK_NOFOLLOW, &stat) == -ENOENT;
}

static em_status move(const making *m)
{
    int result;
    for (;;) {
        const em_row *row = m->row;
        result = EM_SYS_RETRY(m->ws->sys, rename, m->dir, row->temp, m->dir, row->backup,
                              RENAME_NOREPLACE);
        if (result != -EEXIST)
            break;
        EM_TRY(choose_again(m, m->err));
    }
    if (result < 0 && !is_moved(m->ws->sys, m->dir, m->row))
        return em_io_fail(m->err, result, "rename to", m->row->backup);
    return EM_OK;
}

static em_status copy_old(making *m, const em_stat *old)
{
    int from = EM_SYS_RETRY(m->ws->sys, open, m->dir, m->row->temp, O_RDONLY | O_NOFOLLOW, 0, 0);
    if (from < 0)
        return em_io_fail(m->err, from, "open", m->row->temp);
    em_status status = copy(m, from, old);
    EM_SYS(m->ws->sys, close, from);
    return status;
}

/* Where a process that died had made the copy, it is not made again. */
static em_status copy_and_remove(making *m, const em_stat *old)
{
    const em_sys *sys = m->ws->sys;
    em_look there;
    EM_TRY(em_look_at(backup_entry(sys, m->dir, m->row->backup), &there, m->err));
    em_status status = EM_OK;
    if (em_stat_same_inode(&there.stat, old) || !em_look_has(&there, m->row->old_hash))
        status = copy_old(m, old);
    if (status == EM_OK)
        status = em_name_remove(backup_entry(sys, m->dir, m->row->temp), m->err);
    if (status != EM_OK && m->copied)
        em_name_remove(backup_entry(sys, m->dir, m->row->backup), NULL);
    return status;
}

em_status em_backup_keep(em_workspace *ws, int dir, const char *name, em_row *row, em_arena *arena,
                         em_error *err)
{
    making m = {.ws = ws, .dir = dir, .name = name, .row = row, .arena = arena, .err = err};
    em_stat old;
    int result = EM_SYS_RETRY(ws->sys, stat, dir, row->temp, AT_SYMLINK_NOFOLLOW, &old);
    if (result == 0 && has_other_names(&old))
        return copy_and_remove(&m, &old);
    return move(&m);
}

/* ---- Beforehand ---------------------------------------------------------------------------- */

em_status em_backup_link(em_flight *f)
{
    making m = making_of(f);
    int result;
    if (has_other_names(&f->file->stat))
        return em_backup_copy(f);
    for (;;) {
        result = EM_SYS_RETRY(m.ws->sys, link, m.dir, m.name, m.dir, m.row->backup, 0);
        if (result != -EEXIST)
            break;
        EM_TRY(choose_again(&m, m.err));
    }
    if (result == -EPERM || result == -EMLINK || em_is_unsupported(result))
        return em_backup_copy(f);
    f->backup_made = result == 0;
    f->backup = f->file->stat;
    return result < 0 ? em_io_fail(f->err, result, "link", f->row.backup) : EM_OK;
}

em_status em_backup_copy(em_flight *f)
{
    making m = making_of(f);
    em_status status = copy(&m, f->at->fd, &f->file->stat);
    f->backup_made = m.copied;
    f->backup = m.copy;
    return status;
}

/* ---- Taking back --------------------------------------------------------------------------- */

/* Is it still the copy, or another name of the file that was read, or of what the target holds now?
 * Each of them can go. */
static em_status backup_is_ours(const em_flight *f, bool *ours, em_error *why)
{
    const em_sys *sys = f->ws->sys;
    const em_resolved *place = &f->at->place;
    em_stat now, target;
    *ours = f->backup.ino == 0;
    if (*ours)
        return EM_OK;
    int result = EM_SYS_RETRY(sys, stat, place->dir, f->row.backup, AT_SYMLINK_NOFOLLOW, &now);
    if (result < 0)
        return result == -ENOENT ? EM_OK : em_io_fail(why, result, "stat", f->row.backup);
    *ours = em_stat_same_inode(&now, &f->backup) ||
            (EM_SYS_RETRY(sys, stat, place->dir, place->name, AT_SYMLINK_NOFOLLOW, &target) == 0 &&
             em_stat_same_inode(&now, &target));
    return EM_OK;
}

void em_backup_take_back(em_flight *f)
{
    em_error why = EM_ERROR_INIT;
    bool ours = false;
    if (!f->backup_made)
        return;
    em_status status = backup_is_ours(f, &ours, &why);
    if (status == EM_OK && ours)
        status = em_name_remove(backup_entry(f->ws->sys, f->at->place.dir, f->row.backup), &why);
    if (status != EM_OK)
        em_flight_tell_more(f, "the backup %s is left (%s)", f->row.backup, why.detail);
}

em_status em_backup_undo(const em_sys *sys, int dir, const em_look *target, const em_row *row,
                         em_error *err)
{
    em_entry entry = backup_entry(sys, dir, row->backup);
    em_look backup;
    if (!row->backup || !em_look_has(target, row->old_hash))
        return EM_OK;
    EM_TRY(em_look_at(entry, &backup, err));
    if (!em_look_has(&backup, row->old_hash))
        return EM_OK;
    return em_name_remove(entry, err);
}

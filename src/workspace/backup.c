/* backup.c: the backup of a file, chosen, made and taken back.
 *
 * A commit begins with em_backup_choose and ends with one of three: em_backup_keep where the names
 * were exchanged, em_backup_link before a rename, em_backup_copy before a file is written over. A
 * file that has other names is always copied: who writes to it by one of those would write to the
 * backup, too.
 */
#include "workspace/backup.h"

#include "workspace/hash.h"
#include "workspace/opening.h"
#include "workspace/stage.h"
#include "workspace/sys_io.h"

#include <limits.h>
#include <stdio.h> /* RENAME_ */

enum {
    MOST = 10000, /* backups of one file */
    WINDOW = 64 << 10,
};

static bool has_other_names(const em_stat *stat)
{
    return stat->nlink > 1;
}

/* ---- Names --------------------------------------------------------------------------------- */

/* The first name for a backup of `name` that is free in `dir`. */
static em_status name_find(const em_sys *sys, int dir, const char *name, em_arena *arena,
                           const char **out, em_error *err)
{
    for (int i = 0; i < MOST; i++) {
        em_stat stat;
        char *backup = i == 0 ? em_arena_format(arena, "%s.bak", name)
                              : em_arena_format(arena, "%s.bak%d", name, i);
        if (!backup)
            return EM_E_NOMEM;
        if (strlen(backup) > NAME_MAX)
            return em_fail(err, EM_E_PATH, "the name of a backup of %s would be too long", name);
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
static em_status name_choose(em_workspace *ws, const em_file *file, int dir, em_arena *arena,
                             const char **out, em_error *err)
{
    const em_place *place = &file->state->place;
    em_error why = EM_ERROR_INIT;
    EM_TRY(name_find(ws->sys, dir, place->name, arena, out, err));
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
    return name_choose(f->ws, f->file, f->at->place.dir, f->arena, &f->row.backup, f->err);
}

em_status em_backup_check(em_workspace *ws, const em_file *file, em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    const char *name;
    int held = file->state->place.dir, dir = held;
    if (held < 0)
        EM_TRY(em_file_open_folder(ws, file, &dir, err));
    em_status status = name_choose(ws, file, dir, &arena, &name, err);
    if (held < 0)
        EM_SYS(ws->sys, close, dir);
    return status;
}

/* The chosen name was taken meanwhile: another one, and the row knows it before it is used. */
static em_status choose_again(em_workspace *ws, int dir, const char *name, em_row *row,
                              em_arena *arena, em_error *err)
{
    EM_TRY(name_find(ws->sys, dir, name, arena, &row->backup, err));
    return em_history_mark(ws->history, row, err);
}

/* ---- A copy -------------------------------------------------------------------------------- */

typedef struct copying {
    em_workspace *ws;
    int dir;
    const char *name; /* of the file */
    em_row *row;
    em_arena *arena;
    em_error *err;
    em_stat copy; /* ino 0 before it is looked at */
    bool named;   /* the backup's name stands for it */
} copying;

/* A file for the copy: without a name, or c->named where the system has no such files. */
static em_status copy_make(copying *c, int *fd)
{
    const em_sys *sys = c->ws->sys;
    EM_TRY(em_stage_unnamed(sys, c->dir, 0600, c->row->backup, fd, c->err));
    while (*fd < 0) {
        em_error why = EM_ERROR_INIT;
        const char *name = c->row->backup;
        em_status status = em_stage_named(sys, c->dir, name, 0600, name, fd, &why);
        c->named = status == EM_OK;
        if (status == EM_E_EXISTS)
            status = choose_again(c->ws, c->dir, c->name, c->row, c->arena, &why);
        if (status != EM_OK && c->err)
            *c->err = why;
        EM_TRY(status);
    }
    return EM_OK;
}

/* All that `from` holds, which must be the old content. */
static em_status copy_bytes(const copying *c, int from, int fd)
{
    EM_AUTO(em_hasher) hasher = {0};
    char window[WINDOW];
    off_t at = 0;
    ssize_t got;
    EM_TRY(em_hasher_start(&hasher));
    while ((got = EM_SYS_RETRY(c->ws->sys, read, from, window, sizeof window, at)) > 0) {
        struct iovec piece = {.iov_base = window, .iov_len = (size_t)got};
        em_hasher_add(&hasher, em_slice_make(window, (size_t)got));
        EM_TRY(em_io_write_all(c->ws->sys, fd, &piece, 1, at, c->row->backup, c->err));
        at += got;
        if (at > (off_t)c->row->old_size) /* it grows, perhaps for ever */
            break;
    }
    if (got < 0)
        return em_io_fail(c->err, got, "read", c->name);
    return em_hash_eq(em_hasher_end(&hasher), c->row->old_hash)
               ? EM_OK
               : em_fail(c->err, EM_E_CONFLICT, "%s was changed while its backup was made",
                         c->name);
}

/* The old content, complete, with its attributes, in `fd`. */
static em_status copy_write(copying *c, int from, const em_stat *stat, int fd)
{
    const em_sys *sys = c->ws->sys;
    const char *backup = c->row->backup;
    em_attribute_losses losses;
    int result = EM_SYS_RETRY(sys, stat, fd, "", AT_EMPTY_PATH, &c->copy);
    if (result < 0)
        return em_io_fail(c->err, result, "stat", backup);
    EM_TRY(copy_bytes(c, from, fd));
    EM_TRY(em_stage_attributes(sys, from, stat, fd, true, backup, &losses, c->err));
    return em_io_finish(sys, fd, c->ws->options.sync != EM_SYNC_OFF, backup, c->err);
}

static em_status copy_give_name(copying *c, int fd)
{
    int result;
    for (;;) {
        result = em_name_give(c->ws->sys, fd, c->dir, c->row->backup);
        if (result != -EEXIST)
            break;
        EM_TRY(choose_again(c->ws, c->dir, c->name, c->row, c->arena, c->err));
    }
    c->named = result == 0;
    return result < 0 ? em_io_fail(c->err, result, "link", c->row->backup) : EM_OK;
}

/* `from`, whose stat is `stat`, holds the old content. */
static em_status copy(copying *c, int from, const em_stat *stat)
{
    int fd;
    EM_TRY(copy_make(c, &fd));
    em_status status = copy_write(c, from, stat, fd);
    if (status == EM_OK && !c->named)
        status = copy_give_name(c, fd);
    EM_SYS(c->ws->sys, close, fd);
    return status;
}

/* ---- After an exchange --------------------------------------------------------------------- */

/* An error does not prove that nothing happened. */
static bool is_moved(const em_sys *sys, int dir, const em_row *row)
{
    em_stat stat;
    return EM_SYS_RETRY(sys, stat, dir, row->temp, AT_SYMLINK_NOFOLLOW, &stat) == -ENOENT;
}

static em_status move(const copying *c)
{
    int result;
    for (;;) {
        const em_row *row = c->row;
        result = EM_SYS_RETRY(c->ws->sys, rename, c->dir, row->temp, c->dir, row->backup,
                              RENAME_NOREPLACE);
        if (result != -EEXIST)
            break;
        EM_TRY(choose_again(c->ws, c->dir, c->name, c->row, c->arena, c->err));
    }
    if (result < 0 && !is_moved(c->ws->sys, c->dir, c->row))
        return em_io_fail(c->err, result, "rename to", c->row->backup);
    return EM_OK;
}

static em_status copy_old(copying *c, const em_stat *old)
{
    int from = EM_SYS_RETRY(c->ws->sys, open, c->dir, c->row->temp, O_RDONLY | O_NOFOLLOW, 0, 0);
    if (from < 0)
        return em_io_fail(c->err, from, "open", c->row->temp);
    em_status status = copy(c, from, old);
    EM_SYS(c->ws->sys, close, from);
    return status;
}

/* Where a process that died had made the copy, it is not made again. */
static em_status copy_and_remove(copying *c, const em_stat *old)
{
    const em_sys *sys = c->ws->sys;
    em_look there;
    EM_TRY(em_look_at(sys, c->dir, c->row->backup, c->row->backup, &there, c->err));
    em_status status = EM_OK;
    if (em_stat_same_inode(&there.stat, old) || !em_look_has(&there, c->row->old_hash))
        status = copy_old(c, old);
    if (status == EM_OK)
        status = em_name_remove(sys, c->dir, c->row->temp, c->row->temp, c->err);
    if (status != EM_OK && c->named)
        em_name_remove(sys, c->dir, c->row->backup, c->row->backup, NULL);
    return status;
}

em_status em_backup_keep(em_workspace *ws, int dir, const char *name, em_row *row, em_arena *arena,
                         em_error *err)
{
    copying c = {.ws = ws, .dir = dir, .name = name, .row = row, .arena = arena, .err = err};
    em_stat old;
    int result = EM_SYS_RETRY(ws->sys, stat, dir, row->temp, AT_SYMLINK_NOFOLLOW, &old);
    if (result == 0 && has_other_names(&old))
        return copy_and_remove(&c, &old);
    return move(&c);
}

/* ---- Beforehand ---------------------------------------------------------------------------- */

em_status em_backup_link(em_flight *f)
{
    int dir = f->at->place.dir;
    int result;
    if (has_other_names(&f->file->stat))
        return em_backup_copy(f);
    for (;;) {
        result = EM_SYS_RETRY(f->ws->sys, link, dir, f->at->place.name, dir, f->row.backup, 0);
        if (result != -EEXIST)
            break;
        EM_TRY(choose_again(f->ws, dir, f->at->place.name, &f->row, f->arena, f->err));
    }
    if (result == -EPERM || result == -EMLINK || em_is_unsupported(result))
        return em_backup_copy(f);
    f->backup_made = result == 0;
    f->backup = f->file->stat;
    return result < 0 ? em_io_fail(f->err, result, "link", f->row.backup) : EM_OK;
}

em_status em_backup_copy(em_flight *f)
{
    copying c = {.ws = f->ws,
                 .dir = f->at->place.dir,
                 .name = f->at->place.name,
                 .row = &f->row,
                 .arena = f->arena,
                 .err = f->err};
    em_status status = copy(&c, f->at->fd, &f->file->stat);
    f->backup_made = c.named;
    f->backup = c.copy;
    return status;
}

/* ---- Taking back --------------------------------------------------------------------------- */

/* Is it still the copy, or another name of the file that was read, or of what the target holds now?
 * Each of them can go. */
static em_status backup_is_ours(const em_flight *f, bool *ours, em_error *why)
{
    const em_sys *sys = f->ws->sys;
    const em_place *place = &f->at->place;
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
        status = em_name_remove(f->ws->sys, f->at->place.dir, f->row.backup, f->row.backup, &why);
    if (status != EM_OK)
        em_flight_tell_more(f, "the backup %s is left (%s)", f->row.backup, why.detail);
}

em_status em_backup_undo(const em_sys *sys, int dir, const em_look *target, const em_row *row,
                         em_error *err)
{
    em_look backup;
    if (!row->backup || !em_look_has(target, row->old_hash))
        return EM_OK;
    EM_TRY(em_look_at(sys, dir, row->backup, row->backup, &backup, err));
    if (!em_look_has(&backup, row->old_hash))
        return EM_OK;
    return em_name_remove(sys, dir, row->backup, row->backup, err);
}

/* backup.c: the backup of a file, chosen, made and taken back.
 *
 * A commit begins with em_backup_choose and ends with one of three: em_backup_move where the names
 * were exchanged, em_backup_link before a rename, em_backup_copy before a file is written over.
 */
#include "workspace/backup.h"

#include "workspace/opening.h"
#include "workspace/stage.h"
#include "workspace/sys_io.h"

#include <limits.h>
#include <stdio.h> /* RENAME_ */

enum { MOST = 10000 }; /* backups of one file */

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
    EM_TRY(name_find(ws->sys, dir, place->name, arena, out, err));
    const char *rel = em_name_beside(arena, file->rel, *out);
    return rel ? em_ws_check_rules(ws, place->root, rel, true, arena, err) : EM_E_NOMEM;
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

/* ---- After an exchange --------------------------------------------------------------------- */

/* An error does not prove that nothing happened. */
static bool is_moved(const em_sys *sys, int dir, const em_row *row)
{
    em_stat stat;
    return EM_SYS_RETRY(sys, stat, dir, row->temp, AT_SYMLINK_NOFOLLOW, &stat) == -ENOENT;
}

em_status em_backup_move(em_workspace *ws, int dir, const char *name, em_row *row, em_arena *arena,
                         em_error *err)
{
    int result;
    for (;;) {
        result = EM_SYS_RETRY(ws->sys, rename, dir, row->temp, dir, row->backup, RENAME_NOREPLACE);
        if (result != -EEXIST)
            break;
        EM_TRY(choose_again(ws, dir, name, row, arena, err));
    }
    if (result < 0 && !is_moved(ws->sys, dir, row))
        return em_io_fail(err, result, "rename to", row->backup);
    return EM_OK;
}

/* ---- Beforehand ---------------------------------------------------------------------------- */

em_status em_backup_link(em_flight *f)
{
    int dir = f->at->place.dir;
    int result;
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

/* A file for the copy: without a name, or *named where the system has no such files. */
static em_status copy_make(em_flight *f, int *fd, bool *named)
{
    int dir = f->at->place.dir;
    EM_TRY(em_stage_unnamed(f->ws->sys, dir, 0600, f->row.backup, fd, f->err));
    *named = *fd < 0;
    while (*fd < 0) {
        em_error why = EM_ERROR_INIT;
        const char *name = f->row.backup;
        em_status status = em_stage_named(f->ws->sys, dir, name, 0600, name, fd, &why);
        if (status == EM_E_EXISTS)
            status = choose_again(f->ws, dir, f->at->place.name, &f->row, f->arena, &why);
        if (status != EM_OK && f->err)
            *f->err = why;
        EM_TRY(status);
    }
    return EM_OK;
}

/* The old content, complete, with its attributes, in `fd`. */
static em_status copy_write(em_flight *f, int fd)
{
    em_attribute_losses losses;
    em_hash hash;
    em_content old = em_content_of(f->file, (em_splices){0});
    int result = EM_SYS_RETRY(f->ws->sys, stat, fd, "", AT_EMPTY_PATH, &f->backup);
    if (result < 0)
        return em_io_fail(f->err, result, "stat", f->row.backup);
    EM_TRY(em_content_write(&old, f->ws->sys, fd, f->row.backup, &hash, f->err));
    EM_TRY(em_stage_attributes(f->ws->sys, f->at->fd, &f->file->stat, fd, true, f->row.backup,
                               &losses, f->err));
    bool durable = f->ws->options.sync != EM_SYNC_OFF;
    return em_io_finish(f->ws->sys, fd, durable, f->row.backup, f->err);
}

static em_status copy_give_name(em_flight *f, int fd)
{
    int result;
    for (;;) {
        result = em_name_give(f->ws->sys, fd, f->at->place.dir, f->row.backup);
        if (result != -EEXIST)
            break;
        EM_TRY(choose_again(f->ws, f->at->place.dir, f->at->place.name, &f->row, f->arena, f->err));
    }
    return result < 0 ? em_io_fail(f->err, result, "link", f->row.backup) : EM_OK;
}

em_status em_backup_copy(em_flight *f)
{
    int fd;
    bool named;
    EM_TRY(copy_make(f, &fd, &named));
    em_status status = copy_write(f, fd);
    if (status == EM_OK && !named)
        status = copy_give_name(f, fd);
    EM_SYS(f->ws->sys, close, fd);
    f->backup_made = named || status == EM_OK;
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

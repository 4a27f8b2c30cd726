/* publish.c: the new content of a file takes the place of the old one, and what came out is looked
 * at.
 *
 * These are steps 6 and 7 of commit.c: em_flight_publish and em_flight_check_old. Others may come
 * in between any two calls, and may remove the temporary name, too: what happened is told by what
 * the names stand for.
 */
#include "workspace/flight.h"

#include "system/hash.h"
#include "system/names.h"
#include "system/sys_io.h"
#include "workspace/backup.h"
#include "workspace/opening.h"
#include "workspace/rehash.h"
#include "workspace/stage.h"

#include <stdio.h> /* RENAME_ */

enum { TRIES = 8 }; /* for a rename that a signal interrupts */

/* ---- 6: the exchange ----------------------------------------------------------------------- */

em_status em_flight_check_folder(const em_flight *f)
{
    int fd;
    if (strlen(f->file->rel) == strlen(f->at->rest)) /* in the root itself, which is held */
        return EM_OK;
    EM_TRY(em_file_open_folder(f->ws, f->file, &fd, f->err));
    EM_SYS(f->ws->sys, close, fd);
    return EM_OK;
}

em_status em_flight_check_stamp(const em_flight *f)
{
    const em_resolved *place = &f->at->place;
    em_stat now;
    int result = EM_SYS_RETRY(f->ws->sys, stat, place->dir, place->name, AT_SYMLINK_NOFOLLOW, &now);
    if (result == -ENOENT)
        return em_flight_conflict(f, "was removed since it was read");
    if (result < 0)
        return em_flight_fail(f, result, "stat");
    if (!em_stat_unchanged(&now, &f->file->stat))
        return em_flight_conflict(f, "was changed since it was read");
    return EM_OK;
}

em_status em_ws_check_unchanged(em_workspace *ws, em_file *file, em_error *err)
{
    const em_flight f = {.ws = ws, .file = file, .at = file->state, .err = err, .fd = -1};
    EM_TRY(em_flight_check_folder(&f));
    return em_flight_check_stamp(&f);
}

/* What a name stands for, as far as it is about our new content. */
typedef enum found { FOUND_NOTHING, FOUND_OURS, FOUND_OTHER } found;

static em_status look_for_ours(const em_flight *f, const char *name, found *what, em_error *err)
{
    em_stat now;
    int result = EM_SYS_RETRY(f->ws->sys, stat, f->at->place.dir, name, AT_SYMLINK_NOFOLLOW, &now);
    *what = result < 0                             ? FOUND_NOTHING
            : em_stat_same_inode(&now, &f->staged) ? FOUND_OURS
                                                   : FOUND_OTHER;
    if (result < 0 && result != -ENOENT)
        return em_io_fail(err, result, "stat the temporary file of", f->file->path);
    return EM_OK;
}

em_status em_flight_stray_is_ours(const em_flight *f, bool *ours, em_error *err)
{
    found what;
    EM_TRY(look_for_ours(f, f->temp, &what, err));
    *ours = what == FOUND_OURS;
    return EM_OK;
}

/* One of the names is gone. */
static em_status fail_gone(const em_flight *f)
{
    found stray, target;
    EM_TRY(look_for_ours(f, f->temp, &stray, f->err));
    EM_TRY(look_for_ours(f, f->at->place.name, &target, f->err));
    if (stray != FOUND_NOTHING || target == FOUND_NOTHING)
        return em_flight_conflict(f, "was removed since it was read");
    return em_fail(f->err, EM_E_IO,
                   "another program removed the temporary file %s, which was to replace %s",
                   f->temp, f->file->path);
}

em_status em_flight_check_stray(em_flight *f)
{
    em_stat now;
    em_look look;
    em_entry stray = em_flight_entry(f, f->temp);
    int result = EM_SYS_RETRY(f->ws->sys, stat, stray.dir, stray.name, AT_SYMLINK_NOFOLLOW, &now);
    if (result == -ENOENT) /* which is told where it is to be used */
        return EM_OK;
    if (result < 0)
        return em_flight_fail(f, result, "stat the temporary file of");
    if (em_stat_same_content(&now, &f->staged))
        return EM_OK;
    EM_TRY(em_look_at(stray, &look, f->err));
    bool is_ours =
        em_stat_same_inode(&look.stat, &f->staged) && em_look_has(&look, f->row.new_hash);
    if (is_ours || !look.exists)
        return EM_OK;
    f->stray_is_foreign = true;
    return em_fail(f->err, EM_E_IO,
                   "another program wrote to the temporary file %s, which was to become %s",
                   f->temp, f->file->path);
}

/* Without an exchange the old file is gone as soon as the new one is there. */
static em_status publish_by_rename(em_flight *f)
{
    const em_resolved *place = &f->at->place;
    if (f->row.backup)
        EM_TRY(em_backup_link(f));
    int result = EM_SYS_RETRY(f->ws->sys, rename, place->dir, f->temp, place->dir, place->name, 0);
    if (result == -ENOENT)
        return fail_gone(f);
    if (result < 0)
        return em_flight_fail(f, result, "rename to");
    f->old_gone = true;
    f->row.notes |= EM_NOTE_NO_EXCHANGE;
    em_flight_warn(f, "This file system cannot exchange two names: what somebody else saved in the "
                      "moment of the change would be lost");
    return EM_OK;
}

/* Did the names change places? Where somebody has removed the temporary one, the target tells. */
static em_status is_exchanged(const em_flight *f, bool *exchanged)
{
    found stray, target = FOUND_OTHER;
    EM_TRY(look_for_ours(f, f->temp, &stray, f->err));
    if (stray == FOUND_NOTHING)
        EM_TRY(look_for_ours(f, f->at->place.name, &target, f->err));
    *exchanged = stray == FOUND_OTHER || target == FOUND_OURS;
    return EM_OK;
}

/* An error does not prove that nothing happened, and asking again would undo it: so look what the
 * names stand for. */
static em_status exchange(em_flight *f, int *result)
{
    const em_resolved *place = &f->at->place;
    for (int i = 0; i < TRIES; i++) {
        bool exchanged;
        *result = EM_SYS(f->ws->sys, rename, place->dir, f->temp, place->dir, place->name,
                         RENAME_EXCHANGE);
        if (*result == 0)
            break;
        EM_TRY(is_exchanged(f, &exchanged));
        if (exchanged)
            *result = 0;
        if (*result != -EINTR)
            break;
    }
    return EM_OK;
}

em_status em_flight_exchange(em_flight *f, bool *unsupported)
{
    int result;
    EM_TRY(em_flight_check_stray(f));
    EM_TRY(em_flight_check_stamp(f));
    EM_TRY(exchange(f, &result));
    *unsupported = em_is_unsupported(result);
    if (*unsupported)
        return EM_OK;
    if (result == -ENOENT)
        return fail_gone(f);
    if (result < 0)
        return em_flight_fail(f, result, "exchange");
    f->exchanged = true;
    return EM_OK;
}

em_status em_flight_publish(em_flight *f)
{
    bool unsupported;
    EM_TRY(em_flight_check_folder(f));
    EM_TRY(em_flight_exchange(f, &unsupported));
    return unsupported ? publish_by_rename(f) : EM_OK;
}

/* ---- 7: what came out ---------------------------------------------------------------------- */

static em_status look_at_copy(const em_flight *f, bool *same)
{
    em_look copy;
    EM_TRY(em_look_at(em_flight_entry(f, f->temp), &copy, f->err));
    *same = em_look_has(&copy, f->file->hash);
    return EM_OK;
}

void em_flight_note_new_links(em_flight *f, const em_stat *old)
{
    if (old->nlink <= f->file->stat.nlink)
        return;
    f->other_names = old->nlink - 1;
    f->row.notes |= EM_NOTE_HARD_LINK;
}

em_status em_flight_check_attributes(const em_flight *f, int fd, bool *same)
{
    em_hash now;
    em_io_file old = {f->ws->sys, fd, f->file->path};
    EM_TRY(em_stage_hash_attributes(old, &now, f->err));
    *same = em_hash_eq(now, f->attributes);
    return EM_OK;
}

/* Is the file that came out the one that was read, and still what was read? Its mode and owner too:
 * ours has those that it had then, and what somebody has closed meanwhile would be open again. */
static em_status old_is_as_read(em_flight *f, bool *same, bool *gone)
{
    em_io_file old = {f->ws->sys, f->at->fd, f->file->path};
    em_stat now;
    em_hash hash;
    const em_halfway *halfway = &f->at->halfway;
    int result =
        EM_SYS_RETRY(f->ws->sys, stat, f->at->place.dir, f->temp, AT_SYMLINK_NOFOLLOW, &now);
    *gone = result == -ENOENT;
    if (*gone)
        return EM_OK;
    if (result < 0)
        return em_flight_fail(f, result, "stat the old content of");
    if (em_stat_may_be_copied_up(&now, &f->file->stat))
        return look_at_copy(f, same);
    *same = em_stat_same_but_for_names(&now, &f->file->stat);
    if (*same)
        EM_TRY(em_flight_check_attributes(f, f->at->fd, same));
    if (!*same)
        return EM_OK;
    em_flight_note_new_links(f, &now);
    if (halfway->hasher.state)
        return em_rehash(old, halfway, f->file->hash, same, f->err);
    EM_TRY(em_hash_file(old, &hash, f->err));
    *same = em_hash_eq(hash, f->file->hash);
    return EM_OK;
}

em_status em_flight_take_old_for_removed(em_flight *f)
{
    found target;
    EM_TRY(look_for_ours(f, f->at->place.name, &target, f->err));
    f->exchanged = false;
    f->old_gone = true;
    if (target != FOUND_OURS)
        return em_flight_conflict(f, target == FOUND_NOTHING
                                         ? "was removed in the moment of the change"
                                         : "was changed in the moment of the change");
    em_flight_warn(f,
                   "Another program removed the old content, which was %s, before it could be "
                   "compared with what was read%s",
                   f->temp, f->row.backup ? ", and so there is no backup" : "");
    f->row.backup = NULL;
    return EM_OK;
}

void em_flight_look_at_new(em_flight *f)
{
    em_look look;
    em_stat now;
    const em_resolved *place = &f->at->place;
    int result = EM_SYS_RETRY(f->ws->sys, stat, place->dir, place->name, AT_SYMLINK_NOFOLLOW, &now);
    if (result < 0 || em_stat_same_content(&now, &f->staged))
        return;
    if (em_look_at(em_flight_entry(f, place->name), &look, NULL) == EM_OK && look.exists &&
        !em_look_has(&look, f->row.new_hash))
        em_flight_warn(f, "Another program wrote to the file in the moment of the change: what it "
                          "holds now is not what this change wrote");
}

em_status em_flight_check_old(em_flight *f)
{
    bool same = false, gone;
    if (f->old_gone)
        return EM_OK;
    EM_TRY(old_is_as_read(f, &same, &gone));
    if (gone)
        return em_flight_take_old_for_removed(f);
    return same ? EM_OK : em_flight_conflict(f, "was changed in the moment of the change");
}

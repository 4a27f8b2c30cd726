/* repair.c: what is concluded from what is found, and done about it.
 *
 * The state diagrams of commit.c, create.c and in_place.c say what can be there when a process
 * dies. Here is the way from there; the lock of the file is held.
 *
 *   An edit that is pending:
 *   stray      target        conclusion                           done
 *   ------------------------------------------------------------------------------------------
 *   -          new           all was done but the row             row: made
 *   -          else          nothing was done, or a later change  row: made if a later change
 *                            has been built on it                 started from new, else dropped
 *   anything   anything      (new_ino 0) still being written      unlink the stray, drop the row
 *   old        new           (new_ino 0) exchanged                as below
 *   new        anything      not exchanged, or taken back         unlink the stray, drop the row
 *   old        anything      exchanged                            sync the folder; row: grace;
 *                                                                 unlink the stray; row: made
 *   else       new           a foreign save came out              exchange back, unlink, drop
 *   else, ours old, new boot torn by a power cut                  unlink the stray, drop the row
 *   else       else          foreign saves on both sides          a person must choose
 *
 *   (With --sync off, "old" and "ours, else" in another boot: the new content was torn by the power
 *   cut; a person must choose.)
 *
 *   An edit in its grace period: the stray is unlinked, or kept if it is not the old content.
 *   An edit of an earlier boot that was made: the same for a stray that has come back; where the
 *   stray is ours and the target old, the edit was lost, and it is undone.
 *   A create: the name has the new content, then it was made; else the folders that are empty go.
 *   An edit in place: old or new content tell; a mixture of the two is restored.
 *
 *  (1) Every step leaves a state of this table, so recovery can be killed and run again.
 *  (2) Names change, and are synced, before a row that tells of them is deleted.
 */
#include "workspace/repair.h"

#include "system/sys_io.h"
#include "workspace/backup.h"
#include "workspace/copies.h"
#include "workspace/grace.h"
#include "workspace/made_folders.h"
#include "workspace/unwind_file.h"

/* ---- Rows ---------------------------------------------------------------------------------- */

static em_status folder_sync(const em_repair *r)
{
    if (r->ws->options.sync != EM_SYNC_FULL)
        return EM_OK;
    return em_folder_sync(r->ws->sys, r->dir, r->path, r->err);
}

static em_status row_made(em_repair *r, em_row_state state)
{
    r->row->state = state;
    if (state == EM_ROW_DONE)
        r->row->temp = NULL;
    if (!r->row->forget)
        return em_history_mark(r->ws->history, r->row, r->err);
    EM_TRY(folder_sync(r));
    return em_history_drop(r->ws->history, r->row, r->err);
}

static em_status row_drop(em_repair *r, em_recovery_end *end)
{
    EM_TRY(folder_sync(r));
    *end = EM_RECOVERED_UNDONE;
    return em_history_drop(r->ws->history, r->row, r->err);
}

static em_status look(const em_repair *r, const char *name, em_look *out)
{
    return em_look_at(em_repair_entry(r, r->dir, name), out, r->err);
}

/* ---- An edit that is pending --------------------------------------------------------------- */

em_repair_verdict em_repair_judge(const em_row *row, const char *boot, const em_look *target,
                                  const em_look *stray)
{
    bool other_boot = strcmp(row->boot, boot) != 0;
    bool new_in_place = em_look_has(target, row->new_hash);
    if (!stray->exists)
        return new_in_place ? EM_VERDICT_MADE : EM_VERDICT_NOT_MADE;
    bool old_came_out = new_in_place && em_look_has(stray, row->old_hash);
    if (row->new_ino == 0) /* where syncs are left out, more may have happened than the row knows */
        return old_came_out ? EM_VERDICT_FINISH : EM_VERDICT_UNDO;
    if (em_look_has(stray, row->new_hash))
        return EM_VERDICT_UNDO;
    if (em_look_has(stray, row->old_hash)) {
        bool torn = other_boot && (row->notes & EM_NOTE_UNSYNCED) && !new_in_place &&
                    target->exists && target->stat.ino == row->new_ino;
        return torn ? EM_VERDICT_TO_PERSON : EM_VERDICT_FINISH;
    }
    if (new_in_place)
        return EM_VERDICT_PUT_BACK;
    if (other_boot && em_look_has(target, row->old_hash) && stray->stat.ino == row->new_ino)
        return EM_VERDICT_UNDO;
    return EM_VERDICT_TO_PERSON;
}

/* The old file goes where it would have gone. */
static em_status retire(em_repair *r)
{
    if (r->row->backup)
        return em_backup_keep(r->ws, r->dir, r->name, r->row, r->arena, r->err);
    return em_repair_remove_stray(r);
}

/* Before the old file goes the row says that the change is made, and before that the change is
 * durable: what is under the target's name afterwards does not matter any more. */
static em_status finish(em_repair *r, em_recovery_end *end)
{
    EM_TRY(folder_sync(r));
    r->row->state = EM_ROW_GRACE;
    EM_TRY(em_history_mark(r->ws->history, r->row, r->err));
    EM_TRY(retire(r));
    *end = EM_RECOVERED_DONE;
    return row_made(r, EM_ROW_NAMED);
}

static em_status undo(em_repair *r, const em_look *target, em_recovery_end *end)
{
    EM_TRY(folder_sync(r)); /* it may be that a foreign content was put back just before */
    EM_TRY(em_repair_remove_stray(r));
    EM_TRY(em_backup_undo(r->ws->sys, r->dir, target, r->row, r->err));
    return row_drop(r, end);
}

static em_status put_back(em_repair *r, em_recovery_end *end)
{
    em_ours ours = {.hash = r->row->new_hash, .ino = r->row->new_ino, .fd = -1};
    em_put_back outcome;
    EM_TRY(em_names_put_back(em_repair_entry(r, r->dir, r->name), r->row->temp, ours, &outcome,
                             r->err));
    if (outcome == EM_PUT_BACK_KEPT) {
        *end = EM_LEFT_TO_PERSON;
        return EM_OK;
    }
    EM_TRY(folder_sync(r)); /* their content has its name again before the other one goes */
    EM_TRY(em_repair_remove_stray(r));
    return row_drop(r, end);
}

static em_status not_made(em_repair *r, const em_look *target, em_recovery_end *end)
{
    bool was_new;
    EM_TRY(em_history_was_built_on(r->ws->history, r->row, &was_new, r->err));
    if (was_new) {
        *end = EM_RECOVERED_DONE;
        return row_made(r, EM_ROW_NAMED);
    }
    EM_TRY(em_backup_undo(r->ws->sys, r->dir, target, r->row, r->err));
    return row_drop(r, end);
}

/* A person says which of the two stays. */
static em_status by_person(em_repair *r, const em_look *target, em_recovery_end *end)
{
    *end = EM_LEFT_TO_PERSON;
    if (r->keep == EM_KEEP_ASK)
        return EM_OK;
    if (r->keep == EM_KEEP_TARGET)
        return undo(r, target, end);
    int result = EM_SYS_RETRY(r->ws->sys, rename, r->dir, r->row->temp, r->dir, r->name, 0);
    if (result < 0)
        return em_io_fail(r->err, result, "rename to", r->path);
    return row_drop(r, end);
}

static em_status repair_pending(em_repair *r, em_recovery_end *end)
{
    em_look stray, target;
    EM_TRY(look(r, r->row->temp, &stray));
    EM_TRY(look(r, r->name, &target));
    switch (em_repair_judge(r->row, r->ws->state.boot, &target, &stray)) {
    case EM_VERDICT_NOT_MADE:
        return not_made(r, &target, end);
    case EM_VERDICT_MADE:
        EM_TRY(folder_sync(r));
        *end = EM_RECOVERED_DONE;
        return row_made(r, EM_ROW_NAMED);
    case EM_VERDICT_UNDO:
        return undo(r, &target, end);
    case EM_VERDICT_FINISH:
        return finish(r, end);
    case EM_VERDICT_PUT_BACK:
        return put_back(r, end);
    case EM_VERDICT_TO_PERSON:
        break;
    }
    return by_person(r, &target, end);
}

/* ---- An edit that was made ----------------------------------------------------------------- */

static em_status repair_grace(em_repair *r, em_recovery_end *end)
{
    bool kept = false;
    if (r->row->backup) {
        EM_TRY(retire(r));
        r->row->state = EM_ROW_NAMED;
    } else {
        EM_TRY(em_grace_end_row(r->ws->sys, r->dir, r->row, r->path, &kept, r->err));
    }
    *end = kept ? EM_RECOVERED_KEPT : EM_RECOVERED_DONE;
    /* Nobody came to that; later nothing would say that it is to be done. */
    if (strcmp(r->row->boot, r->ws->state.boot) == 0)
        em_made_folders_remove_undone(r->ws, (em_rows){r->row, 1});
    return row_made(r, r->row->state);
}

/* In an earlier boot; its temporary name may have come back with the power. Where our new content
 * came back under it, the exchange itself was lost, as can happen without syncs. */
static em_status repair_named(em_repair *r, em_recovery_end *end)
{
    em_look stray, target;
    EM_TRY(look(r, r->row->temp, &stray));
    EM_TRY(look(r, r->name, &target));
    bool ours = em_look_has(&stray, r->row->new_hash) || stray.stat.ino == r->row->new_ino;
    if (stray.exists && ours && em_look_has(&target, r->row->old_hash))
        return undo(r, &target, end);
    EM_TRY(repair_grace(r, end));
    if (r->row->state == EM_ROW_DONE)
        return EM_OK;
    EM_TRY(folder_sync(r)); /* nobody looks for the name again, so it must not come back again */
    return row_made(r, EM_ROW_DONE);
}

/* ---- A create ------------------------------------------------------------------------------ */

static em_status create_look(const em_repair *r, em_look *target)
{
    int folder;
    *target = (em_look){0};
    EM_TRY(em_repair_open_folders(r, &folder));
    if (folder < 0)
        return EM_OK;
    em_status status = em_look_at(em_repair_entry(r, folder, r->name), target, r->err);
    if (status == EM_OK && r->ws->options.sync == EM_SYNC_FULL &&
        em_look_has(target, r->row->new_hash))
        status = em_folder_sync(r->ws->sys, folder, r->path, r->err);
    EM_SYS(r->ws->sys, close, folder);
    return status;
}

static em_status repair_create(em_repair *r, em_recovery_end *end)
{
    em_look target;
    EM_TRY(em_repair_remove_stray(r)); /* a create exchanges nothing: it can only be ours */
    EM_TRY(create_look(r, &target));
    if (em_look_has(&target, r->row->new_hash)) {
        *end = EM_RECOVERED_DONE;
        return row_made(r, EM_ROW_DONE);
    }
    if (r->row->folders)
        EM_TRY(em_folders_remove(r->ws->sys, r->dir, r->row->folders, 0, r->path, r->err));
    return row_drop(r, end);
}

/* ---- An edit in place ---------------------------------------------------------------------- */

typedef struct in_place {
    int copies; /* O_PATH of the folder */
    int copy;   /* -1 where it is missing */
    em_look target;
} in_place;

static em_status copy_remove(const em_repair *r, const in_place *p)
{
    return em_name_remove(em_repair_entry(r, p->copies, r->row->temp), r->err);
}

static em_status in_place_undone(em_repair *r, const in_place *p, em_recovery_end *end)
{
    EM_TRY(copy_remove(r, p));
    *end = EM_RECOVERED_UNDONE;
    if (!r->row->backup)
        return em_history_drop(r->ws->history, r->row, r->err);
    EM_TRY(em_backup_undo(r->ws->sys, r->dir, &p->target, r->row, r->err));
    return row_drop(r, end);
}

/* Open what stands under the name now, and is a regular file. */
static em_status target_open(const em_repair *r, int flags, int *fd)
{
    *fd = EM_SYS_RETRY(r->ws->sys, open, r->dir, r->name, flags | O_NOFOLLOW | O_NONBLOCK, 0, 0);
    return *fd < 0 ? em_io_fail(r->err, *fd, "open", r->path) : EM_OK;
}

/* What can be read may be on its way to the disk still, and torn if the power goes: the copy must
 * last until it is there. */
static em_status target_sync(const em_repair *r)
{
    int fd;
    EM_TRY(target_open(r, O_RDONLY, &fd));
    em_status status = em_io_sync((em_io_file){r->ws->sys, fd, r->path}, false, r->err);
    EM_SYS(r->ws->sys, close, fd);
    return status;
}

/* Write the old content over what stands under the name now. */
static em_status restore(em_repair *r, in_place *p, em_recovery_end *end)
{
    int fd;
    EM_TRY(target_open(r, O_RDWR, &fd));
    em_status status = em_copy_restore(r->ws->sys, p->copy, r->row, fd, r->err);
    EM_SYS(r->ws->sys, close, fd);
    EM_TRY(status);
    EM_TRY(look(r, r->name, &p->target));
    return in_place_undone(r, p, end);
}

/* Is what is there the work of a change that was interrupted? */
static em_status is_interrupted(const em_repair *r, const in_place *p, bool *interrupted)
{
    int fd;
    *interrupted = p->target.regular && p->target.stat.ino == r->row->old_ino;
    if (!*interrupted)
        return EM_OK;
    EM_TRY(target_open(r, O_RDONLY, &fd));
    em_status status =
        em_copy_explains(r->ws->sys, p->copy, r->row, fd, p->target.stat.size, interrupted, r->err);
    EM_SYS(r->ws->sys, close, fd);
    return status;
}

static em_status in_place_made(em_repair *r, const in_place *p, em_recovery_end *end)
{
    EM_TRY(target_sync(r));
    EM_TRY(copy_remove(r, p));
    *end = EM_RECOVERED_DONE;
    return row_made(r, EM_ROW_DONE);
}

typedef enum in_place_verdict {
    IN_PLACE_MADE,
    IN_PLACE_NOT_BEGUN,
    IN_PLACE_RESTORED,    /* the old content is there */
    IN_PLACE_INTERRUPTED, /* a mixture */
    IN_PLACE_TO_PERSON,
} in_place_verdict;

static em_status in_place_judge(const em_repair *r, const in_place *p, in_place_verdict *verdict)
{
    bool complete = false, interrupted;
    *verdict = IN_PLACE_MADE;
    if (em_look_has(&p->target, r->row->new_hash))
        return EM_OK;
    *verdict = IN_PLACE_NOT_BEGUN;
    if (p->copy >= 0)
        EM_TRY(em_copy_is_complete(r->ws->sys, p->copy, r->row, &complete, r->err));
    if (!complete) /* nothing was written over before it was */
        return EM_OK;
    *verdict = IN_PLACE_RESTORED;
    if (em_look_has(&p->target, r->row->old_hash))
        return EM_OK;
    EM_TRY(is_interrupted(r, p, &interrupted));
    *verdict = interrupted ? IN_PLACE_INTERRUPTED : IN_PLACE_TO_PERSON;
    return EM_OK;
}

static em_status in_place_end(em_repair *r, in_place *p, em_recovery_end *end)
{
    in_place_verdict verdict;
    EM_TRY(in_place_judge(r, p, &verdict));
    if (verdict == IN_PLACE_MADE)
        return in_place_made(r, p, end);
    if (verdict == IN_PLACE_RESTORED)
        EM_TRY(target_sync(r));
    if (verdict == IN_PLACE_NOT_BEGUN || verdict == IN_PLACE_RESTORED)
        return in_place_undone(r, p, end);
    if (verdict == IN_PLACE_INTERRUPTED || r->keep == EM_KEEP_STRAY)
        return restore(r, p, end);
    if (r->keep == EM_KEEP_TARGET)
        return in_place_undone(r, p, end);
    *end = EM_LEFT_TO_PERSON;
    return EM_OK;
}

static em_status in_place_open(const em_repair *r, in_place *p)
{
    EM_TRY(look(r, r->name, &p->target));
    EM_TRY(em_copies_open(r->ws, &p->copies, r->err));
    p->copy = EM_SYS_RETRY(r->ws->sys, open, p->copies, r->row->temp, O_RDONLY | O_NOFOLLOW, 0, 0);
    if (p->copy >= 0 || p->copy == -ENOENT)
        return EM_OK;
    EM_SYS(r->ws->sys, close, p->copies);
    return em_state_fail(r->err, p->copy, "open", r->row->temp);
}

static void in_place_close(const em_repair *r, const in_place *p)
{
    if (p->copy >= 0)
        EM_SYS(r->ws->sys, close, p->copy);
    EM_SYS(r->ws->sys, close, p->copies);
}

static em_status repair_in_place(em_repair *r, em_recovery_end *end)
{
    in_place p;
    EM_TRY(in_place_open(r, &p));
    em_status status = in_place_end(r, &p, end);
    in_place_close(r, &p);
    return status;
}

/* ---- A removal ----------------------------------------------------------------------------- */

/* Its transaction has no journal: it was not made, or syncs were left out and nobody knows. */
static em_status repair_removal(em_repair *r, em_recovery_end *end)
{
    EM_TRY(em_unwind_file_put_back(r, end));
    return *end == EM_RECOVERED_UNDONE ? row_drop(r, end) : EM_OK;
}

/* ---- Only looking -------------------------------------------------------------------------- */

static em_status in_place_is_left(const em_repair *r, bool *left)
{
    in_place p;
    in_place_verdict verdict = IN_PLACE_MADE;
    EM_TRY(in_place_open(r, &p));
    em_status status = in_place_judge(r, &p, &verdict);
    in_place_close(r, &p);
    *left = verdict == IN_PLACE_TO_PERSON;
    return status;
}

em_status em_repair_is_left(const em_repair *r, bool *left)
{
    em_look stray, target;
    *left = false;
    if (r->row->kind == EM_ROW_CREATE)
        return EM_OK;
    if (r->row->kind == EM_ROW_IN_PLACE)
        return in_place_is_left(r, left);
    if (r->row->kind == EM_ROW_REMOVE)
        return em_unwind_file_is_left(r, left);
    EM_TRY(look(r, r->row->temp, &stray));
    EM_TRY(look(r, r->name, &target));
    *left = em_repair_judge(r->row, r->ws->state.boot, &target, &stray) == EM_VERDICT_TO_PERSON;
    return EM_OK;
}

/* ---- Any row ------------------------------------------------------------------------------- */

em_status em_repair_row(em_repair *repair, em_recovery_end *end)
{
    bool same_boot = strcmp(repair->row->boot, repair->ws->state.boot) == 0;
    if (repair->row->state == EM_ROW_GRACE && same_boot)
        return repair_grace(repair, end);
    if (repair->row->state != EM_ROW_PENDING)
        return repair_named(repair, end);
    if (repair->row->kind == EM_ROW_CREATE)
        return repair_create(repair, end);
    if (repair->row->kind == EM_ROW_IN_PLACE)
        return repair_in_place(repair, end);
    if (repair->row->kind == EM_ROW_REMOVE)
        return repair_removal(repair, end);
    return repair_pending(repair, end);
}

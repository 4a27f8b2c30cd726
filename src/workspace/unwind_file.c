/* unwind_file.c: one file of a transaction, from what is found under its two names.
 *
 *   To be taken back (the journal is prepared):
 *             stray      target      conclusion                       done
 *   ------------------------------------------------------------------------------------------
 *   edit      -          new (ours)  exchanged; then somebody removed it stays, as a commit
 *                                    the old
 *             -          else        nothing was done, or it is over  nothing
 *             new        anything    not exchanged, or taken back     (cleared afterwards)
 *             old, else  new         exchanged                        exchange back
 *             old        old         somebody put the old back        the stray goes
 *             old, else  -, else     somebody changed it since        a person must choose
 *   create    -          new (ours)  made                             move it to the stray name
 *             new        anything    not made, or taken back          (cleared afterwards)
 *             else       -           that move took a foreign save    move it back
 *             else       else        and somebody saved another       a person must choose
 *             -          else        not made, or somebody's own      nothing
 *   remove    -          anything    nothing was done, or it is over  nothing
 *             old, else  -           removed                          the stray gets its name
 *             old        old         somebody put the old back        the stray goes
 *             old, else  else        somebody made another            a person must choose
 *
 *   To be finished (it is committed): the stray is unlinked where it is old or ours, and becomes
 *   the backup if there is to be one; where it is neither, somebody wrote to the old file, and it
 *   stays. The target is not looked at.
 *
 *  (1) Whatever is under the target's name and is not our new content stays there; and what
 *      somebody removed does not come back.
 *  (2) Every step leaves a state of this table, so it can be stopped anywhere and done again.
 *  (3) A created file is recognised by its inode too: the same content may be somebody's own.
 */
#include "workspace/unwind_file.h"

#include "system/sys_io.h"
#include "workspace/backup.h"

#include <stdio.h> /* RENAME_ */

/* What stands under the two names. */
typedef struct pair {
    int folder; /* where the target's name is; r->dir, or a descriptor of ours; -1: never made */
    em_look stray, target;
} pair;

static em_status look(const em_repair *r, int dir, const char *name, em_look *out)
{
    return em_look_at(em_repair_entry(r, dir, name), out, r->err);
}

/* Is this our new content? After a power cut without syncs it may be torn. */
static bool is_ours(const em_repair *r, const em_look *found)
{
    bool other_boot = strcmp(r->row->boot, r->ws->state.boot) != 0;
    if (r->row->kind == EM_ROW_REMOVE)
        return false;
    return em_look_has(found, r->row->new_hash) ||
           (other_boot && found->regular && found->stat.ino == r->row->new_ino &&
            !em_look_has(found, r->row->old_hash));
}

/* What was done to a file that was there. */
typedef enum verdict {
    NOT_DONE, /* or it is over */
    EXCHANGED,
    OLD_IS_GONE, /* exchanged, and nothing is there that could be put back */
    REMOVED,
    RESTORED, /* by somebody else */
    BOTH_FOREIGN,
} verdict;

static verdict judge_old(const em_repair *r, const pair *p)
{
    bool edited = r->row->kind == EM_ROW_EDIT;
    if (edited && !p->stray.exists && is_ours(r, &p->target) &&
        p->target.stat.ino == r->row->new_ino)
        return OLD_IS_GONE;
    if (!p->stray.exists || is_ours(r, &p->stray))
        return NOT_DONE;
    if (is_ours(r, &p->target))
        return EXCHANGED;
    if (!p->target.exists && r->row->kind == EM_ROW_REMOVE)
        return REMOVED;
    bool both =
        em_look_has(&p->stray, r->row->old_hash) && em_look_has(&p->target, r->row->old_hash);
    return both ? RESTORED : BOTH_FOREIGN;
}

/* Of one that was to be made: did a foreign save come out, and is another in its place? */
static bool is_left_new(const em_repair *r, const pair *p)
{
    return p->stray.exists && !is_ours(r, &p->stray) && p->target.exists;
}

/* ---- Moving one name ----------------------------------------------------------------------- */

/* The stray gets the file's name, where nothing has it. *taken: something has. */
static em_status move_back(const em_repair *r, int folder, bool *taken)
{
    const em_sys *sys = r->ws->sys;
    int result = EM_SYS_RETRY(sys, rename, r->dir, r->row->temp, folder, r->name, RENAME_NOREPLACE);
    if (em_is_unsupported(result)) {
        result = EM_SYS_RETRY(sys, link, r->dir, r->row->temp, folder, r->name, 0);
        if (result == 0)
            return em_repair_remove_stray(r);
    }
    *taken = result == -EEXIST;
    return result < 0 && !*taken ? em_io_fail(r->err, result, "rename to", r->path) : EM_OK;
}

/* Where both names hold what others wrote. */
static em_status by_person(const em_repair *r, int folder, em_recovery_end *end)
{
    *end = EM_LEFT_TO_PERSON;
    if (r->keep == EM_KEEP_ASK)
        return EM_OK;
    *end = EM_RECOVERED_UNDONE;
    if (r->keep == EM_KEEP_TARGET)
        return em_repair_remove_stray(r);
    int result = EM_SYS_RETRY(r->ws->sys, rename, r->dir, r->row->temp, folder, r->name, 0);
    return result < 0 ? em_io_fail(r->err, result, "rename to", r->path) : EM_OK;
}

static em_status move_back_or_ask(const em_repair *r, int folder, em_recovery_end *end)
{
    bool taken = false;
    EM_TRY(move_back(r, folder, &taken));
    return taken ? by_person(r, folder, end) : EM_OK;
}

/* ---- Edits and removals -------------------------------------------------------------------- */

static em_status exchange_back(const em_repair *r, const pair *p, em_recovery_end *end)
{
    em_ours ours = {.hash = r->row->new_hash,
                    .ino = r->row->new_ino,
                    .fd = -1,
                    .gone_stays = em_look_has(&p->stray, r->row->old_hash)};
    em_put_back outcome;
    EM_TRY(em_names_put_back(em_repair_entry(r, r->dir, r->name), r->row->temp, ours, &outcome,
                             r->err));
    return outcome == EM_PUT_BACK_CLEAN ? EM_OK : by_person(r, r->dir, end);
}

static em_status put_back_old(const em_repair *r, const pair *p, em_recovery_end *end)
{
    switch (judge_old(r, p)) {
    case NOT_DONE:
        return EM_OK;
    case EXCHANGED:
        return exchange_back(r, p, end);
    case OLD_IS_GONE:
        *end = EM_RECOVERED_DONE;
        r->row->state = EM_ROW_NAMED;
        return EM_OK;
    case REMOVED:
        return move_back_or_ask(r, r->dir, end);
    case RESTORED:
        return em_repair_remove_stray(r);
    case BOTH_FOREIGN:
        break;
    }
    return by_person(r, r->dir, end);
}

/* ---- Creations ----------------------------------------------------------------------------- */

/* Out of the way first, and only then looked at once more: what somebody saved in between is not
 * lost. */
static em_status take_away(const em_repair *r, pair *p, em_recovery_end *end)
{
    int result = EM_SYS_RETRY(r->ws->sys, rename, p->folder, r->name, r->dir, r->row->temp, 0);
    if (result == -ENOENT)
        return EM_OK;
    if (result < 0)
        return em_io_fail(r->err, result, "rename", r->path);
    EM_TRY(look(r, r->dir, r->row->temp, &p->stray));
    if (!p->stray.exists || is_ours(r, &p->stray))
        return EM_OK;
    return move_back_or_ask(r, p->folder, end);
}

static em_status put_back_nothing(const em_repair *r, pair *p, em_recovery_end *end)
{
    bool made = p->target.stat.ino == r->row->new_ino && is_ours(r, &p->target);
    if (p->stray.exists && !is_ours(r, &p->stray))
        return p->folder >= 0 ? move_back_or_ask(r, p->folder, end) : EM_OK;
    if (!made)
        return EM_OK;
    if (p->stray.exists) /* it has both names */
        EM_TRY(em_repair_remove_stray(r));
    return take_away(r, p, end);
}

/* ---- Taking back --------------------------------------------------------------------------- */

/* pair_close() whatever comes of it. */
static em_status pair_look(const em_repair *r, pair *p)
{
    *p = (pair){.folder = r->dir};
    if (r->row->kind == EM_ROW_CREATE && r->row->folders)
        EM_TRY(em_repair_open_folders(r, &p->folder));
    EM_TRY(look(r, r->dir, r->row->temp, &p->stray));
    return p->folder >= 0 ? look(r, p->folder, r->name, &p->target) : EM_OK;
}

static void pair_close(const em_repair *r, const pair *p)
{
    if (p->folder >= 0 && p->folder != r->dir)
        EM_SYS(r->ws->sys, close, p->folder);
}

static em_status put_back(em_repair *r, pair *p, em_recovery_end *end)
{
    EM_TRY(pair_look(r, p));
    *end = EM_RECOVERED_UNDONE;
    return r->row->kind == EM_ROW_CREATE ? put_back_nothing(r, p, end) : put_back_old(r, p, end);
}

em_status em_unwind_file_put_back(em_repair *r, em_recovery_end *end)
{
    pair p;
    em_status status = put_back(r, &p, end);
    pair_close(r, &p);
    return status;
}

em_status em_unwind_file_is_left(const em_repair *r, bool *left)
{
    pair p;
    em_status status = pair_look(r, &p);
    *left = r->row->kind == EM_ROW_CREATE ? is_left_new(r, &p) : judge_old(r, &p) == BOTH_FOREIGN;
    pair_close(r, &p);
    return status;
}

em_status em_unwind_file_clear(em_repair *r)
{
    em_look stray;
    EM_TRY(look(r, r->dir, r->row->temp, &stray));
    if (stray.exists && !is_ours(r, &stray))
        return em_fail(r->err, EM_E_IO, "%s is not what was written there", r->row->temp);
    EM_TRY(em_repair_remove_stray(r));
    if (r->row->kind != EM_ROW_CREATE || !r->row->folders)
        return EM_OK;
    return em_folders_remove(r->ws->sys, r->dir, r->row->folders, 0, r->path, r->err);
}

/* ---- Finishing ----------------------------------------------------------------------------- */

static em_status retire(em_repair *r, const em_look *stray, em_recovery_end *end)
{
    bool old = em_look_has(stray, r->row->old_hash);
    if (old && r->row->backup)
        return em_backup_keep(r->ws, r->dir, r->name, r->row, r->arena, r->err);
    if (old || is_ours(r, stray))
        return em_repair_remove_stray(r);
    *end = EM_RECOVERED_KEPT;
    em_row_keep_foreign(r->row);
    return EM_OK;
}

em_status em_unwind_file_finish(em_repair *r, em_recovery_end *end)
{
    em_look stray;
    *end = EM_RECOVERED_DONE;
    bool made = r->row->kind == EM_ROW_CREATE;
    r->row->state = made ? EM_ROW_DONE : EM_ROW_NAMED;
    EM_TRY(look(r, r->dir, r->row->temp, &stray));
    if (stray.exists)
        EM_TRY(retire(r, &stray, end));
    if (made)
        r->row->temp = NULL;
    return EM_OK;
}

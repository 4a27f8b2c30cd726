/* recover_row.c: one row: its folder is reached, its lock taken, and it is put right.
 */
#include "workspace/recover_impl.h"

#include "workspace/made_folders.h"
#include "workspace/recorded.h"

const em_recover_options em_recover_own_roots = {.all = false, .keep = EM_KEEP_ASK};

em_status em_recover_row_journal(const em_row_recovery *r, em_journal_stage *stage)
{
    *stage = EM_JOURNAL_NONE;
    if (!r->row.txn || r->journals < 0)
        return EM_OK;
    return em_journal_find(r->ws->sys, r->journals, r->row.txn, stage, r->err);
}

static em_status is_of_journal(const em_row_recovery *r, bool *is)
{
    em_journal_stage stage;
    EM_TRY(em_recover_row_journal(r, &stage));
    *is = stage != EM_JOURNAL_NONE;
    return EM_OK;
}

/* *taken is false when somebody else has it. */
static em_status take_lock(em_row_recovery *r, unsigned slot, bool *taken)
{
    em_status status = em_lock_take(&r->ws->locks, slot, 0, r->err);
    *taken = status == EM_OK;
    return status == EM_E_TIMEOUT ? EM_OK : status;
}

em_status em_recover_row_in_grace(const em_row_recovery *r, bool *is)
{
    *is = false;
    return r->row.state <= EM_ROW_GRACE ? em_lock_row_is_owned(&r->ws->locks, r->row.id, is, r->err)
                                        : EM_OK;
}

em_repair em_recover_row_repair(em_row_recovery *r)
{
    return (em_repair){.ws = r->ws,
                       .row = &r->row,
                       .dir = r->reach.dir,
                       .name = r->reach.name,
                       .path = r->reach.path,
                       .keep = r->options->keep,
                       .arena = r->arena,
                       .err = r->err};
}

/* By its owner, or by another recovery: what is made in this boot has nobody looking for its name.
 */
static bool is_ended(const em_row_recovery *r)
{
    bool same_boot = strcmp(r->row.boot, r->ws->state.boot) == 0;
    return r->row.id == 0 || r->row.state == EM_ROW_DONE ||
           (r->row.state == EM_ROW_NAMED && same_boot);
}

/* With the lock: read the row again, and put it right. */
static em_status repair_locked(em_row_recovery *r, em_recovery_end *end)
{
    EM_TRY(em_history_reread(r->ws->history, &r->row, r->arena, r->err));
    r->was_pending = r->row.id != 0 && r->row.state == EM_ROW_PENDING;
    if (is_ended(r)) {
        *end = EM_RECOVERED_DONE;
        return EM_OK;
    }
    if (!em_row_is_sane(&r->row))
        return em_fail(r->err, EM_E_IO, "the row is damaged");
    bool of_journal, in_grace;
    EM_TRY(is_of_journal(r, &of_journal));
    EM_TRY(em_recover_row_in_grace(r, &in_grace));
    *end = in_grace ? EM_LEFT_IN_GRACE : EM_LEFT_HELD;
    if (of_journal || in_grace)
        return EM_OK;
    em_repair repair = em_recover_row_repair(r);
    return em_repair_row(&repair, end);
}

static em_status repair_under_lock(em_row_recovery *r, em_recovery_end *end)
{
    unsigned slot = em_lock_slot(r->reach.folder.ino, r->reach.rest);
    bool taken = false;
    *end = EM_LEFT_HELD;
    EM_TRY(take_lock(r, slot, &taken));
    if (!taken)
        return EM_OK;
    em_status status = repair_locked(r, end);
    em_lock_release(&r->ws->locks, slot);
    return status;
}

static em_status row_forget(em_row_recovery *r, em_recovery_end *end)
{
    *end = EM_RECOVERED_FORGOTTEN;
    return em_history_drop(r->ws->history, &r->row, r->err);
}

/* The row says itself that the change was made; nobody looks for its name any more. */
static em_status row_made(em_row_recovery *r, em_recovery_end *end)
{
    *end = EM_RECOVERED_DONE;
    r->row.state = EM_ROW_DONE;
    r->row.temp = NULL;
    return em_history_settle(r->ws->history, &r->row, r->row.forget, r->err);
}

/* An undoing took the file away, and with it the folders that had been made for it; it was killed
 * before it said so. */
static em_status went_with_its_folder(const em_row_recovery *r, bool *went)
{
    bool in_other, same_boot = strcmp(r->row.boot, r->ws->state.boot) == 0;
    *went = false;
    if (r->row.state != EM_ROW_GRACE || r->row.kind != EM_ROW_REMOVE || !same_boot)
        return EM_OK;
    EM_TRY(em_reach_has_other(r->ws, &r->row, &r->reach, &in_other, r->err));
    *went = !in_other && em_made_folders_remove_undone(r->ws, (em_rows){&r->row, 1});
    return EM_OK;
}

/* The folder is gone, or another. A name in it need not be looked for; but that a change which was
 * not finished has no meaning any more, only a person can say, and not while its stray is in
 * sight. */
static em_status unreachable(em_row_recovery *r, em_recovery_end *end)
{
    bool in_sight, in_other, went;
    EM_TRY(went_with_its_folder(r, &went));
    if (went || r->row.state == EM_ROW_NAMED)
        return row_made(r, end);
    *end = EM_LEFT_UNREACHABLE;
    if (r->options->keep == EM_KEEP_ASK)
        return EM_OK;
    EM_TRY(em_reach_has_other(r->ws, &r->row, &r->reach, &in_other, r->err));
    if (in_other) {
        em_reach_take_other(&r->reach);
        return repair_under_lock(r, end);
    }
    EM_TRY(em_reach_finds_stray(r->ws, &r->row, &r->reach, r->arena, &in_sight, r->err));
    if (in_sight || r->options->keep == EM_KEEP_STRAY)
        return EM_OK;
    return r->row.state == EM_ROW_PENDING ? row_forget(r, end) : row_made(r, end);
}

static em_status recover_steps(em_row_recovery *r, const em_row *row, bool *mine,
                               em_recovery_end *end)
{
    bool of_journal, in_grace;
    r->row = *row;
    r->was_pending = row->state == EM_ROW_PENDING;
    if (!em_row_is_sane(row) && r->options->keep == EM_KEEP_TARGET)
        return row_forget(r, end);
    if (!em_row_is_sane(row))
        return em_fail(r->err, EM_E_IO, "the row is damaged");
    EM_TRY(em_reach_name(row, r->arena, &r->reach));
    EM_TRY(is_of_journal(r, &of_journal));
    *mine = !of_journal;
    if (of_journal)
        return EM_OK;
    EM_TRY(em_reach_open(r->ws, row, r->options->all, r->arena, &r->reach, r->err));
    *mine = r->reach.mine;
    if (!*mine)
        return EM_OK;
    if (r->reach.dir >= 0)
        return repair_under_lock(r, end);
    /* Its owner has the folder, wherever that is now. */
    EM_TRY(em_recover_row_in_grace(r, &in_grace));
    *end = EM_LEFT_IN_GRACE;
    return in_grace ? EM_OK : unreachable(r, end);
}

em_status em_recover_row(em_row_recovery *r, const em_row *row, bool *mine, em_recovery_end *end)
{
    *mine = true;
    r->reach = (em_reach){.dir = -1, .other = -1};
    em_status status = recover_steps(r, row, mine, end);
    em_reach_close(r->ws, &r->reach);
    if (status == EM_OK || status == EM_E_NOMEM)
        return status;
    *end = EM_LEFT_UNREADABLE;
    return EM_OK;
}

em_status em_recover_open_rows(em_workspace *ws, em_arena *arena, em_rows *rows, em_error *err)
{
    *rows = (em_rows){0};
    EM_TRY(em_ws_open_history(ws, err));
    if (!ws->history)
        return EM_OK;
    return em_history_open_rows(ws->history, EM_ROW_GRACE, ws->state.boot, arena, rows, err);
}

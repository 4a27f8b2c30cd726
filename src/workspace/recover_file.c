/* recover_file.c: what is pending of a file that is to be opened. */
#include "workspace/recover_impl.h"

#include "workspace/recorded.h"
#include "workspace/unwind_file.h"

#include <stdio.h>

/* What is asked about a file whose lock is held. */
typedef struct file_question {
    em_workspace *ws;
    const em_file_state *file;
    int journals;
    em_arena *arena;
    em_recover_again *again;
    em_error *err;
} file_question;

/* *r: the row's recovery, as far as its names tell. *is: is it a row of this file? */
static em_status row_look(const file_question *q, const em_row *row, em_row_recovery *r, bool *is)
{
    *is = false;
    *r = (em_row_recovery){.ws = q->ws,
                           .options = &em_recover_own_roots,
                           .row = *row,
                           .journals = q->journals,
                           .arena = q->arena,
                           .err = q->err};
    if (!em_row_is_sane(row))
        return EM_OK;
    EM_TRY(em_reach_name(row, q->arena, &r->reach));
    bool same_place = em_reach_is_folder(q->ws, row, &q->file->folder) &&
                      strcmp(r->reach.rest, q->file->rest) == 0;
    *is = same_place || strcmp(r->reach.path, q->file->place.path) == 0;
    return EM_OK;
}

static em_status file_row_left(const file_question *q, const em_row_recovery *r,
                               em_recovery_end end)
{
    bool copied = r->row.kind == EM_ROW_IN_PLACE;
    if (end == EM_LEFT_TO_PERSON)
        return em_fail(q->err, EM_E_UNSETTLED,
                       "an earlier change of %s was interrupted, and somebody else has changed the "
                       "file since: its other content is %s%s %s; choose one with `emend recover`",
                       r->reach.path, copied ? "copies/" : "", r->row.temp,
                       copied ? "of the state directory" : "in the same folder");
    if (end == EM_LEFT_UNREADABLE)
        return em_fail(q->err, EM_E_UNSETTLED,
                       "an earlier change of %s was interrupted and cannot be recovered (%s): see "
                       "`emend recover`",
                       r->reach.path, r->err->detail);
    return EM_OK;
}

/* ---- With its lock -------------------------------------------------------------------------- */

static em_status file_row_recover(const file_question *q, const em_row *row)
{
    em_error why = EM_ERROR_INIT;
    em_row_recovery r;
    bool is, mine;
    em_journal_stage stage;
    em_recovery_end end = EM_LEFT_UNREADABLE;
    EM_TRY(row_look(q, row, &r, &is));
    if (!is)
        return EM_OK;
    EM_TRY(em_recover_row_journal(&r, &stage));
    if (stage != EM_JOURNAL_NONE) {
        snprintf(q->again->txn, sizeof q->again->txn, "%s", row->txn);
        q->again->row = row->id;
        return EM_OK;
    }
    r.err = &why;
    EM_TRY(em_recover_row(&r, row, &mine, &end));
    if (!mine)
        return EM_OK;
    em_recover_notice(&r, end == EM_LEFT_TO_PERSON ? EM_LEFT_HELD : end);
    EM_TRY(file_row_left(q, &r, end));
    q->again->changed |= end == EM_RECOVERED_DONE || end == EM_RECOVERED_UNDONE;
    return EM_OK;
}

typedef em_status row_action(const file_question *q, const em_row *row);

static em_status each_row_of(file_question *q, row_action *act)
{
    em_rows rows;
    EM_TRY(em_history_open_rows(q->ws->history, EM_ROW_PENDING, NULL, q->arena, &rows, q->err));
    if (rows.count == 0)
        return EM_OK;
    EM_TRY(em_journals_open(q->ws, false, &q->journals, q->err));
    em_status status = EM_OK;
    for (size_t i = 0; i < rows.count && status == EM_OK; i++)
        status = act(q, &rows.items[i]);
    if (q->journals >= 0)
        EM_SYS(q->ws->sys, close, q->journals);
    return status;
}

em_status em_recover_file(em_workspace *ws, const em_file_state *file, em_recover_again *again,
                          em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    file_question q = {
        .ws = ws, .file = file, .journals = -1, .arena = &arena, .again = again, .err = err};
    *again = (em_recover_again){0};
    EM_TRY(em_ws_open_history(ws, err));
    return ws->history ? each_row_of(&q, file_row_recover) : EM_OK;
}

/* ---- For a dry run -------------------------------------------------------------------------- */

/* What all files of its journal are refused for. */
static em_status foresee_txn(const em_row_recovery *r)
{
    em_error why = EM_ERROR_INIT;
    em_journal_stage stage;
    em_txn_recovery t = {.ws = r->ws,
                         .journals = r->journals,
                         .name = r->row.txn,
                         .arena = r->arena,
                         .err = &why,
                         .end = EM_RECOVERED_UNDONE};
    em_status status = em_txn_look(&t, &stage);
    if (status == EM_E_NOMEM)
        return status;
    if (status != EM_OK)
        t.end = EM_LEFT_UNREADABLE;
    return em_txn_left(&t, r->row.id, r->err);
}

/* Without the lock: whoever takes it meanwhile has its own row, or ends this one. What will be
 * finished asks nobody. */
static em_status is_left_here(em_row_recovery *r, em_journal_stage stage, bool *left)
{
    bool held, in_grace;
    unsigned slot = em_lock_slot(r->reach.folder.ino, r->reach.rest);
    EM_TRY(em_lock_is_held(&r->ws->locks, slot, &held, r->err));
    EM_TRY(em_recover_row_in_grace(r, &in_grace));
    if (held || in_grace)
        return EM_OK;
    EM_TRY(em_history_reread(r->ws->history, &r->row, r->arena, r->err));
    if (r->row.id == 0 || r->row.state != EM_ROW_PENDING)
        return EM_OK;
    if (stage != EM_JOURNAL_NONE)
        EM_TRY(foresee_txn(r));
    em_repair repair = em_recover_row_repair(r);
    if (stage == EM_JOURNAL_NONE)
        return em_repair_is_left(&repair, left);
    return stage == EM_JOURNAL_PREPARED ? em_unwind_file_is_left(&repair, left) : EM_OK;
}

/* One that is out of reach or damaged is not looked at. */
static em_status row_foresee(const file_question *q, const em_row *row)
{
    em_row_recovery r;
    em_journal_stage stage;
    bool is, left = false;
    EM_TRY(row_look(q, row, &r, &is));
    if (!is)
        return EM_OK;
    EM_TRY(em_recover_row_journal(&r, &stage));
    em_status status = em_reach_open(q->ws, row, false, q->arena, &r.reach, q->err);
    if (status == EM_OK && r.reach.mine && r.reach.dir >= 0)
        status = is_left_here(&r, stage, &left);
    em_reach_close(q->ws, &r.reach);
    EM_TRY(status);
    return left ? file_row_left(q, &r, EM_LEFT_TO_PERSON) : EM_OK;
}

/* Is there a journal that every change is refused for? */
static em_status journals_foresee(em_workspace *ws, int journals, em_arena *arena, em_error *err)
{
    const char **names;
    size_t count;
    em_rows rows;
    EM_TRY(em_journal_names(ws->sys, journals, arena, &names, &count, err));
    if (count > 0)
        EM_TRY(em_recover_open_rows(ws, arena, &rows, err));
    for (size_t i = 0; i < count; i++) {
        em_error why = EM_ERROR_INIT;
        em_journal_stage stage;
        em_txn_recovery t = {.ws = ws,
                             .journals = journals,
                             .name = names[i],
                             .arena = arena,
                             .err = &why,
                             .end = EM_LEFT_UNREADABLE};
        em_status status = em_txn_look(&t, &stage);
        if (status == EM_E_NOMEM)
            return status;
        if (status != EM_OK)
            EM_TRY(em_txn_check_readable(&t, &rows, err));
    }
    return EM_OK;
}

static em_status all_journals_foresee(em_workspace *ws, em_arena *arena, em_error *err)
{
    int journals;
    EM_TRY(em_journals_open(ws, false, &journals, err));
    if (journals < 0)
        return EM_OK;
    em_status status = journals_foresee(ws, journals, arena, err);
    EM_SYS(ws->sys, close, journals);
    return status;
}

em_status em_recover_foresee(em_workspace *ws, const em_file_state *file, em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    em_error why = EM_ERROR_INIT;
    em_status status = em_ws_state(ws, false, &why);
    if (status == EM_E_NOT_FOUND)
        return EM_OK;
    if (status != EM_OK && err)
        *err = why;
    EM_TRY(status);
    EM_TRY(em_ws_open_history(ws, err));
    EM_TRY(all_journals_foresee(ws, &arena, err));
    file_question q = {.ws = ws, .file = file, .journals = -1, .arena = &arena, .err = err};
    return ws->history ? each_row_of(&q, row_foresee) : EM_OK;
}

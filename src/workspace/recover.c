/* recover.c: what a dead process left is found, locked and put right, one by one.
 *
 *  (1) A row is only touched with the lock of its file, taken without waiting. Where it is held,
 *      its owner lives, and the row is left; so is one whose owner keeps the old file for late
 *      writes (grace.h).
 *  (2) With the lock, the row is read again: its owner, or another recovery, may have ended it.
 *  (3) Only what lies inside the roots is touched, unless all was asked for (reach.h).
 *  (4) A row that cannot be put right stays, and hinders nobody but those who change its file.
 *  (5) As long as the journal of a transaction is there it speaks for all of its rows, and they are
 *      not touched on their own.
 *
 *   transaction   em_txn_recover (recover_txn.c), before any row
 *   row           recover_row: reach the folder - lock - read again - em_repair_row - unlock
 *
 * What is concluded from what is found stands at the heads of repair.c and settle.c.
 */
#include "workspace/recover.h"

#include "system/sys_io.h"
#include "workspace/past.h"
#include "workspace/reach.h"
#include "workspace/recover_txn.h"
#include "workspace/repair.h"
#include "workspace/settle.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* One row while it is recovered. */
typedef struct recovering {
    em_workspace *ws;
    const em_recover_options *options;
    em_row row;
    bool was_pending; /* when last looked at, with its lock where that could be had */
    em_reach reach;
    int journals; /* O_PATH of their folder; -1: there is none */
    em_arena *arena;
    em_error *err;
} recovering;

/* ---- One row ------------------------------------------------------------------------------- */

/* How far its transaction is, as long as there is a journal, which speaks for it. */
static em_status journal_of(const recovering *r, em_journal_stage *stage)
{
    *stage = EM_JOURNAL_NONE;
    if (!r->row.txn || r->journals < 0)
        return EM_OK;
    return em_journal_find(r->ws->sys, r->journals, r->row.txn, stage, r->err);
}

static em_status is_of_journal(const recovering *r, bool *is)
{
    em_journal_stage stage;
    EM_TRY(journal_of(r, &stage));
    *is = stage != EM_JOURNAL_NONE;
    return EM_OK;
}

/* *taken is false when somebody else has it. */
static em_status take_lock(recovering *r, unsigned slot, bool *taken)
{
    em_status status = em_lock_take(&r->ws->locks, slot, 0, r->err);
    *taken = status == EM_OK;
    return status == EM_E_TIMEOUT ? EM_OK : status;
}

/* Is it made, and its old file kept by a process that lives? The row may not say so yet, or not
 * any more what it had to. */
static em_status is_in_grace(const recovering *r, bool *is)
{
    *is = false;
    return r->row.state <= EM_ROW_GRACE ? em_lock_row_is_owned(&r->ws->locks, r->row.id, is, r->err)
                                        : EM_OK;
}

static em_repair repair_of(recovering *r)
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
static bool is_ended(const recovering *r)
{
    bool same_boot = strcmp(r->row.boot, r->ws->state.boot) == 0;
    return r->row.id == 0 || r->row.state == EM_ROW_DONE ||
           (r->row.state == EM_ROW_NAMED && same_boot);
}

/* With the lock: read the row again, and put it right. */
static em_status repair_locked(recovering *r, em_recovery_end *end)
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
    EM_TRY(is_in_grace(r, &in_grace));
    *end = in_grace ? EM_LEFT_IN_GRACE : EM_LEFT_HELD;
    if (of_journal || in_grace)
        return EM_OK;
    em_repair repair = repair_of(r);
    return em_repair_row(&repair, end);
}

static em_status repair_under_lock(recovering *r, em_recovery_end *end)
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

static em_status row_forget(recovering *r, em_recovery_end *end)
{
    *end = EM_RECOVERED_FORGOTTEN;
    return em_history_drop(r->ws->history, &r->row, r->err);
}

/* The row says itself that the change was made; nobody looks for its name any more. */
static em_status row_made(recovering *r, em_recovery_end *end)
{
    *end = EM_RECOVERED_DONE;
    r->row.state = EM_ROW_DONE;
    r->row.temp = NULL;
    return em_history_settle(r->ws->history, &r->row, r->row.forget, r->err);
}

/* The folder is gone, or another. A name in it need not be looked for; but that a change which was
 * not finished has no meaning any more, only a person can say, and not while its stray is in
 * sight. */
static em_status unreachable(recovering *r, em_recovery_end *end)
{
    bool in_sight, in_other;
    if (r->row.state == EM_ROW_NAMED)
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

static em_status recover_steps(recovering *r, const em_row *row, bool *mine, em_recovery_end *end)
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
    EM_TRY(is_in_grace(r, &in_grace)); /* its owner has the folder, wherever that is now */
    *end = EM_LEFT_IN_GRACE;
    return in_grace ? EM_OK : unreachable(r, end);
}

/* Recover one row; *mine is false where it lies outside what this recovery looks at, or a journal
 * speaks for it. A failure of memory is a status, any other is an end. */
static em_status recover_row(recovering *r, const em_row *row, bool *mine, em_recovery_end *end)
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

/* ---- Before a change ----------------------------------------------------------------------- */

static const em_recover_options own_roots = {.all = false, .keep = EM_KEEP_ASK};

/* What the user should hear of it, with the next answer. */
static void notice(em_workspace *ws, const recovering *r, em_recovery_end end)
{
    const char *path = r->reach.path;
    if (end == EM_RECOVERED_KEPT)
        em_ws_notice(
            ws,
            "Somebody who had opened %s before it was changed wrote to it afterwards; that "
            "content is kept as %s in the same folder",
            path, r->row.kept);
    else if (end == EM_RECOVERED_UNDONE && r->was_pending)
        em_ws_notice(ws, "A change of %s that was interrupted earlier was undone", path);
    else if (end == EM_RECOVERED_DONE && r->was_pending)
        em_ws_notice(ws, "A change of %s that was interrupted earlier was completed", path);
    else if (end == EM_LEFT_TO_PERSON)
        em_ws_notice(ws, "An interrupted change of %s needs a decision: see `emend recover`", path);
}

/* The same of a transaction. */
static void notice_txn(const em_txn_recovery *t)
{
    size_t count = t->ends ? t->journal.count : 0; /* none: it was not even begun with */
    const char *files = count == 1 ? "1 file" : em_arena_format(t->arena, "%zu files", count);
    if (!files || count == 0)
        return;
    if (t->end == EM_RECOVERED_UNDONE)
        em_ws_notice(t->ws, "A change of %s that was interrupted earlier was undone", files);
    else if (t->end == EM_RECOVERED_DONE)
        em_ws_notice(t->ws, "A change of %s that was interrupted earlier was completed", files);
    else if (t->end == EM_LEFT_TO_PERSON)
        em_ws_notice(t->ws, "An interrupted change of %s needs a decision: see `emend recover`",
                     files);
    for (size_t i = 0; i < count; i++) {
        if (t->ends[i] == EM_RECOVERED_KEPT)
            em_ws_notice(t->ws,
                         "Somebody who had opened %s/%s before it was changed wrote to it "
                         "afterwards; that content is kept as %s in the same folder",
                         t->journal.rows[i].root, t->journal.rows[i].path, t->journal.rows[i].kept);
    }
}

/* A journal that was never whole: its process died before anything was exchanged, and is what is
 * left of it when its rows are settled. */
static em_status remove_unwritten(em_workspace *ws, int journals, const char *name, em_arena *arena,
                                  em_error *err)
{
    em_rows rows = {0};
    em_journal_stage stage;
    EM_TRY(em_journal_find(ws->sys, journals, name, &stage, err));
    if (stage == EM_JOURNAL_NONE && ws->history)
        EM_TRY(em_history_open_rows(ws->history, EM_ROW_PENDING, NULL, arena, &rows, err));
    if (stage != EM_JOURNAL_NONE || em_rows_have_txn(&rows, name))
        return EM_OK;
    return em_journal_remove(ws, journals, name, EM_JOURNAL_NONE, err);
}

/* After the rows. */
static em_status remove_all_unwritten(em_workspace *ws, int journals, em_arena *arena,
                                      em_error *err)
{
    const char **names;
    size_t count;
    EM_TRY(em_journal_names(ws->sys, journals, arena, &names, &count, err));
    for (size_t i = 0; i < count; i++)
        EM_TRY(remove_unwritten(ws, journals, names[i], arena, err));
    return EM_OK;
}

static em_status recover_txns_before_change(em_workspace *ws, int journals, const em_rows *rows,
                                            em_arena *arena, em_error *err)
{
    const char **names;
    size_t count;
    EM_TRY(em_journal_names(ws->sys, journals, arena, &names, &count, err));
    for (size_t i = 0; i < count; i++) {
        em_error why = EM_ERROR_INIT;
        em_txn_recovery t = {
            .ws = ws, .journals = journals, .name = names[i], .arena = arena, .err = &why};
        EM_TRY(em_txn_recover(&t));
        if (t.mine)
            notice_txn(&t);
        EM_TRY(em_txn_check_readable(&t, rows, err));
    }
    return EM_OK;
}

static em_status recover_rows_before_change(em_workspace *ws, int journals, const em_rows *rows,
                                            em_arena *arena)
{
    for (size_t i = 0; i < rows->count; i++) {
        em_error ignored = EM_ERROR_INIT;
        recovering r = {
            .ws = ws, .options = &own_roots, .journals = journals, .arena = arena, .err = &ignored};
        bool mine;
        em_recovery_end end = EM_LEFT_UNREADABLE;
        EM_TRY(recover_row(&r, &rows->items[i], &mine, &end));
        if (mine)
            notice(ws, &r, end);
    }
    return EM_OK;
}

static em_status rows_before_change(em_workspace *ws, em_arena *arena, em_rows *rows, em_error *err)
{
    *rows = (em_rows){0};
    EM_TRY(em_past_open(ws, err));
    if (!ws->history)
        return EM_OK;
    return em_history_open_rows(ws->history, EM_ROW_GRACE, ws->state.boot, arena, rows, err);
}

em_status em_recover_before_change(em_workspace *ws, em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    em_rows rows;
    int journals;
    EM_TRY(rows_before_change(ws, &arena, &rows, err));
    EM_TRY(em_journals_open(ws, false, &journals, err));
    em_status status = EM_OK;
    if (journals >= 0)
        status = recover_txns_before_change(ws, journals, &rows, &arena, err);
    if (status == EM_OK)
        status = recover_rows_before_change(ws, journals, &rows, &arena);
    if (status == EM_OK && journals >= 0)
        status = remove_all_unwritten(ws, journals, &arena, err);
    if (journals >= 0)
        EM_SYS(ws->sys, close, journals);
    return status;
}

/* ---- One file ------------------------------------------------------------------------------ */

/* What is asked about a file whose lock is held. */
typedef struct file_question {
    em_workspace *ws;
    const em_file_state *file;
    int journals;
    em_arena *arena;
    em_recover_again *again;
    em_error *err;
} file_question;

/* Is it a row of this file? */
static bool is_of_file(const recovering *r, const em_file_state *file)
{
    bool same_place =
        em_reach_is_folder(r->ws, &r->row, &file->folder) && strcmp(r->reach.rest, file->rest) == 0;
    return same_place || strcmp(r->reach.path, file->place.path) == 0;
}

static em_status file_row_left(const file_question *q, const recovering *r, em_recovery_end end)
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

static em_status file_row_recover(const file_question *q, const em_row *row)
{
    em_error why = EM_ERROR_INIT;
    recovering r = {.ws = q->ws,
                    .options = &own_roots,
                    .row = *row,
                    .journals = q->journals,
                    .arena = q->arena,
                    .err = &why};
    bool mine, of_journal;
    em_recovery_end end = EM_LEFT_UNREADABLE;
    if (!em_row_is_sane(row))
        return EM_OK;
    EM_TRY(em_reach_name(row, q->arena, &r.reach));
    if (!is_of_file(&r, q->file))
        return EM_OK;
    r.err = q->err;
    EM_TRY(is_of_journal(&r, &of_journal));
    if (of_journal) {
        snprintf(q->again->txn, sizeof q->again->txn, "%s", row->txn);
        q->again->row = row->id;
        return EM_OK;
    }
    r.err = &why;
    EM_TRY(recover_row(&r, row, &mine, &end));
    if (!mine)
        return EM_OK;
    notice(q->ws, &r, end == EM_LEFT_TO_PERSON ? EM_LEFT_HELD : end);
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
    EM_TRY(em_past_open(ws, err));
    return ws->history ? each_row_of(&q, file_row_recover) : EM_OK;
}

/* ---- One transaction ----------------------------------------------------------------------- */

em_status em_recover_txn(em_workspace *ws, const em_recover_again *again, em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    em_error why = EM_ERROR_INIT;
    em_txn_recovery t = {.ws = ws,
                         .name = again->txn,
                         .wait_ms = ws->options.lock_timeout_ms,
                         .arena = &arena,
                         .err = &why};
    EM_TRY(em_journals_open(ws, false, &t.journals, err));
    if (t.journals < 0)
        return EM_OK;
    em_status status = em_txn_recover(&t);
    EM_SYS(ws->sys, close, t.journals);
    EM_TRY(status);
    if (t.mine)
        notice_txn(&t);
    return em_txn_left(&t, again->row, err);
}

/* ---- For a dry run ------------------------------------------------------------------------- */

/* What all files of its journal are refused for. */
static em_status foresee_txn(const recovering *r)
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
static em_status is_left_here(recovering *r, em_journal_stage stage, bool *left)
{
    bool held, in_grace;
    unsigned slot = em_lock_slot(r->reach.folder.ino, r->reach.rest);
    EM_TRY(em_lock_is_held(&r->ws->locks, slot, &held, r->err));
    EM_TRY(is_in_grace(r, &in_grace));
    if (held || in_grace)
        return EM_OK;
    EM_TRY(em_history_reread(r->ws->history, &r->row, r->arena, r->err));
    if (r->row.id == 0 || r->row.state != EM_ROW_PENDING)
        return EM_OK;
    if (stage != EM_JOURNAL_NONE)
        EM_TRY(foresee_txn(r));
    em_repair repair = repair_of(r);
    if (stage == EM_JOURNAL_NONE)
        return em_repair_is_left(&repair, left);
    return stage == EM_JOURNAL_PREPARED ? em_settle_is_left(&repair, left) : EM_OK;
}

/* One that is out of reach or damaged is not looked at. */
static em_status row_foresee(const file_question *q, const em_row *row)
{
    recovering r = {.ws = q->ws,
                    .options = &own_roots,
                    .row = *row,
                    .journals = q->journals,
                    .arena = q->arena,
                    .err = q->err};
    em_journal_stage stage;
    bool left = false;
    if (!em_row_is_sane(row))
        return EM_OK;
    EM_TRY(em_reach_name(row, q->arena, &r.reach));
    if (!is_of_file(&r, q->file))
        return EM_OK;
    EM_TRY(journal_of(&r, &stage));
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
        EM_TRY(rows_before_change(ws, arena, &rows, err));
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
    EM_TRY(em_past_open(ws, err));
    EM_TRY(all_journals_foresee(ws, &arena, err));
    file_question q = {.ws = ws, .file = file, .journals = -1, .arena = &arena, .err = err};
    return ws->history ? each_row_of(&q, row_foresee) : EM_OK;
}

/* ---- `emend recover` ----------------------------------------------------------------------- */

/* Does `id` name the row, with or without its token? */
static bool is_named(const em_row *row, const char *id)
{
    char whole[64], number[32];
    em_row_show_id(row, whole);
    snprintf(number, sizeof number, "%" PRId64, row->id);
    return !id || strcmp(id, whole) == 0 || strcmp(id, number) == 0;
}

/* Where the other content of a row is. */
static const char *stray_path(const recovering *r)
{
    const char *name = r->row.kept ? r->row.kept : r->row.temp;
    if (!name || !em_row_is_sane(&r->row))
        return NULL;
    if (r->row.kind == EM_ROW_IN_PLACE)
        return em_arena_format(r->arena, "%s/copies/%s", r->ws->state.path, name);
    return em_reach_stray(&r->reach, name, r->arena);
}

/* Why the folder of the row was out of reach; *in_other: where its stray is. */
static em_status tell_why_unreachable(const recovering *r, const char **why, bool *in_other)
{
    em_reach reach = r->reach;
    bool in_sight = false;
    em_status status = em_reach_open(r->ws, &r->row, true, r->arena, &reach, NULL);
    bool is_other = reach.other >= 0;
    if (status == EM_OK)
        status = em_reach_has_other(r->ws, &r->row, &reach, in_other, NULL);
    if (status == EM_OK)
        status = em_reach_finds_stray(r->ws, &r->row, &reach, r->arena, &in_sight, NULL);
    em_reach_close(r->ws, &reach);
    *why = "the folder that it was made in is gone, or was moved";
    if (*in_other)
        *why = "another folder is in the place of the one that it was made in";
    else if (in_sight)
        *why = "a link is in the place of the folder that it was made in, and leads to what it "
               "left (which must go first for it to be forgotten)";
    else if (is_other)
        *why = "another folder is in the place of the one that it was made in, and what it left "
               "is not in it";
    return status == EM_E_NOMEM ? status : EM_OK; /* what cannot be seen is not there for us */
}

static em_status recovery_add(em_recovery *recovery, const recovering *r, em_recovery_end end)
{
    em_recovered found = {.path = r->reach.path ? r->reach.path : "",
                          .txn = r->row.txn,
                          .stray = stray_path(r),
                          .detail = "",
                          .tool = r->row.origin.tool,
                          .client = r->row.origin.client,
                          .time_ms = r->row.time_ms,
                          .end = end};
    em_row_show_id(&r->row, found.id);
    if (end == EM_LEFT_UNREACHABLE)
        EM_TRY(tell_why_unreachable(r, &found.detail, &found.in_other));
    if (end == EM_LEFT_UNREADABLE || end == EM_LEFT_DAMAGED) {
        found.detail = em_arena_string(r->arena, em_slice_of(r->err->detail));
        if (!found.detail)
            return EM_E_NOMEM;
    }
    EM_TRY(em_arena_grow(r->arena, (void **)&recovery->items, recovery->count, &recovery->room,
                         sizeof *recovery->items));
    recovery->items[recovery->count++] = found;
    return EM_OK;
}

/* One call of em_recover. */
typedef struct asked {
    em_workspace *ws;
    const em_recover_options *options;
    em_rows rows; /* as they were before */
    int journals; /* -1: there are none */
    bool found;   /* what options->id names */
    em_arena *arena;
    em_recovery *recovery;
    em_error *err;
} asked;

/* The rows to look at; none where there is no state directory, or no history in it. */
static em_status asked_open(asked *a, bool named_too)
{
    a->journals = -1;
    *a->recovery = (em_recovery){0};
    em_status status = em_ws_state(a->ws, false, a->err);
    if (status == EM_E_NOT_FOUND)
        return EM_OK;
    EM_TRY(status);
    EM_TRY(em_past_open(a->ws, a->err));
    if (a->ws->history)
        EM_TRY(em_history_open_rows(a->ws->history, EM_ROW_GRACE,
                                    named_too ? a->ws->state.boot : NULL, a->arena, &a->rows,
                                    a->err));
    return em_journals_open(a->ws, false, &a->journals, a->err);
}

static void asked_close(const asked *a)
{
    if (a->journals >= 0)
        EM_SYS(a->ws->sys, close, a->journals);
}

/* The row that the history had of one of a journal, with who made it; else the journal's own. */
static const em_row *row_known(const asked *a, const em_row *row)
{
    for (size_t i = 0; i < a->rows.count; i++) {
        if (a->rows.items[i].id == row->id && a->rows.items[i].token == row->token)
            return &a->rows.items[i];
    }
    return row;
}

static em_status add_row_of_txn(const asked *a, em_error *why, const em_row *row,
                                em_recovery_end end)
{
    recovering r = {.ws = a->ws, .row = *row_known(a, row), .arena = a->arena, .err = why};
    r.row.kept = row->kept;
    EM_TRY(em_reach_name(&r.row, a->arena, &r.reach));
    return recovery_add(a->recovery, &r, end);
}

/* All that is known of a transaction whose journal cannot be read: what the history says. */
static em_status add_unreadable(const asked *a, em_error *why, const char *name)
{
    bool known = false;
    for (size_t i = 0; i < a->rows.count; i++) {
        const em_row *row = &a->rows.items[i];
        if (!row->txn || strcmp(row->txn, name) != 0 || !em_row_is_sane(row))
            continue;
        known = true;
        EM_TRY(add_row_of_txn(a, why, row, EM_LEFT_DAMAGED));
    }
    recovering r = {.ws = a->ws, .row = {.txn = name}, .arena = a->arena, .err = why};
    return known ? EM_OK : recovery_add(a->recovery, &r, EM_LEFT_DAMAGED);
}

/* Is the transaction named by options->id, or one of its rows? That row is what a choice is
 * about. */
static bool is_asked_for(const asked *a, const char *name, int64_t *row)
{
    const char *id = a->options->id;
    *row = 0;
    if (!id || strcmp(id, name) == 0)
        return true;
    for (size_t i = 0; i < a->rows.count; i++) {
        const em_row *one = &a->rows.items[i];
        if (!one->txn || strcmp(one->txn, name) != 0 || !is_named(one, id))
            continue;
        *row = one->id;
        return true;
    }
    return false;
}

static em_status recover_txn(asked *a, const char *name)
{
    em_error why = EM_ERROR_INIT;
    em_txn_recovery t = {.ws = a->ws,
                         .journals = a->journals,
                         .name = name,
                         .all = a->options->all,
                         .keep = a->options->keep,
                         .arena = a->arena,
                         .err = &why};
    if (!is_asked_for(a, name, &t.keep_only))
        return EM_OK;
    EM_TRY(em_txn_recover(&t));
    if (!t.mine)
        return EM_OK;
    a->found = true;
    bool damaged = t.end == EM_LEFT_UNREADABLE && t.journal.count == 0;
    if (damaged && a->options->keep == EM_KEEP_TARGET)
        return em_journal_set_aside(a->ws, a->journals, name, a->err);
    if (damaged)
        return add_unreadable(a, &why, name);
    for (size_t i = 0; i < t.journal.count; i++) {
        bool each = t.ends && t.end != EM_LEFT_HELD;
        EM_TRY(add_row_of_txn(a, &why, &t.journal.rows[i], each ? t.ends[i] : t.end));
    }
    return EM_OK;
}

static em_status recover_txns(asked *a)
{
    const char **names;
    size_t count;
    if (a->journals < 0)
        return EM_OK;
    EM_TRY(em_journal_names(a->ws->sys, a->journals, a->arena, &names, &count, a->err));
    for (size_t i = 0; i < count; i++)
        EM_TRY(recover_txn(a, names[i]));
    return EM_OK;
}

static em_status recover_one(asked *a, const em_row *row)
{
    em_error why = EM_ERROR_INIT;
    recovering r = {.ws = a->ws,
                    .options = a->options,
                    .journals = a->journals,
                    .arena = a->arena,
                    .err = &why};
    bool mine;
    em_recovery_end end = EM_LEFT_UNREADABLE;
    em_row now = *row;
    bool named =
        is_named(row, a->options->id) || (row->txn && strcmp(row->txn, a->options->id) == 0);
    if (!named)
        return EM_OK;
    if (row->txn) { /* it may have ended with its transaction */
        EM_TRY(em_history_reread(a->ws->history, &now, a->arena, a->err));
        if (now.id == 0 || now.state != row->state)
            return EM_OK;
    }
    EM_TRY(recover_row(&r, row, &mine, &end));
    if (!mine)
        return EM_OK;
    a->found = true;
    if (row->state == EM_ROW_NAMED && end == EM_RECOVERED_DONE)
        return EM_OK; /* made long ago, and nothing was found */
    if (end != EM_RECOVERED_KEPT)
        r.row = *row; /* its names are told as they were */
    return recovery_add(a->recovery, &r, end);
}

static em_status recover_all(asked *a)
{
    EM_TRY(recover_txns(a));
    for (size_t i = 0; i < a->rows.count; i++)
        EM_TRY(recover_one(a, &a->rows.items[i]));
    if (a->options->id && !a->found)
        return em_fail(a->err, EM_E_NOT_FOUND, "no change %s is pending here", a->options->id);
    return a->journals < 0 ? EM_OK : remove_all_unwritten(a->ws, a->journals, a->arena, a->err);
}

em_status em_recover(em_workspace *ws, const em_recover_options *options, em_arena *arena,
                     em_recovery *recovery, em_error *err)
{
    asked a = {.ws = ws, .options = options, .arena = arena, .recovery = recovery, .err = err};
    EM_TRY(em_ws_check_may_change(ws, err));
    EM_TRY(asked_open(&a, true));
    em_status status = recover_all(&a);
    asked_close(&a);
    return status;
}

/* ---- What waits ---------------------------------------------------------------------------- */

static em_status list_row(const asked *a, const em_row *row)
{
    recovering r = {.ws = a->ws, .row = *row, .arena = a->arena, .err = a->err};
    if (!em_row_is_sane(row))
        return EM_OK;
    bool in_grace;
    EM_TRY(em_reach_name(row, a->arena, &r.reach));
    em_status status = em_reach_open(a->ws, row, a->options->all, a->arena, &r.reach, a->err);
    em_reach_close(a->ws, &r.reach);
    if (status == EM_E_NOMEM)
        return status;
    if (!r.reach.mine)
        return EM_OK;
    EM_TRY(is_in_grace(&r, &in_grace));
    return recovery_add(a->recovery, &r, in_grace ? EM_LEFT_IN_GRACE : EM_RECOVERY_NOT_TRIED);
}

/* A journal of which the history knows nothing. */
static em_status list_txn(const asked *a, const char *name)
{
    em_error why = EM_ERROR_INIT;
    em_journal journal;
    em_journal_stage stage;
    if (em_rows_have_txn(&a->rows, name))
        return EM_OK;
    EM_TRY(em_journal_find(a->ws->sys, a->journals, name, &stage, a->err));
    em_status status =
        em_journal_read(a->ws->sys, a->journals, name, stage, a->arena, &journal, &why);
    if (status == EM_E_NOMEM)
        return status;
    if (status != EM_OK)
        return add_unreadable(a, &why, name);
    for (size_t i = 0; i < journal.count; i++)
        EM_TRY(list_row(a, &journal.rows[i]));
    return EM_OK;
}

static em_status list_all(const asked *a)
{
    const char **names;
    size_t count = 0;
    for (size_t i = 0; i < a->rows.count; i++)
        EM_TRY(list_row(a, &a->rows.items[i]));
    if (a->journals >= 0)
        EM_TRY(em_journal_names(a->ws->sys, a->journals, a->arena, &names, &count, a->err));
    for (size_t i = 0; i < count; i++)
        EM_TRY(list_txn(a, names[i]));
    return EM_OK;
}

em_status em_recover_list(em_workspace *ws, bool all, em_arena *arena, em_recovery *recovery,
                          em_error *err)
{
    em_recover_options options = {.all = all};
    asked a = {.ws = ws, .options = &options, .arena = arena, .recovery = recovery, .err = err};
    EM_TRY(asked_open(&a, false));
    em_status status = list_all(&a);
    asked_close(&a);
    return status;
}

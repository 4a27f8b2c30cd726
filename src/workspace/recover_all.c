/* recover_all.c: all that is pending, for a person: it is recovered, or only listed, and told of.
 */
#include "workspace/recover_impl.h"

#include "workspace/recorded.h"

#include <inttypes.h>
#include <stdio.h>

/* ---- What is told --------------------------------------------------------------------------- */

/* Does `id` name the row, with or without its token? */
static bool is_named(const em_row *row, const char *id)
{
    char whole[64], number[32];
    em_row_show_id(row, whole);
    snprintf(number, sizeof number, "%" PRId64, row->id);
    return !id || strcmp(id, whole) == 0 || strcmp(id, number) == 0;
}

/* Where the other content of a row is; NULL: it has none. */
static em_status stray_path(const em_row_recovery *r, const char **path)
{
    const char *name = r->row.kept ? r->row.kept : r->row.temp;
    *path = NULL;
    if (!name || !em_row_is_sane(&r->row))
        return EM_OK;
    *path = r->row.kind == EM_ROW_IN_PLACE
                ? em_arena_format(r->arena, "%s/copies/%s", r->ws->state.path, name)
                : em_reach_stray(&r->reach, name, r->arena);
    return *path ? EM_OK : EM_E_NOMEM;
}

/* Why the folder of the row was out of reach; *in_other: where its stray is. */
static em_status tell_why_unreachable(const em_row_recovery *r, const char **why, bool *in_other)
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

static em_status recovery_add(em_recovery *recovery, const em_row_recovery *r, em_recovery_end end)
{
    em_recovered found = {.path = r->reach.path ? r->reach.path : "",
                          .txn = r->row.txn,
                          .detail = "",
                          .tool = r->row.origin.tool,
                          .client = r->row.origin.client,
                          .time_ms = r->row.time_ms,
                          .end = end};
    em_row_show_id(&r->row, found.id);
    EM_TRY(stray_path(r, &found.stray));
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

/* ---- What is asked -------------------------------------------------------------------------- */

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
    EM_TRY(em_ws_open_history(a->ws, a->err));
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
    em_row_recovery r = {.ws = a->ws, .row = *row_known(a, row), .arena = a->arena, .err = why};
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
    em_row_recovery r = {.ws = a->ws, .row = {.txn = name}, .arena = a->arena, .err = why};
    return known ? EM_OK : recovery_add(a->recovery, &r, EM_LEFT_DAMAGED);
}

/* ---- `emend recover` ------------------------------------------------------------------------ */

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
    em_row_recovery r = {.ws = a->ws,
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
    EM_TRY(em_recover_row(&r, row, &mine, &end));
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
    return a->journals < 0 ? EM_OK : em_txn_remove_unwritten(a->ws, a->journals, a->arena, a->err);
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

/* ---- What waits ----------------------------------------------------------------------------- */

static em_status list_row(const asked *a, const em_row *row)
{
    em_row_recovery r = {.ws = a->ws, .row = *row, .arena = a->arena, .err = a->err};
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
    EM_TRY(em_recover_row_in_grace(&r, &in_grace));
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

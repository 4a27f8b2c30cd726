/* undo_choose.c: which call is undone, or done again.
 *
 * A call is in effect when nothing was done about it since it was made, or when it was done again
 * last. So each call that is not an edit can be reversed as long as it is the last that was about
 * each of its bases; and an edit itself, as long as nothing was about it. An edit that was undone
 * and done again, alone, is undone by reversing that.
 *
 * What did edits again is a redo, also when a rewind did it: the last to be undone are edits and
 * redos, the last to be redone are undos. A rewind that undid some and did others again counts as
 * an undo, and its reversal as a redo, so that undoing goes further back each time.
 */
#include "session/undo_impl.h"

#include "past/checkpoints.h"
#include "past/past.h"
#include "past/past_calls.h"
#include "session/session_state.h"
#include "workspace/recorded.h"

#include <inttypes.h>

enum { PAGE = 64 }; /* rows that are read of the history at a time */

typedef struct choosing {
    em_session *session;
    em_workspace *ws;
    const em_undo_request *request;
    em_arena *arena;
    em_error *err;
} choosing;

static em_role reversed(em_role role)
{
    return role == EM_ROLE_UNDO ? EM_ROLE_REDO : EM_ROLE_UNDO;
}

/* ---- The state of a call ------------------------------------------------------------------- */

/* Is the call the last that was about each of its bases? *since: else one that came later. */
static em_status is_last(const choosing *c, const em_past_call *call, bool *last, em_fate *since)
{
    *last = true;
    for (size_t i = 0; i < call->base_count && *last; i++) {
        EM_TRY(em_past_fate(c->ws, call->bases[i].call, INT64_MAX, c->arena, since, c->err));
        *last = since->id != 0 && strcmp(since->call, call->name) == 0;
    }
    return EM_OK;
}

static em_status call_by_fate(const choosing *c, const em_fate *fate, em_past_call *call)
{
    em_row row;
    EM_TRY(em_past_find(c->ws, fate->shown, false, c->arena, &row, c->err));
    return em_past_call_of(c->ws, &row, c->arena, call, c->err);
}

static em_status fail_no_bases(const choosing *c)
{
    return em_fail(c->err, EM_E_NOT_FOUND,
                   "the calls that it was about are not in the history any more");
}

/* The call whose reversal undoes (`want` EM_ROLE_UNDO) or redoes the edit; *can is false where it
 * is so already. One that is not whole is not reversed: it stands for itself. */
static em_status call_for_edit(const choosing *c, const em_past_call *edit, em_role want,
                               em_past_call *call, bool *can, em_fate *fate)
{
    EM_TRY(em_past_fate(c->ws, edit->name, INT64_MAX, c->arena, fate, c->err));
    bool in_effect = fate->id == 0 || fate->role == EM_ROLE_REDO;
    *can = in_effect == (want == EM_ROLE_UNDO);
    *call = *edit;
    if (!*can || fate->id == 0 || !edit->whole)
        return EM_OK;
    em_past_call by;
    EM_TRY(call_by_fate(c, fate, &by));
    if (by.base_count == 1)
        *call = by;
    else if (want == EM_ROLE_REDO)
        return em_fail(c->err, EM_E_INVALID,
                       "it was undone together with others: do them again by %s", fate->shown);
    return EM_OK;
}

/* ---- The last ------------------------------------------------------------------------------ */

/* May the call be the last to be undone or redone? */
static em_status is_candidate(const choosing *c, const em_past_call *given, em_role want,
                              em_past_call *call, bool *is)
{
    em_fate fate;
    *is = false;
    *call = *given;
    if (given->role == EM_ROLE_EDIT)
        return want == EM_ROLE_UNDO ? call_for_edit(c, given, want, call, is, &fate) : EM_OK;
    if (reversed(given->role) != want || given->base_count == 0)
        return EM_OK;
    return is_last(c, given, is, &fate);
}

static bool is_settled(const em_past_call *call)
{
    for (size_t i = 0; i < call->rows.count; i++) {
        if (call->rows.items[i].state == EM_ROW_PENDING)
            return false;
    }
    return true;
}

/* The calls of a session, or all, newest first. */
typedef struct walk {
    const choosing *c;
    em_past_filter filter;
    em_rows rows;
    size_t next;
    const char *seen; /* the call of the last row */
    bool ended;
} walk;

static walk walk_of(const choosing *c, const char *session)
{
    return (walk){.c = c, .filter = {.session = session, .limit = PAGE}, .seen = ""};
}

static em_status next_row(walk *w, const em_row **row)
{
    *row = NULL;
    if (w->next == w->rows.count && !w->ended) {
        EM_TRY(em_past_list(w->c->ws, &w->filter, w->c->arena, &w->rows, w->c->err));
        w->ended = w->rows.count < PAGE;
        w->next = 0;
    }
    if (w->next == w->rows.count)
        return EM_OK;
    *row = &w->rows.items[w->next++];
    w->filter.below = (*row)->id;
    return EM_OK;
}

/* A row of the next call; NULL where there is none. */
static em_status next_call(walk *w, const em_row **row)
{
    do
        EM_TRY(next_row(w, row));
    while (*row && (*row)->origin.call && strcmp((*row)->origin.call, w->seen) == 0);
    w->seen = *row && (*row)->origin.call ? (*row)->origin.call : "";
    return EM_OK;
}

/* The last one that was found so far. */
typedef struct last_call {
    em_past_call call;
    bool found;
    uint64_t turn; /* 0: no other can be later */
    size_t behind; /* how many rows were seen since */
} last_call;

/* May a row as far back as this, or behind it, be of a later call? Rows of others that came between
 * are not counted for ever. */
static bool may_be_later(const choosing *c, last_call *last, uint64_t turn)
{
    uint64_t spread = c->session->spread;
    if (!last->found)
        return true;
    if (last->turn == 0 || ++last->behind > 4 * spread)
        return false;
    return turn == 0 || turn + spread > last->turn;
}

static em_status look_at(const choosing *c, const em_row *row, em_role want, last_call *last)
{
    em_past_call given, call;
    bool is;
    EM_TRY(em_past_call_of(c->ws, row, c->arena, &given, c->err));
    if (!is_settled(&given))
        return EM_OK;
    EM_TRY(is_candidate(c, &given, want, &call, &is));
    if (is) {
        last->call = call;
        last->found = true;
        last->turn = em_session_turn_of(c->session, row->origin.call);
    }
    return EM_OK;
}

/* Calls that are made side by side stand in the history as they came to an end. */
static em_status find_last(const choosing *c, const char *session, em_role want, last_call *last)
{
    walk w = walk_of(c, session);
    const em_row *row;
    for (;;) {
        EM_TRY(next_call(&w, &row));
        uint64_t turn = row ? em_session_turn_of(c->session, row->origin.call) : 0;
        if (!row || !may_be_later(c, last, turn))
            return EM_OK;
        if (!last->found || turn > last->turn)
            EM_TRY(look_at(c, row, want, last));
    }
}

const char *em_undo_session(const em_session *session, const em_undo_request *request)
{
    if (!request->own)
        return NULL;
    return request->session ? request->session : session->name;
}

/* The last that is in effect, be it whole or not: what is refused is not passed over for an older
 * one. */
static em_status choose_last(const choosing *c, em_past_call *call)
{
    em_role want = c->request->what == EM_REDO ? EM_ROLE_REDO : EM_ROLE_UNDO;
    last_call last = {.found = false};
    EM_TRY(find_last(c, em_undo_session(c->session, c->request), want, &last));
    *call = last.call;
    if (last.found)
        return EM_OK;
    return em_fail(c->err, EM_E_NOT_FOUND, "there is nothing to %s%s",
                   want == EM_ROLE_REDO ? "redo" : "undo",
                   c->request->own ? " in this session" : "");
}

/* ---- By its id ----------------------------------------------------------------------------- */

static em_status choose_edit(const choosing *c, const em_past_call *given, em_past_call *call)
{
    em_role want = c->request->what == EM_REDO ? EM_ROLE_REDO : EM_ROLE_UNDO;
    em_fate fate;
    bool can;
    EM_TRY(call_for_edit(c, given, want, call, &can, &fate));
    if (can)
        return EM_OK;
    if (fate.id == 0)
        return em_fail(c->err, EM_E_INVALID, "%s was not undone", c->request->id);
    return em_fail(c->err, EM_E_INVALID, "%s is %s already, by %s", c->request->id,
                   want == EM_ROLE_UNDO ? "undone" : "done again", fate.shown);
}

static bool undid_some(const em_past_call *call)
{
    for (size_t i = 0; i < call->base_count; i++) {
        if (call->bases[i].role == EM_ROLE_UNDO)
            return true;
    }
    return false;
}

/* An undoing, or its like: it is reversed, as long as nothing came after it. */
static em_status choose_reversal(const choosing *c, const em_past_call *given, em_past_call *call)
{
    em_fate since;
    bool last;
    *call = *given;
    if (given->base_count == 0)
        return fail_no_bases(c);
    if (c->request->what == EM_REDO && !undid_some(given))
        return em_fail(c->err, EM_E_INVALID, "%s is itself what did something again",
                       c->request->id);
    EM_TRY(is_last(c, given, &last, &since));
    return last
               ? EM_OK
               : em_fail(c->err, EM_E_INVALID, "%s does not hold any more: since then there was %s",
                         c->request->id, since.shown);
}

static em_status choose_by_id(const choosing *c, em_past_call *call)
{
    em_row row;
    em_past_call given;
    EM_TRY(em_past_find(c->ws, c->request->id, false, c->arena, &row, c->err));
    EM_TRY(em_past_call_of(c->ws, &row, c->arena, &given, c->err));
    return given.role == EM_ROLE_EDIT ? choose_edit(c, &given, call)
                                      : choose_reversal(c, &given, call);
}

/* ---- The target ---------------------------------------------------------------------------- */

static em_status fail_in_part(const choosing *c, const em_past_call *call)
{
    const em_row *row = &call->rows.items[0];
    bool is_last = !c->request->id && c->request->what != EM_REWIND;
    bool is_tools = c->request->own; /* then nobody types commands */
    return em_fail(c->err, EM_E_OUTSIDE,
                   "change %" PRId64 " of %s, by %s, also changed files that cannot be reached "
                   "here, and it goes whole or not at all%s. All of their roots must be given "
                   "(--root), and no rule may deny them%s",
                   row->id, row->path, row->origin.tool ? row->origin.tool : "?",
                   is_last ? "; another change can be named by its number" : "",
                   is_tools ? "" : "; emend log --all shows where they are");
}

static em_status check_rows(const choosing *c, const em_past_call *call)
{
    if (!call->whole)
        return fail_in_part(c, call);
    for (size_t i = 0; i < call->rows.count; i++) {
        const em_row *row = &call->rows.items[i];
        if (row->state == EM_ROW_PENDING)
            return em_fail(c->err, EM_E_UNSETTLED,
                           "how change %" PRId64 " of %s ended is not known yet: it is being made, "
                           "or what made it died. Ask again in a moment, or see `emend recover`",
                           row->id, row->path);
    }
    return EM_OK;
}

static em_status bases_reversed(const choosing *c, const em_past_call *call, em_undo_target *target)
{
    bool is_edit = call->role == EM_ROLE_EDIT;
    target->base_count = is_edit ? 1 : call->base_count;
    target->bases = em_alloc_array(c->arena, target->base_count, sizeof *target->bases);
    if (!target->bases)
        return EM_E_NOMEM;
    if (is_edit)
        target->bases[0] = (em_base){call->name, EM_ROLE_UNDO};
    for (size_t i = 0; i < call->base_count; i++)
        target->bases[i] = (em_base){call->bases[i].call, reversed(call->bases[i].role)};
    return EM_OK;
}

static em_status choose_call(const choosing *c, em_undo_target *target)
{
    em_past_call call;
    EM_TRY(c->request->id ? choose_by_id(c, &call) : choose_last(c, &call));
    EM_TRY(check_rows(c, &call));
    target->rows = call.rows;
    target->role = reversed(call.role);
    target->is_call = true;
    return bases_reversed(c, &call, target);
}

/* ---- All since a checkpoint ----------------------------------------------------------------- */

/* Is all there that was done since the checkpoint? Where it is not, the oldest later one that all
 * leads back to is told; they are newest first. */
static em_status check_is_whole(const choosing *c, const em_checkpoints *marks, size_t sought)
{
    size_t at = sought;
    while (at > 0 && !marks->items[at].is_whole)
        at--;
    bool is = marks->items[at].is_whole;
    if (is && at == sought)
        return EM_OK;
    return em_fail(
        c->err, EM_E_NOT_FOUND,
        "some of what was done since the checkpoint %s is not in the history any more%s%s",
        marks->items[sought].name,
        is ? "; the oldest checkpoint to which there is a way back is " : "",
        is ? marks->items[at].name : "");
}

static em_status find_checkpoint(const choosing *c, em_checkpoint *found, em_undo_target *target)
{
    em_checkpoints marks;
    EM_TRY(em_past_marks(c->ws, c->arena, &marks, c->err));
    for (size_t i = 0; i < marks.count; i++) {
        if (strcmp(marks.items[i].name, c->request->checkpoint) != 0)
            continue;
        *found = marks.items[i];
        target->is_forgotten = !found->is_whole;
        return check_is_whole(c, &marks, i);
    }
    return em_fail(c->err, EM_E_NOT_FOUND, "there is no checkpoint %s here",
                   c->request->checkpoint);
}

/* Is the edit in effect, as far as the row `until`? One that was made later is not. */
static em_status in_effect(const choosing *c, const char *base, bool there, int64_t until,
                           bool *effective)
{
    em_fate fate;
    EM_TRY(em_past_fate(c->ws, base, until, c->arena, &fate, c->err));
    *effective = fate.id == 0 ? there : fate.role == EM_ROLE_REDO;
    return EM_OK;
}

/* What a rewind does to one edit. */
static em_status add_base(const choosing *c, const char *base, bool was_there, int64_t mark,
                          em_undo_target *target, size_t *room)
{
    bool was, is;
    for (size_t i = 0; i < target->base_count; i++) {
        if (strcmp(target->bases[i].call, base) == 0)
            return EM_OK;
    }
    EM_TRY(in_effect(c, base, was_there, mark, &was));
    EM_TRY(in_effect(c, base, true, INT64_MAX, &is));
    if (was == is)
        return EM_OK;
    EM_TRY(em_arena_grow(c->arena, (void **)&target->bases, target->base_count, room,
                         sizeof *target->bases));
    target->bases[target->base_count++] = (em_base){base, is ? EM_ROLE_UNDO : EM_ROLE_REDO};
    target->undone += is;
    return EM_OK;
}

static em_status add_bases_of(const choosing *c, const em_row *row, int64_t mark,
                              em_undo_target *target, size_t *room)
{
    em_past_call call;
    EM_TRY(em_past_call_of(c->ws, row, c->arena, &call, c->err));
    EM_TRY(check_rows(c, &call));
    if (call.role == EM_ROLE_EDIT)
        return add_base(c, call.name, call.rows.items[0].id <= mark, mark, target, room);
    for (size_t i = 0; i < call.base_count; i++) {
        bool made_since = false;
        for (size_t j = 0; j < target->rows.count && !made_since; j++) {
            const char *name = target->rows.items[j].origin.call;
            made_since = name && strcmp(name, call.bases[i].call) == 0;
        }
        EM_TRY(add_base(c, call.bases[i].call, !made_since, mark, target, room));
    }
    return EM_OK;
}

static em_status choose_all_since(const choosing *c, em_undo_target *target)
{
    em_checkpoint mark = {0};
    size_t room = 0;
    const char *seen = "";
    EM_TRY(find_checkpoint(c, &mark, target));
    em_past_filter filter = {.above = mark.id};
    em_rows rows;
    EM_TRY(em_past_list(c->ws, &filter, c->arena, &rows, c->err));
    em_row *items = em_alloc_array(c->arena, rows.count, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    if (rows.count > 0)
        memcpy(items, rows.items, rows.count * sizeof *items);
    em_rows_reverse(items, rows.count);
    target->rows = (em_rows){.items = items, .count = rows.count};
    for (size_t i = 0; i < rows.count; i++) {
        const char *name = items[i].origin.call;
        if (name && strcmp(name, seen) == 0)
            continue;
        seen = name ? name : "";
        EM_TRY(add_bases_of(c, &items[i], mark.id, target, &room));
    }
    target->role = em_past_role_of(target->bases, target->base_count, EM_ROLE_UNDO);
    return EM_OK;
}

/* ---- The face ------------------------------------------------------------------------------ */

em_status em_undo_choose(em_session *session, const em_undo_request *request, em_arena *arena,
                         em_undo_target *target, em_error *err)
{
    choosing c = {session, session->workspace, request, arena, err};
    *target = (em_undo_target){0};
    EM_TRY(em_ws_open_history(c.ws, err));
    return request->what == EM_REWIND ? choose_all_since(&c, target) : choose_call(&c, target);
}

em_status em_undo_check(em_session *session, const em_undo_request *request,
                        const em_undo_target *target, em_arena *arena, em_error *err)
{
    em_error ignored = EM_ERROR_INIT;
    em_undo_request by_id = *request;
    em_undo_target now;
    char id[64];
    if (target->is_call) {
        em_row_show_id(&target->rows.items[0], id);
        by_id.id = id;
    }
    em_status status = em_undo_choose(session, &by_id, arena, &now, &ignored);
    if (status == EM_E_NOMEM)
        return status;
    if (status == EM_OK && now.rows.count == target->rows.count &&
        (now.rows.count == 0 || now.rows.items[0].id == target->rows.items[0].id))
        return EM_OK;
    return em_fail_cause(err, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                         "somebody else has undone or changed something in this very moment");
}

/* ---- A list to choose from ------------------------------------------------------------------ */

typedef struct candidates {
    em_role want;
    em_past_call *calls;
    size_t count;
} candidates;

/* The rows of a call need not be together. */
static bool is_listed(const candidates *list, const em_past_call *call)
{
    for (size_t i = 0; i < list->count; i++) {
        if (strcmp(list->calls[i].name, call->name) == 0)
            return true;
    }
    return false;
}

/* An edit stands for itself, however often it was undone and done again. */
static em_status is_to_be_listed(const choosing *c, const candidates *list,
                                 const em_past_call *call, bool *is)
{
    em_fate since;
    em_role wanted = list->want == EM_ROLE_UNDO ? EM_ROLE_EDIT : EM_ROLE_UNDO;
    *is = false;
    if (call->role != wanted || !call->whole || !is_settled(call) || is_listed(list, call))
        return EM_OK;
    if (wanted == EM_ROLE_EDIT)
        return in_effect(c, call->name, true, INT64_MAX, is);
    return call->base_count > 0 ? is_last(c, call, is, &since) : EM_OK;
}

static em_status add_candidates(const choosing *c, const char *of, size_t most, candidates *list)
{
    walk w = walk_of(c, of);
    const em_row *row;
    while (list->count < most) {
        em_past_call *call = &list->calls[list->count];
        bool is;
        EM_TRY(next_call(&w, &row));
        if (!row)
            break;
        EM_TRY(em_past_call_of(c->ws, row, c->arena, call, c->err));
        EM_TRY(is_to_be_listed(c, list, call, &is));
        list->count += is;
    }
    return EM_OK;
}

static em_status list_last(em_session *session, em_role want, const char *of, size_t most,
                           em_arena *arena, em_rows *rows, em_error *err)
{
    choosing c = {.session = session, .ws = session->workspace, .arena = arena, .err = err};
    candidates list = {.want = want, .calls = em_alloc_array(arena, most, sizeof *list.calls)};
    em_row *items = em_alloc_array(arena, most, sizeof *items);
    *rows = (em_rows){0};
    if (!list.calls || !items)
        return EM_E_NOMEM;
    EM_TRY(em_ws_open_history(c.ws, err));
    EM_TRY(add_candidates(&c, of, most, &list));
    for (size_t i = 0; i < list.count; i++)
        items[i] = list.calls[i].rows.items[0];
    *rows = (em_rows){.items = items, .count = list.count};
    return EM_OK;
}

em_status em_undoable(em_session *session, const char *of, size_t most, em_arena *arena,
                      em_rows *rows, em_error *err)
{
    return list_last(session, EM_ROLE_UNDO, of, most, arena, rows, err);
}

em_status em_redoable(em_session *session, const char *of, size_t most, em_arena *arena,
                      em_rows *rows, em_error *err)
{
    return list_last(session, EM_ROLE_REDO, of, most, arena, rows, err);
}

em_status em_changes_of_call(em_session *session, const em_row *row, em_arena *arena, em_rows *rows,
                             em_error *err)
{
    em_past_call call;
    EM_TRY(em_past_call_of(session->workspace, row, arena, &call, err));
    *rows = call.rows;
    return EM_OK;
}

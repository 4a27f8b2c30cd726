/* undo_plan.c: what becomes of one file when changes of it are taken back.
 *
 * A change is taken back in one of three ways, the first that can be:
 *
 *   the content is what the change left     its places are where they were
 *   what the change left can be had         each place is carried over from that to the content
 *   neither                                 each place is sought with what stood around it
 *                                           (undo_search.c)
 *
 * Changes that follow one on the other are taken back together: what they changed in the end. Where
 * what the last of them left is not at hand, neither is what those before it left (plan->lost).
 */
#include "session/undo_impl.h"

#include "history/inverse.h"
#include "past/past.h"
#include "past/versions.h"
#include "text/carry.h"
#include "workspace/content.h"

#include <inttypes.h>
#include <stdio.h>

#define TOO_MUCH "was changed so much that the way back was not recorded"

static em_status lay_in(em_slice old, em_splices splices, em_arena *arena, em_slice *out)
{
    em_content content = {.old = old, .splices = splices};
    return em_content_join(&content, arena, out);
}

static bool are_valid(em_slice old, em_splices splices)
{
    em_content content = {.old = old, .splices = splices};
    return em_content_valid(&content);
}

/* ---- Conflicts ----------------------------------------------------------------------------- */

static size_t line_at(em_slice bytes, em_slice newline, size_t at)
{
    size_t line = 1;
    for (size_t i = 0; i + newline.len <= at && i + newline.len <= bytes.len; i += newline.len)
        line += memcmp(bytes.ptr + i, newline.ptr, newline.len) == 0;
    return line;
}

em_status em_undo_fail_place(const em_undoing *u, const char *why)
{
    em_undo_conflict *conflict = u->plan->conflict;
    conflict->path = em_arena_string(u->plan->arena, em_slice_of(u->plan->file->rel));
    if (!conflict->path)
        return EM_E_NOMEM;
    return em_fail_cause(u->plan->err, EM_E_CONFLICT, EM_CAUSE_CHANGED, "%s %s", conflict->path,
                         why);
}

em_status em_undo_check_is_in(const em_undoing *u)
{
    if (!em_hash_eq(u->hash, u->row->old_hash) || em_hash_eq(u->hash, u->row->new_hash))
        return EM_OK;
    char why[96];
    snprintf(why, sizeof why, "is as it was before change %" PRId64 ": that is not in it any more",
             u->row->id);
    return em_undo_fail_place(u, why);
}

em_status em_undo_fail_damaged(const em_undoing *u)
{
    return em_past_fail_damaged(u->row, EM_E_IO, u->plan->err);
}

static em_status fail_carry(const em_undoing *u, em_slice base, const em_carry_conflict *where)
{
    em_undo_conflict *conflict = u->plan->conflict;
    conflict->has_was = conflict->has_now = true;
    conflict->was = em_slice_sub(base, where->base_start, where->base_end);
    conflict->now = em_slice_sub(u->bytes, where->current_start, where->current_end);
    conflict->line = line_at(u->bytes, u->change.kind.newline, where->current_start);
    return em_undo_fail_place(
        u, where->is_there    ? "was changed at the place since: what would come back, or some of "
                                "it, stands there"
           : where->ambiguous ? "has changed since, and it is not plain any more which of several "
                                "like lines the change was about"
                              : "was changed at the place since");
}

/* ---- Where a change stands ------------------------------------------------------------------ */

/* Whole lines, and no more of them than are needed. */
static em_status by_lines(em_slice body, em_splices splices, em_slice newline, em_arena *arena,
                          em_splices *out)
{
    EM_TRY(em_splices_widen(body, splices, newline, arena, out));
    return em_splices_refine(body, *out, newline, arena, out);
}

/* From what the change left, which is known. *told: what is in the way is known for sure, and need
 * not be looked for by what stood around. */
static em_status carry_back(const em_undoing *u, em_slice base, em_splices *out, bool *told)
{
    em_arena *arena = u->plan->arena;
    em_slice newline = u->change.kind.newline;
    em_splices back, fine;
    em_carry carry;
    em_carry_conflict conflict;
    *told = false;
    EM_TRY(em_inverse_back(&u->change, arena, &back));
    if (!are_valid(base, back))
        return em_undo_fail_damaged(u);
    EM_TRY(by_lines(base, back, newline, arena, &fine));
    EM_TRY(em_carry_init(&carry, base, u->bytes, newline, arena));
    em_status status = em_carry_splices(&carry, fine, arena, out, &conflict);
    *told = status == EM_E_CONFLICT && (conflict.ambiguous || conflict.is_there);
    return status == EM_E_CONFLICT ? fail_carry(u, base, &conflict) : status;
}

/* Has what the row left been sought in vain? */
static bool is_lost(const em_undo_plan *plan, const em_row *row)
{
    return em_hash_eq(plan->lost, row->new_hash);
}

/* The splices over u->bytes that take the change back. */
static em_status edit_back(const em_undoing *u, em_splices *out)
{
    em_undo_plan *plan = u->plan;
    em_file at_hand = {
        .exists = true, .path = plan->file->path, .bytes = u->bytes, .hash = u->hash};
    em_error ignored = EM_ERROR_INIT;
    em_slice base;
    if (em_hash_eq(u->hash, u->row->new_hash)) {
        EM_TRY(em_inverse_back(&u->change, plan->arena, out));
        return are_valid(u->bytes, *out) ? EM_OK : em_undo_fail_damaged(u);
    }
    if (is_lost(plan, u->row))
        return em_undo_search(u, out);
    em_status found =
        em_version_find(plan->ws, &at_hand, u->row->new_hash, plan->arena, &base, &ignored);
    if (found == EM_E_NOMEM)
        return found;
    if (found != EM_OK) {
        plan->lost = u->row->new_hash;
        return em_undo_search(u, out);
    }
    bool told;
    em_status status = carry_back(u, base, out, &told);
    if (status != EM_E_CONFLICT || told)
        return status;
    em_undo_conflict conflict = *plan->conflict;
    em_error why = *plan->err;
    em_undoing with_left = *u;
    with_left.left = base;
    with_left.has_left = true;
    *plan->conflict = (em_undo_conflict){0}; /* none, if that finds the place */
    *plan->err = EM_ERROR_INIT;
    status = em_undo_search(&with_left, out);
    if (status != EM_E_CONFLICT)
        return status;
    *plan->conflict = conflict; /* which says more */
    *plan->err = why;
    return status;
}

/* ---- One row ------------------------------------------------------------------------------- */

em_status em_undo_read_change(em_undoing *u)
{
    em_undo_plan *plan = u->plan;
    em_status status = em_past_change(plan->ws, u->row, plan->arena, &u->change, plan->err);
    if (status == EM_E_INVALID)
        return em_undo_fail_damaged(u);
    EM_TRY(status);
    plan->charset = u->change.kind.charset;
    plan->newline = u->change.kind.newline;
    bool is_edit = u->row->kind != EM_ROW_CREATE && u->row->kind != EM_ROW_REMOVE;
    return is_edit && plan->exists && u->change.count == 0 ? em_undo_fail_place(u, TOO_MUCH)
                                                           : EM_OK;
}

static em_status undo_edit(em_undoing *u, em_splices *splices)
{
    em_undo_plan *plan = u->plan;
    if (!plan->exists)
        return em_undo_fail_place(u, "is not there any more");
    EM_TRY(em_undo_check_is_in(u));
    EM_TRY(edit_back(u, splices));
    if (is_lost(plan, u->row)) /* a way to what was before it would have led on to this */
        plan->lost = u->row->old_hash;
    EM_TRY(lay_in(u->bytes, *splices, plan->arena, &plan->bytes));
    bool leads_back = !em_hash_eq(u->hash, u->row->new_hash) ||
                      em_hash_eq(em_hash_of(plan->bytes), u->row->old_hash);
    return leads_back ? EM_OK : em_undo_fail_damaged(u);
}

static em_status undo_creation(em_undoing *u)
{
    em_undo_plan *plan = u->plan;
    if (!plan->exists)
        return em_undo_fail_place(u, "is not there any more");
    if (!em_hash_eq(u->hash, u->row->new_hash)) {
        plan->conflict->has_now = true;
        plan->conflict->now = u->bytes;
        plan->conflict->line = 1;
        return em_undo_fail_place(u, "was changed since it was made, so it is not removed");
    }
    plan->exists = false;
    plan->bytes = (em_slice){0};
    return EM_OK;
}

static em_status undo_removal(em_undoing *u)
{
    em_undo_plan *plan = u->plan;
    em_splices back;
    if (plan->exists) {
        plan->conflict->has_now = true;
        plan->conflict->now = u->bytes;
        plan->conflict->line = 1;
        return em_undo_fail_place(u, "is there again since it was removed");
    }
    EM_TRY(em_inverse_back(&u->change, plan->arena, &back));
    if (!are_valid((em_slice){0}, back))
        return em_undo_fail_place(u, "cannot be made again: what it held was not recorded");
    EM_TRY(lay_in((em_slice){0}, back, plan->arena, &plan->bytes));
    if (!em_hash_eq(em_hash_of(plan->bytes), u->row->old_hash))
        return em_undo_fail_place(u, "cannot be made again: what it held was not recorded");
    plan->exists = true;
    plan->mode = u->row->mode;
    return EM_OK;
}

static em_status undo_row(em_undo_plan *plan, const em_row *row, em_splices *splices)
{
    em_undoing u = {
        .plan = plan, .row = row, .bytes = plan->bytes, .hash = em_hash_of(plan->bytes)};
    EM_TRY(em_undo_read_change(&u));
    if (row->kind == EM_ROW_CREATE)
        return undo_creation(&u);
    if (row->kind == EM_ROW_REMOVE)
        return undo_removal(&u);
    return undo_edit(&u, splices);
}

/* ---- Rows that follow one on the other -------------------------------------------------- */

/* Changes of the file, each from what the one before left: together they lead from the old content
 * of the first to what the last left. */
typedef struct chain {
    em_undo_plan *plan;
    const em_row *const *rows; /* oldest first */
    size_t count;
} chain;

/* What there was before a change, in `arena`. */
static em_status step_back(em_undoing *u, em_arena *arena, em_slice *bytes, em_remade *remade)
{
    em_splices back;
    em_status status = em_past_change(u->plan->ws, u->row, arena, &u->change, u->plan->err);
    if (status == EM_E_INVALID)
        return em_undo_fail_damaged(u);
    EM_TRY(status);
    if (u->change.count == 0)
        return em_undo_fail_place(u, TOO_MUCH);
    EM_TRY(em_inverse_back(&u->change, arena, &back));
    if (!are_valid(*bytes, back))
        return em_undo_fail_damaged(u);
    EM_TRY(em_remade_add(remade, back, arena));
    EM_TRY(lay_in(*bytes, back, arena, bytes));
    return em_hash_eq(em_hash_of(*bytes), u->row->old_hash) ? EM_OK : em_undo_fail_damaged(u);
}

/* The content before the chain, and where it is another. Only two contents are held at a time:
 * there may be very many. */
static em_status go_back(const chain *c, em_slice bytes, em_slice *out, em_remade *remade)
{
    EM_AUTO(em_arena) one = {0}, other = {0};
    em_arena *arena = &one, *spare = &other;
    for (size_t i = c->count; i > 0; i--) {
        em_undoing u = {.plan = c->plan, .row = c->rows[i - 1]};
        em_arena *free = spare;
        EM_TRY(step_back(&u, arena, &bytes, remade));
        em_arena_drop(free);
        spare = arena;
        arena = free;
    }
    *out = bytes;
    EM_TRY(em_remade_keep(remade, c->plan->arena));
    return em_arena_keep(c->plan->arena, out);
}

/* What the chain changed in the end is taken back at once. */
static em_status undo_chain(const chain *c, em_slice base)
{
    em_undo_plan *plan = c->plan;
    em_undoing u = {.plan = plan, .row = c->rows[c->count - 1], .bytes = plan->bytes};
    em_carry carry;
    em_carry_conflict conflict;
    em_remade remade = {0};
    em_splices back;
    em_slice old;
    EM_TRY(em_past_change(plan->ws, u.row, plan->arena, &u.change, plan->err));
    plan->charset = u.change.kind.charset;
    plan->newline = u.change.kind.newline;
    EM_TRY(go_back(c, base, &old, &remade));
    EM_TRY(em_remade_splices(&remade, old, plan->arena, &back));
    if (base.ptr != plan->bytes.ptr) {
        EM_TRY(by_lines(base, back, plan->newline, plan->arena, &back));
        EM_TRY(em_carry_init(&carry, base, plan->bytes, plan->newline, plan->arena));
        em_status status = em_carry_splices(&carry, back, plan->arena, &back, &conflict);
        if (status == EM_E_CONFLICT)
            return fail_carry(&u, base, &conflict);
        EM_TRY(status);
        EM_TRY(lay_in(plan->bytes, back, plan->arena, &old));
    }
    plan->bytes = old;
    return em_remade_add(&plan->remade, back, plan->arena);
}

/* How many of the last rows are a chain: at least one. */
static size_t chain_length(const em_row *const *rows, size_t count)
{
    size_t length = 1;
    while (length < count && em_row_is_edit(rows[count - length]) &&
           em_row_is_edit(rows[count - length - 1]) &&
           em_hash_eq(rows[count - length - 1]->new_hash, rows[count - length]->old_hash))
        length++;
    return length;
}

/* A file that is as it was before one of the changes does not have that one. */
static em_status check_chain(const chain *c, em_hash hash)
{
    if (em_hash_eq(hash, c->rows[c->count - 1]->new_hash))
        return EM_OK;
    for (size_t i = 0; i < c->count; i++) {
        em_undoing u = {.plan = c->plan, .row = c->rows[i], .hash = hash};
        EM_TRY(em_undo_check_is_in(&u));
    }
    return EM_OK;
}

/* Several rows at once, where what they left is at hand; *done: how many of the last. */
static em_status undo_many(em_undo_plan *plan, const em_row *const *rows, size_t count,
                           size_t *done)
{
    size_t length = chain_length(rows, count);
    chain c = {plan, rows + count - length, length};
    em_file at_hand = {.exists = true,
                       .path = plan->file->path,
                       .bytes = plan->bytes,
                       .hash = em_hash_of(plan->bytes)};
    em_error ignored = EM_ERROR_INIT;
    em_slice base;
    *done = 0;
    if (length == 1 || !plan->exists || is_lost(plan, rows[count - 1]))
        return EM_OK;
    EM_TRY(check_chain(&c, at_hand.hash));
    em_status status = em_version_find(plan->ws, &at_hand, rows[count - 1]->new_hash, plan->arena,
                                       &base, &ignored);
    if (status != EM_OK) {
        plan->lost = rows[count - 1]->new_hash;
        return status == EM_E_NOMEM ? status : EM_OK;
    }
    *done = length;
    return undo_chain(&c, base);
}

/* ---- All rows ------------------------------------------------------------------------------ */

static em_status undo_one(em_undo_plan *plan, const em_row *row)
{
    em_splice whole = {.length = plan->bytes.len};
    em_splices step = {&whole, 1};
    EM_TRY(undo_row(plan, row, &step));
    whole.insert = plan->bytes;
    return em_remade_add(&plan->remade, step, plan->arena);
}

/* The last of the rows, and those that go with it; *left: how many are then left. */
static em_status undo_last(em_undo_plan *plan, const em_row *const *rows, size_t *left)
{
    size_t done;
    EM_TRY(undo_many(plan, rows, *left, &done));
    if (done == 0) {
        EM_TRY(undo_one(plan, rows[*left - 1]));
        done = 1;
    }
    *left -= done;
    return EM_OK;
}

/* What the rows came to goes into the plan's arena. */
static em_status keep_plan(em_undo_plan *plan)
{
    EM_TRY(em_arena_keep(plan->arena, &plan->bytes));
    EM_TRY(em_remade_keep(&plan->remade, plan->arena));
    EM_TRY(em_arena_keep(plan->arena, &plan->newline));
    return em_arena_keep_string(plan->arena, &plan->charset);
}

static em_status keep_conflict(em_undo_plan *plan)
{
    em_undo_conflict *conflict = plan->conflict;
    EM_TRY(em_arena_keep(plan->arena, &conflict->was));
    EM_TRY(em_arena_keep(plan->arena, &conflict->now));
    EM_TRY(em_arena_keep_string(plan->arena, &plan->charset));
    return em_arena_keep_string(plan->arena, &conflict->path);
}

/* Only two contents are held at a time: there may be very many rows. */
static em_status undo_all(em_undo_plan *plan, const em_row *const *rows, size_t count)
{
    EM_AUTO(em_arena) one = {0}, other = {0};
    em_arena *kept = plan->arena, *spare = &other;
    plan->arena = &one;
    em_status status = undo_last(plan, rows, &count);
    while (count > 0 && status == EM_OK) {
        em_arena *next = spare;
        em_arena_drop(next);
        spare = plan->arena;
        plan->arena = next;
        status = undo_last(plan, rows, &count);
    }
    plan->arena = kept;
    em_status keeping = status == EM_OK ? keep_plan(plan) : keep_conflict(plan);
    return keeping == EM_OK ? status : keeping;
}

em_status em_undo_plan_make(em_undo_plan *plan, const em_row *const *rows, size_t count)
{
    plan->exists = plan->file->exists;
    plan->bytes = plan->file->bytes;
    if (count == 0)
        return EM_OK;
    if (count == 1)
        return undo_row(plan, rows[0], &plan->splices);
    EM_TRY(undo_all(plan, rows, count));
    if (em_slice_eq(plan->bytes, plan->file->bytes))
        return EM_OK; /* also where its like came for what is gone */
    EM_TRY(em_remade_splices(&plan->remade, plan->bytes, plan->arena, &plan->splices));
    return by_lines(plan->file->bytes, plan->splices, plan->newline, plan->arena, &plan->splices);
}

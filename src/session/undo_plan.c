/* undo_plan.c: what becomes of one file when changes of it are taken back.
 *
 * A change is taken back in one of three ways, the first that can be:
 *
 *   the content is what the change left     its places are where they were
 *   what the change left can be had         each place is carried over from that to the content
 *   neither                                 each place is sought with what stood around it, and
 *                                           must stand there once
 *
 * Places that stand next to each other are sought together.
 */
#include "session/undo_impl.h"

#include "text/carry.h"
#include "workspace/content.h"
#include "workspace/inverse.h"
#include "workspace/versions.h"

#include <inttypes.h>

enum { SHOWN_LINES = 3 /* before and behind a place that is only known by its number */ };

/* One change on its way back. */
typedef struct undoing {
    em_undo_plan *plan;
    const em_row *row;
    em_inverse change;
    em_slice bytes; /* the content that it is taken back from */
    em_hash hash;
} undoing;

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

static em_status fail_place(const undoing *u, const char *why)
{
    em_undo_conflict *conflict = u->plan->conflict;
    conflict->path = em_arena_string(u->plan->arena, em_slice_of(u->plan->file->rel));
    if (!conflict->path)
        return EM_E_NOMEM;
    return em_fail_cause(u->plan->err, EM_E_CONFLICT, EM_CAUSE_CHANGED, "%s %s", conflict->path,
                         why);
}

static em_status fail_damaged(const undoing *u)
{
    return em_fail(u->plan->err, EM_E_IO, "what the history has of change %" PRId64 " is damaged",
                   u->row->id);
}

static em_status fail_carry(const undoing *u, em_slice base, const em_carry_conflict *where)
{
    em_undo_conflict *conflict = u->plan->conflict;
    conflict->has_was = conflict->has_now = true;
    conflict->was = em_slice_sub(base, where->base_start, where->base_end);
    conflict->now = em_slice_sub(u->bytes, where->current_start, where->current_end);
    conflict->line = line_at(u->bytes, u->change.kind.newline, where->current_start);
    return fail_place(u, where->ambiguous
                             ? "has changed since, and it is not plain any more which of several "
                               "like lines the change was about"
                             : "was changed at the place since");
}

/* The place is nowhere: show the lines where it stood, which may have moved. */
static em_status fail_search(const undoing *u, const em_place_change *place, const char *why)
{
    em_undo_conflict *conflict = u->plan->conflict;
    em_lined text = {u->bytes, u->change.kind.newline};
    size_t at = 0, end, line = 1;
    conflict->has_was = place->has_new;
    conflict->was = place->new_bytes;
    if (place->line == EM_NPOS)
        return fail_place(u, why);
    while (line + SHOWN_LINES <= place->line && at < u->bytes.len) {
        at = em_line_end(&text, at);
        line++;
    }
    end = at;
    for (int i = 0; i < 2 * SHOWN_LINES + 1 && end < u->bytes.len; i++)
        end = em_line_end(&text, end);
    conflict->has_now = true;
    conflict->now = em_slice_sub(u->bytes, at, end);
    conflict->line = line;
    return fail_place(u, why);
}

/* ---- Where a change stands ------------------------------------------------------------------ */

/* From what the change left, which is known. */
static em_status carry_back(const undoing *u, em_slice base, em_splices *out)
{
    em_arena *arena = u->plan->arena;
    em_slice newline = u->change.kind.newline;
    em_splices back, fine;
    em_carry carry;
    em_carry_conflict conflict;
    EM_TRY(em_inverse_back(&u->change, arena, &back));
    if (!are_valid(base, back))
        return fail_damaged(u);
    EM_TRY(em_splices_refine(base, back, newline, arena, &fine));
    EM_TRY(em_carry_init(&carry, base, u->bytes, newline, arena));
    em_status status = em_carry_splices(&carry, fine, arena, out, &conflict);
    return status == EM_E_CONFLICT ? fail_carry(u, base, &conflict) : status;
}

/* Places [first, last) of the change, between which all that stood there is known. */
typedef struct group {
    size_t first, last;
    em_slice needle; /* what the change left of them, and what stood around */
} group;

static em_status group_make(const undoing *u, size_t first, group *g)
{
    const em_inverse *change = &u->change;
    size_t length = change->places[first].before.len;
    *g = (group){.first = first, .last = first};
    do {
        const em_place_change *place = &change->places[g->last];
        if (!place->has_new)
            return fail_search(u, place,
                               "has changed since, and the history has not kept what the change "
                               "had made of it");
        length += place->new_length + place->after.len;
        if (g->last > first)
            length += place->before.len;
    } while (em_inverse_reaches_next(change, g->last++));
    char *room = em_alloc_raw(u->plan->arena, length), *end = room;
    if (!room)
        return EM_E_NOMEM;
    for (size_t i = first; i < g->last; i++) {
        const em_place_change *place = &change->places[i];
        const em_slice parts[] = {place->before, place->new_bytes, place->after};
        for (size_t j = 0; j < 3; j++) {
            if (parts[j].len > 0)
                memcpy(end, parts[j].ptr, parts[j].len);
            end += parts[j].len;
        }
    }
    g->needle = em_slice_make(room, length);
    return EM_OK;
}

/* Where `needle` stands from `from` on, between two units of the text; EM_NPOS. */
static size_t find(em_slice bytes, em_slice needle, size_t from, size_t unit)
{
    for (;;) {
        const char *found = from <= bytes.len
                                ? memmem(bytes.ptr + from, bytes.len - from, needle.ptr, needle.len)
                                : NULL;
        if (!found)
            return EM_NPOS;
        from = (size_t)(found - bytes.ptr);
        if (from % unit == 0)
            return from;
        from++;
    }
}

/* The only place where it stands; EM_NPOS. */
static size_t find_once(const undoing *u, em_slice needle)
{
    size_t unit = u->change.kind.newline.len;
    if (needle.len == 0)
        return u->bytes.len == 0 ? 0 : EM_NPOS;
    if (u->bytes.len == 0)
        return EM_NPOS;
    size_t at = find(u->bytes, needle, 0, unit);
    bool again = at != EM_NPOS && find(u->bytes, needle, at + 1, unit) != EM_NPOS;
    return again ? EM_NPOS : at;
}

/* The lines that hold what the change left, within the needle. */
static void lines_within(const undoing *u, const group *g, size_t *start, size_t *end)
{
    const em_place_change *first = &u->change.places[g->first];
    const em_place_change *last = &u->change.places[g->last - 1];
    em_lined needle = {g->needle, u->change.kind.newline};
    *start = em_line_start(&needle, first->before.len);
    *end = g->needle.len - last->after.len;
    if (*end == *start || !em_is_line_start(&needle, *end))
        *end = em_line_end(&needle, *end);
}

/* Where the needle stands, or where some lines around the place have changed, the rest of it: the
 * lines themselves with those on one side. *at is where the whole needle would stand. */
static bool find_needle(const undoing *u, const group *g, size_t *at)
{
    size_t start, end;
    *at = find_once(u, g->needle);
    if (*at != EM_NPOS)
        return true;
    lines_within(u, g, &start, &end);
    if (u->change.places[g->first].new_length == 0 || start == 0 || end == g->needle.len)
        return false;
    size_t with_before = find_once(u, em_slice_sub(g->needle, 0, end));
    size_t with_after = find_once(u, em_slice_from(g->needle, start));
    if ((with_before == EM_NPOS) == (with_after == EM_NPOS))
        return false;
    *at = with_before != EM_NPOS ? with_before : with_after - start;
    return true;
}

static em_status search_group(const undoing *u, const group *g, size_t *at)
{
    size_t needle_at;
    if (!find_needle(u, g, &needle_at))
        return fail_search(u, &u->change.places[g->first],
                           "has changed since, and what the change had made of it is not there "
                           "any more, or not once");
    *at = needle_at + u->change.places[g->first].before.len;
    return EM_OK;
}

static em_status search_back(const undoing *u, em_splices *out)
{
    const em_inverse *change = &u->change;
    em_splice *items = em_alloc_array(u->plan->arena, change->count, sizeof *items);
    size_t end = 0;
    if (!items)
        return EM_E_NOMEM;
    for (size_t first = 0; first < change->count;) {
        group g;
        size_t at = 0;
        EM_TRY(group_make(u, first, &g));
        EM_TRY(search_group(u, &g, &at));
        if (at < end)
            return fail_search(u, &change->places[first],
                               "has changed since: its parts were moved");
        for (; first < g.last; first++) {
            const em_place_change *place = &change->places[first];
            size_t offset = at + (place->new_at - change->places[g.first].new_at);
            items[first] = (em_splice){offset, place->new_length, place->old_bytes};
            end = offset + place->new_length;
        }
    }
    *out = (em_splices){.items = items, .count = change->count};
    return EM_OK;
}

/* The splices over u->bytes that take the change back. */
static em_status edit_back(const undoing *u, em_splices *out)
{
    em_undo_plan *plan = u->plan;
    em_file at_hand = {
        .exists = true, .path = plan->file->path, .bytes = u->bytes, .hash = u->hash};
    em_error ignored = EM_ERROR_INIT;
    em_slice base;
    if (em_hash_eq(u->hash, u->row->new_hash)) {
        EM_TRY(em_inverse_back(&u->change, plan->arena, out));
        return are_valid(u->bytes, *out) ? EM_OK : fail_damaged(u);
    }
    em_status found =
        em_version_find(plan->ws, &at_hand, u->row->new_hash, plan->arena, &base, &ignored);
    if (found == EM_E_NOMEM)
        return found;
    if (found != EM_OK)
        return search_back(u, out);
    em_status status = carry_back(u, base, out);
    if (status != EM_E_CONFLICT)
        return status;
    em_undo_conflict told = *plan->conflict;
    em_error why = *plan->err;
    status = search_back(u, out);
    if (status != EM_E_CONFLICT)
        return status;
    *plan->conflict = told; /* which says more */
    *plan->err = why;
    return status;
}

/* ---- One row ------------------------------------------------------------------------------- */

static em_status undo_edit(undoing *u, em_splices *splices)
{
    em_undo_plan *plan = u->plan;
    if (!plan->exists)
        return fail_place(u, "is not there any more");
    if (u->change.count == 0)
        return fail_place(u, "was changed so much that the way back was not recorded");
    EM_TRY(edit_back(u, splices));
    return lay_in(u->bytes, *splices, plan->arena, &plan->bytes);
}

static em_status undo_creation(undoing *u)
{
    em_undo_plan *plan = u->plan;
    if (!plan->exists)
        return fail_place(u, "is not there any more");
    if (!em_hash_eq(u->hash, u->row->new_hash)) {
        plan->conflict->has_now = true;
        plan->conflict->now = u->bytes;
        plan->conflict->line = 1;
        return fail_place(u, "was changed since it was made, so it is not removed");
    }
    plan->exists = false;
    plan->bytes = (em_slice){0};
    return EM_OK;
}

static em_status undo_removal(undoing *u)
{
    em_undo_plan *plan = u->plan;
    em_splices back;
    if (plan->exists) {
        plan->conflict->has_now = true;
        plan->conflict->now = u->bytes;
        plan->conflict->line = 1;
        return fail_place(u, "is there again since it was removed");
    }
    EM_TRY(em_inverse_back(&u->change, plan->arena, &back));
    if (!are_valid((em_slice){0}, back))
        return fail_place(u, "cannot be made again: what it held was not recorded");
    EM_TRY(lay_in((em_slice){0}, back, plan->arena, &plan->bytes));
    if (!em_hash_eq(em_hash_of(plan->bytes), u->row->old_hash))
        return fail_place(u, "cannot be made again: what it held was not recorded");
    plan->exists = true;
    plan->mode = u->row->mode;
    return EM_OK;
}

static em_status undo_row(em_undo_plan *plan, const em_row *row, em_splices *splices)
{
    undoing u = {.plan = plan, .row = row, .bytes = plan->bytes, .hash = em_hash_of(plan->bytes)};
    em_status status = em_past_change(plan->ws, row, plan->arena, &u.change, plan->err);
    if (status == EM_E_INVALID)
        return fail_damaged(&u);
    EM_TRY(status);
    plan->charset = u.change.kind.charset;
    plan->newline = u.change.kind.newline;
    if (row->kind == EM_ROW_CREATE)
        return undo_creation(&u);
    if (row->kind == EM_ROW_REMOVE)
        return undo_removal(&u);
    return undo_edit(&u, splices);
}

/* ---- All rows ------------------------------------------------------------------------------ */

em_status em_undo_plan_make(em_undo_plan *plan, const em_row *const *rows, size_t count)
{
    em_splices splices = {0};
    plan->exists = plan->file->exists;
    plan->bytes = plan->file->bytes;
    for (size_t i = count; i > 0; i--)
        EM_TRY(undo_row(plan, rows[i - 1], &splices));
    if (count == 1) {
        plan->splices = splices;
        return EM_OK;
    }
    em_splice *whole = em_alloc(plan->arena, sizeof *whole);
    if (!whole)
        return EM_E_NOMEM;
    *whole = (em_splice){0, plan->file->bytes.len, plan->bytes};
    return em_splices_refine(plan->file->bytes, (em_splices){whole, 1}, plan->newline, plan->arena,
                             &plan->splices);
}

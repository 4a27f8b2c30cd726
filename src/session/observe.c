#include "session/observe.h"

/* ---- What was asked ------------------------------------------------------------------------ */

static size_t bytes_of(const em_edit_request *request)
{
    size_t bytes = 0;
    for (size_t i = 0; i < request->op_count; i++)
        bytes += request->ops[i].find.len + request->ops[i].insert.len;
    for (size_t i = 0; i < request->dom_op_count; i++) {
        const em_dom_op *op = &request->dom_ops[i];
        bytes +=
            op->selector.len + op->attr.len + op->value.len + op->old_class.len + op->new_class.len;
    }
    return bytes;
}

/* ---- What came of it ----------------------------------------------------------------------- */

/* The loosest by which any place of the op was found. */
static em_tier tier_of(const em_matches *places)
{
    em_tier loosest = EM_TIER_EXACT;
    for (size_t i = 0; i < places->count; i++)
        loosest = places->items[i].tier > loosest ? places->items[i].tier : loosest;
    return loosest;
}

/* What writes a whole file, or lines by their numbers, found no text: not even exactly. Memory that
 * ran out costs the tiers. */
static void note_tiers(const em_op *ops, const em_plan *plan, em_arena *arena,
                       em_observed *observed)
{
    em_tier *tiers = em_alloc_array(arena, plan->op_count, sizeof *tiers);
    if (!tiers || !plan->places)
        return;
    observed->tiers = tiers;
    for (size_t i = 0; i < plan->op_count; i++)
        if (em_op_searches(&ops[i]) && ops[i].find.len > 0)
            tiers[observed->tier_count++] = tier_of(&plan->places[i]);
}

/* Where nobody wanted to see the diff, it is made as small as can be, to count. */
static void note_lines(const em_outcome *outcome, em_arena *arena, em_observed *observed)
{
    em_diff_limits least = {.bytes = 1, .lines = 1};
    em_diff diff = outcome->diff;
    if (diff.hunk_count == 0 && outcome->text.charset &&
        em_diff_of_text(&outcome->text, NULL, outcome->plan.splices, least, arena, &diff) != EM_OK)
        return;
    observed->lines_added = diff.lines_added;
    observed->lines_removed = diff.lines_removed;
}

static void note_file(const em_outcome *outcome, em_observed *observed)
{
    const em_file *file = &outcome->file;
    observed->resolved = file->path;
    observed->rel = file->rel;
    observed->old_size = file->exists ? file->size : 0;
    observed->hash = outcome->hash;
    observed->size = outcome->size;
}

void em_observe_edit(const em_session *session, const em_edit_request *request,
                     const em_outcome *outcome, em_arena *arena, em_observed_place place)
{
    if (!session->observer.tell || session->is_trial)
        return;
    em_observed observed = {
        .tool = request->tool,
        .client = session->client,
        .session = em_session_caller(session, request->session, request->stateless),
        .path = request->path,
        .dry_run = request->dry_run,
        .asked_bytes = bytes_of(request),
        .status = outcome->status,
        .cause = outcome->error.cause,
        .detail = outcome->status == EM_OK ? "" : outcome->error.detail,
        .committed = outcome->committed,
        .created = outcome->created,
        .merged = outcome->merged,
        .edit_id = outcome->edit_id,
        .index = place.index,
        .count = place.count,
    };
    if (outcome->is_open)
        note_file(outcome, &observed);
    note_tiers(request->ops, &outcome->plan, arena, &observed);
    if (outcome->is_open && (outcome->status == EM_OK || outcome->committed))
        note_lines(outcome, arena, &observed);
    session->observer.tell(session->observer.context, &observed);
}

/* ---- Copies -------------------------------------------------------------------------------- */

em_status em_observed_copy(const em_observed *from, em_arena *arena, em_observed *to)
{
    em_observed copy = *from;
    const char **texts[] = {&copy.tool,   &copy.client,   &copy.session, &copy.path,
                            &copy.detail, &copy.resolved, &copy.rel,     &copy.edit_id};
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        EM_TRY(em_arena_keep_string(arena, texts[i]));
    em_tier *tiers = em_alloc_array(arena, from->tier_count, sizeof *tiers);
    if (!tiers)
        return EM_E_NOMEM;
    if (from->tier_count > 0)
        memcpy(tiers, from->tiers, from->tier_count * sizeof *tiers);
    copy.tiers = tiers;
    *to = copy;
    return EM_OK;
}

/* plan.c: edits -> a plan, and what can be seen of it.
 *
 * A plan outlives the edits that it was made of, so what they insert is copied first; what they
 * search for is not needed once they are planned.
 */
#include "api/handles.h"

#include <stdlib.h>

/* ---- Edits in the engine's words ----------------------------------------------------------- */

#define SAME_KIND(name) _Static_assert((int)EMEND_##name == (int)EM_OP_##name, "public kind " #name)
SAME_KIND(REPLACE);
SAME_KIND(DELETE);
SAME_KIND(INSERT_BEFORE);
SAME_KIND(INSERT_AFTER);
SAME_KIND(APPEND);
SAME_KIND(PREPEND);
SAME_KIND(LINES);
SAME_KIND(REWRITE);
_Static_assert((int)EMEND_SEQUENTIAL == (int)EM_SEQUENTIAL, "public order");
_Static_assert((int)EMEND_ORIGINAL == (int)EM_ORIGINAL, "public order");
_Static_assert((int)EMEND_EXACT == (int)EM_TIER_EXACT, "public tier");
_Static_assert((int)EMEND_WHITESPACE == (int)EM_TIER_WHITESPACE, "public tier");
_Static_assert((int)EMEND_TOKEN == (int)EM_TIER_TOKEN, "public tier");
_Static_assert((int)EMEND_FUZZY == (int)EM_TIER_FUZZY, "public tier");

static size_t expect_of(const emend_edit *edit)
{
    if (edit->expect == EMEND_EVERY)
        return EM_EVERY;
    return edit->expect > 0 ? edit->expect : 1;
}

static em_status op_of(const emend_edit *edit, em_arena *arena, em_op *op, em_error *error)
{
    const char *insert = em_arena_string(arena, em_api_slice(edit->replace));
    em_slice *expected = em_alloc(arena, sizeof *expected);
    if (!insert || !expected)
        return EM_E_NOMEM;
    if ((unsigned)edit->kind > EMEND_REWRITE)
        return em_fail(error, EM_E_INVALID, "no such kind of edit: %u", (unsigned)edit->kind);
    *expected = em_api_slice(edit->find);
    *op = (em_op){.kind = (em_op_kind)edit->kind,
                  .find = em_api_slice(edit->find),
                  .insert = em_slice_make(insert, edit->replace.len),
                  .regex = edit->kind == EMEND_REPLACE && edit->flags & EMEND_REGEX,
                  .expect = expect_of(edit),
                  .first_line = edit->first_line,
                  .last_line = edit->last_line,
                  .expected_text = edit->flags & EMEND_EXPECT_TEXT ? expected : NULL};
    return EM_OK;
}

static em_status ops_of(const emend_edit *edits, size_t count, em_arena *arena, em_op **ops,
                        em_error *error)
{
    *ops = em_alloc_array(arena, count, sizeof **ops);
    if (!*ops)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        error->edit = (ptrdiff_t)i;
        EM_TRY(op_of(&edits[i], arena, &(*ops)[i], error));
    }
    error->edit = EM_NO_EDIT;
    return EM_OK;
}

static em_status check_policy(const emend_policy *policy, em_error *error)
{
    if ((unsigned)policy->order > EMEND_ORIGINAL)
        return em_fail(error, EM_E_INVALID, "no such order of edits: %u", (unsigned)policy->order);
    if ((unsigned)policy->most > EMEND_FUZZY)
        return em_fail(error, EM_E_INVALID, "no such tier: %u", (unsigned)policy->most);
    return EM_OK;
}

static em_policy policy_of(const emend_policy *policy, em_deadline *deadline)
{
    long ms = policy->deadline_ms;
    *deadline = em_deadline_in(ms < 0 ? 0 : ms > 0 ? ms : EM_DEFAULT_DEADLINE_MS);
    return (em_policy){.order = (em_order)policy->order,
                       .allow_no_change = policy->flags & EMEND_ALLOW_NO_CHANGE,
                       .allow_placeholders = policy->flags & EMEND_ALLOW_PLACEHOLDERS,
                       .most = (em_tier)policy->most,
                       .deadline = deadline};
}

/* ---- Making a plan ------------------------------------------------------------------------- */

static em_status plan_ops(emend_plan *plan, const em_plan_request *request,
                          em_plan_failure *failure, em_error *error)
{
    EM_TRY(em_plan_make(request, &plan->arena, &plan->plan, failure, error));
    return em_text_splices_to_raw(request->base.text, plan->plan.splices, &plan->arena, &plan->raw,
                                  error);
}

/* Which op it is that brings what the file's encoding cannot hold: without it those before it can
 * be planned. What a template becomes, and a whole new text, is known only when all is planned. */
static em_status find_unencodable(const emend_plan *plan, const em_plan_request *request,
                                  em_error *error)
{
    size_t good = 0, bad = request->op_count;
    while (bad - good > 1) {
        emend_plan tried = {.text = plan->text};
        em_plan_request some = *request;
        em_plan_failure unused;
        some.op_count = good + (bad - good) / 2;
        em_status status = plan_ops(&tried, &some, &unused, NULL);
        em_arena_drop(&tried.arena);
        if (status == EM_E_NOMEM)
            return status;
        *(status == EM_OK ? &good : &bad) = some.op_count;
    }
    error->edit = (ptrdiff_t)bad - 1;
    return EM_OK;
}

static em_status plan_edits(emend_plan *plan, const emend_policy *policy, const emend_edit *edits,
                            size_t count, em_plan_failure *failure, em_error *error)
{
    static const emend_policy none;
    em_op *ops;
    em_deadline deadline;
    policy = policy ? policy : &none;
    EM_TRY(check_policy(policy, error));
    em_policy how = policy_of(policy, &deadline);
    EM_TRY(ops_of(edits, count, &plan->arena, &ops, error));
    em_plan_request request = {{&plan->text->text, &plan->text->lines}, &how, ops, count};
    em_status status = plan_ops(plan, &request, failure, error);
    if (status == EM_E_INVALID && error->cause == EM_CAUSE_ENCODING && error->edit == EM_NO_EDIT)
        EM_TRY(find_unencodable(plan, &request, error));
    return status;
}

/* ---- What is told of a failure ------------------------------------------------------------- */

static emend_place place_of_near(const emend_text *text, const em_near *near)
{
    em_match match = {.start = near->piece_at.start,
                      .end = near->piece_at.end,
                      .inserted = near->piece_inserted,
                      .tier = EM_TIER_FUZZY,
                      .score = near->piece_similarity};
    return em_api_place(text, &match);
}

/* Those beyond the room that there is are not told. */
static void add_place(emend_error *err, emend_place place)
{
    if (err->place_count < EMEND_ERROR_PLACES)
        err->places[err->place_count++] = place;
}

static void add_places(const emend_text *text, const em_matches *matches, emend_error *err)
{
    for (size_t i = 0; i < matches->count && i < EMEND_ERROR_PLACES; i++)
        add_place(err, em_api_place(text, &matches->items[i]));
}

static void tell_diagnosis(const emend_text *text, const em_diagnosis *diagnosis, emend_error *err)
{
    if (diagnosis->miss != EM_MISS_UNKNOWN)
        err->cause = em_miss_name(diagnosis->miss);
    for (size_t i = 0; i < diagnosis->near_count; i++)
        add_place(err, place_of_near(text, &diagnosis->near[i]));
    if (diagnosis->has_beside && err->place_count == 0)
        add_place(err, place_of_near(text, &diagnosis->beside));
}

/* What the text holds instead. A text that stands beside the lines that it is kept to is told
 * before what is only like it. */
static void tell_failure(const emend_text *text, const em_plan_failure *failure, emend_error *err)
{
    if (!err)
        return;
    if (err->code == EMEND_E_OVERLAP)
        err->other_edit = (ptrdiff_t)failure->other_op;
    if (err->code == EMEND_E_NO_MATCH)
        add_places(text, &failure->beside, err);
    if (failure->diagnosis)
        tell_diagnosis(text, failure->diagnosis, err);
    if (err->code != EMEND_E_COUNT)
        return;
    err->found = failure->actual;
    add_places(text, &failure->places, err);
}

emend_status emend_plan_new(const emend_text *text, const emend_policy *policy,
                            const emend_edit *edits, size_t count, emend_plan **out,
                            emend_error *err)
{
    em_error error = EM_ERROR_INIT;
    em_plan_failure failure = {0};
    emend_plan *plan = *out = calloc(1, sizeof *plan);
    em_status status = EM_E_NOMEM;
    if (plan) {
        plan->text = text;
        status = plan_edits(plan, policy, edits, count, &failure, &error);
    }
    if (status == EM_OK)
        return EMEND_OK;
    em_api_fail(status, &error, err);
    tell_failure(text, &failure, err);
    emend_plan_free(plan);
    *out = NULL;
    return (emend_status)status;
}

void emend_plan_free(emend_plan *plan)
{
    if (plan)
        em_arena_drop(&plan->arena);
    free(plan);
}

/* ---- Looking at a plan --------------------------------------------------------------------- */

size_t emend_plan_splice_count(const emend_plan *plan)
{
    return plan->raw.count;
}

emend_splice emend_plan_splice(const emend_plan *plan, size_t index)
{
    if (index >= plan->raw.count)
        return (emend_splice){0};
    const em_splice *splice = &plan->raw.items[index];
    return (emend_splice){splice->offset, splice->length, em_api_public(splice->insert)};
}

size_t emend_plan_place_count(const emend_plan *plan, size_t edit)
{
    return edit < plan->plan.op_count ? plan->plan.places[edit].count : 0;
}

emend_place emend_plan_place(const emend_plan *plan, size_t edit, size_t index)
{
    if (index >= emend_plan_place_count(plan, edit))
        return (emend_place){0};
    return em_api_place(plan->text, &plan->plan.places[edit].items[index]);
}

emend_status emend_plan_apply(const emend_plan *plan, char **out, size_t *length, emend_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    em_slice bytes;
    *out = NULL;
    *length = 0;
    if (em_splices_apply(plan->text->text.raw, plan->raw, &arena, &bytes) != EM_OK)
        return em_api_refuse(EMEND_E_NOMEM, "out of memory", err);
    emend_status status = em_api_copy(bytes, out, err);
    if (status == EMEND_OK)
        *length = bytes.len;
    return status;
}

emend_status emend_plan_diff(const emend_plan *plan, const char *path, char **out, emend_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    em_diff diff;
    em_diff_names names = {.path = path, .created = plan->text->missing};
    *out = NULL;
    em_status status =
        em_diff_make(plan->text->text.body, plan->plan.splices, (em_diff_limits){0}, &arena, &diff);
    const char *text = status == EM_OK ? em_diff_render(&diff, names, &arena) : NULL;
    if (!text)
        return em_api_refuse(EMEND_E_NOMEM, "out of memory", err);
    return em_api_copy(em_slice_of(text), out, err);
}

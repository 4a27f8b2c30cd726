/* windowed.c: plan on an extract what is meant for the file.
 *
 * An extract has every place where a search text stands in the file. What a sequence makes of the
 * text can only give new places, or take some away, where it changed something: as far around as
 * the longest search text reaches. So the plan is that of the file when everything that it touches
 * lies farther than that from where the extract lacks something. That is looked at afterwards;
 * where it is not so, the extract is made again with more around each place.
 */
#include "session/windowed.h"

#include "session/plan.h"

#include <inttypes.h>

enum {
    LINES_AROUND = 8, /* around what is changed: what a diff shows, and what the history keeps */
    LEAST_REACH = 64, /* bytes, however short the search texts are */
    FEW_OPS = 64,     /* their search texts are found in a pass or two */
    GROWTH = 4,       /* how much more is taken around each place when it was too little */
};

/* ---- What can be done through a window ------------------------------------------------------ */

/* Lines are numbered in the text of the moment: known as long as it is the original. */
static bool can_do_op(const em_edit_request *request, size_t index)
{
    const em_op *op = &request->ops[index];
    if (op->kind == EM_OP_REWRITE || em_op_is_pattern(op))
        return false;
    return op->kind != EM_OP_LINES || request->op_count == 1;
}

static bool can_do(const em_edit_request *request)
{
    if (request->encoding || request->existence == EM_MUST_BE_NEW || request->dom_op_count > 0)
        return false;
    for (size_t i = 0; i < request->op_count; i++) {
        if (!can_do_op(request, i))
            return false;
    }
    return true;
}

unsigned em_windowed_flags(const em_edit_request *request)
{
    if (!can_do(request))
        return 0;
    bool is_quick = !request->want_content && request->op_count <= FEW_OPS;
    return is_quick ? EM_MAY_BE_LARGE | EM_RATHER_LARGE : EM_MAY_BE_LARGE;
}

/* ---- Reading it whole ----------------------------------------------------------------------- */

em_status em_windowed_load_now(em_workspace *ws, em_outcome *outcome)
{
    em_error was = outcome->error;
    outcome->error = EM_ERROR_INIT;
    em_status status = em_large_load(ws, &outcome->file, &outcome->error);
    if (status == EM_E_TOO_LARGE && was.code == EM_E_TOO_LARGE) {
        em_fail(&outcome->error, status, "%s; to read it whole there is not enough memory",
                was.detail);
        outcome->error.sys = ENOMEM;
    }
    return status;
}

/* What is said of a miss is said of the file, not of the few lines of it that are held. */
static em_status tell_less(em_windowed *w)
{
    em_outcome *outcome = w->outcome;
    outcome->failure.diagnosis = NULL;
    outcome->failure.line = 0;
    outcome->error.cause = EM_CAUSE_NOT_FOUND;
    return em_warn(&outcome->warnings, w->arena,
                   "The file has %" PRIu64
                   " bytes, more than there is memory for, and was not searched for what is like "
                   "the search text: read the lines that are meant, by their numbers, and send "
                   "them as they are",
                   outcome->file.size);
}

em_status em_windowed_load(em_windowed *w, bool *can)
{
    em_outcome *outcome = w->outcome;
    em_error was = outcome->error;
    em_status status = em_windowed_load_now(w->ws, outcome);
    *can = status == EM_OK;
    if (*can)
        outcome->text = em_text_of_bytes(outcome->file.bytes, w->survey.encoding);
    if (*can || status != EM_E_TOO_LARGE || was.code == EM_E_TOO_LARGE)
        return status;
    outcome->error = was;
    EM_TRY(tell_less(w));
    return was.code;
}

bool em_windowed_misses_all(const em_windowed *w)
{
    return w->survey.scan.place_count == 0 && !w->survey.scan.overflow;
}

/* ---- Opening ------------------------------------------------------------------------------- */

static em_slice *needles_of(const em_windowed *w, size_t *count)
{
    const em_edit_request *request = w->request;
    em_slice *needles = em_alloc_array(w->arena, request->op_count, sizeof *needles);
    *count = 0;
    for (size_t i = 0; i < request->op_count && needles; i++) {
        const em_op *op = &request->ops[i];
        if (em_op_searches(op) && op->find.len > 0)
            needles[(*count)++] = op->find;
    }
    return needles;
}

static void choose_margin(em_windowed *w, const em_slice *needles, size_t count)
{
    w->reach = LEAST_REACH;
    for (size_t i = 0; i < count; i++) {
        if (2 * needles[i].len > w->reach) /* each LF of it may stand for a CRLF */
            w->reach = 2 * needles[i].len;
    }
    w->margin = 2 * w->reach;
}

/* One text becomes another: so it mostly comes. */
static bool foresee(const em_edit_request *request, em_foresight *foresight)
{
    const em_op *op = request->ops;
    if (request->op_count != 1 || op->find.len == 0 ||
        (op->kind != EM_OP_REPLACE && op->kind != EM_OP_DELETE))
        return false;
    *foresight = (em_foresight){.find = op->find};
    if (op->kind == EM_OP_REPLACE)
        foresight->insert = op->insert;
    return true;
}

em_status em_windowed_open(em_windowed *w)
{
    size_t count;
    em_foresight foresight;
    em_slice *needles = needles_of(w, &count);
    if (!needles)
        return EM_E_NOMEM;
    choose_margin(w, needles, count);
    em_survey_options options = {.needles = needles, .count = count};
    if (foresee(w->request, &foresight))
        options.foresight = &foresight;
    em_status status = em_survey_make(&w->survey, w->ws, &w->outcome->file, &options, w->arena,
                                      &w->outcome->error);
    return status == EM_E_TOO_LARGE ? em_windowed_load_now(w->ws, w->outcome) : status;
}

/* ---- The extract --------------------------------------------------------------------------- */

static em_status find_lines(em_windowed *w)
{
    const em_edit_request *request = w->request;
    w->stretches = em_alloc_array(w->arena, request->op_count, sizeof *w->stretches);
    w->stretch_count = 0;
    if (!w->stretches)
        return EM_E_NOMEM;
    for (size_t i = 0; i < request->op_count; i++) {
        const em_op *op = &request->ops[i];
        if (op->kind == EM_OP_LINES && op->first_line > 0)
            EM_TRY(em_survey_lines(&w->survey, op->first_line, op->last_line,
                                   &w->stretches[w->stretch_count++]));
    }
    return EM_OK;
}

static em_status extract(em_windowed *w)
{
    return em_survey_extract(&w->survey, w->stretches, w->stretch_count, w->margin,
                             &w->outcome->text);
}

em_status em_windowed_text(em_windowed *w)
{
    em_outcome *outcome = w->outcome;
    em_status status = find_lines(w);
    if (status == EM_OK)
        status = extract(w);
    if (status != EM_E_TOO_LARGE)
        return status;
    EM_TRY(em_windowed_load_now(w->ws, outcome));
    return em_text_open(outcome->file.bytes, NULL, w->arena, &outcome->text, &outcome->error);
}

/* ---- Is the plan that of the file? ---------------------------------------------------------- */

static bool has_lines(em_slice bytes, size_t lines)
{
    for (size_t at; lines > 0 && (at = em_slice_until(bytes, '\n')) < bytes.len; lines--)
        bytes = em_slice_from(bytes, at + 1);
    return lines == 0;
}

/* Does everything that an op touched lie far enough from where the extract lacks something? */
static bool lies_within(const em_windowed *w, const em_match *place)
{
    const em_extract *extract = w->outcome->text.extract;
    const em_segment *segment = em_extract_segment(extract, place->start);
    size_t end = segment->at + segment->length;
    bool first = segment == extract->segments;
    bool last = segment + 1 == extract->segments + extract->count;
    em_slice before = em_slice_sub(extract->body, segment->at, place->start);
    if (!first && (before.len < w->reach || !has_lines(before, LINES_AROUND)))
        return false;
    if (last)
        return true;
    if (place->end > end)
        return false;
    em_slice after = em_slice_sub(extract->body, place->end, end);
    return after.len >= w->reach && has_lines(after, LINES_AROUND);
}

static bool all_lie_within(const em_windowed *w, const em_plan *plan)
{
    for (size_t i = 0; i < plan->op_count; i++) {
        const em_matches *places = &plan->places[i];
        for (size_t j = 0; j < places->count; j++) {
            if (!lies_within(w, &places->items[j]))
                return false;
        }
    }
    return true;
}

/* The ops before the one that failed, whose places a failure does not tell. */
static em_status plan_before(em_windowed *w, const em_policy *policy, size_t count, em_plan *plan)
{
    em_outcome *outcome = w->outcome;
    em_plan_failure ignored;
    em_policy quiet = *policy;
    quiet.keep_previews = false;
    em_plan_request before = {{&outcome->text, &outcome->lines}, &quiet, w->request->ops, count};
    return em_plan_make(&before, w->arena, plan, &ignored, NULL);
}

static em_status check_reach(em_windowed *w, const em_policy *policy, em_status status,
                             bool *is_enough)
{
    em_outcome *outcome = w->outcome;
    em_plan before = outcome->plan;
    ptrdiff_t failed = outcome->error.edit;
    *is_enough = true;
    if (policy->order != EM_SEQUENTIAL || w->request->op_count < 2)
        return EM_OK;
    if (status != EM_OK && before.op_count == 0 && failed > 0)
        EM_TRY(plan_before(w, policy, (size_t)failed, &before));
    *is_enough = all_lie_within(w, &before);
    return EM_OK;
}

/* It is told before anything is located, so that nothing is known of the ops before it. */
static bool is_placeholder(const em_error *error)
{
    return error->cause == EM_CAUSE_PLACEHOLDER;
}

em_status em_windowed_plan(em_windowed *w, em_policy policy, bool *is_known)
{
    em_outcome *outcome = w->outcome;
    const em_planning planning = {
        w->request, {&outcome->text, &outcome->lines}, &policy, w->arena, outcome};
    for (;;) {
        bool is_enough;
        outcome->done = 0;
        em_status status = em_plan_call(&planning);
        *is_known = status != EM_E_NO_MATCH;
        if (!*is_known || status == EM_E_NOMEM || is_placeholder(&outcome->error))
            return status;
        EM_TRY(check_reach(w, &policy, status, &is_enough));
        if (is_enough)
            return status;
        w->margin *= GROWTH;
        outcome->error = EM_ERROR_INIT;
        status = extract(w);
        if (status == EM_OK)
            status = em_lines_init(&outcome->text, w->arena, &outcome->lines);
        *is_known = status != EM_E_TOO_LARGE;
        if (status != EM_OK)
            return status;
    }
}

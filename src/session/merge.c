/* merge.c: an edit is located in the version that was read, and carried over to the file.
 *
 * Begin with em_merge_plan(). Each step that fails says as a conflict why the edit cannot be
 * carried over (merge_carry.c); what is carried over by splices is then looked at again on the file
 * as it is (merge_again.c).
 */
#include "session/merge_impl.h"

#include "past/versions.h"

#include <stdio.h>

/* ---- The version that was read -------------------------------------------------------------- */

/* Find it, and read it as text as the file is read. EM_E_CONFLICT where that cannot be: the error
 * says why. */
static em_status open_base(em_workspace *ws, const em_planning *p, em_merge *merge)
{
    const em_file *file = &p->outcome->file;
    const em_text *now = &p->outcome->text;
    em_error *err = &p->outcome->error;
    em_slice bytes;
    em_error why = EM_ERROR_INIT;
    em_status status = em_version_find(ws, file, merge->base, p->arena, &bytes, &why);
    if (status == EM_E_NOMEM)
        return status;
    if (status != EM_OK)
        return em_fail_cause(err, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                             "its content has the hash %s, not the expected %s, and the version "
                             "that was read is not kept any more, so the edit cannot be carried "
                             "over",
                             file->hash.hex, merge->base.hex);
    status = em_text_open(bytes, p->request->encoding, p->arena, &merge->text, &why);
    if (status == EM_E_NOMEM)
        return status;
    if (status != EM_OK || strcmp(merge->text.charset, now->charset) != 0 ||
        merge->text.bom_length != now->bom_length)
        return em_fail_cause(err, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                             "its encoding is not what it was when it was read");
    return em_lines_init(&merge->text, p->arena, &merge->lines);
}

/* ---- The plan, made on it ------------------------------------------------------------------- */

static void forget_plan(em_outcome *outcome)
{
    outcome->plan = (em_plan){0};
    outcome->failure = (em_plan_failure){0};
    outcome->dom = (em_dom_plan){0};
    outcome->done = 0;
}

/* What is wrong with an edit of the version that was read is not wrong with the file. An operation
 * on an element is named in words, since it is none of the request's ops. */
static em_status fail_on_base(const em_merge *merge, const em_planning *on_base, em_status status)
{
    em_outcome *outcome = on_base->outcome;
    em_error *err = &outcome->error;
    em_error was = *err;
    char which[64] = "";
    if (outcome->dom.failed_count > 0 && outcome->done > 0)
        return status; /* each says by itself what it failed for */
    if (outcome->dom.failed_count > 0) {
        snprintf(which, sizeof which, "DOM operation %td/%zu: ", was.edit + 1,
                 on_base->request->dom_op_count);
        err->edit = EM_NO_EDIT;
    }
    outcome->failure = (em_plan_failure){0};
    if (outcome->done == 0 || status == EM_E_NOMEM)
        forget_plan(outcome);
    if (status == EM_E_NOMEM)
        return status;
    const char *cause = em_cause_name(was.cause);
    return em_fail_cause(err, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                         "in the version that was read (its hash is %s) the edit cannot be made: "
                         "%s%s%s%s",
                         merge->base.hex, which, cause, *cause && was.detail[0] ? ": " : "",
                         was.detail);
}

/* ---- The plan, carried over ------------------------------------------------------------------ */

/* Of the places that touch all must be known, told or not; some 100 bytes each. */
enum { MOST_PLACES = 1000 * 1000 };

static em_status check_all_are_known(const em_plan *plan, em_error *err)
{
    for (size_t i = 0; i < plan->op_count; i++) {
        if (plan->places[i].count == plan->places[i].total)
            continue;
        if (err)
            err->edit = (ptrdiff_t)i;
        return em_fail_cause(err, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                             "the edits take more than %d places, which are too many to be "
                             "carried over",
                             (int)MOST_PLACES);
    }
    return EM_OK;
}

/* Plan the first `count` ops, and carry over what is done of them. *carried: so it is, though it
 * may not be all. */
static em_status plan_ops(const em_merge *merge, const em_planning *on_base, size_t count,
                          bool *carried)
{
    em_outcome *outcome = on_base->outcome;
    em_edit_request some = *on_base->request;
    em_planning part = *on_base;
    some.op_count = count;
    part.request = &some;
    outcome->done = 0;
    outcome->stale = (em_stale_lines){.are_told = false};
    em_status planned = em_plan_call(&part);
    if (planned != EM_OK)
        planned = fail_on_base(merge, &part, planned);
    *carried = false;
    if (planned != EM_OK && outcome->done == 0)
        return planned == EM_E_CONFLICT ? em_merge_tell_now(&part) : planned;
    const em_error why = outcome->error;
    em_dom_places *places = NULL;
    em_status status = check_all_are_known(&outcome->plan, &outcome->error);
    if (status == EM_OK)
        status = em_merge_carry(merge, &part, &places);
    if (status == EM_OK)
        status = em_merge_check_again(merge, &part, places);
    *carried = status == EM_OK;
    if (!*carried)
        return status;
    outcome->error = why;
    return outcome->dom.failed_count > 0 ? em_plan_blame_element(outcome) : planned;
}

/* How many ops are before the one whose lines are not there any more; 0 where none of them is to be
 * kept without it. */
static size_t ops_before(const em_planning *p)
{
    bool keeps = p->policy->extent == EM_AS_FAR_AS_OK && p->request->dom_op_count == 0;
    ptrdiff_t failed = p->outcome->error.edit;
    return keeps && failed > 0 ? (size_t)failed : 0;
}

/* plan_ops(), without the op that could not be carried over and those behind it; what became of
 * that one is what is told. */
static em_status plan_fewer(const em_merge *merge, const em_planning *on_base, size_t count,
                            bool *carried)
{
    em_outcome *outcome = on_base->outcome;
    const em_error why = outcome->error;
    const em_stale_lines stale = outcome->stale;
    EM_TRY(plan_ops(merge, on_base, count, carried));
    outcome->error = why;
    outcome->stale = stale;
    return EM_E_CONFLICT;
}

em_status em_merge_plan(em_merge *merge, em_workspace *ws, const em_planning *planning)
{
    em_outcome *outcome = planning->outcome;
    em_policy exact = *planning->policy;
    em_planning on_base = *planning;
    size_t count = planning->request->op_count;
    bool carried;
    exact.most = EM_TIER_EXACT;
    exact.most_places = MOST_PLACES;
    on_base.policy = &exact;
    on_base.base = (em_plan_base){&merge->text, &merge->lines};
    EM_TRY(open_base(ws, planning, merge));
    em_status status = plan_ops(merge, &on_base, count, &carried);
    while (!carried && status == EM_E_CONFLICT && (count = ops_before(&on_base)) > 0)
        status = plan_fewer(merge, &on_base, count, &carried);
    if (!carried) {
        forget_plan(outcome);
        return status;
    }
    em_plan_limit_places(&outcome->plan, planning->policy->most_places);
    outcome->merged = true;
    EM_TRY(em_warn(&outcome->warnings, planning->arena,
                   "The file had changed since the version with the hash %s was read: the change "
                   "was carried over to what it holds now",
                   merge->base.hex));
    return status;
}

/* merge_again.c: the file as it is, asked for the same, must come to the same. */
#include "session/merge_impl.h"

#include "session/outcome.h"

#include <stdarg.h>
#include <stdio.h>

/* ---- Is it still the only one? ---------------------------------------------------------- */

/* Lines that an op is kept to are those of the version that was read. */
static bool keeps_to_lines(const em_edit_request *request)
{
    for (size_t i = 0; i < request->op_count; i++)
        if (request->ops[i].first_line > 0 || request->ops[i].last_line > 0)
            return true;
    return false;
}

static em_status fail_ambiguous(const em_plan_failure *now, ptrdiff_t op, em_outcome *outcome)
{
    outcome->error.edit = op;
    return em_fail_cause(&outcome->error, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                         "the search text stands there %zu times now, not %zu as in the version "
                         "that was read; search for more of the text around the place",
                         now->actual, now->expected);
}

/* Does what was searched for stand in the file as it is as often as in the version that was read?
 * Who asks for it now would be told that it is ambiguous. */
static em_status check_texts(const em_outcome *now, em_status status, em_outcome *outcome)
{
    bool is_text = status == EM_E_COUNT && now->dom.failed_count == 0;
    return is_text && now->failure.actual > now->failure.expected
               ? fail_ambiguous(&now->failure, now->error.edit, outcome)
               : EM_OK;
}

/* ---- Do the operations on elements do the same? ----------------------------------------------
 * They are planned anew on the file as it is, each kept to what it wrote in the version that was
 * read, so that the new bytes are those of a plan that was checked on the tree of that file. One
 * that failed there writes nothing here, and says of this file why it fails. */

static bool failed_then(const em_planning *on_base, size_t op)
{
    return on_base->outcome->dom.outcomes[op].status == EM_DOM_FAILED;
}

static em_status ask_again(const em_planning *on_base, const em_dom_places *places, em_dom_op **ops)
{
    static const em_dom_places nothing;
    size_t count = on_base->outcome->dom.op_count;
    *ops = em_alloc_array(on_base->arena, count, sizeof **ops);
    if (!*ops)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        (*ops)[i] = on_base->request->dom_ops[i];
        (*ops)[i].only = failed_then(on_base, i) ? &nothing : &places[i];
    }
    return EM_OK;
}

/* The lines around an offset, with one before and one behind. */
static em_slice lines_around(const em_text *text, const em_lines *lines, size_t offset)
{
    size_t line = em_lines_at(lines, offset), count = em_lines_count(lines);
    em_slice content = em_lines_content(lines, line < count ? line + 1 : line);
    size_t start = em_lines_line(lines, line > 1 ? line - 1 : line).start;
    return em_slice_sub(text->body, start, (size_t)(content.ptr - text->body.ptr) + content.len);
}

/* What the first of its changes was to be made in, then and now. */
static void tell_around(const em_merge *merge, const em_dom_outcome *was,
                        const em_dom_places *places, em_outcome *outcome)
{
    if (was->change_count == 0)
        return;
    size_t line = em_lines_at(&outcome->lines, places->items[0].start);
    outcome->stale = (em_stale_lines){
        .are_told = true,
        .read = lines_around(&merge->text, &merge->lines, was->changes[0].before.start),
        .now = lines_around(&outcome->text, &outcome->lines, places->items[0].start),
        .line = line > 1 ? line - 1 : line};
}

static em_status fail_operation(em_outcome *outcome, size_t op, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

static em_status fail_operation(em_outcome *outcome, size_t op, const char *format, ...)
{
    char why[sizeof outcome->error.detail];
    va_list args;
    va_start(args, format);
    vsnprintf(why, sizeof why, format, args);
    va_end(args);
    outcome->error.edit = EM_NO_EDIT;
    return em_fail_cause(&outcome->error, EM_E_CONFLICT, EM_CAUSE_CHANGED,
                         "DOM operation %zu/%zu: %s", op + 1, outcome->dom.op_count, why);
}

static em_status check_operation(const em_dom_outcome *now, size_t op, em_outcome *outcome)
{
    const em_dom_outcome *was = &outcome->dom.outcomes[op];
    bool is_count = now->code == EM_DOM_E_AMBIGUOUS || now->code == EM_DOM_E_COUNT;
    if (now->status == EM_DOM_FAILED && is_count)
        return fail_operation(outcome, op,
                              "its selector matches %zu elements now, other than in the version "
                              "that was read; make it more specific",
                              now->matches);
    if (now->status == EM_DOM_FAILED)
        return fail_operation(outcome, op, "in the file as it is now it cannot be made: %s",
                              now->reason);
    /* Elements that have come may lack what the operation asks for. */
    size_t more = now->matches > was->matches ? now->matches - was->matches : 0;
    if (now->change_count == was->change_count && now->left_out <= more)
        return EM_OK;
    return fail_operation(outcome, op,
                          "what its selector matches now is not what it matched in the version "
                          "that was read");
}

static em_status writes_the_same(em_slice body, em_splices a, em_splices b, bool *same)
{
    EM_AUTO(em_arena) scratch = {0};
    em_slice with_a, with_b;
    EM_TRY(em_splices_apply(body, a, &scratch, &with_a));
    EM_TRY(em_splices_apply(body, b, &scratch, &with_b));
    *same = em_slice_eq(with_a, with_b);
    return EM_OK;
}

/* What has come since is none of what was asked for, though it is like it: that is told. `of_which`
 * is what the sentence begins with; NULL when memory ran out. */
static em_status tell_left_out(const char *of_which, size_t left_out, em_arena *arena,
                               em_outcome *outcome)
{
    bool one = left_out == 1;
    if (!of_which)
        return EM_E_NOMEM;
    return em_warn(&outcome->warnings, arena,
                   "%s, %zu came after the version that was read, and %s. If %s meant too, change "
                   "%s with the hash of this answer",
                   of_which, left_out, one ? "was left as it is" : "were left as they are",
                   one ? "it is" : "they are", one ? "it" : "them");
}

static em_status take_result(const em_dom_outcome *now, size_t op, em_arena *arena,
                             em_outcome *outcome)
{
    outcome->dom.outcomes[op] = *now;
    if (now->left_out == 0)
        return EM_OK;
    return tell_left_out(
        em_arena_format(arena,
                        "DOM operation %zu/%zu: of the %zu elements that its selector matches",
                        op + 1, outcome->dom.op_count, now->matches),
        now->left_out, arena, outcome);
}

/* The first one that was done. */
static size_t first_done(const em_planning *on_base)
{
    size_t op = 0;
    while (failed_then(on_base, op))
        op++;
    return op;
}

static em_status check_elements(const em_merge *merge, const em_planning *on_base,
                                const em_dom_places *places, const em_dom_plan *now)
{
    em_outcome *outcome = on_base->outcome;
    bool same;
    for (size_t op = 0; op < now->op_count; op++) {
        if (failed_then(on_base, op))
            continue;
        em_status status = check_operation(&now->outcomes[op], op, outcome);
        if (status != EM_OK)
            tell_around(merge, &outcome->dom.outcomes[op], &places[op], outcome);
        EM_TRY(status);
    }
    EM_TRY(writes_the_same(outcome->text.body, outcome->dom.splices, now->splices, &same));
    return same ? EM_OK
                : fail_operation(outcome, first_done(on_base),
                                 "with those behind it, it would not write what it would have "
                                 "written in the version that was read");
}

/* ---- What became of them -------------------------------------------------------------------- */

/* One that failed in the version that was read, and would not in the file as it is. */
static em_dom_outcome come_since(const em_dom_outcome *was, const em_dom_outcome *now)
{
    return (em_dom_outcome){.status = EM_DOM_FAILED,
                            .code = was->code,
                            .reason = "it cannot be made in the version that was read, but it "
                                      "could be in the file as it is now: send it with the hash "
                                      "of this answer, if that is meant",
                            .matches = now->matches};
}

/* What became of the operations is what becomes of them in the file as it is. */
static em_status take_results(const em_planning *on_base, const em_outcome *now)
{
    em_outcome *outcome = on_base->outcome;
    outcome->meant = now->meant;
    for (size_t op = 0; op < now->dom.op_count; op++) {
        em_dom_outcome *was = &outcome->dom.outcomes[op], *is = &now->dom.outcomes[op];
        bool failed = was->status == EM_DOM_FAILED;
        if (!failed) {
            EM_TRY(take_result(is, op, on_base->arena, outcome));
        } else if (is->status == EM_DOM_FAILED) {
            *was = *is;
        } else {
            *was = come_since(was, is);
            outcome->meant = EM_MEANT_UNKNOWN;
        }
    }
    return EM_OK;
}

/* ---- Do edits of all places find more? ------------------------------------------------------ */

/* Places that have come since, of an edit that takes any number of them. */
static em_status tell_new_places(const em_plan *now, em_arena *arena, em_outcome *outcome)
{
    const em_plan *plan = &outcome->plan;
    for (size_t i = 0; i < now->op_count && i < plan->op_count; i++) {
        size_t was = plan->places[i].total, is = now->places[i].total;
        if (is > was)
            EM_TRY(tell_left_out(
                em_arena_format(arena,
                                "Edit %zu: of the %zu places that it would change in the file "
                                "as it is now",
                                i + 1, is),
                is - was, arena, outcome));
    }
    return EM_OK;
}

/* ---- What can be done now, where nothing could be then --------------------------------------- */

static em_status add_to_error(em_outcome *outcome, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

/* Behind what the error says already, which is told first. */
static em_status add_to_error(em_outcome *outcome, const char *format, ...)
{
    em_error *err = &outcome->error;
    size_t used = strlen(err->detail);
    va_list args;
    va_start(args, format);
    vsnprintf(err->detail + used, sizeof err->detail - used, format, args);
    va_end(args);
    return EM_E_CONFLICT;
}

/* Why it fails in the file as it is; of several ops, which does. */
static em_status tell_failure(const em_planning *on_base, const em_outcome *now)
{
    const em_error *err = &now->error;
    const char *cause = em_cause_name(err->cause);
    const char *colon = *cause && err->detail[0] ? ": " : "";
    const em_edit_request *request = on_base->request;
    char which[64] = "";
    if (now->dom.failed_count > 0)
        snprintf(which, sizeof which, "DOM operation %td/%zu: ", err->edit + 1,
                 request->dom_op_count);
    else if (err->edit >= 0 && request->op_count > 1)
        snprintf(which, sizeof which, "edit %td of %zu: ", err->edit + 1, request->op_count);
    return add_to_error(on_base->outcome, "; nor can it in the file as it is now: %s%s%s%s", which,
                        cause, colon, err->detail);
}

/* What of the file is most like a text that it does not have. */
static void tell_near(const em_outcome *now, em_outcome *outcome)
{
    const em_diagnosis *diagnosis = now->failure.diagnosis;
    if (now->dom.failed_count > 0 || !diagnosis || diagnosis->near_count == 0 ||
        diagnosis->near[0].inserted)
        return;
    outcome->stale = (em_stale_lines){.are_told = true,
                                      .only_alike = true,
                                      .now = diagnosis->near[0].content,
                                      .line = diagnosis->near[0].line};
}

em_status em_merge_tell_now(const em_planning *on_base)
{
    em_outcome now, *outcome = on_base->outcome;
    em_planning on_file = *on_base;
    if (keeps_to_lines(on_base->request))
        return EM_E_CONFLICT;
    em_outcome_init(&now);
    on_file.base = (em_plan_base){&outcome->text, &outcome->lines};
    on_file.outcome = &now;
    em_status status = em_plan_call(&on_file);
    if (status == EM_E_NOMEM)
        return status;
    if (status == EM_OK || now.done > 0)
        return add_to_error(outcome,
                            "; in the file as it is now %s can be made: send %s with "
                            "expected_hash \"%s\", if that is meant",
                            status == EM_OK ? "it" : "some of it", status == EM_OK ? "it" : "that",
                            outcome->file.hash.hex);
    tell_near(&now, outcome);
    return tell_failure(on_base, &now);
}

/* ---- Both ----------------------------------------------------------------------------------- */

em_status em_merge_check_again(const em_merge *merge, const em_planning *on_base,
                               const em_dom_places *places)
{
    em_outcome now, *outcome = on_base->outcome;
    em_dom_op *ops;
    em_edit_request some = *on_base->request;
    em_planning on_file = *on_base;
    EM_TRY(ask_again(on_base, places, &ops));
    some.dom_ops = ops;
    if (keeps_to_lines(&some))
        some.op_count = 0;
    em_outcome_init(&now);
    on_file.request = &some;
    on_file.base = (em_plan_base){&outcome->text, &outcome->lines};
    on_file.outcome = &now;
    em_status status = em_plan_call(&on_file);
    if (status == EM_E_NOMEM)
        return status;
    if (some.dom_op_count > 0 && !now.dom.outcomes) { /* nothing was planned: the error says why */
        outcome->error = now.error;
        return status;
    }
    if (some.dom_op_count > 0)
        EM_TRY(check_elements(merge, on_base, places, &now.dom));
    EM_TRY(take_results(on_base, &now));
    EM_TRY(check_texts(&now, status, outcome));
    return tell_new_places(&now.plan, on_base->arena, outcome);
}

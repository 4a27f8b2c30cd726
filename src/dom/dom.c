/* dom.c: all operations, one by one; then the guard has a look, and which of them is to blame is
 * found out. */
#include "dom/dom_impl.h"
#include "dom/guard.h"
#include "html/tag.h"

/* What explanations may take, of all ops together, where there is a deadline. */
enum { HINTS_MS = 500 };

/* ---- All of them ----------------------------------------------------------------------------- */

/* The first `count` ops on the page as it was, or as many as leave it whole. */
static em_status run(em_runner *r, size_t count)
{
    em_page_state_drop(&r->state);
    em_together_clear(&r->waiting);
    r->dropped.is_known = false;
    em_runner_begin(r, NULL);
    EM_TRY(em_page_state_open(&r->state, r->page, &r->memory, r->deadline, r->err));
    for (r->ran = 0; r->ran < count; r->ran++) {
        EM_AUTO(em_arena) scratch = {0};
        size_t i = r->ran;
        em_dom_outcome *outcome = &r->outcomes[i];
        *outcome = (em_dom_outcome){.reason = ""};
        const char *wrong = em_dom_op_wrong(&r->ops[i]);
        if (wrong || r->ops[i].unwritable || r->trials[i].way == EM_TRIAL_REFUSED)
            EM_TRY(em_runner_leave_out(r, i, wrong));
        else
            EM_TRY(em_runner_do(r, i, &scratch));
        if (r->state.broken)
            return EM_OK;
    }
    return em_runner_apply_waiting(r);
}

static em_status check(em_runner *r, em_guard_finding *finding)
{
    *finding = (em_guard_finding){.same = true};
    if (r->state.changes.splices.count == 0)
        return EM_OK;
    em_runner_begin(r, NULL);
    return em_guard_check(&r->state.page, r->deadline, finding);
}

/* ---- Which of them is to blame --------------------------------------------------------------- */

/* Which op is it after which the page reads otherwise? The first `good` ones are not. Where several
 * are to blame the next one is often near, so it is looked for in steps that grow. */
static em_status find_culprit(em_runner *r, size_t good, size_t *culprit, em_guard_finding *finding)
{
    size_t bad = r->ran;
    for (size_t step = 1; bad - good > 1; step *= 2) {
        em_guard_finding found;
        size_t middle = good + em_least(step, (bad - good) / 2);
        EM_TRY(run(r, middle));
        EM_TRY(check(r, &found));
        if (found.same) {
            good = middle;
        } else {
            bad = r->ran;
            *finding = found;
        }
    }
    *culprit = bad - 1;
    return EM_OK;
}

static bool is_control(uint32_t code)
{
    return (code < ' ' && !em_html_space((char)code)) || (code >= 0x7F && code <= 0x9F);
}

static bool is_noncharacter(uint32_t code)
{
    return (code >= 0xFDD0 && code <= 0xFDEF) || (code & 0xFFFE) == 0xFFFE;
}

/* A character that the op writes and for which our parser reads U+FFFD; 0: none. */
static uint32_t forbidden_in(const em_dom_op *op)
{
    em_dom_texts written = em_dom_written_by(op);
    for (size_t i = 0; i < sizeof written.texts / sizeof *written.texts; i++)
        for (size_t at = 0; at < written.texts[i].len;) {
            uint32_t code = em_utf8_next(written.texts[i], &at);
            if (is_control(code) || is_noncharacter(code))
                return code;
        }
    return 0;
}

/* What is given as HTML is mostly read by the same parser before. */
static bool is_to_blame(uint32_t forbidden, const em_dom_op *op, const em_guard_finding *finding)
{
    bool is_html = op->action == EM_DOM_SET_HTML || op->action == EM_DOM_INSERT_ADJACENT_HTML;
    return forbidden && (!is_html || strstr(finding->found, "\xEF\xBF\xBD"));
}

static em_status blame(em_runner *r, size_t op, const em_guard_finding *finding)
{
    em_trial *trial = &r->trials[op];
    if (trial->way == EM_TRIAL_AS_IT_IS && trial->can_close) {
        trial->way = EM_TRIAL_WITH_END_TAGS;
        return EM_OK;
    }
    trial->way = EM_TRIAL_REFUSED;
    trial->matches = r->outcomes[op].matches;
    uint32_t forbidden = forbidden_in(&r->ops[op]);
    trial->reason =
        is_to_blame(forbidden, &r->ops[op], finding)
            ? em_arena_format(r->arena,
                              "there is U+%04X in an argument, a %s: HTML forbids these, and the "
                              "parser here reads U+FFFD for each; leave it out",
                              (unsigned)forbidden,
                              is_control(forbidden) ? "control character" : "noncharacter")
            : em_arena_format(r->arena,
                              "the page would not read as meant: in %s, where %s should stand, "
                              "HTML would see %s%s%s; choose another place, or edit it as text",
                              finding->within, finding->meant, finding->found,
                              finding->why[0] ? ": " : "", finding->why);
    return trial->reason ? EM_OK : EM_E_NOMEM;
}

static em_status run_until_good(em_runner *r)
{
    for (size_t culprit = 0;;) {
        em_guard_finding finding;
        EM_TRY(run(r, r->op_count));
        EM_TRY(check(r, &finding));
        if (finding.same)
            return EM_OK;
        EM_TRY(find_culprit(r, culprit, &culprit, &finding));
        EM_TRY(blame(r, culprit, &finding));
    }
}

/* Would the ops with wrong selectors go well if they came last? */
static em_status try_suggestions_after(em_runner *r)
{
    for (size_t i = 0; i < r->op_count; i++) {
        EM_AUTO(em_arena) scratch = {0};
        em_dom_outcome *outcome = &r->outcomes[i];
        size_t count;
        if (outcome->selector_error.suggested.len == 0)
            continue;
        EM_TRY(em_runner_count(r, outcome->selector_error.suggested, &scratch, &count));
        outcome->suggestion_fits_after = em_suggestion_fits(&r->ops[i], outcome, count);
    }
    return EM_OK;
}

/* The splices outlive the state. */
static em_status take_splices(em_runner *r, em_splices *splices)
{
    em_splices trimmed;
    EM_TRY(em_changes_trim(&r->state.changes, r->arena, &trimmed));
    em_splice *items = (em_splice *)(uintptr_t)trimmed.items;
    for (size_t i = 0; i < trimmed.count; i++)
        EM_TRY(em_arena_keep(r->arena, &items[i].insert));
    *splices = trimmed;
    return EM_OK;
}

static void em_runner_drop(em_runner *r)
{
    em_page_state_drop(&r->state);
    em_together_drop(&r->waiting);
    em_parser_memory_drop(&r->memory);
}

/* Time ran out. What was being done then is to blame where it took a good part of the time, and
 * else all operations are, the work of which is counted from `spent` on. */
static em_status fail_late(em_runner *r, size_t spent)
{
    enum { GOOD_PART = 3 };
    const em_dom_op *op = r->finding;
    size_t last = r->deadline->spent - r->spent_before, all = r->deadline->spent - spent;
    if (r->op_count > 1 && last < all / GOOD_PART)
        return em_fail(r->err, EM_E_TIMEOUT,
                       "doing %zu operations on its %zu bytes as HTML took too long; fewer in a "
                       "call take less",
                       r->op_count, r->page.len);
    if (op)
        return em_fail(r->err, EM_E_TIMEOUT,
                       "finding what the selector of operation %td, \"%.*s\", matches in its %zu "
                       "bytes as HTML took too long; a simpler one takes less",
                       op - r->ops + 1, EM_SHOWN_SHORT(op->selector), r->page.len);
    if (r->planning)
        return em_fail(r->err, EM_E_TIMEOUT,
                       "finding out what operation %td changes of the %zu elements that it means "
                       "took too long; a selector that matches fewer takes less",
                       r->planning - r->ops + 1, r->element_count);
    return em_fail(r->err, EM_E_TIMEOUT, "reading its %zu bytes as HTML took too long",
                   r->page.len);
}

em_status em_dom_plan_make(em_slice page, const em_dom_op *ops, size_t op_count,
                           em_deadline *deadline, em_arena *arena, em_dom_plan *plan, em_error *err)
{
    *plan = (em_dom_plan){0};
    EM_AUTO(em_runner)
    r = {.page = page,
         .ops = ops,
         .op_count = op_count,
         .deadline = deadline,
         .arena = arena,
         .err = err};
    r.hints = em_deadline_in(deadline ? HINTS_MS : 0);
    r.trials = em_alloc_array(arena, op_count, sizeof *r.trials);
    r.outcomes = em_alloc_array(arena, op_count, sizeof *r.outcomes);
    if (!r.trials || !r.outcomes)
        return EM_E_NOMEM;
    size_t spent = deadline ? deadline->spent : 0;
    em_status status = run_until_good(&r);
    plan->late = status == EM_E_TIMEOUT;
    if (plan->late)
        return fail_late(&r, spent);
    if (status != EM_OK && status != EM_E_NOMEM && err)
        err->cause = EM_CAUSE_PAGE;
    EM_TRY(status);
    EM_TRY(try_suggestions_after(&r));
    EM_TRY(take_splices(&r, &plan->splices));
    plan->outcomes = r.outcomes;
    plan->op_count = op_count;
    for (size_t i = 0; i < op_count; i++)
        plan->failed_count += r.outcomes[i].status == EM_DOM_FAILED;
    return EM_OK;
}

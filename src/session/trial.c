#include "session/trial.h"

#include "diagnosis/patch_choice.h"
#include "diagnosis/patch_place.h"
#include "edit/whole_lines.h"
#include "session/session_state.h"
#include "text/search.h"

/* The last place where the text stands literally (without overlap), which is below all that another
 * one is below; empty: nowhere. */
static em_span last_place(em_slice text, em_slice find)
{
    em_needle needle;
    em_span last = {0};
    if (find.len == 0)
        return last;
    em_needle_init(&needle, find);
    for (size_t at = 0; (at = em_find(&needle, text, at)) != EM_NPOS; at = last.end)
        last = (em_span){at, at + find.len};
    return last;
}

/* The place of an op, also where another one of the call failed. */
static em_span place_of(const em_planning *planning, size_t op)
{
    const em_plan *plan = &planning->outcome->plan;
    if (op >= plan->op_count || plan->places[op].count == 0)
        return last_place(planning->base.text->body, planning->request->ops[op].find);
    const em_match *match = &plan->places[op].items[0];
    return match->inserted ? (em_span){0} : (em_span){match->start, match->end};
}

/* ---- The hunks of a request ------------------------------------------------------------------ */

static bool is_hunk(const em_op *op, em_near_miss part)
{
    return em_slice_eq(op->find, part.find) && em_slice_eq(op->insert, part.insert);
}

/* The hunk that an op came as: the next one with its texts, behind that of the op before, which may
 * be of another file; EM_NPOS: it is none. */
static size_t hunk_of(const em_session *session, const em_op *op)
{
    em_hunks hunks = session->trial_hunks;
    for (size_t i = 0; i < hunks.count; i++) {
        size_t at = (session->trial_part + i) % hunks.count;
        if (is_hunk(op, hunks.parts[at]))
            return at;
    }
    return EM_NPOS;
}

static em_strayed find_strayed(em_session *session, const em_planning *planning)
{
    for (size_t i = 0; i < planning->request->op_count; i++) {
        size_t hunk = hunk_of(session, &planning->request->ops[i]);
        if (hunk == EM_NPOS)
            continue;
        session->trial_part = hunk + 1;
        em_span place = place_of(planning, i);
        em_slice head = {0};
        if (place.start < place.end)
            head = em_patch_place_missed(planning->base.text->body, place,
                                         session->trial_hunks.heads[hunk]);
        if (head.len > 0)
            return (em_strayed){head, em_lines_at(planning->base.lines, place.start)};
    }
    return (em_strayed){.line = 0};
}

/* Are the ops the hunks, one by one? */
static bool is_of_hunks(const em_planning *planning, em_hunks hunks)
{
    bool is = planning->request->op_count == hunks.count;
    for (size_t i = 0; i < hunks.count && is; i++)
        is = is_hunk(&planning->request->ops[i], hunks.parts[i]);
    return is;
}

em_status em_trial_note(em_session *session, const em_planning *planning)
{
    em_hunks hunks = session->trial_hunks;
    session->cuts_lines |= !em_takes_whole_lines(&planning->outcome->plan, planning->base.text);
    if (hunks.count > 0 && session->strayed.line == 0)
        session->strayed = find_strayed(session, planning);
    if (hunks.count == 0 || planning->outcome->error.cause != EM_CAUSE_AMBIGUOUS ||
        !is_of_hunks(planning, hunks))
        return EM_OK;
    return em_patch_choose(planning->base.text, hunks, session->trial_arena, &session->chosen);
}

#include "session/trial.h"

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

/* The part of the change that an op is: the next one with its texts, behind that of the op before,
 * which may be of another file; EM_NPOS: it is none. */
static size_t part_of(const em_session *session, const em_op *op)
{
    const em_told_change *change = session->trial_change;
    for (size_t i = 0; i < change->count; i++) {
        size_t at = (session->trial_part + i) % change->count;
        if (em_slice_eq(change->parts[at].find, op->find) &&
            em_slice_eq(change->parts[at].insert, op->insert))
            return at;
    }
    return EM_NPOS;
}

static em_strayed find_strayed(em_session *session, const em_planning *planning)
{
    for (size_t i = 0; i < planning->request->op_count; i++) {
        size_t part = part_of(session, &planning->request->ops[i]);
        if (part == EM_NPOS)
            continue;
        session->trial_part = part + 1;
        em_span place = place_of(planning, i);
        em_slice head = {0};
        if (place.start < place.end)
            head = em_patch_place_missed(planning->base.text->body, place,
                                         session->trial_change->heads[part]);
        if (head.len > 0)
            return (em_strayed){head, em_lines_at(planning->base.lines, place.start)};
    }
    return (em_strayed){.line = 0};
}

void em_trial_note(em_session *session, const em_planning *planning)
{
    session->cuts_lines |= !em_takes_whole_lines(&planning->outcome->plan, planning->base.text);
    if (session->trial_change && session->strayed.line == 0)
        session->strayed = find_strayed(session, planning);
}

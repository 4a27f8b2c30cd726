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

/* Does an op that is that hunk change something elsewhere than below what the header names? */
static em_strayed strayed_of(const em_planning *planning, size_t op, em_slice head)
{
    em_span place = place_of(planning, op);
    if (place.start < place.end)
        head = em_patch_place_missed(planning->base.text->body, place, head);
    if (place.start == place.end || head.len == 0)
        return (em_strayed){.line = 0};
    return (em_strayed){head, em_lines_at(planning->base.lines, place.start)};
}

/* Only the hunks are held to lines, and to their headers: what came beside them was sent for where
 * it stands. */
static void note_hunks(em_session *session, const em_planning *planning)
{
    for (size_t i = 0; i < planning->request->op_count; i++) {
        size_t hunk = hunk_of(session, &planning->request->ops[i]);
        if (hunk == EM_NPOS)
            continue;
        session->trial_part = hunk + 1;
        session->cuts_lines |=
            !em_takes_whole_lines(&planning->outcome->plan, i, planning->base.text);
        if (session->strayed.line == 0)
            session->strayed = strayed_of(planning, i, session->trial_hunks.heads[hunk]);
    }
}

/* Are the ops the hunks from that one on, one by one? */
static bool are_hunks_from(const em_planning *planning, em_hunks hunks, size_t first)
{
    size_t count = planning->request->op_count;
    bool are = count > 0 && count <= hunks.count - first;
    for (size_t i = 0; i < count && are; i++)
        are = is_hunk(&planning->request->ops[i], hunks.parts[first + i]);
    return are;
}

/* The first of the hunks that are the ops, all of them: of the patch, or of its part that is of
 * this file, which is not before what was met of it so far. EM_NPOS: they are none. */
static size_t first_hunk_of(const em_planning *planning, em_hunks hunks, size_t from)
{
    for (size_t first = from; first < hunks.count; first++)
        if (are_hunks_from(planning, hunks, first))
            return first;
    return EM_NPOS;
}

/* Put what was chosen for some hunks among all of them, of which others may have been chosen
 * already, in other files. */
static em_status take_chosen(em_session *session, size_t first, size_t count,
                             const em_near_miss *chosen)
{
    em_hunks hunks = session->trial_hunks;
    em_near_miss *all = em_alloc_array(session->trial_arena, hunks.count, sizeof *all);
    if (!all)
        return EM_E_NOMEM;
    for (size_t i = 0; i < hunks.count; i++) {
        bool is_of_these = i >= first && i < first + count;
        all[i] = is_of_these       ? chosen[i - first]
                 : session->chosen ? session->chosen[i]
                                   : hunks.parts[i];
    }
    session->chosen = all;
    return EM_OK;
}

em_status em_trial_note(em_session *session, const em_planning *planning)
{
    em_hunks hunks = session->trial_hunks;
    size_t count = planning->request->op_count;
    const em_near_miss *chosen;
    if (hunks.count == 0)
        return EM_OK;
    size_t first = first_hunk_of(planning, hunks, session->trial_part);
    note_hunks(session, planning);
    if (first == EM_NPOS || planning->outcome->error.cause != EM_CAUSE_AMBIGUOUS)
        return EM_OK;
    EM_TRY(em_patch_choose(planning->base.text,
                           (em_hunks){hunks.parts + first, hunks.heads + first, count},
                           session->trial_arena, &chosen));
    return chosen ? take_chosen(session, first, count, chosen) : EM_OK;
}

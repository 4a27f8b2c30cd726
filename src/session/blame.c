/* blame.c: is a failure the caller's own mistake? Those in a row are counted (mistakes.h).
 *
 * It is one to ask of a text what that does not have. What others do or forbid is none, nor what
 * would not be mended by writing the file anew, which is what many in a row bring the advice to do.
 */
#include "session/file_run.h"

/* Of an operation on an element: is it for what the page does not have? Not for a selector that is
 * none, nor for what the page does not let be told of its elements, such as where one ends: then
 * its text may still be edited. */
static bool is_dom_mistake(const em_outcome *outcome)
{
    switch (outcome->dom.outcomes[outcome->error.edit].code) {
    case EM_DOM_E_NO_MATCH:
    case EM_DOM_E_AMBIGUOUS:
    case EM_DOM_E_COUNT:
    case EM_DOM_E_NO_CLASS:
        return true;
    default:
        return false;
    }
}

/* Who writes a file anew in an encoding that is not known would lose what it holds. */
static bool is_of_unknown_encoding(const em_outcome *outcome)
{
    return outcome->error.cause == EM_CAUSE_ENCODING &&
           (outcome->error.edit == EM_NO_EDIT || outcome->text.encoding == EM_BYTES);
}

/* Did an edit fail for what it asks of the text? Not for what others do or forbid, nor for an
 * encoding that is not the file's: then the file is not to be written anew either; nor for a
 * pattern that takes too long, nor for what is asked of no text, or of elements alone. */
static bool is_mistake(const em_file_run *run, em_status status)
{
    const em_outcome *outcome = run->outcome;
    const em_error *error = &outcome->error;
    em_cause cause = error->cause;
    bool is_of_pattern = outcome->failed_op && em_op_is_pattern(outcome->failed_op);
    if (run->request->existence != EM_MUST_EXIST || is_of_unknown_encoding(outcome) ||
        cause == EM_CAUSE_PAGE)
        return false;
    if (outcome->dom.failed_count > 0 && error->edit >= 0)
        return is_dom_mistake(outcome);
    return status == EM_E_NO_MATCH || status == EM_E_COUNT || status == EM_E_OVERLAP ||
           (status == EM_E_INVALID && cause != EM_CAUSE_PATTERN && cause != EM_CAUSE_RANGE) ||
           (status == EM_E_TIMEOUT && error->edit != EM_NO_EDIT && !is_of_pattern);
}

void em_file_run_count_mistakes(const em_file_run *run, em_status status)
{
    em_outcome *outcome = run->outcome;
    const char *caller =
        em_session_caller(run->session, run->request->session, run->request->stateless);
    if (!caller || !outcome->is_open || run->session->is_trial)
        return;
    if (is_mistake(run, status))
        outcome->misses = em_session_miss(run->session, caller, outcome->file.path);
    else if (status == EM_OK)
        em_session_hit(run->session, caller, outcome->file.path);
}

#include "calls/further.h"

#include "calls/reason.h"

enum { MISSES_UNTIL_REWRITE = 2 }; /* as the guidance of site says */

void em_add_rewrite_advice(em_reply *reply, const char *lead)
{
    const char *way = em_way_to_rewrite(reply);
    em_cause cause = reply->outcome->error.cause;
    bool may_be_done = cause == EM_CAUSE_ALREADY_APPLIED || cause == EM_CAUSE_NO_CHANGE;
    if (reply->outcome->misses >= MISSES_UNTIL_REWRITE && way)
        em_strbuf_printf(
            &reply->text,
            "\n%sThis is failure %zu in a row on this file: %suse %s to write it anew, "
            "completely.",
            lead, reply->outcome->misses, may_be_done ? "if it still is not as it is to be, " : "",
            way);
}

static const char *why_next(em_reply *reply)
{
    const em_next_failure *next = &reply->outcome->next;
    const em_words *words = reply->words;
    if (next->cause == EM_CAUSE_ALREADY_APPLIED)
        return em_reply_format(reply, ": its %s stands there already", words->insert);
    if (next->status == EM_E_NO_MATCH)
        return em_reply_format(reply, ": its %s is not found", words->find);
    if (next->status == EM_E_COUNT)
        return em_reply_format(reply, ": its %s stands there %zu times, not %zu", words->find,
                               next->actual, next->expected);
    return next->cause == EM_CAUSE_OVERLAP ? ": another edit wants the same text" : "";
}

const char *em_next_failure_told(em_reply *reply, const char *what)
{
    return em_reply_format(reply, "%s %zu would fail next%s", what, reply->outcome->next.op + 1,
                           why_next(reply));
}

void em_add_next_failure(em_reply *reply, const char *what)
{
    if (reply->outcome->next.is_known)
        em_strbuf_printf(&reply->text, "\n%s", em_next_failure_told(reply, what));
}

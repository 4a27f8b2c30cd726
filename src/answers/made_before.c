#include "answers/made_before.h"

/* Does an edit before this one take the same text away, for nothing? */
static bool is_gone(const em_outcome *outcome)
{
    const em_op *op = outcome->failed_op;
    return outcome->failure.inserted && op && op->insert.len == 0;
}

void em_add_made_before(em_reply *reply)
{
    const em_outcome *outcome = reply->outcome;
    const em_words *words = reply->words;
    const char *why = "stands in the file already", *text = words->insert;
    if (is_gone(outcome)) {
        why = "is what an edit before this one takes away";
        text = words->find;
    } else if (outcome->failure.inserted) {
        why = "is what an edit before this one puts in";
    }
    em_strbuf_printf(&reply->text, "\n%s %s, at line %zu: leave this edit out", text, why,
                     outcome->failure.line);
}

/* change.h: a change of one file by a person, who sees what was done as a diff. */
#ifndef EM_CLI_CHANGE_H
#define EM_CLI_CHANGE_H

#include "cli/again.h"

#include "answers/reply.h"

typedef struct em_cli_change {
    em_invocation *call;
    const em_edit_request *request;
    const em_words *words;
    /* Append to reply->text why it failed and what to do, where a way of its own fits. */
    void (*complain)(em_reply *reply, const struct em_cli_change *change);
    /* What should have come, as arguments of a call; a new reference, NULL where that is not known.
     * It is asked for only where all words that came can stand in JSON. */
    json_t *(*retry)(em_reply *reply, const struct em_cli_change *change);
    /* The same as words and flags, borrowed from `retry`; arrays are in reply->arena. */
    em_status (*retype)(em_reply *reply, const json_t *retry, em_again *again);
    /* Append to reply->text what was done, in a few words: "2 replacements". */
    void (*sum_up)(em_reply *reply);
} em_cli_change;

/* Make it and print what came of it. Returns the exit status. */
int em_cli_change_file(const em_cli_change *change);

#endif

/* change.h: a change of one file by a person, who sees what was done as a diff. */
#ifndef EM_CLI_CHANGE_H
#define EM_CLI_CHANGE_H

#include "cli/command.h"

#include "answers/reply.h"

typedef struct em_cli_change {
    const em_edit_request *request;
    const em_words *words;
    /* Append to reply->text why it failed and what to do, where a way of its own fits. */
    void (*complain)(em_reply *reply, const em_edit_request *request);
    /* Append to reply->text what was done, in a few words: "2 replacements". */
    void (*sum_up)(em_reply *reply);
} em_cli_change;

/* Make it and print what came of it. Returns the exit status. */
int em_cli_change_file(em_invocation *call, const em_cli_change *change);

#endif

/* file_edit_metadata.h: what answers of file_edit tell programs: the document's `metadata`.
 *
 * The objects, and the table of their fields, from which the output schema comes.
 */
#ifndef EM_DIALECTS_FILE_EDIT_METADATA_H
#define EM_DIALECTS_FILE_EDIT_METADATA_H

#include "answers/reply.h"
#include "answers/search_hints.h"
#include "arguments/args.h"

/* One call: its arguments and the answer in the making. */
typedef struct em_file_edit {
    em_args args;
    const em_outcome *outcome;
    em_reply reply;
    size_t total;        /* edits */
    json_t *retry;       /* owned; NULL */
    size_t line_numbers; /* in the answer */
} em_file_edit;

/* The edit at fault. */
em_args em_file_edit_at_fault(const em_file_edit *call);

/* Those that a call with the right count would replace. */
const char *em_file_edit_instances(const em_plan_failure *failure);

json_t *em_file_edit_success(em_file_edit *call, bool dry_run);
json_t *em_file_edit_failure(em_file_edit *call, const char *reason, const em_hints *hints);

/* Of arguments that did not pass the check; of `total` edits. */
json_t *em_file_edit_refusal(em_reply *reply, em_slice path, const em_call_refusal *refusal,
                             size_t total);

extern const em_param em_file_edit_result[];

#endif

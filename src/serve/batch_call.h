/* batch_call.h: one line of a batch: from its text to the line that answers it.
 *
 *   {"id": any, "tool": "NAME", "arguments": {...}}   ->   {"id", "isError", "result"}
 *
 * `result` is what `emend call` prints: the tool's object, or its text as a string. A line that is
 * no such call is answered with isError true and a sentence.
 */
#ifndef EM_SERVE_BATCH_CALL_H
#define EM_SERVE_BATCH_CALL_H

#include "base/strbuf.h"
#include "tools/toolset.h"

/* How many files a call names; one that changes files without naming them counts as more. */
typedef enum em_batch_reach { EM_NAMES_NO_FILE, EM_NAMES_ONE_FILE, EM_NAMES_MORE } em_batch_reach;

typedef struct em_batch_call {
    json_t *line;         /* owned; NULL where it was not JSON */
    const em_tool *tool;  /* NULL where the line is no call */
    char *problem;        /* owned; why it is none */
    em_batch_reach reach; /* for those that keep calls on one file in order */
    char *file;           /* owned: the one file; NULL else */
    bool makes_backup;    /* of it, beside it */
} em_batch_call;

/* Read a line. What is wrong with it is in *call; EM_E_NOMEM is the only failure. Drop it in either
 * case. */
em_status em_batch_call_read(em_slice line, const em_toolset *tools, em_batch_call *call);

/* The same for a line that was longer than `most` bytes and was not kept. */
em_status em_batch_call_too_long(size_t most, em_batch_call *call);

void em_batch_call_drop(em_batch_call *call);

/* Make the call, and append the answer's line with its LF. *is_error says how it went. */
em_status em_batch_call_run(const em_batch_call *call, const em_toolset *offered,
                            em_session *session, em_strbuf *answer, bool *is_error);

#endif

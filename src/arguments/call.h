/* call.h: the call of a tool: its arguments checked, its session found, and its answer. */
#ifndef EM_ARGUMENTS_CALL_H
#define EM_ARGUMENTS_CALL_H

#include "tools/dialect.h"

/* Check the arguments (NULL or JSON null count as {}) and run the tool. `call->tool` says which;
 * call->arguments is set here. On EM_OK the answer is to be dropped by the caller. EM_E_NOMEM. */
em_status em_tool_call(em_call *call, const json_t *arguments, em_answer *answer);

/* Try out refusal->retry, which passes the check, where the tool tells what would come of it: what
 * that is goes into the refusal. EM_E_NOMEM. */
em_status em_call_try_out(const em_call *call, em_call_refusal *refusal);

#endif

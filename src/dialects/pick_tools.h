/* pick_tools.h: pick_tools, with which a client that was told of tools in brief asks for some in
 * full.
 */
#ifndef EM_DIALECTS_PICK_TOOLS_H
#define EM_DIALECTS_PICK_TOOLS_H

#include "tools/dialect.h"

/* The tool's table and its `run`; the answer is a text. */
extern const em_param em_pick_params[];
em_status em_pick_tools(const em_call *call, em_answer *answer);

#endif

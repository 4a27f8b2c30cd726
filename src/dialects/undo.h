/* undo.h: undo_last_edit, which every family may offer. */
#ifndef EM_DIALECTS_UNDO_H
#define EM_DIALECTS_UNDO_H

#include "tools/dialect.h"

/* The tool's table and its `run`; the answer is a string. */
extern const em_param em_undo_params[];
em_status em_undo_last_edit(const em_call *call, em_answer *answer);

#endif

/* joined.h: two edits of the same text that do not get in each other's way, as one.
 *
 * Who sends several edits of a file mostly shows some lines around each, and where they lie close
 * together one edit's lines are also those of the other:
 *
 *   edit 1   "a b c" -> "a 1 c"        edit 2   "b c d" -> "b c 4"        both   "a b c d" -> "a 1
 * c 4"
 *
 * Both want "b c", but each repeats what the other changes, or leaves it alone.
 */
#ifndef EM_SESSION_JOINED_H
#define EM_SESSION_JOINED_H

#include "diagnosis/diagnose.h"
#include "edit/plan.h"

/* Are the two ops of a failure EM_E_OVERLAP one edit, and what is its text and replacement? *joined
 * has them, in `arena`. Its `find` is empty where they are none: they do not stand literally at one
 * place each, or it is not plain that what they change has nothing to do with each other.
 * EM_E_NOMEM only.
 */
em_status em_join_ops(em_slice body, const em_op *one, const em_op *other,
                      const em_plan_failure *failure, em_arena *arena, em_correction *joined);

#endif

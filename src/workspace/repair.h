/* repair.h: one row of the history and what it tells of on disk are brought together again.
 */
#ifndef EM_WORKSPACE_REPAIR_H
#define EM_WORKSPACE_REPAIR_H

#include "workspace/repair_steps.h"

/* Put it right; *end says how. A status that is not EM_OK: something failed on the way, and doing
 * it again is safe. */
em_status em_repair_row(em_repair *repair, em_recovery_end *end);

/* Would a person have to choose, of a row that is pending? Nothing is done. */
em_status em_repair_is_left(const em_repair *repair, bool *left);

/* What the two names of an edit tell. */
typedef enum em_repair_verdict {
    EM_VERDICT_NOT_MADE,  /* nothing happened, or it was all over: no stray, target not new */
    EM_VERDICT_MADE,      /* it is made, and nothing is left to be done */
    EM_VERDICT_UNDO,      /* the exchange did not happen: the stray is ours */
    EM_VERDICT_FINISH,    /* it happened: the stray is the old file */
    EM_VERDICT_PUT_BACK,  /* it happened, and a foreign save came out */
    EM_VERDICT_TO_PERSON, /* both hold what is not ours */
} em_repair_verdict;
em_repair_verdict em_repair_judge(const em_row *row, const char *boot, const em_look *target,
                                  const em_look *stray);

#endif

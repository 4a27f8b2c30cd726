/* planned_edit.h: what the remarks are made on: a plan, and what it was made of.
 *
 * All is borrowed. The plan does the first plan->op_count of the ops.
 */
#ifndef EM_REMARKS_PLANNED_EDIT_H
#define EM_REMARKS_PLANNED_EDIT_H

#include "base/deadline.h"
#include "base/warnings.h"
#include "edit/plan.h"

typedef struct em_planned_edit {
    const em_lines *lines; /* of the text as it is */
    bool is_part;          /* that is no more than an extract of it (text/extract.h) */
    const em_plan *plan;   /* without what has no effect */
    const em_op *ops;      /* all that were asked for */
    size_t op_count;
    const char *path; /* for what is told by the kind of file */
    bool is_dry_run;
    bool allows_placeholders; /* "... rest unchanged ..." is text like any other */
    em_deadline *deadline;    /* what takes long is not looked for when it has passed */
} em_planned_edit;

#endif

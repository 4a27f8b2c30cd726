/* merge.h: an edit of a file that has changed since its caller read it.
 *
 * With em_edit_request.merge such an edit is no conflict yet: it is planned on the version that the
 * caller read, if that can still be had (past/versions.h), and carried over to the file as it
 * is, where the lines that it changes are the same and it is plain where they are (text/carry.h),
 * and where what it searches for does not stand there oftener than it did. Operations on elements
 * are planned on the file as it is too, and must write the same there. A rewrite is cut into what
 * it changes of the version that was read.
 */
#ifndef EM_SESSION_MERGE_H
#define EM_SESSION_MERGE_H

#include "session/plan.h"

/* An edit that is planned on another version. {0}: it is not. */
typedef struct em_merge {
    bool is_wanted;
    em_hash base; /* of the version that the caller read */
    em_text text; /* that version; what the plan is made on */
    em_lines lines;
} em_merge;

/* Of a call that would be planned on the file: plan it on the version that was read, exactly, and
 * carry that over to the file. Fills what em_plan_call() fills, and ->stale and ->merged.
 * EM_E_CONFLICT where the version is not to be had, where the edit cannot be made in it, or where
 * it cannot be carried over. What is kept although an op failed, as the policy says, is in the
 * plan. */
em_status em_merge_plan(em_merge *merge, em_workspace *ws, const em_planning *planning);

#endif

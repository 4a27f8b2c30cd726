/* merge.h: an edit of a file that has changed since its caller read it.
 *
 * With em_edit_request.merge such an edit is no conflict yet: it is planned on the version that the
 * caller read, if that can still be had (workspace/versions.h), and carried over to the file as it
 * is, where the lines that it changes are the same and it is plain where they are (text/carry.h). A
 * rewrite is cut into what it changes of the version that was read.
 */
#ifndef EM_SESSION_MERGE_H
#define EM_SESSION_MERGE_H

#include "session/session.h"

/* An edit that is planned on another version. {0}: it is not. */
typedef struct em_merge {
    bool is_wanted;
    em_hash base; /* of the version that the caller read */
    em_text text; /* that version; what the plan is made on */
    em_lines lines;
} em_merge;

/* Find the version, and read it as text as the file is read. EM_E_CONFLICT where that cannot be:
 * the error says why. */
em_status em_merge_open(em_workspace *ws, const em_file *file, const em_text *now,
                        const char *encoding, em_arena *arena, em_merge *merge, em_error *err);

/* The plan, made on merge->text for these ops, as a plan on `now`, whose lines are `lines`; and
 * what `dom` tells of the operations on elements in it. EM_E_CONFLICT, with *conflict filled, where
 * it cannot be carried over. */
em_status em_merge_carry(const em_merge *merge, const em_op *ops, const em_text *now,
                         const em_lines *lines, em_arena *arena, em_plan *plan, em_dom_plan *dom,
                         em_stale_lines *conflict, em_error *err);

#endif

/* rebase_impl.h: what the files share that carry an edit over to what the file says now. */
#ifndef EM_DIAGNOSIS_REBASE_IMPL_H
#define EM_DIAGNOSIS_REBASE_IMPL_H

#include "diagnosis/partly_applied.h"
#include "diagnosis/rebase.h"
#include "match/tolerant.h"

enum {
    EM_MOST_CHANGES = 16,
    EM_LINES_PER_CHANGE = 6, /* so many lines of context may have seen one more change */
};

typedef struct em_rebasing {
    em_occurrences *in;
    em_alignment side; /* the texts */
    em_line_change changes[EM_MOST_CHANGES];
    size_t change_count;
    size_t above, below;       /* lines of the search text around those that were looked for */
    size_t laid_to;            /* the line up to which the last change was laid, or EM_NPOS */
    em_change_outcome outcome; /* what came of the last change that was found */
    em_eol dominant;
    em_slice own; /* the last line that seemed to stand for others, and is one of the file's */
} em_rebasing;

/* ---- The changes of an edit (rebase_changes.c) ----------------------------------------------- */

/* Cut the edit into c->changes. *found is false where there are none, or too many, or it is not
 * clear which: where one of the texts is at a wrong depth, it is by chance which lines of the other
 * stand in it as they are, and a brace may be another one. EM_E_NOMEM only. */
em_status em_rebasing_find_changes(em_rebasing *c, bool *found);

/* Do lines come or go beside one that stands for others, or with it? Where that stands, lines may
 * have come or gone as well, and these may be the same. */
bool em_rebasing_borders_on_others(em_rebasing *c);

/* Is the search text less than what it was read from? */
bool em_rebasing_leaves_out(em_rebasing *c);

/* ---- The place of a change (rebase_place.c) -------------------------------------------------- */

/* The lines of a place, with the last ending; false where it does not have them whole. */
bool em_rebased_lines(em_slice text, const em_tolerant_place *place, em_span *lines);

/* Where the change is to be made: *range and its place, with *lines. *is: that is known, sound, it
 * was not made elsewhere, and tears nothing away. EM_E_NOMEM; EM_E_TIMEOUT when the deadline
 * passed. */
em_status em_rebasing_find_place(em_rebasing *c, const em_line_change *of, em_line_change *range,
                                 em_tolerant_place *place, em_span *lines, bool *is);

#endif

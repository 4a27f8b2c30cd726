/* reindent.h: an edit that only indents otherwise, in a file that is indented otherwise.
 *
 * Tolerant tiers do not compare indentation, so such an edit is found again where it was made
 * already, and would indent once more each time.
 */
#ifndef EM_LAYING_REINDENT_H
#define EM_LAYING_REINDENT_H

#include "match/tolerant.h"

typedef enum em_reindent {
    EM_REINDENT_NONE,   /* the replacement has other tokens than the search text, or its lines the
                           same indentation */
    EM_REINDENT_BEFORE, /* the file is indented as the search text is, or at least deepens and comes
                           back where that does and the replacement does not */
    EM_REINDENT_AFTER,  /* the same of the replacement */
    EM_REINDENT_GIVEN,  /* more lines stand in the replacement as in the file, and not in the search
                           text, than otherwise in both, of which none repeats a wrong depth: it is
                           the replacement that is right */
    EM_REINDENT_UNCLEAR, /* or it moves all lines one way, but not as far, and some stand as in the
                           replacement: these may stay, or move with the others */
} em_reindent;

/* Which of these is it at `place`, whose insert has the tokens `insert`? EM_E_NOMEM only. */
em_status em_reindent_of(em_slice text, const em_tolerant_place *place, em_tokens insert,
                         em_arena *arena, em_reindent *reindent);

/* Whether the indentation `to` is deeper than `from` (1), less deep (-1) or the same. */
int em_deepens(em_slice from, em_slice to);

#endif

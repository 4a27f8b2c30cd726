/* transplant.h: an edit laid onto text that is written differently than the caller thinks.
 *
 * The caller sent a search text and its replacement; the file has the search text in its own
 * writing. What the caller wants is the difference of the two, so that is what is applied: tokens
 * that the replacement repeats stay as the file has them, with the gaps between them, and what is
 * new comes in the caller's words but in the file's indentation, line endings and quotes.
 */
#ifndef EM_LAYING_TRANSPLANT_H
#define EM_LAYING_TRANSPLANT_H

#include "match/tolerant.h"
#include "text/text.h"

/* What an edit gives. */
typedef struct em_laid {
    em_slice text;
    em_tokens insert;     /* the replacement's, as the place is folded */
    const size_t *origin; /* of em_redline_seen() */
    const size_t *starts; /* where each token of the replacement stands in it; where nothing but
                             blanks was to be changed, they may not be told */
} em_laid;

/* What place->span of `text` becomes. `dominant` is the file's line ending where the place has
 * none. *sound is false where the result cannot be trusted: a new line would stand deeper than what
 * opens it allows, two words become one, or nobody can say whether an edit that only indents
 * otherwise was made already. *laid is in `arena`. EM_E_NOMEM only. */
em_status em_transplant_difference(em_slice text, const em_tolerant_place *place, em_eol dominant,
                                   em_arena *arena, em_laid *laid, bool *sound);

#endif

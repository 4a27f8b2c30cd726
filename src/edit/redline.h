/* redline.h: what of a replacement is the search text's own?
 *
 * A caller repeats most of the search text in the replacement: lines of context, and of a changed
 * line all but a word. What is repeated means "leave it", whatever the caller thinks it looks like;
 * only the rest is the edit. This finds the rest: line by line first, as people compare, then word
 * by word in the lines that were changed.
 */
#ifndef EM_EDIT_REDLINE_H
#define EM_EDIT_REDLINE_H

#include "text/token.h"

/* A text with its tokens. */
typedef struct em_tokened {
    em_slice text;
    em_tokens tokens;
} em_tokened;

/* origin[i] becomes the token of `find` that token i of `insert` repeats, or EM_NPOS. Origins that
 * are there increase. The array is in `arena`. EM_E_NOMEM only. */
em_status em_redline(const em_tokened *find, const em_tokened *insert, em_arena *arena,
                     size_t **origin);

#endif

/* bare_stance.h: a line that came without its indentation, and new lines beside it.
 *
 * Where that line is all of a search text, nothing says how the caller takes the file to be
 * indented. The other lines of the replacement may stand as in the file, or as if the line stood at
 * the margin:
 *
 *   search text   file           replacement    as in the file   from the margin
 *   a();          if (p) {       a();           if (p) {         if (p) {
 *                     a();           b();           a();             a();
 *                 }                                 b();                 b();
 *                                               }                }
 */
#ifndef EM_LAYING_BARE_STANCE_H
#define EM_LAYING_BARE_STANCE_H

#include "tokens/redline.h"

typedef enum em_bare_stance {
    EM_BARE_FROM_MARGIN,
    EM_BARE_IN_FILE,
    EM_BARE_UNCLEAR, /* nothing tells */
} em_bare_stance;

/* How the lines of `insert` stand, but for the first. The search text's only line is indented as
 * `base` in the file; `origin` has for each token of `insert` that of the search text (redline.h).
 *
 * They stand as in the file
 *
 *  (1) when all of them are at least as deep as `base`, and deeper where the line opens a block;
 *  (2) when the second line is as deep, and neither is in a block of the first nor goes on with it,
 *      or is aligned with a bracket of it, where that stands in the file;
 *  (3) when one ends a block that others began, or comes back to a depth that no line before it
 *      has, and is no deeper than `base`.
 *
 * It is not clear where the second is deeper than the margin though nothing puts it there, where
 * a bracket ends that others began, and behind a line in the midst of a comment. */
em_bare_stance em_bare_stance_of(em_tokened insert, const size_t *origin, em_slice base);

/* Does a line of `insert`, whose first came without its indentation, come back to a depth that no
 * line before it has, no deeper than `base`? Then the others stand as in the file. */
bool em_comes_back_to_base(em_tokened insert, em_slice base);

#endif

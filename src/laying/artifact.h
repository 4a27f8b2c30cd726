/* artifact.h: a replacement that would bring an artifact into the file.
 *
 * That is what was only wrapped around it: a code fence, a conflict marker, line numbers, signs of
 * a patch, escapes of line breaks.
 *
 * Where the search text stands literally, the replacement is taken literally. Where the caller was
 * seen to be inexact, lines that no file wants are more likely a mistake than meant.
 */
#ifndef EM_LAYING_ARTIFACT_H
#define EM_LAYING_ARTIFACT_H

#include "match/tolerant.h"

/* Does `insert` hold a line that `find` lacks and that is a code fence, a marker of a merge
 * conflict or of a SEARCH/REPLACE block, or does it bring line numbers? Lines of a kind that
 * `text`, the file, has already are no surprise. */
bool em_has_artifact(em_slice text, em_slice find, em_slice insert);

/* Is the replacement of this place of `text` so, or does it have lines of a patch, signs before
 * them, where the search text has the column of these signs, or in front of the indentation that
 * the lines beside them have? Or line breaks that were escaped, where the place has none? */
bool em_place_has_artifact(em_slice text, const em_tolerant_place *place);

#endif

/* midline.h: edits at a place that begins or ends inside a line of the file.
 *
 * Such an edit stays within the line, or else what the file's line has beside the place would come
 * beside another line than it stood beside. So new lines behind the search text's last one say that
 * this ends its line, as a line ending at its end does; and new lines in front of the first one say
 * that this begins its line. But a line may go on behind its end, as an expression does in
 * brackets, or behind a comma. And what stands beside the place may not come with the replacement,
 * too: then the search text lacks it, and it would stand there twice. So would the next line, of
 * which the search text has nothing, or an empty line in its stead.
 */
#ifndef EM_MATCH_MIDLINE_H
#define EM_MATCH_MIDLINE_H

#include "match/tolerant.h"

/* Keep of the places those that the replacement of each may be laid onto. *other (NULL: not asked
 * for) is the first of the others; empty: there is none. EM_E_NOMEM only. */
em_status em_midline_keep(em_slice text, em_places *places, em_span *other);

#endif

/* seams.h: where what comes meets what stays. */
#ifndef EM_LAYING_SEAMS_H
#define EM_LAYING_SEAMS_H

#include "match/tolerant.h"
#include "text/text.h"
#include "tokens/redline.h"

/* The first line ending in the span, else the file's, else LF. */
em_slice em_place_eol(em_slice text, em_span span, em_eol dominant);

/* Would what stands before the place and what stands behind it, or the result between them, become
 * one word? */
bool em_joins_words(em_slice text, const em_tolerant_place *place, em_slice result);

/* Behind a file's last line that has no ending, a line ending of the search text is one that the
 * caller imagined. Where the last lines go, the one that is the last then has none either. `result`
 * is what the place becomes. */
em_slice em_ended_as_before(em_slice text, const em_tolerant_place *place, const em_tokened *insert,
                            em_tokened result);

#endif

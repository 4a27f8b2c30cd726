/* patch_place.h: where in a file the lines of a hunk are said to be.
 *
 *   @@ class Cart           below this line,
 *   @@ def total(self):     and below this one, which is below that; or
 *   @@ -7,3 +7,3 @@ f()     in what begins with a line like this, as far as that was known
 *
 * What a hunk shows of the file may stand there once, and in a sibling of what is meant.
 */
#ifndef EM_DIAGNOSIS_PATCH_PLACE_H
#define EM_DIAGNOSIS_PATCH_PLACE_H

#include "base/slice.h"
#include "text/span.h"

/* The line that `place` of `text` is not below, or in, although the headers `heads` of a hunk say
 * so; empty: it is where they say, or they say nothing. */
em_slice em_patch_place_missed(em_slice text, em_span place, em_slice heads);

/* The line, or a part of it, that a header of a hunk has; empty: none. *is_certain false: numbers
 * are before it. */
em_slice em_patch_head_line(em_slice header, bool *is_certain);

#endif

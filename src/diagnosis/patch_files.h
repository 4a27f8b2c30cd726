/* patch_files.h: a patch of several files, as one of each.
 *
 *   --- a/x               or   *** Begin Patch            or   x
 *   +++ b/x                    *** Update File: x              <<<<<<< SEARCH
 *   @@ -1 +1 @@                -one();                         one();
 *   -one();                    +two();                         =======
 *   +two();                    *** Update File: y              two();
 *   --- a/y                    -one();                         >>>>>>> REPLACE
 *   +++ b/y                    +two();                         y
 *   @@ -1 +1 @@                *** End Patch                   <<<<<<< SEARCH
 *   ...                                                        ...
 *
 * What each of them says is read by whoever reads a patch of one file (whole_change.h).
 */
#ifndef EM_DIAGNOSIS_PATCH_FILES_H
#define EM_DIAGNOSIS_PATCH_FILES_H

#include "base/arena.h"
#include "base/slice.h"
#include "base/status.h"

/* The text from each line on that names a file, up to the next; the first from the beginning on.
 * One at least, in `arena` or the text. A name that stands there again begins another one, and
 * blocks in a fence of their own do, which may have no name. EM_E_NOMEM only. */
em_status em_patch_files(em_slice text, em_arena *arena, em_slice **files, size_t *count);

#endif

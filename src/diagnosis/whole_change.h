/* whole_change.h: a search text that is all of a change, in a form of other tools.
 *
 *   search text   <<<<<<< SEARCH        or   --- a/f.c            or   *** Begin Patch
 *                     one();                 +++ b/f.c                 *** Update File: f.c
 *                 =======                    @@ -1 +1 @@               @@
 *                     two();                 -    one();               -    one();
 *                 >>>>>>> REPLACE            +    two();               +    two();
 *                                                                      *** End Patch
 *
 * Who knows such a tool sends that with nothing as the replacement. No tier changes anything for
 * it. But where its one side stands in the file, it can be told what to send.
 */
#ifndef EM_DIAGNOSIS_WHOLE_CHANGE_H
#define EM_DIAGNOSIS_WHOLE_CHANGE_H

#include "base/arena.h"
#include "diagnosis/near_miss.h"

/* Is `find` one block, or one hunk of one file, perhaps in a code fence? Then *mended has its two
 * sides, in `arena`. It is *clear that these are meant where `insert` is empty, or the other side.
 * EM_E_NOMEM only. */
em_status em_whole_change_of(em_slice find, em_slice insert, em_arena *arena, em_near_miss *mended,
                             bool *is, bool *clear);

#endif

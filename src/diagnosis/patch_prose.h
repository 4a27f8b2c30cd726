/* patch_prose.h: a patch with something around it that is none.
 *
 *   I'll change the call:          Here it is:          apply_patch <<'EOF'
 *                                                       *** Begin Patch
 *   **src/f.c**                    ```diff              *** Update File: src/f.c
 *   ```c                           --- a/src/f.c        ...
 *   <<<<<<< SEARCH                 ...                  *** End Patch
 *   ...                            ```                  EOF
 *   >>>>>>> REPLACE
 *   ```                            That is all.
 *
 * Only for a text of which it is known that a patch is meant: a page that shows one looks the same.
 */
#ifndef EM_DIAGNOSIS_PATCH_PROSE_H
#define EM_DIAGNOSIS_PATCH_PROSE_H

#include "base/arena.h"
#include "base/slice.h"
#include "base/status.h"

/* What is left without it, for em_told_changes_read(): with the name of the file before blocks, if
 * one stands there. The text itself where no patch begins in it, or it is not plain where all that
 * there is ends: nothing is left out that may be of a patch. In `arena`, or of the text. EM_E_NOMEM
 * only. */
em_status em_patch_without_prose(em_slice text, em_arena *arena, em_slice *patch);

/* Is it a sign that stands around the name of a file which is written as one ("**src/f.c**:")? */
bool em_is_mark_of_name(char c);

#endif

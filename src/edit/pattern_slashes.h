/* pattern_slashes.h: a pattern between slashes, with flags behind it.
 *
 * Languages that have literals of patterns write one so: `/a\.b/i`. Here the slashes are signs like
 * others, which hardly stand in the file.
 */
#ifndef EM_EDIT_PATTERN_SLASHES_H
#define EM_EDIT_PATTERN_SLASHES_H

#include "base/arena.h"

/* What the pattern is without them, and with its flags as a pattern has them within itself; in
 * `arena`, empty where it is none. `g` is no matter of the pattern, and left out, as is `m`, which
 * holds here anyway. EM_E_NOMEM only. */
em_status em_pattern_without_slashes(em_slice pattern, em_arena *arena, em_slice *bare);

#endif

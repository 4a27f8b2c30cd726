/* kept.h: which of two texts keeps what of a third?
 *
 * The same words in another order count as kept: each piece of the third text counts as often as it
 * stands in it.
 */
#ifndef EM_TOKENS_KEPT_H
#define EM_TOKENS_KEPT_H

#include "base/arena.h"

/* Pieces of the third text that only one of the two has. */
typedef struct em_kept {
    size_t only_a, only_b;
} em_kept;

/* Pieces are lines: byte by byte, whatever ends them; those of nothing but blanks do not count.
 * EM_E_NOMEM only. */
em_status em_kept_lines(em_slice third, em_slice a, em_slice b, em_arena *arena, em_kept *kept);

/* Pieces are tokens, each with the next one and what stands between them, byte by byte, but that a
 * line may have any ending: the backslash of an escape is another one than that at the end of a
 * line. EM_E_NOMEM only. */
em_status em_kept_pairs(em_slice third, em_slice a, em_slice b, em_arena *arena, em_kept *kept);

#endif

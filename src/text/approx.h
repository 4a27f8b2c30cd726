/* approx.h: where does something like this short needle stand?
 *
 * Every place of a text is compared, by the bit-parallel algorithm of G. Myers ("A fast bit-vector
 * algorithm for approximate string matching", 1999), in several stretches of the text at once. That
 * is some ten times slower than a literal search, and misses nothing. The distance counts bytes
 * here.
 */
#ifndef EM_TEXT_APPROX_H
#define EM_TEXT_APPROX_H

#include "base/arena.h"
#include "base/deadline.h"

enum { EM_LONGEST_APPROX = 64 };

/* A piece of the text that is like the needle ends here. */
typedef struct em_approx {
    size_t end;
    size_t distance; /* in bytes */
} em_approx;

typedef struct em_approx_list {
    em_approx *items; /* by rising distance, then from left to right */
    size_t count;
    bool timed_out; /* the deadline passed: what was found until then */
} em_approx_list;

/* The `most` nearest ends at a distance of at most `limit`: those from which on the distance rises.
 * Where there are too many as near, some of them. The needle has at most EM_LONGEST_APPROX bytes;
 * an empty one is nowhere. In `arena`. EM_E_NOMEM only. */
em_status em_approx_find(em_slice needle, em_slice hay, size_t limit, size_t most,
                         em_deadline *deadline, em_arena *arena, em_approx_list *out);

/* The same without instructions that only some machines have, so that a test sees both. */
em_status em_approx_find_plain(em_slice needle, em_slice hay, size_t limit, size_t most,
                               em_deadline *deadline, em_arena *arena, em_approx_list *out);

#endif

/* needles.h: where does any of these needles stand in these bytes?
 *
 * All needles are looked for in one pass, at about the speed of a search for one of them. Of each
 * needle the four bytes in a row that are rarest in source code are looked for by their halves of
 * four bits, 16 or 32 places at once, and only where they may stand is the needle compared. The
 * idea is that of "Teddy" by G. Langdale, in Hyperscan. Letters of ASCII are found in either case.
 * Every kernel gives the same results.
 */
#ifndef EM_TEXT_NEEDLES_H
#define EM_TEXT_NEEDLES_H

#include "base/slice.h"

#include <stdint.h>

enum { EM_MOST_NEEDLES = 32, EM_SHORTEST_NEEDLE = 3, EM_PRINT = 4, EM_PRINT_SETS = 8 };

typedef struct em_needles {
    em_slice items[EM_MOST_NEEDLES]; /* borrowed */
    size_t count;
    uint32_t prints[EM_MOST_NEEDLES],
        masks[EM_MOST_NEEDLES];      /* the rare bytes of each, as a number */
    size_t offsets[EM_MOST_NEEDLES]; /* and where in it they stand */
    uint8_t low[EM_PRINT][16];       /* a bit for each set that has a byte with this lower half */
    uint8_t high[EM_PRINT][16];      /* the same for the upper half */
    const struct em_needles_kernel *kernel;
} em_needles;

/* At most EM_MOST_NEEDLES, each of at least EM_SHORTEST_NEEDLE bytes. They are compared as by
 * em_same_in_any_case(). */
void em_needles_init(em_needles *needles, const em_slice *items, size_t count);

/* Look for this one no longer. */
void em_needles_leave_out(em_needles *needles, size_t which);

/* Needle number `which` stands at `at`. */
typedef void em_needle_found(void *context, size_t which, size_t at);

/* Every place where a needle stands, also those that overlap: of one needle from left to right, of
 * several in no certain order; of each needle those whose rare bytes begin in [from, to), so that
 * adjacent ranges give each place once. from <= to <= hay.len; all of `hay` is read. */
void em_find_needles(const em_needles *needles, em_slice hay, size_t from, size_t to,
                     em_needle_found *found, void *context);

/* The kernels of this build, as in search.h. */
typedef struct em_needles_kernel {
    const char *name;
    bool usable;
    void (*find)(const em_needles *needles, em_slice hay, size_t from, size_t to,
                 em_needle_found *found, void *context);
} em_needles_kernel;
const em_needles_kernel *em_needles_kernel_at(size_t index);

#endif

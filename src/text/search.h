/* search.h: where does this needle stand in these bytes?
 *
 * Literal search at memory speed. Two rare bytes of the needle are looked for with the widest
 * vectors that the machine has (AVX2, SSE2, NEON; plain C elsewhere), and only where both stand is
 * the rest compared. Every kernel gives the same results; which one runs is chosen at run time.
 * The idea is that of the "generic SIMD" search by Wojciech Mula
 * (http://0x80.pl/articles/simd-strfind.html), with bytes chosen by how rare they are in source
 * code.
 */
#ifndef EM_TEXT_SEARCH_H
#define EM_TEXT_SEARCH_H

#include "base/slice.h"

typedef struct em_needle {
    em_slice bytes; /* borrowed; not empty */
    size_t rare[2]; /* offsets in it of its two rarest bytes; the same twice in a needle of one */
    const struct em_search_kernel *kernel; /* the best one that this machine has */
} em_needle;

void em_needle_init(em_needle *needle, em_slice bytes);

/* How common a byte is in source code, 0 to 255, by the logarithm of its share. */
unsigned em_commonness(char byte);

/* The first place at or after `from` where the needle stands in `hay`; EM_NPOS if there is none. */
size_t em_find(const em_needle *needle, em_slice hay, size_t from);

/* How often, without overlap, from left to right. */
size_t em_find_count(const em_needle *needle, em_slice hay);

/* The kernels of this build, for tests and benchmarks: the index goes from 0 until NULL comes.
 * A kernel that this machine cannot run has `usable` false. */
typedef struct em_search_kernel {
    const char *name;
    bool usable;
    size_t (*find)(const em_needle *needle, em_slice hay, size_t from);
} em_search_kernel;
const em_search_kernel *em_search_kernel_at(size_t index);

/* The same search where each LF of the needle stands for any line ending (LF, CRLF or CR). The
 * needle holds at least one LF and no CR. Gives the start, and through *end the end, which may lie
 * further than the needle is long. A CRLF is never cut in two. */
size_t em_find_any_eol(em_slice needle, em_slice hay, size_t from, size_t *end);

/* Whether such a needle stands at `at`: where it ends then, else EM_NPOS. */
size_t em_any_eol_at(em_slice needle, em_slice hay, size_t at);

/* Where it begins when its byte at `offset` stands at `at`, of an LF the first byte of its ending,
 * and through *end where it ends; EM_NPOS when it does not stand there. */
size_t em_any_eol_around(em_slice needle, size_t offset, em_slice hay, size_t at, size_t *end);

/* The same search by the way that it falls back on, so that a test sees both. */
size_t em_find_any_eol_two_way(em_slice needle, em_slice hay, size_t from, size_t *end);

#endif

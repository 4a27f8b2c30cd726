/* scan.h: what a text holds that passes by once, window by window.
 *
 * For files that are too large to be held: whether they are text and of which kind, how many lines
 * they have, and where needles stand. The scanner never has more than its window; what it finds is
 * told in offsets of the whole.
 *
 *   em_scan_init, then until the text ends: em_scan_room() says where the next bytes go,
 *   em_scan_take() takes those that came; em_scan_end().
 */
#ifndef EM_TEXT_SCAN_H
#define EM_TEXT_SCAN_H

#include "base/arena.h"

/* A stretch of the text, [start, end). */
typedef struct em_scan_stretch {
    size_t start, end;
} em_scan_stretch;

/* The first in the text comes first. */
void em_scan_sort(em_scan_stretch *stretches, size_t count);

/* How much there is of lines before an offset, at which neither a code point nor a CRLF is cut. */
typedef struct em_milestone {
    size_t offset, endings, lfs;
} em_milestone;

typedef struct em_scan_options {
    const em_slice *needles; /* borrowed; none is empty. What holds a NUL stands nowhere */
    size_t count;
    size_t window;      /* bytes that are taken at a time, at least 1 */
    bool stays;         /* what em_scan_bytes() gave stays until two more pieces are asked for */
    size_t most_places; /* as many are kept, EM_SCAN_LONGEST_NEEDLE is the most bytes of a needle */
} em_scan_options;

enum { EM_SCAN_LONGEST_NEEDLE = 1 << 20 };

typedef struct em_scan {
    /* what was found */
    size_t size;             /* bytes so far */
    bool has_nul;            /* a NUL byte */
    bool is_utf8;            /* valid so far */
    size_t lf, cr, crlf;     /* every LF and CR, also those of CRLFs; CRLFs */
    em_scan_stretch *places; /* of all needles, in the order of the text after em_scan_end(): at
                           least one that overlaps each place where a needle stands, its LFs
                           standing for any line ending too */
    size_t place_count;
    bool overflow; /* there are more than `most_places`: those that are left out are not known */
    em_milestone *milestones; /* the first is the start; one for each window */
    size_t milestone_count;

    /* the scanner's own */
    em_scan_options options;
    em_arena *arena;
    char *rooms[2]; /* where the buffer may lie: in turn, if what was given `stays` */
    size_t in;      /* in which one it does */
    char *buffer;   /* its first byte */
    size_t room;    /* bytes that it may have */
    size_t base;    /* offset of its first byte in the text */
    size_t length;  /* bytes in it */
    size_t longest; /* bytes of the longest needle */
    size_t reach;   /* bytes that stay in it, for what reaches over the border of a window */
    size_t counted; /* everything before this offset was counted and checked */
    struct em_scan_needle *singles;
    size_t single_count;
    struct em_scan_group *groups; /* of needles that are looked for together */
    size_t group_count;
    size_t place_room, milestone_room;
} em_scan;

/* Everything lives in `arena`. EM_E_NOMEM only; the needles are checked by the caller. */
em_status em_scan_init(em_scan *scan, const em_scan_options *options, em_arena *arena);

/* Where the next bytes go: at most *size. */
char *em_scan_room(em_scan *scan, size_t *size);

/* That many came. EM_E_NOMEM only. */
em_status em_scan_take(em_scan *scan, size_t length);

/* Up to which offset all that begins is known: no needle stands before it that is not among the
 * places, which are in no order yet. */
size_t em_scan_settled(const em_scan *scan);

/* A stretch of the text that is not held any more only if it was settled before the last piece was
 * taken; borrowed until the next one, or the one behind that (em_scan_options), is asked for. */
em_slice em_scan_bytes(const em_scan *scan, size_t start, size_t end);

/* No more will come. EM_E_NOMEM only. */
em_status em_scan_end(em_scan *scan);

#endif

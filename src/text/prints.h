/* prints.h: where does any of thousands of needles stand in these bytes?
 *
 * All needles are looked for in one pass. A few bytes in a row of each needle are its print: those
 * that are rarest in the text and among the needles, as far as a sample of the text tells. Prints
 * are looked for by their hash in a bitmap, which most places do not pass, then in a table, and
 * only where a needle's print stands is the needle compared. A needle that is long enough has the
 * prints of four or eight places in a row, so that only every fourth or eighth place of the text is
 * looked at. In a text that repeats itself a few bytes stand everywhere, and many needles share
 * them: there a long needle has a print that is as long as itself, or half as long, and known by a
 * hash that rolls over the text (R. Karp, M. Rabin, "Efficient randomized pattern-matching
 * algorithms", 1987).
 * The idea is that of S. Wu and U. Manber, "A fast algorithm for multi-pattern searching", 1994,
 * with prints anywhere in the needle. Every kernel gives the same results.
 *
 * The time is linear in the text but for what is found and what looks like it: a needle whose print
 * costs more than it is worth is left out, and the caller told.
 *
 * needles.h is for few needles and knows no case.
 */
#ifndef EM_TEXT_PRINTS_H
#define EM_TEXT_PRINTS_H

#include "base/arena.h"
#include "text/marks.h"

#include <stdint.h>

/* A needle. */
typedef struct em_sought {
    em_slice bytes; /* borrowed, not empty */
    bool any_eol;   /* its LFs stand for any line ending, as in em_find_any_eol() */
} em_sought;

/* Needles with prints of one length. */
typedef struct em_print_class {
    size_t print, stride; /* bytes; which places of the text are looked at */
    bool by_mark;         /* only those beside this: */
    em_mark beside;
    bool by_window;   /* a print is a hash of its characters, which are too many for a number */
    bool any_eol;     /* `by_window`: a line ending, whichever, is one of them */
    uint64_t leaving; /* `by_window`: the weight of the one that the hash rolls away from */
    uint64_t mask;    /* of a print as a number */
    size_t live;      /* needles that are looked for */
    uint32_t *filter; /* two bits of a word for each hash */
    unsigned filter_bits, table_bits;
    uint64_t *keys;  /* the table: prints, */
    uint32_t *first; /* and the first of those who have it; 0: none */
} em_print_class;

/* As many by marks, by the length of the needles, and by windows. */
enum {
    EM_MARK_CLASSES = 3,
    EM_LENGTH_CLASSES = 5,
    EM_WINDOW_LENGTHS = 4,
    EM_WINDOW_CLASSES = 2 * EM_WINDOW_LENGTHS,
    EM_PRINT_CLASSES = EM_MARK_CLASSES + EM_LENGTH_CLASSES + EM_WINDOW_CLASSES
};

typedef struct em_prints {
    const em_sought *needles; /* borrowed */
    size_t count;
    bool *is_out;   /* by needle: it is not looked for */
    size_t *misses; /* how often its print stood there and it did not */
    struct em_print_holder *holders;
    size_t holder_count;
    size_t scanned; /* bytes */
    em_print_class classes[EM_PRINT_CLASSES];
    const struct em_prints_kernel *kernel;
} em_prints;

/* Prepare for looking for `needles` in texts like `text`. A needle of nothing but LFs that stand
 * for any ending has no print and is left out. `by_marks`: take the time that it takes to find
 * marks (marks.h), some tenths of a millisecond, which pays for a text of a megabyte. EM_E_NOMEM
 * only.
 */
em_status em_prints_init(em_prints *prints, const em_sought *needles, size_t count, em_slice text,
                         bool by_marks, em_arena *arena);

/* A needle stands at [start, end). False: do not look for it any longer. */
typedef bool em_print_found(void *context, size_t which, size_t start, size_t end);

/* Every place where a needle stands, also those that overlap, in no certain order. What is left out
 * on the way (prints->is_out) may have been found at some places and not at others. In a haystack
 * of megabytes another thread looks for prints in the second half meanwhile; it has ended when this
 * returns, and `found` is called by this thread alone. */
void em_prints_find(em_prints *prints, em_slice hay, em_print_found *found, void *context);

/* How many needles are looked for, not being left out. */
size_t em_prints_live(const em_prints *prints);

/* The kernels of this build, as in search.h. */
enum { EM_PRINT_ROOM = 8 };
typedef struct em_prints_kernel {
    const char *name;
    bool usable;
    /* Which of the `count` places from `at` on, `stride` bytes apart, pass the filter?
     * EM_PRINT_ROOM bytes can be read from each. Their indices, and how many. There is room for one
     * more than `count`. */
    size_t (*filter)(const em_print_class *class, const char *at, size_t count, uint32_t *passed);
    /* At which of the `count` places from `at` on does the mark stand? One byte
     * more can be read. The same. */
    size_t (*marks)(const em_mark *mark, const char *at, size_t count, uint32_t *found);
} em_prints_kernel;
const em_prints_kernel *em_prints_kernel_at(size_t index);

#endif

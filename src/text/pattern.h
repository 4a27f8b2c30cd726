/* pattern.h: a text prepared to be aligned with many others.
 *
 * What is counted is Levenshtein's distance: the fewest code points to insert, to remove or to
 * replace. A byte that is not valid UTF-8 counts as a code point of its own, equal to itself only.
 *
 * 64 cells of the table of distances are done at once: G. Myers, "A fast bit-vector algorithm for
 * approximate string matching" (1999), in blocks as H. Hyyrö, "A bit-vector algorithm for computing
 * Levenshtein and Damerau edit distances" (2003), and of the table only the band of diagonals in
 * which a distance up to the limit must lie. Memory is linear in the pattern whatever its letters.
 *
 * A pattern has room to work in of its own, so only one thread may use it at a time.
 */
#ifndef EM_TEXT_PATTERN_H
#define EM_TEXT_PATTERN_H

#include "base/arena.h"
#include "base/deadline.h"

#include <stdint.h>

typedef struct em_pattern {
    em_slice text; /* borrowed */
    size_t length; /* in code points */
    size_t blocks; /* of 64 code points */
    uint32_t first_symbol, last_symbol;
    em_slice first_line, last_line; /* without LF; empty where there is but one */
    em_arena *arena;                /* what it needs to work */
    struct em_alphabet *alphabet;
    struct em_pattern_rows *forward, *backward;
    struct em_pattern_block *column; /* the work: one column of the table */
    uint32_t *symbols;               /* the other text, up to `room` code points */
    struct em_pattern_border *borders;
    size_t room, border_room;
} em_pattern;

/* Everything lives in `arena`, which must outlive the pattern. EM_E_NOMEM only. */
em_status em_pattern_init(em_pattern *pattern, em_slice text, em_arena *arena);

/* The distance to `text`, where it is at most `limit`; limit + 1 where it is more. Time in
 * O(length of the text * (1 + min(limit, length of the pattern) / 64)).
 * EM_E_NOMEM; EM_E_TIMEOUT when the deadline passed. */
em_status em_pattern_distance(em_pattern *pattern, em_slice text, size_t limit,
                              em_deadline *deadline, size_t *distance);

/* One end of a piece of a text, and how far the pattern is from that piece. */
typedef struct em_piece_end {
    size_t offset; /* in bytes */
    size_t distance;
} em_piece_end;

/* Where, at `from` or behind it, the piece of `text` ends that is nearest to the pattern.
 *
 * Of pieces that are as near it is one that ends as the pattern does, then the first. It cuts no
 * word in two unless all that do not are much worse. And where the pattern has several lines (that
 * end with LF), a piece that ends with the last of them may be a little further, so that a line
 * that only the text has does not cut off what is behind it.
 *
 * Time in O(length of the text * blocks of the pattern). Statuses as above. */
em_status em_pattern_find_end(em_pattern *pattern, em_slice text, size_t from,
                              em_deadline *deadline, em_piece_end *end);

/* Where that piece starts; `end` is what em_pattern_find_end() gave. The same rules hold, the other
 * way round; for their sake the distance may be a little more than at the end, and it is that of
 * the piece. */
em_status em_pattern_find_start(em_pattern *pattern, em_slice text, em_piece_end end,
                                em_deadline *deadline, em_piece_end *start);

#endif

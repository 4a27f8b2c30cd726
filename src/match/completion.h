/* completion.h: search texts and replacements that lack a piece of a line are made whole.
 *
 * Callers cut the first line of a search text at its start, and the last one at its end; or lose
 * the sign that ends a line. The file has what is missing, and the replacement may lack it, too.
 */
#ifndef EM_MATCH_COMPLETION_H
#define EM_MATCH_COMPLETION_H

#include "match/code_lines.h"
#include "match/tolerant.h"

/* What is compared: the lines of the search text, and of the file. */
typedef struct em_completion {
    const em_code_lines *find, *seen;
    const size_t *at;        /* the line of `seen` that each line of `find` is */
    bool head_cut, tail_cut; /* the first line of `find` lacks its start, the last one its end */
    em_arena *arena;
} em_completion;

/* Make the first line of the place's search text whole, or the last one (`tail`), and the
 * replacement with it, both in the arena. *clear is false where it cannot be told how. EM_E_NOMEM.
 */
em_status em_complete_edge(const em_completion *c, bool tail, em_tolerant_place *place,
                           bool *clear);

/* Give line `i` of the place's search text the sign that it lacks, and the replacement, too, where
 * that repeats it before the same line. *clear: it does, or has it with the sign. EM_E_NOMEM. */
em_status em_complete_sign(const em_completion *c, em_slice sign, size_t i,
                           em_tolerant_place *place, bool *clear);

#endif

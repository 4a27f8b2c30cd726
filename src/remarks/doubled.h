/* doubled.h: lines that a splice brings although they stand beside it already, or brings twice.
 *
 * Who shows a place in the new text with more lines than the search text has, or makes an edit once
 * more that adds to its search text, has these lines twice. Nobody but the caller can tell whether
 * that was meant; so the edit is made, and the lines are told. Where an op of a call is in it once
 * more, one splice has what both of them bring.
 */
#ifndef EM_REMARKS_DOUBLED_H
#define EM_REMARKS_DOUBLED_H

#include "base/arena.h"
#include "edit/op.h"
#include "text/lines.h"
#include "text/span.h"
#include "text/splice.h"

typedef struct em_doubled {
    em_span there; /* whole lines of the text as it was; empty: none are doubled */
    size_t kept;   /* so many of those that it would double stand beside it, and stay: its own are
                      the others */
    bool follow;   /* the splice ends with them, and they follow it; else it begins with them */
} em_doubled;

/* Is the splice short, and does it bring whole lines? Of others neither function below finds
 * anything, and most of thousands of edits are such. */
bool em_may_double(const em_splice *splice);

/* Does splice `index` double lines? Not those of which so little is left without blanks that they
 * tell nothing, nor those that the text itself has one after the other. What is in `scratch` is not
 * needed afterwards. EM_E_NOMEM only. */
em_status em_doubled_by(const em_lines *lines, em_splices splices, size_t index, em_arena *scratch,
                        em_doubled *out);

typedef struct em_brought_twice {
    size_t line;  /* the first of them, by the number that it has after all splices */
    size_t count; /* so many lines, and then the same ones; 0: there are none */
} em_brought_twice;

/* Does splice `index` add lines that tell something, and then the same ones once more, though no
 * one of the `op_count` ops brings as many twice? Lines in whose place others come do not count.
 * What is in `scratch` is not needed afterwards. EM_E_NOMEM only. */
em_status em_brought_twice_by(const em_lines *lines, em_splices splices, size_t index,
                              const em_op *ops, size_t op_count, em_arena *scratch,
                              em_brought_twice *out);

#endif

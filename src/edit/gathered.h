/* gathered.h: what can be found out of many ops before there is a text for them.
 *
 * A call of thousands of ops has its texts all over the memory. To look through them once takes as
 * long as it takes to read a file of some megabytes, and can be done meanwhile (session/ahead.h).
 */
#ifndef EM_EDIT_GATHERED_H
#define EM_EDIT_GATHERED_H

#include "base/arena.h"
#include "edit/op.h"

typedef struct em_gathered {
    const em_op *of; /* the ops, borrowed, */
    size_t count;
    const em_op *ops;  /* and the same with their texts side by side, in the order of their turns,
                          where that pays: there is much between them where they come from, which
                          the processor's cache would hold in their stead */
    size_t until_kept; /* the last op that is kept to some lines, from 1; 0: none is */
    bool may_omit;     /* one's text may leave something out (placeholder.h) */
    bool are_plain; /* all texts are ASCII, without NULs; false where they are not side by side */
    bool may_insert_cr; /* one may insert a CR; a template can make one of many signs */
} em_gathered;

/* In `arena`. EM_E_NOMEM only. */
em_status em_gather(const em_op *ops, size_t count, em_arena *arena, em_gathered *out);

#endif

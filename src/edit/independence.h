/* independence.h: may all ops of a sequence be laid in at once?
 *
 * A sequence lays each op in before the next one is located. Where no op has a say in what another
 * one finds, all of them can be located in the text as it was; thousands of edits of one file are
 * nearly always so. It comes to the same where
 *
 *  (1) every op's text stands in the text as it was, as often as is wanted;
 *  (2) between any two splices lies more than the longest of the search texts reaches. A place is
 *      that long at most and touches its own splice, so none of the others touches it; and around
 *      each splice stands, whichever of the others are laid in, what stood there before. (The first
 *      op's text does not count: it is located before anything is laid in.)
 *  (3) no splice makes a place where the text of a later op stands. A place that it makes overlaps
 *      what it lays in, so it would be seen in that with what stands around it.
 */
#ifndef EM_EDIT_INDEPENDENCE_H
#define EM_EDIT_INDEPENDENCE_H

#include "edit/match_index.h"

/* A splice over a text, and the op that wants it. */
typedef struct em_planned {
    em_splice splice;
    em_slice was; /* what it replaces, where that is known without a look at the text; else empty */
    size_t op;
} em_planned;

/* May so many splices be independent, for all that their number tells? */
bool em_may_be_independent(const em_match_index *match_index, em_slice text, size_t count);

/* What each of the splices changes, without what is the same at its ends, in `arena`: as many, in
 * the same order. EM_E_NOMEM only. */
em_status em_planned_trim(em_slice text, const em_planned *items, size_t count, em_arena *arena,
                          em_splice **out);

/* (2) and (3) of `count` splices over `text`, sorted by offset, and `trimmed` in that way, where
 * the ops of `match_index` were found in that before anything was laid in. *independent false: they
 * may have a say, or it would cost too much to find out. EM_E_NOMEM only. */
em_status em_are_independent(em_match_index *match_index, em_slice text, const em_planned *items,
                             const em_splice *trimmed, size_t count, bool *independent);

#endif

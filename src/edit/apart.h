/* apart.h: may all ops of a sequence be laid in at once?
 *
 * A sequence lays each op in before the next one is located. Where no op has a say in what another
 * one finds, all of them can be located in the text as it was, and it is that which thousands of
 * edits of one file nearly always are. It comes to the same where
 *
 *  (1) every op's text stands in the text as it was, as often as is wanted;
 *  (2) between any two of the places lies more than the longest of the search texts reaches, so
 * that no splice takes a place away, and around each splice stands, whichever of the others are
 * laid in, what stood there before; (3) no splice makes a place where the text of a later op
 * stands: a place that it makes overlaps what it lays in, so it would be seen in that with what
 * stands around it.
 */
#ifndef EM_EDIT_APART_H
#define EM_EDIT_APART_H

#include "edit/whereabouts.h"

/* A splice over a text, and the op that wants it. */
typedef struct em_planned {
    em_splice splice;
    em_slice was; /* what it replaces, where that is known without a look at the text; else empty */
    size_t op;
} em_planned;

/* Does more than `reach` bytes lie between any two of the splices, which are sorted by offset? */
bool em_are_far_apart(const em_planned *items, size_t count, size_t reach);

/* What each of the splices changes, without what is the same at its ends, in `arena`: as many, in
 * the same order. EM_E_NOMEM only. */
em_status em_planned_trim(em_slice text, const em_planned *items, size_t count, em_arena *arena,
                          em_splice **out);

/* (2) and (3) of `count` splices over `text`, sorted by offset, and `trimmed` in that way, where
 * the ops of `whereabouts` were found in that before anything was laid in. *apart false: they may
 * have a say, or it would cost too much to find out. EM_E_NOMEM only. */
em_status em_lie_apart(em_whereabouts *whereabouts, em_slice text, const em_planned *items,
                       const em_splice *trimmed, size_t count, bool *apart);

#endif

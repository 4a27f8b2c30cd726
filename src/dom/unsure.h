/* unsure.h: where a parser may see more in what an edit wrote than the tree that it was made in.
 *
 * Where end tags are left out, or those of <head> and <body>, what stands beside decides what an
 * element holds. While nobody touches such a place again, the guard sees at the end whether it
 * reads as meant; an edit there could hide that, or depend on it.
 */
#ifndef EM_DOM_UNSURE_H
#define EM_DOM_UNSURE_H

#include "dom/edit.h"

/* Such places, in the bytes of now. */
typedef struct em_unsure {
    em_range *items;
    size_t count, room;
} em_unsure;

/* May the edit, which is not made yet, change what elements far from it are, or whose end tags are?
 */
bool em_edit_makes_stale(const em_page *page, const em_edit *edit);

/* Add the place of the edit, if it is such a one; `written`: what it wrote, though the tree does
 * not show that yet. In `arena`. EM_E_NOMEM. */
em_status em_unsure_add(em_unsure *unsure, const em_page *page, const em_edit *edit,
                        em_range written, em_arena *arena);

/* Bring them into order, each behind the one before it. */
void em_unsure_join(em_unsure *unsure);

/* Do edits, in order, touch one of the places, which are in order? */
bool em_unsure_meets(const em_unsure *unsure, const em_edit *edits, size_t count);

#endif

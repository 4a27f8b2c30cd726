/* fragment.h: HTML that somebody gave, as the nodes it becomes in its place.
 *
 * It must be whole by itself: no tag, comment or element is left open that has to be closed, none
 * is closed that was not opened, and the parser drops and moves none of its tags. So what is
 * written into the page is what comes to stand in its tree.
 */
#ifndef EM_DOM_FRAGMENT_H
#define EM_DOM_FRAGMENT_H

#include "dom/edit.h"

/* The nodes of `html` among the children of `parent`, in plan->arena: those of (*fragment)->root,
 * whose spans are offsets in `html`. EM_E_INVALID: plan->refusal (EM_DOM_E_FRAGMENT) says why not;
 * EM_E_NOMEM; EM_E_TIMEOUT. */
em_status em_fragment_make(em_edit_plan *plan, const em_node *parent, em_slice html,
                           em_page **fragment);

/* Is the fragment, which is to be the content of `node`, that element itself, as one has it who
 * replaces the element? EM_E_INVALID: it is for sure, by its id; where it only looks so,
 * plan->warning says it. */
em_status em_fragment_check_itself(em_edit_plan *plan, const em_node *node,
                                   const em_page *fragment);

/* A text alone, `decoded` in the tree, that takes `length` bytes of the page; nothing where it is
 * empty. EM_E_NOMEM. */
em_status em_fragment_text(em_edit_plan *plan, em_slice decoded, size_t length, em_page **fragment);

#endif

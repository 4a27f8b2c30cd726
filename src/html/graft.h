/* graft.h: surgery on a tree: nodes are taken out and put in.
 *
 * Only links and texts are changed; who grafts numbers the nodes again (em_page_number).
 */
#ifndef EM_HTML_GRAFT_H
#define EM_HTML_GRAFT_H

#include "html/tree.h"

/* Take `node`, with what is below, out of the tree. */
void em_graft_cut(em_node *node);

/* Take all children out. */
void em_graft_empty(em_node *parent);

/* Put `node` among the children of `parent`, before `next` (NULL: last). */
void em_graft_put(em_node *parent, em_node *next, em_node *node);

/* Put all children of `from` there, in order. */
void em_graft_put_children(em_node *parent, em_node *next, em_node *from);

/* A text node of its own, in `arena`; NULL: no memory. */
em_node *em_graft_text(em_slice text, em_arena *arena);

/* Part a text before its last `length` bytes, in the page at `at`: the new node with these, behind
 * it. NULL: no memory. */
em_node *em_graft_split(em_node *text, size_t length, size_t at, em_arena *arena);

/* Let the text go on with `more`. EM_E_NOMEM. */
em_status em_graft_extend(em_node *text, em_slice more, em_arena *arena);

/* Take away the first `length` bytes of the text. */
void em_graft_shorten(em_node *text, size_t length);

/* If `node` and the one behind it are texts, make them one, as a parser would; a text that is empty
 * goes away. `node` may be NULL. EM_E_NOMEM. */
em_status em_graft_join(em_node *node, em_arena *arena);

/* The node before, and the one behind, `node` and all that is below it, in document order; NULL at
 * the ends. */
em_node *em_graft_before(const em_node *node);
em_node *em_graft_behind(const em_node *node);

#endif

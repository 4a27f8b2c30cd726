/* spans.h: which of the parser's offsets can be believed.
 *
 * The parser gives a cloned element the tag of the first, an element that was ended by something
 * else the end tag of an ancestor, and a form none. Here each span becomes what tree.h says of it,
 * or is taken away and the node has a flaw.
 */
#ifndef EM_HTML_SPANS_H
#define EM_HTML_SPANS_H

#include "html/prescan.h"

/* Check, and repair, the spans of a tree that was just built. EM_E_NOMEM. */
em_status em_spans_check(em_page *page, const em_prescan *scan);

/* Has the element no content by its kind: <br>, <path/>? */
bool em_node_is_void(const em_page *page, const em_node *node);

/* Is this the end tag of <body> or <html>? */
bool em_ends_page_frame(em_slice bytes, size_t at);

/* White space from `from` on, which is behind the content of <body>, is text of what is open there:
 * what the tree has of it, in `arena`. EM_E_INVALID: there is more than white space, comments and
 * the end tags of <body> and <html>; EM_E_NOMEM. */
em_status em_page_tail(const em_page *page, size_t from, em_arena *arena, em_slice *tail);

#endif

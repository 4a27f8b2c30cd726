/* parse.h: bytes -> the tree of tree.h.
 *
 * A page of any size is parsed, or refused at once: its limits are looked at before (prescan.h).
 */
#ifndef EM_HTML_PARSE_H
#define EM_HTML_PARSE_H

#include "base/deadline.h"
#include "html/parser_memory.h"
#include "html/tree.h"

/* Parse a page, in `arena`; it borrows `bytes`. EM_E_NOMEM; EM_E_TIMEOUT: `deadline` (may be NULL)
 * came first; EM_E_TOO_LARGE, EM_E_BINARY, EM_E_INVALID: see em_prescan_page; the detail says why.
 */
em_status em_page_parse(em_slice bytes, em_deadline *deadline, em_arena *arena, em_page *page,
                        em_error *err);

/* The same with memory for the parser, which page->memory is then; it lasts as long as the page. */
em_status em_page_parse_in(em_parser_memory *memory, em_slice bytes, em_deadline *deadline,
                           em_arena *arena, em_page *page, em_error *err);

/* The same for what is to stand among the children of an element like `context`: they are those of
 * the root. */
em_status em_fragment_parse(em_slice bytes, const em_node *context, em_deadline *deadline,
                            em_arena *arena, em_page *page, em_error *err);

/* Number the nodes below `page->root` again, after nodes were added or taken away. There is room
 * for all of them in `nodes`, which the page then has. */
void em_page_number(em_page *page, em_node **nodes);

#endif

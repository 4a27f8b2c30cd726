/* literal.h: ids and classes that a selector has as they stand in the page, without the escapes
 * that CSS wants ("#a.b", ".data-[open]:x"), or with two for each of them, as JSON writes them.
 */
#ifndef EM_SELECTORS_LITERAL_H
#define EM_SELECTORS_LITERAL_H

#include "base/deadline.h"
#include "html/tree.h"

/* The selector with such names as CSS has them; empty where none of its names is one of the page's
 * that is written otherwise. EM_E_NOMEM; EM_E_TIMEOUT. */
em_status em_literal_meant(const em_page *page, em_slice selector, em_deadline *deadline,
                           em_arena *arena, em_slice *meant);

#endif

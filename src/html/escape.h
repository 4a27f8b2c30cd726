/* escape.h: text as HTML writes it. */
#ifndef EM_HTML_ESCAPE_H
#define EM_HTML_ESCAPE_H

#include "base/arena.h"
#include "base/slice.h"

/* `text` with entities for '&' and for the bytes of `also` ("<>" in text, the quote in a value).
 * *out is `text` itself or in `arena`. EM_E_NOMEM. */
em_status em_html_escape(em_slice text, const char *also, em_arena *arena, em_slice *out);

/* `text` as a parser has it: each CRLF, and each CR, is one LF. *out is `text` itself or in
 * `arena`. EM_E_NOMEM. */
em_status em_html_normalize(em_slice text, em_arena *arena, em_slice *out);

#endif

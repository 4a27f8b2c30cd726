/* escape.h: text as HTML writes it. */
#ifndef EM_HTML_ESCAPE_H
#define EM_HTML_ESCAPE_H

#include "base/arena.h"
#include "base/slice.h"

/* `text` with entities for '&', '<' and '>'. *out is `text` itself or in `arena`. EM_E_NOMEM. */
em_status em_html_escape(em_slice text, em_arena *arena, em_slice *out);

/* The value of an attribute with entities for '&' and for the quote that it stands in (0: none).
 * Code of a template stays as it is: an engine reads it before HTML does. As above. */
em_status em_html_escape_value(em_slice value, char quote, em_arena *arena, em_slice *out);

/* The quotes that a value is to stand in: `preferred`, unless its code has such and no others. */
char em_html_quote_for(em_slice value, char preferred);

/* `text` as a parser has it: each CRLF, and each CR, is one LF. *out is `text` itself or in
 * `arena`. EM_E_NOMEM. */
em_status em_html_normalize(em_slice text, em_arena *arena, em_slice *out);

/* The first reference to a character, as HTML writes it ("&amp;", "&#8364;"); empty: none. */
em_slice em_html_first_entity(em_slice text);

#endif

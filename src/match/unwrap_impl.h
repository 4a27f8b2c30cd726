/* unwrap_impl.h: what the files that take wrappings off share. */
#ifndef EM_MATCH_UNWRAP_IMPL_H
#define EM_MATCH_UNWRAP_IMPL_H

#include "base/strbuf.h"
#include "match/unwrap.h"

/* Take one kind of wrapping off both texts. *done is false where there is none, or where it cannot
 * be taken off both. EM_E_NOMEM only. */
typedef em_status em_unwrap(em_slice find, em_slice insert, em_arena *arena, em_reading *reading,
                            bool *done);

/* What was written becomes a text in `arena`. EM_E_NOMEM only. */
em_status em_unwrapped(em_strbuf *buf, em_arena *arena, em_slice *out);

/* ---- Escapes (unwrap_escapes.c) -------------------------------------------------------------- */

/* Quotes alone were escaped. Where no line break is real, those that the replacement has escaped
 * are line breaks too, unless they stand in a string; and a backslash tells nothing. */
em_unwrap em_unescape_quotes;

/* Quotes alone were escaped, and the escaped line breaks that both texts have are the file's own,
 * between single quotes or in a pattern: the file knows. */
em_unwrap em_unescape_quotes_beside_breaks;

/* Line breaks, tabs and signs by their numbers were escaped, and quotes but for a kind of which
 * some are the text's own. */
em_unwrap em_unescape_all;

/* A text that was made a JSON string once more than needed. */
em_unwrap em_unescape_json;

/* The search text has no line break but as an escape, and what comes of these is wrapped. A
 * replacement with real ones came without the mistake: what escapes it has are the file's. */
em_unwrap em_unescape_around;

#endif

/* escaped_breaks.h: has a text line breaks as escapes, `\n`, by mistake or in strings?
 *
 * Where those of the search text came as escapes and the replacement has real ones, it may have
 * come without the mistake, and a `\n` in it be the text's own. Not where it has the mistake, too:
 * `\n` is no more than a sign of many languages within what quotes enclose.
 */
#ifndef EM_MATCH_ESCAPED_BREAKS_H
#define EM_MATCH_ESCAPED_BREAKS_H

#include "base/slice.h"

/* Has `insert` a line break as an escape: one that `find` has between the same tokens, or one
 * outside of what quotes enclose in its line, where a line could end? */
bool em_has_escaped_breaks(em_slice find, em_slice insert);

/* Has it one anywhere, in strings or out of them? */
bool em_has_escape_of_break(em_slice text);

/* Does one that `begins` knows (by the text and where in it) begin outside of what quotes enclose
 * in the lines of `text`, which begins a line? An apostrophe is taken for a quote, too: what is
 * behind it may be a string. */
bool em_has_escape_outside_quotes(em_slice text, bool (*begins)(em_slice text, size_t at));

#endif

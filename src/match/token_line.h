/* token_line.h: the line that a token stands on, in a text of the caller's or at a place of the
 * file.
 */
#ifndef EM_MATCH_TOKEN_LINE_H
#define EM_MATCH_TOKEN_LINE_H

#include "match/tolerant.h"
#include "tokens/redline.h"

/* The token of the search text that begins the line which the replacement's first line repeats or
 * changes; EM_NPOS where all of that is new. */
size_t em_first_counterpart(em_tokened find, em_tokened insert, const size_t *origin);

/* The indentation of token `index` of the place, of whatever blanks, if that begins its line. */
bool em_seen_indent(em_slice text, const em_tolerant_place *place, size_t index, em_slice *indent);

/* The indentation of a line of the text at `offset`, if that begins its line. */
bool em_indent_at(em_slice text, size_t offset, em_slice *indent);

/* Are these blanks before a line, or behind a sign, deep enough for one? A single blank parts
 * words, or a list's sign from its item. */
bool em_is_indentation(em_slice blanks);

/* Does token `index` of the caller's text begin a line, and how is that indented? The first token
 * of a text without a gap before it begins one too, with nothing before it. */
bool em_line_indent(em_tokened t, size_t index, em_slice *indent);

/* The first and the last token of the caller's line that token `index` stands on. */
void em_line_around(em_tokened t, size_t index, size_t *first, size_t *last);

/* Is a bracket open behind the line of the tokens from `first` to `last`? */
bool em_line_leaves_open(em_tokened t, size_t first, size_t last);

/* Is the line of token `index` of the replacement one of the search text, as it is? */
bool em_line_stays(em_tokened find, em_tokened insert, const size_t *origin, size_t index);

#endif

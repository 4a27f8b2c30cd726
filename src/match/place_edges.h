/* place_edges.h: where exactly does the place of an edit begin, and where does it end?
 *
 * A search text may have come without the indentation of its first line. In the file that stands
 * before the place, and stays as long as the first line does, in whatever words:
 *
 *   search text   "a(1);\n    b();"
 *   file          "    a( 1 );\n    b();"
 *   replacement   "a(2);\n    b();"
 *   result        "    a( 2 );\n    b();"
 *
 * Where the first line goes as a whole, its indentation goes with it: that of the line that comes
 * next is in the replacement.
 *
 *   replacement   "    b();"
 *   result        "    b();"
 *
 * The replacement may have come without its first indentation, too. Then it must be clear how deep
 * that line belongs, or the edit is refused.
 *
 * A search text may begin with an empty line that the file has not. The line before keeps its
 * ending then, and the search text counts as one without that line, unless the replacement is to be
 * joined to the line before:
 *
 *   search text   "\na(1);\n    b();"
 *   file          "{\n    a( 1 );\n    b();"
 *   replacement   "    a(2);\n    b();"
 *   result        "{\n    a( 2 );\n    b();"
 *
 * A search text may end in the next line's indentation. Where the replacement joins the two lines,
 * all of that goes, however much of it the search text has:
 *
 *   search text   "call(  \n    "
 *   file          "call(\n        a);"
 *   replacement   "call("
 *   result        "call(a);"
 *
 * It is joined only if that is plain. Else the search text has an empty line there, with blanks in
 * it, that the file has not.
 */
#ifndef EM_MATCH_PLACE_EDGES_H
#define EM_MATCH_PLACE_EDGES_H

#include "match/indent.h"
#include "match/redline.h"
#include "match/tolerant.h"
#include "text/text.h"

/* Where an edit takes the search text's first line away as a whole, or puts an empty line before
 * it, and that came without the indentation it has in the file: widen such places back to the start
 * of their line. Where a place begins with the ending of a line with text, since the search text
 * has an empty line there, and what comes is clearly not to be joined to that line: let them begin
 * behind it. Where the search text ends in a line ending and the blanks behind it, and the
 * replacement joins the two lines: widen them over these blanks, however many the file has. (Not
 * places that are in another order than in the text.) Where both end in the same such blanks, take
 * these off both: they are the next line's. A place is to be so before it is laid onto,
 * told or compared. EM_E_NOMEM only. */
em_status em_adjust_place_edges(em_slice text, em_places places, em_arena *arena);

/* Where the search text begins with empty lines that the file has not, and the replacement with
 * none: take them off the search text of the place, which then begins where it would without them.
 * (Not where the replacement has them behind new lines.) *clear: false where the place begins with
 * the ending of the line before all the same, and nothing tells whether the replacement is to be
 * joined to that. EM_E_NOMEM only. */
em_status em_without_empty_lead(em_slice text, em_arena *arena, em_tolerant_place *place,
                                bool *clear);

/* Where the last lines of a text go that ends without a line ending, and the search text ends in
 * one all the same: widen the place back over the ending of the line before, if that is `within`
 * and no other place's, so that the text still ends without one. */
void em_adjust_last_line_edge(em_slice text, em_span within, em_places places);

/* Does the search text end in a line ending and the next line's indentation, and does the
 * replacement plainly go on in the next line, which there is: is a blank put there, or does a sign
 * tell so, where that is all of the indentation, or the line ending all that goes? */
bool em_joins_next_line(em_slice text, const em_tolerant_place *place);

/* An edit that is being laid onto `place` of `text`. */
typedef struct em_first_line {
    em_slice text;
    const em_tolerant_place *place;
    const em_tokened *find, *insert;
    const size_t *origin; /* of em_redline() */
    const em_indents *indents;
    bool is_bare; /* the search text begins without the indentation that the file has */
} em_first_line;

/* Is it known how deep the first lines of `result`, which has these tokens, belong? */
bool em_first_line_is_clear(const em_first_line *first, em_slice result, em_tokens tokens);

/* Are the lines of `result` as deep among themselves as those of the replacement? Each line that is
 * new is compared with the line before it: it must not be deeper where the caller's is not. */
bool em_depths_are_sound(const em_first_line *laid, em_slice result, em_tokens tokens);

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

/* Does the place begin its line, and the search text end in a line ending? */
bool em_is_whole_lines(em_slice text, const em_tolerant_place *place, em_tokened find);

/* The first line ending in the span, else the file's, else LF. */
em_slice em_place_eol(em_slice text, em_span span, em_eol dominant);

/* Would what stands before the place and what stands behind it, or the result between them, become
 * one word? */
bool em_joins_words(em_slice text, const em_tolerant_place *place, em_slice result);

/* Behind a file's last line that has no ending, a line ending of the search text is one that the
 * caller imagined. Where the last lines go, the one that is the last then has none either. `result`
 * is what the place becomes. */
em_slice em_ended_as_before(em_slice text, const em_tolerant_place *place, const em_tokened *insert,
                            em_tokened result);

#endif

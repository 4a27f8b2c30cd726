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

#include "match/tolerant.h"
#include "tokens/redline.h"

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

/* Does the place begin its line, and the search text end in a line ending? */
bool em_is_whole_lines(em_slice text, const em_tolerant_place *place, em_tokened find);

#endif

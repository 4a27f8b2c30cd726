/* placeholder.h: does a text leave something out that it should say?
 *
 * Models shorten: "// ... existing code ...", "# rest unchanged". Pasted into a file, such a line
 * deletes what it stands for. What counts is one line, alone, or alone between two that are the
 * marks of a comment:
 *
 *   - with an ellipsis ("..." or "…") at its start or its end, and besides it only words of leaving
 *     out, at least one of them telling ("rest", "existing", "unchanged", ...). With one on both
 *     sides it may be marked in any way in which some language marks comments, or texts lists;
 *   - a comment, or what stands in brackets, with an ellipsis and the shape of an omission: it
 *     begins with what is left over, and says of what in a few words ("existing routes");
 *   - a comment that holds nothing but an ellipsis;
 *   - a comment without an ellipsis that is a fixed phrase ("existing code", "rest of the file",
 *     "code unchanged", ...), or what is left over of something as it was ("rest of page
 *     unchanged");
 *   - a comment, or what stands in brackets, that is a sentence of such words: it begins with what
 *     is left over, names it and says that it stays ("(rest of the file stays the same)").
 *
 * Borders of two or more signs are no part of what a comment says ("// --- existing code ---").
 *
 * And a comment beside code, not within quotes, that names what it leaves out: with an ellipsis
 * ("b();  // ... existing code ..."; on both sides of a phrase that has the shape), as such a
 * sentence, or where a body opens as a phrase ("f() { // existing code"). Any other may be said of
 * the code that it stands beside.
 *
 * A bare "..." is not one: Python says it. Nor is a name that is spread ("...rest,"), nor a long
 * row of dots.
 */
#ifndef EM_MATCH_PLACEHOLDER_H
#define EM_MATCH_PLACEHOLDER_H

#include "base/slice.h"

/* The first line of `replacement`, or comment beside code, that leaves something out and does not
 * stand in `search` too; without blanks around it. Empty when there is none. */
em_slice em_placeholder_in(em_slice replacement, em_slice search);

/* Does this line stand for others? It does if it is such a line, or an ellipsis alone, or anything
 * between two of them, in a comment or not. For search texts, where a bare "..." that stands
 * nowhere in the file can mean nothing else. */
bool em_elides(em_slice line);

#endif

/* hunks.h: which stretches of lines do two texts not share?
 *
 * Lines end with LF, CRLF or CR, in units of one byte or of more (UTF-16). What is the same at
 * both ends of the texts is left out, and what they have in common in between is found with Myers'
 * algorithm (myers.h), up to a bound: where more than 100,000 lines are left on both sides
 * together, or they differ in more than 1,024, all of that is one hunk.
 */
#ifndef EM_TEXT_HUNKS_H
#define EM_TEXT_HUNKS_H

#include "base/arena.h"
#include "text/splice.h"

/* A text and how its lines end. A BOM at its start is a line of its own, which no other line is
 * like: what is next to it is not tied to it. */
typedef struct em_lined {
    em_slice bytes;
    em_slice newline; /* LF as one unit of the text, at multiples of its length; empty: a byte */
} em_lined;

/* Does a line begin at `at`? The end of a text counts where its last line is ended. */
bool em_is_line_start(const em_lined *text, size_t at);

/* The start of the line that holds `at` (which may be the end), and the end, its ending included.
 */
size_t em_line_start(const em_lined *text, size_t at);
size_t em_line_end(const em_lined *text, size_t at);

/* Do the bytes end with this mark, LF or CR, as one unit of the text? */
bool em_ends_with_mark(const em_lined *text, em_slice bytes, char mark);

/* Lines of the text without what ends the last of them. */
em_slice em_lines_open(const em_lined *text, em_slice lines);

/* Is one line of the text the like of another? A last line that is not ended is as if it were. */
bool em_is_like_line(const em_lined *text, em_slice line, em_slice other);

/* Where the text ends with such lines, as it would if its last line were ended; EM_NPOS where that
 * is ended, or the text ends otherwise. */
size_t em_find_left_open(const em_lined *text, em_slice lines);

/* Whole lines of the old text that are not in the new one, and those that are there instead; one
 * of the two may be empty. */
typedef struct em_line_hunk {
    size_t old_start, old_end; /* bytes, half open */
    size_t new_start, new_end;
} em_line_hunk;

/* In order; between two of them is at least a line that both texts have, but where one of the two
 * is a line that is ended in one text only. */
typedef struct em_line_hunks {
    em_line_hunk *items;
    size_t count;
} em_line_hunks;

/* In `arena`. Often there are several shortest ways to tell the difference: `backward` finds one
 * from the end, and lines that it pairs otherwise cannot be told from their like. EM_E_NOMEM
 * only. */
em_status em_line_hunks_find(em_slice old, em_slice new, em_slice newline, bool backward,
                             em_arena *arena, em_line_hunks *hunks);

/* The same splices made to such as take and bring whole lines: those that share a line become one.
 * In `arena`. EM_E_NOMEM only. */
em_status em_splices_widen(em_slice body, em_splices splices, em_slice newline, em_arena *arena,
                           em_splices *out);

/* The same splices cut into those that are needed: what a splice removes and what it inserts often
 * have lines in common. In `arena`. EM_E_NOMEM only. */
em_status em_splices_refine(em_slice body, em_splices splices, em_slice newline, em_arena *arena,
                            em_splices *out);

#endif

/* folded.h: a text in which blanks do not count: each run of them is one.
 *
 * A run of blanks and line endings becomes a line feed where it has a line ending, else a space.
 * So the indentation is left out, blanks at the ends of lines, empty lines, and which line endings
 * there are. Blanks are those of ASCII and the spaces of Unicode. All else stays as it is.
 */
#ifndef EM_TEXT_FOLDED_H
#define EM_TEXT_FOLDED_H

#include "base/arena.h"

typedef struct em_folded {
    em_slice text;  /* the folded text */
    size_t *origin; /* where each byte of it, and its end, is in the text; a run begins there */
    char *bytes;
    size_t room;
} em_folded;

/* Fold `text` into *folded, which is {0} at first and may be used again and again with the same
 * arena; what was in it is lost. EM_E_NOMEM only. */
em_status em_fold_blanks(em_slice text, em_arena *arena, em_folded *folded);

/* Where `text` is `units` further on (or back) than `from`, a unit being a code point or a run of
 * blanks; not beyond its ends, nor more than `most` bytes away. */
size_t em_folded_forward(em_slice text, size_t from, size_t units, size_t most);
size_t em_folded_back(em_slice text, size_t from, size_t units, size_t most);

/* The length of the blank or line ending at `offset`, in bytes (a CRLF is two); 0: it is none. */
size_t em_blank_at(em_slice text, size_t offset);

/* `text` without the blanks and line endings around it. */
em_slice em_without_outer_blanks(em_slice text);

#endif

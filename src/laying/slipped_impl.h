/* slipped_impl.h: what the files of the lines that slipped share; for slipped.c and slipped_*.c
 * alone.
 */
#ifndef EM_LAYING_SLIPPED_IMPL_H
#define EM_LAYING_SLIPPED_IMPL_H

#include "laying/placed_edit.h"
#include "laying/slip_start.h"
#include "match/block.h"
#include "match/token_line.h"

/* A line that slipped in both texts. */
typedef struct em_slip {
    size_t at;           /* its first token in the replacement */
    em_slice new, right; /* its indentation there, and what that should be */
    bool is_cut;         /* the search text may begin in the midst of its indentation */
} em_slip;

/* What becomes of a line of the search text. */
typedef enum em_slip_becomes { EM_SLIP_GOES, EM_SLIP_STAYS, EM_SLIP_IS_MENDED } em_slip_becomes;

/* The texts of one edit. */
typedef struct em_slip_texts {
    em_placed_edit edit;
    em_indent_unit unit; /* the file's */
    bool most_are_right; /* two of three lines at least */
    bool all_by_one;     /* all lines of the search text slipped, by the same blank */
    em_slip_line *lines; /* of the replacement */
    size_t line_count;
    em_slip *slips; /* ascending */
    size_t count;
    em_slip_becomes *find_lines; /* by their first tokens */
    bool is_unclear;             /* how deep a line belongs */
    size_t spaces_of_tab;        /* by lines that came with the one for the other; 0: none did, */
    bool tabs_differ;            /* or these do not agree */
} em_slip_texts;

/* Is an indentation the other one with a blank more? */
static inline bool em_slip_is_one_more(em_slice more, em_slice less)
{
    return more.len == less.len + 1 && em_slice_starts(more, less) && more.ptr[less.len] == ' ';
}

static inline bool em_slip_opens_block(em_tokened text, size_t at)
{
    size_t first, last;
    em_line_around(text, at, &first, &last);
    return em_opens_block(text, last);
}

/* ---- Whose slip it is (slipped_whose.c) ---------------------------------------------------- */

/* Did the search text come without the indentation of its first line? Then what is as deep as that
 * has none either. */
bool em_slips_first_is_bare(const em_placed_edit *edit);

/* Has the line at `index` of the search text, which has none of its indentation `seen`, slipped? */
bool em_slip_is_bare(const em_placed_edit *edit, size_t index, em_slice seen);

/* The first repeated line behind token `at` of the replacement; at the end it is none. */
em_slip_line em_slip_next_repeated(const em_slip_texts *t, size_t at);

/* Which repeated lines of the search text are to be mended? Note those that slipped in both texts,
 * or in the replacement. EM_E_NOMEM only. */
em_status em_slips_read(em_slip_texts *t, em_arena *arena);

/* ---- Tabs for spaces, or spaces for tabs (slipped_blanks.c) -------------------------------- */

/* How many spaces a tab is by a repeated line that both texts have with tabs for the file's spaces,
 * or with spaces for its tabs, and the search text as deep; 0: it is none. */
size_t em_slip_spaces_of(const em_slip_texts *t, const em_slip_line *l);

/* An indentation of the replacement in the file's blanks, where a tab is so many spaces. What is
 * less than a tab at its end stays spaces; *out has ptr NULL where that is all of it, or where it
 * mixes them otherwise. EM_E_NOMEM only. */
em_status em_slip_in_blanks(const em_slip_texts *t, em_slice indent, size_t spaces, em_arena *arena,
                            em_slice *out);

/* ---- Steps of the texts' own (slipped_steps.c) --------------------------------------------- */

/* Have the texts steps that are not the file's, so that nothing slipped? */
bool em_slips_are_steps(const em_slip_texts *t);

/* ---- The texts anew (slipped_mend.c) ------------------------------------------------------- */

/* Write the search text and the replacement of the place anew, where lines were read to have
 * slipped. EM_E_NOMEM only. */
em_status em_slips_mend(em_slip_texts *t, em_arena *arena, em_tolerant_place *place);

#endif

/* transplant_impl.h: what the files of the transplant share.
 *
 * Four texts meet here: the search text and its replacement, which the caller wrote; the place in
 * the file, token by token the search text; and the result, token by token the replacement. A gap
 * is named by the token behind it: gap i stands before token i, and the last one behind the last
 * token.
 */
#ifndef EM_LAYING_TRANSPLANT_IMPL_H
#define EM_LAYING_TRANSPLANT_IMPL_H

#include "base/strbuf.h"
#include "laying/depths.h"
#include "laying/precursor.h"
#include "laying/skipped_lines.h"
#include "laying/transplant.h"
#include "laying/writing.h"

typedef struct em_transplant {
    em_slice text;
    const em_tolerant_place *place;
    em_tokened find, insert;
    size_t *origin; /* of each token of `insert`, in `find`; EM_NPOS: new */
    size_t *moved;  /* the same of those in lines that moved */
    bool *gap_used; /* of the file's gaps that hold more than blanks: they come once */
    size_t *starts; /* of each token of `insert`, in `out` */
    em_depths depths;
    em_precursors precursors;
    bool depth_is_unclear; /* of a line that is new, or not as deep as it was */
    bool cr_is_meant; /* the replacement has CRs and the search text none: they come as they are */
    em_slice eol;
    em_writing writing;
    em_arena *arena;
    em_strbuf out; /* says when memory ran out */
} em_transplant;

/* A gap of the replacement: where it stands, and the gaps of the search text that it may be. */
typedef struct em_wanted_gap {
    size_t index;
    em_slice wanted;
    em_gap_parts parts;
    size_t left, right; /* the gap behind the token before it, and the one before the token behind
                           it, where those tokens are repeated; else EM_NPOS */
} em_wanted_gap;

/* ---- Gaps (transplant_gap.c) --------------------------------------------------------------- */

/* The gap of the file at the place. */
em_slice em_seen_gap(const em_transplant *t, size_t index);

/* Its line endings, and what else stands in its empty lines: the first of these may begin with the
 * place. */
em_slice em_seen_breaks(const em_transplant *t, size_t index);

/* Are there only spaces, tabs and line endings? */
bool em_is_blank_text(em_slice s);

/* How many line endings the file has in a gap; at the ends of the place all that are there, but for
 * the one before whole lines: that ends the line before. */
size_t em_breaks_there(const em_transplant *t, size_t index);

/* That before token `index` of the replacement, or behind its last one. */
em_wanted_gap em_wanted_gap_at(const em_transplant *t, size_t index);

/* Is the caller's gap, without indentation, the search text's gap `other`? Blanks at the end of a
 * line are that line's: behind another one, and before the first, they do not count. */
bool em_gap_is_repeated(const em_transplant *t, const em_wanted_gap *g, size_t other);

/* Does the gap become two, with what is new between them, that both look like it? */
bool em_gap_is_parted(const em_transplant *t, const em_wanted_gap *g);

/* The gap of the search text behind the line that the gap ends: that behind the repeated token
 * before it, or behind the line that moved there, or where this is new that behind the line which
 * it changes; EM_NPOS where all of the line is new. */
size_t em_line_end_before(const em_transplant *t, const em_wanted_gap *g);

/* Does the last line end although the caller leaves out its line ending? It does where an empty
 * line follows, or nothing; else the next line would be joined to it, which nobody means. */
bool em_leaves_line_ended(const em_transplant *t, const em_wanted_gap *g);

/* ---- Line endings and empty lines (transplant_breaks.c) ------------------------------------ */

/* The line ending of `seen` at *at or behind it, and *at moved behind it; `last` where there is
 * none more. */
em_slice em_next_eol(em_slice seen, size_t *at, em_slice last);

/* What is behind the line ending that `breaks` begins with. */
em_slice em_behind_first_eol(em_slice breaks);

/* Line endings of the file, that new lines behind them take too. */
void em_lay_seen(em_transplant *t, em_slice breaks);

/* The caller's line endings behind the first `skipped`, as they are meant or as the file's: one by
 * one those of `seen`, and further ones as the last before them. With what stands in the caller's
 * empty lines, if that is `whole`. */
void em_lay_wanted_breaks(em_transplant *t, em_slice breaks, em_slice seen, size_t skipped,
                          bool whole);

/* The lines in the file's gap that the search text lacks: comments, and empty lines where it has
 * fewer than `empty`. */
em_skipped_lines em_skipped_at(const em_transplant *t, size_t index, size_t empty);

/* Lay in the lines of em_skipped_at(), once. EM_NPOS: there is no such gap. */
void em_lay_skipped(em_transplant *t, size_t index, size_t empty);

/* How many empty lines of a gap of the file do not count as passed over, where the line of token
 * `beside` of the replacement is next to them: all that the search text has, less `but`.
 * Where that line changes they may have been in the midst of what it comes for. */
size_t em_kept_empty_lines(const em_transplant *t, size_t index, size_t but, size_t beside);

/* The replacement has no more empty lines than the search text begins with, and the file no more
 * than that: it gets none. The first `ends` line endings of the gap end what is new before it. */
bool em_keeps_front(const em_transplant *t, const em_wanted_gap *g, size_t ends);

/* What stands behind the text of the line before the gap; before the first line that is no part of
 * the place. */
void em_lay_trail(em_transplant *t, const em_wanted_gap *g);

/* All that stands between the line before the gap and the indentation of the line behind it. */
void em_lay_breaks(em_transplant *t, const em_wanted_gap *g);

/* ---- Indentation (transplant_indent.c); all: EM_E_NOMEM ------------------------------------- */

/* The indentation of the line that token `index` of the replacement begins. */
em_status em_map_indent(em_transplant *t, em_slice indent, size_t index, em_slice *out);

/* The indentation of the line that token g->index begins, or of nothing at the end. */
em_status em_lay_indent(em_transplant *t, const em_wanted_gap *g);

/* The replacement begins with another line of the search text than the first, and nothing stands
 * before the place in its line: as deep as that line is in the file, if the caller has the two
 * alike, or wrote the replacement too without its first indentation. What comes without any is
 * else as deep as what it replaces: so lines are unwrapped. */
em_status em_lay_first_indent(em_transplant *t, const em_wanted_gap *g, size_t counterpart);

/* ---- Before the first token and behind the last (transplant_ends.c) ------------------------- */

/* What stands before the first token. */
em_status em_lay_lead(em_transplant *t, const em_wanted_gap *g);

/* The replacement ends, without a line ending, in something new, or in what the next line is to be
 * joined to. */
void em_lay_end(em_transplant *t, const em_wanted_gap *g);

/* A replacement without tokens, as given; empty lines before the first line are the file's, and
 * those behind the last one, where all of them stay. */
void em_lay_blanks_only(em_transplant *t, const em_wanted_gap *g);

#endif

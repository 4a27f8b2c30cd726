/* inverse.h: what a change did to a file, and the way back, as bytes for the history.
 *
 * The way back is a list of splices over the new content: where each insert stands now, and the old
 * bytes that belong there. Old and new bytes that are the same at the edges of a splice are left
 * out, so that rewriting a whole file to change a line costs a line. With each place go, as far as
 * they are not too long, the new bytes and a few lines around it: so the change can be shown
 * without the file, and its place be found in a file that has changed since.
 *
 * The form, version 3. Numbers are unsigned LEB128, bytes have their length before them.
 *
 *   the byte 3; charset; newline; the number of places; for each of them
 *     distance from the end of the place before, in both contents
 *     lines between the two
 *     old bytes
 *     1 and the new bytes, or 0 and their length
 *     before: bytes that stand in front of it, behind the `after` of the place before
 *     after: bytes that stand behind it
 *   the byte 1 where the last `after` ends with the file, else 0
 *   the first 16 hex digits of the hash (em_hash_of) of all that
 *
 * Version 2 had no hash. Version 1 had neither charset, newline, lines, new bytes, before nor
 * after.
 */
#ifndef EM_HISTORY_INVERSE_H
#define EM_HISTORY_INVERSE_H

#include "base/arena.h"
#include "text/extract.h"
#include "text/lines.h"

enum {
    EM_CONTEXT_LINES = 3,
    EM_CONTEXT_MOST = 1024,      /* bytes on one side of a place */
    EM_CONTEXTS_MOST = 64 << 10, /* bytes of all of them; what is more is left out */
    EM_NEW_MOST = 256 << 10,     /* the same of new bytes */
};

/* How the bytes are read; for who shows them. */
typedef struct em_script_kind {
    const char *charset; /* a name that the caller knows; NULL: none */
    em_slice newline;    /* how a line ends, one unit of the text ("\n\0"); empty: "\n" */
} em_script_kind;

/* One place that changed. Slices borrow what was decoded. */
typedef struct em_place_change {
    size_t old_at, new_at; /* where it stands in the old content, and in the new */
    em_slice old_bytes;
    size_t new_length;
    em_slice new_bytes;     /* where `has_new` */
    bool has_new;           /* false: they were too long, or an earlier version wrote this */
    size_t line;            /* lines before it in the old content; EM_NPOS: not known */
    em_slice before, after; /* what stands around it in both contents, as far as it is known */
} em_place_change;

typedef struct em_inverse {
    em_script_kind kind;
    em_place_change *places;
    size_t count;
    bool ends_file; /* the last `after` ends with the file */
} em_inverse;

/* What laying `splices` into `old` does, in `arena`. `lines` is the index of `old`, which makes it
 * quick; NULL where there is none. EM_E_NOMEM is the only failure. */
em_status em_inverse_encode(em_slice old, const em_lines *lines, em_splices splices,
                            em_script_kind kind, em_arena *arena, em_slice *out);

/* The same where the old content is a large file's, of which this is held: the splices are over the
 * file. EM_E_NOT_FOUND: what they replace is not all in the extract. */
em_status em_inverse_encode_part(const em_extract *old, em_splices splices, em_script_kind kind,
                                 em_arena *arena, em_slice *out);

/* The same again. Slices borrow `code`, the rest lives in `arena`. EM_E_INVALID for what
 * em_inverse_encode does not write. Whether it fits a content is for the caller to check. */
em_status em_inverse_decode(em_slice code, em_arena *arena, em_inverse *out);

/* Is all that stands between this place and the next known? False of the last. */
bool em_inverse_reaches_next(const em_inverse *inverse, size_t index);

/* The splices that lead from the new content to the old, in `arena`. */
em_status em_inverse_back(const em_inverse *inverse, em_arena *arena, em_splices *out);

/* The splices that lead from the old content to the new; EM_E_NOT_FOUND where not all new bytes
 * are there. */
em_status em_inverse_forth(const em_inverse *inverse, em_arena *arena, em_splices *out);

#endif

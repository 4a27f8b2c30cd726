/* review_diff.h: unified diff -> JSON in which the changed words are marked.
 *
 *   {"hunks": [{"old": 1, "new": 1, "lines": [LINE, ...]}, ...], "truncated": false}
 *
 * and "binary": true beside them where it is no text, so that there are no lines.
 *
 * A LINE is an array. First comes its kind: " ", "-", "+", or "\" for what a diff says of a missing
 * newline. Then comes its text in pieces, of which the second, the fourth, ... are what was changed
 * in the line. A line that has nothing in common with the other side is one piece.
 *
 * It knows the form that text/diff.h renders and nothing of where a diff comes from.
 */
#ifndef EM_REVIEW_REVIEW_DIFF_H
#define EM_REVIEW_REVIEW_DIFF_H

#include "base/arena.h"
#include "json/json.h"

enum {
    EM_REVIEW_DIFF_BYTES = 512 << 10, /* of a diff that are shown; the rest is cut */
    EM_REVIEW_DIFF_LINES = 6000,
};

/* The diff of one file. A new reference; NULL when memory ran out, which `json` remembers. */
json_t *em_review_diff(em_json *json, em_slice unified, em_arena *arena);

#endif

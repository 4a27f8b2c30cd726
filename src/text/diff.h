/* diff.h: splices -> unified diff.
 *
 * The edits are known, so nothing is compared but what they touch: the cost grows with the change,
 * not with the file. Inside one splice, lines that stay the same are found with Myers' algorithm
 * (E. Myers, "An O(ND) Difference Algorithm and Its Variations", 1986), up to a bound beyond which
 * the whole splice is shown as removed and added.
 *
 * A line of a diff ends with LF and nothing else, as patch(1) and git-apply(1) see it: in a CRLF
 * file each line carries its CR, and a file of CRs is one line.
 */
#ifndef EM_TEXT_DIFF_H
#define EM_TEXT_DIFF_H

#include "base/arena.h"
#include "text/splice.h"

typedef struct em_diff_line {
    char kind;       /* ' ', '-' or '+' */
    em_slice text;   /* without its LF; borrowed from the body or a splice, or in the arena */
    bool no_newline; /* the last line of a file that does not end in LF */
} em_diff_line;

typedef struct em_hunk {
    size_t old_start, old_lines; /* as in the @@ line: an empty side starts at the line before */
    size_t new_start, new_lines;
    em_diff_line *lines;
    size_t line_count;
} em_hunk;

typedef struct em_diff {
    em_hunk *hunks;
    size_t hunk_count;
    size_t lines_added, lines_removed; /* of the whole change, also where the diff is cut */
    bool truncated;                    /* not all is here: cut at a line's end */
} em_diff;

typedef struct em_diff_limits {
    size_t bytes; /* of rendered text, headers included; 0: no limit */
    size_t lines; /* 0: no limit */
} em_diff_limits;

/* The diff of laying `splices` into `body`, with three lines of context. Lives in `arena` and
 * borrows `body` and the inserts. Splices that change nothing leave no hunk. A diff that is cut
 * keeps correct @@ counts for what is left of its last hunk. EM_E_NOMEM only. */
em_status em_diff_make(em_slice body, em_splices splices, em_diff_limits limits, em_arena *arena,
                       em_diff *diff);

/* The diff as text: "--- a/PATH", "+++ b/PATH", hunks; correct input for `patch -p1` and
 * `git apply`. "/dev/null" stands on the side where `created` or `deleted` say the file is not. A
 * path with control characters, quotes, backslashes or bytes beyond ASCII is quoted as git does.
 * Empty when there is no hunk. NULL when memory ran out. */
typedef struct em_diff_names {
    const char *path; /* relative to the root */
    bool created, deleted;
} em_diff_names;
char *em_diff_render(const em_diff *diff, em_diff_names names, em_arena *arena);

/* "@@ -1,3 +1,4 @@" for one hunk, without a line end. NULL when memory ran out. */
char *em_hunk_header(const em_hunk *hunk, em_arena *arena);

#endif

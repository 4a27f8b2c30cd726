/* diff.h: splices -> unified diff.
 *
 * The edits are known, so nothing is compared but what they touch: the cost grows with the change,
 * not with the file. Splices that touch the same or adjacent lines make one block. Lines that stay
 * the same at its two ends are left out, and those inside of it are found with Myers' algorithm
 * (myers.h), up to a bound: where what is left has more than 100,000 lines on both sides together,
 * or differs in more than 1,024, all its old lines are shown as removed and all its new ones as
 * added.
 *
 * A line of a diff ends with LF and nothing else, as patch(1) and git-apply(1) see it: in a CRLF
 * file each line carries its CR, and a file of CRs is one line.
 */
#ifndef EM_TEXT_DIFF_H
#define EM_TEXT_DIFF_H

#include "text/lines.h"

/* What follows, in a rendered hunk, a line whose `no_newline` is true. */
#define EM_NO_NEWLINE "\\ No newline at end of file\n"

/* How the one line begins that stands for a diff that cannot be shown. */
#define EM_BINARY_DIFFERS "Binary files "

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
    bool binary; /* a line that was changed, or stands next to one, holds NUL: there is no hunk */
} em_diff;

/* How much of the rendered text there may be: @@ lines and "\ No newline" lines count, the two
 * lines that name the file do not (but see em_diff_limits_behind()). */
typedef struct em_diff_limits {
    size_t bytes; /* 0: no limit */
    size_t lines; /* 0: no limit */
} em_diff_limits;

/* The diff of laying `splices` into `body`, with three lines of context. Lives in `arena` and
 * borrows `body` and the inserts. Splices that change nothing leave no hunk. A diff that is cut
 * keeps correct @@ counts for what is left of its last hunk; a hunk of which nothing but context
 * would be left is left out. Lines that hold NUL cannot be shown: then it is `binary`, whatever the
 * limits. EM_E_NOMEM only. */
em_status em_diff_make(em_slice body, em_splices splices, em_diff_limits limits, em_arena *arena,
                       em_diff *diff);

/* The same of a text, whose lines have the numbers of the file where it is an extract. `lines` is
 * its index, which saves counting them; NULL where there is none. */
em_status em_diff_of_text(const em_text *text, const em_lines *lines, em_splices splices,
                          em_diff_limits limits, em_arena *arena, em_diff *diff);

/* The diff as text: "--- a/PATH", "+++ b/PATH", hunks; correct input for `patch -p1` and
 * `git apply`. "/dev/null" stands on the side where `created` or `deleted` say the file is not. A
 * path with control characters, quotes, backslashes or bytes beyond ASCII is quoted as git does.
 * Of what is binary, EM_BINARY_DIFFERS and the two names, in the words of git. Else empty when
 * there is no hunk. NULL when memory ran out. */
typedef struct em_diff_names {
    const char *path; /* relative to the root */
    bool created, deleted;
} em_diff_names;
char *em_diff_render(const em_diff *diff, em_diff_names names, em_arena *arena);

/* What limits of all that is rendered leave to what stands behind the two lines that name the file.
 * Where they leave nothing, the diff comes without a hunk, and is rendered as nothing. */
em_diff_limits em_diff_limits_behind(em_diff_limits whole, em_diff_names names);

/* "@@ -1,3 +1,4 @@" for one hunk, without a line end. NULL when memory ran out. */
char *em_hunk_header(const em_hunk *hunk, em_arena *arena);

#endif

/* apply.h: a strict patch(1), and the laying in of splices: what the tests of diffs compare with.
 */
#ifndef EM_TESTS_APPLY_H
#define EM_TESTS_APPLY_H

#include "base/strbuf.h"
#include "text/splice.h"

/* `body` with `splices` laid in, as a NUL-terminated string in `arena`. */
char *lay_in(em_slice body, em_splices splices, em_arena *arena);

/* Apply a unified diff of one file. NULL, with *why, when it is not a right patch for `old_text`: a
 * line does not match at exactly its number, counts are wrong, hunks overlap or touch, a hunk has
 * more than three lines of context around it or changes nothing. With `partial`, hunks may have
 * less context at the end than the text has lines. */
char *apply_patch(const char *patch, em_slice old_text, bool partial, em_arena *arena,
                  const char **why);

#endif

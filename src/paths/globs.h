/* globs.h: globs as people give them, and what they match.
 *
 * Who denies a path wants it protected. A glob that has one clear meaning gets the one form that is
 * matched; one that can match nothing, or not what whoever wrote it meant, is refused.
 */
#ifndef EM_PATHS_GLOBS_H
#define EM_PATHS_GLOBS_H

#include "base/arena.h"

/* Does `glob` match `path`, as rules.h tells? */
bool em_glob_match(const char *glob, const char *path);

/* Leave out what a path does not need: "a//b" and "a/./b" become "a/b". *glob is then in `arena`.
 * EM_E_NOMEM. */
em_status em_glob_tidy(em_arena *arena, const char **glob);

/* Can it mean anything? EM_E_INVALID: the detail says why not, and what to write. `flag` is how it
 * was given. */
em_status em_glob_check(const char *flag, const char *glob, em_error *err);

/* Does it look like a path from the top of the file system, since it begins like `root`, without
 * being in it? Whether it is in another root is for the caller to ask. */
bool em_glob_is_beside(const char *glob, const char *root);

/* Does it begin with `root`? What follows then, with its slash, "/" for nothing; else NULL. */
const char *em_glob_below(const char *glob, const char *root);

#endif

/* rules.h: which files may be read and changed, by their resolved path.
 *
 * A glob is matched against the path relative to the root, and against each folder on the way to
 * it: `*` and `?` stop at `/`, `**` does not, a glob without `/` matches a name at any depth, and a
 * glob that matches a folder holds for all in it. The last rule is the strictest: `--deny` wins
 * over
 * `--allow`; `--allow`, when given, names all that may be changed or read, and lifts the built-in
 * protection of `.git` where it names it.
 */
#ifndef EM_WORKSPACE_RULES_H
#define EM_WORKSPACE_RULES_H

#include "base/slice.h"
#include "base/status.h"

typedef struct em_rules {
    const char *const *deny, *const *allow; /* borrowed */
    size_t deny_count, allow_count;
    bool read_only;
} em_rules;

/* May the file at `rel` be read, or (`write`) changed? `.git`, at any depth and in any letter case,
 * is refused for writing only; what --deny names is refused for both. EM_E_DENIED with a detail
 * that names the rule and does not tell whether the file exists. */
em_status em_rules_check(const em_rules *rules, const char *rel, bool write, em_error *err);

/* Does `glob` match `path`, as told above? */
bool em_glob_match(const char *glob, const char *path);

#endif

/* rules.h: which files may be read and changed, by their resolved path.
 *
 * A glob is matched against the path relative to the root, and against each folder on the way to
 * it: a glob that matches a folder holds for all in it.
 *
 *   *  ?        any characters, one character; not a slash
 *   **          any characters, slashes too; "**" and a slash: any folders, or none
 *   [a-z] [!x]  one character of a set, or not of it; not a slash
 *   \           takes the meaning from what follows
 *   name        without a slash: a name at any depth; also "name/", which means folders only
 *   /name       only in the root; so does any glob with a slash in it
 *   /srv/a/name only there, where /srv/a is the root, as it was given or as it is resolved
 *
 * There are no alternatives in braces: "{a,b}" would match a name with braces, and nobody means
 * that. What else can match nothing is refused likewise (globs.h).
 *
 * A `--deny` also holds for a path in other letters: there are file systems that find the same file
 * in another letter case, in another normal form of Unicode, and with invisible characters in it.
 *
 * The strictest rule decides: `--deny` wins over `--allow`; `--allow`, when given, names all that
 * may be changed or read, and lifts the built-in protection of `.git` where it names it.
 */
#ifndef EM_PATHS_RULES_H
#define EM_PATHS_RULES_H

#include "base/arena.h"

typedef struct em_rules {
    const char *const *deny, *const *allow; /* borrowed */
    size_t deny_count, allow_count;
    bool read_only;
} em_rules;

/* The path of a file, as a rule sees it. */
typedef struct em_rule_path {
    const char *rel;      /* to the root */
    const char *roots[2]; /* the root's own, absolute, in two spellings; NULL: unknown */
} em_rule_path;

/* Can the globs mean anything (globs.h)? EM_E_INVALID. */
em_status em_rules_check_globs(const em_rules *rules, em_error *err);

/* Is each that is written from the top of the file system, as far as can be told, in a root? Of
 * `roots` the names are looked at. EM_E_INVALID. */
em_status em_rules_check_places(const em_rules *rules, const em_rule_path *roots, size_t count,
                                em_error *err);

/* Does a --deny refuse the path? EM_E_DENIED, EM_E_NOMEM. */
em_status em_rules_check_denied(const em_rules *rules, const em_rule_path *path, em_arena *arena,
                                em_error *err);

/* May the file at `path` be read, or (`write`) changed? EM_E_DENIED, with a detail that names the
 * rule and does not tell whether the file exists. EM_E_NOMEM.
 *
 * `.git`, at any depth and in any letters, is refused for writing only, and so are the names by
 * which other file systems find it (".git.", "GIT~1"). An --allow whose glob has such a name in it
 * lifts that: ".git/config" does, "**" does not. */
em_status em_rules_check(const em_rules *rules, const em_rule_path *path, bool write,
                         em_arena *arena, em_error *err);

#endif

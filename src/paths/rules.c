/* rules.c: names against globs.
 *
 * Only names are looked at, never the disk: a refusal is the same whether the file is there or not.
 */
#include "paths/rules.h"

#include "paths/globs.h"
#include "paths/spelling.h"

/* ---- Globs as they are given ----------------------------------------------------------------- */

static em_status check_globs(const char *flag, const char *const *globs, size_t count,
                             em_error *err)
{
    for (size_t i = 0; i < count; i++)
        EM_TRY(em_glob_check(flag, globs[i], err));
    return EM_OK;
}

em_status em_rules_check_globs(const em_rules *rules, em_error *err)
{
    EM_TRY(check_globs("--deny", rules->deny, rules->deny_count, err));
    return check_globs("--allow", rules->allow, rules->allow_count, err);
}

/* The glob relative to the root, where it begins with that; NULL. */
static const char *glob_below(const char *glob, const em_rule_path *path)
{
    for (size_t i = 0; i < sizeof path->roots / sizeof path->roots[0]; i++) {
        const char *below = em_glob_below(glob, path->roots[i]);
        if (below)
            return below;
    }
    return NULL;
}

/* The same, or as it is. */
static const char *glob_in_root(const char *glob, const em_rule_path *path)
{
    const char *below = glob_below(glob, path);
    return below ? below : glob;
}

static em_status check_place(const char *flag, const char *glob, const em_rule_path *roots,
                             size_t count, em_error *err)
{
    bool beside = false;
    for (size_t i = 0; i < count; i++) {
        if (glob_below(glob, &roots[i]))
            return EM_OK;
        for (size_t k = 0; k < sizeof roots->roots / sizeof roots->roots[0]; k++)
            beside = beside || (roots[i].roots[k] && em_glob_is_beside(glob, roots[i].roots[k]));
    }
    if (!beside)
        return EM_OK;
    return em_fail(err, EM_E_INVALID,
                   "%s %s: it begins like a root, and is in none of them; for what has that path "
                   "below a root write .%s",
                   flag, glob, glob);
}

em_status em_rules_check_places(const em_rules *rules, const em_rule_path *roots, size_t count,
                                em_error *err)
{
    for (size_t i = 0; i < rules->deny_count; i++)
        EM_TRY(check_place("--deny", rules->deny[i], roots, count, err));
    for (size_t i = 0; i < rules->allow_count; i++)
        EM_TRY(check_place("--allow", rules->allow[i], roots, count, err));
    return EM_OK;
}

/* ---- Other letters -------------------------------------------------------------------------- */

/* Does a glob that refuses match the path as it is, or as some file system may find it? */
static em_status refuses(const char *glob, const char *path, em_arena *arena, bool *does)
{
    *does = em_glob_match(glob, path);
    if (*does)
        return EM_OK;
    const char *folded_glob = em_spelling_fold(glob, arena);
    const char *folded_path = em_spelling_fold(path, arena);
    if (!folded_glob || !folded_path)
        return EM_E_NOMEM;
    *does = em_glob_match(folded_glob, folded_path);
    return EM_OK;
}

/* ---- .git ------------------------------------------------------------------------------------ */

/* Is this, folded, a name under which some file system finds `.git`? Some drop dots and blanks at
 * the end, some have short names, some take what follows a colon for a stream of the file. */
static bool is_git_name(em_slice name)
{
    const char *colon = name.len > 0 ? memchr(name.ptr, ':', name.len) : NULL;
    if (colon)
        name.len = (size_t)(colon - name.ptr);
    while (name.len > 0 && (name.ptr[name.len - 1] == '.' || name.ptr[name.len - 1] == ' '))
        name.len--;
    return em_slice_is(name, ".git") || em_slice_is(name, "git~1");
}

static em_status names_git(const char *path, em_arena *arena, bool *does)
{
    const char *folded = em_spelling_fold(path, arena);
    *does = false;
    if (!folded)
        return EM_E_NOMEM;
    for (;;) {
        size_t length = strcspn(folded, "/");
        *does = *does || is_git_name(em_slice_make(folded, length));
        if (folded[length] == '\0')
            return EM_OK;
        folded += length + 1;
    }
}

/* ---- The rules ------------------------------------------------------------------------------- */

em_status em_rules_check_denied(const em_rules *rules, const em_rule_path *path, em_arena *arena,
                                em_error *err)
{
    for (size_t i = 0; i < rules->deny_count; i++) {
        bool denied;
        EM_TRY(refuses(glob_in_root(rules->deny[i], path), path->rel, arena, &denied));
        if (denied)
            return em_fail(err, EM_E_DENIED, "refused by --deny %s", rules->deny[i]);
    }
    return EM_OK;
}

em_status em_rules_check(const em_rules *rules, const em_rule_path *path, bool write,
                         em_arena *arena, em_error *err)
{
    bool allowed = rules->allow_count == 0, git_allowed = false, git;
    EM_TRY(em_rules_check_denied(rules, path, arena, err));
    for (size_t i = 0; i < rules->allow_count; i++) {
        const char *glob = glob_in_root(rules->allow[i], path);
        if (!em_glob_match(glob, path->rel))
            continue;
        allowed = true;
        EM_TRY(names_git(glob, arena, &git));
        git_allowed = git_allowed || git;
    }
    if (!allowed)
        return em_fail(err, EM_E_DENIED, "not among what --allow names");
    if (!write)
        return EM_OK;
    if (rules->read_only)
        return em_fail(err, EM_E_DENIED, "refused by --read-only");
    EM_TRY(names_git(path->rel, arena, &git));
    if (git && !git_allowed)
        return em_fail(err, EM_E_DENIED,
                       ".git is protected, unless --allow names it (and --allow '**' the rest)");
    return EM_OK;
}

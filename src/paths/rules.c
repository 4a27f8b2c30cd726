/* rules.c: names against globs.
 *
 * Only names are looked at, never the disk: a refusal is the same whether the file is there or not.
 */
#include "paths/rules.h"

#include "base/utf8.h"
#include "paths/globs.h"
#include "paths/spelling.h"

/* ---- One glob against one whole path ------------------------------------------------------- */

/* Where to go on when the rest does not match: the star then takes more of the path. */
typedef struct star {
    bool seen;
    bool folders; /* "**" and a slash: takes whole folders, or none */
    size_t glob;  /* what follows it in the glob */
    size_t path;  /* what it has not taken */
} star;

/* The next character of a class, "\" before it taken off. */
static uint32_t class_next(em_slice glob, size_t *at)
{
    if (glob.ptr[*at] == '\\' && *at + 1 < glob.len)
        ++*at;
    return em_utf8_next(glob, at);
}

/* Is `code` in the class that begins at glob.ptr[*at], such as "[a-z_]" or "[!0-9]"? Moves *at past
 * it; leaves it where no bracket ends the class: then "[" is a character like others. */
static bool class_has(em_slice glob, size_t *at, uint32_t code)
{
    size_t next = *at + 1;
    bool negated = next < glob.len && (glob.ptr[next] == '!' || glob.ptr[next] == '^');
    bool found = false;
    next += negated;
    for (size_t first = next; next < glob.len;) {
        if (glob.ptr[next] == ']' && next > first) {
            *at = next + 1;
            return found != negated && code != '/';
        }
        uint32_t low = class_next(glob, &next), high = low;
        if (next + 1 < glob.len && glob.ptr[next] == '-' && glob.ptr[next + 1] != ']') {
            next++;
            high = class_next(glob, &next);
        }
        found = found || (low <= code && code <= high);
    }
    return false;
}

/* Does what stands at *g, no star, match what stands at *p? Then both are moved past it. */
static bool match_one(em_slice glob, size_t *g, em_slice path, size_t *p)
{
    size_t after = *p, end = *g;
    uint32_t code = em_utf8_next(path, &after);
    bool found = false;
    if (glob.ptr[end] == '?') {
        found = code != '/';
        end++;
    } else if (glob.ptr[end] == '[') {
        found = class_has(glob, &end, code);
    }
    if (end == *g) { /* neither: this byte itself, or the one behind "\\" */
        end += glob.ptr[end] == '\\' && end + 1 < glob.len;
        found = glob.ptr[end] == path.ptr[*p];
        end++;
        after = *p + 1;
    }
    if (found) {
        *g = end;
        *p = after;
    }
    return found;
}

/* Read the star or stars at *g: one that stops at slashes goes to *shallow, two to *deep. */
static void read_stars(em_slice glob, size_t *g, size_t p, star *shallow, star *deep)
{
    size_t start = *g;
    while (*g < glob.len && glob.ptr[*g] == '*')
        ++*g;
    if (*g - start == 1) {
        *shallow = (star){.seen = true, .glob = *g, .path = p};
        return;
    }
    bool folders =
        (start == 0 || glob.ptr[start - 1] == '/') && *g < glob.len && glob.ptr[*g] == '/';
    *g += folders;
    *deep = (star){.seen = true, .folders = folders, .glob = *g, .path = p};
    shallow->seen = false; /* what it could take, this one can too */
}

/* Let the star take one step more; false when it has taken all that it can. */
static bool take_more(star *s, em_slice path, bool deep)
{
    if (!s->seen || s->path == path.len || (!deep && path.ptr[s->path] == '/'))
        return false;
    if (!s->folders) {
        em_utf8_next(path, &s->path);
        return true;
    }
    const char *slash = memchr(path.ptr + s->path, '/', path.len - s->path);
    if (slash)
        s->path = (size_t)(slash - path.ptr) + 1;
    return slash != NULL;
}

/* A star takes as little as it can. Only the last of each kind is ever made to take more: what an
 * earlier one could take instead would leave less, never more, to those after it. */
static bool match_whole(em_slice glob, em_slice path)
{
    star shallow = {0}, deep = {0};
    size_t g = 0, p = 0;
    while (g < glob.len || p < path.len) {
        if (g < glob.len && glob.ptr[g] == '*') {
            read_stars(glob, &g, p, &shallow, &deep);
        } else if (g < glob.len && p < path.len && match_one(glob, &g, path, &p)) {
            continue;
        } else if (take_more(&shallow, path, false)) {
            g = shallow.glob;
            p = shallow.path;
        } else if (take_more(&deep, path, true)) {
            g = deep.glob;
            p = deep.path;
        } else {
            return false;
        }
    }
    return true;
}

/* ---- A glob as a rule ------------------------------------------------------------------------ */

static bool slice_ends_in_slash(em_slice s)
{
    return s.len > 0 && s.ptr[s.len - 1] == '/';
}

bool em_glob_match(const char *glob, const char *path)
{
    em_slice pattern = em_slice_of(glob), whole = em_slice_of(path);
    bool anchored = false, folders_only = false;
    if (pattern.len == 0)
        return false;
    while (em_slice_starts(pattern, EM_LIT("./")) || em_slice_starts(pattern, EM_LIT("/"))) {
        pattern = em_slice_from(pattern, pattern.ptr[0] == '.' ? 2 : 1);
        anchored = true;
    }
    for (; slice_ends_in_slash(pattern); pattern.len--)
        folders_only = true;
    if (pattern.len == 0 || em_slice_is(pattern, "."))
        return true; /* the root, and so all in it */
    anchored = anchored || em_slice_has_byte(pattern, '/');

    size_t start = 0;
    for (size_t end = 0; end <= whole.len; end++) {
        bool folder = end < whole.len;
        if (folder && whole.ptr[end] != '/')
            continue;
        if ((folder || !folders_only) &&
            match_whole(pattern, em_slice_sub(whole, anchored ? 0 : start, end)))
            return true;
        start = end + 1;
    }
    return false;
}

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

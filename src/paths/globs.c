#include "paths/globs.h"

#include "base/utf8.h"

/* ---- One glob against one whole path ------------------------------------------------------- */

/* Where to go on when the rest does not match: the star then takes more of the path. */
typedef struct star {
    bool seen;
    bool folders; /* "**" and a slash: takes whole folders, or none */
    size_t glob;  /* what follows it in the glob */
    size_t path;  /* what it has not taken */
} star;

/* The next character of a set, "\\" before it taken off. */
static uint32_t set_next(em_slice glob, size_t *at)
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
        uint32_t low = set_next(glob, &next), high = low;
        if (next + 1 < glob.len && glob.ptr[next] == '-' && glob.ptr[next + 1] != ']') {
            next++;
            high = set_next(glob, &next);
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

/* ---- Tidying ------------------------------------------------------------------------------- */

/* The next component, as it is written, and how much of it is only a dot; moves *at to the slash
 * that ends it, or to the end. A slash in a set ends nothing, nor does "\\" make one less of it. */
static em_slice component_next(const char *glob, size_t *at)
{
    size_t start = *at;
    bool in_set = false;
    for (; glob[*at] && (in_set || glob[*at] != '/'); ++*at) {
        if (glob[*at] == '\\' && glob[*at + 1] && (in_set || glob[*at + 1] != '/'))
            ++*at;
        else if (glob[*at] == '[' && strchr(glob + *at, ']'))
            in_set = true;
        else if (glob[*at] == ']')
            in_set = false;
    }
    return em_slice_make(glob + start, *at - start);
}

em_status em_glob_tidy(em_arena *arena, const char **glob)
{
    const char *from = *glob;
    char *to = em_alloc(arena, strlen(from) + 1), *end = to;
    if (!to)
        return EM_E_NOMEM;
    for (size_t at = 0; from[at];) {
        em_slice part = component_next(from, &at);
        bool slash = from[at] == '/';
        bool is_dot = em_slice_is(part, ".") && end > to && end[-1] == '/';
        bool is_none = part.len == 0 && end > to && end[-1] == '/';
        at += slash;
        if (is_dot || is_none)
            continue;
        memcpy(end, part.ptr, part.len);
        end += part.len;
        if (slash)
            *end++ = '/';
    }
    *end = '\0';
    *glob = to;
    return EM_OK;
}

/* ---- What can match nothing ------------------------------------------------------------------ */

/* "{a,b}", as shells have it? */
static bool has_alternatives(const char *glob)
{
    bool open = false, comma = false;
    for (; *glob; glob++) {
        if (*glob == '\\' && glob[1]) {
            glob++;
            continue;
        }
        if (*glob == '}' && open && comma)
            return true;
        comma = *glob == '{' ? false : comma || *glob == ',';
        open = open || *glob == '{';
    }
    return false;
}

/* Is a component ".."? */
static bool goes_up(const char *glob)
{
    for (size_t at = 0; glob[at]; at += glob[at] == '/') {
        if (em_slice_is(component_next(glob, &at), ".."))
            return true;
    }
    return false;
}

/* "[:alpha:]", in a set? */
static bool is_named_set(const char *set)
{
    if (set[0] != '[' || set[1] != ':')
        return false;
    size_t length = strspn(set + 2, "abcdefghijklmnopqrstuvwxyz");
    return length > 0 && set[2 + length] == ':' && set[3 + length] == ']';
}

/* What is wrong with the set whose "[" stands before *at, and what to write; moves *at past it. */
static const char *fault_of_set(em_slice glob, size_t *at)
{
    bool negated = *at < glob.len && (glob.ptr[*at] == '!' || glob.ptr[*at] == '^'), any = false;
    *at += negated;
    for (size_t first = *at; *at < glob.len;) {
        if (glob.ptr[*at] == ']' && *at > first) {
            ++*at;
            return any || negated ? NULL : "a set never matches a slash: write the slash outside";
        }
        if (is_named_set(glob.ptr + *at))
            return "there are no sets with names: write ranges, such as [A-Za-z]";
        uint32_t low = set_next(glob, at), high = low;
        if (*at + 1 < glob.len && glob.ptr[*at] == '-' && glob.ptr[*at + 1] != ']') {
            ++*at;
            high = set_next(glob, at);
        }
        if (low > high)
            return "a range of a set ends before it begins: write the lower end first";
        any = any || low != '/' || high != '/';
    }
    return "the set that \"[\" begins has no end: write \\[ for a bracket in a name";
}

static const char *fault_of_sets(em_slice glob)
{
    for (size_t at = 0; at < glob.len;) {
        char byte = glob.ptr[at++];
        const char *fault = byte == '[' ? fault_of_set(glob, &at) : NULL;
        if (fault)
            return fault;
        if (byte == '\\' && at == glob.len)
            return "nothing follows the last \\: write \\\\ for one in a name";
        at += byte == '\\';
    }
    return NULL;
}

static const char *fault_of(const char *glob)
{
    if (glob[0] == '!')
        return "there is no \"not\"; write \\! for a name that begins so";
    if (glob[0] == '~' && (glob[1] == '/' || glob[1] == '\0'))
        return "~ is nobody's home here: write the whole path, or ./~ for a name";
    if (goes_up(glob))
        return "no path has .. in it: write it relative to the root, or whole";
    return fault_of_sets(em_slice_of(glob));
}

em_status em_glob_check(const char *flag, const char *glob, em_error *err)
{
    if (glob[0] == '\0')
        return em_fail(err, EM_E_INVALID, "%s needs a glob, and got an empty text", flag);
    if (has_alternatives(glob))
        return em_fail(err, EM_E_INVALID,
                       "%s %s: there are no alternatives in braces; give %s once for each, or "
                       "write \\{ for a brace in a name",
                       flag, glob, flag);
    const char *fault = fault_of(glob);
    return fault ? em_fail(err, EM_E_INVALID, "%s %s: %s", flag, glob, fault) : EM_OK;
}

/* ---- Roots --------------------------------------------------------------------------------- */

const char *em_glob_below(const char *glob, const char *root)
{
    size_t length = root ? strlen(root) : 0;
    if (length == 1) /* the top, below which all are that begin with a slash */
        return glob[0] == '/' ? glob : NULL;
    if (length == 0 || strncmp(glob, root, length) != 0 || !strchr("/", glob[length]))
        return NULL;
    return glob[length] ? glob + length : "/";
}

bool em_glob_is_beside(const char *glob, const char *root)
{
    size_t length = glob[0] == '/' ? 1 + strcspn(glob + 1, "/") : 0;
    bool same = length > 1 && strncmp(glob, root, length) == 0 && strchr("/", root[length]);
    return same && !em_glob_below(glob, root);
}

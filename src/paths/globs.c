#include "paths/globs.h"

#include "base/utf8.h"

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

static uint32_t set_next(em_slice glob, size_t *at)
{
    if (glob.ptr[*at] == '\\' && *at + 1 < glob.len)
        ++*at;
    return em_utf8_next(glob, at);
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

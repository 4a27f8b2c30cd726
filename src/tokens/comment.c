#include "tokens/comment.h"

/* A `#` that begins a directive, an attribute or a selector begins no comment. */
static bool is_hash_comment(em_slice s)
{
    static const char *const directives[] = {"include", "define", "if",     "else",
                                             "elif",    "endif",  "pragma", "undef",
                                             "error",   "line",   "import", "!"};
    if (s.len == 0 || s.ptr[0] != '#' || s.ptr[s.len - 1] == '{' || s.ptr[s.len - 1] == ',')
        return false;
    em_slice rest = em_slice_from(s, 1);
    for (size_t i = 0; i < sizeof directives / sizeof *directives; i++)
        if (em_slice_starts(rest, em_slice_of(directives[i])))
            return false;
    return !em_slice_starts(rest, EM_LIT("["));
}

/* `--`, and behind it what says that no heading is underlined, and no document ends, so. */
static bool is_dash_comment(em_slice s)
{
    size_t dashes = 0;
    while (dashes < s.len && s.ptr[dashes] == '-')
        dashes++;
    return dashes == 2 ? s.len == 2 || s.ptr[2] == ' ' : dashes > 2 && dashes < s.len;
}

bool em_delimits_comment(em_slice s)
{
    return em_slice_is(s, "/*") || em_slice_is(s, "/**") || em_slice_is(s, "*/") ||
           em_slice_is(s, "<!--") || em_slice_is(s, "-->");
}

bool em_is_comment(em_slice s)
{
    return em_slice_starts(s, EM_LIT("//")) || em_slice_starts(s, EM_LIT("/*")) ||
           em_slice_starts(s, EM_LIT("<!--")) || is_dash_comment(s) || em_delimits_comment(s) ||
           is_hash_comment(s);
}

bool em_goes_on_comment(em_slice s)
{
    return em_slice_starts(s, EM_LIT("* ")) || em_slice_is(s, "*");
}

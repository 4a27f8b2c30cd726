#include "edit/pattern_cr.h"

#include "base/ascii.h"

/* A digit's value; 16 or more for what is none. */
static unsigned digit_value(char c)
{
    if (em_is_digit(c))
        return (unsigned)(c - '0');
    char letter = (char)(c | 0x20);
    return letter >= 'a' && letter <= 'f' ? (unsigned)(letter - 'a') + 10 : 16;
}

/* Are the first digits of `s`, at most `most` of them, the number of CR? */
static bool number_is_cr(em_slice s, unsigned base, size_t most)
{
    unsigned value = 0;
    for (size_t i = 0; i < s.len && i < most && digit_value(s.ptr[i]) < base && value <= '\r'; i++)
        value = value * base + digit_value(s.ptr[i]);
    return value == '\r';
}

/* The same for what stands behind `opening`, "{" or "{U+". Blanks before it are for newer PCRE2. */
static bool braced_is_cr(em_slice s, const char *opening, unsigned base)
{
    if (!em_slice_starts(s, em_slice_of(opening)))
        return false;
    s = em_slice_from(s, strlen(opening));
    while (s.len > 0 && em_is_space_or_tab(s.ptr[0]))
        s = em_slice_from(s, 1);
    return number_is_cr(s, base, s.len);
}

/* Does the escape, which has a character at least behind its backslash, stand for CR? */
static bool escape_is_cr(em_slice escape)
{
    em_slice rest = em_slice_from(escape, 1);
    switch (escape.ptr[0]) {
    case 'r':
        return true;
    case 'c':
        return rest.len > 0 && (rest.ptr[0] == 'M' || rest.ptr[0] == 'm');
    case 'x':
        return braced_is_cr(rest, "{", 16) || number_is_cr(rest, 16, 2);
    case 'o':
        return braced_is_cr(rest, "{", 8);
    case 'N':
        return braced_is_cr(rest, "{U+", 16);
    default:
        return number_is_cr(escape, 8, 3);
    }
}

/* How much of `pattern`, which begins with a backslash, belongs to it at least: of \Q all up to
 * its \E. */
static size_t escape_length(em_slice pattern)
{
    if (pattern.ptr[1] == 'Q') {
        const char *end = memmem(pattern.ptr, pattern.len, "\\E", 2);
        return end ? (size_t)(end - pattern.ptr) + 2 : pattern.len;
    }
    size_t length = pattern.ptr[1] == 'c' ? 3 : 2;
    return length < pattern.len ? length : pattern.len;
}

bool em_pattern_names_cr(em_slice pattern)
{
    if (em_slice_has_byte(pattern, '\r'))
        return true;
    const char *backslash;
    while (pattern.len > 0 && (backslash = memchr(pattern.ptr, '\\', pattern.len))) {
        pattern = em_slice_from(pattern, (size_t)(backslash - pattern.ptr));
        if (pattern.len < 2)
            return false;
        if (escape_is_cr(em_slice_from(pattern, 1)))
            return true;
        pattern = em_slice_from(pattern, escape_length(pattern));
    }
    return false;
}

#include "edit/pattern_slashes.h"

#include "base/strbuf.h"

/* What is between the first slash and the last one, and what is behind that; false where it is not
 * so. */
static bool split(em_slice pattern, em_slice *inside, em_slice *flags)
{
    size_t last = pattern.len;
    if (!em_slice_starts(pattern, EM_LIT("/")))
        return false;
    while (pattern.ptr[last - 1] != '/')
        last--;
    if (last < 3) /* there is one slash, or nothing between two */
        return false;
    *inside = em_slice_sub(pattern, 1, last - 1);
    *flags = em_slice_from(pattern, last);
    return true;
}

/* Is it an escaped one, as any within the literal must be, or a set's? Else the literal ends
 * before the last one. */
static bool has_bare_slash(em_slice inside)
{
    bool is_in_set = false;
    for (size_t i = 0; i < inside.len; i++) {
        char byte = inside.ptr[i];
        if (byte == '/' && !is_in_set)
            return true;
        i += byte == '\\';
        is_in_set = byte == '[' || (is_in_set && byte != ']');
    }
    return false;
}

em_status em_pattern_without_slashes(em_slice pattern, em_arena *arena, em_slice *bare)
{
    EM_AUTO(em_strbuf) out = {0};
    em_slice inside, flags;
    *bare = (em_slice){0};
    if (!split(pattern, &inside, &flags) || has_bare_slash(inside))
        return EM_OK;
    for (size_t i = 0; i < flags.len; i++) {
        if (!memchr("gimsux", flags.ptr[i], 6))
            return EM_OK;
        if (memchr("isx", flags.ptr[i], 3))
            em_strbuf_printf(&out, "(?%c)", flags.ptr[i]);
    }
    em_strbuf_add(&out, inside);
    return em_strbuf_keep(&out, arena, bare);
}

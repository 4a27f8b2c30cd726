#include "html/code.h"

#include "html/tag.h"

/* Code in braces is short; what goes on for longer is something else that has braces. */
enum { LONGEST_BRACES = 4096 };

static size_t behind(em_slice bytes, size_t from, const char *closing)
{
    if (from > bytes.len)
        return EM_NPOS;
    const char *found = memmem(bytes.ptr + from, bytes.len - from, closing, 2);
    return found ? (size_t)(found - bytes.ptr) + 2 : EM_NPOS;
}

/* "<?php", "<?=" and "<? "; "<?xml ...>" is a comment like any other. PHP needs no end. */
static size_t php_end(em_slice bytes, size_t at)
{
    em_slice rest = em_slice_from(bytes, at + 2);
    bool named = rest.len >= 3 && em_same_in_any_case(em_slice_sub(rest, 0, 3), EM_LIT("php"));
    bool echo = rest.len > 0 && rest.ptr[0] == '=';
    bool shorthand = rest.len > 0 && em_html_space(rest.ptr[0]);
    if (!named && !echo && !shorthand)
        return at;
    size_t end = behind(bytes, at + 2, "?>");
    if (end != EM_NPOS)
        return end;
    return shorthand ? at : bytes.len;
}

/* Code in braces that holds a tag is none, but a page that shows what code looks like. */
static size_t braces_end(em_slice bytes, size_t at, size_t limit)
{
    const char *closing = bytes.ptr[at + 1] == '{' ? "}}" : "%}";
    size_t most = limit - at < LONGEST_BRACES ? limit : at + LONGEST_BRACES;
    size_t end = behind(em_slice_sub(bytes, 0, most), at + 2, closing);
    if (end == EM_NPOS)
        return at;
    for (size_t i = at + 2; i < end; i++)
        if (em_tag_starts(bytes, i) || em_tag_ends(bytes, i) ||
            (bytes.ptr[i] == '<' && bytes.ptr[i + 1] == '!'))
            return at;
    return end;
}

size_t em_code_end(em_slice bytes, size_t at, size_t limit)
{
    if (bytes.len - at < 4)
        return at;
    char first = bytes.ptr[at], second = bytes.ptr[at + 1];
    if (first == '<' && second == '?')
        return php_end(bytes, at);
    if (first == '<' && second == '%') {
        size_t end = behind(bytes, at + 2, "%>");
        return end == EM_NPOS ? at : end;
    }
    if (first == '{' && (second == '{' || second == '%'))
        return braces_end(bytes, at, limit);
    return at;
}

bool em_code_within(em_slice bytes)
{
    for (size_t i = 0; i < bytes.len; i++)
        if ((bytes.ptr[i] == '<' || bytes.ptr[i] == '{') && em_code_end(bytes, i, bytes.len) > i)
            return true;
    return false;
}

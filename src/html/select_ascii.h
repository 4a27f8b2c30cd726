/* select_ascii.h: letters and blanks as CSS and HTML know them: those of ASCII, in any locale. */
#ifndef EM_HTML_SELECT_ASCII_H
#define EM_HTML_SELECT_ASCII_H

#include "base/slice.h"

static inline char em_ascii_lower(char c)
{
    return c >= 'A' && c <= 'Z' ? (char)(c + ('a' - 'A')) : c;
}

static inline bool em_ascii_digit(int c)
{
    return c >= '0' && c <= '9';
}

static inline bool em_ascii_letter(int c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/* Tab, line feed, form feed, carriage return, space. */
static inline bool em_ascii_blank(int c)
{
    return c == ' ' || c == '\t' || c == '\n' || c == '\f' || c == '\r';
}

/* Equal but for the case of ASCII letters? */
static inline bool em_ascii_same(em_slice a, em_slice b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (em_ascii_lower(a.ptr[i]) != em_ascii_lower(b.ptr[i]))
            return false;
    return true;
}

static inline bool em_ascii_is(em_slice a, const char *string)
{
    return em_ascii_same(a, em_slice_of(string));
}

#endif

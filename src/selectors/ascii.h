/* ascii.h: kinds of bytes for a scanner, whose bytes are numbers, -1 behind the text. */
#ifndef EM_SELECTORS_ASCII_H
#define EM_SELECTORS_ASCII_H

#include "html/tag.h"

static inline bool em_ascii_digit(int c)
{
    return c >= 0 && em_is_digit((char)c);
}

static inline bool em_ascii_letter(int c)
{
    return c >= 0 && em_is_letter((char)c);
}

static inline bool em_ascii_blank(int c)
{
    return c >= 0 && em_html_space((char)c);
}

/* Equal to a string but for the case of ASCII letters? */
static inline bool em_ascii_is(em_slice a, const char *string)
{
    return em_same_in_any_case(a, em_slice_of(string));
}

#endif

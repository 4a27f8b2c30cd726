/* ascii.h: what kind of byte is this, as far as ASCII tells?
 *
 * No locale has a say, unlike in <ctype.h>, and no byte of 0x80 and more is any of these. There are
 * several notions of a blank; a name says which bytes are meant.
 */
#ifndef EM_BASE_ASCII_H
#define EM_BASE_ASCII_H

#include "base/slice.h"

/* What lines are indented with. */
static inline bool em_is_space_or_tab(char byte)
{
    return byte == ' ' || byte == '\t';
}

static inline bool em_is_line_break(char byte)
{
    return byte == '\n' || byte == '\r';
}

/* What may stand around the text of a line that was cut off before its LF: space, tab, CR. */
static inline bool em_is_line_blank(char byte)
{
    return em_is_space_or_tab(byte) || byte == '\r';
}

/* Space, tab, LF, CR. */
static inline bool em_is_white_space(char byte)
{
    return em_is_space_or_tab(byte) || em_is_line_break(byte);
}

/* The same with VT and FF: isspace() of the C locale. */
static inline bool em_is_any_space(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static inline bool em_is_digit(char byte)
{
    return byte >= '0' && byte <= '9';
}

static inline bool em_is_upper(char byte)
{
    return byte >= 'A' && byte <= 'Z';
}

static inline bool em_is_letter(char byte)
{
    return (byte >= 'a' && byte <= 'z') || em_is_upper(byte);
}

static inline bool em_is_letter_or_digit(char byte)
{
    return em_is_letter(byte) || em_is_digit(byte);
}

/* A byte of 0x80 or more: of a character that is not ASCII. */
static inline bool em_is_beyond_ascii(char byte)
{
    return (unsigned char)byte >= 0x80;
}

/* Of a word or a name, in whatever script: letter, digit, underscore, or beyond ASCII. */
static inline bool em_is_word_byte(char byte)
{
    return em_is_letter_or_digit(byte) || byte == '_' || em_is_beyond_ascii(byte);
}

static inline char em_to_lower(char byte)
{
    return em_is_upper(byte) ? (char)(byte + ('a' - 'A')) : byte;
}

/* Is it one of the bytes of `set`? A NUL never is. */
static inline bool em_is_one_of(char byte, const char *set)
{
    return byte && strchr(set, byte);
}

/* Are all bytes of `s` of `set`? Of nothing they are. */
static inline bool em_are_all_of(em_slice s, const char *set)
{
    for (size_t i = 0; i < s.len; i++)
        if (!em_is_one_of(s.ptr[i], set))
            return false;
    return true;
}

/* What a hexadecimal digit is worth; 16: it is none. */
static inline unsigned em_hex_digit(char byte)
{
    char lower = em_to_lower(byte);
    if (em_is_digit(byte))
        return (unsigned)(byte - '0');
    return lower >= 'a' && lower <= 'f' ? (unsigned)(lower - 'a') + 10 : 16;
}

/* `s` without the bytes at both ends that are such. */
static inline em_slice em_slice_trim(em_slice s, bool are_such(char byte))
{
    while (s.len > 0 && are_such(s.ptr[0]))
        s = em_slice_from(s, 1);
    while (s.len > 0 && are_such(s.ptr[s.len - 1]))
        s.len--;
    return s;
}

/* The same bytes but for the case of ASCII letters? */
static inline bool em_same_in_any_case(em_slice a, em_slice b)
{
    if (a.len != b.len)
        return false;
    for (size_t i = 0; i < a.len; i++)
        if (em_to_lower(a.ptr[i]) != em_to_lower(b.ptr[i]))
            return false;
    return true;
}

#endif

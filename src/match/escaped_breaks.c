#include "match/escaped_breaks.h"

#include "base/ascii.h"
#include "text/token.h"

static const em_slice BREAK = {"\\n", 2};

/* Where the escape of a line break begins, from `from` on, where no escape goes on; EM_NPOS. */
static size_t next_break(em_slice s, size_t from)
{
    for (size_t at = from; at + 1 < s.len; at++) {
        if (em_slice_starts(em_slice_from(s, at), BREAK))
            return at;
        at += s.ptr[at] == '\\';
    }
    return EM_NPOS;
}

/* ---- As in the search text ------------------------------------------------------------------- */

/* The break at `at` with the token before it and the one behind it; empty where one is lacking, or
 * the one before it is a quote: then it is in a string. */
static em_slice between_tokens(em_slice s, size_t at)
{
    em_token before, behind;
    if (!em_token_previous(s, at, EM_FOLD_NOTHING, &before) ||
        em_token_is_quote(em_token_bytes(s, before)))
        return (em_slice){0};
    em_slice rest = em_slice_from(s, at + BREAK.len);
    if (!em_token_next(rest, 0, EM_FOLD_NOTHING, &behind))
        return (em_slice){0};
    return em_slice_sub(s, before.start, at + BREAK.len + behind.end);
}

static bool has_one_of(em_slice insert, em_slice find)
{
    for (size_t at = next_break(find, 0); at != EM_NPOS; at = next_break(find, at + BREAK.len)) {
        em_slice piece = between_tokens(find, at);
        if (piece.len > 0 && memmem(insert.ptr, insert.len, piece.ptr, piece.len))
            return true;
    }
    return false;
}

/* ---- By itself ------------------------------------------------------------------------------- */

bool em_has_escape_outside_quotes(em_slice text, bool (*begins)(em_slice text, size_t at))
{
    char quote = '\0';
    size_t end = em_slice_has_byte(text, '\\') ? text.len : 0;
    for (size_t at = 0; at < end; at++) {
        char byte = text.ptr[at];
        if (!quote && begins(text, at))
            return true;
        if (byte == '\\')
            at++;
        else if (em_is_line_break(byte) || byte == quote)
            quote = '\0';
        else if (!quote && memchr("\"'`", byte, 3))
            quote = byte;
    }
    return false;
}

/* One before which a line could end. */
static bool begins_break(em_slice text, size_t at)
{
    em_slice s = em_slice_from(text, at);
    if (!em_slice_starts(s, BREAK))
        return false;
    em_slice behind = em_slice_from(s, BREAK.len);
    return behind.len == 0 || em_is_white_space(behind.ptr[0]) || em_slice_starts(behind, BREAK) ||
           em_slice_starts(behind, EM_LIT("\\t")) || behind.ptr[0] == '}';
}

bool em_has_escape_of_break(em_slice text)
{
    return next_break(text, 0) != EM_NPOS;
}

bool em_has_escaped_breaks(em_slice find, em_slice insert)
{
    return em_has_escape_of_break(insert) &&
           (em_has_escape_outside_quotes(insert, begins_break) || has_one_of(insert, find));
}

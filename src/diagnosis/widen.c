#include "diagnosis/widen.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "diagnosis/differences.h"
#include "text/token.h"

enum {
    FARTHEST = 256,    /* how far an end is moved at most: what is longer is no word to be told */
    MOST_MODIFIERS = 4 /* words that the file may have behind the first one */
};

static bool same_first(em_slice a, em_slice b)
{
    em_token x, y;
    return em_token_next(a, 0, EM_FOLD_WRITING, &x) && em_token_next(b, 0, EM_FOLD_WRITING, &y) &&
           em_slice_eq(em_token_bytes(a, x), em_token_bytes(b, y));
}

static bool same_last(em_slice a, em_slice b)
{
    em_token x, y;
    return em_token_previous(a, a.len, EM_FOLD_WRITING, &x) &&
           em_token_previous(b, b.len, EM_FOLD_WRITING, &y) &&
           em_slice_eq(em_token_bytes(a, x), em_token_bytes(b, y));
}

/* The end of the word that `from` cuts; `from` where that is beyond `most`. */
static size_t word_end(em_slice text, size_t from, size_t most)
{
    size_t at = from;
    while (at < most && !em_token_border(text, at, EM_FOLD_WRITING))
        em_utf8_next(text, &at);
    return em_token_border(text, at, EM_FOLD_WRITING) ? at : from;
}

static size_t word_start(em_slice text, size_t from, size_t least)
{
    size_t at = from;
    while (at > least && !em_token_border(text, at, EM_FOLD_WRITING))
        at = em_utf8_floor(text, at - 1);
    return em_token_border(text, at, EM_FOLD_WRITING) ? at : from;
}

static size_t tokens_behind(em_slice text, size_t at, size_t most, size_t count)
{
    em_token token;
    for (; count > 0 && em_token_next(text, at, EM_FOLD_WRITING, &token) && token.end <= most;
         count--)
        at = token.end;
    return at;
}

static size_t tokens_before(em_slice text, size_t at, size_t least, size_t count)
{
    em_token token;
    for (;
         count > 0 && em_token_previous(text, at, EM_FOLD_WRITING, &token) && token.start >= least;
         count--)
        at = token.start;
    return at;
}

/* How many brackets are open at the end, those that are closed without an opening one taken off. */
static long open_brackets(em_slice text)
{
    long open = 0;
    for (size_t i = 0; i < text.len; i++) {
        open += text.ptr[i] == '(' || text.ptr[i] == '[' || text.ptr[i] == '{';
        open -= text.ptr[i] == ')' || text.ptr[i] == ']' || text.ptr[i] == '}';
    }
    return open;
}

/* Does the piece end as the search text does: with the same word or sign, in as many brackets? */
static bool ends_as(em_slice find, em_slice piece)
{
    return same_last(find, piece) && open_brackets(find) == open_brackets(piece);
}

/* The first end of a piece from `piece.end` on that is one of the search text; piece.end where none
 * is before `most`. Of "f(1, 2);" all is like "f(1);", whatever an alignment leaves out. */
static size_t end_as(em_slice text, em_slice find, em_span piece, size_t most)
{
    em_token token;
    for (size_t at = piece.end;
         em_token_next(text, at, EM_FOLD_WRITING, &token) && token.end <= most; at = token.end)
        if (ends_as(find, em_slice_sub(text, piece.start, token.end)))
            return token.end;
    return piece.end;
}

/* Where the search text's first word stands before the piece, and nothing but other words between:
 * of "export declare type" all is like "export type", though an alignment may take "declare" for
 * "export". piece.start where it does not. */
static size_t start_as(em_slice text, em_slice find, em_span piece, size_t least)
{
    em_token first, token;
    if (!em_token_next(find, 0, EM_FOLD_WRITING, &first))
        return piece.start;
    em_slice wanted = em_token_bytes(find, first);
    size_t at = piece.start;
    for (int i = 0; i < MOST_MODIFIERS && em_token_is_word(wanted); i++) {
        if (!em_token_previous(text, at, EM_FOLD_WRITING, &token) || token.start < least ||
            !em_token_is_word(em_token_bytes(text, token)))
            break;
        if (em_slice_eq(em_token_bytes(text, token), wanted))
            return token.start;
        at = token.start;
    }
    return piece.start;
}

static bool closes(char byte)
{
    return byte == ')' || byte == ']' || byte == '}';
}

/* Where the word begins in which the bracket at piece.start closes another: of "--#{$p}card" all
 * that is no blank. piece.start where it closes none that far before it. */
static size_t start_outside(em_slice text, em_span piece, size_t least)
{
    size_t at = piece.start;
    while (at > least && open_brackets(em_slice_sub(text, at, piece.start + 1)) < 0)
        at--;
    if (open_brackets(em_slice_sub(text, at, piece.start + 1)) < 0)
        return piece.start;
    while (at > least && !em_is_white_space(text.ptr[at - 1]))
        at--;
    return em_utf8_floor(text, at);
}

static bool begins_with_blank(em_slice text)
{
    return text.len > 0 && em_is_space_or_tab(text.ptr[0]);
}

/* Is there nothing before it in its line but blanks? */
static bool begins_line_text(em_slice text, em_span lines, size_t start)
{
    while (start > lines.start && begins_with_blank(em_slice_from(text, start - 1)))
        start--;
    return start == lines.start;
}

em_status em_widen_to_words(em_slice text, em_slice find, em_span lines, em_span *piece)
{
    em_overhang overhang;
    em_slice found = em_slice_sub(text, piece->start, piece->end);
    size_t least = piece->start - lines.start > FARTHEST ? piece->start - FARTHEST : lines.start;
    size_t most = lines.end - piece->end > FARTHEST ? piece->end + FARTHEST : lines.end;
    bool begins_alike = same_first(find, found), ends_alike = same_last(find, found);
    if (!begins_alike)
        piece->start = word_start(text, piece->start, least);
    if (!ends_alike)
        piece->end = word_end(text, piece->end, most);
    found = em_slice_sub(text, piece->start, piece->end);
    EM_TRY(em_overhang_of(find, found, &overhang));
    if (!begins_alike)
        piece->start = tokens_before(text, piece->start, least, overhang.before);
    if (!ends_alike)
        piece->end = tokens_behind(text, piece->end, most, overhang.behind);
    if (!same_first(find, em_slice_sub(text, piece->start, piece->end)))
        piece->start = start_as(text, find, *piece, least);
    if (piece->start < piece->end && closes(text.ptr[piece->start]) && !begins_alike)
        piece->start = start_outside(text, *piece, least);
    if (!ends_as(find, em_slice_sub(text, piece->start, piece->end)))
        piece->end = end_as(text, find, *piece, most);
    return EM_OK;
}

em_status em_widen_to_copy(em_slice text, em_slice find, em_span lines, em_span *piece)
{
    EM_TRY(em_widen_to_words(text, find, lines, piece));
    if (begins_with_blank(find) && begins_line_text(text, lines, piece->start))
        piece->start = lines.start;
    return EM_OK;
}

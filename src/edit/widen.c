#include "edit/widen.h"

#include "base/utf8.h"
#include "edit/differences.h"
#include "text/token.h"

/* How far an end is moved at most: what is longer is no word to be told. */
enum { FARTHEST = 256 };

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
    return EM_OK;
}

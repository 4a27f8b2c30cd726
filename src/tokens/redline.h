/* redline.h: what of a replacement is the search text's own?
 *
 * A caller repeats most of the search text in the replacement: lines of context, and of a changed
 * line all but a word. What is repeated means "leave it", whatever the caller thinks it looks like;
 * only the rest is the edit. This finds the rest: line by line first, as people compare, then word
 * by word in the lines that were changed.
 */
#ifndef EM_TOKENS_REDLINE_H
#define EM_TOKENS_REDLINE_H

#include "text/token.h"

/* A text with its tokens. */
typedef struct em_tokened {
    em_slice text;
    em_tokens tokens;
} em_tokened;

static inline em_slice em_tokened_token(em_tokened t, size_t index)
{
    return em_token_bytes(t.text, t.tokens.items[index]);
}

/* Is the token one of these signs? Not behind the last one. */
static inline bool em_tokened_is_one_of(em_tokened t, size_t index, const char *signs)
{
    em_slice bytes = index < t.tokens.count ? em_tokened_token(t, index) : (em_slice){0};
    return bytes.len == 1 && strchr(signs, bytes.ptr[0]);
}

/* The gap before token `index`, or behind the last one. */
static inline em_slice em_tokened_gap(em_tokened t, size_t index)
{
    size_t start = index > 0 ? t.tokens.items[index - 1].end : 0;
    size_t end = index < t.tokens.count ? t.tokens.items[index].start : t.text.len;
    return em_slice_sub(t.text, start, end);
}

/* Have the two the same words and signs, whatever stands between them? */
bool em_tokened_same(em_tokened a, em_tokened b, em_fold fold);

/* origin[i] becomes the token of `find` that token i of `insert` repeats, or EM_NPOS. Origins that
 * are there increase. Where changes are so many that to follow them takes long, what is between
 * those that were counts as new. The array is in `arena`. EM_E_NOMEM only. */
em_status em_redline(const em_tokened *find, const em_tokened *insert, em_arena *arena,
                     size_t **origin);

/* The same, where each token of `find` is known to be that of `seen`, the file's: a line of
 * `insert` that says what such a line says in the file is that line, mended. And a sign that `find`
 * has otherwise than `seen` is repeated by one in a third writing. */
em_status em_redline_seen(const em_tokened *find, const em_tokened *seen, const em_tokened *insert,
                          em_arena *arena, size_t **origin);

/* Lines that the replacement has in another place than the search text: moved[i] becomes the token
 * of `find` that token i of `insert` is, where all of its line is new and the same as a line of
 * `find` of which nothing is repeated; else EM_NPOS. Lines of signs alone do not count: one of them
 * is like another. Very long texts have none. `origin` is that of em_redline(); the array is in
 * `arena`. EM_E_NOMEM only. */
em_status em_redline_moves(const em_tokened *find, const em_tokened *insert, const size_t *origin,
                           em_arena *arena, size_t **moved);

#endif

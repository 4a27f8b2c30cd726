/* block.c: lines that open blocks and end them, by their signs and words. */
#include "match/block.h"

#include "base/ascii.h"
#include "match/token_line.h"
#include "tokens/block_word.h"

static bool is_one_of(em_slice word, const char *const *words, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (em_slice_is(word, words[i]))
            return true;
    return false;
}

/* ---- What a line may have in its block ------------------------------------------------------- */

/* Is the line the whole of a statement, or of an element of a list? */
static bool is_over(em_tokened t, size_t index)
{
    size_t first, last;
    em_line_around(t, index, &first, &last);
    return em_tokened_is_one_of(t, last, ",;") && !em_line_leaves_open(t, first, last);
}

size_t em_block_depth(em_tokened t, size_t index, em_slice indent)
{
    if (is_over(t, index))
        return EM_NPOS;
    em_slice token = em_tokened_token(t, index);
    bool closes = token.len == 1 && em_is_one_of(token.ptr[0], "})]");
    return indent.len + !closes;
}

bool em_only_ends_block(em_tokened t, size_t index)
{
    static const char *const ends[] = {"end", "fi", "done", "esac"};
    size_t first, last;
    em_line_around(t, index, &first, &last);
    for (size_t i = first; i <= last; i++) {
        em_slice token = em_tokened_token(t, i);
        if (em_token_is_word(token) ? !is_one_of(token, ends, sizeof ends / sizeof *ends)
                                    : em_is_one_of(token.ptr[0], "{(["))
            return false;
    }
    return true;
}

/* ---- Opening one ----------------------------------------------------------------------------- */

/* Of a line that ends with `>`: is that the end of a tag which ends an element, or of one that has
 * no content, a declaration, a comment or an instruction? */
static bool ends_in_closed_tag(em_tokened t, size_t first, size_t last)
{
    static const char *const empty[] = {"area",  "base", "br",   "col",   "embed",  "hr", "img",
                                        "input", "link", "meta", "param", "source", "wbr"};
    size_t at = last;
    while (at > first && !em_tokened_is_one_of(t, at, "<"))
        at--;
    if (last > first && em_tokened_is_one_of(t, last - 1, "/?"))
        return true;
    return em_tokened_is_one_of(t, at, "<") &&
           (em_tokened_is_one_of(t, at + 1, "/!?") ||
            is_one_of(em_tokened_token(t, at + 1), empty, sizeof empty / sizeof *empty));
}

bool em_opens_block(em_tokened t, size_t last)
{
    static const char *const words[] = {"do", "then", "else", "begin", "of", "try", "finally"};
    size_t first, end;
    em_slice token = em_tokened_token(t, last);
    em_line_around(t, last, &first, &end);
    bool begins = em_begins_block(em_slice_from(t.text, t.tokens.items[first].start));
    if (em_token_is_word(token))
        return begins || is_one_of(token, words, sizeof words / sizeof *words);
    if (em_slice_is(token, ")"))
        return begins;
    if (em_slice_is(token, ","))
        return em_line_leaves_open(t, first, last);
    if (em_slice_is(token, ">"))
        return !ends_in_closed_tag(t, first, last);
    return token.len > 0 && em_is_one_of(token.ptr[0], "{([:=|\\");
}

bool em_begins_in_block(em_tokened t, size_t index)
{
    return em_opens_block(t, index - 1) && !em_tokened_is_one_of(t, index, "-");
}

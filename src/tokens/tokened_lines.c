#include "tokens/tokened_lines.h"

#include "tokens/comment.h"
#include "tokens/telling.h"

em_status em_tokened_lines_init(em_tokened_lines *s, em_slice text, em_arena *arena)
{
    *s = (em_tokened_lines){.of = {.text = text}};
    EM_TRY(em_tokens_of(text, EM_FOLD_WRITING, arena, &s->of.tokens));
    s->lines = em_alloc_array(arena, s->of.tokens.count + 1, sizeof *s->lines);
    if (!s->lines)
        return EM_E_NOMEM;
    for (size_t i = 0; i < s->of.tokens.count; i++)
        if (i == 0 || em_gap_of(em_tokened_gap(s->of, i)) == EM_GAP_BREAK)
            s->lines[s->count++] = i;
    s->lines[s->count] = s->of.tokens.count;
    return EM_OK;
}

size_t em_tokened_line_start(const em_tokened_lines *s, size_t index)
{
    size_t token = s->lines[index];
    return s->of.tokens.items[token].start - em_gap_split(em_tokened_gap(s->of, token)).indent.len -
           (token == 0 && em_gap_of(em_tokened_gap(s->of, 0)) != EM_GAP_BREAK
                ? em_tokened_gap(s->of, 0).len
                : 0);
}

size_t em_tokened_line_end(const em_tokened_lines *s, size_t index)
{
    return s->of.tokens.items[s->lines[index + 1] - 1].end;
}

size_t em_tokened_line_depth(const em_tokened_lines *s, size_t index)
{
    return s->of.tokens.items[s->lines[index]].start - em_tokened_line_start(s, index);
}

em_slice em_tokened_line_range(const em_tokened_lines *s, size_t first, size_t end)
{
    size_t last = em_tokened_line_end(s, end - 1);
    if (end < s->count) {
        last = em_tokened_line_start(s, end);
        if (last > 0 && s->of.text.ptr[last - 1] == '\n')
            last--;
        if (last > 0 && s->of.text.ptr[last - 1] == '\r')
            last--;
    }
    return em_slice_sub(s->of.text, em_tokened_line_start(s, first), last);
}

size_t em_tokened_line_breaks(const em_tokened_lines *s, size_t index)
{
    return em_gap_breaks(em_slice_sub(s->of.text, em_tokened_line_end(s, index - 1),
                                      em_tokened_line_start(s, index)));
}

size_t em_tokened_breaks_at_start(const em_tokened_lines *s)
{
    return em_gap_breaks(em_slice_sub(s->of.text, 0, em_tokened_line_start(s, 0)));
}

size_t em_tokened_breaks_at_end(const em_tokened_lines *s)
{
    return em_gap_breaks(em_slice_from(s->of.text, em_tokened_line_end(s, s->count - 1)));
}

em_slice em_tokened_line(const em_tokened_lines *s, size_t index)
{
    return em_slice_sub(s->of.text, em_tokened_line_start(s, index), em_tokened_line_end(s, index));
}

bool em_tokened_line_says_something(const em_tokened_lines *s, size_t index)
{
    size_t words = 0;
    for (size_t i = s->lines[index]; i < s->lines[index + 1]; i++)
        words += em_token_is_word(em_tokened_token(s->of, i));
    return words > 1 || em_is_telling(em_tokened_line(s, index));
}

static bool same_token(const em_tokened_lines *a, size_t index, const em_tokened_lines *b,
                       size_t other)
{
    return em_token_same(em_tokened_token(a->of, index), em_tokened_token(b->of, other),
                         EM_FOLD_WRITING);
}

size_t em_tokened_line_shared(const em_tokened_lines *a, size_t index, const em_tokened_lines *b,
                              size_t other)
{
    size_t from = a->lines[index], to = a->lines[index + 1], head = 0, tail = 0;
    size_t first = b->lines[other], end = b->lines[other + 1];
    size_t most = to - from < end - first ? to - from : end - first;
    size_t longer = to - from > end - first ? to - from : end - first;
    while (head < most && same_token(a, from + head, b, first + head))
        head++;
    while (tail < most - head && same_token(a, to - tail - 1, b, end - tail - 1))
        tail++;
    return longer > 0 ? 100 * (head + tail) / longer : 0;
}

/* Does the line end before this token, but for a comment? */
static bool ends_code(const em_tokened_lines *s, size_t index, size_t token)
{
    if (token == s->lines[index + 1])
        return true;
    size_t start = s->of.tokens.items[token].start;
    return token > s->lines[index] && em_gap_of(em_tokened_gap(s->of, token)) != EM_GAP_NONE &&
           em_is_comment(em_slice_sub(s->of.text, start, em_tokened_line_end(s, index)));
}

bool em_tokened_line_same_code(const em_tokened_lines *a, size_t index, const em_tokened_lines *b,
                               size_t other)
{
    size_t i = a->lines[index], j = b->lines[other];
    while (i < a->lines[index + 1] && j < b->lines[other + 1] &&
           em_token_same(em_tokened_token(a->of, i), em_tokened_token(b->of, j), EM_FOLD_WRITING)) {
        i++;
        j++;
    }
    bool is_one_done = i == a->lines[index + 1] || j == b->lines[other + 1];
    return is_one_done && ends_code(a, index, i) && ends_code(b, other, j);
}

em_slice em_tokened_line_code(const em_tokened_lines *s, size_t index)
{
    size_t end = s->lines[index];
    while (!ends_code(s, index, end))
        end++;
    const em_token *tokens = s->of.tokens.items;
    return em_slice_sub(s->of.text, tokens[s->lines[index]].start, tokens[end - 1].end);
}

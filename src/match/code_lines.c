#include "match/code_lines.h"

#include "base/utf8.h"

enum { LEAST_SENTENCE = 6 /* words */ };

em_status em_code_lines_of(em_slice text, em_span within, size_t most, em_arena *arena,
                           em_code_lines *out)
{
    em_slice part = em_slice_sub(text, 0, within.end);
    size_t last = within.start, kept = 0, rooms[2] = {0};
    em_token token;
    *out = (em_code_lines){.text = text};
    for (; em_token_next(part, last, EM_FOLD_WRITING, &token); last = token.end) {
        void *items = out->items, *tokens = out->tokens;
        if (out->count == 0 || em_gap_of(em_slice_sub(text, last, token.start)) == EM_GAP_BREAK) {
            EM_TRY(em_arena_grow(arena, &items, out->count, &rooms[0], sizeof *out->items));
            out->items = items;
            out->items[out->count++] = (em_code_line){token.start, 0, kept, 0};
        }
        em_code_line *here = &out->items[out->count - 1];
        here->end = token.end;
        if (here->count++ == most)
            kept = here->first;
        if (here->count > most)
            continue;
        EM_TRY(em_arena_grow(arena, &tokens, kept, &rooms[1], sizeof token));
        out->tokens = tokens;
        out->tokens[kept++] = token;
    }
    return EM_OK;
}

em_status em_all_code_lines_of(em_slice text, em_arena *arena, em_code_lines *out)
{
    return em_code_lines_of(text, (em_span){0, text.len}, EM_NPOS, arena, out);
}

size_t em_code_points_of(const em_code_lines *l, size_t first, size_t end)
{
    size_t count = 0;
    for (size_t i = first; i < end; i++)
        for (size_t k = 0; k < l->items[i].count; k++)
            count += em_utf8_count(em_code_line_token(l, i, k));
    return count;
}

bool em_code_line_is_sentence(const em_code_lines *l, size_t index, const char *allowed)
{
    size_t words = 0, signs = 0;
    for (size_t k = 0; k < l->items[index].count; k++) {
        em_slice token = em_code_line_token(l, index, k);
        bool word = em_token_is_word(token);
        words += word;
        signs += !word;
        if (!word && !strchr(allowed, token.ptr[0]))
            return false;
    }
    return words >= LEAST_SENTENCE && signs <= words / 3;
}

size_t em_code_line_times(const em_code_lines *l, em_slice wanted, size_t *last)
{
    size_t count = 0;
    *last = EM_NPOS;
    for (size_t i = 0; i < l->count; i++)
        if (em_slice_eq(em_code_line_text(l, i), wanted)) {
            *last = i;
            count++;
        }
    return count;
}

size_t em_only_code_line(const em_code_lines *l, em_slice wanted)
{
    size_t found;
    return em_code_line_times(l, wanted, &found) == 1 ? found : EM_NPOS;
}

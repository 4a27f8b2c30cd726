#include "laying/line_pairs.h"

#include "match/token_line.h"

/* The first tokens of the lines of a text. */
typedef struct lines {
    size_t *items;
    size_t count;
} lines;

static em_status lines_of(em_tokened text, em_arena *arena, lines *out)
{
    *out = (lines){em_alloc_array(arena, text.tokens.count, sizeof *out->items), 0};
    if (!out->items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < text.tokens.count; i++)
        if (i == 0 || em_gap_of(em_tokened_gap(text, i)) == EM_GAP_BREAK)
            out->items[out->count++] = i;
    return EM_OK;
}

/* Lines of both texts, from these numbers to before those. */
typedef struct hunk {
    size_t find_start, find_end, insert_start, insert_end;
} hunk;

static bool is_as_deep(em_tokened find, size_t old, em_tokened insert, size_t new)
{
    em_slice was, is;
    return em_line_indent(find, old, &was) && em_line_indent(insert, new, &is) &&
           em_slice_eq(was, is);
}

static void pair_lines(em_tokened find, em_tokened insert, const lines *old, const lines *new,
                       hunk h, size_t *changed)
{
    size_t count = h.insert_end - h.insert_start;
    if (count != h.find_end - h.find_start)
        return;
    for (size_t i = 0; i < count; i++)
        if (!is_as_deep(find, old->items[h.find_start + i], insert, new->items[h.insert_start + i]))
            return;
    for (size_t i = 0; i < count; i++)
        changed[new->items[h.insert_start + i]] = old->items[h.find_start + i];
}

em_status em_line_pairs_of(em_tokened find, em_tokened insert, const size_t *origin,
                           em_arena *arena, size_t **changed)
{
    lines old, new;
    hunk h = {0};
    *changed = em_alloc_array(arena, insert.tokens.count, sizeof **changed);
    if (!*changed)
        return EM_E_NOMEM;
    EM_TRY(lines_of(find, arena, &old));
    EM_TRY(lines_of(insert, arena, &new));
    for (size_t i = 0; i < insert.tokens.count; i++)
        (*changed)[i] = EM_NPOS;
    for (; h.insert_end < new.count; h.insert_end++) {
        size_t first = new.items[h.insert_end];
        if (!em_line_stays(find, insert, origin, first))
            continue;
        while (h.find_end < old.count && old.items[h.find_end] < origin[first])
            h.find_end++;
        pair_lines(find, insert, &old, &new, h, *changed);
        h.find_start = h.find_end + 1;
        h.insert_start = h.insert_end + 1;
    }
    h.find_end = old.count;
    if (h.find_start <= h.find_end)
        pair_lines(find, insert, &old, &new, h, *changed);
    return EM_OK;
}

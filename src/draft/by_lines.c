#include "draft/by_lines.h"

#include "text/text.h"

typedef struct cutting {
    em_arena *arena;
    em_splice *items;
    size_t count, room;
} cutting;

static em_status add(cutting *c, em_splice splice)
{
    void *items = c->items;
    EM_TRY(em_arena_grow(c->arena, &items, c->count, &c->room, sizeof *c->items));
    c->items = items;
    c->items[c->count++] = splice;
    return EM_OK;
}

static size_t count_lines(em_slice text)
{
    size_t count = 0;
    for (size_t at = 0; at < text.len; at = em_line_behind(text, at))
        count++;
    return count;
}

/* Line by line; those that are the same stay. */
static em_status cut_evenly(cutting *c, size_t offset, em_slice old, em_slice new)
{
    while (old.len > 0) {
        size_t length = em_line_behind(old, 0), new_length = em_line_behind(new, 0);
        em_slice insert = em_slice_sub(new, 0, new_length);
        if (!em_slice_eq(em_slice_sub(old, 0, length), insert))
            EM_TRY(add(c, (em_splice){offset, length, insert}));
        offset += length;
        old = em_slice_from(old, length);
        new = em_slice_from(new, new_length);
    }
    return EM_OK;
}

/* Lines that are new always take the place of one that was there, if only of one beside them. */
static em_status cut_ends(cutting *c, size_t offset, em_slice old, em_slice new)
{
    for (;;) {
        size_t length = em_line_behind(old, 0), new_length = em_line_behind(new, 0);
        if ((length == old.len && new_length < new.len) ||
            !em_slice_eq(em_slice_sub(old, 0, length), em_slice_sub(new, 0, new_length)))
            break;
        offset += length;
        old = em_slice_from(old, length);
        new = em_slice_from(new, new_length);
    }
    for (;;) {
        em_slice line = em_slice_from(old, em_line_before(old, old.len));
        em_slice new_line = em_slice_from(new, em_line_before(new, new.len));
        if ((line.len == old.len && new_line.len < new.len) || !em_slice_eq(line, new_line))
            break;
        old.len -= line.len;
        new.len -= new_line.len;
    }
    return add(c, (em_splice){offset, old.len, new});
}

em_status em_splices_by_lines(const em_draft *draft, em_splices splices, em_arena *arena,
                              em_splices *out)
{
    cutting c = {.arena = arena};
    for (size_t i = 0; i < splices.count; i++) {
        const em_splice *splice = &splices.items[i];
        em_span span = {splice->offset, splice->offset + splice->length};
        em_slice old, new = splice->insert;
        EM_TRY(em_draft_slice(draft, span, arena, &old));
        size_t lines = count_lines(old), new_lines = count_lines(new);
        if (lines < 2 || new_lines == 0)
            EM_TRY(add(&c, *splice));
        else if (lines == new_lines)
            EM_TRY(cut_evenly(&c, splice->offset, old, new));
        else
            EM_TRY(cut_ends(&c, splice->offset, old, new));
    }
    *out = (em_splices){c.items, c.count};
    return EM_OK;
}

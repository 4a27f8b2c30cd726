/* prescan_mask.c: what the pass over a page notes, and the copy in which it masks. */
#include "html/prescan_impl.h"

void em_prescan_give_up(em_page_scanner *s, em_status status)
{
    if (s->status == EM_OK)
        s->status = status;
}

bool em_prescan_may_mask(em_page_scanner *s)
{
    em_prescan *scan = s->scan;
    if (!s->copy) {
        s->copy = em_arena_string(s->arena, scan->bytes);
        if (!s->copy)
            em_prescan_give_up(s, EM_E_NOMEM);
        else
            scan->masked.ptr = s->copy;
    }
    return s->copy != NULL;
}

void em_prescan_mask(em_page_scanner *s, size_t start, size_t end, const char *which)
{
    for (size_t i = start; i < end; i++)
        if (strchr(which, s->scan->bytes.ptr[i]) && em_prescan_may_mask(s))
            s->copy[i] = EM_MASK;
}

void em_prescan_mask_openings(em_page_scanner *s, size_t start, size_t end)
{
    em_slice bytes = s->scan->bytes;
    for (size_t i = start; i + 1 < end; i++) {
        char after = bytes.ptr[i + 1];
        bool opens = em_is_letter(after) || after == '/' || after == '!' || after == '?';
        if (bytes.ptr[i] == '<' && opens && em_prescan_may_mask(s))
            s->copy[i] = EM_MASK;
    }
}

void em_prescan_mask_as_comment(em_page_scanner *s, size_t start, size_t end)
{
    if (!em_prescan_may_mask(s))
        return;
    em_prescan_mask(s, start, end, "<>");
    s->copy[start] = '<';
    s->copy[start + 1] = '!';
    s->copy[start + 2] = EM_MASK;
    s->copy[end - 1] = '>';
}

void *em_prescan_with_room(em_page_scanner *s, void *items, size_t count, size_t *room, size_t size)
{
    em_status status = em_arena_grow(s->arena, &items, count, room, size);
    if (status != EM_OK)
        em_prescan_give_up(s, status);
    return status == EM_OK ? items : NULL;
}

static void note_range(em_page_scanner *s, em_range **list, size_t *count, size_t *room,
                       em_range range)
{
    em_range *items = em_prescan_with_room(s, *list, *count, room, sizeof range);
    if (items)
        (*list = items)[(*count)++] = range;
}

void em_prescan_note_code(em_page_scanner *s, size_t start, size_t end)
{
    em_prescan *scan = s->scan;
    note_range(s, &scan->code, &scan->code_count, &s->code_room, (em_range){start, end});
}

void em_prescan_note_piece(em_page_scanner *s, size_t start, size_t end)
{
    em_prescan *scan = s->scan;
    note_range(s, &scan->pieces, &scan->piece_count, &s->piece_room, (em_range){start, end});
}

void em_prescan_note_gap(em_page_scanner *s, em_page_gap gap)
{
    em_prescan *scan = s->scan;
    em_page_gap *items =
        em_prescan_with_room(s, scan->gaps, scan->gap_count, &s->gap_room, sizeof gap);
    if (items)
        (scan->gaps = items)[scan->gap_count++] = gap;
}

void em_prescan_note_doubt(em_page_scanner *s, em_code_doubt doubt)
{
    em_prescan *scan = s->scan;
    em_code_doubt *items =
        em_prescan_with_room(s, scan->doubts, scan->doubt_count, &s->doubt_room, sizeof doubt);
    if (items)
        (scan->doubts = items)[scan->doubt_count++] = doubt;
}

em_status em_prescan_restore(const em_prescan *scan, em_range raw, em_slice text, em_arena *arena,
                             em_slice *restored)
{
    *restored = text;
    if (scan->masked.ptr == scan->bytes.ptr || !em_slice_has_byte(text, EM_MASK))
        return EM_OK;
    char *copy = em_arena_string(arena, text);
    if (!copy)
        return EM_E_NOMEM;
    size_t from = raw.start;
    for (size_t i = 0; i < text.len; i++) {
        if (text.ptr[i] != EM_MASK)
            continue;
        while (from < raw.end && scan->masked.ptr[from] != EM_MASK)
            from++;
        if (from < raw.end)
            copy[i] = scan->bytes.ptr[from++];
    }
    *restored = em_slice_make(copy, text.len);
    return EM_OK;
}

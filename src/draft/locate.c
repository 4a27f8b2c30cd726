#include "draft/locate.h"

#include "text/search.h"

static em_status locate_any_eol(em_slice text, size_t start, em_slice find, em_arena *arena,
                                em_spans *found)
{
    size_t room = 0, end;
    for (size_t from = 0; (from = em_find_any_eol(find, text, from, &end)) != EM_NPOS; from = end) {
        void *items = found->items;
        EM_TRY(em_arena_grow(arena, &items, found->count, &room, sizeof(em_span)));
        found->items = items;
        found->items[found->count++] = (em_span){start + from, start + end};
    }
    return EM_OK;
}

em_status em_locate_in(const em_draft *draft, em_span part, em_slice find, bool may_have_cr,
                       em_arena *arena, em_spans *found)
{
    bool whole = part.start == 0 && part.end == draft->length;
    em_slice text;
    *found = (em_spans){0};
    if (find.len == 0) {
        if (draft->length > 0)
            return EM_OK;
        found->items = em_alloc(arena, sizeof *found->items);
        found->count = found->items ? 1 : 0;
        return found->items ? EM_OK : EM_E_NOMEM;
    }
    if (em_slice_has_byte(find, '\0'))
        return EM_OK;
    EM_TRY(em_draft_find_in(draft, part, find, arena, found));
    if (found->count > 0 || !may_have_cr || !em_slice_has_byte(find, '\n') ||
        em_slice_has_byte(find, '\r') || (whole && !em_draft_has_byte(draft, '\r')))
        return EM_OK;
    EM_TRY(whole ? em_draft_text(draft, arena, &text) : em_draft_slice(draft, part, arena, &text));
    return locate_any_eol(text, part.start, find, arena, found);
}

em_status em_locate(const em_draft *draft, em_slice find, bool may_have_cr, em_arena *arena,
                    em_spans *found)
{
    return em_locate_in(draft, (em_span){0, draft->length}, find, may_have_cr, arena, found);
}

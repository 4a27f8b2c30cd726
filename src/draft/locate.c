#include "draft/locate.h"

#include "text/search.h"

static em_status locate_any_eol(em_slice text, size_t start, em_slice find, em_arena *arena,
                                em_found *found)
{
    size_t end;
    for (size_t from = 0; (from = em_find_any_eol(find, text, from, &end)) != EM_NPOS; from = end)
        EM_TRY(em_found_add(found, (em_span){start + from, start + end}, arena));
    return EM_OK;
}

em_status em_locate_in(const em_draft *draft, em_span part, em_slice find, bool may_have_cr,
                       em_arena *arena, em_found *found)
{
    bool whole = part.start == 0 && part.end == draft->length;
    em_slice text;
    if (find.len == 0)
        return draft->length > 0 ? EM_OK : em_found_add(found, part, arena);
    if (em_slice_has_byte(find, '\0'))
        return EM_OK;
    EM_TRY(em_draft_find_in(draft, part, find, arena, found));
    if (found->total > 0 || !may_have_cr || !em_slice_has_byte(find, '\n') ||
        em_slice_has_byte(find, '\r') || (whole && !em_draft_has_byte(draft, '\r')))
        return EM_OK;
    EM_TRY(whole ? em_draft_text(draft, arena, &text) : em_draft_slice(draft, part, arena, &text));
    return locate_any_eol(text, part.start, find, arena, found);
}

em_status em_locate(const em_draft *draft, em_slice find, bool may_have_cr, em_arena *arena,
                    em_spans *found)
{
    em_found all = {.most = SIZE_MAX};
    em_status status =
        em_locate_in(draft, (em_span){0, draft->length}, find, may_have_cr, arena, &all);
    *found = all.spans;
    return status;
}

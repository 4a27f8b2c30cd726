/* draft_splices.c: what a draft became, as splices over the original. */
#include "draft/draft_impl.h"

/* What lies between two pieces of the original, or before the first, or behind the last. */
typedef struct gap {
    size_t covered;   /* the original is told up to here */
    em_span inserted; /* what stands there in the draft */
} gap;

static em_status add_gap(const em_draft *draft, const gap *g, size_t origin, em_arena *arena,
                         em_splice *items, size_t *count)
{
    em_splice splice = {.offset = g->covered, .length = origin - g->covered};
    EM_TRY(em_draft_slice(draft, g->inserted, arena, &splice.insert));
    splice = em_splice_trim(draft->body, splice);
    if (splice.length > 0 || splice.insert.len > 0)
        items[(*count)++] = splice;
    return EM_OK;
}

em_status em_draft_splices(const em_draft *draft, em_arena *arena, em_splices *out)
{
    em_splice *items = em_alloc_array(arena, draft->piece_count + 1, sizeof *items);
    size_t count = 0;
    gap g = {.covered = draft->start};
    if (!items)
        return EM_E_NOMEM;
    for (em_cursor at = {0, 0}; at.chunk < draft->chunk_count;
         at = em_draft_next_piece(draft, at)) {
        const em_piece *piece = em_draft_piece(draft, at);
        size_t start = em_draft_start(draft, at), end = start + piece->bytes.len;
        g.inserted.end = piece->inserted ? end : start;
        if (piece->inserted)
            continue;
        EM_TRY(add_gap(draft, &g, piece->origin, arena, items, &count));
        g = (gap){piece->origin + piece->bytes.len, {end, end}};
    }
    EM_TRY(add_gap(draft, &g, draft->body.len, arena, items, &count));
    *out = (em_splices){items, count};
    return EM_OK;
}

em_status em_splices_apply(em_slice body, em_splices splices, em_arena *arena, em_slice *out)
{
    EM_AUTO(em_draft) draft;
    EM_TRY(em_draft_init(&draft, body, 0));
    EM_TRY(em_draft_apply(&draft, splices));
    return em_draft_slice(&draft, (em_span){0, draft.length}, arena, out);
}

/* undo_remade.c: what several steps made of a content, by where: nothing is compared, so a file of
 * millions of lines has no more that is other than what the steps changed.
 */
#include "session/undo_impl.h"

static size_t later(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* What touches goes together: the parts that were there, and the places of the step. */
em_status em_remade_add(em_remade *remade, em_splices step, em_arena *arena)
{
    em_remade_part *items = em_alloc_array(arena, remade->count + step.count, sizeof *items);
    size_t count = 0, shift = 0, grown = 0; /* modulo 2^64 */
    if (!items)
        return EM_E_NOMEM;
    for (size_t i = 0, j = 0; i < remade->count || j < step.count;) {
        bool is_part =
            j == step.count || (i < remade->count && remade->items[i].at <= step.items[j].offset);
        size_t start = is_part ? remade->items[i].at : step.items[j].offset, end = start;
        em_remade_part *part = &items[count++];
        *part = (em_remade_part){.was_at = start - shift, .at = start + grown};
        for (;;) {
            if (i < remade->count && remade->items[i].at <= end) {
                const em_remade_part *old = &remade->items[i++];
                end = later(end, old->at + old->length);
                shift += old->length - old->was_length;
            } else if (j < step.count && step.items[j].offset <= end) {
                const em_splice *splice = &step.items[j++];
                end = later(end, splice->offset + splice->length);
                grown += splice->insert.len - splice->length;
            } else {
                break;
            }
        }
        part->was_length = end - shift - part->was_at;
        part->length = end + grown - part->at;
    }
    *remade = (em_remade){items, count};
    return EM_OK;
}

em_status em_remade_splices(const em_remade *remade, em_slice now, em_arena *arena, em_splices *out)
{
    em_splice *items = em_alloc_array(arena, remade->count, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < remade->count; i++) {
        const em_remade_part *part = &remade->items[i];
        items[i] = (em_splice){part->was_at, part->was_length,
                               em_slice_sub(now, part->at, part->at + part->length)};
    }
    *out = (em_splices){items, remade->count};
    return EM_OK;
}

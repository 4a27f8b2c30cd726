/* undo_remade.c: what several steps made of a content, by where: nothing is compared, so a file of
 * millions of lines has no more that is other than what the steps changed.
 */
#include "session/undo_impl.h"

static size_t later(size_t a, size_t b)
{
    return a > b ? a : b;
}

/* The parts that were there and the places of the step, read side by side. Offsets are those of the
 * content between the two. */
typedef struct merging {
    em_remade parts;
    em_splices step;
    size_t next_part, next_splice;
    size_t shift; /* by how much the parts behind made the content longer, modulo 2^64 */
    size_t grown; /* and the places of the step */
} merging;

/* Where the next of either begins; EM_NPOS: there is none. */
static size_t next_start(const merging *m)
{
    size_t part = m->next_part < m->parts.count ? m->parts.items[m->next_part].at : EM_NPOS;
    size_t splice = m->next_splice < m->step.count ? m->step.items[m->next_splice].offset : EM_NPOS;
    return part < splice ? part : splice;
}

/* Pass the next of either. Returns where it ends. */
static size_t take_next(merging *m)
{
    size_t start = next_start(m);
    if (m->next_part < m->parts.count && m->parts.items[m->next_part].at == start) {
        const em_remade_part *part = &m->parts.items[m->next_part++];
        m->shift += part->length - part->was_length;
        return start + part->length;
    }
    const em_splice *splice = &m->step.items[m->next_splice++];
    m->grown += splice->insert.len - splice->length;
    return start + splice->length;
}

/* What touches goes together. */
static em_remade_part take_part(merging *m)
{
    size_t start = next_start(m), end = start;
    em_remade_part part = {.was_at = start - m->shift, .at = start + m->grown};
    do {
        end = later(end, take_next(m));
    } while (next_start(m) <= end);
    part.was_length = end - m->shift - part.was_at;
    part.length = end + m->grown - part.at;
    return part;
}

em_status em_remade_add(em_remade *remade, em_splices step, em_arena *arena)
{
    em_remade_part *items = em_alloc_array(arena, remade->count + step.count, sizeof *items);
    merging m = {.parts = *remade, .step = step};
    size_t count = 0;
    if (!items)
        return EM_E_NOMEM;
    while (next_start(&m) != EM_NPOS)
        items[count++] = take_part(&m);
    *remade = (em_remade){items, count};
    return EM_OK;
}

em_status em_remade_keep(em_remade *remade, em_arena *arena)
{
    return em_remade_add(remade, (em_splices){0}, arena);
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

#include "edit/probes.h"

#include "match/unwrap.h"

em_status em_whole_insert(const em_op *op, em_arena *arena, em_slice *insert)
{
    *insert = op->kind == EM_OP_DELETE ? (em_slice){0} : op->insert;
    if (op->kind == EM_OP_INSERT_AFTER)
        return em_arena_join(arena, op->find, op->insert, insert);
    if (op->kind == EM_OP_INSERT_BEFORE)
        return em_arena_join(arena, op->insert, op->find, insert);
    return EM_OK;
}

static size_t greater(size_t a, size_t b)
{
    return a > b ? a : b;
}

static em_status add_probe(em_probes *probes, em_slice text, em_fold fold)
{
    EM_AUTO(em_arena) scratch = {0};
    em_tolerant_pieces *pieces = &probes->items[probes->count];
    EM_TRY(em_tolerant_pieces_of(text, fold, &scratch, pieces));
    probes->most_tokens = greater(probes->most_tokens, pieces->tokens);
    probes->count += pieces->count > 0;
    return EM_OK;
}

/* How far it can reach. Where more of the writing is overlooked, there are no more tokens. */
static em_status note_length(em_probes *probes, em_slice text)
{
    EM_AUTO(em_arena) scratch = {0};
    em_tokens tokens;
    EM_TRY(em_tokens_of(text, EM_FOLD_NOTHING, &scratch, &tokens));
    probes->most_tokens = greater(probes->most_tokens, tokens.count);
    probes->most_bytes = greater(probes->most_bytes, text.len);
    return EM_OK;
}

/* The search text as both tiers read it; the replacement is looked for in any writing. */
static em_status add_probes(em_probes *probes, em_slice find, em_slice insert)
{
    EM_TRY(note_length(probes, find));
    EM_TRY(note_length(probes, insert));
    EM_TRY(add_probe(probes, find, EM_FOLD_NOTHING));
    EM_TRY(add_probe(probes, find, EM_FOLD_WRITING));
    return add_probe(probes, insert, EM_FOLD_WRITING);
}

static bool has_nul(em_slice find, em_slice insert)
{
    return em_slice_has_byte(find, '\0') || em_slice_has_byte(insert, '\0');
}

static bool have_nul(const em_readings *readings)
{
    for (size_t i = 0; i < readings->count; i++)
        if (has_nul(readings->items[i].find, readings->items[i].insert))
            return true;
    return false;
}

/* The readings need much room to be found, of which none is kept where there are none. */
static em_status readings_of(em_slice find, em_slice insert, em_arena *arena, em_readings *readings)
{
    EM_AUTO(em_arena) scratch = {0};
    EM_TRY(em_readings_of(find, insert, &scratch, readings));
    return readings->count > 0 ? em_readings_of(find, insert, arena, readings) : EM_OK;
}

em_status em_probes_of(const em_op *op, em_arena *arena, em_probes *probes)
{
    enum { TEXTS = 3 }; /* of each reading */
    em_readings readings;
    em_slice insert;
    *probes = (em_probes){0};
    EM_TRY(em_whole_insert(op, arena, &insert));
    EM_TRY(readings_of(op->find, insert, arena, &readings));
    if (has_nul(op->find, insert) || have_nul(&readings))
        return EM_OK;
    probes->items = em_alloc_array(arena, TEXTS * (1 + readings.count), sizeof *probes->items);
    if (!probes->items)
        return EM_E_NOMEM;
    EM_TRY(add_probes(probes, op->find, insert));
    for (size_t i = 0; i < readings.count; i++)
        EM_TRY(add_probes(probes, readings.items[i].find, readings.items[i].insert));
    return EM_OK;
}

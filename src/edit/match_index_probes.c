/* match_index_probes.c: what ops can be found by that do not stand there literally. */
#include "edit/match_index_impl.h"

#include <xxhash.h>

/* Probes are looked for when so many ops to come do not stand there, but not by pieces that are
 * longer than this; and a pass has no more of them than this. At first it has none that are so
 * short that they make it slow, since few ops need these: when so many do, and one in so many that
 * were tried, it has. */
enum {
    MISSES_WORTH_A_PASS = 3,
    PROBED_MORE = 8, /* times as many ops as the time before */
    LONGEST_PIECE = 256,
    LEAST_SHORT = 2,
    TRIED_PER_SHORT = 16,
    MOST_TOO_WIDE = 3,
    MOST_PIECES = 1 << 15
};

/* Will the op have to be looked for less exactly, for all that is known? */
static bool may_miss(const em_match_index *w, size_t op)
{
    const em_op *here = &w->ops[op];
    if (w->text_of[op] == EM_NO_TEXT || here->first_line > 0 || here->last_line > 0)
        return false;
    const em_noted_list *l = w->texts[w->text_of[op]].lists;
    return !l[EM_LITERAL].is_listed || l[EM_LITERAL].count + l[EM_ANY_EOL].count == 0;
}

static bool are_worth_a_pass(const em_match_index *w, size_t op)
{
    size_t least = w->worth / (w->draft->length + 1), count = 0;
    if (w->worth > 0 && w->misses < EM_SEARCHES_BEFORE_A_PASS)
        return false;
    if (w->worth > 0 && least < MISSES_WORTH_A_PASS)
        least = MISSES_WORTH_A_PASS;
    for (; op < w->op_count && count < least; op++)
        count += may_miss(w, op);
    return count >= least;
}

/* The probes of some of the ops to come, until they have about MOST_PIECES. */
static em_status find_probes(em_match_index *w, size_t op)
{
    size_t pieces = 0, left = w->probed_at_once;
    if (left < w->op_count)
        w->probed_at_once *= PROBED_MORE;
    w->probed_until = w->probed = op;
    w->probes = em_alloc_array(&w->probe_arena, w->op_count - op, sizeof *w->probes);
    if (!w->probes)
        return EM_E_NOMEM;
    for (; op < w->op_count && left > 0 && pieces < MOST_PIECES; op++) {
        em_probes *probes = &w->probes[op - w->probed];
        if (may_miss(w, op))
            EM_TRY(em_probes_of(&w->ops[op], &w->probe_arena, probes));
        for (size_t i = 0; i < probes->count; i++)
            pieces += probes->items[i].count;
        left -= probes->count > 0;
        w->probed_until = op + 1;
    }
    return EM_OK;
}

/* The piece with these bytes, or where it can be put. */
static uint32_t *piece_slot(const em_match_index *w, em_slice bytes)
{
    size_t slot = XXH3_64bits(bytes.ptr, bytes.len) & (w->piece_slots - 1);
    while (w->piece_table[slot] && !em_slice_eq(w->pieces[w->piece_table[slot] - 1].bytes, bytes))
        slot = (slot + 1) & (w->piece_slots - 1);
    return &w->piece_table[slot];
}

static void add_pieces(em_match_index *w, const em_tolerant_pieces *pieces, size_t op)
{
    for (size_t i = 0; i < pieces->count; i++) {
        em_slice bytes = pieces->items[i];
        if (bytes.len > LONGEST_PIECE || bytes.len < w->least_piece)
            continue;
        uint32_t *slot = piece_slot(w, bytes);
        if (*slot == 0) {
            w->pieces[w->piece_count++] = (em_noted_text){.bytes = bytes};
            *slot = (uint32_t)w->piece_count;
        }
        w->pieces[*slot - 1].last_op = op;
        if (bytes.len > w->longest_piece)
            w->longest_piece = bytes.len;
    }
}

/* The pieces of all probes, those that are long enough. */
static em_status choose_pieces(em_match_index *w)
{
    size_t most = 0;
    for (size_t i = w->probed; i < w->probed_until; i++)
        for (size_t k = 0; k < w->probes[i - w->probed].count; k++)
            most += w->probes[i - w->probed].items[k].count;
    for (w->piece_slots = 16; w->piece_slots < 2 * most;)
        w->piece_slots *= 2;
    w->piece_table = em_alloc_array(&w->probe_arena, w->piece_slots, sizeof *w->piece_table);
    w->pieces = em_alloc_array(&w->probe_arena, most, sizeof *w->pieces);
    if (!w->piece_table || !w->pieces)
        return EM_E_NOMEM;
    for (size_t i = w->probed; i < w->probed_until; i++)
        for (size_t k = 0; k < w->probes[i - w->probed].count; k++)
            add_pieces(w, &w->probes[i - w->probed].items[k], i);
    return EM_OK;
}

/* Have the pieces looked for by which the ops to come may be found. */
static em_status make_pass_for_probes(em_match_index *w, size_t op, em_arena *arena)
{
    em_match_index_forget_pieces(w);
    em_arena_drop(&w->probe_arena);
    EM_TRY(find_probes(w, op));
    EM_TRY(choose_pieces(w));
    return em_match_index_make_pass(w, op, arena);
}

/* The same with all pieces of the probes that are known. */
static em_status make_pass_for_short_pieces(em_match_index *w, size_t op, em_arena *arena)
{
    em_match_index_forget_pieces(w);
    w->least_piece = 1;
    EM_TRY(choose_pieces(w));
    return em_match_index_make_pass(w, op, arena);
}

/* Of the pieces the one that stands at the fewest places; NULL: nothing is known of any. */
static em_noted_text *rarest_of(em_match_index *w, const em_tolerant_pieces *pieces)
{
    em_noted_text *rarest = NULL;
    for (size_t i = 0; i < pieces->count; i++) {
        uint32_t number = *piece_slot(w, pieces->items[i]);
        em_noted_text *piece = number ? &w->pieces[number - 1] : NULL;
        const em_noted_list *l = piece ? &piece->lists[EM_LITERAL] : NULL;
        if (l && l->is_listed && !w->prints.is_out[l->needle] &&
            (!rarest || l->count < rarest->lists[EM_LITERAL].count))
            rarest = piece;
    }
    return rarest;
}

static em_status add_occurrences(em_match_index *w, em_noted_text *piece, em_arena *arena,
                                 em_piece_occurrences **first)
{
    em_noted_list *l = &piece->lists[EM_LITERAL];
    size_t count;
    for (const em_piece_occurrences *s = *first; s; s = s->next)
        if (em_slice_eq(s->piece, piece->bytes))
            return EM_OK;
    EM_TRY(em_match_index_gather(w, l, piece->bytes, EM_LITERAL, &count));
    EM_TRY(em_match_index_keep(w, l, count));
    em_piece_occurrences *new = em_alloc(arena, sizeof *new);
    size_t *at = em_alloc_raw(arena, count * sizeof *at);
    if (!new || !at)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++)
        at[i] = w->standing[i].start;
    *new = (em_piece_occurrences){piece->bytes, at, count, true, *first};
    *first = new;
    return EM_OK;
}

static bool is_probed(const em_match_index *w, size_t op)
{
    return w->is_valid && op >= w->probed && op < w->probed_until;
}

/* Did the pieces that were looked for not do too often, and are there others? */
static bool needs_short_pieces(const em_match_index *w)
{
    return w->least_piece > 1 &&
           w->fell_short > (w->worth > 0 ? LEAST_SHORT + w->tried / TRIED_PER_SHORT : 0);
}

em_status em_match_index_probes(em_match_index *match_index, size_t op, em_arena *arena,
                                const em_probes **probes, em_piece_occurrences **first)
{
    *first = NULL;
    if (!may_miss(match_index, op) || match_index->too_wide >= MOST_TOO_WIDE)
        return EM_OK;
    if (!is_probed(match_index, op) && are_worth_a_pass(match_index, op))
        EM_TRY(make_pass_for_probes(match_index, op, arena));
    else if (is_probed(match_index, op) && needs_short_pieces(match_index))
        EM_TRY(make_pass_for_short_pieces(match_index, op, arena));
    if (!is_probed(match_index, op)) {
        match_index->misses++;
        return EM_OK;
    }
    match_index->tried++;
    *probes = &match_index->probes[op - match_index->probed];
    for (size_t i = 0; i < (*probes)->count; i++) {
        em_noted_text *piece = rarest_of(match_index, &(*probes)->items[i]);
        if (piece)
            EM_TRY(add_occurrences(match_index, piece, arena, first));
    }
    return EM_OK;
}

void em_match_index_fell_short(em_match_index *match_index)
{
    match_index->fell_short++;
}

void em_match_index_too_wide(em_match_index *match_index)
{
    match_index->too_wide++;
}

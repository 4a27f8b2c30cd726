/* whereabouts_clues.c: what ops can be found by that do not stand there literally. */
#include "edit/whereabouts_impl.h"

#include <xxhash.h>

/* Clues are looked for when so many ops to come do not stand there, but not by pieces that are
 * longer than this; and a pass has no more of them than this. At first it has none that are so
 * short that they make it slow, since few ops need these: when so many do, and one in so many that
 * were tried, it has. */
enum {
    MISSES_WORTH_A_PASS = 3,
    CLUED_MORE = 8, /* times as many ops as the time before */
    LONGEST_PIECE = 256,
    LEAST_SHORT = 2,
    TRIED_PER_SHORT = 16,
    MOST_TOO_WIDE = 3,
    MOST_PIECES = 1 << 15
};

/* Will the op have to be looked for less exactly, for all that is known? */
static bool may_miss(const em_whereabouts *w, size_t op)
{
    const em_op *here = &w->ops[op];
    if (w->text_of[op] == EM_NO_TEXT || here->first_line > 0 || here->last_line > 0)
        return false;
    const em_noted_list *l = w->texts[w->text_of[op]].lists;
    return !l[EM_LITERAL].is_listed || l[EM_LITERAL].count + l[EM_ANY_EOL].count == 0;
}

static bool are_worth_a_pass(const em_whereabouts *w, size_t op)
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

/* The clues of some of the ops to come, until they have about MOST_PIECES. */
static em_status find_clues(em_whereabouts *w, size_t op)
{
    size_t pieces = 0, left = w->clued_at_once;
    if (left < w->op_count)
        w->clued_at_once *= CLUED_MORE;
    w->clued_until = w->clued = op;
    w->clues = em_alloc_array(&w->clue_arena, w->op_count - op, sizeof *w->clues);
    if (!w->clues)
        return EM_E_NOMEM;
    for (; op < w->op_count && left > 0 && pieces < MOST_PIECES; op++) {
        em_clues *clues = &w->clues[op - w->clued];
        if (may_miss(w, op))
            EM_TRY(em_clues_of(&w->ops[op], &w->clue_arena, clues));
        for (size_t i = 0; i < clues->count; i++)
            pieces += clues->items[i].count;
        left -= clues->count > 0;
        w->clued_until = op + 1;
    }
    return EM_OK;
}

/* The piece with these bytes, or where it can be put. */
static uint32_t *piece_slot(const em_whereabouts *w, em_slice bytes)
{
    size_t slot = XXH3_64bits(bytes.ptr, bytes.len) & (w->piece_slots - 1);
    while (w->piece_table[slot] && !em_slice_eq(w->pieces[w->piece_table[slot] - 1].bytes, bytes))
        slot = (slot + 1) & (w->piece_slots - 1);
    return &w->piece_table[slot];
}

static void add_pieces(em_whereabouts *w, const em_tolerant_pieces *pieces, size_t op)
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

/* The pieces of all clues, those that are long enough. */
static em_status choose_pieces(em_whereabouts *w)
{
    size_t most = 0;
    for (size_t i = w->clued; i < w->clued_until; i++)
        for (size_t k = 0; k < w->clues[i - w->clued].count; k++)
            most += w->clues[i - w->clued].items[k].count;
    for (w->piece_slots = 16; w->piece_slots < 2 * most;)
        w->piece_slots *= 2;
    w->piece_table = em_alloc_array(&w->clue_arena, w->piece_slots, sizeof *w->piece_table);
    w->pieces = em_alloc_array(&w->clue_arena, most, sizeof *w->pieces);
    if (!w->piece_table || !w->pieces)
        return EM_E_NOMEM;
    for (size_t i = w->clued; i < w->clued_until; i++)
        for (size_t k = 0; k < w->clues[i - w->clued].count; k++)
            add_pieces(w, &w->clues[i - w->clued].items[k], i);
    return EM_OK;
}

/* Have the pieces looked for by which the ops to come may be found. */
static em_status make_pass_for_clues(em_whereabouts *w, size_t op, em_arena *arena)
{
    em_whereabouts_forget_pieces(w);
    em_arena_drop(&w->clue_arena);
    EM_TRY(find_clues(w, op));
    EM_TRY(choose_pieces(w));
    return em_whereabouts_make_pass(w, op, arena);
}

/* The same with all pieces of the clues that are known. */
static em_status make_pass_for_short_pieces(em_whereabouts *w, size_t op, em_arena *arena)
{
    em_whereabouts_forget_pieces(w);
    w->least_piece = 1;
    EM_TRY(choose_pieces(w));
    return em_whereabouts_make_pass(w, op, arena);
}

/* Of the pieces the one that stands at the fewest places; NULL: nothing is known of any. */
static em_noted_text *rarest_of(em_whereabouts *w, const em_tolerant_pieces *pieces)
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

static em_status add_sighting(em_whereabouts *w, em_noted_text *piece, em_arena *arena,
                              em_sighting **first)
{
    em_noted_list *l = &piece->lists[EM_LITERAL];
    size_t count;
    for (const em_sighting *s = *first; s; s = s->next)
        if (em_slice_eq(s->piece, piece->bytes))
            return EM_OK;
    EM_TRY(em_whereabouts_gather(w, l, piece->bytes, EM_LITERAL, &count));
    EM_TRY(em_whereabouts_keep(w, l, count));
    em_sighting *new = em_alloc(arena, sizeof *new);
    size_t *at = em_alloc_raw(arena, count * sizeof *at);
    if (!new || !at)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++)
        at[i] = w->standing[i].start;
    *new = (em_sighting){piece->bytes, at, count, true, *first};
    *first = new;
    return EM_OK;
}

static bool is_clued(const em_whereabouts *w, size_t op)
{
    return w->is_valid && op >= w->clued && op < w->clued_until;
}

/* Did the pieces that were looked for not do too often, and are there others? */
static bool needs_short_pieces(const em_whereabouts *w)
{
    return w->least_piece > 1 &&
           w->fell_short > (w->worth > 0 ? LEAST_SHORT + w->tried / TRIED_PER_SHORT : 0);
}

em_status em_whereabouts_clues(em_whereabouts *w, size_t op, em_arena *arena,
                               const em_clues **clues, em_sighting **first)
{
    *first = NULL;
    if (!may_miss(w, op) || w->too_wide >= MOST_TOO_WIDE)
        return EM_OK;
    if (!is_clued(w, op) && are_worth_a_pass(w, op))
        EM_TRY(make_pass_for_clues(w, op, arena));
    else if (is_clued(w, op) && needs_short_pieces(w))
        EM_TRY(make_pass_for_short_pieces(w, op, arena));
    if (!is_clued(w, op)) {
        w->misses++;
        return EM_OK;
    }
    w->tried++;
    *clues = &w->clues[op - w->clued];
    for (size_t i = 0; i < (*clues)->count; i++) {
        em_noted_text *piece = rarest_of(w, &(*clues)->items[i]);
        if (piece)
            EM_TRY(add_sighting(w, piece, arena, first));
    }
    return EM_OK;
}

void em_whereabouts_fell_short(em_whereabouts *w)
{
    w->fell_short++;
}

void em_whereabouts_too_wide(em_whereabouts *w)
{
    w->too_wide++;
}

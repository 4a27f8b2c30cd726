#include "match/anchors.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/needles.h"
#include "text/search.h"

#include <stdlib.h>

/* ---- Pieces of the search text --------------------------------------------------------------- */

enum { MOST_PIECES = 256 };

typedef struct piece {
    em_anchor anchor;
    unsigned rarity; /* by its bytes alone */
    size_t seen;     /* in the sample */
} piece;

typedef struct pieces {
    em_slice find;
    piece items[MOST_PIECES];
    size_t count;
} pieces;

static unsigned rarity_of(em_slice bytes)
{
    unsigned rarity = 0;
    for (size_t i = 0; i < bytes.len; i++)
        rarity += 256 - em_commonness(bytes.ptr[i]);
    return rarity;
}

static void add_piece(pieces *all, size_t start, size_t end)
{
    em_slice bytes = em_slice_sub(all->find, start, end);
    if (bytes.len < EM_SHORTEST_NEEDLE)
        return;
    for (size_t i = 0; i < all->count; i++) {
        em_anchor *known = &all->items[i].anchor;
        if (!em_same_in_any_case(known->bytes, bytes))
            continue;
        if (known->count < EM_MOST_ANCHOR_PLACES)
            known->at[known->count++] = start;
        return;
    }
    if (all->count < MOST_PIECES)
        all->items[all->count++] = (piece){{bytes, {start}, 1}, rarity_of(bytes), 0};
}

/* A run as pieces of about equal length, of at most `longest` bytes but for a code point. */
static void add_run(pieces *all, size_t start, size_t end, size_t longest)
{
    size_t length = end - start, parts = (length + longest - 1) / longest, from = start;
    for (size_t i = 1; i <= parts; i++) {
        size_t to = i < parts ? em_utf8_floor(all->find, start + length * i / parts) : end;
        if (to > from)
            add_piece(all, from, to);
        from = to > from ? to : from;
    }
}

/* What runs are made of: bytes of words, or all that is not blank. */
typedef bool run_byte(char byte);

static bool is_no_blank(char byte)
{
    return byte != ' ' && (byte < '\t' || byte > '\r');
}

static void add_runs(pieces *all, size_t from, size_t to, run_byte *belongs, size_t longest)
{
    for (size_t start = from, end; start < to; start = end + 1) {
        for (end = start; end < to && belongs(all->find.ptr[end]);)
            end++;
        add_run(all, start, end, longest);
    }
}

/* From all over the search text; from a long one, of stretches at equal distances. */
static void collect_runs(pieces *all, run_byte *belongs, size_t longest)
{
    enum { STRETCHES = 64, STRETCH = 512 };
    size_t length = all->find.len;
    all->count = 0;
    if (length <= STRETCHES * STRETCH)
        add_runs(all, 0, length, belongs, longest);
    for (size_t i = 0; length > STRETCHES * STRETCH && i < STRETCHES; i++) {
        size_t start = (length - STRETCH) / (STRETCHES - 1) * i;
        add_runs(all, start, start + STRETCH, belongs, longest);
    }
}

/* Long pieces are rarer. But if there are few, a slip may break all of them; so a short search text
 * is cut finer. */
static void collect(pieces *all)
{
    enum { ENOUGH = 5 };
    static const struct {
        run_byte *belongs;
        size_t longest;
    } ways[] = {{em_is_word_byte, 16}, {em_is_word_byte, 6}, {is_no_blank, 6}, {is_no_blank, 4}};
    for (size_t i = 0; i < sizeof ways / sizeof *ways && all->count < ENOUGH; i++)
        collect_runs(all, ways[i].belongs, ways[i].longest);
}

/* ---- The sample ------------------------------------------------------------------------------ */

/* So many stretches of the text, of so many bytes; a text that is not longer than all of them is
 * its own sample. */
enum { SAMPLES = 16, SAMPLE = 4096, MOST_SAMPLED = 2 * EM_MOST_NEEDLES };

static bool is_own_sample(em_slice text)
{
    return text.len <= SAMPLES * SAMPLE;
}

static void count_one(void *context, size_t which, size_t at)
{
    piece *first = context;
    (void)at;
    first[which].seen++;
}

static void look_through_sample(const em_needles *needles, em_slice text, piece *first)
{
    if (is_own_sample(text)) {
        em_find_needles(needles, text, 0, text.len, count_one, first);
        return;
    }
    for (size_t i = 0; i < SAMPLES; i++) {
        size_t start = (text.len - SAMPLE) / (SAMPLES - 1) * i;
        em_find_needles(needles, text, start, start + SAMPLE, count_one, first);
    }
}

static int by_rarity(const void *left, const void *right)
{
    const piece *x = left, *y = right;
    if (x->rarity != y->rarity)
        return x->rarity > y->rarity ? -1 : 1;
    return x->anchor.at[0] < y->anchor.at[0] ? -1 : 1;
}

static int by_sample(const void *left, const void *right)
{
    const piece *x = left, *y = right;
    if (x->seen != y->seen)
        return x->seen < y->seen ? -1 : 1;
    return by_rarity(left, right);
}

/* Those that look rarest are counted in the sample, and sorted by that. */
static void take_sample(pieces *all, em_slice text)
{
    qsort(all->items, all->count, sizeof *all->items, by_rarity);
    if (all->count > MOST_SAMPLED)
        all->count = MOST_SAMPLED;
    for (size_t first = 0, count; first < all->count; first += count) {
        em_slice items[EM_MOST_NEEDLES];
        em_needles needles;
        for (count = 0; count < EM_MOST_NEEDLES && first + count < all->count; count++)
            items[count] = all->items[first + count].anchor.bytes;
        em_needles_init(&needles, items, count);
        look_through_sample(&needles, text, &all->items[first]);
    }
    qsort(all->items, all->count, sizeof *all->items, by_sample);
}

/* ---- Choosing -------------------------------------------------------------------------------- */

em_status em_anchors_choose(em_slice text, em_slice find, em_arena *arena, em_anchors *out)
{
    EM_AUTO(em_arena) scratch = {0};
    pieces *all = em_alloc(&scratch, sizeof *all);
    *out = (em_anchors){.items = em_alloc_array(arena, EM_MOST_ANCHORS, sizeof *out->items)};
    if (!all || !out->items)
        return EM_E_NOMEM;
    all->find = find;
    collect(all);
    take_sample(all, text);
    size_t unseen = 0;
    while (unseen < all->count && all->items[unseen].seen == 0)
        unseen++;
    size_t seen = em_least(all->count - unseen, EM_MOST_ANCHORS / 2), kept = 0;
    if (!is_own_sample(text)) /* else what was not seen is not there */
        kept = em_least(unseen, EM_MOST_ANCHORS - seen);
    seen = em_least(all->count - unseen, EM_MOST_ANCHORS - kept);
    for (size_t i = 0; i < kept; i++)
        out->items[out->count++] = all->items[i].anchor;
    for (size_t i = 0; i < seen; i++)
        out->items[out->count++] = all->items[unseen + i].anchor;
    return EM_OK;
}

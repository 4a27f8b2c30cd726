/* anchors.c: choosing the pieces, looking for them, counting the votes.
 *
 *  (1) Pieces do not overlap in the search text, and no two are the same bytes. So a slip of the
 *      pen breaks one or two of them and leaves the others whole.
 *  (2) A piece that stands too often costs more than it tells, and is dropped with its votes.
 */
#include "edit/anchors.h"

#include "base/utf8.h"
#include "text/search.h"

#include <stdint.h>
#include <stdlib.h>

enum { SHORTEST = 3, LONGEST = 16, MOST_WORDS = 256, MOST_ANCHORS = 12, MOST_PLACES = 8 };

/* ---- Pieces of the search text --------------------------------------------------------------- */

typedef struct anchor {
    em_slice bytes;
    size_t at[MOST_PLACES]; /* where it stands in the search text */
    size_t count;           /* of `at` */
    size_t seen;            /* in the sample of the text */
    em_needle needle;
    size_t *hits; /* where it stands in the text */
    size_t hit_count, hit_room;
    bool dropped;
    unsigned weight;
} anchor;

typedef struct anchors {
    anchor items[MOST_WORDS];
    size_t count;
} anchors;

static bool is_word_byte(char byte)
{
    unsigned char b = (unsigned char)byte;
    return (b >= '0' && b <= '9') || (b >= 'A' && b <= 'Z') || (b >= 'a' && b <= 'z') || b == '_' ||
           b >= 0x80;
}

static bool is_space_byte(char byte)
{
    return byte == ' ' || (byte >= '\t' && byte <= '\r');
}

static void add_piece(anchors *all, em_slice find, size_t start, size_t end)
{
    em_slice bytes = em_slice_sub(find, start, end);
    if (bytes.len < SHORTEST)
        return;
    for (size_t i = 0; i < all->count; i++) {
        anchor *known = &all->items[i];
        if (!em_slice_eq(known->bytes, bytes))
            continue;
        if (known->count < MOST_PLACES)
            known->at[known->count++] = start;
        return;
    }
    if (all->count < MOST_WORDS)
        all->items[all->count++] = (anchor){.bytes = bytes, .at = {start}, .count = 1};
}

/* A run of bytes as pieces of at most `longest`, of equal length. */
static void add_run(anchors *all, em_slice find, size_t start, size_t end, size_t longest)
{
    size_t length = end - start, pieces = (length + longest - 1) / longest;
    for (size_t i = 0; i < pieces; i++)
        add_piece(all, find, start + length * i / pieces, start + length * (i + 1) / pieces);
}

/* The runs of bytes of a kind, within [from, to). */
static void add_runs(anchors *all, em_slice find, size_t from, size_t to, bool signs,
                     size_t longest)
{
    for (size_t start = from; start < to; start++) {
        size_t end = start;
        while (end < to && (signs ? !is_space_byte(find.ptr[end]) : is_word_byte(find.ptr[end])))
            end++;
        add_run(all, find, start, end, longest);
        start = end;
    }
}

/* Words from all over the search text; of a long one, from stretches at equal distances. */
static void collect(anchors *all, em_slice find, bool signs, size_t longest)
{
    enum { STRETCHES = 64, STRETCH = 512 };
    all->count = 0;
    if (find.len <= STRETCHES * STRETCH) {
        add_runs(all, find, 0, find.len, signs, longest);
        return;
    }
    for (size_t i = 0; i < STRETCHES; i++) {
        size_t start = (find.len - STRETCH) / (STRETCHES - 1) * i;
        add_runs(all, find, start, start + STRETCH, signs, longest);
    }
}

/* Long pieces are rare; few pieces are too easily all broken, so a search text with few long ones
 * gives more short ones. */
static void collect_enough(anchors *all, em_slice find)
{
    enum { ENOUGH = 4, SHORT = 6, SHORTER = 4 };
    collect(all, find, false, LONGEST);
    if (all->count < ENOUGH)
        collect(all, find, false, SHORT);
    if (all->count < ENOUGH)
        collect(all, find, true, SHORT);
    if (all->count < ENOUGH)
        collect(all, find, true, SHORTER);
}

/* ---- Which of them are rare ------------------------------------------------------------------ */

enum { SAMPLES = 16, SAMPLE = 4096 };

static size_t count_hits(const em_needle *needle, em_slice text, size_t from, size_t to)
{
    size_t count = 0,
           end = text.len - to < needle->bytes.len ? text.len : to + needle->bytes.len - 1;
    em_slice hay = em_slice_sub(text, 0, end);
    for (size_t at = em_find(needle, hay, from); at != EM_NPOS; count++)
        at = em_find(needle, hay, at + needle->bytes.len);
    return count;
}

/* Count each piece in samples from all over the text; all of a short text is its sample. */
static void take_samples(anchors *all, em_slice text)
{
    for (size_t i = 0; i < all->count; i++) {
        anchor *a = &all->items[i];
        em_needle_init(&a->needle, a->bytes);
        if (text.len <= SAMPLES * SAMPLE)
            a->seen = count_hits(&a->needle, text, 0, text.len);
        for (size_t k = 0; text.len > SAMPLES * SAMPLE && k < SAMPLES; k++) {
            size_t start = (text.len - SAMPLE) / (SAMPLES - 1) * k;
            a->seen += count_hits(&a->needle, text, start, start + SAMPLE);
        }
    }
}

/* The rare ones first; of those that the sample does not tell apart, the long ones. */
static int by_rarity(const void *left, const void *right)
{
    const anchor *x = left, *y = right;
    if (x->seen != y->seen)
        return x->seen < y->seen ? -1 : 1;
    if (x->bytes.len != y->bytes.len)
        return x->bytes.len > y->bytes.len ? -1 : 1;
    return x->at[0] < y->at[0] ? -1 : 1;
}

/* Those that the sample does not have may not be in the text at all, so some that it has are kept
 * beside them. */
static void choose(anchors *all, em_slice text)
{
    size_t unseen = 0, most_unseen = MOST_ANCHORS / 2;
    qsort(all->items, all->count, sizeof *all->items, by_rarity);
    while (unseen < all->count && all->items[unseen].seen == 0)
        unseen++;
    if (text.len <= SAMPLES * SAMPLE)
        most_unseen = 0;
    if (unseen > most_unseen && all->count - unseen > 0) {
        size_t rest = all->count - unseen, keep = most_unseen;
        if (rest < MOST_ANCHORS - most_unseen && text.len > SAMPLES * SAMPLE)
            keep = MOST_ANCHORS - rest < unseen ? MOST_ANCHORS - rest : unseen;
        memmove(all->items + keep, all->items + unseen, rest * sizeof *all->items);
        all->count = keep + rest;
    }
    if (all->count > MOST_ANCHORS)
        all->count = MOST_ANCHORS;
}

/* ---- Where they stand ------------------------------------------------------------------------ */

/* So many bytes of the text are looked through for all anchors in turn that they stay in the
 * cache; and so often at most may an anchor stand there. */
enum { STRETCH = 1 << 17, HITS_AT_FIRST = 256, BYTES_A_HIT = 256 };

static em_status look_for(anchor *a, em_slice text, size_t from, size_t to, em_arena *arena)
{
    size_t end = text.len - to < a->bytes.len ? text.len : to + a->bytes.len - 1;
    em_slice hay = em_slice_sub(text, 0, end);
    size_t most = HITS_AT_FIRST + to / BYTES_A_HIT;
    for (size_t at = em_find(&a->needle, hay, from); at != EM_NPOS && !a->dropped;) {
        void *hits = a->hits;
        EM_TRY(em_arena_grow(arena, &hits, a->hit_count, &a->hit_room, sizeof *a->hits));
        a->hits = hits;
        a->hits[a->hit_count++] = at;
        a->dropped = a->hit_count > most;
        at = em_find(&a->needle, hay, at + a->bytes.len);
    }
    return EM_OK;
}

static em_status look_for_all(anchors *all, em_slice text, em_deadline *deadline, em_arena *arena,
                              bool *timed_out)
{
    for (size_t from = 0, to; from < text.len && !*timed_out; from = to) {
        to = text.len - from < STRETCH ? text.len : from + STRETCH;
        for (size_t i = 0; i < all->count && !*timed_out; i++) {
            if (!all->items[i].dropped)
                EM_TRY(look_for(&all->items[i], text, from, to, arena));
            *timed_out = em_deadline_spend(deadline, (to - from) / 8);
        }
    }
    return EM_OK;
}

/* ---- Votes ----------------------------------------------------------------------------------- */

/* Neighbouring starts. */
typedef struct bucket {
    uint32_t voters; /* a bit for each anchor */
    uint16_t low, high;
} bucket;

typedef struct ballot {
    bucket *buckets;
    size_t count;
    unsigned shift; /* a bucket holds 1 << shift starts */
    size_t before;  /* the first bucket begins so far before the text */
} ballot;

static unsigned log2_of(size_t value)
{
    unsigned log = 0;
    while (value >>= 1)
        log++;
    return log;
}

static em_status ballot_open(ballot *b, em_slice text, em_slice find, em_arena *arena)
{
    enum { LEAST_SHIFT = 4, MOST_SHIFT = 16 };
    unsigned shift = log2_of(find.len) - (find.len > 1);
    b->shift = shift < LEAST_SHIFT ? LEAST_SHIFT : shift > MOST_SHIFT ? MOST_SHIFT : shift;
    b->before = find.len;
    b->count = ((text.len + find.len) >> b->shift) + 1;
    b->buckets = em_alloc_array(arena, b->count, sizeof *b->buckets);
    return b->buckets ? EM_OK : EM_E_NOMEM;
}

static void vote(ballot *b, const anchor *a, size_t number)
{
    for (size_t i = 0; i < a->hit_count; i++)
        for (size_t k = 0; k < a->count; k++) {
            size_t start = a->hits[i] + b->before - a->at[k];
            bucket *into = &b->buckets[start >> b->shift];
            uint16_t within = (uint16_t)(start & (((size_t)1 << b->shift) - 1));
            if (into->voters == 0 || within < into->low)
                into->low = within;
            if (into->voters == 0 || within > into->high)
                into->high = within;
            into->voters |= (uint32_t)1 << number;
        }
}

static unsigned weight_of(const anchors *all, uint32_t voters)
{
    unsigned weight = 0;
    for (; voters; voters &= voters - 1)
        weight += all->items[__builtin_ctz(voters)].weight;
    return weight;
}

static uint32_t voters_around(const ballot *b, size_t i)
{
    return b->buckets[i].voters | (i > 0 ? b->buckets[i - 1].voters : 0) |
           (i + 1 < b->count ? b->buckets[i + 1].voters : 0);
}

/* ---- The best -------------------------------------------------------------------------------- */

/* Is x the worse guess? */
static bool is_worse(const em_guess *x, const em_guess *y)
{
    return x->weight != y->weight ? x->weight < y->weight : x->low > y->low;
}

/* `items` is a heap with the worst on top; put its top where it belongs. */
static void sift_down(em_guess *items, size_t count)
{
    for (size_t at = 0, child; (child = 2 * at + 1) < count; at = child) {
        if (child + 1 < count && is_worse(&items[child + 1], &items[child]))
            child++;
        if (!is_worse(&items[child], &items[at]))
            break;
        em_guess top = items[at];
        items[at] = items[child];
        items[child] = top;
    }
}

static void sift_up(em_guess *items, size_t at)
{
    for (size_t parent; at > 0; at = parent) {
        parent = (at - 1) / 2;
        if (!is_worse(&items[at], &items[parent]))
            break;
        em_guess below = items[at];
        items[at] = items[parent];
        items[parent] = below;
    }
}

static void keep_best(em_guesses *out, size_t most, em_guess guess)
{
    if (out->count < most) {
        out->items[out->count] = guess;
        sift_up(out->items, out->count++);
    } else if (is_worse(&out->items[0], &guess)) {
        out->items[0] = guess;
        sift_down(out->items, out->count);
    }
}

static int by_weight(const void *left, const void *right)
{
    return is_worse(left, right) ? 1 : -1;
}

static void count_votes(const ballot *b, const anchors *all, size_t most, em_guesses *out)
{
    for (size_t i = 0; i < b->count; i++) {
        if (b->buckets[i].voters == 0)
            continue;
        size_t base = i << b->shift;
        size_t low = base + b->buckets[i].low, high = base + b->buckets[i].high;
        keep_best(out, most,
                  (em_guess){.low = low > b->before ? low - b->before : 0,
                             .high = high > b->before ? high - b->before : 0,
                             .weight = weight_of(all, voters_around(b, i))});
    }
    if (out->count > 0)
        qsort(out->items, out->count, sizeof *out->items, by_weight);
}

em_status em_guess_places(em_slice text, em_slice find, size_t most, em_deadline *deadline,
                          em_arena *arena, em_guesses *out)
{
    EM_AUTO(em_arena) scratch = {0};
    ballot votes;
    anchors *all = em_alloc(&scratch, sizeof *all);
    *out = (em_guesses){.items = em_alloc_array(arena, most, sizeof *out->items)};
    if (!all || !out->items)
        return EM_E_NOMEM;
    collect_enough(all, find);
    take_samples(all, text);
    choose(all, text);
    EM_TRY(look_for_all(all, text, deadline, &scratch, &out->timed_out));
    EM_TRY(ballot_open(&votes, text, find, &scratch));
    for (size_t i = 0; i < all->count; i++) {
        anchor *a = &all->items[i];
        if (a->dropped)
            continue;
        a->weight = 1 + log2_of((text.len + 1) / (a->hit_count + 1) + 1);
        vote(&votes, a, i);
        out->anchors++;
    }
    count_votes(&votes, all, most, out);
    return EM_OK;
}

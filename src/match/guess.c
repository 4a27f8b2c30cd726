#include "match/guess.h"

#include "match/anchors.h"
#include "text/approx.h"
#include "text/folded.h"
#include "text/needles.h"

#include <stdint.h>
#include <stdlib.h>

/* ---- Votes ----------------------------------------------------------------------------------- */

/* A vote is a number, for sorting: the start, and in the low bits which anchor votes for it, and
 * from which of its places in the search text. */
enum { ANCHOR_BITS = 4, PLACE_BITS = 3, LOW_BITS = ANCHOR_BITS + PLACE_BITS };
_Static_assert(EM_MOST_ANCHORS <= 1 << ANCHOR_BITS, "a vote has room for its anchor");
_Static_assert(EM_MOST_ANCHOR_PLACES <= 1 << PLACE_BITS, "a vote has room for the place");

typedef struct election {
    em_slice text, find;
    em_anchors anchors;
    size_t hits[EM_MOST_ANCHORS];
    bool too_common[EM_MOST_ANCHORS];
    unsigned weights[EM_MOST_ANCHORS];
    uint64_t *votes;
    size_t count, room;
    em_arena *arena;
    em_status status;
} election;

/* Starts are counted from so far before the text, since a search text may hang over its start. */
static uint64_t vote_for(const election *e, size_t hit, size_t which, size_t place)
{
    size_t start = hit + e->find.len - e->anchors.items[which].at[place];
    return (uint64_t)start << LOW_BITS | which << PLACE_BITS | place;
}

static size_t start_of(uint64_t vote)
{
    return (size_t)(vote >> LOW_BITS);
}

static size_t anchor_of(uint64_t vote)
{
    return (size_t)(vote >> PLACE_BITS & ((1 << ANCHOR_BITS) - 1));
}

static em_guess guess_of(const election *e, uint64_t vote, unsigned weight)
{
    size_t place = (size_t)(vote & ((1 << PLACE_BITS) - 1));
    size_t of = e->anchors.items[anchor_of(vote)].at[place];
    return (em_guess){start_of(vote) - e->find.len + of, of, weight};
}

static void take_vote(void *context, size_t which, size_t hit)
{
    election *e = context;
    const em_anchor *anchor = &e->anchors.items[which];
    e->hits[which]++;
    for (size_t i = 0; i < anchor->count && e->status == EM_OK; i++) {
        void *votes = e->votes;
        e->status = em_arena_grow(e->arena, &votes, e->count, &e->room, sizeof *e->votes);
        e->votes = votes;
        if (e->status == EM_OK)
            e->votes[e->count++] = vote_for(e, hit, which, i);
    }
}

/* An anchor that stands more often than this costs more than it tells. */
static bool stands_too_often(size_t hits, size_t bytes)
{
    enum { AT_FIRST = 256, BYTES_A_HIT = 2048 };
    return hits > AT_FIRST + bytes / BYTES_A_HIT;
}

static em_status poll(election *e, em_deadline *deadline, bool *timed_out)
{
    enum { STRETCH = 1 << 17, BYTES_A_STEP = 4 };
    em_slice items[EM_MOST_ANCHORS];
    em_needles needles;
    for (size_t i = 0; i < e->anchors.count; i++)
        items[i] = e->anchors.items[i].bytes;
    em_needles_init(&needles, items, e->anchors.count);
    for (size_t from = 0, to; from < e->text.len && !*timed_out; from = to) {
        to = e->text.len - from < STRETCH ? e->text.len : from + STRETCH;
        em_find_needles(&needles, e->text, from, to, take_vote, e);
        EM_TRY(e->status);
        for (size_t i = 0; i < e->anchors.count; i++)
            if (!e->too_common[i] && stands_too_often(e->hits[i], to)) {
                e->too_common[i] = true;
                em_needles_leave_out(&needles, i);
            }
        *timed_out = em_deadline_spend(deadline, (to - from) / BYTES_A_STEP);
    }
    return EM_OK;
}

static void drop_common(election *e)
{
    size_t kept = 0;
    for (size_t i = 0; i < e->count; i++)
        if (!e->too_common[anchor_of(e->votes[i])])
            e->votes[kept++] = e->votes[i];
    e->count = kept;
}

/* By radix, a byte at a time. */
static em_status sort_votes(election *e)
{
    enum { DIGITS = 256 };
    uint64_t *from = e->votes, *to = em_alloc_array(e->arena, e->count, sizeof *to), any = 0;
    if (!to)
        return EM_E_NOMEM;
    for (size_t i = 0; i < e->count; i++)
        any |= from[i];
    for (unsigned shift = 0; any >> shift; shift += 8) {
        size_t places[DIGITS + 1] = {0};
        for (size_t i = 0; i < e->count; i++)
            places[(from[i] >> shift) % DIGITS + 1]++;
        for (size_t digit = 1; digit <= DIGITS; digit++)
            places[digit] += places[digit - 1];
        for (size_t i = 0; i < e->count; i++)
            to[places[(from[i] >> shift) % DIGITS]++] = from[i];
        uint64_t *swap = from;
        from = to;
        to = swap;
    }
    e->votes = from;
    return EM_OK;
}

static unsigned log2_of(size_t value)
{
    unsigned log = 0;
    while (value >>= 1)
        log++;
    return log;
}

static void weigh(election *e)
{
    for (size_t i = 0; i < e->anchors.count; i++)
        e->weights[i] = 1 + log2_of(e->text.len / (e->hits[i] + 1) + 1);
}

/* ---- The best guesses ------------------------------------------------------------------------ */

static int best_first(const void *left, const void *right)
{
    const em_guess *x = left, *y = right;
    if (x->weight != y->weight)
        return x->weight > y->weight ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

/* The list has room for twice as many as are wanted; when it is full, the worse half goes, and
 * what comes later must be better than all of that. */
static void keep_best(em_guesses *out, size_t most)
{
    if (out->count > 0)
        qsort(out->items, out->count, sizeof *out->items, best_first);
    if (out->count > most)
        out->count = most;
}

static void add_guess(em_guesses *out, size_t most, em_guess guess, unsigned *more_than)
{
    if (guess.weight <= *more_than)
        return;
    out->items[out->count++] = guess;
    if (out->count < 2 * most)
        return;
    keep_best(out, most);
    *more_than = out->items[most - 1].weight;
}

/* The anchors that vote near a start. */
typedef struct window {
    size_t from, to; /* the votes in it */
    size_t voices[EM_MOST_ANCHORS];
    unsigned weight; /* of the anchors that have a voice */
} window;

static void move_window(window *w, const election *e, size_t low, size_t high)
{
    for (; w->to < e->count && start_of(e->votes[w->to]) <= high; w->to++) {
        size_t which = anchor_of(e->votes[w->to]);
        w->weight += w->voices[which]++ == 0 ? e->weights[which] : 0;
    }
    for (; start_of(e->votes[w->from]) < low; w->from++) {
        size_t which = anchor_of(e->votes[w->from]);
        w->weight -= --w->voices[which] == 0 ? e->weights[which] : 0;
    }
}

/* Neighbouring starts make one guess, and are supported by those a little further away. The anchors
 * that agree closely count twice. */
static void count_votes(const election *e, size_t most, em_guesses *out)
{
    enum { NEAR = 8, MOST_JOIN = 64, MOST_SUPPORT = 4096 };
    size_t join = em_least(e->find.len / 8, MOST_JOIN);
    size_t support = em_least(e->find.len / 4 + NEAR, MOST_SUPPORT);
    window close = {0}, wide = {0};
    unsigned more_than = 0;
    for (size_t i = 0, next; i < e->count; i = next) {
        size_t low = start_of(e->votes[i]), high = low;
        for (next = i; next < e->count && start_of(e->votes[next]) <= low + join; next++)
            high = start_of(e->votes[next]);
        move_window(&close, e, low, high);
        move_window(&wide, e, low > support ? low - support : 0, high + support);
        em_guess guess = guess_of(e, e->votes[i], close.weight + wide.weight);
        add_guess(out, most, guess, &more_than);
    }
    keep_best(out, most);
}

em_status em_guess_starts(em_slice text, em_slice find, size_t most, em_deadline *deadline,
                          em_arena *arena, em_guesses *out)
{
    EM_AUTO(em_arena) scratch = {0};
    election e = {.text = text, .find = find, .arena = &scratch};
    *out = (em_guesses){.items = em_alloc_array(arena, 2 * most, sizeof *out->items)};
    if (!out->items)
        return EM_E_NOMEM;
    EM_TRY(em_anchors_choose(text, find, &scratch, &e.anchors));
    EM_TRY(poll(&e, deadline, &out->timed_out));
    drop_common(&e);
    EM_TRY(sort_votes(&e));
    weigh(&e);
    count_votes(&e, most, out);
    for (size_t i = 0; i < e.anchors.count; i++) {
        out->too_common += e.too_common[i];
        out->anchors += !e.too_common[i];
        out->present += !e.too_common[i] && e.hits[i] > 0;
    }
    return EM_OK;
}

/* ---- Without anchors ------------------------------------------------------------------------- */

/* Where the stretch of `length` bytes of `find` begins that has most in it besides blanks. */
static size_t fullest_stretch(em_slice find, size_t length)
{
    size_t full = 0, best = 0, start = 0;
    for (size_t end = 0; end < find.len; end++) {
        full += em_blank_at(find, end) == 0;
        if (end >= length)
            full -= em_blank_at(find, end - length) == 0;
        if (end + 1 >= length && full > best) {
            best = full;
            start = end + 1 - length;
        }
    }
    return start;
}

em_status em_guess_alike(em_slice text, em_slice find, double least_alike, size_t most,
                         em_deadline *deadline, em_arena *arena, em_guesses *out)
{
    em_approx_list ends;
    size_t length = em_least(find.len, EM_LONGEST_APPROX), start = fullest_stretch(find, length);
    em_slice needle = em_slice_sub(find, start, start + length);
    *out = (em_guesses){.items = em_alloc_array(arena, most, sizeof *out->items)};
    if (!out->items)
        return EM_E_NOMEM;
    size_t limit = (size_t)((1 - least_alike) * (double)length);
    EM_TRY(em_approx_find(needle, text, limit, most, deadline, arena, &ends));
    out->timed_out = ends.timed_out;
    for (; out->count < ends.count; out->count++) {
        const em_approx *end = &ends.items[out->count];
        unsigned weight = (unsigned)(EM_LONGEST_APPROX - end->distance);
        out->items[out->count] = (em_guess){end->end, start + length, weight};
    }
    return EM_OK;
}

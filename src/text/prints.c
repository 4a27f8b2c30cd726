/* prints.c: the pass over a haystack.
 *
 * No byte outside of the haystack is read: places at its very end are looked at one by one.
 */
#include "text/prints_impl.h"

#include "base/beside.h"
#include "text/search.h"

#include <stdlib.h>

/* ---- Comparing ------------------------------------------------------------------------------- */

/* What the prints of a needle may cost that it is not at: so many to begin with, and one in so many
 * bytes. More would be dearer than looking for it alone. */
enum { MISSES_AT_FIRST = 1000, BYTES_PER_MISS = 32 };

typedef struct search {
    em_prints *prints;
    em_print_class *class;
    em_slice hay;
    em_print_found *found;
    void *context;
} search;

/* Where the needle begins whose byte at `offset` stands at `at`; EM_NPOS. */
static size_t stands_around(const em_sought *needle, size_t offset, em_slice hay, size_t at,
                            size_t *end)
{
    if (needle->any_eol)
        return em_any_eol_around(needle->bytes, offset, hay, at, end);
    if (at < offset || !em_slice_starts(em_slice_from(hay, at - offset), needle->bytes))
        return EM_NPOS;
    *end = at - offset + needle->bytes.len;
    return at - offset;
}

/* Is it worth to look for the needle any longer, now that its print stands at `at`? */
static bool try_holder(const search *s, const struct em_print_holder *holder, size_t at)
{
    em_prints *prints = s->prints;
    size_t which = holder->needle, end;
    size_t start = stands_around(&prints->needles[which], holder->offset, s->hay, at, &end);
    if (start != EM_NPOS)
        return s->found(s->context, which, start, end);
    prints->misses[which]++;
    return prints->misses[which] < MISSES_AT_FIRST + prints->scanned / BYTES_PER_MISS;
}

static void leave_out(const search *s, size_t which)
{
    s->prints->is_out[which] = true;
    s->class->live--;
}

/* The print stands at `at`: whose is it? Holders that are out are taken off the list. */
static void try_print(const search *s, uint64_t print, size_t at)
{
    uint32_t *link = &s->class->first[em_print_slot(s->class, print)];
    bool is_first = true; /* which stays, so that the slot is not taken for empty */
    while (*link) {
        struct em_print_holder *holder = &s->prints->holders[*link];
        bool *is_out = &s->prints->is_out[holder->needle];
        if (!*is_out && !try_holder(s, holder, at))
            leave_out(s, holder->needle);
        if (*is_out && !is_first)
            *link = holder->next;
        else
            link = &holder->next;
        is_first = false;
    }
}

/* ---- Blocks ---------------------------------------------------------------------------------- */

enum { BLOCK_PLACES = 4096 };

/* A part of the haystack, and where in it prints pass: so far from `base`. */
typedef struct block {
    size_t bytes, base, count;
    uint32_t passed[BLOCK_PLACES + 1]; /* a kernel may write one more before it decides */
} block;

/* What has to be looked at for a print lies far apart in memory: its slot of the table, then who
 * has it, then the bytes of that needle. So each is asked for some time before it is needed. */
static void expect_slot(const search *s, uint64_t print)
{
    size_t slot = em_print_hash(print, s->class->table_bits);
    __builtin_prefetch(&s->class->first[slot]);
    __builtin_prefetch(&s->class->keys[slot]);
}

static void expect_holder(const search *s, uint64_t print)
{
    size_t slot = em_print_hash(print, s->class->table_bits);
    __builtin_prefetch(&s->prints->holders[s->class->first[slot]]);
}

static void expect_needle(const search *s, uint64_t print)
{
    size_t slot = em_print_hash(print, s->class->table_bits);
    const struct em_print_holder *holder = &s->prints->holders[s->class->first[slot]];
    __builtin_prefetch(s->prints->needles[holder->needle].bytes.ptr);
}

/* What passed: BLOCK_PLACES at most, so far from `base`. */
static void try_passed(const search *s, size_t base, const uint32_t *passed, size_t count)
{
    uint64_t prints[BLOCK_PLACES];
    for (size_t i = 0; i < count; i++)
        prints[i] = em_print_load(s->hay.ptr + base + passed[i]) & s->class->mask;
    for (size_t i = 0; i < count; i++)
        expect_slot(s, prints[i]);
    for (size_t i = 0; i < count; i++)
        expect_holder(s, prints[i]);
    for (size_t i = 0; i < count; i++)
        expect_needle(s, prints[i]);
    for (size_t i = 0; i < count; i++)
        try_print(s, prints[i], base + passed[i]);
}

static size_t block_stride(const em_print_class *class)
{
    return class->by_mark ? 1 : class->stride;
}

/* Where the last block ends. Behind it a whole print cannot be read, nor a whole mark. */
static size_t blocks_end(const search *s)
{
    size_t stride = block_stride(s->class);
    if (s->class->by_mark)
        return s->hay.len < EM_MARK_PRINT ? 0 : s->hay.len - 1;
    return s->hay.len < EM_PRINT_ROOM ? 0 : ((s->hay.len - EM_PRINT_ROOM) / stride + 1) * stride;
}

/* From where on places of the block at `at` are counted: prints may stand before their mark. */
static size_t block_base(const em_print_class *class, size_t at)
{
    size_t before = class->by_mark && class->beside.print < 0 ? (size_t) - class->beside.print : 0;
    return at > before ? at - before : 0;
}

/* Of the marks that were found from `at` on: where their prints begin, if these pass. */
static size_t passed_beside(const search *s, size_t at, block *b, size_t count)
{
    size_t passed = 0, last = s->hay.len - EM_MARK_PRINT; /* where a print can begin */
    for (size_t i = 0; i < count; i++) {
        size_t start = at + b->passed[i] + (size_t)s->class->beside.print; /* wraps: no print */
        b->passed[passed] = (uint32_t)(start - b->base);
        passed += start <= last && em_filter_passes(s->class, em_print_load(s->hay.ptr + start));
    }
    return passed;
}

/* The block at `at`, which ends at `end` at the latest. Nothing is changed but the block. */
static void block_look(const search *s, size_t at, size_t end, block *b)
{
    const em_print_class *class = s->class;
    size_t stride = block_stride(class), count = (end - at) / stride;
    if (count > BLOCK_PLACES)
        count = BLOCK_PLACES;
    b->bytes = count * stride;
    b->base = block_base(class, at);
    if (class->by_mark) {
        size_t marks = s->prints->kernel->marks(&class->beside, s->hay.ptr + at, count, b->passed);
        b->count = passed_beside(s, at, b, marks);
        return;
    }
    b->count = s->prints->kernel->filter(class, s->hay.ptr + at, count, b->passed);
    for (size_t i = 0; i < b->count; i++)
        b->passed[i] *= (uint32_t)stride;
}

static void find_between(const search *s, size_t start, size_t end)
{
    block b;
    for (size_t at = start; s->class->live > 0 && at < end; at += b.bytes) {
        block_look(s, at, end, &b);
        s->prints->scanned += b.bytes;
        try_passed(s, b.base, b.passed, b.count);
    }
}

/* ---- Scouting -------------------------------------------------------------------------------- */

/* Most of the time goes into reading the haystack. So of a large one, another thread goes ahead in
 * the second half. It only notes what passes, and that for so many places; what is noted is tried,
 * and the rest looked at, when the first half is done. */
enum { WORTH_SCOUTING = 2 << 20, MOST_SCOUTED = 1 << 16 };

typedef struct scout {
    em_beside beside;
    const search *s;
    size_t start, reached, end;
    uint32_t *passed; /* owned; so far from the base of the block at `start` */
    size_t count;
} scout;

static void scout_drop(scout *ahead)
{
    free(ahead->passed);
}

static void scout_work(void *context)
{
    scout *ahead = context;
    size_t base = block_base(ahead->s->class, ahead->start);
    block b;
    for (; ahead->reached < ahead->end; ahead->reached += b.bytes) {
        block_look(ahead->s, ahead->reached, ahead->end, &b);
        if (b.count > MOST_SCOUTED - ahead->count)
            break;
        for (size_t i = 0; i < b.count; i++)
            ahead->passed[ahead->count++] = (uint32_t)(b.base - base + b.passed[i]);
    }
}

/* Where the first half ends. */
static size_t scout_begin(scout *ahead, const search *s, size_t end)
{
    size_t bytes = BLOCK_PLACES * block_stride(s->class), middle = end / 2 / bytes * bytes;
    if (end < WORTH_SCOUTING || end - middle > UINT32_MAX / 2)
        return end;
    *ahead = (scout){.s = s, .start = middle, .reached = middle, .end = end};
    ahead->passed = malloc(MOST_SCOUTED * sizeof *ahead->passed);
    if (!ahead->passed)
        return end;
    em_beside_begin(&ahead->beside, scout_work, ahead);
    return middle;
}

static void scout_end(scout *ahead)
{
    const search *s = ahead->s;
    em_beside_end(&ahead->beside);
    s->prints->scanned += ahead->reached - ahead->start;
    size_t base = block_base(s->class, ahead->start);
    for (size_t i = 0; i < ahead->count && s->class->live > 0; i += BLOCK_PLACES) {
        size_t left = ahead->count - i;
        try_passed(s, base, ahead->passed + i, left < BLOCK_PLACES ? left : BLOCK_PLACES);
    }
    find_between(s, ahead->reached, ahead->end);
}

/* ---- Windows --------------------------------------------------------------------------------- */

static void find_windows(const search *s)
{
    em_window window;
    for (bool is_there = em_window_at(s->class, s->hay, 0, &window); is_there && s->class->live > 0;
         is_there = em_window_move(s->class, s->hay, &window)) {
        s->prints->scanned++;
        if (em_filter_passes(s->class, window.print))
            try_print(s, window.print, window.start);
    }
}

/* ---- Looking --------------------------------------------------------------------------------- */

static void find_in_blocks(const search *s)
{
    EM_AUTO(scout) ahead = {.passed = NULL};
    size_t end = blocks_end(s), middle = scout_begin(&ahead, s, end);
    find_between(s, 0, middle);
    if (ahead.passed)
        scout_end(&ahead);
}

/* The places at the very end, of which a whole word cannot be read. */
static void find_at_end(const search *s)
{
    const em_print_class *class = s->class;
    for (size_t at = blocks_end(s); class->live > 0 && at + class->print <= s->hay.len;
         at += class->stride) {
        uint64_t print = em_print_at(class, em_slice_from(s->hay, at));
        if (em_filter_passes(s->class, print))
            try_print(s, print, at);
    }
}

size_t em_prints_live(const em_prints *prints)
{
    size_t live = 0;
    for (size_t i = 0; i < EM_PRINT_CLASSES; i++)
        live += prints->classes[i].live;
    return live;
}

void em_prints_find(em_prints *prints, em_slice hay, em_print_found *found, void *context)
{
    for (size_t i = 0; i < EM_PRINT_CLASSES; i++) {
        search s = {prints, &prints->classes[i], hay, found, context};
        if (s.class->live == 0)
            continue;
        if (s.class->by_window) {
            find_windows(&s);
            continue;
        }
        find_in_blocks(&s);
        if (!s.class->by_mark)
            find_at_end(&s);
    }
}

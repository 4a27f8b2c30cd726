/* prints.c: the kernels, and what they share.
 *
 *  (1) A needle of a class with stride S has the prints of S places in a row, so whatever the place
 *      where it stands, one of them is at a place that is looked at.
 *  (2) No byte outside of the haystack is read: places at its very end are looked at one by one.
 */
#include "text/prints.h"

#include "base/beside.h"

#include "text/search.h"

#include <stdlib.h>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

/* One needle that has a print. */
struct em_print_holder {
    uint32_t needle, next; /* the next holder of the same print; 0: none */
    size_t offset;         /* of the print in the needle */
};

/* To look at fewer places is quicker as long as the tables, which have more prints then, are small
 * enough for the processor's nearest caches: so only for up to `most` needles. */
static const struct {
    size_t shortest, print, stride, most;
} shapes[EM_LENGTH_CLASSES] = {{15, 8, 8, 2048},
                               {11, 8, 4, SIZE_MAX},
                               {4, 4, 1, SIZE_MAX},
                               {2, 2, 1, SIZE_MAX},
                               {1, 1, 1, SIZE_MAX}};

/* ---- Prints ---------------------------------------------------------------------------------- */

static uint64_t load(const char *at)
{
    uint64_t value;
    memcpy(&value, at, EM_PRINT_ROOM);
    return value;
}

/* The print at the start of `bytes`, which has it, but perhaps no more. */
static uint64_t print_at(const em_print_class *class, em_slice bytes)
{
    uint64_t value = 0;
    if (bytes.len >= EM_PRINT_ROOM)
        return load(bytes.ptr) & class->mask;
    memcpy(&value, bytes.ptr, class->print);
    return value;
}

/* Only the upper bits are good. */
static uint32_t hash(uint64_t print)
{
    return (uint32_t)print * 0x9E3779B1u + (uint32_t)(print >> 32) * 0x85EBCA77u;
}

static uint32_t hash_to(uint64_t print, unsigned bits)
{
    return hash(print) >> (32 - bits);
}

static em_print_class *class_for(em_prints *prints, size_t length)
{
    size_t i = 0;
    while (length < shapes[i].shortest || prints->count > shapes[i].most)
        i++;
    return &prints->classes[EM_MARK_CLASSES + i];
}

/* The part of the needle from `start` on where its bytes stand as they are: all of it, or up to an
 * LF that stands for any ending. */
static em_slice plain_part(const em_sought *needle, size_t start)
{
    em_slice rest = em_slice_from(needle->bytes, start);
    const char *lf = needle->any_eol && rest.len > 0 ? memchr(rest.ptr, '\n', rest.len) : NULL;
    return lf ? em_slice_sub(rest, 0, (size_t)(lf - rest.ptr)) : rest;
}

static size_t longest_part(const em_sought *needle)
{
    size_t longest = 0;
    for (size_t at = 0; at < needle->bytes.len;) {
        size_t length = plain_part(needle, at).len;
        if (length > longest)
            longest = length;
        at += length + 1;
    }
    return longest;
}

/* ---- Which bytes are rare? ------------------------------------------------------------------- */

/* How often each print occurs in the sample and in the needles, by a hash of it. */
typedef struct tally {
    uint16_t *counts;
    unsigned bits;
} tally;

enum { LEAST_BITS = 8, MOST_BITS = 16, SAMPLES = 64, SAMPLE = 1024 };

static em_status tally_init(tally *t, size_t bytes, em_arena *arena)
{
    t->bits = LEAST_BITS;
    while (t->bits < MOST_BITS && (size_t)1 << t->bits < 2 * bytes)
        t->bits++;
    t->counts = em_alloc_array(arena, (size_t)1 << t->bits, sizeof *t->counts);
    return t->counts ? EM_OK : EM_E_NOMEM;
}

static uint16_t *tally_of(const tally *t, uint64_t print)
{
    return &t->counts[hash_to(print, t->bits)];
}

/* How many places of the text a whole word can be read from; the last few cannot. */
static size_t whole_places(em_slice text)
{
    return text.len >= EM_PRINT_ROOM ? text.len - EM_PRINT_ROOM + 1 : 0;
}

static void count_up(uint16_t *count)
{
    *count = (uint16_t)(*count + (*count < UINT16_MAX));
}

static void tally_add(const tally *t, em_slice text, const em_print_class *class)
{
    size_t at = 0;
    for (size_t whole = whole_places(text); at < whole; at++)
        count_up(tally_of(t, load(text.ptr + at) & class->mask));
    for (; at + class->print <= text.len; at++)
        count_up(tally_of(t, print_at(class, em_slice_from(text, at))));
}

static void tally_add_sample(const tally *t, em_slice text, const em_print_class *class)
{
    size_t step = text.len / SAMPLES;
    if (step <= SAMPLE) {
        tally_add(t, text, class);
        return;
    }
    for (size_t i = 0; i < SAMPLES; i++)
        tally_add(t, em_slice_sub(text, i * step, i * step + SAMPLE), class);
}

/* The prints of a part that were looked at last, as many as the stride, and the place of those that
 * are rarest together. */
typedef struct rarest {
    size_t counts[8], sum; /* a stride is a power of two, 8 at most */
    size_t stride, at, least;
} rarest;

/* The next print of the part, which begins at `at`, occurs `count` times. */
static inline void rarest_add(rarest *r, size_t at, size_t count)
{
    size_t *oldest = &r->counts[at & (r->stride - 1)];
    r->sum += count - *oldest;
    *oldest = count;
    if (at + 1 < r->stride || r->sum >= r->least)
        return;
    r->least = r->sum;
    r->at = at + 1 - r->stride;
}

/* Of the prints in a part, as many in a row as the stride: the first of those that are rarest
 * together, and in *least how often they occur; *least stays where none are rarer. */
static size_t rarest_in(const tally *t, em_slice part, const em_print_class *class, size_t *least)
{
    rarest r = {.stride = class->stride, .at = EM_NPOS, .least = *least};
    size_t at = 0;
    for (size_t whole = whole_places(part); at < whole; at++)
        rarest_add(&r, at, *tally_of(t, load(part.ptr + at) & class->mask));
    for (; at + class->print <= part.len; at++)
        rarest_add(&r, at, *tally_of(t, print_at(class, em_slice_from(part, at))));
    *least = r.least;
    return r.at;
}

/* Where in the needle the prints of its class are that are rarest together. */
static size_t rarest_prints(const tally *t, const em_sought *needle, const em_print_class *class)
{
    size_t best = 0, least = SIZE_MAX;
    for (size_t start = 0; start < needle->bytes.len;) {
        em_slice part = plain_part(needle, start);
        size_t at = rarest_in(t, part, class, &least);
        if (at != EM_NPOS)
            best = start + at;
        start += part.len + 1;
    }
    return best;
}

/* ---- Preparing ------------------------------------------------------------------------------- */

static unsigned bits_for(size_t count)
{
    unsigned bits = 6;
    while (bits < 30 && (size_t)1 << bits < count)
        bits++;
    return bits;
}

/* A filter has so many bits for each print, and more as long as it stays in the nearest cache.
 * BIT_BITS: of a hash, to tell the bits of a word apart. */
enum {
    LEAST_PER_PRINT = 64,
    BEST_PER_PRINT = 128,
    NEAR_BITS = 19,
    MOST_BITS_OF_FILTER = 26,
    BIT_BITS = 5,
};

static unsigned filter_bits_for(size_t prints)
{
    unsigned least = bits_for(LEAST_PER_PRINT * prints), best = bits_for(BEST_PER_PRINT * prints);
    if (best < NEAR_BITS)
        return best;
    if (least > MOST_BITS_OF_FILTER)
        return MOST_BITS_OF_FILTER;
    return least > NEAR_BITS ? least : NEAR_BITS;
}

/* Where a print is in the filter: the number of a word, and of two bits in it, which must both be
 * set. One bit in four times as many words would be as good, and farther away. */
static uint32_t mark_of(const em_print_class *class, uint64_t print)
{
    return hash_to(print, class->filter_bits + BIT_BITS);
}

static uint32_t mark_word(uint32_t mark)
{
    return mark >> 2 * BIT_BITS;
}

static uint32_t mark_bits(uint32_t mark)
{
    return 1u << (mark >> BIT_BITS) % 32 | 1u << mark % 32;
}

static em_status class_init(em_print_class *class, em_arena *arena)
{
    size_t held = class->live * class->stride;
    class->filter_bits = filter_bits_for(held);
    class->table_bits = bits_for(2 * held);
    class->filter = em_alloc_array(arena, (size_t)1 << (class->filter_bits - 5), 4);
    class->keys = em_alloc_raw(arena, sizeof *class->keys << class->table_bits);
    class->first = em_alloc_array(arena, (size_t)1 << class->table_bits, sizeof *class->first);
    return class->filter && class->keys && class->first ? EM_OK : EM_E_NOMEM;
}

/* Where in the table the print is, or can be put. */
static size_t slot_of(const em_print_class *class, uint64_t print)
{
    size_t mask = ((size_t)1 << class->table_bits) - 1;
    size_t slot = hash_to(print, class->table_bits);
    while (class->first[slot] != 0 && class->keys[slot] != print)
        slot = (slot + 1) & mask;
    return slot;
}

static void add_holder(em_prints *prints, em_print_class *class, size_t needle, size_t offset)
{
    uint64_t print = print_at(class, em_slice_from(prints->needles[needle].bytes, offset));
    size_t slot = slot_of(class, print);
    uint32_t mark = mark_of(class, print);
    size_t holder = ++prints->holder_count;
    prints->holders[holder] =
        (struct em_print_holder){(uint32_t)needle, class->first[slot], offset};
    class->first[slot] = (uint32_t)holder;
    class->keys[slot] = print;
    class->filter[mark_word(mark)] |= mark_bits(mark);
}

static const em_prints_kernel *best_kernel(void)
{
    for (size_t i = 0;; i++)
        if (em_prints_kernel_at(i)->usable)
            return em_prints_kernel_at(i);
}

/* Which needle is in which class, while they are prepared. */
typedef struct grouping {
    em_print_class **class_of; /* NULL: in none yet */
    size_t *offsets;           /* of the print, where the class is by a mark */
    size_t bytes;              /* of all needles of classes by length */
} grouping;

static void classes_init(em_prints *prints)
{
    for (size_t i = 0; i < EM_PRINT_CLASSES; i++) {
        em_print_class *class = &prints->classes[i];
        bool by_mark = i < EM_MARK_CLASSES;
        *class = (em_print_class){.print = EM_MARK_PRINT, .stride = 1, .by_mark = by_mark};
        if (!by_mark) {
            class->print = shapes[i - EM_MARK_CLASSES].print;
            class->stride = shapes[i - EM_MARK_CLASSES].stride;
        }
        class->mask = ~UINT64_C(0) >> (64 - 8 * class->print);
    }
}

/* So many needles are worth a mark, and no more share a print beside one. */
enum { LEAST_MARKED = 16, MOST_SHARING = 8 };

/* The needles that are in no class yet, or what of them stands as it is: `which` they are. */
static size_t not_grouped(const em_prints *prints, const grouping *g, em_slice *texts,
                          uint32_t *which)
{
    size_t count = 0;
    for (size_t i = 0; i < prints->count; i++) {
        if (g->class_of[i])
            continue;
        texts[count] = plain_part(&prints->needles[i], 0);
        which[count++] = (uint32_t)i;
    }
    return count;
}

/* How many needles before it have had this print, by its hash. */
static size_t have_print(uint8_t *sharing, unsigned bits, em_slice text, size_t at)
{
    uint8_t *count = &sharing[hash_to(load(text.ptr + at), bits)];
    *count = (uint8_t)(*count + (*count < UINT8_MAX));
    return *count - 1u;
}

/* Put the needles that have the mark into its class. */
static em_status group_by_mark(em_print_class *class, const em_slice *texts, const uint32_t *which,
                               size_t count, grouping *g)
{
    EM_AUTO(em_arena) scratch = {0};
    unsigned bits = bits_for(2 * count);
    uint8_t *sharing = em_alloc_array(&scratch, (size_t)1 << bits, sizeof *sharing);
    if (!sharing)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        size_t at = em_mark_print_in(&class->beside, texts[i]);
        if (at == EM_NPOS || have_print(sharing, bits, texts[i], at) >= MOST_SHARING)
            continue;
        g->class_of[which[i]] = class;
        g->offsets[which[i]] = at;
        class->live++;
    }
    return EM_OK;
}

static em_status group_by_marks(em_prints *prints, em_slice text, grouping *g)
{
    EM_AUTO(em_arena) scratch = {0};
    em_slice *texts = em_alloc_array(&scratch, prints->count, sizeof *texts);
    uint32_t *which = em_alloc_array(&scratch, prints->count, sizeof *which);
    if (!texts || !which)
        return EM_E_NOMEM;
    for (size_t i = 0; i < EM_MARK_CLASSES; i++) {
        em_print_class *class = &prints->classes[i];
        size_t count = not_grouped(prints, g, texts, which);
        if (count < LEAST_MARKED || !em_mark_choose(texts, count, text, &class->beside))
            break;
        EM_TRY(group_by_mark(class, texts, which, count, g));
    }
    return EM_OK;
}

static void group_by_length(em_prints *prints, grouping *g)
{
    for (size_t i = 0; i < prints->count; i++) {
        if (g->class_of[i])
            continue;
        size_t length = longest_part(&prints->needles[i]);
        prints->is_out[i] = length == 0;
        if (length == 0)
            continue;
        g->class_of[i] = class_for(prints, length);
        g->class_of[i]->live++;
        g->bytes += prints->needles[i].bytes.len;
    }
}

static void add_marked(em_prints *prints, em_print_class *class, const grouping *g)
{
    for (size_t i = 0; i < prints->count; i++)
        if (g->class_of[i] == class)
            add_holder(prints, class, i, g->offsets[i]);
}

/* Of each needle those of its prints that are rarest. */
static em_status add_rarest(em_prints *prints, em_print_class *class, const grouping *g,
                            em_slice text)
{
    EM_AUTO(em_arena) scratch = {0};
    tally t;
    size_t sample = SAMPLES * SAMPLE < text.len ? SAMPLES * SAMPLE : text.len;
    EM_TRY(tally_init(&t, sample + g->bytes, &scratch));
    tally_add_sample(&t, text, class);
    for (size_t i = 0; i < prints->count; i++)
        if (g->class_of[i] == class)
            tally_add(&t, prints->needles[i].bytes, class);
    for (size_t i = 0; i < prints->count; i++) {
        if (g->class_of[i] != class)
            continue;
        size_t offset = rarest_prints(&t, &prints->needles[i], class);
        for (size_t j = 0; j < class->stride; j++)
            add_holder(prints, class, i, offset + j);
    }
    return EM_OK;
}

static em_status fill_classes(em_prints *prints, const grouping *g, em_slice text, em_arena *arena)
{
    size_t holders = 1;
    for (size_t i = 0; i < EM_PRINT_CLASSES; i++)
        holders += prints->classes[i].live * prints->classes[i].stride;
    if (holders <= UINT32_MAX)
        prints->holders = em_alloc_array(arena, holders, sizeof *prints->holders);
    if (!prints->holders)
        return EM_E_NOMEM;
    for (size_t i = 0; i < EM_PRINT_CLASSES; i++) {
        em_print_class *class = &prints->classes[i];
        if (class->live == 0)
            continue;
        EM_TRY(class_init(class, arena));
        if (class->by_mark)
            add_marked(prints, class, g);
        else
            EM_TRY(add_rarest(prints, class, g, text));
    }
    return EM_OK;
}

em_status em_prints_init(em_prints *prints, const em_sought *needles, size_t count, em_slice text,
                         bool by_marks, em_arena *arena)
{
    EM_AUTO(em_arena) scratch = {0};
    *prints = (em_prints){.needles = needles, .count = count, .kernel = best_kernel()};
    grouping g = {.class_of = em_alloc_array(&scratch, count, sizeof(em_print_class *)),
                  .offsets = em_alloc_array(&scratch, count, sizeof(size_t))};
    prints->is_out = em_alloc_array(arena, count, sizeof *prints->is_out);
    prints->misses = em_alloc_array(arena, count, sizeof *prints->misses);
    if (!g.class_of || !g.offsets || !prints->is_out || !prints->misses || count > UINT32_MAX)
        return EM_E_NOMEM;
    classes_init(prints);
    if (by_marks)
        EM_TRY(group_by_marks(prints, text, &g));
    group_by_length(prints, &g);
    return fill_classes(prints, &g, text, arena);
}

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

/* Is the needle worth to be looked for, now that its print stands at `at`? */
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
    uint32_t *link = &s->class->first[slot_of(s->class, print)];
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

/* ---- The kernels ----------------------------------------------------------------------------- */

static bool passes(const em_print_class *class, uint64_t print)
{
    uint32_t mark = mark_of(class, print), bits = mark_bits(mark);
    return (class->filter[mark_word(mark)] & bits) == bits;
}

static size_t filter_scalar(const em_print_class *class, const char *at, size_t count,
                            uint32_t *passed)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++, at += class->stride) {
        passed[found] = (uint32_t)i;
        found += passes(class, load(at) & class->mask);
    }
    return found;
}

static size_t marks_scalar(const em_mark *mark, const char *at, size_t count, uint32_t *found)
{
    size_t n = 0;
    for (size_t i = 0; i < count; i++) {
        found[n] = (uint32_t)i;
        n += at[i] == mark->bytes[0] && at[i + 1] == mark->bytes[1];
    }
    return n;
}

#if defined(__x86_64__)
/* What a kernel needs of a class, so that it stays in registers. */
typedef struct lookup {
    __m256i low, high; /* the mask's halves */
    __m128i down;
    const int *filter;
} lookup;

__attribute__((target("avx2"))) static lookup lookup_of(const em_print_class *class)
{
    return (lookup){.low = _mm256_set1_epi32((int)(uint32_t) class->mask),
                    .high = _mm256_set1_epi32((int)(uint32_t)(class->mask >> 32)),
                    .down = _mm_cvtsi32_si128((int)(32 - class->filter_bits - BIT_BITS)),
                    .filter = (const int *)class->filter};
}

/* Which of eight prints pass, the halves of which these are? */
__attribute__((target("avx2"))) static inline uint32_t which_pass(lookup in, __m256i low,
                                                                  __m256i high)
{
    low = _mm256_mullo_epi32(_mm256_and_si256(low, in.low), _mm256_set1_epi32((int)0x9E3779B1u));
    high = _mm256_mullo_epi32(_mm256_and_si256(high, in.high), _mm256_set1_epi32((int)0x85EBCA77u));
    __m256i marks = _mm256_srl_epi32(_mm256_add_epi32(low, high), in.down);
    __m256i words = _mm256_i32gather_epi32(in.filter, _mm256_srli_epi32(marks, 2 * BIT_BITS), 4);
    __m256i last = _mm256_set1_epi32(31); /* a bit is looked at where the sign is */
    __m256i one =
        _mm256_sllv_epi32(words, _mm256_andnot_si256(_mm256_srli_epi32(marks, BIT_BITS), last));
    __m256i other = _mm256_sllv_epi32(words, _mm256_andnot_si256(marks, last));
    return (uint32_t)_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_and_si256(one, other)));
}

/* Eight places, four bytes apart: which pass? */
__attribute__((target("avx2"))) static inline uint32_t eight_places(lookup in, const char *at)
{
    __m256i low = _mm256_loadu_si256((const __m256i *)(const void *)at);
    __m256i high = _mm256_loadu_si256((const __m256i *)(const void *)(at + 4));
    return which_pass(in, low, high);
}

/* The same of places that are eight bytes apart: what is read has the halves of each side by side.
 */
__attribute__((target("avx2"))) static inline uint32_t eight_far_places(lookup in, const char *at)
{
    __m256 first = _mm256_loadu_ps((const float *)(const void *)at);
    __m256 last = _mm256_loadu_ps((const float *)(const void *)(at + 32));
    __m256i low = _mm256_castps_si256(_mm256_shuffle_ps(first, last, 0x88));
    __m256i high = _mm256_castps_si256(_mm256_shuffle_ps(first, last, 0xDD));
    return which_pass(in, _mm256_permute4x64_epi64(low, 0xD8),
                      _mm256_permute4x64_epi64(high, 0xD8));
}

/* Note which of eight places, `apart` from each other, passed: those whose bit is set. */
static inline size_t note_passed(uint32_t bits, size_t first, size_t apart, uint32_t *passed)
{
    size_t found = 0;
    for (; bits; bits &= bits - 1)
        passed[found++] = (uint32_t)(first + (size_t)__builtin_ctz(bits) * apart);
    return found;
}

/* Where every place counts, the eight are gone over four times, one byte further each time. */
__attribute__((target("avx2"))) static size_t
filter_avx2(const em_print_class *class, const char *at, size_t count, uint32_t *passed)
{
    const lookup in = lookup_of(class);
    size_t found = 0, done = 0, stride = class->stride;
    size_t phases = stride < 4 ? 4 / stride : 1, step = 8 * phases;
    if (stride == 8)
        for (; done + 8 <= count; done += 8)
            found += note_passed(eight_far_places(in, at + done * 8), done, 1, passed + found);
    for (; stride < 8 && done + step <= count; done += step)
        for (size_t phase = 0; phase < phases; phase++)
            found += note_passed(eight_places(in, at + done * stride + phase), done + phase, phases,
                                 passed + found);
    size_t before = found;
    found += filter_scalar(class, at + done * stride, count - done, passed + before);
    for (size_t i = before; i < found; i++)
        passed[i] += (uint32_t)done;
    return found;
}

__attribute__((target("avx2"))) static inline __m256i where_is(const char *at, __m256i byte)
{
    return _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(const void *)at), byte);
}

__attribute__((target("avx2"))) static inline __m256i where_are(const char *at, __m256i one,
                                                                __m256i two)
{
    return _mm256_and_si256(where_is(at, one), where_is(at + 1, two));
}

/* Mostly there is none in two vectors. */
__attribute__((target("avx2"))) static size_t marks_avx2(const em_mark *mark, const char *at,
                                                         size_t count, uint32_t *found)
{
    enum { WIDTH = 32, STEP = 2 * WIDTH };
    const __m256i one = _mm256_set1_epi8(mark->bytes[0]), two = _mm256_set1_epi8(mark->bytes[1]);
    size_t n = 0, done = 0;
    for (; done + STEP <= count; done += STEP) {
        __m256i first = where_are(at + done, one, two);
        __m256i second = where_are(at + done + WIDTH, one, two);
        if (_mm256_testz_si256(_mm256_or_si256(first, second), _mm256_set1_epi8(-1)))
            continue;
        n += note_passed((uint32_t)_mm256_movemask_epi8(first), done, 1, found + n);
        n += note_passed((uint32_t)_mm256_movemask_epi8(second), done + WIDTH, 1, found + n);
    }
    size_t before = n;
    n += marks_scalar(mark, at + done, count - done, found + before);
    for (size_t i = before; i < n; i++)
        found[i] += (uint32_t)done;
    return n;
}
#endif

/* Best first. */
static const em_prints_kernel kernels[] = {
#if defined(__x86_64__)
    {"avx2", true, filter_avx2, marks_avx2},
#endif
    {"scalar", true, filter_scalar, marks_scalar},
};

const em_prints_kernel *em_prints_kernel_at(size_t index)
{
#if defined(__x86_64__)
    static const em_prints_kernel unusable = {"avx2", false, filter_avx2, marks_avx2};
    if (index == 0 && !__builtin_cpu_supports("avx2"))
        return &unusable;
#endif
    return index < sizeof kernels / sizeof kernels[0] ? &kernels[index] : NULL;
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
    size_t slot = hash_to(print, s->class->table_bits);
    __builtin_prefetch(&s->class->first[slot]);
    __builtin_prefetch(&s->class->keys[slot]);
}

static void expect_holder(const search *s, uint64_t print)
{
    size_t slot = hash_to(print, s->class->table_bits);
    __builtin_prefetch(&s->prints->holders[s->class->first[slot]]);
}

static void expect_needle(const search *s, uint64_t print)
{
    size_t slot = hash_to(print, s->class->table_bits);
    const struct em_print_holder *holder = &s->prints->holders[s->class->first[slot]];
    __builtin_prefetch(s->prints->needles[holder->needle].bytes.ptr);
}

/* What passed: BLOCK_PLACES at most, so far from `base`. */
static void try_passed(const search *s, size_t base, const uint32_t *passed, size_t count)
{
    uint64_t prints[BLOCK_PLACES];
    for (size_t i = 0; i < count; i++)
        prints[i] = load(s->hay.ptr + base + passed[i]) & s->class->mask;
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
        passed += start <= last && passes(s->class, load(s->hay.ptr + start));
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
        uint64_t print = print_at(class, em_slice_from(s->hay, at));
        if (passes(s->class, print))
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
        find_in_blocks(&s);
        if (!s.class->by_mark)
            find_at_end(&s);
    }
}

/* prints_rarest.c: which prints of a needle are rare, as far as a sample of the text tells. */
#include "text/prints_impl.h"

enum { LEAST_BITS = 8, MOST_BITS = 16, SAMPLES = 64, SAMPLE = EM_MOST_SAMPLED / SAMPLES };

em_slice em_plain_part(const em_sought *needle, size_t start)
{
    em_slice rest = em_slice_from(needle->bytes, start);
    return needle->any_eol ? em_slice_sub(rest, 0, em_slice_until(rest, '\n')) : rest;
}

em_status em_tally_init(em_print_tally *t, size_t bytes, em_arena *arena)
{
    t->bits = LEAST_BITS;
    while (t->bits < MOST_BITS && (size_t)1 << t->bits < 2 * bytes)
        t->bits++;
    t->counts = em_alloc_array(arena, (size_t)1 << t->bits, sizeof *t->counts);
    return t->counts ? EM_OK : EM_E_NOMEM;
}

/* How many places of the text a whole word can be read from; the last few cannot. */
static size_t whole_places(em_slice text)
{
    return text.len >= EM_PRINT_ROOM ? text.len - EM_PRINT_ROOM + 1 : 0;
}

void em_tally_add(const em_print_tally *t, em_slice text, const em_print_class *class)
{
    size_t at = 0;
    for (size_t whole = whole_places(text); at < whole; at++)
        em_tally_count(t, em_print_load(text.ptr + at) & class->mask);
    for (; at + class->print <= text.len; at++)
        em_tally_count(t, em_print_at(class, em_slice_from(text, at)));
}

void em_tally_add_sample(const em_print_tally *t, em_slice text, const em_print_class *class)
{
    size_t step = text.len / SAMPLES;
    if (step <= SAMPLE) {
        em_tally_add(t, text, class);
        return;
    }
    for (size_t i = 0; i < SAMPLES; i++)
        em_tally_add(t, em_slice_sub(text, i * step, i * step + SAMPLE), class);
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
static size_t rarest_in(const em_print_tally *t, em_slice part, const em_print_class *class,
                        size_t *least)
{
    rarest r = {.stride = class->stride, .at = EM_NPOS, .least = *least};
    size_t at = 0;
    for (size_t whole = whole_places(part); at < whole; at++)
        rarest_add(&r, at, em_tally_of(t, em_print_load(part.ptr + at) & class->mask));
    for (; at + class->print <= part.len; at++)
        rarest_add(&r, at, em_tally_of(t, em_print_at(class, em_slice_from(part, at))));
    *least = r.least;
    return r.at;
}

size_t em_rarest_prints(const em_print_tally *t, const em_sought *needle,
                        const em_print_class *class, size_t *count)
{
    size_t best = 0;
    *count = SIZE_MAX;
    for (size_t start = 0; start < needle->bytes.len;) {
        em_slice part = em_plain_part(needle, start);
        size_t at = rarest_in(t, part, class, count);
        if (at != EM_NPOS)
            best = start + at;
        start += part.len + 1;
    }
    return best;
}

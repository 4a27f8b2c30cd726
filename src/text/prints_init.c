/* prints_init.c: needles are put into classes, and their prints into filters and tables.
 *
 * A needle of a class with stride S has the prints of S places in a row, so whatever the place
 * where it stands, one of them is at a place that is looked at.
 *
 * Those whose prints turn out to be everywhere go on to the classes of windows, if what that spares
 * is more than one more look at each byte of the text costs.
 */
#include "text/prints_impl.h"

/* ---- Classes --------------------------------------------------------------------------------- */

/* To look at fewer places is quicker as long as the tables, which have more prints then, are small
 * enough for the processor's nearest caches: so only for up to `most` needles. */
static const struct {
    size_t shortest, print, stride, most;
} shapes[EM_LENGTH_CLASSES] = {{15, 8, 8, 2048},
                               {11, 8, 4, SIZE_MAX},
                               {4, 4, 1, SIZE_MAX},
                               {2, 2, 1, SIZE_MAX},
                               {1, 1, 1, SIZE_MAX}};

static em_print_class *class_for(em_prints *prints, size_t length)
{
    size_t i = 0;
    while (length < shapes[i].shortest || prints->count > shapes[i].most)
        i++;
    return &prints->classes[EM_MARK_CLASSES + i];
}

static size_t longest_part(const em_sought *needle)
{
    size_t longest = 0;
    for (size_t at = 0; at < needle->bytes.len;) {
        size_t length = em_plain_part(needle, at).len;
        if (length > longest)
            longest = length;
        at += length + 1;
    }
    return longest;
}

/* Of the classes of windows the first is of the shortest, each of the others of four times as long
 * ones; behind them are those that take any line ending for an LF. */
enum { FIRST_WINDOW_CLASS = EM_MARK_CLASSES + EM_LENGTH_CLASSES, SHORTEST_WINDOW = 32 };

static size_t window_length(size_t i)
{
    return (size_t)SHORTEST_WINDOW << 2 * i;
}

/* The class of the longest windows that the needle has; NULL: it has none. */
static em_print_class *window_class_for(em_prints *prints, const em_sought *needle)
{
    size_t i = EM_WINDOW_LENGTHS, first = needle->any_eol ? EM_WINDOW_LENGTHS : 0;
    while (i > 0 && window_length(i - 1) > needle->bytes.len)
        i--;
    return i > 0 ? &prints->classes[FIRST_WINDOW_CLASS + first + i - 1] : NULL;
}

static void classes_init(em_prints *prints)
{
    for (size_t i = 0; i < EM_WINDOW_CLASSES; i++)
        em_window_class_init(&prints->classes[FIRST_WINDOW_CLASS + i],
                             window_length(i % EM_WINDOW_LENGTHS), i >= EM_WINDOW_LENGTHS);
    for (size_t i = 0; i < FIRST_WINDOW_CLASS; i++) {
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

/* ---- Filters and tables ---------------------------------------------------------------------- */

static unsigned bits_for(size_t count)
{
    unsigned bits = 6;
    while (bits < 30 && (size_t)1 << bits < count)
        bits++;
    return bits;
}

/* A filter has so many bits for each print, and more as long as it stays in the nearest cache. */
enum {
    LEAST_PER_PRINT = 64,
    BEST_PER_PRINT = 128,
    NEAR_BITS = 19,
    MOST_BITS_OF_FILTER = 26,
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

/* The print at the start of `bytes`, which has it. */
static uint64_t print_of(const em_print_class *class, em_slice bytes)
{
    em_window window;
    if (!class->by_window)
        return em_print_at(class, bytes);
    em_window_at(class, bytes, 0, &window);
    return window.print;
}

static void add_holder(em_prints *prints, em_print_class *class, size_t needle, size_t offset)
{
    uint64_t print = print_of(class, em_slice_from(prints->needles[needle].bytes, offset));
    size_t slot = em_print_slot(class, print);
    uint32_t mark = em_filter_mark(class, print);
    size_t holder = ++prints->holder_count;
    prints->holders[holder] =
        (struct em_print_holder){(uint32_t)needle, class->first[slot], offset};
    class->first[slot] = (uint32_t)holder;
    class->keys[slot] = print;
    class->filter[em_filter_word(mark)] |= em_filter_bits(mark);
}

/* ---- Which needle is in which class? --------------------------------------------------------- */

/* Which needle is in which class, while they are prepared. */
typedef struct grouping {
    em_print_class **class_of; /* NULL: in none yet */
    size_t *offsets;           /* of the print, or of the first of several */
    double *tries;             /* in the text, for a class by length: as many as a sample tells */
    size_t bytes;              /* of all needles of classes by length */
} grouping;

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
        texts[count] = em_plain_part(&prints->needles[i], 0);
        which[count++] = (uint32_t)i;
    }
    return count;
}

/* How many needles before it have had this print, by its hash. */
static size_t have_print(uint8_t *sharing, unsigned bits, em_slice text, size_t at)
{
    uint8_t *count = &sharing[em_print_hash(em_print_load(text.ptr + at), bits)];
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
    em_slice *texts = em_alloc_array_raw(&scratch, prints->count, sizeof *texts);
    uint32_t *which = em_alloc_array_raw(&scratch, prints->count, sizeof *which);
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

/* ---- Which print of a needle? ---------------------------------------------------------------- */

/* At so many places of the text a needle is tried whose prints were counted so often, among those
 * of so many bytes. Twice as many as have the same hashes by chance do not count. */
static double expected_tries(const em_print_tally *t, const em_print_class *class, size_t count,
                             size_t bytes, size_t text_length)
{
    double stride = (double)class->stride;
    double by_chance = 2 * stride * (double)bytes / (double)((size_t)1 << t->bits);
    double own = (double)count - by_chance;
    return own > 0 ? own / stride * (double)text_length / (double)bytes : 0;
}

/* Of each needle of a class by length those of its prints that are rarest. */
static em_status choose_rarest(const em_prints *prints, const em_print_class *class,
                               const grouping *g, em_slice text)
{
    EM_AUTO(em_arena) scratch = {0};
    em_print_tally t;
    size_t sample = text.len < EM_MOST_SAMPLED ? text.len : EM_MOST_SAMPLED;
    size_t bytes = sample + g->bytes;
    EM_TRY(em_tally_init(&t, bytes, &scratch));
    em_tally_add_sample(&t, text, class);
    for (size_t i = 0; i < prints->count; i++)
        if (g->class_of[i] == class)
            em_tally_add(&t, prints->needles[i].bytes, class);
    for (size_t i = 0; i < prints->count; i++) {
        size_t count;
        if (g->class_of[i] != class)
            continue;
        g->offsets[i] = em_rarest_prints(&t, &prints->needles[i], class, &count);
        g->tries[i] = expected_tries(&t, class, count, bytes, text.len);
    }
    return EM_OK;
}

/* Of each needle of a class of windows the rarest one. */
static em_status choose_windows(const em_prints *prints, const em_print_class *class,
                                const grouping *g, em_slice text)
{
    EM_AUTO(em_arena) scratch = {0};
    em_print_tally t;
    EM_TRY(em_tally_init(&t, text.len, &scratch));
    em_tally_add_windows(&t, text, class);
    for (size_t i = 0; i < prints->count; i++)
        if (g->class_of[i] == class)
            g->offsets[i] = em_rarest_window(&t, prints->needles[i].bytes, class);
    return EM_OK;
}

/* A needle that would be tried at more places than this may have a window instead. */
enum { MANY_TRIES = 32 };

/* The class of windows that the needle is to go to; NULL: none. */
static em_print_class *window_class_of(em_prints *prints, const grouping *g, size_t needle)
{
    if (g->tries[needle] <= MANY_TRIES)
        return NULL;
    return window_class_for(prints, &prints->needles[needle]);
}

/* Put needles whose prints are everywhere into classes of windows. */
static void group_by_window(em_prints *prints, em_slice text, const grouping *g)
{
    double spared = 0;
    for (size_t i = 0; i < prints->count; i++)
        spared += window_class_of(prints, g, i) ? g->tries[i] : 0;
    if (spared <= (double)text.len)
        return;
    for (size_t i = 0; i < prints->count; i++) {
        em_print_class *class = window_class_of(prints, g, i);
        if (!class)
            continue;
        g->class_of[i]->live--;
        g->class_of[i] = class;
        class->live++;
    }
}

static em_status choose_prints(em_prints *prints, const grouping *g, em_slice text)
{
    for (size_t i = EM_MARK_CLASSES; i < FIRST_WINDOW_CLASS; i++)
        if (prints->classes[i].live > 0)
            EM_TRY(choose_rarest(prints, &prints->classes[i], g, text));
    group_by_window(prints, text, g);
    for (size_t i = FIRST_WINDOW_CLASS; i < EM_PRINT_CLASSES; i++)
        if (prints->classes[i].live > 0)
            EM_TRY(choose_windows(prints, &prints->classes[i], g, text));
    return EM_OK;
}

/* ---- All of it ------------------------------------------------------------------------------- */

static void add_needles(em_prints *prints, em_print_class *class, const grouping *g)
{
    for (size_t i = 0; i < prints->count; i++)
        for (size_t j = 0; g->class_of[i] == class && j < class->stride; j++)
            add_holder(prints, class, i, g->offsets[i] + j);
}

static em_status fill_classes(em_prints *prints, const grouping *g, em_arena *arena)
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
        add_needles(prints, class, g);
    }
    return EM_OK;
}

static const em_prints_kernel *best_kernel(void)
{
    for (size_t i = 0;; i++)
        if (em_prints_kernel_at(i)->usable)
            return em_prints_kernel_at(i);
}

em_status em_prints_init(em_prints *prints, const em_sought *needles, size_t count, em_slice text,
                         bool by_marks, em_arena *arena)
{
    EM_AUTO(em_arena) scratch = {0};
    *prints = (em_prints){.needles = needles, .count = count, .kernel = best_kernel()};
    grouping g = {.class_of = em_alloc_array(&scratch, count, sizeof(em_print_class *)),
                  .offsets = em_alloc_array(&scratch, count, sizeof(size_t)),
                  .tries = em_alloc_array(&scratch, count, sizeof(double))};
    prints->is_out = em_alloc_array(arena, count, sizeof *prints->is_out);
    prints->misses = em_alloc_array(arena, count, sizeof *prints->misses);
    if (!g.class_of || !g.offsets || !g.tries || !prints->is_out || !prints->misses ||
        count > UINT32_MAX)
        return EM_E_NOMEM;
    classes_init(prints);
    if (by_marks)
        EM_TRY(group_by_marks(prints, text, &g));
    group_by_length(prints, &g);
    EM_TRY(choose_prints(prints, &g, text));
    return fill_classes(prints, &g, arena);
}

/* One source for every machine: GNU vectors, which become AVX2 in the copy that is compiled for it,
 * and SSE2, NEON or plain words elsewhere.
 *
 * Most texts have no CR. So CRs are counted by another pass over a few kilobytes that have one.
 */
#include "text/count.h"

#include "base/beside.h"
#include "base/processor.h"

#include <stdint.h>

typedef unsigned char vec __attribute__((vector_size(32)));
typedef signed char signed_vec __attribute__((vector_size(32)));

/* A lane counts to 255 before it has to be emptied. */
enum { WIDTH = sizeof(vec), LANE_MAX = 255, TOGETHER = 4 };

/* Ends of lines and code points, and whether there is a CR at all. */
typedef struct lanes {
    vec lf, chars, any_cr;
} lanes;

/* a comparison gives -1 where it holds, so subtracting counts */
__attribute__((always_inline)) static inline void lanes_add(lanes *sum, const char *at)
{
    enum { LAST_CONTINUATION = (signed char)0xBF };
    vec here;
    memcpy(&here, at, WIDTH);
    sum->lf -= (vec)(here == (unsigned char)'\n');
    sum->chars -= (vec)((signed_vec)here > (signed char)LAST_CONTINUATION);
    sum->any_cr |= (vec)(here == (unsigned char)'\r');
}

/* What only a text with CRs has to be looked at for. */
typedef struct cr_lanes {
    vec cr, crlf;
} cr_lanes;

__attribute__((always_inline)) static inline void cr_lanes_add(cr_lanes *sum, const char *at)
{
    vec here, next;
    memcpy(&here, at, WIDTH);
    memcpy(&next, at + 1, WIDTH);
    vec cr = (vec)(here == (unsigned char)'\r');
    sum->cr -= cr;
    sum->crlf -= cr & (vec)(next == (unsigned char)'\n');
}

/* Has any byte one of these bits? */
__attribute__((always_inline)) static inline bool lanes_have(const vec *lane, uint64_t bits)
{
    uint64_t words[WIDTH / sizeof(uint64_t)], any = 0;
    memcpy(words, lane, sizeof words);
    for (size_t i = 0; i < WIDTH / sizeof(uint64_t); i++)
        any |= words[i];
    return (any & bits) != 0;
}

/* Bytes to pairs within each word, and the four pairs to one by a multiplication. */
__attribute__((always_inline)) static inline size_t lanes_total(const vec *lane)
{
    const uint64_t even = 0x00FF00FF00FF00FFu, gather = 0x0001000100010001u;
    uint64_t words[WIDTH / sizeof(uint64_t)];
    size_t total = 0;
    memcpy(words, lane, sizeof words);
    for (size_t i = 0; i < WIDTH / sizeof(uint64_t); i++)
        total += ((words[i] & even) + (words[i] >> 8 & even)) * gather >> 48;
    return total;
}

/* Add the CRs of at most LANE_MAX vectors, and those that an LF follows. */
__attribute__((always_inline)) static inline void count_crs(const char *at, size_t vectors,
                                                            size_t *cr, size_t *crlf)
{
    cr_lanes sum = {0};
    for (size_t i = 0; i < vectors; i++)
        cr_lanes_add(&sum, at + i * WIDTH);
    *cr += lanes_total(&sum.cr);
    *crlf += lanes_total(&sum.crlf);
}

__attribute__((always_inline)) static inline em_counts count_vectors(const char *at, size_t vectors)
{
    em_counts counts = {0};
    for (size_t run; vectors > 0; vectors -= run, at += run * WIDTH) {
        size_t i = 0;
        lanes sum = {0};
        run = vectors < LANE_MAX ? vectors : LANE_MAX;
        for (; i + TOGETHER <= run; i += TOGETHER)
            for (size_t j = 0; j < TOGETHER; j++)
                lanes_add(&sum, at + (i + j) * WIDTH);
        for (; i < run; i++)
            lanes_add(&sum, at + i * WIDTH);
        counts.lf += lanes_total(&sum.lf);
        counts.chars += lanes_total(&sum.chars);
        if (lanes_have(&sum.any_cr, UINT64_MAX))
            count_crs(at, run, &counts.cr, &counts.crlf);
    }
    return counts;
}

/* ---- Ends of lines alone --------------------------------------------------------------------- */

__attribute__((always_inline)) static inline size_t lfs_in_vectors(const char *at, size_t vectors)
{
    size_t count = 0;
    for (size_t run; vectors > 0; vectors -= run, at += run * WIDTH) {
        vec sum = {0}, here;
        run = vectors < LANE_MAX ? vectors : LANE_MAX;
        for (size_t i = 0; i < run; i++) {
            memcpy(&here, at + i * WIDTH, WIDTH);
            sum -= (vec)(here == (unsigned char)'\n');
        }
        count += lanes_total(&sum);
    }
    return count;
}

/* A byte of what is left over becomes 0 where it is an LF, and then its highest bit is set. */
static size_t lfs_in_word(const char *at)
{
    const uint64_t low = 0x7F7F7F7F7F7F7F7Fu, lfs = 0x0A0A0A0A0A0A0A0Au;
    uint64_t word;
    memcpy(&word, at, sizeof word);
    word ^= lfs;
    return (size_t)__builtin_popcountll(~(((word & low) + low) | word | low));
}

/* ---- All that is known after one look -------------------------------------------------------- */

typedef struct looks {
    vec lf, any_cr, nul, all; /* `all` has every bit that any byte has */
} looks;

__attribute__((always_inline)) static inline void looks_add(looks *sum, const char *at)
{
    vec here;
    memcpy(&here, at, WIDTH);
    sum->lf -= (vec)(here == (unsigned char)'\n');
    sum->any_cr |= (vec)(here == (unsigned char)'\r');
    sum->nul |= (vec)(here == 0);
    sum->all |= here;
}

__attribute__((always_inline)) static inline em_look_over over_vectors(const char *at,
                                                                       size_t vectors)
{
    em_look_over over = {.is_ascii = true};
    looks sum = {0};
    for (size_t run; vectors > 0; vectors -= run, at += run * WIDTH) {
        run = vectors < LANE_MAX ? vectors : LANE_MAX;
        sum.lf = sum.any_cr = (vec){0};
        for (size_t i = 0; i < run; i++)
            looks_add(&sum, at + i * WIDTH);
        over.lf += lanes_total(&sum.lf);
        if (lanes_have(&sum.any_cr, UINT64_MAX))
            count_crs(at, run, &over.cr, &over.crlf);
    }
    over.has_nul = lanes_have(&sum.nul, UINT64_MAX);
    over.is_ascii = !lanes_have(&sum.all, 0x8080808080808080u);
    return over;
}

/* ---- For each machine ---------------------------------------------------------------------- */

/* Look at `vectors` times WIDTH bytes; one byte more may be read. */
typedef em_counts vectors_fn(const char *at, size_t vectors);
typedef em_look_over over_fn(const char *at, size_t vectors);
typedef size_t lfs_fn(const char *at, size_t vectors); /* which does not read that byte */

typedef struct ways {
    vectors_fn *count;
    over_fn *over;
    lfs_fn *lfs;
} ways;

static em_counts vectors_plain(const char *at, size_t vectors)
{
    return count_vectors(at, vectors);
}

static em_look_over over_plain(const char *at, size_t vectors)
{
    return over_vectors(at, vectors);
}

static size_t lfs_plain(const char *at, size_t vectors)
{
    return lfs_in_vectors(at, vectors);
}

static const ways plain = {vectors_plain, over_plain, lfs_plain};

#if defined(__x86_64__) || defined(__i386__)
__attribute__((target("avx2"))) static em_counts vectors_avx2(const char *at, size_t vectors)
{
    return count_vectors(at, vectors);
}

__attribute__((target("avx2"))) static em_look_over over_avx2(const char *at, size_t vectors)
{
    return over_vectors(at, vectors);
}

__attribute__((target("avx2"))) static size_t lfs_avx2(const char *at, size_t vectors)
{
    return lfs_in_vectors(at, vectors);
}

static ways best(void)
{
    return em_has_avx2() ? (ways){vectors_avx2, over_avx2, lfs_avx2} : plain;
}
#else
static ways best(void)
{
    return plain;
}
#endif

/* The vectors look one byte ahead, and that byte has to be there. */
static size_t vectors_of(size_t bytes, bool one_more)
{
    return (one_more || bytes == 0 ? bytes : bytes - 1) / WIDTH;
}

static em_counts count_with(vectors_fn *count, em_slice s, size_t start, size_t end)
{
    size_t vectors = vectors_of(end - start, end < s.len);
    em_counts counts = {0};
    if (vectors > 0)
        counts = count(s.ptr + start, vectors);
    for (size_t i = start + vectors * WIDTH; i < end; i++) {
        bool cr = s.ptr[i] == '\r';
        counts.lf += s.ptr[i] == '\n';
        counts.cr += cr;
        counts.crlf += cr && i + 1 < s.len && s.ptr[i + 1] == '\n';
        counts.chars += ((unsigned char)s.ptr[i] & 0xC0) != 0x80;
    }
    return counts;
}

static size_t lfs_with(lfs_fn *count, em_slice s, size_t start, size_t end)
{
    enum { WORD = sizeof(uint64_t) };
    size_t vectors = (end - start) / WIDTH, lfs = vectors > 0 ? count(s.ptr + start, vectors) : 0;
    start += vectors * WIDTH;
    for (; end - start >= WORD; start += WORD)
        lfs += lfs_in_word(s.ptr + start);
    for (; start < end; start++)
        lfs += s.ptr[start] == '\n';
    return lfs;
}

static em_look_over over_with(over_fn *look, em_slice s, size_t start, size_t end)
{
    size_t vectors = vectors_of(end - start, end < s.len);
    em_look_over over = {.is_ascii = true};
    if (vectors > 0)
        over = look(s.ptr + start, vectors);
    for (size_t i = start + vectors * WIDTH; i < end; i++) {
        bool cr = s.ptr[i] == '\r';
        over.lf += s.ptr[i] == '\n';
        over.cr += cr;
        over.crlf += cr && i + 1 < s.len && s.ptr[i + 1] == '\n';
        over.has_nul = over.has_nul || s.ptr[i] == '\0';
        over.is_ascii = over.is_ascii && (unsigned char)s.ptr[i] < 0x80;
    }
    return over;
}

static void over_add(em_look_over *all, em_look_over more)
{
    all->lf += more.lf;
    all->cr += more.cr;
    all->crlf += more.crlf;
    all->has_nul = all->has_nul || more.has_nul;
    all->is_ascii = all->is_ascii && more.is_ascii;
}

/* To look at as many takes half a millisecond. */
enum { BYTES_WORTH_A_THREAD = 4 << 20 };

/* A text in stretches, and what is known of the first of them and of the others. */
typedef struct stretches {
    over_fn *look;
    em_slice s;
    size_t length, count;
    size_t *before; /* by stretch: LFs in its half up to its end */
    size_t second;  /* the first of the others */
    em_look_over halves[2];
} stretches;

static void look_over_some(void *context, size_t from, size_t to)
{
    stretches *t = context;
    em_look_over all = {.is_ascii = true};
    for (size_t i = from; i < to; i++) {
        size_t start = i * t->length, left = t->s.len - start;
        over_add(&all,
                 over_with(t->look, t->s, start, start + (left < t->length ? left : t->length)));
        t->before[i] = all.lf;
    }
    t->halves[from > 0] = all;
    if (from > 0)
        t->second = from;
}

em_counts em_count(em_slice s, size_t start, size_t end)
{
    return count_with(best().count, s, start, end);
}

em_counts em_count_plain(em_slice s, size_t start, size_t end)
{
    return count_with(plain.count, s, start, end);
}

size_t em_count_lfs(em_slice s, size_t start, size_t end)
{
    return lfs_with(best().lfs, s, start, end);
}

size_t em_count_lfs_plain(em_slice s, size_t start, size_t end)
{
    return lfs_with(plain.lfs, s, start, end);
}

em_look_over em_count_over(em_slice s)
{
    return over_with(best().over, s, 0, s.len);
}

em_look_over em_count_over_plain(em_slice s)
{
    return over_with(plain.over, s, 0, s.len);
}

em_look_over em_count_over_stretches(em_slice s, size_t stretch, size_t *before)
{
    stretches t = {.look = best().over,
                   .s = s,
                   .length = stretch,
                   .count = s.len / stretch + (s.len % stretch > 0),
                   .before = before + 1,
                   .halves[1].is_ascii = true};
    t.second = t.count;
    *before = 0;
    em_in_halves(t.count, BYTES_WORTH_A_THREAD / stretch, look_over_some, &t);
    for (size_t i = t.second; i < t.count; i++)
        t.before[i] += t.halves[0].lf;
    over_add(&t.halves[0], t.halves[1]);
    return t.halves[0];
}

/* needles.c: the kernels, and what they share.
 *
 * A kernel looks at a vector of places at once. For each it gives the sets of needles whose rare
 * bytes may stand there, as bits; where any bit is left, confirm() compares. As in search.c, no
 * byte outside of the haystack is read: what is behind the last full vector is done one by one.
 */
#include "text/needles.h"

#include "base/ascii.h"
#include "base/processor.h"
#include "text/search.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* ---- Preparing ------------------------------------------------------------------------------- */

/* The offset of the bytes in a row that are rarest together; a needle that is shorter has only one.
 */
static size_t rarest_print(em_slice needle)
{
    size_t best = 0;
    unsigned least = ~0u;
    for (size_t at = 0; at + EM_PRINT <= needle.len; at++) {
        unsigned common = 0;
        for (size_t i = 0; i < EM_PRINT; i++)
            common += em_commonness(needle.ptr[at + i]);
        if (common < least) {
            least = common;
            best = at;
        }
    }
    return best;
}

/* The bytes at the start of `s` as a number; what is behind its end counts as 0. */
static uint32_t print_of(em_slice s)
{
    uint32_t print = 0;
    for (size_t i = 0; i < EM_PRINT && i < s.len; i++)
        print |= (uint32_t)(unsigned char)s.ptr[i] << 8 * i;
    return print;
}

enum { CASE = 'a' - 'A' }; /* the bit by which the cases of a letter differ */

/* Which bits of the print must be there: not the case of letters, nor what is behind the end. */
static uint32_t mask_of(em_slice s)
{
    uint32_t mask = 0;
    for (size_t i = 0; i < EM_PRINT && i < s.len; i++)
        mask |= (em_is_letter(s.ptr[i]) ? 0xFFu & ~(uint32_t)CASE : 0xFFu) << 8 * i;
    return mask;
}

static uint32_t print_at(em_slice hay, size_t at)
{
    uint32_t print;
    if (hay.len - at < sizeof print || __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__)
        return print_of(em_slice_from(hay, at));
    memcpy(&print, hay.ptr + at, sizeof print);
    return print;
}

/* Can a byte whose upper or lower half is `half` be the one that a needle has? */
static bool fits(unsigned half, uint32_t byte, uint32_t mask)
{
    return ((half ^ byte) & mask & 15) == 0;
}

static void fill_tables(em_needles *n)
{
    memset(n->low, 0, sizeof n->low);
    memset(n->high, 0, sizeof n->high);
    for (size_t which = 0; which < n->count; which++) {
        uint8_t set = (uint8_t)(1u << which % EM_PRINT_SETS);
        if (n->masks[which] == 0)
            continue;
        for (size_t i = 0; i < EM_PRINT; i++)
            for (unsigned half = 0; half < 16; half++) {
                uint32_t byte = n->prints[which] >> 8 * i, mask = n->masks[which] >> 8 * i;
                n->low[i][half] |= fits(half, byte, mask) ? set : 0;
                n->high[i][half] |= fits(half, byte >> 4, mask >> 4) ? set : 0;
            }
    }
}

static const em_needles_kernel *best_kernel(void)
{
    for (size_t i = 0;; i++)
        if (em_needles_kernel_at(i)->usable)
            return em_needles_kernel_at(i);
}

void em_needles_init(em_needles *needles, const em_slice *items, size_t count)
{
    *needles = (em_needles){.count = count, .kernel = best_kernel()};
    for (size_t i = 0; i < count; i++) {
        needles->items[i] = items[i];
        needles->offsets[i] = rarest_print(items[i]);
        em_slice print = em_slice_from(items[i], needles->offsets[i]);
        needles->masks[i] = mask_of(print);
        needles->prints[i] = print_of(print) & needles->masks[i];
    }
    fill_tables(needles);
}

void em_needles_leave_out(em_needles *needles, size_t which)
{
    needles->masks[which] = 0;
    needles->prints[which] = 1; /* which nothing is equal to, with that mask */
    fill_tables(needles);
}

/* ---- Looking --------------------------------------------------------------------------------- */

static bool stands_at(em_slice needle, em_slice hay, size_t at)
{
    return hay.len - at >= needle.len &&
           em_same_in_any_case(em_slice_sub(hay, at, at + needle.len), needle);
}

/* The needles whose rare bytes begin at `at`. Which set the kernel saw is of no use here: to
 * compare with the prints of all needles takes no branch. */
static void confirm(const em_needles *n, em_slice hay, size_t at, em_needle_found *found,
                    void *context)
{
    uint32_t print = print_at(hay, at), match = 0;
    for (size_t i = 0; i < n->count; i++)
        match |= (uint32_t)((print & n->masks[i]) == n->prints[i]) << i;
    for (; match; match &= match - 1) {
        size_t which = (size_t)__builtin_ctz(match);
        if (at >= n->offsets[which] && stands_at(n->items[which], hay, at - n->offsets[which]))
            found(context, which, at - n->offsets[which]);
    }
}

static void find_scalar(const em_needles *n, em_slice hay, size_t from, size_t to,
                        em_needle_found *found, void *context)
{
    for (size_t at = from; at < to; at++) {
        unsigned sets = ~0u;
        for (size_t i = 0; i < EM_PRINT && i < hay.len - at; i++) {
            unsigned char byte = (unsigned char)hay.ptr[at + i];
            sets &= n->low[i][byte & 15] & n->high[i][byte >> 4];
        }
        if (sets)
            confirm(n, hay, at, found, context);
    }
}

/* How many vectors of places there are in [from, to), with the bytes behind them that they need. */
static size_t whole_vectors(em_slice hay, size_t from, size_t to, size_t width)
{
    size_t most = hay.len < EM_PRINT - 1 ? 0 : hay.len - (EM_PRINT - 1);
    if (to > most)
        to = most;
    return from < to ? (to - from) / width : 0;
}

#if defined(__x86_64__)
__attribute__((target("ssse3"))) static __m128i sets_ssse3(const em_needles *n, const char *at)
{
    __m128i sets = _mm_set1_epi8(-1), half = _mm_set1_epi8(15);
    for (size_t i = 0; i < EM_PRINT; i++) {
        __m128i bytes = _mm_loadu_si128((const __m128i *)(const void *)(at + i));
        __m128i low = _mm_loadu_si128((const __m128i *)(const void *)n->low[i]);
        __m128i high = _mm_loadu_si128((const __m128i *)(const void *)n->high[i]);
        __m128i upper = _mm_and_si128(_mm_srli_epi16(bytes, 4), half);
        sets = _mm_and_si128(sets, _mm_shuffle_epi8(low, _mm_and_si128(bytes, half)));
        sets = _mm_and_si128(sets, _mm_shuffle_epi8(high, upper));
    }
    return sets;
}

__attribute__((target("ssse3"))) static void find_ssse3(const em_needles *n, em_slice hay,
                                                        size_t from, size_t to,
                                                        em_needle_found *found, void *context)
{
    enum { WIDTH = 16 };
    size_t end = from + whole_vectors(hay, from, to, WIDTH) * WIDTH;
    for (; from < end; from += WIDTH) {
        __m128i sets = sets_ssse3(n, hay.ptr + from);
        uint32_t none = (uint32_t)_mm_movemask_epi8(_mm_cmpeq_epi8(sets, _mm_setzero_si128()));
        uint32_t some = ~none & 0xFFFF;
        if (!some)
            continue;
        for (; some; some &= some - 1)
            confirm(n, hay, from + (size_t)__builtin_ctz(some), found, context);
    }
    find_scalar(n, hay, from, to, found, context);
}

__attribute__((target("avx2"))) static __m256i twice(const uint8_t table[16])
{
    return _mm256_broadcastsi128_si256(_mm_loadu_si128((const __m128i *)(const void *)table));
}

__attribute__((target("avx2"))) static void find_avx2(const em_needles *n, em_slice hay,
                                                      size_t from, size_t to,
                                                      em_needle_found *found, void *context)
{
    enum { WIDTH = 32 };
    size_t end = from + whole_vectors(hay, from, to, WIDTH) * WIDTH;
    __m256i half = _mm256_set1_epi8(15), low[EM_PRINT], high[EM_PRINT];
    for (size_t i = 0; i < EM_PRINT; i++) {
        low[i] = twice(n->low[i]);
        high[i] = twice(n->high[i]);
    }
    for (; from < end; from += WIDTH) {
        __m256i sets = _mm256_set1_epi8(-1);
        for (size_t i = 0; i < EM_PRINT; i++) {
            __m256i bytes = _mm256_loadu_si256((const __m256i *)(const void *)(hay.ptr + from + i));
            __m256i upper = _mm256_and_si256(_mm256_srli_epi16(bytes, 4), half);
            sets =
                _mm256_and_si256(sets, _mm256_shuffle_epi8(low[i], _mm256_and_si256(bytes, half)));
            sets = _mm256_and_si256(sets, _mm256_shuffle_epi8(high[i], upper));
        }
        if (_mm256_testz_si256(sets, sets))
            continue;
        uint32_t some =
            ~(uint32_t)_mm256_movemask_epi8(_mm256_cmpeq_epi8(sets, _mm256_setzero_si256()));
        for (; some; some &= some - 1)
            confirm(n, hay, from + (size_t)__builtin_ctz(some), found, context);
    }
    find_scalar(n, hay, from, to, found, context);
}
#elif defined(__aarch64__)
static void find_neon(const em_needles *n, em_slice hay, size_t from, size_t to,
                      em_needle_found *found, void *context)
{
    enum { WIDTH = 16 };
    size_t end = from + whole_vectors(hay, from, to, WIDTH) * WIDTH;
    for (; from < end; from += WIDTH) {
        uint8x16_t sets = vdupq_n_u8(0xFF);
        for (size_t i = 0; i < EM_PRINT; i++) {
            uint8x16_t bytes = vld1q_u8((const uint8_t *)hay.ptr + from + i);
            uint8x16_t lower = vandq_u8(bytes, vdupq_n_u8(15)), upper = vshrq_n_u8(bytes, 4);
            sets = vandq_u8(sets, vqtbl1q_u8(vld1q_u8(n->low[i]), lower));
            sets = vandq_u8(sets, vqtbl1q_u8(vld1q_u8(n->high[i]), upper));
        }
        if (vmaxvq_u8(sets) == 0)
            continue;
        uint8_t each[WIDTH];
        vst1q_u8(each, sets);
        for (size_t i = 0; i < WIDTH; i++)
            if (each[i])
                confirm(n, hay, from + i, found, context);
    }
    find_scalar(n, hay, from, to, found, context);
}
#endif

/* Best first. */
static const em_needles_kernel kernels[] = {
#if defined(__x86_64__)
    {"avx2", true, find_avx2},
    {"ssse3", true, find_ssse3},
#elif defined(__aarch64__)
    {"neon", true, find_neon},
#endif
    {"scalar", true, find_scalar},
};

const em_needles_kernel *em_needles_kernel_at(size_t index)
{
#if defined(__x86_64__)
    static const em_needles_kernel unusable[] = {{"avx2", false, find_avx2},
                                                 {"ssse3", false, find_ssse3}};
    if (index == 0 && !em_has_avx2())
        return &unusable[0];
    if (index == 1 && !em_has_ssse3())
        return &unusable[1];
#endif
    return index < sizeof kernels / sizeof kernels[0] ? &kernels[index] : NULL;
}

void em_find_needles(const em_needles *needles, em_slice hay, size_t from, size_t to,
                     em_needle_found *found, void *context)
{
    needles->kernel->find(needles, hay, from, to, found, context);
}

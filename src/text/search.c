/* search.c: the kernels, and what they share.
 *
 * A kernel only looks for the next *candidate*, a place where both rare bytes stand. Comparing the
 * rest, and giving up on filters that do not filter, is the same for all, in find_with().
 *
 *  (1) No byte outside of the haystack is read: a kernel looks at the places where the needle would
 *      still fit, and near the end at a full vector of them that overlaps the one before.
 *  (2) The time is linear in the haystack whatever is searched for: what candidates cost is kept in
 *      proportion to the bytes passed, beyond that memmem() goes on, which is linear.
 */
#include "text/search.h"

#include "base/processor.h"

#include <stdint.h>

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

/* How common each byte is in source code, 14 times the logarithm of its share: counted over 60 MB
 * of C, Python, JavaScript, HTML, Markdown, JSON and XML. CR is taken to be as common as LF, and
 * the bytes of UTF-8 sequences more common than they were there, since a text that has any mostly
 * has many. */
static const uint8_t commonness[256] = {
    0,   0,   0,   0,   0,   0,   0,   0,   0,   178, 205, 0,   0,   205, 0,   0,   0,   0,   0,
    0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   0,   242, 127, 193, 158, 114, 110,
    137, 177, 180, 180, 173, 132, 183, 180, 189, 192, 168, 165, 162, 158, 151, 147, 153, 143, 146,
    147, 179, 159, 185, 183, 186, 121, 121, 168, 149, 166, 156, 169, 150, 147, 141, 167, 117, 132,
    161, 155, 161, 158, 160, 118, 163, 169, 169, 148, 138, 139, 138, 128, 116, 158, 146, 158, 111,
    193, 167, 214, 185, 204, 202, 225, 192, 188, 197, 213, 156, 167, 207, 199, 214, 213, 199, 137,
    212, 213, 220, 196, 174, 173, 172, 181, 140, 154, 144, 154, 106, 0,   120, 120, 120, 120, 120,
    120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120,
    120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120,
    120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120, 120,
    120, 120, 0,   0,   130, 200, 130, 130, 130, 130, 130, 130, 130, 130, 130, 130, 130, 130, 200,
    200, 130, 130, 130, 130, 130, 130, 130, 130, 130, 130, 130, 130, 130, 130, 130, 130, 200, 200,
    200, 200, 200, 200, 200, 200, 130, 130, 130, 130, 130, 130, 130, 130, 130, 130, 130, 0,   0,
    0,   0,   0,   0,   0,   0,   0,   0,   0,
};

unsigned em_commonness(char byte)
{
    return commonness[(unsigned char)byte];
}

/* Rare bytes are looked for in the first part of a long needle only: it has rare ones enough, and
 * both stay within what the nearest cache holds. */
enum { RARE_WITHIN = 1024 };

static size_t rarest(em_slice bytes, bool except, char byte)
{
    size_t best = EM_NPOS;
    for (size_t i = 0; i < bytes.len && i < RARE_WITHIN; i++) {
        if (except && bytes.ptr[i] == byte)
            continue;
        if (best == EM_NPOS ||
            commonness[(unsigned char)bytes.ptr[i]] < commonness[(unsigned char)bytes.ptr[best]])
            best = i;
    }
    return best;
}

/* The last place where all of the needle fits. */
static size_t last_start(const em_needle *needle, em_slice hay)
{
    return hay.len - needle->bytes.len;
}

static size_t candidate_scalar(const em_needle *needle, em_slice hay, size_t at)
{
    char first = needle->bytes.ptr[needle->rare[0]], second = needle->bytes.ptr[needle->rare[1]];
    const char *rare = hay.ptr + needle->rare[0];
    size_t last = last_start(needle, hay);
    while (at <= last) {
        const char *hit = memchr(rare + at, first, last - at + 1);
        if (!hit)
            break;
        at = (size_t)(hit - rare);
        if (hay.ptr[at + needle->rare[1]] == second)
            return at;
        at++;
    }
    return EM_NPOS;
}

#if defined(__x86_64__)
static uint32_t mask_sse2(const char *a, __m128i byte_a, const char *b, __m128i byte_b)
{
    __m128i same_a = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)a), byte_a);
    __m128i same_b = _mm_cmpeq_epi8(_mm_loadu_si128((const __m128i *)(const void *)b), byte_b);
    return (uint32_t)_mm_movemask_epi8(_mm_and_si128(same_a, same_b));
}

static size_t candidate_sse2(const em_needle *needle, em_slice hay, size_t at)
{
    enum { WIDTH = 16 };
    size_t last = last_start(needle, hay);
    if (last < WIDTH - 1)
        return candidate_scalar(needle, hay, at);
    const char *a = hay.ptr + needle->rare[0], *b = hay.ptr + needle->rare[1];
    __m128i byte_a = _mm_set1_epi8(needle->bytes.ptr[needle->rare[0]]);
    __m128i byte_b = _mm_set1_epi8(needle->bytes.ptr[needle->rare[1]]);
    for (; at + WIDTH - 1 <= last; at += WIDTH) {
        uint32_t mask = mask_sse2(a + at, byte_a, b + at, byte_b);
        if (mask)
            return at + (size_t)__builtin_ctz(mask);
    }
    if (at > last)
        return EM_NPOS;
    size_t edge = last - (WIDTH - 1); /* the last vector; `at` is in it, what is before is done */
    uint32_t mask = mask_sse2(a + edge, byte_a, b + edge, byte_b) >> (at - edge);
    return mask ? at + (size_t)__builtin_ctz(mask) : EM_NPOS;
}

__attribute__((target("avx2"))) static __m256i same_avx2(const char *a, __m256i byte_a,
                                                         const char *b, __m256i byte_b)
{
    __m256i same_a =
        _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(const void *)a), byte_a);
    __m256i same_b =
        _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)(const void *)b), byte_b);
    return _mm256_and_si256(same_a, same_b);
}

__attribute__((target("avx2"))) static uint32_t mask_avx2(const char *a, __m256i byte_a,
                                                          const char *b, __m256i byte_b)
{
    return (uint32_t)_mm256_movemask_epi8(same_avx2(a, byte_a, b, byte_b));
}

/* Where the search goes on from `at` when whole groups of four vectors without a candidate, which
 * take one branch together, are left behind. */
__attribute__((target("avx2"))) static size_t
skip_avx2(const char *a, __m256i byte_a, const char *b, __m256i byte_b, size_t at, size_t last)
{
    enum { WIDTH = 32, TOGETHER = 4 * WIDTH };
    for (; at + TOGETHER - 1 <= last; at += TOGETHER) {
        __m256i first = same_avx2(a + at, byte_a, b + at, byte_b);
        __m256i second = same_avx2(a + at + WIDTH, byte_a, b + at + WIDTH, byte_b);
        __m256i third = same_avx2(a + at + 2 * WIDTH, byte_a, b + at + 2 * WIDTH, byte_b);
        __m256i fourth = same_avx2(a + at + 3 * WIDTH, byte_a, b + at + 3 * WIDTH, byte_b);
        __m256i any =
            _mm256_or_si256(_mm256_or_si256(first, second), _mm256_or_si256(third, fourth));
        if (!_mm256_testz_si256(any, any))
            break;
    }
    return at;
}

__attribute__((target("avx2"))) static size_t candidate_avx2(const em_needle *needle, em_slice hay,
                                                             size_t at)
{
    enum { WIDTH = 32 };
    size_t last = last_start(needle, hay);
    if (last < WIDTH - 1)
        return candidate_sse2(needle, hay, at);
    const char *a = hay.ptr + needle->rare[0], *b = hay.ptr + needle->rare[1];
    __m256i byte_a = _mm256_set1_epi8(needle->bytes.ptr[needle->rare[0]]);
    __m256i byte_b = _mm256_set1_epi8(needle->bytes.ptr[needle->rare[1]]);
    at = skip_avx2(a, byte_a, b, byte_b, at, last);
    for (; at + WIDTH - 1 <= last; at += WIDTH) {
        uint32_t mask = mask_avx2(a + at, byte_a, b + at, byte_b);
        if (mask)
            return at + (size_t)__builtin_ctz(mask);
    }
    if (at > last)
        return EM_NPOS;
    size_t edge = last - (WIDTH - 1); /* as in candidate_sse2() */
    uint32_t mask = mask_avx2(a + edge, byte_a, b + edge, byte_b) >> (at - edge);
    return mask ? at + (size_t)__builtin_ctz(mask) : EM_NPOS;
}
#endif

#if defined(__aarch64__)
/* Four bits for each of the 16 places, since NEON has no movemask. */
static uint64_t mask_neon(const char *a, uint8x16_t byte_a, const char *b, uint8x16_t byte_b)
{
    uint8x16_t same_a = vceqq_u8(vld1q_u8((const uint8_t *)a), byte_a);
    uint8x16_t same_b = vceqq_u8(vld1q_u8((const uint8_t *)b), byte_b);
    uint16x8_t both = vreinterpretq_u16_u8(vandq_u8(same_a, same_b));
    return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(both, 4)), 0);
}

static size_t candidate_neon(const em_needle *needle, em_slice hay, size_t at)
{
    enum { WIDTH = 16 };
    size_t last = last_start(needle, hay);
    if (last < WIDTH - 1)
        return candidate_scalar(needle, hay, at);
    const char *a = hay.ptr + needle->rare[0], *b = hay.ptr + needle->rare[1];
    uint8x16_t byte_a = vdupq_n_u8((uint8_t)needle->bytes.ptr[needle->rare[0]]);
    uint8x16_t byte_b = vdupq_n_u8((uint8_t)needle->bytes.ptr[needle->rare[1]]);
    for (; at + WIDTH - 1 <= last; at += WIDTH) {
        uint64_t mask = mask_neon(a + at, byte_a, b + at, byte_b);
        if (mask)
            return at + (size_t)__builtin_ctzll(mask) / 4;
    }
    if (at > last)
        return EM_NPOS;
    size_t edge = last - (WIDTH - 1); /* as in candidate_sse2() */
    uint64_t mask = mask_neon(a + edge, byte_a, b + edge, byte_b) >> (at - edge) * 4;
    return mask ? at + (size_t)__builtin_ctzll(mask) / 4 : EM_NPOS;
}
#endif

static size_t find_byte(char byte, em_slice hay, size_t from)
{
    const char *hit = memchr(hay.ptr + from, byte, hay.len - from);
    return hit ? (size_t)(hit - hay.ptr) : EM_NPOS;
}

static size_t find_linear(em_slice bytes, em_slice hay, size_t from)
{
    const char *hit = memmem(hay.ptr + from, hay.len - from, bytes.ptr, bytes.len);
    return hit ? (size_t)(hit - hay.ptr) : EM_NPOS;
}

/* Compare in steps that grow, so that *cost, in bytes looked at, says what it was worth. */
static bool same_bytes(const char *a, const char *b, size_t length, size_t *cost)
{
    for (size_t step = 64; length > 0; step *= 2) {
        size_t here = step < length ? step : length;
        *cost += here;
        if (memcmp(a, b, here) != 0)
            return false;
        a += here;
        b += here;
        length -= here;
    }
    return true;
}

/* What candidates may cost before the filter is given up: so much per byte passed, and so much to
 * begin with. */
enum { COST_PER_BYTE = 4, COST_AT_FIRST = 4096 };

typedef size_t candidate_fn(const em_needle *needle, em_slice hay, size_t at);

static size_t find_with(const em_needle *needle, em_slice hay, size_t from, candidate_fn *candidate)
{
    em_slice bytes = needle->bytes;
    if (from > hay.len || hay.len - from < bytes.len)
        return EM_NPOS;
    if (bytes.len == 1)
        return find_byte(bytes.ptr[0], hay, from);
    size_t cost = 0;
    for (size_t at = from;; at++) {
        at = candidate(needle, hay, at);
        if (at == EM_NPOS || same_bytes(hay.ptr + at, bytes.ptr, bytes.len, &cost))
            return at;
        if (cost > COST_AT_FIRST + COST_PER_BYTE * (at - from))
            return find_linear(bytes, hay, at + 1);
    }
}

static size_t find_scalar(const em_needle *needle, em_slice hay, size_t from)
{
    return find_with(needle, hay, from, candidate_scalar);
}

#if defined(__x86_64__)
static size_t find_sse2(const em_needle *needle, em_slice hay, size_t from)
{
    return find_with(needle, hay, from, candidate_sse2);
}

static size_t find_avx2(const em_needle *needle, em_slice hay, size_t from)
{
    return find_with(needle, hay, from, candidate_avx2);
}
#elif defined(__aarch64__)
static size_t find_neon(const em_needle *needle, em_slice hay, size_t from)
{
    return find_with(needle, hay, from, candidate_neon);
}
#endif

/* Best first. Nothing here changes at run time: a kernel stands in it as usable and as not, and
 * em_has_avx2() says which of the two is shown. */
static const em_search_kernel kernels[] = {
#if defined(__x86_64__)
    {"avx2", true, find_avx2},
    {"sse2", true, find_sse2},
#elif defined(__aarch64__)
    {"neon", true, find_neon},
#endif
    {"scalar", true, find_scalar},
};

const em_search_kernel *em_search_kernel_at(size_t index)
{
#if defined(__x86_64__)
    static const em_search_kernel unusable = {"avx2", false, find_avx2};
    if (index == 0)
        return em_has_avx2() ? &kernels[0] : &unusable;
#endif
    return index < sizeof kernels / sizeof kernels[0] ? &kernels[index] : NULL;
}

static const em_search_kernel *best_kernel(void)
{
    for (size_t i = 0;; i++)
        if (em_search_kernel_at(i)->usable)
            return em_search_kernel_at(i);
}

void em_needle_init(em_needle *needle, em_slice bytes)
{
    size_t first = rarest(bytes, false, 0);
    size_t second = rarest(bytes, true, bytes.ptr[first]);
    if (second == EM_NPOS) /* one byte over and over: its two ends tell most */
        second = first == bytes.len - 1 ? first : bytes.len - 1;
    *needle = (em_needle){.bytes = bytes, .rare = {first, second}, .kernel = best_kernel()};
}

size_t em_find(const em_needle *needle, em_slice hay, size_t from)
{
    return needle->kernel->find(needle, hay, from);
}

size_t em_find_count(const em_needle *needle, em_slice hay)
{
    size_t count = 0;
    for (size_t at = em_find(needle, hay, 0); at != EM_NPOS; count++)
        at = em_find(needle, hay, at + needle->bytes.len);
    return count;
}

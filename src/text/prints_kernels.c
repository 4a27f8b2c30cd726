/* prints_kernels.c: which places pass a filter, or have a mark. */
#include "base/processor.h"
#include "text/prints_impl.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

static size_t filter_scalar(const em_print_class *class, const char *at, size_t count,
                            uint32_t *passed)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++, at += class->stride) {
        passed[found] = (uint32_t)i;
        found += em_filter_passes(class, em_print_load(at) & class->mask);
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
                    .down = _mm_cvtsi32_si128((int)(32 - class->filter_bits - EM_BIT_BITS)),
                    .filter = (const int *)class->filter};
}

/* Which of eight prints pass, the halves of which these are? */
__attribute__((target("avx2"))) static inline uint32_t which_pass(lookup in, __m256i low,
                                                                  __m256i high)
{
    low = _mm256_mullo_epi32(_mm256_and_si256(low, in.low),
                             _mm256_set1_epi32((int)EM_PRINT_FACTOR_LOW));
    high = _mm256_mullo_epi32(_mm256_and_si256(high, in.high),
                              _mm256_set1_epi32((int)EM_PRINT_FACTOR_HIGH));
    __m256i marks = _mm256_srl_epi32(_mm256_add_epi32(low, high), in.down);
    __m256i words = _mm256_i32gather_epi32(in.filter, _mm256_srli_epi32(marks, 2 * EM_BIT_BITS), 4);
    __m256i last = _mm256_set1_epi32(31); /* a bit is looked at where the sign is */
    __m256i one =
        _mm256_sllv_epi32(words, _mm256_andnot_si256(_mm256_srli_epi32(marks, EM_BIT_BITS), last));
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
    if (index == 0 && !em_has_avx2())
        return &unusable;
#endif
    return index < sizeof kernels / sizeof kernels[0] ? &kernels[index] : NULL;
}

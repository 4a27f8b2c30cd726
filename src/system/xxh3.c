#include "system/xxh3.h"

#include "base/processor.h"

#define DECLARED(name)                                                                             \
    void em_xxh3_##name##_add(void *state, const void *bytes, size_t size);                        \
    void em_xxh3_##name##_hash(const void *bytes, size_t size, unsigned char out[static 16])
#define KERNEL(kernel, is_usable)                                                                  \
    {                                                                                              \
        .name = #kernel, .usable = (is_usable), .add = em_xxh3_##kernel##_add,                     \
        .hash = em_xxh3_##kernel##_hash                                                            \
    }

DECLARED(plain);
#ifdef HAVE_XXH3_AVX
DECLARED(avx2);
DECLARED(avx512);
#endif

/* Nothing here changes at run time: a kernel stands in it as usable and as not. */
static const em_xxh3_kernel usable[] = {
#ifdef HAVE_XXH3_AVX
    KERNEL(avx512, true),
    KERNEL(avx2, true),
#endif
    KERNEL(plain, true),
};

const em_xxh3_kernel *em_xxh3_kernel_at(size_t index)
{
#ifdef HAVE_XXH3_AVX
    static const em_xxh3_kernel unusable[] = {KERNEL(avx512, false), KERNEL(avx2, false)};
    if ((index == 0 && !em_has_avx512()) || (index == 1 && !em_has_avx2()))
        return &unusable[index];
#endif
    return index < sizeof usable / sizeof *usable ? &usable[index] : NULL;
}

const em_xxh3_kernel *em_xxh3_best(void)
{
    for (size_t i = 0;; i++)
        if (em_xxh3_kernel_at(i)->usable)
            return em_xxh3_kernel_at(i);
}

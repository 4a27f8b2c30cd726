/* xxh3_avx2.c: compiled for AVX2. */
#define EM_XXH3 em_xxh3_avx2
#include "system/xxh3_impl.h"

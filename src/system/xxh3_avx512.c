/* xxh3_avx512.c: compiled for AVX-512. */
#define EM_XXH3 em_xxh3_avx512
#include "system/xxh3_impl.h"

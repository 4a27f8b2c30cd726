/* xxh3_plain.c: with the instructions that every processor of this kind has. */
#define EM_XXH3 em_xxh3_plain
#include "system/xxh3_impl.h"

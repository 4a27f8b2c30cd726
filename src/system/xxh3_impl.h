/* xxh3_impl.h: one kernel, for the file that includes this with EM_XXH3 as its name: that file is
 * compiled for the instructions that the kernel is made of.
 */
#include "system/xxh3.h"

#define XXH_INLINE_ALL
#include <string.h>
#include <xxhash.h>

#define EM_XXH3_JOIN(a, b) a##b
#define EM_XXH3_NAME(name, what) EM_XXH3_JOIN(name, what)

void EM_XXH3_NAME(EM_XXH3, _add)(void *state, const void *bytes, size_t size);
void EM_XXH3_NAME(EM_XXH3, _hash)(const void *bytes, size_t size, unsigned char out[static 16]);

void EM_XXH3_NAME(EM_XXH3, _add)(void *state, const void *bytes, size_t size)
{
    XXH3_128bits_update(state, bytes, size);
}

void EM_XXH3_NAME(EM_XXH3, _hash)(const void *bytes, size_t size, unsigned char out[static 16])
{
    XXH128_canonical_t canonical;
    XXH128_canonicalFromHash(&canonical, XXH3_128bits(bytes, size));
    memcpy(out, canonical.digest, sizeof canonical.digest);
}

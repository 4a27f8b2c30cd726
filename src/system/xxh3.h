/* xxh3.h: XXH3-128 by the vector instructions of this processor.
 *
 * The distribution's libxxhash chooses them in its shared library alone, and to load that, and have
 * it ask the processor, makes a start longer. So its header is compiled once for each kind of
 * instructions (XXH_INLINE_ALL, see https://github.com/Cyan4973/xxHash), and the choice is made
 * here. All kernels give the same hashes and share the library's state.
 */
#ifndef EM_SYSTEM_XXH3_H
#define EM_SYSTEM_XXH3_H

#include <stdbool.h>
#include <stddef.h>

typedef struct em_xxh3_kernel {
    const char *name;
    bool usable; /* on this machine */
    /* Add bytes to an XXH3_state_t. */
    void (*add)(void *state, const void *bytes, size_t size);
    /* The hash of bytes, in canonical form. */
    void (*hash)(const void *bytes, size_t size, unsigned char out[static 16]);
} em_xxh3_kernel;

/* Best first; NULL behind the last one. */
const em_xxh3_kernel *em_xxh3_kernel_at(size_t index);

/* The first that is usable. */
const em_xxh3_kernel *em_xxh3_best(void);

#endif

/* random.h: bytes that nobody can guess. */
#ifndef EM_BASE_RANDOM_H
#define EM_BASE_RANDOM_H

#include <stdbool.h>
#include <stddef.h>

/* Fill `size` bytes with random ones. False: the system gives none, and what is there is nothing to
 * be used. */
bool em_random(void *bytes, size_t size);

#endif

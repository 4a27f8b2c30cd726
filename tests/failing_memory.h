/* failing_memory.h: each request for memory can be refused: malloc's and its like, those of an
 * arena, although most of what it gives comes from a block that is there, and the state of a hash,
 * which its library allocates.
 *
 * For a program that is linked with failing_memory.c, failing_arena.c or both, and the linker's
 * --wrap for what is in them (see meson.build).
 */
#ifndef EM_TESTS_FAILING_MEMORY_H
#define EM_TESTS_FAILING_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

/* Is this request for memory, which counts, to be refused? The program's own. */
bool memory_is_refused(void);

/* For libraries that are told by what to allocate. */
void *__wrap_malloc(size_t size);

#endif

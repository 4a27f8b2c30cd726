/* failing_arena.h: what is asked of an arena can be refused, although most of it comes from a block
 * that is there; and the state of a hash, which its library allocates.
 *
 * For a program that is linked with failing_arena.c and the linker's --wrap for what is in it.
 */
#ifndef EM_TESTS_FAILING_ARENA_H
#define EM_TESTS_FAILING_ARENA_H

#include <stdbool.h>

/* Is this request for memory, which counts, to be refused? The program's own. */
bool memory_is_refused(void);

#endif

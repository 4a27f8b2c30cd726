/* failing_malloc.h: memory that runs out when a test says so.
 *
 * A test that is linked with `failing_malloc` and failing_malloc_args gets its memory, and that of
 * the code under test, through failing_memory.c, which asks here.
 */
#ifndef EM_TESTS_FAILING_MALLOC_H
#define EM_TESTS_FAILING_MALLOC_H

/* How many more requests succeed; below zero: all of them. */
extern _Atomic long mallocs_left;

#endif

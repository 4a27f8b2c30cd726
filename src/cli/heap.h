/* heap.h: the memory of a process that makes one long call and ends.
 *
 * Thousands of edits take many megabytes in small pieces, of which nothing is given back before the
 * end.
 */
#ifndef EM_CLI_HEAP_H
#define EM_CLI_HEAP_H

#include <stddef.h>

/* The process is about to take so many bytes: the heap grows to that at once. */
void em_cli_expect_memory(size_t bytes);

#endif

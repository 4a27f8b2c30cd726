/* heap.h: the memory of a process that makes one long call and ends.
 *
 * Thousands of edits take many megabytes in small pieces, of which nothing is given back before the
 * end: a third of such a process is the kernel's work on pages that are new to it.
 */
#ifndef EM_CLI_HEAP_H
#define EM_CLI_HEAP_H

#include <stddef.h>

/* The process, which makes one call, is about to read its request of so many bytes. Where that is
 * much, the heap grows to what it will take at once, and another thread asks the kernel for the
 * pages that the request takes as values, while this one begins to read; or the heap is of huge
 * pages, where small ones are dear (base/pages.h). */
void em_cli_expect_request(size_t length);

/* Have that thread end: the sandbox is put up while there is no other thread, and what comes after
 * it keeps two threads busy. Nothing is to be done where there is none. */
void em_cli_heap_join(void);

#endif

/* heap.h: the memory of a process that makes one long call and ends.
 *
 * Thousands of edits take many megabytes in small pieces, of which nothing is given back before the
 * end. To have the kernel hand them out page by page took a fifth of such a call.
 */
#ifndef EM_CLI_HEAP_H
#define EM_CLI_HEAP_H

#include "base/slice.h"

/* The process is about to take so many bytes: the heap grows to that at once, and, where they are
 * very many, is of huge pages if the kernel has enough of them ready. */
void em_cli_expect_memory(size_t bytes);

/* Does /proc/buddyinfo, which is given, tell of so many bytes in free huge pages, and of as many
 * again several times over? Where it has to make them first, by moving what others have, that takes
 * longer than huge pages save. */
bool em_cli_has_huge_pages(em_slice buddyinfo, size_t bytes);

#endif

/* pages.h: megabytes in an arena (arena.h), asked of the kernel in the way that is quickest for
 * them.
 *
 * What fresh pages cost, small and huge, bench/pages.c measures.
 */
#ifndef EM_BASE_PAGES_H
#define EM_BASE_PAGES_H

#include "base/arena.h"

/* `size` bytes, not zeroed, for what is filled from a file and goes to another one; NULL when
 * memory ran out. The kernel is asked for all of their pages at once, which takes less time than
 * one fault for each, and for many of them by two threads. They begin in the middle of a page, so
 * that what is copied to an offset a little different is not copied slowly: the Zen processors' REP
 * MOVSB is much slower where the destination lies 1 to 31 bytes behind the source modulo the size
 * of a page (sourceware.org, glibc bug 30994).
 */
void *em_alloc_large(em_arena *arena, size_t size);

/* The same in huge pages, for what is gone through again and again, such as a tree. For what is
 * filled once they do not pay: to have one is quicker than the faults of 512 small ones where it is
 * ready; but a virtual machine that gives its free memory back to its host does so huge page by
 * huge page, and then it takes longer. */
void *em_alloc_huge(em_arena *arena, size_t size);

#endif

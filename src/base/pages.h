/* pages.h: megabytes in an arena (arena.h), asked of the kernel in the way that is quickest for
 * them.
 *
 * What fresh pages cost, small and huge, bench/pages.c measures.
 */
#ifndef EM_BASE_PAGES_H
#define EM_BASE_PAGES_H

#include "base/arena.h"

enum { EM_HUGE_PAGE = 2 << 20 };

/* Does a small page that is fresh cost more than some microseconds, as on virtual machines whose
 * memory is mapped in software? There huge pages take a tenth of the time. Measured once, which
 * takes some tens of microseconds, or a tenth of a millisecond where they are dear. */
bool em_pages_are_dear(void);

/* Take it for known; EM_PAGES_UNKNOWN: it is measured when it is asked next. For tests. */
typedef enum em_page_price { EM_PAGES_UNKNOWN, EM_PAGES_CHEAP, EM_PAGES_DEAR } em_page_price;
void em_pages_suppose(em_page_price price);

/* Have these bytes, which are not used yet, be made of huge pages when they are, and what lies
 * beside them in the first and the last of these. Only a hint. */
void em_pages_ask_huge(const void *from, size_t size);

/* Have the small pages of these bytes, which are in use, be joined to huge ones, of as many as lie
 * within whole ones. The kernel copies them, which takes it a millisecond or more for each; from
 * Linux 6.1 on. Only a hint. */
void em_pages_join(const void *from, size_t size);

/* `size` bytes, not zeroed, for what is filled from a file and goes to another one; NULL when
 * memory ran out. The kernel is asked for all of their pages at once, which takes less time than
 * one fault for each, and for many of them by two threads; or for huge ones, where small ones are
 * dear. They begin in the middle of a page, so
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

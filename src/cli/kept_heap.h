/* kept_heap.h: the memory of a server, which it keeps from one call for the next. */
#ifndef EM_CLI_KEPT_HEAP_H
#define EM_CLI_KEPT_HEAP_H

/* Have what calls give back be kept, up to some dozens of megabytes. Before the first call. */
void em_kept_heap_init(void);

/* There is nothing to do just now. What the heap has grown by since the last time becomes huge
 * pages, if it is one at least: another thread has the kernel copy it. Whoever goes through
 * megabytes again and again is quicker there, and what is kept is there for long; to ask for huge
 * pages when it is asked for would have the call wait where the kernel has none ready
 * (base/pages.h). Nothing is done where there is no other processor or no thread to be had. */
void em_kept_heap_settle(void);

#endif

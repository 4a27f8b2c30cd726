/* closer.h: old files are given back while the next change is made.
 *
 * Whoever closes the last descriptor of a file that has no name any more gives its pages and blocks
 * back. That takes a good part of a small change, and where the file system tells the disk which
 * blocks are free, it waits for the disk. For who makes many changes a thread does it. Any thread
 * may give it something to close.
 */
#ifndef EM_SYSTEM_CLOSER_H
#define EM_SYSTEM_CLOSER_H

#include "system/sys.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct em_closer em_closer;

/* NULL where there is no memory. It has no thread before there is something to close. */
em_closer *em_closer_new(const em_sys *sys);

/* Close the descriptor of a file of so many bytes, soon; it is the closer's then. False: the caller
 * has to, since the file is too small to be worth it, enough of them wait already, or there is no
 * thread to be had. All together they are no more than EM_CLOSER_MOST bytes, which the disk lacks
 * meanwhile. NULL closes nothing. */
enum { EM_CLOSER_MOST = 8 << 20 };
bool em_closer_take(em_closer *closer, int fd, uint64_t size);

/* Wait until all are closed. False: nothing was taken since that was done last, or there is no
 * closer: so there is no more room than before. */
bool em_closer_drain(em_closer *closer);

/* The same, and end. NULL is none. */
void em_closer_free(em_closer *closer);

#endif

/* closer.h: old files are given back while the next change is made.
 *
 * Whoever closes the last descriptor of a file that has no name any more gives its pages and blocks
 * back. That takes a good part of a small change, and where the file system tells the disk which
 * blocks are free, it waits for the disk. For who makes many changes a thread does it.
 */
#ifndef EM_WORKSPACE_CLOSER_H
#define EM_WORKSPACE_CLOSER_H

#include "workspace/sys.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct em_closer em_closer;

/* NULL where there is no memory. It has no thread before there is something to close. */
em_closer *em_closer_new(const em_sys *sys);

/* Close the descriptor of a file of so many bytes, soon; it is the closer's then. False: the caller
 * has to, since the file is too small to be worth it or too large to wait, enough of them wait
 * already, or there is no thread to be had. NULL closes nothing. */
bool em_closer_take(em_closer *closer, int fd, uint64_t size);

/* Waits until all are closed. NULL is none. */
void em_closer_free(em_closer *closer);

#endif

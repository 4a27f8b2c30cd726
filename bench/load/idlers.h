/* idlers.h: connections that do nothing, and others that take for ever to say what they want.
 *
 * They live in a process of their own, so that what they cost us does not count.
 */
#ifndef EM_BENCH_LOAD_IDLERS_H
#define EM_BENCH_LOAD_IDLERS_H

#include "process.h"

#include <stddef.h>

typedef struct idlers idlers;

typedef struct idlers_count {
    size_t idle;     /* connected, and left alone by the server */
    size_t slow;     /* the same, of those that write */
    size_t reopened; /* slow ones that the server hung up on, and that came again */
} idlers_count;

/* So many of each, connected. Ends the program where that fails. NULL: out of memory. */
idlers *idlers_open(const server *http, size_t idle, size_t slow);

/* How many are still there now. */
idlers_count idlers_ask(idlers *crowd);
void idlers_close(idlers *crowd);

#endif

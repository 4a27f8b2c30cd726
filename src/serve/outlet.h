/* outlet.h: writing answers to who may read slowly, as much at once as nobody has to wait for.
 *
 * A program that looks for signals and input beside its output must not be held in a write. After
 * poll(2) said that there is room, em_outlet_put writes what surely goes: to a socket what it
 * takes; to a pipe all that it can hold if nothing is in it, which saves an answer of some size a
 * wait for each page, else PIPE_BUF bytes; to a file everything.
 */
#ifndef EM_SERVE_OUTLET_H
#define EM_SERVE_OUTLET_H

#include "base/slice.h"

#include <stdbool.h>
#include <sys/types.h>

typedef enum em_outlet_kind {
    EM_OUTLET_FILE,   /* a write never waits for a reader: poll(2) need not be asked */
    EM_OUTLET_SOCKET, /* a write can be told not to wait */
    EM_OUTLET_OTHER,  /* a pipe, a terminal */
} em_outlet_kind;

typedef struct em_outlet {
    int fd; /* the caller's; it may be blocking or not */
    em_outlet_kind kind;
    bool is_wide; /* a pipe that was asked to hold more */
} em_outlet;

em_outlet em_outlet_of(int fd);

enum { EM_PIPE_BYTES = 1 << 16 /* what a pipe holds unless it is asked to hold more */ };

/* Ask a pipe to hold four times as much, once: *is_wide says that it was asked. It is only a hint:
 * what `fd` is may be no pipe, and the kernel has a bound for all pipes of a user. */
void em_pipe_widen(int fd, bool *is_wide);

/* One write of the beginning of `bytes`, which are not empty. Returns how many bytes went, or -1
 * with errno, as write(2) does; EAGAIN and EINTR: not now. Where somebody else writes into the same
 * pipe between poll(2) and this, it waits until both have been read. */
ssize_t em_outlet_put(em_outlet *outlet, em_slice bytes);

#endif

/* clients.h: clients that call a tool over and over, each on a file of its own.
 *
 * One thread drives them all. A client has one call in hand and makes the next as soon as the
 * answer is there, so the server always has as many calls as there are clients. A call replaces a
 * number in the client's file by the next: a call that was lost, done twice or done for another
 * client makes the one after it fail. At the end the files are read.
 *
 * Every other client speaks the stateless revision, the others one with a handshake.
 */
#ifndef EM_BENCH_LOAD_CLIENTS_H
#define EM_BENCH_LOAD_CLIENTS_H

#include "process.h"

#include <stddef.h>

typedef struct load {
    const char *name; /* of the folder with the clients' files, below the root */
    const char *root;
    size_t clients;
    size_t calls;       /* of all clients together */
    const server *http; /* where they connect to; NULL: each starts `stdio` for itself */
    const char *const *stdio;
    /* Told now and then, after `done` calls; NULL. */
    void (*watch)(void *context, size_t done);
    void *context;
} load;

typedef struct load_result {
    size_t calls, errors;
    double seconds, p50_ms, p99_ms, most_ms;
    char first_error[300]; /* "": none */
} load_result;

/* Make the clients' files, connect, call, and read the files again. */
load_result load_run(const load *what);

#endif

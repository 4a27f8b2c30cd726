/* wire.h: a message to a server and its answer, over HTTP or a line at a time.
 *
 * HTTP as far as it is needed here: connections that stay, answers with a Content-Length.
 */
#ifndef EM_BENCH_LOAD_WIRE_H
#define EM_BENCH_LOAD_WIRE_H

#include "process.h"

#include <stddef.h>

enum { LONGEST_SESSION = 100 };

typedef struct wire {
    int in, out;                   /* one socket over HTTP */
    const server *http;            /* NULL: lines */
    bool stateless;                /* the revision without a handshake */
    char session[LONGEST_SESSION]; /* what the server called it; "": nothing */
} wire;

/* A connection to a server that listens. Ends the program where that fails. */
wire wire_connect(const server *http);

/* Send a message whole; `tool` is what the header names with a tools/call. */
bool wire_send(const wire *w, const char *method, const char *tool, const char *body);

/* The body of the answer in what has come so far, which ends with a NUL and is changed; NULL while
 * it is not all there. *problem is set for one that is no success. */
char *wire_answer(wire *w, char *text, size_t length, const char **problem);

/* Tell the server that the session is over, if there is one. */
void wire_end_session(const wire *w);

#endif

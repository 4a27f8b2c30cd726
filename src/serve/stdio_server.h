/* stdio_server.h: the protocol over two descriptors, one message a line.
 *
 * One request runs at a time. What arrives meanwhile is taken in while the server writes, and
 * before and after each request, so that a client that writes much before it reads does not wait
 * for a server that waits for it, and so that what it takes back is not run.
 */
#ifndef EM_SERVE_STDIO_SERVER_H
#define EM_SERVE_STDIO_SERVER_H

#include "serve/mcp.h"

typedef enum em_stdio_end {
    EM_STDIO_INPUT_ENDED, /* all that came is answered */
    EM_STDIO_SIGNALLED,   /* SIGTERM, SIGINT or SIGHUP: the request in hand is answered */
    EM_STDIO_GONE,        /* nobody reads the answers any more */
    EM_STDIO_FAILED,      /* the system refuses to read or write; the log says why */
} em_stdio_end;

/* Serve until the input ends or a signal asks to stop. `log` gets lines for people; messages of
 * more than `most` bytes are refused (0: no limit). The descriptors stay open. While this runs the
 * three signals are blocked, and SIGPIPE is ignored. `rest` is called whenever there is nothing to
 * do, before it is waited for more; it may be NULL. */
em_stdio_end em_stdio_serve(em_mcp *mcp, int in, int out, int log, size_t most, void (*rest)(void));

#endif

/* listen.h: the socket that a server listens on.
 *
 *   127.0.0.1:8137   [::1]:8137   localhost:8137   an address; port 0 is any that is free
 *   8137             the same at 127.0.0.1
 *   unix:PATH        a socket in the file system, for its owner alone
 *
 * Names are not looked up: which addresses a server listens on must not depend on a resolver.
 */
#ifndef EM_HTTP_LISTEN_H
#define EM_HTTP_LISTEN_H

#include "base/status.h"

#include <stdbool.h>

typedef struct em_listener {
    int fd;
    bool is_local; /* only this machine can reach it */
    bool is_unix;
    int port;       /* 0 for a socket in the file system */
    char host[64];  /* as in an address: "127.0.0.1", "[::1]" */
    char name[192]; /* "http://127.0.0.1:8137", "unix:PATH" */
} em_listener;

/* Read `where` and listen there: out->fd is the caller's to close, -1 where it fails. A socket file
 * that nobody listens on any more is replaced. EM_E_INVALID: it is none of these; EM_E_EXISTS:
 * something else is at the path; EM_E_PERMISSION, EM_E_IO. */
em_status em_listen(const char *where, em_listener *out, em_error *err);

/* Would it be only for this machine? For a check before anything is opened. EM_E_INVALID. */
em_status em_listen_is_local(const char *where, bool *is_local, em_error *err);

#endif

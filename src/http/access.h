/* access.h: who may ask for what, decided from the headers alone, before a body is read.
 *
 *   framing   what another reader of the same bytes could take for another request: refused (400)
 *   source    Host and Origin: a page of another site, or a name that was made to point here (403)
 *   token     a bearer, or for routes of the page its cookie, compared in constant time (401)
 *   body      JSON by its type (a form of another site cannot send that), and not too long (415,
 *             413)
 *
 * Each check replies where it refuses. Nothing here changes once it is made, so any thread may ask.
 */
#ifndef EM_HTTP_ACCESS_H
#define EM_HTTP_ACCESS_H

#include "http/routes.h"

#include <stdint.h>

typedef struct em_access em_access;

typedef struct em_access_options {
    const char *const *tokens; /* any of these will do */
    size_t token_count;        /* 0: no token is needed */
    size_t page_token_count;   /* so many of them, the first, are good for the page, too */
    const char *const *hosts;  /* names that Host may have beside those of the loopback */
    size_t host_count;
    int port;      /* cookies do not know ports, so it is in the cookie's name; 0: none */
    uint64_t most; /* bytes of a body */
} em_access_options;

/* Everything is copied. The caller's: em_access_free(). NULL when memory ran out. */
em_access *em_access_new(const em_access_options *options);
void em_access_free(em_access *access);

/* Headers that are more than this together are a bomb (431). */
enum { EM_HEADERS_MOST = 16 << 10 };

/* Each returns whether all is well; else the reply is there, and *why is a word for it. */
bool em_access_check_framing(em_exchange *exchange, const char **why);
bool em_access_check_source(const em_access *access, em_exchange *exchange, const char **why);
bool em_access_check_token(const em_access *access, em_exchange *exchange, const em_route *route,
                           const char **why);
bool em_access_check_body(const em_access *access, em_exchange *exchange, const char **why);

/* Hand out the page's cookie for the token that the exchange has shown, or take it back. */
void em_access_give_cookie(const em_access *access, em_exchange *exchange);
void em_access_take_cookie(const em_access *access, em_exchange *exchange);

/* ---- Tokens --------------------------------------------------------------------------------- */

enum { EM_SECRET_SIZE = 33 };

/* 128 random bits in 32 hexadecimal digits. False when the system gives none. */
bool em_make_secret(char out[static EM_SECRET_SIZE]);

/* Is it fit to be a token: 16 to 256 letters, digits and -._~+/= ? */
bool em_is_token(em_slice text);

/* Are they the same? How long it takes tells only the length of `given`. */
bool em_same_secret(const char *secret, em_slice given);

#endif

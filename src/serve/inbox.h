/* inbox.h: bytes from a client -> lines -> messages that wait for their turn.
 *
 * A message is read as soon as its line is there, so that a client's second thought
 * (notifications/cancelled) reaches the request that it takes back while that one still waits, or
 * is being worked on. The order of the messages is kept.
 */
#ifndef EM_SERVE_INBOX_H
#define EM_SERVE_INBOX_H

#include "serve/rpc.h"

typedef struct em_inbox {
    em_strbuf partial;         /* a line whose end has not come yet */
    em_rpc_line *first, *last; /* waiting, oldest first */
    em_rpc_line *in_hand;      /* handed out by em_inbox_take; NULL */
    size_t waiting;            /* bytes of the lines that wait */
    uint64_t count;            /* of the messages that came */
    json_t *cancels;           /* what takes requests back, and waits; NULL: nothing did yet */
    size_t most;               /* bytes of a line; longer ones are refused; 0: no limit */
    bool skipping;             /* within a line that is too long, */
    bool lost;                 /* or for which memory ran out */
    bool with_batches;         /* a batch is a message: what it cancels counts */
    bool failed;               /* memory ran out: something of what came is lost */
    /* Told of an answer to something that the client was asked as soon as it is there, and not only
     * when its turn comes; NULL. */
    void (*answered)(void *context, const em_rpc_message *message);
    void *context;
} em_inbox;

/* `EM_AUTO(em_inbox) inbox = {0};` */
void em_inbox_drop(em_inbox *inbox);

/* Take in bytes as they came: whole lines become messages. Lines of blanks alone are nothing. Of a
 * line beyond the limit, or beyond memory, nothing is kept: it is answered so when its end has
 * come. */
void em_inbox_add(em_inbox *inbox, em_slice bytes);

/* The input has ended, and with it the last line, if one was begun. What the client did not write
 * to its end is not JSON: no part of a request is ever a request. */
void em_inbox_end(em_inbox *inbox);

/* The oldest line that waits, or NULL. It stays the inbox's and is dropped by the next call. */
const em_rpc_line *em_inbox_take(em_inbox *inbox);

/* The oldest line that waits and is a request of `method`, out of its turn; NULL. The caller's. */
em_rpc_line *em_inbox_pull(em_inbox *inbox, const char *method);

#endif

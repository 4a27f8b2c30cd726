/* rpc.h: JSON-RPC 2.0 messages.
 *
 * One line holds one message, or, in a batch, several, so many at most that their answers can be
 * held together. Reading a line never fails for what stands in it: what is no message comes out as
 * one of kind EM_RPC_INVALID that carries its own error, so that it is answered in its turn like
 * any other. Which batches, methods and parameters there are is for others to know.
 */
#ifndef EM_SERVE_RPC_H
#define EM_SERVE_RPC_H

#include "json/json_text.h"

#include <stdint.h>

enum {
    EM_RPC_PARSE_ERROR = -32700,      /* not JSON */
    EM_RPC_INVALID_REQUEST = -32600,  /* JSON, but no request */
    EM_RPC_METHOD_NOT_FOUND = -32601, /* no such method */
    EM_RPC_INVALID_PARAMS = -32602,   /* parameters that the method cannot take */
    EM_RPC_INTERNAL_ERROR = -32603,   /* our own fault */
};

enum { EM_RPC_MOST_IN_BATCH = 1000 };

typedef enum em_rpc_kind {
    EM_RPC_REQUEST,
    EM_RPC_NOTIFICATION, /* a method without id: never answered */
    EM_RPC_RESPONSE,     /* an answer to something that we asked, or never did */
    EM_RPC_INVALID,      /* none of these: `code` and `problem` say why */
} em_rpc_kind;

/* Everything is borrowed from the line. */
typedef struct em_rpc_message {
    em_rpc_kind kind;
    json_t *id;     /* a string or an integer; NULL: none, or none that can be used */
    json_t *method; /* a string; of requests and notifications */
    json_t *params; /* NULL where absent or null; else an object or an array */
    json_t *result; /* NULL where absent: a response without one is an error */
    int code;
    const char *problem;
    bool cancelled; /* set by who reads ahead: the client wants no answer any more */
} em_rpc_message;

typedef struct em_rpc_line {
    struct em_rpc_line *next; /* for whoever keeps a list of lines, and: */
    uint64_t number;          /* of the first message among all that came, from 0 */
    size_t length;            /* of the line, bytes */
    json_t *root;
    bool is_batch; /* a JSON array of at least one element */
    char problem[EM_DETAIL_SIZE];
    size_t count; /* at least one message */
    em_rpc_message messages[];
} em_rpc_line;

/* Read the line (without its end). A blank one is no message, and is not to be read. The caller's:
 * em_rpc_line_free(). NULL when memory ran out. */
em_rpc_line *em_rpc_read(em_slice text);

/* What stands for a line that was longer than `most` bytes and was not kept. */
em_rpc_line *em_rpc_too_long(size_t most);

/* What stands for a line that did not fit in memory. */
em_rpc_line *em_rpc_too_much(void);
void em_rpc_line_free(em_rpc_line *line);

/* Answers, notifications and requests; new references, NULL when memory ran out (or a part was
 * NULL, so that building need not be checked twice). `id` is borrowed; NULL leaves it out.
 * `result`, `data` and `params` are taken over; `data` may be NULL: left out. */
json_t *em_rpc_result(json_t *id, json_t *result);
json_t *em_rpc_error(json_t *id, int code, const char *message, json_t *data);
json_t *em_rpc_notification(const char *method, json_t *params);
json_t *em_rpc_request(json_t *id, const char *method, json_t *params);

#endif

#include "serve/rpc.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- Reading ------------------------------------------------------------------------------- */

static void invalid(em_rpc_message *message, int code, const char *problem)
{
    message->kind = EM_RPC_INVALID;
    message->code = code;
    message->problem = problem;
}

/* Why this object is neither a request nor a notification; NULL when it is one. */
static const char *request_problem(json_t *object)
{
    json_t *method = json_object_get(object, "method");
    json_t *params = json_object_get(object, "params");
    if (!em_json_is(json_object_get(object, "jsonrpc"), "2.0"))
        return "\"jsonrpc\" must be \"2.0\"";
    if (!json_is_string(method))
        return "\"method\" must be a string";
    if (params && !em_json_is_object(params) && !json_is_array(params) && !json_is_null(params))
        return "\"params\" must be an object";
    return NULL;
}

static bool is_response(json_t *object)
{
    bool has_result = json_object_get(object, "result") != NULL;
    bool has_error = json_object_get(object, "error") != NULL;
    return em_json_is(json_object_get(object, "jsonrpc"), "2.0") &&
           !json_object_get(object, "method") && has_result != has_error;
}

/* The id, where it is one that is taken: a string, or an integer of 64 bits. */
static json_t *usable_id(json_t *id)
{
    return json_is_string(id) || json_is_integer(id) ? id : NULL;
}

static void read_message(json_t *value, em_rpc_message *message)
{
    *message = (em_rpc_message){0};
    if (!em_json_is_object(value)) {
        invalid(message, EM_RPC_INVALID_REQUEST, "a message must be an object");
        return;
    }
    json_t *id = json_object_get(value, "id");
    json_t *params = json_object_get(value, "params");
    const char *problem = request_problem(value);
    message->id = usable_id(id);
    message->method = json_object_get(value, "method");
    message->params = json_is_null(params) ? NULL : params;
    message->result = json_object_get(value, "result");
    if (is_response(value))
        message->kind = EM_RPC_RESPONSE;
    else if (problem)
        invalid(message, EM_RPC_INVALID_REQUEST, problem);
    else if (id && !message->id)
        invalid(message, EM_RPC_INVALID_REQUEST, "\"id\" must be a string or a 64-bit integer");
    else
        message->kind = id ? EM_RPC_REQUEST : EM_RPC_NOTIFICATION;
}

static em_rpc_line *line_new(size_t count, size_t length)
{
    em_rpc_line *line = malloc(sizeof *line + count * sizeof line->messages[0]);
    if (line)
        *line = (em_rpc_line){.length = length, .count = count};
    return line;
}

/* A line of which nothing is known but what is wrong with it. */
static em_rpc_line *unread_line(size_t length, int code, const char *problem)
{
    em_rpc_line *line = line_new(1, length);
    if (!line)
        return NULL;
    line->messages[0] = (em_rpc_message){0};
    snprintf(line->problem, sizeof line->problem, "%s", problem);
    invalid(&line->messages[0], code, line->problem);
    return line;
}

em_rpc_line *em_rpc_too_long(size_t most)
{
    char problem[EM_DETAIL_SIZE];
    snprintf(problem, sizeof problem, "the message is longer than %zu bytes (--max-message-size)",
             most);
    return unread_line(0, EM_RPC_INVALID_REQUEST, problem);
}

em_rpc_line *em_rpc_too_much(void)
{
    return unread_line(0, EM_RPC_INTERNAL_ERROR,
                       "out of memory: the message does not fit in it (--max-memory)");
}

static em_rpc_line *read_batch(json_t *root, size_t length)
{
    em_rpc_line *line = line_new(json_array_size(root), length);
    if (!line)
        return NULL;
    line->is_batch = true;
    for (size_t i = 0; i < line->count; i++)
        read_message(json_array_get(root, i), &line->messages[i]);
    return line;
}

static em_rpc_line *read_single(json_t *root, size_t length)
{
    em_rpc_line *line = line_new(1, length);
    if (!line)
        return NULL;
    read_message(root, &line->messages[0]);
    if (json_is_array(root))
        line->messages[0].problem = "an empty batch";
    return line;
}

/* It stands for all of the batch: none of its messages is done. */
static em_rpc_line *too_many(size_t count, size_t length)
{
    char problem[EM_DETAIL_SIZE];
    snprintf(problem, sizeof problem,
             "a batch of %zu messages: at most %d are taken at once, and only in protocol version "
             "2025-03-26",
             count, EM_RPC_MOST_IN_BATCH);
    return unread_line(length, EM_RPC_INVALID_REQUEST, problem);
}

static em_rpc_line *read_root(json_t *root, size_t length)
{
    size_t count = json_array_size(root);
    if (count > EM_RPC_MOST_IN_BATCH)
        return too_many(count, length);
    return count > 0 ? read_batch(root, length) : read_single(root, length);
}

em_rpc_line *em_rpc_read(em_slice text)
{
    json_t *root = NULL;
    em_error err = EM_ERROR_INIT;
    em_status status = em_json_parse(text, &root, &err);
    if (status != EM_OK)
        return unread_line(text.len,
                           status == EM_E_NOMEM ? EM_RPC_INTERNAL_ERROR : EM_RPC_PARSE_ERROR,
                           err.detail);
    em_rpc_line *line = read_root(root, text.len);
    if (line)
        line->root = root;
    else
        json_decref(root);
    return line;
}

void em_rpc_line_free(em_rpc_line *line)
{
    if (!line)
        return;
    json_decref(line->root);
    free(line);
}

/* ---- Writing ------------------------------------------------------------------------------- */

/* A message with `key`, and with `id` where it is given. Takes over `value`. */
static json_t *message_with(json_t *id, const char *key, json_t *value)
{
    em_json json = {0};
    json_t *message = em_json_object(&json);
    em_json_set_string(&json, message, "jsonrpc", "2.0");
    if (id)
        em_json_set(&json, message, "id", json_incref(id));
    em_json_set(&json, message, key, value);
    return em_json_done(&json, message);
}

json_t *em_rpc_result(json_t *id, json_t *result)
{
    return message_with(id, "result", result);
}

json_t *em_rpc_error(json_t *id, int code, const char *message, json_t *data)
{
    em_json json = {0};
    json_t *error = em_json_object(&json);
    em_json_set(&json, error, "code", json_integer(code));
    em_json_set_string(&json, error, "message", message);
    if (data)
        em_json_set(&json, error, "data", data);
    return message_with(id, "error", em_json_done(&json, error));
}

json_t *em_rpc_notification(const char *method, json_t *params)
{
    return em_rpc_request(NULL, method, params);
}

json_t *em_rpc_request(json_t *id, const char *method, json_t *params)
{
    em_json json = {0};
    json_t *message = message_with(id, "method", json_string(method));
    em_json_set(&json, message, "params", params);
    return em_json_done(&json, message);
}

/* json.h: build JSON without checking every step.
 *
 * Building never has to be checked: when memory runs out the builder turns `failed`, ignores what
 * follows, drops what it is handed, and em_json_done() says so once.
 *
 *   em_json json = {0};
 *   json_t *root = em_json_object(&json);
 *   em_json_set_text(&json, root, "path", path);
 *   return em_json_done(&json, root);
 *
 * Keys stand in the order in which they were set.
 */
#ifndef EM_JSON_JSON_H
#define EM_JSON_JSON_H

#include "base/strbuf.h"

#include <jansson.h>

typedef struct em_json {
    bool failed;
} em_json;

/* New and empty; NULL (which every function here takes) when memory ran out. */
json_t *em_json_object(em_json *json);
json_t *em_json_array(em_json *json);

/* A list or an object with the same elements or members; NULL where not all of it could be had.
 * (json_copy() gives a part of it then.) */
json_t *em_json_copy(em_json *json, const json_t *value);

/* A string of any bytes: what is not valid UTF-8 becomes U+FFFD, byte by byte, so that columns in
 * code points stay true. */
json_t *em_json_text(em_json *json, em_slice bytes);

/* `value` is taken, also when this fails. */
void em_json_set(em_json *json, json_t *object, const char *key, json_t *value);
void em_json_add(em_json *json, json_t *array, json_t *value);

void em_json_set_text(em_json *json, json_t *object, const char *key, em_slice bytes);

/* NULL is a string for which there was no memory. */
void em_json_set_string(em_json *json, json_t *object, const char *key, const char *string);
void em_json_set_size(em_json *json, json_t *object, const char *key, size_t number);
void em_json_set_bool(em_json *json, json_t *object, const char *key, bool value);

/* `root`, or NULL, with `root` dropped, when memory ran out on the way. */
json_t *em_json_done(em_json *json, json_t *root);

/* Append `bytes`, with U+FFFD for each byte that is not valid UTF-8. */
void em_add_valid_utf8(em_strbuf *out, em_slice bytes);

/* `EM_AUTO(em_json_ref) value = ...;` gives the reference back at the end of the scope. */
typedef json_t *em_json_ref;
static inline void em_json_ref_drop(em_json_ref *ref)
{
    json_decref(*ref);
}

#endif

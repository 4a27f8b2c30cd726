#include "json/json.h"

#include "base/utf8.h"

static json_t *made(em_json *json, json_t *value)
{
    if (!value)
        json->failed = true;
    return value;
}

json_t *em_json_object(em_json *json)
{
    return made(json, json_object());
}

json_t *em_json_array(em_json *json)
{
    return made(json, json_array());
}

json_t *em_json_copy(em_json *json, const json_t *value)
{
    json_t *copy = json_copy((json_t *)value);
    if (json_array_size(copy) == json_array_size(value) &&
        json_object_size(copy) == json_object_size(value))
        return made(json, copy);
    json_decref(copy);
    return made(json, NULL);
}

void em_add_valid_utf8(em_strbuf *out, em_slice bytes)
{
    static const em_slice replacement = {"\xEF\xBF\xBD", 3}; /* U+FFFD */
    size_t at;
    while ((at = em_utf8_invalid_at(bytes)) != EM_NPOS) {
        em_strbuf_add(out, em_slice_sub(bytes, 0, at));
        em_strbuf_add(out, replacement);
        bytes = em_slice_from(bytes, at + 1);
    }
    em_strbuf_add(out, bytes);
}

json_t *em_json_text(em_json *json, em_slice bytes)
{
    EM_AUTO(em_strbuf) valid = {0};
    if (em_utf8_invalid_at(bytes) != EM_NPOS) {
        em_add_valid_utf8(&valid, bytes);
        if (valid.failed)
            return made(json, NULL);
        bytes = em_strbuf_slice(&valid);
    }
    return made(json, json_stringn_nocheck(bytes.len > 0 ? bytes.ptr : "", bytes.len));
}

void em_json_set(em_json *json, json_t *object, const char *key, json_t *value)
{
    if (json_object_set_new_nocheck(object, key, value) != 0)
        json->failed = true;
}

void em_json_add(em_json *json, json_t *array, json_t *value)
{
    if (json_array_append_new(array, value) != 0)
        json->failed = true;
}

void em_json_set_text(em_json *json, json_t *object, const char *key, em_slice bytes)
{
    em_json_set(json, object, key, em_json_text(json, bytes));
}

void em_json_set_string(em_json *json, json_t *object, const char *key, const char *string)
{
    if (string)
        em_json_set_text(json, object, key, em_slice_of(string));
    else
        json->failed = true;
}

void em_json_set_size(em_json *json, json_t *object, const char *key, size_t number)
{
    em_json_set(json, object, key, json_integer((json_int_t)number));
}

void em_json_set_bool(em_json *json, json_t *object, const char *key, bool value)
{
    em_json_set(json, object, key, json_boolean(value));
}

json_t *em_json_done(em_json *json, json_t *root)
{
    if (!json->failed)
        return root;
    json_decref(root);
    return NULL;
}

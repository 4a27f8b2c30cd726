/* args_unpacked.c: a value that was sent in another type: as JSON text, as a number, as a word. */
#include "arguments/args_impl.h"

#include "tools/nearest.h"
#include "json/json_text.h"

#include <strings.h>

/* "True" is how other languages write it. NULL: it is none. */
static json_t *bool_of_word(const char *word)
{
    if (strcasecmp(word, "true") == 0)
        return json_true();
    return strcasecmp(word, "false") == 0 ? json_false() : NULL;
}

bool em_is_list_of_strings(const em_param *param)
{
    return param->type == EM_P_LIST && !param->fields &&
           (param->item == EM_P_STRING || param->item == EM_P_NAME);
}

/* May it have been sent for the parameter as JSON text? */
static bool is_packable(const em_param *param, const json_t *inside)
{
    bool is_number = param->type == EM_P_INTEGER || param->type == EM_P_NUMBER;
    if (json_is_array(inside))
        return true;
    if (em_is_list_of_strings(param)) /* the one string of it */
        return json_is_string(inside);
    return em_json_is_object(inside) || (is_number && json_is_number(inside));
}

/* NULL: it is none, or memory ran out. */
static json_t *unpacked_string(const em_param *param, const json_t *value)
{
    const char *text = json_string_value(value);
    if (param->type == EM_P_STRING || param->type == EM_P_NAME || param->type == EM_P_PATH)
        return NULL;
    if (param->type == EM_P_BOOL || param->type == EM_P_BOOL_OR_WORD)
        return bool_of_word(text);
    json_t *inside;
    if (em_json_parse(em_json_slice(value), &inside, NULL) != EM_OK)
        return NULL;
    if (is_packable(param, inside))
        return inside;
    json_decref(inside);
    return NULL;
}

/* NULL: it is no such number, or memory ran out. */
static json_t *unpacked_integer(const em_param *param, const json_t *value)
{
    json_int_t number = json_integer_value(value);
    if (param->type == EM_P_BOOL && (number == 0 || number == 1))
        return json_boolean(number);
    bool is_text = param->type == EM_P_STRING && !param->words;
    return is_text || param->flags & EM_P_NUMERAL ? json_sprintf("%" JSON_INTEGER_FORMAT, number)
                                                  : NULL;
}

json_t *em_args_unpacked(const em_param *param, json_t *value)
{
    json_t *inside = NULL;
    if (json_is_string(value))
        inside = unpacked_string(param, value);
    else if (json_is_integer(value))
        inside = unpacked_integer(param, value);
    return inside ? inside : json_incref(value);
}

/* By which name the arguments of a call are sent in them once more. */
static const char *const names_for_all[] = {
    "arguments", "args", "params", "parameters", "input", "tool_input", "request", "kwargs", NULL};

/* A copy, which becomes a retry. */
json_t *em_args_unwrapped(const em_param *params, json_t *arguments)
{
    const char *name = json_object_iter_key(json_object_iter(arguments));
    if (json_object_size(arguments) != 1 || em_param_named(params, name) ||
        !em_is_one_name_of(names_for_all, name))
        return json_incref(arguments);
    json_t *inside =
        em_args_unpacked(&(em_param){.type = EM_P_OBJECT}, json_object_get(arguments, name));
    bool is_object = em_json_is_object(inside);
    json_t *copy = is_object ? json_deep_copy(inside) : json_incref(arguments);
    json_decref(inside);
    return copy;
}

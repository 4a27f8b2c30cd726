/* args.c: the check of a call's arguments.
 *
 * Begin with em_args_check(): it goes through the values beside their table, and each fault is one
 * sentence (args_faults.c).
 */
#include "arguments/args_faults.h"

#include "arguments/members.h"
#include "base/beside.h"
#include "json/json_text.h"

#include <stdatomic.h>

/* ---- Values -------------------------------------------------------------------------------- */

static bool is_integer(const json_t *value)
{
    if (json_is_integer(value))
        return true;
    double real = json_real_value(value); /* 0 for what is no real */
    return json_is_real(value) && real > -9.0e18 && real < 9.0e18 &&
           real == (double)(json_int_t)real;
}

json_int_t em_integer_value(const json_t *value)
{
    return json_is_integer(value) ? json_integer_value(value) : (json_int_t)json_real_value(value);
}

bool em_needs_elements(const em_param *param)
{
    return param->type == EM_P_LIST && param->flags & EM_P_NONEMPTY;
}

static void check_object(em_args_checker *c, const em_param *params, const json_t *object,
                         const em_arg_place *parent);
static void check_members(em_args_checker *c, const em_members *members,
                          const em_arg_place *parent);

bool em_is_of_type(em_param_type type, const json_t *value)
{
    switch (type) {
    case EM_P_STRING:
    case EM_P_NAME:
    case EM_P_PATH:
        return json_is_string(value);
    case EM_P_INTEGER:
        return is_integer(value);
    case EM_P_NUMBER:
        return json_is_number(value);
    case EM_P_BOOL:
        return json_is_boolean(value);
    case EM_P_BOOL_OR_WORD:
        return json_is_boolean(value) || json_is_string(value);
    case EM_P_OBJECT:
        return em_json_is_object(value);
    case EM_P_LIST:
        break;
    }
    return json_is_array(value);
}

/* `param` is NULL for an element of a list. */
static bool check_type(em_args_checker *c, em_param_type type, const em_param *param,
                       const json_t *value, const em_arg_place *at)
{
    bool right = em_is_of_type(type, value);
    if (!right)
        em_fault_type(c, at, type, param, value);
    return right;
}

static void check_name(em_args_checker *c, const json_t *value, const em_arg_place *at)
{
    size_t length = json_string_length(value);
    if (length == 0)
        em_fault_value(c, at, "not be empty");
    else if (memchr(json_string_value(value), '\0', length))
        em_fault_value(c, at, "not hold a NUL character");
}

static void check_element(em_args_checker *c, const em_param *list, em_members *members,
                          const json_t *value, const em_arg_place *at)
{
    if (!check_type(c, list->fields ? EM_P_OBJECT : list->item, NULL, value, at) || !list->fields)
        return;
    const json_t *around = c->object;
    c->object = value;
    if (em_members_read(members, value))
        check_members(c, members, at);
    else
        check_object(c, list->fields, value, at);
    c->object = around;
}

/* A list of which it is only asked whether anything is wrong with it. */
typedef struct long_list {
    const em_param *param;
    const json_t *elements;
    atomic_bool is_wrong;
} long_list;

static void check_some(void *context, size_t from, size_t to)
{
    long_list *list = context;
    EM_AUTO(em_args_checker) c = {.edit = EM_NO_EDIT, .only_asks = true};
    em_members members = em_members_of(list->param->fields);
    for (size_t i = from; i < to && c.problems == 0; i++) {
        em_arg_place element = {.index = i};
        check_element(&c, list->param, &members, json_array_get(list->elements, i), &element);
    }
    if (c.problems > 0)
        list->is_wrong = true;
}

static bool all_are_right(const em_param *param, const json_t *elements)
{
    long_list list = {.param = param, .elements = elements};
    em_in_halves(json_array_size(elements), EM_ELEMENTS_WORTH_A_THREAD, check_some, &list);
    return !list.is_wrong;
}

static void check_list(em_args_checker *c, const em_param *param, const json_t *value,
                       const em_arg_place *at)
{
    size_t count = json_array_size(value);
    em_members members = em_members_of(param->fields);
    if (count == 0 && em_needs_elements(param))
        em_fault_empty_list(c, at);
    if (count >= EM_ELEMENTS_WORTH_A_THREAD && all_are_right(param, value))
        return;
    for (size_t i = 0; i < count && !em_has_told_enough(c); i++) {
        em_arg_place element = {.parent = at, .index = i};
        check_element(c, param, &members, json_array_get(value, i), &element);
    }
}

bool em_is_word_of(const char *const *words, const json_t *value)
{
    for (; *words; words++)
        if (strlen(*words) == json_string_length(value) &&
            strcmp(*words, json_string_value(value)) == 0)
            return true;
    return false;
}

static bool is_within_bounds(const em_param *param, json_int_t value)
{
    if (param->minimum == 0 && param->maximum == 0)
        return true;
    return value >= param->minimum && (param->maximum < param->minimum || value <= param->maximum);
}

static void check_value(em_args_checker *c, const em_param *param, const json_t *value,
                        const em_arg_place *at)
{
    if (json_is_null(value) && em_needs_elements(param)) {
        em_fault_null_list(c, at);
        return;
    }
    if (!check_type(c, param->type, param, value, at))
        return;
    if (param->type == EM_P_NAME || param->type == EM_P_PATH)
        check_name(c, value, at);
    else if (param->type == EM_P_INTEGER && !is_within_bounds(param, em_integer_value(value)))
        em_fault_bounds(c, at, param, value);
    else if (param->type == EM_P_OBJECT && param->fields)
        check_object(c, param->fields, value, at);
    else if (param->type == EM_P_LIST)
        check_list(c, param, value, at);
    else if (param->words && json_is_string(value) && !em_is_word_of(param->words, value))
        em_fault_word(c, at, param, value);
}

/* ---- Objects ------------------------------------------------------------------------------- */

const em_param *em_param_named(const em_param *params, const char *name)
{
    for (const em_param *param = params; param->name; param++)
        if (param->name == name) /* both are literals mostly, of which the linker keeps one */
            return param;
    for (; params->name; params++)
        if (strcmp(params->name, name) == 0 || (params->alias && strcmp(params->alias, name) == 0))
            return params;
    return NULL;
}

bool em_is_list_of_objects(const em_param *param)
{
    return param->type == EM_P_LIST && param->fields;
}

const em_param *em_param_of_path(const em_param *params)
{
    while (params->name && params->type != EM_P_PATH)
        params++;
    return params->name ? params : NULL;
}

size_t em_faults_as(const em_param *param, json_t *value)
{
    em_args_checker c = {.edit = EM_NO_EDIT};
    em_arg_place at = {.name = param->name};
    EM_AUTO(em_json_ref) inside = em_args_unpacked(param, value);
    check_value(&c, param, inside, &at);
    em_strbuf_drop(&c.message);
    return c.problems;
}

/* json_object_get(), which makes a hash of the name first: there are thousands of objects of a few
 * members. */
static const json_t *member(const json_t *object, const char *name)
{
    enum { FEW = 4 };
    size_t length = strlen(name);
    if (json_object_size(object) > FEW)
        return json_object_getn(object, name, length);
    json_t *members = (json_t *)object;
    for (void *at = json_object_iter(members); at; at = json_object_iter_next(members, at))
        if (json_object_iter_key_len(at) == length &&
            memcmp(json_object_iter_key(at), name, length) == 0)
            return json_object_iter_value(at);
    return NULL;
}

const json_t *em_param_value(const em_param *param, const json_t *object)
{
    const json_t *value = member(object, param->name);
    const json_t *other = param->alias ? member(object, param->alias) : NULL;
    if (other && (!value || (json_is_null(value) && !json_is_null(other))))
        value = other;
    return em_is_given(param, value) ? value : NULL;
}

/* Has the caller given `param` under a name that nobody knows? That has been told. */
static bool is_misspelt(const em_param *params, const em_param *param, const json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        if (!em_param_named(params, key) && em_param_meant(params, key, value, object) == param)
            return true;
    }
    return false;
}

static void check_names(em_args_checker *c, const em_param *params, const json_t *object,
                        const em_arg_place *parent)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        if (em_param_named(params, key))
            continue;
        if (em_has_told_enough(c))
            return;
        em_arg_place at = {.parent = parent, .name = key};
        em_meaning none = {.list = NULL};
        em_fault_unknown(c, &at, params,
                         c->only_asks ? none : em_meaning_told(params, key, value, object), value);
    }
}

static void check_param(em_args_checker *c, const em_param *params, const em_param *param,
                        const json_t *object, const em_arg_place *parent)
{
    em_arg_place at = {.parent = parent, .name = param->name};
    const json_t *value = em_param_value(param, object);
    const json_t *other = param->alias ? member(object, param->alias) : NULL;
    if (!value) {
        if (param->flags & EM_P_REQUIRED && (c->only_asks || !is_misspelt(params, param, object)))
            em_fault_missing(c, &at, param);
        return;
    }
    if (other && !json_is_null(other) && value != other) {
        em_fault_twice(c, &at, param);
        return;
    }
    bool both_null = json_is_null(value) && member(object, param->name);
    if (value == other && !both_null)
        at.name = param->alias;
    check_value(c, param, value, &at);
}

static void check_object(em_args_checker *c, const em_param *params, const json_t *object,
                         const em_arg_place *parent)
{
    check_names(c, params, object, parent);
    for (const em_param *param = params; param->name && !em_has_told_enough(c); param++)
        check_param(c, params, param, object, parent);
}

/* check_object() of an object that was read as its members: all of its names are known. */
static void check_members(em_args_checker *c, const em_members *members, const em_arg_place *parent)
{
    for (size_t i = 0; i < members->param_count && !em_has_told_enough(c); i++) {
        const em_param *param = &members->params[i];
        em_arg_place at = {.parent = parent, .name = param->name};
        if (members->values[i])
            check_value(c, param, members->values[i], &at);
        else if (param->flags & EM_P_REQUIRED)
            em_fault_missing(c, &at, param);
    }
}

em_status em_args_check(const em_param *params, const json_t *arguments, em_arena *arena,
                        em_args_problem *problem)
{
    EM_AUTO(em_args_checker) c = {.edit = EM_NO_EDIT, .params = params, .object = arguments};
    check_object(&c, params, arguments, NULL);
    *problem = (em_args_problem){em_strbuf_finish(&c.message, arena), c.edit};
    if (!problem->message)
        return EM_E_NOMEM;
    return c.problems > 0 ? EM_E_INVALID : EM_OK;
}

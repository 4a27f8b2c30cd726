/* args_raise.c: what is said of a whole call, or a file, and came in the objects of a list.
 *
 *   {"edits": [{..., "dry_run": true}, {..., "dry_run": true}]}
 *       ->   {"edits": [{...}, {...}], "dry_run": true}
 *
 * Only where each of the objects says the same: what is said of one of them is not meant of all.
 */
#include "arguments/args_impl.h"

#include "json/json_text.h"

/* Is it said beside a list, of all that is done? Not what is done, nor to which file. */
static bool is_option(const em_param *param)
{
    bool is_word = param->type == EM_P_NAME || (param->type == EM_P_STRING && param->words);
    return !(param->flags & (EM_P_REQUIRED | EM_P_CHOOSES)) &&
           (is_word || param->type == EM_P_BOOL || param->type == EM_P_INTEGER);
}

bool em_is_option_of(const em_param *params, const char *name, json_t *value)
{
    const em_param *param = params ? em_param_named(params, name) : NULL;
    return param && is_option(param) && !json_is_null(value) && em_faults_as(param, value) == 0;
}

/* A table, and those of the objects around its own. */
typedef struct around {
    const struct around *outer;
    const em_param *params;
} around;

static bool is_option_around(const around *at, const char *name, json_t *value)
{
    while (at && !em_is_option_of(at->params, name, value))
        at = at->outer;
    return at != NULL;
}

static bool each_has(const json_t *objects, const char *name, const json_t *value)
{
    size_t count = json_array_size(objects), i = 0;
    while (i < count && json_equal(value, json_object_get(json_array_get(objects, i), name)))
        i++;
    return i == count;
}

static void move_out(em_json *json, json_t *objects, const char *name, json_t *value, json_t *out)
{
    em_json_set(json, out, name, json_incref(value));
    for (size_t i = 0; i < json_array_size(objects); i++)
        json_object_del(json_array_get(objects, i), name);
}

/* What the objects of a list, which are copies, have of the options around them goes to `out`,
 * which the list is in. From there it may go on. */
static void raise_options(em_json *json, const around *at, const em_param *fields, json_t *objects,
                          json_t *out)
{
    EM_AUTO(em_json_ref) first = em_json_copy(json, json_array_get(objects, 0));
    const char *name;
    json_t *value;
    json_object_foreach(first, name, value)
    {
        const json_t *given = json_object_get(out, name);
        if (!em_param_named(fields, name) && is_option_around(at, name, value) &&
            each_has(objects, name, value) && (!given || json_equal(given, value)))
            move_out(json, objects, name, value, out);
    }
}

static json_t *raised(em_json *json, const around *at, json_t *object)
{
    if (!em_json_is_object(object) || json_object_size(object) > EM_MOST_NAMES)
        return json_incref(object);
    json_t *out = em_json_copy(json, object);
    for (const em_param *param = at->params; param->name; param++) {
        json_t *list = em_is_list_of_objects(param) ? json_object_get(object, param->name) : NULL;
        if (json_array_size(list) == 0)
            continue;
        const around inner = {at, param->fields};
        json_t *objects = em_json_array(json);
        for (size_t i = 0; i < json_array_size(list); i++)
            em_json_add(json, objects, raised(json, &inner, json_array_get(list, i)));
        raise_options(json, at, param->fields, objects, out);
        em_json_set(json, out, param->name, objects);
    }
    return out;
}

json_t *em_args_raised(em_json *json, const em_param *params, json_t *arguments)
{
    return raised(json, &(around){.params = params}, arguments);
}

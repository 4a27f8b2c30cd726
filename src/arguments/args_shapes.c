/* args_shapes.c: what belongs into the objects of a list, in another shape.
 *
 *   {"a.c": "text", "b.c": "more"}         an object for each file: its path, and its content
 *   {"old": "new"}                         for each edit: its two texts
 *   [{"path": "a.c", ...}, {...}]          the path of the only file, in each of its edits
 */
#include "arguments/args_impl.h"

#include "tools/nearest.h"
#include "json/json_text.h"

static const em_param *path_of(const em_param *params)
{
    while (params->name && params->type != EM_P_PATH)
        params++;
    return params->name ? params : NULL;
}

/* ---- Maps ----------------------------------------------------------------------------------- */

/* Is each name one of the caller's own, and none that an object of the list may have? */
static bool is_map(const em_param *fields, json_t *value)
{
    const char *key;
    json_t *member;
    if (json_object_size(value) == 0)
        return false;
    json_object_foreach(value, key, member)
    {
        if (em_param_named(fields, key) || em_param_meant(fields, key, member, value))
            return false;
    }
    return true;
}

/* The text that an object must have beside its path, if there is one; NULL. */
static const em_param *text_beside(const em_param *fields, const em_param *path)
{
    const em_param *found = NULL;
    for (; fields->name; fields++) {
        if (fields == path || !(fields->flags & EM_P_REQUIRED))
            continue;
        if (found || fields->type != EM_P_STRING)
            return NULL;
        found = fields;
    }
    return found;
}

/* The object for the file of that path; NULL where it is not plain what its value is. */
static json_t *object_of_file(em_json *json, const em_param *fields, const char *path,
                              json_t *value)
{
    const em_param *name = path_of(fields), *text = text_beside(fields, name);
    const em_param *member = json_is_string(value)  ? text
                             : json_is_array(value) ? em_edit_list(fields)
                                                    : NULL;
    json_t *object = member ? em_json_object(json) : NULL;
    if (member)
        em_json_set(json, object, member->name, json_incref(value));
    else if (em_json_is_object(value) && !em_param_value(name, value))
        object = json_copy(value);
    if (object)
        em_json_set_string(json, object, name->name, path);
    return object;
}

static json_t *object_of_texts(em_json *json, const em_param *goes, const em_param *comes,
                               const char *key, json_t *value)
{
    if (!json_is_string(value))
        return NULL;
    json_t *object = em_json_object(json);
    em_json_set_string(json, object, goes->name, key);
    em_json_set(json, object, comes->name, json_incref(value));
    return object;
}

/* Is one of the names plainly a path? No name of an argument has such signs. */
static bool names_path(json_t *map)
{
    const char *key;
    json_t *member;
    json_object_foreach(map, key, member)
    {
        if (strpbrk(key, "./"))
            return true;
    }
    return false;
}

json_t *em_list_of_map(em_json *json, const em_param *fields, json_t *value)
{
    const em_param *goes, *comes;
    bool is_of_files = path_of(fields) != NULL;
    if (!is_map(fields, value) ||
        !(is_of_files ? names_path(value) : em_edit_texts(fields, &goes, &comes)))
        return NULL;
    json_t *list = em_json_array(json), *member;
    const char *key;
    json_object_foreach(value, key, member)
    {
        json_t *object = is_of_files ? object_of_file(json, fields, key, member)
                                     : object_of_texts(json, goes, comes, key, member);
        if (!object) {
            json_decref(list);
            return NULL;
        }
        em_json_add(json, list, object);
    }
    return list;
}

/* ---- Paths ---------------------------------------------------------------------------------- */

/* The name by which an object has the path of a file that its table has no parameter for; NULL. */
static const char *stray_path_in(const em_param *fields, const em_param *path, json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach(object, key, value)
    {
        if (json_is_string(value) && !em_param_named(fields, key) &&
            (em_param_named(path, key) == path || em_are_synonyms(path->name, key)))
            return key;
    }
    return NULL;
}

/* The path that all objects of the list have; NULL. */
static json_t *common_path(const em_param *list, const em_param *path, const json_t *objects)
{
    json_t *common = NULL;
    for (size_t i = 0; i < json_array_size(objects); i++) {
        json_t *object = json_array_get(objects, i);
        const char *name =
            em_json_is_object(object) ? stray_path_in(list->fields, path, object) : NULL;
        json_t *value = name ? json_object_get(object, name) : NULL;
        if (!value || (common && !json_equal(common, value)))
            return NULL;
        common = value;
    }
    return common;
}

static json_t *without_paths(em_json *json, const em_param *list, const em_param *path,
                             const json_t *objects)
{
    json_t *out = em_json_array(json);
    for (size_t i = 0; i < json_array_size(objects); i++) {
        json_t *object = json_copy(json_array_get(objects, i));
        json_object_del(object, stray_path_in(list->fields, path, object));
        em_json_add(json, out, object);
    }
    return out;
}

json_t *em_with_path_outside(em_json *json, const em_param *params, const json_t *arguments)
{
    const em_param *path = path_of(params), *list = em_edit_list(params);
    if (!path || !list || path_of(list->fields))
        return NULL;
    const json_t *objects = em_param_value(list, arguments);
    const json_t *outside = em_param_value(path, arguments);
    json_t *common = common_path(list, path, objects);
    if (!common || (outside && !json_equal(outside, common)))
        return NULL;
    json_t *out = json_copy((json_t *)arguments);
    if (!outside)
        em_json_set(json, out, path->name, json_incref(common));
    em_json_set(json, out, list->name, without_paths(json, list, path, objects));
    return out;
}

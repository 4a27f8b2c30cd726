/* args_shapes.c: maps where lists of objects belong.
 *
 *   {"a.c": "text", "b.c": "more"}         an object for each file: its path, and its content
 *   {"old": "new"}                         for each edit: its two texts
 */
#include "arguments/args_impl.h"

#include "json/json_text.h"

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
    const em_param *name = em_param_of_path(fields), *text = text_beside(fields, name);
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
    bool is_of_files = em_param_of_path(fields) != NULL;
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

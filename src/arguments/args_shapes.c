/* args_shapes.c: maps where lists of objects belong.
 *
 *   {"a.c": "text", "b.c": "more"}         an object for each file: its path, and its content
 *   {"old": "new"}                         for each edit: its two texts
 *
 * And a list of these two where the object of an edit belongs: ["old", "new"].
 */
#include "arguments/args_impl.h"

#include "tools/nearest.h"
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
                              json_t *value, em_arena *arena)
{
    bool is_change;
    if (em_is_change(value, arena, &is_change) != EM_OK)
        json->failed = true;
    if (json->failed || is_change) /* to be made, or to be written? */
        return NULL;
    const em_param *name = em_param_of_path(fields), *text = text_beside(fields, name);
    const em_param *member = json_is_string(value)  ? text
                             : json_is_array(value) ? em_edit_list(fields)
                                                    : NULL;
    json_t *object = member ? em_json_object(json) : NULL;
    if (member)
        em_json_set(json, object, member->name, json_incref(value));
    else if (em_json_is_object(value) && !em_param_value(name, value))
        object = em_json_copy(json, value);
    if (object)
        em_json_set_string(json, object, name->name, path);
    return object;
}

/* May the name be no text of the file, but a line's number, or an argument of some tool? */
static bool is_name_or_number(const char *key)
{
    return key[strspn(key, "0123456789")] == '\0' || em_is_name_of_text(key) ||
           em_is_word_of_tools(key) || em_is_note(key) || em_is_same_name(key, "anchor");
}

/* Does a text that comes hold one that goes? Which of the two edits is first is nowhere said. */
static bool builds_on_another(json_t *map)
{
    const char *key, *other;
    json_t *value, *unused;
    if (json_object_size(map) > EM_MOST_NAMES)
        return true;
    json_object_foreach(map, key, value)
    {
        json_object_foreach(map, other, unused)
        {
            if (strcmp(key, other) != 0 && em_slice_holds(em_json_slice(value), em_slice_of(other)))
                return true;
        }
    }
    return false;
}

static json_t *object_of_texts(em_json *json, const em_param *goes, const em_param *comes,
                               const char *key, json_t *value)
{
    if (!json_is_string(value) || is_name_or_number(key))
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

json_t *em_edit_of_pair(em_json *json, const em_param *fields, json_t *pair)
{
    const em_param *goes, *comes;
    json_t *old = json_array_get(pair, 0);
    bool is_pair = json_array_size(pair) == 2 && json_is_string(old) &&
                   !is_name_or_number(json_string_value(old));
    return is_pair && em_edit_texts(fields, &goes, &comes)
               ? object_of_texts(json, goes, comes, json_string_value(old), json_array_get(pair, 1))
               : NULL;
}

json_t *em_list_of_map(em_json *json, const em_param *fields, json_t *value, em_arena *arena)
{
    const em_param *goes, *comes;
    bool is_of_files = em_param_of_path(fields) != NULL;
    if (!is_map(fields, value) ||
        !(is_of_files ? names_path(value)
                      : em_edit_texts(fields, &goes, &comes) && !builds_on_another(value)))
        return NULL;
    json_t *list = em_json_array(json), *member;
    const char *key;
    json_object_foreach(value, key, member)
    {
        json_t *object = is_of_files ? object_of_file(json, fields, key, member, arena)
                                     : object_of_texts(json, goes, comes, key, member);
        if (!object) {
            json_decref(list);
            return NULL;
        }
        em_json_add(json, list, object);
    }
    return list;
}

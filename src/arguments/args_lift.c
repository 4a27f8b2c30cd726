/* args_lift.c: a file that each edit names for itself, as in tools that take edits of several
 * files.
 *
 *   {"edits": [{"path": "a", ...}, {"path": "a", ...}]}
 *       ->   {"path": "a", "edits": [...]}
 *   {"edits": [{"path": "a", ...}, {"path": "b", ...}]}
 *       ->   {"files": [{"path": "a", "edits": [...]}, {"path": "b", "edits": [...]}]}
 *
 * The first only where no other file is named beside them, the second where none is and the tool
 * takes several.
 */
#include "arguments/args_impl.h"

#include "tools/nearest.h"
#include "json/json_text.h"

enum { MOST_IN_FILES = 1000 }; /* edits; each is looked for among the files before it */

typedef struct lift {
    const em_param *path;  /* of the file, beside the list */
    const em_param *list;  /* of objects that can name none */
    const char *name;      /* by which it came: its own, or another word for it */
    const em_param *files; /* a list of files that each have such a list; NULL */
    const json_t *objects; /* what came for `list` */
} lift;

/* ---- What a table has ----------------------------------------------------------------------- */

/* The name by which a list came, its own before others; NULL. */
static const char *name_of_list(const em_param *list, const json_t *arguments)
{
    const char *key;
    json_t *value;
    if (json_array_size(json_object_get(arguments, list->name)) > 0)
        return list->name;
    json_object_foreach((json_t *)arguments, key, value)
    {
        if (json_array_size(value) > 0 && em_are_synonyms(list->name, key) &&
            !json_object_get(arguments, list->name))
            return key;
    }
    return NULL;
}

/* The list that came of objects that can name no file of their own; NULL. */
static const em_param *list_that_came(const em_param *params, const json_t *arguments)
{
    for (; params->name; params++)
        if (em_is_list_of_objects(params) && !em_param_of_path(params->fields) &&
            name_of_list(params, arguments))
            return params;
    return NULL;
}

/* The list of files that each can have such a list; NULL. */
static const em_param *list_of_files(const em_param *params, const em_param *list)
{
    for (; params->name; params++) {
        bool has_paths = em_is_list_of_objects(params) && em_param_of_path(params->fields);
        const em_param *own = has_paths ? em_param_named(params->fields, list->name) : NULL;
        if (own && own->fields == list->fields)
            return params;
    }
    return NULL;
}

/* ---- What an object has --------------------------------------------------------------------- */

static bool is_word_for(const em_param *path, const char *key)
{
    return em_are_synonyms(key, path->name) || strcmp(key, path->name) == 0 ||
           (path->alias && strcmp(key, path->alias) == 0);
}

/* The name under which an object has a path, which is none of its own table; NULL. */
static const char *name_of_path(const lift *l, const json_t *object)
{
    const char *key;
    json_t *value;
    if (json_object_size(object) > EM_MOST_NAMES)
        return NULL;
    json_object_foreach((json_t *)object, key, value)
    {
        if (json_is_string(value) && is_word_for(l->path, key) &&
            !em_param_named(l->list->fields, key))
            return key;
    }
    return NULL;
}

static json_t *path_in(const lift *l, const json_t *object)
{
    const char *key = name_of_path(l, object);
    return key ? json_object_get(object, key) : NULL;
}

static json_t *without_path(em_json *json, const lift *l, json_t *object)
{
    json_t *rest = em_json_copy(json, object);
    json_object_del(rest, name_of_path(l, object));
    return rest;
}

static bool each_has_a_path(const lift *l)
{
    size_t count = json_array_size(l->objects), i = 0;
    while (i < count && path_in(l, json_array_get(l->objects, i)))
        i++;
    return i == count;
}

/* Is it the same in all of them? */
static bool each_has(const lift *l, const json_t *path)
{
    size_t count = json_array_size(l->objects), i = 0;
    while (i < count && json_equal(path, path_in(l, json_array_get(l->objects, i))))
        i++;
    return i == count;
}

/* ---- Where they go -------------------------------------------------------------------------- */

static json_t *without_paths(em_json *json, const lift *l)
{
    json_t *out = em_json_array(json);
    for (size_t i = 0; i < json_array_size(l->objects); i++)
        em_json_add(json, out, without_path(json, l, json_array_get(l->objects, i)));
    return out;
}

/* The list of the file in `files`, which is added if it is not there. */
static json_t *list_of(em_json *json, const lift *l, json_t *files, json_t *path)
{
    for (size_t i = 0; i < json_array_size(files); i++) {
        json_t *file = json_array_get(files, i);
        if (json_equal(json_object_get(file, l->path->name), path))
            return json_object_get(file, l->list->name);
    }
    json_t *file = em_json_object(json), *list = em_json_array(json);
    em_json_set(json, file, l->path->name, json_incref(path));
    em_json_set(json, file, l->list->name, list);
    em_json_add(json, files, file);
    return json->failed ? NULL : list;
}

static json_t *by_file(em_json *json, const lift *l)
{
    json_t *files = em_json_array(json);
    for (size_t i = 0; i < json_array_size(l->objects); i++) {
        json_t *object = json_array_get(l->objects, i);
        em_json_add(json, list_of(json, l, files, path_in(l, object)),
                    without_path(json, l, object));
    }
    return files;
}

/* Do they belong to several files, as far as the tool takes these? */
static bool goes_by_file(const lift *l, const json_t *arguments)
{
    return l->files && !em_param_value(l->files, arguments) &&
           json_array_size(l->objects) <= MOST_IN_FILES;
}

static json_t *lifted(em_json *json, const lift *l, json_t *arguments)
{
    const json_t *named = em_param_value(l->path, arguments);
    json_t *first = path_in(l, json_array_get(l->objects, 0)), *out = em_json_copy(json, arguments);
    if (each_has(l, named ? named : first)) {
        json_object_del(out, l->name);
        em_json_set(json, out, l->list->name, without_paths(json, l));
        if (!named)
            em_json_set(json, out, l->path->name, json_incref(first));
    } else if (!named && goes_by_file(l, arguments)) {
        em_json_set(json, out, l->files->name, by_file(json, l));
        json_object_del(out, l->name);
    }
    return out;
}

/* Has each object of a list a path, which has no place there? */
static bool reads_lift(const em_param *params, const json_t *arguments, lift *l)
{
    *l = (lift){.path = em_param_of_path(params), .list = list_that_came(params, arguments)};
    if (!l->path || !l->list)
        return false;
    l->name = name_of_list(l->list, arguments);
    l->objects = json_object_get(arguments, l->name);
    l->files = list_of_files(params, l->list);
    return each_has_a_path(l);
}

json_t *em_args_lifted(em_json *json, const em_param *params, json_t *arguments)
{
    lift l;
    return reads_lift(params, arguments, &l) ? lifted(json, &l, arguments) : json_incref(arguments);
}

bool em_args_name_files(const em_param *params, const json_t *arguments)
{
    lift l;
    return reads_lift(params, arguments, &l) &&
           !each_has(&l, path_in(&l, json_array_get(l.objects, 0)));
}

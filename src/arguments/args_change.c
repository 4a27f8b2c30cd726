/* args_change.c: edits that came as a patch, or as blocks from SEARCH to REPLACE.
 *
 * Who knows a tool that takes one sends it under a name of its own ("diff"), or in the place of the
 * edits. What it says is the two texts of each of its parts.
 */
#include "arguments/args_impl.h"

#include "diagnosis/patch_prose.h"
#include "tools/nearest.h"
#include "json/json_text.h"

#include <string.h>

/* Beside the words for edits, and for what is written. A patch by another name may be one that was
 * made before, or is to be taken back ("expected_diff", "revert"). */
static const char *const change_names[] = {
    "patch", "diff",       "unified_diff", "git_diff",   "patch_text",     "patch_content",
    "hunk",  "diff_text",  "diff_content", "apply_diff", "search_replace", "apply_patch",
    "hunks", "patch_diff", "input",        "edit",       "change",         "code_edit",
    NULL};

/* Is it a name of nothing but a patch, or edits? */
static bool is_name_of_change_alone(const char *name)
{
    return em_are_synonyms("edits", name) || em_is_one_name_of(change_names, name);
}

bool em_is_name_of_change(const char *name)
{
    return is_name_of_change_alone(name) || em_are_synonyms("content", name);
}

const em_param *em_edit_list(const em_param *params)
{
    const em_param *goes, *comes;
    for (; params->name; params++)
        if (em_is_list_of_objects(params) && em_edit_texts(params->fields, &goes, &comes))
            return params;
    return NULL;
}

const em_param *em_list_of_files(const em_param *params)
{
    for (; params->name; params++)
        if (em_is_list_of_objects(params) && em_param_of_path(params->fields) &&
            em_edit_list(params->fields))
            return params;
    return NULL;
}

em_status em_is_change(const json_t *value, em_arena *arena, bool *is)
{
    em_told_changes all = {.is_change = false};
    if (json_is_string(value))
        EM_TRY(em_told_changes_read(em_json_slice(value), arena, &all));
    *is = all.is_change;
    return EM_OK;
}

/* ---- What stands around a patch -------------------------------------------------------------- */

static json_t *text_alone(em_json *json, json_t *value, em_arena *arena)
{
    em_told_changes all;
    em_slice text = em_json_slice(value), patch = text;
    em_status status = em_told_changes_read(text, arena, &all);
    if (status == EM_OK && !all.is_change)
        status = em_patch_without_prose(text, arena, &patch);
    json->failed |= status != EM_OK;
    return em_slice_eq(text, patch) ? json_incref(value) : em_json_text(json, patch);
}

static json_t *value_alone(em_json *json, const char *name, json_t *value, em_arena *arena);

/* An object with the members that are meant; a new reference. */
static json_t *members_alone(em_json *json, json_t *object, em_arena *arena)
{
    const char *key;
    json_t *member, *out = em_json_copy(json, object);
    json_object_foreach(object, key, member)
    {
        em_json_set(json, out, key, value_alone(json, key, member, arena));
    }
    return out;
}

/* A value that came by that name, or the elements of one. A new reference. */
static json_t *value_alone(em_json *json, const char *name, json_t *value, em_arena *arena)
{
    size_t index;
    json_t *element;
    if (json_is_string(value) && is_name_of_change_alone(name))
        return text_alone(json, value, arena);
    if (em_json_is_object(value))
        return members_alone(json, value, arena);
    if (!json_is_array(value))
        return json_incref(value);
    json_t *out = em_json_array(json);
    json_array_foreach(value, index, element)
    {
        em_json_add(json, out, value_alone(json, name, element, arena));
    }
    return out;
}

json_t *em_args_without_prose(json_t *arguments, em_arena *arena)
{
    em_json json = {0};
    return em_json_done(&json, value_alone(&json, "", arguments, arena));
}

/* ---- What a patch says ----------------------------------------------------------------------- */

/* The changes of all texts that were seen so far. */
typedef struct gathering {
    em_told_change *all;
    em_told_room room;
    em_arena *arena;
} gathering;

static em_status gather_text(gathering *g, em_slice text)
{
    em_told_changes some;
    EM_TRY(em_told_changes_read(text, g->arena, &some));
    g->all->more = g->all->more.len > 0 ? g->all->more : some.more;
    g->all->is_bare |= some.is_bare;
    g->all->is_cut |= some.is_change && some.is_cut;
    for (size_t i = 0; i < some.count && some.is_change; i++)
        EM_TRY(em_told_change_append(g->all, &some.files[i], &g->room, g->arena));
    return EM_OK;
}

static em_status gather(gathering *g, const json_t *value)
{
    const char *key;
    size_t index;
    json_t *member;
    if (json_is_string(value))
        EM_TRY(gather_text(g, em_json_slice(value)));
    json_array_foreach((json_t *)value, index, member)
    {
        EM_TRY(gather(g, member));
    }
    json_object_foreach((json_t *)value, key, member)
    {
        EM_TRY(gather(g, member));
    }
    return EM_OK;
}

em_status em_args_find_changes(const json_t *arguments, em_arena *arena, em_told_change *all)
{
    *all = (em_told_change){.count = 0};
    return gather(&(gathering){.all = all, .arena = arena}, arguments);
}

em_status em_args_patch_names_files(const em_param *params, const json_t *arguments,
                                    em_arena *arena, bool *names)
{
    const char *key;
    json_t *value;
    *names = false;
    json_object_foreach((json_t *)arguments, key, value)
    {
        em_told_changes all = {.is_change = false};
        if (json_is_string(value) && !*names)
            EM_TRY(em_told_changes_read(em_json_slice(value), arena, &all));
        *names |= all.is_change && all.count > 1;
    }
    *names &= em_param_of_path(params) && !em_list_of_files(params);
    return EM_OK;
}

/* ---- Texts with more of their place ---------------------------------------------------------- */

/* Put the texts of an edit that came as the next hunk into it. */
static bool take_hunk(const em_param *params, json_t *edit, em_hunks *hunks,
                      const em_near_miss **chosen)
{
    const em_param *goes, *comes;
    em_json json = {0};
    if (hunks->count == 0 || !em_edit_texts(params, &goes, &comes) ||
        !em_slice_eq(em_json_slice(em_param_value(goes, edit)), hunks->parts->find) ||
        !em_slice_eq(em_json_slice(em_param_value(comes, edit)), hunks->parts->insert))
        return false;
    em_json_set_text(&json, edit, goes->name, (*chosen)->find);
    em_json_set_text(&json, edit, comes->name, (*chosen)->insert);
    hunks->parts++;
    hunks->count--;
    ++*chosen;
    return !json.failed;
}

static bool take_hunks(const em_param *params, json_t *object, em_hunks *hunks,
                       const em_near_miss **chosen)
{
    bool has = take_hunk(params, object, hunks, chosen);
    for (; params->name; params++) {
        const json_t *list = params->fields ? em_param_value(params, object) : NULL;
        for (size_t i = 0; i < json_array_size(list); i++)
            has |= take_hunks(params->fields, json_array_get(list, i), hunks, chosen);
    }
    return has;
}

bool em_args_take_hunks(const em_param *params, em_hunks hunks, const em_near_miss *chosen,
                        json_t *meant)
{
    return chosen && take_hunks(params, meant, &hunks, &chosen) && hunks.count == 0;
}

bool em_args_take_edits(const em_param *params)
{
    return em_edit_list(params) != NULL;
}

/* The edits in a value that came by that name. A list by another name may be of lines. */
static em_status count_in(const char *name, json_t *value, em_arena *arena, size_t *count)
{
    em_told_change change = {.count = 0};
    if (json_is_string(value) && em_is_name_of_change(name))
        EM_TRY(em_told_change_read(em_json_slice(value), arena, &change));
    bool is_list = json_is_array(value) && em_are_synonyms("edits", name);
    *count = is_list ? json_array_size(value) : change.count;
    return EM_OK;
}

em_status em_args_count_edits(const em_param *params, const json_t *arguments, em_arena *arena,
                              size_t *count)
{
    const em_param *goes, *comes;
    const char *key;
    json_t *value;
    *count = 0;
    if (!em_edit_texts(params, &goes, &comes))
        return EM_OK;
    json_object_foreach((json_t *)arguments, key, value)
    {
        if (*count == 0 && !em_param_named(params, key))
            EM_TRY(count_in(key, value, arena, count));
    }
    return EM_OK;
}

/* The two texts of each part of a change. */
static json_t *edits_of(em_json *json, const em_param *goes, const em_param *comes,
                        const em_told_change *change)
{
    json_t *list = em_json_array(json);
    for (size_t i = 0; i < change->count; i++) {
        json_t *edit = em_json_object(json);
        em_json_set_text(json, edit, goes->name, change->parts[i].find);
        em_json_set_text(json, edit, comes->name, change->parts[i].insert);
        em_json_add(json, list, edit);
    }
    return list;
}

json_t *em_edits_of_change(em_json *json, const em_param *fields, em_slice text, em_arena *arena,
                           em_slice *path)
{
    const em_param *goes, *comes;
    em_told_change change;
    if (!em_edit_texts(fields, &goes, &comes))
        return NULL;
    if (em_told_change_read(text, arena, &change) != EM_OK)
        json->failed = true;
    if (json->failed || change.count == 0 || change.is_doubtful)
        return NULL;
    *path = change.path;
    return edits_of(json, goes, comes, &change);
}

json_t *em_files_of_change(em_json *json, const em_param *fields, em_slice text, em_arena *arena)
{
    const em_param *goes, *comes, *path = em_param_of_path(fields), *list = em_edit_list(fields);
    em_told_changes all;
    if (!path || !list || !em_edit_texts(list->fields, &goes, &comes))
        return NULL;
    if (em_told_changes_read(text, arena, &all) != EM_OK)
        json->failed = true;
    if (json->failed || !all.is_change || all.is_doubtful)
        return NULL;
    json_t *files = em_json_array(json);
    for (size_t i = 0; i < all.count; i++) {
        json_t *file = em_json_object(json);
        if (all.files[i].path.len > 0)
            em_json_set_text(json, file, path->name, all.files[i].path);
        em_json_set(json, file, list->name, edits_of(json, goes, comes, &all.files[i]));
        em_json_add(json, files, file);
    }
    return files;
}

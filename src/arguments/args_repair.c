/* args_repair.c: arguments as they were most likely meant. */
#include "arguments/args_impl.h"

#include "tools/nearest.h"
#include "json/json_text.h"

/* How arguments are repaired. */
typedef struct manner {
    em_json *json;
    em_arena *arena;        /* NULL where nothing is reshaped */
    bool reshapes;          /* also what should stand in a list of one object, or should not */
    const json_t *whole;    /* all arguments */
    const json_t *object;   /* whose members are repaired, */
    const em_param *params; /* and its table */
    em_slice file;          /* that it is about, or what is around it; empty: none is named */
    em_slice *told;         /* the file that patches among them name, where nothing else does */
} manner;

static json_t *repair_object(manner how, const em_param *params, const json_t *object);

/* An object of a list: that of a list of one, or of a JSON text, too. A new reference. */
static json_t *element_meant(manner how, json_t *element)
{
    static const em_param object = {.type = EM_P_OBJECT};
    json_t *only = json_array_size(element) == 1 ? json_array_get(element, 0) : element;
    return how.reshapes ? em_args_unpacked(&object, only) : json_incref(element);
}

/* Does one path end with the other, which may lack folders? */
static bool ends_with_path(em_slice path, em_slice end)
{
    size_t before = path.len - em_least(end.len, path.len);
    return em_slice_ends(path, end) && (before == 0 || path.ptr[before - 1] == '/');
}

/* Does the call, or a patch before it, name another file than the patch does? */
static bool is_of_another(manner how, em_slice path)
{
    em_slice named = how.file.len > 0 ? how.file : *how.told;
    return named.len > 0 && path.len > 0 && !ends_with_path(named, path) &&
           !ends_with_path(path, named);
}

/* The edits of the call's file that a patch says; NULL. */
static json_t *edits_of_change(manner how, const em_param *fields, json_t *value)
{
    em_slice path = {0};
    json_t *edits = em_edits_of_change(how.json, fields, em_json_slice(value), how.arena, &path);
    if (edits && is_of_another(how, path)) {
        json_decref(edits);
        return NULL;
    }
    if (edits && how.told->len == 0)
        *how.told = path;
    return edits;
}

/* The objects of files that a patch says, of which the call may name one; NULL. */
static json_t *files_of_change(manner how, const em_param *fields, json_t *value)
{
    json_t *files = em_files_of_change(how.json, fields, em_json_slice(value), how.arena);
    const em_param *path = em_param_of_path(fields);
    for (size_t i = 0; i < json_array_size(files); i++) {
        if (is_of_another(how, em_json_slice(em_param_value(path, json_array_get(files, i))))) {
            json_decref(files);
            return NULL;
        }
    }
    return files;
}

/* The objects of a list that a patch says: edits of a file, or files; NULL. */
static json_t *objects_of_change(manner how, const em_param *fields, json_t *value)
{
    return em_edit_list(fields) ? files_of_change(how, fields, value)
                                : edits_of_change(how, fields, value);
}

/* The patch of an element of a list of files that has nothing else: whose files they are, the patch
 * says. NULL. */
static json_t *only_change(const em_param *fields, json_t *element)
{
    void *only = json_object_size(element) == 1 ? json_object_iter(element) : NULL;
    json_t *value = json_object_iter_value(only);
    bool is = em_edit_list(fields) && json_is_string(value) &&
              em_is_name_of_change(json_object_iter_key(only));
    return is ? value : NULL;
}

/* The objects that an element of a list says, where it says several: a patch, or an operation with
 * several values. A new reference; NULL. */
static json_t *objects_of(manner how, const em_param *fields, json_t *element)
{
    json_t *change = json_is_string(element) ? element : only_change(fields, element);
    if (!how.reshapes)
        return NULL;
    return change ? objects_of_change(how, fields, change)
                  : em_operations_of_values(how.json, fields, element);
}

/* Append what an element of a list is meant to be: an object, or several. */
static void add_element(manner how, const em_param *fields, json_t *element, json_t *out)
{
    EM_AUTO(em_json_ref) objects = objects_of(how, fields, element);
    EM_AUTO(em_json_ref) pair = how.reshapes ? em_edit_of_pair(how.json, fields, element) : NULL;
    EM_AUTO(em_json_ref)
    meant = pair ? json_incref(pair) : element_meant(how, element);
    for (size_t i = 0; i < json_array_size(objects); i++)
        em_json_add(how.json, out, repair_object(how, fields, json_array_get(objects, i)));
    if (!objects)
        em_json_add(how.json, out,
                    em_json_is_object(meant) ? repair_object(how, fields, meant)
                                             : json_incref(element));
}

static json_t *repair_list(manner how, const em_param *fields, const json_t *list)
{
    json_t *out = em_json_array(how.json);
    for (size_t i = 0; i < json_array_size(list); i++)
        add_element(how, fields, json_array_get(list, i), out);
    return out;
}

static json_t *only_text(const json_t *list)
{
    json_t *only = json_array_size(list) == 1 ? json_array_get(list, 0) : NULL;
    return json_is_string(only) ? only : NULL;
}

/* Has each of an edit's two texts a list of its own? One list alone may be the text, as JSON. */
static bool is_listed_text(manner how, const em_param *param)
{
    const em_param *goes, *comes;
    return em_edit_texts(how.params, &goes, &comes) && (param == goes || param == comes) &&
           only_text(em_param_value(goes, how.object)) &&
           only_text(em_param_value(comes, how.object));
}

/* What came where one thing is wanted: the only one of a list. A list where a text is wanted may be
 * the text's: its lines, or JSON. Borrowed. */
static json_t *as_one(manner how, const em_param *param, json_t *value)
{
    json_t *only = json_array_size(value) == 1 ? json_array_get(value, 0) : NULL;
    bool may_be_text = param->type == EM_P_STRING && !param->words && !is_listed_text(how, param);
    return only && !may_be_text && em_is_of_type(param->type, only) ? only : value;
}

/* What came where a list is wanted: one of its elements, a map for them, or a patch for edits. A
 * new reference. */
static json_t *as_list(manner how, const em_param *param, json_t *value)
{
    bool is_element = em_is_of_type(param->fields ? EM_P_OBJECT : param->item, value);
    if (!is_element) {
        bool may_be_change = param->fields && json_is_string(value);
        json_t *objects = may_be_change ? objects_of_change(how, param->fields, value) : NULL;
        return objects ? objects : json_incref(value);
    }
    json_t *list = param->fields ? em_list_of_map(how.json, param->fields, value, how.arena) : NULL;
    if (list)
        return list;
    list = em_json_array(how.json);
    em_json_add(how.json, list, json_incref(value));
    return list;
}

/* A word that is written a little otherwise, or that other tools have for it. No more than a letter
 * is: a word says what is done, and "insert_below" is not far from "insert_before". A new
 * reference; NULL when memory ran out. */
static json_t *repaired_word(const em_param *param, json_t *value)
{
    if (!param->words || !json_is_string(value) || em_is_word_of(param->words, value))
        return json_incref(value);
    const char *came = json_string_value(value), *meant = em_word_meant(came, param->words);
    return meant && em_is_letter_slip(came, meant) ? json_string(meant) : json_incref(value);
}

static json_t *repair_value(manner how, const em_param *param, json_t *value)
{
    const char *text = how.reshapes && param->text_for && !json_is_string(value)
                           ? param->text_for(how.object, value)
                           : NULL;
    if (text)
        return em_json_text(how.json, em_slice_of(text));
    EM_AUTO(em_json_ref) packed = em_args_unpacked(param, value);
    bool is_reshaped = how.reshapes && !em_is_of_type(param->type, packed);
    EM_AUTO(em_json_ref)
    inside = !is_reshaped               ? json_incref(packed)
             : param->type == EM_P_LIST ? as_list(how, param, packed)
                                        : json_incref(as_one(how, param, packed));
    if (param->fields && em_json_is_object(inside))
        return repair_object(how, param->fields, inside);
    if (param->fields && json_is_array(inside))
        return repair_list(how, param->fields, inside);
    return how.reshapes ? repaired_word(param, inside) : json_incref(inside);
}

/* An object while it is repaired. */
typedef struct repair {
    manner how;
    const em_param *params;
    const json_t *object;
    json_t *out;
    const em_param *list;  /* of objects, that is missing; NULL: none is, or more than one */
    json_t *stray;         /* what belongs into an object of it, as it came; owned */
    const em_param *given; /* the list, with one object, to which `late` belongs; NULL */
    json_t *late;          /* owned */
} repair;

/* Is a value still to be given for the parameter? */
static bool is_free(const repair *r, const em_param *param)
{
    return !em_param_value(param, r->object) && !json_object_get(r->out, param->name);
}

static const em_param *missing_list(const repair *r)
{
    const em_param *found = NULL;
    for (const em_param *param = r->params; param->name; param++) {
        if (!em_is_list_of_objects(param) || em_param_value(param, r->object))
            continue;
        if (found)
            return NULL;
        found = param;
    }
    return found;
}

/* An object, or the only one of a list, whose members are all parameters here that are still to be
 * given, or idle; NULL. */
static json_t *only_object(const repair *r, json_t *given)
{
    json_t *element = json_array_size(given) == 1 ? json_array_get(given, 0) : given;
    const char *key;
    json_t *value;
    if (!em_json_is_object(element) || json_object_size(element) > EM_MOST_NAMES)
        return NULL;
    json_object_foreach(element, key, value)
    {
        const em_param *param = em_param_named(r->params, key);
        if (!param &&
            (em_is_idle(r->params, key, value, element) || em_says_number(r->params, key, value)))
            continue;
        if (!param)
            param = em_param_meant(r->params, key, value, element);
        if (!param || !is_free(r, param))
            return NULL;
    }
    return element;
}

/* Is it a whole file that is written? Edits of one may be meant to leave the rest as it is. */
static bool writes_whole_file(const em_param *params)
{
    for (; params->name; params++)
        if (params->flags & EM_P_REQUIRED && em_is_same_name(params->name, "content"))
            return true;
    return false;
}

/* Who knows another form of a tool sends an object, or a list of one, whose members are meant; or
 * its JSON text. */
static bool repair_by_unwrapping(repair *r, const char *key, json_t *value)
{
    if (em_are_synonyms("edits", key) && writes_whole_file(r->params))
        return false;
    static const em_param list = {.type = EM_P_LIST, .item = EM_P_OBJECT};
    EM_AUTO(em_json_ref) inside = em_args_unpacked(&list, value);
    const json_t *element = only_object(r, inside);
    if (!element)
        return false;
    EM_AUTO(em_json_ref) members = repair_object(r->how, r->params, element);
    if (json_object_update(r->out, members) != 0)
        r->how.json->failed = true;
    return true;
}

/* Or sends the members where the list of objects should be. */
static bool put_aside(repair *r, const em_param *list, const char *key, json_t *value)
{
    if (!r->list && list && is_free(r, list))
        r->list = list;
    if (!r->list)
        return false;
    if (!r->stray)
        r->stray = em_json_object(r->how.json);
    em_json_set(r->how.json, r->stray, key, json_incref(value));
    return true;
}

/* The only object of a list that is given; NULL. */
static json_t *only_given(const repair *r, const em_param *list)
{
    const json_t *given = list ? em_param_value(list, r->object) : NULL;
    json_t *element = json_array_size(given) == 1 ? json_array_get(given, 0) : NULL;
    return em_json_is_object(element) ? element : NULL;
}

/* What each object of a list has for itself stands beside a list of one: it is that one's, which
 * lacks it. */
static bool put_to_the_only(repair *r, em_meaning meant, const char *key, json_t *value)
{
    const json_t *object = only_given(r, meant.list);
    if (!object || em_param_value(meant.param, object) || (r->given && r->given != meant.list))
        return false;
    if (!r->late)
        r->late = em_json_object(r->how.json);
    r->given = meant.list;
    em_json_set(r->how.json, r->late, key, json_incref(value));
    return true;
}

static void set_lines(repair *r, em_meaning meant)
{
    if (meant.first)
        em_json_set(r->how.json, r->out, meant.first->name, json_integer(meant.first_line));
    em_json_set(r->how.json, r->out, meant.param->name, json_integer(meant.number));
}

/* Lines that other tools name otherwise. */
static bool repair_lines(repair *r, const char *key, json_t *value)
{
    em_meaning meant = em_lines_meant(r->params, key, value, r->object);
    if (!meant.param || !is_free(r, meant.param) || (meant.first && !is_free(r, meant.first)))
        return false;
    set_lines(r, meant);
    return true;
}

/* The first and the last line, both for the first. */
static bool repair_both_ends(repair *r, const em_param *param, const json_t *value)
{
    em_meaning meant = em_lines_in_first(r->params, param, value, r->object);
    bool is = r->how.reshapes && meant.param && is_free(r, meant.param);
    if (is)
        set_lines(r, meant);
    return is;
}

/* One word for what two parameters say here, where the second one says nothing else. */
static bool repair_pair(repair *r, const em_param *param, const json_t *value)
{
    const char *second = r->how.reshapes ? em_paired_word(param, value) : NULL;
    if (!second)
        return false;
    const json_t *given = json_object_get(r->object, param->pair->second);
    if (json_string_length(given) > 0 && !em_json_is(given, second))
        return false;
    em_json_set_string(r->how.json, r->out, param->name, param->pair->word);
    em_json_set_string(r->how.json, r->out, param->pair->second, second);
    return true;
}

/* The file that patches name, where nothing else does. */
static void take_path(repair *r, const em_param *param, em_slice path)
{
    if (path.len > 0 && r->how.file.len == 0 && is_free(r, param))
        em_json_set_text(r->how.json, r->out, param->name, path);
}

/* A patch, by a name for one, in the place of a list of files. */
static bool repair_change_of_files(repair *r, json_t *value)
{
    const em_param *list = em_list_of_files(r->params);
    json_t *files = list && is_free(r, list) ? files_of_change(r->how, list->fields, value) : NULL;
    if (files)
        em_json_set(r->how.json, r->out, list->name, files);
    return files != NULL;
}

/* A patch, by a name for one, in the place of an edit, of a list of edits, or of one of files. */
static bool repair_change(repair *r, const char *key, json_t *value)
{
    const em_param *goes, *comes, *list = em_edit_list(r->params);
    bool is_one = em_edit_texts(r->params, &goes, &comes);
    bool is_missing = is_one ? is_free(r, goes) && is_free(r, comes) : list && is_free(r, list);
    if (!json_is_string(value) || !em_is_name_of_change(key))
        return false;
    EM_AUTO(em_json_ref)
    edits = is_missing ? edits_of_change(r->how, is_one ? r->params : list->fields, value) : NULL;
    if (!edits)
        return repair_change_of_files(r, value);
    if (is_one && json_array_size(edits) != 1)
        return false;
    if (!is_one)
        em_json_set(r->how.json, r->out, list->name, json_incref(edits));
    else if (json_object_update(r->out, json_array_get(edits, 0)) != 0)
        r->how.json->failed = true;
    return true;
}

/* Need it not be there? */
static bool is_optional(const em_param *param)
{
    return !(param->flags & (EM_P_REQUIRED | EM_P_CHOOSES));
}

/* Null, where that is taken for nothing. The schema has it nowhere. */
static bool is_idle_null(const em_param *param, const json_t *value)
{
    return json_is_null(value) && is_optional(param) && (param->flags & EM_P_NULLABLE);
}

/* A patch that came by another name for a text that is written as it is: whether it is to be made,
 * or written, nobody knows. */
static bool is_change_for_text(repair *r, const em_param *param, const json_t *value)
{
    const em_param *goes, *comes;
    bool is = false;
    if (param->type == EM_P_STRING && !em_edit_texts(r->params, &goes, &comes) &&
        em_is_change(value, r->how.arena, &is) != EM_OK)
        r->how.json->failed = true;
    return is;
}

/* An unknown name: true where something was done with it, or nothing is to be. */
static bool repair_unknown(repair *r, const char *key, json_t *value)
{
    if (em_is_idle(r->params, key, value, r->object) ||
        (r->how.reshapes && (repair_lines(r, key, value) || repair_change(r, key, value) ||
                             em_asks_for_all(r->params, key, value))))
        return true;
    if (r->how.reshapes && em_says_number(r->params, key, value))
        return false; /* it is taken out in the end (em_take_numbers) */
    em_meaning meant = em_meaning_of(r->params, key, value, r->object);
    bool is_here = meant.param && !meant.list;
    bool is_wrong = !is_here || em_faults_as(meant.param, value) > 0;
    if (is_wrong && r->how.reshapes && repair_by_unwrapping(r, key, value))
        return true;
    if (is_wrong && r->list && em_param_named(r->list->fields, key))
        is_here = false;
    if (!is_here)
        return r->how.reshapes &&
               (put_to_the_only(r, meant, key, value) || put_aside(r, meant.list, key, value));
    if (r->how.reshapes && is_idle_null(meant.param, value))
        return true;
    if (r->how.reshapes && is_change_for_text(r, meant.param, value))
        return false;
    if (is_free(r, meant.param) && repair_pair(r, meant.param, value))
        return true;
    const char *name = is_free(r, meant.param) ? meant.param->name : key;
    em_json_set(r->how.json, r->out, name, repair_value(r->how, meant.param, value));
    return true;
}

/* Into an object of the list; or back, where what came by another name is that list. */
static void take_in_strays(const repair *r)
{
    em_json *json = r->how.json;
    if (!is_free(r, r->list)) {
        json->failed = json->failed || json_object_update(r->out, r->stray) != 0;
        return;
    }
    json_t *list = em_json_array(json);
    em_json_add(json, list, repair_object(r->how, r->list->fields, r->stray));
    em_json_set(json, r->out, r->list->name, list);
}

static void take_in_late(const repair *r)
{
    json_t *only = json_array_get(json_object_get(r->out, r->given->name), 0);
    EM_AUTO(em_json_ref) late = repair_object(r->how, r->given->fields, r->late);
    if (only && json_object_update_missing(only, late) != 0)
        r->how.json->failed = true;
}

/* ---- What says nothing ---------------------------------------------------------------------- */

static bool is_empty_text(const json_t *value)
{
    return json_is_string(value) && json_string_length(value) == 0;
}

static bool has_full_list(const repair *r)
{
    for (const em_param *param = r->params; param->name; param++)
        if (em_is_list_of_objects(param) && json_array_size(em_param_value(param, r->object)) > 0)
            return true;
    return false;
}

/* An empty list, where something else says what is to be done. */
static bool is_spare_list(const repair *r, const em_param *param, const json_t *value)
{
    if (param->type != EM_P_LIST || !json_is_array(value) || json_array_size(value) > 0)
        return false;
    const em_param *chooser = em_chooser_of(r->params);
    const json_t *chosen = chooser ? em_param_value(chooser, r->object) : NULL;
    return has_full_list(r) || (chosen && !json_is_null(chosen));
}

/* Who fills in all that a tool takes sends "" for what is not meant. */
static bool is_blank_name(const em_param *param, const json_t *value)
{
    bool may_not_be_empty = param->type == EM_P_NAME || param->type == EM_P_PATH || param->words;
    return may_not_be_empty && is_empty_text(value);
}

/* -1 for the last line is what other tools say for the end of the file. */
static bool is_end_of_file(const em_param *param, json_t *value)
{
    EM_AUTO(em_json_ref) number = em_args_unpacked(param, value);
    return param->type == EM_P_INTEGER && em_are_synonyms("end_line", param->name) &&
           json_integer_value(number) == -1;
}

/* To replace is what the objects of a list ask for anyway. */
static bool is_chosen_anyway(const repair *r, const em_param *param, const json_t *value)
{
    return param == em_chooser_of(r->params) && em_json_is(value, "replace") && has_full_list(r);
}

/* Can a known argument be left out, which need not be there? Whether the rest is a call, the check
 * of what came of the repair tells. */
static bool says_nothing(const repair *r, const em_param *param, json_t *value)
{
    return r->how.reshapes && is_optional(param) &&
           (is_idle_null(param, value) || is_spare_list(r, param, value) ||
            is_blank_name(param, value) || is_end_of_file(param, value) ||
            is_chosen_anyway(r, param, value));
}

/* ---- Objects -------------------------------------------------------------------------------- */

/* The path of the file, by whatever word for it; empty: none is given. */
static em_slice file_named(const em_param *params, const json_t *object)
{
    const em_param *path = em_param_of_path(params);
    const json_t *given = path ? em_param_value(path, object) : NULL;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        if (path && !given && em_are_synonyms(key, path->name))
            given = value;
    }
    return em_json_slice(given);
}

static json_t *repair_object(manner how, const em_param *params, const json_t *object)
{
    repair r = {.how = how, .params = params, .object = object, .out = em_json_object(how.json)};
    bool has_few = json_object_size(object) <= EM_MOST_NAMES;
    const em_param *path = em_param_of_path(params);
    em_slice told = {0};
    const char *key;
    json_t *value;
    r.how.object = object;
    r.how.params = params;
    if (path || !how.told)
        r.how.told = &told;
    if (how.reshapes && has_few) {
        em_slice file = file_named(params, object);
        r.how.file = file.len > 0 ? file : how.file;
        r.list = missing_list(&r);
    }
    json_object_foreach((json_t *)object, key, value)
    {
        const em_param *param = em_param_named(params, key);
        if (param && (says_nothing(&r, param, value) || repair_pair(&r, param, value) ||
                      repair_both_ends(&r, param, value)))
            continue;
        if (param || !has_few || !repair_unknown(&r, key, value))
            em_json_set(how.json, r.out, key,
                        param ? repair_value(r.how, param, value) : json_incref(value));
    }
    if (r.stray)
        take_in_strays(&r);
    if (r.late)
        take_in_late(&r);
    if (path)
        take_path(&r, path, told);
    json_decref(r.stray);
    json_decref(r.late);
    return r.out;
}

static json_t *repair_all(manner how, const em_param *params, const json_t *arguments)
{
    how.whole = arguments;
    return em_json_done(how.json, repair_object(how, params, arguments));
}

json_t *em_args_read(em_json *json, const em_param *params, const json_t *arguments)
{
    return repair_all((manner){.json = json}, params, arguments);
}

/* Has none of the files one of its own? */
static bool is_none_said(const em_param *field, const json_t *files)
{
    size_t count = json_array_size(files), i = 0;
    while (i < count && em_json_is_object(json_array_get(files, i)) &&
           !em_param_value(field, json_array_get(files, i)))
        i++;
    return count > 0 && i == count;
}

/* An encoding that came beside a list of files, each of which has it for itself, is that of all.
 * (Of other things that they have it is not known which file they were meant of.) */
static void spread_encoding(em_json *json, const em_param *params, json_t *meant)
{
    json_t *value = json_object_get(meant, "encoding");
    for (const em_param *list = params; value && list->name; list++) {
        const em_param *field = em_is_list_of_objects(list) && em_param_of_path(list->fields)
                                    ? em_param_named(list->fields, "encoding")
                                    : NULL;
        json_t *files = json_object_get(meant, list->name);
        if (!field || !is_none_said(field, files))
            continue;
        for (size_t i = 0; i < json_array_size(files); i++)
            em_json_set(json, json_array_get(files, i), field->name, json_incref(value));
        json_object_del(meant, "encoding");
        return;
    }
}

/* Arguments as they were meant, still with the numbers of places that only say here that all are
 * meant. */
static json_t *reshaped(em_json *json, const em_param *params, const json_t *arguments,
                        em_arena *arena)
{
    EM_AUTO(em_json_ref) lifted = em_args_lifted(json, params, (json_t *)arguments);
    EM_AUTO(em_json_ref) raised = em_args_raised(json, params, lifted);
    json_t *meant = repair_all((manner){json, arena, .reshapes = true}, params, raised);
    spread_encoding(json, params, meant);
    return em_json_done(json, meant);
}

em_status em_args_numbers_said(const em_param *params, const json_t *given, em_arena *arena,
                               em_said_numbers *said)
{
    em_json json = {0};
    EM_AUTO(em_json_ref) meant = reshaped(&json, params, given, arena);
    return meant ? em_take_numbers(params, meant, arena, said) : EM_E_NOMEM;
}

json_t *em_args_repair(em_json *json, const em_param *params, const json_t *arguments,
                       em_arena *arena)
{
    em_args_problem problem;
    em_said_numbers said;
    json_t *repaired = reshaped(json, params, arguments, arena);
    em_status status = repaired ? em_take_numbers(params, repaired, arena, &said) : EM_E_NOMEM;
    if (status == EM_OK)
        status = em_args_check(params, repaired, arena, &problem);
    if (status == EM_OK)
        return repaired;
    json->failed = json->failed || status == EM_E_NOMEM;
    json_decref(repaired);
    return NULL;
}

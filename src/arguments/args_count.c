/* args_count.c: how many places an edit is of, by its number or as all of them.
 *
 * Some tools are told the number of places, and others that all are meant. Where the other one of
 * these came, the call is tried out without it: then the file tells how many there are.
 *
 *  (1) All of them become their number, whatever that is.
 *  (2) A number becomes all of them only where the text stands there as often. Until that is known
 *      it is kept aside, by the edit that it was said of.
 */
#include "arguments/args_impl.h"

#include "tools/nearest.h"

/* What says `word` in a table that has nothing for `name`; NULL. */
static const em_param *param_instead(const em_param *params, const char *name, const char *word)
{
    const em_param *found = NULL;
    for (; params->name; params++) {
        if (em_are_synonyms(name, params->name))
            return NULL;
        if (em_are_synonyms(word, params->name))
            found = params;
    }
    return found;
}

em_meaning em_places_meant(const em_param *params, const char *name)
{
    bool is_all = em_are_synonyms("replace_all", name);
    if (!is_all && !em_are_synonyms("occurrences", name))
        return (em_meaning){.list = NULL};
    const char *word = is_all ? "occurrences" : "replace_all";
    em_meaning meant = {.param = param_instead(params, name, word),
                        .is_number_for_all = is_all,
                        .is_all_for_number = !is_all};
    for (; params->name && !meant.param; params++)
        if (em_is_list_of_objects(params)) {
            meant.list = params;
            meant.param = param_instead(params->fields, name, word);
        }
    return meant.param ? meant : (em_meaning){.list = NULL};
}

/* ---- A number for all of them ---------------------------------------------------------------- */

/* The number that a name says which means `replace_all` of that table, or of the objects in its
 * list of edits; else 0. */
static json_int_t number_by(const em_param *params, const char *name, json_t *value,
                            const em_param *list)
{
    const em_param *goes, *comes;
    em_meaning meant = em_places_meant(params, name);
    if (em_param_named(params, name) || !meant.is_all_for_number || meant.list != list ||
        !em_edit_texts(list ? list->fields : params, &goes, &comes))
        return 0;
    EM_AUTO(em_json_ref) number = em_args_unpacked(&(em_param){.type = EM_P_INTEGER}, value);
    bool is = em_is_of_type(EM_P_INTEGER, number) && em_integer_value(number) > 1;
    return is ? em_integer_value(number) : 0;
}

bool em_says_number(const em_param *params, const char *name, json_t *value)
{
    return number_by(params, name, value, NULL) > 0;
}

/* Take the number of places of an edit out of `holder`, which is the edit, or has it as the only
 * one of its list. Where the edit says, too, that all are meant, that is true with the number
 * alone; that they are not is no edit. Returns 0 where none is taken. */
static json_int_t take_number(const em_param *params, json_t *holder, const em_param *list,
                              json_t *edit)
{
    const char *key, *found = NULL;
    json_t *value;
    json_int_t number = 0;
    if (json_object_size(holder) > EM_MOST_NAMES)
        return 0;
    json_object_foreach(holder, key, value)
    {
        number = number ? number : number_by(params, key, value, list);
        found = number && !found ? key : found;
    }
    if (!found)
        return 0;
    const em_param *all = em_places_meant(params, found).param;
    const json_t *said = em_param_value(all, edit);
    if (said && !json_is_true(said))
        return 0;
    json_object_del(edit, all->name);
    json_object_del(holder, found);
    return number;
}

em_status em_take_numbers(const em_param *params, json_t *meant, em_arena *arena,
                          em_said_numbers *said)
{
    const em_param *list = em_edit_list(params);
    json_t *edits = list ? json_object_get(meant, list->name) : NULL;
    size_t count = list ? json_array_size(edits) : 1;
    *said = (em_said_numbers){.params = list ? list->fields : params, .list = list};
    if (!meant || count == 0)
        return EM_OK;
    said->items = em_alloc_array(arena, count, sizeof *said->items);
    if (!said->items)
        return EM_E_NOMEM;
    said->count = count;
    for (size_t i = 0; i < count; i++) {
        json_t *edit = list ? json_array_get(edits, i) : meant;
        said->items[i] = take_number(said->params, edit, NULL, edit);
        if (list && count == 1 && said->items[i] == 0)
            said->items[i] = take_number(params, meant, list, edit);
    }
    return EM_OK;
}

static json_t *edit_at(const em_said_numbers *said, const json_t *meant, size_t index)
{
    return said->list ? json_array_get(em_param_value(said->list, meant), index) : (json_t *)meant;
}

/* All of them are meant where they are as many as was said. */
static bool take_all(const em_said_numbers *said, em_miscount found, json_t *meant)
{
    const em_param *all = param_instead(said->params, "occurrences", "replace_all");
    json_t *edit = edit_at(said, meant, found.edit);
    return all && edit && found.edit < said->count && found.found > 0 &&
           said->items[found.edit] == (json_int_t)found.found && !em_param_value(all, edit) &&
           json_object_set_new(edit, all->name, json_true()) == 0;
}

bool em_args_lack_number(const em_said_numbers *said, const json_t *meant, size_t *edit)
{
    const em_param *all = param_instead(said->params, "occurrences", "replace_all");
    for (*edit = 0; *edit < said->count; ++*edit)
        if (said->items[*edit] > 0 && !em_param_value(all, edit_at(said, meant, *edit)))
            return true;
    return false;
}

/* ---- All of them for a number ---------------------------------------------------------------- */

bool em_asks_for_all(const em_param *params, const char *name, json_t *value)
{
    EM_AUTO(em_json_ref) truth = em_args_unpacked(&(em_param){.type = EM_P_BOOL}, value);
    return json_is_true(truth) && em_places_meant(params, name).is_number_for_all;
}

/* The list whose objects say how many places there are; NULL. */
static const em_param *counting_list(const em_param *params, const em_param **count)
{
    for (; params->name; params++) {
        *count = em_is_list_of_objects(params)
                     ? param_instead(params->fields, "replace_all", "occurrences")
                     : NULL;
        if (*count)
            return params;
    }
    return NULL;
}

static bool asks_for_all(const em_param *params, const json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        if (!em_param_named(params, key) && em_asks_for_all(params, key, value))
            return true;
    }
    return false;
}

/* Does a value that is the list, or came for it, ask for all places in that element? */
static bool element_asks_for_all(const em_param *list, json_t *value, size_t index)
{
    EM_AUTO(em_json_ref) objects = em_as_objects(list, value);
    return asks_for_all(list->fields, json_array_get(objects, index));
}

/* What stands beside the list is said of all its elements. */
static bool edit_asks_for_all(const em_param *params, const em_param *list, const json_t *given,
                              size_t index)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)given, key, value)
    {
        const em_param *param = em_param_named(params, key);
        if (!param)
            param = em_meaning_of(params, key, value, given).param;
        if (param == list && element_asks_for_all(list, value, index))
            return true;
    }
    return asks_for_all(params, given);
}

bool em_args_take_count(const em_param *params, const json_t *given, const em_said_numbers *said,
                        em_miscount found, json_t *meant)
{
    const em_param *count;
    if (take_all(said, found, meant))
        return true;
    const em_param *list = counting_list(params, &count);
    json_t *edit = list ? json_array_get(json_object_get(meant, list->name), found.edit) : NULL;
    return edit && !em_param_value(count, edit) &&
           edit_asks_for_all(params, list, given, found.edit) &&
           json_object_set_new(edit, count->name, json_integer((json_int_t)found.found)) == 0;
}

/* args_meaning.c: what was most likely meant by a name, or a word, that nobody knows here.
 *
 * Of the files that are about wrong arguments this is the one to read first: em_meaning_told() asks
 * the others what a name means (lines, the texts of an edit, what is done anyway). That becomes a
 * sentence (args_faults.c), and a repair (args_repair.c), which asks those about shapes.
 */
#include "arguments/args_impl.h"

#include "tools/nearest.h"
#include "json/json_text.h"

#include <strings.h>

enum { LEAST_PART = 3 }; /* letters; fewer are in many words */

/* ---- Words --------------------------------------------------------------------------------- */

static bool is_part_of(const char *came, const char *word)
{
    return strlen(came) < strlen(word) && strcasestr(word, came);
}

/* "end" is a part of "beforeend" and of "afterend". */
static bool is_part_of_several(const char *came, const char *const *words)
{
    size_t count = 0;
    for (; *words; words++)
        count += is_part_of(came, *words);
    return count > 1;
}

size_t em_words_with(const char *came, const char *const *words, const char **found, size_t most)
{
    size_t count = 0;
    for (; *words && strlen(came) >= LEAST_PART; words++)
        if (is_part_of(came, *words) && count++ < most)
            found[count - 1] = *words;
    return 1 < count && count <= most ? count : 0;
}

static bool begins_like(const char *came, const char *word)
{
    return strncasecmp(came, word, LEAST_PART) == 0;
}

/* Is it the only word that begins so? */
static bool begins_alone(const char *came, const char *meant, const char *const *words)
{
    for (; *words; words++)
        if (*words != meant && begins_like(came, *words))
            return false;
    return begins_like(came, meant);
}

/* "before" is "beforebegin", though "beforeend" is nearer. Words that only look alike are not
 * proposed: they may say the opposite ("insert_below_it", "insert_before"). */
const char *em_word_meant(const char *came, const char *const *words)
{
    for (const char *const *word = words; *word; word++)
        if (em_are_synonyms(came, *word))
            return *word;
    const char *nearest = is_part_of_several(came, words) ? NULL : em_nearest_name(came, words);
    bool is_meant =
        nearest && (em_is_word_slip(came, nearest) || begins_alone(came, nearest, words));
    return is_meant ? nearest : NULL;
}

const char *em_paired_word(const em_param *param, const json_t *value)
{
    const char *came = json_string_value(value);
    if (!came || !param->pair || em_is_word_of(param->words, value))
        return NULL;
    for (const char *const *word = param->pair->words; *word; word++)
        if (em_are_synonyms(came, *word))
            return *word;
    return NULL;
}

/* ---- Names --------------------------------------------------------------------------------- */

static void drop_name(const char **names, const char *name)
{
    while (*names != name)
        names++;
    for (; *names; names++)
        names[0] = names[1];
}

static bool could_have(const em_param *param, json_t *value)
{
    EM_AUTO(em_json_ref) inside = em_args_unpacked(param, value);
    return em_is_of_type(param->type, inside);
}

/* The one parameter that has another word for the name, and could have the value; NULL. */
static const em_param *param_by_synonym(const em_param *params, const char *name, json_t *value)
{
    const em_param *meant = NULL;
    for (const em_param *param = params; param->name; param++) {
        if (!em_are_synonyms(name, param->name) &&
            (!param->alias || !em_are_synonyms(name, param->alias)))
            continue;
        if (meant)
            return NULL;
        meant = param;
    }
    return meant && could_have(meant, value) ? meant : NULL;
}

/* A slip of the pen is one of what it is a slip of, whatever else has such letters in it. */
static bool is_slip_of(const em_param *param, const char *name)
{
    return em_is_name_slip(name, param->name) ||
           (param->alias && em_is_name_slip(name, param->alias));
}

/* "line" is a part of "start_line" and of "end_line": nobody knows which. */
static bool is_part_of_names(const em_param *params, const char *name)
{
    size_t count = 0;
    for (; params->name; params++)
        count += is_part_of(name, params->name);
    return count > 1;
}

/* A text asks for no flag whose name has its name in it ("content", "return_content"). */
static bool is_flag_of_another(const em_param *param, const char *name, json_t *value)
{
    return param->type == EM_P_BOOL && !is_slip_of(param, name) && !could_have(param, value);
}

/* Parameters that say how much is done, and where: what is only like their names may say the
 * opposite ("no_replace_all", "non_atomic"), or another number ("end_before"). A session is
 * nobody's version. */
static bool is_exacting(const em_param *param, const char *name)
{
    static const char *const words[] = {"replace_all", "occurrences", "start_line", "end_line",
                                        "limit",       "dry_run",     "backup",     "atomic"};
    if (strcmp(param->name, "session") == 0)
        return !strcasestr(name, "session");
    bool is_such = false;
    for (size_t i = 0; i < sizeof words / sizeof *words && !is_such; i++)
        is_such = strcmp(param->name, words[i]) == 0 || em_are_synonyms(words[i], param->name);
    return is_such && !em_is_letter_slip(name, param->name) &&
           !(param->alias && em_is_letter_slip(name, param->alias));
}

/* Is it none that is meant by the name, however near that is? */
static bool is_another(const em_param *param, const char *name, json_t *value)
{
    return is_flag_of_another(param, name, value) || is_exacting(param, name);
}

/* Has the object the parameter, by whatever name? What is idle there is none ("command":
 * "str_replace"). */
static bool has_word(const em_param *params, const json_t *object, const char *word)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        if (em_is_letter_slip(key, word) &&
            (em_param_named(params, key) || !em_is_idle(params, key, value, object)))
            return true;
    }
    return false;
}

/* Has it the place of what other tools call so, in such an object? */
static bool has_place_of(const em_param *params, const em_param *param, const char *name,
                         const json_t *object)
{
    bool in_place = param->place_of && em_are_synonyms(name, param->place_of) &&
                    (!param->beside || has_word(params, object, param->beside));
    return in_place || (param->is_meant && param->is_meant(object, name));
}

/* The parameter that has that place, where it is still to be given; NULL. */
static const em_param *param_in_place(const em_param *params, const char *name, json_t *value,
                                      const json_t *object)
{
    for (const em_param *param = params; object && param->name; param++)
        if (has_place_of(params, param, name, object) && !em_param_value(param, object) &&
            could_have(param, value))
            return param;
    return NULL;
}

const em_param *em_param_meant(const em_param *params, const char *name, json_t *value,
                               const json_t *object)
{
    const em_param *in_place = param_in_place(params, name, value, object);
    if (!in_place)
        in_place = em_half_meant(params, name, value, object);
    if (in_place)
        return in_place;

    const char *names[2 * EM_MOST_NAMES + 1], *near;
    const em_param *synonym = param_by_synonym(params, name, value), *meant = synonym;
    size_t count = 0, fewest = meant ? em_faults_as(meant, value) : SIZE_MAX;
    for (const em_param *param = params; param->name && count < 2 * EM_MOST_NAMES - 1; param++) {
        names[count++] = param->name;
        if (param->alias)
            names[count++] = param->alias;
    }
    names[count] = NULL;
    while (fewest > 0 && (near = em_nearest_name(name, names))) {
        const em_param *param = em_param_named(params, near);
        bool is_other = synonym ? !could_have(param, value) : is_another(param, name, value);
        size_t faults = is_other ? SIZE_MAX : em_faults_as(param, value);
        if (faults < fewest)
            meant = param;
        fewest = faults < fewest ? faults : fewest;
        drop_name(names, near);
    }
    return meant && !is_slip_of(meant, name) && is_part_of_names(params, name) ? NULL : meant;
}

/* The value as the objects of a list: what came as JSON text, and one object without its list. A
 * new reference. */
static json_t *as_objects(const em_param *list, json_t *value)
{
    json_t *inside = em_args_unpacked(list, value);
    json_t *objects = em_json_is_object(inside) ? json_array() : NULL;
    if (!objects)
        return inside;
    json_array_append_new(objects, inside);
    return objects;
}

/* The one list of objects that these are right for, whatever they are called; NULL. */
static const em_param *list_by_its_objects(const em_param *params, json_t *value)
{
    const em_param *meant = NULL;
    for (const em_param *param = params; param->name; param++) {
        if (!em_is_list_of_objects(param))
            continue;
        EM_AUTO(em_json_ref) objects = as_objects(param, value);
        if (json_array_size(objects) == 0 || em_faults_as(param, objects) > 0)
            continue;
        if (meant)
            return NULL;
        meant = param;
    }
    return meant;
}

/* Half of an edit that stands beside the list of edits; NULL in `param`. */
static em_meaning half_in_list(const em_param *params, const char *name, const json_t *value,
                               const json_t *object)
{
    for (; params->name; params++) {
        const em_param *half = em_is_list_of_objects(params)
                                   ? em_half_meant(params->fields, name, value, object)
                                   : NULL;
        if (half)
            return (em_meaning){.list = params, .param = half};
    }
    return (em_meaning){.list = NULL};
}

/* The only list whose objects name a file each, by the name that other tools have for it; NULL. */
static const em_param *list_of_files(const em_param *params, const char *name)
{
    const em_param *found = NULL;
    for (; params->name && em_is_same_name("files", name); params++) {
        if (params->type != EM_P_LIST || !params->fields || !em_param_of_path(params->fields))
            continue;
        if (found)
            return NULL;
        found = params;
    }
    return found;
}

em_meaning em_meaning_of(const em_param *params, const char *name, json_t *value,
                         const json_t *object)
{
    const em_param *files = list_of_files(params, name);
    if (files)
        return (em_meaning){.param = files};
    em_meaning half = half_in_list(params, name, value, object);
    if (half.param && !param_in_place(params, name, value, object))
        return half;
    em_meaning meant = {.param = em_param_meant(params, name, value, object)};
    if (meant.param && em_faults_as(meant.param, value) == 0)
        return meant;
    const em_param *list = list_by_its_objects(params, value);
    if (list)
        return (em_meaning){.param = list};
    for (const em_param *param = params; param->name && !meant.list; param++) {
        if (!em_is_list_of_objects(param))
            continue;
        const em_param *field = em_param_meant(param->fields, name, value, NULL);
        if (field && em_faults_as(field, value) == 0)
            meant = (em_meaning){.list = param, .param = field};
    }
    return meant;
}

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

/* How many places are replaced, some tools say by their number, and others by whether it is all of
 * them. */
static em_meaning places_meant(const em_param *params, const char *name)
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

bool em_asks_for_all(const em_param *params, const char *name, json_t *value)
{
    EM_AUTO(em_json_ref) truth = em_args_unpacked(&(em_param){.type = EM_P_BOOL}, value);
    return json_is_true(truth) && places_meant(params, name).is_number_for_all;
}

json_int_t em_number_of_places(const em_param *params, const char *name, json_t *value)
{
    const em_param *goes, *comes;
    EM_AUTO(em_json_ref) number = em_args_unpacked(&(em_param){.type = EM_P_INTEGER}, value);
    em_meaning meant = places_meant(params, name);
    bool is = meant.is_all_for_number && !meant.list && em_edit_texts(params, &goes, &comes) &&
              em_is_of_type(EM_P_INTEGER, number) && em_integer_value(number) > 1;
    return is ? em_integer_value(number) : 0;
}

/* The number of places that the arguments say, where a table can only say that all are meant, and
 * that parameter; 0: they say none. */
static json_int_t number_said(const em_param *params, const json_t *given, const em_param **all)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)given, key, value)
    {
        json_int_t number =
            em_param_named(params, key) ? 0 : em_number_of_places(params, key, value);
        if (number > 0) {
            *all = places_meant(params, key).param;
            return number;
        }
    }
    return 0;
}

/* Do the arguments say themselves whether all are meant? */
static bool say_all_or_not(const json_t *given)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)given, key, value)
    {
        if (em_is_same_name("replace_all", key) || em_are_synonyms("replace_all", key))
            return true;
    }
    return false;
}

bool em_args_lack_number(const em_param *params, const json_t *given, const json_t *meant)
{
    const em_param *all;
    return number_said(params, given, &all) > 0 &&
           (say_all_or_not(given) || !json_is_true(em_param_value(all, meant)));
}

/* All of them are meant where they are as many as was said. */
static bool take_all(const em_param *params, const json_t *given, em_miscount found, json_t *meant)
{
    const em_param *all;
    return em_args_lack_number(params, given, meant) && !say_all_or_not(given) &&
           number_said(params, given, &all) == (json_int_t)found.found &&
           json_object_set_new(meant, all->name, json_true()) == 0;
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
    EM_AUTO(em_json_ref) objects = as_objects(list, value);
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

bool em_args_take_count(const em_param *params, const json_t *given, em_miscount found,
                        json_t *meant)
{
    const em_param *count;
    if (take_all(params, given, found, meant))
        return true;
    const em_param *list = counting_list(params, &count);
    json_t *edit = list ? json_array_get(json_object_get(meant, list->name), found.edit) : NULL;
    return edit && !em_param_value(count, edit) &&
           edit_asks_for_all(params, list, given, found.edit) &&
           json_object_set_new(edit, count->name, json_integer((json_int_t)found.found)) == 0;
}

em_meaning em_meaning_told(const em_param *params, const char *name, json_t *value,
                           const json_t *object)
{
    if (em_is_idle(params, name, value, object))
        return (em_meaning){.is_idle = true};
    em_meaning meant = em_lines_meant(params, name, value, object);
    if (meant.is_backward)
        return meant;
    if (!meant.param)
        meant = places_meant(params, name);
    if (!meant.param)
        meant = em_meaning_of(params, name, value, object);
    bool is_given = meant.param && !meant.list && em_param_value(meant.param, object);
    return is_given ? (em_meaning){.list = NULL} : meant;
}

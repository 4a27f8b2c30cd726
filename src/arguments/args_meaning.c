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

json_t *em_as_objects(const em_param *list, json_t *value)
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
        EM_AUTO(em_json_ref) objects = em_as_objects(param, value);
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

em_meaning em_meaning_told(const em_param *params, const char *name, json_t *value,
                           const json_t *object)
{
    if (em_is_idle(params, name, value, object))
        return (em_meaning){.is_idle = true};
    em_meaning meant = em_lines_meant(params, name, value, object);
    if (meant.is_backward)
        return meant;
    if (!meant.param)
        meant = em_places_meant(params, name);
    if (!meant.param)
        meant = em_meaning_of(params, name, value, object);
    bool is_given = meant.param && !meant.list && em_param_value(meant.param, object);
    return is_given ? (em_meaning){.list = NULL} : meant;
}

/* args_lines.c: lines, which every tool names in its own way.
 *
 * Here they are the first and the last, or the first and how many there are. Who has learned the
 * other way, or sends both ends in one list, is told the numbers that say the same.
 */
#include "arguments/args_impl.h"

#include "tools/nearest.h"
#include "json/json_text.h"

static const em_meaning NOTHING = {.list = NULL};

/* How a table says which lines: each is NULL where it has none. */
typedef struct line_params {
    const em_param *first, *last, *count;
} line_params;

/* Nothing where something is searched for, too, of which there might be so many. */
static line_params line_params_of(const em_param *params)
{
    line_params found = {.first = NULL};
    for (; params->name; params++) {
        if (em_are_synonyms("search", params->name))
            return (line_params){.first = NULL};
        if (em_are_synonyms("start_line", params->name))
            found.first = params;
        else if (em_are_synonyms("end_line", params->name))
            found.last = params;
        else if (em_are_synonyms("limit", params->name))
            found.count = params;
    }
    return found;
}

/* The integer, also as text; -1: it is none, or less than 0. */
static json_int_t number_of(const em_param *param, json_t *value)
{
    EM_AUTO(em_json_ref) number = em_args_unpacked(param, value);
    bool is_number = json_is_integer(number) && json_integer_value(number) >= 0;
    return is_number ? json_integer_value(number) : -1;
}

/* What the object has under any word for the name; NULL. */
static json_t *value_of_word(const json_t *object, const char *word)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        if (em_are_synonyms(word, key))
            return value;
    }
    return NULL;
}

/* The first line; 1 where it is not given, -1 where it is none. */
static json_int_t first_line_of(const em_param *param, const json_t *object)
{
    json_t *value = value_of_word(object, "start_line");
    return value ? number_of(param, value) : 1;
}

/* How many lines are as many as can be had at once, where they are more. */
static json_int_t at_most(const em_param *count, json_int_t lines)
{
    return count->maximum > count->minimum && lines > count->maximum ? count->maximum : lines;
}

/* `param` as it is to be where the lines are those from `first` to `last`. */
static em_meaning up_to(line_params here, json_int_t first, json_int_t last)
{
    if (first < 1 || last < first)
        return NOTHING;
    if (here.last)
        return (em_meaning){.param = here.last, .number = last};
    return (em_meaning){.param = here.count, .number = at_most(here.count, last - first + 1)};
}

/* Both ends in one list; -1 for the last is what other tools say for the end of the file. */
static em_meaning range_meant(line_params here, json_t *value, const json_t *object)
{
    EM_AUTO(em_json_ref) ends = em_args_unpacked(&(em_param){.type = EM_P_LIST}, value);
    if (json_array_size(ends) != 2 || !here.first || em_param_value(here.first, object))
        return NOTHING;
    json_int_t first = number_of(here.first, json_array_get(ends, 0));
    if (first > 0 && json_integer_value(json_array_get(ends, 1)) == -1)
        return (em_meaning){.param = here.first, .number = first};
    em_meaning meant = up_to(here, first, number_of(here.first, json_array_get(ends, 1)));
    meant.first = meant.param ? here.first : NULL;
    meant.first_line = first;
    return meant;
}

/* Does the name say which lines, in any tool? */
static bool is_of_lines(const char *name)
{
    return em_are_synonyms("start_line", name) || em_are_synonyms("end_line", name) ||
           em_are_synonyms("limit", name) || em_are_synonyms("view_range", name);
}

/* So many lines from the first on. Who counts from 0 begins there. */
static em_meaning as_many(line_params here, json_int_t first, json_int_t count)
{
    first = first == 0 ? 1 : first;
    return here.last && count > 0 && count <= INT64_MAX - first
               ? up_to(here, first, first + count - 1)
               : NOTHING;
}

em_meaning em_lines_meant(const em_param *params, const char *name, json_t *value,
                          const json_t *object)
{
    line_params here = is_of_lines(name) ? line_params_of(params) : (line_params){.first = NULL};
    const em_param *end = here.last ? here.last : here.count;
    if (!end)
        return NOTHING;
    json_int_t number = number_of(end, value), first = first_line_of(end, object);
    if (em_are_synonyms("start_line", name)) /* with the last line, nobody knows how that counts */
        return here.first && number == 0 && !value_of_word(object, "end_line")
                   ? (em_meaning){.param = here.first, .number = 1}
                   : NOTHING;
    if (first < 0 || em_param_value(end, object))
        return NOTHING;
    if (em_are_synonyms("view_range", name))
        return range_meant(here, value, object);
    if (em_are_synonyms("limit", name))
        return as_many(here, first, number);
    return here.count ? up_to(here, first, number) : NOTHING;
}

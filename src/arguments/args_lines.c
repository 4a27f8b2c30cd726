/* args_lines.c: lines, which every tool names in its own way.
 *
 * Here they are the first and the last, or the first and how many there are. Who has learned the
 * other way, or sends both ends in one list, is told the numbers that say the same.
 */
#include "arguments/args_impl.h"

#include "base/line.h"
#include "tools/nearest.h"
#include "json/json_text.h"

static const em_meaning NOTHING = {.list = NULL};

/* How a table says which lines: each is NULL where it has none. */
typedef struct line_params {
    const em_param *first, *last, *count;
} line_params;

/* Does the name say both ends at once? */
static bool is_of_both(const char *name)
{
    return em_are_synonyms("view_range", name) || em_are_synonyms("line", name);
}

/* Nothing where something is searched for, too, of which there might be so many. */
static line_params line_params_of(const em_param *params, const char *name)
{
    line_params found = {.first = NULL};
    for (; params->name; params++) {
        if (em_are_synonyms("search", params->name) && !is_of_both(name))
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
        return (em_meaning){.is_backward = first > 0 && last > 0};
    if (here.last)
        return (em_meaning){.param = here.last, .number = last};
    return (em_meaning){.param = here.count, .number = at_most(here.count, last - first + 1)};
}

/* Both ends; no `last`: the end of the file. */
typedef struct line_ends {
    json_int_t first, last;
} line_ends;

enum { NO_END = 0, MOST_DIGITS = 9 };

/* What parts the two ends of a range in a text. */
static const char *const dashes[] = {"-", ":", ",", "..", "\xE2\x80\x93", NULL};

/* The number that *text begins with, behind blanks and an `L`, and *text moved behind it and the
 * blanks there; 0: there is none. */
static json_int_t take_number(em_slice *text)
{
    json_int_t number = 0;
    size_t at = 0, digits = 0;
    *text = em_trimmed(*text);
    if (em_slice_starts(*text, EM_LIT("#L")))
        at = 2;
    else if (text->len > 0 && (text->ptr[0] == 'L' || text->ptr[0] == 'l'))
        at = 1;
    for (; at < text->len && em_is_digit(text->ptr[at]) && digits < MOST_DIGITS; at++, digits++)
        number = number * 10 + (text->ptr[at] - '0');
    *text = em_trimmed(em_slice_from(*text, digits > 0 ? at : 0));
    return number;
}

/* "3-5", "L3-L5", "3-": what a text of nothing else says. */
static line_ends ends_of_text(em_slice text)
{
    line_ends ends = {.first = take_number(&text)};
    for (const char *const *dash = dashes; *dash; dash++) {
        em_slice rest = em_slice_from(text, em_least(strlen(*dash), text.len));
        if (!em_slice_starts(text, em_slice_of(*dash)))
            continue;
        bool is_open = em_trimmed(rest).len == 0;
        ends.last = take_number(&rest);
        return rest.len == 0 && (is_open || ends.last > 0) ? ends : (line_ends){0};
    }
    return (line_ends){0};
}

/* A list of both; -1 for the last is what other tools say for the end of the file. */
static line_ends ends_of_list(const em_param *number, const json_t *list)
{
    json_t *last = json_array_get(list, 1);
    if (json_array_size(list) != 2)
        return (line_ends){0};
    line_ends ends = {number_of(number, json_array_get(list, 0)), number_of(number, last)};
    if (json_integer_value(last) == -1)
        ends.last = NO_END;
    return ends;
}

/* An object of both, by any words for them. */
static line_ends ends_of_object(const em_param *number, const json_t *object)
{
    json_t *first = value_of_word(object, "start_line"), *last = value_of_word(object, "end_line");
    return json_object_size(object) == 2 && first && last
               ? (line_ends){number_of(number, first), number_of(number, last)}
               : (line_ends){0};
}

/* Both ends in one value. */
static line_ends ends_of(const em_param *number, json_t *value)
{
    EM_AUTO(em_json_ref) list = em_args_unpacked(&(em_param){.type = EM_P_LIST}, value);
    if (json_is_array(list))
        return ends_of_list(number, list);
    if (em_json_is_object(list))
        return ends_of_object(number, list);
    return json_is_string(list) ? ends_of_text(em_json_slice(list)) : (line_ends){0};
}

static em_meaning range_meant(line_params here, line_ends ends, const json_t *object)
{
    if (!here.first || em_param_value(here.first, object) || ends.first < 1)
        return NOTHING;
    if (ends.last == NO_END)
        return (em_meaning){.param = here.first, .number = ends.first};
    em_meaning meant = up_to(here, ends.first, ends.last);
    meant.first = meant.param ? here.first : NULL;
    meant.first_line = ends.first;
    return meant;
}

/* A text may also say a line and a column ("3:4"). */
static bool may_be_of_column(em_slice text)
{
    return em_slice_has_byte(text, ':') || em_slice_has_byte(text, ',');
}

em_meaning em_lines_in_first(const em_param *params, const em_param *param, const json_t *value,
                             const json_t *object)
{
    if (!json_is_string(value) || !em_are_synonyms("start_line", param->name) ||
        may_be_of_column(em_json_slice(value)))
        return NOTHING;
    line_params here = line_params_of(params, "view_range");
    const em_param *end = here.last ? here.last : here.count;
    line_ends ends = ends_of_text(em_json_slice(value));
    if (here.first != param || !end || em_param_value(end, object) || ends.last == NO_END)
        return NOTHING;
    em_meaning meant = up_to(here, ends.first, ends.last);
    meant.first = meant.param ? param : NULL;
    meant.first_line = ends.first;
    return meant;
}

/* Does the name say which lines, in any tool? */
static bool is_of_lines(const char *name)
{
    return em_are_synonyms("start_line", name) || em_are_synonyms("end_line", name) ||
           em_are_synonyms("limit", name) || is_of_both(name);
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
    line_params here =
        is_of_lines(name) ? line_params_of(params, name) : (line_params){.first = NULL};
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
        return range_meant(here, ends_of(end, value), object);
    if (em_are_synonyms("line", name))
        return range_meant(here, (line_ends){number, number}, object);
    if (em_are_synonyms("limit", name))
        return as_many(here, first, number);
    return here.count ? up_to(here, first, number) : NOTHING;
}

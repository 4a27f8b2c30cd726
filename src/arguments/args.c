/* args.c: the check of a call's arguments, and its messages; and the getters.
 *
 * Begin with em_args_check(): it goes through the values beside their table, and each fault is one
 * sentence. args_repair.c does to a copy what the sentences say.
 */
#include "arguments/args_impl.h"

#include "arguments/members.h"
#include "base/beside.h"
#include "base/utf8.h"
#include "tools/nearest.h"
#include "json/json_text.h"

#include <stdatomic.h>
#include <strings.h>

enum {
    EXCERPT_BYTES = 60, /* of a name or a value that is quoted: one line of a message */
    MOST_WORDS = 3,     /* of which each may be meant */
};

/* Where a value stands: `name` in the object at `parent`, or element `index` of it. */
typedef struct place {
    const struct place *parent;
    const char *name; /* NULL: an element */
    size_t index;
} place;

typedef struct checker {
    em_strbuf message;
    size_t problems;
    ptrdiff_t edit; /* of the first problem */
    bool only_asks; /* whether there is a problem: none is told, and no value is made for it. Two
                       threads may ask at once, but not make values at once (json_memory.h). */
    const json_t *object;                    /* in which the value stands */
    const em_param *known[EM_MOST_PROBLEMS]; /* tables whose names were told */
    size_t known_count;
} checker;

static void checker_drop(checker *c)
{
    em_strbuf_drop(&c->message);
}

/* ---- Words --------------------------------------------------------------------------------- */

static void add_place(em_strbuf *out, const place *at)
{
    if (at->parent)
        add_place(out, at->parent);
    if (!at->name)
        em_strbuf_printf(out, "[%zu]", at->index);
    else
        em_strbuf_printf(out, "%s%s", at->parent ? "." : "", at->name);
}

/* The start of a value as JSON, on one line. */
static void add_excerpt(em_strbuf *out, const json_t *value)
{
    EM_AUTO(em_strbuf) text = {0};
    em_json_write(value, 0, &text);
    em_slice shown = em_strbuf_slice(&text);
    em_strbuf_add(out, em_slice_sub(shown, 0, em_utf8_floor(shown, EXCERPT_BYTES)));
    if (shown.len > EXCERPT_BYTES)
        em_strbuf_puts(out, "…");
    out->failed = out->failed || text.failed;
}

/* Is it a string, not an empty one, of which nothing is cut? */
static bool fits_excerpt(const json_t *string)
{
    EM_AUTO(em_strbuf) text = {0};
    em_json_write(string, 0, &text);
    return json_string_length(string) > 0 && text.len <= EXCERPT_BYTES;
}

static bool is_wide_integer(const json_t *value)
{
    em_slice number = em_json_wide_number(value);
    return number.len > 0 && !em_slice_has_byte(number, '.') && !em_slice_has_byte(number, 'e') &&
           !em_slice_has_byte(number, 'E');
}

static const char *kind_of(const json_t *value)
{
    if (is_wide_integer(value))
        return "an integer";
    switch (json_typeof(value)) {
    case JSON_OBJECT:
        return em_json_is_object(value) ? "an object" : "a number";
    case JSON_ARRAY:
        return "a list";
    case JSON_STRING:
        return "a string";
    case JSON_INTEGER:
        return "an integer";
    case JSON_REAL:
        return "a number";
    case JSON_TRUE:
    case JSON_FALSE:
        return "a boolean";
    case JSON_NULL:
        break;
    }
    return "null";
}

static const char *kind_wanted(em_param_type type)
{
    static const char *const names[] = {
        [EM_P_STRING] = "a string",
        [EM_P_NAME] = "a string",
        [EM_P_PATH] = "a string",
        [EM_P_INTEGER] = "an integer",
        [EM_P_NUMBER] = "a number",
        [EM_P_BOOL] = "true or false",
        [EM_P_OBJECT] = "an object",
        [EM_P_LIST] = "a list",
        [EM_P_BOOL_OR_WORD] = "true, false or a word",
    };
    return names[type];
}

/* ---- Problems ------------------------------------------------------------------------------ */

/* The list element that a place is in. */
static ptrdiff_t edit_at(const place *at)
{
    ptrdiff_t edit = EM_NO_EDIT;
    for (; at; at = at->parent)
        if (!at->name)
            edit = (ptrdiff_t)at->index;
    return edit;
}

/* Start the next problem. Is the caller to write it? */
static bool begins_problem(checker *c, const place *at)
{
    if (c->problems++ == 0)
        c->edit = edit_at(at);
    else if (!c->only_asks)
        em_strbuf_putc(&c->message, '\n');
    return !c->only_asks;
}

static bool has_told_enough(const checker *c)
{
    return c->problems >= EM_MOST_PROBLEMS;
}

/* "True" is how other languages write it. NULL: it is none. */
static json_t *bool_of_word(const char *word)
{
    if (strcasecmp(word, "true") == 0)
        return json_true();
    return strcasecmp(word, "false") == 0 ? json_false() : NULL;
}

static bool is_list_of_strings(const em_param *param)
{
    return param->type == EM_P_LIST && !param->fields &&
           (param->item == EM_P_STRING || param->item == EM_P_NAME);
}

/* May it have been sent for the parameter as JSON text? */
static bool is_packable(const em_param *param, const json_t *inside)
{
    bool is_number = param->type == EM_P_INTEGER || param->type == EM_P_NUMBER;
    if (json_is_array(inside))
        return true;
    if (is_list_of_strings(param)) /* the one string of it */
        return json_is_string(inside);
    return em_json_is_object(inside) || (is_number && json_is_number(inside));
}

/* NULL: it is none, or memory ran out. */
static json_t *unpacked_string(const em_param *param, const json_t *value)
{
    const char *text = json_string_value(value);
    if (param->type == EM_P_STRING || param->type == EM_P_NAME || param->type == EM_P_PATH)
        return NULL;
    if (param->type == EM_P_BOOL || param->type == EM_P_BOOL_OR_WORD)
        return bool_of_word(text);
    json_t *inside;
    if (em_json_parse(em_json_slice(value), &inside, NULL) != EM_OK)
        return NULL;
    if (is_packable(param, inside))
        return inside;
    json_decref(inside);
    return NULL;
}

/* NULL: it is no such number, or memory ran out. */
static json_t *unpacked_integer(const em_param *param, const json_t *value)
{
    json_int_t number = json_integer_value(value);
    if (param->type == EM_P_BOOL && (number == 0 || number == 1))
        return json_boolean(number);
    bool is_text = param->type == EM_P_STRING && !param->words;
    return is_text || param->flags & EM_P_NUMERAL ? json_sprintf("%" JSON_INTEGER_FORMAT, number)
                                                  : NULL;
}

json_t *em_args_unpacked(const em_param *param, json_t *value)
{
    json_t *inside = NULL;
    if (json_is_string(value))
        inside = unpacked_string(param, value);
    else if (json_is_integer(value))
        inside = unpacked_integer(param, value);
    return inside ? inside : json_incref(value);
}

/* Is it a string that begins as JSON text of a list or an object does? */
static bool is_packed(em_param_type wanted, const json_t *value)
{
    const char *text = json_is_string(value) ? json_string_value(value) : "";
    char first = text[strspn(text, " \t\r\n")];
    return (wanted == EM_P_LIST && first == '[') || (wanted == EM_P_OBJECT && first == '{');
}

/* What to send where something of another type came. `param` is NULL for an element of a list. */
static void add_way_to_send(em_strbuf *out, em_param_type wanted, const em_param *param,
                            json_t *value)
{
    bool takes_strings = param && is_list_of_strings(param);
    EM_AUTO(em_json_ref) inside = param ? em_args_unpacked(param, value) : NULL;
    bool is_scalar = !json_is_array(inside) && !json_is_object(inside);
    if (inside && is_scalar && em_is_of_type(wanted, inside)) {
        em_strbuf_puts(out, " (send ");
        add_excerpt(out, inside);
        em_strbuf_puts(out, ")");
    } else if (param && wanted == EM_P_STRING && !param->words &&
               (json_is_array(value) || em_json_is_object(value))) {
        em_strbuf_puts(out, " (send the text as one string)");
    } else if (is_packed(wanted, value)) {
        em_strbuf_puts(out, " (send the value itself, not its JSON text)");
    } else if (takes_strings && json_is_string(inside) && fits_excerpt(inside)) {
        em_strbuf_puts(out, " (send [");
        add_excerpt(out, inside);
        em_strbuf_puts(out, "])");
    }
}

static void wrong_type(checker *c, const place *at, em_param_type wanted, const em_param *param,
                       const json_t *value)
{
    if (!begins_problem(c, at))
        return;
    add_place(&c->message, at);
    bool is_too_wide = wanted == EM_P_NUMBER ? em_json_wide_number(value).len > 0
                                             : wanted == EM_P_INTEGER && is_wide_integer(value);
    em_strbuf_printf(&c->message, " must be %s%s, but %s came", kind_wanted(wanted),
                     is_too_wide ? " within 64 bits" : "", kind_of(value));
    if (!json_is_null(value)) {
        em_strbuf_puts(&c->message, ": ");
        add_excerpt(&c->message, value);
    }
    const char *text = param && param->text_for ? param->text_for(c->object, value) : NULL;
    if (text)
        em_strbuf_printf(&c->message, " (send \"%s\")", text);
    else
        add_way_to_send(&c->message, wanted, param, (json_t *)(uintptr_t)value);
}

static void wrong_value(checker *c, const place *at, const char *rule)
{
    if (!begins_problem(c, at))
        return;
    add_place(&c->message, at);
    em_strbuf_printf(&c->message, " must %s", rule);
}

static void out_of_bounds(checker *c, const place *at, const em_param *param, const json_t *value)
{
    if (!begins_problem(c, at))
        return;
    add_place(&c->message, at);
    if (param->maximum >= param->minimum)
        em_strbuf_printf(&c->message, " must be from %lld to %lld, but ", (long long)param->minimum,
                         (long long)param->maximum);
    else
        em_strbuf_printf(&c->message, " must be at least %lld, but ", (long long)param->minimum);
    add_excerpt(&c->message, value);
    em_strbuf_puts(&c->message, " came");
}

static void unknown_word(checker *c, const place *at, const em_param *param, const json_t *value)
{
    if (!begins_problem(c, at))
        return;
    add_place(&c->message, at);
    em_strbuf_puts(&c->message, " must be one of ");
    for (const char *const *word = param->words; *word; word++)
        em_strbuf_printf(&c->message, "%s\"%s\"", word == param->words ? "" : ", ", *word);
    em_strbuf_puts(&c->message, ", but this came: ");
    add_excerpt(&c->message, value);
    const char *came = json_string_value(value), *several[MOST_WORDS];
    const char *second = em_paired_word(param, value);
    const char *meant = second ? NULL : em_word_meant(came, param->words);
    size_t count = second || meant ? 0 : em_words_with(came, param->words, several, MOST_WORDS);
    if (second)
        em_strbuf_printf(&c->message, ". Did you mean \"%s\" with %s \"%s\"?", param->pair->word,
                         param->pair->second, second);
    if (meant)
        em_strbuf_printf(&c->message, ". Did you mean \"%s\"?", meant);
    for (size_t i = 0; i < count; i++)
        em_strbuf_printf(&c->message, "%s\"%s\"%s", i > 0 ? " or " : ". Did you mean ", several[i],
                         i + 1 == count ? "?" : "");
}

static bool needs_elements(const em_param *param)
{
    return param->type == EM_P_LIST && param->flags & EM_P_NONEMPTY;
}

/* A list of which something is needed is empty, null or missing: the caller says which. */
static bool begins_none_provided(checker *c, const place *at)
{
    if (!begins_problem(c, at))
        return false;
    em_strbuf_printf(&c->message, "No %s provided: ", at->name);
    return true;
}

static void empty_list(checker *c, const place *at)
{
    if (!begins_none_provided(c, at))
        return;
    add_place(&c->message, at);
    em_strbuf_puts(&c->message, " needs at least one element");
}

static void null_list(checker *c, const place *at)
{
    if (!begins_none_provided(c, at))
        return;
    add_place(&c->message, at);
    em_strbuf_puts(&c->message, " must be a list, but null came");
}

static void missing(checker *c, const place *at, const em_param *param)
{
    if (!(needs_elements(param) ? begins_none_provided(c, at) : begins_problem(c, at)))
        return;
    em_strbuf_puts(&c->message, needs_elements(param) ? "missing argument " : "Missing argument ");
    add_place(&c->message, at);
    em_strbuf_printf(&c->message, ": it must be %s", kind_wanted(param->type));
}

static void given_twice(checker *c, const place *at, const em_param *param)
{
    if (!begins_problem(c, at))
        return;
    add_place(&c->message, at);
    em_strbuf_printf(&c->message, " and %s are two names of one argument: send only %s",
                     param->alias, param->name);
}

/* Once an answer. */
static void add_known_names(checker *c, const em_param *params)
{
    for (size_t i = 0; i < c->known_count; i++)
        if (c->known[i] == params)
            return;
    c->known[c->known_count++] = params;
    em_slice before = em_strbuf_slice(&c->message);
    bool is_question = before.len > 0 && before.ptr[before.len - 1] == '?';
    em_strbuf_puts(&c->message, is_question ? " Known here: " : ". Known here: ");
    for (const em_param *param = params; param->name; param++)
        em_strbuf_printf(&c->message, "%s%s", param == params ? "" : ", ", param->name);
}

static void add_lines_meant(em_strbuf *out, em_meaning meant)
{
    if (meant.first) {
        em_strbuf_printf(out, " Send %" JSON_INTEGER_FORMAT " and %" JSON_INTEGER_FORMAT,
                         meant.first_line, meant.number);
        return;
    }
    em_strbuf_printf(out, " %s: send %" JSON_INTEGER_FORMAT,
                     em_are_synonyms("end_line", meant.param->name)
                         ? "It is the number of the last line, and not how many there are"
                     : em_are_synonyms("limit", meant.param->name)
                         ? "It is how many lines there are, and not the number of the last"
                         : "Lines are counted from 1",
                     meant.number);
}

static void add_meaning(em_strbuf *out, em_meaning meant)
{
    if (meant.first)
        em_strbuf_printf(out, ". Did you mean %s and %s?", meant.first->name, meant.param->name);
    else if (meant.param)
        em_strbuf_printf(out, ". Did you mean %s%s%s?", meant.list ? meant.list->name : "",
                         meant.list ? "[]." : "", meant.param->name);
    if (meant.is_idle)
        em_strbuf_puts(out, ". Leave it out: the same is done without it");
    if (meant.is_all_for_number)
        em_strbuf_puts(out, " It replaces every occurrence, however many there are");
    if (meant.is_number_for_all)
        em_strbuf_puts(out, " It is the number of places, and all of them are replaced");
    if (meant.is_backward)
        em_strbuf_puts(out, ". The lines end before they begin");
    if (meant.number > 0)
        add_lines_meant(out, meant);
}

static void unknown(checker *c, const place *at, const em_param *params, em_meaning meant)
{
    if (!begins_problem(c, at))
        return;
    char name[EXCERPT_BYTES + 1];
    size_t length = em_utf8_floor(em_slice_of(at->name), EXCERPT_BYTES);
    memcpy(name, at->name, length);
    name[length] = '\0';
    place cut = {.parent = at->parent, .name = name};
    em_strbuf_puts(&c->message, "Unknown argument ");
    add_place(&c->message, &cut);
    add_meaning(&c->message, meant);
    add_known_names(c, params);
}

/* ---- Values -------------------------------------------------------------------------------- */

static bool is_integer(const json_t *value)
{
    if (json_is_integer(value))
        return true;
    double real = json_real_value(value); /* 0 for what is no real */
    return json_is_real(value) && real > -9.0e18 && real < 9.0e18 &&
           real == (double)(json_int_t)real;
}

static json_int_t integer_value(const json_t *value)
{
    return json_is_integer(value) ? json_integer_value(value) : (json_int_t)json_real_value(value);
}

static void check_object(checker *c, const em_param *params, const json_t *object,
                         const place *parent);
static void check_members(checker *c, const em_members *members, const place *parent);

bool em_is_of_type(em_param_type type, const json_t *value)
{
    switch (type) {
    case EM_P_STRING:
    case EM_P_NAME:
    case EM_P_PATH:
        return json_is_string(value);
    case EM_P_INTEGER:
        return is_integer(value);
    case EM_P_NUMBER:
        return json_is_number(value);
    case EM_P_BOOL:
        return json_is_boolean(value);
    case EM_P_BOOL_OR_WORD:
        return json_is_boolean(value) || json_is_string(value);
    case EM_P_OBJECT:
        return em_json_is_object(value);
    case EM_P_LIST:
        break;
    }
    return json_is_array(value);
}

/* `param` is NULL for an element of a list. */
static bool check_type(checker *c, em_param_type type, const em_param *param, const json_t *value,
                       const place *at)
{
    bool right = em_is_of_type(type, value);
    if (!right)
        wrong_type(c, at, type, param, value);
    return right;
}

static void check_name(checker *c, const json_t *value, const place *at)
{
    size_t length = json_string_length(value);
    if (length == 0)
        wrong_value(c, at, "not be empty");
    else if (memchr(json_string_value(value), '\0', length))
        wrong_value(c, at, "not hold a NUL character");
}

static void check_element(checker *c, const em_param *list, em_members *members,
                          const json_t *value, const place *at)
{
    if (!check_type(c, list->fields ? EM_P_OBJECT : list->item, NULL, value, at) || !list->fields)
        return;
    const json_t *around = c->object;
    c->object = value;
    if (em_members_read(members, value))
        check_members(c, members, at);
    else
        check_object(c, list->fields, value, at);
    c->object = around;
}

/* A list of which it is only asked whether anything is wrong with it. */
typedef struct long_list {
    const em_param *param;
    const json_t *elements;
    atomic_bool is_wrong;
} long_list;

static void check_some(void *context, size_t from, size_t to)
{
    long_list *list = context;
    EM_AUTO(checker) c = {.edit = EM_NO_EDIT, .only_asks = true};
    em_members members = em_members_of(list->param->fields);
    for (size_t i = from; i < to && c.problems == 0; i++) {
        place element = {.index = i};
        check_element(&c, list->param, &members, json_array_get(list->elements, i), &element);
    }
    if (c.problems > 0)
        list->is_wrong = true;
}

static bool all_are_right(const em_param *param, const json_t *elements)
{
    long_list list = {.param = param, .elements = elements};
    em_in_halves(json_array_size(elements), EM_ELEMENTS_WORTH_A_THREAD, check_some, &list);
    return !list.is_wrong;
}

static void check_list(checker *c, const em_param *param, const json_t *value, const place *at)
{
    size_t count = json_array_size(value);
    em_members members = em_members_of(param->fields);
    if (count == 0 && needs_elements(param))
        empty_list(c, at);
    if (count >= EM_ELEMENTS_WORTH_A_THREAD && all_are_right(param, value))
        return;
    for (size_t i = 0; i < count && !has_told_enough(c); i++) {
        place element = {.parent = at, .index = i};
        check_element(c, param, &members, json_array_get(value, i), &element);
    }
}

bool em_is_word_of(const char *const *words, const json_t *value)
{
    for (; *words; words++)
        if (strlen(*words) == json_string_length(value) &&
            strcmp(*words, json_string_value(value)) == 0)
            return true;
    return false;
}

static bool is_within_bounds(const em_param *param, json_int_t value)
{
    if (param->minimum == 0 && param->maximum == 0)
        return true;
    return value >= param->minimum && (param->maximum < param->minimum || value <= param->maximum);
}

static void check_value(checker *c, const em_param *param, const json_t *value, const place *at)
{
    if (json_is_null(value) && needs_elements(param)) {
        null_list(c, at);
        return;
    }
    if (!check_type(c, param->type, param, value, at))
        return;
    if (param->type == EM_P_NAME || param->type == EM_P_PATH)
        check_name(c, value, at);
    else if (param->type == EM_P_INTEGER && !is_within_bounds(param, integer_value(value)))
        out_of_bounds(c, at, param, value);
    else if (param->type == EM_P_OBJECT && param->fields)
        check_object(c, param->fields, value, at);
    else if (param->type == EM_P_LIST)
        check_list(c, param, value, at);
    else if (param->words && json_is_string(value) && !em_is_word_of(param->words, value))
        unknown_word(c, at, param, value);
}

/* ---- Objects ------------------------------------------------------------------------------- */

const em_param *em_param_named(const em_param *params, const char *name)
{
    for (; params->name; params++)
        if (strcmp(params->name, name) == 0 || (params->alias && strcmp(params->alias, name) == 0))
            return params;
    return NULL;
}

bool em_is_list_of_objects(const em_param *param)
{
    return param->type == EM_P_LIST && param->fields;
}

const em_param *em_param_of_path(const em_param *params)
{
    while (params->name && params->type != EM_P_PATH)
        params++;
    return params->name ? params : NULL;
}

size_t em_faults_as(const em_param *param, json_t *value)
{
    checker c = {.edit = EM_NO_EDIT};
    place at = {.name = param->name};
    EM_AUTO(em_json_ref) inside = em_args_unpacked(param, value);
    check_value(&c, param, inside, &at);
    em_strbuf_drop(&c.message);
    return c.problems;
}

/* json_object_get(), which makes a hash of the name first: there are thousands of objects of a few
 * members. */
static const json_t *member(const json_t *object, const char *name)
{
    enum { FEW = 4 };
    size_t length = strlen(name);
    if (json_object_size(object) > FEW)
        return json_object_getn(object, name, length);
    json_t *members = (json_t *)object;
    for (void *at = json_object_iter(members); at; at = json_object_iter_next(members, at))
        if (json_object_iter_key_len(at) == length &&
            memcmp(json_object_iter_key(at), name, length) == 0)
            return json_object_iter_value(at);
    return NULL;
}

const json_t *em_param_value(const em_param *param, const json_t *object)
{
    const json_t *value = member(object, param->name);
    const json_t *other = param->alias ? member(object, param->alias) : NULL;
    if (other && (!value || (json_is_null(value) && !json_is_null(other))))
        value = other;
    return em_is_given(param, value) ? value : NULL;
}

/* Has the caller given `param` under a name that nobody knows? That has been told. */
static bool is_misspelt(const em_param *params, const em_param *param, const json_t *object)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        if (!em_param_named(params, key) && em_param_meant(params, key, value, object) == param)
            return true;
    }
    return false;
}

static void check_names(checker *c, const em_param *params, const json_t *object,
                        const place *parent)
{
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        if (em_param_named(params, key))
            continue;
        if (has_told_enough(c))
            return;
        place at = {.parent = parent, .name = key};
        em_meaning none = {.list = NULL};
        unknown(c, &at, params, c->only_asks ? none : em_meaning_told(params, key, value, object));
    }
}

static void check_param(checker *c, const em_param *params, const em_param *param,
                        const json_t *object, const place *parent)
{
    place at = {.parent = parent, .name = param->name};
    const json_t *value = em_param_value(param, object);
    const json_t *other = param->alias ? member(object, param->alias) : NULL;
    if (!value) {
        if (param->flags & EM_P_REQUIRED && (c->only_asks || !is_misspelt(params, param, object)))
            missing(c, &at, param);
        return;
    }
    if (other && !json_is_null(other) && value != other) {
        given_twice(c, &at, param);
        return;
    }
    bool both_null = json_is_null(value) && member(object, param->name);
    if (value == other && !both_null)
        at.name = param->alias;
    check_value(c, param, value, &at);
}

static void check_object(checker *c, const em_param *params, const json_t *object,
                         const place *parent)
{
    check_names(c, params, object, parent);
    for (const em_param *param = params; param->name && !has_told_enough(c); param++)
        check_param(c, params, param, object, parent);
}

/* check_object() of an object that was read as its members: all of its names are known. */
static void check_members(checker *c, const em_members *members, const place *parent)
{
    for (size_t i = 0; i < members->param_count && !has_told_enough(c); i++) {
        const em_param *param = &members->params[i];
        place at = {.parent = parent, .name = param->name};
        if (members->values[i])
            check_value(c, param, members->values[i], &at);
        else if (param->flags & EM_P_REQUIRED)
            missing(c, &at, param);
    }
}

em_status em_args_check(const em_param *params, const json_t *arguments, em_arena *arena,
                        em_args_problem *problem)
{
    EM_AUTO(checker) c = {.edit = EM_NO_EDIT, .object = arguments};
    check_object(&c, params, arguments, NULL);
    *problem = (em_args_problem){em_strbuf_finish(&c.message, arena), c.edit};
    if (!problem->message)
        return EM_E_NOMEM;
    return c.problems > 0 ? EM_E_INVALID : EM_OK;
}

/* ---- Reading ------------------------------------------------------------------------------- */

em_args em_args_of(const em_call *call)
{
    return (em_args){.params = call->tool->params, .object = call->arguments};
}

const json_t *em_arg(em_args args, const char *name)
{
    const em_param *param = em_param_named(args.params, name);
    if (!param)
        return NULL;
    return args.values ? args.values[param - args.params] : em_param_value(param, args.object);
}

em_slice em_arg_text(em_args args, const char *name)
{
    const json_t *value = em_arg(args, name);
    return value ? em_slice_make(json_string_value(value), json_string_length(value))
                 : (em_slice){"", 0};
}

const char *em_arg_string(em_args args, const char *name)
{
    return json_string_value(em_arg(args, name));
}

bool em_arg_bool(em_args args, const char *name)
{
    return json_is_true(em_arg(args, name));
}

size_t em_arg_size(em_args args, const char *name)
{
    return (size_t)em_arg_integer(args, name);
}

int64_t em_arg_integer(em_args args, const char *name)
{
    const json_t *value = em_arg(args, name);
    return value ? integer_value(value) : 0;
}

size_t em_arg_count(em_args args, const char *name)
{
    return json_array_size(em_arg(args, name));
}

em_arg_list em_arg_elements(em_args args, const char *name)
{
    const json_t *array = em_arg(args, name);
    return (em_arg_list){.members = em_members_of(em_param_named(args.params, name)->fields),
                         .array = array,
                         .count = json_array_size(array)};
}

em_args em_arg_at(em_arg_list *list, size_t index)
{
    const json_t *object = json_array_get(list->array, index);
    bool is_read = em_members_read(&list->members, object);
    return (em_args){list->members.params, object, is_read ? list->members.values : NULL};
}

em_args em_arg_element(em_args args, const char *name, size_t index)
{
    const em_param *list = em_param_named(args.params, name);
    return (em_args){.params = list->fields, .object = json_array_get(em_arg(args, name), index)};
}

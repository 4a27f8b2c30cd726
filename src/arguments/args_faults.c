#include "arguments/args_faults.h"

#include "base/utf8.h"
#include "tools/nearest.h"
#include "json/json_text.h"

enum {
    EXCERPT_BYTES = 60, /* of a name or a value that is quoted: one line of a message */
    MOST_WORDS = 3,     /* of which each may be meant */
};

/* ---- Words --------------------------------------------------------------------------------- */

static void add_place(em_strbuf *out, const em_arg_place *at)
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
static ptrdiff_t edit_at(const em_arg_place *at)
{
    ptrdiff_t edit = EM_NO_EDIT;
    for (; at; at = at->parent)
        if (!at->name)
            edit = (ptrdiff_t)at->index;
    return edit;
}

/* Start the next problem. Is the caller to write it? */
static bool begins_problem(em_args_checker *c, const em_arg_place *at)
{
    if (c->problems++ == 0)
        c->edit = edit_at(at);
    else if (!c->only_asks)
        em_strbuf_putc(&c->message, '\n');
    return !c->only_asks;
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
    bool takes_strings = param && em_is_list_of_strings(param);
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

static void add_way_to_delete(em_args_checker *c, const em_param *param)
{
    if (param && em_may_delete(param, c->object))
        em_strbuf_puts(&c->message, EM_WAY_TO_DELETE);
}

void em_fault_type(em_args_checker *c, const em_arg_place *at, em_param_type wanted,
                   const em_param *param, const json_t *value)
{
    if (!begins_problem(c, at))
        return;
    add_place(&c->message, at);
    bool is_too_wide = wanted == EM_P_NUMBER ? em_json_wide_number(value).len > 0
                                             : wanted == EM_P_INTEGER && is_wide_integer(value);
    em_strbuf_printf(&c->message, " must be %s%s, but %s came", kind_wanted(wanted),
                     is_too_wide ? " within 64 bits" : "", kind_of(value));
    if (json_is_null(value)) {
        add_way_to_delete(c, param);
    } else {
        em_strbuf_puts(&c->message, ": ");
        add_excerpt(&c->message, value);
    }
    const char *text = param && param->text_for ? param->text_for(c->object, value) : NULL;
    if (text)
        em_strbuf_printf(&c->message, " (send \"%s\")", text);
    else
        add_way_to_send(&c->message, wanted, param, (json_t *)(uintptr_t)value);
}

void em_fault_value(em_args_checker *c, const em_arg_place *at, const char *rule)
{
    if (!begins_problem(c, at))
        return;
    add_place(&c->message, at);
    em_strbuf_printf(&c->message, " must %s", rule);
}

void em_fault_bounds(em_args_checker *c, const em_arg_place *at, const em_param *param,
                     const json_t *value)
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

/* The word that was meant, or those that it may have been. */
static void add_words_meant(em_args_checker *c, const em_param *param, const json_t *value)
{
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

void em_fault_word(em_args_checker *c, const em_arg_place *at, const em_param *param,
                   const json_t *value)
{
    if (!begins_problem(c, at))
        return;
    add_place(&c->message, at);
    em_strbuf_puts(&c->message, " must be one of ");
    for (const char *const *word = param->words; *word; word++)
        em_strbuf_printf(&c->message, "%s\"%s\"", word == param->words ? "" : ", ", *word);
    em_strbuf_puts(&c->message, ", but this came: ");
    add_excerpt(&c->message, value);
    const char *way = em_way_of_foreign(param->foreign, json_string_value(value));
    if (way)
        em_strbuf_printf(&c->message, ". %s.", way);
    else
        add_words_meant(c, param, value);
}

/* A list of which something is needed is empty, null or missing: the caller says which. */
static bool begins_none_provided(em_args_checker *c, const em_arg_place *at)
{
    if (!begins_problem(c, at))
        return false;
    em_strbuf_printf(&c->message, "No %s provided: ", at->name);
    return true;
}

void em_fault_empty_list(em_args_checker *c, const em_arg_place *at)
{
    if (!begins_none_provided(c, at))
        return;
    add_place(&c->message, at);
    em_strbuf_puts(&c->message, " needs at least one element");
}

void em_fault_null_list(em_args_checker *c, const em_arg_place *at)
{
    if (!begins_none_provided(c, at))
        return;
    add_place(&c->message, at);
    em_strbuf_puts(&c->message, " must be a list, but null came");
}

void em_fault_missing(em_args_checker *c, const em_arg_place *at, const em_param *param)
{
    if (!(em_needs_elements(param) ? begins_none_provided(c, at) : begins_problem(c, at)))
        return;
    em_strbuf_puts(&c->message,
                   em_needs_elements(param) ? "missing argument " : "Missing argument ");
    add_place(&c->message, at);
    em_strbuf_printf(&c->message, ": it must be %s", kind_wanted(param->type));
    add_way_to_delete(c, param);
}

void em_fault_twice(em_args_checker *c, const em_arg_place *at, const em_param *param)
{
    if (!begins_problem(c, at))
        return;
    add_place(&c->message, at);
    em_strbuf_printf(&c->message, " and %s are two names of one argument: send only %s",
                     param->alias, param->name);
}

/* Once an answer. */
static void add_known_names(em_args_checker *c, const em_param *params)
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

/* Who tells a line's number to insert something below it: texts stand where others do, and lines
 * where there are some. */
static void add_way_to_insert(em_args_checker *c, const em_param *params)
{
    static const char at_number[] = ". Nothing is inserted at the number of a line here";
    const em_param *goes, *comes, *list = em_edit_list(params);
    const em_param *first = em_param_named(params, "start_line"),
                   *last = em_param_named(params, "end_line");
    const char *in_list = list ? list->name : "", *of_list = list ? "[]." : "";
    if (em_edit_texts(list ? list->fields : params, &goes, &comes))
        em_strbuf_printf(&c->message,
                         "%s: send the text of that line as %s%s%s, and it with the new text below "
                         "it as %s%s%s",
                         at_number, in_list, of_list, goes->name, in_list, of_list, comes->name);
    else if (comes && first && last)
        em_strbuf_printf(&c->message,
                         "%s: send it as %s and %s, and the text of that line with the new text "
                         "below it as %s",
                         at_number, first->name, last->name, comes->name);
}

/* The table of the object, or of the objects of the list, that stands there; NULL. */
static const em_param *table_at(const em_args_checker *c, const em_arg_place *at)
{
    if (!at)
        return c->params;
    const em_param *around = table_at(c, at->parent);
    const em_param *param = at->name && around ? em_param_named(around, at->name) : NULL;
    return at->name ? (param ? param->fields : NULL) : around;
}

/* The innermost list around an unknown argument beside which it is known; NULL. */
static const em_arg_place *list_beside(const em_args_checker *c, const em_arg_place *at,
                                       json_t *value)
{
    const em_arg_place *list = at->parent;
    while (list && !(list->name && em_is_option_of(table_at(c, list->parent), at->name, value)))
        list = list->parent;
    return list;
}

void em_fault_unknown(em_args_checker *c, const em_arg_place *at, const em_param *params,
                      em_meaning meant, json_t *value)
{
    if (!begins_problem(c, at))
        return;
    char name[EXCERPT_BYTES + 1];
    size_t length = em_utf8_floor(em_slice_of(at->name), EXCERPT_BYTES);
    memcpy(name, at->name, length);
    name[length] = '\0';
    em_arg_place cut = {.parent = at->parent, .name = name};
    em_strbuf_puts(&c->message, "Unknown argument ");
    add_place(&c->message, &cut);
    const em_arg_place *list = list_beside(c, at, value);
    if (list) {
        em_strbuf_puts(&c->message, ". It stands beside ");
        add_place(&c->message, list);
        em_strbuf_puts(&c->message, ", not in it");
    } else {
        add_meaning(&c->message, meant);
    }
    if (em_are_synonyms("insert_line", at->name))
        add_way_to_insert(c, params);
    add_known_names(c, params);
}

/* other_forms.c: what finds an element elsewhere than in CSS: a call of jQuery or the DOM, a tag,
 * an attribute, XPath.
 *
 * Only what is no selector comes here. What is recognised as a whole is said, with the selector
 * that means the same; of what is left over in any part of it nothing is guessed.
 */
#include "selectors/parser.h"

#include "base/ascii.h"
#include "base/strbuf.h"
#include "html/tag.h"
#include "selectors/ascii.h"

/* A text that is read from its start. */
typedef struct form_reader {
    em_slice rest;
    em_arena *arena;
    em_strbuf out; /* the selector */
    em_widening widening;
} form_reader;

static void form_reader_drop(form_reader *r)
{
    em_strbuf_drop(&r->out);
}

static bool take(form_reader *r, const char *text)
{
    bool starts = em_slice_starts(r->rest, em_slice_of(text));
    if (starts)
        r->rest = em_slice_from(r->rest, strlen(text));
    return starts;
}

/* A name of HTML: letters, digits, '-', '_'; empty: none begins here. */
static em_slice take_name(form_reader *r)
{
    size_t end = 0;
    while (end < r->rest.len && (em_is_letter_or_digit(r->rest.ptr[end]) ||
                                 (end > 0 && em_is_one_of(r->rest.ptr[end], "-_"))))
        end++;
    if (end > 0 && !em_is_letter(r->rest.ptr[0]))
        end = 0;
    em_slice name = em_slice_sub(r->rest, 0, end);
    r->rest = em_slice_from(r->rest, end);
    return name;
}

/* What stands in quotes, without any sign in it that would mean another there. */
static bool take_quoted(form_reader *r, em_slice *text)
{
    char quote = r->rest.len > 0 ? r->rest.ptr[0] : '\0';
    const char *end =
        quote == '"' || quote == '\'' ? memchr(r->rest.ptr + 1, quote, r->rest.len - 1) : NULL;
    if (!end)
        return false;
    *text = em_slice_sub(r->rest, 1, (size_t)(end - r->rest.ptr));
    r->rest = em_slice_from(r->rest, text->len + 2);
    return !em_slice_has_byte(*text, '\\');
}

static void write_name(form_reader *r, char sign, em_slice name)
{
    const char *escaped = em_css_escape(name, r->arena);
    r->out.failed |= !escaped;
    em_strbuf_printf(&r->out, "%c%s", sign, escaped ? escaped : "");
}

/* [name="value"]; false where the value cannot stand in quotes as it is. */
static bool write_attr(form_reader *r, em_slice name, const char *test, em_slice value)
{
    char quote = em_slice_has_byte(value, '"') ? '\'' : '"';
    em_strbuf_printf(&r->out, "[%.*s%s%c%.*s%c]", (int)name.len, name.ptr, test, quote,
                     (int)value.len, value.ptr, quote);
    return !em_slice_has_byte(value, quote) && !em_slice_has_byte(value, '\\') &&
           !em_slice_has_byte(value, '\n');
}

/* The same of what HTML has written: an id and classes by their signs. */
static bool write_html_attr(form_reader *r, em_slice name, em_slice value)
{
    em_slice word;
    if (em_html_blank(value))
        return write_attr(r, name, "=", value);
    if (em_same_in_any_case(name, EM_LIT("id")))
        write_name(r, '#', value);
    else if (em_same_in_any_case(name, EM_LIT("class")))
        while ((word = em_html_next_word(&value)).len > 0)
            write_name(r, '.', word);
    else
        return write_attr(r, name, "=", value);
    return true;
}

/* ---- Text ------------------------------------------------------------------------------------ */

/* :contains("text"); false where the text cannot stand in quotes as it is. */
static bool write_contains(form_reader *r, const char *pseudo, em_slice text)
{
    char quote = em_slice_has_byte(text, '"') ? '\'' : '"';
    em_strbuf_printf(&r->out, ":%s(%c%.*s%c)", pseudo, quote, (int)text.len, text.ptr, quote);
    return !em_html_blank(text) && !em_slice_has_byte(text, quote) &&
           !em_slice_has_byte(text, '\\') && !em_slice_has_byte(text, '\n');
}

/* The innermost elements that have it. */
static bool write_text(form_reader *r, const char *pseudo, em_slice text)
{
    if (!write_contains(r, pseudo, text))
        return false;
    em_strbuf_puts(&r->out, ":not(:has(");
    write_contains(r, pseudo, text);
    em_strbuf_puts(&r->out, "))");
    return true;
}

/* text=Save, of testers of pages, in any case; in quotes it would have to be all of the text. */
static bool read_text_engine(form_reader *r)
{
    em_slice text;
    if (!take(r, "text="))
        return false;
    if (take_quoted(r, &text)) {
        r->widening = EM_WIDENS;
    } else {
        text = r->rest;
        if (text.len == 0 || em_is_one_of(text.ptr[0], "\"'/") ||
            memmem(text.ptr, text.len, ">>", 2))
            return false;
        r->rest = (em_slice){0};
    }
    return write_text(r, "icontains", text);
}

/* css=#a */
static bool read_css_engine(form_reader *r)
{
    if (!take(r, "css="))
        return false;
    em_strbuf_add(&r->out, r->rest);
    r->rest = (em_slice){0};
    return r->out.len > 0;
}

/* ---- Calls ----------------------------------------------------------------------------------- */

typedef enum call_kind {
    CALL_SELECTOR, /* all that it matches */
    CALL_FIRST,    /* and the first of these */
    CALL_ID,
    CALL_CLASS,
    CALL_NAME,
    CALL_TEXT,
    CALL_TEST_ID,
    CALL_CHILDREN,
    CALL_NUMBER,
    CALL_FIRST_OF,
    CALL_LAST_OF,
} call_kind;

typedef struct call {
    const char *name;
    call_kind kind;
} call;

/* What looks in a page, or in what was found before. */
static const call calls[] = {
    {"$", CALL_SELECTOR},
    {"$$", CALL_SELECTOR},
    {"jQuery", CALL_SELECTOR},
    {"querySelector", CALL_FIRST},
    {"querySelectorAll", CALL_SELECTOR},
    {"locator", CALL_SELECTOR},
    {"select", CALL_SELECTOR},
    {"select_one", CALL_FIRST},
    {"getElementById", CALL_ID},
    {"getElementsByClassName", CALL_CLASS},
    {"getElementsByTagName", CALL_NAME},
    {"getByText", CALL_TEXT},
    {"getByTestId", CALL_TEST_ID},
};

/* What stands behind such a call alone. */
static const call calls_behind[] = {
    {"find", CALL_SELECTOR}, {"children", CALL_CHILDREN}, {"eq", CALL_NUMBER},
    {"nth", CALL_NUMBER},    {"item", CALL_NUMBER},       {"first", CALL_FIRST_OF},
    {"last", CALL_LAST_OF},
};

static bool find_call(const call *list, size_t count, em_slice called, call_kind *kind)
{
    for (size_t i = 0; i < count; i++)
        if (em_slice_is(called, list[i].name)) {
            *kind = list[i].kind;
            return true;
        }
    return false;
}

/* The call up to its "(", and past that. Before the first one, what it is called of may stand:
 * "document." */
static bool take_call(form_reader *r, bool is_first, call_kind *kind)
{
    const char *open = r->rest.len > 0 ? memchr(r->rest.ptr, '(', r->rest.len) : NULL;
    if (!open)
        return false;
    em_slice called = em_slice_sub(r->rest, 0, (size_t)(open - r->rest.ptr));
    r->rest = em_slice_from(r->rest, called.len + 1);
    for (size_t i = called.len; is_first && i > 0; i--)
        if (called.ptr[i - 1] == '.') {
            called = em_slice_from(called, i);
            break;
        }
    return find_call(calls, sizeof calls / sizeof *calls, called, kind) ||
           (!is_first &&
            find_call(calls_behind, sizeof calls_behind / sizeof *calls_behind, called, kind));
}

/* A number from 0, and what closes it. */
static bool read_number(form_reader *r, const char *close)
{
    size_t end = em_slice_starts(r->rest, EM_LIT("-")), start = end;
    while (end < r->rest.len && em_is_digit(r->rest.ptr[end]))
        end++;
    em_strbuf_printf(&r->out, ":eq(%.*s)", (int)end, r->rest.ptr);
    r->rest = em_slice_from(r->rest, end);
    return end > start && take(r, close);
}

/* Is it an id alone, which one element has? */
static bool is_id(em_slice selector)
{
    size_t end = 1;
    while (end < selector.len && em_scan_is_name((unsigned char)selector.ptr[end]))
        end++;
    return selector.len > 1 && selector.ptr[0] == '#' && end == selector.len;
}

/* A selector that goes on, or that others go before: of a list each would have to. */
static void write_selector(form_reader *r, em_slice selector)
{
    bool is_list = em_slice_has_byte(selector, ',');
    em_strbuf_printf(&r->out, is_list ? ":is(%.*s)" : "%.*s", (int)selector.len, selector.ptr);
}

static bool write_call(form_reader *r, call_kind kind, em_slice text)
{
    switch (kind) {
    case CALL_ID:
        write_name(r, '#', text);
        return true;
    case CALL_CLASS:
        return write_html_attr(r, EM_LIT("class"), text);
    case CALL_TEXT:
        return write_text(r, "icontains", text);
    case CALL_TEST_ID:
        return write_attr(r, EM_LIT("data-testid"), "=", text);
    default:
        write_selector(r, text);
        if (kind == CALL_FIRST && !is_id(text))
            em_strbuf_puts(&r->out, ":first");
        return true;
    }
}

/* What a call finds, in what was found before it. */
static bool read_call(form_reader *r, bool is_first)
{
    call_kind kind;
    em_slice text;
    if (!take_call(r, is_first, &kind))
        return false;
    if (kind == CALL_NUMBER)
        return read_number(r, ")");
    if (kind == CALL_FIRST_OF || kind == CALL_LAST_OF)
        em_strbuf_puts(&r->out, kind == CALL_FIRST_OF ? ":first" : ":last");
    else if (!is_first)
        em_strbuf_puts(&r->out, kind == CALL_CHILDREN ? " > " : " ");
    if (kind == CALL_CHILDREN && take(r, ")")) {
        em_strbuf_puts(&r->out, "*");
        return true;
    }
    if (kind == CALL_FIRST_OF || kind == CALL_LAST_OF)
        return take(r, ")");
    return take_quoted(r, &text) && take(r, ")") && !em_html_blank(text) &&
           write_call(r, kind, text);
}

/* $('#a'), document.querySelector('#a'), $('#a').find('p').first(), $('p')[0] */
static bool read_calls(form_reader *r)
{
    if (!read_call(r, true))
        return false;
    while (r->rest.len > 0) {
        bool is_read = take(r, ".") ? read_call(r, false) : take(r, "[") && read_number(r, "]");
        if (!is_read)
            return false;
    }
    return true;
}

/* ---- HTML ------------------------------------------------------------------------------------ */

/* id=a, class="a b" */
static bool read_attr(form_reader *r)
{
    em_slice name = take_name(r), value;
    if (name.len == 0 || !take(r, "="))
        return false;
    if (take_quoted(r, &value))
        return write_html_attr(r, name, value);
    value = take_name(r);
    return value.len > 0 && write_html_attr(r, name, value);
}

/* <p id=a class="b c"> */
static bool read_tag(form_reader *r)
{
    em_slice text = r->rest;
    em_tag tag;
    em_tag_attr attr;
    bool can_be = em_tag_starts(text, 0) && !em_slice_has_byte(text, '&');
    if (!can_be)
        return false;
    em_tag_open(&tag, text, 0, NULL, NULL);
    em_strbuf_add(&r->out, em_slice_sub(text, tag.name.start, tag.name.end));
    while (can_be && em_tag_next(&tag, &attr)) {
        em_slice name = em_slice_sub(text, attr.name.start, attr.name.end);
        if (attr.has_value)
            can_be = write_html_attr(r, name, em_slice_sub(text, attr.value.start, attr.value.end));
        else
            em_strbuf_printf(&r->out, "[%.*s]", (int)name.len, name.ptr);
    }
    r->rest = tag.end == EM_NPOS ? text : em_slice_from(text, tag.end);
    return can_be;
}

/* ---- XPath ----------------------------------------------------------------------------------- */

/* A comma between two values, and the end of a call. */
static bool take_second(form_reader *r, em_slice *value)
{
    bool is_there = take(r, ",");
    take(r, " ");
    return is_there && take_quoted(r, value) && take(r, ")");
}

static bool take_equal(form_reader *r, em_slice *value)
{
    bool is_there = take(r, " = ") || take(r, "= ") || take(r, "=");
    return is_there && take_quoted(r, value);
}

/* text()='a', contains(text(), 'a'), contains(., 'a'). A text() is that of the element itself, or a
 * part of it. */
static bool read_text_condition(form_reader *r, bool contains, bool is_own)
{
    em_slice value;
    r->widening = contains && !is_own ? r->widening : EM_WIDENS;
    if (!(contains ? take_second(r, &value) : take_equal(r, &value)))
        return false;
    return is_own ? write_text(r, "contains", value) : write_contains(r, "contains", value);
}

/* normalize-space()='a': all of the text, without blanks around it. */
static bool read_trimmed_text(form_reader *r)
{
    em_slice value;
    if (!take(r, "text()"))
        take(r, ".");
    r->widening = EM_WIDENS;
    return take(r, ")") && take_equal(r, &value) && write_text(r, "contains", value);
}

static em_slice take_attr_name(form_reader *r)
{
    return take(r, "@") ? take_name(r) : (em_slice){.ptr = ""};
}

/* not(@id) */
static bool read_lack(form_reader *r)
{
    em_slice name = take_attr_name(r);
    em_strbuf_printf(&r->out, ":not([%.*s])", (int)name.len, name.ptr);
    return name.len > 0 && take(r, ")");
}

/* @id='a', @id, contains(@class, 'a'), starts-with(@href, 'a') */
static bool read_condition(form_reader *r)
{
    em_slice value;
    if (take(r, "not("))
        return read_lack(r);
    if (take(r, "normalize-space("))
        return read_trimmed_text(r);
    bool contains = take(r, "contains("), starts = !contains && take(r, "starts-with(");
    bool is_own = !starts && take(r, "text()");
    if (is_own || (!starts && take(r, ".")))
        return read_text_condition(r, contains, is_own);
    em_slice name = take_attr_name(r);
    if (name.len == 0)
        return false;
    if (contains || starts)
        return take_second(r, &value) && write_attr(r, name, contains ? "*=" : "^=", value);
    if (take_equal(r, &value))
        return write_attr(r, name, "=", value);
    em_strbuf_printf(&r->out, "[%.*s]", (int)name.len, name.ptr);
    return true;
}

/* [@id='a' and @b] */
static bool read_predicate(form_reader *r)
{
    do {
        if (!read_condition(r))
            return false;
    } while (take(r, " and "));
    return take(r, "]");
}

/* A place in brackets, from 1; 0: there is none. */
static size_t take_place(form_reader *r)
{
    enum { MOST_DIGITS = 9 };
    size_t end = 1, place = 0;
    while (end < r->rest.len && em_is_digit(r->rest.ptr[end]) && end <= MOST_DIGITS)
        place = place * 10 + (size_t)(r->rest.ptr[end++] - '0');
    if (place == 0 || r->rest.ptr[0] != '[' || end >= r->rest.len || r->rest.ptr[end] != ']')
        return 0;
    r->rest = em_slice_from(r->rest, end + 1);
    return place;
}

/* [2] or [last()] right behind a name counts those of that name. */
static void read_place(form_reader *r)
{
    size_t place = take_place(r);
    if (place > 0)
        em_strbuf_printf(&r->out, ":nth-of-type(%zu)", place);
    else if (take(r, "[last()]"))
        em_strbuf_puts(&r->out, ":last-of-type");
}

/* div[@id='a'], *[@id='a'], li[2] */
static bool read_step(form_reader *r)
{
    em_slice name = take_name(r);
    if (name.len > 0) {
        em_strbuf_add(&r->out, name);
        read_place(r);
    } else if (take(r, "*")) {
        em_strbuf_puts(&r->out, "*");
    } else {
        return false;
    }
    while (take(r, "["))
        if (!read_predicate(r))
            return false;
    return true;
}

/* /html/body/div, //div[@id='a']/p */
static bool read_path(form_reader *r)
{
    bool below = take(r, "//");
    if (!below && !(take(r, "/") && em_slice_starts(r->rest, EM_LIT("html"))))
        return false;
    while (read_step(r)) {
        if (take(r, "//"))
            em_strbuf_puts(&r->out, " ");
        else if (take(r, "/"))
            em_strbuf_puts(&r->out, " > ");
        else
            return true;
    }
    return false;
}

/* (//li)[2] counts all that are found. */
static bool read_counted_path(form_reader *r)
{
    if (!read_path(r) || !take(r, ")"))
        return false;
    size_t place = take_place(r);
    if (place > 0)
        em_strbuf_printf(&r->out, ":eq(%zu)", place - 1);
    else if (take(r, "[last()]"))
        em_strbuf_puts(&r->out, ":last");
    else
        return false;
    return true;
}

/* //div, xpath=//div, //h1 | //h2, (//li)[1] */
static bool read_xpath(form_reader *r)
{
    take(r, "xpath=");
    if (take(r, "("))
        return read_counted_path(r);
    while (read_path(r)) {
        if (!take(r, " | ") && !take(r, "|"))
            return true;
        em_strbuf_puts(&r->out, ", ");
    }
    return false;
}

/* ---- All of them ----------------------------------------------------------------------------- */

/* (div) */
static bool read_enclosed(form_reader *r)
{
    size_t depth = 0, at = 0;
    em_slice text = r->rest;
    for (; at < text.len; at++) {
        depth += text.ptr[at] == '(';
        if (text.ptr[at] == ')' && --depth == 0)
            break;
        if (depth == 0)
            return false;
    }
    if (at + 1 != text.len)
        return false;
    em_strbuf_add(&r->out, em_slice_sub(text, 1, at));
    r->rest = (em_slice){0};
    return true;
}

/* div > text() */
static bool read_text_of(form_reader *r)
{
    static const char behind[] = "text()";
    if (!em_slice_ends(r->rest, em_slice_of(behind)))
        return false;
    em_slice before = em_slice_sub(r->rest, 0, r->rest.len - (sizeof behind - 1));
    while (before.len > 0 && em_is_one_of(before.ptr[before.len - 1], " />:"))
        before.len--;
    em_strbuf_add(&r->out, before);
    r->rest = (em_slice){0};
    return before.len > 0;
}

static const struct {
    bool (*read)(form_reader *r);
    const char *reason;
    em_widening widening;
} forms[] = {
    {read_calls, "this is a call: the selector stands alone, without it", EM_WIDENS_NOT},
    {read_css_engine, "'css=' is no part of a selector", EM_WIDENS_NOT},
    {read_text_engine,
     "this is no selector: text is asked for with ':contains()', or in any case "
     "with ':icontains()'",
     EM_WIDENS_NOT},
    {read_xpath, "this is XPath: a CSS selector is wanted", EM_WIDENS_NOT},
    {read_attr, "an attribute stands in brackets, an id behind '#', a class behind '.'",
     EM_WIDENS_NOT},
    {read_tag,
     "this is a tag: a selector has its name, '#' and its id, '.' and its class, and other "
     "attributes in brackets",
     EM_WIDENS_NOT},
    {read_enclosed, "a selector stands without parentheses around it", EM_WIDENS_NOT},
    {read_text_of, "'text()' is XPath: setText sets the text of the element itself", EM_WIDENS},
};

em_status em_parse_other_form(em_parser *parser)
{
    em_slice text = parser->scan.text;
    size_t end = em_css_trimmed_end(text), start = 0;
    while (start < end && em_ascii_blank(text.ptr[start]))
        start++;
    for (size_t i = 0; i < sizeof forms / sizeof *forms; i++) {
        EM_AUTO(form_reader)
        r = {.rest = em_slice_sub(text, start, end),
             .arena = parser->arena,
             .widening = forms[i].widening};
        bool is_read = r.rest.len > 0 && forms[i].read(&r) && r.rest.len == 0;
        if (r.out.failed)
            return EM_E_NOMEM;
        if (!is_read)
            continue;
        em_slice made = em_strbuf_slice(&r.out);
        em_parse_mend(parser, start, end, "%.*s", (int)made.len, made.ptr);
        em_parse_widens(parser, r.widening);
        return em_parse_fail(parser, start, "%s", forms[i].reason);
    }
    return EM_OK;
}

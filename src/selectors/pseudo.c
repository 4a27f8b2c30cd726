/* pseudo.c: pseudo-classes: which there are, what stands in their parentheses, and why
 * others are none.
 *
 * Many are defined by another selector, in the words of HTML; these are compiled where they are
 * met, and no other file knows of them.
 */
#include "selectors/parser.h"

#include "selectors/ascii.h"

typedef enum argument {
    ARGUMENT_NONE,
    ARGUMENT_DEFINED, /* none: `text` is what it stands for */
    ARGUMENT_LIST,
    ARGUMENT_RELATIVE,
    ARGUMENT_NTH,
    ARGUMENT_NTH_OF,
    ARGUMENT_TEXT,
    ARGUMENT_LANGUAGES,
    ARGUMENT_DIRECTION,
    ARGUMENT_NO_NUMBER, /* a position */
    ARGUMENT_NUMBER,    /* a position with a number */
} argument;

typedef struct pseudo {
    const char *name; /* one that begins with "--" is for definitions alone */
    argument argument;
    em_simple_kind kind;
    const char *text;
    bool flag; /* negated, from the end, or in any case */
    em_position_kind position;
} pseudo;

#define FIELDS "button, input, select, textarea, fieldset"
#define CHECKABLE "input:is([type=checkbox], [type=radio])"
#define NO_TEXT                                                                                    \
    "[type=hidden], [type=range], [type=color], [type=checkbox], [type=radio], [type=file], "      \
    "[type=submit], [type=image], [type=reset], [type=button]"
#define DATES "[type=date], [type=month], [type=week], [type=time], [type=datetime-local]"
/* A select that shows its first option, since none is marked. */
#define UNMARKED                                                                                   \
    "select:not([multiple], [size]:not([size='0'], [size='1'], [size='']), "                       \
    ":has(option[selected]))"
/* Of the options that are marked in a select for one the last counts, as of radio buttons. */
#define ONE "select:not([multiple])"
#define MARKED_BEHIND ":has(~ option[selected], ~ optgroup > option[selected])"
#define OVERRULED                                                                                  \
    ONE " > option" MARKED_BEHIND ", " ONE " > optgroup" MARKED_BEHIND " > option, " ONE           \
        " > optgroup > option:has(~ option[selected])"
#define CHOICE "option:enabled, optgroup:has(> option:enabled)"

static const pseudo known[] = {
    {"is", ARGUMENT_LIST, EM_SIMPLE_LIST, NULL, false, 0},
    {"where", ARGUMENT_LIST, EM_SIMPLE_LIST, NULL, false, 0},
    {"matches", ARGUMENT_LIST, EM_SIMPLE_LIST, NULL, false, 0},
    {"any", ARGUMENT_LIST, EM_SIMPLE_LIST, NULL, false, 0},
    {"-webkit-any", ARGUMENT_LIST, EM_SIMPLE_LIST, NULL, false, 0},
    {"-moz-any", ARGUMENT_LIST, EM_SIMPLE_LIST, NULL, false, 0},
    {"not", ARGUMENT_LIST, EM_SIMPLE_LIST, NULL, true, 0},
    {"has", ARGUMENT_RELATIVE, EM_SIMPLE_HAS, NULL, false, 0},

    {"first-child", ARGUMENT_DEFINED, 0, ":nth-child(1)", false, 0},
    {"last-child", ARGUMENT_DEFINED, 0, ":nth-last-child(1)", false, 0},
    {"only-child", ARGUMENT_DEFINED, 0, ":nth-child(1):nth-last-child(1)", false, 0},
    {"nth-child", ARGUMENT_NTH_OF, EM_SIMPLE_NTH_CHILD, NULL, false, 0},
    {"nth-last-child", ARGUMENT_NTH_OF, EM_SIMPLE_NTH_CHILD, NULL, true, 0},
    {"first-of-type", ARGUMENT_DEFINED, 0, ":nth-of-type(1)", false, 0},
    {"last-of-type", ARGUMENT_DEFINED, 0, ":nth-last-of-type(1)", false, 0},
    {"only-of-type", ARGUMENT_DEFINED, 0, ":nth-of-type(1):nth-last-of-type(1)", false, 0},
    {"nth-of-type", ARGUMENT_NTH, EM_SIMPLE_NTH_OF_TYPE, NULL, false, 0},
    {"nth-last-of-type", ARGUMENT_NTH, EM_SIMPLE_NTH_OF_TYPE, NULL, true, 0},
    {"empty", ARGUMENT_NONE, EM_SIMPLE_EMPTY, NULL, false, 0},
    {"root", ARGUMENT_NONE, EM_SIMPLE_ROOT, NULL, false, 0},
    {"scope", ARGUMENT_NONE, EM_SIMPLE_ROOT, NULL, false, 0},

    {"contains", ARGUMENT_TEXT, EM_SIMPLE_CONTAINS, NULL, false, 0},
    {"icontains", ARGUMENT_TEXT, EM_SIMPLE_CONTAINS, NULL, true, 0},
    {"lang", ARGUMENT_LANGUAGES, EM_SIMPLE_LANG, NULL, false, 0},
    {"dir", ARGUMENT_DIRECTION, EM_SIMPLE_DIR, NULL, false, 0},

    {"link", ARGUMENT_DEFINED, 0, ":is(a, area)[href], a[xlink\\:href]", false, 0},
    {"any-link", ARGUMENT_DEFINED, 0, ":link", false, 0},
    {"disabled", ARGUMENT_DEFINED, 0,
     ":is(" FIELDS ", optgroup, option)[disabled], optgroup[disabled] > option,"
     "fieldset[disabled] > :is(" FIELDS "),"
     "fieldset[disabled] > :not(:nth-child(1 of legend)) :is(" FIELDS ")",
     false, 0},
    {"enabled", ARGUMENT_DEFINED, 0, ":is(" FIELDS ", optgroup, option):not(:disabled)", false, 0},
    {"checked", ARGUMENT_DEFINED, 0,
     "input[type=checkbox][checked], input[type=radio][checked]:not(:--overruled-radio), :selected",
     false, 0},
    {"selected", ARGUMENT_DEFINED, 0,
     "option[selected]:not(" OVERRULED "), " UNMARKED " > option:nth-child(1 of " CHOICE
     ")," UNMARKED " > optgroup:nth-child(1 of " CHOICE ") > option:nth-child(1 of :enabled)",
     false, 0},
    {"default", ARGUMENT_DEFINED, 0, CHECKABLE "[checked], option[selected], :--default-button",
     false, 0},
    {"indeterminate", ARGUMENT_DEFINED, 0,
     "progress:not([value]), input[type=radio]:--undecided-radio", false, 0},
    {"required", ARGUMENT_DEFINED, 0,
     ":is(select, textarea)[required], input[required]:not([type=hidden], [type=range],"
     "[type=color], [type=submit], [type=image], [type=reset], [type=button])",
     false, 0},
    {"optional", ARGUMENT_DEFINED, 0, ":is(input, select, textarea):not(:required)", false, 0},
    {"read-write", ARGUMENT_DEFINED, 0,
     "input:not([readonly], :disabled, " NO_TEXT "), textarea:not([readonly], :disabled),"
     ":--editable:not(input, textarea)",
     false, 0},
    {"read-only", ARGUMENT_DEFINED, 0, ":not(:read-write)", false, 0},
    {"placeholder-shown", ARGUMENT_DEFINED, 0,
     "input[placeholder]:not(" NO_TEXT ", " DATES "):is(:not([value]), [value='']),"
     "textarea[placeholder]:empty",
     false, 0},
    {"open", ARGUMENT_DEFINED, 0, ":is(details, dialog)[open]", false, 0},
    {"--editable", ARGUMENT_NONE, EM_SIMPLE_EDITABLE, NULL, false, 0},
    {"--default-button", ARGUMENT_NONE, EM_SIMPLE_DEFAULT_BUTTON, NULL, false, 0},
    {"--undecided-radio", ARGUMENT_NONE, EM_SIMPLE_UNDECIDED_RADIO, NULL, false, 0},
    {"--overruled-radio", ARGUMENT_NONE, EM_SIMPLE_OVERRULED_RADIO, NULL, false, 0},

    {"header", ARGUMENT_DEFINED, 0, "h1, h2, h3, h4, h5, h6", false, 0},
    {"parent", ARGUMENT_DEFINED, 0, ":not(:empty)", false, 0},
    {"button", ARGUMENT_DEFINED, 0, "button, input[type=button]", false, 0},
    {"input", ARGUMENT_DEFINED, 0, "input, textarea, select, button", false, 0},
    {"text", ARGUMENT_DEFINED, 0, "input:is(:not([type]), [type=''], [type=text])", false, 0},
    {"password", ARGUMENT_DEFINED, 0, "[type=password]", false, 0},
    {"checkbox", ARGUMENT_DEFINED, 0, "[type=checkbox]", false, 0},
    {"radio", ARGUMENT_DEFINED, 0, "[type=radio]", false, 0},
    {"file", ARGUMENT_DEFINED, 0, "[type=file]", false, 0},
    {"submit", ARGUMENT_DEFINED, 0, "[type=submit]", false, 0},
    {"image", ARGUMENT_DEFINED, 0, "[type=image]", false, 0},
    {"reset", ARGUMENT_DEFINED, 0, "[type=reset]", false, 0},

    {"first", ARGUMENT_NO_NUMBER, 0, NULL, false, EM_POSITION_FIRST},
    {"last", ARGUMENT_NO_NUMBER, 0, NULL, false, EM_POSITION_LAST},
    {"even", ARGUMENT_NO_NUMBER, 0, NULL, false, EM_POSITION_EVEN},
    {"odd", ARGUMENT_NO_NUMBER, 0, NULL, false, EM_POSITION_ODD},
    {"eq", ARGUMENT_NUMBER, 0, NULL, false, EM_POSITION_EQUAL},
    {"nth", ARGUMENT_NUMBER, 0, NULL, false, EM_POSITION_EQUAL},
    {"lt", ARGUMENT_NUMBER, 0, NULL, false, EM_POSITION_LESS},
    {"gt", ARGUMENT_NUMBER, 0, NULL, false, EM_POSITION_GREATER},
};
enum { KNOWN = sizeof known / sizeof *known };

static const pseudo *find_known(em_slice name)
{
    for (size_t i = 0; i < KNOWN; i++)
        if (em_ascii_is(name, known[i].name))
            return &known[i];
    return NULL;
}

/* ---- What is no pseudo-class here ------------------------------------------------------------ */

typedef enum refusal {
    REFUSED_USER,    /* depends on what a user did */
    REFUSED_LAYOUT,  /* on what a browser shows */
    REFUSED_ELEMENT, /* a pseudo-element */
    REFUSED_SHADOW,
    REFUSED_TEXT, /* another tool's way to say :contains() */
} refusal;

static const struct {
    const char *name;
    refusal why;
} refused[] = {
    {"hover", REFUSED_USER},
    {"active", REFUSED_USER},
    {"focus", REFUSED_USER},
    {"focus-visible", REFUSED_USER},
    {"focus-within", REFUSED_USER},
    {"visited", REFUSED_USER},
    {"target", REFUSED_USER},
    {"target-within", REFUSED_USER},
    {"local-link", REFUSED_USER},
    {"valid", REFUSED_USER},
    {"invalid", REFUSED_USER},
    {"user-valid", REFUSED_USER},
    {"user-invalid", REFUSED_USER},
    {"in-range", REFUSED_USER},
    {"out-of-range", REFUSED_USER},
    {"blank", REFUSED_USER},
    {"autofill", REFUSED_USER},
    {"-webkit-autofill", REFUSED_USER},
    {"playing", REFUSED_USER},
    {"paused", REFUSED_USER},
    {"muted", REFUSED_USER},
    {"seeking", REFUSED_USER},
    {"buffering", REFUSED_USER},
    {"stalled", REFUSED_USER},
    {"current", REFUSED_USER},
    {"past", REFUSED_USER},
    {"future", REFUSED_USER},
    {"fullscreen", REFUSED_LAYOUT},
    {"modal", REFUSED_LAYOUT},
    {"popover-open", REFUSED_LAYOUT},
    {"picture-in-picture", REFUSED_LAYOUT},
    {"visible", REFUSED_LAYOUT},
    {"hidden", REFUSED_LAYOUT},
    {"animated", REFUSED_LAYOUT},
    {"defined", REFUSED_LAYOUT},
    {"nth-col", REFUSED_LAYOUT},
    {"nth-last-col", REFUSED_LAYOUT},
    {"before", REFUSED_ELEMENT},
    {"after", REFUSED_ELEMENT},
    {"first-line", REFUSED_ELEMENT},
    {"first-letter", REFUSED_ELEMENT},
    {"host", REFUSED_SHADOW},
    {"host-context", REFUSED_SHADOW},
    {"has-text", REFUSED_TEXT},
    {"text-is", REFUSED_TEXT},
    {"text-matches", REFUSED_TEXT},
    {"-soup-contains", REFUSED_TEXT},
    {"-soup-contains-own", REFUSED_TEXT},
};

static const char *const reasons[] = {
    [REFUSED_USER] = "':%.*s' depends on what happens in a browser, a file does not tell it",
    [REFUSED_LAYOUT] = "':%.*s' depends on what a browser shows, a file does not tell it",
    [REFUSED_ELEMENT] = "':%.*s' is a pseudo-element: it stands for nothing in the file",
    [REFUSED_SHADOW] = "':%.*s' is for shadow trees, a file has none",
    [REFUSED_TEXT] = "there is no pseudo-class ':%.*s': text is asked for with ':contains()'",
};

/* What frameworks put before a colon in the names of their classes. */
static bool is_variant(const em_simple *before)
{
    static const char *const words[] = {
        "sm",       "md",      "lg",          "xl",       "2xl",       "xs",        "3xl",
        "hover",    "focus",   "active",      "visited",  "disabled",  "enabled",   "checked",
        "first",    "last",    "odd",         "even",     "only",      "empty",     "open",
        "dark",     "light",   "print",       "portrait", "landscape", "rtl",       "ltr",
        "before",   "after",   "placeholder", "file",     "marker",    "selection", "target",
        "required", "invalid", "valid",       "default",  "optional",  "backdrop",  "contrast-more",
    };
    static const char *const starts[] = {
        "group-", "peer-",     "focus-", "motion-", "max-",  "min-",  "data-", "aria-", "has-",
        "not-",   "supports-", "first-", "last-",   "only-", "read-", "in-",   "nth-"};
    if (!before || before->kind != EM_SIMPLE_CLASS)
        return false;
    em_slice name = before->name;
    const char *colon = memrchr(name.ptr, ':', name.len);
    if (colon)
        name = em_slice_from(name, (size_t)(colon - name.ptr) + 1);
    for (size_t i = 0; i < sizeof words / sizeof *words; i++)
        if (em_slice_is(name, words[i]))
            return true;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++)
        if (em_slice_starts(name, em_slice_of(starts[i])))
            return true;
    return false;
}

/* The end of the arguments that begin at the scanner; where it is, if none do. */
static size_t arguments_end(const em_parser *parser)
{
    size_t at = parser->scan.at;
    if (em_scan_peek(&parser->scan, 0) != '(')
        return at;
    size_t close = em_parse_closing(parser, at);
    return close == EM_NPOS ? em_css_trimmed_end(parser->scan.text) : close + 1;
}

static em_status fail_refused(em_parser *parser, const em_simple *before, size_t colon,
                              em_slice name, refusal why)
{
    if (why == REFUSED_TEXT)
        em_parse_mend(parser, colon, parser->scan.at, ":contains");
    else if (before) {
        em_parse_mend(parser, colon, arguments_end(parser), "%s", "");
        em_parse_widens(parser, EM_WIDENS);
    }
    return em_parse_fail(parser, colon, reasons[why], EM_SHOWN(name));
}

/* The name of which this is the beginning, up to a hyphen: "first-of" of "first-of-type". */
static const char *completed(em_slice name)
{
    for (size_t i = 0; i < KNOWN; i++) {
        em_slice whole = em_slice_of(known[i].name);
        if (name.len > 3 && name.len < whole.len && whole.ptr[name.len] == '-' &&
            em_same_in_any_case(name, em_slice_sub(whole, 0, name.len)))
            return known[i].name;
    }
    return NULL;
}

static em_status fail_unknown(em_parser *parser, const em_simple *before, size_t colon,
                              em_slice name)
{
    const char *names[KNOWN + 1];
    size_t count = 0;
    for (size_t i = 0; i < KNOWN; i++)
        if (known[i].name[1] != '-')
            names[count++] = known[i].name;
    names[count] = NULL;
    bool class = before && before->kind == EM_SIMPLE_CLASS;
    const char *nearest = em_parse_nearest(parser, name, names);
    if (!nearest && !class)
        nearest = completed(name);
    if (class && !nearest)
        return em_parse_fail_sign(parser, colon);
    if (nearest)
        em_parse_mend(parser, colon + 1, parser->scan.at, "%s", nearest);
    return em_parse_fail(parser, colon, "there is no pseudo-class ':%.*s'", EM_SHOWN(name));
}

static em_status fail_no_class(em_parser *parser, const em_simple *before, size_t colon,
                               em_slice name)
{
    if (is_variant(before))
        return em_parse_fail_sign(parser, colon);
    for (size_t i = 0; i < sizeof refused / sizeof *refused; i++)
        if (em_ascii_is(name, refused[i].name))
            return fail_refused(parser, before, colon, name, refused[i].why);
    return fail_unknown(parser, before, colon, name);
}

/* ---- Arguments ------------------------------------------------------------------------------- */

/* The pseudo-class that is being read. */
typedef struct reading {
    const pseudo *row;
    size_t colon;
    em_slice name; /* as it was written */
} reading;

static em_status parse_list(em_parser *parser, const reading *read, em_simple *simple)
{
    bool relative = read->row->argument == ARGUMENT_RELATIVE;
    simple->negated = read->row->flag;
    EM_TRY(em_parse_list(parser, relative, &simple->list));
    if (relative || !simple->list.plain)
        EM_TRY(em_parse_slot(parser, &simple->slot));
    return em_parse_close(parser, read->row->name);
}

/* "of S", behind An+B. */
static em_status parse_of(em_parser *parser, const reading *read, em_simple *simple)
{
    em_scanner *scan = &parser->scan;
    size_t start = scan->at;
    em_slice word;
    if (em_scan_peek(scan, 0) == ')' || em_scan_peek(scan, 0) == EM_SCAN_END)
        return EM_OK;
    EM_TRY(em_scan_identifier(scan, parser->arena, &word));
    if (!em_ascii_is(word, "of"))
        return em_parse_fail(parser, start, "only 'of' and a selector can follow here");
    if (read->row->argument == ARGUMENT_NTH_OF) {
        em_scan_blanks(scan);
        if (em_scan_peek(scan, 0) == ')')
            em_parse_mend(parser, start, scan->at, "%s", "");
        return em_parse_list(parser, false, &simple->list);
    }
    return em_parse_fail(parser, start, "':%s()' takes no 'of': ':nth-child()' does",
                         read->row->name);
}

static em_status parse_nth(em_parser *parser, const reading *read, em_simple *simple)
{
    simple->nth.from_end = read->row->flag;
    EM_TRY(em_parse_slot(parser, &simple->slot));
    EM_TRY(em_parse_nth(parser, em_slice_of(read->row->name), &simple->nth));
    EM_TRY(parse_of(parser, read, simple));
    return em_parse_close(parser, read->row->name);
}

/* A string that does not end, in parentheses. */
static em_status fail_string(em_parser *parser, size_t open)
{
    size_t end = em_css_trimmed_end(parser->scan.text);
    char quote = parser->scan.text.ptr[open];
    bool closed = end > open + 1 && parser->scan.text.ptr[end - 1] == ')';
    em_parse_mend(parser, closed ? end - 1 : end, end, "%c)", quote);
    return em_parse_fail(parser, open, "the string that begins here is not closed");
}

static em_status take_string(em_parser *parser, em_slice *value)
{
    size_t start = parser->scan.at;
    em_status status = em_scan_string(&parser->scan, parser->arena, value);
    return status == EM_E_INVALID ? fail_string(parser, start) : status;
}

static bool at_quote(const em_parser *parser)
{
    int c = em_scan_peek(&parser->scan, 0);
    return c == '"' || c == '\'';
}

/* Text without quotes, up to the parenthesis that closes; blanks around it do not count. */
static em_status take_bare_text(em_parser *parser, em_slice *value)
{
    em_scanner *scan = &parser->scan;
    size_t start = scan->at, depth = 0, end;
    for (; scan->at < scan->text.len; scan->at++) {
        char c = scan->text.ptr[scan->at];
        if (c == ')' && depth == 0)
            break;
        depth += c == '(';
        depth -= c == ')';
        scan->at += c == '\\' && scan->at + 1 < scan->text.len;
    }
    for (end = scan->at; end > start && em_ascii_blank(scan->text.ptr[end - 1]);)
        end--;
    return em_scan_resolve(em_parse_source(parser, start, end), parser->arena, value);
}

static em_status parse_text(em_parser *parser, const reading *read, em_simple *simple)
{
    simple->any_case = read->row->flag;
    EM_TRY(em_parse_slot(parser, &simple->slot));
    while (em_ascii_blank(em_scan_peek(&parser->scan, 0)))
        parser->scan.at++;
    size_t start = parser->scan.at;
    bool quoted = at_quote(parser);
    EM_TRY(quoted ? take_string(parser, &simple->value) : take_bare_text(parser, &simple->value));
    if (simple->value.len == 0)
        return em_parse_fail(parser, start, "':%s()' wants the text to look for", read->row->name);
    return em_parse_close(parser, read->row->name);
}

static bool is_range_byte(int byte)
{
    return em_scan_is_name(byte) || byte == '*';
}

static em_status take_language(em_parser *parser, em_slice *range)
{
    em_scanner *scan = &parser->scan;
    if (at_quote(parser))
        return take_string(parser, range);
    size_t start = scan->at;
    while (is_range_byte(em_scan_peek(scan, 0)) || em_scan_peek(scan, 0) == '\\')
        scan->at++;
    if (scan->at == start)
        return em_parse_fail(parser, start, "':lang()' wants languages, as 'en' or 'de-CH'");
    return em_scan_resolve(em_parse_source(parser, start, scan->at), parser->arena, range);
}

static em_status parse_languages(em_parser *parser, const reading *read, em_simple *simple)
{
    size_t room = 0;
    bool more = true;
    while (more) {
        EM_TRY(em_arena_grow(parser->arena, (void **)&simple->languages, simple->language_count,
                             &room, sizeof *simple->languages));
        em_scan_blanks(&parser->scan);
        EM_TRY(take_language(parser, &simple->languages[simple->language_count]));
        simple->language_count++;
        em_scan_blanks(&parser->scan);
        more = em_scan_peek(&parser->scan, 0) == ',';
        parser->scan.at += more;
    }
    return em_parse_close(parser, read->row->name);
}

static em_status parse_direction(em_parser *parser, const reading *read, em_simple *simple)
{
    em_scan_blanks(&parser->scan);
    size_t start = parser->scan.at;
    EM_TRY(em_scan_identifier(&parser->scan, parser->arena, &simple->value));
    if (!em_ascii_is(simple->value, "ltr") && !em_ascii_is(simple->value, "rtl"))
        return em_parse_fail(parser, start, "':dir()' wants 'ltr' or 'rtl'");
    return em_parse_close(parser, read->row->name);
}

/* ---- Positions ------------------------------------------------------------------------------- */

/* Inside of a list: what says about the element what the position says about the result. */
static em_status fail_inner_position(em_parser *parser, const reading *read, long number)
{
    static const struct {
        em_position_kind kind;
        const char *text;
    } alike[] = {
        {EM_POSITION_FIRST, ":first-child"},
        {EM_POSITION_LAST, ":last-child"},
        {EM_POSITION_EVEN, ":nth-child(odd)"},
        {EM_POSITION_ODD, ":nth-child(even)"},
    };
    for (size_t i = 0; i < sizeof alike / sizeof *alike; i++)
        if (alike[i].kind == read->row->position)
            em_parse_mend(parser, read->colon, parser->scan.at, "%s", alike[i].text);
    if (read->row->position == EM_POSITION_EQUAL && number >= 0)
        em_parse_mend(parser, read->colon, parser->scan.at, ":nth-child(%ld)", number + 1);
    em_parse_widens(parser, EM_WIDENS); /* one in each list, where one of all was meant */
    return em_parse_fail(parser, read->colon,
                         "':%s' counts what the whole selector matches, so it cannot stand inside "
                         "parentheses",
                         read->row->name);
}

static em_status take_number(em_parser *parser, const reading *read, long *number)
{
    em_scanner *scan = &parser->scan;
    em_scan_blanks(scan);
    size_t start = scan->at;
    em_nth nth = {0};
    em_status status = em_parse_nth(parser, em_slice_of(read->row->name), &nth);
    if (status == EM_E_NOMEM)
        return status;
    if (status == EM_OK && nth.step == 0) {
        *number = nth.offset;
        return EM_OK;
    }
    return em_parse_fail(parser, start, "':%s()' wants a number, counted from 0", read->row->name);
}

static em_status parse_position(em_parser *parser, const reading *read,
                                em_selector_position *position)
{
    *position = (em_selector_position){.kind = read->row->position};
    if (read->row->argument == ARGUMENT_NUMBER) {
        EM_TRY(take_number(parser, read, &position->number));
        EM_TRY(em_parse_close(parser, read->row->name));
    }
    return parser->depth > 0 ? fail_inner_position(parser, read, position->number) : EM_OK;
}

/* ":not(:first)": a position that stands alone in ":not()", which is all that may be negated about
 * one. *there is false, and nothing is read, where something else is. */
static em_status parse_not_position(em_parser *parser, em_selector_position *position, bool *there)
{
    em_scanner before = parser->scan;
    reading read = {0};
    em_scan_blanks(&parser->scan);
    read.colon = parser->scan.at;
    if (em_scan_peek(&parser->scan, 0) == ':') {
        parser->scan.at++;
        EM_TRY(em_scan_identifier(&parser->scan, parser->arena, &read.name));
        read.row = find_known(read.name);
    }
    *there = read.row && read.row->position != EM_POSITION_NONE;
    if (!*there) {
        parser->scan = before;
        return EM_OK;
    }
    bool number = read.row->argument == ARGUMENT_NUMBER;
    if (number && em_scan_peek(&parser->scan, 0) != '(')
        return em_parse_fail(parser, read.colon, "':%s' wants a number in parentheses",
                             read.row->name);
    parser->scan.at += number;
    EM_TRY(parse_position(parser, &read, position));
    position->negated = true;
    return em_parse_close(parser, "not");
}

/* ---- What a colon begins --------------------------------------------------------------------- */

/* The definition is compiled in place of the name, as a list. What may be wrong about it is that it
 * is one too many. */
static em_status parse_definition(em_parser *parser, const reading *read, em_simple *simple)
{
    em_scanner outer = parser->scan;
    bool defining = parser->defining;
    parser->scan = (em_scanner){em_slice_of(read->row->text), 0};
    parser->defining = true;
    em_status status = em_parse_list(parser, false, &simple->list);
    if (status == EM_OK && !simple->list.plain)
        status = em_parse_slot(parser, &simple->slot);
    parser->scan = outer;
    parser->defining = defining;
    if (status == EM_E_INVALID)
        parser->error->at = read->colon;
    return status;
}

static em_status parse_without_arguments(em_parser *parser, const reading *read, em_simple *simple,
                                         em_selector_position *position)
{
    if (read->row->argument == ARGUMENT_NO_NUMBER)
        return parse_position(parser, read, position);
    if (read->row->argument == ARGUMENT_DEFINED)
        return parse_definition(parser, read, simple);
    if (em_ascii_is(read->name, "scope")) {
        parser->scopes++;
        parser->scope_at = read->colon;
    }
    return EM_OK;
}

static em_status parse_with_arguments(em_parser *parser, const reading *read, em_simple *simple,
                                      em_selector_position *position)
{
    bool there = false;
    parser->scan.at++;
    switch (read->row->argument) {
    case ARGUMENT_NTH:
    case ARGUMENT_NTH_OF:
        return parse_nth(parser, read, simple);
    case ARGUMENT_TEXT:
        return parse_text(parser, read, simple);
    case ARGUMENT_LANGUAGES:
        return parse_languages(parser, read, simple);
    case ARGUMENT_DIRECTION:
        return parse_direction(parser, read, simple);
    case ARGUMENT_NUMBER:
        return parse_position(parser, read, position);
    case ARGUMENT_LIST:
    case ARGUMENT_RELATIVE:
        break;
    case ARGUMENT_NONE: /* these three are read by parse_without_arguments() */
    case ARGUMENT_DEFINED:
    case ARGUMENT_NO_NUMBER:
        break;
    }
    if (read->row->flag && parser->depth == 0)
        EM_TRY(parse_not_position(parser, position, &there));
    return there ? EM_OK : parse_list(parser, read, simple);
}

/* Parentheses where there should be none, or none where there should be. */
static em_status check_parentheses(em_parser *parser, const reading *read, bool wanted)
{
    em_scanner *scan = &parser->scan;
    size_t at = scan->at, blanks = at;
    if ((em_scan_peek(scan, 0) == '(') == wanted)
        return EM_OK;
    if (!wanted && em_ascii_is(read->name, "text")) {
        em_parse_mend(parser, read->colon, at, "%s", ":contains");
        return em_parse_fail(parser, at,
                             "':text' has no parentheses behind it, it is an input for text: text "
                             "is asked for with ':contains()'");
    }
    if (!wanted) {
        em_parse_mend(parser, at, arguments_end(parser), "%s", "");
        em_parse_widens(parser, EM_WIDENS);
        return em_parse_fail(parser, at, "':%s' has no parentheses behind it", read->row->name);
    }
    while (blanks < scan->text.len && em_ascii_blank(scan->text.ptr[blanks]))
        blanks++;
    if (blanks < scan->text.len && scan->text.ptr[blanks] == '(')
        em_parse_mend(parser, at, blanks, "%s", "");
    return em_parse_fail(parser, at, "':%s' wants something in parentheses", read->row->name);
}

/* "::name": never anything in the file, but at times a pseudo-class with one colon too many. */
static em_status fail_element(em_parser *parser, const em_simple *before, size_t colon)
{
    em_slice name = {0};
    parser->scan.at++;
    if (em_scan_starts_identifier(&parser->scan))
        EM_TRY(em_scan_identifier(&parser->scan, parser->arena, &name));
    bool text = em_ascii_is(name, "text"); /* Scrapy's, and not the <input> of jQuery's :text */
    if (find_known(name) && !text)
        em_parse_mend(parser, colon, colon + 1, "%s", "");
    else if (before) {
        em_parse_mend(parser, colon, arguments_end(parser), "%s", "");
        em_parse_widens(parser, EM_WIDENS_TO_ELEMENT);
    }
    return em_parse_fail(parser, colon,
                         "'::%.*s' would be a pseudo-element, which stands for nothing in the file",
                         EM_SHOWN(name));
}

/* Behind a colon stands no name. */
static em_status fail_no_name(em_parser *parser, const em_simple *before, size_t colon)
{
    size_t behind = parser->scan.at;
    while (em_ascii_blank(em_scan_peek(&parser->scan, behind - parser->scan.at)))
        behind++;
    bool end = behind == parser->scan.text.len;
    if (before && before->kind == EM_SIMPLE_CLASS && behind == parser->scan.at && !end)
        return em_parse_fail_sign(parser, colon);
    if (end) {
        em_parse_mend(parser, colon, behind, "%s", "");
        em_parse_widens(parser, EM_WIDENS);
    } else
        em_parse_mend(parser, parser->scan.at, behind, "%s", "");
    return em_parse_fail(parser, parser->scan.at,
                         "the name of a pseudo-class is missing behind ':'");
}

em_status em_parse_pseudo(em_parser *parser, const em_simple *before, em_simple *simple,
                          em_selector_position *position)
{
    reading read = {.colon = parser->scan.at++};
    if (em_scan_peek(&parser->scan, 0) == ':')
        return fail_element(parser, before, read.colon);
    if (!em_scan_starts_identifier(&parser->scan))
        return fail_no_name(parser, before, read.colon);
    EM_TRY(em_scan_identifier(&parser->scan, parser->arena, &read.name));
    read.row = find_known(read.name);
    if (!read.row || (read.row->name[0] == '-' && read.row->name[1] == '-' && !parser->defining))
        return fail_no_class(parser, before, read.colon, read.name);
    argument wanted = read.row->argument;
    bool none =
        wanted == ARGUMENT_NONE || wanted == ARGUMENT_DEFINED || wanted == ARGUMENT_NO_NUMBER;
    EM_TRY(check_parentheses(parser, &read, !none));
    simple->kind = wanted == ARGUMENT_DEFINED ? EM_SIMPLE_LIST : read.row->kind;
    return none ? parse_without_arguments(parser, &read, simple, position)
                : parse_with_arguments(parser, &read, simple, position);
}

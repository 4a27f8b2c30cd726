/* attribute.c: "[name]", "[name=value]" and its kin, with "i" and "s". */
#include "selectors/parser.h"

#include "selectors/ascii.h"

/* Attributes whose values HTML compares in any case (HTML, "Case-sensitivity of selectors"). */
static const char *const any_case_values[] = {
    "accept",     "accept-charset", "align",     "alink",    "axis",     "bgcolor", "charset",
    "checked",    "clear",          "codetype",  "color",    "compact",  "declare", "defer",
    "dir",        "direction",      "disabled",  "enctype",  "face",     "frame",   "hreflang",
    "http-equiv", "lang",           "language",  "link",     "media",    "method",  "multiple",
    "nohref",     "noresize",       "noshade",   "nowrap",   "readonly", "rel",     "rev",
    "rules",      "scope",          "scrolling", "selected", "shape",    "target",  "text",
    "type",       "valign",         "valuetype", "vlink",
};

static bool is_any_case_value(em_slice name)
{
    for (size_t i = 0; i < sizeof any_case_values / sizeof *any_case_values; i++)
        if (em_ascii_is(name, any_case_values[i]))
            return true;
    return false;
}

static em_attr_test test_of(int sign)
{
    switch (sign) {
    case '=':
        return EM_ATTR_EQUAL;
    case '!':
        return EM_ATTR_NOT_EQUAL;
    case '~':
        return EM_ATTR_WORD;
    case '|':
        return EM_ATTR_DASH;
    case '^':
        return EM_ATTR_STARTS;
    case '$':
        return EM_ATTR_ENDS;
    case '*':
        return EM_ATTR_HOLDS;
    default:
        return EM_ATTR_THERE;
    }
}

/* Is this a string whose last sign is a bracket that closes none of its own? */
static bool ends_with_bracket(em_slice string)
{
    size_t depth = 0, last = string.len < 4 ? 0 : string.len - 2;
    bool quoted = last > 0 && (string.ptr[0] == '"' || string.ptr[0] == '\'');
    if (!quoted || string.ptr[last] != ']' || string.ptr[last - 1] == '\\')
        return false;
    for (size_t i = 1; i < last; i++) {
        depth += string.ptr[i] == '[';
        depth -= string.ptr[i] == ']' && depth > 0;
    }
    return depth == 0;
}

/* The bracket is missing at `end`, or it stands in the value before that: [a="b]". */
static void mend_bracket(em_parser *parser, em_range value, size_t end)
{
    em_slice written = em_parse_source(parser, value.start, value.end);
    if (ends_with_bracket(written))
        em_parse_mend(parser, value.end - 2, value.end, "%c]", written.ptr[0]);
    else
        em_parse_mend(parser, end, end, "%s", "]");
}

static em_status fail_unclosed(em_parser *parser, size_t open, em_range value)
{
    mend_bracket(parser, value, em_css_trimmed_end(parser->scan.text));
    return em_parse_fail(parser, open, "'[' is not closed");
}

/* What stands from here to the bracket that closes, without blanks around. Brackets in it that open
 * are closed in it: user[email]. Where then none is left for the end, it goes to the last of them.
 */
static em_slice rest_of(const em_parser *parser)
{
    size_t start = parser->scan.at, end = start, depth = 0, last = EM_NPOS;
    em_slice text = parser->scan.text;
    for (; end < text.len && (text.ptr[end] != ']' || depth > 0); end++) {
        depth += text.ptr[end] == '[';
        if (text.ptr[end] == ']') {
            depth--;
            last = end + (depth == 0);
        }
    }
    if (end == text.len && last != EM_NPOS)
        end = last;
    while (end > start && em_ascii_blank(text.ptr[end - 1]))
        end--;
    return em_slice_sub(text, start, end);
}

/* A sign that names of attributes begin with where scripts read them: Vue's @click, :class and
 * #header, Angular's (click) and *ngIf. */
static em_status fail_name_sign(em_parser *parser, int sign)
{
    size_t at = parser->scan.at;
    if (sign == '@') {
        em_parse_mend(parser, at, at + 1, "%s", "");
        parser->mend.instead = "\\@";
        return em_parse_fail(parser, at,
                             "'@' belongs to XPath: an attribute's name stands alone, or with a "
                             "backslash before an '@' of its own");
    }
    em_parse_mend(parser, at, at, "%s", "\\");
    return em_parse_fail(parser, at, "'%c' in a name needs a backslash before it", sign);
}

/* Is it the name of an element that the bracket at `open` stands behind? */
static bool follows_type(const em_parser *parser, size_t open)
{
    em_slice text = parser->scan.text;
    size_t start = open;
    while (start > 0 && em_scan_is_name((unsigned char)text.ptr[start - 1]))
        start--;
    char before = start > 0 ? text.ptr[start - 1] : ' ';
    return start < open && before != '.' && before != '#' && before != ':' && before != '\\';
}

/* No name begins with a digit. XPath counts elements of a name so: li[2]. */
static em_status fail_number(em_parser *parser, size_t open)
{
    size_t at = parser->scan.at, end = at;
    em_slice text = parser->scan.text;
    while (end < text.len && em_ascii_digit((unsigned char)text.ptr[end]))
        end++;
    em_slice number = em_slice_sub(text, at, end);
    if (end == text.len || text.ptr[end] != ']')
        return em_parse_fail(parser, at, "an attribute's name is missing behind '['");
    if (number.ptr[0] != '0' && follows_type(parser, open))
        em_parse_mend(parser, open, end + 1, ":nth-of-type(%.*s)", (int)number.len, number.ptr);
    return em_parse_fail(parser, at,
                         "an attribute's name is missing behind '[': a number there is XPath, "
                         "which is not taken; :nth-of-type(1) is the first of its name");
}

static em_status parse_attr_name(em_parser *parser, size_t open, em_slice *name)
{
    em_scanner *scan = &parser->scan;
    em_scan_blanks(scan);
    size_t start = scan->at;
    int c = em_scan_peek(scan, 0);
    if (c == EM_SCAN_END)
        return em_parse_fail(parser, open, "'[' is not closed");
    bool sign = c == '@' || c == ':' || c == '#' || c == '(' || c == '*';
    if (sign && em_scan_starts_identifier(&(em_scanner){scan->text, start + 1}))
        return fail_name_sign(parser, c);
    if (em_ascii_digit(c))
        return fail_number(parser, open);
    if (!em_scan_starts_identifier(scan) && c != '*' && c != '|')
        return em_parse_fail(parser, start, "an attribute's name is missing behind '['");
    if (em_scan_starts_identifier(scan))
        EM_TRY(em_scan_identifier(scan, parser->arena, name));
    else if (c == '*')
        scan->at++;
    if (em_scan_peek(scan, 0) == '|' && em_scan_peek(scan, 1) != '=') {
        bool prefix = scan->at > start && c != '*';
        em_parse_mend(parser, prefix ? scan->at : start, scan->at + 1, "%s", prefix ? "\\:" : "");
        return em_parse_fail(
            parser, scan->at,
            "namespaces are not supported: write the name as it stands in the page");
    }
    if (scan->at == start || c == '*')
        return em_parse_fail(parser, start, "an attribute's name is missing behind '['");
    return EM_OK;
}

/* "li[last()]" of XPath, with the scanner behind "last". */
static bool is_last_place(const em_parser *parser, size_t at)
{
    static const char last[] = "[last()]";
    enum { BEFORE = sizeof "[last" - 1, WHOLE = sizeof last - 1 };
    em_slice text = parser->scan.text;
    return at >= BEFORE && em_slice_starts(em_slice_from(text, at - BEFORE), em_slice_of(last)) &&
           follows_type(parser, at - BEFORE);
}

/* Behind the name, or "name op": neither a sign nor the end. */
static em_status fail_operator(em_parser *parser)
{
    em_scanner *scan = &parser->scan;
    size_t at = scan->at;
    int c = em_scan_peek(scan, 0);
    bool in_name = c == '.' || c == '@' || c == '(' || c == ')' ||
                   (c == ':' && em_scan_is_name(em_scan_peek(scan, 1)));
    if (is_last_place(parser, at)) {
        em_parse_mend(parser, at - (sizeof "[last" - 1), at + sizeof "()]" - 1, ":last-of-type");
        return em_parse_fail(parser, at,
                             "'=', another operator or ']' is missing: last() there is XPath, "
                             "which is not taken; :last-of-type is the last of its name");
    }
    if (in_name)
        em_parse_mend(parser, at, at, "%s", "\\");
    else if (c == ':')
        em_parse_mend(parser, at, at + 1, "%s", "=");
    else if (c == '"' || c == '\'')
        em_parse_mend(parser, at, at, "%s", "=");
    return em_parse_fail(parser, at, "'=', another operator or ']' is missing");
}

/* The operator, if there is one. */
static em_status parse_operator(em_parser *parser, em_attr_test *test)
{
    em_scanner *scan = &parser->scan;
    int c = em_scan_peek(scan, 0);
    *test = test_of(c);
    if (*test == EM_ATTR_THERE)
        return c == ']' || c == EM_SCAN_END ? EM_OK : fail_operator(parser);
    scan->at++;
    if (*test != EM_ATTR_EQUAL && em_scan_peek(scan, 0) != '=') {
        int next = em_scan_peek(scan, 0);
        if (next == '"' || next == '\'')
            em_parse_mend(parser, scan->at, scan->at, "%s", "=");
        return em_parse_fail(parser, scan->at, "'=' is missing behind '%c'", c);
    }
    scan->at += *test != EM_ATTR_EQUAL;
    if (em_scan_peek(scan, 0) != '=')
        return EM_OK;
    size_t end = scan->at;
    while (end < scan->text.len && scan->text.ptr[end] == '=')
        end++;
    em_parse_mend(parser, scan->at, end, "%s", "");
    return em_parse_fail(parser, scan->at, "one '=' is enough");
}

/* A string that does not end: it is closed before the signs that close what is open around it. */
static em_status fail_string(em_parser *parser, size_t open)
{
    size_t end = em_css_trimmed_end(parser->scan.text), at = end;
    em_slice text = parser->scan.text;
    while (at > open + 1 && text.ptr[at - 1] != ']')
        at--;
    char quote = text.ptr[open], other = quote == '"' ? '\'' : '"';
    bool is_other = at > open + 2 && text.ptr[at - 2] == other &&
                    !em_slice_has_byte(em_slice_sub(text, open + 1, at - 2), other);
    if (is_other) /* the wrong quote closes it */
        em_parse_mend(parser, at - 2, at - 1, "%c", quote);
    else if (at > open + 1)
        em_parse_mend(parser, at - 1, at - 1, "%c", quote);
    else
        em_parse_mend(parser, end, end, "%c]", quote);
    return em_parse_fail(parser, open, "the string that begins here is not closed");
}

static em_slice without_curly_quotes(em_slice text)
{
    static const char *const quotes[] = {"\u201C", "\u201D", "\u2018", "\u2019"};
    for (size_t i = 0; i < sizeof quotes / sizeof *quotes; i++) {
        em_slice quote = em_slice_of(quotes[i]);
        if (em_slice_starts(text, quote))
            text = em_slice_from(text, quote.len);
        if (text.len >= quote.len && em_slice_eq(em_slice_from(text, text.len - quote.len), quote))
            text.len -= quote.len;
    }
    return text;
}

/* A value that needs quotes, and all that stands with it. */
static em_status fail_value(em_parser *parser, size_t start, const char *reason)
{
    size_t at = parser->scan.at;
    parser->scan.at = start;
    em_slice rest = rest_of(parser), bare = without_curly_quotes(rest);
    char quote = em_slice_has_byte(bare, '"') ? '\'' : '"';
    if (!em_slice_has_byte(bare, '\n') && !em_slice_has_byte(bare, '\\'))
        em_parse_mend(parser, start, start + rest.len, "%c%.*s%c", quote, (int)bare.len, bare.ptr,
                      quote);
    return em_parse_fail(parser, at, "%s", reason);
}

static em_status parse_value(em_parser *parser, em_slice *value)
{
    em_scanner *scan = &parser->scan;
    em_scan_blanks(scan);
    size_t start = scan->at;
    int c = em_scan_peek(scan, 0);
    if (c == '"' || c == '\'') {
        em_status status = em_scan_string(scan, parser->arena, value);
        return status == EM_E_INVALID ? fail_string(parser, start) : status;
    }
    if (c == ']' || c == EM_SCAN_END)
        return fail_value(parser, start, "a value is missing behind '='");
    em_slice rest = rest_of(parser);
    if (without_curly_quotes(rest).len < rest.len)
        return fail_value(parser, start, "only straight quotes enclose a value");
    if (!em_scan_starts_identifier(scan))
        return fail_value(parser, start, "this value needs quotes");
    EM_TRY(em_scan_identifier(scan, parser->arena, value));
    c = em_scan_peek(scan, 0);
    bool comment = c == '/' && em_scan_peek(scan, 1) == '*';
    if (c != ']' && c != EM_SCAN_END && !em_ascii_blank(c) && !comment)
        return fail_value(parser, start, "this value needs quotes");
    return EM_OK;
}

/* What cannot stand behind a value. `start`: where the value begins. */
static em_status fail_behind_value(em_parser *parser, size_t start)
{
    em_scanner *scan = &parser->scan;
    size_t at = scan->at;
    int first = em_scan_peek(&(em_scanner){scan->text, start}, 0);
    bool quoted = first == '"' || first == '\'';
    size_t cut = at;
    while (cut > start && em_ascii_blank(scan->text.ptr[cut - 1]))
        cut--;
    if (quoted && !memchr(scan->text.ptr + at, ']', scan->text.len - at)) {
        mend_bracket(parser, (em_range){start, cut}, cut);
        return em_parse_fail(parser, at, "']' is missing behind the value");
    }
    if (em_slice_has_byte(rest_of(parser), '=')) {
        bool and = em_scan_peek(scan, 0) == ',' || em_scan_peek(scan, 0) == '&';
        while (and&&(em_scan_peek(scan, 0) == ',' || em_scan_peek(scan, 0) == '&'))
            scan->at++;
        em_scan_blanks(scan);
        em_parse_mend(parser, cut, scan->at, "%s", "][");
        return em_parse_fail(parser, at, "each attribute stands in brackets of its own");
    }
    if (!quoted)
        return fail_value(parser, start, "this value needs quotes");
    return em_parse_fail(parser, at, "']' is missing behind the value");
}

/* "i" or "s" behind a value, and then the end. `start`: where the value begins. */
static em_status parse_flag(em_parser *parser, size_t start, em_letter_case *letters)
{
    em_scanner *scan = &parser->scan;
    em_scan_blanks(scan);
    int c = em_scan_peek(scan, 0);
    bool flag = em_ascii_letter(c) && !em_scan_is_name(em_scan_peek(scan, 1)) &&
                em_scan_peek(scan, 1) != '\\';
    if (flag && (c == 'i' || c == 'I'))
        *letters = EM_CASE_IGNORED;
    if (flag && (c == 's' || c == 'S'))
        *letters = EM_CASE_KEPT;
    if (*letters != EM_CASE_BY_NAME) {
        scan->at++;
        em_scan_blanks(scan);
    }
    c = em_scan_peek(scan, 0);
    return c == ']' || c == EM_SCAN_END ? EM_OK : fail_behind_value(parser, start);
}

em_status em_parse_attribute(em_parser *parser, em_simple *simple)
{
    em_scanner *scan = &parser->scan;
    em_range value = {0, 0};
    size_t open = scan->at++;
    EM_TRY(parse_attr_name(parser, open, &simple->name));
    em_scan_blanks(scan);
    EM_TRY(parse_operator(parser, &simple->test));
    if (simple->test != EM_ATTR_THERE) {
        em_scan_blanks(scan);
        value.start = scan->at;
        EM_TRY(parse_value(parser, &simple->value));
        value.end = scan->at;
        EM_TRY(parse_flag(parser, value.start, &simple->letters));
    }
    if (em_scan_peek(scan, 0) == EM_SCAN_END)
        return fail_unclosed(parser, open, value);
    scan->at++;
    simple->listed_value = is_any_case_value(simple->name);
    return EM_OK;
}

/* parse.c: lists, complex and compound selectors, as Selectors Level 4 has them. */
#include "selectors/parser.h"

#include "selectors/ascii.h"

#include <string.h>

enum { MOST_SETS = 256 };

/* ---- Saying what is wrong -------------------------------------------------------------------- */

em_status em_parse_slot(em_parser *parser, size_t *slot)
{
    if (parser->slots == MOST_SETS)
        return em_parse_fail(parser, parser->scan.at, "the selector has too many pseudo-classes");
    *slot = parser->slots++;
    return EM_OK;
}

/* These bytes are meant as a part of a name. */
static void mend_escaped(em_parser *parser, size_t start, size_t end)
{
    char *escaped = em_css_escape(em_parse_source(parser, start, end), parser->arena);
    parser->no_memory |= !escaped;
    em_parse_mend(parser, start, end, "%s", escaped ? escaped : "");
}

/* Frameworks write values into the names of classes, in brackets or parentheses: ".w-[50%]". */
static void mend_enclosed(em_parser *parser, size_t open)
{
    size_t close = em_parse_closing(parser, open);
    size_t end = close == EM_NPOS ? em_css_trimmed_end(parser->scan.text) : close + 1;
    mend_escaped(parser, open, end);
}

/* Does a class that ends in '-' stand right before `open`? */
static bool goes_on(const em_parser *parser, const em_simple *before, size_t open)
{
    return before && before->kind == EM_SIMPLE_CLASS && parser->scan.text.ptr[open - 1] == '-';
}

/* What cannot follow a simple selector that stands right before it. */
static em_status fail_unexpected(em_parser *parser, const em_simple *before)
{
    em_scanner *scan = &parser->scan;
    size_t at = scan->at, next = at + 1;
    int c = em_scan_peek(scan, 0);
    if (c == EM_SCAN_END)
        return em_parse_fail(parser, at, "a selector is missing here");
    bool name = before && (before->kind == EM_SIMPLE_CLASS || before->kind == EM_SIMPLE_ID);
    switch (c) {
    case '{':
        em_parse_mend(parser, at, scan->text.len, "%s", "");
        return em_parse_fail(parser, at, "only the selector of a rule is wanted, not its block");
    case '<':
        return em_parse_fail(parser, at, "'<' is no combinator and begins no selector");
    case '&':
        em_parse_mend(parser, at, next, "%s", name ? "\\&" : "");
        em_parse_widens(parser, name ? EM_WIDENS_NOT : EM_WIDENS);
        return em_parse_fail(parser, at, "'&' means something only inside a style sheet's rules");
    case ')':
    case ']':
    case ';':
        em_parse_mend(parser, at, next, "%s", "");
        return em_parse_fail(
            parser, at, c == ';' ? "a selector does not end with '%c'" : "nothing opens this '%c'",
            c);
    default:
        break;
    }
    if (c == '(' && goes_on(parser, before, at))
        mend_enclosed(parser, at);
    if (!name || c == '"' || c == '\'' || c == '(')
        return em_parse_fail(parser, at, "'%c' cannot stand here", c);
    if (c != '\\' || next < scan->text.len)
        return em_parse_fail_sign(parser, at);
    em_parse_mend(parser, at, next, "%s", "");
    return em_parse_fail(parser, at, "'%c' needs a sign behind it", c);
}

/* ---- Compounds ------------------------------------------------------------------------------- */

/* A compound that is being read, with where it may end: in a list inside of parentheses there are
 * no positions. */
typedef struct reading {
    em_compound compound;
    size_t room;
    em_selector_position position; /* that ended it; EM_POSITION_NONE: none did */
} reading;

static em_status add_simple(em_parser *parser, reading *read, const em_simple *simple)
{
    EM_TRY(em_arena_grow(parser->arena, (void **)&read->compound.items, read->compound.count,
                         &read->room, sizeof *simple));
    read->compound.items[read->compound.count++] = *simple;
    return EM_OK;
}

/* The simple selector that ends right here; NULL: there is none. */
static const em_simple *touching(const em_parser *parser, const reading *read)
{
    const em_simple *last =
        read->compound.count > 0 ? &read->compound.items[read->compound.count - 1] : NULL;
    return last && last->source.end == parser->scan.at && last->source.end > last->source.start
               ? last
               : NULL;
}

/* Where what stands before the blanks before that place ends. */
static size_t end_before(em_slice text, size_t at)
{
    while (at > 0 && em_ascii_blank(text.ptr[at - 1]))
        at--;
    return at;
}

/* Is the sign there, with blanks around it, between two selectors? */
static bool stands_between(em_slice text, size_t at)
{
    size_t before = end_before(text, at), behind = at + 1;
    return before > 0 && before < at && !strchr(">+~,(", text.ptr[before - 1]) &&
           behind < em_css_trimmed_end(text) && em_ascii_blank(text.ptr[behind]);
}

/* "h1 | h2", as XPath and others have it. */
static em_status fail_alternative(em_parser *parser, size_t bar)
{
    em_parse_mend(parser, end_before(parser->scan.text, bar), bar + 1, "%s", ",");
    return em_parse_fail(parser, bar, "'|' is no combinator: a ',' stands between alternatives");
}

/* "svg|a", "*|a", "|a" with the scanner at the bar; `start`: where the prefix begins. */
static em_status fail_namespace(em_parser *parser, const reading *read, size_t start)
{
    size_t bar = parser->scan.at;
    if (em_scan_peek(&parser->scan, 1) == '|')
        return em_parse_fail(parser, bar, "columns ('||') are not supported");
    if (start == bar && stands_between(parser->scan.text, bar))
        return fail_alternative(parser, bar);
    const em_simple *before = touching(parser, read);
    if (before && (before->kind == EM_SIMPLE_CLASS || before->kind == EM_SIMPLE_ID))
        return em_parse_fail_sign(parser, bar);
    em_parse_mend(parser, start, bar + 1, "%s", "");
    em_parse_widens(parser, EM_WIDENS);
    return em_parse_fail(parser, bar, "namespaces are not supported: write the name alone");
}

static em_status fail_late_type(em_parser *parser, const reading *read, em_slice name, size_t start)
{
    const em_compound *compound = &read->compound;
    em_slice front = em_parse_source(parser, compound->source.start, start);
    em_slice written = em_parse_source(parser, start, parser->scan.at);
    em_simple_kind first = compound->items[0].kind;
    if (first == EM_SIMPLE_ANY)
        em_parse_mend(parser, compound->source.start, compound->source.start + 1, "%s", "");
    else if (first != EM_SIMPLE_TYPE && first != EM_SIMPLE_KEPT)
        em_parse_mend(parser, compound->source.start, parser->scan.at, "%.*s%.*s", (int)written.len,
                      written.ptr, (int)front.len, front.ptr);
    return em_parse_fail(parser, start, "the type '%.*s' must stand first, or behind a blank",
                         EM_SHOWN(name));
}

static em_status parse_type(em_parser *parser, reading *read)
{
    size_t start = parser->scan.at;
    em_simple simple = {.kind = EM_SIMPLE_TYPE};
    EM_TRY(em_scan_identifier(&parser->scan, parser->arena, &simple.name));
    if (em_scan_peek(&parser->scan, 0) == '|')
        return fail_namespace(parser, read, start);
    if (read->compound.count > 0)
        return fail_late_type(parser, read, simple.name, start);
    simple.source = (em_range){start, parser->scan.at};
    return add_simple(parser, read, &simple);
}

static em_status parse_any(em_parser *parser, reading *read)
{
    size_t start = parser->scan.at++;
    em_simple simple = {.kind = EM_SIMPLE_ANY, .source = {start, start + 1}};
    if (em_scan_peek(&parser->scan, 0) == '|')
        return fail_namespace(parser, read, start);
    if (read->compound.count > 0) {
        em_parse_mend(parser, start, start + 1, "%s", "");
        return em_parse_fail(parser, start, "'*' must stand first, or behind a blank");
    }
    return add_simple(parser, read, &simple);
}

/* The bytes from here that could be a name, were they written with escapes. */
static em_slice name_run(const em_parser *parser)
{
    size_t end = parser->scan.at;
    while (end < parser->scan.text.len &&
           em_scan_is_name((unsigned char)parser->scan.text.ptr[end]))
        end++;
    return em_parse_source(parser, parser->scan.at, end);
}

/* Behind '.' or '#' stands no identifier. */
static em_status fail_name(em_parser *parser, const reading *read, size_t start)
{
    em_scanner *scan = &parser->scan;
    bool id = scan->text.ptr[start] == '#';
    scan->at = start;
    const em_simple *before = touching(parser, read);
    scan->at = start + 1;
    int c = em_scan_peek(scan, 0);
    em_slice run = name_run(parser);
    const char *what = em_slice_is(run, "-") ? "is '-' alone" : "begins with a digit";
    if (run.len > 0 && id) {
        em_parse_mend(parser, start, scan->at + run.len, "[id=\"%.*s\"]", (int)run.len, run.ptr);
        return em_parse_fail(parser, scan->at, "an id that %s cannot be written with '#'", what);
    }
    if (run.len > 0 && before && before->kind == EM_SIMPLE_CLASS &&
        em_ascii_digit(scan->text.ptr[start - 1])) {
        em_parse_mend(parser, start, start, "%s", "\\");
        return em_parse_fail(parser, start, "'.' in a name needs a backslash before it");
    }
    if (run.len > 0) {
        mend_escaped(parser, scan->at, scan->at + run.len);
        return em_parse_fail(parser, scan->at, "a class that %s needs an escape", what);
    }
    if (c == '!' || c == '@' || c == '%' || c == '$' || c == '/') {
        em_parse_mend(parser, scan->at, scan->at, "%s", "\\");
        return em_parse_fail(parser, scan->at, "'%c' in a name needs a backslash before it", c);
    }
    size_t skipped = scan->at;
    while (em_ascii_blank(em_scan_peek(scan, skipped - scan->at)))
        skipped++;
    if (skipped > scan->at && skipped < scan->text.len)
        em_parse_mend(parser, scan->at, skipped, "%s", "");
    else if (c == '[')
        mend_enclosed(parser, scan->at);
    else {
        em_parse_mend(parser, start, start + 1, "%s", "");
        em_parse_widens(parser, EM_WIDENS);
    }
    return em_parse_fail(parser, scan->at,
                         id ? "an id is missing behind '#'" : "a class is missing behind '.'");
}

static em_status parse_name(em_parser *parser, reading *read)
{
    size_t start = parser->scan.at++;
    bool id = parser->scan.text.ptr[start] == '#';
    em_simple simple = {.kind = id ? EM_SIMPLE_ID : EM_SIMPLE_CLASS};
    if (!em_scan_starts_identifier(&parser->scan))
        return fail_name(parser, read, start);
    EM_TRY(em_scan_identifier(&parser->scan, parser->arena, &simple.name));
    simple.source = (em_range){start, parser->scan.at};
    return add_simple(parser, read, &simple);
}

static em_status parse_bracket(em_parser *parser, reading *read)
{
    size_t start = parser->scan.at;
    const em_simple *before = touching(parser, read);
    em_simple simple = {.kind = EM_SIMPLE_ATTRIBUTE};
    em_status status = em_parse_attribute(parser, &simple);
    if (status == EM_E_INVALID && goes_on(parser, before, start)) {
        mend_enclosed(parser, start);
        status = em_parse_fail(parser, start, "'[' in a name needs a backslash before it");
    }
    EM_TRY(parser->no_memory ? EM_E_NOMEM : status);
    simple.source = (em_range){start, parser->scan.at};
    return add_simple(parser, read, &simple);
}

static em_status parse_colon(em_parser *parser, reading *read)
{
    size_t start = parser->scan.at;
    em_simple simple = {.kind = EM_SIMPLE_ANY};
    EM_TRY(em_parse_pseudo(parser, touching(parser, read), &simple, &read->position));
    simple.source = (em_range){start, parser->scan.at};
    if (read->position.kind == EM_POSITION_NONE)
        return add_simple(parser, read, &simple);
    read->position.source = simple.source;
    return EM_OK;
}

static em_status parse_simple(em_parser *parser, reading *read, bool *done)
{
    em_scan_comments(&parser->scan);
    switch (em_scan_peek(&parser->scan, 0)) {
    case '*':
        return parse_any(parser, read);
    case '.':
    case '#':
        return parse_name(parser, read);
    case '[':
        return parse_bracket(parser, read);
    case ':':
        return parse_colon(parser, read);
    case '|':
        return fail_namespace(parser, read, parser->scan.at);
    default:
        *done = !em_scan_starts_identifier(&parser->scan);
        return *done ? EM_OK : parse_type(parser, read);
    }
}

/* Where an alternative, or the list that it stands in, ends. */
static bool at_end(const em_parser *parser)
{
    int c = em_scan_peek(&parser->scan, 0);
    return c == EM_SCAN_END || c == ',' || (c == ')' && parser->depth > 0);
}

static bool at_combinator(const em_parser *parser)
{
    int c = em_scan_peek(&parser->scan, 0);
    return c == '>' || c == '+' || c == '~';
}

/* What cannot begin a compound. */
static em_status fail_start(em_parser *parser)
{
    em_scanner *scan = &parser->scan;
    size_t at = scan->at, end = em_css_trimmed_end(parser->scan.text);
    int c = em_scan_peek(scan, 0);
    em_slice rest = em_parse_source(parser, at, end > at ? end : at);
    if (c == '/')
        return em_parse_fail(parser, at, "this looks like XPath: a CSS selector is wanted");
    if ((c == '"' || c == '\'') && rest.len > 2 && rest.ptr[rest.len - 1] == c) {
        em_parse_mend(parser, at, end, "%.*s", (int)rest.len - 2, rest.ptr + 1);
        return em_parse_fail(parser, at, "a selector stands without quotes around it");
    }
    if (c == '<' && rest.len > 2 && rest.ptr[rest.len - 1] == '>') {
        em_parse_mend(parser, at, end, "%.*s", (int)rest.len - 2, rest.ptr + 1);
        return em_parse_fail(parser, at,
                             "this is a tag: write the name alone, without '<' and '>'");
    }
    if (em_ascii_digit(c))
        return em_parse_fail(parser, at, "a selector cannot begin with a digit");
    return fail_unexpected(parser, NULL);
}

/* From where the scanner is to the end of the compound or to a position in it. */
static em_status parse_compound(em_parser *parser, reading *read)
{
    size_t before = parser->scan.at;
    bool done = false;
    while (!done && read->position.kind == EM_POSITION_NONE)
        EM_TRY(parse_simple(parser, read, &done));
    read->compound.source.end = parser->scan.at;
    if (!done)
        return EM_OK;
    if (read->compound.count == 0)
        return fail_start(parser);
    if (!at_end(parser) && !at_combinator(parser) &&
        !em_ascii_blank(em_scan_peek(&parser->scan, 0)))
        return fail_unexpected(parser, parser->scan.at > before ? touching(parser, read) : NULL);
    return EM_OK;
}

/* ---- Complex selectors ----------------------------------------------------------------------- */

/* The stages of an alternative that are ready, and the one that is being read. */
typedef struct builder {
    em_alternative ready;
    size_t stage_room;
    em_complex complex;
    size_t part_room;
} builder;

static em_status add_part(em_parser *parser, builder *build, const em_compound *compound)
{
    EM_TRY(em_arena_grow(parser->arena, (void **)&build->complex.parts, build->complex.count,
                         &build->part_room, sizeof *compound));
    build->complex.parts[build->complex.count++] = *compound;
    return EM_OK;
}

static em_status end_stage(em_parser *parser, builder *build, em_selector_position position)
{
    em_alternative *ready = &build->ready;
    EM_TRY(em_arena_grow(parser->arena, (void **)&ready->stages, ready->count, &build->stage_room,
                         sizeof *ready->stages));
    ready->stages[ready->count++] = (em_selector_stage){build->complex, position};
    build->complex = (em_complex){0};
    build->part_room = 0;
    return EM_OK;
}

/* A compound, cut into stages where positions stand in it: "li.a:first.b" is "li.a", the first of
 * these, and of that ".b". */
static em_status read_compound(em_parser *parser, builder *build, em_combinator before, size_t from)
{
    static const em_simple kept = {.kind = EM_SIMPLE_KEPT};
    size_t start = parser->scan.at;
    reading read = {.compound = {.before = before, .from = from, .source = {start, start}}};
    EM_TRY(parse_compound(parser, &read));
    while (read.position.kind != EM_POSITION_NONE) {
        em_simple any = {.kind = EM_SIMPLE_ANY, .source = read.position.source};
        if (read.compound.count == 0)
            EM_TRY(add_simple(parser, &read, &any));
        read.compound.source.end = read.position.source.start;
        EM_TRY(add_part(parser, build, &read.compound));
        EM_TRY(end_stage(parser, build, read.position));
        start = parser->scan.at;
        read = (reading){.compound = {.from = start, .source = {start, start}}};
        EM_TRY(add_simple(parser, &read, &kept));
        EM_TRY(parse_compound(parser, &read));
    }
    return add_part(parser, build, &read.compound);
}

static em_combinator combinator_of(int c)
{
    return c == '>' ? EM_CHILD : c == '+' ? EM_NEXT : c == '~' ? EM_LATER : EM_DESCENDANT;
}

/* A combinator has been read, from `from` on: a selector must follow. */
static em_status check_behind_combinator(em_parser *parser, size_t from)
{
    size_t at = parser->scan.at;
    int c = em_scan_peek(&parser->scan, 0);
    if (at_end(parser)) {
        em_parse_mend(parser, from, at, "%s", "");
        em_parse_widens(parser, EM_WIDENS);
        return em_parse_fail(parser, from, "a selector is missing behind '%c'",
                             parser->scan.text.ptr[from]);
    }
    if (!at_combinator(parser))
        return EM_OK;
    bool piercing = c == '>' && parser->scan.text.ptr[from] == '>' && at == from + 1;
    size_t end = at + 1;
    bool parted = piercing && from > 0 && em_ascii_blank(parser->scan.text.ptr[from - 1]);
    while (piercing && end < parser->scan.text.len &&
           (parser->scan.text.ptr[end] == '>' || em_ascii_blank(parser->scan.text.ptr[end])))
        end++;
    em_parse_mend(parser, piercing ? from : at, end, "%s", piercing && !parted ? " " : "");
    em_parse_widens(parser, piercing ? EM_WIDENS_NOT : EM_WIDENS);
    return em_parse_fail(parser, at,
                         piercing ? "'>>' is no combinator" : "two combinators stand side by side");
}

/* Is there a combinator here? Past it and the blanks around it. */
static em_status parse_combinator(em_parser *parser, em_combinator *combinator, size_t *from,
                                  bool *there)
{
    em_scan_blanks(&parser->scan);
    *from = parser->scan.at;
    *there = !at_end(parser);
    *combinator = EM_DESCENDANT;
    if (!*there || !at_combinator(parser))
        return EM_OK;
    *combinator = combinator_of(em_scan_peek(&parser->scan, 0));
    parser->scan.at++;
    em_scan_blanks(&parser->scan);
    return check_behind_combinator(parser, *from);
}

/* A combinator where a selector should begin. */
static em_status fail_leading(em_parser *parser)
{
    size_t at = parser->scan.at;
    int c = em_scan_peek(&parser->scan, 0);
    parser->scan.at++;
    em_scan_blanks(&parser->scan);
    em_parse_mend(parser, at, parser->scan.at, "%s", "");
    em_parse_widens(parser, EM_WIDENS);
    return em_parse_fail(parser, at, "a selector is missing before '%c'", c);
}

static em_status parse_alternative(em_parser *parser, bool relative, em_alternative *alternative)
{
    builder build = {0};
    em_combinator combinator = EM_DESCENDANT;
    bool there = true;
    em_scan_blanks(&parser->scan);
    size_t from = parser->scan.at;
    build.ready.start = from;
    if (at_combinator(parser) && !relative)
        return fail_leading(parser);
    if (at_combinator(parser))
        EM_TRY(parse_combinator(parser, &combinator, &from, &there));
    while (there) {
        EM_TRY(read_compound(parser, &build, combinator, from));
        EM_TRY(parse_combinator(parser, &combinator, &from, &there));
    }
    EM_TRY(end_stage(parser, &build, (em_selector_position){0}));
    *alternative = build.ready;
    return EM_OK;
}

/* ---- Lists ----------------------------------------------------------------------------------- */

/* Nothing stands between two commas, or between one and an end of the list; the scanner is behind
 * it. `comma`: where the one before is, EM_NPOS: none. */
static em_status check_not_empty(em_parser *parser, size_t comma)
{
    em_scan_blanks(&parser->scan);
    if (!at_end(parser))
        return EM_OK;
    bool another = em_scan_peek(&parser->scan, 0) == ',';
    size_t at = parser->scan.at;
    if (comma != EM_NPOS)
        em_parse_mend(parser, comma, comma + 1, "%s", "");
    else if (another)
        em_parse_mend(parser, at, at + 1, "%s", "");
    else
        return em_parse_fail(
            parser, at, parser->depth > 0 ? "a selector is missing here" : "the selector is empty");
    return em_parse_fail(parser, at, "a selector is missing %s a comma",
                         comma == EM_NPOS ? "before" : "behind");
}

/* The comma between two alternatives, and past it; *comma is EM_NPOS when there is none. */
static void next_comma(em_parser *parser, size_t *comma)
{
    bool there = em_scan_peek(&parser->scan, 0) == ',';
    *comma = there ? parser->scan.at++ : EM_NPOS;
}

/* In :has(), a first compound that is ":scope" alone is the element itself, so that the combinator
 * behind it is what the rest begins with. */
static em_status strip_scope(em_parser *parser, em_complex *complex)
{
    em_compound *first = &complex->parts[0];
    bool scope =
        first->count == 1 && first->items[0].kind == EM_SIMPLE_ROOT &&
        em_ascii_is(em_parse_source(parser, first->source.start, first->source.end), ":scope");
    if (!scope || first->before != EM_DESCENDANT)
        return EM_OK;
    if (complex->count == 1)
        return em_parse_fail(parser, first->source.start,
                             "':scope' is the element itself here: something must follow it");
    complex->parts++;
    complex->count--;
    parser->scopes--;
    return EM_OK;
}

em_status em_parse_list(em_parser *parser, bool relative, em_complexes *list)
{
    size_t room = 0, comma = EM_NPOS, scopes = parser->scopes;
    if (!parser->defining && parser->depth == EM_SELECTOR_DEEPEST)
        return em_parse_fail(parser, parser->scan.at, "selectors are nested deeper than %d",
                             EM_SELECTOR_DEEPEST);
    parser->depth++;
    list->plain = true;
    do {
        em_alternative alternative;
        EM_TRY(check_not_empty(parser, comma));
        EM_TRY(parse_alternative(parser, relative, &alternative));
        EM_TRY(em_arena_grow(parser->arena, (void **)&list->items, list->count, &room,
                             sizeof *list->items));
        em_complex *complex = &list->items[list->count++];
        *complex = alternative.stages[0].complex;
        if (relative)
            EM_TRY(strip_scope(parser, complex));
        list->plain &= complex->count == 1;
        next_comma(parser, &comma);
    } while (comma != EM_NPOS);
    parser->depth--;
    if (relative && parser->scopes > scopes)
        return em_parse_fail(parser, parser->scope_at,
                             "inside ':has()', ':scope' can only begin a selector");
    return EM_OK;
}

em_status em_parse_close(em_parser *parser, const char *what)
{
    em_scan_blanks(&parser->scan);
    size_t at = parser->scan.at;
    if (em_scan_peek(&parser->scan, 0) == ')') {
        parser->scan.at++;
        return EM_OK;
    }
    if (em_scan_peek(&parser->scan, 0) != EM_SCAN_END)
        return fail_unexpected(parser, NULL);
    size_t end = em_css_trimmed_end(parser->scan.text);
    em_parse_mend(parser, end, end, "%s", ")");
    return em_parse_fail(parser, at, "the parenthesis behind '%s' is not closed", what);
}

em_status em_parse_selector(em_parser *parser, em_selector *selector)
{
    size_t room = 0, comma = EM_NPOS;
    do {
        EM_TRY(check_not_empty(parser, comma));
        EM_TRY(em_arena_grow(parser->arena, (void **)&selector->alternatives, selector->count,
                             &room, sizeof *selector->alternatives));
        EM_TRY(parse_alternative(parser, false, &selector->alternatives[selector->count]));
        selector->count++;
        next_comma(parser, &comma);
    } while (comma != EM_NPOS);
    selector->text = parser->scan.text;
    selector->slots = parser->slots;
    return EM_OK;
}

/* unwrap_escapes.c: a level of escapes too many. */
#include "match/unwrap_impl.h"

#include "base/ascii.h"
#include "base/line.h"
#include "base/utf8.h"
#include "match/numbering.h"
#include "match/wrapping.h"
#include "text/entity.h"

/* ---- Escapes --------------------------------------------------------------------------------- */

/* What a backslash and `letter` stand for, among the escapes in `known`; 0. */
static char unescaped(char letter, const char *known)
{
    static const char letters[] = "nrt", means[] = "\n\r\t";
    if (!strchr(known, letter))
        return 0;
    const char *at = strchr(letters, letter);
    return at && letter ? means[at - letters] : letter;
}

/* The bytes of a character that JSON writers escape by its number (`\u003c`, `\u201c`) at the start
 * of `s`, and that character; 0. What is no more than a blank, or less, is none. */
static size_t numbered_at(em_slice s, uint32_t *code)
{
    size_t length = em_numbered_escape(s, code);
    return *code > ' ' ? length : 0;
}

/* The bytes of an escape at the start of `s`, among those in `known`, and what it stands for; 0. */
static size_t escape_at(em_slice s, const char *known, uint32_t *code)
{
    if (s.ptr[0] != '\\' || s.len < 2 || s.ptr[1] == '\0')
        return 0;
    if (s.ptr[1] == 'u')
        return strchr(known, 'u') ? numbered_at(s, code) : 0;
    *code = (unsigned char)unescaped(s.ptr[1], known);
    return *code ? 2 : 0;
}

static em_status without_escapes(em_slice s, const char *known, em_arena *arena, em_slice *out,
                                 bool *any)
{
    em_strbuf text = {0};
    *any = false;
    for (size_t at = 0; at < s.len;) {
        uint32_t code;
        char bytes[4];
        size_t length = escape_at(em_slice_from(s, at), known, &code);
        em_strbuf_add(&text, length > 0 ? em_slice_make(bytes, em_utf8_put(code, bytes))
                                        : em_slice_sub(s, at, at + 1));
        *any |= length > 0;
        at += length > 0 ? length : 1;
    }
    return em_unwrapped(&text, arena, out);
}

static bool has_escaped(em_slice s, char letter)
{
    for (size_t i = 0; i + 1 < s.len; i++)
        if (s.ptr[i] == '\\' && s.ptr[++i] == letter)
            return true;
    return false;
}

/* The length of a quote at `at`, escaped or not; 0 where there is none. */
static size_t quote_at(em_slice s, size_t at)
{
    em_slice here = em_slice_from(s, at);
    return em_slice_starts(here, EM_LIT("\\\"")) ? 2 : em_slice_starts(here, EM_LIT("\"")) ? 1 : 0;
}

/* Would an escaped line break, undone, end a line within a string? Three quotes in a row may have
 * line breaks between them. */
static bool breaks_a_string(em_slice s)
{
    bool open = false;
    for (size_t at = 0; at < s.len;) {
        size_t quote = quote_at(s, at);
        bool three = quote > 0 && at + 3 * quote <= s.len && quote_at(s, at + quote) == quote &&
                     quote_at(s, at + 2 * quote) == quote;
        bool escape = s.ptr[at] == '\\' && at + 1 < s.len;
        if (escape && s.ptr[at + 1] == 'n' && open)
            return true;
        open = open != (quote > 0 && !three) && s.ptr[at] != '\n';
        at += three ? 3 * quote : escape ? 2 : 1;
    }
    return false;
}

/* Lines of a text whose breaks are escaped or not, one after the other. */
static em_slice take_escaped_line(em_slice *rest)
{
    size_t end = 0;
    while (end < rest->len && rest->ptr[end] != '\n' &&
           !em_slice_starts(em_slice_from(*rest, end), EM_LIT("\\n")))
        end += rest->ptr[end] == '\\' && end + 1 < rest->len ? 2 : 1;
    em_slice line = em_slice_sub(*rest, 0, end);
    size_t length = end < rest->len && rest->ptr[end] == '\\' ? 2 : 1;
    *rest = em_slice_from(*rest, em_least(end + length, rest->len));
    return line;
}

/* Is the number of quotes in the line odd, so that it begins or ends a string, or is a comment of a
 * language in which a quote begins one? */
static bool has_open_quote(em_slice line)
{
    bool open = false;
    for (size_t at = 0; at < line.len;) {
        size_t quote = quote_at(line, at);
        open = open != (quote > 0);
        at += quote > 0 ? quote : line.ptr[at] == '\\' && at + 1 < line.len ? 2 : 1;
    }
    return open;
}

/* Is that a line of `text`? It is looked for from *next on, the rest of the text, as most come in
 * the same order, and then from the start; *searched counts how often that was so. */
static bool has_escaped_line(em_slice text, em_slice wanted, em_slice *next, size_t *searched)
{
    for (int turn = 0; turn < 2; turn++) {
        em_slice rest = turn == 0 ? *next : text;
        *searched += turn == 1;
        while (rest.len > 0)
            if (em_slice_eq(take_escaped_line(&rest), wanted)) {
                *next = rest;
                return true;
            }
    }
    return false;
}

/* The search text has such breaks, too. Are two lines with an open quote, one behind the other, new
 * in the replacement? They are a string that would be broken. Where very many are new, or in
 * another order, nobody knows. */
static bool breaks_a_new_string(em_slice find, em_slice insert)
{
    enum { MOST_SEARCHED = 64 };
    bool was_new = false;
    size_t searched = 0;
    for (em_slice rest = insert, next = find; rest.len > 0;) {
        em_slice line = take_escaped_line(&rest);
        if (!has_open_quote(line))
            continue;
        bool is_new = !has_escaped_line(find, line, &next, &searched);
        if ((is_new && was_new) || searched > MOST_SEARCHED)
            return true;
        was_new = is_new;
    }
    return false;
}

/* Would an escaped line break of the replacement, undone, end a line within a string, as none of
 * the search text does? */
static bool breaks_its_own_string(em_slice find, em_slice insert)
{
    return breaks_a_string(insert) && (!breaks_a_string(find) || breaks_a_new_string(find, insert));
}

/* A backslash that only the replacement has: was it escaped too? */
static bool has_new_backslash(em_slice find, em_slice insert)
{
    return has_escaped(insert, '\\') && !has_escaped(find, '\\');
}

/* The quotes that stand for a straight one. */
static const char *const doubles[] = {"\"", "\xE2\x80\x9C", "\xE2\x80\x9D"};
static const char *const singles[] = {"'", "\xE2\x80\x98", "\xE2\x80\x99"};
enum { WRITINGS = 3 };

/* Has the text one of these quotes, with a backslash before it or without? */
static bool has_quote(em_slice s, const char *const *quotes, bool escaped)
{
    for (size_t at = 0; at < s.len; at++) {
        bool backslash = s.ptr[at] == '\\' && at + 1 < s.len;
        at += backslash;
        for (size_t i = 0; i < WRITINGS && backslash == escaped; i++)
            if (em_slice_starts(em_slice_from(s, at), em_slice_of(quotes[i])))
                return true;
    }
    return false;
}

/* Does the caller have quotes both with a backslash and without? Then those backslashes are the
 * text's own: who escapes a text, escapes all of its quotes. */
static bool tells_apart(em_slice find, em_slice insert, const char *const *quotes)
{
    bool bare = has_quote(find, quotes, false), escaped = has_quote(find, quotes, true),
         new_bare = has_quote(insert, quotes, false);
    return bare ? escaped || new_bare : !escaped && new_bare && has_quote(insert, quotes, true);
}

/* ---- Escapes that only the replacement has --------------------------------------------------- */

static bool is_escape(em_slice s, size_t at, const char *letters)
{
    return at + 1 < s.len && s.ptr[at] == '\\' && s.ptr[at + 1] != '\0' &&
           strchr(letters, s.ptr[at + 1]);
}

/* Escapes that need not be those of a text that was escaped. */
typedef struct escapes {
    bool tabs;     /* behind the indentation of a line */
    bool returns;  /* before no line break */
    bool signs;    /* by their numbers */
    bool literals; /* line breaks between single quotes, or that are all of a pattern */
} escapes;

/* Where a text is read, line by line, be the breaks escaped or not. */
typedef struct reader {
    em_slice s;
    size_t at, start; /* of the line */
    bool is_indented; /* nothing but blanks came in it */
    bool in_quotes;   /* a single quote is open, which is no apostrophe: that is behind a letter */
    escapes found;
} reader;

static void begin_line(reader *r, size_t at)
{
    r->start = at;
    r->is_indented = true;
    r->in_quotes = false;
}

/* Does a single quote end a string in the rest of the line? */
static bool closes_quote(em_slice s, size_t at)
{
    for (; at < s.len && s.ptr[at] != '\n' && !is_escape(s, at, "n"); at++) {
        if (s.ptr[at] == '\\')
            at++;
        else if (s.ptr[at] == '\'')
            return at + 1 == s.len || !em_is_word_byte(s.ptr[at + 1]);
    }
    return false;
}

/* Escapes of blanks and line breaks, one behind the other. */
static void read_blanks(reader *r)
{
    em_slice s = r->s;
    size_t first = r->at;
    bool was_open = r->in_quotes, breaks = false;
    for (; is_escape(s, r->at, "nrt"); r->at += 2) {
        bool ends_line =
            is_escape(s, r->at + 2, "n") || (r->at + 2 < s.len && s.ptr[r->at + 2] == '\n');
        r->found.tabs |= is_escape(s, r->at, "t") && !r->is_indented;
        r->found.returns |= is_escape(s, r->at, "r") && !ends_line;
        if (!is_escape(s, r->at, "n"))
            continue;
        breaks = true;
        begin_line(r, r->at + 2);
    }
    bool is_pattern = first > 0 && s.ptr[first - 1] == '/' && r->at < s.len && s.ptr[r->at] == '/';
    r->found.literals |= breaks && (is_pattern || (was_open && closes_quote(s, r->at)));
}

static void read_byte(reader *r)
{
    em_slice s = r->s;
    char byte = s.ptr[r->at];
    if (byte == '\n') {
        begin_line(r, ++r->at);
        return;
    }
    uint32_t code;
    r->found.signs |= numbered_at(em_slice_from(s, r->at), &code) > 0;
    r->is_indented &= em_is_space_or_tab(byte);
    if (byte == '\'')
        r->in_quotes = !r->in_quotes && (r->at == r->start || !em_is_word_byte(s.ptr[r->at - 1]));
    r->at += byte == '\\' ? 2 : 1;
}

static escapes escapes_of(em_slice s)
{
    reader r = {.s = s, .is_indented = true};
    while (r.at < s.len) {
        if (is_escape(s, r.at, "nrt"))
            read_blanks(&r);
        else
            read_byte(&r);
    }
    return r.found;
}

/* The letters behind the backslash at `at`. */
static em_slice name_at(em_slice s, size_t at)
{
    size_t end = at + 1;
    while (end < s.len && em_is_letter(s.ptr[end]))
        end++;
    return em_slice_sub(s, at + 1, end);
}

/* Has the text a name that begins with a backslash, as `\alpha`, and with no escape? A pattern's
 * `\d` is too short for one. */
static bool has_name(em_slice s)
{
    enum { SHORTEST = 3 };
    for (size_t at = 0; at + 1 < s.len; at++) {
        if (s.ptr[at] != '\\')
            continue;
        if (!is_escape(s, at, "nrtu") && name_at(s, at).len >= SHORTEST)
            return true;
        at++;
    }
    return false;
}

/* Does the text have what is in `piece`? From *next on first, where most pieces stand that come in
 * the same order; there the next one is looked for. *searched counts how often it was from the
 * start.
 */
static bool has_from(em_slice s, em_slice piece, size_t *next, size_t *searched)
{
    const char *at = memmem(s.ptr + *next, s.len - *next, piece.ptr, piece.len);
    *searched += !at;
    if (!at)
        at = memmem(s.ptr, s.len, piece.ptr, piece.len);
    if (at)
        *next = (size_t)(at - s.ptr) + piece.len;
    return at != NULL;
}

bool em_has_new_name(em_slice find, em_slice insert)
{
    enum { MOST_SEARCHED = 1000 }; /* where more came in another order nobody knows */
    size_t searched = 0;
    if (!has_name(find) && !has_name(insert))
        return false;
    for (size_t at = 0, next = 0; at + 1 < insert.len && searched <= MOST_SEARCHED; at++) {
        if (insert.ptr[at] != '\\')
            continue;
        em_slice name = name_at(insert, at);
        em_slice whole = em_slice_sub(insert, at, at + 1 + name.len);
        if (is_escape(insert, at, "nrt") && name.len > 1 &&
            !has_from(find, whole, &next, &searched))
            return true;
        at++;
    }
    return searched > MOST_SEARCHED;
}

/* Has the replacement an escape of a kind that the search text has none of, and that is no layout,
 * as in a literal, a pattern or a name (`\times`)? It may be the file's to be. */
static bool has_escape_of_its_own(em_slice find, em_slice insert)
{
    escapes new = escapes_of(insert);
    return (new.tabs && !has_escaped(find, 't')) || (new.returns && !has_escaped(find, 'r')) ||
           (new.signs && !has_escaped(find, 'u')) || (new.literals && !escapes_of(find).literals) ||
           em_has_new_name(find, insert);
}

static bool has_break(em_slice find, em_slice insert)
{
    return em_slice_has_byte(find, '\n') || em_slice_has_byte(insert, '\n');
}

/* Without a backslash it has no escapes; most texts have none. */
static bool may_have_escapes(em_slice s)
{
    return em_slice_has_byte(s, '\\');
}

static em_status unescape(em_slice find, em_slice insert, const char *known, em_arena *arena,
                          em_reading *reading, bool *done)
{
    bool unused;
    reading->miss = EM_MISS_ESCAPES;
    EM_TRY(without_escapes(find, known, arena, &reading->find, done));
    return *done ? without_escapes(insert, known, arena, &reading->insert, &unused) : EM_OK;
}

em_status em_unescape_quotes(em_slice find, em_slice insert, em_arena *arena, em_reading *reading,
                             bool *done)
{
    *done = may_have_escapes(find);
    if (!*done)
        return EM_OK;
    bool everything = has_escaped(insert, 'n') && !breaks_a_string(insert);
    *done = has_break(find, insert) || !(everything || has_new_backslash(find, insert));
    return *done ? unescape(find, insert, "\"'", arena, reading, done) : EM_OK;
}

/* Has the replacement an escaped line break that the search text has not between the same signs? */
static bool has_new_break(em_slice find, em_slice insert)
{
    enum { AROUND = 3 /* bytes to either side */, MOST_SEARCHED = 1000 };
    size_t next = 0, searched = 0;
    for (size_t at = 0; at + 1 < insert.len; at++) {
        if (insert.ptr[at] != '\\')
            continue;
        size_t start = at > AROUND ? at - AROUND : 0;
        em_slice piece = em_slice_sub(insert, start, em_least(at + 2 + AROUND, insert.len));
        if (insert.ptr[++at] == 'n' &&
            (!has_from(find, piece, &next, &searched) || searched > MOST_SEARCHED))
            return true;
    }
    return false;
}

em_status em_unescape_quotes_beside_breaks(em_slice find, em_slice insert, em_arena *arena,
                                           em_reading *reading, bool *done)
{
    *done = may_have_escapes(find) && has_escaped(find, 'n') && !has_new_break(find, insert) &&
            !has_new_backslash(find, insert);
    return *done ? unescape(find, insert, "\"'", arena, reading, done) : EM_OK;
}

em_status em_unescape_all(em_slice find, em_slice insert, em_arena *arena, em_reading *reading,
                          bool *done)
{
    *done = may_have_escapes(find) && !has_new_backslash(find, insert) &&
            !breaks_its_own_string(find, insert) && !has_escape_of_its_own(find, insert);
    if (!*done)
        return EM_OK;
    static const char *const known[2][2] = {{"nrtu\"'", "nrtu\""}, {"nrtu'", "nrtu"}};
    bool double_stays = tells_apart(find, insert, doubles),
         single_stays = tells_apart(find, insert, singles);
    return unescape(find, insert, known[double_stays][single_stays], arena, reading, done);
}

em_status em_unescape_json(em_slice find, em_slice insert, em_arena *arena, em_reading *reading,
                           bool *done)
{
    bool whole =
        may_have_escapes(find) && (has_escaped(find, 'n') || !has_new_backslash(find, insert));
    bool backslashes = has_escaped(find, '\\') || has_escaped(insert, '\\');
    *done = whole && !breaks_its_own_string(find, insert) &&
            (backslashes || !has_escape_of_its_own(find, insert));
    if (!*done)
        return EM_OK;
    const char *known = tells_apart(find, insert, doubles) ? "nrtu\\/" : "nrtu\"\\/";
    return unescape(find, insert, known, arena, reading, done);
}

/* ---- Escapes around a fence, or around line numbers ------------------------------------------ */

static bool is_wrapped(em_slice s)
{
    em_slice unused;
    em_numbering numbering;
    return em_fenced(s, &unused) || em_marked(s, &unused) || em_numbering_of(s, &numbering) ||
           em_numbering_behind_first(s, &numbering);
}

/* Is it plain that all backslashes were escaped, too, as in a JSON string? */
static bool has_escaped_backslashes(em_slice find, em_slice insert)
{
    return has_escaped(find, '\\') && !has_quote(find, doubles, false) &&
           !has_quote(insert, doubles, false);
}

/* Has the text an escape that may be its own: one that quotes enclose in its line, or that stands
 * neither for a blank nor for a quote? */
static bool has_doubtful_escape(em_slice s)
{
    char open = '\0';
    for (size_t at = 0; at < s.len; at++) {
        bool is_escaped = is_escape(s, at, "\"'`");
        char byte = s.ptr[at + is_escaped];
        if (byte == '\\' && (open || !is_escape(s, at, "nrt")))
            return true;
        if (em_slice_starts(em_slice_from(s, at), EM_LIT("```"))) /* a fence's */
            at += 2;
        else if (em_is_one_of(byte, "\"'`") && (!open || open == byte))
            open = open ? '\0' : byte;
        at += is_escaped;
    }
    return open != '\0';
}

em_status em_unescape_around(em_slice find, em_slice insert, em_arena *arena, em_reading *reading,
                             bool *done)
{
    bool is_json = has_escaped_backslashes(find, insert);
    bool has_breaks = em_slice_has_byte(insert, '\n');
    *done = has_escaped(find, 'n') && !em_slice_has_byte(find, '\n') &&
            !(has_breaks && may_have_escapes(insert)) && (is_json || !has_doubtful_escape(insert));
    if (!*done)
        return EM_OK;
    EM_TRY((is_json ? em_unescape_json : em_unescape_all)(find, insert, arena, reading, done));
    *done = *done && is_wrapped(reading->find);
    return EM_OK;
}

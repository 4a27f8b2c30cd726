/* token.c: what a code point is, tokens in both directions, and when two of them are the same. */
#include "text/token.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/entity.h"

#include <stdlib.h>
#include <utf8proc.h>

typedef enum kind { BLANK, WORD, SIGN } kind;

enum { MOST_MARKS = 30 }; /* in a row */

/* ---- Code points --------------------------------------------------------------------------- */

/* Blank, word or sign, of each byte: of controls, of those up to the question mark, of capitals, of
 * small letters, each with the signs behind them. A byte that is not ASCII is none of the three. */
static const char KINDS[256 + 1] = "sssssssssbbbbbssssssssssssssssss"
                                   "bssssssssssssssswwwwwwwwwwssssss"
                                   "swwwwwwwwwwwwwwwwwwwwwwwwwwssssw"
                                   "swwwwwwwwwwwwwwwwwwwwwwwwwwsssss";

static bool is_space(char byte)
{
    return KINDS[(unsigned char)byte] == 'b';
}

static bool is_ascii_word(char byte)
{
    return KINDS[(unsigned char)byte] == 'w';
}

static kind kind_of_ascii(uint32_t code)
{
    char found = KINDS[code];
    return found == 'b' ? BLANK : found == 'w' ? WORD : SIGN;
}

static kind kind_of_category(utf8proc_category_t category)
{
    switch (category) {
    case UTF8PROC_CATEGORY_LU:
    case UTF8PROC_CATEGORY_LL:
    case UTF8PROC_CATEGORY_LT:
    case UTF8PROC_CATEGORY_LM:
    case UTF8PROC_CATEGORY_LO:
    case UTF8PROC_CATEGORY_MN:
    case UTF8PROC_CATEGORY_MC:
    case UTF8PROC_CATEGORY_ME:
    case UTF8PROC_CATEGORY_ND:
    case UTF8PROC_CATEGORY_NL:
    case UTF8PROC_CATEGORY_NO:
        return WORD;
    case UTF8PROC_CATEGORY_ZS:
    case UTF8PROC_CATEGORY_ZL:
    case UTF8PROC_CATEGORY_ZP:
    case UTF8PROC_CATEGORY_CF:
        return BLANK;
    default:
        return SIGN;
    }
}

static kind kind_of(uint32_t code, em_fold fold)
{
    if (code < 0x80)
        return kind_of_ascii(code);
    if (code == 0xFFFD) /* what cannot be decoded */
        return WORD;
    kind found = kind_of_category(utf8proc_category((utf8proc_int32_t)code));
    return found == BLANK && fold == EM_FOLD_NOTHING ? SIGN : found;
}

/* The code point that ends at `until` (> 0), and where it starts. A byte in the middle of one is
 * none by itself, so its first byte is looked for before anything is read. */
static uint32_t code_before(em_slice text, size_t until, size_t *start)
{
    size_t least = until > 4 ? until - 4 : 0, at = until - 1;
    while (at > least && em_utf8_continues(text, at))
        at--;
    size_t end = at;
    uint32_t code = em_utf8_next(text, &end);
    *start = end == until ? at : until - 1;
    return end == until ? code : 0xFFFD;
}

/* Does a sign of this code point go on with the same one? */
static bool runs_on(uint32_t code)
{
    return code == '-' || code == '.';
}

/* ---- Entities ------------------------------------------------------------------------------ */

enum { LONGEST_ENTITY = 8 };

static const struct {
    const char *name;
    uint32_t code;
} entities[] = {
    {"&lt;", '<'},       {"&gt;", '>'},        {"&amp;", '&'},      {"&quot;", '"'},
    {"&apos;", '\''},    {"&nbsp;", 0xA0},     {"&copy;", 0xA9},    {"&reg;", 0xAE},
    {"&trade;", 0x2122}, {"&hellip;", 0x2026}, {"&mdash;", 0x2014}, {"&ndash;", 0x2013},
    {"&lsquo;", 0x2018}, {"&rsquo;", 0x2019},  {"&ldquo;", 0x201C}, {"&rdquo;", 0x201D},
    {"&laquo;", 0xAB},   {"&raquo;", 0xBB},    {"&times;", 0xD7},   {"&middot;", 0xB7},
    {"&bull;", 0x2022},  {"&deg;", 0xB0},      {"&euro;", 0x20AC},  {"&pound;", 0xA3},
    {"&cent;", 0xA2},    {"&sect;", 0xA7},     {"&larr;", 0x2190},  {"&rarr;", 0x2192},
};

/* What an entity at the start of `s` stands for, if that is no letter, and its length; 0 where
 * there is none. */
static uint32_t entity_at(em_slice s, size_t *length)
{
    if (s.ptr[0] != '&' || s.len < 4)
        return 0;
    for (size_t i = 0; i < sizeof entities / sizeof *entities; i++) {
        em_slice name = em_slice_of(entities[i].name);
        if (em_slice_starts(s, name)) {
            *length = name.len;
            return entities[i].code;
        }
    }
    uint32_t code;
    *length = em_numeric_entity(em_slice_sub(s, 0, em_least(s.len, LONGEST_ENTITY)), &code);
    code = *length > 0 ? code : 0;
    return code > ' ' && code <= 0x10FFFF && kind_of(code, EM_FOLD_WRITING) != WORD ? code : 0;
}

/* Where an entity starts that goes on across `offset`, or ends there if `ends`; EM_NPOS. */
static size_t entity_across(em_slice text, size_t offset, bool ends)
{
    size_t least = offset > LONGEST_ENTITY ? offset - LONGEST_ENTITY : 0, length;
    for (size_t at = offset; at-- > least;) {
        if (text.ptr[at] != '&')
            continue;
        bool across = entity_at(em_slice_from(text, at), &length) &&
                      (ends ? at + length == offset : at + length > offset);
        return across ? at : EM_NPOS;
    }
    return EM_NPOS;
}

/* The code point at *end, or what its entity stands for, and *end moved behind it. */
static uint32_t next_code(em_slice text, em_fold fold, size_t *end, bool *entity)
{
    size_t start = *end, length;
    uint32_t code = em_utf8_next(text, end);
    *entity = false;
    if (code != '&' || fold == EM_FOLD_NOTHING)
        return code;
    uint32_t meant = entity_at(em_slice_from(text, start), &length);
    if (meant == 0)
        return code;
    *entity = true;
    *end = start + length;
    return meant;
}

/* The same backwards: what ends at `until`, and where it starts. */
static uint32_t previous_code(em_slice text, em_fold fold, size_t until, size_t *start,
                              bool *entity)
{
    uint32_t code = code_before(text, until, start);
    size_t length;
    *entity = false;
    if (code != ';' || fold == EM_FOLD_NOTHING)
        return code;
    size_t at = entity_across(text, until, true);
    if (at == EM_NPOS)
        return code;
    *entity = true;
    *start = at;
    return entity_at(em_slice_from(text, at), &length);
}

/* ---- Tokens -------------------------------------------------------------------------------- */

/* Most of most texts is ASCII: its tokens take no decoding. */
static size_t ascii_blanks_end(em_slice text, size_t from)
{
    while (from < text.len && is_space(text.ptr[from]))
        from++;
    return from;
}

static size_t ascii_word_end(em_slice text, size_t from)
{
    while (from < text.len && is_ascii_word(text.ptr[from]))
        from++;
    return from;
}

/* May what stands at `at` go on with a word of ASCII letters, digits and underscores that ends
 * there, or begins behind it? */
static bool goes_on(em_slice text, size_t at)
{
    return (unsigned char)text.ptr[at] >= 0x80;
}

/* A sign of ASCII that is a token by itself, whatever follows it. */
static bool is_lone_sign(char byte)
{
    return KINDS[(unsigned char)byte] == 's' && !runs_on((unsigned char)byte) && byte != '&';
}

/* The token at `start`, which is no blank, if it is all ASCII and no entity; its end, or EM_NPOS.
 */
static size_t plain_token_end(em_slice text, size_t start)
{
    size_t end = ascii_word_end(text, start);
    if (end > start)
        return end == text.len || !goes_on(text, end) ? end : EM_NPOS;
    return start < text.len && is_lone_sign(text.ptr[start]) ? start + 1 : EM_NPOS;
}

/* Where the word of ASCII begins that ends at `end`; EM_NPOS where there is none, or it may go on.
 */
static size_t plain_word_start(em_slice text, size_t end)
{
    size_t start = end;
    while (start > 0 && is_ascii_word(text.ptr[start - 1]))
        start--;
    return start < end && (start == 0 || !goes_on(text, start - 1)) ? start : EM_NPOS;
}

bool em_token_next(em_slice text, size_t from, em_fold fold, em_token *token)
{
    size_t end = ascii_blanks_end(text, from), plain_end = plain_token_end(text, end);
    if (plain_end != EM_NPOS) {
        *token = (em_token){end, plain_end};
        return true;
    }
    kind first = BLANK;
    uint32_t sign = 0;
    bool entity = false;
    while (end < text.len && first == BLANK) {
        token->start = end;
        sign = next_code(text, fold, &end, &entity);
        first = kind_of(sign, fold);
    }
    token->end = end;
    if (first == BLANK || entity)
        return first != BLANK;
    for (;;) {
        if (first == WORD)
            token->end = end = ascii_word_end(text, end);
        if (token->end == text.len)
            break;
        uint32_t code = em_utf8_next(text, &end);
        if (first == WORD ? kind_of(code, fold) != WORD : code != sign || !runs_on(sign))
            break;
        token->end = end;
    }
    return true;
}

bool em_token_previous(em_slice text, size_t until, em_fold fold, em_token *token)
{
    size_t start = until;
    while (start > 0 && is_space(text.ptr[start - 1]))
        start--;
    size_t plain_start = plain_word_start(text, start);
    if (plain_start != EM_NPOS) {
        *token = (em_token){plain_start, start};
        return true;
    }
    kind last = BLANK;
    uint32_t sign = 0;
    bool entity = false;
    while (start > 0 && last == BLANK) {
        token->end = start;
        sign = previous_code(text, fold, start, &start, &entity);
        last = kind_of(sign, fold);
    }
    token->start = start;
    if (last == BLANK || entity)
        return last != BLANK;
    while (token->start > 0) {
        uint32_t code = code_before(text, token->start, &start);
        if (last == WORD ? kind_of(code, fold) != WORD : code != sign || !runs_on(sign))
            break;
        token->start = start;
    }
    return true;
}

size_t em_line_blanks_end(em_slice text, size_t from, em_fold fold)
{
    bool unused;
    while (from < text.len && !em_is_line_break(text.ptr[from])) {
        size_t end = from;
        if (kind_of(next_code(text, fold, &end, &unused), fold) != BLANK)
            break;
        from = end;
    }
    return from;
}

bool em_token_border(em_slice text, size_t offset, em_fold fold)
{
    if (offset == 0 || offset >= text.len)
        return true;
    if (fold != EM_FOLD_NOTHING && entity_across(text, offset, false) != EM_NPOS)
        return false;
    size_t start, end = offset;
    uint32_t before = code_before(text, offset, &start), behind = em_utf8_next(text, &end);
    kind both = kind_of(before, fold);
    if (both != kind_of(behind, fold) || both == BLANK)
        return true;
    return both == SIGN && (before != behind || !runs_on(before));
}

em_status em_tokens_of(em_slice text, em_fold fold, em_arena *arena, em_tokens *tokens)
{
    size_t room = 0;
    em_token token;
    *tokens = (em_tokens){0};
    for (size_t from = 0; em_token_next(text, from, fold, &token); from = token.end) {
        void *items = tokens->items;
        EM_TRY(em_arena_grow(arena, &items, tokens->count, &room, sizeof token));
        tokens->items = items;
        tokens->items[tokens->count++] = token;
    }
    return EM_OK;
}

/* ---- Comparing ----------------------------------------------------------------------------- */

static uint32_t first_code(em_slice s)
{
    size_t offset = 0;
    return s.len > 0 ? em_utf8_next(s, &offset) : 0;
}

bool em_token_is_word(em_slice token)
{
    return kind_of(first_code(token), EM_FOLD_NOTHING) == WORD;
}

static bool is_quote(uint32_t code)
{
    return code == '"' || code == '\'' || (code >= 0x2018 && code <= 0x201F) || code == 0x2032 ||
           code == 0x2033;
}

/* The sign's own code point, or that which its entity stands for. */
static uint32_t sign_of(em_slice token)
{
    size_t length;
    uint32_t meant = token.len > 1 ? entity_at(token, &length) : 0;
    return meant ? meant : first_code(token);
}

bool em_token_is_quote(em_slice token)
{
    return is_quote(sign_of(token));
}

static bool is_double_quote(uint32_t code)
{
    return (code >= 0x201C && code <= 0x201F) || code == 0x2033;
}

em_slice em_token_plain(em_slice token)
{
    static const em_slice plain[] = {{"<", 1}, {">", 1}, {"&", 1}, {"\"", 1}, {"'", 1}};
    uint32_t code = sign_of(token);
    if (code >= 0x80 && is_quote(code))
        return is_double_quote(code) ? plain[3] : plain[4];
    for (size_t i = 0; token.len > 1 && i < sizeof plain / sizeof *plain; i++)
        if (code == (uint32_t)plain[i].ptr[0])
            return plain[i];
    return token;
}

/* Hyphen, non-breaking hyphen, figure, en and em dash, horizontal bar, minus. */
static bool is_dash(uint32_t code)
{
    return (code >= 0x2010 && code <= 0x2015) || code == 0x2212;
}

/* One to three hyphens, or a dash. */
static bool is_like_dash(em_slice token, uint32_t first)
{
    return is_dash(first) || (first == '-' && token.len <= 3);
}

static bool is_like_ellipsis(em_slice token, uint32_t first)
{
    return first == 0x2026 || (first == '.' && token.len == 3);
}

/* Hyphens of different number are different signs: `x--` is not `x-`. */
static bool same_sign(em_slice a, em_slice b)
{
    uint32_t x = sign_of(a), y = sign_of(b);
    if (x == y && !runs_on(x)) /* an entity and its sign */
        return true;
    if (is_quote(x) && is_quote(y))
        return true;
    if (is_dash(x) || is_dash(y))
        return is_like_dash(a, x) && is_like_dash(b, y);
    return is_like_ellipsis(a, x) && is_like_ellipsis(b, y);
}

/* Has it more marks in a row than Unicode's Stream-Safe Text Format allows? To bring marks into
 * their order takes a time that grows with the square of their number. */
static bool has_too_many_marks(em_slice word)
{
    size_t in_a_row = 0;
    for (size_t offset = 0; offset < word.len && in_a_row <= MOST_MARKS;) {
        const utf8proc_property_t *code =
            utf8proc_get_property((utf8proc_int32_t)em_utf8_next(word, &offset));
        in_a_row = code->combining_class > 0 ? in_a_row + 1 : 0;
    }
    return in_a_row > MOST_MARKS;
}

/* A word in a normal form; owned, NULL where it cannot be had. */
static utf8proc_uint8_t *normal_form(em_slice word, int options)
{
    utf8proc_uint8_t *out = NULL;
    utf8proc_ssize_t length =
        utf8proc_map((const utf8proc_uint8_t *)word.ptr, (utf8proc_ssize_t)word.len, &out,
                     (utf8proc_option_t)(options | UTF8PROC_STABLE));
    return length >= 0 ? out : NULL;
}

em_status em_word_with(em_slice word, em_letters letters, em_arena *arena, em_slice *out)
{
    *out = word;
    if (em_is_ascii(word) || has_too_many_marks(word))
        return EM_OK;
    utf8proc_uint8_t *form =
        normal_form(word, letters == EM_LETTERS_COMPOSED ? UTF8PROC_COMPOSE : UTF8PROC_DECOMPOSE);
    if (!form)
        return EM_OK;
    em_slice found = em_slice_of((const char *)form);
    char *copy = em_slice_eq(found, word) ? NULL : em_arena_string(arena, found);
    bool failed = !em_slice_eq(found, word) && !copy;
    if (copy)
        *out = em_slice_make(copy, found.len);
    free(form);
    return failed ? EM_E_NOMEM : EM_OK;
}

static bool same_beyond_ascii(em_slice a, em_slice b, em_fold fold)
{
    if (has_too_many_marks(a) || has_too_many_marks(b))
        return false;
    int options = UTF8PROC_COMPOSE | (fold == EM_FOLD_CASE ? UTF8PROC_CASEFOLD : 0);
    utf8proc_uint8_t *x = normal_form(a, options), *y = normal_form(b, options);
    bool same = x && y && strcmp((const char *)x, (const char *)y) == 0;
    free(x);
    free(y);
    return same;
}

static bool same_word(em_slice a, em_slice b, em_fold fold)
{
    if (em_is_ascii(a) && em_is_ascii(b))
        return fold == EM_FOLD_CASE && em_same_in_any_case(a, b);
    return same_beyond_ascii(a, b, fold);
}

bool em_token_same(em_slice a, em_slice b, em_fold fold)
{
    if (em_slice_eq(a, b))
        return true;
    if (fold == EM_FOLD_NOTHING)
        return false;
    bool word = em_token_is_word(a);
    if (word != em_token_is_word(b))
        return false;
    return word ? same_word(a, b, fold) : same_sign(a, b);
}

/* ---- Gaps ---------------------------------------------------------------------------------- */

em_gap em_gap_of(em_slice gap)
{
    for (size_t i = 0; i < gap.len; i++)
        if (em_is_line_break(gap.ptr[i]))
            return EM_GAP_BREAK;
    return gap.len > 0 ? EM_GAP_BLANK : EM_GAP_NONE;
}

em_gap_parts em_gap_split(em_slice gap)
{
    size_t first = 0, last = gap.len;
    while (first < gap.len && !em_is_line_break(gap.ptr[first]))
        first++;
    if (first == gap.len)
        return (em_gap_parts){.trail = gap, .breaks = em_slice_from(gap, gap.len)};
    while (!em_is_line_break(gap.ptr[last - 1]))
        last--;
    return (em_gap_parts){em_slice_sub(gap, 0, first), em_slice_sub(gap, first, last),
                          em_slice_from(gap, last)};
}

size_t em_gap_breaks(em_slice gap)
{
    size_t count = 0;
    for (size_t i = 0; i < gap.len; i++)
        count += em_is_line_break(gap.ptr[i]) &&
                 !(gap.ptr[i] == '\n' && i > 0 && gap.ptr[i - 1] == '\r');
    return count;
}

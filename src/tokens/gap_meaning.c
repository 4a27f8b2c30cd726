#include "tokens/gap_meaning.h"

#include "base/ascii.h"

/* How far a line is read before a gap, and behind it: what is longer is no line of code by hand. */
enum { FARTHEST = 4096 };

/* Two tokens of a text with a gap between them, which may be empty. */
typedef struct gap_place {
    em_slice text;
    em_token left, right;
} gap_place;

static em_slice gap_at(gap_place place)
{
    return em_slice_sub(place.text, place.left.end, place.right.start);
}

static em_slice left_of(gap_place place)
{
    return em_token_plain(em_token_bytes(place.text, place.left));
}

static em_slice right_of(gap_place place)
{
    return em_token_plain(em_token_bytes(place.text, place.right));
}

/* ---- Signs ---------------------------------------------------------------------------------- */

/* Is a sign that ends in the one byte, and goes on with the other, another sign in some language?
 */
static bool are_one_sign(char left, char right)
{
    static const char *const pairs[] = {"<-", "->", "=>", "<=", ">=", "==", "!=", "&&", "||", "++",
                                        "<<", ">>", "::", "//", "/*", "*/", "**", "??", "?.", "+=",
                                        "-=", "*=", "/=", "%=", "&=", "|=", "^=", "~=", "=~", "!~",
                                        ":=", "<>", "|>", "<|", "..", "--", "</", "/>"};
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        if (pairs[i][0] == left && pairs[i][1] == right)
            return true;
    return false;
}

static bool joins_signs(em_slice left, em_slice right)
{
    return !em_token_is_word(left) && !em_token_is_word(right) &&
           are_one_sign(left.ptr[left.len - 1], right.ptr[0]);
}

static bool joins_number(em_slice left, em_slice right)
{
    return (em_slice_is(left, ".") && em_is_digit(right.ptr[0])) ||
           (em_slice_is(right, ".") && em_is_digit(left.ptr[left.len - 1]));
}

/* May an element be named here, to which what comes next is added? */
static bool ends_name(em_slice token)
{
    return em_token_is_word(token) || em_slice_is(token, ")") || em_slice_is(token, "]") ||
           em_slice_is(token, "*");
}

/* A sign of a selector clings to the name behind it. A chain of calls may be broken before its
 * points, but nobody sets them apart in one line. */
static bool parts_selector(gap_place apart)
{
    em_slice left = left_of(apart), right = right_of(apart),
             rest = em_slice_from(apart.text, apart.right.end);
    bool clings = rest.len > 0 && (em_is_letter(rest.ptr[0]) || em_is_one_of(rest.ptr[0], "_-:"));
    return ends_name(left) && clings &&
           (em_slice_is(right, ".") || em_slice_is(right, "#") || em_slice_is(right, ":"));
}

/* ---- Strings -------------------------------------------------------------------------------- */

/* A line, read from left to right. */
typedef struct reading {
    em_slice text;
    size_t start; /* of the line, or where reading began in it */
    size_t at;    /* so far it was read; EM_NPOS: it was not begun */
    char open;    /* the quote of the string that is open there; '\0': none is */
} reading;

/* Begin in the line that `at` is in. */
static void begin(reading *r, size_t at)
{
    r->start = at;
    while (r->start > 0 && at - r->start < FARTHEST && r->text.ptr[r->start - 1] != '\n')
        r->start--;
    r->at = r->start;
    r->open = '\0';
}

/* Does the next byte begin or end a string, as far as itself and its neighbours tell? An apostrophe
 * does not, nor does the sign of a lifetime. */
static bool is_string_quote(const reading *r)
{
    char byte = r->text.ptr[r->at], before = r->at > r->start ? r->text.ptr[r->at - 1] : ' ',
         behind = r->at + 1 < r->text.len ? r->text.ptr[r->at + 1] : ' ';
    bool is_other =
        before == '&' || before == '<' || (em_is_word_byte(before) && em_is_word_byte(behind));
    return byte == '"' || byte == '`' || (byte == '\'' && !is_other);
}

static void read_byte(reading *r)
{
    char byte = r->text.ptr[r->at];
    if (byte == '\\')
        r->at++;
    else if (r->open ? byte == r->open : is_string_quote(r))
        r->open = r->open ? '\0' : byte;
    r->at++;
}

/* Read on up to `at`; from the start of its line where that is another one. */
static void read_to(reading *r, size_t at)
{
    bool goes_on = r->at <= at && !em_slice_has_byte(em_slice_sub(r->text, r->at, at), '\n');
    if (!goes_on && r->at != at + 1) /* it may be behind an escaped byte */
        begin(r, at);
    while (r->at < at)
        read_byte(r);
}

/* A quote that is not closed in its line begins no string. */
static bool is_in_string(reading *r, size_t at)
{
    read_to(r, at);
    size_t end = em_least(r->text.len, at + FARTHEST);
    em_slice rest = em_slice_sub(r->text, at, end);
    return r->open && em_slice_has_byte(em_slice_sub(rest, 0, em_slice_until(rest, '\n')), r->open);
}

/* ---- Lines ---------------------------------------------------------------------------------- */

static bool begins_comment(const reading *r, size_t end)
{
    em_slice rest = em_slice_sub(r->text, r->at, end);
    bool is_first = r->at == r->start || em_is_space_or_tab(r->text.ptr[r->at - 1]);
    return is_first &&
           (em_slice_starts(rest, EM_LIT("//")) || em_slice_starts(rest, EM_LIT("# ")) ||
            em_slice_starts(rest, EM_LIT("-- ")) || em_slice_starts(rest, EM_LIT(";; ")));
}

/* Does the line that the gap's break ends, up to the gap, end in a comment that goes no farther? */
static bool ends_in_comment(gap_place broken)
{
    reading r = {.text = broken.text};
    for (begin(&r, broken.left.end); r.at < broken.left.end; read_byte(&r))
        if (!r.open && begins_comment(&r, broken.left.end))
            return true;
    return false;
}

/* ---- Both ----------------------------------------------------------------------------------- */

/* `line` is read on in the text of `seen`. */
static bool mean_the_same(gap_place seen, gap_place wanted, reading *line)
{
    em_gap there = em_gap_of(gap_at(seen)), sent = em_gap_of(gap_at(wanted));
    em_slice left = left_of(seen), right = right_of(seen);
    if (there == sent)
        return true;
    bool one_has_none = there == EM_GAP_NONE || sent == EM_GAP_NONE;
    if (one_has_none && (joins_signs(left, right) || joins_number(left, right)))
        return false;
    if (there == EM_GAP_BREAK || sent == EM_GAP_BREAK)
        return !ends_in_comment(there == EM_GAP_BREAK ? seen : wanted);
    return !parts_selector(there == EM_GAP_BLANK ? seen : wanted) &&
           !is_in_string(line, seen.left.end);
}

bool em_gaps_mean_the_same(em_tokened_text seen, em_tokened_text wanted, size_t count)
{
    reading line = {.text = seen.text, .at = EM_NPOS};
    for (size_t i = 1; i < count; i++) {
        gap_place there = {seen.text, seen.tokens[i - 1], seen.tokens[i]};
        gap_place sent = {wanted.text, wanted.tokens[i - 1], wanted.tokens[i]};
        if (!mean_the_same(there, sent, &line))
            return false;
    }
    return true;
}

#include "tokens/gap_meaning.h"

#include "base/ascii.h"

/* How far a line is read to both sides: what is longer is no line of code by hand. */
enum { FARTHEST = 4096 };

static em_slice gap_at(em_gap_place place)
{
    return em_slice_sub(place.text, place.left.end, place.right.start);
}

static em_slice left_of(em_gap_place place)
{
    return em_token_plain(em_token_bytes(place.text, place.left));
}

static em_slice right_of(em_gap_place place)
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
static bool parts_selector(em_gap_place apart)
{
    em_slice left = left_of(apart), right = right_of(apart),
             rest = em_slice_from(apart.text, apart.right.end);
    bool clings = rest.len > 0 && (em_is_letter(rest.ptr[0]) || em_is_one_of(rest.ptr[0], "_-:"));
    return ends_name(left) && clings &&
           (em_slice_is(right, ".") || em_slice_is(right, "#") || em_slice_is(right, ":"));
}

/* ---- Strings -------------------------------------------------------------------------------- */

/* Does the byte begin or end a string, as far as itself and its neighbours tell? An apostrophe does
 * not, nor does the sign of a lifetime. */
static bool is_string_quote(em_slice line, size_t at)
{
    char byte = line.ptr[at], before = at > 0 ? line.ptr[at - 1] : ' ',
         behind = at + 1 < line.len ? line.ptr[at + 1] : ' ';
    bool is_other =
        before == '&' || before == '<' || (em_is_word_byte(before) && em_is_word_byte(behind));
    return byte == '"' || byte == '`' || (byte == '\'' && !is_other);
}

/* The string that is open at `at`, by its quote; '\0' where none is. */
static char open_string(em_slice line, size_t at)
{
    char open = '\0';
    for (size_t i = 0; i < at; i++) {
        if (line.ptr[i] == '\\')
            i++;
        else if (open ? line.ptr[i] == open : is_string_quote(line, i))
            open = open ? '\0' : line.ptr[i];
    }
    return open;
}

/* The line around `at`, as far as it is read; *offset is where `at` is in it. */
static em_slice line_around(em_slice text, size_t at, size_t *offset)
{
    size_t start = at, end = at;
    while (start > 0 && at - start < FARTHEST && text.ptr[start - 1] != '\n')
        start--;
    while (end < text.len && end - at < FARTHEST && text.ptr[end] != '\n')
        end++;
    *offset = at - start;
    return em_slice_sub(text, start, end);
}

/* A quote that is not closed in its line begins no string. */
static bool is_in_string(em_gap_place place)
{
    size_t at;
    em_slice line = line_around(place.text, place.left.end, &at);
    char open = open_string(line, at);
    return open && em_slice_has_byte(em_slice_from(line, at), open);
}

/* ---- Lines ---------------------------------------------------------------------------------- */

static bool begins_comment(em_slice line, size_t at)
{
    em_slice rest = em_slice_from(line, at);
    bool is_first = at == 0 || em_is_space_or_tab(line.ptr[at - 1]);
    return is_first &&
           (em_slice_starts(rest, EM_LIT("//")) || em_slice_starts(rest, EM_LIT("# ")) ||
            em_slice_starts(rest, EM_LIT("-- ")) || em_slice_starts(rest, EM_LIT(";; ")));
}

/* Does the line that the gap's break ends, up to the gap, end in a comment that goes no farther? */
static bool ends_in_comment(em_gap_place broken)
{
    size_t at;
    em_slice line = line_around(broken.text, broken.left.end, &at);
    line = em_slice_sub(line, 0, at);
    for (size_t i = 0; i < line.len; i++)
        if (begins_comment(line, i) && !open_string(line, i))
            return true;
    return false;
}

/* ---- Both ----------------------------------------------------------------------------------- */

bool em_gaps_mean_the_same(em_gap_place seen, em_gap_place wanted)
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
    return !parts_selector(there == EM_GAP_BLANK ? seen : wanted) && !is_in_string(seen);
}

#include "match/numbering.h"

#include "base/ascii.h"
#include "base/line.h"
#include "base/strbuf.h"
#include "tokens/comment.h"

/* Lines are compared each with each, so not too many of them. */
enum { MOST_COMPARED = 200, MOST_DIGITS = 9 };

/* ---- Lines ----------------------------------------------------------------------------------- */

/* Is `line` one of the lines of `s`? Blanks around it count if `strictly`. */
static bool is_line_of(em_slice s, em_slice line, bool strictly)
{
    size_t offset = 0;
    line = strictly ? em_line_content(line) : em_trimmed(line);
    for (size_t i = 0; i < MOST_COMPARED && offset < s.len; i++) {
        em_slice other = em_next_line(s, &offset);
        if (em_slice_eq(strictly ? em_line_content(other) : em_trimmed(other), line))
            return true;
    }
    return false;
}

size_t em_lines_shared(em_slice a, em_slice b)
{
    size_t count = 0, offset = 0;
    for (size_t i = 0; i < MOST_COMPARED && offset < a.len; i++) {
        em_slice line = em_next_line(a, &offset);
        count += em_trimmed(line).len > 0 && is_line_of(b, line, true);
    }
    return count;
}

/* ---- Numbers --------------------------------------------------------------------------------- */

/* A line with a number before it. */
typedef struct numbered {
    em_number_style style;
    unsigned long number;
    size_t rest; /* where the line goes on behind it */
} numbered;

static em_number_style style_of(em_slice behind, size_t *length)
{
    em_slice bar = em_slice_starts(behind, EM_LIT(" ")) ? em_slice_from(behind, 1) : behind;
    *length = 1;
    if (em_slice_starts(behind, EM_LIT(":")))
        return EM_NUMBER_COLON;
    if (em_slice_starts(behind, EM_LIT("\t")))
        return EM_NUMBER_TAB;
    *length = 3;
    if (em_slice_starts(behind, EM_LIT("\xE2\x86\x92")))
        return EM_NUMBER_ARROW;
    *length = behind.len - bar.len + 1;
    return em_slice_starts(bar, EM_LIT("|")) ? EM_NUMBER_BAR : EM_NUMBER_NONE;
}

static numbered number_of(em_slice line)
{
    numbered n = {.style = EM_NUMBER_NONE};
    size_t at = 0, length;
    while (at < line.len && em_is_space_or_tab(line.ptr[at]))
        at++;
    size_t digits = at;
    while (at < line.len && em_is_digit(line.ptr[at]) && at - digits < MOST_DIGITS)
        n.number = n.number * 10 + (unsigned long)(line.ptr[at++] - '0');
    if (at == digits)
        return n;
    em_slice behind = em_slice_from(line, at);
    if (em_line_content(behind).len == 0) {
        n.style = EM_NUMBER_ALONE;
        n.rest = at;
        return n;
    }
    n.style = style_of(behind, &length);
    n.rest = n.style != EM_NUMBER_NONE ? at + length : 0;
    return n;
}

bool em_numbering_of(em_slice s, em_numbering *numbering)
{
    *numbering = (em_numbering){.spaced = true};
    bool any = false;
    for (size_t offset = 0; offset < s.len;) {
        em_slice line = em_next_line(s, &offset);
        numbered here = number_of(line);
        bool blank = em_trimmed(line).len == 0;
        bool goes_on = any && here.number == numbering->last + 1;
        if (blank || (here.style == EM_NUMBER_ALONE && goes_on)) {
            numbering->last += any;
            continue;
        }
        if (here.style == EM_NUMBER_NONE || here.style == EM_NUMBER_ALONE ||
            (any && (!goes_on || here.style != numbering->style)))
            return false;
        if (!any)
            numbering->first = here.number;
        any = true;
        numbering->style = here.style;
        numbering->last = here.number;
        em_slice rest = em_slice_from(line, here.rest);
        if (em_trimmed(rest).len > 0 && rest.ptr[0] != ' ')
            numbering->spaced = false;
    }
    /* a tab or an arrow parts enough: a blank behind it is the line's */
    if (numbering->style == EM_NUMBER_TAB || numbering->style == EM_NUMBER_ARROW)
        numbering->spaced = false;
    return any;
}

/* A number and a colon before one line may well be meant so. */
static bool may_be_content(const em_numbering *numbering)
{
    return numbering->style == EM_NUMBER_COLON && numbering->last == numbering->first;
}

bool em_numbering_behind_first(em_slice s, em_numbering *numbering)
{
    size_t offset = 0;
    em_slice line = em_next_line(s, &offset);
    if (em_trimmed(line).len == 0 || number_of(line).style != EM_NUMBER_NONE ||
        !em_numbering_of(em_slice_from(s, offset), numbering) || may_be_content(numbering) ||
        numbering->first == 0)
        return false;
    numbering->first--;
    numbering->headless = true;
    return true;
}

em_status em_without_numbers(em_slice s, const em_numbering *numbering, em_arena *arena,
                             em_slice *out)
{
    EM_AUTO(em_strbuf) text = {0};
    bool any = false; /* so far */
    for (size_t offset = 0; offset < s.len;) {
        em_slice line = em_next_line(s, &offset);
        numbered here = number_of(line);
        bool has = here.style == numbering->style;
        size_t rest = has || (here.style == EM_NUMBER_ALONE && any) ? here.rest : 0;
        if (has && numbering->spaced && rest < line.len && line.ptr[rest] == ' ')
            rest++;
        any |= has;
        em_strbuf_add(&text, em_slice_from(line, rest));
    }
    return em_strbuf_keep(&text, arena, out);
}

/* ---- The replacement ------------------------------------------------------------------------- */

/* What the lines of a replacement say about its numbers. */
typedef struct signs {
    size_t numbers;  /* lines that begin with one of this style, or are nothing else */
    size_t misfits;  /* of these, those that do not go on from the search text's */
    size_t theirs;   /* of these, those whose number may be the file's own */
    size_t repeated; /* lines of the search text, numbers and all */
    size_t plain;    /* lines of the search text without its numbers */
    size_t bare;     /* of these, those that do not begin with a number, and stand there with one
                        nowhere either */
    size_t within;   /* lines that have the search text's first line in them, number and all, behind
                        something */
} signs;

/* The first line of `s` that is not blank, without the blanks around it. */
static em_slice first_line(em_slice s)
{
    size_t offset = 0;
    return em_trimmed(em_next_line(em_trimmed(s), &offset));
}

/* Does `s` have `line` behind a number of this style? Then the one without a number is a new line,
 * as the brace of a new block is, and none that lost its number. */
static bool has_numbered(em_slice s, em_slice line, const em_numbering *numbering)
{
    size_t offset = 0;
    for (size_t i = 0; i < MOST_COMPARED && offset < s.len; i++) {
        em_slice other = em_next_line(s, &offset);
        numbered here = number_of(other);
        if (here.style == numbering->style &&
            em_slice_eq(em_trimmed(em_slice_from(other, here.rest)), em_trimmed(line)))
            return true;
    }
    return false;
}

/* How many of the lines of `plain`, which the search text is without its numbers, begin with one of
 * this style all the same: those of the file. */
typedef enum own_numbers { OWN_NOWHERE, OWN_IN_SOME, OWN_IN_ALL } own_numbers;

static own_numbers own_numbers_of(em_slice plain, const em_numbering *numbering)
{
    bool some = false, all = true;
    size_t offset = 0;
    for (size_t i = 0; i < MOST_COMPARED && offset < plain.len; i++) {
        em_slice line = em_next_line(plain, &offset);
        bool has = number_of(line).style == numbering->style;
        some |= has;
        all &= has || em_trimmed(line).len == 0;
    }
    if (!some)
        return OWN_NOWHERE;
    return all ? OWN_IN_ALL : OWN_IN_SOME;
}

/* May the only number of a line be the file's own? Where each of its lines has one, any; else one
 * that does not go on from the search text's. */
static bool may_be_theirs(em_slice line, numbered here, bool fits, own_numbers own,
                          const em_numbering *numbering)
{
    return (own == OWN_IN_ALL || (own == OWN_IN_SOME && !fits)) && here.style == numbering->style &&
           number_of(em_slice_from(line, here.rest)).style != numbering->style;
}

static signs signs_of(em_slice insert, em_slice numbered_find, em_slice plain,
                      const em_numbering *numbering)
{
    signs all = {0};
    unsigned long last = numbering->first;
    em_slice first = first_line(numbered_find);
    own_numbers own = own_numbers_of(plain, numbering);
    size_t offset = 0, lines = 0;
    for (; lines < MOST_COMPARED && offset < insert.len; lines++) {
        em_slice line = em_next_line(insert, &offset);
        numbered here = number_of(line);
        if (em_trimmed(line).len == 0)
            continue;
        bool has = here.style == numbering->style || here.style == EM_NUMBER_ALONE;
        bool fits = here.number >= last && here.number <= numbering->last + lines;
        all.numbers += has;
        all.misfits += has && !fits;
        all.theirs += may_be_theirs(line, here, fits, own, numbering);
        all.repeated += has && is_line_of(numbered_find, line, true);
        if (numbering->headless && em_slice_eq(em_trimmed(line), first))
            continue;
        all.within += !has && !numbering->headless &&
                      memmem(line.ptr, line.len, first.ptr, first.len) != NULL;
        if (is_line_of(plain, line, false)) {
            all.plain++;
            all.bare += !has && !has_numbered(insert, line, numbering);
        }
        last = has && fits ? here.number : last;
    }
    return all;
}

em_carries em_carries_numbers(em_slice insert, em_slice numbered_find, em_slice plain,
                              const em_numbering *numbering)
{
    signs all = signs_of(insert, numbered_find, plain, numbering);
    em_numbering own;
    if (all.within > 0)
        return EM_CARRIES_UNCLEAR;
    if (all.numbers == 0)
        return EM_CARRIES_NOTHING;
    if (all.theirs == all.numbers)
        return all.misfits == all.numbers ? EM_CARRIES_NOTHING : EM_CARRIES_UNCLEAR;
    bool goes_on = all.misfits == 0 || (all.plain == 0 && em_numbering_of(insert, &own) &&
                                        own.style == numbering->style);
    bool with = goes_on && all.bare == 0, without = all.repeated == 0 && all.plain > 0;
    if (with == without)
        return EM_CARRIES_UNCLEAR;
    return with ? EM_CARRIES_NUMBERS : EM_CARRIES_NOTHING;
}

static em_slice longest_line(em_slice s)
{
    em_slice longest = {0};
    for (size_t offset = 0; offset < s.len;) {
        em_slice line = em_trimmed(em_next_line(s, &offset));
        longest = line.len > longest.len ? line : longest;
    }
    return longest;
}

em_slice em_own_number_meant(em_slice text, em_slice plain, const em_numbering *numbering)
{
    em_slice longest = longest_line(plain);
    for (size_t offset = 0; offset < text.len;) {
        em_slice line = em_next_line(text, &offset);
        numbered here = number_of(line);
        if (here.style != numbering->style)
            continue;
        if (here.number == numbering->first ||
            em_slice_eq(em_trimmed(em_slice_from(line, here.rest)), longest))
            return em_line_content(line);
    }
    return (em_slice){0};
}

em_carried em_carried_numbers(em_slice insert, const em_numbering *numbering)
{
    em_carried carried = {.tight = false};
    for (size_t offset = 0; offset < insert.len;) {
        em_slice line = em_next_line(insert, &offset);
        numbered here = number_of(line);
        bool blank = em_trimmed(em_slice_from(line, here.rest)).len == 0;
        bool has = here.style == numbering->style;
        carried.tight |= has && !blank && line.ptr[here.rest] != ' ';
        carried.mixed |= !has && !blank;
    }
    return carried;
}

/* Which lines are asked how deep they are? */
typedef bool counts_line(em_slice line);

static bool has_text(em_slice line)
{
    return em_trimmed(line).len > 0;
}

static bool goes_on_comment(em_slice line)
{
    return em_goes_on_comment(em_trimmed(line));
}

static bool has_depth(em_slice s, em_slice indent, counts_line *counts)
{
    size_t offset = 0;
    for (size_t i = 0; i < MOST_COMPARED && offset < s.len; i++) {
        em_slice line = em_next_line(s, &offset);
        if (counts(line) && em_slice_eq(em_line_blanks(line), indent))
            return true;
    }
    return false;
}

static bool depths_shared(em_slice insert, em_slice find, const em_numbering *numbering,
                          counts_line *counts)
{
    size_t offset = 0;
    for (size_t i = 0; i < MOST_COMPARED && offset < insert.len; i++) {
        em_slice line = em_next_line(insert, &offset);
        bool is_bare = !numbering || number_of(line).style != numbering->style;
        if (is_bare && counts(line) && has_depth(find, em_line_blanks(line), counts))
            return true;
    }
    return false;
}

bool em_depths_shared(em_slice insert, em_slice find, const em_numbering *numbering)
{
    return depths_shared(insert, find, numbering, has_text);
}

bool em_comment_depths_shared(em_slice insert, em_slice find, const em_numbering *numbering)
{
    return depths_shared(insert, find, numbering, goes_on_comment);
}

/* A line of the search text, with a number before it? */
static bool repeats_with_number(em_slice find, em_slice line)
{
    numbered here = number_of(line);
    if (here.rest == 0 || is_line_of(find, line, false))
        return false;
    em_slice rest = em_trimmed(em_slice_from(line, here.rest));
    return rest.len > 0 && is_line_of(find, rest, false);
}

bool em_brings_numbers(em_slice find, em_slice insert)
{
    em_numbering searched, own;
    size_t offset = 0;
    for (size_t i = 0; i < MOST_COMPARED && offset < insert.len; i++)
        if (repeats_with_number(find, em_next_line(insert, &offset)))
            return true;
    if (!em_numbering_of(insert, &own) || em_numbering_of(find, &searched))
        return false;
    return !may_be_content(&own);
}

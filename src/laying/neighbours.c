#include "laying/neighbours.h"

#include "base/line.h"
#include "text/text.h"
#include "tokens/brackets.h"
#include "tokens/telling.h"

/* The first line with something in it, or the last, with the blanks before that and not with what
 * is behind; empty: there is none. */
static em_slice first_line(em_slice text)
{
    em_slice all = em_trimmed(text);
    size_t at = all.len > 0 ? (size_t)(all.ptr - text.ptr) : 0;
    em_slice words = em_trimmed(em_slice_sub(all, 0, em_line_behind(all, 0)));
    return words.len > 0 ? em_slice_sub(text, em_line_before(text, at + 1), at + words.len) : words;
}

static em_slice last_line(em_slice text)
{
    em_slice all = em_trimmed(text);
    size_t end = all.len > 0 ? (size_t)(all.ptr - text.ptr) + all.len : 0;
    return em_slice_sub(text, end > 0 ? em_line_before(text, end) : 0, end);
}

static bool has_line(em_slice text, em_slice line)
{
    for (size_t offset = 0; offset < text.len;)
        if (em_slice_eq(em_trimmed(em_next_line(text, &offset)), em_trimmed(line)))
            return true;
    return false;
}

static size_t count_lines(em_slice text)
{
    size_t count = 0;
    for (size_t offset = 0; offset < text.len;)
        count += em_trimmed(em_next_line(text, &offset)).len > 0;
    return count;
}

/* ---- Lines that have a counterpart ----------------------------------------------------------- */

/* Does the result close, or leave open, what the place does not? */
static bool reaches_out(em_slice seen, em_slice result)
{
    em_brackets before = em_brackets_of(seen), after = em_brackets_of(result);
    return after.open != before.open || after.least < before.least;
}

/* Does it begin or end what has words for that, or tags? Of a new one of these both come. */
static bool is_of_block(em_slice line)
{
    static const char *const ends[] = {"</", "end", "End", "END", "\\end",
                                       "{%", "{{",  "<?",  "#end"};
    for (size_t i = 0; i < sizeof ends / sizeof *ends; i++)
        if (em_slice_starts(line, em_slice_of(ends[i])))
            return true;
    return line.ptr[0] == '<' && !memmem(line.ptr, line.len, "</", 2);
}

/* Would this line, that stands beside the place, too, be there twice for no reason? */
static bool is_once_too_often(em_slice line, em_slice seen, em_slice result)
{
    em_slice words = em_trimmed(line);
    if (em_is_one_of(words.ptr[0], "})]") || em_is_one_of(words.ptr[words.len - 1], "{(["))
        return reaches_out(seen, result);
    return em_is_telling(words) && !is_of_block(words);
}

/* Does the edit bring this line beside one that is the same? Not where that stands there twice
 * already: `next` is behind it. */
static bool doubles(em_slice line, em_slice beside, em_slice next, em_slice seen, em_slice result)
{
    return line.len > 0 && em_slice_eq(line, beside) && !em_slice_eq(next, beside) &&
           !has_line(seen, line) && is_once_too_often(line, seen, result);
}

/* ---- The lines beside the place -------------------------------------------------------------- */

/* What is above the place, to where a line of it begins or the line above it ends; empty where it
 * begins within a line. */
static em_slice above(em_slice text, const em_tolerant_place *place)
{
    size_t start = place->span.start;
    bool is_edge = em_begins_line(text, start, &start) || em_eol_at(text, start) != EM_EOL_NONE;
    size_t from = start > EM_NEIGHBOUR_REACH ? start - EM_NEIGHBOUR_REACH : 0;
    return em_slice_sub(text, is_edge ? from : start, start);
}

/* What is below it, likewise. */
static em_slice below(em_slice text, const em_tolerant_place *place)
{
    size_t end = place->span.end;
    bool is_edge =
        em_ends_in_eol(em_slice_sub(text, 0, end)) || em_ends_line(text, end, place->fold, &end);
    return em_slice_sub(text, end, is_edge ? em_least(text.len, end + EM_NEIGHBOUR_REACH) : end);
}

bool em_doubles_neighbour(em_slice text, const em_tolerant_place *place, em_slice result)
{
    em_slice seen = em_slice_sub(text, place->span.start, place->span.end);
    em_slice before = above(text, place), behind = below(text, place);
    if (count_lines(result) <= count_lines(seen))
        return false;
    em_slice upper = last_line(before), lower = first_line(behind);
    em_slice over = em_slice_sub(before, 0, before.len > 0 ? (size_t)(upper.ptr - before.ptr) : 0);
    em_slice under = em_slice_from(
        behind, lower.len > 0 ? (size_t)(lower.ptr - behind.ptr) + lower.len : behind.len);
    return doubles(first_line(result), upper, last_line(over), seen, result) ||
           doubles(last_line(result), lower, first_line(under), seen, result);
}

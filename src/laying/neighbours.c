#include "laying/neighbours.h"

#include "base/line.h"
#include "text/text.h"
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
        if (em_slice_eq(em_trimmed(em_next_line(text, &offset)), line))
            return true;
    return false;
}

/* Does the edit bring this line beside one that is the same? One that says little, as a bracket, is
 * easily the like of another: it must stand at the same depth. */
static bool doubles(em_slice line, em_slice beside, em_slice seen)
{
    em_slice words = em_trimmed(line);
    bool same = em_is_telling(words) ? em_slice_eq(words, em_trimmed(beside))
                                     : words.len > 0 && em_slice_eq(line, beside);
    return same && !has_line(seen, words);
}

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
    return doubles(first_line(result), last_line(above(text, place)), seen) ||
           doubles(last_line(result), first_line(below(text, place)), seen);
}

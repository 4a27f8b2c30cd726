#include "laying/skipped_lines.h"

#include "base/line.h"
#include "text/text.h"

/* The next line of *rest with its ending. */
static em_slice next_line(em_slice *rest)
{
    size_t length = em_line_length(*rest);
    length += em_eol_length_at(*rest, length);
    em_slice line = em_slice_sub(*rest, 0, length);
    *rest = em_slice_from(*rest, length);
    return line;
}

static bool has_tokens(em_slice s, em_fold fold)
{
    em_token token;
    return em_token_next(s, 0, fold, &token);
}

bool em_skipped_lines_next(em_skipped_lines *passed, em_slice *line)
{
    while (passed->rest.len > 0) {
        *line = next_line(&passed->rest);
        if (passed->empty == 0 || has_tokens(*line, passed->fold))
            return true;
        passed->empty--;
    }
    return false;
}

/* Is the line one of *rest, which moves behind it? */
static bool is_next_of(em_slice line, em_slice *rest)
{
    while (rest->len > 0)
        if (em_slice_eq(em_trimmed(next_line(rest)), line))
            return true;
    return false;
}

bool em_skipped_lines_stay(em_slice text, const em_tolerant_place *place, em_slice out)
{
    em_slice line;
    for (size_t i = 1; i < place->find_tokens.count; i++) {
        em_slice seen = em_gap_split(em_place_gap(text, place, i)).breaks;
        em_skipped_lines passed = {.rest = seen, .empty = EM_NPOS, .fold = place->fold};
        while (em_skipped_lines_next(&passed, &line))
            if (!is_next_of(em_trimmed(line), &out))
                return false;
    }
    return true;
}

/* Has the line a word, and more than a border of signs? */
static bool has_word(em_slice line, em_fold fold)
{
    em_token token = {.end = 0};
    while (em_token_next(line, token.end, fold, &token))
        if (em_token_is_word(em_token_bytes(line, token)))
            return true;
    return false;
}

static size_t count_of(em_slice text, em_slice line)
{
    size_t count = 0;
    while (text.len > 0)
        count += em_slice_eq(em_trimmed(next_line(&text)), line);
    return count;
}

bool em_skipped_lines_double(em_slice text, const em_tolerant_place *place, em_slice out)
{
    em_slice line, whole = em_slice_sub(text, place->span.start, place->span.end);
    for (size_t i = 1; i < place->find_tokens.count; i++) {
        em_slice seen = em_gap_split(em_place_gap(text, place, i)).breaks;
        em_skipped_lines passed = {.rest = seen, .empty = EM_NPOS, .fold = place->fold};
        while (em_skipped_lines_next(&passed, &line))
            if (has_word(line, place->fold) &&
                count_of(out, em_trimmed(line)) > count_of(whole, em_trimmed(line)))
                return true;
    }
    return false;
}

/* rebase_place.c: where a change of a stale edit is to be made.
 *
 * The lines that it touches are looked for by themselves; the rest of the search text says which of
 * their places is meant.
 */
#include "diagnosis/rebase_impl.h"

#include "base/line.h"
#include "match/place_edges.h"

enum {
    FEWEST_PLACES = 64,   /* of the lines of one change that are weighed whatever that takes, and */
    MOST_WEIGHED = 16384, /* lines of the search text for all of them: more places of a short one */
    FEWEST_CHANGES = 1,   /* that the context may have seen, whatever its length */
    MOST_BETWEEN = 2,     /* lines that come between two of the search text */
};

bool em_rebased_lines(em_slice text, const em_tolerant_place *place, em_span *lines)
{
    size_t end, last = place->find_tokens.count - 1;
    bool whole = em_begins_line(text, place->tokens[0].start, &lines->start) &&
                 em_ends_line(text, place->tokens[last].end, place->fold, &end);
    lines->end = whole ? em_line_behind(text, end) : EM_NPOS;
    return whole;
}

/* Has clearly less changed around one place than around all others? It has not where fewer words
 * have around another one, in no more lines. */
static bool is_least(const em_weight *weights, size_t count, size_t best)
{
    for (size_t i = 0; i < count; i++)
        if (i != best && (weights[i].changes <= weights[best].changes ||
                          em_weight_is_finer(weights[i], weights[best])))
            return false;
    return true;
}

/* Each place is weighed with all of the search text. Where that is short, there may be hundreds, as
 * in files that were generated. Such siblings differ in a number, so none may be another then. */
static size_t most_places(const em_rebasing *c)
{
    size_t most = MOST_WEIGHED / (c->side.find.count + 1);
    return most > FEWEST_PLACES ? most : FEWEST_PLACES;
}

/* Of the places of these lines the one around which least has changed, if it has not changed much.
 */
static em_status find_range(const em_rebasing *c, const em_line_change *range,
                            em_tolerant_place *place, bool *found)
{
    em_places places;
    size_t count = 0, best = 0;
    em_slice insert = {0};
    if (range->end_new > range->first_new)
        insert = em_tokened_line_range(&c->side.insert, range->first_new, range->end_new);
    EM_TRY(em_tolerant_find_in(c->in,
                               em_tokened_line_range(&c->side.find, range->first, range->end),
                               insert, EM_FOLD_WRITING, c->side.deadline, c->side.arena, &places));
    em_places_move(places, c->side.before);
    *found = false;
    if (places.count == 0 || places.count > most_places(c))
        return EM_OK;
    em_weight *weights = em_alloc_array(c->side.arena, places.count, sizeof *weights);
    if (!weights)
        return EM_E_NOMEM;
    for (size_t i = 0; i < places.count; i++) {
        em_span lines;
        if (!em_rebased_lines(c->side.text, &places.items[i], &lines))
            continue;
        EM_TRY(em_weigh_changes(&c->side, range, lines, &weights[count]));
        if (count == 0 || weights[count].changes < weights[best].changes) {
            best = count;
            *place = places.items[i];
        }
        count++;
    }
    size_t most = FEWEST_CHANGES + c->side.find.count / EM_LINES_PER_CHANGE;
    bool numbers_tell = places.count > FEWEST_PLACES;
    *found = count > 0 && weights[best].changes <= EM_CHANGE * most &&
             is_least(weights, count, best) && !(numbers_tell && weights[best].numbers > 0);
    return EM_OK;
}

static em_status try_range(const em_rebasing *c, em_line_change tried, em_line_change *range,
                           em_tolerant_place *place, bool *found)
{
    *range = tried;
    return find_range(c, range, place, found);
}

/* Is there an empty line behind the place? */
static bool has_gap_below(em_slice text, const em_tolerant_place *place)
{
    em_token next;
    size_t end = place->tokens[place->find_tokens.count - 1].end;
    bool any = em_token_next(text, end, place->fold, &next);
    return em_gap_breaks(em_slice_sub(text, end, any ? next.start : text.len)) > 1;
}

/* Is the line behind the place one sign, again and again, as it makes a heading of the one above?
 */
static bool is_underlined(em_slice text, const em_tolerant_place *place)
{
    size_t last = place->tokens[place->find_tokens.count - 1].end;
    em_slice below = em_slice_from(text, em_line_behind(text, last));
    em_slice line = em_trimmed(em_slice_sub(below, 0, em_line_length(below)));
    return line.len > 2 && !em_token_is_word(line) && !memcmp(line.ptr, line.ptr + 1, line.len - 1);
}

/* May new lines come right behind the place? `parted`: with empty lines behind them. */
static bool is_clear_below(em_slice text, const em_tolerant_place *place, bool parted)
{
    return !is_underlined(text, place) && (!parted || has_gap_below(text, place));
}

/* Where new lines belong that are put between two which are no longer next to each other: to the
 * one of them that they stand with. Else it is the upper one, unless the empty lines between the
 * two are above the lower one now, or what underlines the upper one is. */
static em_status find_neighbour(const em_rebasing *c, const em_line_change *of,
                                em_line_change *range, em_tolerant_place *place, bool *found)
{
    em_line_change upper = {of->first - 1, of->first, of->first_new - 1, of->end_new};
    em_line_change lower = {of->first, of->first + 1, of->first_new, of->end_new + 1};
    em_neighbour whose = em_neighbour_of(&c->side, of);
    bool is_lower = whose == EM_LOWER,
         parted = em_tokened_line_breaks(&c->side.find, of->first) > 1;
    EM_TRY(try_range(c, is_lower ? lower : upper, range, place, found));
    if (*found && (whose != EM_EITHER || is_clear_below(c->side.text, place, parted)))
        return EM_OK;
    em_line_change other_range;
    em_tolerant_place other;
    bool other_found;
    EM_TRY(try_range(c, is_lower ? upper : lower, &other_range, &other, &other_found));
    if (other_found) {
        *range = other_range;
        *place = other;
        *found = true;
    }
    return EM_OK;
}

/* Lines that change or go, with the line beside them that more empty lines are to part them from,
 * or those two: only with that the empty lines come, too. */
static em_line_change with_new_gaps(const em_rebasing *c, const em_line_change *of)
{
    const em_tokened_lines *find = &c->side.find, *insert = &c->side.insert;
    size_t above = of->first > 0 ? em_tokened_line_breaks(find, of->first) : EM_NPOS;
    size_t below = of->end < find->count ? em_tokened_line_breaks(find, of->end) : EM_NPOS;
    bool goes = of->first_new == of->end_new, is_between = above != EM_NPOS && below != EM_NPOS;
    if (goes) /* what parts the two that are left is what was above, and below */
        above = below = is_between ? above + below - 1 : EM_NPOS;
    bool wide_above = above != EM_NPOS && em_tokened_line_breaks(insert, of->first_new) > above;
    bool wide_below = below != EM_NPOS && em_tokened_line_breaks(insert, of->end_new) > below;
    return (em_line_change){of->first - wide_above, of->end + wide_below,
                            of->first_new - wide_above, of->end_new + wide_below};
}

/* Where a change belongs, and the lines of the search text that it was looked for with: those that
 * are put between two are looked for with both of these, or else with one. */
static em_status find_change(const em_rebasing *c, const em_line_change *of, em_line_change *range,
                             em_tolerant_place *place, bool *found)
{
    bool above = of->first > 0, below = of->first < c->side.find.count;
    em_line_change around = {of->first - above, of->first + below, of->first_new - above,
                             of->end_new + below};
    if (of->first < of->end)
        return try_range(c, with_new_gaps(c, of), range, place, found);
    *found = false;
    if (!above && !below)
        return EM_OK; /* the search text has no lines */
    EM_TRY(try_range(c, around, range, place, found));
    return !*found && above && below ? find_neighbour(c, of, range, place, found) : EM_OK;
}

/* Do the new lines of a change stand elsewhere, and has less changed there around the replacement
 * than around the search text here? Then the change was made there, and this is a sibling. */
static em_status was_made_elsewhere(const em_rebasing *c, const em_line_change *of,
                                    const em_line_change *range, em_span lines, bool *made)
{
    em_rebasing elsewhere = *c;
    em_line_change new = {.first = of->first_new, .end = of->end_new};
    em_tolerant_place place;
    em_weight here, there;
    *made = false;
    if (of->first_new == of->end_new)
        return EM_OK;
    elsewhere.side.find = c->side.insert;
    EM_TRY(find_range(&elsewhere, &new, &place, made));
    if (!*made)
        return EM_OK;
    EM_TRY(em_weigh_changes(&c->side, range, lines, &here));
    em_rebased_lines(c->side.text, &place, &lines);
    EM_TRY(em_weigh_changes(&elsewhere.side, &new, lines, &there));
    *made = there.changes < here.changes || em_weight_is_finer(there, here);
    return EM_OK;
}

/* ---- Lines that change places ---------------------------------------------------------------- */

/* Does the change bring the lines that another one removes, and no more? */
static bool brings(const em_rebasing *c, const em_line_change *to, const em_line_change *of)
{
    size_t count = of->end - of->first;
    bool brings = to->first == to->end && to->end_new - to->first_new == count;
    for (size_t i = 0; i < count && brings; i++)
        brings =
            em_tokened_line_same(&c->side.find, of->first + i, &c->side.insert, to->first_new + i);
    return brings;
}

/* Does it remove lines that the next change, or the one before, brings on the other side of as many
 * as they are? Then these may as well be what the edit moves. */
static bool changes_places(const em_rebasing *c, size_t index)
{
    const em_line_change *of = &c->changes[index];
    size_t count = of->end - of->first;
    if (count == 0 || of->first_new < of->end_new)
        return false;
    return (index + 1 < c->change_count && of[1].first - of->end == count &&
            brings(c, of + 1, of)) ||
           (index > 0 && of->first - of[-1].end == count && brings(c, of - 1, of));
}

/* The line of the text next to `*at`, which is where a line begins, and *at moved past it; empty at
 * the end. Empty ones are left out. */
static em_slice next_line_of(em_slice text, size_t *at, bool below)
{
    em_token token;
    bool found = below ? em_token_next(text, *at, EM_FOLD_WRITING, &token)
                       : em_token_previous(text, *at, EM_FOLD_WRITING, &token);
    if (!found)
        return (em_slice){0};
    size_t start = em_line_before(text, token.start + 1), end = em_line_behind(text, token.start);
    *at = below ? end : start;
    return em_slice_sub(text, start, end);
}

/* Has something come between `at` and the line `index` of the search text, of which there may be
 * none? Where that line is not near, it became another one. */
static em_status is_parted(const em_rebasing *c, size_t index, size_t at, bool below, bool *parted)
{
    em_tokened_lines seen;
    *parted = false;
    for (size_t n = 0; n <= MOST_BETWEEN && index < c->side.find.count; n++) {
        em_slice line = next_line_of(c->side.text, &at, below);
        EM_TRY(em_tokened_lines_init(&seen, line, c->side.arena));
        if (seen.count != 1 || !em_tokened_line_same(&c->side.find, index, &seen, 0))
            continue;
        *parted = n > 0;
        break;
    }
    return EM_OK;
}

/* Do lines that change places with others stand beside one that the search text has not? Nobody
 * knows which of the two that one is to stand with. */
static em_status is_torn_away(const em_rebasing *c, const em_line_change *of, em_span lines,
                              bool *torn)
{
    *torn = false;
    if (!changes_places(c, (size_t)(of - c->changes)))
        return EM_OK;
    if (of->first > 0)
        EM_TRY(is_parted(c, of->first - 1, lines.start, false, torn));
    return *torn ? EM_OK : is_parted(c, of->end, lines.end, true, torn);
}

/* ---- Where, if it is sound there ------------------------------------------------------------- */

em_status em_rebasing_find_place(em_rebasing *c, const em_line_change *of, em_line_change *range,
                                 em_tolerant_place *place, em_span *lines, bool *is)
{
    bool made, torn = false;
    EM_TRY(find_change(c, of, range, place, is));
    *is = *is && em_rebased_lines(c->side.text, place, lines);
    if (!*is)
        return EM_OK;
    EM_TRY(em_change_outcome_of(&c->side, of, range, *lines, &c->outcome));
    *is = c->outcome.sound;
    if (!*is)
        return EM_OK;
    EM_TRY(was_made_elsewhere(c, of, range, *lines, &made));
    if (!made)
        EM_TRY(is_torn_away(c, of, *lines, &torn));
    *is = !made && !torn;
    return EM_OK;
}

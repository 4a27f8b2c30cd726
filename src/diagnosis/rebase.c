/* rebase.c: an edit cut into its changes, each laid where its lines stand now.
 *
 * The edit is cut into its changes. Each takes the lines of the search text that it touches, and is
 * looked for with these alone; the rest of the search text says which of their places is meant.
 * What all changes come to is then one stretch of the file.
 */
#include "diagnosis/rebase.h"

#include "base/line.h"
#include "diagnosis/partly_applied.h"
#include "draft/draft.h"
#include "laying/laying.h"
#include "match/place_edges.h"
#include "match/placeholder.h"
#include "match/tolerant.h"
#include "text/myers.h"
#include "text/search.h"

enum {
    MOST_CHANGES = 16,
    MOST_CHANGED_LINES = 2000,
    FEWEST_PLACES = 64,   /* of the lines of one change that are weighed whatever that takes, and */
    MOST_WEIGHED = 16384, /* lines of the search text for all of them: more places of a short one */
    MOST_WIDENING = 40,   /* lines to either side */
    FEWEST_CHANGES = 1,   /* that the context may have seen, and one more for so many lines */
    LINES_PER_CHANGE = 6,
    LEAST_BAND = 12,
    MOST_BETWEEN = 2, /* lines that come between two of the search text */
    MOST_ROUNDS = 8,  /* in which the search text becomes another */
};

typedef struct rebasing {
    em_occurrences *in;
    em_alignment side; /* the texts */
    em_line_change changes[MOST_CHANGES];
    size_t change_count;
    size_t above, below;       /* lines of the search text around those that were looked for */
    size_t laid_to;            /* the line up to which the last change was laid, or EM_NPOS */
    em_change_outcome outcome; /* what came of the last change that was found */
    em_eol dominant;
    em_slice own; /* the last line that seemed to stand for others, and is one of the file's */
} rebasing;

/* ---- The changes ----------------------------------------------------------------------------- */

static bool same_line(const void *context, size_t old, size_t new)
{
    const rebasing *c = context;
    return em_slice_eq(em_tokened_line(&c->side.find, old), em_tokened_line(&c->side.insert, new));
}

/* The same however they are indented. */
static bool same_words(const void *context, size_t old, size_t new)
{
    const rebasing *c = context;
    return em_tokened_line_same(&c->side.find, old, &c->side.insert, new);
}

/* False where there are none, or too many. */
static bool read_changes(rebasing *c, const em_script *script)
{
    size_t i = 0, j = 0;
    while (i < c->side.find.count || j < c->side.insert.count) {
        em_line_change new = {i, i, j, j};
        while (new.end < c->side.find.count && script->removed[new.end])
            new.end++;
        while (new.end_new < c->side.insert.count && script->added[new.end_new])
            new.end_new++;
        i = new.end + 1;
        j = new.end_new + 1;
        if (new.end == new.first &&new.end_new == new.first_new)
            continue;
        if (c->change_count == MOST_CHANGES)
            return false;
        c->changes[c->change_count++] = new;
    }
    return c->change_count > 0;
}

/* Does one script pair a line with another one than the second does? */
static bool pairs_otherwise(const rebasing *c, const em_script *a, const em_script *b)
{
    size_t i = 0, j = 0, k = 0; /* the line of the replacement that each has for line i */
    for (; i < c->side.find.count; i++, j += !a->removed[i - 1], k += !b->removed[i - 1]) {
        while (j < c->side.insert.count && a->added[j])
            j++;
        while (k < c->side.insert.count && b->added[k])
            k++;
        if (!a->removed[i] && (b->removed[i] || j != k))
            return true;
    }
    return false;
}

/* How deep the line is that is the least indented, in bytes. */
static size_t margin_of(const em_tokened_lines *s)
{
    size_t margin = EM_NPOS;
    for (size_t i = 0; i < s->count; i++)
        margin = em_least(margin, em_tokened_line_depth(s, i));
    return margin;
}

/* Where one of the texts is at a wrong depth, it is by chance which lines of the other stand in it
 * as they are: a brace may be another one. */
static em_status find_changes(rebasing *c, bool *found)
{
    em_sequences lines = {c->side.find.count, c->side.insert.count, same_line, c};
    em_sequences words = {c->side.find.count, c->side.insert.count, same_words, c};
    em_script script, of_words;
    EM_TRY(em_myers(&lines, MOST_CHANGED_LINES, c->side.arena, &script));
    *found = script.found && read_changes(c, &script);
    if (!*found || margin_of(&c->side.find) == margin_of(&c->side.insert))
        return EM_OK;
    EM_TRY(em_myers(&words, MOST_CHANGED_LINES, c->side.arena, &of_words));
    *found = of_words.found && !pairs_otherwise(c, &script, &of_words);
    return EM_OK;
}

/* Does the line stand in the text as one of its own? When time is up it does not. */
static bool is_a_line(const rebasing *c, em_slice line)
{
    em_needle needle;
    size_t unused;
    em_needle_init(&needle, line);
    for (size_t at = 0, from = 0; at != EM_NPOS; from = at + line.len) {
        at = em_find(&needle, c->side.text, from);
        size_t end = at != EM_NPOS ? at + line.len : c->side.text.len;
        if (em_deadline_spend(c->side.deadline, end - from))
            return false;
        if (at != EM_NPOS && em_begins_line(c->side.text, at, &unused) &&
            em_ends_line(c->side.text, end, EM_FOLD_WRITING, &unused))
            return true;
    }
    return false;
}

/* Does a line of the search text stand for others? Then it does not tell what stood there. */
static bool stands_for_others(rebasing *c, size_t index)
{
    em_slice line = em_trimmed(em_tokened_line(&c->side.find, index));
    if (!em_elides(line) || em_slice_eq(line, c->own))
        return false;
    if (!is_a_line(c, line))
        return true;
    c->own = line;
    return false;
}

/* Do lines come or go beside one that stands for others, or with it? Where that stands, lines may
 * have come or gone as well, and these may be the same. */
static bool borders_on_others(rebasing *c)
{
    for (size_t k = 0; k < c->change_count; k++) {
        const em_line_change *of = &c->changes[k];
        size_t first = of->first > 0 ? of->first - 1 : 0;
        for (size_t i = first; i <= of->end && i < c->side.find.count; i++) {
            bool within = of->first <= i && i < of->end;
            bool as_many = of->end - of->first == of->end_new - of->first_new;
            if ((within || !as_many) && stands_for_others(c, i))
                return true;
        }
    }
    return false;
}

/* Is the search text less than what it was read from? */
static bool leaves_out(rebasing *c)
{
    bool any = false;
    for (size_t i = 0; i < c->side.find.count && !any; i++)
        any = stands_for_others(c, i);
    return any;
}

/* ---- The place of a change ------------------------------------------------------------------- */

/* The lines of a place, with the last ending; false where it does not have them whole. */
static bool lines_of(em_slice text, const em_tolerant_place *place, em_span *lines)
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
static size_t most_places(const rebasing *c)
{
    size_t most = MOST_WEIGHED / (c->side.find.count + 1);
    return most > FEWEST_PLACES ? most : FEWEST_PLACES;
}

/* Of the places of these lines the one around which least has changed, if it has not changed much.
 */
static em_status find_range(const rebasing *c, const em_line_change *range,
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
        if (!lines_of(c->side.text, &places.items[i], &lines))
            continue;
        EM_TRY(em_weigh_changes(&c->side, range, lines, &weights[count]));
        if (count == 0 || weights[count].changes < weights[best].changes) {
            best = count;
            *place = places.items[i];
        }
        count++;
    }
    size_t most = FEWEST_CHANGES + c->side.find.count / LINES_PER_CHANGE;
    bool numbers_tell = places.count > FEWEST_PLACES;
    *found = count > 0 && weights[best].changes <= EM_CHANGE * most &&
             is_least(weights, count, best) && !(numbers_tell && weights[best].numbers > 0);
    return EM_OK;
}

static em_status try_range(const rebasing *c, em_line_change tried, em_line_change *range,
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
static em_status find_neighbour(const rebasing *c, const em_line_change *of, em_line_change *range,
                                em_tolerant_place *place, bool *found)
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
static em_line_change with_new_gaps(const rebasing *c, const em_line_change *of)
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
static em_status find_change(const rebasing *c, const em_line_change *of, em_line_change *range,
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
static em_status was_made_elsewhere(const rebasing *c, const em_line_change *of,
                                    const em_line_change *range, em_span lines, bool *made)
{
    rebasing elsewhere = *c;
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
    lines_of(c->side.text, &place, &lines);
    EM_TRY(em_weigh_changes(&elsewhere.side, &new, lines, &there));
    *made = there.changes < here.changes || em_weight_is_finer(there, here);
    return EM_OK;
}

/* ---- Lines that change places -----------------------------------------------------------------
 */

/* Does the change bring the lines that another one removes, and no more? */
static bool brings(const rebasing *c, const em_line_change *to, const em_line_change *of)
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
static bool changes_places(const rebasing *c, size_t index)
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
static em_status is_parted(const rebasing *c, size_t index, size_t at, bool below, bool *parted)
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
static em_status is_torn_away(const rebasing *c, const em_line_change *of, em_span lines,
                              bool *torn)
{
    *torn = false;
    if (!changes_places(c, (size_t)(of - c->changes)))
        return EM_OK;
    if (of->first > 0)
        EM_TRY(is_parted(c, of->first - 1, lines.start, false, torn));
    return *torn ? EM_OK : is_parted(c, of->end, lines.end, true, torn);
}

/* ---- All changes ----------------------------------------------------------------------------- */

em_status em_widen_until_unique(em_slice text, em_span *span)
{
    for (int i = 0; i <= MOST_WIDENING; i++) {
        em_needle needle;
        em_needle_init(&needle, em_slice_sub(text, span->start, span->end));
        /* One that overlaps it may be the first. */
        if (em_find_count(&needle, text) == 1 && em_find(&needle, text, 0) == span->start)
            return EM_OK;
        if (span->start == 0 && span->end == text.len)
            break;
        span->start = em_line_before(text, span->start);
        span->end = em_line_behind(text, span->end);
    }
    return EM_E_NO_MATCH;
}

/* How many lines of the search text are above a part of it, and how many below. */
static size_t lines_above(const rebasing *c, em_slice part)
{
    em_slice all = c->side.find.of.text;
    return em_gap_breaks(em_slice_sub(all, 0, (size_t)(part.ptr - all.ptr)));
}

static size_t lines_below(const rebasing *c, em_slice part)
{
    em_slice all = c->side.find.of.text;
    size_t end = (size_t)(part.ptr - all.ptr) + part.len;
    return em_gap_breaks(em_without_last_eol(em_slice_from(all, end)));
}

/* Changes come in order: the first says what is above all of them, the last what is below. */
static void note_lines_around(rebasing *c, const em_line_change *of, em_slice find)
{
    if (of == c->changes)
        c->above = lines_above(c, find);
    c->below = lines_below(c, find);
}

static size_t less(size_t a, size_t b)
{
    return a > b ? a - b : 0;
}

/* How many empty lines go with the first lines of the search text, or with the last: those between
 * them and what stays, but for those that the replacement has at that edge more than the search
 * text. */
static size_t empty_lines_to_go_at_edge(const rebasing *c, const em_line_change *of)
{
    const em_tokened_lines *find = &c->side.find, *insert = &c->side.insert;
    if (insert->count == 0)
        return 0;
    if (of->first == 0)
        return less(em_tokened_line_breaks(find, of->end) - 1,
                    less(em_tokened_breaks_at_start(insert), em_tokened_breaks_at_start(find)));
    return less(em_tokened_line_breaks(find, of->first) - 1,
                less(em_tokened_breaks_at_end(insert), em_tokened_breaks_at_end(find)));
}

/* Was the change before this one laid with the line above this one? Then it has laid what is
 * between the two as well. */
static bool is_laid_above(const rebasing *c, const em_line_change *of)
{
    return of->first > 0 && of->first == c->laid_to;
}

/* The line endings in front of a change that may go with it: one, but for those of empty lines. */
static size_t breaks_to_go_above(const rebasing *c, const em_line_change *of)
{
    bool none = of->first == 0 || is_laid_above(c, of);
    return none ? 1 : em_tokened_line_breaks(&c->side.find, of->first);
}

/* How many empty lines go with a change: above it, and where nothing comes for lines below it, too.
 */
static size_t empty_lines_to_go(const rebasing *c, const em_line_change *of)
{
    const em_tokened_lines *find = &c->side.find, *insert = &c->side.insert;
    bool goes = of->first_new == of->end_new, is_last = of->end == find->count;
    if (of->first == of->end || (of->first == 0 && !goes))
        return 0;
    size_t below = goes && !is_last ? em_tokened_line_breaks(find, of->end) - 1 : 0;
    if (is_laid_above(c, of))
        return below;
    if (goes && (of->first == 0 || is_last))
        return empty_lines_to_go_at_edge(c, of);
    return less(breaks_to_go_above(c, of) + below, em_tokened_line_breaks(insert, of->first_new));
}

/* The line endings in front of `start`, up to the token before; or behind `end`, from one before it
 * on. */
static size_t breaks_before(em_slice text, size_t start)
{
    em_token other = {0};
    em_token_previous(text, start, EM_FOLD_WRITING, &other);
    return em_gap_breaks(em_slice_sub(text, other.end, start));
}

static size_t breaks_behind(em_slice text, size_t end)
{
    em_token other = {.start = text.len};
    em_token_next(text, end, EM_FOLD_WRITING, &other);
    return 1 + em_gap_breaks(em_slice_sub(text, end, other.start));
}

/* Tokens are paired, and so empty lines have no part in what is found: those that go with a change
 * are added to its splice. *clear is false where the file has others than the search text. */
static em_status take_empty_lines(const rebasing *c, const em_line_change *of, em_splice *splice,
                                  bool *clear)
{
    em_slice text = c->side.text;
    size_t count = empty_lines_to_go(c, of), start = splice->offset;
    if (count == 0)
        return EM_OK;
    const em_tokened_lines *find = &c->side.find;
    bool is_last = of->end == find->count, goes = of->first_new == of->end_new;
    bool asks_above = of->first > 0 && !is_laid_above(c, of);
    size_t above = breaks_to_go_above(c, of), end = splice->offset + splice->length;
    *clear =
        em_begins_line(text, splice->offset, &start) &&
        (!asks_above || breaks_before(text, start) == above) &&
        (!goes || is_last || breaks_behind(text, end) == em_tokened_line_breaks(find, of->end));
    if (!*clear)
        return EM_OK;
    EM_TRY(em_arena_join(c->side.arena, em_slice_sub(text, start, splice->offset), splice->insert,
                         &splice->insert));
    for (; count > 0 && above > 1; count--, above--)
        start = em_line_before(text, start);
    for (; count > 0; count--)
        end = em_line_behind(text, end);
    *splice = (em_splice){start, end - start, splice->insert};
    return EM_OK;
}

/* Where the change is to be made: *range and its place, with *lines. *is: that is known, sound, it
 * was not made elsewhere, and tears nothing away. */
static em_status find_where_to_change(rebasing *c, const em_line_change *of, em_line_change *range,
                                      em_tolerant_place *place, em_span *lines, bool *is)
{
    bool made, torn = false;
    EM_TRY(find_change(c, of, range, place, is));
    *is = *is && lines_of(c->side.text, place, lines);
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

static em_status splice_of(rebasing *c, const em_line_change *of, em_splice *splice, bool *done)
{
    em_tolerant_place place = {.score = 1};
    em_line_change range;
    em_span lines;
    em_slice out;
    em_laying_verdict verdict;
    EM_TRY(find_where_to_change(c, of, &range, &place, &lines, done));
    if (!*done)
        return EM_OK;
    note_lines_around(c, of, place.find);
    if (place.insert.len == 0 && lines_of(c->side.text, &place, &lines)) {
        *splice = (em_splice){.offset = lines.start, .length = lines.end - lines.start};
        return take_empty_lines(c, of, splice, done); /* lines that go, go with their ending */
    }
    place.repeats_crs = em_slice_has_byte(c->side.find.of.text, '\r');
    EM_TRY(em_adjust_place_edges(c->side.text, (em_places){&place, 1}, c->side.arena));
    EM_TRY(em_lay_judged(c->side.text, &place, c->dominant, c->side.deadline, c->side.arena, &out,
                         &verdict));
    *splice = (em_splice){place.span.start, place.span.end - place.span.start, out};
    *done = verdict == EM_LAY_CHANGES;
    if (*done)
        EM_TRY(take_empty_lines(c, of, splice, done));
    c->laid_to = range.end;
    return EM_OK;
}

/* The lines that a span touches, with the last ending. */
static em_span whole_lines(em_slice text, em_span span)
{
    if (span.start > 0 && em_eol_at(text, span.start - 1) == EM_EOL_NONE)
        span.start = em_line_before(text, span.start);
    if (span.end == span.start || em_eol_at(text, span.end - 1) == EM_EOL_NONE)
        span.end = em_line_behind(text, span.end);
    return span;
}

/* As many lines around a place as the search text has. */
static em_span lines_around(const rebasing *c, em_span place)
{
    em_span part = em_alignment_part(&c->side);
    for (size_t i = 0; i < c->above && place.start > part.start; i++)
        place.start = em_line_before(c->side.text, place.start);
    for (size_t i = 0; i < c->below && place.end < part.end; i++)
        place.end = em_line_behind(c->side.text, place.end);
    return place;
}

/* False where the span is not of the part that is searched, or nothing makes it unique there. */
static bool widen_in_part(const rebasing *c, em_span *span)
{
    em_span part = em_alignment_part(&c->side);
    if (span->start < part.start || span->end > part.end)
        return false;
    em_span found = {span->start - part.start, span->end - part.start};
    bool is_unique = em_widen_until_unique(c->in->text, &found) == EM_OK;
    *span = (em_span){found.start + part.start, found.end + part.start};
    return is_unique;
}

/* One stretch of the text, from the first change to the last. */
static em_status join(const rebasing *c, const em_splice *splices, em_rebased *rebased, bool *done)
{
    size_t last = c->change_count - 1;
    em_span span = {splices[0].offset, splices[last].offset + splices[last].length};
    for (size_t i = 1; i <= last; i++)
        if (splices[i].offset < splices[i - 1].offset + splices[i - 1].length)
            *done = false;
    rebased->place = whole_lines(c->side.text, span);
    rebased->around = lines_around(c, rebased->place);
    *done = *done && widen_in_part(c, &span);
    if (!*done)
        return EM_OK;
    em_splice *shifted = em_alloc_array(c->side.arena, c->change_count, sizeof *shifted);
    if (!shifted)
        return EM_E_NOMEM;
    for (size_t i = 0; i <= last; i++) {
        shifted[i] = splices[i];
        shifted[i].offset -= span.start;
    }
    rebased->span = span;
    return em_splices_apply(em_slice_sub(c->side.text, span.start, span.end),
                            (em_splices){shifted, c->change_count}, c->side.arena,
                            &rebased->insert);
}

static em_status rebase_changes(rebasing *c, em_rebased *rebased, bool *done)
{
    em_splice splices[MOST_CHANGES] = {0};
    *done = true;
    for (size_t i = 0; i < c->change_count && *done; i++)
        EM_TRY(splice_of(c, &c->changes[i], &splices[i], done));
    return *done ? join(c, splices, rebased, done) : EM_OK;
}

static em_status rebase_once(rebasing *c, em_slice find, em_slice insert, em_rebased *rebased,
                             bool *done)
{
    bool changed;
    *done = false;
    c->outcome = (em_change_outcome){.other_place = {.line = EM_NPOS}};
    c->change_count = 0;
    c->laid_to = EM_NPOS;
    EM_TRY(em_tokened_lines_init(&c->side.find, find, c->side.arena));
    EM_TRY(em_tokened_lines_init(&c->side.insert, insert, c->side.arena));
    EM_TRY(find_changes(c, &changed));
    if (!changed || borders_on_others(c))
        return EM_OK;
    c->side.band = LEAST_BAND + c->side.find.count / LINES_PER_CHANGE;
    c->side.band = c->side.band < EM_MOST_BAND ? c->side.band : EM_MOST_BAND;
    return rebase_changes(c, rebased, done);
}

/* Where else the edit may be meant. */
static void tell_other_place(rebasing *c, em_rebased *rebased)
{
    size_t line = c->outcome.other_place.line;
    em_slice sent = em_tokened_line_range(&c->side.find, line, line + 1);
    c->above = lines_above(c, sent);
    c->below = lines_below(c, sent);
    rebased->place = c->outcome.other_place.span;
    rebased->around = lines_around(c, rebased->place);
}

em_status em_rebase(em_occurrences *in, em_slice find, em_slice insert, em_eol dominant,
                    em_deadline *deadline, em_arena *arena, em_rebased *rebased, bool *done)
{
    rebasing c = {.in = in,
                  .side = {.text = em_occurrences_all_of_file(in),
                           .before = in->before,
                           .behind = in->behind,
                           .deadline = deadline,
                           .arena = arena},
                  .dominant = dominant};
    EM_TRY(rebase_once(&c, find, insert, rebased, done));
    int most = leaves_out(&c) ? 0 : MOST_ROUNDS; /* what was left out may have been made, too */
    for (int i = 0; i < most && !*done && c.outcome.mended.ptr; i++)
        EM_TRY(rebase_once(&c, c.outcome.mended, insert, rebased, done));
    if (!*done)
        *rebased = (em_rebased){0};
    if (!*done && c.outcome.other_place.line != EM_NPOS)
        tell_other_place(&c, rebased);
    return EM_OK;
}

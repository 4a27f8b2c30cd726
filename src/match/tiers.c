#include "match/tiers.h"

#include "base/ascii.h"
#include "base/line.h"
#include "match/escaped_breaks.h"
#include "match/fuzzy.h"
#include "match/midline.h"
#include "match/token_line.h"
#include "match/unwrap.h"
#include "text/count.h"
#include "text/search.h"
#include "tokens/kept.h"

/* By how much the winner of the fuzzy tier must lead. */
static const double CLEAR_LEAD = 0.05;

typedef struct locator {
    em_occurrences *in;
    em_deadline *deadline;
    em_arena *arena;
    em_located *located;
    em_slice find, insert; /* as they came */
} locator;

/* Are the lines of the place as deep as those of its search text? */
static bool is_as_deep(em_slice text, const em_tolerant_place *place)
{
    em_tokened find = em_place_find(place);
    em_slice wanted, seen;
    for (size_t i = 0; i < find.tokens.count; i++)
        if (em_line_indent(find, i, &wanted) && em_seen_indent(text, place, i, &seen) &&
            !em_slice_eq(wanted, seen))
            return false;
    return true;
}

/* The only place, or one that overlaps it: is one of these alone as deep as the search text? Then
 * that is meant. NULL: it is not clear. */
static const em_tolerant_place *only_as_deep(em_slice text, const em_tolerant_places *all)
{
    const em_tolerant_place *deep = NULL;
    for (size_t i = 0; i <= all->overlapping.count; i++) {
        const em_tolerant_place *place =
            i > 0 ? &all->overlapping.items[i - 1] : &all->found.items[0];
        if (!is_as_deep(text, place))
            continue;
        if (deep)
            return NULL;
        deep = place;
    }
    return all->overlapping.count < EM_MOST_OVERLAPPING ? deep : NULL;
}

/* The only place from left to right is no better than those that overlap it. Of several that are
 * counted, those from left to right count, as for the exact tier. */
static void settle_overlapping(em_slice text, em_tolerant_places *all, em_located *located)
{
    located->places = all->found;
    located->runner_up = 0;
    if (all->found.count != 1 || all->overlapping.count == 0)
        return;
    const em_tolerant_place *meant = only_as_deep(text, all);
    located->runner_up = meant ? 0 : all->overlapping.items[0].score;
    located->runner_up_at = all->overlapping.items[0].span;
    if (meant)
        located->places.items[0] = *meant;
}

/* Where the search text stands at places, too, that the edit cannot be laid onto, it may be meant
 * there all the same, and nobody knows which one is: as little as the exact tier would. */
static void settle_others(em_span other, em_located *located)
{
    if (located->places.count == 0 || other.start == other.end || located->runner_up > 0)
        return;
    located->runner_up = 1;
    located->runner_up_at = other;
}

/* One tier of tokens; *done when it found something. */
static em_status try_tokens(locator *l, em_slice find, em_slice insert, em_fold fold, em_tier tier,
                            em_miss miss, bool *done)
{
    em_tolerant_places all;
    em_span other;
    em_status status = em_tolerant_find_all(l->in, find, insert, fold, l->deadline, l->arena, &all);
    l->located->places = all.found;
    EM_TRY(status);
    EM_TRY(em_midline_keep(em_occurrences_and_behind(l->in), &all.found, &other));
    EM_TRY(em_midline_keep(em_occurrences_and_behind(l->in), &all.overlapping, NULL));
    settle_overlapping(l->in->text, &all, l->located);
    settle_others(other, l->located);
    l->located->tier = tier;
    l->located->miss = miss;
    *done = l->located->places.count > 0;
    return EM_OK;
}

/* Of the places that were found only those of whole lines, but for the start of the first one of a
 * text that is headless. */
static void keep_whole_lines(em_slice text, bool headless, em_places *places)
{
    size_t kept = 0, unused;
    for (size_t i = 0; i < places->count; i++) {
        const em_tolerant_place *place = &places->items[i];
        if ((headless || em_begins_line(text, place->tokens[0].start, &unused)) &&
            em_ends_line(text, place->tokens[place->find_tokens.count - 1].end, place->fold,
                         &unused))
            places->items[kept++] = *place;
    }
    places->count = kept;
}

/* Whatever ends them: an empty line between a CR and its LF has no text. */
static size_t lines_with_text(em_slice s)
{
    size_t count = 0;
    while (s.len > 0) {
        size_t length = em_line_length(s);
        count += em_trimmed(em_slice_sub(s, 0, length)).len > 0;
        s = em_slice_from(s, em_least(length + 1, s.len));
    }
    return count;
}

void em_keep_with_breaks(em_slice text, em_slice find, em_places *places)
{
    size_t kept = 0, lines = lines_with_text(find);
    for (size_t i = 0; i < places->count; i++) {
        em_span span = places->items[i].span;
        if (lines_with_text(em_slice_sub(text, span.start, span.end)) == lines)
            places->items[kept++] = places->items[i];
    }
    places->count = kept;
}

/* The search text's line breaks came as escapes, and those of the replacement did not: not where it
 * has some real ones beside some that are escaped as well. */
static bool breaks_tell(const locator *l, const em_reading *reading)
{
    return em_slice_has_byte(reading->find, '\n') && !em_slice_has_byte(l->find, '\n') &&
           em_slice_has_byte(l->insert, '\n') && !em_has_escaped_breaks(l->find, l->insert);
}

/* Entities and escapes were undone in the replacement, too. But where that came without the
 * mistake, this spoilt what it has of the file's own ones: then the replacement is taken as it
 * came. */
static em_status keep_unwrapped(const locator *l, const em_reading *reading)
{
    bool undone = reading->miss == EM_MISS_ENTITIES || reading->miss == EM_MISS_ESCAPES;
    if (!undone || em_slice_eq(reading->insert, l->insert))
        return EM_OK;
    for (size_t i = 0; i < l->located->places.count; i++) {
        EM_AUTO(em_arena) scratch = {0};
        em_tolerant_place *place = &l->located->places.items[i];
        em_slice seen = em_slice_sub(l->in->text, place->span.start, place->span.end);
        em_kept pairs, lines;
        EM_TRY(em_kept_pairs(seen, reading->insert, l->insert, &scratch, &pairs));
        EM_TRY(em_kept_lines(seen, reading->insert, l->insert, &scratch, &lines));
        bool better = pairs.only_b + lines.only_b > 0 || breaks_tell(l, reading);
        if (better && pairs.only_a + lines.only_a == 0)
            place->insert = l->insert;
    }
    return EM_OK;
}

/* Try a reading at one tier; *done when that found something. */
typedef em_status try_reading(locator *l, const em_reading *reading, bool *done);

static em_status try_tokens_of(locator *l, const em_reading *reading, bool *done)
{
    static const em_fold folds[] = {EM_FOLD_NOTHING, EM_FOLD_WRITING};
    for (size_t i = 0; i < 2 && !*done; i++) {
        EM_TRY(try_tokens(l, reading->find, reading->insert, folds[i], EM_TIER_TOKEN, reading->miss,
                          done));
        if (reading->whole_lines)
            keep_whole_lines(l->in->text, reading->headless, &l->located->places);
        if (reading->is_unescaped)
            em_keep_with_breaks(l->in->text, reading->find, &l->located->places);
        *done = l->located->places.count > 0;
    }
    return keep_unwrapped(l, reading);
}

static em_status try_fuzzy(locator *l, const em_reading *reading, bool *done)
{
    EM_TRY(em_fuzzy_find(l->in, reading->find, reading->insert, l->deadline, l->arena, l->located));
    EM_TRY(em_midline_keep(em_occurrences_and_behind(l->in), &l->located->places, NULL));
    *done = l->located->places.count > 0;
    return keep_unwrapped(l, reading);
}

/* How many lines of the places are as deep as those of their search text? */
static size_t lines_as_deep(em_slice text, em_places places)
{
    size_t count = 0;
    for (size_t i = 0; i < places.count; i++) {
        em_tokened find = em_place_find(&places.items[i]);
        em_slice wanted, seen;
        for (size_t j = 0; j < find.tokens.count; j++)
            count += em_line_indent(find, j, &wanted) &&
                     em_seen_indent(text, &places.items[i], j, &seen) && em_slice_eq(wanted, seen);
    }
    return count;
}

static bool are_as_deep(em_slice text, em_places places)
{
    for (size_t i = 0; i < places.count; i++)
        if (!is_as_deep(text, &places.items[i]))
            return false;
    return true;
}

static em_slice first_indent(em_slice s)
{
    size_t end = (size_t)(em_trimmed(s).ptr - s.ptr), start = end;
    while (start > 0 && em_is_space_or_tab(s.ptr[start - 1]))
        start--;
    return em_slice_sub(s, start, end);
}

/* Does the replacement begin as deep as the places, so that it came as it is to be? */
static bool begins_as_deep(const locator *l, em_slice insert)
{
    em_slice seen, indent = first_indent(insert);
    if (em_trimmed(insert).len == 0)
        return false;
    for (size_t i = 0; i < l->located->places.count; i++)
        if (!em_seen_indent(l->in->text, &l->located->places.items[i], 0, &seen) ||
            !em_slice_eq(seen, indent))
            return false;
    return true;
}

/* Is what a reading that must fit has found, and does not, nothing? Not where no lines come, or
 * such as deep as the place. */
static bool is_misfit(const em_reading *reading, bool is_deep)
{
    return reading->must_fit && !is_deep && em_trimmed(reading->insert).len > 0;
}

/* Do they differ in whether a blank belongs to a line's number or to its indentation? */
static bool is_twin(const em_reading *reading, const em_reading *first)
{
    bool are_both_open =
        reading->is_open && first->is_open && reading->miss == first->miss; /* the same wrapping */
    return reading->whole_lines &&
           (are_both_open || reading->must_fit || em_slice_eq(reading->insert, first->insert));
}

/* Does a place stand at the line that the search text's first number says? */
static bool is_at_number(const em_occurrences *in, const em_numbering *numbering,
                         const em_tolerant_place *place)
{
    em_slice all = em_occurrences_all_of_file(in);
    return em_count_lfs(all, 0, in->before + place->tokens[0].start) + 1 == numbering->first;
}

/* Where a line of the file itself begins with the first number that was taken off, or has another
 * one before what was behind such a number, this line may be meant; but not where the numbers are
 * those of the lines that were found. (Of an excerpt nobody knows.) */
static void settle_numbered(const em_reading *reading, em_occurrences *in, em_located *located)
{
    const em_numbering *numbering = &reading->numbering;
    if (numbering->style == EM_NUMBER_NONE)
        return;
    in->falls_short |= in->is_excerpt;
    for (size_t i = 0; i < located->places.count; i++)
        if (is_at_number(in, numbering, &located->places.items[i]))
            return;
    em_slice own = em_own_number_meant(in->text, reading->find, numbering);
    if (own.len > 0) {
        located->runner_up = 1;
        located->runner_up_at.start = (size_t)(own.ptr - in->text.ptr);
        located->runner_up_at.end = located->runner_up_at.start + own.len;
    }
}

/* The first reading that finds something. Of twins it is the one that is indented as the file is,
 * or has more lines so, or else the one whose replacement is, if one of them is. Where neither is,
 * and the replacement does not tell them apart, lines that come new would have one blank too many
 * or too few: nothing is found then. */
static em_status try_readings(locator *l, const em_readings *readings, try_reading *try, bool *done)
{
    const em_reading *first = NULL;
    em_located found = {0};
    bool is_found_deep = false;
    size_t found_fits = 0;
    for (size_t i = 0; i < readings->count && !*done; i++) {
        const em_reading *reading = &readings->items[i];
        if (first && !is_twin(reading, first))
            continue;
        EM_TRY(try(l, reading, done));
        if (*done)
            settle_numbered(reading, l->in, l->located);
        if (!*done || !reading->whole_lines || are_as_deep(l->in->text, l->located->places))
            continue;
        *done = false;
        bool is_deep = begins_as_deep(l, reading->insert);
        if (is_misfit(reading, is_deep)) {
            l->located->places.count = 0;
            continue;
        }
        size_t fits = lines_as_deep(l->in->text, l->located->places);
        bool is_better = fits > found_fits || (fits == found_fits && is_deep && !is_found_deep);
        if (!first || is_better) {
            found = *l->located;
            found_fits = fits;
            is_found_deep = is_deep;
        }
        first = first ? first : reading;
    }
    if (first && !*done)
        *l->located = found;
    *done |= first != NULL;
    return EM_OK;
}

/* To the byte; LFs also stand for other line endings. */
static bool is_same_text(em_slice seen, em_slice find)
{
    return em_slice_eq(seen, find) ||
           (em_slice_has_byte(find, '\n') && !em_slice_has_byte(find, '\r') &&
            em_any_eol_at(find, seen, 0) == seen.len);
}

/* Is this the text of the place, with its indentation, to the byte? */
static bool is_written(em_slice text, const em_tolerant_place *place, em_slice find)
{
    em_slice indent = {0};
    em_seen_indent(text, place, 0, &indent);
    size_t start = place->tokens[0].start - indent.len;
    while (find.len > 0 && em_is_white_space(find.ptr[find.len - 1]))
        find.len--;
    size_t end = place->tokens[place->find_tokens.count - 1].end;
    return is_same_text(em_slice_sub(text, start, end), find);
}

static bool is_any_reading(em_slice text, const em_tolerant_place *place, const em_readings *all)
{
    for (size_t i = 0; i < all->count; i++)
        if (is_written(text, place, all->items[i].find))
            return true;
    return false;
}

/* What a wrapping held counts as it would have without: where it stands to the byte at some of the
 * places, and no reading of it at the others, these are not meant. */
static void prefer_written(em_slice text, const em_readings *readings, em_places *places)
{
    size_t kept = 0;
    for (size_t i = 0; i < places->count; i++) {
        em_tolerant_place *place = &places->items[i];
        bool is = is_written(text, place, place->find);
        if (!is && is_any_reading(text, place, readings))
            return;
        kept += is;
    }
    if (kept == 0)
        return;
    kept = 0;
    for (size_t i = 0; i < places->count; i++)
        if (is_written(text, &places->items[i], places->items[i].find))
            places->items[kept++] = places->items[i];
    places->count = kept;
}

em_status em_tiers_locate(em_occurrences *in, em_slice find, em_slice insert, em_tier most,
                          em_deadline *deadline, em_arena *arena, em_located *located)
{
    locator l = {in, deadline, arena, located, find, insert};
    em_reading given = {.find = find, .insert = insert};
    em_readings readings;
    bool done = false;
    *located = (em_located){0};
    if (em_slice_has_byte(find, '\0'))
        return EM_OK;
    if (most >= EM_TIER_WHITESPACE)
        EM_TRY(try_tokens(&l, find, insert, EM_FOLD_NOTHING, EM_TIER_WHITESPACE, EM_MISS_UNKNOWN,
                          &done));
    if (done || most < EM_TIER_TOKEN)
        return EM_OK;
    EM_TRY(try_tokens(&l, find, insert, EM_FOLD_WRITING, EM_TIER_TOKEN, EM_MISS_UNKNOWN, &done));
    if (done)
        return EM_OK;
    EM_TRY(em_readings_of(find, insert, arena, &readings));
    EM_TRY(try_readings(&l, &readings, try_tokens_of, &done));
    if (done)
        prefer_written(in->text, &readings, &located->places);
    if (done || most < EM_TIER_FUZZY)
        return EM_OK;
    EM_TRY(try_fuzzy(&l, &given, &done));
    const em_similar_place_list *near = located->near; /* of the text as it was sent */
    em_status status = done ? EM_OK : try_readings(&l, &readings, try_fuzzy, &done);
    located->near = near;
    return status;
}

bool em_located_is_clear(const em_located *located, size_t expect)
{
    if (expect == EM_EVERY || expect > located->places.count)
        return true;
    if (located->tier != EM_TIER_FUZZY)
        return located->runner_up <= 0;
    double worst = located->places.items[expect - 1].score;
    double next = located->runner_up;
    if (located->places.count > expect && located->places.items[expect].score > next)
        next = located->places.items[expect].score;
    return worst - next >= CLEAR_LEAD;
}

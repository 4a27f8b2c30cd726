/* diagnose.c: why a search text was not found, question by question.
 *
 * First by what a tolerant tier found although it may change nothing; else by another case of
 * letters, by places that look like the text, by a stale context; and each of these tells, where it
 * is clear, what to send. */
#include "diagnosis/diagnose_impl.h"

#include "base/ascii.h"
#include "base/line.h"
#include "diagnosis/cut_place.h"
#include "diagnosis/escaped_layout.h"
#include "diagnosis/json_string.h"
#include "diagnosis/near_miss.h"
#include "diagnosis/patch_place.h"
#include "diagnosis/patch_signs.h"
#include "diagnosis/rebase.h"
#include "diagnosis/trace.h"
#include "diagnosis/unescaped.h"
#include "diagnosis/whole_change.h"
#include "laying/artifact.h"
#include "match/elision.h"
#include "match/midline.h"
#include "match/numbering.h"
#include "match/place_edges.h"
#include "match/similar_places.h"
#include "match/tiers.h"
#include "match/unwrap.h"
#include "text/folded.h"
#include "text/search.h"
#include "tokens/redline.h"
#include "tokens/telling.h"

/* A line is taken for a place that is so much like it, and all others by so much less. */
#define LEAST_NEAR_MISS 0.85
#define LEAST_NEAR_MISS_OF_LINES 0.95
#define NEAR_MISS_LEAD 0.1

static bool as_expected(const em_question *q, size_t count)
{
    return q->expect == EM_EVERY ? count > 0 : count == q->expect;
}

/* Is letter case all that its words differ in? Not where they do not differ, and a sign alone was
 * lost. */
static bool differs_in_case(em_slice text, const em_tolerant_place *place)
{
    em_tokened find = em_place_find(place);
    bool differs = false;
    for (size_t i = 0; i < find.tokens.count; i++) {
        em_slice wanted = em_tokened_token(find, i), seen = em_token_bytes(text, place->tokens[i]);
        if (!em_same_in_any_case(wanted, seen))
            return false;
        differs |= !em_slice_eq(wanted, seen);
    }
    return differs;
}

static em_status explain_located(const em_question *q, em_arena *arena, em_diagnosis *d)
{
    const em_located *located = q->located;
    if (!as_expected(q, located->places.count) || !em_located_is_clear(located, q->expect)) {
        d->miss = EM_MISS_SEVERAL_PLACES;
        return EM_OK;
    }
    const em_tolerant_place *first = &located->places.items[0];
    d->miss = located->miss;
    if (em_place_has_artifact(q->text, first))
        d->miss = EM_MISS_ARTIFACT;
    else if (d->miss == EM_MISS_UNKNOWN)
        d->miss = em_miss_of_place(q->text, first);
    else if (d->miss == EM_MISS_TYPO && differs_in_case(q->text, first))
        d->miss = EM_MISS_CASE;
    EM_TRY(em_correct_places(q, &located->places, arena, d));
    d->is_tolerable = d->has_correction;
    return EM_OK;
}

/* How often the replacement stands there as whole lines, in whatever writing, and where it does so
 * first. That need not tell that the edit was made, as of one that only takes lines away: what it
 * leaves may always have stood there. But what may have been made there must not be made anywhere
 * else. */
static em_status find_made(const em_question *q, em_arena *arena, size_t *count, em_span *where)
{
    em_places places;
    size_t unused;
    EM_TRY(em_tolerant_find_in(q->in, q->insert, (em_slice){0}, EM_FOLD_WRITING, q->deadline, arena,
                               &places));
    *count = 0;
    for (size_t i = 0; i < places.count; i++) {
        const em_tolerant_place *place = &places.items[i];
        size_t last = place->find_tokens.count - 1;
        if (!em_begins_line(q->in->text, place->tokens[0].start, &unused) ||
            !em_ends_line(q->in->text, place->tokens[last].end, place->fold, &unused))
            continue;
        if (*count == 0)
            *where = em_moved_span(place->span, q->part.start);
        ++*count;
    }
    return EM_OK;
}

/* Does it stand there as it is, but not in the lines that were searched? */
static bool stands_beside(const em_question *q)
{
    return em_is_restricted(q) && em_count_literally(q->text, q->find) > 0;
}

/* The same in another case; a replacement of some length that stands there as it is was made there.
 */
static em_status explain_case(const em_question *q, em_arena *arena, em_places *places,
                              em_diagnosis *d)
{
    size_t made = 0;
    em_span where;
    if (stands_beside(q))
        return EM_OK;
    EM_TRY(
        em_tolerant_find_in(q->in, q->find, q->insert, EM_FOLD_CASE, q->deadline, arena, places));
    EM_TRY(em_midline_keep(em_occurrences_and_behind(q->in), places, NULL));
    em_places_move(*places, q->part.start);
    if (places->count == 0)
        return EM_OK;
    d->miss = EM_MISS_CASE;
    EM_TRY(em_adjust_place_edges(q->text, *places, arena));
    em_adjust_last_line_edge(q->text, q->within, *places);
    if (em_is_telling(q->insert))
        EM_TRY(find_made(q, arena, &made, &where));
    if (made > 0 || !as_expected(q, places->count))
        return EM_OK;
    for (size_t i = 0; i < places->count; i++)
        EM_TRY(em_spell_as_file(q->text, &places->items[i], arena));
    return em_correct_places(q, places, arena, d);
}

/* Where texts stand that are the caller's but for what was mended, in whatever writing. */
static em_status find_mended(const em_question *q, const em_near_miss *mended, em_arena *arena,
                             em_places *places)
{
    EM_TRY(em_tolerant_find_in(q->in, mended->find, mended->insert, EM_FOLD_WRITING, q->deadline,
                               arena, places));
    EM_TRY(em_midline_keep(em_occurrences_and_behind(q->in), places, NULL));
    em_places_move(*places, q->part.start);
    EM_TRY(em_adjust_place_edges(q->text, *places, arena));
    em_adjust_last_line_edge(q->text, q->within, *places);
    return EM_OK;
}

/* Escapes for what the file has without them, or the other way round, as `mended`. What is to
 * become of those of the replacement may not be `clear`: then it is told all the same what is
 * wrong. */
static em_status explain_mended(const em_question *q, const em_near_miss *mended, em_miss miss,
                                bool clear, em_arena *arena, em_places *places, em_diagnosis *d)
{
    em_places found;
    EM_TRY(find_mended(q, mended, arena, &found));
    if (found.count == 0 || !as_expected(q, found.count))
        return EM_OK;
    *places = found;
    d->miss = miss;
    return clear ? em_correct_places(q, places, arena, d) : EM_OK;
}

/* Line breaks, or tabs, where the file has their escapes. */
static em_status explain_unescaped(const em_question *q, em_arena *arena, em_places *places,
                                   em_diagnosis *d)
{
    em_near_miss mended;
    bool is, clear;
    if (stands_beside(q))
        return EM_OK;
    EM_TRY(em_unescaped_of(q->in->text, q->find, q->insert, arena, &mended, &is, &clear));
    return is ? explain_mended(q, &mended, EM_MISS_UNESCAPED, clear, arena, places, d) : EM_OK;
}

/* A JSON string, its quotes with it, where the file has what it stands for. */
static em_status explain_json_string(const em_question *q, em_arena *arena, em_places *places,
                                     em_diagnosis *d)
{
    em_near_miss mended;
    bool is, clear;
    if (stands_beside(q))
        return EM_OK;
    EM_TRY(em_json_string_of(q->find, q->insert, arena, &mended, &is, &clear));
    return is ? explain_mended(q, &mended, EM_MISS_ESCAPES, clear, arena, places, d) : EM_OK;
}

/* Does each of the places begin where a line does, and end where one does? */
static bool are_whole_lines(const em_question *q, const em_places *places)
{
    size_t unused;
    for (size_t i = 0; i < places->count; i++) {
        const em_tolerant_place *place = &places->items[i];
        size_t last = place->find_tokens.count - 1;
        if (!em_begins_line(q->text, place->tokens[0].start, &unused) ||
            !em_ends_line(q->text, place->tokens[last].end, place->fold, &unused))
            return false;
    }
    return true;
}

/* Does a text stand there as often as expected, each time in whole lines? */
static bool are_expected_lines(const em_question *q, const em_places *places)
{
    return places->count > 0 && as_expected(q, places->count) && are_whole_lines(q, places);
}

/* Where the file has a text of which the layout is no longer escaped, as whole lines; or what that
 * had in a code fence, or behind line numbers. *clear becomes false where it is not plain which
 * blanks belong to the numbers, or whether an escape of a tab, which is only undone at the start of
 * a line, stands at one. */
static em_status find_in_wrapping(const em_question *q, const em_near_miss *mended, em_arena *arena,
                                  em_places *found, bool *clear)
{
    em_readings readings;
    EM_TRY(em_readings_of(mended->find, mended->insert, arena, &readings));
    for (size_t i = 0; i < readings.count; i++) {
        const em_reading *reading = &readings.items[i];
        em_near_miss plain = {reading->find, reading->insert};
        if (reading->is_unescaped)
            continue;
        EM_TRY(find_mended(q, &plain, arena, found));
        em_keep_with_breaks(q->text, plain.find, found);
        if (!are_expected_lines(q, found))
            continue;
        *clear &= !reading->must_fit && !em_slice_holds(q->insert, EM_LIT("\\t"));
        return EM_OK;
    }
    found->count = 0;
    return EM_OK;
}

/* Line breaks and indentation as escapes, beside escapes of the file's own or of the replacement's.
 */
static em_status try_escaped_layout(const em_question *q, bool in_quotes, em_arena *arena,
                                    em_places *places, em_diagnosis *d)
{
    em_near_miss mended;
    em_places found;
    bool is, clear;
    EM_TRY(em_escaped_layout_of(q->find, q->insert, in_quotes, arena, &mended, &is, &clear));
    if (!is)
        return EM_OK;
    EM_TRY(find_mended(q, &mended, arena, &found));
    em_keep_with_breaks(q->text, mended.find, &found);
    if (found.count == 0)
        EM_TRY(find_in_wrapping(q, &mended, arena, &found, &clear));
    if (found.count == 0 || !as_expected(q, found.count))
        return EM_OK;
    *places = found;
    d->miss = EM_MISS_ESCAPES;
    d->doubts_escapes = !clear;
    return clear ? em_correct_places(q, places, arena, d) : EM_OK;
}

static em_status explain_escaped_layout(const em_question *q, em_arena *arena, em_places *places,
                                        em_diagnosis *d)
{
    if (stands_beside(q))
        return EM_OK;
    EM_TRY(try_escaped_layout(q, false, arena, places, d));
    return d->miss == EM_MISS_UNKNOWN ? try_escaped_layout(q, true, arena, places, d) : EM_OK;
}

/* The two sides of a patch, with its signs. (Where no line goes, the lines that stay may have been
 * found, with a blank too many before each.) */
static em_status explain_patch(const em_question *q, em_arena *arena, em_places *places,
                               em_diagnosis *d)
{
    em_near_miss mended;
    em_places found;
    bool is;
    if (stands_beside(q))
        return EM_OK;
    EM_TRY(em_patch_signs_of(q->find, q->insert, arena, &mended, &is));
    if (!is)
        return EM_OK;
    EM_TRY(find_mended(q, &mended, arena, &found));
    if (!are_expected_lines(q, &found))
        return EM_OK;
    *places = found;
    d->miss = EM_MISS_PATCH;
    return em_correct_places(q, places, arena, d);
}

/* All of a change, which has both sides in it. */
static em_status explain_change(const em_question *q, em_arena *arena, em_places *places,
                                em_diagnosis *d)
{
    em_whole_change whole;
    em_places found;
    if (!q->replaces || stands_beside(q))
        return EM_OK;
    EM_TRY(em_whole_change_of(q->find, q->insert, arena, &whole));
    if (!whole.is)
        return EM_OK;
    EM_TRY(find_mended(q, &whole.sides, arena, &found));
    em_keep_with_breaks(q->text, whole.sides.find, &found);
    if (!are_expected_lines(q, &found))
        return EM_OK;
    *places = found;
    d->miss = EM_MISS_CHANGE;
    d->misses_end = whole.is_cut;
    /* what the first place is below all others are, too */
    whole.is_clear &= em_patch_place_missed(q->text, found.items[0].span, whole.heads).len == 0;
    return whole.is_clear ? em_correct_places(q, places, arena, d) : EM_OK;
}

/* Several of them, in a file that has no such text itself. Each is an edit of its own. */
static void explain_changes(const em_question *q, em_diagnosis *d)
{
    em_slice rest = em_trimmed(q->find), first = em_take_line(&rest);
    if (q->replaces && !stands_beside(q) && em_is_of_several_changes(q->find) &&
        !em_slice_holds(q->text, first))
        d->miss = EM_MISS_CHANGES;
}

/* Line numbers that the file has not, where the replacement has lines both with theirs and without.
 */
static em_status explain_numbers(const em_question *q, em_arena *arena, em_places *places,
                                 em_diagnosis *d)
{
    em_numbering numbering;
    em_near_miss plain = {.insert = q->insert};
    em_places found;
    bool is =
        em_numbering_of(q->find, &numbering) || em_numbering_behind_first(q->find, &numbering);
    if (!is || stands_beside(q))
        return EM_OK;
    EM_TRY(em_without_numbers(q->find, &numbering, arena, &plain.find));
    EM_TRY(find_mended(q, &plain, arena, &found));
    if (!are_expected_lines(q, &found))
        return EM_OK;
    *places = found;
    d->miss = EM_MISS_LINE_NUMBERS;
    d->doubts_numbers = true;
    return EM_OK;
}

/* Does the replacement leave out the same as the search text, of which it is doubtful where it is
 * meant to end? Then that is the place. */
static em_status find_doubtful(const em_question *q, em_arena *arena, em_located *located,
                               bool *is_doubtful)
{
    bool elides;
    EM_TRY(em_elision_find(q->in, q->find, q->insert, q->deadline, arena, located, &elides));
    *is_doubtful =
        elides && located->places.count == 1 && located->places.items[0].elided->is_doubtful;
    return EM_OK;
}

/* A line that stands for others, and one end of them alone to be changed: that is the edit. */
static em_status explain_changed_end(const em_question *q, em_arena *arena, em_places *places,
                                     em_diagnosis *d)
{
    em_near_miss end;
    bool is;
    EM_TRY(em_elision_changed_end(q->in, q->find, q->insert, q->deadline, arena, &end.find,
                                  &end.insert, &is));
    return is ? explain_mended(q, &end, EM_MISS_ELIDED, true, arena, places, d) : EM_OK;
}

/* A line that stands for others, which the replacement does not leave out: it may have forgotten
 * them, or mean to remove them. Or it does, and they are not those of one block. */
static em_status explain_elided(const em_question *q, em_arena *arena, em_places *places,
                                em_diagnosis *d)
{
    em_located located = {.tier = EM_TIER_FUZZY};
    bool elides = true, is_doubtful;
    if (q->expect > 1 || stands_beside(q))
        return EM_OK;
    EM_TRY(find_doubtful(q, arena, &located, &is_doubtful));
    if (!is_doubtful)
        EM_TRY(em_elision_find(q->in, q->find, q->find, q->deadline, arena, &located, &elides));
    EM_TRY(em_midline_keep(em_occurrences_and_behind(q->in), &located.places, NULL));
    if (elides && located.places.count == 0)
        return explain_changed_end(q, arena, places, d);
    if (!elides || located.places.count != 1)
        return EM_OK;
    *places = located.places;
    em_places_move(*places, q->part.start);
    d->miss = EM_MISS_ELIDED;
    d->drops_elided = !is_doubtful;
    d->doubts_elided = is_doubtful;
    return EM_OK;
}

/* A text that lacks what its line has beside it, and a replacement that has that. */
static em_status explain_cut_place(const em_question *q, em_arena *arena, em_places *places,
                                   em_diagnosis *d)
{
    em_near_miss mended;
    bool is;
    if (q->expect > 1 || stands_beside(q))
        return EM_OK;
    EM_TRY(em_cut_place_of(q->in, q->find, q->insert, q->deadline, arena, &mended, &is));
    return is ? explain_mended(q, &mended, EM_MISS_CUT, true, arena, places, d) : EM_OK;
}

/* Of a text that was cut it is told only where it is known what to send. */
static em_status explain_stale(const em_question *q, em_arena *arena, em_rebased *rebased,
                               em_diagnosis *d)
{
    bool done, is_cut = d->miss == EM_MISS_CUT;
    size_t made;
    em_span where;
    if (q->expect > 1 || stands_beside(q))
        return EM_OK;
    EM_TRY(em_rebase(q->in, q->find, q->insert, em_lines_dominant(q->lines), q->deadline, arena,
                     rebased, &done));
    if (!done && (is_cut || rebased->place.start == rebased->place.end))
        return EM_OK;
    d->miss = is_cut ? EM_MISS_CUT : EM_MISS_STALE;
    EM_TRY(find_made(q, arena, &made, &where));
    if (made > 0) {
        rebased->place = rebased->around = where;
        return EM_OK;
    }
    if (done)
        em_correct(q, rebased->span, rebased->insert, d);
    return EM_OK;
}

/* It stands there, but for the line breaks at its ends: what it has for whole lines is none. These
 * places come before all that only looks like it. */
static em_status explain_cut_lines(const em_question *q, em_arena *arena, em_diagnosis *d)
{
    em_slice core = em_slice_trim(q->find, em_is_line_break);
    em_needle needle;
    if (core.len == q->find.len || em_without_outer_blanks(core).len == 0 || stands_beside(q))
        return EM_OK;
    em_needle_init(&needle, core);
    for (size_t at = 0; d->near_count < EM_MOST_NEAR; at += core.len) {
        if ((at = em_find(&needle, q->in->text, at)) == EM_NPOS)
            break;
        em_span span = em_moved_span((em_span){at, at + core.len}, q->part.start);
        em_span lines = em_lines_touched(q->text, span);
        EM_TRY(em_add_found(q, em_to_line_breaks(q, lines, span), arena, d));
        d->near[d->near_count - 1].is_located = true;
        d->miss = EM_MISS_CUT;
    }
    return EM_OK;
}

/* Where a stale edit belongs comes before what is more like the search text: who is told what to
 * send is shown that place. */
static em_status put_stale_first(const em_question *q, const em_rebased *rebased, em_arena *arena,
                                 em_diagnosis *d)
{
    em_span place = em_lines_touched(q->text, rebased->place);
    size_t at = 0;
    while (at < d->near_count && !em_shares_line(q, &d->near[at], place))
        at++;
    if (at == d->near_count) {
        d->near_count = at = at < EM_MOST_NEAR ? at : EM_MOST_NEAR - 1;
        EM_TRY(em_add_found(q, rebased->around, arena, d));
    }
    em_near first = d->near[at];
    memmove(d->near + 1, d->near, at * sizeof *d->near);
    d->near[0] = first;
    return EM_OK;
}

/* Where time is up another place than that of the edit is not shown. */
static em_status add_all_near(const em_question *q, const em_rebased *rebased, em_arena *arena,
                              em_diagnosis *d)
{
    em_status status = em_find_near(q, arena, d);
    if (status == EM_E_NOMEM || d->miss != EM_MISS_STALE)
        return status;
    em_status placed = put_stale_first(q, rebased, arena, d);
    if (placed == EM_E_TIMEOUT)
        d->near_count = 0;
    return placed == EM_OK ? status : placed;
}

/* Is one of the places so alike that it is told of? */
static bool has_alike(const em_diagnosis *d)
{
    for (size_t i = 0; i < d->near_count; i++) {
        const em_near *near = &d->near[i];
        if ((near->is_within ? near->piece_similarity : near->similarity) >= EM_LEAST_NEAR)
            return true;
    }
    return false;
}

/* With the indentation before it, where the search text begins with blanks. */
static em_span with_indentation(const em_question *q, em_span span)
{
    em_span lines = em_lines_touched(q->text, span);
    em_slice before = em_slice_sub(q->text, lines.start, span.start);
    if (em_blank_at(q->find, 0) > 0 && em_without_outer_blanks(before).len == 0)
        span.start = lines.start;
    return span;
}

/* Nothing is like it. Does some of it stand there all the same? */
static em_status add_traces(const em_question *q, em_arena *arena, em_diagnosis *d)
{
    em_traces traces;
    if (d->miss != EM_MISS_UNKNOWN || d->has_beside || has_alike(d) || stands_beside(q))
        return EM_OK;
    EM_TRY(em_trace_find(q->in->text, q->find, q->deadline, &traces));
    d->near_count = traces.count > 0 ? 0 : d->near_count;
    for (size_t i = 0; i < traces.count; i++) {
        em_span span = em_moved_span(traces.items[i], q->part.start);
        EM_TRY(em_add_found(q, with_indentation(q, span), arena, d));
        d->near[d->near_count - 1].is_trace = true;
    }
    return EM_OK;
}

/* Is nothing else in the file nearly as much like the search text as the first place, and that so
 * much, the more so of several lines? */
static bool is_near_one_place(const em_question *q, const em_diagnosis *d)
{
    em_slice find = em_trimmed(q->find);
    if (d->near_count == 0 || d->near[0].is_trace || em_is_far_longer(d->near[0].content, q->find))
        return false;
    bool has_lines = em_slice_has_byte(find, '\n') || em_slice_has_byte(find, '\r');
    double best = d->near[0].piece_similarity;
    for (size_t i = 1; i < d->near_count; i++)
        if (d->near[i].piece_similarity > best - NEAR_MISS_LEAD)
            return false;
    return best >= (has_lines ? LEAST_NEAR_MISS_OF_LINES : LEAST_NEAR_MISS);
}

/* Did nothing yet tell what to send? */
static bool is_open(const em_diagnosis *d)
{
    return d->miss == EM_MISS_UNKNOWN ||
           ((d->miss == EM_MISS_CUT || d->miss == EM_MISS_STALE) && !d->has_correction);
}

/* A text that is not quite what the file has at the one place that is like it. */
static em_status explain_near_miss(const em_question *q, em_arena *arena, em_diagnosis *d)
{
    em_near_miss mended;
    em_places places;
    bool is;
    size_t made = 0;
    em_span where;
    if (!is_open(d) || q->expect > 1 || !is_near_one_place(q, d) || stands_beside(q))
        return EM_OK;
    EM_TRY(em_near_miss_of(q->in->text, q->find, d->near[0].piece, q->insert, q->deadline, arena,
                           &mended, &is));
    if (!is)
        return EM_OK;
    EM_TRY(find_made(q, arena, &made, &where));
    EM_TRY(find_mended(q, &mended, arena, &places));
    if (made > 0 || places.count != 1 ||
        !em_shares_line(q, &d->near[0], em_lines_touched(q->text, places.items[0].span)))
        return EM_OK;
    EM_TRY(em_correct_places(q, &places, arena, d));
    d->miss = d->has_correction ? EM_MISS_TYPO : d->miss;
    return EM_OK;
}

/* A text of several lines of which something stands there: then it is what is left of it. */
static void explain_near(const em_question *q, em_diagnosis *d)
{
    if (d->miss == EM_MISS_UNKNOWN && d->near_count > 0 && em_slice_has_byte(q->find, '\n') &&
        !stands_beside(q))
        d->miss = EM_MISS_STALE;
}

/* A NUL matches nothing, so no text that has one is to be sent: what else is wrong with it, or
 * where it seems to stand, would lead there. */
static em_status explain_nul(const em_question *q, em_arena *arena, em_diagnosis *d)
{
    d->miss = EM_MISS_NUL;
    return em_find_near(q, arena, d);
}

/* What to send comes first: how alike long texts are takes its time, and may take all there is. */
static em_status explain(const em_question *q, em_arena *arena, em_diagnosis *d)
{
    em_places found = q->located ? q->located->places : (em_places){0};
    em_rebased stale = {0};
    if (found.count > 0)
        EM_TRY(explain_located(q, arena, d));
    if (d->miss == EM_MISS_UNKNOWN)
        EM_TRY(explain_cut_lines(q, arena, d));
    if (d->miss == EM_MISS_UNKNOWN)
        EM_TRY(explain_case(q, arena, &found, d));
    if (d->miss == EM_MISS_UNKNOWN)
        EM_TRY(explain_unescaped(q, arena, &found, d));
    if (d->miss == EM_MISS_UNKNOWN)
        EM_TRY(explain_json_string(q, arena, &found, d));
    if (d->miss == EM_MISS_UNKNOWN)
        EM_TRY(explain_escaped_layout(q, arena, &found, d));
    if (d->miss == EM_MISS_UNKNOWN || d->miss == EM_MISS_ARTIFACT)
        EM_TRY(explain_patch(q, arena, &found, d));
    if (d->miss == EM_MISS_UNKNOWN)
        EM_TRY(explain_change(q, arena, &found, d));
    if (d->miss == EM_MISS_UNKNOWN)
        explain_changes(q, d);
    if (d->miss == EM_MISS_UNKNOWN)
        EM_TRY(explain_numbers(q, arena, &found, d));
    if (d->miss == EM_MISS_UNKNOWN)
        EM_TRY(explain_elided(q, arena, &found, d));
    if (d->miss == EM_MISS_UNKNOWN)
        EM_TRY(explain_cut_place(q, arena, &found, d));
    if (d->miss == EM_MISS_UNKNOWN || (d->miss == EM_MISS_CUT && found.count == 0))
        EM_TRY(explain_stale(q, arena, &stale, d));
    EM_TRY(em_add_all_found(q, &found, arena, d));
    EM_TRY(add_all_near(q, &stale, arena, d));
    EM_TRY(explain_near_miss(q, arena, d));
    EM_TRY(em_find_beside(q, arena, d));
    EM_TRY(add_traces(q, arena, d));
    explain_near(q, d);
    return EM_OK;
}

em_status em_diagnose(const em_question *question, em_arena *arena, em_diagnosis *diagnosis)
{
    *diagnosis = (em_diagnosis){0};
    em_status status = em_slice_has_byte(question->find, '\0')
                           ? explain_nul(question, arena, diagnosis)
                           : explain(question, arena, diagnosis);
    diagnosis->timed_out = status == EM_E_TIMEOUT;
    return diagnosis->timed_out ? EM_OK : status;
}

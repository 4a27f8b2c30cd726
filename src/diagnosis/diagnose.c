/* diagnose.c: why a search text was not found, question by question.
 *
 * First by what a tolerant tier found although it may change nothing; else by another case of
 * letters, by places that look like the text, by a stale context; and each of these tells, where it
 * is clear, what to send. */
#include "diagnosis/diagnose.h"

#include "base/ascii.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "diagnosis/differences.h"
#include "diagnosis/near_miss.h"
#include "diagnosis/rebase.h"
#include "diagnosis/trace.h"
#include "diagnosis/unescaped.h"
#include "diagnosis/widen.h"
#include "laying/artifact.h"
#include "laying/laying.h"
#include "match/applied.h"
#include "match/line.h"
#include "match/midline.h"
#include "match/place_edges.h"
#include "match/redline.h"
#include "match/similar_places.h"
#include "match/telling.h"
#include "match/tiers.h"
#include "text/folded.h"
#include "text/search.h"
#include "text/similarity.h"

/* A line is taken for a place that is so much like it, and all others by so much less. */
#define LEAST_NEAR_MISS 0.85
#define NEAR_MISS_LEAD 0.1

/* What stands beside the lines that are searched is meant from so much likeness on, where what
 * stands in them is less like it by so much. */
#define LEAST_BESIDE 0.6
#define LEAD_BESIDE 0.2

/* ---- What it got wrong ----------------------------------------------------------------------- */

static em_slice find_gap(const em_tolerant_place *place, size_t index)
{
    return em_slice_sub(place->find, place->find_tokens.items[index - 1].end,
                        place->find_tokens.items[index].start);
}

static em_slice seen_gap(em_slice text, const em_tolerant_place *place, size_t index)
{
    return em_slice_sub(text, place->tokens[index - 1].end, place->tokens[index].start);
}

/* Are they the same blanks, but for what has no width or is no blank of ASCII? */
static bool same_ascii_blanks(em_slice wanted, em_slice seen)
{
    size_t i = 0, j = 0;
    for (;; i++, j++) {
        while (i < wanted.len && (unsigned char)wanted.ptr[i] >= 0x80)
            i++;
        while (j < seen.len && (unsigned char)seen.ptr[j] >= 0x80)
            j++;
        if (i == wanted.len || j == seen.len)
            return i == wanted.len && j == seen.len;
        if (wanted.ptr[i] != seen.ptr[j])
            return false;
    }
}

static em_miss miss_of_indents(em_slice wanted, em_slice seen)
{
    if (same_ascii_blanks(wanted, seen))
        return EM_MISS_CHARACTERS;
    bool tabs = em_slice_has_byte(wanted, '\t') != em_slice_has_byte(seen, '\t');
    return tabs && wanted.len > 0 && seen.len > 0 ? EM_MISS_TABS : EM_MISS_INDENTATION;
}

/* How long the line ending is that `text` ends with; 0 where there is none. */
static size_t last_ending(em_slice text)
{
    return text.len - em_without_last_eol(text).len;
}

static size_t first_ending(em_slice text)
{
    return text.len > 0 ? em_eol_bytes(em_eol_at(text, 0)).len : 0;
}

/* Are they the same? An LF of the search text stands for any line ending, as it does where the rest
 * is found. */
static bool same_gap(em_slice wanted, em_slice seen)
{
    while (wanted.len > 0 && seen.len > 0) {
        size_t other = wanted.ptr[0] == '\n' ? first_ending(seen) : 0;
        if (other == 0 && wanted.ptr[0] != seen.ptr[0])
            return false;
        wanted = em_slice_from(wanted, 1);
        seen = em_slice_from(seen, other > 0 ? other : 1);
    }
    return wanted.len == seen.len;
}

static em_miss miss_of_gaps(em_slice wanted, em_slice seen)
{
    em_gap_parts a = em_gap_split(wanted), b = em_gap_split(seen);
    if (same_gap(wanted, seen))
        return EM_MISS_UNKNOWN;
    if ((a.breaks.len > 0) != (b.breaks.len > 0))
        return EM_MISS_LINE_BREAKS;
    if (a.breaks.len > 0 && !em_slice_eq(a.indent, b.indent))
        return miss_of_indents(a.indent, b.indent);
    if (em_gap_breaks(a.breaks) != em_gap_breaks(b.breaks))
        return EM_MISS_BLANK_LINES;
    bool cr = em_slice_has_byte(a.breaks, '\r') && !em_slice_has_byte(b.breaks, '\r');
    return cr ? EM_MISS_LINE_ENDINGS : EM_MISS_BLANKS;
}

static bool is_entity(em_slice token)
{
    return token.len > 2 && token.ptr[0] == '&' && token.ptr[token.len - 1] == ';';
}

static em_miss miss_of_tokens(em_slice wanted, em_slice seen)
{
    if (em_slice_eq(wanted, seen))
        return EM_MISS_UNKNOWN;
    if (is_entity(wanted) != is_entity(seen))
        return EM_MISS_ENTITIES;
    return em_token_is_quote(wanted) ? EM_MISS_QUOTES : EM_MISS_CHARACTERS;
}

/* More line breaks at the ends of the search text than stand there: at the ends of the file. */
static em_miss miss_of_ends(em_slice text, const em_tolerant_place *place)
{
    size_t last = place->find_tokens.count - 1;
    em_slice before = em_slice_sub(place->find, 0, place->find_tokens.items[0].start);
    em_slice behind = em_slice_from(place->find, place->find_tokens.items[last].end);
    size_t first_seen =
        em_gap_breaks(em_slice_sub(text, place->span.start, place->tokens[0].start));
    size_t last_seen = em_gap_breaks(em_slice_sub(text, place->tokens[last].end, place->span.end));
    if (em_gap_breaks(behind) == 1 && last_seen == 0)
        return EM_MISS_LINE_ENDINGS;
    bool more = em_gap_breaks(before) > first_seen || em_gap_breaks(behind) > last_seen;
    return more ? EM_MISS_BLANK_LINES : EM_MISS_UNKNOWN;
}

/* The first thing in which a place is written otherwise; what a looser tier forgives weighs more
 * than what a stricter one does. */
static em_miss miss_of_place(em_slice text, const em_tolerant_place *place)
{
    em_miss gaps = EM_MISS_UNKNOWN;
    em_slice wanted = em_slice_sub(place->find, 0, place->find_tokens.items[0].start);
    size_t start;
    for (size_t i = 0; i < place->find_tokens.count; i++) {
        em_miss miss = miss_of_tokens(em_token_bytes(place->find, place->find_tokens.items[i]),
                                      em_token_bytes(text, place->tokens[i]));
        if (miss != EM_MISS_UNKNOWN)
            return miss;
        if (i > 0 && gaps == EM_MISS_UNKNOWN)
            gaps = miss_of_gaps(find_gap(place, i), seen_gap(text, place, i));
    }
    if (gaps == EM_MISS_UNKNOWN)
        gaps = miss_of_ends(text, place);
    if (gaps != EM_MISS_UNKNOWN || !em_begins_line(text, place->tokens[0].start, &start))
        return gaps != EM_MISS_UNKNOWN ? gaps : EM_MISS_BLANKS;
    em_slice seen = em_slice_sub(text, start, place->tokens[0].start);
    wanted = em_gap_split(wanted).indent.len > 0 ? em_gap_split(wanted).indent : wanted;
    return em_slice_eq(wanted, seen) || wanted.len == 0 ? EM_MISS_BLANKS
                                                        : miss_of_indents(wanted, seen);
}

/* ---- What to send ---------------------------------------------------------------------------- */

static void correct(const em_question *q, em_span span, em_slice insert, em_diagnosis *d)
{
    bool inserted;
    em_span origin = em_draft_origin(q->draft, span, &inserted);
    d->has_correction = span.start >= q->within.start && span.end <= q->within.end;
    d->correction =
        (em_correction){.find = em_slice_sub(q->text, span.start, span.end),
                        .insert = insert,
                        .line = em_lines_at(q->lines, origin.start),
                        .end_line = em_lines_at(
                            q->lines, origin.end > origin.start ? origin.end - 1 : origin.start)};
}

/* `insert` with what `wide` has beyond `span` on both sides. */
static em_status widen_insert(em_slice text, em_span span, em_span wide, em_arena *arena,
                              em_slice *insert)
{
    size_t before = span.start - wide.start, behind = wide.end - span.end;
    char *bytes = em_alloc_raw(arena, before + insert->len + behind);
    if (!bytes)
        return EM_E_NOMEM;
    memcpy(bytes, text.ptr + wide.start, before);
    if (insert->len > 0)
        memcpy(bytes + before, insert->ptr, insert->len);
    memcpy(bytes + before + insert->len, text.ptr + span.end, behind);
    *insert = em_slice_make(bytes, before + insert->len + behind);
    return EM_OK;
}

/* What a place is to become, where that can be told: it can be trusted, and is not there already.
 */
static em_status becomes(const em_question *q, const em_tolerant_place *place, em_arena *arena,
                         em_slice *insert, bool *clear)
{
    bool done = false;
    EM_TRY(em_lay(q->text, place, em_lines_dominant(q->lines), arena, insert, clear));
    if (*clear)
        EM_TRY(em_place_is_done(q->text, place, *insert, q->deadline, arena, &done));
    *clear &= !done && !em_is_impossible(q->text, place, *insert);
    return EM_OK;
}

static em_status correct_one(const em_question *q, const em_tolerant_place *place, em_arena *arena,
                             em_diagnosis *d)
{
    em_slice insert;
    em_span wide = {place->span.start - q->part.start, place->span.end - q->part.start};
    bool clear;
    EM_TRY(becomes(q, place, arena, &insert, &clear));
    if (!clear || em_widen_until_unique(q->in->text, &wide) != EM_OK)
        return EM_OK;
    wide = (em_span){wide.start + q->part.start, wide.end + q->part.start};
    EM_TRY(widen_insert(q->text, place->span, wide, arena, &insert));
    correct(q, wide, insert, d);
    return EM_OK;
}

/* How often it stands there literally. */
static size_t count_literally(em_slice text, em_slice find)
{
    em_needle needle;
    if (find.len == 0)
        return 0;
    em_needle_init(&needle, find);
    return em_find_count(&needle, text);
}

/* Several places that are to change alike can be named at once if they are written alike, and
 * nothing else is. */
static em_status correct_all(const em_question *q, const em_places *places, em_arena *arena,
                             em_diagnosis *d)
{
    em_slice first = em_slice_sub(q->text, places->items[0].span.start, places->items[0].span.end);
    em_slice insert = {0};
    for (size_t i = 0; i < places->count; i++) {
        const em_tolerant_place *place = &places->items[i];
        em_slice here;
        bool clear;
        EM_TRY(becomes(q, place, arena, &here, &clear));
        bool alike = clear && (i == 0 || em_slice_eq(here, insert)) &&
                     em_slice_eq(em_slice_sub(q->text, place->span.start, place->span.end), first);
        if (!alike)
            return EM_OK;
        insert = here;
    }
    if (count_literally(q->in->text, first) == places->count)
        correct(q, places->items[0].span, insert, d);
    return EM_OK;
}

static em_status correct_places(const em_question *q, const em_places *places, em_arena *arena,
                                em_diagnosis *d)
{
    bool one = places->count == 1;
    return one ? correct_one(q, &places->items[0], arena, d) : correct_all(q, places, arena, d);
}

/* ---- Near places ----------------------------------------------------------------------------- */

/* The search text without the line breaks at its ends that the piece has not, but the text beside
 * it: what looks like it is sought without them, and that they are missing says nothing. */
static em_slice comparable(em_slice find, em_slice text, em_span piece)
{
    em_slice before = em_slice_sub(text, 0, piece.start), behind = em_slice_from(text, piece.end);
    em_slice found = em_slice_sub(text, piece.start, piece.end);
    while (first_ending(find) && !first_ending(found) && last_ending(before)) {
        find = em_slice_from(find, first_ending(find));
        before.len -= last_ending(before);
    }
    while (last_ending(find) && !last_ending(found) && first_ending(behind)) {
        find.len -= last_ending(find);
        behind = em_slice_from(behind, first_ending(behind));
    }
    return find;
}

/* The search text without the line breaks at its ends that a piece has not: for how similar they
 * are it does not matter what is beside that. */
static em_slice without_more_breaks(em_slice find, em_slice found)
{
    while (first_ending(find) && !first_ending(found))
        find = em_slice_from(find, first_ending(find));
    while (last_ending(find) && !last_ending(found))
        find.len -= last_ending(find);
    return find;
}

/* Is the span of the text as it is in the original? */
static bool stands_in_original(const em_question *q, em_span span)
{
    bool inserted;
    em_span origin = em_draft_origin(q->draft, span, &inserted);
    return !inserted && em_slice_eq(em_slice_sub(q->lines->body, origin.start, origin.end),
                                    em_slice_sub(q->text, span.start, span.end));
}

/* Lines more than twice as long are never half like the search text. What has next to nothing but
 * blanks is like a piece of any line. */
static bool is_within(em_slice find, em_slice content)
{
    enum { FEWEST = 4 };
    size_t length = em_utf8_count(find), seen = 0;
    for (size_t i = 0; i < find.len && seen < FEWEST; i++)
        seen += em_blank_at(find, i) == 0;
    return seen == FEWEST && em_utf8_count(content) > 2 * length;
}

/* The number that a line [start, end) of the text has in the original; 0 where it has none. Its
 * ending counts only where it is empty: behind what was inserted it is another line's. */
static size_t number_of(const em_question *q, em_span line)
{
    if (line.end == line.start)
        line.end += first_ending(em_slice_from(q->text, line.end));
    size_t origin = em_draft_first_original(q->draft, line);
    return origin == EM_NPOS ? 0 : em_lines_at(q->lines, origin);
}

/* A line that was parted has its number once. */
static em_status number_lines(const em_question *q, em_span lines, em_arena *arena, em_near *near)
{
    size_t count = em_gap_breaks(near->content) + 1, last = 0;
    if (q->draft->piece_count <= 1)
        return EM_OK;
    size_t *numbers = em_alloc_array(arena, count, sizeof *numbers);
    if (!numbers)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        em_span line = {lines.start, lines.start};
        while (line.end < lines.end && em_eol_at(q->text, line.end) == EM_EOL_NONE)
            line.end++;
        size_t number = number_of(q, line);
        numbers[i] = number > last ? number : 0;
        last = number > last ? number : last;
        lines.start = line.end + first_ending(em_slice_from(q->text, line.end));
    }
    near->numbers = numbers;
    return EM_OK;
}

/* Where in the original the last line of a place lies; one that is empty begins behind all else. */
static size_t last_of(em_span origin, em_slice content)
{
    bool is_empty = origin.end == origin.start || em_ends_in_eol(content);
    return is_empty ? origin.end : origin.end - 1;
}

static em_status tell_near(const em_question *q, const em_similar_place *place, em_arena *arena,
                           em_near *near)
{
    em_span origin =
        em_draft_origin(q->draft, (em_span){place->start, place->end}, &near->inserted);
    near->is_changed =
        em_draft_has_inserted(q->draft, (em_span){place->piece.start, place->piece.end});
    near->content = em_slice_sub(q->text, place->start, place->end);
    near->line = em_lines_at(q->lines, origin.start);
    near->end_line = em_lines_at(q->lines, last_of(origin, near->content));
    near->similarity = place->similarity;
    near->piece = em_slice_sub(q->text, place->piece.start, place->piece.end);
    near->piece_similarity = place->piece_similarity;
    near->piece_at = em_draft_origin(q->draft, (em_span){place->piece.start, place->piece.end},
                                     &near->piece_inserted);
    em_span lines = {place->start, place->end}, to_copy = place->piece;
    EM_TRY(em_widen_to_copy(q->text, q->find, lines, &to_copy));
    near->to_copy = em_slice_sub(q->text, to_copy.start, to_copy.end);
    near->is_within = is_within(q->find, near->content);
    near->stands = stands_in_original(q, place->piece);
    EM_TRY(number_lines(q, lines, arena, near));
    size_t line = place->piece.start;
    while (line > place->start && q->text.ptr[line - 1] != '\n' && q->text.ptr[line - 1] != '\r')
        line--;
    near->piece_column = 1 + em_utf8_count(em_slice_sub(q->text, line, place->piece.start));
    return em_differences_of(comparable(q->find, q->text, place->piece), near->piece,
                             EM_MOST_DIFFERENCES, arena, &near->differences);
}

static em_status add_near(const em_question *q, const em_similar_place *place, em_arena *arena,
                          em_diagnosis *d)
{
    return tell_near(q, place, arena, &d->near[d->near_count++]);
}

/* The lines that a span touches, without the last ending. */
static em_span lines_of(em_slice text, em_span span)
{
    em_span lines = span;
    lines.end -= last_ending(em_slice_sub(text, span.start, span.end));
    while (lines.start > 0 && em_eol_at(text, lines.start - 1) == EM_EOL_NONE)
        lines.start--;
    while (lines.end < text.len && em_eol_at(text, lines.end) == EM_EOL_NONE)
        lines.end++;
    return lines;
}

/* A place that was found, which comes before all that only looks like it. */
static em_status add_found(const em_question *q, em_span span, em_arena *arena, em_diagnosis *d)
{
    em_span lines = lines_of(q->text, span);
    em_slice content = em_slice_sub(q->text, lines.start, lines.end);
    em_slice piece = em_slice_sub(q->text, span.start, span.end);
    em_similar_place place = {.start = lines.start, .end = lines.end, .piece = span};
    EM_TRY(em_similarity(without_more_breaks(q->find, content), content, q->deadline,
                         &place.similarity));
    EM_TRY(em_similarity(without_more_breaks(q->find, piece), piece, q->deadline,
                         &place.piece_similarity));
    return add_near(q, &place, arena, d);
}

static em_status add_all_found(const em_question *q, const em_places *places, em_arena *arena,
                               em_diagnosis *d)
{
    for (size_t i = 0; i < places->count && d->near_count < EM_MOST_NEAR; i++) {
        EM_TRY(add_found(q, places->items[i].span, arena, d));
        d->near[d->near_count - 1].is_located = d->miss != EM_MISS_SEVERAL_PLACES;
    }
    return EM_OK;
}

/* Do they share a line? Both are lines without the last ending. */
static bool shares_line(const em_question *q, const em_near *near, em_span lines)
{
    size_t start = (size_t)(near->content.ptr - q->text.ptr);
    return lines.start <= start + near->content.len && start <= lines.end;
}

static bool is_shown(const em_question *q, const em_similar_place *place, const em_diagnosis *d)
{
    for (size_t i = 0; i < d->near_count; i++)
        if (shares_line(q, &d->near[i], (em_span){place->start, place->end}))
            return true;
    return false;
}

/* What the fuzzy tier found is not looked for again, unless time is up: then that is told. */
static em_status list_near(const em_question *q, em_arena *arena, em_similar_place_list *list)
{
    const em_similar_place_list *known = q->located ? q->located->near : NULL;
    if (known)
        *list = *known;
    else
        EM_TRY(em_find_similar_places(q->in->text, q->find, EM_MOST_NEAR, EM_LEAST_NEAR,
                                      q->deadline, arena, list));
    list->count = em_least(list->count, 2 * EM_MOST_NEAR); /* once narrower, others may lead */
    EM_TRY(em_narrow_places(q->in->text, q->find, q->deadline, arena, list));
    list->count = em_least(list->count, EM_MOST_NEAR);
    list->timed_out = list->timed_out || (known && em_deadline_spend(q->deadline, 0));
    return EM_OK;
}

static em_span moved_span(em_span span, size_t offset)
{
    return (em_span){span.start + offset, span.end + offset};
}

/* A place of the part in the text. */
static em_similar_place moved(const em_similar_place *place, size_t offset)
{
    em_similar_place there = *place;
    there.start += offset;
    there.end += offset;
    there.piece = moved_span(place->piece, offset);
    return there;
}

/* Words at the ends that are other ones belong to the piece, unless it is hardly like the search
 * text then. */
static em_status widen_piece(const em_question *q, em_similar_place *place)
{
    em_span piece = place->piece;
    double similarity;
    EM_TRY(em_widen_to_words(q->text, q->find, (em_span){place->start, place->end}, &piece));
    if (piece.start == place->piece.start && piece.end == place->piece.end)
        return EM_OK;
    em_status status = em_similarity(q->find, em_slice_sub(q->text, piece.start, piece.end),
                                     q->deadline, &similarity);
    if (status == EM_OK && similarity >= EM_LEAST_NEAR) {
        place->piece = piece;
        place->piece_similarity = similarity;
    }
    return status == EM_E_TIMEOUT ? EM_OK : status;
}

static em_status find_near(const em_question *q, em_arena *arena, em_diagnosis *d)
{
    em_similar_place_list list;
    EM_TRY(list_near(q, arena, &list));
    for (size_t i = 0; i < list.count && d->near_count < EM_MOST_NEAR; i++) {
        em_similar_place place = moved(&list.items[i], q->part.start);
        if (is_shown(q, &place, d))
            continue;
        EM_TRY(widen_piece(q, &place));
        EM_TRY(add_near(q, &place, arena, d));
    }
    return list.timed_out ? EM_E_TIMEOUT : EM_OK;
}

static bool is_restricted(const em_question *q)
{
    return q->in->text.len < q->text.len;
}

static double likeness_of(const em_near *near)
{
    return near->is_within ? near->piece_similarity : near->similarity;
}

/* The lines that were searched have nothing like it, or only what is much less like it. Have
 * others, or some of them together with others? Then that is meant, and not what stands in these.
 */
static em_status find_beside(const em_question *q, em_arena *arena, em_diagnosis *d)
{
    em_similar_place_list list;
    em_near near = {0};
    double best = d->near_count > 0 ? likeness_of(&d->near[0]) : 0;
    if (!is_restricted(q) || best + LEAD_BESIDE > 1)
        return EM_OK;
    EM_TRY(em_find_similar_places(q->text, q->find, 1, EM_LEAST_NEAR, q->deadline, arena, &list));
    if (list.count > 0)
        EM_TRY(tell_near(q, &list.items[0], arena, &near));
    if (list.count > 0 && (d->near_count == 0 || (likeness_of(&near) >= LEAST_BESIDE &&
                                                  likeness_of(&near) >= best + LEAD_BESIDE))) {
        d->beside = near;
        d->has_beside = true;
        d->beside_is_literal =
            em_slice_starts(em_slice_from(q->text, list.items[0].piece.start), q->find);
        d->near_count = 0;
        d->has_correction = false;
        d->miss = EM_MISS_UNKNOWN;
    }
    return list.timed_out ? EM_E_TIMEOUT : EM_OK;
}

/* ---- The answer ------------------------------------------------------------------------------ */

static bool as_expected(const em_question *q, size_t count)
{
    return q->expect == EM_EVERY ? count > 0 : count == q->expect;
}

/* Is letter case all that its words differ in? Not where they do not differ, and a sign alone was
 * lost. */
static bool differs_in_case(em_slice text, const em_tolerant_place *place)
{
    em_tokened find = {place->find, place->find_tokens};
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
        d->miss = miss_of_place(q->text, first);
    else if (d->miss == EM_MISS_TYPO && differs_in_case(q->text, first))
        d->miss = EM_MISS_CASE;
    return correct_places(q, &located->places, arena, d);
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
            *where = moved_span(place->span, q->part.start);
        ++*count;
    }
    return EM_OK;
}

/* A caller's text with the file's words in the place of those that stand there in another case.
 * origin[i] is the token of the place that token i is; EM_NPOS where it is new. */
static em_status spelt(em_slice text, const em_tolerant_place *place, em_tokened t,
                       const size_t *origin, em_arena *arena, em_slice *out)
{
    EM_AUTO(em_strbuf) buf = {0};
    size_t last = 0;
    for (size_t i = 0; i < t.tokens.count; i++) {
        em_slice sent = em_tokened_token(t, i), seen = sent;
        if (origin[i] != EM_NPOS && em_token_is_word(sent))
            seen = em_token_bytes(text, place->tokens[origin[i]]);
        em_strbuf_add(&buf, em_slice_sub(t.text, last, t.tokens.items[i].start));
        em_strbuf_add(&buf, em_token_same(sent, seen, EM_FOLD_WRITING) ? sent : seen);
        last = t.tokens.items[i].end;
    }
    em_strbuf_add(&buf, em_slice_from(t.text, last));
    char *bytes = em_strbuf_finish(&buf, arena);
    *out = em_slice_make(bytes, buf.len);
    return bytes ? EM_OK : EM_E_NOMEM;
}

/* Texts that have the file's letters are laid onto it as any others are: else each line with
 * another letter in it would count as one that the file has not. */
static em_status spell_as_file(em_slice text, em_tolerant_place *place, em_arena *arena)
{
    em_tokened find = {place->find, place->find_tokens}, insert = {.text = place->insert};
    size_t *origin, *moved, *same = em_alloc_array(arena, find.tokens.count, sizeof *same);
    if (!same)
        return EM_E_NOMEM;
    for (size_t i = 0; i < find.tokens.count; i++)
        same[i] = i;
    EM_TRY(em_tokens_of(insert.text, EM_FOLD_WRITING, arena, &insert.tokens));
    EM_TRY(em_redline(&find, &insert, arena, &origin));
    EM_TRY(em_redline_moves(&find, &insert, origin, arena, &moved));
    for (size_t i = 0; i < insert.tokens.count; i++)
        if (moved[i] != EM_NPOS)
            origin[i] = moved[i];
    EM_TRY(spelt(text, place, find, same, arena, &place->find));
    EM_TRY(spelt(text, place, insert, origin, arena, &place->insert));
    return em_tokens_of(place->find, EM_FOLD_WRITING, arena, &place->find_tokens);
}

/* The same in another case; a replacement of some length that stands there as it is was made there.
 */
static em_status explain_case(const em_question *q, em_arena *arena, em_places *places,
                              em_diagnosis *d)
{
    size_t made = 0;
    em_span where;
    EM_TRY(
        em_tolerant_find_in(q->in, q->find, q->insert, EM_FOLD_CASE, q->deadline, arena, places));
    EM_TRY(em_midline_keep(q->in->text, places));
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
        EM_TRY(spell_as_file(q->text, &places->items[i], arena));
    return correct_places(q, places, arena, d);
}

/* Does it stand there as it is, but not in the lines that were searched? */
static bool stands_beside(const em_question *q)
{
    return is_restricted(q) && count_literally(q->text, q->find) > 0;
}

/* Where texts stand that are the caller's but for what was mended, in whatever writing. */
static em_status find_mended(const em_question *q, const em_near_miss *mended, em_arena *arena,
                             em_places *places)
{
    EM_TRY(em_tolerant_find_in(q->in, mended->find, mended->insert, EM_FOLD_WRITING, q->deadline,
                               arena, places));
    EM_TRY(em_midline_keep(q->in->text, places));
    em_places_move(*places, q->part.start);
    EM_TRY(em_adjust_place_edges(q->text, *places, arena));
    em_adjust_last_line_edge(q->text, q->within, *places);
    return EM_OK;
}

/* Line breaks, or tabs, where the file has their escapes. */
static em_status explain_unescaped(const em_question *q, em_arena *arena, em_places *places,
                                   em_diagnosis *d)
{
    em_near_miss mended;
    em_places found;
    bool is;
    if (stands_beside(q))
        return EM_OK;
    EM_TRY(em_unescaped_of(q->in->text, q->find, q->insert, arena, &mended, &is));
    if (!is)
        return EM_OK;
    EM_TRY(find_mended(q, &mended, arena, &found));
    if (!as_expected(q, found.count))
        return EM_OK;
    *places = found;
    d->miss = EM_MISS_UNESCAPED;
    return correct_places(q, places, arena, d);
}

static em_status explain_stale(const em_question *q, em_arena *arena, em_rebased *rebased,
                               em_diagnosis *d)
{
    bool done;
    size_t made;
    em_span where;
    if (q->expect > 1 || stands_beside(q))
        return EM_OK;
    EM_TRY(em_rebase(q->in, q->find, q->insert, em_lines_dominant(q->lines), q->deadline, arena,
                     rebased, &done));
    if (!done && rebased->place.start == rebased->place.end)
        return EM_OK;
    d->miss = EM_MISS_STALE;
    EM_TRY(find_made(q, arena, &made, &where));
    if (made > 0) {
        rebased->place = rebased->around = where;
        return EM_OK;
    }
    rebased->span = moved_span(rebased->span, q->part.start);
    rebased->place = moved_span(rebased->place, q->part.start);
    rebased->around = moved_span(rebased->around, q->part.start);
    if (done)
        correct(q, rebased->span, rebased->insert, d);
    return EM_OK;
}

/* Where a stale edit belongs comes before what is more like the search text: who is told what to
 * send is shown that place. */
static em_status put_stale_first(const em_question *q, const em_rebased *rebased, em_arena *arena,
                                 em_diagnosis *d)
{
    em_span place = lines_of(q->text, rebased->place);
    size_t at = 0;
    while (at < d->near_count && !shares_line(q, &d->near[at], place))
        at++;
    if (at == d->near_count) {
        d->near_count = at = at < EM_MOST_NEAR ? at : EM_MOST_NEAR - 1;
        EM_TRY(add_found(q, rebased->around, arena, d));
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
    em_status status = find_near(q, arena, d);
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
    em_span lines = lines_of(q->text, span);
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
        em_span span = moved_span(traces.items[i], q->part.start);
        EM_TRY(add_found(q, with_indentation(q, span), arena, d));
        d->near[d->near_count - 1].is_trace = true;
    }
    return EM_OK;
}

/* Is the search text one line, and nothing else in the file nearly as much like it as the first
 * place? */
static bool is_near_one_line(const em_question *q, const em_diagnosis *d)
{
    em_slice find = em_trimmed(q->find);
    if (d->near_count == 0 || d->near[0].is_within || d->near[0].is_trace ||
        em_slice_has_byte(find, '\n') || em_slice_has_byte(find, '\r'))
        return false;
    double best = d->near[0].piece_similarity;
    for (size_t i = 1; i < d->near_count; i++)
        if (d->near[i].piece_similarity > best - NEAR_MISS_LEAD)
            return false;
    return best >= LEAST_NEAR_MISS;
}

/* A line that is not quite what the file has at the one place that is like it. */
static em_status explain_near_miss(const em_question *q, em_arena *arena, em_diagnosis *d)
{
    em_near_miss mended;
    em_places places;
    bool is;
    size_t made = 0;
    em_span where;
    if (d->miss != EM_MISS_UNKNOWN || q->expect > 1 || !is_near_one_line(q, d) || stands_beside(q))
        return EM_OK;
    EM_TRY(em_near_miss_of(q->in->text, q->find, d->near[0].piece, q->insert, q->deadline, arena,
                           &mended, &is));
    if (!is)
        return EM_OK;
    EM_TRY(find_made(q, arena, &made, &where));
    EM_TRY(find_mended(q, &mended, arena, &places));
    if (made > 0 || places.count != 1 ||
        !shares_line(q, &d->near[0], lines_of(q->text, places.items[0].span)))
        return EM_OK;
    EM_TRY(correct_places(q, &places, arena, d));
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
    return find_near(q, arena, d);
}

/* What to send comes first: how alike long texts are takes its time, and may take all there is. */
static em_status explain(const em_question *q, em_arena *arena, em_diagnosis *d)
{
    em_places found = q->located ? q->located->places : (em_places){0};
    em_rebased stale = {0};
    if (found.count > 0)
        EM_TRY(explain_located(q, arena, d));
    if (d->miss == EM_MISS_UNKNOWN)
        EM_TRY(explain_case(q, arena, &found, d));
    if (d->miss == EM_MISS_UNKNOWN)
        EM_TRY(explain_unescaped(q, arena, &found, d));
    if (d->miss == EM_MISS_UNKNOWN)
        EM_TRY(explain_stale(q, arena, &stale, d));
    EM_TRY(add_all_found(q, &found, arena, d));
    EM_TRY(add_all_near(q, &stale, arena, d));
    EM_TRY(explain_near_miss(q, arena, d));
    EM_TRY(find_beside(q, arena, d));
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

/* diagnose_near.c: the places that are told of: where they stand, and how alike they are. */
#include "diagnosis/diagnose_impl.h"

#include "base/utf8.h"
#include "diagnosis/differences.h"
#include "diagnosis/widen.h"
#include "match/similar_places.h"
#include "text/count.h"
#include "text/folded.h"
#include "text/similarity.h"

/* What stands beside the lines that are searched is meant from so much likeness on, where what
 * stands in them is less like it by so much. */
#define LEAST_BESIDE 0.6
#define LEAD_BESIDE 0.2

/* The search text without the line breaks at its ends that the piece has not, but the text beside
 * it: what looks like it is sought without them, and that they are missing says nothing. */
static em_slice comparable(em_slice find, em_slice text, em_span piece)
{
    em_slice before = em_slice_sub(text, 0, piece.start), behind = em_slice_from(text, piece.end);
    em_slice found = em_slice_sub(text, piece.start, piece.end);
    while (em_eol_length_at(find, 0) && !em_eol_length_at(found, 0) && em_last_eol_length(before)) {
        find = em_slice_from(find, em_eol_length_at(find, 0));
        before.len -= em_last_eol_length(before);
    }
    while (em_last_eol_length(find) && !em_last_eol_length(found) && em_eol_length_at(behind, 0)) {
        find.len -= em_last_eol_length(find);
        behind = em_slice_from(behind, em_eol_length_at(behind, 0));
    }
    return find;
}

/* The search text without the line breaks at its ends that a piece has not: for how similar they
 * are it does not matter what is beside that. */
static em_slice without_more_breaks(em_slice find, em_slice found)
{
    while (em_eol_length_at(find, 0) && !em_eol_length_at(found, 0))
        find = em_slice_from(find, em_eol_length_at(find, 0));
    while (em_last_eol_length(find) && !em_last_eol_length(found))
        find.len -= em_last_eol_length(find);
    return find;
}

em_span em_to_line_breaks(const em_question *q, em_span lines, em_span piece)
{
    enum { FARTHEST = 256 };
    if (em_last_eol_length(q->find) && piece.end < lines.end && lines.end - piece.end <= FARTHEST)
        piece.end = lines.end;
    if (em_eol_length_at(q->find, 0) && piece.start > lines.start &&
        piece.start - lines.start <= FARTHEST)
        piece.start = lines.start;
    return piece;
}

/* The piece with the line breaks that the search text has at its ends, where it comes to them. */
static em_span with_line_breaks(const em_question *q, em_span piece)
{
    em_slice found = em_slice_sub(q->text, piece.start, piece.end);
    if (em_last_eol_length(q->find) && !em_last_eol_length(found))
        piece.end += em_eol_length_at(q->text, piece.end);
    if (em_eol_length_at(q->find, 0) && !em_eol_length_at(found, 0))
        piece.start -= em_last_eol_length(em_slice_sub(q->text, 0, piece.start));
    return piece;
}

/* Is the span of the text as it is in the original? */
static bool stands_in_original(const em_question *q, em_span span)
{
    bool inserted;
    em_span origin = em_draft_origin(q->draft, span, &inserted);
    return !inserted && em_slice_eq(em_slice_sub(q->lines->body, origin.start, origin.end),
                                    em_slice_sub(q->text, span.start, span.end));
}

bool em_is_far_longer(em_slice content, em_slice find)
{
    return em_utf8_count(content) > 2 * em_utf8_count(find);
}

/* Is a piece of the lines like the search text, and not they? Where they are far longer that is all
 * that can be, else it must clearly be so. What has next to nothing but blanks is like a piece of
 * any line. */
static bool is_within(em_slice find, const em_near *near)
{
    enum { FEWEST = 4 };
    static const double CLEAR = 0.75;
    size_t seen = 0;
    for (size_t i = 0; i < find.len && seen < FEWEST; i++)
        seen += em_blank_at(find, i) == 0;
    bool is_clear = near->similarity < EM_LEAST_NEAR && near->piece_similarity >= CLEAR;
    return seen == FEWEST && (is_clear || em_is_far_longer(near->content, find));
}

/* The number that a line [start, end) of the text has in the original; 0 where it has none. Its
 * ending counts only where it is empty: behind what was inserted it is another line's. */
static size_t number_of(const em_question *q, em_span line)
{
    if (line.end == line.start)
        line.end += em_eol_length_at(q->text, line.end);
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
        lines.start = line.end + em_eol_length_at(q->text, line.end);
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

/* To be asked of inserted text alone, which has no line of the original: it counts from the start.
 * 0: before an extract are lines that nobody counted. */
static size_t line_now(const em_question *q, size_t at)
{
    em_counts n = em_count(q->text, 0, at);
    return q->lines->extract ? 0 : n.lf + n.cr - n.crlf + 1;
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
    near->line_now = near->inserted ? line_now(q, place->start) : 0;
    near->end_line = em_lines_at(q->lines, last_of(origin, near->content));
    near->similarity = place->similarity;
    near->piece = em_slice_sub(q->text, place->piece.start, place->piece.end);
    near->piece_similarity = place->piece_similarity;
    near->piece_at = em_draft_origin(q->draft, (em_span){place->piece.start, place->piece.end},
                                     &near->piece_inserted);
    em_span lines = {place->start, place->end};
    em_span compared = em_to_line_breaks(q, lines, place->piece), to_copy = compared;
    EM_TRY(em_widen_to_copy(q->text, q->find, lines, &to_copy));
    to_copy = with_line_breaks(q, to_copy);
    near->to_copy = em_slice_sub(q->text, to_copy.start, to_copy.end);
    near->is_within = is_within(q->find, near);
    near->stands = stands_in_original(q, place->piece);
    EM_TRY(number_lines(q, lines, arena, near));
    size_t line = place->piece.start;
    while (line > place->start && q->text.ptr[line - 1] != '\n' && q->text.ptr[line - 1] != '\r')
        line--;
    near->piece_column = 1 + em_utf8_count(em_slice_sub(q->text, line, place->piece.start));
    return em_differences_of(comparable(q->find, q->text, compared),
                             em_slice_sub(q->text, compared.start, compared.end),
                             EM_MOST_DIFFERENCES, arena, &near->differences);
}

static em_status add_near(const em_question *q, const em_similar_place *place, em_arena *arena,
                          em_diagnosis *d)
{
    return tell_near(q, place, arena, &d->near[d->near_count++]);
}

em_span em_lines_touched(em_slice text, em_span span)
{
    em_span lines = span;
    lines.end -= em_last_eol_length(em_slice_sub(text, span.start, span.end));
    while (lines.start > 0 && em_eol_at(text, lines.start - 1) == EM_EOL_NONE)
        lines.start--;
    while (lines.end < text.len && em_eol_at(text, lines.end) == EM_EOL_NONE)
        lines.end++;
    return lines;
}

em_status em_add_found(const em_question *q, em_span span, em_arena *arena, em_diagnosis *d)
{
    em_span lines = em_lines_touched(q->text, span);
    em_slice content = em_slice_sub(q->text, lines.start, lines.end);
    em_slice piece = em_slice_sub(q->text, span.start, span.end);
    em_similar_place place = {.start = lines.start, .end = lines.end, .piece = span};
    EM_TRY(em_similarity(without_more_breaks(q->find, content), content, q->deadline,
                         &place.similarity));
    EM_TRY(em_similarity(without_more_breaks(q->find, piece), piece, q->deadline,
                         &place.piece_similarity));
    return add_near(q, &place, arena, d);
}

em_status em_add_all_found(const em_question *q, const em_places *places, em_arena *arena,
                           em_diagnosis *d)
{
    for (size_t i = 0; i < places->count && d->near_count < EM_MOST_NEAR; i++) {
        EM_TRY(em_add_found(q, places->items[i].span, arena, d));
        d->near[d->near_count - 1].is_located = d->miss != EM_MISS_SEVERAL_PLACES;
    }
    return EM_OK;
}

bool em_shares_line(const em_question *q, const em_near *near, em_span lines)
{
    size_t start = (size_t)(near->content.ptr - q->text.ptr);
    return lines.start <= start + near->content.len && start <= lines.end;
}

static bool is_shown(const em_question *q, const em_similar_place *place, const em_diagnosis *d)
{
    for (size_t i = 0; i < d->near_count; i++)
        if (em_shares_line(q, &d->near[i], (em_span){place->start, place->end}))
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

/* A place of the part in the text. */
static em_similar_place moved(const em_similar_place *place, size_t offset)
{
    em_similar_place there = *place;
    there.start += offset;
    there.end += offset;
    there.piece = em_moved_span(place->piece, offset);
    return there;
}

/* Words at the ends that are other ones belong to the piece, unless it is hardly like the search
 * text then. */
static em_status widen_piece(const em_question *q, em_similar_place *place)
{
    em_span piece = place->piece;
    double similarity;
    em_span lines = {place->start, place->end};
    EM_TRY(em_widen_to_words(q->text, q->find, lines, &piece));
    piece = em_to_line_breaks(q, lines, piece);
    if (piece.start == place->piece.start && piece.end == place->piece.end)
        return EM_OK;
    em_slice found = em_slice_sub(q->text, piece.start, piece.end);
    em_status status =
        em_similarity(comparable(q->find, q->text, piece), found, q->deadline, &similarity);
    if (status == EM_OK && similarity >= EM_LEAST_NEAR) {
        place->piece = piece;
        place->piece_similarity = similarity;
    }
    return status == EM_E_TIMEOUT ? EM_OK : status;
}

em_status em_find_near(const em_question *q, em_arena *arena, em_diagnosis *d)
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

bool em_is_restricted(const em_question *q)
{
    return q->in->text.len < q->text.len;
}

static double likeness_of(const em_near *near)
{
    return near->is_within ? near->piece_similarity : near->similarity;
}

em_status em_find_beside(const em_question *q, em_arena *arena, em_diagnosis *d)
{
    em_similar_place_list list;
    em_near near = {0};
    double best = d->near_count > 0 ? likeness_of(&d->near[0]) : 0;
    if (!em_is_restricted(q) || best + LEAD_BESIDE > 1)
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

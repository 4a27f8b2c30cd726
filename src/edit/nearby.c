/* nearby.c: guesses become alignments, alignments become windows of whole lines.
 *
 * The work for each guess is bounded, so the number of guesses that are aligned follows from the
 * length of the search text: hundreds of short ones, or a few long ones. Of a very long search text
 * only the two ends are aligned; what lies between counts in the similarity of what is handed out.
 */
#include "edit/nearby.h"

#include "base/utf8.h"
#include "edit/anchors.h"
#include "text/pattern.h"
#include "text/similarity.h"

#include <stdlib.h>

/* A place that was aligned with the search text. */
typedef struct candidate {
    em_span region; /* where it was looked for */
    em_span piece;  /* `start` is not known before it is asked for */
    size_t distance;
} candidate;

typedef struct finder {
    em_slice text, find;
    size_t length; /* of `find`, in code points */
    double least;
    em_deadline *deadline;
    em_arena scratch;
    em_pattern whole;
    candidate *candidates;
    size_t candidate_count;
    em_nearby_list *out;
    size_t most;
} finder;

static void finder_drop(finder *f)
{
    em_arena_drop(&f->scratch);
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static bool is_break(char byte)
{
    return byte == '\n' || byte == '\r';
}

static em_slice without_outer_breaks(em_slice s)
{
    size_t start = 0, end = s.len;
    while (start < end && is_break(s.ptr[start]))
        start++;
    while (end > start && is_break(s.ptr[end - 1]))
        end--;
    return em_slice_sub(s, start, end);
}

/* The start of the line that holds `offset`, but not further back than `least`. */
static size_t line_start(em_slice text, size_t offset, size_t least)
{
    while (offset > least && !is_break(text.ptr[offset - 1]))
        offset--;
    return offset;
}

/* The end of that line, before its ending. */
static size_t line_end(em_slice text, size_t offset, size_t most)
{
    while (offset < most && !is_break(text.ptr[offset]))
        offset++;
    return offset;
}

static em_span lines_of(em_slice text, em_span piece)
{
    return (em_span){line_start(text, piece.start, 0), line_end(text, piece.end, text.len)};
}

static em_slice span_of(em_slice text, em_span span)
{
    return em_slice_sub(text, span.start, span.end);
}

/* ---- Aligning guesses ------------------------------------------------------------------------ */

/* How far beside the place that a guess implies the piece may lie. */
static size_t slack_of(const finder *f)
{
    enum { LEAST_SLACK = 24 };
    return f->find.len / 4 + LEAST_SLACK;
}

/* To a border of two code points. */
static size_t to_code_point(em_slice text, size_t offset)
{
    return offset < text.len ? em_utf8_floor(text, offset) : text.len;
}

static em_span region_of(const finder *f, const em_guess *guess)
{
    size_t slack = slack_of(f), start = guess->low > slack ? guess->low - slack : 0;
    size_t end = f->text.len - guess->high > f->find.len + slack ? guess->high + f->find.len + slack
                                                                 : f->text.len;
    return (em_span){to_code_point(f->text, start), to_code_point(f->text, end)};
}

static em_status align(finder *f, const em_guess *guess)
{
    em_piece_end end;
    em_span region = region_of(f, guess);
    EM_TRY(em_pattern_find_end(&f->whole, span_of(f->text, region), f->deadline, &end));
    f->candidates[f->candidate_count++] = (candidate){
        .region = region, .piece = {.end = region.start + end.offset}, .distance = end.distance};
    return EM_OK;
}

static int by_distance(const void *left, const void *right)
{
    const candidate *x = left, *y = right;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return x->piece.end < y->piece.end ? -1 : x->piece.end > y->piece.end;
}

/* How many guesses to align, so that it takes some milliseconds. */
static size_t affordable(const finder *f)
{
    enum { STEPS = 1 << 20, FEWEST = 4, MOST = 1000 };
    size_t each = (f->find.len + 2 * slack_of(f)) * (f->find.len / 64 + 1);
    size_t count = STEPS / each;
    return count < FEWEST ? FEWEST : count > MOST ? MOST : count;
}

/* ---- From pieces to results ------------------------------------------------------------------ */

static bool overlap(em_span a, em_span b)
{
    return a.start < b.end && b.start < a.end;
}

static em_span lines_of_result(const em_nearby *result)
{
    return (em_span){result->start, result->end};
}

/* A piece that shares lines with a better one is no result, but may be told with it. */
static bool is_taken(finder *f, em_span lines, em_span piece, double similarity)
{
    for (size_t i = 0; i < f->out->count; i++) {
        em_nearby *other = &f->out->items[i];
        em_span theirs = lines_of_result(other);
        if (!overlap(lines, theirs) && lines.start != theirs.start)
            continue;
        if (!overlap(piece, other->piece) && similarity > other->twin)
            other->twin = similarity;
        return true;
    }
    return false;
}

static em_status finish(finder *f, candidate *c)
{
    em_slice region = span_of(f->text, c->region);
    em_piece_end start, end = {c->piece.end - c->region.start, c->distance};
    EM_TRY(em_pattern_find_start(&f->whole, region, end, f->deadline, &start));
    c->piece.start = c->region.start + start.offset;
    size_t length = em_utf8_count(span_of(f->text, c->piece));
    em_nearby result = {.piece = c->piece,
                        .piece_similarity = em_similarity_at(start.distance, f->length, length)};
    em_span lines = lines_of(f->text, c->piece);
    result.start = lines.start;
    result.end = lines.end;
    if (c->piece.start == c->piece.end || result.piece_similarity < f->least ||
        is_taken(f, lines, c->piece, result.piece_similarity))
        return EM_OK;
    EM_TRY(em_similarity(f->find, span_of(f->text, lines), f->deadline, &result.similarity));
    f->out->items[f->out->count++] = result;
    return EM_OK;
}

/* The most that the similarity of a piece can be. */
static double similarity_bound(const finder *f, size_t distance)
{
    return em_similarity_at(distance, f->length + distance, 0);
}

static int by_likeness(const void *left, const void *right)
{
    const em_nearby *x = left, *y = right;
    if (x->piece_similarity != y->piece_similarity)
        return x->piece_similarity > y->piece_similarity ? -1 : 1;
    if (x->similarity != y->similarity)
        return x->similarity > y->similarity ? -1 : 1;
    return x->start < y->start ? -1 : x->start > y->start;
}

static em_status find_all(finder *f)
{
    em_guesses guesses;
    EM_TRY(em_pattern_init(&f->whole, f->find, &f->scratch));
    EM_TRY(em_guess_places(f->text, f->find, affordable(f), f->deadline, &f->scratch, &guesses));
    f->candidates = em_alloc_array(&f->scratch, guesses.count + 1, sizeof *f->candidates);
    if (!f->candidates)
        return EM_E_NOMEM;
    for (size_t i = 0; i < guesses.count; i++)
        EM_TRY(align(f, &guesses.items[i]));
    qsort(f->candidates, f->candidate_count, sizeof *f->candidates, by_distance);
    for (size_t i = 0; i < f->candidate_count && f->out->count < f->most; i++) {
        if (similarity_bound(f, f->candidates[i].distance) < f->least)
            break;
        EM_TRY(finish(f, &f->candidates[i]));
    }
    f->out->timed_out = guesses.timed_out;
    return EM_OK;
}

em_status em_nearby_find(em_slice text, em_slice find, size_t most, double least,
                         em_deadline *deadline, em_arena *arena, em_nearby_list *out)
{
    EM_AUTO(finder)
    f = {.text = text,
         .find = without_outer_breaks(find),
         .least = least,
         .deadline = deadline,
         .out = out,
         .most = most};
    *out = (em_nearby_list){.items = em_alloc_array(arena, most, sizeof *out->items)};
    if (!out->items)
        return EM_E_NOMEM;
    f.length = em_utf8_count(f.find);
    em_status status = f.length > 0 ? find_all(&f) : EM_OK;
    if (status == EM_E_TIMEOUT) {
        out->timed_out = true;
        status = EM_OK;
    }
    if (out->count > 0)
        qsort(out->items, out->count, sizeof *out->items, by_likeness);
    return status;
}

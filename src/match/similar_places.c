/* similar_places.c: guesses become pieces, pieces become windows of whole lines.
 *
 * Search text and text are aligned without their blanks (folded.h): indentation is what models get
 * wrong most, and a shallower place with other words must not be preferred to a deeper one with the
 * right words.
 *
 * The work for each guess is bounded, so how many guesses are aligned follows from the length of
 * the search text: hundreds of short ones, or a few long ones. A very long search text is located
 * by its two ends; what lies between counts in the similarities.
 */
#include "match/similar_places.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "match/guess.h"
#include "text/folded.h"
#include "text/pattern.h"
#include "text/similarity.h"
#include "text/text.h"

#include <stdlib.h>

/* A stretch of the search text that is aligned. */
typedef struct part {
    em_pattern pattern; /* folded */
    size_t before;      /* what of the search text is before it, in code points, folded */
} part;

/* Where in the text a part may stand. */
typedef struct candidate {
    size_t start;     /* where the guess thinks that the whole begins */
    em_span region;   /* where the last part was looked for */
    em_piece_end end; /* of its piece, in the folded region */
    size_t head_end;  /* of a long search text: where the piece of its head ends, in the text */
    size_t distance;
} candidate;

typedef struct finder {
    em_slice text, find;
    em_slice core; /* `find` without the blanks around it; this is located */
    size_t most;
    double least;
    em_deadline *deadline;
    em_arena scratch;
    em_folded folded_core, folded; /* the latter of the region at hand */
    size_t length;                 /* of the folded core, in code points */
    bool is_long;                  /* then it has a tail too, else the head is all of it */
    part head, tail;
    candidate *candidates;
    size_t count;
    em_similar_place_list *out;
} finder;

static void finder_drop(finder *f)
{
    em_arena_drop(&f->scratch);
}

static em_slice of_text(const finder *f, em_span span)
{
    return em_slice_sub(f->text, span.start, span.end);
}

/* ---- Lines ----------------------------------------------------------------------------------- */

static size_t line_start(em_slice text, size_t offset)
{
    size_t start = em_slice_behind_last(em_slice_sub(text, 0, offset), '\n');
    return start + em_slice_behind_last(em_slice_sub(text, start, offset), '\r');
}

/* Without its ending. */
static size_t line_end(em_slice text, size_t offset)
{
    size_t end = offset + em_slice_until(em_slice_from(text, offset), '\n');
    return offset + em_slice_until(em_slice_sub(text, offset, end), '\r');
}

static bool only_blanks(em_slice s)
{
    return em_without_outer_blanks(s).len == 0;
}

/* ---- Aligning guesses ------------------------------------------------------------------------ */

/* A search text beyond this is located by ends of this length. */
enum { LONGEST_WHOLE = 8192, LONGEST_END = 2048 };

static em_status prepare(finder *f)
{
    EM_TRY(em_fold_blanks(f->core, &f->scratch, &f->folded_core));
    em_slice folded = f->folded_core.text, head = folded;
    f->length = em_utf8_count(folded);
    f->is_long = folded.len > LONGEST_WHOLE;
    if (f->is_long) {
        em_slice tail = em_slice_from(folded, em_utf8_floor(folded, folded.len - LONGEST_END));
        head = em_slice_sub(folded, 0, em_utf8_floor(folded, LONGEST_END));
        EM_TRY(em_pattern_init(&f->tail.pattern, tail, &f->scratch));
        f->tail.before = f->length - f->tail.pattern.length;
    }
    return em_pattern_init(&f->head.pattern, head, &f->scratch);
}

/* How far beside the place that a guess implies a piece may lie, in code points. It is less than
 * the length, so that the place before and the one behind are not in the region, or only in part,
 * and cannot be taken for the one that is meant even if they are nearer. */
static size_t slack_of(const finder *f)
{
    enum { LEAST_SLACK = 8, MOST_SLACK = 8192 };
    size_t slack = f->length / 4 + LEAST_SLACK;
    return slack < MOST_SLACK ? slack : MOST_SLACK;
}

/* How many guesses to align, so that it takes some milliseconds. */
static size_t affordable(const finder *f)
{
    enum { STEPS = 1 << 18, FEWEST = 4, MOST = 500 };
    size_t length = f->head.pattern.length + 2 * slack_of(f);
    size_t count = STEPS / (length * (f->head.pattern.blocks + 1));
    return count < FEWEST ? FEWEST : count > MOST ? MOST : count;
}

/* So many code points behind (or before) `at`, blanks folded. Where a text is little else than
 * blanks, not too far. */
static size_t moved(const finder *f, size_t at, ptrdiff_t units)
{
    enum { TIMES = 32, AT_LEAST = 4096 };
    size_t most = TIMES * f->length + AT_LEAST;
    return units < 0 ? em_folded_back(f->text, at, (size_t)-units, most)
                     : em_folded_forward(f->text, at, (size_t)units, most);
}

/* How many code points of the folded core are before `offset` of the core. */
static size_t units_before(const finder *f, size_t offset)
{
    size_t low = 0, high = f->folded_core.text.len;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (f->folded_core.origin[middle] < offset)
            low = middle + 1;
        else
            high = middle;
    }
    return em_utf8_count(em_slice_sub(f->folded_core.text, 0, low));
}

/* Where a piece like part `p` ends that begins at about `start`. */
static em_status find_end(finder *f, part *p, size_t start, candidate *c)
{
    ptrdiff_t slack = (ptrdiff_t)slack_of(f), length = (ptrdiff_t)p->pattern.length;
    c->region.start = em_utf8_floor(f->text, moved(f, start, -slack));
    c->region.end = moved(f, start, length + slack);
    EM_TRY(em_fold_blanks(of_text(f, c->region), &f->scratch, &f->folded));
    size_t least = moved(f, start, length / 2) - c->region.start, from = 0;
    while (f->folded.origin[from] < least)
        from++;
    return em_pattern_find_end(&p->pattern, f->folded.text, from, f->deadline, &c->end);
}

static em_status align(finder *f, candidate c, const em_guess *guess, size_t before)
{
    EM_TRY(find_end(f, &f->head, c.start, &c));
    c.distance = c.end.distance;
    if (f->is_long) {
        ptrdiff_t to_tail = (ptrdiff_t)f->tail.before - (ptrdiff_t)before;
        c.head_end = c.region.start + f->folded.origin[c.end.offset];
        EM_TRY(find_end(f, &f->tail, moved(f, guess->at, to_tail), &c));
        c.distance += c.end.distance;
    }
    f->candidates[f->count++] = c;
    return EM_OK;
}

/* Was the same place aligned already? */
static bool is_known(const finder *f, size_t start)
{
    for (size_t i = 0; i < f->count; i++) {
        size_t other = f->candidates[i].start;
        if ((other > start ? other - start : start - other) <= f->core.len / 8)
            return true;
    }
    return false;
}

/* Guesses with little support beside the best are not worth it; some are tried all the same. */
static em_status align_all(finder *f, const em_guesses *guesses)
{
    enum { ALWAYS = 12, LEAST_PART = 3 };
    for (size_t i = 0; i < guesses->count; i++) {
        const em_guess *guess = &guesses->items[i];
        if (i >= ALWAYS && guess->weight < guesses->items[0].weight / LEAST_PART)
            break;
        size_t before = units_before(f, guess->of);
        candidate c = {.start = moved(f, guess->at, -(ptrdiff_t)before)};
        if (!is_known(f, c.start))
            EM_TRY(align(f, c, guess, before));
    }
    return EM_OK;
}

static int nearest_first(const void *left, const void *right)
{
    const candidate *x = left, *y = right;
    if (x->distance != y->distance)
        return x->distance < y->distance ? -1 : 1;
    return x->start < y->start ? -1 : x->start > y->start;
}

/* The most that the likeness of a candidate can be. */
static double bound_of(const finder *f, const candidate *c)
{
    return em_similarity_at(c->distance, f->length + c->distance, 0);
}

/* ---- Whole lines ----------------------------------------------------------------------------- */

static em_span lines_of(const finder *f, em_span piece)
{
    return (em_span){line_start(f->text, piece.start), line_end(f->text, piece.end)};
}

/* Of lines that are much longer than the search text, what is outside of the piece counts as it is,
 * so that megabytes are not compared: again nothing is said to be higher than it is. */
static bool is_huge(const finder *f, em_span lines)
{
    enum { TIMES = 4, AT_LEAST = 4096 };
    return lines.end - lines.start > TIMES * f->find.len + AT_LEAST;
}

/* ---- From pieces to results ------------------------------------------------------------------ */

/* Does the piece lie in lines that a better one has? Then it is no result, but may be told with
 * it. */
static bool is_taken(finder *f, em_span lines, const em_similar_place *result)
{
    for (size_t i = 0; i < f->out->count; i++) {
        em_similar_place *other = &f->out->items[i];
        if (lines.start > other->end || other->start > lines.end)
            continue;
        bool apart =
            result->piece.start >= other->piece.end || result->piece.end <= other->piece.start;
        if (apart && result->likeness > other->twin)
            other->twin = result->likeness;
        return true;
    }
    return false;
}

/* The piece of a candidate, and how like it is to the core. */
static em_status find_piece(finder *f, const candidate *c, em_similar_place *result)
{
    em_piece_end start, end = c->end;
    em_span region = c->region;
    EM_TRY(em_fold_blanks(of_text(f, region), &f->scratch, &f->folded));
    result->piece.end = region.start + f->folded.origin[end.offset];
    if (f->is_long) {
        region.start = moved(f, c->head_end, -(ptrdiff_t)(f->head.pattern.length + slack_of(f)));
        region.end = c->head_end;
        EM_TRY(em_fold_blanks(of_text(f, region), &f->scratch, &f->folded));
        end = (em_piece_end){f->folded.text.len, f->head.pattern.length};
    }
    EM_TRY(em_pattern_find_start(&f->head.pattern, f->folded.text, end, f->deadline, &start));
    result->piece.start = region.start + f->folded.origin[start.offset];
    if (result->piece.start >= result->piece.end)
        return EM_OK;
    em_slice piece = em_slice_sub(f->folded.text, start.offset, end.offset);
    size_t distance = start.distance;
    if (f->is_long) {
        EM_TRY(em_fold_blanks(of_text(f, result->piece), &f->scratch, &f->folded));
        piece = f->folded.text;
        EM_TRY(em_distance(f->folded_core.text, piece, f->deadline, &distance));
    }
    result->likeness = em_similarity_at(distance, f->length, em_utf8_count(piece));
    return EM_OK;
}

/* Blanks that the search text begins or ends with stand for what there is at the edge of a line. */
static void take_blanks(const finder *f, em_similar_place *result)
{
    em_span *piece = &result->piece;
    em_slice before = em_slice_sub(f->text, result->start, piece->start);
    em_slice behind = em_slice_sub(f->text, piece->end, result->end);
    if (em_blank_at(f->find, 0) > 0 && only_blanks(before))
        piece->start = result->start;
    if (f->core.ptr + f->core.len < f->find.ptr + f->find.len && only_blanks(behind))
        piece->end = result->end;
}

static em_status measure(finder *f, em_similar_place *result)
{
    size_t length = em_utf8_count(f->find), inside = em_utf8_count(of_text(f, result->piece));
    size_t distance;
    EM_TRY(em_distance(f->find, of_text(f, result->piece), f->deadline, &distance));
    result->piece_similarity = em_similarity_at(distance, length, inside);
    em_slice before = em_slice_sub(f->text, result->start, result->piece.start);
    em_slice behind = em_slice_sub(f->text, result->piece.end, result->end);
    size_t lines = em_utf8_count(before) + inside + em_utf8_count(behind);
    em_span span = {result->start, result->end};
    if (before.len + behind.len > 0 && !is_huge(f, span))
        EM_TRY(em_distance(f->find, of_text(f, span), f->deadline, &distance));
    else
        distance += lines - inside;
    size_t most = length > lines ? length : lines;
    result->similarity = em_similarity_at(distance < most ? distance : most, length, lines);
    if (result->similarity > result->piece_similarity) {
        result->piece = span;
        result->piece_similarity = result->similarity;
    }
    return EM_OK;
}

/* More likely first. */
static int by_likeness(const void *left, const void *right)
{
    const em_similar_place *x = left, *y = right;
    if (x->likeness != y->likeness)
        return x->likeness > y->likeness ? -1 : 1;
    return x->piece.start < y->piece.start ? -1 : x->piece.start > y->piece.start;
}

/* The pieces of the nearest candidates; some more than are wanted, since some will share lines, and
 * since the nearest is not always the most alike. */
static em_status find_pieces(finder *f, em_similar_place *pieces, size_t *count, size_t most)
{
    if (f->count > 0)
        qsort(f->candidates, f->count, sizeof *f->candidates, nearest_first);
    for (size_t i = 0; i < f->count && i < most; i++) {
        em_similar_place *piece = &pieces[*count];
        if (bound_of(f, &f->candidates[i]) < f->least)
            break;
        EM_TRY(find_piece(f, &f->candidates[i], piece));
        *count += piece->piece.start < piece->piece.end && piece->likeness >= f->least;
    }
    if (*count > 0)
        qsort(pieces, *count, sizeof *pieces, by_likeness);
    return EM_OK;
}

/* Behind the last ending of the text there is no line: no piece goes on there. */
static em_span before_last_eol(const finder *f, em_span piece)
{
    size_t end = em_without_last_eol(f->text).len;
    return piece.start < end && piece.end > end ? (em_span){piece.start, end} : piece;
}

static em_status add_result(finder *f, em_similar_place result)
{
    result.piece = before_last_eol(f, result.piece);
    em_span lines = lines_of(f, result.piece);
    if (is_taken(f, result.piece, &result) || is_taken(f, lines, &result))
        return EM_OK;
    result.start = lines.start;
    result.end = lines.end;
    take_blanks(f, &result);
    EM_TRY(measure(f, &result));
    f->out->items[f->out->count++] = result;
    return EM_OK;
}

/* Where more places than are wanted are equally alike, what is around them decides; so many of them
 * are measured. */
enum { MORE_OF_EQUALS = 16 };

static em_status finish(finder *f)
{
    size_t count = 0, most = f->most + MORE_OF_EQUALS;
    em_similar_place *pieces = em_alloc_array(&f->scratch, 2 * most, sizeof *pieces);
    if (!pieces)
        return EM_E_NOMEM;
    EM_TRY(find_pieces(f, pieces, &count, 2 * most));
    for (size_t i = 0; i < count && f->out->count < most; i++) {
        if (f->out->count >= f->most && (i == 0 || pieces[i].likeness < pieces[i - 1].likeness))
            break;
        EM_TRY(add_result(f, pieces[i]));
    }
    return EM_OK;
}

/* ---- Narrower ------------------------------------------------------------------------------- */

/* A piece without the line breaks around it. */
static em_span bare(const finder *f, em_span piece)
{
    em_slice text = em_slice_trim(of_text(f, piece), em_is_line_break);
    size_t start = (size_t)(text.ptr - f->text.ptr);
    return (em_span){start, start + text.len};
}

/* The piece without the end (the start) of it that lies in its last (first) line, if that is no
 * more than half of the line; else empty, as where it has no other. */
static em_span without_line(const finder *f, em_span piece, bool last)
{
    em_span lines = lines_of(f, piece);
    size_t cut = last ? line_start(f->text, piece.end) : line_end(f->text, piece.start);
    size_t in = last ? piece.end - cut : cut - piece.start;
    size_t all = last ? lines.end - cut : cut - lines.start;
    if (cut <= piece.start || cut >= piece.end || 2 * in > all)
        return (em_span){piece.start, piece.start};
    return bare(f, last ? (em_span){piece.start, cut} : (em_span){cut, piece.end});
}

static em_status narrow(finder *f, em_similar_place *result)
{
    em_span before = result->piece;
    double best = result->similarity, similarity;
    if (f->is_long || is_huge(f, lines_of(f, before)))
        return EM_OK;
    for (int last = 0; last < 2; last++) {
        em_span less = without_line(f, result->piece, last);
        if (less.start == less.end)
            continue;
        em_slice lines = of_text(f, lines_of(f, less));
        EM_TRY(em_similarity(f->find, lines, f->deadline, &similarity));
        if (similarity <= best)
            continue;
        best = similarity;
        result->piece = less;
    }
    if (result->piece.start == before.start && result->piece.end == before.end)
        return EM_OK;
    EM_TRY(em_fold_blanks(of_text(f, result->piece), &f->scratch, &f->folded));
    EM_TRY(em_similarity(f->folded_core.text, f->folded.text, f->deadline, &result->likeness));
    em_span lines = lines_of(f, result->piece);
    result->start = lines.start;
    result->end = lines.end;
    result->twin = 0; /* which may have been in what is gone */
    take_blanks(f, result);
    return measure(f, result);
}

/* ---- All of it ------------------------------------------------------------------------------- */

static int best_first(const void *left, const void *right)
{
    const em_similar_place *x = left, *y = right;
    if (x->likeness != y->likeness)
        return x->likeness > y->likeness ? -1 : 1;
    if (x->piece_similarity != y->piece_similarity)
        return x->piece_similarity > y->piece_similarity ? -1 : 1;
    if (x->similarity != y->similarity)
        return x->similarity > y->similarity ? -1 : 1;
    return x->start < y->start ? -1 : x->start > y->start;
}

static bool is_good_enough(const finder *f)
{
    static const double GOOD = 0.7;
    for (size_t i = 0; i < f->count; i++)
        if (bound_of(f, &f->candidates[i]) >= GOOD)
            return true;
    return false;
}

/* Anchors that are few may all be broken where the text is meant; so may the few that do not stand
 * everywhere. And a short search text that was not found may have been misspelt throughout. */
static bool needs_another_look(const finder *f, const em_guesses *guesses)
{
    enum { ENOUGH = 3, SHORT = 128 };
    if (guesses->anchors < ENOUGH || (guesses->too_common > 0 && guesses->present < ENOUGH))
        return true;
    return f->length <= SHORT && !is_good_enough(f);
}

/* What was found in time is finished: for a short search text that is soon done. */
static void go_on_without_deadline(finder *f)
{
    f->out->timed_out = true;
    f->deadline = NULL;
}

static void stop_in_time(finder *f, em_guesses *guesses)
{
    enum { FEW = 4 };
    if (!guesses->timed_out)
        return;
    go_on_without_deadline(f);
    if (f->is_long || guesses->count > FEW)
        guesses->count = f->is_long ? 0 : FEW;
}

static em_status find_candidates(finder *f)
{
    em_guesses guesses;
    size_t most = affordable(f);
    f->candidates = em_alloc_array(&f->scratch, 2 * most, sizeof *f->candidates);
    if (!f->candidates)
        return EM_E_NOMEM;
    EM_TRY(em_guess_starts(f->text, f->core, most, f->deadline, &f->scratch, &guesses));
    stop_in_time(f, &guesses);
    EM_TRY(align_all(f, &guesses));
    if (guesses.timed_out || !needs_another_look(f, &guesses))
        return EM_OK;
    EM_TRY(em_guess_alike(f->text, f->core, f->least, most, f->deadline, &f->scratch, &guesses));
    stop_in_time(f, &guesses);
    return align_all(f, &guesses);
}

static em_status find_all(finder *f)
{
    EM_TRY(prepare(f));
    em_status status = find_candidates(f);
    if (status == EM_E_TIMEOUT)
        go_on_without_deadline(f);
    else
        EM_TRY(status);
    return f->out->timed_out && f->is_long ? EM_OK : finish(f);
}

static finder finder_of(em_slice text, em_slice find, em_deadline *deadline,
                        em_similar_place_list *out)
{
    em_slice lines = em_slice_trim(find, em_is_line_break);
    return (finder){.text = text,
                    .find = lines,
                    .core = em_without_outer_blanks(lines),
                    .deadline = deadline,
                    .out = out};
}

em_status em_find_similar_places(em_slice text, em_slice find, size_t most, double least,
                                 em_deadline *deadline, em_arena *arena, em_similar_place_list *out)
{
    EM_AUTO(finder) f = finder_of(text, find, deadline, out);
    f.most = most;
    f.least = least;
    size_t room = most + MORE_OF_EQUALS;
    *out = (em_similar_place_list){.items = em_alloc_array(arena, room, sizeof *out->items)};
    if (!out->items)
        return EM_E_NOMEM;
    if (f.core.len == 0 || text.len == 0)
        return EM_OK;
    em_status status = find_all(&f);
    out->timed_out = out->timed_out || status == EM_E_TIMEOUT;
    if (out->count > 0)
        qsort(out->items, out->count, sizeof *out->items, best_first);
    if (out->count > most)
        out->count = most;
    return status == EM_E_TIMEOUT ? EM_OK : status;
}

em_status em_narrow_places(em_slice text, em_slice find, em_deadline *deadline, em_arena *arena,
                           em_similar_place_list *list)
{
    EM_AUTO(finder) f = finder_of(text, find, deadline, list);
    if (list->count == 0)
        return EM_OK;
    em_similar_place *items = em_alloc_array(arena, list->count, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    memcpy(items, list->items, list->count * sizeof *items);
    EM_TRY(prepare(&f));
    for (size_t i = 0; i < list->count; i++) {
        em_status status = narrow(&f, &items[i]);
        if (status == EM_E_TIMEOUT)
            return EM_OK; /* they are shown as they are */
        EM_TRY(status);
    }
    qsort(items, list->count, sizeof *items, best_first);
    list->items = items;
    return EM_OK;
}

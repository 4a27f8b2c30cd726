/* rebase.c: an edit cut into its changes, each laid where its lines stand now.
 *
 * The edit is cut into its changes (rebase_changes.c). Each takes the lines of the search text that
 * it touches, and is looked for with these alone (rebase_place.c). What all changes come to is then
 * one stretch of the file.
 */
#include "diagnosis/rebase_impl.h"

#include "base/line.h"
#include "draft/draft.h"
#include "laying/laying.h"
#include "match/place_edges.h"
#include "text/search.h"

enum {
    MOST_WIDENING = 40, /* lines to either side */
    LEAST_BAND = 12,
    MOST_ROUNDS = 8, /* in which the search text becomes another */
};

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
static size_t lines_above(const em_rebasing *c, em_slice part)
{
    em_slice all = c->side.find.of.text;
    return em_gap_breaks(em_slice_sub(all, 0, (size_t)(part.ptr - all.ptr)));
}

static size_t lines_below(const em_rebasing *c, em_slice part)
{
    em_slice all = c->side.find.of.text;
    size_t end = (size_t)(part.ptr - all.ptr) + part.len;
    return em_gap_breaks(em_without_last_eol(em_slice_from(all, end)));
}

/* Changes come in order: the first says what is above all of them, the last what is below. */
static void note_lines_around(em_rebasing *c, const em_line_change *of, em_slice find)
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
static size_t empty_lines_to_go_at_edge(const em_rebasing *c, const em_line_change *of)
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
static bool is_laid_above(const em_rebasing *c, const em_line_change *of)
{
    return of->first > 0 && of->first == c->laid_to;
}

/* The line endings in front of a change that may go with it: one, but for those of empty lines. */
static size_t breaks_to_go_above(const em_rebasing *c, const em_line_change *of)
{
    bool none = of->first == 0 || is_laid_above(c, of);
    return none ? 1 : em_tokened_line_breaks(&c->side.find, of->first);
}

/* How many empty lines go with a change: above it, and where nothing comes for lines below it, too.
 */
static size_t empty_lines_to_go(const em_rebasing *c, const em_line_change *of)
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
static em_status take_empty_lines(const em_rebasing *c, const em_line_change *of, em_splice *splice,
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

static em_status splice_of(em_rebasing *c, const em_line_change *of, em_splice *splice, bool *done)
{
    em_tolerant_place place = {.score = 1};
    em_line_change range;
    em_span lines;
    em_slice out;
    em_laying_verdict verdict;
    EM_TRY(em_rebasing_find_place(c, of, &range, &place, &lines, done));
    if (!*done)
        return EM_OK;
    note_lines_around(c, of, place.find);
    if (place.insert.len == 0 && em_rebased_lines(c->side.text, &place, &lines)) {
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
static em_span lines_around(const em_rebasing *c, em_span place)
{
    em_span part = em_alignment_part(&c->side);
    for (size_t i = 0; i < c->above && place.start > part.start; i++)
        place.start = em_line_before(c->side.text, place.start);
    for (size_t i = 0; i < c->below && place.end < part.end; i++)
        place.end = em_line_behind(c->side.text, place.end);
    return place;
}

/* False where the span is not of the part that is searched, or nothing makes it unique there. */
static bool widen_in_part(const em_rebasing *c, em_span *span)
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
static em_status join(const em_rebasing *c, const em_splice *splices, em_rebased *rebased,
                      bool *done)
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

static em_status rebase_changes(em_rebasing *c, em_rebased *rebased, bool *done)
{
    em_splice splices[EM_MOST_CHANGES] = {0};
    *done = true;
    for (size_t i = 0; i < c->change_count && *done; i++)
        EM_TRY(splice_of(c, &c->changes[i], &splices[i], done));
    return *done ? join(c, splices, rebased, done) : EM_OK;
}

static em_status rebase_once(em_rebasing *c, em_slice find, em_slice insert, em_rebased *rebased,
                             bool *done)
{
    bool changed;
    *done = false;
    c->outcome = (em_change_outcome){.other_place = {.line = EM_NPOS}};
    c->change_count = 0;
    c->laid_to = EM_NPOS;
    EM_TRY(em_tokened_lines_init(&c->side.find, find, c->side.arena));
    EM_TRY(em_tokened_lines_init(&c->side.insert, insert, c->side.arena));
    EM_TRY(em_rebasing_find_changes(c, &changed));
    if (!changed || em_rebasing_borders_on_others(c))
        return EM_OK;
    c->side.band = LEAST_BAND + c->side.find.count / EM_LINES_PER_CHANGE;
    c->side.band = c->side.band < EM_MOST_BAND ? c->side.band : EM_MOST_BAND;
    return rebase_changes(c, rebased, done);
}

/* Where else the edit may be meant. */
static void tell_other_place(em_rebasing *c, em_rebased *rebased)
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
    em_rebasing c = {.in = in,
                     .side = {.text = em_occurrences_all_of_file(in),
                              .before = in->before,
                              .behind = in->behind,
                              .deadline = deadline,
                              .arena = arena},
                     .dominant = dominant};
    EM_TRY(rebase_once(&c, find, insert, rebased, done));
    int most = em_rebasing_leaves_out(&c)
                   ? 0
                   : MOST_ROUNDS; /* what was left out may have been made, too */
    for (int i = 0; i < most && !*done && c.outcome.mended.ptr; i++)
        EM_TRY(rebase_once(&c, c.outcome.mended, insert, rebased, done));
    if (!*done)
        *rebased = (em_rebased){0};
    if (!*done && c.outcome.other_place.line != EM_NPOS)
        tell_other_place(&c, rebased);
    return EM_OK;
}

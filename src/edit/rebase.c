/* rebase.c
 *
 * The edit is cut into its changes. Each takes the lines of the search text that it touches, and is
 * looked for with these alone; the rest of the search text says which of their places is meant.
 * What all changes come to is then one stretch of the file.
 */
#include "edit/rebase.h"

#include "edit/applied.h"
#include "edit/laying.h"
#include "edit/plan.h"
#include "edit/reach.h"
#include "edit/redline.h"
#include "edit/tolerant.h"
#include "text/myers.h"
#include "text/search.h"

enum {
    MOST_CHANGES = 16,
    MOST_CHANGED_LINES = 2000,
    MOST_PLACES = 64,   /* of the lines of one change */
    MOST_WIDENING = 40, /* lines to either side */
    LEAST_LIKE = 50,    /* percent of the tokens that two lines share which are one line */
    MOST_RENAMINGS = 32,
    FEWEST_CHANGES = 1, /* that the context may have seen, and one more for so many lines */
    LINES_PER_CHANGE = 6,
    LEAST_BAND = 12, /* lines by which the search text and the file may be apart */
    MOST_BAND = 48,
    CHANGE = 2, /* weighs as much as so many lines that came */
};

/* A text as its lines that are not empty. */
typedef struct side {
    em_tokened of;
    size_t *lines; /* the first token of each line, and the end of the last */
    size_t count;
} side;

/* Lines [first, end) of the search text become [first_new, end_new) of the replacement. */
typedef struct change {
    size_t first, end;
    size_t first_new, end_new;
} change;

typedef struct rebasing {
    em_sightings *in;
    em_slice text;
    side find, insert;
    change changes[MOST_CHANGES];
    size_t change_count;
    size_t above, below; /* lines of the search text around those that were looked for */
    size_t band;
    em_eol dominant;
    em_deadline *deadline;
    em_arena *arena;
} rebasing;

/* ---- Lines ------------------------------------------------------------------------------------
 */

static em_slice gap_before(em_tokened t, size_t index)
{
    return em_slice_sub(t.text, index > 0 ? t.tokens.items[index - 1].end : 0,
                        index < t.tokens.count ? t.tokens.items[index].start : t.text.len);
}

static em_status side_init(side *s, em_slice text, em_arena *arena)
{
    *s = (side){.of = {.text = text}};
    EM_TRY(em_tokens_of(text, EM_FOLD_WRITING, arena, &s->of.tokens));
    s->lines = em_alloc_array(arena, s->of.tokens.count + 1, sizeof *s->lines);
    if (!s->lines)
        return EM_E_NOMEM;
    for (size_t i = 0; i < s->of.tokens.count; i++)
        if (i == 0 || em_gap_of(gap_before(s->of, i)) == EM_GAP_BREAK)
            s->lines[s->count++] = i;
    s->lines[s->count] = s->of.tokens.count;
    return EM_OK;
}

/* Where a line starts, with its indentation. */
static size_t line_start(const side *s, size_t index)
{
    size_t token = s->lines[index];
    return s->of.tokens.items[token].start - em_gap_split(gap_before(s->of, token)).indent.len -
           (token == 0 && em_gap_of(gap_before(s->of, 0)) != EM_GAP_BREAK ? gap_before(s->of, 0).len
                                                                          : 0);
}

static size_t line_end(const side *s, size_t index)
{
    return s->of.tokens.items[s->lines[index + 1] - 1].end;
}

/* Lines [first, end), with the empty lines behind them. */
static em_slice lines_text(const side *s, size_t first, size_t end)
{
    size_t last = line_end(s, end - 1);
    if (end < s->count) {
        last = line_start(s, end);
        if (last > 0 && s->of.text.ptr[last - 1] == '\n')
            last--;
        if (last > 0 && s->of.text.ptr[last - 1] == '\r')
            last--;
    }
    return em_slice_sub(s->of.text, line_start(s, first), last);
}

/* ---- The changes --------------------------------------------------------------------------------
 */

static em_slice whole_line(const side *s, size_t index)
{
    return em_slice_sub(s->of.text, line_start(s, index), line_end(s, index));
}

static bool same_line(const void *context, size_t old, size_t new)
{
    const rebasing *c = context;
    return em_slice_eq(whole_line(&c->find, old), whole_line(&c->insert, new));
}

/* False where there are none, or too many. */
static bool read_changes(rebasing *c, const em_script *script)
{
    size_t i = 0, j = 0;
    while (i < c->find.count || j < c->insert.count) {
        change new = {i, i, j, j};
        while (new.end < c->find.count && script->removed[new.end])
            new.end++;
        while (new.end_new < c->insert.count && script->added[new.end_new])
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

static em_status find_changes(rebasing *c, bool *found)
{
    em_sequences lines = {c->find.count, c->insert.count, same_line, c};
    em_script script;
    EM_TRY(em_myers(&lines, MOST_CHANGED_LINES, c->arena, &script));
    *found = script.found && read_changes(c, &script);
    return EM_OK;
}

/* ---- Is it really there? -----------------------------------------------------------------------
 */

/* What stands above a place and below it. */
typedef struct surroundings {
    side above, below;
} surroundings;

/* The file's lines around the lines [span.start, span.end), as far as the search text could reach.
 */
static em_status surroundings_of(const rebasing *c, const change *range, em_span span,
                                 surroundings *around)
{
    em_span wide = span;
    em_slice all = c->find.of.text, sent = lines_text(&c->find, range->first, range->end);
    size_t start = (size_t)(sent.ptr - all.ptr);
    size_t above = em_gap_breaks(em_slice_sub(all, 0, start)) + c->band;
    size_t below = em_gap_breaks(em_slice_from(all, start + sent.len)) + c->band;
    while (above-- > 0 && wide.start > 0)
        wide.start = em_line_before(c->text, wide.start);
    while (below-- > 0 && wide.end < c->text.len)
        wide.end = em_line_behind(c->text, wide.end);
    EM_TRY(side_init(&around->above, em_slice_sub(c->text, wide.start, span.start), c->arena));
    EM_TRY(side_init(&around->below, em_slice_sub(c->text, span.end, wide.end), c->arena));
    size_t length = wide.end - wide.start - (span.end - span.start);
    bool late = em_deadline_spend(c->deadline, (length + all.len) * (2 * c->band + 1));
    return late ? EM_E_TIMEOUT : EM_OK;
}

static em_slice token_of(em_tokened t, size_t index)
{
    return em_token_bytes(t.text, t.tokens.items[index]);
}

static bool same_token(const rebasing *c, size_t index, const side *around, size_t at)
{
    return em_token_same(token_of(c->find.of, index), token_of(around->of, at), EM_FOLD_WRITING);
}

/* How many tokens of a line of the search text stand in line `there`, from its start and from its
 * end, in percent of the longer. */
static size_t shared_tokens(const rebasing *c, size_t index, const side *around, size_t there)
{
    size_t from = c->find.lines[index], to = c->find.lines[index + 1], head = 0, tail = 0;
    size_t first = around->lines[there], end = around->lines[there + 1];
    size_t most = to - from < end - first ? to - from : end - first;
    size_t longer = to - from > end - first ? to - from : end - first;
    while (head < most && same_token(c, from + head, around, first + head))
        head++;
    while (tail < most - head && same_token(c, to - tail - 1, around, end - tail - 1))
        tail++;
    return longer > 0 ? 100 * (head + tail) / longer : 0;
}

static bool is_number(em_slice token)
{
    return token.len > 0 && token.ptr[0] >= '0' && token.ptr[0] <= '9';
}

/* Words that became others. */
typedef struct renaming {
    em_slice old, new;
} renaming;

/* What has changed around a place. */
typedef struct tally {
    renaming renamings[MOST_RENAMINGS];
    size_t renaming_count;
    size_t changes; /* renamings, and lines that went or became others */
    size_t came;    /* lines of the file that the search text has not */
} tally;

static void note_renaming(tally *t, em_slice old, em_slice new)
{
    if (is_number(old) && is_number(new))
        return;
    for (size_t i = 0; i < t->renaming_count; i++)
        if (em_slice_eq(t->renamings[i].old, old) && em_slice_eq(t->renamings[i].new, new))
            return;
    if (t->renaming_count < MOST_RENAMINGS)
        t->renamings[t->renaming_count++] = (renaming){old, new};
    t->changes++;
}

/* Numbers may be others, and a word that became another one counts once, however often it stands
 * there. */
static void note_renamings(const rebasing *c, size_t index, const side *around, size_t there,
                           tally *t)
{
    size_t first = c->find.lines[index], count = c->find.lines[index + 1] - first;
    for (size_t i = 0; i < count; i++)
        if (!same_token(c, first + i, around, around->lines[there] + i))
            note_renaming(t, token_of(c->find.of, first + i),
                          token_of(around->of, around->lines[there] + i));
}

/* ---- The lines around a place -------------------------------------------------------------------
 */

/* How an alignment goes on by a line, and what that costs. */
typedef enum step { STAYED, RENAMED, BECAME, WENT, CAME } step;

static const uint32_t costs[] = {[STAYED] = 0, [RENAMED] = 1, [BECAME] = 2, [WENT] = 2, [CAME] = 1};

/* The search text's lines to one side of a change, and the file's, both counted from the change on:
 * they are aligned so that it costs least. What the file has beyond the last of them is free. */
typedef struct alignment {
    const rebasing *in;
    const side *around;
    size_t first, count;                 /* of the search text: lines [first, first + count) */
    bool upward;                         /* from the last of them on */
    unsigned char *steps;                /* that lead to each cell, a row for each line */
    size_t band, breadth;                /* cells of a row: as many to either side */
    uint32_t rows[2][2 * MOST_BAND + 1]; /* what the cells of one and of the one before it cost */
} alignment;

static size_t line_sent(const alignment *a, size_t index)
{
    return a->upward ? a->first + a->count - 1 - index : a->first + index;
}

static size_t line_seen(const alignment *a, size_t index)
{
    return a->upward ? a->around->count - 1 - index : index;
}

/* What a line of the search text has become, if it is that line of the file. */
static step step_between(const alignment *a, size_t sent, size_t seen)
{
    const size_t *old = a->in->find.lines + sent, *new = a->around->lines + seen;
    size_t shared = shared_tokens(a->in, sent, a->around, seen);
    if (shared < LEAST_LIKE || old[1] - old[0] != new[1] - new[0])
        return BECAME;
    return shared == 100 ? STAYED : RENAMED;
}

static void try_step(uint32_t before, step next, uint32_t *cost, unsigned char *taken)
{
    if (before == UINT32_MAX || before + costs[next] >= *cost)
        return;
    *cost = before + costs[next];
    *taken = (unsigned char)next;
}

/* Cell k of row i: i lines of the search text are aligned with i + k - band of the file. */
static void fill_row(alignment *a, size_t i)
{
    uint32_t *row = a->rows[i % 2], *last = a->rows[(i + 1) % 2];
    unsigned char *steps = a->steps + i * a->breadth;
    for (size_t k = 0; k < a->breadth; k++) {
        row[k] = i == 0 && k == a->band ? 0 : UINT32_MAX;
        if (i + k < a->band || i + k - a->band > a->around->count)
            continue;
        size_t seen = i + k - a->band;
        if (i > 0 && seen > 0)
            try_step(last[k], step_between(a, line_sent(a, i - 1), line_seen(a, seen - 1)), &row[k],
                     &steps[k]);
        if (i > 0 && k + 1 < a->breadth)
            try_step(last[k + 1], WENT, &row[k], &steps[k]);
        if (seen > 0 && k > 0)
            try_step(row[k - 1], CAME, &row[k], &steps[k]);
    }
}

/* From the cheapest end back to the change. */
static void note_steps(const alignment *a, size_t k, tally *t)
{
    for (size_t i = a->count; i > 0 || k != a->band;) {
        step taken = a->steps[i * a->breadth + k];
        if (taken == RENAMED)
            note_renamings(a->in, line_sent(a, i - 1), a->around, line_seen(a, i + k - a->band - 1),
                           t);
        t->changes += taken == BECAME || taken == WENT;
        t->came += taken == CAME;
        k = taken == WENT ? k + 1 : taken == CAME ? k - 1 : k;
        i -= taken != CAME;
    }
}

static em_status compare_side(alignment a, tally *t)
{
    size_t best = 0;
    a.band = a.in->band;
    a.breadth = 2 * a.band + 1;
    a.steps = em_alloc_raw(a.in->arena, (a.count + 1) * a.breadth);
    if (!a.steps)
        return EM_E_NOMEM;
    for (size_t i = 0; i <= a.count; i++)
        fill_row(&a, i);
    const uint32_t *row = a.rows[a.count % 2];
    for (size_t k = 1; k < a.breadth; k++)
        if (row[k] < row[best])
            best = k;
    if (row[best] == UINT32_MAX) /* the file ends long before */
        t->changes += a.count;
    else
        note_steps(&a, best, t);
    return EM_OK;
}

/* What weighs all that lies between the search text and what stands around the place? A sibling of
 * what is gone shares some of its lines, too, but differs in more than one thing; and what is not
 * quite there has other lines between it and what is. */
static em_status weigh_changes(const rebasing *c, const change *range, em_span span, size_t *weight)
{
    surroundings around;
    tally t = {.changes = 0};
    EM_TRY(surroundings_of(c, range, span, &around));
    alignment above = {.in = c, .around = &around.above, .count = range->first, .upward = true};
    alignment below = {.in = c, .around = &around.below, .first = range->end};
    below.count = c->find.count - range->end;
    EM_TRY(compare_side(above, &t));
    EM_TRY(compare_side(below, &t));
    *weight = CHANGE * t.changes + t.came;
    return EM_OK;
}

/* ---- The place of a change ----------------------------------------------------------------------
 */

/* The lines of a place, with the last ending; false where it does not have them whole. */
static bool lines_of(em_slice text, const em_place *place, em_span *lines)
{
    size_t end, last = place->find_tokens.count - 1;
    bool whole = em_begins_line(text, place->tokens[0].start, &lines->start) &&
                 em_ends_line(text, place->tokens[last].end, &end);
    lines->end = whole ? em_line_behind(text, end) : EM_NPOS;
    return whole;
}

/* Of the places of these lines the one around which least has changed, if it has not changed much.
 */
static em_status find_range(const rebasing *c, const change *range, em_place *place, bool *found)
{
    em_places places;
    size_t best = EM_NPOS, second = EM_NPOS;
    em_slice insert = {0};
    if (range->end_new > range->first_new)
        insert = lines_text(&c->insert, range->first_new, range->end_new);
    EM_TRY(em_tolerant_find_in(c->in, lines_text(&c->find, range->first, range->end), insert,
                               EM_FOLD_WRITING, c->deadline, c->arena, &places));
    for (size_t i = 0; i < places.count && places.count <= MOST_PLACES; i++) {
        size_t weight;
        em_span lines;
        if (!lines_of(c->text, &places.items[i], &lines))
            continue;
        EM_TRY(weigh_changes(c, range, lines, &weight));
        if (weight < best) {
            second = best;
            best = weight;
            *place = places.items[i];
        } else if (weight < second) {
            second = weight;
        }
    }
    size_t most = FEWEST_CHANGES + c->find.count / LINES_PER_CHANGE;
    *found = best <= CHANGE * most && second > best;
    return EM_OK;
}

/* Lines that are put between two are looked for with both of them, or else with one. */
static em_status find_between(const rebasing *c, change between, em_place *place, bool *found)
{
    bool above = between.first > 0, below = between.first < c->find.count;
    change upper = {between.first - 1, between.first, between.first_new - 1, between.end_new};
    change lower = {between.first, between.first + 1, between.first_new, between.end_new + 1};
    change both = {upper.first, lower.end, upper.first_new, lower.end_new};
    *found = false;
    if (above && below)
        EM_TRY(find_range(c, &both, place, found));
    if (!*found && above)
        EM_TRY(find_range(c, &upper, place, found));
    return !*found && below ? find_range(c, &lower, place, found) : EM_OK;
}

static em_status find_change(const rebasing *c, const change *range, em_place *place, bool *found)
{
    return range->first == range->end ? find_between(c, *range, place, found)
                                      : find_range(c, range, place, found);
}

/* ---- All changes
 * ----------------------------------------------------------------------------------- */

em_status em_widen_until_unique(em_slice text, em_span *span)
{
    for (int i = 0; i <= MOST_WIDENING; i++) {
        em_needle needle;
        em_needle_init(&needle, em_slice_sub(text, span->start, span->end));
        if (em_find_count(&needle, text) == 1)
            return EM_OK;
        if (span->start == 0 && span->end == text.len)
            break;
        span->start = em_line_before(text, span->start);
        span->end = em_line_behind(text, span->end);
    }
    return EM_E_NO_MATCH;
}

/* Changes come in order: the first says what is above all of them, the last what is below. */
static void note_lines_around(rebasing *c, const change *range, em_slice find)
{
    em_slice all = c->find.of.text;
    size_t start = (size_t)(find.ptr - all.ptr);
    if (range == c->changes)
        c->above = em_gap_breaks(em_slice_sub(all, 0, start));
    c->below = em_gap_breaks(em_without_last_eol(em_slice_from(all, start + find.len)));
}

static em_status splice_of(rebasing *c, const change *range, em_splice *splice, bool *done)
{
    em_place place = {.score = 1};
    em_span lines;
    em_slice out;
    bool sound;
    EM_TRY(find_change(c, range, &place, done));
    if (!*done)
        return EM_OK;
    note_lines_around(c, range, place.find);
    if (place.insert.len == 0 && lines_of(c->text, &place, &lines)) {
        *splice = (em_splice){.offset = lines.start, .length = lines.end - lines.start};
        return EM_OK; /* lines that go, go with their ending */
    }
    place.repeats_crs = em_slice_has_byte(c->find.of.text, '\r');
    EM_TRY(em_reach(c->text, (em_places){&place, 1}, c->arena));
    EM_TRY(em_lay(c->text, &place, c->dominant, c->arena, &out, &sound));
    bool made = false;
    *splice = (em_splice){place.span.start, place.span.end - place.span.start, out};
    EM_TRY(em_place_is_done(c->text, &place, out, c->deadline, c->arena, &made));
    *done = sound && !made && !em_place_stays(c->text, &place, out);
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
    for (size_t i = 0; i < c->above && place.start > 0; i++)
        place.start = em_line_before(c->text, place.start);
    for (size_t i = 0; i < c->below && place.end < c->text.len; i++)
        place.end = em_line_behind(c->text, place.end);
    return place;
}

/* One stretch of the text, from the first change to the last. */
static em_status join(const rebasing *c, const em_splice *splices, em_rebased *rebased, bool *done)
{
    size_t last = c->change_count - 1;
    em_span span = {splices[0].offset, splices[last].offset + splices[last].length};
    for (size_t i = 1; i <= last; i++)
        if (splices[i].offset < splices[i - 1].offset + splices[i - 1].length)
            *done = false;
    rebased->place = whole_lines(c->text, span);
    rebased->around = lines_around(c, rebased->place);
    if (!*done || em_widen_until_unique(c->text, &span) != EM_OK) {
        *done = false;
        return EM_OK;
    }
    em_splice *shifted = em_alloc_array(c->arena, c->change_count, sizeof *shifted);
    if (!shifted)
        return EM_E_NOMEM;
    for (size_t i = 0; i <= last; i++) {
        shifted[i] = splices[i];
        shifted[i].offset -= span.start;
    }
    rebased->span = span;
    return em_plan_apply(em_slice_sub(c->text, span.start, span.end),
                         (em_splices){shifted, c->change_count}, c->arena, &rebased->insert);
}

static em_status rebase_changes(rebasing *c, em_rebased *rebased, bool *done)
{
    em_splice splices[MOST_CHANGES] = {0};
    *done = true;
    for (size_t i = 0; i < c->change_count && *done; i++)
        EM_TRY(splice_of(c, &c->changes[i], &splices[i], done));
    return *done ? join(c, splices, rebased, done) : EM_OK;
}

em_status em_rebase(em_sightings *in, em_slice find, em_slice insert, em_eol dominant,
                    em_deadline *deadline, em_arena *arena, em_rebased *rebased, bool *done)
{
    rebasing c = {
        .in = in, .text = in->text, .dominant = dominant, .deadline = deadline, .arena = arena};
    bool changed;
    *done = false;
    EM_TRY(side_init(&c.find, find, arena));
    EM_TRY(side_init(&c.insert, insert, arena));
    EM_TRY(find_changes(&c, &changed));
    c.band = LEAST_BAND + c.find.count / LINES_PER_CHANGE;
    c.band = c.band < MOST_BAND ? c.band : MOST_BAND;
    return changed ? rebase_changes(&c, rebased, done) : EM_OK;
}

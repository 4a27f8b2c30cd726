/* rebase.c
 *
 * The edit is cut into its changes. Each takes the lines of the search text that it touches, and is
 * looked for with these alone; the rest of the search text says which of their places is meant.
 * What all changes come to is then one stretch of the file.
 */
#include "edit/rebase.h"

#include "edit/applied.h"
#include "edit/plan.h"
#include "edit/reach.h"
#include "edit/redline.h"
#include "edit/tolerant.h"
#include "edit/transplant.h"
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
    MARGIN = 6, /* lines that may have come in between */
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

/* Behind the line of a file's text that `offset` is in, and its ending. */
static size_t line_behind(em_slice text, size_t offset)
{
    const char *lf = memchr(text.ptr + offset, '\n', text.len - offset);
    size_t end = lf ? (size_t)(lf - text.ptr) : text.len;
    const char *cr = memchr(text.ptr + offset, '\r', end - offset);
    end = cr ? (size_t)(cr - text.ptr) : end;
    return end + em_eol_bytes(em_eol_at(text, end)).len;
}

/* Where the line begins that `offset` is in; of the start of a line, where the one before begins.
 */
static size_t line_before(em_slice text, size_t offset)
{
    offset = em_without_last_eol(em_slice_sub(text, 0, offset)).len;
    while (offset > 0 && em_eol_at(text, offset - 1) == EM_EOL_NONE)
        offset--;
    return offset;
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

/* ---- Looking for a change ----------------------------------------------------------------------
 */

/* ---- Is it really there? -----------------------------------------------------------------------
 */

/* The file's lines around the place, as far as the search text could reach. */
static em_slice neighbourhood(const rebasing *c, const change *range, em_span span)
{
    size_t above = range->first + MARGIN, below = c->find.count - range->end + MARGIN;
    while (above-- > 0 && span.start > 0)
        span.start = line_before(c->text, span.start);
    while (below-- > 0 && span.end < c->text.len)
        span.end = line_behind(c->text, span.end);
    return em_slice_sub(c->text, span.start, span.end);
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

/* The line that is most like one of the search text, if half of it is; EM_NPOS. */
static size_t line_like(const rebasing *c, size_t index, const side *around)
{
    size_t best = EM_NPOS, most = LEAST_LIKE;
    for (size_t i = 0; i < around->count && most < 100; i++) {
        size_t shared = shared_tokens(c, index, around, i);
        if (shared < most)
            continue;
        most = shared;
        best = i;
    }
    return best;
}

static bool is_number(em_slice token)
{
    return token.len > 0 && token.ptr[0] >= '0' && token.ptr[0] <= '9';
}

/* Words that became others. */
typedef struct renaming {
    em_slice old, new;
} renaming;

typedef struct renamings {
    renaming items[MOST_RENAMINGS];
    size_t count;
    size_t changes; /* renamings and lines that are not there, all told */
} renamings;

static void note_renaming(renamings *r, em_slice old, em_slice new)
{
    if (is_number(old) && is_number(new))
        return;
    for (size_t i = 0; i < r->count; i++)
        if (em_slice_eq(r->items[i].old, old) && em_slice_eq(r->items[i].new, new))
            return;
    if (r->count < MOST_RENAMINGS)
        r->items[r->count++] = (renaming){old, new};
    r->changes++;
}

/* What became of a line of the search text. Numbers may be others, and a word that became another
 * one counts once, however often it stands there; a line that has gone, or is another one, counts
 * too. */
static void compare_line(const rebasing *c, size_t index, const side *around, renamings *r)
{
    size_t there = line_like(c, index, around), first = c->find.lines[index];
    size_t count = c->find.lines[index + 1] - first;
    if (there == EM_NPOS || around->lines[there + 1] - around->lines[there] != count) {
        r->changes++;
        return;
    }
    for (size_t i = 0; i < count; i++)
        if (!same_token(c, first + i, around, around->lines[there] + i))
            note_renaming(r, token_of(c->find.of, first + i),
                          token_of(around->of, around->lines[there] + i));
}

/* How many changes lie between the search text and what stands around the place? A sibling of what
 * is gone shares some of its lines, too, but differs in more than one thing. */
static em_status changes_around(const rebasing *c, const change *range, em_span span,
                                size_t *changes)
{
    side around;
    renamings r = {.changes = 0};
    em_slice text = neighbourhood(c, range, span);
    EM_TRY(side_init(&around, text, c->arena));
    if (em_deadline_spend(c->deadline, text.len * (c->find.count + 1)))
        return EM_E_TIMEOUT;
    for (size_t i = 0; i < c->find.count; i++)
        if (i < range->first || i >= range->end)
            compare_line(c, i, &around, &r);
    *changes = r.changes;
    return EM_OK;
}

/* ---- The place of a change ----------------------------------------------------------------------
 */

static bool is_whole_lines(em_slice text, const em_place *place)
{
    size_t unused;
    return em_begins_line(text, place->tokens[0].start, &unused) &&
           em_ends_line(text, place->tokens[place->find_tokens.count - 1].end, &unused);
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
        size_t changes;
        if (!is_whole_lines(c->text, &places.items[i]))
            continue;
        EM_TRY(changes_around(c, range, places.items[i].span, &changes));
        if (changes < best) {
            second = best;
            best = changes;
            *place = places.items[i];
        } else if (changes < second) {
            second = changes;
        }
    }
    *found = best <= FEWEST_CHANGES + c->find.count / LINES_PER_CHANGE && second > best;
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
        span->start = line_before(text, span->start);
        span->end = line_behind(text, span->end);
    }
    return EM_E_NO_MATCH;
}

/* Lines that go, go with their ending. */
static em_splice whole_lines(const rebasing *c, em_span span)
{
    em_begins_line(c->text, span.start, &span.start);
    span.end = line_behind(c->text, span.end);
    return (em_splice){.offset = span.start, .length = span.end - span.start};
}

static em_status splice_of(const rebasing *c, const change *range, em_splice *splice, bool *done)
{
    em_place place = {.score = 1};
    em_slice out;
    bool sound;
    EM_TRY(find_change(c, range, &place, done));
    if (!*done)
        return EM_OK;
    if (place.insert.len == 0) {
        size_t last = place.find_tokens.count - 1;
        em_span lines = {place.tokens[0].start, place.tokens[last].end};
        *splice = whole_lines(c, lines);
        return EM_OK;
    }
    place.repeats_crs = em_slice_has_byte(c->find.of.text, '\r');
    EM_TRY(em_reach(c->text, (em_places){&place, 1}, c->arena));
    EM_TRY(em_transplant(c->text, &place, c->dominant, c->arena, &out, &sound));
    bool made = false;
    *splice = (em_splice){place.span.start, place.span.end - place.span.start, out};
    EM_TRY(em_place_is_done(c->text, &place, out, c->deadline, c->arena, &made));
    *done = sound && !made && !em_place_stays(c->text, &place, out);
    return EM_OK;
}

/* One stretch of the text, from the first change to the last. */
static em_status join(const rebasing *c, const em_splice *splices, em_rebased *rebased, bool *done)
{
    size_t last = c->change_count - 1;
    em_span span = {splices[0].offset, splices[last].offset + splices[last].length};
    for (size_t i = 1; i <= last; i++)
        if (splices[i].offset < splices[i - 1].offset + splices[i - 1].length)
            *done = false;
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
    return changed ? rebase_changes(&c, rebased, done) : EM_OK;
}

/* carry.c
 *
 * The edit is cut into its changes. Each takes the lines of the search text that it touches, and is
 * looked for with these alone; where that is ambiguous, with one more line of context, as long as
 * the file has that too. What all changes come to is then one stretch of the file.
 */
#include "edit/carry.h"

#include "edit/plan.h"
#include "edit/redline.h"
#include "edit/tolerant.h"
#include "edit/transplant.h"
#include "text/search.h"

enum {
    MOST_CHANGES = 16,
    MOST_WIDENING = 40,     /* lines to either side */
    LEAST_HOLDS = 60,       /* percent of the search text that must stand around the place */
    LEAST_HOLDS_SHORT = 45, /* of a text of few lines */
    FEW_LINES = 3,
    MARGIN = 6, /* lines that may have come in between */
};

/* Lines of the search text that a change takes, half open. */
typedef struct change {
    size_t first, end;
    bool between; /* it only puts something between its two lines: one of them may do */
} change;

typedef struct carrier {
    em_slice text;
    em_tokened find, insert;
    size_t *origin;
    size_t *lines; /* the first token of each line of the search text, and the end of the last */
    size_t count;
    change changes[MOST_CHANGES];
    size_t change_count;
    em_eol dominant;
    em_deadline *deadline;
    em_arena *arena;
} carrier;

/* ---- The lines and the changes --------------------------------------------------------------- */

static em_slice gap_before(em_tokened t, size_t index)
{
    return em_slice_sub(t.text, index > 0 ? t.tokens.items[index - 1].end : 0,
                        index < t.tokens.count ? t.tokens.items[index].start : t.text.len);
}

static em_status find_lines(carrier *c)
{
    c->lines = em_alloc_array(c->arena, c->find.tokens.count + 1, sizeof *c->lines);
    if (!c->lines)
        return EM_E_NOMEM;
    for (size_t i = 0; i < c->find.tokens.count; i++)
        if (i == 0 || em_gap_of(gap_before(c->find, i)) == EM_GAP_BREAK)
            c->lines[c->count++] = i;
    c->lines[c->count] = c->find.tokens.count;
    return EM_OK;
}

static size_t line_of(const carrier *c, size_t token)
{
    size_t line = 0;
    while (line + 1 < c->count && c->lines[line + 1] <= token)
        line++;
    return line;
}

/* Do two neighbouring tokens of the replacement repeat neighbours, with the gap between them? */
static bool joins(const carrier *c, size_t index)
{
    size_t a = c->origin[index - 1], b = c->origin[index];
    return a != EM_NPOS && b == a + 1 &&
           em_slice_eq(gap_before(c->insert, index), gap_before(c->find, b));
}

/* A change of the tokens [first, end) of the search text, or between two of them. It takes the
 * lines that lose something, or else those that hold the two. Changes of neighbouring lines are
 * one, so that the lines around each are repeated whole. */
static bool add_change(carrier *c, size_t first, size_t end)
{
    size_t total = c->find.tokens.count;
    change new = {.first = first > 0 ? line_of(c, first - 1) : 0,
                  .end = end < total ? line_of(c, end) + 1 : c->count};
    if (end > first)
        new = (change){line_of(c, first), line_of(c, end - 1) + 1, false};
    else
        new.between = new.end - new.first == 2;
    change *last = c->change_count > 0 ? &c->changes[c->change_count - 1] : NULL;
    if (last && new.first <= last->end) {
        last->end = new.end > last->end ? new.end : last->end;
        last->between = false;
        return true;
    }
    if (c->change_count == MOST_CHANGES)
        return false;
    c->changes[c->change_count++] = new;
    return true;
}

static bool find_changes(carrier *c)
{
    size_t count = c->insert.tokens.count, total = c->find.tokens.count;
    size_t held = 0; /* tokens of the search text so far */
    for (size_t i = 0; i < count; i++) {
        if (i == 0 ? c->origin[0] != 0 : !joins(c, i)) {
            while (i < count && c->origin[i] == EM_NPOS)
                i++;
            if (!add_change(c, held, i < count ? c->origin[i] : total))
                return false;
        }
        held = i < count ? c->origin[i] + 1 : total;
    }
    return (held == total || add_change(c, held, total)) && c->change_count > 0;
}

/* ---- Looking for a change ----------------------------------------------------------------------
 */

static em_slice lines_text(const carrier *c, size_t first, size_t end)
{
    size_t start = c->find.tokens.items[c->lines[first]].start;
    return em_slice_sub(c->find.text, start, c->find.tokens.items[c->lines[end] - 1].end);
}

static bool is_whole_lines(em_slice text, const em_place *place)
{
    size_t unused;
    return em_begins_line(text, place->tokens[0].start, &unused) &&
           em_ends_line(text, place->tokens[place->find_tokens.count - 1].end, &unused);
}

static em_status find_whole_lines(const carrier *c, size_t first, size_t end, em_places *places)
{
    size_t kept = 0;
    EM_TRY(em_tolerant_find(c->text, lines_text(c, first, end), (em_slice){0}, EM_FOLD_WRITING,
                            c->deadline, c->arena, places));
    for (size_t i = 0; i < places->count; i++)
        if (is_whole_lines(c->text, &places->items[i]))
            places->items[kept++] = places->items[i];
    places->count = kept;
    return EM_OK;
}

/* Take one more line, above or below, that the file has there too. *grown is false where it has
 * neither. */
static em_status grow(const carrier *c, change *range, em_places *places, bool *grown)
{
    em_places wider;
    *grown = false;
    if (range->first > 0) {
        EM_TRY(find_whole_lines(c, range->first - 1, range->end, &wider));
        if (wider.count > 0) {
            range->first--;
            *places = wider;
            *grown = true;
            return EM_OK;
        }
    }
    if (range->end < c->count) {
        EM_TRY(find_whole_lines(c, range->first, range->end + 1, &wider));
        if (wider.count > 0) {
            range->end++;
            *places = wider;
            *grown = true;
        }
    }
    return EM_OK;
}

static em_status find_lines_once(const carrier *c, change *range, em_place *place, bool *found)
{
    em_places places;
    bool grown = true;
    EM_TRY(find_whole_lines(c, range->first, range->end, &places));
    while (places.count > 1 && grown)
        EM_TRY(grow(c, range, &places, &grown));
    *found = places.count == 1;
    if (*found)
        *place = places.items[0];
    return EM_OK;
}

/* The one place of a change, with the lines that it took to know it. */
static em_status find_change(const carrier *c, change *range, em_place *place, bool *found)
{
    change upper = {range->first, range->end - 1, false},
           lower = {range->end - 1, range->end, false};
    bool between = range->between;
    EM_TRY(find_lines_once(c, range, place, found));
    if (*found || !between)
        return EM_OK;
    EM_TRY(find_lines_once(c, &upper, place, found));
    *range = upper;
    if (*found)
        return EM_OK;
    *range = lower;
    return find_lines_once(c, range, place, found);
}

/* The replacement's text in the place of lines [first, end) of the search text. */
static em_slice insert_of(const carrier *c, const change *range)
{
    const em_tokens *new = &c->insert.tokens;
    size_t start = 0, end = c->insert.text.len;
    for (size_t i = 0; i < new->count && range->first > 0; i++)
        if (c->origin[i] == c->lines[range->first] - 1 && i + 1 < new->count) {
            start = new->items[i + 1].start;
            break;
        }
    for (size_t i = new->count; i-- > 0 && range->end < c->count;)
        if (c->origin[i] == c->lines[range->end] && i > 0) {
            end = new->items[i - 1].end;
            break;
        }
    return start <= end ? em_slice_sub(c->insert.text, start, end) : (em_slice){0};
}

/* ---- Is it really there?
 * ------------------------------------------------------------------------- */

/* The file's lines around the place, as far as the search text could reach. */
static em_slice neighbourhood(const carrier *c, const change *range, em_span span)
{
    size_t above = range->first + MARGIN, below = c->count - range->end + MARGIN;
    while (above-- > 0 && span.start > 0)
        for (span.start--; span.start > 0 && c->text.ptr[span.start - 1] != '\n';)
            span.start--;
    while (below-- > 0 && span.end < c->text.len) {
        const char *eol = memchr(c->text.ptr + span.end, '\n', c->text.len - span.end);
        span.end = eol ? (size_t)(eol - c->text.ptr) + 1 : c->text.len;
    }
    return em_slice_sub(c->text, span.start, span.end);
}

/* Does most of the search text stand around the place? A sibling of what is gone shares some of
 * its lines, too. */
static em_status holds_around(const carrier *c, const change *range, em_span span, bool *holds)
{
    em_slice around = neighbourhood(c, range, span);
    size_t there = 0, all = 0;
    for (size_t i = 0; i < c->count; i++) {
        em_places places = {0};
        em_slice line = lines_text(c, i, i + 1);
        all += line.len;
        if (i < range->first || i >= range->end)
            EM_TRY(em_tolerant_find(around, line, (em_slice){0}, EM_FOLD_WRITING, c->deadline,
                                    c->arena, &places));
        if (places.count > 0 || (i >= range->first && i < range->end))
            there += line.len;
    }
    size_t least = c->count <= FEW_LINES ? LEAST_HOLDS_SHORT : LEAST_HOLDS;
    *holds = 100 * there >= least * all;
    return EM_OK;
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
        for (bool first = true; span->start > 0 && (first || text.ptr[span->start - 1] != '\n');
             first = false)
            span->start--;
        const char *eol = memchr(text.ptr + span->end, '\n', text.len - span->end);
        span->end = eol ? (size_t)(eol - text.ptr) + 1 : text.len;
    }
    return EM_E_NO_MATCH;
}

static em_status splice_of(const carrier *c, change *range, em_splice *splice, bool *done)
{
    em_place place;
    em_slice out;
    bool sound;
    EM_TRY(find_change(c, range, &place, done));
    if (*done)
        EM_TRY(holds_around(c, range, place.span, done));
    if (!*done)
        return EM_OK;
    place.insert = insert_of(c, range);
    EM_TRY(em_transplant(c->text, &place, c->dominant, c->arena, &out, &sound));
    *splice = (em_splice){place.span.start, place.span.end - place.span.start, out};
    *done = sound;
    return EM_OK;
}

/* One stretch of the text, from the first change to the last. */
static em_status join(const carrier *c, const em_splice *splices, em_carried *carried, bool *done)
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
    carried->span = span;
    return em_plan_apply(em_slice_sub(c->text, span.start, span.end),
                         (em_splices){shifted, c->change_count}, c->arena, &carried->insert);
}

static em_status carry_changes(carrier *c, em_carried *carried, bool *done)
{
    em_splice splices[MOST_CHANGES] = {0};
    *done = true;
    for (size_t i = 0; i < c->change_count && *done; i++)
        EM_TRY(splice_of(c, &c->changes[i], &splices[i], done));
    return *done ? join(c, splices, carried, done) : EM_OK;
}

em_status em_carry(em_slice text, em_slice find, em_slice insert, em_eol dominant,
                   em_deadline *deadline, em_arena *arena, em_carried *carried, bool *done)
{
    carrier c = {.text = text,
                 .find = {.text = find},
                 .insert = {.text = insert},
                 .dominant = dominant,
                 .deadline = deadline,
                 .arena = arena};
    *done = false;
    EM_TRY(em_tokens_of(find, EM_FOLD_WRITING, arena, &c.find.tokens));
    EM_TRY(em_tokens_of(insert, EM_FOLD_WRITING, arena, &c.insert.tokens));
    if (c.find.tokens.count == 0)
        return EM_OK;
    EM_TRY(em_redline(&c.find, &c.insert, arena, &c.origin));
    EM_TRY(find_lines(&c));
    return find_changes(&c) ? carry_changes(&c, carried, done) : EM_OK;
}

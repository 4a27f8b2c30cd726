#include "diagnosis/alignment.h"

#include "base/ascii.h"
#include "base/line.h"
#include "text/text.h"
#include "tokens/comment.h"

enum { MOST_RENAMINGS = 32 };

/* The file's lines around the lines [span.start, span.end), as far as the search text could reach.
 */
static em_status surroundings_of(const em_alignment *c, const em_line_change *range, em_span span,
                                 em_surroundings *around)
{
    em_span wide = span;
    em_slice all = c->find.of.text,
             sent = em_tokened_line_range(&c->find, range->first, range->end);
    size_t start = (size_t)(sent.ptr - all.ptr);
    size_t above = em_gap_breaks(em_slice_sub(all, 0, start)) + c->band;
    size_t below = em_gap_breaks(em_slice_from(all, start + sent.len)) + c->band;
    while (above-- > 0 && wide.start > 0)
        wide.start = em_line_before(c->text, wide.start);
    while (below-- > 0 && wide.end < c->text.len)
        wide.end = em_line_behind(c->text, wide.end);
    EM_TRY(em_tokened_lines_init(&around->above, em_slice_sub(c->text, wide.start, span.start),
                                 c->arena));
    EM_TRY(
        em_tokened_lines_init(&around->below, em_slice_sub(c->text, span.end, wide.end), c->arena));
    size_t length = wide.end - wide.start - (span.end - span.start);
    bool late = em_deadline_spend(c->deadline, (length + all.len) * (2 * c->band + 1));
    return late ? EM_E_TIMEOUT : EM_OK;
}

em_neighbour em_neighbour_of(const em_alignment *c, const em_line_change *of)
{
    size_t above = em_tokened_line_breaks(&c->insert, of->first_new);
    size_t below = em_tokened_line_breaks(&c->insert, of->end_new);
    return above == below ? EM_EITHER : above > below ? EM_LOWER : EM_UPPER;
}

static bool is_number(em_slice token)
{
    return token.len > 0 && em_is_digit(token.ptr[0]);
}

/* Words that became others. */
typedef struct renaming {
    em_slice old, new;
} renaming;

/* What has changed around a place. */
typedef struct tally {
    renaming renamings[MOST_RENAMINGS];
    size_t renaming_count;
    size_t changes;       /* renamings, and lines that went or became others */
    size_t came;          /* lines of the file that the search text has not */
    size_t lines, tokens; /* that differ */
    size_t numbers;       /* of these tokens, which became others */
    em_fates *fates;      /* where they are wanted; else NULL */
} tally;

static void note_renaming(tally *t, em_slice old, em_slice new)
{
    if (is_number(old) && is_number(new)) {
        t->numbers++;
        return;
    }
    for (size_t i = 0; i < t->renaming_count; i++)
        if (em_slice_eq(t->renamings[i].old, old) && em_slice_eq(t->renamings[i].new, new))
            return;
    if (t->renaming_count < MOST_RENAMINGS)
        t->renamings[t->renaming_count++] = (renaming){old, new};
    t->changes++;
}

/* Numbers may be others, and a word that became another one counts once, however often it stands
 * there. */
static void note_renamings(const em_alignment *c, size_t index, const em_tokened_lines *around,
                           size_t there, tally *t)
{
    size_t first = c->find.lines[index], count = c->find.lines[index + 1] - first;
    for (size_t i = 0; i < count; i++) {
        em_slice old = em_tokened_token(c->find.of, first + i);
        em_slice new = em_tokened_token(around->of, around->lines[there] + i);
        if (em_token_same(old, new, EM_FOLD_WRITING))
            continue;
        note_renaming(t, old, new);
        t->tokens++;
    }
}

/* ---- The lines around a place ---------------------------------------------------------------- */

static const uint32_t costs[] = {
    [EM_STAYED] = 0, [EM_RENAMED] = 1, [EM_BECAME] = 2, [EM_WENT] = 2, [EM_CAME] = 1};

/* The search text's lines to one side of a change, and the file's, both counted from the change on:
 * they are aligned so that it costs least. What the file has beyond the last of them is free. */
typedef struct side_alignment {
    const em_alignment *in;
    const em_tokened_lines *around;
    size_t first, count;                    /* of the search text: lines [first, first + count) */
    bool upward;                            /* from the last of them on */
    bool stays;                             /* of two ways that cost the same, that with more lines
                                               that stayed; for weighing, a sibling has them too */
    unsigned char *steps;                   /* that lead to each cell, a row for each line */
    size_t band, breadth;                   /* cells of a row: as many to either side */
    uint32_t rows[2][2 * EM_MOST_BAND + 1]; /* what the cells of one cost, and of the last one */
} side_alignment;

static size_t line_sent(const side_alignment *a, size_t index)
{
    return a->upward ? a->first + a->count - 1 - index : a->first + index;
}

static size_t line_seen(const side_alignment *a, size_t index)
{
    return a->upward ? a->around->count - 1 - index : index;
}

/* What a line of the search text has become, if it is that line of the file. */
static em_line_step step_between(const side_alignment *a, size_t sent, size_t seen)
{
    const size_t *old = a->in->find.lines + sent, *new = a->around->lines + seen;
    size_t shared = em_tokened_line_shared(&a->in->find, sent, a->around, seen);
    if (em_tokened_line_same_code(&a->in->find, sent, a->around, seen))
        return EM_STAYED;
    if (shared < EM_LEAST_LIKE || old[1] - old[0] != new[1] - new[0])
        return EM_BECAME;
    return shared == 100 ? EM_STAYED : EM_RENAMED;
}

static void try_step(const side_alignment *a, uint32_t before, em_line_step next, uint32_t *cost,
                     unsigned char *taken)
{
    enum { SCALE = 1 << 10 };
    bool is_change = next == EM_RENAMED || next == EM_BECAME || next == EM_WENT;
    uint32_t more = SCALE * costs[next] + (a->stays && is_change);
    if (before == UINT32_MAX || before + more >= *cost)
        return;
    *cost = before + more;
    *taken = (unsigned char)next;
}

/* Cell k of row i: i lines of the search text are aligned with i + k - band of the file. */
static void fill_row(side_alignment *a, size_t i)
{
    uint32_t *row = a->rows[i % 2], *last = a->rows[(i + 1) % 2];
    unsigned char *steps = a->steps + i * a->breadth;
    for (size_t k = 0; k < a->breadth; k++) {
        row[k] = i == 0 && k == a->band ? 0 : UINT32_MAX;
        if (i + k < a->band || i + k - a->band > a->around->count)
            continue;
        size_t seen = i + k - a->band;
        if (i > 0 && seen > 0)
            try_step(a, last[k], step_between(a, line_sent(a, i - 1), line_seen(a, seen - 1)),
                     &row[k], &steps[k]);
        if (i > 0 && k + 1 < a->breadth)
            try_step(a, last[k + 1], EM_WENT, &row[k], &steps[k]);
        if (seen > 0 && k > 0)
            try_step(a, row[k - 1], EM_CAME, &row[k], &steps[k]);
    }
}

static void note_fate(const side_alignment *a, em_line_step what, size_t sent, size_t seen,
                      tally *t)
{
    if (!t->fates)
        return;
    t->fates->items[t->fates->count++] = (em_line_fate){
        .what = what,
        .sent = what == EM_CAME ? EM_NPOS : line_sent(a, sent),
        .seen = what == EM_WENT ? NULL : a->around,
        .line = what == EM_WENT ? 0 : line_seen(a, seen),
    };
}

static size_t token_count(const em_tokened_lines *s, size_t line)
{
    return s->lines[line + 1] - s->lines[line];
}

/* How many tokens a line had that are gone, or has that came. */
static size_t tokens_lost(const side_alignment *a, em_line_step what, size_t sent, size_t seen)
{
    const em_tokened_lines *find = &a->in->find;
    size_t had = what == EM_CAME ? 0 : token_count(find, line_sent(a, sent));
    size_t has = what == EM_WENT ? 0 : token_count(a->around, line_seen(a, seen));
    size_t shared = what == EM_BECAME ? em_tokened_line_shared(find, line_sent(a, sent), a->around,
                                                               line_seen(a, seen))
                                      : 0;
    return (had > has ? had : has) * (100 - shared) / 100;
}

/* A comment more makes a place no other one. */
static bool is_comment_that_came(const side_alignment *a, em_line_step what, size_t seen)
{
    return what == EM_CAME &&
           em_is_comment(em_trimmed(em_tokened_line(a->around, line_seen(a, seen - a->band - 1))));
}

/* From the cheapest end back to the change. */
static void note_steps(const side_alignment *a, size_t k, tally *t)
{
    for (size_t i = a->count; i > 0 || k != a->band;) {
        em_line_step taken = a->steps[i * a->breadth + k];
        note_fate(a, taken, i - 1, i + k - a->band - 1, t);
        if (taken == EM_RENAMED)
            note_renamings(a->in, line_sent(a, i - 1), a->around, line_seen(a, i + k - a->band - 1),
                           t);
        t->changes += taken == EM_BECAME || taken == EM_WENT;
        t->came += taken == EM_CAME;
        t->lines += taken != EM_STAYED && !is_comment_that_came(a, taken, i + k);
        if (taken == EM_BECAME || taken == EM_WENT || taken == EM_CAME)
            t->tokens += tokens_lost(a, taken, i - 1, i + k - a->band - 1);
        k = taken == EM_WENT ? k + 1 : taken == EM_CAME ? k - 1 : k;
        i -= taken != EM_CAME;
    }
}

static em_status compare_side(side_alignment a, tally *t)
{
    size_t best = 0;
    a.band = a.in->band;
    a.stays = t->fates != NULL;
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
    if (row[best] != UINT32_MAX) {
        note_steps(&a, best, t);
        return EM_OK;
    }
    t->changes += a.count; /* the file ends long before */
    t->lines += a.count;
    t->tokens += a.in->find.lines[a.first + a.count] - a.in->find.lines[a.first];
    for (size_t i = a.count; i > 0; i--)
        note_fate(&a, EM_WENT, i - 1, 0, t);
    return EM_OK;
}

static side_alignment above_of(const em_alignment *c, const em_line_change *range,
                               const em_surroundings *around)
{
    return (side_alignment){
        .in = c, .around = &around->above, .count = range->first, .upward = true};
}

static side_alignment below_of(const em_alignment *c, const em_line_change *range,
                               const em_surroundings *around)
{
    return (side_alignment){.in = c,
                            .around = &around->below,
                            .first = range->end,
                            .count = c->find.count - range->end};
}

em_status em_weigh_changes(const em_alignment *c, const em_line_change *range, em_span span,
                           em_weight *weight)
{
    em_surroundings around;
    tally t = {.changes = 0};
    EM_TRY(surroundings_of(c, range, span, &around));
    EM_TRY(compare_side(above_of(c, range, &around), &t));
    EM_TRY(compare_side(below_of(c, range, &around), &t));
    *weight = (em_weight){EM_CHANGE * t.changes + t.came, t.lines, t.tokens, t.numbers};
    return EM_OK;
}

em_status em_fates_of(const em_alignment *c, const em_line_change *range, em_span span,
                      em_surroundings *around, em_fates *fates)
{
    tally t = {.fates = fates};
    EM_TRY(surroundings_of(c, range, span, around));
    size_t most = c->find.count + around->above.count + around->below.count;
    *fates = (em_fates){.items = em_alloc_array(c->arena, most, sizeof *fates->items)};
    if (!fates->items)
        return EM_E_NOMEM;
    EM_TRY(compare_side(above_of(c, range, around), &t));
    for (size_t i = range->first; i < range->end; i++)
        fates->items[fates->count++] = (em_line_fate){EM_STAYED, i, &c->find, i};
    size_t first = fates->count;
    EM_TRY(compare_side(below_of(c, range, around), &t));
    for (size_t last = fates->count; first + 1 < last; first++) {
        em_line_fate swap = fates->items[--last];
        fates->items[last] = fates->items[first];
        fates->items[first] = swap;
    }
    return EM_OK;
}

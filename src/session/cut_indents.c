#include "session/cut_indents.h"

#include "base/ascii.h"
#include "text/token.h"

enum { MOST_TOLD = 3, MOST_LOOKED_AT = 1000 /* edits of a call */ };

/* The blanks that a text begins with; *bare: nothing but a line ending, or the end, follows. */
static em_slice lead_of(em_slice text, bool *bare)
{
    size_t length = 0;
    while (length < text.len && em_is_space_or_tab(text.ptr[length]))
        length++;
    *bare = length == text.len || em_is_line_break(text.ptr[length]);
    return em_slice_sub(text, 0, length);
}

/* The blanks between the start of its line and `offset`; nothing where there is something else. */
static em_slice blanks_before(em_slice body, size_t offset)
{
    size_t start = offset;
    while (start > 0 && em_is_space_or_tab(body.ptr[start - 1]))
        start--;
    bool begins_line = start == 0 || em_is_line_break(body.ptr[start - 1]);
    return em_slice_sub(body, begins_line ? start : offset, offset);
}

/* Is a line of the text indented that is not its first? */
static bool indents_a_later_line(em_slice text)
{
    for (size_t i = 0; i < text.len; i++) {
        if (!em_is_line_break(text.ptr[i]))
            continue;
        bool bare;
        if (lead_of(em_slice_from(text, i + 1), &bare).len > 0 && !bare)
            return true;
    }
    return false;
}

/* What an op does to a line where its place begins behind blanks. */
typedef enum effect {
    NOTHING,
    OTHER_DEPTH,  /* what comes for it may be of another depth than the caller thinks */
    BEFORE_NEXT,  /* the blanks come before the next one */
    LEAVE_ANCHOR, /* they come before other lines */
} effect;

static bool ends_line(em_slice text)
{
    return text.len > 0 && em_is_line_break(text.ptr[text.len - 1]);
}

/* By its texts alone: the place may be far from everything else in memory, and most ops do nothing
 * of this. */
static effect effect_of(const em_op *op)
{
    bool find_is_bare, insert_is_bare;
    em_slice old = lead_of(op->find, &find_is_bare), new = lead_of(op->insert, &insert_is_bare);
    if (!em_op_searches(op) || op->regex || find_is_bare)
        return NOTHING;
    if (op->kind == EM_OP_INSERT_BEFORE)
        return ends_line(op->insert) ? LEAVE_ANCHOR : NOTHING;
    if (op->kind == EM_OP_DELETE || (op->kind == EM_OP_REPLACE && op->insert.len == 0))
        return ends_line(op->find) ? BEFORE_NEXT : NOTHING;
    bool differ = old.len > 0 ? !em_slice_eq(old, new) : new.len > 0;
    return op->kind == EM_OP_REPLACE && !insert_is_bare && differ ? OTHER_DEPTH : NOTHING;
}

/* An op whose place begins behind blanks of its line. */
typedef struct cut {
    const em_op *op;
    effect effect;
    em_slice blanks;
    size_t start, end; /* of the place */
    size_t line;       /* it begins in, by its number after the edit */
} cut;

#define BEGINS "After this edit line %zu of the file begins with %zu blanks, where it had %zu: "

static em_status tell_of_line(const cut *c, em_arena *arena, em_warnings *warnings)
{
    bool unused;
    size_t old = lead_of(c->op->find, &unused).len, new = lead_of(c->op->insert, &unused).len;
    return em_warn(warnings, arena,
                   BEGINS "the search text begins with %zu of them, and the new text with %zu. If "
                          "the new text shows how deep that line belongs, %zu blanks too many are "
                          "before it",
                   c->line, c->blanks.len + new, c->blanks.len + old, old, new, c->blanks.len);
}

/* The line behind those that go. */
static em_status tell_of_next(const cut *c, size_t lead, em_arena *arena, em_warnings *warnings)
{
    return em_warn(warnings, arena,
                   BEGINS
                   "the %zu blanks before what was removed stand before it now. To take whole "
                   "lines away, begin the search text with all the blanks of its first line",
                   c->line, c->blanks.len + lead, lead, c->blanks.len);
}

/* The line of an anchor that whole lines came before. */
static em_status tell_of_anchor(const cut *c, em_arena *arena, em_warnings *warnings)
{
    bool unused;
    size_t old = lead_of(c->op->find, &unused).len;
    return em_warn(warnings, arena,
                   BEGINS "the new lines came behind %zu of them. To put whole lines before that "
                          "one, begin the search text with all of its blanks",
                   c->line + em_gap_breaks(c->op->insert), old, c->blanks.len + old, c->blanks.len);
}

/* Is that so at the place? Where the search text has no blanks before it, it may be that what comes
 * is to be deeper. */
static bool is_likely(const cut *c, em_slice body)
{
    bool bare;
    em_slice old = lead_of(c->op->find, &bare), new = lead_of(c->op->insert, &bare);
    if (c->effect == OTHER_DEPTH)
        return old.len > 0 || (em_slice_eq(new, c->blanks) && indents_a_later_line(c->op->find));
    lead_of(em_slice_from(body, c->end), &bare);
    return c->effect == LEAVE_ANCHOR || !bare;
}

static em_status tell(const cut *c, em_slice body, em_arena *arena, em_warnings *warnings)
{
    bool unused;
    if (c->effect == OTHER_DEPTH)
        return tell_of_line(c, arena, warnings);
    if (c->effect == LEAVE_ANCHOR)
        return tell_of_anchor(c, arena, warnings);
    return tell_of_next(c, lead_of(em_slice_from(body, c->end), &unused).len, arena, warnings);
}

/* The op's first place, if it stands there literally and begins behind blanks of its line. */
static bool is_cut(const em_outcome *outcome, const em_op *op, const em_matches *places, cut *c)
{
    *c = (cut){.op = op, .effect = effect_of(op)};
    if (c->effect == NOTHING || places->count == 0 || places->items[0].inserted ||
        places->items[0].tier != EM_TIER_EXACT)
        return false;
    c->start = places->items[0].start;
    c->end = places->items[0].end;
    c->blanks = blanks_before(outcome->lines.body, c->start);
    return c->blanks.len > 0 && is_likely(c, outcome->lines.body);
}

em_status em_warn_of_cut_indents(const em_edit_request *request, em_arena *arena,
                                 em_outcome *outcome)
{
    const em_lines *lines = &outcome->lines;
    size_t told = 0, count = em_least(outcome->plan.op_count, MOST_LOOKED_AT);
    if (outcome->text.extract)
        return EM_OK;
    for (size_t i = 0; i < count && told < MOST_TOLD; i++) {
        cut c;
        if (!is_cut(outcome, &request->ops[i], &outcome->plan.places[i], &c))
            continue;
        c.line = em_lines_after(lines, outcome->plan.splices, em_lines_at(lines, c.start));
        EM_TRY(tell(&c, lines->body, arena, &outcome->warnings));
        told++;
    }
    return EM_OK;
}

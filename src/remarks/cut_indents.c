#include "remarks/cut_indents.h"

#include "base/ascii.h"
#include "base/line.h"
#include "laying/bare_stance.h"
#include "match/token_line.h"
#include "remarks/text_page.h"
#include "tokens/indent_habit.h"

enum {
    MOST_TOLD = 3,
    MOST_LOOKED_AT = 1000, /* edits of a call */
    MOST_ALIKE = 8,        /* lines of a new text that may come for an anchor */
    MOST_READ = 1 << 13    /* bytes of one that is read word by word */
};

/* What an op does to a line where its place begins behind blanks. */
typedef enum effect {
    NOTHING,
    OTHER_DEPTH,  /* what comes for it may be of another depth than the caller thinks */
    BEFORE_NEXT,  /* the blanks come before the next one */
    LEAVE_ANCHOR, /* they come before other lines */
    LEAVE_OTHERS, /* and before one of several lines alone, which are to be as deep, or deeper */
} effect;

/* An op whose place begins behind blanks of its line. */
typedef struct cut {
    const em_op *op;
    effect effect;
    em_slice old, new;       /* the blanks that its two texts begin with */
    em_slice blanks;         /* before the place */
    em_slice next;           /* behind it */
    size_t line;             /* that it begins in, by its number after the edit */
    em_indented_line anchor; /* of the new text, where that has lines before what comes for the
                                first one of the search text; else empty. LEAVE_OTHERS: its second
                                line */
} cut;

/* The blanks at `offset`; *bare: nothing else is behind them in the line. */
static em_slice blanks_at(em_slice text, size_t offset, bool *bare)
{
    size_t end;
    *bare = em_ends_line(text, offset, EM_FOLD_NOTHING, &end);
    return em_slice_sub(text, offset, end);
}

static bool ends_line(em_slice text)
{
    return text.len > 0 && em_is_line_break(text.ptr[text.len - 1]);
}

/* Is a line of the text indented that is not its first, which is not empty? */
static bool indents_a_later_line(em_slice text)
{
    em_indented_line line;
    size_t offset = 0;
    bool has_cr = em_slice_has_byte(text, '\r');
    em_indented_line_next(text, has_cr, &offset, &line);
    while (em_indented_line_next(text, has_cr, &offset, &line))
        if (line.indent.len > 0)
            return true;
    return false;
}

/* Have all of several lines these blanks? (What is to be deeper than its line has them in the first
 * one alone.) */
static bool all_lines_begin_with(em_slice text, em_slice blanks)
{
    em_indented_line line;
    size_t offset = 0, count = 0;
    for (bool has_cr = em_slice_has_byte(text, '\r');
         em_indented_line_next(text, has_cr, &offset, &line); count++)
        if (!em_slice_starts(line.indent, blanks))
            return false;
    return count > 1;
}

/* Does the line begin with the anchor's first word? One that begins with a sign is all of it. */
static bool begins_like(em_slice line, em_slice anchor)
{
    size_t word = 0;
    while (word < anchor.len && em_is_word_byte(anchor.ptr[word]))
        word++;
    if (word == 0)
        return em_slice_eq(line, anchor);
    return em_slice_starts(line, em_slice_sub(anchor, 0, word)) &&
           (line.len == word || !em_is_word_byte(line.ptr[word]));
}

/* Is that a line of the text from `offset` on, as deep as there? */
static bool has_line(em_slice text, bool has_cr, size_t offset, const em_indented_line *wanted)
{
    em_indented_line line;
    while (em_indented_line_next(text, has_cr, &offset, &line))
        if (em_slice_eq(line.indent, wanted->indent) && em_slice_eq(line.text, wanted->text))
            return true;
    return false;
}

/* The line of the replacement that comes for the search text's first one, behind lines that are
 * new, if only one that is empty, as where `insert_is_bare`: it begins as that does, and the
 * replacement does not. Empty where there is none. */
static em_indented_line anchor_behind_new_lines(const em_op *op, bool insert_is_bare)
{
    bool find_has_cr = em_slice_has_byte(op->find, '\r');
    bool has_cr = em_slice_has_byte(op->insert, '\r');
    em_indented_line none = {0}, anchor, line;
    size_t behind = 0, offset = 0, alike = 0;
    if (!em_indented_line_next(op->find, find_has_cr, &behind, &anchor))
        return none;
    for (bool first = !insert_is_bare;
         alike < MOST_ALIKE && em_indented_line_next(op->insert, has_cr, &offset, &line);
         first = false) {
        if (!begins_like(line.text, anchor.text))
            continue;
        if (first)
            return none;
        if (!has_line(op->find, find_has_cr, behind, &line))
            return line;
        alike++;
    }
    return none;
}

/* The second line of the text that says something; false: there is none. */
static bool second_line(em_slice text, em_indented_line *line)
{
    size_t offset = 0;
    bool has_cr = em_slice_has_byte(text, '\r');
    return em_indented_line_next(text, has_cr, &offset, line) &&
           em_indented_line_next(text, has_cr, &offset, line);
}

/* Does one line become several? */
static bool has_followers(const em_op *op)
{
    em_indented_line line;
    return op->kind == EM_OP_REPLACE && op->insert.len <= MOST_READ &&
           second_line(op->insert, &line) && !second_line(op->find, &line);
}

/* The lines of a text as if its first one had no indentation: all without that, or without as much
 * of it as they have. */
static em_status without_first_indent(em_slice text, em_slice first, em_arena *arena, em_slice *out)
{
    char *bytes = em_alloc_raw(arena, text.len);
    size_t length = 0;
    if (!bytes)
        return EM_E_NOMEM;
    while (text.len > 0) {
        size_t end = em_line_length(text), same = 0;
        end += em_eol_length_at(text, end);
        while (same < first.len && same < end && text.ptr[same] == first.ptr[same])
            same++;
        memcpy(bytes + length, text.ptr + same, end - same);
        length += end - same;
        text = em_slice_from(text, end);
    }
    *out = em_slice_make(bytes, length);
    return EM_OK;
}

/* The line that comes first has blanks before the place: do those behind it in the new text stand
 * as if it did not? */
static em_status stand_at_margin(const cut *c, bool *stand)
{
    EM_AUTO(em_arena) scratch = {0};
    em_tokened lines = {.text = c->op->insert};
    if (c->new.len > 0)
        EM_TRY(without_first_indent(lines.text, c->new, &scratch, &lines.text));
    EM_TRY(em_tokens_of(lines.text, EM_FOLD_NOTHING, &scratch, &lines.tokens));
    size_t *origin = em_alloc_array(&scratch, lines.tokens.count + 1, sizeof *origin);
    if (!origin)
        return EM_E_NOMEM;
    for (size_t i = 0; i < lines.tokens.count; i++)
        origin[i] = EM_NPOS; /* one that is repeated stands as any other does */
    *stand = em_bare_stance_of(lines, origin, c->blanks) != EM_BARE_IN_FILE;
    return EM_OK;
}

/* By its texts alone: the place may be far from everything else in memory, and most ops do nothing
 * of this. */
static cut effect_of(const em_op *op)
{
    bool find_is_bare, insert_is_bare, goes = op->kind == EM_OP_DELETE || op->insert.len == 0;
    cut c = {.op = op,
             .old = blanks_at(op->find, 0, &find_is_bare),
             .new = blanks_at(op->insert, 0, &insert_is_bare)};
    if (!em_op_searches(op) || em_op_is_pattern(op) || find_is_bare ||
        op->kind == EM_OP_INSERT_AFTER)
        return c;
    bool differ = c.old.len > 0 ? !em_slice_eq(c.old, c.new) : c.new.len > 0;
    if (op->kind == EM_OP_INSERT_BEFORE)
        c.effect = ends_line(op->insert) ? LEAVE_ANCHOR : NOTHING;
    else if (goes)
        c.effect = ends_line(op->find) ? BEFORE_NEXT : NOTHING;
    else {
        c.anchor = anchor_behind_new_lines(op, insert_is_bare);
        c.effect = differ && !insert_is_bare              ? OTHER_DEPTH
                   : c.anchor.text.len > 0                ? LEAVE_ANCHOR
                   : !insert_is_bare && has_followers(op) ? LEAVE_OTHERS
                                                          : NOTHING;
    }
    return c;
}

/* The blanks of the place's line are known: does the effect come about? Where the search text has
 * none of them, it may be that what comes is to be deeper, unless other lines tell how deep the
 * caller takes that line to be. */
static bool comes_about(const cut *c, bool next_is_bare)
{
    const em_op *op = c->op;
    switch (c->effect) {
    case BEFORE_NEXT:
        return !next_is_bare;
    case LEAVE_ANCHOR:
        return op->kind == EM_OP_INSERT_BEFORE || c->anchor.indent.len < c->blanks.len + c->old.len;
    case LEAVE_OTHERS:
        return false; /* where it does, the other lines tell (leaves_others()) */
    default:
        return c->old.len > 0 ||
               (em_slice_eq(c->new, c->blanks) &&
                (indents_a_later_line(op->find) || all_lines_begin_with(op->insert, c->blanks)));
    }
}

/* Its other lines may be left bare also where the anchor among them is not. */
static em_status leaves_others(cut *c, bool *comes)
{
    bool may = c->effect == LEAVE_OTHERS || (c->effect == LEAVE_ANCHOR && has_followers(c->op));
    if (!may || !second_line(c->op->insert, &c->anchor) ||
        (c->anchor.indent.len > 0 && c->anchor.indent.ptr[0] != c->blanks.ptr[0]))
        return EM_OK; /* other blanks are told by other_blanks.h */
    c->effect = LEAVE_OTHERS;
    return stand_at_margin(c, comes);
}

/* The op's first place, if it stands there literally and begins behind blanks of its line. */
static em_status is_cut(const em_planned_edit *edit, const em_op *op, const em_matches *places,
                        cut *c, bool *is)
{
    em_slice body = edit->lines->body;
    const em_match *place = places->items;
    bool next_is_bare;
    *c = effect_of(op);
    *is = false;
    if (c->effect == NOTHING || places->count == 0 || place->inserted ||
        place->tier != EM_TIER_EXACT || !em_indent_at(body, place->start, &c->blanks) ||
        c->blanks.len == 0)
        return EM_OK;
    c->next = blanks_at(body, place->end, &next_is_bare);
    c->line =
        em_lines_after(edit->lines, edit->plan->splices, em_lines_at(edit->lines, place->start));
    *is = comes_about(c, next_is_bare);
    return *is || em_is_text_page(edit->path) ? EM_OK : leaves_others(c, is);
}

#define DEPTH "After this edit line %zu of the file has an indentation of %zu, where it had %zu: "

static em_status tell_anchor(const cut *c, em_arena *arena, em_warnings *warnings)
{
    em_slice insert = c->op->insert;
    bool replaces = c->op->kind == EM_OP_REPLACE;
    if (replaces)
        insert = em_slice_sub(insert, 0, (size_t)(c->anchor.text.ptr - insert.ptr));
    return em_warn(warnings, arena,
                   DEPTH "the new lines came behind %zu of these blanks. To put whole lines before "
                         "that one, begin the search text with all of them%s",
                   c->line + em_gap_breaks(insert), replaces ? c->anchor.indent.len : c->old.len,
                   c->blanks.len + c->old.len, c->blanks.len,
                   replaces ? ", and so each of these lines in the new text" : "");
}

static em_status tell_others(const cut *c, em_arena *arena, em_warnings *warnings)
{
    em_slice insert = c->op->insert;
    em_slice before = em_slice_sub(insert, 0, (size_t)(c->anchor.text.ptr - insert.ptr));
    return em_warn(
        warnings, arena,
        "After this edit line %zu of the file has an indentation of %zu, and line %zu "
        "before it one of %zu: the search text begins behind %zu of its blanks, which "
        "stay before the first line of the new text alone. If the others are to be as deep "
        "beside it as they were sent, put these blanks before each of them, too",
        c->line + em_gap_breaks(before), c->anchor.indent.len, c->line, c->blanks.len + c->old.len,
        c->blanks.len);
}

static em_status tell(const cut *c, em_arena *arena, em_warnings *warnings)
{
    size_t stay = c->blanks.len, old = c->old.len, new = c->new.len, next = c->next.len;
    switch (c->effect) {
    case BEFORE_NEXT:
        return em_warn(warnings, arena,
                       DEPTH "that of what was removed (%zu) stands before it now. To take whole "
                             "lines away, begin the search text with all the blanks of its first "
                             "line",
                       c->line, stay + next, next, stay);
    case LEAVE_ANCHOR:
        return tell_anchor(c, arena, warnings);
    case LEAVE_OTHERS:
        return tell_others(c, arena, warnings);
    default:
        return em_warn(warnings, arena,
                       DEPTH "the search text begins with %zu of these blanks, and the new text "
                             "with %zu. If the new text shows how deep that line belongs, take %zu "
                             "away there",
                       c->line, stay + new, stay + old, old, new, stay);
    }
}

em_status em_remark_cut_indents(const em_planned_edit *edit, em_arena *arena, em_warnings *warnings)
{
    size_t told = 0, count = em_least(edit->plan->op_count, MOST_LOOKED_AT);
    for (size_t i = 0; i < count && told < MOST_TOLD; i++) {
        cut c;
        bool is;
        EM_TRY(is_cut(edit, &edit->ops[i], &edit->plan->places[i], &c, &is));
        if (!is)
            continue;
        EM_TRY(tell(&c, arena, warnings));
        told++;
    }
    return EM_OK;
}

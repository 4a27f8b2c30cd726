/* transplant.c: the result, gap by gap and token by token. */
#include "laying/transplant_impl.h"

#include "laying/first_line.h"
#include "laying/gone.h"
#include "laying/reindent.h"
#include "laying/seams.h"
#include "match/place_edges.h"
#include "tokens/redline.h"

/* ---- Gaps ------------------------------------------------------------------------------------ */

/* The gap of the search text that an inline gap of the replacement is; EM_NPOS where it is new.
 * Blanks beside a bracket belong to the bracket, others to what follows: where that went, they are
 * none before a new sign that ends something. */
static size_t inline_gap(const em_transplant *t, const em_wanted_gap *g)
{
    bool left = em_gap_is_repeated(t, g, g->left), right = em_gap_is_repeated(t, g, g->right);
    if (g->left == g->right)
        return left ? g->left : EM_NPOS;
    if ((left || right) && em_gap_is_parted(t, g)) {
        size_t parted = left ? g->left : g->right;
        bool opens = parted > 0 && em_tokened_is_one_of(t->find, parted - 1, "([{");
        return opens == left ? parted : EM_NPOS;
    }
    if (left && right)
        return em_tokened_is_one_of(t->find, g->right, ")]}") ? g->right : g->left;
    if (left && g->wanted.len == 0 && g->right == EM_NPOS &&
        em_tokened_is_one_of(t->insert, g->index, ";,."))
        return EM_NPOS;
    return left ? g->left : right ? g->right : EM_NPOS;
}

/* The file has nothing in its gap, where the caller has blanks: will the tokens stay apart, and is
 * it known that the file has none? At an end of the place it only has what the search text has. */
static bool may_be_nothing(const em_transplant *t, const em_wanted_gap *g, size_t other)
{
    bool end = g->index == t->insert.tokens.count || g->index == 0;
    bool edge = other == t->find.tokens.count || other == 0;
    if (g->wanted.len == 0 || em_seen_gap(t, other).len > 0 || end)
        return true;
    return !edge && !(em_token_is_word(em_tokened_token(t->insert, g->index - 1)) &&
                      em_token_is_word(em_tokened_token(t->insert, g->index)));
}

static void add_inline_gap(em_transplant *t, const em_wanted_gap *g)
{
    size_t other = inline_gap(t, g);
    bool is_margin = other == 0 && g->index > 0; /* what stands before a line is not within one */
    if (other != EM_NPOS && (is_margin || !may_be_nothing(t, g, other)))
        other = EM_NPOS;
    bool in_place = g->left == g->right && g->left != EM_NPOS;
    bool joins = in_place && em_gap_of(em_seen_gap(t, g->left)) == EM_GAP_BREAK;
    if (other != EM_NPOS)
        em_strbuf_add(&t->out, em_seen_gap(t, other));
    else if (joins && !em_leaves_line_ended(t, g))
        em_strbuf_add(&t->out, em_seen_gap(t, g->left));
    else
        em_strbuf_add(&t->out, g->wanted);
}

/* Where the file's lines are joined that the caller wrote apart, they stay joined. (Before its
 * first line and behind its last the file has nothing to be joined to.) */
static bool stays_inline(const em_transplant *t, const em_wanted_gap *g)
{
    if (g->index == 0 || g->index == t->insert.tokens.count || em_gap_is_parted(t, g))
        return false;
    size_t other = g->left != EM_NPOS ? g->left : g->right;
    if (other == 0 || other == t->find.tokens.count)
        return false;
    return em_gap_is_repeated(t, g, other) && em_gap_of(em_seen_gap(t, other)) != EM_GAP_BREAK;
}

/* CRs alone, which end no lines of this file, nor of the search text: what follows them is not
 * indented. */
static bool is_meant_cr(const em_transplant *t, const em_wanted_gap *g)
{
    if (!t->cr_is_meant || em_slice_has_byte(g->wanted, '\n') || em_slice_is(t->eol, "\r") ||
        g->index == t->insert.tokens.count)
        return false;
    return !em_gap_is_repeated(t, g, g->left) && !em_gap_is_repeated(t, g, g->right);
}

static bool is_in_moved_line(const em_transplant *t, const em_wanted_gap *g)
{
    return em_gap_of(g->wanted) != EM_GAP_BREAK && g->index < t->insert.tokens.count &&
           t->moved[g->index] != EM_NPOS;
}

static em_status add_gap(em_transplant *t, size_t index)
{
    em_wanted_gap g = em_wanted_gap_at(t, index);
    if (index == 0 && t->insert.tokens.count > 0)
        return em_lay_lead(t, &g);
    bool ends = index == t->insert.tokens.count;
    if (is_in_moved_line(t, &g)) {
        em_strbuf_add(&t->out, em_seen_gap(t, t->moved[index]));
        return EM_OK;
    }
    if (em_gap_of(g.wanted) != EM_GAP_BREAK) {
        if (ends && (g.left != t->find.tokens.count || em_joins_next_line(t->text, t->place)))
            em_lay_end(t, &g);
        else
            add_inline_gap(t, &g);
        return EM_OK;
    }
    if (is_meant_cr(t, &g)) {
        em_strbuf_add(&t->out, g.wanted);
        return EM_OK;
    }
    if (stays_inline(t, &g)) {
        em_strbuf_add(&t->out, em_seen_gap(t, g.left != EM_NPOS ? g.left : g.right));
        return EM_OK;
    }
    em_lay_breaks(t, &g);
    return em_lay_indent(t, &g);
}

/* ---- The whole ------------------------------------------------------------------------------- */

static em_status compose(em_transplant *t)
{
    em_wanted_gap lead = em_wanted_gap_at(t, 0);
    if (t->insert.tokens.count == 0) {
        em_lay_blanks_only(t, &lead);
        return EM_OK;
    }
    for (size_t i = 0; i <= t->insert.tokens.count; i++) {
        EM_TRY(add_gap(t, i));
        if (i == t->insert.tokens.count)
            break;
        t->starts[i] = t->out.len;
        em_strbuf_add(&t->out, em_writing_of(&t->writing, i));
    }
    return EM_OK;
}

static em_status prepare(em_transplant *t)
{
    EM_TRY(em_tokens_of(t->insert.text, t->place->fold, t->arena, &t->insert.tokens));
    em_tokened seen = {t->text, {t->place->tokens, t->find.tokens.count}};
    EM_TRY(em_redline_seen(&t->find, &seen, &t->insert, t->arena, &t->origin));
    EM_TRY(em_redline_moves(&t->find, &t->insert, t->origin, t->arena, &t->moved));
    t->gap_used = em_alloc_array(t->arena, t->find.tokens.count + 1, sizeof *t->gap_used);
    t->starts = em_alloc_array(t->arena, t->insert.tokens.count + 1, sizeof *t->starts);
    if (!t->gap_used || !t->starts)
        return EM_E_NOMEM;
    t->depths = (em_depths){.text = t->text,
                            .place = t->place,
                            .find = t->find,
                            .insert = t->insert,
                            .origin = t->origin,
                            .arena = t->arena};
    EM_TRY(em_depths_learn(&t->depths));
    t->precursors = (em_precursors){.find = t->find, .insert = t->insert, .origin = t->origin};
    t->writing = (em_writing){.text = t->text,
                              .place = t->place,
                              .find = t->find,
                              .insert = t->insert,
                              .origin = t->origin,
                              .moved = t->moved};
    EM_TRY(em_writing_learn(&t->writing, t->arena));
    t->cr_is_meant = !t->place->repeats_crs && em_slice_has_byte(t->insert.text, '\r') &&
                     !em_slice_has_byte(t->find.text, '\r');
    return EM_OK;
}

/* The caller's step; of spaces, where neither lines nor pairs tell, of width 0. */
static em_indent_unit told_unit(const em_transplant *t)
{
    const em_indents *indents = &t->depths.indents;
    em_indent_unit unit = indents->caller;
    if (unit.with == ' ' && !indents->caller_told && !indents->learned)
        unit.width = 0;
    return unit;
}

/* Does a line move away from below a comment that the search text lacks? That stays where it is,
 * and may have told of the line. */
static bool leaves_comment(const em_transplant *t)
{
    em_slice comment;
    for (size_t i = 0; i < t->insert.tokens.count; i++) {
        size_t from = t->moved[i];
        if (from == EM_NPOS || from == 0 || (i > 0 && t->moved[i - 1] == from - 1))
            continue;
        em_skipped_lines skipped = em_skipped_at(t, from, EM_NPOS);
        if (em_skipped_lines_next(&skipped, &comment))
            return true;
    }
    return false;
}

static em_status lay_onto(em_transplant *t, em_slice *out, bool *sound)
{
    em_tokens tokens;
    em_status status = compose(t);
    if (status == EM_OK)
        status = em_strbuf_keep(&t->out, t->arena, out);
    em_strbuf_drop(&t->out);
    EM_TRY(status);
    EM_TRY(em_tokens_of(*out, t->place->fold, t->arena, &tokens));
    *out = em_ended_as_before(t->text, t->place, &t->insert, (em_tokened){*out, tokens});
    em_first_line first = {t->text,   t->place, &t->find,           &t->insert,
                           t->origin, t->moved, &t->depths.indents, t->depths.first_is_bare};
    *sound = !t->depth_is_unclear && !leaves_comment(t) &&
             (!t->depths.units_are_known || em_depths_are_sound(&first, *out, tokens)) &&
             em_first_line_is_clear(&first, *out, tokens) &&
             em_gone_ends_stand(t->text, t->place, &t->insert, t->origin, told_unit(t),
                                t->depths.indents.file) &&
             !em_joins_words(t->text, t->place, *out);
    return EM_OK;
}

em_status em_transplant_difference(em_slice text, const em_tolerant_place *place, em_eol dominant,
                                   em_arena *arena, em_laid *laid, bool *sound)
{
    em_transplant t = {.text = text,
                       .place = place,
                       .find = em_place_find(place),
                       .insert = {.text = place->insert},
                       .eol = em_place_eol(text, place->span, dominant),
                       .arena = arena};
    em_reindent reindent;
    EM_TRY(prepare(&t));
    EM_TRY(em_reindent_of(text, place, t.insert.tokens, arena, &reindent));
    *sound = reindent != EM_REINDENT_UNCLEAR;
    *laid = (em_laid){em_slice_sub(text, place->span.start, place->span.end), t.insert.tokens,
                      t.origin, t.starts};
    return reindent == EM_REINDENT_AFTER || !*sound ? EM_OK : lay_onto(&t, &laid->text, sound);
}

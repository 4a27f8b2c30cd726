/* transplant_indent.c: how deep a line of the result is, and with which bytes. */
#include "laying/transplant_impl.h"

#include "laying/depths_beside.h"
#include "laying/indent.h"
#include "match/token_line.h"

/* The indentation of a line that keeps none of the file's. */
static em_status map_new_indent(em_transplant *t, em_slice indent, size_t index, em_precursor old,
                                em_slice *out)
{
    em_slice beside;
    em_siblings siblings = em_depths_of_siblings(&t->depths, index, old, &beside);
    *out = siblings == EM_SIBLINGS_AGREE ? beside : indent;
    if (siblings == EM_SIBLINGS_AGREE)
        return EM_OK;
    const em_indents *indents = em_depths_for(&t->depths, index);
    t->depth_is_unclear |= siblings == EM_SIBLINGS_DIFFER;
    t->depth_is_unclear |= !indents || !em_indent_is_known(indents, indent, old.start, old.end);
    /* A line that is repeated goes by its own, wherever it goes. */
    size_t own = t->origin[index], end = own == EM_NPOS ? old.end : own + 1;
    if (indents)
        EM_TRY(em_indent_map(indents, indent, old.start, end, t->arena, out));
    t->depth_is_unclear |= siblings == EM_SIBLINGS_HANG && !em_slice_eq(*out, beside);
    return EM_OK;
}

/* Are the two lines, by their first tokens, as far from each other in the search text as `above`
 * and `indent` are? */
static bool are_as_far_apart(em_tokened find, size_t before, size_t line, em_slice above,
                             em_slice indent)
{
    em_slice old_above, old;
    return em_line_indent(find, before, &old_above) && em_line_indent(find, line, &old) &&
           old.len + above.len == old_above.len + indent.len;
}

/* A line that moves with the one before it, which the file has deeper than that, or as deep, is as
 * far from it as in the file: where both texts have the two as far from each other, these do not
 * say otherwise. `from`: its first token in the search text. */
static em_status map_as_before(em_transplant *t, em_slice indent, size_t index, size_t from,
                               bool *mapped, em_slice *out)
{
    em_slice above, seen_above, seen, laid, rest;
    size_t first, last, before;
    *mapped = false;
    em_line_around(t->insert, index - 1, &first, &last);
    before = t->moved[first];
    if (before == EM_NPOS || t->moved[last] + 1 != from ||
        !em_line_indent(t->insert, first, &above) ||
        !are_as_far_apart(t->find, before, from, above, indent) ||
        !em_indent_at(t->text, t->place->tokens[before].start, &seen_above) ||
        !em_indent_at(t->text, t->place->tokens[from].start, &seen) ||
        !em_slice_starts(seen, seen_above) ||
        !em_indent_at(em_strbuf_slice(&t->out), t->starts[first], &laid))
        return EM_OK;
    *mapped = true;
    rest = em_slice_from(seen, seen_above.len);
    return em_arena_join(t->arena, laid, rest, out);
}

em_status em_map_indent(em_transplant *t, em_slice indent, size_t index, em_slice *out)
{
    bool mapped = false;
    em_precursor old = em_precursor_of(&t->precursors, index);
    size_t from = t->moved[index];
    EM_TRY(em_depths_learn_units(&t->depths));
    if (index > 0 && from != EM_NPOS && em_depths_of_moved(&t->depths, index, from, out))
        return EM_OK;
    if (index > 0 && from != EM_NPOS)
        EM_TRY(map_as_before(t, indent, index, from, &mapped, out));
    if (mapped)
        return EM_OK;
    if (index > 0 && t->depths.scopes && em_depths_keeps(&t->depths, index, old, out))
        return EM_OK;
    EM_TRY(map_new_indent(t, indent, index, old, out));
    return em_depths_write(&t->depths, old.start, out);
}

em_status em_lay_indent(em_transplant *t, const em_wanted_gap *g)
{
    em_slice seen, mapped, wanted;
    if (g->index == t->insert.tokens.count) {
        if (g->parts.indent.len > 0)
            em_strbuf_add(&t->out, em_gap_split(em_seen_gap(t, t->find.tokens.count)).indent);
        return EM_OK;
    }
    if (g->right != EM_NPOS && em_line_indent(t->find, g->right, &wanted) &&
        em_slice_eq(wanted, g->parts.indent) &&
        em_indent_at(t->text, t->place->tokens[g->right].start, &seen)) {
        em_strbuf_add(&t->out, seen);
        em_precursors_pass(&t->precursors);
        return EM_OK;
    }
    EM_TRY(em_map_indent(t, g->parts.indent, g->index, &mapped));
    em_strbuf_add(&t->out, mapped);
    return EM_OK;
}

em_status em_lay_first_indent(em_transplant *t, const em_wanted_gap *g, size_t counterpart)
{
    em_slice wanted, first, seen, mapped,
        own = em_gap_of(g->wanted) == EM_GAP_BREAK ? g->parts.indent : g->wanted;
    bool alike = em_line_indent(t->find, counterpart, &wanted) && em_slice_eq(wanted, own);
    bool begins = em_seen_indent(t->text, t->place, counterpart, &seen);
    bool is_bare = own.len == 0 && t->depths.first_is_bare;
    em_seen_indent(t->text, t->place, 0, &first);
    if (is_bare || (alike && begins)) {
        bool stays = begins && (alike || em_slice_starts(first, seen));
        em_strbuf_add(&t->out, stays ? seen : first);
        return EM_OK;
    }
    EM_TRY(em_map_indent(t, own, 0, &mapped));
    em_strbuf_add(&t->out, mapped);
    return EM_OK;
}

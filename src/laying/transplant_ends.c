/* transplant_ends.c: what stands before the first token of the result and behind the last: there
 * the place meets what stays around it.
 */
#include "laying/transplant_impl.h"

#include "match/place_edges.h"
#include "match/token_line.h"

/* The first lines of the search text went, and the empty lines before them and behind them, up to
 * token `counterpart`, meet: they stay. */
static bool add_met_breaks(em_transplant *t, const em_wanted_gap *g, size_t counterpart)
{
    em_slice before = em_tokened_gap(t->find, 0), behind = em_tokened_gap(t->find, counterpart),
             seen = em_gap_split(em_seen_gap(t, counterpart)).breaks;
    if (em_gap_of(g->wanted) != EM_GAP_BREAK || em_gap_breaks(behind) < 2 || seen.len == 0 ||
        em_gap_breaks(g->wanted) + 1 != em_gap_breaks(before) + em_gap_breaks(behind))
        return false;
    em_lay_seen(t, em_seen_breaks(t, 0));
    em_lay_seen(t, em_behind_first_eol(seen));
    t->gap_used[counterpart] = true;
    return true;
}

/* The first line of the replacement is a later one of the search text. */
static em_status add_lead_of_later(em_transplant *t, const em_wanted_gap *g, size_t counterpart)
{
    em_slice before = em_tokened_gap(t->find, 0);
    if (add_met_breaks(t, g, counterpart))
        return em_lay_first_indent(t, g, counterpart);
    if (em_gap_breaks(g->wanted) == em_gap_breaks(before) || em_keeps_front(t, g, 0))
        em_strbuf_add(&t->out, em_seen_breaks(t, 0));
    else if (em_gap_of(g->wanted) == EM_GAP_BREAK)
        em_lay_breaks(t, g);
    em_lay_skipped(t, counterpart, em_kept_empty_lines(t, counterpart, 0, 0));
    return em_lay_first_indent(t, g, counterpart);
}

/* Do the line endings that the replacement begins with stand before the place already? */
static bool has_breaks_before(const em_transplant *t, const em_wanted_gap *g)
{
    return em_gap_of(em_tokened_gap(t->find, 0)) != EM_GAP_BREAK && g->right == 0 &&
           em_breaks_there(t, 0) >= em_gap_breaks(g->wanted);
}

/* The replacement begins with line endings, and otherwise than the search text. The first token
 * begins a line of the file, or not; `whole`: the place begins there, too. */
static em_status add_lead_breaks(em_transplant *t, const em_wanted_gap *g, bool begins, bool whole)
{
    if (begins && has_breaks_before(t, g)) {
        em_strbuf_add(&t->out, whole ? em_seen_gap(t, 0) : EM_LIT(""));
        return EM_OK;
    }
    if (em_keeps_front(t, g, 0))
        em_strbuf_add(&t->out, em_seen_breaks(t, 0));
    else
        em_lay_breaks(t, g);
    return em_lay_indent(t, g);
}

/* The replacement begins with blanks, or none, in place of others, in a line of the file that the
 * first token begins. `whole`: the place has the file's indentation; else it stands before it. */
static em_status add_lead_indent(em_transplant *t, const em_wanted_gap *g, bool whole)
{
    em_slice mapped, seen;
    EM_TRY(em_map_indent(t, g->wanted, 0, &mapped));
    if (!whole) {
        em_indent_at(t->text, t->place->tokens[0].start, &seen);
        bool deeper = g->right == EM_NPOS && em_slice_starts(mapped, seen);
        mapped = deeper ? em_slice_from(mapped, seen.len) : (em_slice){0};
    }
    em_strbuf_add(&t->out, mapped);
    return EM_OK;
}

em_status em_lay_lead(em_transplant *t, const em_wanted_gap *g)
{
    size_t start, counterpart = em_first_counterpart(t->find, t->insert, t->origin);
    bool begins = em_begins_line(t->text, t->place->tokens[0].start, &start);
    bool whole = t->place->span.start <= start;
    if (counterpart != EM_NPOS && counterpart > 0 && whole)
        return add_lead_of_later(t, g, counterpart);
    if (em_slice_eq(g->wanted, em_tokened_gap(t->find, 0))) {
        em_strbuf_add(&t->out, em_seen_gap(t, 0));
        return EM_OK;
    }
    if (em_gap_of(g->wanted) == EM_GAP_BREAK)
        return add_lead_breaks(t, g, begins, whole);
    if (begins)
        return add_lead_indent(t, g, whole);
    em_strbuf_add(&t->out, g->wanted);
    return EM_OK;
}

/* The last lines of the place went: what the search text lacks before them stays, but for its last
 * line ending. */
static void add_skipped_at_end(em_transplant *t, const em_wanted_gap *g)
{
    if (g->left == EM_NPOS)
        return;
    size_t at = 0;
    em_slice seen = em_seen_gap(t, g->left), line, body, eol = em_next_eol(seen, &at, t->eol);
    em_skipped_lines skipped =
        em_skipped_at(t, g->left, em_kept_empty_lines(t, g->left, 0, g->index - 1));
    for (; em_skipped_lines_next(&skipped, &line); eol = em_slice_from(line, body.len)) {
        body = em_without_last_eol(line);
        em_strbuf_add(&t->out, eol);
        em_strbuf_add(&t->out, body);
    }
}

void em_lay_end(em_transplant *t, const em_wanted_gap *g)
{
    em_gap_parts seen = em_gap_split(em_seen_gap(t, t->find.tokens.count));
    if (em_joins_next_line(t->text, t->place)) {
        em_strbuf_add(&t->out, g->wanted);
        return;
    }
    em_lay_trail(t, g);
    add_skipped_at_end(t, g);
    if (seen.breaks.len == 0 || em_leaves_line_ended(t, g))
        return;
    em_strbuf_add(&t->out, seen.breaks);
    em_strbuf_add(&t->out, seen.indent);
}

void em_lay_blanks_only(em_transplant *t, const em_wanted_gap *g)
{
    em_slice wanted = t->insert.text, line;
    em_skipped_lines lines = {.rest = em_seen_breaks(t, 0), .fold = t->place->fold};
    bool is_lines =
        em_gap_of(wanted) == EM_GAP_BREAK && g->parts.indent.len == 0 && !t->cr_is_meant;
    if (is_lines && add_met_breaks(t, g, t->find.tokens.count))
        return;
    if (is_lines && em_keeps_front(t, g, 0)) {
        em_strbuf_add(&t->out, em_seen_breaks(t, 0));
        return;
    }
    while (!t->cr_is_meant && em_gap_breaks(wanted) > 0 && em_skipped_lines_next(&lines, &line)) {
        size_t at = 0;
        em_lay_seen(t, line);
        em_next_eol(wanted, &at, t->eol);
        wanted = em_slice_from(wanted, at);
    }
    em_lay_wanted_breaks(t, wanted, (em_slice){0}, 0, true);
}

/* transplant_gap.c: which gaps of the search text, and so of the file, a gap of the replacement is.
 */
#include "laying/transplant_impl.h"

#include "base/ascii.h"
#include "match/place_edges.h"
#include "match/token_line.h"

em_slice em_seen_gap(const em_transplant *t, size_t index)
{
    return em_place_gap(t->text, t->place, index);
}

em_slice em_seen_breaks(const em_transplant *t, size_t index)
{
    em_slice seen = em_seen_gap(t, index);
    em_gap_parts parts = em_gap_split(seen);
    return index == 0 && parts.breaks.len > 0 ? em_slice_sub(seen, 0, seen.len - parts.indent.len)
                                              : parts.breaks;
}

bool em_is_blank_text(em_slice s)
{
    for (size_t i = 0; i < s.len; i++)
        if (!em_is_one_of(s.ptr[i], " \t\r\n"))
            return false;
    return true;
}

em_wanted_gap em_wanted_gap_at(const em_transplant *t, size_t index)
{
    size_t count = t->insert.tokens.count;
    em_wanted_gap g = {.index = index,
                       .wanted = em_tokened_gap(t->insert, index),
                       .left = EM_NPOS,
                       .right = EM_NPOS};
    g.parts = em_gap_split(g.wanted);
    if (index == 0)
        g.left = 0;
    else if (t->origin[index - 1] != EM_NPOS)
        g.left = t->origin[index - 1] + 1;
    if (index == count)
        g.right = t->find.tokens.count;
    else if (t->origin[index] != EM_NPOS)
        g.right = t->origin[index];
    return g;
}

bool em_gap_is_repeated(const em_transplant *t, const em_wanted_gap *g, size_t other)
{
    if (other == EM_NPOS)
        return false;
    em_gap_parts parts = em_gap_split(em_tokened_gap(t->find, other));
    bool other_line = (other != g->left || other == 0) && parts.breaks.len > 0;
    return (other_line || em_slice_eq(parts.trail, g->parts.trail)) &&
           em_gap_breaks(parts.breaks) == em_gap_breaks(g->parts.breaks);
}

bool em_leaves_line_ended(const em_transplant *t, const em_wanted_gap *g)
{
    size_t end = t->place->span.end;
    bool last = g->index == t->insert.tokens.count;
    return last && (end == t->text.len || em_eol_at(t->text, end) != EM_EOL_NONE);
}

/* The next gap of the replacement before a repeated token. */
static em_wanted_gap next_joint(const em_transplant *t, size_t index)
{
    em_wanted_gap next = em_wanted_gap_at(t, index);
    while (next.right == EM_NPOS)
        next = em_wanted_gap_at(t, ++index);
    return next;
}

/* The last one behind a repeated token. */
static em_wanted_gap last_joint(const em_transplant *t, size_t index)
{
    em_wanted_gap last = em_wanted_gap_at(t, index);
    while (last.left == EM_NPOS)
        last = em_wanted_gap_at(t, --index);
    return last;
}

bool em_gap_is_parted(const em_transplant *t, const em_wanted_gap *g)
{
    if (g->left == EM_NPOS && g->right != EM_NPOS) {
        em_wanted_gap first = last_joint(t, g->index);
        return first.left == g->right && em_gap_is_repeated(t, &first, g->right);
    }
    if (g->right != EM_NPOS || g->left == EM_NPOS)
        return false;
    em_wanted_gap second = next_joint(t, g->index);
    return second.right == g->left && em_gap_is_repeated(t, &second, g->left);
}

size_t em_line_end_before(const em_transplant *t, const em_wanted_gap *g)
{
    size_t first, last, end;
    if (g->left != EM_NPOS)
        return g->left;
    if (t->moved[g->index - 1] != EM_NPOS)
        return t->moved[g->index - 1] + 1;
    em_line_around(t->insert, g->index - 1, &first, &last);
    for (size_t i = g->index - 1; i-- > first;) {
        if (t->origin[i] == EM_NPOS)
            continue;
        em_line_around(t->find, t->origin[i], &last, &end);
        return end + 1;
    }
    return EM_NPOS;
}

size_t em_breaks_there(const em_transplant *t, size_t index)
{
    em_slice text = t->text;
    em_token other;
    size_t count = t->place->find_tokens.count, start, end;
    if (index > 0 && index < count)
        return em_gap_breaks(em_seen_gap(t, index));
    start = index > 0 ? t->place->tokens[count - 1].end : 0;
    end = index > 0 ? text.len : t->place->tokens[0].start;
    if (index > 0 && em_token_next(text, start, t->place->fold, &other))
        end = other.start;
    if (index == 0 && em_token_previous(text, end, t->place->fold, &other))
        start = other.end;
    size_t there = em_gap_breaks(em_slice_sub(text, start, end));
    bool ends_other = index == 0 && start > 0 && em_is_whole_lines(text, t->place, t->find);
    return ends_other && there > 0 ? there - 1 : there;
}

#include "match/respacing.h"

#include "match/token_line.h"
#include "tokens/indent_habit.h"

/* What the file has in a gap of the place; at its ends up to the next token. */
static em_slice gap_there(em_slice text, const em_tolerant_place *place, size_t index)
{
    size_t count = place->find_tokens.count;
    size_t start = index > 0 ? place->tokens[index - 1].end : 0;
    size_t end = index < count ? place->tokens[index].start : text.len;
    em_token other;
    if (index == 0 && em_token_previous(text, end, place->fold, &other))
        start = other.end;
    if (index == count && em_token_next(text, start, place->fold, &other))
        end = other.start;
    return em_slice_sub(text, start, end);
}

/* Tokens that are new, between two that are repeated, stand for as many of the search text. */
static void pair_changed(size_t *origin, size_t count, size_t find_count)
{
    for (size_t i = 0, from = 0, next = 0; i <= count; i++) {
        size_t here = i < count ? origin[i] : find_count;
        if (here == EM_NPOS)
            continue;
        for (size_t j = from; j < i && here - next == i - from; j++)
            origin[j] = next + (j - from);
        from = i + 1;
        next = here + 1;
    }
}

/* The gap of the search text that gap `index` of the replacement is; EM_NPOS where it is new. */
static size_t gap_of_find(const size_t *origin, size_t index, size_t count, size_t find_count)
{
    size_t left = index == 0 ? 0 : origin[index - 1], right = find_count;
    if (index > 0 && left != EM_NPOS)
        left++;
    if (index < count)
        right = origin[index];
    return left == right ? left : EM_NPOS;
}

/* Whole lines, which begin with blanks or end in a line break, begin behind a line ending that is
 * of the line before. */
static bool begins_behind_line(const em_respacing *r)
{
    em_slice first = em_tokened_gap(r->find, 0);
    em_slice last = em_tokened_gap(r->find, r->find.tokens.count);
    em_token before;
    return em_gap_breaks(first) == 0 && (first.len > 0 || em_gap_breaks(last) > 0) &&
           em_token_previous(r->text, r->place->tokens[0].start, r->place->fold, &before);
}

/* The line endings that the file has in a gap, of those that the edit may speak of. */
static size_t breaks_there(const em_respacing *r, size_t index)
{
    size_t breaks = em_gap_breaks(gap_there(r->text, r->place, index));
    return index == 0 && breaks > 0 && begins_behind_line(r) ? breaks - 1 : breaks;
}

em_status em_has_wanted_breaks(const em_respacing *r, em_arena *arena, bool *has)
{
    size_t *origin, count = r->insert.tokens.count, find_count = r->find.tokens.count;
    EM_TRY(em_redline(&r->find, &r->insert, arena, &origin));
    pair_changed(origin, count, find_count);
    *has = true;
    for (size_t i = 0; i <= count && *has; i++) {
        size_t other = gap_of_find(origin, i, count, find_count);
        if (other == EM_NPOS)
            continue;
        size_t before = em_gap_breaks(em_tokened_gap(r->find, other));
        size_t after = em_gap_breaks(em_tokened_gap(r->insert, i));
        size_t there = breaks_there(r, r->of_insert ? i : other);
        bool is_edge = i == 0 || i == count,
             is_kept = after > before ? there > after : there < after;
        *has = after == before || there == after || (is_edge && there > after) ||
               (is_kept && !r->strictly);
    }
    return EM_OK;
}

/* ---- Other writings -------------------------------------------------------------------------- */

/* What is written in front of a token: the indentation of a line, or the blanks within one. */
typedef struct front {
    bool begins_line;
    em_slice blanks;
} front;

static front front_of(em_slice gap)
{
    bool begins_line = em_gap_of(gap) == EM_GAP_BREAK;
    return (front){begins_line, begins_line ? em_gap_split(gap).indent : gap};
}

static bool are_same(front a, front b)
{
    return a.begins_line == b.begins_line && em_slice_eq(a.blanks, b.blanks);
}

/* For how many spaces of the one a tab of the other stands; 0 where it is not tabs alone in one and
 * whole steps of spaces in the other. */
static size_t tab_width_between(em_slice a, em_slice b)
{
    em_slice tabs = em_indent_tabs_in(a) > 0 ? a : b, spaces = tabs.ptr == a.ptr ? b : a;
    bool is_whole = tabs.len > 0 && spaces.len % tabs.len == 0;
    return is_whole && em_indent_is_all(tabs, '\t') && em_indent_is_all(spaces, ' ')
               ? spaces.len / tabs.len
               : 0;
}

/* Is token `index` of the replacement before a line that the file has as deep as the search text?
 * Then the file tells nothing of how it writes the replacement. */
static bool is_as_deep_as_searched(const em_respacing *r, const size_t *origin, size_t index,
                                   em_slice is)
{
    em_slice was;
    return origin[index] != EM_NPOS && em_line_indent(r->find, origin[index], &was) &&
           em_slice_eq(is, was);
}

/* Is a line of the replacement indented with blanks of the other kind, which are not the search
 * text's? Then this was not found to the byte, and what came is indented as the file is, where a
 * tab stands for so many spaces; else 0. */
static size_t tab_width_of(const em_respacing *r, const size_t *origin)
{
    size_t width = 0;
    for (size_t i = 0; i < r->insert.tokens.count && width == 0; i++) {
        em_slice wanted, is;
        if (em_line_indent(r->insert, i, &wanted) && em_seen_indent(r->text, r->place, i, &is) &&
            !is_as_deep_as_searched(r, origin, i, is))
            width = tab_width_between(is, wanted);
    }
    return width;
}

/* Is a difference between token `index` of the replacement and that of the search text not in the
 * file: another quote or dash, or what is in front of it, which is as in the search text there?
 * Before the first tokens nobody knows that; and within a line only behind the same token. Where a
 * tab stands for so many spaces, one for the other is no difference (`tab_width`; 0: it is). */
static bool is_as_searched(const em_respacing *r, const size_t *origin, size_t index,
                           size_t tab_width)
{
    size_t from = origin[index];
    em_slice there = em_token_bytes(r->text, r->place->tokens[index]),
             old = em_tokened_token(r->find, from), new = em_tokened_token(r->insert, index);
    bool changes_sign = em_token_same(old, new, EM_FOLD_WRITING) && !em_slice_eq(old, new);
    if (changes_sign && !em_slice_eq(there, new))
        return true;
    if (index == 0 || from == 0)
        return false;
    front is = front_of(gap_there(r->text, r->place, index)),
          was = front_of(em_tokened_gap(r->find, from)),
          wanted = front_of(em_tokened_gap(r->insert, index));
    bool follows = origin[index - 1] != EM_NPOS && origin[index - 1] + 1 == from;
    bool changes = !are_same(was, wanted) &&
                   (tab_width == 0 || tab_width_between(was.blanks, wanted.blanks) != tab_width);
    return (was.begins_line || follows) && was.begins_line == wanted.begins_line &&
           are_same(is, was) && changes;
}

em_status em_is_as_searched(const em_respacing *r, em_arena *arena, bool *is)
{
    size_t *origin, count = r->insert.tokens.count;
    EM_TRY(em_redline(&r->find, &r->insert, arena, &origin));
    pair_changed(origin, count, r->find.tokens.count);
    size_t tab_width = tab_width_of(r, origin);
    *is = false;
    for (size_t i = 0; i < count && !*is; i++)
        *is = origin[i] != EM_NPOS && is_as_searched(r, origin, i, tab_width);
    return EM_OK;
}

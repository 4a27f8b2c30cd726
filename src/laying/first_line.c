#include "laying/first_line.h"

#include "base/ascii.h"
#include "match/block.h"
#include "match/token_line.h"
#include "tokens/tab_stops.h"

/* The search text came without its first indentation, and its first line goes. The replacement came
 * without one, too. Is it known how deep its first line belongs?
 *
 * Not where another line of the search text came without indentation, and is not as deep in the
 * file as the first. Nor where the file has the line deeper than the one that goes, and the line
 * behind it stays as deep as it is:
 *
 *   search text   "a(1):\n        b()\n        d()"
 *   file          "    a( 1 ):\n        b()\n        d()"
 *   replacement   "b()\n        d()"
 *   result        refused: b() may be meant four deep, as a(1) was, or eight, as it is
 */
static bool first_depth_is_clear(const em_first_line *t)
{
    em_slice first, wanted, here, next;
    size_t from, last, counterpart = em_first_counterpart(*t->find, *t->insert, t->origin);
    bool repeated = counterpart != EM_NPOS && em_line_indent(*t->find, counterpart, &wanted);
    if (!t->is_bare || counterpart == 0 || em_tokened_gap(*t->insert, 0).len > 0 ||
        (repeated && wanted.len == 0))
        return true;
    em_seen_indent(t->text, t->place, 0, &first);
    em_line_around(*t->find, 0, &from, &last);
    for (size_t i = 0; i < t->insert->tokens.count; i++)
        if (t->origin[i] <= last) /* it does not go */
            return true;
    for (size_t i = 0; i < t->indents->count; i++)
        if (t->indents->pairs[i].at > 0 && t->indents->pairs[i].wanted.len == 0 &&
            !em_slice_eq(t->indents->pairs[i].seen, first))
            return false;
    em_line_around(*t->insert, 0, &from, &last);
    if (!repeated || last + 1 == t->insert->tokens.count || t->origin[last + 1] == EM_NPOS ||
        !em_seen_indent(t->text, t->place, counterpart, &here) || em_slice_eq(here, first))
        return true;
    bool stays = em_line_indent(*t->find, t->origin[last + 1], &wanted) &&
                 em_slice_eq(wanted, em_gap_split(em_tokened_gap(*t->insert, last + 1)).indent) &&
                 em_seen_indent(t->text, t->place, t->origin[last + 1], &next);
    return !stays || em_slice_starts(first, here) || !em_slice_starts(next, here);
}

/* The replacement begins with a line that has something of another line of the search text than the
 * first, but does not begin as that does: it may be new as well, and come for all lines up to that.
 * Are those as deep as each other in the file, too, as they are for the caller? */
static bool first_change_is_clear(const em_first_line *t)
{
    em_slice new, wanted, seen, other_wanted, other_seen;
    size_t counterpart = em_first_counterpart(*t->find, *t->insert, t->origin);
    if (counterpart == EM_NPOS || t->origin[0] == counterpart ||
        !em_line_indent(*t->insert, 0, &new) || !em_line_indent(*t->find, counterpart, &wanted) ||
        !em_slice_eq(new, wanted) || !em_seen_indent(t->text, t->place, counterpart, &seen))
        return true;
    for (size_t i = 0; i < counterpart; i++)
        if (em_line_indent(*t->find, i, &other_wanted) && em_slice_eq(other_wanted, wanted) &&
            em_seen_indent(t->text, t->place, i, &other_seen) && !em_slice_eq(other_seen, seen))
            return false;
    return true;
}

/* A first line that came without its indentation opens a block, and the new line behind it is
 * deeper, for all the caller wrote. If nothing of the search text is as deep, is it so too in the
 * result? */
static bool first_block_is_sound(const em_first_line *t, em_slice result, em_tokens tokens)
{
    em_slice indent, first;
    size_t from, last, start;
    if (!t->is_bare || t->indents->count == 0 || tokens.count != t->insert->tokens.count)
        return true;
    em_line_around(*t->insert, 0, &from, &last);
    if (t->origin[0] != 0 || last + 1 == tokens.count || t->origin[last + 1] != EM_NPOS ||
        !em_tokened_is_one_of(*t->insert, last, "{([:") ||
        !em_line_indent(*t->insert, last + 1, &indent) || indent.len == 0 ||
        !em_begins_line(result, tokens.items[last + 1].start, &start))
        return true;
    for (size_t i = 0; i < t->indents->count; i++)
        if (em_slice_eq(t->indents->pairs[i].wanted, indent))
            return true;
    em_seen_indent(t->text, t->place, 0, &first);
    em_slice seen = em_slice_sub(result, start, tokens.items[last + 1].start);
    return em_slice_starts(seen, first) && seen.len > first.len;
}

/* Blanks for whole lines, without a line ending behind them, would indent the line behind: that is
 * not clear where the search text came without its first indentation, or with another one of that
 * line. */
static bool blanks_are_clear(const em_first_line *t)
{
    em_slice insert = t->insert->text, tail = em_tokened_gap(*t->find, t->find->tokens.count);
    bool may_indent = !t->is_bare && em_gap_split(tail).indent.len == 0;
    return may_indent || insert.len == 0 || em_gap_of(tail) != EM_GAP_BREAK ||
           em_is_line_break(insert.ptr[insert.len - 1]);
}

/* How many columns of blanks stand before token `index` of the result; false where it begins no
 * line. */
static bool result_depth(const em_first_line *t, em_tokened result, size_t index, size_t *depth)
{
    em_slice indent;
    size_t start = t->place->span.start;
    if (!em_line_indent(result, index, &indent) ||
        (index == 0 && !em_begins_line(t->text, t->place->span.start, &start)))
        return false;
    *depth = em_columns_of(indent);
    if (index == 0)
        *depth += em_columns_of(em_slice_sub(t->text, start, t->place->span.start));
    return true;
}

/* Are new lines that follow each other as deep as each other in the result, if they are for the
 * caller? Of a first line without indentation nobody knows; lines that moved go by the file. */
static bool new_lines_stay_alike(const em_first_line *t, em_tokened result)
{
    em_slice here, last = {0};
    size_t depth, last_depth = 0;
    bool follows = false;
    for (size_t i = 0; i < result.tokens.count; i++) {
        if (!em_line_indent(*t->insert, i, &here))
            continue;
        bool counts = t->origin[i] == EM_NPOS && t->moved[i] == EM_NPOS &&
                      (i > 0 || here.len > 0) && result_depth(t, result, i, &depth);
        if (counts && follows && em_slice_eq(here, last) && depth != last_depth)
            return false;
        follows = counts;
        last = here;
        last_depth = counts ? depth : 0;
    }
    return true;
}

/* A line that the caller has deeper than a new one that opens its block: is it so in the result? */
static bool blocks_are_deeper(const em_first_line *t, em_tokened result)
{
    em_tokened insert = *t->insert;
    for (size_t i = 0, next, first; i < insert.tokens.count; i = next) {
        em_slice here, there;
        size_t depth, deeper;
        em_line_around(insert, i, &first, &next);
        if (++next == insert.tokens.count)
            break;
        if (t->origin[i] == EM_NPOS && em_opens_block(insert, next - 1) &&
            em_line_indent(insert, i, &here) && em_line_indent(insert, next, &there) &&
            there.len > here.len && em_slice_starts(there, here) &&
            result_depth(t, result, i, &depth) && result_depth(t, result, next, &deeper) &&
            deeper <= depth)
            return false;
    }
    return true;
}

/* Does token `next` begin what the block of the line before it, that begins at `first`, has in it:
 * not its end, nor another label? */
static bool is_in_block(em_tokened text, size_t first, size_t next)
{
    em_slice bytes = em_tokened_token(text, next);
    return !em_tokened_is_one_of(text, next, "})]") &&
           !em_slice_eq(bytes, em_tokened_token(text, first));
}

/* Has a new block none of its depth, since all of it was lost? */
static bool loses_block(const em_first_line *t)
{
    em_tokened insert = *t->insert;
    if (!em_indents_lost_all(t->indents))
        return false;
    for (size_t i = 0, next, first; i < insert.tokens.count; i = next) {
        em_slice here, there;
        em_line_around(insert, i, &first, &next);
        if (++next == insert.tokens.count)
            break;
        if (t->origin[i] == EM_NPOS && em_line_indent(insert, i, &here) && here.len == 0 &&
            em_line_indent(insert, next, &there) && there.len == 0 &&
            em_opens_block(insert, next - 1) && is_in_block(insert, i, next))
            return true;
    }
    return false;
}

enum { MOST_BLOCKS = 64 }; /* in each other */

/* A line of the search text that opens a block. */
typedef struct opener {
    size_t last, depth; /* its last token; as deep as in the file */
    bool opens; /* a line of the block stays, and this one does, or another has come for it */
} opener;

/* Is the line at token `at` of the replacement in a block that this line opens there, or a new one?
 */
static bool is_opened(const em_first_line *t, const opener *by, size_t at)
{
    for (size_t i = at; i-- > 0 && (t->origin[i] == EM_NPOS || t->origin[i] >= by->last);) {
        size_t first, last;
        em_line_around(*t->insert, i, &first, &last);
        if (i == last && em_tokened_is_one_of(*t->insert, i, "{:"))
            return true;
    }
    return false;
}

/* Does the line at `at`, the search text's at `from`, come right behind one whose block went? */
static bool enters_block(const em_first_line *t, size_t at, size_t from, size_t depth)
{
    em_slice seen;
    size_t first, last;
    if (at == 0 || !em_tokened_is_one_of(*t->insert, at - 1, ":") || t->origin[at - 1] == EM_NPOS ||
        t->origin[at - 1] + 1 == from)
        return false;
    em_line_around(*t->insert, at - 1, &first, &last);
    if (!is_in_block(*t->insert, first, at))
        return false;
    em_line_around(*t->find, t->origin[at - 1], &first, &last);
    return em_seen_indent(t->text, t->place, first, &seen) && seen.len >= depth;
}

/* Is line `from` of the search text, `at` in the replacement, as deep in both, but not in the file,
 * and as deep as what opened its block is there? It may be that it came as deep as it is to be. */
static bool may_be_moved(const em_first_line *t, size_t at, size_t from, em_slice seen,
                         const opener *by)
{
    em_slice old, new;
    return em_line_indent(*t->find, from, &old) && em_line_indent(*t->insert, at, &new) &&
           em_slice_eq(old, new) && !em_slice_eq(old, seen) && new.len == by->depth;
}

/* Does a line stay as deep as it is though the one went that opened its block, and no other has
 * come for that; or, where all depth was lost, though it comes to be the first of a block? Since
 * all depth was lost, or it may have come as deep as it is to be, the caller has not told how deep
 * that is. */
static bool loses_opener(const em_first_line *t)
{
    bool lost_all = em_indents_lost_all(t->indents);
    opener open[MOST_BLOCKS];
    size_t count = 0, at = 0, end = t->insert->tokens.count;
    em_slice unused, seen;
    for (size_t i = 0, first, last; i < t->find->tokens.count; i = last + 1) {
        em_line_around(*t->find, i, &first, &last);
        if (!em_seen_indent(t->text, t->place, i, &seen))
            continue;
        while (count > 0 && open[count - 1].depth >= seen.len)
            count--;
        while (at < end && (t->origin[at] == EM_NPOS || t->origin[at] < i))
            at++;
        bool stays = at < end && t->origin[at] == i && em_line_indent(*t->insert, at, &unused);
        if (stays && count > 0 && !open[count - 1].opens)
            open[count - 1].opens = is_opened(t, &open[count - 1], at);
        bool is_out = count > 0 && !open[count - 1].opens;
        if (stays && lost_all && (is_out || enters_block(t, at, i, seen.len)))
            return true;
        if (stays && is_out && may_be_moved(t, at, i, seen, &open[count - 1]))
            return true;
        if (count < MOST_BLOCKS && em_tokened_is_one_of(*t->find, last, "{:"))
            open[count++] = (opener){.last = last, .depth = seen.len};
    }
    return false;
}

/* An empty line goes that the search text begins with, and the first line stays, which came without
 * its indentation both times. Is it as deep as it was? */
static bool bare_line_stays_deep(const em_first_line *t, em_slice result, em_tokens tokens)
{
    em_slice lead = em_tokened_gap(*t->find, 0), seen, now;
    size_t unused;
    if (em_gap_of(lead) != EM_GAP_BREAK || em_gap_split(lead).indent.len > 0 ||
        em_tokened_gap(*t->insert, 0).len > 0 || tokens.count == 0 ||
        em_first_counterpart(*t->find, *t->insert, t->origin) != 0 ||
        !em_seen_indent(t->text, t->place, 0, &seen) ||
        !em_begins_line(t->text, t->place->span.start, &unused))
        return true;
    return em_indent_at(result, tokens.items[0].start, &now) && em_slice_eq(now, seen);
}

bool em_first_line_is_clear(const em_first_line *first, em_slice result, em_tokens tokens)
{
    if (first->insert->tokens.count == 0)
        return blanks_are_clear(first);
    return first_depth_is_clear(first) && first_change_is_clear(first) &&
           first_block_is_sound(first, result, tokens) && !loses_block(first) &&
           !loses_opener(first) && bare_line_stays_deep(first, result, tokens) &&
           (tokens.count != first->insert->tokens.count ||
            (blocks_are_deeper(first, (em_tokened){result, tokens}) &&
             new_lines_stay_alike(first, (em_tokened){result, tokens})));
}

bool em_depths_are_sound(const em_first_line *t, em_slice result, em_tokens tokens)
{
    em_slice wanted_last = {0}, seen_last = {0}, wanted, seen;
    bool any = false, last_new = false;
    if (tokens.count != t->insert->tokens.count)
        return true; /* the lines cannot be compared */
    for (size_t i = 0; i < tokens.count; i++) {
        if (!em_line_indent(*t->insert, i, &wanted))
            continue;
        bool begins = em_indent_at(result, tokens.items[i].start, &seen);
        if (i == 0 || !begins) {
            any = false;
            continue;
        }
        bool new = t->origin[i] == EM_NPOS;
        size_t deeper = em_indent_depth(seen, t->indents->file);
        size_t before = em_indent_depth(seen_last, t->indents->file);
        if (any && (new || last_new) && deeper > before + 1 && wanted.len <= wanted_last.len)
            return false;
        if (any && (new || last_new) && wanted.len > wanted_last.len &&
            em_begins_in_block(*t->insert, i) && seen.len <= seen_last.len &&
            em_columns_of(seen) <= em_columns_of(seen_last))
            return false;
        wanted_last = wanted;
        seen_last = seen;
        last_new = new;
        any = true;
    }
    return true;
}

/* place_edges.c: is it clear how deep the first lines belong, and then: which blanks and line
 * endings around a place are its own? */
#include "match/place_edges.h"

#include "base/ascii.h"
#include "match/comment.h"
#include "match/line.h"
#include "match/tab_stops.h"

/* ---- Lines ----------------------------------------------------------------------------------- */

bool em_seen_indent(em_slice text, const em_tolerant_place *place, size_t index, em_slice *indent)
{
    em_token previous;
    size_t end = place->tokens[index].start, start = 0;
    bool any = em_token_previous(text, end, place->fold, &previous);
    if (any)
        start = previous.end;
    em_slice gap = em_slice_sub(text, start, end);
    bool breaks = em_gap_of(gap) == EM_GAP_BREAK;
    *indent = breaks ? em_gap_split(gap).indent : gap;
    return breaks || !any;
}

bool em_indent_at(em_slice text, size_t offset, em_slice *indent)
{
    size_t start;
    if (!em_begins_line(text, offset, &start))
        return false;
    *indent = em_slice_sub(text, start, offset);
    return true;
}

bool em_is_indentation(em_slice blanks)
{
    return blanks.len > 1 || em_slice_is(blanks, "\t");
}

bool em_line_indent(em_tokened t, size_t index, em_slice *indent)
{
    em_slice gap = em_tokened_gap(t, index);
    em_gap_parts parts = em_gap_split(gap);
    bool begins = parts.breaks.len > 0;
    *indent = index == 0 && !begins ? gap : parts.indent;
    return begins || index == 0;
}

void em_line_around(em_tokened t, size_t index, size_t *first, size_t *last)
{
    for (*first = index; *first > 0 && em_gap_of(em_tokened_gap(t, *first)) != EM_GAP_BREAK;)
        --*first;
    for (*last = index;
         *last + 1 < t.tokens.count && em_gap_of(em_tokened_gap(t, *last + 1)) != EM_GAP_BREAK;)
        ++*last;
}

bool em_line_leaves_open(em_tokened t, size_t first, size_t last)
{
    long open = 0;
    for (size_t i = first; i <= last; i++)
        open += em_tokened_is_one_of(t, i, "([{") - em_tokened_is_one_of(t, i, ")]}");
    return open > 0;
}

bool em_line_stays(em_tokened find, em_tokened insert, const size_t *origin, size_t index)
{
    size_t first, last, from, to;
    em_line_around(insert, index, &first, &last);
    if (origin[first] == EM_NPOS)
        return false;
    em_line_around(find, origin[first], &from, &to);
    for (size_t i = first; i <= last; i++)
        if (origin[i] != from + i - first)
            return false;
    return last - first == to - from;
}

size_t em_first_counterpart(em_tokened find, em_tokened insert, const size_t *origin)
{
    size_t first, last, end;
    em_line_around(insert, 0, &first, &last);
    for (size_t i = 0; i <= last; i++) {
        if (origin[i] == EM_NPOS)
            continue;
        em_line_around(find, origin[i], &first, &end);
        return first;
    }
    return EM_NPOS;
}

/* ---- Whether it is known how deep ------------------------------------------------------------ */

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
        if (t->origin[i] == EM_NPOS && em_tokened_is_one_of(insert, next - 1, "{([:") &&
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
            em_tokened_is_one_of(insert, next - 1, "{:") && is_in_block(insert, i, next))
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

/* Does a line stay as deep as it is though the one went that opened its block, and no other has
 * come for that, or though it comes to be the first of a block? Since all depth was lost, the
 * caller cannot have told how deep it is to be. */
static bool loses_opener(const em_first_line *t)
{
    opener open[MOST_BLOCKS];
    size_t count = 0, at = 0, end = t->insert->tokens.count;
    em_slice unused, seen;
    if (!em_indents_lost_all(t->indents))
        return false;
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
        if (stays && ((count > 0 && !open[count - 1].opens) || enters_block(t, at, i, seen.len)))
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
            blocks_are_deeper(first, (em_tokened){result, tokens}));
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
        wanted_last = wanted;
        seen_last = seen;
        last_new = new;
        any = true;
    }
    return true;
}

/* ---- Where the place begins ------------------------------------------------------------------ */

/* Does the search text's first line go as a whole, so that what stands before it is no longer the
 * indentation of what comes there? */
static em_status first_line_goes(em_slice text, const em_tolerant_place *place, em_arena *arena,
                                 bool *goes)
{
    em_tokened find = {place->find, place->find_tokens}, insert = {.text = place->insert},
               seen = {text, {place->tokens, find.tokens.count}};
    size_t *origin, first, last;
    EM_TRY(em_tokens_of(insert.text, place->fold, arena, &insert.tokens));
    *goes = em_gap_of(em_tokened_gap(find, find.tokens.count)) == EM_GAP_BREAK;
    if (insert.tokens.count == 0)
        return EM_OK;
    EM_TRY(em_redline_seen(&find, &seen, &insert, arena, &origin));
    *goes =
        em_tokened_gap(insert, 0).len > 0 || em_first_counterpart(find, insert, origin) != EM_NPOS;
    em_line_around(find, 0, &first, &last);
    for (size_t i = 0; i < insert.tokens.count && *goes; i++)
        *goes = origin[i] > last;
    return EM_OK;
}

/* Does the search text lack the indentation that stands before the place? */
static bool lacks_first_indent(em_slice text, const em_tolerant_place *place, em_slice *indent)
{
    return place->find_tokens.count > 0 && place->find_tokens.items[0].start == 0 &&
           place->span.start == place->tokens[0].start && em_seen_indent(text, place, 0, indent) &&
           indent->len > 0;
}

static bool is_same(em_slice a, em_slice b)
{
    return a.ptr == b.ptr && a.len == b.len;
}

static bool has_same_texts(const em_tolerant_place *a, const em_tolerant_place *b)
{
    return is_same(a->find, b->find) && is_same(a->insert, b->insert);
}

/* Nothing comes for lines of which the last one goes as far as it reaches, though not its ending:
 * then the first one goes as a whole. */
static bool all_lines_go(em_slice text, const em_tolerant_place *place)
{
    size_t first, last, end;
    em_line_around((em_tokened){place->find, place->find_tokens}, 0, &first, &last);
    return place->insert.len == 0 && last + 1 < place->find_tokens.count &&
           em_ends_line(text, place->span.end, place->fold, &end);
}

/* Does the place begin with the ending of a line with text, in that of an empty line which the
 * search text has before its first line and the file has not? */
static bool begins_in_ending(em_slice text, const em_tolerant_place *place)
{
    size_t start = place->span.start, unused;
    return place->find_tokens.count > 0 && em_eol_at(text, start) != EM_EOL_NONE &&
           em_gap_of(em_tokened_gap((em_tokened){place->find, place->find_tokens}, 0)) ==
               EM_GAP_BREAK &&
           !em_begins_line(text, start, &unused);
}

/* What becomes of that ending, where the replacement begins with none? */
typedef enum ending { ENDING_STAYS, ENDING_GOES, ENDING_UNCLEAR } ending;

/* The search text begins with a line ending. Where does its first token begin another line of the
 * replacement than the first? Behind the last token, if nowhere. */
static size_t repeated_first(em_tokened insert, const size_t *origin)
{
    size_t i = 1;
    while (i < insert.tokens.count &&
           (origin[i] != 0 || em_gap_of(em_tokened_gap(insert, i)) != EM_GAP_BREAK))
        i++;
    return i;
}

static bool is_comment_line(em_tokened t, size_t token)
{
    size_t first, last;
    em_line_around(t, token, &first, &last);
    return em_is_comment(
        em_slice_sub(t.text, t.tokens.items[first].start, t.tokens.items[last].end));
}

/* Is the line that ends at `end` a comment, which would swallow what is joined to it? */
static bool is_behind_comment(em_slice text, size_t end)
{
    return em_is_comment(em_trimmed(em_slice_sub(text, em_line_before(text, end), end)));
}

/* May what the replacement begins with come right behind the line that ends at `end`, without a
 * blank? */
static bool clings(em_slice text, size_t end, em_tokened insert)
{
    size_t before = end;
    while (before > 0 && em_is_space_or_tab(text.ptr[before - 1]))
        before--;
    return em_tokened_is_one_of(insert, 0, ".,;?)]") ||
           (before > 0 && strchr("([{.", text.ptr[before - 1]));
}

/* Has the replacement lines of its own, or is it joined to the line before? It has, where it begins
 * as deep as the search text, or as the file's line, or with an indentation. One blank is none, and
 * a sign that clings to what stands before it needs none. Where the line ending of the search text
 * comes behind the replacement's first line, that may go on in the line before, but as a line as
 * deep as the next one it does not. */
static ending ending_before(em_slice text, const em_tolerant_place *place, em_tokened insert,
                            const size_t *origin)
{
    em_slice indent =
        em_gap_split(em_tokened_gap((em_tokened){place->find, place->find_tokens}, 0)).indent;
    em_slice own = em_tokened_gap(insert, 0), beside;
    size_t next = repeated_first(insert, origin), end = place->span.start;
    bool goes_on = next < insert.tokens.count;
    bool is_joint = own.len > 0 ? !em_is_indentation(own) : clings(text, end, insert);
    if (goes_on && is_joint && own.len == 0)
        return is_behind_comment(text, end) ? ENDING_UNCLEAR : ENDING_GOES;
    if (em_slice_eq(own, indent))
        return ENDING_STAYS;
    if (goes_on)
        beside = em_gap_split(em_tokened_gap(insert, next)).indent;
    else if (!em_seen_indent(text, place, 0, &beside))
        beside = indent;
    if (em_slice_eq(own, beside))
        return ENDING_STAYS;
    if (goes_on && own.len > 0 && is_comment_line(insert, 0))
        return ENDING_GOES;
    if (is_joint)
        return is_behind_comment(text, end) ? ENDING_UNCLEAR : ENDING_GOES;
    return own.len > 0 && !goes_on ? ENDING_STAYS : ENDING_UNCLEAR;
}

/* A replacement, and where it has the search text's tokens: of the last place that was asked for.
 */
typedef struct compared {
    const em_tolerant_place *of;
    em_tokened insert;
    size_t *origin;
} compared;

static em_status compare(const em_tolerant_place *place, em_arena *arena, compared *c)
{
    em_tokened find = {place->find, place->find_tokens};
    if (c->of && has_same_texts(c->of, place))
        return EM_OK;
    *c = (compared){.of = place, .insert = {.text = place->insert}};
    EM_TRY(em_tokens_of(place->insert, place->fold, arena, &c->insert.tokens));
    return em_redline(&find, &c->insert, arena, &c->origin);
}

/* Lets the place begin behind the ending of the line before, where that stays. Where nothing comes,
 * it does if whole lines go. */
static em_status leave_ending(em_slice text, em_tolerant_place *place, em_arena *arena, compared *c)
{
    size_t start = place->span.start;
    if (!begins_in_ending(text, place) || em_eol_at(place->insert, 0) != EM_EOL_NONE)
        return EM_OK;
    EM_TRY(compare(place, arena, c));
    bool stays =
        place->insert.len == 0 && em_ends_in_eol(em_slice_sub(text, start, place->span.end));
    if (c->insert.tokens.count > 0 && em_gap_of(em_tokened_gap(c->insert, 0)) != EM_GAP_BREAK)
        stays = ending_before(text, place, c->insert, c->origin) == ENDING_STAYS;
    if (stays)
        place->span.start += em_eol_bytes(em_eol_at(text, start)).len;
    return EM_OK;
}

/* An empty line comes before the first one: that has none of the blanks that stand there. */
static bool begins_with_empty_line(const em_tolerant_place *place)
{
    return em_eol_at(place->insert, 0) != EM_EOL_NONE;
}

static em_status reach_before(em_slice text, em_places places, em_arena *arena)
{
    em_slice indent;
    const em_tolerant_place *last = NULL;
    compared c = {0};
    bool goes = false;
    for (size_t i = 0; i < places.count; i++) {
        em_tolerant_place *place = &places.items[i];
        EM_TRY(leave_ending(text, place, arena, &c));
        if (!lacks_first_indent(text, place, &indent))
            continue;
        if (!last || !has_same_texts(last, place))
            EM_TRY(first_line_goes(text, place, arena, &goes));
        last = place;
        if (goes || all_lines_go(text, place) || begins_with_empty_line(place))
            place->span.start -= indent.len;
    }
    return EM_OK;
}

/* Has the search text a line ending before its first line, and the replacement none before its own?
 */
static bool lacks_ending(const compared *c, em_tokened find)
{
    return c->insert.tokens.count > 0 && em_gap_of(em_tokened_gap(find, 0)) == EM_GAP_BREAK &&
           em_gap_of(em_tokened_gap(c->insert, 0)) != EM_GAP_BREAK;
}

/* Does the replacement have the search text's empty lines behind its own first lines? */
static bool has_them_later(const compared *c)
{
    size_t next = repeated_first(c->insert, c->origin);
    return next < c->insert.tokens.count && em_gap_breaks(em_tokened_gap(c->insert, next)) > 1;
}

/* The search text without its first `bytes`, which are blanks. */
static em_status shorten(em_slice text, size_t bytes, em_arena *arena, em_tolerant_place *place)
{
    size_t count = place->find_tokens.count;
    em_token *tokens = em_alloc_array(arena, count, sizeof *tokens);
    if (!tokens)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++) {
        em_token token = place->find_tokens.items[i];
        tokens[i] = (em_token){token.start - bytes, token.end - bytes};
    }
    place->find = em_slice_from(place->find, bytes);
    place->find_tokens = (em_tokens){tokens, count};
    place->span.start =
        em_place_span(text, place->find, place->find_tokens, place->tokens, place->fold).start;
    return em_adjust_place_edges(text, (em_places){place, 1}, arena);
}

em_status em_without_empty_lead(em_slice text, em_arena *arena, em_tolerant_place *place,
                                bool *clear)
{
    em_tokened find = {place->find, place->find_tokens};
    compared c = {0};
    *clear = true;
    if (find.tokens.count == 0 || em_gap_of(em_tokened_gap(find, 0)) != EM_GAP_BREAK)
        return EM_OK;
    EM_TRY(compare(place, arena, &c));
    if (!lacks_ending(&c, find))
        return EM_OK;
    if (begins_in_ending(text, place)) {
        *clear = ending_before(text, place, c.insert, c.origin) != ENDING_UNCLEAR;
        return EM_OK;
    }
    if (em_gap_breaks(em_place_gap(text, place, 0)) > 0 || has_them_later(&c))
        return EM_OK;
    em_slice lead = em_tokened_gap(find, 0);
    return shorten(text, lead.len - em_gap_split(lead).indent.len, arena, place);
}

/* ---- Where the place ends -------------------------------------------------------------------- */

/* The blanks and line endings that a text ends with. */
static em_slice tail_of(em_slice text)
{
    size_t start = text.len;
    while (start > 0 && em_is_white_space(text.ptr[start - 1]))
        start--;
    return em_slice_from(text, start);
}

/* Does the search text end in a line's indentation, and the replacement in what stands on a line?
 */
static bool ends_in_indentation(const em_tolerant_place *place)
{
    em_slice tail = tail_of(place->find), after = tail_of(place->insert);
    return em_gap_split(tail).indent.len > 0 && em_gap_of(tail) == EM_GAP_BREAK &&
           after.len < place->insert.len && em_gap_of(after) != EM_GAP_BREAK;
}

/* Was a blank put behind the replacement, for what is to come there, and not behind the search
 * text's last line, too? Nothing comes behind what is ended. */
static bool has_blank_to_go_on(const em_tolerant_place *place)
{
    em_slice blank = tail_of(place->insert);
    return blank.len > 0 && !strchr(";}", blank.ptr[-1]) &&
           !em_slice_eq(blank, em_gap_split(tail_of(place->find)).trail);
}

/* Does the replacement end in a sign behind which a line goes on, or `next` begin with one with
 * which it does? */
static bool goes_on_by_sign(const em_tolerant_place *place, em_slice next)
{
    em_slice last = em_trimmed(place->insert);
    return strchr("([,=&|.?\\", last.ptr[last.len - 1]) || strchr(".,;?)]", next.ptr[0]);
}

/* Is the replacement the search text, but for the line ending at its end? */
static bool takes_ending_alone(const em_tolerant_place *place)
{
    return em_slice_eq(em_trimmed(place->find), em_trimmed(place->insert));
}

/* The search text may have had an empty line with blanks in it at its end, which the file has not:
 * then nobody means to join the next line. */
bool em_joins_next_line(em_slice text, const em_tolerant_place *place)
{
    em_slice next = em_trimmed(em_slice_from(text, place->span.end));
    if (next.len == 0 || !ends_in_indentation(place))
        return false;
    size_t last = place->tokens[place->find_tokens.count - 1].end;
    em_slice seen = em_slice_sub(text, last, (size_t)(next.ptr - text.ptr));
    bool is_indentation =
        em_slice_eq(em_gap_split(tail_of(place->find)).indent, em_gap_split(seen).indent);
    return has_blank_to_go_on(place) ||
           (goes_on_by_sign(place, next) && (is_indentation || takes_ending_alone(place)));
}

/* Does the text end in this indentation, with nothing else of its line? Without a line ending it is
 * one line, which it begins if it `is_line`. */
static bool ends_in(em_slice text, em_slice indent, bool is_line)
{
    size_t start = text.len - indent.len;
    return em_slice_ends(text, indent) &&
           (start > 0 ? em_is_line_break(text.ptr[start - 1]) : is_line);
}

/* Where search text and replacement end in the same indentation of the next line, neither is to
 * have it: that line keeps its own, which is none of the place. */
static void leave_next_indent(em_slice text, em_tolerant_place *place)
{
    em_tokened find = {place->find, place->find_tokens};
    if (find.tokens.count == 0)
        return;
    em_slice tail = em_tokened_gap(find, find.tokens.count), indent = em_gap_split(tail).indent;
    bool begins_line = find.tokens.items[0].start > 0 || em_is_whole_lines(text, place, find);
    if (em_gap_of(tail) != EM_GAP_BREAK || indent.len == 0 ||
        !ends_in(place->insert, indent, begins_line))
        return;
    place->find = em_slice_sub(place->find, 0, place->find.len - indent.len);
    place->insert = em_slice_sub(place->insert, 0, place->insert.len - indent.len);
}

static bool are_in_order(em_places places)
{
    for (size_t i = 1; i < places.count; i++)
        if (places.items[i].span.start < places.items[i - 1].span.end)
            return false;
    return true;
}

static void reach_behind(em_slice text, em_places places)
{
    for (size_t i = 0; i < places.count; i++) {
        em_tolerant_place *place = &places.items[i];
        size_t end, most = i + 1 < places.count ? place[1].span.start : text.len;
        if (!em_joins_next_line(text, place) || !strchr("\r\n", text.ptr[place->span.end - 1]))
            continue;
        em_ends_line(text, place->span.end, place->fold, &end);
        place->span.end = end < most ? end : most;
    }
}

em_status em_adjust_place_edges(em_slice text, em_places places, em_arena *arena)
{
    for (size_t i = 0; i < places.count; i++)
        leave_next_indent(text, &places.items[i]);
    EM_TRY(reach_before(text, places, arena));
    if (are_in_order(places))
        reach_behind(text, places);
    return EM_OK;
}

/* Do whole lines go that are the last of a text without a line ending at its end? */
static bool takes_last_lines(em_slice text, const em_tolerant_place *place)
{
    size_t line;
    return place->span.end == text.len && !em_ends_in_eol(text) && place->insert.len == 0 &&
           em_gap_of(tail_of(place->find)) == EM_GAP_BREAK &&
           em_begins_line(text, place->span.start, &line) && line == place->span.start;
}

void em_adjust_last_line_edge(em_slice text, em_span within, em_places places)
{
    em_tolerant_place *last = places.items;
    size_t others_end = within.start;
    for (size_t i = 1; i < places.count; i++) {
        em_tolerant_place *place = &places.items[i], *before = place;
        if (place->span.end > last->span.end) {
            before = last;
            last = place;
        }
        others_end = before->span.end > others_end ? before->span.end : others_end;
    }
    if (places.count == 0 || !takes_last_lines(text, last))
        return;
    size_t start = em_without_last_eol(em_slice_sub(text, 0, last->span.start)).len;
    if (start >= others_end)
        last->span.start = start;
}

bool em_is_whole_lines(em_slice text, const em_tolerant_place *place, em_tokened find)
{
    size_t line, start = place->span.start;
    return em_gap_of(em_tokened_gap(find, find.tokens.count)) == EM_GAP_BREAK &&
           em_begins_line(text, start, &line) && line == start;
}

em_slice em_place_eol(em_slice text, em_span span, em_eol dominant)
{
    for (size_t at = span.start; at < span.end; at++)
        if (em_eol_at(text, at) != EM_EOL_NONE)
            return em_eol_bytes(em_eol_at(text, at));
    return em_eol_bytes(dominant == EM_EOL_NONE ? EM_EOL_LF : dominant);
}

bool em_joins_words(em_slice text, const em_tolerant_place *place, em_slice result)
{
    em_token before = {0}, behind = {0}, edge;
    em_span span = place->span;
    em_fold fold = place->fold;
    bool is_before = em_token_previous(text, span.start, fold, &before) &&
                     before.end == span.start && em_token_is_word(em_token_bytes(text, before));
    bool is_behind = em_token_next(text, span.end, fold, &behind) && behind.start == span.end &&
                     em_token_is_word(em_token_bytes(text, behind));
    if (result.len == 0)
        return is_before && is_behind && span.end > span.start;
    bool begins = em_token_next(result, 0, fold, &edge) && edge.start == 0 &&
                  em_token_is_word(em_token_bytes(result, edge));
    bool ends = em_token_previous(result, result.len, fold, &edge) && edge.end == result.len &&
                em_token_is_word(em_token_bytes(result, edge));
    return (is_before && begins) || (is_behind && ends);
}

em_slice em_ended_as_before(em_slice text, const em_tolerant_place *place, const em_tokened *insert,
                            em_tokened result)
{
    em_tokened find = {place->find, place->find_tokens};
    bool ends = place->span.end == text.len && !em_ends_in_eol(text) &&
                em_gap_of(em_tokened_gap(find, find.tokens.count)) == EM_GAP_BREAK;
    size_t wanted = em_gap_breaks(em_tokened_gap(*insert, insert->tokens.count));
    size_t own = em_gap_breaks(em_tokened_gap(result, result.tokens.count));
    return ends && insert->tokens.count > 0 && own >= wanted ? em_without_last_eol(result.text)
                                                             : result.text;
}

#include "match/completion.h"

#include "base/ascii.h"
#include "base/strbuf.h"
#include "tokens/brackets.h"
#include "tokens/comment.h"

enum {
    LEAST_CODE_POINTS = 12, /* beside white space, of lines that tell the place by themselves */
    LEAST_LINES = 3,        /* of those that go, where one of them goes with words that were cut */
    MOST_BORDER = 8         /* bytes of the cut line that tell where the replacement was cut */
};

static em_span span_of(const em_code_lines *l, size_t index)
{
    return (em_span){l->items[index].start, l->items[index].end};
}

/* The text of the lines, with `with` for their number `index`. */
static em_status with_line(const em_code_lines *l, size_t index, em_slice with, em_arena *arena,
                           em_slice *out)
{
    em_span line = span_of(l, index);
    return em_spliced(l->text, line.start, line.end, with, arena, out);
}

/* ---- An edge ------------------------------------------------------------------------------- */

/* The first line of a search text, which was cut at its start, or the last one, at its end. */
typedef struct edge {
    bool tail;
    em_slice cut, whole; /* the line as it was sent, and as the file has it */
    em_slice missing;    /* of that one */
} edge;

static edge edge_of(bool tail, em_slice cut, em_slice whole)
{
    edge e = {.tail = tail, .cut = cut, .whole = whole};
    size_t more = whole.len > cut.len ? whole.len - cut.len : 0;
    e.missing = tail ? em_slice_from(whole, whole.len - more) : em_slice_sub(whole, 0, more);
    return e;
}

/* The line of a text at that edge. */
static size_t edge_line(const edge *e, const em_code_lines *l)
{
    return e->tail ? l->count - 1 : 0;
}

/* Does the line end, or begin, with the piece? */
static bool has_at_edge(const edge *e, em_slice line, em_slice piece)
{
    return e->tail ? em_slice_ends(line, piece) : em_slice_starts(line, piece);
}

/* The bytes of the cut line next to the cut. */
static em_slice border_of(const edge *e)
{
    size_t length = em_least(e->cut.len, MOST_BORDER);
    return e->tail ? em_slice_from(e->cut, e->cut.len - length) : em_slice_sub(e->cut, 0, length);
}

/* Does the file's line go on behind the cut one, or begin before it? Writing may differ; then there
 * is no telling what is missing. */
static bool goes_on(const edge *e)
{
    return e->tail ? em_slice_starts(e->whole, e->cut) : em_slice_ends(e->whole, e->cut);
}

/* ---- The replacement ------------------------------------------------------------------------- */

/* Is it no more than the sign that ends or parts what stands in lines like this one? */
static bool is_separator(em_slice missing)
{
    em_token first;
    return em_token_next(missing, 0, EM_FOLD_WRITING, &first) &&
           !em_token_is_word(em_token_bytes(missing, first)) &&
           em_is_one_of(missing.ptr[missing.len - 1], ",;");
}

static bool has_word(em_slice s)
{
    em_token token;
    for (size_t at = 0; em_token_next(s, at, EM_FOLD_WRITING, &token); at = token.end)
        if (em_token_is_word(em_token_bytes(s, token)))
            return true;
    return false;
}

/* Has it a bracket whose counterpart is behind it (before it)? */
static bool has_half_bracket(em_slice s, bool is_behind)
{
    em_brackets b = em_brackets_of(s);
    return is_behind ? b.open > b.least : b.least < 0;
}

/* May the line go as a whole, for which nothing comes? What is missing goes, too, though nobody has
 * named it: a sign that ends the line may, and words where other lines tell what is meant, but
 * nothing that opens what goes on behind the line, or ends what began before it. */
static bool may_go(const em_code_lines *find, const edge *e)
{
    bool opens_block = e->tail && em_slice_ends(e->missing, EM_LIT(":"));
    return !opens_block && !has_half_bracket(e->missing, e->tail) &&
           (find->count >= LEAST_LINES || !has_word(e->missing));
}

/* What the replacement becomes when the cut line of the search text is made whole. Where it repeats
 * the cut line, that is made whole too; not where it may repeat another line that is the same, nor
 * where it lacks the sign behind its own last line: it may count on the file's there. Else
 * its line at that edge must be whole already, or end (begin) as the cut line does, and then it
 * goes on as the file does. *clear says that one of these holds. */
static em_status complete_insert(const em_completion *c, const em_code_lines *find, const edge *e,
                                 em_slice *insert, bool *clear)
{
    em_code_lines there;
    EM_TRY(em_all_code_lines_of(*insert, c->arena, &there));
    *clear = there.count > 0 || may_go(find, e);
    if (there.count == 0)
        return EM_OK;
    size_t same =
        em_only_code_line(find, e->cut) != EM_NPOS ? em_only_code_line(&there, e->cut) : EM_NPOS;
    size_t at_edge = edge_line(e, &there);
    em_slice last = em_code_line_text(&there, at_edge);
    if (same != EM_NPOS && same != at_edge && e->tail && is_separator(e->missing))
        *clear = em_slice_ends(last, e->missing);
    if (same != EM_NPOS)
        return with_line(&there, same, e->whole, c->arena, insert);
    if (has_at_edge(e, last, e->missing))
        return EM_OK;
    *clear = has_at_edge(e, last, border_of(e));
    em_span line = span_of(&there, at_edge);
    size_t at = e->tail ? line.end : line.start;
    return *clear ? em_spliced(*insert, at, at, e->missing, c->arena, insert) : EM_OK;
}

/* ---- Was it cut at all? ---------------------------------------------------------------------- */

/* Was the line sent as one that begins (ends) where it was cut, or was a word cut in two? */
static bool is_cut_amiss(const em_code_lines *find, const edge *e)
{
    size_t at = e->tail ? e->cut.len : e->missing.len;
    size_t last = find->count - 1;
    bool is_whole =
        e->tail ? em_gap_of(em_slice_from(find->text, find->items[last].end)) == EM_GAP_BREAK
                : find->items[0].start > 0;
    return is_whole || !em_token_border(e->whole, at, EM_FOLD_WRITING);
}

/* Does the file have the first line as a comment that came as code? */
static bool is_commented_out(const em_completion *c, const edge *e)
{
    return !has_word(e->missing) && em_is_comment(e->whole) && !em_is_comment(e->cut) &&
           !em_code_line_is_sentence(c->find, 0, ".,;:!?'\"()-/");
}

/* Then the edit has to leave the line as it is, and has it whole, or the lines that came whole have
 * to tell the place: what was sent as a whole line may be another than the file's, as `connect()`
 * is another than `disconnect()`. */
static em_status may_be_amiss(const em_completion *c, const edge *e, em_slice insert, bool *may)
{
    em_code_lines there;
    size_t first = c->head_cut, end = c->find->count - c->tail_cut;
    EM_TRY(em_all_code_lines_of(insert, c->arena, &there));
    em_slice line = there.count > 0 ? em_code_line_text(&there, edge_line(e, &there)) : insert;
    bool has_whole = em_slice_eq(line, e->whole) || em_only_code_line(&there, e->whole) != EM_NPOS;
    bool stays =
        has_whole || em_slice_eq(line, e->cut) || em_only_code_line(&there, e->cut) != EM_NPOS;
    *may = first < end && stays &&
           (has_whole || em_code_points_of(c->find, first, end) >= LEAST_CODE_POINTS);
    return EM_OK;
}

em_status em_complete_edge(const em_completion *c, bool tail, em_tolerant_place *place, bool *clear)
{
    em_code_lines wanted;
    EM_TRY(em_all_code_lines_of(place->find, c->arena, &wanted));
    size_t i = tail ? wanted.count - 1 : 0;
    edge e = edge_of(tail, em_code_line_text(&wanted, i), em_code_line_text(c->seen, c->at[i]));
    *clear = goes_on(&e) && (tail || !is_commented_out(c, &e));
    if (*clear && is_cut_amiss(&wanted, &e))
        EM_TRY(may_be_amiss(c, &e, place->insert, clear));
    if (!*clear)
        return EM_OK;
    EM_TRY(complete_insert(c, &wanted, &e, &place->insert, clear));
    return with_line(&wanted, i, e.whole, c->arena, &place->find);
}

/* ---- A lost sign ------------------------------------------------------------------------------
 */

em_status em_complete_sign(const em_completion *c, em_slice sign, size_t i,
                           em_tolerant_place *place, bool *clear)
{
    em_code_lines wanted, there;
    em_slice whole;
    EM_TRY(em_all_code_lines_of(place->find, c->arena, &wanted));
    EM_TRY(em_all_code_lines_of(place->insert, c->arena, &there));
    em_slice lacking = em_code_line_text(&wanted, i);
    EM_TRY(em_arena_join(c->arena, lacking, sign, &whole));
    size_t same, unused, wholes = em_code_line_times(&there, whole, &unused);
    size_t repeats = em_code_line_times(&there, lacking, &same);
    bool has_whole = wholes == 1 && repeats == 0;
    bool stays =
        wholes == 0 && repeats == 1 && em_only_code_line(&wanted, lacking) == i &&
        same + 1 < there.count &&
        em_slice_eq(em_code_line_text(&there, same + 1), em_code_line_text(&wanted, i + 1));
    *clear = has_whole || stays;
    if (stays)
        EM_TRY(with_line(&there, same, whole, c->arena, &place->insert));
    return with_line(&wanted, i, whole, c->arena, &place->find);
}

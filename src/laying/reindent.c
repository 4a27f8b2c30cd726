#include "laying/reindent.h"

#include "tokens/redline.h"
#include "tokens/tab_stops.h"

static em_slice gap_before(em_slice text, em_tokens tokens, size_t index)
{
    return em_slice_sub(text, index > 0 ? tokens.items[index - 1].end : 0,
                        tokens.items[index].start);
}

static bool begins_line(em_slice text, em_tokens tokens, size_t index, em_slice *indent)
{
    em_slice gap = gap_before(text, tokens, index);
    bool breaks = em_gap_of(gap) == EM_GAP_BREAK;
    *indent = breaks ? em_gap_split(gap).indent : gap;
    return breaks || index == 0;
}

/* How a line is indented in the file, the search text and the replacement. */
typedef struct line {
    em_slice seen, old, new;
} line;

int em_deepens(em_slice from, em_slice to)
{
    if (em_slice_eq(from, to))
        return 0;
    if (em_slice_starts(to, from))
        return 1;
    if (em_slice_starts(from, to))
        return -1;
    return em_columns_of(to) > em_columns_of(from) ? 1 : -1;
}

/* What the lines say of whose depths are the file's. */
typedef struct whose {
    bool is_old, is_new; /* all of them stand as in the search text; as in the replacement */
    size_t mended;       /* so many stand as in the replacement alone; */
    size_t astray;       /* otherwise than in both, which have it at two depths; */
    size_t as_sent;      /* otherwise than in both, which have it alike */
    bool moves_one_way;  /* the replacement has all of them deeper than the search text, or none */
} whose;

static whose whose_lines(const line *lines, size_t count)
{
    whose w = {.is_old = true, .is_new = true, .moves_one_way = count > 0};
    int way = count > 0 ? em_deepens(lines[0].old, lines[0].new) : 0;
    for (size_t i = 0; i < count; i++) {
        bool is_old = em_slice_eq(lines[i].old, lines[i].seen),
             is_new = em_slice_eq(lines[i].new, lines[i].seen);
        w.is_old &= is_old;
        w.is_new &= is_new;
        w.mended += is_new && !is_old;
        bool is_same = em_slice_eq(lines[i].old, lines[i].new);
        w.as_sent += !is_old && is_same;
        w.astray += !is_old && !is_new && !is_same;
        w.moves_one_way &= way != 0 && em_deepens(lines[i].old, lines[i].new) == way;
    }
    return w;
}

/* The lines that begin with the same token in all three. Of texts that both begin with their first
 * token nobody knows how deep that is. */
static size_t read_lines(em_slice text, const em_tolerant_place *place, em_tokens insert,
                         line *lines)
{
    size_t count = 0;
    for (size_t i = 0; i < insert.count; i++) {
        line here;
        size_t start, offset = place->tokens[i].start;
        if (!begins_line(place->find, place->find_tokens, i, &here.old) ||
            !begins_line(place->insert, insert, i, &here.new) ||
            !em_begins_line(text, offset, &start) ||
            (i == 0 && here.old.len == 0 && here.new.len == 0))
            continue;
        here.seen = em_slice_sub(text, start, offset);
        lines[count++] = here;
    }
    return count;
}

em_status em_reindent_of(em_slice text, const em_tolerant_place *place, em_tokens insert,
                         em_arena *arena, em_reindent *reindent)
{
    *reindent = EM_REINDENT_NONE;
    em_tokened find = em_place_find(place), with = {place->insert, insert};
    if (!em_tokened_same(find, with, place->fold))
        return EM_OK;
    line *lines = em_alloc_array(arena, insert.count, sizeof *lines);
    if (!lines)
        return EM_E_NOMEM;
    size_t count = read_lines(text, place, insert, lines);
    whose w = whose_lines(lines, count);
    bool like_old = true, like_new = true;
    for (size_t i = 0; i < count; i++) {
        int step = i > 0 ? em_deepens(lines[i - 1].seen, lines[i].seen) : 0;
        like_old &= i == 0 || em_deepens(lines[i - 1].old, lines[i].old) == step;
        like_new &= i == 0 || em_deepens(lines[i - 1].new, lines[i].new) == step;
        if (!em_slice_eq(lines[i].old, lines[i].new))
            *reindent = EM_REINDENT_UNCLEAR;
    }
    if (*reindent == EM_REINDENT_NONE)
        return EM_OK;
    if (!w.is_old && !w.is_new && w.mended > w.astray + w.as_sent)
        *reindent = w.as_sent > 0 ? EM_REINDENT_UNCLEAR : EM_REINDENT_GIVEN;
    else if (!w.is_old && !w.is_new && w.mended > 0 && w.moves_one_way)
        *reindent = EM_REINDENT_UNCLEAR; /* those may stay, or move with the others */
    else if (w.is_old || (like_old && !like_new && !w.is_new))
        *reindent = EM_REINDENT_BEFORE;
    else if (w.is_new || (like_new && !like_old))
        *reindent = EM_REINDENT_AFTER;
    return EM_OK;
}

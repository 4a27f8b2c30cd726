#include "match/token_line.h"

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

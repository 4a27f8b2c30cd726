#include "remarks/edited_lines.h"

#include "base/ascii.h"
#include "base/line.h"

enum { MOST_AROUND = 4 << 10 }; /* of a line, before and behind the splice, no more is looked at */

em_slice em_line_up_to(em_slice text, size_t at)
{
    size_t start = at, least = at > MOST_AROUND ? at - MOST_AROUND : 0;
    while (start > least && !em_is_line_break(text.ptr[start - 1]))
        start--;
    return em_slice_sub(text, start, at);
}

static em_slice line_behind(em_slice text, size_t at)
{
    em_slice behind = em_slice_from(text, at);
    behind = em_slice_sub(behind, 0, behind.len < MOST_AROUND ? behind.len : MOST_AROUND);
    return em_slice_sub(behind, 0, em_line_length(behind));
}

em_slice em_lines_taken(em_slice body, const em_splice *splice)
{
    size_t end = splice->offset + splice->length;
    return em_slice_sub(body, splice->offset - em_line_up_to(body, splice->offset).len,
                        end + line_behind(body, end).len);
}

em_status em_lines_brought(em_slice body, const em_splice *splice, em_arena *arena, em_slice *text)
{
    em_slice behind = line_behind(body, splice->offset + splice->length), rest;
    EM_TRY(em_arena_join(arena, splice->insert, behind, &rest));
    return em_arena_join(arena, em_line_up_to(body, splice->offset), rest, text);
}

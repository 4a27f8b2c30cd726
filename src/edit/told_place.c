#include "edit/told_place.h"

em_status em_tell_lines(const em_draft *draft, em_span span, em_arena *arena, em_match *match)
{
    em_span line = em_draft_lines_around(draft, span, EM_LINE_REACH);
    match->line_at = span.start - line.start;
    return em_draft_slice(draft, line, arena, &match->line_text);
}

em_status em_tell_place(const em_draft *draft, em_span span, em_arena *arena, em_match *match)
{
    em_span origin = em_draft_origin(draft, span, &match->inserted);
    match->start = origin.start;
    match->end = origin.end;
    return match->inserted ? em_tell_lines(draft, span, arena, match) : EM_OK;
}

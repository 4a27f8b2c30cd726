#include "edit/whole_lines.h"

#include "base/ascii.h"

static bool begins_line(const em_text *text, size_t at)
{
    return at <= text->start || em_is_line_break(text->body.ptr[at - 1]);
}

static size_t before_blanks(const em_text *text, size_t at)
{
    while (at > text->start && em_is_space_or_tab(text->body.ptr[at - 1]))
        at--;
    return at;
}

static bool is_of_lines(const em_text *text, const em_match *place)
{
    em_slice body = text->body;
    bool takes_end = place->end > place->start && begins_line(text, place->end);
    bool ends = takes_end || place->end == body.len || em_is_line_break(body.ptr[place->end]);
    size_t start = takes_end ? place->start : before_blanks(text, place->start);
    return ends && begins_line(text, start);
}

bool em_takes_whole_lines(const em_plan *plan, size_t op, const em_text *text)
{
    size_t count = op < plan->op_count ? plan->places[op].count : 0;
    for (size_t i = 0; i < count; i++)
        if (!is_of_lines(text, &plan->places[op].items[i]))
            return false;
    return true;
}

#include "laying/parted.h"

#include "laying/placed_edit.h"
#include "match/block.h"
#include "match/token_line.h"
#include "tokens/tab_stops.h"

/* How deep a repeated line is, in columns. */
typedef struct depths {
    ptrdiff_t sent, seen, result;
} depths;

static bool is_right(depths d)
{
    return d.sent == d.seen;
}

static bool depth_in_result(const em_laying *l, em_tokened insert, bool as_given, size_t at,
                            em_slice *indent)
{
    return as_given ? em_line_indent(insert, at, indent)
                    : em_indent_at(l->laid.text, l->laid.starts[at], indent);
}

/* False of a line that is new, or of which that is not known. */
static bool depths_of(const em_laying *l, const em_placed_edit *edit, bool as_given, size_t at,
                      depths *d)
{
    em_slice sent, seen, result;
    size_t own = edit->origin[at];
    if (own == EM_NPOS || !em_line_indent(l->sent, own, &sent) ||
        !em_seen_indent(edit->text, edit->place, own, &seen) ||
        !depth_in_result(l, edit->insert, as_given, at, &result))
        return false;
    *d = (depths){(ptrdiff_t)em_columns_of(sent), (ptrdiff_t)em_columns_of(seen),
                  (ptrdiff_t)em_columns_of(result)};
    return true;
}

bool em_is_block_parted(const em_laying *l, bool as_given)
{
    em_placed_edit edit = em_placed_edit_laid(l->text, &l->place, &l->laid);
    depths above = {0}, d = {0};
    bool any = false, parted = false;
    em_slice unused;
    if (l->sent.tokens.count != edit.find.tokens.count)
        return false; /* it was read with more, or less, than came */
    for (size_t i = 0; i < edit.insert.tokens.count && !parted; i++) {
        if (!em_line_indent(edit.insert, i, &unused))
            continue;
        bool known = depths_of(l, &edit, as_given, i, &d);
        parted = known && any && d.seen > above.seen && d.result <= above.result &&
                 is_right(above) != is_right(d) && em_begins_in_block(edit.insert, i);
        above = d;
        any = known;
    }
    return parted;
}

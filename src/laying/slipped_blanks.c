/* slipped_blanks.c: lines that came with tabs for the file's spaces, or with spaces for its tabs.
 */
#include "laying/slipped_impl.h"

typedef em_slip_texts texts;

/* How many spaces are a tab, if an indentation of tabs is as deep as one of spaces; 0: they are
 * none. */
static size_t spaces_of_tab(em_slice tabs, em_slice spaces)
{
    bool are = tabs.len > 0 && spaces.len > 0 && em_indent_is_all(tabs, '\t') &&
               em_indent_is_all(spaces, ' ') && spaces.len % tabs.len == 0;
    return are ? spaces.len / tabs.len : 0;
}

/* What the caller has for the file's blanks. */
static char blank_sent(const texts *t)
{
    return t->unit.with == ' ' ? '\t' : ' ';
}

size_t em_slip_spaces_of(const texts *t, const em_slip_line *l)
{
    bool has_tabs = blank_sent(t) == '\t';
    if (l->index == EM_NPOS || t->unit.tab_stops || l->new.len == 0 ||
        !em_indent_is_all(l->new, blank_sent(t)))
        return 0;
    size_t spaces = has_tabs ? spaces_of_tab(l->old, l->seen) : spaces_of_tab(l->seen, l->old);
    bool is = spaces >= 2 &&
              (has_tabs ? spaces == em_indent_width_of(t->unit) : l->new.len % spaces == 0);
    return is ? spaces : 0;
}

em_status em_slip_in_blanks(const texts *t, em_slice indent, size_t spaces, em_arena *arena,
                            em_slice *out)
{
    bool has_tabs = blank_sent(t) == '\t';
    size_t tabs = has_tabs ? em_indent_tabs_in(indent) : indent.len / spaces;
    size_t steps = has_tabs ? tabs : tabs * spaces; /* of the indentation; the rest aligns */
    size_t length = has_tabs ? tabs * spaces : tabs;
    *out = (em_slice){0};
    if (tabs == 0 || !em_indent_is_all(em_slice_sub(indent, 0, steps), blank_sent(t)) ||
        !em_indent_is_all(em_slice_from(indent, steps), ' '))
        return EM_OK;
    size_t rest = indent.len - steps;
    char *bytes = em_alloc_raw(arena, length + rest);
    if (!bytes)
        return EM_E_NOMEM;
    memset(bytes, t->unit.with, length);
    memset(bytes + length, ' ', rest);
    *out = em_slice_make(bytes, length + rest);
    return EM_OK;
}

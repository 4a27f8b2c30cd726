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

/* The caller's tabs, where the file has spaces; else its spaces. */
static bool has_tabs(const texts *t)
{
    return t->unit.with == ' ';
}

size_t em_slip_spaces_of(const texts *t, const em_slip_line *l)
{
    if (l->index == EM_NPOS || t->unit.tab_stops || l->new.len == 0 ||
        !em_indent_is_all(l->new, has_tabs(t) ? '\t' : ' '))
        return 0;
    size_t spaces = has_tabs(t) ? spaces_of_tab(l->old, l->seen) : spaces_of_tab(l->seen, l->old);
    bool is = spaces >= 2 &&
              (has_tabs(t) ? spaces == em_indent_width_of(t->unit) : l->new.len % spaces == 0);
    return is ? spaces : 0;
}

em_status em_slip_in_blanks(const texts *t, em_slice indent, size_t spaces, em_arena *arena,
                            em_slice *out)
{
    size_t tabs = has_tabs(t) ? em_indent_tabs_in(indent) : indent.len / spaces;
    size_t rest = has_tabs(t) ? indent.len - tabs : indent.len % spaces;
    size_t length = has_tabs(t) ? tabs * spaces : tabs;
    *out = (em_slice){0};
    if (tabs == 0 || !em_indent_is_all(has_tabs(t) ? em_slice_sub(indent, 0, tabs) : indent,
                                       has_tabs(t) ? '\t' : ' '))
        return EM_OK;
    char *bytes = em_alloc_raw(arena, length + rest);
    if (!bytes)
        return EM_E_NOMEM;
    memset(bytes, t->unit.with, length);
    memset(bytes + length, ' ', rest);
    *out = em_slice_make(bytes, length + rest);
    return EM_OK;
}

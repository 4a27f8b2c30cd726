#include "tokens/tab_stops.h"

size_t em_columns_of(em_slice indent)
{
    size_t columns = 0;
    for (size_t i = 0; i < indent.len; i++)
        columns += indent.ptr[i] == '\t' ? EM_TAB_STOP - columns % EM_TAB_STOP : 1;
    return columns;
}

static em_status compose(size_t tabs, size_t spaces, em_arena *arena, em_slice *out)
{
    char *bytes = em_alloc_raw(arena, tabs + spaces);
    if (!bytes)
        return EM_E_NOMEM;
    memset(bytes, '\t', tabs);
    memset(bytes + tabs, ' ', spaces);
    *out = em_slice_make(bytes, tabs + spaces);
    return EM_OK;
}

em_status em_indent_in_spaces(em_slice indent, em_arena *arena, em_slice *out)
{
    *out = indent;
    if (!em_slice_has_byte(indent, '\t'))
        return EM_OK;
    return compose(0, em_columns_of(indent), arena, out);
}

em_status em_indent_in_stops(em_slice indent, em_arena *arena, em_slice *out)
{
    size_t columns = em_columns_of(indent);
    *out = indent;
    if (columns < EM_TAB_STOP)
        return EM_OK;
    return compose(columns / EM_TAB_STOP, columns % EM_TAB_STOP, arena, out);
}

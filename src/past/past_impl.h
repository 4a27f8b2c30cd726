/* past_impl.h: which rows are there for who asks, and lists of them.
 */
#ifndef EM_PAST_PAST_IMPL_H
#define EM_PAST_PAST_IMPL_H

#include "past/past.h"

/* Is the row one that is asked for, and may be told of? EM_E_NOMEM. */
em_status em_past_is_wanted(const em_workspace *ws, const em_past_filter *filter, const em_row *row,
                            bool *wanted);

typedef struct em_row_list {
    em_row *items;
    size_t count, room;
} em_row_list;

/* Add a copy of the row, whose strings are in `arena`, as the list is. EM_E_NOMEM. */
em_status em_past_add_row(em_row_list *list, const em_row *row, em_arena *arena);

#endif

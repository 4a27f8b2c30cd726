/* tab_stops.h: indentation of which every eighth column is a tab.
 *
 * Old sources are indented by two or four columns, and their editors wrote eight of these as a tab:
 *
 *   "      if (b)"      six spaces
 *   "\t{"               two columns deeper
 *   "\t  c ();"         two more
 *
 * Who reads them sees columns, and sends spaces. So they are compared, and counted in steps, as
 * columns, and written as the file writes them.
 */
#ifndef EM_TOKENS_TAB_STOPS_H
#define EM_TOKENS_TAB_STOPS_H

#include "base/arena.h"

enum { EM_TAB_STOP = 8 }; /* columns */

/* How many columns deep an indentation is. */
size_t em_columns_of(em_slice indent);

/* The indentation as so many spaces, in `arena` if it is another one. EM_E_NOMEM only. */
em_status em_indent_in_spaces(em_slice indent, em_arena *arena, em_slice *out);

/* The indentation with a tab for every eight columns, in `arena` if it is another one. EM_E_NOMEM
 * only. */
em_status em_indent_in_stops(em_slice indent, em_arena *arena, em_slice *out);

#endif

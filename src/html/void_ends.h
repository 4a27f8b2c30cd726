/* void_ends.h: end tags of elements that hold nothing.
 *
 * HTML passes over "</link>". Where it stands all the same, as in code of components
 * (<Link to="/a">b</Link>), the element is hardly meant to end with its start tag.
 */
#ifndef EM_HTML_VOID_ENDS_H
#define EM_HTML_VOID_ENDS_H

#include "html/prescan.h"

/* Give EM_FLAW_VOID_END to the elements of HTML to which such end tags belong: each to the last one
 * of its name before it that has none yet and no "/>": of those that write the name as it does, if
 * there are such, else in any case. EM_E_NOMEM. */
em_status em_void_ends_check(em_page *page, const em_prescan *scan);

#endif

/* foreign.h: where elements of HTML come among those of SVG and MathML.
 */
#ifndef EM_HTML_FOREIGN_H
#define EM_HTML_FOREIGN_H

#include "base/slice.h"

/* Can elements of HTML stand in an element of SVG or MathML of that name, in any case? */
bool em_foreign_holds_html(em_slice name);

/* Does HTML end all that is open of SVG and MathML before the start tag at `at`? Not so where it
 * stands in an element that holds HTML. */
bool em_foreign_ends_before(em_slice bytes, size_t at);

#endif

/* branches.h: elements that end elsewhere when code of a template chooses otherwise.
 *
 *     {% if a %}<div class=x>{% else %}<div class=y>{% endif %} ... </div>
 *
 * A parser sees both start tags, and takes the end tag of an element around them for that of the
 * first one. Which end an element has is known only where it is the same in the page as it is
 * written and in what code can make of it.
 */
#ifndef EM_HTML_BRANCHES_H
#define EM_HTML_BRANCHES_H

#include "base/deadline.h"
#include "html/tree.h"

/* Give the elements of a page (not of a fragment) their EM_FLAW_BRANCHED. EM_E_NOMEM;
 * EM_E_TIMEOUT. */
em_status em_branches_check(em_page *page, em_deadline *deadline);

#endif

/* readings.h: elements that end elsewhere where the page is read as its author may have meant it.
 *
 *     {% if a %}<div class=x>{% else %}<div class=y>{% endif %} ... </div>
 *     <div> <icon/> ... </div>
 *
 * A parser sees both start tags of the first, and an <icon> in the second that goes on, and an end
 * tag of an element around them may be taken for theirs. Which end an element has is known only
 * where it is the same in each reading.
 */
#ifndef EM_HTML_READINGS_H
#define EM_HTML_READINGS_H

#include "base/deadline.h"
#include "html/tree.h"
#include "text/splice.h"

/* Give the elements of a page (not of a fragment) their EM_FLAW_BRANCHED and EM_FLAW_SLASHED.
 * EM_E_NOMEM; EM_E_TIMEOUT. */
em_status em_readings_check(em_page *page, em_deadline *deadline);

/* Is all that is around the node, in each way to choose that has it, around what the splice brings?
 * `inside`: the node is, too. EM_E_NOMEM; EM_E_TIMEOUT. */
em_status em_readings_hold(const em_page *page, const em_node *node, bool inside,
                           const em_splice *splice, em_deadline *deadline, bool *they_do);

/* Is it an element of HTML whose tag ends with "/>", as if that were its end? Not so
 * <a href=/b/>...</a>, where the '/' is of the value. Where an end tag is missing, or the value
 * ends with code, as in <a href={b}/> of JSX, it may be meant as the end all the same. */
bool em_node_is_slashed(const em_page *page, const em_node *node);

#endif

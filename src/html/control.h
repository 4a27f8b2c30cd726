/* control.h: code of templates that begins a part of a page, parts it, or ends it.
 *
 * {% if %} ... {% else %} ... {% endif %} belong together, as do {{#a}} and {{/a}}, <% if a %> and
 * <% end %>, <?php if ($a): ?> and <?php endif; ?>, and braces that one piece of code opens and
 * another closes. What is cut out of a page must hold all of them, or none.
 */
#ifndef EM_HTML_CONTROL_H
#define EM_HTML_CONTROL_H

#include "html/tree.h"

/* The first piece of code in `range` of `page` that belongs to one outside of it, or that its end
 * cuts; one that `kept` holds too does not count. Empty: there is none. EM_E_NOMEM. */
em_status em_control_torn(em_slice page, em_range range, em_slice kept, em_arena *arena,
                          em_range *torn);

#endif

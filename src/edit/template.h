/* template.h: what is wrong with a template that PCRE2 does not take, and what was meant.
 *
 * Whoever writes one mostly has another language's rules in mind, or none: `5$` for a price, `$&`
 * for the match, `$10` for group 1 and a 0, `\1` for a group.
 */
#ifndef EM_EDIT_TEMPLATE_H
#define EM_EDIT_TEMPLATE_H

#include "base/arena.h"
#include "base/slice.h"
#include "base/status.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

/* Say in *err why pcre2_substitute() failed with `code` at `offset` of the template, and what may
 * be sent. EM_E_INVALID, with EM_CAUSE_PATTERN. */
em_status em_template_fail(const pcre2_code *pattern, em_slice template, int code, size_t offset,
                           em_error *err);

/* The template as it was meant, where each of its dollars, and of the groups that it has behind
 * backslashes, has one clear reading; else empty. Whether it is right then is for the caller to
 * try. In `arena`; EM_E_NOMEM only. */
em_status em_template_mend(const pcre2_code *pattern, em_slice template, em_arena *arena,
                           em_slice *mended);

/* The first line of the template that leaves something out (placeholder.h) and does not stand in
 * the pattern, as the texts that both are without their escapes; in `arena`, empty where there is
 * none. EM_E_NOMEM only. */
em_status em_template_omission(em_slice template, em_slice pattern, em_arena *arena,
                               em_slice *omission);

#endif

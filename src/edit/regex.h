/* regex.h: places that a pattern describes, and what comes there.
 *
 * Patterns are those of PCRE2 (pcre2pattern(3)), templates those of its extended substitution
 * (pcre2api(3), "Creating a new string with substitutions"): $1, ${name}, $$, ${1:+yes:no}, \U.
 * `^` and `$` match at every line, whatever it ends in; a dot matches no line ending.
 *
 * A pattern may take very long on a text that it was not made for, so the steps to one match and
 * the time to all of them are bounded: beyond that it is refused and nothing is known of the text.
 *
 * \C, which would match a part of a character, is refused.
 */
#ifndef EM_EDIT_REGEX_H
#define EM_EDIT_REGEX_H

#include "base/deadline.h"
#include "edit/draft.h"
#include "text/text.h"

typedef struct em_regex_matches {
    em_spans spans;
    em_slice *inserts; /* what the template becomes, for each span */
} em_regex_matches;

/* Every place where `pattern` matches, without overlap, from left to right; in `arena`. Expected
 * failures: EM_E_INVALID when the pattern or the template is malformed (the detail says where and
 * why), EM_E_TIMEOUT when it takes too many steps, or too long. */
em_status em_regex_locate(const em_draft *draft, em_encoding encoding, em_slice pattern,
                          em_slice replacement, em_deadline *deadline, em_arena *arena,
                          em_regex_matches *found, em_error *err);

#endif

/* pattern_cr.h: does a pattern speak of the carriage return?
 *
 * One that does is about the bytes that lines end in; one that does not means lines, and is never
 * let between a CR and its LF (regex.h). PCRE2 tells only whether a pattern names CR or LF.
 */
#ifndef EM_EDIT_PATTERN_CR_H
#define EM_EDIT_PATTERN_CR_H

#include "base/slice.h"

/* Is there a CR in it, or an escape for one: \r \x0d \x{d} \015 \o{15} \cM \N{U+D}, in every
 * spelling that PCRE2 takes? A range like [\x00-\x20], \s or \R does not name it. What stands in a
 * comment counts, and so does \15 where it is a reference to a group: who is in doubt is taken at
 * their word. */
bool em_pattern_names_cr(em_slice pattern);

#endif

/* tiers.h: the tiers, one after the other, for a search text that does not stand there literally.
 */
#ifndef EM_MATCH_TIERS_H
#define EM_MATCH_TIERS_H

#include "match/located.h"

/* Look for `find` in the text of `in`, from EM_TIER_WHITESPACE to `most`. The exact tier is not
 * tried: it has found nothing. A text with a NUL stands nowhere. EM_E_NOMEM; EM_E_TIMEOUT when the
 * deadline passed before a tier had ended. */
em_status em_tiers_locate(em_occurrences *in, em_slice find, em_slice insert, em_tier most,
                          em_deadline *deadline, em_arena *arena, em_located *located);

/* Of places of `find`, whose line breaks came as escapes, those that have as many lines stay: such
 * a break is one in the text, and no blank. */
void em_keep_with_breaks(em_slice text, em_slice find, em_places *places);

/* With `expect` expected, EM_EVERY or so many: are these places meant, and no other? Of the fuzzy
 * ones the worst must be that much ahead of the next. */
bool em_located_is_clear(const em_located *located, size_t expect);

#endif

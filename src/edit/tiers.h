/* tiers.h: the tiers, one after the other, for a search text that does not stand there literally.
 */
#ifndef EM_EDIT_TIERS_H
#define EM_EDIT_TIERS_H

#include "edit/diagnose.h"
#include "edit/similar_places.h"
#include "edit/tolerant.h"

/* What the strictest tier that finds anything found. */
typedef struct em_located {
    em_places places; /* none: no tier found anything */
    em_tier tier;
    em_miss miss;     /* the wrapping that was taken off the texts, or what the fuzzy tier forgave;
                         UNKNOWN where neither was needed */
    double runner_up; /* the score of the best other place, and where it is; but for EM_TIER_FUZZY,
                         one that overlaps a place, and fits as well as that does; 0: none */
    em_span runner_up_at;
    const em_similar_place_list *near; /* EM_MOST_NEAR of what looks like the search text, at least,
                                   with a likeness of EM_LEAST_NEAR; NULL: it was not looked for */
} em_located;

/* Look for `find` in the text of `in`, from EM_TIER_WHITESPACE to `most`. The exact tier is not
 * tried: it has found nothing. A text with a NUL stands nowhere. EM_E_NOMEM; EM_E_TIMEOUT when the
 * deadline passed before a tier had ended. */
em_status em_tiers_locate(em_occurrences *in, em_slice find, em_slice insert, em_tier most,
                          em_deadline *deadline, em_arena *arena, em_located *located);

/* With `expect` expected, EM_EVERY or so many: are these places meant, and no other? Of the fuzzy
 * ones the worst must be that much ahead of the next. */
bool em_located_is_clear(const em_located *located, size_t expect);

#endif

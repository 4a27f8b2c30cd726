/* located.h: where a tier found a search text. */
#ifndef EM_MATCH_LOCATED_H
#define EM_MATCH_LOCATED_H

#include "match/miss.h"
#include "match/similar_places.h"
#include "match/tier.h"
#include "match/tolerant.h"

/* What the strictest tier that finds anything found. */
typedef struct em_located {
    em_places places; /* none: no tier found anything */
    em_tier tier;
    em_miss miss;     /* the wrapping that was taken off the texts, or what the fuzzy tier forgave;
                         UNKNOWN where neither was needed */
    double runner_up; /* the score of the best other place, and where it is; but for EM_TIER_FUZZY,
                         one that overlaps a place, and fits as well as that does, or that has the
                         search text where the edit cannot be laid; 0: none */
    em_span runner_up_at;
    const em_similar_place_list *near; /* EM_MOST_NEAR of what looks like the search text, at least,
                                   with a likeness of EM_LEAST_NEAR; NULL: it was not looked for */
} em_located;

#endif

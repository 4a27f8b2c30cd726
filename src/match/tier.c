#include "match/tier.h"

const char *em_tier_name(em_tier tier)
{
    static const char *const names[] = {"exact", "whitespace", "token", "fuzzy"};
    return names[tier];
}

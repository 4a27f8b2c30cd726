#include "match/tier.h"

#include <stddef.h>
#include <string.h>

const char *const em_tier_words[] = {[EM_TIER_EXACT] = "exact",
                                     [EM_TIER_WHITESPACE] = "whitespace",
                                     [EM_TIER_TOKEN] = "token",
                                     [EM_TIER_FUZZY] = "fuzzy",
                                     NULL};

const char *em_tier_name(em_tier tier)
{
    return em_tier_words[tier];
}

em_tier em_tier_of_word(const char *word, em_tier otherwise)
{
    for (em_tier tier = EM_TIER_EXACT; word && em_tier_words[tier]; tier++)
        if (strcmp(word, em_tier_words[tier]) == 0)
            return tier;
    return otherwise;
}

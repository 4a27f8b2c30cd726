/* tier.h: how exactly a search text must stand in the file, and how often.
 *
 * The tiers are those of docs/matching.md, strictest first. A looser one is tried only where all
 * stricter ones found nothing.
 */
#ifndef EM_MATCH_TIER_H
#define EM_MATCH_TIER_H

/* How many places are expected where every one is meant: every place there is, but at least one. */
enum { EM_EVERY = 0 };

typedef enum em_tier {
    EM_TIER_EXACT,      /* the same bytes (line endings aside) */
    EM_TIER_WHITESPACE, /* the same but for blanks, indentation and blank lines */
    EM_TIER_TOKEN,      /* the same words and signs, whatever stands between and however written */
    EM_TIER_FUZZY,      /* but for small slips, dropped comments, cut edges, an elided middle */
} em_tier;

/* "exact", "whitespace", "token", "fuzzy", as callers name them, and NULL. */
extern const char *const em_tier_words[];
const char *em_tier_name(em_tier tier);

/* The tier of that name, one of em_tier_words; `otherwise` for NULL. */
em_tier em_tier_of_word(const char *word, em_tier otherwise);

#endif

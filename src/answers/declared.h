/* declared.h: what an answer says of matches that were not exact.
 *
 * Whoever gets an answer must see from it alone that text was replaced which is not quite what was
 * searched for, where, and what it was. At most EM_LOCATION_LIMIT places are told, and of their
 * texts at most EM_SHOWN_LIMIT bytes; what is left out is said to be.
 */
#ifndef EM_ANSWERS_DECLARED_H
#define EM_ANSWERS_DECLARED_H

#include "answers/reply.h"

/* The tier at which the places of an op were found. */
em_tier em_declared_tier(const em_outcome *outcome, size_t op);

/* Sets "matches" ([{edit, tier, score, start_line, end_line, matched_text}]) where any match of
 * what was done was not exact. */
void em_declared_set(em_reply *reply, json_t *object);

/* How an op that was done was found, in a sentence without a final full stop; NULL where it was
 * exact. In the arena. */
const char *em_declared_sentence(em_reply *reply, size_t op);

/* Add to a list of warnings a sentence for each edit that did not match exactly. */
void em_declared_add_warnings(em_reply *reply, json_t *list);

/* Append a line "Match: ..." for each place, with the text that was replaced. */
void em_declared_add_lines(em_reply *reply);

/* The fields of an element of "matches". */
extern const em_param em_declared_fields[];

#define EM_FIELD_MATCHES                                                                           \
    {                                                                                              \
        .name = "matches", .type = EM_P_LIST, .fields = em_declared_fields,                        \
        .help = "Where the text did not match exactly: how it did, and what was replaced."         \
    }
#define EM_FIELD_MATCHES_TRUNCATED                                                                 \
    {                                                                                              \
        .name = "matches_truncated", .type = EM_P_BOOL                                             \
    }

#endif

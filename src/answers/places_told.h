/* places_told.h: telling where a text stands that is there more often, or more seldom, than it may.
 */
#ifndef EM_ANSWERS_PLACES_TOLD_H
#define EM_ANSWERS_PLACES_TOLD_H

#include "answers/reply.h"

/* Append that the text is there more often than it may, but nowhere exactly. Nothing where it
 * stands there exactly. */
void em_add_tier_of_places(em_reply *reply);

/* Append where a text stands that is there too often, a line each for the first places: "Line 3,
 * column 5: ...". */
void em_add_places(em_reply *reply, em_slice find);

/* Why the places of a text that stands there too often, or too seldom, cannot all be changed by one
 * edit, without a final full stop; NULL where they can. */
const char *em_why_not_all(em_reply *reply);

/* Append on a line of its own where a text that stands there too seldom does so with other line
 * endings; nothing where it does not. */
void em_add_other_endings(em_reply *reply, const char *lead);

#endif

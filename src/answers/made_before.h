/* made_before.h: what is told of an edit that was made before: by another call, or by an edit
 * before it in the same one.
 */
#ifndef EM_ANSWERS_MADE_BEFORE_H
#define EM_ANSWERS_MADE_BEFORE_H

#include "answers/reply.h"

/* For EM_CAUSE_ALREADY_APPLIED, behind what the reply says so far: where the text stands, or stood,
 * and to leave the edit out. */
void em_add_made_before(em_reply *reply);

#endif

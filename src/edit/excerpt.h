/* excerpt.h: an op that does not stand there literally, where only what is near its probes is read.
 *
 * To look for a text less exactly takes the whole text of the moment in one piece, and some passes
 * over it. Of a call of many such ops each would do that. But the tiers up to EM_TIER_TOKEN look at
 * no place without all of the probes (probes.h), and em_match_index_probes() has found these for
 * all ops in one pass. So the op is looked for in an excerpt: whole lines around each of these
 * places, with a NUL, which no search text has, between what is not adjacent. And it is laid onto
 * lines around its place.
 *
 *  (1) Around each place of a probe the excerpt has more tokens, to both sides, than any text of
 *      the op; or the text ends there. So what is compared with the file, and what is asked of the
 *      lines around a place, is the same in the excerpt and in the text.
 *  (2) What is laid onto has as many bytes around the place, too, as the laying looks at
 *      (EM_LAYING_REACH).
 *  (3) Only success counts, at a single place. All else is left to who reads all of the text, and
 *      so is what cannot be told.
 */
#ifndef EM_EDIT_EXCERPT_H
#define EM_EDIT_EXCERPT_H

#include "edit/plan_impl.h"
#include "edit/tolerate.h"

/* em_tolerate_find() and em_tolerate_lay() for one of the planner's ops, whose text and spans in
 * *toleration are not set. What is found is p->located, and lives in p->turn; what becomes of it is
 * p->laid, in p->arena. *done is false where the op has to be looked for in all of the text; then
 * both are empty. EM_E_NOMEM only. */
em_status em_tolerate_in_excerpt(em_planner *p, const em_toleration *toleration, bool *done);

#endif

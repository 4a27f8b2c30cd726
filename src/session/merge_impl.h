/* merge_impl.h: the steps of a merge, for the files that take them.
 *
 * `on_base` is what is planned on the version that was read; its outcome is that of the call, so
 * its text and lines are those of the file as it is.
 */
#ifndef EM_SESSION_MERGE_IMPL_H
#define EM_SESSION_MERGE_IMPL_H

#include "session/merge.h"

/* ---- merge_carry.c --------------------------------------------------------------------------- */

/* The plan of the outcome, made on the base, as one on the file as it is. What became of its
 * operations on elements stays as it was there; *places, in the planning's arena: what each of them
 * writes. EM_E_CONFLICT, with ->stale filled, where some of it cannot be carried over; what the
 * plan has is of no use then. */
em_status em_merge_carry(const em_merge *merge, const em_planning *on_base, em_dom_places **places);

/* ---- merge_again.c --------------------------------------------------------------------------- */

/* Would the file as it is, asked for the same, be changed in the same way? `places` is what the
 * operations on elements write. What became of these is then what becomes of them in the file; of
 * those that failed, why they fail there, and what was probably meant. EM_E_CONFLICT where it would
 * not be, and what planning fails with where nothing can be planned.
 */
em_status em_merge_check_again(const em_merge *merge, const em_planning *on_base,
                               const em_dom_places *places);

/* Nothing of the edit can be made in the version that was read, as the outcome's error says. Adds
 * to that what would come of it in the file as it is, and where nothing would, fills ->stale with
 * what is most like the text that was searched for. EM_E_CONFLICT, or EM_E_NOMEM. */
em_status em_merge_tell_now(const em_planning *on_base);

#endif

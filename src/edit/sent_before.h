/* sent_before.h: an op of a sequence that the same call has twice.
 *
 * That a short replacement stands in a text does not prove that the op was made. But where the same
 * one was made just before, and its search text is gone since, it was sent twice.
 */
#ifndef EM_EDIT_SENT_BEFORE_H
#define EM_EDIT_SENT_BEFORE_H

#include "edit/plan_impl.h"

/* The op before this one, which is not found, that is the same; NULL where there is none, or where
 * a slip of this one may be meant at a place that no op has touched. */
const em_op *em_sent_before(const em_planner *p, const em_op *op);

/* EM_E_NO_MATCH: it was made before, as the op that em_sent_before() tells. */
em_status em_refuse_sent_before(em_planner *p, const em_op *same);

#endif

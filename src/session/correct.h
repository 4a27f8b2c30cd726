/* correct.h: of a call with several edits, what the others should have been.
 *
 * Who gets the blanks of one search text wrong mostly gets those of the next wrong too. So where
 * the edit at fault has a correction, the call is planned once more with it, and again, as long as
 * the next edit that fails has one as well: then the corrected call can be sent as a whole, or it
 * is known where that would fail. Where one was made before, the call is planned without it; where
 * it is looked for in the file as it was, but builds on an edit before it, as a sequence; where it
 * was sent twice, without the second; where it wants text of another edit that it does not change,
 * with both as one (joined.h), and so for others that overlap then.
 */
#ifndef EM_SESSION_CORRECT_H
#define EM_SESSION_CORRECT_H

#include "session/plan.h"

/* Fill outcome->builds_on_earlier, ->giver, ->is_twin, ->joined and ->holds_otherwise, for a plan
 * that failed so; and ->further, where ops hold in a sequence once slips in them are mended. Where
 * it holds otherwise, nothing like the search text is told of. EM_E_NOMEM only. */
em_status em_note_other_ways(const em_planning *planning);

/* Fill outcome->further and ->next, for a plan that failed with outcome->error and ->failure.
 * Nothing else of the outcome changes. What has taken too long is left out. EM_E_NOMEM only. */
em_status em_correct_further(const em_planning *planning);

#endif

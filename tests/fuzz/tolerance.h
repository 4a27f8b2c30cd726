/* tolerance.h: what must hold of every edit that is found tolerantly, whatever the texts.
 *
 * Shared by the fuzzing harness, which makes texts of bytes, and by the property tests, which make
 * files and drifts like those of callers. Aborts where something does not hold.
 */
#ifndef EM_TESTS_FUZZ_TOLERANCE_H
#define EM_TESTS_FUZZ_TOLERANCE_H

#include "edit/plan.h"

/* What an op on a file came to. */
typedef struct tolerated {
    em_status status;
    em_cause cause;
    em_slice result; /* EM_OK: the file afterwards */
    em_plan plan;
    em_plan_failure failure;
} tolerated;

/* One op, with `most` as the loosest tier; everything lives in `arena`. */
tolerated tolerate(em_slice file, em_op op, em_tier most, em_order order, em_arena *arena);

/* Everything that must hold of the op, by any tier, alone and together with others. */
void check_tolerance(em_slice file, em_op op);

#endif

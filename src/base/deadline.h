/* deadline.h: until when something may go on whose cost depends on what it finds.
 *
 * Asking the clock costs more than a small step of work, so work is counted and the clock asked
 * only now and then.
 */
#ifndef EM_BASE_DEADLINE_H
#define EM_BASE_DEADLINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct em_deadline {
    int64_t at;     /* em_monotonic_ns(); 0: never */
    size_t unasked; /* work since the clock was last asked */
    size_t spent;   /* all work so far, where there is a time */
    bool passed;    /* once passed, it stays so */
} em_deadline;

/* In `ms` milliseconds from now; 0, and what is later than the clock can tell: never. */
em_deadline em_deadline_in(long ms);

/* Note `work` (about a byte looked at, or as long as that takes) and say whether the deadline has
 * passed. `deadline` may be NULL: never. */
bool em_deadline_spend(em_deadline *deadline, size_t work);

#endif

/* crash.h: what is left of a change whose process died, and recoveries that something happens to.
 */
#ifndef EM_FAULT_CRASH_H
#define EM_FAULT_CRASH_H

#include "sweep.h"

/* The fault that ends a process before, or after, a call. */
fault crash_at(long call, bool after);

/* Build the world, and make it what a change leaves that `end` stops. s->run is what it had come
 * to. False when it was not stopped; then, unless it simply ended before, that is counted as a
 * difference. */
bool crash_change(sweep *s, fault end);

/* Recover the world as it is, while `with` happens; the trace is kept in *f (fault_sys_drop). */
void crash_recover(sweep *s, fault with, fault_sys *f);

/* The same in a process that `end` stops. False when it was not. */
bool crash_recover_apart(sweep *s, fault end);

/* Is the world before this call another than before the last one? */
bool crash_is_new(const fault_sys *trace, long call);

/* The same, and not only in the history. */
bool crash_is_new_beside_history(const fault_sys *trace, long call);

/* Did a recovery with this trace find anything to do? */
bool crash_was_settled(const fault_sys *recovery);

/* Is recovery itself swept in this scenario? Its calls are much the same in all of them; all but
 * --long sweep it in some only. */
bool crash_sweeps_recovery(const sweep *s);

/* What is right after recovery, when a change came to s->run and then its process died. */
check_allowed crash_allowed(const sweep *s);

/* Recover with nothing going wrong, check, and count. */
void crash_settle(sweep *s, const char *where);

#endif

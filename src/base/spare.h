/* spare.h: threads that have done their work and wait for more of it.
 *
 * To start a thread on another processor takes about a hundred microseconds, to wake one that waits
 * a few. So one whose work is done is kept for some seconds. Whoever is to begin at once is woken
 * on one of the processors that the caller names.
 */
#ifndef EM_BASE_SPARE_H
#define EM_BASE_SPARE_H

#include <sched.h>
#include <stdbool.h>

typedef void em_work(void *context);

/* Have another thread do the work, on one of these processors: one that waits, or a new one. It has
 * no signals. False: there is none to be had. */
bool em_spare_begin(const cpu_set_t *processors, em_work *work, void *context);

/* Those that wait go, and those that work go after it: no later work is done by a thread that there
 * is now. For who is about to confine this thread, which confines no other that is there. */
void em_spare_let_go(void);

#endif

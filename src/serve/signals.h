/* signals.h: signals that ask a program to end, taken as input instead of as death.
 *
 * A change that has begun is finished first, so SIGTERM, SIGINT and SIGHUP wait in a descriptor
 * that the program's loop looks at beside its other input. One that was ignored when the program
 * was started stays so.
 */
#ifndef EM_SERVE_SIGNALS_H
#define EM_SERVE_SIGNALS_H

#include <signal.h>

typedef struct em_signals {
    int fd; /* readable when one came; -1 where the system gives none: then they kill, also where
               they were held back before, and every moment of a commit can be recovered from */
    sigset_t mask;         /* what was before, to be put back */
    struct sigaction pipe; /* the same for SIGPIPE, which is ignored */
} em_signals;

/* Those that ask this program to end: not one that whoever started it has ignored, as nohup has
 * SIGHUP. */
sigset_t em_signals_ending(void);

/* From here on they wait, in the calling thread and those that it starts. */
void em_signals_take(em_signals *signals);

/* As it was before. A signal that came meanwhile has been obeyed, and is not delivered again. */
void em_signals_give_back(em_signals *signals);

#endif

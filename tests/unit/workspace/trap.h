/* trap.h: a table of system calls in which chosen calls fail, or let something happen.
 *
 * Where fault_sys.h counts calls, a trap waits for one by its name and what it is about. The rest
 * goes to the real system. With EMEND_TEST_STUTTERS in the environment every call that a signal can
 * interrupt is, before it goes on: no test may notice.
 */
#ifndef EM_TEST_TRAP_H
#define EM_TEST_TRAP_H

#include "base/status.h"
#include "system/sys.h"

#include <pthread.h>

typedef struct trap {
    const char *call;  /* "open"; of renames "exchange", "move" (never over a file), "replace" */
    const char *about; /* a part of a path that it names, or of its descriptor's; "" any; "=x": just
                          the path "x"; "$x": a descriptor whose path ends in "x" */
    int skip;          /* so many of them pass first */
    int times;         /* so many are caught then; 0 is 1, -1 all */
    int error;         /* an errno; 0: the call is made */
    void (*hook)(void *context);  /* runs then, before the call, or NULL */
    void (*after)(void *context); /* runs after it, or NULL */
    void *context;
    int seen, caught; /* how many it matched, and caught */
} trap;

/* A row of a table: a call that fails, and what the code under test answers then. */
typedef struct trap_case {
    const char *call, *about;
    int skip, error;
    em_status want;
} trap_case;

enum { TRAPS = 4, TRAP_CALLS = 40 };

typedef struct trap_sys {
    em_sys sys;           /* to hand to the code under test; its context is this struct */
    pthread_mutex_t lock; /* of what follows: a large file is read by two threads */
    trap traps[TRAPS];
    int count;
    int busy; /* a hook runs: its own calls pass */
    bool stutters;
    const char *interrupted[TRAP_CALLS]; /* names of calls that were */
    bool passes[TRAP_CALLS];             /* the next one of that name is made */
} trap_sys;

/* Set up *t without traps. *t must not move. */
void trap_sys_init(trap_sys *t);

/* Add one; what it catches can be read from the result. */
trap *trap_set(trap_sys *t, trap set);
trap *trap_set_case(trap_sys *t, const trap_case *set);

#endif

/* sweep.h: what the four sweeps share: options, the count, the differences, the end.
 *
 * Exit status: 0 all as documented, 1 a difference, 2 the sweep could not run.
 */
#ifndef EM_FAULT_SWEEP_H
#define EM_FAULT_SWEEP_H

#include "check.h"

typedef struct sweep {
    const char *name; /* "error" */
    bool quick;       /* --quick: without the rare scenarios and faults, as under sanitizers */
    bool thorough;    /* --long: every combination */
    bool recovery;    /* --recovery: recovery is swept in every scenario */
    bool first;       /* --first: stop at the first difference */
    const char *only; /* --scenario NAME */
    long at;          /* --at N: this call alone; 0 all */
    long shown;       /* --show N: how many differences are printed */
    long share;       /* --share N: one in N of the runs; 0 all */
    long offered;     /* runs so far, chosen or not */

    world world;
    world_copy history;  /* the state directory of a workspace that was used before */
    world_copy long_log; /* and of one that was used more (WORLD_LONG_LOG) */
    const scenario *scenario;
    check check;
    scenario_run *run; /* of a child process, in memory that both see */

    long runs, differences;
    int played;
} sweep;

/* A sweep over one scenario. s->scenario is set and s->check begun. */
typedef void (*sweep_function)(sweep *s);

/* main() of a sweep. `does` is the word for what it does to a run: "injected". */
int sweep_main(int argc, char **argv, const char *name, const char *does, sweep_function function);

/* True when the sweep has to end: a difference, with --first. */
bool sweep_over(const sweep *s);

/* Is call `number` to be swept? */
bool sweep_wants(const sweep *s, long number);

/* Is this run one of the share? Asked once for each. They are spread over the calls and over what
 * is done to them, and are the same ones each time. */
bool sweep_chooses(sweep *s);

/* Is a call to be met by little only? The calls on the history are SQLite's own and much the same
 * in all scenarios; all but --long meet them with everything in some scenarios only. */
bool sweep_spares(const sweep *s, const fault_trace *call);

/* The scenario's world as it is before the change. */
void sweep_build(sweep *s);

/* Run the change once with nothing going wrong, in the world as it is, and keep the trace in *f
 * (fault_sys_drop). A difference if it does not end as it should; false then. */
bool sweep_reference(sweep *s, fault_sys *f, scenario_run *run);

/* Count a run, and say what went wrong with it: `wrong` as check_world gives it, NULL if nothing
 * did. `where` describes what was done to which call. */
void sweep_count(sweep *s, const char *where, const char *wrong, const scenario_run *run);

/* `emend recover` with nothing going wrong, in the world as it is. NULL if it succeeded, else what
 * it said, in `text` (CHECK_TEXT). */
const char *sweep_recover(sweep *s, char *text);

/* Memory that a child process and its parent both see, zeroed. */
void *sweep_share(size_t size);
void sweep_unshare(void *shared, size_t size);

/* Stop this process, as SIGKILL would: the hook of a fault. */
void sweep_stop(void *unused);

/* Do `task` in a child process and wait for it. Its exit status, or -1 when a signal ended it. */
int sweep_fork(void (*task)(void *context), void *context);

enum { SWEEP_STOPPED = 42 }; /* the exit status of a child that was stopped */

#endif

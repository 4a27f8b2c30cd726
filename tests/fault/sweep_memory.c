/* sweep_memory.c: memory runs out at every request for it that a change makes, once and for good:
 * emend's own requests, and SQLite's.
 *
 * What must hold: a success means the new content, a failure that nothing changed, and either way
 * recovery finds nothing that it could not settle. Where memory stays away, something may be left
 * until then. Then the same for every request of the recovery after a process that was killed.
 */
#include "crash.h"
#include "memory.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TRACE_ROOM = 8192 };

/* Its own memory beforehand: that is not what is to run out. */
static void fault_sys_ready(const sweep *s, fault_sys *f)
{
    scenario_fault_sys(s->scenario, &s->world, f, &em_sys_native);
    f->trace = calloc(TRACE_ROOM, sizeof *f->trace);
    world_must(f->trace != NULL, "memory");
    f->trace_room = TRACE_ROOM;
}

/* The change, while memory goes as planned. How many requests there were. */
static long change_with(sweep *s, memory_plan plan, scenario_run *run)
{
    fault_sys f;
    sweep_build(s);
    fault_sys_ready(s, &f);
    memory_start(plan);
    scenario_change(s->scenario, &s->world, &f, run);
    long requests = memory_stop();
    fault_sys_drop(&f);
    return requests;
}

static check_allowed allowed_after(const sweep *s, const scenario_run *run)
{
    bool creates = s->scenario->kind == SCENARIO_CREATE;
    check_allowed allowed = {.commits = CHECK_COMMITS_BY_CONTENT};
    if (run->status == EM_OK)
        allowed.contents = CONTENT_NEW;
    else
        allowed.contents = creates ? CONTENT_NONE : CONTENT_OLD;
    if (run->status == EM_E_UNKNOWN)
        allowed.contents |= CONTENT_NEW;
    return allowed;
}

static const char *check_answer(const sweep *s, memory_plan plan, const scenario_run *run,
                                char *text)
{
    check_allowed allowed = allowed_after(s, run);
    bool fits = run->status == EM_OK || run->status == EM_E_NOMEM;
    if (!fits && !(plan.for_good && run->status == EM_E_UNKNOWN))
        return "it is no failure of memory";
    bool late = s->scenario->grace_ms > 0; /* it may have been refused after the answer */
    if (plan.for_good || run->warned || late)
        allowed.leniency = CHECK_STRAYS_MAY_STAY | CHECK_ROWS_MAY_STAY | CHECK_NO_HISTORY |
                           CHECK_BACKUP_MAY_LACK | CHECK_FOLDERS_MAY_STAY;
    if (run->status == EM_E_UNKNOWN)
        allowed.others = OTHERS_ANY;
    return check_world(&s->check, &s->world, &allowed, text);
}

static void run_out(sweep *s, memory_plan plan)
{
    char where[128], text[CHECK_TEXT];
    scenario_run run;
    change_with(s, plan, &run);
    const char *wrong = check_answer(s, plan, &run, text);
    if (!wrong)
        wrong = sweep_recover(s, text);
    check_allowed allowed = allowed_after(s, &run);
    if (!wrong)
        wrong = check_world(&s->check, &s->world, &allowed, text);
    snprintf(where, sizeof where, "request %ld%s", plan.at, plan.for_good ? ", for good" : "");
    sweep_count(s, where, wrong, &run);
}

/* ---- In recovery --------------------------------------------------------------------------- */

static long recover_with(sweep *s, memory_plan plan)
{
    fault_sys f;
    em_error err = EM_ERROR_INIT;
    fault_sys_ready(s, &f);
    memory_start(plan);
    scenario_recover(s->scenario, &s->world, &f, &err);
    long requests = memory_stop();
    fault_sys_drop(&f);
    return requests;
}

static void sweep_recovery(sweep *s, const char *where, fault end, bool sqlite)
{
    if (!crash_change(s, end))
        return;
    long requests = recover_with(s, (memory_plan){.sqlite = sqlite});
    for (long k = 1; k <= requests && !sweep_over(s); k++) {
        char both[400];
        if (!crash_change(s, end))
            return;
        recover_with(s, (memory_plan){.at = k, .sqlite = sqlite, .for_good = true});
        snprintf(both, sizeof both, "%s, request %ld of recovery", where, k);
        crash_settle(s, both);
    }
}

static void sweep_recoveries(sweep *s, bool sqlite)
{
    fault_sys reference;
    scenario_run run;
    sweep_build(s);
    bool goes = sweep_reference(s, &reference, &run);
    for (long n = 1; goes && n <= reference.calls && !sweep_over(s); n++) {
        char where[256];
        if (!crash_is_new_beside_history(&reference, n))
            continue;
        snprintf(where, sizeof where, "killed before call %ld (%s)", n,
                 reference.trace[n - 1].what);
        sweep_recovery(s, where, crash_at(n, false), sqlite);
    }
    fault_sys_drop(&reference);
}

/* ---- The sweep ----------------------------------------------------------------------------- */

static void sweep_memory(sweep *s)
{
    scenario_run run;
    bool sqlite = s->thorough || s->recovery; /* many, and all much the same */
    if (s->scenario->world & WORLD_FOREIGN)
        return; /* the foreign writer needs memory too */
    long requests = change_with(s, (memory_plan){.sqlite = sqlite}, &run);
    for (long k = 1; k <= requests && !sweep_over(s); k++) {
        if (!sweep_wants(s, k))
            continue;
        run_out(s, (memory_plan){.at = k, .sqlite = sqlite});
        run_out(s, (memory_plan){.at = k, .sqlite = sqlite, .for_good = true});
    }
    if (crash_sweeps_recovery(s) && s->at == 0)
        sweep_recoveries(s, s->thorough);
}

int main(int argc, char **argv)
{
    memory_init();
    return sweep_main(argc, argv, "memory", "refused", sweep_memory);
}

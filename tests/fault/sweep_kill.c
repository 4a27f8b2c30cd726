/* sweep_kill.c: the process is killed before and after every call of a change, and once more in the
 * recovery.
 *
 * What must hold after recovery: the file is whole, old or new (new if the change was answered),
 * nothing is left of the change but its commit, and recovery, killed anywhere, can be run again.
 */
#include "sweep.h"

#include <stdio.h>

/* What the child is to do. */
typedef struct order {
    const sweep *sweep;
    fault fault;
} order;

static fault stop_at(long call, bool after)
{
    return (fault){.kind = after ? FAULT_HOOK_AFTER : FAULT_HOOK, .at = call, .hook = sweep_stop};
}

static void change_task(void *context)
{
    const order *o = context;
    fault_sys f;
    scenario_fault_sys(o->sweep->scenario, &o->sweep->world, &f, &em_sys_native);
    f.fault = o->fault;
    scenario_change(o->sweep->scenario, &o->sweep->world, &f, o->sweep->run);
}

static void recover_task(void *context)
{
    const order *o = context;
    fault_sys f;
    em_error err = EM_ERROR_INIT;
    scenario_fault_sys(o->sweep->scenario, &o->sweep->world, &f, &em_sys_native);
    f.fault = o->fault;
    scenario_recover(o->sweep->scenario, &o->sweep->world, &f, &err);
}

/* The whole world as after a change that was killed there. False when the change ended before. */
static bool kill_change(sweep *s, order *o, fault stop)
{
    sweep_build(s);
    o->fault = stop;
    int status = sweep_fork(change_task, o);
    if (status != 0 && status != SWEEP_STOPPED)
        sweep_count(s, "the change", "the process died", s->run);
    return status == SWEEP_STOPPED;
}

static check_allowed allowed_after(const sweep *s, const scenario_run *run)
{
    check_allowed allowed = {.commits = CHECK_COMMITS_BY_CONTENT};
    bool made = run->answered && run->status == EM_OK;
    if (run->foreign) {
        allowed.contents = CONTENT_FOREIGN;
        allowed.leniency = CHECK_FACTS_MAY_DIFFER;
    } else if (made) {
        allowed.contents = CONTENT_NEW;
    } else {
        allowed.contents = s->scenario->kind == SCENARIO_CREATE ? CONTENT_NONE : CONTENT_OLD;
        allowed.contents |= run->answered ? 0 : CONTENT_NEW;
    }
    return allowed;
}

static void check_after(sweep *s, const char *where)
{
    char text[CHECK_TEXT];
    check_allowed allowed = allowed_after(s, s->run);
    const char *wrong = sweep_recover(s, text);
    sweep_count(s, where, wrong ? wrong : check_world(&s->check, &s->world, &allowed, text),
                s->run);
}

/* How many calls the recovery of the world as it is makes, and which of them change something. */
static fault_sys trace_recovery(sweep *s)
{
    fault_sys f;
    em_error err = EM_ERROR_INIT;
    scenario_fault_sys(s->scenario, &s->world, &f, &em_sys_native);
    scenario_recover(s->scenario, &s->world, &f, &err);
    return f;
}

/* Killed before a call that follows one that changed nothing, the world is as if killed there. */
static bool is_new_state(const fault_sys *trace, long call)
{
    return call == 1 || call > trace->calls || trace->trace[call - 2].changed;
}

/* Kill the change by `first`, and then the recovery at each of its calls. */
static void kill_recovery(sweep *s, fault first, const char *where)
{
    char where_again[600];
    order o = {.sweep = s};
    if (!kill_change(s, &o, first))
        return;
    fault_sys trace = trace_recovery(s);
    for (long n = 2; n <= trace.calls && !sweep_over(s); n++) {
        if (!is_new_state(&trace, n) || !kill_change(s, &o, first))
            continue;
        o.fault = stop_at(n, false);
        if (sweep_fork(recover_task, &o) != SWEEP_STOPPED)
            sweep_count(s, where, "the recovery was not the same again", s->run);
        snprintf(where_again, sizeof where_again, "%s, and before call %ld (%s) of recovery", where,
                 n, fault_call_name(trace.trace[n - 1].call));
        check_after(s, where_again);
    }
    fault_sys_drop(&trace);
}

/* Recovery's own calls are much the same in all scenarios, so in a short sweep it is killed in some
 * of them only. */
static bool kills_recovery(const sweep *s)
{
    return s->thorough || (!s->quick && s->scenario->whole);
}

static void kill_at(sweep *s, long n, fault_call call, bool after)
{
    char where[256];
    order o = {.sweep = s};
    fault first = stop_at(n, after);
    snprintf(where, sizeof where, "killed %s call %ld (%s)", after ? "after" : "before", n,
             fault_call_name(call));
    if (kill_change(s, &o, first))
        check_after(s, where);
}

static void kill_twice_at(sweep *s, long n, fault_call call)
{
    char where[256];
    snprintf(where, sizeof where, "killed before call %ld (%s)", n, fault_call_name(call));
    kill_recovery(s, stop_at(n, false), where);
}

static void sweep_kills(sweep *s)
{
    fault_sys reference;
    bool goes = sweep_reference(s, &reference, s->run);
    for (long n = 1; goes && n <= reference.calls && !sweep_over(s); n++) {
        fault_call call = reference.trace[n - 1].call;
        if (!sweep_wants(s, n))
            continue;
        bool spared = sweep_spares(s, &reference.trace[n - 1]), news = is_new_state(&reference, n);
        if (s->quick ? news && !spared : news || !spared)
            kill_at(s, n, call, false);
        if (!s->quick && !spared)
            kill_at(s, n, call, true);
        if (kills_recovery(s) && is_new_state(&reference, n))
            kill_twice_at(s, n, call);
    }
    fault_sys_drop(&reference);
}

int main(int argc, char **argv)
{
    return sweep_main(argc, argv, "kill", "killed", sweep_kills);
}

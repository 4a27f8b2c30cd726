#include "crash.h"

#include "history/history.h"

#include <string.h>

/* What a child is to do. */
typedef struct order {
    const sweep *sweep;
    fault end;
} order;

fault crash_at(long call, bool after)
{
    return (fault){.kind = after ? FAULT_HOOK_AFTER : FAULT_HOOK, .at = call, .hook = sweep_stop};
}

static void change_task(void *context)
{
    const order *o = context;
    fault_sys f;
    scenario_fault_sys(o->sweep->scenario, &o->sweep->world, &f, &em_sys_native);
    f.fault = o->end;
    scenario_change(o->sweep->scenario, &o->sweep->world, &f, o->sweep->run);
}

bool crash_change(sweep *s, fault end)
{
    order o = {s, end};
    sweep_build(s);
    int status = sweep_fork(change_task, &o);
    if (status != 0 && status != SWEEP_STOPPED)
        sweep_count(s, "a change that was to be killed", "the process died", s->run);
    return status == SWEEP_STOPPED;
}

void crash_recover(sweep *s, fault with, fault_sys *f)
{
    em_error err = EM_ERROR_INIT;
    scenario_fault_sys(s->scenario, &s->world, f, &em_sys_native);
    f->describes = true;
    f->fault = with;
    scenario_recover(s->scenario, &s->world, f, &err);
}

static void recover_task(void *context)
{
    const order *o = context;
    fault_sys f;
    em_error err = EM_ERROR_INIT;
    scenario_fault_sys(o->sweep->scenario, &o->sweep->world, &f, &em_sys_native);
    f.fault = o->end;
    scenario_recover(o->sweep->scenario, &o->sweep->world, &f, &err);
}

bool crash_recover_apart(sweep *s, fault end)
{
    order o = {s, end};
    return sweep_fork(recover_task, &o) == SWEEP_STOPPED;
}

bool crash_is_new(const fault_sys *trace, long call)
{
    return call == 1 || call > trace->calls || trace->trace[call - 2].changed;
}

bool crash_is_new_beside_history(const fault_sys *trace, long call)
{
    return call > 1 && crash_is_new(trace, call) &&
           !strstr(trace->trace[call - 2].what, EM_HISTORY_NAME);
}

bool crash_was_settled(const fault_sys *recovery)
{
    for (long i = 0; i < recovery->calls; i++)
        if (recovery->trace[i].changed)
            return true;
    return false;
}

bool crash_sweeps_recovery(const sweep *s)
{
    return s->thorough || s->recovery || (!s->quick && s->scenario->deep);
}

check_allowed crash_allowed(const sweep *s)
{
    const scenario_run *run = s->run;
    check_allowed allowed = {.commits = CHECK_COMMITS_BY_CONTENT};
    bool made = run->answered && run->status == EM_OK;
    if (run->foreign) {
        allowed.contents = CONTENT_FOREIGN;
        allowed.leniency = CHECK_FACTS_MAY_DIFFER;
    } else if (made) {
        allowed.contents = CONTENT_NEW;
    } else {
        allowed.contents = s->scenario->kind == SCENARIO_CREATE ? CONTENT_NONE : CONTENT_OLD;
        allowed.contents |= run->answered ? 0U : CONTENT_NEW;
    }
    return allowed;
}

void crash_settle(sweep *s, const char *where)
{
    char text[CHECK_TEXT];
    check_allowed allowed = crash_allowed(s);
    const char *wrong = sweep_recover(s, text);
    if (!wrong)
        wrong = check_world(&s->check, &s->world, &allowed, text);
    sweep_count(s, where, wrong, s->run);
}

/* sweep_kill.c: the process is killed before and after every call of a change; and once more in the
 * recovery, or the next change comes instead of it.
 *
 * What must hold after recovery: the file is whole, old or new (new if the change was answered),
 * nothing is left of the change but its commit, and recovery, killed anywhere, can be run again.
 */
#include "crash.h"

#include <stdio.h>

static void kill_at(sweep *s, const char *where, fault end)
{
    if (sweep_chooses(s) && crash_change(s, end))
        crash_settle(s, where);
}

/* Kill the change by `end`, and then the recovery at each of its calls. */
static void kill_recovery(sweep *s, const char *where, fault end)
{
    fault_sys trace;
    if (!crash_change(s, end))
        return;
    crash_recover(s, (fault){0}, &trace);
    for (long n = 2; n <= trace.calls && !sweep_over(s); n++) {
        char again[512];
        if (!crash_is_new(&trace, n) || !sweep_chooses(s) || !crash_change(s, end))
            continue;
        snprintf(again, sizeof again, "%s, and before call %ld (%s) of recovery", where, n,
                 trace.trace[n - 1].what);
        /* Of several files two may have one lock, by inode numbers that change: then a run has
         * fewer calls. */
        bool may_be_shorter = scenario_is_of_several(s->scenario);
        if (crash_recover_apart(s, crash_at(n, false)) || may_be_shorter)
            crash_settle(s, again);
        else
            sweep_count(s, again, "the recovery was not the same again", s->run);
    }
    fault_sys_drop(&trace);
}

/* Kill the change by `end`. Then somebody changes the same file again, without `emend recover`. */
static void change_next(sweep *s, const char *where, fault end)
{
    fault_sys f;
    scenario_run next;
    char next_where[512], text[CHECK_TEXT];
    if (!sweep_chooses(s) || !crash_change(s, end))
        return;
    scenario_fault_sys(s->scenario, &s->world, &f, &em_sys_native);
    scenario_insert(s->scenario, &s->world, &f, &next);
    fault_sys_drop(&f);
    bool was_made = check_content(&s->check, &s->world) == CONTENT_FOREIGN_CHANGED;
    check_allowed allowed = {.contents = CONTENT_FOREIGN | CONTENT_FOREIGN_CHANGED,
                             .commits = 1 + was_made};
    bool gone = s->scenario->kind == SCENARIO_REMOVE && next.status == EM_E_NOT_FOUND;
    if (gone)
        allowed = (check_allowed){.contents = CONTENT_NEW, .commits = CHECK_COMMITS_BY_CONTENT};
    const char *wrong = next.status == EM_OK || gone ? NULL : "the next change failed";
    if (!wrong)
        wrong = check_world(&s->check, &s->world, &allowed, text);
    snprintf(next_where, sizeof next_where, "%s, then changed again", where);
    sweep_count(s, next_where, wrong, &next);
}

static void kill_around(sweep *s, const fault_sys *reference, long n)
{
    char where[256];
    const fault_trace *call = &reference->trace[n - 1];
    bool spared = sweep_spares(s, call), is_new = crash_is_new(reference, n);
    snprintf(where, sizeof where, "killed after call %ld (%s)", n, call->what);
    if (!s->quick && !spared)
        kill_at(s, where, crash_at(n, true));
    snprintf(where, sizeof where, "killed before call %ld (%s)", n, call->what);
    if (s->quick ? is_new && !spared : is_new || !spared)
        kill_at(s, where, crash_at(n, false));
    if (is_new && crash_sweeps_recovery(s)) {
        kill_recovery(s, where, crash_at(n, false));
        if (!(s->scenario->world & WORLD_FOREIGN))
            change_next(s, where, crash_at(n, false));
    }
}

static void sweep_kills(sweep *s)
{
    fault_sys reference;
    bool goes = sweep_reference(s, &reference, s->run);
    if (!(s->scenario->world & WORLD_FOREIGN))
        check_expect(&s->check, CHECK_OTHER_INSERTS);
    for (long n = 1; goes && n <= reference.calls && !sweep_over(s); n++)
        if (sweep_wants(s, n))
            kill_around(s, &reference, n);
    fault_sys_drop(&reference);
}

int main(int argc, char **argv)
{
    return sweep_main(argc, argv, "kill", "killed", sweep_kills);
}

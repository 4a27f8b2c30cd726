/* sweep_cut.c: the power goes before every call of a change, over a store that then forgets what
 * was not synced, in each of the outcomes of power_sys.h; then another boot recovers.
 *
 * What must hold then, by --sync:
 *
 *   full   the file is whole, old or new, new if the change was answered; no stray name, nothing
 *          pending, and a commit if the file is new
 *   data   the file is whole, old or new; a stray name or an empty folder may be left, and the
 *          history may lack a commit or be damaged
 *   off    nothing but the file and what the change made is touched
 */
#include "sweep.h"

#include "power_sys.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Of a call that is spared: nothing of what was not synced, and all names without the data. */
enum { FEW_OUTCOMES = 2 };

/* What the child is to do. */
typedef struct order {
    sweep *sweep;
    long at; /* the power goes before this call */
    int outcome;
    power_sys *power;
} order;

static void cut(void *context)
{
    order *o = context;
    power_cut(o->power, o->sweep->thorough, o->outcome);
    _exit(SWEEP_STOPPED);
}

static void change_task(void *context)
{
    order *o = context;
    sweep *s = o->sweep;
    power_sys power;
    fault_sys f;
    o->power = &power;
    power_sys_init(&power, s->world.tree, s->world.vault);
    scenario_fault_sys(s->scenario, &s->world, &f, &power.sys);
    f.fault = (fault){.kind = FAULT_HOOK, .at = o->at, .hook = cut, .context = o};
    scenario_change(s->scenario, &s->world, &f, s->run);
    cut(o); /* after the last call */
}

static check_allowed allowed_after(const sweep *s, const scenario_run *run)
{
    check_allowed allowed = {.commits = CHECK_COMMITS_BY_CONTENT};
    em_sync sync = s->scenario->sync;
    unsigned before = s->scenario->kind == SCENARIO_CREATE ? CONTENT_NONE : CONTENT_OLD;
    bool durable = run->answered && run->status == EM_OK && !run->warned && sync == EM_SYNC_FULL;
    allowed.contents = durable ? CONTENT_NEW : before | CONTENT_NEW;
    if (run->foreign) {
        allowed.contents = CONTENT_FOREIGN; /* saved by somebody who syncs */
        allowed.leniency |= CHECK_FACTS_MAY_DIFFER;
    }
    if (sync != EM_SYNC_FULL)
        allowed.leniency |= CHECK_STRAYS_MAY_STAY | CHECK_FOLDERS_MAY_STAY | CHECK_NO_HISTORY;
    if (sync == EM_SYNC_OFF) {
        allowed.contents |= CONTENT_NONE | CONTENT_OTHER;
        allowed.leniency |= CHECK_FACTS_MAY_DIFFER;
    }
    return allowed;
}

static void check_after(sweep *s, const char *where)
{
    char text[CHECK_TEXT];
    check_allowed allowed = allowed_after(s, s->run);
    world_reboot(&s->world);
    const char *wrong = sweep_recover(s, text);
    if (s->scenario->sync != EM_SYNC_FULL)
        wrong = NULL; /* the history may be damaged */
    sweep_count(s, where, wrong ? wrong : check_world(&s->check, &s->world, &allowed, text),
                s->run);
}

static void cut_at(sweep *s, long call, const char *name, int outcome, const char *outcome_name)
{
    char where[256];
    order o = {.sweep = s, .at = call, .outcome = outcome};
    snprintf(where, sizeof where, "power cut before call %ld (%s): %s", call, name, outcome_name);
    sweep_build(s);
    if (sweep_fork(change_task, &o) == SWEEP_STOPPED)
        check_after(s, where);
    else
        sweep_count(s, where, "the process died", s->run);
}

/* ---- What there is to try ------------------------------------------------------------------ */

/* Before a call of the run without a cut: the state of the store. */
typedef struct moment {
    long changes;
    power_pending pending;
} moment;

typedef struct survey {
    const power_sys *power;
    moment *moments; /* owned; one for each call */
    size_t count, room;
} survey;

static void look(void *context)
{
    survey *v = context;
    if (v->count == v->room) {
        v->room = v->room ? v->room * 2 : 512;
        v->moments = realloc(v->moments, v->room * sizeof *v->moments);
        if (!v->moments)
            world_fail("memory");
    }
    v->moments[v->count++] = (moment){power_changes(v->power), power_pending_of(v->power)};
}

/* Run the change without a cut. One moment more than there are calls: after the last. */
static bool survey_change(sweep *s, survey *v, fault_sys *f)
{
    power_sys power;
    power_sys_init(&power, s->world.tree, s->world.vault);
    v->power = &power;
    scenario_fault_sys(s->scenario, &s->world, f, &power.sys);
    f->describes = true;
    f->before_each = look;
    f->before_each_context = v;
    scenario_change(s->scenario, &s->world, f, s->run);
    look(v);
    power_sys_drop(&power);
    bool right = s->run->status == (s->scenario->world & WORLD_FOREIGN ? EM_E_CONFLICT : EM_OK);
    sweep_count(s, "no cut", right ? NULL : "it went wrong", s->run);
    return right;
}

/* How many outcomes are tried before a call. Where the store did not change since the call before,
 * a cut has the outcomes that it had there. */
static int outcomes_at(const sweep *s, const survey *v, const fault_sys *f, size_t index)
{
    const moment *m = &v->moments[index];
    bool ended = index + 1 == v->count;
    int outcomes = power_outcomes(m->pending, s->thorough);
    if (!sweep_wants(s, (long)index + 1) || (index > 0 && m->changes == m[-1].changes))
        return 0;
    bool spared = !ended && sweep_spares(s, &f->trace[index]);
    if (spared && s->quick)
        return 0;
    return spared && outcomes > FEW_OUTCOMES ? FEW_OUTCOMES : outcomes;
}

static void sweep_cuts(sweep *s)
{
    survey v = {0};
    fault_sys f;
    bool goes = survey_change(s, &v, &f);
    for (size_t i = 0; goes && i < v.count && !sweep_over(s); i++) {
        bool ended = i + 1 == v.count;
        int outcomes = outcomes_at(s, &v, &f, i);
        for (int o = 0; o < outcomes && !sweep_over(s); o++) {
            char name[64];
            power_outcome_name(v.moments[i].pending, s->thorough, o, name, sizeof name);
            cut_at(s, (long)i + 1, ended ? "it has ended" : f.trace[i].what, o, name);
        }
    }
    free(v.moments);
    fault_sys_drop(&f);
}

int main(int argc, char **argv)
{
    return sweep_main(argc, argv, "cut", "cuts", sweep_cuts);
}

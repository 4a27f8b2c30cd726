/* sweep_cut.c: the power goes before every call of a change, over a store that then forgets what
 * was not synced, in each of the outcomes of power_sys.h; then another boot recovers. And again for
 * every call of a recovery, after a process that was killed: what that one had not synced the power
 * takes too. And for every call of a recovery after such a cut: it ends what an earlier boot began.
 *
 * What must hold then, by --sync:
 *
 *   full   the file is whole, old or new, new if the change was answered; no stray name, nothing
 *          pending, and a commit if the file is new
 *   data   the file is whole, old or new; a stray name or an empty folder may be left, and the
 *          history may lack a commit or be damaged
 *   off    nothing but the file and what the change made is touched
 */
#include "crash.h"
#include "history/history.h"
#include "power_sys.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum {
    FEW_OUTCOMES = 2, /* of a call that is spared: nothing at all, and all names without the data */
    MOST_MOMENTS = 8192,
};

/* Before a call: which it is, and the state of the store. */
typedef struct moment {
    fault_trace call;
    long changes;
    power_pending pending;
} moment;

/* The moments of a run without a cut, and one for its end. In memory that a child shares. */
typedef struct survey {
    moment moments[MOST_MOMENTS];
    long count;
} survey;

/* How a change ended before its recovery, whose calls are those that are cut then. */
typedef struct interrupted {
    long before; /* this call; 0: it did not, and its own calls are cut */
    bool by_cut; /* with the power, and all that was not synced; else the process was killed */
} interrupted;

/* What the child is to do. */
typedef struct order {
    sweep *sweep;
    interrupted ended;
    long at; /* the power goes before this call, of the change or of the recovery */
    int outcome;
    survey *survey; /* to be filled, and nothing cut; NULL: cut */
    power_sys power;
    fault_sys faults;
} order;

/* ---- The child ----------------------------------------------------------------------------- */

static void cut(void *context)
{
    order *o = context;
    power_cut(&o->power, o->sweep->thorough, o->outcome);
    _exit(SWEEP_STOPPED);
}

static void look(void *context)
{
    order *o = context;
    const fault_sys *f = &o->faults;
    world_must(o->survey->count < MOST_MOMENTS, "too many calls");
    o->survey->moments[o->survey->count++] =
        (moment){f->trace[f->calls - 1], power_changes(&o->power), power_pending_of(&o->power)};
}

/* From now on the calls are those that are cut, or looked at. */
static void watch(order *o)
{
    scenario_fault_sys(o->sweep->scenario, &o->sweep->world, &o->faults, &o->power.sys);
    o->faults.describes = true;
    if (o->survey) {
        o->faults.before_each = look;
        o->faults.before_each_context = o;
    } else {
        o->faults.fault = (fault){.kind = FAULT_HOOK, .at = o->at, .hook = cut, .context = o};
    }
}

static void end(order *o)
{
    if (!o->survey)
        cut(o);
    look(o);
    snprintf(o->survey->moments[o->survey->count - 1].call.what,
             sizeof o->survey->moments->call.what, "it has ended");
    _exit(0);
}

/* The process is gone: its descriptors, and with them its locks, and its turn at the history, which
 * the threads of a process have by the spelling of the folder (turns.h). Another one recovers, over
 * the same store. */
static void recover_instead(void *context)
{
    order *o = context;
    em_error err = EM_ERROR_INIT;
    size_t length = strlen(o->sweep->world.state);
    power_sys_unmap(&o->power);
    snprintf(o->sweep->world.state + length, sizeof o->sweep->world.state - length, "/.");
    world_must(close_range(STDERR_FILENO + 1, ~0U, 0) == 0, "close_range");
    watch(o);
    scenario_recover(o->sweep->scenario, &o->sweep->world, &o->faults, &err);
    end(o);
}

/* After a cut: the store holds what is on the disk. */
static void recovery_task(void *context)
{
    order *o = context;
    power_sys_init(&o->power, o->sweep->world.tree, o->sweep->world.vault);
    recover_instead(o);
}

static void change_task(void *context)
{
    order *o = context;
    sweep *s = o->sweep;
    power_sys_init(&o->power, s->world.tree, s->world.vault);
    if (o->ended.before) {
        fault_sys f;
        scenario_fault_sys(s->scenario, &s->world, &f, &o->power.sys);
        f.fault = (fault){
            .kind = FAULT_HOOK, .at = o->ended.before, .hook = recover_instead, .context = o};
        scenario_change(s->scenario, &s->world, &f, s->run);
    } else {
        watch(o);
        scenario_change(s->scenario, &s->world, &o->faults, s->run);
    }
    end(o);
}

/* ---- What is right afterwards -------------------------------------------------------------- */

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
        allowed.others = OTHERS_ANY;
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

/* ---- The sweep ----------------------------------------------------------------------------- */

/* Do it in a child, after the cut that comes before it, if there is one. */
static int run(sweep *s, order *o)
{
    sweep_build(s);
    if (!o->ended.by_cut)
        return sweep_fork(change_task, o);
    order first = {.sweep = s, .at = o->ended.before};
    int end = sweep_fork(change_task, &first);
    if (end != SWEEP_STOPPED)
        return end;
    world_remove(s->world.vault); /* of the store that was cut */
    world_reboot(&s->world);
    return sweep_fork(recovery_task, o);
}

static void cut_at(sweep *s, interrupted ended, const moment *m, long at, int outcome)
{
    char where[512], when[128] = "", name[96];
    order o = {.sweep = s, .ended = ended, .at = at, .outcome = outcome};
    if (!sweep_chooses(s))
        return;
    power_outcome_name(m->pending, s->thorough, outcome, name, sizeof name);
    if (ended.before)
        snprintf(when, sizeof when, "%s before call %ld, in recovery ",
                 ended.by_cut ? "cut" : "killed", ended.before);
    snprintf(where, sizeof where, "%spower cut before call %ld (%s): %s", when, at, m->call.what,
             name);
    if (run(s, &o) == SWEEP_STOPPED)
        check_after(s, where);
    else
        sweep_count(s, where, "the process died", s->run);
}

/* How many outcomes are tried at a moment. Where the store did not change since the one before, a
 * cut has the outcomes that it had there. */
static int outcomes_at(const sweep *s, const survey *v, bool in_recovery, long index)
{
    const moment *m = &v->moments[index];
    int outcomes = power_outcomes(m->pending, s->thorough);
    bool last = index + 1 == v->count; /* all is answered: met by everything in any case */
    if (!last && index > 0 && m->changes == m[-1].changes)
        return 0;
    bool on_history = strstr(m->call.what, EM_HISTORY_NAME) != NULL;
    bool spared = sweep_spares(s, &m->call) || (in_recovery && on_history && !s->thorough);
    if (spared && s->quick)
        return 0;
    return spared && outcomes > FEW_OUTCOMES ? FEW_OUTCOMES : outcomes;
}

/* Run without a cut, and leave the moments in *v. */
static bool look_at_run(sweep *s, interrupted ended, survey *v)
{
    order o = {.sweep = s, .ended = ended, .survey = v};
    v->count = 0;
    bool good = run(s, &o) == 0;
    if (!good)
        sweep_count(s, "nothing is cut", "the process died", s->run);
    return good;
}

static void cut_everywhere(sweep *s, interrupted ended, const survey *v)
{
    for (long i = 0; i < v->count && !sweep_over(s); i++) {
        if (!ended.before && !sweep_wants(s, i + 1))
            continue;
        int outcomes = outcomes_at(s, v, ended.before > 0, i);
        for (int o = 0; o < outcomes && !sweep_over(s); o++)
            cut_at(s, ended, &v->moments[i], i + 1, o);
    }
}

static void cut_recovery_of(sweep *s, interrupted ended, survey *v)
{
    if (look_at_run(s, ended, v))
        cut_everywhere(s, ended, v);
}

static void cut_recoveries(sweep *s, const fault_sys *reference, survey *v)
{
    for (long n = 1; n <= reference->calls && !sweep_over(s); n++) {
        if (!sweep_wants(s, n) || !crash_is_new_beside_history(reference, n))
            continue;
        cut_recovery_of(s, (interrupted){n, false}, v);
        cut_recovery_of(s, (interrupted){n, true}, v);
    }
    long end = reference->calls + 1; /* it is all done, and not all on the disk */
    if (sweep_wants(s, end))
        cut_recovery_of(s, (interrupted){end, true}, v);
}

static void sweep_cuts(sweep *s)
{
    fault_sys reference;
    survey *v = sweep_share(sizeof *v);
    const interrupted whole = {0};
    bool goes = sweep_reference(s, &reference, s->run);
    if (goes && look_at_run(s, whole, v))
        cut_everywhere(s, whole, v);
    if (goes && crash_sweeps_recovery(s) && s->scenario->sync == EM_SYNC_FULL)
        cut_recoveries(s, &reference, v);
    sweep_unshare(v, sizeof *v);
    fault_sys_drop(&reference);
}

int main(int argc, char **argv)
{
    return sweep_main(argc, argv, "cut", "cuts", sweep_cuts);
}

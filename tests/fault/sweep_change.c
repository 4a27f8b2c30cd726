/* sweep_change.c: somebody else is at the same file, just before every call of a change: a foreign
 * writer that takes no lock, another emend, a recovery.
 *
 * What must hold: no byte that they wrote is lost; the answer is a conflict, or they came after the
 * commit (or before the file was read); a recovery leaves alone what is not finished but alive.
 *
 * Then the same for every call of the recovery after a process that was killed, its beginning
 * included: what was saved between the two must be as safe.
 */
#include "crash.h"

#include "foreign.h"
#include "history/history.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Beside the foreign writers of foreign.h. */
enum { SLOW_SAVE = FOREIGN_KINDS, OTHER_EMEND, RECOVERY, MEDDLERS };

typedef struct meddling {
    const scenario *scenario;
    const world *world;
    int who;
    em_slice bytes; /* what a foreign writer writes */
    int fd;         /* of the slow one, until it goes on */
    bool acted;     /* there was something to remove, or to write over */
    scenario_run other;
} meddling;

static const char *name_of(int who)
{
    static const char *const others[] = {"save by truncating, slowly", "another emend",
                                         "a recovery"};
    return who < FOREIGN_KINDS ? foreign_name((foreign_kind)who) : others[who - FOREIGN_KINDS];
}

static void meddle(void *context)
{
    meddling *m = context;
    fault_sys f;
    em_error err = EM_ERROR_INIT;
    scenario_fault_sys(m->scenario, m->world, &f, &em_sys_native);
    if (m->who == OTHER_EMEND)
        scenario_insert(m->scenario, m->world, &f, &m->other);
    else if (m->who == RECOVERY)
        scenario_recover(m->scenario, m->world, &f, &err);
    else if (m->who == SLOW_SAVE)
        m->fd = foreign_open(&em_sys_native, m->world->root, m->scenario->target);
    else
        m->acted = foreign_write((foreign_kind)m->who, &em_sys_native, m->world->root,
                                 m->scenario->target, m->bytes);
    fault_sys_drop(&f);
}

/* ---- What is expected ---------------------------------------------------------------------- */

/* How somebody comes by their content. */
static check_other other_of(int who)
{
    switch (who) {
    case FOREIGN_APPEND:
        return CHECK_OTHER_APPENDS;
    case FOREIGN_QUIET:
        return CHECK_OTHER_OVERWRITES;
    case OTHER_EMEND:
        return CHECK_OTHER_INSERTS;
    default:
        return CHECK_OTHER_SAVES;
    }
}

static em_slice bytes_of(const sweep *s, int who)
{
    if (who == FOREIGN_APPEND)
        return scenario_line();
    return who == FOREIGN_QUIET ? scenario_first_bytes() : s->check.foreign;
}

static bool is_refusal(const sweep *s, int who, em_status status)
{
    bool missing = who == FOREIGN_REMOVE && status == EM_E_NOT_FOUND;
    bool emptied = who == SLOW_SAVE && status == EM_E_NO_MATCH;
    bool exists = s->scenario->kind == SCENARIO_CREATE && status == EM_E_EXISTS;
    return status == EM_E_CONFLICT || missing || emptied || exists;
}

/* A change that replaces everything that it read leaves nothing of what came before that. */
static bool replaced_what_it_read(const sweep *s, const scenario_run *run, long at)
{
    bool replaces = s->scenario->kind == SCENARIO_REWRITE || s->scenario->kind == SCENARIO_EMPTY ||
                    s->scenario->kind == SCENARIO_REMOVE;
    return replaces && at <= run->opened;
}

static unsigned contents_of(const sweep *s, int who, const scenario_run *run, long at)
{
    unsigned contents = CONTENT_FOREIGN;
    bool adds = who == FOREIGN_APPEND || who == FOREIGN_QUIET || who == OTHER_EMEND;
    if (run->status == EM_OK && adds)
        contents = CONTENT_FOREIGN_CHANGED;
    else if (run->status == EM_OK && at <= run->opened)
        contents = CONTENT_FOREIGN_CHANGED;
    if (run->status == EM_OK && replaced_what_it_read(s, run, at))
        contents |= CONTENT_NEW;
    return who == FOREIGN_REMOVE ? CONTENT_NONE : contents;
}

/* The calls before which a foreign save may get lost, as documented: where the system cannot
 * exchange two names, the rename over the file; where the file is written in place, from the first
 * write to the last look at it. */
typedef struct window {
    long first, last; /* 0: there is none */
} window;

static window window_of(const scenario *s, const fault_sys *reference)
{
    window w = {0};
    const char *name = strrchr(s->target, '/');
    name = name ? name + 1 : s->target;
    for (long n = 1; s->window && n <= reference->calls; n++) {
        const fault_trace *t = &reference->trace[n - 1];
        bool itself = strcmp(strchr(t->what, ' ') ? strchr(t->what, ' ') + 1 : "", name) == 0;
        bool opens = s->in_place ? t->call == FAULT_ON_write && itself : t->call == FAULT_ON_rename;
        bool closes = s->in_place ? t->call == FAULT_ON_read && itself : opens;
        if (opens && w.first == 0)
            w.first = n;
        if (closes)
            w.last = n;
    }
    return w;
}

static check_allowed allowed_after(const sweep *s, const meddling *m, const fault_sys *f,
                                   const scenario_run *run)
{
    bool creates = s->scenario->kind == SCENARIO_CREATE;
    bool other = m->who == OTHER_EMEND && m->other.status == EM_OK;
    bool alone = m->who == RECOVERY || (m->who == OTHER_EMEND && !other) ||
                 (m->who < FOREIGN_KINDS && !m->acted);
    check_allowed allowed = {.commits = (run->status == EM_OK) + other,
                             .leniency = alone ? 0 : CHECK_FACTS_MAY_DIFFER,
                             .others = run->status == EM_OK ? OTHERS_NEW : OTHERS_OLD};
    if (m->who == FOREIGN_REMOVE && run->status == EM_OK)
        allowed.leniency |= CHECK_FOLDERS_MAY_STAY;
    if (s->scenario->world & WORLD_HARD_LINK) /* the other name is theirs too, until it is broken */
        allowed.leniency |= CHECK_CANARY_MAY_DIFFER;
    if (!alone)
        allowed.contents = contents_of(s, m->who, run, f->fault.at);
    else if (run->status == EM_OK)
        allowed.contents = CONTENT_NEW;
    else
        allowed.contents = creates ? CONTENT_NONE : CONTENT_OLD;
    return allowed;
}

static const char *check_answer(const sweep *s, const meddling *m, const scenario_run *run)
{
    bool locks = m->who == OTHER_EMEND || m->who == RECOVERY;
    bool created = locks && s->scenario->kind == SCENARIO_CREATE && run->status == EM_E_EXISTS;
    if (run->status == EM_OK || created)
        return NULL;
    if (locks)
        return "it was disturbed by one that takes locks";
    return is_refusal(s, m->who, run->status) ? NULL : "it is no conflict";
}

/* Within the window a foreign save may be lost or mixed in, and a person may be asked; everything
 * else holds. */
static const char *check_in_window(const sweep *s, const scenario_run *run, char *text)
{
    check_allowed allowed = {
        .contents = ~0U,
        .leniency = CHECK_FACTS_MAY_DIFFER | CHECK_ROWS_MAY_STAY | CHECK_HISTORY_MAY_LACK,
        .commits = 1,
    };
    if (run->status != EM_OK && run->status != EM_E_CONFLICT)
        return "it is no conflict";
    return check_world(&s->check, &s->world, &allowed, text);
}

/* ---- The sweep ----------------------------------------------------------------------------- */

static const char *check_all(sweep *s, const meddling *m, const fault_sys *f,
                             const scenario_run *run, char *text)
{
    check_allowed allowed = allowed_after(s, m, f, run);
    const char *wrong = check_answer(s, m, run);
    allowed.leniency |= run->status == EM_OK ? 0 : CHECK_NO_HISTORY; /* looked at below */
    if (!wrong)
        wrong = check_world(&s->check, &s->world, &allowed, text);
    if (!wrong)
        wrong = sweep_recover(s, text);
    allowed.leniency &= ~(unsigned)CHECK_NO_HISTORY;
    return wrong ? wrong : check_world(&s->check, &s->world, &allowed, text);
}

static void change_at(sweep *s, int who, long at, bool in_window)
{
    fault_sys f;
    scenario_run run;
    char where[512], text[CHECK_TEXT];
    meddling m = {.scenario = s->scenario, .world = &s->world, .who = who, .fd = -1};
    if (!sweep_chooses(s))
        return;
    m.bytes = bytes_of(s, who);
    sweep_build(s);
    scenario_fault_sys(s->scenario, &s->world, &f, &em_sys_native);
    f.fault = (fault){.kind = FAULT_HOOK, .at = at, .hook = meddle, .context = &m};
    scenario_change(s->scenario, &s->world, &f, &run);
    if (m.fd >= 0)
        foreign_finish(&em_sys_native, m.fd, m.bytes);
    snprintf(where, sizeof where, "%s before call %ld (%s)", name_of(who), at, f.hit_what);
    if (f.hit) /* SQLite's last calls are not in every run */
        sweep_count(s, where,
                    in_window ? check_in_window(s, &run, text) : check_all(s, &m, &f, &run, text),
                    &run);
    fault_sys_drop(&f);
}

/* ---- In recovery --------------------------------------------------------------------------- */

/* What the file may be when somebody came between a killed change and the end of its recovery. */
static check_allowed allowed_after_recovery(const sweep *s, const meddling *m)
{
    bool other = m->who == OTHER_EMEND && m->other.status == EM_OK;
    bool foreign = m->who < FOREIGN_KINDS ? m->acted : m->who == SLOW_SAVE;
    check_allowed allowed = crash_allowed(s);
    if (!other && !foreign)
        return allowed;
    allowed.others = OTHERS_SAME;
    allowed.contents =
        m->who == FOREIGN_REMOVE ? CONTENT_NONE : CONTENT_FOREIGN | CONTENT_FOREIGN_CHANGED;
    allowed.leniency = CHECK_FACTS_MAY_DIFFER | CHECK_FOLDERS_MAY_STAY | CHECK_HISTORY_MAY_LACK;
    allowed.commits = 1 + other; /* of ours nobody can tell when it is written over */
    return allowed;
}

/* A transaction is taken back, but for a file that somebody has changed since: that stays, and what
 * it held before is kept too, until a person has chosen. */
static const char *check_choice(sweep *s, check_allowed allowed, char *text)
{
    fault_sys f;
    em_error err = EM_ERROR_INIT;
    check_allowed asked = allowed;
    bool kept = !s->check.old.ptr || check_holds_anywhere(&s->world, s->check.old);
    asked.leniency |= CHECK_STRAYS_MAY_STAY | CHECK_ROWS_MAY_STAY;
    asked.others = OTHERS_OLD;
    const char *wrong =
        kept ? check_world(&s->check, &s->world, &asked, text) : "the old content is not kept";
    if (wrong)
        return wrong;
    scenario_fault_sys(s->scenario, &s->world, &f, &em_sys_native);
    em_status status = scenario_choose(s->scenario, &s->world, &f, &err);
    fault_sys_drop(&f);
    if (status != EM_OK)
        return "the choice failed";
    return check_world(&s->check, &s->world, &allowed, text);
}

static const char *check_after_recovery(sweep *s, const meddling *m, char *text)
{
    check_allowed allowed = allowed_after_recovery(s, m);
    const char *wrong = sweep_recover(s, text);
    bool foreign = m->who < FOREIGN_KINDS ? m->acted : m->who == SLOW_SAVE;
    if (wrong && foreign && scenario_is_of_several(s->scenario))
        return check_choice(s, allowed, text);
    if (s->scenario->in_place) { /* what is neither old nor new waits for a person */
        wrong = NULL;
        allowed.leniency |= CHECK_ROWS_MAY_STAY;
    }
    return wrong ? wrong : check_world(&s->check, &s->world, &allowed, text);
}

/* False when there was no such call of recovery. */
static bool meet_recovery(sweep *s, int who, long killed, long at)
{
    fault_sys f;
    char where[600], text[CHECK_TEXT];
    meddling m = {.scenario = s->scenario, .world = &s->world, .who = who, .fd = -1};
    if (!sweep_chooses(s))
        return true;
    m.bytes = bytes_of(s, who);
    if (!crash_change(s, crash_at(killed, false)))
        return false;
    crash_recover(s, (fault){.kind = FAULT_HOOK, .at = at, .hook = meddle, .context = &m}, &f);
    if (m.fd >= 0)
        foreign_finish(&em_sys_native, m.fd, m.bytes);
    snprintf(where, sizeof where, "killed before call %ld, %s before call %ld (%s) of recovery",
             killed, name_of(who), at, f.hit_what);
    if (f.hit)
        sweep_count(s, where, check_after_recovery(s, &m, text), s->run);
    fault_sys_drop(&f);
    return f.hit;
}

/* While a file that was written in place is restored, its window is open: there a writer is let in
 * before recovery only, and only one that leaves nothing of the mixture. */
static bool may_meet(const sweep *s, int who, long at)
{
    if (!s->thorough && (who == FOREIGN_APPEND || who == SLOW_SAVE))
        return false; /* less telling than FOREIGN_QUIET and FOREIGN_TRUNCATE */
    bool whole = who == FOREIGN_RENAME || who == FOREIGN_TRUNCATE || who == FOREIGN_REMOVE;
    return !s->scenario->in_place || who > SLOW_SAVE || (at == 1 && whole);
}

static void sweep_recovery(sweep *s, int who, long killed)
{
    fault_sys trace;
    if (!crash_change(s, crash_at(killed, false)))
        return;
    crash_recover(s, (fault){0}, &trace);
    for (long m = 1; crash_was_settled(&trace) && m <= trace.calls && !sweep_over(s); m++) {
        bool same = m > 1 && strstr(trace.trace[m - 1].what, EM_HISTORY_NAME) && !s->thorough;
        if (!same && may_meet(s, who, m) && !meet_recovery(s, who, killed, m))
            break;
    }
    fault_sys_drop(&trace);
}

/* ---- All of it ----------------------------------------------------------------------------- */

/* To a writer that takes no lock, before a call on the history is as good as after it; the others
 * look at the history themselves. */
static bool is_same_as_next(const sweep *s, const fault_sys *reference, int who, long n)
{
    const fault_trace *call = &reference->trace[n - 1];
    bool on_history = strstr(call->what, EM_HISTORY_NAME) != NULL;
    return who < OTHER_EMEND ? on_history && !s->thorough : sweep_spares(s, call);
}

static void sweep_changes(sweep *s)
{
    fault_sys reference;
    scenario_run run;
    if (s->scenario->world & WORLD_FOREIGN)
        return; /* it is one of the runs here */
    bool goes = sweep_reference(s, &reference, &run);
    window open = window_of(s->scenario, &reference);
    for (int who = 0; goes && who < MEDDLERS; who++) {
        if (s->quick && (who == FOREIGN_TRUNCATE || who == FOREIGN_APPEND || who == SLOW_SAVE))
            continue; /* less telling than FOREIGN_QUIET */
        if (who == FOREIGN_REMOVE && s->scenario->kind == SCENARIO_REMOVE)
            continue; /* nobody could tell who did it */
        check_expect(&s->check, other_of(who));
        for (long n = 1; n <= reference.calls && !sweep_over(s); n++) {
            if (sweep_wants(s, n) && !is_same_as_next(s, &reference, who, n))
                change_at(s, who, n, who < OTHER_EMEND && n >= open.first && n <= open.last);
            if (sweep_wants(s, n) && crash_sweeps_recovery(s) &&
                crash_is_new_beside_history(&reference, n))
                sweep_recovery(s, who, n);
        }
    }
    fault_sys_drop(&reference);
}

int main(int argc, char **argv)
{
    return sweep_main(argc, argv, "change", "met", sweep_changes);
}

/* sweep_error.c: every call of a change fails once, with every errno that fits.
 *
 * What must hold: a success means the new content, whole, with the file's mode, owner and
 * attributes; a failure means that nothing changed and that no stray name is left; and either way
 * recovery finds nothing that it could not settle, and the change can then be made.
 *
 * Then the same for every call of the recovery after a process that was killed: whatever fails
 * there, the next recovery settles it.
 */
#include "crash.h"
#include "history/history.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <string.h>

enum { MOST_ERRORS = 12, DRIP = 7, DRIP_OF_LARGE = 65521 };

static const int errors_of[FAULT_CALL_COUNT][MOST_ERRORS] = {
    [FAULT_ON_open] = {EIO, ENOMEM, EMFILE, EACCES, ENOSPC, EROFS, EINTR, ENFILE, EDQUOT, EPERM},
    [FAULT_ON_close] = {EIO, EINTR, ENOSPC, EDQUOT},
    [FAULT_ON_stat] = {EIO, ENOMEM, EACCES},
    [FAULT_ON_access] = {EACCES, EIO, EROFS, ENOMEM},
    [FAULT_ON_readlink] = {EIO, ENOMEM, EACCES},
    [FAULT_ON_read] = {EIO, EINTR, ENOMEM, EAGAIN},
    [FAULT_ON_write] = {EIO, ENOSPC, EINTR, EDQUOT, EFBIG, EAGAIN},
    [FAULT_ON_truncate] = {EIO, EINTR, ENOSPC},
    [FAULT_ON_reserve] = {ENOSPC, EOPNOTSUPP, EINTR, EIO, EFBIG},
    [FAULT_ON_map] = {ENOMEM, EACCES},
    [FAULT_ON_sync] = {EIO, EINTR, ENOSPC, EDQUOT, EROFS},
    [FAULT_ON_write_out] = {EIO, ENOSYS},
    [FAULT_ON_flush] = {EDQUOT, EINTR, EIO, ENOSPC, EMFILE},
    [FAULT_ON_chmod] = {EPERM, EIO, EROFS},
    [FAULT_ON_chown] = {EPERM, EIO, EDQUOT},
    [FAULT_ON_listxattr] = {EIO, ENOMEM, EACCES},
    [FAULT_ON_getxattr] = {EIO, ENOMEM, EACCES},
    [FAULT_ON_setxattr] = {EPERM, ENOSPC, EIO, EDQUOT, EOPNOTSUPP},
    [FAULT_ON_link] = {EIO, ENOSPC, EPERM, EDQUOT, EMLINK, EROFS},
    [FAULT_ON_unlink] = {EIO, EACCES, EBUSY, EROFS, EPERM},
    [FAULT_ON_rename] = {EIO, ENOSPC, EPERM, EDQUOT, EROFS, EBUSY},
    [FAULT_ON_mkdir] = {EIO, ENOSPC, EACCES, EDQUOT, EROFS, EMLINK},
    [FAULT_ON_list] = {EIO, ENOMEM, EACCES},
    [FAULT_ON_copy] = {EIO, ENOSPC, EINTR, EXDEV, EOPNOTSUPP, EDQUOT, ENOSYS},
    [FAULT_ON_clone] = {EOPNOTSUPP, EIO, ENOSPC, EXDEV, EINVAL, ENOTTY},
    [FAULT_ON_lock] = {EAGAIN, ENOLCK, EINTR, EIO},
    [FAULT_ON_locked] = {EIO, ENOLCK, EINTR},
    [FAULT_ON_cwd] = {ENOENT, EACCES, ENOMEM},
    [FAULT_ON_filesystem] = {EIO, ENOMEM, ENOSYS},
    [FAULT_ON_release] = {EFAULT},
    [FAULT_ON_random] = {EINTR, ENOSYS, EAGAIN},
    [FAULT_ON_clock] = {EINVAL},
    [FAULT_ON_sleep] = {EINTR, EINVAL},
};

/* Which of the errors above are tried in a short sweep; the others differ in name alone. */
enum { FEW_ERRORS = 3 };

typedef struct injection {
    fault fault;
    fault_call call;   /* that has the number; SQLite makes one more or less in some runs, and what
                        * is no error of that call says nothing */
    unsigned lasting;  /* a mode of the whole run instead: STUTTERS, DRIPS */
    em_status as_ever; /* what the change answers when nothing goes wrong */
    bool harmless;     /* the change must end as if it had not happened */
} injection;

enum { STUTTERS = 1, DRIPS = 2 };

static void describe(const injection *i, const fault_sys *f, char *out, size_t size)
{
    const char *what = i->fault.kind == FAULT_SHORT ? "one byte only"
                       : i->fault.kind == FAULT_END ? "an early end"
                                                    : strerrorname_np(i->fault.error);
    if (i->lasting)
        snprintf(out, size, "%s",
                 i->lasting == STUTTERS ? "EINTR all the time" : "short transfers");
    else
        snprintf(out, size, "call %ld, %s: %s%s", i->fault.at, f->hit_what, what,
                 i->fault.times > 1 ? ", for good" : "");
}

/* A file that ends early was truncated by somebody, who then has a right to find it so: what was
 * written in place stays, and an old file in its grace period is kept. */
static bool looks_like_somebody_else(const injection *i)
{
    return i->fault.kind == FAULT_END;
}

/* What the file may be after the answer. */
static check_allowed allowed_after(const sweep *s, const injection *i, const scenario_run *run)
{
    bool creates = s->scenario->kind == SCENARIO_CREATE;
    check_allowed allowed = {.commits = run->status == EM_OK};
    if (run->status == EM_OK)
        allowed.contents = CONTENT_NEW;
    else if (run->foreign)
        allowed.contents = CONTENT_FOREIGN;
    else
        allowed.contents = creates ? CONTENT_NONE : CONTENT_OLD;
    if (run->foreign)
        allowed.leniency |= CHECK_FACTS_MAY_DIFFER;
    if (looks_like_somebody_else(i)) {
        allowed.contents |= s->scenario->in_place ? CONTENT_NEW : 0U;
        allowed.commits = CHECK_COMMITS_BY_CONTENT;
        allowed.leniency |= s->scenario->grace_ms > 0 ? CHECK_STRAYS_MAY_STAY : 0U;
    }
    return allowed;
}

/* What happens after the answer (the end of a grace period) can no longer be told in it. */
static bool came_late(const sweep *s, const injection *i, const scenario_run *run)
{
    bool lasts = i->fault.times > 1 && s->scenario->grace_ms > 0;
    return run->status == EM_OK && (lasts || i->fault.at > run->answered_at);
}

/* What may be left until recovery: what a warning told of; rows of a change that failed. */
static unsigned leniency_until_recovery(const sweep *s, const injection *i, const scenario_run *run)
{
    if (run->status != EM_OK)
        return CHECK_NO_HISTORY; /* it is looked at after recovery */
    return run->warned || came_late(s, i, run) ? CHECK_STRAYS_MAY_STAY | CHECK_ROWS_MAY_STAY |
                                                     CHECK_HISTORY_MAY_LACK | CHECK_BACKUP_MAY_LACK
                                               : 0;
}

/* What cannot be removed either may stay when the answer names it: where the failure lasts, meets
 * the removal itself, or comes on top of a foreign save. */
static bool may_keep_stray(const injection *i, const fault_sys *f, const scenario_run *run)
{
    bool doubly = i->fault.times > 1 || f->hit_call == FAULT_ON_unlink || run->foreign;
    return doubly && run->status != EM_OK && strstr(run->detail, ".emend-") != NULL;
}

/* What should have undone the exchange failed too, because the failure lasts or comes on top of a
 * foreign save: then what was there must be kept under another name, and the answer must say so. */
static bool kept_aside(const sweep *s, const injection *i, const scenario_run *run)
{
    bool doubly = i->fault.times > 1 || run->foreign;
    em_slice was = run->foreign ? s->check.foreign : s->check.old;
    return doubly && run->status != EM_OK && run->status != EM_E_UNKNOWN && was.ptr &&
           check_content(&s->check, &s->world) == CONTENT_NEW &&
           check_holds_anywhere(&s->world, was) && strstr(run->detail, ".emend-") != NULL;
}

/* What became of several files is for recovery to find out where the sync at the commit point
 * failed, or taking back failed too. */
static const char *check_unknown(sweep *s, const injection *i, const fault_sys *f,
                                 const scenario_run *run, char *text)
{
    check_allowed allowed = {
        .contents = CONTENT_OLD | CONTENT_NEW | CONTENT_NONE,
        .leniency = CHECK_STRAYS_MAY_STAY | CHECK_NO_HISTORY | CHECK_FOLDERS_MAY_STAY |
                    CHECK_BACKUP_MAY_LACK,
        .others = OTHERS_ANY,
    };
    bool at_commit = f->hit_call == FAULT_ON_sync && strstr(f->hit_what, "journal");
    if (!at_commit && i->fault.times <= 1 && !run->foreign)
        return "it could not be taken back";
    if (!strstr(run->detail, "emend recover"))
        return "the answer does not say what to do";
    if (run->foreign)
        allowed.contents |= CONTENT_FOREIGN;
    return check_world(&s->check, &s->world, &allowed, text);
}

static const char *check_answer(sweep *s, const injection *i, const fault_sys *f,
                                const scenario_run *run, char *text)
{
    check_allowed allowed = allowed_after(s, i, run);
    if (run->status == EM_E_UNKNOWN)
        return check_unknown(s, i, f, run, text);
    bool failed = i->fault.kind == FAULT_ERROR && i->fault.error != EINTR;
    bool sync_failed = failed && f->hit_call == FAULT_ON_sync;
    if (i->harmless && run->status != i->as_ever)
        return "it should have made no difference";
    if (sync_failed && run->status == EM_OK && !run->warned && !came_late(s, i, run))
        return "a sync failed, and the answer did not tell";
    if (failed && run->status == EM_E_CONFLICT && !run->foreign)
        return "a failure of the system was answered as somebody else's doing";
    allowed.leniency |= leniency_until_recovery(s, i, run);
    if (may_keep_stray(i, f, run))
        allowed.leniency |= CHECK_STRAYS_MAY_STAY;
    return check_world(&s->check, &s->world, &allowed, text);
}

/* A change that failed can be made afterwards: nothing stands in its way. */
static const char *check_again(sweep *s)
{
    fault_sys f;
    scenario_run run;
    scenario_fault_sys(s->scenario, &s->world, &f, &em_sys_native);
    scenario_change(s->scenario, &s->world, &f, &run);
    fault_sys_drop(&f);
    return run.status == EM_OK ? NULL : "the change could not be made afterwards";
}

static const char *check_recovered(sweep *s, const injection *i, const scenario_run *run,
                                   bool aside, char *text)
{
    check_allowed allowed = allowed_after(s, i, run);
    if (aside && !run->foreign) { /* the new content is there and whole: recovery finishes */
        allowed.contents = CONTENT_NEW;
        allowed.commits = 1;
    }
    if (run->status == EM_E_UNKNOWN) {
        allowed.contents |= run->foreign ? 0U : CONTENT_NEW;
        allowed.commits = CHECK_COMMITS_BY_CONTENT;
    }
    const char *wrong = sweep_recover(s, text);
    if (!wrong)
        wrong = check_world(&s->check, &s->world, &allowed, text);
    bool again = s->thorough && !(s->scenario->world & WORLD_FOREIGN);
    if (!wrong && again && check_content(&s->check, &s->world) != CONTENT_NEW)
        wrong = check_again(s);
    return wrong;
}

static void inject(sweep *s, const injection *i)
{
    fault_sys f;
    scenario_run run;
    char where[512], text[CHECK_TEXT];
    if (!sweep_chooses(s))
        return;
    sweep_build(s);
    scenario_fault_sys(s->scenario, &s->world, &f, &em_sys_native);
    f.fault = i->fault;
    f.stutters = i->lasting == STUTTERS;
    if (i->lasting == DRIPS)
        f.transfer = s->scenario->size ? DRIP_OF_LARGE : DRIP;
    scenario_change(s->scenario, &s->world, &f, &run);
    if (i->lasting || (f.hit && f.hit_call == i->call)) {
        bool aside = kept_aside(s, i, &run);
        const char *wrong = aside ? NULL : check_answer(s, i, &f, &run, text);
        describe(i, &f, where, sizeof where);
        if (!wrong)
            wrong = check_recovered(s, i, &run, aside, text);
        sweep_count(s, where, wrong, &run);
    }
    fault_sys_drop(&f);
}

/* Errors that stay once they are there: a full disk, no descriptors, a lock that is not given. */
static bool can_last(fault_call call, int error)
{
    return error == ENOSPC || error == EMFILE || error == EAGAIN ||
           (error == EIO && (call == FAULT_ON_sync || call == FAULT_ON_read));
}

static void inject_errors(sweep *s, const fault_trace *trace, injection i)
{
    fault_call call = trace->call;
    int few = s->quick || sweep_spares(s, trace) ? 1 : FEW_ERRORS;
    i.fault.kind = FAULT_ERROR;
    for (int e = 0; e < MOST_ERRORS && errors_of[call][e] && !sweep_over(s); e++) {
        if (e >= few && !s->thorough && errors_of[call][e] != EINTR)
            continue;
        i.fault.error = errors_of[call][e];
        i.harmless = i.fault.error == EINTR && fault_interruptible(call);
        i.fault.times = 1;
        inject(s, &i);
        i.fault.times = LONG_MAX;
        if (can_last(call, i.fault.error) && few > 1)
            inject(s, &i);
    }
}

static void inject_at(sweep *s, const fault_trace *trace, injection i)
{
    fault_call call = trace->call;
    bool moves = call == FAULT_ON_read || call == FAULT_ON_write || call == FAULT_ON_copy;
    i.call = call;
    inject_errors(s, trace, i);
    i.fault.times = 1;
    if (moves && !sweep_over(s)) {
        i.fault.kind = FAULT_SHORT;
        i.harmless = true;
        inject(s, &i);
    }
    if (moves && call != FAULT_ON_write && !sweep_over(s)) {
        i.fault.kind = FAULT_END;
        i.harmless = false;
        inject(s, &i);
    }
}

/* ---- Errors in recovery -------------------------------------------------------------------- */

static void inject_in_recovery(sweep *s, const char *where, fault end, fault with)
{
    char both[600];
    fault_sys f;
    if (!sweep_chooses(s) || !crash_change(s, end))
        return;
    crash_recover(s, with, &f);
    snprintf(both, sizeof both, "%s, call %ld (%s) of recovery: %s", where, with.at, f.hit_what,
             strerrorname_np(with.error));
    if (f.hit)
        crash_settle(s, both);
    fault_sys_drop(&f);
}

/* How many of its errors a call of recovery meets: of the calls on the history, in a short sweep,
 * those that write to it meet one. */
static int errors_in_recovery(const sweep *s, const fault_trace *call)
{
    bool writes = call->changed || call->call == FAULT_ON_sync;
    if (s->thorough)
        return MOST_ERRORS;
    if (strstr(call->what, EM_HISTORY_NAME))
        return writes ? 1 : 0;
    return 2;
}

/* Interrupted all the time, recovery does what it does otherwise. */
static void stutter_in_recovery(sweep *s, const char *where, fault end)
{
    char both[400];
    fault_sys f;
    em_error err = EM_ERROR_INIT;
    if (!crash_change(s, end))
        return;
    scenario_fault_sys(s->scenario, &s->world, &f, &em_sys_native);
    f.stutters = true;
    if (scenario_recover(s->scenario, &s->world, &f, &err) != EM_OK)
        sweep_count(s, where, err.detail, s->run);
    fault_sys_drop(&f);
    snprintf(both, sizeof both, "%s, EINTR all the time in recovery", where);
    crash_settle(s, both);
}

static void sweep_recovery(sweep *s, const char *where, fault end)
{
    fault_sys trace;
    stutter_in_recovery(s, where, end);
    if (!crash_change(s, end))
        return;
    crash_recover(s, (fault){0}, &trace);
    for (long m = 1; crash_was_settled(&trace) && m <= trace.calls && !sweep_over(s); m++) {
        const fault_trace *call = &trace.trace[m - 1];
        int most = errors_in_recovery(s, call);
        for (int e = 0; e < most && errors_of[call->call][e]; e++)
            inject_in_recovery(
                s, where, end,
                (fault){.kind = FAULT_ERROR, .at = m, .error = errors_of[call->call][e]});
    }
    fault_sys_drop(&trace);
}

static void sweep_recoveries(sweep *s, const fault_sys *reference)
{
    for (long n = 1; n <= reference->calls && !sweep_over(s); n++) {
        char where[256];
        if (!sweep_wants(s, n) || !crash_is_new_beside_history(reference, n))
            continue;
        snprintf(where, sizeof where, "killed before call %ld (%s)", n,
                 reference->trace[n - 1].what);
        sweep_recovery(s, where, crash_at(n, false));
    }
}

/* ---- The sweep ----------------------------------------------------------------------------- */

static void sweep_errors(sweep *s)
{
    fault_sys reference;
    scenario_run run;
    bool goes = sweep_reference(s, &reference, &run);
    injection i = {.as_ever = run.status};
    for (long n = 1; goes && n <= reference.calls && !sweep_over(s); n++) {
        i.fault.at = n;
        if (sweep_wants(s, n))
            inject_at(s, &reference.trace[n - 1], i);
    }
    injection lasting = {.as_ever = run.status, .harmless = true};
    for (unsigned mode = STUTTERS; goes && mode <= DRIPS && s->at == 0 && !sweep_over(s); mode++) {
        lasting.lasting = mode;
        inject(s, &lasting);
    }
    if (goes && crash_sweeps_recovery(s))
        sweep_recoveries(s, &reference);
    fault_sys_drop(&reference);
}

int main(int argc, char **argv)
{
    return sweep_main(argc, argv, "error", "injected", sweep_errors);
}

/* sweep_error.c: every call of a change fails once, with every errno that fits.
 *
 * What must hold: a success means the new content, whole, with the file's mode, owner and
 * attributes; a failure means that nothing changed and that no stray name is left; and either way
 * recovery finds nothing that it could not settle, and the change can then be made.
 */
#include "sweep.h"

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
    [FAULT_ON_sync] = {EIO, EINTR, ENOSPC, EDQUOT, EROFS},
    [FAULT_ON_chmod] = {EPERM, EIO, EROFS},
    [FAULT_ON_chown] = {EPERM, EIO, EDQUOT},
    [FAULT_ON_listxattr] = {EIO, ENOMEM, EACCES},
    [FAULT_ON_getxattr] = {EIO, ENOMEM, EACCES},
    [FAULT_ON_setxattr] = {EPERM, ENOSPC, EIO, EDQUOT, EOPNOTSUPP},
    [FAULT_ON_link] = {EIO, ENOSPC, EPERM, EDQUOT, EMLINK, EROFS},
    [FAULT_ON_unlink] = {EIO, EACCES, EBUSY, EROFS, EPERM},
    [FAULT_ON_rename] = {EIO, ENOSPC, EPERM, EDQUOT, EROFS, EBUSY},
    [FAULT_ON_mkdir] = {EIO, ENOSPC, EACCES, EDQUOT, EROFS, EMLINK},
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

/* What the file may be after the answer. */
static check_allowed allowed_after(const sweep *s, const scenario_run *run)
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
    return allowed;
}

/* What happens after the answer (the end of a grace period) can no longer be told in it. */
static bool came_late(const injection *i, const scenario_run *run)
{
    return run->status == EM_OK && i->fault.at > run->answered_at;
}

/* What may be left until recovery: what a warning told of; rows of a change that failed. */
static unsigned leniency_until_recovery(const injection *i, const scenario_run *run)
{
    if (run->status != EM_OK)
        return CHECK_ROWS_MAY_STAY;
    return run->warned || came_late(i, run)
               ? CHECK_STRAYS_MAY_STAY | CHECK_ROWS_MAY_STAY | CHECK_HISTORY_MAY_LACK
               : 0;
}

/* What cannot be removed either, because the failure lasts or meets the removal itself, may stay
 * when the answer names it. */
static bool tells_of_stray(const scenario_run *run)
{
    return run->status != EM_OK && strstr(run->detail, ".emend-") != NULL;
}

/* The foreign save came between, and then what should have undone the exchange failed too: the
 * foreign bytes must be kept under another name, and the answer must say so. */
static bool kept_aside(const sweep *s, const scenario_run *run)
{
    return run->foreign && run->status != EM_OK &&
           check_content(&s->check, &s->world) == CONTENT_NEW &&
           check_holds_anywhere(&s->world, s->check.foreign) && tells_of_stray(run);
}

static const char *check_answer(sweep *s, const injection *i, const fault_sys *f,
                                const scenario_run *run, char *text)
{
    check_allowed allowed = allowed_after(s, run);
    bool sync_failed =
        i->fault.kind == FAULT_ERROR && i->fault.error != EINTR && f->hit_call == FAULT_ON_sync;
    if (i->harmless && run->status != i->as_ever)
        return "it should have made no difference";
    if (sync_failed && run->status == EM_OK && !run->warned && !came_late(i, run))
        return "a sync failed, and the answer did not tell";
    allowed.leniency |= leniency_until_recovery(i, run);
    if (tells_of_stray(run) && (i->fault.times > 1 || f->hit_call == FAULT_ON_unlink))
        allowed.leniency |= CHECK_STRAYS_MAY_STAY;
    return kept_aside(s, run) ? NULL : check_world(&s->check, &s->world, &allowed, text);
}

static const char *check_recovered(sweep *s, const scenario_run *run, char *text)
{
    check_allowed allowed = allowed_after(s, run);
    const char *wrong = sweep_recover(s, text);
    return wrong ? wrong : check_world(&s->check, &s->world, &allowed, text);
}

/* True when the fault met a call, so that there may be another one behind it. */
static bool inject(sweep *s, const injection *i)
{
    fault_sys f;
    scenario_run run;
    char where[512], text[CHECK_TEXT];
    sweep_build(s);
    scenario_fault_sys(s->scenario, &s->world, &f, &em_sys_native);
    f.fault = i->fault;
    f.stutters = i->lasting == STUTTERS;
    if (i->lasting == DRIPS)
        f.transfer = s->scenario->size ? DRIP_OF_LARGE : DRIP;
    scenario_change(s->scenario, &s->world, &f, &run);
    bool hit = f.hit || i->lasting;
    if (hit) {
        const char *wrong = check_answer(s, i, &f, &run, text);
        describe(i, &f, where, sizeof where);
        if (!wrong)
            wrong = check_recovered(s, &run, text);
        sweep_count(s, where, wrong, &run);
    }
    fault_sys_drop(&f);
    return hit;
}

/* Errors that stay once they are there: a full disk, no descriptors, a lock that is not given. */
static bool can_last(fault_call call, int error)
{
    return error == ENOSPC || error == EMFILE || error == EAGAIN ||
           (error == EIO && (call == FAULT_ON_sync || call == FAULT_ON_read));
}

static void inject_errors(sweep *s, fault_call call, injection i)
{
    i.fault.kind = FAULT_ERROR;
    for (int e = 0; e < MOST_ERRORS && errors_of[call][e] && !sweep_over(s); e++) {
        if (e >= FEW_ERRORS && !s->thorough && errors_of[call][e] != EINTR)
            continue;
        i.fault.error = errors_of[call][e];
        i.harmless = i.fault.error == EINTR && fault_interruptible(call);
        i.fault.times = 1;
        inject(s, &i);
        i.fault.times = LONG_MAX;
        if (can_last(call, i.fault.error))
            inject(s, &i);
    }
}

static void inject_at(sweep *s, fault_call call, injection i)
{
    bool moves = call == FAULT_ON_read || call == FAULT_ON_write || call == FAULT_ON_copy;
    inject_errors(s, call, i);
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

static void sweep_errors(sweep *s)
{
    fault_sys reference;
    scenario_run run;
    bool goes = sweep_reference(s, &reference, &run);
    injection i = {.as_ever = run.status};
    for (long n = 1; goes && n <= reference.calls && !sweep_over(s); n++) {
        i.fault.at = n;
        if (sweep_wants(s, n))
            inject_at(s, reference.trace[n - 1].call, i);
    }
    injection lasting = {.as_ever = run.status, .harmless = true};
    for (unsigned mode = STUTTERS; goes && mode <= DRIPS && s->at == 0 && !sweep_over(s); mode++) {
        lasting.lasting = mode;
        inject(s, &lasting);
    }
    fault_sys_drop(&reference);
}

int main(int argc, char **argv)
{
    return sweep_main(argc, argv, "error", "injected", sweep_errors);
}

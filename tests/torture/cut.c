/* cut.c: runs a command up to one of its system calls and takes the power away there.
 *
 *   cut --mount FOLDER --how flushed|lost|kill|none --at N [--no-sync] [--report FILE] --
 * COMMAND...
 *
 * Counted are the calls that change or sync what is on a disk, of all threads. Before the N-th is
 * begun the file system that FOLDER is on is shut down (`flushed`: its log is written out before,
 * what only memory had of files is gone; `lost`: nothing is written out), and the command killed.
 * One that ends before gets the cut at its end, so that what it answered can be held against it.
 * `kill` only kills; `none` only counts.
 *
 * --no-sync is the red control: every sync is answered with success and not made.
 *
 * The report is a line: `N calls, ended S` or `N calls, cut`. Exit status: 0, or 2 where something
 * could not be done. It knows nothing of emend. */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

/* The same number in ext4 and XFS; no header for programs has it. */
#define FS_SHUTDOWN _IOR('X', 125, uint32_t)

typedef enum how { CUT_FLUSHED = 1, CUT_LOST = 2, CUT_KILL, CUT_NONE } how;

typedef struct job {
    const char *mount, *report;
    char **command;
    how how;
    long at;
    bool no_sync;
} job;

typedef struct state {
    const job *job;
    int mount;
    pid_t child;
    long calls;
    bool is_cut;
    int status;
} state;

static _Noreturn void give_up(const char *what)
{
    fprintf(stderr, "cut: %s: %s\n", what, strerror(errno));
    exit(2);
}

static bool is_sync(uint64_t nr)
{
    return nr == SYS_fsync || nr == SYS_fdatasync || nr == SYS_sync || nr == SYS_syncfs ||
           nr == SYS_sync_file_range;
}

static bool changes_disk(uint64_t nr)
{
    static const long changing[] = {
        SYS_write,           SYS_writev,    SYS_pwrite64,  SYS_pwritev,   SYS_pwritev2,
        SYS_copy_file_range, SYS_ftruncate, SYS_truncate,  SYS_linkat,    SYS_renameat,
        SYS_renameat2,       SYS_unlinkat,  SYS_mkdirat,   SYS_fallocate, SYS_fchmod,
        SYS_fchown,          SYS_fsetxattr, SYS_utimensat, SYS_fchmodat,  SYS_fchownat,
#ifdef SYS_rename
        SYS_rename,          SYS_unlink,    SYS_mkdir,     SYS_rmdir,     SYS_link,
        SYS_chmod,
#endif
    };
    for (size_t i = 0; i < sizeof changing / sizeof *changing; i++)
        if ((uint64_t)changing[i] == nr)
            return true;
    return is_sync(nr);
}

static void take_power(state *s)
{
    uint32_t flags = (uint32_t)s->job->how;
    if ((s->job->how == CUT_FLUSHED || s->job->how == CUT_LOST) &&
        ioctl(s->mount, FS_SHUTDOWN, &flags) != 0)
        give_up("shutdown of the file system");
}

/* A call that cannot fail in place of the sync; its result is replaced when it is back. */
static void skip_sync(pid_t thread, bool is_entry)
{
#if defined(__x86_64__)
    struct user_regs_struct regs;
    if (ptrace(PTRACE_GETREGS, thread, NULL, &regs) != 0)
        give_up("registers");
    if (is_entry)
        regs.orig_rax = SYS_getpid;
    else
        regs.rax = 0;
    if (ptrace(PTRACE_SETREGS, thread, NULL, &regs) != 0)
        give_up("registers");
#else
    (void)thread;
    (void)is_entry;
    errno = ENOSYS;
    give_up("--no-sync on this processor");
#endif
}

/* Every thread has at most one sync under way; there are few threads. */
enum { MAX_SKIPPED = 16 };
static void note_skipped(pid_t skipped[MAX_SKIPPED], pid_t from, pid_t to)
{
    for (int i = 0; i < MAX_SKIPPED; i++)
        if (skipped[i] == from) {
            skipped[i] = to;
            return;
        }
}

static bool is_skipped(const pid_t skipped[MAX_SKIPPED], pid_t thread)
{
    for (int i = 0; i < MAX_SKIPPED; i++)
        if (skipped[i] == thread)
            return true;
    return false;
}

static void at_call(state *s, pid_t thread, pid_t skipped[MAX_SKIPPED])
{
    struct __ptrace_syscall_info info;
    if (ptrace(PTRACE_GET_SYSCALL_INFO, thread, sizeof info, &info) <= 0)
        return; /* it was killed meanwhile */
    if (info.op == PTRACE_SYSCALL_INFO_EXIT && is_skipped(skipped, thread)) {
        skip_sync(thread, false);
        note_skipped(skipped, thread, 0);
    }
    if (info.op != PTRACE_SYSCALL_INFO_ENTRY || !changes_disk(info.entry.nr))
        return;
    if (++s->calls == s->job->at && s->job->how != CUT_NONE) {
        s->is_cut = true;
        take_power(s);
        kill(s->child, SIGKILL);
    } else if (s->job->no_sync && is_sync(info.entry.nr)) {
        note_skipped(skipped, 0, thread);
        skip_sync(thread, true);
    }
}

/* Until the command has ended. */
static void follow(state *s)
{
    pid_t skipped[MAX_SKIPPED] = {0};
    int status;
    for (pid_t thread; (thread = waitpid(-1, &status, __WALL)) > 0;) {
        if (WIFEXITED(status) || WIFSIGNALED(status)) {
            if (thread == s->child)
                s->status = WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
            continue;
        }
        int deliver = 0;
        if (WSTOPSIG(status) == (SIGTRAP | 0x80))
            at_call(s, thread, skipped);
        else if (status >> 16 == 0 && WSTOPSIG(status) != SIGSTOP)
            deliver = WSTOPSIG(status);
        ptrace(PTRACE_SYSCALL, thread, NULL, (void *)(intptr_t)deliver);
    }
    if (errno != ECHILD)
        give_up("wait");
}

static void start(state *s)
{
    s->child = fork();
    if (s->child < 0)
        give_up("fork");
    if (s->child == 0) {
        ptrace(PTRACE_TRACEME, 0, NULL, NULL);
        raise(SIGSTOP);
        execvp(s->job->command[0], s->job->command);
        _exit(127);
    }
    int status;
    if (waitpid(s->child, &status, 0) != s->child || !WIFSTOPPED(status))
        give_up("start");
    const long options = PTRACE_O_TRACESYSGOOD | PTRACE_O_EXITKILL | PTRACE_O_TRACECLONE |
                         PTRACE_O_TRACEFORK | PTRACE_O_TRACEVFORK | PTRACE_O_TRACEEXEC;
    if (ptrace(PTRACE_SETOPTIONS, s->child, NULL, (void *)options) != 0 ||
        ptrace(PTRACE_SYSCALL, s->child, NULL, NULL) != 0)
        give_up("trace");
}

static how how_of(const char *word)
{
    static const char *const words[] = {"flushed", "lost", "kill", "none"};
    for (int i = 0; i < 4; i++)
        if (strcmp(word, words[i]) == 0)
            return (how)(i + 1);
    errno = EINVAL;
    give_up(word);
}

static job job_of(char **words)
{
    job j = {.mount = "/", .report = "/dev/stdout", .how = CUT_NONE, .at = -1};
    for (; *words && strcmp(*words, "--") != 0; words++) {
        if (strcmp(*words, "--no-sync") == 0) {
            j.no_sync = true;
            continue;
        }
        const char *name = *words, *value = words[1];
        errno = EINVAL;
        if (!value)
            give_up(name);
        words++;
        if (strcmp(name, "--mount") == 0)
            j.mount = value;
        else if (strcmp(name, "--report") == 0)
            j.report = value;
        else if (strcmp(name, "--how") == 0)
            j.how = how_of(value);
        else if (strcmp(name, "--at") == 0)
            j.at = strtol(value, NULL, 10);
        else
            give_up(name);
    }
    errno = EINVAL;
    if (!*words || !words[1])
        give_up("no command");
    j.command = words + 1;
    return j;
}

int main(int argc, char **argv)
{
    (void)argc;
    job j = job_of(argv + 1);
    state s = {.job = &j, .mount = open(j.mount, O_RDONLY | O_DIRECTORY | O_CLOEXEC)};
    if (s.mount < 0)
        give_up(j.mount);
    FILE *report = fopen(j.report, "we");
    if (!report)
        give_up(j.report);
    start(&s);
    follow(&s);
    if (s.is_cut) {
        fprintf(report, "%ld calls, cut\n", s.calls);
    } else {
        take_power(&s);
        fprintf(report, "%ld calls, ended %d\n", s.calls, s.status);
    }
    return fclose(report) == 0 ? 0 : 2;
}

/* seccomp.c: the wall around system calls.
 *
 * A list of what is refused, not of what is allowed: which calls the C library makes for a given
 * function differs between its versions, and a call that was forgotten on a list of allowed ones
 * fails on somebody else's machine. What is newer than this file is answered as by an older kernel
 * (ENOSYS), which every library has to expect.
 *
 * libseccomp would write the same program. Loading it and building with it takes 0.3 ms of a start
 * that takes 1.5 ms in all, so the program is written here: the numbers, sorted, become a tree of
 * comparisons. (The kernel runs it once for every number there is; a plain list takes it 0.2 ms.)
 *
 * Errors, not kills: a library that probes for something goes on without it.
 */
#include "sandbox/walls.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>

/* Machines whose clone(2) has its flags first, and whose calls are those of the table below. */
#if defined(__x86_64__)
#define MACHINE AUDIT_ARCH_X86_64
#elif defined(__aarch64__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
#define MACHINE AUDIT_ARCH_AARCH64
#elif defined(__riscv) && __riscv_xlen == 64
#define MACHINE AUDIT_ARCH_RISCV64
#endif

#ifdef MACHINE

/* ---- What is refused ----------------------------------------------------------------------- */

typedef enum verdict {
    ALLOWED,
    REFUSED,     /* EPERM */
    ABSENT,      /* ENOSYS: the C library has another way */
    TO_OTHERS,   /* unless the first argument is this process */
    FOR_OTHERS,  /* the same, where 0 is this process too */
    FOR_THREADS, /* clone: unless it makes a thread */
    NO_PATH,     /* unless the second argument is NULL: then the first is a descriptor */
    NO_ADDRESS,  /* unless the fifth is: then it is a write to whom the socket is connected with */
    NO_TYPING,   /* ioctl: unless it puts words into a terminal's mouth */
    NOT_BOTH,    /* mmap, mprotect: unless memory would be writable and executable */
    VERDICTS,
} verdict;

typedef struct row {
    int number;
    verdict verdict;
    bool network; /* not where the policy has a network: sockets that are open */
    bool strict;  /* not in a relaxed build */
} row;

#define CALL(name, verdict)                                                                        \
    {                                                                                              \
        SYS_##name, (verdict), false, false                                                        \
    }
#define NETWORK(name)                                                                              \
    {                                                                                              \
        SYS_##name, REFUSED, true, false                                                           \
    }
#define STRICT(name, verdict)                                                                      \
    {                                                                                              \
        SYS_##name, (verdict), false, true                                                         \
    }

static const row refused[] = {
    /* programs and processes */
    STRICT(execve, REFUSED),
    STRICT(execveat, REFUSED),
    STRICT(clone, FOR_THREADS),
    STRICT(clone3, ABSENT), /* its flags are behind a pointer; clone(2) is tried next */
#ifdef SYS_fork
    STRICT(fork, REFUSED),
    STRICT(vfork, REFUSED),
#endif

    /* other processes */
    STRICT(ptrace, REFUSED),
    CALL(process_vm_readv, REFUSED),
    CALL(process_vm_writev, REFUSED),
    CALL(process_madvise, REFUSED),
    {EM_NR_PROCESS_MRELEASE, REFUSED, false, false},
    CALL(kcmp, REFUSED),
    CALL(pidfd_open, REFUSED),
    CALL(pidfd_getfd, REFUSED),
    CALL(pidfd_send_signal, REFUSED),
    CALL(kill, TO_OTHERS),
    CALL(tkill, REFUSED),
    CALL(tgkill, TO_OTHERS),
    CALL(rt_sigqueueinfo, REFUSED),
    CALL(rt_tgsigqueueinfo, REFUSED),
    CALL(prlimit64, FOR_OTHERS),

    /* the network; also through sockets that standard input and output may be. A server keeps the
     * socket that it listens on, and has those that come out of it: it makes and connects none. */
    CALL(socket, REFUSED),
    CALL(socketpair, REFUSED),
    CALL(bind, REFUSED),
    CALL(listen, REFUSED),
    CALL(connect, REFUSED),
    NETWORK(accept),
    NETWORK(accept4),
    {SYS_sendto, NO_ADDRESS, true, false},
    NETWORK(sendmsg),
    NETWORK(sendmmsg),
    NETWORK(recvfrom),
    NETWORK(recvmsg),
    NETWORK(recvmmsg),

    /* ways around this filter, and into the kernel */
    CALL(io_uring_setup, REFUSED),
    CALL(io_uring_enter, REFUSED),
    CALL(io_uring_register, REFUSED),
    CALL(bpf, REFUSED),
    CALL(perf_event_open, REFUSED),
    CALL(userfaultfd, REFUSED),
    CALL(keyctl, REFUSED),
    CALL(add_key, REFUSED),
    CALL(request_key, REFUSED),
    CALL(memfd_create, REFUSED),
    {EM_NR_MEMFD_SECRET, REFUSED, false, false},
    CALL(personality, REFUSED),
    CALL(mmap, NOT_BOTH),
    CALL(mprotect, NOT_BOTH),
    CALL(pkey_mprotect, NOT_BOTH),
    CALL(ioctl, NO_TYPING),

    /* files by other ways than their paths, other kinds of files, and what Landlock lets through:
     * attributes by path */
    CALL(name_to_handle_at, REFUSED),
    CALL(open_by_handle_at, REFUSED),
    CALL(fanotify_init, REFUSED),
    CALL(symlinkat, REFUSED),
    CALL(mknodat, REFUSED),
    CALL(fchmodat, REFUSED),
    {EM_NR_FCHMODAT2, REFUSED, false, false},
    CALL(fchownat, REFUSED),
    CALL(utimensat, NO_PATH),
    CALL(truncate, REFUSED),
    CALL(setxattr, REFUSED),
    CALL(lsetxattr, REFUSED),
    {EM_NR_SETXATTRAT, REFUSED, false, false},
    CALL(removexattr, REFUSED),
    CALL(lremovexattr, REFUSED),
    {EM_NR_REMOVEXATTRAT, REFUSED, false, false},
#ifdef SYS_symlink
    CALL(symlink, REFUSED),
    CALL(mknod, REFUSED),
    CALL(chmod, REFUSED),
    CALL(chown, REFUSED),
    CALL(lchown, REFUSED),
    CALL(utime, REFUSED),
    CALL(utimes, REFUSED),
    CALL(futimesat, REFUSED),
#endif

    /* who it is, and where */
    CALL(setuid, REFUSED),
    CALL(setgid, REFUSED),
    CALL(setreuid, REFUSED),
    CALL(setregid, REFUSED),
    CALL(setresuid, REFUSED),
    CALL(setresgid, REFUSED),
    CALL(setfsuid, REFUSED),
    CALL(setfsgid, REFUSED),
    CALL(setgroups, REFUSED),
    CALL(capset, REFUSED),
    CALL(unshare, REFUSED),
    CALL(setns, REFUSED),
    CALL(chroot, REFUSED),
    CALL(pivot_root, REFUSED),
    CALL(mount, REFUSED),
    CALL(umount2, REFUSED),
    CALL(move_mount, REFUSED),
    CALL(open_tree, REFUSED),
    {EM_NR_OPEN_TREE_ATTR, REFUSED, false, false},
    CALL(fsopen, REFUSED),
    CALL(fsconfig, REFUSED),
    CALL(fsmount, REFUSED),
    CALL(fspick, REFUSED),
    {EM_NR_MOUNT_SETATTR, REFUSED, false, false},

    /* the machine */
    CALL(init_module, REFUSED),
    CALL(finit_module, REFUSED),
    CALL(delete_module, REFUSED),
#ifdef SYS_kexec_load
    CALL(kexec_load, REFUSED),
#endif
#ifdef SYS_kexec_file_load
    CALL(kexec_file_load, REFUSED),
#endif
    CALL(reboot, REFUSED),
    CALL(swapon, REFUSED),
    CALL(swapoff, REFUSED),
    CALL(quotactl, REFUSED),
    {EM_NR_QUOTACTL_FD, REFUSED, false, false},
    CALL(acct, REFUSED),
    CALL(syslog, REFUSED),
    CALL(vhangup, REFUSED),
    CALL(settimeofday, REFUSED),
    CALL(clock_settime, REFUSED),
    CALL(adjtimex, REFUSED),
    CALL(clock_adjtime, REFUSED),
    CALL(sethostname, REFUSED),
    CALL(setdomainname, REFUSED),
#ifdef SYS_iopl
    CALL(iopl, REFUSED),
    CALL(ioperm, REFUSED),
    CALL(modify_ldt, REFUSED),
#endif
};

enum { ROWS = sizeof refused / sizeof *refused };

/* ---- Writing the program ------------------------------------------------------------------- */

/* Numbers in a row with one verdict. */
typedef struct run {
    uint32_t first, last;
    verdict verdict;
} run;

/* A comparison that goes to what a verdict is written as, when it holds or when it does not. The
 * verdicts are written once each, behind the tree: what the kernel does with a program at every
 * start takes as long as the program is. */
typedef struct leap {
    size_t jump;
    bool holds;
    verdict to;
} leap;

enum { LEAPS = 2 * (ROWS + 1) };

typedef struct filter {
    struct sock_filter *code;
    size_t length;
    uint32_t own;   /* the number of this process */
    run runs[ROWS]; /* sorted */
    size_t run_count;
    leap leaps[LEAPS];
    size_t leap_count;
} filter;

static void put(filter *f, unsigned code, uint32_t value)
{
    f->code[f->length++] = (struct sock_filter)BPF_STMT((uint16_t)code, value);
}

static void put_answer(filter *f, int error)
{
    put(f, BPF_RET | BPF_K,
        error ? SECCOMP_RET_ERRNO | ((uint32_t)error & SECCOMP_RET_DATA) : SECCOMP_RET_ALLOW);
}

/* A comparison with the value at hand. Where it holds or not, what comes next is run; land_if() and
 * land_unless() then let one of the two jump to where they are called. */
static size_t put_jump(filter *f, unsigned code, uint32_t value)
{
    put(f, BPF_JMP | BPF_K | code, value);
    return f->length - 1;
}

static uint8_t distance_from(const filter *f, size_t jump)
{
    return (uint8_t)(f->length - jump - 1);
}

static void land_if(filter *f, size_t jump)
{
    f->code[jump].jt = distance_from(f, jump);
}

static void land_unless(filter *f, size_t jump)
{
    f->code[jump].jf = distance_from(f, jump);
}

/* Half of an argument; the low one comes first on all machines above. */
static void load_argument(filter *f, unsigned index, bool high)
{
    size_t at = offsetof(struct seccomp_data, args) + index * sizeof(uint64_t);
    put(f, BPF_LD | BPF_W | BPF_ABS, (uint32_t)(at + (high ? sizeof(uint32_t) : 0)));
}

/* Where the value at hand is `value`, the answer is `error`; else go on. */
static void answer_if(filter *f, uint32_t value, int error)
{
    size_t jump = put_jump(f, BPF_JEQ, value);
    put_answer(f, error);
    land_unless(f, jump);
}

/* A pointer in the argument must be NULL. */
static void put_unless_null(filter *f, unsigned index)
{
    for (int half = 0; half < 2; half++) {
        load_argument(f, index, half == 1);
        size_t jump = put_jump(f, BPF_JEQ, 0);
        put_answer(f, EPERM);
        land_if(f, jump);
    }
    put_answer(f, 0);
}

/* The first argument must be our own process, or 0 where that stands for it. */
static void put_unless_own(filter *f, bool zero_is_own)
{
    load_argument(f, 0, false);
    answer_if(f, f->own, 0);
    if (zero_is_own)
        answer_if(f, 0, 0);
    put_answer(f, EPERM);
}

/* By whether all of the bits are set in the argument. */
static void put_by_bits(filter *f, unsigned index, uint32_t bits, int if_set, int otherwise)
{
    load_argument(f, index, false);
    put(f, BPF_ALU | BPF_AND | BPF_K, bits);
    answer_if(f, bits, if_set);
    put_answer(f, otherwise);
}

static void put_no_typing(filter *f)
{
    load_argument(f, 1, false);
    answer_if(f, TIOCSTI, EPERM);
    answer_if(f, TIOCLINUX, EPERM);
    put_answer(f, 0);
}

static void put_verdict(filter *f, verdict what)
{
    switch (what) {
    case ALLOWED:
        put_answer(f, 0);
        return;
    case REFUSED:
        put_answer(f, EPERM);
        return;
    case ABSENT:
        put_answer(f, ENOSYS);
        return;
    case FOR_OTHERS:
    case TO_OTHERS:
        put_unless_own(f, what == FOR_OTHERS);
        return;
    case FOR_THREADS:
        put_by_bits(f, 0, CLONE_THREAD, 0, EPERM);
        return;
    case NO_PATH:
        put_unless_null(f, 1);
        return;
    case NO_ADDRESS:
        put_unless_null(f, 4);
        return;
    case NO_TYPING:
        put_no_typing(f);
        return;
    case NOT_BOTH:
        put_by_bits(f, 2, PROT_WRITE | PROT_EXEC, EPERM, 0);
        return;
    case VERDICTS:
        return;
    }
}

static void leap_to(filter *f, size_t jump, bool holds, verdict to)
{
    f->leaps[f->leap_count++] = (leap){jump, holds, to};
}

/* The tree over runs [first, end), for numbers that are no less than the first of them. */
static void put_tree(filter *f, size_t first, size_t end)
{
    size_t middle = first + (end - first) / 2;
    const run *one = &f->runs[first];
    if (end - first > 1) {
        size_t jump = put_jump(f, BPF_JGE, f->runs[middle].first);
        put_tree(f, first, middle);
        land_if(f, jump);
        put_tree(f, middle, end);
        return;
    }
    size_t above = put_jump(f, BPF_JGT, one->last);
    leap_to(f, above, true, ALLOWED);
    leap_to(f, above, false, one->verdict);
}

/* Jumps reach 255 instructions far, of which the tree has two for each run. */
static void put_verdicts(filter *f)
{
    for (verdict what = ALLOWED; what < VERDICTS; what++) {
        size_t start = f->length;
        for (size_t i = 0; i < f->leap_count; i++) {
            if (f->leaps[i].to != what)
                continue;
            if (f->length == start)
                put_verdict(f, what);
            struct sock_filter *from = &f->code[f->leaps[i].jump];
            *(f->leaps[i].holds ? &from->jt : &from->jf) = (uint8_t)(start - f->leaps[i].jump - 1);
        }
    }
}

static int compare_rows(const void *a, const void *b)
{
    const row *one = a, *other = b;
    return one->number - other->number;
}

/* Rows that apply, sorted and drawn together. */
static void take_runs(filter *f, bool network, bool relaxed)
{
    row rows[ROWS];
    size_t count = 0;
    for (size_t i = 0; i < ROWS; i++) {
        if (!(refused[i].network && network) && !(refused[i].strict && relaxed))
            rows[count++] = refused[i];
    }
    qsort(rows, count, sizeof *rows, compare_rows);
    for (size_t i = 0; i < count; i++) {
        uint32_t number = (uint32_t)rows[i].number;
        run *last = f->run_count > 0 ? &f->runs[f->run_count - 1] : NULL;
        if (last && last->last + 1 == number && last->verdict == rows[i].verdict)
            last->last = number;
        else
            f->runs[f->run_count++] = (run){number, number, rows[i].verdict};
    }
}

size_t em_filter_make(bool network, bool relaxed, int own,
                      struct sock_filter out[static EM_FILTER_MOST])
{
    filter f = {.code = out, .own = (uint32_t)own};
    take_runs(&f, network, relaxed);
    put(&f, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, arch));
    size_t native = put_jump(&f, BPF_JEQ, (uint32_t)MACHINE);
    put_answer(&f, EPERM); /* calls of another kind of program, as 32-bit ones */
    land_if(&f, native);
    put(&f, BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, nr));
    size_t known = put_jump(&f, BPF_JGT, EM_NR_LAST);
    put_answer(&f, ENOSYS);
    land_unless(&f, known);
    leap_to(&f, put_jump(&f, BPF_JGE, f.runs[0].first), false, ALLOWED);
    put_tree(&f, 0, f.run_count);
    put_verdicts(&f);
    return f.length;
}

#else

size_t em_filter_make(bool network, bool relaxed, int own,
                      struct sock_filter out[static EM_FILTER_MOST])
{
    (void)network, (void)relaxed, (void)own, (void)out;
    return 0;
}

#endif

/* ---- The wall ------------------------------------------------------------------------------ */

void em_wall_calls(const em_sandbox_kernel *kernel, bool network, em_wall *wall)
{
    struct sock_filter code[EM_FILTER_MOST];
    size_t length = em_filter_make(network, em_relaxed_folder() != NULL, getpid(), code);
    struct sock_fprog program = {.len = (unsigned short)length, .filter = code};
    if (length == 0) {
        em_wall_missing(wall, "the calls of this kind of machine are not known here");
        return;
    }
    int result = kernel->set_filter(kernel->context, &program);
    if (result == -EINVAL || result == -ENOSYS)
        em_wall_missing(wall, "the kernel does not have it");
    else if (result < 0)
        em_wall_missing(wall, "%s", strerror(-result));
    else
        em_wall_there(wall, true, "%zu instructions", length);
}

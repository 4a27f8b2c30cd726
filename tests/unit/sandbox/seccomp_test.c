/* What the filter answers, by a small machine that runs it as the kernel does, for every number
 * that there is. */
#include "fake_kernel.h"

#include <linux/audit.h>
#include <linux/sched.h>
#include <linux/seccomp.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/syscall.h>

enum { OWN = 4711, OTHER = 4712 };

/* 0: allowed; else the errno. */
static int run_filter(const struct sock_filter *code, size_t length,
                      const struct seccomp_data *data)
{
    uint32_t at_hand = 0;
    for (size_t at = 0; at < length; at++) {
        const struct sock_filter *step = &code[at];
        bool holds = false;
        switch (step->code) {
        case BPF_LD | BPF_W | BPF_ABS:
            assert_true(step->k % 4 == 0 && step->k + 4 <= sizeof *data);
            memcpy(&at_hand, (const char *)data + step->k, sizeof at_hand);
            continue;
        case BPF_ALU | BPF_AND | BPF_K:
            at_hand &= step->k;
            continue;
        case BPF_RET | BPF_K:
            if (step->k == SECCOMP_RET_ALLOW)
                return 0;
            assert_int_equal(step->k & SECCOMP_RET_ACTION_FULL, SECCOMP_RET_ERRNO);
            return (int)(step->k & SECCOMP_RET_DATA);
        case BPF_JMP | BPF_JEQ | BPF_K:
            holds = at_hand == step->k;
            break;
        case BPF_JMP | BPF_JGT | BPF_K:
            holds = at_hand > step->k;
            break;
        case BPF_JMP | BPF_JGE | BPF_K:
            holds = at_hand >= step->k;
            break;
        default:
            fail_msg("unknown instruction %#x", step->code);
        }
        at += holds ? step->jt : step->jf;
    }
    fail_msg("the filter ran past its end");
    return -1;
}

typedef struct filter {
    struct sock_filter code[EM_FILTER_MOST];
    size_t length;
    uint32_t machine; /* that it is for */
} filter;

static void filter_make(filter *f, bool network, bool relaxed)
{
    f->length = em_filter_make(network, relaxed, OWN, f->code);
    if (f->length == 0)
        skip(); /* not known for this machine */
    assert_int_equal(f->code[1].code, BPF_JMP | BPF_JEQ | BPF_K);
    f->machine = f->code[1].k;
}

static int answer_with(const filter *f, long number, uint64_t first, uint64_t second,
                       uint64_t third, uint64_t fifth)
{
    struct seccomp_data data = {
        .nr = (int)number, .arch = f->machine, .args = {first, second, third, 0, fifth}};
    return run_filter(f->code, f->length, &data);
}

static int answer(const filter *f, long number, uint64_t first, uint64_t second, uint64_t third)
{
    return answer_with(f, number, first, second, third, 0);
}

static void what_emend_never_does_is_refused(void **state)
{
    (void)state;
    static const long refused[] = {
        SYS_execve,       SYS_execveat,     SYS_ptrace,          SYS_process_vm_readv,
        SYS_socket,       SYS_connect,      SYS_recvmsg,         SYS_io_uring_setup,
        SYS_bpf,          SYS_mount,        SYS_unshare,         SYS_setuid,
        SYS_fchmodat,     SYS_fchownat,     SYS_setxattr,        SYS_open_by_handle_at,
        SYS_symlinkat,    SYS_mknodat,      SYS_init_module,     SYS_pidfd_open,
        SYS_memfd_create, SYS_personality,  SYS_perf_event_open, SYS_userfaultfd,
        EM_NR_FCHMODAT2,  EM_NR_SETXATTRAT,
#ifdef SYS_fork
        SYS_fork,         SYS_vfork,        SYS_chmod,           SYS_chown,
        SYS_symlink,      SYS_utime,
#endif
    };
    static const long allowed[] = {
        SYS_read,
        SYS_pread64,
        SYS_openat,
        SYS_openat2,
        SYS_linkat,
        SYS_unlinkat,
        SYS_renameat2,
        SYS_mkdirat,
        SYS_fsync,
        SYS_fchmod,
        SYS_fchown,
        SYS_fsetxattr,
        SYS_statx,
        SYS_futex,
        SYS_exit_group,
        SYS_ppoll,
        SYS_signalfd4,
        SYS_getrandom,
        SYS_fcntl,
        SYS_copy_file_range,
        SYS_sched_yield,
        SYS_close_range,
        EM_NR_LANDLOCK_RESTRICT_SELF,
    };
    filter f;
    filter_make(&f, false, false);
    for (size_t i = 0; i < COUNT_OF(refused); i++)
        assert_int_equal(answer(&f, refused[i], 0, 0, 0), EPERM);
    for (size_t i = 0; i < COUNT_OF(allowed); i++)
        assert_int_equal(answer(&f, allowed[i], 0, 0, 0), 0);
}

static void a_server_uses_the_sockets_that_it_has(void **state)
{
    (void)state;
    static const long refused[] = {SYS_socket, SYS_socketpair, SYS_bind, SYS_listen, SYS_connect};
    static const long allowed[] = {SYS_accept4, SYS_recvfrom, SYS_sendto, SYS_recvmsg, SYS_sendmsg};
    filter f;
    filter_make(&f, true, false);
    for (size_t i = 0; i < COUNT_OF(refused); i++)
        assert_int_equal(answer(&f, refused[i], 0, 0, 0), EPERM);
    for (size_t i = 0; i < COUNT_OF(allowed); i++)
        assert_int_equal(answer(&f, allowed[i], 0, 0, 0), 0);
}

/* A jump that is too far for its byte would land anywhere: then some number gets an answer that is
 * neither its neighbours' nor its own. Counted, it shows. */
static void every_number_has_its_answer(void **state)
{
    (void)state;
    static const struct {
        bool network, relaxed;
        int fewer; /* refused than with neither */
    } rows[] = {{false, false, 0}, {true, false, 8}, {false, true, 0}, {true, true, 8}};
    int strict = 0;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        filter f;
        int refused = 0, absent = 0;
        filter_make(&f, rows[i].network, rows[i].relaxed);
        for (long number = 0; number <= EM_NR_LAST; number++) {
            int error = answer_with(&f, number, OTHER, 1, PROT_WRITE | PROT_EXEC, 1);
            refused += error == EPERM;
            absent += error == ENOSYS;
        }
        assert_int_equal(absent, rows[i].relaxed ? 0 : 1); /* clone3 */
        if (i == 0)
            strict = refused;
        if (!rows[i].relaxed)
            assert_int_equal(refused, strict - rows[i].fewer);
        else
            assert_in_range(strict - rows[i].fewer - refused, 4, 6); /* programs and processes */
        assert_int_equal(answer(&f, EM_NR_LAST + 1, 0, 0, 0), ENOSYS);
        assert_int_equal(answer(&f, 0x40000000 + SYS_openat, 0, 0, 0), ENOSYS);
        assert_int_equal(answer(&f, -1, 0, 0, 0), ENOSYS);
    }
    assert_in_range(strict, 100, 140);
}

static void some_calls_depend_on_their_arguments(void **state)
{
    (void)state;
    static const struct {
        long number;
        uint64_t first, second, third;
        int error;
    } rows[] = {
        {SYS_clone, CLONE_VM | CLONE_THREAD, 0, 0, 0},
        {SYS_clone, CLONE_VM, 0, 0, EPERM},
        {SYS_clone, 17 /* SIGCHLD: fork */, 0, 0, EPERM},
        {SYS_clone3, 0, 0, 0, ENOSYS},
        {SYS_kill, OWN, 15, 0, 0},
        {SYS_kill, OTHER, 15, 0, EPERM},
        {SYS_kill, 0, 15, 0, EPERM}, /* the group, the client in it */
        {SYS_kill, UINT64_MAX, 15, 0, EPERM},
        {SYS_tgkill, OWN, OWN, 6, 0},
        {SYS_tgkill, OTHER, OTHER, 6, EPERM},
        {SYS_prlimit64, 0, 7, 0, 0},
        {SYS_prlimit64, OWN, 7, 0, 0},
        {SYS_prlimit64, OTHER, 7, 0, EPERM},
        {SYS_utimensat, 5, 0, 0, 0},
        {SYS_utimensat, 5, 0x1000, 0, EPERM},
        {SYS_utimensat, 5, UINT64_C(0x100000000), 0, EPERM}, /* the low half is zero */
        {SYS_ioctl, 0, TCGETS, 0, 0},
        {SYS_ioctl, 0, TIOCSTI, 0, EPERM},
        {SYS_ioctl, 0, TIOCLINUX, 0, EPERM},
        {SYS_ioctl, 0, UINT64_C(0x700000000) | TIOCSTI, 0, EPERM}, /* the kernel looks at 32 bits */
        {SYS_mmap, 0, 4096, PROT_READ | PROT_EXEC, 0},
        {SYS_mmap, 0, 4096, PROT_READ | PROT_WRITE, 0},
        {SYS_mmap, 0, 4096, PROT_WRITE | PROT_EXEC, EPERM},
        {SYS_mprotect, 0, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, EPERM},
        {SYS_mprotect, 0, 4096, PROT_READ, 0},
    };
    filter f;
    filter_make(&f, false, false);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        int error = answer(&f, rows[i].number, rows[i].first, rows[i].second, rows[i].third);
        if (error != rows[i].error)
            fail_msg("row %zu: answered with %d", i, error);
    }
}

/* Through a socket that is an output, as a write; nobody else can be reached through it. */
static void a_socket_reaches_whom_it_is_connected_with(void **state)
{
    (void)state;
    filter f;
    filter_make(&f, false, false);
    assert_int_equal(answer_with(&f, SYS_sendto, 1, 0x1000, 10, 0), 0);
    assert_int_equal(answer_with(&f, SYS_sendto, 1, 0x1000, 10, 0x1000), EPERM);
    assert_int_equal(answer_with(&f, SYS_sendto, 1, 0x1000, 10, UINT64_C(0x100000000)), EPERM);
    filter_make(&f, true, false);
    assert_int_equal(answer_with(&f, SYS_sendto, 1, 0x1000, 10, 0x1000), 0);
}

static void other_machines_have_no_calls(void **state)
{
    (void)state;
    filter f;
    filter_make(&f, false, false);
    f.machine ^= 1;
    assert_int_equal(answer(&f, SYS_read, 0, 0, 0), EPERM);
}

static void what_the_kernel_says_is_told(void **state)
{
    (void)state;
    static const struct {
        int result;
        const char *why;
    } rows[] = {
        {-EINVAL, "the kernel does not have it"},
        {-ENOSYS, "the kernel does not have it"},
        {-EACCES, "Permission denied"},
        {0, " instructions"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        fake_kernel fake;
        em_wall wall;
        fake_kernel_init(&fake, 7);
        fake.given_up = 1;
        fake.filter_result = rows[i].result;
        em_wall_calls(&fake.kernel, false, &wall);
        assert_int_equal(wall.stands, rows[i].result == 0);
        assert_non_null(strstr(wall.why, rows[i].why));
        assert_int_equal(fake.filtered, 1);
        assert_in_range(fake.filter_length, 100, EM_FILTER_MOST);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_emend_never_does_is_refused),
        cmocka_unit_test(a_server_uses_the_sockets_that_it_has),
        cmocka_unit_test(every_number_has_its_answer),
        cmocka_unit_test(some_calls_depend_on_their_arguments),
        cmocka_unit_test(a_socket_reaches_whom_it_is_connected_with),
        cmocka_unit_test(other_machines_have_no_calls),
        cmocka_unit_test(what_the_kernel_says_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

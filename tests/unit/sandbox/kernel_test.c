/* What the kernel that runs really holds back. A child enters the sandbox, tries everything in the
 * table, and tells how each ended. */
#include "../../remove_tree.h"
#include "fake_kernel.h"

#include <iconv.h>
#include <netinet/in.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/ioctl.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/ptrace.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/un.h>
#include <sys/wait.h>
#include <sys/xattr.h>
#include <unistd.h>

/* ---- What is tried ------------------------------------------------------------------------- */

/* The folders, by descriptors: one to work in, one to look at, one that is none of its business. */
static int work, shown, outside;
static pid_t parent;

static int result_of(long result)
{
    return result < 0 ? errno : 0;
}

static int opened(int dir, const char *name, int flags)
{
    int fd = openat(dir, name, flags | O_CLOEXEC, 0600);
    int result = result_of(fd);
    if (fd >= 0)
        close(fd);
    return result;
}

static int read_work(void)
{
    return opened(work, "a", O_RDONLY);
}

static int write_work(void)
{
    return opened(work, "a", O_RDWR | O_TRUNC);
}

static int read_again_by_descriptor(void)
{
    char path[32];
    int fd = openat(work, "a", O_PATH | O_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int result = opened(AT_FDCWD, path, O_RDONLY);
    close(fd);
    return result;
}

/* As a commit does it. */
static int replace_work(void)
{
    char path[32];
    int fd = openat(work, ".", O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    if (fd < 0)
        return errno;
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int result = result_of(write(fd, "x", 1)) | result_of(fchmod(fd, 0640)) |
                 result_of(fchown(fd, geteuid(), getegid())) | result_of(fsync(fd)) |
                 result_of(linkat(AT_FDCWD, path, work, ".emend-t", AT_SYMLINK_FOLLOW)) |
                 result_of(renameat2(work, ".emend-t", work, "a", RENAME_EXCHANGE)) |
                 result_of(unlinkat(work, ".emend-t", 0));
    close(fd);
    return result;
}

/* Into a folder that was made for it, and out of it again. */
static int move_between_folders(void)
{
    return result_of(mkdirat(work, "new", 0700)) | result_of(renameat(work, "a", work, "new/a")) |
           result_of(renameat(work, "new/a", work, "a")) |
           result_of(unlinkat(work, "new", AT_REMOVEDIR));
}

/* What somebody else made can be moved out of the way, whatever it is. */
static int exchange_with_link(void)
{
    return result_of(renameat2(work, "a", work, "link", RENAME_EXCHANGE)) |
           result_of(renameat2(work, "a", work, "link", RENAME_EXCHANGE)) |
           result_of(renameat2(work, "a", work, "pipe", RENAME_EXCHANGE)) |
           result_of(renameat2(work, "a", work, "pipe", RENAME_EXCHANGE));
}

static int read_shown(void)
{
    return opened(shown, "a", O_RDONLY);
}

static int write_shown(void)
{
    return opened(shown, "a", O_WRONLY);
}

static int make_in_shown(void)
{
    return opened(shown, "b", O_WRONLY | O_CREAT);
}

static int truncate_shown(void)
{
    return opened(shown, "a", O_RDONLY | O_TRUNC);
}

static int read_outside(void)
{
    return opened(outside, "a", O_RDONLY);
}

static int list_outside(void)
{
    return opened(outside, ".", O_RDONLY | O_DIRECTORY);
}

static int write_outside(void)
{
    return opened(outside, "a", O_WRONLY);
}

static int read_through_link(void)
{
    return opened(work, "way-out", O_RDONLY);
}

static int read_through_proc(void)
{
    char path[48];
    snprintf(path, sizeof path, "/proc/self/fd/%d/a", outside);
    return opened(AT_FDCWD, path, O_RDONLY);
}

static int read_reopened(void)
{
    char path[32];
    int fd = openat(outside, "a", O_PATH | O_CLOEXEC);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    int result = opened(AT_FDCWD, path, O_RDONLY);
    close(fd);
    return result;
}

static int make_outside(void)
{
    return result_of(mkdirat(outside, "new", 0700));
}

static int remove_outside(void)
{
    return result_of(unlinkat(outside, "a", 0));
}

static int move_out(void)
{
    return result_of(renameat(work, "a", outside, "stolen"));
}

static int move_in(void)
{
    return result_of(renameat(outside, "a", work, "taken"));
}

static int link_in(void)
{
    return result_of(linkat(outside, "a", work, "taken", 0));
}

static int chmod_outside(void)
{
    return result_of(fchmodat(outside, "a", 0777, 0));
}

static int chown_outside(void)
{
    return result_of(fchownat(outside, "a", geteuid(), getegid(), 0));
}

static int touch_outside(void)
{
    return result_of(utimensat(outside, "a", NULL, 0));
}

static int label_outside(void)
{
    char path[48];
    snprintf(path, sizeof path, "/proc/self/fd/%d/a", outside);
    return result_of(setxattr(path, "user.t", "1", 1, 0));
}

static int touch_by_descriptor(void)
{
    int fd = openat(work, "a", O_RDWR | O_CLOEXEC);
    int result = result_of(futimens(fd, NULL));
    close(fd);
    return result;
}

static int make_link(void)
{
    return result_of(symlinkat("a", work, "another"));
}

static int make_pipe_in_folder(void)
{
    return result_of(mkfifoat(work, "another", 0600));
}

static int run_program(void)
{
    char *argv[] = {(char *)"true", NULL};
    return result_of(execv("/bin/true", argv));
}

static int make_process(void)
{
    pid_t child = fork();
    if (child == 0)
        _exit(0);
    int result = result_of(child);
    if (child > 0)
        waitpid(child, NULL, 0);
    return result;
}

static void *nothing(void *context)
{
    return context;
}

static int make_thread(void)
{
    pthread_t thread;
    int result = pthread_create(&thread, NULL, nothing, NULL);
    return result == 0 ? pthread_join(thread, NULL) : result;
}

static int trace_parent(void)
{
    return result_of(ptrace(PTRACE_SEIZE, parent, NULL, NULL));
}

static int signal_parent(void)
{
    return result_of(kill(parent, 0));
}

static int signal_itself(void)
{
    signal(SIGUSR1, SIG_IGN);
    return result_of(raise(SIGUSR1)) | result_of(kill(getpid(), SIGUSR1));
}

static int reach_network(void)
{
    return result_of(socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

static int reach_neighbour(void)
{
    return result_of(socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0));
}

static int make_ring(void)
{
    char parameters[256] = {0};
    return result_of(syscall(SYS_io_uring_setup, 1, parameters));
}

static int write_and_run(void)
{
    void *page =
        mmap(NULL, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    return page == MAP_FAILED ? errno : 0;
}

static int new_namespace(void)
{
    return result_of(syscall(SYS_unshare, 0x10000000 /* CLONE_NEWUSER */));
}

static int newest_call(void)
{
    return result_of(syscall(EM_NR_LAST + 100));
}

/* Its converter is a library that is loaded now. */
static int convert_text(void)
{
    iconv_t handle = iconv_open("UTF-8", "EUC-JP");
    if (handle == (iconv_t)-1)
        return errno;
    iconv_close(handle);
    return 0;
}

static int read_random(void)
{
    return opened(AT_FDCWD, "/dev/urandom", O_RDONLY);
}

static int read_boot(void)
{
    return opened(AT_FDCWD, "/proc/sys/kernel/random/boot_id", O_RDONLY);
}

#define SAME(error) error, error
static const struct {
    const char *what;
    int (*try)(void);
    int strict, relaxed; /* the errno that is expected */
} attempts[] = {
    {"read in the work folder", read_work, SAME(0)},
    {"write in the work folder", write_work, SAME(0)},
    {"read again by descriptor", read_again_by_descriptor, SAME(0)},
    {"replace a file", replace_work, SAME(0)},
    {"move between folders", move_between_folders, SAME(0)},
    {"exchange with a link and a pipe", exchange_with_link, SAME(0)},
    {"touch by descriptor", touch_by_descriptor, SAME(0)},
    {"read in the shown folder", read_shown, SAME(0)},
    {"write in the shown folder", write_shown, SAME(EACCES)},
    {"make a file in the shown folder", make_in_shown, SAME(EACCES)},
    {"truncate in the shown folder", truncate_shown, SAME(EACCES)},
    {"read outside", read_outside, EACCES, 0},
    {"list outside", list_outside, EACCES, 0},
    {"write outside", write_outside, SAME(EACCES)},
    {"read through a link", read_through_link, EACCES, 0},
    {"read through /proc", read_through_proc, EACCES, 0},
    {"read what was opened by path only", read_reopened, EACCES, 0},
    {"make a folder outside", make_outside, SAME(EACCES)},
    {"remove a file outside", remove_outside, SAME(EACCES)},
    {"move a file out", move_out, SAME(EACCES)},
    {"move a file in", move_in, SAME(EACCES)},
    {"link a file in", link_in, SAME(EXDEV)},
    {"chmod outside", chmod_outside, SAME(EPERM)},
    {"chown outside", chown_outside, SAME(EPERM)},
    {"touch outside", touch_outside, SAME(EPERM)},
    {"set an attribute outside", label_outside, SAME(EPERM)},
    {"make a link", make_link, SAME(EPERM)},
    {"make a pipe", make_pipe_in_folder, SAME(EPERM)},
    {"make a process", make_process, EPERM, 0},
    {"make a thread", make_thread, SAME(0)},
    {"trace the parent", trace_parent, SAME(EPERM)},
    {"signal the parent", signal_parent, SAME(EPERM)},
    {"signal itself", signal_itself, SAME(0)},
    {"make a socket for the network", reach_network, SAME(EPERM)},
    {"make a socket for a neighbour", reach_neighbour, SAME(EPERM)},
    {"make a ring", make_ring, SAME(EPERM)},
    {"map memory to write and run", write_and_run, SAME(EPERM)},
    {"enter a namespace of its own", new_namespace, SAME(EPERM)},
    {"make a call that is newer than the sandbox", newest_call, SAME(ENOSYS)},
    {"convert a text", convert_text, SAME(0)},
    {"read random numbers", read_random, SAME(0)},
    {"tell which boot it is", read_boot, SAME(0)},
    {"run a program", run_program, EPERM, -1 /* it does not come back */},
};

/* ---- The child ----------------------------------------------------------------------------- */

static void enter(em_sandbox_report *report)
{
    em_sandbox_folder folders[] = {{work, true}, {shown, false}};
    em_sandbox_policy policy = {folders, 2};
    em_sandbox_calls(&em_sandbox_kernel_native, false, report);
    em_sandbox_files(&em_sandbox_kernel_native, &policy, report);
}

/* Writes how each attempt ended; nothing where there are no walls here. */
static void try_all(int to)
{
    em_sandbox_report report;
    enter(&report);
    if (!report.files.stands || !report.calls.stands)
        return;
    for (size_t i = 0; i < COUNT_OF(attempts); i++) {
        int ended = attempts[i].relaxed == -1 && report.relaxed ? -1 : attempts[i].try();
        if (write(to, &ended, sizeof ended) != sizeof ended)
            return;
    }
}

/* ---- The tests ----------------------------------------------------------------------------- */

typedef struct place {
    char base[64];
} place;

static int folder_of(const place *p, const char *name)
{
    char path[100];
    snprintf(path, sizeof path, "%s/%s", p->base, name);
    assert_int_equal(mkdir(path, 0700), 0);
    int fd = open(path, O_PATH | O_DIRECTORY | O_CLOEXEC);
    assert_true(fd >= 0);
    int file = openat(fd, "a", O_WRONLY | O_CREAT | O_CLOEXEC, 0600);
    assert_true(file >= 0 && write(file, "text\n", 5) == 5);
    close(file);
    return fd;
}

static int setup(void **state)
{
    place *p = calloc(1, sizeof *p);
    assert_non_null(p);
    strcpy(p->base, "/tmp/emend-sandbox-XXXXXX");
    assert_non_null(mkdtemp(p->base));
    work = folder_of(p, "work");
    shown = folder_of(p, "shown");
    outside = folder_of(p, "outside");
    assert_int_equal(symlinkat("../outside/a", work, "way-out"), 0);
    assert_int_equal(symlinkat("a", work, "link"), 0);
    assert_int_equal(mkfifoat(work, "pipe", 0600), 0);
    parent = getpid();
    *state = p;
    return 0;
}

static int teardown(void **state)
{
    place *p = *state;
    close(work);
    close(shown);
    close(outside);
    assert_int_equal(remove_tree(p->base), 0);
    free(p);
    return 0;
}

static void what_is_held_back(void **state)
{
    (void)state;
    int ends[2];
    assert_int_equal(pipe2(ends, O_CLOEXEC), 0);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        try_all(ends[1]);
        _exit(0);
    }
    close(ends[1]);
    size_t told = 0;
    int ended;
    for (; read(ends[0], &ended, sizeof ended) == sizeof ended; told++) {
        int want = em_relaxed_folder() ? attempts[told].relaxed : attempts[told].strict;
        if (ended != want)
            print_error("%s: %s, not %s\n", attempts[told].what, strerror(ended), strerror(want));
        assert_int_equal(ended, want);
    }
    close(ends[0]);
    assert_int_equal(waitpid(child, NULL, 0), child);
    if (told == 0)
        skip(); /* this kernel has no such walls */
    assert_int_equal(told, COUNT_OF(attempts));
    assert_int_equal(faccessat(outside, "a", F_OK, 0), 0);
}

/* Threads that are made later are behind the walls too, and there is no way back. */
static void *try_in_thread(void *context)
{
    *(int *)context = opened(outside, "a", O_WRONLY);
    return NULL;
}

static void threads_are_held_too(void **state)
{
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        em_sandbox_report report;
        pthread_t thread;
        int ended = 0;
        enter(&report);
        if (!report.files.stands)
            _exit(77);
        pthread_create(&thread, NULL, try_in_thread, &ended);
        pthread_join(thread, NULL);
        int privileges = prctl(PR_GET_NO_NEW_PRIVS, 0, 0, 0, 0);
        _exit(ended == EACCES && privileges == 1 ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 77)
        skip();
    assert_int_equal(WEXITSTATUS(status), 0);
}

/* No more than there was, and never less than nothing: the limit of this process stays. */
static void memory_is_limited(void **state)
{
    (void)state;
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        const em_sandbox_kernel *kernel = &em_sandbox_kernel_native;
        struct rlimit before, after, asked;
        bool right = getrlimit(RLIMIT_DATA, &before) == 0 &&
                     kernel->limit_memory(kernel->context, UINT64_MAX) == 0 &&
                     getrlimit(RLIMIT_DATA, &after) == 0 && before.rlim_cur == after.rlim_cur &&
                     kernel->limit_memory(kernel->context, UINT64_C(1) << 40) == 0 &&
                     getrlimit(RLIMIT_DATA, &asked) == 0 && asked.rlim_cur <= UINT64_C(1) << 40;
        _exit(right ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status) && WEXITSTATUS(status) == 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_held_back),
        cmocka_unit_test(threads_are_held_too),
        cmocka_unit_test(memory_is_limited),
    };
    return cmocka_run_group_tests(tests, setup, teardown);
}

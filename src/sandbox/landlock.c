/* landlock.c: the wall around files.
 *
 * Everything that Landlock knows is refused, and then the folders of the policy are let out of it,
 * with what a change of a file needs there. That is more than making and removing regular files:
 * when two names are exchanged, what somebody else has put there in that moment moves too, and may
 * be a link or a pipe.
 *
 * Libraries read two things beside the policy's folders: iconv its converters, each when a text in
 * its encoding is met, and SQLite and jansson the kernel's random numbers.
 */
#include "sandbox/walls.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define MAY_READ (EM_FS_READ_FILE | EM_FS_READ_DIR)
#define MAY_CHANGE                                                                                 \
    (EM_FS_WRITE_FILE | EM_FS_TRUNCATE | EM_FS_MAKE_REG | EM_FS_MAKE_DIR | EM_FS_MAKE_SYM |        \
     EM_FS_MAKE_FIFO | EM_FS_MAKE_SOCK | EM_FS_REMOVE_FILE | EM_FS_REMOVE_DIR | EM_FS_REFER)

/* Version 1 refuses every rename and link from one folder to another, which is how a file comes
 * into a folder that was made for it. */
enum { VERSION_LEAST = 2 };

/* ---- What a version knows ------------------------------------------------------------------ */

static em_landlock_rules rules_of(int version)
{
    em_landlock_rules rules = {.fs = (EM_FS_REFER << 1) - 1};
    if (version >= 3)
        rules.fs |= EM_FS_TRUNCATE;
    if (version >= 4)
        rules.net = EM_NET_BIND_TCP | EM_NET_CONNECT_TCP;
    if (version >= 5)
        rules.fs |= EM_FS_IOCTL_DEV;
    if (version >= 6)
        rules.scoped = EM_SCOPE_ABSTRACT_UNIX | EM_SCOPE_SIGNAL;
    return rules;
}

static const char *why_not(int result)
{
    if (result == -ENOSYS)
        return "the kernel does not have it";
    if (result == -EOPNOTSUPP)
        return "it is not among the kernel's security modules (lsm=)";
    return strerror(-result);
}

/* ---- Letting out --------------------------------------------------------------------------- */

typedef struct ruleset {
    const em_sandbox_kernel *kernel;
    uint64_t known; /* the kernel refuses rules about what it does not know */
    int fd;
} ruleset;

static int let_out(const ruleset *r, int fd, uint64_t allowed)
{
    em_landlock_beneath beneath = {.allowed = allowed & r->known, .fd = fd};
    return r->kernel->add_rule(r->kernel->context, r->fd, &beneath);
}

/* By path; what is not there needs nothing. */
static int let_out_path(const ruleset *r, const char *path, uint64_t allowed)
{
    int fd = open(path, O_PATH | O_CLOEXEC);
    if (fd < 0)
        return 0;
    int result = let_out(r, fd, allowed);
    close(fd);
    return result;
}

/* The folder of iconv's converters is beside the C library, or where /lib and /usr/lib are two, at
 * the same place in the other. */
static int let_out_converters(const ruleset *r)
{
    static const char *const tops[] = {"", "/usr"};
    char path[4096];
    Dl_info library;
    int result = 0;
    if (!dladdr((void *)(uintptr_t)&getpid, &library)) /* any of its functions */
        return 0;
    const char *slash = strrchr(library.dli_fname, '/');
    int folder = slash ? (int)(slash - library.dli_fname) : 0;
    for (size_t i = 0; result >= 0 && i < sizeof tops / sizeof *tops; i++) {
        snprintf(path, sizeof path, "%s%.*s/gconv", tops[i], folder, library.dli_fname);
        result = let_out_path(r, path, MAY_READ);
    }
    return result;
}

static int let_out_instruments(const ruleset *r)
{
    if (!em_relaxed_folder())
        return 0;
    int result = let_out_path(r, "/", MAY_READ | EM_FS_EXECUTE);
    return result < 0 ? result : let_out_path(r, em_relaxed_folder(), MAY_READ | MAY_CHANGE);
}

static int let_out_all(const ruleset *r, const em_sandbox_policy *policy)
{
    int result = let_out_path(r, "/dev/urandom", EM_FS_READ_FILE);
    if (result >= 0)
        result = let_out_path(r, "/proc/sys/kernel/random/boot_id", EM_FS_READ_FILE);
    if (result >= 0)
        result = let_out_converters(r);
    for (size_t i = 0; result >= 0 && i < policy->folder_count; i++) {
        const em_sandbox_folder *folder = &policy->folders[i];
        result = let_out(r, folder->fd, folder->may_change ? MAY_READ | MAY_CHANGE : MAY_READ);
    }
    return result < 0 ? result : let_out_instruments(r);
}

/* ---- The wall ------------------------------------------------------------------------------ */

int em_wall_files_version(const em_sandbox_kernel *kernel, em_wall *wall)
{
    int version = kernel->create_ruleset(kernel->context, NULL, 0, EM_LANDLOCK_VERSION);
    if (version < 0) {
        em_wall_missing(wall, "%s", why_not(version));
        return 0;
    }
    if (version < VERSION_LEAST) {
        em_wall_missing(wall, "the kernel has version %d; files in new folders need %d", version,
                        VERSION_LEAST);
        return 0;
    }
    em_wall_there(wall, false, "version %d", version);
    return version;
}

static int build(const em_sandbox_kernel *kernel, const em_sandbox_policy *policy, int version)
{
    em_landlock_rules rules = rules_of(version);
    int fd = kernel->create_ruleset(kernel->context, &rules, sizeof rules, 0);
    if (fd < 0)
        return fd;
    ruleset r = {.kernel = kernel, .known = rules.fs, .fd = fd};
    int result = let_out_all(&r, policy);
    if (result >= 0)
        result = kernel->restrict_self(kernel->context, fd);
    close(fd);
    return result;
}

void em_wall_files(const em_sandbox_kernel *kernel, const em_sandbox_policy *policy, em_wall *wall)
{
    int version = em_wall_files_version(kernel, wall);
    int result = version > 0 ? build(kernel, policy, version) : 0;
    if (result < 0)
        em_wall_missing(wall, "%s", why_not(result));
    else
        wall->stands = version > 0;
}

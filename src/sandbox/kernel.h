/* kernel.h: what the sandbox asks of the kernel, as a table of functions, and the constants that
 * distributions' headers lack.
 *
 * Which of it a kernel knows is found out when the process runs, never when it is built. The values
 * are the kernel's own (include/uapi/linux/landlock.h, unified system call numbers) and never
 * change.
 */
#ifndef EM_SANDBOX_KERNEL_H
#define EM_SANDBOX_KERNEL_H

#include <linux/filter.h>
#include <stddef.h>
#include <stdint.h>

/* ---- Landlock -------------------------------------------------------------------------------
 * Debian 12's header ends at version 2. All of these have names of our own, so that a newer header
 * does not get in the way. */

#define EM_LANDLOCK_VERSION UINT32_C(1) /* flag of create_ruleset: answer the version */
#define EM_LANDLOCK_PATH_BENEATH 1      /* kind of a rule */

#define EM_FS_EXECUTE (UINT64_C(1) << 0)
#define EM_FS_WRITE_FILE (UINT64_C(1) << 1)
#define EM_FS_READ_FILE (UINT64_C(1) << 2)
#define EM_FS_READ_DIR (UINT64_C(1) << 3)
#define EM_FS_REMOVE_DIR (UINT64_C(1) << 4)
#define EM_FS_REMOVE_FILE (UINT64_C(1) << 5)
#define EM_FS_MAKE_CHAR (UINT64_C(1) << 6)
#define EM_FS_MAKE_DIR (UINT64_C(1) << 7)
#define EM_FS_MAKE_REG (UINT64_C(1) << 8)
#define EM_FS_MAKE_SOCK (UINT64_C(1) << 9)
#define EM_FS_MAKE_FIFO (UINT64_C(1) << 10)
#define EM_FS_MAKE_BLOCK (UINT64_C(1) << 11)
#define EM_FS_MAKE_SYM (UINT64_C(1) << 12)
#define EM_FS_REFER (UINT64_C(1) << 13)     /* since version 2 */
#define EM_FS_TRUNCATE (UINT64_C(1) << 14)  /* since version 3 */
#define EM_FS_IOCTL_DEV (UINT64_C(1) << 15) /* since version 5 */

#define EM_NET_BIND_TCP (UINT64_C(1) << 0)    /* since version 4 */
#define EM_NET_CONNECT_TCP (UINT64_C(1) << 1) /* since version 4 */

#define EM_SCOPE_ABSTRACT_UNIX (UINT64_C(1) << 0) /* since version 6 */
#define EM_SCOPE_SIGNAL (UINT64_C(1) << 1)        /* since version 6 */

/* struct landlock_ruleset_attr as of version 6. A kernel that knows less of it takes it as long as
 * the rest is zero. */
typedef struct em_landlock_rules {
    uint64_t fs, net, scoped;
} em_landlock_rules;

/* struct landlock_path_beneath_attr */
typedef struct __attribute__((packed)) em_landlock_beneath {
    uint64_t allowed;
    int32_t fd;
} em_landlock_beneath;

/* ---- System calls ---------------------------------------------------------------------------
 * From 424 on the numbers are the same on all machines. Those above the last that is known here do
 * not exist for a process in the sandbox. */

enum {
    EM_NR_LANDLOCK_CREATE_RULESET = 444,
    EM_NR_LANDLOCK_ADD_RULE = 445,
    EM_NR_LANDLOCK_RESTRICT_SELF = 446,
    EM_NR_PROCESS_MRELEASE = 448,
    EM_NR_MOUNT_SETATTR = 442,
    EM_NR_QUOTACTL_FD = 443,
    EM_NR_MEMFD_SECRET = 447,
    EM_NR_FCHMODAT2 = 452,
    EM_NR_SETXATTRAT = 463,
    EM_NR_REMOVEXATTRAT = 466,
    EM_NR_OPEN_TREE_ATTR = 467,
    EM_NR_LAST = EM_NR_OPEN_TREE_ATTR,
};

/* ---- The table ------------------------------------------------------------------------------ */

/* Each function returns what the call returns, or -errno. */
typedef struct em_sandbox_kernel {
    void *context; /* handed to every function */

    int (*create_ruleset)(void *context, const em_landlock_rules *rules, size_t size,
                          uint32_t flags);
    int (*add_rule)(void *context, int ruleset, const em_landlock_beneath *beneath);
    int (*restrict_self)(void *context, int ruleset);
    int (*no_new_privileges)(void *context);
    int (*set_filter)(void *context, const struct sock_fprog *program);
    /* RLIMIT_DATA, which never grows */
    int (*limit_memory)(void *context, uint64_t bytes);
} em_sandbox_kernel;

/* The kernel that runs. */
extern const em_sandbox_kernel em_sandbox_kernel_native;

#endif

#include "sandbox/kernel.h"

#include <errno.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

static int result_of(long result)
{
    return result < 0 ? -errno : (int)result;
}

static int native_create_ruleset(void *context, const em_landlock_rules *rules, size_t size,
                                 uint32_t flags)
{
    (void)context;
    return result_of(syscall(EM_NR_LANDLOCK_CREATE_RULESET, rules, size, flags));
}

static int native_add_rule(void *context, int ruleset, const em_landlock_beneath *beneath)
{
    (void)context;
    return result_of(
        syscall(EM_NR_LANDLOCK_ADD_RULE, ruleset, EM_LANDLOCK_PATH_BENEATH, beneath, 0));
}

static int native_restrict_self(void *context, int ruleset)
{
    (void)context;
    return result_of(syscall(EM_NR_LANDLOCK_RESTRICT_SELF, ruleset, 0));
}

static int native_no_new_privileges(void *context)
{
    (void)context;
    return result_of(prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0));
}

/* Without SECCOMP_FILTER_FLAG_TSYNC: the filter is set before there are threads. */
static int native_set_filter(void *context, const struct sock_fprog *program)
{
    (void)context;
    return result_of(syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, program));
}

static int native_limit_memory(void *context, uint64_t bytes)
{
    (void)context;
    struct rlimit limit;
    if (getrlimit(RLIMIT_DATA, &limit) != 0)
        return -errno;
    if (limit.rlim_cur > bytes)
        limit.rlim_cur = bytes;
    return result_of(setrlimit(RLIMIT_DATA, &limit));
}

const em_sandbox_kernel em_sandbox_kernel_native = {
    .create_ruleset = native_create_ruleset,
    .add_rule = native_add_rule,
    .restrict_self = native_restrict_self,
    .no_new_privileges = native_no_new_privileges,
    .set_filter = native_set_filter,
    .limit_memory = native_limit_memory,
};

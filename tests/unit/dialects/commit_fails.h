/* commit_fails.h: a system on which the commit point of a transaction fails, or nobody can tell
 * whether it did. */
#ifndef EM_TESTS_UNIT_DIALECTS_COMMIT_FAILS_H
#define EM_TESTS_UNIT_DIALECTS_COMMIT_FAILS_H

#include "system/sys.h"

#include <errno.h>
#include <stdbool.h>
#include <string.h>

static bool nobody_knows;

static inline bool is_commit(const char *path)
{
    return strstr(path, ".committed") != NULL;
}

static inline int rename_but_commit(void *context, int from_dir, const char *from, int to_dir,
                                    const char *to, unsigned flags)
{
    if (is_commit(to))
        return -EIO;
    return em_sys_native.rename(context, from_dir, from, to_dir, to, flags);
}

static inline int stat_but_commit(void *context, int dir, const char *path, int flags, em_stat *out)
{
    if (nobody_knows && is_commit(path))
        return -EIO;
    return em_sys_native.stat(context, dir, path, flags, out);
}

/* `knows` is false: what became of it cannot be told. */
static inline em_sys system_without_commit(bool knows)
{
    em_sys sys = em_sys_native;
    nobody_knows = !knows;
    sys.rename = rename_but_commit;
    sys.stat = stat_but_commit;
    return sys;
}

#endif

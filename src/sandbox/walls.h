/* walls.h: the two walls of the sandbox, one file each. */
#ifndef EM_SANDBOX_WALLS_H
#define EM_SANDBOX_WALLS_H

#include "sandbox/sandbox.h"

/* In a build with run-time libraries of instruments: the folder of the build, which they may write;
 * else NULL. */
static inline const char *em_relaxed_folder(void)
{
#ifdef EM_SANDBOX_RELAXED
    return EM_SANDBOX_RELAXED;
#else
    return NULL;
#endif
}

/* Each fills *wall. The process must have given up new privileges before. */
void em_wall_calls(const em_sandbox_kernel *kernel, bool network, em_wall *wall);
void em_wall_files(const em_sandbox_kernel *kernel, const em_sandbox_policy *policy, em_wall *wall);

/* Could there be one? The kernel's version of Landlock, 0 for none; wall->why says which or why. */
int em_wall_files_version(const em_sandbox_kernel *kernel, em_wall *wall);

/* Say why there can be no wall; and that there is one, or could be. */
void em_wall_missing(em_wall *wall, const char *format, ...) __attribute__((format(printf, 2, 3)));
void em_wall_there(em_wall *wall, bool stands, const char *format, ...)
    __attribute__((format(printf, 3, 4)));

/* ---- The filter, for tests ------------------------------------------------------------------ */

enum { EM_FILTER_MOST = 512 };

/* The program of em_wall_calls in `out`: how many instructions; 0 where this machine's calls are
 * not known. `relaxed` and `own`, the number of the process, are written into it. */
size_t em_filter_make(bool network, bool relaxed, int own,
                      struct sock_filter out[static EM_FILTER_MOST]);

#endif

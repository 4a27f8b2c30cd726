/* sandbox.h: what this process can reach from now on, held by the kernel.
 *
 * Two walls stand behind the checks of paths, for the day on which one of those is wrong:
 *
 *   files   Landlock: nothing can be opened, made, moved or removed but beneath the folders of the
 *           policy, and nothing can be executed.
 *   calls   seccomp: system calls that emend never makes are refused: other programs and
 *           processes, the network, io_uring, mounts, changes of the owner, mode or attributes of a
 *           file by its path (which Landlock does not cover), ...
 *
 *  (1) There is no way back: it holds for the process, its threads and whatever comes of them.
 *  (2) Descriptors that are open already stay as they are.
 *  (3) Which of it the kernel knows is asked when it is done. What it does not know is left out,
 *      and the report says so.
 *  (4) A wall stands whole or not at all, except that older versions of Landlock know less: before
 *      3 a file that may be read elsewhere could be truncated (were it not for its mode), before 4
 *      there is no network in it, before 6 no signals.
 *
 * A build with sanitizers or counters of coverage is relaxed: their run-time libraries read files
 * everywhere, write counters to the build folder, and start helpers. Then all may be read, the
 * build folder be written, and programs and processes are not refused. Only such a build is.
 *
 * It knows descriptors and nothing of roots, rules or commands. Called before there are threads,
 * but for those that wait for work (base/spare.h), of which none does any afterwards.
 */
#ifndef EM_SANDBOX_SANDBOX_H
#define EM_SANDBOX_SANDBOX_H

#include "sandbox/kernel.h"

#include <stdbool.h>

/* A folder (a descriptor, O_PATH is enough) with all that is beneath it. */
typedef struct em_sandbox_folder {
    int fd;
    bool may_change; /* else it may only be read */
} em_sandbox_folder;

typedef struct em_sandbox_policy {
    const em_sandbox_folder *folders;
    size_t folder_count;
} em_sandbox_policy;

typedef struct em_wall {
    bool stands;
    bool can;     /* it stands, or could */
    char why[96]; /* what of it, "version 7"; or why it does not stand. Never empty */
} em_wall;

typedef struct em_sandbox_report {
    em_wall files, calls;
    bool relaxed; /* see above */
} em_sandbox_report;

/* Give up new privileges and build the wall around calls; report->files says what there is to be
 * had, and does not stand yet. `network`: sockets that are open can be used, and what connects to
 * them be taken; none can be made or connected. Neither function fails: what could not be had is in
 * the report. */
void em_sandbox_calls(const em_sandbox_kernel *kernel, bool network, em_sandbox_report *report);

/* After that, when the folders are known: build the wall around files. */
void em_sandbox_files(const em_sandbox_kernel *kernel, const em_sandbox_policy *policy,
                      em_sandbox_report *report);

/* Let requests for memory fail once the process holds so much of its own (heap, stacks of threads).
 * 0 is half of what the machine has. A relaxed build has no limit: its run-time libraries take
 * terabytes of address space. That the system refuses to limit it is no error. */
void em_sandbox_memory(const em_sandbox_kernel *kernel, uint64_t most);

#endif

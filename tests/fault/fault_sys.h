/* fault_sys.h: a table of system calls that counts what passes, and lets one call go wrong.
 *
 * It stands in front of another table and hands every call on to it. Each call has a number, from
 * 1, in the order in which they are made; as long as the program does the same, a number names the
 * same call in every run. That is what a sweep sweeps over.
 *
 * Besides the one fault of a run it can pretend a weaker system (no O_TMPFILE, a folder that may
 * not be written, ...) and it answers two things differently from the system below: the boot id,
 * which it reads from a file of the test, and time, which passes at once when somebody sleeps.
 */
#ifndef EM_FAULT_SYS_H
#define EM_FAULT_SYS_H

#include "system/sys.h"

/* X(call, changes): the calls of em_sys, and whether one that succeeds may change what is on disk
 * (open: only with O_CREAT, O_TMPFILE or O_TRUNC). */
#define FAULT_CALLS(X)                                                                             \
    X(open, true)                                                                                  \
    X(close, false)                                                                                \
    X(stat, false)                                                                                 \
    X(access, false)                                                                               \
    X(readlink, false)                                                                             \
    X(read, false)                                                                                 \
    X(write, true)                                                                                 \
    X(truncate, true)                                                                              \
    X(reserve, true)                                                                               \
    X(sync, false)                                                                                 \
    X(write_out, false)                                                                            \
    X(flush, false)                                                                                \
    X(chmod, true)                                                                                 \
    X(chown, true)                                                                                 \
    X(listxattr, false)                                                                            \
    X(getxattr, false)                                                                             \
    X(setxattr, true)                                                                              \
    X(link, true)                                                                                  \
    X(unlink, true)                                                                                \
    X(rename, true)                                                                                \
    X(mkdir, true)                                                                                 \
    X(list, false)                                                                                 \
    X(copy, true)                                                                                  \
    X(clone, true)                                                                                 \
    X(lock, false)                                                                                 \
    X(locked, false)                                                                               \
    X(map, false)                                                                                  \
    X(unmap, false)                                                                                \
    X(cwd, false)                                                                                  \
    X(filesystem, false)                                                                           \
    X(release, false)                                                                              \
    X(random, false)                                                                               \
    X(clock, false)                                                                                \
    X(sleep, false)

typedef enum fault_call {
#define FAULT_CALL_ID(call, changes) FAULT_ON_##call,
    FAULT_CALLS(FAULT_CALL_ID)
#undef FAULT_CALL_ID
        FAULT_CALL_COUNT,
} fault_call;

const char *fault_call_name(fault_call call);

typedef enum fault_kind {
    FAULT_NONE,
    FAULT_ERROR, /* not made, returns -error; a close is made and then returns it, as in Linux */
    FAULT_SHORT, /* read, write, copy: of one byte at most */
    FAULT_END,   /* read, copy: 0, as at the end of a file */
    FAULT_HOOK,  /* `hook` runs, then the call is made */
    FAULT_HOOK_AFTER, /* the call is made, then `hook` runs */
} fault_kind;

typedef struct fault {
    fault_kind kind;
    long at;    /* which call, from 1; 0: none */
    long times; /* FAULT_ERROR: how many calls of this name fail, from `at` on; 0 is 1 */
    int error;  /* an errno */
    void (*hook)(void *context);
    void *context;
} fault;

/* What the system is made to lack. */
enum {
    FAULT_NO_TMPFILE = 1,  /* open(O_TMPFILE): EOPNOTSUPP */
    FAULT_NO_EXCHANGE = 2, /* rename(RENAME_EXCHANGE): EINVAL */
    FAULT_NO_CLONE = 4,    /* clone, copy: EOPNOTSUPP */
    FAULT_NO_MAGIC = 8,    /* filesystem: one that nobody knows, which may move bytes as it likes */
};

/* One call that was made. */
typedef struct fault_trace {
    fault_call call;
    bool changed;  /* it succeeded and may have changed what is on disk */
    char what[48]; /* its name and what it is about, in words, if the table describes */
} fault_trace;

typedef struct fault_sys {
    em_sys sys; /* to hand to the code under test; its context is this struct */
    const em_sys *below;

    unsigned lacks;
    size_t transfer;     /* most bytes of one read, write or copy; 0: no limit */
    bool stutters;       /* every call that signals can interrupt fails with EINTR, then goes */
    const char *boot_id; /* path of the file that stands for the kernel's boot id, or NULL */
    uint64_t closed_dev, closed_ino; /* a folder in which nothing can be made, renamed or removed */

    void (*before_rename)(void *context); /* runs once, just before the first rename that is made */
    void *before_rename_context;
    void (*before_each)(void *context); /* runs before every call */
    void *before_each_context;

    bool describes; /* say in the trace what each call is about */

    fault fault;

    long calls;
    bool hit;             /* the fault happened */
    bool hit_sync_folder; /* it was the sync of a folder */
    fault_call hit_call;
    char hit_what[256]; /* the call it hit, in words: "rename .emend-0123 a.txt" */
    fault_trace *trace; /* one for each call; NULL when memory ran out */
    size_t trace_room;
    bool stuttered[FAULT_CALL_COUNT]; /* the last call of this name failed so */
    long long slept;                  /* nanoseconds that clocks are ahead of the system's */
} fault_sys;

/* Set up *f in front of `below`, with no fault. fault_sys_drop() frees its trace. *f must not move.
 */
void fault_sys_init(fault_sys *f, const em_sys *below);
void fault_sys_drop(fault_sys *f);

/* Can a signal interrupt this call, at least on a file system that waits for a server or a process
 * (so that EINTR must not make it fail)? Not close: its descriptor is gone then. */
bool fault_interruptible(fault_call call);

#endif

/* recovery_end.h: how what a dead process left half done may end, and what is told of that.
 *
 * Who recovers, in whatever part, has these words in common: recover.h the whole, repair.h a row,
 * unwind_file.h and unwind.h a transaction.
 */
#ifndef EM_WORKSPACE_RECOVERY_END_H
#define EM_WORKSPACE_RECOVERY_END_H

#include "base/slice.h"

#include <stdint.h>

/* How the recovery of one row ended. */
typedef enum em_recovery_end {
    EM_RECOVERED_DONE,      /* the change was made: it is in the history now */
    EM_RECOVERED_UNDONE,    /* the change was not made: nothing is left of it */
    EM_RECOVERED_KEPT,      /* made, and what somebody wrote to the old file is kept: `stray` */
    EM_RECOVERED_FORGOTTEN, /* a person said so: what became of it is not known; `stray` may be
                               left, where its folder is now */
    EM_LEFT_HELD,           /* its process is at work */
    EM_LEFT_IN_GRACE,       /* made; its process keeps the old file for late writes: `stray` */
    EM_LEFT_UNREACHABLE,    /* its folder is not there; `detail` says what is */
    EM_LEFT_UNREADABLE,     /* something failed; `detail` says what */
    EM_LEFT_DAMAGED,        /* the journal of its transaction cannot be read; `detail` says why */
    EM_LEFT_TO_PERSON,      /* target and stray both hold content that is not ours */
    EM_RECOVERY_NOT_TRIED,  /* only listed */
} em_recovery_end;

typedef struct em_recovered {
    char id[64];
    const char *txn;           /* of the transaction over several files; NULL */
    const char *path;          /* of the file, absolute; "" of a damaged row, or journal */
    const char *stray;         /* of the temporary name or the copy, absolute; NULL without one */
    const char *detail;        /* why it was left; "" else */
    bool in_other;             /* left, and another folder in the place of its own holds `stray` */
    const char *tool, *client; /* who made the change; NULL where unknown */
    int64_t time_ms;           /* when; since 1970 */
    em_recovery_end end;
} em_recovered;

typedef struct em_recovery {
    em_recovered *items;
    size_t count, room;
} em_recovery;

/* What a person chose for a row that is left to a person. */
typedef enum em_keep { EM_KEEP_ASK, EM_KEEP_TARGET, EM_KEEP_STRAY } em_keep;

#endif

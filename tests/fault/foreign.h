/* foreign.h: writers that know nothing of emend, and take no lock. */
#ifndef EM_FAULT_FOREIGN_H
#define EM_FAULT_FOREIGN_H

#include "base/slice.h"
#include "system/sys.h"

typedef enum foreign_kind {
    FOREIGN_RENAME,   /* a careful editor: a file of its own, fsync, rename, fsync of the folder */
    FOREIGN_TRUNCATE, /* open(O_TRUNC), write, fsync: the inode stays */
    FOREIGN_APPEND,   /* write at the end */
    FOREIGN_QUIET,    /* write over the first bytes, as many, and put the time back */
    FOREIGN_REMOVE,
    FOREIGN_KINDS,
} foreign_kind;

const char *foreign_name(foreign_kind kind);

/* Write `bytes` (FOREIGN_APPEND: what is appended) to `path` below `root`, or remove it. Folders
 * that are missing are made. False when there was nothing to remove, or to write over quietly. */
bool foreign_write(foreign_kind kind, const em_sys *sys, const char *root, const char *path,
                   em_slice bytes);

/* The two halves of FOREIGN_TRUNCATE, for a writer that is slow: the descriptor, and the rest. */
int foreign_open(const em_sys *sys, const char *root, const char *path);
void foreign_finish(const em_sys *sys, int fd, em_slice bytes);

#endif

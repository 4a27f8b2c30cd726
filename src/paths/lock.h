/* lock.h: one lock per file that is changed, which outlives the file's replacement.
 *
 * The key of a lock is the folder (device and inode) and the name in it; for a folder that does not
 * exist yet, the deepest one that does and the rest of the path. So it is the same from every root
 * that leads there, and whatever inode the name stands for. A key takes one of 1,024 slots, by its
 * hash; a slot is a byte of one file in locks/, which is never removed, so that a change of a
 * thousand files needs one descriptor for all of its locks. The device is left out of the hash: the
 * same shared file system has another number on each machine, and one slot for two keys only makes
 * them wait for each other.
 *
 *  (1) Locks are open file description locks: they die with their holder, and two workspaces of one
 *      process exclude each other too.
 *  (2) Within one workspace a slot is shared: two of its files may have the same.
 *  (3) Several at once are taken in ascending order of their slots.
 *
 * A row of the history that is made, and whose old file is kept for a while (grace.h), has a lock
 * of its own, far behind the slots: nobody waits for it, it only says that its owner lives.
 */
#ifndef EM_PATHS_LOCK_H
#define EM_PATHS_LOCK_H

#include "base/cancel.h"
#include "base/status.h"
#include "system/sys.h"

enum { EM_LOCK_SLOTS = 1024 };

typedef struct em_locks {
    const em_sys *sys;
    int dir;                    /* O_PATH of locks/; borrowed */
    const char *folder;         /* the state directory, for errors; borrowed, NULL: not told */
    const em_cancel *cancel;    /* asked while a lock is waited for; borrowed, NULL: none */
    struct em_lock_held *first; /* those that this workspace holds */
    int fd;                     /* of the file, as long as it holds any */
    size_t rows;                /* how many rows it owns */
    int rows_fd;                /* of the file, as long as it owns any */
} em_locks;

/* The slot of `rest` ("name", "folder/name") in the folder with this inode. */
unsigned em_lock_slot(uint64_t folder_ino, const char *rest);

/* Take the lock, or wait for it; `timeout_ms` is the longest wait. EM_E_TIMEOUT: the detail names
 * the holder, and may say that the program is to end, or says that what it is for was cancelled
 * meanwhile. EM_E_IO, EM_E_PERMISSION: the lock file cannot be used. */
em_status em_lock_take(em_locks *locks, unsigned slot, long timeout_ms, em_error *err);

void em_lock_release(em_locks *locks, unsigned slot);

/* Own a row (its id), and give it back. That a row cannot be owned is a failure, EM_E_IO or
 * EM_E_PERMISSION: others will then take its owner for dead. */
em_status em_lock_row_own(em_locks *locks, int64_t row, em_error *err);
void em_lock_row_release(em_locks *locks, int64_t row);

/* Does a workspace own the row, be it this one or another, in this process or another? */
em_status em_lock_row_is_owned(const em_locks *locks, int64_t row, bool *owned, em_error *err);

/* Does anybody hold the slot? That may be over at once. */
em_status em_lock_is_held(const em_locks *locks, unsigned slot, bool *held, em_error *err);

/* Release what is still held. */
void em_locks_drop(em_locks *locks);

#endif

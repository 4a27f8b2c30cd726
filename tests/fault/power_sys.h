/* power_sys.h: a store that forgets what was not synced when the power goes.
 *
 * It stands between the code under test and the real system, em_sys_native. Every call is made for
 * real, beneath one folder; beside it the store keeps what a disk would hold if the power went now:
 *
 *  (1) of each file, the bytes, mode, owner, times and attributes of its last fsync (fdatasync: the
 *      bytes alone), and each write since, in order;
 *  (2) of each folder, the names of its last fsync, and each call since that made, removed or
 *      exchanged names, in order. Such a call is atomic: it is on the disk or it is not.
 *
 * A new file is durably empty, and has durably no name. The fsync of a file says nothing about its
 * name, nor that of a folder about the files in it: stricter than most file systems, so that
 * nothing rests on the good will of one.
 *
 * What happens to be on the disk is some of what was not synced. power_cut() picks one of those
 * outcomes and makes the real folders look like it, inode numbers included. For that no file is
 * really removed before: it is moved to a folder beside, the vault.
 *
 * What is stored into mapped memory is neither durable nor kept in order: after a cut the file
 * holds it, or not, with the other writes to that file.
 */
#ifndef EM_POWER_SYS_H
#define EM_POWER_SYS_H

#include "system/sys.h"

enum { POWER_MAPS = 16 };

typedef struct power_sys {
    em_sys sys; /* to hand on; its context is this struct */
    struct power_model *model;
    struct {
        void *at;
        size_t size;
    } maps[POWER_MAPS]; /* that are there */
    int map_count;
} power_sys;

/* Watch the tree below `folder`; all that is there counts as synced. `vault` is a folder on the
 * same file system that does not exist yet. power_sys_drop() removes the vault. *p must not move.
 */
void power_sys_init(power_sys *p, const char *folder, const char *vault);
void power_sys_drop(power_sys *p);

/* What the system does for a process that ends without it: memory that is still mapped keeps the
 * locks of its file. */
void power_sys_unmap(power_sys *p);

/* Grows with each call after which a cut may have other outcomes than before. */
long power_changes(const power_sys *p);

/* What a cut now would leave undecided. */
typedef struct power_pending {
    int names; /* calls that changed names */
    int files; /* files with bytes or other facts that were not synced */
} power_pending;
power_pending power_pending_of(const power_sys *p);

/* How many outcomes are tried then; at least 1. `many`: with every single call that is missing or
 * alone on the disk. */
int power_outcomes(power_pending pending, bool many);

/* Outcome `index` in words: "names all, data none". */
void power_outcome_name(power_pending pending, bool many, int index, char *out, size_t size);

/* The power goes: make the folder look like outcome `index`. Afterwards *p can only be dropped, and
 * descriptors into the folder must not be used. */
void power_cut(power_sys *p, bool many, int index);

#endif

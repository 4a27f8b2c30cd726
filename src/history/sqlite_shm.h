/* sqlite_shm.h: the memory that the connections to a database with a write-ahead log share: the
 * index of the log, and the locks of readers, writers and checkpoints.
 *
 * It is the file "DATABASE-shm", mapped; see https://www.sqlite.org/walformat.html and the comments
 * of SQLite's os_unix.c, with whose connections of other processes these get along. In this process
 * each of ours that is closed would take the locks of those.
 *
 *  (1) Locks belong to the open file description, and each connection has one of its own. So two
 *      connections of one process exclude each other as two processes do.
 *  (2) Nothing in the file outlives those who use it. Each connection holds a read lock on one
 *      byte, the dead man's switch, as long as it lives; who comes while nobody holds it makes the
 *      file empty, and SQLite then reads the log again. So it does not matter what is left of it by
 *      processes that were killed, or after a power cut.
 *  (3) Where it can only be read, it is used only while somebody else keeps it true. Where nobody
 *      does, or it is missing and cannot be made, SQLite keeps an index of its own.
 *
 * Where several machines share the file system none of this holds: memory is not shared there, and
 * a database must have no write-ahead log.
 */
#ifndef EM_HISTORY_SQLITE_SHM_H
#define EM_HISTORY_SQLITE_SHM_H

#include "system/sys.h"

#include <limits.h>

enum { EM_SQLITE_SHM_PATH = PATH_MAX + 8 };

/* What one connection has of it; {.sys, .fd = -1} before it is first asked for. */
typedef struct em_sqlite_shm {
    const em_sys *sys;
    int fd;      /* -1: not open */
    bool shared; /* our read lock on the dead man's switch says that somebody uses it */
    bool readonly;
    void **pieces; /* mapped; owned */
    int piece_count;
    size_t piece_size;
    int error; /* the errno of the last call that failed */
} em_sqlite_shm;

/* The path of the memory's file, for the database at `path`. */
void em_sqlite_shm_path(const char *path, char out[static EM_SQLITE_SHM_PATH]);

/* Each of the others returns one of SQLite's codes: what the method of its name owes SQLite. */

/* The part number `region`, each of `size` bytes, of the memory of the database at `path`. Without
 * `extend` *out is NULL where the memory does not reach so far yet. SQLITE_READONLY: it can only be
 * read; SQLITE_READONLY_CANTINIT: (3). */
int em_sqlite_shm_map(em_sqlite_shm *shm, const char *path, int region, int size, bool extend,
                      void volatile **out);

/* `flags`: SQLITE_SHM_LOCK or SQLITE_SHM_UNLOCK, with SQLITE_SHM_SHARED or SQLITE_SHM_EXCLUSIVE.
 * SQLITE_BUSY when somebody else is in the way. */
int em_sqlite_shm_lock(em_sqlite_shm *shm, int first, int count, int flags);

void em_sqlite_shm_barrier(void);

/* Give up memory and locks; `remove`: and the file. */
int em_sqlite_shm_unmap(em_sqlite_shm *shm, const char *path, bool remove);

#endif

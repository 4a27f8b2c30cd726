/* sqlite_vfs.h: SQLite's file access through an em_sys, so that its calls are swept like ours.
 *
 * Rollback journals everywhere, a write-ahead log where memory can be shared (sqlite_shm.h); no
 * memory maps of the database. Locks are SQLite's usual byte ranges (pending, reserved, shared),
 * taken as open file description locks. See https://www.sqlite.org/vfs.html and the comments of
 * SQLite's os_unix.c for what each method owes.
 *
 * There are no temporary files: a connection must say `PRAGMA temp_store = MEMORY`, or a statement
 * that needs one fails with SQLITE_CANTOPEN. Files are made with mode 0600, and a database or
 * journal that is a symbolic link is refused. A VFS is for the connections to one database.
 */
#ifndef EM_HISTORY_SQLITE_VFS_H
#define EM_HISTORY_SQLITE_VFS_H

#include "base/status.h"
#include "system/sys.h"

typedef struct em_sqlite_vfs em_sqlite_vfs;

/* Register a VFS of its own name over `sys`, which must outlive it. `shared_memory`: the files lie
 * where no other machine uses them. The caller's: em_sqlite_vfs_free(), after every database opened
 * with it is closed. */
em_status em_sqlite_vfs_new(const em_sys *sys, bool shared_memory, em_sqlite_vfs **out);
void em_sqlite_vfs_free(em_sqlite_vfs *vfs);

/* The name to hand to sqlite3_open_v2(). */
const char *em_sqlite_vfs_name(const em_sqlite_vfs *vfs);

/* The errno of the last call under this VFS that failed, for the detail of an error; 0 if none. */
int em_sqlite_vfs_errno(const em_sqlite_vfs *vfs);

#endif

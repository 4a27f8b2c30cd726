/* sqlite_log.h: what goes to a write-ahead log at once.
 *
 * SQLite writes a commit to its log page by page, a head of 24 bytes before each: a dozen small
 * writes for one change. They are adjacent, so they are gathered here and written together.
 *
 *  (1) A commit is written, or has failed, when the write of its last page returns. Only what goes
 *      on where the write before it ended is gathered: heads that SQLite mends later are not.
 *  (2) Whatever else is done with the file finds it as if each write had been made.
 *  (3) What is gathered belongs to whoever holds the write lock of the log. When that is given up,
 *      what is left is of a transaction that was taken back: it is forgotten, and never written
 *      over what somebody else has put there since.
 */
#ifndef EM_HISTORY_SQLITE_LOG_H
#define EM_HISTORY_SQLITE_LOG_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct em_sqlite_log {
    char *bytes; /* owned; NULL: none yet, or no memory for them */
    size_t length;
    int64_t end;  /* in the file, of the last write, gathered or made */
    bool commits; /* the next page ends a commit */
} em_sqlite_log;

/* How bytes get to the file: one of SQLite's codes. */
typedef struct em_sqlite_log_writer {
    int (*write)(void *context, const void *bytes, size_t size, int64_t offset);
    void *context;
} em_sqlite_log_writer;

/* Take a write. SQLITE_OK, or what a write failed with: then what was gathered is gone. */
int em_sqlite_log_write(em_sqlite_log *log, const em_sqlite_log_writer *writer, const void *bytes,
                        size_t size, int64_t offset);

/* Write what is gathered; the same. */
int em_sqlite_log_flush(em_sqlite_log *log, const em_sqlite_log_writer *writer);

/* Forget what is gathered. */
void em_sqlite_log_forget(em_sqlite_log *log);

void em_sqlite_log_drop(em_sqlite_log *log);

#endif

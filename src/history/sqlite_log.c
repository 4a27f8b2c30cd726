#include "history/sqlite_log.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum {
    ROOM = 64 << 10,
    HEAD = 24,   /* bytes before each page: https://www.sqlite.org/fileformat2.html#walformat */
    SIZE_AT = 4, /* of the head: the size of the database after a commit, 0 for other pages */
    SIZE_LEN = 4,
};

int em_sqlite_log_flush(em_sqlite_log *log, const em_sqlite_log_writer *writer)
{
    size_t length = log->length;
    log->length = 0;
    if (length == 0)
        return SQLITE_OK;
    return writer->write(writer->context, log->bytes, length, log->end - (int64_t)length);
}

static bool has_room(em_sqlite_log *log, size_t size)
{
    if (!log->bytes)
        log->bytes = malloc(ROOM);
    return log->bytes && size <= ROOM - log->length;
}

/* Is it the head of the page that ends a commit? */
static bool ends_commit(const char *bytes, size_t size)
{
    static const char none[SIZE_LEN];
    return size == HEAD && memcmp(bytes + SIZE_AT, none, SIZE_LEN) != 0;
}

int em_sqlite_log_write(em_sqlite_log *log, const em_sqlite_log_writer *writer, const void *bytes,
                        size_t size, int64_t offset)
{
    bool goes_on = offset == log->end, was_last = log->commits;
    if (!goes_on || !has_room(log, size)) {
        int code = em_sqlite_log_flush(log, writer);
        if (code != SQLITE_OK)
            return code;
    }
    bool at_once = !goes_on || !has_room(log, size);
    log->end = offset + (int64_t)size;
    log->commits = ends_commit(bytes, size);
    if (at_once)
        return writer->write(writer->context, bytes, size, offset);
    memcpy(log->bytes + log->length, bytes, size);
    log->length += size;
    return was_last ? em_sqlite_log_flush(log, writer) : SQLITE_OK;
}

void em_sqlite_log_forget(em_sqlite_log *log)
{
    log->end -= (int64_t)log->length;
    log->length = 0;
    log->commits = false;
}

void em_sqlite_log_drop(em_sqlite_log *log)
{
    free(log->bytes);
    *log = (em_sqlite_log){.bytes = NULL};
}

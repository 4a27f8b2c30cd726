#include "memory.h"

#include "failing_memory.h"
#include "world.h"

#include <sqlite3.h>

static struct {
    memory_plan plan;
    bool counts;
    long requests;
    sqlite3_mem_methods sqlite; /* its own */
} memory;

bool memory_is_refused(void)
{
    if (!memory.counts)
        return false;
    long number = ++memory.requests, at = memory.plan.at;
    return at > 0 && (memory.plan.for_good ? number >= at : number == at);
}

/* ---- SQLite's ------------------------------------------------------------------------------ */

static void *sqlite_malloc(int size)
{
    return memory.plan.sqlite && memory_is_refused() ? NULL : memory.sqlite.xMalloc(size);
}

static void *sqlite_realloc(void *old, int size)
{
    return memory.plan.sqlite && memory_is_refused() ? NULL : memory.sqlite.xRealloc(old, size);
}

void memory_init(void)
{
    world_must(sqlite3_config(SQLITE_CONFIG_GETMALLOC, &memory.sqlite) == SQLITE_OK, "SQLite");
    sqlite3_mem_methods counted = memory.sqlite;
    counted.xMalloc = sqlite_malloc;
    counted.xRealloc = sqlite_realloc;
    world_must(sqlite3_config(SQLITE_CONFIG_MALLOC, &counted) == SQLITE_OK, "SQLite");
}

void memory_start(memory_plan plan)
{
    memory.plan = plan;
    memory.requests = 0;
    memory.counts = true;
}

long memory_stop(void)
{
    memory.counts = false;
    return memory.requests;
}

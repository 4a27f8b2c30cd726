/* memory.h: memory that runs out: the nth request for it, emend's or SQLite's, is refused. What is
 * asked of an arena counts too, although most of it comes from a block that is there.
 *
 * For a program that is linked with memory.c and what failing_memory.h names.
 */
#ifndef EM_FAULT_MEMORY_H
#define EM_FAULT_MEMORY_H

#include <stdbool.h>

typedef struct memory_plan {
    long at;       /* which request is refused, from 1; 0: none, they are only counted */
    bool for_good; /* and every one after it */
    bool sqlite;   /* SQLite's requests count too */
} memory_plan;

/* Once, before SQLite is used. */
void memory_init(void);

/* From now on requests count; until memory_stop(), which says how many there were. */
void memory_start(memory_plan plan);
long memory_stop(void);

#endif

/* clock.h: what time it is. */
#ifndef EM_BASE_CLOCK_H
#define EM_BASE_CLOCK_H

#include <stdint.h>
#include <time.h>

/* By a clock that is never set: for how long something takes, and when something is due. */
int64_t em_monotonic_ms(void);
int64_t em_monotonic_ns(void);

/* Milliseconds since 1970, by the clock that people set: for what is told to people, or kept. */
int64_t em_wall_ms(void);

/* Such a time as people here read it: "2026-11-29 18:04:05". */
enum { EM_LOCAL_TIME_SIZE = 32 };
void em_local_time_text(int64_t ms, char out[EM_LOCAL_TIME_SIZE]);

/* A point in time in whole milliseconds, rounded down. */
int64_t em_ms_of(struct timespec time);

#endif

#include "base/clock.h"

static struct timespec read_clock(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now;
}

int64_t em_ms_of(struct timespec time)
{
    return (int64_t)time.tv_sec * 1000 + time.tv_nsec / 1000000;
}

int64_t em_monotonic_ms(void)
{
    return em_ms_of(read_clock(CLOCK_MONOTONIC));
}

int64_t em_monotonic_ns(void)
{
    struct timespec now = read_clock(CLOCK_MONOTONIC);
    return (int64_t)now.tv_sec * 1000000000 + now.tv_nsec;
}

int64_t em_wall_ms(void)
{
    return em_ms_of(read_clock(CLOCK_REALTIME));
}

void em_local_time_text(int64_t ms, char out[EM_LOCAL_TIME_SIZE])
{
    time_t seconds = (time_t)(ms / 1000);
    struct tm local = {0};
    localtime_r(&seconds, &local);
    strftime(out, EM_LOCAL_TIME_SIZE, "%Y-%m-%d %H:%M:%S", &local);
}

#include "base/clock.h"

#include <time.h>

#include "../with_cmocka.h"

static void the_monotonic_clock_goes_on(void **state)
{
    (void)state;
    const struct timespec pause = {.tv_nsec = 20 * 1000000};
    int64_t ms = em_monotonic_ms(), ns = em_monotonic_ns();
    nanosleep(&pause, NULL);
    assert_true(em_monotonic_ms() - ms >= 19);
    assert_true(em_monotonic_ns() - ns >= 20 * 1000000);
    assert_true(em_monotonic_ns() / 1000000 - em_monotonic_ms() < 60 * 1000);
}

static void the_wall_clock_counts_from_1970(void **state)
{
    (void)state;
    int64_t seconds = (int64_t)time(NULL);
    int64_t ms = em_wall_ms();
    assert_true(ms >= seconds * 1000 && ms < (seconds + 60) * 1000);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_monotonic_clock_goes_on),
        cmocka_unit_test(the_wall_clock_counts_from_1970),
    };
    return cmocka_run_group_tests_name("clock", tests, NULL, NULL);
}

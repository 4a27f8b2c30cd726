#include "base/beside.h"

#include <sched.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

typedef struct job {
    pthread_t by;
    int times;
} job;

static void work(void *context)
{
    job *j = context;
    j->by = pthread_self();
    j->times++;
}

static job done_beside(void)
{
    job j = {.times = 0};
    em_beside beside;
    em_beside_begin(&beside, work, &j);
    em_beside_end(&beside);
    em_beside_end(&beside); /* nothing is left to be done */
    assert_int_equal(j.times, 1);
    return j;
}

static void another_thread_does_it(void **state)
{
    (void)state;
    cpu_set_t processors;
    assert_int_equal(sched_getaffinity(0, sizeof processors, &processors), 0);
    bool alone = CPU_COUNT(&processors) == 1;
    assert_int_equal(pthread_equal(done_beside().by, pthread_self()) != 0, alone);
}

static void on_one_processor_this_one_does(void **state)
{
    (void)state;
    cpu_set_t all, here;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&here);
    CPU_SET((size_t)sched_getcpu(), &here);
    assert_int_equal(sched_setaffinity(0, sizeof here, &here), 0);
    job j = done_beside();
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    assert_true(pthread_equal(j.by, pthread_self()));
}

static void nothing_was_begun(void **state)
{
    (void)state;
    em_beside none = {.work = NULL};
    em_beside_end(&none);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(another_thread_does_it),
        cmocka_unit_test(on_one_processor_this_one_does),
        cmocka_unit_test(nothing_was_begun),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

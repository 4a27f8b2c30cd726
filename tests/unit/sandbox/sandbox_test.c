/* The two walls together. */
#include "base/spare.h"
#include "fake_kernel.h"

#include <semaphore.h>
#include <unistd.h>

static void calls_first_then_files(void **state)
{
    (void)state;
    em_sandbox_folder folder = {0, true};
    em_sandbox_policy policy = {&folder, 1};
    em_sandbox_report report;
    fake_kernel fake;
    fake_kernel_init(&fake, 7);
    em_sandbox_calls(&fake.kernel, false, &report);
    assert_true(report.calls.stands && report.files.can && !report.files.stands);
    assert_int_equal(fake.restricted, 0);
    em_sandbox_files(&fake.kernel, &policy, &report);
    assert_true(report.files.stands);
    assert_int_equal(fake.restricted, 1);
    assert_int_equal(fake.given_up, 1);
    assert_int_equal(report.relaxed, em_relaxed_folder() != NULL);
}

static void one_without_the_other(void **state)
{
    (void)state;
    em_sandbox_policy policy = {.folder_count = 0};
    em_sandbox_report report;
    fake_kernel fake;
    fake_kernel_init(&fake, -ENOSYS);
    em_sandbox_calls(&fake.kernel, false, &report);
    assert_true(report.calls.stands && !report.files.can);
    em_sandbox_files(&fake.kernel, &policy, &report);
    assert_false(report.files.stands);
    assert_string_equal(report.files.why, "the kernel does not have it");

    fake_kernel_init(&fake, 7);
    fake.filter_result = -EINVAL;
    em_sandbox_calls(&fake.kernel, false, &report);
    assert_true(!report.calls.stands && !report.calls.can && report.files.can);
    em_sandbox_files(&fake.kernel, &policy, &report);
    assert_true(report.files.stands);
}

static void neither_where_privileges_can_come_back(void **state)
{
    (void)state;
    em_sandbox_policy policy = {.folder_count = 0};
    em_sandbox_report report;
    fake_kernel fake;
    fake_kernel_init(&fake, 7);
    fake.privileges_result = -EINVAL;
    em_sandbox_calls(&fake.kernel, false, &report);
    em_sandbox_files(&fake.kernel, &policy, &report);
    assert_false(report.calls.can || report.files.can || report.files.stands);
    assert_string_equal(report.calls.why, "no_new_privs: Invalid argument");
    assert_int_equal(fake.filtered + fake.restricted, 0);
}

typedef struct errand {
    pid_t by;
    sem_t done;
} errand;

static void note_thread(void *context)
{
    errand *e = context;
    e->by = gettid();
    sem_post(&e->done);
}

/* The thread that does some work, which soon waits for more. */
static pid_t who_works(void)
{
    cpu_set_t all;
    errand e;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    sem_init(&e.done, 0, 0);
    assert_true(em_spare_begin(&all, note_thread, &e));
    sem_wait(&e.done);
    usleep(50 * 1000);
    return e.by;
}

/* It is not behind the walls. */
static void a_thread_that_was_there_before_works_no_more(void **state)
{
    (void)state;
    em_sandbox_policy policy = {.folder_count = 0};
    em_sandbox_report report;
    fake_kernel fake;
    fake_kernel_init(&fake, 7);
    pid_t first = who_works();
    em_sandbox_calls(&fake.kernel, false, &report);
    pid_t second = who_works();
    assert_int_not_equal(second, first);
    em_sandbox_files(&fake.kernel, &policy, &report);
    assert_int_not_equal(who_works(), second);
}

static void memory_is_what_was_asked_for_or_half_of_it_all(void **state)
{
    (void)state;
    fake_kernel fake;
    uint64_t all = (uint64_t)sysconf(_SC_PHYS_PAGES) * (uint64_t)sysconf(_SC_PAGESIZE);
    bool limited = em_relaxed_folder() == NULL;
    fake_kernel_init(&fake, 7);
    em_sandbox_memory(&fake.kernel, 4711);
    assert_int_equal(fake.memory, limited ? 4711 : 0);
    em_sandbox_memory(&fake.kernel, 0);
    assert_int_equal(fake.memory, limited ? all / 2 : 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_first_then_files),
        cmocka_unit_test(one_without_the_other),
        cmocka_unit_test(a_thread_that_was_there_before_works_no_more),
        cmocka_unit_test(memory_is_what_was_asked_for_or_half_of_it_all),
        cmocka_unit_test(neither_where_privileges_can_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

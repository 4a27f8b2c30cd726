#include "system/closer.h"

#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

#include "../with_cmocka.h"
#include "threads.h"

enum { ENOUGH = 1 << 20, MANY = 100 };

static bool is_open(int fd)
{
    return fcntl(fd, F_GETFD) >= 0;
}

static int some_file(void)
{
    int fd = open("/dev/null", O_RDONLY | O_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

static void all_that_was_taken_is_closed(void **state)
{
    (void)state;
    em_closer *closer = em_closer_new(&em_sys_native);
    int fds[MANY];
    bool taken[MANY];
    assert_non_null(closer);
    for (size_t i = 0; i < MANY; i++) {
        fds[i] = some_file();
        taken[i] = em_closer_take(closer, fds[i], ENOUGH);
        if (!taken[i]) /* too many wait */
            close(fds[i]);
    }
    assert_true(taken[0]);
    em_closer_free(closer);
    for (size_t i = 0; i < MANY; i++)
        assert_false(is_open(fds[i]));
}

static void what_is_small_or_large_is_not_taken(void **state)
{
    (void)state;
    em_closer *closer = em_closer_new(&em_sys_native);
    int fd = some_file();
    assert_non_null(closer);
    assert_false(em_closer_take(closer, fd, 0));
    assert_false(em_closer_take(closer, fd, 1000));
    assert_false(em_closer_take(closer, fd, EM_CLOSER_MOST + 1));
    assert_false(em_closer_take(NULL, fd, ENOUGH));
    em_closer_free(closer);
    em_closer_free(NULL);
    assert_true(is_open(fd));
    close(fd);
}

static void who_lacks_room_can_wait(void **state)
{
    (void)state;
    em_closer *closer = em_closer_new(&em_sys_native);
    int fd = some_file();
    assert_non_null(closer);
    assert_false(em_closer_drain(NULL));
    assert_false(em_closer_drain(closer));
    assert_true(em_closer_take(closer, fd, EM_CLOSER_MOST));
    assert_true(em_closer_drain(closer));
    assert_false(is_open(fd));
    assert_false(em_closer_drain(closer));
    em_closer_free(closer);
}

/* ---- A disk that is slow -------------------------------------------------------------------- */

static pthread_mutex_t disk = PTHREAD_MUTEX_INITIALIZER;
static int closed;

static int slow_close(void *context, int fd)
{
    (void)context;
    pthread_mutex_lock(&disk);
    closed++;
    pthread_mutex_unlock(&disk);
    return close(fd);
}

static void no_more_wait_than_a_few(void **state)
{
    (void)state;
    em_sys slow = em_sys_native;
    int taken = 0;
    slow.close = slow_close;
    em_closer *closer = em_closer_new(&slow);
    assert_non_null(closer);
    pthread_mutex_lock(&disk);
    for (size_t i = 0; i < MANY; i++) {
        int fd = some_file();
        if (em_closer_take(closer, fd, ENOUGH))
            taken++;
        else
            close(fd);
    }
    pthread_mutex_unlock(&disk);
    em_closer_free(closer);
    assert_in_range(taken, 4, 5); /* and one that it is closing */
    assert_int_equal(closed, taken);
}

static void no_more_bytes_wait_than_the_disk_can_lack(void **state)
{
    (void)state;
    em_sys slow = em_sys_native;
    int one = some_file(), other = some_file(), third = some_file();
    slow.close = slow_close;
    em_closer *closer = em_closer_new(&slow);
    assert_non_null(closer);
    pthread_mutex_lock(&disk);
    assert_true(em_closer_take(closer, one, EM_CLOSER_MOST / 2));
    assert_true(em_closer_take(closer, other, EM_CLOSER_MOST / 2));
    assert_false(em_closer_take(closer, third, ENOUGH));
    pthread_mutex_unlock(&disk);
    assert_true(em_closer_drain(closer));
    assert_true(em_closer_take(closer, third, ENOUGH));
    em_closer_free(closer);
    assert_false(is_open(one) || is_open(other) || is_open(third));
}

/* ---- No thread ------------------------------------------------------------------------------- */

static void without_a_thread_nothing_is_taken(void **state)
{
    (void)state;
    em_closer *closer = em_closer_new(&em_sys_native);
    int fd = some_file();
    assert_non_null(closer);
    threads_fail = true;
    assert_false(em_closer_take(closer, fd, ENOUGH));
    threads_fail = false;
    assert_false(em_closer_take(closer, fd, ENOUGH)); /* it is not tried for each file */
    em_closer_free(closer);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_that_was_taken_is_closed),
        cmocka_unit_test(what_is_small_or_large_is_not_taken),
        cmocka_unit_test(who_lacks_room_can_wait),
        cmocka_unit_test(no_more_wait_than_a_few),
        cmocka_unit_test(no_more_bytes_wait_than_the_disk_can_lack),
        cmocka_unit_test(without_a_thread_nothing_is_taken),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

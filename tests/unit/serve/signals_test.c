#include "check.h"

#include "serve/signals.h"

#include <poll.h>
#include <sys/resource.h>
#include <unistd.h>

static bool is_held(int number)
{
    sigset_t held;
    assert_int_equal(pthread_sigmask(SIG_SETMASK, NULL, &held), 0);
    return sigismember(&held, number);
}

static void hold(int how, int number)
{
    sigset_t one;
    sigemptyset(&one);
    sigaddset(&one, number);
    assert_int_equal(pthread_sigmask(how, &one, NULL), 0);
}

static bool has_come(const em_signals *signals)
{
    struct pollfd fd = {.fd = signals->fd, .events = POLLIN};
    return poll(&fd, 1, 0) > 0;
}

static void they_wait_and_are_not_delivered_again(void **state)
{
    em_signals signals;
    (void)state;
    em_signals_take(&signals);
    assert_true(signals.fd >= 0);
    assert_false(has_come(&signals));
    raise(SIGTERM);
    raise(SIGPIPE);
    assert_true(has_come(&signals));
    em_signals_give_back(&signals);
    assert_false(is_held(SIGTERM));
}

static void one_that_is_ignored_stays_so(void **state)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    em_signals signals;
    (void)state;
    sigaction(SIGHUP, &ignore, &before);
    em_signals_take(&signals);
    raise(SIGHUP);
    assert_false(has_come(&signals));
    em_signals_give_back(&signals);
    sigaction(SIGHUP, &before, NULL);
}

/* Whoever held them back before would never let them through: nothing could end the program. */
static void without_a_descriptor_they_kill(void **state)
{
    struct rlimit before, none;
    em_signals signals;
    (void)state;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    none = (struct rlimit){.rlim_cur = 0, .rlim_max = before.rlim_max};
    hold(SIG_BLOCK, SIGTERM);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &none), 0);
    em_signals_take(&signals);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    assert_int_equal(signals.fd, -1);
    assert_false(is_held(SIGTERM));
    em_signals_give_back(&signals);
    assert_true(is_held(SIGTERM));
    hold(SIG_UNBLOCK, SIGTERM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(they_wait_and_are_not_delivered_again),
        cmocka_unit_test(one_that_is_ignored_stays_so),
        cmocka_unit_test(without_a_descriptor_they_kill),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

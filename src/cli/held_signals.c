#include "cli/held_signals.h"

#include <signal.h>
#include <stddef.h>

#include "serve/signals.h"

static volatile sig_atomic_t deferred; /* the signal; 0: none */

static void set_mask(int how)
{
    sigset_t ending = em_signals_ending();
    sigprocmask(how, &ending, NULL);
}

static sigset_t those_that_came(void)
{
    sigset_t came, ending = em_signals_ending();
    sigemptyset(&came);
    sigpending(&came);
    sigandset(&came, &came, &ending);
    return came;
}

static void defer(int number)
{
    deferred = number;
}

void em_cli_hold_signals(void)
{
    set_mask(SIG_BLOCK);
}

bool em_cli_is_told_to_end(void)
{
    sigset_t came = those_that_came();
    return !sigisemptyset(&came);
}

void em_cli_release_signals(void)
{
    set_mask(SIG_UNBLOCK);
}

/* The handler holds for the one that came alone: it is delivered as soon as nothing blocks it. */
void em_cli_defer_signals(void)
{
    const struct sigaction once = {.sa_handler = defer, .sa_flags = (int)SA_RESETHAND};
    sigset_t came = those_that_came();
    for (int number = 1; number < NSIG; number++)
        if (sigismember(&came, number) == 1)
            sigaction(number, &once, NULL);
    set_mask(SIG_UNBLOCK);
}

void em_cli_obey_signal(void)
{
    if (deferred != 0)
        raise(deferred);
}

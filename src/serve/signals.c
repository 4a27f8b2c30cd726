#include "serve/signals.h"

#include <stdbool.h>
#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

sigset_t em_signals_ending(void)
{
    static const int numbers[] = {SIGTERM, SIGINT, SIGHUP};
    sigset_t ending;
    sigemptyset(&ending);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++) {
        struct sigaction was;
        bool is_ignored = sigaction(numbers[i], NULL, &was) == 0 && was.sa_handler == SIG_IGN;
        if (!is_ignored)
            sigaddset(&ending, numbers[i]);
    }
    return ending;
}

void em_signals_take(em_signals *signals)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigset_t ending = em_signals_ending();
    sigaction(SIGPIPE, &ignore, &signals->pipe);
    pthread_sigmask(SIG_BLOCK, &ending, &signals->mask);
    signals->fd = signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals->fd < 0) /* else nobody could end it, where the caller has held them back */
        pthread_sigmask(SIG_UNBLOCK, &ending, NULL);
}

void em_signals_give_back(em_signals *signals)
{
    struct signalfd_siginfo obeyed;
    while (signals->fd >= 0 && read(signals->fd, &obeyed, sizeof obeyed) > 0)
        continue;
    if (signals->fd >= 0)
        close(signals->fd);
    pthread_sigmask(SIG_SETMASK, &signals->mask, NULL);
    sigaction(SIGPIPE, &signals->pipe, NULL);
}

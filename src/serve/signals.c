#include "serve/signals.h"

#include <stddef.h>
#include <sys/signalfd.h>
#include <unistd.h>

void em_signals_take(em_signals *signals)
{
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigset_t ending;
    sigemptyset(&ending);
    sigaddset(&ending, SIGTERM);
    sigaddset(&ending, SIGINT);
    sigaddset(&ending, SIGHUP);
    sigaction(SIGPIPE, &ignore, &signals->pipe);
    pthread_sigmask(SIG_BLOCK, &ending, &signals->mask);
    signals->fd = signalfd(-1, &ending, SFD_CLOEXEC | SFD_NONBLOCK);
    if (signals->fd < 0)
        pthread_sigmask(SIG_SETMASK, &signals->mask, NULL);
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

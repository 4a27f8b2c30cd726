#include "idlers.h"

#include "wire.h"

#include <err.h>
#include <errno.h>
#include <fcntl.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/timerfd.h>
#include <sys/wait.h>
#include <unistd.h>

enum {
    WRONG = 2,
    EVENTS = 256,
    TICK_MS = 50, /* each slow writer sends a byte that often */
};

struct idlers {
    pid_t pid;
    int to, from;
};

typedef struct connection {
    int fd; /* -1: the server hung up */
    bool slow;
    size_t sent; /* of what a slow one has to say */
} connection;

/* What the process of the idlers knows. */
typedef struct waiting_room {
    const server *http;
    connection *all;
    size_t count;
    int events, timer;
    char said[400]; /* by each slow one, byte by byte; what follows it is blanks */
    idlers_count is;
} waiting_room;

/* ---- In the process of the idlers ---------------------------------------------------------- */

static void open_one(waiting_room *c, connection *one)
{
    one->fd = wire_connect(c->http).in;
    one->sent = 0;
    struct epoll_event event = {.events = EPOLLIN | EPOLLRDHUP, .data.ptr = one};
    if (epoll_ctl(c->events, EPOLL_CTL_ADD, one->fd, &event) != 0)
        err(WRONG, "epoll_ctl");
}

static void on_news(waiting_room *c, connection *one)
{
    char dropped[1000];
    if (recv(one->fd, dropped, sizeof dropped, MSG_DONTWAIT) > 0)
        return;
    close(one->fd);
    one->fd = -1;
    if (!one->slow) {
        c->is.idle--;
        return;
    }
    c->is.reopened++;
    open_one(c, one);
}

static void write_slowly(waiting_room *c)
{
    uint64_t ticks;
    (void)!read(c->timer, &ticks, sizeof ticks);
    size_t length = strlen(c->said);
    for (size_t i = 0; i < c->count; i++) {
        connection *one = &c->all[i];
        if (!one->slow)
            continue;
        const char *next = one->sent < length ? &c->said[one->sent] : " ";
        one->sent += send(one->fd, next, 1, MSG_DONTWAIT | MSG_NOSIGNAL) == 1;
    }
}

/* Answer the other side; false when it has closed. */
static bool answer(const waiting_room *c, int from, int to)
{
    char asked;
    return read(from, &asked, 1) == 1 && write(to, &c->is, sizeof c->is) == sizeof c->is;
}

static void live(waiting_room *c, int from, int to)
{
    struct epoll_event ready[EVENTS];
    for (;;) {
        int count = epoll_wait(c->events, ready, EVENTS, -1);
        for (int i = 0; i < count; i++) {
            void *who = ready[i].data.ptr;
            if (who == &c->timer)
                write_slowly(c);
            else if (who == &c->events) {
                if (!answer(c, from, to))
                    return;
            } else {
                on_news(c, who);
            }
        }
    }
}

static void watch(waiting_room *c, int fd, void *who)
{
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = who};
    if (epoll_ctl(c->events, EPOLL_CTL_ADD, fd, &event) != 0)
        err(WRONG, "epoll_ctl");
}

static void start_clock(waiting_room *c)
{
    struct itimerspec each = {.it_interval.tv_nsec = TICK_MS * 1000000L,
                              .it_value.tv_nsec = TICK_MS * 1000000L};
    c->timer = timerfd_create(CLOCK_MONOTONIC, TFD_CLOEXEC | TFD_NONBLOCK);
    if (c->timer < 0 || timerfd_settime(c->timer, 0, &each, NULL) != 0)
        err(WRONG, "timerfd");
    watch(c, c->timer, &c->timer);
}

static _Noreturn void be_idle(const server *http, size_t idle, size_t slow, int from, int to)
{
    struct rlimit files;
    if (getrlimit(RLIMIT_NOFILE, &files) == 0) {
        files.rlim_cur = files.rlim_max;
        setrlimit(RLIMIT_NOFILE, &files);
    }
    waiting_room c = {.http = http,
                      .all = calloc(idle + slow, sizeof *c.all),
                      .count = idle + slow,
                      .events = epoll_create1(EPOLL_CLOEXEC),
                      .is = {.idle = idle, .slow = slow}};
    if (!c.all || c.events < 0)
        err(WRONG, "idle connections");
    snprintf(c.said, sizeof c.said,
             "POST /mcp HTTP/1.1\r\nHost: 127.0.0.1:%d\r\nAuthorization: Bearer %s\r\n"
             "Content-Type: application/json\r\nContent-Length: 4000\r\n\r\n",
             http->port, http->token);
    for (size_t i = 0; i < c.count; i++) {
        c.all[i].slow = i >= idle;
        open_one(&c, &c.all[i]);
    }
    start_clock(&c);
    watch(&c, from, &c.events);
    live(&c, from, to);
    exit(0);
}

/* ---- In ours ------------------------------------------------------------------------------- */

idlers *idlers_open(const server *http, size_t idle, size_t slow)
{
    int to[2], from[2];
    idlers *crowd = malloc(sizeof *crowd);
    if (!crowd)
        return NULL;
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
        err(WRONG, "pipe");
    fflush(stdout); /* what is not printed yet is ours to print */
    pid_t pid = fork();
    if (pid < 0)
        err(WRONG, "fork");
    if (pid == 0) {
        close(to[1]);
        close(from[0]);
        be_idle(http, idle, slow, to[0], from[1]);
    }
    close(to[0]);
    close(from[1]);
    *crowd = (struct idlers){.pid = pid, .to = to[1], .from = from[0]};
    idlers_ask(crowd); /* it answers when all are connected */
    return crowd;
}

idlers_count idlers_ask(idlers *crowd)
{
    idlers_count is = {0};
    if (write(crowd->to, "?", 1) != 1 || read(crowd->from, &is, sizeof is) != sizeof is)
        errx(WRONG, "the idle connections have ended");
    return is;
}

void idlers_close(idlers *crowd)
{
    close(crowd->to);
    close(crowd->from);
    waitpid(crowd->pid, NULL, 0);
    free(crowd);
}

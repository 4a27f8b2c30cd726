#include "check.h"

#include "serve/outlet.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <unistd.h>

enum { LONG = 1 << 20 };

typedef struct way {
    int reads, writes;
    char *text; /* LONG bytes */
} way;

static void way_of(way *w, const int fds[2])
{
    w->reads = fds[0];
    w->writes = fds[1];
    w->text = malloc(LONG);
    assert_non_null(w->text);
    memset(w->text, 'x', LONG);
}

static void way_drop(way *w)
{
    close(w->reads);
    close(w->writes);
    free(w->text);
}

static void open_pipe(way *w)
{
    int fds[2];
    assert_int_equal(pipe2(fds, O_CLOEXEC), 0);
    way_of(w, fds);
}

static ssize_t put(em_outlet *outlet, const way *w, size_t length)
{
    return em_outlet_put(outlet, em_slice_make(w->text, length));
}

static bool has_room(const way *w)
{
    struct pollfd fd = {.fd = w->writes, .events = POLLOUT};
    return poll(&fd, 1, 0) == 1;
}

static void an_empty_pipe_takes_what_it_holds(void **state)
{
    (void)state;
    EM_AUTO(way) w;
    open_pipe(&w);
    em_outlet outlet = em_outlet_of(w.writes);
    int capacity = fcntl(w.writes, F_GETPIPE_SZ);
    assert_int_equal(outlet.kind, EM_OUTLET_OTHER);
    assert_int_equal(put(&outlet, &w, 10), 10);
    assert_int_equal(put(&outlet, &w, 20000), PIPE_BUF);
    assert_int_equal(read(w.reads, w.text, 20000), 10 + PIPE_BUF);
    assert_int_equal(put(&outlet, &w, 20000), 20000);
    assert_int_equal(read(w.reads, w.text, 20000), 20000);
    assert_int_equal(fcntl(w.writes, F_GETPIPE_SZ), capacity);
    ssize_t length = put(&outlet, &w, LONG); /* wider, unless this user's pipes hold too much */
    assert_int_equal(length, fcntl(w.writes, F_GETPIPE_SZ));
    assert_in_range(length, capacity, LONG / 4);
}

/* A write that waited would hold the test: nobody reads. */
static void a_pipe_with_room_never_holds_a_write(void **state)
{
    (void)state;
    for (size_t length = 1; length < 100000; length = length * 3 + 1) {
        EM_AUTO(way) w;
        open_pipe(&w);
        em_outlet outlet = em_outlet_of(w.writes);
        size_t total = 0;
        while (has_room(&w)) {
            ssize_t gone = put(&outlet, &w, length);
            assert_in_range(gone, 1, length);
            total += (size_t)gone;
        }
        assert_in_range(total, 1, fcntl(w.writes, F_GETPIPE_SZ));
    }
}

static void a_socket_takes_what_it_can(void **state)
{
    (void)state;
    int fds[2];
    EM_AUTO(way) w;
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, fds), 0);
    way_of(&w, fds);
    em_outlet outlet = em_outlet_of(w.writes);
    assert_int_equal(outlet.kind, EM_OUTLET_SOCKET);
    assert_in_range(put(&outlet, &w, LONG), PIPE_BUF + 1, LONG);
    while (put(&outlet, &w, LONG) > 0)
        continue;
    assert_int_equal(errno, EAGAIN);
    shutdown(w.reads, SHUT_RD); /* no signal, although nobody ignores it here */
    assert_int_equal(put(&outlet, &w, LONG), -1);
    assert_int_equal(errno, EPIPE);
}

static void a_file_takes_everything(void **state)
{
    (void)state;
    char path[] = "/tmp/emend-outlet-XXXXXX";
    EM_AUTO(way) w;
    int fd = mkstemp(path);
    assert_true(fd >= 0);
    unlink(path);
    way_of(&w, (int[]){dup(fd), fd});
    em_outlet outlet = em_outlet_of(fd);
    assert_int_equal(outlet.kind, EM_OUTLET_FILE);
    assert_int_equal(put(&outlet, &w, LONG), LONG);
}

static void what_is_not_open_says_so(void **state)
{
    (void)state;
    em_outlet outlet = em_outlet_of(-1);
    assert_int_equal(em_outlet_put(&outlet, em_slice_make("x", 1)), -1);
    assert_int_equal(errno, EBADF);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_empty_pipe_takes_what_it_holds),
        cmocka_unit_test(a_pipe_with_room_never_holds_a_write),
        cmocka_unit_test(a_socket_takes_what_it_can),
        cmocka_unit_test(a_file_takes_everything),
        cmocka_unit_test(what_is_not_open_says_so),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "peer.h"
#include "scarce.h"

#include "serve/signals.h"
#include "serve/stdio_server.h"

#include <fcntl.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/wait.h>

#define CANCEL(id)                                                                                 \
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":" id "}}"
#define PING(id) REQUEST(id, "ping", "{}")

typedef struct wires {
    int in[2], out[2], log;
    peer p;
} wires;

static void wires_open(wires *w)
{
    peer_open(&w->p, 0);
    assert_int_equal(pipe2(w->in, O_CLOEXEC), 0);
    assert_int_equal(pipe2(w->out, O_CLOEXEC), 0);
    w->log = open("/dev/null", O_WRONLY | O_CLOEXEC);
    assert_true(w->log >= 0);
}

static void wire_close(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

static void wires_drop(wires *w)
{
    wire_close(&w->in[0]);
    wire_close(&w->in[1]);
    wire_close(&w->out[0]);
    wire_close(&w->out[1]);
    wire_close(&w->log);
    peer_drop(&w->p);
}

static void say(const wires *w, const char *text)
{
    assert_int_equal(write(w->in[1], text, strlen(text)), strlen(text));
}

static em_stdio_end serve(const wires *w)
{
    return em_stdio_serve(w->p.mcp, w->in[0], w->out[1], w->log, 0, NULL);
}

/* What came out, whole lines, at most 64 KiB. */
static const char *heard(wires *w)
{
    static char text[65537];
    wire_close(&w->out[1]);
    size_t used = 0;
    ssize_t length;
    while ((length = read(w->out[0], text + used, sizeof text - 1 - used)) > 0)
        used += (size_t)length;
    text[used] = '\0';
    return text;
}

#define PONG(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"result\":{}}\n"

static void requests_are_answered_until_the_input_ends(void **state)
{
    (void)state;
    EM_AUTO(wires) w;
    wires_open(&w);
    say(&w, PING("1") "\n\n \r\n" PING("\"two\"") "\r\n" PING("3"));
    wire_close(&w.in[1]);
    assert_int_equal(serve(&w), EM_STDIO_INPUT_ENDED);
    assert_string_equal(heard(&w), PONG("1") PONG("\"two\"") PONG("3"));
}

static const wires *resting;
static int rests;

/* The client speaks when the server has nothing to do, and so is heard only if it is asked then. */
static void speak(void)
{
    static const char *const lines[] = {PING("1") "\n" PING("2") "\n", PING("3") "\n", ""};
    if (++rests <= (int)COUNT_OF(lines))
        say(resting, lines[rests - 1]);
    if (rests == COUNT_OF(lines))
        shutdown(resting->in[1], SHUT_WR);
}

static void it_is_told_when_there_is_nothing_to_do(void **state)
{
    (void)state;
    EM_AUTO(wires) w;
    wires_open(&w);
    wire_close(&w.in[0]);
    wire_close(&w.in[1]);
    assert_int_equal(socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, w.in), 0);
    resting = &w;
    rests = 0;
    assert_int_equal(em_stdio_serve(w.p.mcp, w.in[0], w.out[1], w.log, 0, speak),
                     EM_STDIO_INPUT_ENDED);
    assert_string_equal(heard(&w), PONG("1") PONG("2") PONG("3"));
    assert_int_equal(rests, 3);
}

static void what_is_taken_back_in_time_is_not_run(void **state)
{
    (void)state;
    EM_AUTO(wires) w;
    wires_open(&w);
    say(&w, PING("1") "\n" PING("2") "\n" CANCEL("2") "\n" PING("3") "\n" CANCEL("9") "\n");
    wire_close(&w.in[1]);
    assert_int_equal(serve(&w), EM_STDIO_INPUT_ENDED);
    assert_string_equal(heard(&w), PONG("1") PONG("3"));
}

/* Also where whoever runs the test has one ignored. */
static void a_signal_ends_it_and_leaves_what_waits(void **state)
{
    static const int signals[] = {SIGTERM, SIGINT, SIGHUP};
    const struct sigaction not_ignored = {.sa_handler = SIG_DFL};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(signals); i++) {
        EM_AUTO(wires) w;
        sigset_t set, before;
        struct sigaction was;
        wires_open(&w);
        sigaction(signals[i], &not_ignored, &was);
        sigemptyset(&set);
        sigaddset(&set, signals[i]);
        sigprocmask(SIG_BLOCK, &set, &before);
        raise(signals[i]);
        say(&w, PING("1") "\n");
        assert_int_equal(serve(&w), EM_STDIO_SIGNALLED);
        sigprocmask(SIG_SETMASK, &before, NULL); /* it was obeyed, so it does not come again */
        sigaction(signals[i], &was, NULL);
        assert_string_equal(heard(&w), "");
    }
}

/* As nohup has it. */
static void a_signal_that_was_ignored_stays_so(void **state)
{
    (void)state;
    const struct sigaction ignore = {.sa_handler = SIG_IGN};
    struct sigaction before;
    sigset_t mask;
    sigaction(SIGHUP, &ignore, &before);
    em_signals signals;
    em_signals_take(&signals);
    pthread_sigmask(SIG_BLOCK, NULL, &mask);
    assert_false(sigismember(&mask, SIGHUP));
    assert_true(sigismember(&mask, SIGTERM));
    raise(SIGHUP);
    em_signals_give_back(&signals);
    sigaction(SIGHUP, &before, NULL);
}

static void a_client_that_is_gone_ends_it(void **state)
{
    (void)state;
    EM_AUTO(wires) w;
    wires_open(&w);
    wire_close(&w.out[0]);
    say(&w, PING("1") "\n" PING("2") "\n");
    assert_int_equal(serve(&w), EM_STDIO_GONE);
}

static void what_the_system_refuses_ends_it(void **state)
{
    (void)state;
    EM_AUTO(wires) w;
    wires_open(&w);
    say(&w, PING("1") "\n");
    int full = open("/dev/full", O_WRONLY | O_CLOEXEC);
    assert_int_equal(em_stdio_serve(w.p.mcp, w.in[0], full, w.log, 0, NULL), EM_STDIO_FAILED);
    close(full);
    int folder = open("/", O_RDONLY | O_CLOEXEC);
    assert_int_equal(em_stdio_serve(w.p.mcp, folder, w.out[1], w.log, 0, NULL), EM_STDIO_FAILED);
    close(folder);
}

static void descriptors_that_do_not_wait_are_waited_for(void **state)
{
    (void)state;
    EM_AUTO(wires) w;
    wires_open(&w);
    fcntl(w.in[0], F_SETFL, O_NONBLOCK);
    fcntl(w.out[1], F_SETFL, O_NONBLOCK);
    say(&w, PING("1") "\n");
    wire_close(&w.in[1]);
    assert_int_equal(serve(&w), EM_STDIO_INPUT_ENDED);
    assert_string_equal(heard(&w), PONG("1"));
}

/* Who sends it waits less often: the pipe holds more then, unless this user's pipes hold too much.
 */
static void a_line_may_be_long(void **state)
{
    (void)state;
    EM_AUTO(wires) w;
    wires_open(&w);
    enum { LONG = 3000000, WIDE = 1 << 18 };
    assert_true(fcntl(w.in[0], F_GETPIPE_SZ) < WIDE);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        wire_close(&w.out[0]);
        char *blanks = malloc(LONG);
        memset(blanks, ' ', LONG);
        dprintf(w.in[1], "{\"jsonrpc\":\"2.0\",%.*s\"id\":1,\"method\":\"ping\"}\n", LONG, blanks);
        free(blanks);
        _exit(0);
    }
    wire_close(&w.in[1]);
    assert_int_equal(serve(&w), EM_STDIO_INPUT_ENDED);
    waitpid(child, NULL, 0);
    assert_string_equal(heard(&w), PONG("1"));
    assert_true(fcntl(w.in[0], F_GETPIPE_SZ) >= WIDE || fcntl(w.in[0], F_SETPIPE_SZ, WIDE) < 0);
}

/* A server in a process of its own, that ends with its em_stdio_end. */
static pid_t serve_apart(wires *w)
{
    fflush(NULL);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        wire_close(&w->in[1]);
        wire_close(&w->out[0]);
        exit((int)serve(w));
    }
    wire_close(&w->in[0]);
    wire_close(&w->out[1]);
    return child;
}

static int end_of(pid_t child)
{
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

/* More requests than pipes hold, and more answers, before the first answer is read. */
static void a_client_may_write_long_before_it_reads(void **state)
{
    (void)state;
    EM_AUTO(wires) w;
    wires_open(&w);
    enum { MANY = 20000 };
    pid_t child = serve_apart(&w);
    for (int i = 0; i < MANY; i++)
        assert_true(dprintf(w.in[1], PING("%d") "\n", i) > 0);
    wire_close(&w.in[1]);
    size_t lines = 0;
    char piece[65536];
    ssize_t length;
    while ((length = read(w.out[0], piece, sizeof piece)) > 0)
        for (ssize_t i = 0; i < length; i++)
            lines += piece[i] == '\n';
    assert_int_equal(lines, MANY);
    assert_int_equal(end_of(child), EM_STDIO_INPUT_ENDED);
}

/* Wait until so much was written that nobody read: what a pipe takes, but for one write, and no
 * more comes. */
static void wait_until_full(int fd)
{
    enum { FULL = 60000, TRIES = 2000, STILL = 50 };
    int waiting = 0, before = 0;
    for (int i = 0, still = 0; i < TRIES && still < STILL; i++) {
        usleep(10000);
        assert_int_equal(ioctl(fd, FIONREAD, &waiting), 0);
        still = waiting >= FULL && waiting == before ? still + 1 : 0;
        before = waiting;
    }
    assert_true(waiting >= FULL);
}

static void a_client_that_does_not_read_cannot_hold_a_server_that_is_to_stop(void **state)
{
    (void)state;
    EM_AUTO(wires) w;
    wires_open(&w);
    pid_t child = serve_apart(&w);
    for (int i = 0; i < 5000; i++)
        dprintf(w.in[1], PING("%d") "\n", i);
    wait_until_full(w.out[0]);
    kill(child, SIGTERM);
    assert_int_equal(end_of(child), EM_STDIO_GONE);
}

/* The answer was on its way when the signal came, and nothing more of it went into the pipe then.
 */
static void a_client_that_reads_has_the_whole_answer_when_the_server_is_to_stop(void **state)
{
    (void)state;
    EM_AUTO(wires) w;
    wires_open(&w);
    enum { LONG = 200000 };
    char id[LONG + 1], piece[4096], last = 0;
    memset(id, 'x', LONG);
    id[LONG] = '\0';
    pid_t child = serve_apart(&w);
    assert_true(dprintf(w.in[1], PING("\"%s\"") "\n", id) > LONG);
    wait_until_full(w.out[0]);
    kill(child, SIGTERM);
    usleep(50000);
    size_t used = 0;
    ssize_t length;
    while ((length = read(w.out[0], piece, sizeof piece)) > 0) {
        used += (size_t)length;
        last = piece[length - 1];
    }
    assert_int_equal(used, strlen(PONG("\"\"")) + LONG);
    assert_int_equal(last, '\n');
    assert_int_equal(end_of(child), EM_STDIO_SIGNALLED);
}

static void want_of_memory_loses_messages_and_goes_on(void **state)
{
    (void)state;
    bool failed = true;
    for (long nth = 0; failed; nth++) {
        EM_AUTO(wires) w;
        wires_open(&w);
        say(&w, PING("1") "\n");
        say(&w, "{\"jsonrpc\":\"2.0\",\"id\":2,");
        wire_close(&w.in[1]);
        scarce_begin(nth);
        em_stdio_end end = serve(&w);
        failed = scarce_end();
        assert_int_equal(end, EM_STDIO_INPUT_ENDED);
        assert_true(failed || strstr(heard(&w), PONG("1")));
    }
}

/* Serve one request with at most so many descriptors. */
static em_stdio_end serve_with_descriptors(wires *w, rlim_t most)
{
    struct rlimit before, few;
    say(w, PING("1") "\n");
    wire_close(&w->in[1]);
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &before), 0);
    few = (struct rlimit){.rlim_cur = most, .rlim_max = before.rlim_max};
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &few), 0);
    em_stdio_end end = serve(w);
    assert_int_equal(setrlimit(RLIMIT_NOFILE, &before), 0);
    return end;
}

static void without_a_descriptor_for_signals_they_are_taken_as_ever(void **state)
{
    (void)state;
    EM_AUTO(wires) w;
    wires_open(&w);
    assert_true(w.in[0] >= 3); /* so 0 to 2 are taken */
    assert_int_equal(serve_with_descriptors(&w, 3), EM_STDIO_INPUT_ENDED);
    assert_string_equal(heard(&w), PONG("1"));
}

static void a_server_that_cannot_wait_ends(void **state)
{
    (void)state;
    EM_AUTO(wires) w;
    wires_open(&w);
    assert_int_equal(serve_with_descriptors(&w, 0), EM_STDIO_FAILED);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(requests_are_answered_until_the_input_ends),
        cmocka_unit_test(it_is_told_when_there_is_nothing_to_do),
        cmocka_unit_test(what_is_taken_back_in_time_is_not_run),
        cmocka_unit_test(a_signal_ends_it_and_leaves_what_waits),
        cmocka_unit_test(a_signal_that_was_ignored_stays_so),
        cmocka_unit_test(a_client_that_is_gone_ends_it),
        cmocka_unit_test(what_the_system_refuses_ends_it),
        cmocka_unit_test(descriptors_that_do_not_wait_are_waited_for),
        cmocka_unit_test(a_line_may_be_long),
        cmocka_unit_test(a_client_may_write_long_before_it_reads),
        cmocka_unit_test(a_client_that_does_not_read_cannot_hold_a_server_that_is_to_stop),
        cmocka_unit_test(a_client_that_reads_has_the_whole_answer_when_the_server_is_to_stop),
        cmocka_unit_test(want_of_memory_loses_messages_and_goes_on),
        cmocka_unit_test(without_a_descriptor_for_signals_they_are_taken_as_ever),
        cmocka_unit_test(a_server_that_cannot_wait_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

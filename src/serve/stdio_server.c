#include "serve/stdio_server.h"

#include "serve/inbox.h"
#include "serve/outlet.h"
#include "serve/signals.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <stdio.h>
#include <unistd.h>

enum {
    PIECE = 1 << 18,     /* bytes per read */
    AHEAD = 8 << 20,     /* so much may wait before no more is taken in */
    LAST_WORDS_MS = 500, /* so long a client may take to read when we were asked to stop */
};

typedef struct stdio {
    em_mcp *mcp;
    int in, log;
    em_outlet out;
    int signals; /* a signalfd; -1 where there is none */
    em_inbox inbox;
    em_link link;  /* over this */
    bool took_in;  /* bytes came */
    bool is_wide;  /* the pipe that they come through holds a piece */
    bool ended;    /* no more input */
    bool stopping; /* a signal came */
    bool gone;     /* nobody reads */
    bool failed;   /* reading or writing does not work */
} stdio;

/* ---- The log ------------------------------------------------------------------------------- */

static void log_line(void *context, const char *sentence)
{
    const stdio *io = context;
    dprintf(io->log, "emend: %s\n", sentence);
}

static void log_failure(stdio *io, const char *what)
{
    dprintf(io->log, "emend: %s: %s\n", what, strerror(errno));
    io->failed = true;
}

/* ---- Input --------------------------------------------------------------------------------- */

static bool has_room(const stdio *io)
{
    return io->inbox.waiting + io->inbox.partial.len < AHEAD;
}

/* One read, after poll(2) said that it would not wait. */
static void take_in(stdio *io)
{
    char piece[PIECE];
    ssize_t length = read(io->in, piece, sizeof piece);
    io->took_in = length > 0;
    if (length >= EM_PIPE_BYTES) /* who has more to send waits whenever it is full */
        em_pipe_widen(io->in, &io->is_wide);
    if (length > 0) {
        io->inbox.with_batches = em_mcp_takes_batches(io->mcp);
        em_inbox_add(&io->inbox, em_slice_make(piece, (size_t)length));
    } else if (length == 0) {
        em_inbox_end(&io->inbox);
        io->ended = true;
    } else if (errno != EINTR && errno != EAGAIN) {
        log_failure(io, "cannot read requests");
        io->ended = true;
    }
    if (io->inbox.failed)
        log_line(io, "out of memory: a request is lost");
    io->inbox.failed = false;
}

/* Wait until there is something to take in, a signal, room in `out` (-1: not asked), or `timeout`
 * ms have passed (-1: for ever); take in what is there. Returns what poll(2) says of `out`. */
static short await(stdio *io, int out, bool input, int timeout)
{
    struct pollfd fds[] = {
        {.fd = io->stopping ? -1 : io->signals, .events = POLLIN},
        {.fd = input && !io->ended ? io->in : -1, .events = POLLIN},
        {.fd = out, .events = POLLOUT},
    };
    int ready = poll(fds, sizeof fds / sizeof *fds, timeout);
    if (ready < 0 && errno != EINTR) {
        log_failure(io, "cannot wait for requests");
        io->gone = true;
    }
    if (ready <= 0)
        return 0;
    if (fds[0].revents)
        io->stopping = true;
    if (fds[1].revents)
        take_in(io);
    return fds[2].revents;
}

/* ---- Output -------------------------------------------------------------------------------- */

static void note_write_failure(stdio *io)
{
    if (errno == EINTR || errno == EAGAIN)
        return;
    io->gone = true;
    if (errno != EPIPE)
        log_failure(io, "cannot write answers");
}

/* Write all of it, never so much at once that it would wait: input and signals are looked at
 * however slowly the client reads. Once it is to end, the client has some time for each piece: a
 * wait that only brought the signal has not been that yet. */
static void write_all(stdio *io, em_slice bytes)
{
    while (bytes.len > 0 && !io->gone) {
        bool last = io->stopping;
        short ready = await(io, io->out.fd, !last && has_room(io), last ? LAST_WORDS_MS : -1);
        if (!ready) {
            io->gone = io->gone || last;
            continue;
        }
        ssize_t length = em_outlet_put(&io->out, bytes);
        if (length >= 0)
            bytes = em_slice_from(bytes, (size_t)length);
        else
            note_write_failure(io);
    }
}

static bool send_message(void *context, const json_t *message)
{
    stdio *io = context;
    EM_AUTO(em_strbuf) line = {0};
    em_json_write(message, 0, &line);
    em_strbuf_putc(&line, '\n');
    if (line.failed)
        return false;
    write_all(io, em_strbuf_slice(&line));
    return true;
}

/* ---- The loop ------------------------------------------------------------------------------ */

/* Take in all that is there without waiting, as far as there is room. */
static void look(void *context)
{
    stdio *io = context;
    do {
        io->took_in = false;
        await(io, -1, has_room(io), 0);
    } while (io->took_in);
}

static bool is_ending(void *context)
{
    return ((const stdio *)context)->stopping;
}

static void answered(void *context, const em_rpc_message *message)
{
    const stdio *io = context;
    em_mcp_respond(io->mcp, message);
}

/* Can anything more come that decides about the request in hand? */
static bool can_hear(const stdio *io)
{
    return !io->stopping && !io->gone && !io->ended;
}

/* The request in hand waits for a person. Meanwhile the client may ask whether the server still
 * lives; all else waits. However much that is: what it is waited for may stand behind it. */
static bool wait_for_client(void *context, long ms)
{
    stdio *io = context;
    em_rpc_line *ping;
    await(io, -1, true, can_hear(io) ? (int)ms : 0);
    while ((ping = em_inbox_pull(&io->inbox, "ping")) != NULL) {
        em_mcp_handle(io->mcp, ping, &io->link);
        em_rpc_line_free(ping);
    }
    return can_hear(io);
}

/* poll(2) takes an int. */
static int due_ms(const stdio *io)
{
    long due = em_mcp_due_ms(io->mcp);
    return due > INT_MAX ? INT_MAX : (int)due;
}

static bool is_over(const stdio *io)
{
    return io->stopping || io->gone || (io->ended && !io->inbox.first);
}

static void loop(stdio *io, void (*rest)(void))
{
    const em_link *link = &io->link;
    while (!is_over(io)) {
        const em_rpc_line *line = em_inbox_take(&io->inbox);
        if (line) {
            em_mcp_handle(io->mcp, line, link);
        } else {
            if (rest)
                rest();
            await(io, -1, true, due_ms(io));
        }
        if (em_mcp_due_ms(io->mcp) == 0)
            em_mcp_do_due(io->mcp, false, link);
    }
    em_mcp_do_due(io->mcp, true, link);
}

em_stdio_end em_stdio_serve(em_mcp *mcp, int in, int out, int log, size_t most, void (*rest)(void))
{
    em_signals signals;
    em_signals_take(&signals);
    stdio io = {.mcp = mcp,
                .in = in,
                .log = log,
                .out = em_outlet_of(out),
                .signals = signals.fd,
                .inbox = {.most = most, .answered = answered, .context = &io},
                .link = {.context = &io,
                         .send = send_message,
                         .look = look,
                         .log = log_line,
                         .is_ending = is_ending,
                         .wait = wait_for_client}};
    loop(&io, rest);
    em_inbox_drop(&io.inbox);
    em_signals_give_back(&signals);
    if (io.failed)
        return EM_STDIO_FAILED;
    if (io.gone)
        return EM_STDIO_GONE;
    return io.stopping ? EM_STDIO_SIGNALLED : EM_STDIO_INPUT_ENDED;
}

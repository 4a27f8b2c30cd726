#include "clients.h"

#include <arpa/inet.h>
#include <ctype.h>
#include <err.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "wire.h"

enum {
    WRONG = 2,
    ROOM = 64 << 10,     /* an answer is far shorter */
    LINES = 400,         /* of a client's file: 10 KB */
    WATCHES = 20,        /* so often `watch` is told */
    PATIENCE_MS = 60000, /* so long a call may take before all is given up */
    EVENTS = 64,
};

typedef enum step { HELLO, WELCOME, CALL, DONE } step;

typedef struct client {
    size_t number;
    server own; /* over stdio */
    wire wire;
    step step;
    size_t left;    /* calls to make, the one in hand included */
    unsigned value; /* what the file holds as far as the client knows */
    double began;   /* when the call in hand was sent, ms */
    char *answer;
    size_t have;
} client;

typedef struct crowd {
    const load *what;
    client *clients;
    int events;
    size_t busy;
    double *took; /* ms, of each call that was answered */
    load_result result;
} crowd;

static double now_ms(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e3 + (double)now.tv_nsec / 1e6;
}

static void *need(void *memory)
{
    if (!memory)
        errx(WRONG, "out of memory");
    return memory;
}

/* ---- The files ----------------------------------------------------------------------------- */

static void file_path(const load *what, size_t number, char path[PATH_MAX])
{
    int length = snprintf(path, PATH_MAX, "%s/%s/%zu.c", what->root, what->name, number);
    if (length >= PATH_MAX)
        errx(WRONG, "%s is too long", what->root);
}

static void write_files(const load *what)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", what->root, what->name);
    if (mkdir(path, 0700) != 0)
        err(WRONG, "%s", path);
    for (size_t i = 0; i < what->clients; i++) {
        file_path(what, i, path);
        FILE *file = fopen(path, "w");
        if (!file)
            err(WRONG, "%s", path);
        for (int line = 0; line < LINES; line++)
            if (line == LINES / 2)
                fputs("unsigned value = 0;\n", file);
            else
                fprintf(file, "int line_%03d = %d * %d;\n", line, line, line);
        if (fclose(file) != 0)
            err(WRONG, "%s", path);
    }
}

/* Does the file hold the number that its client left there? */
static bool file_is_right(const load *what, const client *c)
{
    char path[PATH_MAX], line[100];
    unsigned value = UINT_MAX;
    file_path(what, c->number, path);
    FILE *file = fopen(path, "r");
    while (file && fgets(line, sizeof line, file))
        if (sscanf(line, "unsigned value = %u;", &value) == 1)
            break;
    if (file)
        fclose(file);
    return value == c->value;
}

/* ---- Requests ------------------------------------------------------------------------------ */

static const char HELLO_BODY[] =
    "{\"jsonrpc\":\"2.0\",\"id\":0,\"method\":\"initialize\",\"params\":{\"protocolVersion\":"
    "\"2025-11-25\",\"capabilities\":{},\"clientInfo\":{\"name\":\"load\",\"version\":\"1\"}}}";
static const char WELCOME_BODY[] = "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/initialized\"}";
static const char STATELESS_META[] =
    ",\"_meta\":{\"io.modelcontextprotocol/protocolVersion\":\"2026-07-28\","
    "\"io.modelcontextprotocol/clientCapabilities\":{}}";

static void call_body(const load *what, const client *c, char *body, size_t room)
{
    snprintf(
        body, room,
        "{\"jsonrpc\":\"2.0\",\"id\":%u,\"method\":\"tools/call\",\"params\":{\"name\":"
        "\"edit_file\",\"arguments\":{\"file_path\":\"%s/%zu.c\",\"old_string\":\"value = %u;\","
        "\"new_string\":\"value = %u;\"}%s}}",
        c->value + 1, what->name, c->number, c->value, c->value + 1,
        c->wire.stateless ? STATELESS_META : "");
}

static void note_error(crowd *all, const client *c, const char *problem)
{
    load_result *result = &all->result;
    if (result->errors++ == 0)
        snprintf(result->first_error, sizeof result->first_error, "client %zu, value %u: %.200s",
                 c->number, c->value, problem);
}

static void leave(crowd *all, client *c)
{
    c->step = DONE;
    all->busy--;
    epoll_ctl(all->events, EPOLL_CTL_DEL, c->wire.in, NULL);
}

static void give_up(crowd *all, client *c, const char *problem)
{
    note_error(all, c, problem);
    leave(all, c);
}

static void send_step(crowd *all, client *c)
{
    char body[1024];
    const char *method = c->step == HELLO     ? "initialize"
                         : c->step == WELCOME ? "notifications/initialized"
                                              : "tools/call";
    if (c->step == CALL)
        call_body(all->what, c, body, sizeof body);
    else
        snprintf(body, sizeof body, "%s", c->step == HELLO ? HELLO_BODY : WELCOME_BODY);
    c->have = 0;
    c->began = now_ms();
    if (!wire_send(&c->wire, method, "edit_file", body))
        give_up(all, c, "the request could not be sent");
}

/* ---- Answers ------------------------------------------------------------------------------- */

static void next_step(crowd *all, client *c);

static bool is_done(const client *c, const char *body)
{
    char id[32];
    snprintf(id, sizeof id, "\"id\":%u", c->value + 1);
    return strstr(body, id) && strstr(body, "\"isError\":false");
}

static void call_answered(crowd *all, client *c, const char *body)
{
    all->took[all->result.calls++] = now_ms() - c->began;
    if (is_done(c, body))
        c->value++;
    else
        note_error(all, c, body);
    size_t each = all->what->calls / WATCHES;
    if (all->what->watch && each > 0 && all->result.calls % each == 0)
        all->what->watch(all->what->context, all->result.calls);
    c->left--;
}

static void answered(crowd *all, client *c, const char *body)
{
    if (c->step == CALL)
        call_answered(all, c, body);
    else if (c->step == HELLO && !strstr(body, "\"protocolVersion\":\"2025-11-25\""))
        note_error(all, c, body);
    next_step(all, c);
}

/* What comes after what has just been answered. Over stdio a notification has no answer. */
static void next_step(crowd *all, client *c)
{
    if (c->step == HELLO) {
        c->step = WELCOME;
        send_step(all, c);
        if (c->step == DONE || all->what->http)
            return;
    }
    c->step = CALL;
    if (c->left == 0)
        leave(all, c);
    else
        send_step(all, c);
}

static void take_in(crowd *all, client *c)
{
    ssize_t length = read(c->wire.in, c->answer + c->have, ROOM - c->have - 1);
    if (length <= 0) {
        give_up(all, c, length < 0 ? strerror(errno) : "the server hung up");
        return;
    }
    c->have += (size_t)length;
    c->answer[c->have] = 0;
    const char *problem = NULL;
    char *body = wire_answer(&c->wire, c->answer, c->have, &problem);
    if (problem)
        give_up(all, c, problem);
    else if (body)
        answered(all, c, body);
    else if (c->have + 1 == ROOM)
        give_up(all, c, "the answer is too long");
}

/* ---- All together -------------------------------------------------------------------------- */

static void join(crowd *all, client *c, size_t number)
{
    const load *what = all->what;
    *c = (client){.number = number, .answer = need(malloc(ROOM))};
    c->left = what->calls / what->clients + (number < what->calls % what->clients);
    if (what->http) {
        c->wire = wire_connect(what->http);
    } else {
        c->own = server_start(what->stdio);
        c->wire = (wire){.in = c->own.out, .out = c->own.in};
    }
    c->wire.stateless = number % 2 == 1;
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = c};
    if (epoll_ctl(all->events, EPOLL_CTL_ADD, c->wire.in, &event) != 0)
        err(WRONG, "epoll_ctl");
    all->busy++;
}

static void part(client *c, const load *what)
{
    if (what->http) {
        wire_end_session(&c->wire);
        close(c->wire.in);
    } else {
        server_stop(&c->own);
    }
    free(c->answer);
}

static void drive(crowd *all)
{
    struct epoll_event ready[EVENTS];
    double start = now_ms();
    for (size_t i = 0; i < all->what->clients; i++) {
        client *c = &all->clients[i];
        c->step = c->wire.stateless ? CALL : HELLO;
        if (c->left == 0)
            leave(all, c);
        else
            send_step(all, c);
    }
    while (all->busy > 0) {
        int count = epoll_wait(all->events, ready, EVENTS, PATIENCE_MS);
        if (count == 0)
            errx(WRONG, "no answer within %d s", PATIENCE_MS / 1000);
        for (int i = 0; i < count; i++)
            take_in(all, ready[i].data.ptr);
    }
    all->result.seconds = (now_ms() - start) / 1e3;
}

static int compare(const void *a, const void *b)
{
    double one = *(const double *)a, other = *(const double *)b;
    return (one > other) - (one < other);
}

static void sum_up(crowd *all)
{
    load_result *result = &all->result;
    if (result->calls == 0)
        return;
    qsort(all->took, result->calls, sizeof *all->took, compare);
    result->p50_ms = all->took[result->calls / 2];
    result->p99_ms = all->took[result->calls * 99 / 100];
    result->most_ms = all->took[result->calls - 1];
}

load_result load_run(const load *what)
{
    crowd all = {.what = what,
                 .clients = need(calloc(what->clients, sizeof *all.clients)),
                 .took = need(calloc(what->calls + 1, sizeof *all.took)),
                 .events = epoll_create1(EPOLL_CLOEXEC)};
    if (all.events < 0)
        err(WRONG, "epoll_create1");
    write_files(what);
    for (size_t i = 0; i < what->clients; i++)
        join(&all, &all.clients[i], i);
    drive(&all);
    for (size_t i = 0; i < what->clients; i++) {
        if (!file_is_right(what, &all.clients[i]))
            note_error(&all, &all.clients[i], "the file is not what the calls left");
        part(&all.clients[i], what);
    }
    sum_up(&all);
    close(all.events);
    free(all.clients);
    free(all.took);
    return all.result;
}

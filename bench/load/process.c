#include "process.h"

#include <err.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WRONG = 2 };

server server_start(const char *const argv[])
{
    int to[2], from[2];
    if (pipe2(to, O_CLOEXEC) != 0 || pipe2(from, O_CLOEXEC) != 0)
        err(WRONG, "pipe");
    pid_t pid = fork();
    if (pid < 0)
        err(WRONG, "fork");
    if (pid == 0) {
        dup2(to[0], STDIN_FILENO);
        dup2(from[1], STDOUT_FILENO);
        execv(argv[0], (char *const *)argv);
        _exit(127);
    }
    close(to[0]);
    close(from[1]);
    return (server){.pid = pid, .in = to[1], .out = from[0]};
}

/* The number behind the last colon of HOST:PORT; 0. */
static int port_of(const char *address)
{
    size_t host = strcspn(address, "/# \n");
    while (host > 0 && address[host - 1] != ':')
        host--;
    return host > 0 ? atoi(address + host) : 0;
}

static void take_token(server *s, const char *line)
{
    const char *at = strstr(line, "token=");
    at = at ? at + strlen("token=") : strchr(line, '#');
    if (!at)
        return;
    at += *at == '#';
    size_t length = strcspn(at, " \n&");
    if (length < sizeof s->token) {
        memcpy(s->token, at, length);
        s->token[length] = 0;
    }
}

void server_read_address(server *s)
{
    char said[4096];
    size_t have = 0;
    const char scheme[] = "http://";
    while (have + 1 < sizeof said) {
        ssize_t length = read(s->out, said + have, sizeof said - have - 1);
        if (length <= 0)
            break;
        have += (size_t)length;
        said[have] = 0;
        char *address = strstr(said, scheme);
        if (!address || !strchr(address, '\n'))
            continue;
        *strchr(address, '\n') = 0;
        s->port = port_of(address + strlen(scheme));
        take_token(s, address);
        return;
    }
    errx(WRONG, "the server did not say where it listens");
}

void server_stop(server *s)
{
    close(s->in);
    close(s->out);
    if (s->port)
        kill(s->pid, SIGTERM);
    waitpid(s->pid, NULL, 0);
    *s = (server){.in = -1, .out = -1};
}

long server_memory_kb(const server *s, const char *kind)
{
    char path[40], line[200];
    long kb = 0;
    snprintf(path, sizeof path, "/proc/%d/status", (int)s->pid);
    FILE *file = fopen(path, "r");
    while (file && kb == 0 && fgets(line, sizeof line, file))
        if (strncmp(line, kind, strlen(kind)) == 0)
            kb = atol(line + strlen(kind) + 1);
    if (file)
        fclose(file);
    return kb;
}

#include "wire.h"

#include <arpa/inet.h>
#include <err.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

enum { WRONG = 2, LONGEST_REQUEST = 4096 };

wire wire_connect(const server *http)
{
    struct sockaddr_in address = {.sin_family = AF_INET,
                                  .sin_port = htons((uint16_t)http->port),
                                  .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int fd = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (fd < 0 || connect(fd, (struct sockaddr *)&address, sizeof address) != 0)
        err(WRONG, "cannot connect to port %d", http->port);
    return (wire){.in = fd, .out = fd, .http = http};
}

static bool write_all(int fd, const char *bytes, size_t length)
{
    while (length > 0) {
        ssize_t n = write(fd, bytes, length);
        if (n < 0 && errno != EINTR)
            return false;
        if (n > 0) {
            bytes += n;
            length -= (size_t)n;
        }
    }
    return true;
}

/* "Name: value\r\n", or nothing where there is no value. */
static void add_header(char *text, size_t room, const char *name, const char *value)
{
    size_t have = strlen(text);
    if (*value)
        snprintf(text + have, room - have, "%s: %s\r\n", name, value);
}

static void add_headers(const wire *w, char *text, size_t room, const char *method,
                        const char *tool)
{
    char bearer[LONGEST_TOKEN + 10] = "";
    if (*w->http->token)
        snprintf(bearer, sizeof bearer, "Bearer %s", w->http->token);
    add_header(text, room, "Authorization", bearer);
    add_header(text, room, "Content-Type", "application/json");
    add_header(text, room, "Accept", "application/json, text/event-stream");
    add_header(text, room, "Mcp-Session-Id", w->session);
    if (w->stateless) {
        add_header(text, room, "MCP-Protocol-Version", "2026-07-28");
        add_header(text, room, "Mcp-Method", method);
        add_header(text, room, "Mcp-Name", tool);
    } else if (strcmp(method, "initialize") != 0) {
        add_header(text, room, "MCP-Protocol-Version", "2025-11-25");
    }
}

static bool post(const wire *w, const char *verb, const char *method, const char *tool,
                 const char *body)
{
    char request[LONGEST_REQUEST];
    snprintf(request, sizeof request, "%s /mcp HTTP/1.1\r\nHost: 127.0.0.1:%d\r\n", verb,
             w->http->port);
    add_headers(w, request, sizeof request, method, tool);
    size_t have = strlen(request);
    int length = snprintf(request + have, sizeof request - have, "Content-Length: %zu\r\n\r\n%s",
                          strlen(body), body);
    return length > 0 && have + (size_t)length < sizeof request &&
           write_all(w->out, request, have + (size_t)length);
}

bool wire_send(const wire *w, const char *method, const char *tool, const char *body)
{
    if (w->http)
        return post(w, "POST", method, tool, body);
    char line[LONGEST_REQUEST];
    int length = snprintf(line, sizeof line, "%s\n", body);
    return length > 0 && (size_t)length < sizeof line && write_all(w->out, line, (size_t)length);
}

void wire_end_session(const wire *w)
{
    char answer[1000];
    if (*w->session && post(w, "DELETE", "", "", ""))
        (void)!read(w->in, answer, sizeof answer);
}

/* ---- Answers ------------------------------------------------------------------------------- */

/* Nothing was asked for that the server would say besides. */
static char *line_answer(char *text, size_t length)
{
    return text[length - 1] == '\n' ? text : NULL;
}

/* The value of a header in text that ends with a blank line; NULL. */
static const char *header(const char *text, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = strstr(text, "\r\n"); at; at = strstr(at + 2, "\r\n"))
        if (strncasecmp(at + 2, name, length) == 0 && at[2 + length] == ':')
            return at + 3 + length + strspn(at + 3 + length, " ");
    return NULL;
}

static void keep_session(wire *w, const char *head)
{
    const char *session = header(head, "mcp-session-id");
    if (!session || *w->session)
        return;
    size_t length = strcspn(session, " \r");
    if (length < sizeof w->session)
        memcpy(w->session, session, length);
}

static char *http_answer(wire *w, char *text, size_t length, const char **problem)
{
    char *end = strstr(text, "\r\n\r\n");
    if (!end)
        return NULL;
    char *body = end + 4;
    *end = 0;
    const char *size = header(text, "content-length");
    long status = strtol(text + strcspn(text, " "), NULL, 10);
    bool whole = size && (size_t)(text + length - body) >= strtoul(size, NULL, 10);
    if (!whole && size) {
        *end = '\r';
        return NULL;
    }
    keep_session(w, text);
    if (!size || (status != 200 && status != 202))
        *problem = size ? (*body ? body : text) : "an answer without a length";
    return body;
}

char *wire_answer(wire *w, char *text, size_t length, const char **problem)
{
    return w->http ? http_answer(w, text, length, problem) : line_answer(text, length);
}

#include "http/listen.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <libgen.h>
#include <netinet/in.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/un.h>
#include <unistd.h>

enum {
    BACKLOG = 1024,
    HOLD_STEP_US = 5000, /* between two tries to hold a folder */
    HOLD_TRIES = 400,
};

typedef struct place {
    const char *where; /* as it was given */
    union {
        struct sockaddr any;
        struct sockaddr_in v4;
        struct sockaddr_in6 v6;
        struct sockaddr_un local;
    } address;
    socklen_t length;
    bool is_local;
} place;

/* ---- Reading the address -------------------------------------------------------------------- */

static bool parse_port(const char *text, in_port_t *port)
{
    size_t length = strlen(text);
    if (length == 0 || length > 5 || strspn(text, "0123456789") != length)
        return false;
    unsigned long number = strtoul(text, NULL, 10);
    *port = htons((uint16_t)number);
    return number <= 65535;
}

static bool parse_v6(const char *host, const char *port, place *out)
{
    out->address.v6 = (struct sockaddr_in6){.sin6_family = AF_INET6};
    out->length = sizeof out->address.v6;
    if (inet_pton(AF_INET6, host, &out->address.v6.sin6_addr) != 1)
        return false;
    out->is_local = IN6_IS_ADDR_LOOPBACK(&out->address.v6.sin6_addr);
    return parse_port(port, &out->address.v6.sin6_port);
}

static bool parse_v4(const char *host, const char *port, place *out)
{
    enum { LOOPBACK = 127 };
    out->address.v4 = (struct sockaddr_in){.sin_family = AF_INET};
    out->length = sizeof out->address.v4;
    if (strcmp(host, "localhost") == 0)
        host = "127.0.0.1";
    if (inet_pton(AF_INET, host, &out->address.v4.sin_addr) != 1)
        return false;
    out->is_local = ntohl(out->address.v4.sin_addr.s_addr) >> 24 == LOOPBACK;
    return parse_port(port, &out->address.v4.sin_port);
}

static bool parse_address(const char *where, place *out)
{
    char host[INET6_ADDRSTRLEN];
    const char *colon = strrchr(where, ':');
    if (!colon)
        return parse_v4("127.0.0.1", where, out);
    bool is_v6 = where[0] == '[' && colon > where && colon[-1] == ']';
    size_t start = is_v6 ? 1 : 0;
    size_t length = (size_t)(colon - where) - 2 * start;
    if (length >= sizeof host)
        return false;
    memcpy(host, where + start, length);
    host[length] = '\0';
    return is_v6 ? parse_v6(host, colon + 1, out) : parse_v4(host, colon + 1, out);
}

static bool parse_path(const char *path, place *out)
{
    out->address.local = (struct sockaddr_un){.sun_family = AF_UNIX};
    out->length = sizeof out->address.local;
    out->is_local = true;
    if (path[0] == '\0' || strlen(path) >= sizeof out->address.local.sun_path)
        return false;
    memcpy(out->address.local.sun_path, path, strlen(path) + 1);
    return true;
}

static em_status parse(const char *where, place *out, em_error *err)
{
    bool is_unix = strncmp(where, "unix:", 5) == 0;
    out->where = where;
    if (is_unix ? parse_path(where + 5, out) : parse_address(where, out))
        return EM_OK;
    return em_fail(err, EM_E_INVALID,
                   "'%s' is neither an address such as 127.0.0.1:8137 or [::1]:0 nor unix:PATH (of "
                   "at most %zu bytes)",
                   where, sizeof out->address.local.sun_path - 1);
}

em_status em_listen_is_local(const char *where, bool *is_local, em_error *err)
{
    place at = {.length = 0};
    EM_TRY(parse(where, &at, err));
    *is_local = at.is_local;
    return EM_OK;
}

/* ---- Listening ------------------------------------------------------------------------------ */

/* Does somebody answer at this socket file? */
static bool is_answered(const place *at)
{
    int fd = socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    bool answered =
        fd < 0 || connect(fd, &at->address.any, at->length) == 0 || errno != ECONNREFUSED;
    if (fd >= 0)
        close(fd);
    return answered;
}

/* Two that find the socket of a killed server would each put its own there, and one of them be
 * lost: they do it one after the other, as long as the descriptor is open that this gives. Where
 * the folder cannot be locked, or another holds it for long, nothing keeps them apart; -1: it
 * cannot even be opened, which is told when the socket is made. */
static int hold_folder(const char *path)
{
    char folder[sizeof(struct sockaddr_un)];
    snprintf(folder, sizeof folder, "%s", path);
    int fd = open(dirname(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    for (int i = 0; fd >= 0 && i < HOLD_TRIES && flock(fd, LOCK_EX | LOCK_NB) != 0; i++) {
        if (errno != EWOULDBLOCK)
            break;
        usleep(HOLD_STEP_US);
    }
    return fd;
}

/* A server that was killed leaves its socket file behind. */
static em_status remove_stale(const place *at, em_error *err)
{
    struct stat there;
    const char *path = at->address.local.sun_path;
    if (lstat(path, &there) != 0)
        return EM_OK;
    if (!S_ISSOCK(there.st_mode) || is_answered(at))
        return em_fail(err, EM_E_EXISTS, "%s is there already", path);
    return unlink(path) == 0 ? EM_OK : em_fail_sys(err, errno, path);
}

static em_status fail_to_listen(const place *at, int error, em_error *err)
{
    char what[256];
    snprintf(what, sizeof what, "cannot listen at %s", at->where);
    return em_fail_sys(err, error, what);
}

/* And note the port that it came to have. */
static em_status bind_to(int fd, place *at, em_error *err)
{
    const int yes = 1;
    bool is_unix = at->address.any.sa_family == AF_UNIX;
    mode_t mask = is_unix ? umask(0177) : 0;
    if (!is_unix)
        setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
    if (at->address.any.sa_family == AF_INET6)
        setsockopt(fd, IPPROTO_IPV6, IPV6_V6ONLY, &yes, sizeof yes);
    int result = bind(fd, &at->address.any, at->length);
    int error = errno;
    if (is_unix)
        umask(mask);
    if (result != 0 || listen(fd, BACKLOG) != 0 ||
        (!is_unix && getsockname(fd, &at->address.any, &at->length) != 0))
        return fail_to_listen(at, result != 0 ? error : errno, err);
    return EM_OK;
}

static void describe(const place *at, em_listener *out)
{
    char text[INET6_ADDRSTRLEN];
    if (at->address.any.sa_family == AF_UNIX) {
        out->is_unix = true;
        snprintf(out->host, sizeof out->host, "localhost");
        snprintf(out->name, sizeof out->name, "unix:%s", at->address.local.sun_path);
        return;
    }
    bool is_v6 = at->address.any.sa_family == AF_INET6;
    out->port = ntohs(is_v6 ? at->address.v6.sin6_port : at->address.v4.sin_port);
    const void *number =
        is_v6 ? (const void *)&at->address.v6.sin6_addr : (const void *)&at->address.v4.sin_addr;
    inet_ntop(is_v6 ? AF_INET6 : AF_INET, number, text, sizeof text);
    snprintf(out->host, sizeof out->host, is_v6 ? "[%s]" : "%s", text);
    snprintf(out->name, sizeof out->name, "http://%s:%d", out->host, out->port);
}

/* out->fd is -1 where it fails. */
static em_status listen_at(place *at, em_listener *out, em_error *err)
{
    int family = at->address.any.sa_family;
    if (family == AF_UNIX)
        EM_TRY(remove_stale(at, err));
    out->fd = socket(family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (out->fd < 0)
        return fail_to_listen(at, errno, err);
    em_status status = bind_to(out->fd, at, err);
    if (status != EM_OK) {
        close(out->fd);
        out->fd = -1;
    }
    return status;
}

em_status em_listen(const char *where, em_listener *out, em_error *err)
{
    place at = {.length = 0};
    *out = (em_listener){.fd = -1};
    EM_TRY(parse(where, &at, err));
    bool is_unix = at.address.any.sa_family == AF_UNIX;
    int folder = is_unix ? hold_folder(at.address.local.sun_path) : -1;
    em_status status = listen_at(&at, out, err);
    if (folder >= 0)
        close(folder);
    EM_TRY(status);
    out->is_local = at.is_local;
    describe(&at, out);
    return EM_OK;
}

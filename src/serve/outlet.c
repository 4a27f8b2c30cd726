#include "serve/outlet.h"

#include <fcntl.h>
#include <limits.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

static em_outlet_kind kind_of(int fd)
{
    struct stat file;
    if (fstat(fd, &file) != 0)
        return EM_OUTLET_OTHER;
    if (S_ISREG(file.st_mode))
        return EM_OUTLET_FILE;
    return S_ISSOCK(file.st_mode) ? EM_OUTLET_SOCKET : EM_OUTLET_OTHER;
}

em_outlet em_outlet_of(int fd)
{
    return (em_outlet){.fd = fd, .kind = kind_of(fd)};
}

void em_pipe_widen(int fd, bool *is_wide)
{
    if (!*is_wide)
        (void)fcntl(fd, F_SETPIPE_SZ, 4 * EM_PIPE_BYTES);
    *is_wide = true;
}

/* What a write takes that began when poll(2) saw room. An empty pipe has a free slot for every page
 * that it holds; of one that is not empty nobody tells how many are left. */
static size_t room_in(em_outlet *outlet, size_t wanted)
{
    int waiting, capacity;
    if (wanted <= PIPE_BUF)
        return PIPE_BUF;
    if (wanted > EM_PIPE_BYTES)
        em_pipe_widen(outlet->fd, &outlet->is_wide);
    capacity = fcntl(outlet->fd, F_GETPIPE_SZ);
    if (capacity <= PIPE_BUF || ioctl(outlet->fd, FIONREAD, &waiting) != 0 || waiting > 0)
        return PIPE_BUF;
    return (size_t)capacity;
}

ssize_t em_outlet_put(em_outlet *outlet, em_slice bytes)
{
    if (outlet->kind == EM_OUTLET_SOCKET)
        return send(outlet->fd, bytes.ptr, bytes.len, MSG_DONTWAIT | MSG_NOSIGNAL);
    size_t most = outlet->kind == EM_OUTLET_FILE ? bytes.len : room_in(outlet, bytes.len);
    return write(outlet->fd, bytes.ptr, bytes.len < most ? bytes.len : most);
}

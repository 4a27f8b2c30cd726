/* floor.c: the least that a change of a file can be, to hold emend against.
 *
 *     floor        answers requests, one a line, until its input ends
 *
 * A request is PATH TAB OLD TAB WITH. The file is read whole, OLD is looked for once, and a new
 * file with WITH in its place is written beside it and renamed over it; the answer is `ok`. A line
 * without a tab is answered at once, which tells what the pipe alone takes.
 *
 * No JSON, no check that OLD stands there once or that nobody else writes, no lock, no sync, no
 * diff, no record; the mode is the file's, and nothing else of it is kept.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

static char *read_whole(int fd, size_t size)
{
    char *bytes = malloc(size + 1);
    size_t have = 0;
    while (bytes && have < size) {
        ssize_t n = read(fd, bytes + have, size - have);
        if (n <= 0) {
            free(bytes);
            return NULL;
        }
        have += (size_t)n;
    }
    return bytes;
}

static bool write_pieces(int fd, struct iovec *pieces, int count)
{
    while (count > 0) {
        ssize_t n = writev(fd, pieces, count);
        if (n < 0)
            return false;
        size_t written = (size_t)n;
        while (count > 0 && written >= pieces->iov_len) {
            written -= pieces->iov_len;
            pieces++;
            count--;
        }
        if (count > 0) {
            pieces->iov_base = (char *)pieces->iov_base + written;
            pieces->iov_len -= written;
        }
    }
    return true;
}

static bool publish(const char *path, mode_t mode, struct iovec pieces[3])
{
    char beside[4096];
    int length = snprintf(beside, sizeof beside, "%s.new", path);
    if (length < 0 || (size_t)length >= sizeof beside)
        return false;
    int fd = open(beside, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode & 07777);
    if (fd < 0)
        return false;
    bool written = write_pieces(fd, pieces, 3);
    return close(fd) == 0 && written && rename(beside, path) == 0;
}

static bool change(const char *path, const char *old, const char *with)
{
    struct stat about;
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return false;
    char *bytes = NULL, *at = NULL;
    if (fstat(fd, &about) == 0)
        bytes = read_whole(fd, (size_t)about.st_size);
    close(fd);
    if (bytes)
        at = memmem(bytes, (size_t)about.st_size, old, strlen(old));
    bool done = false;
    if (at) {
        char *behind = at + strlen(old);
        struct iovec pieces[3] = {{bytes, (size_t)(at - bytes)},
                                  {(void *)with, strlen(with)},
                                  {behind, (size_t)(bytes + about.st_size - behind)}};
        done = publish(path, about.st_mode, pieces);
    }
    free(bytes);
    return done;
}

static bool answer(char *line)
{
    char *old = strchr(line, '\t');
    if (!old)
        return true;
    *old++ = 0;
    char *with = strchr(old, '\t');
    if (!with)
        return false;
    *with++ = 0;
    return change(line, old, with);
}

int main(void)
{
    char *line = NULL;
    size_t room = 0;
    ssize_t length;
    while ((length = getline(&line, &room, stdin)) > 0) {
        if (line[length - 1] == '\n')
            line[length - 1] = 0;
        if (answer(line))
            puts("ok");
        else
            printf("failed: %s\n", strerror(errno));
        fflush(stdout);
    }
    free(line);
    return 0;
}

#include "scratch.h"

#include "../../remove_tree.h"
#include "failing_memory.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static char *new_below(const char *parent, char out[static SCRATCH_PATH])
{
    char name[64], resolved[PATH_MAX];
    snprintf(name, sizeof name, "%s/emend-test-XXXXXX", parent);
    assert_non_null(mkdtemp(name));
    assert_non_null(realpath(name, resolved));
    assert_true(strlen(resolved) < SCRATCH_PATH);
    return strcpy(out, resolved);
}

char *scratch_new(char out[static SCRATCH_PATH])
{
    return new_below("/tmp", out);
}

char *scratch_new_in_memory(char out[static SCRATCH_PATH])
{
    return new_below(access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp", out);
}

void scratch_drop(const char *folder)
{
    remove_tree(folder);
}

const char *scratch_path(const char *folder, const char *name)
{
    static char buffers[8][PATH_MAX];
    static unsigned next;
    char *out = buffers[next++ % COUNT_OF(buffers)];
    assert_true(snprintf(out, PATH_MAX, "%s/%s", folder, name) < PATH_MAX);
    return out;
}

void scratch_folder(const char *folder, const char *name)
{
    assert_int_equal(mkdir(scratch_path(folder, name), 0755), 0);
}

void scratch_put(const char *folder, const char *name, const char *text)
{
    int fd = open(scratch_path(folder, name), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0644);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), strlen(text));
    assert_int_equal(close(fd), 0);
}

void scratch_link(const char *folder, const char *name, const char *target)
{
    assert_int_equal(symlink(target, scratch_path(folder, name)), 0);
}

bool scratch_has(const char *folder, const char *name)
{
    struct stat st;
    return lstat(scratch_path(folder, name), &st) == 0;
}

int scratch_count(const char *folder)
{
    int count = 0;
    DIR *dir = opendir(folder);
    assert_non_null(dir);
    while (readdir(dir))
        count++;
    closedir(dir);
    return count - 2; /* "." and ".." */
}

int scratch_descriptors(void)
{
    return scratch_count("/proc/self/fd") - 1; /* the one that counts */
}

void check_status(const char *what, em_status got, em_status want)
{
    if (got != want)
        fail_msg("%s: status %d, expected %d", what, (int)got, (int)want);
}

/* ---- Memory that ends ------------------------------------------------------------------------ */

static atomic_long allocations, end_at; /* of all threads */

void memory_ends_at(long at)
{
    allocations = 0;
    end_at = at;
}

bool memory_ended(void)
{
    return end_at > 0 && allocations >= end_at;
}

bool memory_is_refused(void)
{
    allocations++;
    return memory_ended();
}

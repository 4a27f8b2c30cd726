/* sys_io.h: the loops over the table of system calls.
 *
 *  (1) A call that a signal interrupted is made again, but never close(2).
 *  (2) Short reads and writes go on where they stopped.
 *  (3) A read that fails is an error, never the end of the file.
 */
#ifndef EM_SYSTEM_SYS_IO_H
#define EM_SYSTEM_SYS_IO_H

#include "base/status.h"
#include "system/sys.h"

#include <errno.h>

/* A file, or a folder, that is open. `path` is what an error's detail calls it: "read src/a.c:
 * Input/output error". */
typedef struct em_io_file {
    const em_sys *sys;
    int fd;
    const char *path;
} em_io_file;

/* Make a call of the table, and again as long as signals interrupt it:
 * `int fd = EM_SYS_RETRY(sys, open, dir, name, flags, 0, 0);` Not for close: the descriptor is gone
 * although the call was interrupted. */
#define EM_SYS_RETRY(sys, call, ...)                                                               \
    __extension__({                                                                                \
        __typeof__(EM_SYS(sys, call, __VA_ARGS__)) em_sys_result;                                  \
        do                                                                                         \
            em_sys_result = EM_SYS(sys, call, __VA_ARGS__);                                        \
        while (em_sys_result == -EINTR);                                                           \
        em_sys_result;                                                                             \
    })

/* em_fail_sys for what a call of the table returned: "CALL PATH: what is wrong". Of a very long
 * path the end is shown, so that the reason has room. */
em_status em_io_fail(em_error *err, ssize_t result, const char *call, const char *path);

/* Read `size` bytes, the size that stat gave, from the start of the file into `out`. EM_E_CONFLICT
 * when it turns out shorter or longer: somebody changed it meanwhile. */
em_status em_io_read_all(em_io_file file, void *out, size_t size, em_error *err);

/* Write the pieces, one after the other, to the file from `offset` on. */
em_status em_io_write_all(em_io_file file, const struct iovec *pieces, size_t count, off_t offset,
                          em_error *err);

/* Where in `room` bytes should lie that are read from offset `from` of a file and written to offset
 * `to` of one (negative: they are not): at most EM_IO_SKEW bytes behind its start. The kernel
 * copies with REP MOVSB where it can, which the Zen processors do much more slowly where
 * the destination begins 1 to 31 bytes behind the source modulo the size of a page (sourceware.org,
 * glibc bug 30994): as it does after a splice that made a file some bytes longer or shorter. */
enum { EM_IO_SKEW = 128 };
char *em_io_window(char *room, off_t from, off_t to);

/* Make what was written to the file durable. A failure is final: the kernel may have dropped the
 * bytes and would report success the next time, so nobody may ask again for this file. Only EINTR,
 * which says that nothing was tried, is followed by another try. */
em_status em_io_sync(em_io_file file, bool data_only, em_error *err);

/* What was written to the file is all: em_io_sync, or where it need not be `durable`, flush
 * (sys.h). After that, as where nothing was written, a close has nothing to say and is not asked.
 */
em_status em_io_finish(em_io_file file, bool durable, em_error *err);

/* Hand `see` each name, but "." and "..", of the folder that `fd` is open on for reading, with its
 * d_type, which is DT_UNKNOWN where the system does not tell it here. Ends early when `see` returns
 * false. 0, or the negative errno of a listing that failed. */
typedef bool em_io_name(void *context, const char *name, unsigned char type);
int em_io_list(const em_sys *sys, int fd, em_io_name *see, void *context);

/* The time of a clock in milliseconds. */
em_status em_io_time(const em_sys *sys, clockid_t clock, int64_t *ms, em_error *err);

/* Fill `out` with random bytes. */
em_status em_io_random(const em_sys *sys, void *out, size_t size, em_error *err);

#endif

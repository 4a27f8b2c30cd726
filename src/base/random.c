#include "base/random.h"

#include <errno.h>
#include <sys/random.h>

bool em_random(void *bytes, size_t size)
{
    unsigned char *next = bytes;
    while (size > 0) {
        ssize_t length = getrandom(next, size, 0);
        if (length < 0 && errno != EINTR)
            return false;
        next += length > 0 ? length : 0;
        size -= length > 0 ? (size_t)length : 0;
    }
    return true;
}

/* reader.h: an input that is read byte by byte, as a program; zeros behind its end. */
#ifndef EM_TESTS_FUZZ_READER_H
#define EM_TESTS_FUZZ_READER_H

#include <stddef.h>
#include <stdint.h>

typedef struct reader {
    const uint8_t *data;
    size_t left;
} reader;

static inline unsigned next(reader *r)
{
    if (r->left == 0)
        return 0;
    r->left--;
    return *r->data++;
}

#endif

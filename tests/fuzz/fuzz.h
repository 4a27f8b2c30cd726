/* fuzz.h: what a harness is.
 *
 * A harness reads one input and aborts where something does not hold. The same file builds twice:
 * with replay.c, which runs the seeds and a fixed row of mutations of them, the same every time
 * (suite `fuzz`, in `make check`); and with libFuzzer (`make fuzz`), which looks for more.
 */
#ifndef EM_TESTS_FUZZ_FUZZ_H
#define EM_TESTS_FUZZ_FUZZ_H

#include "base/slice.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

/* Inputs to begin with, and words to put into them; both end with an empty slice. */
extern const em_slice em_fuzz_seeds[];
extern const em_slice em_fuzz_words[];

/* For seeds: a string literal as a slice, which may hold NULs. */
#define SEED(literal)                                                                              \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }

#define HOLDS(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: does not hold: %s\n", __FILE__, __LINE__, #condition);         \
            abort();                                                                               \
        }                                                                                          \
    } while (0)

#endif

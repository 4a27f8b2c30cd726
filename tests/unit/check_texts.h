/* check_texts.h: cmocka with what it needs, and the few words that the tests of draft, match,
 * laying, diagnosis and edit share. */
#ifndef EM_TESTS_UNIT_CHECK_TEXTS_H
#define EM_TESTS_UNIT_CHECK_TEXTS_H

#include <stdio.h>

#include "with_cmocka.h"

#include "base/arena.h"

/* `what` names the case in the message of a failure. */
static inline void check_bytes(const char *what, em_slice got, em_slice want)
{
    if (em_slice_eq(got, want))
        return;
    print_error("%s: got \"%.*s\", want \"%.*s\"\n", what, (int)got.len, got.len ? got.ptr : "",
                (int)want.len, want.len ? want.ptr : "");
    fail();
}

static inline void check_size(const char *what, size_t got, size_t want)
{
    if (got == want)
        return;
    print_error("%s: got %zu, want %zu\n", what, got, want);
    fail();
}

/* A small generator with a state of its own: the same numbers in every run. (xorshift64*) */
static inline uint32_t next_random(uint64_t *state)
{
    *state ^= *state >> 12;
    *state ^= *state << 25;
    *state ^= *state >> 27;
    return (uint32_t)(*state * 2685821657736338717u >> 32);
}

#endif

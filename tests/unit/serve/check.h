/* check.h: what the tests of this room share. */
#ifndef EM_TESTS_UNIT_SERVE_CHECK_H
#define EM_TESTS_UNIT_SERVE_CHECK_H

#include <stdio.h>

#include "../with_cmocka.h"

#include "serve/rpc.h"

/* Is `got` the JSON value that `want` is the text of? `got` is borrowed. */
static inline void check_json(const char *what, const json_t *got, const char *want)
{
    json_error_t error;
    json_t *wanted = json_loads(want, JSON_DECODE_ANY | JSON_ALLOW_NUL, &error);
    if (!wanted || !json_equal(wanted, got)) {
        char *text = got ? json_dumps(got, JSON_ENCODE_ANY) : NULL;
        print_error("%s:\n  got    %s\n  wanted %s%s\n", what, text ? text : "nothing", want,
                    wanted ? "" : " (which is not JSON)");
        fail();
    }
    json_decref(wanted);
}

#endif

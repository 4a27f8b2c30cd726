#include "cli/heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

enum { MB = 1 << 20 };

/* Memory is there, wherever it comes from. */
static void the_heap_is_used_as_ever(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    static char *pieces[COUNT];
    em_cli_expect_memory(24 * MB);
    for (size_t i = 0; i < COUNT; i++) {
        pieces[i] = malloc(1000 + i);
        assert_non_null(pieces[i]);
        memset(pieces[i], (int)i, 1000 + i);
    }
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(pieces[i][999 + i], (char)i);
        free(pieces[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_heap_is_used_as_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

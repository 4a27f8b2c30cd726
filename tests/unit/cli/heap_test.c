#include "cli/heap.h"

#include "base/pages.h"

#include <string.h>

#include "../with_cmocka.h"
#include "break.h"

/* Memory is there, wherever it comes from. */
static void the_heap_is_used_as_ever(void **state)
{
    (void)state;
    enum { COUNT = 2000 };
    static char *pieces[COUNT];
    em_cli_expect_request(MB);
    for (size_t i = 0; i < COUNT; i++) {
        pieces[i] = malloc(1000 + i);
        assert_non_null(pieces[i]);
        memset(pieces[i], (int)i, 1000 + i);
    }
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(pieces[i][999 + i], (char)i);
        free(pieces[i]);
    }
    em_cli_heap_join();
}

static void it_grows_at_once_and_no_more(void **state)
{
    (void)state;
    if (!heap_is_the_break())
        skip();
    em_pages_suppose(EM_PAGES_CHEAP);
    const char *before = sbrk(0);
    em_cli_expect_request(MB);
    const char *after = sbrk(0);
    assert_true(after - before >= 16 * MB); /* beside what was left */
    void *pieces[10];
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        assert_non_null(pieces[i] = malloc(MB));
    assert_ptr_equal(sbrk(0), after);
    for (size_t i = 0; i < sizeof pieces / sizeof *pieces; i++)
        free(pieces[i]);
    em_cli_heap_join();
}

/* Also for requests that are not long, and for more than they would take elsewhere. */
static void where_pages_are_dear_it_grows_by_more(void **state)
{
    (void)state;
    if (!heap_is_the_break())
        skip();
    em_pages_suppose(EM_PAGES_DEAR);
    const char *before = sbrk(0);
    em_cli_expect_request(64 << 10);
    const char *after = sbrk(0);
    assert_true(after - before >= 4 * MB);
    char *piece = malloc(3 * MB);
    assert_non_null(piece);
    memset(piece, 'x', 3 * MB);
    assert_ptr_equal(sbrk(0), after);
    free(piece);
    em_cli_heap_join();
}

static void small_requests_change_nothing(void **state)
{
    (void)state;
    const char *before = sbrk(0);
    em_pages_suppose(EM_PAGES_CHEAP);
    em_cli_expect_request(MB / 4);
    em_pages_suppose(EM_PAGES_DEAR);
    em_cli_expect_request(MB / 64);
    em_cli_expect_request(SIZE_MAX);
    assert_ptr_equal(sbrk(0), before);
    em_cli_heap_join();
    em_cli_heap_join();
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_requests_change_nothing),
        cmocka_unit_test(where_pages_are_dear_it_grows_by_more),
        cmocka_unit_test(it_grows_at_once_and_no_more),
        cmocka_unit_test(the_heap_is_used_as_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "cli/heap.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

enum { MB = 1 << 20 };

/* 2 MB for each block of the tenth number, 4 MB for each of the eleventh. */
static const char some[] = "Node 0, zone      DMA      0      0      0      0      0      0      0 "
                           "     0      1      1      3 \n"
                           "Node 0, zone    DMA32      2      3      0      2      3      2      1 "
                           "     4      4      2     10 \n"
                           "Node 0, zone   Normal   7948   6673   3250   1611    882    601    502 "
                           "   259    448     40      5 \n";

static void free_huge_pages_are_counted(void **state)
{
    (void)state; /* 1 + 6 + 2 + 20 + 40 + 10 are 79 of them: 158 MB, an eighth of which is asked for
                  */
    assert_true(em_cli_has_huge_pages(em_slice_of(some), 4 * MB));
    assert_true(em_cli_has_huge_pages(em_slice_of(some), 17 * MB));
    assert_false(em_cli_has_huge_pages(em_slice_of(some), 18 * MB));
    assert_false(em_cli_has_huge_pages(em_slice_of(some), 1000 * MB));
}

static void small_pages_do_not_count(void **state)
{
    (void)state;
    const char *text =
        "Node 0, zone   Normal   99999 99999 99999 99999 99999 99999 99999 99999 99999 0 0\n";
    assert_false(em_cli_has_huge_pages(em_slice_of(text), 2 * MB));
}

static void what_is_cut_or_something_else_is_no_obstacle(void **state)
{
    (void)state;
    for (size_t length = 0; length < sizeof some; length++) {
        char *copy = malloc(length + 1); /* so that a sanitizer sees who reads beyond it */
        assert_non_null(copy);
        memcpy(copy, some, length);
        em_cli_has_huge_pages(em_slice_make(copy, length), MB);
        free(copy);
    }
    assert_false(em_cli_has_huge_pages(EM_LIT(""), 0));
    assert_false(em_cli_has_huge_pages(EM_LIT("zone zone\nzone 1 2 3\n\n"), 0));
    assert_false(em_cli_has_huge_pages(EM_LIT("no such file"), 0));
}

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
        cmocka_unit_test(free_huge_pages_are_counted),
        cmocka_unit_test(small_pages_do_not_count),
        cmocka_unit_test(what_is_cut_or_something_else_is_no_obstacle),
        cmocka_unit_test(the_heap_is_used_as_ever),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "base/sorted.h"

#include "../with_cmocka.h"

typedef struct item {
    char before;
    struct {
        size_t start, end;
    } range;
} item;

static void items_below_a_limit_are_counted(void **state)
{
    static const item items[] = {{.range = {1, 9}},
                                 {.range = {3, 8}},
                                 {.range = {3, 7}},
                                 {.range = {5, 6}},
                                 {.range = {(size_t)-1, 0}}};
    static const struct {
        size_t limit, below;
    } rows[] = {{0, 0}, {1, 0}, {2, 1}, {3, 1}, {4, 3}, {5, 3}, {6, 4}, {(size_t)-1, 4}};
    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        assert_int_equal(EM_COUNT_BELOW(items, 5, range.start, rows[i].limit), rows[i].below);
    assert_int_equal(EM_COUNT_BELOW(items, 0, range.start, 4), 0);
}

static void numbers_alone_are_counted_too(void **state)
{
    static const size_t numbers[] = {2, 2, 4};
    (void)state;
    assert_int_equal(em_count_below(numbers, 3, sizeof *numbers, 0, 2), 0);
    assert_int_equal(em_count_below(numbers, 3, sizeof *numbers, 0, 3), 2);
    assert_int_equal(em_count_below(numbers, 3, sizeof *numbers, 0, 5), 3);
    assert_int_equal(em_count_below(NULL, 0, sizeof *numbers, 0, 5), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(items_below_a_limit_are_counted),
        cmocka_unit_test(numbers_alone_are_counted_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

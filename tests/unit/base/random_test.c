#include "base/random.h"

#include <string.h>

#include "../with_cmocka.h"

static void all_bytes_are_filled_and_no_more(void **state)
{
    (void)state;
    unsigned char bytes[1000] = {0};
    bool seen[sizeof bytes] = {false};
    for (int turn = 0; turn < 10; turn++) {
        assert_true(em_random(bytes, sizeof bytes - 1));
        for (size_t i = 0; i < sizeof bytes; i++)
            seen[i] = seen[i] || bytes[i] != 0;
    }
    for (size_t i = 0; i < sizeof bytes - 1; i++)
        assert_true(seen[i]);
    assert_false(seen[sizeof bytes - 1]);
}

static void two_are_not_the_same(void **state)
{
    (void)state;
    unsigned char one[16], other[16];
    assert_true(em_random(one, sizeof one) && em_random(other, sizeof other));
    assert_memory_not_equal(one, other, sizeof one);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_bytes_are_filled_and_no_more),
        cmocka_unit_test(two_are_not_the_same),
    };
    return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}

#include "base/deadline.h"

#include <limits.h>

#include "../with_cmocka.h"

enum { PLENTY = 1 << 20 }; /* of work: the clock is asked for certain */

static void work_goes_on_until_the_time_has_come(void **state)
{
    (void)state;
    em_deadline late = em_deadline_in(60000), soon = em_deadline_in(1);
    assert_false(em_deadline_spend(&late, PLENTY));
    while (!em_deadline_spend(&soon, PLENTY))
        continue;
    assert_true(em_deadline_spend(&soon, 0)); /* it stays so */
}

static void some_never_pass(void **state)
{
    (void)state;
    static const long never[] = {0, -1, LONG_MIN, LONG_MAX, LONG_MAX / 1000000};
    assert_false(em_deadline_spend(NULL, PLENTY));
    for (size_t i = 0; i < sizeof never / sizeof *never; i++) {
        em_deadline deadline = em_deadline_in(never[i]);
        assert_int_equal(deadline.at, 0);
        assert_false(em_deadline_spend(&deadline, PLENTY));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(work_goes_on_until_the_time_has_come),
        cmocka_unit_test(some_never_pass),
    };
    return cmocka_run_group_tests_name("deadline", tests, NULL, NULL);
}

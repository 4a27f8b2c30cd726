#include "base/descriptors.h"

#include <sys/resource.h>

#include "../with_cmocka.h"

static void the_limit_is_raised(void **state)
{
    (void)state;
    struct rlimit limit;
    assert_int_equal(getrlimit(RLIMIT_NOFILE, &limit), 0);
    size_t most = em_raise_descriptor_limit();
    assert_true(most >= 64);
    assert_true(most == limit.rlim_max || most == 1 << 20);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_limit_is_raised)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

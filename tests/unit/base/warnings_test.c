#include "base/warnings.h"

#include "../with_cmocka.h"
#include "failing_malloc.h"

static void warnings_are_kept_in_order(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_warnings warnings = {0};
    for (int i = 0; i < 100; i++)
        assert_int_equal(em_warn(&warnings, &arena, "%s %d", "number", i), EM_OK);
    assert_int_equal(warnings.count, 100);
    assert_string_equal(warnings.items[0], "number 0");
    assert_string_equal(warnings.items[99], "number 99");
}

/* What is added does not need the arena that it comes from. */
static void those_of_another_list_are_added(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_warnings warnings = {0};
    assert_int_equal(em_warn(&warnings, &arena, "first"), EM_OK);
    {
        EM_AUTO(em_arena) other = {0};
        em_warnings others = {0};
        assert_int_equal(em_warn(&others, &other, "100%% second"), EM_OK);
        assert_int_equal(em_warn(&others, &other, "third"), EM_OK);
        assert_int_equal(em_warnings_add_all(&warnings, &arena, &others), EM_OK);
    }
    assert_int_equal(warnings.count, 3);
    assert_string_equal(warnings.items[0], "first");
    assert_string_equal(warnings.items[1], "100% second");
    assert_string_equal(warnings.items[2], "third");
}

/* The first request fails, then the one for the list: what there was stays. */
static void out_of_memory(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_warnings warnings = {0};
    assert_int_equal(em_warn(&warnings, &arena, "kept"), EM_OK);
    em_status status = EM_OK;
    for (long left = 0; left < 2; left++) {
        EM_AUTO(em_arena) other = {0};
        static char large[5000];
        memset(large, 'x', sizeof large - 1);
        warnings.room = warnings.count;
        mallocs_left = left;
        status = em_warn(&warnings, &other, "%s", large);
        mallocs_left = -1;
        assert_int_equal(status, EM_E_NOMEM);
        assert_int_equal(warnings.count, 1);
        assert_string_equal(warnings.items[0], "kept");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(warnings_are_kept_in_order),
        cmocka_unit_test(those_of_another_list_are_added),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

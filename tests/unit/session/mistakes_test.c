#include "session/mistakes.h"

#include <stdio.h>

#include "../with_cmocka.h"

static void a_success_starts_the_count_again(void **state)
{
    (void)state;
    em_mistakes mistakes = {0};
    em_mistakes_forget(&mistakes, "me", "/a");
    assert_int_equal(em_mistakes_add(&mistakes, "me", "/a"), 1);
    assert_int_equal(em_mistakes_add(&mistakes, "me", "/a"), 2);
    em_mistakes_forget(&mistakes, "me", "/b");
    assert_int_equal(em_mistakes_add(&mistakes, "me", "/a"), 3);
    em_mistakes_forget(&mistakes, "me", "/a");
    assert_int_equal(em_mistakes_add(&mistakes, "me", "/a"), 1);
}

static void callers_and_files_are_told_apart(void **state)
{
    (void)state;
    em_mistakes mistakes = {0};
    assert_int_equal(em_mistakes_add(&mistakes, "me", "/a"), 1);
    assert_int_equal(em_mistakes_add(&mistakes, "you", "/a"), 1);
    assert_int_equal(em_mistakes_add(&mistakes, "me", "/b"), 1);
    assert_int_equal(em_mistakes_add(&mistakes, "me/", "a"), 1);
    assert_int_equal(em_mistakes_add(&mistakes, "me", "/a"), 2);
}

static void the_oldest_give_way(void **state)
{
    (void)state;
    em_mistakes mistakes = {0};
    char path[32];
    for (int i = 0; i < EM_MOST_MISTAKES + 2; i++) {
        snprintf(path, sizeof path, "/%d", i);
        assert_int_equal(em_mistakes_add(&mistakes, "me", path), 1);
    }
    assert_int_equal(em_mistakes_add(&mistakes, "me", "/2"), 2);
    assert_int_equal(em_mistakes_add(&mistakes, "me", path), 2);
    em_mistakes_forget(&mistakes, "me", "/2");
    assert_int_equal(em_mistakes_add(&mistakes, "me", "/0"), 1);
    assert_int_equal(em_mistakes_add(&mistakes, "me", "/3"), 2);
    assert_int_equal(em_mistakes_add(&mistakes, "me", "/1"), 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_success_starts_the_count_again),
        cmocka_unit_test(callers_and_files_are_told_apart),
        cmocka_unit_test(the_oldest_give_way),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "text/splice.h"

#include "../with_cmocka.h"

static void trimming_cuts_no_code_point(void **state)
{
    (void)state;
    static const struct {
        const char *old, *insert, *left;
        size_t offset, length;
    } cases[] = {
        {"abc", "axc", "x", 1, 1},
        {"", "x", "x", 0, 0},
        {"x", "", "", 0, 1},
        {"abc", "abc", "", 3, 0},
        {"a\xC3\xBC", "a\xC3\xA4", "\xC3\xA4", 1, 2},
        {"\xC3\xBCz", "\xC4\xBCz", "\xC4\xBC", 0, 2},
        {"aa", "aaa", "a", 2, 0},
        {"aaa", "aa", "", 2, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        em_slice old = em_slice_of(cases[i].old);
        em_splice splice =
            em_splice_trim(old, (em_splice){0, old.len, em_slice_of(cases[i].insert)});
        assert_int_equal(splice.offset, cases[i].offset);
        assert_int_equal(splice.length, cases[i].length);
        assert_true(em_slice_is(splice.insert, cases[i].left));
    }
}

static void offsets_are_those_of_the_text(void **state)
{
    (void)state;
    em_splice splice = em_splice_trim(EM_LIT("one two three"), (em_splice){4, 3, EM_LIT("t o")});
    assert_int_equal(splice.offset, 5);
    assert_int_equal(splice.length, 1);
    assert_true(em_slice_is(splice.insert, " "));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(trimming_cuts_no_code_point),
        cmocka_unit_test(offsets_are_those_of_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "base/line.h"

#include "../with_cmocka.h"

static void bytes_before_the_first_and_up_to_the_last(void **state)
{
    (void)state;
    static const struct {
        em_slice text;
        size_t until, behind_last;
    } cases[] = {
        {{NULL, 0}, 0, 0}, {{"", 0}, 0, 0},        {{"ab", 2}, 2, 0},
        {{"\n", 1}, 0, 1}, {{"a\nb\nc", 5}, 1, 4}, {{"a\n\0\n", 4}, 1, 4},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        assert_int_equal(em_slice_until(cases[i].text, '\n'), cases[i].until);
        assert_int_equal(em_slice_behind_last(cases[i].text, '\n'), cases[i].behind_last);
    }
}

/* Taken one by one, with their endings and without, lines are the text again. */
static void lines_come_one_by_one(void **state)
{
    (void)state;
    const em_slice text = EM_LIT("one\r\n\ntwo\rtoo\nlast");
    static const char *const lines[] = {"one\r\n", "\n", "two\rtoo\n", "last"};
    em_slice rest = text;
    size_t offset = 0;
    for (size_t i = 0; i < sizeof lines / sizeof *lines; i++) {
        em_slice line = em_next_line(text, &offset), bare = em_take_line(&rest);
        assert_true(em_slice_is(line, lines[i]));
        assert_int_equal(bare.len, em_slice_until(line, '\n'));
        assert_ptr_equal(bare.ptr, line.ptr);
        assert_int_equal(rest.len, text.len - offset);
    }
    assert_int_equal(offset, text.len);
    assert_int_equal(em_take_line(&rest).len, 0);
}

/* Whichever ending comes first, however far away it is. */
static void a_line_is_as_long_as_to_its_first_ending(void **state)
{
    (void)state;
    char text[1000];
    for (size_t at = 0; at < sizeof text; at += 37) {
        memset(text, 'x', sizeof text);
        assert_int_equal(em_line_length(em_slice_make(text, at)), at);
        text[at] = at % 2 ? '\r' : '\n';
        text[sizeof text - 1] = at % 2 ? '\n' : '\r';
        assert_int_equal(em_line_length(em_slice_make(text, sizeof text)), at);
    }
    assert_true(em_slice_is(em_line_content(EM_LIT("a \r\n")), "a "));
    assert_true(em_slice_is(em_line_blanks(EM_LIT(" \ta b")), " \t"));
    assert_true(em_slice_is(em_trimmed(EM_LIT("\n a b\r\n")), "a b"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(bytes_before_the_first_and_up_to_the_last),
        cmocka_unit_test(lines_come_one_by_one),
        cmocka_unit_test(a_line_is_as_long_as_to_its_first_ending),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "base/ascii.h"

#include "../with_cmocka.h"

/* Each kind of byte is these bytes and no others. */
static void kinds_are_these_bytes(void **state)
{
    (void)state;
    static const struct {
        bool (*is)(char byte);
        em_slice bytes;
    } kinds[] = {
        {em_is_space_or_tab, {" \t", 2}},
        {em_is_line_break, {"\n\r", 2}},
        {em_is_line_blank, {" \t\r", 3}},
        {em_is_white_space, {" \t\r\n", 4}},
        {em_is_any_space, {" \t\r\n\v\f", 6}},
        {em_is_digit, {"0123456789", 10}},
        {em_is_upper, {"ABCDEFGHIJKLMNOPQRSTUVWXYZ", 26}},
        {em_is_letter, {"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz", 52}},
    };
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        for (int byte = 0; byte <= UINT8_MAX; byte++)
            assert_int_equal(kinds[i].is((char)byte),
                             em_slice_has_byte(kinds[i].bytes, (char)byte));
    for (int byte = 0; byte <= UINT8_MAX; byte++) {
        char c = (char)byte;
        assert_int_equal(em_is_letter_or_digit(c), em_is_letter(c) || em_is_digit(c));
        assert_int_equal(em_is_beyond_ascii(c), byte >= 0x80);
        assert_int_equal(em_to_lower(c), em_is_upper(c) ? c + 32 : c);
    }
}

static void letters_of_ascii_alone_have_a_case(void **state)
{
    (void)state;
    assert_true(em_same_in_any_case(EM_LIT("aZ["), EM_LIT("Az[")));
    assert_true(em_same_in_any_case(EM_LIT(""), EM_LIT("")));
    assert_false(em_same_in_any_case(EM_LIT("a["), EM_LIT("a{")));
    assert_false(em_same_in_any_case(EM_LIT("a"), EM_LIT("ab")));
    assert_false(em_same_in_any_case(EM_LIT("\xC3\x84"), EM_LIT("\xC3\xA4")));
}

int main(void)
{
    static const struct CMUnitTest tests[] = {
        cmocka_unit_test(kinds_are_these_bytes),
        cmocka_unit_test(letters_of_ascii_alone_have_a_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "tokens/telling.h"

#include "check_texts.h"

static void twelve_code_points_tell(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool tells;
    } texts[] = {
        {"", false},
        {"abcdefghijk", false},
        {"abcdefghijkl", true},
        {"abc def ghi jk", false},
        {"abc\tdef\nghi\r\njkl", true},
        {"            ", false},
        {"abc\xC2\xA0"
         "def\xC2\xA0ghi\xC2\xA0jk",
         false},
        {"\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9\xC3\xA9", false},
        {"\xE4\xBD\xA0\xE5\xA5\xBD\xE4\xBD\xA0\xE5\xA5\xBD\xE4\xBD\xA0\xE5\xA5\xBD"
         "\xE4\xBD\xA0\xE5\xA5\xBD\xE4\xBD\xA0\xE5\xA5\xBD\xE4\xBD\xA0\xE5\xA5\xBD",
         true},
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++)
        check_size(texts[i].text, em_is_telling(em_slice_of(texts[i].text)), texts[i].tells);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(twelve_code_points_tell)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}

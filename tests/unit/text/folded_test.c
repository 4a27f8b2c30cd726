#include "text/folded.h"

#include <stdlib.h>

#include "../with_cmocka.h"
#include "failing_malloc.h"
#include "random.h"

static void check(em_folded *folded, em_arena *arena, const char *text, const char *wanted)
{
    em_slice s = em_slice_of(text);
    assert_int_equal(em_fold_blanks(s, arena, folded), EM_OK);
    if (!em_slice_is(folded->text, wanted))
        fail_msg("%s: %.*s", text, (int)folded->text.len, folded->text.ptr);
    assert_int_equal(folded->origin[folded->text.len], s.len);
    for (size_t i = 0; i < folded->text.len; i++) {
        bool blank = em_blank_at(s, folded->origin[i]) > 0;
        assert_int_equal(blank, wanted[i] == ' ' || wanted[i] == '\n');
        assert_true(blank || s.ptr[folded->origin[i]] == wanted[i]);
        assert_true(folded->origin[i] < folded->origin[i + 1]);
    }
}

static void known_texts(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted;
    } cases[] = {
        {"", ""},
        {"a", "a"},
        {"a b", "a b"},
        {"a  \t b", "a b"},
        {"\ta\n\t\tb\n", " a\nb\n"},
        {"a;  \n\n  \r\n b", "a;\nb"},
        {"a\rb", "a\nb"},
        {"a\xC2\xA0"
         "b\xE2\x80\x83\xE3\x80\x80"
         "c\xE2\x80\xAF"
         "d\xE2\x81\x9F"
         "e",
         "a b c d e"},
        {"gr\xC3\xBCn \xE2\x82\xAC\xFF\xC2", "gr\xC3\xBCn \xE2\x82\xAC\xFF\xC2"},
        {"\v\f", " "},
    };
    EM_AUTO(em_arena) arena = {0};
    em_folded folded = {0};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        check(&folded, &arena, cases[i].text, cases[i].wanted);
}

static void outer_blanks(void **state)
{
    (void)state;
    static const struct {
        const char *text, *wanted;
    } cases[] = {
        {"", ""},
        {" \n\t ", ""},
        {"a", "a"},
        {"\n  a b \r\n", "a b"},
        {"\xC2\xA0x\xE2\x80\x83\xE3\x80\x80", "x"},
        {"\xE2\x82\xAC ", "\xE2\x82\xAC"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_true(
            em_slice_is(em_without_outer_blanks(em_slice_of(cases[i].text)), cases[i].wanted));
}

/* Going on by units leads along the borders of the folded text, forwards and back. */
static void moving(void **state)
{
    (void)state;
    static const char *const parts[] = {"a",        " ",        "  ",           "\n", "\t",
                                        "\xC3\xBC", "\xC2\xA0", "\xE2\x82\xAC", "b"};
    random_state r = {41};
    EM_AUTO(em_arena) arena = {0};
    em_folded folded = {0};
    for (size_t round = 0; round < 300; round++) {
        char text[200];
        size_t length = 0, borders[200], count = 0;
        for (size_t i = random_below(&r, 40); i > 0; i--) {
            const char *part = RANDOM_OF(&r, parts);
            memcpy(text + length, part, strlen(part));
            length += strlen(part);
        }
        em_slice s = em_slice_make(text, length);
        assert_int_equal(em_fold_blanks(s, &arena, &folded), EM_OK);
        for (size_t i = 0; i <= folded.text.len; i++)
            if (i == folded.text.len || ((unsigned char)folded.text.ptr[i] & 0xC0) != 0x80)
                borders[count++] = folded.origin[i];
        for (size_t i = 0; i < count; i++)
            for (size_t k = i; k < count; k++) {
                assert_int_equal(em_folded_forward(s, borders[i], k - i, length), borders[k]);
                assert_int_equal(em_folded_back(s, borders[k], k - i, length), borders[i]);
            }
        assert_int_equal(em_folded_forward(s, 0, 1000, length), length);
        assert_int_equal(em_folded_back(s, length, 1000, length), 0);
    }
}

/* Text that is little else than blanks is not gone through for ever. */
static void not_too_far(void **state)
{
    (void)state;
    static char text[10000];
    memset(text, ' ', sizeof text);
    em_slice s = em_slice_make(text, sizeof text);
    assert_int_equal(em_folded_forward(s, 0, 1, sizeof text), sizeof text);
    assert_int_equal(em_folded_forward(s, 0, 1, 100), 100);
    assert_int_equal(em_folded_back(s, sizeof text, 5, 100), sizeof text - 100);
    memset(text, 0x80, sizeof text);
    assert_int_equal(em_folded_forward(s, 0, 1, 100), 100);
    assert_int_equal(em_folded_back(s, sizeof text, 5, 100), sizeof text - 100);
}

static void out_of_memory(void **state)
{
    (void)state;
    for (long fails_at = 0; fails_at < 2; fails_at++) {
        EM_AUTO(em_arena) arena = {0};
        em_folded folded = {0};
        static char text[8000];
        memset(text, 'a', sizeof text);
        mallocs_left = fails_at;
        em_status status = em_fold_blanks(em_slice_make(text, sizeof text), &arena, &folded);
        mallocs_left = -1;
        assert_int_equal(status, EM_E_NOMEM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_texts), cmocka_unit_test(outer_blanks),  cmocka_unit_test(moving),
        cmocka_unit_test(not_too_far), cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

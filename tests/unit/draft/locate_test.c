#include "draft/locate.h"

#include "check_texts.h"

static const struct {
    const char *what, *text;
    em_slice find;
    size_t count, start, end; /* of the first */
} cases[] = {
    {"literal", "a b a", {"a", 1}, 2, 0, 1},
    {"without overlap", "aaaa", {"aa", 2}, 2, 0, 2},
    {"LF for CRLF", "x\r\na\r\nb\r\n", {"a\nb", 3}, 1, 3, 7},
    {"LF for CR", "x\ra\rb", {"a\nb", 3}, 1, 2, 5},
    {"bytes first", "a\nb a\r\nb", {"a\nb", 3}, 1, 0, 3},
    {"CRLF in the search is literal", "a\nb", {"a\r\nb", 4}, 0, 0, 0},
    {"an LF at the end takes the CRLF", "a\r\nb\r\na\r\n", {"b\n", 2}, 1, 3, 6},
    {"not there", "abc", {"d", 1}, 0, 0, 0},
    {"empty in an empty text", "", {"", 0}, 1, 0, 0},
    {"empty in a text", "a", {"", 0}, 0, 0, 0},
    {"a NUL never matches", "a", {"a\0", 2}, 0, 0, 0},
    {"no CR in the text", "a\nc", {"a\nb", 3}, 0, 0, 0},
};

static void each_text_is_located(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        em_spans found;
        assert_int_equal(em_draft_init(&draft, em_slice_of(cases[i].text), 0), EM_OK);
        assert_int_equal(em_locate(&draft, cases[i].find, true, &arena, &found), EM_OK);
        check_size(cases[i].what, found.count, cases[i].count);
        if (found.count > 0) {
            check_size(cases[i].what, found.items[0].start, cases[i].start);
            check_size(cases[i].what, found.items[0].end, cases[i].end);
        }
    }
}

static const struct {
    const char *what, *text;
    em_span part;
    const char *find;
    size_t count, start, end; /* of the first */
} parts[] = {
    {"from its start on", "aaaaa", {1, 4}, "aa", 1, 1, 3},
    {"up to its end", "a\na\na\na\n", {2, 6}, "a\na\n", 1, 2, 6},
    {"not beyond", "aaaa", {1, 2}, "aa", 0, 0, 0},
    {"bytes first in it", "a\nb\na\r\nb", {4, 8}, "a\nb", 1, 4, 8},
    {"and only in it", "a\r\nb\na\nb", {5, 8}, "a\nb", 1, 5, 8},
    {"no CR in it", "a\r\nb\na\nb", {5, 8}, "b\na", 0, 0, 0},
    {"more than are kept", "a a a", {0, 5}, "a", 3, 0, 1},
    {"more than are kept, in other endings", "a\r\na\r\na", {0, 7}, "a\n", 2, 0, 3},
};

static void a_part_is_looked_through_alone(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(parts); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        em_found found = {.most = 1};
        em_slice find = em_slice_of(parts[i].find);
        assert_int_equal(em_draft_init(&draft, em_slice_of(parts[i].text), 0), EM_OK);
        assert_int_equal(em_locate_in(&draft, parts[i].part, find, true, &arena, &found), EM_OK);
        check_size(parts[i].what, found.total, parts[i].count);
        check_size(parts[i].what, found.spans.count, parts[i].count > 0);
        if (found.spans.count > 0) {
            check_size(parts[i].what, found.spans.items[0].start, parts[i].start);
            check_size(parts[i].what, found.spans.items[0].end, parts[i].end);
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_text_is_located),
        cmocka_unit_test(a_part_is_looked_through_alone),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

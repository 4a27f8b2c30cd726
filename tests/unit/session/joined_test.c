#include "session/joined.h"

#include "check_texts.h"

static em_op replace(const char *find, const char *insert)
{
    return (em_op){.kind = EM_OP_REPLACE,
                   .find = em_slice_of(find),
                   .insert = em_slice_of(insert),
                   .expect = 1};
}

/* Where the first op's text and the second's stand in the body. */
static em_correction join(em_arena *arena, const char *body, const em_op *one, size_t one_at,
                          size_t one_length, const em_op *other, size_t other_at,
                          size_t other_length)
{
    em_match places[] = {{.start = one_at, .end = one_at + one_length},
                         {.start = other_at, .end = other_at + other_length}};
    em_plan_failure failure = {.places = {.items = places, .count = 2}};
    em_correction joined;
    assert_int_equal(em_join_ops(em_slice_of(body), one, other, &failure, arena, &joined), EM_OK);
    return joined;
}

static const struct {
    const char *what, *find, *insert, *other_find, *other_insert;
    const char *joined_find, *joined_insert; /* NULL: they are not one */
} cases[] = {
    {"lines around two changes", "a\nb\nc\n", "1\nb\nc\n", "b\nc\nd\n", "b\nc\n4\n", "a\nb\nc\nd\n",
     "1\nb\nc\n4\n"},
    {"each has what the other changes", "a\nb\nc\nd\n", "a\n2\nc\nd\n", "b\nc\nd\ne\n",
     "b\nc\n4\ne\n", "a\nb\nc\nd\ne\n", "a\n2\nc\n4\ne\n"},
    {"the first changes what comes last", "a\nb\nc\nd\n", "a\nb\nc\n4\n", "b\nc\nd\ne\n",
     "2\nc\nd\ne\n", "a\nb\nc\nd\ne\n", "a\n2\nc\n4\ne\n"},
    {"the one lies within the other", "a\nb\nc\nd\n", "a\nb\nc\n4\n5\n", "b\n", "2\n",
     "a\nb\nc\nd\n", "a\n2\nc\n4\n5\n"},
    {"in the same text", "a\nb\nc\n", "1\nb\nc\n", "a\nb\nc\n", "a\nb\n", "a\nb\nc\n", "1\nb\n"},
    {"lines that touch, each by itself", "a\nb\n", "1\nb\n", "a\nb\nc\n", "a\n2\nc\n", "a\nb\nc\n",
     "1\n2\nc\n"},
    {"lines that touch, and one more", "a\nb\n", "1\n0\nb\n", "a\nb\nc\n", "a\n0\n2\nc\n", NULL,
     NULL},
    {"two insertions at one place", "a\nb\n", "a\nx\nb\n", "a\nb\nc\n", "a\ny\nb\nc\n", NULL, NULL},
    {"the same line", "a\nb\n", "a\n2\n", "b\nc\n", "3\nc\n", NULL, NULL},
    {"one of equal lines goes", "a\nb\nb\n", "a\nb\n", "b\nb\nc\n", "b\nc\n", NULL, NULL},
    {"... beside another change", "a\nb\nb\n", "a\nb\n", "b\nb\nc\n", "b\n3\n", NULL, NULL},
    {"a part of a line", "a\nb", "1\nb", "b\nc", "b\n3", "a\nb\nc", "1\nb\n3"},
    {"a carriage return", "a\nb\nc\n", "1\r\nb\nc\n", "b\nc\nd\n", "b\nc\n4\n", NULL, NULL},
};

static void edits_of_a_text_that_both_keep_are_one(void **state)
{
    (void)state;
    static const char body[] = "a\nb\nc\nd\ne\n", equal[] = "a\nb\nb\nc\n";
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        for (int turned = 0; turned < 2; turned++) {
            EM_AUTO(em_arena) arena = {0};
            em_op one = replace(cases[i].find, cases[i].insert),
                  other = replace(cases[i].other_find, cases[i].other_insert);
            const char *text = strstr(body, cases[i].find) ? body : equal;
            size_t at = (size_t)(strstr(text, cases[i].find) - text),
                   other_at = (size_t)(strstr(text, cases[i].other_find) - text);
            em_correction joined =
                turned
                    ? join(&arena, text, &other, other_at, other.find.len, &one, at, one.find.len)
                    : join(&arena, text, &one, at, one.find.len, &other, other_at, other.find.len);
            const char *find = cases[i].joined_find ? cases[i].joined_find : "";
            check_bytes(cases[i].what, joined.find, em_slice_of(find));
            if (cases[i].joined_find)
                check_bytes(cases[i].what, joined.insert, em_slice_of(cases[i].joined_insert));
        }
    }
}

/* The search texts have LFs for them. */
static void line_endings_of_the_file_do_not_matter(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_op one = replace("a\nb\nc\n", "1\nb\nc\n"), other = replace("b\nc\nd\n", "b\nc\n4\n");
    em_correction joined = join(&arena, "a\r\nb\r\nc\r\nd\r\n", &one, 0, 9, &other, 3, 9);
    check_bytes("find", joined.find, EM_LIT("a\nb\nc\nd\n"));
    check_bytes("insert", joined.insert, EM_LIT("1\nb\nc\n4\n"));
}

/* Whose place is not its text, or not the only one, is left alone. */
static void other_edits_are_not_joined(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    const char *body = "a\nb\nc\nd\n";
    for (int i = 0; i < 4; i++) {
        em_op one = replace("a\nb\nc\n", "1\nb\nc\n"), other = replace("b\nc\nd\n", "b\nc\n4\n");
        one.expect = i == 0 ? EM_EVERY : 1;
        one.first_line = i == 1;
        one.kind = i == 2 ? EM_OP_INSERT_AFTER : EM_OP_REPLACE;
        em_correction joined = join(&arena, body, &one, 0, i == 3 ? 5 : 6, &other, 2, 6);
        assert_int_equal(joined.find.len, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(edits_of_a_text_that_both_keep_are_one),
        cmocka_unit_test(line_endings_of_the_file_do_not_matter),
        cmocka_unit_test(other_edits_are_not_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

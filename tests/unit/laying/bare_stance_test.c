#include "laying/bare_stance.h"

#include "check_texts.h"
#include "scarce_arena.h"

/* The search text is the first line of the replacement. */
static const struct {
    const char *what, *insert, *base;
    em_bare_stance wanted;
} cases[] = {
    {"none is less deep than it is there", "a;\n    b;\n        c;\n    d;", "    ",
     EM_BARE_IN_FILE},
    {"in its block, from the margin", "if x:\n    a\n    b", "    ", EM_BARE_FROM_MARGIN},
    {"in its block, as in the file", "if x:\n        a\n        b", "    ", EM_BARE_IN_FILE},
    {"all as deep as it came", "a\nb\nc", "    ", EM_BARE_FROM_MARGIN},
    {"one ends what others began", "a;\n    } else {\n        b;", "        ", EM_BARE_IN_FILE},
    {"a bracket that is a string ends nothing", "a(\"}\")\nb", "    ", EM_BARE_FROM_MARGIN},
    {"one comes back to where none was", "if x:\n        a\n    b\nc", "    ", EM_BARE_IN_FILE},
    {"one is aligned in the file", "call(a,\n         b)\nc", "    ", EM_BARE_IN_FILE},
    {"... and from the margin", "call(a,\n     b)\nc", "    ", EM_BARE_FROM_MARGIN},
    {"it goes on with a point", "x\n    .y()\nz", "    ", EM_BARE_FROM_MARGIN},
    {"a point behind a comma begins another", ".x = 1,\n    .y = 2,\n}", "    ", EM_BARE_IN_FILE},
    {"nothing puts it there", "a;\n    b;\nc;", "        ", EM_BARE_UNCLEAR},
    {"a bracket of others ends in the line", "a)\nb", "    ", EM_BARE_UNCLEAR},
    {"in the midst of a comment", "* a */\nb", " ", EM_BARE_UNCLEAR},
    {"alone", "a", "    ", EM_BARE_FROM_MARGIN},
    {"no words", "", "    ", EM_BARE_FROM_MARGIN},
};

static void tokens_of(const char *text, em_arena *arena, em_tokened *insert, size_t **origin)
{
    *insert = (em_tokened){.text = em_slice_of(text)};
    assert_int_equal(em_tokens_of(insert->text, EM_FOLD_WRITING, arena, &insert->tokens), EM_OK);
    *origin = em_alloc_array(arena, insert->tokens.count + 1, sizeof **origin);
    size_t first = em_slice_until(insert->text, '\n');
    for (size_t i = 0; i < insert->tokens.count; i++)
        (*origin)[i] = insert->tokens.items[i].start < first ? i : EM_NPOS;
}

static void the_lines_beside_it_tell(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tokened insert;
        size_t *origin;
        tokens_of(cases[i].insert, &arena, &insert, &origin);
        check_size(cases[i].what, em_bare_stance_of(insert, origin, em_slice_of(cases[i].base)),
                   cases[i].wanted);
    }
}

static void a_line_may_come_back(void **state)
{
    (void)state;
    static const struct {
        const char *insert;
        bool comes_back;
    } texts[] = {
        {"if x:\n        a\n    b", true},
        {"if x:\n    a\n    b", false},
        {"if x:\n    a\nb", false},
        {"if x:\n            a\n        b", false}, /* deeper than the file has it */
        {"", false},
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tokened insert;
        size_t *origin;
        tokens_of(texts[i].insert, &arena, &insert, &origin);
        assert_int_equal(em_comes_back_to_base(insert, EM_LIT("    ")), texts[i].comes_back);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_lines_beside_it_tell),
        cmocka_unit_test(a_line_may_come_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

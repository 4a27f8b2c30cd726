#include "match/block.h"

#include "match/token_line.h"
#include "tokens/block_word.h"

#include "check_texts.h"

static em_tokened tokened(const char *text, em_arena *arena)
{
    em_tokened t = {.text = em_slice_of(text)};
    assert_int_equal(em_tokens_of(t.text, EM_FOLD_WRITING, arena, &t.tokens), EM_OK);
    return t;
}

static void lines_may_have_others_in_their_block(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        size_t depth;
    } lines[] = {
        {"    if (p) {", 5}, {"    if p:", 5},    {"  else", 3},     {"    }", 4},
        {"    ]", 4},        {"  a();", EM_NPOS}, {"  a,", EM_NPOS}, {"  f(a,", 3},
        {"x = {", 1},        {"  });", EM_NPOS},  {"\tfor", 2},
    };
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tokened t = tokened(lines[i].line, &arena);
        em_slice indent;
        assert_true(em_line_indent(t, 0, &indent));
        check_size(lines[i].line, em_block_depth(t, 0, indent), lines[i].depth);
    }
}

static void lines_may_only_end_a_block(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool ends;
    } lines[] = {
        {"}", true},  {"  });", true}, {"end", true},     {"fi", true},        {"done", true},
        {"];", true}, {"esac", true},  {"} else", false}, {"} else {", false}, {"return;", false},
        {"};", true}, {"() {", false}, {"ending", false}, {"</p>", false},
    };
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        EM_AUTO(em_arena) arena = {0};
        check_size(lines[i].line, em_only_ends_block(tokened(lines[i].line, &arena), 0),
                   lines[i].ends);
    }
}

static void of_the_line_alone(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_tokened t = tokened("if (p) {\n}\na();\n", &arena);
    assert_false(em_only_ends_block(t, 0));
    assert_true(em_only_ends_block(t, 5));
    assert_false(em_only_ends_block(t, 6));
}

static void lines_may_open_a_block(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool opens;
    } lines[] = {
        {"f() {", true},
        {"if p:", true},
        {"x = [", true},
        {"f(", true},
        {"x =", true},
        {"a |", true},
        {"a \\", true},
        {"if (p)", true},
        {"class A", true},
        {"def f", true},
        {"else", true},
        {"try", true},
        {"if p then", true},
        {"loop do", true},
        {"f(a,", true},
        {"a,", false},
        {"f(a),", false},
        {"f()", false},
        {"a", false},
        {"a;", false},
        {"<ul>", true},
        {"<p class=\"a\">", true},
        {"</ul>", false},
        {"<br>", false},
        {"<img src=\"a\">", false},
        {"<a />", false},
        {"<!DOCTYPE html>", false},
        {"<?xml ?>", false},
        {"a->b", false},
    };
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tokened t = tokened(lines[i].line, &arena);
        check_size(lines[i].line, em_opens_block(t, t.tokens.count - 1), lines[i].opens);
    }
}

static void lines_may_begin_in_a_block(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        bool begins;
    } texts[] = {
        {"if p:\nlast", true},
        {"key:\n- last", false},
        {"a();\nlast", false},
        {"f() {\nlast", true},
    };
    for (size_t i = 0; i < COUNT_OF(texts); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tokened t = tokened(texts[i].text, &arena);
        size_t first, last;
        em_line_around(t, t.tokens.count - 1, &first, &last);
        check_size(texts[i].text, em_begins_in_block(t, first), texts[i].begins);
    }
}

static void words_may_begin_a_block(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool begins;
    } lines[] = {
        {"if (x)", true},    {"def f", true},    {"class A", true}, {"while", true},
        {"iffy(x)", false},  {"if_x()", false},  {"", false},       {" if (x)", false},
        {"return x", false}, {"unless x", true}, {"If (x)", false},
    };
    for (size_t i = 0; i < COUNT_OF(lines); i++)
        check_size(lines[i].line, em_begins_block(em_slice_of(lines[i].line)), lines[i].begins);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_may_have_others_in_their_block),
        cmocka_unit_test(lines_may_only_end_a_block),
        cmocka_unit_test(of_the_line_alone),
        cmocka_unit_test(lines_may_open_a_block),
        cmocka_unit_test(lines_may_begin_in_a_block),
        cmocka_unit_test(words_may_begin_a_block),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

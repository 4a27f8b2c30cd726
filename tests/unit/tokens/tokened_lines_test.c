#include "tokens/tokened_lines.h"

#include "scarce_arena.h"

#define TEXT "\n\n  a(b);\r\n\r\n\tc d // e\n}\n\n"

static em_tokened_lines lines_of(const char *text, em_arena *arena)
{
    em_tokened_lines lines;
    assert_int_equal(em_tokened_lines_init(&lines, em_slice_of(text), arena), EM_OK);
    return lines;
}

static void where_lines_stand(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_tokened_lines all = lines_of(TEXT, &arena);
    static const struct {
        const char *line, *code;
        size_t start, depth, breaks;
    } lines[] = {
        {"  a(b);", "a(b);", 2, 2, 2}, {"\tc d // e", "c d", 13, 1, 2}, {"}", "}", 23, 0, 1}};
    check_size(TEXT, all.count, COUNT_OF(lines));
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        check_bytes("the line", em_tokened_line(&all, i), em_slice_of(lines[i].line));
        check_bytes("its code", em_tokened_line_code(&all, i), em_slice_of(lines[i].code));
        check_size(lines[i].line, em_tokened_line_start(&all, i), lines[i].start);
        check_size(lines[i].line, em_tokened_line_depth(&all, i), lines[i].depth);
        check_size(lines[i].line, em_tokened_line_end(&all, i),
                   lines[i].start + strlen(lines[i].line));
        if (i > 0)
            check_size(lines[i].line, em_tokened_line_breaks(&all, i), lines[i].breaks);
    }
    check_size("at the start", em_tokened_breaks_at_start(&all), 2);
    check_size("at the end", em_tokened_breaks_at_end(&all), 2);
}

static void lines_with_the_empty_ones_behind_them(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_tokened_lines all = lines_of(TEXT, &arena);
    check_bytes("the first", em_tokened_line_range(&all, 0, 1), EM_LIT("  a(b);\r\n"));
    check_bytes("two", em_tokened_line_range(&all, 0, 2), EM_LIT("  a(b);\r\n\r\n\tc d // e"));
}

static void a_text_without_lines(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    assert_int_equal(lines_of("", &arena).count, 0);
    assert_int_equal(lines_of(" \n\t\n", &arena).count, 0);
}

static void a_first_line_without_an_ending_before_it(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_tokened_lines all = lines_of("   a", &arena);
    assert_int_equal(em_tokened_line_start(&all, 0), 0);
    assert_int_equal(em_tokened_line_depth(&all, 0), 3);
    assert_int_equal(em_tokened_breaks_at_start(&all), 0);
    assert_int_equal(em_tokened_breaks_at_end(&all), 0);
}

static void lines_have_something_in_common(void **state)
{
    (void)state;
    static const struct {
        const char *a, *b;
        size_t percent;
        bool same_code;
    } pairs[] = {
        {"a b c d", "a b c d", 100, true},
        {"  a( b )", "a(b)", 100, true},
        {"say('a')", "say(\"a\")", 100, true},
        {"a b c d", "a b x d", 75, false},
        {"a b c d", "a b", 50, false},
        {"a b c d", "x y", 0, false},
        {"a b", "b a", 0, false},
        {"a a", "a", 50, false},
        {"a b // c", "a b", 40, true},
        {"a b", "a b # c d", 40, true},
        {"a b // c", "a b // d", 80, false},
        {"a b // c", "a b d // c", 83, false},
        {"// c", "// d", 66, false},
        {"a b//c", "a b", 40, false},
    };
    for (size_t i = 0; i < COUNT_OF(pairs); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tokened_lines a = lines_of(pairs[i].a, &arena), b = lines_of(pairs[i].b, &arena);
        check_size(pairs[i].a, em_tokened_line_shared(&a, 0, &b, 0), pairs[i].percent);
        check_size(pairs[i].b, em_tokened_line_shared(&b, 0, &a, 0), pairs[i].percent);
        check_size(pairs[i].a, em_tokened_line_same(&a, 0, &b, 0), pairs[i].percent == 100);
        check_size(pairs[i].a, em_tokened_line_same_code(&a, 0, &b, 0), pairs[i].same_code);
        check_size(pairs[i].b, em_tokened_line_same_code(&b, 0, &a, 0), pairs[i].same_code);
    }
}

static void lines_say_something(void **state)
{
    (void)state;
    static const struct {
        const char *line;
        bool says;
    } lines[] = {
        {"}", false},  {"end", false},     {"} else {", false},        {"});", false},
        {"a b", true}, {"return x", true}, {"initialization()", true},
    };
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tokened_lines all = lines_of(lines[i].line, &arena);
        check_size(lines[i].line, em_tokened_line_says_something(&all, 0), lines[i].says);
    }
}

static em_status run(em_arena *arena, const void *context)
{
    em_tokened_lines lines;
    (void)context;
    return em_tokened_lines_init(&lines, EM_LIT(TEXT), arena);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    check_scarce("lines", run, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(where_lines_stand),
        cmocka_unit_test(lines_with_the_empty_ones_behind_them),
        cmocka_unit_test(a_text_without_lines),
        cmocka_unit_test(a_first_line_without_an_ending_before_it),
        cmocka_unit_test(lines_have_something_in_common),
        cmocka_unit_test(lines_say_something),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

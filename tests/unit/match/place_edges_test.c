#include "match/place_edges.h"

#include "scarce_arena.h"

static const struct {
    const char *what, *text, *find, *insert;
    const char *reached; /* what stands at the place then */
} cases[] = {
    {"lines that go", "a\n  b( )\n  c\nd\n", "b()\nc\n", "", "  b( )\n  c\n"},
    {"a first line that goes", "a\n  b( )\n    c\nd\n", "b()\n  c", "c", "  b( )\n    c"},
    {"a first line that stays", "a\n  b( )\n    c\nd\n", "b()\n  c", "b()", "b( )\n    c"},
    {"one that changes", "  b( )\n", "b()", "b(c)", "b( )"},
    {"one that is wrapped", "  b( )\n", "b()", "if a\n  b()", "b( )"},
    {"one that becomes others", "  b( )\n", "b()", "c", "b( )"},
    {"which say how deep they are", "  b( )\n", "b()", "    c", "  b( )"},
    {"an empty line before it", "a\n  b( )\n", "b()", "\nb()", "  b( )"},
    {"words that go, and no line", "  b( )\n", "b()", "", "b( )"},
    {"lines that go, but for an ending", "a\n\tb( )\n\tc\nd\n", "b()\n  c", "", "\tb( )\n\tc"},
    {"and what follows", "a\n\tb( )\n\tc(1)\nd\n", "b()\n  c", "", "b( )\n\tc"},
    {"in the middle of a line", "x; b( )\n", "b()\n", "", "b( )\n"},
    {"it has its indentation", "  b( )\n", " b()\n", "", "  b( )\n"},
    {"there is none", "b( )\n", "b()\n", "", "b( )\n"},
    {"in front of the text", "\tb( )\n", "b()\n", "", "\tb( )\n"},
    {"a line that goes on with the next", "b( )\n\tc\n", "b()\n  ", "b() ", "b( )\n\t"},
    {"a sign that goes on", "b(\n\tc )\n", "b(\n    ", "b(", "b(\n\t"},
    {"with what comes, and all of the indentation", "b( )\n\t.c\n", "b()\n\t", "d()", "b( )\n\t"},
    {"but not of another one", "b( )\n\t.c\n", "b()\n  ", "d()", "b( )\n"},
    {"one that is ended", "b( );\n\tc\n", "b();\n  ", "d();", "b( );\n"},
    {"with blanks behind it", "b( );\n\tc\n", "b();\n  ", "d(); ", "b( );\n"},
    {"as all have", "b( )\n\tc\n", "b() \n  ", "d() ", "b( )\n"},
    {"one that stays", "b( )\n\tc\n", "b()\n  ", "d\n", "b( )\n"},
    {"one that goes", "b( )\n\tc\n", "b()\n  ", "", "b( )\n"},
    {"no indentation behind it", "b( )\n\tc\n", "b()\n", "d", "b( )\n"},
    {"no next line", "b( )  ", "b()\n  ", "d", "b( )  "},
    {"no-break spaces", "a\n\xC2\xA0 b( )\n", "b()\n", "", "\xC2\xA0 b( )\n"},
    {"an empty line with blanks", "a\n  \n  b( )\nc\n", "\n  b()\n", "", "  \n  b( )\n"},
    {"the second of two", "a\n \n  \n  b( )\nc\n", "  \n  b()\n", "", "  \n  b( )\n"},
    {"both", "a\n \n  \n  b( )\nc\n", "\n\n  b()\n", "", " \n  \n  b( )\n"},
    {"one that the file has not", "a\n  b( )\nc\n", "  \n  b()\n", "c", "  b( )\n"},
    {"or is it the ending before?", "a\n  b( )\nc\n", "\n  b()\n", "c", "\n  b( )\n"},
    {"it is not, where nothing comes", "a\r\n  b( )\nc\n", "\n  b()\n", "", "  b( )\n"},
    {"but where the last ending stays", "a\n  b( )\nc\n", "\n  b()", "", "\n  b( )"},
    {"nor where as much comes before a line", "a\n  b( )\nc\n", "\n  b()\n", "  c", "  b( )\n"},
    {"or one that begins otherwise", "a\n  b( )\nc\n", "\n  b()\n", "\tc", "  b( )\n"},
    {"but a blank is no indentation", "a\n  b( )\nc\n", "\n  b()\n", " c", "\n  b( )\n"},
    {"but of the file's line", "/* a\n * b( )\n */\n", "\n* b()\n", " * c\n", " * b( )\n"},
    {"a sign that clings to the line", "a\n  .b( )\n", "\n\t.b()", ".c()", "\n  .b( )"},
    {"and comes before the ending", "a\n  b( )\n", "\nb()", ",\nb()", "\n  b( )"},
    {"a comment at its end", "a\n  b( )\n", "\n\tb()", "  # c\n\tb()", "\n  b( )"},
    {"a line as deep as the next", "a\n  b( )\n", "\n\tb()", "    c\n    b()", "  b( )"},
    {"nothing but blanks", "a\n  b( )\nc\n", "\n  b()\n", "    ", "\n  b( )\n"},
    {"but those of the next line", "a\n  b( )\n c\n", "\n  b()\n ", " ", "  b( )\n"},
    {"what is not seen", "a\n\tb( )\n\tc\xC2\xA0\nd\n", "b()\n  c", "", "\tb( )\n\tc\xC2\xA0"},
};

static em_status reach(size_t index, em_arena *arena, em_places *found)
{
    em_slice text = em_slice_of(cases[index].text);
    EM_TRY(em_tolerant_find(text, em_slice_of(cases[index].find), em_slice_of(cases[index].insert),
                            EM_FOLD_WRITING, NULL, arena, found));
    return em_adjust_place_edges(text, *found, arena);
}

static void places_begin_where_what_goes_begins(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_places found;
        assert_int_equal(reach(i, &arena, &found), EM_OK);
        assert_int_equal(found.count, 1);
        em_span span = found.items[0].span;
        check_bytes(cases[i].what, em_slice_sub(em_slice_of(cases[i].text), span.start, span.end),
                    em_slice_of(cases[i].reached));
    }
}

static void each_of_many_places_is_looked_at(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice text = em_slice_of("\tx  =  1\nx = 1\na; x = 1\n  x = 1\n");
    static const size_t starts[] = {0, 9, 18, 24};
    em_places found;
    assert_int_equal(
        em_tolerant_find(text, EM_LIT("x=1\n"), EM_LIT(""), EM_FOLD_WRITING, NULL, &arena, &found),
        EM_OK);
    assert_int_equal(em_adjust_place_edges(text, found, &arena), EM_OK);
    assert_int_equal(found.count, COUNT_OF(starts));
    for (size_t i = 0; i < found.count; i++)
        check_size("start", found.items[i].span.start, starts[i]);
}

/* A place ends before the next begins. Those that are in another order end where they did. */
static void places_do_not_meet(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice text = em_slice_of("  x( )\n  x( )\n  y\n");
    em_places found;
    assert_int_equal(em_tolerant_find(text, EM_LIT("  x()\n  "), EM_LIT("x "), EM_FOLD_WRITING,
                                      NULL, &arena, &found),
                     EM_OK);
    assert_int_equal(found.count, 2);
    em_tolerant_place swapped[] = {found.items[1], found.items[0]};
    assert_int_equal(em_adjust_place_edges(text, found, &arena), EM_OK);
    check_size("the first", found.items[0].span.end, 7);
    check_size("the last", found.items[1].span.end, 16);
    assert_int_equal(em_adjust_place_edges(text, (em_places){swapped, 2}, &arena), EM_OK);
    check_size("the last before the first", swapped[0].span.end, 14);
}

/* Of a text that ends without a line ending the last lines go with the ending before them. */
static void last_lines_go_with_the_ending_before(void **state)
{
    (void)state;
    static const struct {
        const char *what, *text, *find, *insert;
        size_t within, start; /* of the last place */
    } rows[] = {
        {"the last line", "a\nb( )", "b()\n", "", 0, 1},
        {"a CRLF before it", "a\r\nb( )", "b()\n", "", 0, 1},
        {"an empty line before it", "a\n\nb( )", "b()\n", "", 0, 2},
        {"its indentation", "a\n  b( )", "  b()\n", "", 0, 1},
        {"which was not sent", "a\n  b( )", "b()\n", "", 0, 1},
        {"all of the text", "b( )", "b()\n", "", 0, 0},
        {"no line ending was sent", "a\nb( )", "b()", "", 0, 2},
        {"the text has one", "a\nb( )\n", "b()\n", "", 0, 2},
        {"something comes", "a\nb( )", "b()\n", "c\n", 0, 2},
        {"within a line", "a\na; b( )", "b()\n", "", 0, 5},
        {"kept to the last line", "a\nb( )", "b()\n", "", 2, 2},
        {"beside another place", "a\nb( )\nb( )", "b()\n", "", 0, 7},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice text = em_slice_of(rows[i].text);
        em_places found;
        assert_int_equal(em_tolerant_find(text, em_slice_of(rows[i].find),
                                          em_slice_of(rows[i].insert), EM_FOLD_WRITING, NULL,
                                          &arena, &found),
                         EM_OK);
        assert_int_equal(em_adjust_place_edges(text, found, &arena), EM_OK);
        em_adjust_last_line_edge(text, (em_span){rows[i].within, text.len}, found);
        check_size(rows[i].what, found.items[found.count - 1].span.start, rows[i].start);
    }
    em_adjust_last_line_edge(EM_LIT("a"), (em_span){0, 1}, (em_places){0});
}

static void a_place_without_tokens_stays(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_tolerant_place place = {.span = {2, 3}};
    assert_int_equal(em_adjust_place_edges(EM_LIT("  a"), (em_places){&place, 1}, &arena), EM_OK);
    assert_int_equal(place.span.start, 2);
}

static em_status reach_once(em_arena *arena, const void *context)
{
    em_places found;
    return reach(*(const size_t *)context, arena, &found);
}

static void memory_that_runs_out_is_a_status(void **state)
{
    (void)state;
    size_t index = 1;
    check_scarce(cases[index].what, reach_once, &index);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(places_begin_where_what_goes_begins),
        cmocka_unit_test(each_of_many_places_is_looked_at),
        cmocka_unit_test(places_do_not_meet),
        cmocka_unit_test(last_lines_go_with_the_ending_before),
        cmocka_unit_test(a_place_without_tokens_stays),
        cmocka_unit_test(memory_that_runs_out_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

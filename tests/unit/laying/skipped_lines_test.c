#include "laying/skipped_lines.h"

#include "laying/laying.h"
#include "match/place_edges.h"
#include "match/tiers.h"
#include "scarce_arena.h"

/* Lines of the file that the search text lacks, beside lines that go or come. */
static const struct {
    const char *what, *text, *find, *insert;
    const char *wanted; /* NULL: refused */
} cases[] = {
    {"a comment behind what goes", "{\n    one(1);\n    two(2);\n    // c\n    three(3);\n}\n",
     "    one(1);\n    two(2);\n    three(3);\n", "    one(1);\n    three(3);\n",
     "{\n    one(1);\n    // c\n    three(3);\n}\n"},
    {"before it", "{\n    one(1);\n    // c\n    two(2);\n    three(3);\n}\n",
     "    one(1);\n    two(2);\n    three(3);\n", "    one(1);\n    three(3);\n",
     "{\n    one(1);\n    // c\n    three(3);\n}\n"},
    {"on both sides", "{\n    one(1);\n    // c\n    two(2);\n    // d\n    three(3);\n}\n",
     "    one(1);\n    two(2);\n    three(3);\n", "    one(1);\n    three(3);\n",
     "{\n    one(1);\n    // c\n    // d\n    three(3);\n}\n"},
    {"and an empty line that stays",
     "{\n    one(1);\n\n    two(2);\n    // c\n    // d\n    three(3);\n}\n",
     "    one(1);\n\n    two(2);\n    three(3);\n", "    one(1);\n\n    three(3);\n",
     "{\n    one(1);\n\n    // c\n    // d\n    three(3);\n}\n"},
    {"one that goes", "{\n    one(1);\n\n    // c\n    two(2);\n    three(3);\n}\n",
     "    one(1);\n\n    two(2);\n    three(3);\n", "    one(1);\n    three(3);\n",
     "{\n    one(1);\n    // c\n    three(3);\n}\n"},
    {"two that meet", "{\n    one(1);\n    // c\n\n    two(2);\n\n    // d\n    three(3);\n}\n",
     "    one(1);\n\n    two(2);\n\n    three(3);\n", "    one(1);\n\n\n    three(3);\n",
     "{\n    one(1);\n    // c\n\n\n    // d\n    three(3);\n}\n"},
    {"one that comes", "{\n    one(1);\n    // c\n    two(2);\n    three(3);\n}\n",
     "    one(1);\n    two(2);\n    three(3);\n", "    one(1);\n\n    three(3);\n",
     "{\n    one(1);\n\n    // c\n    three(3);\n}\n"},
    {"one that comes with a new line", "{\n    one(1);\n    two(2);\n    // c\n    three(3);\n}\n",
     "    one(1);\n    two(2);\n    three(3);\n", "    one(1);\n    new = 4\n\n    three(3);\n",
     "{\n    one(1);\n    new = 4\n\n    // c\n    three(3);\n}\n"},
    {"a comment behind a line that changes at its end",
     "{\n    one(1)\n    # c\n    aaa + b + d\n}\n", "    one(1)\n    aaa + b + d\n",
     "    one(1) + 2\n    eee - b + d\n", "{\n    one(1) + 2\n    # c\n    eee - b + d\n}\n"},
    {"a border of signs that comes once more", "{\n    one(1);\n    // ---\n    two(2);\n}\n",
     "    one(1);\n    two(2);\n", "    // ---\n    one(1);\n    two(2);\n",
     "{\n    // ---\n    one(1);\n    // ---\n    two(2);\n}\n"},
    {"the first line goes", "# one two\n# three four\nfive-six\n", "# one two\nfive-six\n",
     "five-six\n", "# three four\nfive-six\n"},
    {"and an empty line with it", "{\n    one(1);\n\n    // c\n    two(2);\n    three(3);\n}\n",
     "    one(1);\n\n    two(2);\n    three(3);\n", "    two(2);\n    three(3);\n",
     "{\n    // c\n    two(2);\n    three(3);\n}\n"},
    {"and an empty line stays", "{\n    one(1);\n\n    // c\n    two(2);\n    three(3);\n}\n",
     "    one(1);\n\n    two(2);\n    three(3);\n", "\n    two(2);\n    three(3);\n",
     "{\n\n    // c\n    two(2);\n    three(3);\n}\n"},
    {"the last line goes", "{\n    one(1);\n    two(2);\n    // c\n    three(3);\n}\n",
     "    one(1);\n    two(2);\n    three(3);\n", "    one(1);\n    two(2);\n",
     "{\n    one(1);\n    two(2);\n    // c\n}\n"},
    {"the last one without its ending", "{\n    one(1);\n    two(2);\n    // c\n    three(3);\n}\n",
     "    one(1);\n    two(2);\n    three(3);", "    one(1);\n    two(2);",
     "{\n    one(1);\n    two(2);\n    // c\n}\n"},
    {"the ending alone stays", "{\n    one(1);\n    two(2);\n    // c\n    three(3);\n}\n",
     "    one(1);\n    two(2);\n    three(3);\n", "    one(1);\n    two(2);",
     "{\n    one(1);\n    two(2);\n    // c\n}\n"},
    {"what is to be where the comment is?", "{\n    one(1);\n    // c\n    two(2);\n}\n",
     "    one(1);\n    two(2);\n", "    three = 4;\n    five - 6;\n", NULL},
    {"a comment within what goes", "{\n    one(1);\n    // c\n    two(2);\n    three(3);\n}\n",
     "    one(1);\n    two(2);\n    three(3);\n", "    three(3);\n", NULL},
    {"or where all goes", "{\n    one(1);\n    // c\n    two(2);\n}\n",
     "    one(1);\n    two(2);\n", "", NULL},
    {"the replacement has it", "{\n    one(1);\n    // c\n    two(2);\n}\n",
     "    one(1);\n    two(2);\n", "    one(1);\n    // c\n    three = 4;\n",
     "{\n    one(1);\n    // c\n    three = 4;\n}\n"},
    /* beside a line that moves */
    {"it stays", "a(1);\nb(2);\nc(3);\n// d\nd(4);\n", "a(1);\nb(2);\nc(3);\nd(4);\n",
     "c(3);\na(1);\nb(2);\nd(4);\n", "c(3);\na(1);\nb(2);\n// d\nd(4);\n"},
    {"and the empty lines", "a(1);\nb(2);\nc(3);\n\n\n// d\n\nd(4);\n",
     "a(1);\nb(2);\nc(3);\n\nd(4);\n", "c(3);\na(1);\nb(2);\n\nd(4);\n",
     "c(3);\na(1);\nb(2);\n\n\n// d\n\nd(4);\n"},
    {"the line behind it moves, too", "a(1);\nb(2);\nc(3);\n// d\nd(4);\ne(5);\n",
     "a(1);\nb(2);\nc(3);\nd(4);\ne(5);\n", "c(3);\nd(4);\na(1);\nb(2);\ne(5);\n",
     "c(3);\n// d\nd(4);\na(1);\nb(2);\ne(5);\n"},
    {"the line behind it goes", "a(1);\nb(2);\nc(3);\n// d\nd(4);\ne(5);\n",
     "a(1);\nb(2);\nc(3);\nd(4);\ne(5);\n", "c(3);\na(1);\nb(2);\ne(5);\n", NULL},
    /* empty lines */
    {"behind what goes", "one(1);\ntwo(2);\n\nthree(3);\n", "one(1);\ntwo(2);\nthree( 3);\n",
     "one(1);\nthree( 3);\n", "one(1);\n\nthree(3);\n"},
    {"before it, too", "one(1);\n\ntwo(2);\n\nthree(3);\n", "one(1);\ntwo(2);\nthree( 3);\n",
     "one(1);\nthree( 3);\n", "one(1);\n\n\nthree(3);\n"},
    {"the search text has one of them", "one(1);\n\ntwo(2);\n\nthree(3);\n",
     "one(1);\n\ntwo(2);\nthree( 3);\n", "one(1);\nthree( 3);\n", "one(1);\n\nthree(3);\n"},
    {"it has them all", "one(1);\n\ntwo(2);\n\nthree(3);\n", "one(1);\n\ntwo(2);\n\nthree( 3);\n",
     "one(1);\n\nthree( 3);\n", "one(1);\n\nthree(3);\n"},
    {"it has one where the file has none", "one(1);\ntwo(2);\n\nthree(3);\n",
     "one(1);\n\ntwo(2);\n\nthree( 3);\n", "one(1);\n\nthree( 3);\n", "one(1);\n\nthree(3);\n"},
    {"within what goes", "one(1);\n\ntwo(2);\nthree(3);\n", "one(1);\ntwo(2);\nthree( 3);\n",
     "three( 3);\n", "three(3);\n"},
    {"behind the first line, which goes", "one(1);\n\ntwo(2);\nthree(3);\n",
     "one(1);\ntwo(2);\nthree( 3);\n", "two(2);\nthree( 3);\n", "\ntwo(2);\nthree(3);\n"},
    {"before the last, which goes", "one(1);\ntwo(2);\n\nthree(3);\nfour\n",
     "one(1);\ntwo(2);\nthree( 3);", "one(1);\ntwo(2);", "one(1);\ntwo(2);\n\nfour\n"},
    {"within what becomes one line", "one(1);\ntwo(2);\n\nx = three(3);\nfour(4);\n",
     "one(1);\ntwo(2);\nx = three( 3);\nfour(4);\n", "one(1);\nx = 5 * three( 3);\nfour(4);\n",
     "one(1);\nx = 5 * three(3);\nfour(4);\n"},
    {"at the start of what was left out", "one(1);\ntwo(2);\n\nthree(3);\nfour(4);\n",
     "one(1);\ntwo(2);\n...\nfour(4);\n", "one(1);\n...\nfour(4);\n",
     "one(1);\n\nthree(3);\nfour(4);\n"},
    {"at its end", "one(1);\ntwo(2);\n\n\nthree(3);\nfour(4);\n",
     "one(1);\n...\nthree(3);\nfour(4);\n", "one(1);\n...\nfour(4);\n",
     "one(1);\ntwo(2);\n\n\nfour(4);\n"},
    /* the search text is at a wrong depth, and the replacement stands as the file does */
    {"too deep, and a comment", "a:\n  one:\n    tag: \"x\"\n    # c\n    two:\n",
     "    a:\n      one:\n        tag: \"x\"\n        two:\n",
     "b:\n  one:\n    tag: \"x\"\n    two:\n", "b:\n  one:\n    tag: \"x\"\n    # c\n    two:\n"},
    {"an empty line", "a:\n  one:\n    tag: \"x\"\n\n    two:\n",
     "    a:\n      one:\n        tag: \"x\"\n        two:\n",
     "b:\n  one:\n    tag: \"x\"\n    two:\n", "b:\n  one:\n    tag: \"x\"\n\n    two:\n"},
    {"an empty line more", "f {\n    one(1)\n    two(2)\n    end\n}\n",
     "f {\n  one(1)\n\n  two(2)\n", "g {\n    one(1)\n\n    two(2)\n",
     "g {\n    one(1)\n    two(2)\n    end\n}\n"},
    {"blanks within a line", "f {\n  return (\n    <a>\n      {one()   =>  1}\n    </a>\n",
     "return (\n  <a>\n    {one() => 1}\n  </a>\n",
     "  give (\n    <a>\n      {one() => 1}\n    </a>\n",
     "f {\n  give (\n    <a>\n      {one()   =>  1}\n    </a>\n"},
    {"a comment less deep than the lines", "f:\n        one(1)\n  # c\n        two(2)\n",
     "    one(1)\n    two(2)\n", "        three(3)\n        two(4)\n",
     "f:\n        three(3)\n  # c\n        two(4)\n"},
    {"a comment, and a line that is moved", "f:\n    one(1)\n    # c\n    two(2)\n    end()\n",
     "        one(1)\n        two(2)\n        end()\n",
     "    one(1)\n    new()\n    two(2)\n    end()\n",
     "f:\n    one(1)\n    new()\n    # c\n    two(2)\n    end()\n"},
};

static em_status lay(size_t index, em_arena *arena, em_tolerant_place *place, em_slice *out,
                     bool *sound)
{
    em_slice text = em_slice_of(cases[index].text);
    em_occurrences in = {.text = text, .arena = arena};
    em_located located;
    EM_TRY(em_tiers_locate(&in, em_slice_of(cases[index].find), em_slice_of(cases[index].insert),
                           EM_TIER_FUZZY, NULL, arena, &located));
    EM_TRY(em_adjust_place_edges(text, located.places, arena));
    check_size(cases[index].what, located.places.count, 1);
    *place = located.places.items[0];
    return em_lay(text, place, EM_EOL_LF, arena, out, sound);
}

static void what_the_search_text_lacks_stays(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice text = em_slice_of(cases[i].text), out, all;
        em_tolerant_place place;
        bool sound;
        assert_int_equal(lay(i, &arena, &place, &out, &sound), EM_OK);
        check_size(cases[i].what, sound, cases[i].wanted != NULL);
        if (!sound)
            continue;
        em_slice before = em_slice_sub(text, 0, place.span.start);
        assert_int_equal(em_arena_join(&arena, before, out, &all), EM_OK);
        before = all;
        assert_int_equal(em_arena_join(&arena, before, em_slice_from(text, place.span.end), &all),
                         EM_OK);
        check_bytes(cases[i].what, all, em_slice_of(cases[i].wanted));
    }
}

static void lines_are_gone_through(void **state)
{
    (void)state;
    em_slice rest = EM_LIT("\n  // c\r\n \t\n\n"), line;
    em_skipped_lines passed = {.rest = rest, .empty = 2};
    assert_true(em_skipped_lines_next(&passed, &line));
    check_bytes("a comment", line, EM_LIT("  // c\r\n"));
    assert_true(em_skipped_lines_next(&passed, &line));
    check_bytes("one more than two", line, EM_LIT("\n"));
    assert_false(em_skipped_lines_next(&passed, &line));
    passed =
        (em_skipped_lines){.rest = EM_LIT("\n\xC2\xA0\n"), .empty = 1, .fold = EM_FOLD_WRITING};
    assert_true(em_skipped_lines_next(&passed, &line));
    check_bytes("no-break spaces", line, EM_LIT("\xC2\xA0\n"));
}

static em_status lay_one(em_arena *arena, const void *context)
{
    em_tolerant_place place;
    em_slice out;
    bool sound;
    return lay(*(const size_t *)context, arena, &place, &out, &sound);
}

static void memory_that_runs_out_is_a_status(void **state)
{
    (void)state;
    /* of a tier that needs no likeness; and one that the replacement has */
    static const size_t indexes[] = {19, 18};
    for (size_t i = 0; i < COUNT_OF(indexes); i++)
        check_scarce(cases[indexes[i]].what, lay_one, &indexes[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_the_search_text_lacks_stays),
        cmocka_unit_test(lines_are_gone_through),
        cmocka_unit_test(memory_that_runs_out_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

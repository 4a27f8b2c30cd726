#include "tokens/redline.h"

#include "base/strbuf.h"
#include "scarce_arena.h"

#include <time.h>

static em_status tokened(em_slice text, em_arena *arena, em_tokened *out)
{
    out->text = text;
    return em_tokens_of(text, EM_FOLD_NOTHING, arena, &out->tokens);
}

/* The tokens of `insert`; in brackets those that are new. */
static em_status redlined(em_slice find, em_slice insert, em_arena *arena, char **out)
{
    em_tokened old, new;
    size_t *origin, last = 0;
    EM_AUTO(em_strbuf) text = {0};
    EM_TRY(tokened(find, arena, &old));
    EM_TRY(tokened(insert, arena, &new));
    EM_TRY(em_redline(&old, &new, arena, &origin));
    for (size_t i = 0; i < new.tokens.count; i++) {
        em_slice token = em_token_bytes(insert, new.tokens.items[i]);
        em_strbuf_puts(&text, i > 0 ? " " : "");
        if (origin[i] == EM_NPOS) {
            em_strbuf_printf(&text, "[%.*s]", (int)token.len, token.ptr);
            continue;
        }
        assert_true(em_slice_eq(token, em_token_bytes(find, old.tokens.items[origin[i]])));
        assert_true(origin[i] >= last);
        last = origin[i] + 1;
        em_strbuf_add(&text, token);
    }
    *out = em_strbuf_finish(&text, arena);
    return *out ? EM_OK : EM_E_NOMEM;
}

static const struct {
    const char *what, *find, *insert, *wanted;
} cases[] = {
    {"the same", "a b\nc", "a b\nc", "a b c"},
    {"nothing before", "", "a", "[a]"},
    {"nothing after", "a", "", ""},
    {"nothing in common", "a b", "c d", "[c] [d]"},
    {"a word in a line", "x = 1;", "x = 2;", "x = [2] ;"},
    {"a line more", "a\nc", "a\nb\nc", "a [b] c"},
    {"a line fewer", "a\nb\nc", "a\nc", "a c"},
    {"a line that moved is new where fewer would have to move", "a\nb\nc", "b\nc\na", "b c [a]"},
    {"another indentation is the same line", "  a b\nc", "a b\n    c", "a b c"},
    {"other blanks in it make it a changed one", "a b c", "a  b c", "a b c"},
    {"lines are compared before words", "x\n}\n", "x\n}\ny\n}\n", "x } [y] [}]"},
    {"a changed line keeps what both have", "call(a, b, c)\nend", "call(a, x, c)\nend",
     "call ( a , [x] , c ) end"},
    {"of several changed lines each has its own", "one = first(1)\ntwo = second(2)\n",
     "one = first(10)\nnew = other(3)\ntwo = second(20)\n",
     "one = first ( [10] ) [new] [=] [other] [(] [3] [)] two = second ( [20] )"},
    {"lines too unlike are not one line changed", "alpha beta gamma\ndelta",
     "alpha x y z u v w\ndelta q", "[alpha] [x] [y] [z] [u] [v] [w] delta [q]"},
    {"but the only ones of a hunk are", "alpha beta", "alpha x y z u v w",
     "alpha [x] [y] [z] [u] [v] [w]"},
    {"pairs have as much in common as can be", "f(a)\ng(b)\n", "g(c)\nh(d)\n",
     "[g] ( [c] ) [h] ( [d] )"},
    {"which may leave a line out", "f(a)\ngoal(b, 1, 2)\n", "goal(c, 1, 2)\nend\n",
     "goal ( [c] , 1 , 2 ) [end]"},
};

static void what_is_repeated_is_told_from_what_is_new(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        char *seen;
        assert_int_equal(
            redlined(em_slice_of(cases[i].find), em_slice_of(cases[i].insert), &arena, &seen),
            EM_OK);
        check_bytes(cases[i].what, em_slice_of(seen), em_slice_of(cases[i].wanted));
    }
}

/* One of two lines that are as much like the search text's has its slip mended. */
static void a_mended_line_is_the_one_that_it_mends(void **state)
{
    (void)state;
    static const struct {
        const char *what, *insert;
        size_t origins[8];
    } rows[] = {
        {"the first", "f(b, 1)\nf(c, 1)\n", {0, 1, EM_NPOS, 3, 4, 5, EM_NPOS, EM_NPOS}},
        {"the other",
         "f(c, 1)\nf(b, 1)\n",
         {EM_NPOS, EM_NPOS, EM_NPOS, EM_NPOS, EM_NPOS, EM_NPOS, 0, 1}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tokened find, seen, insert;
        size_t *origin;
        assert_int_equal(tokened(EM_LIT("f(a, 1)\n"), &arena, &find), EM_OK);
        assert_int_equal(tokened(EM_LIT("  f( b,  1)\n"), &arena, &seen), EM_OK);
        assert_int_equal(tokened(em_slice_of(rows[i].insert), &arena, &insert), EM_OK);
        assert_int_equal(em_redline_seen(&find, &seen, &insert, &arena, &origin), EM_OK);
        for (size_t k = 0; k < COUNT_OF(rows[i].origins); k++)
            check_size(rows[i].what, origin[k], rows[i].origins[k]);
    }
}

/* The search text and its replacement have it wrong in two ways. */
static void a_sign_in_a_third_writing_is_repeated(void **state)
{
    (void)state;
    static const struct {
        const char *what, *find, *insert;
        size_t origins[4];
    } rows[] = {
        {"an entity", "f \xE2\x80\x9C a \xE2\x80\x9D", "f &quot; b &quot;", {0, 1, EM_NPOS, 3}},
        {"the file's own", "f 'a'", "f \" b \"", {0, 1, EM_NPOS, 3}},
        {"one of another kind",
         "f \xE2\x80\x9C a \xE2\x80\x9D",
         "f ' b '",
         {0, EM_NPOS, EM_NPOS, EM_NPOS}},
        {"of one that was right", "f \" a \"", "f &quot; a &quot;", {0, EM_NPOS, 2, EM_NPOS}},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tokened find = {.text = em_slice_of(rows[i].find)}, seen = {.text = EM_LIT("f \"a\"")},
                   insert = {.text = em_slice_of(rows[i].insert)},
                   *texts[] = {&find, &seen, &insert};
        size_t *origin;
        for (size_t k = 0; k < COUNT_OF(texts); k++)
            assert_int_equal(
                em_tokens_of(texts[k]->text, EM_FOLD_WRITING, &arena, &texts[k]->tokens), EM_OK);
        assert_int_equal(em_redline_seen(&find, &seen, &insert, &arena, &origin), EM_OK);
        for (size_t k = 0; k < COUNT_OF(rows[i].origins); k++)
            check_size(rows[i].what, origin[k], rows[i].origins[k]);
    }
}

/* ---- Lines that moved ------------------------------------------------------------------------ */

/* The tokens of `insert`; in brackets those that are new, with a `<` those that moved. */
static em_status moves(em_slice find, em_slice insert, em_arena *arena, char **out)
{
    em_tokened old, new;
    size_t *origin, *moved;
    EM_AUTO(em_strbuf) text = {0};
    EM_TRY(tokened(find, arena, &old));
    EM_TRY(tokened(insert, arena, &new));
    EM_TRY(em_redline(&old, &new, arena, &origin));
    EM_TRY(em_redline_moves(&old, &new, origin, arena, &moved));
    for (size_t i = 0; i < new.tokens.count; i++) {
        em_slice token = em_token_bytes(insert, new.tokens.items[i]);
        const char *how = moved[i] != EM_NPOS ? "<%.*s" : origin[i] == EM_NPOS ? "[%.*s]" : "%.*s";
        em_strbuf_puts(&text, i > 0 ? " " : "");
        em_strbuf_printf(&text, how, (int)token.len, token.ptr);
        if (moved[i] == EM_NPOS)
            continue;
        assert_true(origin[i] == EM_NPOS);
        assert_true(em_slice_eq(token, em_token_bytes(find, old.tokens.items[moved[i]])));
    }
    *out = em_strbuf_finish(&text, arena);
    return *out ? EM_OK : EM_E_NOMEM;
}

static const struct {
    const char *find, *insert, *wanted;
} moving[] = {
    {"a\nb", "a\nc", "a [c]"},
    {"a 1\nb 2\nc 3", "b 2\nc 3\na 1", "b 2 c 3 <a <1"},
    {"a 1\nb 2\nc 3", "b 2\nc 3\na 1\na 1", "b 2 c 3 <a <1 [a] [1]"},
    {"a  1\nb 2\nc 3", "b 2\nc 3\n  a  1", "b 2 c 3 <a <1"},
    {"a  1\nb 2\nc 3", "b 2\nc 3\na 1", "b 2 c 3 [a] [1]"},
    {"}\nb 2\nc 3", "b 2\nc 3\n}", "b 2 c 3 [}]"},
};

static void lines_that_moved_are_known(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(moving); i++) {
        EM_AUTO(em_arena) arena = {0};
        char *seen;
        assert_int_equal(
            moves(em_slice_of(moving[i].find), em_slice_of(moving[i].insert), &arena, &seen),
            EM_OK);
        check_bytes(moving[i].insert, em_slice_of(seen), em_slice_of(moving[i].wanted));
    }
}

/* ---- Long texts ----------------------------------------------------------------------------- */

/* `count` lines of three words, or of `words` in one line, of which every `odd`th has a mark. */
static em_slice long_text(size_t count, const char *between, size_t odd, const char *mark,
                          em_arena *arena)
{
    EM_AUTO(em_strbuf) text = {0};
    for (size_t i = 0; i < count; i++)
        em_strbuf_printf(&text, "word%zu%s of%s", i, i % odd == 0 ? mark : "", between);
    char *bytes = em_strbuf_finish(&text, arena);
    assert_non_null(bytes);
    return em_slice_make(bytes, text.len);
}

static size_t count_new(em_slice find, em_slice insert, em_arena *arena)
{
    em_tokened old, new;
    size_t *origin, count = 0;
    assert_int_equal(tokened(find, arena, &old), EM_OK);
    assert_int_equal(tokened(insert, arena, &new), EM_OK);
    assert_int_equal(em_redline(&old, &new, arena, &origin), EM_OK);
    for (size_t i = 0; i < new.tokens.count; i++)
        count += origin[i] == EM_NPOS;
    return count;
}

static void long_texts_are_compared_too(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice a = long_text(10000, "\n", 100, "", &arena);
    em_slice b = long_text(10000, "\n", 100, "x", &arena);
    assert_int_equal(count_new(a, b, &arena), 100);
    /* More changes than are followed: the lines are paired, or nothing is repeated. */
    b = long_text(10000, "\n", 1, "x", &arena);
    assert_int_equal(count_new(a, b, &arena), 20000);
    /* One line of many words, with few changes and with too many. */
    a = long_text(3000, " ", 100, "", &arena);
    b = long_text(3000, " ", 100, "x", &arena);
    assert_int_equal(count_new(a, b, &arena), 30);
    b = long_text(3000, " ", 1, "x", &arena);
    assert_int_equal(count_new(a, b, &arena), 5999); /* all but the last */
}

/* Lines that differ at their ends alone, in more of them than are followed, and all in another
 * order: to compare each with each, word by word, would take minutes. */
static void long_lines_are_compared_in_time(void **state)
{
    (void)state;
    enum { LINES = 2000, WORDS = 2000, SECONDS = 20 };
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) find = {0}, insert = {0};
    for (size_t i = 0; i < LINES; i++) {
        for (int k = 0; k < WORDS; k++) {
            em_strbuf_puts(&find, "a ");
            em_strbuf_puts(&insert, "a ");
        }
        em_strbuf_printf(&find, "%zu\n", i);
        em_strbuf_printf(&insert, "%zu\n", LINES - 1 - i);
    }
    em_tokened old, new;
    size_t *origin, *moved, stay = 0, move = 0;
    assert_int_equal(tokened(em_strbuf_slice(&find), &arena, &old), EM_OK);
    assert_int_equal(tokened(em_strbuf_slice(&insert), &arena, &new), EM_OK);
    clock_t begun = clock();
    assert_int_equal(em_redline(&old, &new, &arena, &origin), EM_OK);
    assert_int_equal(em_redline_moves(&old, &new, origin, &arena, &moved), EM_OK);
    assert_true((clock() - begun) / CLOCKS_PER_SEC < SECONDS);
    for (size_t i = 0; i < new.tokens.count; i++) {
        stay += origin[i] != EM_NPOS;
        move += moved[i] != EM_NPOS;
    }
    assert_int_equal(stay + move, LINES * (WORDS + 1));
}

/* Lines of which each has other words, in any order, and lines that stay between them: the former
 * are followed as far as there is time for all of them. */
static void very_many_changes_are_followed_in_time(void **state)
{
    (void)state;
    enum { LINES = 1000, WORDS = 3000, SECONDS = 20 };
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) find = {0}, insert = {0};
    em_strbuf *const texts[] = {&find, &insert};
    unsigned seed = 1;
    for (int i = 0; i < LINES; i++)
        for (int k = 0; k < 2; k++) {
            for (int word = 0; word < WORDS; word++) {
                seed = seed * 1103515245U + 12345U;
                em_strbuf_puts(texts[k], seed >> 16 & 1 ? "a " : "b ");
            }
            em_strbuf_printf(texts[k], "\nstays%d\n", i);
        }
    em_tokened old, new;
    size_t *origin, stay = 0;
    assert_int_equal(tokened(em_strbuf_slice(&find), &arena, &old), EM_OK);
    assert_int_equal(tokened(em_strbuf_slice(&insert), &arena, &new), EM_OK);
    clock_t begun = clock();
    assert_int_equal(em_redline(&old, &new, &arena, &origin), EM_OK);
    assert_true((clock() - begun) / CLOCKS_PER_SEC < SECONDS);
    for (size_t i = 0; i < new.tokens.count; i++)
        stay += origin[i] != EM_NPOS && em_slice_starts(em_tokened_token(new, i), EM_LIT("stays"));
    assert_int_equal(stay, LINES);
}

static em_status redline_some(em_arena *arena, const void *context)
{
    char *out;
    (void)context;
    return redlined(em_slice_of("one = first(1)\ntwo = second(2)\nthree\n"),
                    em_slice_of("one = first(10)\nnew = other(3)\ntwo = second(20)\nfour\n"), arena,
                    &out);
}

static em_status move_some(em_arena *arena, const void *context)
{
    char *out;
    (void)context;
    return moves(em_slice_of("a 1\nb 2\nc 3"), em_slice_of("b 2\nc 3\na 1"), arena, &out);
}

static void memory_that_runs_out_is_a_status(void **state)
{
    (void)state;
    check_scarce("redline", redline_some, NULL);
    check_scarce("moves", move_some, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_repeated_is_told_from_what_is_new),
        cmocka_unit_test(a_mended_line_is_the_one_that_it_mends),
        cmocka_unit_test(a_sign_in_a_third_writing_is_repeated),
        cmocka_unit_test(lines_that_moved_are_known),
        cmocka_unit_test(long_texts_are_compared_too),
        cmocka_unit_test(long_lines_are_compared_in_time),
        cmocka_unit_test(very_many_changes_are_followed_in_time),
        cmocka_unit_test(memory_that_runs_out_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "match/occurrences.h"

#include "base/strbuf.h"
#include "draft/locate.h"
#include "random.h"
#include "scarce_arena.h"

static const em_piece_occurrences *look(em_occurrences *in, const char *piece)
{
    const em_piece_occurrences *seen;
    assert_int_equal(em_occurrences_of(in, em_slice_of(piece), &seen), EM_OK);
    return seen;
}

static void a_piece_is_looked_for_once(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_occurrences in = {.text = EM_LIT("aaa b aa"), .arena = &arena};
    const em_piece_occurrences *seen = look(&in, "aa");
    assert_true(seen->all && seen->count == 3); /* they may overlap */
    assert_true(seen->at[0] == 0 && seen->at[1] == 1 && seen->at[2] == 6);
    const em_piece_occurrences *missing = look(&in, "bb");
    assert_true(missing->all && missing->count == 0);
    assert_ptr_equal(look(&in, "aa"), seen);
    assert_ptr_equal(look(&in, "bb"), missing);
}

/* As many as are kept are all of them; with one more they are not. */
static void few_places_are_kept(void **state)
{
    (void)state;
    for (size_t more = 0; more < 3; more++) {
        EM_AUTO(em_arena) arena = {0};
        char text[EM_MOST_OCCURRENCES + 3];
        memset(text, 'a', sizeof text);
        em_slice part = em_slice_make(text, EM_MOST_OCCURRENCES + more);
        em_occurrences in = {.text = part, .arena = &arena};
        const em_piece_occurrences *seen = look(&in, "a");
        check_size("kept", seen->count, EM_MOST_OCCURRENCES);
        check_size("all", seen->all, more == 0);
        for (size_t i = 0; i < seen->count; i++)
            check_size("at", seen->at[i], i);
    }
}

static const struct {
    const char *what, *text, *piece, *whole;
    bool excluded;
} cases[] = {
    {"the rest stands elsewhere", "foo(a) bar(b)", "foo", "foo(b)", true},
    {"it stands there", "foo(a) bar(b)", "foo", "foo(a)", false},
    {"at one of its places", "foo(a) foo(b)", "foo", "foo(b)", false},
    {"the piece stands nowhere", "bar", "foo", "a foo", true},
    {"the piece is not in it", "bar", "foo", "a bar", false},
    {"the piece is too near the start", "foo", "foo", "a foo", true},
    {"and too near the end", "a foo", "foo", "foo b", true},
    {"LFs stand for any ending", "a\r\nfoo\rb", "foo", "a\nfoo\nb", false},
    {"that is no ending", "a foo\nb", "foo", "a\nfoo\nb", true},
    {"a CRLF stands for itself", "a\r\nfoo", "foo", "\r\nfoo", false},
    {"and for nothing else", "a\nfoo", "foo", "\r\nfoo", true},
    {"from within a CRLF", "a\r\nfoo", "foo", "\nfoo", false},
    {"a piece of two lines tells nothing", "a\nb", "a\nc", "a\nc", false},
};

static void what_cannot_stand_there_is_excluded(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_occurrences in = {.text = em_slice_of(cases[i].text), .arena = &arena};
        assert_false(em_occurrences_exclude(&in, em_slice_of(cases[i].whole)));
        look(&in, cases[i].piece);
        check_size(cases[i].what, em_occurrences_exclude(&in, em_slice_of(cases[i].whole)),
                   cases[i].excluded);
    }
}

/* A piece that stands everywhere excludes nothing, though the places that are kept do not have it.
 */
static void what_is_not_known_excludes_nothing(void **state)
{
    (void)state;
    EM_AUTO(em_strbuf) text = {0};
    EM_AUTO(em_arena) arena = {0};
    for (int i = 0; i <= EM_MOST_OCCURRENCES; i++)
        em_strbuf_puts(&text, "foo ");
    em_strbuf_puts(&text, "foo bar");
    em_occurrences in = {.text = em_strbuf_slice(&text), .arena = &arena};
    assert_false(look(&in, "foo")->all);
    assert_false(em_occurrences_exclude(&in, EM_LIT("foo bar")));
    assert_false(em_occurrences_exclude(&in, EM_LIT("foo baz")));
}

/* Whatever stands in a text of blanks, endings and two letters is not excluded. */
static void what_is_there_is_never_excluded(void **state)
{
    (void)state;
    static const char letters[] = {'a', 'b', '\n', '\r', ' '};
    random_state r = {7};
    size_t excluded = 0;
    for (int round = 0; round < 20000; round++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        char text[12], whole[4];
        em_spans found;
        for (size_t i = 0; i < sizeof text; i++)
            text[i] = RANDOM_OF(&r, letters);
        for (size_t i = 0; i < sizeof whole; i++)
            whole[i] = RANDOM_OF(&r, letters);
        em_slice wanted = em_slice_make(whole, sizeof whole);
        em_occurrences in = {.text = em_slice_make(text, sizeof text), .arena = &arena};
        look(&in, "a");
        look(&in, "ab");
        assert_int_equal(em_draft_init(&draft, in.text, 0), EM_OK);
        assert_int_equal(em_locate(&draft, wanted, true, &arena, &found), EM_OK);
        assert_false(em_occurrences_exclude(&in, wanted) && found.count > 0);
        excluded += em_occurrences_exclude(&in, wanted);
    }
    assert_true(excluded > 5000);
}

static em_status look_once(em_arena *arena, const void *context)
{
    const em_piece_occurrences *seen;
    em_occurrences in = {.text = em_slice_of(context), .arena = arena};
    return em_occurrences_of(&in, EM_LIT("a"), &seen);
}

static void memory_that_runs_out_is_a_status(void **state)
{
    (void)state;
    check_scarce("a place", look_once, "a b");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_piece_is_looked_for_once),
        cmocka_unit_test(few_places_are_kept),
        cmocka_unit_test(what_cannot_stand_there_is_excluded),
        cmocka_unit_test(what_is_not_known_excludes_nothing),
        cmocka_unit_test(what_is_there_is_never_excluded),
        cmocka_unit_test(memory_that_runs_out_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

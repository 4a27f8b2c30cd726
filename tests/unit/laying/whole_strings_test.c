#include "laying/whole_strings.h"

#include "placed.h"

#define W0 "emend_string_0_"
#define W1 "emend_string_1_"
#define NOT NULL, NULL /* nothing is left out */

static const struct {
    const char *what, *text, *find, *insert;
    const char *wanted_find, *wanted_insert;
} cases[] = {
    {"three quotes", "    t = \"\"\"\none\n  two\"\"\"\n    f(t)\n",
     "t = \"\"\"\none\n  two\"\"\"\nf(t)\n", "if p:\n    t = \"\"\"\none\n  two\"\"\"\n    f(t)\n",
     "t = \"\"\" " W0 " \"\"\"\nf(t)\n", "if p:\n    t = \"\"\" " W0 " \"\"\"\n    f(t)\n"},
    {"or those of the other kind, the end in a line of its own, of which one goes",
     "    t = '''\none\n'''\n    u = '''\ntwo\n'''\n    f(t)\n",
     "t = '''\none\n'''\nu = '''\ntwo\n'''\nf(t)\n", "u = '''\ntwo\n'''\nf(u)\n",
     "t = ''' " W0 " '''\nu = ''' " W1 " '''\nf(t)\n", "u = ''' " W1 " '''\nf(u)\n"},
    {"a template", "\tt := `a\n  b\\`\n`\n\tf(t)\n", "    t := `a\n  b\\`\n`\n    f(t)\n",
     "    t := `a\n  b\\`\n`\n    g(t)\n", "    t := `a " W0 " `\n    f(t)\n",
     "    t := `a " W0 " `\n    g(t)\n"},
    {"a here-document", "\tcat <<-'EOF' | f\none\n  two\nEOF\n\tg\n",
     "    cat <<-'EOF' | f\none\n  two\nEOF\n    g\n",
     "    if p; then\n        cat <<-'EOF' | f\none\n  two\nEOF\n    fi\n    g\n",
     "    cat <<-'EOF' | f " W0 "\n    g\n",
     "    if p; then\n        cat <<-'EOF' | f " W0 "\n    fi\n    g\n"},
    {"a quote that ends its line", "\tsed '\ns/a/b/\n' x\n\tf\n", "  sed '\ns/a/b/\n' x\n  f\n",
     "  sed '\ns/a/b/\n' x\n  g\n", "  sed ' " W0 " ' x\n  f\n", "  sed ' " W0 " ' x\n  g\n"},
    {"the file's line endings", "    t = `\r\none\r\n`\r\n    f(t)\r\n", "t = `\none\n`\nf(t)\n",
     "t = `\none\n`\ng(t)\n", "t = ` " W0 " `\nf(t)\n", "t = ` " W0 " `\ng(t)\n"},
    {"the same twice", "    t = `\none\n`\n    u = `\none\n`\n    f()\n",
     "t = `\none\n`\nu = `\none\n`\nf()\n", "u = `\none\n`\nt = `\none\n`\ng()\n",
     "t = ` " W0 " `\nu = ` " W1 " `\nf()\n", "u = ` " W0 " `\nt = ` " W1 " `\ng()\n"},
    /* what is none, or may be */
    {"all stands as in the file", "    t = `\none\n`\n    f(t)\n", "    t = `\none\n`\n    f(t )\n",
     "    t = `\none\n`\n    g(t)\n", NOT},
    {"the string does not either", "    t = `\n    one\n    `\n    f(t)\n", "t = `\none\n`\nf(t)\n",
     "t = `\none\n`\ng(t)\n", NOT},
    {"it changes", "    t = `\none\n`\n    f(t)\n", "t = `\none\n`\nf(t)\n",
     "t = `\ntwo\n`\nf(t)\n", NOT},
    {"it does not end", "    t = `\none\n    f(t)\n", "t = `\none\nf(t)\n", "t = `\none\ng(t)\n",
     NOT},
    {"it is none in the file", "    t = \"\"\"one\"\"\"\n    u = \"\"\"two\"\"\"\n",
     "t = \"\"\"one'''\nu = '''two\"\"\"\n", "t = \"\"\"one'''\nu = '''two\"\"\"\nv\n", NOT},
    {"quotes in their lines, and in comments",
     "    a = \"`\" + '`' # ` don't\none\n    b = '\\'`' // ` \"\"\"\n",
     "a = \"`\" + '`' # ` don't\none\nb = '\\'`' // ` \"\"\"\n", "a = 1\none\n", NOT},
    {"a shift", "    a << b;\none\nb\n", "a << b;\none\nb\n", "a << c;\none\nb\n", NOT},
    {"a word like that is there", "    t = `\none\n`\n    " W0 "()\n", "t = `\none\n`\n" W0 "()\n",
     "t = `\none\n`\ng(t)\n", NOT},
    {"no string", "    f(t)\n", "f(t )\n", "g(t)\n", NOT},
};

static em_status take(size_t index, em_arena *arena, em_whole_strings *whole)
{
    em_tolerant_place place;
    EM_TRY(place_of(cases[index].what, cases[index].text, cases[index].find, cases[index].insert,
                    arena, &place));
    return em_take_whole_strings(em_slice_of(cases[index].text), &place, arena, whole);
}

static void strings_are_one_word(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_whole_strings whole;
        em_slice back;
        bool sound = true;
        assert_int_equal(take(i, &arena, &whole), EM_OK);
        check_size(cases[i].what, whole.count > 0, cases[i].wanted_find != NULL);
        if (whole.count == 0)
            continue;
        check_bytes(cases[i].what, whole.place.find, em_slice_of(cases[i].wanted_find));
        check_bytes(cases[i].what, whole.place.insert, em_slice_of(cases[i].wanted_insert));
        check_tokens(cases[i].what, whole.text, &whole.place);
        whole.repeated = whole.count;
        assert_int_equal(em_put_strings_back(&whole, whole.text, &arena, &back, &sound), EM_OK);
        assert_true(sound);
        check_bytes(cases[i].what, back, em_slice_of(cases[i].text));
    }
}

static void what_is_not_as_it_was_is_not_put_back(void **state)
{
    (void)state;
    static const char *const laid[] = {
        "t = `" W0 " `", "t = ` " W0 "`", "t = ` " W0, "` " W0 " `` " W0 " `", "t", W0 " "};
    for (size_t i = 0; i < COUNT_OF(laid); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_whole_string item = {EM_LIT("\none\n"), false};
        em_whole_strings whole = {.items = &item, .count = 1, .repeated = 1};
        em_slice back;
        bool sound = true;
        assert_int_equal(em_put_strings_back(&whole, em_slice_of(laid[i]), &arena, &back, &sound),
                         EM_OK);
        check_size(laid[i], sound, false);
    }
}

static em_status run(em_arena *arena, const void *context)
{
    em_whole_strings whole;
    em_slice back;
    bool sound = true;
    EM_TRY(take(*(const size_t *)context, arena, &whole));
    return whole.count > 0 ? em_put_strings_back(&whole, whole.text, arena, &back, &sound) : EM_OK;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_scarce(cases[i].what, run, &i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(strings_are_one_word),
        cmocka_unit_test(what_is_not_as_it_was_is_not_put_back),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

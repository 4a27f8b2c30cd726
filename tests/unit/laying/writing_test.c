#include "laying/writing.h"

#include "base/strbuf.h"
#include "placed.h"

#define OPEN "\xE2\x80\x9C"
#define CLOSE "\xE2\x80\x9D"
#define CURLY "\xE2\x80\x99"
#define DASH "\xE2\x80\x94"
#define DOTS "\xE2\x80\xA6"
#define E_COMPOSED "\xC3\xA9"
#define E_APART "e\xCC\x81"

static const struct {
    const char *what, *text, *find, *insert;
    const char *wanted; /* the replacement's tokens, each behind a blank */
} cases[] = {
    {"what is repeated is the file's", "say(\"a\");", "say('a');", "say('a', 1);",
     "say ( \" a \" , 1 ) ;"},
    {"a new quote takes the style seen", "say(\"a\");", "say('a');", "say('a', 'b');",
     "say ( \" a \" , \" b \" ) ;"},
    {"in a new line, too", "say(\"a\");\n", "say('a');\n", "say('a');\nsay('b');\n",
     "say ( \" a \" ) ; say ( \" b \" ) ;"},
    {"the other way round", "say('a');", "say(\"a\");", "say(\"a\", \"b\");",
     "say ( ' a ' , ' b ' ) ;"},
    {"the file's style already", "say(\"a\");", "say('a');", "say(\"a\", \"b\");",
     "say ( \" a \" , \" b \" ) ;"},
    {"one in both styles in the file stays", "say(\"a\", 'b');", "say('a', 'b');",
     "say('a', 'b', 'c');", "say ( \" a \" , ' b ' , ' c ' ) ;"},
    {"or whichever comes last", "say('a', \"b\");", "say('a', 'b');", "say('a', 'b', 'c');",
     "say ( ' a ' , \" b \" , ' c ' ) ;"},
    {"it would end the string", "say(\"a\");\n", "say('a');\n", "say('a');\nsay('b \"c\"');\n",
     "say ( \" a \" ) ; say ( ' b \" c \" ' ) ;"},
    {"a string with a variable", "say('a');\n", "say(\"a\");\n", "say(\"a\");\nsay(\"$b\");\n",
     "say ( ' a ' ) ; say ( \" $ b \" ) ;"},
    {"an escaped one", "say(\"a\");\n", "say('a');\n", "say('a');\nsay('it\\'s');\n",
     "say ( \" a \" ) ; say ( \" it \\ ' s \" ) ;"},
    {"an apostrophe is no quote of a string", "say(\"a\");\n", "say('a');\n",
     "say('a');\n# don't\n", "say ( \" a \" ) ; # don ' t"},
    /* typographic signs */
    {"curly ones in the same words", "He said " OPEN "yes" CLOSE " now.\n",
     "He said \"yes\" now.\n", "He said \"yes\" and \"no\" now.\n",
     "He said " OPEN " yes " CLOSE " and " OPEN " no " CLOSE " now ."},
    {"not in other lines", "He said " OPEN "yes" CLOSE " now.\n", "He said \"yes\" now.\n",
     "He said \"yes\" now.\nsay(\"no\")\n",
     "He said " OPEN " yes " CLOSE " now . say ( \" no \" )"},
    {"a dash in the same words", "one " DASH " two\n", "one - two\n", "one - two - three\n",
     "one " DASH " two " DASH " three"},
    {"not in other lines", "one " DASH " two\n", "one - two\n", "one - two\nx = a - b\n",
     "one " DASH " two x = a - b"},
    {"one that comes to the end of a line", "one two\n" DASH " three four\n",
     "one two\n-- three four\n", "one two --\nthree four\n", "one two " DASH " three four"},
    {"or to its start", "one two " DASH "\nthree four\n", "one two --\nthree four\n",
     "one two\n-- three four\n", "one two " DASH " three four"},
    {"a hyphen there may be of a list", "one two " DASH "\nthree four\n", "one two -\nthree four\n",
     "one two\n- three four\n", "one two - three four"},
    {"a quote", "one " OPEN "two" CLOSE "\nthree four\n", "one \"two\"\nthree four\n",
     "one\n\"two\" three four\n", "one " OPEN " two " CLOSE " three four"},
    {"not between other words", "one two\n" DASH " three four\n", "one two\n-- three four\n",
     "one five --\nthree four\n", "one five -- three four"},
    {"nor where it stands tight", "one two\n" DASH " three four\n", "one two\n-- three four\n",
     "one two--\nthree four\n", "one two -- three four"},
    {"one at the start of all", DASH " one\ntwo three\n", "-- one\ntwo three\n",
     "-- one two\nthree\n", DASH " one two three"},
    {"straight for the caller's curly ones", "say(\"a\");\n", "say(" OPEN "a" CLOSE ");\n",
     "say(" OPEN "a" CLOSE ");\nsay(" OPEN "b" CLOSE ");\n", "say ( \" a \" ) ; say ( \" b \" ) ;"},
    {"an apostrophe", "it's so\n", "it" CURLY "s so\n", "it" CURLY "s so, isn" CURLY "t it\n",
     "it ' s so , isn ' t it"},
    {"plain signs for entities", "if (a < b)\n", "if (a &lt; b)\n",
     "if (a &lt; b &amp;&amp; c &gt; d)\n", "if ( a < b & & c > d )"},
    /* words */
    {"letters composed as in the file", "caf" E_APART " x\n", "caf" E_COMPOSED " x\n",
     "caf" E_COMPOSED " r" E_COMPOSED "sum" E_COMPOSED " x\n",
     "caf" E_APART " r" E_APART "sum" E_APART " x"},
    {"or apart", "caf" E_COMPOSED " x\n", "caf" E_APART " x\n",
     "caf" E_APART " r" E_APART "sum" E_APART " x\n",
     "caf" E_COMPOSED " r" E_COMPOSED "sum" E_COMPOSED " x"},
    {"where none tells", "cafe x\n", "cafe  x\n", "cafe r" E_APART "sum x\n",
     "cafe r" E_APART "sum x"},
    {"a word is as the caller wrote it", "a b\n", "a  b\n", "a c b\n", "a c b"},
    /* lines that moved */
    {"they are the file's", "say(\"a\");\nb(1);\nc(2);\n", "say('a');\nb(1);\nc(2);\n",
     "b(1);\nc(2);\nsay('a');\n", "b ( 1 ) ; c ( 2 ) ; say ( \" a \" ) ;"},
    {"whatever others have", "say(\"a\");\nput('b');\nc(2);\n", "say('a');\nput('b');\nc(2);\n",
     "put('b');\nc(2);\nsay('a');\n", "put ( ' b ' ) ; c ( 2 ) ; say ( \" a \" ) ;"},
};

static em_status learn(em_slice text, em_tolerant_place *place, em_arena *arena, em_writing *w)
{
    size_t *origin, *moved;
    *w = (em_writing){.text = text, .place = place, .find = {place->find, place->find_tokens}};
    EM_TRY(tokened_of(place->insert, arena, &w->insert));
    EM_TRY(em_redline(&w->find, &w->insert, arena, &origin));
    EM_TRY(em_redline_moves(&w->find, &w->insert, origin, arena, &moved));
    w->origin = origin;
    w->moved = moved;
    return em_writing_learn(w, arena);
}

static em_status write(size_t index, em_arena *arena, em_slice *out)
{
    em_tolerant_place place;
    em_writing w;
    EM_TRY(place_of(cases[index].what, cases[index].text, cases[index].find, cases[index].insert,
                    arena, &place));
    EM_TRY(learn(em_slice_of(cases[index].text), &place, arena, &w));
    EM_AUTO(em_strbuf) text = {0};
    for (size_t i = 0; i < w.insert.tokens.count; i++) {
        if (i > 0)
            em_strbuf_putc(&text, ' ');
        em_strbuf_add(&text, em_writing_of(&w, i));
    }
    char *bytes = em_strbuf_finish(&text, arena);
    *out = em_slice_make(bytes, text.len);
    return bytes ? EM_OK : EM_E_NOMEM;
}

static void tokens_are_written_as_in_the_file(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice out;
        assert_int_equal(write(i, &arena, &out), EM_OK);
        check_bytes(cases[i].what, out, em_slice_of(cases[i].wanted));
    }
}

static void words_are_spelt_as_in_the_file(void **state)
{
    (void)state;
    static const struct {
        const char *what, *insert, *wanted;
        double score;
    } words[] = {
        {"a misspelt word", "recieve(a);\nx = recieve(b);\n", "receive", 0.9},
        {"of an exact place, it is another word", "recieve(a);\nx = recieve(b);\n", "recieve", 1},
    };
    for (size_t i = 0; i < COUNT_OF(words); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice text = EM_LIT("receive(a);\n"), find = EM_LIT("recieve(a);\n");
        em_tokened seen, sent;
        em_writing w;
        assert_int_equal(tokened_of(text, &arena, &seen), EM_OK);
        assert_int_equal(tokened_of(find, &arena, &sent), EM_OK);
        em_tolerant_place place = {.span = {0, text.len},
                                   .find = find,
                                   .insert = em_slice_of(words[i].insert),
                                   .find_tokens = sent.tokens,
                                   .tokens = seen.tokens.items,
                                   .fold = EM_FOLD_WRITING,
                                   .score = words[i].score};
        assert_int_equal(learn(text, &place, &arena, &w), EM_OK);
        check_bytes(words[i].what, em_writing_of(&w, 0), EM_LIT("receive"));
        em_slice last = {0};
        for (size_t k = 1; k < w.insert.tokens.count; k++) {
            em_slice token = em_writing_of(&w, k);
            if (em_slice_starts(token, EM_LIT("rec")))
                last = token;
        }
        check_bytes(words[i].what, last, em_slice_of(words[i].wanted));
    }
}

static void blanks_that_the_file_lacks_are_noted(void **state)
{
    (void)state;
    static const struct {
        const char *text, *find;
        bool wrong;
    } trails[] = {
        {"a\nb\n", "a  \nb\n", true},   {"a  \nb\n", "a\nb\n", false},
        {"a\nb\n", "a\nb\n", false},    {"a\n\nb\n", "a\n  \nb\n", true},
        {"a \nb\n", "a  \nb\n", false}, {"a\nb\n", "a\nb\t\n", true},
    };
    for (size_t i = 0; i < COUNT_OF(trails); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_tolerant_place place;
        em_writing w;
        assert_int_equal(
            place_of(trails[i].find, trails[i].text, trails[i].find, "a\nc\n", &arena, &place),
            EM_OK);
        assert_int_equal(learn(em_slice_of(trails[i].text), &place, &arena, &w), EM_OK);
        check_size(trails[i].find, w.trails_are_wrong, trails[i].wrong);
    }
}

static em_status run(em_arena *arena, const void *context)
{
    em_slice out;
    return write(*(const size_t *)context, arena, &out);
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
        cmocka_unit_test(tokens_are_written_as_in_the_file),
        cmocka_unit_test(words_are_spelt_as_in_the_file),
        cmocka_unit_test(blanks_that_the_file_lacks_are_noted),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "answers/similar.h"

#include "made_up.h"

/* An outcome of a search text that was not found, on a text of a few lines. */
static void miss_open(made_up *m, em_diagnosis *diagnosis, const em_op *op)
{
    made_up_open(m, "all", "file_edit",
                 (em_error){.code = EM_E_NO_MATCH, .cause = EM_CAUSE_NOT_FOUND});
    m->outcome.failure.diagnosis = diagnosis;
    m->outcome.failed_op = op;
    em_reply_see(&m->reply, &m->outcome);
}

static void check_reply(made_up *m, const char *want)
{
    const char *got = em_reply_text(&m->reply);
    assert_non_null(got);
    assert_string_equal(got, want);
    m->reply.text.len = 0;
}

static void white_space_is_made_visible(void **state)
{
    (void)state;
    static const struct {
        const char *text, *want;
    } cases[] = {
        {"", ""},
        {"a b", "a b"},
        {" a b ", "·a b·"},
        {"\ta\t", "→a→"},
        {"a  b", "a··b"},
        {"a \tb", "a·→b"},
        {"a\n b \nc", "a\n·b·\nc"},
        {"a\xC2\xA0"
         "b\xE2\x80\x89"
         "c\xE2\x80\xAF\xE2\x81\x9F\xE3\x80\x80",
         "a⍽b⍽c⍽⍽⍽"},
        {"é\xE9", "é\xE9"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_strbuf) out = {0};
        em_add_visible(&out, em_slice_of(cases[i].text));
        if (!em_slice_is(em_strbuf_slice(&out), cases[i].want))
            fail_msg("%s: %.*s", cases[i].want, (int)out.len, out.ptr);
    }
}

static void differences_are_sentences(void **state)
{
    (void)state;
    static const struct {
        em_difference_kind kind;
        const char *expected, *found, *want;
    } cases[] = {
        {EM_DIFFERS_WHITESPACE, "const", "const ", "Extra space after 'const'"},
        {EM_DIFFERS_WHITESPACE, "const foo", "const   foo", "2 extra spaces after 'const'"},
        {EM_DIFFERS_WHITESPACE, "foo", "\tfoo", "Extra tab before 'foo'"},
        {EM_DIFFERS_WHITESPACE, "", "\n", "Extra line break"},
        {EM_DIFFERS_WHITESPACE, " \n", "\n", "Missing space"},
        {EM_DIFFERS_WHITESPACE, "a\t\tb", "ab", "2 missing tabs after 'a'"},
        {EM_DIFFERS_WHITESPACE, "    x", "\tx", "Has a tab instead of 4 spaces before 'x'"},
        {EM_DIFFERS_WHITESPACE, "a b",
         "a\xC2\xA0"
         "b",
         "Has a no-break space instead of a space after 'a'"},
        {EM_DIFFERS_WHITESPACE, " \t", "\n\n", "Has 2 line breaks instead of '·→'"},
        {EM_DIFFERS_WHITESPACE, "    return 1", "\treturn  1",
         "Has '→return·' instead of '····return' before '1'"},
        {EM_DIFFERS_CASE, "handleRequest", "HandleRequest",
         "Is written 'HandleRequest', not 'handleRequest'"},
        {EM_DIFFERS_PUNCTUATION, "'", "\"", "Uses double quotes instead of single quotes"},
        {EM_DIFFERS_PUNCTUATION, "'a", "\"a", "Uses double quotes instead of single quotes"},
        {EM_DIFFERS_PUNCTUATION, "\"", "\xE2\x80\x9C",
         "Uses curly quotes instead of double quotes"},
        {EM_DIFFERS_PUNCTUATION, "\xE2\x80\x98", "`",
         "Uses backquotes instead of curly single quotes"},
        {EM_DIFFERS_PUNCTUATION, "f(a)", "f(a);", "Extra ';' after 'f(a)'"},
        {EM_DIFFERS_PUNCTUATION, ", b", " b", "Missing ',' before 'b'"},
        {EM_DIFFERS_PUNCTUATION, "'index'", "\"index\"",
         "Uses double quotes instead of single quotes"},
        {EM_DIFFERS_PUNCTUATION, "'a'", "\"a\";", "Has '\"a\";' instead of ''a''"},
        {EM_DIFFERS_PUNCTUATION, "a.b", "a\"b", "Has '\"' instead of '.' after 'a'"},
        {EM_DIFFERS_PUNCTUATION, ".'", "\"\"", "Has '\"\"' instead of '.''"},
        {EM_DIFFERS_CONTENT, "x = 200", "x = 100", "Has '100' instead of '200' after 'x ='"},
        {EM_DIFFERS_CONTENT, "reload", "load", "Has 'load' instead of 'reload'"},
        {EM_DIFFERS_CONTENT, "na\xC3\xAFve", "na\xC3\xA9ve", "Has 'naéve' instead of 'naïve'"},
        {EM_DIFFERS_PUNCTUATION, "\xE2\x80\x93", "\xE2\x80\x94", "Has '—' instead of '–'"},
        {EM_DIFFERS_CONTENT, "\xC3\xA9", "\xC4\xA9", "Has 'ĩ' instead of 'é'"},
        {EM_DIFFERS_CONTENT, "a\nb\tc", "d", "Has 'd' instead of 'a⏎b→c'"},
        {EM_DIFFERS_CONTENT, "", "0123456789012345678901234567890123456789+",
         "Extra '0123456789012345678901234567890123456789…'"},
        {EM_DIFFERS_CONTENT, "a long way before it stands X", "a long way before it stands Y",
         "Has 'Y' instead of 'X' after '…way before it stands'"},
    };
    EM_AUTO(made_up) m;
    em_diagnosis none = {0};
    miss_open(&m, &none, NULL);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_difference difference = {cases[i].kind, em_slice_of(cases[i].expected),
                                    em_slice_of(cases[i].found)};
        assert_string_equal(em_difference_sentence(&m.reply, &difference), cases[i].want);
    }
    static const char *const words[] = {"whitespace", "case", "punctuation", "content"};
    for (size_t kind = 0; kind < COUNT_OF(words); kind++)
        assert_string_equal(em_difference_word((em_difference_kind)kind), words[kind]);
}

static em_near near_of(size_t line, const char *content, double similarity)
{
    return (em_near){.line = line,
                     .end_line = line,
                     .content = em_slice_of(content),
                     .similarity = similarity,
                     .piece = em_slice_of(content),
                     .piece_similarity = similarity,
                     .piece_column = 1};
}

static void a_place_is_shown_with_what_differs(void **state)
{
    (void)state;
    em_difference differences[] = {
        {EM_DIFFERS_WHITESPACE, EM_LIT("  "), EM_LIT("\t")},
        {EM_DIFFERS_CONTENT, EM_LIT("one"), EM_LIT("two")},
        {EM_DIFFERS_CONTENT, EM_LIT("one"), EM_LIT("two")},
    };
    em_diagnosis diagnosis = {.near = {near_of(4, "\tif (x) {\n\t\ttwo ;\n}", 0.759)},
                              .near_count = 1};
    diagnosis.near[0].end_line = 6;
    diagnosis.near[0].differences = (em_differences){differences, COUNT_OF(differences)};
    EM_AUTO(made_up) m;
    miss_open(&m, &diagnosis, NULL);
    em_similar_add(&m.reply);
    check_reply(&m, "\nMost similar text (75% similar, lines 4-6; → is a tab, · a blank):"
                    "\n   4 | →if (x) {"
                    "\n   5 | →→two ;"
                    "\n   6 | }"
                    "\n  Difference: Has a tab instead of 2 spaces"
                    "\n  Difference: Has 'two' instead of 'one'");
}

static void white_space_is_shown_as_it_is_where_it_does_not_matter(void **state)
{
    (void)state;
    em_difference differences[7] = {0};
    static const char *const found[] = {"a", "b", "c", "d", "e", "f", "g"};
    for (size_t i = 0; i < COUNT_OF(found); i++)
        differences[i] = (em_difference){EM_DIFFERS_CONTENT, EM_LIT("0"), em_slice_of(found[i])};
    em_diagnosis diagnosis = {
        .miss = EM_MISS_STALE,
        .near = {near_of(4, "  x", 0.84), near_of(9, "y  ", 0.5), near_of(11, "z", 0.4999)},
        .near_count = 3};
    diagnosis.near[0].differences = (em_differences){differences, COUNT_OF(differences)};
    EM_AUTO(made_up) m;
    miss_open(&m, &diagnosis, NULL);
    char want[600];
    snprintf(want, sizeof want,
             "\n%s\nMost similar text (84%% similar, line 4):\n   4 |   x"
             "\n  Difference: Has 'a' instead of '0'\n  Difference: Has 'b' instead of '0'"
             "\n  Difference: Has 'c' instead of '0'\n  Difference: Has 'd' instead of '0'"
             "\n  ... and 3 more"
             "\nNext (50%% similar, line 9):\n   9 | y  ",
             em_miss_sentence(EM_MISS_STALE, "old_text", &m.c.s.arena));
    em_similar_add(&m.reply);
    check_reply(&m, want);
    assert_string_equal(em_reply_cause(&m.reply), em_miss_name(EM_MISS_STALE));
    diagnosis.miss = EM_MISS_INDENTATION;
    assert_true(em_similar_by_white_space(&m.reply, &diagnosis.near[0]));
    assert_false(em_similar_by_white_space(&m.reply, &diagnosis.near[1]));
}

static void nothing_is_said_where_nothing_is_known(void **state)
{
    (void)state;
    em_diagnosis diagnosis = {.near = {near_of(1, "x", 0.3)}, .near_count = 1};
    EM_AUTO(made_up) m;
    miss_open(&m, &diagnosis, NULL);
    em_similar_add(&m.reply);
    em_similar_add_correction(&m.reply);
    check_reply(&m, "");
    assert_null(em_similar_best(&m.reply));
    assert_null(em_similar_reason(&m.reply));
    assert_string_equal(em_reply_cause(&m.reply), "not_found");
    m.outcome.failure.diagnosis = NULL;
    em_reply_see(&m.reply, &m.outcome);
    em_similar_add(&m.reply);
    check_reply(&m, "");
    assert_int_equal(em_similar_places(&m.reply).count, 0);
    m.outcome.error.cause = EM_CAUSE_NONE;
    assert_null(em_reply_cause(&m.reply));
}

/* A part of a line is what is compared, where the line as a whole is not similar. */
static void lines_that_are_dropped_are_a_sentence_of_their_own(void **state)
{
    (void)state;
    em_diagnosis diagnosis = {.miss = EM_MISS_ELIDED};
    EM_AUTO(made_up) m;
    miss_open(&m, &diagnosis, NULL);
    assert_string_equal(em_similar_reason(&m.reply),
                        "old_text leaves out lines that the file has there");
    diagnosis.drops_elided = true;
    assert_string_equal(em_similar_reason(&m.reply),
                        "a line of old_text stands for lines that the file has there, and new_text "
                        "does not leave out the same: to keep them, have that line in it, too; to "
                        "change or remove them, send them all in old_text");
    diagnosis.drops_elided = false;
    diagnosis.doubts_elided = true;
    assert_string_equal(em_similar_reason(&m.reply),
                        "a line of old_text stands for lines of more than one block, so that what "
                        "changes may be meant in another: send only the lines that change, with "
                        "those around them as they stand in the file, and without that line");
}

static void escapes_that_may_be_the_files_are_a_sentence_of_their_own(void **state)
{
    (void)state;
    em_diagnosis diagnosis = {.miss = EM_MISS_ESCAPES, .doubts_escapes = true};
    EM_AUTO(made_up) m;
    miss_open(&m, &diagnosis, NULL);
    assert_string_equal(
        em_similar_reason(&m.reply),
        "old_text has its line breaks as backslash escapes, and some escapes of "
        "new_text may be the file's to be: send line breaks, tabs and quotes of "
        "both themselves, and as escapes only what is to stand in the file as such");
}

static void numbers_that_some_lines_lost_are_a_sentence_of_their_own(void **state)
{
    (void)state;
    em_diagnosis diagnosis = {.miss = EM_MISS_LINE_NUMBERS, .doubts_numbers = true};
    EM_AUTO(made_up) m;
    miss_open(&m, &diagnosis, NULL);
    assert_string_equal(em_similar_reason(&m.reply),
                        "old_text has line numbers that are not in the file, and new_text may have "
                        "some: send both without them, each line indented as in the file");
}

static void a_part_of_a_long_line(void **state)
{
    (void)state;
    static char line[6000];
    memset(line, 'x', sizeof line - 1);
    memcpy(line + 4000, "<<here it is>>", 14);
    em_diagnosis diagnosis = {.near = {near_of(2, line, 0.01)}, .near_count = 1};
    em_near *near = &diagnosis.near[0];
    near->piece = near->to_copy = em_slice_make(line + 4000, 14);
    near->piece_column = 4001;
    near->piece_similarity = 0.9;
    near->is_within = true;
    EM_AUTO(made_up) m;
    miss_open(&m, &diagnosis, NULL);
    assert_true(em_slice_is(em_similar_likeness(near).text, "<<here it is>>"));
    assert_true(em_slice_is(em_similar_take_whole(&m.reply), "<<here it is>>"));
    assert_int_equal(m.reply.shown_left, EM_SHOWN_LIMIT - 14);
    assert_true(em_similar_take(&m.reply, near, 100).len == 100);
    em_similar_add(&m.reply);
    const char *text = em_reply_text(&m.reply);
    assert_non_null(strstr(text, "(90% similar, line 2):\n   2 | xxx"));
    assert_non_null(strstr(text, "<<here it is>>"));
    assert_non_null(strstr(text, "x (cut)"));
    assert_true(strlen(text) < 3200);
}

/* Of any other line all of it is, whatever a part of it looks like. */
static void a_part_of_a_short_line(void **state)
{
    (void)state;
    em_diagnosis diagnosis = {.near = {near_of(2, "x beta", 0.33)}, .near_count = 1};
    diagnosis.near[0].piece = em_slice_from(diagnosis.near[0].content, 2);
    diagnosis.near[0].piece_similarity = 0.6;
    EM_AUTO(made_up) m;
    miss_open(&m, &diagnosis, NULL);
    assert_true(em_similar_likeness(&diagnosis.near[0]).similarity == 0.33);
    assert_int_equal(em_similar_places(&m.reply).count, 0);
}

static void many_lines_are_cut(void **state)
{
    (void)state;
    EM_AUTO(em_strbuf) content = {0};
    for (int i = 0; i < 60; i++)
        em_strbuf_printf(&content, "%sline %d", i > 0 ? "\r\n" : "", i);
    em_diagnosis diagnosis = {.near_count = 1};
    diagnosis.near[0] = near_of(101, "", 0.8);
    diagnosis.near[0].content = em_strbuf_slice(&content);
    diagnosis.near[0].end_line = 160;
    EM_AUTO(made_up) m;
    miss_open(&m, &diagnosis, NULL);
    em_similar_add(&m.reply);
    const char *text = em_reply_text(&m.reply);
    assert_non_null(strstr(text, "\n 101 | line 0\n 102 | line 1\n"));
    assert_non_null(strstr(text, "\n 140 | line 39\n     ..."));
    assert_null(strstr(text, "line 40"));
}

static void a_place_in_inserted_text_has_no_line_numbers(void **state)
{
    (void)state;
    em_diagnosis diagnosis = {.near = {near_of(3, "one\ntwo", 0.8)}, .near_count = 1};
    diagnosis.near[0].inserted = true;
    EM_AUTO(made_up) m;
    miss_open(&m, &diagnosis, NULL);
    em_similar_add(&m.reply);
    check_reply(&m, "\nMost similar text (80% similar, line 3, in text that an edit before this "
                    "one inserts there):\n     | one\n     | two");
}

static void lines_have_the_numbers_of_the_original(void **state)
{
    (void)state;
    static const size_t numbers[] = {3, 0, 6};
    em_diagnosis diagnosis = {.near = {near_of(3, "one\ntwo\nsix", 0.8)}, .near_count = 1};
    diagnosis.near[0].end_line = 6;
    diagnosis.near[0].numbers = numbers;
    EM_AUTO(made_up) m;
    miss_open(&m, &diagnosis, NULL);
    em_similar_add(&m.reply);
    check_reply(&m, "\nMost similar text (80% similar, lines 3-6):\n   3 | one\n     | two\n"
                    "   6 | six");
}

/* ---- What to send -------------------------------------------------------------------------- */

static void what_to_send_stands_last(void **state)
{
    (void)state;
    static const struct {
        em_op_kind kind;
        const char *insert, *want;
    } cases[] = {
        {EM_OP_REPLACE, "sent",
         "\nSend as new_text (between >>> and <<<):\n>>>\tright<<<"
         "\nSend as old_text (between >>> and <<<):\n>>>\tthere\n<<<"},
        {EM_OP_REPLACE, "\tright", "\nSend as old_text (between >>> and <<<):\n>>>\tthere\n<<<"},
        {EM_OP_DELETE, "", "\nSend as old_text (between >>> and <<<):\n>>>\tthere\n<<<"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_op op = {
            .kind = cases[i].kind, .find = EM_LIT("there"), .insert = em_slice_of(cases[i].insert)};
        em_diagnosis diagnosis = {.miss = EM_MISS_TABS,
                                  .near = {near_of(1, "\tthere", 0.9), near_of(7, "zzz", 0.6)},
                                  .near_count = 2,
                                  .has_correction = true,
                                  .correction = {EM_LIT("\tthere\n"), EM_LIT("\tright"), 1, 1}};
        EM_AUTO(made_up) m;
        miss_open(&m, &diagnosis, &op);
        assert_int_equal(m.reply.shown_left, EM_SHOWN_LIMIT - 7);
        assert_int_equal(em_similar_take_whole(&m.reply).len, 0);
        em_similar_add_correction(&m.reply);
        check_reply(&m, cases[i].want);
        em_similar_add(&m.reply); /* one clear place: the others only lead astray */
        assert_null(strstr(em_reply_text(&m.reply), "zzz"));
    }
}

/* Where lines around the change are others now, somebody has to think. */
static void what_is_stale_is_sent_with_care(void **state)
{
    (void)state;
    em_op op = {.kind = EM_OP_REPLACE, .find = EM_LIT("a\nb"), .insert = EM_LIT("a\nc")};
    em_diagnosis diagnosis = {.miss = EM_MISS_STALE,
                              .has_correction = true,
                              .correction = {EM_LIT("b"), EM_LIT("c"), 1, 1}};
    EM_AUTO(made_up) m;
    miss_open(&m, &diagnosis, &op);
    em_similar_add_correction(&m.reply);
    check_reply(&m, "\nIf this is the place that is meant, edit what still stands there:"
                    "\nSend as new_text (between >>> and <<<):\n>>>c<<<"
                    "\nSend as old_text (between >>> and <<<):\n>>>b<<<");
}

static void other_places_take_less_room(void **state)
{
    (void)state;
    EM_AUTO(em_strbuf) content = {0};
    for (int i = 1; i <= 20; i++)
        em_strbuf_printf(&content, "line %d\n", i);
    em_diagnosis diagnosis = {.near = {near_of(1, "x", 0.84), near_of(10, "", 0.8)},
                              .near_count = 2};
    diagnosis.near[1].content = em_strbuf_slice(&content);
    diagnosis.near[1].end_line = 29;
    EM_AUTO(made_up) m;
    miss_open(&m, &diagnosis, NULL);
    em_similar_add(&m.reply);
    const char *text = em_reply_text(&m.reply);
    assert_non_null(strstr(text, "\nNext (80% similar, lines 10-29):\n  10 | line 1\n"));
    assert_non_null(strstr(text, "\n  19 | line 10\n     ..."));
}

/* One that is as good as found, and leads, is told alone; in fields all of them stand. */
static void an_outstanding_place_is_told_alone(void **state)
{
    (void)state;
    static const struct {
        double first, second;
        bool is_alone;
    } cases[] = {{0.85, 0.79, true}, {0.85, 0.81, false}, {0.84, 0.6, false}, {1, 1, false}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_diagnosis diagnosis = {
            .near = {near_of(1, "x", cases[i].first), near_of(10, "zzz", cases[i].second)},
            .near_count = 2};
        EM_AUTO(made_up) m;
        miss_open(&m, &diagnosis, NULL);
        em_similar_add(&m.reply);
        assert_int_equal(strstr(em_reply_text(&m.reply), "zzz") == NULL, cases[i].is_alone);
        assert_int_equal(em_similar_places(&m.reply).count, 2);
    }
}

/* What was not looked at may be like it: that nothing is, is not known then. */
static void a_search_that_was_ended_is_told(void **state)
{
    (void)state;
    em_diagnosis diagnosis = {.timed_out = true};
    EM_AUTO(made_up) none, some;
    miss_open(&none, &diagnosis, NULL);
    em_similar_add(&none.reply);
    check_reply(&none, "\nThe search for text like it took too long");
    diagnosis.near[0] = near_of(1, "x", 0.84);
    diagnosis.near_count = 1;
    miss_open(&some, &diagnosis, NULL);
    em_similar_add(&some.reply);
    check_reply(&some,
                "\nMost similar text (84% similar, line 1):\n   1 | x"
                "\nThe search for text like it took too long, so there may be more than this");
}

/* What a tier found leads, though other lines have more of the search text's blanks. */
static void what_was_found_stands_first(void **state)
{
    (void)state;
    em_diagnosis diagnosis = {.near = {near_of(2, "x", 0.52), near_of(7, "y", 0.54)},
                              .near_count = 2};
    EM_AUTO(made_up) m;
    miss_open(&m, &diagnosis, NULL);
    em_similar_add(&m.reply);
    check_reply(&m, "\nMost similar text (54% similar, line 7):\n   7 | y"
                    "\nNext (52% similar, line 2):\n   2 | x");
    diagnosis.near[0].is_located = true;
    em_similar_add(&m.reply);
    check_reply(&m, "\nMost similar text (52% similar, line 2):\n   2 | x"
                    "\nNext (54% similar, line 7):\n   7 | y");
}

/* What a caller could not send back as it is shown, or could not be shown whole, is not shown. */
static void what_cannot_be_sent_is_not_shown(void **state)
{
    (void)state;
    static char much[EM_SHOWN_LIMIT + 1];
    memset(much, 'x', sizeof much);
    const struct {
        em_slice find, insert;
        const char *too_long; /* NULL: it is not even known */
    } cases[] = {
        {EM_LIT("caf\xE9"), EM_LIT("x"), NULL},
        {EM_LIT("x"), EM_LIT("caf\xE9"), NULL},
        {EM_LIT("a\0b"), EM_LIT("x"), NULL},
        {em_slice_make(much, sizeof much), EM_LIT("x"), "The exact text"},
        {EM_LIT("x"), em_slice_make(much, sizeof much), "new_text as that place needs it"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_op op = {.kind = EM_OP_REPLACE, .find = EM_LIT("y")};
        em_diagnosis diagnosis = {.has_correction = true,
                                  .correction = {cases[i].find, cases[i].insert, 4, 9}};
        EM_AUTO(made_up) m;
        miss_open(&m, &diagnosis, &op);
        em_similar_add_correction(&m.reply);
        char want[160] = "";
        if (cases[i].too_long)
            snprintf(want, sizeof want,
                     "\n%s is too long to be given here (lines 4-9): edit it in smaller pieces",
                     cases[i].too_long);
        check_reply(&m, want);
        assert_int_equal(m.reply.correction != NULL, cases[i].too_long != NULL);
        assert_int_equal(m.reply.shown_left, EM_SHOWN_LIMIT);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(white_space_is_made_visible),
        cmocka_unit_test(differences_are_sentences),
        cmocka_unit_test(a_place_is_shown_with_what_differs),
        cmocka_unit_test(white_space_is_shown_as_it_is_where_it_does_not_matter),
        cmocka_unit_test(nothing_is_said_where_nothing_is_known),
        cmocka_unit_test(lines_that_are_dropped_are_a_sentence_of_their_own),
        cmocka_unit_test(escapes_that_may_be_the_files_are_a_sentence_of_their_own),
        cmocka_unit_test(numbers_that_some_lines_lost_are_a_sentence_of_their_own),
        cmocka_unit_test(a_part_of_a_long_line),
        cmocka_unit_test(a_part_of_a_short_line),
        cmocka_unit_test(many_lines_are_cut),
        cmocka_unit_test(a_place_in_inserted_text_has_no_line_numbers),
        cmocka_unit_test(lines_have_the_numbers_of_the_original),
        cmocka_unit_test(what_to_send_stands_last),
        cmocka_unit_test(what_is_stale_is_sent_with_care),
        cmocka_unit_test(other_places_take_less_room),
        cmocka_unit_test(an_outstanding_place_is_told_alone),
        cmocka_unit_test(a_search_that_was_ended_is_told),
        cmocka_unit_test(what_was_found_stands_first),
        cmocka_unit_test(what_cannot_be_sent_is_not_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

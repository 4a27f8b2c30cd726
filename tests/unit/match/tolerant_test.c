#include "match/tolerant.h"

#include "base/strbuf.h"
#include "scarce_arena.h"
#include "tokens/gap_meaning.h"

static const em_fold NOTHING = EM_FOLD_NOTHING, WRITING = EM_FOLD_WRITING, CASE = EM_FOLD_CASE;

/* `text` with the places in brackets. */
static char *marked(em_slice text, const em_places *found, em_arena *arena)
{
    EM_AUTO(em_strbuf) out = {0};
    size_t at = 0;
    for (size_t i = 0; i < found->count; i++) {
        em_span span = found->items[i].span;
        assert_true(span.start >= at && span.end >= span.start && span.end <= text.len);
        em_strbuf_add(&out, em_slice_sub(text, at, span.start));
        em_strbuf_putc(&out, '[');
        em_strbuf_add(&out, em_slice_sub(text, span.start, span.end));
        em_strbuf_putc(&out, ']');
        at = span.end;
    }
    em_strbuf_add(&out, em_slice_from(text, at));
    return em_strbuf_finish(&out, arena);
}

static const struct {
    const char *what, *find, *text;
    const char *blanks;  /* the places with EM_FOLD_NOTHING; NULL: none */
    const char *writing; /* ... with EM_FOLD_WRITING; NULL: as with EM_FOLD_NOTHING */
} cases[] = {
    {"runs of blanks", "a = 1", "int   a  =\t1;", "int   [a  =\t1];", NULL},
    {"blanks never equal none", "a=1", "a = 1;", NULL, "[a = 1];"},
    {"nor none blanks", "a = 1", "a=1;", NULL, "[a=1];"},
    {"a line break is no blank", "a b", "a\nb", NULL, "[a\nb]"},
    {"nor a blank a line break", "a\nb", "a b", NULL, "[a b]"},
    {"empty lines more", "a\nb", "a\n\n \n  b", "[a\n\n \n  b]", NULL},
    {"empty lines fewer", "a\n\n\nb", "a\nb", "[a\nb]", NULL},
    {"line endings", "a\r\nb\nc", "a\rb\r\nc", "[a\rb\r\nc]", NULL},
    {"trailing blanks", "a  \nb", "a\nb\t \n", "[a\nb\t ]\n", NULL},
    {"and such as are no ASCII", "a\nb\n", "a\nb\xC2\xA0 &nbsp;\nc", NULL,
     "[a\nb\xC2\xA0 &nbsp;\n]c"},
    {"also in an empty line", "b\n\n", "b\n\xE2\x80\x8B\nc", "[b\n]\xE2\x80\x8B\nc",
     "[b\n\xE2\x80\x8B\n]c"},
    {"form feeds", "b\n", "b\f\v\nc", "[b\f\v\n]c", NULL},
    {"words are not joined", "foo bar", "foobar", NULL, NULL},
    {"nor split", "foobar", "foo bar", NULL, NULL},
    {"signs are not ignored", "a b", "a, b", NULL, NULL},
    {"nor quotes", "a 'b'", "a b", NULL, NULL},
    {"it begins between words", "a  =", "ba = 1; a = 2", "ba = 1; [a =] 2", NULL},
    {"it ends between words", "=  a", "= ab; = a;", "= ab; [= a];", NULL},
    {"not within a run of hyphens", "x -", "x -- -", NULL, NULL},
    {"beside a letter beyond ASCII", "a  b",
     "\xC3\xA9"
     "a b a b\xC3\xA9",
     NULL, NULL},
    {"behind a curly quote", "a  b",
     "\xE2\x80\x9C"
     "a b\xE2\x80\x9D",
     "\xE2\x80\x9C[a b]\xE2\x80\x9D", NULL},
    {"everywhere", "a b", "a  b a\tb\na b", "[a  b] [a\tb]\n[a b]", NULL},
    {"without overlap", "a b a", "a  b  a  b  a", "[a  b  a]  b  a", NULL},
    {"side by side", "(a )", "(a )(a  )", "[(a )][(a  )]", NULL},
    {"once in a text that repeats itself", "( ( x", "( ( ( ( x", "( ( [( ( x]", NULL},
    {"nothing stands nowhere", " \n", " \n", NULL, NULL},
    {"longer than the text", "a b c d", "b c d", NULL, NULL},
    {"longer behind", "a b c d", "a b c", NULL, NULL},
    /* what the search text has around its tokens */
    {"blanks before begin a line", "  a b", "x a b\n   a b", "x a b\n[   a b]", NULL},
    {"also the first", "  a b", "a  b", "[a  b]", NULL},
    {"a line break before", "\na b", "x a b\na  b", "x a b[\na  b]", NULL},
    {"two line breaks before", "\n\na b", "x\n \na  b", "x[\n \na  b]", NULL},
    {"more than there are", "\n\n\na b", "x\na  b", "x[\na  b]", NULL},
    {"and at the start", "\n\na b", "\n a  b", "[\n a  b]", NULL},
    {"a CRLF before", "\na b", "x\r\na  b", "x[\r\na  b]", NULL},
    {"blanks behind", "a b  ", "a  b c", "[a  b] c", NULL},
    {"a line break behind", "a b\n", "a b c\na  b \nx", "a b c\n[a  b \n]x", NULL},
    {"two line breaks behind", "a b\n\n", "a  b\r\n \r\n\r\nx", "[a  b\r\n \r\n]\r\nx", NULL},
    {"more than there are", "a b\n\n\n", "a  b\n  x", "[a  b\n]  x", NULL},
    {"the end counts as one", "a b\n", "x\na  b", "x\n[a  b]", NULL},
    {"neighbours share a gap", "\na b\n", "\na  b\na  b\n", "[\na  b\n][a  b\n]", NULL},
    /* what is only writing */
    {"quotes", "say('x')", "say( \xE2\x80\x98x\xE2\x80\x99 )", NULL,
     "[say( \xE2\x80\x98x\xE2\x80\x99 )]"},
    {"entities", "a < b && c", "a &lt; b &amp;&amp; c", NULL, "[a &lt; b &amp;&amp; c]"},
    {"the other way round", "a &lt; b", "a < b", NULL, "[a < b]"},
    {"no-break spaces", "a b",
     "a\xC2\xA0"
     "b &nbsp; a&nbsp;b",
     NULL,
     "[a\xC2\xA0"
     "b] &nbsp; [a&nbsp;b]"},
    {"composed letters", "\xC3\xA9t\xC3\xA9  2", "e\xCC\x81te\xCC\x81 2", NULL,
     "[e\xCC\x81te\xCC\x81 2]"},
    {"dashes and quotes alone", "-\"", "\xE2\x80\x94' x \xE2\x80\x93\xE2\x80\x9D", NULL,
     "[\xE2\x80\x94'] x [\xE2\x80\x93\xE2\x80\x9D]"},
    {"a byte that is not UTF-8", "gr\xFCn  x", "gr\xFCn x", "[gr\xFCn x]", NULL},
    {"case counts", "Foo  bar", "foo bar", NULL, NULL},
};

static void check_found(const char *what, em_slice text, em_slice find, em_fold fold,
                        const char *wanted)
{
    EM_AUTO(em_arena) arena = {0};
    em_places found;
    assert_int_equal(em_tolerant_find(text, find, EM_LIT("insert"), fold, NULL, &arena, &found),
                     EM_OK);
    char *seen = marked(text, &found, &arena);
    assert_non_null(seen);
    check_bytes(what, em_slice_of(seen), wanted ? em_slice_of(wanted) : text);
    for (size_t i = 0; i < found.count; i++) {
        const em_tolerant_place *place = &found.items[i];
        assert_true(place->score == 1 && place->fold == fold && em_slice_eq(place->find, find));
        assert_true(em_slice_is(place->insert, "insert"));
        for (size_t k = 0; k < place->find_tokens.count; k++)
            assert_true(em_token_same(em_token_bytes(text, place->tokens[k]),
                                      em_token_bytes(find, place->find_tokens.items[k]), fold));
    }
}

static void texts_are_found_in_another_writing(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_slice text = em_slice_of(cases[i].text), find = em_slice_of(cases[i].find);
        check_found(cases[i].what, text, find, NOTHING, cases[i].blanks);
        check_found(cases[i].what, text, find, WRITING,
                    cases[i].writing ? cases[i].writing : cases[i].blanks);
    }
}

static void and_in_another_case(void **state)
{
    (void)state;
    check_found("words", em_slice_of("x FOO(bar)"), em_slice_of("foo( Bar )"), CASE,
                "x [FOO(bar)]");
    check_found("words alone", em_slice_of("x FOO bar"), em_slice_of("foo Bar"), CASE,
                "x [FOO bar]");
}

/* The longest piece stands everywhere, and so do others: a rarer one leads to the place. */
static void a_rare_piece_leads_to_the_place(void **state)
{
    (void)state;
    EM_AUTO(em_strbuf) text = {0};
    EM_AUTO(em_arena) arena = {0};
    for (int i = 0; i < 200; i++)
        em_strbuf_puts(&text, "everywhere often many some few one\n");
    em_strbuf_puts(&text, "everywhere  often many x\n");
    em_places found;
    em_slice find = em_slice_of("everywhere often many x");
    for (int fold = 0; fold < 3; fold++) {
        assert_int_equal(em_tolerant_find(em_strbuf_slice(&text), find, (em_slice){0},
                                          (em_fold)fold, NULL, &arena, &found),
                         EM_OK);
        assert_int_equal(found.count, 1);
    }
    find = em_slice_of("everywhere often many");
    assert_int_equal(em_tolerant_find(em_strbuf_slice(&text), find, (em_slice){0}, NOTHING, NULL,
                                      &arena, &found),
                     EM_OK);
    assert_int_equal(found.count, 201);
    em_occurrences in = {.text = em_strbuf_slice(&text), .arena = &arena};
    for (int again = 0; again < 2; again++) { /* what is known then is not all */
        assert_int_equal(
            em_tolerant_find_in(&in, find, (em_slice){0}, NOTHING, NULL, &arena, &found), EM_OK);
        assert_int_equal(found.count, 201);
        assert_int_equal(em_tolerant_find_in(&in, EM_LIT("\neverywhere"), (em_slice){0}, NOTHING,
                                             NULL, &arena, &found),
                         EM_OK);
        assert_int_equal(found.count, 201);
    }
}

/* More pieces than are kept, of all lengths in any order. */
static void many_pieces(void **state)
{
    (void)state;
    check_found("twelve words", em_slice_of("x a bb ccc dddd eee ff g hhhhh iiii jjj kk l  m"),
                em_slice_of("a bb ccc dddd eee ff  g hhhhh iiii jjj kk l m"), NOTHING,
                "x [a bb ccc dddd eee ff g hhhhh iiii jjj kk l  m]");
}

static void lines_begin_and_end(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t offset;
        bool begins;
        size_t start;
        bool ends;
        size_t end;
    } lines[] = {
        {"", 0, true, 0, true, 0},
        {"ab", 1, false, 1, false, 1},
        {"a  b", 3, false, 1, false, 3},
        {"a \t", 1, false, 1, true, 3},
        {"x\n \ta", 4, true, 2, false, 4},
        {"x\r a \r\n", 3, true, 2, false, 3},
        {"x\r a \r\n", 4, false, 4, true, 5},
        {"a\n", 2, true, 2, true, 2},
    };
    for (size_t i = 0; i < COUNT_OF(lines); i++) {
        size_t start, end;
        em_slice text = em_slice_of(lines[i].text);
        check_size(lines[i].text, em_begins_line(text, lines[i].offset, &start), lines[i].begins);
        check_size(lines[i].text, start, lines[i].start);
        check_size(lines[i].text, em_ends_line(text, lines[i].offset, NOTHING, &end),
                   lines[i].ends);
        check_size(lines[i].text, end, lines[i].end);
    }
}

static void a_passed_deadline_is_a_status(void **state)
{
    (void)state;
    static const char *const finds[] = {"a b", "- '"}; /* with an anchor, and without one */
    EM_AUTO(em_arena) arena = {0};
    for (size_t i = 0; i < 2; i++) {
        em_deadline deadline = {.at = 1, .passed = true};
        em_places found;
        assert_int_equal(em_tolerant_find(EM_LIT("a  b - \""), em_slice_of(finds[i]), (em_slice){0},
                                          WRITING, &deadline, &arena, &found),
                         EM_E_TIMEOUT);
        assert_true(found.count <= 1);
    }
}

/* Pieces that stand at every byte: as signs, within words, at the ends of long gaps. */
static void work_is_counted(void **state)
{
    (void)state;
    enum { SIZE = 1 << 18 };
    static char text[SIZE];
    static const char *const finds[] = {"( (", "x x", "( ( ( ("};
    for (size_t i = 0; i < COUNT_OF(finds); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_deadline deadline = {.at = 1};
        em_places found;
        memset(text, finds[i][0], SIZE);
        if (i == 2)
            memset(text + 4, ' ', SIZE - 4);
        assert_int_equal(em_tolerant_find(em_slice_make(text, SIZE), em_slice_of(finds[i]),
                                          (em_slice){0}, NOTHING, &deadline, &arena, &found),
                         EM_E_TIMEOUT);
        assert_int_equal(found.count, 0);
    }
}

/* ---- Texts that repeat themselves ----------------------------------------------------------- */

/* `count` words out of few, with gaps out of few: mostly the same ones again. */
static em_slice repetitive(uint32_t *seed, size_t count, const char *rare, em_arena *arena)
{
    static const char *const words[] = {"ab", "ab", "ab", "ab", "(", "\xE2\x80\x94", "--"};
    static const char *const gaps[] = {" ", "  ", "\t", "\n"};
    EM_AUTO(em_strbuf) out = {0};
    for (size_t i = 0; i < count; i++) {
        *seed = *seed * 1664525 + 1013904223;
        bool other = (*seed >> 24) % 64 == 0;
        em_strbuf_add(&out, em_slice_of(other ? words[(*seed >> 8) % COUNT_OF(words)] : "ab"));
        em_strbuf_add(&out, em_slice_of(other ? gaps[(*seed >> 16) % COUNT_OF(gaps)] : " "));
    }
    em_strbuf_add(&out, em_slice_of(rare));
    return em_slice_make(em_strbuf_finish(&out, arena), out.len);
}

static bool same_at(em_slice text, const em_token *seen, em_slice find, em_tokens wanted,
                    em_fold fold)
{
    for (size_t i = 0; i < wanted.count; i++) {
        if (!em_token_same(em_token_bytes(find, wanted.items[i]), em_token_bytes(text, seen[i]),
                           fold))
            return false;
        if (i > 0 && fold == EM_FOLD_NOTHING &&
            em_gap_of(em_slice_sub(find, wanted.items[i - 1].end, wanted.items[i].start)) !=
                em_gap_of(em_slice_sub(text, seen[i - 1].end, seen[i].start)))
            return false;
    }
    return fold == EM_FOLD_NOTHING ||
           em_gaps_mean_the_same((em_tokened_text){text, seen},
                                 (em_tokened_text){find, wanted.items}, wanted.count);
}

/* Too simple to be wrong: every token is tried as the first one. */
static void check_places(em_slice text, em_slice find, em_fold fold, em_arena *arena)
{
    em_tokens seen, wanted;
    em_places found;
    size_t next = 0, count = 0;
    assert_int_equal(em_tokens_of(text, fold, arena, &seen), EM_OK);
    assert_int_equal(em_tokens_of(find, fold, arena, &wanted), EM_OK);
    assert_int_equal(em_tolerant_find(text, find, (em_slice){0}, fold, NULL, arena, &found), EM_OK);
    for (size_t i = 0; i + wanted.count <= seen.count; i++) {
        if (i < next || !same_at(text, seen.items + i, find, wanted, fold))
            continue;
        assert_true(count < found.count);
        assert_memory_equal(found.items[count++].tokens, seen.items + i,
                            wanted.count * sizeof *seen.items);
        next = i + wanted.count;
    }
    assert_int_equal(found.count, count);
}

static void a_text_that_repeats_itself(void **state)
{
    (void)state;
    uint32_t seed = 1;
    for (size_t i = 0; i < 40; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice text = repetitive(&seed, 2000, "end", &arena);
        size_t from = 100 * (i % 7), to = from + 3 * (50 + 20 * (i % 5));
        em_slice cut = em_slice_sub(text, from, to);
        while (cut.len > 0 && !em_token_border(text, to, WRITING))
            cut = em_slice_sub(text, from, --to);
        em_slice find = i % 2 ? cut : repetitive(&seed, 10 + 10 * (i % 9), "ab", &arena);
        if (!em_token_border(text, from, WRITING) || strchr(" \t\n", find.ptr[0]))
            continue;
        while (strchr(" \t\n", find.ptr[find.len - 1]))
            find.len--;
        check_places(text, find, NOTHING, &arena);
        check_places(text, find, WRITING, &arena);
    }
}

static em_slice repeated(const char *line, size_t count, const char *last, em_arena *arena)
{
    EM_AUTO(em_strbuf) out = {0};
    for (size_t i = 0; i < count; i++)
        em_strbuf_add(&out, em_slice_of(line));
    em_strbuf_add(&out, em_slice_of(last));
    return em_slice_make(em_strbuf_finish(&out, arena), out.len);
}

/* A search text of 20,000 lines that stands, or almost stands, everywhere in 100,000. With every
 * place compared by itself this would be ten thousand million tokens. */
static void almost_everywhere(void **state)
{
    (void)state;
    enum { LINES = 100000, WANTED = 20000 };
    static const struct {
        const char *last;
        size_t places;
    } finds[] = {{"f( a,  b );\n", LINES / (WANTED + 1)}, {"f( a,  c );\n", 0}};
    const em_fold folds[] = {NOTHING, WRITING};
    for (size_t i = 0; i < 4; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_deadline deadline = em_deadline_in(60000);
        em_places found;
        em_slice text = repeated("\tf( a, b );\n", LINES, "", &arena);
        em_slice find = repeated("f( a,  b );\n", WANTED, finds[i / 2].last, &arena);
        assert_int_equal(
            em_tolerant_find(text, find, (em_slice){0}, folds[i % 2], &deadline, &arena, &found),
            EM_OK);
        assert_int_equal(found.count, finds[i / 2].places);
    }
}

/* A long dash is one hyphen, and two, which are not alike: of what repeats itself in the search
 * text it tells nothing, so every place is compared by itself. */
static void dashes_of_two_kinds_are_not_read_in_one_go(void **state)
{
    (void)state;
    enum { HALF = 250 };
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) find = {0};
    em_deadline deadline = em_deadline_in(60000);
    em_places found;
    em_slice text = repeated("a \xE2\x80\x94 ", 4 * HALF + 1, "b", &arena);
    em_strbuf_add(&find, repeated("a - ", HALF, "", &arena));
    em_strbuf_add(&find, repeated("a -- ", HALF, "b", &arena));
    text = repeated("b ", 12 * HALF, text.ptr, &arena);
    assert_int_equal(em_tolerant_find(text, em_strbuf_slice(&find), (em_slice){0}, WRITING,
                                      &deadline, &arena, &found),
                     EM_OK);
    assert_int_equal(found.count, 1);
}

static em_status find_often(em_arena *arena, const void *context)
{
    em_places found;
    em_slice text = em_slice_of("a  b, a  b, a  b, a  b, a  b, a  b, a  b, a  b, a  b, a  b, a  b");
    return em_tolerant_find(text, em_slice_of("a b"), (em_slice){0}, *(const em_fold *)context,
                            NULL, arena, &found);
}

static em_status find_in_one_go(em_arena *arena, const void *context)
{
    static char text[3000], find[1000];
    em_places found;
    (void)context;
    for (size_t i = 0; i < sizeof text; i++)
        text[i] = "a "[i % 2];
    memcpy(find, text, sizeof find);
    find[sizeof find - 2] = 'b';
    return em_tolerant_find(em_slice_make(text, sizeof text), em_slice_make(find, sizeof find - 1),
                            (em_slice){0}, WRITING, NULL, arena, &found);
}

static em_status find_dashes(em_arena *arena, const void *context)
{
    em_places found;
    (void)context;
    return em_tolerant_find(em_slice_of("\xE2\x80\x94 -- - --- \xE2\x80\x94 -- - ---"),
                            em_slice_of("- - -"), (em_slice){0}, WRITING, NULL, arena, &found);
}

static void memory_that_runs_out_is_a_status(void **state)
{
    (void)state;
    check_scarce("blanks", find_often, &NOTHING);
    check_scarce("writing", find_often, &WRITING);
    check_scarce("dashes", find_dashes, NULL);
    check_scarce("in one go", find_in_one_go, NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_are_found_in_another_writing),
        cmocka_unit_test(and_in_another_case),
        cmocka_unit_test(a_rare_piece_leads_to_the_place),
        cmocka_unit_test(many_pieces),
        cmocka_unit_test(lines_begin_and_end),
        cmocka_unit_test(a_passed_deadline_is_a_status),
        cmocka_unit_test(work_is_counted),
        cmocka_unit_test(a_text_that_repeats_itself),
        cmocka_unit_test(almost_everywhere),
        cmocka_unit_test(dashes_of_two_kinds_are_not_read_in_one_go),
        cmocka_unit_test(memory_that_runs_out_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

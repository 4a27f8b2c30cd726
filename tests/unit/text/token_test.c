#include "text/token.h"

#include "base/strbuf.h"

#include <stdio.h>

#include "../with_cmocka.h"

#include "base/utf8.h"
#include "failing_malloc.h"
#include "random.h"

static const em_fold folds[] = {EM_FOLD_NOTHING, EM_FOLD_WRITING, EM_FOLD_CASE};

/* ---- What a token is ------------------------------------------------------------------------ */

/* The tokens, a `|` between them; read forwards. */
static void forwards(em_slice text, em_fold fold, char *out, size_t size)
{
    em_token token;
    size_t at = 0;
    for (size_t from = 0; em_token_next(text, from, fold, &token); from = token.end)
        at += (size_t)snprintf(out + at, size - at, "%s%.*s", at > 0 ? "|" : "",
                               (int)(token.end - token.start), text.ptr + token.start);
    out[at] = '\0';
}

static const struct {
    const char *text;
    const char *literal, *overlooked; /* its tokens by EM_FOLD_NOTHING, and by EM_FOLD_WRITING */
} texts[] = {
    {"", "", ""},
    {" \t\r\n\v\f", "", ""},
    {"int x_1 = 2;", "int|x_1|=|2|;", "int|x_1|=|2|;"},
    {"a--b - c...d.e", "a|--|b|-|c|...|d|.|e", "a|--|b|-|c|...|d|.|e"},
    {"((==", "(|(|=|=", "(|(|=|="},
    {"-.-", "-|.|-", "-|.|-"},
    /* letters, marks and digits of any script */
    {"\xC3\xA9t\xC3\xA9 e\xCC\x81", "\xC3\xA9t\xC3\xA9|e\xCC\x81", "\xC3\xA9t\xC3\xA9|e\xCC\x81"},
    {"\xE6\xBC\xA2\xE5\xAD\x97(x)", "\xE6\xBC\xA2\xE5\xAD\x97|(|x|)",
     "\xE6\xBC\xA2\xE5\xAD\x97|(|x|)"},
    {"\xD9\xA3\xE2\x85\xA7\xC2\xBD", "\xD9\xA3\xE2\x85\xA7\xC2\xBD",
     "\xD9\xA3\xE2\x85\xA7\xC2\xBD"},
    /* signs beyond ASCII stand alone */
    {"\xE2\x80\x9Chi\xE2\x80\x9D", "\xE2\x80\x9C|hi|\xE2\x80\x9D", "\xE2\x80\x9C|hi|\xE2\x80\x9D"},
    {"a\xE2\x80\x94\xE2\x80\x94z", "a|\xE2\x80\x94|\xE2\x80\x94|z",
     "a|\xE2\x80\x94|\xE2\x80\x94|z"},
    {"\xF0\x9F\x98\x80x", "\xF0\x9F\x98\x80|x", "\xF0\x9F\x98\x80|x"},
    /* what is not UTF-8 is a letter */
    {"gr\xFCn \xFF\xC3", "gr\xFCn|\xFF\xC3", "gr\xFCn|\xFF\xC3"},
    /* spaces that are no ASCII, and what has no width */
    {"a\xC2\xA0z", "a|\xC2\xA0|z", "a|z"},
    {"a\xE2\x80\x8B\xEF\xBB\xBFz", "a|\xE2\x80\x8B|\xEF\xBB\xBF|z", "a|z"},
    {"a\xE2\x80\xA8z", "a|\xE2\x80\xA8|z", "a|z"},
    /* entities */
    {"&lt;b&gt;&amp;&quot;&#39;&apos;&#x27;&#34;&#x22;",
     "&|lt|;|b|&|gt|;|&|amp|;|&|quot|;|&|#|39|;|&|apos|;|&|#|x27|;|&|#|34|;|&|#|x22|;",
     "&lt;|b|&gt;|&amp;|&quot;|&#39;|&apos;|&#x27;|&#34;|&#x22;"},
    {"&amp;lt;", "&|amp|;|lt|;", "&amp;|lt|;"},
    {"&&lt;;", "&|&|lt|;|;", "&|&lt;|;"},
    {"&ltx; &l", "&|ltx|;|&|l", "&|ltx|;|&|l"},
    {"a&b;", "a|&|b|;", "a|&|b|;"},
    {"a&nbsp;&#160;&#xa0;z", "a|&|nbsp|;|&|#|160|;|&|#|xa0|;|z", "a|z"},
    {"&hellip;&#8212;&#x2019;", "&|hellip|;|&|#|8212|;|&|#|x2019|;", "&hellip;|&#8212;|&#x2019;"},
    {"&#65;&#;&#x;&#g;&#x110000;", "&|#|65|;|&|#|;|&|#|x|;|&|#|g|;|&|#|x110000|;",
     "&|#|65|;|&|#|;|&|#|x|;|&|#|g|;|&|#|x110000|;"}, /* a letter, and what is none */
    {"&#39", "&|#|39", "&|#|39"},
    /* what is no digit, but would be one with another bit */
    {"&#\x13\x19;", "&|#|\x13|\x19|;", "&|#|\x13|\x19|;"},
};

static void texts_fall_into_words_and_signs(void **state)
{
    (void)state;
    char out[500];
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++) {
        forwards(em_slice_of(texts[i].text), EM_FOLD_NOTHING, out, sizeof out);
        assert_string_equal(out, texts[i].literal);
        forwards(em_slice_of(texts[i].text), EM_FOLD_WRITING, out, sizeof out);
        assert_string_equal(out, texts[i].overlooked);
    }
}

/* ---- Backwards as forwards ------------------------------------------------------------------ */

static void report(const char *what, em_slice text, em_fold fold, size_t at)
{
    print_error("%s at %zu with fold %d of [", what, at, (int)fold);
    for (size_t i = 0; i < text.len; i++)
        print_error("%02X ", (unsigned)(unsigned char)text.ptr[i]);
    print_error("]\n");
    fail();
}

/* The offsets where a code point starts, and the end. */
static bool starts_code_point(em_slice text, size_t offset)
{
    size_t at = 0;
    while (at < offset)
        em_utf8_next(text, &at);
    return at == offset;
}

/* A border is where reading may begin: no place inside a token is one, and from every one the same
 * token comes next. (Only inside the entity of a blank there is a gap that is no border.) */
static void check_borders(em_slice text, em_fold fold, em_tokens tokens)
{
    size_t next = 0;
    bool entities = em_slice_has_byte(text, '&');
    for (size_t at = 0; at <= text.len; at++) {
        while (next < tokens.count && tokens.items[next].end <= at)
            next++;
        bool inside = next < tokens.count && tokens.items[next].start < at;
        if (!starts_code_point(text, at))
            continue;
        bool border = em_token_border(text, at, fold);
        em_token token = {0};
        bool more = em_token_next(text, at, fold, &token);
        if (border == inside && (border || !entities))
            report("border", text, fold, at);
        if (border &&
            (more != (next < tokens.count) || (more && token.end != tokens.items[next].end)))
            report("reading from the border", text, fold, at);
    }
}

static void check_both_ways(em_slice text, em_fold fold)
{
    EM_AUTO(em_arena) arena = {0};
    em_tokens tokens;
    em_token token;
    assert_int_equal(em_tokens_of(text, fold, &arena, &tokens), EM_OK);
    size_t until = text.len, last = 0;
    for (size_t i = tokens.count; i-- > 0; until = token.start) {
        if (!em_token_previous(text, until, fold, &token) || token.start != tokens.items[i].start ||
            token.end != tokens.items[i].end)
            report("backwards", text, fold, until);
    }
    assert_false(em_token_previous(text, until, fold, &token));
    for (size_t i = 0; i < tokens.count; last = tokens.items[i++].end) {
        assert_true(tokens.items[i].start >= last && tokens.items[i].end > tokens.items[i].start);
        assert_true(em_token_next(text, last, fold, &token));
        assert_int_equal(token.end, tokens.items[i].end);
    }
    check_borders(text, fold, tokens);
}

static void known_texts_read_the_same_backwards(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        for (size_t f = 0; f < 3; f++)
            check_both_ways(em_slice_of(texts[i].text), folds[f]);
}

static void random_texts_read_the_same_backwards(void **state)
{
    (void)state;
    static const char *const parts[] = {"a",           "Z_9",
                                        "-",           "--",
                                        "..",          "&",
                                        "lt;",         "&lt;",
                                        "&amp;",       "&#x27;",
                                        "&#3",         "&nbsp;",
                                        "&hellip;",    "&#160;",
                                        "&#65;",       ";",
                                        " ",           "\r\n",
                                        "\xC2\xA0",    "\xC3",
                                        "\xA9",        "\xFF",
                                        "\xC3\xA9",    "\xE2\x80\x9C",
                                        "\xE2\x80",    "\xF0\x9F\x98\x80",
                                        "\xCC\x81",    "(",
                                        "\xE2\x80\x8B"};
    random_state r = {11};
    for (size_t round = 0; round < 20000; round++) {
        char bytes[200];
        size_t length = 0;
        for (size_t i = random_below(&r, 16); i > 0; i--) {
            const char *part = RANDOM_OF(&r, parts);
            memcpy(bytes + length, part, strlen(part));
            length += strlen(part);
        }
        check_both_ways(em_slice_make(bytes, length), folds[round % 3]);
    }
}

static void random_bytes_read_the_same_backwards(void **state)
{
    (void)state;
    random_state r = {12};
    for (size_t round = 0; round < 20000; round++) {
        char bytes[24];
        size_t length = random_below(&r, sizeof bytes);
        for (size_t i = 0; i < length;
             i++) /* mostly such as make up code points of several bytes */
            bytes[i] = (char)(random_below(&r, 4) > 0 ? 0x80 + random_below(&r, 0x80)
                                                      : random_below(&r, 0x80));
        check_both_ways(em_slice_make(bytes, length), folds[round % 3]);
    }
}

/* A word does not end at a place that is asked about alone, before the text or behind it. */
static void blanks_end_with_their_line(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t literal, overlooked;
    } cases[] = {
        {"", 0, 0},         {"a", 0, 0},           {" \t\v\fa", 4, 4},
        {" \t", 2, 2},      {" \r\n", 1, 1},       {" \n ", 1, 1},
        {" &nbsp;&", 1, 7}, {" \xC2\xA0 b", 1, 4}, {"\xEF\xBB\xBF\n", 0, 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        em_slice text = em_slice_of(cases[i].text);
        assert_int_equal(em_line_blanks_end(text, 0, EM_FOLD_NOTHING), cases[i].literal);
        assert_int_equal(em_line_blanks_end(text, 0, EM_FOLD_WRITING), cases[i].overlooked);
    }
}

static void the_ends_of_a_text_are_borders(void **state)
{
    (void)state;
    assert_true(em_token_border(EM_LIT("ab"), 0, EM_FOLD_NOTHING));
    assert_false(em_token_border(EM_LIT("ab"), 1, EM_FOLD_NOTHING));
    assert_true(em_token_border(EM_LIT("ab"), 2, EM_FOLD_NOTHING));
    assert_true(em_token_border(EM_LIT("ab"), 9, EM_FOLD_NOTHING));
    assert_true(em_token_border((em_slice){0}, 0, EM_FOLD_WRITING));
    em_token token;
    assert_false(em_token_next((em_slice){0}, 0, EM_FOLD_WRITING, &token));
    assert_false(em_token_previous((em_slice){0}, 0, EM_FOLD_WRITING, &token));
}

/* ---- Equal tokens --------------------------------------------------------------------------- */

static const struct {
    const char *a, *b;
    int from; /* the least fold that makes them equal; 3: none */
} pairs[] = {
    {"word", "word", 0},
    {"word", "Word", 2},
    {"word", "w0rd", 3},
    {"word", "words", 3},
    {"7", "07", 3},
    {"(", "[", 3},
    {"word", "(", 3},
    /* quotes of any style, single and double alike; not the backtick, which is code */
    {"'", "\"", 1},
    {"'", "\xE2\x80\x99", 1},
    {"\"", "\xE2\x80\x9C", 1},
    {"\xE2\x80\x9C", "\xE2\x80\x9D", 1},
    {"'", "\xE2\x80\xB2", 1},
    {"\"", "\xE2\x80\xB3", 1},
    {"'", "`", 3},
    /* dashes; hyphens by their number */
    {"-", "\xE2\x80\x93", 1},
    {"--", "\xE2\x80\x94", 1},
    {"---", "\xE2\x80\x94", 1},
    {"----", "\xE2\x80\x94", 3},
    {"\xE2\x88\x92", "\xE2\x80\x90", 1},
    {"-", "--", 3},
    {"+", "\xE2\x80\x93", 3},
    /* ellipses */
    {"...", "\xE2\x80\xA6", 1},
    {"..", "\xE2\x80\xA6", 3},
    {"....", "\xE2\x80\xA6", 3},
    {"...", "....", 3},
    /* entities */
    {"&lt;", "<", 1},
    {"&gt;", ">", 1},
    {"&amp;", "&", 1},
    {"&lt;", ">", 3},
    {"&quot;", "\"", 1},
    {"&#39;", "\xE2\x80\x98", 1},
    {"&quot;", "&#x27;", 1},
    {"&#39;", "&apos;", 1},
    {"&lt;", "&gt;", 3},
    {"&hellip;", "...", 1},
    {"&mdash;", "--", 1},
    {"&#8212;", "\xE2\x80\x94", 1},
    {"&copy;", "\xC2\xA9", 1},
    /* composed and decomposed letters, and case beyond ASCII */
    {"\xC3\xA9t\xC3\xA9", "e\xCC\x81te\xCC\x81", 1},
    {"\xC3\xA9t\xC3\xA9", "\xC3\x89T\xC3\x89", 2},
    {"\xC3\xA9", "e", 3},
    {"stra\xC3\x9F"
     "e",
     "STRASSE", 2},
    /* not UTF-8: equal to itself only */
    {"\xFF", "\xFF", 0},
    {"\xFF", "\xFE", 3},
    {"a\xFF", "A\xFF", 3},
};

static void tokens_are_equal_as_far_as_the_fold_cares(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++)
        for (int f = 0; f < 3; f++) {
            em_slice a = em_slice_of(pairs[i].a), b = em_slice_of(pairs[i].b);
            bool same = em_token_same(a, b, folds[f]);
            if (same != (f >= pairs[i].from) || same != em_token_same(b, a, folds[f]))
                report(pairs[i].a, b, folds[f], i);
        }
}

/* An `e` with so many acute accents and dots below, one after the other, in either order. */
static em_slice with_marks(size_t count, bool dots_first, em_arena *arena)
{
    EM_AUTO(em_strbuf) out = {0};
    em_strbuf_putc(&out, 'e');
    for (size_t i = 0; i < count; i++)
        em_strbuf_add(&out, i % 2 == dots_first ? EM_LIT("\xCC\x81") : EM_LIT("\xCC\xA3"));
    return em_slice_make(em_strbuf_finish(&out, arena), out.len);
}

/* To order them takes the square of their number, so more of them than texts have are not. */
static void marks_are_ordered_where_they_are_few(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    static const struct {
        size_t marks;
        bool same;
    } words[] = {{2, true}, {30, true}, {32, false}, {1000000, false}};
    for (size_t i = 0; i < sizeof words / sizeof *words; i++) {
        em_slice a = with_marks(words[i].marks, false, &arena);
        em_slice b = with_marks(words[i].marks, true, &arena);
        assert_int_equal(em_token_same(a, b, EM_FOLD_WRITING), words[i].same);
        assert_int_equal(em_token_same(b, a, EM_FOLD_CASE), words[i].same);
        assert_true(em_token_same(a, a, EM_FOLD_WRITING));
    }
}

static const struct {
    const char *token;
    bool word, quote;
    const char *plain;
} kinds[] = {
    {"word", true, false, "word"},
    {"\xC3\xA9", true, false, "\xC3\xA9"},
    {"\xFF", true, false, "\xFF"},
    {"_", true, false, "_"},
    {"7", true, false, "7"},
    {"(", false, false, "("},
    {"--", false, false, "--"},
    {"'", false, true, "'"},
    {"\"", false, true, "\""},
    {"\xE2\x80\x98", false, true, "'"},
    {"\xE2\x80\x9D", false, true, "\""},
    {"\xE2\x80\xB2", false, true, "'"},
    {"\xE2\x80\xB3", false, true, "\""},
    {"&lt;", false, false, "<"},
    {"&gt;", false, false, ">"},
    {"&amp;", false, false, "&"},
    {"&quot;", false, true, "\""},
    {"&#39;", false, true, "'"},
    {"\xE2\x80\x94", false, false, "\xE2\x80\x94"},
};

static void tokens_tell_what_they_are(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
        em_slice token = em_slice_of(kinds[i].token);
        assert_int_equal(em_token_is_word(token), kinds[i].word);
        assert_int_equal(em_token_is_quote(token), kinds[i].quote);
        em_slice plain = em_token_plain(token);
        if (!em_slice_is(plain, kinds[i].plain))
            report(kinds[i].token, plain, EM_FOLD_WRITING, i);
    }
    assert_false(em_token_is_word((em_slice){0}));
}

/* ---- Gaps ----------------------------------------------------------------------------------- */

static const struct {
    const char *gap;
    em_gap is;
    const char *trail, *breaks, *indent;
    size_t endings;
} gaps[] = {
    {"", EM_GAP_NONE, "", "", "", 0},
    {" \t", EM_GAP_BLANK, " \t", "", "", 0},
    {"\n", EM_GAP_BREAK, "", "\n", "", 1},
    {" \r\n\t", EM_GAP_BREAK, " ", "\r\n", "\t", 1},
    {"\r", EM_GAP_BREAK, "", "\r", "", 1},
    {"\r\r\n\n", EM_GAP_BREAK, "", "\r\r\n\n", "", 3},
    {" \n  \n   ", EM_GAP_BREAK, " ", "\n  \n", "   ", 2},
};

static void gaps_have_parts(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof gaps / sizeof *gaps; i++) {
        em_slice gap = em_slice_of(gaps[i].gap);
        em_gap_parts parts = em_gap_split(gap);
        assert_int_equal(em_gap_of(gap), gaps[i].is);
        assert_true(em_slice_is(parts.trail, gaps[i].trail));
        assert_true(em_slice_is(parts.breaks, gaps[i].breaks));
        assert_true(em_slice_is(parts.indent, gaps[i].indent));
        assert_int_equal(em_gap_breaks(gap), gaps[i].endings);
    }
}

/* ---- Memory --------------------------------------------------------------------------------- */

static void memory_that_runs_out_is_a_status(void **state)
{
    (void)state;
    static char many[40000];
    memset(many, '(', sizeof many);
    em_status status = EM_E_NOMEM;
    long failures = 0;
    for (; status != EM_OK; failures++) {
        EM_AUTO(em_arena) arena = {0};
        em_tokens tokens;
        mallocs_left = failures;
        status = em_tokens_of(em_slice_make(many, sizeof many), EM_FOLD_NOTHING, &arena, &tokens);
        mallocs_left = -1;
        assert_true(status == EM_E_NOMEM || tokens.count == sizeof many);
    }
    assert_true(failures > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_fall_into_words_and_signs),
        cmocka_unit_test(known_texts_read_the_same_backwards),
        cmocka_unit_test(random_texts_read_the_same_backwards),
        cmocka_unit_test(random_bytes_read_the_same_backwards),
        cmocka_unit_test(the_ends_of_a_text_are_borders),
        cmocka_unit_test(blanks_end_with_their_line),
        cmocka_unit_test(tokens_are_equal_as_far_as_the_fold_cares),
        cmocka_unit_test(marks_are_ordered_where_they_are_few),
        cmocka_unit_test(tokens_tell_what_they_are),
        cmocka_unit_test(gaps_have_parts),
        cmocka_unit_test(memory_that_runs_out_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

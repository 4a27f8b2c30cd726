#include "edit/regex.h"

#include "base/strbuf.h"
#include "base/utf8.h"
#include "check_texts.h"
#include "edit/plan.h"

#include <time.h>

static const struct {
    const char *what, *text, *pattern, *replacement;
    em_encoding encoding;
    em_status status;
    size_t count;
    const char *first; /* what the template becomes at the first place */
    size_t start, end;
} cases[] = {
    {"plain", "a b a", "a", "x", EM_UTF8, EM_OK, 2, "x", 0, 1},
    {"groups", "v1.2", "v(\\d)\\.(\\d)", "$2-$1", EM_UTF8, EM_OK, 1, "2-1", 0, 4},
    {"named", "key=val", "(?<k>\\w+)=", "${k}: ", EM_UTF8, EM_OK, 1, "key: ", 0, 4},
    {"a dollar", "a", "a", "$$1", EM_UTF8, EM_OK, 1, "$1", 0, 1},
    {"longer than the match", "a", "a", "0123456789012345678901234567890123456789", EM_UTF8, EM_OK,
     1, "0123456789012345678901234567890123456789", 0, 1},
    {"every line, CRLF too", "a\r\nb\r\n", "\\w$", "x", EM_UTF8, EM_OK, 2, "x", 0, 1},
    {"no line ending for a dot", "a\r\nb", "a.*", "x", EM_UTF8, EM_OK, 1, "x", 0, 1},
    {"empty matches go on",
     "\xC3\xA9"
     "b",
     "x*", "-", EM_UTF8, EM_OK, 3, "-", 0, 0},
    {"code points", "\xC3\xA9", "^.$", "x", EM_UTF8, EM_OK, 1, "x", 0, 2},
    {"bytes of an unknown encoding", "\xE9", "^.$", "x", EM_BYTES, EM_OK, 1, "x", 0, 1},
    {"deletion", "abc", "b", "", EM_UTF8, EM_OK, 1, "", 1, 2},
    {"not there", "abc", "z", "", EM_UTF8, EM_OK, 0, "", 0, 0},
    {"an empty text", "", "^$", "x", EM_UTF8, EM_OK, 1, "x", 0, 0},
    {"malformed pattern", "a", "(", "x", EM_UTF8, EM_E_INVALID, 0, "", 0, 0},
    {"malformed template", "a", "a", "${", EM_UTF8, EM_E_INVALID, 0, "", 0, 0},
    {"no escape in an alternative", "a", "(a)", "${1:+\\3}", EM_UTF8, EM_E_INVALID, 0, "", 0, 0},
    {"a part of a character", "\xC3\xA9", "\\C", "x", EM_UTF8, EM_E_INVALID, 0, "", 0, 0},
    {"no such group", "a", "a", "$7", EM_UTF8, EM_E_INVALID, 0, "", 0, 0},
    {"where the last match ended", "aab a", "\\Ga", "x", EM_UTF8, EM_OK, 2, "x", 0, 1},
    {"a verb that gives all up", "ab ac", "a(*COMMIT)c", "x", EM_UTF8, EM_OK, 0, "", 0, 0},
    {"a verb that passes over", "aab", "a+(*SKIP)c|b", "x", EM_UTF8, EM_OK, 1, "x", 2, 3},
    {"a verb that comes first", "ab", "(*ACCEPT)|b", "x", EM_UTF8, EM_OK, 4, "x", 0, 0},
    {"empty matches behind each other", "xxxx", "x\\K", "y", EM_UTF8, EM_OK, 4, "y", 1, 1},
    {"an empty match, and one that is not", "xx", "x*?", "-", EM_UTF8, EM_OK, 5, "-", 0, 0},
    {"... behind what was passed over", "xxa", "x\\Ka?", "-", EM_UTF8, EM_OK, 2, "-", 1, 1},
    {"an empty match before a CRLF", "x\r\nx\n", "x*?$", "-", EM_UTF8, EM_OK, 5, "-", 0, 1},
    {"settings", "A\nb", "(*UTF)(*LIMIT_MATCH=1000)(?i)a", "x", EM_UTF8, EM_OK, 1, "x", 0, 1},
    {"a pattern within itself", "(())", "\\((?R)*\\)", "x", EM_UTF8, EM_OK, 1, "x", 0, 4},
    {"a quantifier of nothing", "a", "*a", "x", EM_UTF8, EM_E_INVALID, 0, "", 0, 0},
};

/* Of UTF-8, without a deadline. */
static em_regex_search all_of(const em_draft *draft, const char *pattern, const char *replacement)
{
    return (em_regex_search){.draft = draft,
                             .part = {0, draft->length},
                             .encoding = EM_UTF8,
                             .pattern = em_slice_of(pattern),
                             .replacement = em_slice_of(replacement),
                             .most = SIZE_MAX};
}

static void each_pattern_is_located(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        em_regex_matches found;
        em_error err = EM_ERROR_INIT;
        assert_int_equal(em_draft_init(&draft, em_slice_of(cases[i].text), 0), EM_OK);
        em_regex_search search = all_of(&draft, cases[i].pattern, cases[i].replacement);
        search.encoding = cases[i].encoding;
        em_status status = em_regex_locate(&search, &arena, &found, &err);
        check_size(cases[i].what, status, cases[i].status);
        check_size(cases[i].what, err.code, cases[i].status);
        check_size(cases[i].what, found.places.spans.count, cases[i].count);
        if (found.places.spans.count == 0)
            continue;
        check_bytes(cases[i].what, found.inserts[0], em_slice_of(cases[i].first));
        check_size(cases[i].what, found.places.spans.items[0].start, cases[i].start);
        check_size(cases[i].what, found.places.spans.items[0].end, cases[i].end);
    }
}

/* What a text becomes when every place is replaced. */
static const struct {
    const char *what, *text, *pattern, *replacement, *want;
    size_t start, end; /* of the part; 0, 0: all of it */
} laid[] = {
    /* in LFs */
    {"the end of a text is the end of a line", "a\nb\n", "$", ";", "a;\nb;\n;", 0, 0},
    {"the end of a text begins no line", "a\nb\n", "^", "-", "-a\n-b\n", 0, 0},
    {"a CR that is written", "a\nb\n", "\\n", "\\r\\n", "a\r\nb\r\n", 0, 0},
    {"a CR is written into a text that has none", "a\nb", "a", "$0\\r", "a\r\nb", 0, 0},
    {"a group that is not set is empty", "ab", "(a)|(b)", "[$1$2]", "[a][b]", 0, 0},
    {"of no line", "", "x*", "-", "-", 0, 0},
    {"bytes of an unknown encoding, one by one", "\xE9\x80", "x*", "-", "-\xE9-\x80-", 0, 0},
    /* in CRLFs */
    {"CRLF: ends of lines", "a\r\nb\r\n", "$", ";", "a;\r\nb;\r\n;", 0, 0},
    {"CRLF: starts of lines", "a\r\nb\r\n", "^", "-", "-a\r\n-b\r\n", 0, 0},
    {"CRLF: an empty line", "a\r\n\r\nb\r\n", "^$", "x", "a\r\nx\r\nb\r\n", 0, 0},
    {"CRLF: an empty line goes", "a\r\n\r\nb\r\n", "^\\n", "", "a\r\nb\r\n", 0, 0},
    {"CRLF: trailing blanks", "a \r\nb\t\r\n", "[ \\t]+$", "", "a\r\nb\r\n", 0, 0},
    {"CRLF: perhaps trailing blanks", "a \r\nb", "[ \\t]*$", ";", "a;;\r\nb;", 0, 0},
    {"CRLF: blanks at the end", "a\r\nb\r\n", "\\s*$", "", "a\r\nb", 0, 0},
    {"CRLF: nothing, everywhere", "a\r\nb", "x*", "-", "-a-\r\n-b-", 0, 0},
    {"CRLF: an escaped LF", "a\r\nb\r\n", "a\\nb", "x\\ny", "x\r\ny\r\n", 0, 0},
    {"CRLF: a real LF", "a\r\nb\r\n", "a\nb", "x\ny", "x\r\ny\r\n", 0, 0},
    {"CRLF: any ending", "a\r\nb\r\n", "\\R", ",", "a,b,", 0, 0},
    {"CRLF: any character", "a\r\nb", "(?s).", ".", "...", 0, 0},
    {"CRLF: none but this", "a\r\nb,c\r\n", "[^,]+", "x", "x,x", 0, 0},
    {"CRLF: a group with an ending", "a\r\nb\r\n", "(a\\n)(b)", "$2\\n$1", "b\r\na\r\n\r\n", 0, 0},
    {"CRLF: a CR of the template stays", "a\r\nb", "(a\\n)b", "$1\\r-\\r\\n", "a\r\n\r-\r\n", 0, 0},
    {"CRLF: one line alone", "a\r\n", "^a$", "b", "b\r\n", 0, 0},
    {"CRLF: a pattern of CR", "a\r\nb\r\n", "\\r", "", "a\nb\n", 0, 0},
    {"CRLF: a pattern of CRLF", "a\r\nb\r\n", "\\r\\n", "|", "a|b|", 0, 0},
    {"CRLF: a pattern of lines that says CR", "a\r\nb\r\n", "(*CRLF)^b", "c", "a\r\nc\r\n", 0, 0},
    {"CRLF: all CRs in front of LFs", "a\r\nb", "\\x0D(?=\\n)", "", "a\nb", 0, 0},
    {"CRLF: empty with a CR in the pattern", "a\r\nb", "\\r{9}|x*", "-", "-a-\r\n-b-", 0, 0},
    /* in CRs */
    {"CR: ends of lines", "a\rb\r", "$", ";", "a;\rb;\r;", 0, 0},
    {"CR: an LF", "a\rb\r", "a\\nb", "x\\ny\\nz", "x\ry\rz\r", 0, 0},
    {"CR: a group with an ending", "a\rb\r", "(a\n)(b)", "$2$1", "ba\r\r", 0, 0},
    {"CR: a pattern of CR", "a\rb\r", "\\r", "\\r\\r", "a\r\rb\r\r", 0, 0},
    /* in several */
    {"mixed: ends of lines", "a\r\nb\nc\rd", "$", ";", "a;\r\nb;\nc;\rd;", 0, 0},
    {"mixed: starts of lines", "a\r\nb\nc\rd", "^", "-", "-a\r\n-b\n-c\r-d", 0, 0},
    {"mixed: trailing blanks", "a \r\nb \n", "\\h+$", "", "a\r\nb\n", 0, 0},
    {"mixed: nothing, everywhere", "a\r\nb\n", "x*", "-", "-a-\r\n-b-\n-", 0, 0},
    {"mixed: any ending", "a\r\nb\n", "\\R", ",", "a,b,", 0, 0},
    {"mixed: an ending with or without CR", "a\r\nb\n", "\\r?\\n", ",", "a,b,", 0, 0},
    {"mixed: an LF that is one", "a\r\nb\nc", "b\\nc", "x", "a\r\nx", 0, 0},
    {"mixed: an LF alone", "a\r\nb\nc", "(?<!\\r)\\n", "\\r\\n", "a\r\nb\r\nc", 0, 0},
    {"mixed: a CR alone", "a\r\nb\rc", "\\r(?!\\n)", "\\r\\n", "a\r\nb\r\nc", 0, 0},
    {"mixed: CRLFs in front of a lone CR", "a\r\nb\r", "$", ";", "a;\r\nb;\r;", 0, 0},
    {"mixed: two CRs in front of an LF, any ending", "a\r\r\nb\n", "\\R", ",", "a,,b,", 0, 0},
    {"mixed: a lone CR within a line", "a\rb\nc\r\nd\n", "d\\n", "x", "a\rb\nc\r\nx", 0, 0},
    {"mixed: more than a line", "a\r\nb\nc\r\n", "(?s)a.*c", "x", "x\r\n", 0, 0},
    {"mixed: two CRs", "a\r\r\nb", "^", "-", "-a\r-\r\n-b", 0, 0},
    /* parts */
    {"part: its end begins the next line", "1\n2\n3\n", "^", "-", "1\n-2\n3\n", 2, 4},
    {"part: its end ends no line", "1\n2\n3\n", "$", ";", "1\n2;\n3\n", 2, 4},
    {"part: nothing, everywhere in it", "1\n2\n3\n", "x*", "-", "1\n-2-\n3\n", 2, 4},
    {"part: the last line", "1\n2\n", "$", ";", "1\n2;\n;", 2, 4},
    {"part: blanks at the end of lines", "1\n2 \n\n3\n", "\\s+$", "", "1\n2\n3\n", 2, 6},
    {"part: a match would cross its start", "f 1\nf 2\nf 3\n", "(f \\d\\s*)+", "x", "f 1\nxf 3\n",
     4, 8},
    {"part: what stands before is seen", "ab\nab\n", "(?<=\\n)a", "x", "ab\nxb\n", 3, 6},
    {"part: what stands behind is not", "a\nb\n", "a(?!\\nb)", "x", "x\nb\n", 0, 2},
    {"part: its end is \\z", "a\na\n", "a\\s\\z", "x", "xa\n", 0, 2},
    {"part: CRLF", "1\r\n2\r\n3\r\n", "^|$", "-", "1\r\n-2-\r\n3\r\n", 3, 6},
    {"part: CRLF, an LF", "1\r\n2\r\n3\r\n", "\\n", "+", "1\r\n2+3\r\n", 3, 6},
    {"part: CRLF, a match would cross its end", "f 1\r\nf 2\r\nf 3", "(f \\d\\s*)+", "x\n",
     "f 1\r\nx\r\nf 3", 5, 10},
    {"part: CR", "1\r2\r3\r", "^|$", "-", "1\r-2-\r3\r", 2, 4},
    {"part: mixed", "1\r\n2\n3\r\n", "\\n", "+", "1\r\n2+3\r\n", 3, 5},
    {"part: its end is in a CRLF", "1\r\n2", "x*", "-", "-1\r\n2", 0, 2},
    {"part: its start is in a CRLF", "1\r\n2", "x*", "-", "1\r\n-2-", 2, 4},
    {"part: mixed, its start is in a CRLF", "1\r\n2\n3", "x*", "-", "1\r\n-2-\n3", 2, 5},
    {"part: mixed, what lies outside is not passed over", "b\r\nb\nb\r\n", "b\\n", "", "b\r\nb\r\n",
     3, 5},
    {"part: both are in one", "1\r\n2", "x*|\\r", "-", "1\r\n2", 2, 2},
    {"part: nothing left", "1\n2\n", "x*", "-", "1\n2\n", 2, 2},
};

static void each_text_becomes_what_it_should(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(laid); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        em_regex_matches found;
        em_error err = EM_ERROR_INIT;
        em_slice text = em_slice_of(laid[i].text), now;
        assert_int_equal(em_draft_init(&draft, text, 0), EM_OK);
        em_regex_search search = all_of(&draft, laid[i].pattern, laid[i].replacement);
        search.part = (em_span){laid[i].start, laid[i].end > 0 ? laid[i].end : text.len};
        search.encoding = em_utf8_invalid_at(text) == EM_NPOS ? EM_UTF8 : EM_BYTES;
        check_size(laid[i].what, em_regex_locate(&search, &arena, &found, &err), EM_OK);
        em_splice *splices = em_alloc_array(&arena, found.places.spans.count, sizeof *splices);
        for (size_t j = 0; j < found.places.spans.count; j++) {
            em_span span = found.places.spans.items[j];
            splices[j] = (em_splice){span.start, span.end - span.start, found.inserts[j]};
        }
        assert_int_equal(
            em_splices_apply(text, (em_splices){splices, found.places.spans.count}, &arena, &now),
            EM_OK);
        check_bytes(laid[i].what, now, em_slice_of(laid[i].want));
    }
}

/* A text of a few lines, in bytes, and one splice that makes it the draft. */
static em_slice random_text(uint64_t *seed, em_arena *arena, size_t most)
{
    static const char *const parts[] = {"a", "b", " ", "\r\n", "\r\n", "\n", "\r", "a", "\xC3\xA9"};
    bool mixed = next_random(seed) % 3 == 0;
    EM_AUTO(em_strbuf) text = {0};
    for (size_t count = next_random(seed) % (most + 1); count > 0; count--)
        em_strbuf_puts(&text, parts[next_random(seed) % (mixed ? COUNT_OF(parts) : 5)]);
    em_slice out = em_strbuf_slice(&text);
    assert_int_equal(em_arena_keep(arena, &out), EM_OK);
    return out;
}

/* Where one locates something and the other one does the same, in the same words if it is refused.
 */
static void check_same_search(const em_regex_search *search, const em_regex_search *other,
                              em_arena *arena)
{
    const char *what = search->pattern.ptr;
    em_regex_matches found, same;
    em_error err = EM_ERROR_INIT, other_err = EM_ERROR_INIT;
    em_status status = em_regex_locate(search, arena, &found, &err);
    check_size(what, em_regex_locate(other, arena, &same, &other_err), status);
    assert_string_equal(err.detail, other_err.detail);
    check_size(what, found.places.total, same.places.total);
    for (size_t i = 0; i < found.places.total; i++) {
        check_size(what, found.places.spans.items[i].start, same.places.spans.items[i].start);
        check_size(what, found.places.spans.items[i].end, same.places.spans.items[i].end);
        check_bytes(what, found.inserts[i], same.inserts[i]);
    }
}

/* Only what counts for a part is searched. A lookbehind that asks for nothing has all of it
 * searched, and must make no difference. */
static void a_part_is_searched_as_in_the_whole_text(void **state)
{
    (void)state;
    enum { ROUNDS = 1500, MOST = 24 };
    static const struct {
        const char *pattern, *in_all;
    } patterns[] = {
#define BOTH(pattern) {pattern, "(?<=)(?:" pattern ")"}
        BOTH("^"),     BOTH("$"),       BOTH("^a"),     BOTH("\\A"),    BOTH("\\Aa|b"),
        BOTH("\\ba"),  BOTH("\\B"),     BOTH("\\Ga"),   BOTH("x*"),     BOTH("\\s+"),
        BOTH("\\n"),   BOTH("a\\n"),    BOTH("\\R"),    BOTH("\\X"),    BOTH("(?s)."),
        BOTH("\\z"),   BOTH("a\\K\\s"), BOTH("\\r\\n"), BOTH("^\\s*$"), BOTH("(?=\\n)"),
        BOTH("\\Z|b"), BOTH("[^a]+"),
#undef BOTH
    };
    uint64_t seed = 20261130;
    for (int round = 0; round < ROUNDS; round++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        em_slice body = random_text(&seed, &arena, MOST);
        em_splice splice = {body.len / 2, 0, random_text(&seed, &arena, MOST / 4)};
        assert_int_equal(em_draft_init_chunks(&draft, body, 0, 2), EM_OK);
        assert_int_equal(em_draft_apply(&draft, (em_splices){&splice, 1}), EM_OK);
        size_t start = next_random(&seed) % (draft.length + 1);
        size_t end = start + next_random(&seed) % (draft.length - start + 1);
        for (size_t i = 0; i < COUNT_OF(patterns); i++) {
            em_regex_search search = all_of(&draft, patterns[i].pattern, "<$0>\\n");
            em_regex_search in_all = all_of(&draft, patterns[i].in_all, "<$0>\\n");
            search.part = in_all.part = (em_span){start, end};
            search.encoding = in_all.encoding = EM_BYTES;
            check_same_search(&search, &in_all, &arena);
        }
    }
}

static void what_would_hurt_the_text_is_refused(void **state)
{
    (void)state;
#define CUTS(line)                                                                                 \
    "the pattern would cut the CRLF that ends line " line " in two; the file's line endings are "  \
    "mixed: write \\r?\\n or \\R for a line ending, \\h for blanks"
#define PASSES(line)                                                                               \
    "the pattern would pass over, or take for two characters, the CRLF that ends line " line       \
    "; the file's line endings are mixed: write \\r?\\n or \\R for a line ending, \\h for blanks"
    static const struct {
        const char *what, *text, *pattern, *replacement;
        em_cause cause;
        const char *detail;
    } refused[] = {
        {"it begins in a CRLF", "a\nb\r\n", "\\n", "+", EM_CAUSE_NONE, CUTS("2")},
        {"it ends in a CRLF", "a\n\nb \r\nc", "\\s+$", "", EM_CAUSE_NONE, CUTS("3")},
        {"it is empty in a CRLF", "a\r\nb\n", "(?=\\n)", "+", EM_CAUSE_NONE, CUTS("1")},
        {"the start of a line hides it", "a\r\nb\nc\r\n", ".*\\n", "", EM_CAUSE_NONE, PASSES("1")},
        {"its CR hides a line", "x\r\nb\nx\nb\r\nx\n", "b\\n", "", EM_CAUSE_NONE, PASSES("4")},
        {"its CR hides all there is", "b\na\r\nb", "a\\nb", "", EM_CAUSE_NONE, PASSES("2")},
        {"an ending counts as two", "a\n\nb\r\nc\n", "\\s{2}", "", EM_CAUSE_NONE, PASSES("3")},
        {"what stands before tells", "b\r\na\na", "(?<!b\\n)a", "", EM_CAUSE_NONE, PASSES("1")},
        {"a template writes NUL", "a", "a", "\\x{0}", EM_CAUSE_NUL,
         "the replacement holds a NUL character"},
        {"a template writes NUL among others", "a\r\n", "a", "\\n\\x{0}b", EM_CAUSE_NUL,
         "the replacement holds a NUL character"},
    };
#undef CUTS
#undef PASSES
    for (size_t i = 0; i < COUNT_OF(refused); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        em_regex_matches found;
        em_error err = EM_ERROR_INIT;
        assert_int_equal(em_draft_init(&draft, em_slice_of(refused[i].text), 0), EM_OK);
        em_regex_search search = all_of(&draft, refused[i].pattern, refused[i].replacement);
        check_size(refused[i].what, em_regex_locate(&search, &arena, &found, &err), EM_E_INVALID);
        check_size(refused[i].what, err.cause, refused[i].cause);
        check_bytes(refused[i].what, em_slice_of(err.detail), em_slice_of(refused[i].detail));
        check_size(refused[i].what, found.places.spans.count, 0);
    }
}

static void places_beyond_the_most_are_only_counted(void **state)
{
    (void)state;
    static const struct {
        const char *text, *pattern;
        size_t count, kept;
    } counted[] = {
        {"a b a", "a", 2, 1},
        {"aab", "x*", 4, 1},
        {"a\na\r\na", "a", 3, 1},
        {"a\nab\r\nab\n", "a|b\\n", 0, 0}, /* it would pass over the CRLF behind the second b */
    };
    for (size_t i = 0; i < COUNT_OF(counted); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        em_regex_matches found;
        em_error err = EM_ERROR_INIT;
        assert_int_equal(em_draft_init(&draft, em_slice_of(counted[i].text), 0), EM_OK);
        em_regex_search search = all_of(&draft, counted[i].pattern, "y");
        search.most = 1;
        em_status status = em_regex_locate(&search, &arena, &found, &err);
        check_size(counted[i].text, status, counted[i].kept > 0 ? EM_OK : EM_E_INVALID);
        check_size(counted[i].text, found.places.total, counted[i].count);
        check_size(counted[i].text, found.places.spans.count, counted[i].kept);
    }
}

/* A pattern that takes exponential time on a text that nearly matches. */
static void a_pattern_that_explodes_is_given_up(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_draft) draft;
    em_regex_matches found;
    em_error err = EM_ERROR_INIT;
    char text[5000];
    memset(text, 'a', sizeof text);
    text[sizeof text - 1] = '!';
    assert_int_equal(em_draft_init(&draft, em_slice_make(text, sizeof text), 0), EM_OK);
    em_regex_search search = all_of(&draft, "^(a|aa)+$", "");
    assert_int_equal(em_regex_locate(&search, &arena, &found, &err), EM_E_TIMEOUT);
    assert_int_equal(err.code, EM_E_TIMEOUT);
}

/* Each match alone is cheap. */
static void a_deadline_ends_the_search(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_draft) draft;
    em_regex_matches found;
    em_error err = EM_ERROR_INIT;
    char text[5000];
    memset(text, 'a', sizeof text);
    em_deadline passed = {.at = 1};
    assert_int_equal(em_draft_init(&draft, em_slice_make(text, sizeof text), 0), EM_OK);
    em_regex_search search = all_of(&draft, "a", "");
    search.deadline = &passed;
    assert_int_equal(em_regex_locate(&search, &arena, &found, &err), EM_E_TIMEOUT);
    assert_int_equal(err.code, EM_E_TIMEOUT);
    assert_string_equal(err.detail,
                        "the deadline of the call passed while the pattern was looked for");
}

/* No match, no place where it takes too many steps, but many where it takes many. */
static void a_deadline_ends_a_search_that_finds_nothing(void **state)
{
    (void)state;
    enum { LENGTH = 250 * 1000 };
    static const struct {
        const char *unit, *pattern;
    } slow[] = {{" ", "\\s+$"}, {" ", "[ \\t]+$"}, {"ab", "a.*?[cd]"}, {" ", "(*UTF)\\s+$"}};
    for (size_t i = 0; i < COUNT_OF(slow); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        em_regex_matches found;
        em_error err = EM_ERROR_INIT;
        char *text = em_alloc_raw(&arena, LENGTH);
        for (size_t at = 0; at < LENGTH; at++)
            text[at] = slow[i].unit[at % strlen(slow[i].unit)];
        text[LENGTH - 1] = 'x';
        em_deadline soon = em_deadline_in(100);
        time_t start = time(NULL);
        assert_int_equal(em_draft_init(&draft, em_slice_make(text, LENGTH), 0), EM_OK);
        em_regex_search search = all_of(&draft, slow[i].pattern, "");
        search.deadline = &soon;
        assert_int_equal(em_regex_locate(&search, &arena, &found, &err), EM_E_TIMEOUT);
        assert_string_equal(err.detail,
                            "the deadline of the call passed while the pattern was looked for");
        assert_true(time(NULL) - start < 30);
    }
}

static void a_malformed_template_is_told(void **state)
{
    (void)state;
#define DOLLAR ". A $ refers to a group: send $0 for the whole match, $$ for a $ that is text"
    static const struct {
        const char *pattern, *replacement, *detail, *mended;
    } told[] = {
        {"(a)", "$10",
         "the replacement refers to group 10, but the pattern has 1 group: for group 1 and a digit "
         "behind it send ${1}0",
         "${1}0"},
        {"(a)", "x${10}",
         "the replacement refers to group 10, but the pattern has 1 group: $0 is the whole match, "
         "and for a $ that is text send $$",
         ""},
        {"a", "$1",
         "the replacement refers to group 1, but the pattern has 0 groups: $0 is the whole match, "
         "and for a $ that is text send $$",
         ""},
        {"a", "5$", "the replacement is malformed at offset 2: invalid replacement string" DOLLAR,
         "5$$"},
        {"a", "[$&]", "the replacement is malformed at offset 2: invalid replacement string" DOLLAR,
         "[$0]"},
        {"a", "$'$", "the replacement is malformed at offset 1: invalid replacement string" DOLLAR,
         ""},
        {"a", "$user\\$x",
         "the replacement refers to a group \"user\", which the pattern does not have: for a $ "
         "that "
         "is text send $$",
         "$$user\\$x"},
        {"a", "${user}, $$, $0",
         "the replacement refers to a group \"user\", which the pattern does not have: for a $ "
         "that "
         "is text send $$",
         "$${user}, $$, $0"},
        {"(?<n>a)", "$m",
         "the replacement refers to a group \"m\", which the pattern does not have: for a $ that "
         "is "
         "text send $$",
         ""},
        {"(a)", "\\1x",
         "the replacement is malformed at offset 1: \\1 is no group here. Groups are $1 or ${1}, "
         "named ones ${name}, the whole match is $0; the pattern has 1 group",
         "${1}x"},
        {"(?<n>a)", "\\g<m>",
         "the replacement is malformed at offset 1: \\g<m> is no group here. Groups are $1 or "
         "${1}, "
         "named ones ${name}, the whole match is $0; the pattern has 1 group",
         ""},
        {"a", "C:\\dir",
         "the replacement is malformed at offset 4: bad escape sequence in replacement string. A "
         "backslash begins an escape such as \\n: send \\\\ for one that is text",
         ""},
    };
#undef DOLLAR
    for (size_t i = 0; i < COUNT_OF(told); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        em_regex_matches found;
        em_error err = EM_ERROR_INIT;
        assert_int_equal(em_draft_init(&draft, EM_LIT("a"), 0), EM_OK);
        em_regex_search search = all_of(&draft, told[i].pattern, told[i].replacement);
        assert_int_equal(em_regex_locate(&search, &arena, &found, &err), EM_E_INVALID);
        assert_int_equal(err.cause, EM_CAUSE_PATTERN);
        assert_string_equal(err.detail, told[i].detail);
        check_bytes(told[i].replacement, found.mended, em_slice_of(told[i].mended));
        check_size(told[i].replacement, found.places.spans.count, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_pattern_is_located),
        cmocka_unit_test(each_text_becomes_what_it_should),
        cmocka_unit_test(a_part_is_searched_as_in_the_whole_text),
        cmocka_unit_test(what_would_hurt_the_text_is_refused),
        cmocka_unit_test(a_pattern_that_explodes_is_given_up),
        cmocka_unit_test(places_beyond_the_most_are_only_counted),
        cmocka_unit_test(a_deadline_ends_the_search),
        cmocka_unit_test(a_deadline_ends_a_search_that_finds_nothing),
        cmocka_unit_test(a_malformed_template_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

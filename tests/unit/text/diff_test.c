#include "text/diff.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "../../remove_tree.h"
#include "../with_cmocka.h"
#include "apply.h"
#include "failing_malloc.h"
#include "random.h"

static const em_diff_names names = {.path = "f"};

/* The lines are known: the diff is the same. */
static void check_indexed(em_slice body, em_splices splices, em_diff_limits limits,
                          const em_diff *wanted)
{
    EM_AUTO(em_arena) arena = {0};
    em_text text = em_text_of_bytes(body, EM_UTF8);
    em_lines lines;
    em_diff diff;
    assert_int_equal(em_lines_init_blocks(&text, 16, &arena, &lines), EM_OK);
    assert_int_equal(em_diff_of_text(&text, &lines, splices, limits, &arena, &diff), EM_OK);
    assert_string_equal(em_diff_render(&diff, names, &arena),
                        em_diff_render(wanted, names, &arena));
}

static em_diff make(em_slice body, em_splices splices, em_diff_limits limits, em_arena *arena)
{
    em_diff diff;
    assert_int_equal(em_diff_make(body, splices, limits, arena, &diff), EM_OK);
    check_indexed(body, splices, limits, &diff);
    return diff;
}

/* ---- By hand -------------------------------------------------------------------------------- */

/* The hunks alone of a diff of one file. */
static const char *hunks_of(const char *body, em_splices splices, em_diff_limits limits,
                            em_arena *arena)
{
    em_diff diff = make(em_slice_of(body), splices, limits, arena);
    const char *text = em_diff_render(&diff, names, arena);
    return diff.hunk_count > 0 ? strstr(text, "@@") : text;
}

static void one_splice(void **state)
{
    (void)state;
    static const struct {
        const char *what, *body;
        size_t offset, length;
        const char *insert, *hunks;
    } cases[] = {
        {"a word", "a\nb\nc\n", 2, 1, "x", "@@ -1,3 +1,3 @@\n a\n-b\n+x\n c\n"},
        {"three lines of context", "1\n2\n3\n4\n5\n6\n7\n8\n9\n", 8, 1, "x",
         "@@ -2,7 +2,7 @@\n 2\n 3\n 4\n-5\n+x\n 6\n 7\n 8\n"},
        {"an empty file gets lines", "", 0, 0, "a\nb\n", "@@ -0,0 +1,2 @@\n+a\n+b\n"},
        {"an empty file gets one", "", 0, 0, "a",
         "@@ -0,0 +1 @@\n+a\n\\ No newline at end of file\n"},
        {"all goes", "a\nb\n", 0, 4, "", "@@ -1,2 +0,0 @@\n-a\n-b\n"},
        {"all goes, no newline", "a\nb", 0, 3, "",
         "@@ -1,2 +0,0 @@\n-a\n-b\n\\ No newline at end of file\n"},
        {"at the start", "a\n", 0, 0, "x\n", "@@ -1 +1,2 @@\n+x\n a\n"},
        {"at the end", "a\n", 2, 0, "x\n", "@@ -1 +1,2 @@\n a\n+x\n"},
        {"at the end without a newline", "a", 1, 0, "\nx",
         "@@ -1 +1,2 @@\n-a\n\\ No newline at end of file\n+a\n+x\n\\ No newline at end of file\n"},
        {"a newline comes", "a", 1, 0, "\n", "@@ -1 +1 @@\n-a\n\\ No newline at end of file\n+a\n"},
        {"a newline goes", "a\nb\n", 3, 1, "",
         "@@ -1,2 +1,2 @@\n a\n-b\n+b\n\\ No newline at end of file\n"},
        {"a context without a newline", "a\nb", 0, 1, "x",
         "@@ -1,2 +1,2 @@\n-a\n+x\n b\n\\ No newline at end of file\n"},
        {"CRLF", "a\r\nb\r\n", 3, 1, "x\r\ny", "@@ -1,2 +1,3 @@\n a\r\n-b\r\n+x\r\n+y\r\n"},
        {"a CR is no line end", "a\rb\rc", 2, 1, "x",
         "@@ -1 +1 @@\n-a\rb\rc\n\\ No newline at end of file\n"
         "+a\rx\rc\n\\ No newline at end of file\n"},
        {"nothing changes", "a\nb\n", 0, 2, "a\n", ""},
        {"nothing is done", "a\nb\n", 1, 0, "", ""},
        {"a whole line goes", "a\nb\nc\n", 2, 2, "", "@@ -1,3 +1,2 @@\n a\n-b\n c\n"},
        {"a line, from inside to inside", "  a\n  b\n  c\n", 2, 4, "",
         "@@ -1,3 +1,2 @@\n-  a\n   b\n   c\n"},
        {"a line behind a line", "a\nb\n", 1, 0, "\nx", "@@ -1,2 +1,3 @@\n a\n+x\n b\n"},
        {"lines are joined", "a\nb\nc\n", 1, 1, "", "@@ -1,3 +1,2 @@\n-a\n-b\n+ab\n c\n"},
        {"lines that stay inside a splice", "a\nb\nc\nd\ne\n", 0, 10, "x\nb\nc\nd\ny\n",
         "@@ -1,5 +1,5 @@\n-a\n+x\n b\n c\n d\n-e\n+y\n"},
        {"changes inside a splice that are far apart", "a\n1\n2\n3\n4\n5\n6\n7\nb\n", 0, 18,
         "x\n1\n2\n3\n4\n5\n6\n7\ny\n",
         "@@ -1,4 +1,4 @@\n-a\n+x\n 1\n 2\n 3\n@@ -6,4 +6,4 @@\n 5\n 6\n 7\n-b\n+y\n"},
        {"a line that stays between lines that go", "a\nb\nc\n", 0, 6, "b\n",
         "@@ -1,3 +1 @@\n-a\n b\n-c\n"},
        {"a BOM is of the first line",
         "\xEF\xBB\xBF"
         "a\nb\n",
         3, 1, "x",
         "@@ -1,2 +1,2 @@\n-\xEF\xBB\xBF"
         "a\n+\xEF\xBB\xBFx\n b\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_splice splice = {cases[i].offset, cases[i].length, em_slice_of(cases[i].insert)};
        const char *hunks =
            hunks_of(cases[i].body, (em_splices){&splice, 1}, (em_diff_limits){0}, &arena);
        if (strcmp(hunks, cases[i].hunks) != 0)
            fail_msg("%s:\n%s", cases[i].what, hunks);
    }
}

/* Two single-letter splices on lines of a text of numbered lines: how they share hunks. */
static void two_splices(void **state)
{
    (void)state;
    static const struct {
        size_t first, second; /* line numbers, from 1 */
        const char *hunks;
    } cases[] = {
        {5, 6, "@@ -2,8 +2,8 @@\n b\n c\n d\n-e\n-f\n+1\n+2\n g\n h\n i\n"},
        {5, 7, "@@ -2,9 +2,9 @@\n b\n c\n d\n-e\n+1\n f\n-g\n+2\n h\n i\n j\n"},
        {1, 8, "@@ -1,11 +1,11 @@\n-a\n+1\n b\n c\n d\n e\n f\n g\n-h\n+2\n i\n j\n k\n"},
        {1, 9,
         "@@ -1,4 +1,4 @@\n-a\n+1\n b\n c\n d\n@@ -6,7 +6,7 @@\n f\n g\n h\n-i\n+2\n j\n k\n l\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_splice splices[] = {{(cases[i].first - 1) * 2, 1, EM_LIT("1")},
                               {(cases[i].second - 1) * 2, 1, EM_LIT("2")}};
        assert_string_equal(hunks_of("a\nb\nc\nd\ne\nf\ng\nh\ni\nj\nk\nl\n",
                                     (em_splices){splices, 2}, (em_diff_limits){0}, &arena),
                            cases[i].hunks);
    }
}

static void several_on_one_line(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_splice splices[] = {
        {0, 1, EM_LIT("A")}, {2, 0, EM_LIT("-")}, {4, 1, EM_LIT("")}, {5, 1, EM_LIT("\n")}};
    assert_string_equal(
        hunks_of("a b c\nd\n", (em_splices){splices, 4}, (em_diff_limits){0}, &arena),
        "@@ -1,2 +1,2 @@\n-a b c\n+A -b \n d\n");
}

static void facts(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_splice splice = {2, 2, EM_LIT("x\ny\nz")};
    em_diff diff = make(EM_LIT("a\nb\nc"), (em_splices){&splice, 1}, (em_diff_limits){0}, &arena);
    assert_int_equal(diff.lines_added, 1 + 2);
    assert_int_equal(diff.lines_removed, 2);
    assert_false(diff.truncated);
    assert_int_equal(diff.hunk_count, 1);
    em_hunk hunk = diff.hunks[0];
    assert_int_equal(hunk.line_count, 6);
    assert_int_equal(hunk.old_lines, 3);
    assert_int_equal(hunk.new_lines, 4);
    assert_int_equal(hunk.lines[2].kind, '-');
    assert_true(em_slice_is(hunk.lines[2].text, "c"));
    assert_true(hunk.lines[2].no_newline);
    assert_true(em_slice_is(hunk.lines[5].text, "zc"));
    assert_string_equal(em_hunk_header(&hunk, &arena), "@@ -1,3 +1,4 @@");
}

static void name_lines(void **state)
{
    (void)state;
    static const struct {
        em_diff_names names;
        const char *lines;
    } cases[] = {
        {{"dir/f.txt", false, false}, "--- a/dir/f.txt\n+++ b/dir/f.txt\n"},
        {{"f", true, false}, "--- /dev/null\n+++ b/f\n"},
        {{"f", false, true}, "--- a/f\n+++ /dev/null\n"},
        {{"a b", false, false}, "--- a/a b\t\n+++ b/a b\t\n"},
        {{"a ", false, false}, "--- \"a/a \"\t\n+++ \"b/a \"\t\n"},
        {{"q\"\\", false, false}, "--- \"a/q\\\"\\\\\"\n+++ \"b/q\\\"\\\\\"\n"},
        {{"\xC3\xA9\x7F", false, false}, "--- \"a/\\303\\251\\177\"\n+++ \"b/\\303\\251\\177\"\n"},
        {{"\a\b\t\n\v\f\r\x01 ", true, false},
         "--- /dev/null\n+++ \"b/\\a\\b\\t\\n\\v\\f\\r\\001 \"\t\n"},
    };
    EM_AUTO(em_arena) arena = {0};
    em_splice splice = {0, 0, EM_LIT("x\n")};
    em_diff diff = make(EM_LIT(""), (em_splices){&splice, 1}, (em_diff_limits){0}, &arena);
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const char *text = em_diff_render(&diff, cases[i].names, &arena);
        assert_true(em_slice_starts(em_slice_of(text), em_slice_of(cases[i].lines)));
        assert_string_equal(text + strlen(cases[i].lines), "@@ -0,0 +1 @@\n+x\n");
    }
    em_diff none = make(EM_LIT("a"), (em_splices){NULL, 0}, (em_diff_limits){0}, &arena);
    assert_string_equal(em_diff_render(&none, names, &arena), "");
}

/* A NUL would end the text of a diff: of what cannot be shown it is told that it differs. */
static void lines_that_hold_nul(void **state)
{
    (void)state;
    const struct {
        const char *what;
        em_slice body;
        em_splice splice;
        em_diff_names names;
        const char *text;
    } cases[] = {
        {"what goes",
         EM_LIT("a\0b\nc\n"),
         {0, 4, EM_LIT("x\n")},
         {.path = "f"},
         "Binary files a/f and b/f differ\n"},
        {"what comes",
         EM_LIT("a\n"),
         {0, 1, EM_LIT("x\0y")},
         {.path = "f"},
         "Binary files a/f and b/f differ\n"},
        {"what stays of a line",
         EM_LIT("a\0b\n"),
         {0, 1, EM_LIT("x")},
         {.path = "f"},
         "Binary files a/f and b/f differ\n"},
        {"context",
         EM_LIT("a\n\0\n"),
         {0, 1, EM_LIT("x")},
         {.path = "f"},
         "Binary files a/f and b/f differ\n"},
        {"a file that goes",
         EM_LIT("\0"),
         {0, 1, EM_LIT("")},
         {.path = "a b", .deleted = true},
         "Binary files a/a b and /dev/null differ\n"},
        {"a file that comes",
         EM_LIT(""),
         {0, 0, EM_LIT("\0")},
         {.path = "\"", .created = true},
         "Binary files /dev/null and \"b/\\\"\" differ\n"},
        {"farther away",
         EM_LIT("a\n1\n2\n3\n\0\n"),
         {0, 1, EM_LIT("x")},
         {.path = "f"},
         "--- a/f\n+++ b/f\n@@ -1,4 +1,4 @@\n-a\n+x\n 1\n 2\n 3\n"},
        {"what stays as it is", EM_LIT("\0\n"), {0, 1, EM_LIT("\0")}, {.path = "f"}, ""},
    };
    EM_AUTO(em_arena) arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        em_splices splices = {&cases[i].splice, 1};
        em_diff diff = make(cases[i].body, splices, (em_diff_limits){0}, &arena);
        const char *text = em_diff_render(&diff, cases[i].names, &arena);
        if (strcmp(text, cases[i].text) != 0)
            fail_msg("%s: %s", cases[i].what, text);
    }
    em_diff_limits least = {.bytes = 1, .lines = 1};
    em_diff diff = make(cases[0].body, (em_splices){&cases[0].splice, 1}, least, &arena);
    assert_true(diff.binary && diff.hunk_count == 0 && !diff.truncated);
    assert_true(diff.lines_removed == 1 && diff.lines_added == 1);
}

/* ---- At random ------------------------------------------------------------------------------ */

enum { TEXT_MAX = 400, SPLICES_MAX = 8 };

typedef struct sample {
    char body[TEXT_MAX];
    em_slice text;
    em_splice items[SPLICES_MAX];
    em_splices splices;
    char inserts[SPLICES_MAX][16];
} sample;

static size_t random_text(random_state *r, char *out, size_t limit)
{
    static const char *const units[] = {"\n", "\n", "\r\n", "a", "b", "a\n", "b\n", "c\n", "\n\n"};
    size_t length = 0, wanted = random_below(r, limit + 1);
    while (length + 2 <= wanted) {
        const char *unit = RANDOM_OF(r, units);
        memcpy(out + length, unit, strlen(unit));
        length += strlen(unit);
    }
    return length;
}

static void sample_fill(random_state *r, sample *s)
{
    s->text = (em_slice){s->body, random_text(r, s->body, random_below(r, TEXT_MAX))};
    size_t count = 0, at = 0, wanted = random_below(r, SPLICES_MAX + 1);
    for (; count < wanted && at <= s->text.len; count++) {
        size_t left = s->text.len - at, near = 1 + random_below(r, 60);
        size_t offset = at + random_below(r, (left < near ? left : near) + 1);
        size_t most = s->text.len - offset;
        size_t length = random_below(r, 3) ? random_below(r, (most < 9 ? most : 9) + 1) : 0;
        size_t insert = random_text(r, s->inserts[count], sizeof s->inserts[count] - 2);
        s->items[count] = (em_splice){offset, length, {s->inserts[count], insert}};
        at = offset + length + 1;
    }
    s->splices = (em_splices){s->items, count};
}

static size_t count_lines(const em_diff *diff, char kind)
{
    size_t count = 0;
    for (size_t i = 0; i < diff->hunk_count; i++)
        for (size_t j = 0; j < diff->hunks[i].line_count; j++)
            count += diff->hunks[i].lines[j].kind == kind;
    return count;
}

static void a_patch_leads_to_the_new_text(void **state)
{
    (void)state;
    random_state r = {17};
    for (int round = 0; round < 5000; round++) {
        EM_AUTO(em_arena) arena = {0};
        sample s;
        const char *why;
        sample_fill(&r, &s);
        em_diff diff = make(s.text, s.splices, (em_diff_limits){0}, &arena);
        char *patch = em_diff_render(&diff, names, &arena);
        char *wanted = lay_in(s.text, s.splices, &arena);
        char *found = apply_patch(patch, s.text, false, &arena, &why);
        if (!found || strcmp(found, wanted) != 0)
            fail_msg("round %d: %s\n%s", round, found ? "another text" : why, patch);
        assert_int_equal(diff.hunk_count == 0, em_slice_is(s.text, wanted));
        assert_int_equal(count_lines(&diff, '+'), diff.lines_added);
        assert_int_equal(count_lines(&diff, '-'), diff.lines_removed);
        assert_false(diff.truncated);
    }
}

static size_t rendered_lines(const char *text)
{
    size_t count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

/* The next line of the hunk from *at on that is none of the other side's; NULL. */
static const em_diff_line *next_of_side(const em_hunk *hunk, char other_kind, size_t *at)
{
    while (*at < hunk->line_count && hunk->lines[*at].kind == other_kind)
        ++*at;
    return *at < hunk->line_count ? &hunk->lines[(*at)++] : NULL;
}

/* Are the lines of each side the first that the whole hunk has of it? */
static void assert_starts(const em_hunk *whole, const em_hunk *hunk)
{
    for (const char *other = "-+"; *other; other++) {
        const em_diff_line *line;
        for (size_t at = 0, i = 0; (line = next_of_side(hunk, *other, &i));) {
            const em_diff_line *same = next_of_side(whole, *other, &at);
            assert_non_null(same);
            assert_true(same->kind == line->kind && em_slice_eq(same->text, line->text));
        }
    }
}

/* Of a change that replaces lines both sides are shown, or none. */
static void assert_no_half_change(const em_hunk *whole, const em_hunk *hunk)
{
    size_t end = hunk->line_count, start = end;
    while (start > 0 && hunk->lines[start - 1].kind == '-')
        start--;
    if (start == end) /* the last change brings lines */
        return;
    size_t at = start; /* the same in the whole, where nothing before it differs */
    while (at < whole->line_count && whole->lines[at].kind == '-')
        at++;
    assert_true(at == whole->line_count || whole->lines[at].kind != '+');
}

/* The lines of a cut diff are the first of the whole. */
static void assert_is_part(const em_diff *whole, const em_diff *diff)
{
    assert_true(diff->hunk_count <= whole->hunk_count);
    for (size_t i = 0; i < diff->hunk_count; i++) {
        assert_true(diff->hunks[i].line_count <= whole->hunks[i].line_count);
        assert_starts(&whole->hunks[i], &diff->hunks[i]);
        assert_no_half_change(&whole->hunks[i], &diff->hunks[i]);
    }
}

/* However short: it is a right patch, and within the limits; the facts are those of the whole. */
static void a_cut_patch_is_still_one(void **state)
{
    (void)state;
    random_state r = {23};
    size_t name_bytes = strlen("--- a/f\n+++ b/f\n");
    for (int round = 0; round < 3000; round++) {
        EM_AUTO(em_arena) arena = {0};
        sample s;
        const char *why;
        sample_fill(&r, &s);
        em_diff whole = make(s.text, s.splices, (em_diff_limits){0}, &arena);
        const char *all = em_diff_render(&whole, names, &arena);
        size_t bytes = *all ? strlen(all) - name_bytes : 0;
        size_t lines = *all ? rendered_lines(all) - 2 : 0;
        em_diff_limits limits = {0};
        if (random_below(&r, 3))
            limits.bytes = 1 + random_below(&r, bytes + 2);
        if (random_below(&r, 3))
            limits.lines = 1 + random_below(&r, lines + 2);
        em_diff diff = make(s.text, s.splices, limits, &arena);
        const char *patch = em_diff_render(&diff, names, &arena);
        if (!apply_patch(patch, s.text, true, &arena, &why))
            fail_msg("round %d: %s\n%s", round, why, patch);
        bool fits = (limits.bytes == 0 || bytes <= limits.bytes) &&
                    (limits.lines == 0 || lines <= limits.lines);
        assert_int_equal(diff.truncated, !fits);
        assert_int_equal(strcmp(patch, all) == 0, fits);
        assert_is_part(&whole, &diff);
        if (*patch && limits.bytes > 0)
            assert_true(strlen(patch) - name_bytes <= limits.bytes);
        if (*patch && limits.lines > 0)
            assert_true(rendered_lines(patch) - 2 <= limits.lines);
        assert_int_equal(diff.lines_added, whole.lines_added);
        assert_int_equal(diff.lines_removed, whole.lines_removed);
    }
}

static void cut(void **state)
{
    (void)state;
    static const char whole[] = "@@ -1,5 +1,5 @@\n 1\n 2\n 3\n-4\n+x\n"
                                "\\ No newline at end of file\n";
    static const struct {
        em_diff_limits limits;
        const char *hunks;
    } cases[] = {
        {{0, 0}, "@@ -1,4 +1,4 @@\n 1\n 2\n 3\n-4\n+x\n\\ No newline at end of file\n"},
        {{sizeof whole - 1, 7}, NULL},
        {{sizeof whole - 2, 0}, ""}, /* without the new line nothing but context would be left */
        {{0, 6}, ""},
        {{0, 4}, ""},
        {{1, 0}, ""},
        {{0, 1}, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_splice splice = {6, 2, EM_LIT("x")};
        const char *hunks =
            hunks_of("1\n2\n3\n4\n", (em_splices){&splice, 1}, cases[i].limits, &arena);
        assert_string_equal(hunks, cases[i].hunks ? cases[i].hunks : cases[0].hunks);
    }
}

/* Of lines that are replaced the first are shown with those that come instead. */
static void a_cut_change_shows_both_sides(void **state)
{
    (void)state;
    static const char insert[] = "A\nB\nC\nD\nE\n";
    static const struct {
        size_t lines;
        const char *hunks;
    } cases[] = {
        {11, "@@ -1,5 +1,5 @@\n-a\n-b\n-c\n-d\n-e\n+A\n+B\n+C\n+D\n+E\n"},
        {10, "@@ -1,4 +1,5 @@\n-a\n-b\n-c\n-d\n+A\n+B\n+C\n+D\n+E\n"},
        {7, "@@ -1,3 +1,3 @@\n-a\n-b\n-c\n+A\n+B\n+C\n"},
        {3, "@@ -1 +1 @@\n-a\n+A\n"},
        {2, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_splice splice = {0, 10, EM_LIT(insert)};
        em_diff_limits limits = {.lines = cases[i].lines};
        assert_string_equal(hunks_of("a\nb\nc\nd\ne\n", (em_splices){&splice, 1}, limits, &arena),
                            cases[i].hunks);
    }
}

/* However unlike the sides are, something is shown where the first line of each fits. */
static void a_cut_change_of_unlike_sides_is_shown(void **state)
{
    (void)state;
    EM_AUTO(em_strbuf) text = {0};
    for (size_t i = 0; i < 30; i++)
        em_strbuf_puts(&text, "word ");
    em_strbuf_puts(&text, "\n");
    size_t long_end = text.len;
    for (size_t i = 0; i < 90; i++)
        em_strbuf_puts(&text, "x\n");
    assert_false(text.failed);
    em_slice long_line = em_slice_make(text.ptr, long_end);
    em_slice short_lines = em_slice_make(text.ptr + long_end, text.len - long_end);
    for (int longer_first = 0; longer_first < 2; longer_first++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice old_text = longer_first ? long_line : short_lines;
        em_splice splice = {0, old_text.len, longer_first ? short_lines : long_line};
        em_diff_limits limits = {.bytes = 180};
        em_diff diff = make(old_text, (em_splices){&splice, 1}, limits, &arena);
        assert_true(diff.truncated);
        assert_int_equal(diff.hunk_count, 1);
    }
}

/* ---- Beyond the bounds ---------------------------------------------------------------------- */

/* `count` lines, those with an index from `first` on written as `word`. */
static em_slice numbered(size_t count, size_t first, const char *word, em_arena *arena)
{
    EM_AUTO(em_strbuf) out = {0};
    for (size_t i = 0; i < count; i++)
        em_strbuf_printf(&out, "%s %zu\n", i < first ? "line" : word, i);
    size_t length = out.len;
    return em_slice_make(em_strbuf_finish(&out, arena), length);
}

static em_diff rewrite(em_slice old_text, em_slice new_text, em_arena *arena)
{
    em_splice splice = {0, old_text.len, new_text};
    em_diff diff = make(old_text, (em_splices){&splice, 1}, (em_diff_limits){0}, arena);
    const char *why, *patch = em_diff_render(&diff, names, arena);
    char *found = apply_patch(patch, old_text, false, arena, &why);
    assert_non_null(found);
    assert_true(em_slice_is(new_text, found));
    return diff;
}

/* The fewest changes are looked for up to 1,024 of them; with more, lines that stand once tell. */
static void many_changes(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice old_text = numbered(3000, 3000, "", &arena);
    for (size_t changes = 1024; changes <= 1028; changes += 4) {
        EM_AUTO(em_strbuf) out = {0};
        for (size_t i = 0; i < 3000; i++)
            em_strbuf_printf(&out, "%s %zu\n", i % 5 == 0 && i < changes / 2 * 5 ? "new" : "line",
                             i);
        em_diff diff = rewrite(old_text, em_strbuf_slice(&out), &arena);
        assert_int_equal(diff.lines_removed, changes / 2);
        assert_int_equal(diff.lines_added, changes / 2);
    }
}

/* Where no line between two stands once, and there are too many changes, all of these lines are
 * replaced; what is around them stays. */
static void many_changes_of_lines_like_others(void **state)
{
    (void)state;
    enum { SAME = 2000 };
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) old_text = {0};
    EM_AUTO(em_strbuf) new_text = {0};
    for (size_t i = 0; i < 3 * SAME; i++) {
        bool within = i >= SAME && i < 2 * SAME;
        em_strbuf_printf(&old_text, within ? "%c\n" : "%c %zu\n", "ab"[i % 2], i);
        em_strbuf_printf(&new_text, within ? "%c\n" : "%c %zu\n", "acb"[i % 3], i);
    }
    em_diff diff = rewrite(em_strbuf_slice(&old_text), em_strbuf_slice(&new_text), &arena);
    size_t changed_around = 2 * SAME * 2 / 3 + 1; /* of three lines one is the same */
    assert_true(diff.lines_removed >= SAME && diff.lines_removed <= SAME + changed_around);
}

/* The same for lines: the second half of 120,000 is rewritten but for one in the middle. */
static void many_lines(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice old_text = numbered(60000, 60000, "", &arena);
    EM_AUTO(em_strbuf) out = {0};
    em_strbuf_puts(&out, "first\n");
    em_strbuf_add(&out, old_text);
    em_strbuf_puts(&out, "last\n");
    em_diff diff = rewrite(old_text, em_strbuf_slice(&out), &arena);
    assert_int_equal(diff.lines_removed, 60000);
    assert_int_equal(diff.lines_added, 60002);

    em_diff same = rewrite(old_text, numbered(60000, 59999, "x", &arena), &arena);
    assert_int_equal(same.lines_removed, 1);
    em_diff longer = rewrite(numbered(10, 10, "", &arena), numbered(2000, 10, "x", &arena), &arena);
    assert_int_equal(longer.lines_removed, 0);
    assert_int_equal(longer.lines_added, 1990);
}

/* A word on each of many lines: a hunk is found without looking at the file again. */
static void many_splices(void **state)
{
    (void)state;
    enum { LINES = 50000 };
    EM_AUTO(em_arena) arena = {0};
    em_slice text = numbered(LINES, LINES, "", &arena);
    em_splice *items = em_alloc_array(&arena, LINES, sizeof *items);
    for (size_t step = 1; step <= 10; step += 9) {
        size_t count = 0, line = 0;
        for (size_t at = 0; at < text.len; line++) {
            if (line % step == 0)
                items[count++] = (em_splice){at, 4, EM_LIT("word")};
            at = (size_t)((const char *)memchr(text.ptr + at, '\n', text.len - at) + 1 - text.ptr);
        }
        clock_t start = clock();
        em_diff diff = make(text, (em_splices){items, count}, (em_diff_limits){0}, &arena);
        assert_true(clock() - start < CLOCKS_PER_SEC);
        assert_int_equal(diff.hunk_count, step == 1 ? 1 : count);
        assert_int_equal(diff.lines_added, count);
        const char *why, *patch = em_diff_render(&diff, names, &arena);
        assert_non_null(apply_patch(patch, text, false, &arena, &why));
    }
}

static void out_of_memory(void **state)
{
    (void)state;
    EM_AUTO(em_arena) texts = {0};
    em_slice text = numbered(300, 300, "", &texts);
    em_splice splices[] = {{2, 1, EM_LIT("x")},
                           {200, 90, EM_LIT("\nline\nline 1\n")},
                           {800, 1, EM_LIT("yyyyyyyyyyyyyyyyy")},
                           {1000, 1500, numbered(150, 0, "word", &texts)}};
    em_splices all = {splices, 4};
    em_diff whole = make(text, all, (em_diff_limits){0}, &texts);
    const char *wanted = em_diff_render(&whole, names, &texts);
    em_status status = EM_E_NOMEM;
    for (long fails_at = 0; status != EM_OK; fails_at++) {
        EM_AUTO(em_arena) arena = {0}, rendered = {0};
        em_diff diff;
        mallocs_left = fails_at;
        status = em_diff_make(text, all, (em_diff_limits){0}, &arena, &diff);
        const char *patch = status == EM_OK ? em_diff_render(&diff, names, &rendered) : NULL;
        mallocs_left = -1;
        if (patch)
            assert_string_equal(patch, wanted);
        else if (status == EM_OK)
            status = EM_E_NOMEM;
        assert_true(status == EM_OK ? fails_at > 7 : status == EM_E_NOMEM);
    }
}

/* ---- patch(1) and git-apply(1) -------------------------------------------------------------- */

static void write_file(const char *path, em_slice bytes)
{
    FILE *file = fopen(path, "wb");
    assert_non_null(file);
    assert_int_equal(fwrite(bytes.ptr, 1, bytes.len, file), bytes.len);
    assert_int_equal(fclose(file), 0);
}

static bool file_is(const char *path, const char *wanted)
{
    char bytes[TEXT_MAX * 2];
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t length = fread(bytes, 1, sizeof bytes, file);
    fclose(file);
    return em_slice_is((em_slice){bytes, length}, wanted);
}

static const char *const odd_names[] = {"an \"odd\" n\303\244me.txt", "a name.txt", " in front",
                                        "behind.txt ", "\tand\t"};

/* Run `command` on the patch of random splices, `rounds` times, in an empty folder. */
static void check_command(const char *what, const char *command, const char *folder, size_t rounds)
{
    random_state r = {31};
    assert_int_equal(chdir(folder), 0);
    while (rounds > 0) {
        EM_AUTO(em_arena) arena = {0};
        sample s;
        sample_fill(&r, &s);
        em_diff diff = make(s.text, s.splices, (em_diff_limits){0}, &arena);
        if (diff.hunk_count == 0)
            continue;
        em_diff_names odd = {.path = odd_names[rounds % (sizeof odd_names / sizeof *odd_names)]};
        char *patch = em_diff_render(&diff, odd, &arena);
        write_file(odd.path, s.text);
        write_file("../patch", em_slice_of(patch));
        if (system(command) != 0 || !file_is(odd.path, lay_in(s.text, s.splices, &arena)))
            fail_msg("%s does not take:\n%s", what, patch);
        rounds--;
    }
}

static void real_tools_take_it(void **state)
{
    (void)state;
    static const struct {
        const char *what, *there, *command;
    } tools[] = {
        {"patch", "patch --version >/dev/null 2>&1",
         "patch -p1 --binary --silent --fuzz=0 <../patch"},
        {"git apply", "git --version >/dev/null 2>&1",
         "GIT_CEILING_DIRECTORIES=/ git apply --whitespace=nowarn ../patch"},
    };
    char here[4096], base[] = "/tmp/emend-diff-test-XXXXXX", folder[64];
    assert_non_null(getcwd(here, sizeof here));
    assert_non_null(mkdtemp(base));
    snprintf(folder, sizeof folder, "%s/work", base);
    assert_int_equal(mkdir(folder, 0700), 0);
    for (size_t i = 0; i < sizeof tools / sizeof tools[0]; i++) {
        if (system(tools[i].there) == 0)
            check_command(tools[i].what, tools[i].command, folder, 25);
        else
            print_message("skipped: %s is not installed\n", tools[i].what);
    }
    assert_int_equal(chdir(here), 0);
    assert_int_equal(remove_tree(base), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_splice),
        cmocka_unit_test(two_splices),
        cmocka_unit_test(several_on_one_line),
        cmocka_unit_test(facts),
        cmocka_unit_test(name_lines),
        cmocka_unit_test(lines_that_hold_nul),
        cmocka_unit_test(a_patch_leads_to_the_new_text),
        cmocka_unit_test(a_cut_patch_is_still_one),
        cmocka_unit_test(cut),
        cmocka_unit_test(a_cut_change_shows_both_sides),
        cmocka_unit_test(a_cut_change_of_unlike_sides_is_shown),
        cmocka_unit_test(many_changes),
        cmocka_unit_test(many_changes_of_lines_like_others),
        cmocka_unit_test(many_lines),
        cmocka_unit_test(many_splices),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(real_tools_take_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

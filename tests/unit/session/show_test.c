#include "scratch.h"

#include "base/strbuf.h"
#include "failing_malloc.h"
#include "past/past.h"
#include "sanitized.h"
#include "session/show.h"

#include <string.h>
#include <sys/resource.h>

/* ---- Making something to show --------------------------------------------------------------- */

static void write_whole(scratch *s, const char *path, em_slice text, const char *encoding)
{
    em_op op = {.kind = EM_OP_REWRITE, .insert = text};
    em_edit_request request = {.path = path,
                               .ops = &op,
                               .op_count = 1,
                               .tool = "write",
                               .encoding = encoding,
                               .existence = EM_MAY_EXIST};
    scratch_edit(s, &request);
}

static void write_text(scratch *s, const char *path, const char *text)
{
    write_whole(s, path, em_slice_of(text), NULL);
}

static void replace(scratch *s, const char *path, const char *find, const char *insert)
{
    em_op op = {.kind = EM_OP_REPLACE,
                .find = em_slice_of(find),
                .insert = em_slice_of(insert),
                .expect = EM_EVERY};
    em_edit_request request = {.path = path, .ops = &op, .op_count = 1, .tool = "edit"};
    scratch_edit(s, &request);
}

static em_status show(scratch *s, const char *id, em_shown *shown)
{
    em_row row;
    em_error err = EM_ERROR_INIT;
    em_workspace *ws = em_session_workspace(s->session);
    assert_int_equal(em_past_find(ws, id, false, &s->arena, &row, &err), EM_OK);
    return em_show_change(s->session, &row, &s->arena, shown, &err);
}

static em_shown shown_of(scratch *s, const char *id)
{
    em_shown shown;
    assert_int_equal(show(s, id, &shown), EM_OK);
    return shown;
}

/* The file is gone: the history alone is to tell. */
static void lose(scratch *s, const char *path)
{
    char name[200];
    scratch_path(s, path, name);
    assert_int_equal(unlink(name), 0);
    scratch_forget(s);
}

/* ---- From the history ----------------------------------------------------------------------- */

static void a_change_is_shown_without_its_file(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    write_text(&s, "a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n17\n18\n19");
    em_op ops[] = {
        {.kind = EM_OP_REPLACE,
         .find = EM_LIT("\n2\n"),
         .insert = EM_LIT("\ntwo\n2\n"),
         .expect = 1},
        {.kind = EM_OP_REPLACE, .find = EM_LIT("\n5\n"), .insert = EM_LIT("\n"), .expect = 1},
        {.kind = EM_OP_REPLACE, .find = EM_LIT("19"), .insert = EM_LIT("XIX"), .expect = 1},
    };
    em_edit_request request = {
        .path = "a.txt", .ops = ops, .op_count = 3, .tool = "edit", .want_diff = true};
    em_outcome outcome;
    assert_int_equal(em_run_edit(s.session, &request, &s.arena, &outcome), EM_OK);
    em_diff_names names = {.path = "a.txt"};
    const char *diff = em_diff_render(&outcome.diff, names, &s.arena);
    em_outcome_drop(s.session, &outcome);
    lose(&s, "a.txt");
    em_shown shown = shown_of(&s, "2");
    assert_string_equal(shown.diff, diff);
    assert_int_equal(shown.lines_added, 2);
    assert_int_equal(shown.lines_removed, 2);
    assert_false(shown.is_binary || shown.not_recorded);
    assert_int_equal(shown.missing, 0);
    shown = shown_of(&s, "1");
    assert_true(strncmp(shown.diff, "--- /dev/null\n+++ b/a.txt\n@@ -0,0 +1,19 @@\n+1\n", 40) == 0);
    assert_non_null(strstr(shown.diff, "+19\n\\ No newline at end of file\n"));
}

/* What the diff of the moment said is what is shown later, however the change lies. */
static void many_kinds_of_changes(void **state)
{
    (void)state;
    static const struct {
        const char *before, *find, *insert;
    } cases[] = {
        {"a\n", "a", "b"},
        {"a", "a", "b"},
        {"a\nb", "b", "b\n"},
        {"a\nb\n", "b\n", "b"},
        {"a\nb\nc\n", "a\n", ""},
        {"a\nb\nc\n", "c\n", ""},
        {"x\n1\n2\n3\n4\n5\n6\n7\nx\n8\nx\n", "x", "y\nz"},
        {"x\r\n1\r\nx\r\n", "x", "y"},
        {"x\rx\r", "x", "y"},
        {"one line and only one, without an end", "line", "LINE"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(scratch) s;
        scratch_open(&s, NULL);
        scratch_write(&s, "a.txt", em_slice_of(cases[i].before));
        em_op op = {.kind = EM_OP_REPLACE,
                    .find = em_slice_of(cases[i].find),
                    .insert = em_slice_of(cases[i].insert),
                    .expect = EM_EVERY};
        em_edit_request request = {
            .path = "a.txt", .ops = &op, .op_count = 1, .tool = "edit", .want_diff = true};
        em_outcome outcome;
        em_diff_names names = {.path = "a.txt"};
        assert_int_equal(em_run_edit(s.session, &request, &s.arena, &outcome), EM_OK);
        const char *diff = em_diff_render(&outcome.diff, names, &s.arena);
        em_outcome_drop(s.session, &outcome);
        lose(&s, "a.txt");
        assert_string_equal(shown_of(&s, "1").diff, diff);
    }
}

/* A line is cut where what is kept of it ends, and not taken for the end of the file. */
static void a_very_long_line(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    static char line[10000];
    scratch_open(&s, NULL);
    memset(line, 'x', sizeof line - 1);
    line[5000] = 'o';
    write_text(&s, "a.txt", line);
    replace(&s, "a.txt", "o", "O");
    lose(&s, "a.txt");
    const char *diff = shown_of(&s, "2").diff;
    assert_true(strlen(diff) > 4000 && strlen(diff) < 4300);
    assert_null(strstr(diff, "No newline"));
}

static void other_encodings(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    write_whole(&s, "a.txt", EM_LIT("\xc3\xa4\n\xe2\x82\xac\n"), "utf-16");
    replace(&s, "a.txt", "\xe2\x82\xac", "EUR");
    lose(&s, "a.txt");
    assert_string_equal(shown_of(&s, "2").diff, "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n"
                                                " \xc3\xa4\n-\xe2\x82\xac\n+EUR\n");
}

static void what_is_no_text_has_no_diff(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    scratch_write(&s, "a.bin", EM_LIT("\0\1"));
    write_text(&s, "a.bin", "text");
    em_shown shown = shown_of(&s, "1");
    assert_true(shown.is_binary);
    assert_string_equal(shown.diff, "");
}

/* Only with a named encoding is such a file text. */
static void a_part_that_holds_nul_hides_the_others(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    scratch_write(&s, "a.txt", EM_LIT("\0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n"));
    em_op ops[] = {
        {.kind = EM_OP_REPLACE, .find = EM_LIT("1\n2"), .insert = EM_LIT("2"), .expect = 1},
        {.kind = EM_OP_REPLACE, .find = EM_LIT("12"), .insert = EM_LIT("XII"), .expect = 1},
    };
    em_edit_request request = {
        .path = "a.txt", .ops = ops, .op_count = 2, .tool = "edit", .encoding = "ISO-8859-1"};
    em_outcome outcome;
    assert_int_equal(em_run_edit(s.session, &request, &s.arena, &outcome), EM_OK);
    em_outcome_drop(s.session, &outcome);
    em_shown shown = shown_of(&s, "1");
    assert_string_equal(shown.diff, "Binary files a/a.txt and b/a.txt differ\n");
    assert_int_equal(shown.lines_added, 1);
    assert_int_equal(shown.lines_removed, 2);
}

/* ---- Where the history has not all of it ----------------------------------------------------- */

static void what_is_missing_is_found_in_the_file(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    write_text(&s, "a.txt", "one\ntwo\nthree\n");
    replace(&s, "a.txt", "two", "2");
    const char *diff = shown_of(&s, "2").diff;
    scratch_sql(&s, "UPDATE inverses SET plan = x'010104010374776f' WHERE id = 2");
    assert_string_equal(shown_of(&s, "2").diff, diff);
    replace(&s, "a.txt", "three", "3"); /* back through the history */
    assert_string_equal(shown_of(&s, "2").diff, diff);
    lose(&s, "a.txt");
    em_shown shown = shown_of(&s, "2");
    assert_int_equal(shown.missing, 1);
    assert_non_null(strstr(shown.diff, "-two"));
    scratch_write(&s, "a.txt", EM_LIT("x"));
    scratch_sql(&s, "UPDATE inverses SET plan = x'01010901036f6e65' WHERE id = 2;"
                    "UPDATE commits SET new_hash = '' WHERE id = 2");
    char hash[200];
    snprintf(hash, sizeof hash, "UPDATE commits SET new_hash = '%s' WHERE id = 2",
             em_hash_of(EM_LIT("x")).hex);
    scratch_sql(&s, hash); /* it does not fit what is found */
    assert_int_equal(shown_of(&s, "2").missing, 1);
}

/* The text, so often, in units of one byte or of two; a BOM of two is a unit by itself. */
static void put_wide(em_strbuf *out, size_t unit, const char *text, size_t times)
{
    bool is_mark = text[0] == '\xFF';
    for (; times > 0; times--)
        for (const char *at = text; *at; at++) {
            em_strbuf_putc(out, *at);
            if (unit == 2 && !is_mark)
                em_strbuf_putc(out, '\0');
        }
}

/* Lines that are longer than what is kept around a place, and some that are not. */
static void of_long_lines_a_part_is_shown(void **state)
{
    (void)state;
    static const struct {
        const char *before, *after; /* whole lines, */
        size_t head, tail;          /* and bytes of the line that is changed around the change */
        bool is_cut;
    } cases[] = {
        {"one\ntwo\n", "three\n", 0, 0, false},
        {"one\n", "\ntwo\n", 500, 500, false},
        {"one\n", "\ntwo\n", 1100, 5, true},
        {"one\n", "\ntwo\n", 5, 1100, true},
        {"one\r", "\rtwo\r", 1100, 5, true}, /* to a diff all of it is one line */
        {"one\r", "\rtwo\r", 5, 5, false},
        {"", "", 0, 1100, true},
        {"", "", 1000, 1000, false},
    };
    for (size_t i = 0; i < 2 * COUNT_OF(cases); i++) {
        EM_AUTO(scratch) s;
        EM_AUTO(em_strbuf) text = {0};
        size_t k = i / 2, unit = 1 + i % 2; /* also in UTF-16 */
        scratch_open(&s, NULL);
        put_wide(&text, unit, "\xFF\xFE", unit / 2);
        put_wide(&text, unit, cases[k].before, 1);
        put_wide(&text, unit, "x", cases[k].head / unit);
        put_wide(&text, unit, "old", 1);
        put_wide(&text, unit, "y", cases[k].tail / unit);
        put_wide(&text, unit, cases[k].after, 1);
        scratch_write(&s, "a.txt", em_strbuf_slice(&text));
        replace(&s, "a.txt", "old", "new");
        assert_int_equal(shown_of(&s, "1").has_cut_lines, cases[k].is_cut);
    }
}

/* What is too long for the history is shown from the kept content. */
static void a_very_long_text(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    size_t size = 300000;
    char *text = em_alloc(&s.arena, size + 1);
    for (size_t i = 0; i < size; i++)
        text[i] = i % 50 == 49 ? '\n' : 'x';
    write_text(&s, "a.txt", text);
    em_shown shown = shown_of(&s, "1");
    assert_int_equal(shown.missing, 0);
    assert_int_equal(shown.lines_added, 6000);
    lose(&s, "a.txt");
    shown = shown_of(&s, "1");
    assert_int_equal(shown.missing, 300000);
    assert_string_equal(shown.diff, "");
}

/* Of most of them nothing is kept of what stands between, so each is shown for itself. What that
 * takes grows with their number, not with its square. */
static void very_many_places(void **state)
{
    (void)state;
    enum { PLACES = 20000, MEMORY = 512 << 20 };
    EM_AUTO(scratch) s;
    EM_AUTO(em_strbuf) text = {0};
    scratch_open(&s, NULL);
    for (size_t i = 0; i < PLACES; i++)
        em_strbuf_puts(&text, "abcdefg x");
    write_whole(&s, "a.txt", em_strbuf_slice(&text), NULL);
    replace(&s, "a.txt", "x", "yy");
    struct rlimit before, few;
    assert_int_equal(getrlimit(RLIMIT_DATA, &before), 0);
    few = (struct rlimit){.rlim_cur = MEMORY, .rlim_max = before.rlim_max};
    if (!IS_SANITIZED)
        assert_int_equal(setrlimit(RLIMIT_DATA, &few), 0);
    em_shown shown = shown_of(&s, "2");
    assert_int_equal(setrlimit(RLIMIT_DATA, &before), 0);
    size_t places = 0;
    for (const char *at = shown.diff; (at = strstr(at, "yy")); at += 2)
        places++;
    assert_int_equal(places, PLACES);
}

static void what_left_the_file_as_it_was(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    write_text(&s, "a.txt", "one\n");
    replace(&s, "a.txt", "one", "two");
    scratch_sql(&s, "DELETE FROM inverses");
    scratch_sql(&s, "UPDATE commits SET old_hash = new_hash WHERE id = 2");
    em_shown shown = shown_of(&s, "2");
    assert_false(shown.not_recorded);
    assert_string_equal(shown.diff, "");
}

static void what_was_not_recorded(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    em_shown shown;
    scratch_open(&s, NULL);
    write_text(&s, "a.txt", "one\n");
    scratch_sql(&s, "DELETE FROM inverses");
    shown = shown_of(&s, "1");
    assert_true(shown.not_recorded);
    assert_string_equal(shown.diff, "");
    scratch_sql(&s, "INSERT INTO inverses VALUES(1, x'77')");
    assert_int_equal(show(&s, "1", &shown), EM_E_INVALID);
}

/* ---- In a line ------------------------------------------------------------------------------ */

static em_brief brief_of(scratch *s, const char *id)
{
    em_row row;
    em_brief brief;
    em_error err = EM_ERROR_INIT;
    em_workspace *ws = em_session_workspace(s->session);
    assert_int_equal(em_past_find(ws, id, false, &s->arena, &row, &err), EM_OK);
    assert_int_equal(em_show_brief(s->session, &row, &s->arena, &brief, &err), EM_OK);
    return brief;
}

static void check_slice(const char *what, em_slice got, const char *want)
{
    if (!em_slice_is(got, want))
        fail_msg("%s: \"%.*s\", not \"%s\"", what, (int)got.len, got.len ? got.ptr : "", want);
}

static void a_change_is_told_in_a_line(void **state)
{
    (void)state;
    static const struct {
        const char *text, *find, *insert, *before, *old, *new, *after;
        size_t line;
    } cases[] = {
        {"x = two now\n", "two", "three", "x = ", "two", "three", " now", 1},
        {"1\n2\nkept for 30 days\n", "30", "90", "kept for ", "30", "90", " days", 3},
        {"a\r\nb c\r\nd", "b c", "b x", "b ", "c", "x", "", 2},
        {"f(x)\n", "f(", "f((", "f(", "", "(", "x)", 1},
        {"one\ntwo\n", "two\n", "two\n\nthree\nfour\n", "", "", "three", "", 3},
        {"one\ntwo\nthree\n", "two\nthree", "2", "", "two", "2", "", 2},
        {"one two\n", "one two", "onetwo", "one", " ", "", "two", 1},
    };
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char path[16], id[16];
        snprintf(path, sizeof path, "%zu.txt", i);
        snprintf(id, sizeof id, "%zu", 2 * i + 2);
        write_text(&s, path, cases[i].text);
        replace(&s, path, cases[i].find, cases[i].insert);
        em_brief brief = brief_of(&s, id);
        assert_true(brief.is_known && brief.is_counted && !brief.is_binary);
        check_slice("before", brief.before, cases[i].before);
        check_slice("old", brief.old, cases[i].old);
        check_slice("new", brief.new, cases[i].new);
        check_slice("after", brief.after, cases[i].after);
        assert_int_equal(brief.line, cases[i].line);
    }
}

static void not_every_change_can_be_told_in_a_line(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    write_text(&s, "a.txt", "one\n");
    em_brief brief = brief_of(&s, "1");
    assert_true(brief.is_counted);
    assert_int_equal(brief.lines_added, 1);
    scratch_sql(&s, "UPDATE inverses SET plan = x'010100090100'");
    brief = brief_of(&s, "1");
    assert_true(brief.is_known && brief.is_binary && !brief.is_counted);
    scratch_sql(&s, "UPDATE inverses SET plan = x'0101000901ff'");
    brief = brief_of(&s, "1");
    assert_true(brief.is_known && !brief.is_counted);
    assert_int_equal(brief.line, 0);
    scratch_sql(&s, "UPDATE commits SET new_size = 99999999");
    assert_false(brief_of(&s, "1").is_known);
    scratch_sql(&s, "UPDATE commits SET new_size = 4; DELETE FROM inverses");
    assert_false(brief_of(&s, "1").is_known);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    em_row row;
    em_error err = EM_ERROR_INIT;
    scratch_open(&s, NULL);
    write_whole(&s, "a.txt", EM_LIT("one\ntwo\nthree\n"), "utf-16");
    replace(&s, "a.txt", "two", "2");
    em_workspace *ws = em_session_workspace(s.session);
    assert_int_equal(em_past_find(ws, "2", false, &s.arena, &row, &err), EM_OK);
    for (int early = 0; early < 2; early++) {
        for (long left = 0;; left++) {
            EM_AUTO(em_arena) arena = {0};
            em_shown shown;
            mallocs_left = left;
            em_status status = em_show_change(s.session, &row, &arena, &shown, &err);
            bool enough = mallocs_left > 0;
            mallocs_left = -1;
            assert_true(status == EM_E_NOMEM || status == EM_OK);
            if (enough)
                break;
            assert_true(left < 500);
        }
        scratch_sql(&s, "UPDATE inverses SET plan = x'01010a0206740077006f00' WHERE id = 2");
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_change_is_shown_without_its_file),
        cmocka_unit_test(many_kinds_of_changes),
        cmocka_unit_test(a_very_long_line),
        cmocka_unit_test(other_encodings),
        cmocka_unit_test(what_is_no_text_has_no_diff),
        cmocka_unit_test(a_part_that_holds_nul_hides_the_others),
        cmocka_unit_test(what_is_missing_is_found_in_the_file),
        cmocka_unit_test(of_long_lines_a_part_is_shown),
        cmocka_unit_test(a_very_long_text),
        cmocka_unit_test(very_many_places),
        cmocka_unit_test(what_left_the_file_as_it_was),
        cmocka_unit_test(what_was_not_recorded),
        cmocka_unit_test(a_change_is_told_in_a_line),
        cmocka_unit_test(not_every_change_can_be_told_in_a_line),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

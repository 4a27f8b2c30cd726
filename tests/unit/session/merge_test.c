#include "scratch.h"

#include "base/strbuf.h"
#include "failing_malloc.h"
#include "session/merge.h"

#include <ctype.h>
#include <string.h>

/* A file that the caller has read, and that somebody has changed since. */
typedef struct stale {
    scratch s;
    char hash[33]; /* of what was read */
    em_outcome outcome;
} stale;

static void stale_drop(stale *t)
{
    em_outcome_drop(t->s.session, &t->outcome);
    scratch_drop(&t->s);
}

static void read_file(stale *t)
{
    em_read_request read = {.path = "a.txt", .remember = true};
    em_slice content;
    em_outcome outcome;
    assert_int_equal(em_run_read(t->s.session, &read, &t->s.arena, &content, &outcome), EM_OK);
    strcpy(t->hash, outcome.hash.hex);
    em_outcome_drop(t->s.session, &outcome);
}

static void stale_open_bytes(stale *t, em_slice read, em_slice now)
{
    *t = (stale){.hash = ""};
    scratch_open(&t->s, NULL);
    scratch_write(&t->s, "a.txt", read);
    read_file(t);
    scratch_write(&t->s, "a.txt", now);
}

static void stale_open(stale *t, const char *read, const char *now)
{
    stale_open_bytes(t, em_slice_of(read), em_slice_of(now));
}

static em_status run(stale *t, em_edit_request request, const em_op *ops, size_t count)
{
    em_outcome_drop(t->s.session, &t->outcome);
    request.path = "a.txt";
    request.ops = ops;
    request.op_count = count;
    request.tool = "edit";
    request.want_diff = true;
    return em_run_edit(t->s.session, &request, &t->s.arena, &t->outcome);
}

static em_status merge(stale *t, const em_op *ops, size_t count)
{
    em_edit_request request = {.expected_hash = t->hash, .merge = true};
    return run(t, request, ops, count);
}

static em_op replace(const char *find, const char *insert, size_t expect)
{
    return (em_op){.kind = EM_OP_REPLACE,
                   .find = em_slice_of(find),
                   .insert = em_slice_of(insert),
                   .expect = expect};
}

static void check_failed(const stale *t, em_status status, const char *words)
{
    if (t->outcome.status != status || !strstr(t->outcome.error.detail, words))
        fail_msg("%d: %s", (int)t->outcome.status, t->outcome.error.detail);
}

static void check_told(em_slice have, const char *want)
{
    if (!em_slice_is(have, want))
        fail_msg("\"%.*s\", not \"%s\"", (int)have.len, have.len ? have.ptr : "", want);
}

/* ---- Carrying over ------------------------------------------------------------------------- */

static void a_stale_file_is_edited(void **state)
{
    (void)state;
    EM_AUTO(stale) t;
    stale_open(&t, "1\n2\n3\nx = 1\n", "0\n1\n2\n3\nx = 1\n4\n");
    em_op op = replace("x = 1", "x = 5", 1);
    assert_int_equal(merge(&t, &op, 1), EM_OK);
    check_file(&t.s, "a.txt", EM_LIT("0\n1\n2\n3\nx = 5\n4\n"));
    assert_true(t.outcome.merged);
    assert_int_equal(t.outcome.warnings.count, 1);
    assert_non_null(strstr(t.outcome.warnings.items[0], "carried over"));
    assert_non_null(strstr(t.outcome.warnings.items[0], t.hash));
    em_diff_names names = {.path = "a.txt"};
    assert_string_equal(
        em_diff_render(&t.outcome.diff, names, &t.s.arena),
        "--- a/a.txt\n+++ b/a.txt\n@@ -2,5 +2,5 @@\n 1\n 2\n 3\n-x = 1\n+x = 5\n 4\n");
    assert_int_equal(em_lines_at(&t.outcome.lines, t.outcome.plan.places[0].items[0].start), 5);
    assert_int_equal(t.outcome.plan.replacements, 1);
    assert_string_equal(t.outcome.hash.hex, em_hash_of(EM_LIT("0\n1\n2\n3\nx = 5\n4\n")).hex);
}

static void a_version_may_be_named_in_capitals(void **state)
{
    (void)state;
    EM_AUTO(stale) t;
    stale_open(&t, "1\n2\n3\n", "0\n1\n2\n3\n");
    for (char *at = t.hash; *at; at++)
        *at = (char)toupper(*at);
    em_op op = replace("3", "three", 1);
    assert_int_equal(merge(&t, &op, 1), EM_OK);
    check_file(&t.s, "a.txt", EM_LIT("0\n1\n2\nthree\n"));
}

static void without_being_asked_it_is_a_conflict(void **state)
{
    (void)state;
    EM_AUTO(stale) t;
    stale_open(&t, "1\n", "1\n2\n");
    em_op op = replace("1", "one", 1);
    assert_int_equal(run(&t, (em_edit_request){.expected_hash = t.hash}, &op, 1), EM_E_CONFLICT);
    check_failed(&t, EM_E_CONFLICT, "not the expected");
    check_file(&t.s, "a.txt", EM_LIT("1\n2\n"));
}

static void a_file_that_is_as_it_was_is_not_merged(void **state)
{
    (void)state;
    EM_AUTO(stale) t;
    stale_open(&t, "1\n", "1\n");
    em_op op = replace("1", "one", 1);
    assert_int_equal(merge(&t, &op, 1), EM_OK);
    assert_false(t.outcome.merged);
    assert_int_equal(t.outcome.warnings.count, 0);
}

/* What is one edit in the version that was read is one now, whatever else there is. */
static void what_counts_is_the_version_that_was_read(void **state)
{
    (void)state;
    EM_AUTO(stale) t;
    stale_open(&t, "x\ny\nz\n", "x\ny\nz\nnew\nx = y\n");
    em_op op = replace("x\ny", "X\nY", 1);
    assert_int_equal(merge(&t, &op, 1), EM_OK);
    check_file(&t.s, "a.txt", EM_LIT("X\nY\nz\nnew\nx = y\n"));
    read_file(&t);
    scratch_write(&t.s, "a.txt", EM_LIT("X\nY\nz\nnew\nx = y\nold\n"));
    op = replace("old", "OLD", 1);
    assert_int_equal(merge(&t, &op, 1), EM_E_CONFLICT);
    check_failed(&t, EM_E_CONFLICT, "in the version that was read");
    check_failed(&t, EM_E_CONFLICT, "the edit cannot be made: not_found");
    check_failed(&t, EM_E_CONFLICT,
                 "; in the file as it is now it can be made: send it with expected_hash \"");
    check_failed(&t, EM_E_CONFLICT, em_hash_of(EM_LIT("X\nY\nz\nnew\nx = y\nold\n")).hex);
    assert_false(t.outcome.stale.are_told);
    op = replace("x = y\n", "", 1);
    assert_int_equal(merge(&t, &op, 1), EM_OK);
    check_file(&t.s, "a.txt", EM_LIT("X\nY\nz\nnew\nold\n"));
}

/* Where neither version has what is searched for, the one that there is now is shown. */
static void what_can_be_made_nowhere_is_told_of_the_file_as_it_is(void **state)
{
    (void)state;
    EM_AUTO(stale) t;
    stale_open(&t, "one\ntwo words of a line\n", "one\nnew\ntwo words of this line\n");
    em_op ops[] = {replace("two words on the line", "2", 1), replace("new", "NEW", 1)};
    assert_int_equal(merge(&t, ops, 1), EM_E_CONFLICT);
    check_failed(&t, EM_E_CONFLICT,
                 "; nor can it in the file as it is now: not_found: the search text does not");
    assert_true(t.outcome.stale.are_told && t.outcome.stale.only_alike);
    check_told(t.outcome.stale.now, "two words of this line");
    assert_int_equal(t.outcome.stale.line, 3);
    assert_int_equal(merge(&t, ops, 2), EM_E_CONFLICT);
    check_failed(&t, EM_E_CONFLICT,
                 "; nor can it in the file as it is now: edit 1 of 2: not_found");
    em_op kept = replace("new", "NEW", 1);
    kept.first_line = kept.last_line = 2; /* of the version that was read */
    assert_int_equal(merge(&t, &kept, 1), EM_E_CONFLICT);
    check_failed(&t, EM_E_CONFLICT, "the edit cannot be made");
    assert_null(strstr(t.outcome.error.detail, "as it is now"));
    check_file(&t.s, "a.txt", EM_LIT("one\nnew\ntwo words of this line\n"));
}

static void several_edits(void **state)
{
    (void)state;
    EM_AUTO(stale) t;
    stale_open(&t, "1\n2\n3\n4\n5\n6\n", "0\n1\n2\n3\n4\n5\nsix\n");
    em_op ops[] = {replace("2", "two", 1), replace("two\n3", "2\nthree", 1),
                   replace("5\n", "5\nnew\n", 1)};
    assert_int_equal(merge(&t, ops, 3), EM_OK);
    check_file(&t.s, "a.txt", EM_LIT("0\n1\n2\nthree\n4\n5\nnew\nsix\n"));
    em_edit_request preview = {
        .expected_hash = t.hash, .merge = true, .dry_run = true, .policy = {.keep_previews = true}};
    scratch_write(&t.s, "a.txt", EM_LIT("0\n1\n2\n3\n4\n5\nsix\n"));
    assert_int_equal(run(&t, preview, ops, 1), EM_OK);
    assert_int_equal(t.outcome.plan.preview_count, 1);
    assert_int_equal(t.outcome.plan.previews[0].line, 3);
    check_file(&t.s, "a.txt", EM_LIT("0\n1\n2\n3\n4\n5\nsix\n"));
}

/* Of edits whose texts touch nobody knows any more which brings what: others may not have put
 * anything between the two. */
static void edits_that_touch_go_together(void **state)
{
    (void)state;
    const char *between = "0\na\nN\nb\nc\n", *before = "N\n0\na\nb\nc\n";
    const struct {
        const char *find[2], *insert[2];
        const char *now, *want; /* NULL: it is a conflict */
    } cases[] = {
        {{"a\n", "b"}, {"x\na\n", "y\nb"}, between, NULL},
        {{"a\n", "b"}, {"a2\n", "y\nb"}, between, NULL},
        {{"a\n", "b"}, {"a\nx\n", "b2"}, between, NULL},
        {{"a\n", "b"}, {"a\nx\n", "y\nb"}, between, NULL},
        {{"a\n", "b"}, {"a\nx\n", "b2"}, before, "N\n0\na\nx\nb2\nc\n"},
        {{"a", "b"}, {"a\nx", "y\nb"}, between, "0\na\nx\nN\ny\nb\nc\n"},
        {{"0\n", "b"}, {"0\nx\n", "y\nb"}, between, "0\nx\na\nN\ny\nb\nc\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(stale) t;
        stale_open(&t, "0\na\nb\nc\n", cases[i].now);
        em_op ops[] = {replace(cases[i].find[0], cases[i].insert[0], 1),
                       replace(cases[i].find[1], cases[i].insert[1], 1)};
        if (cases[i].want)
            assert_int_equal(merge(&t, ops, 2), EM_OK);
        else
            assert_int_equal(merge(&t, ops, 2), EM_E_CONFLICT);
        check_file(&t.s, "a.txt", em_slice_of(cases[i].want ? cases[i].want : cases[i].now));
    }
}

/* An answer tells 10,000 places, and of each edit one; those beyond touch as well. */
static void places_that_are_not_told_go_together_too(void **state)
{
    (void)state;
    enum { TOLD = 10000 };
    static const char line[] = "k\n";
    const struct {
        const char *now, *want; /* NULL: it is a conflict */
    } cases[] = {{"0\nwa\nN\nb\nc\n", NULL}, {"N\n0\nwa\nb\nc\n", "N\n0\nwa\nx\nb2\nc\n"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(stale) t;
        EM_AUTO(em_strbuf) read = {0};
        EM_AUTO(em_strbuf) now = {0};
        EM_AUTO(em_strbuf) want = {0};
        for (size_t j = 0; j < TOLD; j++) {
            em_strbuf_puts(&read, line);
            em_strbuf_puts(&now, line);
            em_strbuf_puts(&want, "K\n");
        }
        em_strbuf_puts(&read, "va\n0\nwa\nb\nc\n");
        em_strbuf_printf(&now, "va\n%s", cases[i].now);
        em_strbuf_printf(&want, "va\nx\n%s", cases[i].want ? cases[i].want : "");
        stale_open_bytes(&t, em_strbuf_slice(&read), em_strbuf_slice(&now));
        em_op ops[] = {replace("k", "K", TOLD), replace("a\n", "a\nx\n", 2), replace("b", "b2", 1)};
        em_status status = merge(&t, ops, COUNT_OF(ops));
        assert_int_equal(status, cases[i].want ? EM_OK : EM_E_CONFLICT);
        check_file(&t.s, "a.txt", em_strbuf_slice(cases[i].want ? &want : &now));
        if (!cases[i].want)
            continue;
        assert_int_equal(t.outcome.plan.places[0].count, TOLD);
        assert_int_equal(t.outcome.plan.places[1].count, 1);
        assert_int_equal(t.outcome.plan.places[1].total, 2);
    }
}

/* Which of them touch is not known of all of too many. */
static void too_many_places_are_not_merged(void **state)
{
    (void)state;
    enum { PLACES = 1000 * 1000 };
    EM_AUTO(em_strbuf) read = {0};
    EM_AUTO(em_strbuf) now = {0};
    em_strbuf_puts(&now, "N\n");
    for (size_t i = 0; i < PLACES; i++)
        em_strbuf_puts(&read, "k");
    em_strbuf_add(&now, em_strbuf_slice(&read));
    EM_AUTO(stale) t;
    stale_open_bytes(&t, em_strbuf_slice(&read), em_strbuf_slice(&now));
    em_op ops[] = {replace("k", "K", PLACES), replace("K", "l", PLACES)};
    assert_int_equal(merge(&t, ops, COUNT_OF(ops)), EM_E_CONFLICT);
    assert_int_equal(t.outcome.error.edit, 1);
    check_failed(&t, EM_E_CONFLICT, "too many to be carried over");
}

/* Nor may anything come between a text and the element that it touches, where both are written. */
static void an_edit_goes_together_with_the_element_that_it_touches(void **state)
{
    (void)state;
    static const char read[] = "<p id=x>1</p>\n<p id=y>2</p>\n<p>3</p>\n",
                      between[] = "<p id=x>1</p>\n<!-- N -->\n<p id=y>2</p>\n<p>3</p>\n",
                      before[] = "<!-- N -->\n<p id=x>1</p>\n<p id=y>2</p>\n<p>3</p>\n";
    const em_dom_op without = {
        .selector = EM_LIT("#x"), .action = EM_DOM_REMOVE, .position = EM_DOM_NO_POSITION};
    const em_dom_op with = {.selector = EM_LIT("#x"),
                            .action = EM_DOM_INSERT_ADJACENT_HTML,
                            .value = EM_LIT("<i>I</i>"),
                            .position = EM_DOM_AFTEREND};
    const struct {
        const em_dom_op *dom_op;
        const char *find, *insert, *now, *want; /* NULL: it is a conflict */
    } cases[] = {
        {&without, "<p id=y>", "<b>B</b>\n<p id=y>", between, NULL},
        {&without, "<p id=y>", "<b>B</b>\n<p id=y>", before,
         "<!-- N -->\n<b>B</b>\n<p id=y>2</p>\n<p>3</p>\n"},
        {&without, "<p>3", "<b>B</b>\n<p>3", between,
         "<!-- N -->\n<p id=y>2</p>\n<b>B</b>\n<p>3</p>\n"},
        {&with, "\n<p id=y>", "\n<b>B</b>\n<p id=y>", before,
         "<!-- N -->\n<p id=x>1</p><i>I</i>\n<b>B</b>\n<p id=y>2</p>\n<p>3</p>\n"},
        {&with, "\n<p id=y>", "\n<b>B</b>\n<p id=y>", between, NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(stale) t;
        stale_open(&t, read, cases[i].now);
        em_op op = replace(cases[i].find, cases[i].insert, 1);
        em_edit_request request = {
            .expected_hash = t.hash, .merge = true, .dom_ops = cases[i].dom_op, .dom_op_count = 1};
        if (run(&t, request, &op, 1) != (cases[i].want ? EM_OK : EM_E_CONFLICT))
            fail_msg("%zu: %d: %s", i, (int)t.outcome.status, t.outcome.error.detail);
        check_file(&t.s, "a.txt", em_slice_of(cases[i].want ? cases[i].want : cases[i].now));
    }
}

/* A rewrite changes what it changes, and leaves what others changed. */
static void a_rewrite_is_merged_line_by_line(void **state)
{
    (void)state;
    EM_AUTO(stale) t;
    stale_open(&t, "1\n2\n3\n4\n5\n6\n7\n8\n", "1\n2\n3\n4\nfive\n6\n7\n8\n");
    em_op op = {.kind = EM_OP_REWRITE, .insert = EM_LIT("1\ntwo\n3\n4\n5\n6\n7\n8\n9\n")};
    assert_int_equal(merge(&t, &op, 1), EM_OK);
    check_file(&t.s, "a.txt", EM_LIT("1\ntwo\n3\n4\nfive\n6\n7\n8\n9\n"));
    scratch_write(&t.s, "a.txt", EM_LIT("1\nzwei\n3\n4\n5\n6\n7\n8\n"));
    assert_int_equal(merge(&t, &op, 1), EM_E_CONFLICT);
    check_file(&t.s, "a.txt", EM_LIT("1\nzwei\n3\n4\n5\n6\n7\n8\n"));
}

/* What others have written already is not written once more; nor is it plain what goes first of
 * what two have put between the same lines. */
static void what_stands_there_is_not_written_again(void **state)
{
    (void)state;
    static const struct {
        const char *what, *read, *now, *content;
    } cases[] = {
        {"a line at the top", "a\nb\n", "H\na\nb\n", "H\na\nb\n"},
        {"lines at the top", "a\nb\n", "G\nH\na\nb\n", "G\nH\na\nb\n"},
        {"one of them", "a\nb\n", "H\na\nb\n", "G\nH\na\nb\n"},
        {"another line at the top", "a\nb\n", "G\na\nb\n", "H\na\nb\n"},
        {"a line at the end", "a\nb\n", "a\nb\nT\n", "a\nb\nT\n"},
        {"lines at the end", "a\nb\n", "a\nb\nT\nU\n", "a\nb\nT\nU\n"},
        {"another line at the end", "a\nb\n", "a\nb\nU\n", "a\nb\nT\n"},
        {"a last line without an end", "a\nb", "a\nb\nT", "a\nb\nT"},
        {"at the top, and a further line", "a\nb\n", "H\na\nb\n", "H\na\nB\n"},
        {"at the end, and a further line", "a\nb\nc\n", "a\nb\nc\nT\n", "A\nb\nc\nT\n"},
        {"another at the end, and a further line", "a\nb\nc\n", "a\nb\nc\nU\n", "A\nb\nc\nT\n"},
        {"at both ends", "a\nb\n", "H\na\nb\nT\n", "H\na\nb\nT\n"},
        {"in the middle", "a\nb\n", "a\nM\nb\n", "a\nM\nb\n"},
        {"a line twice", "a\nlog()\nb\n", "a\nlog()\nlog()\nb\n", "a\nlog()\nlog()\nb\n"},
        {"a line twice, and a further line", "a\nlog()\nb\n", "a\nlog()\nlog()\nb\n",
         "a\nlog()\nlog()\nB\n"},
        {"one of two like lines", "a\nl\nl\nb\n", "a\nl\nb\n", "a\nl\nb\nc\n"},
        {"beside a line that is changed", "a\nb\n", "a\nn\nb\n", "a\nn\nB\n"},
        {"in an empty file", "", "a\n", "a\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(stale) t;
        stale_open(&t, cases[i].read, cases[i].now);
        em_op op = {.kind = EM_OP_REWRITE, .insert = em_slice_of(cases[i].content)};
        if (merge(&t, &op, 1) != EM_E_CONFLICT)
            fail_msg("%s: %d", cases[i].what, (int)t.outcome.status);
        assert_true(t.outcome.stale.are_told);
        assert_int_equal(t.outcome.error.edit, EM_NO_EDIT);
        check_file(&t.s, "a.txt", em_slice_of(cases[i].now));
    }
}

/* The same of edits, whose search text is where it was. */
static void nor_by_an_edit(void **state)
{
    (void)state;
    static const struct {
        const char *read, *now, *find, *insert;
        const char *want; /* NULL: a conflict */
    } cases[] = {
        {"a\nb\n", "H\na\nb\n", "a\n", "H\na\n", NULL},
        {"a\nb\n", "H\na\nb\n", "a", "H\na", NULL},
        {"a\nb\n", "a\nb\nT\n", "b\n", "b\nT\n", NULL},
        {"a\nb\nc\n", "a\nN\nb\nc\n", "a\n", "a\nN\n", NULL},
        {"a\nb\nc\n", "a\nN\nO\nB\nc\n", "a\n", "a\nN\nO\n", NULL},
        {"a\nb\nc\n", "a\nO\nb\nc\n", "a\n", "a\nN\nO\n", NULL},
        {"a\nb\nc\n", "a\n}\nB\nc\n", "a\n", "a\n}\n", NULL},
        {"a\nb\nc\n", "a\n{\n  g\n}\nc\n", "a\n", "a\n{\n  f\n}\n", "a\n{\n  f\n}\n{\n  g\n}\nc\n"},
        {"a\nb\nc\n", "a\nB\nc\n", "a\n", "a\nN\n", "a\nN\nB\nc\n"},
        {"a\nb\nc\n", "0\na\nb\nc\n", "a\n", "a\nN\n", "0\na\nN\nb\nc\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(stale) t;
        stale_open(&t, cases[i].read, cases[i].now);
        em_op op = replace(cases[i].find, cases[i].insert, 1);
        em_status status = merge(&t, &op, 1);
        if (status != (cases[i].want ? EM_OK : EM_E_CONFLICT))
            fail_msg("%zu: %d: %s", i, (int)status, t.outcome.error.detail);
        check_file(&t.s, "a.txt", em_slice_of(cases[i].want ? cases[i].want : cases[i].now));
        if (i == 0)
            check_failed(&t, EM_E_CONFLICT, "stands there already");
    }
}

/* A last line that a rewrite leaves open stays the last, or it is a conflict: what others wrote is
 * not joined to it. */
static void a_line_that_is_left_open(void **state)
{
    (void)state;
    static const struct {
        const char *what, *read, *now, *content;
        const char *want; /* NULL: a conflict */
    } cases[] = {
        {"a line at the top", ".venv\nbuild\n", ".venv\nbuild\nnode_modules\n",
         ".env\n.venv\nbuild", NULL},
        {"the last line", "one\ntwo\nthree\n", "one\ntwo\nthree\nfour\n", "one\ntwo\nTHREE", NULL},
        {"CRLF", "1\r\n2\r\n", "1\r\n2\r\n3\r\n", "1\r\nII", NULL},
        {"a line that moved to the end", "a\nb\nc\n", "b\nc\na\n", "a\nb\nc", NULL},
        {"it is the last", "1\n2\n3\n4\n", "eins\n2\n3\n4\n", "1\n2\n3\nIV", "eins\n2\n3\nIV"},
        {"it is ended", "1\n2\n3\n4", "eins\n2\n3\n4", "1\n2\n3\nIV\n", "eins\n2\n3\nIV\n"},
        {"it was open, and is not the last", "1\n2", "1\n2\n3", "1\nII\n", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(stale) t;
        stale_open(&t, cases[i].read, cases[i].now);
        em_op op = {.kind = EM_OP_REWRITE, .insert = em_slice_of(cases[i].content)};
        if (merge(&t, &op, 1) != (cases[i].want ? EM_OK : EM_E_CONFLICT))
            fail_msg("%s: %d: %s", cases[i].what, (int)t.outcome.status, t.outcome.error.detail);
        check_file(&t.s, "a.txt", em_slice_of(cases[i].want ? cases[i].want : cases[i].now));
    }
}

static void so_is_one_that_an_edit_joins(void **state)
{
    (void)state;
    static const struct {
        const char *read, *now, *find, *insert;
        const char *want; /* NULL: a conflict */
    } cases[] = {
        {"import a\nimport c\n\nx = 1\n", "import a\nimport c\nimport d\n\nx = 1\n", "import c\n",
         "import b", NULL},
        {"a\nb\nc\n", "a\nb\nnew\nc\n", "b\n", "B", NULL},
        {"a\nb\nc\n", "a\nb\nC\n", "b\n", "", "a\nC\n"},
        {"a\nb\n", "a\nb\nc\n", "\nb\n", "", NULL},
        {"a\nb\nc\n", "0\na\nb\nc\n", "b\n", "B", "0\na\nBc\n"},
        {"a\nb\nc\nd\n", "a\nb\nc\nnew\nd\n", "b\nc\n", "B ", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(stale) t;
        stale_open(&t, cases[i].read, cases[i].now);
        em_op op = replace(cases[i].find, cases[i].insert, 1);
        if (merge(&t, &op, 1) != (cases[i].want ? EM_OK : EM_E_CONFLICT))
            fail_msg("%zu: %d: %s", i, (int)t.outcome.status, t.outcome.error.detail);
        check_file(&t.s, "a.txt", em_slice_of(cases[i].want ? cases[i].want : cases[i].now));
        assert_int_equal(t.outcome.stale.are_told, !cases[i].want);
    }
}

static void utf16_that_is_left_open(void **state)
{
    (void)state;
    EM_AUTO(stale) t;
    static const char read[] = "\xff\xfe"
                               "a\0\n\0b\0\n\0";
    static const char now[] = "\xff\xfe"
                              "a\0\n\0b\0\n\0c\0\n\0";
    stale_open(&t, "", "");
    scratch_write(&t.s, "a.txt", em_slice_make(read, sizeof read - 1));
    read_file(&t);
    scratch_write(&t.s, "a.txt", em_slice_make(now, sizeof now - 1));
    em_op op = {.kind = EM_OP_REWRITE, .insert = EM_LIT("a\nB")};
    assert_int_equal(merge(&t, &op, 1), EM_E_CONFLICT);
    check_file(&t.s, "a.txt", em_slice_make(now, sizeof now - 1));
}

static void utf16(void **state)
{
    (void)state;
    EM_AUTO(stale) t;
    static const char read[] = "\xff\xfe"
                               "a\0\n\0b\0\n\0";
    static const char now[] = "\xff\xfe"
                              "0\0\n\0a\0\n\0b\0\n\0";
    static const char want[] = "\xff\xfe"
                               "0\0\n\0a\0\n\0B\0\n\0";
    stale_open(&t, "", "");
    scratch_write(&t.s, "a.txt", em_slice_make(read, sizeof read - 1));
    read_file(&t);
    scratch_write(&t.s, "a.txt", em_slice_make(now, sizeof now - 1));
    em_op op = replace("b", "B", 1);
    assert_int_equal(merge(&t, &op, 1), EM_OK);
    check_file(&t.s, "a.txt", em_slice_make(want, sizeof want - 1));
    scratch_write(&t.s, "a.txt", EM_LIT("a\nb\n"));
    assert_int_equal(merge(&t, &op, 1), EM_E_CONFLICT);
    check_failed(&t, EM_E_CONFLICT, "encoding");
}

/* ---- Refusing ------------------------------------------------------------------------------ */

static void both_texts_are_told(void **state)
{
    (void)state;
    EM_AUTO(stale) t;
    stale_open(&t, "1\n2\n3\n", "0\n1\nzwei\n3\n");
    em_op ops[] = {replace("3", "three", 1), replace("2", "two", 1)};
    assert_int_equal(merge(&t, ops, 2), EM_E_CONFLICT);
    check_failed(&t, EM_E_CONFLICT, "are not what was read");
    assert_int_equal(t.outcome.error.cause, EM_CAUSE_CHANGED);
    assert_true(t.outcome.stale.are_told);
    check_told(t.outcome.stale.read, "2\n");
    check_told(t.outcome.stale.now, "zwei\n");
    assert_int_equal(t.outcome.stale.line, 3);
    assert_int_equal(t.outcome.plan.op_count, 0);
    assert_int_equal(t.outcome.error.edit, 1);
    assert_int_equal(t.outcome.done, 0);
    check_file(&t.s, "a.txt", EM_LIT("0\n1\nzwei\n3\n"));
    assert_string_equal(t.outcome.hash.hex, em_hash_of(EM_LIT("0\n1\nzwei\n3\n")).hex);
}

/* The search text holds a line that changed, though the edit would not change it. */
static void all_that_was_searched_for_must_be_there(void **state)
{
    (void)state;
    EM_AUTO(stale) t;
    stale_open(&t, "1\n2\n3\n", "eins\n2\n3\n");
    em_op op = replace("1\n2", "1\ntwo", 1);
    assert_int_equal(merge(&t, &op, 1), EM_E_CONFLICT);
    assert_int_equal(t.outcome.error.edit, 0);
    assert_int_equal(t.outcome.done, 0);
    check_told(t.outcome.stale.read, "1\n2\n");
    check_told(t.outcome.stale.now, "eins\n2\n");
}

static void a_place_must_be_plain(void **state)
{
    (void)state;
    EM_AUTO(stale) t;
    stale_open(&t, "a\n}\n", "a\n}\nb\n}\n");
    em_op op = replace("}", "x", 1);
    assert_int_equal(merge(&t, &op, 1), EM_E_CONFLICT);
    check_failed(&t, EM_E_CONFLICT, "which of several like lines");
}

/* A last line without its ending is one of them. */
static void a_like_line_may_be_left_open(void **state)
{
    (void)state;
    static const struct {
        const char *read, *now;
    } cases[] = {
        {"a\nb\n", "b\na\nb"},
        {"one\nb\n", "zero\nb\none\nb"},
    };
    for (size_t i = 0; i < 2 * COUNT_OF(cases); i++) {
        EM_AUTO(stale) t;
        const char *read = cases[i / 2].read, *now = cases[i / 2].now;
        char text[16];
        sprintf(text, "%.*sX\n", (int)(strlen(read) - 2), read);
        em_op line = {
            .kind = EM_OP_REPLACE, .find = EM_LIT("b\n"), .insert = EM_LIT("X\n"), .expect = 1};
        em_op whole = {.kind = EM_OP_REWRITE, .insert = em_slice_of(text)};
        stale_open(&t, read, now);
        assert_int_equal(merge(&t, i % 2 ? &whole : &line, 1), EM_E_CONFLICT);
        check_file(&t.s, "a.txt", em_slice_of(now));
    }
}

/* Where it is is plain, but others have written the like. */
static void what_is_searched_for_must_be_the_only_one(void **state)
{
    (void)state;
    static const struct {
        em_op op;
        em_status want;
        const char *words;
    } cases[] = {
        {{.find = {"foo", 3}, .insert = {"bar", 3}, .expect = 1},
         EM_E_CONFLICT,
         "stands there 2 times now, not 1"},
        {{.find = {"fo+", 3}, .insert = {"bar", 3}, .expect = 1, .regex = true},
         EM_E_CONFLICT,
         "stands there 2 times now, not 1"},
        {{.find = {"foo", 3}, .insert = {"bar", 3}, .expect = EM_EVERY}, EM_OK, ""},
        {{.find = {"foo\nb", 5}, .insert = {"bar\nb", 5}, .expect = 1}, EM_OK, ""},
        {{.find = {"foo", 3}, .insert = {"bar", 3}, .expect = 1, .first_line = 2, .last_line = 2},
         EM_OK,
         ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(stale) t;
        stale_open(&t, "a\nfoo\nb\n", "a\nfoo\nb\nfoo\n");
        assert_int_equal(merge(&t, &cases[i].op, 1), cases[i].want);
        check_failed(&t, cases[i].want, cases[i].words);
        check_file(&t.s, "a.txt",
                   em_slice_of(cases[i].want == EM_OK ? "a\nbar\nb\nfoo\n" : "a\nfoo\nb\nfoo\n"));
        assert_int_equal(t.outcome.done, cases[i].want == EM_OK);
    }
}

/* An edit of all places leaves those that came since, and says so. */
static void places_that_came_since_are_told(void **state)
{
    (void)state;
    static const struct {
        const char *now;
        em_op ops[2];
        const char *want, *warning; /* NULL: none */
    } cases[] = {
        {"foo\nbar\nfoo\n",
         {{.find = {"foo", 3}, .insert = {"X", 1}, .expect = EM_EVERY},
          {.find = {"bar", 3}, .insert = {"Y", 1}, .expect = EM_EVERY}},
         "X\nY\nfoo\n",
         "Edit 1: of the 2 places that it would change in the file as it is now, 1 came after the "
         "version that was read, and was left as it is. If it is meant too, change it with the "
         "hash of this answer"},
        {"foo\nbar\nbar foo bar\n",
         {{.find = {"foo", 3}, .insert = {"X", 1}, .expect = EM_EVERY, .first_line = 1},
          {.find = {"bar", 3}, .insert = {"Y", 1}, .expect = EM_EVERY}},
         "X\nY\nbar foo bar\n",
         NULL},
        {"foo\nbar\nbar bar\n",
         {{.find = {"fo+", 3}, .insert = {"X", 1}, .expect = EM_EVERY, .regex = true},
          {.find = {"ba.", 3}, .insert = {"Y", 1}, .expect = EM_EVERY, .regex = true}},
         "X\nY\nbar bar\n",
         "Edit 2: of the 3 places that it would change in the file as it is now, 2 came after the "
         "version that was read, and were left as they are. If they are meant too, change them "
         "with the hash of this answer"},
        {"foo\nbar\nnew\n",
         {{.find = {"foo", 3}, .insert = {"X", 1}, .expect = EM_EVERY},
          {.find = {"bar", 3}, .insert = {"Y", 1}, .expect = EM_EVERY}},
         "X\nY\nnew\n",
         NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(stale) t;
        stale_open(&t, "foo\nbar\n", cases[i].now);
        assert_int_equal(merge(&t, cases[i].ops, 2), EM_OK);
        check_file(&t.s, "a.txt", em_slice_of(cases[i].want));
        assert_int_equal(t.outcome.warnings.count, cases[i].warning ? 2 : 1);
        if (cases[i].warning)
            assert_string_equal(t.outcome.warnings.items[0], cases[i].warning);
    }
}

static void a_version_that_is_not_kept(void **state)
{
    (void)state;
    EM_AUTO(stale) t;
    stale_open(&t, "1\n", "1\n2\n");
    scratch_forget(&t.s);
    em_op op = replace("1", "one", 1);
    assert_int_equal(merge(&t, &op, 1), EM_E_CONFLICT);
    check_failed(&t, EM_E_CONFLICT, "not kept any more");
    strcpy(t.hash, "nonsense");
    assert_int_equal(merge(&t, &op, 1), EM_E_CONFLICT);
    check_failed(&t, EM_E_CONFLICT, "not the expected nonsense");
    char path[200];
    scratch_path(&t.s, "a.txt", path);
    assert_int_equal(unlink(path), 0);
    em_edit_request request = {.expected_hash = t.hash, .merge = true, .existence = EM_MAY_EXIST};
    op = (em_op){.kind = EM_OP_REWRITE, .insert = EM_LIT("x")};
    assert_int_equal(run(&t, request, &op, 1), EM_E_CONFLICT);
    check_failed(&t, EM_E_CONFLICT, "the file is gone");
}

/* Placeholders are asked for as ever. */
static void other_rules_hold(void **state)
{
    (void)state;
    EM_AUTO(stale) t;
    stale_open(&t, "1\n2\n", "1\n2\n3\n");
    em_op op = replace("1\n2\n", "1\n// ... existing code ...\n", 1);
    assert_int_equal(merge(&t, &op, 1), EM_E_CONFLICT);
    check_failed(&t, EM_E_CONFLICT, "placeholder");
    check_file(&t.s, "a.txt", EM_LIT("1\n2\n3\n"));
}

/* What an op that fails does to those before it, the policy says; whether it fails in the version
 * that was read, or cannot be carried over. */
static void what_went_before_a_failure_may_be_kept(void **state)
{
    (void)state;
    static const struct {
        const char *finds[3];
        size_t done;
        const char *words, *want;
    } cases[] = {
        {{"1", "nowhere", "4"}, 1, "not_found", "one\n2\ndrei\n4\n5\n"},
        {{"nowhere", "1", "4"}, 0, "not_found", "1\n2\ndrei\n4\n5\n"},
        {{"1", "3", "4"}, 1, "are not what was read", "one\n2\ndrei\n4\n5\n"},
        {{"4", "1", "3"}, 2, "are not what was read", "one\n2\ndrei\none\n5\n"},
        {{"3", "1", "4"}, 0, "are not what was read", "1\n2\ndrei\n4\n5\n"},
        {{"1", "3", "nowhere"}, 1, "are not what was read", "one\n2\ndrei\n4\n5\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(stale) t;
        stale_open(&t, "1\n2\n3\n4\n", "1\n2\ndrei\n4\n5\n");
        em_op ops[3];
        for (size_t k = 0; k < 3; k++)
            ops[k] = replace(cases[i].finds[k], "one", 1);
        em_edit_request request = {
            .expected_hash = t.hash, .merge = true, .policy = {.extent = EM_AS_FAR_AS_OK}};
        assert_int_equal(merge(&t, ops, 3), EM_E_CONFLICT);
        assert_int_equal(t.outcome.done, 0);
        check_file(&t.s, "a.txt", EM_LIT("1\n2\ndrei\n4\n5\n"));
        assert_int_equal(run(&t, request, ops, 3), EM_E_CONFLICT);
        check_failed(&t, EM_E_CONFLICT, cases[i].words);
        assert_int_equal(t.outcome.done, cases[i].done);
        assert_int_equal(t.outcome.error.edit, cases[i].done);
        assert_int_equal(t.outcome.merged, cases[i].done > 0);
        check_file(&t.s, "a.txt", em_slice_of(cases[i].want));
    }
}

/* ---- What was read is remembered ------------------------------------------------------------ */

static void the_last_read_says_what_was_read(void **state)
{
    (void)state;
    EM_AUTO(stale) t;
    stale_open(&t, "1\n2\n", "1\n2\n3\n");
    em_op op = replace("1", "one", 1);
    em_edit_request request = {.merge = true, .recall = EM_RECALL_READ};
    assert_int_equal(run(&t, request, &op, 1), EM_OK);
    assert_true(t.outcome.merged);
    check_file(&t.s, "a.txt", EM_LIT("one\n2\n3\n"));
    read_file(&t);
    int64_t size = 8, other = 5, mtime = 1;
    scratch_write(&t.s, "a.txt", EM_LIT("one\n2\n3\n4\n"));
    op = replace("one", "1", 1);
    request.expected_size = &other;
    assert_int_equal(run(&t, request, &op, 1), EM_E_CONFLICT); /* not what it read */
    request.expected_size = &size;
    request.expected_mtime_ms = &mtime;
    assert_int_equal(run(&t, request, &op, 1), EM_E_CONFLICT);
    request.expected_mtime_ms = NULL;
    assert_int_equal(run(&t, request, &op, 1), EM_OK);
    assert_true(t.outcome.merged);
}

/* From what an edit left, too: its answer has told the hash. */
static void what_an_edit_left_is_a_version(void **state)
{
    (void)state;
    EM_AUTO(stale) t;
    stale_open(&t, "1\n2\n", "1\n2\n");
    for (int i = 0; i < 3; i++) {
        em_op op = i == 0   ? replace("1", "one", 1)
                   : i == 1 ? replace("one", "eins", 1)
                            : replace("eins", "un", 1);
        assert_int_equal(run(&t, (em_edit_request){.merge = true}, &op, 1), EM_OK);
        if (i == 1)
            strcpy(t.hash, t.outcome.hash.hex);
    }
    scratch_write(&t.s, "a.txt", EM_LIT("eins\n2\n3\n"));
    em_op op = replace("eins", "1", 1);
    assert_int_equal(merge(&t, &op, 1), EM_OK);
    check_file(&t.s, "a.txt", EM_LIT("1\n2\n3\n"));
}

/* Again and again, with a little more memory each time. */
static void run_short_of_memory(em_edit_request request, const char *read, const char *now,
                                const char *after)
{
    for (long left = 0;; left++) {
        EM_AUTO(stale) t;
        stale_open(&t, read, now);
        request.expected_hash = t.hash;
        EM_AUTO(em_arena) arena = {0};
        mallocs_left = left;
        em_status status = em_run_edit(t.s.session, &request, &arena, &t.outcome);
        bool enough = mallocs_left > 0;
        mallocs_left = -1;
        bool done = em_slice_is(scratch_read(&t.s, "a.txt"), after);
        assert_true(status == EM_OK ? done : status == EM_E_NOMEM);
        em_outcome_drop(t.s.session, &t.outcome);
        if (enough)
            break;
        assert_true(left < 1000);
    }
}

static void memory_may_run_out(void **state)
{
    (void)state;
    em_op op = replace("2", "two", 1);
    em_dom_op dom_op = {.selector = EM_LIT("p"),
                        .action = EM_DOM_SET_TEXT,
                        .value = EM_LIT("two"),
                        .position = EM_DOM_NO_POSITION};
    em_edit_request request = {.path = "a.txt",
                               .ops = &op,
                               .op_count = 1,
                               .tool = "edit",
                               .merge = true,
                               .policy = {.keep_previews = true}};
    run_short_of_memory(request, "1\n2\n3\n", "0\n1\n2\n3\n", "0\n1\ntwo\n3\n");
    op.expect = EM_EVERY;
    run_short_of_memory(request, "1\n2\n3\n", "1\n2\n3\n12\n", "1\ntwo\n3\n12\n");
    request.ops = NULL;
    request.op_count = 0;
    request.dom_ops = &dom_op;
    request.dom_op_count = 1;
    run_short_of_memory(request, "1\n<p>2</p>\n3\n", "0\n1\n<p>2</p>\n3\n",
                        "0\n1\n<p>two</p>\n3\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stale_file_is_edited),
        cmocka_unit_test(a_version_may_be_named_in_capitals),
        cmocka_unit_test(without_being_asked_it_is_a_conflict),
        cmocka_unit_test(a_file_that_is_as_it_was_is_not_merged),
        cmocka_unit_test(what_counts_is_the_version_that_was_read),
        cmocka_unit_test(what_can_be_made_nowhere_is_told_of_the_file_as_it_is),
        cmocka_unit_test(several_edits),
        cmocka_unit_test(edits_that_touch_go_together),
        cmocka_unit_test(places_that_are_not_told_go_together_too),
        cmocka_unit_test(too_many_places_are_not_merged),
        cmocka_unit_test(an_edit_goes_together_with_the_element_that_it_touches),
        cmocka_unit_test(a_rewrite_is_merged_line_by_line),
        cmocka_unit_test(what_stands_there_is_not_written_again),
        cmocka_unit_test(nor_by_an_edit),
        cmocka_unit_test(a_line_that_is_left_open),
        cmocka_unit_test(so_is_one_that_an_edit_joins),
        cmocka_unit_test(utf16_that_is_left_open),
        cmocka_unit_test(utf16),
        cmocka_unit_test(both_texts_are_told),
        cmocka_unit_test(all_that_was_searched_for_must_be_there),
        cmocka_unit_test(a_place_must_be_plain),
        cmocka_unit_test(a_like_line_may_be_left_open),
        cmocka_unit_test(what_is_searched_for_must_be_the_only_one),
        cmocka_unit_test(places_that_came_since_are_told),
        cmocka_unit_test(a_version_that_is_not_kept),
        cmocka_unit_test(other_rules_hold),
        cmocka_unit_test(what_went_before_a_failure_may_be_kept),
        cmocka_unit_test(the_last_read_says_what_was_read),
        cmocka_unit_test(what_an_edit_left_is_a_version),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

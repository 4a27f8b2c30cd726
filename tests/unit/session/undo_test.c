#include "saved.h"

#include "failing_malloc.h"
#include "past/checkpoints.h"
#include "session/undo.h"

#include <fcntl.h>
#include <string.h>
#include <sys/wait.h>

/* ---- Making something to undo --------------------------------------------------------------- */

/* One change of a call; `continues`: of the call before. */
static void edit_part(scratch *s, const char *path, const char *find, const char *insert,
                      bool continues)
{
    em_op op = {.kind = EM_OP_REPLACE,
                .find = em_slice_of(find),
                .insert = em_slice_of(insert),
                .expect = 1};
    em_edit_request request = {
        .path = path, .ops = &op, .op_count = 1, .tool = "edit", .continues = continues};
    scratch_edit(s, &request);
}

static void edit(scratch *s, const char *path, const char *find, const char *insert)
{
    edit_part(s, path, find, insert, false);
}

static void create(scratch *s, const char *path, const char *text)
{
    save_by_emend(s, path, text, false);
}

/* ---- Undoing ------------------------------------------------------------------------------- */

static em_undo_outcome run(scratch *s, em_undo_request request)
{
    em_undo_outcome outcome;
    request.tool = request.what == EM_REWIND ? "rewind" : request.what == EM_REDO ? "redo" : "undo";
    em_status status = em_run_undo(s->session, &request, &s->arena, &outcome);
    assert_int_equal(status, outcome.status);
    if (status != EM_OK && status != EM_E_NOMEM)
        assert_int_equal(outcome.error.code, status);
    return outcome;
}

static em_undo_outcome undo(scratch *s, const char *id)
{
    return run(s, (em_undo_request){.what = EM_UNDO, .id = id});
}

static em_undo_outcome redo(scratch *s, const char *id)
{
    return run(s, (em_undo_request){.what = EM_REDO, .id = id});
}

static void check_done(const em_undo_outcome *outcome, size_t files)
{
    if (outcome->status != EM_OK)
        fail_msg("%s", outcome->error.detail);
    assert_int_equal(outcome->file_count, files);
}

#define UNDO(s, id, files)                                                                         \
    do {                                                                                           \
        em_undo_outcome undone = undo((s), (id));                                                  \
        check_done(&undone, (files));                                                              \
    } while (0)
#define REDO(s, id, files)                                                                         \
    do {                                                                                           \
        em_undo_outcome redone = redo((s), (id));                                                  \
        check_done(&redone, (files));                                                              \
    } while (0)

static void check_failed(em_undo_outcome outcome, em_status status, const char *words)
{
    if (outcome.status != status || !strstr(outcome.error.detail, words))
        fail_msg("%d: %s", (int)outcome.status, outcome.error.detail);
}

static void check_told(em_slice have, const char *want)
{
    if (!em_slice_is(have, want))
        fail_msg("\"%.*s\", not \"%s\"", (int)have.len, have.len ? have.ptr : "", want);
}

/* ---- One change ---------------------------------------------------------------------------- */

static void the_last_is_undone_and_the_one_before(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\ntwo\nthree\n");
    edit(&s, "a.txt", "one", "1");
    edit(&s, "a.txt", "three", "3");
    em_undo_outcome first = run(&s, (em_undo_request){.what = EM_UNDO, .want_diff = true});
    check_done(&first, 1);
    check(&s, "a.txt", "1\ntwo\nthree\n");
    assert_int_equal(first.role, EM_ROLE_UNDO);
    assert_true(strncmp(first.call_id, "2-", 2) == 0);
    assert_string_equal(first.call_tool, "edit");
    assert_true(strncmp(first.files[0].edit_id, "3-", 2) == 0);
    assert_string_equal(first.files[0].rel, "a.txt");
    assert_string_equal(first.files[0].hash.hex, em_hash_of(EM_LIT("1\ntwo\nthree\n")).hex);
    assert_string_equal(first.files[0].diff, "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,3 @@\n 1\n two\n"
                                             "-3\n+three\n");
    UNDO(&s, NULL, 1);
    check(&s, "a.txt", "one\ntwo\nthree\n");
    check_failed(undo(&s, NULL), EM_E_NOT_FOUND, "there is nothing to undo");
    check_history(&s, 4, 4);
}

static void what_was_undone_is_done_again(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\ntwo\n");
    edit(&s, "a.txt", "one", "1");
    edit(&s, "a.txt", "two", "2");
    check_failed(redo(&s, NULL), EM_E_NOT_FOUND, "there is nothing to redo");
    UNDO(&s, NULL, 1);
    UNDO(&s, NULL, 1);
    REDO(&s, NULL, 1);
    check(&s, "a.txt", "1\ntwo\n");
    em_undo_outcome again = redo(&s, NULL);
    check(&s, "a.txt", "1\n2\n");
    assert_int_equal(again.role, EM_ROLE_REDO);
    assert_string_equal(again.call_tool, "edit");
    check_failed(redo(&s, NULL), EM_E_NOT_FOUND, "there is nothing to redo");
    UNDO(&s, NULL, 1);
    UNDO(&s, NULL, 1);
    check(&s, "a.txt", "one\ntwo\n");
    REDO(&s, NULL, 1);
    check(&s, "a.txt", "1\ntwo\n");
}

static void a_call_is_named_by_an_id(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\ntwo\nthree\n");
    edit(&s, "a.txt", "one", "1");   /* 1 */
    edit(&s, "a.txt", "three", "3"); /* 2 */
    UNDO(&s, "1", 1);                /* 3 */
    check(&s, "a.txt", "one\ntwo\n3\n");
    check_failed(undo(&s, "1"), EM_E_INVALID, "1 is undone already, by 3-");
    check_failed(redo(&s, "2"), EM_E_INVALID, "2 was not undone");
    REDO(&s, "1", 1); /* 4 */
    check(&s, "a.txt", "1\ntwo\n3\n");
    check_failed(redo(&s, "1"), EM_E_INVALID, "1 is done again already, by 4-");
    check_failed(redo(&s, "4"), EM_E_INVALID, "is itself what did something again");
    check_failed(undo(&s, "3"), EM_E_INVALID, "3 does not hold any more: since then there was 4-");
    UNDO(&s, "4", 1); /* 5 */
    check(&s, "a.txt", "one\ntwo\n3\n");
    UNDO(&s, "5", 1); /* 6: an undoing is undone */
    check(&s, "a.txt", "1\ntwo\n3\n");
    UNDO(&s, "1", 1);
    check(&s, "a.txt", "one\ntwo\n3\n");
    check_failed(undo(&s, "99"), EM_E_NOT_FOUND, "there is no change 99 here");
}

/* ---- Files that have changed since ---------------------------------------------------------- */

static void elsewhere_others_may_have_changed_it(void **state)
{
    (void)state;
    for (int kept = 0; kept < 2; kept++) {
        EM_AUTO(scratch) s;
        scratch_open(&s, NULL);
        save(&s, "a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
        edit(&s, "a.txt", "5", "five");
        if (!kept)
            scratch_forget(&s);
        save(&s, "a.txt", "0\n1\n2\n3\n4\nfive\n6\n7\n8\n9\nnine\n");
        UNDO(&s, NULL, 1);
        check(&s, "a.txt", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\nnine\n");
        edit(&s, "a.txt", "\n5\n", "\nV\n");
        if (!kept)
            scratch_forget(&s);
        save(&s, "a.txt", "1\n2\n3\n4\nV\nsix\n7\n8\n9\nnine\n"); /* the next line */
        UNDO(&s, NULL, 1);
        check(&s, "a.txt", "1\n2\n3\n4\n5\nsix\n7\n8\n9\nnine\n");
    }
}

/* What somebody changed at the place stays, and is told. */
static void at_the_place_nothing_is_touched(void **state)
{
    (void)state;
    for (int kept = 0; kept < 2; kept++) {
        EM_AUTO(scratch) s;
        scratch_open(&s, NULL);
        save(&s, "a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
        edit(&s, "a.txt", "5", "five");
        if (!kept)
            scratch_forget(&s);
        save(&s, "a.txt", "0\n1\n2\n3\n4\nfive!\n6\n7\n8\n9\n");
        em_undo_outcome outcome = undo(&s, NULL);
        check_failed(outcome, EM_E_CONFLICT, "a.txt ");
        assert_string_equal(outcome.conflict.path, "a.txt");
        assert_true(outcome.conflict.has_was && outcome.conflict.has_now);
        check_told(outcome.conflict.was, kept ? "five\n" : "five");
        check_told(outcome.conflict.now, kept ? "five!\n" : "1\n2\n3\n4\nfive!\n6\n7\n");
        assert_int_equal(outcome.conflict.line, kept ? 6 : 2);
        check(&s, "a.txt", "0\n1\n2\n3\n4\nfive!\n6\n7\n8\n9\n");
        assert_int_equal(outcome.file_count, 0);
    }
}

/* Where what stood around the change shows its place, nothing is in the way, though it is not where
 * what the change left leads to. */
static void what_was_moved_is_found_and_no_conflict(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "a\nb\nd\ne\nd\nd\na\nc\n");
    edit(&s, "a.txt", "b", "y");
    save(&s, "a.txt", "a\nd\nd\na\ny\nd\ne\nc\n");
    em_undo_outcome outcome = undo(&s, NULL);
    check_done(&outcome, 1);
    check(&s, "a.txt", "a\nd\nd\na\nb\nd\ne\nc\n");
    assert_null(outcome.conflict.path);
    assert_false(outcome.conflict.has_was || outcome.conflict.has_now);
    assert_int_equal(outcome.error.code, EM_OK);
    assert_string_equal(outcome.error.detail, "");
}

static void a_place_must_be_plain(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "x\ny\nz\n");
    edit(&s, "a.txt", "y", "Y");
    save(&s, "a.txt", "x\nY\nz\nx\nY\nz\n");
    check_failed(undo(&s, NULL), EM_E_CONFLICT, "which of several like lines");
    scratch_forget(&s);
    check_failed(undo(&s, NULL), EM_E_CONFLICT, "not there any more, or not once");
    save(&s, "a.txt", "x\nY\nq\nx\nr\nz\n"); /* the lines with those on one side are enough */
    UNDO(&s, NULL, 1);
    check(&s, "a.txt", "x\ny\nq\nx\nr\nz\n");
}

/* What stands around one of them is not enough where it is known that either may be it. */
static void like_lines_around_make_no_place_plain(void **state)
{
    (void)state;
    static const char twice[] = "{\n  c\n}\n{\n  c\n}\n{\n  b\n}\n";
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "{\n  a\n}\n{\n  b\n}\n");
    edit(&s, "a.txt", "a", "c");
    save(&s, "a.txt", twice);
    check_failed(undo(&s, NULL), EM_E_CONFLICT, "which of several like lines");
    check(&s, "a.txt", twice);
}

/* Of lines of the change and their like beside it one is gone: it may be either's. */
static void like_lines_beside_the_change_may_be_what_is_left(void **state)
{
    (void)state;
    static const struct {
        const char *was, *find, *insert, *now;
    } cases[] = {
        {"x\na\nb\ny\n", "x\n", "x\nq\na\n", "x\nq\na\nb\ny\n"},
        {"a\nb\n", "a\n", "a\na\na\n", "a\na\nb\n"},
        {"x\na\nb\n", "a\n", "a\na\na\n", "x\na\na\nb\n"},
        {"x\na\nb\ny\n", "a\n", "a\nq\na\n", "x\nq\na\nb\ny\n"},
        {"x\na\nb\ny\n", "a\n", "a\na\nq\n", "x\na\nq\nb\ny\n"},
        {"d\nb\nc\nc\nb\na\n", "d\nb\n", "d\nc\n", "d\nc\nc\nb\na\n"},
        {"A {\n  x;\n}\n", "  x;\n}\n", "  x;\n  g() {\n  }\n}\n}\n",
         "A {\n  x;\n  g() {\n  }\n}\n"},
    };
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        EM_AUTO(scratch) s;
        scratch_open(&s, NULL);
        save(&s, "a.txt", cases[i / 2].was);
        edit(&s, "a.txt", cases[i / 2].find, cases[i / 2].insert);
        save(&s, "a.txt", cases[i / 2].now);
        if (i % 2 == 1)
            scratch_forget(&s);
        check_failed(undo(&s, NULL), EM_E_CONFLICT, "changed");
        check(&s, "a.txt", cases[i / 2].now);
    }
}

/* Several places of one change, together or not at all. */
static void all_places_or_none(void **state)
{
    (void)state;
    static const char before[] = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\n15\n16\n";
    static const char after[] = "1\nB\n3\nD\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\nO\n16\n";
    for (int kept = 0; kept < 2; kept++) {
        EM_AUTO(scratch) s;
        scratch_open(&s, NULL);
        em_op ops[] = {
            {.kind = EM_OP_REPLACE,
             .find = EM_LIT("\n2\n"),
             .insert = EM_LIT("\nB\n"),
             .expect = 1},
            {.kind = EM_OP_REPLACE,
             .find = EM_LIT("\n4\n"),
             .insert = EM_LIT("\nD\n"),
             .expect = 1},
            {.kind = EM_OP_REPLACE, .find = EM_LIT("15"), .insert = EM_LIT("O"), .expect = 1},
        };
        em_edit_request request = {.path = "a.txt", .ops = ops, .op_count = 3, .tool = "edit"};
        em_outcome outcome;
        save(&s, "a.txt", before);
        assert_int_equal(em_run_edit(s.session, &request, &s.arena, &outcome), EM_OK);
        em_outcome_drop(s.session, &outcome);
        check(&s, "a.txt", after);
        char text[200] = "new\n";
        strcat(text, after);
        if (!kept)
            scratch_forget(&s);
        save(&s, "a.txt", text);
        UNDO(&s, NULL, 1);
        strcpy(text, "new\n");
        strcat(text, before);
        check(&s, "a.txt", text);
        REDO(&s, NULL, 1);
        if (!kept)
            scratch_forget(&s);
        save(&s, "a.txt", "new\n1\nB\n3\nD\n5\n6\n7\n8\n9\n10\n11\n12\n13\n14\nQ\n16\n");
        check_failed(undo(&s, NULL), EM_E_CONFLICT, "a.txt");
    }
}

static void parts_that_were_moved_are_refused(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    em_op ops[] = {
        {.kind = EM_OP_REPLACE, .find = EM_LIT("b"), .insert = EM_LIT("B"), .expect = 1},
        {.kind = EM_OP_REPLACE, .find = EM_LIT("y"), .insert = EM_LIT("Y"), .expect = 1},
    };
    em_edit_request request = {.path = "a.txt", .ops = ops, .op_count = 2, .tool = "edit"};
    em_outcome outcome;
    save(&s, "a.txt", "1\n2\n3\nb\n4\n5\n6\n\n\n\n\n7\n8\n9\ny\n10\n11\n12\n");
    assert_int_equal(em_run_edit(s.session, &request, &s.arena, &outcome), EM_OK);
    em_outcome_drop(s.session, &outcome);
    scratch_forget(&s);
    save(&s, "a.txt", "7\n8\n9\nY\n10\n11\n12\n1\n2\n3\nB\n4\n5\n6\n\n");
    check_failed(undo(&s, NULL), EM_E_CONFLICT, "its parts were moved");
}

/* A rewrite is taken back piece by piece, where the version that it left is known. */
static void a_rewrite_is_taken_back_where_it_changed_something(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
    create(&s, "a.txt", "1\ntwo\n3\n4\n5\n6\n7\neight\n9\n");
    save(&s, "a.txt", "1\ntwo\n3\n4\nfive\n6\n7\neight\n9\n");
    UNDO(&s, NULL, 1);
    check(&s, "a.txt", "1\n2\n3\n4\nfive\n6\n7\n8\n9\n");
}

static void insertions_and_deletions(void **state)
{
    (void)state;
    for (int kept = 0; kept < 2; kept++) {
        EM_AUTO(scratch) s;
        scratch_open(&s, NULL);
        save(&s, "a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n");
        edit(&s, "a.txt", "4\n", "");
        edit(&s, "a.txt", "7\n", "7\nnew\n");
        if (!kept)
            scratch_forget(&s);
        save(&s, "a.txt", "0\n1\n2\n3\n5\n6\n7\nnew\n8\n");
        UNDO(&s, "1", 1);
        check(&s, "a.txt", "0\n1\n2\n3\n4\n5\n6\n7\nnew\n8\n");
        UNDO(&s, "2", 1);
        check(&s, "a.txt", "0\n1\n2\n3\n4\n5\n6\n7\n8\n");
        REDO(&s, "1", 1);
        if (!kept)
            scratch_forget(&s);
        save(&s, "a.txt", "0\n1\n2\n3\nother\n5\n6\n7\n8\n");
        check_failed(undo(&s, "1"), EM_E_CONFLICT, "a.txt");
    }
}

static void a_file_that_was_emptied(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "1\n2\n");
    create(&s, "a.txt", "");
    scratch_forget(&s);
    save(&s, "a.txt", "other\n");
    check_failed(undo(&s, NULL), EM_E_CONFLICT, "a.txt");
    save(&s, "a.txt", "");
    UNDO(&s, NULL, 1);
    check(&s, "a.txt", "1\n2\n");
}

/* In UTF-16 a byte 0A that is no line end is none. */
static void units_of_two_bytes(void **state)
{
    (void)state;
    static const char text[] = "\xff\xfe"
                               "1\0\n\0\x0a\x0a\n\0"
                               "3\0\n\0";
    for (int kept = 0; kept < 2; kept++) {
        EM_AUTO(scratch) s;
        char more[64];
        scratch_open(&s, NULL);
        scratch_write(&s, "a.txt", em_slice_make(text, sizeof text - 1));
        edit(&s, "a.txt", "3", "drei");
        em_slice now = scratch_read(&s, "a.txt");
        memcpy(more, now.ptr, now.len);
        memcpy(more + now.len, "4\0\n\0", 4);
        if (!kept)
            scratch_forget(&s);
        scratch_write(&s, "a.txt", em_slice_make(more, now.len + 4));
        UNDO(&s, NULL, 1);
        memcpy(more, text, sizeof text - 1);
        memcpy(more + sizeof text - 1, "4\0\n\0", 4);
        check_file(&s, "a.txt", em_slice_make(more, sizeof text + 3));
    }
}

/* Each character of a text as one of `unit` bytes, behind a BOM. */
static em_slice widened(scratch *s, const char *text, size_t unit, bool is_big)
{
    size_t length = (strlen(text) + 1) * unit;
    char *wide = em_alloc(&s->arena, length);
    assert_non_null(wide);
    wide[is_big ? unit - 2 : 0] = is_big ? '\xfe' : '\xff';
    wide[is_big ? unit - 1 : 1] = is_big ? '\xff' : '\xfe';
    for (size_t i = 0; text[i]; i++)
        wide[(i + 1) * unit + (is_big ? unit - 1 : 0)] = text[i];
    return em_slice_make(wide, length);
}

/* Lines that end with CR do so in units of two and four bytes, too. */
static void lines_of_wide_characters(void **state)
{
    (void)state;
    for (int i = 0; i < 8; i++) {
        EM_AUTO(scratch) s;
        size_t unit = i & 1 ? 4 : 2;
        bool is_big = i & 2, kept = i & 4;
        scratch_open(&s, NULL);
        scratch_write(&s, "a.txt", widened(&s, "1\r2\r3\r4\r5\r6\r", unit, is_big));
        edit(&s, "a.txt", "5", "five");
        if (!kept)
            scratch_forget(&s);
        scratch_write(&s, "a.txt", widened(&s, "0\r1\r2\r3\r4\rfive\r6\r", unit, is_big));
        UNDO(&s, NULL, 1);
        check_file(&s, "a.txt", widened(&s, "0\r1\r2\r3\r4\r5\r6\r", unit, is_big));
    }
}

/* ---- Files that come and go ---------------------------------------------------------------- */

static void a_creation_is_undone_by_removing(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    char path[200];
    struct stat stat_of;
    scratch_open(&s, NULL);
    create(&s, "d/e/new.txt", "new\n");
    scratch_path(&s, "d/e/new.txt", path);
    assert_int_equal(chmod(path, 0640), 0);
    em_undo_outcome gone = run(&s, (em_undo_request){.what = EM_UNDO, .want_diff = true});
    check_done(&gone, 1);
    assert_int_equal(gone.files[0].how, EM_UNDONE_REMOVED);
    assert_string_equal(gone.files[0].hash.hex, "");
    assert_string_equal(gone.files[0].diff,
                        "--- a/d/e/new.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-new\n");
    scratch_path(&s, "d", path);
    assert_int_equal(access(path, F_OK), -1); /* the folders that were made for it are gone too */
    em_undo_outcome back = redo(&s, NULL);
    check_done(&back, 1);
    assert_int_equal(back.files[0].how, EM_UNDONE_MADE);
    check(&s, "d/e/new.txt", "new\n");
    scratch_path(&s, "d/e/new.txt", path);
    assert_int_equal(stat(path, &stat_of), 0);
    assert_int_equal(stat_of.st_mode & 07777, 0640);
    UNDO(&s, NULL, 1);
    check(&s, "d/e/new.txt", NULL);
    save(&s, "other.txt", "");
    create(&s, "d/e/new.txt", "another\n");
    em_undo_outcome there = redo(&s, "1");
    check_failed(there, EM_E_CONFLICT, "is there again");
    check_told(there.conflict.now, "another\n");
}

static void a_creation_that_changed_stays(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    create(&s, "new.txt", "new\n");
    save(&s, "new.txt", "mine\n");
    em_undo_outcome outcome = undo(&s, NULL);
    check_failed(outcome, EM_E_CONFLICT, "was changed since it was made");
    check_told(outcome.conflict.now, "mine\n");
    check(&s, "new.txt", "mine\n");
    char path[200];
    scratch_path(&s, "new.txt", path);
    assert_int_equal(unlink(path), 0);
    check_failed(undo(&s, NULL), EM_E_CONFLICT, "is not there any more");
    save(&s, "a.txt", "one\n");
    edit(&s, "a.txt", "one", "1");
    scratch_path(&s, "a.txt", path);
    assert_int_equal(unlink(path), 0);
    check_failed(undo(&s, NULL), EM_E_CONFLICT, "is not there any more");
}

/* A path that was a file and leads elsewhere now is not followed. */
static void a_link_is_not_followed(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    char path[200];
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\n");
    save(&s, "b.txt", "1\n");
    edit(&s, "a.txt", "one", "1");
    scratch_path(&s, "a.txt", path);
    assert_int_equal(unlink(path), 0);
    assert_int_equal(symlink("b.txt", path), 0);
    em_undo_outcome outcome = undo(&s, NULL);
    check_failed(outcome, EM_E_CONFLICT, "a.txt leads to another file now: b.txt");
    assert_int_equal(outcome.error.cause, EM_CAUSE_CHANGED);
    assert_string_equal(outcome.conflict.path, "a.txt");
    check(&s, "b.txt", "1\n");
}

/* How many edits of it have failed in a row, with this one, for the caller `session`. */
static size_t miss(scratch *s, const char *path, const char *session)
{
    em_op op = {.kind = EM_OP_REPLACE, .find = EM_LIT("no such"), .insert = {"x", 1}, .expect = 1};
    em_edit_request request = {
        .path = path, .ops = &op, .op_count = 1, .tool = "edit", .session = session};
    em_outcome outcome;
    assert_int_equal(em_run_edit(s->session, &request, &s->arena, &outcome), EM_E_NO_MATCH);
    em_outcome_drop(s->session, &outcome);
    return outcome.misses;
}

static void what_is_undone_starts_the_count_of_mistakes_again(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\n");
    save(&s, "b.txt", "one\n");
    edit(&s, "a.txt", "one", "1");
    assert_int_equal(miss(&s, "a.txt", NULL), 1);
    assert_int_equal(miss(&s, "b.txt", NULL), 1);
    assert_int_equal(miss(&s, "a.txt", "other"), 1);
    UNDO(&s, NULL, 1);
    assert_int_equal(miss(&s, "a.txt", NULL), 1);
    assert_int_equal(miss(&s, "b.txt", NULL), 2);
    assert_int_equal(miss(&s, "a.txt", "other"), 2);
    REDO(&s, NULL, 1);
    assert_int_equal(miss(&s, "a.txt", NULL), 1);
    save(&s, "a.txt", "uno\n");
    check_failed(undo(&s, NULL), EM_E_CONFLICT, "was changed at the place");
    assert_int_equal(miss(&s, "a.txt", NULL), 2);
}

/* ---- Several files ------------------------------------------------------------------------- */

static void whole_calls_at_a_time(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\n");
    save(&s, "b.txt", "one\n");
    edit(&s, "a.txt", "one", "1");
    edit_part(&s, "b.txt", "one", "1", true);
    save_by_emend(&s, "c.txt", "new\n", true);
    em_undo_outcome outcome = undo(&s, "2");
    check_done(&outcome, 3);
    check(&s, "a.txt", "one\n");
    check(&s, "b.txt", "one\n");
    check(&s, "c.txt", NULL);
    REDO(&s, NULL, 3);
    check(&s, "c.txt", "new\n");
    save(&s, "b.txt", "x\n");
    check_failed(undo(&s, NULL), EM_E_CONFLICT, "b.txt");
    check(&s, "a.txt", "1\n"); /* all or nothing */
    check(&s, "c.txt", "new\n");
}

/* One was made for a file of the call, and one in that for another; in a server old files are kept
 * in them for a while. */
static void folders_of_several_files(void **state)
{
    (void)state;
    static const char *const files[][2] = {
        {"n/2", "n/x/1"}, {"n/x/1", "n/2"}, {"n/x/1", "n/y/2"}, {"n/x/1", "n/x/y/2"}};
    for (size_t i = 0; i < 2 * COUNT_OF(files); i++) {
        EM_AUTO(scratch) s;
        char path[200];
        em_session_options options = {.workspace.grace_ms = i % 2 ? 5000 : 0};
        scratch_open(&s, &options);
        create(&s, files[i / 2][0], "1\n");
        save_by_emend(&s, files[i / 2][1], "2\n", true);
        UNDO(&s, NULL, 2);
        scratch_path(&s, "n", path);
        assert_int_equal(access(path, F_OK), -1);
    }
}

/* A file that one call changed twice. */
static void the_same_file_twice(void **state)
{
    (void)state;
    for (int kept = 0; kept < 2; kept++) {
        EM_AUTO(scratch) s;
        scratch_open(&s, NULL);
        save(&s, "a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n");
        edit(&s, "a.txt", "2", "two");
        edit_part(&s, "a.txt", "8", "eight", true);
        if (!kept)
            scratch_forget(&s);
        save(&s, "a.txt", "0\n1\ntwo\n3\n4\n5\n6\n7\neight\n9\n");
        UNDO(&s, NULL, 1);
        check(&s, "a.txt", "0\n1\n2\n3\n4\n5\n6\n7\n8\n9\n");
        REDO(&s, NULL, 1);
        check(&s, "a.txt", "0\n1\ntwo\n3\n4\n5\n6\n7\neight\n9\n");
    }
}

/* ---- Checkpoints --------------------------------------------------------------------------- */

static em_undo_outcome rewind_to(scratch *s, const char *name)
{
    return run(s, (em_undo_request){.what = EM_REWIND, .checkpoint = name});
}

static void mark(scratch *s, const char *name)
{
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_past_mark(em_session_workspace(s->session), name, &err), EM_OK);
}

static void everything_since_a_checkpoint(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    check_failed(rewind_to(&s, "x"), EM_E_NOT_FOUND, "there is no checkpoint x here");
    save(&s, "a.txt", "1\n2\n3\n");
    save(&s, "b.txt", "1\n");
    edit(&s, "a.txt", "1", "eins"); /* 1, before */
    mark(&s, "x");
    em_undo_outcome nothing = rewind_to(&s, "x");
    check_done(&nothing, 0);
    UNDO(&s, NULL, 1);              /* 2: what was done before is undone since */
    edit(&s, "a.txt", "3", "drei"); /* 3 */
    edit(&s, "a.txt", "2", "zwei"); /* 4 */
    edit(&s, "b.txt", "1", "one");  /* 5 */
    create(&s, "c/d.txt", "new\n"); /* 6 */
    edit(&s, "c/d.txt", "new", "newer");
    em_undo_outcome outcome = rewind_to(&s, "x");
    check_done(&outcome, 3);
    assert_int_equal(outcome.calls, 5);
    check(&s, "a.txt", "eins\n2\n3\n");
    check(&s, "b.txt", "1\n");
    check(&s, "c/d.txt", NULL);
    check_failed(undo(&s, "4"), EM_E_INVALID, "undone already");
    check_failed(redo(&s, "4"), EM_E_INVALID, "undone together with others");
    UNDO(&s, "1", 1); /* which is in effect again */
    REDO(&s, "1", 1);
    check_failed(undo(&s, "8"), EM_E_INVALID, "does not hold any more");
}

/* Changes of a file that follow one on the other are one: what they changed in the end. */
static void many_changes_of_a_file(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "1\n2\n3\n4\n5\n");
    mark(&s, "x");
    for (int i = 0; i < 50; i++) {
        char from[16], to[16];
        snprintf(from, sizeof from, i == 0 ? "2" : "v%d", i);
        snprintf(to, sizeof to, "v%d", i + 1);
        edit(&s, "a.txt", from, to);
    }
    edit(&s, "a.txt", "\n5\n", "\nfive\n");
    edit(&s, "a.txt", "five", "5");
    save(&s, "a.txt", "0\n1\nv50\n3\n4\nfuenf\n");
    em_undo_outcome outcome = rewind_to(&s, "x");
    check_done(&outcome, 1);
    check(&s, "a.txt", "0\n1\n2\n3\n4\nfuenf\n");
    REDO(&s, NULL, 1);
    check(&s, "a.txt", "0\n1\nv50\n3\n4\nfuenf\n");
    save(&s, "a.txt", "0\n1\nw50\n3\n4\nfuenf\n");
    outcome = rewind_to(&s, "x");
    check_failed(outcome, EM_E_CONFLICT, "was changed at the place since");
    check_told(outcome.conflict.was, "v50\n");
    check_told(outcome.conflict.now, "w50\n");
    scratch_forget(&s);
    check_failed(rewind_to(&s, "x"), EM_E_CONFLICT, "a.txt");
}

/* Then each is sought by what stood around it. */
static void many_changes_of_which_no_content_is_kept(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n");
    mark(&s, "x");
    edit(&s, "a.txt", "3", "three");
    edit(&s, "a.txt", "three", "drei");
    edit(&s, "a.txt", "12", "zwoelf");
    save(&s, "a.txt", "1\n2\ndrei\n4\n5\nsix\n7\n8\n9\n10\n11\nzwoelf\n");
    scratch_forget(&s);
    em_undo_outcome outcome = rewind_to(&s, "x");
    check_done(&outcome, 1);
    check(&s, "a.txt", "1\n2\n3\n4\n5\nsix\n7\n8\n9\n10\n11\n12\n");
    REDO(&s, NULL, 1);
    save(&s, "a.txt", "1\n2\nThree\n4\n5\nsix\n7\n8\n9\n10\n11\nzwoelf\n");
    scratch_forget(&s);
    outcome = rewind_to(&s, "x");
    check_failed(outcome, EM_E_CONFLICT, "a.txt");
    check_told(outcome.conflict.was, "drei");
    assert_string_equal(outcome.conflict.path, "a.txt");
}

/* Where one of them cannot be taken back none is. */
static void a_damaged_change_among_many(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "1\n2\n3\n");
    mark(&s, "x");
    edit(&s, "a.txt", "1", "one");
    edit(&s, "a.txt", "2", "two");
    edit(&s, "a.txt", "3", "three");
    static const char *const damages[] = {
        "UPDATE inverses SET plan = x'01010004024141' WHERE id = 2",
        "UPDATE inverses SET plan = x'0101ff01010141' WHERE id = 2",
        "UPDATE inverses SET plan = x'77' WHERE id = 2",
    };
    for (size_t i = 0; i < COUNT_OF(damages); i++) {
        scratch_sql(&s, damages[i]);
        check_failed(rewind_to(&s, "x"), EM_E_IO, "damaged");
    }
    scratch_sql(&s, "DELETE FROM inverses WHERE id = 2");
    check_failed(rewind_to(&s, "x"), EM_E_CONFLICT, "was not recorded");
    check(&s, "a.txt", "one\ntwo\nthree\n");
}

static void a_rewind_is_taken_back(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "1\n2\n3\n");
    mark(&s, "x");
    edit(&s, "a.txt", "1", "eins");
    edit(&s, "a.txt", "2", "zwei");
    create(&s, "b.txt", "new\n");
    em_undo_outcome outcome = rewind_to(&s, "x");
    check_done(&outcome, 2);
    em_undo_outcome again = redo(&s, NULL);
    check_done(&again, 2);
    assert_string_equal(again.call_tool, "rewind");
    check(&s, "a.txt", "eins\nzwei\n3\n");
    check(&s, "b.txt", "new\n");
    UNDO(&s, "2", 1); /* each is in effect again, and undone alone */
    check(&s, "a.txt", "eins\n2\n3\n");
    mark(&s, "y");
    edit(&s, "a.txt", "3", "drei");
    mark(&s, "z");
    scratch_sql(&s, "UPDATE checkpoints SET id = 900, time = time + 1 WHERE name = 'z'");
    mark(&s, "last");
    scratch_sql(&s, "UPDATE checkpoints SET id = 901, time = time + 2 WHERE name = 'last'");
    scratch_sql(&s, "INSERT INTO settings VALUES('forgotten', 900)");
    outcome = rewind_to(&s, "y");
    assert_true(outcome.is_forgotten);
    check_failed(outcome, EM_E_NOT_FOUND,
                 "not in the history any more; the oldest checkpoint to which there is a way back "
                 "is z");
    scratch_sql(&s, "UPDATE settings SET value = 999 WHERE name = 'forgotten'");
    outcome = rewind_to(&s, "y");
    check_failed(outcome, EM_E_NOT_FOUND, "not in the history any more");
    assert_null(strstr(outcome.error.detail, "way back"));
    outcome = rewind_to(&s, "unknown");
    assert_false(outcome.is_forgotten);
}

/* A file was made and taken back, and what has its name now, or that of its folder, is of another
 * kind: there is nothing to be done about it. */
static void what_came_to_nothing_is_in_no_way(void **state)
{
    static const char *const names[][2] = {{"p", "p/q"}, {"p/q", "p"}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        EM_AUTO(scratch) s;
        scratch_open(&s, NULL);
        mark(&s, "x");
        create(&s, names[i][0], "one\n");
        UNDO(&s, NULL, 1);
        create(&s, names[i][1], "two\n");
        em_undo_outcome outcome = rewind_to(&s, "x");
        check_done(&outcome, 1);
        check(&s, names[i][1], NULL);
        REDO(&s, NULL, 1);
        check(&s, names[i][1], "two\n");
        outcome = redo(&s, "1"); /* which has something to do there */
        check_failed(outcome, EM_E_CONFLICT, names[i][0]);
    }
}

/* Of all that was done since nothing is left, and none of it can be opened. */
static void a_rewind_of_which_nothing_can_be_opened(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    char path[200];
    scratch_open(&s, NULL);
    mark(&s, "x");
    create(&s, "p", "one\n");
    UNDO(&s, NULL, 1);
    scratch_path(&s, "p", path);
    assert_int_equal(mkdir(path, 0755), 0);
    em_undo_outcome outcome = rewind_to(&s, "x");
    check_done(&outcome, 0);
}

/* ---- Whose ---------------------------------------------------------------------------------- */

static void the_last_of_a_session(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    em_session *other;
    em_error err = EM_ERROR_INIT;
    save(&s, "a.txt", "1\n2\n3\n");
    edit(&s, "a.txt", "1", "eins");
    assert_int_equal(em_session_new(&s.options, &other, &err), EM_OK);
    em_session *own = s.session;
    s.session = other;
    edit(&s, "a.txt", "2", "zwei");
    s.session = own;
    em_undo_request last = {.what = EM_UNDO, .own = true};
    em_undo_outcome outcome = run(&s, last);
    check_done(&outcome, 1);
    check(&s, "a.txt", "1\nzwei\n3\n");
    check_failed(run(&s, last), EM_E_NOT_FOUND, "nothing to undo in this session");
    REDO(&s, "1", 1);
    outcome = run(&s, last);
    check_done(&outcome, 1);
    check(&s, "a.txt", "1\nzwei\n3\n");
    last.session = "a name";
    check_failed(run(&s, last), EM_E_NOT_FOUND, "nothing to undo");
    em_rows rows;
    assert_int_equal(em_undoable(s.session, NULL, 5, &s.arena, &rows, &err), EM_OK);
    assert_int_equal(rows.count, 1);
    assert_int_equal(rows.items[0].id, 2);
    em_session_free(other);
}

/* Of calls that are made side by side the last is the last that came. */
static void the_last_of_a_turn(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    static const struct {
        const char *name;
        uint64_t turn;
    } edits[] = {{"a", 1}, {"e", 5}, {"c", 3}, {"b", 2}, {"x", 0}, {"d", 4}};
    em_session *other, *own = s.session;
    assert_int_equal(em_session_new(&s.options, &other, NULL), EM_OK);
    em_session_join(other, own); /* of the same session, but nobody knows when */
    for (size_t i = 0; i < COUNT_OF(edits); i++) {
        save(&s, edits[i].name, "one\n");
        em_session_set_turn(own, edits[i].turn, 8);
        s.session = edits[i].turn > 0 ? own : other;
        edit(&s, edits[i].name, "one", "1");
    }
    s.session = own;
    const char *const order[] = {"e", "d", "x", "c", "b", "a"};
    for (size_t i = 0; i < COUNT_OF(order); i++) {
        em_session_set_turn(own, 6 + i, 8);
        em_undo_outcome outcome = run(&s, (em_undo_request){.what = EM_UNDO, .own = true});
        check_done(&outcome, 1);
        assert_string_equal(outcome.files[0].rel, order[i]);
    }
    check_failed(run(&s, (em_undo_request){.what = EM_UNDO, .own = true}), EM_E_NOT_FOUND,
                 "nothing");
    em_session_free(other);
}

/* More than are looked at together. */
static void far_back(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "0\n");
    for (int i = 0; i < 70; i++) {
        char from[16], to[16];
        snprintf(from, sizeof from, "%d\n", i);
        snprintf(to, sizeof to, "%d\n", i + 1);
        edit(&s, "a.txt", from, to);
    }
    for (int i = 0; i < 70; i++)
        UNDO(&s, NULL, 1);
    check(&s, "a.txt", "0\n");
    check_failed(undo(&s, NULL), EM_E_NOT_FOUND, "nothing");
    em_rows rows;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_undoable(s.session, NULL, 5, &s.arena, &rows, &err), EM_OK);
    assert_int_equal(rows.count, 0);
    assert_int_equal(em_redoable(s.session, NULL, 5, &s.arena, &rows, &err), EM_OK);
    assert_int_equal(rows.count, 5);
    assert_int_equal(rows.items[0].id, 140);
}

static void check_undoable(scratch *s, size_t count, const int64_t *ids)
{
    em_rows rows;
    assert_int_equal(em_undoable(s->session, NULL, 5, &s->arena, &rows, NULL), EM_OK);
    assert_int_equal(rows.count, count);
    for (size_t i = 0; i < count; i++)
        assert_int_equal(rows.items[i].id, ids[i]);
}

/* Each edit once, by its own number, whatever was done about it since. */
static void the_last_edits_are_listed_once(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "1\n");
    edit(&s, "a.txt", "1", "2");
    UNDO(&s, "1", 1);
    UNDO(&s, "2", 1);
    check_undoable(&s, 1, (const int64_t[]){1});
    char from[2] = "2", to[2] = "3";
    for (; to[0] <= '8'; from[0]++, to[0]++)
        edit(&s, "a.txt", from, to); /* numbers 4 to 9 */
    for (int i = 0; i < 3; i++)
        UNDO(&s, NULL, 1);
    check_undoable(&s, 4, (const int64_t[]){6, 5, 4, 1});
    for (int i = 0; i < 3; i++)
        REDO(&s, NULL, 1);
    check_undoable(&s, 5, (const int64_t[]){9, 8, 7, 6, 5});
    save(&s, "b.txt", "1\n");
    save(&s, "c.txt", "1\n");
    edit(&s, "b.txt", "1", "2");
    edit_part(&s, "c.txt", "1", "2", true);
    /* with another between its files */
    scratch_sql(
        &s,
        "UPDATE commits SET id = 30 WHERE path = 'b.txt'; UPDATE commits SET id = 25 WHERE id = 9");
    check_undoable(&s, 5, (const int64_t[]){17, 25, 8, 7, 6});
}

/* What others read is not made theirs by an undo; who knew the file knows it still. */
static void what_was_read_is_known_after(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\n");
    edit(&s, "a.txt", "one", "1");
    em_read_request read = {.path = "a.txt", .remember = true};
    em_slice content;
    em_outcome outcome;
    assert_int_equal(em_run_read(s.session, &read, &s.arena, &content, &outcome), EM_OK);
    em_outcome_drop(s.session, &outcome);
    UNDO(&s, NULL, 1);
    em_op op = {.kind = EM_OP_REPLACE, .find = EM_LIT("one"), .insert = EM_LIT("uno"), .expect = 1};
    em_edit_request request = {
        .path = "a.txt", .ops = &op, .op_count = 1, .recall = EM_RECALL_READ, .tool = "edit"};
    assert_int_equal(em_run_edit(s.session, &request, &s.arena, &outcome), EM_OK);
    em_outcome_drop(s.session, &outcome);
}

/* ---- What cannot be undone ------------------------------------------------------------------ */

static void outside_the_roots_it_is_unknown(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\n");
    edit(&s, "a.txt", "one", "1");
    edit(&s, "a.txt", "1", "eins");
    edit(&s, "a.txt", "eins", "un");
    scratch_sql(&s,
                "UPDATE commits SET root = '/elsewhere' WHERE id = 3;"
                "UPDATE commits SET call = (SELECT call FROM commits WHERE id = 3) WHERE id = 2");
    check_failed(undo(&s, "3"), EM_E_NOT_FOUND, "there is no change 3 here");
    check_failed(undo(&s, "2"), EM_E_OUTSIDE, "cannot be reached here");
    em_undo_outcome last = undo(&s, NULL); /* no older one is taken for it */
    check_failed(last, EM_E_OUTSIDE, "change 2 of a.txt, by edit, also changed files");
    check_failed(last, EM_E_OUTSIDE, "another change can be named by its number");
    check_failed(undo(&s, NULL), EM_E_OUTSIDE,
                 "(--root), and no rule may deny them; emend log --all");
    em_undo_outcome own = run(&s, (em_undo_request){.what = EM_UNDO, .id = "2", .own = true});
    check_failed(own, EM_E_OUTSIDE, "(--root), and no rule may deny them");
    assert_null(strstr(own.error.detail, "emend log")); /* a model types no commands */
    check(&s, "a.txt", "un\n");
    scratch_sql(&s, "UPDATE commits SET new_hash = (SELECT new_hash FROM commits WHERE id = 3)"
                    " WHERE id = 1");
    save(&s, "a.txt", "1\n");
    UNDO(&s, "1", 1);
    check(&s, "a.txt", "one\n");
}

/* Nor is an undoing of it passed over, nor what did it again. */
static void what_is_in_reach_in_part_is_not_passed_over(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\n");
    save(&s, "b.txt", "one\n");
    save(&s, "c.txt", "one\n");
    edit(&s, "a.txt", "one", "1");
    UNDO(&s, NULL, 1);
    mark(&s, "x");
    edit(&s, "b.txt", "one", "1");
    edit_part(&s, "c.txt", "one", "1", true);
    UNDO(&s, NULL, 2);
    scratch_sql(&s, "UPDATE commits SET root = '/elsewhere' WHERE path = 'b.txt'");
    check_failed(redo(&s, NULL), EM_E_OUTSIDE, "change 6 of c.txt, by undo, also changed files");
    check(&s, "a.txt", "one\n");
    scratch_sql(&s, "UPDATE commits SET root = (SELECT root FROM commits WHERE path = 'c.txt')");
    REDO(&s, NULL, 2);
    REDO(&s, NULL, 1);
    UNDO(&s, "9", 1);
    scratch_sql(&s, "UPDATE commits SET root = '/elsewhere' WHERE path = 'b.txt'");
    check_failed(undo(&s, NULL), EM_E_OUTSIDE, "change 8 of c.txt, by redo, also changed files");
    check_failed(undo(&s, "4"), EM_E_OUTSIDE, "change 4 of c.txt, by edit, also changed files");
    check_failed(rewind_to(&s, "x"), EM_E_OUTSIDE, "change 4 of c.txt, by edit, also changed");
    check(&s, "c.txt", "1\n");
}

static void a_change_that_is_not_finished(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\n");
    save(&s, "b.txt", "one\n");
    edit(&s, "b.txt", "one", "1");
    edit(&s, "a.txt", "one", "1");
    mark(&s, "x");
    edit(&s, "a.txt", "1", "eins");
    scratch_sql(&s,
                "UPDATE commits SET state = 0, temp = '.emend-00000000000000000000000000000000',"
                " boot = 'another' WHERE id > 1");
    check_failed(undo(&s, "2"), EM_E_UNSETTLED, "is not known yet: it is being made, or");
    check_failed(rewind_to(&s, "x"), EM_E_UNSETTLED,
                 "Ask again in a moment, or see `emend recover`");
    UNDO(&s, NULL, 1);
    check(&s, "b.txt", "one\n");
}

static void what_was_not_recorded(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\n");
    edit(&s, "a.txt", "one", "1");
    create(&s, "b.txt", "new\n");
    UNDO(&s, NULL, 1);
    scratch_sql(&s, "DELETE FROM inverses");
    check_failed(undo(&s, NULL), EM_E_CONFLICT, "the way back was not recorded");
    check_failed(redo(&s, NULL), EM_E_CONFLICT, "was not recorded");
    static const char *const plans[] = {"x'77'", "x'01010002ff'", "x'0101090101410141'"};
    for (size_t i = 0; i < COUNT_OF(plans); i++) {
        char text[100];
        snprintf(text, sizeof text, "INSERT OR REPLACE INTO inverses VALUES(1, %s)", plans[i]);
        scratch_sql(&s, text);
        em_undo_outcome outcome = undo(&s, NULL);
        if (outcome.status != EM_E_IO)
            fail_msg("%s: %d %s", plans[i], (int)outcome.status, outcome.error.detail);
    }
    scratch_sql(&s, "INSERT INTO inverses VALUES(3, x'0101000141414141')");
    assert_true(redo(&s, NULL).status != EM_OK);
    scratch_sql(&s, "DELETE FROM undone");
    check_failed(undo(&s, "3"), EM_E_NOT_FOUND, "not in the history any more");
    check(&s, "a.txt", "1\n");
}

/* Not a byte comes back that was not there, whatever became of the history. */
static void a_damaged_record(void **state)
{
    (void)state;
    static const char *const damages[] = {
        /* a bit of what is to come back; and the same as an early version wrote it, without a seal
         */
        "UPDATE inverses SET plan ="
        " CAST(REPLACE(CAST(plan AS TEXT), 'two', 'twn') AS BLOB)",
        "UPDATE inverses SET plan = x'010104010374776e'",
        /* the index of calls holds other names than the table */
        "DROP INDEX commits_call; CREATE INDEX commits_call ON commits(client);"
        "PRAGMA writable_schema = 1; UPDATE sqlite_master"
        " SET sql = 'CREATE INDEX commits_call ON commits(call)' WHERE name = 'commits_call'",
    };
    for (size_t i = 0; i < COUNT_OF(damages); i++) {
        EM_AUTO(scratch) s;
        scratch_open(&s, NULL);
        save(&s, "a.txt", "one two\n");
        mark(&s, "x");
        edit(&s, "a.txt", "two", "2");
        scratch_sql(&s, damages[i]);
        check_failed(undo(&s, NULL), EM_E_IO, "what the history has of change 1 is damaged");
        check_failed(undo(&s, "1"), EM_E_IO, "what the history has of change 1 is damaged");
        check_failed(rewind_to(&s, "x"), EM_E_IO, "what the history has of change 1 is damaged");
        check(&s, "a.txt", "one 2\n");
    }
}

/* What an early version of emend recorded: no more than the way back. */
static void an_early_record(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one two\n");
    edit(&s, "a.txt", "two", "2");
    scratch_sql(&s, "UPDATE inverses SET plan = x'010104010374776f'");
    UNDO(&s, NULL, 1);
    check(&s, "a.txt", "one two\n");
    edit(&s, "a.txt", "two", "2");
    scratch_sql(&s, "UPDATE inverses SET plan = x'010104010374776f' WHERE id = 3");
    scratch_forget(&s);
    save(&s, "a.txt", "x\none 2\n");
    em_undo_outcome outcome = undo(&s, NULL);
    check_failed(outcome, EM_E_CONFLICT, "has not kept what the change had made of it");
    assert_false(outcome.conflict.has_was || outcome.conflict.has_now);
}

static void a_dry_run_only_tells(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\n");
    edit(&s, "a.txt", "one", "1");
    em_undo_outcome outcome =
        run(&s, (em_undo_request){.what = EM_UNDO, .dry_run = true, .want_diff = true});
    check_done(&outcome, 1);
    assert_string_equal(outcome.files[0].diff, "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-1\n+one\n");
    assert_string_equal(outcome.files[0].edit_id, "");
    check(&s, "a.txt", "1\n");
    check_history(&s, 1, 1);
}

/* The hash is of what is there after the call: in a dry run what was there before it. */
static void the_hash_is_of_what_is_there(void **state)
{
    (void)state;
    static const em_undo_request rehearsal = {.what = EM_UNDO, .dry_run = true};
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    create(&s, "a.txt", "one\n");
    em_undo_outcome outcome = run(&s, rehearsal);
    assert_int_equal(outcome.files[0].how, EM_UNDONE_REMOVED);
    assert_string_equal(outcome.files[0].hash.hex, em_hash_of(EM_LIT("one\n")).hex);
    edit(&s, "a.txt", "one", "1");
    outcome = run(&s, rehearsal);
    assert_string_equal(outcome.files[0].hash.hex, em_hash_of(EM_LIT("1\n")).hex);
    UNDO(&s, NULL, 1);
    outcome = run(&s, (em_undo_request){.what = EM_REDO, .dry_run = true});
    assert_string_equal(outcome.files[0].hash.hex, em_hash_of(EM_LIT("one\n")).hex);
    UNDO(&s, NULL, 1);
    outcome = run(&s, (em_undo_request){.what = EM_REDO, .dry_run = true});
    assert_int_equal(outcome.files[0].how, EM_UNDONE_MADE);
    assert_string_equal(outcome.files[0].hash.hex, "");
}

/* A file that is no text is undone all the same; its diff says no more than that. */
static void what_is_no_text(void **state)
{
    (void)state;
    EM_AUTO(scratch) s;
    scratch_open(&s, NULL);
    scratch_write(&s, "a.bin", EM_LIT("\0\1\2"));
    create(&s, "a.bin", "text\n");
    em_undo_outcome outcome = run(&s, (em_undo_request){.what = EM_UNDO, .want_diff = true});
    check_done(&outcome, 1);
    assert_string_equal(outcome.files[0].diff, "Binary files a/a.bin and b/a.bin differ\n");
    check_file(&s, "a.bin", EM_LIT("\0\1\2"));
}

/* Not the system's refusal is told, but what became of the file. */
static void what_stands_in_its_place_is_told(void **state)
{
    (void)state;
    static const struct {
        bool folder, fifo; /* else a link that leads nowhere */
        const char *words;
    } cases[] = {
        {true, false, "d/a.txt is a folder now"},
        {false, true, "d/a.txt is no regular file any more"},
        {false, false, "d/a.txt cannot be reached any more: d/a.txt is a link that leads nowhere"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(scratch) s;
        char path[200];
        scratch_open(&s, NULL);
        create(&s, "d/a.txt", "one\n");
        scratch_path(&s, "d/a.txt", path);
        assert_int_equal(unlink(path), 0);
        assert_int_equal(cases[i].folder ? mkdir(path, 0755)
                         : cases[i].fifo ? mkfifo(path, 0644)
                                         : symlink("none", path),
                         0);
        em_undo_outcome outcome = undo(&s, NULL);
        assert_int_equal(outcome.status, EM_E_CONFLICT);
        assert_int_equal(outcome.error.cause, EM_CAUSE_CHANGED);
        assert_string_equal(outcome.error.detail, cases[i].words);
        assert_string_equal(outcome.conflict.path, "d/a.txt");
    }
}

static void memory_may_run_out(void **state)
{
    (void)state;
    for (long left = 0;; left++) {
        EM_AUTO(scratch) s;
        scratch_open(&s, NULL);
        save(&s, "a.txt", "1\n2\n3\n4\n");
        edit(&s, "a.txt", "2", "two");
        save_by_emend(&s, "b.txt", "new\n", true);
        save(&s, "a.txt", "0\n1\ntwo\n3\n4\n");
        EM_AUTO(em_arena) arena = {0};
        em_undo_request request = {.what = EM_UNDO, .tool = "undo", .want_diff = true};
        em_undo_outcome outcome;
        mallocs_left = left;
        em_status status = em_run_undo(s.session, &request, &arena, &outcome);
        bool enough = mallocs_left > 0;
        mallocs_left = -1;
        if (status == EM_OK) {
            check(&s, "a.txt", "0\n1\n2\n3\n4\n");
            check(&s, "b.txt", NULL);
        } else {
            assert_true(status == EM_E_NOMEM);
            check(&s, "a.txt", "0\n1\ntwo\n3\n4\n");
            check(&s, "b.txt", "new\n");
        }
        if (enough)
            break;
        assert_true(left < 2000);
        left += left / 8;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_is_undone_and_the_one_before),
        cmocka_unit_test(what_was_undone_is_done_again),
        cmocka_unit_test(a_call_is_named_by_an_id),
        cmocka_unit_test(elsewhere_others_may_have_changed_it),
        cmocka_unit_test(at_the_place_nothing_is_touched),
        cmocka_unit_test(what_was_moved_is_found_and_no_conflict),
        cmocka_unit_test(a_place_must_be_plain),
        cmocka_unit_test(like_lines_around_make_no_place_plain),
        cmocka_unit_test(like_lines_beside_the_change_may_be_what_is_left),
        cmocka_unit_test(all_places_or_none),
        cmocka_unit_test(parts_that_were_moved_are_refused),
        cmocka_unit_test(a_rewrite_is_taken_back_where_it_changed_something),
        cmocka_unit_test(insertions_and_deletions),
        cmocka_unit_test(a_file_that_was_emptied),
        cmocka_unit_test(units_of_two_bytes),
        cmocka_unit_test(lines_of_wide_characters),
        cmocka_unit_test(a_creation_is_undone_by_removing),
        cmocka_unit_test(a_creation_that_changed_stays),
        cmocka_unit_test(a_link_is_not_followed),
        cmocka_unit_test(what_is_undone_starts_the_count_of_mistakes_again),
        cmocka_unit_test(whole_calls_at_a_time),
        cmocka_unit_test(folders_of_several_files),
        cmocka_unit_test(the_same_file_twice),
        cmocka_unit_test(everything_since_a_checkpoint),
        cmocka_unit_test(many_changes_of_a_file),
        cmocka_unit_test(many_changes_of_which_no_content_is_kept),
        cmocka_unit_test(a_damaged_change_among_many),
        cmocka_unit_test(a_rewind_is_taken_back),
        cmocka_unit_test(what_came_to_nothing_is_in_no_way),
        cmocka_unit_test(a_rewind_of_which_nothing_can_be_opened),
        cmocka_unit_test(the_last_of_a_session),
        cmocka_unit_test(the_last_of_a_turn),
        cmocka_unit_test(far_back),
        cmocka_unit_test(the_last_edits_are_listed_once),
        cmocka_unit_test(what_was_read_is_known_after),
        cmocka_unit_test(outside_the_roots_it_is_unknown),
        cmocka_unit_test(what_is_in_reach_in_part_is_not_passed_over),
        cmocka_unit_test(a_change_that_is_not_finished),
        cmocka_unit_test(what_was_not_recorded),
        cmocka_unit_test(a_damaged_record),
        cmocka_unit_test(an_early_record),
        cmocka_unit_test(a_dry_run_only_tells),
        cmocka_unit_test(the_hash_is_of_what_is_there),
        cmocka_unit_test(what_is_no_text),
        cmocka_unit_test(what_stands_in_its_place_is_told),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

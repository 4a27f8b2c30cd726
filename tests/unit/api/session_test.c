#include "api.h"

#include <sqlite3.h>

#include "../serve/scarce.h"

/* A file of a scratch, which must open. */
static emend_file *file_open(const scratch *s, const char *path, const emend_file_options *options)
{
    emend_file *file;
    emend_error err;
    if (emend_file_open(s->session, path, options, &file, &err) != EMEND_OK) {
        print_error("%s: %s: %s\n", path, emend_status_name(err.code), err.detail);
        fail();
    }
    return file;
}

static void sessions(void **state)
{
    static const char *const nowhere[] = {"/nonexistent/emend"};
    emend_session_options options = {.roots = nowhere, .root_count = 1};
    emend_session *session = (emend_session *)&session;
    emend_error err;
    (void)state;
    assert_int_equal(emend_session_new(&options, &session, &err), EMEND_E_NOT_FOUND);
    assert_null(session);
    assert_int_equal(err.code, EMEND_E_NOT_FOUND);
    options = (emend_session_options){.sync = (emend_sync)3};
    assert_int_equal(emend_session_new(&options, &session, &err), EMEND_E_INVALID);
    assert_null(session);
    options = (emend_session_options){.state_dir = ""};
    assert_int_equal(emend_session_new(&options, &session, &err), EMEND_E_INVALID);
    assert_null(session);
    assert_string_equal(err.detail, "the path of the state directory is empty");
    assert_int_equal(emend_session_new(NULL, &session, NULL), EMEND_OK);
    emend_session_free(session);
}

static void a_file_is_committed(void **state)
{
    scratch s;
    emend_report report;
    (void)state;
    scratch_open(&s, (emend_session_options){.client = "test"});
    scratch_write(&s, "a.txt", LIT("one two\n"));
    emend_file *file = file_open(&s, "a.txt", NULL);
    assert_true(emend_file_exists(file));
    assert_string_equal(emend_file_name(file), "a.txt");
    assert_non_null(strstr(emend_file_path(file), "/files/a.txt"));
    assert_int_equal(strlen(emend_file_hash(file)), 32);
    check_bytes("text", emend_text_utf8(emend_file_text(file)), LIT("one two\n"));

    emend_plan *plan = plan_one(emend_file_text(file), replace("two", "2"));
    check_file(&s, "a.txt", LIT("one two\n"));
    assert_int_equal(emend_commit(file, plan, &report, NULL), EMEND_OK);
    check_file(&s, "a.txt", LIT("one 2\n"));
    assert_true(report.written);
    assert_false(report.created);
    assert_true(report.edit_id[0] != '\0');
    assert_string_not_equal(report.hash, emend_file_hash(file));
    assert_int_equal(report.size, 6);
    assert_true(report.mtime_ms > 0);
    assert_null(report.backup_path);
    assert_int_equal(report.warning_count, 0);
    emend_plan_free(plan);
    emend_file_close(file);
    scratch_drop(&s);
}

static void a_file_is_created(void **state)
{
    static const emend_file_options may = {.flags = EMEND_MAY_BE_MISSING};
    static const emend_file_options must = {.flags = EMEND_MUST_BE_NEW};
    scratch s;
    emend_report report;
    emend_error err;
    char *diff;
    (void)state;
    scratch_open(&s, (emend_session_options){.no_history = true});
    emend_file *file = file_open(&s, "new/a.txt", &may), *other;
    assert_false(emend_file_exists(file));
    assert_string_equal(emend_file_hash(file), "");
    emend_plan *plan =
        plan_one(emend_file_text(file), (emend_edit){.kind = EMEND_REWRITE, .replace = LIT("x\n")});
    assert_int_equal(emend_plan_diff(plan, emend_file_name(file), &diff, NULL), EMEND_OK);
    assert_string_equal(diff, "--- /dev/null\n+++ b/new/a.txt\n@@ -0,0 +1 @@\n+x\n");
    emend_free(diff);
    assert_int_equal(emend_commit(file, plan, &report, NULL), EMEND_OK);
    assert_true(report.written && report.created);
    assert_string_equal(report.edit_id, "");
    emend_plan_free(plan);
    emend_file_close(file);
    check_file(&s, "new/a.txt", LIT("x\n"));
    assert_int_equal(emend_file_open(s.session, "new/a.txt", &must, &other, &err), EMEND_E_EXISTS);
    assert_null(other);
    scratch_drop(&s);
}

static void what_the_old_content_is_kept_for(void **state)
{
    static const emend_file_options backup = {.flags = EMEND_BACKUP, .encoding = "windows-1252"};
    scratch s;
    emend_report report;
    (void)state;
    scratch_open(&s, (emend_session_options){.lock_timeout_ms = 100});
    scratch_write(&s, "a.txt", LIT("caf\xE9\n"));
    emend_file *file = file_open(&s, "a.txt", &backup);
    emend_plan *plan = plan_one(emend_file_text(file), replace("\xC3\xA9", "\xC3\xA8"));
    assert_int_equal(emend_commit(file, plan, &report, NULL), EMEND_OK);
    assert_string_equal(report.backup_path, "a.txt.bak");
    check_file(&s, "a.txt", LIT("caf\xE8\n"));
    check_file(&s, "a.txt.bak", LIT("caf\xE9\n"));
    emend_plan_free(plan);
    emend_file_close(file);
    scratch_drop(&s);
}

static void a_warning_is_passed_on(void **state)
{
    scratch s;
    char from[200], to[200];
    emend_report report;
    (void)state;
    scratch_open(&s, (emend_session_options){0});
    scratch_write(&s, "a.txt", LIT("one\n"));
    snprintf(from, sizeof from, "%s/a.txt", s.root);
    snprintf(to, sizeof to, "%s/b.txt", s.root);
    assert_int_equal(link(from, to), 0);
    emend_file *file = file_open(&s, "a.txt", NULL);
    emend_plan *plan = plan_one(emend_file_text(file), replace("one", "1"));
    assert_int_equal(emend_commit(file, plan, &report, NULL), EMEND_OK);
    assert_int_equal(report.warning_count, 1);
    assert_non_null(strstr(report.warnings[0], "link"));
    emend_plan_free(plan);
    emend_file_close(file);
    scratch_drop(&s);
}

static void a_plan_that_changes_nothing_writes_nothing(void **state)
{
    scratch s;
    emend_report report;
    emend_plan *plan;
    (void)state;
    scratch_open(&s, (emend_session_options){0});
    scratch_write(&s, "a.txt", LIT("one\n"));
    emend_file *file = file_open(&s, "a.txt", NULL);
    assert_int_equal(emend_plan_new(emend_file_text(file), NULL, NULL, 0, &plan, NULL), EMEND_OK);
    assert_int_equal(emend_commit(file, plan, &report, NULL), EMEND_OK);
    assert_false(report.written);
    assert_string_equal(report.hash, emend_file_hash(file));
    emend_plan_free(plan);
    emend_file_close(file);
    scratch_drop(&s);
}

/* A report says what the file has, not what it had. */
static void a_plan_that_changes_nothing_is_of_the_file_as_it_is(void **state)
{
    (void)state;
    for (int removed = 0; removed < 2; removed++) {
        scratch s;
        char path[200];
        emend_report report;
        emend_error err;
        scratch_open(&s, (emend_session_options){0});
        scratch_write(&s, "a.txt", LIT("one\n"));
        snprintf(path, sizeof path, "%s/a.txt", s.root);
        emend_file *file = file_open(&s, "a.txt", NULL);
        emend_edit same = {.kind = EMEND_REWRITE, .replace = LIT("one\n")};
        emend_plan *plan = plan_one(emend_file_text(file), same);
        if (removed)
            assert_int_equal(unlink(path), 0);
        else
            scratch_write(&s, "a.txt", LIT("theirs\n"));
        assert_int_equal(emend_commit(file, plan, &report, &err), EMEND_E_CONFLICT);
        assert_string_equal(report.hash, "");
        assert_non_null(strstr(err.detail, "since it was read"));
        emend_plan_free(plan);
        emend_file_close(file);
        scratch_drop(&s);
    }
}

/* The hash of a missing file can be expected as that of any other. */
static void a_file_may_be_expected_to_be_missing(void **state)
{
    static const emend_file_options none = {.flags = EMEND_MAY_BE_MISSING, .expected_hash = ""};
    scratch s;
    emend_file *there;
    emend_error err;
    (void)state;
    scratch_open(&s, (emend_session_options){0});
    emend_file *file = file_open(&s, "a.txt", &none);
    assert_false(emend_file_exists(file));
    emend_file_close(file);
    scratch_write(&s, "a.txt", LIT("one\n"));
    assert_int_equal(emend_file_open(s.session, "a.txt", &none, &there, &err), EMEND_E_CONFLICT);
    assert_string_equal(err.detail, "the file is there, and was not to be");
    scratch_drop(&s);
}

static void what_does_not_open(void **state)
{
    static const char *const deny[] = {"secret/**"};
    static const emend_file_options unknown = {.encoding = "no-such-charset"};
    static const emend_file_options stale = {.expected_hash = "0"};
    static const struct {
        const char *path;
        const emend_file_options *options;
        emend_status want;
    } rows[] = {
        {"missing.txt", NULL, EMEND_E_NOT_FOUND},
        {"../x", NULL, EMEND_E_OUTSIDE},
        {"", NULL, EMEND_E_INVALID},
        {".", NULL, EMEND_E_IS_FOLDER},
        {"binary", NULL, EMEND_E_BINARY},
        {"long.txt", NULL, EMEND_E_TOO_LARGE},
        {"a.txt", &unknown, EMEND_E_INVALID},
        {"a.txt", &stale, EMEND_E_CONFLICT},
        {"secret/x", NULL, EMEND_E_DENIED},
    };
    scratch s;
    (void)state;
    scratch_open(&s, (emend_session_options){.max_file_size = 4, .deny = deny, .deny_count = 1});
    scratch_write(&s, "a.txt", LIT("one\n"));
    scratch_write(&s, "long.txt", LIT("12345"));
    scratch_write(&s, "binary", LIT("a\0b"));
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        emend_file *file = (emend_file *)&file;
        emend_error err;
        emend_status got = emend_file_open(s.session, rows[i].path, rows[i].options, &file, &err);
        if (got != rows[i].want)
            print_error("%s: %s\n", rows[i].path, emend_status_name(got));
        assert_int_equal(got, rows[i].want);
        assert_int_equal(err.code, rows[i].want);
        assert_null(file);
    }
    scratch_drop(&s);
}

static void misuse_is_refused(void **state)
{
    static const emend_file_options reading = {.flags = EMEND_READ_ONLY};
    scratch s;
    emend_report report;
    emend_error err;
    (void)state;
    scratch_open(&s, (emend_session_options){0});
    scratch_write(&s, "a.txt", LIT("one\n"));
    emend_file *read = file_open(&s, "a.txt", &reading), *file = file_open(&s, "a.txt", NULL);
    emend_plan *of_read = plan_one(emend_file_text(read), replace("one", "1"));
    emend_plan *of_file = plan_one(emend_file_text(file), replace("one", "2"));

    assert_int_equal(emend_commit(read, of_read, &report, &err), EMEND_E_INVALID);
    assert_string_equal(err.detail, "the file is open for reading only");
    assert_false(report.written);
    assert_string_equal(report.edit_id, "");
    assert_int_equal(emend_commit(file, of_read, NULL, &err), EMEND_E_INVALID);
    assert_string_equal(err.detail, "the plan is of another text than the file's");
    check_file(&s, "a.txt", LIT("one\n"));
    assert_int_equal(emend_commit(file, of_file, NULL, NULL), EMEND_OK);
    assert_int_equal(emend_commit(file, of_file, &report, &err), EMEND_E_INVALID);
    assert_non_null(strstr(err.detail, "committed before"));
    check_file(&s, "a.txt", LIT("2\n"));
    emend_plan_free(of_read);
    emend_plan_free(of_file);
    emend_file_close(read);
    emend_file_close(file);
    scratch_drop(&s);
}

static void somebody_elses_change_stays(void **state)
{
    scratch s;
    emend_report report;
    emend_error err;
    (void)state;
    scratch_open(&s, (emend_session_options){0});
    scratch_write(&s, "a.txt", LIT("one\n"));
    emend_file *file = file_open(&s, "a.txt", NULL);
    emend_plan *plan = plan_one(emend_file_text(file), replace("one", "1"));
    scratch_write(&s, "a.txt", LIT("theirs\n"));
    assert_int_equal(emend_commit(file, plan, &report, &err), EMEND_E_CONFLICT);
    assert_int_equal(err.code, EMEND_E_CONFLICT);
    assert_false(report.written);
    check_file(&s, "a.txt", LIT("theirs\n"));
    emend_plan_free(plan);
    emend_file_close(file);
    scratch_drop(&s);
}

static void sessions_wait_for_each_other(void **state)
{
    scratch s;
    emend_session *second;
    emend_file *other;
    emend_error err;
    (void)state;
    scratch_open(&s, (emend_session_options){0});
    scratch_write(&s, "a.txt", LIT("one\n"));
    emend_session_options options = {
        .roots = s.roots, .root_count = 1, .state_dir = s.state, .lock_timeout_ms = -1};
    assert_int_equal(emend_session_new(&options, &second, NULL), EMEND_OK);
    emend_file *file = file_open(&s, "a.txt", NULL);
    assert_int_equal(emend_file_open(second, "a.txt", NULL, &other, &err), EMEND_E_TIMEOUT);
    emend_file_close(file);
    assert_int_equal(emend_file_open(second, "a.txt", NULL, &other, &err), EMEND_OK);
    emend_file_close(other);
    emend_session_free(second);
    scratch_drop(&s);
}

static void a_session_may_only_read(void **state)
{
    scratch s;
    emend_file *file;
    (void)state;
    scratch_open(&s, (emend_session_options){.read_only = true, .max_edits = 1});
    scratch_write(&s, "a.txt", LIT("one\n"));
    assert_int_equal(emend_file_open(s.session, "a.txt", NULL, &file, NULL), EMEND_E_DENIED);
    scratch_drop(&s);
}

/* What forbids it is named as the member of the options that it is, and not as a flag. */
static void a_rule_is_told_by_its_member(void **state)
{
    static const char *const some[] = {"b*", "--deny x"};
    static const char *const empty[] = {""};
    static const struct {
        const char *path;
        emend_session_options options;
        const char *told;
    } rows[] = {
        {"a.txt", {.read_only = true}, "refused by read_only"},
        {"b.txt", {.deny = some, .deny_count = 1}, "refused by deny b*"},
        {"a.txt", {.allow = some, .allow_count = 1}, "not among what allow names"},
        {".git/x", {.max_edits = 1}, ".git is protected, unless allow names it (and allow '**' "},
    };
    emend_error err;
    emend_file *file;
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        scratch s;
        scratch_open(&s, rows[i].options);
        assert_int_equal(emend_file_open(s.session, rows[i].path, NULL, &file, &err),
                         EMEND_E_DENIED);
        if (!strstr(err.detail, rows[i].told))
            fail_msg("%s", err.detail);
        scratch_drop(&s);
    }
    emend_session *session;
    emend_session_options options = {.deny = empty, .deny_count = 1};
    assert_int_equal(emend_session_new(&options, &session, &err), EMEND_E_INVALID);
    assert_null(strstr(err.detail, "--"));
}

/* A rule against changes is none against reading. */
static void what_may_be_read_may_be_opened_for_reading(void **state)
{
    static const emend_file_options reading = {.flags = EMEND_READ_ONLY};
    static const emend_file_options missing = {.flags = EMEND_READ_ONLY | EMEND_MAY_BE_MISSING};
    static const struct {
        const char *path;
        emend_session_options options;
        emend_status to_change; /* what opening it for a change says */
    } rows[] = {
        {"a.txt", {.max_edits = 1}, EMEND_OK},
        {"a.txt", {.read_only = true}, EMEND_E_DENIED},
        {".git/config", {.max_edits = 1}, EMEND_E_DENIED},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        scratch s;
        char git[100];
        scratch_open(&s, rows[i].options);
        snprintf(git, sizeof git, "%s/.git", s.root);
        assert_int_equal(mkdir(git, 0755), 0);
        scratch_write(&s, rows[i].path, LIT("one\n"));
        emend_file *file = file_open(&s, rows[i].path, &reading);
        check_bytes("text", emend_text_bytes(emend_file_text(file)), LIT("one\n"));
        emend_file_close(file);
        file = file_open(&s, "none/x", &missing);
        assert_false(emend_file_exists(file));
        emend_file_close(file);
        assert_int_equal(emend_file_open(s.session, rows[i].path, NULL, &file, NULL),
                         rows[i].to_change);
        emend_file_close(file);
        scratch_drop(&s);
    }
}

static void edits_are_counted_at_the_commit(void **state)
{
    scratch s;
    emend_plan *plan;
    emend_error err;
    emend_edit edits[] = {replace("one", "1"), replace("two", "2")};
    (void)state;
    scratch_open(&s, (emend_session_options){.max_edits = 1});
    scratch_write(&s, "a.txt", LIT("one two\n"));
    emend_file *file = file_open(&s, "a.txt", NULL);
    assert_int_equal(emend_plan_new(emend_file_text(file), NULL, edits, 2, &plan, NULL), EMEND_OK);
    assert_int_equal(emend_commit(file, plan, NULL, &err), EMEND_E_TOO_MANY_EDITS);
    check_file(&s, "a.txt", LIT("one two\n"));
    emend_plan_free(plan);
    emend_file_close(file);
    scratch_drop(&s);
}

/* ---- Memory -------------------------------------------------------------------------------- */

static void memory_may_run_out(void **state)
{
    scratch s;
    emend_error err;
    (void)state;
    scratch_open(&s, (emend_session_options){0});
    scratch_write(&s, "a.txt", LIT("one\n"));
    emend_session_options options = {.roots = s.roots, .root_count = 1, .client = "test"};
    long nth = 0;
    for (bool hit = true; hit; nth++) {
        emend_session *session;
        scarce_begin(nth);
        emend_status status = emend_session_new(&options, &session, &err);
        hit = scarce_end();
        assert_int_equal(status, hit ? EMEND_E_NOMEM : EMEND_OK);
        assert_true(hit == !session);
        emend_session_free(session);
    }
    assert_true(nth > 3);
    emend_file_options reading = {.flags = EMEND_READ_ONLY, .encoding = "utf-8"};
    nth = 0;
    for (bool hit = true; hit; nth++) {
        emend_file *file;
        scarce_begin(nth);
        emend_status status = emend_file_open(s.session, "a.txt", &reading, &file, &err);
        hit = scarce_end();
        assert_int_equal(status, hit ? EMEND_E_NOMEM : EMEND_OK);
        assert_true(hit == !file);
        if (hit)
            assert_int_equal(err.code, EMEND_E_NOMEM);
        emend_file_close(file);
    }
    assert_true(nth > 3);
    scratch_drop(&s);
}

/* Run SQL on the history, while nobody else has it open in this process; what it answers. */
static int history(const scratch *s, const char *text)
{
    char path[200];
    sqlite3 *db;
    sqlite3_stmt *stmt;
    snprintf(path, sizeof path, "%s/history.db", s->state);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    assert_int_equal(sqlite3_prepare_v2(db, text, -1, &stmt, NULL), SQLITE_OK);
    int number = sqlite3_step(stmt) == SQLITE_ROW ? sqlite3_column_int(stmt, 0) : 0;
    assert_int_equal(sqlite3_finalize(stmt), SQLITE_OK);
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    return number;
}

static void change(const scratch *s, bool as_tool, const char *find, const char *with)
{
    char arguments[200], *answer;
    bool is_error;
    if (as_tool) {
        snprintf(arguments, sizeof arguments,
                 "{\"path\": \"a.txt\", \"edits\": [{\"old_text\": \"%s\", \"new_text\": \"%s\"}]}",
                 find, with);
        assert_int_equal(emend_call(s->session, "file_edit", arguments, &answer, &is_error, NULL),
                         EMEND_OK);
        assert_false(is_error);
        emend_free(answer);
        return;
    }
    emend_file *file = file_open(s, "a.txt", NULL);
    emend_plan *plan = plan_one(emend_file_text(file), replace(find, with));
    assert_int_equal(emend_commit(file, plan, NULL, NULL), EMEND_OK);
    emend_plan_free(plan);
    emend_file_close(file);
}

/* The history has its limits also where a session lasts as long as the program. */
static void old_changes_are_forgotten(void **state)
{
    (void)state;
    for (int as_tool = 0; as_tool < 2; as_tool++) {
        scratch s;
        scratch_open(&s, (emend_session_options){0});
        scratch_write(&s, "a.txt", LIT("one two\n"));
        change(&s, as_tool, "two", "2");
        emend_session_free(s.session);
        history(&s, "UPDATE commits SET time = 0, state = 3");
        history(&s, "UPDATE sqlite_sequence SET seq = 511");
        emend_session_options again = {
            .roots = s.roots, .root_count = 1, .state_dir = s.state, .sync = EMEND_SYNC_OFF};
        assert_int_equal(emend_session_new(&again, &s.session, NULL), EMEND_OK);
        change(&s, as_tool, "one", "1");
        assert_int_equal(history(&s, "SELECT count(*) FROM commits"), 1);
        scratch_drop(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sessions),
        cmocka_unit_test(a_file_is_committed),
        cmocka_unit_test(a_file_is_created),
        cmocka_unit_test(what_the_old_content_is_kept_for),
        cmocka_unit_test(a_warning_is_passed_on),
        cmocka_unit_test(a_plan_that_changes_nothing_writes_nothing),
        cmocka_unit_test(a_plan_that_changes_nothing_is_of_the_file_as_it_is),
        cmocka_unit_test(a_file_may_be_expected_to_be_missing),
        cmocka_unit_test(what_does_not_open),
        cmocka_unit_test(misuse_is_refused),
        cmocka_unit_test(somebody_elses_change_stays),
        cmocka_unit_test(sessions_wait_for_each_other),
        cmocka_unit_test(a_session_may_only_read),
        cmocka_unit_test(a_rule_is_told_by_its_member),
        cmocka_unit_test(what_may_be_read_may_be_opened_for_reading),
        cmocka_unit_test(edits_are_counted_at_the_commit),
        cmocka_unit_test(old_changes_are_forgotten),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

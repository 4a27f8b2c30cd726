#include "answers/reason.h"

#include "answers/search_hints.h"

#include "made_up.h"

static void every_status_has_its_words(void **state)
{
    (void)state;
    static const struct {
        em_status status;
        const char *file_edit, *envelope, *reason, *advice;
    } cases[] = {
        {EM_E_NOMEM, "INTERNAL_ERROR", "INTERNAL_ERROR", "Out of memory: a.txt",
         "\nNothing was written. Send the same call again later"},
        {EM_E_INVALID, "INVALID_ARGUMENT", "INVALID_PARAM", "a.txt: DETAIL", ""},
        {EM_E_TOO_MANY_EDITS, "TOO_MANY_EDITS", "INVALID_PARAM", "Too many edits for a.txt: DETAIL",
         "\nSplit them over several calls"},
        {EM_E_TOO_LARGE, "FILE_TOO_LARGE", "INVALID_PARAM", "File too large: a.txt: DETAIL",
         "\nWho runs the server can raise the limit with --max-file-size"},
        {EM_E_NO_MATCH, "NO_MATCH", "INVALID_PARAM", "a.txt: DETAIL", ""},
        {EM_E_COUNT, "WRONG_COUNT", "INVALID_PARAM", "a.txt: DETAIL", ""},
        {EM_E_OVERLAP, "INVALID_ARGUMENT", "INVALID_PARAM", "a.txt: DETAIL", ""},
        {EM_E_NOT_FOUND, "FILE_NOT_FOUND", "NOT_FOUND", "File not found: a.txt",
         "\nRelative paths start at ROOT\nTo make a new file, use write_file"},
        {EM_E_EXISTS, "CONFLICT", "CONFLICT", "File already exists: a.txt",
         "\nTo replace what it holds, use write_file"},
        {EM_E_OUTSIDE, "OUTSIDE_WORKSPACE", "ACCESS_DENIED",
         "Access denied: a.txt is outside the workspace", "\nFiles must lie in ROOT"},
        {EM_E_DENIED, "PERMISSION_DENIED", "ACCESS_DENIED", "Access denied: a.txt: DETAIL",
         "\nA rule of the server forbids it: only who runs the server can lift it"},
        {EM_E_PERMISSION, "PERMISSION_DENIED", "PERMISSION_DENIED",
         "Permission denied: a.txt: DETAIL",
         "\nThe system forbids it: the same call will fail again"},
        {EM_E_IS_FOLDER, "NOT_A_FILE", "IS_DIRECTORY", "Not a file: a.txt",
         "\nIt is a folder: name a file in it"},
        {EM_E_NOT_REGULAR, "NOT_A_FILE", "EXECUTION_ERROR", "Not a file: a.txt",
         "\nIt is a FIFO, a socket or a device, and only files can be used"},
        {EM_E_PATH, "IO_ERROR", "EXECUTION_ERROR", "Path cannot be resolved: a.txt: DETAIL", ""},
        {EM_E_BINARY, "BINARY_FILE", "BINARY_FILE", "File appears to be binary: a.txt",
         "\nIt is no text (DETAIL), and an edit could damage it. If it is in an encoding such as "
         "UTF-16 without a byte order mark, name that as encoding"},
        {EM_E_CONFLICT, "CONFLICT", "CONFLICT", "a.txt has changed: DETAIL",
         "\nNothing was written, and what others wrote is in place.\nUse read_file to see what the "
         "file holds now, then send the call for that"},
        {EM_E_TIMEOUT, "TIMEOUT", "TIMEOUT", "Timed out: a.txt: DETAIL",
         "\nNothing was written. Send the same call again later"},
        {EM_E_IO, "IO_ERROR", "EXECUTION_ERROR", "Input/output error: a.txt: DETAIL",
         "\nNothing was written"},
        {EM_E_UNSETTLED, "CONFLICT", "EXECUTION_ERROR",
         "a.txt waits for a decision about an interrupted change: DETAIL",
         "\nNothing was written. A person must run: emend recover"},
        {EM_E_UNKNOWN, "CONFLICT", "EXECUTION_ERROR",
         "What became of a.txt is not known yet: DETAIL",
         "\nSome of the files may be changed. The next change settles it, and so does: emend "
         "recover"},
        {EM_E_INTERNAL, "INTERNAL_ERROR", "INTERNAL_ERROR", "Internal error: a.txt: DETAIL", ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(made_up) m;
        made_up_open(&m, "all", "file_edit",
                     (em_error){.code = cases[i].status, .edit = EM_NO_EDIT, .detail = "DETAIL"});
        assert_string_equal(em_code_of(cases[i].status).flat, cases[i].file_edit);
        assert_string_equal(em_code_of(cases[i].status).envelope, cases[i].envelope);
        assert_string_equal(em_reason(&m.reply), cases[i].reason);
        em_add_advice(&m.reply);
        const char *got = em_reply_text(&m.reply);
        const char *root = strstr(cases[i].advice, "ROOT");
        size_t length = root ? (size_t)(root - cases[i].advice) : strlen(cases[i].advice);
        assert_int_equal(strncmp(got, cases[i].advice, length), 0);
        if (root)
            assert_string_equal(got + length + strlen(m.c.s.root), root + 4);
        else
            assert_string_equal(got, cases[i].advice);
    }
    assert_int_equal(COUNT_OF(cases), EM_E_INTERNAL); /* all but EM_OK */
    assert_string_equal(em_code_of(EM_OK).flat, "INTERNAL_ERROR");
}

/* No limit on files would help. */
static void a_file_that_memory_is_short_for_is_no_matter_of_its_limit(void **state)
{
    (void)state;
    EM_AUTO(made_up) m;
    made_up_open(
        &m, "all", "file_edit",
        (em_error){.code = EM_E_TOO_LARGE, .sys = ENOMEM, .edit = EM_NO_EDIT, .detail = "DETAIL"});
    em_add_advice(&m.reply);
    assert_string_equal(em_reply_text(&m.reply),
                        "\nWho runs the server can allow more with --max-memory, where the machine "
                        "has it");
}

static void an_empty_detail_leaves_no_colon(void **state)
{
    (void)state;
    EM_AUTO(made_up) m;
    made_up_open(&m, "all", "file_edit", (em_error){.code = EM_E_PERMISSION});
    assert_string_equal(em_reason(&m.reply), "Permission denied: a.txt");
}

/* What is text in its encoding may still be no page that can be edited. */
static void a_text_that_is_no_page(void **state)
{
    (void)state;
    EM_AUTO(made_up) m;
    made_up_open(
        &m, "all", "editDOM",
        (em_error){.code = EM_E_BINARY, .cause = EM_CAUSE_PAGE, .detail = "the page holds a NUL"});
    assert_string_equal(em_reason(&m.reply),
                        "The elements of a.txt cannot be edited: the page holds a NUL");
    em_add_advice(&m.reply);
    assert_string_equal(em_reply_text(&m.reply), "\nEdit its text instead, with editFile");
}

static void operations_that_took_too_long(void **state)
{
    (void)state;
    EM_AUTO(made_up) m;
    made_up_open(&m, "all", "editDOM", (em_error){.code = EM_E_TIMEOUT, .detail = "DETAIL"});
    m.outcome.dom.late = true;
    em_reply_see(&m.reply, &m.outcome);
    assert_string_equal(em_reason(&m.reply), "Timed out: a.txt: DETAIL");
    em_add_advice(&m.reply);
    assert_string_equal(
        em_reply_text(&m.reply),
        "\nNothing was written. Edit its text instead, with editFile. Who runs the server can give "
        "more time with --deadline");
}

static void a_search_that_took_too_long(void **state)
{
    (void)state;
    em_op op = {.kind = EM_OP_REPLACE, .find = EM_LIT("one"), .expect = 1};
    em_diagnosis diagnosis = {.timed_out = true,
                              .near = {{.line = 3,
                                        .end_line = 3,
                                        .content = EM_LIT("ones"),
                                        .piece = EM_LIT("one"),
                                        .piece_column = 1,
                                        .similarity = 0.75,
                                        .piece_similarity = 1}},
                              .near_count = 1};
    EM_AUTO(made_up) m;
    made_up_open(&m, "all", "file_edit", (em_error){.code = EM_E_TIMEOUT, .detail = "DETAIL"});
    m.outcome.failed_op = &op;
    m.outcome.failure.diagnosis = &diagnosis;
    em_reply_see(&m.reply, &m.outcome);
    assert_string_equal(em_reason(&m.reply),
                        "old_text does not stand in a.txt exactly, and the search for text like it "
                        "took too long");
    em_add_advice(&m.reply);
    assert_string_equal(
        em_reply_text(&m.reply),
        "\nMost similar text (75% similar, line 3):\n   3 | ones\n"
        "Nothing was written. Send as old_text the exact text of the file, or fewer "
        "lines of it. Who runs the server can give more time with --deadline");
    op.regex = true; /* a pattern says so itself */
    assert_string_equal(em_reason(&m.reply), "Timed out: a.txt: DETAIL");
}

/* What was done before it stays: then nobody says that nothing was. */
static void a_call_that_was_done_in_part(void **state)
{
    (void)state;
    static const struct {
        em_status status;
        bool late;
        const char *advice;
    } rows[] = {
        {EM_E_TIMEOUT, false, "\nSend what was not done again later"},
        {EM_E_TIMEOUT, true,
         "\nEdit its text instead, with editFile. Who runs the server can give more time with "
         "--deadline"},
        {EM_E_NOMEM, false, "\nSend what was not done again later"},
        {EM_E_IO, false, ""},
        {EM_E_UNSETTLED, false, "\nA person must run: emend recover"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(made_up) m;
        made_up_open(&m, "all", "editFile", (em_error){.code = rows[i].status, .detail = "DETAIL"});
        m.outcome.committed = true;
        m.outcome.dom.late = rows[i].late;
        em_add_advice(&m.reply);
        assert_string_equal(em_reply_text(&m.reply), rows[i].advice);
    }
}

/* One edit is not split over several calls. */
static void an_edit_of_too_many_places(void **state)
{
    (void)state;
    const em_op op = {.kind = EM_OP_REPLACE, .find = EM_LIT("one"), .expect = EM_EVERY};
    static const em_words by_lines = {
        .find = "old_text", .insert = "new_text", .lines = "start_line and end_line"};
    static const struct {
        const em_words *words;
        const char *advice;
    } rows[] = {
        {&made_up_words, "\nSend as old_text a longer text that stands at fewer places, and "
                         "in further calls the others"},
        {&by_lines, "\nKeep the edit to start_line and end_line, for fewer lines in each of "
                    "several calls"}};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(made_up) m;
        made_up_open(&m, "all", "file_edit",
                     (em_error){.code = EM_E_TOO_MANY_EDITS, .detail = "DETAIL"});
        m.reply.words = rows[i].words;
        m.outcome.failed_op = &op;
        em_add_advice(&m.reply);
        const char *got = em_reply_text(&m.reply);
        size_t len = strlen(rows[i].advice);
        assert_int_equal(strncmp(got, rows[i].advice, len), 0);
        assert_string_equal(got + len,
                            ", or change the file with a program for that (such as sed)");
    }
}

static void edits_that_overlap(void **state)
{
    (void)state;
    EM_AUTO(made_up) m;
    made_up_open(&m, "all", "file_edit",
                 (em_error){.code = EM_E_OVERLAP, .cause = EM_CAUSE_OVERLAP, .edit = 4});
    m.outcome.failure.other_op = 1;
    assert_string_equal(em_reason(&m.reply), "edits 2 and 5 want the same text of a.txt");
    em_add_advice(&m.reply);
    assert_string_equal(em_reply_text(&m.reply), "\nMake them one edit");
}

/* What a person had to allow, and did not: the same words whatever status goes with it. */
static void what_was_not_allowed(void **state)
{
    static const char yes[] = "\nNothing was written. Do not send the same call again";
    static const struct {
        em_status status;
        em_cause cause;
        const char *detail, *reason, *advice;
    } rows[] = {
        {EM_E_DENIED, EM_CAUSE_REFUSED, "WHY",
         "The person who reviews changes refused the change of a.txt: WHY", yes},
        {EM_E_DENIED, EM_CAUSE_REFUSED, "",
         "The person who reviews changes refused the change of a.txt", yes},
        {EM_E_TIMEOUT, EM_CAUSE_UNANSWERED, "it waited for 7 s",
         "Nobody said yes to the change of a.txt: it waited for 7 s", yes},
        {EM_E_DENIED, EM_CAUSE_CANNOT_ASK, "WHY",
         "A person has to say yes to the change of a.txt, and nobody can be asked: WHY",
         "\nNothing was written. The same call will fail again. Who runs the server can leave "
         "out --approve"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(made_up) m;
        em_error error = {.code = rows[i].status, .cause = rows[i].cause, .edit = EM_NO_EDIT};
        snprintf(error.detail, sizeof error.detail, "%s", rows[i].detail);
        made_up_open(&m, "all", "file_edit", error);
        assert_true(em_is_of_consent(&error));
        assert_string_equal(em_reason(&m.reply), rows[i].reason);
        em_add_advice(&m.reply);
        assert_int_equal(strncmp(em_reply_text(&m.reply), rows[i].advice, strlen(rows[i].advice)),
                         0);
    }
}

/* Which is emend's own check, and not the system's. */
static void a_state_directory_that_is_not_taken(void **state)
{
    static const em_error error = {.code = EM_E_PERMISSION,
                                   .cause = EM_CAUSE_STATE_DIR,
                                   .edit = EM_NO_EDIT,
                                   .detail = "the state directory /s belongs to another user"};
    (void)state;
    EM_AUTO(made_up) m;
    made_up_open(&m, "all", "file_edit", error);
    assert_string_equal(em_reason(&m.reply),
                        "Cannot change a.txt: the state directory /s belongs to another user");
    em_add_advice(&m.reply);
    assert_string_equal(em_reply_text(&m.reply),
                        "\nNothing was written. The same call will fail again: locks and the "
                        "history are kept there. Who runs the server can name another one with "
                        "--state-dir");
}

/* What a failure says depends on what the server offers, and on what the call wanted. */
static void only_tools_that_are_offered_are_named(void **state)
{
    (void)state;
    EM_AUTO(made_up) m;
    made_up_open(&m, "file_edit", "file_edit",
                 (em_error){.code = EM_E_CONFLICT, .cause = EM_CAUSE_CHANGED});
    m.outcome.file.exists = true;
    m.outcome.text = (em_text){.body = EM_LIT("new\n"), .charset = "utf-8"};
    em_add_advice(&m.reply);
    assert_string_equal(em_reply_text(&m.reply),
                        "\nNothing was written, and what others wrote is in place.\n"
                        "The file holds (between >>> and <<<):\n>>>new\n<<<");
}

static void who_reads_is_not_told_to_write(void **state)
{
    (void)state;
    static const em_status cases[] = {EM_E_NOT_FOUND, EM_E_IO};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(made_up) m;
        made_up_open(&m, "all", "read_file", (em_error){.code = cases[i]});
        em_add_advice(&m.reply);
        assert_null(strstr(em_reply_text(&m.reply), "write"));
    }
}

static void several_roots_are_listed(void **state)
{
    (void)state;
    EM_AUTO(made_up) m;
    made_up_open(&m, "all", "file_edit", (em_error){.code = EM_E_OUTSIDE});
    char folders[4][100];
    const char *roots[5] = {m.c.s.root};
    for (size_t i = 0; i < 4; i++) {
        snprintf(folders[i], sizeof folders[i], "%s/f%zu", m.c.s.base, i);
        assert_int_equal(mkdir(folders[i], 0755), 0);
        roots[i + 1] = folders[i];
    }
    em_session_options options = m.c.s.options;
    options.workspace.roots = roots;
    options.workspace.root_count = 5;
    em_session *session;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_session_new(&options, &session, &err), EM_OK);
    m.call.session = session;
    em_add_advice(&m.reply);
    char want[500];
    snprintf(want, sizeof want, "\nFiles must lie in %s, %s, %s and 2 more", roots[0], roots[1],
             roots[2]);
    assert_string_equal(em_reply_text(&m.reply), want);
    em_session_free(session);
}

static void hints_fit_the_search_text(void **state)
{
    (void)state;
    static const struct {
        const char *body, *find;
        const char *types; /* first letters */
    } cases[] = {
        {"plain\n", "x", "U"},
        {"plain\n", "x y", "U"},
        {"\tindented\n", "x", "U"},
        {"\tindented\n", "x y", "UC"},
        {"a\r  b\r\tc", "x\ty", "UC"},
        {"plain", "x\ny", "UC"},
        {"  plain", "x\ny", "UCC"},
        {"plain", "\\x", "U"},
        {"plain", "x\\t", "UE"},
        {"plain", "\\\"", "UE"},
        {"", "", "U"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(made_up) m;
        made_up_open(&m, "all", "file_edit", (em_error){.code = EM_E_NO_MATCH});
        m.outcome.text = (em_text){.body = em_slice_of(cases[i].body), .charset = "utf-8"};
        em_hints hints = em_hints_for_missing(&m.reply, em_slice_of(cases[i].find));
        static const char letters[] = {
            [EM_HINT_COPY] = 'U', [EM_HINT_WHITE_SPACE] = 'C', [EM_HINT_ESCAPES] = 'E'};
        char types[8] = "";
        for (size_t j = 0; j < hints.count; j++)
            types[j] = letters[hints.items[j].kind];
        assert_string_equal(types, cases[i].types);
    }
}

static void an_edit_before_may_have_taken_the_text(void **state)
{
    (void)state;
    static const struct {
        const char *find;
        ptrdiff_t edit;
        size_t hints;
    } cases[] = {{"two", 1, 2}, {"two", 0, 1}, {"four", 1, 1}, {"", 1, 1}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(made_up) m;
        made_up_open(&m, "all", "file_edit",
                     (em_error){.code = EM_E_NO_MATCH, .edit = cases[i].edit});
        m.outcome.text = (em_text){.body = EM_LIT("one\ntwo\n"), .charset = "utf-8"};
        assert_int_equal(em_lines_init(&m.outcome.text, &m.c.s.arena, &m.outcome.lines), EM_OK);
        em_hints hints = em_hints_for_missing(&m.reply, em_slice_of(cases[i].find));
        assert_int_equal(hints.count, cases[i].hints);
        if (hints.count == 2)
            assert_non_null(strstr(hints.items[0].text, "stands at line 2 of the file"));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_status_has_its_words),
        cmocka_unit_test(a_file_that_memory_is_short_for_is_no_matter_of_its_limit),
        cmocka_unit_test(an_empty_detail_leaves_no_colon),
        cmocka_unit_test(a_text_that_is_no_page),
        cmocka_unit_test(operations_that_took_too_long),
        cmocka_unit_test(a_search_that_took_too_long),
        cmocka_unit_test(a_call_that_was_done_in_part),
        cmocka_unit_test(an_edit_of_too_many_places),
        cmocka_unit_test(edits_that_overlap),
        cmocka_unit_test(what_was_not_allowed),
        cmocka_unit_test(a_state_directory_that_is_not_taken),
        cmocka_unit_test(only_tools_that_are_offered_are_named),
        cmocka_unit_test(who_reads_is_not_told_to_write),
        cmocka_unit_test(several_roots_are_listed),
        cmocka_unit_test(hints_fit_the_search_text),
        cmocka_unit_test(an_edit_before_may_have_taken_the_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

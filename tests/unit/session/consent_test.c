#include "saved.h"

#include "failing_malloc.h"
#include "session/consent.h"
#include "session/undo.h"

#include <string.h>

/* ---- Calls --------------------------------------------------------------------------------- */

typedef struct call {
    em_op ops[2];
    em_edit_request request;
    em_outcome outcome;
} call;

/* Run a replacement (`find` NULL: the file is written anew) and drop the outcome; the status. */
static em_status run_call(scratch *s, call *c, const char *path, const char *find,
                          const char *insert)
{
    c->ops[0] = (em_op){.kind = find ? EM_OP_REPLACE : EM_OP_REWRITE,
                        .find = em_slice_of(find ? find : ""),
                        .insert = em_slice_of(insert),
                        .expect = 1};
    c->request.path = path;
    c->request.ops = c->ops;
    c->request.op_count = c->request.op_count ? c->request.op_count : 1;
    c->request.tool = "edit";
    c->request.existence = find ? EM_MUST_EXIST : EM_MAY_EXIST;
    em_status status = em_run_edit(s->session, &c->request, &s->arena, &c->outcome);
    em_outcome_drop(s->session, &c->outcome);
    return status;
}

static em_status edit(scratch *s, const char *path, const char *find, const char *insert)
{
    call c = {0};
    return run_call(s, &c, path, find, insert);
}

/* The second half of a call. */
static void give(scratch *s, em_consent *consent)
{
    em_session_set_consent(s->session, NULL);
    consent->stage = EM_CONSENT_GIVEN;
    em_session_set_consent(s->session, consent);
}

static void withhold(scratch *s, em_consent *consent, const char *reason)
{
    em_session_set_consent(s->session, NULL);
    consent->stage = EM_CONSENT_WITHHELD;
    em_fail_cause(&consent->refusal, EM_E_DENIED, EM_CAUSE_REFUSED, "%s", reason);
    em_session_set_consent(s->session, consent);
}

static void ask(scratch *s, em_consent *consent)
{
    *consent = (em_consent){.stage = EM_CONSENT_ASKS, .refusal = EM_ERROR_INIT};
    em_session_set_consent(s->session, consent);
}

static void end(scratch *s, em_consent *consent)
{
    em_session_set_consent(s->session, NULL);
    em_consent_drop(consent);
    scratch_drop(s);
}

/* ---- One file ------------------------------------------------------------------------------ */

static void what_is_asked_about_is_not_written(void **state)
{
    scratch s;
    em_consent consent;
    (void)state;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\ntwo\nthree\n");
    ask(&s, &consent);
    assert_int_equal(edit(&s, "a.txt", "two", "TWO\n2"), EM_OK);
    check(&s, "a.txt", "one\ntwo\nthree\n");
    assert_int_equal(consent.count, 1);
    const em_intended *item = &consent.items[0];
    char path[200];
    scratch_path(&s, "a.txt", path);
    assert_string_equal(item->path, path);
    assert_string_equal(item->rel, "a.txt");
    assert_int_equal(item->how, EM_INTENDED_EDIT);
    assert_string_equal(item->diff,
                        "--- a/a.txt\n+++ b/a.txt\n@@ -1,3 +1,4 @@\n one\n-two\n+TWO\n+2\n"
                        " three\n");
    assert_false(item->diff_truncated);
    assert_int_equal(item->lines_added, 2);
    assert_int_equal(item->lines_removed, 1);
    give(&s, &consent);
    assert_int_equal(edit(&s, "a.txt", "two", "TWO\n2"), EM_OK);
    check(&s, "a.txt", "one\nTWO\n2\nthree\n");
    assert_true(consent.items[0].was_made);
    check_history(&s, 1, 1);
    end(&s, &consent);
}

static void a_new_file_is_asked_about(void **state)
{
    scratch s;
    em_consent consent;
    (void)state;
    scratch_open(&s, NULL);
    ask(&s, &consent);
    assert_int_equal(edit(&s, "new/b.txt", NULL, "x\n"), EM_OK);
    check(&s, "new/b.txt", NULL);
    assert_int_equal(consent.count, 1);
    assert_int_equal(consent.items[0].how, EM_INTENDED_MAKE);
    assert_string_equal(consent.items[0].before.hex, "");
    assert_string_equal(consent.items[0].diff,
                        "--- /dev/null\n+++ b/new/b.txt\n@@ -0,0 +1 @@\n+x\n");
    give(&s, &consent);
    assert_int_equal(edit(&s, "new/b.txt", NULL, "x\n"), EM_OK);
    check(&s, "new/b.txt", "x\n");
    end(&s, &consent);
}

static void what_is_refused_fails_with_the_reason(void **state)
{
    scratch s;
    em_consent consent;
    call c = {0};
    (void)state;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\n");
    ask(&s, &consent);
    assert_int_equal(edit(&s, "a.txt", "one", "two"), EM_OK);
    withhold(&s, &consent, "not on a Friday");
    assert_int_equal(run_call(&s, &c, "a.txt", "one", "two"), EM_E_DENIED);
    assert_int_equal(c.outcome.error.cause, EM_CAUSE_REFUSED);
    assert_string_equal(c.outcome.error.detail, "not on a Friday");
    assert_false(c.outcome.committed);
    assert_int_equal(c.outcome.error.edit, EM_NO_EDIT);
    check(&s, "a.txt", "one\n");
    end(&s, &consent);
}

/* What needs no yes, and is answered as if nobody had to be asked. */
static void what_writes_nothing_is_not_asked_about(void **state)
{
    scratch s;
    em_consent consent;
    call dry = {.request = {.dry_run = true}};
    call same = {.request = {.policy = {.allow_no_change = true}}};
    em_read_request read = {.path = "a.txt"};
    em_outcome outcome;
    em_slice content;
    (void)state;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\n");
    ask(&s, &consent);
    assert_int_equal(run_call(&s, &dry, "a.txt", "one", "two"), EM_OK);
    assert_int_equal(run_call(&s, &same, "a.txt", "one", "one"), EM_OK);
    assert_int_equal(edit(&s, "a.txt", "absent", "x"), EM_E_NO_MATCH);
    assert_int_equal(edit(&s, "none.txt", "x", "y"), EM_E_NOT_FOUND);
    assert_int_equal(edit(&s, "/etc/none", "x", "y"), EM_E_OUTSIDE);
    assert_int_equal(em_run_read(s.session, &read, &s.arena, &content, &outcome), EM_OK);
    em_outcome_drop(s.session, &outcome);
    assert_int_equal(consent.count, 0);
    end(&s, &consent);
}

/* What comes between question and answer. */
static void what_was_not_asked_about_is_a_conflict(void **state)
{
    static const struct {
        const char *what;
        const char *saved; /* somebody else does that; NULL: nobody */
        const char *path, *find, *insert;
        const char *left;
    } rows[] = {
        {"the file has changed", "one\nmore\n", "a.txt", "one", "two", "one\nmore\n"},
        {"another file", NULL, "b.txt", "one", "two", "one\n"},
        {"another change", NULL, "a.txt", "one", "three", "one\n"},
        {"another place", NULL, "a.txt", "ne", "wo", "one\n"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        scratch s;
        em_consent consent;
        call c = {0};
        scratch_open(&s, NULL);
        save(&s, "a.txt", "one\n");
        save(&s, "b.txt", "one\n");
        ask(&s, &consent);
        assert_int_equal(edit(&s, "a.txt", "one", "two"), EM_OK);
        if (rows[i].saved)
            save(&s, "a.txt", rows[i].saved);
        give(&s, &consent);
        if (run_call(&s, &c, rows[i].path, rows[i].find, rows[i].insert) != EM_E_CONFLICT)
            fail_msg("%s", rows[i].what);
        assert_int_equal(c.outcome.error.cause, EM_CAUSE_CHANGED);
        check(&s, rows[i].path, rows[i].left);
        end(&s, &consent);
    }
}

enum { NAME_SIZE = 200 };

static void remove_file(const scratch *s, const char *path)
{
    char name[NAME_SIZE];
    scratch_path(s, path, name);
    assert_int_equal(remove(name), 0);
}

/* The text was right when it was asked about: that somebody saved is what went wrong. */
static void a_file_in_which_the_text_is_not_any_more_is_a_conflict(void **state)
{
    static const struct {
        const char *was, *saved; /* NULL: the file is not there */
        const char *find;        /* NULL: it is written anew */
        em_existence existence;
    } rows[] = {
        {"one\n", "uno\n", "one", EM_MUST_EXIST}, {"one\n", "one\none\n", "one", EM_MUST_EXIST},
        {"one\n", "two\n", "one", EM_MUST_EXIST}, {"one\n", "one\n\xFF\xFE", "one", EM_MUST_EXIST},
        {"one\n", NULL, "one", EM_MUST_EXIST},    {"one\n", NULL, NULL, EM_MAY_EXIST},
        {NULL, "two\n", NULL, EM_MUST_BE_NEW},    {NULL, "new\n", NULL, EM_MAY_EXIST},
    };
    (void)state;
    for (size_t i = 0; i < 2 * COUNT_OF(rows); i++) {
        const bool is_given = i % 2 == 0;
        const size_t row = i / 2;
        scratch s;
        em_consent consent;
        call c = {0};
        scratch_open(&s, NULL);
        if (rows[row].was)
            save(&s, "a.txt", rows[row].was);
        ask(&s, &consent);
        c.ops[0] = (em_op){.kind = rows[row].find ? EM_OP_REPLACE : EM_OP_REWRITE,
                           .find = em_slice_of(rows[row].find ? rows[row].find : ""),
                           .insert = EM_LIT("new\n"),
                           .expect = 1};
        c.request = (em_edit_request){.path = "a.txt",
                                      .ops = c.ops,
                                      .op_count = 1,
                                      .tool = "edit",
                                      .existence = rows[row].existence,
                                      .policy = {.allow_no_change = true}};
        assert_int_equal(em_run_edit(s.session, &c.request, &s.arena, &c.outcome), EM_OK);
        em_outcome_drop(s.session, &c.outcome);
        assert_int_equal(consent.count, 1);
        if (rows[row].saved)
            save(&s, "a.txt", rows[row].saved);
        else
            remove_file(&s, "a.txt");
        if (is_given)
            give(&s, &consent);
        else
            withhold(&s, &consent, "no");
        em_status status = em_run_edit(s.session, &c.request, &s.arena, &c.outcome);
        if (status != (is_given ? EM_E_CONFLICT : EM_E_DENIED) ||
            c.outcome.error.cause != (is_given ? EM_CAUSE_CHANGED : EM_CAUSE_REFUSED))
            fail_msg("row %zu, %s: %d", row, is_given ? "a yes" : "a no", (int)status);
        em_outcome_drop(s.session, &c.outcome);
        check(&s, "a.txt", rows[row].saved);
        end(&s, &consent);
    }
}

/* One yes is for one change. */
static void a_yes_is_good_for_once(void **state)
{
    scratch s;
    em_consent consent;
    (void)state;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\n");
    ask(&s, &consent);
    assert_int_equal(edit(&s, "a.txt", "one", "two"), EM_OK);
    give(&s, &consent);
    assert_int_equal(edit(&s, "a.txt", "one", "two"), EM_OK);
    save(&s, "a.txt", "one\n");
    assert_int_equal(edit(&s, "a.txt", "one", "two"), EM_E_CONFLICT);
    end(&s, &consent);
}

/* A merge is another change than the one that was shown. */
static void a_merge_does_not_get_round_it(void **state)
{
    scratch s;
    em_consent consent;
    em_hash read = em_hash_of(EM_LIT("one\ntwo\nthree\n"));
    call c = {.request = {.expected_hash = read.hex, .merge = true}};
    (void)state;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\ntwo\nthree\n");
    ask(&s, &consent);
    assert_int_equal(run_call(&s, &c, "a.txt", "three", "3"), EM_OK);
    save(&s, "a.txt", "ONE\ntwo\nthree\n");
    give(&s, &consent);
    assert_int_equal(run_call(&s, &c, "a.txt", "three", "3"), EM_E_CONFLICT);
    check(&s, "a.txt", "ONE\ntwo\nthree\n");
    end(&s, &consent);
}

static void what_goes_well_before_a_failure_is_asked_about(void **state)
{
    scratch s;
    em_consent consent;
    call c = {.request = {.op_count = 2, .policy = {.extent = EM_AS_FAR_AS_OK}}};
    (void)state;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\ntwo\n");
    ask(&s, &consent);
    c.ops[1] =
        (em_op){.kind = EM_OP_REPLACE, .find = EM_LIT("none"), .insert = EM_LIT("x"), .expect = 1};
    assert_int_equal(run_call(&s, &c, "a.txt", "one", "1"), EM_E_NO_MATCH);
    assert_int_equal(consent.count, 1);
    assert_int_equal(consent.items[0].lines_added, 1);
    give(&s, &consent);
    assert_int_equal(run_call(&s, &c, "a.txt", "one", "1"), EM_E_NO_MATCH);
    assert_true(c.outcome.committed);
    check(&s, "a.txt", "1\ntwo\n");
    end(&s, &consent);
}

/* ---- Several changes of one file ------------------------------------------------------------- */

static void later_changes_see_what_earlier_ones_would_leave(void **state)
{
    scratch s;
    em_consent consent;
    (void)state;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\n");
    ask(&s, &consent);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(edit(&s, "a.txt", "one", "two"), EM_OK);
        assert_int_equal(edit(&s, "a.txt", "two", "three\nfour"), EM_OK);
        assert_int_equal(edit(&s, "new.txt", NULL, "n\n"), EM_OK);
        assert_int_equal(edit(&s, "new.txt", "n", "m"), EM_OK);
        assert_int_equal(consent.count, 4);
        if (round == 0) {
            check(&s, "a.txt", "one\n");
            check(&s, "new.txt", NULL);
            assert_int_equal(consent.items[3].how, EM_INTENDED_EDIT);
            give(&s, &consent);
        }
    }
    check(&s, "a.txt", "three\nfour\n");
    check(&s, "new.txt", "m\n");
    end(&s, &consent);
}

/* What would come of an edit of b.txt, whose path is slipped. */
static em_status try_slipped(scratch *s, const char *find)
{
    em_op op = {
        .kind = EM_OP_REPLACE, .find = em_slice_of(find), .insert = EM_LIT("x"), .expect = 1};
    em_edit_request request = {.path = "slipped/b.txt", .ops = &op, .op_count = 1, .tool = "edit"};
    em_outcome outcome;
    assert_int_equal(em_run_edit(s->session, &request, &s->arena, &outcome), EM_E_NOT_FOUND);
    assert_non_null(outcome.there);
    em_status status = outcome.there->status;
    em_outcome_drop(s->session, &outcome);
    return status;
}

/* It is the same when nobody has to be asked, as it is before and after somebody was. */
static void what_would_come_of_a_slipped_path_is_found_beside_it(void **state)
{
    scratch s;
    em_consent consent;
    (void)state;
    for (int is_given = 0; is_given < 2; is_given++) {
        scratch_open(&s, NULL);
        save(&s, "a.txt", "one\n");
        save(&s, "b.txt", "one\n");
        ask(&s, &consent);
        for (int round = 0; round < 2; round++) {
            bool is_refused = round == 1 && !is_given;
            assert_int_equal(edit(&s, "a.txt", "one", "two"), is_refused ? EM_E_DENIED : EM_OK);
            assert_int_equal(try_slipped(&s, "one"), EM_OK);
            assert_int_equal(try_slipped(&s, "three"), EM_E_NO_MATCH);
            assert_int_equal(consent.count, 1);
            if (round == 0 && is_given)
                give(&s, &consent);
            else if (round == 0)
                withhold(&s, &consent, "no");
        }
        check(&s, "b.txt", "one\n");
        check(&s, "a.txt", is_given ? "two\n" : "one\n");
        end(&s, &consent);
    }
}

/* The file changes while the changes of a call are noted. */
/* A link leads to what they would have made, as it will when that is there. */
static void later_changes_find_the_way_through_earlier_ones(void **state)
{
    scratch s;
    em_consent consent;
    call c = {0};
    char path[200];
    (void)state;
    scratch_open(&s, NULL);
    scratch_path(&s, "link", path);
    assert_int_equal(symlink("n/new", path), 0);
    ask(&s, &consent);
    assert_int_equal(edit(&s, "n/new", NULL, "one"), EM_OK);
    assert_int_equal(run_call(&s, &c, "link", NULL, "two"), EM_OK);
    assert_int_equal(consent.count, 2);
    assert_string_equal(consent.items[0].path, consent.items[1].path);
    check(&s, "n/new", NULL);
    give(&s, &consent); /* what would have been made is on nobody's way any more */
    assert_int_equal(run_call(&s, &c, "link", NULL, "two"), EM_E_NOT_FOUND);
    assert_int_equal(edit(&s, "n/new", NULL, "one"), EM_OK);
    assert_int_equal(run_call(&s, &c, "link", NULL, "two"), EM_OK);
    check(&s, "n/new", "two");
    end(&s, &consent);
}

static void what_changes_while_it_asks_is_a_conflict(void **state)
{
    scratch s;
    em_consent consent;
    (void)state;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\n");
    ask(&s, &consent);
    assert_int_equal(edit(&s, "a.txt", "one", "two"), EM_OK);
    save(&s, "a.txt", "one and more\n");
    assert_int_equal(edit(&s, "a.txt", "one", "two"), EM_E_CONFLICT);
    assert_int_equal(consent.count, 1);
    end(&s, &consent);
}

/* A file that is not held otherwise is held for what earlier changes would have left of it. */
static void large_files_are_asked_about(void **state)
{
    em_session_options options = {
        .workspace = {
            .large = {.from = 16, .quick = 16, .whole = 4096, .window = 64, .extract = 512}}};
    scratch s;
    em_consent consent;
    (void)state;
    scratch_open(&s, &options);
    save(&s, "a.txt", "0123456789\n0123456789x\none\n");
    ask(&s, &consent);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(edit(&s, "a.txt", "one", "two"), EM_OK);
        assert_int_equal(edit(&s, "a.txt", "9x", "9y"), EM_OK);
        if (round == 0)
            give(&s, &consent);
    }
    check(&s, "a.txt", "0123456789\n0123456789y\ntwo\n");
    end(&s, &consent);
}

static void the_undo_of_a_large_file_is_asked_about(void **state)
{
    em_session_options options = {
        .workspace = {
            .large = {.from = 16, .quick = 16, .whole = 4096, .window = 64, .extract = 512}}};
    scratch s;
    em_consent consent;
    em_undo_request request = {.what = EM_UNDO, .tool = "undo"};
    em_undo_outcome outcome;
    (void)state;
    scratch_open(&s, &options);
    save(&s, "a.txt", "0123456789\n0123456789x\none\n");
    assert_int_equal(edit(&s, "a.txt", "one", "two"), EM_OK);
    ask(&s, &consent);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(em_run_undo(s.session, &request, &s.arena, &outcome), EM_OK);
        assert_int_equal(consent.count, 1);
        assert_int_equal(consent.items[0].lines_added, 1);
        check(&s, "a.txt",
              round ? "0123456789\n0123456789x\none\n" : "0123456789\n0123456789x\ntwo\n");
        give(&s, &consent);
    }
    end(&s, &consent);
}

/* ---- Several files together ------------------------------------------------------------------ */

enum { FILES = 3 };

/* Files 0 and 2 are changed, 1 stays as it is. */
static em_status edit_three(scratch *s, em_several *result, em_outcome outcomes[static FILES])
{
    static const char *const names[FILES] = {"a.txt", "b.txt", "c.txt"};
    em_op ops[FILES];
    em_edit_request requests[FILES];
    for (size_t i = 0; i < FILES; i++) {
        const char *insert = i == 1 ? "one" : "two";
        ops[i] = (em_op){.kind = EM_OP_REPLACE,
                         .find = EM_LIT("one"),
                         .insert = em_slice_of(insert),
                         .expect = 1};
        requests[i] = (em_edit_request){.path = names[i],
                                        .ops = &ops[i],
                                        .op_count = 1,
                                        .policy = {.allow_no_change = true},
                                        .tool = "edit"};
    }
    em_status status = em_run_edits(s->session, requests, FILES, &s->arena, outcomes, result);
    for (size_t i = 0; i < FILES; i++)
        em_outcome_drop(s->session, &outcomes[i]);
    return status;
}

static void open_three(scratch *s, em_consent *consent)
{
    scratch_open(s, NULL);
    save(s, "a.txt", "one\n");
    save(s, "b.txt", "one\n");
    save(s, "c.txt", "one\n");
    ask(s, consent);
}

static void several_files_are_asked_about_at_once(void **state)
{
    scratch s;
    em_consent consent;
    em_several result;
    em_outcome outcomes[FILES];
    (void)state;
    open_three(&s, &consent);
    assert_int_equal(edit_three(&s, &result, outcomes), EM_OK);
    assert_int_equal(consent.count, 2);
    check(&s, "a.txt", "one\n");
    give(&s, &consent);
    assert_int_equal(edit_three(&s, &result, outcomes), EM_OK);
    check(&s, "a.txt", "two\n");
    check(&s, "c.txt", "two\n");
    check_history(&s, 1, 2);
    end(&s, &consent);
}

static void a_refusal_is_of_each_of_several_files(void **state)
{
    scratch s;
    em_consent consent;
    em_several result;
    em_outcome outcomes[FILES];
    (void)state;
    open_three(&s, &consent);
    assert_int_equal(edit_three(&s, &result, outcomes), EM_OK);
    withhold(&s, &consent, "no");
    assert_int_equal(edit_three(&s, &result, outcomes), EM_E_DENIED);
    assert_int_equal(result.culprit, 0);
    assert_int_equal(outcomes[0].status, EM_E_DENIED);
    assert_int_equal(outcomes[1].status, EM_OK);
    assert_int_equal(outcomes[2].status, EM_E_DENIED);
    check(&s, "a.txt", "one\n");
    end(&s, &consent);
}

static void one_of_several_that_changed_keeps_all_as_they_are(void **state)
{
    scratch s;
    em_consent consent;
    em_several result;
    em_outcome outcomes[FILES];
    (void)state;
    open_three(&s, &consent);
    assert_int_equal(edit_three(&s, &result, outcomes), EM_OK);
    save(&s, "c.txt", "one and two\n");
    give(&s, &consent);
    assert_int_equal(edit_three(&s, &result, outcomes), EM_E_CONFLICT);
    assert_int_equal(result.culprit, 2);
    check(&s, "a.txt", "one\n");
    check(&s, "c.txt", "one and two\n");
    end(&s, &consent);
}

static void several_of_which_one_went_or_lost_its_text(void **state)
{
    static const char *const saved[] = {"uno\n", NULL};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(saved); i++) {
        scratch s;
        em_consent consent;
        em_several result;
        em_outcome outcomes[FILES];
        open_three(&s, &consent);
        assert_int_equal(edit_three(&s, &result, outcomes), EM_OK);
        if (saved[i])
            save(&s, "c.txt", saved[i]);
        else
            remove_file(&s, "c.txt");
        give(&s, &consent);
        assert_int_equal(edit_three(&s, &result, outcomes), EM_E_CONFLICT);
        assert_int_equal(result.culprit, 2);
        assert_int_equal(outcomes[2].error.cause, EM_CAUSE_CHANGED);
        check(&s, "a.txt", "one\n");
        check(&s, "c.txt", saved[i]);
        end(&s, &consent);
    }
}

/* A file that was missing when the others were asked about is still that. */
static void one_that_was_never_there_stays_missing(void **state)
{
    scratch s;
    em_consent consent;
    em_several result;
    em_outcome outcomes[FILES];
    (void)state;
    open_three(&s, &consent);
    assert_int_equal(edit(&s, "a.txt", "one", "two"), EM_OK);
    remove_file(&s, "b.txt");
    give(&s, &consent);
    assert_int_equal(edit_three(&s, &result, outcomes), EM_E_NOT_FOUND);
    assert_int_equal(result.culprit, 1);
    end(&s, &consent);
}

/* ---- Undo ---------------------------------------------------------------------------------- */

static em_status undo(scratch *s, em_undo_what what, em_undo_outcome *outcome)
{
    em_undo_request request = {.what = what, .tool = "undo"};
    return em_run_undo(s->session, &request, &s->arena, outcome);
}

static void an_undo_is_asked_about(void **state)
{
    scratch s;
    em_consent consent;
    em_undo_outcome outcome;
    (void)state;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\n");
    assert_int_equal(edit(&s, "a.txt", "one", "two"), EM_OK);
    ask(&s, &consent);
    assert_int_equal(undo(&s, EM_UNDO, &outcome), EM_OK);
    check(&s, "a.txt", "two\n");
    assert_int_equal(consent.count, 1);
    assert_string_equal(consent.items[0].diff,
                        "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-two\n+one\n");
    withhold(&s, &consent, "keep it");
    assert_int_equal(undo(&s, EM_UNDO, &outcome), EM_E_DENIED);
    assert_string_equal(outcome.error.detail, "keep it");
    assert_null(outcome.conflict.path);
    check(&s, "a.txt", "two\n");
    give(&s, &consent);
    assert_int_equal(undo(&s, EM_UNDO, &outcome), EM_OK);
    check(&s, "a.txt", "one\n");
    assert_int_equal(undo(&s, EM_REDO, &outcome), EM_E_CONFLICT);
    em_session_set_consent(s.session, NULL);
    em_consent_drop(&consent);
    ask(&s, &consent);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(undo(&s, EM_REDO, &outcome), EM_OK);
        give(&s, &consent);
    }
    check(&s, "a.txt", "two\n");
    end(&s, &consent);
}

/* It changes no file. */
static void an_undo_that_comes_to_nothing_is_not_asked_about(void **state)
{
    scratch s;
    em_consent consent;
    em_undo_outcome outcome;
    (void)state;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\n");
    save_by_emend(&s, "a.txt", "two\n", false);
    save_by_emend(&s, "a.txt", "one\n", true);
    ask(&s, &consent);
    withhold(&s, &consent, "keep it");
    assert_int_equal(undo(&s, EM_UNDO, &outcome), EM_OK);
    check_history(&s, 1, 2);
    em_session_set_consent(s.session, NULL);
    em_consent_drop(&consent);
    ask(&s, &consent);
    assert_int_equal(undo(&s, EM_UNDO, &outcome), EM_OK);
    assert_int_equal(consent.count, 0);
    check_history(&s, 2, 3);
    assert_int_equal(undo(&s, EM_UNDO, &outcome), EM_E_NOT_FOUND);
    end(&s, &consent);
}

static void an_undo_of_a_file_that_changed_meanwhile_is_a_conflict(void **state)
{
    scratch s;
    em_consent consent;
    em_undo_outcome outcome;
    (void)state;
    scratch_open(&s, NULL);
    assert_int_equal(edit(&s, "a.txt", NULL, "a\n"), EM_OK);
    assert_int_equal(edit(&s, "a.txt", "a", "b"), EM_OK);
    ask(&s, &consent);
    assert_int_equal(undo(&s, EM_UNDO, &outcome), EM_OK);
    save(&s, "a.txt", "b\nand more\n");
    give(&s, &consent);
    assert_int_equal(undo(&s, EM_UNDO, &outcome), EM_E_CONFLICT);
    assert_string_equal(outcome.conflict.path, "a.txt");
    assert_non_null(strstr(outcome.error.detail, "waited for a yes"));
    check(&s, "a.txt", "b\nand more\n");
    end(&s, &consent);
}

/* A file that goes, and one that comes again; and a dry run of both is not asked about. */
static void removing_and_making_are_asked_about(void **state)
{
    static const struct {
        em_undo_what what;
        em_intended_how how;
    } rows[] = {{EM_UNDO, EM_INTENDED_REMOVE}, {EM_REDO, EM_INTENDED_MAKE}};
    scratch s;
    em_consent consent;
    em_undo_outcome outcome;
    (void)state;
    scratch_open(&s, NULL);
    assert_int_equal(edit(&s, "a.txt", NULL, "a\n"), EM_OK);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        em_undo_request dry = {.what = rows[i].what, .dry_run = true, .want_diff = true};
        ask(&s, &consent);
        assert_int_equal(em_run_undo(s.session, &dry, &s.arena, &outcome), EM_OK);
        assert_int_equal(consent.count, 0);
        assert_int_equal(undo(&s, rows[i].what, &outcome), EM_OK);
        assert_int_equal(consent.count, 1);
        assert_int_equal(consent.items[0].how, rows[i].how);
        give(&s, &consent);
        assert_int_equal(undo(&s, rows[i].what, &outcome), EM_OK);
        em_session_set_consent(s.session, NULL);
        em_consent_drop(&consent);
    }
    check(&s, "a.txt", "a\n");
    scratch_drop(&s);
}

/* ---- What is remembered ---------------------------------------------------------------------- */

static void a_call_that_only_asked_counts_no_mistake(void **state)
{
    scratch s;
    em_consent consent;
    call c = {0};
    (void)state;
    scratch_open(&s, NULL);
    save(&s, "a.txt", "one\n");
    save(&s, "b.txt", "one\n");
    ask(&s, &consent);
    for (int round = 0; round < 2; round++) {
        assert_int_equal(run_call(&s, &c, "a.txt", "absent", "x"), EM_E_NO_MATCH);
        assert_int_equal(c.outcome.misses, 1);
        assert_int_equal(edit(&s, "b.txt", "one", "two"), EM_OK);
        if (round == 0)
            give(&s, &consent);
    }
    em_session_set_consent(s.session, NULL);
    em_consent_drop(&consent);
    ask(&s, &consent); /* a miss that is the whole answer counts */
    assert_int_equal(run_call(&s, &c, "a.txt", "absent", "x"), EM_E_NO_MATCH);
    assert_int_equal(c.outcome.misses, 2);
    em_session_set_consent(s.session, NULL);
    assert_int_equal(run_call(&s, &c, "a.txt", "absent", "x"), EM_E_NO_MATCH);
    assert_int_equal(c.outcome.misses, 3);
    end(&s, &consent);
}

/* ---- Fingerprints -------------------------------------------------------------------------- */

static em_hash fingerprint_of(const char *was, const char *path, const char *find,
                              const char *insert)
{
    scratch s;
    em_consent consent;
    em_hash hash = {.hex = ""};
    EM_AUTO(em_strbuf) text = {0};
    scratch_open(&s, NULL);
    save(&s, "a.txt", was);
    save(&s, "b.txt", was);
    ask(&s, &consent);
    assert_int_equal(edit(&s, path, find, insert), EM_OK);
    /* the folder has another name each time */
    consent.items[0].path = consent.items[0].rel;
    assert_int_equal(em_consent_fingerprints(&consent, &text), EM_OK);
    assert_int_equal(text.len, sizeof hash.hex - 1);
    memcpy(hash.hex, text.ptr, text.len);
    end(&s, &consent);
    return hash;
}

static void a_fingerprint_is_that_of_one_change(void **state)
{
    (void)state;
    em_hash one = fingerprint_of("one\n", "a.txt", "one", "two");
    assert_true(em_hash_eq(one, fingerprint_of("one\n", "a.txt", "one", "two")));
    assert_false(em_hash_eq(one, fingerprint_of("one\n", "b.txt", "one", "two")));
    assert_false(em_hash_eq(one, fingerprint_of("one\none more\n", "a.txt", "one\n", "two\n")));
    assert_false(em_hash_eq(one, fingerprint_of("one\n", "a.txt", "one", "three")));
}

/* ---- Memory -------------------------------------------------------------------------------- */

static void asking_when_memory_runs_out(void **state)
{
    (void)state;
    em_status status = EM_E_NOMEM;
    for (long left = 0; status != EM_OK; left++) {
        scratch s;
        em_consent consent;
        EM_AUTO(em_strbuf) text = {0};
        scratch_open(&s, NULL);
        save(&s, "a.txt", "one\n");
        ask(&s, &consent);
        mallocs_left = left;
        status = edit(&s, "a.txt", "one", "two");
        if (status == EM_OK)
            status = edit(&s, "a.txt", "two", "three");
        if (status == EM_OK)
            status = em_consent_fingerprints(&consent, &text);
        if (status == EM_OK)
            status = em_consent_hold_to(&consent, em_strbuf_slice(&text));
        mallocs_left = -1;
        assert_true(status == EM_OK || status == EM_E_NOMEM);
        check(&s, "a.txt", "one\n");
        end(&s, &consent);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_asked_about_is_not_written),
        cmocka_unit_test(a_new_file_is_asked_about),
        cmocka_unit_test(what_is_refused_fails_with_the_reason),
        cmocka_unit_test(what_writes_nothing_is_not_asked_about),
        cmocka_unit_test(what_was_not_asked_about_is_a_conflict),
        cmocka_unit_test(a_file_in_which_the_text_is_not_any_more_is_a_conflict),
        cmocka_unit_test(a_yes_is_good_for_once),
        cmocka_unit_test(a_merge_does_not_get_round_it),
        cmocka_unit_test(what_goes_well_before_a_failure_is_asked_about),
        cmocka_unit_test(later_changes_see_what_earlier_ones_would_leave),
        cmocka_unit_test(later_changes_find_the_way_through_earlier_ones),
        cmocka_unit_test(what_would_come_of_a_slipped_path_is_found_beside_it),
        cmocka_unit_test(what_changes_while_it_asks_is_a_conflict),
        cmocka_unit_test(large_files_are_asked_about),
        cmocka_unit_test(the_undo_of_a_large_file_is_asked_about),
        cmocka_unit_test(several_files_are_asked_about_at_once),
        cmocka_unit_test(a_refusal_is_of_each_of_several_files),
        cmocka_unit_test(one_of_several_that_changed_keeps_all_as_they_are),
        cmocka_unit_test(several_of_which_one_went_or_lost_its_text),
        cmocka_unit_test(one_that_was_never_there_stays_missing),
        cmocka_unit_test(an_undo_is_asked_about),
        cmocka_unit_test(an_undo_that_comes_to_nothing_is_not_asked_about),
        cmocka_unit_test(an_undo_of_a_file_that_changed_meanwhile_is_a_conflict),
        cmocka_unit_test(removing_and_making_are_asked_about),
        cmocka_unit_test(a_call_that_only_asked_counts_no_mistake),
        cmocka_unit_test(a_fingerprint_is_that_of_one_change),
        cmocka_unit_test(asking_when_memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* The review's requests over a real session and a real history. What it looks like in a browser is
 * tested in tests/browser, and over HTTP in tests/http. */
#include "http/asking.h"

#include "../session/scratch.h"
#include "review/review.h"

#include <inttypes.h>
#include <poll.h>

/* ---- A review of something ------------------------------------------------------------------ */

typedef struct scene {
    scratch s;       /* the session of those who change files */
    em_session *own; /* the review's */
    em_review *review;
    em_approvals *approvals;
    em_routes routes;
    em_exchange *last;
    json_t *answer; /* of it */
} scene;

static void scene_open_with(scene *c, em_review_options options)
{
    em_error err = EM_ERROR_INIT;
    *c = (scene){.review = NULL};
    scratch_open(&c->s, NULL);
    assert_int_equal(em_session_new(&c->s.options, &c->own, &err), EM_OK);
    options.session = c->own;
    c->approvals = options.approvals;
    c->review = em_review_new(&options);
    assert_non_null(c->review);
    c->routes = em_review_routes(c->review);
}

static void scene_open(scene *c)
{
    scene_open_with(c, (em_review_options){.read_only = false});
}

static void forget_answer(scene *c)
{
    if (c->last)
        em_exchange_free(c->last);
    json_decref(c->answer);
    c->last = NULL;
    c->answer = NULL;
}

static void scene_drop(scene *c)
{
    forget_answer(c);
    em_review_free(c->review);
    em_approvals_free(c->approvals);
    em_session_free(c->own);
    scratch_drop(&c->s);
}

static int send(scene *c, em_http_method method, const char *target, const char *body)
{
    forget_answer(c);
    c->last = ask_with(c->routes, method, target, body, NULL, NULL);
    em_slice text = c->last->reply.body;
    c->answer = text.len > 0 ? json_loadb(text.ptr, text.len, 0, NULL) : NULL;
    return c->last->reply.status;
}

static int get(scene *c, const char *target)
{
    return send(c, EM_HTTP_GET, target, NULL);
}

static int post(scene *c, const char *target, const char *body)
{
    return send(c, EM_HTTP_POST, target, body);
}

/* The member at "a.0.b" of the answer; NULL. */
static const json_t *at(const scene *c, const char *path)
{
    const json_t *value = c->answer;
    char name[64];
    for (size_t length; *path; path += length + (path[length] == '.')) {
        length = strcspn(path, ".");
        snprintf(name, sizeof name, "%.*s", (int)length, path);
        value = json_is_array(value) ? json_array_get(value, (size_t)atoi(name))
                                     : json_object_get(value, name);
    }
    return value;
}

static void check_text(const scene *c, const char *path, const char *want)
{
    const char *got = json_string_value(at(c, path));
    if (!got || strcmp(got, want) != 0)
        fail_msg("%s is %s, not %s", path, got ? got : "missing", want);
}

static void check_number(const scene *c, const char *path, json_int_t want)
{
    if (!json_is_integer(at(c, path)) || json_integer_value(at(c, path)) != want)
        fail_msg("%s is %lld, not %lld", path, (long long)json_integer_value(at(c, path)),
                 (long long)want);
}

static void check_true(const scene *c, const char *path, bool want)
{
    if (!json_is_boolean(at(c, path)) || json_is_true(at(c, path)) != want)
        fail_msg("%s is not %s", path, want ? "true" : "false");
}

/* ---- What is done --------------------------------------------------------------------------- */

/* Change a file as an agent would; the review is told if `told`. */
static void edit_by(em_session *session, scene *c, const char *path, const char *old,
                    const char *new, bool told)
{
    em_op op = {.kind = old ? EM_OP_REPLACE : EM_OP_REWRITE,
                .find = em_slice_of(old ? old : ""),
                .insert = em_slice_of(new),
                .expect = EM_EVERY};
    em_edit_request request = {
        .path = path, .ops = &op, .op_count = 1, .tool = "edit", .existence = EM_MAY_EXIST};
    em_outcome outcome;
    EM_AUTO(em_arena) arena = {0};
    assert_int_equal(em_run_edit(session, &request, &arena, &outcome), EM_OK);
    static const em_tier tiers[] = {EM_TIER_TOKEN};
    em_observed file = {.path = path,
                        .rel = path,
                        .edit_id = outcome.edit_id,
                        .committed = true,
                        .asked_bytes = 4,
                        .size = outcome.size,
                        .tiers = tiers,
                        .tier_count = 1};
    em_mcp_called called = {
        .tool = "edit", .client = "agent", .text = "done", .files = &file, .file_count = 1};
    if (told)
        em_review_called(c->review, &called);
    em_outcome_drop(session, &outcome);
}

static void edit(scene *c, const char *path, const char *old, const char *new, bool told)
{
    edit_by(c->s.session, c, path, old, new, told);
}

static void refuse(scene *c, const char *path)
{
    json_t *arguments = json_pack("{s:s}", "path", path);
    em_observed file = {.path = path, .status = EM_E_OUTSIDE};
    em_mcp_called called = {.tool = "edit",
                            .arguments = arguments,
                            .is_error = true,
                            .text = "Access denied\nCause: x",
                            .files = &file,
                            .file_count = 1};
    em_review_called(c->review, &called);
    json_decref(arguments);
}

/* ---- Lists ---------------------------------------------------------------------------------- */

static void changes_come_in_pages(void **state)
{
    (void)state;
    EM_AUTO(scene) c;
    scene_open(&c);
    assert_int_equal(get(&c, "/api/edits"), 200);
    assert_int_equal(json_array_size(at(&c, "edits")), 0);
    edit(&c, "a.txt", NULL, "the price is 1 now\n", false);
    edit(&c, "b.txt", NULL, "x", false);
    edit(&c, "a.txt", "is 1", "is 2", true);
    assert_int_equal(get(&c, "/api/edits?limit=2"), 200);
    assert_int_equal(json_array_size(at(&c, "edits")), 2);
    check_true(&c, "more", true);
    check_text(&c, "edits.0.rel", "a.txt");
    check_text(&c, "edits.0.tool", "edit");
    check_text(&c, "edits.0.tier", "token");
    check_number(&c, "edits.0.request", 1);
    check_number(&c, "edits.0.lines_added", 1);
    check_number(&c, "edits.0.brief.line", 1);
    check_text(&c, "edits.0.brief.before", "the price is ");
    check_text(&c, "edits.0.brief.old", "1");
    check_text(&c, "edits.0.brief.new", "2");
    check_text(&c, "edits.0.brief.after", " now");
    check_text(&c, "edits.1.kind", "create");
    assert_null(at(&c, "edits.1.request"));
    assert_int_equal(get(&c, "/api/edits?before=2&limit=2"), 200);
    assert_int_equal(json_array_size(at(&c, "edits")), 1);
    check_true(&c, "more", false);
    assert_int_equal(get(&c, "/api/edits?file=b.txt"), 200);
    assert_int_equal(json_array_size(at(&c, "edits")), 1);
    char target[200];
    snprintf(target, sizeof target, "/api/edits?file=%s/a.txt&tool=edit", c.s.root);
    assert_int_equal(get(&c, target), 200);
    assert_int_equal(json_array_size(at(&c, "edits")), 2);
    assert_int_equal(get(&c, "/api/edits?client=nobody"), 200);
    assert_int_equal(json_array_size(at(&c, "edits")), 0);
}

static void a_file_is_found_however_it_is_spelt(void **state)
{
    (void)state;
    static const struct {
        const char *file; /* '@' is the root */
        size_t count;
    } rows[] = {
        {"d", 2},      {"d/", 2},         {"./d", 2},      {"d//a.txt", 1}, {"./d/./a.txt", 1},
        {"d/../d", 2}, {"e/../d/", 2},    {"d/a.txt/", 1}, {".", 3},        {"", 3},
        {"@", 3},      {"@/", 3},         {"@/./d/", 2},   {"@//d", 2},     {"@/d/../d/b.txt", 1},
        {"/", 3},      {"/../..", 3},     {"//", 3},       {"..", 3},       {"./", 3},
        {"/d", 0},     {"d/../d.txt", 1}, {"../d", 0},     {"da", 0},       {"d/a", 0},
    };
    EM_AUTO(scene) c;
    scene_open(&c);
    char folder[200];
    scratch_path(&c.s, "d", folder);
    assert_int_equal(mkdir(folder, 0755), 0);
    edit(&c, "d/a.txt", NULL, "x", false);
    edit(&c, "d/b.txt", NULL, "x", false);
    edit(&c, "d.txt", NULL, "x", false);
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        bool whole = rows[i].file[0] == '@';
        char target[300];
        snprintf(target, sizeof target, "/api/edits?file=%s%s", whole ? c.s.root : "",
                 rows[i].file + whole);
        assert_int_equal(get(&c, target), 200);
        if (json_array_size(at(&c, "edits")) != rows[i].count)
            fail_msg("%s: %zu", target, json_array_size(at(&c, "edits")));
    }
}

static void odd_changes_are_listed_all_the_same(void **state)
{
    (void)state;
    EM_AUTO(scene) c;
    scene_open(&c);
    char line[900];
    memset(line, 'x', sizeof line - 1);
    line[sizeof line - 1] = '\0';
    edit(&c, "a.txt", NULL, "a\n\nb\n", false);
    edit(&c, "a.txt", "a\n\nb", line, false);
    edit(&c, "b.txt", NULL, "b", false);
    edit(&c, "c.txt", NULL, "c", false);
    edit(&c, "d.txt", NULL, "d", false);
    scratch_sql(&c.s, "UPDATE inverses SET plan = x'77' WHERE id = 3;"
                      "UPDATE inverses SET plan = x'010100090100' WHERE id = 4;"
                      "UPDATE commits SET new_size = 99999999 WHERE id = 5");
    assert_int_equal(get(&c, "/api/edits"), 200);
    assert_int_equal(json_array_size(at(&c, "edits")), 5);
    assert_null(at(&c, "edits.0.brief"));
    check_true(&c, "edits.1.binary", true);
    assert_null(at(&c, "edits.2.brief"));
    assert_true(strlen(json_string_value(at(&c, "edits.3.brief.new"))) < 200);
    scratch_sql(&c.s, "PRAGMA user_version = 99");
    forget_answer(&c);
    em_review_free(c.review);
    em_session_free(c.own);
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_session_new(&c.s.options, &c.own, &err), EM_OK);
    c.review = em_review_new(&(em_review_options){.session = c.own});
    c.routes = em_review_routes(c.review);
    static const char *const targets[] = {"/api/edits",    "/api/edits/1",     "/api/files",
                                          "/api/activity", "/api/checkpoints", "/api/events"};
    for (size_t i = 0; i < COUNT_OF(targets); i++) {
        assert_int_equal(get(&c, targets[i]), 500);
        check_text(&c, "error.code", "failed");
    }
}

static void files_and_time_are_summed_up(void **state)
{
    (void)state;
    EM_AUTO(scene) c;
    scene_open(&c);
    assert_int_equal(get(&c, "/api/files"), 200);
    check_number(&c, "file_count", 0);
    assert_int_equal(get(&c, "/api/activity"), 200);
    edit(&c, "a.txt", NULL, "1", false);
    edit(&c, "b.txt", NULL, "x", false);
    edit(&c, "a.txt", "1", "22", false);
    refuse(&c, "../x");
    assert_int_equal(get(&c, "/api/files?limit=1"), 200);
    assert_int_equal(json_array_size(at(&c, "files")), 1);
    check_text(&c, "files.0.rel", "a.txt");
    check_number(&c, "files.0.changes", 2);
    check_number(&c, "files.0.size", 2);
    check_true(&c, "files.0.removed", false);
    check_number(&c, "file_count", 2);
    check_number(&c, "change_count", 3);
    assert_int_equal(get(&c, "/api/activity?hours=1"), 200);
    json_int_t changes = 0, refused = 0;
    for (size_t i = 0; i < 96; i++) {
        changes += json_integer_value(json_array_get(at(&c, "changes"), i));
        refused += json_integer_value(json_array_get(at(&c, "refused"), i));
    }
    assert_int_equal(changes, 3);
    assert_int_equal(refused, 1);
    check_number(&c, "span_ms", 37500);
    assert_int_equal(get(&c, "/api/activity?hours=0"), 200);
    assert_int_equal(get(&c, "/api/activity?hours=999999"), 200);
}

static void refused_calls_are_listed(void **state)
{
    (void)state;
    EM_AUTO(scene) c;
    scene_open(&c);
    edit(&c, "a.txt", NULL, "1", true);
    refuse(&c, "../x");
    refuse(&c, "../y");
    assert_int_equal(get(&c, "/api/calls?limit=1"), 200);
    assert_int_equal(json_array_size(at(&c, "calls")), 1);
    check_true(&c, "more", true);
    check_number(&c, "calls.0.number", 3);
    check_text(&c, "calls.0.cause", "outside");
    check_text(&c, "calls.0.why", "Access denied");
    check_text(&c, "calls.0.files.0.rel", "../y");
    assert_int_equal(get(&c, "/api/calls?before=3"), 200);
    assert_int_equal(json_array_size(at(&c, "calls")), 1);
    assert_int_equal(get(&c, "/api/calls/3"), 200);
    check_text(&c, "arguments", "{\"path\":\"../y\"}");
    check_text(&c, "text", "Access denied\nCause: x");
    static const char *const unknown[] = {
        "9", "x", "3x", "+3", "%203", "03x", "-3", "", "-18446744073709551613"};
    for (size_t i = 0; i < COUNT_OF(unknown); i++) {
        char target[64];
        snprintf(target, sizeof target, "/api/calls/%s", unknown[i]);
        assert_int_equal(get(&c, target), 404);
    }
    assert_int_equal(get(&c, "/api/state"), 200);
    check_number(&c, "totals.calls", 3);
    check_number(&c, "totals.changes", 1);
    check_number(&c, "totals.refused", 2);
    check_text(&c, "totals.causes.0.cause", "outside");
    check_text(&c, "roots.0", c.s.root);
    check_true(&c, "approve", false);
    check_true(&c, "history", true);
}

/* Without a history the calls that changed something are all there is. */
static void without_a_history_calls_are_shown(void **state)
{
    (void)state;
    EM_AUTO(scene) c;
    scene_open_with(&c, (em_review_options){.no_history = true, .read_only = true});
    em_observed file = {.path = "a.txt", .edit_id = "", .committed = true};
    em_mcp_called called = {.tool = "edit", .text = "done", .files = &file, .file_count = 1};
    em_review_called(c.review, &called);
    assert_int_equal(get(&c, "/api/calls"), 200);
    assert_int_equal(json_array_size(at(&c, "calls")), 1);
    check_true(&c, "calls.0.files.0.changed", true);
    assert_null(at(&c, "calls.0.cause"));
    assert_int_equal(get(&c, "/api/state"), 200);
    check_true(&c, "history", false);
    check_true(&c, "read_only", true);
    assert_int_equal(post(&c, "/api/checkpoints", "{\"name\":\"x\"}"), 403);
    check_text(&c, "error.code", "denied");
}

/* ---- One change ----------------------------------------------------------------------------- */

static void a_change_is_shown(void **state)
{
    (void)state;
    EM_AUTO(scene) c;
    scene_open(&c);
    edit(&c, "a.txt", NULL, "one two\n", false);
    edit(&c, "a.txt", "two", "three", true);
    assert_int_equal(get(&c, "/api/edits/2"), 200);
    check_text(&c, "edits.0.rel", "a.txt");
    check_number(&c, "lines_added", 1);
    check_text(&c, "diff.hunks.0.lines.0.0", "-");
    check_text(&c, "diff.hunks.0.lines.0.2", "two");
    check_text(&c, "diff.hunks.0.lines.1.2", "three");
    check_text(&c, "files.0.rel", "a.txt");
    check_text(&c, "call.text", "done");
    check_true(&c, "recorded", true);
    assert_int_equal(get(&c, "/api/edits/1"), 200);
    assert_null(at(&c, "call"));
    assert_int_equal(get(&c, "/api/edits/3"), 404);
    assert_int_equal(get(&c, "/api/edits/x"), 404);
    check_text(&c, "error.code", "not_found");
}

static void a_change_is_undone_and_redone(void **state)
{
    (void)state;
    EM_AUTO(scene) c;
    scene_open(&c);
    edit(&c, "a.txt", NULL, "one two\n", false);
    edit(&c, "a.txt", "two", "three", false);
    assert_int_equal(post(&c, "/api/edits/2/undo", "{\"dry_run\":true}"), 200);
    check_true(&c, "done", true);
    check_true(&c, "dry_run", true);
    check_text(&c, "sentence", "would undo edit in a.txt");
    check_text(&c, "files.0.rel", "a.txt");
    check_text(&c, "files.0.diff.hunks.0.lines.1.2", "two");
    check_file(&c.s, "a.txt", EM_LIT("one three\n"));
    assert_int_equal(post(&c, "/api/edits/2/undo", "{}"), 200);
    check_text(&c, "sentence", "undid edit in a.txt");
    check_file(&c.s, "a.txt", EM_LIT("one two\n"));
    assert_int_equal(post(&c, "/api/edits/2/undo", "{}"), 200);
    check_true(&c, "done", false);
    assert_int_equal(get(&c, "/api/edits"), 200);
    check_text(&c, "edits.0.role", "undo");
    check_text(&c, "edits.0.client", "review page");
    check_true(&c, "edits.1.undone", true);
    assert_int_equal(post(&c, "/api/edits/2/redo", "{}"), 200);
    check_file(&c.s, "a.txt", EM_LIT("one three\n"));
    scratch_write(&c.s, "a.txt", EM_LIT("one four\n"));
    assert_int_equal(post(&c, "/api/edits/2/undo", "{\"dry_run\":true}"), 200);
    check_true(&c, "done", false);
    check_text(&c, "was", "one three\n");
    check_text(&c, "now", "one four\n");
    check_number(&c, "line", 1);
}

static void what_cannot_be_asked_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *target, *body;
        int status;
    } cases[] = {
        {"/api/edits/1", "{}", 404},
        {"/api/edits/1/break", "{}", 404},
        {"/api/edits/1/undo", "", 400},
        {"/api/edits/1/undo", "[]", 400},
        {"/api/edits/1/undo", "{\"dry_run\":null}", 400},
        {"/api/edits/9/undo", "{}", 404},
        {"/api/checkpoints", "{", 400},
        {"/api/checkpoints", "{}", 400},
        {"/api/checkpoints", "{\"name\":\"\"}", 400},
        {"/api/checkpoints", "{\"name\":7}", 400},
        {"/api/checkpoints", "{\"name\":\"a\\u0000b\"}", 400},
        {"/api/checkpoints/x", "{}", 404},
        {"/api/checkpoints/rewind", "{}", 404},
        {"/api/checkpoints/x/rewind", "", 400},
        {"/api/checkpoints/x/rewind", "{}", 404},
        {"/api/approvals/1", "{}", 404},
        {"/api/passes/drop", "{}", 404},
    };
    EM_AUTO(scene) c;
    scene_open(&c);
    edit(&c, "a.txt", NULL, "1", false);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int status = post(&c, cases[i].target, cases[i].body);
        if (status != cases[i].status || !json_is_string(at(&c, "error.message")))
            fail_msg("%s %s: %d", cases[i].target, cases[i].body, status);
    }
    char name[300];
    memset(name, 'x', sizeof name);
    snprintf(name, 12, "{\"name\":\"xx");
    name[11] = 'x';
    snprintf(name + 290, 10, "\"}");
    assert_int_equal(post(&c, "/api/checkpoints", name), 400);
}

static void a_checkpoint_is_rewound_to(void **state)
{
    (void)state;
    EM_AUTO(scene) c;
    scene_open(&c);
    edit(&c, "a.txt", NULL, "one\n", false);
    assert_int_equal(post(&c, "/api/checkpoints", "{\"name\":\"be/fore\"}"), 204);
    assert_int_equal(get(&c, "/api/checkpoints"), 200);
    check_text(&c, "checkpoints.0.name", "be/fore");
    check_number(&c, "checkpoints.0.after", 1);
    edit(&c, "a.txt", "one", "two", false);
    edit(&c, "b.txt", NULL, "new\n", false);
    assert_int_equal(post(&c, "/api/checkpoints/be/fore/rewind", "{\"dry_run\":true}"), 200);
    check_number(&c, "calls", 2);
    assert_int_equal(json_array_size(at(&c, "files")), 2);
    check_text(&c, "files.1.kind", "remove");
    assert_int_equal(post(&c, "/api/checkpoints/be%2Ffore/rewind", "{}"), 200);
    check_true(&c, "done", true);
    check_file(&c.s, "a.txt", EM_LIT("one\n"));
    assert_null(scratch_read(&c.s, "b.txt").ptr);
}

/* Many long diffs are not sent: the files are named. */
static void what_would_be_too_much_is_cut(void **state)
{
    (void)state;
    EM_AUTO(scene) c;
    scene_open(&c);
    size_t length = 600 << 10;
    char *text = malloc(length + 1);
    assert_non_null(text);
    for (size_t i = 0; i < length; i++)
        text[i] = i % 60 == 59 ? '\n' : 'x';
    text[length] = '\0';
    assert_int_equal(post(&c, "/api/checkpoints", "{\"name\":\"x\"}"), 204);
    for (int i = 0; i < 12; i++) {
        char name[16];
        snprintf(name, sizeof name, "%d.txt", i);
        edit(&c, name, NULL, text, false);
    }
    free(text);
    assert_int_equal(post(&c, "/api/checkpoints/x/rewind", "{\"dry_run\":true}"), 200);
    assert_int_equal(json_array_size(at(&c, "files")), 12);
    check_true(&c, "files.0.diff.truncated", true);
    check_true(&c, "files.11.diff.truncated", true);
    assert_int_equal(json_array_size(at(&c, "files.11.diff.hunks")), 0);
    assert_true(c.last->reply.body.len < 6 << 20);
}

/* ---- Approvals ------------------------------------------------------------------------------ */

static em_approvals *make_approvals(void)
{
    em_approvals *approvals = NULL;
    em_error err = EM_ERROR_INIT;
    em_approvals_options options = {.has_page = true};
    assert_int_equal(em_approvals_new(&options, &approvals, &err), EM_OK);
    return approvals;
}

static uint64_t let_wait(scene *c, const char *path)
{
    em_intended item = {.path = path,
                        .rel = "a.txt",
                        .how = EM_INTENDED_MAKE,
                        .diff = "@@ -0,0 +1 @@\n+one\n",
                        .diff_truncated = true,
                        .lines_added = 1};
    em_waiting waiting = {
        .tool = "edit", .client = "agent", .arguments = "{\"a\":1}", .items = &item, .count = 1};
    uint64_t id;
    assert_int_equal(em_approvals_add(c->approvals, &waiting, &id), EM_ADMITTED);
    return id;
}

static em_decision decision_on(scene *c, uint64_t id)
{
    em_decision decision;
    em_approvals_wait(c->approvals, id, 0, &decision);
    em_approvals_withdraw(c->approvals, id);
    return decision;
}

static void what_waits_is_decided(void **state)
{
    (void)state;
    EM_AUTO(scene) c;
    char path[200], target[64];
    scene_open_with(&c, (em_review_options){.approvals = make_approvals()});
    em_approvals_listen(c.approvals, em_review_heard, c.review);
    scratch_path(&c.s, "a.txt", path);
    assert_int_equal(get(&c, "/api/approvals"), 200);
    assert_int_equal(json_array_size(at(&c, "waiting")), 0);
    uint64_t id = let_wait(&c, path);
    assert_int_equal(get(&c, "/api/state"), 200);
    check_number(&c, "waiting", 1);
    assert_int_equal(get(&c, "/api/approvals"), 200);
    check_text(&c, "waiting.0.client", "agent");
    check_text(&c, "waiting.0.files.0.rel", "a.txt");
    check_text(&c, "waiting.0.files.0.kind", "create");
    assert_null(at(&c, "waiting.0.files.0.diff"));
    assert_true(json_integer_value(at(&c, "now_ms")) > 1700000000000);
    snprintf(target, sizeof target, "/api/approvals/%" PRIu64, id);
    assert_int_equal(get(&c, target), 200);
    check_text(&c, "arguments", "{\"a\":1}");
    check_text(&c, "files.0.diff.hunks.0.lines.0.1", "one");
    check_true(&c, "files.0.diff.truncated", true);
    assert_int_equal(post(&c, target, "{\"verdict\":\"maybe\"}"), 400);
    assert_int_equal(post(&c, target, "x"), 400);
    assert_int_equal(post(&c, target, "{\"verdict\":\"no\",\"reason\":\"not now\"}"), 204);
    assert_int_equal(post(&c, target, "{\"verdict\":\"yes\"}"), 409);
    check_text(&c, "error.code", "not_waiting");
    em_decision decision = decision_on(&c, id);
    assert_int_equal(decision.verdict, EM_VERDICT_NO);
    assert_string_equal(decision.reason, "not now");
    assert_int_equal(get(&c, target), 409);
    assert_int_equal(get(&c, "/api/state"), 200);
    check_number(&c, "waiting", 0);
}

/* What is no number, or another one than `id`, though some would read it as that. */
enum { NO_NUMBERS = 9 };
static void other_numbers(uint64_t id, char names[NO_NUMBERS][40])
{
    char plain[24];
    snprintf(plain, sizeof plain, "%" PRIu64, id);
    snprintf(names[0], sizeof names[0], "%sjunk", plain);
    snprintf(names[1], sizeof names[1], "+%s", plain);
    snprintf(names[2], sizeof names[2], "%%20%s", plain);
    snprintf(names[3], sizeof names[3], "-%s", plain);
    snprintf(names[4], sizeof names[4], "%" PRIu64, id + 1);
    snprintf(names[5], sizeof names[5], "0");
    snprintf(names[6], sizeof names[6], "x");
    snprintf(names[7], sizeof names[7], "-%" PRIu64, -id);                      /* id - 2^64 */
    snprintf(names[8], sizeof names[8], "1844%" PRIu64, 6744073709551616 + id); /* id + 2^64 */
}

static void what_was_never_asked_is_not_found(void **state)
{
    (void)state;
    EM_AUTO(scene) c;
    char path[200], target[64], names[NO_NUMBERS][40];
    scene_open_with(&c, (em_review_options){.approvals = make_approvals()});
    scratch_path(&c.s, "a.txt", path);
    uint64_t id = let_wait(&c, path);
    other_numbers(id, names);
    for (size_t i = 0; i < NO_NUMBERS; i++) {
        snprintf(target, sizeof target, "/api/approvals/%s", names[i]);
        if (get(&c, target) != 404 || post(&c, target, "{\"verdict\":\"yes\"}") != 404)
            fail_msg("%s", target);
    }
    assert_int_equal(decision_on(&c, id).verdict, EM_VERDICT_NONE);
}

static void what_passes_is_remembered(void **state)
{
    (void)state;
    EM_AUTO(scene) c;
    char path[200], target[64], body[300];
    scene_open_with(&c, (em_review_options){.approvals = make_approvals()});
    scratch_path(&c.s, "a.txt", path);
    static const char *const what[] = {"file", "tool"};
    for (size_t i = 0; i < 2; i++) {
        uint64_t id = let_wait(&c, path);
        snprintf(target, sizeof target, "/api/approvals/%" PRIu64, id);
        snprintf(body, sizeof body, "{\"verdict\":\"yes\",\"remember\":\"%s\"}", what[i]);
        assert_int_equal(post(&c, target, body), 204);
        assert_int_equal(decision_on(&c, id).verdict, EM_VERDICT_YES);
    }
    assert_int_equal(get(&c, "/api/passes"), 200);
    assert_int_equal(json_array_size(at(&c, "passes")), 2);
    snprintf(body, sizeof body, "{\"path\":\"%s\"}", path);
    assert_int_equal(post(&c, "/api/passes/drop", body), 204);
    assert_int_equal(post(&c, "/api/passes/drop", body), 404);
    assert_int_equal(post(&c, "/api/passes/drop", "{\"tool\":\"edit\"}"), 204);
    assert_int_equal(post(&c, "/api/passes/drop", "{}"), 400);
    assert_int_equal(post(&c, "/api/passes/drop", "x"), 400);
    assert_int_equal(get(&c, "/api/passes"), 200);
    assert_int_equal(json_array_size(at(&c, "passes")), 0);
}

static void without_approvals_nothing_waits(void **state)
{
    (void)state;
    EM_AUTO(scene) c;
    scene_open(&c);
    assert_int_equal(get(&c, "/api/approvals"), 200);
    assert_int_equal(get(&c, "/api/passes"), 200);
    assert_int_equal(get(&c, "/api/approvals/1"), 404);
}

/* ---- Events --------------------------------------------------------------------------------- */

static void nothing(void *context)
{
    (void)context;
}

typedef struct watcher {
    em_exchange *exchange;
    em_stream *stream;
    char got[1 << 16];
    size_t used;
} watcher;

static void watch_from(scene *c, watcher *w, const char *last_id)
{
    *w = (watcher){.used = 0};
    w->exchange = ask_with(c->routes, EM_HTTP_GET, "/api/events", NULL,
                           last_id ? "Last-Event-ID" : NULL, last_id);
    assert_int_equal(w->exchange->reply.status, 200);
    w->stream = em_stream_keep(w->exchange->reply.stream);
}

static void watch(scene *c, watcher *w)
{
    watch_from(c, w, NULL);
}

static void take(watcher *w)
{
    long got;
    while ((got = em_stream_take(w->stream, w->got + w->used, sizeof w->got - 1 - w->used, nothing,
                                 NULL)) > 0)
        w->used += (size_t)got;
    w->got[w->used] = '\0';
}

/* Wait until `part` was told. */
static void wait_for(watcher *w, const char *part)
{
    for (int i = 0; i < 3000; i++) {
        take(w);
        if (strstr(w->got, part))
            return;
        poll(NULL, 0, 10);
    }
    fail_msg("\"%s\" was not told:\n%s", part, w->got);
}

static void watcher_drop(watcher *w)
{
    em_stream_leave(w->stream);
    em_stream_release(w->stream);
    em_exchange_free(w->exchange);
}

static void what_happens_is_told(void **state)
{
    (void)state;
    EM_AUTO(scene) c;
    EM_AUTO(watcher) w;
    scene_open(&c);
    edit(&c, "before.txt", NULL, "1", false);
    assert_int_equal(em_review_start(c.review), EM_OK);
    watch(&c, &w);
    wait_for(&w, "event: hello");
    edit(&c, "a.txt", NULL, "1", true);
    wait_for(&w, "\"rel\":\"a.txt\"");
    edit(&c, "other.txt", NULL, "1", false); /* nobody says so, as when another process did it */
    wait_for(&w, "\"rel\":\"other.txt\"");
    refuse(&c, "../x");
    wait_for(&w, "event: call");
    assert_int_equal(post(&c, "/api/checkpoints", "{\"name\":\"x\"}"), 204);
    wait_for(&w, "event: checkpoints");
    assert_int_equal(post(&c, "/api/edits/2/undo", "{}"), 200);
    wait_for(&w, "\"role\":\"undo\"");
    assert_null(strstr(w.got, "before.txt"));
    em_review_stop(c.review);
    assert_int_equal(em_stream_take(w.stream, w.got, 1, nothing, NULL), EM_STREAM_OVER);
}

/* What others do elsewhere is not told, and hinders nothing. */
static void changes_of_other_roots_are_passed_over(void **state)
{
    (void)state;
    EM_AUTO(scene) c;
    EM_AUTO(watcher) w;
    em_error err = EM_ERROR_INIT;
    em_session *elsewhere;
    char folder[80];
    scene_open(&c);
    snprintf(folder, sizeof folder, "%s/elsewhere", c.s.base);
    assert_int_equal(mkdir(folder, 0755), 0);
    em_session_options options = c.s.options;
    const char *const roots[] = {folder};
    options.workspace.roots = roots;
    assert_int_equal(em_session_new(&options, &elsewhere, &err), EM_OK);
    edit_by(elsewhere, &c, "first.txt", NULL, "1", false);
    assert_int_equal(em_review_start(c.review), EM_OK);
    watch(&c, &w);
    wait_for(&w, "event: hello");
    edit_by(elsewhere, &c, "second.txt", NULL, "1", true);
    edit(&c, "a.txt", NULL, "1", true);
    wait_for(&w, "\"rel\":\"a.txt\"");
    edit_by(elsewhere, &c, "third.txt", NULL, "1", false);
    edit(&c, "b.txt", NULL, "1", false);
    wait_for(&w, "\"rel\":\"b.txt\"");
    assert_null(strstr(w.got, "first.txt"));
    assert_null(strstr(w.got, "third.txt"));
    em_review_stop(c.review);
    em_session_free(elsewhere);
}

static void an_unfinished_change_is_told_again(void **state)
{
    (void)state;
    EM_AUTO(scene) c;
    EM_AUTO(watcher) w;
    scene_open(&c);
    edit(&c, "a.txt", NULL, "1", false);
    assert_int_equal(em_review_start(c.review), EM_OK);
    watch(&c, &w);
    scratch_sql(
        &c.s,
        "INSERT INTO commits SELECT 7, token, 0, kind, forget, root, 'b.txt', dir_dev, dir_ino,"
        " old_ino, new_ino, temp, backup, folders, kept, old_hash, new_hash, old_size,"
        " new_size, boot, tool, client, session, call, time, notes, txn, role, mode"
        " FROM commits WHERE id = 1;"
        "INSERT INTO commits SELECT 8, token, 0, kind, forget, root, 'c.txt', dir_dev, dir_ino,"
        " old_ino, new_ino, temp, backup, folders, kept, old_hash, new_hash, old_size,"
        " new_size, boot, tool, client, session, call, time, notes, txn, role, mode"
        " FROM commits WHERE id = 1");
    edit(&c, "wake.txt", NULL, "1", true);
    wait_for(&w, "\"rel\":\"c.txt\"");
    assert_non_null(strstr(w.got, "\"state\":\"pending\""));
    scratch_sql(&c.s,
                "UPDATE commits SET state = 3 WHERE id = 7; DELETE FROM commits WHERE id = 8");
    edit(&c, "again.txt", NULL, "1", true);
    wait_for(&w, "event: gone\ndata: {\"number\":8}");
    char *first = strstr(w.got, "\"rel\":\"b.txt\"");
    while (!strstr(first + 1, "\"rel\":\"b.txt\"")) {
        poll(NULL, 0, 10);
        take(&w);
    }
    em_review_stop(c.review);
}

static void much_at_once_is_read_anew(void **state)
{
    (void)state;
    EM_AUTO(scene) c;
    EM_AUTO(watcher) w;
    scene_open(&c);
    edit(&c, "a.txt", NULL, "1", false);
    watch(&c, &w);
    scratch_sql(
        &c.s, "WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 300)"
              " INSERT INTO commits SELECT i, token, 3, kind, forget, root, path, dir_dev, dir_ino,"
              " old_ino, new_ino, temp, backup, folders, kept, old_hash, new_hash, old_size,"
              " new_size, boot, tool, client, session, call, time, notes, txn, role, mode"
              " FROM commits, n WHERE id = 1");
    assert_int_equal(em_review_start(c.review), EM_OK);
    wait_for(&w, "event: reload");
    em_review_stop(c.review);
}

static void who_comes_back_missed_something(void **state)
{
    (void)state;
    EM_AUTO(scene) c;
    EM_AUTO(watcher) one;
    EM_AUTO(watcher) two;
    scene_open(&c);
    watch(&c, &one);
    wait_for(&one, "\"resumed\":false");
    char last[40];
    snprintf(last, sizeof last, "%.*s", (int)strcspn(one.got + 4, "\n"), one.got + 4);
    refuse(&c, "../x");
    watch_from(&c, &two, last);
    wait_for(&two, "\"resumed\":true");
    wait_for(&two, "event: call");
}

static void there_are_only_so_many_watchers(void **state)
{
    (void)state;
    enum { MANY = 64 };
    EM_AUTO(scene) c;
    static watcher many[MANY];
    scene_open(&c);
    for (size_t i = 0; i < MANY; i++)
        watch(&c, &many[i]);
    assert_int_equal(get(&c, "/api/events"), 503);
    for (size_t i = 0; i < MANY; i++)
        watcher_drop(&many[i]);
}

/* ---- Memory --------------------------------------------------------------------------------- */

typedef struct asked {
    em_http_method method;
    const char *target, *body;
} asked;

/* An exchange whose handler runs with little memory: it replies something, and leaks nothing. */
static bool run_with(scene *c, const asked *what, long left)
{
    em_error err = EM_ERROR_INIT;
    em_exchange *exchange = em_exchange_new();
    exchange->method = what->method;
    em_exchange_set_target(exchange, what->target, &err);
    if (what->body)
        em_strbuf_puts(&exchange->body, what->body);
    em_route_found found = em_routes_find(&c->routes, 1, what->method, exchange->path);
    if (found.route->flags & EM_ROUTE_BENEATH)
        exchange->rest = exchange->path + strlen(found.route->path);
    mallocs_left = left;
    found.route->run(found.context, exchange);
    bool enough = mallocs_left > 0;
    mallocs_left = -1;
    assert_int_not_equal(exchange->reply.status, 0);
    em_exchange_free(exchange);
    return enough;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    EM_AUTO(scene) c;
    char path[200], target[64];
    scene_open_with(&c, (em_review_options){.approvals = make_approvals()});
    scratch_path(&c.s, "a.txt", path);
    assert_int_equal(post(&c, "/api/checkpoints", "{\"name\":\"x\"}"), 204);
    edit(&c, "a.txt", NULL, "one two\n", false);
    edit(&c, "a.txt", "two", "three", true);
    refuse(&c, "../x");
    uint64_t id = let_wait(&c, path);
    snprintf(target, sizeof target, "/api/approvals/%" PRIu64, id);
    const asked requests[] = {
        {EM_HTTP_GET, "/api/state", NULL},
        {EM_HTTP_GET, "/api/edits?file=a.txt", NULL},
        {EM_HTTP_GET, "/api/edits/2", NULL},
        {EM_HTTP_GET, "/api/files", NULL},
        {EM_HTTP_GET, "/api/activity", NULL},
        {EM_HTTP_GET, "/api/calls", NULL},
        {EM_HTTP_GET, "/api/calls/2", NULL},
        {EM_HTTP_GET, "/api/checkpoints", NULL},
        {EM_HTTP_GET, "/api/approvals", NULL},
        {EM_HTTP_GET, target, NULL},
        {EM_HTTP_GET, "/api/passes", NULL},
        {EM_HTTP_GET, "/api/events", NULL},
        {EM_HTTP_POST, "/api/edits/2/undo", "{\"dry_run\":true}"},
        {EM_HTTP_POST, "/api/checkpoints/x/rewind", "{\"dry_run\":true}"},
        {EM_HTTP_POST, "/api/checkpoints", "{\"name\":\"x\"}"},
    };
    for (size_t i = 0; i < COUNT_OF(requests); i++)
        for (long left = 0; !run_with(&c, &requests[i], left); left += 1 + left / 8)
            assert_true(left < 100000);
    em_approvals_withdraw(c.approvals, id);
}

static bool make_review(void *own)
{
    em_review *review = em_review_new(&(em_review_options){.session = own});
    em_review_free(review);
    return review != NULL;
}

static void a_review_may_not_be_made(void **state)
{
    (void)state;
    EM_AUTO(scene) c;
    scene_open(&c);
    assert_true(run_out_of_memory(make_review, c.own) > 3);
    em_review_free(NULL);
}

static void queries_are_checked_as_bodies_are(void **state)
{
    static const char *const bad[] = {
        "/api/edits?limit=abc",  "/api/edits?limit=-1",        "/api/edits?limit=",
        "/api/edits?limit=1x",   "/api/edits?limit=1.5",       "/api/edits?limit=%201",
        "/api/edits?limt=1",     "/api/edits?limit=1&limit=2", "/api/edits?before=x",
        "/api/edits?=1",         "/api/calls?limit=x",         "/api/calls?tool=edit",
        "/api/checkpoints?x=1",  "/api/approvals?x=1",         "/api/passes?x=1",
        "/api/files?limit=x",    "/api/files?hours=1",         "/api/activity?hours=x",
        "/api/activity?limit=1",
    };
    static const char *const good[] = {
        "/api/edits?limit=99999999999999999999", "/api/edits?limit=0", "/api/edits?tool=&client=x",
        "/api/calls?before=1&limit=1",           "/api/files?limit=1", "/api/activity?hours=1"};
    (void)state;
    EM_AUTO(scene) c;
    scene_open(&c);
    for (size_t i = 0; i < COUNT_OF(bad); i++)
        if (get(&c, bad[i]) != 400)
            fail_msg("%s is taken", bad[i]);
    for (size_t i = 0; i < COUNT_OF(good); i++)
        if (get(&c, good[i]) != 200)
            fail_msg("%s is refused", good[i]);
}

int main(void)
{
    use_counted_memory();
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_come_in_pages),
        cmocka_unit_test(queries_are_checked_as_bodies_are),
        cmocka_unit_test(a_file_is_found_however_it_is_spelt),
        cmocka_unit_test(odd_changes_are_listed_all_the_same),
        cmocka_unit_test(files_and_time_are_summed_up),
        cmocka_unit_test(refused_calls_are_listed),
        cmocka_unit_test(without_a_history_calls_are_shown),
        cmocka_unit_test(a_change_is_shown),
        cmocka_unit_test(a_change_is_undone_and_redone),
        cmocka_unit_test(what_cannot_be_asked_is_told),
        cmocka_unit_test(a_checkpoint_is_rewound_to),
        cmocka_unit_test(what_would_be_too_much_is_cut),
        cmocka_unit_test(what_waits_is_decided),
        cmocka_unit_test(what_was_never_asked_is_not_found),
        cmocka_unit_test(what_passes_is_remembered),
        cmocka_unit_test(without_approvals_nothing_waits),
        cmocka_unit_test(what_happens_is_told),
        cmocka_unit_test(changes_of_other_roots_are_passed_over),
        cmocka_unit_test(an_unfinished_change_is_told_again),
        cmocka_unit_test(much_at_once_is_read_anew),
        cmocka_unit_test(who_comes_back_missed_something),
        cmocka_unit_test(there_are_only_so_many_watchers),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(a_review_may_not_be_made),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

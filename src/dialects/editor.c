/* editor.c: mcp__editor__Edit and pick_tools (pick_tools.c), which answer with a sentence.
 *
 * mcp__editor__Edit comes in three forms: several replacements in a file, one operation at an
 * anchor, and a list of files with one of these each.
 *
 *  (1) The sentences of the document are literal; what else a caller should know follows on lines
 *      of its own.
 *  (2) Of several files all are changed, or none.
 */
#include "answers/answer.h"
#include "answers/diff_told.h"
#include "answers/further.h"
#include "answers/places_told.h"
#include "answers/reason.h"
#include "answers/retry.h"
#include "answers/search_hints.h"
#include "answers/similar.h"
#include "arguments/change_args.h"
#include "dialects/lines_searched.h"
#include "dialects/pick_tools.h"

/* What is to be done to one file. */
typedef struct task {
    em_args args;     /* the object that names the file: the arguments, or an element of `files` */
    const char *path; /* as given */
    const char *lead; /* what its failure begins with, to tell it from other files; "" */
    const em_words *words;
    bool is_basic;
    const em_op *ops;
    size_t op_count;
} task;

static const em_words basic_words = {.find = "old_text",
                                     .insert = "new_text",
                                     .lines = "start_line and end_line",
                                     .fill = "send an empty old_text"};
static const em_words extended_words = {
    .find = "anchor", .insert = "content", .fill = "append to it, which needs no anchor"};

/* The words of `operation`. */
static const char *const operations[] = {
    [EM_OP_REPLACE] = "replace",
    [EM_OP_DELETE] = "delete",
    [EM_OP_INSERT_BEFORE] = "insert_before",
    [EM_OP_INSERT_AFTER] = "insert_after",
    [EM_OP_APPEND] = "append",
    [EM_OP_PREPEND] = "prepend",
    [EM_OP_PREPEND + 1] = NULL,
};

/* ---- The request --------------------------------------------------------------------------- */

static em_op edit_op(em_args edit)
{
    return (em_op){.kind = EM_OP_REPLACE,
                   .find = em_arg_text(edit, "old_text"),
                   .insert = em_arg_text(edit, "new_text"),
                   .regex = em_arg_bool(edit, "regex"),
                   .expect = em_arg_bool(edit, "replace_all") ? EM_EVERY : 1,
                   .first_line = em_arg_size(edit, "start_line"),
                   .last_line = em_arg_size(edit, "end_line")};
}

static em_op operation_op(em_args args)
{
    em_op_kind kind = EM_OP_REPLACE;
    while (strcmp(operations[kind], em_arg_string(args, "operation")) != 0)
        kind++;
    return (em_op){.kind = kind,
                   .find = em_arg_text(args, "anchor"),
                   .insert = em_arg_text(args, "content"),
                   .expect = 1};
}

static em_status make_task(const em_call *call, em_args args, const char *lead, task *t)
{
    bool is_basic = em_arg(args, "edits") != NULL;
    em_arg_list edits = is_basic ? em_arg_elements(args, "edits") : (em_arg_list){.count = 1};
    size_t count = edits.count;
    em_op *ops = em_alloc_array(call->arena, count, sizeof *ops);
    if (!ops)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++)
        ops[i] = is_basic ? edit_op(em_arg_at(&edits, i)) : operation_op(args);
    *t = (task){.args = args,
                .path = em_arg_string(args, "file_path"),
                .lead = lead,
                .words = is_basic ? &basic_words : &extended_words,
                .is_basic = is_basic,
                .ops = ops,
                .op_count = count};
    return EM_OK;
}

static em_edit_request request_of(const em_call *call, const task *t)
{
    em_edit_request request = em_change_request(call, t->path);
    request.encoding = em_arg_string(t->args, "encoding");
    request.expected_hash = em_arg_string(t->args, "expected_hash");
    request.merge = em_arg_merges(t->args);
    request.ops = t->ops;
    request.op_count = t->op_count;
    request.want_diff = request.dry_run;
    request.diff_limits.bytes = call->over_mcp ? EM_SHOWN_LIMIT : 0;
    return request;
}

/* ---- A success ----------------------------------------------------------------------------- */

/* Does the path that was given spell out the resolved one? */
static bool is_spelled(const char *given, const char *resolved)
{
    em_slice left = em_slice_of(resolved);
    bool is_first = given[0] != '/';
    while (*given) {
        em_slice name = em_slice_make(given, strcspn(given, "/"));
        given += name.len + (given[name.len] == '/');
        if (name.len == 0 || em_slice_eq(name, EM_LIT(".")))
            continue;
        if (!is_first && !em_slice_starts(left, EM_LIT("/")))
            return false;
        left = em_slice_from(left, is_first ? 0 : 1);
        if (!em_slice_starts(left, name))
            return false;
        left = em_slice_from(left, name.len);
        is_first = false;
    }
    return left.len == 0;
}

/* The final path of a file that was reached by a link; NULL of another. */
static const char *path_by_link(const em_reply *reply, const task *t)
{
    const em_file *file = &reply->outcome->file;
    return is_spelled(t->path, t->path[0] == '/' ? file->path : file->rel) ? NULL : file->rel;
}

static void add_path_by_link(em_reply *reply, const task *t)
{
    const char *path = path_by_link(reply, t);
    if (path)
        em_strbuf_printf(&reply->text, "\nPath: %s", em_reply_path_shown(reply, path));
}

static void set_path_by_link(em_reply *reply, const task *t, json_t *object, const char *key)
{
    const char *path = path_by_link(reply, t);
    if (path)
        em_json_set_string(&reply->json, object, key, em_reply_path_field(reply, path));
}

static void add_success(em_reply *reply, const task *t, bool dry_run)
{
    const em_plan *plan = &reply->outcome->plan;
    em_strbuf_printf(&reply->text, "%s %zu edit(s) (%zu replacement(s)) to '%s'",
                     dry_run ? "Dry run, nothing was written: would apply" : "Successfully applied",
                     t->op_count, plan->replacements, reply->path);
    add_path_by_link(reply, t);
    if (plan->splices.count == 0)
        em_strbuf_puts(&reply->text, "\nWarning: together the edits change nothing");
    em_reply_add_lines(reply);
    em_reply_add_diff(reply);
}

/* ---- A failure ----------------------------------------------------------------------------- */

/* The op at fault; NULL where none is. */
static const em_op *failed_op(const em_reply *reply, const task *t)
{
    ptrdiff_t edit = reply->outcome->error.edit;
    return edit >= 0 ? &t->ops[edit] : NULL;
}

static void add_subject(em_reply *reply, const task *t)
{
    if (t->is_basic)
        em_strbuf_printf(&reply->text, "Edit #%td: old_text", reply->outcome->error.edit + 1);
    else
        em_strbuf_puts(&reply->text, "Anchor");
}

static void add_searched_for(em_reply *reply, const em_op *op)
{
    em_strbuf_puts(&reply->text, "\nSearching for:\n");
    em_reply_add_bare_echo(reply, op->find);
}

/* What is said of a text that is nowhere does not hold of a pattern, or of some lines alone. */
static void add_missing(em_reply *reply, const task *t)
{
    const em_op *op = failed_op(reply, t);
    bool restricted = op->first_line > 0 || op->last_line > 0, stands = false;
    add_subject(reply, t);
    em_strbuf_puts(&reply->text, " not found in file.");
    add_searched_for(reply, op);
    em_reply_add_lines(reply);
    if (em_op_is_pattern(op))
        em_strbuf_printf(&reply->text,
                         "\nThis is a pattern (regex is true), and nothing%s matches it",
                         restricted ? " in its lines" : "");
    if (em_op_is_pattern(op) && reply->correction)
        em_strbuf_puts(&reply->text, "; without the slashes around it something does");
    bool is_applied = reply->outcome->error.cause == EM_CAUSE_ALREADY_APPLIED;
    if (restricted && !is_applied)
        em_add_lines_searched(reply, op, &stands);
    if (is_applied || (!em_op_is_pattern(op) && !restricted)) {
        em_add_hints(reply, op->find);
        return;
    }
    if (reply->correction || !stands)
        em_similar_add(reply);
    if (!reply->correction)
        em_add_file_unless_readable(reply);
}

/* In the basic form the document's text is all there is, where it stands there exactly: to the byte
 * the same each time. */
static bool is_literal(const em_reply *reply, const task *t)
{
    const em_outcome *outcome = reply->outcome;
    return t->is_basic && outcome->status == EM_E_COUNT && outcome->failure.tier == EM_TIER_EXACT;
}

static void add_count(em_reply *reply, const task *t)
{
    const em_op *op = failed_op(reply, t);
    add_subject(reply, t);
    em_strbuf_printf(&reply->text, " appears %zu times (must be unique).",
                     reply->outcome->failure.actual);
    add_searched_for(reply, op);
    em_strbuf_puts(&reply->text, "\n\nInclude more context to make it unique");
    if (t->is_basic) {
        em_strbuf_puts(&reply->text, em_why_not_all(reply) ? "." : ", or set replace_all: true.");
        em_reply_add_warnings(reply);
        if (is_literal(reply, t))
            return;
    } else {
        em_strbuf_putc(&reply->text, '.');
        em_reply_add_lines(reply);
    }
    em_add_tier_of_places(reply);
    em_add_places(reply, op->find);
}

/* Where the engine's own word is all there is to say: of a malformed pattern, and of a pattern, an
 * insertion or a deletion that changes nothing, which is no pair of equal texts. */
static bool is_said_by_detail(const em_reply *reply, const task *t)
{
    const em_op *op = failed_op(reply, t);
    em_cause cause = reply->outcome->error.cause;
    if (!op)
        return false;
    if (em_op_is_pattern(op) && (cause == EM_CAUSE_NONE || cause == EM_CAUSE_PATTERN))
        return true;
    return (em_op_is_pattern(op) || op->kind != EM_OP_REPLACE) && cause == EM_CAUSE_NO_CHANGE;
}

static void add_advice_for_empty_pattern(em_reply *reply)
{
    em_strbuf_puts(&reply->text,
                   "\nAn empty old_text matches only an empty file. To insert text before a line, "
                   "send ^ as old_text, and that line as start_line and end_line");
    em_add_file_unless_readable(reply);
}

static void add_advice_for_pattern(em_reply *reply, const em_op *op)
{
    if (op && em_op_is_pattern(op) && reply->outcome->status == EM_E_TIMEOUT)
        em_strbuf_puts(
            &reply->text,
            "\nNothing was written. A run such as [ \\t]+ is tried again at each of its "
            "characters, "
            "and gives back one after the other: let it begin where the run does and keep what it "
            "has, (?<![ \\t])[ \\t]++$ for [ \\t]+$, and put no run into a run, (a+)+. Or keep the "
            "edit to start_line and end_line. Who runs the server can give more time with "
            "--deadline");
}

static void add_reason(em_reply *reply, const task *t)
{
    const em_error *error = &reply->outcome->error;
    if (t->is_basic && error->edit >= 0)
        em_strbuf_printf(&reply->text, "Edit #%td: ", error->edit + 1);
    if (is_said_by_detail(reply, t)) {
        em_strbuf_printf(&reply->text, "%s: %s", reply->path, error->detail);
        em_reply_add_lines(reply);
        add_advice_for_pattern(reply, failed_op(reply, t));
        return;
    }
    em_strbuf_puts(&reply->text, em_reason(reply));
    em_reply_add_lines(reply);
    if (error->cause == EM_CAUSE_EMPTY_SEARCH && !t->is_basic)
        em_strbuf_puts(&reply->text,
                       "\nThe anchor is the text at which the operation is done; only "
                       "append and prepend need none");
    else if (error->cause == EM_CAUSE_EMPTY_SEARCH && em_op_is_pattern(failed_op(reply, t)))
        add_advice_for_empty_pattern(reply);
    else
        em_add_advice(reply);
}

static void add_failure(em_reply *reply, const task *t)
{
    em_strbuf_puts(&reply->text, t->lead);
    if (reply->outcome->status == EM_E_NO_MATCH)
        add_missing(reply, t);
    else if (reply->outcome->status == EM_E_COUNT)
        add_count(reply, t);
    else
        add_reason(reply, t);
    em_add_further(reply, "", "Edit");
    if (!is_literal(reply, t) && !em_way_is_clear(reply, reply->shows_correction))
        em_add_rewrite_advice(reply, "");
}

/* What this file's arguments should have been. A new reference; NULL. */
static json_t *task_retry(em_reply *reply, const task *t)
{
    return em_args_retry(reply, t->args, t->is_basic ? "edits" : NULL, t->words);
}

/* ---- One file ------------------------------------------------------------------------------ */

static void fail_one(em_reply *reply, const task *t)
{
    EM_AUTO(em_json_ref) retry = task_retry(reply, t);
    add_failure(reply, t);
    em_add_way_to_send(reply, retry);
}

static em_status edit_one(const em_call *call, em_answer *answer)
{
    task t;
    em_outcome outcome;
    EM_TRY(make_task(call, em_args_of(call), "", &t));
    em_edit_request request = request_of(call, &t);
    em_status status = em_run_edit(call->session, &request, call->arena, &outcome);
    if (status != EM_E_NOMEM) {
        em_reply reply;
        em_reply_init(&reply, call, t.words, t.path, &outcome);
        if (status == EM_OK)
            add_success(&reply, &t, request.dry_run);
        else
            fail_one(&reply, &t);
        status = em_reply_finish(&reply, status != EM_OK, answer);
        if (!answer->is_error)
            set_path_by_link(&reply, &t, answer->meta, "emend/path_resolved");
        em_reply_drop(&reply);
    }
    em_outcome_drop(call->session, &outcome);
    return status;
}

/* ---- Several files ------------------------------------------------------------------------- */

/* A call with a list of files. */
typedef struct batch {
    const em_call *call;
    task *tasks;
    em_edit_request *requests;
    em_outcome *outcomes;
    size_t count;
    size_t opened; /* outcomes that are to be dropped */
    em_several result;
    size_t diff_left; /* bytes of diffs that may still be shown; 0: no limit */
    em_reply reply;
    json_t *files; /* the state of each file that is done */
} batch;

static void batch_drop(batch *b)
{
    for (size_t i = 0; i < b->opened; i++)
        em_outcome_drop(b->call->session, &b->outcomes[i]);
    json_decref(b->files);
    em_reply_drop(&b->reply);
}

static em_status make_tasks(batch *b)
{
    em_args args = em_args_of(b->call);
    em_arena *arena = b->call->arena;
    b->count = em_arg_count(args, "files");
    b->tasks = em_alloc_array(arena, b->count, sizeof *b->tasks);
    b->requests = em_alloc_array(arena, b->count, sizeof *b->requests);
    b->outcomes = em_alloc_array(arena, b->count, sizeof *b->outcomes);
    if (!b->tasks || !b->requests || !b->outcomes)
        return EM_E_NOMEM;
    for (size_t i = 0; i < b->count; i++) {
        em_args file = em_arg_element(args, "files", i);
        const char *path = em_reply_path_shown(&b->reply, em_arg_string(file, "file_path"));
        EM_TRY(make_task(b->call, file, em_reply_format(&b->reply, "files[%zu] '%s': ", i, path),
                         &b->tasks[i]));
        b->requests[i] = request_of(b->call, &b->tasks[i]);
        b->requests[i].want_diff = false; /* how much of each may be shown is known in the end */
    }
    return EM_OK;
}

static void turn_to(batch *b, size_t index)
{
    const task *t = &b->tasks[index];
    em_reply_turn_to(&b->reply, t->words, t->path, &b->outcomes[index]);
}

/* The diff of a dry run, as much of it as may still be shown. */
static em_status make_diff(batch *b, em_outcome *outcome)
{
    em_diff_limits limits = em_diff_limits_behind((em_diff_limits){.bytes = b->diff_left},
                                                  em_outcome_diff_names(outcome));
    EM_TRY(em_diff_of_text(&outcome->text, &outcome->lines, outcome->plan.splices, limits,
                           b->call->arena, &outcome->diff));
    size_t shown = strlen(em_reply_diff_text(&b->reply));
    if (b->diff_left > 0) /* 0 would lift the limit */
        b->diff_left = shown < b->diff_left ? b->diff_left - shown : 1;
    return EM_OK;
}

static em_status add_done(batch *b, size_t index)
{
    em_reply *reply = &b->reply;
    em_json *json = &reply->json;
    const task *t = &b->tasks[index];
    bool dry_run = b->requests[index].dry_run;
    turn_to(b, index);
    if (dry_run)
        EM_TRY(make_diff(b, &b->outcomes[index]));
    if (index > 0)
        em_strbuf_putc(&reply->text, '\n');
    add_success(reply, t, dry_run);
    em_reply_add_backup(reply);
    json_t *file = em_json_object(json);
    em_json_set_string(json, file, "file_path", em_reply_path_field(reply, t->path));
    set_path_by_link(reply, t, file, "path_resolved");
    em_reply_set_state(reply, file, "");
    em_reply_set_backup(reply, file);
    em_json_add(json, b->files, file);
    return EM_OK;
}

static em_status add_all_done(batch *b, em_answer *answer)
{
    em_json *json = &b->reply.json;
    for (size_t i = 0; i < b->count; i++)
        EM_TRY(add_done(b, i));
    answer->meta = em_json_object(json);
    em_json_set(json, answer->meta, "emend/files", json_incref(b->files));
    return EM_OK;
}

/* The first that failed. */
static void add_culprit(batch *b, size_t index)
{
    const em_outcome *outcome = &b->outcomes[index];
    turn_to(b, index);
    if (outcome->same_as == EM_NPOS) {
        add_failure(&b->reply, &b->tasks[index]);
        return;
    }
    em_strbuf_printf(&b->reply.text,
                     "%sit is the same file as files[%zu]. Send all that is to be done to it as "
                     "one element",
                     b->tasks[index].lead, outcome->same_as);
}

/* What else was found out, about the other files. */
static void add_other_warnings(batch *b)
{
    for (size_t i = 0; i < b->count; i++) {
        turn_to(b, i);
        if (i != b->result.culprit || b->outcomes[i].same_as != EM_NPOS)
            em_reply_add_warnings(&b->reply);
    }
}

/* The call with other arguments for that file, which are taken. A new reference. */
static json_t *batch_retry(batch *b, size_t index, json_t *file)
{
    em_json *json = &b->reply.json;
    json_t *whole = em_json_copy(json, b->call->arguments);
    json_t *files = em_json_copy(json, json_object_get(whole, "files"));
    if (json_array_set_new(files, index, file) != 0)
        json->failed = true;
    em_json_set(json, whole, "files", files);
    return whole;
}

/* What to send for the culprit, as the last that is said. */
static void add_correction(batch *b)
{
    size_t index = b->result.culprit;
    if (index >= b->count || b->outcomes[index].same_as != EM_NPOS)
        return;
    turn_to(b, index);
    json_t *file = task_retry(&b->reply, &b->tasks[index]);
    EM_AUTO(em_json_ref) retry = file ? batch_retry(b, index, file) : NULL;
    em_add_way_to_send(&b->reply, retry);
}

/* What failed is no file's: the journal, or the history. */
static void add_common_failure(batch *b, const em_outcome *outcome)
{
    em_reply_turn_to(&b->reply, &basic_words, "this call", outcome);
    em_strbuf_puts(&b->reply.text, em_reason(&b->reply));
    em_reply_add_lines(&b->reply);
    em_add_advice(&b->reply);
}

static em_status batch_answer(batch *b, em_answer *answer)
{
    const em_outcome common = {.status = b->result.status, .error = b->result.error};
    answer->is_error = b->result.status != EM_OK;
    if (!answer->is_error)
        EM_TRY(add_all_done(b, answer));
    else if (b->result.culprit < b->count)
        add_culprit(b, b->result.culprit);
    else
        add_common_failure(b, &common);
    if (answer->is_error && b->result.status != EM_E_UNKNOWN)
        em_strbuf_puts(&b->reply.text, "\nNo file was changed");
    if (answer->is_error) {
        add_other_warnings(b);
        add_correction(b);
    }
    answer->tells_way = b->reply.tells_way;
    answer->text = em_reply_text(&b->reply);
    em_reply_turn_to(&b->reply, &basic_words, "", NULL);
    return answer->text ? EM_OK : EM_E_NOMEM;
}

static em_status edit_files(const em_call *call, em_answer *answer)
{
    EM_AUTO(batch)
    b = {.call = call, .diff_left = call->over_mcp ? EM_SHOWN_LIMIT : 0};
    em_reply_init(&b.reply, call, &basic_words, "", NULL);
    b.files = em_json_array(&b.reply.json);
    EM_TRY(make_tasks(&b));
    b.opened = b.count;
    if (em_run_edits(call->session, b.requests, b.count, call->arena, b.outcomes, &b.result) ==
        EM_E_NOMEM)
        return EM_E_NOMEM;
    if (b.result.status == EM_E_TOO_MANY_EDITS) {
        const em_call_refusal refusal = {.message = b.result.error.detail, .edit = EM_NO_EDIT};
        return em_refuse_in_words(call, &refusal, answer);
    }
    return batch_answer(&b, answer);
}

static em_status edit(const em_call *call, em_answer *answer)
{
    bool several = em_arg(em_args_of(call), "files") != NULL;
    return several ? edit_files(call, answer) : edit_one(call, answer);
}

/* ---- The tables ---------------------------------------------------------------------------- */

static const em_param edit_params[] = {
    {.name = "old_text",
     .type = EM_P_STRING,
     .flags = EM_P_REQUIRED,
     .help = "Exact text to find, white space and line breaks included."},
    EM_PARAM_INSERT("new_text", EM_P_REQUIRED),
    {.name = "replace_all",
     .type = EM_P_BOOL,
     .flags = EM_P_NULLABLE,
     .fallback = "false",
     .help = "Replace every occurrence; else old_text must stand there exactly once."},
    {.name = "regex",
     .type = EM_P_BOOL,
     .flags = EM_P_NULLABLE,
     .fallback = "false",
     .help =
         "old_text is a pattern (PCRE2). In new_text $1, ${name} and $0 (all of it) are what was "
         "found, and \\n, \\t, \\U (capitals up to \\E) are escapes: send $$ for a $, and two "
         "backslashes for one."},
    {.name = "start_line",
     .type = EM_P_INTEGER,
     .flags = EM_P_NULLABLE,
     .minimum = 1,
     .help = "Look only from this line on; lines are those of the file before the call, from 1."},
    {.name = "end_line",
     .type = EM_P_INTEGER,
     .flags = EM_P_NULLABLE,
     .minimum = 1,
     .help = "Look only up to this line, included."},
    {.name = NULL},
};

#define FILE_PATH(need)                                                                            \
    {                                                                                              \
        .name = "file_path", .alias = "path", .type = EM_P_PATH, .flags = (need),                  \
        .help = "The file: absolute, or relative to the workspace."                                \
    }
#define BASIC_AND_EXTENDED                                                                         \
    {.name = "edits",                                                                              \
     .type = EM_P_LIST,                                                                            \
     .flags = EM_P_NULLABLE | EM_P_NONEMPTY,                                                       \
     .fields = edit_params,                                                                        \
     .help = "Basic form: replacements, in order, each on the result of those before it."},        \
        {.name = "operation",                                                                      \
         .type = EM_P_STRING,                                                                      \
         .flags = EM_P_NULLABLE,                                                                   \
         .words = operations,                                                                      \
         .help = "Extended form, instead of edits: what to do at the anchor; append and prepend "  \
                 "add to the end and the start of the file."},                                     \
        {.name = "anchor",                                                                         \
         .type = EM_P_STRING,                                                                      \
         .flags = EM_P_NULLABLE,                                                                   \
         .place_of = "search",                                                                     \
         .beside = "operation",                                                                    \
         .help = "Extended form: exact text that stands in the file once. Not for append and "     \
                 "prepend."},                                                                      \
    {                                                                                              \
        .name = "content", .type = EM_P_STRING, .flags = EM_P_NULLABLE, .place_of = "replace",     \
        .beside = "operation", .help = "Extended form: the new text. Not for delete."              \
    }

static const char *const needs_edits[] = {"file_path", "edits", NULL};
static const char *const needs_both[] = {"file_path", "operation", "anchor", "content", NULL};
static const char *const needs_anchor[] = {"file_path", "operation", "anchor", NULL};
static const char *const needs_content[] = {"file_path", "operation", "content", NULL};
static const char *const needs_files[] = {"files", NULL};
static const char *const no_operation[] = {"operation", "anchor", "content", "files", NULL};
static const char *const no_edits[] = {"edits", "files", NULL};
static const char *const no_content[] = {"edits", "files", "content", NULL};
static const char *const no_anchor[] = {"edits", "files", "anchor", NULL};
static const char *const no_file[] = {"file_path",     "edits",       "operation",
                                      "anchor",        "content",     "encoding",
                                      "expected_hash", "on_conflict", NULL};
static const char *const with_both[] = {"replace", "insert_before", "insert_after", NULL};
static const char *const with_anchor[] = {"delete", NULL};
static const char *const with_content[] = {"append", "prepend", NULL};

#define FORMS_OF_A_FILE                                                                            \
    {"basic", needs_edits, no_operation, NULL, NULL},                                              \
        {"extended", needs_both, no_edits, "operation", with_both},                                \
        {"extended", needs_anchor, no_content, "operation", with_anchor},                          \
    {                                                                                              \
        "extended", needs_content, no_anchor, "operation", with_content                            \
    }
#define END_OF_FORMS                                                                               \
    {                                                                                              \
        NULL, NULL, NULL, NULL, NULL                                                               \
    }

static const em_form file_forms[] = {FORMS_OF_A_FILE, END_OF_FORMS};
static const em_form forms[] = {
    FORMS_OF_A_FILE, {"several files", needs_files, no_file, NULL, NULL}, END_OF_FORMS};

static const em_param file_params[] = {
    FILE_PATH(EM_P_REQUIRED), BASIC_AND_EXTENDED, EM_PARAM_ENCODING,
    EM_PARAM_EXPECTED_HASH,   {.name = NULL},
};

static const em_param params[] = {
    FILE_PATH(EM_P_NULLABLE),
    BASIC_AND_EXTENDED,
    {.name = "files",
     .type = EM_P_LIST,
     .flags = EM_P_NULLABLE | EM_P_NONEMPTY,
     .fields = file_params,
     .forms = file_forms,
     .help = "Instead of all above: several files, each with its file_path and edits, or "
             "operation."},
    EM_PARAM_DRY_RUN,
    EM_PARAM_MATCH("exact"),
    EM_PARAM_BACKUP,
    EM_PARAM_ENCODING,
    EM_PARAM_EXPECTED_HASH,
    EM_PARAM_SESSION,
    {.name = NULL},
};

static const em_tool tools[] = {
    {.name = "mcp__editor__Edit",
     .title = "Edit Files (search and replace, insert, delete)",
     /* The words of the family's document, to the letter, though there is `regex` now: what the
      * tool does without being asked is exact, and the description tells of the rest. */
     .brief = "Edit files using search-and-replace. Supports replace, insert, delete, append, "
              "prepend. No regex - exact text matching only.",
     .description =
         "Edits files by search and replace. Matching is exact: copy the text from the file with "
         "its indentation and line breaks. All that one call does to a file is done, or nothing. "
         "An error changes nothing and says what to send instead.\n"
         "\n"
         "A call has one of these forms:\n"
         "1. Basic: file_path and edits. The edits apply in order, each to the result of those "
         "before it. Every old_text must stand in the file exactly once; with replace_all: true "
         "all its occurrences are replaced, and there must be one at least.\n"
         "2. Extended: file_path, operation, anchor and content. replace puts content in the place "
         "of anchor; insert_before and insert_after put it next to anchor; delete removes anchor; "
         "append and prepend put content at the end or the start of the file and take no anchor. "
         "The anchor must stand in the file exactly once. Line breaks are not added: where content "
         "is to be a line of its own, end it with one, and for insert_after the anchor, too.\n"
         "3. Several files: files, each element in one of the two forms with its own file_path. "
         "All files are changed or none.\n"
         "\n"
         "If a text is not unique, include more of the lines around it. dry_run shows the change "
         "as a diff. An edit can be kept to the lines from start_line to end_line. With regex: "
         "true old_text is a pattern (PCRE2) and new_text may refer to its groups ($1).\n"
         "\n"
         "Examples:\n"
         "Change several places: {\"file_path\": \"src/main.rs\", \"edits\": [{\"old_text\": "
         "\"fn old_name()\", \"new_text\": \"fn new_name()\"}, {\"old_text\": \"let x = 1;\", "
         "\"new_text\": \"let x = 2;\"}]}\n"
         "Rename everywhere: {\"file_path\": \"src/main.rs\", \"edits\": [{\"old_text\": "
         "\"old_var\", \"new_text\": \"new_var\", \"replace_all\": true}]}\n"
         "Add an import: {\"file_path\": \"src/main.rs\", \"operation\": \"insert_after\", "
         "\"anchor\": \"use std::io;\\n\", \"content\": \"use std::fs;\\n\"}\n"
         "Add documentation: {\"file_path\": \"src/main.rs\", \"operation\": \"insert_before\", "
         "\"anchor\": \"fn main() {\", \"content\": \"/// Main entry point\\n\"}\n"
         "Remove lines: {\"file_path\": \"src/main.rs\", \"operation\": \"delete\", \"anchor\": "
         "\"    old_code();\\n\"}\n"
         "Add to the end: {\"file_path\": \"src/main.rs\", \"operation\": \"append\", "
         "\"content\": \"\\nfn last() {}\\n\"}",
     .guidance = "replace exact text in one file or several, or insert text at an anchor, at the "
                 "start or at the end",
     .flags = EM_TOOL_DESTRUCTIVE,
     .params = params,
     .forms = forms,
     .run = edit,
     .refuse = em_refuse_in_words,
     .read_failure = em_read_failure_in_words},
    {.name = "pick_tools",
     .title = "Pick Tools",
     .brief = "Show tools in full. Call it with {\"tools\": [\"NAME\", ...]} before their first "
              "use.",
     .description = "Returns the full descriptions and the argument schemas of the tools named. "
                    "Use it before the first call of a tool of which only the brief is known.",
     .guidance = "see how a tool works before you first use it",
     .flags = EM_TOOL_READ_ONLY | EM_TOOL_IDEMPOTENT | EM_TOOL_PICKS,
     .params = em_pick_params,
     .run = em_pick_tools,
     .refuse = em_refuse_in_words,
     .read_failure = em_read_failure_in_words},
    {.name = NULL},
};

const em_dialect em_dialect_editor = {.name = "editor", .tools = tools};

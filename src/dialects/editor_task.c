#include "dialects/editor_task.h"

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

typedef em_editor_task task;

const em_words em_editor_basic_words = {.find = "old_text",
                                        .insert = "new_text",
                                        .lines = "start_line and end_line",
                                        .fill = "send an empty old_text"};
static const em_words extended_words = {
    .find = "anchor", .insert = "content", .fill = "append to it, which needs no anchor"};

const char *const em_editor_operations[] = {
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
    while (strcmp(em_editor_operations[kind], em_arg_string(args, "operation")) != 0)
        kind++;
    return (em_op){.kind = kind,
                   .find = em_arg_text(args, "anchor"),
                   .insert = em_arg_text(args, "content"),
                   .expect = 1};
}

em_status em_editor_task_of(const em_call *call, em_args args, const char *lead, task *t)
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
                .words = is_basic ? &em_editor_basic_words : &extended_words,
                .is_basic = is_basic,
                .ops = ops,
                .op_count = count};
    return EM_OK;
}

em_edit_request em_editor_request(const em_call *call, const task *t)
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

void em_editor_set_path_by_link(em_reply *reply, const task *t, json_t *object, const char *key)
{
    const char *path = path_by_link(reply, t);
    if (path)
        em_json_set_string(&reply->json, object, key, em_reply_path_field(reply, path));
}

void em_editor_add_success(em_reply *reply, const task *t, bool dry_run)
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

void em_editor_add_failure(em_reply *reply, const task *t)
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

json_t *em_editor_retry(em_reply *reply, const task *t)
{
    return em_args_retry(reply, t->args, t->is_basic ? "edits" : NULL, t->words);
}

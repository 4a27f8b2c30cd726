/* multi_edit.c: MultiEdit and Edit, which answer in the standard envelope, and the tables of the
 * family. (Read: multi_edit_read.c.)
 *
 * Every edit is located in the file as it was read, so their order does not matter to the result,
 * and two that want the same text are refused. What Read saw is remembered, and a file that changed
 * since is not touched. Paths are relative to the root.
 */
#include "answers/declared.h"
#include "answers/diff_told.h"
#include "answers/fields.h"
#include "answers/further.h"
#include "answers/places_told.h"
#include "answers/retry.h"
#include "answers/search_hints.h"
#include "arguments/change_args.h"
#include "arguments/forms.h"
#include "dialects/envelope.h"
#include "dialects/multi_edit_read.h"

#include <inttypes.h>

enum {
    /* as the document of the family says */
    PREVIEW_LINES = 100, /* of diff_preview */
    PREVIEW_BYTES = 10240,
};

static const em_words edit_words = {
    .find = "old_string", .insert = "new_string", .every = "replace_all"};
static const em_words content_words = {.insert = "create_content"};

/* One call that changes a file. */
typedef struct change {
    em_args args;
    em_envelope env;
    em_edit_request request;
    em_outcome outcome;
    bool is_list;    /* MultiEdit: the edits have numbers */
    bool is_content; /* create_content */
    int64_t mtime_ms, size;
} change;

/* ---- The request --------------------------------------------------------------------------- */

static bool is_sequential(em_args args)
{
    const char *mode = em_arg_string(args, "mode");
    return mode && strcmp(mode, "sequential") == 0;
}

static void set_request(change *c, const em_call *call, const em_op *ops, size_t count)
{
    em_edit_request *request = &c->request;
    *request = em_change_request(call, em_arg_string(c->args, "path"));
    request->ops = ops;
    request->op_count = count;
    request->policy.order = is_sequential(c->args) ? EM_SEQUENTIAL : EM_ORIGINAL;
    request->policy.demand_find = true;
    request->existence = c->is_content ? EM_MAY_EXIST : EM_MUST_EXIST;
    request->recall = c->is_content ? EM_RECALL_DEMANDED : EM_RECALL_READ;
    request->want_diff = true;
    request->diff_limits = (em_diff_limits){.bytes = PREVIEW_BYTES, .lines = PREVIEW_LINES};
    c->mtime_ms = em_arg_integer(c->args, "expected_mtime_ms");
    c->size = em_arg_integer(c->args, "expected_size_bytes");
    request->expected_mtime_ms = em_arg(c->args, "expected_mtime_ms") ? &c->mtime_ms : NULL;
    request->expected_size = em_arg(c->args, "expected_size_bytes") ? &c->size : NULL;
}

/* What is refused before the file is looked at: a path that is not relative. */
static bool is_refused(change *c)
{
    if (em_multi_edit_is_relative(c->request.path))
        return false;
    c->outcome = em_envelope_refused(EM_E_OUTSIDE, EM_CAUSE_NONE, EM_NO_EDIT);
    return true;
}

/* ---- Fields of a change -------------------------------------------------------------------- */

typedef struct change_data {
    bool applied;
    const char *preview;
    bool truncated;
    size_t replacements;
    ptrdiff_t failed;
    const char *operation; /* NULL in MultiEdit */
} change_data;

static void set_data(em_envelope *env, change_data d)
{
    em_json *json = &env->reply.json;
    em_json_set_bool(json, env->data, "applied", d.applied);
    if (d.operation)
        em_json_set_string(json, env->data, "operation", d.operation);
    em_json_set_string(json, env->data, "diff_preview", d.preview);
    em_json_set_bool(json, env->data, "diff_truncated", d.truncated);
    em_json_set_size(json, env->data, "replacements", d.replacements);
    em_json_set(json, env->data, "failed_index",
                d.failed >= 0 ? json_integer((json_int_t)d.failed) : json_null());
}

static void set_stats(em_envelope *env, uint64_t bytes, size_t added, size_t removed)
{
    em_json *json = &env->reply.json;
    em_json_set_size(json, env->stats, "bytes_written", bytes);
    em_json_set_size(json, env->stats, "lines_added", added);
    em_json_set_size(json, env->stats, "lines_removed", removed);
}

static const em_param change_fields[] = {
    {.name = "applied",
     .type = EM_P_BOOL,
     .flags = EM_P_REQUIRED,
     .help = "Something was written."},
    {.name = "operation", .type = EM_P_STRING, .help = "create, replace or edit."},
    {.name = "diff_preview", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
    {.name = "diff_truncated", .type = EM_P_BOOL, .flags = EM_P_REQUIRED},
    {.name = "replacements", .type = EM_P_INTEGER, .flags = EM_P_REQUIRED},
    {.name = "failed_index",
     .type = EM_P_INTEGER,
     .flags = EM_P_REQUIRED | EM_P_NULLABLE,
     .help = "The edit at fault, from 0."},
    EM_FIELD_EDIT_ID,
    EM_FIELD_BACKUP_PATH,
    EM_FIELD_ECHO_TRUNCATED,
    EM_FIELD_MATCHES,
    EM_FIELD_MATCHES_TRUNCATED,
    EM_FIELD_HASH,
    EM_FIELD_WARNINGS,
    EM_FIELD_CAUSE,
    EM_FIELD_RETRY,
    EM_FIELD_RETRY_OMITTED,
    {.name = NULL},
};

static const em_param change_stats[] = {
    {.name = "time_ms", .type = EM_P_INTEGER, .flags = EM_P_REQUIRED},
    {.name = "bytes_written", .type = EM_P_INTEGER, .flags = EM_P_REQUIRED},
    {.name = "lines_added", .type = EM_P_INTEGER, .flags = EM_P_REQUIRED},
    {.name = "lines_removed", .type = EM_P_INTEGER, .flags = EM_P_REQUIRED},
    {.name = NULL},
};

static const em_param change_result[] = {EM_ENVELOPE_RESULT(change_fields, change_stats),
                                         {.name = NULL}};

static const char *operation_of(const change *c)
{
    if (c->is_list)
        return NULL;
    if (!c->is_content)
        return "edit";
    return c->outcome.is_open && c->outcome.file.exists ? "replace" : "create";
}

/* ---- A success ----------------------------------------------------------------------------- */

/* Of a file that cannot be shown the diff is its two names, which are left out if they do not fit.
 */
static const char *make_preview(change *c)
{
    em_diff *diff = &c->outcome.diff;
    const char *preview = em_reply_diff_text(&c->env.reply);
    if (!diff->binary || strlen(preview) <= PREVIEW_BYTES)
        return preview;
    diff->truncated = true;
    return "";
}

static size_t lines_shown(const em_diff *diff, char kind)
{
    size_t count = 0;
    for (size_t i = 0; i < diff->hunk_count; i++)
        for (size_t j = 0; j < diff->hunks[i].line_count; j++)
            count += diff->hunks[i].lines[j].kind == kind;
    return count;
}

/* The bytes that a file with the new content has, or would have: as its encoding has them, behind
 * its byte order mark. */
static em_status content_size(change *c, uint64_t *size)
{
    const em_outcome *outcome = &c->outcome;
    em_slice bytes;
    *size = outcome->size;
    if (!c->is_content || !c->request.dry_run)
        return EM_OK;
    EM_TRY(
        em_text_encode(&outcome->text, c->request.ops[0].insert, c->env.reply.arena, &bytes, NULL));
    *size = outcome->text.bom_length + bytes.len;
    return EM_OK;
}

static bool changes_file(const em_outcome *outcome)
{
    return outcome->plan.splices.count > 0 || !outcome->file.exists;
}

static void add_what_was_done(change *c, uint64_t size)
{
    em_reply *reply = &c->env.reply;
    const em_outcome *outcome = &c->outcome;
    bool dry = c->request.dry_run;
    size_t edits = c->request.op_count, replacements = outcome->plan.replacements;
    if (!c->is_content)
        em_strbuf_printf(&reply->text, "%s %zu edit%s to '%s' (%zu replacement%s",
                         dry ? "Would apply" : "Applied", edits, edits == 1 ? "" : "s", reply->path,
                         replacements, replacements == 1 ? "" : "s");
    else if (!changes_file(outcome))
        em_strbuf_printf(&reply->text, "'%s' has this content (%" PRIu64 " bytes", reply->path,
                         outcome->size);
    else if (outcome->file.exists)
        em_strbuf_printf(&reply->text, "%s the content of '%s' (%" PRIu64 " bytes",
                         dry ? "Would replace" : "Replaced", reply->path, size);
    else
        em_strbuf_printf(&reply->text, "%s '%s' (%" PRIu64 " bytes",
                         dry ? "Would create" : "Created", reply->path, size);
    em_strbuf_printf(&reply->text, ", %zu line%s added, %zu removed).", outcome->diff.lines_added,
                     outcome->diff.lines_added == 1 ? "" : "s", outcome->diff.lines_removed);
}

/* Why nothing is written. */
static const char *why_as_it_was(const change *c)
{
    if (c->is_content)
        return "the file holds just this already";
    return c->request.op_count == 1 ? "the edit changes nothing"
                                    : "together the edits change nothing";
}

static void add_meaning(change *c)
{
    em_reply *reply = &c->env.reply;
    const em_outcome *outcome = &c->outcome;
    bool dry = c->request.dry_run, cut = outcome->diff.truncated;
    const char *reader = em_reply_tool_with(reply, EM_TOOL_READS);
    bool changes = changes_file(outcome);
    em_strbuf_printf(&reply->text, "\nStatus %s: %s%s%s.", dry || cut ? "partial" : "success",
                     dry       ? "a dry run"
                     : changes ? "all of it is in the file"
                               : why_as_it_was(c),
                     dry || !changes ? ", so nothing was written" : "",
                     cut ? "; data.diff_preview is cut" : "");
    const char *first = em_first_change(reply);
    if (first)
        em_strbuf_printf(&reply->text, "\n%s", first);
    if (dry && changes)
        em_strbuf_puts(&reply->text, "\nSend the same call without dry_run to write it");
    else if (dry)
        em_strbuf_printf(&reply->text, "\nWithout dry_run nothing would be written either: %s",
                         why_as_it_was(c));
    if (cut && !dry && reader)
        em_strbuf_printf(&reply->text, "\nUse %s to see what the preview does not show", reader);
    else if (cut && !dry)
        em_strbuf_puts(&reply->text, "\nNothing is to be sent again");
}

static em_status render_success(change *c, em_answer *answer)
{
    const em_outcome *outcome = &c->outcome;
    const em_diff *diff = &outcome->diff;
    change_data data = {
        .applied = outcome->committed, .failed = EM_NO_EDIT, .operation = operation_of(c)};
    uint64_t size;
    data.preview = make_preview(c);
    data.truncated = diff->truncated;
    bool has_replaced = outcome->file.exists && (changes_file(outcome) || !c->is_content);
    data.replacements = has_replaced ? outcome->plan.replacements : 0;
    EM_TRY(content_size(c, &size));
    add_what_was_done(c, size);
    add_meaning(c);
    set_data(&c->env, data);
    set_stats(&c->env, outcome->committed ? outcome->size : 0, lines_shown(diff, '+'),
              lines_shown(diff, '-'));
    em_reply_set_backup(&c->env.reply, c->env.data);
    return em_envelope_finish(&c->env, c->request.dry_run || diff->truncated, answer);
}

/* ---- A failure ----------------------------------------------------------------------------- */

static em_slice failed_find(const change *c)
{
    return c->request.ops[c->outcome.error.edit].find;
}

static const char *reason_of(change *c)
{
    em_reply *reply = &c->env.reply;
    const em_outcome *outcome = &c->outcome;
    if (outcome->status == EM_E_NO_MATCH)
        return em_reply_format(reply, "old_string was not found in '%s'.", reply->path);
    if (outcome->status == EM_E_COUNT)
        return em_reply_format(reply, "old_string occurs %zu times in '%s', but must occur once.",
                               outcome->failure.actual, reply->path);
    if (outcome->status == EM_E_EXISTS)
        return em_reply_format(reply, "File '%s' exists already, and was not read.", reply->path);
    if (outcome->error.cause == EM_CAUSE_EMPTY_SEARCH)
        return "old_string is empty: it must be the exact text that is to be replaced.";
    if (c->is_content && em_way_is_blocked(&outcome->error))
        return em_reply_format(reply, "File '%s' cannot be made.", reply->path);
    return em_envelope_reason(&c->env);
}

static const char *message_of(change *c)
{
    const char *reason = reason_of(c);
    ptrdiff_t edit = c->outcome.error.edit;
    if (!c->is_list || edit < 0)
        return reason;
    return em_reply_format(&c->env.reply, "Edit %td of %zu failed: %s", edit + 1,
                           c->request.op_count, reason);
}

static void add_way_to_create(em_reply *reply)
{
    const char *writer = em_reply_tool_with(reply, EM_TOOL_CREATES);
    if (writer && strcmp(writer, "Edit") == 0)
        em_strbuf_puts(&reply->text, " with create_content");
}

/* A hash holds for a caller whose calls nothing ties together, too. */
static void add_way_to_replace(em_reply *reply)
{
    const char *reader = em_reply_tool_with(reply, EM_TOOL_READS);
    em_add_file_unless_readable(reply);
    if (reader)
        em_strbuf_printf(&reply->text, "\nUse %s to see what it holds; then send", reader);
    else
        em_strbuf_puts(&reply->text, "\nSend");
    em_strbuf_puts(&reply->text,
                   " the same call with its hash as expected_hash to replace it, or old_string and "
                   "new_string to edit it");
}

static void add_advice_for_empty_search(em_reply *reply)
{
    const char *way = em_way_to_rewrite(reply);
    if (!em_is_of_empty_file(reply))
        em_strbuf_puts(&reply->text,
                       "\nTo insert text, send as old_string a line next to the place, and as "
                       "new_string that line together with the new text");
    else if (way)
        em_strbuf_printf(&reply->text, "\n%s is empty: to fill it, use %s", reply->path, way);
}

/* The document wants every such refusal to say that the file is to be read, and its indentation
 * checked. */
static void add_missing(em_reply *reply, em_slice find)
{
    const char *reader = em_reply_tool_with(reply, EM_TOOL_READS);
    bool is_known = reply->outcome->error.cause == EM_CAUSE_ALREADY_APPLIED;
    em_add_missing(reply, find);
    if (is_known || em_misses_in_nothing(reply))
        return;
    if (reply->correction && reader)
        em_strbuf_printf(&reply->text,
                         "\nIf something else is meant, use %s to see the exact content, and check "
                         "its indentation",
                         reader);
    else
        em_strbuf_puts(&reply->text, "\nCheck the indentation, too: tabs and blanks count");
}

static void add_advice(change *c)
{
    em_reply *reply = &c->env.reply;
    const em_outcome *outcome = &c->outcome;
    switch (outcome->status) {
    case EM_E_NO_MATCH:
        em_envelope_add_giver(&c->env);
        if (!em_holds_in_sequence(outcome))
            add_missing(reply, failed_find(c));
        return;
    case EM_E_COUNT:
        em_add_tier_of_places(reply);
        em_add_places(reply, failed_find(c));
        em_strbuf_puts(&reply->text, "\nAdd the text around the place that you mean to old_string "
                                     "and new_string, so that old_string occurs once");
        if (!em_why_not_all(reply))
            em_strbuf_puts(&reply->text, "; or, if all are meant, send replace_all: true with it");
        return;
    case EM_E_EXISTS:
        add_way_to_replace(reply);
        return;
    case EM_E_NOT_FOUND:
        em_envelope_add_advice(&c->env);
        if (!c->is_content && !em_way_is_blocked(&outcome->error))
            add_way_to_create(reply);
        return;
    default:
        break;
    }
    if (outcome->error.cause == EM_CAUSE_EMPTY_SEARCH)
        add_advice_for_empty_search(reply);
    else
        em_envelope_add_advice(&c->env);
}

/* Who replaces nothing in a file that is not there wants it made. NULL: that is not so. */
static json_t *as_new_file(change *c)
{
    const em_outcome *outcome = &c->outcome;
    bool replaces_nothing = !c->is_content && em_arg_text(c->args, "old_string").len == 0;
    if (c->is_list || !replaces_nothing || outcome->status != EM_E_NOT_FOUND ||
        outcome->near_files.is_clear || em_way_is_blocked(&outcome->error))
        return NULL;
    json_t *retry = em_json_copy(&c->env.reply.json, c->args.object);
    em_json_set(&c->env.reply.json, retry, "create_content",
                json_incref((json_t *)em_arg(c->args, "new_string")));
    json_object_del(retry, "old_string");
    json_object_del(retry, "new_string");
    return retry;
}

static json_t *retry_of(change *c)
{
    if (em_holds_in_sequence(&c->outcome))
        return em_envelope_in_sequence(&c->env, c->args, "edits", &edit_words);
    json_t *retry = as_new_file(c);
    return retry ? retry
                 : em_args_retry(&c->env.reply, c->args, c->is_list ? "edits" : NULL, &edit_words);
}

static em_status render_failure(change *c, em_answer *answer)
{
    set_data(&c->env, (change_data){.preview = "",
                                    .failed = c->is_content ? EM_NO_EDIT : c->outcome.error.edit,
                                    .operation = operation_of(c)});
    set_stats(&c->env, 0, 0, 0);
    em_envelope_fail(&c->env, message_of(c));
    add_advice(c);
    json_t *retry = retry_of(c);
    if (!em_way_is_clear(&c->env.reply, em_retry_fits(retry)))
        em_add_rewrite_advice(&c->env.reply, "");
    em_envelope_set_retry(&c->env, retry);
    em_add_further(&c->env.reply, "", "Edit");
    return em_envelope_finish(&c->env, false, answer);
}

/* ---- Arguments that do not pass ------------------------------------------------------------ */

static em_status refuse_change(const em_call *call, const em_call_refusal *refusal,
                               change_data data, em_answer *answer)
{
    em_envelope env;
    em_outcome outcome = em_envelope_refused(EM_E_INVALID, EM_CAUSE_NONE, refusal->edit);
    em_envelope_open(&env, call, &edit_words);
    em_envelope_take(&env, &outcome);
    set_data(&env, data);
    set_stats(&env, 0, 0, 0);
    return em_envelope_refuse(&env, refusal, answer);
}

static em_status refuse_multi_edit(const em_call *call, const em_call_refusal *refusal,
                                   em_answer *answer)
{
    const change_data data = {.preview = "", .failed = refusal->edit};
    return refuse_change(call, refusal, data, answer);
}

static em_status refuse_edit(const em_call *call, const em_call_refusal *refusal, em_answer *answer)
{
    bool creates = json_object_get(call->arguments, "create_content");
    const change_data data = {
        .preview = "", .failed = EM_NO_EDIT, .operation = creates ? "create" : "edit"};
    return refuse_change(call, refusal, data, answer);
}

/* ---- MultiEdit and Edit -------------------------------------------------------------------- */

static em_status run_change(change *c, const em_call *call, const em_op *ops, size_t count,
                            em_answer *answer)
{
    em_envelope_open(&c->env, call, c->is_content ? &content_words : &edit_words);
    set_request(c, call, ops, count);
    if (!is_refused(c))
        em_run_edit(call->session, &c->request, call->arena, &c->outcome);
    em_status status = c->outcome.status;
    em_envelope_take(&c->env, &c->outcome);
    if (status != EM_E_NOMEM)
        status = status == EM_OK ? render_success(c, answer) : render_failure(c, answer);
    em_envelope_drop(&c->env);
    em_outcome_drop(call->session, &c->outcome);
    return status;
}

static em_status run_multi_edit(const em_call *call, em_answer *answer)
{
    change c = {.args = em_args_of(call), .is_list = true};
    em_op *ops = em_replace_ops(c.args, "edits", &edit_words, NULL, call->arena);
    return ops ? run_change(&c, call, ops, em_arg_count(c.args, "edits"), answer) : EM_E_NOMEM;
}

static em_status run_edit(const em_call *call, em_answer *answer)
{
    change c = {.args = em_args_of(call)};
    em_op op = em_replace_op(c.args, &edit_words, NULL);
    em_slice content = em_arg_text(c.args, "create_content");
    c.is_content = content.len > 0 || !em_arg(c.args, "old_string");
    if (c.is_content)
        op = (em_op){.kind = EM_OP_REWRITE, .insert = content};
    return run_change(&c, call, &op, 1, answer);
}

/* ---- The tables ---------------------------------------------------------------------------- */

#define PARAM_EXPECTED_MTIME                                                                       \
    {                                                                                              \
        .name = "expected_mtime_ms", .type = EM_P_INTEGER, .flags = EM_P_NULLABLE,                 \
        .help = "Fail if the file's mtime is another; stats.file_mtime_ms of a reading. Known "    \
                "already after a reading in this session."                                         \
    }
#define PARAM_EXPECTED_SIZE                                                                        \
    {                                                                                              \
        .name = "expected_size_bytes", .type = EM_P_INTEGER, .flags = EM_P_NULLABLE,               \
        .help = "Fail if the file's size is another; stats.file_size_bytes of a reading."          \
    }

#define PARAM_REPLACE_ALL                                                                          \
    {                                                                                              \
        .name = "replace_all", .type = EM_P_BOOL, .flags = EM_P_NULLABLE, .fallback = "false",     \
        .help = "Replace every occurrence of old_string, however many."                            \
    }

static const char *const modes[] = {"original", "sequential", NULL};

static const em_param edit_item[] = {
    {.name = "old_string",
     .type = EM_P_STRING,
     .flags = EM_P_REQUIRED,
     .help = "Exact text to replace. Without replace_all it must occur once in the original "
             "file."},
    EM_PARAM_INSERT("new_string", EM_P_REQUIRED),
    PARAM_REPLACE_ALL,
    {.name = NULL},
};

static const em_param multi_edit_params[] = {
    EM_MULTI_EDIT_PATH,
    {.name = "edits",
     .type = EM_P_LIST,
     .flags = EM_P_REQUIRED | EM_P_NONEMPTY,
     .fields = edit_item,
     .help = "Edits of this file, in any order. No two may overlap."},
    PARAM_EXPECTED_MTIME,
    PARAM_EXPECTED_SIZE,
    EM_PARAM_DRY_RUN,
    {.name = "mode",
     .type = EM_P_STRING,
     .flags = EM_P_NULLABLE,
     .words = modes,
     .fallback = "\"original\"",
     .help = "sequential: each edit sees the result of those before it."},
    EM_PARAM_MATCH("exact"),
    EM_PARAM_BACKUP,
    EM_PARAM_ENCODING,
    EM_PARAM_EXPECTED_HASH,
    EM_PARAM_SESSION,
    {.name = NULL},
};

static const em_param edit_params[] = {
    EM_MULTI_EDIT_PATH,
    {.name = "old_string",
     .type = EM_P_STRING,
     .flags = EM_P_NULLABLE,
     .help = "Exact text to replace. Without replace_all it must occur once in the file."},
    EM_PARAM_INSERT("new_string", EM_P_NULLABLE),
    PARAM_REPLACE_ALL,
    {.name = "create_content",
     .type = EM_P_STRING,
     .flags = EM_P_NULLABLE,
     .help = "Instead of the two: the whole content of a new file, or of one that was read."},
    PARAM_EXPECTED_MTIME,
    PARAM_EXPECTED_SIZE,
    EM_PARAM_DRY_RUN,
    EM_PARAM_MATCH("exact"),
    EM_PARAM_BACKUP,
    EM_PARAM_ENCODING,
    EM_PARAM_EXPECTED_HASH,
    EM_PARAM_SESSION,
    {.name = NULL},
};

static const char *const edit_texts[] = {"old_string", "new_string", NULL};
static const char *const whole_content[] = {"create_content", NULL};

static const em_form edit_forms[] = {
    {.name = "replace text", .needs = edit_texts, .excludes = whole_content},
    {.name = "write a whole file", .needs = whole_content, .excludes = edit_texts},
    {.name = NULL},
};

static const em_tool tools[] = {
    {.name = "MultiEdit",
     .title = "Multi-Edit",
     .brief = "Apply several independent edits to one file, all of them or none.",
     .description =
         "Apply multiple edits to a single file atomically. All edits are matched against the "
         "original file content: do not assume that an edit before has been applied (unless mode "
         "is sequential). Each old_string must be exact, white space included, and occur once in "
         "the original, unless replace_all is true; edits that overlap fail. Paths are relative to "
         "the project root. If the file changed since it was read, the call fails with CONFLICT. "
         "An "
         "error changes nothing, names the edit at fault in failed_index, and says what to do "
         "next.",
     .guidance = "make several independent edits to one file at once, instead of one call each",
     .flags = EM_TOOL_DESTRUCTIVE | EM_TOOL_EDITS,
     .params = multi_edit_params,
     .result = change_result,
     .run = run_multi_edit,
     .refuse = refuse_multi_edit,
     .read_failure = em_envelope_read_failure},
    {.name = "Edit",
     .title = "Edit",
     .brief = "Replace one exact text in a file, or create a file.",
     .description =
         "Replace one piece of text in a file: old_string must be exact, white space included, and "
         "occur once, unless replace_all is true. Or, with create_content, make a new file with "
         "its folders, or replace the whole of one that was read before. Paths are relative to the "
         "project root. If the file changed since it was read, the call fails with CONFLICT. An "
         "error changes nothing and says what to do next.",
     .guidance = "change one place in a file, or make a new file",
     .way_to_write = "Edit with create_content and the file's hash as expected_hash",
     .flags = EM_TOOL_DESTRUCTIVE | EM_TOOL_CREATES | EM_TOOL_WRITES | EM_TOOL_WRITES_KNOWN |
              EM_TOOL_EDITS,
     .params = edit_params,
     .forms = edit_forms,
     .result = change_result,
     .run = run_edit,
     .refuse = refuse_edit,
     .read_failure = em_envelope_read_failure},
    {.name = "Read",
     .title = "Read",
     .brief = "Read a text file with line numbers.",
     .description =
         "Reads lines of a text file, each as \"   1 | TEXT\". The number and the bar are not part "
         "of the file: leave them out of an old_string. Paths are relative to the project root. A "
         "long file comes in parts: the answer says which start_line to continue with.",
     .guidance = "see what a file holds before you change it; a change since then is noticed",
     .flags = EM_TOOL_READ_ONLY | EM_TOOL_IDEMPOTENT | EM_TOOL_READS,
     .params = em_multi_edit_read_params,
     .result = em_multi_edit_read_result,
     .run = em_multi_edit_read,
     .refuse = em_multi_edit_refuse_read,
     .read_failure = em_envelope_read_failure},
    {.name = NULL},
};

static const em_guidance guidance[] = {
    {0, "Text to be replaced must match the file exactly and be unique in it."},
    {0, NULL},
};

const em_dialect em_dialect_multi_edit = {
    .name = "multi-edit", .guidance = guidance, .tools = tools};

/* file_edit.c: file_edit, whose edits are exact, counted, in order, and all or none.
 *
 * The text block is for people and models, and made here; the structured content is the document's
 * `metadata` (file_edit_metadata.h).
 */
#include "dialects/file_edit_metadata.h"

#include "answers/answer.h"
#include "answers/diff_told.h"
#include "answers/further.h"
#include "answers/places_told.h"
#include "answers/reason.h"
#include "answers/retry.h"
#include "answers/similar.h"
#include "arguments/change_args.h"
#include "json/json_text.h"

enum {
    /* as the document of the tool says */
    MOST_EDITS = 1000,
    MOST_BYTES = 100 * 1024 * 1024,
    /* of what may be shown of the file, which the metadata shows, too */
    SIMILAR_TEXT_SHARE = EM_SHOWN_LIMIT / 4, /* for the first place */
    SIMILAR_TEXT_LINES = 30,
    OTHER_TEXT_SHARE = EM_SHOWN_LIMIT / 16, /* for each other one */
    OTHER_TEXT_LINES = 10,
};

static const em_words words = {
    .find = "old_text", .insert = "new_text", .fill = "send an empty old_text"};

/* ---- The request --------------------------------------------------------------------------- */

static em_edit_request request_of(const em_call *call, const em_op *ops)
{
    em_args args = em_args_of(call);
    em_edit_request request = em_change_request(call, em_arg_string(args, "path"));
    request.ops = ops;
    request.op_count = em_arg_count(args, "edits");
    request.policy.keep_previews = request.dry_run;
    request.max_file_size = MOST_BYTES;
    request.max_edits = MOST_EDITS;
    request.want_diff = true;
    request.diff_limits.bytes = EM_SHOWN_LIMIT;
    return request;
}

/* ---- A success ----------------------------------------------------------------------------- */

static void add_success_text(em_file_edit *call, bool dry_run)
{
    em_reply *reply = &call->reply;
    const em_outcome *outcome = call->outcome;
    size_t replacements = outcome->plan.replacements;
    em_strbuf_printf(&reply->text, "%s %zu edit%s (%zu replacement%s) to %s.%s",
                     dry_run ? "Dry run: would apply" : "Applied", call->total,
                     call->total == 1 ? "" : "s", replacements, replacements == 1 ? "" : "s",
                     reply->path, dry_run ? " Nothing was written." : "");
    if (outcome->plan.splices.count == 0)
        em_strbuf_puts(&reply->text, " Together they change nothing.");
    em_reply_add_lines(reply);
    em_reply_add_diff(reply);
}

/* ---- A failure ----------------------------------------------------------------------------- */

static const char *reason_of(em_file_edit *call)
{
    const em_plan_failure *failure = &call->outcome->failure;
    switch (call->outcome->status) {
    case EM_E_NO_MATCH:
        return em_reply_format(&call->reply, "Could not find exact text in %s", call->reply.path);
    case EM_E_COUNT:
        return em_reply_format(&call->reply, "Expected %zu occurrences but found %zu in %s",
                               failure->expected, failure->actual, call->reply.path);
    default:
        return em_reason(&call->reply);
    }
}

/* "Edit 2 of 3 failed: REASON." or, where no edit is at fault, "REASON." and "Not a file: PATH",
 * with no full stop, which could belong to the path. */
static void add_failure_sentence(em_reply *reply, ptrdiff_t edit, size_t total, const char *reason)
{
    const char *end = em_reply_format(reply, ": %s", reply->path);
    bool names_path = em_slice_ends(em_slice_of(reason), em_slice_of(end));
    if (edit >= 0)
        em_strbuf_printf(&reply->text, "Edit %td of %zu failed: ", edit + 1, total);
    em_strbuf_printf(&reply->text, "%s%s", reason,
                     edit < 0 && names_path ? "" : em_full_stop(reason));
}

/* "Line 45: ..." of a place of one line, "Lines 45-47:" and the lines of any other. */
static void add_similar_place(em_reply *reply, const em_near *near, bool is_first)
{
    size_t most = is_first ? SIMILAR_TEXT_SHARE : OTHER_TEXT_SHARE;
    bool visible = em_similar_by_white_space(reply, near);
    if (near->end_line > near->line) {
        em_strbuf_printf(&reply->text, "\n\nLines %zu-%zu", near->line, near->end_line);
        em_similar_add_origin(reply, near);
        if (visible)
            em_strbuf_printf(&reply->text, " (%s)", em_visible_legend);
        em_strbuf_putc(&reply->text, ':');
        em_similar_add_lines(reply, near, visible, is_first ? SIMILAR_TEXT_LINES : OTHER_TEXT_LINES,
                             most);
    } else {
        em_slice shown = em_similar_take(reply, near, most);
        em_strbuf_printf(&reply->text, "\n\nLine %zu", near->line);
        em_similar_add_origin(reply, near);
        em_strbuf_puts(&reply->text, ": ");
        em_strbuf_add(&reply->text, shown);
        em_strbuf_puts(&reply->text, shown.len < near->content.len ? " (cut)" : "");
        if (visible && shown.len <= reply->shown_left) {
            em_strbuf_printf(&reply->text,
                             "\n  White space made visible (%s): ", em_visible_legend);
            em_add_visible(&reply->text, em_reply_take(reply, shown, shown.len));
        }
    }
    em_similar_add_differences(reply, near, "  ");
}

static void add_similar_places(em_reply *reply)
{
    em_similar_list list = em_similar_places(reply);
    const char *reason = em_similar_reason(reply);
    if (reason)
        em_strbuf_printf(&reply->text, em_similar_is_ambiguous(reply) ? "\n%s:" : "\n%s.\n",
                         reason);
    em_similar_add_meant(reply);
    if (em_similar_is_ambiguous(reply))
        em_strbuf_putc(&reply->text, '\n');
    if (em_similar_add_cut_off(reply))
        em_strbuf_putc(&reply->text, '\n');
    if (list.count == 0)
        return;
    em_strbuf_puts(&reply->text,
                   "\nFile contains similar content that might be what you're looking for:");
    for (size_t i = 0; i < list.count; i++)
        add_similar_place(reply, list.items[i], i == 0);
    em_strbuf_putc(&reply->text, '\n');
}

/* Behind what is known, all that the document suggests. */
static void add_suggestions(em_file_edit *call, const em_hints *hints)
{
    em_reply *reply = &call->reply;
    const char *further = em_further_told(reply, "Edit"), *reason = em_similar_reason(reply);
    size_t count = 0;
    em_strbuf_puts(&reply->text, "\nSuggestions:");
    if (reply->shows_correction)
        em_strbuf_printf(&reply->text, "\n%zu. Send %s instead, which stands below%s", ++count,
                         em_similar_is_stale(reply) ? "what is still there" : "the exact text",
                         em_retry_fits(call->retry) ? "; metadata.retry is the whole call" : "");
    if (*further)
        em_strbuf_printf(&reply->text, "\n%zu. %s", ++count, further);
    for (size_t i = 0; i < hints->count; i++)
        if (!reason || strcmp(reason, hints->items[i].text) != 0) /* which stands above */
            em_strbuf_printf(&reply->text, "\n%zu. %s", ++count, hints->items[i].text);
}

static void add_missing_text(em_file_edit *call, const em_hints *hints)
{
    em_reply *reply = &call->reply;
    em_strbuf_puts(&reply->text, "\n\nSearched for (between >>>markers<<<):\n");
    em_reply_add_echo(reply, em_arg_text(em_file_edit_at_fault(call), "old_text"));
    em_strbuf_puts(&reply->text, "\n");
    if (call->outcome->error.cause == EM_CAUSE_ALREADY_APPLIED) {
        em_add_advice(reply);
        em_add_further(reply, "", "Edit");
        return;
    }
    add_similar_places(reply);
    add_suggestions(call, hints);
    if (!reply->correction)
        em_add_file_unless_readable(reply);
}

/* The text ends with what is to be copied: what can be sent, or else the most similar text. */
static void add_text_to_copy(em_reply *reply, em_slice best)
{
    if (reply->correction) {
        em_strbuf_putc(&reply->text, '\n');
        em_similar_add_correction(reply);
    } else if (best.len > 0)
        em_similar_add_whole(reply, best);
}

static void add_places(em_file_edit *call, em_slice find)
{
    em_reply *reply = &call->reply;
    const em_plan_failure *failure = &call->outcome->failure;
    for (size_t i = 0; i < failure->places.count; i++) {
        em_spot spot = em_reply_spot(reply, &failure->places.items[i], find);
        em_strbuf_printf(&reply->text, "\n  Line %zu, column %zu%s", spot.line, spot.column_start,
                         spot.inserted ? " (in text that an edit before this one inserts)" : "");
    }
    if (failure->places.count < failure->actual)
        em_strbuf_printf(&reply->text, "\n  ... and %zu more",
                         failure->actual - failure->places.count);
}

static void add_count_text(em_file_edit *call)
{
    em_reply *reply = &call->reply;
    const em_plan_failure *failure = &call->outcome->failure;
    em_slice find = em_arg_text(em_file_edit_at_fault(call), "old_text");
    em_strbuf_printf(&reply->text, "\n\nExpected to replace %zu instances of '", failure->expected);
    em_strbuf_add(&reply->text, em_reply_echo(reply, find));
    em_strbuf_printf(&reply->text, "' but found %zu instances at:", failure->actual);
    add_places(call, find);
    em_add_tier_of_places(reply);
    if (find.len == 0) {
        em_strbuf_puts(&reply->text, "\n\nAn empty old_text stands once in an empty file: set "
                                     "occurrences to 1 to fill it");
        return;
    }
    em_add_other_endings(reply, "\n");
    const char *why_not_all = em_why_not_all(reply);
    if (why_not_all) {
        em_strbuf_printf(&reply->text,
                         "\n\n%s. To fix: add more context to make the old_text unique to the one "
                         "you mean",
                         why_not_all);
        return;
    }
    em_strbuf_printf(&reply->text,
                     "\n\nOptions to fix:"
                     "\n1. Update occurrences to %zu if you want to replace %s",
                     failure->actual, em_file_edit_instances(failure));
    if (failure->actual > failure->expected)
        em_strbuf_printf(&reply->text,
                         "\n2. Add more context to make the old_text unique to just the %zu you "
                         "want"
                         "\n3. Split into multiple edits with unique old_text for each target",
                         failure->expected);
    else
        em_strbuf_puts(&reply->text,
                       "\n2. Use a shorter old_text that all the places you want have in common"
                       "\n3. Split into multiple edits, one for each way the text is written");
}

static void add_failure_text(em_file_edit *call, const char *reason, const em_hints *hints)
{
    em_reply *reply = &call->reply;
    em_slice best = em_similar_take_whole(reply);
    add_failure_sentence(reply, call->outcome->error.edit, call->total, reason);
    if (call->outcome->status == EM_E_NO_MATCH) {
        add_missing_text(call, hints);
    } else if (call->outcome->status == EM_E_COUNT) {
        add_count_text(call);
    } else {
        size_t end = reply->text.len;
        em_strbuf_putc(&reply->text, '\n');
        em_add_advice(reply);
        if (reply->text.len == end + 1) /* no advice, no empty line */
            reply->text.len = end;
        if (reply->outcome->near_files.is_clear && em_retry_fits(call->retry))
            em_strbuf_puts(&reply->text, "\nmetadata.retry is the call with that path");
        em_add_further(reply, "", "Edit");
    }
    if (!em_way_is_clear(reply, em_retry_fits(call->retry)))
        em_add_rewrite_advice(reply, "\n");
    add_text_to_copy(reply, best);
}

/* ---- The answer ---------------------------------------------------------------------------- */

/* {isError, content, metadata}, as the document has it. */
static json_t *native_answer(em_json *json, bool is_error, const char *text, json_t *metadata)
{
    json_t *native = em_json_object(json), *content = em_json_array(json);
    json_t *block = em_json_object(json);
    em_json_set_string(json, block, "type", "text");
    em_json_set_string(json, block, "text", text);
    em_json_add(json, content, block);
    em_json_set_bool(json, native, "isError", is_error);
    em_json_set(json, native, "content", content);
    em_json_set(json, native, "metadata", json_incref(metadata));
    return native;
}

/* Takes `metadata`. */
static em_status finish(em_reply *reply, bool is_error, json_t *metadata, em_answer *answer)
{
    em_json *json = &reply->json;
    if (reply->echo_truncated)
        em_json_set_bool(json, metadata, "echo_truncated", true);
    answer->is_error = is_error;
    answer->text = em_reply_text(reply);
    answer->object = metadata;
    if (!answer->text)
        return EM_E_NOMEM;
    answer->native = em_json_done(json, native_answer(json, is_error, answer->text, metadata));
    return answer->native ? EM_OK : EM_E_NOMEM;
}

static em_status render_success(em_file_edit *call, em_answer *answer)
{
    bool dry_run = em_arg_bool(call->args, "dry_run");
    add_success_text(call, dry_run);
    return finish(&call->reply, false, em_file_edit_success(call, dry_run), answer);
}

static em_status render_failure(em_file_edit *call, em_answer *answer)
{
    em_hints hints = {.count = 0};
    if (call->outcome->error.cause == EM_CAUSE_NOT_FOUND)
        hints = em_hints_for_missing(&call->reply,
                                     em_arg_text(em_file_edit_at_fault(call), "old_text"));
    const char *reason = reason_of(call);
    call->retry = em_args_retry(&call->reply, call->args, "edits", &words);
    add_failure_text(call, reason, &hints);
    json_t *metadata = em_file_edit_failure(call, reason, &hints);
    json_decref(call->retry);
    em_answer_tell_failure(answer, call->outcome);
    return finish(&call->reply, true, metadata, answer);
}

static em_status run(const em_call *call, em_answer *answer)
{
    em_args args = em_args_of(call);
    em_op *ops = em_replace_ops(args, "edits", &words, "occurrences", call->arena);
    if (!ops)
        return EM_E_NOMEM;
    em_edit_request request = request_of(call, ops);
    em_outcome outcome;
    em_status status = em_run_edit(call->session, &request, call->arena, &outcome);
    if (status != EM_E_NOMEM) {
        em_file_edit one = {.args = args, .outcome = &outcome, .total = request.op_count};
        em_reply_init(&one.reply, call, &words, request.path, &outcome);
        status = status == EM_OK ? render_success(&one, answer) : render_failure(&one, answer);
        em_reply_drop(&one.reply);
    }
    em_outcome_drop(call->session, &outcome);
    return status;
}

static em_status refuse(const em_call *call, const em_call_refusal *refusal, em_answer *answer)
{
    em_reply reply;
    em_slice given = em_json_slice(json_object_get(call->arguments, "path"));
    em_slice path = given.ptr ? given : EM_LIT("");
    size_t total = json_array_size(json_object_get(call->arguments, "edits"));
    em_reply_init(&reply, call, &words, path.ptr, NULL);
    add_failure_sentence(&reply, refusal->edit, total, refusal->message);
    json_t *metadata = em_file_edit_refusal(&reply, path, refusal, total);
    if (em_retry_fits(refusal->retry))
        em_strbuf_printf(&reply.text, "\nmetadata.retry is the call with corrected arguments%s",
                         refusal->fails_again ? ": correct what would fail next, too" : "");
    em_set_retry(&reply.json, metadata, json_incref(refusal->retry));
    em_status status = finish(&reply, true, metadata, answer);
    em_reply_drop(&reply);
    return status;
}

static em_status read_failure(const em_answer *answer, em_arena *arena, em_call_failure *failure)
{
    failure->retry = json_object_get(answer->object, "retry");
    return em_read_failure_in_words(answer, arena, failure);
}

/* ---- The tables ---------------------------------------------------------------------------- */

static const em_param edit_params[] = {
    {.name = "old_text",
     .type = EM_P_STRING,
     .flags = EM_P_REQUIRED,
     .help = "Exact text to replace, white space included. Empty matches only an empty file."},
    EM_PARAM_INSERT("new_text", EM_P_REQUIRED),
    {.name = "occurrences",
     .type = EM_P_INTEGER,
     .flags = EM_P_NULLABLE,
     .minimum = 1,
     .fallback = "1",
     .help = "How often old_text must stand there; all of them are replaced."},
    {.name = NULL},
};

static const em_param params[] = {
    {.name = "path",
     .type = EM_P_PATH,
     .flags = EM_P_REQUIRED,
     .help = "The file: relative to the workspace, or absolute."},
    {.name = "edits",
     .type = EM_P_LIST,
     .flags = EM_P_REQUIRED | EM_P_NONEMPTY,
     .fields = edit_params,
     .help = "Applied in order, each to the result of those before it."},
    EM_PARAM_DRY_RUN,
    EM_PARAM_MATCH("exact"),
    EM_PARAM_BACKUP,
    EM_PARAM_ENCODING,
    EM_PARAM_EXPECTED_HASH,
    EM_PARAM_SESSION,
    {.name = NULL},
};

static const em_tool tools[] = {
    {.name = "file_edit",
     .title = "Edit File (several exact replacements)",
     .brief = "Replace exact text in a file: one or many edits, counted, all or none.",
     .description =
         "Edits one file by replacing exact text: all edits are made, or none. Each edit replaces "
         "old_text by new_text; old_text must stand in the file exactly `occurrences` times "
         "(default 1) or the call fails and tells where it stands. Edits apply in order, each to "
         "the result of those before it. Matching is literal: no patterns, white space counts "
         "(unless match allows for slips). "
         "Line endings, encoding and permissions of the file are kept. An error changes nothing "
         "and says what to send instead.",
     .guidance = "change parts of a file, in one place or many at once, all or none",
     .flags = EM_TOOL_DESTRUCTIVE | EM_TOOL_EDITS,
     .params = params,
     .result = em_file_edit_result,
     .run = run,
     .refuse = refuse,
     .read_failure = read_failure},
    {.name = NULL},
};

const em_dialect em_dialect_file_edit = {.name = "file-edit", .tools = tools};

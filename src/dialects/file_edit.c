/* file_edit.c: file_edit, whose edits are exact, counted, in order, and all or none.
 *
 * The text block is for people and models; the structured content is the document's `metadata`.
 */
#include "answers/answer.h"
#include "answers/declared.h"
#include "answers/fields.h"
#include "answers/further.h"
#include "answers/places_told.h"
#include "answers/reason.h"
#include "answers/retry.h"
#include "answers/search_hints.h"
#include "answers/similar.h"
#include "arguments/change_args.h"
#include "arguments/forms.h"
#include "json/json_text.h"

enum {
    /* as the document of the tool says */
    MOST_EDITS = 1000,
    MOST_BYTES = 100 * 1024 * 1024,
    /* so that an answer is some 100 KB at most, however many edits a call has */
    MOST_LINE_NUMBERS = 10000, /* of all edits */
    MOST_SUMMARIES = 1000,
    /* what may be shown of the file is shared out: the text block and the metadata both show it */
    LOCATIONS_SHARE = EM_SHOWN_LIMIT * 5 / 8,
    SIMILAR_TEXT_SHARE = EM_SHOWN_LIMIT / 4, /* of the text block, for the first place */
    SIMILAR_TEXT_LINES = 30,
    OTHER_TEXT_SHARE = EM_SHOWN_LIMIT / 16, /* for each other one */
    OTHER_TEXT_LINES = 10,
    LONG_LINE_BYTES = 1000, /* of a line in the metadata */
};

static const em_words words = {
    .find = "old_text", .insert = "new_text", .fill = "send an empty old_text"};

/* One call: its arguments and the answer in the making. */
typedef struct file_edit {
    em_args args;
    const em_outcome *outcome;
    em_reply reply;
    size_t total;        /* edits */
    json_t *retry;       /* owned; NULL */
    size_t line_numbers; /* in the answer */
} file_edit;

/* The edit at fault. */
static em_args failed_edit(const file_edit *call)
{
    return em_arg_element(call->args, "edits", (size_t)call->outcome->error.edit);
}

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

static json_t *edit_summary(file_edit *call, size_t index)
{
    em_json *json = &call->reply.json;
    const em_matches *places = &call->outcome->plan.places[index];
    json_t *summary = em_json_object(json), *lines = em_json_array(json);
    size_t count = 0;
    for (; count < places->count && call->line_numbers < MOST_LINE_NUMBERS; count++) {
        size_t line = em_lines_at(&call->outcome->lines, places->items[count].start);
        em_json_add(json, lines, json_integer((json_int_t)line));
        call->line_numbers++;
    }
    em_json_set_size(json, summary, "edit_index", index);
    em_json_set_size(json, summary, "occurrences_replaced", places->total);
    em_json_set(json, summary, "line_numbers", lines);
    if (count < places->total)
        em_json_set_bool(json, summary, "line_numbers_truncated", true);
    return summary;
}

static json_t *edits_applied(file_edit *call)
{
    em_json *json = &call->reply.json;
    json_t *list = em_json_array(json);
    for (size_t i = 0; i < call->outcome->plan.op_count && i < MOST_SUMMARIES; i++)
        em_json_add(json, list, edit_summary(call, i));
    return list;
}

static void set_preview(file_edit *call, json_t *metadata)
{
    em_json *json = &call->reply.json;
    const em_plan *plan = &call->outcome->plan;
    json_t *list = em_json_array(json);
    size_t shown = 0;
    for (; shown < plan->preview_count; shown++) {
        const em_preview *preview = &plan->previews[shown];
        size_t length = preview->before.len + preview->after.len;
        if (length > call->reply.shown_left)
            break;
        call->reply.shown_left -= length;
        json_t *object = em_json_object(json);
        em_json_set_size(json, object, "edit_index", preview->op);
        em_json_set_size(json, object, "line_number", preview->line);
        em_json_set_text(json, object, "before", preview->before);
        em_json_set_text(json, object, "after", preview->after);
        em_json_add(json, list, object);
    }
    em_json_set(json, metadata, "preview", list);
    if (shown < plan->preview_count || plan->more_previews)
        em_json_set_bool(json, metadata, "preview_truncated", true);
}

static json_t *success_metadata(file_edit *call, bool dry_run)
{
    em_reply *reply = &call->reply;
    em_json *json = &reply->json;
    const em_outcome *outcome = call->outcome;
    json_t *metadata = em_json_object(json);
    em_json_set_string(json, metadata, "path", em_reply_path_field(reply, outcome->file.path));
    if (dry_run) {
        em_json_set_bool(json, metadata, "dry_run", true);
        em_json_set_bool(json, metadata, "would_modify", outcome->plan.splices.count > 0);
    }
    em_json_set_size(json, metadata, "total_replacements", outcome->plan.replacements);
    em_json_set(json, metadata, "edits_applied", edits_applied(call));
    if (outcome->plan.op_count > MOST_SUMMARIES)
        em_json_set_bool(json, metadata, "edits_applied_truncated", true);
    em_declared_set(reply, metadata);
    em_reply_set_state(reply, metadata, "");
    em_reply_set_backup(reply, metadata);
    em_reply_set_warnings(reply, metadata);
    em_json_set(json, metadata, "diff", em_reply_diff(reply));
    if (dry_run)
        set_preview(call, metadata);
    return metadata;
}

static void add_success_text(file_edit *call, bool dry_run)
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

static const char *reason_of(file_edit *call)
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
static void add_suggestions(file_edit *call, const em_hints *hints)
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

static void add_missing_text(file_edit *call, const em_hints *hints)
{
    em_reply *reply = &call->reply;
    em_strbuf_puts(&reply->text, "\n\nSearched for (between >>>markers<<<):\n");
    em_reply_add_echo(reply, em_arg_text(failed_edit(call), "old_text"));
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

static void add_places(file_edit *call, em_slice find)
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

/* Those that a call with the right count would replace. */
static const char *instances_named(const em_plan_failure *failure)
{
    return failure->other_endings.count > 0 ? "those with the line endings of old_text"
                                            : "all instances";
}

static void add_count_text(file_edit *call)
{
    em_reply *reply = &call->reply;
    const em_plan_failure *failure = &call->outcome->failure;
    em_slice find = em_arg_text(failed_edit(call), "old_text");
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
                     failure->actual, instances_named(failure));
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

static void add_failure_text(file_edit *call, const char *reason, const em_hints *hints)
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

static json_t *validation_error(em_reply *reply, const char *type, ptrdiff_t edit, size_t total,
                                const char *message)
{
    em_json *json = &reply->json;
    json_t *error = em_json_object(json);
    em_json_set_string(json, error, "type", type);
    em_json_set(json, error, "edit_index", json_integer((json_int_t)edit));
    em_json_set_size(json, error, "total_edits", total);
    em_json_set_string(json, error, "message", message);
    return error;
}

static json_t *differences(em_reply *reply, const em_near *near)
{
    em_json *json = &reply->json;
    json_t *list = em_json_array(json);
    for (size_t i = 0; i < near->differences.count; i++) {
        const em_difference *difference = &near->differences.items[i];
        em_slice found = em_reply_take(reply, difference->found, LONG_LINE_BYTES);
        json_t *object = em_json_object(json);
        em_json_set_string(json, object, "type", em_difference_word(difference->kind));
        em_json_set_text(json, object, "expected", em_reply_repeat(reply, difference->expected));
        em_json_set_text(json, object, "found", found);
        if (found.len < difference->found.len)
            em_json_set_bool(json, object, "found_truncated", true);
        em_json_add(json, list, object);
    }
    return list;
}

static json_t *similar(em_reply *reply, const em_near *near)
{
    em_json *json = &reply->json;
    json_t *object = em_json_object(json);
    json_t *pieces = differences(reply, near); /* first: they are short, and tell most */
    bool whole = near->content.len <= reply->shown_left;
    em_slice shown = em_similar_take(reply, near, whole ? near->content.len : LONG_LINE_BYTES);
    em_json_set_size(json, object, "line_number", near->line);
    if (near->end_line > near->line)
        em_json_set_size(json, object, "end_line_number", near->end_line);
    em_json_set_text(json, object, "content", shown);
    if (!whole)
        em_json_set_bool(json, object, "content_truncated", true);
    if (near->inserted)
        em_json_set_bool(json, object, "in_inserted_text", true);
    em_json_set(json, object, "similarity_score", json_real(em_similar_likeness(near).similarity));
    em_json_set(json, object, "differences", pieces);
    return object;
}

/* The place with the highest score, which is taken out of the list; NULL where none is similar
 * enough to stand there. */
static const em_near *take_best(em_similar_list *list)
{
    size_t best = 0;
    for (size_t i = 1; i < list->count; i++)
        if (em_similar_likeness(list->items[i]).similarity >
            em_similar_likeness(list->items[best]).similarity)
            best = i;
    const em_near *near = list->items[best];
    list->count--;
    for (size_t i = best; i < list->count; i++)
        list->items[i] = list->items[i + 1];
    return em_similar_likeness(near).similarity >= EM_LEAST_SIMILARITY ? near : NULL;
}

/* As far as there is room to show something of them. */
static json_t *similar_content(em_reply *reply)
{
    em_similar_list places = em_similar_places(reply);
    json_t *list = em_json_array(&reply->json);
    const em_near *near;
    while (places.count > 0 && reply->shown_left > 0 && (near = take_best(&places)))
        em_json_add(&reply->json, list, similar(reply, near));
    return list;
}

static void set_search_facts(file_edit *call, json_t *error)
{
    em_reply *reply = &call->reply;
    em_json *json = &reply->json;
    const em_plan_failure *failure = &call->outcome->failure;
    em_slice find = em_arg_text(failed_edit(call), "old_text");
    if (call->outcome->status == EM_E_NO_MATCH) {
        em_json_set_text(json, error, "search_text", em_reply_echo(reply, find));
        em_json_set(json, error, "similar_content", similar_content(reply));
    } else {
        em_json_set_size(json, error, "expected_occurrences", failure->expected);
        em_json_set_size(json, error, "actual_occurrences", failure->actual);
        if (failure->tier != EM_TIER_EXACT)
            em_json_set_string(json, error, "match_tier", em_tier_name(failure->tier));
        em_reply_set_locations(reply, error, find, LOCATIONS_SHARE);
    }
}

/* The kinds of suggested fixes. */
static const char USE_EXACT_TEXT[] = "USE_EXACT_TEXT", ADJUST_COUNT[] = "ADJUST_COUNT";
static const char *const fix_of_hint[] = {
    [EM_HINT_COPY] = USE_EXACT_TEXT,
    [EM_HINT_WHITE_SPACE] = "CHECK_WHITESPACE",
    [EM_HINT_ESCAPES] = "ESCAPE_SPECIAL",
};

static void add_fix(em_json *json, json_t *fixes, const char *type, const char *suggestion,
                    const char *example)
{
    json_t *fix = em_json_object(json);
    em_json_set_string(json, fix, "type", type);
    em_json_set_string(json, fix, "suggestion", suggestion);
    if (example)
        em_json_set_string(json, fix, "example", example);
    em_json_add(json, fixes, fix);
}

static void add_count_fixes(file_edit *call, json_t *fixes)
{
    em_reply *reply = &call->reply;
    const em_plan_failure *failure = &call->outcome->failure;
    size_t actual = failure->actual;
    bool can_take_all = !em_why_not_all(reply);
    if (can_take_all)
        add_fix(&reply->json, fixes, ADJUST_COUNT,
                em_reply_format(reply, "Set occurrences to %zu to replace %s", actual,
                                failure->other_endings.count > 0 ? instances_named(failure)
                                                                 : "all of them"),
                em_reply_format(reply, "\"occurrences\": %zu", actual));
    if (!can_take_all || actual > failure->expected)
        add_fix(&reply->json, fixes, USE_EXACT_TEXT,
                "Add text around the place that you mean to old_text and new_text", NULL);
}

static json_t *suggested_fixes(file_edit *call, const em_hints *hints)
{
    json_t *fixes = em_json_array(&call->reply.json);
    for (size_t i = 0; i < hints->count; i++)
        add_fix(&call->reply.json, fixes, fix_of_hint[hints->items[i].kind], hints->items[i].text,
                em_hint_example(&call->reply, &hints->items[i]));
    if (call->outcome->status == EM_E_COUNT)
        add_count_fixes(call, fixes);
    return fixes;
}

static json_t *failure_metadata(file_edit *call, const char *reason, const em_hints *hints)
{
    em_reply *reply = &call->reply;
    em_json *json = &reply->json;
    const em_outcome *outcome = call->outcome;
    const char *path = outcome->file.path ? outcome->file.path : em_arg_string(call->args, "path");
    bool counted = outcome->status == EM_E_COUNT;
    json_t *metadata = em_json_object(json);
    json_t *error = validation_error(reply, em_code_of(outcome->status).flat, outcome->error.edit,
                                     call->total, reason);
    if (counted || outcome->status == EM_E_NO_MATCH)
        set_search_facts(call, error);
    em_json_set_string(json, metadata, "path", em_reply_path_field(reply, path));
    em_json_set(json, metadata, "validation_error", error);
    if (em_reply_cause(reply))
        em_json_set_string(json, metadata, "cause", em_reply_cause(reply));
    em_json_set(json, metadata, "suggested_fixes", suggested_fixes(call, hints));
    if (counted || em_similar_best(reply))
        em_json_set(json, metadata, "file_preview",
                    em_reply_file_preview(reply, em_arg_text(failed_edit(call), "old_text")));
    em_set_retry(json, metadata, json_incref(call->retry));
    em_reply_set_state(reply, metadata, "");
    em_reply_set_warnings(reply, metadata);
    return metadata;
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

static em_status render_success(file_edit *call, em_answer *answer)
{
    bool dry_run = em_arg_bool(call->args, "dry_run");
    add_success_text(call, dry_run);
    return finish(&call->reply, false, success_metadata(call, dry_run), answer);
}

static em_status render_failure(file_edit *call, em_answer *answer)
{
    em_hints hints = {.count = 0};
    if (call->outcome->error.cause == EM_CAUSE_NOT_FOUND)
        hints = em_hints_for_missing(&call->reply, em_arg_text(failed_edit(call), "old_text"));
    const char *reason = reason_of(call);
    call->retry = em_args_retry(&call->reply, call->args, "edits", &words);
    add_failure_text(call, reason, &hints);
    json_t *metadata = failure_metadata(call, reason, &hints);
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
        file_edit one = {.args = args, .outcome = &outcome, .total = request.op_count};
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
    em_json *json = &reply.json;
    add_failure_sentence(&reply, refusal->edit, total, refusal->message);
    json_t *metadata = em_json_object(json);
    em_json_set_text(json, metadata, "path", em_reply_echo(&reply, path)); /* as it is given */
    em_json_set(json, metadata, "validation_error",
                validation_error(&reply, em_code_of(EM_E_INVALID).flat, refusal->edit, total,
                                 refusal->message));
    if (em_retry_fits(refusal->retry))
        em_strbuf_printf(&reply.text, "\nmetadata.retry is the call with corrected arguments%s",
                         refusal->fails_again ? ": correct what would fail next, too" : "");
    em_set_retry(json, metadata, json_incref(refusal->retry));
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

static const em_param hunk_result[] = {
    {.name = "old_start", .type = EM_P_INTEGER},
    {.name = "old_lines", .type = EM_P_INTEGER},
    {.name = "new_start", .type = EM_P_INTEGER},
    {.name = "new_lines", .type = EM_P_INTEGER},
    {.name = "lines", .type = EM_P_LIST, .item = EM_P_STRING},
    {.name = NULL},
};

static const em_param diff_result[] = {
    {.name = "unified", .type = EM_P_STRING},
    {.name = "hunks", .type = EM_P_LIST, .fields = hunk_result},
    {.name = "lines_added", .type = EM_P_INTEGER},
    {.name = "lines_removed", .type = EM_P_INTEGER},
    {.name = "truncated", .type = EM_P_BOOL},
    {.name = NULL},
};

static const em_param applied_result[] = {
    {.name = "edit_index", .type = EM_P_INTEGER},
    {.name = "occurrences_replaced", .type = EM_P_INTEGER},
    {.name = "line_numbers", .type = EM_P_LIST, .item = EM_P_INTEGER},
    {.name = "line_numbers_truncated", .type = EM_P_BOOL},
    {.name = NULL},
};

static const em_param preview_result[] = {
    {.name = "edit_index", .type = EM_P_INTEGER},
    {.name = "line_number", .type = EM_P_INTEGER},
    {.name = "before", .type = EM_P_STRING},
    {.name = "after", .type = EM_P_STRING},
    {.name = NULL},
};

static const em_param location_result[] = {
    {.name = "line_number", .type = EM_P_INTEGER},
    {.name = "column_start", .type = EM_P_INTEGER},
    {.name = "column_end", .type = EM_P_INTEGER},
    {.name = "end_line_number", .type = EM_P_INTEGER},
    {.name = "line_content", .type = EM_P_STRING},
    {.name = "line_truncated", .type = EM_P_BOOL},
    {.name = "in_inserted_text", .type = EM_P_BOOL},
    {.name = "context_before", .type = EM_P_STRING},
    {.name = "context_after", .type = EM_P_STRING},
    {.name = NULL},
};

static const em_param difference_result[] = {
    {.name = "type", .type = EM_P_STRING},
    {.name = "expected", .type = EM_P_STRING},
    {.name = "found", .type = EM_P_STRING},
    {.name = "found_truncated", .type = EM_P_BOOL},
    {.name = NULL},
};

static const em_param similar_result[] = {
    {.name = "line_number", .type = EM_P_INTEGER},
    {.name = "end_line_number", .type = EM_P_INTEGER},
    {.name = "content", .type = EM_P_STRING},
    {.name = "content_truncated", .type = EM_P_BOOL},
    {.name = "in_inserted_text", .type = EM_P_BOOL},
    {.name = "similarity_score", .type = EM_P_NUMBER},
    {.name = "differences", .type = EM_P_LIST, .fields = difference_result},
    {.name = NULL},
};

static const em_param error_result[] = {
    {.name = "type", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
    {.name = "edit_index", .type = EM_P_INTEGER, .help = "From 0; -1 where no edit is at fault."},
    {.name = "total_edits", .type = EM_P_INTEGER},
    {.name = "message", .type = EM_P_STRING},
    {.name = "expected_occurrences", .type = EM_P_INTEGER},
    {.name = "actual_occurrences", .type = EM_P_INTEGER},
    {.name = "match_tier",
     .type = EM_P_STRING,
     .help = "At which tier they match, where none is exact."},
    {.name = "match_locations", .type = EM_P_LIST, .fields = location_result},
    {.name = "locations_truncated", .type = EM_P_BOOL},
    {.name = "search_text", .type = EM_P_STRING},
    {.name = "similar_content", .type = EM_P_LIST, .fields = similar_result},
    {.name = NULL},
};

static const em_param fix_result[] = {
    {.name = "type", .type = EM_P_STRING},
    {.name = "suggestion", .type = EM_P_STRING},
    {.name = "example", .type = EM_P_STRING},
    {.name = NULL},
};

static const em_param highlight_result[] = {
    {.name = "line_number", .type = EM_P_INTEGER},
    {.name = "column_start", .type = EM_P_INTEGER},
    {.name = "column_end", .type = EM_P_INTEGER},
    {.name = "kind", .type = EM_P_STRING},
    {.name = NULL},
};

static const em_param file_preview_result[] = {
    {.name = "total_lines", .type = EM_P_INTEGER},
    {.name = "preview_start_line", .type = EM_P_INTEGER},
    {.name = "preview_end_line", .type = EM_P_INTEGER},
    {.name = "content", .type = EM_P_STRING},
    {.name = "highlights", .type = EM_P_LIST, .fields = highlight_result},
    {.name = NULL},
};

static const em_param metadata_result[] = {
    {.name = "path", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
    {.name = "dry_run", .type = EM_P_BOOL},
    {.name = "would_modify", .type = EM_P_BOOL},
    {.name = "total_replacements", .type = EM_P_INTEGER},
    {.name = "edits_applied", .type = EM_P_LIST, .fields = applied_result},
    {.name = "edits_applied_truncated", .type = EM_P_BOOL},
    EM_FIELD_MATCHES,
    EM_FIELD_MATCHES_TRUNCATED,
    EM_FIELD_HASH,
    EM_FIELD_EDIT_ID,
    EM_FIELD_BACKUP_PATH,
    EM_FIELD_WARNINGS,
    {.name = "diff", .type = EM_P_OBJECT, .fields = diff_result},
    {.name = "preview", .type = EM_P_LIST, .fields = preview_result},
    {.name = "preview_truncated", .type = EM_P_BOOL},
    {.name = "validation_error", .type = EM_P_OBJECT, .fields = error_result},
    EM_FIELD_CAUSE,
    {.name = "suggested_fixes", .type = EM_P_LIST, .fields = fix_result},
    {.name = "file_preview", .type = EM_P_OBJECT, .fields = file_preview_result},
    EM_FIELD_RETRY,
    EM_FIELD_RETRY_OMITTED,
    EM_FIELD_ECHO_TRUNCATED,
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
     .flags = EM_TOOL_DESTRUCTIVE,
     .params = params,
     .result = metadata_result,
     .run = run,
     .refuse = refuse,
     .read_failure = read_failure},
    {.name = NULL},
};

const em_dialect em_dialect_file_edit = {.name = "file-edit", .tools = tools};

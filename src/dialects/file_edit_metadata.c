#include "dialects/file_edit_metadata.h"

#include "answers/answer.h"
#include "answers/declared.h"
#include "answers/fields.h"
#include "answers/places_told.h"
#include "answers/reason.h"
#include "answers/retry.h"
#include "answers/similar.h"

enum {
    /* so that an answer is some 100 KB at most, however many edits a call has */
    MOST_LINE_NUMBERS = 10000, /* of all edits */
    MOST_SUMMARIES = 1000,
    LOCATIONS_SHARE = EM_SHOWN_LIMIT * 5 / 8, /* of what may be shown of the file */
    LONG_LINE_BYTES = 1000,
};

/* ---- Of a success ---------------------------------------------------------------------------- */

static json_t *edit_summary(em_file_edit *call, size_t index)
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

static json_t *edits_applied(em_file_edit *call)
{
    em_json *json = &call->reply.json;
    json_t *list = em_json_array(json);
    for (size_t i = 0; i < call->outcome->plan.op_count && i < MOST_SUMMARIES; i++)
        em_json_add(json, list, edit_summary(call, i));
    return list;
}

static void set_preview(em_file_edit *call, json_t *metadata)
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

json_t *em_file_edit_success(em_file_edit *call, bool dry_run)
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

/* ---- Of a failure ---------------------------------------------------------------------------- */

em_args em_file_edit_at_fault(const em_file_edit *call)
{
    return em_arg_element(call->args, "edits", (size_t)call->outcome->error.edit);
}

const char *em_file_edit_instances(const em_plan_failure *failure)
{
    return failure->other_endings.count > 0 ? "those with the line endings of old_text"
                                            : "all instances";
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

static void set_search_facts(em_file_edit *call, json_t *error)
{
    em_reply *reply = &call->reply;
    em_json *json = &reply->json;
    const em_plan_failure *failure = &call->outcome->failure;
    em_slice find = em_arg_text(em_file_edit_at_fault(call), "old_text");
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

static void add_count_fixes(em_file_edit *call, json_t *fixes)
{
    em_reply *reply = &call->reply;
    const em_plan_failure *failure = &call->outcome->failure;
    size_t actual = failure->actual;
    bool can_take_all = !em_why_not_all(reply);
    if (can_take_all)
        add_fix(&reply->json, fixes, ADJUST_COUNT,
                em_reply_format(reply, "Set occurrences to %zu to replace %s", actual,
                                failure->other_endings.count > 0 ? em_file_edit_instances(failure)
                                                                 : "all of them"),
                em_reply_format(reply, "\"occurrences\": %zu", actual));
    if (!can_take_all || actual > failure->expected)
        add_fix(&reply->json, fixes, USE_EXACT_TEXT,
                "Add text around the place that you mean to old_text and new_text", NULL);
}

static json_t *suggested_fixes(em_file_edit *call, const em_hints *hints)
{
    json_t *fixes = em_json_array(&call->reply.json);
    for (size_t i = 0; i < hints->count; i++)
        add_fix(&call->reply.json, fixes, fix_of_hint[hints->items[i].kind], hints->items[i].text,
                em_hint_example(&call->reply, &hints->items[i]));
    if (call->outcome->status == EM_E_COUNT)
        add_count_fixes(call, fixes);
    return fixes;
}

json_t *em_file_edit_failure(em_file_edit *call, const char *reason, const em_hints *hints)
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
        em_json_set(
            json, metadata, "file_preview",
            em_reply_file_preview(reply, em_arg_text(em_file_edit_at_fault(call), "old_text")));
    em_set_retry(json, metadata, json_incref(call->retry));
    em_reply_set_state(reply, metadata, "");
    em_reply_set_warnings(reply, metadata);
    return metadata;
}

json_t *em_file_edit_refusal(em_reply *reply, em_slice path, const em_call_refusal *refusal,
                             size_t total)
{
    em_json *json = &reply->json;
    json_t *metadata = em_json_object(json);
    em_json_set_text(json, metadata, "path", em_reply_echo(reply, path)); /* as it is given */
    em_json_set(json, metadata, "validation_error",
                validation_error(reply, em_code_of(EM_E_INVALID).flat, refusal->edit, total,
                                 refusal->message));
    return metadata;
}

/* ---- Its fields ------------------------------------------------------------------------------ */

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

const em_param em_file_edit_result[] = {
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

/* review_undo.c: a change is undone or done again for the page. */
#include "review/review_impl.h"

#include "review/review_diff.h"

enum { DIFFS_BYTES = 2 << 20 /* of all of them; further files are named only */ };

/* Put the diffs in the form in which all are shown. */
static void set_files(em_json *json, json_t *object, const em_undo_outcome *outcome,
                      em_arena *arena)
{
    const json_t *files = json_object_get(object, "files");
    size_t left = DIFFS_BYTES;
    for (size_t i = 0; i < json_array_size(files); i++) {
        const em_undone_file *file = &outcome->files[i];
        json_t *told = json_array_get(files, i);
        em_slice diff = em_slice_of(file->diff);
        bool shown = diff.len <= left;
        left -= shown ? diff.len : 0;
        json_t *hunks = em_review_diff(json, shown ? diff : em_slice_make("", 0), arena);
        if (file->diff_truncated || !shown)
            em_json_set_bool(json, hunks, "truncated", true);
        em_json_set(json, told, "diff", hunks);
        em_json_set_path(json, told, "path", file->path);
        em_json_set_path(json, told, "rel", file->rel);
        em_json_set_size(json, told, "lines_added", file->lines_added);
        em_json_set_size(json, told, "lines_removed", file->lines_removed);
    }
}

static void set_warnings(em_json *json, json_t *object, const em_warnings *warnings)
{
    json_t *list = em_json_array(json);
    for (size_t i = 0; i < warnings->count; i++)
        em_json_add(json, list, em_json_text(json, em_slice_of(warnings->items[i])));
    em_json_set(json, object, "warnings", list);
}

/* "undid editFile in a.txt" */
static void set_sentence(em_review *review, em_json *json, json_t *object,
                         const em_undo_request *request, const em_undo_outcome *outcome,
                         em_arena *arena)
{
    const char *sentence = em_undo_sentence(review->session, request, outcome, arena);
    json->failed = json->failed || !sentence;
    em_json_set_string(json, object, "sentence", sentence ? sentence : "");
}

/* What stands for an error is in the same object: who asked wants to know what is in the way. */
static void reply(em_review *review, em_exchange *exchange, const em_undo_request *request,
                  const em_undo_outcome *outcome)
{
    em_json json = {0};
    json_t *object = em_undo_outcome_json(outcome);
    if (outcome->status == EM_E_NOMEM || !object) {
        json_decref(object);
        em_review_fail(exchange, EM_E_NOMEM, NULL);
        return;
    }
    em_json_set_bool(&json, object, "dry_run", request->dry_run);
    em_json_set_size(&json, object, "calls", outcome->calls + outcome->again);
    set_sentence(review, &json, object, request, outcome, &exchange->arena);
    set_files(&json, object, outcome, &exchange->arena);
    set_warnings(&json, object, &outcome->warnings);
    if (request->dry_run && outcome->status == EM_OK)
        em_json_set_string(&json, object, "seen", outcome->seen.hex);
    em_review_reply(exchange, &json, object);
}

json_t *em_review_undo_body(em_exchange *exchange, em_undo_request *request)
{
    static const em_review_member members[] = {{"dry_run", true}, {"seen", false}};
    json_t *body = em_review_body(exchange, members, sizeof members / sizeof *members);
    request->dry_run = em_review_flag(body, "dry_run");
    request->seen = em_review_string(body, "seen");
    if (!request->seen || !request->dry_run)
        return body;
    em_reply_error(exchange, 400, "bad_member", "a dry run tells \"seen\", and is not held to it");
    json_decref(body);
    return NULL;
}

void em_review_undo(em_review *review, em_exchange *exchange, em_undo_request request)
{
    em_undo_outcome outcome;
    em_warnings found = {0};
    request.tool = request.what == EM_UNDO ? "undo" : request.what == EM_REDO ? "redo" : "rewind";
    request.want_diff = true;
    request.diff_limits.bytes = EM_REVIEW_DIFF_BYTES;
    EM_REVIEW_HOLD(review);
    em_run_undo(review->session, &request, &exchange->arena, &outcome);
    if (!request.dry_run)
        em_session_do_due(review->session, true, &exchange->arena, &found);
    if (outcome.status == EM_E_NOT_FOUND)
        em_review_fail(exchange, outcome.status, &outcome.error);
    else
        reply(review, exchange, &request, &outcome);
    if (outcome.status == EM_OK && !request.dry_run)
        em_review_wake(review);
}

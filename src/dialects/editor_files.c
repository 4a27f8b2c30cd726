#include "dialects/editor_files.h"

#include "answers/reason.h"
#include "answers/retry.h"
#include "dialects/editor_task.h"

/* A call with a list of files. */
typedef struct batch {
    const em_call *call;
    em_editor_task *tasks;
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
        EM_TRY(em_editor_task_of(
            b->call, file, em_reply_format(&b->reply, "files[%zu] '%s': ", i, path), &b->tasks[i]));
        b->requests[i] = em_editor_request(b->call, &b->tasks[i]);
        b->requests[i].want_diff = false; /* how much of each may be shown is known in the end */
    }
    return EM_OK;
}

static void turn_to(batch *b, size_t index)
{
    const em_editor_task *t = &b->tasks[index];
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
    const em_editor_task *t = &b->tasks[index];
    bool dry_run = b->requests[index].dry_run;
    turn_to(b, index);
    if (dry_run)
        EM_TRY(make_diff(b, &b->outcomes[index]));
    if (index > 0)
        em_strbuf_putc(&reply->text, '\n');
    em_editor_add_success(reply, t, dry_run);
    em_reply_add_backup(reply);
    json_t *file = em_json_object(json);
    em_json_set_string(json, file, "file_path", em_reply_path_field(reply, t->path));
    em_editor_set_path_by_link(reply, t, file, "path_resolved");
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
        em_editor_add_failure(&b->reply, &b->tasks[index]);
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
    json_t *file = em_editor_retry(&b->reply, &b->tasks[index]);
    EM_AUTO(em_json_ref) retry = file ? batch_retry(b, index, file) : NULL;
    em_add_way_to_send(&b->reply, retry);
}

/* What failed is no file's: the journal, the history, or the number of edits. */
static void add_common_failure(batch *b, const em_outcome *outcome)
{
    em_reply_turn_to(&b->reply, &em_editor_basic_words, "this call", outcome);
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
    em_reply_turn_to(&b->reply, &em_editor_basic_words, "", NULL);
    return answer->text ? EM_OK : EM_E_NOMEM;
}

em_status em_editor_change_files(const em_call *call, em_answer *answer)
{
    EM_AUTO(batch)
    b = {.call = call, .diff_left = call->over_mcp ? EM_SHOWN_LIMIT : 0};
    em_reply_init(&b.reply, call, &em_editor_basic_words, "", NULL);
    b.files = em_json_array(&b.reply.json);
    EM_TRY(make_tasks(&b));
    b.opened = b.count;
    if (em_run_edits(call->session, b.requests, b.count, call->arena, b.outcomes, &b.result) ==
        EM_E_NOMEM)
        return EM_E_NOMEM;
    return batch_answer(&b, answer);
}

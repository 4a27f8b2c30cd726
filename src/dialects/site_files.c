/* site_files.c: a call about several files: each by itself, or all of them or none. */
#include "dialects/site_files.h"

#include "answers/answer.h"
#include "answers/reason.h"
#include "answers/retry.h"
#include "arguments/change_args.h"
#include "dialects/site_again.h"
#include "session/consent.h"

enum { MOST_FILES_NAMED = 10 };

/* What the answer to one call may show of all its files together. */
enum { ALL_SHOWN = 8 * EM_SHOWN_LIMIT };

/* What texts are called in arguments; operations have words of their own. */
static const em_words words = {.insert = "content"};

/* ---- One file ------------------------------------------------------------------------------ */

void em_site_file_drop(em_site_file *file)
{
    json_decref(file->retry.args);
}

static em_site_change change_of(const em_site_file *file, em_op_lists lists,
                                const em_edit_request *request, const em_outcome *outcome)
{
    return (em_site_change){.args = file->args,
                            .list = lists.text,
                            .dom_list = lists.dom,
                            .most_shown = file->most_shown,
                            .request = request,
                            .outcome = outcome};
}

static em_status note_path(em_site_file *file, const char *path, em_status status)
{
    if (!path || status != EM_OK)
        return status;
    file->path = em_arena_string(file->call->arena, em_slice_of(path));
    return file->path ? EM_OK : EM_E_NOMEM;
}

em_status em_site_run(em_site_file *file, em_op_lists lists, const em_edit_request *request)
{
    const em_call *call = file->call;
    em_outcome outcome;
    em_status status = em_run_edit(call->session, request, call->arena, &outcome);
    if (status != EM_E_NOMEM) {
        em_site_change change = change_of(file, lists, request, &outcome);
        status = em_site_answer_change(call, &change, file->answer, &file->retry);
        file->done = em_site_done(&outcome);
        file->miscount = em_miscount_of(&outcome);
        file->changes =
            file->done != EM_DONE_NONE && (outcome.plan.splices.count > 0 || !outcome.file.exists);
        status = note_path(file, outcome.file.path, status);
    }
    em_outcome_drop(call->session, &outcome);
    return status;
}

/* ---- Several files ------------------------------------------------------------------------- */

/* What came of the files of a call so far. */
typedef struct tally {
    em_reply reply; /* its text: the names of those that failed */
    json_t *results;
    const json_t *first_failure; /* one of the results; NULL */
    size_t count, failures;
    em_paths paths;         /* of all files of the call */
    size_t share;           /* bytes that the answer about each may show */
    bool changes;           /* any of the files */
    em_site_entry *entries; /* `count` of them, where files are changed one by one */
    json_t *retry;          /* the call again; NULL */
    const char *retry_has;  /* what that is, for a sentence; "" */
    bool fails_again;       /* it would fail, too, as is told of one of the files */
} tally;

static void note_failure(tally *files, const em_site_file *file)
{
    const char *name = em_reply_path_shown(&files->reply, em_arg_string(file->args, "file"));
    if (files->failures < MOST_FILES_NAMED)
        em_strbuf_printf(&files->reply.text, "%s\"%s\"", files->failures > 0 ? ", " : "", name);
    if (files->failures++ == 0)
        files->first_failure = file->answer;
}

/* A person who looks at a terminal sees what is there. */
static size_t share_of(const em_call *call, size_t count)
{
    size_t share = count > 0 ? ALL_SHOWN / count : ALL_SHOWN;
    return call->over_mcp && share < EM_SHOWN_LIMIT ? share : EM_SHOWN_LIMIT;
}

static em_status paths_of(const em_call *call, const char *list, size_t count, em_paths *paths)
{
    const char **items = em_alloc_array(call->arena, count, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++)
        items[i] = em_arg_string(em_arg_element(em_args_of(call), list, i), "file");
    *paths = (em_paths){items, count};
    return EM_OK;
}

/* The answer about the next file; NULL when memory ran out. */
static json_t *result_add(tally *files)
{
    json_t *result = em_json_object(&files->reply.json);
    em_json_add(&files->reply.json, files->results, result);
    return files->reply.json.failed ? NULL : result;
}

/* Was it refused for what an entry before it in this call wrote? */
static bool is_own_conflict(const tally *files, const em_site_file *file)
{
    const char *code = json_string_value(json_object_get(file->answer, "code"));
    bool is_conflict = code && strcmp(code, em_code_of(EM_E_CONFLICT).flat) == 0;
    for (size_t i = 0; is_conflict && file->path && i < files->count; i++)
        if (files->entries[i].changed && files->entries[i].path &&
            strcmp(files->entries[i].path, file->path) == 0)
            return true;
    return false;
}

static void tell_own_conflict(tally *files, const em_site_file *file)
{
    const char *error = json_string_value(json_object_get(file->answer, "error"));
    em_json_set_string(
        &files->reply.json, file->answer, "error",
        em_reply_format(&files->reply,
                        "%s\nAn entry before it in this call has changed it: send all "
                        "that is to be done to a file in one entry, or the later ones "
                        "without expected_hash",
                        error ? error : ""));
}

/* What the retry needs to know of it; its own retry goes over. */
static void note_entry(tally *files, em_site_file *file)
{
    bool failed = file->done == EM_DONE_NONE;
    if (failed && is_own_conflict(files, file))
        tell_own_conflict(files, file);
    files->entries[files->count] = (em_site_entry){.given = file->args.object,
                                                   .path = file->path,
                                                   .failed = failed,
                                                   .changed = file->changes,
                                                   .retry = file->retry,
                                                   .answer = file->answer};
    file->retry.args = NULL;
    files->count++;
}

/* What is said of it when all files are done. */
static em_status keep_path_and_words(em_site_file *file, em_arena *arena)
{
    const char **const kept[] = {&file->path, &file->retry.told, &file->retry.otherwise};
    for (size_t i = 0; i < sizeof kept / sizeof *kept; i++)
        if (*kept[i] && !(*kept[i] = em_arena_string(arena, em_slice_of(*kept[i]))))
            return EM_E_NOMEM;
    return EM_OK;
}

/* Each with memory of its own: what one file needed is not kept until the last is done. */
static em_status run_one(const em_call *call, em_args args, const em_site_files *kind, tally *files)
{
    EM_AUTO(em_arena) arena = {0};
    em_call own = *call;
    EM_AUTO(em_site_file)
    file = {.call = &own,
            .args = args,
            .continues = files->count > 0,
            .same_call = files->paths,
            .most_shown = files->share};
    em_edit_request request;
    own.arena = &arena;
    file.answer = result_add(files);
    if (!file.answer)
        return EM_E_NOMEM;
    EM_TRY(kind->request(&file, &request));
    EM_TRY(em_site_run(&file, kind->operations, &request));
    EM_TRY(keep_path_and_words(&file, call->arena));
    files->changes = files->changes || file.changes;
    if (file.done == EM_DONE_NONE)
        note_failure(files, &file);
    note_entry(files, &file);
    return EM_OK;
}

/* The retry of a file is made of the object alone: no em_arg_at(), whose values are the call's. */
static em_status run_each(const em_call *call, const em_site_files *kind, tally *files)
{
    em_args args = em_args_of(call);
    size_t count = em_arg_count(args, kind->list);
    files->share = share_of(call, count);
    files->entries = em_alloc_array(call->arena, count, sizeof *files->entries);
    if (!files->entries)
        return EM_E_NOMEM;
    EM_TRY(paths_of(call, kind->list, count, &files->paths));
    for (size_t i = 0; i < count; i++) {
        em_ws_may_stop(em_session_workspace(call->session));
        EM_TRY(run_one(call, em_arg_element(args, kind->list, i), kind, files));
    }
    return EM_OK;
}

/* A dry run of one file after the other: each is as those before it would have left it. */
static em_status rehearse_each(const em_call *call, const em_site_files *kind, tally *files)
{
    EM_AUTO(em_consent) rehearsal = {.stage = EM_CONSENT_ASKS, .is_rehearsal = true};
    em_consent *before = em_session_rehearse(call->session, &rehearsal);
    em_status status = run_each(call, kind, files);
    em_session_rehearse(call->session, before);
    return status;
}

/* What to send, and what a sentence says of it. */
static em_status set_retry(tally *files, const em_call *call, const char *list,
                           em_site_entry *entries, size_t count, bool whole)
{
    em_site_again again;
    em_reply *reply = &files->reply;
    EM_TRY(em_site_call_again(&reply->json, call, list, entries, count, whole, &again));
    const char *rest = again.fails_again ? ", but would fail where that says" : "";
    files->retry = again.args;
    files->fails_again = again.fails_again;
    files->retry_has = "";
    if (!em_retry_fits(files->retry))
        return EM_OK;
    if (whole && again.left_out == 0)
        files->retry_has = em_reply_format(reply, "; retry is the whole call, corrected%s", rest);
    else if (whole)
        files->retry_has =
            em_reply_format(reply, "; retry is the call without %zu of them, else corrected%s",
                            again.left_out, rest);
    else if (again.left_out == 0)
        files->retry_has = em_reply_format(reply, "; retry is the call for what is left%s", rest);
    else
        files->retry_has = em_reply_format(reply, "; retry is the call for %zu of them only%s",
                                           again.elements, rest);
    return EM_OK;
}

/* Of each file that failed, whether the answer has what to send for it. */
static void tell_retries(tally *files, const em_site_entry *entries, size_t count)
{
    bool fits = em_retry_fits(files->retry);
    for (size_t i = 0; i < count; i++)
        em_site_tell_retry(&files->reply.json, entries[i].answer, &entries[i].retry,
                           fits && entries[i].is_again);
}

/* `lead` is what the sentence begins with. */
static void set_failures(tally *files, const char *lead, json_t *answer)
{
    em_reply *reply = &files->reply;
    em_json *json = &reply->json;
    if (files->failures > MOST_FILES_NAMED)
        em_strbuf_printf(&reply->text, " and %zu more", files->failures - MOST_FILES_NAMED);
    const char *names = em_reply_text(reply);
    json->failed = json->failed || !names;
    em_json_set_string(json, answer, "error",
                       em_reply_format(reply, "%s%zu of %zu file%s failed: %s. results says why%s",
                                       lead, files->failures, files->count,
                                       files->count == 1 ? "" : "s", names ? names : "",
                                       files->retry_has));
    em_json_set(json, answer, "code", json_incref(json_object_get(files->first_failure, "code")));
    json_t *cause = json_object_get(files->first_failure, "cause");
    if (cause)
        em_json_set(json, answer, "cause", json_incref(cause));
}

/* An undo takes whole calls, whichever of their changes it is asked to take back: so that of the
 * first file stands for the call. */
static void set_edit_id(tally *files, json_t *answer)
{
    json_t *id = NULL;
    for (size_t i = 0; i < json_array_size(files->results) && !id; i++)
        id = json_object_get(json_array_get(files->results, i), "edit_id");
    if (id)
        em_json_set(&files->reply.json, answer, "edit_id", json_incref(id));
}

/* One file after the other, whatever becomes of those before. */
static em_status change_each(const em_call *call, const em_site_files *kind, em_answer *answer)
{
    tally files = {0};
    em_reply_init(&files.reply, call, &words, "", NULL);
    em_json *json = &files.reply.json;
    files.results = em_json_array(json);
    bool dry_run = em_call_is_dry(call);
    em_status status = (dry_run ? rehearse_each : run_each)(call, kind, &files);
    if (status == EM_OK)
        status = set_retry(&files, call, kind->list, files.entries, files.count, dry_run);
    tell_retries(&files, files.entries, files.count);
    answer->is_error = files.failures > 0 && !files.changes;
    answer->fails_again = files.fails_again;
    answer->object = em_json_object(json);
    em_done done = files.failures > 0 ? EM_DONE_PART : EM_DONE_ALL;
    em_site_set_success(json, answer->object, answer->is_error ? EM_DONE_NONE : done);
    if (files.failures > 0)
        set_failures(&files, "", answer->object);
    set_edit_id(&files, answer->object);
    em_json_set(json, answer->object, "results", files.results);
    em_site_set_echo(&files.reply, answer->object);
    em_set_retry(json, answer->object, files.retry);
    if (json->failed)
        status = EM_E_NOMEM;
    for (size_t i = 0; i < files.count; i++)
        json_decref(files.entries[i].retry.args);
    em_reply_drop(&files.reply);
    return status;
}

/* ---- Several files, all or none ------------------------------------------------------------ */

/* A call of which all files are changed, or none. */
typedef struct together {
    const em_call *call;
    const em_site_files *kind;
    size_t count;
    em_site_file *files;
    em_edit_request *requests;
    em_outcome *outcomes;
    em_several result;
    tally tally;
} together;

static em_status together_init(together *t)
{
    em_arena *arena = t->call->arena;
    em_args args = em_args_of(t->call);
    t->count = em_arg_count(args, t->kind->list);
    t->tally.share = share_of(t->call, t->count);
    t->files = em_alloc_array(arena, t->count, sizeof *t->files);
    t->requests = em_alloc_array(arena, t->count, sizeof *t->requests);
    t->outcomes = em_alloc_array(arena, t->count, sizeof *t->outcomes);
    if (!t->files || !t->requests || !t->outcomes)
        return EM_E_NOMEM;
    EM_TRY(paths_of(t->call, t->kind->list, t->count, &t->tally.paths));
    for (size_t i = 0; i < t->count; i++) {
        em_site_file *file = &t->files[i];
        *file = (em_site_file){.call = t->call,
                               .same_call = t->tally.paths,
                               .most_shown = t->tally.share,
                               .args = em_arg_element(args, t->kind->list, i),
                               .answer = result_add(&t->tally)};
        if (!file->answer)
            return EM_E_NOMEM;
        EM_TRY(t->kind->request(file, &t->requests[i]));
    }
    return EM_OK;
}

static em_site_change change_at(const together *t, size_t index)
{
    return change_of(&t->files[index], t->kind->operations, &t->requests[index],
                     &t->outcomes[index]);
}

/* Nothing is wrong with this file, but nothing was done to it either. */
static em_status answer_held_back(together *t, size_t index)
{
    const size_t culprit = t->result.culprit;
    const em_site_change change = change_at(t, index);
    em_reply *reply = &t->tally.reply;
    const char *why = "the call failed";
    if (culprit < t->count)
        why = em_reply_format(reply, "%s[%zu] \"%s\" failed", t->kind->list, culprit,
                              em_reply_path_shown(reply, t->requests[culprit].path));
    return em_site_answer_held_back(
        t->call, &change,
        em_reply_format(reply,
                        "%s: all files of this call are changed or none (atomic), and %s. Nothing "
                        "is wrong with this one",
                        t->result.status == EM_E_UNKNOWN ? "What became of it is not known yet"
                                                         : "Nothing was written",
                        why),
        EM_OK, t->files[index].answer);
}

static em_status answer_twin(together *t, size_t index)
{
    const em_site_change change = change_at(t, index);
    return em_site_answer_held_back(
        t->call, &change,
        em_reply_format(&t->tally.reply,
                        "It is the same file as %s[%zu]. Send all that is to be done to it in one "
                        "entry",
                        t->kind->list, t->outcomes[index].same_as),
        t->outcomes[index].status, t->files[index].answer);
}

static em_status answer_one(together *t, size_t index)
{
    const em_outcome *outcome = &t->outcomes[index];
    const em_site_change change = change_at(t, index);
    if (outcome->same_as != EM_NPOS)
        EM_TRY(answer_twin(t, index));
    else if (outcome->status != EM_OK)
        EM_TRY(em_site_answer_change(t->call, &change, t->files[index].answer,
                                     &t->files[index].retry));
    else if (t->result.status != EM_OK)
        return answer_held_back(t, index);
    else
        return em_site_answer_change(t->call, &change, t->files[index].answer,
                                     &t->files[index].retry);
    note_failure(&t->tally, &t->files[index]);
    return EM_OK;
}

/* Where it is not known of each what to send there is none: it would fail again. */
static em_status retry_all(together *t)
{
    em_site_entry *entries = em_alloc_array(t->call->arena, t->count, sizeof *entries);
    bool is_known = t->tally.failures > 0;
    t->tally.retry_has = "";
    if (!entries)
        return EM_E_NOMEM;
    for (size_t i = 0; i < t->count; i++) {
        const em_site_file *file = &t->files[i];
        bool failed = t->outcomes[i].status != EM_OK;
        is_known = is_known && (!failed || file->retry.is_known);
        entries[i] = (em_site_entry){.given = file->args.object,
                                     .failed = failed,
                                     .retry = file->retry,
                                     .answer = file->answer};
    }
    if (is_known)
        EM_TRY(set_retry(&t->tally, t->call, t->kind->list, entries, t->count, true));
    tell_retries(&t->tally, entries, t->count);
    return EM_OK;
}

/* What failed is no file's: the journal, or the history. */
static void set_common_failure(together *t, json_t *answer)
{
    em_outcome outcome = {.status = t->result.status, .error = t->result.error};
    em_reply *reply = &t->tally.reply;
    em_reply_turn_to(reply, &words, "this call", &outcome);
    reply->text.len = 0;
    em_site_add_reason(reply);
    em_site_set_error(reply, answer);
    em_reply_turn_to(reply, &words, "", NULL);
}

static em_status answer_all(together *t, em_answer *answer)
{
    em_json *json = &t->tally.reply.json;
    bool failed = t->result.status != EM_OK;
    for (size_t i = 0; i < t->count; i++)
        EM_TRY(answer_one(t, i));
    t->tally.count = t->count;
    EM_TRY(retry_all(t));
    answer->is_error = failed;
    answer->fails_again = t->tally.fails_again;
    answer->object = em_json_object(json);
    em_site_set_success(json, answer->object, failed ? EM_DONE_NONE : EM_DONE_ALL);
    if (t->tally.failures > 0 && t->result.status != EM_E_UNKNOWN)
        set_failures(&t->tally, "Nothing was changed: ", answer->object);
    else if (failed)
        set_common_failure(t, answer->object);
    set_edit_id(&t->tally, answer->object);
    em_json_set(json, answer->object, "results", json_incref(t->tally.results));
    em_site_set_echo(&t->tally.reply, answer->object);
    em_set_retry(json, answer->object, t->tally.retry);
    return json->failed ? EM_E_NOMEM : EM_OK;
}

static em_status change_together(const em_call *call, const em_site_files *kind, em_answer *answer)
{
    together t = {.call = call, .kind = kind};
    em_reply_init(&t.tally.reply, call, &words, "", NULL);
    t.tally.results = em_json_array(&t.tally.reply.json);
    em_status status = together_init(&t);
    bool ran = status == EM_OK;
    if (ran)
        status =
            em_run_edits(call->session, t.requests, t.count, call->arena, t.outcomes, &t.result);
    if (ran && status != EM_E_NOMEM)
        status = answer_all(&t, answer);
    for (size_t i = 0; ran && i < t.count; i++) {
        em_outcome_drop(call->session, &t.outcomes[i]);
        em_site_file_drop(&t.files[i]);
    }
    json_decref(t.tally.results);
    em_reply_drop(&t.tally.reply);
    return status;
}

em_status em_site_change_files(const em_call *call, const em_site_files *kind, em_answer *answer)
{
    bool atomic = em_arg_bool(em_args_of(call), "atomic");
    return atomic ? change_together(call, kind, answer) : change_each(call, kind, answer);
}

const em_param em_site_changes_result[] = {
    EM_SITE_RESULT_SUCCESS,
    EM_SITE_RESULT_FAILURE,
    {.name = "edit_id",
     .type = EM_P_STRING,
     .help = "Of the first change, for an undo of the whole call."},
    {.name = "results",
     .type = EM_P_LIST,
     .fields = em_site_change_result,
     .help = "One for each file, in the order of the call."},
    EM_FIELD_ECHO_TRUNCATED,
    {.name = NULL},
};

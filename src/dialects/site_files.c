/* site_files.c: a call about several files: each by itself, or all of them or none. */
#include "dialects/site_files.h"

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

em_status em_site_run(em_site_file *file, em_op_lists lists, const em_edit_request *request)
{
    const em_call *call = file->call;
    em_outcome outcome;
    em_status status = em_run_edit(call->session, request, call->arena, &outcome);
    if (status != EM_E_NOMEM) {
        em_site_change change = change_of(file, lists, request, &outcome);
        status = em_site_answer_change(call, &change, file->answer, &file->retry);
        file->done = em_site_done(&outcome);
        file->changes =
            file->done != EM_DONE_NONE && (outcome.plan.splices.count > 0 || !outcome.file.exists);
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
    size_t share;     /* bytes that the answer about each may show */
    bool changes;     /* any of the files */
    bool fails_again; /* the retry of any of them */
    json_t *retry;    /* the call again, for those that failed; NULL */
    json_t *retries;  /* what to send for those that failed, as far as that is known */
    size_t unknown; /* how many of them are not among those, though something is left to be done */
} tally;

static void note_failure(tally *files, const em_site_file *file)
{
    const char *name = em_reply_path_shown(&files->reply, em_arg_string(file->args, "file"));
    if (files->failures < MOST_FILES_NAMED)
        em_strbuf_printf(&files->reply.text, "%s\"%s\"", files->failures > 0 ? ", " : "", name);
    if (files->failures++ == 0)
        files->first_failure = file->answer;
    files->unknown += !file->retry.is_known;
    files->fails_again = files->fails_again || file->retry.fails_again;
    if (file->retry.args)
        em_json_add(&files->reply.json, files->retries, json_incref(file->retry.args));
}

/* A person who looks at a terminal sees what is there. */
static size_t share_of(const em_call *call, size_t count)
{
    size_t share = count > 0 ? ALL_SHOWN / count : ALL_SHOWN;
    return call->over_mcp && share < EM_SHOWN_LIMIT ? share : EM_SHOWN_LIMIT;
}

/* The answer about the next file; NULL when memory ran out. */
static json_t *result_add(tally *files)
{
    json_t *result = em_json_object(&files->reply.json);
    em_json_add(&files->reply.json, files->results, result);
    return files->reply.json.failed ? NULL : result;
}

/* Each with memory of its own: what one file needed is not kept until the last is done. */
static em_status run_one(const em_call *call, em_args args, const em_site_files *kind, tally *files)
{
    EM_AUTO(em_arena) arena = {0};
    em_call own = *call;
    EM_AUTO(em_site_file)
    file = {.call = &own, .args = args, .continues = files->count > 0, .most_shown = files->share};
    em_edit_request request;
    own.arena = &arena;
    file.answer = result_add(files);
    if (!file.answer)
        return EM_E_NOMEM;
    EM_TRY(kind->request(&file, &request));
    EM_TRY(em_site_run(&file, kind->operations, &request));
    files->count++;
    files->changes = files->changes || file.changes;
    if (file.done == EM_DONE_NONE)
        note_failure(files, &file);
    return EM_OK;
}

/* The retry of a file is made of the object alone: no em_arg_at(), whose values are the call's. */
static em_status run_each(const em_call *call, const em_site_files *kind, tally *files)
{
    em_args args = em_args_of(call);
    size_t count = em_arg_count(args, kind->list);
    files->share = share_of(call, count);
    for (size_t i = 0; i < count; i++)
        EM_TRY(run_one(call, em_arg_element(args, kind->list, i), kind, files));
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

/* The call again, for the files alone that failed and for which it is known what to send; NULL
 * where there are none. */
static json_t *retry_of(tally *files, const em_call *call, const char *list)
{
    if (json_array_size(files->retries) == 0)
        return NULL;
    json_t *retry = json_copy((json_t *)call->arguments);
    em_json_set(&files->reply.json, retry, list, json_incref(files->retries));
    return retry;
}

static const char *what_retry_has(tally *files)
{
    const char *rest = files->fails_again ? ", but would fail where that says" : "";
    if (!em_retry_fits(files->retry))
        return "";
    if (files->unknown == 0)
        return em_reply_format(&files->reply, "; retry is the call for what is left%s", rest);
    return em_reply_format(&files->reply, "; retry is the call for %zu of them only%s",
                           json_array_size(files->retries), rest);
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
                                       what_retry_has(files)));
    em_json_set(json, answer, "code", json_incref(json_object_get(files->first_failure, "code")));
    json_t *cause = json_object_get(files->first_failure, "cause");
    if (cause)
        em_json_set(json, answer, "cause", json_incref(cause));
}

/* One file after the other, whatever becomes of those before. */
static em_status change_each(const em_call *call, const em_site_files *kind, em_answer *answer)
{
    tally files = {0};
    em_reply_init(&files.reply, call, &words, "", NULL);
    em_json *json = &files.reply.json;
    files.retries = em_json_array(json);
    files.results = em_json_array(json);
    bool dry_run = em_arg_bool(em_args_of(call), "dryRun");
    em_status status = (dry_run ? rehearse_each : run_each)(call, kind, &files);
    files.retry = retry_of(&files, call, kind->list);
    answer->is_error = files.failures > 0 && !files.changes;
    answer->object = em_json_object(json);
    em_done done = files.failures > 0 ? EM_DONE_PART : EM_DONE_ALL;
    em_site_set_success(json, answer->object, answer->is_error ? EM_DONE_NONE : done);
    if (files.failures > 0)
        set_failures(&files, "", answer->object);
    em_json_set(json, answer->object, "results", files.results);
    em_site_set_echo(&files.reply, answer->object);
    em_set_retry(json, answer->object, files.retry);
    if (json->failed)
        status = EM_E_NOMEM;
    json_decref(files.retries);
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
    for (size_t i = 0; i < t->count; i++) {
        em_site_file *file = &t->files[i];
        *file = (em_site_file){.call = t->call,
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
    t->files[index].done = EM_DONE_NONE;
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

/* The call again, with what failed corrected: since nothing was changed, all of it. NULL where it
 * is not known of each what to send, or nothing is left to be done. */
static json_t *retry_of_all(together *t)
{
    em_json *json = &t->tally.reply.json;
    if (t->tally.failures == 0 || t->tally.unknown > 0)
        return NULL;
    json_t *elements = em_json_array(json), *retry = json_copy((json_t *)t->call->arguments);
    for (size_t i = 0; i < t->count; i++) {
        const em_site_file *file = &t->files[i];
        bool failed = t->outcomes[i].status != EM_OK;
        if (!failed || file->retry.args)
            em_json_add(json, elements,
                        json_incref(failed ? file->retry.args : (json_t *)file->args.object));
    }
    size_t left = json_array_size(elements);
    em_json_set(json, retry, t->kind->list, elements);
    if (left > 0)
        return retry;
    json_decref(retry);
    return NULL;
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
    t->tally.retry = retry_of_all(t);
    answer->is_error = failed;
    answer->object = em_json_object(json);
    em_site_set_success(json, answer->object, failed ? EM_DONE_NONE : EM_DONE_ALL);
    if (t->tally.failures > 0 && t->result.status != EM_E_UNKNOWN)
        set_failures(&t->tally, "Nothing was changed: ", answer->object);
    else if (failed)
        set_common_failure(t, answer->object);
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
    t.tally.retries = em_json_array(&t.tally.reply.json);
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
    json_decref(t.tally.retries);
    em_reply_drop(&t.tally.reply);
    return status;
}

em_status em_site_change_files(const em_call *call, const em_site_files *kind, em_answer *answer)
{
    bool atomic = em_arg_bool(em_args_of(call), "atomic");
    return atomic ? change_together(call, kind, answer) : change_each(call, kind, answer);
}

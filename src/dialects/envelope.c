/* envelope.c: the envelope, filled step by step (envelope.h). */
#include "dialects/envelope.h"

#include "answers/answer.h"
#include "answers/declared.h"
#include "answers/near_told.h"
#include "answers/retry.h"
#include "answers/similar.h"
#include "arguments/call.h"
#include "base/clock.h"

/* ---- The time ------------------------------------------------------------------------------ */

void em_envelope_open(em_envelope *env, const em_call *call, const em_words *words)
{
    const char *path = json_string_value(json_object_get(call->arguments, "path"));
    *env = (em_envelope){0};
    env->start_ns = em_monotonic_ns();
    em_reply_init(&env->reply, call, words, path ? path : "", NULL);
    env->data = em_json_object(&env->reply.json);
    env->stats = em_json_object(&env->reply.json);
}

void em_envelope_drop(em_envelope *env)
{
    em_reply_drop(&env->reply);
    json_decref(env->data);
    json_decref(env->stats);
    json_decref(env->error);
}

/* ---- Paths --------------------------------------------------------------------------------- */

static bool has_component(const char *path, const char *name)
{
    size_t length = strlen(name);
    for (const char *at = path; at; at = strchr(at, '/')) {
        at += *at == '/';
        if (strncmp(at, name, length) == 0 && (at[length] == '/' || !at[length]))
            return true;
    }
    return false;
}

/* The rest of an absolute path, where it lies in the first root; NULL. */
static const char *relative_path(const em_envelope *env, const char *path)
{
    const char *rel = em_ws_rel(em_session_workspace(env->reply.call->session), 0, path);
    return rel && strcmp(rel, ".") != 0 && !has_component(rel, "..") ? rel : NULL;
}

/* Paths are relative in this family, and those of other roots cannot be named. */
static void forget_unreachable(const em_envelope *env, em_outcome *outcome)
{
    em_near_files *near = &outcome->near_files;
    size_t kept = 0;
    for (size_t i = 0; i < near->count; i++) {
        const char *path = near->paths[i];
        path = path[0] == '/' ? relative_path(env, path) : path;
        near->is_clear = near->is_clear && path;
        if (path)
            near->paths[kept++] = path;
    }
    near->count = kept;
    near->more = near->more && kept > 0;
    if (!near->is_clear && outcome->there)
        em_outcome_forget_there(env->reply.call->session, outcome);
}

void em_envelope_take(em_envelope *env, em_outcome *outcome)
{
    forget_unreachable(env, outcome);
    em_reply_see(&env->reply, outcome);
    env->took_ms = (uint64_t)(em_monotonic_ns() - env->start_ns) / 1000000;
    em_json_set_size(&env->reply.json, env->stats, "time_ms", env->took_ms);
}

em_outcome em_envelope_refused(em_status status, em_cause cause, ptrdiff_t edit)
{
    return (em_outcome){
        .status = status, .error = {.code = status, .cause = cause, .edit = edit}, .edit_id = ""};
}

/* ---- Errors -------------------------------------------------------------------------------- */

const char *em_envelope_reason(em_envelope *env)
{
    em_reply *reply = &env->reply;
    switch (reply->outcome->status) {
    case EM_E_NOT_FOUND:
        return em_reply_format(reply, "File '%s' does not exist.", reply->path);
    case EM_E_OUTSIDE:
        return "Access denied. Path must be within project root.";
    case EM_E_IS_FOLDER:
        return em_reply_format(reply,
                               em_names_no_folder(&reply->outcome->error)
                                   ? "Path '%s' names a directory, and nothing is there. Leave the "
                                     "slash at its end out, or name a file in it."
                                   : "Path '%s' is a directory. Name a file in it.",
                               reply->path);
    case EM_E_BINARY:
        return em_reply_format(reply, "File '%s' appears to be binary.", reply->path);
    default:
        return em_reply_format(reply, "%s.", em_reason(reply));
    }
}

void em_envelope_fail(em_envelope *env, const char *message)
{
    em_reply *reply = &env->reply;
    em_json *json = &reply->json;
    const em_error *error = &reply->outcome->error;
    bool reads = reply->call->tool->flags & EM_TOOL_READ_ONLY;
    env->error = em_json_object(json);
    em_json_set_string(json, env->error, "code", em_code_of(error->code).envelope);
    em_json_set_string(json, env->error, "message", message);
    if (em_reply_cause(reply))
        em_json_set_string(json, env->data, "cause", em_reply_cause(reply));
    em_strbuf_puts(&reply->text, message);
    if (!reply->call->is_trial)
        em_strbuf_printf(&reply->text, "\nStatus error: nothing was %s.",
                         reads ? "read" : "written");
    reply->tells_unwritten = true;
}

/* `arguments`, which are taken, and may be NULL, as the tools of this family take them: with a
 * `path` that is relative. NULL where theirs is absolute and does not lie in the first root, or
 * memory ran out. */
static json_t *with_relative_path(em_envelope *env, json_t *arguments)
{
    const char *path = json_string_value(json_object_get(arguments, "path"));
    if (!path || path[0] != '/')
        return arguments;
    const char *relative = relative_path(env, path);
    json_t *retry = relative ? em_json_copy(&env->reply.json, arguments) : NULL;
    if (relative)
        em_json_set_string(&env->reply.json, retry, "path", relative);
    json_decref(arguments);
    return retry;
}

void em_envelope_set_retry(em_envelope *env, json_t *retry)
{
    em_reply *reply = &env->reply;
    retry = with_relative_path(env, retry);
    if (!retry)
        return;
    env->fails_again = env->fails_again || em_retry_fails_again(reply->outcome);
    em_set_retry(&reply->json, env->data, retry);
    if (json_object_get(env->data, "retry") && !reply->call->is_trial)
        em_strbuf_printf(&reply->text, "\ndata.retry holds %s%s",
                         em_similar_is_stale(reply) ? "arguments for what still stands there, if "
                                                      "that is meant"
                                                    : "corrected arguments",
                         env->fails_again ? "" : ", ready to send");
}

/* No path leads from the first root to another here. */
static void add_root(em_reply *reply)
{
    const em_workspace *ws = em_session_workspace(reply->call->session);
    em_strbuf_printf(&reply->text, "\nFiles must lie in %s",
                     em_reply_path_shown(reply, em_ws_root(ws, 0)));
    if (em_ws_root_count(ws) > 1)
        em_strbuf_printf(&reply->text,
                         ", the first root: %s reaches no other (tools of other families, which "
                         "take absolute paths, do)",
                         reply->call->tool->name);
    em_strbuf_puts(&reply->text, "\nPaths are relative to the project root, never absolute");
}

void em_envelope_try_retry(em_envelope *env, json_t *retry)
{
    em_reply *reply = &env->reply;
    em_call_refusal refusal = {.message = "", .retry = with_relative_path(env, retry)};
    if (em_call_try_out(reply->call, &refusal) != EM_OK)
        reply->json.failed = true;
    else
        em_strbuf_puts(&reply->text, refusal.message);
    env->fails_again = env->fails_again || refusal.fails_again;
    em_envelope_set_retry(env, refusal.retry);
}

void em_envelope_add_advice(em_envelope *env)
{
    em_reply *reply = &env->reply;
    em_status status = reply->outcome->status;
    if (status == EM_E_IS_FOLDER) { /* the reason has said it */
        em_add_near_files(reply);
        return;
    }
    if (status != EM_E_OUTSIDE) {
        em_add_advice(reply);
        return;
    }
    em_add_near_files(reply);
    add_root(reply);
    json_t *arguments = (json_t *)reply->call->arguments;
    if (json_string_value(json_object_get(arguments, "path"))[0] == '/')
        em_envelope_try_retry(env, json_incref(arguments));
}

/* ---- Edits that build on each other -------------------------------------------------------- */

bool em_holds_in_sequence(const em_outcome *outcome)
{
    return outcome->builds_on_earlier && outcome->holds_otherwise;
}

/* Do they hold as they are, or once what is written otherwise is corrected? */
static const char *hold_told(const em_outcome *outcome)
{
    if (!em_holds_in_sequence(outcome))
        return "";
    return outcome->further.count > 0 ? ", and written as in data.retry all of them hold"
                                      : ", and all of them hold";
}

static bool is_corrected(const em_outcome *outcome)
{
    const em_corrections *further = &outcome->further;
    return further->count > 0 && further->items[0].op == (size_t)outcome->error.edit;
}

void em_envelope_add_giver(em_envelope *env)
{
    const em_outcome *outcome = env->reply.outcome;
    em_strbuf *text = &env->reply.text;
    if (!outcome->builds_on_earlier)
        return;
    if (outcome->giver > 0)
        em_strbuf_printf(text, "\nIt stands in the new_string of edit %zu", outcome->giver);
    else
        em_strbuf_printf(text, "\nIt stands there only once the edits before it are made%s",
                         is_corrected(outcome) ? ", and written otherwise" : "");
    em_strbuf_printf(text,
                     ", but every old_string is looked for in the file as it was before the call. "
                     "With \"mode\": \"sequential\" each edit sees those before it%s",
                     hold_told(outcome));
}

json_t *em_envelope_in_sequence(em_envelope *env, em_args args, const char *list,
                                const em_words *words)
{
    json_t *arguments = em_args_corrected(&env->reply, args, list, words);
    em_json_set_string(&env->reply.json, arguments, "mode", "sequential");
    return arguments;
}

/* ---- The whole ----------------------------------------------------------------------------- */

static json_t *context_of(em_envelope *env)
{
    em_reply *reply = &env->reply;
    em_json *json = &reply->json;
    const json_t *arguments = reply->call->arguments;
    const char *path = reply->outcome->file.rel;
    const json_t *given = json_object_get(arguments, "path");
    json_t *context = em_json_object(json);
    em_json_set_string(json, context, "cwd", ".");
    em_json_set(json, context, "params_input", json_incref((json_t *)arguments));
    if (path)
        em_json_set_string(json, context, "path_resolved", em_reply_path_field(reply, path));
    else if (json_is_string(given))
        em_json_set_text(
            json, context, "path_resolved",
            em_reply_echo(reply, (em_slice){json_string_value(given), json_string_length(given)}));
    return context;
}

em_status em_envelope_finish(em_envelope *env, bool partial, em_answer *answer)
{
    em_reply *reply = &env->reply;
    em_json *json = &reply->json;
    json_t *object = em_json_object(json);
    em_reply_set_state(reply, env->data, "");
    em_declared_set(reply, env->data);
    em_reply_set_warnings(reply, env->data);
    em_reply_add_lines(reply);
    if (env->error && !json_object_get(env->data, "retry"))
        em_similar_add_correction(reply);
    json_t *context = context_of(env);
    if (reply->echo_truncated)
        em_json_set_bool(json, env->data, "echo_truncated", true);
    const char *text = em_reply_text(reply);
    json->failed = json->failed || !text;
    em_json_set_string(json, object, "status",
                       env->error ? "error"
                       : partial  ? "partial"
                                  : "success");
    em_json_set(json, object, "data", json_incref(env->data));
    em_json_set_string(json, object, "text", text ? text : "");
    if (env->error)
        em_json_set(json, object, "error", json_incref(env->error));
    em_json_set(json, object, "stats", json_incref(env->stats));
    em_json_set(json, object, "context", context);
    answer->is_error = env->error != NULL;
    answer->fails_again = env->fails_again;
    if (env->error && reply->outcome)
        answer->miscount = em_miscount_of(reply->outcome);
    answer->object = em_json_done(json, object);
    return answer->object ? EM_OK : EM_E_NOMEM;
}

/* ---- The tables ---------------------------------------------------------------------------- */

const char *const em_envelope_statuses[] = {"success", "partial", "error", NULL};

const em_param em_envelope_context[] = {
    {.name = "cwd", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
    {.name = "params_input", .type = EM_P_OBJECT, .flags = EM_P_REQUIRED},
    {.name = "path_resolved", .type = EM_P_STRING},
    {.name = NULL},
};

const em_param em_envelope_error[] = {
    {.name = "code", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
    {.name = "message", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
    {.name = NULL},
};

em_status em_envelope_read_failure(const em_answer *answer, em_arena *arena,
                                   em_call_failure *failure)
{
    (void)arena;
    if (answer->is_error)
        failure->why = json_string_value(json_object_get(answer->object, "text"));
    failure->retry = json_object_get(json_object_get(answer->object, "data"), "retry");
    return EM_OK;
}

em_status em_envelope_refuse(em_envelope *env, const em_call_refusal *refusal, em_answer *answer)
{
    const char *message = refusal->message;
    em_envelope_fail(env, em_reply_format(&env->reply, "%s%s", message, em_full_stop(message)));
    em_strbuf_puts(&env->reply.text, "\nCorrect the arguments and send the call again");
    env->fails_again = refusal->fails_again;
    em_envelope_set_retry(env, json_incref(refusal->retry));
    em_status status = em_envelope_finish(env, false, answer);
    em_envelope_drop(env);
    return status;
}

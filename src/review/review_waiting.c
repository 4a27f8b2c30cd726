/* review_waiting.c: changes that wait for a yes: shown, decided, and what passes from then on. */
#include "review/review_impl.h"

#include "review/review_diff.h"
#include "workspace/recorded.h"
#include "json/json_text.h"

/* ---- Who may ask ---------------------------------------------------------------------------- */

static bool has_approvals(const em_review *review, em_exchange *exchange)
{
    if (review->approvals)
        return true;
    em_reply_error(exchange, 404, "not_found", "changes need no yes here");
    return false;
}

/* The change that the address names; false, and the reply is made, where none was ever called so.
 */
static bool find_asked(const em_review *review, em_exchange *exchange, uint64_t *id)
{
    if (em_review_rest_number(exchange, id) && em_approvals_was_asked(review->approvals, *id))
        return true;
    em_reply_error(exchange, 404, "not_found", "there was no such change");
    return false;
}

static void reply_not_waiting(em_exchange *exchange)
{
    em_reply_error(exchange, 409, "not_waiting",
                   "this change does not wait any more: it was decided, or its time is up");
}

/* ---- What waits ----------------------------------------------------------------------------- */

static json_t *file_json(em_review *review, em_json *json, const em_intended *file, bool whole,
                         em_arena *arena)
{
    static const char *const words[] = {[EM_INTENDED_EDIT] = "edit",
                                        [EM_INTENDED_MAKE] = "create",
                                        [EM_INTENDED_REMOVE] = "remove"};
    json_t *object = em_json_object(json);
    em_review_set_place(review, json, object, file->path);
    em_json_set_string(json, object, "kind", words[file->how]);
    em_json_set_size(json, object, "lines_added", file->lines_added);
    em_json_set_size(json, object, "lines_removed", file->lines_removed);
    if (file->backup)
        em_json_set_bool(json, object, "backup", true);
    if (!whole)
        return object;
    json_t *diff = em_review_diff(json, em_slice_of(file->diff), arena);
    if (file->diff_truncated)
        em_json_set_bool(json, diff, "truncated", true);
    em_json_set(json, object, "diff", diff);
    return object;
}

/* `whole`: with its diffs and its arguments. */
static json_t *waiting_json(em_review *review, em_json *json, const em_waiting *waiting, bool whole,
                            em_arena *arena)
{
    json_t *object = em_json_object(json), *files = em_json_array(json);
    em_json_set_size(json, object, "id", waiting->id);
    em_json_set_text(json, object, "tool", em_slice_of(waiting->tool));
    if (waiting->client)
        em_json_set_text(json, object, "client", em_slice_of(waiting->client));
    em_json_set(json, object, "since_ms", json_integer(waiting->since_ms));
    em_json_set(json, object, "until_ms", json_integer(waiting->until_ms));
    em_json_set_bool(json, object, "asks_client", waiting->asks_client);
    for (size_t i = 0; i < waiting->count && i < EM_REVIEW_PAGE_MOST; i++)
        em_json_add(json, files, file_json(review, json, &waiting->items[i], whole, arena));
    em_json_set(json, object, "files", files);
    em_json_set_size(json, object, "file_count", waiting->count);
    if (whole) {
        em_json_set_text(json, object, "arguments", em_slice_of(waiting->arguments));
        em_json_set_bool(json, object, "arguments_cut", waiting->arguments_cut);
    }
    return object;
}

void em_review_list_waiting(void *context, em_exchange *exchange)
{
    em_review *review = context;
    em_waiting_list waiting = {0};
    em_json json = {0};
    em_error err = EM_ERROR_INIT;
    int64_t now = 0;
    if (!em_review_query(exchange, NULL, 0))
        return;
    if (review->approvals)
        json.failed = em_approvals_list(review->approvals, &exchange->arena, &waiting) != EM_OK;
    em_ws_now(em_session_workspace(review->session), &now, &err);
    json_t *object = em_json_object(&json), *list = em_json_array(&json);
    for (size_t i = 0; i < waiting.count; i++)
        em_json_add(&json, list,
                    waiting_json(review, &json, &waiting.items[i], false, &exchange->arena));
    em_json_set(&json, object, "waiting", list);
    em_json_set(&json, object, "now_ms", json_integer(now));
    em_review_reply(exchange, &json, object);
}

void em_review_at_waiting(void *context, em_exchange *exchange)
{
    em_review *review = context;
    em_json json = {0};
    em_waiting waiting;
    uint64_t id;
    if (!has_approvals(review, exchange) || !find_asked(review, exchange, &id))
        return;
    em_status status = em_approvals_get(review->approvals, id, &exchange->arena, &waiting);
    if (status == EM_OK)
        em_review_reply(exchange, &json,
                        waiting_json(review, &json, &waiting, true, &exchange->arena));
    else if (status == EM_E_NOT_FOUND)
        reply_not_waiting(exchange);
    else
        em_review_fail(exchange, status, NULL);
}

/* ---- Deciding ------------------------------------------------------------------------------- */

/* {"verdict": "yes" or "no", "reason", "remember": "file" or "tool"} */
static bool read_ruling(em_exchange *exchange, const json_t *body, em_ruling *ruling)
{
    const json_t *verdict = json_object_get(body, "verdict");
    const json_t *remember = json_object_get(body, "remember");
    *ruling = (em_ruling){.yes = em_json_is(verdict, "yes"),
                          .reason = em_review_string(body, "reason"),
                          .judge = EM_JUDGE_PAGE};
    if (em_json_is(remember, "file"))
        ruling->remember = EM_REMEMBER_FILES;
    else if (em_json_is(remember, "tool"))
        ruling->remember = EM_REMEMBER_TOOL;
    bool remembers = ruling->remember || !remember || json_is_null(remember);
    bool known = ruling->yes || em_json_is(verdict, "no");
    em_slice reason = em_json_slice(json_object_get(body, "reason"));
    bool fits = reason.len <= EM_APPROVAL_REASON && !em_slice_has_byte(reason, '\0');
    if (!fits)
        em_reply_error(exchange, 400, "bad_reason", "\"reason\" has at most %d bytes, none a NUL",
                       EM_APPROVAL_REASON);
    else if (!known)
        em_reply_error(exchange, 400, "bad_verdict", "\"verdict\" must be \"yes\" or \"no\"");
    else if (!remembers)
        em_reply_error(exchange, 400, "bad_remember", "\"remember\" must be \"file\" or \"tool\"");
    return fits && known && remembers;
}

void em_review_decide(void *context, em_exchange *exchange)
{
    static const em_review_member members[] = {
        {"verdict", false}, {"reason", false}, {"remember", false}};
    em_review *review = context;
    em_ruling ruling;
    uint64_t id;
    if (!has_approvals(review, exchange))
        return;
    EM_AUTO(em_json_ref) body = em_review_body(exchange, members, sizeof members / sizeof *members);
    if (!body || !read_ruling(exchange, body, &ruling) || !find_asked(review, exchange, &id))
        return;
    em_status status = em_approvals_decide(review->approvals, id, &ruling);
    if (status == EM_OK)
        em_reply_empty(exchange, 204);
    else if (status == EM_E_NOT_FOUND)
        reply_not_waiting(exchange);
    else
        em_review_fail(exchange, status, NULL);
}

/* ---- What passes ---------------------------------------------------------------------------- */

static json_t *pass_json(em_review *review, em_json *json, const em_pass *pass)
{
    json_t *object = em_json_object(json);
    if (pass->is_tool)
        em_json_set_text(json, object, "tool", em_slice_of(pass->name));
    else
        em_review_set_place(review, json, object, pass->name);
    return object;
}

void em_review_list_passes(void *context, em_exchange *exchange)
{
    em_review *review = context;
    em_pass_list passes = {0};
    em_json json = {0};
    if (!em_review_query(exchange, NULL, 0))
        return;
    if (review->approvals)
        json.failed = em_approvals_passing(review->approvals, &exchange->arena, &passes) != EM_OK;
    json_t *object = em_json_object(&json), *list = em_json_array(&json);
    for (size_t i = 0; i < passes.count; i++)
        em_json_add(&json, list, pass_json(review, &json, &passes.items[i]));
    em_json_set(&json, object, "passes", list);
    em_review_reply(exchange, &json, object);
}

/* {"tool": NAME} or {"path": ABSOLUTE} */
void em_review_drop_pass(void *context, em_exchange *exchange)
{
    static const em_review_member members[] = {{"tool", false}, {"path", false}};
    em_review *review = context;
    if (!has_approvals(review, exchange))
        return;
    EM_AUTO(em_json_ref) body = em_review_body(exchange, members, sizeof members / sizeof *members);
    if (!body)
        return;
    const char *tool = em_review_string(body, "tool"), *path = em_review_string(body, "path");
    em_pass pass = {.is_tool = tool != NULL, .name = tool ? tool : path};
    if (!pass.name)
        em_reply_error(exchange, 400, "bad_pass", "\"tool\" or \"path\" must say what is meant");
    else if (em_approvals_unpass(review->approvals, &pass) == EM_OK)
        em_reply_empty(exchange, 204);
    else
        em_reply_error(exchange, 404, "not_found", "that does not pass");
}

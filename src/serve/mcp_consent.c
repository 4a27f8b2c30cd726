/* mcp_consent.c: a call that needs a person's yes, from the question to the answer.
 *
 * How it is asked depends on who is at the other end:
 *
 *   a client of the handshake that elicits   elicitation/create, and the page, if there is one: who
 *                                            answers first decides
 *   a stateless client that elicits          the answer is the question (`input_required`): nothing
 *                                            is kept; the client sends the call again
 *   any other client                         the page; without one the change is refused
 *
 * While the answer is waited for the call uses neither its peer nor the session (em_link.pause).
 */
#include "arguments/call.h"
#include "serve/mcp_impl.h"

#include "base/clock.h"

#include <inttypes.h>
#include <stdlib.h>

/* How the one question of a stateless request is called, and the lead of the others' ids. */
#define QUESTION "change"
#define QUESTION_ID "emend-change-"

#define DISMISSED "the question was dismissed"
#define NOBODY_LEFT "nobody can be asked any more"

enum {
    LOOK_MS = 250,      /* how often it is looked whether the client is still there */
    TELL_MS = 10 * 1000 /* how often a client that wants progress is told that it goes on */
};

/* ---- The two halves of a call ---------------------------------------------------------------- */

static bool is_cancelled(void *context)
{
    const em_mcp_request *request = context;
    request->link->look(request->link->context);
    return request->message->cancelled;
}

static bool is_ending(void *context)
{
    const em_link *link = ((const em_mcp_request *)context)->link;
    return link->is_ending && link->is_ending(link->context);
}

/* `consent` NULL: changes need none. */
static em_status call_under(em_mcp_tool_call *c, em_consent *consent)
{
    em_session *session = c->call.session;
    em_workspace *workspace = em_session_workspace(session);
    EM_TRY(em_session_set_client(session, c->client));
    if (consent)
        em_session_set_consent(session, consent);
    em_ws_set_cancel(workspace, (em_cancel){is_cancelled, is_ending, (void *)c->request});
    em_status status = em_tool_call(&c->call, c->arguments, &c->answer);
    em_ws_set_cancel(workspace, (em_cancel){0});
    if (consent)
        em_session_set_consent(session, NULL);
    return status;
}

/* The same, for who watches. */
static em_status call_watched(em_mcp_tool_call *c, em_consent *consent)
{
    em_session *session = c->call.session;
    if (!consent && !c->request->mcp->told)
        return call_under(c, consent);
    em_mcp_watch_begin(&c->watch, session);
    em_status status = call_under(c, consent);
    em_mcp_watch_end(&c->watch, session);
    return status;
}

/* ---- What was decided ------------------------------------------------------------------------ */

static void withhold(em_consent *consent, em_status status, em_cause cause, const char *detail)
{
    consent->stage = EM_CONSENT_WITHHELD;
    consent->refusal = EM_ERROR_INIT;
    em_fail_cause(&consent->refusal, status, cause, "%s", detail);
}

static void withhold_late(em_consent *consent, long waited_ms)
{
    char detail[64];
    snprintf(detail, sizeof detail, "it waited for %ld s", (waited_ms + 500) / 1000);
    withhold(consent, EM_E_TIMEOUT, EM_CAUSE_UNANSWERED, detail);
}

static void obey(em_mcp_tool_call *c, em_consent *consent, const em_decision *decision)
{
    c->verdict = decision->verdict;
    switch (decision->verdict) {
    case EM_VERDICT_YES:
        consent->stage = EM_CONSENT_GIVEN;
        break;
    case EM_VERDICT_NO:
        withhold(consent, EM_E_DENIED, decision->unasked ? EM_CAUSE_CANNOT_ASK : EM_CAUSE_REFUSED,
                 decision->reason);
        break;
    case EM_VERDICT_LATE:
        withhold_late(consent, c->waited_ms);
        break;
    case EM_VERDICT_NONE:
    case EM_VERDICT_GONE:
        withhold(consent, EM_E_TIMEOUT, EM_CAUSE_UNANSWERED, NOBODY_LEFT);
        break;
    }
}

/* ---- Asking and waiting ---------------------------------------------------------------------- */

static bool asks_client(const em_mcp_tool_call *c)
{
    const em_mcp_request *request = c->request;
    const json_t *capabilities = json_object_get(request->meta, EM_MCP_META_CAPABILITIES);
    const em_approvals_options *options = em_approvals_options_of(request->mcp->approvals);
    if (!options->ask_clients)
        return false;
    if (!request->stateless)
        return request->mcp->elicits;
    return options->sealer && em_mcp_can_elicit(capabilities);
}

static json_t *question_id(uint64_t id)
{
    char text[sizeof QUESTION_ID + 20];
    snprintf(text, sizeof text, QUESTION_ID "%" PRIu64, id);
    return json_string(text);
}

static void send_question(const em_mcp_tool_call *c, const em_consent *consent, uint64_t id)
{
    const em_mcp_request *request = c->request;
    EM_AUTO(em_json_ref) name = question_id(id);
    if (name)
        em_mcp_send(request->link,
                    em_rpc_request(name, "elicitation/create",
                                   em_mcp_question(c->tool->name, consent, request->revision)));
}

static const char *why_taken_back(const em_mcp_tool_call *c, em_verdict verdict)
{
    if (verdict == EM_VERDICT_YES || verdict == EM_VERDICT_NO)
        return "it was decided elsewhere";
    if (verdict == EM_VERDICT_LATE)
        return "time is up";
    return c->request->message->cancelled ? "the call was cancelled"
                                          : "nobody waits for the answer any more";
}

/* The client need not ask its user any more. */
static void take_question_back(const em_mcp_tool_call *c, uint64_t id, const char *reason)
{
    em_json json = {0};
    json_t *params = em_json_object(&json);
    em_json_set(&json, params, "requestId", question_id(id));
    em_json_set_string(&json, params, "reason", reason);
    em_mcp_send(c->request->link,
                em_rpc_notification("notifications/cancelled", em_json_done(&json, params)));
}

/* One moment of waiting. False: nothing can come any more. */
static bool wait_a_moment(const em_mcp_tool_call *c, uint64_t id, em_decision *decision)
{
    const em_link *link = c->request->link;
    em_approvals *approvals = c->request->mcp->approvals;
    bool more = true;
    if (link->wait) {
        more = link->wait(link->context, LOOK_MS);
        em_approvals_wait(approvals, id, 0, decision);
    } else {
        em_approvals_wait(approvals, id, LOOK_MS, decision);
        link->look(link->context);
    }
    return more && !c->request->message->cancelled;
}

static void wait_for_verdict(em_mcp_tool_call *c, uint64_t id, em_decision *decision)
{
    const em_link *link = c->request->link;
    const int64_t start = em_monotonic_ms();
    int64_t told = start;
    bool goes_on = true;
    if (link->pause)
        link->pause(link->context);
    while (goes_on && decision->verdict == EM_VERDICT_NONE) {
        goes_on = wait_a_moment(c, id, decision);
        if (em_monotonic_ms() - told >= TELL_MS) {
            told = em_monotonic_ms();
            em_mcp_tell_progress(&c->progress, "waiting for a person's yes");
        }
    }
    if (link->resume)
        link->resume(link->context);
    c->waited_ms = (long)(em_monotonic_ms() - start);
}

/* One text for the same arguments, in whatever order they came. The caller's; NULL when memory ran
 * out. (json_dumps() would take its memory from where values have theirs, which free() knows
 * nothing of.) */
static char *sorted_arguments(const em_mcp_tool_call *c)
{
    const size_t flags = JSON_COMPACT | JSON_SORT_KEYS;
    if (!em_json_is_object(c->arguments))
        return strdup("{}");
    size_t length = json_dumpb(c->arguments, NULL, 0, flags);
    char *text = length > 0 ? malloc(length + 1) : NULL;
    if (!text || json_dumpb(c->arguments, text, length, flags) != length) {
        free(text);
        return NULL;
    }
    text[length] = '\0';
    return text;
}

static em_admission put_in_queue(const em_mcp_tool_call *c, const em_consent *consent, uint64_t *id)
{
    EM_AUTO(em_strbuf) arguments = {0};
    if (em_json_is_object(c->arguments))
        em_json_write(c->arguments, 0, &arguments);
    else
        em_strbuf_puts(&arguments, "{}");
    em_strbuf_putc(&arguments, '\0');
    if (arguments.failed)
        return EM_ADMISSION_NOMEM;
    em_waiting waiting = {.peer = c->request->mcp,
                          .tool = c->tool->name,
                          .client = c->client,
                          .arguments = arguments.ptr,
                          .asks_client = asks_client(c),
                          .items = consent->items,
                          .count = consent->count};
    return em_approvals_add(c->request->mcp->approvals, &waiting, id);
}

static void wait_in_queue(em_mcp_tool_call *c, em_consent *consent, uint64_t id)
{
    em_approvals *approvals = c->request->mcp->approvals;
    const bool client = asks_client(c);
    em_decision decision = {.verdict = EM_VERDICT_NONE};
    if (client)
        send_question(c, consent, id);
    wait_for_verdict(c, id, &decision);
    em_approvals_withdraw(approvals, id);
    if (client && !decision.heard)
        take_question_back(c, id, why_taken_back(c, decision.verdict));
    obey(c, consent, &decision);
}

static em_status ask_and_wait(em_mcp_tool_call *c, em_consent *consent)
{
    uint64_t id;
    switch (put_in_queue(c, consent, &id)) {
    case EM_ADMITTED:
        wait_in_queue(c, consent, id);
        return EM_OK;
    case EM_ADMISSION_FULL:
        withhold(consent, EM_E_TIMEOUT, EM_CAUSE_UNANSWERED,
                 "too many changes wait for a yes already");
        return EM_OK;
    case EM_ADMISSION_CLOSED:
        withhold(consent, EM_E_TIMEOUT, EM_CAUSE_UNANSWERED, NOBODY_LEFT);
        return EM_OK;
    case EM_ADMISSION_NOMEM:
        break;
    }
    return EM_E_NOMEM;
}

/* What is no answer leaves the decision to the page; where there is none, it is no yes, and nobody
 * is said to have refused. */
static const char *why_not(const em_rpc_message *message, em_mcp_said said)
{
    if (!message->result)
        return "the client could not ask its user";
    return said == EM_MCP_SAID_DISMISSED ? DISMISSED : "the client sent no answer";
}

bool em_mcp_respond(em_mcp *mcp, const em_rpc_message *message)
{
    const char *name = json_string_value(message->id);
    em_ruling ruling;
    char *end;
    if (!mcp->approvals || !name || strncmp(name, QUESTION_ID, strlen(QUESTION_ID)) != 0)
        return false;
    uint64_t id = strtoull(name + strlen(QUESTION_ID), &end, 10);
    if (*end != '\0' || !em_approvals_hear(mcp->approvals, id, mcp))
        return false;
    em_mcp_said said = em_mcp_read_answer(message->result, &ruling);
    ruling.unasked = said == EM_MCP_SAID_NOTHING;
    if (said != EM_MCP_SAID && em_approvals_options_of(mcp->approvals)->has_page)
        return true;
    if (said != EM_MCP_SAID)
        ruling.reason = why_not(message, said);
    ruling.peer = mcp;
    return em_approvals_decide(mcp->approvals, id, &ruling) != EM_E_NOT_FOUND;
}

/* ---- The stateless era ----------------------------------------------------------------------- */

static em_sealed what_is_sealed(const em_mcp_tool_call *c, const char *arguments)
{
    return (em_sealed){.scope = c->request->link->scope,
                       .tool = c->tool->name,
                       .arguments = em_slice_of(arguments)};
}

/* The answer is the question. */
static em_status ask_in_answer(em_mcp_tool_call *c, const em_consent *consent)
{
    const em_approvals *approvals = c->request->mcp->approvals;
    EM_AUTO(em_strbuf) changes = {0};
    EM_AUTO(em_strbuf) state = {0};
    em_json json = {0};
    EM_TRY(em_consent_fingerprints(consent, &changes));
    char *arguments = sorted_arguments(c);
    if (!arguments)
        return EM_E_NOMEM;
    em_sealed sealed = what_is_sealed(c, arguments);
    sealed.changes = em_strbuf_slice(&changes);
    em_approvals_seal(approvals, &sealed, &state);
    free(arguments);
    json.failed = state.failed;
    json_t *request = em_json_object(&json), *requests = em_json_object(&json);
    json_t *result = em_json_object(&json);
    em_json_set_string(&json, request, "method", "elicitation/create");
    em_json_set(&json, request, "params",
                em_mcp_question(c->tool->name, consent, c->request->revision));
    em_json_set(&json, requests, QUESTION, request);
    em_json_set(&json, result, "inputRequests", requests);
    em_json_set_text(&json, result, "requestState", em_strbuf_slice(&state));
    c->is_asked = true;
    c->instead = em_mcp_input_required(c->request, em_json_done(&json, result));
    return c->instead ? EM_OK : EM_E_NOMEM;
}

static em_status refuse_retry(em_mcp_tool_call *c, const char *why)
{
    c->instead = em_mcp_refuse(c->request, EM_RPC_INVALID_PARAMS, "%s", why);
    return c->instead ? EM_OK : EM_E_NOMEM;
}

/* The state that a retry brings: what it was made for in *sealed; else c->instead says what is
 * wrong. */
static em_status check_retry(em_mcp_tool_call *c, em_sealed *sealed)
{
    const json_t *state = json_object_get(c->request->params, "requestState");
    const json_t *responses = json_object_get(c->request->params, "inputResponses");
    if (!json_is_string(state))
        return refuse_retry(c,
                            "params.requestState must be the string that came with the question");
    if (responses && !em_json_is_object(responses))
        return refuse_retry(c, "params.inputResponses must be an object");
    char *arguments = sorted_arguments(c);
    if (!arguments)
        return EM_E_NOMEM;
    *sealed = what_is_sealed(c, arguments);
    em_seal_is seal =
        em_approvals_unseal(c->request->mcp->approvals, json_string_value(state), sealed);
    sealed->arguments = (em_slice){0};
    free(arguments);
    if (seal == EM_SEAL_BAD)
        return refuse_retry(c, "params.requestState is none that this run of the server made for "
                               "this call: send the call without it");
    if (seal == EM_SEAL_EXPIRED)
        return refuse_retry(c, "params.requestState has expired: send the call without it");
    return EM_OK;
}

static em_mcp_said read_response(const em_mcp_tool_call *c, em_ruling *ruling)
{
    const json_t *responses = json_object_get(c->request->params, "inputResponses");
    return em_mcp_read_answer(json_object_get(responses, QUESTION), ruling);
}

/* Did somebody say something to a question about this call? Then there was a change to ask about,
 * whatever comes out of the call now. */
static bool is_answered(const em_mcp_tool_call *c, const em_sealed *sealed)
{
    em_ruling ruling;
    return sealed && read_response(c, &ruling) != EM_MCP_SAID_NOTHING;
}

/* What the person said to a question that was the answer of an earlier request. */
static em_status obey_response(em_mcp_tool_call *c, em_consent *consent, const em_sealed *sealed)
{
    em_approvals *approvals = c->request->mcp->approvals;
    em_ruling ruling;
    if (read_response(c, &ruling) == EM_MCP_SAID_DISMISSED)
        ruling.reason = DISMISSED;
    em_decision decision = {.verdict = ruling.yes ? EM_VERDICT_YES : EM_VERDICT_NO,
                            .judge = EM_JUDGE_CLIENT};
    EM_AUTO(em_strbuf) now = {0};
    if (ruling.reason)
        em_approvals_put_reason(ruling.reason, decision.reason);
    obey(c, consent, &decision);
    EM_TRY(em_consent_fingerprints(consent, &now));
    if (!ruling.yes)
        return EM_OK;
    if (!em_slice_eq(em_strbuf_slice(&now), sealed->changes))
        return em_consent_hold_to(consent, sealed->changes);
    return em_approvals_let_pass(approvals, c->tool->name, consent, ruling.remember);
}

/* ---- The call ------------------------------------------------------------------------------ */

/* Fills consent->stage, or c->instead. What a person said counts for more than what passes by now:
 * a no is a no. */
static em_status ask(em_mcp_tool_call *c, em_consent *consent, const em_sealed *sealed)
{
    em_approvals *approvals = c->request->mcp->approvals;
    if (is_answered(c, sealed))
        return obey_response(c, consent, sealed);
    if (em_approvals_passes(approvals, c->tool->name, consent)) {
        consent->stage = EM_CONSENT_GIVEN;
        return EM_OK;
    }
    if (c->request->stateless && asks_client(c))
        return ask_in_answer(c, consent);
    if (em_approvals_options_of(approvals)->has_page || asks_client(c))
        return ask_and_wait(c, consent);
    withhold(consent, EM_E_DENIED, EM_CAUSE_CANNOT_ASK,
             "this client cannot ask its user (it has no elicitation)");
    return EM_OK;
}

static em_status call_with_consent(em_mcp_tool_call *c, const em_sealed *sealed)
{
    EM_AUTO(em_consent)
    consent = {.stage = EM_CONSENT_ASKS, .diff_limits = {.bytes = EM_APPROVAL_DIFF}};
    EM_TRY(call_watched(c, &consent));
    if (consent.count == 0 && !is_answered(c, sealed))
        return EM_OK;
    em_answer_drop(&c->answer);
    em_arena_drop(&c->arena);
    c->watch.count = 0;
    EM_TRY(ask(c, &consent, sealed));
    return c->instead ? EM_OK : call_watched(c, &consent);
}

static bool needs_consent(const em_mcp_tool_call *c)
{
    em_approvals *approvals = c->request->mcp->approvals;
    return !(c->tool->flags & (EM_TOOL_READ_ONLY | EM_TOOL_PICKS)) &&
           !em_approvals_tool_passes(approvals, c->tool->name);
}

em_status em_mcp_run_call(em_mcp_tool_call *c)
{
    const em_mcp_request *request = c->request;
    em_sealed claimed;
    bool is_retry = request->mcp->approvals && request->stateless &&
                    em_approvals_options_of(request->mcp->approvals)->sealer &&
                    json_object_get(request->params, "requestState");
    if (is_retry)
        EM_TRY(check_retry(c, &claimed));
    if (c->instead)
        return EM_OK;
    const em_sealed *sealed = is_retry ? &claimed : NULL;
    em_status status = request->mcp->approvals && (needs_consent(c) || is_answered(c, sealed))
                           ? call_with_consent(c, sealed)
                           : call_watched(c, NULL);
    em_mcp_watch_pass_on(&c->watch);
    return status;
}

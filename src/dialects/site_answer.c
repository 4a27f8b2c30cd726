#include "dialects/site_answer.h"

#include "answers/answer.h"
#include "answers/declared.h"
#include "answers/diff_told.h"
#include "answers/dom_answer.h"
#include "answers/further.h"
#include "answers/places_told.h"
#include "answers/reason.h"
#include "answers/retry.h"
#include "answers/search_hints.h"
#include "answers/similar.h"
#include "dialects/dom_encoding.h"

enum {
    MOST_LINES_NAMED = 20,                 /* at which a text stands that is there too often */
    BEST_MATCH_BYTES = EM_SHOWN_LIMIT / 2, /* in each of the two fields that show it */
};

/* A change and its answer in the making. */
typedef struct change {
    const em_site_change *of;
    const em_outcome *outcome;
    em_done done;
    em_reply reply;
    em_site_retry retry;
} change;

static const em_words content_words = {.insert = "content"};

void em_site_set_success(em_json *json, json_t *object, em_done done)
{
    if (done == EM_DONE_PART)
        em_json_set_string(json, object, "success", "partial");
    else
        em_json_set_bool(json, object, "success", done == EM_DONE_ALL);
}

void em_site_set_error(em_reply *reply, json_t *object)
{
    const char *text = em_reply_text(reply);
    if (text)
        em_json_set_string(&reply->json, object, "error", text);
    else
        reply->json.failed = true;
    em_json_set_string(&reply->json, object, "code", em_code_of(reply->outcome->status).flat);
    if (em_reply_cause(reply))
        em_json_set_string(&reply->json, object, "cause", em_reply_cause(reply));
}

void em_site_set_path(em_reply *reply, json_t *object, const char *given)
{
    const char *rel = reply->outcome->file.rel;
    em_json_set_string(&reply->json, object, "file", em_reply_path_field(reply, given));
    if (rel && strcmp(rel, given) != 0)
        em_json_set_string(&reply->json, object, "path_resolved", em_reply_path_field(reply, rel));
}

void em_site_set_echo(em_reply *reply, json_t *object)
{
    if (reply->echo_truncated)
        em_json_set_bool(&reply->json, object, "echo_truncated", true);
}

/* ---- What failed --------------------------------------------------------------------------- */

static em_args failed_operation(const change *c)
{
    return em_arg_element(c->of->args, c->of->list, (size_t)c->outcome->error.edit);
}

/* What to do about it, behind "Suggestion:", where there is something to say. */
static void add_suggestion(em_reply *reply)
{
    size_t before = reply->text.len;
    em_strbuf_puts(&reply->text, "\n  Suggestion:");
    size_t end = reply->text.len;
    em_add_advice(reply);
    if (reply->text.len > end)
        reply->text.ptr[end] = ' '; /* which was the line break that all advice begins with */
    else
        reply->text.len = before;
}

static void add_searched_for(change *c)
{
    em_strbuf_puts(&c->reply.text, "\n  Searched for: ");
    em_reply_add_bare_echo(&c->reply, em_arg_text(failed_operation(c), "search"));
}

/* "Best match (72% similar, line 42): TEXT" */
static void add_best_match(em_reply *reply, bool stood_before)
{
    const em_near *best = em_similar_best(reply);
    if (best) {
        em_likeness likeness = em_similar_likeness(best);
        em_slice shown = em_reply_take(reply, likeness.text, BEST_MATCH_BYTES / 2);
        em_strbuf_printf(&reply->text, "\n  Best match (%u%% similar, line %zu",
                         em_percent(likeness.similarity), em_reply_near_line(reply, best));
        em_similar_add_origin(reply, best);
        em_strbuf_puts(&reply->text, "): ");
        em_strbuf_add(&reply->text, shown);
        em_strbuf_puts(&reply->text, shown.len < likeness.text.len ? " (cut)" : "");
    } else if (em_similar_is_cut_off(reply)) {
        em_strbuf_puts(&reply->text, "\n  The search for text like it took too long");
    } else if (em_reply_diagnosis(reply) && !reply->correction && !em_similar_is_ambiguous(reply) &&
               !stood_before) {
        em_strbuf_puts(&reply->text, "\n  Nothing like it is in the file");
    }
}

/* More of what is known, behind the four lines of the document. */
static void add_what_differs(em_reply *reply)
{
    bool is_ambiguous = em_similar_is_ambiguous(reply);
    const em_near *best = em_similar_best(reply);
    const char *reason = em_similar_reason(reply);
    if (best)
        em_similar_add_differences(reply, best, "  ");
    if (reason && (best || reply->correction || is_ambiguous))
        em_strbuf_printf(&reply->text, "\n  Reason: %s", reason);
    if (is_ambiguous) {
        em_strbuf_putc(&reply->text, ':');
        em_similar_add_meant(reply);
    }
}

static void add_general_suggestion(em_reply *reply)
{
    const char *reader = em_reply_tool_with(reply, EM_TOOL_READS);
    em_strbuf_puts(&reply->text, "\n  Suggestion: ");
    if (reader)
        em_strbuf_printf(&reply->text, "Use %s to get exact content", reader);
    else
        em_strbuf_puts(&reply->text, "Copy the exact text from what the file holds");
    em_strbuf_puts(&reply->text, ", or try a shorter search string.");
}

#define OF_TEXTS " The answer's retry is the call with the right texts."
#define OF_WHAT_STANDS                                                                             \
    " The answer's retry is the call with what still stands there, if that is meant."

/* Here the error says `told`, or `otherwise`, when it is known. */
static void keep_place_of_retry(change *c, const char *told, const char *otherwise)
{
    const char *before = em_reply_text(&c->reply);
    c->retry.told = told;
    c->retry.otherwise = otherwise;
    c->retry.place = before ? strlen(before) : 0;
}

static void add_missing(change *c)
{
    em_reply *reply = &c->reply;
    em_hints hints = em_hints_for_missing(reply, em_arg_text(failed_operation(c), "search"));
    add_best_match(reply, hints.stood_before);
    if (!em_misses_in_nothing(reply) && !em_similar_is_ambiguous(reply))
        add_general_suggestion(reply);
    if (em_retry_fits(c->retry.args))
        keep_place_of_retry(c, em_similar_is_stale(reply) ? OF_WHAT_STANDS : OF_TEXTS, "");
    else if (reply->correction && !reply->shows_correction)
        em_strbuf_printf(&reply->text, " %s.", em_similar_too_long(reply));
    for (size_t i = 0; i < hints.count; i++)
        if (hints.items[i].sort != EM_HINT_GENERAL && em_hint_helps(reply, &hints.items[i]))
            em_strbuf_printf(&reply->text, "\n  Suggestion: %s", hints.items[i].text);
    add_what_differs(reply);
    if (!reply->correction)
        em_add_file_unless_readable(reply);
}

/* The lines of the places, each once. */
static void add_lines_of_places(change *c, em_slice find)
{
    em_strbuf *text = &c->reply.text;
    const em_matches *places = &c->outcome->failure.places;
    size_t named = 0, last = 0, i = 0;
    for (; i < places->count && named < MOST_LINES_NAMED; i++) {
        em_spot spot = em_reply_spot(&c->reply, &places->items[i], find);
        if (spot.line == last)
            continue;
        em_strbuf_printf(text, "%s line %zu%s", named > 0 ? "," : "",
                         em_reply_line_now(&c->reply, spot.line),
                         spot.inserted ? " (in text inserted there)" : "");
        last = spot.line;
        named++;
    }
    if (i < c->outcome->failure.actual)
        em_strbuf_puts(text, ", ...");
}

static void add_count(change *c)
{
    em_strbuf *text = &c->reply.text;
    const em_plan_failure *failure = &c->outcome->failure;
    em_strbuf_printf(text, "\n  Expected %zu occurrence%s but found %zu", failure->expected,
                     failure->expected == 1 ? "" : "s", failure->actual);
    if (failure->tier != EM_TIER_EXACT)
        em_strbuf_printf(text, " at tier %s, none of them exact", em_tier_name(failure->tier));
    em_strbuf_putc(text, ':');
    add_lines_of_places(c, em_arg_text(failed_operation(c), "search"));
    em_add_other_endings(&c->reply, "  ");
    if (em_arg_text(failed_operation(c), "search").len == 0) {
        em_strbuf_puts(text,
                       "\n  Suggestion: Set expectedReplacements to 1: an empty search stands "
                       "once in an empty file.");
        return;
    }
    const char *why_not_all = em_why_not_all(&c->reply);
    if (why_not_all) {
        em_strbuf_printf(text,
                         "\n  Suggestion: %s: add text around the place that you mean to search "
                         "and replace%s.",
                         why_not_all,
                         failure->tier != EM_TIER_EXACT ? ", written as the file has it" : "");
        return;
    }
    em_strbuf_printf(text, "\n  Suggestion: Set expectedReplacements to %zu to replace %s, or %s.",
                     failure->actual,
                     failure->actual == 1               ? "that one"
                     : failure->other_endings.count > 0 ? "those with its line endings"
                                                        : "all of them",
                     failure->actual > failure->expected
                         ? "add text around the place that you mean to search and replace"
                         : "try a shorter search string that all the places have in common");
}

/* What became of the other operations. */
static void add_what_is_done(change *c, size_t total)
{
    size_t before = (size_t)c->outcome->error.edit;
    if (c->of->request->dry_run || (total == 1 && c->of->request->dom_op_count == 0))
        return;
    if (c->done == EM_DONE_PART)
        em_strbuf_printf(&c->reply.text,
                         "\n  The %zu operation%s before it %s applied and kept, those behind it "
                         "were not tried: do not send again what is done.",
                         before, before == 1 ? "" : "s", before == 1 ? "was" : "were");
    else
        em_strbuf_puts(&c->reply.text, "\n  Nothing was written.");
}

#define SUGGESTION "\n  Suggestion: "
#define OF_MEANT(what)                                                                             \
    SUGGESTION "The answer's retry is the call with the " what " that is probably meant."

static const char *encoding_retry_told(change *c)
{
    return em_reply_format(&c->reply,
                           SUGGESTION "The answer's retry is the call with `encoding`: "
                                      "\"%s\".",
                           c->outcome->encoding_meant);
}

static const char *dom_retry_told(const em_dom_outcome *failed)
{
    if (failed->meant.attr.len > 0)
        return OF_MEANT("attribute");
    if (failed->code == EM_DOM_E_FRAGMENT)
        return OF_MEANT("value");
    return em_dom_names_meant(failed) ? OF_MEANT("class") : OF_MEANT("selector");
}

/* The way on where no selector leads there is the text; when it is time to write the file anew,
 * that is said there (add_dom_rewrite_advice). */
static const char *dom_advice(change *c)
{
    const char *replacer = em_reply_tool_with(&c->reply, EM_TOOL_REPLACES);
    const char *way = c->outcome->meant == EM_MEANT_OTHER
                          ? "Look at what the other operations left, where it may mean another "
                            "element, before you send it again"
                          : "Correct it and send it again";
    if (!replacer)
        return "";
    if (em_is_time_to_rewrite(&c->reply))
        return em_reply_format(&c->reply, SUGGESTION "%s.", way);
    return em_reply_format(&c->reply, SUGGESTION "%s, or edit the text itself with %s.", way,
                           replacer);
}

static void add_dom_rewrite_advice(em_reply *reply)
{
    const char *replacer = em_reply_tool_with(reply, EM_TOOL_REPLACES);
    const char *exception =
        replacer ? em_reply_format(reply, ", unless %s can change the text itself", replacer) : "";
    em_add_rewrite_advice_but(reply, "  ", exception);
}

/* An operation on an element. */
static void add_dom_failure(change *c)
{
    em_reply *reply = &c->reply;
    const em_dom_outcome *failed = &c->outcome->dom.outcomes[c->outcome->error.edit];
    bool is_kept = c->done == EM_DONE_PART && !c->of->request->dry_run;
    em_dom_add_failure(reply, em_arg_count(c->of->args, c->of->dom_list));
    if (em_retry_fits(c->retry.args) && c->outcome->encoding_meant)
        keep_place_of_retry(c, encoding_retry_told(c), "");
    else if (em_retry_fits(c->retry.args))
        keep_place_of_retry(c, dom_retry_told(failed), dom_advice(c));
    if (c->outcome->error.cause == EM_CAUSE_ENCODING)
        em_dom_add_encoding_advice(reply, &c->of->request->dom_ops[c->outcome->error.edit], failed);
    else if (!c->retry.told)
        em_strbuf_puts(&reply->text, dom_advice(c));
    if (is_kept)
        em_strbuf_puts(&reply->text, "\n  The other operations were applied and kept: do not send "
                                     "them again.");
    else if (!c->of->request->dry_run)
        em_strbuf_puts(&reply->text, "\n  Nothing was written.");
    add_dom_rewrite_advice(reply);
}

/* The form of the document: which operation, what it searched for, what is there, what to do. */
static void add_operation_failure(change *c)
{
    em_reply *reply = &c->reply;
    const em_outcome *outcome = c->outcome;
    size_t total = em_arg_count(c->of->args, c->of->list);
    em_strbuf_printf(&reply->text,
                     "Edit operation %td/%zu failed in \"%s\":", outcome->error.edit + 1, total,
                     reply->path);
    if (outcome->status == EM_E_NO_MATCH || outcome->status == EM_E_COUNT)
        add_searched_for(c);
    else
        em_strbuf_printf(&reply->text, "\n  %s", em_reason(reply));
    if (outcome->error.cause == EM_CAUSE_NOT_FOUND)
        add_missing(c);
    else if (outcome->status == EM_E_COUNT)
        add_count(c);
    else if (outcome->status == EM_E_CONFLICT)
        em_add_advice(reply); /* which is no suggestion, and says what is done */
    else
        add_suggestion(reply);
    em_add_further(reply, "  ", "Operation");
    if (outcome->status != EM_E_CONFLICT)
        add_what_is_done(c, total);
    em_add_rewrite_advice(reply, "  ");
    if (reply->shows_correction && !em_retry_fits(c->retry.args))
        em_similar_add_correction(reply);
}

void em_site_add_reason(em_reply *reply)
{
    em_strbuf_puts(&reply->text, em_reason(reply));
    em_add_advice(reply);
}

static void set_best_match(em_reply *reply, json_t *object)
{
    em_json *json = &reply->json;
    const em_near *best = em_similar_best(reply);
    if (!best)
        return;
    em_likeness likeness = em_similar_likeness(best);
    em_slice shown = em_reply_take(reply, likeness.text, BEST_MATCH_BYTES);
    json_t *match = em_json_object(json);
    em_json_set_text(json, match, "text", shown);
    em_json_set(json, match, "similarity", json_real(likeness.similarity));
    em_json_set_size(json, match, "line", em_reply_near_line(reply, best));
    if (shown.len < likeness.text.len)
        em_json_set_bool(json, match, "truncated", true);
    em_json_set(json, object, "bestMatch", match);
}

static void add_other_failure(em_reply *reply)
{
    em_site_add_reason(reply);
    em_add_further(reply, "", "Operation");
    em_add_rewrite_advice(reply, "");
}

static void set_failure(change *c, json_t *object)
{
    em_reply *reply = &c->reply;
    em_json *json = &reply->json;
    bool at_operation = !em_site_writes_whole(c->of) && c->outcome->error.edit >= 0;
    if (at_operation && em_site_dom_failed(c->outcome))
        add_dom_failure(c);
    else if (at_operation)
        add_operation_failure(c);
    else
        add_other_failure(reply);
    em_site_set_error(reply, object);
    if (!at_operation)
        return;
    em_json_set_size(json, object, "failedIndex", (size_t)c->outcome->error.edit);
    em_json_set_size(json, object, "appliedCount", c->outcome->done);
    if (em_site_dom_failed(c->outcome))
        em_dom_set_failed(reply, object);
    else
        set_best_match(reply, object);
}

/* ---- What was done ------------------------------------------------------------------------- */

static void set_tiers(change *c, json_t *object)
{
    em_reply *reply = &c->reply;
    em_json *json = &reply->json;
    json_t *tiers = em_json_array(json);
    for (size_t i = 0; i < c->outcome->plan.op_count; i++) {
        const char *tier = em_tier_name(em_declared_tier(c->outcome, i));
        em_json_add(json, tiers, em_json_text(json, em_slice_of(tier)));
    }
    em_json_set(json, object, "matchTiers", tiers);
    em_declared_set(reply, object);
}

static void set_content(change *c, json_t *object)
{
    em_reply *reply = &c->reply;
    const em_outcome *outcome = c->outcome;
    em_slice content;
    if (em_splices_apply(outcome->text.body, outcome->plan.splices, reply->arena, &content) ==
        EM_OK)
        em_json_set_text(&reply->json, object, "content",
                         em_slice_from(content, outcome->text.start));
    else
        reply->json.failed = true;
}

static void set_done(change *c, json_t *object)
{
    em_reply *reply = &c->reply;
    em_json *json = &reply->json;
    const em_outcome *outcome = c->outcome;
    if (c->of->request->dom_op_count > 0)
        em_dom_set_results(reply, object);
    if (c->of->list)
        set_tiers(c, object);
    if (em_site_writes_whole(c->of))
        em_json_set_bool(json, object, "created", !outcome->file.exists);
    em_reply_set_backup(reply, object);
    em_json_set_string(json, object, "diff", em_reply_diff_text(reply));
    if (outcome->diff.truncated)
        em_json_set_bool(json, object, "diffTruncated", true);
    const char *first = c->of->most_shown < EM_SHOWN_LIMIT ? NULL : em_first_change(reply);
    if (first)
        em_json_set_text(json, object, "firstChange", em_slice_of(first));
    bool wanted = c->of->request->want_content;
    if (wanted && em_site_writes_whole(c->of))
        em_json_set_text(json, object, "content", c->of->request->ops[0].insert);
    else if (wanted && !outcome->text.extract) /* of a large file: not held */
        set_content(c, object);
}

/* ---- One file ------------------------------------------------------------------------------ */

static em_status render(change *c, json_t *object)
{
    em_reply *reply = &c->reply;
    em_json *json = &reply->json;
    em_site_set_success(json, object, c->done);
    if (c->done != EM_DONE_ALL)
        set_failure(c, object);
    em_site_set_path(reply, object, c->of->request->path);
    em_reply_set_state(reply, object, "");
    if (c->done != EM_DONE_NONE)
        set_done(c, object);
    if (c->of->request->dry_run)
        em_json_set_bool(json, object, "dryRun", true);
    em_reply_set_warnings(reply, object);
    em_site_set_echo(reply, object);
    return json->failed ? EM_E_NOMEM : EM_OK;
}

em_status em_site_answer_change(const em_call *call, const em_site_change *of, json_t *object,
                                em_site_retry *retry)
{
    change c = {.of = of, .outcome = of->outcome, .done = em_site_done(of->outcome)};
    em_reply_init(&c.reply, call, em_site_writes_whole(of) ? &content_words : &em_site_edit_words,
                  of->request->path, NULL);
    em_reply_share(&c.reply, of->most_shown);
    em_reply_see(&c.reply, of->outcome);
    c.retry = em_site_retry_of(&c.reply, of);
    em_status status = render(&c, object);
    *retry = c.retry;
    em_reply_drop(&c.reply);
    return status;
}

em_status em_site_answer_held_back(const em_call *call, const em_site_change *of, const char *why,
                                   em_status code, json_t *object)
{
    em_reply reply;
    em_reply_init(&reply, call, em_site_writes_whole(of) ? &content_words : &em_site_edit_words,
                  of->request->path, of->outcome);
    em_site_set_success(&reply.json, object, EM_DONE_NONE);
    em_json_set_string(&reply.json, object, "error", why);
    if (code != EM_OK)
        em_json_set_string(&reply.json, object, "code", em_code_of(code).flat);
    em_site_set_path(&reply, object, of->request->path);
    em_reply_set_state(&reply, object, "");
    if (of->request->dry_run)
        em_json_set_bool(&reply.json, object, "dryRun", true);
    em_site_set_echo(&reply, object);
    em_reply_drop(&reply);
    return reply.json.failed ? EM_E_NOMEM : EM_OK;
}

/* ---- Its fields ---------------------------------------------------------------------------- */

const char *const em_site_partial[] = {"partial", NULL};

/* What a change of one file has, after what it did. */
#define RESULT_CHANGE                                                                              \
    EM_FIELD_EDIT_ID, EM_FIELD_BACKUP_PATH, {.name = "diff", .type = EM_P_STRING},                 \
        {.name = "diffTruncated", .type = EM_P_BOOL},                                              \
        {.name = "firstChange",                                                                    \
         .type = EM_P_STRING,                                                                      \
         .help = "A part of the first line that changes, where it is too long for the diff."},     \
        {.name = "content", .type = EM_P_STRING},                                                  \
        {.name = "dryRun", .type = EM_P_BOOL, .help = "Nothing was written."},                     \
        EM_FIELD_ECHO_TRUNCATED

/* How much of what was asked for was done; `at_fault`: which operation "failedIndex" is. */
#define RESULT_DONE(at_fault)                                                                      \
    EM_SITE_RESULT_SUCCESS, EM_SITE_RESULT_FAILURE,                                                \
        {.name = "failedIndex", .type = EM_P_INTEGER, .help = (at_fault)},                         \
    {                                                                                              \
        .name = "appliedCount", .type = EM_P_INTEGER, .help = "Operations that are done and kept." \
    }

static const em_param best_match_result[] = {
    {.name = "text", .type = EM_P_STRING},
    {.name = "similarity", .type = EM_P_NUMBER},
    {.name = "line", .type = EM_P_INTEGER},
    {.name = "truncated", .type = EM_P_BOOL},
    {.name = NULL},
};

#define RESULT_DOM                                                                                 \
    {.name = "failed",                                                                             \
     .type = EM_P_LIST,                                                                            \
     .fields = em_dom_failed_result,                                                               \
     .help = "The operations on elements that failed."},                                           \
        {.name = "failedTruncated", .type = EM_P_BOOL, .help = "More failed than are told."},      \
        {.name = "domOperations",                                                                  \
         .type = EM_P_LIST,                                                                        \
         .fields = em_dom_operations_result,                                                       \
         .help = "What each operation on elements did."},                                          \
    {                                                                                              \
        .name = "domOperationsTruncated", .type = EM_P_BOOL                                        \
    }

const em_param em_site_change_result[] = {
    RESULT_DONE("The operation at fault, from 0."),
    {.name = "bestMatch",
     .type = EM_P_OBJECT,
     .fields = best_match_result,
     .help = "The text of the file that is most like a search that was not found."},
    EM_SITE_RESULT_FILE,
    {.name = "created", .type = EM_P_BOOL, .help = "It was not there before."},
    {.name = "matchTiers", .type = EM_P_LIST, .item = EM_P_STRING},
    EM_FIELD_MATCHES,
    EM_FIELD_MATCHES_TRUNCATED,
    RESULT_DOM,
    RESULT_CHANGE,
    {.name = NULL},
};

const em_param em_site_dom_result[] = {
    RESULT_DONE("The first that failed, from 0."),
    RESULT_DOM,
    EM_SITE_RESULT_FILE,
    RESULT_CHANGE,
    {.name = NULL},
};

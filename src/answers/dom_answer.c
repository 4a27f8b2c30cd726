/* dom_answer.c: what became of operations on elements, in words and fields, and what to send. */
#include "answers/dom_answer.h"

enum {
    MOST_CHANGES = 20,     /* of one operation */
    HINT_BYTES = 300,      /* of an element's text, and of a selector */
    MOST_FAILED_NAMED = 5, /* in the message */
    MOST_FAILED = 100,     /* of which is told what could be meant */
    MOST_RESULTS = 1000,   /* operations of which is told what they did */
};

/* ---- Tables -------------------------------------------------------------------------------- */

static const em_param hint_fields[] = {
    {.name = "selector",
     .type = EM_P_STRING,
     .help = "Matches this element alone. Left out where it is long."},
    {.name = "line", .type = EM_P_INTEGER},
    {.name = "text", .type = EM_P_STRING},
    {.name = NULL},
};

static const em_param prefix_fields[] = {
    {.name = "selector", .type = EM_P_STRING},
    {.name = "count", .type = EM_P_INTEGER},
    {.name = NULL},
};

const em_param em_dom_failed_result[] = {
    {.name = "index", .type = EM_P_INTEGER, .help = "The operation, from 0."},
    {.name = "error", .type = EM_P_STRING},
    {.name = "code", .type = EM_P_STRING},
    {.name = "matches", .type = EM_P_INTEGER, .help = "How many elements the selector matches."},
    {.name = "parts",
     .type = EM_P_LIST,
     .fields = prefix_fields,
     .help = "How many elements each part of the selector matches: the first of them, where it is "
             "long."},
    {.name = "failedPart", .type = EM_P_STRING},
    {.name = "suggestion", .type = EM_P_STRING, .help = "The selector that is probably meant."},
    {.name = "similar",
     .type = EM_P_LIST,
     .fields = hint_fields,
     .help = "Elements that could be meant, where none matches; where nothing is like it, some of "
             "those that are there."},
    {.name = "candidates",
     .type = EM_P_LIST,
     .fields = hint_fields,
     .help = "The first of those that match, where they are too many or too few, or lack a class."},
    {.name = NULL},
};

static const em_param change_fields[] = {
    {.name = "line", .type = EM_P_INTEGER, .help = "Of the file as it was."},
    {.name = "start",
     .type = EM_P_INTEGER,
     .help = "Bytes of the text as it was, from 0, a BOM not counted."},
    {.name = "end", .type = EM_P_INTEGER},
    {.name = "newStart", .type = EM_P_INTEGER, .help = "Bytes of the text as it is now."},
    {.name = "newEnd", .type = EM_P_INTEGER},
    {.name = NULL},
};

static const char *const statuses[] = {"applied", "unchanged", "failed", NULL};

const em_param em_dom_operations_result[] = {
    {.name = "status", .type = EM_P_STRING, .words = statuses},
    {.name = "matches", .type = EM_P_INTEGER, .help = "Elements that the selector matches."},
    {.name = "changes", .type = EM_P_LIST, .fields = change_fields},
    {.name = "changesTruncated", .type = EM_P_BOOL},
    {.name = "removedChildren",
     .type = EM_P_INTEGER,
     .help = "Elements that went away with the old content."},
    {.name = NULL},
};

/* ---- Hints --------------------------------------------------------------------------------- */

/* The selector, as the file has its names: a long one is left out, since one that is cut is
 * another.
 */
static em_slice selector_shown(em_reply *reply, const em_dom_hint *hint)
{
    bool fits = hint->selector.len <= HINT_BYTES && hint->selector.len <= reply->shown_left;
    return fits ? em_reply_take(reply, hint->selector, HINT_BYTES) : (em_slice){0};
}

static json_t *hints_json(em_reply *reply, const em_dom_hints *hints)
{
    em_json *json = &reply->json;
    json_t *list = em_json_array(json);
    for (size_t i = 0; i < hints->count; i++) {
        const em_dom_hint *hint = &hints->items[i];
        json_t *one = em_json_object(json);
        em_slice selector = selector_shown(reply, hint);
        if (selector.len > 0)
            em_json_set_text(json, one, "selector", selector);
        em_json_set_size(json, one, "line", hint->line);
        em_json_set_text(json, one, "text", em_reply_take(reply, hint->text, HINT_BYTES));
        em_json_add(json, list, one);
    }
    return list;
}

/* `to_be`: of a page that there is not. */
static void add_hints(em_reply *reply, const char *lead, bool to_be, const em_dom_hints *hints)
{
    if (hints->count > 0)
        em_strbuf_printf(&reply->text, "\n  %s%s: ", lead,
                         to_be ? ", after the operations before it" : "");
    for (size_t i = 0; i < hints->count; i++) {
        const em_dom_hint *hint = &hints->items[i];
        em_strbuf_puts(&reply->text, i == 0 ? "" : "; ");
        em_slice selector = selector_shown(reply, hint);
        em_strbuf_add(&reply->text, selector);
        em_strbuf_printf(&reply->text, "%s(line %zu", selector.len > 0 ? " " : "", hint->line);
        em_slice text = em_reply_take(reply, hint->text, HINT_BYTES);
        if (text.len > 0) {
            em_strbuf_puts(&reply->text, ": ");
            em_strbuf_add(&reply->text, text);
        }
        em_strbuf_puts(&reply->text, ")");
    }
    if (hints->count > 0)
        em_strbuf_putc(&reply->text, '.');
}

/* "Matched by its parts: .card (12), .card > h3 (12), .card > h3.x (0)." Two of them are in the
 * reason. Each holds those before it, so of a long selector only the first are told. */
static void add_prefixes(em_reply *reply, const em_prefixes *prefixes)
{
    size_t told = 0;
    if (prefixes->count < 3)
        return;
    while (told < prefixes->count && em_reply_repeats(reply, prefixes->items[told].text)) {
        const em_prefix *prefix = &prefixes->items[told];
        em_strbuf_puts(&reply->text, told++ == 0 ? "\n  Matched by its parts: " : ", ");
        em_strbuf_add(&reply->text, prefix->text);
        em_strbuf_printf(&reply->text, " (%zu)", prefix->count);
    }
    if (told > 0)
        em_strbuf_puts(&reply->text, told < prefixes->count ? ", ..." : ".");
}

/* ---- What failed --------------------------------------------------------------------------- */

/* Is the page that was looked at none that there is? What the operations before made of it was not
 * written, or those behind have changed it further. */
static bool is_of_page_to_be(const em_reply *reply, const em_dom_outcome *failed)
{
    const em_outcome *outcome = reply->outcome;
    const em_dom_outcome *first = outcome->dom.outcomes, *end = first + outcome->dom.op_count;
    for (const em_dom_outcome *other = first; other < end; other++) {
        bool counts = outcome->committed ? other > failed : other < failed;
        if (counts && other->status == EM_DOM_APPLIED && other->change_count > 0)
            return true;
    }
    return false;
}

void em_dom_add_sentence(em_reply *reply, const em_dom_outcome *failed, const char *sentence)
{
    size_t length = strlen(sentence);
    em_strbuf_puts(&reply->text, sentence);
    if (length > 0 && sentence[length - 1] != '?')
        em_strbuf_putc(&reply->text, '.');
    add_prefixes(reply, &failed->prefixes);
    bool to_be = is_of_page_to_be(reply, failed);
    const char *similar = failed->similar.are_far ? "None is like it. The page has" : "Similar";
    if (failed->similar.are_far && failed->similar.count == 0)
        em_strbuf_puts(&reply->text, "\n  The page has no element that is seen.");
    add_hints(reply, similar, to_be, &failed->similar);
    add_hints(reply, "Candidates", to_be, &failed->candidates);
}

void em_dom_add_reason(em_reply *reply, const em_dom_outcome *failed)
{
    em_dom_add_sentence(reply, failed, failed->reason);
}

static const char *reason_of(em_reply *reply, const em_dom_outcome *failed)
{
    size_t before = reply->text.len;
    em_dom_add_reason(reply, failed);
    const char *text = reply->text.failed
                           ? NULL
                           : em_arena_string(reply->arena, em_slice_make(reply->text.ptr + before,
                                                                         reply->text.len - before));
    reply->text.len = before;
    reply->json.failed = reply->json.failed || !text;
    return text ? text : "";
}

static void set_parts(em_reply *reply, json_t *object, const em_prefixes *prefixes)
{
    em_json *json = &reply->json;
    if (prefixes->count == 0)
        return;
    json_t *list = em_json_array(json);
    for (size_t i = 0; i < prefixes->count; i++) {
        const em_prefix *prefix = &prefixes->items[i];
        if (!em_reply_repeats(reply, prefix->text))
            break;
        json_t *one = em_json_object(json);
        em_json_set_text(json, one, "selector", prefix->text);
        em_json_set_size(json, one, "count", prefix->count);
        em_json_add(json, list, one);
    }
    em_json_set(json, object, "parts", list);
    em_json_set_text(json, object, "failedPart",
                     em_reply_echo(reply, prefixes->items[prefixes->count - 1].part));
}

static json_t *failed_json(em_reply *reply, size_t index, const em_dom_outcome *failed)
{
    em_json *json = &reply->json;
    json_t *object = em_json_object(json);
    em_json_set_size(json, object, "index", index);
    em_json_set_string(json, object, "error", reason_of(reply, failed));
    em_json_set_string(json, object, "code", em_dom_code_name(failed->code));
    em_json_set_size(json, object, "matches", failed->matches);
    set_parts(reply, object, &failed->prefixes);
    em_slice suggested = failed->selector_error.suggested;
    if (suggested.len > 0 && em_reply_echo(reply, suggested).len == suggested.len)
        em_json_set_text(json, object, "suggestion", suggested);
    em_json_set(json, object, "similar", hints_json(reply, &failed->similar));
    if (failed->candidates.count > 0)
        em_json_set(json, object, "candidates", hints_json(reply, &failed->candidates));
    return object;
}

void em_dom_set_failed(em_reply *reply, json_t *object)
{
    const em_dom_plan *dom = &reply->outcome->dom;
    json_t *list = em_json_array(&reply->json);
    size_t told = 0;
    for (size_t i = 0; i < dom->op_count && told < MOST_FAILED; i++) {
        if (dom->outcomes[i].status != EM_DOM_FAILED)
            continue;
        em_json_add(&reply->json, list, failed_json(reply, i, &dom->outcomes[i]));
        told++;
    }
    em_json_set(&reply->json, object, "failed", list);
    if (told < dom->failed_count)
        em_json_set_bool(&reply->json, object, "failedTruncated", true);
}

/* " So did 4/5 (E_VOID), 5/5 (E_NO_MATCH)." */
static void add_other_failures(em_reply *reply, size_t total)
{
    const em_dom_plan *dom = &reply->outcome->dom;
    size_t named = 0;
    for (size_t i = (size_t)reply->outcome->error.edit + 1; i < dom->op_count; i++) {
        if (dom->outcomes[i].status != EM_DOM_FAILED || named >= MOST_FAILED_NAMED)
            continue;
        em_strbuf_printf(&reply->text, "%s%zu/%zu (%s)",
                         named++ == 0 ? "\n  Failed too, see failed: " : ", ", i + 1, total,
                         em_dom_code_name(dom->outcomes[i].code));
    }
    if (dom->failed_count > named + 1)
        em_strbuf_printf(&reply->text, " and %zu more", dom->failed_count - named - 1);
    if (named > 0)
        em_strbuf_putc(&reply->text, '.');
}

void em_dom_add_failure(em_reply *reply, size_t total)
{
    const em_outcome *outcome = reply->outcome;
    size_t index = (size_t)outcome->error.edit;
    em_strbuf_printf(&reply->text, "DOM operation %zu/%zu failed in \"%s\": ", index + 1, total,
                     reply->path);
    em_dom_add_reason(reply, &outcome->dom.outcomes[index]);
    add_other_failures(reply, total);
}

/* ---- What was done ------------------------------------------------------------------------- */

/* Offsets are those in the "content" of the answer, which has no BOM. */
static json_t *change_json(em_reply *reply, const em_dom_change *change)
{
    em_json *json = &reply->json;
    json_t *object = em_json_object(json);
    size_t bom = reply->outcome->text.start;
    em_json_set_size(json, object, "line",
                     em_lines_at(&reply->outcome->lines, change->before.start));
    em_json_set_size(json, object, "start", change->before.start - bom);
    em_json_set_size(json, object, "end", change->before.end - bom);
    em_json_set_size(json, object, "newStart", change->after.start - bom);
    em_json_set_size(json, object, "newEnd", change->after.end - bom);
    return object;
}

static json_t *result_json(em_reply *reply, const em_dom_outcome *outcome, size_t *left)
{
    em_json *json = &reply->json;
    json_t *object = em_json_object(json), *changes = em_json_array(json);
    size_t most = *left < MOST_CHANGES ? *left : MOST_CHANGES, count = outcome->change_count;
    em_json_set_string(json, object, "status", statuses[outcome->status]);
    em_json_set_size(json, object, "matches", outcome->matches);
    for (size_t i = 0; i < count && i < most; i++)
        em_json_add(json, changes, change_json(reply, &outcome->changes[i]));
    *left -= count < most ? count : most;
    em_json_set(json, object, "changes", changes);
    if (count > most)
        em_json_set_bool(json, object, "changesTruncated", true);
    if (outcome->removed_children > 0)
        em_json_set_size(json, object, "removedChildren", outcome->removed_children);
    return object;
}

void em_dom_set_results(em_reply *reply, json_t *object)
{
    const em_dom_plan *dom = &reply->outcome->dom;
    json_t *list = em_json_array(&reply->json);
    size_t left = EM_LOCATION_LIMIT;
    for (size_t i = 0; i < dom->op_count && i < MOST_RESULTS; i++)
        em_json_add(&reply->json, list, result_json(reply, &dom->outcomes[i], &left));
    em_json_set(&reply->json, object, "domOperations", list);
    if (dom->op_count > MOST_RESULTS)
        em_json_set_bool(&reply->json, object, "domOperationsTruncated", true);
}

/* ---- What to send -------------------------------------------------------------------------- */

static void set_meant(em_json *json, json_t *operation, const em_dom_outcome *outcome)
{
    const em_dom_meant *meant = &outcome->meant;
    bool is_class = meant->old_class.len > 0 || meant->new_class.len > 0;
    if (meant->attr.len > 0 || is_class)
        json_object_del(operation, "value");
    if (meant->attr.len > 0) {
        em_json_set_text(json, operation, "attr", meant->attr);
        json_object_del(operation, "attribute"); /* an empty one, by its other name */
    }
    if (meant->old_class.len > 0)
        em_json_set_text(json, operation, "oldClass", meant->old_class);
    if (meant->new_class.len > 0)
        em_json_set_text(json, operation, "newClass", meant->new_class);
    if (meant->value.len > 0) {
        em_json_set_text(json, operation, "value", meant->value);
        json_object_del(operation, "oldClass"); /* for replaceClass alone */
        json_object_del(operation, "newClass");
    }
}

json_t *em_dom_retry(em_json *json, em_args args, const char *list, const em_dom_plan *dom,
                     bool kept)
{
    json_t *operations = em_json_array(json), *retry = em_json_copy(json, args.object);
    for (size_t i = 0; i < dom->op_count; i++) {
        const em_dom_outcome *outcome = &dom->outcomes[i];
        bool failed = outcome->status == EM_DOM_FAILED;
        if (!failed && kept)
            continue;
        json_t *operation = em_json_copy(json, em_arg_element(args, list, i).object);
        if (failed && em_dom_names_meant(outcome))
            set_meant(json, operation, outcome);
        else if (failed && em_dom_suggests(outcome))
            em_json_set_text(json, operation, "selector", outcome->selector_error.suggested);
        em_json_add(json, operations, operation);
    }
    em_json_set(json, retry, list, operations);
    return retry;
}

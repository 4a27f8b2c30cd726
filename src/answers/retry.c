#include "answers/retry.h"

#include "answers/similar.h"
#include "base/utf8.h"
#include "json/json_text.h"

/* ---- Making one ----------------------------------------------------------------------------- */

/* The name under which these arguments have the path of a file; NULL. */
static const char *name_of_path(em_args args)
{
    for (const em_param *param = args.params; param && param->name; param++) {
        if (param->type != EM_P_PATH)
            continue;
        bool is_alias = param->alias && json_object_get(args.object, param->alias);
        return is_alias ? param->alias : param->name;
    }
    return NULL;
}

json_t *em_args_with_near_file(em_reply *reply, em_args args)
{
    const em_near_files *near = &reply->outcome->near_files;
    const char *name = name_of_path(args);
    if (!near->is_clear || !name || em_utf8_invalid_at(em_slice_of(near->paths[0])) != EM_NPOS)
        return NULL;
    json_t *retry = em_json_copy(&reply->json, args.object);
    em_json_set_string(&reply->json, retry, name, near->paths[0]);
    return retry;
}

json_t *em_args_without(em_json *json, em_args args, const char *name, size_t from, size_t to)
{
    if (to - from >= em_arg_count(args, name))
        return NULL;
    json_t *rest = em_json_copy(json, args.object);
    json_t *list = em_json_copy(json, em_arg(args, name));
    while (to > from)
        json_array_remove(list, --to);
    em_json_set(json, rest, name, list);
    return rest;
}

/* A copy of the arguments, with a list of its own; NULL when memory ran out: the list would be the
 * caller's. */
static json_t *copy_of(em_json *json, em_args args, const char *list)
{
    json_t *whole = em_json_copy(json, args.object);
    if (list)
        em_json_set(json, whole, list, em_json_copy(json, em_arg(args, list)));
    if (!json->failed)
        return whole;
    json_decref(whole);
    return NULL;
}

/* Other texts in the element `index` of the list `list` of `whole`, or in itself. Of lists and
 * edits there are copies. */
static void set_texts(em_json *json, json_t *whole, const char *list, size_t index,
                      const em_words *words, const em_correction *texts)
{
    json_t *edit = whole;
    if (list) {
        json_t *edits = json_object_get(whole, list);
        edit = em_json_copy(json, json_array_get(edits, index));
        if (json_array_set_new(edits, index, edit) != 0) {
            json->failed = true;
            return;
        }
    }
    em_json_set_text(json, edit, words->find, texts->find);
    if (json_object_get(edit, words->insert))
        em_json_set_text(json, edit, words->insert, texts->insert);
}

static bool is_left_out(const em_outcome *outcome, size_t op)
{
    for (size_t i = 0; i < outcome->further.count; i++)
        if (outcome->further.items[i].op == op && outcome->further.items[i].was_made_before)
            return true;
    return false;
}

size_t em_retry_place(const em_outcome *outcome, size_t op)
{
    size_t place = op;
    for (size_t i = 0; i < op; i++)
        place -= is_left_out(outcome, i);
    return place;
}

static void leave_out_made_before(const em_outcome *outcome, json_t *edits)
{
    for (size_t i = json_array_size(edits); i-- > 0;)
        if (is_left_out(outcome, i))
            json_array_remove(edits, i);
}

json_t *em_args_corrected(em_reply *reply, em_args args, const char *list, const em_words *words)
{
    em_json *json = &reply->json;
    const em_outcome *outcome = reply->outcome;
    json_t *whole = copy_of(json, args, list);
    if (reply->correction)
        set_texts(json, whole, list, (size_t)outcome->error.edit, words, reply->correction);
    for (size_t i = 0; list && i < outcome->further.count; i++) {
        const em_corrected *other = &outcome->further.items[i];
        if (!other->was_made_before && em_can_be_sent(&other->texts))
            set_texts(json, whole, list, other->op, words, &other->texts);
    }
    if (list)
        leave_out_made_before(outcome, json_object_get(whole, list));
    return whole;
}

bool em_leaving_out_is_futile(const em_outcome *outcome)
{
    for (size_t i = 0; i < outcome->further.count; i++)
        if (!outcome->further.items[i].was_made_before)
            return false;
    return outcome->next.is_known;
}

json_t *em_args_elsewhere(em_reply *reply, em_args args, const char *list, const em_words *words)
{
    const em_outcome *outcome = reply->outcome;
    json_t *retry = em_args_with_near_file(reply, args);
    if (!retry || !em_is_corrected_there(outcome))
        return retry;
    em_reply there;
    em_reply_init(&there, reply->call, words, outcome->near_files.paths[0], outcome->there);
    args.object = retry;
    json_t *corrected = em_args_corrected(&there, args, list, words);
    reply->json.failed = reply->json.failed || there.json.failed;
    em_reply_drop(&there);
    json_decref(retry);
    return corrected;
}

/* With edits that overlap as one, and each once. */
static json_t *without_overlap(em_reply *reply, em_args args, const char *list,
                               const em_words *words)
{
    em_json *json = &reply->json;
    const em_corrections *joined = &reply->outcome->joined;
    json_t *whole = copy_of(json, args, list);
    for (size_t i = joined->count; i-- > 0;) {
        const em_corrected *one = &joined->items[i];
        if (one->is_in_another)
            json_array_remove(json_object_get(whole, list), one->op);
        else
            set_texts(json, whole, list, one->op, words, &one->texts);
    }
    return whole;
}

json_t *em_args_retry(em_reply *reply, em_args args, const char *list, const em_words *words)
{
    const em_error *error = &reply->outcome->error;
    if (reply->outcome->near_files.count > 0)
        return em_args_elsewhere(reply, args, list, words);
    if (list && reply->outcome->joined.count > 0)
        return without_overlap(reply, args, list, words);
    if (reply->correction)
        return em_args_corrected(reply, args, list, words);
    if (!list || error->cause != EM_CAUSE_ALREADY_APPLIED ||
        em_leaving_out_is_futile(reply->outcome))
        return NULL;
    EM_AUTO(em_json_ref) corrected = em_args_corrected(reply, args, list, words);
    args.object = corrected;
    size_t edit = em_retry_place(reply->outcome, (size_t)error->edit);
    return em_args_without(&reply->json, args, list, edit, edit + 1);
}

bool em_retry_fails_again(const em_outcome *outcome)
{
    bool fails_there =
        outcome->there && outcome->there->status != EM_OK && !em_is_corrected_there(outcome);
    return outcome->next.is_known || fails_there;
}

/* ---- Answering with one --------------------------------------------------------------------- */

static int count_bytes(const char *bytes, size_t len, void *context)
{
    (void)bytes;
    size_t *count = context;
    *count += len;
    return *count > EM_RETRY_LIMIT ? -1 : 0;
}

bool em_retry_fits(const json_t *retry)
{
    size_t bytes = 0;
    return retry && json_dump_callback(retry, count_bytes, &bytes, JSON_COMPACT) == 0;
}

void em_set_retry(em_json *json, json_t *object, json_t *retry)
{
    if (!retry)
        return;
    if (em_retry_fits(retry)) {
        em_json_set(json, object, "retry", retry);
    } else {
        json_decref(retry);
        em_json_set_bool(json, object, "retry_omitted", true);
    }
}

void em_add_retry(em_strbuf *text, const json_t *retry, bool fails_again)
{
    em_strbuf_puts(text, fails_again ? "\nWith that corrected, too, send these arguments: "
                                     : "\nSend these arguments: ");
    em_json_write(retry, 0, text);
}

void em_add_way_to_send(em_reply *reply, const json_t *retry)
{
    const em_outcome *outcome = reply->outcome;
    bool is_more = outcome->further.count > 0 || reply->call->is_trial ||
                   (outcome->there && outcome->there->status != EM_OK);
    if (!is_more || !em_retry_fits(retry)) {
        em_similar_add_correction(reply);
        return;
    }
    em_similar_add_condition(reply);
    em_add_retry(&reply->text, retry, em_retry_fails_again(outcome));
    reply->tells_way = true;
}

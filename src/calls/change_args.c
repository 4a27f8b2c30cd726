#include "calls/change_args.h"

#include "base/beside.h"
#include "calls/near_told.h"

em_tier em_arg_tier(em_args args, em_tier otherwise)
{
    return em_tier_of_word(em_arg_string(args, "match"), otherwise);
}

const char *const em_conflict_words[] = {"fail", "merge", NULL};

bool em_arg_merges(em_args args)
{
    const char *word = em_arg_string(args, "on_conflict");
    return word && strcmp(word, "merge") == 0;
}

const char *em_named_session(const em_call *call)
{
    const char *given = em_arg_string(em_args_of(call), "session");
    if (call->over_mcp && !call->stateless)
        return NULL; /* the connection ties its calls together, whatever a caller fills in */
    return given && call->named_session ? call->named_session : given;
}

em_edit_request em_change_request(const em_call *call, const char *path)
{
    em_args args = em_args_of(call);
    return (em_edit_request){
        .path = path,
        .dry_run = em_arg_bool(args, "dry_run"),
        .backup = em_arg_bool(args, "backup"),
        .policy = {.most = em_arg_tier(args, EM_TIER_EXACT)},
        .encoding = em_arg_string(args, "encoding"),
        .expected_hash = em_arg_string(args, "expected_hash"),
        .merge = em_arg_merges(args),
        .tool = call->tool->name,
        .session = em_named_session(call),
        .stateless = call->stateless,
        .progress = call->progress,
        .progress_context = call->progress_context,
    };
}

em_op em_replace_op(em_args edit, const em_words *words, const char *count)
{
    size_t times = count ? em_arg_size(edit, count) : 0;
    bool is_every = words->every && em_arg_bool(edit, words->every);
    return (em_op){.kind = EM_OP_REPLACE,
                   .find = em_arg_text(edit, words->find),
                   .insert = em_arg_text(edit, words->insert),
                   .expect = is_every    ? EM_EVERY
                             : times > 0 ? times
                                         : 1};
}

/* Edits that become ops. */
typedef struct replacing {
    em_arg_list edits;
    const em_words *words;
    const char *count; /* as for em_replace_op() */
    em_op *ops;
} replacing;

static void replace_some(void *context, size_t from, size_t to)
{
    const replacing *r = context;
    em_arg_list edits = r->edits;
    for (size_t i = from; i < to; i++)
        r->ops[i] = em_replace_op(em_arg_at(&edits, i), r->words, r->count);
}

em_op *em_replace_ops(em_args args, const char *list, const em_words *words, const char *count,
                      em_arena *arena)
{
    em_arg_list edits = em_arg_elements(args, list);
    replacing r = {edits, words, count, em_alloc_array(arena, edits.count, sizeof *r.ops)};
    if (r.ops)
        em_in_halves(edits.count, EM_ELEMENTS_WORTH_A_THREAD, replace_some, &r);
    return r.ops;
}

json_t *em_args_without(em_json *json, em_args args, const char *name, size_t from, size_t to)
{
    if (to - from >= em_arg_count(args, name))
        return NULL;
    json_t *rest = json_copy((json_t *)args.object);
    json_t *list = json_copy((json_t *)em_arg(args, name));
    while (to > from)
        json_array_remove(list, --to);
    em_json_set(json, rest, name, list);
    return rest;
}

/* Other texts in the element `index` of the list `list` of `whole`, or in itself. Of lists and
 * edits there are copies. */
static void set_texts(em_json *json, json_t *whole, const char *list, size_t index,
                      const em_words *words, const em_correction *texts)
{
    json_t *edit = whole;
    if (list) {
        json_t *edits = json_object_get(whole, list);
        edit = json_copy(json_array_get(edits, index));
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
    json_t *whole = json_copy((json_t *)args.object);
    if (list)
        em_json_set(json, whole, list, json_copy((json_t *)em_arg(args, list)));
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

json_t *em_args_retry(em_reply *reply, em_args args, const char *list, const em_words *words)
{
    const em_error *error = &reply->outcome->error;
    size_t edit = (size_t)error->edit;
    if (reply->outcome->near_files.count > 0)
        return em_args_with_near_file(reply, args);
    if (reply->correction)
        return em_args_corrected(reply, args, list, words);
    if (list && error->cause == EM_CAUSE_OVERLAP && reply->outcome->holds_otherwise)
        return em_args_without(&reply->json, args, list, edit, edit + 1);
    if (!list || error->cause != EM_CAUSE_ALREADY_APPLIED ||
        em_leaving_out_is_futile(reply->outcome))
        return NULL;
    EM_AUTO(em_json_ref) corrected = em_args_corrected(reply, args, list, words);
    args.object = corrected;
    return em_args_without(&reply->json, args, list, edit, edit + 1);
}

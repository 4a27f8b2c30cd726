#include "arguments/change_args.h"

#include "base/beside.h"

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

bool em_call_is_dry(const em_call *call)
{
    return call->is_trial || em_arg_bool(em_args_of(call), "dry_run");
}

em_edit_request em_change_request(const em_call *call, const char *path)
{
    em_args args = em_args_of(call);
    return (em_edit_request){
        .path = path,
        .dry_run = em_call_is_dry(call),
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
    replacing r = {edits, words, count, em_alloc_array_raw(arena, edits.count, sizeof *r.ops)};
    if (r.ops)
        em_in_halves(edits.count, EM_ELEMENTS_WORTH_A_THREAD, replace_some, &r);
    return r.ops;
}

#include "dialects/change_args.h"

const char *const em_conflict_words[] = {"fail", "merge", NULL};

bool em_arg_merges(em_args args)
{
    const char *word = em_arg_string(args, "on_conflict");
    return word && strcmp(word, "merge") == 0;
}

em_edit_request em_change_request(const em_call *call, const char *path)
{
    em_args args = em_args_of(call);
    return (em_edit_request){
        .path = path,
        .dry_run = em_arg_bool(args, "dry_run"),
        .backup = em_arg_bool(args, "backup"),
        .encoding = em_arg_string(args, "encoding"),
        .expected_hash = em_arg_string(args, "expected_hash"),
        .merge = em_arg_merges(args),
        .tool = call->tool->name,
        .session = em_arg_string(args, "session"),
        .stateless = call->stateless,
        .progress = call->progress,
        .progress_context = call->progress_context,
    };
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

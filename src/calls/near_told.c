#include "calls/near_told.h"

#include "base/utf8.h"

void em_add_near_files(em_reply *reply)
{
    const em_near_files *near = &reply->outcome->near_files;
    em_strbuf *text = &reply->text;
    if (near->is_clear) {
        em_strbuf_printf(text, "\nDid you mean %s?", em_reply_path_shown(reply, near->paths[0]));
        return;
    }
    for (size_t i = 0; i < near->count; i++)
        em_strbuf_printf(text, "%s%s", i == 0 ? "\nMay be meant: " : ", ",
                         em_reply_path_shown(reply, near->paths[i]));
    if (near->more)
        em_strbuf_puts(text, ", and others");
}

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
    json_t *retry = json_copy((json_t *)args.object);
    em_json_set_string(&reply->json, retry, name, near->paths[0]);
    return retry;
}

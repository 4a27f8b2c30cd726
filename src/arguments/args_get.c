/* args_get.c: the getters, of arguments that have passed the check. */
#include "arguments/args_impl.h"

em_args em_args_of(const em_call *call)
{
    return (em_args){.params = call->tool->params, .object = call->arguments};
}

const json_t *em_arg(em_args args, const char *name)
{
    const em_param *param = em_param_named(args.params, name);
    if (!param)
        return NULL;
    return args.values ? args.values[param - args.params] : em_param_value(param, args.object);
}

em_slice em_arg_text(em_args args, const char *name)
{
    const json_t *value = em_arg(args, name);
    return value ? em_slice_make(json_string_value(value), json_string_length(value))
                 : (em_slice){"", 0};
}

const char *em_arg_string(em_args args, const char *name)
{
    return json_string_value(em_arg(args, name));
}

bool em_arg_bool(em_args args, const char *name)
{
    return json_is_true(em_arg(args, name));
}

size_t em_arg_size(em_args args, const char *name)
{
    return (size_t)em_arg_integer(args, name);
}

int64_t em_arg_integer(em_args args, const char *name)
{
    const json_t *value = em_arg(args, name);
    return value ? em_integer_value(value) : 0;
}

size_t em_arg_count(em_args args, const char *name)
{
    return json_array_size(em_arg(args, name));
}

em_arg_list em_arg_elements(em_args args, const char *name)
{
    const json_t *array = em_arg(args, name);
    return (em_arg_list){.members = em_members_of(em_param_named(args.params, name)->fields),
                         .array = array,
                         .count = json_array_size(array)};
}

em_args em_arg_at(em_arg_list *list, size_t index)
{
    const json_t *object = json_array_get(list->array, index);
    bool is_read = em_members_read(&list->members, object);
    return (em_args){list->members.params, object, is_read ? list->members.values : NULL};
}

em_args em_arg_element(em_args args, const char *name, size_t index)
{
    const em_param *list = em_param_named(args.params, name);
    return (em_args){.params = list->fields, .object = json_array_get(em_arg(args, name), index)};
}

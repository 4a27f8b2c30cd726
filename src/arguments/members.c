#include "arguments/members.h"

em_members em_members_of(const em_param *params)
{
    em_members members = {.params = params};
    while (params && params[members.param_count].name)
        members.param_count++;
    if (members.param_count > EM_MOST_MEMBERS)
        members.param_count = 0;
    return members;
}

/* Which parameter has the name? `guess` is looked at first. SIZE_MAX: none. */
static size_t param_with(const em_members *members, const char *name, size_t guess)
{
    const em_param *params = members->params;
    if (guess < members->param_count && strcmp(params[guess].name, name) == 0)
        return guess;
    for (size_t i = 0; i < members->param_count; i++)
        if (strcmp(params[i].name, name) == 0)
            return i;
    return SIZE_MAX;
}

bool em_members_read(em_members *members, const json_t *object)
{
    json_t *iterated = (json_t *)object;
    size_t place = 0;
    if (members->param_count == 0 || json_object_size(object) > EM_MOST_MEMBERS)
        return false;
    for (size_t i = 0; i < members->param_count; i++)
        members->values[i] = NULL;
    for (void *at = json_object_iter(iterated); at;
         at = json_object_iter_next(iterated, at), place++) {
        size_t param = param_with(members, json_object_iter_key(at), members->param_at[place]);
        if (param == SIZE_MAX)
            return false;
        const json_t *value = json_object_iter_value(at);
        members->param_at[place] = (unsigned char)param;
        members->values[param] = em_is_given(&members->params[param], value) ? value : NULL;
    }
    return true;
}

#include "tools/toolset.h"

#include "tools/nearest.h"
#include "json/json_text.h"

#include <string.h>

const em_tool *em_toolset_find(const em_toolset *set, const char *name)
{
    for (size_t i = 0; i < set->count; i++)
        if (strcmp(set->tools[i]->name, name) == 0)
            return set->tools[i];
    return NULL;
}

const em_tool *em_toolset_find_json(const em_toolset *set, const json_t *name)
{
    const em_tool *tool = em_toolset_find(set, json_string_value(name));
    return tool && em_json_is(name, tool->name) ? tool : NULL;
}

const char *em_toolset_nearest(const em_toolset *set, const char *name)
{
    EM_AUTO(em_arena) arena = {0};
    const char **names = em_alloc_array(&arena, set->count + 1, sizeof *names);
    for (size_t i = 0; names && i < set->count; i++)
        names[i] = set->tools[i]->name;
    return names ? em_nearest_name(name, names) : NULL;
}

/* Does `tool` stand in the table of its dialect before `other`, or at its place? */
static bool is_not_behind(const em_tool *tool, const em_tool *other)
{
    while (tool->name && tool != other)
        tool++;
    return tool->name;
}

bool em_tools_are_kin(const em_tool *a, const em_tool *b)
{
    return is_not_behind(a, b) || is_not_behind(b, a);
}

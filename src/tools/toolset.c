#include "tools/toolset.h"

#include "tools/foreign_tools.h"
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

/* The nearest of the names that tools with the flag have; 0: of all. */
static const char *nearest_with(const em_toolset *set, unsigned flag, const char *name)
{
    EM_AUTO(em_arena) arena = {0};
    const char **names = em_alloc_array(&arena, set->count + 1, sizeof *names);
    size_t count = 0;
    for (size_t i = 0; names && i < set->count; i++)
        if (flag == 0 || set->tools[i]->flags & flag)
            names[count++] = set->tools[i]->name;
    return names ? em_nearest_name(name, names) : NULL;
}

static const char *first_with(const em_toolset *set, unsigned flag)
{
    for (size_t i = 0; i < set->count; i++)
        if (set->tools[i]->flags & flag)
            return set->tools[i]->name;
    return NULL;
}

/* Of those that do what the tool of that name does in other programs: the one called most like it,
 * else the first. */
static const char *same_in_role(const em_toolset *set, const char *name)
{
    unsigned flag = em_foreign_tool_role(name);
    const char *near = flag ? nearest_with(set, flag, name) : NULL;
    return near ? near : first_with(set, flag);
}

const char *em_toolset_nearest(const em_toolset *set, const char *name)
{
    const char *bare = em_bare_tool_name(name);
    const em_tool *tool = em_toolset_find(set, bare);
    const char *same = tool ? tool->name : same_in_role(set, bare);
    return same ? same : nearest_with(set, 0, name);
}

const char *em_toolset_advice(const em_toolset *set, const char *name, em_arena *arena)
{
    const char *near = em_toolset_nearest(set, name);
    if (near)
        return em_arena_format(arena, "Did you mean %s?", near);
    const char *all = "There are:";
    for (size_t i = 0; all && i < set->count; i++)
        all = em_arena_format(arena, "%s%s %s", all, i > 0 ? "," : "", set->tools[i]->name);
    return all;
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

/* toolset.h: the tools that are offered, by their names. */
#ifndef EM_TOOLS_TOOLSET_H
#define EM_TOOLS_TOOLSET_H

#include "tools/dialect.h"

/* The tools that a server offers, in a fixed order. */
typedef struct em_toolset {
    const em_tool **tools; /* in the arena, with room for all there are */
    size_t count;
} em_toolset;

/* The tool of that name in the set; NULL. */
const em_tool *em_toolset_find(const em_toolset *set, const char *name);

/* The same, of a name in JSON: one with a NUL in it is no tool's. */
const em_tool *em_toolset_find_json(const em_toolset *set, const json_t *name);

/* Of the names in the set, the one nearest to `name`; NULL when none is near. */
const char *em_toolset_nearest(const em_toolset *set, const char *name);

/* Are they tools of one dialect? Both are of tables that end as a dialect's do. */
bool em_tools_are_kin(const em_tool *a, const em_tool *b);

#endif

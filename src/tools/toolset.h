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

/* Of the names in the set, the one that is most likely meant by `name`: that of a tool behind what
 * clients put before it, of one that does what other programs call so, or the nearest; NULL when
 * none is near. */
const char *em_toolset_nearest(const em_toolset *set, const char *name);

/* A sentence that says what can be called instead: "Did you mean X?", or where none is near, all
 * the names that there are. In the arena; NULL without memory. */
const char *em_toolset_advice(const em_toolset *set, const char *name, em_arena *arena);

/* Are they tools of one dialect? Both are of tables that end as a dialect's do. */
bool em_tools_are_kin(const em_tool *a, const em_tool *b);

#endif

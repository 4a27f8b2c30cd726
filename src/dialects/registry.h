/* registry.h: all tools there are: choose some. Which dialects there are stands in dialects.def. */
#ifndef EM_DIALECTS_REGISTRY_H
#define EM_DIALECTS_REGISTRY_H

#include "tools/toolset.h"

/* Choose by `list`: names of dialects and tools separated by commas, "all", or NULL for the default
 * set. `read_only` leaves only tools that change nothing. EM_E_INVALID for a name that is neither,
 * with the nearest one in the detail. */
em_status em_toolset_choose(const char *list, bool read_only, em_arena *arena, em_toolset *set,
                            em_error *err);

/* For who calls tools without a list of them: all there are, and those of them that are offered.
 * With `read_only` a tool that changes something is not offered, but known: what refuses the call
 * says that it is for that. */
em_status em_toolset_choose_all(bool read_only, em_arena *arena, em_toolset *all,
                                em_toolset *offered, em_error *err);

/* Add the tool that shows others in full (EM_TOOL_PICKS), if it is not in the set. */
void em_toolset_add_picker(em_toolset *set);

/* The tool-selection text for a system prompt; in the arena; NULL when memory ran out. */
const char *em_toolset_prompt(const em_toolset *set, em_arena *arena);

#endif

/* registry.h: all tools there are; choose some; describe them; call one. Which dialects there are
 * stands in dialects.def. */
#ifndef EM_DIALECTS_REGISTRY_H
#define EM_DIALECTS_REGISTRY_H

#include "dialects/dialect.h"
#include "dialects/nearest.h"

/* The tools that a server offers, in a fixed order. */
typedef struct em_toolset {
    const em_tool **tools; /* in the arena, with room for all there are */
    size_t count;
} em_toolset;

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

/* The tool of that name in the set; NULL. */
const em_tool *em_toolset_find(const em_toolset *set, const char *name);

/* The same, of a name in JSON: one with a NUL in it is no tool's. */
const em_tool *em_toolset_find_json(const em_toolset *set, const json_t *name);

/* Of the names in the set, the one nearest to `name`; NULL when none is near. */
const char *em_toolset_nearest(const em_toolset *set, const char *name);

/* Are they tools of one dialect? */
bool em_tools_are_kin(const em_tool *a, const em_tool *b);

/* JSON that describes a tool. New references; NULL when memory ran out. */
json_t *em_tool_input_schema(const em_tool *tool);
json_t *em_tool_full_schema(const em_tool *tool);   /* with `oneOf` where there are forms */
json_t *em_tool_output_schema(const em_tool *tool); /* NULL also for tools without one */
json_t *em_tool_annotations(const em_tool *tool);

/* A tool as a list of tools shows it: its name, descriptions, schemas and annotations. The same. */
typedef enum em_tool_detail {
    EM_DESCRIBE_BRIEF,  /* its brief, and a schema that takes anything */
    EM_DESCRIBE_LISTED, /* all of it, with a schema that every client takes */
    EM_DESCRIBE_FULL,   /* all of it, with the forms of its arguments: for other readers */
} em_tool_detail;
json_t *em_tool_describe(const em_tool *tool, em_tool_detail detail);

/* Check the arguments (NULL or JSON null count as {}) and run the tool. `call->tool` says which;
 * call->arguments is set here. On EM_OK the answer is to be dropped by the caller. EM_E_NOMEM. */
em_status em_tool_call(em_call *call, const json_t *arguments, em_answer *answer);

/* The tool-selection text for a system prompt; in the arena; NULL when memory ran out. */
const char *em_toolset_prompt(const em_toolset *set, em_arena *arena);

#endif

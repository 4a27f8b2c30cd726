/* describe.h: a tool as JSON that describes it. */
#ifndef EM_TOOLS_DESCRIBE_H
#define EM_TOOLS_DESCRIBE_H

#include "tools/dialect.h"

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

#endif

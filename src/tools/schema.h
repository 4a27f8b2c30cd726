/* schema.h: a table of parameters as JSON Schema (draft 2020-12).
 *
 * The check of arguments (args.h) answers to the same rules, so what a caller may read here is what
 * will be held against it. Aliases, and null for what may be left out, are taken but not shown: a
 * model pays for every word.
 */
#ifndef EM_TOOLS_SCHEMA_H
#define EM_TOOLS_SCHEMA_H

#include "tools/dialect.h"

/* The schema of an object with the fields of the table. What comes in may hold nothing else; what
 * goes out may, and any field of it that is not EM_P_REQUIRED may be missing. New references; NULL
 * when memory ran out. */
json_t *em_schema_input(const em_param *params);
json_t *em_schema_output(const em_param *fields);

/* The first with a `oneOf` for the forms, which may be NULL, and for those of the lists. Not all
 * that read schemas take one at the top level. */
json_t *em_schema_full(const em_param *params, const em_form *forms);

#endif

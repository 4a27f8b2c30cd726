/* forms.h: arguments that may come in several forms.
 *
 * What a table of parameters cannot say (that one argument needs another, or excludes it) its forms
 * do (em_form). They give the check here, with its message, and the `oneOf` of the full schema.
 */
#ifndef EM_ARGUMENTS_FORMS_H
#define EM_ARGUMENTS_FORMS_H

#include "arguments/args.h"

/* Do `arguments` and the objects in them fit one of their forms? What is unknown in those that have
 * not passed em_args_check() with `params` counts for nothing. `forms` may be NULL. EM_E_INVALID
 * when not: *problem says for each form what is missing or too much. EM_E_NOMEM. */
em_status em_forms_check(const em_param *params, const em_form *forms, const json_t *arguments,
                         em_arena *arena, em_args_problem *problem);

/* The call's arguments as they were most likely meant (em_args_repair), where they pass both
 * checks, and are not refused whatever the files hold, as a selector that is none is; a new
 * reference. NULL: they do not, are what came, or memory ran out. */
json_t *em_call_repaired(em_json *json, const em_call *call);

#endif

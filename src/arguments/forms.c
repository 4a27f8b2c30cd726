#include "arguments/forms.h"

#include "arguments/args_impl.h"
#include "arguments/dom_args.h"

#include <stdio.h>
#include <string.h>

static bool is_listed(const char *const *names, const char *name)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

/* Can the object be meant as this row of a form? */
static bool is_candidate(const em_form *row, em_args object)
{
    const char *chosen = row->chooser ? em_arg_string(object, row->chooser) : NULL;
    return !chosen || is_listed(row->values, chosen);
}

static const em_form *next_form(const em_form *form)
{
    const char *name = form->name;
    while (form->name && strcmp(form->name, name) == 0)
        form++;
    return form;
}

/* What is wrong with an argument. */
typedef enum fault_kind { MISSING, TOO_MUCH } fault_kind;

static bool row_has_fault(const em_form *row, em_args object, const char *name, fault_kind fault)
{
    const json_t *value = em_arg(object, name);
    if (fault == MISSING)
        return !value && is_listed(row->needs, name);
    bool says_something = value && !(json_is_string(value) && json_string_length(value) == 0);
    return says_something && is_listed(row->excludes, name);
}

static bool has_candidate(const em_form *form, em_args object)
{
    const em_form *end = next_form(form);
    while (form < end && !is_candidate(form, object))
        form++;
    return form < end;
}

/* While the chooser is not given, or has a value that nobody knows, only what all rows demand is a
 * fault. */
static bool form_has_fault(const em_form *form, em_args object, const char *name, fault_kind fault)
{
    const em_form *end = next_form(form);
    bool chosen = has_candidate(form, object);
    for (; form < end; form++)
        if ((!chosen || is_candidate(form, object)) && !row_has_fault(form, object, name, fault))
            return false;
    return true;
}

/* Append the arguments with that fault behind `lead`. Returns whether there is one. */
static bool add_faults(em_strbuf *out, const em_form *form, em_args object, fault_kind fault,
                       const char *lead)
{
    bool any = false;
    for (const em_param *param = object.params; param->name; param++) {
        if (!form_has_fault(form, object, param->name, fault))
            continue;
        em_strbuf_printf(out, "%s%s%s", any ? ", " : lead, param->name,
                         fault == MISSING && em_may_delete(param, object.object) ? EM_WAY_TO_DELETE
                                                                                 : "");
        any = true;
    }
    return any;
}

/* Append what keeps the object from having the form. Returns whether anything does. */
static bool add_misfit(em_strbuf *out, const em_form *form, em_args object)
{
    em_strbuf_printf(out, "\n- %s:", form->name);
    bool missing = add_faults(out, form, object, MISSING, " missing ");
    bool more =
        add_faults(out, form, object, TOO_MUCH, missing ? "; must not have " : " must not have ");
    return missing || more;
}

static em_status check_object(const em_form *forms, em_args object, const char *what,
                              em_arena *arena, const char **message)
{
    EM_AUTO(em_strbuf) out = {0};
    em_strbuf_printf(&out, "%s fits none of the forms:", what);
    for (const em_form *form = forms; form->name; form = next_form(form))
        if (!add_misfit(&out, form, object))
            return out.failed ? EM_E_NOMEM : EM_OK;
    *message = em_strbuf_finish(&out, arena);
    return *message ? EM_E_INVALID : EM_E_NOMEM;
}

static em_status check_list(const em_param *list, em_args arguments, em_arena *arena,
                            em_args_problem *problem)
{
    char what[64];
    em_arg_list elements = em_arg_elements(arguments, list->name);
    for (size_t i = 0; i < elements.count; i++) {
        em_args element = em_arg_at(&elements, i);
        snprintf(what, sizeof what, "%s[%zu]", list->name, i);
        problem->edit = (ptrdiff_t)i;
        EM_TRY(check_object(list->forms, element, what, arena, &problem->message));
    }
    return EM_OK;
}

em_status em_forms_check(const em_param *params, const em_form *forms, const json_t *arguments,
                         em_arena *arena, em_args_problem *problem)
{
    em_args args = {.params = params, .object = arguments};
    problem->edit = EM_NO_EDIT;
    if (forms)
        EM_TRY(check_object(forms, args, "The request", arena, &problem->message));
    for (const em_param *param = params; param->name; param++)
        if (param->forms)
            EM_TRY(check_list(param, args, arena, problem));
    return EM_OK;
}

/* ---- Repaired calls -------------------------------------------------------------------------- */

static em_status check_operations(em_args args, const char *list, em_arena *arena)
{
    size_t count = em_arg_count(args, list);
    const em_dom_op *ops = em_dom_ops_of(args, list, arena);
    if (!ops)
        return EM_E_NOMEM;
    for (size_t i = 0; i < count; i++)
        EM_TRY(em_dom_op_check(&ops[i], arena));
    return EM_OK;
}

static em_status check_encoding(const char *name, em_arena *arena)
{
    em_text unused;
    em_error err = EM_ERROR_INIT;
    return name ? em_text_open(EM_LIT(""), name, arena, &unused, &err) : EM_OK;
}

/* What is wrong with arguments that have their types and forms, whatever the files hold:
 * EM_E_INVALID, or nothing is. */
static em_status check_meaning(em_args args, em_arena *arena)
{
    for (const em_param *param = args.params; param->name; param++) {
        if (param->type == EM_P_NAME && strcmp(param->name, "encoding") == 0)
            EM_TRY(check_encoding(em_arg_string(args, param->name), arena));
        if (param->type != EM_P_LIST || !param->fields)
            continue;
        if (param->fields == em_dom_operation_params) {
            EM_TRY(check_operations(args, param->name, arena));
            continue;
        }
        em_arg_list elements = em_arg_elements(args, param->name);
        for (size_t i = 0; i < elements.count; i++)
            EM_TRY(check_meaning(em_arg_at(&elements, i), arena));
    }
    return EM_OK;
}

json_t *em_call_repaired(em_json *json, const em_call *call)
{
    const em_tool *tool = call->tool;
    em_args_problem problem;
    json_t *arguments = em_args_repair(json, tool->params, call->arguments, call->arena);
    if (!arguments)
        return NULL;
    em_status status = em_forms_check(tool->params, tool->forms, arguments, call->arena, &problem);
    if (status == EM_OK)
        status = check_meaning((em_args){.params = tool->params, .object = arguments}, call->arena);
    if (status == EM_OK && !json_equal(arguments, call->arguments))
        return arguments;
    json->failed = json->failed || status == EM_E_NOMEM;
    json_decref(arguments);
    return NULL;
}

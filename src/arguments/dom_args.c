#include "arguments/dom_args.h"

#include "html/elements.h"

#include <string.h>

static const char *const actions[] = {"setAttribute",
                                      "removeAttribute",
                                      "setText",
                                      "setHTML",
                                      "addClass",
                                      "removeClass",
                                      "replaceClass",
                                      "remove",
                                      "insertAdjacentHTML",
                                      NULL};
static const char *const positions[] = {"beforebegin", "afterbegin", "beforeend", "afterend", NULL};
static const em_word_pair insertion = {"insertAdjacentHTML", "position", positions};

/* setAttribute of what is there or not to true. */
static const char *text_for_true(const json_t *object, const json_t *value)
{
    const char *action = json_string_value(json_object_get(object, "action"));
    const char *attr = json_string_value(json_object_get(object, "attr"));
    if (!attr)
        attr = json_string_value(json_object_get(object, "attribute"));
    if (!json_is_true(value) || !action || !attr || strcmp(action, "setAttribute") != 0)
        return NULL;
    return em_html_is_boolean_attr(em_slice_of(attr)) ? "" : NULL;
}

const em_param em_dom_operation_params[] = {
    {.name = "selector",
     .type = EM_P_STRING,
     .flags = EM_P_REQUIRED,
     .help = "CSS selector: \"img.hero\", \"#title\", \".card > h3\"."},
    {.name = "action",
     .type = EM_P_STRING,
     .flags = EM_P_REQUIRED,
     .words = actions,
     .pair = &insertion,
     .help = "What to do with the element."},
    {.name = "attr",
     .alias = "attribute",
     .type = EM_P_STRING,
     .flags = EM_P_NULLABLE,
     .help = "setAttribute, removeAttribute: which attribute."},
    {.name = "value",
     .type = EM_P_STRING,
     .flags = EM_P_NULLABLE,
     .help = "The text, HTML or value of the attribute, not escaped; of class actions: the class, "
             "or several.",
     .text_for = text_for_true},
    {.name = "oldClass",
     .type = EM_P_STRING,
     .flags = EM_P_NULLABLE,
     .help = "replaceClass: the class that goes."},
    {.name = "newClass",
     .type = EM_P_STRING,
     .flags = EM_P_NULLABLE,
     .help = "replaceClass: the class that comes in its place."},
    {.name = "position",
     .type = EM_P_STRING,
     .flags = EM_P_NULLABLE,
     .words = positions,
     .help = "insertAdjacentHTML: where."},
    {.name = "all",
     .type = EM_P_BOOL,
     .flags = EM_P_NULLABLE,
     .help = "true: all elements that match; false: exactly one must. Class actions take all by "
             "default, the others one."},
    {.name = "expected",
     .type = EM_P_INTEGER,
     .flags = EM_P_NULLABLE,
     .minimum = 1,
     .help = "So many elements must match, and all of them are changed."},
    {.name = NULL},
};

/* A string that is not given has no address, an empty one has. */
static em_slice text_of(em_args operation, const char *name)
{
    return em_arg(operation, name) ? em_arg_text(operation, name) : (em_slice){0};
}

static em_dom_all all_of(em_args operation)
{
    if (!em_arg(operation, "all"))
        return EM_DOM_ALL_UNSET;
    return em_arg_bool(operation, "all") ? EM_DOM_ALL_TRUE : EM_DOM_ALL_FALSE;
}

/* What is given for another action than the one that is named: which of them is meant, nobody can
 * tell. What is empty says nothing. NULL: nothing is. */
static const char *of_another_action(const em_dom_op *op)
{
    em_dom_action action = op->action;
    if (op->attr_meant.len > 0)
        return "\"attr\" is missing: removeAttribute takes the attribute's name there, not in "
               "\"value\"; to take a class away use removeClass";
    bool attr = action == EM_DOM_SET_ATTRIBUTE || action == EM_DOM_REMOVE_ATTRIBUTE;
    bool value = action != EM_DOM_REMOVE_ATTRIBUTE && action != EM_DOM_REMOVE &&
                 action != EM_DOM_REPLACE_CLASS;
    if (op->attr.len > 0 && !attr)
        return action == EM_DOM_REMOVE
                   ? "\"attr\" is not for remove, which takes the whole element away; to take the "
                     "attribute away use removeAttribute"
                   : "\"attr\" is for setAttribute and removeAttribute alone";
    if (op->value.len > 0 && !value)
        return action == EM_DOM_REMOVE
                   ? "\"value\" is not for remove, which takes the whole element away; to take a "
                     "class away use removeClass"
               : action == EM_DOM_REMOVE_ATTRIBUTE
                   ? "\"value\" is not for removeAttribute, which takes the whole attribute away; "
                     "to take a class away use removeClass"
                   : "\"value\" is not for replaceClass, which has \"oldClass\" and \"newClass\"";
    if ((op->old_class.len > 0 || op->new_class.len > 0) && action != EM_DOM_REPLACE_CLASS)
        return "\"oldClass\" and \"newClass\" are for replaceClass alone; addClass and removeClass "
               "take the class as \"value\"";
    if (op->position < EM_DOM_NO_POSITION && action != EM_DOM_INSERT_ADJACENT_HTML)
        return "\"position\" is for insertAdjacentHTML alone, which leaves what is in the element";
    return NULL;
}

em_dom_op *em_dom_ops_of(em_args args, const char *list, em_arena *arena)
{
    em_arg_list operations = em_arg_elements(args, list);
    em_dom_op *ops = em_alloc_array(arena, operations.count, sizeof *ops);
    for (size_t i = 0; ops && i < operations.count; i++) {
        em_args operation = em_arg_at(&operations, i);
        ops[i] = (em_dom_op){
            .selector = em_arg_text(operation, "selector"),
            .action = em_dom_action_of(em_arg_text(operation, "action")),
            .attr = text_of(operation, "attr"),
            .value = text_of(operation, "value"),
            .old_class = text_of(operation, "oldClass"),
            .new_class = text_of(operation, "newClass"),
            .position = em_dom_position_of(em_arg_text(operation, "position")),
            .all = all_of(operation),
            .expected = em_arg_size(operation, "expected"),
        };
        if (ops[i].action == EM_DOM_REMOVE_ATTRIBUTE && ops[i].attr.len == 0)
            ops[i].attr_meant = ops[i].value;
        ops[i].unusable = of_another_action(&ops[i]);
    }
    return ops;
}

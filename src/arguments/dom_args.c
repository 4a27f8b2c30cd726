#include "arguments/dom_args.h"

#include "html/elements.h"
#include "tools/nearest.h"

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

/* What other libraries of pages do. */
static const char *const replacing[] = {
    "replace",          "replaceWith", "replaceElement", "replaceNode",
    "replaceOuterHTML", "outerHTML",   "setOuterHTML",   NULL};
static const char *const styling[] = {"style",    "setStyle",    "css",         "setCSS",
                                      "addStyle", "setProperty", "removeStyle", NULL};
static const char *const toggling[] = {"toggle", "toggleClass", "classList.toggle", NULL};
static const char *const filling[] = {
    "update",        "edit",           "change",      "modify",     "setContent",
    "updateContent", "replaceContent", "replaceText", "updateText", "changeText",
    "updateHTML",    "changeHTML",     NULL};
static const char *const adding[] = {"add",        "addText",    "appendText", "prependText",
                                     "insertText", "addElement", "addChild",   NULL};
static const char *const emptying[] = {
    "empty",      "clear",         "clearContent", "clearHTML",      "clearText", "removeText",
    "deleteText", "removeContent", "removeHTML",   "removeChildren", NULL};
static const char *const setting_classes[] = {"setClass",     "setClasses", "className",
                                              "setClassName", "class",      NULL};
static const char *const setting_properties[] = {"prop",
                                                 "setProp",
                                                 "id",
                                                 "setId",
                                                 "src",
                                                 "setSrc",
                                                 "href",
                                                 "setHref",
                                                 "data",
                                                 "setData",
                                                 "setDataset",
                                                 "val",
                                                 "value",
                                                 "setValue",
                                                 "updateAttribute",
                                                 "changeAttribute",
                                                 "replaceAttribute",
                                                 NULL};
static const char *const switching[] = {"hide",  "show",    "enable",          "disable",
                                        "check", "uncheck", "toggleAttribute", NULL};
static const char *const copying[] = {"clone", "cloneNode", "copy", "duplicate", NULL};
static const char *const reading[] = {
    "get", "getText", "getHTML", "getAttribute", "getInnerHTML", "query", "find", "read", NULL};
static const char *const rebuilding[] = {"wrap",      "wrapInner",  "unwrap", "move",
                                         "moveTo",    "swap",       "rename", "renameTag",
                                         "changeTag", "setTagName", NULL};
const em_foreign_words em_dom_foreign_actions[] = {
    {replacing, "setHTML replaces what is in the element, replaceClass a class; to replace the "
                "element with its tags, edit the text of the file"},
    {styling, "setAttribute with attr \"style\" and the whole style as value sets it"},
    {toggling, "Say which of the two is meant, addClass or removeClass"},
    {rebuilding, "What is around an element, its name and its place are changed in the text of the "
                 "file"},
    {filling,
     "setText sets the text that is in the element, setHTML the HTML, setAttribute an attribute"},
    {adding, "insertAdjacentHTML puts HTML into the element or beside it, as position says"},
    {emptying, "setText with value \"\" leaves nothing in the element"},
    {setting_classes, "addClass, removeClass and replaceClass change some of the classes; "
                      "setAttribute with attr \"class\" and all of them as value sets them"},
    {setting_properties, "setAttribute with attr, the name of the attribute (\"id\", \"href\", "
                         "\"value\", \"data-x\"), and value sets it"},
    {switching, "setAttribute with attr \"hidden\" (or \"disabled\", \"checked\") and value \"\" "
                "sets it, removeAttribute takes it away"},
    {copying, "insertAdjacentHTML with position \"afterend\" and the HTML of the element as value "
              "puts another one behind it"},
    {reading, "Elements are only changed so; what is in them, the text of the file shows"},
    {0},
};

/* Places by words that say less than which of the four it is. */
static const char *const placing[] = {"in",   "inside",     "inner",     "child", "first",
                                      "last", "firstChild", "lastChild", "start", "end",
                                      "top",  "bottom",     "above",     "below", NULL};
static const em_foreign_words foreign_positions[] = {
    {placing, "afterbegin is in the element, before what it holds, and beforeend behind that; "
              "beforebegin and afterend are beside it"},
    {0},
};

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

/* ---- Other names ----------------------------------------------------------------------------- */

static bool is_action(const json_t *object, const char *const *wanted)
{
    const char *action = json_string_value(json_object_get(object, "action"));
    while (action && *wanted && strcmp(action, *wanted) != 0)
        wanted++;
    return action && *wanted;
}

static bool goes(const char *name)
{
    static const char *const names[] = {"oldClass", "oldValue", "from", "current", NULL};
    return em_are_synonyms("search", name) || em_is_one_name_of(names, name);
}

static bool comes(const char *name)
{
    static const char *const names[] = {"newClass", "newValue", "to", "with", NULL};
    return em_are_synonyms("replace", name) || em_is_one_name_of(names, name);
}

/* Is there one member alone that goes (or comes)? */
static bool has_one(const json_t *object, bool (*is)(const char *name))
{
    size_t count = 0;
    const char *key;
    json_t *value;
    json_object_foreach((json_t *)object, key, value)
    {
        count += is(key);
    }
    return count == 1;
}

/* The two classes, by names that say which is which beside each other alone. */
static bool are_both_classes(const json_t *object)
{
    static const char *const replaces[] = {"replaceClass", NULL};
    return is_action(object, replaces) && has_one(object, goes) && has_one(object, comes);
}

static bool is_old_class(const json_t *object, const char *name)
{
    return goes(name) && are_both_classes(object);
}

static bool is_new_class(const json_t *object, const char *name)
{
    return comes(name) && are_both_classes(object);
}

/* What finds the element, in tools of other kinds. */
static bool is_finding(const json_t *object, const char *name)
{
    static const char *const names[] = {"target", "element", "locator", "xpath", NULL};
    (void)object;
    return em_is_one_name_of(names, name);
}

/* What comes, where the action writes but one thing. */
static bool is_new_value(const json_t *object, const char *name)
{
    static const char *const setting_attr[] = {"setAttribute", NULL};
    static const char *const attr_names[] = {"attributeValue", "attrValue", "newValue", NULL};
    static const char *const setting_content[] = {"setText", "setHTML", "insertAdjacentHTML", NULL};
    static const char *const content_names[] = {"newText",  "newHTML",      "newContent",
                                                "newValue", "newInnerHTML", NULL};
    return (is_action(object, setting_attr) && em_is_one_name_of(attr_names, name)) ||
           (is_action(object, setting_content) && em_is_one_name_of(content_names, name));
}

/* ---- The table ------------------------------------------------------------------------------- */

const em_param em_dom_operation_params[] = {
    {.name = "selector",
     .type = EM_P_STRING,
     .flags = EM_P_REQUIRED,
     .help = "CSS selector: \"img.hero\", \"#title\", \".card > h3\".",
     .is_meant = is_finding},
    {.name = "action",
     .type = EM_P_STRING,
     .flags = EM_P_REQUIRED,
     .words = actions,
     .pair = &insertion,
     .foreign = em_dom_foreign_actions,
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
     .text_for = text_for_true,
     .is_meant = is_new_value},
    {.name = "oldClass",
     .type = EM_P_STRING,
     .flags = EM_P_NULLABLE,
     .help = "replaceClass: the class that goes.",
     .is_meant = is_old_class},
    {.name = "newClass",
     .type = EM_P_STRING,
     .flags = EM_P_NULLABLE,
     .help = "replaceClass: the class that comes in its place.",
     .is_meant = is_new_class},
    {.name = "position",
     .type = EM_P_STRING,
     .flags = EM_P_NULLABLE,
     .words = positions,
     .foreign = foreign_positions,
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

/* What came by the name of another of the op's texts, where that one alone is missing. */
static em_dom_meant meant_by(const em_dom_op *op)
{
    bool has_value = op->value.len > 0, has_old = op->old_class.len > 0,
         has_new = op->new_class.len > 0;
    em_dom_meant meant = {0};
    switch (op->action) {
    case EM_DOM_REMOVE_ATTRIBUTE:
        meant.attr = op->attr.len == 0 ? op->value : meant.attr;
        break;
    case EM_DOM_REPLACE_CLASS:
        meant.old_class = has_value && has_new && !has_old ? op->value : meant.old_class;
        meant.new_class = has_value && has_old && !has_new ? op->value : meant.new_class;
        break;
    case EM_DOM_ADD_CLASS:
        meant.value = has_new && !has_old && !has_value ? op->new_class : meant.value;
        break;
    case EM_DOM_REMOVE_CLASS:
        meant.value = has_old && !has_new && !has_value ? op->old_class : meant.value;
        break;
    default:
        break;
    }
    return meant;
}

/* What is given for another action than the one that is named: which of them is meant, nobody can
 * tell. What is empty says nothing. NULL: nothing is. */
static const char *of_another_action(const em_dom_op *op)
{
    em_dom_action action = op->action;
    if (op->meant.attr.len > 0)
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
        ops[i].meant = meant_by(&ops[i]);
        ops[i].unusable = of_another_action(&ops[i]);
    }
    return ops;
}

/* dom_check.c: what an operation says by itself, whatever the page: is all there that its action
 * needs, what does it write, what does it look for?
 */
#include "dom/dom_impl.h"
#include "dom/edit.h"
#include "html/elements.h"
#include "html/tag.h"

/* What an action needs of its op. */
typedef struct em_need {
    bool attr, value, class_value, both_classes, position;
} em_need;

static const em_need needs[] = {
    [EM_DOM_SET_ATTRIBUTE] = {.attr = true, .value = true},
    [EM_DOM_REMOVE_ATTRIBUTE] = {.attr = true},
    [EM_DOM_SET_TEXT] = {.value = true},
    [EM_DOM_SET_HTML] = {.value = true},
    [EM_DOM_ADD_CLASS] = {.class_value = true},
    [EM_DOM_REMOVE_CLASS] = {.class_value = true},
    [EM_DOM_REPLACE_CLASS] = {.both_classes = true},
    [EM_DOM_REMOVE] = {0},
    [EM_DOM_INSERT_ADJACENT_HTML] = {.value = true, .position = true},
};

/* What has a NUL in it, as a sentence; NULL: nothing. */
static const char *with_nul(const em_dom_op *op)
{
    const struct {
        em_slice text;
        const char *wrong;
    } texts[] = {
        {op->selector, "there is a NUL in \"selector\""},
        {op->attr, "there is a NUL in \"attr\""},
        {op->value, "there is a NUL in \"value\", and no page can hold one"},
        {op->old_class, "there is a NUL in \"oldClass\""},
        {op->new_class, "there is a NUL in \"newClass\", and no page can hold one"},
    };
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (em_slice_has_byte(texts[i].text, '\0'))
            return texts[i].wrong;
    return NULL;
}

static const char *no_value(const em_dom_op *op)
{
    switch (op->action) {
    case EM_DOM_SET_ATTRIBUTE:
        return em_html_is_boolean_attr(op->attr)
                   ? "\"value\" is missing; \"\" sets the attribute, to take it away use "
                     "removeAttribute"
                   : "\"value\" is missing; to take the attribute away use removeAttribute";
    case EM_DOM_SET_TEXT:
    case EM_DOM_SET_HTML:
        return "\"value\" is missing; \"\" leaves nothing in the element";
    default:
        return "\"value\" is missing";
    }
}

/* What the op's action needs and was not given; NULL: nothing. */
static const char *not_given(const em_dom_op *op)
{
    const em_need *need = &needs[op->action];
    if (need->attr && !op->attr.ptr)
        return "\"attr\", the name of the attribute, is missing";
    if (need->value && !op->value.ptr)
        return no_value(op);
    if (need->class_value && em_html_blank(op->value))
        return "\"value\" names no class";
    if (need->both_classes && (em_html_blank(op->old_class) || em_html_blank(op->new_class)))
        return "\"oldClass\" and \"newClass\" must each name a class";
    if (need->position && op->position >= EM_DOM_NO_POSITION)
        return "\"position\" must be beforebegin, afterbegin, beforeend or afterend";
    return NULL;
}

const char *em_dom_op_wrong(const em_dom_op *op)
{
    if (op->action >= EM_DOM_NO_ACTION)
        return "there is no such action; there are setAttribute, removeAttribute, setText, "
               "setHTML, "
               "addClass, removeClass, replaceClass, remove and insertAdjacentHTML";
    if (!op->selector.ptr)
        return "\"selector\" is missing";
    if (op->unusable)
        return op->unusable;
    const char *wrong = not_given(op);
    wrong = wrong ? wrong : with_nul(op);
    if (wrong)
        return wrong;
    if (op->all == EM_DOM_ALL_FALSE && op->expected > 1)
        return "\"all\": false asks for one element and \"expected\" for several; leave out "
               "\"all\" if as many as expected are meant, or \"expected\" if one is";
    return NULL;
}

em_status em_dom_op_check(const em_dom_op *op, em_arena *arena)
{
    const em_selector *selector;
    em_selector_error unused;
    if (em_dom_op_wrong(op) || (needs[op->action].attr && !em_edit_is_attr_name(op->attr)))
        return EM_E_INVALID;
    return em_selector_compile(op->selector, arena, &selector, &unused);
}

em_dom_texts em_dom_written_by(const em_dom_op *op)
{
    switch (op->action) {
    case EM_DOM_REPLACE_CLASS:
        return (em_dom_texts){{op->new_class}};
    case EM_DOM_SET_ATTRIBUTE:
        return (em_dom_texts){{op->attr, op->value}};
    case EM_DOM_SET_TEXT:
    case EM_DOM_SET_HTML:
    case EM_DOM_ADD_CLASS:
    case EM_DOM_INSERT_ADJACENT_HTML:
        return (em_dom_texts){{op->value}};
    case EM_DOM_REMOVE_CLASS:
    case EM_DOM_REMOVE_ATTRIBUTE:
    case EM_DOM_REMOVE:
    case EM_DOM_NO_ACTION:
        break;
    }
    return (em_dom_texts){0};
}

em_dom_texts em_dom_compared_by(const em_dom_op *op)
{
    em_slice name = op->action == EM_DOM_REPLACE_CLASS      ? op->old_class
                    : op->action == EM_DOM_REMOVE_CLASS     ? op->value
                    : op->action == EM_DOM_REMOVE_ATTRIBUTE ? op->attr
                                                            : (em_slice){0};
    return (em_dom_texts){{op->selector, name}};
}

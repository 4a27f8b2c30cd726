/* words.c: what actions, positions and codes are called. */
#include "dom/dom.h"

#include "base/ascii.h"

static const char *const actions[] = {
    [EM_DOM_SET_ATTRIBUTE] = "setAttribute",
    [EM_DOM_REMOVE_ATTRIBUTE] = "removeAttribute",
    [EM_DOM_SET_TEXT] = "setText",
    [EM_DOM_SET_HTML] = "setHTML",
    [EM_DOM_ADD_CLASS] = "addClass",
    [EM_DOM_REMOVE_CLASS] = "removeClass",
    [EM_DOM_REPLACE_CLASS] = "replaceClass",
    [EM_DOM_REMOVE] = "remove",
    [EM_DOM_INSERT_ADJACENT_HTML] = "insertAdjacentHTML",
    [EM_DOM_NO_ACTION] = "",
};

static const char *const positions[] = {
    [EM_DOM_BEFOREBEGIN] = "beforebegin",
    [EM_DOM_AFTERBEGIN] = "afterbegin",
    [EM_DOM_BEFOREEND] = "beforeend",
    [EM_DOM_AFTEREND] = "afterend",
    [EM_DOM_NO_POSITION] = "",
};

static const char *const codes[] = {
    [EM_DOM_OK] = "",
    [EM_DOM_E_ARGUMENT] = "E_ARGUMENT",
    [EM_DOM_E_SELECTOR] = "E_SELECTOR",
    [EM_DOM_E_NO_MATCH] = "E_NO_MATCH",
    [EM_DOM_E_AMBIGUOUS] = "E_AMBIGUOUS",
    [EM_DOM_E_COUNT] = "E_COUNT",
    [EM_DOM_E_NO_CLASS] = "E_NO_CLASS",
    [EM_DOM_E_IMPLIED] = "E_IMPLIED",
    [EM_DOM_E_CLONED] = "E_CLONED",
    [EM_DOM_E_MERGED_ATTR] = "E_MERGED_ATTR",
    [EM_DOM_E_NO_END] = "E_NO_END",
    [EM_DOM_E_VOID] = "E_VOID",
    [EM_DOM_E_ROOT] = "E_ROOT",
    [EM_DOM_E_RAWTEXT] = "E_RAWTEXT",
    [EM_DOM_E_FOSTER] = "E_FOSTER",
    [EM_DOM_E_TEMPLATE] = "E_TEMPLATE",
    [EM_DOM_E_BADNAME] = "E_BADNAME",
    [EM_DOM_E_ENCODING] = "E_ENCODING",
    [EM_DOM_E_PLACEHOLDER] = "E_PLACEHOLDER",
    [EM_DOM_E_FRAGMENT] = "E_FRAGMENT",
    [EM_DOM_E_GUARD] = "E_GUARD",
};

em_dom_action em_dom_action_of(em_slice word)
{
    int action = 0;
    while (action < EM_DOM_NO_ACTION && !em_same_in_any_case(word, em_slice_of(actions[action])))
        action++;
    return (em_dom_action)action;
}

const char *em_dom_action_name(em_dom_action action)
{
    return actions[action];
}

em_dom_position em_dom_position_of(em_slice word)
{
    int position = 0;
    while (position < EM_DOM_NO_POSITION &&
           !em_same_in_any_case(word, em_slice_of(positions[position])))
        position++;
    return (em_dom_position)position;
}

const char *em_dom_position_name(em_dom_position position)
{
    return positions[position];
}

const char *em_dom_code_name(em_dom_code code)
{
    return codes[code];
}

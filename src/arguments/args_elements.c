/* args_elements.c: operations on elements, in which several values came at once.
 *
 *   {"action": "setAttribute", "attributes": {"href": "/", "title": "Home"}}
 *       ->   {"action": "setAttribute", "attr": "href", "value": "/"}, {..., "attr": "title", ...}
 *   {"action": "replaceClass", "value": ["old", "new"]}
 *       ->   {"action": "replaceClass", "oldClass": "old", "newClass": "new"}
 *   {"action": "addClass", "value": ["a", "b"]}
 *       ->   {"action": "addClass", "value": "a b"}
 *   {"selector": ["h1", "h2"], "action": "addClass"}
 *       ->   {"selector": "h1, h2", "action": "addClass"}
 */
#include "arguments/args_impl.h"

#include "arguments/dom_args.h"
#include "base/line.h"
#include "base/strbuf.h"
#include "tools/nearest.h"
#include "json/json_text.h"

#include <strings.h>

/* An operation, and the values that came in one. */
typedef struct several {
    em_json *json;
    json_t *operation;
    const char *key; /* of the values */
    json_t *values;
} several;

/* ---- What came ------------------------------------------------------------------------------ */

static bool has_action(const several *s, const char *const *names)
{
    return em_is_one_name_of(names, json_string_value(json_object_get(s->operation, "action")));
}

/* Is there more of what the values are? Which of the two is meant nobody knows. */
static bool has_more(const several *s)
{
    static const char *const of_values[] = {"attr",    "attribute", "attributes", "attrs",
                                            "value",   "oldClass",  "newClass",   "class",
                                            "classes", NULL};
    const char *key;
    json_t *value;
    json_object_foreach(s->operation, key, value)
    {
        if (strcmp(key, s->key) != 0 && em_is_one_name_of(of_values, key))
            return true;
    }
    return false;
}

static bool are_strings(const json_t *list)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (!json_is_string(json_array_get(list, i)))
            return false;
    return json_array_size(list) > 0;
}

static bool are_two_strings(const json_t *list)
{
    return json_array_size(list) == 2 && are_strings(list);
}

/* ---- What was meant -------------------------------------------------------------------------- */

/* The operation without the values, with that action. A new reference. */
static json_t *rest(const several *s, const char *action)
{
    json_t *out = em_json_copy(s->json, s->operation);
    json_object_del(out, s->key);
    em_json_set_string(s->json, out, "action", action);
    return out;
}

static json_t *list_of(const several *s, json_t *operation)
{
    json_t *list = em_json_array(s->json);
    em_json_add(s->json, list, operation);
    return list;
}

/* Is the text that begins so an attribute's name in brackets, or its pseudo-class? */
static bool begins_with_name(em_slice text, const char *name)
{
    text = em_trimmed(text);
    return text.len >= strlen(name) && strncasecmp(text.ptr, name, strlen(name)) == 0;
}

/* Does the selector look at that attribute? Within brackets "#" and "." are no signs. */
static bool is_looked_at(em_slice selector, const char *name)
{
    char sign = strcmp(name, "id") == 0 ? '#' : strcmp(name, "class") == 0 ? '.' : ':';
    bool in_brackets = false;
    for (size_t i = 0; i < selector.len; i++) {
        char c = selector.ptr[i];
        bool is_name = begins_with_name(em_slice_from(selector, i + 1), name);
        if ((c == '[' && is_name) || (!in_brackets && c == sign && (sign != ':' || is_name)))
            return true;
        in_brackets = c == '[' || (in_brackets && c != ']');
    }
    return false;
}

/* When the operation on an attribute comes: what the element is found by comes last. */
typedef enum turn { FIRST, LATER, LAST, TURNS } turn;

static turn turn_of(const several *s, const char *name)
{
    if (is_looked_at(em_json_slice(json_object_get(s->operation, "selector")), name))
        return LAST;
    return strcmp(name, "id") == 0 || strcmp(name, "class") == 0 ? LATER : FIRST;
}

static void add_if_its_turn(const several *s, const char *action, turn now, const char *name,
                            json_t *value, json_t *list)
{
    if (turn_of(s, name) != now)
        return;
    json_t *one = rest(s, action);
    em_json_set_string(s->json, one, "attr", name);
    if (value)
        em_json_set(s->json, one, "value", json_incref(value));
    em_json_add(s->json, list, one);
}

/* The attributes, by their names or in a list of these, whose turn it is. */
static void add_attributes(const several *s, const char *action, turn now, json_t *list)
{
    const char *name;
    json_t *value;
    json_object_foreach(s->values, name, value)
    {
        add_if_its_turn(s, action, now, name, value, list);
    }
    for (size_t i = 0; i < json_array_size(s->values); i++)
        add_if_its_turn(s, action, now, json_string_value(json_array_get(s->values, i)), NULL,
                        list);
}

/* An operation for each. NULL: the selector looks at more than one of them, so that it finds
 * nothing for the last. */
static json_t *on_each_attribute(const several *s, const char *action)
{
    json_t *list = em_json_array(s->json);
    size_t before_last = 0;
    for (turn now = FIRST; now < TURNS; now++) {
        before_last = now == LAST ? json_array_size(list) : 0;
        add_attributes(s, action, now, list);
    }
    if (json_array_size(list) <= before_last + 1)
        return list;
    json_decref(list);
    return NULL;
}

/* The two of a list under their own names. */
static json_t *with_both(const several *s, const char *action, const char *first,
                         const char *second)
{
    json_t *one = rest(s, action);
    em_json_set(s->json, one, first, json_incref(json_array_get(s->values, 0)));
    em_json_set(s->json, one, second, json_incref(json_array_get(s->values, 1)));
    return list_of(s, one);
}

/* All of a list as one text, under that name. */
static json_t *with_joined(const several *s, const char *between, const char *name)
{
    EM_AUTO(em_strbuf) all = {0};
    json_t *one = em_json_copy(s->json, s->operation);
    for (size_t i = 0; i < json_array_size(s->values); i++)
        em_strbuf_printf(&all, "%s%s", i > 0 ? between : "",
                         json_string_value(json_array_get(s->values, i)));
    json_object_del(one, s->key);
    em_json_set_text(s->json, one, name, em_strbuf_slice(&all));
    s->json->failed |= all.failed;
    return list_of(s, one);
}

static json_t *of_attributes(const several *s)
{
    static const char *const setting[] = {"setAttribute", "setAttributes", "setAttr", "setAttrs",
                                          NULL};
    static const char *const removing[] = {"removeAttribute", "removeAttributes", NULL};
    if (has_action(s, setting) && json_object_size(s->values) > 0)
        return on_each_attribute(s, "setAttribute");
    if (has_action(s, setting) && are_two_strings(s->values) && em_is_same_name(s->key, "value"))
        return with_both(s, "setAttribute", "attr", "value");
    return has_action(s, removing) && are_strings(s->values)
               ? on_each_attribute(s, "removeAttribute")
               : NULL;
}

static json_t *of_classes(const several *s)
{
    static const char *const replacing[] = {"replaceClass", NULL};
    static const char *const one_by_one[] = {"addClass", "removeClass", NULL};
    if (has_action(s, replacing) && are_two_strings(s->values))
        return with_both(s, "replaceClass", "oldClass", "newClass");
    return has_action(s, one_by_one) && are_strings(s->values) ? with_joined(s, " ", "value")
                                                               : NULL;
}

/* A list of selectors, where the action takes all that match. */
static json_t *of_selectors(const several *s)
{
    static const char *const taking_all[] = {"addClass", "removeClass", "replaceClass", NULL};
    bool is_clear =
        em_is_same_name(s->key, "selector") || !json_object_get(s->operation, "selector");
    bool takes_all =
        has_action(s, taking_all) || json_is_true(json_object_get(s->operation, "all"));
    return is_clear && takes_all && are_strings(s->values) ? with_joined(s, ", ", "selector")
                                                           : NULL;
}

json_t *em_operations_of_values(em_json *json, const em_param *fields, json_t *operation)
{
    static const char *const of_attr[] = {"attributes", "attrs", "value", NULL};
    static const char *const of_class[] = {"classes", "class", "value", NULL};
    static const char *const of_selector[] = {"selector", "selectors", NULL};
    const char *key;
    json_t *value;
    if (fields != em_dom_operation_params || json_object_size(operation) > EM_MOST_NAMES)
        return NULL;
    json_object_foreach(operation, key, value)
    {
        several s = {json, operation, key, value};
        bool is_clear = !has_more(&s);
        json_t *list = is_clear && em_is_one_name_of(of_attr, key) ? of_attributes(&s) : NULL;
        if (!list && is_clear && em_is_one_name_of(of_class, key))
            list = of_classes(&s);
        if (!list && em_is_one_name_of(of_selector, key))
            list = of_selectors(&s);
        if (list)
            return list;
    }
    return NULL;
}

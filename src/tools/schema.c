#include "tools/schema.h"

#include "json/json.h"

typedef struct schema_maker {
    em_json json;
    bool open;       /* objects may hold what their table does not name */
    bool with_forms; /* say in which forms objects come */
} schema_maker;

static json_t *object_schema(schema_maker *maker, const em_param *fields, const em_form *forms);

static const char *type_name(em_param_type type)
{
    static const char *const names[] = {
        [EM_P_STRING] = "string",   [EM_P_NAME] = "string",   [EM_P_PATH] = "string",
        [EM_P_INTEGER] = "integer", [EM_P_NUMBER] = "number", [EM_P_BOOL] = "boolean",
        [EM_P_OBJECT] = "object",   [EM_P_LIST] = "array",    [EM_P_BOOL_OR_WORD] = NULL,
    };
    return names[type];
}

static void add_type(schema_maker *maker, json_t *schema, em_param_type type)
{
    if (type_name(type))
        em_json_set_string(&maker->json, schema, "type", type_name(type));
    if (type == EM_P_NAME || type == EM_P_PATH)
        em_json_set_size(&maker->json, schema, "minLength", 1);
}

/* In an answer null is a value like any other. */
static void allow_null(schema_maker *maker, json_t *schema, em_param_type type)
{
    json_t *types = em_json_array(&maker->json);
    em_json_add(&maker->json, types, em_json_text(&maker->json, em_slice_of(type_name(type))));
    em_json_add(&maker->json, types, em_json_text(&maker->json, em_slice_of("null")));
    em_json_set(&maker->json, schema, "type", types);
}

static void add_words(schema_maker *maker, json_t *schema, const em_param *param)
{
    json_t *list = em_json_array(&maker->json);
    if (param->type == EM_P_BOOL_OR_WORD) {
        em_json_add(&maker->json, list, json_true());
        em_json_add(&maker->json, list, json_false());
    }
    for (const char *const *word = param->words; *word; word++)
        em_json_add(&maker->json, list, em_json_text(&maker->json, em_slice_of(*word)));
    em_json_set(&maker->json, schema, "enum", list);
}

static void add_bounds(schema_maker *maker, json_t *schema, const em_param *param)
{
    if (param->minimum == 0 && param->maximum == 0)
        return;
    em_json_set(&maker->json, schema, "minimum", json_integer(param->minimum));
    if (param->maximum >= param->minimum)
        em_json_set(&maker->json, schema, "maximum", json_integer(param->maximum));
}

static json_t *item_schema(schema_maker *maker, const em_param *list)
{
    if (list->fields)
        return object_schema(maker, list->fields, list->forms);
    json_t *schema = em_json_object(&maker->json);
    add_type(maker, schema, list->item);
    return schema;
}

static json_t *param_schema(schema_maker *maker, const em_param *param)
{
    em_json *json = &maker->json;
    json_t *schema = param->type == EM_P_OBJECT && param->fields
                         ? object_schema(maker, param->fields, param->forms)
                         : em_json_object(json);
    add_type(maker, schema, param->type);
    if (maker->open && param->flags & EM_P_NULLABLE)
        allow_null(maker, schema, param->type);
    if (param->help)
        em_json_set_string(json, schema, "description", param->help);
    add_bounds(maker, schema, param);
    if (param->words)
        add_words(maker, schema, param);
    if (param->type == EM_P_LIST) {
        em_json_set(json, schema, "items", item_schema(maker, param));
        if (param->flags & EM_P_NONEMPTY)
            em_json_set_size(json, schema, "minItems", 1);
    }
    if (param->fallback)
        em_json_set(json, schema, "default", json_loads(param->fallback, JSON_DECODE_ANY, NULL));
    return schema;
}

static json_t *names_list(schema_maker *maker, const char *const *names)
{
    json_t *list = em_json_array(&maker->json);
    for (; *names; names++)
        em_json_add(&maker->json, list, em_json_text(&maker->json, em_slice_of(*names)));
    return list;
}

static json_t *form_schema(schema_maker *maker, const em_param *fields, const em_form *form)
{
    em_json *json = &maker->json;
    json_t *schema = em_json_object(json), *properties = em_json_object(json);
    if (form->chooser) {
        json_t *chooser = em_json_object(json);
        em_json_set(json, chooser, "enum", names_list(maker, form->values));
        em_json_set(json, properties, form->chooser, chooser);
    }
    for (; fields->name; fields++)
        for (const char *const *name = form->excludes; *name; name++)
            if (strcmp(*name, fields->name) == 0)
                em_json_set_bool(json, properties, fields->name, false);
    em_json_set_string(json, schema, "title", form->name);
    em_json_set(json, schema, "required", names_list(maker, form->needs));
    em_json_set(json, schema, "properties", properties);
    return schema;
}

static void add_forms(schema_maker *maker, json_t *schema, const em_param *fields,
                      const em_form *forms)
{
    json_t *list = em_json_array(&maker->json);
    for (; forms->name; forms++)
        em_json_add(&maker->json, list, form_schema(maker, fields, forms));
    em_json_set(&maker->json, schema, "oneOf", list);
}

static json_t *object_schema(schema_maker *maker, const em_param *fields, const em_form *forms)
{
    const em_param *table = fields;
    em_json *json = &maker->json;
    json_t *schema = em_json_object(json);
    json_t *properties = em_json_object(json), *required = em_json_array(json);
    em_json_set_string(json, schema, "type", "object");
    for (; fields->name; fields++) {
        em_json_set(json, properties, fields->name, param_schema(maker, fields));
        if (fields->flags & EM_P_REQUIRED)
            em_json_add(json, required, em_json_text(json, em_slice_of(fields->name)));
    }
    em_json_set(json, schema, "properties", properties);
    if (json_array_size(required) > 0)
        em_json_set(json, schema, "required", json_incref(required));
    json_decref(required);
    if (!maker->open)
        em_json_set_bool(json, schema, "additionalProperties", false);
    if (maker->with_forms && forms)
        add_forms(maker, schema, table, forms);
    return schema;
}

json_t *em_schema_input(const em_param *params)
{
    schema_maker maker = {.open = false};
    json_t *schema = object_schema(&maker, params, NULL);
    return em_json_done(&maker.json, schema);
}

json_t *em_schema_output(const em_param *fields)
{
    schema_maker maker = {.open = true};
    json_t *schema = object_schema(&maker, fields, NULL);
    return em_json_done(&maker.json, schema);
}

json_t *em_schema_full(const em_param *params, const em_form *forms)
{
    schema_maker maker = {.with_forms = true};
    json_t *schema = object_schema(&maker, params, forms);
    return em_json_done(&maker.json, schema);
}

#include "tools/schema.h"

#include "memory.h"

static const char *const modes[] = {"fast", "safe", NULL};

static const char *const partly[] = {"partial", NULL};

static const em_param item[] = {
    {.name = "text", .type = EM_P_STRING, .flags = EM_P_REQUIRED, .help = "What."},
    {.name = "times", .type = EM_P_INTEGER, .minimum = 1, .fallback = "1"},
    {.name = NULL},
};

static const em_param all[] = {
    {.name = "path", .alias = "file", .type = EM_P_PATH, .flags = EM_P_REQUIRED, .help = "Where."},
    {.name = "items", .type = EM_P_LIST, .flags = EM_P_REQUIRED | EM_P_NONEMPTY, .fields = item},
    {.name = "tags", .type = EM_P_LIST, .item = EM_P_NAME},
    {.name = "limit", .type = EM_P_INTEGER, .minimum = 1, .maximum = 2000},
    {.name = "ratio", .type = EM_P_NUMBER},
    {.name = "mode", .type = EM_P_STRING, .words = modes, .fallback = "\"safe\""},
    {.name = "any", .type = EM_P_OBJECT},
    {.name = "one", .type = EM_P_OBJECT, .fields = item, .help = "Just one."},
    {.name = "dry", .type = EM_P_BOOL, .flags = EM_P_NULLABLE, .fallback = "false"},
    {.name = "done", .type = EM_P_BOOL_OR_WORD, .words = partly},
    {.name = NULL},
};

static const em_param nothing[] = {{.name = NULL}};

static void check_schema(json_t *schema, const char *want)
{
    json_error_t error;
    json_t *wanted = json_loads(want, JSON_REJECT_DUPLICATES, &error);
    if (!wanted)
        fail_msg("%s at %d", error.text, error.position);
    char *text = json_dumps(schema, JSON_COMPACT), *other = json_dumps(wanted, JSON_COMPACT);
    assert_string_equal(text, other); /* the order counts too */
    free(text);
    free(other);
    json_decref(wanted);
    json_decref(schema);
}

#define ITEM_PROPERTIES                                                                            \
    "{\"text\":{\"type\":\"string\",\"description\":\"What.\"},"                                   \
    " \"times\":{\"type\":\"integer\",\"minimum\":1,\"default\":1}}"

static void what_comes_in_holds_nothing_else(void **state)
{
    (void)state;
    check_schema(
        em_schema_input(all),
        "{\"type\":\"object\",\"properties\":{"
        "\"path\":{\"type\":\"string\",\"minLength\":1,\"description\":\"Where.\"},"
        "\"items\":{\"type\":\"array\",\"items\":{\"type\":\"object\",\"properties\":" //
        ITEM_PROPERTIES ",\"required\":[\"text\"],\"additionalProperties\":false},\"minItems\":1},"
        "\"tags\":{\"type\":\"array\",\"items\":{\"type\":\"string\",\"minLength\":1}},"
        "\"limit\":{\"type\":\"integer\",\"minimum\":1,\"maximum\":2000},"
        "\"ratio\":{\"type\":\"number\"},"
        "\"mode\":{\"type\":\"string\",\"enum\":[\"fast\",\"safe\"],\"default\":\"safe\"},"
        "\"any\":{\"type\":\"object\"},"
        "\"one\":{\"type\":\"object\",\"properties\":" ITEM_PROPERTIES
        ",\"required\":[\"text\"],\"additionalProperties\":false,\"description\":\"Just one.\"},"
        "\"dry\":{\"type\":\"boolean\",\"default\":false},"
        "\"done\":{\"enum\":[true,false,\"partial\"]}},"
        "\"required\":[\"path\",\"items\"],\"additionalProperties\":false}");
    check_schema(em_schema_input(nothing), "{\"type\":\"object\",\"properties\":{},"
                                           "\"additionalProperties\":false}");
}

static void what_goes_out_may_hold_more(void **state)
{
    (void)state;
    static const em_param fields[] = {
        {.name = "path", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
        {.name = "one", .type = EM_P_OBJECT, .fields = item},
        {.name = "index", .type = EM_P_INTEGER, .flags = EM_P_NULLABLE, .help = "Or null."},
        {.name = NULL},
    };
    check_schema(em_schema_output(fields),
                 "{\"type\":\"object\",\"properties\":{\"path\":{\"type\":\"string\"},"
                 "\"one\":{\"type\":\"object\",\"properties\":" ITEM_PROPERTIES
                 ",\"required\":[\"text\"]},"
                 "\"index\":{\"type\":[\"integer\",\"null\"],\"description\":\"Or null.\"}},"
                 "\"required\":[\"path\"]}");
}

static void forms_are_told_where_they_can_be_read(void **state)
{
    (void)state;
    static const char *const needs_text[] = {"text", NULL}, *const needs_times[] = {"times", NULL};
    static const char *const no_text[] = {"text", "other", NULL}, *const none[] = {NULL};
    static const char *const fast[] = {"fast", NULL};
    static const em_form item_forms[] = {
        {"said", needs_text, none, NULL, NULL},
        {"counted", needs_times, no_text, "times", fast},
        {NULL, NULL, NULL, NULL, NULL},
    };
    static const em_param listed[] = {
        {.name = "items", .type = EM_P_LIST, .fields = item, .forms = item_forms},
        {.name = NULL},
    };
    static const char *const needs_items[] = {"items", NULL};
    static const em_form forms[] = {
        {"only", needs_items, none, NULL, NULL},
        {NULL, NULL, NULL, NULL, NULL},
    };
#define ITEMS(forms)                                                                               \
    "{\"type\":\"object\",\"properties\":{\"items\":{\"type\":\"array\",\"items\":{\"type\":"      \
    "\"object\",\"properties\":" ITEM_PROPERTIES                                                   \
    ",\"required\":[\"text\"],\"additionalProperties\":false" forms                                \
    "}}},\"additionalProperties\":false"
#define ITEM_FORMS                                                                                 \
    ",\"oneOf\":[{\"title\":\"said\",\"required\":[\"text\"],\"properties\":{}},"                  \
    "{\"title\":\"counted\",\"required\":[\"times\"],"                                             \
    "\"properties\":{\"times\":{\"enum\":[\"fast\"]},\"text\":false}}]"
    check_schema(em_schema_input(listed), ITEMS("") "}");
    check_schema(em_schema_full(listed, NULL), ITEMS(ITEM_FORMS) "}");
    check_schema(em_schema_full(listed, forms),
                 ITEMS(ITEM_FORMS) ",\"oneOf\":[{\"title\":\"only\",\"required\":[\"items\"],"
                                   "\"properties\":{}}]}");
}

static bool make(void *context)
{
    (void)context;
    json_t *schema = em_schema_input(all);
    json_decref(schema);
    return schema != NULL;
}

static void out_of_memory_gives_no_schema(void **state)
{
    (void)state;
    assert_true(run_out_of_memory(make, NULL) > 50);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_comes_in_holds_nothing_else),
        cmocka_unit_test(what_goes_out_may_hold_more),
        cmocka_unit_test(forms_are_told_where_they_can_be_read),
        cmocka_unit_test(out_of_memory_gives_no_schema),
    };
    use_counted_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "arguments/args.h"
#include "arguments/members.h"
#include "json/json_text.h"

#include "memory.h"

static const em_param fields[] = {
    {.name = "old_text", .alias = "old", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
    {.name = "new_text", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
    {.name = "times", .type = EM_P_INTEGER, .flags = EM_P_NULLABLE, .minimum = 1},
    {.name = NULL},
};
enum { OLD, NEW, TIMES, FIELDS };

static const em_param params[] = {
    {.name = "edits", .type = EM_P_LIST, .flags = EM_P_REQUIRED, .fields = fields},
    {.name = NULL},
};

static json_t *load(const char *text)
{
    json_t *value;
    em_error err = EM_ERROR_INIT;
    if (em_json_parse(em_slice_of(text), &value, &err) != EM_OK)
        fail_msg("%s: %s", text, err.detail);
    return value;
}

/* Objects in turn, each with its names in another order than the one before. */
static void each_member_is_its_parameter(void **state)
{
    (void)state;
    static const struct {
        const char *object;
        bool is_read;
        const char *values[FIELDS];
    } cases[] = {
        {"{\"old_text\":\"a\",\"new_text\":\"b\"}", true, {"a", "b", NULL}},
        {"{\"old_text\":\"c\",\"new_text\":\"d\"}", true, {"c", "d", NULL}},
        {"{\"new_text\":\"e\",\"old_text\":\"f\"}", true, {"f", "e", NULL}},
        {"{\"times\":\"g\",\"new_text\":\"h\",\"old_text\":\"i\"}", true, {"i", "h", "g"}},
        {"{\"new_text\":\"j\"}", true, {NULL, "j", NULL}},
        {"{\"old_text\":\"k\",\"times\":null}", true, {"k", NULL, NULL}},
        {"{}", true, {NULL, NULL, NULL}},
        {"{\"old_text\":\"l\",\"newtext\":\"m\"}", false, {NULL}},
        {"{\"old\":\"n\",\"new_text\":\"o\"}", false, {NULL}},
        {"{\"old_text\":\"p\",\"new_text\":\"q\",\"times\":\"r\"}", true, {"p", "q", "r"}},
    };
    em_members members = em_members_of(fields);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_json_ref) object = load(cases[i].object);
        if (em_members_read(&members, object) != cases[i].is_read)
            fail_msg("%s", cases[i].object);
        for (size_t param = 0; cases[i].is_read && param < FIELDS; param++) {
            const char *want = cases[i].values[param];
            const json_t *value = members.values[param];
            if (want ? !em_json_is(value, want) : value != NULL)
                fail_msg("%s: %s", cases[i].object, fields[param].name);
        }
    }
}

/* Null counts as not given only where the table says so. */
static void null_is_a_value(void **state)
{
    (void)state;
    em_members members = em_members_of(fields);
    EM_AUTO(em_json_ref) object = load("{\"new_text\":null,\"times\":null}");
    assert_true(em_members_read(&members, object));
    assert_true(json_is_null(members.values[NEW]));
    assert_null(members.values[TIMES]);
    assert_null(members.values[OLD]);
}

static void what_is_too_many_is_not_read(void **state)
{
    (void)state;
    em_param many[EM_MOST_MEMBERS + 2];
    for (size_t i = 0; i <= EM_MOST_MEMBERS; i++)
        many[i] = fields[NEW];
    many[EM_MOST_MEMBERS + 1] = fields[FIELDS];
    em_members wide = em_members_of(many), none = em_members_of(NULL);
    EM_AUTO(em_json_ref) small = load("{\"new_text\":\"a\"}");
    assert_false(em_members_read(&wide, small));
    assert_ptr_equal(wide.params, many);
    assert_false(em_members_read(&none, small));
    em_members just = em_members_of(many + 1);
    assert_true(em_members_read(&just, small));

    EM_AUTO(em_json_ref) large = json_object();
    for (size_t i = 0; i <= EM_MOST_MEMBERS; i++) {
        char name[8];
        snprintf(name, sizeof name, "n%zu", i);
        assert_int_equal(json_object_set_new(large, name, json_true()), 0);
    }
    em_members members = em_members_of(fields);
    assert_false(em_members_read(&members, large));
}

/* A list tells the same as its elements asked for one by one, by whatever names they came. */
static void lists_are_read_as_their_elements(void **state)
{
    (void)state;
    EM_AUTO(em_json_ref)
    object = load("{\"edits\":[{\"old_text\":\"a\",\"new_text\":\"b\",\"times\":2},"
                  "{\"new_text\":\"c\",\"old\":\"d\"},{\"times\":null,\"old_text\":\"e\","
                  "\"new_text\":\"f\"},{\"old_text\":null,\"old\":\"g\",\"new_text\":\"h\"}]}");
    em_args args = {.params = params, .object = object};
    em_arg_list edits = em_arg_elements(args, "edits");
    assert_int_equal(edits.count, 4);
    for (size_t i = 0; i < edits.count; i++) {
        em_args one = em_arg_element(args, "edits", i), same = em_arg_at(&edits, i);
        for (const em_param *field = fields; field->name; field++)
            assert_ptr_equal(em_arg(one, field->name), em_arg(same, field->name));
        assert_null(em_arg(same, "no_such_name"));
        assert_ptr_equal(one.object, same.object);
        assert_ptr_equal(one.params, same.params);
    }
    assert_true(em_slice_is(em_arg_text(em_arg_at(&edits, 1), "old_text"), "d"));
    assert_int_equal(em_arg_size(em_arg_at(&edits, 0), "times"), 2);
    assert_int_equal(em_arg_size(em_arg_at(&edits, 2), "times"), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_member_is_its_parameter),
        cmocka_unit_test(null_is_a_value),
        cmocka_unit_test(what_is_too_many_is_not_read),
        cmocka_unit_test(lists_are_read_as_their_elements),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "json/json.h"

#include "memory.h"

static void check_dump(json_t *value, const char *want)
{
    char *text = json_dumps(value, JSON_COMPACT | JSON_ENCODE_ANY);
    assert_string_equal(text, want);
    free(text);
    json_decref(value);
}

static json_t *everything(void)
{
    em_json json = {0};
    json_t *root = em_json_object(&json), *list = em_json_array(&json);
    em_json_add(&json, list, json_integer(1));
    em_json_add(&json, list, em_json_text(&json, EM_LIT("caf\xE9")));
    em_json_set(&json, root, "z", list);
    em_json_set_text(&json, root, "a", em_slice_make("x\0y", 3));
    em_json_set_string(&json, root, "m", "");
    em_json_set_size(&json, root, "n", 7);
    em_json_set_bool(&json, root, "b", true);
    em_json_set_text(&json, root, "none", (em_slice){NULL, 0});
    return em_json_done(&json, root);
}

static void keys_stand_as_they_were_set(void **state)
{
    (void)state;
    check_dump(everything(), "{\"z\":[1,\"caf\xEF\xBF\xBD\"],\"a\":\"x\\u0000y\",\"m\":\"\","
                             "\"n\":7,\"b\":true,\"none\":\"\"}");
}

static void each_byte_that_is_not_utf8_is_replaced(void **state)
{
    (void)state;
    static const struct {
        const char *bytes, *want;
    } cases[] = {
        {"plain", "\"plain\""},
        {"\xE4\xBD\xA0", "\"\xE4\xBD\xA0\""},
        {"\xE4\xBD", "\"\xEF\xBF\xBD\xEF\xBF\xBD\""},
        {"a\xFF", "\"a\xEF\xBF\xBD\""},
        {"\xFF"
         "a\xFE"
         "b",
         "\"\xEF\xBF\xBD"
         "a\xEF\xBF\xBD"
         "b\""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_json json = {0};
        check_dump(em_json_text(&json, em_slice_of(cases[i].bytes)), cases[i].want);
        assert_false(json.failed);
    }
}

static bool build(void *context)
{
    (void)context;
    json_t *root = everything();
    json_decref(root);
    return root != NULL;
}

static void out_of_memory_is_said_at_the_end(void **state)
{
    (void)state;
    assert_true(run_out_of_memory(build, NULL) > 10);
}

/* All of it, or nothing, and that is said. */
static bool copy(void *context)
{
    json_t *value = context;
    em_json json = {0};
    EM_AUTO(em_json_ref) made = em_json_copy(&json, value);
    assert_int_equal(made == NULL, json.failed);
    assert_true(!made || json_equal(made, value));
    return made != NULL;
}

static void a_copy_is_whole_or_none(void **state)
{
    (void)state;
    EM_AUTO(em_json_ref) object = everything();
    EM_AUTO(em_json_ref) list = json_array();
    for (int i = 0; i < 100; i++) /* more than a list has room for at first */
        json_array_append_new(list, json_integer(i));
    assert_true(run_out_of_memory(copy, object) > 5);
    assert_true(run_out_of_memory(copy, list) > 2);
    assert_false(copy(NULL));
}

static void a_reference_is_given_back(void **state)
{
    (void)state;
    json_t *value = json_object();
    {
        EM_AUTO(em_json_ref) again = json_incref(value);
        assert_int_equal(again->refcount, 2);
    }
    assert_int_equal(value->refcount, 1);
    json_decref(value);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(keys_stand_as_they_were_set),
        cmocka_unit_test(each_byte_that_is_not_utf8_is_replaced),
        cmocka_unit_test(out_of_memory_is_said_at_the_end),
        cmocka_unit_test(a_copy_is_whole_or_none),
        cmocka_unit_test(a_reference_is_given_back),
    };
    use_counted_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}

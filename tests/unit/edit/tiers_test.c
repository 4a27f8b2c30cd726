#include "edit/tiers.h"

#include "test.h"

/* What the replacement is taken for, where the search text is found with its entities or escapes
 * undone. */
static const struct {
    const char *what, *text, *find, *insert, *taken_for;
} cases[] = {
    {"entities in both", "<b>a &amp; b</b>\n", "&lt;b&gt;a &amp;amp; b&lt;/b&gt;",
     "&lt;i&gt;a &amp;amp; b&lt;/i&gt;", "<i>a &amp; b</i>"},
    {"entities in the search text", "<b>a &amp; b &lt;3</b>\n",
     "&lt;b&gt;a &amp;amp; b &amp;lt;3&lt;/b&gt;", "<i>a &amp; b &lt;3</i>",
     "<i>a &amp; b &lt;3</i>"},
    {"escapes in both", "a = \"x\";\nb();\n", "a = \\\"x\\\";\\nb();", "a = \\\"y\\\";\\nb();",
     "a = \"y\";\nb();"},
    {"escapes in the search text: a sign", "f(c) {\n    return c == '\\n';\n}\n",
     "{\\n    return c == '\\\\n';\\n}", "{\n    log();\n    return c == '\\n';\n}",
     "{\n    log();\n    return c == '\\n';\n}"},
    {"a path", "{\n  \"p\": \"C:\\\\d\",\n  \"n\": 1\n}\n",
     "  \"p\": \"C:\\\\\\\\d\",\n  \"n\": 1\n", "  \"p\": \"C:\\\\d\",\n  \"n\": 2\n",
     "  \"p\": \"C:\\\\d\",\n  \"n\": 2\n"},
    {"line breaks tell", "a = 1;\nb = \"x\";\n", "a = 1;\\nb = \\\"x\\\";",
     "a = 1;\nb = \"C:\\\\d\";", "a = 1;\nb = \"C:\\\\d\";"},
};

static void what_was_not_wrapped_is_not_unwrapped(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_located located;
        em_sightings in = {.text = em_slice_of(cases[i].text), .arena = &arena};
        assert_int_equal(em_tiers_locate(&in, em_slice_of(cases[i].find),
                                         em_slice_of(cases[i].insert), EM_TIER_FUZZY, NULL, &arena,
                                         &located),
                         EM_OK);
        check_size(cases[i].what, located.places.count, 1);
        check_bytes(cases[i].what, located.places.items[0].insert, em_slice_of(cases[i].taken_for));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_was_not_wrapped_is_not_unwrapped),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

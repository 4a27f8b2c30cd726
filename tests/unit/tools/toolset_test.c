#include "tools/toolset.h"

#include "base/arena.h"
#include "tools/foreign_tools.h"

#include "../with_cmocka.h"

static const em_tool change = {.name = "changeText", .flags = EM_TOOL_DESTRUCTIVE | EM_TOOL_EDITS},
                     edit = {.name = "Edit", .flags = EM_TOOL_DESTRUCTIVE | EM_TOOL_EDITS},
                     look = {.name = "look", .flags = EM_TOOL_READ_ONLY | EM_TOOL_READS},
                     preview = {.name = "preview_edit", .flags = EM_TOOL_READ_ONLY},
                     put = {.name = "put_all", .flags = EM_TOOL_DESTRUCTIVE | EM_TOOL_WRITES};

static const em_tool *offered[] = {&change, &edit, &look, &preview, &put};
static const em_toolset set = {offered, sizeof offered / sizeof *offered};

static void names_of_other_programs(void **state)
{
    (void)state;
    static const struct {
        const char *name, *want;
    } cases[] = {
        {"apply_patch", "changeText"}, /* the first that edits */
        {"functions.apply_patch", "changeText"},
        {"ApplyPatch", "changeText"},
        {"str_replace_editor", "Edit"}, /* of those that edit, the nearest */
        {"view", "look"},               /* not preview_edit, which holds the word */
        {"default_api:cat", "look"},
        {"write_to_file", "put_all"},
        {"mcp__emend__Edit", "Edit"},
        {"Edit_", "Edit"}, /* a slip */
        {"create", NULL},  /* none here makes new files */
        {"bash", NULL},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *got = em_toolset_nearest(&set, cases[i].name);
        if (!cases[i].want)
            assert_null(got);
        else
            assert_string_equal(got, cases[i].want);
    }
}

static void what_clients_put_before_a_name(void **state)
{
    (void)state;
    assert_string_equal(em_bare_tool_name("mcp__a_b__Edit"), "Edit");
    assert_string_equal(em_bare_tool_name("a/b.Edit"), "Edit");
    assert_string_equal(em_bare_tool_name("Edit."), "Edit."); /* nothing would be left */
    assert_string_equal(em_bare_tool_name("__"), "__");
    assert_string_equal(em_bare_tool_name(""), "");
}

static void advice(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    assert_string_equal(em_toolset_advice(&set, "apply_diff", &arena), "Did you mean changeText?");
    assert_string_equal(em_toolset_advice(&set, "bash", &arena),
                        "There are: changeText, Edit, look, preview_edit, put_all");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_of_other_programs),
        cmocka_unit_test(what_clients_put_before_a_name),
        cmocka_unit_test(advice),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

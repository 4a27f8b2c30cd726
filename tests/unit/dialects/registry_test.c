#include "arguments/call.h"
#include "dialects/registry.h"
#include "tools/describe.h"

#include "json/json_text.h"

#include "calls.h"
#include "memory.h"

#define DIALECT(name) extern const em_dialect em_dialect_##name;
#include "dialects/dialects.def"
#undef DIALECT

static const em_dialect *const dialects[] = {
#define DIALECT(name) &em_dialect_##name,
#include "dialects/dialects.def"
#undef DIALECT
};

/* What "all" chooses. */
static const char *all_tools(bool read_only, em_arena *arena)
{
    EM_AUTO(em_strbuf) names = {0};
    for (size_t i = 0; i < COUNT_OF(dialects); i++)
        for (const em_tool *tool = dialects[i]->tools; tool->name; tool++)
            if (!read_only || tool->flags & EM_TOOL_READ_ONLY)
                em_strbuf_printf(&names, "%s ", tool->name);
    return em_strbuf_finish(&names, arena);
}

/* What may be chosen by name. */
static const char *all_names(em_arena *arena)
{
    EM_AUTO(em_strbuf) names = {0};
    em_strbuf_puts(&names, "all");
    for (size_t i = 0; i < COUNT_OF(dialects); i++) {
        em_strbuf_printf(&names, ", %s", dialects[i]->name);
        for (const em_tool *tool = dialects[i]->tools; tool->name; tool++)
            em_strbuf_printf(&names, ", %s", tool->name);
    }
    return em_strbuf_finish(&names, arena);
}

static const char *names_of(const em_toolset *set, em_arena *arena)
{
    EM_AUTO(em_strbuf) names = {0};
    for (size_t i = 0; i < set->count; i++)
        em_strbuf_printf(&names, "%s ", set->tools[i]->name);
    return em_strbuf_finish(&names, arena);
}

static void tools_are_chosen_by_name(void **state)
{
    (void)state;
    static const struct {
        const char *list;
        bool read_only;
        const char *want; /* NULL: all there are */
    } cases[] = {
        {NULL, false, "undo_last_edit editDOM editFile editFiles writeFiles readFile "},
        {NULL, true, "readFile "},
        {"all", false, NULL},
        {"all", true, NULL},
        {"file-edit", false, "file_edit "},
        {"simple", false,
         "edit_file read_file write_file create_file edit_file_lines preview_edit "
         "undo_last_edit "},
        {"preview_edit,edit_file", false, "edit_file preview_edit "},
        {" read_file ,\tread_file", false, "read_file "},
        {"file_edit,site", false, "file_edit editDOM editFile editFiles writeFiles readFile "},
        {"write_file", true, ""},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_toolset set;
        em_error err = EM_ERROR_INIT;
        assert_int_equal(em_toolset_choose(cases[i].list, cases[i].read_only, &arena, &set, &err),
                         EM_OK);
        const char *want = cases[i].want ? cases[i].want : all_tools(cases[i].read_only, &arena);
        assert_string_equal(names_of(&set, &arena), want);
    }
}

static void an_unknown_name_gets_the_nearest(void **state)
{
    (void)state;
    static const struct {
        const char *list, *want;
    } cases[] = {
        {"file_edt", "no tool or family 'file_edt'. Did you mean 'file_edit'?"},
        {"read_file,smple", "no tool or family 'smple'. Did you mean 'simple'?"},
        {"", "no tool or family ''. There are: "},
        {"zzz,all", "no tool or family 'zzz'. There are: "},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_toolset set;
        em_error err = EM_ERROR_INIT;
        assert_int_equal(em_toolset_choose(cases[i].list, false, &arena, &set, &err), EM_E_INVALID);
        EM_AUTO(em_strbuf) want = {0};
        em_strbuf_puts(&want, cases[i].want);
        if (cases[i].want[strlen(cases[i].want) - 1] == ' ')
            em_strbuf_puts(&want, all_names(&arena));
        assert_string_equal(err.detail, em_strbuf_finish(&want, &arena));
    }
}

static void a_tool_is_found_in_its_set(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_toolset set;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_toolset_choose(NULL, false, &arena, &set, &err), EM_OK);
    assert_string_equal(em_toolset_find(&set, "readFile")->name, "readFile");
    assert_null(em_toolset_find(&set, "edit_file"));
    assert_string_equal(em_toolset_nearest(&set, "read_fiel"), "readFile");
    assert_string_equal(em_toolset_nearest(&set, "edit_files"), "editFiles");
    assert_null(em_toolset_nearest(&set, "no_such_tool"));
}

static bool has_dry_run(const em_tool *tool)
{
    for (const em_param *param = tool->params; param->name; param++)
        if (strcmp(param->name, "dry_run") == 0 || strcmp(param->name, "dryRun") == 0)
            return true;
    return false;
}

/* And every one that changes nothing; none else: without a dry run it would be done. */
static void every_tool_that_can_be_is_tried_out(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(dialects); i++)
        for (const em_tool *tool = dialects[i]->tools; tool->name; tool++)
            if ((has_dry_run(tool) || tool->flags & EM_TOOL_READ_ONLY) !=
                (tool->read_failure != NULL))
                fail_msg("%s", tool->name);
}

static void tools_of_one_dialect_are_kin(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_toolset set;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_toolset_choose("all", false, &arena, &set, &err), EM_OK);
    const em_tool *one = em_toolset_find(&set, "file_edit");
    const em_tool *edit = em_toolset_find(&set, "edit_file");
    const em_tool *read = em_toolset_find(&set, "read_file");
    const em_tool foreign[] = {{.name = "read_file"}, {.name = NULL}};
    assert_true(em_tools_are_kin(edit, read));
    assert_false(em_tools_are_kin(one, read));
    assert_false(em_tools_are_kin(read, one));
    assert_false(em_tools_are_kin(foreign, read));
}

static void the_tool_that_shows_others_is_added_once(void **state)
{
    (void)state;
    static const struct {
        const char *list, *want;
    } cases[] = {
        {"read_file", "read_file pick_tools "},
        {"pick_tools,read_file", "read_file pick_tools "},
        {"editor", "mcp__editor__Edit pick_tools "},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_toolset set;
        em_error err = EM_ERROR_INIT;
        assert_int_equal(em_toolset_choose(cases[i].list, false, &arena, &set, &err), EM_OK);
        em_toolset_add_picker(&set);
        assert_string_equal(names_of(&set, &arena), cases[i].want);
    }
}

static void check_hints(const char *name, const char *want)
{
    EM_AUTO(em_arena) arena = {0};
    em_toolset set;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_toolset_choose("all", false, &arena, &set, &err), EM_OK);
    EM_AUTO(em_json_ref) annotations = em_tool_annotations(em_toolset_find(&set, name));
    char *text = json_dumps(annotations, JSON_COMPACT);
    assert_string_equal(text, want);
    free(text);
}

static void a_description_says_as_much_as_is_asked(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_toolset set;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_toolset_choose("all", false, &arena, &set, &err), EM_OK);
    for (size_t i = 0; i < set.count; i++) {
        const em_tool *tool = set.tools[i];
        EM_AUTO(em_json_ref)
        open = json_pack("{s:s, s:b}", "type", "object", "additionalProperties", 1);
        EM_AUTO(em_json_ref) input = em_tool_input_schema(tool);
        EM_AUTO(em_json_ref) full = em_tool_full_schema(tool);
        EM_AUTO(em_json_ref) output = em_tool_output_schema(tool);
        json_t *const schemas[] = {open, input, full};
        for (em_tool_detail detail = EM_DESCRIBE_BRIEF; detail <= EM_DESCRIBE_FULL; detail++) {
            EM_AUTO(em_json_ref) shown = em_tool_describe(tool, detail);
            bool brief = detail == EM_DESCRIBE_BRIEF;
            assert_true(em_json_is(json_object_get(shown, "name"), tool->name));
            assert_true(em_json_is(json_object_get(shown, "description"),
                                   brief ? tool->brief : tool->description));
            assert_true(json_equal(json_object_get(shown, "inputSchema"), schemas[detail]));
            assert_int_equal(json_object_get(shown, "outputSchema") != NULL, !brief && output);
            assert_non_null(json_object_get(shown, "annotations"));
        }
    }
}

static void tools_are_described(void **state)
{
    (void)state;
    check_hints("edit_file", "{\"title\":\"Edit File\",\"readOnlyHint\":false,\"destructiveHint\":"
                             "true,\"idempotentHint\":true,\"openWorldHint\":false}");
    check_hints("read_file", "{\"title\":\"Read File\",\"readOnlyHint\":true,\"destructiveHint\":"
                             "false,\"idempotentHint\":true,\"openWorldHint\":false}");
    check_hints("create_file",
                "{\"title\":\"Create File\",\"readOnlyHint\":false,\"destructiveHint\":"
                "false,\"idempotentHint\":true,\"openWorldHint\":false}");
    EM_AUTO(em_arena) arena = {0};
    em_toolset set;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_toolset_choose("all", false, &arena, &set, &err), EM_OK);
    for (size_t i = 0; i < set.count; i++) {
        const em_tool *tool = set.tools[i];
        EM_AUTO(em_json_ref) input = em_tool_input_schema(tool);
        EM_AUTO(em_json_ref) output = em_tool_output_schema(tool);
        assert_true(json_is_false(json_object_get(input, "additionalProperties")));
        assert_int_equal(output != NULL, tool->result != NULL);
        assert_null(json_object_get(output, "additionalProperties"));
        assert_true(strlen(tool->brief) < 160 && strlen(tool->description) > strlen(tool->brief));
    }
}

static void the_prompt_names_what_is_offered_and_nothing_else(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_toolset set;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_toolset_choose(NULL, false, &arena, &set, &err), EM_OK);
    assert_string_equal(em_toolset_prompt(&set, &arena),
                        "Choose the tool by what is to be done:\n"
                        "- undo_last_edit: take back the last edit, or the one whose edit_id you "
                        "name.\n"
                        "- editDOM: change text, links, images, classes or attributes of an HTML "
                        "page, or remove or add elements (preferred for these).\n"
                        "- editFile: add, change or move blocks of code or text in one file.\n"
                        "- editFiles: make the same kind of change in two or more files "
                        "(navigation, header, names).\n"
                        "- writeFiles: last resort: new files, complete rewrites, or when edits of "
                        "a file failed twice.\n"
                        "- readFile: see the exact content before an edit, or check it "
                        "afterwards.\n"
                        "If an edit fails, send the retry that its answer gives, or else read "
                        "the file and retry with its exact content. If an operation on an element "
                        "fails again, edit the text at the same place. If edits of a file fail "
                        "twice, write it anew, completely.\n");
    assert_int_equal(em_toolset_choose("file_edit,read_file", false, &arena, &set, &err), EM_OK);
    assert_string_equal(em_toolset_prompt(&set, &arena),
                        "Choose the tool by what is to be done:\n"
                        "- file_edit: change parts of a file, in one place or many at once, all or "
                        "none.\n"
                        "- read_file: see what a file holds before you change it.\n");
}

static void the_prompt_advises_nothing_that_is_not_offered(void **state)
{
    (void)state;
    static const struct {
        const char *tools, *advice;
    } cases[] = {
        {"editDOM", "If an edit fails, send the retry that its answer gives.\n"},
        {"editFile,read_file",
         "If an edit fails, send the retry that its answer gives, or else read "
         "the file and retry with its exact content.\n"},
        {"editFiles,writeFiles", "If an edit fails, send the retry that its answer gives. If edits "
                                 "of a file fail twice, write it anew, completely.\n"},
        {"readFile", "- readFile: see the exact content before an edit, or check it afterwards.\n"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_toolset set;
        em_error err = EM_ERROR_INIT;
        assert_int_equal(em_toolset_choose(cases[i].tools, false, &arena, &set, &err), EM_OK);
        const char *prompt = em_toolset_prompt(&set, &arena);
        assert_true(strlen(prompt) > strlen(cases[i].advice));
        const char *last = prompt + strlen(prompt) - strlen(cases[i].advice);
        assert_string_equal(last, cases[i].advice);
        assert_int_equal(last[-1], '\n');
    }
}

static void arguments_may_be_missing_or_wrong(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, "all");
    const char *want = "Error: Missing argument file_path: it must be a string";
    call_with(&c, "read_file", NULL);
    check_text(&c, true, want);
    call_with(&c, "read_file", json_null());
    check_text(&c, true, want);
    call_with(&c, "read_file", json_array());
    check_text(&c, true, "Error: The arguments must be an object");
    call_with(&c, "mcp__editor__Edit", json_array()); /* they have no form that they could lack */
    check_text(&c, true, "Error: The arguments must be an object");
}

/* ---- Memory that runs out ------------------------------------------------------------------ */

typedef struct starved {
    caller *c;
    const char *tool, *args, *want;
} starved;

static bool has_text(const em_answer *answer, const char *part)
{
    char *object = json_dumps(answer->object, JSON_COMPACT);
    bool has = strstr(answer->text ? answer->text : object, part) != NULL;
    free(object);
    return has;
}

static bool try_call(void *context)
{
    starved *s = context;
    long room = mallocs_left;
    mallocs_left = -1;
    EM_AUTO(em_arena) arena = {0};
    em_toolset set;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_toolset_choose("all", false, &arena, &set, &err), EM_OK);
    EM_AUTO(em_json_ref) arguments = json_loads(s->args, 0, NULL);
    EM_AUTO(em_arena) own = {0};
    em_call call = {.session = s->c->s.session,
                    .arena = &own,
                    .tool = em_toolset_find(&set, s->tool),
                    .offered = &set,
                    .over_mcp = true};
    em_answer answer;
    mallocs_left = room;
    em_status status = em_tool_call(&call, arguments, &answer);
    bool ran_out = mallocs_left == 0;
    mallocs_left = -1;
    assert_true(status == EM_OK || status == EM_E_NOMEM);
    bool done = status == EM_OK && has_text(&answer, s->want);
    if (status == EM_E_NOMEM)
        assert_true(!answer.object && !answer.meta && !answer.native);
    else if (!ran_out)
        assert_true(done);
    em_answer_drop(&answer);
    return done;
}

static void out_of_memory_is_an_error_of_its_own(void **state)
{
    (void)state;
    starved cases[] = {
        {NULL, "file_edit",
         "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"one\",\"new_text\":\"1\"}],"
         "\"dry_run\":true}",
         "Dry run"},
        {NULL, "file_edit",
         "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"o\",\"new_text\":\"1\"}]}",
         "Options to fix:"},
        {NULL, "file_edit",
         "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"x y\",\"new_text\":\"1\"}]}",
         "Suggestions:"},
        {NULL, "file_edit",
         "{\"path\":\"a.txt\",\"edits\":[{\"old_str\":\"x y\",\"new_text\":\"1\"}]}",
         "Did you mean"},
        {NULL, "read_file", "{\"path\":\"old.txt\"}", "caf"},
        {NULL, "preview_edit", "{\"path\":\"a.txt\",\"old_string\":\"one\",\"new_string\":\"1\"}",
         "+1 two"},
        {NULL, "edit_file", "{\"path\":\"a.txt\",\"old_string\":\"zero\",\"new_string\":\"1\"}",
         "Searched for"},
        {NULL, "editFile",
         "{\"file\":\"a.txt\",\"operations\":[{\"search\":\"one\",\"replace\":\"1\"},"
         "{\"search\":\"zero\",\"replace\":\"0\"}],\"dryRun\":true,\"returnContent\":true}",
         "\"content\":\"1 two"},
        {NULL, "editFile",
         "{\"file\":\"a.txt\",\"operations\":[{\"search\":\"zebra\",\"replace\":\"  three\\n\"},"
         "{\"search\":\"two\",\"replace\":\"2\"}],\"dryRun\":true,\"atomic\":true}",
         "Nothing like"},
        {NULL, "editFiles",
         "{\"edits\":[{\"file\":\"a.txt\",\"replaceOperations\":[{\"search\":\"one\","
         "\"replace\":\"1\"}]},{\"file\":\"a.txt\",\"replaceOperations\":[{\"search\":\"e\","
         "\"replace\":\"1\"}]}],\"dryRun\":true}",
         "1 of 2 files failed"},
        {NULL, "editFiles", "{\"edits\":[{\"file\":\"a.txt\"}]}", "No operations"},
        {NULL, "editFile",
         "{\"file\":\"a.txt\",\"match\":\"exact\",\"operations\":[{\"search\":\"one  two\","
         "\"replace\":\"1\"}],\"dryRun\":true}",
         "\"retry\":"},
        {NULL, "editFile",
         "{\"file\":\"a.txt\",\"operations\":[{\"search\":\"one  two\",\"replace\":\"1\"}],"
         "\"dryRun\":true}",
         "\"matches\":"},
        {NULL, "editFiles",
         "{\"match\":\"exact\",\"edits\":[{\"file\":\"a.txt\",\"replaceOperations\":[{\"search\":"
         "\"one  two\",\"replace\":\"1\"}]}]}",
         "\"retry\":"},
        {NULL, "file_edit",
         "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"one  two\",\"new_text\":\"1\"}]}",
         "Send as old_text"},
        {NULL, "mcp__editor__Edit",
         "{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"one  two\",\"new_text\":\"1\"}]}",
         "Send as old_text"},
        {NULL, "writeFiles", "{\"files\":[{\"file\":\"n.txt\",\"content\":\"x\"}],\"dryRun\":true}",
         "created"},
        {NULL, "readFile", "{\"file\":\"old.txt\"}", "unknown-8bit"},
        {NULL, "readFile", "{\"file\":\"none.txt\"}", "FILE_NOT_FOUND"},
        {NULL, "readFile", "{\"files\":\"a.txt\"}", "Did you mean"},
    };
    EM_AUTO(caller) c;
    caller_open(&c, "all");
    scratch_write(&c.s, "a.txt", EM_LIT("one two\n  three\n"));
    scratch_write(&c.s, "old.txt", EM_LIT("caf\xE9\n"));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        cases[i].c = &c;
        assert_true(run_out_of_memory(try_call, &cases[i]) > 5);
    }
    check_file(&c.s, "a.txt", EM_LIT("one two\n  three\n"));
}

static bool try_choose(void *context)
{
    EM_AUTO(em_arena) arena = {0};
    em_toolset set;
    em_error err = EM_ERROR_INIT;
    em_status status = em_toolset_choose(context, false, &arena, &set, &err);
    return status != EM_E_NOMEM && (status != EM_OK || em_toolset_prompt(&set, &arena));
}

/* An arena that has `used` bytes of its first block used already, so that others come to be the
 * ones that need a new one. */
static void check_full_arena(size_t used, const char *list)
{
    EM_AUTO(em_arena) arena = {0};
    em_toolset set;
    em_error err = EM_ERROR_INIT;
    em_alloc(&arena, used);
    mallocs_left = 0;
    em_status status = em_toolset_choose(list, false, &arena, &set, &err);
    mallocs_left = -1;
    assert_true(status == EM_E_NOMEM || used < 3952);
}

static void out_of_memory_while_choosing(void **state)
{
    (void)state;
    for (size_t used = 3600; used <= 4096; used += 16) {
        check_full_arena(used, "all");
        check_full_arena(used, "zzz");
    }
    char all[] = "all", unknown[] = "zzz";
    assert_true(run_out_of_memory(try_choose, all) > 1);
    assert_true(run_out_of_memory(try_choose, unknown) > 1);
    EM_AUTO(em_arena) arena = {0};
    em_toolset set;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_toolset_choose("all", false, &arena, &set, &err), EM_OK);
    mallocs_left = 0;
    assert_null(em_toolset_nearest(&set, "read_fiel"));
    assert_null(em_tool_annotations(set.tools[0]));
    mallocs_left = -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tools_are_chosen_by_name),
        cmocka_unit_test(an_unknown_name_gets_the_nearest),
        cmocka_unit_test(a_tool_is_found_in_its_set),
        cmocka_unit_test(every_tool_that_can_be_is_tried_out),
        cmocka_unit_test(tools_of_one_dialect_are_kin),
        cmocka_unit_test(the_tool_that_shows_others_is_added_once),
        cmocka_unit_test(tools_are_described),
        cmocka_unit_test(a_description_says_as_much_as_is_asked),
        cmocka_unit_test(the_prompt_advises_nothing_that_is_not_offered),
        cmocka_unit_test(the_prompt_names_what_is_offered_and_nothing_else),
        cmocka_unit_test(arguments_may_be_missing_or_wrong),
        cmocka_unit_test(out_of_memory_is_an_error_of_its_own),
        cmocka_unit_test(out_of_memory_while_choosing),
    };
    use_counted_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "arguments/args.h"
#include "tools/nearest.h"
#include "json/json_text.h"

#include "memory.h"

#include <pthread.h>
#include <stdatomic.h>

static const char *const modes[] = {"exact", "whitespace", NULL};
static const char *const sides[] = {"beforeend", "afterend", NULL};

static const em_param edit_fields[] = {
    {.name = "old_text", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
    {.name = "new_text", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
    {.name = "times", .type = EM_P_INTEGER, .flags = EM_P_NULLABLE, .minimum = 1},
    {.name = NULL},
};

static const em_param params[] = {
    {.name = "file_path", .alias = "path", .type = EM_P_PATH, .flags = EM_P_REQUIRED},
    {.name = "edits",
     .type = EM_P_LIST,
     .flags = EM_P_REQUIRED | EM_P_NONEMPTY,
     .fields = edit_fields},
    {.name = "limit", .type = EM_P_INTEGER, .minimum = 1, .maximum = 2000},
    {.name = "shift", .type = EM_P_INTEGER},
    {.name = "ratio", .type = EM_P_NUMBER},
    {.name = "mode", .type = EM_P_STRING, .words = modes},
    {.name = "encoding", .type = EM_P_NAME, .flags = EM_P_NULLABLE},
    {.name = "tags", .type = EM_P_LIST, .item = EM_P_STRING},
    {.name = "where", .type = EM_P_OBJECT, .fields = edit_fields},
    {.name = "extra", .type = EM_P_OBJECT},
    {.name = "dry_run", .type = EM_P_BOOL, .flags = EM_P_NULLABLE},
    {.name = "strict", .type = EM_P_BOOL_OR_WORD, .words = modes},
    {.name = "side", .type = EM_P_STRING, .words = sides},
    {.name = NULL},
};

#define SIXTY "12345678901234567890123456789012345678901234567890123456789"
#define GOOD "\"path\":\"a\",\"edits\":[{\"old_text\":\"a\",\"new_text\":\"b\"}]"
#define KNOWN                                                                                      \
    "Known here: file_path, edits, limit, shift, ratio, mode, encoding, tags, where, extra, "      \
    "dry_run, strict, side"
#define DEEP                                                                                       \
    "[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["                             \
    "]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]]"
#define KNOWN_EDIT "Known here: old_text, new_text, times"

static json_t *load(const char *text)
{
    json_t *value;
    em_error err = EM_ERROR_INIT;
    if (em_json_parse(em_slice_of(text), &value, &err) != EM_OK)
        fail_msg("%s: %s", text, err.detail);
    return value;
}

static void each_fault_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *args, *want; /* NULL: nothing is wrong */
        ptrdiff_t edit;
    } cases[] = {
        {"{" GOOD "}", NULL, EM_NO_EDIT},
        {"{" GOOD ",\"dry_run\":null,\"encoding\":null,\"limit\":3.0,\"shift\":-4,\"ratio\":1,"
         "\"mode\":\"exact\",\"tags\":[\"\"],\"extra\":{\"x\":1}}",
         NULL, EM_NO_EDIT},
        {"{\"file_path\":\"a\",\"edits\":[{\"old_text\":\"\",\"new_text\":\"\",\"times\":null}]}",
         NULL, EM_NO_EDIT},
        {"{}",
         "Missing argument file_path: it must be a string\nNo edits provided: missing argument "
         "edits: it must be a "
         "list",
         EM_NO_EDIT},
        {"{\"path\":7,\"edits\":[{\"old_text\":\"a\",\"new_text\":\"b\"}]}",
         "path must be a string, but an integer came: 7", EM_NO_EDIT},
        {"{" GOOD ",\"file_path\":\"b\"}",
         "file_path and path are two names of one argument: send only file_path", EM_NO_EDIT},
        {"{" GOOD ",\"file_path\":null}", NULL, EM_NO_EDIT},
        {"{\"file_path\":\"b\",\"path\":null,\"edits\":[{\"old_text\":\"a\",\"new_text\":\"b\"}]}",
         NULL, EM_NO_EDIT},
        {"{\"file_path\":null,\"path\":null,\"edits\":[{\"old_text\":\"a\",\"new_text\":\"b\"}]}",
         "file_path must be a string, but null came", EM_NO_EDIT},
        {"{\"path\":\"\",\"edits\":[{\"old_text\":\"a\",\"new_text\":\"b\"}]}",
         "path must not be empty", EM_NO_EDIT},
        {"{\"path\":\"a\\u0000b\",\"edits\":[{\"old_text\":\"a\",\"new_text\":\"b\"}]}",
         "path must not hold a NUL character", EM_NO_EDIT},
        {"{\"path\":null,\"edits\":[{\"old_text\":\"a\",\"new_text\":\"b\"}]}",
         "path must be a string, but null came", EM_NO_EDIT},
        {"{\"path\":\"a\",\"edits\":[]}", "No edits provided: edits needs at least one element",
         EM_NO_EDIT},
        {"{\"path\":\"a\",\"edits\":{\"a\":1}}",
         "edits must be a list, but an object came: {\"a\":1}", EM_NO_EDIT},
        {"{\"path\":\"a\",\"edits\":\"[{}]\"}",
         "edits must be a list, but a string came: \"[{}]\" (send the value itself, not its JSON "
         "text)",
         EM_NO_EDIT},
        {"{\"path\":\"a\",\"edits\":[7]}", "edits[0] must be an object, but an integer came: 7", 0},
        {"{\"path\":\"a\",\"edits\":[{\"old_text\":\"a\",\"new_text\":\"b\"},"
         "{\"old_text\":[1],\"new_text\":\"b\"}]}",
         "edits[1].old_text must be a string, but a list came: [1] (send the text as one string)",
         1},
        {"{\"path\":\"a\",\"edits\":[{\"old_text\":\"a\"}]}",
         "Missing argument edits[0].new_text: it must be a string (\"\" deletes what is found)", 0},
        {"{\"path\":\"a\",\"edits\":[{\"old_text\":\"a\",\"new_text\":null}]}",
         "edits[0].new_text must be a string, but null came (\"\" deletes what is found)", 0},
        {"{\"path\":\"a\",\"edits\":[{\"old_text\":\"\",\"new_text\":null}]}",
         "edits[0].new_text must be a string, but null came", 0},
        {"{\"path\":\"a\",\"edits\":[{\"old_text\":\"a\",\"new_text\":\"b\",\"times\":0}]}",
         "edits[0].times must be at least 1, but 0 came", 0},
        {"{\"path\":\"a\",\"edits\":[{\"old_text\":\"a\",\"new_str\":\"b\"}]}",
         "Unknown argument edits[0].new_str. Did you mean new_text? " KNOWN_EDIT, 0},
        {"{\"path\":\"a\",\"edits\":[{\"old_text\":\"a\",\"new_text\":\"b\"}],\"old_str\":\"c\"}",
         "Unknown argument old_str. Did you mean edits[].old_text? " KNOWN, EM_NO_EDIT},
        {"{" GOOD ",\"zzz\":1}", "Unknown argument zzz. " KNOWN, EM_NO_EDIT},
        {"{\"pathh\":\"a\",\"edits\":[{\"old_text\":\"a\",\"new_text\":\"b\"}]}",
         "Unknown argument pathh. Did you mean file_path? " KNOWN, EM_NO_EDIT},
        {"{" GOOD ",\"limit\":2001}", "limit must be from 1 to 2000, but 2001 came", EM_NO_EDIT},
        {"{" GOOD ",\"limit\":2.5}", "limit must be an integer, but a number came: 2.5",
         EM_NO_EDIT},
        {"{" GOOD ",\"shift\":1e300}", "shift must be an integer, but a number came: 1e300",
         EM_NO_EDIT},
        {"{" GOOD ",\"limit\":18446744073709551615}",
         "limit must be an integer within 64 bits, but an integer came: 18446744073709551615",
         EM_NO_EDIT},
        {"{" GOOD ",\"limit\":1e999}", "limit must be an integer, but a number came: 1e999",
         EM_NO_EDIT},
        {"{" GOOD ",\"ratio\":1e999}",
         "ratio must be a number within 64 bits, but a number came: 1e999", EM_NO_EDIT},
        {"{" GOOD ",\"extra\":99999999999999999999}",
         "extra must be an object, but an integer came: 99999999999999999999", EM_NO_EDIT},
        {"{" GOOD ",\"encoding\":-1E999}", "encoding must be a string, but a number came: -1E999",
         EM_NO_EDIT},
        {"{" GOOD ",\"tags\":{\"a\":[1e999]}}",
         "tags must be a list, but an object came: {\"a\":[1e999]}", EM_NO_EDIT},
        {"{" GOOD ",\"ratio\":true}", "ratio must be a number, but a boolean came: true",
         EM_NO_EDIT},
        {"{" GOOD ",\"strict\":true}", NULL, EM_NO_EDIT},
        {"{" GOOD ",\"strict\":\"exact\"}", NULL, EM_NO_EDIT},
        {"{" GOOD ",\"strict\":1}", "strict must be true, false or a word, but an integer came: 1",
         EM_NO_EDIT},
        {"{" GOOD ",\"strict\":\"often\"}",
         "strict must be one of \"exact\", \"whitespace\", but this came: \"often\"", EM_NO_EDIT},
        {"{" GOOD ",\"mode\":\"exakt\"}",
         "mode must be one of \"exact\", \"whitespace\", but this came: \"exakt\". Did you mean "
         "\"exact\"?",
         EM_NO_EDIT},
        {"{" GOOD ",\"mode\":\"\"}",
         "mode must be one of \"exact\", \"whitespace\", but this came: \"\"", EM_NO_EDIT},
        {"{" GOOD ",\"side\":\"End\"}",
         "side must be one of \"beforeend\", \"afterend\", but this came: \"End\". Did you mean "
         "\"beforeend\" or \"afterend\"?",
         EM_NO_EDIT},
        {"{" GOOD ",\"side\":\"e\"}",
         "side must be one of \"beforeend\", \"afterend\", but this came: \"e\"", EM_NO_EDIT},
        {"{" GOOD ",\"side\":\"append\"}",
         "side must be one of \"beforeend\", \"afterend\", but this came: \"append\". Did you mean "
         "\"beforeend\"?",
         EM_NO_EDIT},
        {"{" GOOD ",\"encoding\":\"\"}", "encoding must not be empty", EM_NO_EDIT},
        {"{" GOOD ",\"tags\":[\"a\",2]}", "tags[1] must be a string, but an integer came: 2", 1},
        {"{" GOOD ",\"where\":\"x\"}", "where must be an object, but a string came: \"x\"",
         EM_NO_EDIT},
        {"{" GOOD ",\"where\":\" {\\\"a\\\":\"}",
         "where must be an object, but a string came: \" {\\\"a\\\":\" (send the value itself, not "
         "its JSON text)",
         EM_NO_EDIT},
        {"{" GOOD ",\"tags\":\"a\"}",
         "tags must be a list, but a string came: \"a\" (send [\"a\"])", EM_NO_EDIT},
        {"{" GOOD ",\"tags\":\"{}\"}",
         "tags must be a list, but a string came: \"{}\" (send [\"{}\"])", EM_NO_EDIT},
        {"{" GOOD ",\"tags\":\"\\\"a\\\"\"}",
         "tags must be a list, but a string came: \"\\\"a\\\"\" (send [\"a\"])", EM_NO_EDIT},
        {"{" GOOD ",\"tags\":\"\"}", "tags must be a list, but a string came: \"\"", EM_NO_EDIT},
        {"{" GOOD ",\"tags\":\"" SIXTY "\"}",
         "tags must be a list, but a string came: \"" SIXTY "…", EM_NO_EDIT},
        {"{\"path\":\"a\",\"edits\":[{\"old_text\":\"a\",\"new_text\":\"b\"},\"x\"]}",
         "edits[1] must be an object, but a string came: \"x\"", 1},
        {"{" GOOD ",\"where\":{\"old_text\":1,\"new_text\":\"\"}}",
         "where.old_text must be a string, but an integer came: 1 (send \"1\")", EM_NO_EDIT},
        {"{" GOOD ",\"extra\":[]}", "extra must be an object, but a list came: []", EM_NO_EDIT},
        {"{" GOOD ",\"dry_run\":\"true\"}",
         "dry_run must be true or false, but a string came: \"true\" (send true)", EM_NO_EDIT},
        {"{" GOOD ",\"dry_run\":0}",
         "dry_run must be true or false, but an integer came: 0 (send false)", EM_NO_EDIT},
        {"{" GOOD ",\"limit\":\" 12\"}",
         "limit must be an integer, but a string came: \" 12\" (send 12)", EM_NO_EDIT},
        {"{" GOOD ",\"limit\":\"twelve\"}",
         "limit must be an integer, but a string came: \"twelve\"", EM_NO_EDIT},
        {"{" GOOD ",\"limit\":\"[1]\"}", "limit must be an integer, but a string came: \"[1]\"",
         EM_NO_EDIT},
        {"{" GOOD ",\"dry_run\":\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa\xC3"
         "\xA9\"}",
         "dry_run must be true or false, but a string came: "
         "\"aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa…",
         EM_NO_EDIT},
        {"{" GOOD ",\"a_name_that_is_far_too_long_for_any_argument_that_there_has_ever_been_\":1}",
         "Unknown argument a_name_that_is_far_too_long_for_any_argument_that_there_has_. " KNOWN,
         EM_NO_EDIT},
        {"{\"path\":1,\"edits\":2,\"limit\":\"\",\"ratio\":\"\",\"mode\":3,\"tags\":4,"
         "\"nothing\":5}",
         "Unknown argument nothing. " KNOWN "\n"
         "path must be a string, but an integer came: 1\n"
         "edits must be a list, but an integer came: 2\n"
         "limit must be an integer, but a string came: \"\"\n"
         "ratio must be a number, but a string came: \"\"",
         EM_NO_EDIT},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_json_ref) args = load(cases[i].args);
        em_args_problem problem;
        em_status status = em_args_check(params, args, &arena, &problem);
        assert_string_equal(problem.message, cases[i].want ? cases[i].want : "");
        assert_int_equal(status, cases[i].want ? EM_E_INVALID : EM_OK);
        assert_int_equal(problem.edit, cases[i].edit);
    }
}

/* However many faults there are, only a few are told, and it takes no time. */
static void many_faults_are_told_in_short(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_json_ref) args = json_object();
    for (int i = 0; i < 100000; i++) {
        char name[32];
        snprintf(name, sizeof name, "old_text_%d", i);
        json_object_set_new(args, name, json_integer(i));
    }
    em_args_problem problem;
    assert_int_equal(em_args_check(edit_fields, args, &arena, &problem), EM_E_INVALID);
    size_t lines = 1;
    for (const char *at = problem.message; (at = strchr(at, '\n')); at++)
        lines++;
    assert_int_equal(lines, EM_MOST_PROBLEMS);
    em_json json = {0};
    assert_null(em_args_repair(&json, edit_fields, args, &arena));
    assert_false(json.failed);
}

/* So many that another thread checks the second half: what it finds wrong is told as ever. */
static void a_long_list_is_checked_to_its_end(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_json_ref) args = load("{\"path\":\"a\"}");
    em_args_problem problem;
    json_t *edits = json_array();
    json_object_set_new(args, "edits", edits);
    for (int i = 0; i < EM_ELEMENTS_WORTH_A_THREAD; i++)
        json_array_append_new(edits, load("{\"old_text\":\"a\",\"new_text\":\"b\"}"));
    assert_int_equal(em_args_check(params, args, &arena, &problem), EM_OK);
    json_array_set_new(edits, EM_ELEMENTS_WORTH_A_THREAD - 1,
                       load("{\"old_text\":\"a\",\"new_text\":1}"));
    assert_int_equal(em_args_check(params, args, &arena, &problem), EM_E_INVALID);
    assert_string_equal(problem.message,
                        "edits[2999].new_text must be a string, but an integer came: 1 (send "
                        "\"1\")");
    assert_int_equal(problem.edit, EM_ELEMENTS_WORTH_A_THREAD - 1);
    json_array_set_new(edits, 1, load("{\"new_text\":\"b\"}"));
    assert_int_equal(em_args_check(params, args, &arena, &problem), EM_E_INVALID);
    assert_string_equal(problem.message,
                        "Missing argument edits[1].old_text: it must be a string\n"
                        "edits[2999].new_text must be a string, but an integer came: 1 (send "
                        "\"1\")");
    assert_int_equal(problem.edit, 1);
}

static pthread_t maker; /* of values */
static atomic_bool others_make;

static void *make(size_t size)
{
    if (!pthread_equal(maker, pthread_self()))
        others_make = true;
    return malloc(size);
}

static void let_go(void *bytes)
{
    if (!pthread_equal(maker, pthread_self()))
        others_make = true;
    free(bytes);
}

/* A long list is looked over by two threads, and what is wrong in it often has another value in it
 * that would do. Memory of values may be one thread's (json_memory.h). */
static void values_are_made_by_one_thread(void **state)
{
    enum { MANY = 20 * EM_ELEMENTS_WORTH_A_THREAD }; /* the other thread has the time to begin */
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_json_ref) args = load("{\"path\":\"a\"}");
    em_args_problem problem;
    json_t *edits = json_array();
    json_object_set_new(args, "edits", edits);
    for (int i = 0; i < MANY; i++)
        json_array_append_new(
            edits, load(i < MANY / 2 ? "{\"old_text\":\"a\",\"new_text\":\"b\"}"
                                     : "{\"old_str\":\"a\",\"new_text\":\"b\",\"times\":\"1\"}"));
    maker = pthread_self();
    json_set_alloc_funcs(make, let_go);
    em_status status = em_args_check(params, args, &arena, &problem);
    json_set_alloc_funcs(malloc, free);
    assert_int_equal(status, EM_E_INVALID);
    assert_false(others_make);
    assert_int_equal(problem.edit, MANY / 2);
}

static void what_is_plainly_meant_is_repaired(void **state)
{
    (void)state;
    static const struct {
        const char *args, *want; /* NULL: it is not plain */
    } cases[] = {
        {"{\"path\":\"a\",\"edits\":[{\"old_str\":\"x\",\"new_str\":\"y\"}]}",
         "{\"path\":\"a\",\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\"}]}"},
        {"{\"filepath\":\"a\",\"edits\":\"[{\\\"old_string\\\":\\\"x\\\",\\\"new_text\\\":"
         "\\\"y\\\"}]"
         "\"}",
         "{\"file_path\":\"a\",\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\"}]}"},
        {"{" GOOD ",\"where\":{\"old\":\"1\",\"new\":\"2\"}}",
         "{" GOOD ",\"where\":{\"old_text\":\"1\",\"new_text\":\"2\"}}"},
        {"{" GOOD ",\"where\":\"{\\\"old\\\":\\\"1\\\",\\\"new\\\":\\\"2\\\"}\",\"tags\":\"[]\"}",
         "{" GOOD ",\"where\":{\"old_text\":\"1\",\"new_text\":\"2\"},\"tags\":[]}"},
        {"{" GOOD ",\"mod\":\"exact\"}", "{" GOOD ",\"mode\":\"exact\"}"},
        {"{" GOOD ",\"mode\":\"Exact\"}", "{" GOOD ",\"mode\":\"exact\"}"},
        {"{" GOOD ",\"mode\":\"whitspace\"}", "{" GOOD ",\"mode\":\"whitespace\"}"},
        {"{" GOOD ",\"mode\":\"space\"}", NULL},
        {"{" GOOD ",\"limit\":\"3\",\"ratio\":\"2.5\",\"dry_run\":\"True\"}",
         "{" GOOD ",\"limit\":3,\"ratio\":2.5,\"dry_run\":true}"},
        {"{" GOOD ",\"dry_run\":1,\"strict\":\"FALSE\"}",
         "{" GOOD ",\"dry_run\":true,\"strict\":false}"},
        {"{\"path\":\"a\",\"edits\":[{\"old_text\":1,\"new_text\":2,\"times\":\"2\"}]}",
         "{\"path\":\"a\",\"edits\":[{\"old_text\":\"1\",\"new_text\":\"2\",\"times\":2}]}"},
        {"{" GOOD ",\"extra\":\"{\\\"a\\\":" DEEP "}\"}", NULL},
        {"{" GOOD ",\"dry_run\":2}", NULL},
        {"{" GOOD ",\"dry_run\":\"yes\"}", NULL},
        {"{" GOOD ",\"mode\":7}", NULL},
        {"{" GOOD ",\"tags\":\"5\"}", "{" GOOD ",\"tags\":[\"5\"]}"},
        {"{\"path\":\"a\",\"old_text\":\"x\",\"new_text\":\"y\"}",
         "{\"path\":\"a\",\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\"}]}"},
        {"{\"old_string\":\"x\",\"times\":2,\"new_string\":\"y\",\"path\":\"a\"}",
         "{\"path\":\"a\",\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\",\"times\":2}]}"},
        {"{\"path\":[\"a\"],\"edits\":{\"old_str\":\"x\",\"new_text\":\"y\"}}",
         "{\"path\":\"a\",\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\"}]}"},
        {"{" GOOD ",\"tags\":\"t\",\"limit\":[3]}", "{" GOOD ",\"tags\":[\"t\"],\"limit\":3}"},
        {"{\"path\":[\"a\",\"b\"],\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\"}]}", NULL},
        {"{" GOOD ",\"tags\":\"\\\"t\\\"\"}", "{" GOOD ",\"tags\":[\"t\"]}"},
        {"{" GOOD ",\"tags\":7}", NULL},
        {"{" GOOD ",\"limit\":[\"3\"]}", NULL},
        {"{\"path\":\"a\",\"old_text\":\"x\"}", NULL},
        {"{\"path\":\"a\",\"old_text\":\"x\",\"new_text\":\"y\",\"old_str\":\"z\"}", NULL},
        {"{" GOOD ",\"old_text\":\"x\",\"new_text\":\"y\"}", NULL},
        {"{\"path\":\"a\",\"old_text\":\"x\",\"changes\":[{\"old_text\":\"x\",\"new_text\":\"y\"}]"
         "}",
         NULL},
        {"{\"path\":\"a\",\"changes\":[{\"old_text\":\"x\",\"new_text\":\"y\"}],\"old_text\":"
         "\"x\"}",
         NULL},
        {"{\"path\":\"a\",\"them\":{\"old_text\":\"x\",\"new_text\":\"y\"}}",
         "{\"path\":\"a\",\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\"}]}"},
        {"{\"path\":\"a\",\"old_text\":\"x\",\"new_text\":\"y\",\"zzz\":1}", NULL},
        {"{" GOOD ",\"zzz\":1}", NULL},
        {"{" GOOD ",\"file\":\"b\"}", NULL},
        {"{\"path\":\"a\",\"edits\":[{\"old_str\":\"x\",\"old_string\":\"y\",\"new_text\":\"\"}]}",
         NULL},
        {"{\"path\":\"a\",\"edits\":\"not json\"}", NULL},
        {"{\"path\":\"a\",\"edits\":[1]}", NULL},
        {"{\"path\":\"a\",\"edits\":[\"{\\\"old_str\\\":\\\"x\\\",\\\"new_text\\\":\\\"y\\\"}\"]}",
         "{\"path\":\"a\",\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\"}]}"},
        /* each edit names the file */
        {"{\"edits\":[{\"file\":\"a\",\"old_text\":\"x\",\"new_text\":\"y\"},"
         "{\"path\":\"a\",\"old_str\":\"z\",\"new_text\":\"\"}]}",
         "{\"file_path\":\"a\",\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\"},"
         "{\"old_text\":\"z\",\"new_text\":\"\"}]}"},
        {"{\"path\":\"a\",\"edits\":[{\"path\":\"a\",\"old_text\":\"x\",\"new_text\":\"y\"}]}",
         "{\"path\":\"a\",\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\"}]}"},
        {"{\"path\":\"b\",\"edits\":[{\"path\":\"a\",\"old_text\":\"x\",\"new_text\":\"y\"}]}",
         NULL},
        {"{\"edits\":[{\"path\":\"a\",\"old_text\":\"x\",\"new_text\":\"y\"},"
         "{\"path\":\"b\",\"old_text\":\"x\",\"new_text\":\"y\"}]}",
         NULL},
        {"{\"edits\":[{\"path\":\"a\",\"old_text\":\"x\",\"new_text\":\"y\"},"
         "{\"old_text\":\"x\",\"new_text\":\"y\"}]}",
         NULL},
        {"{\"edits\":[{\"path\":7,\"old_text\":\"x\",\"new_text\":\"y\"}]}", NULL},
        {"{\"path\":7,\"edits\":[]}", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_json_ref) args = load(cases[i].args);
        em_json json = {0};
        EM_AUTO(em_json_ref) repaired = em_args_repair(&json, params, args, &arena);
        assert_false(json.failed);
        if (!cases[i].want) {
            assert_null(repaired);
            continue;
        }
        EM_AUTO(em_json_ref) want = load(cases[i].want);
        if (!json_equal(repaired, want))
            fail_msg("%s", cases[i].args);
    }
}

static void arguments_are_read(void **state)
{
    (void)state;
    EM_AUTO(em_json_ref)
    object = load("{\"path\":\"a.txt\",\"edits\":[{\"old_text\":\"x\\u0000y\",\"new_text\":\"\"},"
                  "{\"old_text\":\"\",\"new_text\":\"z\",\"times\":3.0}],\"dry_run\":true,"
                  "\"encoding\":null}");
    const em_tool tool = {.name = "t", .params = params};
    const em_call call = {.tool = &tool, .arguments = object};
    em_args args = em_args_of(&call);
    assert_string_equal(em_arg_string(args, "file_path"), "a.txt");
    assert_null(em_arg_string(args, "encoding"));
    assert_null(em_arg(args, "encoding"));
    assert_null(em_arg(args, "no_such_name"));
    assert_true(em_arg_bool(args, "dry_run"));
    assert_false(em_arg_bool(args, "backup"));
    assert_int_equal(em_arg_count(args, "edits"), 2);
    assert_int_equal(em_arg_count(args, "tags"), 0);
    assert_int_equal(em_arg_size(args, "limit"), 0);
    em_args first = em_arg_element(args, "edits", 0), second = em_arg_element(args, "edits", 1);
    assert_int_equal(em_arg_text(first, "old_text").len, 3);
    assert_int_equal(em_arg_size(first, "times"), 0);
    assert_int_equal(em_arg_size(second, "times"), 3);
    assert_true(em_slice_is(em_arg_text(second, "new_text"), "z"));
    assert_int_equal(em_arg_text(args, "mode").len, 0);
}

static bool check(void *context)
{
    EM_AUTO(em_arena) arena = {0};
    em_args_problem problem;
    em_status status = em_args_check(params, context, &arena, &problem);
    assert_true(status == EM_E_INVALID || status == EM_E_NOMEM);
    return status == EM_E_INVALID && strstr(problem.message, "Did you mean") &&
           strstr(problem.message, "needs at least one");
}

static bool repair(void *context)
{
    EM_AUTO(em_arena) arena = {0};
    em_json json = {0};
    EM_AUTO(em_json_ref) repaired = em_args_repair(&json, params, context, &arena);
    return repaired != NULL;
}

static void out_of_memory_is_said(void **state)
{
    (void)state;
    EM_AUTO(em_json_ref)
    faulty = load("{\"path\":7,\"edits\":[],\"wher\":\"x\",\"dry_run\":\"a long enough text\"}");
    assert_true(run_out_of_memory(check, faulty) >= 2);
    EM_AUTO(em_json_ref) plain = load("{" GOOD ",\"mod\":\"exact\",\"tags\":\"[1]\"}");
    json_object_set_new(plain, "tags", json_string("[\"1\"]"));
    assert_true(run_out_of_memory(repair, plain) > 10);
    EM_AUTO(em_json_ref) bare = load("{\"path\":\"a\",\"old_string\":\"x\",\"new_text\":\"y\"}");
    assert_true(run_out_of_memory(repair, bare) > 10);
    EM_AUTO(em_json_ref)
    inside = load("{\"edits\":[{\"path\":\"a\",\"old_text\":\"x\",\"new_text\":\"y\"}]}");
    assert_true(run_out_of_memory(repair, inside) > 10);
    EM_AUTO(em_json_ref)
    said = load(
        "{\"path\":\"a\",\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\",\"dry_run\":true}]}");
    assert_true(run_out_of_memory(repair, said) > 10);
}

/* An unknown name is taken for that one of the names near it that the value fits best. */
static void a_name_is_taken_for_what_its_value_fits(void **state)
{
    (void)state;
    static const em_param texts[] = {
        {.name = "search", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
        {.name = "replace", .type = EM_P_STRING},
        {.name = NULL}};
    static const em_param elements[] = {
        {.name = "selector", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
        {.name = "action", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
        {.name = NULL}};
    static const em_param lists[] = {
        {.name = "replaceOperations", .type = EM_P_LIST, .fields = texts},
        {.name = "domOperations", .type = EM_P_LIST, .fields = elements},
        {.name = NULL}};
    static const struct {
        const char *args, *meant;
        bool is_repaired;
    } cases[] = {
        {"{\"operations\":[{\"search\":\"a\",\"replace\":\"b\"}]}", "replaceOperations", true},
        {"{\"operations\":\"[{\\\"search\\\":\\\"a\\\"}]\"}", "replaceOperations", true},
        {"{\"operations\":[{\"selector\":\"a\",\"action\":\"b\"}]}", "domOperations", true},
        {"{\"operations\":[{\"zzz\":\"a\",\"replace\":\"b\"}]}", "replaceOperations", false},
        {"{\"operations\":[{\"old\":\"a\",\"replace\":\"b\"}]}", "replaceOperations", true},
        {"{\"operations\":7}", "domOperations", false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_json json = {0};
        em_args_problem problem;
        EM_AUTO(em_json_ref) args = load(cases[i].args);
        assert_int_equal(em_args_check(lists, args, &arena, &problem), EM_E_INVALID);
        char *want = em_arena_format(&arena, "Did you mean %s?", cases[i].meant);
        if (!strstr(problem.message, want))
            fail_msg("%s: %s", cases[i].args, problem.message);
        EM_AUTO(em_json_ref) repaired = em_args_repair(&json, lists, args, &arena);
        assert_int_equal(repaired && json_object_get(repaired, cases[i].meant),
                         cases[i].is_repaired);
    }
}

/* Edits that name their files, where the tool has a list of files. */
static void edits_go_to_their_files(void **state)
{
    (void)state;
    static const em_param files[] = {
        {.name = "path", .type = EM_P_PATH, .flags = EM_P_REQUIRED},
        {.name = "edits", .type = EM_P_LIST, .flags = EM_P_REQUIRED, .fields = edit_fields},
        {.name = NULL}};
    static const em_param several[] = {{.name = "path", .type = EM_P_PATH},
                                       {.name = "edits", .type = EM_P_LIST, .fields = edit_fields},
                                       {.name = "files", .type = EM_P_LIST, .fields = files},
                                       {.name = NULL}};
    static const struct {
        const char *args, *want; /* NULL: it is not plain */
    } cases[] = {
        {"{\"edits\":[{\"path\":\"a\",\"old_text\":\"1\",\"new_text\":\"2\"},"
         "{\"file\":\"b\",\"old_text\":\"3\",\"new_text\":\"4\"},"
         "{\"path\":\"a\",\"old_text\":\"5\",\"new_text\":\"6\"}]}",
         "{\"files\":[{\"path\":\"a\",\"edits\":[{\"old_text\":\"1\",\"new_text\":\"2\"},"
         "{\"old_text\":\"5\",\"new_text\":\"6\"}]},"
         "{\"path\":\"b\",\"edits\":[{\"old_text\":\"3\",\"new_text\":\"4\"}]}]}"},
        {"{\"edits\":[{\"path\":\"a\",\"old_text\":\"1\",\"new_text\":\"2\"}]}",
         "{\"path\":\"a\",\"edits\":[{\"old_text\":\"1\",\"new_text\":\"2\"}]}"},
        {"{\"replacements\":[{\"filePath\":\"a\",\"old_text\":\"1\",\"new_text\":\"2\"}]}",
         "{\"path\":\"a\",\"edits\":[{\"old_text\":\"1\",\"new_text\":\"2\"}]}"},
        {"{\"path\":\"a\",\"edits\":[{\"path\":\"a\",\"old_text\":\"1\",\"new_text\":\"2\"},"
         "{\"path\":\"b\",\"old_text\":\"3\",\"new_text\":\"4\"}]}",
         NULL},
        {"{\"edits\":[{\"path\":\"a\",\"old_text\":\"1\",\"new_text\":\"2\"},"
         "{\"path\":\"b\",\"old_text\":\"3\",\"new_text\":\"4\"}],\"files\":[]}",
         NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_json_ref) args = load(cases[i].args);
        em_json json = {0};
        EM_AUTO(em_json_ref) repaired = em_args_repair(&json, several, args, &arena);
        EM_AUTO(em_json_ref) want = cases[i].want ? load(cases[i].want) : NULL;
        if (want ? !json_equal(repaired, want) : repaired != NULL)
            fail_msg("%s", cases[i].args);
    }
}

/* What is a list in another tool, and not here. */
static void a_list_of_one_is_taken_out(void **state)
{
    (void)state;
    static const em_param flat[] = {
        {.name = "path", .type = EM_P_PATH, .flags = EM_P_REQUIRED},
        {.name = "old_string", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
        {.name = "new_string", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
        {.name = NULL}};
    static const struct {
        const char *args, *want; /* NULL: it is not plain */
    } cases[] = {
        {"{\"path\":\"a\",\"edits\":[{\"old_string\":\"x\",\"new_string\":\"y\"}]}",
         "{\"path\":\"a\",\"old_string\":\"x\",\"new_string\":\"y\"}"},
        {"{\"edits\":[{\"oldText\":\"x\",\"newText\":\"y\"}],\"file\":\"a\"}",
         "{\"path\":\"a\",\"old_string\":\"x\",\"new_string\":\"y\"}"},
        {"{\"path\":\"a\",\"edits\":[{\"old_string\":\"x\",\"new_string\":\"y\"},{}]}", NULL},
        {"{\"path\":\"a\",\"edits\":[{\"old_string\":\"x\",\"zzz\":\"y\"}]}", NULL},
        {"{\"path\":\"a\",\"old_string\":\"z\",\"edits\":[{\"old_string\":\"x\",\"new_string\":"
         "\"y\"}]}",
         NULL},
        {"{\"paths\":[\"a\"],\"old_string\":\"x\",\"new_string\":\"y\"}",
         "{\"path\":\"a\",\"old_string\":\"x\",\"new_string\":\"y\"}"},
        {"{\"path\":\"a\",\"old_string\":\"x\",\"new_string\":[\"y\"]}", NULL},
        {"{\"paths\":[{\"file\":\"a\"}],\"old_string\":\"x\",\"new_string\":\"y\"}",
         "{\"path\":\"a\",\"old_string\":\"x\",\"new_string\":\"y\"}"},
        {"{\"path\":\"a\",\"edits\":{\"old_string\":\"x\",\"new_string\":\"y\"}}",
         "{\"path\":\"a\",\"old_string\":\"x\",\"new_string\":\"y\"}"},
        {"{\"path\":\"a\",\"edits\":[[]]}", NULL},
        {"{\"path\":\"a\",\"edits\":[{}]}", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_json_ref) args = load(cases[i].args);
        em_json json = {0};
        EM_AUTO(em_json_ref) repaired = em_args_repair(&json, flat, args, &arena);
        EM_AUTO(em_json_ref) want = cases[i].want ? load(cases[i].want) : NULL;
        if (want ? !json_equal(repaired, want) : repaired != NULL)
            fail_msg("%s", cases[i].args);
    }
}

/* Such arguments are refused, which says `told`, and are most likely meant as `repaired`; NULL:
 * that is not plain. */
static void check_meaning(const em_param *params_here, const char *text, const char *told,
                          const char *repaired)
{
    EM_AUTO(em_arena) arena = {0};
    em_json json = {0};
    em_args_problem problem;
    EM_AUTO(em_json_ref) args = load(text);
    assert_int_equal(em_args_check(params_here, args, &arena, &problem), EM_E_INVALID);
    if (!strstr(problem.message, told))
        fail_msg("%s: %s", text, problem.message);
    EM_AUTO(em_json_ref) meant = em_args_repair(&json, params_here, args, &arena);
    EM_AUTO(em_json_ref) want = repaired ? load(repaired) : NULL;
    if (want ? !json_equal(meant, want) : meant != NULL)
        fail_msg("%s", text);
}

/* The words of other tools mean the one parameter that is called otherwise here, if it could have
 * the value; a known name means itself. */
static void words_of_other_tools_are_understood(void **state)
{
    (void)state;
    static const em_param texts[] = {
        {.name = "search", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
        {.name = "replace", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
        {.name = "expectedReplacements", .type = EM_P_INTEGER},
        {.name = NULL}};
    static const em_param file_params[] = {
        {.name = "file", .type = EM_P_PATH, .flags = EM_P_REQUIRED},
        {.name = "operations", .type = EM_P_LIST, .fields = texts},
        {.name = "text", .type = EM_P_STRING},
        {.name = "contents", .type = EM_P_STRING},
        {.name = NULL}};
    static const struct {
        const char *args, *repaired, *told; /* repaired NULL: it is not plain */
    } cases[] = {
        {"{\"path\":\"a\"}", "{\"file\":\"a\"}", "path. Did you mean file?"},
        {"{\"file\":\"a\",\"operations\":[{\"text_to_replace\":\"x\",\"new_text\":\"y\"}]}",
         "{\"file\":\"a\",\"operations\":[{\"search\":\"x\",\"replace\":\"y\"}]}",
         "text_to_replace. Did you mean search?"},
        {"{\"file_path\":\"a\",\"edits\":[{\"old_string\":\"x\",\"new_string\":\"y\"}]}",
         "{\"file\":\"a\",\"operations\":[{\"search\":\"x\",\"replace\":\"y\"}]}",
         "edits. Did you mean operations?"},
        {"{\"file\":\"a\",\"operations\":[{\"find\":\"x\",\"replacement\":\"y\"}]}",
         "{\"file\":\"a\",\"operations\":[{\"search\":\"x\",\"replace\":\"y\"}]}",
         "operations[0].find. Did you mean search?"},
        {"{\"file\":\"a\",\"operations\":[{\"old_str\":\"x\",\"replace\":\"y\"}]}",
         "{\"file\":\"a\",\"operations\":[{\"search\":\"x\",\"replace\":\"y\"}]}",
         "operations[0].old_str. Did you mean search?"},
        {"{\"file\":\"a\",\"old_string\":\"x\",\"new_string\":\"y\"}",
         "{\"file\":\"a\",\"operations\":[{\"search\":\"x\",\"replace\":\"y\"}]}",
         "old_string. Did you mean operations[].search?"},
        {"{\"file\":\"a\",\"old_string\":\"x\"}", NULL,
         "old_string. Did you mean operations[].search?"},
        {"{\"path\":[\"a\"]}", NULL, "Unknown argument path. Known here"},
        {"{\"file\":\"a\",\"edits\":\"x\"}", NULL, "Unknown argument edits. Known here"},
        {"{\"file\":\"a\",\"zzz\":[]}", NULL, "Unknown argument zzz. Known here"},
        {"{\"file\":\"a\",\"filetext\":\"x\"}", "{\"file\":\"a\",\"text\":\"x\"}",
         "Did you mean text?"}, /* text or contents, but no file */
        {"{\"file\":\"a\",\"operations\":[{\"search\":\"x\",\"replace\":\"y\",\"occurrences\":2}]}",
         "{\"file\":\"a\",\"operations\":[{\"search\":\"x\",\"replace\":\"y\","
         "\"expectedReplacements\":2}]}",
         "operations[0].occurrences. Did you mean expectedReplacements?"},
        {"{\"file\":\"a\",\"search\":\"x\",\"replace\":\"y\",\"expectedReplacements\":\"2\"}",
         "{\"file\":\"a\",\"operations\":[{\"search\":\"x\",\"replace\":\"y\","
         "\"expectedReplacements\":2}]}",
         "Did you mean operations[].expectedReplacements?"},
        {"{\"file\":\"a\",\"search\":\"x\",\"replace\":\"y\",\"expectedReplacements\":\"many\"}",
         NULL, "Unknown argument expectedReplacements"},
        {"{\"file\":\"a\",\"path\":\"b\"}", NULL, "Unknown argument path. Known here"},
        {"{\"file\":\"a\",\"operations\":[{\"search\":\"x\",\"replace\":\"y\",\"replaceAll\":true}]"
         "}",
         "{\"file\":\"a\",\"operations\":[{\"search\":\"x\",\"replace\":\"y\"}]}",
         "operations[0].replaceAll. Did you mean expectedReplacements? It is the number of places, "
         "and all of them are replaced. Known here"},
        {"{\"file\":\"a\",\"operations\":[],\"replace_all\":true}",
         "{\"file\":\"a\",\"operations\":[]}",
         "replace_all. Did you mean operations[].expectedReplacements? It is the number"},
        {"{\"old\":\"x\",\"file\":\"a\",\"operations\":[{\"find\":\"x\",\"replace\":\"y\"},"
         "{\"find\":\"y\",\"replace\":\"z\"}]}",
         NULL,
         "Unknown argument old. Did you mean operations[].search? Known here: file, operations, "
         "text, contents\nUnknown argument operations[0].find. Did you mean search? Known here: "
         "search, replace, expectedReplacements\nUnknown argument operations[1].find. Did you mean "
         "search?"}, /* each list of names once */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_meaning(file_params, cases[i].args, cases[i].told, cases[i].repaired);
}

/* What is said beside a list, and came in each of its objects. */
static void what_is_said_of_all_goes_beside_the_list(void **state)
{
    (void)state;
    static const char *const tiers[] = {"exact", "fuzzy", NULL};
    static const em_param fields[] = {
        {.name = "search", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
        {.name = "count", .type = EM_P_INTEGER},
        {.name = NULL}};
    static const em_param files[] = {
        {.name = "file", .type = EM_P_PATH, .flags = EM_P_REQUIRED},
        {.name = "ops", .type = EM_P_LIST, .flags = EM_P_REQUIRED, .fields = fields},
        {.name = "hash", .type = EM_P_NAME},
        {.name = NULL}};
    static const em_param all[] = {
        {.name = "files", .type = EM_P_LIST, .flags = EM_P_REQUIRED, .fields = files},
        {.name = "dry", .alias = "dryRun", .type = EM_P_BOOL},
        {.name = "match", .type = EM_P_STRING, .words = tiers},
        {.name = "note", .type = EM_P_STRING},
        {.name = NULL}};
    static const char beside[] = "It stands beside files, not in it. Known here: ";
    static const struct {
        const char *args, *told, *repaired; /* NULL: it is not plain */
    } cases[] = {
        {"{\"files\":[{\"file\":\"a\",\"ops\":[{\"search\":\"x\"}],\"dry\":true},"
         "{\"file\":\"b\",\"ops\":[{\"search\":\"y\"}],\"dry\":true}]}",
         beside,
         "{\"files\":[{\"file\":\"a\",\"ops\":[{\"search\":\"x\"}]},{\"file\":\"b\",\"ops\":[{"
         "\"search\":\"y\"}]}],"
         "\"dry\":true}"},
        {"{\"files\":[{\"file\":\"a\",\"ops\":[{\"search\":\"x\",\"dryRun\":true}]}]}", beside,
         "{\"files\":[{\"file\":\"a\",\"ops\":[{\"search\":\"x\"}]}],\"dryRun\":true}"},
        {"{\"files\":[{\"file\":\"a\",\"ops\":[{\"search\":\"x\",\"hash\":\"0\",\"match\":"
         "\"fuzzy\"}]}],"
         "\"match\":\"fuzzy\"}",
         "files[0].ops[0].hash. It stands beside files[0].ops, not in it. Known here: ",
         "{\"files\":[{\"file\":\"a\",\"ops\":[{\"search\":\"x\"}],\"hash\":\"0\"}],\"match\":"
         "\"fuzzy\"}"},
        /* Not of all; not the same for all; given otherwise; no value of it; no option. */
        {"{\"files\":[{\"file\":\"a\",\"ops\":[{\"search\":\"x\",\"match\":\"fuzzy\"},{\"search\":"
         "\"y\"}]}]}",
         beside, NULL},
        {"{\"files\":[{\"file\":\"a\",\"ops\":[{\"search\":\"x\"}],\"dry\":true},"
         "{\"file\":\"b\",\"ops\":[{\"search\":\"y\"}],\"dry\":false}]}",
         beside, NULL},
        {"{\"files\":[{\"file\":\"a\",\"ops\":[{\"search\":\"x\"}],\"match\":\"exact\"}],\"match\":"
         "\"fuzzy\"}",
         beside, NULL},
        {"{\"files\":[{\"file\":\"a\",\"ops\":[{\"match\":\"some text\"}]}]}",
         "files[0].ops[0].match. Known here: ", NULL},
        {"{\"files\":[{\"file\":\"a\",\"ops\":[{\"search\":\"x\"}],\"note\":\"n\"}]}",
         "files[0].note. Known here: ", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_meaning(all, cases[i].args, cases[i].told, cases[i].repaired);
}

/* Names that say beside each other which text goes and which one comes. */
static void two_texts_are_told_by_each_other(void **state)
{
    (void)state;
    static const em_param texts[] = {
        {.name = "old_text", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
        {.name = "new_text", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
        {.name = "start_line", .type = EM_P_INTEGER},
        {.name = "end_line", .type = EM_P_INTEGER},
        {.name = NULL}};
    static const em_param whole[] = {{.name = "edits", .type = EM_P_LIST, .fields = texts},
                                     {.name = "content", .type = EM_P_STRING},
                                     {.name = NULL}};
    static const char both[] = "{\"old_text\":\"x\",\"new_text\":\"y\"}";
    static const struct {
        const char *args, *told, *repaired; /* NULL: it is not plain */
    } cases[] = {
        {"{\"from\":\"x\",\"to\":\"y\"}", "from. Did you mean old_text?", both},
        {"{\"before\":\"x\",\"after\":\"y\"}", "before. Did you mean old_text?", both},
        {"{\"find\":\"x\",\"with\":\"y\"}", "with. Did you mean new_text?", both},
        {"{\"replacement\":\"y\",\"target\":\"x\"}", "target. Did you mean old_text?", both},
        {"{\"original\":\"x\",\"modified\":\"y\"}", "modified. Did you mean new_text?", both},
        {"{\"old_code\":\"x\",\"updatedCode\":\"y\"}", "updatedCode. Did you mean new_text?", both},
        {"{\"old_text\":\"x\",\"with\":\"y\"}", "with. Did you mean new_text?", both},
        {"{\"text\":\"x\",\"replacement\":\"y\"}", "text. Did you mean old_text?", both},
        {"{\"search\":\"x\",\"value\":\"y\"}", "value. Did you mean new_text?", both},
        {"{\"text\":\"x\",\"content\":\"y\"}", "Unknown argument text", NULL},
        {"{\"before\":\"x\",\"from\":\"y\",\"to\":\"z\"}", "Unknown argument before", NULL},
        {"{\"before\":\"x\",\"old_text\":\"y\",\"to\":\"z\"}", "Unknown argument before", NULL},
        {"{\"with\":\"y\"}", "Unknown argument with. Known here", NULL},
        {"{\"old_text\":\"x\",\"new_text\":\"y\",\"from\":2,\"to\":3}",
         "from. Did you mean start_line?",
         "{\"old_text\":\"x\",\"new_text\":\"y\",\"start_line\":2,\"end_line\":3}"},
        {"{\"from\":\"2\",\"to\":\"3\"}", "from. Did you mean start_line?", NULL},
        {"{\"find\":\"x\",\"with\":7}", "Unknown argument with", NULL},
        /* a place, where nothing says otherwise */
        {"{\"before\":\"x\",\"new_text\":\"y\"}", "Unknown argument before. Known here", NULL},
        {"{\"old_text\":\"x\",\"after\":\"y\"}", "Unknown argument after. Known here", NULL},
        {"{\"target\":\"x\",\"after\":\"y\"}", "Unknown argument target. Known here", NULL},
        {"{\"from\":\"x\",\"new_text\":\"y\"}", "Unknown argument from", NULL},
        {"{\"old_text\":\"x\",\"next\":\"y\"}", "Unknown argument next. Known here", NULL},
        {"{\"before_text\":\"x\",\"new_text\":\"y\"}", "Unknown argument before_text", NULL},
        {"{\"before_text\":\"x\",\"after_text\":\"y\"}", "before_text. Did you mean old_text?",
         both},
        {"{\"old_text\":\"x\",\"to\":\"y\"}", "to. Did you mean new_text?", both},
        {"{\"end_text\":\"x\",\"new_text\":\"y\"}", "Unknown argument end_text. Known here", NULL},
        {"{\"current\":\"x\",\"next\":\"y\"}", "next. Did you mean new_text?", both},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_meaning(texts, cases[i].args, cases[i].told, cases[i].repaired);
    check_meaning(whole, "{\"from\":\"x\",\"to\":\"y\"}", "from. Did you mean edits[].old_text?",
                  "{\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\"}]}");
    check_meaning(whole, "{\"text\":\"x\",\"replacement\":\"y\"}",
                  "text. Did you mean edits[].old_text?",
                  "{\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\"}]}");
}

/* A patch in the place of edits, by whatever name, says their texts. */
static void a_patch_is_taken_for_its_edits(void **state)
{
    (void)state;
#define HUNK "@@ -1 +1 @@\\n-x\\n+y\\n"
#define ONE "--- a/d/a.c\\n+++ b/d/a.c\\n" HUNK
#define TWO "--- a/d/a.c\\n+++ b/d/a.c\\n" HUNK "@@ -9 +9 @@\\n-v\\n+w\\n"
    static const em_param texts[] = {
        {.name = "path", .type = EM_P_PATH, .flags = EM_P_REQUIRED},
        {.name = "old_text", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
        {.name = "new_text", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
        {.name = NULL}};
    static const em_param fields[] = {
        {.name = "old_text", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
        {.name = "new_text", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
        {.name = NULL}};
    static const em_param lines[] = {{.name = "path", .type = EM_P_PATH},
                                     {.name = "new_content", .type = EM_P_STRING},
                                     {.name = NULL}};
    static const em_param list[] = {
        {.name = "path", .type = EM_P_PATH, .flags = EM_P_REQUIRED},
        {.name = "edits", .type = EM_P_LIST, .flags = EM_P_REQUIRED, .fields = fields},
        {.name = NULL}};
    static const em_param files[] = {
        {.name = "files", .type = EM_P_LIST, .flags = EM_P_REQUIRED, .fields = list},
        {.name = NULL}};
    static const struct {
        const em_param *params;
        const char *args, *repaired; /* NULL: it is not plain */
    } cases[] = {
        {texts, "{\"path\":\"a.c\",\"diff\":\"" HUNK "\"}",
         "{\"path\":\"a.c\",\"old_text\":\"x\",\"new_text\":\"y\"}"},
        {texts, "{\"path\":\"a.c\",\"input\":\"```diff\\n" HUNK "```\"}",
         "{\"path\":\"a.c\",\"old_text\":\"x\",\"new_text\":\"y\"}"},
        {texts, "{\"patch\":\"--- a/d/a.c\\n+++ b/d/a.c\\n" HUNK "\"}",
         "{\"path\":\"d/a.c\",\"old_text\":\"x\",\"new_text\":\"y\"}"},
        {texts, "{\"path\":\"a.c\",\"diff\":\"" TWO "\"}", NULL},
        {texts, "{\"path\":\"a.c\",\"old_text\":\"v\",\"diff\":\"" HUNK "\"}", NULL},
        {texts, "{\"path\":\"a.c\",\"diff\":\"x\"}", NULL},
        {texts, "{\"path\":\"a.c\",\"diff\":7}", NULL},
        {list, "{\"path\":\"/r/d/a.c\",\"diff\":\"" TWO "\"}",
         "{\"path\":\"/r/d/a.c\",\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\"},"
         "{\"old_text\":\"v\",\"new_text\":\"w\"}]}"},
        {list, "{\"path\":\"a.c\",\"edits\":\"" TWO "\"}",
         "{\"path\":\"a.c\",\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\"},"
         "{\"old_text\":\"v\",\"new_text\":\"w\"}]}"},
        {list, "{\"path\":\"a.c\",\"edits\":[{\"diff\":\"" HUNK "\"}]}",
         "{\"path\":\"a.c\",\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\"}]}"},
        {list, "{\"path\":\"a.c\",\"edits\":[\"" TWO "\",\"" HUNK "\"]}",
         "{\"path\":\"a.c\",\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\"},"
         "{\"old_text\":\"v\",\"new_text\":\"w\"},{\"old_text\":\"x\",\"new_text\":\"y\"}]}"},
        {list, "{\"edits\":[\"" ONE "\"]}",
         "{\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\"}],\"path\":\"d/a.c\"}"},
        {list, "{\"edits\":\"" ONE "\"}",
         "{\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\"}],\"path\":\"d/a.c\"}"},
        {list, "{\"edits\":[\"" ONE "\",\"--- a/b.c\\n+++ b/b.c\\n" HUNK "\"]}", NULL},
        {list, "{\"path\":\"a.c\",\"edits\":[\"x\"]}", NULL},
        {list, "{\"path\":\"b.c\",\"edits\":[\"" ONE "\"]}", NULL},
        {files, "{\"files\":[\"" ONE "\",\"--- a/b.c\\n+++ b/b.c\\n" HUNK "\"]}",
         "{\"files\":[{\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\"}],\"path\":\"d/a.c\"},"
         "{\"edits\":[{\"old_text\":\"x\",\"new_text\":\"y\"}],\"path\":\"b.c\"}]}"},
        {list, "{\"path\":\"b.c\",\"diff\":\"" TWO "\"}", NULL},
        /* of another file, however that is told */
        {list, "{\"path\":\"b.c\",\"edits\":\"" TWO "\"}", NULL},
        {list, "{\"path\":\"b.c\",\"edits\":[{\"diff\":\"" ONE "\"}]}", NULL},
        {list, "{\"path\":\"e/a.c\",\"diff\":\"" TWO "\"}", NULL},
        {list, "{\"filename\":\"b.c\",\"diff\":\"" TWO "\"}", NULL},
        {texts, "{\"path\":\"d/a.c\",\"diff\":\"--- a/d/b.c\\n+++ b/d/a.c\\n" HUNK "\"}", NULL},
        {texts, "{\"path\":\"d/a.c\",\"diff\":\"--- d/a.c.orig\\n+++ d/a.c\\n" HUNK "\"}",
         "{\"path\":\"d/a.c\",\"old_text\":\"x\",\"new_text\":\"y\"}"},
        {texts, "{\"diff\":\"--- b/a.c\\n+++ b/a.c\\n" HUNK "\"}",
         "{\"path\":\"b/a.c\",\"old_text\":\"x\",\"new_text\":\"y\"}"},
        /* a name that says that it is not to be made, or not again */
        {texts, "{\"path\":\"a.c\",\"revert\":\"" HUNK "\"}", NULL},
        {texts, "{\"path\":\"a.c\",\"expected_diff\":\"" HUNK "\"}", NULL},
        {texts, "{\"path\":\"a.c\",\"comment\":\"" HUNK "\"}", NULL},
        /* where it may be what is to be written */
        {lines, "{\"path\":\"a.c\",\"content\":\"" HUNK "\"}", NULL},
        {lines, "{\"path\":\"a.c\",\"content\":\"x\"}", "{\"path\":\"a.c\",\"new_content\":\"x\"}"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_meaning(cases[i].params, cases[i].args, "", cases[i].repaired);
}

/* Maps for lists of objects, and the path of the file in each of its edits. */
static void objects_in_another_shape_are_put_right(void **state)
{
    (void)state;
    static const em_param texts[] = {
        {.name = "search", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
        {.name = "replace", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
        {.name = NULL}};
    static const em_param whole[] = {
        {.name = "file", .type = EM_P_PATH, .flags = EM_P_REQUIRED},
        {.name = "content", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
        {.name = "encoding", .type = EM_P_NAME},
        {.name = NULL}};
    static const em_param several[] = {{.name = "file", .type = EM_P_PATH, .flags = EM_P_REQUIRED},
                                       {.name = "operations", .type = EM_P_LIST, .fields = texts},
                                       {.name = NULL}};
    static const em_param write_files[] = {
        {.name = "files", .type = EM_P_LIST, .flags = EM_P_REQUIRED, .fields = whole},
        {.name = NULL}};
    static const em_param edit_files[] = {
        {.name = "edits", .type = EM_P_LIST, .flags = EM_P_REQUIRED, .fields = several},
        {.name = NULL}};
    static const em_param edit_one[] = {
        {.name = "file", .type = EM_P_PATH, .flags = EM_P_REQUIRED},
        {.name = "edits", .type = EM_P_LIST, .flags = EM_P_REQUIRED, .fields = texts},
        {.name = NULL}};
#define EDIT "{\"search\":\"x\",\"replace\":\"y\"}"
    static const struct {
        const em_param *params;
        const char *args, *repaired; /* NULL: it is not plain */
    } cases[] = {
        {write_files, "{\"files\":{\"b.c\":\"B\",\"a.c\":\"A\"}}",
         "{\"files\":[{\"file\":\"b.c\",\"content\":\"B\"},{\"file\":\"a.c\",\"content\":\"A\"}]}"},
        {write_files, "{\"files\":{\"a.c\":{\"text\":\"A\",\"encoding\":\"latin1\"}}}",
         "{\"files\":[{\"file\":\"a.c\",\"content\":\"A\",\"encoding\":\"latin1\"}]}"},
        {write_files, "{\"files\":{\"a.c\":7}}", NULL},
        {write_files, "{\"file\":\"a.c\",\"edits\":[{\"content\":\"A\"}]}", NULL},
        {write_files, "{\"files\":{\"first\":{\"file\":\"b.c\",\"content\":\"A\"}}}",
         "{\"files\":[{\"file\":\"b.c\",\"content\":\"A\"}]}"},
        {write_files, "{\"files\":{\"a.c\":\"A\",\"b.c\":[\"B\"]}}", NULL},
        {edit_files, "{\"edits\":{\"a.c\":[" EDIT "],\"b.c\":" EDIT "}}",
         "{\"edits\":[{\"file\":\"a.c\",\"operations\":[" EDIT "]},"
         "{\"file\":\"b.c\",\"operations\":[" EDIT "]}]}"},
        {edit_files, "{\"edits\":{\"a.c\":\"A\"}}", NULL},
        {edit_one, "{\"file\":\"a.c\",\"edits\":{\"x\":\"y\"}}",
         "{\"file\":\"a.c\",\"edits\":[" EDIT "]}"},
        {edit_one, "{\"file\":\"a.c\",\"edits\":{\"x\":\"y\",\"v\":1}}", NULL},
        /* a line's number, and names that tools have for something */
        {edit_one, "{\"file\":\"a.c\",\"edits\":{\"2\":\"y\"}}", NULL},
        {edit_one, "{\"file\":\"a.c\",\"edits\":{\"anchor\":\"x\",\"insert\":\"y\"}}", NULL},
        {edit_one, "{\"file\":\"a.c\",\"edits\":{\"x\":\"y\",\"description\":\"z\"}}", NULL},
        {edit_one, "{\"file\":\"a.c\",\"edits\":{\"from\":\"x\",\"v\":\"y\"}}", NULL},
        /* one text is made of the other: in which order? */
        {edit_one, "{\"file\":\"a.c\",\"edits\":{\"x\":\"v\",\"v\":\"w\"}}", NULL},
        {write_files, "{\"files\":{\"a.c\":\"@@ -1 +1 @@\\n-x\\n+y\\n\"}}", NULL},
        {edit_one,
         "{\"file\":\"a.c\",\"edits\":[\"{\\\"search\\\":\\\"x\\\",\\\"replace\\\":"
         "\\\"y\\\"}\",[" EDIT "]]}",
         "{\"file\":\"a.c\",\"edits\":[" EDIT "," EDIT "]}"},
        {edit_one, "{\"file\":\"a.c\",\"edits\":[[" EDIT "," EDIT "]]}", NULL},
        {edit_one, "{\"file\":\"a.c\",\"edits\":[[\"x\",\"y\"],[\"x\",\"y\"]]}",
         "{\"file\":\"a.c\",\"edits\":[" EDIT "," EDIT "]}"},
        {edit_one, "{\"file\":\"a.c\",\"edits\":[\"x\",\"y\"]}", NULL},
        {edit_one, "{\"file\":\"a.c\",\"edits\":[[\"x\",\"y\",\"z\"]]}", NULL},
        {edit_one, "{\"file\":\"a.c\",\"edits\":[[\"2\",\"y\"]]}", NULL},
        {edit_one, "{\"file\":\"a.c\",\"edits\":[[2,\"y\"]]}", NULL},
        {edit_one, "{\"file\":\"a.c\",\"edits\":[{\"search\":[\"x\"],\"replace\":[\"y\"]}]}",
         "{\"file\":\"a.c\",\"edits\":[" EDIT "]}"},
        {edit_one, "{\"file\":\"a.c\",\"edits\":[{\"search\":[\"x\"],\"replace\":\"y\"}]}", NULL},
        {edit_one, "{\"file\":\"a.c\",\"edits\":[{\"search\":[\"x\",\"v\"],\"replace\":[\"y\"]}]}",
         NULL},
        {edit_files, "{\"files\":{\"a.c\":[" EDIT "]}}",
         "{\"edits\":[{\"file\":\"a.c\",\"operations\":[" EDIT "]}]}"},
        {edit_files, "{\"files\":[{\"path\":\"a.c\",\"search\":\"x\",\"replace\":\"y\"}]}",
         "{\"edits\":[{\"file\":\"a.c\",\"operations\":[" EDIT "]}]}"},
        {edit_files, "{\"files\":{\"a.c\":\"A\"}}", NULL},
        {edit_one,
         "{\"edits\":[{\"path\":\"a.c\",\"search\":\"x\",\"replace\":\"y\"},"
         "{\"file\":\"a.c\",\"search\":\"x\",\"replace\":\"y\"}]}",
         "{\"file\":\"a.c\",\"edits\":[" EDIT "," EDIT "]}"},
        {edit_one,
         "{\"edits\":[{\"path\":\"a.c\",\"search\":\"x\",\"replace\":\"y\"},"
         "{\"path\":\"b.c\",\"search\":\"x\",\"replace\":\"y\"}]}",
         NULL},
        {edit_one, "{\"edits\":[{\"path\":\"a.c\",\"search\":\"x\",\"replace\":\"y\"}," EDIT "]}",
         NULL},
        {edit_one,
         "{\"file\":\"b.c\",\"edits\":[{\"path\":\"a.c\",\"search\":\"x\",\"replace\":\"y\"}]}",
         NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_meaning(cases[i].params, cases[i].args, "", cases[i].repaired);
}

/* What the value cannot be is not meant, where only a part of the name is the same, or another word
 * for the name is known that it can be. */
static void a_name_is_not_taken_for_what_its_value_cannot_be(void **state)
{
    (void)state;
    static const em_param texts[] = {{.name = "old_text", .type = EM_P_STRING}, {.name = NULL}};
    static const em_param here[] = {{.name = "returnContent", .type = EM_P_BOOL},
                                    {.name = "edits", .type = EM_P_LIST, .fields = texts},
                                    {.name = "operation", .type = EM_P_STRING},
                                    {.name = NULL}};
    static const struct {
        const char *args, *told, *repaired;
    } cases[] = {
        {"{\"content\":\"x\"}", "Unknown argument content. Known here", NULL},
        {"{\"content\":true}", "Did you mean returnContent?", "{\"returnContent\":true}"},
        {"{\"returncontent\":\"x\"}", "Did you mean returnContent?", NULL},
        {"{\"operations\":[{\"search\":\"x\"}]}", "operations. Did you mean edits?",
         "{\"edits\":[{\"old_text\":\"x\"}]}"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_meaning(here, cases[i].args, cases[i].told, cases[i].repaired);
}

/* Tools name lines by both ends, or by the first and how many; some count from 0, or send a list.
 */
static void lines_are_told_in_the_words_of_the_tool(void **state)
{
    (void)state;
    static const em_param by_ends[] = {{.name = "file", .type = EM_P_PATH},
                                       {.name = "startLine", .type = EM_P_INTEGER, .minimum = 1},
                                       {.name = "endLine", .type = EM_P_INTEGER, .minimum = 1},
                                       {.name = NULL}};
    static const em_param searching[] = {{.name = "search", .type = EM_P_STRING},
                                         {.name = "startLine", .type = EM_P_INTEGER},
                                         {.name = "endLine", .type = EM_P_INTEGER},
                                         {.name = NULL}};
    static const em_param by_count[] = {
        {.name = "file", .type = EM_P_PATH},
        {.name = "start_line", .type = EM_P_INTEGER, .minimum = 1, .maximum = 0},
        {.name = "limit", .type = EM_P_INTEGER, .minimum = 1, .maximum = 100},
        {.name = NULL}};
    static const struct {
        const em_param *params;
        const char *args, *told, *repaired; /* NULL: it is not plain */
    } cases[] = {
        {by_ends, "{\"offset\":3,\"limit\":2}",
         "limit. Did you mean endLine? It is the number of the last line, and not how many there "
         "are: send 4",
         "{\"startLine\":3,\"endLine\":4}"},
        {by_ends, "{\"head\":2}", "send 2", "{\"endLine\":2}"},
        {by_ends, "{\"startLine\":\"3-4\"}", "must be an integer",
         "{\"startLine\":3,\"endLine\":4}"},
        {by_ends, "{\"startLine\":\"3-4\",\"endLine\":5}", "must be an integer", NULL},
        {by_ends, "{\"startLine\":\"3:4\"}", "must be an integer", NULL},
        {by_ends, "{\"startLine\":\"4-3\"}", "must be an integer", NULL},
        {by_ends, "{\"startLine\":\"3-\"}", "must be an integer", NULL},
        {by_count, "{\"start_line\":\"L3-L4\"}", "must be an integer",
         "{\"start_line\":3,\"limit\":2}"},
        {by_ends, "{\"offset\":0,\"length\":\"2\"}",
         "offset. Did you mean startLine? Lines are counted from 1: send 1. Known here",
         "{\"startLine\":1,\"endLine\":2}"},
        {by_ends, "{\"offset\":0,\"endLine\":2}", "offset. Did you mean startLine? Known here",
         NULL},
        {by_count, "{\"offset\":0,\"end_line\":2}", "Unknown argument end_line", NULL},
        {by_ends, "{\"offset\":-1,\"limit\":2}", "Unknown argument limit", NULL},
        {by_ends, "{\"offset\":2,\"limit\":9223372036854775807}", "Unknown argument limit", NULL},
        {by_ends, "{\"view_range\":[2,3]}",
         "view_range. Did you mean startLine and endLine? Send 2 and 3. Known here",
         "{\"startLine\":2,\"endLine\":3}"},
        {by_ends, "{\"view_range\":\"[2, -1]\"}",
         "Did you mean startLine? Lines are counted from 1: send 2", "{\"startLine\":2}"},
        {by_ends, "{\"lines\":[2,3]}",
         "lines. Did you mean startLine and endLine? Send 2 and 3. Known here",
         "{\"startLine\":2,\"endLine\":3}"},
        {by_ends, "{\"lines\":\"2-3\"}", "lines. Did you mean startLine and endLine? Send 2 and 3",
         "{\"startLine\":2,\"endLine\":3}"},
        {by_ends, "{\"line_range\":\" L2 - L3 \"}", "Send 2 and 3",
         "{\"startLine\":2,\"endLine\":3}"},
        {by_ends, "{\"range\":\"#L2:3\"}", "Send 2 and 3", "{\"startLine\":2,\"endLine\":3}"},
        {by_ends,
         "{\"lines\":\"2\xE2\x80\x93"
         "3\"}",
         "Send 2 and 3", "{\"startLine\":2,\"endLine\":3}"},
        {by_ends, "{\"lines\":\"2..\"}", "send 2", "{\"startLine\":2}"},
        {by_ends, "{\"lines\":\"3-2\"}",
         "Unknown argument lines. The lines end before they begin. Known here", NULL},
        {by_ends, "{\"lines\":\"2-3-4\"}", "Unknown argument lines. Known here", NULL},
        {by_ends, "{\"lines\":\"2-x\"}", "Unknown argument lines. Known here", NULL},
        {by_ends, "{\"lines\":\"2\"}", "Unknown argument lines. Known here", NULL},
        {by_ends, "{\"lines\":\"-3\"}", "Unknown argument lines. Known here", NULL},
        {by_ends, "{\"lines\":\"\"}", "Unknown argument lines. Known here", NULL},
        {by_ends, "{\"lines\":4}", "Unknown argument lines. Known here", NULL}, /* or how many */
        {by_ends, "{\"line\":4}", "line. Did you mean startLine and endLine? Send 4 and 4",
         "{\"startLine\":4,\"endLine\":4}"},
        {by_ends, "{\"line_number\":\"4\"}", "Send 4 and 4", "{\"startLine\":4,\"endLine\":4}"},
        {by_ends, "{\"line\":0}", "Unknown argument line. Known here", NULL},
        {by_count, "{\"range\":{\"start\":2,\"end\":4}}", "Send 2 and 3",
         "{\"start_line\":2,\"limit\":3}"},
        {by_count, "{\"range\":{\"start\":2,\"end\":4,\"step\":2}}", "Unknown argument range",
         NULL},
        {searching, "{\"search\":\"x\",\"lines\":\"2-4\"}", "Send 2 and 4",
         "{\"search\":\"x\",\"startLine\":2,\"endLine\":4}"},
        {searching, "{\"search\":\"x\",\"limit\":4}", "Unknown argument limit", NULL},
        {by_ends, "{\"view_range\":[3,2]}",
         "view_range. The lines end before they begin. Known here", NULL},
        {by_ends, "{\"view_range\":[2]}", "Unknown argument view_range. Known here", NULL},
        {by_ends, "{\"view_range\":[2,3],\"startLine\":1}",
         "Unknown argument view_range. Known here", NULL},
        {by_ends, "{\"view_range\":[2,3],\"offset\":1}", "Unknown argument offset", NULL},
        {by_count, "{\"start_line\":2,\"end_line\":4}",
         "end_line. Did you mean limit? It is how many lines there are, and not the number of the "
         "last: send 3. Known here",
         "{\"start_line\":2,\"limit\":3}"},
        {by_count, "{\"offset\":\"2\",\"endLine\":\"4\"}", "send 3",
         "{\"start_line\":2,\"limit\":3}"},
        {by_count, "{\"end\":3}", "send 3", "{\"limit\":3}"},
        {by_count, "{\"end_line\":1000}", "send 100",
         "{\"limit\":100}"}, /* all that is had at once */
        {by_count, "{\"start_line\":4,\"end_line\":2}", "end_line. The lines end before they begin",
         NULL},
        {by_count, "{\"start_line\":2,\"limit\":3,\"end_line\":4}", "end_line. Known here", NULL},
        {by_count, "{\"end_line\":3,\"last_line\":4}", "last_line. Did you mean limit?", NULL},
        {by_count, "{\"view_range\":[2,4]}",
         "view_range. Did you mean start_line and limit? Send 2 and 3. Known here",
         "{\"start_line\":2,\"limit\":3}"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_meaning(cases[i].params, cases[i].args, cases[i].told, cases[i].repaired);
}

/* What asks for nothing else than the call without it. */
static void what_is_done_anyway_is_left_out(void **state)
{
    (void)state;
    static const em_param numbered_texts[] = {{.name = "search", .type = EM_P_STRING},
                                              {.name = "times", .type = EM_P_INTEGER},
                                              {.name = "occurrences", .type = EM_P_INTEGER},
                                              {.name = NULL}};
    static const em_param numbered[] = {
        {.name = "file", .type = EM_P_PATH},
        {.name = "edits", .type = EM_P_LIST, .fields = numbered_texts},
        {.name = NULL}};
    static const em_param all_or_one[] = {{.name = "file", .type = EM_P_PATH},
                                          {.name = "search", .type = EM_P_STRING},
                                          {.name = "replace_all", .type = EM_P_BOOL},
                                          {.name = NULL}};
    static const em_param whole[] = {{.name = "file", .type = EM_P_PATH},
                                     {.name = "content", .type = EM_P_STRING},
                                     {.name = "expected_hash", .type = EM_P_STRING},
                                     {.name = NULL}};
    static const em_param creating[] = {{.name = "content", .type = EM_P_STRING}, {.name = NULL}};
    static const em_param reading[] = {{.name = "file", .type = EM_P_PATH},
                                       {.name = "start_line", .type = EM_P_INTEGER},
                                       {.name = NULL}};
    static const char *const actions[] = {"replace", "append", NULL};
    static const em_param several[] = {{.name = "search", .type = EM_P_STRING},
                                       {.name = "content", .type = EM_P_STRING},
                                       {.name = "operation", .type = EM_P_STRING, .words = actions},
                                       {.name = NULL}};
    static const struct {
        const em_param *params;
        const char *args, *told, *repaired; /* NULL: it is not idle */
    } cases[] = {
        {all_or_one, "{\"search\":\"x\",\"occurrences\":1}",
         "occurrences. Leave it out: the same is done without it. Known here",
         "{\"search\":\"x\"}"},
        {all_or_one, "{\"search\":\"x\",\"replace_all\":false,\"expected_replacements\":\"1\"}",
         "Leave it out", "{\"search\":\"x\",\"replace_all\":false}"},
        {all_or_one, "{\"search\":\"x\",\"replace_all\":true,\"occurrences\":1}",
         "occurrences. Known here", NULL},
        {all_or_one, "{\"search\":\"x\",\"occurrences\":2}",
         "occurrences. Did you mean replace_all? It replaces every occurrence, however many there "
         "are. Known here",
         NULL},
        {all_or_one, "{\"edits\":[{\"search\":\"x\",\"occurrences\":1}]}", "Unknown argument edits",
         "{\"search\":\"x\"}"},
        {numbered, "{\"edits\":[{\"search\":\"x\",\"replace_all\":false}]}",
         "edits[0].replace_all. Leave it out", "{\"edits\":[{\"search\":\"x\"}]}"},
        {numbered, "{\"edits\":[{\"search\":\"x\"},{\"search\":\"y\"}],\"replaceAll\":\"false\"}",
         "replaceAll. Leave it out", "{\"edits\":[{\"search\":\"x\"},{\"search\":\"y\"}]}"},
        {numbered, "{\"edits\":[{\"search\":\"x\",\"occurrences\":2}],\"replace_all\":false}",
         "replace_all. Did you mean edits[].occurrences?", NULL},
        {numbered, "{\"edits\":[{\"search\":\"x\",\"allow_multiple\":true}]}",
         "allow_multiple. Did you mean occurrences? It is the number",
         "{\"edits\":[{\"search\":\"x\"}]}"},
        {numbered, "{\"edits\":[{\"search\":\"x\",\"occurrences\":2,\"replaceAll\":\"true\"}]}",
         "replaceAll. Known here", "{\"edits\":[{\"search\":\"x\",\"occurrences\":2}]}"},
        {numbered, "{\"edits\":[{\"search\":\"x\"},{\"search\":\"y\"}],\"replace_all\":true}",
         "replace_all. Did you mean edits[].occurrences?",
         "{\"edits\":[{\"search\":\"x\"},{\"search\":\"y\"}]}"},
        {numbered, "{\"edits\":[{\"search\":\"x\",\"replace_all\":2}]}",
         "replace_all. Did you mean occurrences?", NULL},
        {all_or_one, "{\"command\":\"str_replace\",\"search\":\"x\"}", "command. Leave it out",
         "{\"search\":\"x\"}"},
        {all_or_one, "{\"command\":\"insert\",\"search\":\"x\"}", "command. Known here", NULL},
        {all_or_one, "{\"command\":\"create\",\"search\":\"x\"}", "command. Known here", NULL},
        {numbered, "{\"edits\":[{\"search\":\"x\",\"type\":\"replace\"}]}",
         "edits[0].type. Leave it out", "{\"edits\":[{\"search\":\"x\"}]}"},
        {whole, "{\"mode\":\"rewrite\",\"file_text\":\"x\"}", "mode. Leave it out",
         "{\"content\":\"x\"}"},
        {whole, "{\"command\":\"create\",\"content\":\"x\"}", "command. Known here", NULL},
        {whole, "{\"content\":\"x\",\"mode\":\"append\"}", "mode. Known here", NULL},
        {creating, "{\"content\":\"x\",\"command\":\"create\"}", "command. Leave it out",
         "{\"content\":\"x\"}"},
        {creating, "{\"content\":\"x\",\"mode\":\"overwrite\"}", "mode. Known here", NULL},
        {creating, "{\"content\":\"x\",\"overwrite\":false}", "overwrite. Leave it out",
         "{\"content\":\"x\"}"},
        {creating, "{\"content\":\"x\",\"overwrite\":true}", "overwrite. Known here", NULL},
        {whole, "{\"content\":\"x\",\"overwrite\":\"true\"}", "overwrite. Leave it out",
         "{\"content\":\"x\"}"},
        {whole, "{\"content\":\"x\",\"overwrite\":false}", "overwrite. Known here", NULL},
        {whole, "{\"content\":\"x\",\"command\":\"view\"}", "command. Known here", NULL},
        {reading, "{\"file\":\"a\",\"command\":\"view\"}", "command. Leave it out",
         "{\"file\":\"a\"}"},
        {several, "{\"search\":\"x\",\"command\":\"str_replace\"}", "command. Leave it out",
         "{\"search\":\"x\"}"},
        {several, "{\"content\":\"x\",\"command\":\"replace\"}", "command. Did you mean operation?",
         "{\"content\":\"x\",\"operation\":\"replace\"}"},
        {several, "{\"content\":\"x\",\"type\":\"append\"}", "type. Did you mean operation?",
         "{\"content\":\"x\",\"operation\":\"append\"}"},
        {several, "{\"content\":\"x\",\"command\":\"create\"}", "command. Did you mean operation?",
         NULL},
        {all_or_one, "{\"search\":\"x\",\"use_regex\":false}", "use_regex. Leave it out",
         "{\"search\":\"x\"}"},
        {all_or_one, "{\"search\":\"x\",\"use_regex\":true}", "use_regex. Known here", NULL},
        {whole, "{\"content\":\"x\",\"explanation\":\"why\"}", "explanation. Leave it out",
         "{\"content\":\"x\"}"},
        {all_or_one, "{\"search\":\"x\",\"caseSensitive\":true}", "caseSensitive. Leave it out",
         "{\"search\":\"x\"}"},
        {all_or_one, "{\"search\":\"x\",\"case_sensitive\":false}", "case_sensitive. Known here",
         NULL},
        {all_or_one, "{\"search\":\"x\",\"mode\":\"literal\"}", "mode. Leave it out",
         "{\"search\":\"x\"}"},
        {all_or_one, "{\"search\":\"x\",\"mode\":\"regex\"}", "mode. Known here", NULL},
        {whole, "{\"content\":\"x\",\"Instruction\":\"why\"}", "Instruction. Leave it out",
         "{\"content\":\"x\"}"},
        {whole, "{\"content\":\"x\",\"explanation\":[1]}", "explanation. Known here", NULL},
        {whole, "{\"content\":\"x\",\"edits\":null}", "edits. Leave it out", "{\"content\":\"x\"}"},
        {whole, "{\"content\":\"x\",\"new_text\":null}", "new_text. Leave it out",
         "{\"content\":\"x\"}"},
        {whole, "{\"contents\":null}", "contents. Did you mean content?", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_meaning(cases[i].params, cases[i].args, cases[i].told, cases[i].repaired);
}

/* Who fills in all that a tool takes sends empty lists and names for what is not meant. */
static void what_says_nothing_is_left_out(void **state)
{
    (void)state;
    static const char *const actions[] = {"replace", "append", NULL};
    static const em_param texts[] = {{.name = "old", .type = EM_P_STRING}, {.name = NULL}};
    static const em_param several[] = {
        {.name = "file", .type = EM_P_PATH},
        {.name = "edits", .type = EM_P_LIST, .flags = EM_P_NONEMPTY, .fields = texts},
        {.name = "files", .type = EM_P_LIST, .flags = EM_P_NONEMPTY, .fields = texts},
        {.name = "operation", .type = EM_P_STRING, .words = actions},
        {.name = "encoding", .type = EM_P_NAME},
        {.name = NULL}};
    static const em_param must_have[] = {
        {.name = "file", .type = EM_P_PATH, .flags = EM_P_REQUIRED}, {.name = NULL}};
    static const em_param lines[] = {{.name = "from", .type = EM_P_INTEGER, .minimum = 1},
                                     {.name = "end_line", .type = EM_P_INTEGER, .minimum = 1},
                                     {.name = NULL}};
    static const em_param choosing[] = {
        {.name = "edit_id", .type = EM_P_NAME, .flags = EM_P_CHOOSES},
        {.name = "session", .type = EM_P_NAME},
        {.name = NULL}};
    static const struct {
        const em_param *params;
        const char *args, *told, *repaired; /* NULL: it says something */
    } cases[] = {
        {several, "{\"edits\":[],\"files\":[{\"old\":\"x\"}]}", "No edits provided",
         "{\"files\":[{\"old\":\"x\"}]}"},
        {several, "{\"edits\":[],\"files\":[],\"operation\":\"append\"}", "No edits provided",
         "{\"operation\":\"append\"}"},
        {several, "{\"edits\":[],\"file\":\"a\"}", "No edits provided", NULL},
        {several, "{\"edits\":[],\"operation\":null}", "No edits provided", NULL},
        {several, "{\"file\":\"\",\"encoding\":\"\",\"edits\":[{\"old\":\"\"}]}",
         "file must not be empty\nencoding must not be empty", "{\"edits\":[{\"old\":\"\"}]}"},
        {several, "{\"operation\":\"\",\"edits\":[{\"old\":\"x\"}]}", "operation must be one of",
         "{\"edits\":[{\"old\":\"x\"}]}"},
        {several, "{\"operation\":\"replace\",\"encoding\":\"\",\"edits\":[{\"old\":\"x\"}]}",
         "encoding must not be empty", "{\"edits\":[{\"old\":\"x\"}]}"},
        {several, "{\"operation\":\"append\",\"encoding\":\"\",\"edits\":[{\"old\":\"x\"}]}",
         "encoding must not be empty", "{\"operation\":\"append\",\"edits\":[{\"old\":\"x\"}]}"},
        {must_have, "{\"file\":\"\"}", "file must not be empty", NULL},
        {lines, "{\"from\":2,\"end_line\":-1}", "end_line must be at least 1, but -1 came",
         "{\"from\":2}"},
        {lines, "{\"end_line\":\"-1\"}", "end_line must be an integer", "{}"},
        {lines, "{\"end_line\":-2}", "end_line must be at least 1, but -2 came", NULL},
        {lines, "{\"from\":-1}", "from must be at least 1, but -1 came", NULL},
        {choosing, "{\"edit_id\":\"\"}", "edit_id must not be empty", NULL},
        {choosing, "{\"edit_id\":\"1\",\"session\":\"\"}", "session must not be empty",
         "{\"edit_id\":\"1\"}"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_meaning(cases[i].params, cases[i].args, cases[i].told, cases[i].repaired);
}

/* A name that is like another one may mean the opposite, or count otherwise. */
static void how_much_is_done_is_not_guessed(void **state)
{
    (void)state;
    static const em_param changing[] = {{.name = "search", .type = EM_P_STRING},
                                        {.name = "replace_all", .type = EM_P_BOOL},
                                        {.name = "start_line", .type = EM_P_INTEGER},
                                        {.name = "end_line", .type = EM_P_INTEGER},
                                        {.name = "session", .type = EM_P_NAME},
                                        {.name = "atomic", .type = EM_P_BOOL},
                                        {.name = NULL}};
    static const em_param counting[] = {{.name = "search", .type = EM_P_STRING},
                                        {.name = "occurrences", .type = EM_P_INTEGER},
                                        {.name = NULL}};
    static const struct {
        const em_param *params;
        const char *args, *told, *repaired; /* NULL: it is not known what is meant */
    } cases[] = {
        {changing, "{\"replace_first\":true}", "replace_first. Known here", NULL},
        {changing, "{\"no_replace_all\":true}", "no_replace_all. Known here", NULL},
        {changing, "{\"replace_al\":true}", "Did you mean replace_all?", "{\"replace_all\":true}"},
        {changing, "{\"everywhere\":true}", "Did you mean replace_all?", "{\"replace_all\":true}"},
        {changing, "{\"end_before\":4}", "end_before. Known here", NULL},
        {changing, "{\"end_line_exclusive\":4}", "end_line_exclusive. Known here", NULL},
        {changing, "{\"start_line_0\":4}", "start_line_0. Known here", NULL},
        {changing, "{\"startLine\":4}", "Did you mean start_line?", "{\"start_line\":4}"},
        {changing, "{\"non_atomic\":true}", "non_atomic. Known here", NULL},
        {changing, "{\"not_atomic\":true}", "not_atomic. Known here", NULL},
        {changing, "{\"all_or_nothing\":true}", "Did you mean atomic?", "{\"atomic\":true}"},
        {changing, "{\"version\":\"a\"}", "version. Known here", NULL},
        {changing, "{\"session_id\":\"a\"}", "Did you mean session?", "{\"session\":\"a\"}"},
        {counting, "{\"occurrence\":2}", "occurrence. Known here", NULL},
        {counting, "{\"occurences\":2}", "Did you mean occurrences?", "{\"occurrences\":2}"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_meaning(cases[i].params, cases[i].args, cases[i].told, cases[i].repaired);
}

/* What is done is not guessed from a word that is only like it. */
static void what_is_done_is_not_guessed(void **state)
{
    (void)state;
    static const char *const ways[] = {"insert_before", "insert_after", "append", NULL};
    static const char *const actions[] = {"setText", "setHTML", "insertAdjacentHTML", NULL};
    static const em_param editing[] = {{.name = "operation", .type = EM_P_STRING, .words = ways},
                                       {.name = NULL}};
    static const em_param setting[] = {{.name = "action", .type = EM_P_STRING, .words = actions},
                                       {.name = NULL}};
    static const struct {
        const em_param *params;
        const char *args, *told, *repaired; /* NULL: it is not known what is meant */
    } cases[] = {
        {editing, "{\"operation\":\"insert_below\"}", "Did you mean \"insert_after\"?",
         "{\"operation\":\"insert_after\"}"},
        {editing, "{\"operation\":\"insertAbove\"}", "Did you mean \"insert_before\"?",
         "{\"operation\":\"insert_before\"}"},
        {editing, "{\"operation\":\"insert_at_end\"}", "Did you mean \"append\"?",
         "{\"operation\":\"append\"}"},
        {editing, "{\"operation\":\"insert_behind\"}", "Did you mean \"insert_after\"?",
         "{\"operation\":\"insert_after\"}"},
        {editing, "{\"operation\":\"insert_below_it\"}", "but this came: \"insert_below_it\"",
         NULL},
        {editing, "{\"operation\":\"insert_befoer\"}", "Did you mean \"insert_before\"?",
         "{\"operation\":\"insert_before\"}"},
        {editing, "{\"operation\":\"insert_beforr_\"}", "Did you mean \"insert_before\"?",
         "{\"operation\":\"insert_before\"}"},
        {editing, "{\"operation\":\"insert_befroee\"}", "Did you mean \"insert_before\"?", NULL},
        {editing, "{\"operation\":\"Insert-Befor\"}", "Did you mean \"insert_before\"?",
         "{\"operation\":\"insert_before\"}"},
        {setting, "{\"action\":\"insertHTML\"}", "Did you mean \"insertAdjacentHTML\"?",
         "{\"action\":\"insertAdjacentHTML\"}"},
        {setting, "{\"action\":\"getHTML5\"}", "action must be one of", NULL},
        {setting, "{\"action\":\"textContent\"}", "Did you mean \"setText\"?",
         "{\"action\":\"setText\"}"},
        {setting, "{\"action\":\"text\"}", "Did you mean \"setText\"?", "{\"action\":\"setText\"}"},
        {setting, "{\"action\":\"innerHTML\"}", "Did you mean \"setHTML\"?",
         "{\"action\":\"setHTML\"}"},
        {setting, "{\"action\":\"html\"}", "Did you mean \"setHTML\" or \"insertAdjacentHTML\"?",
         NULL},
        {editing, "{\"operation\":\"before\"}", "Did you mean \"insert_before\"?",
         "{\"operation\":\"insert_before\"}"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_meaning(cases[i].params, cases[i].args, cases[i].told, cases[i].repaired);
}

/* Where each object of a list has a path and one thing more, others name these by their paths. */
static void a_list_may_come_by_paths(void **state)
{
    (void)state;
    static const em_param file[] = {
        {.name = "file", .type = EM_P_PATH, .flags = EM_P_REQUIRED},
        {.name = "content", .type = EM_P_STRING, .flags = EM_P_REQUIRED},
        {.name = "encoding", .type = EM_P_NAME},
        {.name = NULL}};
    static const em_param loose[] = {{.name = "file", .type = EM_P_PATH, .flags = EM_P_REQUIRED},
                                     {.name = "content", .type = EM_P_STRING},
                                     {.name = NULL}};
    static const em_param writing[] = {{.name = "files", .type = EM_P_LIST, .fields = file},
                                       {.name = NULL}};
    static const em_param choosing[] = {{.name = "files", .type = EM_P_LIST, .fields = loose},
                                        {.name = NULL}};
    static const struct {
        const em_param *params;
        const char *args, *repaired;
    } cases[] = {
        {writing, "{\"files\":{\"a.txt\":\"x\"}}",
         "{\"files\":[{\"file\":\"a.txt\",\"content\":\"x\"}]}"},
        {writing, "{\"files\":{\"a/b\":\"x\",\"c.d\":\"\"}}",
         "{\"files\":[{\"file\":\"a/b\",\"content\":\"x\"},"
         "{\"file\":\"c.d\",\"content\":\"\"}]}"},
        {writing, "{\"files\":\"{\\\"a.txt\\\":\\\"x\\\"}\"}",
         "{\"files\":[{\"file\":\"a.txt\",\"content\":\"x\"}]}"},
        {writing, "{\"files\":{\"file\":\"a.txt\",\"content\":\"x\"}}",
         "{\"files\":[{\"file\":\"a.txt\",\"content\":\"x\"}]}"},
        {writing, "{\"files\":{\"nme\":\"a.txt\",\"txt\":\"x\"}}", NULL},
        {writing, "{\"files\":{\"a.txt\":\"x\",\"b\":\"y\"}}",
         "{\"files\":[{\"file\":\"a.txt\",\"content\":\"x\"},"
         "{\"file\":\"b\",\"content\":\"y\"}]}"},
        {writing, "{\"files\":{\"a.txt\":{\"x\":1}}}", NULL},
        {writing, "{\"files\":{}}", NULL},
        {choosing, "{\"files\":{\"a.txt\":\"x\"}}", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_meaning(cases[i].params, cases[i].args, "files must be a list", cases[i].repaired);
}

/* Other tools have one word for what is said here by two: the second one's, where it says nothing
 * else. */
static void one_word_is_understood_for_two(void **state)
{
    (void)state;
    static const char *const actions[] = {"setText", "insertAdjacentHTML", NULL};
    static const char *const positions[] = {"beforebegin", "beforeend", "afterend", NULL};
    static const em_word_pair insertion = {"insertAdjacentHTML", "position", positions};
    static const em_param inserting[] = {
        {.name = "action", .type = EM_P_STRING, .words = actions, .pair = &insertion},
        {.name = "position", .type = EM_P_STRING, .flags = EM_P_NULLABLE, .words = positions},
        {.name = NULL}};
    static const char appended[] = "{\"action\":\"insertAdjacentHTML\",\"position\":\"beforeend\"}";
    static const struct {
        const char *args, *told, *repaired;
    } cases[] = {
        {"{\"action\":\"append\"}",
         "Did you mean \"insertAdjacentHTML\" with position \"beforeend\"?", appended},
        {"{\"action\":\"appendChild\"}", "with position \"beforeend\"?", appended},
        {"{\"action\":\"beforeend\"}", "with position \"beforeend\"?", appended},
        {"{\"op\":\"append\"}", "Did you mean action?", appended},
        {"{\"action\":\"append\",\"position\":\"beforeend\"}", "with position", appended},
        {"{\"action\":\"append\",\"position\":null}", "with position", appended},
        {"{\"position\":null,\"action\":\"append\"}", "with position", appended},
        {"{\"action\":\"append\",\"position\":\"\"}", "with position", appended},
        {"{\"act\":\"setText\",\"position\":null}", "Did you mean action?",
         "{\"action\":\"setText\"}"},
        {"{\"action\":\"text\",\"where\":null}", "Did you mean \"setText\"?",
         "{\"action\":\"setText\"}"},
        {"{\"action\":\"append\",\"position\":\"afterend\"}", "with position", NULL},
        {"{\"action\":\"insertBefore\"}", "with position \"beforebegin\"?",
         "{\"action\":\"insertAdjacentHTML\",\"position\":\"beforebegin\"}"},
        {"{\"action\":\"after\"}", "with position \"afterend\"?",
         "{\"action\":\"insertAdjacentHTML\",\"position\":\"afterend\"}"},
        {"{\"action\":\"insert\",\"where\":\"after\"}", "where. Did you mean position?",
         "{\"action\":\"insertAdjacentHTML\",\"position\":\"afterend\"}"},
        {"{\"action\":\"prepend\"}", "but this came: \"prepend\"", NULL},
        {"{\"action\":\"replaceWith\"}", "but this came: \"replaceWith\"", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_meaning(inserting, cases[i].args, cases[i].told, cases[i].repaired);
}

/* What no word does here is told with the way to have it, and with no word that looks like it. */
static void the_way_to_what_no_word_does_is_told(void **state)
{
    (void)state;
    static const char *const actions[] = {"addClass", "removeClass", NULL};
    static const char *const toggling[] = {"toggleClass", NULL};
    static const em_foreign_words foreign[] = {{toggling, "Say addClass or removeClass"}, {0}};
    static const em_param changing[] = {
        {.name = "action", .type = EM_P_STRING, .words = actions, .foreign = foreign},
        {.name = NULL}};
    static const struct {
        const char *args, *told, *repaired;
    } cases[] = {
        {"{\"action\":\"toggleClass\"}", "\"toggleClass\". Say addClass or removeClass.", NULL},
        {"{\"action\":\"toggle_class\"}", "Say addClass or removeClass.", NULL},
        {"{\"action\":\"remove\"}", "Did you mean \"removeClass\"?", NULL},
        {"{\"action\":\"addClas\"}", "Did you mean \"addClass\"?", "{\"action\":\"addClass\"}"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        check_meaning(changing, cases[i].args, cases[i].told, cases[i].repaired);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(one_word_is_understood_for_two),
        cmocka_unit_test(the_way_to_what_no_word_does_is_told),
        cmocka_unit_test(a_list_may_come_by_paths),
        cmocka_unit_test(how_much_is_done_is_not_guessed),
        cmocka_unit_test(each_fault_is_told),
        cmocka_unit_test(many_faults_are_told_in_short),
        cmocka_unit_test(a_long_list_is_checked_to_its_end),
        cmocka_unit_test(values_are_made_by_one_thread),
        cmocka_unit_test(what_is_plainly_meant_is_repaired),
        cmocka_unit_test(a_name_is_taken_for_what_its_value_fits),
        cmocka_unit_test(edits_go_to_their_files),
        cmocka_unit_test(what_is_said_of_all_goes_beside_the_list),
        cmocka_unit_test(a_list_of_one_is_taken_out),
        cmocka_unit_test(words_of_other_tools_are_understood),
        cmocka_unit_test(two_texts_are_told_by_each_other),
        cmocka_unit_test(a_patch_is_taken_for_its_edits),
        cmocka_unit_test(objects_in_another_shape_are_put_right),
        cmocka_unit_test(a_name_is_not_taken_for_what_its_value_cannot_be),
        cmocka_unit_test(lines_are_told_in_the_words_of_the_tool),
        cmocka_unit_test(what_is_done_anyway_is_left_out),
        cmocka_unit_test(what_says_nothing_is_left_out),
        cmocka_unit_test(what_is_done_is_not_guessed),
        cmocka_unit_test(arguments_are_read),
        cmocka_unit_test(out_of_memory_is_said),
    };
    use_counted_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}

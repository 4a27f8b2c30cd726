#include "arguments/forms.h"

#include "calls.h"
#include "memory.h"

static const char *const words[] = {"put", "drop", "end", NULL};
static const char *const needs_list[] = {"list", NULL};
static const char *const needs_both[] = {"do", "at", "text", NULL};
static const char *const needs_at[] = {"do", "at", NULL};
static const char *const needs_text[] = {"do", "text", NULL};
static const char *const no_do[] = {"do", "at", "text", NULL};
static const char *const no_list[] = {"list", NULL};
static const char *const no_text[] = {"list", "text", NULL};
static const char *const no_at[] = {"list", "at", NULL};
static const char *const puts_[] = {"put", NULL};
static const char *const drops[] = {"drop", NULL};
static const char *const ends[] = {"end", NULL};

static const em_form forms[] = {
    {"many", needs_list, no_do, NULL, NULL}, {"one", needs_both, no_list, "do", puts_},
    {"one", needs_at, no_text, "do", drops}, {"one", needs_text, no_at, "do", ends},
    {NULL, NULL, NULL, NULL, NULL},
};

#define FIELDS                                                                                     \
    {.name = "do", .type = EM_P_STRING, .flags = EM_P_NULLABLE, .words = words},                   \
        {.name = "at", .alias = "where", .type = EM_P_STRING, .flags = EM_P_NULLABLE},             \
    {                                                                                              \
        .name = "text", .type = EM_P_STRING, .flags = EM_P_NULLABLE                                \
    }

static const em_param item[] = {
    FIELDS,
    {.name = "list", .type = EM_P_LIST, .item = EM_P_INTEGER},
    {.name = NULL},
};
static const em_param params[] = {
    FIELDS,
    {.name = "list", .type = EM_P_LIST, .flags = EM_P_NULLABLE, .fields = item, .forms = forms},
    {.name = "free", .type = EM_P_BOOL},
    {.name = NULL},
};

typedef struct judged {
    em_arena arena;
    em_args_problem problem;
} judged;

static void judged_drop(judged *j)
{
    em_arena_drop(&j->arena);
}

static em_status judge(judged *j, const em_form *of, const char *arguments)
{
    char *text = strdup(arguments);
    for (char *at = text; (at = strchr(at, '\'')); at++)
        *at = '"';
    EM_AUTO(em_json_ref) value = json_loads(text, 0, NULL);
    free(text);
    assert_non_null(value);
    *j = (judged){.problem = {.edit = 7}};
    assert_int_equal(em_args_check(params, value, &j->arena, &j->problem), EM_OK);
    return em_forms_check(params, of, value, &j->arena, &j->problem);
}

#define MISFIT "The request fits none of the forms:\n"

static void an_object_has_one_of_its_forms(void **state)
{
    (void)state;
    static const struct {
        const char *arguments, *want; /* NULL: it fits */
    } cases[] = {
        {"{'do':'put','at':'a','text':'b'}", NULL},
        {"{'do':'put','where':'a','text':'','free':true}", NULL},
        {"{'do':'put','at':'','text':'b'}", NULL},
        {"{'do':'drop','at':'a'}", NULL},
        {"{'do':'end','text':'b'}", NULL},
        {"{'list':[]}", NULL},
        {"{'list':[],'do':null,'free':false}", NULL},
        {"{'do':'drop','at':'a','text':''}", NULL},
        {"{'do':'end','at':'','text':'b'}", NULL},
        {"{'list':[],'at':'','text':''}", NULL},
        {"{}", MISFIT "- many: missing list\n- one: missing do"},
        {"{'at':'a'}", MISFIT "- many: missing list; must not have at\n- one: missing do"},
        {"{'do':'put'}", MISFIT "- many: missing list; must not have do\n- one: missing at, text"},
        {"{'do':'drop','text':'b'}",
         MISFIT "- many: missing list; must not have do, text\n- one: missing at; must not have "
                "text"},
        {"{'do':'end','at':'a','text':'b'}",
         MISFIT "- many: missing list; must not have do, at, text\n- one: must not have at"},
        {"{'do':'end','text':'b','list':[]}",
         MISFIT "- many: must not have do, text\n- one: must not have list"},
        {"{'list':[],'at':'a'}",
         MISFIT "- many: must not have at\n- one: missing do; must not have list"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(judged) j;
        em_status status = judge(&j, forms, cases[i].arguments);
        if ((status == EM_OK) != (cases[i].want == NULL))
            fail_msg("%s: %d", cases[i].arguments, (int)status);
        if (cases[i].want)
            assert_string_equal(j.problem.message, cases[i].want);
        assert_int_equal(j.problem.edit, EM_NO_EDIT);
        EM_AUTO(judged) free_of_form;
        assert_int_equal(judge(&free_of_form, NULL, cases[i].arguments), EM_OK);
    }
}

static void so_have_the_objects_of_a_list(void **state)
{
    (void)state;
    EM_AUTO(judged) j;
    assert_int_equal(judge(&j, forms, "{'list':[{'do':'end','text':'b'},{'list':[1]},{'at':'a'}]}"),
                     EM_E_INVALID);
    assert_string_equal(j.problem.message,
                        "list[2] fits none of the forms:\n"
                        "- many: missing list; must not have at\n- one: missing do");
    assert_int_equal(j.problem.edit, 2);
}

static bool misfit(void *context)
{
    EM_AUTO(em_arena) arena = {0};
    em_args_problem problem;
    return em_forms_check(params, forms, context, &arena, &problem) == EM_E_INVALID;
}

static bool fit(void *context)
{
    EM_AUTO(em_arena) arena = {0};
    em_args_problem problem;
    return em_forms_check(params, forms, context, &arena, &problem) == EM_OK;
}

static void out_of_memory_is_no_verdict(void **state)
{
    (void)state;
    EM_AUTO(em_json_ref) nothing = json_object();
    EM_AUTO(em_json_ref) many = json_pack("{s:[]}", "list");
    assert_true(run_out_of_memory(misfit, nothing) > 1);
    assert_true(run_out_of_memory(fit, many) > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_object_has_one_of_its_forms),
        cmocka_unit_test(so_have_the_objects_of_a_list),
        cmocka_unit_test(out_of_memory_is_no_verdict),
    };
    use_counted_memory();
    return cmocka_run_group_tests(tests, NULL, NULL);
}

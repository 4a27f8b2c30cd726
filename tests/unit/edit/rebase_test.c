#include "edit/rebase.h"

#include "edit/plan.h"
#include "test.h"

#define LOOP(name, eol)                                                                            \
    "int a(void)" eol "{" eol "    for (x in " name ")" eol "        if (ext)" eol                 \
    "            guess(ext);" eol "        else" eol "            print(guess);" eol
#define REST(eol) "    return 1;" eol "}" eol eol "int b(void)" eol "{" eol "}" eol
#define OLD(eol) LOOP("args", eol)

static const struct {
    const char *what, *text, *find, *insert;
    em_eol dominant;
    const char *wanted; /* the text with the edit made; NULL: it cannot be carried over */
} cases[] = {
    {"a line more behind the last", LOOP("other", "\n") REST("\n"), OLD("\n"),
     OLD("\n") "    m();\n", EM_EOL_LF, LOOP("other", "\n") "    m();\n" REST("\n")},
    /* the file's line endings stay, whatever those of the search text are */
    {"CRLFs in a file of LFs", LOOP("other", "\n") REST("\n"), OLD("\r\n"),
     OLD("\r\n") "    m();\r\n", EM_EOL_LF, LOOP("other", "\n") "    m();\n" REST("\n")},
    {"CRs in a file of CRLFs", LOOP("other", "\r\n") REST("\r\n"), OLD("\r"),
     OLD("\r") "    m();\r", EM_EOL_CRLF, LOOP("other", "\r\n") "    m();\r\n" REST("\r\n")},
    {"LFs in a file of CRs", LOOP("other", "\r") REST("\r"), OLD("\n"), OLD("\n") "    m();\n",
     EM_EOL_CR, LOOP("other", "\r") "    m();\r" REST("\r")},
    {"CRLFs that the replacement alone has", LOOP("other", "\n") REST("\n"), OLD("\n"),
     OLD("\n") "    m();\r\n    n();\r\n", EM_EOL_LF,
     LOOP("other", "\n") "    m();\r\n    n();\n" REST("\n")},
    /* a line that goes, goes with its ending, and alone */
    {"a line less", LOOP("other", "\n") REST("\n"), OLD("\n") REST("\n"),
     OLD("\n") "}\n\nint b(void)\n{\n}\n", EM_EOL_LF,
     LOOP("other", "\n") "}\n\nint b(void)\n{\n}\n"},
    {"a line less of a file of CRLFs", LOOP("other", "\r\n") REST("\r\n"),
     OLD("\n") "    return 1;\n}\n", OLD("\n") "}\n", EM_EOL_CRLF,
     LOOP("other", "\r\n") "}\r\n\r\nint b(void)\r\n{\r\n}\r\n"},
    {"a line less of a file of CRs", LOOP("other", "\r") REST("\r"), OLD("\n") "    return 1;\n}\n",
     OLD("\n") "}\n", EM_EOL_CR, LOOP("other", "\r") "}\r\rint b(void)\r{\r}\r"},
    {"a line less at the end of a file without a line ending", LOOP("other", "\r") "    return 1;",
     OLD("\n") "    return 1;\n", OLD("\n"), EM_EOL_CR, LOOP("other", "\r")},
};

typedef struct rebased {
    em_arena arena;
    em_rebased answer;
    bool done;
    em_slice result;
} rebased;

static void rebased_drop(rebased *r)
{
    em_arena_drop(&r->arena);
}

static void rebase(rebased *r, const char *bytes, const char *find, const char *insert,
                   em_eol dominant)
{
    *r = (rebased){.done = false};
    em_slice text = em_slice_of(bytes);
    em_sightings in = {.text = text, .arena = &r->arena};
    assert_int_equal(em_rebase(&in, em_slice_of(find), em_slice_of(insert), dominant, NULL,
                               &r->arena, &r->answer, &r->done),
                     EM_OK);
    if (!r->done)
        return;
    em_span span = r->answer.span;
    em_splice splice = {span.start, span.end - span.start, r->answer.insert};
    assert_int_equal(em_plan_apply(text, (em_splices){&splice, 1}, &r->arena, &r->result), EM_OK);
}

static void an_edit_is_carried_over(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(rebased) r;
        rebase(&r, cases[i].text, cases[i].find, cases[i].insert, cases[i].dominant);
        check_size(cases[i].what, r.done, cases[i].wanted != NULL);
        if (cases[i].wanted)
            check_bytes(cases[i].what, r.result, em_slice_of(cases[i].wanted));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_edit_is_carried_over),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

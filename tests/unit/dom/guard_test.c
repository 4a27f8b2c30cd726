#include "dom/guard.h"

#include "../with_cmocka.h"

#include "html/parse.h"

/* The first page is what is meant, the second what stands there; "" says that they are the same. */
static void what_reads_otherwise_is_found(void **state)
{
    (void)state;
    static const struct {
        const char *meant_page, *page, *within, *meant, *found;
    } cases[] = {
        {"<p>a</p>", "<p>a", "", "", ""},
        {"<p a=1>a", "<P A='1'>&#97;", "", "", ""},
        {"<p>a\nb", "<p>a\r\nb", "", "", ""},
        {"<p>ab", "<p>a</x>b", "", "", ""},
        {"<!DOCTYPE html><p>", "<!doctype HTML><p>", "", "", ""},
        {"<p>a\nb", "<p>a\nc", "<p>", "the text \"a\\nb\"", "the text \"a\\nc\""},
        {"<p>\ta\fb\n\nc", "<p>\ta\fb\nc", "<p>", "the text \"\\ta b\\n\\nc\"",
         "the text \"\\ta b\\nc\""},
        {"<p>a", "<p>", "<p>", "the text \"a\"", "nothing more"},
        {"<p>", "<p>a", "<p>", "nothing more", "the text \"a\""},
        {"<p><b>", "<p><i>", "<p>", "<b>", "<i>"},
        {"<p>a<b>", "<p><b>", "<p>", "the text \"a\"", "<b>"},
        {"<p><b>", "<p>a<b>", "<p>", "<b>", "the text \"a\""},
        {"<p><b>", "<p><!--c--><b>", "<p>", "<b>", "a comment \"c\""},
        {"<p><!--a-->", "<p><!--b-->", "<p>", "a comment \"a\"", "a comment \"b\""},
        {"<p a=1>", "<p a=2>", "<p>", "the attributes as asked for", "others"},
        {"<p a=1>", "<p b=1>", "<p>", "the attributes as asked for", "others"},
        {"<p a=1>", "<p a=1 b=2>", "<p>", "the attributes as asked for", "others"},
        {"<i>{{ a }}b", "<i></script>{{ a }}b", "", "", ""},
        {"<i></script>{{ a }}b", "<i></scripx>{{ a }}b", "", "", ""},
        {"<i>{{ a }}b", "<i></script>{{ a }}c", "<i>", "the text \"b\"", "the text \"c\""},
        {"<i>{{ a }}", "<i>{{ b }}", "<i>", "the text \"{{ a }}\"", "the text \"{{ b }}\""},
        {"<svg><p-x>", "<math><p-x>", "<body>", "<svg>", "<math>"},
        {"<!DOCTYPE html><p>", "<p>", "the page", "the doctype", "another"},
        {"<html><p>", "<html><p></body><!--c-->", "<html>", "nothing more", "a comment \"c\""},
        {"<p>", "<p></body><!--c-->", "the page", "nothing more", "a comment \"c\""},
        {"<body><link>", "<link>", "<head>", "nothing more", "<link>"},
        {"<p>", "<body><p>", "<body>", "<p>", "<body>"},
        {"<p></body></html><!--c-->", "<p></body></html>", "the page", "a comment \"c\"",
         "nothing more"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_page page;
        em_error err = EM_ERROR_INIT;
        em_guard_finding finding;
        assert_int_equal(em_page_parse(em_slice_of(cases[i].meant_page), NULL, &arena, &page, &err),
                         EM_OK);
        page.bytes = em_slice_of(cases[i].page);
        assert_int_equal(em_guard_check(&page, NULL, &finding), EM_OK);
        assert_string_equal(finding.within, cases[i].within);
        assert_string_equal(finding.meant, cases[i].meant);
        assert_string_equal(finding.found, cases[i].found);
        assert_int_equal(finding.same, cases[i].within[0] == '\0');
    }
}

static void a_page_that_cannot_be_read_is_a_finding(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_page page;
    em_error err = EM_ERROR_INIT;
    em_guard_finding finding;
    em_deadline passed = {.at = 1, .passed = true};
    assert_int_equal(em_page_parse(EM_LIT("<p>"), NULL, &arena, &page, &err), EM_OK);
    page.bytes = EM_LIT("<p>\0");
    assert_int_equal(em_guard_check(&page, NULL, &finding), EM_OK);
    assert_false(finding.same);
    assert_string_equal(finding.found, "the page holds a NUL");
    page.bytes = EM_LIT("<p>");
    assert_int_equal(em_guard_check(&page, &passed, &finding), EM_E_TIMEOUT);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_reads_otherwise_is_found),
        cmocka_unit_test(a_page_that_cannot_be_read_is_a_finding),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

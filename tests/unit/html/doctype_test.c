#include "html/doctype.h"

#include "base/strbuf.h"
#include "html/parse.h"

#include <stdio.h>

#include "../with_cmocka.h"

static const struct {
    const char *text; /* between "<!doctype" and '>' */
    bool quirks;
} cases[] = {
    {" html", false},
    {"html", false},
    {" \r\n\tHTML\f ", false},
    {"", true},
    {" ", true},
    {" xhtml", true},
    {" html foo", true},
    {" html public", true},
    {" html public x", true},
    {" html public \"x", true},
    {" html public \"\"", false},
    {" html PUBLIC\"x\"", false},
    {" html public 'x' y", true},
    {" html public 'x''y'", false},
    {" html public 'x' 'y", true},
    {" html public 'x' \"y'\" z", false},
    {" html system", true},
    {" html SYSTEM about:legacy-compat", true},
    {" html SYSTEM \"about:legacy-compat\"", false},
    {" html system 'x' y", false},
    {" html system 'x", true},
    {" html system \"HTTP://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd\"", true},
    {" html public 'x' 'http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd'", true},
    {" html system 'http://www.ibm.com/data/dtd/v11/ibmxhtml1-transitional.dtd2'", false},
    {" html public 'html'", true},
    {" html public 'htmls'", false},
    {" html public '-//W3O//DTD W3 HTML Strict 3.0//EN//'", true},
    {" html public '-//W3O//DTD W3 HTML Strict 3.0//EN'", false},
    {" html public '-/W3C/DTD HTML 4.0 Transitional/EN' 'x'", true},
    {" HTML PUBLIC \"-//W3C//DTD HTML 3.2 Final//EN\"", true},
    {" HTML PUBLIC \"-//w3c//dtd html 3.2//en\"", true},
    {" HTML PUBLIC \"-//W3C//DTD HTML 3.2\"", false},
    {" HTML PUBLIC \"-//IETF//DTD HTML//EN//2.0\"", true},
    {" HTML PUBLIC \"-//IETF//DTD HTML 2.0//EN\"", true},
    {" HTML PUBLIC \"-//W3C//DTD HTML 4.0//EN\"", false},
    {" HTML PUBLIC \"-//W3C//DTD HTML 4.0 Transitional//EN\" "
     "\"http://www.w3.org/TR/REC-html40/loose.dtd\"",
     true},
    {" HTML PUBLIC \"-//W3C//DTD HTML 4.0 Frameset//EN\"", true},
    {" HTML PUBLIC \"-//W3C//DTD HTML 4.01//EN\"", false},
    {" HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\"", true},
    {" HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\" "
     "\"http://www.w3.org/TR/html4/loose.dtd\"",
     false},
    {" HTML PUBLIC \"-//W3C//DTD HTML 4.01 Transitional//EN\" \"\"", false},
    {" HTML PUBLIC \"-//W3C//DTD HTML 4.01 Frameset//EN\"", true},
    {" html PUBLIC \"-//W3C//DTD XHTML 1.0 Transitional//EN\" \"x\"", false},
    {" html PUBLIC \"-//W3C//DTD XHTML 1.0 Strict//EN\"", false},
    {" HTML PUBLIC \"-//SoftQuad Software//DTD HoTMetaL PRO 6.0::19990601::extensions to HTML "
     "4.0//EN\"",
     true},
    {" HTML PUBLIC \"-//O'Reilly and Associates//DTD HTML 2.0//EN\"", true},
};

static void old_doctypes_mean_quirks(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        bool quirks = em_doctype_read(em_slice_of(cases[i].text)).quirks;
        if (quirks != cases[i].quirks)
            print_error("%s\n", cases[i].text);
        assert_int_equal(quirks, cases[i].quirks);
    }
}

/* In quirks mode, and only then, a table does not close the <p> before it. */
static void the_tree_is_that_of_the_mode(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_page page;
        em_error err = EM_ERROR_INIT;
        const em_node *table = NULL;
        const char *text =
            em_arena_format(&arena, "<!-- a -->\n<!DOCTYPE%s><p><table>", cases[i].text);
        assert_int_equal(em_page_parse(em_slice_of(text), NULL, &arena, &page, &err), EM_OK);
        for (size_t k = 0; k < page.count; k++)
            table = em_node_is(page.nodes[k], "table") ? page.nodes[k] : table;
        assert_int_equal(page.quirks, cases[i].quirks);
        assert_true(page.has_doctype);
        assert_non_null(table);
        assert_int_equal(em_node_is(table->parent, "p"), cases[i].quirks);
    }
}

/* Only the first thing of a page is its doctype. */
static void other_doctypes_do_not_count(void **state)
{
    (void)state;
    static const struct {
        const char *page;
        bool quirks;
    } pages[] = {
        {"<!DOCTYPE html><!DOCTYPE html PUBLIC 'html'>", false},
        {"<!DOCTYPE html PUBLIC 'html'><!DOCTYPE html>", true},
        {"x<!DOCTYPE html PUBLIC 'x'>", true},
        {" <x><!DOCTYPE html PUBLIC 'x'>", true},
        {"<3<!DOCTYPE html PUBLIC 'x'>", true},
        {"{<!DOCTYPE html PUBLIC 'x'>", true},
        {" <!-- --> <?a?></ b>\n<!DOCTYPE html PUBLIC 'x'>", false},
        {"\xEF\xBB\xBF<!DOCTYPE html PUBLIC 'x'>", false},
        {"{% a %}<?php a ?>\r\n<!DOCTYPE html PUBLIC 'x'>", false},
        {"<!DOCTYPE html PUBLIC 'html'", true},
        {"<p><!DOCTYPE html PUBLIC 'x'>", true},
    };
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_page page;
        em_error err = EM_ERROR_INIT;
        assert_int_equal(em_page_parse(em_slice_of(pages[i].page), NULL, &arena, &page, &err),
                         EM_OK);
        if (page.quirks != pages[i].quirks)
            print_error("%s\n", pages[i].page);
        assert_int_equal(page.quirks, pages[i].quirks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(old_doctypes_mean_quirks),
        cmocka_unit_test(the_tree_is_that_of_the_mode),
        cmocka_unit_test(other_doctypes_do_not_count),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

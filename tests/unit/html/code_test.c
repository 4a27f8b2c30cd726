#include "html/code.h"

#include "base/strbuf.h"
#include "html/prescan.h"

#include <time.h>

#include "../with_cmocka.h"

static void braces_are_read_by_what_they_hold(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t end; /* of the code; 0: none */
        bool doubtful;
    } cases[] = {
        {"{{ i<n ? 1 : 2 }}x", 17, false},
        {"{% if i<n %}<p>", 12, false},
        {"{{ a<b && c>d }}", 16, false},
        {"{{ a < b }}", 11, false},
        {"{% trans \"Click <b>here</b>\" %}", 31, false},
        {"{{ '<b>' | x }}", 15, false},
        {"{{ \"}}\" }}x", 10, false},
        {"{{ don't }} <b>it's</b> {{ x }}", 11, false},
        {"{{!-- <p>z</p> }} --}}", 22, false},
        {"{{-- <p>z</p> --}}", 18, false},
        {"{{! <p>z</p> }}", 15, false},
        {"{# <p>z</p> #}x", 14, false},
        {"{#- it's <b>z</b> -#}x", 21, false},
        {"{* <p>z</p> *}", 14, false},
        {"{/* <p>z</p> */}", 16, false},
        {"@* <p>z</p> *@", 14, false},
        {"<#-- </p> -->x", 13, false},
        {"{{{ a<b }}}", 10, false},
        {"{{ x </p> }}", 0, true},
        {"{{ x <b>y</b> }}", 0, true},
        {"{{ a<b and c>d }}", 0, true},
        {"{{ <b }}", 0, true},
        {"{{!-- </p> --}}", 0, true},
        {"{#if i<n}<p>", 9, false},
        {"{i <n && j>m ? 'a' : 'b'}x", 25, false},
        {"{i<n}", 5, false},
        {"{ <b }", 0, false},
        {"{a<b>c</b>}", 0, false},
        {"{a<n\n}", 0, false},
        {"{i < n}", 0, false},
        {"{a {i<n}", 0, false},
        {"{# </p> #}", 0, true},
        {"{# <p> #}", 0, true},
        {"{* </p> *}", 0, true},
        {"{/* </p> */}", 0, true},
        {"@* </p> *@", 0, true},
        {"{#</b> and <b>#}", 0, false},
        {"@*</li><li>*@b</li>", 0, false},
        {"{#if a}<p>z</p>{/if} #}", 0, false},
        {"{*.c <p>z</p>", 0, false},
        {"<#-- <p>z</p>", 0, false},
        {"{{ <b>x</b> }}", 0, false},
        {"{{</code> and <code>}}", 0, false},
        {"{{</span> <i>{{ x }}", 0, false},
        {"{{ x <b>y</b> {{ z }}", 0, false},
        {"{% x <b>y</b> {% z %}", 0, false},
        {"{{ '\n<b>' }}", 0, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        em_code_reader reader = {.bytes = em_slice_of(cases[i].text)};
        em_code_doubt doubt;
        if (em_code_read(&reader, 0) != cases[i].end)
            fail_msg("%s: ends at %zu", cases[i].text, em_code_read(&reader, 0));
        if (cases[i].end == 0 && em_code_doubtful(&reader, 0, &doubt) != cases[i].doubtful)
            fail_msg("%s: in doubt or not", cases[i].text);
    }
}

static void php_ends_behind_its_strings(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t end;
    } cases[] = {
        {"<?php echo '<?xml a?>'; ?>x", 26},
        {"<?php echo \"<?xml a=\\\"b\\\"?>\\n\"; ?>x", 34},
        {"<?= '?>' . \"?>\" ?>x", 18},
        {"<? echo '?>' ?>x", 15},
        {"<?php $a = 'b';\necho '?>'\n?>x", 28},
        {"<?php // it's '?> a'", 17},
        {"<?php # '?> a' ?>", 11},
        {"<?php don't ?> a' ?>", 14},
        {"<?php '\n?> a' ?>", 10},
        {"<?php '?> a", 9},
        {"<?php echo '?>'; <b>", 20},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        em_code_reader reader = {.bytes = em_slice_of(cases[i].text)};
        if (em_code_read(&reader, 0) != cases[i].end)
            fail_msg("%s: ends at %zu", cases[i].text, em_code_read(&reader, 0));
    }
}

static void pages_of_beginnings_are_read_at_once(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "<% ",      "<? ",           "{{ ",
        "{% ",      "{{!-- <p> ",    "{{ a<b ",
        "{{ 'a ",   "{{ \"}}\" }} ", "{% <a{%",
        "<a {{{ {", "<a x={ >",      "<a b='<% '>",
        "{{ <a }",  "<a><% {{",      "{{!-- </p> <p> ",
        "{i<n ",    "{i<",           "{# <p> ",
        "{* <p> ",  "{/* </p> <p> ", "@* </p> ",
        "<#-- ",    "{a} ",          "{/a} ",
        "@a(",      "[#a ",          "{#a {",
        "<@a b ",   "[% IF ",        "<%a </%",
        "<?= '?>",  "<?= \\'?>",     "{{ \\' \\' }} ",
        "\\' ",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++)
        for (int whole = 0; whole < 2; whole++) {
            EM_AUTO(em_strbuf) page = {0};
            EM_AUTO(em_arena) arena = {0};
            em_prescan scan;
            em_error err = EM_ERROR_INIT;
            while (page.len < 1 << 18)
                em_strbuf_puts(&page, parts[i]);
            em_strbuf_puts(&page,
                           whole ? "<b> --}} %} }} %> ?> #} *} */} *@ -->" : "<i id=a>x</i>");
            clock_t start = clock();
            (void)em_prescan_page(em_strbuf_slice(&page), &arena, &scan, &err);
            (void)em_code_doubted(em_strbuf_slice(&page));
            if (clock() - start > 20 * CLOCKS_PER_SEC)
                fail_msg("\"%s\" again and again took too long", parts[i]);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(braces_are_read_by_what_they_hold),
        cmocka_unit_test(php_ends_behind_its_strings),
        cmocka_unit_test(pages_of_beginnings_are_read_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

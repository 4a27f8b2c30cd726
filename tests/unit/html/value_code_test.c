#include "html/value_code.h"

#include "base/strbuf.h"

#include <time.h>

#include "../with_cmocka.h"

static void code_is_found_in_a_list_of_words(void **state)
{
    (void)state;
    static const struct {
        const char *value, *pieces; /* each with a '|' behind, and a '!' before if it parts */
        const char *chosen;
    } cases[] = {
        {"a {{ b }} c", "{{ b }}|", ""},
        {"{% if a %} b {% else %}c{% endif %}", "!{% if a %}|!{% else %}|!{% endif %}|",
         " b {% else %}c"},
        {"a {b ? c : d}", "{b ? c : d}|", ""},
        {"a-${b}c", "{b}|", ""},
        {"{cn('}', { a: b })} {$c|d: e }", "{cn('}', { a: b })}|{$c|d: e }|", ""},
        {"a {\n\tb &&\n\t'c'\n}", "{\n\tb &&\n\t'c'\n}|", ""},
        {"{if $a} b {else} c {/if} d", "!{if $a}|!{else}|!{/if}|", " b {else} c "},
        {"{if $a} b", "{if $a}|", ""},
        {"<#if x == 1 > on </#if> a", "!<#if x == 1 >|!</#if>|", " on "},
        {"a @if($b ? c : d) e @endif", "!@if($b ? c : d)|!@endif|", " e "},
        {"a#if($b)c#{else} d#end", "!#if($b)|!#{else}|!#end|", "c#{else} d"},
        {"@if (a) { b }", "@if (a)|{ b }|", ""},
        {"a @(b ? \"c\" : \"d\") @e.f('g h')", "@(b ? \"c\" : \"d\")|@e.f('g h')|", ""},
        {"[{a ? b : c}] [{{ d }}]", "{a ? b : c}|{{ d }}|", ""},
        /* Words. */
        {"w-[calc(100%-{x})] [@media(hover:hover){&:hover}]:b", "", ""},
        {"before:content-['{'] after:content-['}']", "", ""},
        {"hover:[&>p]:mt-4 @container @md:flex #id #if #end @endif a@b(c)", "", ""},
        {"a @if($b) c", "", ""},
        {"#if($a) b", "", ""},
        {"<#if a> </#list> b", "", ""},
        {"{ a } b", "{ a }|", ""},
        {"{ a [ } } { } {} ]", "{ a [ }|", ""},
        {"a { b", "", ""},
        {"a } {", "", ""},
        {"", "", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_strbuf) found = {0};
        em_slice value = em_slice_of(cases[i].value);
        em_value_code code;
        assert_int_equal(em_value_code_read(value, &arena, &code), EM_OK);
        for (size_t k = 0; k < code.count; k++) {
            em_strbuf_puts(&found, code.parting[k] ? "!" : "");
            em_strbuf_add(&found, em_slice_sub(value, code.pieces[k].start, code.pieces[k].end));
            em_strbuf_puts(&found, "|");
        }
        em_slice chosen = {0};
        if (code.chosen.end > 0)
            chosen = em_slice_sub(value, code.chosen.start, code.chosen.end);
        if (!em_slice_is(em_strbuf_slice(&found), cases[i].pieces))
            fail_msg("%s: %.*s", cases[i].value, (int)found.len, found.ptr);
        if (!em_slice_is(chosen, cases[i].chosen))
            fail_msg("%s: chosen is \"%.*s\"", cases[i].value, (int)chosen.len, chosen.ptr);
    }
}

/* Beginnings without an end take no longer than anything else. */
static void values_of_beginnings_are_read_at_once(void **state)
{
    (void)state;
    static const char *const parts[] = {
        "{ ",   "{a ",        "[",       "[{ ", "@(",  "@if($a) ", "#if($a) ",
        "<#if", "{if $a} ",   "#end ",   "{' ", "@a(", "{{ ",      "@if($a) b @endif ",
        "{}",   "{% if a %}", "<#if a>",
    };
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        EM_AUTO(em_strbuf) value = {0};
        EM_AUTO(em_arena) arena = {0};
        em_value_code code;
        while (value.len < 1 << 18)
            em_strbuf_puts(&value, parts[i]);
        clock_t start = clock();
        assert_int_equal(em_value_code_read(em_strbuf_slice(&value), &arena, &code), EM_OK);
        if (clock() - start > 20 * CLOCKS_PER_SEC)
            fail_msg("\"%s\" again and again took too long", parts[i]);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_is_found_in_a_list_of_words),
        cmocka_unit_test(values_of_beginnings_are_read_at_once),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "html/prescan.h"

#include "../with_cmocka.h"

#include "base/ascii.h"
#include "base/strbuf.h"
#include "html/code.h"
#include "html/tag.h"

static void code_is_masked_where_a_parser_would_stumble(void **state)
{
    (void)state;
    static const struct {
        const char *page, *masked;
    } cases[] = {
        {"<p>a {{ b < c }} d", "<p>a {{ b < c }} d"},
        {"<p>a<?php b > c ?>d", "<p>a<!`hp b ` c ?>d"},
        {"<p>a<?= b ?>d<?php e", "<p>a<!` b ?>d<!`hp >"},
        {"<p>a<%= b > c %>d", "<p>a<!` b ` c %>d"},
        {"<p>a<% b", "<p>a<% b"},
        {"<?xml a ?><p>", "<?xml a ?><p>"},
        {"<? a > b ?><p>", "<!`a ` b ?><p>"},
        {"<? a > b <p>", "<? a > b <p>"},
        {"{{ a }}<p>{{ b }}", "{{ a }}<p>{{ b }}"},
        {"{{ a }} <!-- < --> {{ b }}", "{{ a }} <!-- < --> {{ b }}"},
        {"{{ a }} <!-- < --> {{ b }}<title>", "<!`a }> <!-- < --> <!`b }><title>"},
        {"{{ a }}<!DOCTYPE html><p>", "<!`a }><!DOCTYPE html><p>"},
        {"{{ a }}<?xml a ?>{{ b }}<p>", "<!`a }><?xml a ?>{{ b }}<p>"},
        {"<!-- a -->b {{ c }}<title>", "<!-- a -->b {{ c }}<title>"},
        {"<table>{% a > b %}<tr>", "<table><!`a ` b %><tr>"},
        {"<td>{% a %}</td>{% b %}", "<td>{% a %}</td><!`b %>"},
        {"<div {{#if a}}b='c'{{/if}} d>", "<div          b='c'        d>"},
        {"<div id={{ a }} b{{c}}>", "<div id=``````` b`````>"},
        {"<h{{ a }} b=\"{{ \"c\" }}\">", "<h``````` b=\"{{ `c` }}\">"},
        {"<a href='<?= '>' ?>'>", "<a href='<?= `>` ?>'>"},
        {"<script>{{ a }}<?= '</script>' ?></script><p>{{",
         "<script>{{ a }}`?= '`/script>' ?></script><p>{{"},
        {"<p>{{ <b>a</b> }}", "<p>{{ <b>a</b> }}"},
        {"<p>{{ <!-- }}", "<p>{{ <!-- }}"},
        {"<!-- {{ a }} --><p>", "<!-- {{ a }} --><p>"},
        {"@model A\n<!DOCTYPE html>{{ b }}<p>", "<!`del >\n<!DOCTYPE html><!`b }><p>"},
        {"#a <b>\n<html>", "#a <b>\n<html>"},
        {"@a\n<html>", "@a\n<html>"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_prescan scan;
        em_error err = EM_ERROR_INIT;
        em_slice page = em_slice_of(cases[i].page);
        assert_int_equal(em_prescan_page(page, &arena, &scan, &err), EM_OK);
        assert_int_equal(scan.masked.len, page.len);
        assert_string_equal(em_arena_string(&arena, scan.masked), cases[i].masked);
    }
}

static void code_in_a_part_is_masked_by_where_it_is_to_stand(void **state)
{
    (void)state;
    static const struct {
        const char *parent, *part, *masked;
    } cases[] = {
        {"p", "{{ a }}<b>{{ c }}</b>", "{{ a }}<b>{{ c }}</b>"},
        {"p", "a<?= b ?>", "a<!` b ?>"},
        {"table", "{{ a }}<tr>", "<!`a }><tr>"},
        {"head", "{{ a }}<title>", "<!`a }><title>"},
        {"title", "{{ a }}<?= b ?>", "{{ a }}`?= b ?>"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_prescan scan;
        em_error err = EM_ERROR_INIT;
        em_node parent = {.kind = EM_NODE_ELEMENT, .name = em_slice_of(cases[i].parent)};
        em_slice part = em_slice_of(cases[i].part);
        assert_int_equal(em_prescan_part(part, &parent, &arena, &scan, &err), EM_OK);
        assert_string_equal(em_arena_string(&arena, scan.masked), cases[i].masked);
    }
}

static void names_that_the_parser_does_not_know_have_others(void **state)
{
    (void)state;
    static const struct {
        const char *page, *masked;
    } cases[] = {
        {"<x-card a><p></X-CARD>", "<output a><p></output>"},
        {"<x-card><output><canvas></x-card>", "<audio ><output><canvas></audio >"},
        {"<x-a><x-b/></x-a>", "<bdi><bdo/></bdi>"},
        {"<o><p></o>", "<q><p></q>"},
        {"<o><q></o>", "<o><q></o>"},
        {"<main></main>", "<dir ></dir >"},
        {"<main><dialog open></main>", "<dir ><main   open></dir >"},
        {"<main><dir><nav><dialog>", "<main><dir><nav><dialog>"},
        {"<search>", "<hgroup>"},
        {"<svg><g><x-card><foreignObject>", "<svg><g><output><foreignObject>"},
        {"<x{{ a }}-b>", "<x```````-b>"},
        {"<script><x-card></script>", "<script><x-card></script>"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_prescan scan;
        em_error err = EM_ERROR_INIT;
        assert_int_equal(em_prescan_page(em_slice_of(cases[i].page), &arena, &scan, &err), EM_OK);
        assert_string_equal(em_arena_string(&arena, scan.masked), cases[i].masked);
    }
}

/* No two names of a page are ever made one, however many there are. */
static void there_may_be_more_names_than_others(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) page = {0};
    em_prescan scan;
    em_error err = EM_ERROR_INIT;
    enum { NAMES = 200, LENGTH = 15 };
    for (int i = 0; i < NAMES; i++)
        em_strbuf_printf(&page, "<x-element-%03d>", i);
    assert_int_equal(em_prescan_page(em_strbuf_slice(&page), &arena, &scan, &err), EM_OK);
    assert_int_equal(scan.masked.len, page.len);
    for (int i = 0; i < NAMES; i++)
        for (int j = 0; j < i; j++)
            assert_memory_not_equal(scan.masked.ptr + i * LENGTH, scan.masked.ptr + j * LENGTH,
                                    LENGTH);
    assert_memory_not_equal(scan.masked.ptr, page.ptr, LENGTH);
}

static void tags_are_counted(void **state)
{
    (void)state;
    static const struct {
        const char *page;
        size_t starts, ends;
        bool open;
    } cases[] = {
        {"<p>a</p><br/>", 2, 1, false},
        {"a < b </ c> <!d> <3", 0, 0, false},
        {"<script><b></b></scripty></SCRIPT >", 1, 1, false},
        {"<script><b>", 1, 0, true},
        {"<svg><style><b></b></style><title>a</title></svg>", 4, 4, false},
        {"<svg><![CDATA[<b>]]></svg>", 1, 1, false},
        {"<![CDATA[<b>]]>", 0, 0, false},
        {"<!--><b><!---><i><!--a--!><u><!-- <s> -->", 3, 0, false},
        {"<!-- a", 0, 0, true},
        {"<!-- a --", 0, 0, false},
        {"<p a=\"", 0, 0, true},
        {"</p a", 0, 0, true},
        {"<title><b></title>", 1, 1, false},
        {"<p a='>' b=\">\">", 1, 0, false},
        {"<!doctype", 0, 0, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_prescan scan;
        em_error err = EM_ERROR_INIT;
        assert_int_equal(em_prescan_page(em_slice_of(cases[i].page), &arena, &scan, &err), EM_OK);
        assert_int_equal(scan.start_tags, cases[i].starts);
        assert_int_equal(scan.end_tags, cases[i].ends);
        assert_int_equal(scan.open, cases[i].open);
    }
}

/* `count` times `unit`, between the other two. */
static em_status scan_many(const char *before, const char *unit, size_t count, const char *behind,
                           em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) page = {0};
    em_prescan scan;
    *err = EM_ERROR_INIT;
    em_strbuf_puts(&page, before);
    for (size_t i = 0; i < count; i++)
        em_strbuf_puts(&page, unit);
    em_strbuf_puts(&page, behind);
    return em_prescan_page(em_strbuf_slice(&page), &arena, &scan, err);
}

static void limits_are_held(void **state)
{
    (void)state;
    em_error err;
    assert_int_equal(scan_many("<p", " a=b", EM_MAX_TAG_ATTRS, ">", &err), EM_OK);
    assert_int_equal(scan_many("\n<p", " a=b", 100000, ">", &err), EM_E_INVALID);
    assert_string_equal(err.detail, "line 2: a tag has more than 1000 attributes");
    assert_int_equal(scan_many("", "0123456789abcdef", EM_MAX_PAGE_BYTES / 16, "", &err), EM_OK);
    assert_int_equal(scan_many("", "0123456789abcdef", EM_MAX_PAGE_BYTES / 16, "x", &err),
                     EM_E_TOO_LARGE);
    assert_int_equal(scan_many("\xFE\xFF", "", 0, "", &err), EM_E_BINARY);
    assert_string_equal(err.detail, "the page is in UTF-16");
}

/* SVG is known as such behind, and among, any number of elements that are never closed. */
static void open_elements_are_no_limit(void **state)
{
    (void)state;
    static const struct {
        const char *before, *unit, *behind;
        size_t starts;
    } cases[] = {
        {"", "<a>", "<svg><title><b></b></title></svg><title><b></title>", 3004},
        {"<svg>", "<a>", "<title><b></title>", 3003},
        {"<div><svg>", "<i></i>", "</div><title><b></title>", 3003},
        {"", "<a>", "</i></div><title><b></title>", 3001},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_strbuf) page = {0};
        em_prescan scan;
        em_error err = EM_ERROR_INIT;
        em_strbuf_puts(&page, cases[i].before);
        for (size_t k = 0; k < 3000; k++)
            em_strbuf_puts(&page, cases[i].unit);
        em_strbuf_puts(&page, cases[i].behind);
        assert_int_equal(em_prescan_page(em_strbuf_slice(&page), &arena, &scan, &err), EM_OK);
        assert_int_equal(scan.start_tags, cases[i].starts);
    }
}

/* ---- Tags and code --------------------------------------------------------------------------- */

static void a_tag_is_read_as_html_does(void **state)
{
    (void)state;
    static const struct {
        const char *tag, *attrs;
        bool closing;
        size_t end;
    } cases[] = {
        {"<p>", "", false, 3},
        {"<p/>", "", true, 4},
        {"<p / >", "", false, 6},
        {"<p a b=c>", "a b=c", false, 9},
        {"<p a = 'x y' b=\"z\"c>", "a='x y' b=\"z\" c", false, 20},
        {"<p a=x/>", "a=x/", false, 8},
        {"<p a='x'/>", "a='x'", true, 10},
        {"<p =a=b>", "=a=b", false, 8},
        {"<p a= >", "a=", false, 7},
        {"<p/a/b>", "a b", false, 7},
        {"</p a=b>", "a=b", false, 8},
        {"<p a", "a", false, EM_NPOS},
        {"<p a='b", "a='b'", false, EM_NPOS},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_strbuf) out = {0};
        em_slice bytes = em_slice_of(cases[i].tag);
        em_tag tag;
        em_tag_attr attr;
        em_tag_open(&tag, bytes, 0, NULL, NULL);
        assert_true(em_slice_is(em_slice_sub(bytes, tag.name.start, tag.name.end), "p"));
        while (em_tag_next(&tag, &attr)) {
            em_slice name = em_slice_sub(bytes, attr.name.start, attr.name.end);
            em_slice value = em_slice_sub(bytes, attr.value.start, attr.value.end);
            char quote[] = {attr.quote, '\0'};
            em_strbuf_printf(&out, "%s%.*s%s%s%.*s%s", out.len > 0 ? " " : "", (int)name.len,
                             name.ptr, attr.has_value ? "=" : "", quote, (int)value.len, value.ptr,
                             quote);
        }
        assert_true(em_slice_is(em_strbuf_slice(&out), cases[i].attrs));
        assert_int_equal(tag.end, cases[i].end);
        assert_int_equal(tag.self_closing, cases[i].closing);
        assert_false(em_tag_next(&tag, &attr));
    }
    assert_true(em_same_in_any_case(EM_LIT("aZ["), EM_LIT("Az[")));
    assert_false(em_same_in_any_case(EM_LIT("a["), EM_LIT("a{")));
    assert_false(em_same_in_any_case(EM_LIT("a"), EM_LIT("ab")));
}

/* Where the code ends that the text begins with. */
static size_t code_end(em_slice text)
{
    em_code_reader reader = {.bytes = text};
    return em_code_read(&reader, 0);
}

static void code_is_recognized(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        size_t end;
    } cases[] = {
        {"<?php ?>x", 8}, {"<?PHP", 5},    {"<?=a?>b", 6}, {"<?", 0},      {"<? a", 0},
        {"<% %>", 5},     {"<%a", 0},      {"{{a}}b", 5},  {"{%a%}b", 5},  {"{a}}", 0},
        {"{{a%}", 0},     {"{{ <b }}", 0}, {"{{</b}}", 0}, {"{{ < }}", 7}, {"<p a>", 0},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        em_slice text = em_slice_of(cases[i].text);
        assert_int_equal(code_end(text), cases[i].end);
        assert_int_equal(em_code_within(text), cases[i].end > 0);
    }
    EM_AUTO(em_strbuf) text = {0};
    em_strbuf_puts(&text, "{{");
    for (int i = 0; i < 5000; i++)
        em_strbuf_putc(&text, 'x');
    em_strbuf_puts(&text, "}}");
    assert_int_equal(code_end(em_strbuf_slice(&text)), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(code_is_masked_where_a_parser_would_stumble),
        cmocka_unit_test(code_in_a_part_is_masked_by_where_it_is_to_stand),
        cmocka_unit_test(names_that_the_parser_does_not_know_have_others),
        cmocka_unit_test(there_may_be_more_names_than_others),
        cmocka_unit_test(tags_are_counted),
        cmocka_unit_test(limits_are_held),
        cmocka_unit_test(open_elements_are_no_limit),
        cmocka_unit_test(a_tag_is_read_as_html_does),
        cmocka_unit_test(code_is_recognized),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

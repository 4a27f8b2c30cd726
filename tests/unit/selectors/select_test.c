#include "selectors/select.h"

#include <stdio.h>
#include <stdlib.h>

#include "../with_cmocka.h"

#include "base/strbuf.h"
#include "failing_malloc.h"
#include "selecting.h"

static const char page[] =
    "<!DOCTYPE html><html><head><title>t</title></head><body id=y>"
    "<div id=d class='card big'><h3 id=h class=title>x</h3><p id=p1 class=a>1</p><!-- --> "
    "<p id=p2 class='b hover:x w-1/2'>2<b id=b><i id=i></i></b></p><p id=p3 class=a></p></div>"
    "<div id=e class=Card><p id=p4 class=\xC3\xBC></p><ul id=1a><li id=l1><li id=l2></ul></div>"
    "<svg id=s><linearGradient id=g></linearGradient></svg>"
    "<template id=t><p id=in class=a></p></template></body></html>";

static void simple_selectors(void **state)
{
    (void)state;
    static const selecting_case cases[] = {
        {"p", "p1 p2 p3 p4 in"},
        {"P", "p1 p2 p3 p4 in"},
        {"#d", "d"},
        {"#D", ""},
        {"#p1", "p1"},
        {"#\\31 a", "1a"},
        {"#\\64 ", "d"},
        {"[id='1a']", "1a"},
        {".a", "p1 p3 in"},
        {".A", ""},
        {".card", "d"},
        {".Card", "e"},
        {".card.big", "d"},
        {".big.card", "d"},
        {".hover\\:x", "p2"},
        {".w-1\\/2", "p2"},
        {".hover\\:x.w-1\\/2", "p2"},
        {".hover", ""},
        {".\xC3\xBC", "p4"},
        {".\\fc", "p4"},
        {"p.a#p3", "p3"},
        {"body *", "d h p1 p2 b i p3 e p4 1a l1 l2 s g t in"},
        {"*.a", "p1 p3 in"},
        {"lineargradient", "g"},
        {"linearGradient", "g"},
        {"svg *", "g"},
        {"nothing", ""},
        {" p.b ", "p2"},
        {"/* x */p/* y */.b/* z */", "p2"},
    };
    CHECK_CASES(page, cases);
}

static void combinators(void **state)
{
    (void)state;
    static const selecting_case cases[] = {
        {"div p", "p1 p2 p3 p4"},
        {"div b", "b"},
        {"div > b", ""},
        {"div>p>b>i", "i"},
        {"body > div", "d e"},
        {"div i", "i"},
        {"div div", ""},
        {"body div p i", "i"},
        {"h3 + p", "p1"},
        {"p + p", "p2 p3"},
        {"p+p", "p2 p3"},
        {"h3 ~ p", "p1 p2 p3"},
        {"p ~ h3", ""},
        {".a ~ .a", "p3"},
        {".a + .a", ""},
        {"h3 + p + p", "p2"},
        {"h3 ~ p + p", "p2 p3"},
        {"div > p ~ p i", "i"},
        {"div + div p", "p4"},
        {"div ~ svg > *", "g"},
        {"div\n>\tp.a", "p1 p3"},
        {"html > body > div > p", "p1 p2 p3 p4"},
        {"html html", ""},
        {"p, b", "p1 p2 b p3 p4 in"},
        {"b,p,b", "p1 p2 b p3 p4 in"},
        {"i, nothing, #d", "d i"},
        {"template p", "in"},
        {"template > p", "in"},
        {"div p, div > p", "p1 p2 p3 p4"},
    };
    CHECK_CASES(page, cases);
}

static void quirks_take_any_case(void **state)
{
    (void)state;
    static const selecting_case cases[] = {
        {".A", "a"}, {"#A", "a"}, {".a", "a"}, {"[id=A]", ""}, {"[class=A]", ""}, {".B.C", "a"},
    };
    CHECK_CASES("<p id=a class='A b C'></p>", cases);
}

/* Ways to match that would have to be tried one by one, were there no sets. */
static void deep_and_wide_pages_take_no_time(void **state)
{
    (void)state;
    static const char *const selectors[] = {
        "div div div div div div div div div div p",
        "div > div div > div div > div div div + p",
        "b ~ b ~ b ~ b ~ b ~ b ~ b + i",
        ":has(:has(:has(:has(:has(:has(x))))))",
        "b:has(~ b:has(~ b:has(~ b:has(~ i))))",
        ":not(:is(div div div, b ~ b ~ b) :is(b, div))",
        "b:nth-last-child(2n of b ~ b):nth-of-type(3n)",
        ":contains(nothing):icontains(nothing)",
    };
    EM_AUTO(em_strbuf) html = {0};
    em_strbuf_puts(&html, "<!DOCTYPE html>");
    for (int i = 0; i < 400; i++)
        em_strbuf_puts(&html, "<div>");
    for (int i = 0; i < 5000; i++)
        em_strbuf_puts(&html, "<b>x</b>");
    em_strbuf_putc(&html, '\0');
    selecting on;
    selecting_open(&on, html.ptr);
    for (size_t i = 0; i < sizeof selectors / sizeof *selectors; i++)
        selecting_count(&on, selectors[i]);
    selecting_close(&on);
}

static void a_deadline_ends_it(void **state)
{
    (void)state;
    static const char *const selectors[] = {
        "p",
        "p p",
        "p:first p",
        ":has(p)",
        ":has(p b)",
        ":is(p b)",
        ":nth-child(2)",
        ":nth-of-type(2)",
        ":contains(x)",
        ":dir(rtl)",
        ":default",
        ":indeterminate",
        ":nth-child(1 of p b)",
    };
    selecting on;
    selecting_open(&on, page);
    for (size_t i = 0; i < sizeof selectors / sizeof *selectors; i++) {
        em_deadline passed = {.at = 1, .passed = true};
        const em_selector *selector;
        em_selector_error error;
        em_nodes found;
        em_prefixes prefixes;
        assert_int_equal(
            em_selector_compile(em_slice_of(selectors[i]), &on.arena, &selector, &error), EM_OK);
        assert_int_equal(em_select(&on.page, selector, &passed, &on.arena, &found), EM_E_TIMEOUT);
        assert_int_equal(em_selector_prefixes(&on.page, selector, &passed, &on.arena, &prefixes),
                         EM_E_TIMEOUT);
    }
    selecting_close(&on);
}

/* One element alone can keep a selector busy. */
static void a_deadline_ends_the_look_at_one_value(void **state)
{
    (void)state;
    enum { VALUE = 1 << 21, NEEDLE = 4000 };
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) html = {0};
    EM_AUTO(em_strbuf) text = {0};
    em_deadline deadline = em_deadline_in(20);
    em_selector_error error;
    em_nodes found;
    const em_selector *selector;
    em_strbuf_puts(&html, "<!DOCTYPE html><p title=");
    for (size_t i = 0; i < VALUE; i++)
        em_strbuf_putc(&html, 'a');
    em_strbuf_puts(&html, "></p>");
    em_strbuf_putc(&html, '\0');
    em_strbuf_puts(&text, "[title*=");
    for (size_t i = 0; i < NEEDLE; i++)
        em_strbuf_putc(&text, 'a');
    em_strbuf_puts(&text, "b i]");
    selecting on;
    selecting_open(&on, html.ptr);
    assert_int_equal(em_selector_compile(em_strbuf_slice(&text), &arena, &selector, &error), EM_OK);
    assert_int_equal(em_select(&on.page, selector, &deadline, &arena, &found), EM_E_TIMEOUT);
    selecting_close(&on);
}

/* "TEXT=COUNT[PART] ..." and, of a list, "alternative/alternatives". */
static const char *prefixes_of(selecting *on, const char *text)
{
    EM_AUTO(em_strbuf) out = {0};
    const em_selector *selector;
    em_selector_error error;
    em_prefixes found;
    assert_int_equal(em_selector_compile(em_slice_of(text), &on->arena, &selector, &error), EM_OK);
    assert_int_equal(em_selector_prefixes(&on->page, selector, NULL, &on->arena, &found), EM_OK);
    for (size_t i = 0; i < found.count; i++) {
        const em_prefix *prefix = &found.items[i];
        em_strbuf_printf(&out, "%s%.*s=%zu[%.*s]", i > 0 ? " | " : "", (int)prefix->text.len,
                         prefix->text.ptr, prefix->count, (int)prefix->part.len, prefix->part.ptr);
    }
    if (found.alternatives > 1)
        em_strbuf_printf(&out, " %zu/%zu", found.alternative, found.alternatives);
    return em_strbuf_finish(&out, &on->arena);
}

static void prefixes(void **state)
{
    (void)state;
    static const selecting_case cases[] = {
        {".card", ".card=1[.card]"},
        {".nothing", ".nothing=0[.nothing]"},
        {".card > h4", ".card=1[.card] | .card > h4=0[> h4]"},
        {".card>h4 b", ".card=1[.card] | .card>h4=0[>h4]"},
        {"div p.new b", "div=2[div] | div p=4[p] | div p.new=0[.new]"},
        {"div  >  p.a.b:empty",
         "div=2[div] | div  >  p=4[>  p] | div  >  p.a=2[.a] | div  >  p.a.b=0[.b]"},
        {" body div.card ~ div.Card ~ x",
         "body=1[body] | body div.card=1[div.card] | body div.card ~ div.Card=1[~ div.Card] | "
         "body div.card ~ div.Card ~ x=0[~ x]"},
        {"p:eq(9)", "p=5[p] | p:eq(9)=0[:eq(9)]"},
        {"p:first b", "p=5[p] | p:first=1[:first] | p:first b=0[b]"},
        {"p:eq(1).b b i",
         "p=5[p] | p:eq(1)=1[:eq(1)] | p:eq(1).b=1[.b] | p:eq(1).b b=1[b] | p:eq(1).b b i=1[i]"},
        {"p:eq(1).a b", "p=5[p] | p:eq(1)=1[:eq(1)] | p:eq(1).a=0[.a]"},
        {"p:eq(1) > i", "p=5[p] | p:eq(1)=1[:eq(1)] | p:eq(1) > i=0[> i]"},
        {"b > :first", "b=1[b] | b > :first=1[> :first]"},
        {" i > :first x", "i=1[i] | i > :first=0[> :first]"},
        {"p:last > :last:first", "p=5[p] | p:last=1[:last] | p:last > :last=0[> :last]"},
        {"x y, div z", "div=2[div] | div z=0[z] 1/2"},
        {"x, y", "x=0[x] 0/2"},
        {"x, p:eq(7)", "x=0[x] 0/2"},
        {"x y z, div z, div p", "div=2[div] | div p=4[p] 2/3"},
        {"p:has(x)", "p=5[p] | p:has(x)=0[:has(x)]"},
        {":is(p, x):not(p)", ":is(p, x)=5[:is(p, x)] | :is(p, x):not(p)=0[:not(p)]"},
    };
    selecting on;
    size_t wrong = 0;
    selecting_open(&on, page);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        const char *found = prefixes_of(&on, cases[i].selector);
        if (strcmp(found, cases[i].found) != 0)
            print_message("%s\n  gives  %s\n  wanted %s\n", cases[i].selector, found,
                          cases[i].found);
        wrong += strcmp(found, cases[i].found) != 0;
    }
    selecting_close(&on);
    assert_int_equal(wrong, 0);
}

static const char everything[] =
    "div:has(> p, b i):nth-child(2n of div p, div) > p:first:nth-of-type(n), "
    ":contains(a):icontains(b),"
    ":disabled, p:not(:is(a b)) ~ b, :lang(de), .x\\:y:eq(1) b, :has(p ~ b)";

static em_status select_everything(selecting *on, em_arena *arena)
{
    const em_selector *selector;
    em_selector_error error;
    em_nodes found;
    em_prefixes traced;
    EM_TRY(em_selector_compile(em_slice_of(everything), arena, &selector, &error));
    EM_TRY(em_select(&on->page, selector, NULL, arena, &found));
    return em_selector_prefixes(&on->page, selector, NULL, arena, &traced);
}

static void memory_that_runs_out_is_a_status(void **state)
{
    (void)state;
    EM_AUTO(em_strbuf) html = {0};
    long failures = 0;
    em_status status = EM_E_NOMEM;
    em_strbuf_puts(&html, "<!DOCTYPE html>");
    for (int i = 0; i < 3000; i++)
        em_strbuf_printf(&html, "<p class=a>a<x%d></x%d>", i, i);
    em_strbuf_putc(&html, '\0');
    selecting on;
    selecting_open(&on, html.ptr);
    for (long left = 0; status == EM_E_NOMEM; left++) {
        EM_AUTO(em_arena) arena = {0};
        mallocs_left = left;
        status = select_everything(&on, &arena);
        mallocs_left = -1;
        failures += status == EM_E_NOMEM;
    }
    assert_int_equal(status, EM_OK);
    assert_true(failures > 10);
    selecting_close(&on);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(simple_selectors),
        cmocka_unit_test(combinators),
        cmocka_unit_test(quirks_take_any_case),
        cmocka_unit_test(deep_and_wide_pages_take_no_time),
        cmocka_unit_test(a_deadline_ends_it),
        cmocka_unit_test(a_deadline_ends_the_look_at_one_value),
        cmocka_unit_test(prefixes),
        cmocka_unit_test(memory_that_runs_out_is_a_status),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

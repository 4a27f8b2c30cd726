#include "editing.h"

#include "base/strbuf.h"
#include "dom/hints.h"
#include "html/parse.h"
#include "selectors/unique.h"

#include <stdio.h>

/* The hints of one op as "selector (line text) ...", behind "far: " where none is like it. */
static void check_hints(const char *page, const char *op, const char *expected)
{
    editing e;
    char got[600] = "";
    editing_do(&e, em_slice_of(page), op);
    assert_int_equal(e.status, EM_OK);
    const em_dom_outcome *outcome = &e.plan.outcomes[e.plan.op_count - 1];
    const em_dom_hints *hints =
        outcome->code == EM_DOM_E_NO_MATCH ? &outcome->similar : &outcome->candidates;
    strcpy(got, hints->are_far ? "far: " : "");
    for (size_t i = 0; i < hints->count; i++)
        snprintf(got + strlen(got), sizeof got - strlen(got), "%s%.*s (%zu %.*s)", i > 0 ? " " : "",
                 (int)hints->items[i].selector.len, hints->items[i].selector.ptr,
                 hints->items[i].line, (int)hints->items[i].text.len, hints->items[i].text.ptr);
    assert_string_equal(got, expected);
    editing_drop(&e);
}

static void similar_elements_are_shown(void **state)
{
    (void)state;
    check_hints("<p>a</p>\n<img class=hero>\n<img class=other>", "img.heroo setText|x",
                ".hero (2 ) .other (3 )");
    check_hints("<h1>a  b</h1>\r\n<h2>c</h2><p>d", "h7 setText|x", "h1 (1 a b) h2 (2 c)");
    check_hints("<div id=main>a</div>", "#mian setText|x", "#main (1 a)");
    check_hints("<div class=main>a</div>", "#main setText|x", ".main (1 a)");
    check_hints("<input name=mail>\r<input name=other type=x>", "[name=email] setText|x",
                "input:nth-of-type(1) (1 ) input:nth-of-type(2) (2 )");
    check_hints("<div class=card><h3>x</h3></div>", ".crad > h3 setText|x", ".card (1 x) h3 (1 x)");
    check_hints("<ul><li>1<li>2<li>3<li>4<li>5<li>6</ul>", "li.a setText|x",
                "li:nth-of-type(1) (1 1) li:nth-of-type(2) (1 2) li:nth-of-type(3) (1 3) "
                "li:nth-of-type(4) (1 4) li:nth-of-type(5) (1 5)");
}

static void parts_of_names_are_similar(void **state)
{
    (void)state;
    check_hints("<img class=hero><p>a</p>", ".hero-image setText|x", ".hero (1 )");
    check_hints("<a class='big cta-button'>a</a>", ".cta setText|x", ".big (1 a)");
    check_hints("<p id=old_banner>a</p><p>b</p>", "#old setText|x", "#old_banner (1 a)");
    check_hints("<p id=site-nav>a</p><p>b</p>", "#nav-main-nav setText|x",
                "far: #site-nav (1 a) "
                "p:nth-of-type(2) (1 b)");
    check_hints("<p class=main-nav-left>a</p><p>b</p>", ".nav setText|x", ".main-nav-left (1 a)");
    check_hints("<p class=navbar>a</p><p>b</p>", ".nav setText|x", ".navbar (1 a)");
    check_hints("<p class=unnavigable>a</p>", ".nav setText|x", "far: .unnavigable (1 a)");
    check_hints("<p class=bright>a</p>", ".b setText|x", "far: .bright (1 a)");
}

/* Where something around it is not as was thought, it may be there itself. */
static void what_the_last_part_matches_is_similar(void **state)
{
    (void)state;
    static const char page[] = "<nav class=top><a>a</a></nav><h1 class=t>b</h1><p>c</p>";
    check_hints(page, "main h1 setText|x", ".t (1 b)");
    check_hints(page, ".container > h1.big setText|x", ".t (1 b)");
    check_hints(page, "#side h2 setText|x", ".t (1 b)");
    check_hints(page, "#nav a setText|x", "a (1 a)");
    check_hints(page, "nav ul a setText|x", "a (1 a)");
    check_hints(page, ".topbar a setText|x", ".top (1 a) a (1 a)");
    check_hints(page, "table:first p setText|x", "p (1 c)");
}

/* Its ids and larger parts before its classes, and these before all else. */
static void what_is_there_is_shown_where_nothing_is_similar(void **state)
{
    (void)state;
    check_hints("<title>t</title><header>a</header><p>b</p><p class=c>c</p><p id=d>d</p>",
                "section setText|x", "far: header (1 a) #d (1 d) .c (1 c) p:nth-of-type(1) (1 b)");
    check_hints("<p id=a>1<p id=b>2<p id=c>3<p id=d>4<p id=e>5<p id=f>6", ".zzz setText|x",
                "far: #a (1 1) #b (1 2) #c (1 3) #d (1 4) #e (1 5)");
    check_hints("<p>a", "table:first tr setText|x", "far: p (1 a)");
    check_hints("<p>a", ":contains(b) setText|x", "far: p (1 a)");
    check_hints("<p>a", ":eq(9) setText|x", "far: p (1 a)");
    check_hints("<p>a", ":not(*) setText|x", "far: p (1 a)");
    check_hints("<script>a</script>", "p setText|x", "far: ");
    check_hints("", "p setText|x", "far: ");
}

static void similar_texts_are_shown(void **state)
{
    (void)state;
    check_hints("<h2>Installation</h2><h2>Use</h2><p>Install", "h2:contains(Instalation) setText|x",
                "h2:nth-of-type(1) (1 Installation) h2:nth-of-type(2) (1 Use)");
    check_hints("<ul><li>Getting  <b>Started</b></li><li>Other</li></ul>",
                ":contains('getting started') setText|x", "li:nth-of-type(1) (1 Getting Started)");
    check_hints("<p>Gr\xC3\xBC\xC3\x9F"
                "e aus Wien<p>x",
                ":contains(Gr\xC3\xBC\xC3\x9F"
                "e an Wien) setText|x",
                "p:nth-of-type(1) (1 Gr\xC3\xBC\xC3\x9F"
                "e aus Wien)");
    check_hints("<p>one two three four five</p><p>two<br>there</p>",
                "p:contains(two thrae) setText|x",
                "p:nth-of-type(2) (1 two there) p:nth-of-type(1) (1 one two three four five)");
    check_hints("<li><a href=x>Downloads</a><li><a>News</a>",
                "li:contains(Download-page) setText|x",
                "li:nth-of-type(1) (1 Downloads) li:nth-of-type(2) (1 News)");
    check_hints("<p>a</p>", "p:contains('') b setText|x", "");
}

/* What says much more is something around the element that is meant. */
static void long_texts_are_not_compared(void **state)
{
    (void)state;
    EM_AUTO(em_strbuf) page = {0};
    em_strbuf_puts(&page, "<p>Our servizes</p><div>Our servicez ");
    for (int i = 0; i < 60; i++)
        em_strbuf_printf(&page, "word%d ", i);
    em_strbuf_puts(&page, "</div>");
    em_strbuf_putc(&page, '\0');
    check_hints(em_strbuf_slice(&page).ptr, ":contains(Our services) setText|x",
                "p (1 Our servizes)");
}

/* A character is not cut where the text that is shown ends. */
static void shown_text_ends_with_a_character(void **state)
{
    (void)state;
    check_hints("<p>123456789 123456789 123456789 123456789 123456789 123456789\xC3\xA4x</p>",
                "p.a setText|x",
                "p (1 123456789 123456789 123456789 123456789 123456789 123456789)");
}

static void the_best_come_first(void **state)
{
    (void)state;
    check_hints("<p class=alpha>1</p><p class=alphb>2</p><p class='x btn'>3</p><b class=b>4</b>"
                "<p>5</p><p>6</p><p class='q btn-primary'>7</p>",
                "p.btn-primry setText|x",
                ".q (1 7) .x (1 3) .alpha (1 1) .alphb (1 2) p:nth-of-type(4) (1 5)");
}

static void candidates_match_alone(void **state)
{
    (void)state;
    check_hints("<p id=a>1</p><p class=b>2</p>\n<p>3</p>", "p setText|x",
                "#a (1 1) .b (1 2) p:nth-of-type(3) (2 3)");
    check_hints("<div id=d><p>1</p><p>2</p></div><p>3</p>", "p setText|x",
                "#d > p:nth-of-type(1) (1 1) p:nth-of-type(2) (1 2) body > p (1 3)");
    check_hints("<p>1</p><p>2</p>", "=3 p setText|x",
                "p:nth-of-type(1) (1 1) p:nth-of-type(2) (1 2)");
}

/* HTML adds elements to a page by itself; what is done to them is refused. */
static void only_elements_with_a_tag_of_their_own_are_shown(void **state)
{
    (void)state;
    check_hints("<p class=a>1</p></p><p class=b>2</p>", "p setText|x", ".a (1 1) .b (1 2)");
    check_hints("<p class=a>1</p></p><p class=b>2</p>", "p.c setText|x", ".a (1 1) .b (1 2)");
    check_hints("<table><tr><td>1</table><table><tr><td>2</table>", "tbody setText|x", "");
    check_hints("<table><tr><td>1</table>", "tbody.a setText|x",
                "far: table (1 1) tr (1 1) td (1 1)");
    check_hints("<a id=x><p>1<a class=y>2</a></p></a><a class=z>3</a>", "a setText|x",
                ".y (1 2) .z (1 3)");
}

/* Lines are those of the page before all operations. */
static void lines_are_those_of_the_original(void **state)
{
    (void)state;
    check_hints("<div>\n<i>x</i>\n</div>\n<p>1</p><p>2</p>", "i remove;;p setText|x",
                "p:nth-of-type(1) (4 1) p:nth-of-type(2) (4 2)");
}

/* Every element of such a page has a selector of its own. */
static void every_element_has_a_selector(void **state)
{
    (void)state;
    static const char *const pages[] = {
        "<p id=a class='b c'>1<p id=a>2<p class='b'>3<p class=c>4<p>5",
        "<div id='1 a'><b class='w-1/2 hover:x'>1</b><b>2</b></div><div id=''><b>3</b></div>",
        "<svg><a/><linearGradient/></svg><a>1</a><math><a/></math>",
        "<table><tr><td>1<td>2<tr><td>3</table><template><td>4</td></template>",
        ("<x{{a}}>1</x{{a}}><x\xFF>2</x\xFF><y:z>3</y:z><p class='a b c d e f'>4<p class='a b c d "
         "e "
         "f'>5"),
        "",
    };
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_page page;
        em_error err = EM_ERROR_INIT;
        assert_int_equal(em_page_parse(em_slice_of(pages[i]), NULL, &arena, &page, &err), EM_OK);
        for (size_t k = 0; k < page.count; k++) {
            em_slice text;
            const em_selector *selector;
            em_selector_error error;
            em_nodes found;
            if (page.nodes[k]->kind != EM_NODE_ELEMENT)
                continue;
            assert_int_equal(em_unique_selector(&page, page.nodes[k], NULL, &arena, &text), EM_OK);
            assert_int_equal(em_selector_compile(text, &arena, &selector, &error), EM_OK);
            assert_int_equal(em_select(&page, selector, NULL, &arena, &found), EM_OK);
            assert_int_equal(found.count, 1);
            assert_ptr_equal(found.items[0], page.nodes[k]);
        }
    }
}

static void reasons_say_what_to_do(void **state)
{
    (void)state;
    static const struct {
        const char *page, *op, *reason;
    } cases[] = {
        {"<div class=card><p>x", ".card > h3 setText|x",
         "no element matches \".card > h3\": \".card\" matches 1, with \"> h3\" none"},
        {"<p>x", "b setText|x", "no element matches \"b\""},
        {"<p>1<p>2", "p setText|x",
         "\"p\" matches 2 elements, and one is asked for; use a selector that matches only that "
         "one, or \"all\": true"},
        {"<p>1<p>2", "=3 p setText|x", "\"p\" matches 2 elements, expected 3"},
        {"<p>1", "p setHTML|<div>2</div>",
         "the page would not read as meant: in <p>, where <div> should stand, HTML would see "
         "nothing more: HTML ends a <p> before such an element, which cannot stand in it; choose "
         "another place, or edit it as text"},
        {"<pre><b>1</b><i>2</i>\n\nold</pre>", "all b, i remove",
         "the page would not read as meant: in <pre>, where the text \"\\n\\nold\" should stand, "
         "HTML would see the text \"\\nold\"; choose another place, or edit it as text"},
        {"<div><x-i a=\"b\" /></div>", "div insertAdjacentHTML|beforeend|<b>1</b>",
         "the page would not read as meant: in <x-i>, where nothing more should stand, HTML would "
         "see <b>: the \"/\" in its tag ends no element of HTML; write its end tag behind it "
         "first; choose another place, or edit it as text"},
        {"<i>1</i><br>", "all i, br setText|x",
         "of 2 elements none was changed, because of the one in line 1, \"br\": <br> can hold "
         "nothing; "
         "change its attributes, or insert "
         "before or behind it"},
        {"<b>1", "b fly",
         "there is no such action; there are setAttribute, removeAttribute, setText, setHTML, "
         "addClass, removeClass, replaceClass, remove and insertAdjacentHTML"},
        {"<div></div>", "div setHTML|<td>x</td>",
         "HTML drops a tag of this where it is to stand, in <div>: <tr> and <td> need their table "
         "around them, <html>, <head> and <body> are there once"},
        {"<div></div>", "div setHTML|<p>x<ul></ul></p>",
         "the HTML has an end tag that closes nothing of it; give each element with both its tags, "
         "and in a <p> only what it may hold"},
        {"<div></div>", "div setHTML|<td>x</td></div>",
         "the HTML has an end tag that closes nothing of it; give each element with both its tags, "
         "and in a <p> only what it may hold"},
        {"<script></script>", "script setText|a</script>",
         "the text holds \"</script\", which would end <script>; write it otherwise there, as "
         "\"<\\/script\" in a script"},
        {"<style></style>", "style setText|</STYLE >",
         "the text holds \"</STYLE\", which would end <style>; write it otherwise there, as "
         "\"<\\/STYLE\" in a string or comment of CSS"},
        {"<xmp></xmp>", "xmp setText|</xmp>",
         "the text holds \"</xmp\", which would end <xmp>; nothing stands for it there, so leave "
         "it out"},
        {"<!doctype html><noscript>a</noscript>", "noscript setText|x",
         "this <noscript> stands in <head>, where HTML ends it before its first text, so that the "
         "text is not in it; put <body> before it first, or edit it as text"},
        {"<p>a<body class=z>", "body setAttribute|id|z",
         "the <body> tag of the page stands behind content of that element, so that nothing but "
         "its "
         "attributes counts; move it before that first"},
        {"<p>a<body>", "body setAttribute|id|z",
         "the <body> tag of the page stands behind content of that element, so that nothing but "
         "its attributes counts; move it before that first"},
        {"a<head><title>b</title></head>", "head insertAdjacentHTML|beforeend|c",
         "the <head> tag of the page stands behind content of that element, so that HTML passes "
         "over it; move it before that first"},
        {"<p>a<!-- <body> -->", "body setAttribute|id|z",
         "no <body> tag begins this in the page, HTML adds the element by itself; choose an "
         "element that is written there, around it or in it"},
        {"<textarea>a</textarea>", "textarea setHTML|x</textarea>y",
         "the text holds \"</textarea\", which would end <textarea>; write it otherwise there, as "
         "\"&lt;/textarea\""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        editing e;
        editing_do(&e, em_slice_of(cases[i].page), cases[i].op);
        assert_int_equal(e.plan.failed_count, 1);
        assert_string_equal(e.plan.outcomes[0].reason, cases[i].reason);
        editing_drop(&e);
    }
}

static void hints_end_with_their_deadline(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_page page;
    em_error err = EM_ERROR_INIT;
    em_deadline passed = {.at = 1, .passed = true};
    em_changes changes = {.original = EM_LIT("<p class=a>")};
    em_dom_hints hints;
    em_slice selector;
    assert_int_equal(em_page_parse(changes.original, NULL, &arena, &page, &err), EM_OK);
    em_hinter hinter = {&page, &changes, &passed, &arena};
    em_nodes nodes = {&page.nodes[4], 1};
    assert_int_equal(em_unique_selector(&page, page.nodes[4], &passed, &arena, &selector),
                     EM_E_TIMEOUT);
    assert_int_equal(em_hints_of(&hinter, nodes, &hints), EM_E_TIMEOUT);
}

static void words_lead_there_and_back(void **state)
{
    (void)state;
    for (int i = 0; i < EM_DOM_NO_ACTION; i++) {
        const char *name = em_dom_action_name((em_dom_action)i);
        assert_int_equal(em_dom_action_of(em_slice_of(name)), i);
    }
    static const char *const positions[] = {"beforebegin", "afterbegin", "beforeend", "afterend"};
    for (int i = 0; i < EM_DOM_NO_POSITION; i++)
        assert_int_equal(em_dom_position_of(em_slice_of(positions[i])), i);
    assert_int_equal(em_dom_action_of(EM_LIT("SETTEXT")), EM_DOM_SET_TEXT);
    assert_int_equal(em_dom_action_of(EM_LIT("settext2")), EM_DOM_NO_ACTION);
    assert_int_equal(em_dom_position_of(EM_LIT("")), EM_DOM_NO_POSITION);
    assert_string_equal(em_dom_code_name(EM_DOM_OK), "");
    assert_string_equal(em_dom_code_name(EM_DOM_E_GUARD), "E_GUARD");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(similar_elements_are_shown),
        cmocka_unit_test(parts_of_names_are_similar),
        cmocka_unit_test(what_the_last_part_matches_is_similar),
        cmocka_unit_test(what_is_there_is_shown_where_nothing_is_similar),
        cmocka_unit_test(similar_texts_are_shown),
        cmocka_unit_test(long_texts_are_not_compared),
        cmocka_unit_test(shown_text_ends_with_a_character),
        cmocka_unit_test(the_best_come_first),
        cmocka_unit_test(candidates_match_alone),
        cmocka_unit_test(only_elements_with_a_tag_of_their_own_are_shown),
        cmocka_unit_test(lines_are_those_of_the_original),
        cmocka_unit_test(every_element_has_a_selector),
        cmocka_unit_test(reasons_say_what_to_do),
        cmocka_unit_test(hints_end_with_their_deadline),
        cmocka_unit_test(words_lead_there_and_back),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

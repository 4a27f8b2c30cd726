#include "editing.h"

#include "base/strbuf.h"

#include <stdio.h>

typedef struct told_case {
    const char *page, *op, *reason;
} told_case;

static void check(const told_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        editing e;
        editing_do(&e, em_slice_of(cases[i].page), cases[i].op);
        assert_string_equal(e.plan.outcomes[0].reason, cases[i].reason);
        editing_drop(&e);
    }
}

#define TOLD(cases) check((cases), sizeof(cases) / sizeof *(cases))

static void what_a_wrong_selector_could_match_is_counted(void **state)
{
    (void)state;
    static const told_case cases[] = {
        {"<li>a</li><li>b</li>", "all > li remove",
         "the selector is wrong at character 1: a selector is missing before '>'; did you mean "
         "\"li\"? It may match more than was meant: it matches 2 elements here"},
        {"<li>a</li>", "li. addClass|b",
         "the selector is wrong at character 4: a class is missing behind '.'; did you mean "
         "\"li\"? It may match more than was meant: it matches 1 element here"},
        {"<li>a</li>", "li:first(2) remove",
         "the selector is wrong at character 9: ':first' has no parentheses behind it; did you "
         "mean "
         "\"li:first\"? It may match more than was meant: it matches 1 element here"},
        {"<li>a</li>", "li, addClass|b",
         "the selector is wrong at character 4: a selector is missing behind a comma; did you mean "
         "\"li\"?"},
    };
    TOLD(cases);
}

/* Why HTML would make something else of it. */
static void a_rule_of_html_is_told(void **state)
{
    (void)state;
    static const told_case cases[] = {
        {"<form id=a>x</form>", "#a setHTML|<form>y</form>",
         "the page would not read as meant: in <form>, where <form> should stand, HTML would see "
         "the text \"y\": HTML has no <form> in a <form>; choose another place, or edit it as "
         "text"},
        {"<a href=x><b id=a>x</b></a>", "#a setHTML|<a>y</a>",
         "the page would not read as meant: in <b>, where <a> should stand, HTML would see nothing "
         "more: HTML has no <a> in an <a>; choose another place, or edit it as text"},
        {"<p id=a>x</p>", "#a insertAdjacentHTML|beforeend|<div>y</div>",
         "the page would not read as meant: in <p>, where <div> should stand, HTML would see "
         "nothing more: HTML ends a <p> before such an element, which cannot stand in it; choose "
         "another place, or edit it as text"},
        {"<h1 id=a>x</h1>", "#a setHTML|<h2>y</h2>",
         "the page would not read as meant: in <h1>, where <h2> should stand, HTML would see "
         "nothing more: HTML ends a heading before the next one; choose another place, or edit it "
         "as text"},
        {"<li id=a>x</li>", "#a setHTML|<li>y</li>",
         "the page would not read as meant: in <li>, where <li> should stand, HTML would see "
         "nothing more: HTML ends such an element before the next of its kind; choose another "
         "place, or edit it as text"},
        {"<table><tr id=a><td>x</td></tr></table>", "#a setText|y",
         "the page would not read as meant: in <body>, where <table> should stand, HTML would see "
         "the text \"y\": HTML moves what is no part of a table out of it: text and other elements "
         "stand in <td>, <th> and <caption>; choose another place, or edit it as text"},
        {"<table id=a><tr><td>1</td></tr></table>",
         "#a insertAdjacentHTML|beforeend|<tr><td>2</td></tr>",
         "the page would not read as meant: in <tbody>, where nothing more should stand, HTML "
         "would "
         "see <tr>: a row at the end of a table goes into what its last row stands in; insert it "
         "with afterend of that row; choose another place, or edit it as text"},
        {"<div id=a>x</div>", "#a insertAdjacentHTML|afterbegin|y<p>z",
         "the page would not read as meant: in <p>, where nothing more should stand, HTML would "
         "see the text \"zx\": this <p> has no end tag and takes in what comes behind it; give it "
         "with </p>; choose another place, or edit it as text"},
        {"<p>x</p>", "p setAttribute|{{x}}|1",
         "\"{{x}}\" holds template code, and what name that makes is not known; give the name "
         "itself, "
         "or edit the tag as text"},
        {"<p>x</p>", "p setAttribute|a\x1B|1",
         "\"a\x1B\" is no name of an attribute: that has no blanks, control characters, quotes, or "
         "any of < > / ="},
        {"<p>x</p>", "p setText|a\x01z",
         "there is U+0001 in an argument, a control character: HTML forbids these, and the parser "
         "here reads U+FFFD for each; leave it out"},
        {"<p>x</p>", "p setText|a\xC2\x85z",
         "there is U+0085 in an argument, a control character: HTML forbids these, and the parser "
         "here reads U+FFFD for each; leave it out"},
        {"<p>x</p>", "p setAttribute|title|\xEF\xBF\xBE",
         "there is U+FFFE in an argument, a noncharacter: HTML forbids these, and the parser here "
         "reads U+FFFD for each; leave it out"},
        {"<script>x</script>", "script setHTML|\x1B",
         "there is U+001B in an argument, a control character: HTML forbids these, and the parser "
         "here reads U+FFFD for each; leave it out"},
        {"<li id=a>x</li>", "#a setHTML|<li>y\x1B</li>",
         "the page would not read as meant: in <li>, where <li> should stand, HTML would see "
         "nothing more: HTML ends such an element before the next of its kind; choose another "
         "place, or edit it as text"},
    };
    TOLD(cases);
}

static void a_way_on_is_told(void **state)
{
    (void)state;
    static const told_case cases[] = {
        {"<script>x()</script>", "script insertAdjacentHTML|beforeend|y();",
         "<script> holds no elements, but text; edit it as text, or use setText, which replaces "
         "what is there: give it that too"},
        {"<select><option>x</select>", "select insertAdjacentHTML|beforeend|<hr>",
         "in a <select> only <option> and <optgroup> can stand: other elements, and an <hr>, many "
         "parsers drop there; leave them out, or edit it as text"},
        {"<div>x</div>", "div insertAdjacentHTML|beforeend|<tr>",
         "HTML drops a tag of this where it is to stand, in <div>: <tr> and <td> need their table "
         "around them, <html>, <head> and <body> are there once"},
        {"<svg><g id=a /></svg>", "#a insertAdjacentHTML|beforeend|<path/>",
         "the \"/\" in its tag closes this <g>, so it has no content; write it as <g ...></g> "
         "first: "
         "remove it and insert that, or edit it as text"},
        {"<p>a</p>\n<br><p>c</p>", "all p, br setText|q",
         "of 3 elements none was changed, because of the one in line 2, \"br\": <br> can hold "
         "nothing; change its attributes, or insert before or behind it"},
        {"<tr><td id=a>x</td></tr>", "#a setText|q",
         "no element matches \"#a\"; HTML drops the tags of a table that stand outside of one, as "
         "\"<tr>\" does, so they are no elements here: edit them as text, or put <table> around "
         "them "
         "first"},
        {"<script>'<tr>'</script><!-- <td> --><p title='<tr>'>", "#a setText|q",
         "no element matches \"#a\""},
        {"<table><tr><td>x</table>", "#a setText|q", "no element matches \"#a\""},
        {"<p>x<!-- <b id=a>y</b> -->", "#a setText|q",
         "no element matches \"#a\"; \"<b id=a>\" stands in a comment, where it is no element: "
         "edit it as text"},
        {"<p>x<script>'<b class=\"c a\">'</script>", ".a setText|q",
         "no element matches \".a\"; \"<b class=\"c a\">\" stands in a <script>, where it is no "
         "element: edit it as text"},
        {"<p title='<b id=a>'>x", "#a setText|q",
         "no element matches \"#a\"; \"<b id=a>\" stands in the tag of a <p>, where it is no "
         "element: edit it as text"},
        {"<div><Head id=a>x</Head></div>", "#a setText|q",
         "no element matches \"#a\"; \"<Head id=a>\" is no tag for HTML there: edit it as text"},
        {"<p>x<!-- <b id=ab class=a>y</b> a=a -->", "#a setText|q", "no element matches \"#a\""},
        {"<p>x<i id=a>y</i>", "p#a setText|q",
         "no element matches \"p#a\": \"p\" matches 1, with \"#a\" none"},
        {"<div><x-icon /><p>a</p></div>", "div > p setText|q",
         "no element matches \"div > p\": \"div\" matches 1, with \"> p\" none; HTML takes no "
         "\"/>\" "
         "for an end, so what stands behind \"<x-icon />\" is in that element"},
        {"<div><x-icon /><p>a</p></div>", "div i setText|q",
         "no element matches \"div i\": \"div\" matches 1, with \"i\" none"},
        {"<div><p>a</p></div>", "div\xC2\xA0p setText|q",
         "no element matches \"div<U+00A0>p\"; U+00A0 is a no-break space, which is a letter of a "
         "name there; \"div p\" matches 1"},
    };
    TOLD(cases);
}

/* Ids and classes of the page, written as if CSS wanted no escapes, or two backslashes for each. */
static void names_of_the_page_are_suggested_with_their_escapes(void **state)
{
    (void)state;
    static const struct {
        const char *page, *selector, *suggested;
    } cases[] = {
        {"<p id=':r1:'>", "#:r1:", "#\\:r1\\:"},
        {"<p id=a.b>", "#a.b", "#a\\.b"},
        {"<p id=a.b><i>", "#a.b > i", "#a\\.b > i"},
        {"<p id=user[name]>", "body #user[name]", "body #user\\[name\\]"},
        {"<p id=50%>", "p#50%", "p#\\35 0\\%"},
        {"<p class='x data-[state=open]:y'>", ".x.data-[state=open]:y",
         ".x.data-\\[state\\=open\\]\\:y"},
        {"<p class='[&>p]:x'>", ".[&>p]:x", ".\\[\\&\\>p\\]\\:x"},
        {"<p class='a:hover b'>", ".a\\\\:hover", ".a\\:hover"},
        {"<p class='a.b'>", ".a.b:first-child", ".a\\.b:first-child"},
        {"<p class=a:b title='.a:b'>", "[title='.a:b'].a:b", "[title='.a:b'].a\\:b"},
        {"<p id=a.c>", "#a.b", ""},
        {"<p id=a><i class=b>", "#a.b", ""},
        {"<p id=a.b>", "i#a.b", ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        editing e;
        char op[80];
        snprintf(op, sizeof op, "%s setText|q", cases[i].selector);
        editing_do(&e, em_slice_of(cases[i].page), op);
        em_slice suggested = e.plan.outcomes[0].selector_error.suggested;
        assert_int_equal(e.plan.outcomes[0].status, EM_DOM_FAILED);
        if (!em_slice_is(suggested, cases[i].suggested))
            fail_msg("%s: \"%.*s\"", cases[i].selector, (int)suggested.len,
                     suggested.ptr ? suggested.ptr : "");
        assert_int_equal(e.plan.outcomes[0].suggestion_fits, suggested.len > 0);
        editing_drop(&e);
    }
}

/* Advice to write an end tag is for where there is none. */
/* The sign of an id or a class that lacks before its name. */
static void names_without_their_signs_are_suggested(void **state)
{
    (void)state;
    static const struct {
        const char *op, *suggested, *similar;
    } cases[] = {
        {"box setText|q", "#box", "#box"},
        {"btn addClass|q", ".btn", ".btn"},
        {".btn btn-primary setText|q", ".btn.btn-primary", ".btn"},
        {"button.btn btn-primary remove", "button.btn.btn-primary", ".btn"},
        {"main box remove", "main #box", "#box"},
        {"main > btn addClass|q", "main > .btn", ".btn"},
        {"#box btn remove", "", ".btn"},
        {"both remove", "", "#both"},
        {"nothing remove", "", "main"},
        {"[class='btn'] setText|q", "", ".btn"},
        {"box, btn remove", "", "#box"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        editing e;
        editing_do(&e,
                   EM_LIT("<!doctype html><main><div id=box class='card big'>a</div>"
                          "<button class='btn btn-primary'>b</button><i id=both></i><i class=both>"
                          "</i></main>"),
                   cases[i].op);
        const em_dom_outcome *outcome = &e.plan.outcomes[0];
        em_slice suggested = outcome->selector_error.suggested;
        assert_int_equal(outcome->code, EM_DOM_E_NO_MATCH);
        assert_string_equal(em_arena_string(&e.arena, suggested), cases[i].suggested);
        assert_string_equal(em_arena_string(&e.arena, outcome->similar.items[0].selector),
                            cases[i].similar);
        editing_drop(&e);
    }
}

static void an_end_that_is_not_known_is_explained(void **state)
{
    (void)state;
    static const told_case cases[] = {
        {"<body><div id=a>x</body>more", "#a setText|q",
         "it cannot be told where this <div> ends; add its end tag first"},
        {"<body><div id=a>x<!-- </div> --></body>more", "#a setText|q",
         "it cannot be told where this <div> ends; add its end tag first"},
        {"<head id=a>x</head>", "#a setText|q",
         "it cannot be told whether this <head> ends at the </head> behind it, which HTML may not "
         "take for its end; put both tags into the same element, with nothing between that cannot "
         "stand in <head>, or edit it as text"},
        {"<table><form id=a><tr><td>x</td></tr></form></table>", "#a setText|q",
         "it cannot be told whether this <form> ends at the </form> behind it, which HTML may not "
         "take for its end; put both tags into the same element, with nothing between that cannot "
         "stand in <form>, or edit it as text"},
        {"<form a=\"b\"/><p>x<p id=a>y</form>", "#a remove",
         "the <form> around this <p> has \"/>\" at the end of its tag, which ends nothing in HTML, "
         "so that where this one ends may not be meant; take the \"/\" out of that tag as text "
         "first, or write <form ...></form> if nothing is to stand in it"},
        {"<div id=a><div a=\"b\"/><p>y</div>", "#a remove",
         "an element in this <div> has \"/>\" at the end of its tag, which ends nothing in HTML, "
         "so "
         "that one may have the end tag of the other; give that its own end tag as text first: "
         "<x ...></x>, not <x .../>"},
        {"<body><div id=a>x<script>'</div>'</script></body>more", "#a setText|q",
         "it cannot be told where this <div> ends; add its end tag first"},
    };
    TOLD(cases);
}

static void an_argument_that_is_wrong_is_named(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_dom_plan plan;
    em_error err = EM_ERROR_INIT;
    const em_dom_op ops[] = {
        {.selector = EM_LIT("p"), .action = EM_DOM_SET_TEXT, .value = EM_LIT("a\0b")},
        {.selector = EM_LIT("p\0"), .action = EM_DOM_REMOVE},
        {.selector = EM_LIT("p"), .action = EM_DOM_REMOVE, .all = EM_DOM_ALL_FALSE, .expected = 2},
        {.selector = EM_LIT("p"), .action = EM_DOM_REMOVE, .all = EM_DOM_ALL_FALSE, .expected = 1},
    };
    assert_int_equal(em_dom_plan_make(EM_LIT("<p>"), ops, 4, NULL, &arena, &plan, &err), EM_OK);
    assert_string_equal(plan.outcomes[0].reason,
                        "there is a NUL in \"value\", and no page can hold one");
    assert_string_equal(plan.outcomes[1].reason, "there is a NUL in \"selector\"");
    assert_int_equal(plan.outcomes[2].code, EM_DOM_E_ARGUMENT);
    assert_string_equal(plan.outcomes[2].reason,
                        "\"all\": false asks for one element and \"expected\" for several; leave "
                        "out \"all\" if as many as expected are meant, or \"expected\" if one is");
    assert_int_equal(plan.outcomes[3].status, EM_DOM_APPLIED);
}

static void a_selector_that_takes_too_long_is_named(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) selector = {0};
    EM_AUTO(em_strbuf) page = {0};
    em_dom_plan plan;
    em_error err = EM_ERROR_INIT;
    em_deadline passed = {.at = 1};
    em_strbuf_puts(&selector, "p");
    while (selector.len < 9000)
        em_strbuf_puts(&selector, ",p.a>p");
    em_dom_op op = {.selector = em_strbuf_slice(&selector), .action = EM_DOM_REMOVE};
    for (int i = 0; i < 60; i++)
        em_strbuf_puts(&page, "<p>");
    assert_int_equal(em_dom_plan_make(em_strbuf_slice(&page), &op, 1, &passed, &arena, &plan, &err),
                     EM_E_TIMEOUT);
    assert_memory_equal(err.detail, "finding what the selector of operation 1, \"p,p.a>p", 48);
    assert_non_null(strstr(err.detail, " bytes as HTML took too long; a simpler one takes less"));
}

static void operations_that_take_too_long_together_are_told(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) page = {0};
    enum { OPS = 500 };
    em_dom_op ops[OPS];
    em_dom_plan plan;
    em_error err = EM_ERROR_INIT;
    em_deadline passed = {.at = 1};
    for (int i = 0; i < OPS; i++)
        ops[i] = (em_dom_op){.selector = EM_LIT("p"),
                             .action = EM_DOM_ADD_CLASS,
                             .value = i % 2 ? EM_LIT("a") : EM_LIT("b")};
    for (int i = 0; i < 60; i++)
        em_strbuf_puts(&page, "<p>");
    assert_int_equal(
        em_dom_plan_make(em_strbuf_slice(&page), ops, OPS, &passed, &arena, &plan, &err),
        EM_E_TIMEOUT);
    assert_string_equal(err.detail, "doing 500 operations on its 180 bytes as HTML took too long; "
                                    "fewer in a call take less");
}

/* Of so many elements that the time is over when their edits are planned, and not before. */
static void edits_that_take_too_long_to_plan_are_told(void **state)
{
    (void)state;
    EM_AUTO(em_strbuf) page = {0};
    em_error err = EM_ERROR_INIT;
    em_dom_op op = {.selector = EM_LIT("i"), .action = EM_DOM_REMOVE, .all = EM_DOM_ALL_TRUE};
    static const char told[] = "finding out what operation 1 changes of the ";
    for (em_status status = EM_OK; status == EM_OK;) {
        EM_AUTO(em_arena) arena = {0};
        em_dom_plan plan;
        em_deadline passed = {.at = 1};
        em_strbuf_puts(&page, "<i>x</i>");
        status = em_dom_plan_make(em_strbuf_slice(&page), &op, 1, &passed, &arena, &plan, &err);
        if (status == EM_E_TIMEOUT && memcmp(err.detail, told, sizeof told - 1) != 0)
            status = EM_OK; /* the guard read the page */
        assert_true(page.len < 1 << 12);
    }
    assert_non_null(strstr(err.detail, " elements that it means took too long; a selector that "
                                       "matches fewer takes less"));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_wrong_selector_could_match_is_counted),
        cmocka_unit_test(a_rule_of_html_is_told),
        cmocka_unit_test(a_way_on_is_told),
        cmocka_unit_test(names_of_the_page_are_suggested_with_their_escapes),
        cmocka_unit_test(names_without_their_signs_are_suggested),
        cmocka_unit_test(an_end_that_is_not_known_is_explained),
        cmocka_unit_test(an_argument_that_is_wrong_is_named),
        cmocka_unit_test(a_selector_that_takes_too_long_is_named),
        cmocka_unit_test(operations_that_take_too_long_together_are_told),
        cmocka_unit_test(edits_that_take_too_long_to_plan_are_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

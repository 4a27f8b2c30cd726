#include "html/parse.h"

#include "base/strbuf.h"
#include "failing_malloc.h"
#include "html/parser.h"
#include "html/spans.h"

#include <gumbo.h>
#include <stdio.h>

#include "../with_cmocka.h"

static void show_range(em_strbuf *out, const char *what, em_range range)
{
    if (range.end > 0)
        em_strbuf_printf(out, " %s%zu-%zu", what, range.start, range.end);
}

static void show_attr(em_strbuf *out, const em_attr *attr)
{
    em_strbuf_printf(out, " %.*s", (int)attr->name.len, attr->name.ptr);
    show_range(out, "", attr->raw_name);
    if (attr->has_value)
        em_strbuf_printf(out, "=%c%.*s%c", attr->quote ? attr->quote : '|', (int)attr->value.len,
                         attr->value.ptr ? attr->value.ptr : "", attr->quote ? attr->quote : '|');
    show_range(out, "", attr->raw_value);
}

/* A node as "depth name flaws <start_tag /end_tag whole attributes"; a text in quotes. */
static void show_node(em_strbuf *out, const em_node *node)
{
    static const char letters[] = "icmnftrbsd";
    em_strbuf_printf(out, "%u %.*s", node->depth, (int)node->name.len,
                     node->name.ptr ? node->name.ptr : "");
    if (node->kind != EM_NODE_ELEMENT)
        em_strbuf_printf(out, "%c%.*s%c", node->kind == EM_NODE_TEXT ? '"' : '!',
                         (int)node->text.len, node->text.ptr ? node->text.ptr : "",
                         node->kind == EM_NODE_TEXT ? '"' : '!');
    if (node->flaws)
        em_strbuf_putc(out, ' ');
    for (int i = 0; letters[i]; i++)
        if (node->flaws & 1u << i)
            em_strbuf_putc(out, letters[i]);
    show_range(out, "<", node->start_tag);
    show_range(out, "/", node->end_tag);
    show_range(out, "", node->whole);
    for (size_t i = 0; i < node->attr_count; i++)
        show_attr(out, &node->attrs[i]);
    em_strbuf_putc(out, '\n');
}

static void check_links(const em_page *page)
{
    for (size_t i = 0; i < page->count; i++) {
        const em_node *node = page->nodes[i];
        assert_int_equal(node->index, i);
        assert_true(node->after > i && node->after <= page->count);
        if (i > 0)
            assert_true(node->parent->index < i && node->after <= node->parent->after);
        if (node->next)
            assert_ptr_equal(node->next->previous, node);
    }
}

typedef struct parse_case {
    const char *page, *nodes; /* those below <body>, or all that begin with the depth 1 */
} parse_case;

static void check_parse(const parse_case *cases, size_t count)
{
    size_t wrong = 0;
    for (size_t i = 0; i < count; i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_strbuf) out = {0};
        em_page page;
        em_error err = EM_ERROR_INIT;
        assert_int_equal(em_page_parse(em_slice_of(cases[i].page), NULL, &arena, &page, &err),
                         EM_OK);
        check_links(&page);
        bool all = cases[i].nodes[0] == '1';
        for (size_t k = 1; k < page.count; k++)
            if (all || page.nodes[k]->depth > 2)
                show_node(&out, page.nodes[k]);
        const char *got = em_strbuf_finish(&out, &arena);
        if (strcmp(got, cases[i].nodes) != 0) {
            printf("%s\nexpected\n%sgot\n%s", cases[i].page, cases[i].nodes, got);
            wrong++;
        }
    }
    assert_int_equal(wrong, 0);
}

#define CHECK_PARSE(cases) check_parse((cases), sizeof(cases) / sizeof *(cases))

static void tags_and_attributes_are_where_they_stand(void **state)
{
    (void)state;
    static const parse_case cases[] = {
        {"<p a=\"1\" b = 2 c d='' e=x/>x</p>",
         "3 p <0-27 /28-32 0-32 a 3-4=\"1\" 6-7 b 9-10=|2| 13-14 c 15-16 16-16 d 17-18='' 20-20 e "
         "22-23=|x/| 24-26\n4 \"x\" 27-28\n"},
        {"a<br/>b", "3 \"a\" 0-1\n3 br <1-6 1-6\n3 \"b\" 6-7\n"},
        {"<h1>a</h2>", "3 h1 <0-4 /5-10 0-10\n4 \"a\" 4-5\n"},
        {"<P Title=A>x</P>", "3 p <0-11 /12-16 0-16 title 3-8=|A| 9-10\n4 \"x\" 11-12\n"},
        {"\xEF\xBB\xBF<p>x</p>", "3 p <3-6 /7-11 3-11\n4 \"x\" 6-7\n"},
        {"<p a=1 a=2>", "3 p <0-11 0-11 a 3-4=|1| 5-6\n"},
        {"<svg viewbox='1'><linearGradient/><a xlink:href=x xmlns:xlink=y xml:lang=en xmlns=z "
         "/></svg>",
         "3 svg <0-17 /86-92 0-92 viewBox 5-12='1' 14-15\n4 linearGradient <17-34 17-34\n4 a "
         "<34-86 34-86 xlink:href 37-47=|x| 48-49 xmlns:xlink 50-61=|y| 62-63 xml:lang 64-72=|en| "
         "73-75 xmlns 76-81=|z| 82-83\n"},
        {"<x-y A>&amp;<!--c--><!d></x-y>",
         "3 x-y <0-7 /24-30 0-30 a 5-6 6-6\n4 \"&\" 7-12\n4 !c! 12-20\n4 !d! 20-24\n"},
    };
    CHECK_PARSE(cases);
}

static void ends_are_checked(void **state)
{
    (void)state;
    static const parse_case cases[] = {
        {"<ul><li>a<li>b</ul>",
         "3 ul <0-4 /14-19 0-19\n4 li <4-8 4-9\n5 \"a\" 8-9\n4 li <9-13 9-14\n5 \"b\" 13-14\n"},
        {"<form><input></form>", "3 form <0-6 /13-20 0-20\n4 input <6-13 6-13\n"},
        {"<form>a</form>b", "3 form <0-6 /7-14 0-14\n4 \"a\" 6-7\n3 \"b\" 14-15\n"},
        {"<form>a&lt;</form>b", "3 form <0-6 /11-18 0-18\n4 \"a<\" 6-11\n3 \"b\" 18-19\n"},
        {"<form>a</form>&lt;", "3 form <0-6 /7-14 0-14\n4 \"a\" 6-7\n3 \"<\" 14-18\n"},
        {"<form>&gt;</form>&lt;", "3 form <0-6 /10-17 0-17\n4 \">\" 6-10\n3 \"<\" 17-21\n"},
        {"<form>a\r\n\r\n</form>\r\n<br>",
         "3 form <0-6 /11-18 0-18\n4 \"a\n\n\" 6-11\n3 \"\n\" 19-20\n3 br <20-24 20-24\n"},
        {"<form>a < b</form></body>\n",
         "3 form <0-6 /11-18 0-18\n4 \"a < b\" 6-11\n3 \"\n\" 25-26\n"},
        {"a</form>b<form><p>c</form>d", "3 \"ab\" 0-9\n3 form <9-15 /19-26 9-26\n4 p <15-18 "
                                        "15-19\n5 \"c\" 18-19\n3 \"d\" 26-27\n"},
        {"<form>a</form x", "3 form <0-6 0-7\n4 \"a\" 6-7\n"},
        {"<div><p>x", "3 div <0-5 0-9\n4 p <5-8 5-9\n5 \"x\" 8-9\n"},
        {"<p>a</>b</></></p></><br>c",
         "3 p <0-3 /14-18 0-18\n4 \"ab\" 3-8\n3 br <21-25 21-25\n3 \"c\" 25-26\n"},
        {"<p>a<b></></b></ b></></p>",
         "3 p <0-3 /22-26 0-26\n4 \"a\" 3-4\n4 b <4-7 /10-14 4-14\n4 ! b! 14-19\n"},
        {"<pre></>\nx</pre>", "3 pre <0-5 /10-16 0-16\n4 \"x\" 9-10\n"},
        {"<p>x</x>y</p>", "3 p <0-3 /9-13 0-13\n4 \"xy\" 3-9\n"},
        /* Before the end tags of the page, behind which nothing more comes. */
        {"<body><div><p>x\n</body>\n</html>\n",
         "3 div <6-11 6-16\n4 p <11-14 11-16\n5 \"x\n\n\n\" 14-16\n"},
        {"<body><p>x</body></body>\n<!--c-->", "3 p <6-9 6-10\n4 \"x\n\" 9-10\n"},
        {"<body><p><b>x</b></body>\n",
         "3 p <6-9 6-17\n4 b <9-12 /13-17 9-17\n5 \"x\" 12-13\n4 \"\n\" 24-25\n"},
        {"<p>x</html>", "3 p <0-3 0-4\n4 \"x\" 3-4\n"},
        {"<body><p>x</body>y", "3 p n <6-9 6-18\n4 \"xy\" 9-18\n"},
    };
    CHECK_PARSE(cases);
}

static void odd_elements_have_flaws(void **state)
{
    (void)state;
    static const parse_case cases[] = {
        {"<p>x", "1 html i\n2 head i\n2 body i\n3 p <0-3 0-4\n4 \"x\" 3-4\n"},
        {"<html><body a>x<body b></html>",
         "1 html <0-6 /23-30 0-30\n2 head i\n2 body m <6-14 6-23 a 12-13 13-13 b\n3 \"x\" 14-23\n"},
        {"<b>1<p>2</b>3</p>",
         "3 b c\n4 \"1\" 3-4\n3 p <4-7 /13-17 4-17\n4 b c\n5 \"2\" 7-8\n4 \"3\" 12-13\n"},
        {"<table>x<tr><td>y</table>",
         "3 \"x\" f 7-8\n3 table f <0-7 /17-25 0-25\n4 tbody i\n5 tr <8-12 8-17\n"
         "6 td <12-16 12-17\n7 \"y\" 16-17\n"},
        {"</p>a</br>", "3 \"a\" 4-5\n3 br i\n"},
        {"<div {{a}} id=q></div>", "3 div t <0-16 /16-22 0-22 id 11-13=|q| 14-15\n"},
        {"<body><p>x</p></body><i>y</i>",
         "1 html i\n2 head i\n2 body d <0-6 /14-21 0-21\n3 p <6-9 /10-14 6-14\n4 \"x\" 9-10\n"
         "3 i <21-24 /25-29 21-29\n4 \"y\" 24-25\n"},
    };
    CHECK_PARSE(cases);
}

static void code_comes_back_as_it_is_written(void **state)
{
    (void)state;
    static const parse_case cases[] = {
        {"<p t='{{ \"'\" }}&amp;`'>`{{ a < b }}</p>",
         "3 p <0-23 /35-39 0-39 t 3-4='{{ \"'\" }}&`' 6-21\n4 \"`{{ a < b }}\" 23-35\n"},
        {"<p><?php a > b ?>x", "3 p <0-3 0-18\n4 !php a > b ?! 3-17\n4 \"x\" 17-18\n"},
    };
    CHECK_PARSE(cases);
}

static void a_fragment_is_parsed_in_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *context, *html;
        em_namespace ns;
        size_t nodes;
        const char *first;
    } cases[] = {
        {"tr", "<td>x", EM_NS_HTML, 3, "td"},
        {"div", "<td>x", EM_NS_HTML, 2, ""},
        {"x-y", "<b>x</b>", EM_NS_HTML, 3, "b"},
        {"svg", "<linearGradient/>", EM_NS_SVG, 2, "linearGradient"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_page page;
        em_error err = EM_ERROR_INIT;
        em_node context = {
            .kind = EM_NODE_ELEMENT, .ns = cases[i].ns, .name = em_slice_of(cases[i].context)};
        assert_int_equal(
            em_fragment_parse(em_slice_of(cases[i].html), &context, NULL, &arena, &page, &err),
            EM_OK);
        assert_int_equal(page.count, cases[i].nodes);
        assert_true(em_slice_is(page.nodes[1]->name, cases[i].first));
        assert_int_equal(page.nodes[1]->ns, cases[i].first[0] ? cases[i].ns : EM_NS_HTML);
    }
}

static void doctypes_decide_the_mode(void **state)
{
    (void)state;
    static const struct {
        const char *page;
        bool has, quirks;
    } cases[] = {{"<!DOCTYPE html><p>", true, false}, {"<p>", false, true}, {"", false, true}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_page page;
        em_error err = EM_ERROR_INIT;
        assert_int_equal(em_page_parse(em_slice_of(cases[i].page), NULL, &arena, &page, &err),
                         EM_OK);
        assert_int_equal(page.has_doctype, cases[i].has);
        assert_int_equal(page.quirks, cases[i].quirks);
    }
}

static em_status parse_many(const char *unit, size_t times, em_deadline *deadline, em_error *err)
{
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) text = {0};
    em_page page;
    for (size_t i = 0; i < times; i++)
        em_strbuf_puts(&text, unit);
    return em_page_parse(em_strbuf_slice(&text), deadline, &arena, &page, err);
}

/* What the tags do not show: elements that the parser opens again and again. */
static void trees_that_grow_are_bounded(void **state)
{
    (void)state;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(parse_many("<p><a id=1><i><b a><p><i x>", 20000, NULL, &err), EM_E_INVALID);
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) text = {0};
    em_page page;
    for (int i = 0; i < 900; i++)
        em_strbuf_printf(&text, "<p><b id=%d></p>", i);
    for (int i = 0; i < 100000; i++)
        em_strbuf_puts(&text, "<p>");
    em_status status = em_page_parse(em_strbuf_slice(&text), NULL, &arena, &page, &err);
    assert_int_equal(status, EM_E_INVALID);
    assert_non_null(strstr(err.detail, "too large a tree"));
    em_deadline soon = em_deadline_in(1);
    assert_int_equal(parse_many("<p>x", 20000, &soon, &err), EM_E_TIMEOUT);
    assert_int_equal(parse_many("<li><ul><li>", 300, NULL, &err), EM_OK);
    assert_int_equal(parse_many("<p><button>", 999, NULL, &err), EM_OK);
}

/* ---- Depth ----------------------------------------------------------------------------------- */

static void only_deep_pages_are_refused(void **state)
{
    (void)state;
    static const struct {
        const char *before, *unit;
        size_t times;
        bool deep;
    } cases[] = {
        {"", "<div>", EM_MAX_NESTING, false},
        {"", "<div>", EM_MAX_NESTING + 1, true},
        {"<!doctype html><title>t</title>", "<p><a name=n>Section</p>\n", 1100, false},
        {"", "<a name=q>x\n", 1200, false},
        {"<p>", "<nobr>x ", 1200, false},
        {"", "<p><font size=2>x\n", 1200, false},
        {"", "<button>", 1200, false},
        {"", "<select>", 2000, false},
        {"<select>", "<optgroup><option>", 1200, false},
        {"", "<h1>", 1200, false},
        {"", "<p><dd><dt>", 1200, false},
        {"<table>", "<tr><td><th>", 1200, false},
        {"", "<b></i></b>", 1200, false},
        {"", "<table><tr><td>", 250, false},
        {"", "<table><tr><td>", 251, true},
        {"", "<ul><li>", 501, true},
        {"", "<rt>", 20000, true},
        {"", "<optgroup>", 20000, true},
        {"", "<b><div></b>", 20000, true},
        {"", "<form><div></form>", 20000, true},
        {"", "<a><div>", 20000, true},
        {"<table>", "<span>", 20000, true},
        {"<div><b></div><table><tr>", "<span>", 20000, true},
        {"<table><tr><td></table><table>x", "<span>", 20000, true},
        {"<table><tr><td><table><tr><td>", "<span>", 20000, true},
        {"<head></head><template>", "<div>", 20000, true},
        {"</body><!--a--><!--b-->", "<div>", 20000, true},
        {"</body><!--a--><!--b--><frameset>", "<frameset>", 20000, true},
        {"<svg>", "<g>", 20000, true},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_strbuf) text = {0};
        em_page page;
        em_error err = EM_ERROR_INIT;
        em_strbuf_puts(&text, cases[i].before);
        for (size_t k = 0; k < cases[i].times; k++)
            em_strbuf_puts(&text, cases[i].unit);
        em_status status = em_page_parse(em_strbuf_slice(&text), NULL, &arena, &page, &err);
        if (status != (cases[i].deep ? EM_E_INVALID : EM_OK))
            printf("%s%s: %s\n", cases[i].before, cases[i].unit, err.detail);
        assert_int_equal(status, cases[i].deep ? EM_E_INVALID : EM_OK);
        if (cases[i].deep)
            assert_non_null(strstr(err.detail, "more than 1000 elements stand in each other"));
    }
    em_error err = EM_ERROR_INIT;
    assert_int_equal(parse_many("\n<div>", EM_MAX_NESTING + 1, NULL, &err), EM_E_INVALID);
    assert_string_equal(err.detail, "line 1002: more than 1000 elements stand in each other");
}

/* The elements of gumbo's tree in each other, found without the code under test. */
static size_t depth_of(const char *text)
{
    GumboOptions options = kGumboDefaultOptions;
    options.max_errors = 0;
    GumboOutput *output = gumbo_parse_with_options(&options, text, strlen(text));
    size_t depth = 0, deepest = 0;
    const GumboNode *node = output->document;
    while (node) {
        bool open = node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE;
        const GumboVector *children = node->type == GUMBO_NODE_DOCUMENT ? &node->v.document.children
                                      : open                            ? &node->v.element.children
                                                                        : NULL;
        depth += open;
        deepest = depth > deepest ? depth : deepest;
        if (children && children->length > 0) {
            node = children->data[0];
            continue;
        }
        for (const GumboVector *siblings = NULL; node; node = node->parent) {
            depth -= node->type == GUMBO_NODE_ELEMENT || node->type == GUMBO_NODE_TEMPLATE;
            siblings = node->parent ? node->parent->type == GUMBO_NODE_DOCUMENT
                                          ? &node->parent->v.document.children
                                          : &node->parent->v.element.children
                                    : NULL;
            if (siblings && node->index_within_parent + 1 < siblings->length) {
                node = siblings->data[node->index_within_parent + 1];
                break;
            }
        }
    }
    gumbo_destroy_output(&options, output);
    return deepest;
}

static unsigned next_random(unsigned *seed, unsigned below)
{
    *seed = *seed * 1664525 + 1013904223;
    return (*seed >> 8) % below;
}

static void put_tags(em_strbuf *out, unsigned *seed, unsigned count)
{
    static const char *const tags[] = {
        "<a name=x>",
        "</a>",
        "<b>",
        "<b id=1>",
        "</b>",
        "<i>",
        "</i>",
        "<nobr>",
        "<font a>",
        "</font>",
        "<div>",
        "<div>",
        "</div>",
        "<p>",
        "</p>",
        "<span>",
        "<span>",
        "</span>",
        "<button>",
        "</button>",
        "<h1>",
        "</h2>",
        "<ul>",
        "<li>",
        "</ul>",
        "<dl>",
        "<dd>",
        "<form>",
        "</form>",
        "<table>",
        "<table>",
        "</table>",
        "<tr>",
        "</tr>",
        "<td>",
        "<td>",
        "</td>",
        "<caption>",
        "<tbody>",
        "<col>",
        "<select>",
        "</select>",
        "<option>",
        "<optgroup>",
        "<ruby>",
        "<rt>",
        "<template>",
        "</template>",
        "<svg>",
        "</svg>",
        "<g>",
        "<title>t</title>",
        "<foreignObject>",
        "<math>",
        "<mi>",
        "<x-y>",
        "</x-y>",
        "<applet>",
        "</applet>",
        "<fieldset>",
        "<body>",
        "</body>",
        "<!--c-->",
        "text",
        "<input>",
        "<details>",
        "<head>",
        "</head>",
        "<frameset>",
        "<blockquote>",
        "<html>",
    };
    for (unsigned i = 0; i < count; i++)
        em_strbuf_puts(out, tags[next_random(seed, sizeof tags / sizeof *tags)]);
}

/* What makes too large a tree, if the parser ever comes to it. */
static void put_bait(em_strbuf *out)
{
    for (int i = 0; i < 900; i++)
        em_strbuf_printf(out, "<p><b id=%d></p>", i);
    for (int i = 0; i < 40000; i++)
        em_strbuf_puts(out, "<p>");
}

/* A page is refused if, and only if, its tree is too deep; and one that is much too deep without
 * the rest of it being parsed (but for rows in a <template>, see parser_gumbo.c, which these pages
 * have not so deep). */
static void the_depth_is_that_of_the_tree(void **state)
{
    (void)state;
    enum { LIMIT = 2 + EM_MAX_NESTING, BETWEEN_LOOKS = 64, ROUNDS = 80 };
    size_t deep = 0;
    unsigned seed = 5;
    for (unsigned round = 0; round < ROUNDS; round++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_strbuf) text = {0};
        EM_AUTO(em_strbuf) unit = {0};
        em_page page;
        em_error err = EM_ERROR_INIT;
        put_tags(&text, &seed, next_random(&seed, 6));
        unsigned tags = 1 + next_random(&seed, 8);
        put_tags(&unit, &seed, tags);
        for (unsigned times = (1000 + next_random(&seed, 3000)) / tags; times > 0; times--)
            em_strbuf_add(&text, em_strbuf_slice(&unit));
        size_t depth = depth_of(em_strbuf_finish(&text, &arena));
        deep += depth > LIMIT;
        if (depth > LIMIT + BETWEEN_LOOKS)
            put_bait(&text);
        em_status status = em_page_parse(em_strbuf_slice(&text), NULL, &arena, &page, &err);
        bool refused = status == EM_E_INVALID && strstr(err.detail, "stand in each other");
        if (refused != (depth > LIMIT) || (!refused && status != EM_OK))
            printf("%zu deep: %.*s: %s\n", depth, 200, em_strbuf_finish(&text, &arena), err.detail);
        assert_int_equal(refused, depth > LIMIT);
        assert_int_equal(status, refused ? EM_E_INVALID : EM_OK);
    }
    assert_true(deep > ROUNDS / 10 && deep < ROUNDS - ROUNDS / 10);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    em_slice page = EM_LIT("<x-y A='&amp;`{{ \"'\" }}'>x<svg><a xlink:href=a/>a<![CDATA[b]]>c</svg>"
                           "<form>a</form>b</x-y><?php ?>`");
    em_status status = EM_E_NOMEM;
    size_t failures = 0;
    for (long granted = 0; status != EM_OK; granted++) {
        EM_AUTO(em_arena) arena = {0};
        em_page tree;
        em_error err = EM_ERROR_INIT;
        mallocs_left = granted;
        status = em_page_parse(page, NULL, &arena, &tree, &err);
        mallocs_left = -1;
        assert_true(status == EM_OK || status == EM_E_NOMEM);
        failures += status == EM_E_NOMEM;
    }
    assert_true(failures > 5);
}

static void texts_are_joined(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_page page;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_page_parse(EM_LIT("<svg>a<![CDATA[b<]]>c</svg><i>d<!--x--></i>"), NULL,
                                   &arena, &page, &err),
                     EM_OK);
    const em_node *svg = page.nodes[4];
    assert_int_equal(svg->first_child, svg->last_child);
    assert_true(em_slice_is(svg->first_child->text, "ab<c"));
    assert_true(em_node_is(page.nodes[1], "html"));
    assert_false(em_node_is(svg, "svg"));
    assert_true(em_node_is_void(&page, svg) == false);
}

/* Text that HTML moves out of a table becomes one before it, and is not copied with each piece. */
static void text_that_grows_is_seldom_copied(void **state)
{
    (void)state;
    enum { PIECES = 4000, BLOCKS = 40 };
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) text = {0};
    em_page page;
    em_error err = EM_ERROR_INIT;
    em_strbuf_puts(&text, "<table>");
    for (int i = 0; i < PIECES; i++)
        em_strbuf_puts(&text, "0123456789<tr>");
    mallocs_left = BLOCKS;
    em_status status = em_page_parse(em_strbuf_slice(&text), NULL, &arena, &page, &err);
    mallocs_left = -1;
    assert_int_equal(status, EM_OK);
    assert_int_equal(page.nodes[4]->kind, EM_NODE_TEXT);
    assert_int_equal(page.nodes[4]->text.len, 10 * PIECES);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(tags_and_attributes_are_where_they_stand),
        cmocka_unit_test(ends_are_checked),
        cmocka_unit_test(odd_elements_have_flaws),
        cmocka_unit_test(code_comes_back_as_it_is_written),
        cmocka_unit_test(a_fragment_is_parsed_in_its_place),
        cmocka_unit_test(doctypes_decide_the_mode),
        cmocka_unit_test(trees_that_grow_are_bounded),
        cmocka_unit_test(only_deep_pages_are_refused),
        cmocka_unit_test(the_depth_is_that_of_the_tree),
        cmocka_unit_test(memory_may_run_out),
        cmocka_unit_test(texts_are_joined),
        cmocka_unit_test(text_that_grows_is_seldom_copied),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* site_dom_test.c: operations on elements, as editDOM and editFiles take and answer them. */
#include "calls.h"

#include "answers/reply.h"

#define TOOLS "site"

static const char page[] = "<!DOCTYPE html>\n<html>\n<body>\n  <h1 id=title>Old &amp; Title</h1>\n"
                           "  <p class=\"a x:y\">one</p>\n  <p>two</p>\n</body>\n</html>\n";

static void open_page(caller *c)
{
    caller_open(c, TOOLS);
    scratch_write(&c->s, "p.html", em_slice_of(page));
}

static void check_page(caller *c, const char *from, const char *to)
{
    EM_AUTO(em_strbuf) want = {0};
    const char *at = strstr(page, from);
    assert_non_null(at);
    em_strbuf_add(&want, em_slice_make(page, (size_t)(at - page)));
    em_strbuf_puts(&want, to);
    em_strbuf_puts(&want, at + strlen(from));
    check_file(&c->s, "p.html", em_slice_make(want.ptr, want.len));
}

/* ---- editDOM ------------------------------------------------------------------------------- */

static void an_element_is_changed_and_told(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    open_page(&c);
    call(&c, "editDOM",
         "{'file':'p.html','operations':[{'selector':'h1','action':'setText','value':'A < B'}]}");
    check_page(&c, "Old &amp; Title", "A &lt; B");
    check_field(&c, "success", "true");
    assert_false(c.answer.is_error);
    check_field(&c, "file", "'p.html'");
    check_field(&c, "domOperations",
                "[{'status':'applied','matches':1,'changes':[{'line':4,'start':45,'end':60,"
                "'newStart':45,'newEnd':53}]}]");
    check_has(&c, "-  <h1 id=title>Old &amp; Title</h1>\\n+  <h1 id=title>A &lt; B</h1>\\n");
    assert_true(json_string_length(field(&c, "edit_id")) > 16);
    assert_null(field(&c, "content"));
    assert_null(field(&c, "matchTiers"));
    assert_null(field(&c, "failed"));
}

/* Whatever the file has before it, the content that is given begins behind that. */
static void offsets_are_those_of_the_content(void **state)
{
    (void)state;
    static const em_slice pages[] = {
        {"<i>1</i>\n", 9},
        {"\xEF\xBB\xBF<i>1</i>\n", 12},
        {"\xFF\xFE<\0i\0>\0001\0<\0/\0i\0>\0\n\0", 20},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    for (size_t i = 0; i < sizeof pages / sizeof *pages; i++) {
        scratch_write(&c.s, "p.html", pages[i]);
        call(&c, "editDOM",
             "{'file':'p.html','operations':[{'selector':'i','action':'setText','value':'22'}],"
             "'returnContent':true}");
        check_field(&c, "content", "'<i>22</i>\\n'");
        check_field(&c, "domOperations",
                    "[{'status':'applied','matches':1,'changes':[{'line':1,'start':3,'end':4,"
                    "'newStart':3,'newEnd':5}]}]");
    }
}

static void what_is_as_asked_for_writes_nothing(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    open_page(&c);
    call(&c, "editDOM",
         "{'file':'p.html','operations':[{'selector':'p.a','action':'addClass','value':'a'}],"
         "'returnContent':true}");
    check_page(&c, "", "");
    check_field(&c, "success", "true");
    check_field(&c, "domOperations", "[{'status':'unchanged','matches':1,'changes':[]}]");
    check_field(&c, "diff", "''");
    assert_null(field(&c, "edit_id"));
    assert_string_equal(json_string_value(field(&c, "content")), page);
}

static void what_fails_is_left_out_and_the_rest_is_kept(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    open_page(&c);
    call(&c, "editDOM",
         "{'file':'p.html','operations':[{'selector':'h1','action':'setText','value':'A'},"
         "{'selector':'h7','action':'remove'},{'selector':'p','action':'setText','value':'x'},"
         "{'selector':'p.a','action':'removeAttribute','attr':'class'}]}");
    check_field(&c, "success", "'partial'");
    assert_false(c.answer.is_error);
    check_field(&c, "appliedCount", "2");
    check_field(&c, "failedIndex", "1");
    check_field(&c, "failed.0.index", "1");
    check_field(&c, "failed.0.code", "'E_NO_MATCH'");
    check_field(&c, "failed.1.index", "2");
    check_field(&c, "failed.1.code", "'E_AMBIGUOUS'");
    check_field(&c, "failed.1.matches", "2");
    check_field(&c, "failed.1.candidates.0", "{'selector':'.a','line':5,'text':'one'}");
    check_has(&c, "DOM operation 2/4 failed in \\\"p.html\\\": ");
    check_has(&c, "Failed too, see failed: 3/4 (E_AMBIGUOUS).");
    check_has(&c, "edit the text itself with editFile");
    check_has(&c, "The other operations were applied and kept");
    check_field(&c, "domOperations.1.status", "'failed'");
    check_file(&c.s, "p.html",
               EM_LIT("<!DOCTYPE html>\n<html>\n<body>\n  <h1 id=title>A</h1>\n  <p>one</p>\n"
                      "  <p>two</p>\n</body>\n</html>\n"));
}

static void an_answer_to_thousands_is_bounded(void **state)
{
    enum { FAILING = 150, ALL = 1200 };
    (void)state;
    EM_AUTO(caller) c;
    EM_AUTO(em_strbuf) args = {0};
    open_page(&c);
    em_strbuf_puts(&args, "{'file':'p.html','operations':[");
    for (size_t i = 0; i < ALL; i++)
        em_strbuf_printf(&args, "%s{'selector':'%s','action':'setText','value':'%zu'}",
                         i > 0 ? "," : "", i < FAILING ? "h7" : "h1", i);
    em_strbuf_puts(&args, "]}");
    em_strbuf_putc(&args, '\0');
    call(&c, "editDOM", args.ptr);
    check_field(&c, "success", "'partial'");
    check_field(&c, "appliedCount", "1050");
    assert_int_equal(json_array_size(field(&c, "failed")), 100);
    check_field(&c, "failedTruncated", "true");
    assert_int_equal(json_array_size(field(&c, "domOperations")), 1000);
    check_field(&c, "domOperationsTruncated", "true");
    check_has(&c, " and 144 more.");
}

static void with_atomic_nothing_is_kept(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    open_page(&c);
    call(&c, "editDOM",
         "{'file':'p.html','operations':[{'selector':'h1','action':'setText','value':'A'},"
         "{'selector':'h1.b','action':'remove'}],'atomic':true}");
    check_field(&c, "success", "false");
    assert_true(c.answer.is_error);
    check_field(&c, "appliedCount", "0");
    check_field(&c, "failed.0.parts",
                "[{'selector':'h1','count':1},{'selector':'h1.b','count':0}]");
    check_field(&c, "failed.0.failedPart", "'.b'");
    check_field(&c, "failed.0.similar.0.line", "4");
    check_has(&c, "Nothing was written.");
    check_page(&c, "", "");
}

static void all_and_expected_say_how_many(void **state)
{
    (void)state;
    static const struct {
        const char *extra, *success;
    } cases[] = {{"'all':true", "true"},
                 {"'expected':2", "true"},
                 {"'all':null", "false"},
                 {"'expected':3", "false"},
                 {"'all':false", "false"}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        char args[256];
        open_page(&c);
        snprintf(args, sizeof args,
                 "{'file':'p.html','operations':[{'selector':'p','action':'setAttribute',"
                 "'attribute':'lang','value':'en',%s}]}",
                 cases[i].extra);
        call(&c, "editDOM", args);
        check_field(&c, "success", cases[i].success);
    }
}

/* What other tools call an argument, an action and a position. */
static void other_words_are_understood(void **state)
{
    (void)state;
    static const struct {
        const char *args, *told;
    } cases[] = {
        {"'action':'delete'", ". Did you mean \\\"remove\\\"?"},
        {"'action':'insertAdjacentHTML','value':'<i></i>','position':'before'",
         ". Did you mean \\\"beforebegin\\\"?"},
        {"'action':'insertAdjacentHTML','value':'<i></i>','position':'after'",
         ". Did you mean \\\"afterend\\\"?"},
        {"'action':'insertAdjacentHTML','value':'<i></i>','position':'beforeEnd'",
         ". Did you mean \\\"beforeend\\\"?"},
    };
    EM_AUTO(caller) c;
    open_page(&c);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char args[300];
        snprintf(args, sizeof args, "{'file':'p.html','operations':[{'selector':'h1',%s}]}",
                 cases[i].args);
        call(&c, "editDOM", args);
        check_has(&c, cases[i].told);
    }
    call(&c, "editDOM",
         "{'file':'p.html','operations':[{'selector':'h1','action':'addClass','class':'k'}]}");
    check_field(&c, "retry.operations", "[{'selector':'h1','action':'addClass','value':'k'}]");
    call_with(&c, "editDOM", json_incref(field(&c, "retry")));
    check_field(&c, "success", "true");
}

/* The next call of a caller who only copies. */
static void a_wrong_selector_is_mended_by_the_retry(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    open_page(&c);
    call(&c, "editDOM",
         "{'file':'p.html','operations':[{'selector':'h1','action':'setText','value':'A'},"
         "{'selector':'.x:y','action':'setText','value':'B'}]}");
    check_field(&c, "failed.0.suggestion", "'.x\\\\:y'");
    check_field(&c, "retry.operations", "[{'selector':'.x\\\\:y','action':'setText','value':'B'}]");
    check_has(&c, "retry is the call with the selector that is probably meant");
    call_with(&c, "editDOM", json_incref(field(&c, "retry")));
    check_field(&c, "success", "true");
    check_file(&c.s, "p.html",
               EM_LIT("<!DOCTYPE html>\n<html>\n<body>\n  <h1 id=title>A</h1>\n"
                      "  <p class=\"a x:y\">B</p>\n  <p>two</p>\n</body>\n</html>\n"));
}

/* One name of the page is nearly what was sent, and no other. */
static void a_slip_in_a_name_is_mended_by_the_retry(void **state)
{
    (void)state;
    static const char named_page[] =
        "<!DOCTYPE html>\n<h1 id=\"title\">T</h1>\n<div class=card><b class=item1>q</b></div>\n"
        "<a class=\"btn btn-primary\">x</a>\n<a class=\"btn\">y</a>\n";
    static const struct {
        const char *selector, *meant; /* NULL: it is not clear */
    } cases[] = {
        {"#titel", "'#title'"},
        {".crad > b", "'.card > b'"},
        {"div.crad b", "'div.card b'"},
        {"h1, #titel", NULL},
        {"#Title", "'#title'"},
        {"#titles", NULL},
        {"#bitle", NULL},
        {".card > .item2", NULL},
        {".card > .title", NULL},
        {".card > .btn-primary", NULL}, /* it is there, elsewhere */
        {"#title > .btn-primry", NULL}, /* nothing would match */
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char args[300], operations[300];
        scratch_write(&c.s, "p.html", em_slice_of(named_page));
        snprintf(
            args, sizeof args,
            "{'file':'p.html','operations':[{'selector':'%s','action':'setText','value':'n'}]}",
            cases[i].selector);
        call(&c, "editDOM", args);
        if (!cases[i].meant) {
            assert_null(field(&c, "retry"));
            continue;
        }
        snprintf(operations, sizeof operations, "[{'selector':%s,'action':'setText','value':'n'}]",
                 cases[i].meant);
        check_field(&c, "failed.0.suggestion", cases[i].meant);
        check_field(&c, "retry.operations", operations);
        call_with(&c, "editDOM", json_incref(field(&c, "retry")));
        check_field(&c, "success", "true");
    }
}

/* What would be refused whatever the page holds is not proposed. */
static void what_cannot_pass_is_no_retry(void **state)
{
    (void)state;
    static const struct {
        const char *tool, *arguments;
        bool passes;
    } cases[] = {
        {"editDOM",
         "{'file':'p.html','operations':[{'selector':'p','action':'setText','value':1}]}", true},
        {"editDOM",
         "{'file':'p.html','operations':[{'selector':'p','action':'setText','value':'z',"
         "'newClass':1}]}",
         false},
        {"editDOM", "{'file':'p.html','operations':[{'selector':'p','action':'remove','attr':1}]}",
         false},
        {"editDOM", "{'file':'p.html','operations':[{'selector':1,'action':'remove'}]}", false},
        {"editDOM",
         "{'file':'p.html','operations':[{'selector':'p','action':'setAttribute','attr':'a b',"
         "'value':1}]}",
         false},
        {"editDOM",
         "{'file':'p.html','encoding':['x'],'operations':[{'selector':'p','action':'remove'}]}",
         false},
        {"editDOM",
         "{'file':'p.html','encoding':['utf8'],'operations':[{'selector':'p','action':'remove'}]}",
         true},
        {"editFiles",
         "{'files':[{'file':'p.html','domOperations':[{'selector':'p','action':'remove'}]}]}",
         true},
        {"editFiles",
         "{'files':[{'file':'p.html','domOperations':[{'selector':'p','action':'setText'}]}]}",
         false},
        {"editFiles",
         "{'files':[{'file':'p.html','encoding':'x','domOperations':[{'selector':'p',"
         "'action':'remove'}]}]}",
         false},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        caller_open(&c, TOOLS);
        scratch_write(&c.s, "p.html", EM_LIT("<p>z</p>\n"));
        call(&c, cases[i].tool, cases[i].arguments);
        json_t *retry = json_object_get(c.answer.object, "retry");
        if ((retry != NULL) != cases[i].passes)
            fail_msg("%s", cases[i].arguments);
        if (!retry)
            continue;
        call_with(&c, cases[i].tool, json_incref(retry));
        check_field(&c, "success", "true");
    }
}

static void a_slip_in_a_class_is_mended_by_the_retry(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "p.html", EM_LIT("<p>z</p>\n<a class=\"btn  btn-primary\">x</a>\n"));
    call(&c, "editDOM",
         "{'file':'p.html','operations':[{'selector':'a','action':'replaceClass',"
         "'oldClass':'btn-primry','newClass':'big'}]}");
    check_field(
        &c, "failed.0.error",
        "'the element has no class \\'btn-primry\\', but \\'btn  btn-primary\\'; did you mean "
        "\\'btn-primary\\'?\\n  Candidates: .btn (line 2: x).'");
    check_has(&c, "retry is the call with the class that is probably meant");
    call_with(&c, "editDOM", json_incref(field(&c, "retry")));
    check_file(&c.s, "p.html", EM_LIT("<p>z</p>\n<a class=\"btn  big\">x</a>\n"));
    call(&c, "editDOM",
         "{'file':'p.html','operations':[{'selector':'p','action':'replaceClass',"
         "'oldClass':'btn-primry','newClass':'big'}]}");
    check_has(&c, "and no other.");
    assert_null(field(&c, "retry"));
}

/* What would fail again is no retry, though it is suggested. */
static void a_selector_that_matches_otherwise_is_no_retry(void **state)
{
    static const struct {
        const char *page, *selector, *more, *suggestion;
        bool is_retry;
    } cases[] = {
        {"<p>b</p>", "#1a", "", "'[id=\\'1a\\']'", false},
        {"<p id=1a>b</p>", "#1a", "", "'#\\\\31 a'", true},
        {"<p>y</p>", "p&q", "", "'pq'", false},
        {"<p class=card>a</p><p>b</p>", "p.md:x", "", "'p.md\\\\:x'", false},
        {"<p class=md:x>a</p><p>b</p>", "p.md:x", "", "'p.md\\\\:x'", true},
        {"<div><p>b</p></div><div><p>c</p></div>", "p:first-chld", "", "'p:first-child'", false},
        {"<div><p>b</p></div><div><p>c</p></div>", "p:first-chld", ",'all':true", "'p:first-child'",
         true},
        {"<div><p>b</p></div><div><p>c</p></div>", "p:first-chld", ",'expected':2",
         "'p:first-child'", true},
        {"<div><p>b</p></div><div><p>c</p></div>", "p:first-chld", ",'expected':3",
         "'p:first-child'", false},
        {"<p>a</p><p>b</p>", "p::before", "", "'p'", false},
        {"<p>a</p>", "p::before", "", "'p'", true},
        {"<p>a</p><p>b</p>", "p::before", ",'expected':2", "'p'", true},
        /* What would have narrowed it is left out: there may be more than was meant. */
        {"<p>a</p><p>b</p>", "p::before", ",'all':true", "'p'", false},
        {"<p>a</p>", "svg|p", "", "'p'", false},
        {"<p>a</p>", "p.", "", "'p'", false},
        {"<p>a</p>", "> p", "", "'p'", false},
        {"<p>a</p>", "p >", "", "'p'", false},
        {"<p>a</p>", "p:hover", "", "'p'", false},
        {"<p>a</p>", "p,", "", "'p'", true},
    };
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        scratch_write(&c.s, "p.html", em_slice_of(cases[i].page));
        call(&c, "editDOM",
             em_arena_format(&c.s.arena,
                             "{'file':'p.html','operations':[{'selector':'%s','action':'setText',"
                             "'value':'Z'%s}]}",
                             cases[i].selector, cases[i].more));
        check_field(&c, "failed.0.code", "'E_SELECTOR'");
        check_field(&c, "failed.0.suggestion", cases[i].suggestion);
        assert_int_equal(field(&c, "retry") != NULL, cases[i].is_retry);
        assert_null(field(&c, "retry_omitted"));
        if (!cases[i].is_retry)
            continue;
        call_with(&c, "editDOM", json_incref(field(&c, "retry")));
        check_field(&c, "success", "true");
    }
}

/* It is sent when the other operations are done. */
static void a_retry_is_for_the_page_as_it_is_left(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "p.html", EM_LIT("<p>a</p><b>b</b>"));
    call(&c, "editDOM",
         "{'file':'p.html','operations':[{'selector':'p::before','action':'setText','value':'Z'},"
         "{'selector':'p','action':'remove'},"
         "{'selector':'b','action':'setText','value':'c'}],'dryRun':true}");
    check_field(&c, "retry.operations.0.selector", "'p'"); /* before the others */
    call(&c, "editDOM",
         "{'file':'p.html','operations':[{'selector':'p::before','action':'setText','value':'Z'},"
         "{'selector':'p','action':'remove'},"
         "{'selector':'b','action':'insertAdjacentHTML','position':'afterend',"
         "'value':'<i>c</i>'},{'selector':'i::before','action':'setText','value':'d'}]}");
    check_field(&c, "success", "'partial'");
    assert_null(field(&c, "retry"));
    call(&c, "editDOM",
         "{'file':'p.html','operations':[{'selector':'u::before','action':'setText','value':'Z'},"
         "{'selector':'b','action':'setHTML','value':'<u>c</u>'}]}");
    check_field(&c, "success", "'partial'"); /* where it was tried there was no such element */
    assert_null(field(&c, "retry"));
    call(&c, "editDOM",
         "{'file':'p.html','operations':[{'selector':'u::before','action':'setText','value':'Z'},"
         "{'selector':'i','action':'setText','value':'e'}]}");
    call_with(&c, "editDOM", json_incref(field(&c, "retry")));
    check_field(&c, "success", "true");
    check_file(&c.s, "p.html", EM_LIT("<b><u>Z</u></b><i>e</i>"));
}

/* What was meant is gone by then, and something else goes by its name. */
static void a_retry_means_no_other_element(void **state)
{
    (void)state;
    static const char banners[] = "<p class=\"banner\">Old</p>\n<p id=\"news\">News</p>\n";
    static const char *const operations[] = {
        "{'selector':'.baner','action':'remove'},{'selector':'p:first-child','action':'remove'},"
        "{'selector':'#news','action':'addClass','value':'banner'}",
        "{'selector':'.baner','action':'setText','value':'New'},{'selector':'.banner','action':"
        "'replaceClass','oldClass':'banner','newClass':'old'},"
        "{'selector':'#news','action':'addClass','value':'banner'}",
        "{'selector':'#nevs','action':'setText','value':'first'},"
        "{'selector':'#news','action':'setText','value':'final'}",
        "{'selector':'.baner','action':'addClass','value':'q'},"
        "{'selector':'#news','action':'addClass','value':'banner'}",
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    for (size_t i = 0; i < COUNT_OF(operations); i++) {
        char args[400];
        scratch_write(&c.s, "p.html", em_slice_of(banners));
        snprintf(args, sizeof args, "{'file':'p.html','operations':[%s]}", operations[i]);
        call(&c, "editDOM", args);
        check_field(&c, "success", "'partial'");
        check_has(&c, "Look at what the other operations left");
        assert_null(field(&c, "retry"));
    }
    scratch_write(&c.s, "p.html", em_slice_of(banners)); /* it means the same, but another fails */
    call(&c, "editDOM",
         "{'file':'p.html','operations':[{'selector':'.baner','action':'addClass','value':'q'},"
         "{'selector':'#news','action':'setText','value':'x'},"
         "{'selector':'#news','action':'setText'}]}");
    check_lacks(&c, "Look at what the other operations left");
    assert_null(field(&c, "retry"));
}

/* Only the first has a slip; the second looks for what the first makes. */
static void a_retry_keeps_what_builds_on_a_corrected_one(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "p.html", EM_LIT("<p class=\"logo\">x</p>"));
    call(&c, "editDOM",
         "{'file':'p.html','operations':[{'selector':'.loog','action':'addClass','value':'zoom'},"
         "{'selector':'.zoom','action':'setText','value':'y'}]}");
    call_with(&c, "editDOM", json_incref(field(&c, "retry")));
    check_field(&c, "success", "true");
    check_file(&c.s, "p.html", EM_LIT("<p class=\"logo zoom\">y</p>"));
}

/* The name of an attribute that goes came as the value. */
static void an_attribute_that_came_as_the_value_is_told(void **state)
{
    (void)state;
    static const struct {
        const char *args, *retry; /* its operations; NULL: there is none */
    } cases[] = {
        {"'operations':[{'selector':'p','action':'removeAttribute','value':'data-x'}]",
         "[{'selector':'p','action':'removeAttribute','attr':'data-x'}]"},
        {"'operations':[{'selector':'p','action':'setText','value':'y'},"
         "{'selector':'p','action':'removeAttribute','value':'data-x'}],'atomic':true",
         "[{'selector':'p','action':'setText','value':'y'},"
         "{'selector':'p','action':'removeAttribute','attr':'data-x'}]"},
        {"'operations':[{'selector':'p','action':'removeAttribute','attribute':'','value':'data-x'}"
         "]",
         "[{'selector':'p','action':'removeAttribute','attr':'data-x'}]"},
        {"'operations':[{'selector':'p','action':'removeAttribute','value':'data-y'}]", NULL},
        {"'operations':[{'selector':'p','action':'removeAttribute','value':'data-x'},"
         "{'selector':'b','action':'remove'}]",
         NULL},
        {"'operations':[{'selector':'p','action':'setText','value':'x'},"
         "{'selector':'p','action':'removeAttribute','value':'data-x'}]",
         "[{'selector':'p','action':'removeAttribute','attr':'data-x'}]"}, /* the other is kept */
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        char args[300];
        caller_open(&c, TOOLS);
        scratch_write(&c.s, "p.html", EM_LIT("<p data-x=\"1\">x</p>"));
        snprintf(args, sizeof args, "{'file':'p.html',%s}", cases[i].args);
        call(&c, "editDOM", args);
        check_has(&c, " is missing: removeAttribute takes the attribute's name there");
        if (!cases[i].retry) {
            assert_null(field(&c, "retry"));
            continue;
        }
        check_has(&c, "The answer's retry is the call with the attribute that is probably meant.");
        check_field(&c, "retry.operations", cases[i].retry);
        call_with(&c, "editDOM", json_incref(field(&c, "retry")));
        check_field(&c, "success", "true");
        assert_null(strstr(c.answer.text, "\"failed\":[{"));
    }
}

/* What comes by another name than the one that its action has, where nothing else can be meant. */
static void a_class_by_another_name_has_a_retry(void **state)
{
    (void)state;
    static const struct {
        const char *operation, *retry; /* NULL: there is none */
    } cases[] = {
        {"'action':'replaceClass','oldValue':'a','newValue':'b'",
         "'action':'replaceClass','oldClass':'a','newClass':'b'"},
        {"'action':'replaceClass','from':'a','to':'b'",
         "'action':'replaceClass','oldClass':'a','newClass':'b'"},
        {"'action':'replaceClass','search':'a','replace':'b'",
         "'action':'replaceClass','oldClass':'a','newClass':'b'"},
        {"'action':'replaceClass','oldClass':'a','to':'b'",
         "'action':'replaceClass','oldClass':'a','newClass':'b'"},
        {"'action':'replaceClass','oldClass':'a','value':'b'",
         "'action':'replaceClass','oldClass':'a','newClass':'b'"},
        {"'action':'replaceClass','newClass':'b','value':'a'",
         "'action':'replaceClass','newClass':'b','oldClass':'a'"},
        {"'action':'addClass','newClass':'b'", "'action':'addClass','value':'b'"},
        {"'action':'removeClass','oldClass':'a'", "'action':'removeClass','value':'a'"},
        {"'action':'setAttribute','attributeName':'id','attributeValue':'b'",
         "'action':'setAttribute','attr':'id','value':'b'"},
        {"'action':'setAttribute','property':'id','newValue':'b'",
         "'action':'setAttribute','attr':'id','value':'b'"},
        {"'action':'setText','newText':'b'", "'action':'setText','value':'b'"},
        {"'action':'setHTML','newHTML':'b'", "'action':'setHTML','value':'b'"},
        {"'action':'replaceClass','newClass':'b','value':'c'", NULL}, /* nobody has it */
        {"'action':'replaceClass','from':'a','find':'a','to':'b'", NULL},
        {"'action':'replaceClass','from':'a'", NULL},
        {"'action':'removeClass','oldClass':'a','newClass':'b'", NULL},
        {"'action':'setText','search':'x','replace':'b'", NULL},
        {"'action':'setAttribute','attr':'id','oldValue':'a','newValue':'b'", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        char args[300], retry[300];
        caller_open(&c, TOOLS);
        scratch_write(&c.s, "p.html", EM_LIT("<p class=\"a\">x</p>"));
        snprintf(args, sizeof args, "{'file':'p.html','operations':[{'selector':'p',%s}]}",
                 cases[i].operation);
        call(&c, "editDOM", args);
        check_field(&c, "success", "false");
        if (!cases[i].retry) {
            assert_null(field(&c, "retry"));
            continue;
        }
        snprintf(retry, sizeof retry, "[{'selector':'p',%s}]", cases[i].retry);
        check_field(&c, "retry.operations", retry);
        call_with(&c, "editDOM", json_incref(field(&c, "retry")));
        check_field(&c, "success", "true");
    }
}

/* What would be sent for it was found out before the other entry was done. */
static void a_retry_that_the_call_outran_is_not_named(void **state)
{
    (void)state;
    static const struct {
        const char *second;
        bool is_there;
    } cases[] = {
        {"'file':'./p.html','replaceOperations':[{'search':'i>x','replace':'j>x'}]", false},
        {"'file':'q.html','replaceOperations':[{'search':'q','replace':'r'}]", true},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        char args[300];
        caller_open(&c, TOOLS);
        scratch_write(&c.s, "p.html", EM_LIT("<a class=\"cta-button\">x</a><p id=i>x</p>"));
        scratch_write(&c.s, "q.html", EM_LIT("q"));
        snprintf(args, sizeof args,
                 "{'edits':[{'file':'p.html','domOperations':[{'selector':'.cta-buton','action':"
                 "'setText','value':'x'}]},{%s}]}",
                 cases[i].second);
        call(&c, "editFiles", args);
        check_field(&c, "success", "'partial'");
        assert_int_equal(field(&c, "retry") != NULL, cases[i].is_there);
        if (cases[i].is_there) {
            check_has(&c,
                      ".\\n  Suggestion: The answer's retry is the call with the selector that");
            check_lacks(&c, "or edit the text itself");
        } else {
            check_lacks(&c, "answer's retry");
            check_has(&c, ".\\n  Suggestion: Correct it and send it again, or edit the text itself "
                          "with editFile.\\n  Nothing was written.");
        }
    }
}

/* Which of the two is meant, the action or the member, nobody can tell. */
static void what_is_for_another_action_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *operation, *why;
    } cases[] = {
        {"'action':'remove','attr':'alt'", "to take the attribute away use removeAttribute"},
        {"'action':'remove','value':'a'", "to take a class away use removeClass"},
        {"'action':'remove','oldClass':'a'", "are for replaceClass alone"},
        {"'action':'setHTML','value':'b','position':'beforeend'", "for insertAdjacentHTML alone"},
        {"'action':'setText','value':'b','attr':'alt'",
         "for setAttribute and removeAttribute alone"},
        {"'action':'removeAttribute','attr':'class','value':'a'", "is not for removeAttribute"},
        {"'action':'replaceClass','oldClass':'a','newClass':'b','value':'c'",
         "not for replaceClass"},
        {"'action':'addClass','newClass':'b'", "take the class as"},
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "p.html", EM_LIT("<p class=\"a\">x</p>"));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char args[300];
        snprintf(args, sizeof args, "{'file':'p.html','operations':[{'selector':'p',%s}]}",
                 cases[i].operation);
        call(&c, "editDOM", args);
        check_field(&c, "code", "'INVALID_ARGUMENT'");
        check_has(&c, cases[i].why);
        check_lacks(&c, "in a row");
    }
    call(&c, "editDOM",
         "{'file':'p.html','operations':[{'selector':'p','action':'setText','value':'y','attr':'',"
         "'oldClass':null,'position':null}]}");
    check_field(&c, "success", "true");
}

/* What is meant is clear, but what would be written there is at fault, too. */
static void a_retry_that_would_fail_is_none(void **state)
{
    (void)state;
    static const char *const operations[] = {
        "{'selector':'.loog','action':'replaceClass','oldClass':'zz','newClass':'y'}",
        "{'selector':'.loog','action':'setHTML','value':'<div>unclosed'}",
        "{'selector':'.loog','action':'setAttribute','attr':'a b','value':'1'}",
        "{'selector':'.loog','action':'setText','value':'fine'}",
    };
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "p.html", EM_LIT("<p class=\"logo\">x</p>"));
    for (size_t i = 0; i < COUNT_OF(operations); i++) {
        char args[300];
        snprintf(args, sizeof args, "{'file':'p.html','operations':[%s]}", operations[i]);
        call(&c, "editDOM", args);
        check_has(&c, "did you mean \\\".logo\\\"?");
        assert_int_equal(field(&c, "retry") != NULL, i + 1 == COUNT_OF(operations));
    }
    call_with(&c, "editDOM", json_incref(field(&c, "retry")));
    check_field(&c, "success", "true");
}

/* "[@x]" is XPath's, unless there is an attribute that is called so. */
static void an_attribute_is_suggested_as_the_page_has_it(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "v.html", EM_LIT("<b @click=\"go()\" id=i>x</b>"));
    call(&c, "editDOM",
         "{'file':'v.html','operations':[{'selector':'[@click]','action':'setText','value':'y'},"
         "{'selector':'[@id]','action':'addClass','value':'k'}]}");
    check_field(&c, "failed.0.suggestion", "'[\\\\@click]'");
    check_field(&c, "failed.1.suggestion", "'[id]'");
    call_with(&c, "editDOM", json_incref(field(&c, "retry")));
    check_field(&c, "success", "true");
    check_file(&c.s, "v.html", EM_LIT("<b @click=\"go()\" id=i class=\"k\">y</b>"));
}

/* What is refused after it was done has matched as many as before. */
static void a_page_that_would_read_otherwise_tells_the_matches(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "g.html", EM_LIT("<p>1</p><p>2</p>"));
    call(&c, "editDOM",
         "{'file':'g.html','operations':[{'selector':'p','action':'addClass','value':'k'},"
         "{'selector':'p','action':'setHTML','value':'<div>x</div>','expected':2}]}");
    check_field(&c, "failed.0.code", "'E_GUARD'");
    check_field(&c, "failed.0.matches", "2");
    check_field(&c, "domOperations.0.matches", "2");
    check_field(&c, "domOperations.1.matches", "2");
    check_file(&c.s, "g.html", EM_LIT("<p class=\"k\">1</p><p class=\"k\">2</p>"));
}

static void what_is_no_operation_is_refused_as_a_whole(void **state)
{
    (void)state;
    static const struct {
        const char *operation, *part;
    } cases[] = {
        {"{'selector':'h1','action':'setTxt','value':'x'}", "setText"},
        {"{'selector':'h1'}", "action"},
        {"{'selector':'h1','action':'remove','position':'before'}", "beforebegin"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        char args[256];
        open_page(&c);
        snprintf(args, sizeof args, "{'file':'p.html','operations':[%s]}", cases[i].operation);
        call(&c, "editDOM", args);
        check_field(&c, "success", "false");
        check_field(&c, "code", "'INVALID_ARGUMENT'");
        check_has(&c, cases[i].part);
        check_page(&c, "", "");
    }
}

static void what_an_action_lacks_fails_it_alone(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    open_page(&c);
    call(&c, "editDOM",
         "{'file':'p.html','operations':[{'selector':'h1','action':'setAttribute','value':'x'},"
         "{'selector':'h1','action':'setText','value':''}]}");
    check_field(&c, "success", "'partial'");
    check_field(&c, "failed.0.code", "'E_ARGUMENT'");
    check_field(&c, "failed.0.matches", "1");
    check_page(&c, "Old &amp; Title", "");
    call(&c, "editDOM",
         "{'file':'p.html','operations':[{'selector':'p','action':'setText'},"
         "{'selector':'h1::','action':'setText'},{'selector':'q','action':'setText'}]}");
    check_field(&c, "failed.0.matches", "2");
    check_field(&c, "failed.1.matches", "0");
    check_field(&c, "failed.2.matches", "0");
}

static void other_encodings_and_dry_runs(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    em_slice wide = EM_LIT("\xFF\xFE<\0b\0>\0a\0<\0/\0b\0>\0");
    scratch_write(&c.s, "w.html", wide);
    call(&c, "editDOM",
         "{'file':'w.html','operations':[{'selector':'b','action':'setText','value':'z'}],"
         "'dryRun':true}");
    check_field(&c, "dryRun", "true");
    check_file(&c.s, "w.html", wide);
    call(&c, "editDOM",
         "{'file':'w.html','operations':[{'selector':'b','action':'setText','value':'z'}]}");
    check_file(&c.s, "w.html", EM_LIT("\xFF\xFE<\0b\0>\0z\0<\0/\0b\0>\0"));
}

/* What the page's encoding does not have is the fault of the operation that would write it. */
static void what_the_encoding_lacks_fails_alone(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "l.html", EM_LIT("<p>caf\xE9</p><b>x</b>"));
    call(
        &c, "editDOM",
        "{'file':'l.html','operations':[{'selector':'p','action':'setText','value':'\xE2\x82\xAC'},"
        "{'selector':'p','action':'removeClass','value':'k'},"
        "{'selector':'b','action':'addClass','value':'\xC3\xA9'},"
        "{'selector':'b','action':'setText','value':'y'}]}");
    check_field(&c, "success", "'partial'");
    check_field(&c, "cause", "'encoding'");
    check_field(&c, "appliedCount", "2");
    check_field(&c, "failed.0.index", "0");
    check_field(&c, "failed.0.code", "'E_ENCODING'");
    check_field(&c, "failed.0.matches", "1");
    check_field(&c, "failed.1.index", "2");
    check_has(&c, "with setHTML");
    check_file(&c.s, "l.html", EM_LIT("<p>caf\xE9</p><b>y</b>"));
    call(&c, "editDOM",
         "{'file':'l.html','encoding':'iso-8859-1','operations':[{'selector':'b',"
         "'action':'replaceClass','oldClass':'a','newClass':'\xE2\x82\xAC'},"
         "{'selector':'b','action':'setAttribute','attr':'id','value':'\xC3\xA9'},"
         "{'selector':'p','action':'setHTML','value':'&#8364;'}]}");
    check_field(&c, "failed.0.code", "'E_ENCODING'");
    check_has(&c, "does not exist in iso-8859-1");
    check_file(&c.s, "l.html", EM_LIT("<p>&#8364;</p><b id=\"\xE9\">y</b>"));
}

/* Bytes of the page that stay beside what is written need no encoding. */
static void what_stays_in_an_unknown_encoding_stays_as_it_is(void **state)
{
    (void)state;
    static const struct {
        const char *page, *op, *result;
    } cases[] = {
        {"<p class=\"\xE9 k\">", "'action':'removeClass','value':'k'", "<p class=\"\xE9\">"},
        {"<p class='k \xE9'>", "'action':'addClass','value':'z'", "<p class='k \xE9 z'>"},
        {"<p class='\xE9 k \xE8 l'>", "'action':'removeClass','value':'l k'",
         "<p class='\xE9 \xE8'>"},
        {"<p class='\xE9 k'>", "'action':'replaceClass','oldClass':'k','newClass':'z y'",
         "<p class='\xE9 z y'>"},
        {"<p class=\xE9&#8364;>", "'action':'addClass','value':'z'", "<p class=\"\xE9&#8364; z\">"},
        {"<p a=1 \xE9=2 a=3>", "'action':'removeAttribute','attr':'a'", "<p \xE9=2>"},
        {"<p title='\xE9 a'>", "'action':'setAttribute','attr':'title','value':'a'",
         "<p title='a'>"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(caller) c;
        char page_before[80], page_after[80], arguments[300];
        caller_open(&c, TOOLS);
        snprintf(page_before, sizeof page_before, "%sx</p><b>y</b>", cases[i].page);
        snprintf(page_after, sizeof page_after, "%sx</p><b>z</b>", cases[i].result);
        snprintf(arguments, sizeof arguments,
                 "{'file':'l.html','operations':[{'selector':'p',%s},"
                 "{'selector':'b','action':'setText','value':'z'}]}",
                 cases[i].op);
        scratch_write(&c.s, "l.html", em_slice_of(page_before));
        call(&c, "editDOM", arguments);
        check_field(&c, "success", "true");
        check_file(&c.s, "l.html", em_slice_of(page_after));
    }
}

/* A byte of the page may be any character, also the one that is looked for. */
static void what_is_looked_for_in_an_unknown_encoding_fails_alone(void **state)
{
    (void)state;
    static const char *const ops[] = {
        "'selector':'.\xC3\xA9','action':'setText','value':'y'",
        "'selector':':not(.\xC3\xA9)','action':'addClass','value':'y'",
        "'selector':'p','action':'removeClass','value':'\xC3\xA9'",
        "'selector':'p','action':'removeAttribute','attr':'\xC3\xA9'",
        "'selector':'p','action':'replaceClass','oldClass':'\xC3\xA9','newClass':'y'",
    };
    for (size_t i = 0; i < sizeof ops / sizeof *ops; i++) {
        EM_AUTO(caller) c;
        char arguments[300];
        caller_open(&c, TOOLS);
        scratch_write(&c.s, "l.html", EM_LIT("<meta charset=latin1><p class='\xE9'>x</p><b></b>"));
        snprintf(arguments, sizeof arguments,
                 "{'file':'l.html','operations':[{%s},"
                 "{'selector':'b','action':'setText','value':'z'}]}",
                 ops[i]);
        call(&c, "editDOM", arguments);
        check_field(&c, "success", "'partial'");
        check_field(&c, "failed.0.code", "'E_ENCODING'");
        check_has(&c, "send `encoding`: \\\"latin1\\\"");
        check_file(&c.s, "l.html", EM_LIT("<meta charset=latin1><p class='\xE9'>x</p><b>z</b>"));
    }
}

/* The name of an end tag is the page's too, but it would be written where none stands. */
static void an_end_tag_in_an_unknown_encoding_fails_alone(void **state)
{
    (void)state;
    static const char ops[] =
        "{'file':'l.html',%s'operations':[{'selector':'div',"
        "'action':'insertAdjacentHTML','position':'beforeend','value':'<i>k</i>'},"
        "{'selector':'b','action':'setText','value':'z'}]}";
    EM_AUTO(caller) c;
    char arguments[sizeof ops + 40];
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "l.html", EM_LIT("<b></b><div><x-\xE9>a</div>"));
    snprintf(arguments, sizeof arguments, ops, "");
    call(&c, "editDOM", arguments);
    check_field(&c, "success", "'partial'");
    check_field(&c, "failed.0.code", "'E_ENCODING'");
    check_file(&c.s, "l.html", EM_LIT("<b>z</b><div><x-\xE9>a</div>"));
    snprintf(arguments, sizeof arguments, ops, "'encoding':'latin1',");
    call(&c, "editDOM", arguments);
    check_file(&c.s, "l.html", EM_LIT("<b>z</b><div><x-\xE9>a</x-\xE9><i>k</i></div>"));
}

/* What is shown of a page that was not written says so. */
static void a_page_that_is_not_there_is_told_as_such(void **state)
{
    (void)state;
    static const char call_text[] =
        "{'file':'p.html','operations':[{'selector':'a','action':'setText','value':'z'},"
        "{'selector':'b','action':'remove'}]%s}";
    static const struct {
        const char *how;
        bool is_to_be;
    } cases[] = {{"", false}, {",'atomic':true", true}, {",'dryRun':true", true}};
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        char arguments[300];
        caller_open(&c, TOOLS);
        scratch_write(&c.s, "p.html", EM_LIT("<a>1</a>"));
        snprintf(arguments, sizeof arguments, call_text, cases[i].how);
        call(&c, "editDOM", arguments);
        check_has(&c, cases[i].is_to_be
                          ? "The page has, after the operations before it: a (line 1: z)."
                          : "The page has: a (line 1: z).");
    }
}

/* Nor is it there if operations behind have changed it further. */
static void a_page_that_was_changed_further_is_told_as_such(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "p.html", EM_LIT("<a>1</a>"));
    call(&c, "editDOM",
         "{'file':'p.html','operations':[{'selector':'a','action':'setText','value':'z'},"
         "{'selector':'b','action':'remove'},{'selector':'a','action':'remove'}]}");
    check_has(&c, "The page has, after the operations before it: a (line 1: z).");
    check_file(&c.s, "p.html", EM_LIT(""));
}

/* A page that cannot be edited as HTML is no operation's fault. */
static void a_page_that_is_none_is_refused(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    EM_AUTO(em_strbuf) deep = {0};
    caller_open(&c, TOOLS);
    for (size_t i = 0; i < 2000; i++)
        em_strbuf_puts(&deep, "<div>");
    scratch_write(&c.s, "deep.html", em_slice_make(deep.ptr, deep.len));
    for (int i = 0; i < 3; i++) { /* however often: that is no reason to write it anew */
        call(&c, "editDOM",
             "{'file':'deep.html','operations':[{'selector':'b','action':'remove'}]}");
        check_field(&c, "success", "false");
        assert_null(field(&c, "failed"));
        assert_null(field(&c, "failedIndex"));
        check_field(&c, "cause", "'page'");
        check_field(&c, "error",
                    "'The elements of deep.html cannot be edited: line 1: more than 1000 elements "
                    "stand in each other\\nEdit its text instead, with editFile'");
    }
}

/* Each operation puts an element into that of the one before it; the one that would make the page
 * one that is refused is at fault. */
static void elements_that_come_too_deep_are_refused(void **state)
{
    enum { DEEP = 990, COUNT = 30 };
    (void)state;
    EM_AUTO(caller) c;
    EM_AUTO(em_strbuf) deep = {0};
    EM_AUTO(em_strbuf) args = {0};
    caller_open(&c, TOOLS);
    for (size_t i = 0; i < DEEP; i++)
        em_strbuf_printf(&deep, "<div id=d%zu>", i);
    for (size_t i = 0; i < DEEP; i++)
        em_strbuf_puts(&deep, "</div>");
    scratch_write(&c.s, "p.html", em_strbuf_slice(&deep));
    em_strbuf_puts(&args, "{'file':'p.html','operations':[");
    for (size_t i = DEEP; i < DEEP + COUNT; i++)
        em_strbuf_printf(&args,
                         "%s{'selector':'#d%zu','action':'insertAdjacentHTML',"
                         "'position':'beforeend','value':'<div id=d%zu></div>'}",
                         i > DEEP ? "," : "", i - 1, i);
    em_strbuf_puts(&args, "]}");
    em_strbuf_putc(&args, '\0');
    call(&c, "editDOM", args.ptr);
    check_field(&c, "success", "'partial'");
    check_field(&c, "appliedCount", "10");
    check_field(&c, "failedIndex", "10");
    check_has(&c, "DOM operation 11/30 failed in \\\"p.html\\\": the page would not read as meant");
    check_has(&c, "more than 1000 elements stand in each other; choose another place");
    check_field(&c, "failed.1.code", "'E_NO_MATCH'"); /* whose place never came */
}

/* ---- editFiles ----------------------------------------------------------------------------- */

static void text_comes_after_elements(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    open_page(&c);
    call(&c, "editFiles",
         "{'edits':[{'file':'p.html','domOperations':[{'selector':'h1','action':'setText',"
         "'value':'New'}],'replaceOperations':[{'search':'New</h1>','replace':'Newer</h1>'},"
         "{'search':'two','replace':'2'}]}]}");
    check_field(&c, "success", "true");
    check_field(&c, "results.0.matchTiers", "['exact','exact']");
    check_field(&c, "results.0.domOperations.0.status", "'applied'");
    check_file(&c.s, "p.html",
               EM_LIT("<!DOCTYPE html>\n<html>\n<body>\n  <h1 id=title>Newer</h1>\n"
                      "  <p class=\"a x:y\">one</p>\n  <p>2</p>\n</body>\n</html>\n"));
}

static void a_file_is_changed_by_all_or_by_none(void **state)
{
    (void)state;
    static const struct {
        const char *operations, *has;
    } cases[] = {
        {"'domOperations':[{'selector':'h1','action':'setText','value':'New'},"
         "{'selector':'h7','action':'remove'}]",
         "DOM operation 2/2 failed"},
        {"'domOperations':[{'selector':'h1','action':'setText','value':'New'}],"
         "'replaceOperations':[{'search':'Old','replace':'x'}]",
         "Edit operation 1/1 failed"},
        {"'domOperations':[{'selector':'h7','action':'remove'}],"
         "'replaceOperations':[{'search':'Old','replace':'<!-- ... existing heading ... -->'}]",
         "replace leaves out text"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        char args[512];
        open_page(&c);
        scratch_write(&c.s, "b.html", EM_LIT("<h1>b</h1>\n"));
        snprintf(args, sizeof args,
                 "{'edits':[{'file':'p.html',%s},{'file':'b.html','domOperations':[{'selector':"
                 "'h1','action':'setText','value':'B'}]}]}",
                 cases[i].operations);
        call(&c, "editFiles", args);
        check_field(&c, "success", "'partial'");
        check_field(&c, "results.0.success", "false");
        check_has(&c, cases[i].has);
        check_page(&c, "", "");
        check_file(&c.s, "b.html", EM_LIT("<h1>B</h1>\n"));
    }
}

static void all_files_or_none(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    open_page(&c);
    scratch_write(&c.s, "b.html", EM_LIT("<h1>b</h1>\n"));
    call(&c, "editFiles",
         "{'edits':[{'file':'b.html','domOperations':[{'selector':'h1','action':'setText','value':"
         "'B'}]},{'file':'p.html','domOperations':[{'selector':'h7','action':'remove'}]}],"
         "'atomic':true}");
    check_field(&c, "success", "false");
    check_field(&c, "results.1.failed.0.code", "'E_NO_MATCH'");
    check_file(&c.s, "b.html", EM_LIT("<h1>b</h1>\n"));
}

/* Send operations that were meant for another version of the page. */
static void merge_page(caller *c, const char *read, const char *now, const char *operations)
{
    scratch_write(&c->s, "p.html", em_slice_of(read));
    call(c, "readFile", "{'file':'p.html'}");
    char *hash = strdup(json_string_value(field(c, "hash")));
    scratch_write(&c->s, "p.html", em_slice_of(now));
    const char *arguments =
        em_arena_format(&c->s.arena,
                        "{'file':'p.html','expected_hash':'%s','on_conflict':'merge',"
                        "'operations':[%s]}",
                        hash, operations);
    call(c, "editDOM", arguments);
    free(hash);
}

/* Somebody changed another line of the page since it was read. */
static void an_operation_is_carried_over(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    open_page(&c);
    call(&c, "readFile", "{'file':'p.html'}");
    char *hash = strdup(json_string_value(field(&c, "hash")));
    scratch_write(&c.s, "p.html",
                  EM_LIT("<!DOCTYPE html>\n<html>\n<body>\n  <hr>\n"
                         "  <h1 id=title>Old &amp; Title</h1>\n"
                         "  <p class=\"a x:y\">one</p>\n  <p>two</p>\n</body>\n"
                         "</html>\n"));
    call_with(&c, "editDOM",
              json_pack("{s:s,s:s,s:s,s:[{s:s,s:s,s:s}]}", "file", "p.html", "expected_hash", hash,
                        "on_conflict", "merge", "operations", "selector", "p.a", "action",
                        "setText", "value", "1"));
    free(hash);
    check_field(&c, "success", "true");
    check_file(&c.s, "p.html",
               EM_LIT("<!DOCTYPE html>\n<html>\n<body>\n  <hr>\n"
                      "  <h1 id=title>Old &amp; Title</h1>\n"
                      "  <p class=\"a x:y\">1</p>\n  <p>two</p>\n</body>\n"
                      "</html>\n"));
    check_field(&c, "domOperations",
                "[{'status':'applied','matches':1,'changes':[{'line':6,'start':92,'end':95,"
                "'newStart':92,'newEnd':93}]}]");
}

/* It fails in the version that was read, and the others are carried over. */
static void one_that_fails_is_left_out_there_too(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "p.html", EM_LIT("<p class=a>one</p>\n<p>two</p>\n"));
    call(&c, "readFile", "{'file':'p.html'}");
    char *hash = strdup(json_string_value(field(&c, "hash")));
    scratch_write(&c.s, "p.html", EM_LIT("<p class=a>one</p>\n<p>two</p>\n<p>three</p>\n"));
    call_with(&c, "editDOM",
              json_pack("{s:s,s:s,s:s,s:[{s:s,s:s},{s:s,s:s,s:s}]}", "file", "p.html",
                        "expected_hash", hash, "on_conflict", "merge", "operations", "selector",
                        "q", "action", "remove", "selector", "p.a", "action", "setText", "value",
                        "1"));
    free(hash);
    check_field(&c, "success", "'partial'");
    check_field(&c, "failedIndex", "0");
    check_field(&c, "appliedCount", "1");
    check_has(&c, "no element matches");
    check_has(&c, "carried over");
    check_file(&c.s, "p.html", EM_LIT("<p class=a>1</p>\n<p>two</p>\n<p>three</p>\n"));
}

/* Why it fails, and what to send instead, is told of the page as it is, where it will be sent. */
static void what_failed_is_told_of_the_page_as_it_is(void **state)
{
    static const char was[] = "<h1 id=title>x</h1>\n<p class=a>one</p>\n";
    static const char is[] = "<nav>n</nav>\n<h1 id=headline>x</h1>\n<p class=a>one</p>\n";
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    merge_page(&c, was, is,
               "{'selector':'p.a','action':'setText','value':'1'},"
               "{'selector':'#haedline','action':'setText','value':'y'}");
    check_field(&c, "success", "'partial'");
    check_field(&c, "failed.0.index", "1");
    check_field(&c, "failed.0.suggestion", "'#headline'");
    check_field(&c, "failed.0.similar.0.line", "2");
    check_field(&c, "retry.operations",
                "[{'selector':'#headline','action':'setText','value':'y'}]");
    call_with(&c, "editDOM", json_incref(field(&c, "retry")));
    check_field(&c, "success", "true");
    check_file(&c.s, "p.html", EM_LIT("<nav>n</nav>\n<h1 id=headline>y</h1>\n<p class=a>1</p>\n"));

    merge_page(&c, was, is,
               "{'selector':'p.a','action':'setText','value':'1'},"
               "{'selector':'#titel','action':'setText','value':'y'}");
    check_field(&c, "failedIndex", "1");
    check_lacks(&c, "#title\\\""); /* which is not there any more */
    assert_null(field(&c, "retry"));

    merge_page(&c, was, is,
               "{'selector':'p.a','action':'setText','value':'1'},"
               "{'selector':'nav','action':'setText','value':'y'},"
               "{'selector':'#haedline','action':'setText','value':'y'}");
    check_field(&c, "success", "'partial'");
    check_field(
        &c, "failed.0.error",
        "'it cannot be made in the version that was read, but it could be in the file as it "
        "is now: send it with the hash of this answer, if that is meant.'");
    check_field(&c, "failed.0.code", "'E_NO_MATCH'");
    check_field(&c, "failed.0.matches", "1");
    check_field(&c, "failed.1.suggestion", "'#headline'");
    assert_null(field(&c, "retry")); /* is the first one meant? */
    check_file(&c.s, "p.html", EM_LIT("<nav>n</nav>\n<h1 id=headline>x</h1>\n<p class=a>1</p>\n"));
}

/* An operation that fails on what was read is none of the replacements: there may be none at all,
 * or fewer. */
static void one_that_fails_alone_is_no_replacement(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    open_page(&c);
    call(&c, "readFile", "{'file':'p.html'}");
    char *hash = strdup(json_string_value(field(&c, "hash")));
    scratch_write(&c.s, "p.html", EM_LIT("<p class=a>one</p>\n"));
    call_with(&c, "editDOM",
              json_pack("{s:s,s:s,s:s,s:[{s:s,s:s},{s:s,s:s}]}", "file", "p.html", "expected_hash",
                        hash, "on_conflict", "merge", "operations", "selector", "r", "action",
                        "remove", "selector", "q", "action", "remove"));
    check_field(&c, "code", "'CONFLICT'");
    check_has(&c,
              "the edit cannot be made: DOM operation 1/2: no element matches \\\"r\\\"; nor can "
              "it in the file as it is now: DOM operation 1/2: no element matches \\\"r\\\"");
    assert_null(field(&c, "failedIndex"));
    call_with(&c, "editFiles",
              json_pack("{s:[{s:s,s:s,s:s,s:[{s:s,s:s},{s:s,s:s}],s:[{s:s,s:s}]}]}", "edits",
                        "file", "p.html", "expected_hash", hash, "on_conflict", "merge",
                        "domOperations", "selector", "p.a", "action", "remove", "selector", "q",
                        "action", "remove", "replaceOperations", "search", "one", "replace", "1"));
    free(hash);
    check_has(&c,
              "the edit cannot be made: DOM operation 2/2: no element matches \\\"q\\\"; nor can "
              "it in the file as it is now: DOM operation 2/2: no element matches \\\"q\\\"");
    assert_null(field(&c, "results.0.failedIndex"));
    check_file(&c.s, "p.html", EM_LIT("<p class=a>one</p>\n"));
}

/* Others have written an element that the selector matches too. */
static void a_selector_must_still_mean_one(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "p.html", EM_LIT("<p>one</p>\n<b>two</b>\n"));
    call(&c, "readFile", "{'file':'p.html'}");
    char *hash = strdup(json_string_value(field(&c, "hash")));
    scratch_write(&c.s, "p.html", EM_LIT("<p>one</p>\n<b>two</b>\n<p>three</p>\n"));
    call_with(&c, "editDOM",
              json_pack("{s:s,s:s,s:s,s:[{s:s,s:s,s:s}]}", "file", "p.html", "expected_hash", hash,
                        "on_conflict", "merge", "operations", "selector", "p", "action", "setText",
                        "value", "1"));
    check_field(&c, "code", "'CONFLICT'");
    check_has(&c, "DOM operation 1/1: its selector matches 2 elements now");
    check_file(&c.s, "p.html", EM_LIT("<p>one</p>\n<b>two</b>\n<p>three</p>\n"));
    call_with(&c, "editDOM",
              json_pack("{s:s,s:s,s:s,s:[{s:s,s:s,s:s}]}", "file", "p.html", "expected_hash", hash,
                        "on_conflict", "merge", "operations", "selector", "p", "action", "addClass",
                        "value", "x"));
    free(hash);
    check_field(&c, "success", "true");
    check_field(&c, "domOperations.0.matches", "2");
    check_has(
        &c, "DOM operation 1/1: of the 2 elements that its selector matches, 1 came after the "
            "version that was read, and was left as it is. If it is meant too, change it with the "
            "hash of this answer");
    check_file(&c.s, "p.html", EM_LIT("<p class=\"x\">one</p>\n<b>two</b>\n<p>three</p>\n"));
}

/* ---- How much is told ----------------------------------------------------------------------- */

static char *repeated(const char *begin, const char *piece, size_t times, const char *end)
{
    char *text = malloc(strlen(begin) + strlen(piece) * times + strlen(end) + 1);
    assert_non_null(text);
    strcpy(text, begin);
    char *at = text + strlen(begin);
    for (size_t i = 0; i < times; i++, at += strlen(piece))
        memcpy(at, piece, strlen(piece));
    strcpy(at, end);
    return text;
}

/* The same operation, so often. */
static void send_often(caller *c, const char *selector, size_t times)
{
    json_t *operations = json_array();
    for (size_t i = 0; i < times; i++)
        json_array_append_new(operations, json_pack("{s:s,s:s,s:s}", "selector", selector, "action",
                                                    "setText", "value", "x"));
    call_with(c, "editDOM", json_pack("{s:s,s:o}", "file", "p.html", "operations", operations));
    assert_true(c->answer.is_error);
}

/* How many bytes of runs of this letter are in the answer. */
static size_t count_letters(const caller *c, const char *run)
{
    size_t count = 0;
    for (const char *at = c->answer.text; (at = strstr(at, run)); at += strlen(run))
        count += strlen(run);
    return count;
}

/* A selector that is cut is another one. */
static void check_ids_are_whole(const caller *c, size_t length)
{
    for (const char *at = c->answer.text; (at = strstr(at, "#i")); at++)
        assert_int_equal(strspn(at + 1, "i"), length);
}

static void the_parts_of_a_long_selector_are_bounded(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "p.html", EM_LIT("<p id=a>x</p>\n"));
    char *selector = repeated("p", "#a", 400, ".z");
    send_often(&c, selector, 1);
    check_field(&c, "echo_truncated", "true");
    check_field(&c, "failed.0.failedPart", "'.z'");
    check_field(&c, "failed.0.parts.1", "{'selector':'p#a','count':1}");
    check_has(&c, "Matched by its parts: p (1), p#a (1), p#a#a (1)");
    check_has(&c, " (1), ...\\n");
    assert_true(strlen(c.answer.text) < EM_ECHO_LIMIT + 4000);
    send_often(&c, selector, 20);
    assert_true(strlen(c.answer.text) < EM_ECHO_LIMIT + 20 * 1000);
    free(selector);
}

static void what_hints_show_of_the_page_is_bounded(void **state)
{
    enum { ELEMENTS = 50 };
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    static const size_t lengths[] = {100, 6000};
    for (size_t i = 0; i < 2; i++) {
        EM_AUTO(em_strbuf) elements = {0};
        for (size_t k = 0; k < ELEMENTS; k++) {
            char *id = repeated("", "iiiiiiiiii", lengths[i] / 10, "");
            em_strbuf_printf(&elements, "<p id=%s%zu>t</p>\n", id, k);
            free(id);
        }
        scratch_write(&c.s, "p.html", em_strbuf_slice(&elements));
        for (size_t often = 1; often <= ELEMENTS; often += ELEMENTS - 1) {
            send_often(&c, "p", often); /* candidates */
            check_field(&c, "failed.0.candidates.4.line", "5");
            assert_true(count_letters(&c, "iiiiiiiiii") <= EM_SHOWN_LIMIT);
            check_ids_are_whole(&c, lengths[i]);
            assert_int_equal(field(&c, "failed.0.candidates.4.selector") != NULL, i == 0);
            assert_true(strlen(c.answer.text) < EM_SHOWN_LIMIT + 1000 * (often + 1));
            send_often(&c, "p.card", often); /* similar ones */
            assert_true(count_letters(&c, "iiiiiiiiii") <= EM_SHOWN_LIMIT);
            assert_true(strlen(c.answer.text) < EM_SHOWN_LIMIT + 1000 * (often + 1));
        }
    }
}

static void what_is_sent_is_not_repeated_whole(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "p.html", EM_LIT("<p class=k>x</p>\n"));
    char *word = repeated("", "c", 50000, ""), *wrong = repeated("p", ".c", 4500, "::before");
    call_with(&c, "editDOM",
              json_pack("{s:s,s:[{s:s,s:s,s:s,s:s}]}", "file", "p.html", "operations", "selector",
                        "p", "action", "replaceClass", "oldClass", word, "newClass", "d"));
    check_field(&c, "failed.0.code", "'E_NO_CLASS'");
    assert_true(strlen(c.answer.text) < 2000);
    send_often(&c, wrong, 1);
    check_field(&c, "failed.0.code", "'E_SELECTOR'");
    check_field(&c, "echo_truncated", "true");
    assert_null(field(&c, "failed.0.suggestion"));
    assert_true(strlen(c.answer.text) < 3000);
    call_with(&c, "editFiles",
              json_pack("{s:[{s:s,s:[{s:s,s:s}]}]}", "edits", "file", word, "domOperations",
                        "selector", "p", "action", "remove"));
    check_field(&c, "echo_truncated", "true");
    check_field(&c, "results.0.echo_truncated", "true");
    call_with(&c, "readFile", json_pack("{s:s}", "file", word));
    check_field(&c, "echo_truncated", "true");
    assert_true(strlen(c.answer.text) < 2 * EM_ECHO_LIMIT + 1000);
    free(word);
    free(wrong);
}

/* ---- A page that has changed ----------------------------------------------------------------- */

/* The lines of the element are as they were, but it is none any more, or not where it was. */
static void what_is_carried_over_is_checked_on_the_page_as_it_is(void **state)
{
    static const struct {
        const char *read, *now, *operation, *words;
    } cases[] = {
        {"<p id=a>x</p>\n<p>y</p>\n", "<!-- off\n<p id=a>x</p>\n-->\n<p>y</p>\n",
         "{'selector':'#a','action':'setHTML','value':'<!-- n -->Q'}", "no element matches"},
        {"<p id=a>x</p>\n<p>y</p>\n", "<script>\nvar t=`\n<p id=a>x</p>\n`</script>\n<p>y</p>\n",
         "{'selector':'#a','action':'insertAdjacentHTML','position':'afterend',"
         "'value':'<script>k()</script>'}",
         "no element matches"},
        {"<section>\n<b id=a>x</b>\n</section>\n", "<p>\n<b id=a>x</b>\n</p>\n",
         "{'selector':'#a','action':'insertAdjacentHTML','position':'afterend',"
         "'value':'<div>n</div>'}",
         "the page would not read as meant"},
        {"<div>\n<b id=a>x</b>\n</div>\n", "<button>\n<b id=a>x</b>\n</button>\n",
         "{'selector':'#a','action':'setHTML','value':'<button>n</button>'}",
         "the page would not read as meant"},
        {"<div class=w>\n<p>x</p>\n</div>\n", "<div class=v>\n<p>x</p>\n</div>\n",
         "{'selector':'.w > p','action':'setText','value':'z'}", "no element matches"},
        {"<div>\n<p>x</p>\n</div>\n", "<div>\n<p>x</p>\n<p>y</p>\n</div>\n",
         "{'selector':'div > :last-child','action':'setText','value':'z'}",
         "what its selector matches now is not what it matched"},
        {"<p>x</p>\n<p>y</p>\n", "<p>x</p>\n<!--\n<p>y</p>\n-->\n",
         "{'selector':'p','action':'setAttribute','attr':'k','value':'v','expected':2}",
         "matches 1"},
        /* it was as asked for, and is not any more */
        {"<p class=k>x</p>\n<b></b>\n", "<p>x</p>\n<b></b>\n",
         "{'selector':'p','action':'addClass','value':'k'}",
         "what its selector matches now is not what it matched"},
        {"<p class=k>x</p>\n<p>y</p>\n", "<p>x</p>\n<p>y</p>\n",
         "{'selector':'p','action':'addClass','value':'k'}",
         "what its selector matches now is not what it matched"},
    };
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        merge_page(&c, cases[i].read, cases[i].now, cases[i].operation);
        check_field(&c, "code", "'CONFLICT'");
        check_has(&c, cases[i].words);
        check_file(&c.s, "p.html", em_slice_of(cases[i].now));
    }
    merge_page(&c, cases[0].read, cases[0].now, cases[0].operation);
    check_has(&c, ">>><p id=a>x</p>\\n<p>y</p><<<");
    check_has(&c, "at line 1 (between >>> and <<<):\\n>>><!-- off\\n<p id=a>x</p>\\n--><<<");
}

/* What has come is not written, and what is told is of the page as it is. */
static void elements_that_have_come_are_left_alone(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    merge_page(&c, "<p>x</p>\n<b></b>\n<p class=k>y</p>\n",
               "<p>new</p>\n<b></b>\n<p>x</p>\n<b></b>\n<p class=k>y</p>\n",
               "{'selector':'p','action':'addClass','value':'k'}");
    check_field(&c, "success", "true");
    check_field(&c, "domOperations.0.matches", "3");
    check_file(&c.s, "p.html",
               EM_LIT("<p>new</p>\n<b></b>\n<p class=\"k\">x</p>\n<b></b>\n<p class=k>y</p>\n"));
    /* an end tag that is left out has to be written in both versions */
    merge_page(&c, "<div>\n<p id=a>x\n<i>y</i></div>\n",
               "<b></b>\n<div>\n<p id=a>x\n<i>y</i></div>\n",
               "{'selector':'#a','action':'insertAdjacentHTML','position':'afterend',"
               "'value':'text'}");
    check_field(&c, "success", "true");
    check_file(&c.s, "p.html", EM_LIT("<b></b>\n<div>\n<p id=a>x\n<i>y</i></p>text</div>\n"));
}

/* It was a page when it was read. */
static void what_is_no_page_any_more_is_not_written(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    EM_AUTO(em_strbuf) deep = {0};
    em_strbuf_puts(&deep, "<p id=a>x</p>\n<p>y</p>\n");
    for (size_t i = 0; i < 1100; i++)
        em_strbuf_puts(&deep, "<div>");
    em_strbuf_putc(&deep, '\0');
    merge_page(&c, "<p id=a>x</p>\n<p>y</p>\n", deep.ptr,
               "{'selector':'#a','action':'setText','value':'z'}");
    check_field(&c, "success", "false");
    check_file(&c.s, "p.html", em_slice_of(deep.ptr));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_element_is_changed_and_told),
        cmocka_unit_test(offsets_are_those_of_the_content),
        cmocka_unit_test(what_is_as_asked_for_writes_nothing),
        cmocka_unit_test(what_fails_is_left_out_and_the_rest_is_kept),
        cmocka_unit_test(an_answer_to_thousands_is_bounded),
        cmocka_unit_test(with_atomic_nothing_is_kept),
        cmocka_unit_test(all_and_expected_say_how_many),
        cmocka_unit_test(other_words_are_understood),
        cmocka_unit_test(a_wrong_selector_is_mended_by_the_retry),
        cmocka_unit_test(a_slip_in_a_name_is_mended_by_the_retry),
        cmocka_unit_test(what_cannot_pass_is_no_retry),
        cmocka_unit_test(a_slip_in_a_class_is_mended_by_the_retry),
        cmocka_unit_test(a_selector_that_matches_otherwise_is_no_retry),
        cmocka_unit_test(a_retry_is_for_the_page_as_it_is_left),
        cmocka_unit_test(a_retry_means_no_other_element),
        cmocka_unit_test(a_retry_keeps_what_builds_on_a_corrected_one),
        cmocka_unit_test(an_attribute_that_came_as_the_value_is_told),
        cmocka_unit_test(a_class_by_another_name_has_a_retry),
        cmocka_unit_test(a_retry_that_the_call_outran_is_not_named),
        cmocka_unit_test(what_is_for_another_action_is_refused),
        cmocka_unit_test(a_retry_that_would_fail_is_none),
        cmocka_unit_test(an_attribute_is_suggested_as_the_page_has_it),
        cmocka_unit_test(a_page_that_would_read_otherwise_tells_the_matches),
        cmocka_unit_test(what_is_no_operation_is_refused_as_a_whole),
        cmocka_unit_test(what_an_action_lacks_fails_it_alone),
        cmocka_unit_test(other_encodings_and_dry_runs),
        cmocka_unit_test(what_the_encoding_lacks_fails_alone),
        cmocka_unit_test(what_stays_in_an_unknown_encoding_stays_as_it_is),
        cmocka_unit_test(what_is_looked_for_in_an_unknown_encoding_fails_alone),
        cmocka_unit_test(an_end_tag_in_an_unknown_encoding_fails_alone),
        cmocka_unit_test(a_page_that_is_not_there_is_told_as_such),
        cmocka_unit_test(a_page_that_was_changed_further_is_told_as_such),
        cmocka_unit_test(a_page_that_is_none_is_refused),
        cmocka_unit_test(elements_that_come_too_deep_are_refused),
        cmocka_unit_test(text_comes_after_elements),
        cmocka_unit_test(a_file_is_changed_by_all_or_by_none),
        cmocka_unit_test(all_files_or_none),
        cmocka_unit_test(an_operation_is_carried_over),
        cmocka_unit_test(one_that_fails_is_left_out_there_too),
        cmocka_unit_test(what_failed_is_told_of_the_page_as_it_is),
        cmocka_unit_test(one_that_fails_alone_is_no_replacement),
        cmocka_unit_test(a_selector_must_still_mean_one),
        cmocka_unit_test(the_parts_of_a_long_selector_are_bounded),
        cmocka_unit_test(what_hints_show_of_the_page_is_bounded),
        cmocka_unit_test(what_is_sent_is_not_repeated_whole),
        cmocka_unit_test(what_is_carried_over_is_checked_on_the_page_as_it_is),
        cmocka_unit_test(elements_that_have_come_are_left_alone),
        cmocka_unit_test(what_is_no_page_any_more_is_not_written),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* dom_told_test.c: what is said of operations on elements that fail for the call, not the page. */
#include "calls.h"

#include "answers/reply.h"
#include "arguments/dom_args.h"

#define TOOLS "site"

typedef struct told_case {
    const char *page, *arguments, *told;
} told_case;

static void check_told(const told_case *cases, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        EM_AUTO(caller) c;
        caller_open(&c, TOOLS);
        scratch_write(&c.s, "p.html", em_slice_of(cases[i].page));
        call(&c, "editDOM",
             em_arena_format(&c.s.arena, "{'file':'p.html',%s}", cases[i].arguments));
        const char *error = json_string_value(field(&c, "error"));
        if (!error || !strstr(error, cases[i].told))
            fail_msg("\"%s\" is not in:\n%s", cases[i].told, error ? error : "");
        check_file(&c.s, "p.html", em_slice_of(cases[i].page));
    }
}

#define TOLD(cases) check_told((cases), COUNT_OF(cases))

/* U+20AC and U+1F600, as JSON has them. */
#define EURO "\xE2\x82\xAC"
#define SMILE "\xF0\x9F\x98\x80"

static void a_character_that_cannot_be_written_can_be_otherwise(void **state)
{
    (void)state;
    static const told_case cases[] = {
        {"<p>\xE9</p>", "'operations':[{'selector':'p','action':'setText','value':'" EURO "'}]",
         "Name the file's encoding, or write the character as HTML does, with setHTML: "
         "\"&#8364;\"."},
        {"<p>\xE9</p>",
         "'operations':[{'selector':'p','action':'insertAdjacentHTML','position':'beforeend',"
         "'value':'" EURO "'}]",
         "write the character as HTML does, in the value of insertAdjacentHTML: \"&#8364;\"."},
        {"<p>\xE9</p>",
         "'encoding':'latin1','operations':[{'selector':'p','action':'setHTML','value':'" SMILE
         "'}]",
         "The file keeps its encoding: write the character as HTML does, in the value of setHTML: "
         "\"&#128512;\"."},
        {"<p>\xE9</p>",
         "'operations':[{'selector':'p','action':'setAttribute','attr':'title','value':'" EURO
         "'}]",
         "or edit the tag as text with editFile, where the character can be written as "
         "\"&#8364;\"; setAttribute would write the '&' of that as \"&amp;\"."},
        {"<script>\xE9</script>",
         "'operations':[{'selector':'script','action':'setText','value':'" EURO "'}]",
         "write it as a string of JavaScript has it: \"\\u20AC\"."},
        {"<style>\xE9</style>",
         "'operations':[{'selector':'style','action':'setText','value':'" EURO "'}]",
         "write it as CSS does: \"\\20AC \"."},
        {"<script>\xE9</script>",
         "'operations':[{'selector':'script','action':'setHTML','value':'" SMILE "'}]",
         "\"\\u{1F600}\"."},
        {"<meta charset=windows-1252><p>\xE9</p>",
         "'operations':[{'selector':'p','action':'addClass','value':'" EURO "'}]",
         ": the file is not UTF-8; its <meta> names windows-1252, so send `encoding`: "
         "\"windows-1252\", which has the character."},
        {"<meta http-equiv=content-type content='text/html; charset=ISO-8859-1'><p>\xE9</p>",
         "'operations':[{'selector':'p','action':'setText','value':'" EURO "'}]",
         "its <meta> names ISO-8859-1, so send `encoding`: \"windows-1252\""},
        {"<meta charset=iso-8859-1><p>\xE9</p>",
         "'operations':[{'selector':'p','action':'setText','value':'\xC3\xA8'}]",
         "so send `encoding`: \"iso-8859-1\""},
        {"<meta charset=utf-8><p>\xE9</p>",
         "'operations':[{'selector':'p','action':'setText','value':'" EURO "'}]",
         "which encoding it has is not known"},
    };
    TOLD(cases);
}

/* The page names it: there is one reading, if all is done in that one, and nothing was kept. */
static void the_encoding_that_the_page_names_can_be_sent(void **state)
{
    (void)state;
    static const struct {
        const char *page, *operations, *encoding; /* NULL: no retry */
    } cases[] = {
        {"<meta charset=iso-8859-1><p>\xE9</p>",
         "{'selector':'p','action':'setText','value':'\xC3\xA8'}", "iso-8859-1"},
        {"<meta charset=iso-8859-1><p>\xE9</p>",
         "{'selector':'p','action':'setText','value':'" EURO "'}", "windows-1252"},
        {"<meta charset=iso-8859-1><p>\xE9</p>",
         "{'selector':'p','action':'setText','value':'\xC3\xA8'},"
         "{'selector':'meta','action':'setAttribute','attr':'id','value':'" EURO "'}",
         "windows-1252"},
        {"<meta charset=iso-8859-1><p>\xE9</p>",
         "{'selector':'p','action':'setText','value':'\xC3\xA8'},"
         "{'selector':'.no','action':'remove'}",
         NULL},
        {"<meta charset=iso-8859-1><p>\xE9</p>",
         "{'selector':'p','action':'setText','value':'" SMILE "'}", NULL},
        {"<meta charset=utf-8><p>\xE9</p>",
         "{'selector':'p','action':'setText','value':'" EURO "'}", NULL},
        {"<p>\xE9</p>", "{'selector':'p','action':'setText','value':'" EURO "'}", NULL},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        caller_open(&c, TOOLS);
        scratch_write(&c.s, "p.html", em_slice_of(cases[i].page));
        const char *form = "{'file':'p.html','operations':[%s]}";
        call(&c, "editDOM", em_arena_format(&c.s.arena, form, cases[i].operations));
        if (!cases[i].encoding) {
            assert_null(field(&c, "retry"));
            check_lacks(&c, "answer's retry");
            continue;
        }
        check_has(&c, em_arena_format(&c.s.arena, "retry is the call with `encoding`: \\\"%s\\\".",
                                      cases[i].encoding));
        check_field(&c, "retry.encoding", em_arena_format(&c.s.arena, "'%s'", cases[i].encoding));
        call_with(&c, "editDOM", json_incref(field(&c, "retry")));
        check_field(&c, "success", "true");
    }
}

/* Libraries have a word of their own for each place where something is inserted. */
static void words_of_libraries_for_an_action_are_understood(void **state)
{
    (void)state;
    static const struct {
        const char *action, *after;
    } cases[] = {
        {"append", "<p>a<b>x</b></p>\n"},       {"prepend", "<p><b>x</b>a</p>\n"},
        {"insertBefore", "<b>x</b><p>a</p>\n"}, {"after", "<p>a</p><b>x</b>\n"},
        {"innerHTML", "<p><b>x</b></p>\n"},     {"appendHTML", "<p>a<b>x</b></p>\n"},
        {"prependHTML", "<p><b>x</b>a</p>\n"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(caller) c;
        caller_open(&c, TOOLS);
        scratch_write(&c.s, "p.html", EM_LIT("<p>a</p>\n"));
        const char *form = "{'file':'p.html','operations':[{'selector':'p','action':'%s',"
                           "'value':'<b>x</b>'}]}";
        call(&c, "editDOM", em_arena_format(&c.s.arena, form, cases[i].action));
        check_field(&c, "code", "'INVALID_ARGUMENT'");
        call_with(&c, "editDOM", json_incref(field(&c, "retry")));
        check_field(&c, "success", "true");
        check_file(&c.s, "p.html", em_slice_of(cases[i].after));
    }
}

/* What no action does is told with the way to have it, and is not taken for an action that is
 * written like it. */
static void each_word_without_an_action_has_its_way_told(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "p.html", EM_LIT("<p>a</p>\n"));
    for (const em_foreign_words *row = em_dom_foreign_actions; row->way; row++)
        for (const char *const *word = row->words; *word; word++) {
            const char *form = "{'file':'p.html','operations':[{'selector':'p','action':'%s',"
                               "'value':'x'}]}";
            call(&c, "editDOM", em_arena_format(&c.s.arena, form, *word));
            assert_non_null(strstr(json_string_value(field(&c, "error")), row->way));
            assert_null(field(&c, "retry"));
        }
}

static void a_place_in_or_beside_an_element_is_told_with_all_four(void **state)
{
    (void)state;
    EM_AUTO(caller) c;
    caller_open(&c, TOOLS);
    scratch_write(&c.s, "p.html", EM_LIT("<p>a</p>\n"));
    call(&c, "editDOM",
         "{'file':'p.html','operations':[{'selector':'p','action':'insertAdjacentHTML',"
         "'position':'inside','value':'x'}]}");
    check_has(&c, "beforeend behind that; beforebegin and afterend are beside it.");
    assert_null(field(&c, "retry"));
}

/* Elements that are just what is there are not called similar. */
static void what_is_near_and_what_is_there_are_told_apart(void **state)
{
    (void)state;
    static const told_case cases[] = {
        {"<p class=hero>x</p>", "'operations':[{'selector':'.hero-image','action':'remove'}]",
         "no element matches \".hero-image\".\n  Similar: .hero (line 1: x)."},
        {"<p class=hero>x</p>", "'operations':[{'selector':'section','action':'remove'}]",
         "no element matches \"section\".\n  None is like it. The page has: .hero (line 1: x)."},
        {"Just words.\n", "'operations':[{'selector':'section','action':'remove'}]",
         "no element matches \"section\".\n  The page has no element that is seen."},
        {"<title>x</title><script></script>\n",
         "'operations':[{'selector':'section','action':'remove'}]",
         "no element matches \"section\".\n  The page has no element that is seen."},
        {"<p class='a b'>x</p>",
         "'operations':[{'selector':'p','action':'replaceClass','oldClass':'a c','newClass':'d'}]",
         "the element has no class \"c\", but \"a b\"."},
        {"<p class='btn-primary x'>2</p><p>3</p>",
         "'operations':[{'selector':'p','action':'replaceClass','oldClass':'btn-primry',"
         "'newClass':'d'}]",
         "of 2 elements none was changed: none has the class \"btn-primry\"; they have "
         "\"btn-primary\", \"x\"; did you mean \"btn-primary\"?\n"
         "  Candidates: .btn-primary (line 1: 2); p:nth-of-type(2) (line 1: 3)."},
        {"<p class=a>1</p><p class=b>2</p>",
         "'operations':[{'selector':'p','action':'replaceClass','oldClass':'a b','newClass':'d'}]",
         "of 2 elements none was changed: none has all of the classes \"a b\"; they have \"a\", "
         "\"b\".\n  Candidates: .a (line 1: 1); .b (line 1: 2)."},
        {"<p>1</p><p class>2</p>",
         "'operations':[{'selector':'p','action':'replaceClass','oldClass':' a','newClass':'d'}]",
         "of 2 elements none was changed: none has the class \"a\"; they have no classes.\n"
         "  Candidates: p:nth-of-type(1) (line 1: 1); p:nth-of-type(2) (line 1: 2)."},
        {"<p class='a b c d e f'>1</p><p class='g h i b'>2</p>",
         "'operations':[{'selector':'p','action':'replaceClass','oldClass':'zz','newClass':'q'}]",
         "of 2 elements none was changed: none has the class \"zz\"; they have \"a\", \"b\", "
         "\"c\", \"d\", \"e\", \"f\", \"g\", \"h\" and others.\n"
         "  Candidates: .a (line 1: 1); .g (line 1: 2)."},
    };
    TOLD(cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_character_that_cannot_be_written_can_be_otherwise),
        cmocka_unit_test(the_encoding_that_the_page_names_can_be_sent),
        cmocka_unit_test(words_of_libraries_for_an_action_are_understood),
        cmocka_unit_test(each_word_without_an_action_has_its_way_told),
        cmocka_unit_test(a_place_in_or_beside_an_element_is_told_with_all_four),
        cmocka_unit_test(what_is_near_and_what_is_there_are_told_apart),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "selectors/select.h"

#include <stdio.h>
#include <stdlib.h>

#include "../with_cmocka.h"
#include "selecting.h"

static void lists(void **state)
{
    (void)state;
    static const char page[] =
        "<!DOCTYPE html><div id=d class=x><p id=p class=a><b id=b></b></p><p id=q></p></div>"
        "<ul id=u><li id=l class='a x'></ul>";
    static const selecting_case cases[] = {
        {":is(p, li)", "p q l"},      {":IS(p):Not(.a)", "q"},
        {":is( p , li )", "p q l"},   {":where(.a)", "p l"},
        {":matches(.a)", "p l"},      {":any(.a)", "p l"},
        {":-webkit-any(.a)", "p l"},  {":-moz-any(.a)", "p l"},
        {"p:not(.a)", "q"},           {"p:not(.a, #q)", ""},
        {"p:not(.a):not(#q)", ""},    {":is(div p, ul li):not(.x)", "p q"},
        {"div :not(p b)", "p q"},     {":is(:is(:is(p)))", "p q"},
        {":not(:not(p))", "p q"},     {".x:is(div)", "d"},
        {":has(b)", "html body d p"}, {"body :has(b)", "d p"},
        {":has(> b)", "p"},           {":has(>b)", "p"},
        {"p:has(+ p)", "p"},          {"p:has(~ p)", "p"},
        {"p:has(~p, b)", "p"},        {"div:has(~ ul)", "d"},
        {"div:has(+ ul > li)", "d"},  {"div:has(~ ul .x)", "d"},
        {"div:has(p b)", "d"},        {"div:has(div b)", ""},
        {"div:has(p + p)", "d"},      {"div:has(p ~ p)", "d"},
        {"div:has(> p > b)", "d"},    {"div:has(> b)", ""},
        {"div:has(:scope > p)", "d"}, {"div:has(:scope > b)", ""},
        {"p:has(:scope + p)", "p"},   {"body :not(:has(*))", "b q l"},
        {"body :has(:has(b))", "d"},  {"body :has(:not(:has(b)))", "d p u"},
        {"ul:has(li):has(.x)", "u"},  {":has(> :nth-child(2))", "html body d"},
    };
    CHECK_CASES(page, cases);
}

static void structure(void **state)
{
    (void)state;
    static const char page[] =
        "<!DOCTYPE html><html id=h><body id=y><p id=a></p><p id=b><!-- --></p>"
        "<p id=c> </p><p id=d><i id=i></i></p><h1 id=h1></h1><h6 id=h6>x</h6>"
        "<header id=hd></header>";
    static const selecting_case cases[] = {
        {"body :empty", "a b i h1 hd"},
        {"body :parent", "c d h6"},
        {":root", "h"},
        {":scope", "h"},
        {":scope > body", "y"},
        {":root :root", ""},
        {":header", "h1 h6"},
        {"p:header", ""},
    };
    CHECK_CASES(page, cases);
}

static void text(void **state)
{
    (void)state;
    static const char page[] =
        "<!DOCTYPE html><body id=y><p id=a>Our <b id=b>Ser</b>vices</p><p id=c>our services\n  "
        "two</p>"
        "<p id=d>one<br id=br>two</p><p id=e>(x) 'q' \"r\" \xC3\x84pfel</p><p id=f></p>";
    static const selecting_case cases[] = {
        {"p:contains(Our Services)", "a"},
        {"p:contains('Our Services')", "a"},
        {"p:contains(\"Our Services\")", "a"},
        {"p:contains( \"Our Services\" )", "a"},
        {"p:contains(  Our Services )", "a"},
        {"p:icontains(OUR SERVICES)", "a c"},
        {"p:contains(Ser)", "a"},
        {"b:contains(Ser)", "b"},
        {"b:contains(Serv)", ""},
        {":contains(Serv)", "html y a"},
        {"p:contains(services two)", ""},
        {"p:contains(onetwo)", ""},
        {"p:contains('one\\a two')", "d"},
        {"p:contains((x))", "e"},
        {"p:contains('(x)')", "e"},
        {"p:contains(\\(x)", "e"},
        {"p:contains('\\'q\\'')", "e"},
        {"p:contains(\\22 r\\22)", "e"},
        {"p:contains(\xC3\x84pfel)", "e"},
        {"p:contains(\xC3\xA4pfel)", ""},
        {"p:icontains(\xC3\xA4PFEL)", "e"},
        {"p:not(:contains(e))", "f"},
        {"p:contains(o):contains(w)", "c d"},
        {"p:contains(nothing)", ""},
        {"p:contains(Our Services):contains(x), #f", "f"},
    };
    CHECK_CASES(page, cases);
}

static void positions(void **state)
{
    (void)state;
    static const char page[] = "<!DOCTYPE html><div id=d1><p id=p1 class=a><b id=b1></b></p><p "
                               "id=p2><b id=b2></b></p></div>"
                               "<div id=d2><p id=p3 class=a><b id=b3></b><i id=i3></i></p></div>";
    static const selecting_case cases[] = {
        {"p:first", "p1"},
        {"p:last", "p3"},
        {"p:FIRST", "p1"},
        {"p:eq(0)", "p1"},
        {"p:eq( 1 )", "p2"},
        {"p:eq(+1)", "p2"},
        {"p:nth(1)", "p2"},
        {"p:eq(-1)", "p3"},
        {"p:eq(-3)", "p1"},
        {"p:eq(-4)", ""},
        {"p:eq(3)", ""},
        {"p:lt(2)", "p1 p2"},
        {"p:lt(-1)", "p1 p2"},
        {"p:gt(0)", "p2 p3"},
        {"p:gt(-2)", "p3"},
        {"p:even", "p1 p3"},
        {"p:odd", "p2"},
        {"p:not(:first)", "p2 p3"},
        {"p:not(:eq(1))", "p1 p3"},
        {"p:not( :last )", "p1 p2"},
        {"p:not(first)", "p1 p2 p3"},
        {"p:gt(0):first", "p2"},
        {"p:first b", "b1"},
        {"p:last > i", "i3"},
        {"div:first p", "p1 p2"},
        {"div:eq(1) > p b", "b3"},
        {"p:first + p", "p2"},
        {"p:first ~ p", "p2"},
        {"p:first.a", "p1"},
        {"p:first:not(.a)", ""},
        {"p:last.a b", "b3"},
        {"div:last p:first", "p3"},
        {"div p:first, div:last", "p1 d2"},
        {":first", "html"},
        {"div :first", "p1"},
        {"div > :last", "p3"},
        {"p:first x:last b", ""},
    };
    CHECK_CASES(page, cases);
}

static void kinds_of_fields(void **state)
{
    (void)state;
    static const char page[] =
        "<!DOCTYPE html><input id=a><input id=b type=''><input id=c type=Text><input id=d "
        "type=checkbox>"
        "<input id=e type=radio><input id=f type=password><input id=g type=file><input id=h "
        "type=submit>"
        "<input id=i type=image><input id=j type=reset><input id=k type=button><button "
        "id=l></button>"
        "<textarea id=m></textarea><select id=n></select><p id=o type=text></p>";
    static const selecting_case cases[] = {
        {":input", "a b c d e f g h i j k l m n"},
        {":text", "a b c"},
        {":checkbox", "d"},
        {":radio", "e"},
        {":password", "f"},
        {":file", "g"},
        {":submit", "h"},
        {":image", "i"},
        {":reset", "j"},
        {":button", "k l"},
    };
    CHECK_CASES(page, cases);
}

static void links(void **state)
{
    (void)state;
    static const char page[] =
        "<!DOCTYPE html><link href=x id=a><a id=b href=x></a><a id=c></a><map><area id=d href=''>"
        "<area id=e></map><svg><a id=f href=x></a></svg><details id=g open></details><dialog id=h>"
        "</dialog><p id=i open></p>";
    static const selecting_case cases[] = {
        {":link", "b d f"},
        {":any-link", "b d f"},
        {":open", "g"},
    };
    CHECK_CASES(page, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lists),     cmocka_unit_test(structure), cmocka_unit_test(text),
        cmocka_unit_test(positions), cmocka_unit_test(links),     cmocka_unit_test(kinds_of_fields),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

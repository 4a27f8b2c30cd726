#include "selectors/select.h"

#include <stdio.h>
#include <stdlib.h>

#include "../with_cmocka.h"
#include "base/strbuf.h"
#include "selecting.h"

static void disabled_fields(void **state)
{
    (void)state;
    static const char page[] =
        "<!DOCTYPE html><input id=a><input id=b disabled><button id=c disabled></button>"
        "<fieldset id=f disabled><legend id=l><input id=d></legend><legend><input id=e></legend>"
        "<div><input id=g><a id=x></a></div><fieldset id=h><legend><input id=i></legend></fieldset>"
        "</fieldset><select id=s><optgroup id=o disabled><option id=p></optgroup><option id=q>"
        "<option id=r disabled></select><p id=z disabled></p>";
    static const selecting_case cases[] = {
        {":disabled", "b c f e g h i o p r"},
        {":enabled", "a d s q"},
        {"input:disabled", "b e g i"},
    };
    CHECK_CASES(page, cases);
}

static void checked_fields(void **state)
{
    (void)state;
    static const char page[] =
        "<!DOCTYPE html><input id=a type=checkbox checked><input id=b type=checkbox>"
        "<input id=c type=RADIO checked><input id=d type=text checked>"
        "<select><option id=e><option id=f selected></select>"
        "<select><option id=g disabled><option id=h><option id=i></select>"
        "<select multiple><option id=j></select><select size=3><option id=k></select>"
        "<select size=1><option id=m></select>"
        "<select><optgroup disabled><option id=n></optgroup><optgroup><option id=o disabled>"
        "<option id=p></optgroup><option id=q></select>";
    static const selecting_case cases[] = {
        {":checked", "a c f h m p"},
        {":selected", "f h m p"},
        {"input:checked", "a c"},
    };
    CHECK_CASES(page, cases);
}

static void of_those_that_exclude_each_other_the_last_is_checked(void **state)
{
    (void)state;
    static const char page[] =
        "<!DOCTYPE html><form><input id=a type=radio name=x checked>"
        "<input id=b type=radio name=x checked><input id=c type=radio name=x></form>"
        "<input id=d type=radio name=x checked><input id=e type=radio checked>"
        "<input id=f type=radio checked><input id=g type=checkbox name=y checked>"
        "<input id=h type=checkbox name=y checked>"
        "<select multiple><option id=i selected><option id=j selected></select>"
        "<select size=3><option id=k selected><option id=l selected><option id=m></select>"
        "<select><option id=n selected><optgroup><option id=o selected><option id=p selected>"
        "</optgroup><optgroup><option id=q></optgroup></select>"
        "<select><optgroup><option id=r selected></optgroup><optgroup><option id=s selected>"
        "</optgroup></select>"
        "<select><optgroup><option id=t selected></optgroup><option id=u selected></select>";
    static const selecting_case cases[] = {
        {":checked", "b d e f g h i j l p s u"},
        {":selected", "i j l p s u"},
        {":default:is(option)", "i j k l n o p r s t u"},
    };
    CHECK_CASES(page, cases);
}

static void what_must_be_filled_in(void **state)
{
    (void)state;
    static const char page[] =
        "<!DOCTYPE html><input id=a required><input id=b><input id=c type=hidden required>"
        "<input id=d type=submit required><select id=e required></select><textarea id=f></textarea>"
        "<p id=g required></p><button id=h></button>";
    static const selecting_case cases[] = {
        {":required", "a e"},
        {":optional", "b c d f"},
    };
    CHECK_CASES(page, cases);
}

static void what_can_be_edited(void **state)
{
    (void)state;
    static const char page[] =
        "<!DOCTYPE html><body id=y><input id=a><input id=b readonly><input id=c disabled>"
        "<input id=d type=checkbox><input id=e type=date><textarea id=f></textarea>"
        "<textarea id=g readonly></textarea><div id=h contenteditable><p id=i></p>"
        "<p id=j contenteditable=FALSE><b id=k></b><b id=l contenteditable=true></b></p>"
        "<input id=m type=radio><svg id=n contenteditable=false><g id=o></g></svg></div>"
        "<p id=p contenteditable=plaintext-only></p><p id=q contenteditable=x></p>";
    static const selecting_case cases[] = {
        {":read-write", "a e f h i l n o p"},
        {"body :read-only", "b c d g j k m q"},
    };
    CHECK_CASES(page, cases);
}

static void placeholders(void **state)
{
    (void)state;
    static const char page[] =
        "<!DOCTYPE html><input id=a placeholder=x><input id=b placeholder=x value=y>"
        "<input id=c placeholder=x value=''><input id=d placeholder=x type=date>"
        "<textarea id=e placeholder=x></textarea><textarea id=f placeholder=x>y</textarea>"
        "<input id=g><input id=h type=email placeholder=x><input id=i type=checkbox placeholder=x>";
    static const selecting_case cases[] = {{":placeholder-shown", "a c e h"}};
    CHECK_CASES(page, cases);
}

static void defaults(void **state)
{
    (void)state;
    static const char page[] =
        "<!DOCTYPE html><button id=a></button><form id=f><button id=b type=button></button>"
        "<button id=c type=reset></button><input id=d type=image><button id=e></button></form>"
        "<form><p><button id=g type=wrong></button></p><input id=h type=submit></form>"
        "<input id=i type=checkbox checked><input id=j type=checkbox><select><option id=k selected>"
        "<option id=l></select>";
    static const selecting_case cases[] = {{":default", "d g i k"}};
    CHECK_CASES(page, cases);
}

static void undecided(void **state)
{
    (void)state;
    static const char page[] =
        "<!DOCTYPE html><progress id=a></progress><progress id=b value=1></progress>"
        "<input id=c type=radio name=x><input id=d type=radio name=x><form>"
        "<input id=e type=radio name=x><input id=f type=radio name=x checked></form>"
        "<input id=g type=radio><input id=h type=radio checked><input id=i type=radio name=''>"
        "<input id=j type=checkbox name=x>";
    static const selecting_case cases[] = {{":indeterminate", "a c d g i"}};
    CHECK_CASES(page, cases);
}

static void many_radio_groups_take_no_time(void **state)
{
    (void)state;
    EM_AUTO(em_strbuf) html = {0};
    em_strbuf_puts(&html, "<!DOCTYPE html>");
    for (int i = 0; i < 20000; i++)
        em_strbuf_printf(&html, "<input type=radio name=n%d checked><input type=radio name=n%d>", i,
                         i / 2 * 40);
    em_strbuf_putc(&html, '\0');
    selecting on;
    selecting_open(&on, html.ptr);
    assert_int_equal(selecting_count(&on, ":checked"), 20000);
    assert_int_equal(selecting_count(&on, ":indeterminate"), 19000);
    selecting_close(&on);
}

static void languages(void **state)
{
    (void)state;
    static const char page[] =
        "<!DOCTYPE html><html><body><p id=a lang=en></p><p id=b lang=en-US><b id=c></b></p>"
        "<p id=d lang=de-Latn-CH-1996><b id=e lang=''></b></p><p id=f lang=fr-x-CH></p>"
        "<p id=g lang=DE-ch></p><svg id=s xml:lang=sl-IT><g id=t></g></svg>";
    static const selecting_case cases[] = {
        {":lang(en)", "a b c"},
        {":lang(EN)", "a b c"},
        {":lang(en-us)", "b c"},
        {":lang(en-us-x)", ""},
        {":lang(de-CH)", "d g"},
        {":lang(de-Latn)", "d"},
        {":lang('*-CH')", "d g"},
        {":lang(*-CH)", "d g"},
        {":lang(\\*-CH)", "d g"},
        {":lang('de-*-CH')", "d g"},
        {":lang(fr-CH)", ""},
        {":lang(en, fr)", "a b c f"},
        {":lang('en' , 'de')", "a b c d g"},
        {"p :lang('')", "e"},
        {":lang(e)", ""},
        {":lang(sl)", "s t"},
        {"body:lang('')", "body"},
        {"p:not(:lang(en))", "d f g"},
    };
    CHECK_CASES(page, cases);
}

static void directions(void **state)
{
    (void)state;
    static const char page[] =
        "<!DOCTYPE html><html id=r><body id=y><p id=a dir=rtl><b id=b></b><b id=c dir=LTR></b>"
        "<input id=t type=tel></p><p id=d dir=auto>12 \xD7\x90</p><p id=e dir=auto><b dir=ltr "
        "id=x>a</b>"
        "\xD8\xA7</p><bdi id=f>\xD7\x90</bdi><bdi id=g>-</bdi><input id=h dir=auto "
        "value='\xD7\x90'>"
        "<input id=i dir=auto value=1><input id=j dir=auto><p id=k "
        "dir=auto><script>a</script>\xD7\x90</p>"
        "<p id=l dir=auto><i id=m>abc \xD7\x90</i></p><p id=n dir=wrong></p>";
    static const selecting_case cases[] = {
        {"body :dir(rtl)", "a b d e f h k script"},
        {"body :dir(LTR)", "c t x g i j l m n"},
        {":root:dir(ltr)", "r"},
    };
    CHECK_CASES(page, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(disabled_fields),
        cmocka_unit_test(checked_fields),
        cmocka_unit_test(of_those_that_exclude_each_other_the_last_is_checked),
        cmocka_unit_test(what_must_be_filled_in),
        cmocka_unit_test(what_can_be_edited),
        cmocka_unit_test(placeholders),
        cmocka_unit_test(defaults),
        cmocka_unit_test(undecided),
        cmocka_unit_test(many_radio_groups_take_no_time),
        cmocka_unit_test(languages),
        cmocka_unit_test(directions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "selectors/select.h"

#include <stdio.h>
#include <stdlib.h>

#include "../with_cmocka.h"
#include "selecting.h"

static const char page[] = "<!DOCTYPE html><html><head><title>t</title></head><body>"
                           "<p id=a title='Hello World' lang=EN data-n=1></p>"
                           "<p id=b title='' class=''></p>"
                           "<p id=c title=hello-world lang=en-US></p>"
                           "<p id=d title=hello DATA-N=10></p>"
                           "<input id=e type=TEXT value='a\"b' rel=NoFollow>"
                           "<p id=f title='x\ty\nz'></p>"
                           "<p id=g title='&eacute;&amp;'></p>"
                           "<p id=h on:click=go @x=1 title='hello  world '></p>"
                           "<svg id=s viewBox='0 0 1 1' type=TEXT></svg></body></html>";

static void operators(void **state)
{
    (void)state;
    static const selecting_case cases[] = {
        {"[title]", "a b c d f g h"},
        {"[ title ]", "a b c d f g h"},
        {"[TITLE]", "a b c d f g h"},
        {"[title=hello]", "d"},
        {"[title='hello']", "d"},
        {"[title = \"hello\"]", "d"},
        {"[title=Hello]", ""},
        {"[title='']", "b"},
        {"[title~=World]", "a"},
        {"[title~=hello]", "d h"},
        {"[title~=y]", "f"},
        {"[title~='x y']", ""},
        {"[title~='']", ""},
        {"[title|=hello]", "c d"},
        {"[title|='']", "b"},
        {"[title^=hello]", "c d h"},
        {"[title^='']", ""},
        {"[title$=world]", "c"},
        {"[title$='']", ""},
        {"[title*=llo]", "a c d h"},
        {"[title*='']", ""},
        {"[title*='o W']", "a"},
        {"[title^=hellohellohello]", ""},
        {"[title$=hellohellohello]", ""},
        {"[title*=hellohellohello]", ""},
        {"p[title!=hello]", "a b c f g h"},
        {"p[data-n!='1']", "b c d f g h"},
        {"p[data-n!='']", "a b c d f g h"},
        {"[data-n='1']", "a"},
        {"[data-n^='1']", "a d"},
        {"[title='\xC3\xA9&']", "g"},
        {"[title*=\xC3\xA9]", "g"},
        {"[title=\\e9\\&]", "g"},
        {"[value='a\"b']", "e"},
        {"[value=\"a\\\"b\"]", "e"},
        {"[on\\:click]", "h"},
        {"[on\\:click=go]", "h"},
        {"[\\@x]", "h"},
        {"[viewBox]", "s"},
        {"[viewbox='0 0 1 1']", "s"},
        {"[nothing]", ""},
        {"[title][lang]", "a c"},
        {"[title/* c */=/* c */hello/* c */]", "d"},
    };
    CHECK_CASES(page, cases);
}

static void letter_case(void **state)
{
    (void)state;
    static const selecting_case cases[] = {
        {"[title=HELLO i]", "d"},
        {"[title=HELLO I]", "d"},
        {"[title='HELLO'i]", "d"},
        {"[title='HELLO' i ]", "d"},
        {"[title~=WORLD i]", "a h"},
        {"[title|=HELLO i]", "c d"},
        {"[title^=HELLO i]", "a c d h"},
        {"[title$=WORLD i]", "a c"},
        {"[title*=LO i]", "a c d h"},
        {"[title='\xC3\x89&' i]", ""},
        {"[title=HELLO s]", ""},
        /* HTML compares the values of some attributes in any case, those of SVG it does not. */
        {"[type=text]", "e"},
        {"[type=text s]", ""},
        {"[type=TEXT s]", "e s"},
        {"[type=text i]", "e s"},
        {"[lang=en]", "a"},
        {"[lang|=en]", "a c"},
        {"[rel=nofollow]", "e"},
        {"[rel~=nofollow]", "e"},
        {"[class='']", "b"},
    };
    CHECK_CASES(page, cases);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(operators),
        cmocka_unit_test(letter_case),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

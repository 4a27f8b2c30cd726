#include "../dialects/memory.h"

#include "http/header_value.h"

static void values_and_what_they_stand_for(void **state)
{
    (void)state;
    static const struct {
        const char *value, *text; /* `text` NULL: broken */
    } rows[] = {
        {"tools/call", "tools/call"},
        {"", ""},
        {"=?base64?", "=?base64?"},
        {"=?base64?=", "=?base64?="},
        {"=?base64?"
         "?=",
         ""},
        {"=?base64?eA==?=", "x"},
        {"=?base64?eHk=?=", "xy"},
        {"=?base64?eHl6?=", "xyz"},
        {"=?base64?w6nDqA==?=", "\xC3\xA9\xC3\xA8"},
        {"=?base64?+/+/?=", NULL}, /* not UTF-8 */
        {"=?base64?eA?=", NULL},
        {"=?base64?eA=?=", NULL},
        {"=?base64?e===?=", NULL},
        {"=?base64?====?=", NULL},
        {"=?base64?eB==?=", NULL}, /* bits beyond the end */
        {"=?base64?eHl=?=", NULL},
        {"=?base64?eA==eA==?=", NULL},
        {"=?base64?e A=?=", NULL},
        {"=?base64?=A==?=", NULL},
        {"=?BASE64?eA==?=", "=?BASE64?eA==?="},
        {"=?base64?eA==", "=?base64?eA=="},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(em_strbuf) out = {0};
        bool ok = em_header_value_decode(em_slice_of(rows[i].value), &out);
        if (ok != (rows[i].text != NULL) ||
            (ok && !em_slice_is(em_strbuf_slice(&out), rows[i].text)))
            fail_msg("%s", rows[i].value);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(values_and_what_they_stand_for)};
    return cmocka_run_group_tests_name("header_value", tests, NULL, NULL);
}

#include "check.h"
#include "scarce.h"

#include "serve/json_plain.h"
#include "serve/json_text.h"

enum { FLAGS = JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL | JSON_DECODE_ANY };

/* Where it takes a text, jansson takes it too, with the same value, and writing it gives the same
 * bytes as jansson does, in one line and laid out. */
static bool agrees(em_slice text)
{
    EM_AUTO(em_strbuf) ours = {0};
    json_error_t error;
    json_t *plain;
    em_status status = em_json_read_plain(text, 64, &plain);
    assert_int_equal(status, plain ? EM_OK : EM_E_INVALID);
    json_t *whole = json_loadb(text.ptr, text.len, FLAGS, &error);
    if (plain) {
        assert_non_null(whole);
        assert_true(json_equal(plain, whole));
    }
    for (size_t indentation = 0; indentation < 3 && whole; indentation += 2) {
        size_t layout = indentation > 0 ? JSON_INDENT(indentation) : JSON_COMPACT;
        char *theirs = json_dumps(whole, layout | JSON_ENCODE_ANY);
        ours.len = 0;
        em_json_write(whole, indentation, &ours);
        assert_non_null(theirs);
        assert_true(em_slice_is(em_strbuf_slice(&ours), theirs));
        free(theirs);
    }
    bool taken = plain != NULL;
    json_decref(plain);
    json_decref(whole);
    return taken;
}

#define TEXT(literal)                                                                              \
    {                                                                                              \
        literal, sizeof(literal) - 1                                                               \
    }
static const em_slice taken[] = {
    TEXT("{}"),
    TEXT("[]"),
    TEXT(" { \"a\" : [ 1 , -2 , true , false , null , \"x\" ] , \"b\" : { } }\r\n\t"),
    TEXT("\"\""),
    TEXT("\"plain and long enough for several words of eight bytes each\""),
    TEXT("\"\\\"\\\\\\/\\b\\f\\n\\r\\t\\u0000\\u00e9\\uD83D\\uDe00 and more behind it\""),
    TEXT("\"\x7f\xC3\xA9\xF0\x9F\x98\x80\""),
    TEXT("-0"),
    TEXT("999999999999999999"),
    TEXT("{\"a\\n\":1,\"\":2}"),
    TEXT("[{\"old_text\":\"a\\\\b\",\"new_text\":\"\\u2028\"},{\"old_text\":\"\"}]"),
};
static const em_slice not_taken[] = {
    TEXT(""),
    TEXT(" "),
    TEXT("{"),
    TEXT("[1,]"),
    TEXT("[1 2]"),
    TEXT("{\"a\"}"),
    TEXT("{\"a\":}"),
    TEXT("{\"a\":1,}"),
    TEXT("{a:1}"),
    TEXT("01"),
    TEXT("-"),
    TEXT("+1"),
    TEXT("tru"),
    TEXT("nul"),
    TEXT("1.5"),
    TEXT("1e3"),
    TEXT("\"open"),
    TEXT("\"\\"),
    TEXT("\"\\x\""),
    TEXT("\"\\u12\""),
    TEXT("\"\\u12g4\""),
    TEXT("\"\\ud800\""),
    TEXT("\"\\ud800\\n\""),
    TEXT("\"\\ud800\\u0041\""),
    TEXT("\"\\udc00\""),
    TEXT("\"\n\""),
    TEXT("\"\xff\""),
    TEXT("[1]\0"),
    TEXT("{} {}"),
    TEXT("1000000000000000000"),
    TEXT("{\"a\":1,\"a\":2}"),
    TEXT("{\"a\\u0000\":1}"),
    TEXT("\"\\ud83d"),
    TEXT("\"\\ud83d\\u12\""),
    TEXT("{\"a key that is longer than any that a tool has: it is of more than 64 bytes\":1}"),
};

static void it_takes_what_is_plain(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(taken); i++)
        if (!agrees(taken[i]))
            fail_msg("not taken: %s", taken[i].ptr);
}

static void it_leaves_the_rest(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(not_taken); i++)
        if (agrees(not_taken[i]))
            fail_msg("taken: %s", not_taken[i].ptr);
}

/* Every byte of what is plain becomes something else, goes, or comes twice. */
static void it_agrees_with_jansson_on_damaged_texts(void **state)
{
    (void)state;
    static const char bytes[] = "\"\\{}[],:0-9eE.u\x01 \xC3t\n";
    for (size_t i = 0; i < COUNT_OF(taken); i++)
        for (size_t at = 0; at < taken[i].len; at++) {
            char copy[256];
            memcpy(copy, taken[i].ptr, taken[i].len);
            for (size_t k = 0; k < sizeof bytes; k++) {
                copy[at] = bytes[k];
                agrees(em_slice_make(copy, taken[i].len));
            }
            memcpy(copy + at, taken[i].ptr + at + 1, taken[i].len - at - 1);
            agrees(em_slice_make(copy, taken[i].len - 1));
            memcpy(copy + at, taken[i].ptr + at, taken[i].len - at);
            memmove(copy + at + 1, taken[i].ptr + at, taken[i].len - at);
            agrees(em_slice_make(copy, taken[i].len + 1));
        }
}

static void depth_is_as_asked(void **state)
{
    (void)state;
    json_t *value;
    assert_int_equal(em_json_read_plain(EM_LIT("[{\"a\":[]}]"), 3, &value), EM_OK);
    json_decref(value);
    assert_int_equal(em_json_read_plain(EM_LIT("[{\"a\":[]}]"), 2, &value), EM_E_INVALID);
    assert_null(value);
}

static void memory_that_runs_out_is_said(void **state)
{
    (void)state;
    bool failed = true;
    for (long nth = 0; failed; nth++) {
        json_t *value;
        scarce_begin(nth);
        em_status status = em_json_read_plain(taken[10], 9, &value);
        failed = scarce_end();
        assert_int_equal(status, failed ? EM_E_NOMEM : EM_OK);
        json_decref(value);
    }
}

int main(void)
{
    json_set_alloc_funcs(malloc, free); /* through the test */
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_takes_what_is_plain),
        cmocka_unit_test(it_leaves_the_rest),
        cmocka_unit_test(it_agrees_with_jansson_on_damaged_texts),
        cmocka_unit_test(depth_is_as_asked),
        cmocka_unit_test(memory_that_runs_out_is_said),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "api.h"

#include "../serve/scarce.h"

static void facts_of_texts(void **state)
{
    const struct {
        emend_slice bytes;
        const char *named, *encoding;
        size_t bom, lines;
        emend_eol eol;
        const char *utf8;
    } rows[] = {
        {LIT("a\nb\n"), NULL, "utf-8", 0, 2, EMEND_EOL_LF, "a\nb\n"},
        {LIT("a\r\nb"), NULL, "utf-8", 0, 2, EMEND_EOL_CRLF, "a\r\nb"},
        {LIT("a\rb\r"), NULL, "utf-8", 0, 2, EMEND_EOL_CR, "a\rb\r"},
        {LIT("\xEF\xBB\xBF"
             "a"),
         NULL, "utf-8", 3, 1, EMEND_EOL_NONE, "a"},
        {LIT("\xFF\xFE"
             "a\0\n\0"),
         NULL, "utf-16le", 2, 1, EMEND_EOL_LF, "a\n"},
        {LIT("caf\xE9"), NULL, "unknown-8bit", 0, 1, EMEND_EOL_NONE, "caf\xE9"},
        {LIT("caf\xE9"), "windows-1252", "windows-1252", 0, 1, EMEND_EOL_NONE, "caf\xC3\xA9"},
        {LIT(""), NULL, "utf-8", 0, 0, EMEND_EOL_NONE, ""},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        emend_text *text;
        assert_int_equal(emend_text_new(rows[i].bytes, rows[i].named, &text, NULL), EMEND_OK);
        emend_facts facts = emend_text_facts(text);
        assert_string_equal(facts.encoding, rows[i].encoding);
        assert_int_equal(facts.bom_length, rows[i].bom);
        assert_int_equal(facts.lines, rows[i].lines);
        assert_int_equal(facts.eol, rows[i].eol);
        check_bytes("utf-8", emend_text_utf8(text), emend_string(rows[i].utf8));
        assert_ptr_equal(emend_text_bytes(text).ptr, rows[i].bytes.ptr);
        assert_int_equal(emend_text_bytes(text).len, rows[i].bytes.len);
        emend_text_free(text);
    }
}

static void what_is_no_text_is_refused(void **state)
{
    const struct {
        emend_slice bytes;
        const char *named;
        emend_status want;
        const char *cause;
    } rows[] = {
        {LIT("a\0b"), NULL, EMEND_E_BINARY, ""},
        {LIT("a"), "no-such-charset", EMEND_E_INVALID, "encoding"},
        {LIT("\xFF"), "utf-8", EMEND_E_INVALID, "encoding"},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        emend_text *text = (emend_text *)&text;
        emend_error err;
        assert_int_equal(emend_text_new(rows[i].bytes, rows[i].named, &text, &err), rows[i].want);
        assert_null(text);
        assert_int_equal(err.code, rows[i].want);
        assert_string_equal(err.cause, rows[i].cause);
        assert_int_equal(err.edit, EMEND_NO_EDIT);
    }
}

static void memory_may_run_out(void **state)
{
    (void)state;
    long nth = 0;
    for (bool hit = true; hit; nth++) {
        emend_text *text;
        emend_error err;
        scarce_begin(nth);
        emend_status status = emend_text_new(LIT("caf\xE9"), "windows-1252", &text, &err);
        hit = scarce_end();
        assert_int_equal(status, hit ? EMEND_E_NOMEM : EMEND_OK);
        if (hit)
            assert_int_equal(err.code, EMEND_E_NOMEM);
        assert_true(hit == !text);
        emend_text_free(text);
    }
    assert_true(nth > 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(facts_of_texts),
        cmocka_unit_test(what_is_no_text_is_refused),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "check.h"

#include "serve/seal.h"

#include <stdlib.h>
#include <string.h>

static const uint8_t key[EM_SEAL_KEY] = {1, 2, 3}, other_key[EM_SEAL_KEY] = {1, 2, 4};

static em_sealed what_is_sealed(void)
{
    return (em_sealed){.tool = "edit_file",
                       .arguments = EM_LIT("{\"a\":1}"),
                       .changes = EM_LIT("00112233445566778899aabbccddeeff"),
                       .until_ms = 1000};
}

/* The caller's. */
static char *sealed_text(const em_sealed *sealed)
{
    EM_AUTO(em_strbuf) state = {0};
    em_sealer_hmac.seal(key, sealed, &state);
    return strndup(state.ptr, state.len);
}

static void a_state_is_known_again(void **state)
{
    (void)state;
    em_sealed sealed = what_is_sealed();
    em_sealed found = {.tool = sealed.tool, .arguments = sealed.arguments};
    char *text = sealed_text(&sealed);
    assert_int_equal(em_sealer_hmac.unseal(key, text, 999, &found), EM_SEAL_GOOD);
    assert_true(em_slice_eq(found.changes, sealed.changes));
    assert_int_equal(found.until_ms, 1000);
    assert_int_equal(em_sealer_hmac.unseal(key, text, 1000, &found), EM_SEAL_EXPIRED);
    free(text);
}

/* Of any number of changes. */
static void a_state_is_as_long_as_it_must_be(void **state)
{
    (void)state;
    char many[32 * 300];
    memset(many, 'f', sizeof many);
    for (size_t length = 0; length <= sizeof many; length += 32 * 100) {
        em_sealed sealed = what_is_sealed(), found = what_is_sealed();
        sealed.changes = em_slice_make(many, length);
        char *text = sealed_text(&sealed);
        assert_int_equal(em_sealer_hmac.unseal(key, text, 0, &found), EM_SEAL_GOOD);
        assert_true(em_slice_eq(found.changes, sealed.changes));
        free(text);
    }
}

/* The key, the caller, the tool and the arguments must be the same, and every byte of the text
 * counts. */
static void another_one_is_bad(void **state)
{
    (void)state;
    em_sealed sealed = what_is_sealed();
    char *text = sealed_text(&sealed);
    em_sealed rows[] = {
        {.scope = "0011aabb", .tool = "edit_file", .arguments = sealed.arguments},
        {.tool = "edit_filf", .arguments = sealed.arguments},
        {.tool = "edit_file", .arguments = EM_LIT("{\"a\":2}")},
        {.tool = "edit_file{", .arguments = EM_LIT("\"a\":1}")},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_int_equal(em_sealer_hmac.unseal(key, text, 0, &rows[i]), EM_SEAL_BAD);
    assert_int_equal(em_sealer_hmac.unseal(other_key, text, 0, &sealed), EM_SEAL_BAD);
    for (size_t i = 0; text[i]; i++) {
        char was = text[i];
        text[i] = was == '5' ? '6' : '5';
        assert_int_equal(em_sealer_hmac.unseal(key, text, 0, &sealed), EM_SEAL_BAD);
        text[i] = '\0';
        assert_int_equal(em_sealer_hmac.unseal(key, text, 0, &sealed), EM_SEAL_BAD);
        text[i] = was;
    }
    assert_int_equal(em_sealer_hmac.unseal(key, text, 0, &sealed), EM_SEAL_GOOD);
    free(text);
}

static void what_was_never_a_state_is_bad(void **state)
{
    static const char *const rows[] = {"",
                                       "emend1",
                                       "emend1.",
                                       "emend1..",
                                       "emend1.7",
                                       "emend1.-1.0.0",
                                       "emend1.99999999999999999999999.0.0"};
    (void)state;
    em_sealed sealed = what_is_sealed();
    for (size_t i = 0; i < COUNT_OF(rows); i++)
        assert_int_equal(em_sealer_hmac.unseal(key, rows[i], 0, &sealed), EM_SEAL_BAD);
    char long_text[1000];
    memset(long_text, '.', sizeof long_text);
    memcpy(long_text, "emend1.", 7);
    long_text[sizeof long_text - 1] = '\0';
    assert_int_equal(em_sealer_hmac.unseal(key, long_text, 0, &sealed), EM_SEAL_BAD);
}

/* HMAC-SHA256 with the key over "10:tools/call0:9:edit_file7:{"a":1}32:0011...eeff4:1000", as
 * Python's hmac computes it. */
static void the_hash_is_the_one_that_is_meant(void **state)
{
    (void)state;
    em_sealed sealed = what_is_sealed();
    char *text = sealed_text(&sealed);
    assert_string_equal(text, "emend1.1000.00112233445566778899aabbccddeeff."
                              "19370522f32d4f34481c9a6939ea0e2bcd3e2d76d2345e5e4ef51298b095443d");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_state_is_known_again),
        cmocka_unit_test(a_state_is_as_long_as_it_must_be),
        cmocka_unit_test(another_one_is_bad),
        cmocka_unit_test(what_was_never_a_state_is_bad),
        cmocka_unit_test(the_hash_is_the_one_that_is_meant),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "json/json_halves.h"
#include "json/json_text.h"

#include <string.h>

#include "../with_cmocka.h"
#include "memory.h"

/* ---- Reading once by one thread, and once by two --------------------------------------------- */

typedef struct reading {
    em_status status;
    em_error err;
    json_t *value;
} reading;

static reading read_text(em_slice text, size_t long_from, bool waits)
{
    reading r = {.err = EM_ERROR_INIT};
    em_json_suppose_long(long_from, waits);
    r.status = em_json_parse(text, &r.value, &r.err);
    return r;
}

/* As text, since jansson does not compare wide numbers. */
static void check_same(const json_t *one, const json_t *two)
{
    EM_AUTO(em_strbuf) first = {0};
    EM_AUTO(em_strbuf) second = {0};
    em_json_write(one, 0, &first);
    em_json_write(two, 0, &second);
    assert_false(first.failed || second.failed);
    assert_true(em_slice_eq(em_strbuf_slice(&first), em_strbuf_slice(&second)));
}

/* Both come to the same; true: it is JSON. */
static bool check_text(em_slice text)
{
    reading one = read_text(text, SIZE_MAX, false), two = read_text(text, 0, true);
    assert_int_equal(two.status, one.status);
    assert_string_equal(two.err.detail, one.err.detail);
    assert_int_equal(two.value != NULL, one.value != NULL);
    if (one.value)
        check_same(one.value, two.value);
    json_decref(one.value);
    json_decref(two.value);
    return one.status == EM_OK;
}

static bool check(const char *text)
{
    return check_text(em_slice_of(text));
}

/* ---- Texts ----------------------------------------------------------------------------------- */

static uint32_t numbers;

static uint32_t below(uint32_t n)
{
    numbers = numbers * 1103515245 + 12345;
    return (numbers >> 8) % n;
}

static const char *one_of(const char *const *of, uint32_t count)
{
    return of[below(count)];
}

/* Between two signs. */
static void add_blanks(em_strbuf *out)
{
    static const char *const blanks[] = {"", "", "", " ", "\n  ", "\t", "\r\n"};
    em_strbuf_puts(out, one_of(blanks, 7));
}

static void add_string(em_strbuf *out)
{
    static const char *const strings[] = {"\"a\"",
                                          "\"}, {\"",
                                          "\"\\\"}, {\\\"x\\\": 1}, {\"",
                                          "\"\\u00e9\"",
                                          "\"[{}, {}, {}], {\"",
                                          "\"\"",
                                          "\"\\\\\"",
                                          "\"},{\""};
    em_strbuf_puts(out, one_of(strings, 8));
}

static void add_value(em_strbuf *out, unsigned depth);

static void add_list(em_strbuf *out, unsigned depth)
{
    em_strbuf_puts(out, "[");
    for (uint32_t i = 0, count = below(6); i < count; i++) {
        em_strbuf_puts(out, i > 0 ? "," : "");
        add_blanks(out);
        add_value(out, depth + 1);
        add_blanks(out);
    }
    em_strbuf_puts(out, "]");
}

static void add_object(em_strbuf *out, unsigned depth)
{
    em_strbuf_puts(out, "{");
    for (uint32_t i = 0, count = below(4); i < count; i++) {
        em_strbuf_printf(out, "%s\"%s%u\":", i > 0 ? ", " : "", below(9) ? "k" : "\\u0041\\n",
                         below(30) ? i : 0);
        add_value(out, depth + 1);
        add_blanks(out);
    }
    em_strbuf_puts(out, "}");
}

static void add_value(em_strbuf *out, unsigned depth)
{
    static const char *const others[] = {"1", "-2.5e3", "null", "true", "123456789012345678901"};
    uint32_t kind = below(depth > 5 ? 4 : 10);
    if (kind < 2)
        em_strbuf_puts(out, one_of(others, 5));
    else if (kind < 4)
        add_string(out);
    else if (kind < 7)
        add_list(out, depth);
    else
        add_object(out, depth);
}

/* A sign more, one less, or another one. */
static void spoil(em_strbuf *text)
{
    static const char signs[] = "{}[],:\"\\ 1n\x01";
    size_t at = below((uint32_t)text->len), kind = below(3);
    if (kind == 0)
        text->len = at;
    else if (kind == 1)
        text->ptr[at] = signs[below(sizeof signs - 1)];
    else
        memmove(text->ptr + at, text->ptr + at + 1, text->len-- - at - 1);
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static void any_text_is_read_as_by_one_thread(void **state)
{
    (void)state;
    enum { TEXTS = 4000 };
    size_t right = 0;
    for (numbers = 1; right < TEXTS / 3; numbers += 7)
        for (size_t i = 0; i < 100; i++) {
            EM_AUTO(em_strbuf) text = {0};
            em_strbuf_puts(&text, "{\"a\": [");
            for (uint32_t k = 0, count = 2 + below(20); k < count; k++) {
                em_strbuf_puts(&text, k > 0 ? "," : "");
                add_blanks(&text);
                add_object(&text, 0);
            }
            em_strbuf_puts(&text, "], \"b\": ");
            add_value(&text, 0);
            em_strbuf_puts(&text, "}");
            if (below(3) == 0)
                spoil(&text);
            assert_false(text.failed);
            right += check_text(em_strbuf_slice(&text));
        }
}

static void a_border_may_be_none(void **state)
{
    (void)state;
    assert_true(check("[{\"a\": 1}, {\"b\": 2}]"));
    assert_true(check("{\"a\": [{\"b\": 1}, {\"b\": 2}, {\"b\": 3}], \"c\": 4}"));
    assert_true(check("[[{}, {}, {}, {}], [{}]]"));
    assert_true(check("[\"0123456789012\", \"x}, {y}, {z\", {}]"));
    assert_true(check("[\"\\\"}, {\\\"a\\\": 1}, {\\\"a\\\": 1}], []\", 5]"));
    assert_true(check("[{}, {\"a\": \"}, {\\\"b\\\"\"}]"));
    assert_false(check("{\"a\": {}, {\"b\": 2}}"));
    assert_false(check("[{\"a\": 1}, {\"b\": 2}"));
    assert_false(check("[{\"a\": 1}, {\"b\": 2}}"));
    assert_false(check("[{\"a\": 1}, {\"b\": 2}] ]"));
    assert_false(check("[{\"a\": 1}, {\"b\": 2, \"b\": 3}]"));
    assert_false(check("[{\"a\": 1 1}, {\"b\": 2}]"));
    assert_false(check("{}, {}"));
    assert_false(check("[{}, {},]"));
    assert_false(check("[{},, {}]"));
    assert_false(check("{\"a\": [{\"b\": 1}, {\"b\": 1\": 2}, {\"b2: 3}], rrr * 4}"));
}

/* `open` before elements, and then what closes it. */
static void add_nested(em_strbuf *out, size_t depth)
{
    for (size_t i = 0; i < depth; i++)
        em_strbuf_puts(out, "[");
    for (size_t i = 0; i < depth; i++)
        em_strbuf_puts(out, "]");
}

/* How deep the list is counts for what the other thread reads. */
static void depth_is_bounded(void **state)
{
    (void)state;
    for (size_t around = 1; around <= EM_JSON_DEPTH_MOST; around++)
        for (size_t within = EM_JSON_DEPTH_MOST - around - 1; within < EM_JSON_DEPTH_MOST;
             within += 1) {
            EM_AUTO(em_strbuf) text = {0};
            for (size_t i = 0; i < around; i++)
                em_strbuf_puts(&text, "[");
            em_strbuf_puts(&text, "{\"a\": \"to the middle of it all, and much farther, and "
                                  "farther still: here are some more words, and here are some\"}, "
                                  "{\"b\": ");
            add_nested(&text, within);
            em_strbuf_puts(&text, within == 0 ? "1}" : "}");
            for (size_t i = 0; i < around; i++)
                em_strbuf_puts(&text, "]");
            assert_int_equal(check_text(em_strbuf_slice(&text)),
                             around + 1 + within <= EM_JSON_DEPTH_MOST);
            if (within > EM_JSON_DEPTH_MOST - around)
                break;
        }
}

static void the_number_of_values_is_bounded(void **state)
{
    (void)state;
    for (size_t more = 0; more < 3; more++) {
        EM_AUTO(em_strbuf) text = {0};
        size_t count = EM_JSON_VALUES_MOST - 2 + more; /* beside the list */
        em_strbuf_puts(&text, "[{}");
        for (size_t i = 1; i < count; i++)
            em_strbuf_puts(&text, ",{}");
        em_strbuf_puts(&text, "]");
        assert_false(text.failed);
        assert_int_equal(check_text(em_strbuf_slice(&text)), more < 2);
    }
}

/* As it is for who uses it: the other thread may come too late. */
static void a_long_text_is_read_as_ever(void **state)
{
    (void)state;
    enum { OBJECTS = 20000 };
    EM_AUTO(em_strbuf) text = {0};
    em_strbuf_puts(&text, "{\"edits\": [");
    for (size_t i = 0; i < OBJECTS; i++)
        em_strbuf_printf(&text, "%s{\"old\": \"line %zu }, {\", \"new\": \"l\\u0069ne\"}",
                         i > 0 ? ", " : "", i);
    em_strbuf_puts(&text, "], \"dry_run\": true}");
    for (int times = 0; times < 20; times++) {
        reading r = read_text(em_strbuf_slice(&text), 1 << 18, false);
        assert_int_equal(r.status, EM_OK);
        const json_t *edits = json_object_get(r.value, "edits");
        assert_int_equal(json_array_size(edits), OBJECTS);
        for (size_t i = 0; i < OBJECTS; i++) {
            char line[40];
            snprintf(line, sizeof line, "line %zu }, {", i);
            assert_string_equal(json_string_value(json_object_get(json_array_get(edits, i), "old")),
                                line);
        }
        assert_true(json_is_true(json_object_get(r.value, "dry_run")));
        json_decref(r.value);
    }
}

static bool read_in_halves(void *context)
{
    reading r = read_text(em_slice_of(context), 0, true);
    assert_true(r.status == EM_OK || r.status == EM_E_NOMEM);
    assert_int_equal(r.value != NULL, r.status == EM_OK);
    json_decref(r.value);
    return r.status == EM_OK;
}

/* In either thread. */
static void memory_may_run_out(void **state)
{
    (void)state;
    static char text[] = "[{\"a\": [1, 2]}, {\"b\": \"\\u0041\"}, {\"c\": {}}, {\"d\": 1e999}]";
    assert_true(run_out_of_memory(read_in_halves, text) > 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(any_text_is_read_as_by_one_thread),
        cmocka_unit_test(a_border_may_be_none),
        cmocka_unit_test(depth_is_bounded),
        cmocka_unit_test(the_number_of_values_is_bounded),
        cmocka_unit_test(a_long_text_is_read_as_ever),
        cmocka_unit_test(memory_may_run_out),
    };
    em_json_use_regions();
    return cmocka_run_group_tests(tests, NULL, NULL);
}

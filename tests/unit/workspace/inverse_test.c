#include "workspace/inverse.h"

#include "scratch.h"

#include <stdlib.h>

#include "workspace/content.h"

#define SPLICE(offset, length, text)                                                               \
    {                                                                                              \
        offset, length,                                                                            \
        {                                                                                          \
            text, sizeof(text) - 1                                                                 \
        }                                                                                          \
    }

/* Lay splices into `old`, in the arena. */
static em_slice lay(em_slice old, em_splices splices, em_arena *arena)
{
    em_content content = {.old = old, .splices = splices};
    em_content_walk walk = {0};
    assert_true(em_content_valid(&content));
    size_t size = em_content_size(&content), at = 0;
    char *out = em_alloc(arena, size + 1);
    assert_non_null(out);
    for (;;) {
        em_slice piece = em_content_next(&content, &walk, SIZE_MAX);
        if (piece.len == 0)
            break;
        memcpy(out + at, piece.ptr, piece.len);
        at += piece.len;
    }
    return em_slice_make(out, at);
}

/* There and back again. */
static em_splices check_round_trip(em_slice old, em_splices splices, em_arena *arena)
{
    em_slice code;
    em_splices back;
    em_slice new = lay(old, splices, arena);
    check_status("encode", em_inverse_encode(old, splices, arena, &code), EM_OK);
    check_status("decode", em_inverse_decode(code, arena, &back), EM_OK);
    em_slice again = lay(new, back, arena);
    assert_int_equal(again.len, old.len);
    assert_memory_equal(again.ptr, old.len > 0 ? old.ptr : "", old.len);
    return back;
}

static void test_round_trips_by_table(void **state)
{
    (void)state;
    static const struct {
        const char *old;
        em_splice splices[3];
        size_t count;
    } cases[] = {
        {"", {{0}}, 0},
        {"abc", {{0}}, 0},
        {"", {SPLICE(0, 0, "new")}, 1},
        {"old", {SPLICE(0, 3, "")}, 1},
        {"abcdef", {SPLICE(2, 2, "XYZ")}, 1},
        {"abcdef", {SPLICE(0, 1, "1"), SPLICE(3, 0, "22"), SPLICE(5, 1, "")}, 3},
        {"abcdef", {SPLICE(1, 2, ""), SPLICE(3, 2, "Y")}, 2},
        {"aaaa", {SPLICE(1, 2, "a")}, 1},
        {"aaaa", {SPLICE(1, 1, "aa"), SPLICE(2, 1, "aa")}, 2},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_splices splices = {.items = cases[i].splices, .count = cases[i].count};
        check_round_trip(em_slice_of(cases[i].old), splices, &arena);
    }
}

/* Random splices over texts of two letters, so that edges often are the same. */
static void test_random_round_trips(void **state)
{
    (void)state;
    srandom(1);
    for (int round = 0; round < 2000; round++) {
        EM_AUTO(em_arena) arena = {0};
        char old[300], inserts[300];
        em_splice splices[8];
        size_t size = (size_t)random() % sizeof old, count = 0, at = 0;
        for (size_t i = 0; i < sizeof old; i++) {
            old[i] = "ab"[random() % 2];
            inserts[i] = "ab"[random() % 2];
        }
        while (count < COUNT_OF(splices) && at <= size) {
            em_splice *splice = &splices[count++];
            splice->offset = at + (size_t)random() % (size - at + 1);
            splice->length = (size_t)random() % (size - splice->offset + 1) % 20;
            splice->insert = em_slice_make(inserts, (size_t)random() % 20);
            at = splice->offset + splice->length + 1;
        }
        check_round_trip(em_slice_make(old, size), (em_splices){splices, count}, &arena);
    }
}

static void test_equal_edges_are_left_out(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_splice all = {.offset = 0, .length = 11, .insert = EM_LIT("hello brave world")};
    em_splices back = check_round_trip(EM_LIT("hello world"), (em_splices){&all, 1}, &arena);
    assert_int_equal(back.count, 1);
    assert_int_equal(back.items[0].offset, 6);
    assert_int_equal(back.items[0].length, 6);
    assert_int_equal(back.items[0].insert.len, 0);
}

/* Lengths whose numbers need several bytes. */
static void test_long_splices(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    enum { SIZE = 70000 };
    char *old = malloc(SIZE);
    assert_non_null(old);
    memset(old, 'x', SIZE);
    em_splice splices[] = {SPLICE(300, 20000, "y"), SPLICE(69000, 200, "z")};
    check_round_trip(em_slice_make(old, SIZE), (em_splices){splices, 2}, &arena);
    free(old);
}

static void test_damaged_codes(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        em_slice code;
    } cases[] = {
        {"empty", {"", 0}},
        {"another version", {"\2\0", 2}},
        {"no count", {"\1", 1}},
        {"more splices than bytes", {"\1\2\0\0\0", 5}},
        {"bytes behind the end", {"\1\0\0", 3}},
        {"a splice that is cut off", {"\1\1\0\0", 4}},
        {"old bytes that are not there", {"\1\1\0\0\1", 5}},
        {"a number of more than 64 bits", {"\1\1\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02\0\0", 14}},
        {"a number that never ends", {"\1\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80", 13}},
        {"an offset that wraps around",
         {"\1\2\1\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\0\0", 17}},
        {"an end that wraps around", {"\1\1\2\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\0", 14}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_splices out;
        check_status(cases[i].what, em_inverse_decode(cases[i].code, &arena, &out), EM_E_INVALID);
    }
}

/* Every beginning of a code that is whole is not. */
static void test_cut_codes(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_splice splices[] = {SPLICE(0, 3, "1"), SPLICE(4, 2, "22")};
    em_slice code;
    em_splices out;
    check_status("encode",
                 em_inverse_encode(EM_LIT("abcdefgh"), (em_splices){splices, 2}, &arena, &code),
                 EM_OK);
    for (size_t length = 0; length < code.len; length++)
        check_status("cut", em_inverse_decode(em_slice_sub(code, 0, length), &arena, &out),
                     EM_E_INVALID);
}

static void test_memory_may_end(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_splice splice = SPLICE(0, 1, "x");
    em_slice code;
    em_splices out;
    memory_ends_at(1);
    em_status status = em_inverse_encode(EM_LIT("a"), (em_splices){&splice, 1}, &arena, &code);
    em_status decoded = em_inverse_decode(em_slice_make("\1\1\0\1\1a", 6), &arena, &out);
    memory_ends_at(0);
    check_status("encode", status, EM_E_NOMEM);
    check_status("decode", decoded, EM_E_NOMEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips_by_table),
        cmocka_unit_test(test_random_round_trips),
        cmocka_unit_test(test_equal_edges_are_left_out),
        cmocka_unit_test(test_long_splices),
        cmocka_unit_test(test_damaged_codes),
        cmocka_unit_test(test_cut_codes),
        cmocka_unit_test(test_memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

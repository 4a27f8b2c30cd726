#include "history/inverse.h"

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

static void check_same(em_slice have, em_slice want)
{
    assert_int_equal(have.len, want.len);
    assert_memory_equal(have.ptr, want.len > 0 ? want.ptr : "", want.len);
}

/* What is told of a place is so, in both contents. */
static void check_place(const em_place_change *place, em_slice old, em_slice new)
{
    size_t old_end = place->old_at + place->old_bytes.len;
    size_t new_end = place->new_at + place->new_length;
    size_t lines = 0;
    check_same(place->before, em_slice_sub(old, place->old_at - place->before.len, place->old_at));
    check_same(place->before, em_slice_sub(new, place->new_at - place->before.len, place->new_at));
    check_same(place->after, em_slice_sub(old, old_end, old_end + place->after.len));
    check_same(place->after, em_slice_sub(new, new_end, new_end + place->after.len));
    check_same(place->old_bytes, em_slice_sub(old, place->old_at, old_end));
    if (place->has_new)
        check_same(place->new_bytes, em_slice_sub(new, place->new_at, new_end));
    for (size_t at = 0; at < place->old_at; at++)
        lines += old.ptr[at] == '\n';
    assert_int_equal(place->line, lines);
}

static em_inverse encode_and_decode(em_slice old, em_splices splices, em_script_kind kind,
                                    em_arena *arena)
{
    em_slice code, indexed;
    em_inverse inverse;
    em_lines lines;
    em_text text = em_text_of_bytes(old, EM_UTF8);
    check_status("lines", em_lines_init_blocks(&text, 16, arena, &lines), EM_OK);
    check_status("encode", em_inverse_encode(old, NULL, splices, kind, arena, &code), EM_OK);
    check_status("again", em_inverse_encode(old, &lines, splices, kind, arena, &indexed), EM_OK);
    check_same(indexed, code);
    check_status("decode", em_inverse_decode(code, arena, &inverse), EM_OK);
    return inverse;
}

/* There and back again. */
static em_inverse check_round_trip(em_slice old, em_splices splices, em_arena *arena)
{
    em_splices back, forth;
    em_slice new = lay(old, splices, arena);
    em_inverse inverse = encode_and_decode(old, splices, (em_script_kind){0}, arena);
    check_status("back", em_inverse_back(&inverse, arena, &back), EM_OK);
    check_status("forth", em_inverse_forth(&inverse, arena, &forth), EM_OK);
    check_same(lay(new, back, arena), old);
    check_same(lay(old, forth, arena), new);
    for (size_t i = 0; i < inverse.count; i++)
        check_place(&inverse.places[i], old, new);
    return inverse;
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

/* Random splices over texts of few letters, so that edges often are the same. */
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
            old[i] = "ab\n"[random() % 3];
            inserts[i] = "ab\n"[random() % 3];
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
    em_inverse inverse = check_round_trip(EM_LIT("hello world"), (em_splices){&all, 1}, &arena);
    assert_int_equal(inverse.count, 1);
    assert_int_equal(inverse.places[0].new_at, 6);
    assert_int_equal(inverse.places[0].new_length, 6);
    assert_int_equal(inverse.places[0].old_bytes.len, 0);
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

/* Three whole lines and the rest of the place's own, on either side; not the same bytes twice. */
static void test_what_stands_around(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice old = EM_LIT("1\n2\n3\n4\n5\nAxB\n7\n8\n9\ny\n11\n12\n13\n14\n15\n16\n17\n18\nz");
    em_splice splices[] = {SPLICE(11, 1, "X"), SPLICE(20, 1, "Y"), SPLICE(old.len - 1, 1, "Z")};
    em_inverse inverse = check_round_trip(old, (em_splices){splices, 3}, &arena);
    check_same(inverse.places[0].before, EM_LIT("3\n4\n5\nA"));
    check_same(inverse.places[0].after, EM_LIT("B\n7\n8\n9\n"));
    assert_int_equal(inverse.places[0].line, 5);
    assert_int_equal(inverse.places[1].before.len, 0);
    check_same(inverse.places[1].after, EM_LIT("\n11\n12\n13\n"));
    check_same(inverse.places[2].before, EM_LIT("16\n17\n18\n"));
    assert_true(inverse.ends_file);

    em_splice first = SPLICE(0, 1, "");
    assert_false(check_round_trip(old, (em_splices){&first, 1}, &arena).ends_file);
}

/* A text in units of two bytes is cut between them, and its lines are its own. */
static void test_units(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    static const char text[] = "\xff\xfe"
                               "\x0a\x0a\x0a\0"
                               "a\0b\0c\0";
    em_splice splice = SPLICE(6, 6, "a\0x\0c\0");
    em_script_kind kind = {"utf-16le", {"\n\0", 2}};
    em_inverse inverse = encode_and_decode((em_slice){text, sizeof text - 1},
                                           (em_splices){&splice, 1}, kind, &arena);
    assert_string_equal(inverse.kind.charset, "utf-16le");
    check_same(inverse.kind.newline, kind.newline);
    assert_int_equal(inverse.places[0].line, 1);
    assert_int_equal(inverse.places[0].old_at, 8);
    check_same(inverse.places[0].old_bytes, (em_slice){"b\0", 2});
    check_same(inverse.places[0].before, (em_slice){text, 8});
}

/* Very much is kept in numbers only. */
static void test_bounds(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    enum { MANY = 1000, SIZE = EM_NEW_MOST };
    static char old[MANY * 200], new[SIZE];
    static em_splice many[MANY];
    em_splices forth;
    memset(old, 'o', sizeof old);
    memset(new, 'n', sizeof new);
    for (size_t i = 0; i < MANY; i++)
        many[i] = (em_splice){i * 200, 1, EM_LIT("x")};
    em_inverse inverse =
        check_round_trip((em_slice){old, sizeof old}, (em_splices){many, MANY}, &arena);
    size_t sum = 0;
    for (size_t i = 0; i < MANY; i++)
        sum += inverse.places[i].before.len + inverse.places[i].after.len;
    assert_true(sum >= EM_CONTEXTS_MOST && sum < EM_CONTEXTS_MOST + 2 * EM_CONTEXT_MOST);
    assert_int_equal(inverse.places[MANY - 1].after.len, 0);
    assert_false(inverse.ends_file);

    em_splice two[] = {{0, 1, {new, SIZE}}, {10, 1, EM_LIT("x")}};
    inverse =
        encode_and_decode((em_slice){old, 300}, (em_splices){two, 2}, (em_script_kind){0}, &arena);
    assert_true(inverse.places[0].has_new);
    assert_false(inverse.places[1].has_new);
    assert_int_equal(inverse.places[1].new_length, 1);
    assert_int_equal(inverse.places[0].before.len, 0);
    assert_int_equal(inverse.places[1].after.len, 289);
    check_status("forth", em_inverse_forth(&inverse, &arena, &forth), EM_E_NOT_FOUND);
}

/* What the second version wrote: the same without a seal. */
static void test_the_second_version(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_inverse inverse;
    em_slice code = {"\2\6latin1\1\n\1\3\0\2ab\1\1c\0\0\0", 22};
    check_status("decode", em_inverse_decode(code, &arena, &inverse), EM_OK);
    assert_string_equal(inverse.kind.charset, "latin1");
    assert_int_equal(inverse.count, 1);
    assert_int_equal(inverse.places[0].new_at, 3);
    assert_true(em_slice_is(inverse.places[0].old_bytes, "ab"));
    assert_true(em_slice_is(inverse.places[0].new_bytes, "c"));
}

/* What the first version wrote: distance, new length, old bytes. */
static void test_the_first_version(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_inverse inverse;
    em_splices back;
    check_status("decode",
                 em_inverse_decode((em_slice){"\1\2\3\1\2ab\4\0\1c", 11}, &arena, &inverse), EM_OK);
    assert_int_equal(inverse.count, 2);
    assert_int_equal(inverse.places[1].old_at, 9);
    assert_int_equal(inverse.places[1].new_at, 8);
    assert_true(inverse.places[0].line == EM_NPOS);
    assert_false(inverse.places[0].has_new);
    check_status("back", em_inverse_back(&inverse, &arena, &back), EM_OK);
    assert_int_equal(back.items[0].length, 1);
    assert_true(em_slice_is(back.items[0].insert, "ab"));
}

static void test_damaged_codes(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        em_slice code;
    } cases[] = {
        {"empty", {"", 0}},
        {"another version", {"\4\0\1\n\0\1", 6}},
        {"no seal", {"\3\0\1\n\0\1", 6}},
        {"a seal of other bytes",
         {"\3\0\1\n\0\1"
          "0123456789abcdef",
          22}},
        {"no version", {"\0\0", 2}},
        {"no count", {"\1", 1}},
        {"no newline", {"\2\0\0\0\1", 5}},
        {"a newline that is none", {"\2\0\5aaaaa\0\1", 10}},
        {"more places than bytes", {"\1\2\0\0\0", 5}},
        {"bytes behind the end", {"\1\0\0", 3}},
        {"bytes behind the end too", {"\2\0\1\n\0\1\0", 7}},
        {"a place that is cut off", {"\1\1\0\0", 4}},
        {"old bytes that are not there", {"\1\1\0\0\1", 5}},
        {"a number of more than 64 bits", {"\1\1\xff\xff\xff\xff\xff\xff\xff\xff\xff\x02\0\0", 14}},
        {"a number that never ends", {"\1\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80\x80", 13}},
        {"an offset that wraps around",
         {"\1\2\1\0\0\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\0\0", 17}},
        {"an end that wraps around", {"\1\1\2\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\0", 14}},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_inverse out;
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
    em_inverse out;
    em_script_kind kind = {.charset = "latin1"};
    check_status(
        "encode",
        em_inverse_encode(EM_LIT("abcdefgh"), NULL, (em_splices){splices, 2}, kind, &arena, &code),
        EM_OK);
    for (size_t length = 0; length < code.len; length++)
        check_status("cut", em_inverse_decode(em_slice_sub(code, 0, length), &arena, &out),
                     EM_E_INVALID);
}

static void test_memory_may_end(void **state)
{
    (void)state;
    em_splice splice = SPLICE(0, 1, "x");
    em_script_kind kind = {.charset = "latin1"};
    enum { MUCH = 100000 };
    for (long at = 1;; at++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice code;
        em_inverse inverse;
        em_splices splices;
        memory_ends_at(at);
        /* An arena asks for memory now and then: so that it must, much is taken in between. */
        em_status status =
            em_inverse_encode(EM_LIT("a"), NULL, (em_splices){&splice, 1}, kind, &arena, &code);
        for (int step = 0; step < 3 && status == EM_OK; step++) {
            status = em_alloc_raw(&arena, MUCH) ? EM_OK : EM_E_NOMEM;
            if (status == EM_OK)
                status = step == 0   ? em_inverse_decode(code, &arena, &inverse)
                         : step == 1 ? em_inverse_back(&inverse, &arena, &splices)
                                     : em_inverse_forth(&inverse, &arena, &splices);
        }
        bool ended = memory_ended();
        memory_ends_at(0);
        check_status("all", status, ended ? EM_E_NOMEM : EM_OK);
        if (!ended)
            break;
        assert_true(at < 20);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_round_trips_by_table),
        cmocka_unit_test(test_random_round_trips),
        cmocka_unit_test(test_equal_edges_are_left_out),
        cmocka_unit_test(test_long_splices),
        cmocka_unit_test(test_what_stands_around),
        cmocka_unit_test(test_units),
        cmocka_unit_test(test_bounds),
        cmocka_unit_test(test_the_first_version),
        cmocka_unit_test(test_the_second_version),
        cmocka_unit_test(test_damaged_codes),
        cmocka_unit_test(test_cut_codes),
        cmocka_unit_test(test_memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "base/arena.h"

#include "../with_cmocka.h"
#include "failing_malloc.h"

/* Every byte of what was allocated is writable, and no two allocations share one. */
static void allocations_are_apart(void **state)
{
    (void)state;
    static const size_t sizes[] = {1,    7,       16,      17,  100, 4000, 5000, 70000,  3,
                                   8192, 3 << 20, 1 << 20, 300, 1,   0,    40,   2 << 20};
    enum { COUNT = sizeof sizes / sizeof sizes[0] };
    EM_AUTO(em_arena) arena = {0};
    unsigned char *found[COUNT];
    for (size_t i = 0; i < COUNT; i++) {
        found[i] = em_alloc_raw(&arena, sizes[i]);
        assert_non_null(found[i]);
        assert_int_equal((uintptr_t)found[i] % _Alignof(max_align_t), 0);
        memset(found[i], (int)i, sizes[i]);
    }
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < sizes[i]; j++)
            if (found[i][j] != i)
                fail_msg("allocation %zu was written over at %zu", i, j);
}

static void alloc_gives_zeros(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    memset(em_alloc_raw(&arena, 2000), 0xFF, 2000);
    const char *zeros = em_alloc_array(&arena, 100, 20);
    for (size_t i = 0; i < 2000; i++)
        assert_int_equal(zeros[i], 0);
    assert_non_null(em_alloc(&arena, 0));
}

/* It has room for all of its elements, beside what was there. */
static void an_array_need_not_be_zeroed(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    char *before = em_alloc_array_raw(&arena, 100, 20);
    memset(before, 'b', 2000);
    memset(em_alloc_array_raw(&arena, 1000, 200), 'x', 200000);
    memset(em_alloc_array_raw(&arena, 3, 7), 'x', 21);
    for (size_t i = 0; i < 2000; i++)
        assert_int_equal(before[i], 'b');
    assert_non_null(em_alloc_array_raw(&arena, 0, 8));
}

/* A large request does not make the rest of the current block useless. */
static void a_large_request_has_a_block_of_its_own(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    char *before = em_alloc(&arena, 64);
    em_alloc(&arena, 10 << 20);
    char *after = em_alloc(&arena, 64);
    assert_ptr_equal(after, before + 64);
}

/* What is filled again begins where it began, and does not keep what was large. */
static void a_cleared_arena_is_filled_again(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_arena_clear(&arena);
    assert_null(arena.block);
    char *first = em_alloc(&arena, 100);
    em_alloc(&arena, 3 << 20);
    em_arena_clear(&arena);
    assert_ptr_equal(em_alloc(&arena, 100), first);
    em_alloc(&arena, 5000); /* a second block, the one that stays */
    em_arena_clear(&arena);
    em_alloc(&arena, 5000);
    EM_AUTO(em_arena) large = {0};
    em_alloc(&large, 3 << 20);
    em_arena_clear(&large);
    assert_null(large.block);
}

static void a_dropped_arena_is_empty_again(void **state)
{
    (void)state;
    em_arena arena = {0};
    em_arena_drop(&arena);
    em_alloc(&arena, 100);
    em_arena_drop(&arena);
    assert_null(arena.block);
    assert_non_null(em_alloc(&arena, 100));
    em_arena_drop(&arena);
}

static void strings(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    assert_string_equal(em_arena_string(&arena, EM_LIT("abc")), "abc");
    static const char *const parts[][3] = {
        {"ab", "c", "abc"}, {"", "c", "c"}, {"ab", "", "ab"}, {"", "", ""}};
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        em_slice both;
        em_slice one = em_slice_of(parts[i][0]), other = em_slice_of(parts[i][1]);
        assert_int_equal(em_arena_join(&arena, one, other, &both), EM_OK);
        assert_true(em_slice_is(both, parts[i][2]));
        assert_true(em_slice_ends(both, other) && em_slice_starts(both, one));
    }
    assert_false(em_slice_ends(EM_LIT("abc"), EM_LIT("xabc")));
    assert_false(em_slice_ends(EM_LIT("abc"), EM_LIT("b")));
    assert_string_equal(em_arena_string(&arena, (em_slice){NULL, 0}), "");
    assert_memory_equal(em_arena_string(&arena, em_slice_make("a\0b", 3)), "a\0b\0", 4);
    char passing[] = "abc";
    em_slice kept = em_slice_of(passing);
    assert_int_equal(em_arena_keep(&arena, &kept), EM_OK);
    passing[0] = 'x';
    assert_true(em_slice_is(kept, "abc"));
    assert_string_equal(em_arena_format(&arena, "%s-%d", "x", 7), "x-7");
    assert_string_equal(em_arena_format(&arena, "%s", ""), "");
}

static void grow_keeps_what_is_there(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    int *items = NULL;
    size_t room = 0;
    for (size_t count = 0; count < 1000; count++) {
        assert_int_equal(em_arena_grow(&arena, (void **)&items, count, &room, sizeof *items),
                         EM_OK);
        assert_true(room > count);
        items[count] = (int)count;
    }
    for (int i = 0; i < 1000; i++)
        assert_int_equal(items[i], i);
}

static void requests_beyond_memory(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    assert_null(em_alloc_raw(&arena, SIZE_MAX));
    assert_null(em_alloc_raw(&arena, SIZE_MAX / 16 * 16 - 16));
    assert_null(em_alloc_array(&arena, SIZE_MAX / 2, 3));
    assert_null(em_alloc_array_raw(&arena, SIZE_MAX / 2, 3));
    assert_null(em_arena_string(&arena, em_slice_make("", SIZE_MAX)));
}

static void out_of_memory(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    int one = 1, *items = &one;
    size_t room = 1;
    mallocs_left = 0;
    assert_null(em_alloc(&arena, 1));
    assert_null(em_arena_string(&arena, EM_LIT("a")));
    em_slice both, kept = EM_LIT("a");
    assert_int_equal(em_arena_keep(&arena, &kept), EM_E_NOMEM);
    assert_true(em_slice_is(kept, "a"));
    assert_int_equal(em_arena_join(&arena, EM_LIT("a"), EM_LIT("b"), &both), EM_E_NOMEM);
    assert_null(em_arena_format(&arena, "%d", 1));
    assert_int_equal(em_arena_grow(&arena, (void **)&items, 1, &room, sizeof *items), EM_E_NOMEM);
    mallocs_left = -1;
    assert_ptr_equal(items, &one);
    assert_int_equal(room, 1);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(allocations_are_apart),
        cmocka_unit_test(alloc_gives_zeros),
        cmocka_unit_test(an_array_need_not_be_zeroed),
        cmocka_unit_test(a_large_request_has_a_block_of_its_own),
        cmocka_unit_test(a_cleared_arena_is_filled_again),
        cmocka_unit_test(a_dropped_arena_is_empty_again),
        cmocka_unit_test(strings),
        cmocka_unit_test(grow_keeps_what_is_there),
        cmocka_unit_test(requests_beyond_memory),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "text/patience.h"

#include "../with_cmocka.h"
#include "failing_malloc.h"
#include "random.h"

/* Elements are numbers, which are their own hashes. */
typedef struct numbers {
    const uint64_t *old_items, *new_items;
} numbers;

static bool same_number(const void *context, size_t i, size_t j)
{
    const numbers *n = context;
    return n->old_items[i] == n->new_items[j];
}

static em_status compare(const uint64_t *old, size_t old_count, const uint64_t *new,
                         size_t new_count, size_t limit, em_arena *arena, em_script *script)
{
    numbers both = {old, new};
    em_sequences sequences = {old_count, new_count, same_number, &both};
    return em_patience(&sequences, old, new, limit, arena, script);
}

/* What is left on both sides is the same, in order. */
static void check_script(const uint64_t *old, size_t old_count, const uint64_t *new,
                         size_t new_count, const em_script *script)
{
    size_t i = 0, j = 0;
    assert_true(script->found);
    for (;; i++, j++) {
        while (i < old_count && script->removed[i])
            i++;
        while (j < new_count && script->added[j])
            j++;
        if (i == old_count || j == new_count)
            break;
        assert_int_equal(old[i], new[j]);
    }
    assert_int_equal(i, old_count);
    assert_int_equal(j, new_count);
}

static size_t count_marks(const bool *marks, size_t count)
{
    size_t found = 0;
    for (size_t i = 0; i < count; i++)
        found += marks[i];
    return found;
}

enum { MANY = 20000 };
static uint64_t old_items[MANY], new_items[MANY];

/* Every second one is another: none but these is told as changed. */
static void changes_all_over(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_script script;
    for (size_t i = 0; i < MANY; i++) {
        old_items[i] = i;
        new_items[i] = i % 2 ? MANY + i : i;
    }
    assert_int_equal(compare(old_items, MANY, new_items, MANY, 4, &arena, &script), EM_OK);
    check_script(old_items, MANY, new_items, MANY, &script);
    assert_int_equal(count_marks(script.removed, MANY), MANY / 2);
    assert_int_equal(count_marks(script.added, MANY), MANY / 2);
}

/* A part that moved goes and comes; the rest stays. */
static void a_part_moves(void **state)
{
    (void)state;
    enum { PART = 100, ALL = 1000 };
    EM_AUTO(em_arena) arena = {0};
    em_script script;
    for (size_t i = 0; i < ALL; i++) {
        old_items[i] = i;
        new_items[i] = i < ALL - PART ? i + PART : i - (ALL - PART);
    }
    assert_int_equal(compare(old_items, ALL, new_items, ALL, 8, &arena, &script), EM_OK);
    check_script(old_items, ALL, new_items, ALL, &script);
    assert_int_equal(count_marks(script.removed, ALL), PART);
    assert_int_equal(count_marks(script.added, ALL), PART);
}

static void random_sequences(void **state)
{
    (void)state;
    random_state r = {11};
    for (size_t round = 0; round < 3000; round++) {
        EM_AUTO(em_arena) arena = {0};
        em_script script;
        size_t kinds = 1 + random_below(&r, 40), counts[2];
        for (int side = 0; side < 2; side++) {
            counts[side] = random_below(&r, 40);
            for (size_t i = 0; i < counts[side]; i++)
                (side ? new_items : old_items)[i] = random_below(&r, kinds);
        }
        assert_int_equal(compare(old_items, counts[0], new_items, counts[1], random_below(&r, 12),
                                 &arena, &script),
                         EM_OK);
        check_script(old_items, counts[0], new_items, counts[1], &script);
    }
}

/* The same hash is not the same element. */
static bool same_parity(const void *context, size_t i, size_t j)
{
    const numbers *n = context;
    return n->old_items[i] % 2 == n->new_items[j] % 2;
}

static void hashes_may_collide(void **state)
{
    (void)state;
    static const uint64_t old[] = {1, 2, 3}, new[] = {5, 4, 7}, hashes[] = {9, 8, 7};
    static const uint64_t others[] = {8, 9, 7};
    EM_AUTO(em_arena) arena = {0};
    numbers both = {old, new};
    em_sequences sequences = {3, 3, same_parity, &both};
    em_script script;
    assert_int_equal(em_patience(&sequences, hashes, others, 4, &arena, &script), EM_OK);
    assert_int_equal(count_marks(script.removed, 3), 0);
}

static void memory_runs_out(void **state)
{
    (void)state;
    em_status status = EM_E_NOMEM;
    for (size_t i = 0; i < 400; i++) {
        old_items[i] = i;
        new_items[i] = i % 3 ? i : 1000 + i;
    }
    for (long fails_at = 0; status != EM_OK; fails_at++) {
        EM_AUTO(em_arena) arena = {0};
        em_script script;
        mallocs_left = fails_at;
        status = compare(old_items, 400, new_items, 400, 4, &arena, &script);
        mallocs_left = -1;
        assert_true(status == EM_OK ? fails_at > 3 : status == EM_E_NOMEM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(changes_all_over), cmocka_unit_test(a_part_moves),
        cmocka_unit_test(random_sequences), cmocka_unit_test(hashes_may_collide),
        cmocka_unit_test(memory_runs_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

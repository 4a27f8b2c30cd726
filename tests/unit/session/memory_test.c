#include "base/clock.h"
#include "session/memory.h"

#include <stdio.h>
#include <stdlib.h>

#include "../with_cmocka.h"
#include "failing_malloc.h"

static em_stamp stamp(int64_t mtime_ms)
{
    return (em_stamp){.mtime_ms = mtime_ms, .size = 3, .hash = em_hash_of(EM_LIT("abc"))};
}

static void check(const em_memory *memory, const char *caller, const char *path, int64_t want)
{
    const em_stamp *found = em_memory_find(memory, caller, path);
    assert_int_equal(found ? found->mtime_ms : -1, want);
}

static void the_last_stamp_counts(void **state)
{
    (void)state;
    EM_AUTO(em_memory) memory = {0};
    check(&memory, "me", "/a", -1);
    assert_int_equal(em_memory_put(&memory, "me", "/a", stamp(1)), EM_OK);
    assert_int_equal(em_memory_put(&memory, "me", "/a", stamp(2)), EM_OK);
    check(&memory, "me", "/a", 2);
    assert_int_equal(memory.count, 1);
    const em_stamp *found = em_memory_find(&memory, "me", "/a");
    assert_int_equal(found->size, 3);
    assert_true(em_hash_eq(found->hash, em_hash_of(EM_LIT("abc"))));
}

static void callers_and_files_are_told_apart(void **state)
{
    (void)state;
    EM_AUTO(em_memory) memory = {0};
    assert_int_equal(em_memory_put(&memory, "me", "/a", stamp(1)), EM_OK);
    assert_int_equal(em_memory_put(&memory, "you", "/a", stamp(2)), EM_OK);
    assert_int_equal(em_memory_put(&memory, "me", "/b", stamp(3)), EM_OK);
    check(&memory, "me", "/a", 1);
    check(&memory, "you", "/a", 2);
    check(&memory, "me", "/b", 3);
    check(&memory, "you", "/b", -1);
    check(&memory, "me/", "a", -1);
}

static void the_oldest_gives_way(void **state)
{
    (void)state;
    EM_AUTO(em_memory) memory = {0};
    char path[32];
    for (int i = 0; i < EM_MOST_STAMPS; i++) {
        snprintf(path, sizeof path, "/%d", i);
        assert_int_equal(em_memory_put(&memory, "me", path, stamp(i)), EM_OK);
    }
    assert_int_equal(em_memory_put(&memory, "me", "/0", stamp(7)), EM_OK); /* new once more */
    assert_int_equal(em_memory_put(&memory, "me", "/x", stamp(8)), EM_OK);
    assert_int_equal(memory.count, EM_MOST_STAMPS);
    check(&memory, "me", "/0", 7);
    check(&memory, "me", "/x", 8);
    check(&memory, "me", "/1", -1);
    check(&memory, "me", "/2", 2);
}

static void without_memory_nothing_is_lost(void **state)
{
    (void)state;
    EM_AUTO(em_memory) memory = {0};
    char path[32];
    mallocs_left = 0;
    em_status status = em_memory_put(&memory, "me", "/first", stamp(1));
    mallocs_left = -1;
    assert_int_equal(status, EM_E_NOMEM);
    check(&memory, "me", "/first", -1);
    size_t known = 0;
    do {
        snprintf(path, sizeof path, "/%zu", known++);
        assert_int_equal(em_memory_put(&memory, "me", path, stamp(1)), EM_OK);
    } while (memory.count < memory.room);
    mallocs_left = 0;
    em_status another = em_memory_put(&memory, "me", "/another", stamp(1));
    em_status known_one = em_memory_put(&memory, "me", "/0", stamp(2));
    mallocs_left = -1;
    assert_int_equal(another, EM_E_NOMEM);
    assert_int_equal(known_one, EM_OK);
    assert_int_equal(memory.count, known);
    check(&memory, "me", "/0", 2);
}

static void times_are_rounded_down(void **state)
{
    (void)state;
    static const struct {
        time_t sec;
        long nsec;
        int64_t want;
    } cases[] = {{0, 0, 0}, {1, 999999, 1000}, {1, 1000000, 1001}, {-1, 999999999, -1}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct timespec time = {.tv_sec = cases[i].sec, .tv_nsec = cases[i].nsec};
        assert_int_equal(em_ms_of(time), cases[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_last_stamp_counts),
        cmocka_unit_test(callers_and_files_are_told_apart),
        cmocka_unit_test(the_oldest_gives_way),
        cmocka_unit_test(without_memory_nothing_is_lost),
        cmocka_unit_test(times_are_rounded_down),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

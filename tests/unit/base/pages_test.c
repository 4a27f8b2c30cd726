#include "base/pages.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

#include "../with_cmocka.h"
#include "failing_malloc.h"

typedef void *alloc_fn(em_arena *arena, size_t size);

/* Pages are asked for from some size on; what is given is memory as any other. */
static void check_large(alloc_fn *alloc, size_t least, size_t unit, size_t within)
{
    const size_t sizes[] = {100, least - 1, least, least + 1, 1 << 20, 4 << 20, 5 << 20};
    EM_AUTO(em_arena) arena = {0};
    char *before = em_arena_string(&arena, EM_LIT("before"));
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++) {
        char *bytes = alloc(&arena, sizes[i]);
        assert_non_null(bytes);
        memset(bytes, 'x', sizes[i]);
        if (sizes[i] >= least)
            assert_int_equal((uintptr_t)bytes % unit, within);
    }
    assert_null(alloc(&arena, SIZE_MAX));
    assert_null(alloc(&arena, SIZE_MAX - 4096));
    char *behind = em_arena_string(&arena, EM_LIT("behind"));
    assert_string_equal(before, "before");
    assert_string_equal(behind, "behind");
    mallocs_left = 0;
    char *none = alloc(&arena, 5 << 20);
    mallocs_left = -1;
    assert_null(none);
}

static void large_memory_begins_in_the_middle_of_a_page(void **state)
{
    (void)state;
    em_pages_suppose(EM_PAGES_CHEAP);
    check_large(em_alloc_large, 1 << 16, 4096, 2048);
    em_pages_suppose(EM_PAGES_DEAR);
    check_large(em_alloc_large, 1 << 16, 4096, 2048);
}

static void what_pages_cost_is_measured_once(void **state)
{
    (void)state;
    em_pages_suppose(EM_PAGES_UNKNOWN);
    bool are_dear = em_pages_are_dear();
    for (int i = 0; i < 100; i++)
        assert_int_equal(em_pages_are_dear(), are_dear);
}

static void memory_of_huge_pages_begins_with_one(void **state)
{
    (void)state;
    check_large(em_alloc_huge, 4 << 20, 2 << 20, 0);
}

/* Does the kernel give pages when it is asked to? (Linux 5.14) */
static bool asks_for_pages(void)
{
    static _Alignas(4096) char page[4096];
#ifdef MADV_POPULATE_WRITE
    return madvise(page, sizeof page, MADV_POPULATE_WRITE) == 0;
#else
    (void)page;
    return false;
#endif
}

/* Are all pages of it there, before they are used? */
static bool is_there(const char *bytes, size_t size)
{
    enum { PAGE = 4096 };
    unsigned char there[2048];
    const char *first = bytes + PAGE - (uintptr_t)bytes % PAGE;
    size_t count = (size_t)(bytes + size - first) / PAGE;
    assert_true(count <= sizeof there);
    assert_int_equal(mincore((void *)(uintptr_t)first, count * PAGE, there), 0);
    for (size_t i = 0; i < count; i++)
        if (!(there[i] & 1))
            return false;
    return true;
}

/* Also where some were before. */
static void large_memory_is_there_at_once(void **state)
{
    (void)state;
    enum { SIZE = 6 << 20, SOME = 1 << 20 };
    em_pages_suppose(EM_PAGES_CHEAP);
    for (size_t i = 0; i < 3; i++) {
        EM_AUTO(em_arena) arena = {0};
        char *bytes = em_alloc_large(&arena, SIZE);
        assert_non_null(bytes);
        assert_true(is_there(bytes, SIZE) || !asks_for_pages());
        char *page = bytes + SOME - (uintptr_t)bytes % SOME + i * SOME;
        assert_int_equal(madvise(page, SOME, MADV_DONTNEED), 0);
    }
}

/* How many bytes of it are in huge pages, where nothing else is in the same mapping. */
static size_t in_huge_pages(const char *bytes, size_t size)
{
    char line[512];
    uintptr_t from = 0, to = 0;
    size_t all = 0, kb;
    FILE *maps = fopen("/proc/self/smaps", "re");
    assert_non_null(maps);
    while (fgets(line, sizeof line, maps)) {
        sscanf(line, "%" SCNxPTR "-%" SCNxPTR " ", &from, &to);
        if (sscanf(line, "AnonHugePages: %zu kB", &kb) == 1 && from < (uintptr_t)bytes + size &&
            to > (uintptr_t)bytes)
            all += kb << 10;
    }
    fclose(maps);
    return all;
}

/* Does the kernel join pages when it is asked to? (Linux 6.1, if it was built to) */
static bool joins_pages(char *page)
{
#ifdef MADV_COLLAPSE
    return madvise(page, EM_HUGE_PAGE, MADV_COLLAPSE) == 0;
#else
    (void)page;
    return false;
#endif
}

/* Those that lie within whole huge ones, and what they hold stays. */
static void pages_are_joined(void **state)
{
    (void)state;
    enum { SIZE = 5 * EM_HUGE_PAGE, LESS = 100 };
    char *bytes = mmap(NULL, SIZE, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert_true(bytes != MAP_FAILED);
    memset(bytes, 'x', SIZE);
    char *first = bytes + (EM_HUGE_PAGE - (uintptr_t)bytes % EM_HUGE_PAGE) % EM_HUGE_PAGE;
    size_t before = in_huge_pages(bytes, SIZE);
    em_pages_join(first + 1, EM_HUGE_PAGE - 1);
    em_pages_join(first + LESS, 2 * EM_HUGE_PAGE - 2 * LESS);
    em_pages_join(first, 0);
    assert_int_equal(in_huge_pages(bytes, SIZE), before);
    em_pages_join(first + LESS, 4 * EM_HUGE_PAGE - 2 * LESS);
    size_t after = in_huge_pages(bytes, SIZE);
    bool can = joins_pages(first + EM_HUGE_PAGE) && joins_pages(first + 2 * EM_HUGE_PAGE);
    assert_true(!can || after >= 2 * EM_HUGE_PAGE);
    for (size_t i = 0; i < SIZE; i++)
        assert_int_equal(bytes[i], 'x');
    munmap(bytes, SIZE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(large_memory_is_there_at_once),
        cmocka_unit_test(large_memory_begins_in_the_middle_of_a_page),
        cmocka_unit_test(what_pages_cost_is_measured_once),
        cmocka_unit_test(memory_of_huge_pages_begins_with_one),
        cmocka_unit_test(pages_are_joined),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "text/approx.h"

#include <stdlib.h>
#include <string.h>

#include "../with_cmocka.h"
#include "failing_malloc.h"
#include "random.h"

typedef em_status find_fn(em_slice needle, em_slice hay, size_t limit, size_t most,
                          em_deadline *deadline, em_arena *arena, em_approx_list *out);

static find_fn *const ways[] = {em_approx_find, em_approx_find_plain};
enum { WAYS = 2, MOST_HAY = 120000 };

/* distance[j]: of the needle to the nearest piece that ends at j. By the whole table. */
static void naive(em_slice needle, em_slice hay, size_t *distance)
{
    static size_t column[2][EM_LONGEST_APPROX + 1];
    for (size_t i = 0; i <= needle.len; i++)
        column[0][i] = i;
    distance[0] = needle.len;
    for (size_t j = 1; j <= hay.len; j++) {
        size_t *now = column[j % 2], *before = column[(j - 1) % 2];
        now[0] = 0;
        for (size_t i = 1; i <= needle.len; i++) {
            size_t best = before[i - 1] + (needle.ptr[i - 1] != hay.ptr[j - 1]);
            best = best < before[i] + 1 ? best : before[i] + 1;
            now[i] = best < now[i - 1] + 1 ? best : now[i - 1] + 1;
        }
        distance[j] = now[needle.len];
    }
}

/* Does the distance rise behind `end`, and did it fall before it? */
static bool is_low(const size_t *distance, size_t end, size_t length)
{
    size_t from = end;
    while (from > 0 && distance[from - 1] == distance[end])
        from--;
    bool fell = from > 0 && distance[from - 1] > distance[end];
    return fell && (end == length || distance[end + 1] > distance[end]);
}

static void check(em_slice needle, em_slice hay, size_t limit)
{
    static size_t distance[MOST_HAY + 1];
    naive(needle, hay, distance);
    for (size_t way = 0; way < WAYS; way++) {
        EM_AUTO(em_arena) arena = {0};
        em_approx_list found;
        size_t lows = 0;
        assert_int_equal(ways[way](needle, hay, limit, hay.len + 1, NULL, &arena, &found), EM_OK);
        assert_false(found.timed_out);
        for (size_t end = 1; end <= hay.len; end++)
            lows += distance[end] <= limit && is_low(distance, end, hay.len);
        assert_int_equal(found.count, lows);
        for (size_t i = 0; i < found.count; i++) {
            const em_approx *x = &found.items[i];
            assert_true(is_low(distance, x->end, hay.len));
            assert_int_equal(x->distance, distance[x->end]);
            assert_true(i == 0 || x[-1].distance < x->distance ||
                        (x[-1].distance == x->distance && x[-1].end < x->end));
        }
    }
}

static void small_texts(void **state)
{
    (void)state;
    check(EM_LIT("abc"), EM_LIT("xxabcxx"), 0);
    check(EM_LIT("abc"), EM_LIT("abc"), 1);
    check(EM_LIT("abc"), EM_LIT("ab"), 2);
    check(EM_LIT("abc"), EM_LIT(""), 3);
    check(EM_LIT("a"), EM_LIT("bab"), 0);
    check(EM_LIT(""), EM_LIT(""), 0);
    check(EM_LIT("});"), EM_LIT("{ a: ({}) };\n})\n"), 2);
}

static void random_texts(void **state)
{
    (void)state;
    random_state r = {31};
    static char hay[3000], needle[EM_LONGEST_APPROX];
    for (size_t round = 0; round < 300; round++) {
        size_t kinds = 2 + random_below(&r, 20), length = 1 + random_below(&r, sizeof needle);
        size_t size = random_below(&r, sizeof hay);
        for (size_t i = 0; i < length; i++)
            needle[i] = (char)('a' + random_below(&r, kinds));
        for (size_t i = 0; i < size; i++)
            hay[i] = (char)('a' + random_below(&r, kinds));
        check(em_slice_make(needle, length), em_slice_make(hay, size), random_below(&r, length));
    }
}

/* Long enough for all lanes, with something like the needle at every border between two of them. */
static void long_texts(void **state)
{
    (void)state;
    random_state r = {37};
    static char hay[MOST_HAY];
    em_slice needle = EM_LIT("max_connections_per_worker = 200");
    for (size_t i = 0; i < sizeof hay; i++)
        hay[i] = (char)('a' + random_below(&r, 26));
    for (size_t at = 1000; at + 100 < sizeof hay; at += 1024 - 7) {
        memcpy(hay + at, needle.ptr, needle.len);
        hay[at + random_below(&r, needle.len)] = '#';
    }
    check(needle, em_slice_make(hay, sizeof hay), 9);
    check(needle, em_slice_make(hay, sizeof hay - 12345), 20);
}

/* Of too many the best are kept. */
static void only_so_many(void **state)
{
    (void)state;
    static char hay[100000];
    for (size_t i = 0; i + 4 <= sizeof hay; i += 4)
        memcpy(hay + i, i % 1000 == 0 ? "abc;" : "axc;", 4);
    for (size_t way = 0; way < WAYS; way++)
        for (size_t most = 0; most < 300; most += 60) {
            EM_AUTO(em_arena) arena = {0};
            em_approx_list found;
            em_slice text = em_slice_make(hay, sizeof hay);
            assert_int_equal(ways[way](EM_LIT("abc"), text, 2, most, NULL, &arena, &found), EM_OK);
            assert_int_equal(found.count, most);
            for (size_t i = 0; i < most && i < 100; i++) {
                assert_int_equal(found.items[i].distance, 0);
                assert_int_equal(found.items[i].end, 1000 * i + 3);
            }
            for (size_t i = 100; i < most; i++)
                assert_int_equal(found.items[i].distance, 1);
        }
}

static void a_passed_deadline(void **state)
{
    (void)state;
    static char hay[MOST_HAY];
    memset(hay, 'a', sizeof hay);
    for (size_t way = 0; way < WAYS; way++) {
        EM_AUTO(em_arena) arena = {0};
        em_deadline deadline = {.at = 1, .passed = true};
        em_approx_list found;
        em_slice text = em_slice_make(hay, sizeof hay);
        assert_int_equal(ways[way](EM_LIT("aab"), text, 1, 5, &deadline, &arena, &found), EM_OK);
        assert_true(found.timed_out);
    }
}

static void out_of_memory(void **state)
{
    (void)state;
    for (size_t way = 0; way < WAYS; way++) {
        EM_AUTO(em_arena) arena = {0};
        em_approx_list found;
        mallocs_left = 0;
        em_status status = ways[way](EM_LIT("ab"), EM_LIT("abc"), 1, 5, NULL, &arena, &found);
        mallocs_left = -1;
        assert_int_equal(status, EM_E_NOMEM);
        status = ways[way](EM_LIT("ab"), EM_LIT("abc"), 1, SIZE_MAX, NULL, &arena, &found);
        assert_int_equal(status, EM_E_NOMEM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_texts),       cmocka_unit_test(random_texts),
        cmocka_unit_test(long_texts),        cmocka_unit_test(only_so_many),
        cmocka_unit_test(a_passed_deadline), cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

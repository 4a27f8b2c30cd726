#include "match/anchors.h"

#include "base/ascii.h"

#include <stdio.h>
#include <stdlib.h>

#include "../with_cmocka.h"
#include "failing_malloc.h"
#include "text/needles.h"

/* They are pieces of the search text, at the places that they say, and do not overlap. */
static em_anchors anchors_of(em_slice text, em_slice find, em_arena *arena)
{
    em_anchors anchors;
    assert_int_equal(em_anchors_choose(text, find, arena, &anchors), EM_OK);
    assert_in_range(anchors.count, 0, EM_MOST_ANCHORS);
    for (size_t i = 0; i < anchors.count; i++) {
        const em_anchor *a = &anchors.items[i];
        assert_true(a->bytes.len >= EM_SHORTEST_NEEDLE);
        assert_in_range(a->count, 1, EM_MOST_ANCHOR_PLACES);
        for (size_t k = 0; k < a->count; k++)
            assert_true(em_same_in_any_case(a->bytes,
                                            em_slice_sub(find, a->at[k], a->at[k] + a->bytes.len)));
        for (size_t j = 0; j < i; j++) {
            const em_anchor *b = &anchors.items[j];
            assert_false(em_same_in_any_case(a->bytes, b->bytes));
            assert_true(a->at[0] + a->bytes.len <= b->at[0] || b->at[0] + b->bytes.len <= a->at[0]);
        }
    }
    return anchors;
}

static const em_anchor *anchor(const em_anchors *anchors, const char *bytes)
{
    for (size_t i = 0; i < anchors->count; i++)
        if (em_slice_is(anchors->items[i].bytes, bytes))
            return &anchors->items[i];
    return NULL;
}

/* A short text is known whole: what it lacks is no anchor. */
static void of_a_short_text(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice text = EM_LIT("const first = load(name); const second = STORE(name, value);");
    em_slice find = EM_LIT("const third = store(name, values, name, extra);");
    em_anchors anchors = anchors_of(text, find, &arena);
    assert_int_equal(anchors.count, 3);
    assert_non_null(anchor(&anchors, "const"));
    assert_non_null(anchor(&anchors, "store"));
    const em_anchor *name = anchor(&anchors, "name");
    assert_non_null(name);
    assert_int_equal(name->count, 2);
    assert_int_equal(name->at[0], 20);
    assert_int_equal(name->at[1], 34);
}

/* A search text of few words is cut finer, one without words by its signs. */
static void of_short_search_texts(void **state)
{
    (void)state;
    static const struct {
        const char *find;
        size_t count;
    } cases[] = {
        {"", 0},
        {"  \n", 0},
        {"});", 1},
        {"a b c d", 0},
        {"getUserNameOrElse", 5},
        {"()=>{};()=>{};", 2},
        {"max_connections_per_worker", 5},
        {"\xE4\xBD\xA0\xE5\xA5\xBD\xE4\xB8\x96\xE7\x95\x8C", 3},
    };
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice find = em_slice_of(cases[i].find);
        em_anchors anchors = anchors_of(find, find, &arena);
        if (anchors.count != cases[i].count)
            fail_msg("%s: %zu", cases[i].find, anchors.count);
    }
}

/* Of a text that is too long to be known whole, a sample tells what is rare; anchors that it lacks
 * are kept, and some that it has too. */
static void of_a_long_text(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    enum { LENGTH = 1 << 18 };
    static char bytes[LENGTH], find[2000];
    for (size_t i = 0; i < LENGTH; i++)
        bytes[i] = "common every where sometimes\n"[i % 29];
    memcpy(bytes + 100000, "seldom", 6);
    size_t length = 0;
    for (size_t i = 0; i < 40; i++)
        length += (size_t)sprintf(find + length, "absent_%zu(common, seldom, Every, WHERE);\n", i);
    em_anchors anchors =
        anchors_of(em_slice_make(bytes, LENGTH), em_slice_make(find, length), &arena);
    assert_int_equal(anchors.count, EM_MOST_ANCHORS);
    size_t present = 0;
    static const char *const words[] = {"common", "seldom", "Every", "WHERE"};
    for (size_t i = 0; i < 4; i++) {
        const em_anchor *a = anchor(&anchors, words[i]);
        if (!a)
            continue;
        present++;
        assert_int_equal(a->count, EM_MOST_ANCHOR_PLACES);
    }
    assert_true(present >= 3);
}

/* A search text of megabytes gives anchors from all over it, for little work. */
static void of_a_long_search_text(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    enum { LENGTH = 1 << 20 };
    char *find = malloc(LENGTH + 20);
    assert_non_null(find);
    for (size_t at = 0; at < LENGTH; at += 10)
        sprintf(find + at, "w%08zu ", at);
    em_anchors anchors =
        anchors_of(em_slice_make(find, LENGTH), em_slice_make(find, LENGTH), &arena);
    assert_int_equal(anchors.count, EM_MOST_ANCHORS);
    free(find);
}

static void out_of_memory(void **state)
{
    (void)state;
    for (long fails_at = 0; fails_at < 2; fails_at++) {
        EM_AUTO(em_arena) arena = {0};
        em_anchors anchors;
        mallocs_left = fails_at;
        em_status status = em_anchors_choose(EM_LIT("abc"), EM_LIT("abc"), &arena, &anchors);
        mallocs_left = -1;
        assert_int_equal(status, EM_E_NOMEM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(of_a_short_text), cmocka_unit_test(of_short_search_texts),
        cmocka_unit_test(of_a_long_text),  cmocka_unit_test(of_a_long_search_text),
        cmocka_unit_test(out_of_memory),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

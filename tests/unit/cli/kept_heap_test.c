#include "cli/kept_heap.h"

#include "base/pages.h"
#include "base/spare.h"
#include "base/thread.h"

#include <string.h>

#include "../with_cmocka.h"
#include "break.h"

/* ---- The other thread ------------------------------------------------------------------------ */

static enum { AT_ONCE, LATER, NONE } other; /* when it does its work */
static em_work *late_work;
static void *late_context;

bool __wrap_em_spare_begin(const cpu_set_t *processors, em_work *work, void *context);

bool __wrap_em_spare_begin(const cpu_set_t *processors, em_work *work, void *context)
{
    assert_true(CPU_COUNT(processors) > 0);
    late_work = work;
    late_context = context;
    if (other == AT_ONCE)
        work(context);
    return other != NONE;
}

/* What it was to join since it was last asked. */
static const char *joined;
static size_t joined_size;

void __real_em_pages_join(const void *from, size_t size);
void __wrap_em_pages_join(const void *from, size_t size);

void __wrap_em_pages_join(const void *from, size_t size)
{
    assert_int_equal(joined_size, 0);
    joined = from;
    joined_size = size;
    __real_em_pages_join(from, size);
}

/* How many bytes are joined now. */
static size_t settle(void)
{
    joined_size = 0;
    em_kept_heap_settle();
    return joined_size;
}

/* ---- Calls ----------------------------------------------------------------------------------- */

enum { MOST = 200 };
static char *pieces[MOST];

static void take(size_t count)
{
    for (size_t i = 0; i < count; i++) {
        assert_non_null(pieces[i] = malloc(MB));
        memset(pieces[i], 'x', MB);
    }
}

static void give_back(size_t count)
{
    for (size_t i = 0; i < count; i++)
        free(pieces[i]);
}

/* A server begins, where there is something to be seen of its heap. */
static void begin(void)
{
    cpu_set_t others;
    other = AT_ONCE;
    if (!heap_is_the_break() || !em_other_processors(&others))
        skip();
    em_kept_heap_init();
}

/* ---- Tests ----------------------------------------------------------------------------------- */

static void what_a_call_left_is_joined_once(void **state)
{
    (void)state;
    begin();
    const char *before = sbrk(0);
    take(30);
    give_back(30);
    const char *after = sbrk(0);
    assert_true(after - before >= 20 * MB); /* beside what was left; and it is kept */
    assert_true(settle() >= 18 * MB);
    assert_true(joined >= before && joined + joined_size <= after);
    assert_int_equal(settle(), 0);
    take(30);
    give_back(30);
    assert_int_equal(settle(), 0);
}

static void little_is_not_worth_it(void **state)
{
    (void)state;
    begin();
    assert_int_equal(settle(), 0);
    free(malloc(1000));
    assert_int_equal(settle(), 0);
}

/* What comes there later is new. */
static void a_heap_that_has_shrunk_is_joined_anew(void **state)
{
    (void)state;
    begin();
    take(MOST);
    settle();
    const char *high = sbrk(0);
    give_back(MOST);
    const char *low = sbrk(0);
    assert_true(high - low >= 64 * MB);
    assert_int_equal(settle(), 0);
    take(MOST);
    assert_true(settle() >= 64 * MB);
    assert_true(joined <= low);
    give_back(MOST);
}

static void one_thread_at_a_time_does_it(void **state)
{
    (void)state;
    begin();
    take(MOST / 2);
    other = LATER;
    assert_int_equal(settle(), 0);
    take(MOST / 2);
    other = AT_ONCE;
    assert_int_equal(settle(), 0); /* the other one is about to */
    late_work(late_context);
    assert_true(joined_size > 0);
    assert_true(settle() > 0);
}

static void where_there_is_no_thread_it_is_left(void **state)
{
    (void)state;
    begin();
    take(MOST / 2);
    other = NONE;
    assert_int_equal(settle(), 0);
    other = AT_ONCE;
    take(MOST / 2);
    assert_true(settle() > 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_a_call_left_is_joined_once),
        cmocka_unit_test(little_is_not_worth_it),
        cmocka_unit_test(a_heap_that_has_shrunk_is_joined_anew),
        cmocka_unit_test(one_thread_at_a_time_does_it),
        cmocka_unit_test(where_there_is_no_thread_it_is_left),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

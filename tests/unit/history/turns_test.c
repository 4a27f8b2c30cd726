/* Tests history/turns.h: who has the turn, who gets it, and who gives up. */
#include "history/turns.h"

#include "base/clock.h"
#include "base/thread.h"

#include <stdatomic.h>

#include <unistd.h>

#include "../with_cmocka.h"

enum { SHORT_MS = 30, LONG_MS = 60000 };

static void test_one_at_a_time(void **state)
{
    (void)state;
    em_turns *one = em_turns_join("/state"), *same = em_turns_join("/state");
    em_turns *other = em_turns_join("/other");
    assert_ptr_equal(one, same);
    assert_ptr_not_equal(one, other);
    assert_true(em_turns_take(one, SHORT_MS));
    assert_true(em_turns_take(other, SHORT_MS));
    assert_false(em_turns_take(same, SHORT_MS));
    em_turns_give(one, true);
    assert_true(em_turns_take(same, SHORT_MS));
    em_turns_give(same, true);
    em_turns_give(other, true);
    em_turns_leave(same);
    em_turns_leave(one);
    em_turns_leave(other);
    one = em_turns_join("/state"); /* a new one, which nobody has */
    assert_true(em_turns_take(one, 0));
    em_turns_give(one, true);
    em_turns_leave(one);
}

/* One that waits in a thread of its own. */
typedef struct waiting {
    em_turns *turns;
    long patience_ms;
    atomic_bool over;
    bool had;
    pthread_t thread;
} waiting;

static void *wait_and_give(void *context)
{
    waiting *w = context;
    w->had = em_turns_take(w->turns, w->patience_ms);
    if (w->had)
        em_turns_give(w->turns, true);
    atomic_store(&w->over, true);
    return NULL;
}

static waiting *wait_beside(waiting *w, em_turns *turns, long patience_ms)
{
    *w = (waiting){.turns = turns, .patience_ms = patience_ms};
    assert_true(em_thread_start(&w->thread, wait_and_give, w, 0));
    return w;
}

static bool join(waiting *w)
{
    pthread_join(w->thread, NULL);
    return w->had;
}

static void test_who_waits_gets_it(void **state)
{
    (void)state;
    enum { COUNT = 40 };
    waiting all[COUNT];
    em_turns *turns = em_turns_join("/state");
    assert_true(em_turns_take(turns, 0));
    for (size_t i = 0; i < COUNT; i++)
        wait_beside(&all[i], turns, LONG_MS);
    em_turns_give(turns, true);
    for (size_t i = 0; i < COUNT; i++)
        assert_true(join(&all[i]));
    assert_true(em_turns_take(turns, 0));
    em_turns_give(turns, true);
    em_turns_leave(turns);
}

/* Somebody takes the turn again and again as soon as it is free. */
static void test_nobody_is_overtaken_for_ever(void **state)
{
    (void)state;
    waiting one;
    em_turns *turns = em_turns_join("/state");
    assert_true(em_turns_take(turns, 0));
    wait_beside(&one, turns, LONG_MS);
    while (!atomic_load(&one.over)) {
        em_turns_give(turns, true);
        assert_true(em_turns_take(turns, LONG_MS));
    }
    em_turns_give(turns, true);
    assert_true(join(&one));
    em_turns_leave(turns);
}

/* Turns end in this way for three times as long as it has patience. Did it get the turn? It may
 * always have been quicker than who gives it and takes it again. */
static bool gets_it_where_turns_end(bool well)
{
    enum { PATIENCE_MS = 100 };
    waiting one;
    em_turns *turns = em_turns_join("/state");
    assert_true(em_turns_take(turns, 0));
    wait_beside(&one, turns, PATIENCE_MS);
    for (int64_t until = em_monotonic_ms() + 3L * PATIENCE_MS; em_monotonic_ms() < until;) {
        em_turns_give(turns, well);
        assert_true(em_turns_take(turns, LONG_MS));
        usleep(1000);
    }
    em_turns_give(turns, well);
    bool had = join(&one);
    em_turns_leave(turns);
    return had;
}

static void test_patience_while_others_get_on(void **state)
{
    (void)state;
    assert_true(gets_it_where_turns_end(true));
}

static void test_no_patience_with_those_who_fail(void **state)
{
    (void)state;
    bool had = true;
    for (size_t tries = 0; had && tries < 50; tries++)
        had = gets_it_where_turns_end(false);
    assert_false(had);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_one_at_a_time),
        cmocka_unit_test(test_who_waits_gets_it),
        cmocka_unit_test(test_nobody_is_overtaken_for_ever),
        cmocka_unit_test(test_patience_while_others_get_on),
        cmocka_unit_test(test_no_patience_with_those_who_fail),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

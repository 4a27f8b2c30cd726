#include "base/beside.h"

#include <errno.h>
#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <string.h>

#include "../with_cmocka.h"
#include "failing_malloc.h"

/* ---- Threads that start when the test wants it ---------------------------------------------- */

typedef void *start_fn(void *);
typedef enum starting { AT_ONCE, LATE, NEVER } starting;

static starting threads_start;
static start_fn *late_start;
static void *late_context;

int __real_pthread_create(pthread_t *thread, const pthread_attr_t *attr, start_fn *start,
                          void *context);
int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, start_fn *start,
                          void *context);

int __wrap_pthread_create(pthread_t *thread, const pthread_attr_t *attr, start_fn *start,
                          void *context)
{
    if (threads_start == AT_ONCE)
        return __real_pthread_create(thread, attr, start, context);
    late_start = start;
    late_context = context;
    return threads_start == LATE ? 0 : EAGAIN;
}

/* None waits, so who begins needs a new one. */
static void let_new_ones_start(starting when)
{
    em_spare_let_go();
    threads_start = when;
}

/* It does what it was started for, and does not wait for more. */
static void start_the_late_one(void)
{
    em_spare_let_go();
    late_start(late_context);
}

static int reset(void **state)
{
    (void)state;
    let_new_ones_start(AT_ONCE);
    late_start = NULL;
    mallocs_left = -1;
    return 0;
}

static bool is_one_processor(void)
{
    cpu_set_t processors;
    assert_int_equal(sched_getaffinity(0, sizeof processors, &processors), 0);
    return CPU_COUNT(&processors) == 1;
}

/* ---- One piece of work ---------------------------------------------------------------------- */

typedef struct job {
    pthread_t by;
    int times;
    atomic_bool has_begun;
} job;

static void work(void *context)
{
    job *j = context;
    j->by = pthread_self();
    j->times++;
    j->has_begun = true;
}

static void check_done_once(em_beside *beside, const job *j)
{
    em_beside_end(beside);
    em_beside_end(beside); /* nothing is left to be done */
    assert_int_equal(j->times, 1);
}

static void another_thread_does_it(void **state)
{
    (void)state;
    job j = {.times = 0};
    em_beside beside;
    em_beside_begin(&beside, work, &j);
    while (!is_one_processor() && !j.has_begun)
        sched_yield();
    check_done_once(&beside, &j);
    assert_int_equal(pthread_equal(j.by, pthread_self()) != 0, is_one_processor());
}

static void whoever_comes_first_does_it(void **state)
{
    (void)state;
    for (int i = 0; i < 2000; i++) {
        job j = {.times = 0};
        em_beside beside;
        em_beside_begin(&beside, work, &j);
        for (int k = 0; k < i % 50; k++)
            sched_yield();
        check_done_once(&beside, &j);
    }
}

static void a_thread_that_comes_too_late_does_nothing(void **state)
{
    (void)state;
    job j = {.times = 0};
    em_beside beside;
    let_new_ones_start(LATE);
    em_beside_begin(&beside, work, &j);
    check_done_once(&beside, &j);
    assert_true(pthread_equal(j.by, pthread_self()));
    if (is_one_processor())
        return;
    assert_non_null(late_start);
    start_the_late_one();
    assert_int_equal(j.times, 1);
}

static void where_no_thread_is_to_be_had_this_one_does_it(void **state)
{
    (void)state;
    job j = {.times = 0};
    em_beside beside;
    let_new_ones_start(NEVER);
    em_beside_begin(&beside, work, &j);
    check_done_once(&beside, &j);
    assert_true(pthread_equal(j.by, pthread_self()));
}

static void without_memory_this_one_does_it(void **state)
{
    (void)state;
    job j = {.times = 0};
    em_beside beside;
    mallocs_left = 0;
    em_beside_begin(&beside, work, &j);
    mallocs_left = -1;
    check_done_once(&beside, &j);
    assert_true(pthread_equal(j.by, pthread_self()));
}

static void on_one_processor_this_one_does_it(void **state)
{
    (void)state;
    cpu_set_t all, here;
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&here);
    CPU_SET((size_t)sched_getcpu(), &here);
    assert_int_equal(sched_setaffinity(0, sizeof here, &here), 0);
    job j = {.times = 0};
    em_beside beside;
    em_beside_begin(&beside, work, &j);
    check_done_once(&beside, &j);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
    assert_true(pthread_equal(j.by, pthread_self()));
}

static void nothing_was_begun(void **state)
{
    (void)state;
    em_beside none = {.work = NULL};
    assert_true(em_beside_is_over(&none));
    em_beside_end(&none);
}

static void whether_it_is_over_is_known(void **state)
{
    (void)state;
    job j = {.times = 0};
    em_beside beside;
    em_beside_begin(&beside, work, &j);
    while (!em_beside_is_over(&beside))
        sched_yield();
    check_done_once(&beside, &j);
    let_new_ones_start(LATE);
    em_beside_begin(&beside, work, &j);
    assert_int_equal(em_beside_is_over(&beside), is_one_processor());
    em_beside_end(&beside);
    if (!is_one_processor())
        start_the_late_one();
    let_new_ones_start(NEVER);
    em_beside_begin(&beside, work, &j);
    assert_true(em_beside_is_over(&beside)); /* nobody else is there to wait for */
    em_beside_end(&beside);
    assert_int_equal(j.times, 3);
}

/* ---- Errands -------------------------------------------------------------------------------- */

static em_status leave_text(void *context, em_arena *arena)
{
    const char **left = context;
    *left = em_arena_format(arena, "%d", 42);
    return *left ? EM_E_NOT_FOUND : EM_E_NOMEM;
}

static void an_errand_leaves_something_and_tells(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    const char *left = NULL;
    {
        EM_AUTO(em_errand) errand = {.work = NULL};
        em_errand_begin(&errand, leave_text, &left);
        assert_int_equal(em_errand_end(&errand, &arena), EM_E_NOT_FOUND);
        assert_int_equal(em_errand_end(&errand, &arena), EM_OK);
    }
    assert_string_equal(left, "42"); /* what is in `arena` outlasts it */
}

static void an_errand_is_dropped_when_it_is_done(void **state)
{
    (void)state;
    const char *left = NULL;
    {
        EM_AUTO(em_errand) errand = {.work = NULL};
        em_errand_begin(&errand, leave_text, &left);
    }
    assert_non_null(left);
    EM_AUTO(em_errand) none = {.work = NULL};
    EM_AUTO(em_arena) arena = {0};
    assert_int_equal(em_errand_end(&none, &arena), EM_OK);
}

/* ---- One after the other --------------------------------------------------------------------- */

enum { PIECES = 3000 };

/* What the pieces leave, in order. */
typedef struct row {
    int numbers[PIECES], count, next;
} row;

static void add_number(void *context)
{
    row *r = context;
    r->numbers[r->count++] = r->next;
}

/* Each piece is done once, after the one before it, and is done when it was waited for. */
static void hand_pieces(em_worker *worker, row *r)
{
    r->count = 0;
    for (int i = 0; i < PIECES; i++) {
        if (worker)
            em_worker_wait(worker);
        r->next = i;
        em_worker_hand(worker, add_number, r);
        for (int k = 0; k < i % 17 * (i % 100 == 0); k++)
            sched_yield();
    }
    if (worker)
        em_worker_wait(worker);
    assert_int_equal(r->count, PIECES);
    for (int i = 0; i < PIECES; i++)
        assert_int_equal(r->numbers[i], i);
}

static void pieces_are_done_one_after_the_other(void **state)
{
    (void)state;
    static row r;
    em_worker *worker = em_worker_start();
    assert_int_equal(worker == NULL, is_one_processor());
    hand_pieces(worker, &r);
    em_worker_end(worker);
    em_worker_end(em_worker_start()); /* that has had none */
    em_worker_wait(NULL);
}

static void the_end_waits_for_the_last_piece(void **state)
{
    (void)state;
    for (int i = 0; i < 200; i++) {
        job j = {.times = 0};
        em_worker *worker = em_worker_start();
        em_worker_hand(worker, work, &j);
        em_worker_end(worker);
        assert_int_equal(j.times, 1);
    }
}

static void a_worker_that_comes_too_late_does_nothing(void **state)
{
    (void)state;
    static row r;
    let_new_ones_start(LATE);
    em_worker *worker = em_worker_start();
    hand_pieces(worker, &r);
    em_worker_end(worker);
    if (is_one_processor())
        return;
    assert_non_null(late_start);
    start_the_late_one();
    assert_int_equal(r.count, PIECES);
}

static void without_a_worker_this_thread_does_the_pieces(void **state)
{
    (void)state;
    static row r;
    let_new_ones_start(NEVER);
    assert_null(em_worker_start());
    threads_start = AT_ONCE;
    mallocs_left = 0;
    em_worker *worker = em_worker_start();
    mallocs_left = -1;
    assert_null(worker);
    hand_pieces(worker, &r);
    em_worker_end(worker);
}

/* ---- Halves --------------------------------------------------------------------------------- */

enum { ELEMENTS = 100 };

typedef struct counting {
    int times[ELEMENTS];
    atomic_int parts;
} counting;

static void count_some(void *context, size_t from, size_t to)
{
    counting *c = context;
    for (size_t i = from; i < to; i++)
        c->times[i]++;
    c->parts++;
}

static void each_element_is_done_once(void **state)
{
    (void)state;
    for (size_t count = 0; count <= ELEMENTS; count++)
        for (size_t worth = 0; worth <= ELEMENTS + 1; worth += 7) {
            counting c = {.parts = 0};
            em_in_halves(count, worth, count_some, &c);
            for (size_t i = 0; i < ELEMENTS; i++)
                assert_int_equal(c.times[i], i < count);
            assert_int_equal(c.parts, count >= 2 && count >= worth ? 2 : 1);
        }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(another_thread_does_it, reset),
        cmocka_unit_test_setup(whoever_comes_first_does_it, reset),
        cmocka_unit_test_setup(a_thread_that_comes_too_late_does_nothing, reset),
        cmocka_unit_test_setup(where_no_thread_is_to_be_had_this_one_does_it, reset),
        cmocka_unit_test_setup(without_memory_this_one_does_it, reset),
        cmocka_unit_test_setup(on_one_processor_this_one_does_it, reset),
        cmocka_unit_test_setup(nothing_was_begun, reset),
        cmocka_unit_test_setup(whether_it_is_over_is_known, reset),
        cmocka_unit_test_setup(an_errand_leaves_something_and_tells, reset),
        cmocka_unit_test_setup(an_errand_is_dropped_when_it_is_done, reset),
        cmocka_unit_test_setup(pieces_are_done_one_after_the_other, reset),
        cmocka_unit_test_setup(the_end_waits_for_the_last_piece, reset),
        cmocka_unit_test_setup(a_worker_that_comes_too_late_does_nothing, reset),
        cmocka_unit_test_setup(without_a_worker_this_thread_does_the_pieces, reset),
        cmocka_unit_test_setup(each_element_is_done_once, reset),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "workspace/large.h"

#include "bench.h"

#include "system/names.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { SIZE = 5000 };

typedef struct seen {
    char bytes[2 * SIZE];
    size_t count, window;
    em_status status; /* of the next `take` */
} seen;

static char *room_of(void *context, size_t *size)
{
    seen *s = context;
    *size = s->window;
    return s->bytes + s->count;
}

static em_status take(void *context, size_t length)
{
    seen *s = context;
    s->count += length;
    return s->status;
}

static char content[SIZE + 1];

static void put(bench *b)
{
    for (size_t i = 0; i < SIZE; i++)
        content[i] = (char)('a' + i % 26);
    scratch_put(b->root, "big", content);
    b->options.large = (em_large_limits){.from = SIZE - 1};
}

static em_file open_big(bench *b, em_intent intent)
{
    em_file file;
    put(b);
    bench_open(b);
    check_status("open", em_ws_open_file(b->ws, "big", intent, EM_MAY_BE_LARGE, 0, &file, &b->err),
                 EM_OK);
    return file;
}

static em_status pass(bench *b, em_file *file, seen *s)
{
    em_passage passage = {s, room_of, take};
    s->count = 0;
    b->err = EM_ERROR_INIT;
    return em_large_pass(b->ws, file, &passage, &b->err);
}

static void test_limits(void **state)
{
    bench *b = *state;
    bench_open(b);
    em_large_limits usual = em_ws_large_limits(b->ws);
    assert_int_equal(usual.from, 128 << 20);
    assert_true(usual.speculated > usual.quick);
    assert_true(usual.window > 0 && usual.extract > usual.window);
    bench_close(b);
    b->options.large = (em_large_limits){1, 2, 3, 4, 5, 6, 7};
    bench_open(b);
    em_large_limits own = em_ws_large_limits(b->ws);
    assert_memory_equal(&own, &b->options.large, sizeof own);
}

static void test_which_are_large(void **state)
{
    static const struct {
        uint64_t from;
        unsigned flags;
        bool is_large;
    } cases[] = {{SIZE - 1, EM_MAY_BE_LARGE, true},
                 {SIZE, EM_MAY_BE_LARGE, false},
                 {SIZE - 1, 0, false},
                 {SIZE - 1, EM_RATHER_LARGE, true},
                 {SIZE, EM_RATHER_LARGE, false}};
    bench *b = *state;
    put(b);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_file file;
        b->options.large.from = cases[i].from;
        bench_open(b);
        check_status("open",
                     em_ws_open_file(b->ws, "big", EM_TO_READ, cases[i].flags, 0, &file, &b->err),
                     EM_OK);
        assert_int_equal(file.is_large, cases[i].is_large);
        assert_int_equal(file.size, SIZE);
        assert_int_equal(file.bytes.len, cases[i].is_large ? 0 : SIZE);
        em_file_close(b->ws, &file);
        bench_close(b);
    }
}

static void test_a_pass(void **state)
{
    static const size_t windows[] = {1, 7, SIZE - 1, SIZE, SIZE + 1};
    bench *b = *state;
    for (size_t i = 0; i < COUNT_OF(windows); i++) {
        seen s = {.window = windows[i]};
        em_file file = open_big(b, EM_TO_CHANGE);
        assert_string_equal(file.hash.hex, "");
        check_status("pass", pass(b, &file, &s), EM_OK);
        assert_memory_equal(s.bytes, content, SIZE);
        assert_string_equal(file.hash.hex, em_hash_of(em_slice_of(content)).hex);
        char some[10];
        check_status("read", em_large_read(b->ws, &file, 20, some, sizeof some, &b->err), EM_OK);
        assert_memory_equal(some, content + 20, sizeof some);
        check_status("check", em_large_check(b->ws, &file, &b->err), EM_OK);
        em_file_close(b->ws, &file);
    }
}

static void test_who_takes_may_stop(void **state)
{
    bench *b = *state;
    seen s = {.window = 100, .status = EM_E_BINARY};
    em_file file = open_big(b, EM_TO_READ);
    check_status("pass", pass(b, &file, &s), EM_E_BINARY);
    assert_int_equal(s.count, 100);
    em_file_close(b->ws, &file);
}

/* ---- Somebody else ------------------------------------------------------------------------- */

static void make_longer(void *context)
{
    bench *b = context;
    FILE *file = fopen(scratch_path(b->root, "big"), "ab");
    assert_non_null(file);
    assert_int_equal(fputs("more", file) >= 0, 1);
    assert_int_equal(fclose(file), 0);
}

static void make_shorter(void *context)
{
    bench *b = context;
    assert_int_equal(truncate(scratch_path(b->root, "big"), SIZE / 2), 0);
}

static void test_somebody_changes_it(void **state)
{
    static void (*const hooks[])(void *) = {make_longer, make_shorter};
    bench *b = *state;
    for (size_t i = 0; i < COUNT_OF(hooks); i++) {
        seen s = {.window = 100};
        char some[SIZE];
        em_file file = open_big(b, EM_TO_READ);
        hooks[i](b);
        check_status("pass", pass(b, &file, &s), EM_E_CONFLICT);
        assert_int_equal(b->err.cause, EM_CAUSE_CHANGED);
        check_status("check", em_large_check(b->ws, &file, &b->err), EM_E_CONFLICT);
        check_status("load", em_large_load(b->ws, &file, &b->err), EM_E_CONFLICT);
        if (hooks[i] == make_shorter)
            check_status("read", em_large_read(b->ws, &file, 0, some, SIZE, &b->err),
                         EM_E_CONFLICT);
        em_file_close(b->ws, &file);
    }
}

/* A stat tells nothing, but what is read is something else. */
static void test_somebody_keeps_the_stat(void **state)
{
    bench *b = *state;
    seen s = {.window = 100};
    em_file file = open_big(b, EM_TO_READ);
    check_status("pass", pass(b, &file, &s), EM_OK);
    memset(file.hash.hex, '0', sizeof file.hash.hex - 1);
    check_status("load", em_large_load(b->ws, &file, &b->err), EM_E_CONFLICT);
    em_file_close(b->ws, &file);
}

/* ---- After all ----------------------------------------------------------------------------- */

static void test_read_whole_after_all(void **state)
{
    bench *b = *state;
    seen s = {.window = 100};
    em_file file = open_big(b, EM_TO_READ);
    check_status("pass", pass(b, &file, &s), EM_OK);
    check_status("load", em_large_load(b->ws, &file, &b->err), EM_OK);
    assert_false(file.is_large);
    assert_true(em_slice_is(file.bytes, content));
    em_file_close(b->ws, &file);
}

static void test_there_may_be_no_memory_for_it(void **state)
{
    bench *b = *state;
    em_file file;
    put(b);
    b->options.large.whole = SIZE - 1;
    bench_open(b);
    check_status("open whole", em_ws_open_file(b->ws, "big", EM_TO_READ, 0, 0, &file, &b->err),
                 EM_E_TOO_LARGE);
    check_detail(b, "more than there is memory for");
    check_status("open",
                 em_ws_open_file(b->ws, "big", EM_TO_READ, EM_MAY_BE_LARGE, 0, &file, &b->err),
                 EM_OK);
    check_status("load", em_large_load(b->ws, &file, &b->err), EM_E_TOO_LARGE);
    assert_true(file.is_large);
    em_file_close(b->ws, &file);
}

static void test_errors(void **state)
{
    bench *b = *state;
    seen s = {.window = 100};
    char some[10];
    em_file file = open_big(b, EM_TO_READ);
    trap_set(&b->trap, (trap){.call = "read", .about = "", .times = -1, .error = EIO});
    check_status("pass", pass(b, &file, &s), EM_E_IO);
    check_status("read", em_large_read(b->ws, &file, 0, some, sizeof some, &b->err), EM_E_IO);
    bench_disarm(b);
    trap_set(&b->trap, (trap){.call = "stat", .about = "", .times = -1, .error = EIO});
    check_status("check", em_large_check(b->ws, &file, &b->err), EM_E_IO);
    em_file_close(b->ws, &file);
}

/* ---- With others --------------------------------------------------------------------------- */

static void test_one_of_many(void **state)
{
    bench *b = *state;
    em_wanted wanted[] = {{.path = "big", .flags = EM_MAY_BE_LARGE}, {.path = "a.txt"}};
    em_file *file = &wanted[0].file;
    seen s = {.window = 100};
    char some[10];
    put(b);
    bench_open(b);
    check_status("open", em_ws_open_files(b->ws, wanted, 2, EM_TO_CHANGE), EM_OK);
    assert_true(file->is_large);
    int before = scratch_descriptors();
    check_status("pass", pass(b, file, &s), EM_OK);
    assert_int_equal(scratch_descriptors(), before + 3); /* the folder and the file, twice */
    em_large_rest(b->ws, file);
    assert_int_equal(scratch_descriptors(), before);
    check_status("read", em_large_read(b->ws, file, 1, some, sizeof some, &b->err), EM_OK);
    em_large_rest(b->ws, file);

    em_splice splice = {.offset = 3, .length = 2, .insert = EM_LIT("NEW")};
    em_change change = {.splices = {&splice, 1}};
    em_splice other = {.insert = EM_LIT("zero ")};
    em_change other_change = {.splices = {&other, 1}};
    em_part parts[] = {{.file = file, .change = &change},
                       {.file = &wanted[1].file, .change = &other_change}};
    size_t culprit;
    check_status("commit", em_ws_commit_all(b->ws, parts, 2, &b->arena, &culprit, &b->err), EM_OK);
    assert_int_equal(parts[0].report.size, SIZE + 1);
    assert_string_equal(parts[0].report.hash.hex,
                        em_hash_of(em_slice_make(bench_text(b, "big"), SIZE + 1)).hex);
    check_text(b, "a.txt", "zero one two three\n");
    assert_memory_equal(bench_text(b, "big"), "abcNEWfgh", 9);
    for (size_t i = 0; i < 2; i++)
        em_file_close(b->ws, &wanted[i].file);
}

static void change_what_was_not_read(bench *b)
{
    seen s = {.window = 100};
    em_splice splice = {.offset = 3, .length = 2, .insert = EM_LIT("NEW")};
    em_change change = {.splices = {&splice, 1}, .backup = true};
    em_file file = open_big(b, EM_TO_CHANGE);
    check_status("pass", pass(b, &file, &s), EM_OK);
    check_status("commit", em_ws_commit(b->ws, &file, &change, &b->arena, &b->report, &b->err),
                 EM_OK);
    em_file_close(b->ws, &file);
    check_text(b, "big.bak", content);
}

/* What is replaced was never read: the way back is not recorded, and that is told. */
static void test_what_was_not_read_is_not_recorded(void **state)
{
    change_what_was_not_read(*state);
    assert_true(bench_warned(*state, "too large to be undone"));
}

/* Nobody expects it where there is no history. */
static void test_nothing_is_recorded_without_history(void **state)
{
    bench *b = *state;
    b->options.no_history = true;
    change_what_was_not_read(b);
    assert_false(bench_warned(b, "too large to be undone"));
}

/* Nor is it, where some of it was read. */
static void test_what_was_read_in_part(void **state)
{
    static const em_segment segments[] = {{0, 0, 10, 0, 0}, {11, SIZE - 10, 10, 0, 0}};
    static const struct {
        em_splice splice;
        bool is_recorded;
    } cases[] = {{{3, 2, {"x", 1}}, true}, {{9, 2, {"x", 1}}, false}, {{SIZE, 0, {"x", 1}}, true}};
    bench *b = *state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        seen s = {.window = 100};
        char body[21] = "";
        em_change change = {.splices = {&cases[i].splice, 1}};
        em_file file = open_big(b, EM_TO_CHANGE);
        check_status("pass", pass(b, &file, &s), EM_OK);
        memcpy(body, content, 10);
        memcpy(body + 11, content + SIZE - 10, 10);
        em_extract extract = {{body, sizeof body}, segments, 2, SIZE, 0, 0, 0};
        file.extract = &extract;
        check_status("commit", em_ws_commit(b->ws, &file, &change, &b->arena, &b->report, &b->err),
                     EM_OK);
        assert_int_equal(!bench_warned(b, "too large to be undone"), cases[i].is_recorded);
        em_file_close(b->ws, &file);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_limits),
        BENCH_TEST(test_which_are_large),
        BENCH_TEST(test_a_pass),
        BENCH_TEST(test_who_takes_may_stop),
        BENCH_TEST(test_somebody_changes_it),
        BENCH_TEST(test_somebody_keeps_the_stat),
        BENCH_TEST(test_read_whole_after_all),
        BENCH_TEST(test_there_may_be_no_memory_for_it),
        BENCH_TEST(test_errors),
        BENCH_TEST(test_one_of_many),
        BENCH_TEST(test_what_was_not_read_is_not_recorded),
        BENCH_TEST(test_nothing_is_recorded_without_history),
        BENCH_TEST(test_what_was_read_in_part),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

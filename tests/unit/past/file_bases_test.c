#include "past/file_bases.h"

#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A row of a call. One that undoes others does so to `bases`. */
static void add(bench *b, const char *path, const char *call, const em_base *bases,
                size_t base_count)
{
    em_row row = {.token = 0xABC,
                  .state = EM_ROW_DONE,
                  .root = b->root,
                  .path = path,
                  .boot = "",
                  .origin = {.call = call,
                             .role = base_count > 0 ? EM_ROLE_UNDO : EM_ROLE_EDIT,
                             .bases = bases,
                             .base_count = base_count}};
    check_status("add", em_history_add(b->ws->history, &row, false, &b->err), EM_OK);
}

static void open_history(bench *b)
{
    bench_open(b);
    check_status("state", em_ws_state(b->ws, true, &b->err), EM_OK);
    check_status("history", em_ws_need_history(b->ws, &b->err), EM_OK);
}

static em_file_bases bases_of(bench *b, const char *call)
{
    em_file_bases bases;
    check_status("bases", em_past_bases(b->ws, call, &b->arena, &bases, &b->err), EM_OK);
    return bases;
}

/* Those of a file: "5 undone, 3 redone". */
static void check_file(bench *b, em_file_bases all, const char *path, const char *want)
{
    char text[200] = "";
    const char *absolute = em_arena_format(&b->arena, "%s/%s", b->root, path);
    em_file_bases own = em_file_bases_of(all, absolute);
    for (size_t i = 0; i < own.count; i++) {
        const em_file_base *base = &own.items[i];
        assert_string_equal(base->path, absolute);
        assert_string_equal(strchr(base->id, '-'), "-0000000000000abc");
        snprintf(text + strlen(text), sizeof text - strlen(text), "%s%d %s", i > 0 ? ", " : "",
                 atoi(base->id), base->base.role == EM_ROLE_UNDO ? "undone" : "redone");
    }
    assert_string_equal(text, want);
}

static void test_each_file_has_its_own(void **state)
{
    bench *b = *state;
    open_history(b);
    add(b, "a", "one", NULL, 0);
    add(b, "b", "one", NULL, 0);
    add(b, "c", NULL, NULL, 0);
    add(b, "a", "#x", NULL, 0); /* no number, and not 0 either */
    add(b, "a", NULL, NULL, 0);
    add(b, "b", "two", NULL, 0);
    add(b, "b", "two", NULL, 0);
    add(b, "d", "3", NULL, 0);
    em_base bases[] = {{"one", EM_ROLE_UNDO}, {"#3", EM_ROLE_REDO}, {"#5", EM_ROLE_UNDO},
                       {"two", EM_ROLE_UNDO}, {"#x", EM_ROLE_REDO}, {"gone", EM_ROLE_UNDO}};
    add(b, "a", "undo", bases, COUNT_OF(bases));
    add(b, "b", "undo", bases, COUNT_OF(bases));
    em_file_bases all = bases_of(b, "undo");
    assert_int_equal(all.count, 6);
    check_file(b, all, "a", "5 undone, 4 redone, 1 undone");
    check_file(b, all, "b", "6 undone, 1 undone");
    check_file(b, all, "c", "3 redone");
    check_file(b, all, "d", "");
    check_file(b, all, "", "");
    check_file(b, all, "z", "");
    check_file(b, bases_of(b, "one"), "a", "");
}

static void test_a_large_rewind_costs_its_rows(void **state)
{
    bench *b = *state;
    enum { FILES = 2000 };
    static em_base bases[FILES];
    char name[32];
    size_t told = 0;
    open_history(b);
    check_status("begin", em_history_begin(b->ws->history, &b->err), EM_OK);
    for (size_t i = 0; i < FILES; i++) {
        snprintf(name, sizeof name, "file %zu", i);
        bases[i] = (em_base){em_arena_string(&b->arena, em_slice_of(name)), EM_ROLE_UNDO};
        add(b, bases[i].call, bases[i].call, NULL, 0);
    }
    for (size_t i = 0; i < FILES; i++)
        add(b, bases[i].call, "rewind", bases, i == 0 ? FILES : 0);
    check_status("end", em_history_end(b->ws->history, EM_OK, &b->err), EM_OK);
    em_file_bases all = bases_of(b, "rewind");
    for (size_t i = 0; i < FILES; i++) {
        const char *path = em_arena_format(&b->arena, "%s/%s", b->root, bases[i].call);
        told += em_file_bases_of(all, path).count;
    }
    assert_int_equal(told, FILES);
}

static void test_memory_may_end(void **state)
{
    bench *b = *state;
    open_history(b);
    add(b, "a", "one", NULL, 0);
    em_base base = {"one", EM_ROLE_UNDO};
    add(b, "a", "undo", &base, 1);
    bases_of(b, "undo");
    for (long at = 1;; at++) {
        EM_AUTO(em_arena) arena = {0};
        em_file_bases bases;
        memory_ends_at(at);
        em_status status = em_past_bases(b->ws, "undo", &arena, &bases, &b->err);
        bool ended = memory_ended();
        memory_ends_at(0);
        if (!ended)
            break;
        assert_int_equal(status, EM_E_NOMEM);
        assert_true(at < 200);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_each_file_has_its_own),
        BENCH_TEST(test_a_large_rewind_costs_its_rows),
        BENCH_TEST(test_memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

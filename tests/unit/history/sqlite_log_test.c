#include "history/sqlite_log.h"

#include "scratch.h"

#include <sqlite3.h>
#include <stdlib.h>
#include <string.h>

enum { HEAD = 24, PAGE = 512, FRAME = HEAD + PAGE, MOST = 1 << 20 };

/* A file in memory that counts its writes, and fails from the `fails`-th on. */
typedef struct store {
    char bytes[MOST];
    int writes, fails;
} store;

static int store_write(void *context, const void *bytes, size_t size, int64_t offset)
{
    store *s = context;
    if (s->fails > 0 && ++s->writes >= s->fails)
        return SQLITE_IOERR_WRITE;
    s->writes += s->fails == 0;
    memcpy(s->bytes + offset, bytes, size);
    return SQLITE_OK;
}

typedef struct bench {
    store real, meant; /* what the log wrote; what was given to it */
    em_sqlite_log log;
    em_sqlite_log_writer writer;
} bench;

static int setup(void **state)
{
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    b->writer = (em_sqlite_log_writer){store_write, &b->real};
    *state = b;
    return 0;
}

static int teardown(void **state)
{
    bench *b = *state;
    em_sqlite_log_drop(&b->log);
    free(b);
    return 0;
}

static int give(bench *b, const void *bytes, size_t size, int64_t offset)
{
    memcpy(b->meant.bytes + offset, bytes, size);
    return em_sqlite_log_write(&b->log, &b->writer, bytes, size, offset);
}

static int give_head(bench *b, int64_t offset, bool last)
{
    char head[HEAD] = "abcd";
    head[7] = (char)last;
    return give(b, head, sizeof head, offset);
}

static int give_page(bench *b, int64_t offset)
{
    char page[PAGE];
    memset(page, (int)('a' + offset / FRAME % 26), sizeof page);
    return give(b, page, sizeof page, offset);
}

/* `count` frames from `offset` on, the last of which ends a commit. */
static void commit(bench *b, int64_t offset, int count)
{
    for (int i = 0; i < count; i++, offset += FRAME) {
        assert_int_equal(give_head(b, offset, i == count - 1), SQLITE_OK);
        assert_int_equal(give_page(b, offset + HEAD), SQLITE_OK);
    }
}

static void check_same(const bench *b)
{
    assert_memory_equal(b->real.bytes, b->meant.bytes, MOST);
}

static void a_commit_is_written_when_its_last_page_is(void **state)
{
    bench *b = *state;
    commit(b, 0, 5);
    check_same(b);
    assert_int_equal(b->real.writes, 1);
    commit(b, 5 * FRAME, 2);
    check_same(b);
    assert_int_equal(b->real.writes, 2);
}

static void one_that_begins_elsewhere_takes_one_write_more(void **state)
{
    bench *b = *state;
    commit(b, 32, 3);
    check_same(b);
    assert_int_equal(b->real.writes, 2);
    commit(b, 32, 1);
    check_same(b);
    assert_int_equal(b->real.writes, 4);
}

static void a_long_commit_takes_several_writes(void **state)
{
    bench *b = *state;
    commit(b, 0, MOST / FRAME);
    check_same(b);
    assert_in_range(b->real.writes, MOST / (64 << 10), 2 * MOST / (64 << 10));
}

/* SQLite mends the heads of a commit that wrote a page twice. */
static void heads_that_are_mended_are_written_at_once(void **state)
{
    bench *b = *state;
    commit(b, 0, 4);
    for (int i = 0; i < 4; i++) {
        assert_int_equal(give_head(b, i * FRAME, i == 3), SQLITE_OK);
        check_same(b);
    }
}

static void what_is_flushed_is_there(void **state)
{
    bench *b = *state;
    assert_int_equal(give_head(b, 0, false), SQLITE_OK);
    assert_int_equal(give_page(b, HEAD), SQLITE_OK);
    assert_int_equal(b->real.writes, 0);
    assert_int_equal(em_sqlite_log_flush(&b->log, &b->writer), SQLITE_OK);
    check_same(b);
    assert_int_equal(em_sqlite_log_flush(&b->log, &b->writer), SQLITE_OK);
    assert_int_equal(b->real.writes, 1);
}

static void what_is_forgotten_is_never_written(void **state)
{
    bench *b = *state;
    assert_int_equal(give_head(b, 0, true), SQLITE_OK);
    em_sqlite_log_forget(&b->log);
    memset(b->meant.bytes, 0, HEAD);
    commit(b, 0, 2);
    check_same(b);
    assert_int_equal(b->real.writes, 1);
}

static void a_write_that_fails_is_told(void **state)
{
    bench *b = *state;
    for (int fails = 1; fails <= 3; fails++) {
        b->real.writes = 0;
        b->real.fails = fails;
        int failed = 0, offset = 100; /* so the head goes alone, then 64 KiB, then the rest */
        for (int i = 0; i < 130 && failed == 0; i++, offset += FRAME) {
            failed = give_head(b, offset, i == 129);
            failed = failed ? failed : give_page(b, offset + HEAD);
        }
        assert_int_equal(failed, SQLITE_IOERR_WRITE);
        em_sqlite_log_forget(&b->log);
        assert_int_equal(b->log.length, 0);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(a_commit_is_written_when_its_last_page_is, setup, teardown),
        cmocka_unit_test_setup_teardown(one_that_begins_elsewhere_takes_one_write_more, setup,
                                        teardown),
        cmocka_unit_test_setup_teardown(a_long_commit_takes_several_writes, setup, teardown),
        cmocka_unit_test_setup_teardown(heads_that_are_mended_are_written_at_once, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_flushed_is_there, setup, teardown),
        cmocka_unit_test_setup_teardown(what_is_forgotten_is_never_written, setup, teardown),
        cmocka_unit_test_setup_teardown(a_write_that_fails_is_told, setup, teardown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

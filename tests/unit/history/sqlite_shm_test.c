#include "history/sqlite_shm.h"

#include "faulty.h"

#include <errno.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { SIZE = 32 << 10, DEAD_MAN = 128 };
#define LOCK_SHARED (SQLITE_SHM_LOCK | SQLITE_SHM_SHARED)
#define LOCK_EXCLUSIVE (SQLITE_SHM_LOCK | SQLITE_SHM_EXCLUSIVE)
#define UNLOCK_SHARED (SQLITE_SHM_UNLOCK | SQLITE_SHM_SHARED)
#define UNLOCK_EXCLUSIVE (SQLITE_SHM_UNLOCK | SQLITE_SHM_EXCLUSIVE)

typedef struct bench {
    faulty in;
    char path[SCRATCH_PATH];
    em_sqlite_shm one;   /* over the faulty table */
    em_sqlite_shm other; /* over the native one */
} bench;

static int setup(void **state)
{
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    faulty_open(&b->in, scratch_new_in_memory);
    strcpy(b->path, scratch_path(b->in.folder, "db"));
    b->one = (em_sqlite_shm){.sys = &b->in.table.sys, .fd = -1};
    b->other = (em_sqlite_shm){.sys = &em_sys_native, .fd = -1};
    *state = b;
    return 0;
}

static int end(bench *b, em_sqlite_shm *shm)
{
    return em_sqlite_shm_unmap(shm, b->path, false);
}

static int teardown(void **state)
{
    bench *b = *state;
    assert_int_equal(end(b, &b->one), SQLITE_OK);
    assert_int_equal(end(b, &b->other), SQLITE_OK);
    faulty_close(&b->in);
    free(b);
    return 0;
}

static int map(bench *b, em_sqlite_shm *shm, int region, bool extend, char volatile **out)
{
    void volatile *at = NULL;
    int code = em_sqlite_shm_map(shm, b->path, region, SIZE, extend, &at);
    *out = at;
    return code;
}

static char volatile *must_map(bench *b, em_sqlite_shm *shm, int region)
{
    char volatile *at;
    assert_int_equal(map(b, shm, region, true, &at), SQLITE_OK);
    assert_non_null(at);
    return at;
}

static long size_of_file(const bench *b)
{
    struct stat st;
    return stat(scratch_path(b->in.folder, "db-shm"), &st) == 0 ? (long)st.st_size : -1;
}

/* ---- Memory ---------------------------------------------------------------------------------- */

static void test_memory_is_shared(void **state)
{
    bench *b = *state;
    char volatile *seen;
    assert_int_equal(map(b, &b->one, 0, false, &seen), SQLITE_OK);
    assert_null(seen); /* there is none yet */
    for (int region = 0; region < 5; region++) {
        char volatile *mine = must_map(b, &b->one, region);
        assert_int_equal(mine[SIZE - 1], 0);
        mine[SIZE - 1] = (char)('a' + region);
        em_sqlite_shm_barrier();
        assert_int_equal(map(b, &b->other, region, false, &seen), SQLITE_OK);
        assert_int_equal(seen[SIZE - 1], 'a' + region);
        assert_ptr_equal(must_map(b, &b->one, region), mine); /* it stays where it is */
    }
    assert_int_equal(size_of_file(b), 5 * SIZE);
    assert_int_equal(map(b, &b->other, 5, false, &seen), SQLITE_OK);
    assert_null(seen);
    struct stat st;
    assert_int_equal(stat(scratch_path(b->in.folder, "db-shm"), &st), 0);
    assert_int_equal(st.st_mode & 07777, 0600);
    assert_true(st.st_blocks * 512 >= 5L * SIZE); /* no store into it can find the disk full */
}

/* What was left by those who are gone is nobody's; what is in use stays. */
static void test_the_first_one_begins_anew(void **state)
{
    bench *b = *state;
    char volatile *seen;
    must_map(b, &b->one, 1)[0] = 'x';
    end(b, &b->one);
    assert_int_equal(size_of_file(b), 2 * SIZE);
    assert_int_equal(map(b, &b->one, 0, false, &seen), SQLITE_OK);
    assert_null(seen);
    assert_true(size_of_file(b) < 136); /* no index has room there */
    assert_int_equal(must_map(b, &b->one, 1)[0], 0);
    must_map(b, &b->one, 1)[0] = 'y';
    assert_int_equal(must_map(b, &b->other, 1)[0], 'y');
    end(b, &b->one);
    assert_int_equal(must_map(b, &b->one, 1)[0], 'y'); /* the other one was there all the time */
}

static void test_it_can_be_removed(void **state)
{
    bench *b = *state;
    must_map(b, &b->one, 0);
    assert_int_equal(em_sqlite_shm_unmap(&b->one, b->path, true), SQLITE_OK);
    assert_int_equal(size_of_file(b), -1);
    assert_int_equal(em_sqlite_shm_unmap(&b->one, b->path, true), SQLITE_OK); /* once more */
    must_map(b, &b->one, 0);
}

/* ---- Locks ----------------------------------------------------------------------------------- */

static void test_locks_exclude(void **state)
{
    static const struct {
        int first, count, flags;          /* the one's */
        int then_first, then_count, then; /* the other's */
        int code;
    } cases[] = {
        {0, 1, LOCK_EXCLUSIVE, 0, 1, LOCK_EXCLUSIVE, SQLITE_BUSY},
        {0, 1, LOCK_EXCLUSIVE, 0, 1, LOCK_SHARED, SQLITE_BUSY},
        {0, 1, LOCK_EXCLUSIVE, 1, 1, LOCK_EXCLUSIVE, SQLITE_OK},
        {3, 1, LOCK_SHARED, 3, 1, LOCK_SHARED, SQLITE_OK},
        {3, 1, LOCK_SHARED, 3, 5, LOCK_EXCLUSIVE, SQLITE_BUSY},
        {3, 1, LOCK_SHARED, 4, 4, LOCK_EXCLUSIVE, SQLITE_OK},
        {1, SQLITE_SHM_NLOCK - 1, LOCK_EXCLUSIVE, 7, 1, LOCK_SHARED, SQLITE_BUSY},
    };
    bench *b = *state;
    must_map(b, &b->one, 0);
    must_map(b, &b->other, 0);
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int exclusive = cases[i].flags & SQLITE_SHM_EXCLUSIVE;
        int unlock = exclusive ? UNLOCK_EXCLUSIVE : UNLOCK_SHARED;
        assert_int_equal(
            em_sqlite_shm_lock(&b->one, cases[i].first, cases[i].count, cases[i].flags), SQLITE_OK);
        assert_int_equal(
            em_sqlite_shm_lock(&b->other, cases[i].then_first, cases[i].then_count, cases[i].then),
            cases[i].code);
        assert_int_equal(em_sqlite_shm_lock(&b->one, cases[i].first, cases[i].count, unlock),
                         SQLITE_OK);
        assert_int_equal(
            em_sqlite_shm_lock(&b->other, cases[i].then_first, cases[i].then_count, cases[i].then),
            SQLITE_OK);
        assert_int_equal(em_sqlite_shm_lock(&b->other, 0, SQLITE_SHM_NLOCK, UNLOCK_EXCLUSIVE),
                         SQLITE_OK);
    }
}

/* The kernel keeps the locks of a file as long as it is mapped. */
static void test_locks_go_with_their_holder(void **state)
{
    bench *b = *state;
    must_map(b, &b->one, 0);
    must_map(b, &b->other, 0);
    assert_int_equal(em_sqlite_shm_lock(&b->one, 0, 1, LOCK_EXCLUSIVE), SQLITE_OK);
    end(b, &b->one);
    assert_int_equal(em_sqlite_shm_lock(&b->other, 0, 1, LOCK_EXCLUSIVE), SQLITE_OK);
    end(b, &b->other);
    pid_t child = fork();
    assert_true(child >= 0);
    if (child == 0) {
        char volatile *at;
        bool has = map(b, &b->one, 0, true, &at) == SQLITE_OK &&
                   em_sqlite_shm_lock(&b->one, 0, 1, LOCK_EXCLUSIVE) == SQLITE_OK;
        _exit(has ? 0 : 1);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_int_equal(status, 0);
    must_map(b, &b->other, 0);
    assert_int_equal(em_sqlite_shm_lock(&b->other, 0, 1, LOCK_EXCLUSIVE), SQLITE_OK);
}

/* Somebody is just making the file empty. */
static void test_one_that_begins_is_waited_for(void **state)
{
    bench *b = *state;
    char volatile *at;
    scratch_put(b->in.folder, "db-shm", "");
    int fd = open(scratch_path(b->in.folder, "db-shm"), O_RDWR | O_CLOEXEC);
    assert_true(fd >= 0);
    assert_int_equal(em_sys_native.lock(NULL, fd, F_WRLCK, DEAD_MAN, 1), 0);
    assert_int_equal(map(b, &b->one, 0, true, &at), SQLITE_BUSY);
    assert_int_equal(close(fd), 0);
    must_map(b, &b->one, 0);
}

/* ---- Where it may not be written ------------------------------------------------------------- */

static void test_reading_only(void **state)
{
    bench *b = *state;
    char volatile *at;
    faulty_strike(&b->in, FAULT_ERROR, 1, EROFS);
    assert_int_equal(map(b, &b->one, 0, false, &at), SQLITE_READONLY_CANTINIT); /* no such file */
    assert_int_equal(size_of_file(b), -1);
    assert_int_equal(em_sqlite_shm_lock(&b->one, 3, 1, LOCK_SHARED), SQLITE_OK);

    must_map(b, &b->other, 0)[7] = 'z';
    faulty_strike(&b->in, FAULT_ERROR, 1, EACCES);
    assert_int_equal(map(b, &b->one, 0, false, &at), SQLITE_READONLY);
    assert_int_equal(at[7], 'z');
    assert_int_equal(em_sqlite_shm_lock(&b->one, 4, 1, LOCK_SHARED), SQLITE_OK);
    assert_int_equal(em_sqlite_shm_lock(&b->other, 4, 1, LOCK_EXCLUSIVE), SQLITE_BUSY);
    end(b, &b->one);

    end(b, &b->other);
    faulty_strike(&b->in, FAULT_ERROR, 1, EACCES); /* nobody keeps it true */
    assert_int_equal(map(b, &b->one, 0, false, &at), SQLITE_READONLY_CANTINIT);
    assert_int_equal(size_of_file(b), SIZE);
    assert_int_equal(em_sqlite_shm_lock(&b->one, 3, 1, LOCK_SHARED), SQLITE_OK);
    must_map(b, &b->other, 0); /* from now on somebody does */
    assert_int_equal(em_sqlite_shm_lock(&b->other, 3, 1, LOCK_EXCLUSIVE), SQLITE_BUSY);
    assert_int_equal(map(b, &b->one, 0, false, &at), SQLITE_READONLY);
    end(b, &b->one);
    end(b, &b->other);

    faulty_strike(&b->in, FAULT_ERROR, 1, EACCES);
    b->in.table.fault.times = 2;
    assert_int_equal(map(b, &b->one, 0, false, &at), SQLITE_READONLY_CANTINIT);
    assert_int_equal(b->one.fd, -1);
    must_map(b, &b->one, 0); /* the next time it may be written */
}

static void test_the_lock_of_a_reader_fails(void **state)
{
    bench *b = *state;
    char volatile *at;
    must_map(b, &b->other, 0);
    b->in.table.fault = (fault){.kind = FAULT_ERROR, .at = 1, .error = EACCES};
    em_sys sys = b->in.table.sys;
    em_sqlite_shm reader = {.sys = &sys, .fd = -1};
    assert_int_equal(map(b, &reader, 0, false, &at), SQLITE_READONLY);
    end(b, &reader);
    reader = (em_sqlite_shm){.sys = &em_sys_native, .fd = -1, .readonly = true};
    reader.fd = open(scratch_path(b->in.folder, "db-shm"), O_PATH | O_CLOEXEC); /* of no use */
    assert_true(reader.fd >= 0);
    assert_int_equal(map(b, &reader, 0, false, &at), SQLITE_IOERR_SHMLOCK);
    assert_int_equal(reader.error, EBADF);
    assert_int_equal(reader.fd, -1);
}

/* ---- Faults ---------------------------------------------------------------------------------- */

/* What is left of a try that failed does not hinder the next one. */
static void test_every_call_may_fail(void **state)
{
    static const int codes[] = {SQLITE_IOERR_SHMOPEN, SQLITE_IOERR_SHMLOCK, SQLITE_IOERR_SHMSIZE,
                                SQLITE_IOERR_SHMMAP};
    bench *b = *state;
    bool met[COUNT_OF(codes)] = {0};
    for (long at = 1;; at++) {
        char volatile *memory;
        faulty_strike(&b->in, FAULT_ERROR, at, EIO);
        int code = map(b, &b->one, 2, true, &memory);
        if (!b->in.table.hit)
            break;
        assert_int_not_equal(code, SQLITE_OK);
        assert_int_equal(b->one.error, EIO);
        for (size_t i = 0; i < COUNT_OF(codes); i++)
            met[i] = met[i] || code == codes[i];
        must_map(b, &b->one, 2);
        end(b, &b->one);
    }
    for (size_t i = 0; i < COUNT_OF(codes); i++)
        assert_true(met[i]);
    must_map(b, &b->one, 0);
    faulty_strike(&b->in, FAULT_ERROR, 1, ENOLCK);
    assert_int_equal(em_sqlite_shm_lock(&b->one, 0, 1, LOCK_SHARED), SQLITE_IOERR_SHMLOCK);
    assert_int_equal(b->one.error, ENOLCK);
}

static void test_signals_and_short_transfers_do_no_harm(void **state)
{
    bench *b = *state;
    b->in.table.stutters = true;
    b->in.table.transfer = 1000;
    must_map(b, &b->one, 2)[SIZE - 1] = 1;
    assert_int_equal(size_of_file(b), 3 * SIZE);
}

static void test_memory_may_end(void **state)
{
    bench *b = *state;
    char volatile *at;
    memory_ends_at(1);
    int code = map(b, &b->other, 0, true, &at);
    bool ended = memory_ended();
    memory_ends_at(0);
    assert_true(ended);
    assert_int_equal(code, SQLITE_IOERR_NOMEM);
    must_map(b, &b->other, 0);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_memory_is_shared),
        TEST(test_the_first_one_begins_anew),
        TEST(test_it_can_be_removed),
        TEST(test_locks_exclude),
        TEST(test_locks_go_with_their_holder),
        TEST(test_one_that_begins_is_waited_for),
        TEST(test_reading_only),
        TEST(test_the_lock_of_a_reader_fails),
        TEST(test_every_call_may_fail),
        TEST(test_signals_and_short_transfers_do_no_harm),
        TEST(test_memory_may_end),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "workspace/rehash.h"

#include "bench.h"
#include "threads.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* Several windows to either side of the middle. */
enum { SIZE = 1000 * 1000 + 7 };

static char bytes[SIZE + 1];

/* They lie on the stack of each thread. */
static _Thread_local volatile char variables[180 << 10];

/* ---- Files ---------------------------------------------------------------------------------- */

static int file_make(size_t size)
{
    FILE *file = tmpfile();
    assert_non_null(file);
    int fd = dup(fileno(file));
    fclose(file);
    assert_true(fd >= 0);
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 7 + i / 251);
    assert_int_equal(write(fd, bytes, size), size);
    return fd;
}

static void keep_at(em_halfway *halfway, size_t offset)
{
    EM_AUTO(em_hasher) hasher = {0};
    check_status("start", em_hasher_start(&hasher), EM_OK);
    em_hasher_add(&hasher, em_slice_make(bytes, offset));
    check_status("keep", em_halfway_keep(halfway, &hasher, offset), EM_OK);
    em_hasher_add(&hasher, EM_LIT("whatever comes after"));
}

static bool is_same(int fd, const em_halfway *halfway)
{
    bool same;
    em_error err = EM_ERROR_INIT;
    em_hash want = em_hash_of(em_slice_make(bytes, SIZE));
    check_status("rehash",
                 em_rehash((em_io_file){&em_sys_native, fd, "file"}, halfway, want, &same, &err),
                 EM_OK);
    return same;
}

static void set(int fd, size_t at, char byte)
{
    assert_int_equal(pwrite(fd, &byte, 1, (off_t)at), 1);
}

/* ---- Tests ---------------------------------------------------------------------------------- */

static void check_every_middle(void)
{
    static const size_t offsets[] = {1, 131072, SIZE / 2, SIZE / 2 + 1, SIZE - 1, SIZE};
    int fd = file_make(SIZE);
    for (size_t i = 0; i < COUNT_OF(offsets); i++) {
        EM_AUTO(em_halfway) halfway = {0};
        size_t last = offsets[i] - 1;
        keep_at(&halfway, offsets[i]);
        assert_true(is_same(fd, &halfway));
        set(fd, last, (char)(bytes[last] + 1));
        assert_false(is_same(fd, &halfway));
        set(fd, last, bytes[last]);
        set(fd, SIZE - 1, (char)(bytes[SIZE - 1] + 1));
        assert_false(is_same(fd, &halfway));
        set(fd, SIZE - 1, bytes[SIZE - 1]);
    }
    close(fd);
}

static void test_what_is_the_same(void **state)
{
    (void)state;
    threads_made = 0;
    variables[0] = 1;
    check_every_middle();
    assert_true(threads_made > 0);
}

static void test_without_a_second_thread(void **state)
{
    (void)state;
    threads_fail = true;
    check_every_middle();
    threads_fail = false;
}

static void test_other_sizes(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, SIZE / 2 - 1, SIZE / 2, SIZE - 1, SIZE + 1};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        EM_AUTO(em_halfway) halfway = {0};
        int fd = file_make(sizes[i]);
        keep_at(&halfway, SIZE / 2);
        assert_false(is_same(fd, &halfway));
        close(fd);
    }
}

/* Whichever half cannot be read, nothing is known. */
static void test_read_errors(void **state)
{
    (void)state;
    EM_AUTO(em_halfway) halfway = {0};
    int fd = file_make(SIZE);
    em_hash want = em_hash_of(em_slice_make(bytes, SIZE));
    keep_at(&halfway, SIZE / 2);
    threads_fail = true; /* the front, then the back: the order of the reads is known */
    for (int skip = 0; skip < 10; skip++) {
        trap_sys system;
        bool same;
        em_error err = EM_ERROR_INIT;
        trap_sys_init(&system);
        trap *t =
            trap_set(&system, (trap){.call = "read", .about = "", .skip = skip, .error = EIO});
        em_status status =
            em_rehash((em_io_file){&system.sys, fd, "some/file"}, &halfway, want, &same, &err);
        assert_int_equal(status, t->caught ? EM_E_IO : EM_OK);
        assert_true(t->caught ? strstr(err.detail, "some/file") != NULL : same);
        assert_int_equal(t->caught, skip < 9);
    }
    trap_sys broken;
    bool same;
    trap_sys_init(&broken);
    trap_set(&broken, (trap){.call = "read", .about = "", .times = -1, .error = EIO});
    check_status("both", em_rehash((em_io_file){&broken.sys, fd, "f"}, &halfway, want, &same, NULL),
                 EM_E_IO);
    threads_fail = false;
    close(fd);
}

static void test_memory_may_end(void **state)
{
    (void)state;
    EM_AUTO(em_hasher) hasher = {0};
    EM_AUTO(em_halfway) halfway = {0}, none = {0};
    int fd = file_make(SIZE);
    em_hash want = em_hash_of(em_slice_make(bytes, SIZE));
    check_status("start", em_hasher_start(&hasher), EM_OK);
    memory_ends_at(1);
    em_status kept = em_halfway_keep(&none, &hasher, 1);
    memory_ends_at(0);
    check_status("keep", kept, EM_E_NOMEM);
    keep_at(&halfway, SIZE / 2);
    for (long left = 1; left <= 2; left++) {
        bool same;
        memory_ends_at(left);
        em_status status =
            em_rehash((em_io_file){&em_sys_native, fd, "f"}, &halfway, want, &same, NULL);
        memory_ends_at(0);
        check_status("rehash", status, EM_E_NOMEM);
    }
    assert_true(is_same(fd, &halfway));
    close(fd);
}

static void test_where_it_is_worth_it(void **state)
{
    (void)state;
    assert_false(em_halfway_pays(1 << 20));
    assert_true(em_halfway_pays(100 << 20));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_what_is_the_same), cmocka_unit_test(test_without_a_second_thread),
        cmocka_unit_test(test_other_sizes),      cmocka_unit_test(test_read_errors),
        cmocka_unit_test(test_memory_may_end),   cmocka_unit_test(test_where_it_is_worth_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "system/sys_io.h"

#include "faulty.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct bench {
    faulty in;
    const em_sys *sys;
    int fd;
} bench;

static int setup(void **state)
{
    bench *b = calloc(1, sizeof *b);
    assert_non_null(b);
    faulty_open(&b->in, scratch_new);
    b->sys = &b->in.table.sys;
    b->fd = open(scratch_path(b->in.folder, "f"), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
    assert_true(b->fd >= 0);
    *state = b;
    return 0;
}

static int teardown(void **state)
{
    bench *b = *state;
    close(b->fd);
    faulty_close(&b->in);
    free(b);
    return 0;
}

/* ---- Failing ------------------------------------------------------------------------------- */

static void test_failure_names_call_path_and_reason(void **state)
{
    em_error err = EM_ERROR_INIT;
    (void)state;
    check_status("code", em_io_fail(&err, -ENOSPC, "write", "a/b.txt"), EM_E_IO);
    assert_int_equal(err.sys, ENOSPC);
    assert_string_equal(err.detail, "write a/b.txt: No space left on device");
    check_status("without an error", em_io_fail(NULL, -ENOENT, "open", "x"), EM_E_NOT_FOUND);
}

static void test_failure_shows_the_end_of_a_long_path(void **state)
{
    /* every byte where the cut may fall, once on a whole character and three times inside one */
    (void)state;
    for (size_t shift = 0; shift < 4; shift++) {
        em_error err = EM_ERROR_INIT;
        char path[1100] = "", end[8] = "/endxxx";
        end[4 + shift] = '\0';
        for (int i = 0; i < 250; i++)
            strcat(path, "\xF0\x9F\x98\x80");
        strcat(path, end);
        check_status("code", em_io_fail(&err, -EIO, "read", path), EM_E_IO);
        assert_non_null(strstr(err.detail, end));
        assert_string_equal(strrchr(err.detail, ':'), ": Input/output error");
        assert_memory_equal(err.detail, "read \xF0\x9F\x98\x80", 9);
    }
}

/* ---- Reading ------------------------------------------------------------------------------- */

static em_status read_text(bench *b, const char *text, size_t size, char *out, em_error *err)
{
    assert_int_equal(ftruncate(b->fd, 0), 0);
    assert_int_equal(pwrite(b->fd, text, strlen(text), 0), strlen(text));
    return em_io_read_all((em_io_file){b->sys, b->fd, "f"}, out, size, err);
}

static void test_read_takes_the_whole_file(void **state)
{
    bench *b = *state;
    char out[6] = "";
    check_status("read", read_text(b, "hello", 5, out, NULL), EM_OK);
    assert_string_equal(out, "hello");
    check_status("empty", read_text(b, "", 0, out, NULL), EM_OK);
}

static void test_read_goes_on_after_short_reads_and_signals(void **state)
{
    bench *b = *state;
    char out[6] = "";
    b->in.table.transfer = 1;
    b->in.table.stutters = true;
    check_status("read", read_text(b, "hello", 5, out, NULL), EM_OK);
    assert_string_equal(out, "hello");
    assert_int_equal(b->in.table.calls, 12); /* five bytes and the end, each interrupted once */
}

static void test_read_tells_of_another_size(void **state)
{
    bench *b = *state;
    em_error err = EM_ERROR_INIT;
    char out[16];
    check_status("shorter", read_text(b, "four", 5, out, &err), EM_E_CONFLICT);
    assert_string_equal(err.detail, "became shorter while it was read: f");
    check_status("longer", read_text(b, "sixsix", 5, out, &err), EM_E_CONFLICT);
    assert_string_equal(err.detail, "became longer while it was read: f");
    check_status("no longer empty", read_text(b, "x", 0, out, &err), EM_E_CONFLICT);
}

/* Wherever the error comes, also where only the end of the file is looked for. */
static void test_read_error_is_never_the_end(void **state)
{
    bench *b = *state;
    for (int at = 1; at <= 3; at++) {
        em_error err = EM_ERROR_INIT;
        char out[4];
        b->in.table.transfer = 2;
        faulty_strike(&b->in, FAULT_ERROR, at, EIO);
        check_status("EIO", read_text(b, "four", 4, out, &err), EM_E_IO);
        assert_int_equal(err.sys, EIO);
        assert_string_equal(err.detail, "read f: Input/output error");
    }
}

/* ---- Writing ------------------------------------------------------------------------------- */

static void check_content(bench *b, off_t offset, const char *text, size_t size)
{
    char *out = malloc(size + 1);
    assert_non_null(out);
    assert_int_equal(pread(b->fd, out, size + 1, offset), size);
    assert_memory_equal(out, text, size);
    free(out);
}

static struct iovec piece_of(const char *text)
{
    return (struct iovec){.iov_base = (char *)(uintptr_t)text, .iov_len = strlen(text)};
}

static const char written[] = "one, two, three";
static const size_t written_size = sizeof written - 1;

static em_status write_pieces(bench *b, em_error *err)
{
    struct iovec pieces[] = {{0}, piece_of("one, "), {0}, piece_of("two, "), piece_of("three"),
                             {0}};
    return em_io_write_all((em_io_file){b->sys, b->fd, "f"}, pieces, COUNT_OF(pieces), 0, err);
}

static void test_write_gathers_pieces(void **state)
{
    bench *b = *state;
    check_status("write", write_pieces(b, NULL), EM_OK);
    check_content(b, 0, written, written_size);
    assert_int_equal(b->in.table.calls, 1);
    check_status("nothing", em_io_write_all((em_io_file){b->sys, b->fd, "f"}, NULL, 0, 0, NULL),
                 EM_OK);
    assert_int_equal(b->in.table.calls, 1);
}

static void test_write_keeps_to_the_offset(void **state)
{
    bench *b = *state;
    struct iovec piece = piece_of("abc");
    b->in.table.transfer = 2;
    check_status("write", em_io_write_all((em_io_file){b->sys, b->fd, "f"}, &piece, 1, 7, NULL),
                 EM_OK);
    check_content(b, 7, "abc", 3);
}

static void test_write_goes_on_after_short_writes_and_signals(void **state)
{
    bench *b = *state;
    for (size_t transfer = 1; transfer <= written_size; transfer++) {
        assert_int_equal(ftruncate(b->fd, 0), 0);
        b->in.table.transfer = transfer;
        b->in.table.stutters = true;
        check_status("write", write_pieces(b, NULL), EM_OK);
        check_content(b, 0, written, written_size);
    }
}

static void test_write_passes_more_pieces_than_one_call_takes(void **state)
{
    enum { PIECES = 2 * IOV_MAX + 3 };
    bench *b = *state;
    struct iovec *pieces = calloc(PIECES, sizeof *pieces);
    char *text = malloc(PIECES);
    assert_non_null(pieces);
    assert_non_null(text);
    for (size_t i = 0; i < PIECES; i++) {
        text[i] = (char)('a' + i % 26);
        pieces[i] = (struct iovec){.iov_base = text + i, .iov_len = 1};
    }
    check_status("write",
                 em_io_write_all((em_io_file){&em_sys_native, b->fd, "f"}, pieces, PIECES, 0, NULL),
                 EM_OK);
    check_content(b, 0, text, PIECES);
    free(pieces);
    free(text);
}

static void test_write_error_is_told(void **state)
{
    bench *b = *state;
    for (int at = 1; at <= 3; at++) {
        em_error err = EM_ERROR_INIT;
        b->in.table.transfer = 5;
        faulty_strike(&b->in, FAULT_ERROR, at, ENOSPC);
        check_status("ENOSPC", write_pieces(b, &err), EM_E_IO);
        assert_string_equal(err.detail, "write f: No space left on device");
    }
}

static ssize_t write_nothing(void *context, int fd, const struct iovec *pieces, int count,
                             off_t offset)
{
    (void)context;
    (void)fd;
    (void)pieces;
    (void)count;
    (void)offset;
    return 0;
}

static void test_write_of_nothing_does_not_go_on_for_ever(void **state)
{
    bench *b = *state;
    em_sys sys = em_sys_native;
    sys.write = write_nothing;
    b->sys = &sys;
    check_status("write", write_pieces(b, NULL), EM_E_IO);
}

/* ---- Sync, close, random ------------------------------------------------------------------- */

static void test_sync_is_asked_once_after_a_failure(void **state)
{
    bench *b = *state;
    em_error err = EM_ERROR_INIT;
    faulty_strike(&b->in, FAULT_ERROR, 1, EIO);
    check_status("fsync", em_io_sync((em_io_file){b->sys, b->fd, "f"}, false, &err), EM_E_IO);
    assert_string_equal(err.detail, "fsync f: Input/output error");
    assert_int_equal(b->in.table.calls, 1);
    faulty_strike(&b->in, FAULT_ERROR, 1, EDQUOT);
    check_status("fdatasync", em_io_sync((em_io_file){b->sys, b->fd, "f"}, true, &err), EM_E_IO);
    assert_string_equal(err.detail, "fdatasync f: Disk quota exceeded");
    assert_int_equal(b->in.table.calls, 2);
}

static void test_sync_is_asked_again_after_a_signal(void **state)
{
    bench *b = *state;
    faulty_strike(&b->in, FAULT_ERROR, 1, EINTR);
    check_status("fsync", em_io_sync((em_io_file){b->sys, b->fd, "f"}, false, NULL), EM_OK);
    assert_int_equal(b->in.table.calls, 2);
}

/* What has to be durable is synced, and the rest is flushed, which leaves the descriptor open. */
static void test_finish(void **state)
{
    static const struct {
        bool durable;
        int error;
        em_status want;
        const char *detail;
        long calls;
    } cases[] = {
        {false, 0, EM_OK, "", 1},
        {false, EINTR, EM_OK, "", 2},
        {false, EDQUOT, EM_E_IO, "write f: Disk quota exceeded", 1},
        {false, ENOSPC, EM_E_IO, "write f: No space left on device", 1},
        {true, 0, EM_OK, "", 1},
        {true, ENOSPC, EM_E_IO, "fsync f: No space left on device", 1},
    };
    bench *b = *state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        int before = scratch_descriptors();
        long calls = b->in.table.calls;
        em_error err = EM_ERROR_INIT;
        faulty_strike(&b->in, cases[i].error ? FAULT_ERROR : FAULT_NONE, 1, cases[i].error);
        check_status("finish",
                     em_io_finish((em_io_file){b->sys, b->fd, "f"}, cases[i].durable, &err),
                     cases[i].want);
        assert_string_equal(err.detail, cases[i].detail);
        assert_int_equal(b->in.table.calls, calls + cases[i].calls);
        assert_int_equal(b->in.table.trace[calls].call,
                         cases[i].durable ? FAULT_ON_sync : FAULT_ON_flush);
        assert_int_equal(scratch_descriptors(), before);
    }
}

/* How far the destination of a copy begins behind its source, modulo the size of a page. */
static bool is_slow(uintptr_t from, uintptr_t to)
{
    return (to - from) % 4096 >= 1 && (to - from) % 4096 <= 31;
}

/* Wherever bytes come from and go to, there is a place in the room where both copies are quick. */
typedef struct sight {
    int seen, most; /* names; after so many it ends */
    bool has_file, has_folder;
} sight;

static bool see(void *context, const char *name, unsigned char type)
{
    sight *s = context;
    (void)type;
    assert_true(strcmp(name, ".") != 0 && strcmp(name, "..") != 0);
    s->has_file = s->has_file || strcmp(name, "f") == 0;
    s->has_folder = s->has_folder || strcmp(name, "folder") == 0;
    return ++s->seen < s->most;
}

static sight listed(const bench *b, int most, int *result)
{
    sight s = {.most = most};
    int fd = open(b->in.folder, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    assert_true(fd >= 0);
    *result = em_io_list(b->sys, fd, see, &s);
    close(fd);
    return s;
}

static void test_a_folder_is_listed(void **state)
{
    enum { MANY = 1500 }; /* more than one call gives */
    bench *b = *state;
    char name[32];
    int result;
    scratch_folder(b->in.folder, "folder");
    sight s = listed(b, INT_MAX, &result);
    assert_true(result == 0 && s.seen == 2 && s.has_file && s.has_folder);
    for (int i = 0; i < MANY; i++) {
        snprintf(name, sizeof name, "a-file-of-some-length-%d", i);
        scratch_put(b->in.folder, name, "");
    }
    s = listed(b, INT_MAX, &result);
    assert_true(result == 0 && s.seen == MANY + 2);
    s = listed(b, 3, &result);
    assert_true(result == 0 && s.seen == 3);
    faulty_strike(&b->in, FAULT_ERROR, 1, EINTR);
    s = listed(b, INT_MAX, &result);
    assert_true(result == 0 && s.seen == MANY + 2);
    faulty_strike(&b->in, FAULT_ERROR, 2, EIO);
    s = listed(b, INT_MAX, &result);
    assert_true(result == -EIO && s.seen > 0 && s.seen < MANY + 2);
}

static void test_a_window_is_where_copies_are_quick(void **state)
{
    (void)state;
    static char room[EM_IO_SKEW + 4096];
    int moved = 0;
    for (off_t from = 0; from < 4096; from += 7)
        for (off_t to = -1; to < 4096; to += 5)
            for (size_t skip = 0; skip < 4096; skip += 509) {
                char *window = em_io_window(room + skip, from, to);
                assert_in_range(window - (room + skip), 0, EM_IO_SKEW);
                assert_false(is_slow((uintptr_t)from, (uintptr_t)window));
                assert_false(to >= 0 && is_slow((uintptr_t)window, (uintptr_t)to));
                moved += window != room + skip;
            }
    assert_true(moved > 0);
}

static int one_random_byte(void *context, void *out, size_t size)
{
    (void)context;
    assert_true(size > 0);
    *(char *)out = 'r';
    return 1;
}

static void test_random_fills_all(void **state)
{
    bench *b = *state;
    char out[9] = "", other[9] = "";
    em_error err = EM_ERROR_INIT;
    check_status("random", em_io_random(b->sys, out, 8, NULL), EM_OK);
    check_status("random", em_io_random(b->sys, other, 8, NULL), EM_OK);
    assert_memory_not_equal(out, other, 8);
    faulty_strike(&b->in, FAULT_ERROR, 1, ENOSYS);
    check_status("ENOSYS", em_io_random(b->sys, out, 8, &err), EM_E_IO);
    assert_string_equal(err.detail, "getrandom: Function not implemented");

    em_sys sys = em_sys_native;
    sys.random = one_random_byte;
    check_status("byte by byte", em_io_random(&sys, out, 8, NULL), EM_OK);
    assert_string_equal(out, "rrrrrrrr");
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, setup, teardown)

int main(void)
{
    const struct CMUnitTest tests[] = {
        TEST(test_failure_names_call_path_and_reason),
        TEST(test_failure_shows_the_end_of_a_long_path),
        TEST(test_read_takes_the_whole_file),
        TEST(test_read_goes_on_after_short_reads_and_signals),
        TEST(test_read_tells_of_another_size),
        TEST(test_read_error_is_never_the_end),
        TEST(test_write_gathers_pieces),
        TEST(test_write_keeps_to_the_offset),
        TEST(test_write_goes_on_after_short_writes_and_signals),
        TEST(test_write_passes_more_pieces_than_one_call_takes),
        TEST(test_write_error_is_told),
        TEST(test_write_of_nothing_does_not_go_on_for_ever),
        TEST(test_sync_is_asked_once_after_a_failure),
        TEST(test_sync_is_asked_again_after_a_signal),
        TEST(test_finish),
        TEST(test_a_folder_is_listed),
        TEST(test_a_window_is_where_copies_are_quick),
        TEST(test_random_fills_all),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

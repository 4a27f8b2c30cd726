#include "workspace/content.h"

#include "scratch.h"
#include "trap.h"
#include "workspace/content_write.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#define SPLICE(offset, length, text)                                                               \
    {                                                                                              \
        offset, length,                                                                            \
        {                                                                                          \
            text, sizeof(text) - 1                                                                 \
        }                                                                                          \
    }

static const struct {
    const char *what, *old;
    em_splice splices[4];
    size_t count;
    const char *new;
} cases[] = {
    {"nothing at all", "", {{0}}, 0, ""},
    {"no splice", "abc", {{0}}, 0, "abc"},
    {"an insertion into nothing", "", {SPLICE(0, 0, "x")}, 1, "x"},
    {"in the middle", "abcdef", {SPLICE(2, 2, "XYZ")}, 1, "abXYZef"},
    {"at both ends", "abcdef", {SPLICE(0, 0, "<"), SPLICE(6, 0, ">")}, 2, "<abcdef>"},
    {"all of it", "abc", {SPLICE(0, 3, "x")}, 1, "x"},
    {"a deletion", "abcdef", {SPLICE(1, 4, "")}, 1, "af"},
    {"everything deleted", "abc", {SPLICE(0, 3, "")}, 1, ""},
    {"touching", "abcdef", {SPLICE(1, 2, "X"), SPLICE(3, 2, "Y")}, 2, "aXYf"},
    {"a splice that does nothing", "abc", {SPLICE(1, 0, ""), SPLICE(2, 1, "z")}, 2, "abz"},
    {"longer",
     "abc",
     {SPLICE(0, 1, "12345"), SPLICE(1, 1, ""), SPLICE(2, 1, "678")},
     3,
     "12345678"},
};

static em_content content_of(size_t i)
{
    return (em_content){.old = em_slice_of(cases[i].old),
                        .splices = {.items = cases[i].splices, .count = cases[i].count}};
}

/* A file in memory. */
static int file_new(void)
{
    int fd = memfd_create("content", MFD_CLOEXEC);
    assert_true(fd >= 0);
    return fd;
}

static void check_file(int fd, const char *want, size_t size)
{
    char *have = malloc(size + 2);
    assert_non_null(have);
    assert_int_equal(pread(fd, have, size + 2, 0), size);
    assert_memory_equal(have, want, size);
    free(have);
}

static void test_pieces_by_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_content content = content_of(i);
        assert_true(em_content_valid(&content));
        assert_int_equal(em_content_size(&content), strlen(cases[i].new));
        for (size_t most = 1; most < 6; most++) {
            em_content_walk walk = {0};
            char have[64] = "";
            for (;;) {
                em_slice piece = em_content_next(&content, &walk, most);
                if (piece.len == 0)
                    break;
                assert_true(piece.len <= most);
                strncat(have, piece.ptr, piece.len);
            }
            assert_string_equal(have, cases[i].new);
        }
    }
}

static void test_writing_by_table(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_content content = content_of(i);
        em_error err = EM_ERROR_INIT;
        em_hash want = em_hash_of(em_slice_of(cases[i].new)), hash;
        int fd = file_new();
        check_status("hash", em_content_hash(&content, &em_sys_native, "", &hash, NULL), EM_OK);
        assert_string_equal(hash.hex, want.hex);
        check_status("write",
                     em_content_write(&content, (em_io_file){&em_sys_native, fd, "f"}, &hash, &err),
                     EM_OK);
        assert_string_equal(hash.hex, want.hex);
        check_file(fd, cases[i].new, strlen(cases[i].new));
        close(fd);

        fd = file_new();
        assert_int_equal(pwrite(fd, "##", 2, 0), 2);
        check_status("write at",
                     em_content_write_at(&content, (em_io_file){&em_sys_native, fd, "f"}, 2, &err),
                     EM_OK);
        char both[64] = "##";
        strcat(both, cases[i].new);
        check_file(fd, both, strlen(both));
        close(fd);

        fd = file_new();
        assert_int_equal(pwrite(fd, cases[i].old, strlen(cases[i].old), 0), strlen(cases[i].old));
        check_status("overwrite",
                     em_content_overwrite(&content, (em_io_file){&em_sys_native, fd, "f"}, &err),
                     EM_OK);
        assert_int_equal(ftruncate(fd, (off_t)em_content_size(&content)), 0);
        check_file(fd, cases[i].new, strlen(cases[i].new));
        close(fd);
    }
}

static void test_what_is_refused(void **state)
{
    (void)state;
    static const struct {
        const char *what;
        em_splice splices[2];
        size_t count;
    } bad[] = {
        {"beyond the end", {SPLICE(4, 0, "")}, 1},
        {"over the end", {SPLICE(2, 2, "")}, 1},
        {"a length that wraps around", {SPLICE(1, SIZE_MAX, "")}, 1},
        {"overlapping", {SPLICE(0, 2, ""), SPLICE(1, 1, "")}, 2},
        {"not sorted", {SPLICE(2, 1, ""), SPLICE(0, 1, "")}, 2},
        {"inserts that are too long together",
         {{0, 0, {"", SIZE_MAX / 2}}, {1, 0, {"", SIZE_MAX / 2 + 2}}},
         2},
        {"longer than anything can be", {{0, 0, {"", PTRDIFF_MAX}}}, 1},
    };
    for (size_t i = 0; i < COUNT_OF(bad); i++) {
        em_content content = {.old = EM_LIT("abc"),
                              .splices = {.items = bad[i].splices, .count = bad[i].count}};
        if (em_content_valid(&content))
            fail_msg("%s: taken as valid", bad[i].what);
    }
}

enum { COUNT = 1000 };

/* More pieces and bytes than one batch takes: COUNT splices, each in `step` old bytes, and `tail`
 * old bytes behind them. They are written, and hashed, to a file from whose `fails`th write on
 * there is no room; 0: there is. */
static void check_many_pieces(size_t step, size_t tail, int fails)
{
    size_t size = COUNT * step + tail;
    char *old = malloc(size), *new = malloc(size + COUNT);
    em_splice *splices = calloc(COUNT, sizeof *splices);
    assert_true(old && new &&splices);
    for (size_t i = 0; i < size; i++)
        old[i] = (char)(i % 253);
    char *end = new;
    for (size_t i = 0; i < COUNT; i++) {
        splices[i] = (em_splice){.offset = i * step + 5, .length = 1, .insert = EM_LIT("##")};
        memcpy(end, old + i * step, step);
        memmove(end + 7, end + 6, step - 6);
        memcpy(end + 5, "##", 2);
        end += step + 1;
    }
    memcpy(end, old + COUNT * step, tail);
    end += tail;
    em_content content = {.old = {old, size}, .splices = {.items = splices, .count = COUNT}};
    em_hash hash;
    em_error err = EM_ERROR_INIT;
    trap_sys system;
    int fd = file_new();
    trap_sys_init(&system);
    trap full = {.call = "write", .about = "", .skip = fails - 1, .times = -1, .error = ENOSPC};
    if (fails > 0)
        trap_set(&system, full);
    em_status status = em_content_write(&content, (em_io_file){&system.sys, fd, "f"}, &hash, &err);
    check_status("write", status, fails > 0 ? EM_E_IO : EM_OK);
    if (fails > 0) {
        assert_int_equal(err.sys, ENOSPC);
    } else {
        check_file(fd, new, (size_t)(end - new));
        assert_string_equal(hash.hex, em_hash_of(em_slice_make(new, (size_t)(end - new))).hex);
    }
    close(fd);
    free(old);
    free(new);
    free(splices);
}

static void test_many_pieces(void **state)
{
    (void)state;
    check_many_pieces(2000, 0, 0);
    check_many_pieces(8000, 0, 0);     /* not put side by side */
    check_many_pieces(20, 8 << 20, 0); /* nor these, of which a batch is full before it is large */
}

static void test_a_full_disk(void **state)
{
    (void)state;
    trap_sys system;
    em_content content = content_of(3);
    em_hash hash;
    em_error err = EM_ERROR_INIT;
    int fd = file_new();
    trap_sys_init(&system);
    trap_set(&system, (trap){.call = "write", .about = "", .times = -1, .error = ENOSPC});
    check_status("write",
                 em_content_write(&content, (em_io_file){&system.sys, fd, "f"}, &hash, &err),
                 EM_E_IO);
    assert_int_equal(err.sys, ENOSPC);
    close(fd);
    for (int fails = 1; fails < 3; fails++) {
        check_many_pieces(2000, 0, fails);
        check_many_pieces(8000, 0, fails);
    }
}

static uint64_t pretended;
static int pretended_error; /* 0: none */

static int pretend(void *context, int fd, uint64_t *magic)
{
    (void)context;
    (void)fd;
    *magic = pretended;
    return -pretended_error;
}

/* How often blocks are asked for, which fails with `error`, for so many bytes on such a file
 * system. A full disk is told before anything is written. */
static int reserved(size_t size, uint64_t magic, int error)
{
    trap_sys system;
    char *old = calloc(1, size);
    em_content content = {.old = {old, size}};
    em_hash hash;
    em_error err = EM_ERROR_INIT;
    int fd = file_new();
    bool is_full = error == ENOSPC || error == EDQUOT || error == EFBIG;
    assert_non_null(old);
    trap_sys_init(&system);
    system.sys.filesystem = pretend;
    pretended = magic;
    trap *t =
        trap_set(&system, (trap){.call = "reserve", .about = "", .times = -1, .error = error});
    em_status status = em_content_write(&content, (em_io_file){&system.sys, fd, "f"}, &hash, &err);
    if (t->caught > 0 && is_full) {
        check_status("full", status, EM_E_IO);
        assert_int_equal(err.sys, error);
        check_file(fd, "", 0);
    } else {
        check_status("write", status, EM_OK);
        check_file(fd, old, size);
    }
    close(fd);
    free(old);
    return t->caught;
}

/* The blocks of a large file are asked for where that is quicker; that they cannot be is no error.
 */
static void test_blocks_are_set_aside(void **state)
{
    (void)state;
    enum { EXT4 = 0xEF53, TMPFS = 0x01021994 };
    static const int errors[] = {EOPNOTSUPP, ENOSYS, EPERM, EIO, ENOSPC, EDQUOT, EFBIG};
    for (size_t i = 0; i < sizeof errors / sizeof *errors; i++) {
        assert_int_equal(reserved(4 << 20, EXT4, errors[i]), 1);
        assert_int_equal(reserved((4 << 20) - 1, EXT4, errors[i]), 0);
        assert_int_equal(reserved(4 << 20, TMPFS, errors[i]), 0);
        pretended_error = EIO; /* of which nobody knows what it is */
        assert_int_equal(reserved(4 << 20, EXT4, errors[i]), 0);
        pretended_error = 0;
    }
}

/* More than any object can have. */
static void test_too_much_inserted(void **state)
{
    (void)state;
    em_splice splices[] = {{.insert = {"", (size_t)PTRDIFF_MAX}}, {.insert = {"", 1}}};
    em_content content = {.old = EM_LIT(""), .splices = {splices, 1}};
    assert_true(em_content_valid(&content));
    content.splices.count = 2;
    assert_false(em_content_valid(&content));
    content.splices.count = 1;
    content.old = EM_LIT("x");
    assert_false(em_content_valid(&content));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_pieces_by_table),   cmocka_unit_test(test_writing_by_table),
        cmocka_unit_test(test_what_is_refused),   cmocka_unit_test(test_many_pieces),
        cmocka_unit_test(test_a_full_disk),       cmocka_unit_test(test_blocks_are_set_aside),
        cmocka_unit_test(test_too_much_inserted),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "workspace/transfer.h"

#include "bench.h"

#include "workspace/large.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* As many bytes as a window has, several times, and some more. */
enum { SIZE = 700 * 1024 + 123 };

static char old_bytes[SIZE];

/* A large file "big" that has passed; the workspace is b->ws. */
typedef struct big {
    bench *b;
    em_file file;
    char *seen;
    size_t at;
} big;

static char *room_of(void *context, size_t *size)
{
    big *x = context;
    *size = SIZE + 1 - x->at < 100000 ? SIZE + 1 - x->at : 100000;
    return x->seen + x->at;
}

static em_status take(void *context, size_t length)
{
    big *x = context;
    x->at += length;
    return EM_OK;
}

/* What the file systems are said to be: one that the kernel is asked to copy on, at first. */
enum { OTHER = 0x12345, EXT4 = 0xEF53, TMPFS = 0x01021994, XFS = 0x58465342 };
static uint64_t pretended;

static int pretend(void *context, int fd, uint64_t *magic)
{
    (void)context;
    (void)fd;
    *magic = pretended;
    return 0;
}

static void big_open(big *x, bench *b)
{
    pretended = OTHER;
    b->trap.sys.filesystem = pretend;
    *x = (big){.b = b, .seen = em_alloc_raw(&b->arena, SIZE + 1)};
    FILE *file = fopen(scratch_path(b->root, "big"), "wb");
    for (size_t i = 0; i < SIZE; i++)
        old_bytes[i] = (char)('a' + i * 31 % 23);
    assert_non_null(file);
    assert_int_equal(fwrite(old_bytes, 1, SIZE, file), SIZE);
    assert_int_equal(fclose(file), 0);
    b->options.large.from = 1000;
    bench_open(b);
    check_status("open",
                 em_ws_open_file(b->ws, "big", EM_TO_CHANGE, EM_MAY_BE_LARGE, 0, &x->file, &b->err),
                 EM_OK);
    em_passage passage = {x, room_of, take};
    check_status("pass", em_large_pass(b->ws, &x->file, &passage, &b->err), EM_OK);
}

static void big_drop(big *x)
{
    em_file_close(x->b->ws, &x->file);
}

/* Where the old one is: only there the kernel moves anything. */
static int file_new(const bench *b)
{
    int fd = open(b->root, O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);
    assert_true(fd >= 0);
    return fd;
}

static em_status transfer(big *x, em_splices splices, int fd, em_hash *hash)
{
    em_content content = em_content_of(&x->file, splices);
    assert_true(em_content_valid(&content));
    x->b->err = EM_ERROR_INIT;
    return em_transfer(&content, (em_io_file){&x->b->trap.sys, fd, "big"}, 0, hash, &x->b->err);
}

/* What the splices make of the file. */
static em_slice expected(bench *b, em_splices splices)
{
    em_content content = {.old = {old_bytes, SIZE}, .splices = splices};
    em_slice out;
    check_status("join", em_content_join(&content, &b->arena, &out), EM_OK);
    return out;
}

static const struct {
    const char *what;
    em_splice splices[4];
    size_t count;
} cases[] = {
    {"nothing", {{0}}, 0},
    {"at the start", {{0, 0, {"new ", 4}}}, 1},
    {"at the end", {{SIZE, 0, {"new", 3}}}, 1},
    {"the same length", {{400000, 3, {"NEW", 3}}}, 1},
    {"a block more", {{100, 0, {old_bytes, 65536}}}, 1},
    {"all of it", {{0, SIZE, {"x", 1}}}, 1},
    {"nothing left", {{0, SIZE, {"", 0}}}, 1},
    {"more than a window goes", {{10, 600000, {"", 0}}}, 1},
    {"near each other",
     {{1000, 1, {"12345", 5}}, {1001, 0, {"x", 1}}, {5000, 7, {"", 0}}, {300000, 0, {"yz", 2}}},
     4},
};

static void check_new(bench *b, int fd, em_slice want, em_hash hash)
{
    struct stat st;
    assert_int_equal(fstat(fd, &st), 0);
    assert_int_equal(st.st_size, want.len);
    char *have = em_alloc_raw(&b->arena, want.len + 1);
    assert_int_equal(pread(fd, have, want.len + 1, 0), want.len);
    assert_true(em_slice_eq(em_slice_make(have, want.len), want));
    assert_string_equal(hash.hex, em_hash_of(want).hex);
}

static void check_all_cases(big *x)
{
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        em_splices splices = {cases[i].splices, cases[i].count};
        em_slice want = expected(x->b, splices);
        em_hash hash;
        int fd = file_new(x->b);
        check_status(cases[i].what, transfer(x, splices, fd, &hash), EM_OK);
        check_new(x->b, fd, want, hash);
        close(fd);
        check_status(cases[i].what, transfer(x, splices, -1, &hash), EM_OK);
        assert_string_equal(hash.hex, em_hash_of(want).hex);
    }
}

static void test_every_content(void **state)
{
    big x;
    big_open(&x, *state);
    trap *copies = trap_set(&x.b->trap, (trap){.call = "copy", .about = "", .times = -1});
    check_all_cases(&x);
    assert_true(copies->caught > 10);
    big_drop(&x);
}

/* What the kernel cannot do goes through the window, from the first refusal on. */
static void test_what_the_kernel_cannot_move(void **state)
{
    static const int errors[] = {EXDEV, EOPNOTSUPP, ENOSYS, EINVAL, EPERM};
    big x;
    big_open(&x, *state);
    for (size_t i = 0; i < COUNT_OF(errors); i++) {
        bench_disarm(x.b);
        trap_set(&x.b->trap, (trap){.call = "copy", .about = "", .times = -1, .error = errors[i]});
        check_all_cases(&x);
    }
    big_drop(&x);
}

/* Where blocks can be shared more is asked for at a time; where the copy is one from page to page
 * the kernel is not asked. */
static void test_file_systems(void **state)
{
    static const uint64_t magics[] = {XFS, 0x9123683E, OTHER, EXT4, TMPFS};
    big x;
    big_open(&x, *state);
    int calls[COUNT_OF(magics)];
    for (size_t i = 0; i < COUNT_OF(magics); i++) {
        pretended = magics[i];
        bench_disarm(x.b);
        trap *copies = trap_set(&x.b->trap, (trap){.call = "copy", .about = "", .times = -1});
        check_all_cases(&x);
        calls[i] = copies->caught;
    }
    assert_int_equal(calls[0], calls[1]);
    assert_true(calls[0] > 0 && calls[0] < calls[2]);
    assert_int_equal(calls[3], 0);
    assert_int_equal(calls[4], 0);
    big_drop(&x);
}

/* One that does not say what it is: the kernel knows. */
static int say_nothing(void *context, int fd, uint64_t *magic)
{
    (void)context;
    (void)fd;
    (void)magic;
    return -ENOSYS;
}

static void test_an_unknown_file_system(void **state)
{
    big x;
    big_open(&x, *state);
    x.b->trap.sys.filesystem = say_nothing;
    trap *copies = trap_set(&x.b->trap, (trap){.call = "copy", .about = "", .times = -1});
    check_all_cases(&x);
    assert_true(copies->caught > 10);
    big_drop(&x);
}

/* What went through the window is not read again; and behind what was inserted the writes begin
 * at the edges of blocks. */
static void test_the_window_is_read_once(void **state)
{
    enum { WINDOW = 256 << 10, WINDOWS = (SIZE + 1 + WINDOW - 1) / WINDOW };
    static const em_splice splice = {100, 3, {"four", 4}};
    big x;
    em_hash hash;
    int fd = file_new(*state);
    big_open(&x, *state);
    pretended = EXT4;
    trap *reads = trap_set(&x.b->trap, (trap){.call = "read", .about = "", .times = -1});
    trap *writes = trap_set(&x.b->trap, (trap){.call = "write", .about = "", .times = -1});
    check_status("transfer", transfer(&x, (em_splices){&splice, 1}, fd, &hash), EM_OK);
    assert_int_equal(reads->caught, 2 + WINDOWS);  /* before it, what goes, and the rest */
    assert_int_equal(writes->caught, 2 + WINDOWS); /* before it, what comes, and the rest */
    check_new(x.b, fd, expected(x.b, (em_splices){&splice, 1}), hash);
    close(fd);
    big_drop(&x);
}

/* ---- The disk ------------------------------------------------------------------------------ */

static int begun(bench *b, const em_file *file, em_splices splices, bool to_be_synced)
{
    em_content content = em_content_of(file, splices);
    content.to_be_synced = to_be_synced;
    int fd = file_new(b);
    em_hash hash;
    bench_disarm(b);
    trap *t = trap_set(&b->trap, (trap){.call = "write_out", .about = "", .error = EIO});
    t->times = -1;
    check_status("transfer",
                 em_transfer(&content, (em_io_file){&b->trap.sys, fd, "big"}, 0, &hash, &b->err),
                 EM_OK);
    close(fd);
    return t->caught;
}

/* The disk begins while the rest is written, if what it does will be waited for; that it cannot is
 * no error. */
static void test_the_disk_begins_early(void **state)
{
    static const uint64_t magics[] = {OTHER, EXT4};
    static char more[9 << 20];
    em_splice splice = {100, 3, {more, sizeof more}};
    big x;
    big_open(&x, *state);
    for (size_t i = 0; i < COUNT_OF(magics); i++) {
        pretended = magics[i];
        assert_int_equal(begun(x.b, &x.file, (em_splices){&splice, 1}, true), 1);
        assert_int_equal(begun(x.b, &x.file, (em_splices){&splice, 1}, false), 0);
        assert_int_equal(begun(x.b, &x.file, (em_splices){&splice, 0}, true), 0);
    }
    big_drop(&x);
}

/* ---- Somebody else ------------------------------------------------------------------------- */

static void write_a_byte(void *context)
{
    bench *b = context;
    FILE *file = fopen(scratch_path(b->root, "big"), "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, SIZE - 5, SEEK_SET), 0);
    assert_int_equal(fputc('!', file), '!');
    assert_int_equal(fclose(file), 0);
}

static void cut_it_off(void *context)
{
    bench *b = context;
    assert_int_equal(truncate(scratch_path(b->root, "big"), SIZE / 2), 0);
}

/* Whoever writes between the reading and the copy, or while it runs: what would be written is not
 * what the change was planned on. */
static void test_somebody_writes(void **state)
{
    static const em_splice splice = {100, 3, {"NEW", 3}};
    static const struct {
        void (*hook)(void *);
        int skip, copies;
        const char *call;
        uint64_t on;
    } cases_of[] = {{write_a_byte, 0, 0, "copy", OTHER}, {write_a_byte, 1, 0, "copy", OTHER},
                    {cut_it_off, 0, 0, "copy", OTHER},   {cut_it_off, 1, 0, "copy", OTHER},
                    {write_a_byte, 0, 1, "copy", OTHER}, {cut_it_off, 0, 1, "copy", OTHER},
                    {write_a_byte, 0, 0, "read", EXT4},  {write_a_byte, 2, 0, "read", EXT4},
                    {cut_it_off, 0, 0, "read", EXT4},    {cut_it_off, 3, 0, "read", EXT4}};
    for (size_t i = 0; i < COUNT_OF(cases_of); i++) {
        big x;
        em_hash hash;
        int fd = file_new(*state);
        big_open(&x, *state);
        pretended = cases_of[i].on;
        trap_set(&x.b->trap, (trap){.call = cases_of[i].call,
                                    .about = "",
                                    .skip = cases_of[i].skip,
                                    .error = cases_of[i].copies ? EXDEV : 0,
                                    .hook = cases_of[i].hook,
                                    .context = x.b});
        check_status("foreign", transfer(&x, (em_splices){&splice, 1}, fd, &hash), EM_E_CONFLICT);
        assert_int_equal(x.b->err.cause, EM_CAUSE_CHANGED);
        close(fd);
        big_drop(&x);
        bench_disarm(x.b);
        bench_close(x.b);
    }
}

/* The extract that the change was planned on is not what had passed. */
static void test_an_extract_of_something_else(void **state)
{
    static const em_splice splice = {100, 3, {"NEW", 3}};
    static const em_segment segment = {.length = SIZE};
    big x;
    em_hash hash;
    big_open(&x, *state);
    em_extract extract = {{x.seen, SIZE}, &segment, 1, SIZE, 0, 0, 0};
    x.file.extract = &extract;
    check_status("the same", transfer(&x, (em_splices){&splice, 1}, -1, &hash), EM_OK);
    x.seen[101] = '!';
    check_status("another", transfer(&x, (em_splices){&splice, 1}, -1, &hash), EM_E_CONFLICT);
    big_drop(&x);
}

/* ---- Errors -------------------------------------------------------------------------------- */

static void test_errors(void **state)
{
    static const struct {
        const char *call;
        int skip, error;
        uint64_t on;
    } fails[] = {{"copy", 0, EIO, OTHER},     {"copy", 1, ENOSPC, OTHER}, {"read", 0, EIO, OTHER},
                 {"write", 0, ENOSPC, OTHER}, {"read", 1, EIO, OTHER},    {"read", 0, EIO, EXT4},
                 {"read", 2, EIO, EXT4},      {"write", 0, ENOSPC, EXT4}, {"write", 2, EIO, EXT4}};
    static const em_splice splice = {100, 3, {"NEW", 3}};
    big x;
    big_open(&x, *state);
    for (size_t i = 0; i < COUNT_OF(fails); i++) {
        em_hash hash;
        int fd = file_new(*state);
        bench_disarm(x.b);
        pretended = fails[i].on;
        trap *t = trap_set(&x.b->trap, (trap){.call = fails[i].call,
                                              .about = "",
                                              .skip = fails[i].skip,
                                              .error = fails[i].error});
        check_status(fails[i].call, transfer(&x, (em_splices){&splice, 1}, fd, &hash), EM_E_IO);
        assert_int_equal(t->caught, 1);
        close(fd);
    }
    big_drop(&x);
}

static void test_memory_ends(void **state)
{
    big x;
    em_status status = EM_E_NOMEM;
    big_open(&x, *state);
    for (long at = 1; status != EM_OK; at++) {
        em_hash hash;
        int fd = file_new(*state);
        memory_ends_at(at);
        status = transfer(&x, (em_splices){0}, fd, &hash);
        memory_ends_at(0);
        assert_true(status == EM_OK || status == EM_E_NOMEM);
        assert_true(at > 1 || status == EM_E_NOMEM);
        close(fd);
    }
    big_drop(&x);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_every_content),
        BENCH_TEST(test_what_the_kernel_cannot_move),
        BENCH_TEST(test_file_systems),
        BENCH_TEST(test_an_unknown_file_system),
        BENCH_TEST(test_the_window_is_read_once),
        BENCH_TEST(test_the_disk_begins_early),
        BENCH_TEST(test_somebody_writes),
        BENCH_TEST(test_an_extract_of_something_else),
        BENCH_TEST(test_errors),
        BENCH_TEST(test_memory_ends),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "workspace/speculation.h"

#include "bench.h"

#include "workspace/large.h"
#include "workspace/transfer.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

/* So many bytes that room for them is asked for. */
enum { SIZE = 5000 * 1024 + 123, AT = 300 * 1024 + 7 };

static char old_bytes[SIZE];
static const em_slice was = {"here it is", 10}, comes = {"here it was", 11};

/* What the file systems are said to be. */
enum { OTHER = 0x12345, EXT4 = 0xEF53, XFS = 0x58465342 };
static uint64_t pretended;

static int pretend(void *context, int fd, uint64_t *magic)
{
    (void)context;
    (void)fd;
    *magic = pretended;
    return 0;
}

/* A large file "big" that is open, with `was` at AT. */
typedef struct big {
    bench *b;
    em_file file;
} big;

static void put(bench *b)
{
    FILE *file = fopen(scratch_path(b->root, "big"), "wb");
    for (size_t i = 0; i < SIZE; i++)
        old_bytes[i] = (char)('a' + i * 31 % 23);
    memcpy(old_bytes + AT, was.ptr, was.len);
    assert_non_null(file);
    assert_int_equal(fwrite(old_bytes, 1, SIZE, file), SIZE);
    assert_int_equal(fclose(file), 0);
}

static const em_large_limits low = {.from = 1000, .speculated = 1000};

static void open_as(big *x, bench *b, em_intent intent)
{
    *x = (big){.b = b};
    pretended = EXT4;
    b->trap.sys.filesystem = pretend;
    put(b);
    bench_open(b);
    check_status("open",
                 em_ws_open_file(b->ws, "big", intent, EM_MAY_BE_LARGE, 0, &x->file, &b->err),
                 EM_OK);
}

static void big_open(big *x, bench *b)
{
    b->options.large = low;
    open_as(x, b, EM_TO_CHANGE);
}

/* Open, and begun with the size that comes as foreseen. */
static em_speculation *begun(big *x, bench *b)
{
    big_open(x, b);
    em_speculation *s = em_speculation_begin(b->ws, &x->file, SIZE + 1);
    assert_non_null(s);
    return s;
}

static void big_close(big *x)
{
    em_file_close(x->b->ws, &x->file);
}

static void keep(em_speculation *s, size_t start, size_t end)
{
    em_speculation_keep(s, em_slice_make(old_bytes + start, end - start));
}

/* All of it as it is foreseen. */
static void foresee(em_speculation *s)
{
    keep(s, 0, AT / 2);
    keep(s, AT / 2, AT);
    assert_int_equal(em_speculation_at(s), AT);
    em_speculation_replace(s, was, comes);
    assert_int_equal(em_speculation_at(s), AT + was.len);
    keep(s, AT + was.len, SIZE);
    assert_int_equal(em_speculation_at(s), SIZE);
    em_speculation_wait(s);
}

static em_slice expected(bench *b, em_splices splices)
{
    em_content content = {.old = {old_bytes, SIZE}, .splices = splices};
    em_slice out;
    check_status("join", em_content_join(&content, &b->arena, &out), EM_OK);
    return out;
}

static bool taken(big *x, em_splices splices, int *fd, em_hash *hash)
{
    em_content content = em_content_of(&x->file, splices);
    assert_true(em_content_valid(&content));
    return em_speculation_take(x->file.state, &content, fd, hash);
}

/* ---- What is foreseen ----------------------------------------------------------------------- */

static const struct {
    const char *what;
    em_splice splices[3];
    size_t count;
    bool is_foreseen;
} cases[] = {
    {"all of it", {{AT, 10, {"here it was", 11}}}, 1, true},
    {"what differs", {{AT + 8, 1, {"wa", 2}}}, 1, true},
    {"in two parts", {{AT + 5, 3, {"it ", 3}}, {AT + 8, 2, {"was", 3}}}, 2, true},
    {"nothing", {{0}}, 0, false},
    {"something else", {{AT, 10, {"here it is not", 14}}}, 1, false},
    {"less", {{AT, 10, {"here it wa", 10}}}, 1, false},
    {"more", {{AT, 10, {"here it was.", 12}}}, 1, false},
    {"the place before", {{AT - 1, 11, {"xhere it was", 12}}}, 1, false},
    {"the place behind", {{AT + 8, 4, {"was12", 5}}}, 1, false},
    {"elsewhere, too", {{5, 1, {"x", 1}}, {AT, 10, {"here it was", 11}}}, 2, false},
    {"elsewhere behind it", {{AT, 10, {"here it was", 11}}, {SIZE - 1, 1, {"x", 1}}}, 2, false},
};

static void check_content(bench *b, int fd, em_slice want)
{
    char *have = em_alloc_raw(&b->arena, want.len + 1);
    assert_int_equal(pread(fd, have, want.len + 1, 0), want.len);
    assert_true(em_slice_eq(em_slice_make(have, want.len), want));
}

static void test_which_changes_are_the_foreseen_one(void **state)
{
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        big x;
        em_splices splices = {cases[i].splices, cases[i].count};
        em_hash hash;
        int fd = -1;
        em_speculation *s = begun(&x, *state);
        foresee(s);
        assert_int_equal(taken(&x, splices, &fd, &hash), cases[i].is_foreseen);
        if (cases[i].is_foreseen) {
            em_slice want = expected(x.b, splices);
            check_content(x.b, fd, want);
            assert_string_equal(hash.hex, em_hash_of(want).hex);
            close(fd);
        }
        assert_false(taken(&x, splices, &fd, &hash)); /* it is gone either way */
        big_close(&x);
    }
}

static void test_what_is_not_foreseen_whole(void **state)
{
    const em_splice splice = {AT, was.len, comes};
    for (int i = 0; i < 4; i++) {
        big x;
        em_hash hash;
        int fd;
        em_speculation *s = begun(&x, *state);
        if (i == 0)
            keep(s, 0, AT);
        if (i == 1)
            keep(s, 0, SIZE);
        if (i >= 2)
            foresee(s);
        if (i == 2)
            em_speculation_end(s);
        if (i < 3)
            assert_false(taken(&x, (em_splices){&splice, 1}, &fd, &hash));
        big_close(&x); /* which lets go of it, too */
    }
}

/* Blocks that were set aside beyond the end would stay the file's. */
static void test_another_size(void **state)
{
    const em_splice splice = {AT, was.len, comes};
    big x;
    em_hash hash;
    int fd;
    big_open(&x, *state);
    em_speculation *s = em_speculation_begin(x.b->ws, &x.file, SIZE + 100000);
    assert_non_null(s);
    foresee(s);
    assert_false(taken(&x, (em_splices){&splice, 1}, &fd, &hash));
    big_close(&x);
}

/* ---- Where it is tried ---------------------------------------------------------------------- */

static bool is_begun(bench *b, em_intent intent, em_large_limits limits, uint64_t file_system)
{
    big x;
    b->options.large = limits;
    open_as(&x, b, intent);
    pretended = file_system;
    bool begun = em_speculation_begin(b->ws, &x.file, SIZE) != NULL;
    big_close(&x);
    bench_close(b);
    return begun;
}

static void test_where_it_is_worth_it(void **state)
{
    bench *b = *state;
    const em_large_limits large = {.from = 1000, .speculated = SIZE};
    assert_true(is_begun(b, EM_TO_CHANGE, large, EXT4));
    assert_false(is_begun(b, EM_TO_CHANGE, (em_large_limits){.from = 1000}, EXT4));
    assert_false(
        is_begun(b, EM_TO_CHANGE, (em_large_limits){.from = 1000, .speculated = SIZE + 1}, EXT4));
    assert_false(is_begun(b, EM_TO_CHANGE, (em_large_limits){.speculated = SIZE}, EXT4)); /* held */
    assert_false(is_begun(b, EM_TO_PREVIEW, large, EXT4));
    assert_false(is_begun(b, EM_TO_READ, large, EXT4));
    assert_false(is_begun(b, EM_TO_CHANGE, large, XFS)); /* which shares blocks */
    assert_false(is_begun(b, EM_TO_CHANGE, large, OTHER));
}

/* ---- Failures ------------------------------------------------------------------------------- */

/* Whatever fails of it, the change is made all the same. */
static void test_failures(void **state)
{
    static const struct {
        const char *call;
        int skip, error;
    } failures[] = {{"open", 0, EOPNOTSUPP}, {"open", 0, EACCES}, {"reserve", 0, ENOSPC},
                    {"write", 0, ENOSPC},    {"write", 2, EIO},   {"write", 3, EDQUOT}};
    const em_splice splice = {AT, was.len, comes};
    for (size_t i = 0; i < COUNT_OF(failures); i++) {
        big x;
        em_change change = {.splices = {&splice, 1}};
        big_open(&x, *state);
        trap *t = trap_set(&x.b->trap, (trap){.call = failures[i].call,
                                              .about = "",
                                              .skip = failures[i].skip,
                                              .error = failures[i].error});
        em_speculation *s = em_speculation_begin(x.b->ws, &x.file, SIZE + 1);
        if (s) {
            size_t whole = em_speculation_to_edge(s);
            foresee(s);
            assert_int_equal(em_speculation_to_edge(s), whole); /* none is near any more */
        }
        assert_int_equal(t->caught, 1);
        bench_disarm(x.b);
        x.file.hash = em_hash_of(em_slice_make(old_bytes, SIZE));
        check_status(failures[i].call,
                     em_ws_commit(x.b->ws, &x.file, &change, &x.b->arena, &x.b->report, &x.b->err),
                     EM_OK);
        em_slice want = expected(x.b, change.splices);
        assert_string_equal(x.b->report.hash.hex, em_hash_of(want).hex);
        big_close(&x);
        check_clean(x.b);
    }
}

/* ---- The commit ----------------------------------------------------------------------------- */

static em_status commit(big *x, const em_splice *splice, int *reads)
{
    em_change change = {.splices = {splice, 1}};
    x->file.hash = em_hash_of(em_slice_make(old_bytes, SIZE)); /* as a pass would tell */
    trap *t = trap_set(&x->b->trap, (trap){.call = "read", .about = "$big", .times = -1});
    em_status status =
        em_ws_commit(x->b->ws, &x->file, &change, &x->b->arena, &x->b->report, &x->b->err);
    *reads = t->caught;
    return status;
}

/* The file is not read again to be copied: only what came out is compared. */
static void test_a_commit_takes_it(void **state)
{
    const em_splice foreseen = {AT, was.len, comes}, other = {AT, was.len, {"else", 4}};
    int reads[2];
    for (size_t i = 0; i < 2; i++) {
        big x;
        em_speculation *s = begun(&x, *state);
        foresee(s);
        const em_splice *splice = i == 0 ? &foreseen : &other;
        em_slice want = expected(x.b, (em_splices){splice, 1});
        check_status("commit", commit(&x, splice, &reads[i]), EM_OK);
        assert_string_equal(x.b->report.hash.hex, em_hash_of(want).hex);
        assert_int_equal(x.b->report.size, want.len);
        big_close(&x);
        int fd = open(scratch_path(x.b->root, "big"), O_RDONLY | O_CLOEXEC);
        check_content(x.b, fd, want);
        close(fd);
        check_clean(x.b);
        bench_disarm(x.b);
    }
    assert_true(reads[0] < reads[1]);
}

static void write_a_byte(bench *b)
{
    FILE *file = fopen(scratch_path(b->root, "big"), "r+b");
    assert_non_null(file);
    assert_int_equal(fseek(file, SIZE - 5, SEEK_SET), 0);
    assert_int_equal(fputc('!', file), '!');
    assert_int_equal(fclose(file), 0);
}

/* What was foreseen was foreseen of another content. */
static void test_somebody_writes_meanwhile(void **state)
{
    const em_splice splice = {AT, was.len, comes};
    big x;
    int reads;
    em_speculation *s = begun(&x, *state);
    foresee(s);
    write_a_byte(x.b);
    check_status("commit", commit(&x, &splice, &reads), EM_E_CONFLICT);
    big_close(&x);
    check_clean(x.b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        BENCH_TEST(test_which_changes_are_the_foreseen_one),
        BENCH_TEST(test_what_is_not_foreseen_whole),
        BENCH_TEST(test_another_size),
        BENCH_TEST(test_where_it_is_worth_it),
        BENCH_TEST(test_failures),
        BENCH_TEST(test_a_commit_takes_it),
        BENCH_TEST(test_somebody_writes_meanwhile),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

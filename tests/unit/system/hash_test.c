#include "system/hash.h"

#include "system/xxh3.h"

#include "scratch.h"
#include "trap.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>
#include <xxhash.h>

void em_xxh3_plain_hash(const void *bytes, size_t size, unsigned char out[static 16]);

static void test_known_values(void **state)
{
    (void)state;
    static const struct {
        const char *text, *hash;
    } cases[] = {
        /* printf '' | xxhsum -H2, and so on */
        {"", "99aa06d3014798d86001c324468d497f"},
        {"a", "a96faf705af16834e6c632b61e964e1f"},
        {"abc", "06b05ab6733a618578af5f94892f3950"},
    };
    for (size_t i = 0; i < COUNT_OF(cases); i++)
        assert_string_equal(em_hash_of(em_slice_of(cases[i].text)).hex, cases[i].hash);
}

/* Every kernel that this machine has gives the same, whole and in pieces. */
static void test_kernels(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 16, 17, 128, 129, 240, 241, 1023, 1024, 1025, 70000};
    static char bytes[70000];
    const em_xxh3_kernel *kernel;
    size_t count = 0;
    for (size_t i = 0; i < sizeof bytes; i++)
        bytes[i] = (char)(i * 31 + i / 253);
    for (; (kernel = em_xxh3_kernel_at(count)); count++) {
        for (size_t i = 0; kernel->usable && i < COUNT_OF(sizes); i++) {
            unsigned char plain[16], whole[16];
            em_xxh3_plain_hash(bytes, sizes[i], plain);
            kernel->hash(bytes, sizes[i], whole);
            assert_memory_equal(whole, plain, sizeof plain);
            XXH3_state_t *pieces = XXH3_createState();
            XXH128_canonical_t canonical;
            assert_non_null(pieces);
            XXH3_128bits_reset(pieces);
            kernel->add(pieces, bytes, sizes[i] / 3);
            kernel->add(pieces, bytes + sizes[i] / 3, sizes[i] - sizes[i] / 3);
            XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(pieces));
            assert_memory_equal(canonical.digest, plain, sizeof plain);
            XXH3_freeState(pieces);
        }
    }
    assert_true(count > 0 && em_xxh3_best()->usable);
}

static em_hash hash_of_two(const char *first, const char *second)
{
    EM_AUTO(em_hasher) hasher = {0};
    check_status("start", em_hasher_start(&hasher), EM_OK);
    em_hasher_add_text(&hasher, em_slice_of(first));
    em_hasher_add_text(&hasher, em_slice_of(second));
    return em_hasher_end(&hasher);
}

/* Where one text ends and the next begins counts. */
static void test_texts(void **state)
{
    (void)state;
    const em_hash hash = hash_of_two("ab", "c"), other = hash_of_two("a", "bc");
    const em_hash again = hash_of_two("ab", "c");
    assert_string_equal(hash.hex, again.hex);
    assert_string_not_equal(hash.hex, other.hex);
}

static void test_comparing(void **state)
{
    (void)state;
    assert_true(em_hash_eq(em_hash_of(EM_LIT("a")), em_hash_of(EM_LIT("a"))));
    assert_false(em_hash_eq(em_hash_of(EM_LIT("a")), em_hash_of(EM_LIT("b"))));
}

/* A file with `size` bytes that are not all the same. */
static int file_make(size_t size, char **bytes)
{
    char name[] = "/tmp/emend-test-XXXXXX";
    int fd = mkstemp(name);
    assert_true(fd >= 0);
    unlink(name);
    *bytes = malloc(size + 1);
    assert_non_null(*bytes);
    for (size_t i = 0; i < size; i++)
        (*bytes)[i] = (char)(i * 7 + i / 251);
    assert_int_equal(write(fd, *bytes, size), size);
    return fd;
}

static void test_files_and_pieces(void **state)
{
    (void)state;
    static const size_t sizes[] = {0, 1, 240, 241, 131071, 131072, 131073, 300000};
    for (size_t i = 0; i < COUNT_OF(sizes); i++) {
        char *bytes;
        em_hash hash;
        em_error err = EM_ERROR_INIT;
        int fd = file_make(sizes[i], &bytes);
        em_hash want = em_hash_of(em_slice_make(bytes, sizes[i]));
        check_status("file", em_hash_file((em_io_file){&em_sys_native, fd, "file"}, &hash, &err),
                     EM_OK);
        assert_string_equal(hash.hex, want.hex);

        EM_AUTO(em_hasher) hasher = {0};
        check_status("start", em_hasher_start(&hasher), EM_OK);
        em_hasher_add(&hasher, em_slice_make(bytes, sizes[i] / 3));
        em_hasher_add(&hasher, (em_slice){0});
        em_hasher_add(&hasher, em_slice_make(bytes + sizes[i] / 3, sizes[i] - sizes[i] / 3));
        assert_string_equal(em_hasher_end(&hasher).hex, want.hex);

        EM_AUTO(em_hasher) half = {0}, rest = {0};
        check_status("start", em_hasher_start(&half), EM_OK);
        check_status("start", em_hasher_start(&rest), EM_OK);
        em_hasher_add(&half, em_slice_make(bytes, sizes[i] / 2));
        em_hasher_copy(&rest, &half);
        em_hasher_add(&half, EM_LIT("another"));
        em_hasher_add(&rest, em_slice_make(bytes + sizes[i] / 2, sizes[i] - sizes[i] / 2));
        assert_string_equal(em_hasher_end(&rest).hex, want.hex);
        free(bytes);
        close(fd);
    }
}

/* What cannot be read has no hash, however much of it could be read. */
static void test_read_errors(void **state)
{
    (void)state;
    char *bytes;
    em_hash hash;
    em_error err = EM_ERROR_INIT;
    trap_sys system;
    int fd = file_make(300000, &bytes);
    trap_sys_init(&system);
    trap_set(&system, (trap){.call = "read", .about = "", .skip = 1, .error = EIO});
    check_status("read", em_hash_file((em_io_file){&system.sys, fd, "some/file"}, &hash, &err),
                 EM_E_IO);
    assert_non_null(strstr(err.detail, "some/file"));
    free(bytes);
    close(fd);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_known_values),
        cmocka_unit_test(test_kernels),
        cmocka_unit_test(test_texts),
        cmocka_unit_test(test_comparing),
        cmocka_unit_test(test_files_and_pieces),
        cmocka_unit_test(test_read_errors),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

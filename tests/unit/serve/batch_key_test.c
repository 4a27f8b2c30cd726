#include "../../remove_tree.h"
#include "check.h"
#include "scarce.h"

#include "serve/batch_key.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

/* A folder with a file `f`, another name `hard` of it, a folder `d`, and links: `l` to the file,
 * `away` to what is not there, `round` to itself. */
static char root[64];

static int make(void **state)
{
    (void)state;
    char first[100];
    strcpy(root, "/tmp/emend-batch-key-XXXXXX");
    assert_non_null(mkdtemp(root));
    int dir = open(root, O_DIRECTORY | O_RDONLY);
    int file = openat(dir, "f", O_CREAT | O_WRONLY, 0600);
    close(file);
    int failed = linkat(dir, "f", dir, "hard", 0) + mkdirat(dir, "d", 0700) +
                 symlinkat("f", dir, "l") + symlinkat("d/../new/x", dir, "away") +
                 symlinkat("round", dir, "round");
    snprintf(first, sizeof first, "%s/far", root);
    failed += symlinkat(first, dir, "d/absolute");
    close(dir);
    return failed;
}

static int remove_all(void **state)
{
    (void)state;
    return remove_tree(root);
}

static em_batch_key key_of(const char *file, bool has_backup)
{
    em_batch_key key;
    assert_int_equal(em_batch_key_make(root, file, has_backup, &key), EM_OK);
    return key;
}

static void spellings_of_one_file(void **state)
{
    (void)state;
    static const char *const same[][2] = {
        {"f", "./d/..//f"},        {"f", "l"},
        {"new", "new/./y/../x"},   {"new/x", "away"},
        {"new/x", "d/../new//x/"}, {"far", "d/absolute/z"},
        {"round", "./round"},      {"gone/../../../../../../f", "/"},
    };
    for (size_t i = 0; i < COUNT_OF(same); i++) {
        em_batch_key one = key_of(same[i][0], false), other = key_of(same[i][1], false);
        assert_string_equal(one.path, other.path);
        em_batch_key_drop(&one);
        em_batch_key_drop(&other);
    }
}

static void which_files_meet(void **state)
{
    (void)state;
    static const struct {
        const char *one, *other;
        bool meet;
    } rows[] = {
        {"f", "hard", true},
        {"f", "f", true},
        {"n/x", "n", true},
        {"n/x", "nx", false},
        {"n/x", "n/y", false},
        {"d/x", "d", true},
        {"d", "f", false},
        {"a", "a.bak", true},
        {"a", "a.bak1", true},
        {"a", "a.other", false},
        {"a.bak", "b.bak", false},
        {"/", "n", true},
        {"far/y", "d/absolute/z", true},
        {"y", "d/absolute/../z", true},
        {"n", "d/absolute/z", false},
    };
    em_batch_key none = {.path = NULL};
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        em_batch_key one = key_of(rows[i].one, true), other = key_of(rows[i].other, false);
        assert_int_equal(em_batch_keys_meet(&one, &other), rows[i].meet);
        assert_int_equal(em_batch_keys_meet(&other, &one), rows[i].meet);
        assert_false(em_batch_keys_meet(&one, &none));
        assert_false(em_batch_keys_meet(&none, &one));
        em_batch_key_drop(&one);
        em_batch_key_drop(&other);
    }
    em_batch_key backup = key_of("a.bak", false), no_backup = key_of("a", false);
    assert_false(em_batch_keys_meet(&backup, &no_backup));
    em_batch_key_drop(&backup);
    em_batch_key_drop(&no_backup);
}

/* More names than any file has: nothing is looked for. */
static void a_path_that_is_too_long(void **state)
{
    (void)state;
    static char path[2 << 20];
    memset(path, '/', sizeof path - 1);
    for (size_t i = 0; i + 1 < sizeof path; i += 2)
        path[i] = 'a';
    em_batch_key key = key_of(path, false);
    assert_int_equal(key.length, strlen(root) + 1 + strlen(path));
    em_batch_key_drop(&key);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    em_status status = EM_E_NOMEM;
    for (long nth = 0; status != EM_OK; nth++) {
        em_batch_key key;
        scarce_begin(nth);
        status = em_batch_key_make(root, "d/absolute/../z", false, &key);
        bool hit = scarce_end();
        assert_int_equal(status, hit ? EM_E_NOMEM : EM_OK);
        assert_int_equal(key.path != NULL, !hit);
        em_batch_key_drop(&key);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(spellings_of_one_file),
        cmocka_unit_test(which_files_meet),
        cmocka_unit_test(a_path_that_is_too_long),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, make, remove_all);
}

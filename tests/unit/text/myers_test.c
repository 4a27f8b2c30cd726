#include "text/myers.h"

#include "../with_cmocka.h"
#include "failing_malloc.h"
#include "random.h"

typedef struct strings {
    const char *old_text, *new_text;
} strings;

static bool same_letter(const void *context, size_t i, size_t j)
{
    const strings *s = context;
    return s->old_text[i] == s->new_text[j];
}

/* The fewest changes, from the longest common subsequence. */
static size_t fewest(const strings *s)
{
    enum { MOST = 64 };
    size_t n = strlen(s->old_text), m = strlen(s->new_text), common[MOST + 1][MOST + 1] = {0};
    for (size_t i = 1; i <= n; i++)
        for (size_t j = 1; j <= m; j++) {
            size_t up = common[i - 1][j], left = common[i][j - 1];
            common[i][j] = up > left ? up : left;
            if (same_letter(s, i - 1, j - 1))
                common[i][j] = common[i - 1][j - 1] + 1;
        }
    return n + m - 2 * common[n][m];
}

static em_sequences sequences_of(const strings *s)
{
    return (em_sequences){strlen(s->old_text), strlen(s->new_text), same_letter, s};
}

/* The script leads from one to the other, and no shorter one does. */
static void check(const char *old_text, const char *new_text)
{
    EM_AUTO(em_arena) arena = {0};
    strings s = {old_text, new_text};
    em_sequences sequences = sequences_of(&s);
    em_script script;
    size_t limit = fewest(&s), changes = 0, j = 0;
    assert_int_equal(em_myers(&sequences, limit, &arena, &script), EM_OK);
    assert_true(script.found);
    for (size_t i = 0; i < sequences.old_count; i++) {
        if (script.removed[i]) {
            changes++;
            continue;
        }
        for (; j < sequences.new_count && script.added[j]; j++)
            changes++;
        assert_true(j < sequences.new_count);
        assert_int_equal(old_text[i], new_text[j]);
        j++;
    }
    for (; j < sequences.new_count; j++, changes++)
        assert_true(script.added[j]);
    assert_int_equal(changes, limit);
    if (limit > 0) {
        assert_int_equal(em_myers(&sequences, limit - 1, &arena, &script), EM_OK);
        assert_false(script.found);
        assert_null(script.removed);
        assert_null(script.added);
    }
}

static void small_cases(void **state)
{
    (void)state;
    static const char *const texts[] = {"",     "a",    "b",       "ab",     "ba",
                                        "abc",  "aaaa", "abcabba", "cbabac", "xaxbxc",
                                        "abab", "aab",  "baa",     "cccccc"};
    enum { COUNT = sizeof texts / sizeof texts[0] };
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < COUNT; j++)
            check(texts[i], texts[j]);
}

static void random_cases(void **state)
{
    (void)state;
    random_state r = {5};
    for (int round = 0; round < 3000; round++) {
        char texts[2][40];
        size_t letters = 1 + random_below(&r, 5);
        for (int side = 0; side < 2; side++) {
            size_t length = random_below(&r, sizeof texts[side]);
            for (size_t i = 0; i < length; i++)
                texts[side][i] = (char)('a' + random_below(&r, letters));
            texts[side][length] = '\0';
        }
        check(texts[0], texts[1]);
    }
}

static void out_of_memory(void **state)
{
    (void)state;
    char old_text[600], new_text[600];
    memset(old_text, 'a', sizeof old_text);
    memset(new_text, 'b', sizeof new_text);
    old_text[sizeof old_text - 1] = new_text[sizeof new_text - 1] = '\0';
    strings s = {old_text, new_text};
    em_sequences sequences = sequences_of(&s);
    em_script script;
    em_status status = EM_E_NOMEM;
    for (long fails_at = 0; status != EM_OK; fails_at++) {
        EM_AUTO(em_arena) arena = {0};
        mallocs_left = fails_at;
        status = em_myers(&sequences, 1200, &arena, &script);
        mallocs_left = -1;
        assert_true(status == EM_OK ? fails_at > 3 : status == EM_E_NOMEM);
    }
    assert_true(script.found);
}

/* The arrays of the answer alone do not fit: the sequences are long and alike. */
static void out_of_memory_for_the_answer(void **state)
{
    (void)state;
    static char text[8000];
    memset(text, 'a', sizeof text - 1);
    strings s = {text, text};
    em_sequences sequences = sequences_of(&s);
    em_script script;
    for (long fails_at = 0; fails_at < 3; fails_at++) {
        EM_AUTO(em_arena) arena = {0};
        mallocs_left = fails_at;
        assert_int_equal(em_myers(&sequences, 4, &arena, &script), EM_E_NOMEM);
        mallocs_left = -1;
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_cases),
        cmocka_unit_test(random_cases),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(out_of_memory_for_the_answer),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

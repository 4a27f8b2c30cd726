#include "text/prints.h"

#include "text/search.h"

#include <stdio.h>
#include <stdlib.h>

#include "../with_cmocka.h"
#include "failing_malloc.h"
#include "guard.h"
#include "random.h"

enum { MOST_HAY = 3000, MOST_NEEDLES = 60 };

typedef struct seen {
    uint16_t ends[MOST_NEEDLES][MOST_HAY]; /* where what begins here ends; 0: nothing does */
    size_t count, most;
} seen;

static seen first, second; /* too large for the stack */

static bool note(void *context, size_t which, size_t start, size_t end)
{
    seen *s = context;
    assert_int_equal(s->ends[which][start], 0); /* each place once */
    s->ends[which][start] = (uint16_t)end;
    s->count++;
    return s->count < s->most;
}

static bool note_which(void *context, size_t which, size_t start, size_t end)
{
    bool *found = context;
    found[which] = start < end;
    return true;
}

static size_t naive_end(const em_sought *needle, em_slice hay, size_t at)
{
    if (needle->any_eol)
        return em_any_eol_at(needle->bytes, hay, at);
    bool stands = em_slice_starts(em_slice_from(hay, at), needle->bytes);
    return stands ? at + needle->bytes.len : EM_NPOS;
}

static size_t naive_count(const em_prints *prints, em_slice hay, const seen *s)
{
    size_t count = 0;
    for (size_t which = 0; which < prints->count; which++)
        for (size_t at = 0; at < hay.len && !prints->is_out[which]; at++) {
            size_t end = naive_end(&prints->needles[which], hay, at);
            assert_int_equal(s->ends[which][at], end == EM_NPOS ? 0 : end);
            count += end != EM_NPOS;
        }
    return count;
}

/* Every kernel. */
static void check_with(const em_sought *needles, size_t count, em_slice hay, em_slice like,
                       bool by_marks)
{
    EM_AUTO(em_arena) arena = {0};
    em_prints prints;
    assert_int_equal(em_prints_init(&prints, needles, count, like, by_marks, &arena), EM_OK);
    const em_prints_kernel *best = prints.kernel;
    for (size_t i = 0; em_prints_kernel_at(i); i++) {
        prints.kernel = em_prints_kernel_at(i);
        if (!prints.kernel->usable)
            continue;
        memset(&first, 0, sizeof first);
        first.most = SIZE_MAX;
        em_prints_find(&prints, hay, note, &first);
        assert_int_equal(naive_count(&prints, hay, &first), first.count);
    }
    memset(&second, 0, sizeof second);
    second.most = SIZE_MAX;
    prints.kernel = best;
    em_prints_find(&prints, hay, note, &second);
    assert_memory_equal(&first, &second, sizeof first);
}

static void check(const em_sought *needles, size_t count, em_slice hay, em_slice like)
{
    check_with(needles, count, hay, like, false);
    check_with(needles, count, hay, like, true);
}

static void there_are_kernels(void **state)
{
    (void)state;
    size_t count = 0;
    for (; em_prints_kernel_at(count); count++)
        print_message("kernel %s: %s\n", em_prints_kernel_at(count)->name,
                      em_prints_kernel_at(count)->usable ? "tested" : "not on this machine");
    assert_true(count > 0);
    assert_true(em_prints_kernel_at(count - 1)->usable); /* plain C is everywhere */
}

/* The same places pass every filter, and all of those where a print stands. */
static void kernels_agree(void **state)
{
    (void)state;
    random_state r = {5};
    static char hay[MOST_HAY], bytes[MOST_NEEDLES][40];
    em_sought needles[MOST_NEEDLES];
    for (size_t round = 0; round < 60; round++) {
        EM_AUTO(em_arena) arena = {0};
        em_prints prints;
        for (size_t i = 0; i < sizeof hay; i++)
            hay[i] = (char)random_below(&r, round % 2 ? 256 : 3);
        for (size_t i = 0; i < MOST_NEEDLES; i++) {
            size_t length = 1 + random_below(&r, 40);
            memcpy(bytes[i], hay + random_below(&r, sizeof hay - length), length);
            needles[i] = (em_sought){{bytes[i], length}, false};
        }
        em_slice text = {hay, sizeof hay};
        assert_int_equal(
            em_prints_init(&prints, needles, MOST_NEEDLES, text, round % 3 == 0, &arena), EM_OK);
        for (size_t i = 0; i < EM_PRINT_CLASSES; i++) {
            const em_print_class *class = &prints.classes[i];
            static uint32_t ours[MOST_HAY], theirs[MOST_HAY];
            size_t count = class->live ? random_below(&r, (sizeof hay - 8) / class->stride) : 0;
            for (size_t k = 0; count > 0 && em_prints_kernel_at(k); k++) {
                if (!em_prints_kernel_at(k)->usable)
                    continue;
                memset(ours, 0, sizeof ours);
                memset(theirs, 0, sizeof theirs);
                const em_prints_kernel *scalar = em_prints_kernel_at(k);
                for (size_t last = k; em_prints_kernel_at(last); last++)
                    scalar = em_prints_kernel_at(last);
                size_t passed = em_prints_kernel_at(k)->filter(class, hay, count, ours);
                assert_int_equal(passed, scalar->filter(class, hay, count, theirs));
                bool mine[MOST_HAY] = {false};
                for (size_t j = 0; j < passed; j++)
                    mine[ours[j]] = true;
                for (size_t j = 0; j < passed; j++)
                    assert_true(mine[theirs[j]]);
            }
        }
    }
}

/* Needles of every length, full of pieces of each other, in all kinds of text. */
static void random_texts(void **state)
{
    (void)state;
    static const char letters[] = "ab\n\rABc_ .{[\xC3\xA9";
    random_state r = {3};
    for (size_t round = 0; round < 300; round++) {
        static char hay[MOST_HAY], bytes[MOST_NEEDLES][24];
        em_sought needles[MOST_NEEDLES];
        size_t length = random_below(&r, round % 10 ? 200 : MOST_HAY);
        size_t kinds = 1 + random_below(&r, sizeof letters - 1);
        for (size_t i = 0; i < length; i++)
            hay[i] = letters[random_below(&r, kinds)];
        size_t count = 1 + random_below(&r, MOST_NEEDLES), longest = 1 + random_below(&r, 24);
        for (size_t i = 0; i < count; i++) {
            size_t needle = 1 + random_below(&r, longest);
            bool any_eol = random_below(&r, 2) == 0;
            for (size_t k = 0; k < needle; k++)
                bytes[i][k] = letters[random_below(&r, kinds)];
            for (size_t k = 0; k < needle; k++)
                if (any_eol && bytes[i][k] == '\r')
                    bytes[i][k] = '\n';
            needles[i] = (em_sought){{bytes[i], needle}, any_eol};
        }
        check(needles, count, (em_slice){hay, length}, (em_slice){hay, length / 2});
    }
}

/* At both edges of memory that may be read. */
static void every_length_at_the_edges(void **state)
{
    (void)state;
    const em_sought needles[] = {{EM_LIT("a"), false},
                                 {EM_LIT("bc"), false},
                                 {EM_LIT("fghi"), false},
                                 {EM_LIT("bcdefghijkabc"), false},
                                 {EM_LIT("defghijkabcdefghijkabcd"), false},
                                 {EM_LIT("ijkabcd"), true}};
    guard g = guard_make();
    assert_non_null(g.page);
    for (size_t length = 0; length < 150; length++)
        for (int end = 0; end < 2; end++) {
            char *hay = end ? guard_at_end(&g, length) : g.page;
            for (size_t i = 0; i < length; i++)
                hay[i] = (char)('a' + (length - i) % 11);
            check(needles, sizeof needles / sizeof *needles, (em_slice){hay, length},
                  (em_slice){0});
        }
    guard_drop(&g);
}

/* The mark stands at the same places for every kernel, up to the last that can be looked at. */
static void kernels_find_the_same_marks(void **state)
{
    (void)state;
    const em_mark mark = {{'a', 'b'}, 0};
    guard g = guard_make();
    assert_non_null(g.page);
    for (size_t length = 1; length < 400; length++)
        for (int end = 0; end < 2; end++) {
            char *hay = end ? guard_at_end(&g, length) : g.page;
            size_t wanted[400], count = 0;
            for (size_t i = 0; i < length; i++)
                hay[i] = (char)('a' + (length * 7 + i * i) % 3);
            for (size_t i = 0; i + 1 < length; i++)
                if (hay[i] == 'a' && hay[i + 1] == 'b')
                    wanted[count++] = i;
            for (size_t k = 0; em_prints_kernel_at(k); k++) {
                uint32_t found[400];
                if (!em_prints_kernel_at(k)->usable)
                    continue;
                assert_int_equal(em_prints_kernel_at(k)->marks(&mark, hay, length - 1, found),
                                 count);
                for (size_t i = 0; i < count; i++)
                    assert_int_equal(found[i], wanted[i]);
            }
        }
    guard_drop(&g);
}

/* Needles that are found by a mark, at both edges of memory. */
static void marked_needles_at_the_edges(void **state)
{
    (void)state;
    enum { COUNT = 24, LENGTH = 30 };
    static char bytes[COUNT][LENGTH + 1];
    em_sought needles[COUNT];
    guard g = guard_make();
    assert_non_null(g.page);
    for (size_t i = 0; i < COUNT; i++) {
        snprintf(bytes[i], sizeof bytes[i], "%04zu = call(%04zu);", i * 397, i * 1009);
        needles[i] = (em_sought){em_slice_of(bytes[i]), i % 2 == 0};
    }
    EM_AUTO(em_arena) arena = {0};
    em_prints prints;
    em_slice like = {bytes[0], sizeof bytes};
    assert_int_equal(em_prints_init(&prints, needles, COUNT, like, true, &arena), EM_OK);
    assert_true(prints.classes[0].by_mark && prints.classes[0].live > COUNT / 2);
    for (size_t length = 0; length < 160; length++)
        for (int end = 0; end < 2; end++) {
            char *hay = end ? guard_at_end(&g, length) : g.page;
            for (size_t i = 0; i < length; i++) {
                const char *needle = bytes[(length + i / 23) % COUNT];
                hay[i] = i % 23 < strlen(needle) ? needle[i % 23] : '.';
            }
            check_with(needles, COUNT, (em_slice){hay, length}, like, true);
        }
    guard_drop(&g);
}

/* ---- Texts that repeat themselves -------------------------------------------------------------
 */

/* Lines of two kinds, which end as they may. */
static size_t fill_with_lines(random_state *r, bool any_eol, char *out, size_t room)
{
    static const char *const endings[] = {"\n", "\r\n", "\r"};
    size_t length = 0;
    for (;;) {
        char line[16];
        const char *ending = endings[any_eol ? random_below(r, 3) : 0];
        int wrote = snprintf(line, sizeof line, "call(%zu);%s", random_below(r, 2), ending);
        if (length + (size_t)wrote > room)
            return length;
        memcpy(out + length, line, (size_t)wrote);
        length += (size_t)wrote;
    }
}

/* Some of it, with an LF for each ending where any is meant; in `out`, which has as much room. */
static em_sought piece_of(em_slice text, size_t start, size_t length, bool any_eol, char *out)
{
    size_t count = 0;
    for (size_t at = start; at < text.len && count < length; at++) {
        bool is_crlf = text.ptr[at] == '\r' && at + 1 < text.len && text.ptr[at + 1] == '\n';
        if (any_eol && is_crlf)
            continue;
        out[count++] = any_eol && text.ptr[at] == '\r' ? '\n' : text.ptr[at];
    }
    return (em_sought){{out, count}, any_eol};
}

static size_t live_windows(const em_prints *prints, bool any_eol)
{
    size_t live = 0;
    for (size_t i = 0; i < EM_PRINT_CLASSES; i++)
        if (prints->classes[i].by_window && prints->classes[i].any_eol == any_eol)
            live += prints->classes[i].live;
    return live;
}

static void needles_are_found_by_windows(void **state)
{
    (void)state;
    enum { COUNT = MOST_NEEDLES, LONGEST = 2500 };
    static char hay[MOST_HAY], bytes[COUNT][LONGEST];
    random_state r = {11};
    for (size_t round = 0; round < 40; round++) {
        EM_AUTO(em_arena) arena = {0};
        em_prints prints;
        em_sought needles[COUNT];
        em_slice text = {hay, fill_with_lines(&r, round % 2, hay, sizeof hay)};
        size_t longest = round % 4 < 2 ? LONGEST : 150;
        for (size_t i = 0; i < COUNT; i++) {
            bool any_eol = round % 2 && i % 4;
            size_t length = 1 + random_below(&r, longest);
            needles[i] = piece_of(text, random_below(&r, text.len), length, any_eol, bytes[i]);
            if (i % 8 == 7) /* which stands nowhere, perhaps */
                bytes[i][needles[i].bytes.len / 2] = '0';
        }
        assert_int_equal(em_prints_init(&prints, needles, COUNT, text, false, &arena), EM_OK);
        assert_true(live_windows(&prints, round % 2) > COUNT / 3);
        check(needles, COUNT, text, text);
        check(needles, COUNT, em_slice_sub(text, 0, random_below(&r, text.len)), text);
    }
}

static void windows_at_the_edges(void **state)
{
    (void)state;
    enum { COUNT = 16, LINES = 2000 };
    static char like[LINES], bytes[COUNT][200];
    random_state r = {12};
    em_sought needles[COUNT];
    em_slice text = {like, fill_with_lines(&r, true, like, sizeof like)};
    for (size_t i = 0; i < COUNT; i++)
        needles[i] = piece_of(text, 10 * i, 33 + 10 * i, i % 2, bytes[i]);
    guard g = guard_make();
    assert_non_null(g.page);
    for (size_t length = 0; length < 250; length++)
        for (int end = 0; end < 2; end++) {
            char *hay = end ? guard_at_end(&g, length) : g.page;
            if (length > 0)
                memcpy(hay, like + length % 7, length);
            check(needles, COUNT, (em_slice){hay, length}, text);
        }
    guard_drop(&g);
}

/* All of them have the prints of eight bytes that stand in each line, and one place each. */
static void needles_that_share_all_prints_are_seldom_tried(void **state)
{
    (void)state;
    enum { COUNT = 500, LENGTH = 600, TEXT = 200000 };
    char *hay = malloc(TEXT), *bytes = malloc((size_t)COUNT * LENGTH);
    assert_non_null(hay);
    assert_non_null(bytes);
    for (int any_eol = 0; any_eol < 2; any_eol++) {
        EM_AUTO(em_arena) arena = {0};
        em_prints prints;
        bool found[COUNT] = {false};
        random_state r = {13};
        em_sought needles[COUNT];
        em_slice text = {hay, fill_with_lines(&r, any_eol, hay, TEXT)};
        for (size_t i = 0; i < COUNT; i++)
            needles[i] =
                piece_of(text, i * (TEXT / COUNT) / 2, LENGTH, any_eol, bytes + i * LENGTH);
        assert_int_equal(em_prints_init(&prints, needles, COUNT, text, false, &arena), EM_OK);
        em_prints_find(&prints, text, note_which, found);
        for (size_t i = 0; i < COUNT; i++) {
            assert_true(found[i] && !prints.is_out[i]);
            assert_true(prints.misses[i] < 10);
        }
    }
    free(bytes);
    free(hay);
}

/* However many there are, and wherever they stand: the shape of prints depends on the number. */
static void each_of_thousands_is_found(void **state)
{
    (void)state;
    enum { MOST = 2060, LENGTH = 19, APART = LENGTH + 8 };
    static char bytes[MOST][LENGTH + 1], hay[MOST * APART];
    static em_sought needles[MOST];
    for (size_t i = 0; i < MOST; i++) {
        snprintf(bytes[i], sizeof bytes[i], "needle %04zu of many", i);
        needles[i] = (em_sought){{bytes[i], LENGTH}, false};
        memset(hay + i * APART, '.', APART);
        memcpy(hay + i * APART + i % 8, bytes[i], LENGTH);
    }
    for (size_t count = 2040; count <= MOST; count++) {
        EM_AUTO(em_arena) arena = {0};
        em_prints prints;
        bool found[MOST] = {false};
        assert_int_equal(em_prints_init(&prints, needles, count, (em_slice){0}, count % 2, &arena),
                         EM_OK);
        em_prints_find(&prints, (em_slice){hay, sizeof hay}, note_which, found);
        for (size_t i = 0; i < MOST; i++)
            assert_int_equal(found[i], i < count);
    }
}

static void an_ending_alone_has_no_print(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    const em_sought needles[] = {{EM_LIT("\n\n"), true}, {EM_LIT("\n\n"), false}};
    em_prints prints;
    assert_int_equal(em_prints_init(&prints, needles, 2, (em_slice){0}, true, &arena), EM_OK);
    assert_true(prints.is_out[0]);
    assert_false(prints.is_out[1]);
}

static void who_has_enough_is_not_told_more(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    const em_sought needles[] = {{EM_LIT("aa"), false}, {EM_LIT("aab"), false}};
    em_prints prints;
    assert_int_equal(em_prints_init(&prints, needles, 2, (em_slice){0}, true, &arena), EM_OK);
    memset(&first, 0, sizeof first);
    first.most = 1;
    em_prints_find(&prints, EM_LIT("aaaaaaaaaaaaaab"), note, &first);
    assert_true(prints.is_out[0]);
    assert_int_equal(first.count, 2); /* the other one was found */
}

/* The sample says that the needle's end is common, and then its start is what is everywhere. */
static void what_costs_too_much_is_left_out(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    enum { TIMES = 4000, PART = 11 };
    const em_sought needles[] = {{EM_LIT("abcdefghijkX"), false}, {EM_LIT("at the end"), false}};
    static char sample[TIMES * PART], hay[TIMES * PART + 10];
    em_prints prints;
    for (size_t i = 0; i < TIMES; i++) {
        memcpy(sample + i * PART, "bcdefghijkX", PART);
        memcpy(hay + i * PART, "abcdefghijk", PART);
    }
    memcpy(hay + TIMES * PART, "at the end", 10);
    em_slice text = {sample, sizeof sample};
    assert_int_equal(em_prints_init(&prints, needles, 2, text, true, &arena), EM_OK);
    memset(&first, 0, sizeof first);
    bool found[2] = {false, false};
    em_prints_find(&prints, (em_slice){hay, sizeof hay}, note_which, found);
    assert_true(prints.is_out[0]);
    assert_false(prints.is_out[1]);
    assert_true(found[1]);
}

static void want_of_memory_is_told(void **state)
{
    (void)state;
    static char text[4000];
    memset(text, 'x', sizeof text);
    const em_sought needles[] = {
        {EM_LIT("abc"), false}, {EM_LIT("abcdefghijklmn"), true}, {{text, 40}, false}};
    em_status status = EM_E_NOMEM;
    for (long left = 0; status == EM_E_NOMEM; left++) {
        EM_AUTO(em_arena) arena = {0};
        em_prints prints;
        mallocs_left = left;
        status = em_prints_init(&prints, needles, 3, (em_slice){text, sizeof text}, true, &arena);
        mallocs_left = -1;
        assert_true(status == EM_OK || (status == EM_E_NOMEM && left < 100));
    }
}

/* ---- A large haystack: another thread goes ahead in its second half ----------------------------
 */

enum { LARGE = 3 << 20, APART = 64 };

typedef struct places {
    size_t count, sum;
} places;

static bool add_place(void *context, size_t which, size_t start, size_t end)
{
    places *found = context;
    (void)which;
    (void)end;
    found->count++;
    found->sum += start;
    return true;
}

/* A haystack with a needle at every `apart` bytes; the few in the middle lie across both halves. */
static void check_large(const char *needle, size_t apart, bool by_marks)
{
    em_arena arena = {0};
    em_prints prints;
    size_t length = strlen(needle);
    places want = {0}, found = {0};
    char *hay = malloc(LARGE);
    assert_non_null(hay);
    memset(hay, '-', LARGE);
    for (size_t at = 5; at + length <= LARGE; at += apart) {
        memcpy(hay + at, needle, length);
        want.count++;
        want.sum += at;
    }
    em_sought sought[20];
    for (size_t i = 0; i < 20; i++) {
        char *other = em_arena_format(&arena, "%s_%zu", needle, i);
        sought[i] = (em_sought){em_slice_of(i == 0 ? needle : other), false};
    }
    em_slice text = em_slice_make(hay, LARGE);
    assert_int_equal(em_prints_init(&prints, sought, 20, text, by_marks, &arena), EM_OK);
    em_prints_find(&prints, text, add_place, &found);
    assert_false(prints.is_out[0]);
    assert_int_equal(found.count, want.count);
    assert_int_equal(found.sum, want.sum);
    em_arena_drop(&arena);
    free(hay);
}

static void in_a_large_haystack(void **state)
{
    (void)state;
    for (int by_marks = 0; by_marks < 2; by_marks++) {
        check_large("static int answer(void)", 100003, by_marks);
        check_large("answer(q)", APART, by_marks);
        check_large("answer(q)", 11, by_marks); /* more than are noted ahead */
        check_large("zq", 4099, by_marks);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(in_a_large_haystack),
        cmocka_unit_test(there_are_kernels),
        cmocka_unit_test(kernels_agree),
        cmocka_unit_test(random_texts),
        cmocka_unit_test(every_length_at_the_edges),
        cmocka_unit_test(needles_are_found_by_windows),
        cmocka_unit_test(windows_at_the_edges),
        cmocka_unit_test(needles_that_share_all_prints_are_seldom_tried),
        cmocka_unit_test(each_of_thousands_is_found),
        cmocka_unit_test(an_ending_alone_has_no_print),
        cmocka_unit_test(who_has_enough_is_not_told_more),
        cmocka_unit_test(what_costs_too_much_is_left_out),
        cmocka_unit_test(want_of_memory_is_told),
        cmocka_unit_test(kernels_find_the_same_marks),
        cmocka_unit_test(marked_needles_at_the_edges),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "text/pieces.h"

#include "../with_cmocka.h"
#include "failing_malloc.h"
#include "random.h"

enum { MOST = 12 };

/* `text` cut at random; the pieces lie in `items`. */
static em_pieces cut(random_state *r, em_slice text, em_slice items[MOST])
{
    size_t count = 0;
    while (text.len > 0) {
        size_t length = count + 1 == MOST ? text.len : 1 + random_below(r, text.len);
        items[count++] = em_slice_sub(text, 0, length);
        text = em_slice_from(text, length);
    }
    return (em_pieces){items, count};
}

/* Read a text in pieces line by line, forwards and backwards, beside the text in one. */
static void check(random_state *r, em_slice text)
{
    EM_AUTO(em_arena) arena = {0};
    em_slice items[MOST], other_items[MOST];
    em_pieces pieces = cut(r, text, items), other = cut(r, text, other_items);
    em_piece_place at = {0, 0}, other_at = {0, 0};
    for (size_t start = 0; start < text.len;) {
        const char *lf = memchr(text.ptr + start, '\n', text.len - start);
        size_t end = lf ? (size_t)(lf - text.ptr) : text.len;
        assert_false(em_place_eq(at, em_pieces_end(&pieces)));
        em_piece_line line = em_pieces_line(&pieces, &at);
        em_piece_line same = em_pieces_line(&other, &other_at);
        em_slice joined;
        assert_int_equal(line.lf, lf != NULL);
        assert_int_equal(em_pieces_join_line(&pieces, &line, &arena, &joined), EM_OK);
        assert_true(em_slice_eq(joined, em_slice_sub(text, start, end)));
        assert_true(em_place_eq(em_pieces_line_before(&pieces, at), line.start));
        assert_true(em_pieces_same_line(&pieces, &line, &other, &same));
        assert_int_equal(em_pieces_hash_line(&pieces, &line), em_pieces_hash_line(&other, &same));
        start = end + 1;
    }
    assert_true(em_place_eq(at, em_pieces_end(&pieces)));
}

static void lines_are_read_across_pieces(void **state)
{
    (void)state;
    random_state r = {9};
    for (int round = 0; round < 5000; round++) {
        char bytes[30];
        size_t length = random_below(&r, sizeof bytes + 1);
        for (size_t i = 0; i < length; i++)
            bytes[i] = "ab\n"[random_below(&r, 3)];
        check(&r, (em_slice){bytes, length});
    }
}

static em_piece_line first_line(const em_pieces *pieces)
{
    em_piece_place at = {0, 0};
    return em_pieces_line(pieces, &at);
}

static void lines_that_differ(void **state)
{
    (void)state;
    static const char *const texts[] = {"abc\n", "abc", "abd\n", "ab\n", "abcd\n", "xbc\n", "\n"};
    enum { COUNT = sizeof texts / sizeof texts[0] };
    for (size_t i = 0; i < COUNT; i++)
        for (size_t j = 0; j < COUNT; j++) {
            em_slice one = em_slice_of(texts[i]), two[2];
            size_t half = strlen(texts[j]) > 1 ? 1 : 0;
            two[0] = em_slice_sub(em_slice_of(texts[j]), 0, half);
            two[half] = em_slice_from(em_slice_of(texts[j]), half);
            em_pieces a = {&one, 1}, b = {two, half + 1};
            em_piece_line line_a = first_line(&a), line_b = first_line(&b);
            assert_int_equal(em_pieces_same_line(&a, &line_a, &b, &line_b), i == j);
            assert_int_equal(em_pieces_hash_line(&a, &line_a) == em_pieces_hash_line(&b, &line_b),
                             i == j);
        }
}

static void a_line_in_one_piece_is_borrowed(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice items[] = {EM_LIT("one\ntw"), EM_LIT("o\n")}, out;
    em_pieces pieces = {items, 2};
    em_piece_place at = {0, 0};
    em_piece_line line = em_pieces_line(&pieces, &at);
    mallocs_left = 0;
    assert_int_equal(em_pieces_join_line(&pieces, &line, &arena, &out), EM_OK);
    assert_ptr_equal(out.ptr, items[0].ptr);
    line = em_pieces_line(&pieces, &at);
    assert_int_equal(em_pieces_join_line(&pieces, &line, &arena, &out), EM_E_NOMEM);
    mallocs_left = -1;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_are_read_across_pieces),
        cmocka_unit_test(lines_that_differ),
        cmocka_unit_test(a_line_in_one_piece_is_borrowed),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

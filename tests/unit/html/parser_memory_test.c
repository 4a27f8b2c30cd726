#include "html/parser_memory.h"

#include "../with_cmocka.h"

#include "html/parse.h"

#include "failing_malloc.h"

/* A block that is full. */
static char *filled(em_parser_memory *memory, size_t size, uint64_t number)
{
    char *given = em_parser_memory_give(memory, size, number);
    assert_non_null(given);
    memset(given, (int)(number & 0x7F), size);
    return given;
}

static void small_blocks_go_on(void **state)
{
    (void)state;
    EM_AUTO(em_parser_memory) memory = {0};
    char *first = filled(&memory, 16, 1), *second = filled(&memory, 16, 2);
    char *none = filled(&memory, 0, 3);
    em_parser_memory_take(&memory, NULL);
    em_parser_memory_take(&memory, first);
    em_parser_memory_take(&memory, second);
    em_parser_memory_take(&memory, none);
    assert_ptr_equal(filled(&memory, 16, 4), second);
    assert_ptr_equal(filled(&memory, 16, 5), first);
    assert_ptr_equal(filled(&memory, 8, 6), none);
    assert_ptr_not_equal(filled(&memory, 16, 7), first);
    assert_int_equal(em_parser_memory_number(first), 5);
}

static void larger_blocks_stay(void **state)
{
    (void)state;
    EM_AUTO(em_parser_memory) memory = {0};
    size_t size = (EM_PARSER_SMALL + 1) * EM_PARSER_UNIT;
    char *given = filled(&memory, size, 1);
    em_parser_memory_take(&memory, given);
    assert_ptr_not_equal(filled(&memory, size, 2), given);
    assert_int_equal(given[size - 1], 1);
}

/* Blocks of many sizes, in pieces that were there or were not, do not lie in each other. */
static void pieces_come_again(void **state)
{
    (void)state;
    enum { BLOCKS = 400, LARGEST = 3 << 20 };
    EM_AUTO(em_parser_memory) memory = {0};
    for (size_t round = 1; round <= 3; round++) {
        char *blocks[BLOCKS];
        size_t sizes[BLOCKS];
        em_parser_memory_reuse(&memory);
        for (size_t i = 0; i < BLOCKS; i++) {
            sizes[i] = i % 100 == round ? LARGEST / round / 8 * 8 : i % 50 * round * 8;
            blocks[i] = filled(&memory, sizes[i], i + round);
        }
        for (size_t i = 0; i < BLOCKS; i++) {
            assert_int_equal(em_parser_memory_number(blocks[i]), i + round);
            for (size_t k = 0; k < sizes[i]; k++)
                assert_int_equal(blocks[i][k], (i + round) & 0x7F);
        }
    }
}

/* Pages that are read with the memory of others read as they do by themselves. */
static void pages_share_it(void **state)
{
    (void)state;
    static const char *const pages[] = {
        "<!DOCTYPE html><p id=a>x<p class='b c'>y",
        "<table><tr><td><b>1</table>2",
        "<p>",
        "<svg><path d=1 /></svg><form>a</form>b<select><option>c",
    };
    EM_AUTO(em_parser_memory) memory = {0};
    for (size_t i = 0; i < 8; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_page page, alone;
        em_error err = EM_ERROR_INIT;
        em_slice bytes = em_slice_of(pages[i % (sizeof pages / sizeof *pages)]);
        assert_int_equal(em_page_parse_in(&memory, bytes, NULL, &arena, &page, &err), EM_OK);
        assert_int_equal(em_page_parse(bytes, NULL, &arena, &alone, &err), EM_OK);
        assert_ptr_equal(page.memory, &memory);
        assert_int_equal(page.count, alone.count);
        for (size_t k = 0; k < page.count; k++) {
            assert_true(em_slice_eq(page.nodes[k]->name, alone.nodes[k]->name));
            assert_true(em_slice_eq(page.nodes[k]->text, alone.nodes[k]->text));
            assert_int_equal(page.nodes[k]->whole.end, alone.nodes[k]->whole.end);
        }
    }
}

/* There is room for the list of the pieces, and for the first of them, or there is none. */
static void no_memory_is_told(void **state)
{
    (void)state;
    for (long left = 0; left < 3; left++) {
        EM_AUTO(em_parser_memory) memory = {0};
        mallocs_left = left;
        void *given = em_parser_memory_give(&memory, 8, 0);
        mallocs_left = -1;
        assert_int_equal(given != NULL, left == 2);
        assert_non_null(em_parser_memory_give(&memory, 8, 1));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_blocks_go_on), cmocka_unit_test(larger_blocks_stay),
        cmocka_unit_test(pieces_come_again),  cmocka_unit_test(pages_share_it),
        cmocka_unit_test(no_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

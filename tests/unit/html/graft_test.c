#include "html/graft.h"

#include "../with_cmocka.h"

static em_node *text_in(em_node *parent, em_node *next, const char *text, em_arena *arena)
{
    em_node *node = em_graft_text(em_slice_of(text), arena);
    assert_non_null(node);
    em_graft_put(parent, next, node);
    return node;
}

static void check_texts(const em_node *parent, const char *const *want)
{
    const em_node *node = parent->first_child;
    for (; *want; want++, node = node->next) {
        assert_non_null(node);
        assert_true(em_slice_is(node->text, *want));
    }
    assert_null(node);
}

static void texts_become_one(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_node parent = {.kind = EM_NODE_ELEMENT};
    em_node *first = text_in(&parent, NULL, "ab", &arena);
    text_in(&parent, NULL, "", &arena);
    text_in(&parent, NULL, "cd", &arena);
    assert_int_equal(em_graft_join(first, &arena), EM_OK);
    assert_int_equal(em_graft_join(first, &arena), EM_OK);
    check_texts(&parent, (const char *const[]){"abcd", NULL});
    assert_int_equal(em_graft_join(first, &arena), EM_OK);
    assert_int_equal(em_graft_join(NULL, &arena), EM_OK);
    check_texts(&parent, (const char *const[]){"abcd", NULL});
}

static void what_is_empty_goes_away(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_node parent = {.kind = EM_NODE_ELEMENT};
    em_node *first = text_in(&parent, NULL, "", &arena);
    text_in(&parent, NULL, "", &arena);
    assert_int_equal(em_graft_join(first, &arena), EM_OK);
    check_texts(&parent, (const char *const[]){NULL});
}

/* A text that was parted shares its memory with its tail, so nothing is added to it in place. */
static void a_parted_text_leaves_its_tail_alone(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_node parent = {.kind = EM_NODE_ELEMENT};
    em_node *first = text_in(&parent, NULL, "ab", &arena);
    text_in(&parent, NULL, "cd", &arena);
    assert_int_equal(em_graft_join(first, &arena), EM_OK);
    em_node *tail = em_graft_split(first, 2, 0, &arena);
    assert_non_null(tail);
    check_texts(&parent, (const char *const[]){"ab", "cd", NULL});
    text_in(&parent, tail, "XY", &arena);
    assert_int_equal(em_graft_join(first, &arena), EM_OK);
    check_texts(&parent, (const char *const[]){"abXY", "cd", NULL});
    assert_int_equal(em_graft_join(first, &arena), EM_OK);
    check_texts(&parent, (const char *const[]){"abXYcd", NULL});
}

/* As many elements as were removed, so many times a text grows: it is not copied each time. */
static void a_text_that_grows_is_seldom_copied(void **state)
{
    (void)state;
    enum { TIMES = 10000, COPIES = 16 };
    EM_AUTO(em_arena) arena = {0};
    em_node parent = {.kind = EM_NODE_ELEMENT};
    em_node *first = text_in(&parent, NULL, "ab", &arena);
    const char *bytes = first->text.ptr;
    int copies = 0;
    for (int i = 0; i < TIMES; i++) {
        text_in(&parent, NULL, i % 2 ? "c" : "d", &arena);
        assert_int_equal(em_graft_join(first, &arena), EM_OK);
        copies += first->text.ptr != bytes;
        bytes = first->text.ptr;
    }
    assert_int_equal(first->text.len, TIMES + 2);
    assert_memory_equal(first->text.ptr, "abdcdcd", 7);
    assert_in_range(copies, 1, COPIES);
}

/* What was taken from its beginning is no room behind its end. */
static void a_shortened_text_has_less_room(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_node *text = em_graft_text(EM_LIT("ab"), &arena);
    assert_non_null(text);
    em_graft_shorten(text, 1);
    assert_int_equal(text->room, 0);
    assert_int_equal(em_graft_extend(text, EM_LIT("cd"), &arena), EM_OK);
    const char *end = text->text.ptr + text->room;
    em_graft_shorten(text, 2);
    assert_true(em_slice_is(text->text, "d"));
    assert_ptr_equal(text->text.ptr + text->room, end);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(texts_become_one),
        cmocka_unit_test(what_is_empty_goes_away),
        cmocka_unit_test(a_parted_text_leaves_its_tail_alone),
        cmocka_unit_test(a_text_that_grows_is_seldom_copied),
        cmocka_unit_test(a_shortened_text_has_less_room),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

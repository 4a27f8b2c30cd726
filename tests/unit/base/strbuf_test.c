#include "base/strbuf.h"

#include <wchar.h>

#include "../with_cmocka.h"
#include "failing_malloc.h"

static void what_is_added_is_there(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) buf = {0};
    assert_string_equal(em_strbuf_finish(&buf, &arena), "");
    em_strbuf_puts(&buf, "one ");
    em_strbuf_putc(&buf, '2');
    em_strbuf_printf(&buf, " %s %d%s", "three", 4, "");
    em_strbuf_printf(&buf, "%s", "");
    em_strbuf_add(&buf, em_slice_make("\0!", 2));
    em_strbuf_add(&buf, (em_slice){NULL, 0});
    assert_int_equal(em_strbuf_slice(&buf).len, 15);
    assert_memory_equal(em_strbuf_finish(&buf, &arena), "one 2 three 4\0!\0", 16);
}

static void it_grows(void **state)
{
    (void)state;
    EM_AUTO(em_strbuf) buf = {0};
    static char large[3000];
    memset(large, 'x', sizeof large);
    em_strbuf_add(&buf, em_slice_make(large, sizeof large)); /* more than doubling gives */
    for (int i = 0; i < 10000; i++)
        em_strbuf_printf(&buf, "%d,", i % 10);
    em_slice all = em_strbuf_slice(&buf);
    assert_int_equal(all.len, sizeof large + 20000);
    assert_true(em_slice_starts(all, em_slice_make(large, sizeof large)));
    assert_true(em_slice_eq(em_slice_from(all, all.len - 4), EM_LIT("8,9,")));
    assert_false(buf.failed);
}

/* Whatever fails, what was there stays, and what comes after is ignored. */
static void out_of_memory_is_said_at_the_end(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) buf = {0};
    em_strbuf_puts(&buf, "kept");
    mallocs_left = 0;
    for (int i = 0; i < 300; i++)
        em_strbuf_printf(&buf, "%s", "more");
    mallocs_left = -1;
    em_strbuf_puts(&buf, "late");
    assert_true(buf.failed);
    assert_true(buf.len <= 256);
    assert_memory_equal(buf.ptr, "kept", 4);
    assert_null(em_strbuf_finish(&buf, &arena));
}

static void more_than_there_can_be(void **state)
{
    (void)state;
    EM_AUTO(em_strbuf) buf = {0};
    em_strbuf_add(&buf, em_slice_make("", SIZE_MAX));
    assert_true(buf.failed);
    assert_int_equal(buf.len, 0);
}

/* In the locale that every program begins in, no other characters than ASCII can be written. */
static void what_printf_cannot_write(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) buf = {0};
    em_strbuf_puts(&buf, "kept");
    em_strbuf_printf(&buf, "%lc", (wint_t)0x20AC);
    assert_true(buf.failed);
    assert_int_equal(buf.len, 4);
    assert_null(em_strbuf_finish(&buf, &arena));
}

static void finish_needs_memory_too(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_strbuf) buf = {0};
    em_strbuf_puts(&buf, "text");
    mallocs_left = 0;
    assert_null(em_strbuf_finish(&buf, &arena));
    mallocs_left = -1;
    assert_string_equal(em_strbuf_finish(&buf, &arena), "text");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_added_is_there),
        cmocka_unit_test(it_grows),
        cmocka_unit_test(out_of_memory_is_said_at_the_end),
        cmocka_unit_test(more_than_there_can_be),
        cmocka_unit_test(what_printf_cannot_write),
        cmocka_unit_test(finish_needs_memory_too),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

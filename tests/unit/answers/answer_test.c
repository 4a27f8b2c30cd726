#include "answers/answer.h"

#include "made_up.h"

static void lines_follow_in_their_order(void **state)
{
    (void)state;
    EM_AUTO(made_up) m;
    made_up_open(&m, "all", "file_edit", (em_error){.code = EM_OK, .edit = EM_NO_EDIT});
    em_arena *arena = &m.c.s.arena;
    assert_int_equal(em_warn(&m.outcome.warnings, arena, "one"), EM_OK);
    assert_int_equal(em_warn(&m.outcome.warnings, arena, "two"), EM_OK);
    m.outcome.edit_id = "7-ab";
    em_reply_add_lines(&m.reply);
    assert_string_equal(em_reply_text(&m.reply), "\nWarning: one\nWarning: two");
    m.call.stateless = true;
    m.reply.text.len = 0;
    em_reply_add_lines(&m.reply);
    assert_string_equal(em_reply_text(&m.reply), "\nWarning: one\nWarning: two\nEdit: 7-ab");
    m.outcome.edit_id = "";
    m.outcome.warnings.count = 0;
    m.outcome.status = EM_E_CONFLICT;
    m.reply.text.len = 0;
    em_reply_add_lines(&m.reply);
    assert_string_equal(em_reply_text(&m.reply), "");
    m.outcome.error.cause = EM_CAUSE_CHANGED;
    em_reply_add_lines(&m.reply);
    assert_string_equal(em_reply_text(&m.reply), "\nCause: changed");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_follow_in_their_order),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

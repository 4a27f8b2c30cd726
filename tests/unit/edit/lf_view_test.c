#include "edit/lf_view.h"

#include "draft/draft.h"
#include "scarce_arena.h"

static const struct {
    const char *what, *text;
    em_eol kind;
    const char *view;
} cases[] = {
    {"nothing", "", EM_EOL_NONE, NULL},
    {"one line", "a", EM_EOL_NONE, NULL},
    {"LF", "a\nb\n", EM_EOL_NONE, NULL},
    {"CRLF", "a\r\n\r\nb\r\n", EM_EOL_CRLF, "a\n\nb\n"},
    {"CRLF, none at the end", "\r\na", EM_EOL_CRLF, "\na"},
    {"CR", "a\r\rb\r", EM_EOL_CR, "a\n\nb\n"},
    {"CR, none at the end", "\ra", EM_EOL_CR, "\na"},
    {"an LF first", "\na\r\n", EM_EOL_NONE, NULL},
    {"an LF in between", "a\r\nb\nc\r\n", EM_EOL_NONE, NULL},
    {"a CR first", "\ra\r\n", EM_EOL_NONE, NULL},
    {"a CR in front of a CRLF", "a\r\r\n", EM_EOL_NONE, NULL},
    {"a CR at the end", "a\r\nb\r", EM_EOL_NONE, NULL},
    {"an LF behind CRs", "a\rb\n", EM_EOL_NONE, NULL},
};

static void each_text_is_seen_in_lfs(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        em_slice text = em_slice_of(cases[i].text);
        assert_int_equal(em_draft_init(&draft, text, 0), EM_OK);
        em_eol kind = em_draft_common_eol(&draft);
        check_size(cases[i].what, kind, cases[i].kind);
        if (kind == EM_EOL_NONE)
            continue;
        em_lf_view view;
        assert_int_equal(em_lf_view_make(text, text.len, kind, &arena, &view), EM_OK);
        check_bytes(cases[i].what, view.bytes, em_slice_of(cases[i].view));
        for (size_t at = 0; at <= view.bytes.len; at++) {
            size_t there = em_lf_view_to_text(&view, at);
            check_size(cases[i].what, em_lf_view_from_text(&view, text, there), at);
            if (at < view.bytes.len && view.bytes.ptr[at] == '\n')
                check_size(cases[i].what, em_eol_at(text, there), kind);
        }
        check_size(cases[i].what, em_lf_view_to_text(&view, view.bytes.len), text.len);
    }
}

static void the_start_of_a_text_is_seen(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_lf_view view;
    assert_int_equal(em_lf_view_make(EM_LIT("a\r\nb\r\nc"), 6, EM_EOL_CRLF, &arena, &view), EM_OK);
    check_bytes("start", view.bytes, EM_LIT("a\nb\n"));
    assert_int_equal(em_lf_view_make(EM_LIT("a\r\n"), 0, EM_EOL_CRLF, &arena, &view), EM_OK);
    check_bytes("nothing", view.bytes, EM_LIT(""));
}

static void each_insert_gets_the_endings(void **state)
{
    (void)state;
    static const struct {
        em_eol eol;
        const char *insert, *want;
    } rows[] = {
        {EM_EOL_NONE, "a\nb", "a\nb"},
        {EM_EOL_CRLF, "", ""},
        {EM_EOL_CRLF, "a", "a"},
        {EM_EOL_CRLF, "\na\n\n", "\r\na\r\n\r\n"},
        {EM_EOL_CRLF, "a\r\nb\n\r", "a\r\nb\r\n\r"},
        {EM_EOL_CR, "\na\n", "\ra\r"},
        {EM_EOL_CR, "a\r\nb\n", "a\r\nb\r"},
    };
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(em_arena) arena = {0};
        em_lf_view view = {.eol = rows[i].eol};
        em_slice out;
        assert_int_equal(em_lf_view_endings(&view, em_slice_of(rows[i].insert), &arena, &out),
                         EM_OK);
        check_bytes(rows[i].insert, out, em_slice_of(rows[i].want));
    }
}

static em_status make_and_adapt(em_arena *arena, const void *context)
{
    const char *text = context;
    em_lf_view view;
    em_slice out;
    EM_TRY(em_lf_view_make(em_slice_of(text), strlen(text), EM_EOL_CRLF, arena, &view));
    return em_lf_view_endings(&view, EM_LIT("a\nb"), arena, &out);
}

static void memory_that_runs_out_is_told(void **state)
{
    (void)state;
    check_scarce("view", make_and_adapt, "a\r\nb\r\n");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_text_is_seen_in_lfs),
        cmocka_unit_test(the_start_of_a_text_is_seen),
        cmocka_unit_test(each_insert_gets_the_endings),
        cmocka_unit_test(memory_that_runs_out_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

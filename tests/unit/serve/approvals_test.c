#include "check.h"
#include "scarce.h"

#include "serve/approvals.h"

#include <pthread.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>

/* ---- What waits ---------------------------------------------------------------------------- */

static em_approvals *approvals_with(em_approvals_options options)
{
    em_approvals *approvals;
    em_error err = EM_ERROR_INIT;
    assert_int_equal(em_approvals_new(&options, &approvals, &err), EM_OK);
    return approvals;
}

static em_approvals *usual(void)
{
    return approvals_with((em_approvals_options){.has_page = true, .ask_clients = true});
}

static em_intended files[] = {
    {.path = "/r/a.txt", .rel = "a.txt", .diff = "-1\n+2\n", .lines_added = 1},
    {.path = "/r/b.txt", .rel = "b.txt", .diff = "", .how = EM_INTENDED_REMOVE},
};

static const int peer_a, peer_b;

static em_waiting change_of(size_t count)
{
    return (em_waiting){.peer = &peer_a,
                        .tool = "edit_file",
                        .client = "client",
                        .arguments = "{}",
                        .asks_client = true,
                        .items = files,
                        .count = count};
}

static uint64_t add(em_approvals *approvals, size_t count)
{
    em_waiting waiting = change_of(count);
    uint64_t id;
    assert_int_equal(em_approvals_add(approvals, &waiting, &id), EM_ADMITTED);
    return id;
}

static em_decision look(em_approvals *approvals, uint64_t id)
{
    em_decision decision;
    em_approvals_wait(approvals, id, 0, &decision);
    return decision;
}

static size_t count_waiting(em_approvals *approvals)
{
    EM_AUTO(em_arena) arena = {0};
    em_waiting_list list;
    assert_int_equal(em_approvals_list(approvals, &arena, &list), EM_OK);
    return list.count;
}

static void what_waits_can_be_seen(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_approvals *approvals = usual();
    em_waiting_list list;
    em_waiting one;
    uint64_t first = add(approvals, 2), second = add(approvals, 1);
    assert_true(second > first && first > 0);
    assert_int_equal(em_approvals_list(approvals, &arena, &list), EM_OK);
    assert_int_equal(list.count, 2);
    assert_int_equal(list.items[0].id, first);
    assert_int_equal(list.items[1].id, second);
    assert_int_equal(em_approvals_get(approvals, first, &arena, &one), EM_OK);
    em_approvals_withdraw(approvals, first);
    em_approvals_withdraw(approvals, second);
    assert_string_equal(one.tool, "edit_file");
    assert_string_equal(one.client, "client");
    assert_string_equal(one.arguments, "{}");
    assert_false(one.arguments_cut);
    assert_int_equal(one.count, 2);
    assert_string_equal(one.items[0].path, "/r/a.txt");
    assert_string_equal(one.items[0].diff, "-1\n+2\n");
    assert_int_equal(one.items[1].how, EM_INTENDED_REMOVE);
    assert_int_equal(one.until_ms - one.since_ms, EM_APPROVAL_TIMEOUT_MS);
    assert_int_equal(em_approvals_get(approvals, first, &arena, &one), EM_E_NOT_FOUND);
    assert_int_equal(count_waiting(approvals), 0);
    em_approvals_free(approvals);
}

static void long_arguments_are_cut_between_code_points(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_approvals *approvals = usual();
    char *text = em_alloc(&arena, EM_APPROVAL_ARGUMENTS + 2);
    em_waiting waiting = change_of(1), one;
    uint64_t id;
    memset(text, 'x', EM_APPROVAL_ARGUMENTS - 1);
    memcpy(text + EM_APPROVAL_ARGUMENTS - 1, "\xc3\xa9", 2);
    waiting.arguments = text;
    waiting.client = NULL;
    assert_int_equal(em_approvals_add(approvals, &waiting, &id), EM_ADMITTED);
    assert_int_equal(em_approvals_get(approvals, id, &arena, &one), EM_OK);
    assert_true(one.arguments_cut);
    assert_int_equal(strlen(one.arguments), EM_APPROVAL_ARGUMENTS - 1);
    assert_null(one.client);
    em_approvals_withdraw(approvals, id);
    em_approvals_free(approvals);
}

static void only_so_many_wait(void **state)
{
    (void)state;
    em_approvals *approvals = approvals_with((em_approvals_options){.most = 2});
    em_waiting waiting = change_of(1);
    uint64_t ids[2], id;
    ids[0] = add(approvals, 1);
    ids[1] = add(approvals, 1);
    assert_int_equal(em_approvals_add(approvals, &waiting, &id), EM_ADMISSION_FULL);
    em_approvals_withdraw(approvals, ids[1]);
    ids[1] = add(approvals, 1);
    em_approvals_withdraw(approvals, ids[0]);
    em_approvals_withdraw(approvals, ids[1]);
    em_approvals_free(approvals);
}

/* ---- Deciding ------------------------------------------------------------------------------ */

static void the_first_decides(void **state)
{
    (void)state;
    em_approvals *approvals = usual();
    em_ruling no = {.reason = "no", .judge = EM_JUDGE_PAGE}, yes = {.yes = true};
    uint64_t id = add(approvals, 1);
    assert_int_equal(look(approvals, id).verdict, EM_VERDICT_NONE);
    assert_int_equal(em_approvals_decide(approvals, id + 1, &yes), EM_E_NOT_FOUND);
    assert_int_equal(em_approvals_decide(approvals, id, &no), EM_OK);
    assert_int_equal(em_approvals_decide(approvals, id, &yes), EM_E_NOT_FOUND);
    assert_int_equal(count_waiting(approvals), 0);
    em_decision decision = look(approvals, id);
    assert_int_equal(decision.verdict, EM_VERDICT_NO);
    assert_int_equal(decision.judge, EM_JUDGE_PAGE);
    assert_string_equal(decision.reason, "no");
    em_approvals_withdraw(approvals, id);
    em_approvals_free(approvals);
}

static void a_client_decides_what_it_was_asked(void **state)
{
    static const struct {
        const void *peer;
        bool asks;
        em_status status;
    } rows[] = {{&peer_a, true, EM_OK},
                {&peer_b, true, EM_E_NOT_FOUND},
                {&peer_a, false, EM_E_NOT_FOUND},
                {NULL, true, EM_E_NOT_FOUND}};
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        em_approvals *approvals = usual();
        em_waiting waiting = change_of(1);
        em_ruling ruling = {.yes = true, .judge = EM_JUDGE_CLIENT, .peer = rows[i].peer};
        uint64_t id;
        waiting.asks_client = rows[i].asks;
        assert_int_equal(em_approvals_add(approvals, &waiting, &id), EM_ADMITTED);
        bool asked = rows[i].status == EM_OK;
        assert_int_equal(em_approvals_hear(approvals, id, rows[i].peer), asked);
        assert_int_equal(look(approvals, id).heard, asked);
        assert_int_equal(look(approvals, id).verdict, EM_VERDICT_NONE);
        assert_int_equal(em_approvals_decide(approvals, id, &ruling), rows[i].status);
        em_approvals_withdraw(approvals, id);
        assert_false(em_approvals_hear(approvals, id, rows[i].peer));
        em_approvals_free(approvals);
    }
}

static void a_reason_is_part_of_a_sentence(void **state)
{
    static const struct {
        const char *given, *kept;
    } rows[] = {
        {"no", "no"},
        {"No way.", "No way"},
        {" . \r\n", ""},
        {"two\nlines\t.", "two lines"},
        {"etc. pp.", "etc. pp"},
        {"", ""},
    };
    (void)state;
    char kept[EM_APPROVAL_REASON + 1];
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        em_approvals_put_reason(rows[i].given, kept);
        assert_string_equal(kept, rows[i].kept);
    }
    char text[EM_APPROVAL_REASON + 3];
    memset(text, 'x', sizeof text);
    memcpy(text + EM_APPROVAL_REASON - 1, "\xc3\xa9", 3);
    em_approvals_put_reason(text, kept);
    assert_int_equal(strlen(kept), EM_APPROVAL_REASON - 1);
}

static void who_is_late_cannot_decide(void **state)
{
    (void)state;
    em_approvals *approvals = approvals_with((em_approvals_options){.timeout_ms = 1});
    em_ruling yes = {.yes = true};
    em_decision decision;
    uint64_t id = add(approvals, 1);
    em_approvals_wait(approvals, id, 60000, &decision);
    assert_int_equal(decision.verdict, EM_VERDICT_LATE);
    assert_int_equal(decision.judge, EM_JUDGE_TIME);
    assert_int_equal(em_approvals_decide(approvals, id, &yes), EM_E_NOT_FOUND);
    assert_int_equal(count_waiting(approvals), 0);
    em_approvals_withdraw(approvals, id);
    em_approvals_free(approvals);
}

static void waiting_for_a_moment_decides_nothing(void **state)
{
    (void)state;
    em_approvals *approvals = usual();
    em_decision decision;
    uint64_t id = add(approvals, 1);
    em_approvals_wait(approvals, id, 2, &decision);
    assert_int_equal(decision.verdict, EM_VERDICT_NONE);
    em_approvals_withdraw(approvals, id);
    em_approvals_free(approvals);
}

/* 0: nothing waits. */
static uint64_t oldest(em_approvals *approvals)
{
    EM_AUTO(em_arena) arena = {0};
    em_waiting_list list;
    assert_int_equal(em_approvals_list(approvals, &arena, &list), EM_OK);
    return list.count > 0 ? list.items[0].id : 0;
}

static void *decide_in_a_thread(void *context)
{
    em_approvals *approvals = context;
    em_ruling yes = {.yes = true};
    while (em_approvals_decide(approvals, oldest(approvals), &yes) == EM_E_NOT_FOUND)
        sched_yield();
    return NULL;
}

static void who_waits_is_woken(void **state)
{
    (void)state;
    em_approvals *approvals = usual();
    em_decision decision;
    pthread_t thread;
    assert_int_equal(pthread_create(&thread, NULL, decide_in_a_thread, approvals), 0);
    uint64_t id = add(approvals, 1);
    em_approvals_wait(approvals, id, 60000, &decision);
    assert_int_equal(decision.verdict, EM_VERDICT_YES);
    pthread_join(thread, NULL);
    em_approvals_withdraw(approvals, id);
    em_approvals_free(approvals);
}

static void a_server_that_ends_lets_nothing_wait(void **state)
{
    (void)state;
    em_approvals *approvals = usual();
    em_waiting waiting = change_of(1);
    em_ruling yes = {.yes = true};
    uint64_t decided = add(approvals, 1), open = add(approvals, 1), id;
    assert_int_equal(em_approvals_decide(approvals, decided, &yes), EM_OK);
    em_approvals_close(approvals);
    assert_int_equal(look(approvals, decided).verdict, EM_VERDICT_YES);
    assert_int_equal(look(approvals, open).verdict, EM_VERDICT_GONE);
    assert_int_equal(em_approvals_add(approvals, &waiting, &id), EM_ADMISSION_CLOSED);
    em_approvals_free(approvals); /* what was not taken back goes with it */
}

/* A page may show what waited at the server before. */
static void what_waited_elsewhere_is_not_decided(void **state)
{
    (void)state;
    em_approvals *before = usual(), *now = usual();
    em_ruling yes = {.yes = true};
    uint64_t seen = add(before, 1), unseen = add(now, 1);
    assert_false(em_approvals_was_asked(now, seen));
    assert_int_equal(em_approvals_decide(now, seen, &yes), EM_E_NOT_FOUND);
    assert_int_equal(look(now, unseen).verdict, EM_VERDICT_NONE);
    em_approvals_withdraw(now, unseen);
    assert_true(em_approvals_was_asked(now, unseen));
    assert_true(unseen < (uint64_t)1 << 53);
    em_approvals_free(before);
    em_approvals_free(now);
}

/* ---- What passes ----------------------------------------------------------------------------- */

static bool passes(em_approvals *approvals, const char *tool, size_t count)
{
    const em_consent consent = {.items = files, .count = count};
    return em_approvals_passes(approvals, tool, &consent);
}

static void decide_yes(em_approvals *approvals, size_t count, em_remember remember)
{
    em_ruling yes = {.yes = true, .remember = remember};
    uint64_t id = add(approvals, count);
    assert_int_equal(em_approvals_decide(approvals, id, &yes), EM_OK);
    em_approvals_withdraw(approvals, id);
}

static void files_and_tools_pass_from_now_on(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_approvals *approvals = usual();
    em_pass_list passing;
    decide_yes(approvals, 2, EM_REMEMBER_NOTHING);
    assert_false(passes(approvals, "edit_file", 1));
    decide_yes(approvals, 1, EM_REMEMBER_FILES);
    decide_yes(approvals, 1, EM_REMEMBER_FILES);
    assert_true(passes(approvals, "other", 1));
    assert_false(passes(approvals, "other", 2)); /* not the second file */
    assert_false(em_approvals_tool_passes(approvals, "edit_file"));
    decide_yes(approvals, 1, EM_REMEMBER_TOOL);
    assert_true(em_approvals_tool_passes(approvals, "edit_file"));
    assert_true(passes(approvals, "edit_file", 2));
    assert_int_equal(em_approvals_passing(approvals, &arena, &passing), EM_OK);
    assert_int_equal(passing.count, 2);
    assert_false(passing.items[0].is_tool);
    assert_string_equal(passing.items[0].name, "/r/a.txt");
    assert_int_equal(em_approvals_unpass(approvals, &passing.items[0]), EM_OK);
    assert_int_equal(em_approvals_unpass(approvals, &passing.items[0]), EM_E_NOT_FOUND);
    assert_false(passes(approvals, "other", 1));
    assert_true(passes(approvals, "edit_file", 1));
    assert_int_equal(em_approvals_unpass(approvals, &passing.items[1]), EM_OK);
    assert_false(em_approvals_tool_passes(approvals, "edit_file"));
    em_approvals_free(approvals);
}

static void a_no_lets_nothing_pass(void **state)
{
    (void)state;
    em_approvals *approvals = usual();
    em_ruling no = {.remember = EM_REMEMBER_TOOL};
    uint64_t id = add(approvals, 1);
    assert_int_equal(em_approvals_decide(approvals, id, &no), EM_OK);
    assert_string_equal(look(approvals, id).reason, "");
    assert_false(em_approvals_tool_passes(approvals, "edit_file"));
    em_approvals_withdraw(approvals, id);
    em_approvals_free(approvals);
}

static void many_files_pass(void **state)
{
    (void)state;
    em_approvals *approvals = usual();
    char names[20][24];
    for (size_t i = 0; i < COUNT_OF(names); i++) {
        em_intended item = {.path = names[i]};
        const em_consent consent = {.items = &item, .count = 1};
        snprintf(names[i], sizeof names[i], "/r/%zu", i);
        assert_int_equal(em_approvals_let_pass(approvals, "t", &consent, EM_REMEMBER_FILES), EM_OK);
        assert_true(em_approvals_passes(approvals, "t", &consent));
    }
    em_approvals_free(approvals);
}

/* ---- Watching ------------------------------------------------------------------------------ */

/* What was told, the changes by their order. */
typedef struct told {
    uint64_t first;
    char text[200];
} told;

static void note(void *context, const em_waiting *waiting, const em_decision *decision)
{
    told *so_far = context;
    size_t length = strlen(so_far->text);
    if (length == 0)
        so_far->first = waiting->id;
    snprintf(so_far->text + length, sizeof so_far->text - length, "%d%c ",
             (int)(waiting->id - so_far->first + 1), decision ? "?ynlg"[decision->verdict] : '+');
}

static void what_happens_is_told_in_order(void **state)
{
    (void)state;
    em_approvals *approvals = approvals_with((em_approvals_options){.has_page = true});
    told so_far = {0};
    em_ruling yes = {.yes = true}, no = {.yes = false};
    em_approvals_listen(approvals, note, &so_far);
    uint64_t ids[] = {add(approvals, 1), add(approvals, 1), add(approvals, 1), add(approvals, 1)};
    em_approvals_decide(approvals, ids[1], &yes);
    em_approvals_decide(approvals, ids[0], &no);
    em_approvals_withdraw(approvals, ids[2]);
    em_approvals_withdraw(approvals, ids[0]);
    em_approvals_close(approvals);
    assert_string_equal(so_far.text, "1+ 2+ 3+ 4+ 2y 1n 3g 4g ");
    em_approvals_free(approvals);
}

/* ---- Memory -------------------------------------------------------------------------------- */

static em_status live(long nth)
{
    EM_AUTO(em_arena) arena = {0};
    em_approvals_options options = {.has_page = true};
    em_approvals *approvals;
    em_waiting waiting = change_of(2), one;
    em_waiting_list list;
    em_pass_list passing;
    em_ruling yes = {.yes = true, .remember = EM_REMEMBER_FILES};
    em_error err = EM_ERROR_INIT;
    uint64_t id = 0;
    scarce_begin(nth);
    em_status status = em_approvals_new(&options, &approvals, &err);
    em_admission admission = EM_ADMISSION_NOMEM;
    if (status == EM_OK)
        admission = em_approvals_add(approvals, &waiting, &id);
    bool waits = admission == EM_ADMITTED;
    if (status == EM_OK && !waits)
        status = admission == EM_ADMISSION_NOMEM ? EM_E_NOMEM : EM_E_INTERNAL;
    if (status == EM_OK)
        status = em_approvals_list(approvals, &arena, &list);
    if (status == EM_OK)
        status = em_approvals_get(approvals, id, &arena, &one);
    if (status == EM_OK)
        status = em_approvals_decide(approvals, id, &yes);
    if (status == EM_OK)
        status = em_approvals_passing(approvals, &arena, &passing);
    scarce_end();
    if (waits)
        em_approvals_withdraw(approvals, id);
    em_approvals_free(approvals);
    return status;
}

static void want_of_memory_is_told(void **state)
{
    (void)state;
    em_status status = EM_E_NOMEM;
    for (long nth = 0; status != EM_OK; nth++) {
        status = live(nth);
        assert_true(status == EM_OK || status == EM_E_NOMEM);
    }
    em_approvals_free(NULL);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_waits_can_be_seen),
        cmocka_unit_test(long_arguments_are_cut_between_code_points),
        cmocka_unit_test(only_so_many_wait),
        cmocka_unit_test(the_first_decides),
        cmocka_unit_test(a_client_decides_what_it_was_asked),
        cmocka_unit_test(a_reason_is_part_of_a_sentence),
        cmocka_unit_test(who_is_late_cannot_decide),
        cmocka_unit_test(waiting_for_a_moment_decides_nothing),
        cmocka_unit_test(who_waits_is_woken),
        cmocka_unit_test(a_server_that_ends_lets_nothing_wait),
        cmocka_unit_test(what_waited_elsewhere_is_not_decided),
        cmocka_unit_test(files_and_tools_pass_from_now_on),
        cmocka_unit_test(a_no_lets_nothing_pass),
        cmocka_unit_test(many_files_pass),
        cmocka_unit_test(what_happens_is_told_in_order),
        cmocka_unit_test(want_of_memory_is_told),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

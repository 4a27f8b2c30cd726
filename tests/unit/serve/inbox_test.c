#include "check.h"
#include "scarce.h"

#include "serve/inbox.h"

#define CALL(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"tools/call\"}"
#define PING(id) "{\"jsonrpc\":\"2.0\",\"id\":" id ",\"method\":\"ping\"}"
#define CANCEL(id)                                                                                 \
    "{\"jsonrpc\":\"2.0\",\"method\":\"notifications/cancelled\",\"params\":{\"requestId\":" id "}}"

/* The ids of the lines that wait, those that were taken back in brackets, e.g. "1 [2] ! 3"; "!" is
 * a message that is none, "-" one without id. */
static const char *waiting(em_inbox *inbox)
{
    static char text[256];
    size_t used = 0;
    const em_rpc_line *line;
    text[0] = '\0';
    while ((line = em_inbox_take(inbox)) != NULL)
        for (size_t i = 0; i < line->count; i++) {
            const em_rpc_message *message = &line->messages[i];
            json_int_t id = json_integer_value(message->id);
            char word[40];
            if (message->kind == EM_RPC_INVALID)
                snprintf(word, sizeof word, "!");
            else if (!message->id)
                snprintf(word, sizeof word, "-");
            else
                snprintf(word, sizeof word, message->cancelled ? "[%d]" : "%d", (int)id);
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%s", used > 0 ? " " : "",
                                     word);
        }
    return text;
}

static void add(em_inbox *inbox, const char *text)
{
    em_inbox_add(inbox, em_slice_of(text));
}

static void lines_come_in_order_however_they_are_cut(void **state)
{
    (void)state;
    const char *text = CALL("1") "\n\n  \t\r\n" CALL("2") "\r\n{oops\n" CALL("3") "\n";
    for (size_t piece = 1; piece <= strlen(text); piece++) {
        EM_AUTO(em_inbox) inbox = {0};
        em_slice all = em_slice_of(text);
        for (size_t at = 0; at < all.len; at += piece)
            em_inbox_add(&inbox,
                         em_slice_sub(all, at, at + piece < all.len ? at + piece : all.len));
        assert_string_equal(waiting(&inbox), "1 2 ! 3");
        assert_int_equal(inbox.waiting, 0);
    }
}

static void the_end_of_input_ends_the_last_line(void **state)
{
    (void)state;
    EM_AUTO(em_inbox) inbox = {0};
    add(&inbox, CALL("1") "\n" CALL("2"));
    em_inbox_end(&inbox);
    assert_string_equal(waiting(&inbox), "1 2");
    add(&inbox, "{\"jsonrpc\":\"2.0\",\"id\":3,\"meth");
    em_inbox_end(&inbox);
    assert_string_equal(waiting(&inbox), "!");
    em_inbox_end(&inbox);
    assert_string_equal(waiting(&inbox), "");
}

static void a_line_that_holds_nul_is_not_blank(void **state)
{
    (void)state;
    EM_AUTO(em_inbox) inbox = {0};
    em_inbox_add(&inbox, EM_LIT("\0\n"));
    assert_string_equal(waiting(&inbox), "!");
}

static void what_is_taken_back_is_marked(void **state)
{
    static const struct {
        const char *what, *text, *want;
        bool batches;
    } rows[] = {
        {"one that waits", CALL("1") "\n" CALL("2") "\n" CANCEL("2") "\n" CALL("3") "\n",
         "1 [2] - 3", false},
        {"all of that id", CALL("1") "\n" CALL("1") "\n" CANCEL("1") "\n", "[1] [1] -", false},
        {"not one that comes later", CANCEL("1") "\n" CALL("1") "\n", "- 1", false},
        {"again and again",
         CALL("1") "\n" CANCEL("1") "\n" CALL("1") "\n" CANCEL("1") "\n" CALL("1") "\n",
         "[1] - [1] - 1", false},
        {"twice", CALL("1") "\n" CANCEL("1") "\n" CANCEL("1") "\n" CALL("1") "\n", "[1] - - 1",
         false},
        {"others meanwhile", CALL("1") "\n" CANCEL("2") "\n" CALL("2") "\n" CANCEL("1") "\n",
         "[1] - 2 -", false},
        {"not one of another type", CALL("1") "\n" CANCEL("\"1\"") "\n", "1 -", false},
        {"without an id nothing", CALL("1") "\n" CANCEL("null") "\n", "1 -", false},
        {"never the handshake",
         "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"initialize\"}\n" CANCEL("1") "\n", "1 -",
         false},
        {"a request of that name takes nothing back",
         CALL("1") "\n{\"jsonrpc\":\"2.0\",\"id\":2,\"method\":\"notifications/cancelled\","
                   "\"params\":{\"requestId\":1}}\n",
         "1 2", false},
        {"in a batch", CALL("1") "\n[" CALL("2") "," CANCEL("2") "," CANCEL("1") "]\n",
         "[1] [2] - -", true},
        {"in a batch where there are none", CALL("1") "\n[" CALL("2") "," CANCEL("1") "]\n",
         "1 2 -", false},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(em_inbox) inbox = {.with_batches = rows[i].batches};
        add(&inbox, rows[i].text);
        const char *got = waiting(&inbox);
        if (strcmp(got, rows[i].want) != 0)
            fail_msg("%s: %s", rows[i].what, got);
    }
}

static void the_one_in_hand_can_be_taken_back(void **state)
{
    (void)state;
    EM_AUTO(em_inbox) inbox = {0};
    add(&inbox, CALL("1") "\n");
    const em_rpc_line *line = em_inbox_take(&inbox);
    assert_false(line->messages[0].cancelled);
    add(&inbox, CANCEL("1") "\n");
    assert_true(line->messages[0].cancelled);
}

static void long_lines_are_refused_however_they_are_cut(void **state)
{
    (void)state;
    const char *text = CALL("1") "\n" CALL("100000000000000000000000000000000") "\n" CALL(
        "2") "\n\n"
             "                                                                        \n" CALL(
                 "3") "\n";
    for (size_t piece = 1; piece <= strlen(text); piece++) {
        EM_AUTO(em_inbox) inbox = {.most = strlen(CALL("1"))};
        em_slice all = em_slice_of(text);
        for (size_t at = 0; at < all.len; at += piece) {
            em_inbox_add(&inbox,
                         em_slice_sub(all, at, at + piece < all.len ? at + piece : all.len));
            assert_in_range(inbox.partial.len, 0, inbox.most);
        }
        assert_string_equal(waiting(&inbox), "1 ! 2 ! 3");
    }
    EM_AUTO(em_inbox) inbox = {.most = 10};
    add(&inbox, "12345678");
    add(&inbox, "901 and no end");
    assert_int_equal(inbox.partial.len, 0);
    em_inbox_end(&inbox);
    const em_rpc_line *line = em_inbox_take(&inbox);
    assert_int_equal(line->messages[0].code, EM_RPC_INVALID_REQUEST);
    assert_non_null(strstr(line->messages[0].problem, "longer than 10 bytes"));
    em_inbox_end(&inbox);
    assert_null(em_inbox_take(&inbox));
}

static void a_refusal_can_want_memory_too(void **state)
{
    (void)state;
    EM_AUTO(em_inbox) inbox = {.most = 1};
    scarce_begin(0);
    add(&inbox, "too long\n");
    assert_true(scarce_end());
    assert_true(inbox.failed);
}

static void want_of_memory_loses_whole_lines_and_says_so(void **state)
{
    (void)state;
    bool failed = true;
    for (long nth = 0; failed; nth++) {
        EM_AUTO(em_inbox) inbox = {0};
        scarce_begin(nth);
        add(&inbox, "{\"jsonrpc\":\"2.0\",");
        add(&inbox, "\"id\":1,\"method\":\"m\"}\n");
        failed = scarce_end();
        assert_true(failed || !inbox.failed);
        add(&inbox, CALL("2") "\n");
        const char *got = waiting(&inbox);
        bool as_told = strcmp(got, inbox.failed ? "2" : failed ? "! 2" : "1 2") == 0;
        if (!as_told)
            fail_msg("request %ld: %s", nth, got);
    }
}

static void want_of_memory_may_leave_a_request_its_turn(void **state)
{
    (void)state;
    bool failed = true;
    for (long nth = 0; failed; nth++) {
        EM_AUTO(em_inbox) inbox = {0};
        add(&inbox, CALL("1") "\n");
        scarce_begin(nth);
        add(&inbox, CANCEL("1") "\n");
        failed = scarce_end();
        assert_true(failed || !inbox.failed);
        const char *got = waiting(&inbox);
        bool as_told = inbox.failed ? got[0] == '1' : strcmp(got, failed ? "1 !" : "[1] -") == 0;
        if (!as_told)
            fail_msg("request %ld: %s", nth, got);
    }
    failed = true;
    for (long nth = 0; failed; nth++) {
        EM_AUTO(em_inbox) inbox = {0};
        add(&inbox, CALL("1") "\n" CANCEL("1") "\n");
        scarce_begin(nth);
        const char *got = waiting(&inbox);
        failed = scarce_end();
        if (strcmp(got, "[1] -") != 0 && !(failed && strcmp(got, "1 -") == 0))
            fail_msg("request %ld, when its turn comes: %s", nth, got);
    }
}

static void note_answer(void *context, const em_rpc_message *message)
{
    char *text = context;
    snprintf(text + strlen(text), 20, "%d ", (int)json_integer_value(message->id));
}

/* An answer is known before its turn; it waits for that all the same. */
static void answers_are_told_at_once(void **state)
{
    (void)state;
    char told[100] = "";
    EM_AUTO(em_inbox) inbox = {.answered = note_answer, .context = told};
    add(&inbox, CALL("1") "\n{\"jsonrpc\":\"2.0\",\"id\":7,\"result\":{}}\n");
    add(&inbox, "{\"jsonrpc\":\"2.0\",\"id\":8,\"error\":{}}\n"
                "[{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}]\n");
    assert_string_equal(told, "7 8 ");
    inbox.with_batches = true;
    add(&inbox, "[{\"jsonrpc\":\"2.0\",\"id\":9,\"result\":{}}," CALL("2") "]\n");
    assert_string_equal(told, "7 8 9 ");
    assert_string_equal(waiting(&inbox), "1 7 8 9 9 2");
}

/* Of a batch what is before it, but for which nothing has come yet. */
static void what_comes_later_is_not_taken_back(void **state)
{
    (void)state;
    EM_AUTO(em_inbox) inbox = {.with_batches = true};
    add(&inbox, CALL("1") "\n[" CALL("2") "," CANCEL("2") "," CANCEL("3") "," CALL("3") "," CANCEL(
                    "1") "]\n");
    assert_string_equal(waiting(&inbox), "[1] [2] - - 3 -");
}

/* Out of its turn, wherever it waits. */
static void a_request_can_be_pulled_out(void **state)
{
    static const struct {
        const char *text, *left;
        int pulled; /* 0: none */
    } rows[] = {
        {"", "", 0},
        {CALL("1") "\n", "1", 0},
        {PING("5") "\n", "", 5},
        {PING("5") "\n" CALL("1") "\n", "1", 5},
        {CALL("1") "\n" PING("5") "\n" CALL("2") "\n" PING("6") "\n", "1 2 6", 5},
        {CALL("1") "\n" PING("5") "\n", "1", 5},
        {"[" PING("5") "," CALL("1") "]\n", "5 1", 0},
        {"{\"jsonrpc\":\"2.0\",\"method\":\"ping\"}\n", "-", 0},
    };
    (void)state;
    for (size_t i = 0; i < COUNT_OF(rows); i++) {
        EM_AUTO(em_inbox) inbox = {0};
        add(&inbox, rows[i].text);
        em_rpc_line *line = em_inbox_pull(&inbox, "ping");
        int id = line ? (int)json_integer_value(line->messages[0].id) : 0;
        em_rpc_line_free(line);
        assert_int_equal(id, rows[i].pulled);
        add(&inbox, CALL("9") "\n"); /* the end of the list is where it belongs */
        char want[40];
        snprintf(want, sizeof want, "%s%s9", rows[i].left, rows[i].left[0] ? " " : "");
        assert_string_equal(waiting(&inbox), want);
        assert_int_equal(inbox.waiting, 0);
    }
}

static void what_waits_is_dropped_with_it(void **state)
{
    (void)state;
    EM_AUTO(em_inbox) inbox = {0};
    add(&inbox, CALL("1") "\n" CALL("2") "\n" CALL("3") "\nrest");
    assert_non_null(em_inbox_take(&inbox));
    assert_int_equal(inbox.waiting, 2 * strlen(CALL("1")));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lines_come_in_order_however_they_are_cut),
        cmocka_unit_test(the_end_of_input_ends_the_last_line),
        cmocka_unit_test(a_line_that_holds_nul_is_not_blank),
        cmocka_unit_test(what_is_taken_back_is_marked),
        cmocka_unit_test(the_one_in_hand_can_be_taken_back),
        cmocka_unit_test(long_lines_are_refused_however_they_are_cut),
        cmocka_unit_test(a_refusal_can_want_memory_too),
        cmocka_unit_test(want_of_memory_loses_whole_lines_and_says_so),
        cmocka_unit_test(want_of_memory_may_leave_a_request_its_turn),
        cmocka_unit_test(answers_are_told_at_once),
        cmocka_unit_test(what_comes_later_is_not_taken_back),
        cmocka_unit_test(a_request_can_be_pulled_out),
        cmocka_unit_test(what_waits_is_dropped_with_it),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

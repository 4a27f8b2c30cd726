#include "../dialects/memory.h"

#include "http/channel.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

static void nothing(void *context)
{
    (void)context;
}

/* What the stream has now; "<end>" at its end. */
static const char *heard(em_stream *stream)
{
    static char text[1 << 16];
    long length = em_stream_take(stream, text, sizeof text - 10, nothing, NULL);
    if (length == EM_STREAM_OVER)
        return "<end>";
    text[length] = '\0';
    char over;
    if (em_stream_take(stream, &over, 1, nothing, NULL) == EM_STREAM_OVER)
        strcat(text, "<end>");
    return text;
}

static em_channel *channel_new(void)
{
    em_channel *channel = em_channel_new();
    assert_non_null(channel);
    return channel;
}

static em_stream *stream_new(void)
{
    em_stream *stream = em_stream_new();
    assert_non_null(stream);
    return stream;
}

static void lanes_are_apart(void **state)
{
    (void)state;
    em_channel *channel = channel_new();
    em_stream *one = stream_new(), *two = stream_new(), *alone = stream_new();
    uint64_t first = em_channel_open(channel, one, false);
    uint64_t second = em_channel_open(channel, two, true);
    em_channel_listen(channel, alone, false);
    assert_int_equal(first, 1);
    assert_int_equal(second, 2);
    em_channel_send(channel, first, EM_LIT("a"));
    em_channel_send(channel, second, EM_LIT("b"));
    em_channel_send(channel, EM_LANE_ALONE, EM_LIT("c"));
    em_channel_send(channel, first, EM_LIT("d"));
    em_channel_send(channel, 99, EM_LIT("lost"));
    assert_string_equal(heard(one), "id: 1-1\ndata: a\n\nid: 1-2\ndata: d\n\n");
    assert_string_equal(heard(two), "retry: 1000\n\nid: 2-0\ndata: \n\nid: 2-1\ndata: b\n\n");
    assert_string_equal(heard(alone), "id: 0-1\ndata: c\n\n");
    em_channel_close(channel, first);
    em_channel_close(channel, EM_LANE_ALONE); /* that one stays */
    assert_string_equal(heard(one), "<end>");
    em_channel_send(channel, first, EM_LIT("too late"));
    em_channel_send(channel, EM_LANE_ALONE, EM_LIT("e"));
    assert_string_equal(heard(alone), "id: 0-2\ndata: e\n\n");
    assert_true(em_channel_is_read(channel));
    em_channel_free(channel);
    assert_string_equal(heard(two), "<end>");
    assert_string_equal(heard(alone), "<end>");
    em_stream_release(one);
    em_stream_release(two);
    em_stream_release(alone);
    em_channel_free(NULL);
}

static void who_comes_back_has_the_rest(void **state)
{
    (void)state;
    em_channel *channel = channel_new();
    em_stream *one = stream_new(), *two = stream_new(), *three = stream_new();
    uint64_t lane = em_channel_open(channel, one, false);
    em_channel_send(channel, lane, EM_LIT("a"));
    em_stream_leave(one); /* the connection broke */
    em_channel_send(channel, EM_LANE_ALONE, EM_LIT("x"));
    em_channel_send(channel, lane, EM_LIT("b"));
    assert_false(em_channel_is_read(channel));
    assert_int_equal(em_channel_resume(channel, "1-1", two), EM_OK);
    em_channel_send(channel, lane, EM_LIT("c"));
    assert_string_equal(heard(two), "id: 1-2\ndata: b\n\nid: 1-3\ndata: c\n\n");
    em_channel_close(channel, lane);
    assert_string_equal(heard(two), "<end>");
    assert_int_equal(em_channel_resume(channel, "1-0", three), EM_OK);
    assert_string_equal(heard(three),
                        "id: 1-1\ndata: a\n\nid: 1-2\ndata: b\n\nid: 1-3\ndata: c\n\n<end>");
    static const char *const never[] = {"1-4", "2-0", "0-2", "1",    "1-",   "-1",  "x",
                                        "",    "1-x", "x-1", "1-1 ", " 1-1", "1--1"};
    for (size_t i = 0; i < COUNT_OF(never); i++)
        if (em_channel_resume(channel, never[i], three) != EM_E_NOT_FOUND)
            fail_msg("%s", never[i]);
    em_stream_release(one);
    em_stream_release(two);
    em_stream_release(three);
    em_channel_free(channel);
}

static void the_newest_listener_has_it(void **state)
{
    (void)state;
    em_channel *channel = channel_new();
    em_stream *one = stream_new(), *two = stream_new();
    em_channel_listen(channel, one, true);
    em_channel_send(channel, EM_LANE_ALONE, EM_LIT("a"));
    em_channel_listen(channel, two, true);
    em_channel_send(channel, EM_LANE_ALONE, EM_LIT("b"));
    assert_string_equal(heard(one), "retry: 1000\n\nid: 0-0\ndata: \n\nid: 0-1\ndata: a\n\n<end>");
    assert_string_equal(heard(two), "retry: 1000\n\nid: 0-1\ndata: \n\nid: 0-2\ndata: b\n\n");
    em_channel_deafen(channel);
    assert_string_equal(heard(two), "<end>");
    em_channel_shut(channel);
    em_channel_send(channel, EM_LANE_ALONE, EM_LIT("c"));
    em_stream_release(one);
    em_stream_release(two);
    em_channel_free(channel);
}

static void a_request_may_end_after_its_session(void **state)
{
    (void)state;
    em_channel *channel = channel_new();
    em_stream *stream = stream_new();
    uint64_t lane = em_channel_open(channel, stream, false);
    em_channel_shut(channel);
    em_channel_close(channel, lane);
    assert_false(em_channel_is_read(channel));
    assert_string_equal(heard(stream), "<end>");
    em_stream_release(stream);
    em_channel_free(channel);
}

static void the_oldest_is_forgotten(void **state)
{
    (void)state;
    em_channel *channel = channel_new();
    char id[32], first[32];
    uint64_t lanes[3];
    for (size_t i = 0; i < COUNT_OF(lanes); i++) {
        em_stream *stream = stream_new();
        lanes[i] = em_channel_open(channel, stream, false);
        em_channel_send(channel, lanes[i], EM_LIT("early"));
        if (i < 2)
            em_channel_close(channel, lanes[i]);
        em_stream_release(stream);
    }
    for (int i = 0; i < 1100; i++)
        em_channel_send(channel, EM_LANE_ALONE, EM_LIT("x"));
    em_stream *stream = stream_new();
    snprintf(id, sizeof id, "%" PRIu64 "-0", lanes[0]);
    assert_int_equal(em_channel_resume(channel, id, stream), EM_E_NOT_FOUND); /* with its lane */
    snprintf(id, sizeof id, "%" PRIu64 "-0", lanes[2]);
    assert_int_equal(em_channel_resume(channel, id, stream), EM_OK); /* which is still open */
    assert_string_equal(heard(stream), "");
    em_stream *late = stream_new();
    assert_int_equal(em_channel_resume(channel, "0-0", late), EM_OK);
    strncpy(first, heard(late), sizeof first - 1);
    first[11] = '\0';
    assert_string_equal(first, "id: 0-101\nd");
    static char big[700000];
    memset(big, 'y', sizeof big);
    em_channel_send(channel, EM_LANE_ALONE, em_slice_make(big, sizeof big));
    em_channel_send(channel, EM_LANE_ALONE, em_slice_make(big, sizeof big));
    em_channel_send(channel, EM_LANE_ALONE, EM_LIT("z"));
    em_stream *last = stream_new();
    assert_int_equal(em_channel_resume(channel, "0-1100", last), EM_OK);
    assert_memory_equal(heard(last), "id: 0-1102", 10);
    em_stream_release(stream);
    em_stream_release(late);
    em_stream_release(last);
    em_channel_free(channel);
}

static bool send(void *context)
{
    (void)context;
    em_channel *channel = em_channel_new();
    em_stream *stream = channel ? em_stream_new() : NULL;
    uint64_t lane = stream ? em_channel_open(channel, stream, true) : 0;
    if (lane)
        em_channel_send(channel, lane, EM_LIT("a"));
    bool ok =
        lane && em_channel_is_read(channel) && em_channel_resume(channel, "1-1", stream) == EM_OK;
    em_stream_release(stream);
    em_channel_free(channel);
    return ok;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    assert_true(run_out_of_memory(send, NULL) >= 4);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(lanes_are_apart),
        cmocka_unit_test(who_comes_back_has_the_rest),
        cmocka_unit_test(the_newest_listener_has_it),
        cmocka_unit_test(a_request_may_end_after_its_session),
        cmocka_unit_test(the_oldest_is_forgotten),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("channel", tests, NULL, NULL);
}

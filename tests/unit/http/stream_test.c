#include "../dialects/memory.h"

#include "http/stream.h"

#include <stdlib.h>
#include <string.h>

static size_t rested, woken;

static void rest(void *context)
{
    assert_ptr_equal(context, &rested);
    rested++;
}

static void wake(void *context)
{
    assert_ptr_equal(context, &woken);
    woken++;
}

static em_stream *stream_new(void)
{
    em_stream *stream = em_stream_new();
    assert_non_null(stream);
    em_stream_attach(stream, wake, &woken);
    rested = woken = 0;
    return stream;
}

static void check_takes(em_stream *stream, const char *want)
{
    char out[1000];
    long length = em_stream_take(stream, out, sizeof out, rest, &rested);
    assert_true(length >= 0);
    assert_int_equal(length, strlen(want));
    assert_memory_equal(out, want, (size_t)length);
}

static void events_have_their_form(void **state)
{
    (void)state;
    em_stream *stream = stream_new();
    assert_true(em_stream_event(stream, NULL, NULL, EM_LIT("{}")));
    check_takes(stream, "data: {}\n\n");
    assert_true(em_stream_event(stream, "1-2", "edit", EM_LIT("a\nb\r\nc\rd\n")));
    check_takes(stream, "id: 1-2\nevent: edit\ndata: a\ndata: b\ndata: c\ndata: d\ndata: \n\n");
    assert_true(em_stream_event(stream, "x", NULL, (em_slice){0}));
    check_takes(stream, "id: x\ndata: \n\n");
    assert_true(em_stream_comment(stream));
    assert_true(em_stream_retry(stream, 1500));
    check_takes(stream, ":\n\nretry: 1500\n\n");
    em_stream_release(stream);
}

static void who_rests_is_woken_once(void **state)
{
    (void)state;
    em_stream *stream = stream_new();
    em_stream_comment(stream);
    assert_int_equal(woken, 0);
    check_takes(stream, ":\n\n");
    check_takes(stream, "");
    assert_int_equal(rested, 1);
    em_stream_comment(stream);
    em_stream_comment(stream);
    assert_int_equal(woken, 1);
    check_takes(stream, ":\n\n:\n\n");
    em_stream_release(stream);
}

static void it_goes_out_in_pieces(void **state)
{
    (void)state;
    em_stream *stream = stream_new();
    char all[64] = "", piece[4];
    em_stream_event(stream, NULL, NULL, EM_LIT("0123456789"));
    for (long length; (length = em_stream_take(stream, piece, 3, rest, &rested)) > 0;) {
        piece[length] = '\0';
        strcat(all, piece);
    }
    assert_string_equal(all, "data: 0123456789\n\n");
    em_stream_release(stream);
}

static void what_is_kept_is_sent_before_the_end(void **state)
{
    (void)state;
    char out[8];
    em_stream *stream = stream_new();
    em_stream_comment(stream);
    em_stream_end(stream);
    assert_false(em_stream_is_open(stream));
    assert_false(em_stream_comment(stream));
    assert_false(em_stream_event(stream, NULL, NULL, EM_LIT("x")) && em_stream_is_open(stream));
    check_takes(stream, ":\n\n");
    assert_int_equal(em_stream_take(stream, out, sizeof out, rest, &rested), EM_STREAM_OVER);
    em_stream_release(stream);
    stream = stream_new();
    check_takes(stream, "");
    em_stream_end(stream);
    assert_int_equal(woken, 1);
    em_stream_release(stream);
}

static void nobody_reads_any_more(void **state)
{
    (void)state;
    char out[8];
    em_stream *stream = stream_new();
    em_stream *shared = em_stream_keep(stream);
    check_takes(stream, "");
    em_stream_leave(stream);
    assert_int_equal(woken, 1);
    assert_false(em_stream_comment(shared));
    assert_false(em_stream_retry(shared, 1));
    assert_false(em_stream_is_open(shared));
    assert_int_equal(em_stream_take(stream, out, sizeof out, rest, &rested), EM_STREAM_OVER);
    em_stream_detach(stream);
    em_stream_release(stream);
    em_stream_end(shared);
    assert_int_equal(woken, 1);
    em_stream_release(shared);
    em_stream_release(NULL);
}

static void too_much_breaks_it_off(void **state)
{
    (void)state;
    enum { BIG = 1 << 20 };
    char *big = malloc(BIG), out[8];
    memset(big, 'x', BIG);
    em_stream *stream = stream_new();
    size_t sent = 0;
    while (sent < 10 && em_stream_event(stream, NULL, NULL, em_slice_make(big, BIG)))
        sent++;
    assert_in_range(sent, 3, 5);
    em_stream *whole = stream_new(); /* one event may be as long as it likes */
    char *long_one = malloc(8 * BIG);
    memset(long_one, 'y', 8 * BIG);
    assert_true(em_stream_event(whole, NULL, NULL, em_slice_make(long_one, 8 * BIG)));
    assert_true(em_stream_is_open(whole));
    assert_false(em_stream_event(whole, NULL, NULL, EM_LIT("x")));
    em_stream_release(whole);
    free(long_one);
    assert_false(em_stream_is_open(stream));
    assert_int_equal(em_stream_take(stream, out, sizeof out, rest, &rested), EM_STREAM_OVER);
    em_stream_release(stream);
    free(big);
}

static bool send(void *context)
{
    (void)context;
    em_stream *stream = em_stream_new();
    bool ok = stream && em_stream_event(stream, "1", "a", EM_LIT("b"));
    em_stream_release(stream);
    return ok;
}

static void memory_may_run_out(void **state)
{
    (void)state;
    assert_int_equal(run_out_of_memory(send, NULL), 2);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_have_their_form),
        cmocka_unit_test(who_rests_is_woken_once),
        cmocka_unit_test(it_goes_out_in_pieces),
        cmocka_unit_test(what_is_kept_is_sent_before_the_end),
        cmocka_unit_test(nobody_reads_any_more),
        cmocka_unit_test(too_much_breaks_it_off),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests_name("stream", tests, NULL, NULL);
}

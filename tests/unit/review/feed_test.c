#include "../dialects/memory.h"

#include "base/strbuf.h"
#include "review/feed.h"

#include <string.h>

enum { EPOCH = 0xABCD };

/* ---- Reading -------------------------------------------------------------------------------- */

static void nothing(void *context)
{
    (void)context;
}

/* All that a stream has for its client now; "<end>" at its end. */
static void read_all(em_stream *stream, char *out, size_t room)
{
    size_t used = 0;
    long got;
    while ((got = em_stream_take(stream, out + used, room - 1 - used, nothing, NULL)) > 0)
        used += (size_t)got;
    out[used] = '\0';
    if (got == EM_STREAM_OVER)
        strcat(out, "<end>");
}

static void check_reads(em_stream *stream, const char *want)
{
    char got[2000];
    read_all(stream, got, sizeof got);
    assert_string_equal(got, want);
}

static bool gets(em_stream *stream, const char *part)
{
    char got[4000];
    read_all(stream, got, sizeof got);
    return strstr(got, part) != NULL;
}

static em_stream *watch(em_feed *feed, const char *last_id)
{
    em_stream *stream = em_stream_new();
    assert_non_null(stream);
    assert_true(em_feed_watch(feed, stream, last_id));
    return stream;
}

static void leave(em_stream *stream)
{
    em_stream_leave(stream);
    em_stream_release(stream);
}

#define HELLO(id, resumed)                                                                         \
    "id: " id "\nevent: hello\ndata: {\"epoch\":\"0000abcd\",\"resumed\":" resumed "}\n\n"

/* ---- The tests ------------------------------------------------------------------------------ */

static void all_watchers_get_all_in_one_order(void **state)
{
    (void)state;
    em_feed *feed = em_feed_new(EPOCH);
    em_feed_post(feed, "early", EM_LIT("{}"));
    em_stream *one = watch(feed, NULL), *two = watch(feed, NULL);
    assert_int_equal(em_feed_watchers(feed), 2);
    em_feed_post(feed, "edits", EM_LIT("{\"a\":1}"));
    em_feed_post(feed, "call", EM_LIT(""));
    for (int i = 0; i < 2; i++)
        check_reads(i == 0 ? one : two,
                    HELLO("0000abcd-1", "false") "id: 0000abcd-2\nevent: edits\ndata: {\"a\":1}\n\n"
                                                 "id: 0000abcd-3\nevent: call\ndata: \n\n");
    leave(one);
    assert_int_equal(em_feed_watchers(feed), 1);
    em_feed_post(feed, "x", EM_LIT("{}"));
    assert_true(gets(two, "0000abcd-4"));
    leave(two);
    em_feed_post(feed, "x", EM_LIT("{}"));
    assert_int_equal(em_feed_watchers(feed), 0);
    em_feed_free(feed);
    em_feed_free(NULL);
}

static void who_comes_back_goes_on_where_it_was(void **state)
{
    (void)state;
    static const struct {
        const char *last_id;
        bool resumed;
        int events; /* of 1, 2, 3 */
    } cases[] = {
        {NULL, false, 0},          {"0000abcd-0", true, 3},  {"0000abcd-1", true, 2},
        {"abcd-3", true, 0},       {"0000abcd-4", false, 0}, {"0000abce-1", false, 0},
        {"0000abcd-1x", false, 0}, {"0000abcd", false, 0},   {"", false, 0},
        {"\xC3\xA4", false, 0},
    };
    em_feed *feed = em_feed_new(EPOCH);
    for (int i = 0; i < 3; i++)
        em_feed_post(feed, "x", EM_LIT("{}"));
    for (size_t i = 0; i < COUNT_OF(cases); i++) {
        char got[2000];
        em_stream *stream = watch(feed, cases[i].last_id);
        read_all(stream, got, sizeof got);
        int events = 0;
        for (const char *at = got; (at = strstr(at, "event: x")); at++)
            events++;
        assert_int_equal(events, cases[i].events);
        assert_int_equal(strstr(got, "\"resumed\":true") != NULL, cases[i].resumed);
        leave(stream);
    }
    em_feed_free(feed);
}

static void only_so_much_is_kept(void **state)
{
    (void)state;
    em_feed *feed = em_feed_new(EPOCH);
    for (int i = 0; i < EM_FEED_EVENTS + 5; i++)
        em_feed_post(feed, "x", EM_LIT("{}"));
    em_stream *stream = watch(feed, "0000abcd-4");
    assert_true(gets(stream, "\"resumed\":false"));
    leave(stream);
    stream = watch(feed, "0000abcd-5");
    assert_true(gets(stream, "\"resumed\":true"));
    leave(stream);
    char *large = calloc(1, EM_FEED_BYTES / 2 + 1);
    assert_non_null(large);
    memset(large, 'x', EM_FEED_BYTES / 2 + 1);
    em_feed_post(feed, "x", em_slice_make(large, EM_FEED_BYTES / 2 + 1));
    em_feed_post(feed, "x", em_slice_make(large, EM_FEED_BYTES / 2 + 1));
    free(large);
    stream = watch(feed, "0000abcd-1029");
    assert_true(gets(stream, "\"resumed\":false"));
    leave(stream);
    em_feed_free(feed);
}

/* Who was away when an event was lost does not go on as if there had been none. */
static void a_lost_event_is_not_passed_over(void **state)
{
    (void)state;
    em_feed *feed = em_feed_new(EPOCH);
    em_feed_post(feed, "x", EM_LIT("{}"));
    mallocs_left = 0;
    em_feed_post(feed, "x", EM_LIT("{}"));
    mallocs_left = -1;
    em_stream *stream = watch(feed, "0000abcd-1");
    assert_true(gets(stream, "\"resumed\":false"));
    leave(stream);
    em_feed_post(feed, "x", EM_LIT("{}"));
    stream = watch(feed, "0000abcd-2");
    assert_true(gets(stream, "\"resumed\":true"));
    leave(stream);
    em_feed_free(feed);
}

static void watchers_are_counted(void **state)
{
    (void)state;
    em_feed *feed = em_feed_new(EPOCH);
    em_stream *streams[EM_FEED_WATCHERS_MOST], *more = em_stream_new();
    for (size_t i = 0; i < EM_FEED_WATCHERS_MOST; i++)
        streams[i] = watch(feed, NULL);
    assert_false(em_feed_watch(feed, more, NULL));
    leave(streams[0]);
    assert_true(em_feed_watch(feed, more, NULL));
    for (size_t i = 1; i < EM_FEED_WATCHERS_MOST; i++)
        leave(streams[i]);
    em_feed_close(feed);
    assert_true(gets(more, "<end>"));
    leave(more);
    em_feed_post(feed, "x", EM_LIT("{}"));
    em_stream *late = watch(feed, NULL);
    check_reads(late, "<end>");
    leave(late);
    em_feed_free(feed);
}

/* Who watches is told to look anew instead. */
static void an_event_may_be_lost(void **state)
{
    (void)state;
    mallocs_left = 0;
    assert_null(em_feed_new(EPOCH));
    mallocs_left = -1;
    em_feed *feed = em_feed_new(EPOCH);
    em_stream *stream = watch(feed, NULL);
    check_reads(stream, HELLO("0000abcd-0", "false"));
    em_feed_post(feed, "x", EM_LIT("{}"));
    assert_true(gets(stream, "0000abcd-1"));
    mallocs_left = 0;
    em_feed_post(feed, "x", EM_LIT("{}"));
    mallocs_left = -1;
    char got[1000];
    read_all(stream, got, sizeof got);
    bool told = strstr(got, "\"resumed\":false") != NULL || strstr(got, "<end>") != NULL;
    assert_true(told);
    leave(stream);
    em_feed_free(feed);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_watchers_get_all_in_one_order),
        cmocka_unit_test(who_comes_back_goes_on_where_it_was),
        cmocka_unit_test(only_so_much_is_kept),
        cmocka_unit_test(a_lost_event_is_not_passed_over),
        cmocka_unit_test(watchers_are_counted),
        cmocka_unit_test(an_event_may_be_lost),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

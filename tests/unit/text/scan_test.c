#include "text/scan.h"

#include "../with_cmocka.h"

#include "text/search.h"

#include "failing_malloc.h"
#include "random.h"

#include "base/utf8.h"
#include "text/count.h"

#include <time.h>

enum { TEXT_MOST = 3000, NEEDLES_MOST = 80, ROUNDS = 300 };

/* What was seen when it was asked last. */
typedef struct passing {
    size_t settled, known; /* an offset; how many places there were */
    em_slice given, want;  /* the bytes that had settled, as the scan gave them and as they are */
} passing;

/* What had settled stays so; what settles now is still at hand, and so is what settled last time
 * where it `stays`. */
static void check_settled(const em_scan *scan, em_slice text, passing *p)
{
    size_t settled = em_scan_settled(scan);
    for (; p->known < scan->place_count; p->known++)
        assert_true(scan->places[p->known].start >= p->settled);
    assert_true(settled >= p->settled && settled <= scan->size);
    if (scan->options.stays)
        assert_true(em_slice_eq(p->given, p->want));
    p->given = em_scan_bytes(scan, p->settled, settled);
    p->want = em_slice_sub(text, p->settled, settled);
    assert_true(em_slice_eq(p->given, p->want));
    p->settled = settled;
}

/* A text in the pieces in which it comes. */
static em_status scan_all(em_scan *scan, const em_scan_options *options, em_slice text,
                          random_state *random, em_arena *arena)
{
    passing p = {.settled = 0};
    EM_TRY(em_scan_init(scan, options, arena));
    for (size_t at = 0; at < text.len;) {
        size_t size;
        char *room = em_scan_room(scan, &size);
        size_t some = 1 + (random ? random_below(random, size) : size - 1);
        if (some > text.len - at)
            some = text.len - at;
        memcpy(room, text.ptr + at, some);
        EM_TRY(em_scan_take(scan, some));
        at += some;
        check_settled(scan, text, &p);
    }
    return em_scan_end(scan);
}

static size_t endings_before(em_slice text, size_t end)
{
    em_counts counts = em_count(text, 0, end);
    return counts.lf + counts.cr - counts.crlf;
}

static void check_facts(const em_scan *scan, em_slice text)
{
    em_counts counts = em_count(text, 0, text.len);
    assert_int_equal(scan->size, text.len);
    assert_int_equal(scan->lf, counts.lf);
    assert_int_equal(scan->cr, counts.cr);
    assert_int_equal(scan->crlf, counts.crlf);
    assert_int_equal(scan->has_nul, em_slice_has_byte(text, '\0'));
    assert_int_equal(scan->is_utf8, em_utf8_invalid_at(text) == EM_NPOS);
    assert_true(scan->milestone_count > 0);
    assert_int_equal(scan->milestones[0].offset, 0);
    for (size_t i = 0; i < scan->milestone_count; i++) {
        const em_milestone *m = &scan->milestones[i];
        bool cuts = m->offset > 0 && m->offset < text.len && text.ptr[m->offset] == '\n' &&
                    text.ptr[m->offset - 1] == '\r';
        assert_false(cuts);
        assert_int_equal(m->endings, endings_before(text, m->offset));
        assert_int_equal(m->lfs, em_count(text, 0, m->offset).lf);
    }
}

/* Is there a place that has a byte of [start, end)? */
static bool is_met(const em_scan *scan, size_t start, size_t end)
{
    for (size_t i = 0; i < scan->place_count; i++) {
        if (scan->places[i].start < end && scan->places[i].end > start)
            return true;
    }
    return false;
}

static void check_places(const em_scan *scan, em_slice text, em_slice needle)
{
    size_t end;
    if (em_slice_has_byte(needle, '\0'))
        return;
    for (size_t at = 0; at + needle.len <= text.len; at++) {
        if (em_slice_starts(em_slice_from(text, at), needle))
            assert_true(is_met(scan, at, at + needle.len));
    }
    if (!em_slice_has_byte(needle, '\n') || em_slice_has_byte(needle, '\r'))
        return;
    for (size_t at = 0; (at = em_find_any_eol(needle, text, at, &end)) != EM_NPOS; at = end)
        assert_true(is_met(scan, at, end));
}

/* Every place is one where some needle stands, and they are in order. */
static void check_nothing_else(const em_scan *scan, em_slice text, const em_slice *needles,
                               size_t count)
{
    for (size_t i = 0; i < scan->place_count; i++) {
        em_scan_stretch place = scan->places[i];
        em_slice there = em_slice_sub(text, place.start, place.end);
        bool known = false;
        for (size_t j = 0; j < count && !known; j++) {
            size_t end;
            known = em_slice_eq(there, needles[j]) ||
                    (em_slice_has_byte(needles[j], '\n') && !em_slice_has_byte(needles[j], '\r') &&
                     em_find_any_eol(needles[j], there, 0, &end) == 0 && end == there.len);
        }
        assert_true(known);
        assert_true(i == 0 || scan->places[i - 1].start <= place.start);
    }
}

static const char *const parts[] = {"a",    "b",        "aa", "\n",           "\r\n", "\r", "ab\n",
                                    "long", "\xC3\xA4", "A",  "\xE2\x82\xAC", "x=1;", "  "};

static em_slice make_text(random_state *random, char out[TEXT_MOST])
{
    size_t length = 0, most = random_below(random, TEXT_MOST - 8);
    while (length < most) {
        const char *part = RANDOM_OF(random, parts);
        memcpy(out + length, part, strlen(part));
        length += strlen(part);
    }
    if (length > 0 && random_below(random, 8) == 0)
        out[random_below(random, length)] = random_below(random, 2) == 0 ? '\0' : (char)0xFF;
    return em_slice_make(out, length);
}

static em_slice make_needle(random_state *random, em_slice text)
{
    size_t most = random_below(random, 5) == 0 ? 300 : 9;
    if (text.len == 0 || random_below(random, 9) == 0)
        return em_slice_of(RANDOM_OF(random, parts));
    size_t start = random_below(random, text.len);
    size_t length = 1 + random_below(random, most);
    return em_slice_sub(text, start, text.len - start < length ? text.len : start + length);
}

static void what_passes_in_windows_is_what_there_is(void **state)
{
    (void)state;
    random_state random = {.word = 7};
    for (size_t round = 0; round < ROUNDS; round++) {
        EM_AUTO(em_arena) arena = {0};
        char bytes[TEXT_MOST];
        em_slice needles[NEEDLES_MOST], text = make_text(&random, bytes);
        size_t few = random_below(&random, 3) == 0 ? NEEDLES_MOST : 6;
        size_t count = random_below(&random, few);
        for (size_t i = 0; i < count; i++)
            needles[i] = make_needle(&random, text);
        em_scan_options options = {.needles = needles,
                                   .stays = round % 2 > 0,
                                   .count = count,
                                   .window = 1 + random_below(&random, 200),
                                   .most_places = SIZE_MAX};
        em_scan scan;
        assert_int_equal(scan_all(&scan, &options, text, &random, &arena), EM_OK);
        check_facts(&scan, text);
        for (size_t i = 0; i < count; i++)
            check_places(&scan, text, needles[i]);
        check_nothing_else(&scan, text, needles, count);
        assert_false(scan.overflow);
    }
}

static void too_many_places_are_told(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_slice needle = EM_LIT("a");
    em_scan scan;
    em_scan_options options = {.needles = &needle, .count = 1, .window = 2, .most_places = 3};
    assert_int_equal(scan_all(&scan, &options, EM_LIT("aaabb"), NULL, &arena), EM_OK);
    assert_int_equal(scan.place_count, 3);
    assert_false(scan.overflow);
    assert_int_equal(scan_all(&scan, &options, EM_LIT("aaaba"), NULL, &arena), EM_OK);
    assert_int_equal(scan.place_count, 3);
    assert_true(scan.overflow);
}

/* Long needles whose parts stand everywhere: compared at each place, they would take a minute. */
static void a_text_that_repeats_itself_takes_no_longer(void **state)
{
    (void)state;
    enum { REPEATED = 1 << 19, LONG = 20000, NEEDLES = 6, MOST_S = 10 };
    static char text[2 * REPEATED], long_needles[NEEDLES][LONG + 1];
    em_slice needles[NEEDLES], all = em_slice_make(text, 2 * (size_t)REPEATED);
    EM_AUTO(em_arena) arena = {0};
    em_scan scan;
    for (size_t i = 0; i < REPEATED; i++)
        memcpy(text + 2 * i, "0,", 2);
    for (size_t i = 0; i < NEEDLES; i++) {
        memcpy(long_needles[i], text, LONG);
        long_needles[i][LONG] = (char)('a' + i);
        needles[i] = em_slice_make(long_needles[i], LONG + 1);
    }
    text[REPEATED] = 'b';
    text[REPEATED + 2 * LONG] = 'd';
    text[all.len - 2] = 'a';
    em_scan_options options = {
        .needles = needles, .count = NEEDLES, .window = 1 << 16, .most_places = SIZE_MAX};
    clock_t start = clock();
    assert_int_equal(scan_all(&scan, &options, all, NULL, &arena), EM_OK);
    assert_true((clock() - start) / CLOCKS_PER_SEC < MOST_S);
    assert_int_equal(scan.place_count, 3);
    assert_int_equal(scan.places[0].end, REPEATED + 1);
    assert_int_equal(scan.places[1].end, REPEATED + 2 * LONG + 1);
    assert_int_equal(scan.places[2].end, all.len - 1);
    check_nothing_else(&scan, all, needles, NEEDLES);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    static char text[20000];
    em_slice needles[8];
    memset(text, 'a', sizeof text);
    for (size_t i = 0; i < 8; i++)
        needles[i] = em_slice_make("aaaaaaaaaaaaaaaa", 4 + i);
    em_scan_options options = {
        .needles = needles, .count = 8, .window = 100, .most_places = SIZE_MAX};
    em_status status = EM_E_NOMEM;
    for (long i = 0; status != EM_OK; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_scan scan;
        mallocs_left = i;
        status = scan_all(&scan, &options, em_slice_make(text, sizeof text), NULL, &arena);
        mallocs_left = -1;
        assert_true(status == EM_OK || status == EM_E_NOMEM);
        assert_true(i > 0 || status == EM_E_NOMEM);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_passes_in_windows_is_what_there_is),
        cmocka_unit_test(too_many_places_are_told),
        cmocka_unit_test(a_text_that_repeats_itself_takes_no_longer),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

#include "text/extract.h"

#include <stdio.h>

#include "../with_cmocka.h"
#include "failing_malloc.h"
#include "random.h"

#include "text/count.h"
#include "text/diff.h"
#include "text/lines.h"

enum { TEXT_MOST = 6000, SEGMENTS_MOST = 40, AROUND = 4, ROUNDS = 200 };

/* A text, and an extract of it. */
typedef struct sample {
    char bytes[TEXT_MOST], body[TEXT_MOST + SEGMENTS_MOST];
    em_slice whole;
    em_segment segments[SEGMENTS_MOST];
    em_extract extract;
} sample;

static const char *const parts[] = {"a", "bb", "", "\xC3\xA4", "word ", "\t", "\r", "\r"};

static void make_text(sample *s, random_state *random)
{
    size_t length = random_below(random, 2) == 0 ? 0 : 3;
    size_t lines = 20 + random_below(random, 200);
    bool crlf = random_below(random, 3) == 0;
    memcpy(s->bytes, "\xEF\xBB\xBF", length);
    for (size_t i = 0; i < lines && length < TEXT_MOST - 100; i++) {
        for (size_t j = random_below(random, 4); j > 0; j--) {
            const char *part = RANDOM_OF(random, parts);
            memcpy(s->bytes + length, part, strlen(part));
            length += strlen(part);
        }
        if (i + 1 < lines || random_below(random, 2) == 0)
            length += (size_t)sprintf(s->bytes + length, crlf ? "%zu\r\n" : "%zu\n", i);
    }
    s->whole = em_slice_make(s->bytes, length);
}

/* Behind the next LF. */
static size_t next_line(const sample *s, size_t at)
{
    const char *lf = memchr(s->whole.ptr + at, '\n', s->whole.len - at);
    return lf ? (size_t)(lf - s->whole.ptr) + 1 : s->whole.len;
}

static void add_segment(sample *s, size_t start, size_t end, size_t *length)
{
    em_counts before = em_count(s->whole, 0, start);
    size_t at = s->extract.count > 0 ? *length + 1 : 0;
    if (s->extract.count > 0)
        s->body[*length] = '\0';
    memcpy(s->body + at, s->whole.ptr + start, end - start);
    *length = at + end - start;
    s->segments[s->extract.count++] = (em_segment){.at = at,
                                                   .offset = start,
                                                   .length = end - start,
                                                   .endings = before.lf + before.cr - before.crlf,
                                                   .lfs = before.lf};
}

/* Some lines are left out here and there, but not those at either end. */
static void make_extract(sample *s, random_state *random)
{
    size_t start = 0, at = 0, length = 0;
    em_counts all = em_count(s->whole, 0, s->whole.len);
    s->extract = (em_extract){.segments = s->segments,
                              .size = s->whole.len,
                              .lf = all.lf - all.crlf,
                              .crlf = all.crlf,
                              .cr = all.cr - all.crlf};
    while (at < s->whole.len && s->extract.count < SEGMENTS_MOST - 2) {
        for (size_t lines = 1 + random_below(random, 20); lines > 0 && at < s->whole.len; lines--)
            at = next_line(s, at);
        size_t behind = at;
        for (size_t lines = 1 + random_below(random, 9); lines > 0 && at < s->whole.len; lines--)
            behind = next_line(s, behind);
        if (behind >= s->whole.len)
            break;
        add_segment(s, start, at, &length);
        start = at = behind;
    }
    add_segment(s, start, s->whole.len, &length);
    s->extract.body = em_slice_make(s->body, length);
}

static void make_sample(sample *s, random_state *random)
{
    make_text(s, random);
    make_extract(s, random);
}

static const em_segment *segment_of(const sample *s, size_t offset)
{
    for (size_t i = 0; i < s->extract.count; i++) {
        const em_segment *segment = &s->segments[i];
        if (offset >= segment->offset && offset < segment->offset + segment->length)
            return segment;
    }
    return NULL;
}

static void offsets_lead_back(void **state)
{
    (void)state;
    static sample s;
    random_state random = {.word = 3};
    for (size_t round = 0; round < ROUNDS; round++) {
        make_sample(&s, &random);
        for (size_t offset = 0; offset < s.whole.len; offset++) {
            const em_segment *segment = segment_of(&s, offset);
            size_t at = em_extract_find(&s.extract, offset, offset + 1);
            assert_int_equal(at == EM_NPOS, !segment);
            if (!segment)
                continue;
            assert_int_equal(s.body[at], s.bytes[offset]);
            assert_int_equal(em_extract_to_file(&s.extract, at), offset);
            assert_ptr_equal(em_extract_segment(&s.extract, at), segment);
            assert_int_equal(em_extract_lfs_before(&s.extract, at),
                             em_count(s.whole, 0, offset).lf);
        }
        size_t end = s.extract.body.len;
        assert_int_equal(em_extract_find(&s.extract, s.whole.len, s.whole.len), end);
        assert_int_equal(em_extract_to_file(&s.extract, end), s.whole.len);
        if (s.extract.count > 1)
            assert_int_equal(em_extract_find(&s.extract, 0, s.whole.len), EM_NPOS);
    }
}

static void lines_are_those_of_the_file(void **state)
{
    (void)state;
    static sample s;
    random_state random = {.word = 4};
    for (size_t round = 0; round < ROUNDS; round++) {
        EM_AUTO(em_arena) arena = {0};
        em_text whole, part;
        em_lines all, some;
        make_sample(&s, &random);
        assert_int_equal(em_text_open(s.whole, NULL, &arena, &whole, NULL), EM_OK);
        part = em_text_of_extract(&s.extract, whole.encoding);
        assert_int_equal(part.start, whole.start);
        em_text known = em_text_of_bytes(s.whole, whole.encoding);
        assert_true(em_slice_eq(known.raw, whole.raw) && em_slice_eq(known.body, whole.body));
        assert_true(known.start == whole.start && known.bom_length == whole.bom_length);
        assert_true(known.encoding == whole.encoding && !known.map && !known.extract);
        assert_string_equal(known.charset, whole.charset);
        assert_int_equal(em_lines_init_blocks(&whole, 37, &arena, &all), EM_OK);
        assert_int_equal(em_lines_init_blocks(&part, 41, &arena, &some), EM_OK);
        assert_int_equal(em_lines_count(&some), em_lines_count(&all));
        assert_int_equal(em_lines_dominant(&some), em_lines_dominant(&all));
        for (size_t i = 1; i <= em_lines_count(&all) + 1; i++) {
            em_line line = em_lines_line(&all, i), found = em_lines_line(&some, i);
            const em_segment *segment = segment_of(&s, line.start);
            if (!segment && line.start < s.whole.len) { /* it is left out */
                assert_int_equal(found.start, found.next);
                continue;
            }
            assert_int_equal(em_text_to_raw(&part, found.start), line.start);
            assert_true(em_slice_eq(em_lines_content(&some, i), em_lines_content(&all, i)));
            for (size_t at = found.start; at < found.end; at++) {
                if (((unsigned char)s.body[at] & 0xC0) == 0x80)
                    continue;
                em_position position = em_lines_position(&some, at);
                em_position want = em_lines_position(&all, line.start + (at - found.start));
                assert_int_equal(em_lines_at(&some, at), i);
                assert_int_equal(position.line, want.line);
                assert_int_equal(position.column, want.column);
            }
        }
    }
}

/* A splice that has some lines of its segment to either side; false where there is no room. */
static bool make_splice(const sample *s, const em_segment *segment, random_state *random,
                        em_splice *splice)
{
    size_t lines[2000], count = 0;
    for (size_t at = segment->offset; at < segment->offset + segment->length; at = next_line(s, at))
        lines[count++] = at;
    if (count < 2 * AROUND + 2)
        return false;
    size_t start = lines[AROUND + random_below(random, count - 2 * AROUND - 1)];
    *splice = (em_splice){.offset = start,
                          .length = random_below(random, lines[count - AROUND] - start),
                          .insert = em_slice_of(random_below(random, 2) ? "new\ntext" : "\n")};
    return true;
}

static void diffs_are_those_of_the_file(void **state)
{
    (void)state;
    static sample s;
    random_state random = {.word = 5};
    size_t diffs = 0;
    for (size_t round = 0; round < ROUNDS; round++) {
        EM_AUTO(em_arena) arena = {0};
        em_splice over_file[SEGMENTS_MOST], over_part[SEGMENTS_MOST];
        em_splices raw;
        size_t count = 0;
        em_diff want, got;
        em_diff_limits limits = {.bytes = random_below(&random, 3) == 0 ? 300 : 0};
        make_sample(&s, &random);
        for (size_t i = 0; i < s.extract.count; i++) {
            if (!make_splice(&s, &s.segments[i], &random, &over_file[count]))
                continue;
            over_part[count] = over_file[count];
            over_part[count].offset += s.segments[i].at - s.segments[i].offset;
            count++;
        }
        em_text part = em_text_of_extract(&s.extract, EM_UTF8);
        em_splices splices = {over_file, count};
        em_splices of_part = {over_part, count};
        assert_int_equal(em_text_splices_to_raw(&part, of_part, &arena, &raw, NULL), EM_OK);
        for (size_t i = 0; i < count; i++) {
            assert_int_equal(raw.items[i].offset, over_file[i].offset);
            assert_int_equal(raw.items[i].length, over_file[i].length);
        }
        assert_int_equal(em_diff_make(s.whole, splices, limits, &arena, &want), EM_OK);
        assert_int_equal(em_diff_of_text(&part, NULL, of_part, limits, &arena, &got), EM_OK);
        em_diff_names names = {.path = "a"};
        assert_string_equal(em_diff_render(&want, names, &arena),
                            em_diff_render(&got, names, &arena));
        assert_int_equal(want.truncated, got.truncated);
        diffs += got.hunk_count;
    }
    assert_true(diffs > ROUNDS);
}

static void memory_may_run_out(void **state)
{
    (void)state;
    static sample s;
    random_state random = {.word = 6};
    EM_AUTO(em_arena) arena = {0};
    em_splice splice = {.offset = 0, .length = 1};
    em_splices raw;
    make_sample(&s, &random);
    em_text part = em_text_of_extract(&s.extract, EM_UTF8);
    mallocs_left = 0;
    em_status status = em_text_splices_to_raw(&part, (em_splices){&splice, 1}, &arena, &raw, NULL);
    mallocs_left = -1;
    assert_int_equal(status, EM_E_NOMEM);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(offsets_lead_back),
        cmocka_unit_test(lines_are_those_of_the_file),
        cmocka_unit_test(diffs_are_those_of_the_file),
        cmocka_unit_test(memory_may_run_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

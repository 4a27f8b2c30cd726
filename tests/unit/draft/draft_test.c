#include "draft/draft.h"

#include "base/strbuf.h"
#include "check_texts.h"

#include <stdlib.h>

static em_slice whole(const em_draft *draft, em_arena *arena)
{
    em_slice text;
    assert_int_equal(em_draft_slice(draft, (em_span){0, draft->length}, arena, &text), EM_OK);
    return text;
}

static em_spans find_all(const em_draft *draft, em_slice needle, em_arena *arena)
{
    em_found found = {.most = SIZE_MAX};
    em_span all = {0, draft->length};
    assert_int_equal(em_draft_find_in(draft, all, needle, arena, &found), EM_OK);
    return found.spans;
}

static void apply_one(em_draft *draft, size_t offset, size_t length, const char *insert)
{
    em_splice splice = {offset, length, em_slice_of(insert)};
    assert_int_equal(em_draft_apply(draft, (em_splices){&splice, 1}), EM_OK);
}

static void a_draft_is_its_body_without_the_bom(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_draft) draft;
    assert_int_equal(em_draft_init(&draft,
                                   EM_LIT("\xEF\xBB\xBF"
                                          "abc"),
                                   3),
                     EM_OK);
    check_bytes("text", whole(&draft, &arena), EM_LIT("abc"));
}

static void splices_over_splices_add_up(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_draft) draft;
    assert_int_equal(em_draft_init(&draft, EM_LIT("0123456789"), 0), EM_OK);
    apply_one(&draft, 2, 3, "XYZ!"); /* 01XYZ!56789 */
    apply_one(&draft, 4, 4, "-");    /* 01XY-789 */
    apply_one(&draft, 0, 0, "<");
    apply_one(&draft, draft.length, 0, ">");
    check_bytes("text", whole(&draft, &arena), EM_LIT("<01XY-789>"));
    em_splices splices;
    assert_int_equal(em_draft_splices(&draft, &arena, &splices), EM_OK);
    assert_int_equal(splices.count, 3);
    check_bytes("the first", splices.items[0].insert, EM_LIT("<"));
    assert_int_equal(splices.items[1].offset, 2);
    assert_int_equal(splices.items[1].length, 5);
    check_bytes("the second", splices.items[1].insert, EM_LIT("XY-"));
    assert_int_equal(splices.items[2].offset, 10);
}

static void a_change_undone_leaves_no_splice(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_draft) draft;
    assert_int_equal(em_draft_init(&draft, EM_LIT("one two"), 0), EM_OK);
    apply_one(&draft, 0, 3, "1");
    apply_one(&draft, 0, 1, "one");
    em_splices splices;
    assert_int_equal(em_draft_splices(&draft, &arena, &splices), EM_OK);
    assert_int_equal(splices.count, 0);
}

static const struct {
    const char *what, *body;
    size_t offset, length;
    const char *insert;
    size_t want_offset, want_length;
    const char *want_insert;
} trims[] = {
    {"both ends", "const a = 1;", 0, 12, "const b = 1;", 6, 1, "b"},
    {"a code point is not cut", "\xC3\xA9", 0, 2, "\xC3\xA8", 0, 2, "\xC3\xA8"},
    {"nor from behind", "x\xC3\xA9", 1, 2, "\xC4\xA9", 1, 2, "\xC4\xA9"},
    {"an insertion stays whole", "aa", 1, 0, "a", 1, 0, "a"},
    {"a repeated byte counts once", "aa", 0, 2, "aaa", 2, 0, "a"},
    {"a deletion", "abc", 0, 3, "ac", 1, 1, ""},
};

static void a_splice_is_no_longer_than_it_must_be(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(trims); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        assert_int_equal(em_draft_init(&draft, em_slice_of(trims[i].body), 0), EM_OK);
        apply_one(&draft, trims[i].offset, trims[i].length, trims[i].insert);
        em_splices splices;
        assert_int_equal(em_draft_splices(&draft, &arena, &splices), EM_OK);
        check_size(trims[i].what, splices.count, 1);
        check_size(trims[i].what, splices.items[0].offset, trims[i].want_offset);
        check_size(trims[i].what, splices.items[0].length, trims[i].want_length);
        check_bytes(trims[i].what, splices.items[0].insert, em_slice_of(trims[i].want_insert));
    }
}

/* Over two chunk sizes, so that a part begins in another chunk than it ends. */
static void parts_are_found_again(void **state)
{
    (void)state;
    static const struct {
        em_span part, now;
    } cases[] = {
        /* of "|01<XY>5-6789|", where "|" was put to both ends, "<XY>" came for 2 to 4, and "-" in
         * front of 6 */
        {{0, 10}, {0, 14}},  {{0, 2}, {0, 3}},     {{1, 2}, {2, 3}},  {{2, 5}, {3, 7}},
        {{3, 5}, {7, 7}},    {{5, 6}, {7, 8}},     {{6, 7}, {8, 10}}, {{7, 9}, {10, 12}},
        {{9, 10}, {12, 14}}, {{10, 10}, {13, 14}},
    };
    for (size_t most = 2; most <= 64; most += 62) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        assert_int_equal(em_draft_init_chunks(&draft, EM_LIT("0123456789"), 0, most), EM_OK);
        apply_one(&draft, 6, 0, "-");
        apply_one(&draft, 2, 3, "<XY>");
        apply_one(&draft, 0, 0, "|");
        apply_one(&draft, draft.length, 0, "|");
        check_bytes("text", whole(&draft, &arena), EM_LIT("|01<XY>5-6789|"));
        for (size_t i = 0; i < COUNT_OF(cases); i++) {
            em_span now = em_draft_part(&draft, cases[i].part);
            check_size("start", now.start, cases[i].now.start);
            check_size("end", now.end, cases[i].now.end);
        }
        apply_one(&draft, 0, draft.length, "");
        em_span gone = em_draft_part(&draft, (em_span){2, 4});
        check_size("start of nothing", gone.start, 0);
        check_size("end of nothing", gone.end, 0);
    }
}

static void parts_begin_behind_a_bom(void **state)
{
    (void)state;
    EM_AUTO(em_draft) draft;
    assert_int_equal(em_draft_init(&draft,
                                   EM_LIT("\xEF\xBB\xBF"
                                          "abc"),
                                   3),
                     EM_OK);
    em_span now = em_draft_part(&draft, (em_span){3, 5});
    check_size("start", now.start, 0);
    check_size("end", now.end, 2);
}

static void origins_lead_back(void **state)
{
    (void)state;
    EM_AUTO(em_draft) draft;
    bool inserted;
    assert_int_equal(em_draft_init(&draft, EM_LIT("0123456789"), 0), EM_OK);
    apply_one(&draft, 3, 2, "abcd"); /* 012abcd56789 */
    em_span span = em_draft_origin(&draft, (em_span){7, 9}, &inserted);
    assert_false(inserted);
    assert_int_equal(span.start, 5);
    assert_int_equal(span.end, 7);
    span = em_draft_origin(&draft, (em_span){4, 6}, &inserted);
    assert_true(inserted);
    assert_int_equal(span.start, 3);
    assert_int_equal(span.end, 3);
    span = em_draft_origin(&draft, (em_span){2, 8}, &inserted);
    assert_false(inserted);
    assert_int_equal(span.start, 2);
    assert_int_equal(span.end, 6);
    span = em_draft_origin(&draft, (em_span){12, 12}, &inserted);
    assert_int_equal(span.start, 10);
    check_size("before", em_draft_first_original(&draft, (em_span){2, 5}), 2);
    check_size("within", em_draft_first_original(&draft, (em_span){3, 7}), EM_NPOS);
    check_size("behind", em_draft_first_original(&draft, (em_span){4, 9}), 5);
    check_size("beyond", em_draft_first_original(&draft, (em_span){9, 11}), 7);
    check_size("nothing", em_draft_first_original(&draft, (em_span){9, 9}), EM_NPOS);
}

static void a_match_across_pieces_is_found(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_draft) draft;
    assert_int_equal(em_draft_init(&draft, EM_LIT("ab cd"), 0), EM_OK);
    apply_one(&draft, 1, 1, "x");
    apply_one(&draft, 2, 0, "y"); /* axy cd */
    em_spans found = find_all(&draft, EM_LIT("axy c"), &arena);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.items[0].start, 0);
    assert_int_equal(found.items[0].end, 5);
}

static void a_line_ending_is_not_cut(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_draft) draft;
    assert_int_equal(em_draft_init(&draft, EM_LIT("a\r\nb\nc"), 0), EM_OK);
    em_spans found = find_all(&draft, EM_LIT("\nb"), &arena);
    assert_int_equal(found.count, 1);
    assert_int_equal(found.items[0].start, 1);
    found = find_all(&draft, EM_LIT("\n"), &arena);
    assert_int_equal(found.count, 2);
    assert_int_equal(found.items[1].start, 4);
    found = find_all(&draft, EM_LIT("\r"), &arena);
    assert_int_equal(found.items[0].start, 1);
}

/* Also where the text has a CR further on; but not where it cuts another one off at its end. */
static void a_line_ending_before_others_is_not_cut(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_draft) draft;
    assert_int_equal(em_draft_init(&draft, EM_LIT("a\r\nb\r\nc\r\nb\r\nc"), 0), EM_OK);
    em_spans found = find_all(&draft, EM_LIT("\nb\r\nc"), &arena);
    check_size("places", found.count, 2);
    check_size("start", found.items[0].start, 1);
    check_size("end", found.items[0].end, 7);
    check_size("next start", found.items[1].start, 7);
    found = find_all(&draft, EM_LIT("\nb\r"), &arena);
    check_size("places of lines", found.count, 2);
    check_size("start of a line", found.items[0].start, 2);
    check_size("end of a line", found.items[0].end, 5);
}

static const struct {
    const char *what, *body;
    size_t start, end, reach;
    const char *want;
} surroundings[] = {
    {"one line", "ab\ncde\nf", 4, 5, 100, "cde"},
    {"the whole of it with its ending", "ab\ncde\nf", 3, 7, 100, "cde"},
    {"two lines", "ab\ncde\nf", 1, 4, 100, "ab\ncde"},
    {"CRLF", "ab\r\ncde\r\nf", 5, 6, 100, "cde"},
    {"CRLF, with its ending", "ab\r\ncde\r\nf", 4, 9, 100, "cde"},
    {"an insertion at the end", "ab\n", 3, 3, 100, ""},
    {"an empty text", "", 0, 0, 100, ""},
    {"a long line is cut", "0123456789", 5, 6, 2, "34567"},
    {"between code points",
     "\xC3\xA9"
     "ab"
     "\xC3\xA9",
     3, 4, 1, "ab"},
    {"between code points, from before",
     "\xC3\xA9"
     "ab",
     3, 4, 2, "ab"},
};

static void lines_around_a_span(void **state)
{
    (void)state;
    for (size_t i = 0; i < COUNT_OF(surroundings); i++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        em_slice got;
        assert_int_equal(em_draft_init(&draft, em_slice_of(surroundings[i].body), 0), EM_OK);
        em_span lines = em_draft_lines_around(
            &draft, (em_span){surroundings[i].start, surroundings[i].end}, surroundings[i].reach);
        assert_int_equal(em_draft_slice(&draft, lines, &arena, &got), EM_OK);
        check_bytes(surroundings[i].what, got, em_slice_of(surroundings[i].want));
    }
}

/* ---- Against a plain string ---------------------------------------------------------------- */

typedef struct flat {
    char bytes[4096];
    size_t len;
} flat;

static size_t flat_count(const flat *text, em_slice needle, size_t *places)
{
    size_t count = 0;
    for (size_t at = 0; at + needle.len <= text->len;) {
        if (memcmp(text->bytes + at, needle.ptr, needle.len) == 0) {
            places[count++] = at;
            at += needle.len;
        } else {
            at++;
        }
    }
    return count;
}

static void flat_splice(flat *text, size_t offset, size_t length, em_slice insert)
{
    memmove(text->bytes + offset + insert.len, text->bytes + offset + length,
            text->len - offset - length);
    memcpy(text->bytes + offset, insert.ptr, insert.len);
    text->len = text->len - length + insert.len;
}

static size_t random_text(uint64_t *seed, char *out, size_t most)
{
    size_t length = next_random(seed) % (most + 1);
    for (size_t i = 0; i < length; i++)
        out[i] = "ab\n"[next_random(seed) % 3];
    return length;
}

/* Every byte is found where it is. */
static void check_addresses(const em_draft *draft)
{
    for (size_t at = 0; at < draft->length; at++)
        check_size("address", em_draft_find_address(draft, em_draft_address(draft, at)), at);
}

/* Random splices laid in one after the other; after each one the draft must hold what a plain
 * string holds, find what is found there, and tell its difference from the original. */
static void a_draft_behaves_like_a_string(void **state)
{
    (void)state;
    uint64_t seed = 20261122;
    for (int round = 0; round < 400; round++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft, again;
        static flat text;
        char body[64];
        size_t body_length = random_text(&seed, body, sizeof body);
        memcpy(text.bytes, body, body_length);
        text.len = body_length;
        size_t most = 2 + next_random(&seed) % 6;
        assert_int_equal(em_draft_init_chunks(&draft, em_slice_make(body, body_length), 0, most),
                         EM_OK);
        if (round % 2)
            assert_int_equal(em_draft_track(&draft), EM_OK);
        for (int step = 0; step < 12; step++) {
            size_t offset = next_random(&seed) % (text.len + 1);
            size_t length = next_random(&seed) % (text.len - offset + 1) % 6;
            char *insert = em_alloc(&arena, 8);
            em_splice splice = {offset, length,
                                em_slice_make(insert, random_text(&seed, insert, 8))};
            assert_int_equal(em_draft_apply(&draft, (em_splices){&splice, 1}), EM_OK);
            flat_splice(&text, offset, length, splice.insert);
            check_bytes("the draft", whole(&draft, &arena), em_slice_make(text.bytes, text.len));

            char needle[4] = "ab\n";
            size_t needle_length = 1 + random_text(&seed, needle, 3) % 3;
            size_t places[sizeof text.bytes];
            size_t count = flat_count(&text, em_slice_make(needle, needle_length), places);
            if (round % 2)
                check_addresses(&draft);
            em_spans found = find_all(&draft, em_slice_make(needle, needle_length), &arena);
            check_size("places", found.count, count);
            for (size_t i = 0; i < count; i++)
                check_size("place", found.items[i].start, places[i]);
        }
        em_splices splices;
        assert_int_equal(em_draft_splices(&draft, &arena, &splices), EM_OK);
        assert_int_equal(em_draft_init(&again, em_slice_make(body, body_length), 0), EM_OK);
        assert_int_equal(em_draft_apply(&again, splices), EM_OK);
        check_bytes("the difference", whole(&again, &arena), em_slice_make(text.bytes, text.len));
        for (size_t i = 1; i < splices.count; i++)
            assert_true(splices.items[i].offset >=
                        splices.items[i - 1].offset + splices.items[i - 1].length);
    }
}

/* As em_draft_common_eol(), by going over all bytes. */
static em_eol common_eol(em_slice text)
{
    size_t kinds[EM_EOL_CR + 1] = {0};
    for (size_t at = 0; at < text.len;) {
        em_eol eol = em_eol_at(text, at);
        kinds[eol]++;
        at += eol == EM_EOL_NONE ? 1 : em_eol_bytes(eol).len;
    }
    if (kinds[EM_EOL_LF] > 0 || (kinds[EM_EOL_CRLF] > 0 && kinds[EM_EOL_CR] > 0))
        return EM_EOL_NONE;
    return kinds[EM_EOL_CRLF] > 0 ? EM_EOL_CRLF : kinds[EM_EOL_CR] > 0 ? EM_EOL_CR : EM_EOL_NONE;
}

/* A few endings, of a kind that most of the round has. */
static em_slice random_lines(uint64_t *seed, em_arena *arena)
{
    enum { MOST = 4 };
    static const char *const parts[] = {"\r\n", "\r\n", "\r\n", "a", "\r", "\n", "\r\n"};
    em_strbuf lines = {0};
    em_slice out;
    for (size_t count = next_random(seed) % MOST; count > 0; count--)
        em_strbuf_puts(&lines, parts[next_random(seed) % COUNT_OF(parts)]);
    out = em_strbuf_slice(&lines);
    assert_int_equal(em_arena_keep(arena, &out), EM_OK);
    em_strbuf_drop(&lines);
    return out;
}

/* Splices make CRLFs, cut them in two and take them away, one at a time and several at once. */
static void the_common_ending_is_that_of_the_moment(void **state)
{
    (void)state;
    enum { ROUNDS = 2000, STEPS = 12 };
    uint64_t seed = 20261130;
    size_t seen[EM_EOL_CR + 1] = {0};
    for (int round = 0; round < ROUNDS; round++) {
        EM_AUTO(em_arena) arena = {0};
        EM_AUTO(em_draft) draft;
        assert_int_equal(em_draft_init_chunks(&draft, random_lines(&seed, &arena), 0, 2), EM_OK);
        for (int step = 0; step < STEPS; step++) {
            em_eol want = common_eol(whole(&draft, &arena));
            check_size("the ending", em_draft_common_eol(&draft), want);
            seen[want]++;
            size_t offset = next_random(&seed) % (draft.length + 1);
            size_t length = next_random(&seed) % 3, left = draft.length - offset;
            em_splice splices[] = {
                {offset, length < left ? length : left, random_lines(&seed, &arena)},
                {draft.length, 0, random_lines(&seed, &arena)}};
            size_t count = step % 4 == 3 ? 2 : 1;
            assert_int_equal(em_draft_apply(&draft, (em_splices){splices, count}), EM_OK);
        }
    }
    assert_true(seen[EM_EOL_NONE] > 0 && seen[EM_EOL_CRLF] > 0 && seen[EM_EOL_CR] > 0);
}

static void bytes_keep_their_addresses(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_draft) draft;
    assert_int_equal(em_draft_init_chunks(&draft, EM_LIT("0123456789"), 0, 2), EM_OK);
    apply_one(&draft, 5, 0, "abcdef");
    assert_int_equal(em_draft_track(&draft), EM_OK);
    em_address four = em_draft_address(&draft, 4), five = em_draft_address(&draft, 11);
    em_address b = em_draft_address(&draft, 6);
    size_t newest = draft.id_count;
    apply_one(&draft, 0, 2, "xyz");
    check_size("an original byte", em_draft_find_address(&draft, four), 5);
    check_size("behind an insert", em_draft_find_address(&draft, five), 12);
    check_size("an inserted byte", em_draft_find_address(&draft, b), 7);
    check_size("gone", em_draft_find_address(&draft, (em_address){1, 0}), EM_NPOS);
    apply_one(&draft, 8, 1, ""); /* within "abcdef" */
    check_size("in a piece that was cut", em_draft_find_address(&draft, b), EM_NPOS);
    em_span newer = em_draft_newer_than(&draft, (em_span){8, 8}, newest);
    check_size("its parts begin", newer.start, 6);
    check_size("and end", newer.end, 11);
    em_draft_untrack(&draft);
    assert_false(draft.tracks);
    check_bytes("all", whole(&draft, &arena), EM_LIT("xyz234abdef56789"));
}

/* Inserts that are longer than a piece may be, laid in alone and with many, and taken out again. */
static void long_inserts_lie_in_blocks(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    EM_AUTO(em_draft) draft;
    enum { LENGTH = 3 * EM_BLOCK + 7, MANY = 40 };
    static char insert[LENGTH + 1], want[MANY * (LENGTH + 1)];
    memset(insert, 'x', LENGTH);
    assert_int_equal(em_draft_init_chunks(&draft, EM_LIT("ab"), 0, 4), EM_OK);
    apply_one(&draft, 1, 0, insert);
    assert_int_equal(em_draft_track(&draft), EM_OK);
    check_size("pieces", draft.piece_count, 6);
    apply_one(&draft, 1, LENGTH, "");
    check_bytes("all", whole(&draft, &arena), EM_LIT("ab"));
    apply_one(&draft, 1, 0, insert);
    check_size("pieces", draft.piece_count, 6);
    check_addresses(&draft);
    apply_one(&draft, 0, LENGTH + 2, "");
    check_size("nothing", draft.length, 0);
    apply_one(&draft, 0, 0, "--");
    em_splice splices[MANY];
    for (size_t i = 0; i < MANY; i++)
        splices[i] = (em_splice){1, 0, em_slice_make(insert, LENGTH)};
    assert_int_equal(em_draft_apply(&draft, (em_splices){splices, MANY}), EM_OK);
    memset(want, 'x', MANY * LENGTH);
    em_slice middle;
    assert_int_equal(em_draft_slice(&draft, (em_span){1, draft.length - 1}, &arena, &middle),
                     EM_OK);
    check_bytes("many", middle, em_slice_make(want, MANY * LENGTH));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_draft_is_its_body_without_the_bom),
        cmocka_unit_test(splices_over_splices_add_up),
        cmocka_unit_test(a_change_undone_leaves_no_splice),
        cmocka_unit_test(a_splice_is_no_longer_than_it_must_be),
        cmocka_unit_test(parts_are_found_again),
        cmocka_unit_test(parts_begin_behind_a_bom),
        cmocka_unit_test(origins_lead_back),
        cmocka_unit_test(a_match_across_pieces_is_found),
        cmocka_unit_test(a_line_ending_is_not_cut),
        cmocka_unit_test(a_line_ending_before_others_is_not_cut),
        cmocka_unit_test(lines_around_a_span),
        cmocka_unit_test(a_draft_behaves_like_a_string),
        cmocka_unit_test(the_common_ending_is_that_of_the_moment),
        cmocka_unit_test(bytes_keep_their_addresses),
        cmocka_unit_test(long_inserts_lie_in_blocks),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

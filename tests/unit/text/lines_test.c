#include "text/lines.h"

#include "../with_cmocka.h"

#include "base/utf8.h"

#include "failing_malloc.h"
#include "random.h"

static em_text open_text(em_slice raw, em_arena *arena)
{
    em_text text;
    assert_int_equal(em_text_open(raw, NULL, arena, &text, NULL), EM_OK);
    return text;
}

/* The lines one by one, as their definition says; gives how many there are. */
static size_t naive_lines(em_slice body, size_t start, em_line *lines)
{
    size_t count = 0;
    while (start < body.len) {
        size_t end = start;
        while (end < body.len && em_eol_at(body, end) == EM_EOL_NONE)
            end++;
        size_t next = end + em_eol_bytes(em_eol_at(body, end)).len;
        lines[count++] = (em_line){start, end, next};
        start = next;
    }
    return count;
}

static void check_line(const em_lines *lines, size_t number, em_line wanted)
{
    em_line found = em_lines_line(lines, number);
    assert_int_equal(found.start, wanted.start);
    assert_int_equal(found.end, wanted.end);
    assert_int_equal(found.next, wanted.next);
    assert_true(em_slice_eq(em_lines_content(lines, number),
                            em_slice_sub(lines->body, wanted.start, wanted.end)));
}

static void check_position(const em_lines *lines, size_t offset, size_t number, size_t start)
{
    em_position found = em_lines_position(lines, offset);
    assert_int_equal(em_lines_at(lines, offset), number);
    assert_int_equal(found.line, number);
    assert_int_equal(found.column, 1 + em_utf8_count(em_slice_sub(lines->body, start, offset)));
}

static bool inside_character(em_slice body, size_t offset)
{
    return offset < body.len && ((unsigned char)body.ptr[offset] & 0xC0) == 0x80;
}

/* From each place to the end, and from the start to it. */
static void check_lfs(const em_lines *lines)
{
    em_slice body = lines->body;
    size_t before = 0, all = em_lines_lfs_between(lines, 0, body.len);
    for (size_t at = 0; at <= body.len; at++) {
        assert_int_equal(em_lines_lfs_between(lines, 0, at), before);
        assert_int_equal(em_lines_lfs_between(lines, at, body.len), all - before);
        before += at < body.len && body.ptr[at] == '\n';
    }
    assert_int_equal(all, before);
}

/* Everything the index can say about a text, with blocks of `block` bytes. */
static void check_all(const em_text *text, size_t block)
{
    EM_AUTO(em_arena) arena = {0};
    em_lines lines;
    em_line wanted[2000];
    assert_int_equal(em_lines_init_blocks(text, block, &arena, &lines), EM_OK);
    size_t count = naive_lines(text->body, text->start, wanted);
    assert_int_equal(em_lines_count(&lines), count);
    size_t lf = 0, crlf = 0, cr = 0;
    for (size_t i = 0; i < count; i++) {
        em_eol eol = em_eol_at(text->body, wanted[i].end);
        lf += eol == EM_EOL_LF;
        crlf += eol == EM_EOL_CRLF;
        cr += eol == EM_EOL_CR;
        check_line(&lines, i + 1, wanted[i]);
        for (size_t at = wanted[i].start; at < wanted[i].next; at++)
            if (text->encoding == EM_BYTES || !inside_character(text->body, at))
                check_position(&lines, at, i + 1, wanted[i].start);
    }
    assert_int_equal(lines.lf, lf);
    assert_int_equal(lines.crlf, crlf);
    assert_int_equal(lines.cr, cr);
    size_t end = text->body.len;
    check_line(&lines, count + 1, (em_line){end, end, end});
    bool open = lf + crlf + cr < count; /* the last line has no ending */
    check_position(&lines, end, open ? count : count + 1, open ? wanted[count - 1].start : end);
    check_lfs(&lines);
}

static void small_texts(void **state)
{
    (void)state;
    static const char *const texts[] = {
        "",
        "a",
        "\n",
        "\r",
        "\r\n",
        "\n\r",
        "a\nb",
        "a\r\nb",
        "a\rb\n",
        "\r\r\n\n",
        "\n\n\n",
        "\r\n\r\n",
        "a\r\n",
        "\r\r\r",
        "\n\r\n\r",
        "x\r\ny\r\n",
        "\xC3\xA9\n\xC3",
        "\xEF\xBB\xBF",
        "\xEF\xBB\xBF\n",
        "\xEF\xBB\xBF"
        "a\r\n\xE2\x82\xAC"
        "b",
        "\xFF\r\n\xE9t\xE9",
        "\xEF\xBB\xBF\xFF\nx",
    };
    EM_AUTO(em_arena) arena = {0};
    for (size_t i = 0; i < sizeof texts / sizeof texts[0]; i++) {
        em_text text = open_text(em_slice_of(texts[i]), &arena);
        for (size_t block = 1; block < 6; block++)
            check_all(&text, block);
    }
}

/* Borders of blocks fall everywhere, into CRLFs and into characters. */
static void random_texts(void **state)
{
    (void)state;
    static const char *const units[] = {"\n", "\r\n", "\r", "a", "bcd", "\xC3\xA9", "\xE2\x82\xAC"};
    random_state r = {7};
    for (int round = 0; round < 150; round++) {
        EM_AUTO(em_arena) arena = {0};
        char bytes[900];
        size_t length = 0, limit = 1 + random_below(&r, sizeof bytes - 4);
        while (length < limit) {
            const char *unit = RANDOM_OF(&r, units);
            if (round % 2 == 0 && strcmp(unit, "\r") == 0)
                continue;
            memcpy(bytes + length, unit, strlen(unit));
            length += strlen(unit);
        }
        if (round % 5 == 0)
            bytes[random_below(&r, length)] = '\xE9'; /* some 8-bit encoding */
        em_text text = open_text(em_slice_make(bytes, length), &arena);
        check_all(&text, 1 + random_below(&r, 64));
    }
}

/* Blocks of the real size, and lines that are longer than one. */
static void a_large_text(void **state)
{
    (void)state;
    enum { LENGTH = 60000, LONG = 30000 };
    EM_AUTO(em_arena) arena = {0};
    char *bytes = em_alloc(&arena, LENGTH);
    memset(bytes, 'x', LENGTH);
    for (size_t i = 0; i < LONG; i += 37)
        memcpy(bytes + i, "\r\n", 2);
    bytes[LENGTH - 1] = '\r';
    em_text text = open_text(em_slice_make(bytes, LENGTH), &arena);
    em_lines lines;
    assert_int_equal(em_lines_init(&text, &arena, &lines), EM_OK);
    size_t endings = (LONG + 36) / 37, last = (endings - 1) * 37 + 2;
    assert_int_equal(lines.crlf, endings);
    assert_int_equal(em_lines_count(&lines), endings + 1);
    for (size_t i = 0; i < endings; i++) {
        size_t start = i == 0 ? 0 : (i - 1) * 37 + 2;
        check_line(&lines, i + 1, (em_line){start, i * 37, i * 37 + 2});
        check_position(&lines, i * 37 + 1, i + 1, start); /* between CR and LF */
    }
    check_line(&lines, endings + 1, (em_line){last, LENGTH - 1, LENGTH});
    check_position(&lines, LENGTH - 1, endings + 1, last);
    check_position(&lines, LENGTH, endings + 2, LENGTH);
}

/* What was counted when the text was opened is what the index would count: with one character
 * beyond ASCII, or one CR, it does. */
static void counted_when_opened(void **state)
{
    (void)state;
    static const char *const odd[] = {"x", "\xE9", "\xC3\xA9", "\r", "\r\n"};
    static const size_t lengths[] = {1, 4095, 4096, 4097, 8192, 9000};
    random_state r = {9};
    for (size_t i = 0; i < 6 * 5; i++) {
        EM_AUTO(em_arena) arena = {0};
        size_t length = lengths[i % 6];
        const char *one = odd[i / 6];
        char *bytes = em_alloc(&arena, length);
        assert_non_null(bytes);
        for (size_t at = 0; at < length; at++)
            bytes[at] = random_below(&r, 20) == 0 ? '\n' : 'a';
        if (strlen(one) <= length)
            memcpy(bytes + random_below(&r, length - strlen(one) + 1), one, strlen(one));
        em_text text = open_text(em_slice_make(bytes, length), &arena);
        bool plain = i < 6 || strlen(one) > length;
        assert_int_equal(text.lfs != NULL, plain);
        if (length < 2000)
            check_all(&text, EM_TEXT_STRETCH);
        em_lines taken, counted;
        assert_int_equal(em_lines_init(&text, &arena, &taken), EM_OK);
        text.lfs = NULL;
        assert_int_equal(em_lines_init(&text, &arena, &counted), EM_OK);
        assert_int_equal(em_lines_count(&taken), em_lines_count(&counted));
        assert_int_equal(taken.lf, counted.lf);
        for (size_t at = 0; at <= length; at += 1 + random_below(&r, 40)) {
            if (at < length && ((unsigned char)bytes[at] & 0xC0) == 0x80)
                continue;
            em_position a = em_lines_position(&taken, at), b = em_lines_position(&counted, at);
            assert_int_equal(a.line, b.line);
            assert_int_equal(a.column, b.column);
        }
    }
}

static void dominant_endings(void **state)
{
    (void)state;
    static const struct {
        const char *text;
        em_eol eol;
    } cases[] = {
        {"", EM_EOL_NONE},
        {"a", EM_EOL_NONE},
        {"a\n", EM_EOL_LF},
        {"a\r\n", EM_EOL_CRLF},
        {"a\r", EM_EOL_CR},
        {"a\nb\r\n", EM_EOL_NONE},
        {"a\r\nb\r", EM_EOL_NONE},
        {"a\nb\r", EM_EOL_NONE},
        {"a\rb\nc\r\n", EM_EOL_NONE},
        {"a\rb\rc\n", EM_EOL_CR},
        {"a\r\nb\r\nc\n\r", EM_EOL_CRLF},
        {"a\n\n\r\n", EM_EOL_LF},
        {"\n\n\r\r\r\n", EM_EOL_NONE},
    };
    EM_AUTO(em_arena) arena = {0};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        em_text text = open_text(em_slice_of(cases[i].text), &arena);
        em_lines lines;
        assert_int_equal(em_lines_init(&text, &arena, &lines), EM_OK);
        assert_int_equal(em_lines_dominant(&lines), cases[i].eol);
    }
}

static void out_of_memory(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    static const char bytes[5000];
    em_text text = {.body = {bytes, sizeof bytes}};
    em_lines lines;
    for (mallocs_left = 0; mallocs_left < 2;) {
        long fails_at = mallocs_left;
        em_arena_drop(&arena);
        assert_int_equal(em_lines_init_blocks(&text, 10, &arena, &lines), EM_E_NOMEM);
        mallocs_left = fails_at + 1;
    }
    mallocs_left = -1;
    em_arena_drop(&arena);
    assert_int_equal(em_lines_init_blocks(&text, 10, &arena, &lines), EM_OK);
}

/* Where each line that no splice changes has gone. */
static void after_an_edit(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_lines lines;
    em_text text = open_text(EM_LIT("\xEF\xBB\xBFone\r\ntwo\rthree\nfour\nfive"), &arena);
    assert_int_equal(em_lines_init(&text, &arena, &lines), EM_OK);
    const em_splice items[] = {
        {.offset = 3, .length = 0, .insert = EM_LIT("a\r\nb\rc\n")},       /* before the first */
        {.offset = 8, .length = 4, .insert = {0}},                         /* the second */
        {.offset = 19, .length = 2, .insert = EM_LIT("u\nr")},             /* in the fourth */
        {.offset = 27, .length = 0, .insert = EM_LIT("\nand one more\n")}, /* behind the last */
    };
    const em_splices splices = {items, 4};
    assert_int_equal(em_lines_after(&lines, splices, 1), 4);
    assert_int_equal(em_lines_after(&lines, splices, 3), 5);
    assert_int_equal(em_lines_after(&lines, splices, 4), 6);
    assert_int_equal(em_lines_after(&lines, splices, 5), 8);
    assert_int_equal(em_lines_after(&lines, (em_splices){0}, 5), 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(small_texts),      cmocka_unit_test(random_texts),
        cmocka_unit_test(a_large_text),     cmocka_unit_test(counted_when_opened),
        cmocka_unit_test(dominant_endings), cmocka_unit_test(out_of_memory),
        cmocka_unit_test(after_an_edit),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

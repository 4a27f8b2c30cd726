#include "text/text.h"

#include "../with_cmocka.h"

#include "base/utf8.h"

#include "apply.h"
#include "failing_malloc.h"
#include "random.h"

#include <time.h>

#define BYTES(literal)                                                                             \
    {                                                                                              \
        (literal), sizeof(literal) - 1                                                             \
    }

/* ---- Opening -------------------------------------------------------------------------------- */

static const struct {
    const char *what;
    em_slice raw;
    const char *named;
    em_encoding encoding;
    const char *charset;
    em_slice body;
    size_t start, bom_length;
} readable[] = {
    {"empty", BYTES(""), NULL, EM_UTF8, "utf-8", BYTES(""), 0, 0},
    {"ASCII", BYTES("abc"), NULL, EM_UTF8, "utf-8", BYTES("abc"), 0, 0},
    {"UTF-8", BYTES("\xC3\xA9"), NULL, EM_UTF8, "utf-8", BYTES("\xC3\xA9"), 0, 0},
    {"a BOM", BYTES("\xEF\xBB\xBF"), NULL, EM_UTF8, "utf-8", BYTES("\xEF\xBB\xBF"), 3, 3},
    {"UTF-8 with a BOM", BYTES("\xEF\xBB\xBFx"), NULL, EM_UTF8, "utf-8", BYTES("\xEF\xBB\xBFx"), 3,
     3},
    {"Latin-1", BYTES("caf\xE9"), NULL, EM_BYTES, "unknown-8bit", BYTES("caf\xE9"), 0, 0},
    {"a BOM before Latin-1", BYTES("\xEF\xBB\xBF\xE9"), NULL, EM_BYTES, "unknown-8bit",
     BYTES("\xEF\xBB\xBF\xE9"), 3, 3},
    {"half a BOM", BYTES("\xFE"), NULL, EM_BYTES, "unknown-8bit", BYTES("\xFE"), 0, 0},
    {"UTF-16LE",
     BYTES("\xFF\xFE"
           "a\0\xAC\x20"),
     NULL, EM_UTF16LE, "utf-16le", BYTES("a\xE2\x82\xAC"), 0, 2},
    {"UTF-16BE", BYTES("\xFE\xFF\0a\xD8\x3D\xDE\0"), NULL, EM_UTF16BE, "utf-16be",
     BYTES("a\xF0\x9F\x98\x80"), 0, 2},
    {"UTF-16LE, nothing but a BOM", BYTES("\xFF\xFE"), NULL, EM_UTF16LE, "utf-16le", BYTES(""), 0,
     2},
    {"UTF-16LE with a NUL",
     BYTES("\xFF\xFE"
           "a\0\0\0"),
     NULL, EM_UTF16LE, "utf-16le", BYTES("a\0"), 0, 2},
    {"UTF-32LE", BYTES("\xFF\xFE\0\0a\0\0\0\0\xF6\1\0"), NULL, EM_UTF32LE, "utf-32le",
     BYTES("a\xF0\x9F\x98\x80"), 0, 4},
    {"UTF-32BE", BYTES("\0\0\xFE\xFF\0\0\0a"), NULL, EM_UTF32BE, "utf-32be", BYTES("a"), 0, 4},

    {"named UTF-8", BYTES("\xC3\xA9"), "utf-8", EM_UTF8, "utf-8", BYTES("\xC3\xA9"), 0, 0},
    {"named UTF8, a BOM", BYTES("\xEF\xBB\xBFx"), "UTF8", EM_UTF8, "utf-8", BYTES("\xEF\xBB\xBFx"),
     3, 3},
    {"named utf-8-sig", BYTES("x"), "utf-8-sig", EM_UTF8, "utf-8", BYTES("x"), 0, 0},
    {"named UTF-8, a NUL", BYTES("a\0b"), "Utf_8", EM_UTF8, "utf-8", BYTES("a\0b"), 0, 0},
    {"named UTF-16LE", BYTES("a\0"), "UTF-16LE", EM_UTF16LE, "utf-16le", BYTES("a"), 0, 0},
    {"named UTF-16LE, a BOM",
     BYTES("\xFF\xFE"
           "a\0"),
     "utf_16_le", EM_UTF16LE, "utf-16le", BYTES("a"), 0, 2},
    {"named UTF-16LE, a NUL", BYTES("a\0\0\0"), "utf-16le", EM_UTF16LE, "utf-16le", BYTES("a\0"), 0,
     0},
    {"named UTF-16LE, what could be a BOM of UTF-32LE", BYTES("\xFF\xFE\0\0"), "utf-16le",
     EM_UTF16LE, "utf-16le", BYTES("\0"), 0, 2},
    {"named UTF-16BE", BYTES("\0a"), "utf16be", EM_UTF16BE, "utf-16be", BYTES("a"), 0, 0},
    {"named UTF-16, no BOM", BYTES("a\0"), "utf-16", EM_UTF16LE, "utf-16le", BYTES("a"), 0, 0},
    {"named UTF-16, its BOM", BYTES("\xFE\xFF\0a"), "utf-16", EM_UTF16BE, "utf-16be", BYTES("a"), 0,
     2},
    {"named UTF-16, what could be a BOM of UTF-32LE", BYTES("\xFF\xFE\0\0"), "utf-16", EM_UTF16LE,
     "utf-16le", BYTES("\0"), 0, 2},
    {"named UTF-32", BYTES("a\0\0\0"), "UTF-32", EM_UTF32LE, "utf-32le", BYTES("a"), 0, 0},
    {"named UTF-32, its BOM", BYTES("\0\0\xFE\xFF\0\0\0a"), "utf-32", EM_UTF32BE, "utf-32be",
     BYTES("a"), 0, 4},
    {"named UTF-32BE", BYTES("\0\0\0a"), "utf-32be", EM_UTF32BE, "utf-32be", BYTES("a"), 0, 0},
    {"named windows-1252", BYTES("caf\xE9 \x80"), "Windows-1252", EM_NAMED, "windows-1252",
     BYTES("caf\xC3\xA9 \xE2\x82\xAC"), 0, 0},
    {"named Latin-1, a NUL", BYTES("a\0\xE9"), "latin-1", EM_NAMED, "latin-1", BYTES("a\0\xC3\xA9"),
     0, 0},
    {"named Shift_JIS", BYTES("\x82\xA0"), "Shift_JIS", EM_NAMED, "shift_jis",
     BYTES("\xE3\x81\x82"), 0, 0},
    {"named ASCII, empty", BYTES(""), "ascii", EM_NAMED, "ascii", BYTES(""), 0, 0},
};

static void texts_that_can_be_read(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof readable / sizeof readable[0]; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_error err = EM_ERROR_INIT;
        em_text text;
        if (em_text_open(readable[i].raw, readable[i].named, &arena, &text, &err) != EM_OK)
            fail_msg("%s: %s", readable[i].what, err.detail);
        if (text.encoding != readable[i].encoding || !em_slice_eq(text.body, readable[i].body) ||
            text.start != readable[i].start || text.bom_length != readable[i].bom_length ||
            strcmp(text.charset, readable[i].charset) != 0)
            fail_msg("%s", readable[i].what);
        assert_true(em_slice_eq(text.raw, readable[i].raw));
        assert_int_equal(em_text_to_raw(&text, text.start), text.bom_length);
        assert_int_equal(em_text_to_raw(&text, text.body.len), text.raw.len);
        assert_int_equal(text.map == NULL, text.body.ptr == text.raw.ptr);
    }
}

static void texts_that_cannot(void **state)
{
    (void)state;
    static const struct {
        em_slice raw;
        const char *named;
        em_status status;
        const char *detail;
    } cases[] = {
        {BYTES("a\0b"), NULL, EM_E_BINARY, "it holds NUL bytes"},
        {BYTES("\xEF\xBB\xBF"
               "a\0"),
         NULL, EM_E_BINARY, "it holds NUL bytes"},
        {BYTES("\xFF\xFE"
               "a"),
         NULL, EM_E_BINARY, "the byte order mark says utf-16le, but byte 2 is not valid"},
        {BYTES("\xFF\xFE"
               "a\0\0\xD8"),
         NULL, EM_E_BINARY, "the byte order mark says utf-16le, but byte 4 is not valid"},
        {BYTES("\xFE\xFF\xDC\0\0a"), NULL, EM_E_BINARY,
         "the byte order mark says utf-16be, but byte 2 is not valid"},
        {BYTES("\xFE\xFF\xD8\0\0a"), NULL, EM_E_BINARY,
         "the byte order mark says utf-16be, but byte 2 is not valid"},
        {BYTES("\xFF\xFE\0\0a\0\0"), NULL, EM_E_BINARY,
         "the byte order mark says utf-32le, but byte 4 is not valid"},
        {BYTES("\xFF\xFE\0\0\0\0\x11\0"), NULL, EM_E_BINARY,
         "the byte order mark says utf-32le, but byte 4 is not valid"},
        {BYTES("\xFF\xFE\0\0\0\xD8\0\0"), NULL, EM_E_BINARY,
         "the byte order mark says utf-32le, but byte 4 is not valid"},
        {BYTES("\xFF\xFE"
               "a"),
         "utf-16le", EM_E_BINARY, "the byte order mark says utf-16le, but byte 2 is not valid"},
        {BYTES("\xFE\xFF\xD8\0\0a"), "utf-16", EM_E_BINARY,
         "the byte order mark says utf-16be, but byte 2 is not valid"},

        {BYTES("ab\xE9"), "utf-8", EM_E_INVALID, "the file is not valid utf-8: byte 2"},
        {BYTES("a\0b"), "utf-16le", EM_E_INVALID, "the file is not valid utf-16le: byte 2"},
        {BYTES("\0\0\0\xD8"), "utf-16", EM_E_INVALID, "the file is not valid utf-16le: byte 2"},
        {BYTES("\xFF\xFE\0\0x"), "utf-16", EM_E_INVALID, "the file is not valid utf-16le: byte 4"},
        {BYTES("\xFE\xFF\0a"), "utf-16le", EM_E_INVALID,
         "utf-16le was named, but the byte order mark of the file says utf-16be"},
        {BYTES("\xFF\xFE\0\0"), "utf-32be", EM_E_INVALID,
         "utf-32be was named, but the byte order mark of the file says utf-32le"},
        {BYTES("\xEF\xBB\xBF\xC3\xA9"), "latin1", EM_E_INVALID,
         "latin1 was named, but the byte order mark of the file says utf-8"},
        {BYTES("\xEF\xBB\xBF\xC3\xA9\xC3"), "utf-16", EM_E_INVALID,
         "utf-16le was named, but the byte order mark of the file says utf-8"},
        {BYTES("\xFF\xFE"
               "a\0"),
         "utf-8", EM_E_INVALID,
         "utf-8 was named, but the byte order mark of the file says utf-16le"},
        {BYTES("a\n"), "utf-16le", EM_E_INVALID,
         "utf-16le was named, but the file is UTF-8: it has no byte order mark and no NUL"},
        {BYTES("ab\xC3\xA9\n"), "utf-32be", EM_E_INVALID,
         "utf-32be was named, but the file is UTF-8: it has no byte order mark and no NUL"},
        {BYTES("a\x82"), "Shift_JIS", EM_E_INVALID, "the file is not valid shift_jis: byte 1"},
        {BYTES("a\x81"), "cp1252", EM_E_INVALID, "the file is not valid cp1252: byte 1"},
        {BYTES("a"), "klingon", EM_E_INVALID, "unknown encoding \"klingon\""},
        {BYTES("a"), "", EM_E_INVALID, "unknown encoding \"\""},
        {BYTES("a"), "utf-7", EM_E_INVALID,
         "encoding \"utf-7\" is not supported: what a byte means in it depends on the bytes "
         "before"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_error err = EM_ERROR_INIT;
        em_text text;
        assert_int_equal(em_text_open(cases[i].raw, cases[i].named, &arena, &text, &err),
                         cases[i].status);
        assert_string_equal(err.detail, cases[i].detail);
        assert_int_equal(err.code, cases[i].status);
        bool holds_nul = em_slice_is(em_slice_of(err.detail), "it holds NUL bytes");
        assert_int_equal(err.cause, holds_nul ? EM_CAUSE_NONE : EM_CAUSE_ENCODING);
        em_text_open(cases[i].raw, cases[i].named, &arena, &text, NULL);
    }
}

/* Whatever it holds: its BOM stays, and with it its encoding. */
static void texts_to_be_written_anew(void **state)
{
    (void)state;
    static const struct {
        em_slice raw, body;
        size_t start;
        em_slice written; /* with "\xC3\xA9" as all of its text */
    } cases[] = {
        {BYTES("\xE9"), BYTES("\xE9"), 0, BYTES("\xC3\xA9")},
        {BYTES("a\0"), BYTES("a\0"), 0, BYTES("\xC3\xA9")},
        {BYTES("\xEF\xBB\xBF\xE9"), BYTES("\xEF\xBB\xBF\xE9"), 3, BYTES("\xEF\xBB\xBF\xC3\xA9")},
        {BYTES("\xFF\xFE"
               "a\0x"),
         BYTES("a\xEF\xBF\xBD"), 0, BYTES("\xFF\xFE\xE9\0")},
        {BYTES("\xFE\xFF\xD8\0\0a\xDC\0"),
         BYTES("\xEF\xBF\xBD"
               "a\xEF\xBF\xBD"),
         0, BYTES("\xFE\xFF\0\xE9")},
        {BYTES("\xFF\xFE\0\0\0\0\x11\0a\0\0"), BYTES("\xEF\xBF\xBD\xEF\xBF\xBD"), 0,
         BYTES("\xFF\xFE\0\0\xE9\0\0\0")},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_text text;
        em_splices raw;
        assert_int_equal(em_text_open_to_rewrite(cases[i].raw, &arena, &text), EM_OK);
        assert_true(em_slice_eq(text.raw, cases[i].raw));
        assert_true(em_slice_eq(text.body, cases[i].body));
        assert_int_equal(text.start, cases[i].start);
        em_splice all = {text.start, text.body.len - text.start, EM_LIT("\xC3\xA9")};
        assert_int_equal(em_text_splices_to_raw(&text, (em_splices){&all, 1}, &arena, &raw, NULL),
                         EM_OK);
        assert_memory_equal(lay_in(text.raw, raw, &arena), cases[i].written.ptr,
                            cases[i].written.len);
        assert_int_equal(raw.items[0].offset + raw.items[0].length, text.raw.len);
        assert_int_equal(raw.items[0].offset + raw.items[0].insert.len, cases[i].written.len);
    }
    EM_AUTO(em_arena) arena = {0};
    em_text text;
    mallocs_left = 0;
    assert_int_equal(em_text_open_to_rewrite(cases[3].raw, &arena, &text), EM_E_NOMEM);
    mallocs_left = -1;
}

static void new_texts(void **state)
{
    (void)state;
    static const struct {
        const char *named;
        em_encoding encoding;
        em_slice content; /* of a file that is made with "é" */
    } cases[] = {
        {NULL, EM_UTF8, BYTES("\xC3\xA9")},
        {"utf-8", EM_UTF8, BYTES("\xC3\xA9")},
        {"utf-8-sig", EM_UTF8, BYTES("\xEF\xBB\xBF\xC3\xA9")},
        {"utf-16", EM_UTF16LE, BYTES("\xFF\xFE\xE9\0")},
        {"utf-16le", EM_UTF16LE, BYTES("\xE9\0")},
        {"utf-16be", EM_UTF16BE, BYTES("\0\xE9")},
        {"UTF-32", EM_UTF32LE, BYTES("\xFF\xFE\0\0\xE9\0\0\0")},
        {"UTF-32BE", EM_UTF32BE, BYTES("\0\0\0\xE9")},
        {"UTF-32LE", EM_UTF32LE, BYTES("\xE9\0\0\0")},
        {"latin1", EM_NAMED, BYTES("\xE9")},
        {"gbk", EM_NAMED, BYTES("\xA8\xA6")},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_text text;
        em_splices raw;
        assert_int_equal(em_text_new(cases[i].named, &arena, &text, NULL), EM_OK);
        assert_int_equal(text.encoding, cases[i].encoding);
        assert_int_equal(text.start, text.body.len);
        em_splice splice = {text.start, 0, EM_LIT("\xC3\xA9")};
        assert_int_equal(
            em_text_splices_to_raw(&text, (em_splices){&splice, 1}, &arena, &raw, NULL), EM_OK);
        const char *content = lay_in(text.raw, raw, &arena);
        assert_int_equal(text.raw.len + raw.items[0].insert.len, cases[i].content.len);
        assert_memory_equal(content, cases[i].content.ptr, cases[i].content.len);
    }
    EM_AUTO(em_arena) arena = {0};
    em_text text;
    assert_int_equal(em_text_new("klingon", &arena, &text, NULL), EM_E_INVALID);
}

/* ---- Back into the file --------------------------------------------------------------------- */

#define NOT_UTF8                                                                                   \
    "a text of the edit is not valid UTF-8, which it is to be whatever encoding the file has: "

static void texts_that_a_file_cannot_hold(void **state)
{
    (void)state;
    static const struct {
        em_slice raw;
        const char *named, *insert, *detail;
        uint32_t lacking; /* 0: the insert is not valid */
    } cases[] = {
        {BYTES(""), NULL, "a\xE9", NOT_UTF8 "byte 1", 0},
        {BYTES("\xE9"), NULL, "a\xE2\x82\xAC",
         "U+20AC '\xE2\x82\xAC': the file is not UTF-8, and which encoding it has is not known; "
         "name it with `encoding`",
         0x20AC},
        {BYTES("\xE9"), NULL, "\xFF", NOT_UTF8 "byte 0", 0},
        {BYTES(""), "latin1", "a\xE2\x82\xAC", "U+20AC '\xE2\x82\xAC' does not exist in latin1",
         0x20AC},
        {BYTES("\xC3\xA9"), "latin1", "a\xC3\xBC",
         "U+00FC '\xC3\xBC': latin1 was named, but the file is UTF-8, in which that is written "
         "otherwise",
         0xFC},
        {BYTES("\xC3\xA9"), "cp1252", "\xE2\x82\xAC",
         "U+20AC '\xE2\x82\xAC': cp1252 was named, but the file is UTF-8, in which that is written "
         "otherwise",
         0x20AC},
        {BYTES(""), "ascii", "\xF0\x9F\x98\x80",
         "U+1F600 '\xF0\x9F\x98\x80' does not exist in ascii", 0x1F600},
        {BYTES(""), "ibm037", "\xC2\x80\xEF\xBF\xBD",
         "U+FFFD '\xEF\xBF\xBD' does not exist in ibm037", 0xFFFD},
        {BYTES(""), "cp437", "\xC2\x80", "U+0080 '\xC2\x80' does not exist in cp437", 0x80},
        {BYTES(""), "utf-16le", "ab\xED\xA0\x80", NOT_UTF8 "byte 2", 0},
        {BYTES(""), "shift_jis", "\xE2\x82\xAC",
         "U+20AC '\xE2\x82\xAC' does not exist in shift_jis", 0x20AC},
        {BYTES(""), "SJIS", "a\\",
         "U+005C '\\' does not exist in sjis; it does in cp932, which most such files are: name "
         "that",
         0x5C},
        {BYTES(""), "Shift_JIS", "~",
         "U+007E '~' does not exist in shift_jis; it does in cp932, which most such files are: "
         "name that",
         0x7E},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_error err = EM_ERROR_INIT;
        em_text text;
        em_slice out;
        em_splices raw;
        uint32_t lacking;
        em_splice splice = {0, 0, em_slice_of(cases[i].insert)};
        assert_int_equal(em_text_open(cases[i].raw, cases[i].named, &arena, &text, NULL), EM_OK);
        assert_int_equal(em_text_encode(&text, splice.insert, &arena, &out, &err), EM_E_INVALID);
        assert_string_equal(err.detail, cases[i].detail);
        assert_int_equal(err.cause, EM_CAUSE_ENCODING);
        assert_int_equal(em_text_find_lacking(&text, splice.insert, &arena, &lacking), EM_OK);
        assert_int_equal(lacking, cases[i].lacking);
        assert_int_equal(
            em_text_splices_to_raw(&text, (em_splices){&splice, 1}, &arena, &raw, NULL),
            EM_E_INVALID);
    }
}

static void where_the_body_is_the_file_nothing_is_copied(void **state)
{
    (void)state;
    static const char *const files[] = {"\xC3\xA9", "\xE9"};
    for (size_t i = 0; i < 2; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_text text;
        em_slice out;
        em_splices raw;
        em_splice splice = {0, 1, EM_LIT("ascii")};
        uint32_t lacking = 1;
        assert_int_equal(em_text_open(em_slice_of(files[i]), NULL, &arena, &text, NULL), EM_OK);
        assert_ptr_equal(text.body.ptr, files[i]);
        assert_int_equal(em_text_encode(&text, splice.insert, &arena, &out, NULL), EM_OK);
        assert_ptr_equal(out.ptr, splice.insert.ptr);
        assert_int_equal(em_text_find_lacking(&text, splice.insert, &arena, &lacking), EM_OK);
        assert_int_equal(lacking, 0);
        assert_int_equal(
            em_text_splices_to_raw(&text, (em_splices){&splice, 1}, &arena, &raw, NULL), EM_OK);
        assert_ptr_equal(raw.items, &splice);
    }
}

/* An edge between the two code points of one character. */
static void a_character_is_not_cut(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_error err = EM_ERROR_INIT;
    em_text text;
    em_splices raw;
    em_splice splices[] = {{2, 2, EM_LIT("")}, {0, 2, EM_LIT("")}};
    assert_int_equal(em_text_open(EM_LIT("\x88\x62"), "big5-hkscs", &arena, &text, NULL), EM_OK);
    for (size_t i = 0; i < 2; i++) {
        assert_int_equal(
            em_text_splices_to_raw(&text, (em_splices){&splices[i], 1}, &arena, &raw, &err),
            EM_E_INVALID);
        assert_string_equal(err.detail,
                            "the edit would cut a character of the file in two (big5-hkscs)");
    }
}

/* ---- Round trips ---------------------------------------------------------------------------- */

enum { PIECES = 4000, EDITS = 6 };

typedef struct repertoire {
    const char *named; /* NULL: `bom` decides */
    em_slice bom;
    const char *letters[6];
} repertoire;

static em_slice random_body(random_state *r, const repertoire *of, size_t pieces, em_arena *arena)
{
    EM_AUTO(em_strbuf) out = {0};
    for (size_t i = 0; i < pieces; i++)
        em_strbuf_puts(&out, RANDOM_OF(r, of->letters));
    size_t length = out.len;
    return em_slice_make(em_strbuf_finish(&out, arena), length);
}

static size_t random_start(random_state *r, em_slice body, size_t least)
{
    size_t at = least + random_below(r, (body.len - least) / 3 + 1);
    while (at < body.len && ((unsigned char)body.ptr[at] & 0xC0) == 0x80)
        at++;
    return at;
}

static em_slice with_bom(const em_text *empty, em_slice bom, em_slice body, em_arena *arena)
{
    EM_AUTO(em_strbuf) out = {0};
    em_slice encoded;
    assert_int_equal(em_text_encode(empty, body, arena, &encoded, NULL), EM_OK);
    em_strbuf_add(&out, bom);
    em_strbuf_add(&out, encoded);
    return em_slice_make(em_strbuf_finish(&out, arena), out.len);
}

/* A file, edited as text and as bytes: both are the same file. */
static void check_round_trip(random_state *r, const repertoire *of)
{
    EM_AUTO(em_arena) arena = {0};
    em_text empty, text;
    assert_int_equal(em_text_open(of->bom, of->named, &arena, &empty, NULL), EM_OK);
    em_slice body = random_body(r, of, 1 + random_below(r, PIECES), &arena);
    em_slice raw = with_bom(&empty, of->bom, body, &arena);
    assert_int_equal(em_text_open(raw, of->named, &arena, &text, NULL), EM_OK);
    assert_true(em_slice_eq(em_slice_from(text.body, text.start), body));

    em_splice items[EDITS];
    size_t count = 0, least = text.start;
    while (count < EDITS && least < text.body.len) {
        size_t start = random_start(r, text.body, least);
        size_t end = random_start(r, text.body, start);
        items[count++] =
            (em_splice){start, end - start, random_body(r, of, random_below(r, 20), &arena)};
        least = end + 1 < text.body.len ? random_start(r, text.body, end + 1) : text.body.len;
    }
    em_splices edits = {items, count}, raw_edits;
    assert_int_equal(em_text_splices_to_raw(&text, edits, &arena, &raw_edits, NULL), EM_OK);
    const char *new_body = lay_in(text.body, edits, &arena);
    em_slice wanted =
        with_bom(&empty, of->bom, em_slice_from(em_slice_of(new_body), text.start), &arena);
    const char *found = lay_in(raw, raw_edits, &arena);
    assert_memory_equal(found, wanted.ptr, wanted.len);
    assert_int_equal(found[wanted.len], '\0');
}

static void an_edit_of_the_text_is_an_edit_of_the_file(void **state)
{
    (void)state;
    static const repertoire all[] = {
        {NULL, BYTES(""), {"a", "\r\n", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "z"}},
        {NULL, BYTES("\xEF\xBB\xBF"), {"a", "\n", "\xC3\xA9", "\xE2\x82\xAC", "b", "\xEF\xBB\xBF"}},
        {NULL,
         BYTES("\xFF\xFE"),
         {"a", "\n", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "\xF0\x90\x80\x80"}},
        {NULL, BYTES("\xFE\xFF"), {"a", "\n", "\xC3\xA9", "\xE2\x82\xAC", "\xF4\x8F\xBF\xBF", "z"}},
        {NULL,
         BYTES("\xFF\xFE\0\0"),
         {"a", "\n", "\xC3\xA9", "\xEF\xBF\xBF", "\xF0\x90\x80\x80", "z"}},
        {NULL, BYTES("\0\0\xFE\xFF"), {"a", "\n", "\xC3\xA9", "\xED\x9F\xBF", "\xEE\x80\x80", "z"}},
        {"utf-16be", BYTES(""), {"a", "\n", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "z"}},
        {"utf-32", BYTES(""), {"a", "\n", "\xC3\xA9", "\xE2\x82\xAC", "\xF0\x9F\x98\x80", "z"}},
        {"windows-1252", BYTES(""), {"a", "\r\n", "\xC3\xA9", "\xE2\x82\xAC", "\xC3\xBF", "z"}},
        {"windows-1255",
         BYTES(""),
         {"a", "\n", "\xD7\xA9", "\xD6\xB8", "\xD7\x81", "\xE2\x82\xAA"}},
        {"windows-1258",
         BYTES(""),
         {"a", "\n", "\xC4\x91", "\xCC\x81", "\xE2\x82\xAB", "\xC6\xB0"}},
        {"koi8-r", BYTES(""), {"a", "\n", "\xD0\x96", "\xD1\x8F", "\xE2\x95\x90", "\xC2\xA9"}},
        {"ibm037", BYTES(""), {"a", "\n", "\xC3\xA9", "{", "0", " "}},
        {"shift_jis",
         BYTES(""),
         {"a", "\r\n", "\xE3\x81\x82", "\xEF\xBD\xB1", "\xE8\xA1\xA8", "z"}},
        {"euc-jp", BYTES(""), {"a", "\n", "\xE3\x81\x82", "\xE4\xB8\x82", "\xEF\xBD\xB1", "z"}},
        {"gb18030", BYTES(""), {"a", "\n", "\xE4\xB8\xAD", "\xC3\xA9", "\xF0\x9F\x98\x80", "z"}},
        {"big5", BYTES(""), {"a", "\n", "\xE4\xB8\xAD", "\xE2\x94\x80", "\xE7\xBE\x8E", "z"}},
        {"euc-kr", BYTES(""), {"a", "\n", "\xED\x95\x9C", "\xE2\x99\xA1", "\xEA\xB8\x80", "z"}},
    };
    random_state r = {77};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        for (int round = 0; round < 12; round++)
            check_round_trip(&r, &all[i]);
}

/* Each splice goes on from the one before; from the last checkpoint of the map all would take a
 * quarter of a minute. */
static void very_many_splices_lead_to_the_file(void **state)
{
    (void)state;
    enum { COUNT = 300000, RAW = 4, BODY = 5, MOST_S = 8 };
    EM_AUTO(em_arena) arena = {0};
    char *bytes = em_alloc_raw(&arena, (size_t)COUNT * RAW);
    em_splice *items = em_alloc_array(&arena, COUNT, sizeof *items);
    em_text text;
    em_splices raw;
    assert_true(bytes && items);
    for (size_t i = 0; i < COUNT; i++) {
        memcpy(bytes + i * RAW, "a\xD6\xD0\n", RAW);
        items[i] = (em_splice){i * BODY + 1, BODY - 2, EM_LIT("b")};
    }
    assert_int_equal(
        em_text_open(em_slice_make(bytes, (size_t)COUNT * RAW), "gb18030", &arena, &text, NULL),
        EM_OK);
    clock_t start = clock();
    assert_int_equal(em_text_splices_to_raw(&text, (em_splices){items, COUNT}, &arena, &raw, NULL),
                     EM_OK);
    assert_true((clock() - start) / CLOCKS_PER_SEC < MOST_S);
    for (size_t i = 0; i < COUNT; i++) {
        assert_int_equal(raw.items[i].offset, i * RAW + 1);
        assert_int_equal(raw.items[i].length, RAW - 2);
    }
}

static void out_of_memory(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        em_slice raw;
    } cases[] = {{"utf-16", BYTES("a\0b\0")}, {"latin1", BYTES("abcd")}, {NULL, BYTES("abcd")}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        em_status status = EM_E_NOMEM;
        for (long fails_at = 0; status != EM_OK; fails_at++) {
            EM_AUTO(em_arena) opened = {0}, mapped = {0};
            em_text text;
            em_splices raw;
            em_splice splice = {0, 0, EM_LIT("xxx")};
            mallocs_left = fails_at;
            status = em_text_open(cases[i].raw, cases[i].name, &opened, &text, NULL);
            if (status == EM_OK)
                status =
                    em_text_splices_to_raw(&text, (em_splices){&splice, 1}, &mapped, &raw, NULL);
            mallocs_left = -1;
            assert_true(status == EM_OK ? fails_at > (cases[i].name ? 1 : 0)
                                        : status == EM_E_NOMEM);
        }
    }
    /* the list fits, and an insert does not */
    EM_AUTO(em_arena) arena = {0};
    em_text text;
    em_splices raw;
    static char large[100000];
    memset(large, 'a', sizeof large);
    em_splice splice = {0, 0, {large, sizeof large}};
    assert_int_equal(em_text_open(EM_LIT("a\0"), "utf-16", &arena, &text, NULL), EM_OK);
    mallocs_left = 0;
    assert_int_equal(em_text_splices_to_raw(&text, (em_splices){&splice, 1}, &arena, &raw, NULL),
                     EM_E_NOMEM);
    mallocs_left = -1;
}

/* ---- Line endings --------------------------------------------------------------------------- */

static void endings(void **state)
{
    (void)state;
    assert_true(em_slice_is(em_eol_bytes(EM_EOL_NONE), ""));
    assert_true(em_slice_is(em_eol_bytes(EM_EOL_LF), "\n"));
    assert_true(em_slice_is(em_eol_bytes(EM_EOL_CRLF), "\r\n"));
    assert_true(em_slice_is(em_eol_bytes(EM_EOL_CR), "\r"));
    em_slice s = EM_LIT("a\n\r\n\r\r");
    static const em_eol wanted[] = {EM_EOL_NONE, EM_EOL_LF, EM_EOL_CRLF, EM_EOL_LF,
                                    EM_EOL_CR,   EM_EOL_CR, EM_EOL_NONE, EM_EOL_NONE};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        assert_int_equal(em_eol_at(s, i), wanted[i]);
}

static void the_last_ending(void **state)
{
    (void)state;
    static const char *const cases[][2] = {{"", ""},         {"a", "a"},         {"a\n", "a"},
                                           {"a\r\n", "a"},   {"a\r", "a"},       {"a\n\n", "a\n"},
                                           {"a\n\r", "a\n"}, {"a\r\r\n", "a\r"}, {"\r\n", ""}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        assert_true(em_slice_is(em_without_last_eol(em_slice_of(cases[i][0])), cases[i][1]));
}

static void inserts_take_the_endings_of_what_they_replace(void **state)
{
    (void)state;
    static const struct {
        const char *insert, *replaced;
        em_eol dominant;
        const char *wanted;
    } cases[] = {
        {"a\nb\n", "x\ny\n", EM_EOL_LF, "a\nb\n"},
        {"a\nb\n", "x\r\ny\r\n", EM_EOL_LF, "a\r\nb\r\n"},
        {"a\nb\n", "x\ry\r", EM_EOL_LF, "a\rb\r"},
        {"a\nb\nc\nd", "x\r\ny\n", EM_EOL_CR, "a\r\nb\nc\nd"},
        {"a\nb\nc\nd", "x\ny\r\n", EM_EOL_LF, "a\nb\r\nc\r\nd"},
        {"a\n", "x\ny\r\n", EM_EOL_CRLF, "a\n"},
        {"a\nb", "x", EM_EOL_CRLF, "a\r\nb"},
        {"a\nb", "", EM_EOL_CR, "a\rb"},
        {"a\nb", "x", EM_EOL_NONE, "a\nb"},
        {"a\nb", "x\ny", EM_EOL_CRLF, "a\nb"},
        {"\n\n", "\r\r\n", EM_EOL_LF, "\r\r\n"},
        {"\n\na\n", "\rx\n", EM_EOL_LF, "\r\ra\r"}, /* no CRLF, which would be one ending */
        {"\na\n", "\rx\n", EM_EOL_LF, "\ra\n"},
        {"a\r\nb\nc", "x\r\n", EM_EOL_CRLF, "a\r\nb\nc"}, /* holds a CR: as it is */
        {"ab", "x\r\n", EM_EOL_CRLF, "ab"},
        {"", "x\r\n", EM_EOL_CRLF, ""},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice out;
        assert_int_equal(em_text_adapt_eols(em_slice_of(cases[i].insert),
                                            em_slice_of(cases[i].replaced), cases[i].dominant,
                                            &arena, &out),
                         EM_OK);
        assert_true(em_slice_is(out, cases[i].wanted));
    }
    EM_AUTO(em_arena) arena = {0};
    em_slice out;
    mallocs_left = 0;
    assert_int_equal(em_text_adapt_eols(EM_LIT("\n"), EM_LIT("\r"), EM_EOL_LF, &arena, &out),
                     EM_E_NOMEM);
    mallocs_left = -1;
}

/* At each offset of a text: where its line begins, and where the next one does. */
static void lines_around_an_offset(void **state)
{
    (void)state;
    static const em_slice text = {"a\nbc\r\n\rd", 8};
    static const size_t behind[] = {2, 2, 6, 6, 6, 6, 7, 8, 8};
    static const size_t before[] = {0, 0, 0, 2, 2, 2, 2, 6, 7};
    for (size_t at = 0; at <= 8; at++) {
        assert_int_equal(em_line_behind(text, at), behind[at]);
        assert_int_equal(em_line_before(text, at), before[at]);
    }
    assert_int_equal(em_line_behind((em_slice){0}, 0), 0);
}

static void pieces_are_shown_as_text(void **state)
{
    (void)state;
    static const struct {
        em_slice raw;
        const char *charset;
        em_slice shown;
    } cases[] = {
        {BYTES("a\0\xE9\0"), "utf-16le", BYTES("a\xC3\xA9")},
        {BYTES("a\xE9"), "latin1", BYTES("a\xC3\xA9")},
        {BYTES("a\xE9"), NULL, BYTES("a\xE9")},
        {BYTES("a\xE9"), "utf-8", BYTES("a\xE9")},
        {BYTES("a\0b"), "utf-16le", BYTES("a\0b")},
        {BYTES(""), "utf-16le", BYTES("")},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_slice shown;
        assert_int_equal(em_text_decode(cases[i].raw, cases[i].charset, &arena, &shown), EM_OK);
        assert_true(em_slice_eq(shown, cases[i].shown));
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pieces_are_shown_as_text),
        cmocka_unit_test(texts_that_can_be_read),
        cmocka_unit_test(texts_that_cannot),
        cmocka_unit_test(texts_to_be_written_anew),
        cmocka_unit_test(new_texts),
        cmocka_unit_test(texts_that_a_file_cannot_hold),
        cmocka_unit_test(where_the_body_is_the_file_nothing_is_copied),
        cmocka_unit_test(a_character_is_not_cut),
        cmocka_unit_test(an_edit_of_the_text_is_an_edit_of_the_file),
        cmocka_unit_test(very_many_splices_lead_to_the_file),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(endings),
        cmocka_unit_test(the_last_ending),
        cmocka_unit_test(lines_around_an_offset),
        cmocka_unit_test(inserts_take_the_endings_of_what_they_replace),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

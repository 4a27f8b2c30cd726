#include "text/charset.h"

#include "base/utf8.h"

#include <errno.h>
#include <iconv.h>

#include "../with_cmocka.h"
#include "failing_malloc.h"
#include "random.h"

/* ---- iconv, which fails when a test says so -------------------------------------------------- */

static long iconvs_left = -1; /* as mallocs_left */
static int iconv_error;       /* what it fails with then */

iconv_t __real_iconv_open(const char *to, const char *from);
iconv_t __wrap_iconv_open(const char *to, const char *from);

iconv_t __wrap_iconv_open(const char *to, const char *from)
{
    if (iconvs_left == 0) {
        errno = iconv_error;
        return (iconv_t)-1;
    }
    if (iconvs_left > 0)
        iconvs_left--;
    return __real_iconv_open(to, from);
}

/* ---- Finding -------------------------------------------------------------------------------- */

static em_charset find(const char *name, em_arena *arena)
{
    em_charset charset;
    bool stateful;
    if (em_charset_find(name, arena, &charset, &stateful) != EM_OK)
        fail_msg("no charset %s", name);
    return charset;
}

static void names(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        em_status status;
        bool stateful, table;
    } cases[] = {
        {"windows-1252", EM_OK, false, true},
        {"Windows-1252", EM_OK, false, true},
        {"cp1252", EM_OK, false, true},
        {"latin-1", EM_OK, false, true}, /* iconv knows latin1 */
        {"iso_8859_15", EM_OK, false, true},
        {"windows-1255", EM_OK, false, true}, /* iconv composes; here each byte is a character */
        {"windows-1258", EM_OK, false, true},
        {"US-ASCII", EM_OK, false, true},
        {"IBM037", EM_OK, false, true},
        {"Shift_JIS", EM_OK, false, false},
        {"GB18030", EM_OK, false, false},
        {"EUC-JP", EM_OK, false, false},
        {"big5-hkscs", EM_OK, false, false},
        {"UCS-2LE", EM_OK, false, false},
        {"UTF-7", EM_E_INVALID, true, false},
        {"UTF-7-IMAP", EM_E_INVALID, true, false},
        {"ISO-2022-JP", EM_E_INVALID, true, false},
        {"ISO-2022-KR", EM_E_INVALID, true, false},
        {"ISO-2022-CN", EM_E_INVALID, true, false},
        {"IBM930", EM_E_INVALID, true, false},
        {"UNICODE", EM_E_INVALID, true, false}, /* begins with a byte order mark */
        {"klingon", EM_E_INVALID, false, false},
        {"", EM_E_INVALID, false, false},
        {"-", EM_E_INVALID, false, false},
        {"latin1//TRANSLIT", EM_E_INVALID, false, false},
        {"latin1/", EM_E_INVALID, false, false},
        {"latin1,ignore", EM_E_INVALID, false, false},
        {" latin1", EM_E_INVALID, false, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_charset charset;
        bool stateful;
        em_status status = em_charset_find(cases[i].name, &arena, &charset, &stateful);
        if (status != cases[i].status || stateful != cases[i].stateful ||
            (status == EM_OK && (charset.table != NULL) != cases[i].table))
            fail_msg("%s", cases[i].name);
    }
}

static void the_name_is_kept_in_lower_case(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_charset charset = find("Latin-1", &arena);
    assert_string_equal(charset.name, "latin-1");
    assert_string_equal(charset.iconv_name, "latin1");
    assert_int_equal(charset.encoding, EM_NAMED);
}

/* ---- The way back, for every character that a charset has ----------------------------------- */

typedef struct characters {
    char bytes[70000][4];
    unsigned char lengths[70000];
    size_t count;
} characters;

static bool decodes(iconv_t handle, const char *bytes, size_t length)
{
    char out[64], *to = out, copy[4], *from = copy;
    size_t to_left = sizeof out;
    memcpy(copy, bytes, length);
    iconv(handle, NULL, NULL, NULL, NULL);
    return iconv(handle, &from, &length, &to, &to_left) != (size_t)-1;
}

static bool is_incomplete(iconv_t handle, const char *bytes, size_t length)
{
    return !decodes(handle, bytes, length) && errno == EINVAL;
}

static void add_character(characters *all, const char *bytes, size_t length)
{
    memcpy(all->bytes[all->count], bytes, length);
    all->lengths[all->count++] = (unsigned char)length;
}

/* Those of one byte, all of two, and of three and four bytes a few that are given. */
static void collect(const em_charset *charset, const char *long_one, characters *all)
{
    iconv_t handle = iconv_open("UTF-8", charset->iconv_name);
    all->count = 0;
    for (int first = 0; first < 256; first++) {
        char bytes[2] = {(char)first, 0};
        if (decodes(handle, bytes, 1))
            add_character(all, bytes, 1);
        for (int second = 0; is_incomplete(handle, bytes, 1) && second < 256; second++) {
            bytes[1] = (char)second;
            if (decodes(handle, bytes, 2))
                add_character(all, bytes, 2);
        }
    }
    if (*long_one)
        add_character(all, long_one, strlen(long_one));
    iconv_close(handle);
}

/* Decode a row of characters; wherever one starts there is a place in the body that leads to it,
 * and no other place leads anywhere. */
static void check_places(const em_charset *charset, const characters *all, random_state *r)
{
    EM_AUTO(em_arena) arena = {0};
    enum { RAW = 3500, SKIP = 3 };
    char raw[RAW + 4] = "BOM";
    size_t raw_length = SKIP, bad, at = SKIP, body_at = 0;
    em_slice body;
    const em_text_map *map;
    size_t count = 0;
    bool starts[RAW + 8] = {false};
    while (raw_length < RAW) {
        size_t i = random_below(r, all->count);
        starts[raw_length] = true;
        memcpy(raw + raw_length, all->bytes[i], all->lengths[i]);
        raw_length += all->lengths[i];
        count++;
    }
    starts[raw_length] = true;
    em_slice file = {raw, raw_length};
    em_charset_checkpoint near[2] = {{0, 0}, {0, 0}};
    assert_int_equal(em_charset_decode(charset, file, SKIP, &arena, &body, &map, &bad), EM_OK);
    assert_int_equal(em_utf8_invalid_at(body), EM_NPOS);
    for (;;) {
        size_t place = em_charset_to_raw(map, body_at);
        assert_int_equal(em_charset_to_raw_near(map, &near[0], body_at), place);
        if (random_below(r, 50) == 0)
            assert_int_equal(em_charset_to_raw_near(map, &near[1], body_at), place);
        if (place != EM_NPOS) {
            assert_true(place <= raw_length && starts[place] && place >= at);
            count -= place > at;
            at = place;
        }
        if (body_at == body.len)
            break;
        em_utf8_next(body, &body_at);
    }
    assert_int_equal(at, raw_length);
    assert_int_equal(count, 0);
}

static void every_character_has_its_place(void **state)
{
    (void)state;
    static const struct {
        const char *name, *long_one;
    } charsets[] = {
        {"windows-1252", ""},
        {"windows-1258", ""},
        {"KOI8-R", ""},
        {"IBM037", ""},
        {"Shift_JIS", ""},
        {"CP932", ""},
        {"GBK", ""},
        {"GB18030", "\x81\x30\x84\x36"},
        {"BIG5", ""},
        {"BIG5-HKSCS", ""}, /* has characters of two code points */
        {"EUC-JP", "\x8F\xB0\xA1"},
        {"EUC-KR", ""},
        {"EUC-TW", "\x8E\xA2\xA1\xA1"},
        {"SHIFT_JISX0213", ""},
        {"UHC", ""},
    };
    static characters all;
    random_state r = {41};
    for (size_t i = 0; i < sizeof charsets / sizeof charsets[0]; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_charset charset = find(charsets[i].name, &arena);
        collect(&charset, charsets[i].long_one, &all);
        assert_true(all.count > 100);
        check_places(&charset, &all, &r);
    }
}

/* Ê and a macron are one character in BIG5-HKSCS: between them there is no place. */
static void a_character_of_two_code_points(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_charset charset = find("BIG5-HKSCS", &arena);
    em_slice body;
    const em_text_map *map;
    size_t bad;
    assert_int_equal(
        em_charset_decode(&charset, EM_LIT("a\x88\x62z"), 0, &arena, &body, &map, &bad), EM_OK);
    assert_true(em_slice_is(body, "a\xC3\x8A\xCC\x84z"));
    assert_int_equal(em_charset_to_raw(map, 1), 1);
    assert_int_equal(em_charset_to_raw(map, 3), EM_NPOS);
    assert_int_equal(em_charset_to_raw(map, 5), 3);
    assert_int_equal(em_charset_to_raw(map, 6), 4);
}

/* ---- What cannot be converted --------------------------------------------------------------- */

static void bytes_that_are_not_valid(void **state)
{
    (void)state;
    static const struct {
        const char *name;
        em_slice raw;
        size_t bad;
    } cases[] = {
        {"ascii", {"ab\xE9", 3}, 2},
        {"windows-1252", {"a\x81", 2}, 1},
        {"Shift_JIS", {"ab\x82", 3}, 2}, /* ends inside a character */
        {"Shift_JIS", {"\x82\xA0\xFF", 3}, 2},
        {"GB18030", {"a\x81\x30", 3}, 1},
        {"UCS-4BE", {"\0\0\0a\0\x20\0\0", 8}, 4}, /* no code point */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_charset charset = find(cases[i].name, &arena);
        em_slice body;
        const em_text_map *map;
        size_t bad = EM_NPOS;
        assert_int_equal(em_charset_decode(&charset, cases[i].raw, 0, &arena, &body, &map, &bad),
                         EM_E_INVALID);
        assert_int_equal(bad, cases[i].bad);
    }
}

/* A NUL is a character: whether it may be inserted, others decide. */
static void nul(void **state)
{
    (void)state;
    static const char *const names[] = {"windows-1252", "Shift_JIS"};
    for (size_t i = 0; i < 2; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_charset charset = find(names[i], &arena);
        em_slice out;
        size_t bad;
        assert_int_equal(em_charset_encode(&charset, EM_LIT("a\0b"), &arena, &out, &bad), EM_OK);
        assert_true(em_slice_eq(out, EM_LIT("a\0b")));
    }
}

static void characters_that_do_not_exist(void **state)
{
    (void)state;
    static const struct {
        const char *name, *text;
        size_t bad;
    } cases[] = {
        {"windows-1252", "ab\xD0\x96", 2},
        {"windows-1252", "ab\xFF", 2},
        {"Shift_JIS", "a\xE2\x82\xAC", 1},
        {"Shift_JIS", "\xE3\x81\x82\xFF", 3},
        {"EUC-KR", "ab\xF0\x9F\x98\x80", 2},
        {"Shift_JIS", "ab\xF3\xA0\x81\x81z", 2}, /* iconv leaves tags out */
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_charset charset = find(cases[i].name, &arena);
        em_slice out;
        size_t bad = EM_NPOS;
        assert_int_equal(
            em_charset_encode(&charset, em_slice_of(cases[i].text), &arena, &out, &bad),
            EM_E_INVALID);
        assert_int_equal(bad, cases[i].bad);
    }
}

static void out_of_memory(void **state)
{
    (void)state;
    static const char *const names[] = {"windows-1252", "Shift_JIS"};
    static char raw[9000];
    memset(raw, 'a', sizeof raw);
    for (size_t i = 0; i < 2; i++) {
        em_status status = EM_E_NOMEM;
        for (long fails_at = 0; status != EM_OK; fails_at++) {
            EM_AUTO(em_arena) arena = {0}, more = {0};
            em_charset charset;
            em_slice body, out;
            const em_text_map *map;
            size_t bad;
            bool stateful;
            mallocs_left = fails_at;
            status = em_charset_find(names[i], &arena, &charset, &stateful);
            if (status == EM_OK)
                status = em_charset_decode(&charset, (em_slice){raw, sizeof raw}, 0, &more, &body,
                                           &map, &bad);
            if (status == EM_OK)
                status = em_charset_encode(&charset, body, &more, &out, &bad);
            mallocs_left = -1;
            assert_true(status == EM_OK ? fails_at > 3 : status == EM_E_NOMEM);
        }
    }
}

/* iconv_open() of what it opened before: only for want of memory or descriptors. */
static void iconv_is_out_of_memory(void **state)
{
    (void)state;
    EM_AUTO(em_arena) arena = {0};
    em_charset charset = find("Shift_JIS", &arena);
    em_slice body, out;
    const em_text_map *map;
    size_t bad;
    assert_int_equal(em_charset_decode(&charset, EM_LIT("ab"), 0, &arena, &body, &map, &bad),
                     EM_OK);
    iconvs_left = 0;
    iconv_error = ENOMEM;
    assert_int_equal(em_charset_decode(&charset, EM_LIT("ab"), 0, &arena, &out, &map, &bad),
                     EM_E_NOMEM);
    assert_int_equal(em_charset_encode(&charset, body, &arena, &out, &bad), EM_E_NOMEM);
    assert_int_equal(em_charset_to_raw(map, 1), EM_NPOS);
    iconvs_left = 1;
    assert_int_equal(em_charset_encode(&charset, body, &arena, &out, &bad), EM_E_NOMEM);
    iconvs_left = -1;
    assert_int_equal(em_charset_encode(&charset, body, &arena, &out, &bad), EM_OK);
}

/* Nobody knows then whether there is a charset of that name. */
static void want_of_memory_is_no_unknown_name(void **state)
{
    (void)state;
    static const struct {
        int error;
        long mallocs;
        em_status want;
    } cases[] = {{EINVAL, -1, EM_E_INVALID},
                 {EINVAL, 1, EM_E_NOMEM}, /* what remains after the names and the table */
                 {ENOMEM, -1, EM_E_NOMEM},
                 {EMFILE, -1, EM_E_NOMEM}};
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        EM_AUTO(em_arena) arena = {0};
        em_charset charset;
        bool stateful;
        iconvs_left = 0;
        iconv_error = cases[i].error;
        mallocs_left = cases[i].mallocs;
        em_status status = em_charset_find("latin1", &arena, &charset, &stateful);
        mallocs_left = -1;
        iconvs_left = -1;
        assert_int_equal(status, cases[i].want);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names),
        cmocka_unit_test(the_name_is_kept_in_lower_case),
        cmocka_unit_test(every_character_has_its_place),
        cmocka_unit_test(a_character_of_two_code_points),
        cmocka_unit_test(bytes_that_are_not_valid),
        cmocka_unit_test(nul),
        cmocka_unit_test(characters_that_do_not_exist),
        cmocka_unit_test(out_of_memory),
        cmocka_unit_test(iconv_is_out_of_memory),
        cmocka_unit_test(want_of_memory_is_no_unknown_name),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}

/* text_fuzz.c: any bytes as text, in any encoding, and back.
 *
 * The input is one byte that chooses an encoding, two that choose a stretch, and the file. What is
 * spliced into the text is spliced into the file at the same place, in the file's encoding, and
 * every other byte of the file stays.
 */
#include "fuzz.h"

#include "base/utf8.h"
#include "edit/plan.h"

enum { HEAD = 3 };

static const char *const encodings[] = {
    NULL,           "utf-8",  "utf-16", "utf-16le",  "utf-16be", "utf-32",     "latin-1",
    "windows-1252", "koi8-r", "euc-jp", "shift_jis", "gb18030",  "big5",       "iso-2022-jp",
    "utf-7",        "cp437",  "euc-kr", "tis-620",   "no-such",  "big5-hkscs",
};
enum { ENCODINGS = sizeof encodings / sizeof *encodings };

const em_slice em_fuzz_seeds[] = {
    SEED("\0\0\0one\ntwo\r\nthree\rfour"),
    SEED("\0\1\4\xEF\xBB\xBFgr\xC3\xBCn \xF0\x9F\x98\x80\n"),
    SEED("\0\1\2\xFF\xFEo\0n\0e\0\n\0\x3D\xD8\x00\xDE"),
    SEED("\0\1\2\xFE\xFF\0o\0n\0e\0\r\0\n"),
    SEED("\0\1\2\xFF\xFE\0\0o\0\0\0n\0\0\0\n\0\0\0"),
    SEED("\6\1\4gr\xFCn\n"),
    SEED("\7\1\4\x80 caf\xE9\n"),
    SEED("\12\1\4\x82\xA0\x82\xA2 ab\n"),
    SEED("\13\1\4\x81\x30\x81\x30\xC4\xE3\n"),
    SEED("\23\1\4\x88\x62\x88\x64\n"),
    {NULL, 0},
};
const em_slice em_fuzz_words[] = {
    SEED("\r\n"),
    SEED("\r"),
    SEED("\n"),
    SEED("\0"),
    SEED("\xEF\xBB\xBF"),
    SEED("\xFF\xFE"),
    SEED("\xFE\xFF"),
    SEED("\xC3\xBC"),
    SEED("\xE2\x82\xAC"),
    SEED("\xED\xA0\x80"),
    SEED("\xF4\x90\x80\x80"),
    SEED("\x88\x62"),
    {NULL, 0},
};

static em_slice laid_in(em_arena *arena, em_slice body, const em_splice *splice)
{
    em_slice out = {0};
    HOLDS(em_splices_apply(body, (em_splices){splice, 1}, arena, &out) == EM_OK);
    return out;
}

/* The line index agrees with counting by hand. */
static void check_lines(const em_text *text, em_arena *arena)
{
    em_lines lines;
    HOLDS(em_lines_init_blocks(text, 7, arena, &lines) == EM_OK);
    size_t line = 1, at = text->start;
    while (at < text->body.len) {
        HOLDS(em_lines_at(&lines, at) == line);
        size_t ending = em_eol_bytes(em_eol_at(text->body, at)).len;
        at += ending > 0 ? ending : 1;
        line += ending > 0;
    }
    HOLDS(em_lines_at(&lines, at) == line);
    bool ended = at == text->start || em_lines_content(&lines, line).len == 0;
    HOLDS(em_lines_count(&lines) == line - ended);
}

static size_t boundary(const em_text *text, size_t at)
{
    if (at < text->start)
        return text->start;
    return at >= text->body.len ? text->body.len : em_utf8_floor(text->body, at);
}

/* It can be written anew, behind its BOM and to its end. */
static void check_rewrite(em_slice raw, em_arena *arena)
{
    em_text text;
    HOLDS(em_text_open_to_rewrite(raw, arena, &text) == EM_OK);
    HOLDS(em_text_to_raw(&text, text.start) == text.bom_length);
    HOLDS(em_text_to_raw(&text, text.body.len) == raw.len);
    HOLDS(em_text_has_bom(raw) == (text.bom_length > 0));
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    EM_AUTO(em_arena) arena = {0};
    em_error err = EM_ERROR_INIT;
    em_text text, again;
    if (size < HEAD || size > 1024)
        return 0;
    const char *encoding = encodings[data[0] % ENCODINGS];
    em_slice raw = em_slice_make((const char *)data + HEAD, size - HEAD);
    check_rewrite(raw, &arena);
    if (em_text_open(raw, encoding, &arena, &text, &err) != EM_OK) {
        HOLDS(err.code == EM_E_BINARY || err.code == EM_E_INVALID);
        return 0;
    }
    HOLDS(text.start <= text.body.len);
    check_lines(&text, &arena);

    size_t from = boundary(&text, data[1]), to = boundary(&text, data[2]);
    em_splice splice = {from < to ? from : to, from < to ? to - from : from - to, EM_LIT("x\ny")};
    em_splices raw_splices;
    if (em_text_splices_to_raw(&text, (em_splices){&splice, 1}, &arena, &raw_splices, &err) !=
        EM_OK)
        return 0; /* an edge inside a character of the file */
    HOLDS(raw_splices.count == 1);
    em_slice body = laid_in(&arena, text.body, &splice);
    em_slice file = laid_in(&arena, raw, raw_splices.items);
    if (em_text_open(file, encoding, &arena, &again, &err) != EM_OK ||
        again.encoding != text.encoding)
        return 0; /* what begins the file now looks like a BOM, or like another encoding */
    if (again.bom_length == text.bom_length)
        HOLDS(em_slice_eq(again.body, body));
    return 0;
}

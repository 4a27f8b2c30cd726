/* text.c: which encoding a file has, and what a splice of its text is in the file. */
#include "text/text.h"

#include "base/ascii.h"
#include "base/utf8.h"
#include "text/charset.h"
#include "text/count.h"

#include <stdio.h>

/* ---- Byte order marks ----------------------------------------------------------------------- */

typedef struct mark {
    em_encoding encoding;
    em_slice bytes;
    const char *charset;
} mark;

/* UTF-32LE stands before UTF-16LE, whose mark is the start of its own. */
static const mark marks[] = {
    {EM_UTF8, {"\xEF\xBB\xBF", 3}, "utf-8"},       {EM_UTF32LE, {"\xFF\xFE\0\0", 4}, "utf-32le"},
    {EM_UTF32BE, {"\0\0\xFE\xFF", 4}, "utf-32be"}, {EM_UTF16LE, {"\xFF\xFE", 2}, "utf-16le"},
    {EM_UTF16BE, {"\xFE\xFF", 2}, "utf-16be"},
};
enum { MARKS = sizeof marks / sizeof marks[0] };

static const mark *mark_at_start(em_slice raw)
{
    for (size_t i = 0; i < MARKS; i++)
        if (em_slice_starts(raw, marks[i].bytes))
            return &marks[i];
    return NULL;
}

static const mark *mark_of(em_encoding encoding)
{
    size_t i = 0;
    while (marks[i].encoding != encoding)
        i++;
    return &marks[i];
}

bool em_text_has_bom(em_slice bytes)
{
    return mark_at_start(bytes) != NULL;
}

size_t em_text_bom_length(em_slice bytes, size_t unit)
{
    size_t length = unit > 1 ? unit : marks[0].bytes.len;
    for (size_t i = 0; i < MARKS; i++)
        if (marks[i].bytes.len == length && em_slice_starts(bytes, marks[i].bytes))
            return length;
    return 0;
}

/* ---- Opening -------------------------------------------------------------------------------- */

/* A text whose body is the file. */
static void text_plain(em_text *text, em_slice raw, em_encoding encoding)
{
    size_t mark_length = em_slice_starts(raw, marks[0].bytes) ? marks[0].bytes.len : 0;
    *text = (em_text){.raw = raw,
                      .body = raw,
                      .start = mark_length,
                      .bom_length = mark_length,
                      .encoding = encoding,
                      .charset = encoding == EM_UTF8 ? "utf-8" : "unknown-8bit"};
}

/* A text whose body is raw[skip..) converted. EM_E_INVALID: *bad is where the file is not valid. */
static em_status text_convert(em_text *text, em_slice raw, size_t skip, const em_charset *charset,
                              em_arena *arena, size_t *bad)
{
    em_text made = {
        .raw = raw, .bom_length = skip, .encoding = charset->encoding, .charset = charset->name};
    EM_TRY(em_charset_decode(charset, raw, skip, arena, &made.body, &made.map, bad));
    *text = made;
    return EM_OK;
}

em_text em_text_of_bytes(em_slice raw, em_encoding encoding)
{
    em_text text;
    text_plain(&text, raw, encoding);
    return text;
}

em_text em_text_of_extract(const em_extract *extract, em_encoding encoding)
{
    em_text text = em_text_of_bytes(extract->body, encoding);
    text.extract = extract;
    return text;
}

/* The mark says which encoding it is in, so no other one is to be named. */
static em_status fail_damaged(em_error *err, const mark *found, size_t bad)
{
    return em_fail_cause(err, EM_E_BINARY, EM_CAUSE_ENCODING,
                         "the byte order mark says %s, but byte %zu is not valid", found->charset,
                         bad);
}

static em_status open_marked(em_slice raw, const mark *found, em_arena *arena, em_text *text,
                             em_error *err)
{
    em_charset charset = {.encoding = found->encoding, .name = found->charset};
    size_t bad;
    em_status status = text_convert(text, raw, found->bytes.len, &charset, arena, &bad);
    return status == EM_E_INVALID ? fail_damaged(err, found, bad) : status;
}

static em_status open_unnamed(em_slice raw, em_arena *arena, em_text *text, em_error *err)
{
    const mark *found = mark_at_start(raw);
    if (found && found->encoding != EM_UTF8)
        return open_marked(raw, found, arena, text, err);
    size_t *lfs = em_alloc_array(arena, raw.len / EM_TEXT_STRETCH + 2, sizeof *lfs);
    if (!lfs)
        return EM_E_NOMEM;
    em_look_over over = em_count_over_stretches(raw, EM_TEXT_STRETCH, lfs);
    if (over.has_nul)
        return em_fail(err, EM_E_BINARY, "it holds NUL bytes");
    bool is_utf8 = over.is_ascii || em_utf8_invalid_at(raw) == EM_NPOS;
    text_plain(text, raw, is_utf8 ? EM_UTF8 : EM_BYTES);
    if (over.is_ascii && over.cr == 0)
        text->lfs = lfs;
    return EM_OK;
}

/* The names of the encodings that are known here, in lower case without `-` and `_`. */
static const struct {
    const char *name;
    em_encoding encoding;
    bool any_order; /* the mark of the file decides; little endian where it has none */
    bool marked;    /* a new file gets a mark */
} names[] = {
    {"utf8", EM_UTF8, false, false},       {"utf8sig", EM_UTF8, false, true},
    {"utf16", EM_UTF16LE, true, true},     {"utf16le", EM_UTF16LE, false, false},
    {"utf16be", EM_UTF16BE, false, false}, {"utf32", EM_UTF32LE, true, true},
    {"utf32le", EM_UTF32LE, false, false}, {"utf32be", EM_UTF32BE, false, false},
};
enum { NAMES = sizeof names / sizeof names[0] };

/* Whether `given` is `name`, apart from case, `-` and `_`. */
static bool same_name(const char *given, const char *name)
{
    for (; *given; given++) {
        if (*given == '-' || *given == '_')
            continue;
        if (em_to_lower(*given) != *name++)
            return false;
    }
    return *name == '\0';
}

static size_t name_index(const char *given)
{
    size_t i = 0;
    while (i < NAMES && !same_name(given, names[i].name))
        i++;
    return i;
}

static em_status fail_invalid(em_error *err, size_t bad, const char *charset)
{
    return em_fail_cause(err, EM_E_INVALID, EM_CAUSE_ENCODING, "the file is not valid %s: byte %zu",
                         charset, bad);
}

static em_encoding other_order(em_encoding encoding)
{
    static const em_encoding others[] = {[EM_UTF16LE] = EM_UTF16BE,
                                         [EM_UTF16BE] = EM_UTF16LE,
                                         [EM_UTF32LE] = EM_UTF32BE,
                                         [EM_UTF32BE] = EM_UTF32LE};
    return others[encoding];
}

/* A mark is no text in an encoding of bytes: who names one has not seen it. */
static em_status fail_marked(em_error *err, const char *name, const mark *found)
{
    return em_fail_cause(err, EM_E_INVALID, EM_CAUSE_ENCODING,
                         "%s was named, but the byte order mark of the file says %s", name,
                         found->charset);
}

/* Text in UTF-16 or UTF-32 without a mark has a NUL in any blank or line ending. */
static em_status fail_utf8(em_error *err, const char *name)
{
    return em_fail_cause(err, EM_E_INVALID, EM_CAUSE_ENCODING,
                         "%s was named, but the file is UTF-8: it has no byte order mark and no "
                         "NUL",
                         name);
}

static bool is_utf8_text(em_slice raw)
{
    return raw.len > 0 && !em_slice_has_byte(raw, '\0') && em_utf8_invalid_at(raw) == EM_NPOS;
}

/* A name of the UTF-16 or UTF-32 family. */
static em_status open_unicode(em_slice raw, size_t name, em_arena *arena, em_text *text,
                              em_error *err)
{
    const mark *own = mark_of(names[name].encoding), *other = mark_of(other_order(own->encoding));
    const mark *found = mark_at_start(raw);
    if (names[name].any_order && em_slice_starts(raw, other->bytes))
        own = other;
    if (found && !em_slice_starts(raw, own->bytes))
        return fail_marked(err, own->charset, found);
    if (!found && is_utf8_text(raw))
        return fail_utf8(err, own->charset);
    em_charset charset = {.encoding = own->encoding, .name = own->charset};
    size_t skip = em_slice_starts(raw, own->bytes) ? own->bytes.len : 0, bad;
    em_status status = text_convert(text, raw, skip, &charset, arena, &bad);
    if (status != EM_E_INVALID)
        return status;
    return found == own ? fail_damaged(err, own, bad) : fail_invalid(err, bad, own->charset);
}

static em_status open_utf8(em_slice raw, em_text *text, em_error *err)
{
    const mark *found = mark_at_start(raw);
    if (found && found->encoding != EM_UTF8)
        return fail_marked(err, "utf-8", found);
    size_t bad = em_utf8_invalid_at(raw);
    if (bad != EM_NPOS)
        return fail_invalid(err, bad, "utf-8");
    text_plain(text, raw, EM_UTF8);
    return EM_OK;
}

/* Is the file UTF-8, whose bytes beyond ASCII Latin 1 and its kin take for a letter and a sign
 * each, "Ã©" for "é"? In encodings of other scripts two such bytes may be what somebody wrote. */
static em_status is_latin_by_mistake(em_slice raw, const em_charset *charset, em_arena *arena,
                                     bool *is)
{
    em_slice seen;
    const em_text_map *map;
    size_t bad;
    *is = false;
    if (em_is_ascii(raw) || em_utf8_invalid_at(raw) != EM_NPOS)
        return EM_OK;
    em_status status = em_charset_decode(charset, EM_LIT("\xC3\xA9"), 0, arena, &seen, &map, &bad);
    *is = status == EM_OK && em_slice_is(seen, "\xC3\x83\xC2\xA9");
    return status == EM_E_INVALID ? EM_OK : status;
}

static em_status open_charset(em_slice raw, const char *name, em_arena *arena, em_text *text,
                              em_error *err)
{
    em_charset charset;
    bool stateful;
    em_status status = em_charset_find(name, arena, &charset, &stateful);
    if (status == EM_E_INVALID)
        return em_fail_cause(err, status, EM_CAUSE_ENCODING,
                             stateful ? "encoding \"%s\" is not supported: what a byte means in it "
                                        "depends on the bytes before"
                                      : "unknown encoding \"%s\"",
                             name);
    EM_TRY(status);
    const mark *found = mark_at_start(raw);
    if (found)
        return fail_marked(err, charset.name, found);
    size_t bad;
    status = text_convert(text, raw, 0, &charset, arena, &bad);
    if (status == EM_E_INVALID)
        return fail_invalid(err, bad, charset.name);
    EM_TRY(status);
    return is_latin_by_mistake(raw, &charset, arena, &text->is_utf8_too);
}

em_status em_text_open(em_slice raw, const char *encoding, em_arena *arena, em_text *text,
                       em_error *err)
{
    if (!encoding)
        return open_unnamed(raw, arena, text, err);
    size_t name = name_index(encoding);
    if (name == NAMES)
        return open_charset(raw, encoding, arena, text, err);
    if (names[name].encoding == EM_UTF8)
        return open_utf8(raw, text, err);
    return open_unicode(raw, name, arena, text, err);
}

em_status em_text_open_to_rewrite(em_slice raw, em_arena *arena, em_text *text)
{
    const mark *found = mark_at_start(raw);
    if (!found || found->encoding == EM_UTF8) {
        text_plain(text, raw, EM_UTF8);
        return EM_OK;
    }
    em_charset charset = {.encoding = found->encoding, .name = found->charset, .lenient = true};
    size_t none_is_bad;
    return text_convert(text, raw, found->bytes.len, &charset, arena, &none_is_bad);
}

em_status em_text_new(const char *encoding, em_arena *arena, em_text *text, em_error *err)
{
    size_t name = encoding ? name_index(encoding) : NAMES;
    bool marked = name < NAMES && names[name].marked;
    em_slice raw = marked ? mark_of(names[name].encoding)->bytes : EM_LIT("");
    return em_text_open(raw, encoding, arena, text, err);
}

/* ---- Back into the file --------------------------------------------------------------------- */

/* Shift-JIS is JIS X 0201 in its first half, with a yen sign and an overline where ASCII has these
 * two. What is called so mostly is code page 932, which has them. */
static const char *advice_of(const em_text *text, uint32_t code)
{
    static const char *const variants[] = {"shift_jis", "shift-jis", "shiftjis", "sjis",
                                           "ms_kanji"};
    for (size_t i = 0; i < sizeof variants / sizeof *variants && (code == '\\' || code == '~'); i++)
        if (strcmp(text->charset, variants[i]) == 0)
            return "; it does in cp932, which most such files are: name that";
    return "";
}

static em_status fail_character(em_error *err, const em_text *text, em_slice utf8, size_t bad)
{
    size_t end = bad;
    uint32_t code = em_utf8_next(utf8, &end);
    if (end - bad == 1 && code >= 0x80)
        return em_fail_cause(err, EM_E_INVALID, EM_CAUSE_ENCODING,
                             "a text of the edit is not valid UTF-8, which it is to be whatever "
                             "encoding the file has: byte %zu",
                             bad);
    em_utf8_name name = em_utf8_name_of(code);
    if (text->is_utf8_too)
        return em_fail_cause(err, EM_E_INVALID, EM_CAUSE_ENCODING,
                             "%s: %s was named, but the file is UTF-8, in which that is written "
                             "otherwise",
                             name.text, text->charset);
    if (text->encoding == EM_BYTES)
        return em_fail_cause(err, EM_E_INVALID, EM_CAUSE_ENCODING,
                             "%s: the file is not UTF-8, and which encoding it has is not known; "
                             "name it with `encoding`",
                             name.text);
    return em_fail_cause(err, EM_E_INVALID, EM_CAUSE_ENCODING, "%s does not exist in %s%s",
                         name.text, text->charset, advice_of(text, code));
}

static size_t not_ascii_at(em_slice s)
{
    size_t i = 0;
    while (i < s.len && (unsigned char)s.ptr[i] < 0x80)
        i++;
    return i < s.len ? i : EM_NPOS;
}

/* EM_E_INVALID: *bad is the offset of what cannot be written. */
static em_status encode(const em_text *text, em_slice utf8, em_arena *arena, em_slice *out,
                        size_t *bad)
{
    *out = utf8;
    if (text->map) {
        EM_TRY(em_charset_encode(&text->map->charset, utf8, arena, out, bad));
        *bad =
            text->is_utf8_too && em_utf8_invalid_at(*out) != EM_NPOS ? not_ascii_at(utf8) : EM_NPOS;
        return *bad == EM_NPOS ? EM_OK : EM_E_INVALID;
    }
    *bad = text->encoding == EM_UTF8 ? em_utf8_invalid_at(utf8) : not_ascii_at(utf8);
    return *bad == EM_NPOS ? EM_OK : EM_E_INVALID;
}

em_status em_text_encode(const em_text *text, em_slice utf8, em_arena *arena, em_slice *out,
                         em_error *err)
{
    size_t bad;
    em_status status = encode(text, utf8, arena, out, &bad);
    return status == EM_E_INVALID ? fail_character(err, text, utf8, bad) : status;
}

em_status em_text_find_lacking(const em_text *text, em_slice utf8, em_arena *arena, uint32_t *code)
{
    size_t bad;
    em_slice unused;
    em_status status = encode(text, utf8, arena, &unused, &bad);
    *code = 0;
    if (status != EM_E_INVALID)
        return status;
    if (em_utf8_invalid_at(utf8) == EM_NPOS)
        *code = em_utf8_next(utf8, &bad);
    return EM_OK;
}

/* `near` as for em_charset_to_raw_near(). */
static size_t to_raw_near(const em_text *text, em_charset_checkpoint *near, size_t offset)
{
    if (text->extract)
        return em_extract_to_file(text->extract, offset);
    return text->map ? em_charset_to_raw_near(text->map, near, offset) : offset;
}

size_t em_text_to_raw(const em_text *text, size_t offset)
{
    em_charset_checkpoint near = {0, 0};
    return to_raw_near(text, &near, offset);
}

/* What comes of an edit may have bytes of the file, which a pattern found. */
static em_status encode_insert(const em_text *text, em_slice insert, em_arena *arena, em_slice *out,
                               em_error *err)
{
    size_t bad;
    em_status status = encode(text, insert, arena, out, &bad);
    if (status != EM_E_INVALID)
        return status;
    if (text->encoding != EM_BYTES || em_utf8_invalid_at(insert) == EM_NPOS)
        return fail_character(err, text, insert, bad);
    return em_fail_cause(err, EM_E_INVALID, EM_CAUSE_ENCODING,
                         "the edit would write the byte 0x%02X anew: the file is not UTF-8, and "
                         "which encoding it has is not known; name it with `encoding`",
                         (unsigned char)insert.ptr[bad]);
}

static em_status splice_to_raw(const em_text *text, const em_splice *body,
                               em_charset_checkpoint *near, em_arena *arena, em_splice *raw,
                               em_error *err)
{
    size_t start = to_raw_near(text, near, body->offset);
    size_t end = to_raw_near(text, near, body->offset + body->length);
    if (start == EM_NPOS || end == EM_NPOS)
        return em_fail_cause(err, EM_E_INVALID, EM_CAUSE_ENCODING,
                             "the edit would cut a character of the file in two (%s)",
                             text->charset);
    *raw = (em_splice){.offset = start, .length = end - start};
    return encode_insert(text, body->insert, arena, &raw->insert, err);
}

/* Where the body is the file, only the inserts are to be checked. */
static em_status check_inserts(const em_text *text, em_splices body, em_arena *arena, em_error *err)
{
    em_slice same;
    for (size_t i = 0; i < body.count; i++)
        EM_TRY(encode_insert(text, body.items[i].insert, arena, &same, err));
    return EM_OK;
}

em_status em_text_splices_to_raw(const em_text *text, em_splices body, em_arena *arena,
                                 em_splices *raw, em_error *err)
{
    *raw = body;
    if (!text->map && !text->extract)
        return check_inserts(text, body, arena, err);
    em_splice *items = em_alloc_array(arena, body.count, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    em_charset_checkpoint near = {0, 0};
    for (size_t i = 0; i < body.count; i++)
        EM_TRY(splice_to_raw(text, &body.items[i], &near, arena, &items[i], err));
    raw->items = items;
    return EM_OK;
}

/* ---- Line endings --------------------------------------------------------------------------- */

em_slice em_eol_bytes(em_eol eol)
{
    static const em_slice bytes[] = {[EM_EOL_NONE] = {"", 0},
                                     [EM_EOL_LF] = {"\n", 1},
                                     [EM_EOL_CRLF] = {"\r\n", 2},
                                     [EM_EOL_CR] = {"\r", 1}};
    return bytes[eol];
}

em_eol em_eol_at(em_slice s, size_t offset)
{
    if (offset >= s.len)
        return EM_EOL_NONE;
    if (s.ptr[offset] == '\n')
        return EM_EOL_LF;
    if (s.ptr[offset] != '\r')
        return EM_EOL_NONE;
    return offset + 1 < s.len && s.ptr[offset + 1] == '\n' ? EM_EOL_CRLF : EM_EOL_CR;
}

em_slice em_without_last_eol(em_slice s)
{
    s.len -= s.len > 0 && s.ptr[s.len - 1] == '\n';
    s.len -= s.len > 0 && s.ptr[s.len - 1] == '\r';
    return s;
}

size_t em_last_eol_length(em_slice s)
{
    return s.len - em_without_last_eol(s).len;
}

size_t em_line_behind(em_slice text, size_t offset)
{
    if (offset == text.len)
        return offset;
    size_t end = offset + em_slice_until(em_slice_from(text, offset), '\n');
    end = offset + em_slice_until(em_slice_sub(text, offset, end), '\r');
    return end + em_eol_length_at(text, end);
}

size_t em_line_before(em_slice text, size_t offset)
{
    offset = em_without_last_eol(em_slice_sub(text, 0, offset)).len;
    while (offset > 0 && em_eol_at(text, offset - 1) == EM_EOL_NONE)
        offset--;
    return offset;
}

em_status em_text_with_lfs(em_slice text, em_arena *arena, em_slice *out)
{
    *out = text;
    if (!em_slice_has_byte(text, '\r'))
        return EM_OK;
    size_t length = 0;
    char *bytes = em_alloc_raw(arena, text.len);
    if (!bytes)
        return EM_E_NOMEM;
    for (size_t at = 0; at < text.len;) {
        size_t eol = em_eol_length_at(text, at);
        bytes[length++] = eol > 0 ? '\n' : text.ptr[at];
        at += eol > 0 ? eol : 1;
    }
    *out = em_slice_make(bytes, length);
    return EM_OK;
}

/* The next line ending of `s` at or after *at, and *at moved behind it; `last` when there is none.
 */
static em_eol next_eol(em_slice s, size_t *at, em_eol last)
{
    while (*at < s.len && em_eol_at(s, *at) == EM_EOL_NONE)
        ++*at;
    em_eol found = em_eol_at(s, *at);
    *at += em_eol_bytes(found).len;
    return found == EM_EOL_NONE ? last : found;
}

/* Lay `insert` out with the endings of `replaced`; gives the length. `out` NULL measures. A CR and
 * an LF behind it would be one ending, where two are meant: then it is another CR. */
static size_t adapt(em_slice insert, em_slice replaced, em_eol eol, char *out)
{
    size_t at = 0, length = 0;
    em_eol last = EM_EOL_NONE; /* at the end of what is laid out */
    while (insert.len > 0) {
        const char *lf = memchr(insert.ptr, '\n', insert.len);
        em_slice line = em_slice_sub(insert, 0, lf ? (size_t)(lf - insert.ptr) : insert.len);
        if (lf)
            eol = next_eol(replaced, &at, eol);
        if (line.len == 0 && last == EM_EOL_CR && eol == EM_EOL_LF)
            eol = EM_EOL_CR;
        last = lf ? eol : EM_EOL_NONE;
        em_slice ending = lf ? em_eol_bytes(eol) : (em_slice){0};
        if (out && line.len > 0)
            memcpy(out + length, line.ptr, line.len);
        if (out && lf)
            memcpy(out + length + line.len, ending.ptr, ending.len);
        length += line.len + ending.len;
        insert = em_slice_from(insert, line.len + (lf != NULL));
    }
    return length;
}

em_status em_text_adapt_eols(em_slice insert, em_slice replaced, em_eol dominant, em_arena *arena,
                             em_slice *out)
{
    *out = insert;
    em_eol first = dominant == EM_EOL_NONE ? EM_EOL_LF : dominant;
    bool all_lf = !em_slice_has_byte(replaced, '\r') &&
                  (first == EM_EOL_LF || em_slice_has_byte(replaced, '\n'));
    if (all_lf || em_slice_has_byte(insert, '\r') || !em_slice_has_byte(insert, '\n'))
        return EM_OK;
    size_t length = adapt(insert, replaced, first, NULL);
    char *bytes = em_alloc_raw(arena, length);
    if (!bytes)
        return EM_E_NOMEM;
    adapt(insert, replaced, first, bytes);
    *out = em_slice_make(bytes, length);
    return EM_OK;
}

em_status em_text_decode(em_slice raw, const char *charset, em_arena *arena, em_slice *out)
{
    em_text text;
    *out = raw;
    if (!charset || raw.len == 0)
        return EM_OK;
    em_status status = em_text_open(raw, charset, arena, &text, NULL);
    if (status == EM_OK)
        *out = text.body;
    return status == EM_E_NOMEM ? status : EM_OK;
}

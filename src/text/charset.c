/* charset.c: the converters.
 *
 * All of them decode in steps: as many whole characters as fit into a given room. A file is decoded
 * in steps of a block, and each step's start is a checkpoint; the way back decodes from the nearest
 * checkpoint, or the last offset that was asked for, into just the room that the offset leaves, and
 * looks how far it got.
 */
#include "text/charset.h"

#include "base/ascii.h"
#include "base/utf8.h"

#include <errno.h>
#include <iconv.h>
#include <stdint.h>

/* A step may write EXTRA bytes more than its room: a character that iconv held back, or the unused
 * part of a table row. */
enum { BLOCK = 4096, EXTRA = 16 };

/* What one byte of a charset stands for. */
struct em_charset_row {
    char utf8[7];
    uint8_t length; /* 0: the byte is not valid */
};

/* One step of decoding. */
typedef struct step {
    em_slice raw;
    size_t at;      /* in `raw`; moves */
    char *out;      /* room + EXTRA bytes */
    size_t room;    /* how much UTF-8 is wanted */
    size_t written; /* how much there is */
    bool invalid;   /* the bytes at `at` are no character */
} step;

/* ---- UTF-16 and UTF-32 ---------------------------------------------------------------------- */

static uint32_t unit_at(em_encoding encoding, const char *at)
{
    const unsigned char *p = (const unsigned char *)at;
    switch (encoding) {
    case EM_UTF16LE:
        return p[0] | (uint32_t)p[1] << 8;
    case EM_UTF16BE:
        return p[1] | (uint32_t)p[0] << 8;
    case EM_UTF32LE:
        return p[0] | (uint32_t)p[1] << 8 | (uint32_t)p[2] << 16 | (uint32_t)p[3] << 24;
    default:
        return p[3] | (uint32_t)p[2] << 8 | (uint32_t)p[1] << 16 | (uint32_t)p[0] << 24;
    }
}

static size_t unit_put(em_encoding encoding, uint32_t unit, char *out)
{
    size_t size = encoding == EM_UTF16LE || encoding == EM_UTF16BE ? 2 : 4;
    bool little = encoding == EM_UTF16LE || encoding == EM_UTF32LE;
    for (size_t i = 0; i < size; i++)
        out[little ? i : size - 1 - i] = (char)(unit >> 8 * i);
    return size;
}

static bool is_utf16(em_encoding encoding)
{
    return encoding == EM_UTF16LE || encoding == EM_UTF16BE;
}

/* The code point at `at` and its length in bytes; 0 if there is none, which a lone surrogate gives
 * too when it is put into UTF-8. */
static size_t code_at(em_encoding encoding, em_slice raw, size_t at, uint32_t *code)
{
    size_t size = is_utf16(encoding) ? 2 : 4;
    if (raw.len - at < size)
        return 0;
    *code = unit_at(encoding, raw.ptr + at);
    if (size == 4 || *code < 0xD800 || *code > 0xDBFF)
        return size;
    uint32_t low = raw.len - at < 4 ? 0 : unit_at(encoding, raw.ptr + at + 2);
    if (low < 0xDC00 || low > 0xDFFF)
        return 0;
    *code = 0x10000 + ((*code - 0xD800) << 10) + (low - 0xDC00);
    return 4;
}

/* U+FFFD for a unit that is no character, or for what is left of one. */
static size_t put_stand_in(em_encoding encoding, size_t left, char *out, size_t *length)
{
    size_t size = is_utf16(encoding) ? 2 : 4;
    *length = left < size ? left : size;
    return em_utf8_put(0xFFFD, out);
}

__attribute__((always_inline)) static inline void decode_units(em_encoding encoding, bool lenient,
                                                               step *s)
{
    size_t at = s->at, written = s->written;
    while (at < s->raw.len && written < s->room) {
        uint32_t code = 0;
        size_t length = code_at(encoding, s->raw, at, &code);
        size_t put = length > 0 ? em_utf8_put(code, s->out + written) : 0;
        if (put == 0 && lenient)
            put = put_stand_in(encoding, s->raw.len - at, s->out + written, &length);
        if (put == 0 || put > s->room - written) {
            s->invalid = put == 0;
            break;
        }
        at += length;
        written += put;
    }
    s->at = at;
    s->written = written;
}

/* A copy of the loop for each encoding, so that none of them asks which it is. */
static void decode_unicode(const em_charset *charset, step *s)
{
    switch (charset->encoding) {
    case EM_UTF16LE:
        decode_units(EM_UTF16LE, charset->lenient, s);
        break;
    case EM_UTF16BE:
        decode_units(EM_UTF16BE, charset->lenient, s);
        break;
    case EM_UTF32LE:
        decode_units(EM_UTF32LE, charset->lenient, s);
        break;
    default:
        decode_units(EM_UTF32BE, charset->lenient, s);
        break;
    }
}

static em_status encode_unicode(em_encoding encoding, em_slice utf8, em_arena *arena, em_slice *out)
{
    size_t most = is_utf16(encoding) ? 2 : 4; /* bytes for each byte of UTF-8 */
    char *bytes = utf8.len <= SIZE_MAX / most ? em_alloc_raw(arena, utf8.len * most) : NULL;
    if (!bytes)
        return EM_E_NOMEM;
    size_t length = 0;
    for (size_t i = 0; i < utf8.len;) {
        uint32_t code = em_utf8_next(utf8, &i);
        if (is_utf16(encoding) && code >= 0x10000) {
            code -= 0x10000;
            length += unit_put(encoding, 0xD800 + (code >> 10), bytes + length);
            code = 0xDC00 + (code & 0x3FF);
        }
        length += unit_put(encoding, code, bytes + length);
    }
    *out = em_slice_make(bytes, length);
    return EM_OK;
}

/* ---- One byte per character ----------------------------------------------------------------- */

static void decode_table(const struct em_charset_row *table, step *s)
{
    while (s->at < s->raw.len) {
        const struct em_charset_row *row = &table[(unsigned char)s->raw.ptr[s->at]];
        if (row->length == 0 || row->length > s->room - s->written) {
            s->invalid = row->length == 0;
            return;
        }
        memcpy(s->out + s->written, row->utf8, sizeof row->utf8);
        s->written += row->length;
        s->at++;
    }
}

static bool row_is(const struct em_charset_row *row, em_slice character)
{
    return em_slice_eq(em_slice_make(row->utf8, row->length), character);
}

/* The byte for a character; -1 if there is none. */
static int byte_for(const struct em_charset_row *table, em_slice character)
{
    unsigned char ascii = (unsigned char)character.ptr[0];
    if (row_is(&table[ascii], character))
        return ascii;
    for (int byte = 0; byte < 256; byte++)
        if (row_is(&table[byte], character))
            return byte;
    return -1;
}

static em_status encode_table(const struct em_charset_row *table, em_slice utf8, em_arena *arena,
                              em_slice *out, size_t *bad)
{
    char *bytes = em_alloc_raw(arena, utf8.len);
    if (!bytes)
        return EM_E_NOMEM;
    size_t length = 0;
    for (size_t i = 0; i < utf8.len;) {
        size_t start = i;
        em_utf8_next(utf8, &i);
        int byte = byte_for(table, em_slice_sub(utf8, start, i));
        if (byte < 0) {
            *bad = start;
            return EM_E_INVALID;
        }
        bytes[length++] = (char)byte;
    }
    *out = em_slice_make(bytes, length);
    return EM_OK;
}

/* ---- iconv ---------------------------------------------------------------------------------- */

typedef struct converter {
    iconv_t handle;
} converter;

static void converter_drop(converter *c)
{
    if (c->handle != (iconv_t)-1)
        iconv_close(c->handle);
}

static bool converter_open(converter *c, const char *to, const char *from)
{
    c->handle = iconv_open(to, from);
    return c->handle != (iconv_t)-1;
}

/* As many characters as fit, beginning in the state in which a text begins, and what iconv still
 * holds back then. False when the input is not valid, or ends inside a character. */
static bool convert(const converter *c, em_slice in, size_t *at, char *out, size_t room,
                    size_t *written)
{
    char *from = (char *)(uintptr_t)in.ptr + *at, *to = out + *written;
    size_t from_left = in.len - *at, to_left = room - *written;
    iconv(c->handle, NULL, NULL, NULL, NULL);
    size_t done = iconv(c->handle, &from, &from_left, &to, &to_left);
    bool valid = done != (size_t)-1 || errno == E2BIG;
    to_left += EXTRA;
    iconv(c->handle, NULL, NULL, &to, &to_left);
    *at = in.len - from_left;
    *written = (size_t)(to - out);
    return valid;
}

static void decode_iconv(const converter *c, step *s)
{
    s->invalid = !convert(c, s->raw, &s->at, s->out, s->room, &s->written);
}

/* Encode, and decode what came of it: iconv leaves some characters out, and puts others that look
 * alike. */
static em_status encode_iconv(const em_charset *charset, em_slice utf8, em_arena *arena,
                              em_slice *out, size_t *bad)
{
    EM_AUTO(converter) encoder = {(iconv_t)-1}, decoder = {(iconv_t)-1};
    if (!converter_open(&encoder, charset->iconv_name, "UTF-8") ||
        !converter_open(&decoder, "UTF-8", charset->iconv_name))
        return EM_E_NOMEM;
    enum { MOST = 4 }; /* bytes for each byte of UTF-8 */
    size_t room = utf8.len <= SIZE_MAX / MOST - EXTRA ? utf8.len * MOST : 0;
    char *bytes = em_alloc_raw(arena, room + EXTRA), *back = em_alloc_raw(arena, utf8.len + EXTRA);
    if (!bytes || !back)
        return EM_E_NOMEM;
    size_t length = 0, encoded = 0;
    bool whole = convert(&encoder, utf8, &encoded, bytes, room, &length) && encoded == utf8.len;
    *out = em_slice_make(bytes, length);
    step s = {.raw = *out, .out = back, .room = utf8.len};
    decode_iconv(&decoder, &s);
    if (whole && em_slice_eq(em_slice_make(back, s.written), utf8))
        return EM_OK;
    size_t same = 0;
    while (same < encoded && same < s.written && back[same] == utf8.ptr[same])
        same++;
    *bad = em_utf8_floor(utf8, same);
    return EM_E_INVALID;
}

/* ---- Finding a charset ---------------------------------------------------------------------- */

typedef enum probe { PROBE_CHARACTER, PROBE_INVALID, PROBE_INCOMPLETE, PROBE_SHIFT } probe;

/* What `bytes` are at the start of a text. They are a shift when they are taken and give nothing.
 */
static probe probe_bytes(const converter *c, em_slice bytes, char out[2 * EXTRA], size_t *length)
{
    size_t at = 0;
    *length = 0;
    if (!convert(c, bytes, &at, out, EXTRA, length))
        return errno == EINVAL ? PROBE_INCOMPLETE : PROBE_INVALID;
    return *length > 0 ? PROBE_CHARACTER : PROBE_SHIFT;
}

/* The sequences of several bytes that change the state in some charset. */
static bool has_shifts(const converter *c)
{
    static const char *const shifts[] = {"\x1b(B",   "\x1b(J",   "\x1b$B", "\x1b$)C", "\x1b$)A",
                                         "\xFF\xFE", "\xFE\xFF", "~{",     "+A",      "&A"};
    char out[2 * EXTRA];
    size_t length;
    for (size_t i = 0; i < sizeof shifts / sizeof shifts[0]; i++)
        if (probe_bytes(c, em_slice_of(shifts[i]), out, &length) == PROBE_SHIFT)
            return true;
    return false;
}

/* Fill the table. *single is whether it says all. False when a byte shifts. */
static bool probe_table(const converter *c, struct em_charset_row *table, bool *single)
{
    *single = true;
    for (int i = 0; i < 256; i++) {
        char byte = (char)i, out[2 * EXTRA];
        size_t length;
        probe found = probe_bytes(c, em_slice_make(&byte, 1), out, &length);
        if (found == PROBE_SHIFT || length > sizeof table[i].utf8)
            return false;
        *single = *single && found != PROBE_INCOMPLETE;
        table[i].length = found == PROBE_CHARACTER ? (uint8_t)length : 0;
        memcpy(table[i].utf8, out, table[i].length);
    }
    return true;
}

/* `name` in lower case, as it is or without `-` and `_`; NULL when memory ran out. */
static char *plain_name(const char *name, bool squeeze, em_arena *arena)
{
    char *plain = em_arena_string(arena, em_slice_of(name)), *end = plain;
    for (const char *p = name; plain && *p; p++)
        if (!squeeze || (*p != '-' && *p != '_'))
            *end++ = em_to_lower(*p);
    if (plain)
        *end = '\0';
    return plain;
}

/* iconv takes more than names: "" is the locale's charset, and what follows a slash asks for
 * approximations. */
static bool is_name(const char *name)
{
    return *name && !strpbrk(name, "/, \t\r\n");
}

/* Does iconv_open() fail with `error` for want of a charset? Where it has no memory to load one, it
 * may say so just the same (glibc), or name memory or descriptors. */
static em_status status_of_no_charset(int error)
{
    enum { LEAST = 64 << 10 };
    EM_AUTO(em_arena) scratch = {0};
    return error == EINVAL && em_alloc_raw(&scratch, LEAST) ? EM_E_INVALID : EM_E_NOMEM;
}

em_status em_charset_find(const char *name, em_arena *arena, em_charset *charset, bool *stateful)
{
    const char *names[] = {plain_name(name, false, arena), plain_name(name, true, arena)};
    struct em_charset_row *table = em_alloc_array(arena, 256, sizeof *table);
    *stateful = false;
    if (!names[0] || !names[1] || !table)
        return EM_E_NOMEM;
    EM_AUTO(converter) c = {(iconv_t)-1};
    size_t i = 0;
    if (!is_name(names[0]))
        return EM_E_INVALID;
    while (i < 2 && !(is_name(names[i]) && converter_open(&c, "UTF-8", names[i])))
        i++;
    if (c.handle == (iconv_t)-1)
        return status_of_no_charset(errno);
    bool single;
    *stateful = !probe_table(&c, table, &single) || (!single && has_shifts(&c));
    if (*stateful)
        return EM_E_INVALID;
    *charset = (em_charset){EM_NAMED, names[0], names[i], single ? table : NULL, false};
    return EM_OK;
}

/* ---- The whole of a file -------------------------------------------------------------------- */

static void decode_step(const em_charset *charset, const converter *c, step *s)
{
    if (charset->table)
        decode_table(charset->table, s);
    else if (charset->encoding == EM_NAMED)
        decode_iconv(c, s);
    else
        decode_unicode(charset, s);
}

/* The converter that decode_step() wants: an open one for iconv, else none. */
static bool decoder_open(const em_charset *charset, converter *c)
{
    bool wanted = charset->encoding == EM_NAMED && !charset->table;
    c->handle = (iconv_t)-1;
    return !wanted || converter_open(c, "UTF-8", charset->iconv_name);
}

/* How long the text is, and how many steps it takes. */
static em_status measure(const em_charset *charset, const converter *c, em_slice raw, size_t skip,
                         size_t *length, size_t *blocks, size_t *bad)
{
    char scratch[BLOCK + EXTRA];
    step s = {.raw = raw, .at = skip, .out = scratch, .room = BLOCK};
    while (s.at < raw.len) {
        s.written = 0;
        decode_step(charset, c, &s);
        if (s.invalid) {
            *bad = s.at;
            return EM_E_INVALID;
        }
        *length += s.written;
        ++*blocks;
    }
    return EM_OK;
}

/* iconv makes something like UTF-8 of numbers that are no code points (in UCS-4, say). */
static em_status check_unicode(const em_text_map *map, em_slice body, size_t *bad)
{
    size_t invalid = em_utf8_invalid_at(body);
    if (invalid == EM_NPOS)
        return EM_OK;
    *bad = em_charset_to_raw(map, invalid);
    return EM_E_INVALID;
}

em_status em_charset_decode(const em_charset *charset, em_slice raw, size_t skip, em_arena *arena,
                            em_slice *body, const em_text_map **map, size_t *bad)
{
    EM_AUTO(converter) c;
    if (!decoder_open(charset, &c))
        return EM_E_NOMEM;
    size_t length = 0, blocks = 0;
    EM_TRY(measure(charset, &c, raw, skip, &length, &blocks, bad));
    em_text_map *made = em_alloc(arena, sizeof *made);
    em_charset_checkpoint *points = em_alloc_array(arena, blocks + 1, sizeof *points);
    char *out = em_alloc_raw(arena, length + EXTRA);
    if (!made || !points || !out)
        return EM_E_NOMEM;
    step s = {.raw = raw, .at = skip};
    size_t done = 0;
    for (size_t i = 0; i < blocks; i++, done += s.written) {
        points[i] = (em_charset_checkpoint){done, s.at};
        s.out = out + done;
        s.room = length - done < BLOCK ? length - done : BLOCK;
        s.written = 0;
        decode_step(charset, &c, &s);
    }
    points[blocks] = (em_charset_checkpoint){length, raw.len};
    *made = (em_text_map){*charset, raw, points, blocks + 1};
    *map = made;
    *body = em_slice_make(out, length);
    return c.handle == (iconv_t)-1 ? EM_OK : check_unicode(made, *body, bad);
}

em_status em_charset_encode(const em_charset *charset, em_slice utf8, em_arena *arena,
                            em_slice *out, size_t *bad)
{
    *bad = em_utf8_invalid_at(utf8);
    if (*bad != EM_NPOS)
        return EM_E_INVALID;
    if (charset->table)
        return encode_table(charset->table, utf8, arena, out, bad);
    if (charset->encoding == EM_NAMED)
        return encode_iconv(charset, utf8, arena, out, bad);
    return encode_unicode(charset->encoding, utf8, arena, out);
}

static const em_charset_checkpoint *point_before(const em_text_map *map, size_t offset)
{
    size_t low = 0, high = map->count - 1; /* points[low].body <= offset */
    while (low < high) {
        size_t middle = high - (high - low) / 2;
        if (map->points[middle].body <= offset)
            low = middle;
        else
            high = middle - 1;
    }
    return &map->points[low];
}

/* No character has more bytes in the file for each of its bytes in UTF-8: iconv is not shown more
 * than it needs, since it decodes kilobytes ahead. */
enum { MOST_RAW = 16 };

size_t em_charset_to_raw_near(const em_text_map *map, em_charset_checkpoint *near, size_t offset)
{
    em_charset_checkpoint from = *point_before(map, offset);
    if (near->body > from.body && near->body <= offset)
        from = *near;
    if (from.body == offset)
        return from.raw;
    EM_AUTO(converter) c;
    if (!decoder_open(&map->charset, &c))
        return EM_NPOS;
    char scratch[BLOCK + 2 * EXTRA];
    step s = {.at = from.raw, .out = scratch, .room = offset - from.body};
    s.raw = em_slice_sub(map->raw, 0, em_least(map->raw.len, s.at + MOST_RAW * s.room + EXTRA));
    decode_step(&map->charset, &c, &s);
    if (s.written != s.room)
        return EM_NPOS;
    *near = (em_charset_checkpoint){offset, s.at};
    return s.at;
}

size_t em_charset_to_raw(const em_text_map *map, size_t offset)
{
    em_charset_checkpoint near = {0, 0};
    return em_charset_to_raw_near(map, &near, offset);
}

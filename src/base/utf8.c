#include "base/utf8.h"

enum { WORD = sizeof(uint64_t) };
static const uint64_t HIGH_BITS = 0x8080808080808080u;
static const uint32_t REPLACEMENT = 0xFFFD;

static uint64_t word_at(const char *ptr)
{
    uint64_t word;
    memcpy(&word, ptr, WORD);
    return word;
}

/* The first byte at or after `offset` that is not ASCII; s.len if there is none. */
static size_t skip_ascii(em_slice s, size_t offset)
{
    while (s.len - offset >= 4 * WORD) {
        const char *at = s.ptr + offset;
        uint64_t any =
            word_at(at) | word_at(at + WORD) | word_at(at + 2 * WORD) | word_at(at + 3 * WORD);
        if (any & HIGH_BITS)
            break;
        offset += 4 * WORD;
    }
    while (offset < s.len && (unsigned char)s.ptr[offset] < 0x80)
        offset++;
    return offset;
}

/* The length of the valid sequence at `offset` (1 to 4), with its code point; 0 if there is none.
 * The ranges of the second byte are those of RFC 3629, section 4. */
static size_t sequence_at(em_slice s, size_t offset, uint32_t *code)
{
    const unsigned char *p = (const unsigned char *)s.ptr + offset;
    size_t left = s.len - offset;
    if (p[0] < 0x80) {
        *code = p[0];
        return 1;
    }
    size_t length = p[0] >= 0xF0 ? 4 : p[0] >= 0xE0 ? 3 : 2;
    if (p[0] < 0xC2 || p[0] > 0xF4 || left < length)
        return 0;
    unsigned low = p[0] == 0xE0 ? 0xA0 : p[0] == 0xF0 ? 0x90 : 0x80;
    unsigned high = p[0] == 0xED ? 0x9F : p[0] == 0xF4 ? 0x8F : 0xBF;
    if (p[1] < low || p[1] > high)
        return 0;
    uint32_t value = p[0] & (0xFFu >> (length + 1));
    value = value << 6 | (p[1] & 0x3Fu);
    for (size_t i = 2; i < length; i++) {
        if ((p[i] & 0xC0) != 0x80)
            return 0;
        value = value << 6 | (p[i] & 0x3Fu);
    }
    *code = value;
    return length;
}

uint32_t em_utf8_next(em_slice s, size_t *offset)
{
    uint32_t code = REPLACEMENT;
    size_t length = sequence_at(s, *offset, &code);
    *offset += length ? length : 1;
    return code;
}

size_t em_utf8_invalid_at(em_slice s)
{
    uint32_t code;
    size_t offset = skip_ascii(s, 0);
    while (offset < s.len) {
        size_t length = sequence_at(s, offset, &code);
        if (length == 0)
            return offset;
        offset = skip_ascii(s, offset + length);
    }
    return EM_NPOS;
}

size_t em_utf8_count(em_slice s)
{
    size_t count = 0, offset = 0;
    while (offset < s.len) {
        size_t next = skip_ascii(s, offset);
        count += next - offset;
        for (offset = next; offset < s.len && (unsigned char)s.ptr[offset] >= 0x80; count++)
            em_utf8_next(s, &offset);
    }
    return count;
}

size_t em_utf8_put(uint32_t code, char out[4])
{
    if (code < 0x80) {
        out[0] = (char)code;
        return 1;
    }
    if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF))
        return 0;
    size_t length = code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = length - 1; i > 0; i--, code >>= 6)
        out[i] = (char)(0x80 | (code & 0x3F));
    out[0] = (char)(0xF00u >> length | code);
    return length;
}

size_t em_utf8_floor(em_slice s, size_t limit)
{
    size_t end = limit < s.len ? limit : s.len;
    size_t lead = end;
    while (lead > 0 && end - lead < 3 && ((unsigned char)s.ptr[lead - 1] & 0xC0) == 0x80)
        lead--;
    if (lead == 0)
        return end;
    unsigned char first = (unsigned char)s.ptr[lead - 1];
    size_t wanted = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
    return wanted > end - lead + 1 ? lead - 1 : end;
}

bool em_is_ascii(em_slice s)
{
    return skip_ascii(s, 0) == s.len;
}

/* utf8.c: UTF-8, eight bytes at a time where they are ASCII.
 *
 * Whole words are passed over first (skip_ascii). What is left is decoded by sequence_at; where
 * only its validity counts, an automaton goes over it.
 */
#include "base/utf8.h"

#include <stdio.h>

enum { WORD = sizeof(uint64_t), BLOCK = 1024 };
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

/* The automaton that checks. The word of a byte holds for each state, six bits apart, which state
 * comes next (times six), so a step is a load and a shift: the idea is Per Vognsen's. Tn is "n
 * bytes to follow, any"; after E0, ED, F0 and F4 the byte that follows is bounded. */
enum { ACCEPT = 0, REJECT = 6, T1 = 12, T2 = 18, T3 = 24, E0 = 30, ED = 36, F0 = 42, F4 = 48 };

#define WORD_OF(accept, t1, t2, t3, e0, ed, f0, f4)                                                \
    ((uint64_t)(accept) << ACCEPT | (uint64_t)REJECT << REJECT | (uint64_t)(t1) << T1 |            \
     (uint64_t)(t2) << T2 | (uint64_t)(t3) << T3 | (uint64_t)(e0) << E0 | (uint64_t)(ed) << ED |   \
     (uint64_t)(f0) << F0 | (uint64_t)(f4) << F4)
#define LEAD(next) WORD_OF(next, REJECT, REJECT, REJECT, REJECT, REJECT, REJECT, REJECT)
#define TAIL(e0, ed, f0, f4) WORD_OF(REJECT, ACCEPT, T1, T2, e0, ed, f0, f4)
#define TWICE(...) __VA_ARGS__, __VA_ARGS__
#define TIMES_4(...) TWICE(TWICE(__VA_ARGS__))
#define TIMES_8(...) TIMES_4(TWICE(__VA_ARGS__))
#define TIMES_16(...) TIMES_8(TWICE(__VA_ARGS__))

static const uint64_t automaton[256] = {
    /* 00 */ TIMES_8(TIMES_16(LEAD(ACCEPT))),
    /* 80 */ TIMES_16(TAIL(REJECT, T1, REJECT, T2)),
    /* 90 */ TIMES_16(TAIL(REJECT, T1, T2, REJECT)),
    /* A0 */ TWICE(TIMES_16(TAIL(T1, REJECT, T2, REJECT))),
    /* C0 */ TWICE(LEAD(REJECT)),
    /* C2 */ TWICE(LEAD(T1)),
    /* C4 */ TIMES_4(LEAD(T1)),
    /* C8 */ TIMES_8(LEAD(T1)),
    /* D0 */ TIMES_16(LEAD(T1)),
    /* E0 */ LEAD(E0),
    /* E1 */ TIMES_8(LEAD(T2)),
    /* E9 */ TIMES_4(LEAD(T2)),
    /* ED */ LEAD(ED),
    /* EE */ TWICE(LEAD(T2)),
    /* F0 */ LEAD(F0),
    /* F1 */ LEAD(T3),
    /* F2 */ TWICE(LEAD(T3)),
    /* F4 */ LEAD(F4),
    /* F5 */ LEAD(REJECT),
    /* F6 */ TWICE(LEAD(REJECT)),
    /* F8 */ TIMES_8(LEAD(REJECT)),
};

/* The offset of the first invalid byte at or after `offset`, where a sequence starts. */
static size_t invalid_after(em_slice s, size_t offset)
{
    uint32_t code;
    size_t length = 1;
    while (offset < s.len && length > 0) {
        length = sequence_at(s, offset, &code);
        offset += length;
    }
    return offset;
}

size_t em_utf8_invalid_at(em_slice s)
{
    enum { STEP = 64, STATE = 63 };
    size_t valid = skip_ascii(s, 0), at = valid; /* up to `valid` it is, and no sequence is open */
    uint64_t state = ACCEPT;
    while (at < s.len && (state & STATE) != REJECT) {
        size_t end = s.len - at < STEP ? s.len : at + STEP;
        for (; at < end; at++)
            state = automaton[(unsigned char)s.ptr[at]] >> (state & STATE);
        if ((state & STATE) == ACCEPT)
            valid = at = skip_ascii(s, at);
    }
    return (state & STATE) == ACCEPT ? EM_NPOS : invalid_after(s, valid);
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

em_utf8_name em_utf8_name_of(uint32_t code)
{
    em_utf8_name name;
    char bytes[4];
    size_t length = em_utf8_put(code, bytes);
    if (code < 0x20 || code == 0x7F)
        snprintf(name.text, sizeof name.text, "U+%04X", (unsigned)code);
    else
        snprintf(name.text, sizeof name.text, "U+%04X '%.*s'", (unsigned)code, (int)length, bytes);
    return name;
}

size_t em_utf8_floor(em_slice s, size_t limit)
{
    size_t end = limit < s.len ? limit : s.len;
    size_t lead = end;
    while (lead > 0 && end - lead < 3 && em_utf8_continues(s, lead - 1))
        lead--;
    if (lead == 0)
        return end;
    unsigned char first = (unsigned char)s.ptr[lead - 1];
    size_t wanted = first >= 0xF0 ? 4 : first >= 0xE0 ? 3 : first >= 0xC0 ? 2 : 1;
    return wanted > end - lead + 1 ? lead - 1 : end;
}

/* How many bytes are the same, counted from the one that comes first in memory. */
static size_t first_difference(uint64_t a, uint64_t b)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return (size_t)__builtin_ctzll(a ^ b) / 8;
#else
    return (size_t)__builtin_clzll(a ^ b) / 8;
#endif
}

static size_t last_difference(uint64_t a, uint64_t b)
{
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
    return (size_t)__builtin_clzll(a ^ b) / 8;
#else
    return (size_t)__builtin_ctzll(a ^ b) / 8;
#endif
}

size_t em_shared_head(em_slice a, em_slice b)
{
    size_t most = em_least(a.len, b.len), head = 0;
    while (most - head >= BLOCK && memcmp(a.ptr + head, b.ptr + head, BLOCK) == 0)
        head += BLOCK;
    for (; most - head >= WORD; head += WORD) {
        uint64_t x = word_at(a.ptr + head), y = word_at(b.ptr + head);
        if (x != y)
            return head + first_difference(x, y);
    }
    while (head < most && a.ptr[head] == b.ptr[head])
        head++;
    return head;
}

size_t em_shared_tail(em_slice a, em_slice b)
{
    size_t most = em_least(a.len, b.len), tail = 0;
    if (most == 0) /* of nothing there may be no pointer either */
        return 0;
    const char *a_end = a.ptr + a.len, *b_end = b.ptr + b.len;
    while (most - tail >= BLOCK && memcmp(a_end - tail - BLOCK, b_end - tail - BLOCK, BLOCK) == 0)
        tail += BLOCK;
    for (; most - tail >= WORD; tail += WORD) {
        uint64_t x = word_at(a_end - tail - WORD), y = word_at(b_end - tail - WORD);
        if (x != y)
            return tail + last_difference(x, y);
    }
    while (tail < most && a.ptr[a.len - tail - 1] == b.ptr[b.len - tail - 1])
        tail++;
    return tail;
}

em_shared_ends em_utf8_shared_ends(em_slice a, em_slice b)
{
    size_t head = em_shared_head(a, b);
    while (head > 0 && (em_utf8_continues(a, head) || em_utf8_continues(b, head)))
        head--;
    size_t tail = em_shared_tail(em_slice_from(a, head), em_slice_from(b, head));
    while (tail > 0 && em_utf8_continues(a, a.len - tail))
        tail--;
    return (em_shared_ends){head, tail};
}

bool em_is_ascii(em_slice s)
{
    return skip_ascii(s, 0) == s.len;
}

#include "workspace/inverse.h"

#include <stdint.h>

enum { VERSION = 1, NUMBER_SIZE = 10 /* of the longest number of 64 bits */ };

/* ---- Encoding ------------------------------------------------------------------------------ */

static char *number_put(char *out, uint64_t value)
{
    while (value >= 0x80) {
        *out++ = (char)(value | 0x80);
        value >>= 7;
    }
    *out++ = (char)value;
    return out;
}

static size_t common_prefix(em_slice a, em_slice b)
{
    size_t length = 0;
    while (length < a.len && length < b.len && a.ptr[length] == b.ptr[length])
        length++;
    return length;
}

static size_t common_suffix(em_slice a, em_slice b)
{
    size_t length = 0;
    while (length < a.len && length < b.len &&
           a.ptr[a.len - 1 - length] == b.ptr[b.len - 1 - length])
        length++;
    return length;
}

static em_slice slice_trim(em_slice s, size_t head, size_t tail)
{
    return em_slice_sub(s, head, s.len - tail);
}

static char *splice_put(char *out, uint64_t distance, size_t length, em_slice old)
{
    out = number_put(out, distance);
    out = number_put(out, length);
    out = number_put(out, old.len);
    if (old.len > 0)
        memcpy(out, old.ptr, old.len);
    return out + old.len;
}

em_status em_inverse_encode(em_slice old, em_splices splices, em_arena *arena, em_slice *out)
{
    size_t size = 1 + NUMBER_SIZE;
    for (size_t i = 0; i < splices.count; i++)
        size += splices.items[i].length + 3 * NUMBER_SIZE;
    char *code = em_alloc_raw(arena, size);
    if (!code)
        return EM_E_NOMEM;

    char *end = code;
    *end++ = VERSION;
    end = number_put(end, splices.count);
    uint64_t at = 0;   /* in the new content: where the next old byte stands */
    uint64_t done = 0; /* in the new content: the end of the splice before */
    size_t old_at = 0; /* the next old byte */
    for (size_t i = 0; i < splices.count; i++) {
        const em_splice *splice = &splices.items[i];
        em_slice was = em_slice_sub(old, splice->offset, splice->offset + splice->length);
        size_t head = common_prefix(was, splice->insert);
        size_t tail = common_suffix(em_slice_from(was, head), em_slice_from(splice->insert, head));
        size_t length = splice->insert.len - head - tail;
        at += splice->offset - old_at;
        end = splice_put(end, at + head - done, length, slice_trim(was, head, tail));
        done = at + head + length;
        at += splice->insert.len;
        old_at = splice->offset + splice->length;
    }
    *out = em_slice_make(code, (size_t)(end - code));
    return EM_OK;
}

/* ---- Decoding ------------------------------------------------------------------------------ */

/* Take a number off *code; false when there is none, or one that is too large. */
static bool number_take(em_slice *code, uint64_t *value)
{
    *value = 0;
    for (unsigned shift = 0; shift < 64 && code->len > 0; shift += 7) {
        uint64_t byte = (unsigned char)code->ptr[0];
        uint64_t bits = byte & 0x7F;
        *code = em_slice_from(*code, 1);
        if (bits << shift >> shift != bits)
            return false;
        *value |= bits << shift;
        if (byte < 0x80)
            return true;
    }
    return false;
}

/* Take one splice off *code; *at is the end of the one before, in the new content. */
static bool splice_take(em_slice *code, uint64_t *at, em_splice *splice)
{
    uint64_t distance, length, old_length;
    if (!number_take(code, &distance) || !number_take(code, &length) ||
        !number_take(code, &old_length) || old_length > code->len)
        return false;
    uint64_t offset;
    if (__builtin_add_overflow(*at, distance, &offset) ||
        __builtin_add_overflow(offset, length, at))
        return false;
    splice->offset = (size_t)offset;
    splice->length = (size_t)length;
    splice->insert = em_slice_sub(*code, 0, (size_t)old_length);
    *code = em_slice_from(*code, (size_t)old_length);
    return true;
}

em_status em_inverse_decode(em_slice code, em_arena *arena, em_splices *out)
{
    uint64_t count, at = 0;
    if (code.len == 0 || code.ptr[0] != VERSION)
        return EM_E_INVALID;
    code = em_slice_from(code, 1);
    if (!number_take(&code, &count) || count > code.len) /* a splice is at least three bytes */
        return EM_E_INVALID;
    em_splice *items = em_alloc_array(arena, (size_t)count, sizeof *items);
    if (!items)
        return EM_E_NOMEM;
    for (uint64_t i = 0; i < count; i++) {
        if (!splice_take(&code, &at, &items[i]))
            return EM_E_INVALID;
    }
    *out = (em_splices){.items = items, .count = (size_t)count};
    return code.len == 0 ? EM_OK : EM_E_INVALID;
}

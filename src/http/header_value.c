#include "http/header_value.h"

#include "base/utf8.h"

static int digit_of(char byte)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const char *found = byte ? strchr(digits, byte) : NULL;
    return found ? (int)(found - digits) : -1;
}

/* RFC 4648, with its padding, and no bits beyond the last byte. */
static bool decode_base64(em_slice text, em_strbuf *out)
{
    if (text.len % 4 != 0)
        return false;
    for (size_t i = 0; i < text.len; i += 4) {
        bool last = i + 4 == text.len;
        size_t padding = 0;
        unsigned bits = 0;
        for (size_t j = 0; j < 4; j++) {
            char byte = text.ptr[i + j];
            int digit = digit_of(byte);
            if (last && byte == '=' && j >= 2)
                padding++;
            else if (digit < 0 || padding > 0)
                return false;
            bits = bits << 6 | (digit < 0 ? 0 : (unsigned)digit);
        }
        if ((padding == 1 && bits & 0xFF) || (padding == 2 && bits & 0xFFFF))
            return false;
        const char bytes[] = {(char)(bits >> 16), (char)(bits >> 8), (char)bits};
        em_strbuf_add(out, em_slice_make(bytes, 3 - padding));
    }
    return true;
}

bool em_header_value_decode(em_slice value, em_strbuf *out)
{
    const em_slice before = EM_LIT("=?base64?"), behind = EM_LIT("?=");
    if (value.len < before.len + behind.len || !em_slice_starts(value, before) ||
        !em_slice_is(em_slice_from(value, value.len - behind.len), behind.ptr)) {
        em_strbuf_add(out, value);
        return true;
    }
    size_t start = out->len;
    if (!decode_base64(em_slice_sub(value, before.len, value.len - behind.len), out))
        return false;
    em_slice decoded = em_slice_from(em_strbuf_slice(out), start);
    return em_utf8_invalid_at(decoded) == EM_NPOS;
}

#include "text/entity.h"

#include "base/ascii.h"

size_t em_numeric_entity(em_slice s, uint32_t *code)
{
    size_t at = 2, most = s.len < EM_LONGEST_ENTITY ? s.len : EM_LONGEST_ENTITY;
    if (!em_slice_starts(s, EM_LIT("&#")))
        return 0;
    uint32_t base = at < most && em_to_lower(s.ptr[at]) == 'x' ? 16 : 10;
    at += base == 16;
    size_t first = at;
    for (*code = 0; at < most && s.ptr[at] != ';'; at++) {
        uint32_t digit = em_hex_digit(s.ptr[at]);
        if (digit >= base)
            return 0;
        *code = *code * base + digit;
    }
    return at < most && at > first ? at + 1 : 0;
}

/* The number of the four digits of a `\u` at the start of `s`; false where that is none. */
static bool code_unit_at(em_slice s, uint32_t *unit)
{
    *unit = 0;
    if (s.len < 6 || !em_slice_starts(s, EM_LIT("\\u")))
        return false;
    for (size_t i = 2; i < 6; i++) {
        unsigned digit = em_hex_digit(s.ptr[i]);
        if (digit == 16)
            return false;
        *unit = *unit * 16 + digit;
    }
    return true;
}

size_t em_numbered_escape(em_slice s, uint32_t *code)
{
    enum { LENGTH = 6, HIGH = 0xD800, LOW = 0xDC00, UNITS = 0x400, BEYOND = 0x10000 };
    uint32_t low;
    if (!code_unit_at(s, code))
        return 0;
    if (*code < HIGH || *code >= LOW + UNITS)
        return *code > 0 ? LENGTH : 0;
    if (*code >= LOW || !code_unit_at(em_slice_from(s, LENGTH), &low) || low < LOW ||
        low >= LOW + UNITS)
        return 0;
    *code = BEYOND + (*code - HIGH) * UNITS + (low - LOW);
    return 2 * LENGTH;
}

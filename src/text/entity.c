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

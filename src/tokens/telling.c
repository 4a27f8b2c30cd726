#include "tokens/telling.h"

#include "base/utf8.h"

enum { LEAST_CODE_POINTS = 12 };

static size_t count_beside_space(em_slice s)
{
    size_t count = 0;
    for (size_t offset = 0; offset < s.len;) {
        uint32_t code = em_utf8_next(s, &offset);
        if (code != ' ' && (code < '\t' || code > '\r') && code != 0xA0)
            count++;
    }
    return count;
}

bool em_is_telling(em_slice text)
{
    return count_beside_space(text) >= LEAST_CODE_POINTS;
}

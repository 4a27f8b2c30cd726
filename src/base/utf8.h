/* utf8.h: UTF-8 as bytes (RFC 3629: no surrogates, nothing beyond U+10FFFF, no overlong forms). */
#ifndef EM_BASE_UTF8_H
#define EM_BASE_UTF8_H

#include "base/slice.h"

#include <stdint.h>

/* The code point at `s.ptr[*offset]`, and *offset moved past it. A byte that starts no valid
 * sequence gives U+FFFD and moves by one. The caller keeps *offset < s.len. */
uint32_t em_utf8_next(em_slice s, size_t *offset);

/* The offset of the first byte that is not valid UTF-8; EM_NPOS if all of it is. */
size_t em_utf8_invalid_at(em_slice s);

/* How many code points; each invalid byte counts as one. */
size_t em_utf8_count(em_slice s);

/* Write `code` into `out` (4 bytes at most) and return its length; 0 for what is no scalar. */
size_t em_utf8_put(uint32_t code, char out[4]);

/* The code point as people are told of it: "U+20AC '€'"; of a control character the number alone.
 */
typedef struct em_utf8_name {
    char text[sizeof "U+10FFFF 'xxxx'"];
} em_utf8_name;
em_utf8_name em_utf8_name_of(uint32_t code);

/* The length of the longest prefix of `s`, of at most `limit` bytes, that ends inside no code
 * point. */
size_t em_utf8_floor(em_slice s, size_t limit);

/* Does the byte at `at` go on with a code point that began before it? Not at the end of `s`. */
static inline bool em_utf8_continues(em_slice s, size_t at)
{
    return at < s.len && ((unsigned char)s.ptr[at] & 0xC0) == 0x80;
}

/* How many bytes two texts begin, or end, with alike. */
size_t em_shared_head(em_slice a, em_slice b);
size_t em_shared_tail(em_slice a, em_slice b);

/* How many bytes two texts begin with alike, and end with alike behind those: whole code points. */
typedef struct em_shared_ends {
    size_t head, tail;
} em_shared_ends;
em_shared_ends em_utf8_shared_ends(em_slice a, em_slice b);

/* True when every byte is below 0x80. */
bool em_is_ascii(em_slice s);

#endif

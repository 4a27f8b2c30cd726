/* json_string.c: strings of JSON are read as strictly as a parser does. (That is another room's,
 * and knows no slices.) */
#include "diagnosis/json_string.h"

#include "base/ascii.h"
#include "base/line.h"
#include "base/strbuf.h"
#include "base/utf8.h"
#include "text/entity.h"

/* The character that an escape at the start of `s` stands for, and the bytes that it takes; 0: it
 * is none. */
static size_t escape_at(em_slice s, uint32_t *code)
{
    static const char letters[] = "\"\\/bfnrt", means[] = "\"\\/\b\f\n\r\t";
    const char *at = s.len > 1 && s.ptr[1] ? strchr(letters, s.ptr[1]) : NULL;
    if (!at)
        return em_numbered_escape(s, code);
    *code = (uint32_t)means[at - letters];
    return 2;
}

/* What stands between the quotes of a JSON string. *is: it is one; *escaped: it has an escape. */
static em_status decoded(em_slice s, em_arena *arena, em_slice *out, bool *is, bool *escaped)
{
    EM_AUTO(em_strbuf) text = {0};
    *escaped = false;
    *is = s.len > 1 && s.ptr[0] == '"' && s.ptr[s.len - 1] == '"';
    em_slice inside = *is ? em_slice_sub(s, 1, s.len - 1) : (em_slice){0};
    for (size_t at = 0, length = 1; *is && at < inside.len; at += length) {
        uint32_t code = 0;
        char byte = inside.ptr[at], bytes[4];
        bool escapes = byte == '\\';
        length = escapes ? escape_at(em_slice_from(inside, at), &code) : 1;
        *is = length > 0 && byte != '"' && (unsigned char)byte >= ' ';
        *escaped |= escapes;
        em_strbuf_add(&text, escapes && *is ? em_slice_make(bytes, em_utf8_put(code, bytes))
                                            : em_slice_sub(inside, at, at + 1));
    }
    return em_strbuf_keep(&text, arena, out);
}

/* Whoever did not make a string of the replacement sent it as it is to be; but a backslash, or a
 * quote at one end, may be of a string that was made wrong. */
static bool is_plain(em_slice insert)
{
    em_slice s = em_trimmed(insert);
    return s.len == 0 ||
           (s.ptr[0] != '"' && s.ptr[s.len - 1] != '"' && !em_slice_has_byte(s, '\\'));
}

em_status em_json_string_of(em_slice find, em_slice insert, em_arena *arena, em_near_miss *mended,
                            bool *is, bool *clear)
{
    bool escaped;
    EM_TRY(decoded(em_trimmed(find), arena, &mended->find, is, &escaped));
    *is &= escaped;
    *clear = false;
    if (!*is)
        return EM_OK;
    EM_TRY(decoded(em_trimmed(insert), arena, &mended->insert, clear, &escaped));
    if (!*clear)
        mended->insert = insert;
    *clear = *clear || is_plain(insert);
    return EM_OK;
}
